"""What a command takes, as data for options and forms: from type hints and docstrings."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    TypeAlias,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from ..docstrings import parsed

__all__ = ["REST", "Cites", "Proposals", "Review", "Taken", "Typed", "members", "plain", "taken"]


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
Proposals: TypeAlias = Annotated[Sequence[int], Typed("NUMBER", "--proposal")]
"""Numbers of proposals, as a case shows them."""
Review: TypeAlias = Annotated[str, Typed("DATE", "--review")]
"""A day on which to look again."""

REST = "**"
"""Name of what a function takes besides, to hand it on."""


@dataclass(frozen=True)
class Taken:
    """One parameter of a command.

    Parameters
    ----------
    name : str
    hint : type
    mark : Typed
    default : object
        `inspect.Parameter.empty` where it is needed.
    text : str
        What it is, for people.
    """

    name: str
    hint: Any
    mark: Typed
    default: Any
    text: str

    @property
    def needed(self) -> bool:
        """Whether there is no default."""
        return self.default is inspect.Parameter.empty

    @property
    def choices(self) -> tuple[str, ...]:
        """What may be given, where that is settled."""
        known = plain(self.hint, self.mark)
        one = get_args(known)[0] if get_origin(known) is Sequence else known
        return get_args(one) if get_origin(one) is Literal else ()

    @property
    def many(self) -> bool:
        """Whether several may be given."""
        return get_origin(plain(self.hint, self.mark)) is Sequence

    @property
    def fields(self) -> dict[str, tuple[Any, Any, str]]:
        """Of a record that is typed field by field: its hints, defaults and texts."""
        kind = next((k for k in members(self.hint) if hasattr(k, "__struct_fields__")), None)
        texts = parsed(kind.__doc__).parameters if kind is not None else {}
        if kind is None or not texts or str in members(self.hint):
            return {}
        hints, empty = get_type_hints(kind), kind()
        return {name: (hints[name], getattr(empty, name), text) for name, text in texts.items()}


def taken(function: Callable[..., Any], skip: int = 2) -> tuple[Taken, ...]:
    """What a command takes besides the state and the person who acts.

    Parameters
    ----------
    function : callable
    skip : int
        Parameters at the beginning that are not given.

    Examples
    --------
    >>> from accordant.resolution.proposals import refuse
    >>> [(one.name, one.needed) for one in taken(refuse)]
    [('cases', True), ('reason', True), ('proposals', False)]
    """
    doc, hints = parsed(function.__doc__), get_type_hints(function, include_extras=True)
    found = []
    for p in [*inspect.signature(function).parameters.values()][skip:]:
        hint = hints.get(p.name, str)
        mark = next((m for m in getattr(hint, "__metadata__", ()) if isinstance(m, Typed)), Typed())
        name = REST if p.kind is p.VAR_KEYWORD else p.name
        found.append(Taken(name, hint, mark, p.default, doc.parameters.get(p.name, "")))
    return tuple(found)


def members(hint: Any) -> tuple[Any, ...]:
    """The types that a hint allows."""
    if get_origin(hint) is Annotated:
        return members(get_args(hint)[0])
    if get_origin(hint) in (Union, UnionType):
        return tuple(k for one in get_args(hint) for k in members(one) if k is not NoneType)
    return (hint,)


def plain(hint: Any, mark: Any = None) -> Any:
    """A hint as the command line knows it: enumerations are choices, and one of several is text."""
    kinds = members(hint)
    if mark is not None and mark.among:
        one: Any = Literal[tuple(mark.among)]
        return Sequence[one] if get_origin(kinds[0]) is Sequence else one
    choices = [k for k in kinds if isinstance(k, type) and issubclass(k, Enum)]
    if choices:
        return Literal[tuple(e.value for k in choices for e in k)]
    if str in kinds:
        return str
    for kind in kinds:
        of = get_args(kind)
        if get_origin(kind) in (dict, Mapping):
            return Mapping[str, str]
        if get_origin(kind) is tuple and of[-1:] != (...,):
            return tuple[int, int]
        if get_origin(kind) in (Sequence, tuple):
            inside: Any = plain(of[0])
            return Sequence[inside]
    return kinds[-1]
