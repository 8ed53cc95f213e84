"""What a type cannot say of a parameter: its bounds, its name in a help text, how it is typed.

Marks of `typing.Annotated`, for calls and for steps of the procedure alike. They mean nothing to
Python; the command line reads them. Tuples import faster than dataclasses.
"""

from __future__ import annotations

from typing import NamedTuple


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


class Typed(NamedTuple):
    """How something is typed that does not follow from its name.

    What is required is given in its place, what has a default as an option named like the
    parameter, what is a sequence as an option that is repeated.

    Parameters
    ----------
    metavar : str
        The word that stands for it in a usage; the name of the parameter by default.
    option : str
        Its name as an option, though it is required or is called otherwise.
    argument : bool
        Whether it is given in its place, though it has a default.
    among : tuple of str
        What may be given.
    text : bool
        Whether it is typed as one text, whatever else it may be in Python.
    """

    metavar: str = ""
    option: str = ""
    argument: bool = False
    among: tuple[str, ...] = ()
    text: bool = False
