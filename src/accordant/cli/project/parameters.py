"""Which commands `accordant project` has, where each is defined, and how what it takes is typed.

The sources are read without importing them, so that a list of all commands costs nothing.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, get_args, get_origin

import click

from ...actions import Action
from ...resolution.command_arguments import REST, Taken, members, plain, taken
from ..parameters import Option, Value, option
from .keyboard import text_of

__all__ = [
    "CASES",
    "MISSING",
    "OUTPUT",
    "SPECIAL",
    "Definition",
    "Given",
    "Words",
    "definitions",
    "given_of",
    "numbered",
    "spelled",
    "step",
]

F = TypeVar("F", bound=Callable[..., Any])
PLACES = (
    ("step", __package__),
    ("command", "accordant.resolution"),
    ("view", "accordant.views"),
)
# What defines, and where: a function of this room goes before a step of the procedure.
DEFINED = re.compile(
    r'^@(?P<kind>command|step|view)\(\s*"(?P<name>[^"]+)"(?P<rest>.*?)^def (?P<function>\w+)\('
    r'.*?"""(?P<summary>[^\n]*?)(?:"""|\n)',
    re.M | re.S,
)
TYPED = re.compile(r'typed="([^"]+)"')


class Definition(NamedTuple):
    """A function behind words that are typed, such as "case cause"."""

    kind: str
    words: str
    module: str
    function: str
    summary: str

    def load(self) -> Callable[..., Any]:
        """The function, imported now."""
        found: Callable[..., Any] = getattr(import_module(self.module), self.function)
        return found


def step(words: str, *, takes: str = "", changes: bool = False) -> Callable[[F], F]:
    """A function of this room as the command of some words; the literal is read from the source.

    Its first parameter is `Acting`; ``**given`` stands for what the step ``takes`` besides, and
    ``changes`` says that it changes something though no step of the procedure has its name.
    """

    def keep(function: F) -> F:
        function.takes, function.changes = takes, changes  # type: ignore[attr-defined]
        return function

    return keep


@cache
def definitions() -> dict[str, tuple[Definition, ...]]:
    """Every definition by what is typed; a step with a flag stands under "items --freeze" too."""
    found: dict[str, list[Definition]] = {}
    for kind, package in PLACES:
        for path in sorted(files(package).iterdir(), key=lambda path: path.name):
            ours = path.name.endswith(".py") and (kind != "view" or path.name.startswith("project"))
            text = path.read_text(encoding="utf-8") if ours else ""
            for at in DEFINED.finditer(text):
                words = TYPED.search(at["rest"])
                if at["kind"] == kind:
                    one = Definition(
                        kind,
                        words[1] if words else at["name"],
                        f"{package}.{path.name[:-3]}",
                        at["function"],
                        at["summary"],
                    )
                    found.setdefault(one.words, []).append(one)
    return {words: tuple(each) for words, each in found.items()}


CASES = "accordant.cases"
# Where a context keeps the cases that were named before the action.
GIVEN, OUTPUT = "What to say", "Output"
MISSING = object()
SHORT = {"--question": "-q", "--output": "-o", "--format": "-f", "--yes": "-y"}
SPECIAL = ("output", "source")
# Parameters of functions of this room that stand for several options.


def numbered(words: Sequence[str]) -> list[int | str]:
    """Numbers of cases, ranges and names of groups as the project takes them.

    Examples
    --------
    >>> numbered(["3", "5-7,9", "wording"])
    [3, 5, 6, 7, 9, 'wording']
    """
    named: list[int | str] = []
    for word in words:
        numbers: list[int | str] = []
        for part in word.split(","):
            first, dash, last = part.partition("-")
            if not first.isdecimal() or (dash and not last.isdecimal()):
                numbers = [word]
                break
            numbers += range(int(first), int(last or first) + 1)
        named += numbers
    return named


def named_cases(*, one: bool = False) -> list[int | str]:
    """The cases that were named before the action."""
    ctx = click.get_current_context()
    found = numbered(ctx.meta.get(CASES, ()))
    if one and (len(found) != 1 or not isinstance(found[0], int)):
        raise click.UsageError(f"{ctx.info_name} takes the number of one case at a time")
    return found


# ------------------------------------------------------------------ one parameter


@dataclass(frozen=True)
class Given(Taken):
    """A parameter of a function as it is typed, and what was typed as its value."""

    words: str = ""

    @property
    def is_case(self) -> bool:
        """Whether it stands before the action: `case 3 accept`."""
        return self.name in ("case", "cases") and self.words.split()[0] == "case"

    @property
    def known(self) -> Any:
        """Its hint as the command line knows it."""
        named = self.name == "cases" and int in members(self.hint)
        return Sequence[str] if named else plain(self.hint, self.mark)

    @property
    def in_place(self) -> bool:
        """Whether it is typed without a name."""
        return (self.needed and not self.mark.option) or self.mark.argument

    def made(self) -> Iterator[click.Parameter]:
        """What is typed for it."""
        if self.is_case:
            return
        if self.fields:
            for name, (hint, _, text) in self.fields.items():
                yield self._option(name, plain(hint), None, text)
        elif self.in_place:
            known = self.known
            many = get_origin(known) is Sequence
            kind = Value(get_args(known)[0] if many else known)
            metavar = "|".join(kind.choices) or self.mark.metavar
            metavar = metavar or self.name.removesuffix("s").upper()
            yield click.Argument(
                [self.name],
                type=click.Path(path_type=Path) if kind.path else kind,
                nargs=-1 if many else 1,
                required=False,
                metavar=f"[{metavar}{'...' if many and '.' not in metavar else ''}]",
            )
        else:
            default = (isinstance(self.default, str | int) and self.default) or None
            yield self._option(self.name, self.known, default, self.text, self.mark)

    def _option(self, name: str, known: Any, default: Any, text: str, mark: Any = None) -> Option:
        many = Value(known).repeated
        long = (mark.option if mark else "") or f"--{name.removesuffix('s') if many else name}"
        section = OUTPUT if name in ("force", "outputs") else GIVEN
        made = option(long[2:], known, default, text, section)
        if made is None:
            raise TypeError(f"{name} cannot be typed: {known}")
        made.name = name
        made.opts = [long.replace("_", "-"), *([SHORT[long]] if long in SHORT else [])]
        made.metavar = (mark.metavar if mark else "") or made.metavar
        return made

    def value(self, typed: Mapping[str, Any]) -> Any:
        """What it is given; MISSING for its default."""
        if self.is_case:
            found = named_cases(one=self.name == "case" and not self.mark.each)
            return found[0] if self.name == "case" and not self.mark.each else found
        if self.fields:
            return self._record(typed)
        value = typed.get(self.name)
        if value is None or value is False or value == ():
            if self.mark.asked or (self.needed and self.known is str):
                named = "" if self.in_place else next(self.made()).opts[0]
                return text_of(None, self.text, named)
            if self.needed:
                some = Value(self.known).choices
                among = f": one of {', '.join(some)}" if some else ""
                name = self.mark.metavar or self.name.upper()
                raise click.UsageError(f"{name} is needed{among}.")
            return MISSING
        if self.name == "cases" and not isinstance(value, Path):
            return numbered([str(one) for one in value])
        if isinstance(value, str) and self.in_place:
            return text_of(value, self.text)
        return value

    def _record(self, typed: Mapping[str, Any]) -> Any:
        kind = next(k for k in members(self.hint) if hasattr(k, "__struct_fields__"))
        given = {name: typed[name] for name in self.fields if typed.get(name) is not None}
        for name, value in given.items():
            if isinstance(self.fields[name][1], dict) and not isinstance(value, dict):
                raise click.UsageError(f"{value!r} is not NAME=TEXT")
        made = kind(**{k: tuple(x) if isinstance(x, list) else x for k, x in given.items()})
        return MISSING if made == kind() and not self.needed else made


def given_of(definition: Definition) -> tuple[Given, ...]:
    """What the function of a definition takes, but for what it acts on."""
    function = definition.load()
    found = list[Given]()
    for one in taken(function, 2 if definition.kind == "command" else 1):
        if one.name == REST:
            takes = next(d for d in definitions()[function.takes] if d.kind != "step")  # type: ignore[attr-defined]
            own = {given.name for given in found}
            found += [g for g in given_of(takes) if not g.in_place and g.name not in own]
        elif one.name not in SPECIAL or definition.kind != "step":
            found.append(
                Given(one.name, one.hint, one.mark, one.default, one.text, definition.words)
            )
    return tuple(found)


# ------------------------------------------------------------------ the words before them


@dataclass(frozen=True)
class Words:
    """What stands behind some words: a function of this room, a step of the procedure, a view."""

    words: str

    @property
    def known(self) -> tuple[Definition, ...]:
        """Its definitions; the first one runs."""
        return definitions()["case" if self.words == "case show" else self.words]

    @property
    def view(self) -> str:
        """The name of its view, if it has one."""
        return next((d.words for d in self.known if d.kind == "view"), "")

    @cached_property
    def flags(self) -> dict[str, Definition]:
        """Steps that are typed as an option of this one: "items --freeze"."""
        start = f"{self.words} --"
        each = definitions().items() if self.known[0].kind == "command" else ()
        return {words[len(start) :]: d[0] for words, d in each if words.startswith(start)}

    @cached_property
    def givens(self) -> tuple[Given, ...]:
        """What it takes."""
        return given_of(self.known[0])

    @property
    def params(self) -> list[click.Parameter]:
        """What is typed behind them."""
        each = (option(name, bool, False, d.summary, GIVEN) for name, d in self.flags.items())
        return [
            *(one for given in self.givens for one in given.made()),
            *(one for one in each if one is not None),
        ]


def spelled(action: Action) -> str:
    """A next step as it is typed; what a person has to choose stands in capitals."""
    words = action.call.removeprefix("project ")
    given = dict(action.options)
    path = words.split()
    if path[0] == "case":
        path[1:1] = [str(given.pop("cases", "N"))]
    step = Words(words)
    for one in step.params:
        if isinstance(one, click.Argument):
            asked = str(one.metavar).strip("[]")
            needed = any(g.name == one.name and g.needed for g in step.givens)
            if (
                one.name in given
                or (needed and not step.flags.keys() & given.keys())
                or words in NAMED
            ):
                value = given.get(one.name, ...)
                path.append(asked if value is ... else _quoted(value))
        elif one.name in given:
            value = given[one.name]
            text = str(one.metavar or "TEXT") if value is ... else _quoted(value)
            path += [one.opts[0]] if value is True else [one.opts[0], text]
    return " ".join(["accordant project", *path])


NAMED = ("task", "guidelines", "concepts", "items")
# Commands whose file is named where they are a next step, though without it they show.


def _quoted(value: Any) -> str:
    text = str(value)
    return text if "|" in text else shlex.quote(text)
