"""Options and arguments of a command, made of the inputs of a function.

What is typed becomes a value of the hint: a choice, a number, a list, a record, or one value for
each of several names. Bounds are checked by the call. Whatever is not typed keeps its default.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin

import click

from ..actions import option as spelled
from ..inputs import Input, inputs_of, leaves_of, marks_of, members_of
from ..kinds import AtLeast, Character, Commas, Metavar, Untyped
from .help import OTHER, READING, Option

SHORT = {
    "coefficients": "c",
    "coefficient": "c",
    "format": "f",
    "output": "o",
    "most": "n",
    "model": "m",
    "question": "q",
}
"""Options with a letter of their own."""
CHARACTERS = {"\\t": "\t", "tab": "\t", "\\n": "\n", "newline": "\n"}


# ------------------------------------------------------------------ values


class Value(click.ParamType[Any]):
    """What may be typed for an input, and what it becomes."""

    name = "text"

    def __init__(self, given: Input) -> None:
        hint = str if given.typed.text else _typeable(given.hint)
        leaves, marks, origins = [*leaves_of(hint)], [*marks_of(hint)], {*_origins(hint)}
        self.choices = given.choices
        strict = bool(given.typed.among) or any(hasattr(k, "__members__") for k in leaves)
        self.words = not strict and (str in leaves or Any in leaves)
        self.number = next((k for k in (float, int) if k in leaves), None)
        self.single = any(one in (int, float) for one in _union(hint))
        self.flag = leaves == [bool]
        self.path = Path in leaves
        self.named = bool({Mapping, dict} & origins)
        self.many = bool({Sequence, Iterable, list} & origins)
        self.pair = tuple in origins
        self.cases = self.many and self.number is int and str in leaves
        marked = any(isinstance(m, Commas) for m in marks)
        self.commas = marked or (self.number is not None and not self.pair)
        self.character = any(isinstance(m, Character) for m in marks)
        self.word = given.typed.metavar or next(
            (m.word for m in marks if isinstance(m, Metavar)), None
        )
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
        pairs = [_named(word) for word in value.split(",")]
        if len(pairs) > 1 and not self.many and all(name for name, _ in pairs):
            return {name: self._values(one, param, ctx) for name, one in pairs}
        name, one = _named(value)
        return {name: self._values(one, param, ctx)}

    def _values(self, text: str, param: click.Parameter | None, ctx: Any) -> Any:
        if self.cases:
            return [one for word in text.split(",") for one in _range(word)]
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
            return (int if self.number is int else float)(text)
        except ValueError:
            if self.words:
                return text
            whole = "a whole number" if self.number is int else "a number"
            more = f" or one of {', '.join(self.choices)}" if self.choices else ""
            self.fail(f"{text!r} is not {whole}{more}.", param, ctx)


def _named(text: str) -> tuple[str, str]:
    """(name, value) of NAME=VALUE; '=' within quotes belongs to the value."""
    name, equals, one = text.partition("=")
    return (name.strip(), one) if equals and '"' not in name else ("", text)


def _range(word: str) -> list[int | str]:
    """The numbers of "3-7"; any other word is a name."""
    ends = re.fullmatch(r"(\d+)(?:-(\d+))?", word.strip())
    if ends is None:
        return [word.strip()]
    return list(range(int(ends[1]), int(ends[2] or ends[1]) + 1))


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


def _union(hint: Any) -> Iterator[Any]:
    """The members of a union, without their marks."""
    marked = hasattr(hint, "__metadata__") or get_origin(hint) in (Union, UnionType)
    inside = members_of(hint) if marked else ()
    if not inside:
        yield hint
    for one in inside:
        yield from _union(one)


def _typeable(hint: Any) -> Any:
    """A union without the members that have no place in a shell, if others are left."""
    if get_origin(hint) not in (Union, UnionType):
        return hint
    members = get_args(hint)
    left = [m for m in members if not any(isinstance(x, Untyped) for x in marks_of(m))]
    return Union[tuple(left)] if {*left} - {NoneType} else hint  # noqa: UP007


def _origins(hint: Any) -> Iterator[Any]:
    """What a hint is made of; a tuple of any length is a list."""
    origin = get_origin(hint)
    yield list if origin is tuple and ... in get_args(hint) else origin
    for one in members_of(hint):
        yield from _origins(one)


# ------------------------------------------------------------------ parameters of click


def option(given: Input, section: str = OTHER, *, singular: bool = False) -> Option | None:
    """The option for an input; None for what has no place in a shell.

    With ``singular`` one that is repeated is called by one of several: ``roles`` as --role.
    """
    kind = Value(given)
    if kind.untyped:
        return None
    called = given.name.removesuffix("s") if singular and kind.repeated else given.name
    long = given.typed.option or spelled(called)
    short = [f"-{SHORT[long[2:]]}"] if long[2:] in SHORT else []
    names = [given.name, *short, long]
    help_text = plain(given.text.partition("In Python")[0].rstrip()) + _default(given.default)
    if kind.flag:
        both = given.default is True or given.default is None
        made = Option(
            [given.name, *short, f"{long}/--no-{long[2:]}" if both else long],
            is_flag=True,
            default=None,
            help=help_text,
        )
    elif kind.pair and kind.number is None:
        made = Option(names, nargs=2, help=help_text, metavar=kind.word)
    else:
        made = Option(names, type=kind, multiple=kind.repeated, help=help_text)
    made.section, made.required = section, given.needed
    return made


def argument(given: Input) -> click.Argument:
    """The argument for an input that is typed without a name."""
    kind = Value(given)
    several = given.several or (kind.many and not kind.cases)
    needed = any(isinstance(m, AtLeast) for m in marks_of(given.hint)) or given.needed
    word = kind.word or "|".join(kind.choices) or given.name.removesuffix("s").upper()
    word = f"{word}..." if several and not kind.word else word
    return click.Argument(
        [given.name],
        type=click.Path(path_type=Path) if kind.path else kind,
        nargs=-1 if several else 1,
        required=needed,
        metavar=word if needed or word.startswith("[") else f"[{word}]",
    )


def parameters_of(
    inputs: Iterable[Input], section: str, *, singular: bool = False
) -> Iterator[click.Parameter]:
    """What is typed for inputs: arguments in their place, options, the fields of records."""
    for one in inputs:
        if one.fields:
            fields = (option(f, section, singular=singular) for f in one.fields.values())
            yield from filter(None, fields)
        elif one.in_place:
            yield argument(one)
        elif (made := option(one, section, singular=singular)) is not None:
            yield made


def plain(text: str) -> str:
    """A text without the marks and indents of reStructuredText."""
    return re.sub(r"(?m)`+|^ +(?=\S)|(?<!\w)\*{1,2}(?=\w)|(?<=\w)\*{1,2}(?!\w)", "", text)


def _default(default: Any) -> str:
    shown = isinstance(default, int | float | str) and not isinstance(default, bool)
    return f"  [default: {default}]" if shown and default == default and default != "" else ""


@cache
def reading_options() -> tuple[Option, ...]:
    """How a file is read, as `read` has it."""
    from ..api.data_sets import read

    made = [*filter(None, (option(one, READING) for one in inputs_of(read, 1)))]
    for one in made:
        one.opts = one.opts[-1:]  # letters are for what is typed more often
    return (*made,)
