"""What stands behind the words of `accordant project`: what is typed for it, and how it is spelled.

A command of the procedure, a view of a project, or a function of this room that does more than
either: each registers itself where it is defined. A function of this room goes first.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import click

from ...actions import Action
from ...inputs import Input, inputs_of, leaves_of, parsed
from ...kinds import Typed
from ..help import Option
from ..parameters import parameters_of

if TYPE_CHECKING:
    from ...views.view import View

F = TypeVar("F", bound=Callable[..., Any])
GIVEN = "What to say"
SPECIAL = ("output", "source")
"""Parameters of functions of this room that stand for several options."""
STEPS: dict[str, Callable[..., Any]] = {}


def step(words: str, *, takes: str = "", changes: bool = False) -> Callable[[F], F]:
    """A function of this room as the command of some words.

    Its first parameter is `Acting`; ``**given`` stands for what the command or view ``takes``
    besides, and ``changes`` says that it changes something though no command has its name.
    """

    def keep(function: F) -> F:
        function.takes, function.changes = takes, changes  # type: ignore[attr-defined]
        STEPS[words] = function
        return function

    return keep


Cases = Annotated[Sequence[int | str], Typed("CASE")]
"""The same is done about each of several cases."""


def _each(one: Input) -> Input:
    return replace(one, hint=Cases) if one.name == "case" and one.needed else one


@dataclass(frozen=True)
class Words:
    """What stands behind some words."""

    words: str
    own: Callable[..., Any] | None = None
    command: Callable[..., Any] | None = None
    view: View | None = None

    @property
    def run(self) -> Callable[..., Any]:
        """The function whose docstring explains it."""
        found = [self.own, self.command, self.view.make if self.view else None]
        return next(one for one in found if one is not None)

    @property
    def summary(self) -> str:
        """What the help says of it."""
        return parsed(self.run.__doc__).summary.rstrip(".")

    @property
    def changes(self) -> bool:
        """Whether it may change a project that is there."""
        return bool(getattr(self.own, "changes", False) or self.command)

    @cached_property
    def inputs(self) -> tuple[Input, ...]:
        """What is typed for it."""
        if self.own is None:
            return tuple(map(_each, inputs_of(self.run, 2 if self.command else 1)))
        found = [one for one in inputs_of(self.own, 1) if one.name not in SPECIAL]
        takes = definitions().get(getattr(self.own, "takes", ""))
        if takes is not None:
            names = {one.name for one in found}
            made = takes.command or (takes.view.make if takes.view else self.own)
            more = inputs_of(made, 2 if takes.command else 1)
            found += [one for one in more if not one.in_place and one.name not in names]
        return tuple(found)

    @property
    def special(self) -> set[str]:
        """Parameters of its function that stand for several options."""
        return {one.name for one in inputs_of(self.own, 1)} & {*SPECIAL} if self.own else set()

    @cached_property
    def parameters(self) -> tuple[click.Parameter, ...]:
        """The same for click; where nothing is needed to look, nothing is required."""
        made = tuple(parameters_of(self.inputs, GIVEN, singular=True))
        for one in made:
            one.required = one.required and self.view is None
        return made

    def only_looks(self, typed: Mapping[str, Any]) -> bool:
        """Whether nothing is given that would change something."""
        return self.view is not None and all(x in (None, (), False) for x in typed.values())

    def values(self, typed: Mapping[str, Any]) -> dict[str, Any]:
        """What was typed, as arguments of the function."""
        found = {one.name: self._value(one, typed) for one in self.inputs}
        lacking = [one for one in self.inputs if one.needed and found[one.name] is None]
        if lacking:
            name = lacking[0].typed.option or lacking[0].name.upper()
            raise click.UsageError(f"{name} is needed: {lacking[0].text}")
        return {name: value for name, value in found.items() if value is not None}

    def _value(self, one: Input, typed: Mapping[str, Any]) -> Any:
        if one.fields:
            kind = next(k for k in leaves_of(one.hint) if hasattr(k, "__struct_fields__"))
            given = {name: typed[name] for name in one.fields if typed.get(name) is not None}
            made = kind(**{k: tuple(x) if isinstance(x, list) else x for k, x in given.items()})
            return made if given or one.needed else None
        value = typed.get(one.name)
        if value is False or value == ():
            return None
        if isinstance(value, tuple) and all(isinstance(x, list) for x in value):
            return [x for words in value for x in words]
        return sys.stdin.read().strip() if value == "-" and one.kind == "text" else value


@cache
def definitions() -> dict[str, Words]:
    """Everything by what is typed."""
    from ...resolution.command import COMMANDS
    from ...resolution.procedure import IN_ORDER
    from ...views.view import views_of

    commands: dict[str, Callable[..., Any]] = {}
    for name in IN_ORDER:
        what = COMMANDS[name]
        commands.setdefault(what.words, what.run)
    views = {view.name: view for view in views_of("project")}
    views["case show"] = views.pop("case")
    every = dict.fromkeys([*STEPS, *commands, *views])
    return {w: Words(w, STEPS.get(w), commands.get(w), views.get(w)) for w in every}


def spelled(action: Action) -> str:
    """A next step as it is typed; what a person has to choose stands in capitals."""
    words = action.call.removeprefix("project ")
    typed = ["accordant project", words]
    given = dict(action.options)
    if "cases" in given:
        given["case"] = given["cases"]
    for one in definitions()[words].parameters if words in definitions() else ():
        name = str(one.name)
        if isinstance(one, Option) and name in given:
            value = given[name]
            told = str(one.metavar or "TEXT") if value is ... else _quoted(value)
            typed += [one.opts[0]] if value is True else [one.opts[0], told]
        elif isinstance(one, click.Argument) and (name in given or _required(words, name)):
            value = given.get(name, ...)
            typed.append(str(one.metavar).strip("[]") if value is ... else _quoted(value))
    return " ".join(typed)


def _required(words: str, name: str) -> bool:
    found = definitions()[words]
    return words in NAMED or any(one.name == name and one.needed for one in found.inputs)


NAMED = ("task", "guidelines", "concepts", "items")
"""Commands whose file is named where they are a next step, though without it they show."""


def _quoted(value: Any) -> str:
    text = ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    return text if "|" in text else shlex.quote(text)
