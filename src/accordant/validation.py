"""What the public calls are given, held against the types of their parameters: at the door, once.

A parameter says in its annotation what it may be. `check` reads it there, so that a wrong type is
our error, with the name, what was found and what is allowed, and no function repeats the check.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import wraps
from inspect import signature
from numbers import Integral, Real
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, ParamSpec, TypeVar, Union, get_args, get_origin

from .actions import Action, Called
from .errors import RequestError, unknown
from .inputs import hints_of
from .kinds import AtLeast, Between

P = ParamSpec("P")
R = TypeVar("R")


def checked(function: Callable[P, R]) -> Callable[P, R]:
    """A function that refuses what its types do not allow."""

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        check(function, args, kwargs)
        made = function(*args, **kwargs)
        if hasattr(made, "called"):  # a result: its next steps repeat what was said
            object.__setattr__(made, "called", _called(function, args, kwargs))
        return made

    return call


SOURCES = ("data", "pilot", "before")


def _called(
    function: Callable[..., Any], args: tuple[Any, ...], keywords: Mapping[str, Any]
) -> Called:
    """The call with what was said in it, and before when the data were read."""
    given = {**dict(zip(hints_of(function), args, strict=False)), **keywords}
    source = next((given[name] for name in SOURCES if given.get(name) is not None), None)
    told = getattr(source, "reading", None)
    listed = source if isinstance(source, list | tuple) else [source]
    named = all(isinstance(x, Path) or (isinstance(x, str) and Path(x).suffix) for x in listed)
    files = told.files if told else tuple(map(str, listed)) if named else ()
    left = (*SOURCES, "after", "progress")
    own = {name: x for name, x in given.items() if name not in left and x is not None}
    return Called(function.__name__, files, {**(told.options if told else {}), **own})


def check(function: Callable[..., Any], args: tuple[Any, ...], keywords: dict[str, Any]) -> None:
    """Raise a `RequestError` if a value is not what the type of its parameter allows.

    Examples
    --------
    >>> def half(x: float, names: Sequence[str] | None = None) -> float:
    ...     return x / 2
    >>> check(half, ("3",), {})
    Traceback (most recent call last):
    accordant.errors.RequestError: x: a number, not '3'
    >>> check(half, (3,), {"names": [4]})
    Traceback (most recent call last):
    accordant.errors.RequestError: names: a list of texts or None, not [4]
    """
    types = hints_of(function)
    for name, value in (*zip(types, args, strict=False), *keywords.items()):
        if name not in types:
            _refuse_unknown(function, name)
            continue  # an option of `read`
        if not fits(value, types[name]):
            allowed = f"{_in_words(types[name])}, not {_shown(value)}"
            raise RequestError(allowed, parameter=name, do=_instead(name, value, types[name]))
        if isinstance(value, Real) and not isinstance(value, bool):
            _check_bounds(name, value, types[name])


def _refuse_unknown(function: Callable[..., Any], name: str) -> None:
    """Raise a `RequestError` for a keyword of a call that hands none on."""
    if any(p.kind is p.VAR_KEYWORD for p in signature(function).parameters.values()):
        return
    from .removed import instead

    gone = instead("option", name)
    hint = f"Instead: {gone}" if gone else ""
    called = f"{function.__name__} has"
    raise unknown("option", name, hints_of(function), called, hint)


def _check_bounds(name: str, value: Any, kind: Any) -> None:
    for mark in _marks(kind):
        match mark:
            case Between(low, high, ends_out) if not (
                low < value < high if ends_out else low <= value <= high
            ):
                raise RequestError(f"between {low:g} and {high:g}, not {value}", parameter=name)
            case AtLeast(low) if not value >= low:
                raise RequestError(f"{low:g} or more, not {value}", parameter=name)


def _marks(kind: Any) -> Iterator[Any]:
    """The marks of a type, and of the members of a union, but not of what a list holds."""
    if get_origin(kind) in (Union, UnionType):
        for part in get_args(kind):
            yield from _marks(part)
    yield from getattr(kind, "__metadata__", ())


def _instead(name: str, value: Any, kind: Any) -> list[Action]:
    """The list that was meant by a text with commas."""
    listed = [word.strip() for word in value.split(",")] if isinstance(value, str) else []
    return [Action("", {name: listed})] if len(listed) > 1 and fits(listed, kind) else []


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:59]}…"


# ------------------------------------------------------------------ does a value fit a type


def fits(value: Any, kind: Any) -> bool:
    """Whether a value is what an annotation allows. Protocols and arrays are not looked into."""
    if kind is Any or isinstance(kind, TypeVar):
        return True
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return fits(value, parts[0])
    if origin in (Union, UnionType):
        return any(fits(value, part) for part in parts)
    if origin is Literal:
        return any(type(value) is type(part) for part in parts)  # which, the function says better
    if origin is not None:
        return _is_container(value, origin) and _holds(value, origin, parts)
    return _is_one(value, kind)


def _is_one(value: Any, kind: Any) -> bool:
    if kind is None or kind is NoneType:
        return value is None
    if kind is bool:
        return isinstance(value, bool) or type(value).__name__ in ("bool", "bool_")
    if kind in (int, float):
        return isinstance(value, Integral if kind is int else Real) and not isinstance(value, bool)
    if not isinstance(kind, type) or getattr(kind, "_is_protocol", False):
        return True
    return isinstance(value, kind)


def _is_container(value: Any, origin: Any) -> bool:
    if origin is Callable:
        return callable(value)
    if origin is tuple:
        return isinstance(value, tuple | list)
    if isinstance(value, str | bytes):
        return False
    if origin in (Sequence, list):  # arrays and columns of frames are as good as lists
        return isinstance(value, Collection) and not isinstance(value, Mapping)
    return not isinstance(origin, type) or isinstance(value, origin)


def _holds(value: Any, origin: Any, parts: Sequence[Any]) -> bool:
    """Whether the elements fit, of what can be looked at without using it up."""
    if origin is tuple and parts[-1:] != (...,):
        return len(value) == len(parts) and all(map(fits, value, parts))
    if isinstance(value, Mapping):
        return not issubclass(origin, Mapping) or all(fits(x, parts[1]) for x in value.values())
    if isinstance(value, list | tuple | set | frozenset) and parts and origin is not Callable:
        return all(fits(x, parts[0]) for x in value)
    return True


# ------------------------------------------------------------------ a type in words

_ONE = {
    bool: "True or False",
    int: "a whole number",
    float: "a number",
    str: "a text",
    Path: "a path",
    NoneType: "None",
}
_MANY = {bool: "True or False", int: "whole numbers", float: "numbers", str: "texts"}


def _in_words(kind: Any) -> str:
    words = list(dict.fromkeys(_each_in_words(kind)))
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def _each_in_words(kind: Any) -> list[str]:
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _each_in_words(parts[0])
    if origin in (Union, UnionType):
        every = [word for part in parts for word in _each_in_words(part)]
        return [w for w in every if w != "None"] + ["None"] * ("None" in every)
    if origin is Literal:
        return [repr(part) for part in parts]
    if origin is Callable:
        return ["a function"]
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return [f"a dict{_of(parts[1]) if parts[1:] else ''}"]
    if origin is not None:
        return [f"a list{_of(parts[0]) if parts else ''}"]
    name = getattr(kind, "__name__", str(kind))
    return [_ONE.get(kind) or f"{'an' if name[0] in 'AEIOU' else 'a'} {name}"]


def _of(kind: Any) -> str:
    return f" of {_MANY[kind]}" if kind in _MANY else ""
