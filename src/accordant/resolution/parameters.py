"""How what a command takes is typed, where its name and its type do not say it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, NamedTuple, TypeAlias

from .records import Answer

__all__ = ["Cites", "OneAnswer", "Proposals", "Review", "Typed"]


class Typed(NamedTuple):
    """A remark in the annotation of a parameter.

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
    asked : bool
        Whether it is asked for at a terminal, though it has a default.
    among : tuple of str
        What may be given.
    each : bool
        Of a case: whether the same is done about each of several.
    """

    metavar: str = ""
    option: str = ""
    argument: bool = False
    asked: bool = False
    among: tuple[str, ...] = ()
    each: bool = False


Cites: TypeAlias = Annotated[Sequence[str], Typed("ELEMENT", "--cites")]
"""Elements of the toolbox."""


OneAnswer: TypeAlias = Annotated[Answer | str | Sequence[str], Typed("ANSWER")]
"""An answer to a question."""


Proposals: TypeAlias = Annotated[Sequence[int], Typed("NUMBER", "--proposal")]
"""Numbers of proposals, as a case shows them."""


Review: TypeAlias = Annotated[str, Typed("DATE", "--review")]
"""A day on which to look again."""
