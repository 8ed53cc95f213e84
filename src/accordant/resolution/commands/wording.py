"""What people type, checked at the door: names, identifiers and texts."""

from __future__ import annotations

from ...errors import RequestError
from ..words import Step

__all__ = ["AGREEING", "identifier", "written_text"]

AGREEING = (Step.TASK, Step.ALIGNMENT, Step.COMPARISON, Step.RESOLUTION)
"""Steps at which coders may read, sign and object: a round in step 5 may wait for that."""


def written_text(what: str, text: str) -> str:
    """A text that somebody must write, without blanks around it.

    Raises
    ------
    RequestError
        If there is none.
    """
    if not text.strip():
        raise RequestError(f"{what} is empty: write it")
    return text.strip()


def identifier(what: str, name: str) -> str:
    """A short name in one line, without blanks around it.

    Raises
    ------
    RequestError
        If it is empty or has line breaks or other control characters.

    Examples
    --------
    >>> identifier("name of a person", " A1 ")
    'A1'
    """
    found = written_text(what, name)
    if any(ord(character) < 32 or 127 <= ord(character) < 160 for character in found):
        raise RequestError(f"{what} {name!r} has control characters: write it in one line")
    return found
