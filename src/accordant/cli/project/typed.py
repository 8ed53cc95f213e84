"""Texts that are long: as an argument, from standard input, or asked for."""

from __future__ import annotations

import sys

import click

__all__ = ["prompted", "text_of"]

PROMPTED = "accordant.prompted"
"""Where a context keeps what was asked for and typed: it stands in no shell history."""


def text_of(given: str | None, what: str) -> str:
    """The text; "-" reads standard input; where none was given it is asked for at a terminal.

    Raises
    ------
    UsageError
        If none was given and nobody can be asked.
    """
    if given == "-":
        return sys.stdin.read().strip()
    if given is not None:
        return given.strip()
    if not sys.stdin.isatty():
        raise click.UsageError(f"say {what}, or - to read it from standard input")
    text = str(click.prompt(f"{what[:1].upper()}{what[1:]}")).strip()
    click.get_current_context().meta.setdefault(PROMPTED, []).append(text)
    return text


def prompted() -> list[str]:
    """What was asked for and typed so far."""
    return list(click.get_current_context().meta.get(PROMPTED, []))
