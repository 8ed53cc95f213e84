"""What a function takes, as data: for options, completion, forms and checks at the door.

An input has a name, a type hint with its marks (`kinds`), a default and a text from the docstring.
Public calls and commands of the procedure are described alike.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

from .kinds import Metavar, Typed

_UNDERLINE = re.compile(r"-{3,}")


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
    at = [k for k in range(len(lines) - 1) if _UNDERLINE.fullmatch(lines[k + 1])]
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


# ------------------------------------------------------------------ type hints


@cache
def hints_of(function: Callable[..., Any]) -> dict[str, Any]:
    """The type hint of each parameter that has a name; not of the result, which may be heavy."""
    inner = inspect.unwrap(function)
    names = {"Any": Any, **vars(sys.modules[inner.__module__])}
    return {
        name: eval(p.annotation, names) if isinstance(p.annotation, str) else p.annotation
        for name, p in inspect.signature(inner).parameters.items()
        if p.kind is not p.VAR_KEYWORD
    }


def members_of(hint: Any) -> tuple[Any, ...]:
    """What a union, an annotated type, a list or a mapping holds."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return parts[:1]
    if origin in (Union, UnionType):
        return parts
    if origin in (Mapping, dict):
        return parts[-1:]
    return tuple(x for x in parts if x is not ...) if origin in _LISTS else ()


_LISTS = (Sequence, Iterable, list, tuple)


def leaves_of(hint: Any) -> Iterator[Any]:
    """The types that a hint is made of, without None."""
    inside = members_of(hint)
    if not inside and hint is not NoneType:
        yield hint
    for one in inside:
        yield from leaves_of(one)


def marks_of(hint: Any) -> Iterator[Any]:
    """The marks of a hint and of what it holds."""
    yield from getattr(hint, "__metadata__", ())
    for one in members_of(hint):
        yield from marks_of(one)


# ------------------------------------------------------------------ inputs


@dataclass(frozen=True)
class Input:
    """One thing that a function takes.

    Parameters
    ----------
    name : str
    hint : type
    default : object
        `inspect.Parameter.empty` where it is needed.
    text : str
        What it is, for people.
    several : bool
        Whether it takes all words that are left.
    """

    name: str
    hint: Any
    default: Any
    text: str
    several: bool = False

    @property
    def needed(self) -> bool:
        """Whether there is no default."""
        return self.default is inspect.Parameter.empty and not self.several

    @property
    def typed(self) -> Typed:
        """How it is typed."""
        return next((m for m in marks_of(self.hint) if isinstance(m, Typed)), Typed())

    @property
    def in_place(self) -> bool:
        """Whether it is typed without a name."""
        return self.several or self.typed.argument or (self.needed and not self.typed.option)

    @property
    def choices(self) -> tuple[str, ...]:
        """What may be given, where that is settled."""
        leaves = tuple(leaves_of(self.hint))
        named = (c for k in leaves if get_origin(k) is Literal for c in get_args(k))
        kinds = (k for k in leaves if isinstance(k, type) and issubclass(k, Enum))
        listed = (*self.typed.among, *(e.value for k in kinds for e in k))
        return listed or tuple(dict.fromkeys(c for c in named if isinstance(c, str)))

    @property
    def kind(self) -> str:
        """What a form asks for: item, coder, label, text, date, file, share, number, choice, flag.

        Examples
        --------
        >>> def judge(share: float, sure: bool = False) -> None: ...
        >>> [one.kind for one in inputs_of(judge)]
        ['number', 'flag']
        """
        words = [m.word for m in marks_of(self.hint) if isinstance(m, Metavar)]
        word = (self.typed.metavar or next(iter(words), "")).lower()
        if word in ("item", "coder", "label", "date", "file", "share"):
            return word
        leaves = {*leaves_of(self.hint)}
        if self.choices:
            return "choice"
        if leaves == {bool}:
            return "flag"
        return "number" if leaves and leaves <= {int, float} else "text"

    @property
    def fields(self) -> dict[str, Input]:
        """Of a record that is typed field by field: its fields, by their names."""
        leaves = tuple(leaves_of(self.hint))
        kind = next((k for k in leaves if hasattr(k, "__struct_fields__")), None)
        texts = parsed(kind.__doc__).parameters if kind is not None else {}
        if kind is None or not texts or str in leaves:
            return {}
        hints, empty = get_type_hints(kind, include_extras=True), kind()
        return {k: Input(k, hints[k], getattr(empty, k), text) for k, text in texts.items()}


def inputs_of(function: Callable[..., Any], skip: int = 0) -> tuple[Input, ...]:
    """What a function takes; the first ``skip`` parameters are not given by people."""
    texts, hints = parsed(function.__doc__).parameters, hints_of(function)
    listed = [*inspect.signature(function).parameters.values()][skip:]
    return tuple(
        Input(p.name, hints[p.name], p.default, texts.get(p.name, ""), p.kind is p.VAR_POSITIONAL)
        for p in listed
        if p.kind is not p.VAR_KEYWORD
    )
