"""A text that a person is asked for, where none was given with the command."""

from __future__ import annotations

import sys

import click

__all__ = ["at_terminal", "text_of"]


def at_terminal() -> bool:
    """Whether a person can be asked."""
    return sys.stdin.isatty()


def text_of(given: str | None, what: str, option: str = "") -> str:
    """A text; "-" reads standard input; where none was given it is asked for at a terminal.

    Of an option a refusal names the option.
    """
    if given == "-":
        return sys.stdin.read().strip()
    if given is not None:
        return given.strip()
    what = what.partition(". ")[0].rstrip(".")
    if not at_terminal():
        how = f"with {option}" if option else "or - to read it from standard input"
        raise click.UsageError(f"say {what[:1].lower()}{what[1:]}, {how}")
    return str(click.prompt(f"{what[:1].upper()}{what[1:]}")).strip()
