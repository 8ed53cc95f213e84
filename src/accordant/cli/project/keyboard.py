"""What a person types when asked: a text, a line, or a key for an act.

At a terminal a key needs no Enter; elsewhere each key is a line, so that a walk can be a file.
"""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Sequence

import click

from ..terminal import COLOUR, width

__all__ = [
    "PROMPTED",
    "Back",
    "Stop",
    "at_terminal",
    "hint_of",
    "key",
    "keys_of",
    "line",
    "one_of",
    "say",
    "several_of",
    "text_of",
]

PROMPTED = "accordant.prompted"
# Where a context keeps what was asked for and typed: it stands in no shell history.

FEW = 9  # options that have a digit each


class Stop(Exception):  # noqa: N818 (no error: the person wants to stop)
    """The person wants to stop."""


class Back(Exception):  # noqa: N818 (no error: the person wants to go back)
    """The person wants to go back to the one before."""


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
    what = what[:1].lower() + what[1:]
    if not at_terminal():
        how = f"with {option}" if option else "or - to read it from standard input"
        raise click.UsageError(f"say {what}, {how}")
    text = str(click.prompt(f"{what[:1].upper()}{what[1:]}")).strip()
    click.get_current_context().meta.setdefault(PROMPTED, []).append(text)
    return text


def say(text: str, mark: str = "", *, dim: bool = False, bold: bool = False) -> None:
    """A text, wrapped; its own line breaks stay."""
    for part in text.splitlines() or [""]:
        wrapped = textwrap.fill(
            part, width(), initial_indent=f"  {mark}", subsequent_indent=" " * (2 + len(mark))
        )
        click.echo(click.style(wrapped, dim=dim or None, bold=bold or None), color=COLOUR)
        mark = " " * len(mark)


def line(what: str) -> str:
    """A line; it may be empty."""
    return str(
        click.prompt(f"  {what}", prompt_suffix=" > ", default="", show_default=False)
    ).strip()


def key(what: str, back: Sequence[str] = ("b", "<"), labels: Sequence[str] = ()) -> str:
    """One key; where nobody sits at a terminal, a line, whose leading colon does not count.

    Parameters
    ----------
    what : str
        What is asked.
    back : sequence of str
        Keys that lead back.
    labels : sequence of str
        What may be answered goes before a key; a colon before a key means the key.

    Raises
    ------
    Stop, Back
        For q, and for a key that leads back.
    """
    if at_terminal():
        click.echo(f"  {what} > ", nl=False)
        typed = click.getchar()
        typed += click.getchar() if typed == ":" else ""
        click.echo(typed if typed.isprintable() else "")
    else:
        typed = line(what)
    word = typed.removeprefix(":") if len(typed) < 3 else typed
    if typed in labels:
        return typed
    if word == "q":
        raise Stop
    if word in back:
        raise Back
    return typed if word in labels else word


def keys_of(options: Sequence[str]) -> dict[str, str]:
    """The key of each option: its place, or itself where all are digits; none of many.

    Examples
    --------
    >>> keys_of(["yes", "no"]), keys_of(["0", "1"]), keys_of(["1", "10"])
    ({'1': 'yes', '2': 'no'}, {'0': '0', '1': '1'}, {})
    """
    if all(len(option) == 1 and option.isdecimal() for option in options):
        return {option: option for option in options}
    if len(options) > FEW or any(option.isdecimal() for option in options):
        return {}
    return {str(place): option for place, option in enumerate(options, 1)}


def hint_of(options: Sequence[str]) -> str:
    """The options as they are shown before they are asked for."""
    keys = {option: key for key, option in keys_of(options).items() if key != option}
    return " | ".join(f"{keys[o]} {o}" if o in keys else o for o in options)


def one_of(what: str, options: Sequence[str]) -> str:
    """One of several by its number, or whatever else is typed."""
    for place, option in enumerate(options, 1):
        say(option, f"  {place}  ")
    return _named(line(what), options)


def several_of(what: str, options: Sequence[str]) -> tuple[str, ...]:
    """Some of several by their numbers, with blanks between them, or by name, with ";" between."""
    say(" · ".join(f"{place} {option}" for place, option in enumerate(options, 1)), dim=True)
    typed = line(what)
    words = typed.replace(",", " ").split()
    parts = words if all(word.isdecimal() for word in words) else typed.split(";")
    return tuple(_named(part.strip(), options) for part in parts if part.strip())


def _named(typed: str, options: Sequence[str]) -> str:
    known = typed.isdecimal() and 0 < int(typed) <= len(options) and typed not in options
    return options[int(typed) - 1] if known else typed
