"""What a type cannot say of a parameter: its bounds, its name in a help text, how it is typed.

Marks of `typing.Annotated`, for calls and for steps of the procedure alike. They mean nothing to
Python; the command line reads them. Tuples import faster than dataclasses.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["AtLeast", "Between", "Character", "Commas", "Metavar", "Untyped"]


class Between(NamedTuple):
    """A number between two, the ends included unless ``open``."""

    low: float
    high: float
    open: bool = False


class AtLeast(NamedTuple):
    """The least number; of several values, how many there must be."""

    low: float


class Metavar(NamedTuple):
    """What stands for the value in a help text."""

    word: str


class Commas(NamedTuple):
    """Several values may stand in one word, with commas between them."""


class Character(NamedTuple):
    r"""A character that is awkward to type: ``\\t`` and ``tab`` are a tab."""


class Untyped(NamedTuple):
    """Not for a command line: data, functions, whatever has no spelling in a shell."""
