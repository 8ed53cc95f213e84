"""What a docstring in numpydoc says of a call: its summary, its parameters, its examples."""

from __future__ import annotations

import inspect
import re
from typing import NamedTuple

__all__ = ["Doc", "parsed"]

UNDERLINE = re.compile(r"-{3,}")


class Doc(NamedTuple):
    """A docstring in parts; ``examples`` are (line of a shell, what it does)."""

    summary: str
    text: str
    parameters: dict[str, str]
    examples: tuple[tuple[str, str], ...]


def parsed(doc: str | None) -> Doc:
    """The parts of a docstring.

    Examples
    --------
    >>> parsed('''Count.
    ...
    ... Parameters
    ... ----------
    ... n, m : int
    ...     How many.
    ...
    ... Examples
    ... --------
    ... Three of them:
    ...
    ... $ count 3
    ... ''')
    Doc(summary='Count.', text='Count.', parameters={'n': 'How many.', 'm': 'How many.'}, examples=(('count 3', 'Three of them'),))
    """  # noqa: E501
    lines = inspect.cleandoc(doc or "").splitlines()
    at = [k for k in range(len(lines) - 1) if UNDERLINE.fullmatch(lines[k + 1])]
    ends = [*at[1:], len(lines)][: len(at)]
    sections = {lines[k]: lines[k + 2 : end] for k, end in zip(at, ends, strict=True)}
    text = "\n".join(lines[: at[0]] if at else lines).strip()
    return Doc(
        text.split("\n", 1)[0],
        text,
        _parameters(sections.get("Parameters", ())),
        tuple(_examples(sections.get("Examples", ()))),
    )


def _parameters(lines: list[str] | tuple[()]) -> dict[str, str]:
    found: dict[str, str] = {}
    names: list[str] = []
    for line in lines:
        if line and line[0] != " ":
            names = [name.strip().lstrip("*") for name in line.split(" : ")[0].split(",")]
        elif line:
            found |= {name: f"{found.get(name, '')} {line.strip()}".strip() for name in names}
    return found


def _examples(lines: list[str] | tuple[()]) -> list[tuple[str, str]]:
    found, told = [], ""
    for line in lines:
        if line.startswith("$ "):
            found.append((line[2:], told))
        elif line.strip():
            told = line.strip().rstrip(":")
    return found
