"""The click command of some words, and how views and next steps of a project are shown."""

from __future__ import annotations

import inspect
import shlex
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from sys import stdout
from typing import TYPE_CHECKING, Any, Literal

import click

from ...docstrings import parsed
from ..help import Command
from ..output import Output
from ..parameters import Option, option
from ..source import Source, source_options
from .acting import Acting, Opened, acting_options
from .definitions import Definition, definitions
from .parameters import GIVEN, MISSING, OUTPUT, SPECIAL, Given, given_of

if TYPE_CHECKING:
    from ...actions import Action
    from ...views.blocks import Table

__all__ = ["command", "show", "typed"]

MOST = 200  # rows of a printed table: laying out thousands takes seconds, and who reads them?
BEGINS = ("new", "import")  # what makes a project
Typed = Mapping[str, Any]


@dataclass(frozen=True)
class Step:
    """What stands behind some words: a function of this room, a step of the procedure, or a view.

    Where a step has a view of the same name, the view is shown if nothing is given.
    """

    words: str

    @property
    def known(self) -> tuple[Definition, ...]:
        """Its definitions; the first one runs."""
        return definitions()["case" if self.words == "case show" else self.words]

    @property
    def view(self) -> str:
        """The name of its view, if it has one."""
        return next((d.words for d in self.known if d.kind == "view"), "")

    @property
    def changes(self) -> bool:
        """Whether it may change a project that is there."""
        return self.words not in BEGINS and any(d.kind == "command" for d in self.known)

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

    @cached_property
    def special(self) -> set[str]:
        """Parameters that stand for several options."""
        takes = inspect.signature(self.known[0].load()).parameters.keys()
        return takes & {*SPECIAL} if self.known[0].kind == "step" else set()

    def command(self) -> Command:
        """As click runs it."""
        doc = parsed(self.known[0].load().__doc__)
        params = [one for given in self.givens for one in given.made()]
        if "source" in self.special:
            params += source_options()
        each = (option(name, bool, False, d.summary, GIVEN) for name, d in self.flags.items())
        params += [one for one in each if one is not None]
        if self.view:
            params += [one for one in _output() if one.name not in {p.name for p in params}]
        params += acting_options(self.words in BEGINS, self.changes)
        made = Command(self.words.split()[-1], params=params, help=doc.text, callback=(
            lambda **typed: self.run(typed, {p.name: p for p in params})))  # fmt: skip
        made.examples = doc.examples
        return made

    def run(self, typed: dict[str, Any], params: Mapping[str | None, click.Parameter]) -> None:
        """Do it with what was typed, or show the view."""
        looks = typed.pop("acting_looks", False)
        acting = Acting(typed.pop("acting_in"), typed.pop("acting_as"), looks)
        output = Output(*(typed.pop(name, None) for name in ("format", "output") if self.view))
        meant = {
            name: made.meant(x) if isinstance(made := params.get(name), Option) else x
            for name, x in typed.items()
        }
        reads = {"source": Source.of(meant)} if "source" in self.special else {}
        more = {"output": output, **reads}
        first = self.known[0]
        if first.kind == "step":
            special = {name: more[name] for name in self.special}
            first.load()(acting, **values(self.givens, meant), **special)
        elif first.kind == "view" or (self.view and self._only_looks(meant)):
            with acting.opened(reads=True) as opened:
                own = self.givens if first.kind == "view" else ()
                show(opened, self.view, output, **values(own, meant))
        else:
            self._do(acting, meant)

    def _only_looks(self, typed: Typed) -> bool:
        """Whether nothing is given that would change something."""
        first = next((one for one in self.givens if one.in_place), None)
        flagged = any(typed.get(flag) for flag in self.flags)
        return not flagged and first is not None and typed.get(first.name) in (None, ())

    def _do(self, acting: Acting, typed: Typed) -> None:
        """Run the step; with a flag the one behind it, after it if what it needs is given."""
        flagged = [d for flag, d in self.flags.items() if typed.get(flag)]
        asked = [one for one in self.givens if one.in_place and one.needed]
        alone = flagged and not all(typed.get(one.name) for one in asked)
        given = {} if alone else values(self.givens, typed)
        with acting.opened() as opened:
            if not alone:
                self._each(opened, given)
            for variant in flagged:
                opened.do(variant.load(), **values(given_of(variant), typed))

    def _each(self, opened: Opened, given: dict[str, Any]) -> None:
        """Run the step, or the same about each of several cases."""
        from ...resolution.disagreement import cases_named

        function = self.known[0].load()
        if not any(one.mark.each for one in self.givens):
            opened.do(function, **given)
            return
        for case in cases_named(opened.state, given.pop("case")):
            opened.do(function, case=case.number, **given)


def command(words: str) -> Command:
    """The click command of some words."""
    return Step(words).command()


def values(givens: tuple[Given, ...], typed: Typed) -> dict[str, Any]:
    """What was typed, as arguments of a function."""
    found = {one.name: one.value(typed) for one in givens}
    return {name: value for name, value in found.items() if value is not MISSING}


def _output() -> list[Option]:
    """The options --format and --output."""
    formats = Literal["table", "json", "csv", "md", "latex"]
    by_name = "Default: what the name of --output ends in, else a table for reading."
    made = (option("format", formats, None, by_name, OUTPUT),
            option("output", Path, None, "Write there instead of printing.", OUTPUT))  # fmt: skip
    return [one for one in made if one is not None]


# ------------------------------------------------------------------ what is shown and spelled


def show(opened: Opened, name: str, output: Output, **options: Any) -> None:
    """Print or write a view; one that is longer than the terminal is shown page by page."""
    from ...render.terminal import Terminal, print_sections
    from ...views.blocks import Table
    from ...views.document import Section
    from ...views.view import first_rows, named

    class Typing(Terminal):
        def spelled(self, action: Action) -> str:
            return typed(action)

    view = named("project", name)
    with opened.subject() as subject:
        blocks = tuple(view.make(subject, **options))
    rows = first_rows(blocks)
    if output.kind != "json":
        rows = [{k: x for k, x in row.items() if not isinstance(x, dict | list)} for row in rows]

    def table() -> Table:
        return next((b for b in blocks if isinstance(b, Table)), Table(view.title, (), ()))

    def pretty(console: Any) -> None:
        long = output.output is None and stdout.isatty() and len(rows) > console.height
        with console.pager() if long else nullcontext():
            how = Typing(most=MOST)
            print_sections(console, [Section(name, view.title, "", blocks)], how)

    output.show(rows, table, pretty)


def typed(action: Action) -> str:
    """A next step as it is typed; what a person has to choose stands in capitals."""
    words = action.call.removeprefix("project ")
    given = dict(action.options)
    path = words.split()
    if path[0] == "case":
        path[1:1] = [str(given.pop("cases", "N"))]
    step = Step(words)
    for one in step.command().params:
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
            given_to = str(one.metavar or "TEXT") if value is ... else _quoted(value)
            path += [one.opts[0]] if value is True else [one.opts[0], given_to]
    return " ".join(["accordant project", *path])


NAMED = ("task", "guidelines", "concepts", "items")
# Commands whose file is named where they are a next step, though without it they show.


def _quoted(value: Any) -> str:
    text = str(value)
    return text if "|" in text else shlex.quote(text)
