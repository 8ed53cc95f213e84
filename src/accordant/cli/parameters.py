"""Options and arguments of a command, as the type hint and the docstring of a parameter say.

A hint becomes a `Value`: choices of a `Literal`, numbers with their bounds, lists, and one value
for each of several names. Whatever is not typed keeps the default of the function.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import click

from ..kinds import AtLeast, Between, Character, Commas, Metavar, Untyped

__all__ = [
    "OTHER",
    "SHORT",
    "Option",
    "Value",
    "argument",
    "hints_of",
    "option",
    "spelled",
    "value_of",
]

OTHER = "Other options"
SHORT = {
    "coefficients": "c",
    "coefficient": "c",
    "format": "f",
    "output": "o",
    "quiet": "q",
    "most": "n",
    "model": "m",
}
"""Parameters with a letter of their own."""

CHARACTERS = {
    "\\t": "\t",
    "tab": "\t",
    "\\n": "\n",
    "newline": "\n",
    "pipe": "|",
    "comma": ",",
    "semicolon": ";",
    "space": " ",
}


def spelled(name: str) -> str:
    """A parameter as an option.

    Examples
    --------
    >>> spelled("header_row")
    '--header-row'
    """
    return f"--{name.replace('_', '-')}"


def hints_of(function: Callable[..., Any]) -> dict[str, Any]:
    """The type hints of the parameters; not of the result, which would import the statistics."""
    names = {"Any": Any, **inspect.unwrap(function).__globals__}
    found = {}
    for name, p in inspect.signature(function).parameters.items():
        hint = p.annotation
        found[name] = eval(hint, names) if isinstance(hint, str) else hint
    return found


# ------------------------------------------------------------------ values


class Value(click.ParamType[Any]):
    """What may be typed for a hint, and what it becomes."""

    name = "text"

    def __init__(self, hint: Any) -> None:
        hint = _typeable(hint)
        leaves, marks, origins = [*_leaves(hint)], [*_marks(hint)], {*_origins(hint)}
        self.hint = hint
        self.choices = [c for k in leaves if get_origin(k) is Literal for c in get_args(k)]
        self.choices = [*dict.fromkeys(c for c in self.choices if isinstance(c, str))]
        self.number = next((k for k in (float, int) if k in leaves), None)
        self.words = str in leaves or Any in leaves
        self.single = any(one in (int, float) for one in _union(hint))
        self.flag = leaves == [bool]
        self.path = Path in leaves
        self.named = Mapping in origins
        self.many = Sequence in origins or Iterable in origins
        self.ends = tuple in origins
        self.commas = any(isinstance(m, Commas) for m in marks) or self.number is not None
        self.character = any(isinstance(m, Character) for m in marks)
        self.bound = next((m for m in marks if isinstance(m, Between | AtLeast)), None)
        self.word = next((m.word for m in marks if isinstance(m, Metavar)), None)
        self.untyped = any(isinstance(m, Untyped) for m in marks) or Callable in origins

    @property
    def repeated(self) -> bool:
        """Whether the option may be given several times."""
        return self.many or self.named

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        """What stands for the value in a help text."""
        one = self.word or self._what()
        return f"[NAME=]{one}" if self.named and "=" not in one else one

    def _what(self) -> str:
        if self.choices and not self.words and self.number is None:
            return f"[{'|'.join(self.choices)}]"
        one = "FILE" if self.path else "N" if self.number is int else "X" if self.number else "TEXT"
        return f"{one},..." if self.many and self.commas else one

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> Any:
        """The choices that begin so; files where a file is wanted."""
        from click.shell_completion import CompletionItem

        if self.path:
            return [CompletionItem(incomplete, type="file")]
        name, equals, start = incomplete.rpartition("=")
        return [CompletionItem(name + equals + c) for c in self.choices if c.startswith(start)]

    def convert(self, value: Any, param: click.Parameter | None, ctx: Any) -> Any:
        """What one word means: a value, a list, or (name, value)."""
        if not isinstance(value, str):
            return value
        if not self.named:
            return self._values(value, param, ctx)
        pairs = [_pair(word) for word in value.split(",")]
        if len(pairs) > 1 and not self.many and all(name for name, _ in pairs):
            return {name: self._values(one, param, ctx) for name, one in pairs}
        name, one = _pair(value)
        return {name: self._values(one, param, ctx)}

    def _values(self, text: str, param: click.Parameter | None, ctx: Any) -> Any:
        if self.single and "," not in text:
            return self._one(text, param, ctx)
        if self.many and self.commas:
            return [self._one(word, param, ctx) for word in listed(text)]
        found = self._one(text, param, ctx)
        return [found] if self.many else found

    def _one(self, text: str, param: click.Parameter | None, ctx: Any) -> Any:
        if self.path:
            return Path(text)
        if self.character:
            return CHARACTERS.get(text, text)
        if text in self.choices:
            return text
        if self.ends and re.fullmatch(r"\d+-\d+", text):
            return tuple(map(int, text.split("-")))
        if self.number is not None:
            return self._number(text, param, ctx)
        if self.choices and not self.words:
            from difflib import get_close_matches  # slow to import

            near = get_close_matches(text, self.choices, 1)
            every = f"Choose from {', '.join(self.choices)}."
            hint = f"Did you mean {near[0]!r}?" if near else every
            self.fail(f"There is no {text!r}. {hint}", param, ctx)
        return text

    def _number(self, text: str, param: click.Parameter | None, ctx: Any) -> Any:
        try:
            found = (int if self.number is int else float)(text)
        except ValueError:
            if self.words:
                return text
            whole = "a whole number" if self.number is int else "a number"
            more = f" or one of {', '.join(self.choices)}" if self.choices else ""
            self.fail(f"{text!r} is not {whole}{more}.", param, ctx)
        match self.bound:
            case Between(low, high, ends_out) if not (
                low < found < high if ends_out else low <= found <= high
            ):
                self.fail(f"{text} is not between {low:g} and {high:g}.", param, ctx)
            case AtLeast(low) if not found >= low:
                self.fail(f"{text} is less than {low:g}.", param, ctx)
        return found


def _pair(text: str) -> tuple[str, str]:
    """(name, value) of NAME=VALUE; '=' within quotes belongs to the value."""
    name, equals, one = text.partition("=")
    return (name.strip(), one) if equals and '"' not in name else ("", text)


def listed(text: str) -> list[str]:
    """'a, b,c' as a list; a value in double quotes may hold a comma.

    Examples
    --------
    >>> listed("low, mid,high"), listed('"yes, partly",no')
    (['low', 'mid', 'high'], ['yes, partly', 'no'])
    """
    import csv

    words = next(csv.reader([text], skipinitialspace=True), [])
    return [word.strip() for word in words if word.strip()]


@lru_cache
def value_of(hint: Any) -> Value:
    """What may be typed for a hint; many functions share their hints."""
    return Value(hint)


def _members(hint: Any) -> Iterable[Any]:
    """What a union, an annotated type, a list or a mapping holds."""
    origin = get_origin(hint)
    if origin is Annotated:
        return get_args(hint)[:1]
    if origin in (Union, UnionType):
        return get_args(hint)
    return get_args(hint)[-1:] if origin in (Sequence, Iterable, Mapping, tuple) else ()


def _union(hint: Any) -> Iterable[Any]:
    """The members of a union, without their marks."""
    inside = _members(hint) if get_origin(hint) in (Annotated, Union, UnionType) else ()
    if not inside:
        yield hint
    for one in inside:
        yield from _union(one)


def _typeable(hint: Any) -> Any:
    """A union without the members that have no place in a shell, if others are left."""
    if get_origin(hint) not in (Union, UnionType):
        return hint
    members = get_args(hint)
    left = [m for m in members if not any(isinstance(x, Untyped) for x in _marks(m))]
    return Union[tuple(left)] if {*left} - {NoneType} else hint  # noqa: UP007


def _leaves(hint: Any) -> Iterable[Any]:
    inside = [*_members(hint)]
    if not inside and hint is not NoneType:
        yield hint
    for one in inside:
        yield from _leaves(one)


def _marks(hint: Any) -> Iterable[Any]:
    yield from getattr(hint, "__metadata__", ())
    for one in _members(hint):
        yield from _marks(one)


def _origins(hint: Any) -> Iterable[Any]:
    yield get_origin(hint)
    for one in _members(hint):
        yield from _origins(one)


# ------------------------------------------------------------------ parameters of click


class Option(click.Option):
    """An option under a heading of the help.

    ``calls`` are the functions that take it.
    """

    section = OTHER
    calls: frozenset[Callable[..., Any]] = frozenset()

    @property
    def value(self) -> Value | None:
        """What may be typed."""
        return self.type if isinstance(self.type, Value) else None

    def meant(self, typed: Any) -> Any:
        """What was typed as an argument of the function; None if nothing was."""
        kind = self.value
        if typed is None or typed == () or kind is None or not kind.repeated:
            return None if typed == () else typed
        if kind.named:
            each = {name: x for one in typed for name, x in one.items()}
            if "" in each and len(each) > 1:
                raise click.UsageError(f"give {self.opts[-1]} once, or as NAME=... for each name")
            return each.get("", each)
        if kind.single and not isinstance(typed[-1], list):
            return typed[-1]
        return [x for one in typed for x in one]


def option(
    name: str, hint: Any, default: Any = None, text: str = "", section: str = OTHER
) -> Option | None:
    """The option for a parameter; None for what has no place in a shell."""
    kind = value_of(hint)
    if kind.untyped:
        return None
    long = spelled(name)
    short = [f"-{SHORT[name]}"] if name in SHORT else []
    names = [name, *short, long]
    help_text = _plain(text) + _default(default)
    if kind.flag:
        both = default is not False
        made = Option(
            [name, *short, f"{long}/--no-{long[2:]}" if both else long],
            is_flag=True,
            default=None,
            help=help_text,
        )
    elif kind.ends and kind.number is None:
        made = Option(names, nargs=2, default=None, help=help_text, metavar=kind.word)
    else:
        made = Option(names, type=kind, multiple=kind.repeated, default=None, help=help_text)
    made.section = section
    return made


def argument(name: str, hint: Any, *, many: bool, required: bool) -> click.Argument:
    """The argument for a positional parameter."""
    kind = value_of(hint)
    return click.Argument(
        [name],
        type=click.Path(path_type=Path) if kind.path else kind,
        nargs=-1 if many else 1,
        required=required,
        metavar=kind.word or kind.get_metavar(click.Argument([name])),
    )


def _plain(text: str) -> str:
    """A text without the marks of reStructuredText."""
    return re.sub(r"`+|(?<!\w)\*{1,2}(?=\w)|(?<=\w)\*{1,2}(?!\w)", "", text)


def _default(default: Any) -> str:
    shown = isinstance(default, int | float | str) and not isinstance(default, bool)
    return f"  [default: {default}]" if shown and default == default and default != "" else ""
