"""The click commands of `accordant project`, their groups, and how views of a project are shown."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from sys import stdout
from typing import TYPE_CHECKING, Any, Literal

import click

from ...docstrings import parsed
from ..calls import Source, source_options
from ..help import Command, Group
from ..output import Output
from ..parameters import Option, option
from .actor import Acting, Opened, acting_options
from .parameters import (
    CASES,
    MISSING,
    OUTPUT,
    SPECIAL,
    Given,
    Words,
    definitions,
    given_of,
    spelled,
)

if TYPE_CHECKING:
    from ...actions import Action
    from ...views.blocks import Table
__all__ = ["command", "project", "show"]

MOST = 200  # rows of a printed table: laying out thousands takes seconds, and who reads them?
BEGINS = ("new", "import")  # what makes a project
Typed = Mapping[str, Any]


@dataclass(frozen=True)
class Step(Words):
    """Some words as a command: where they have a view too, it is shown if nothing is given."""

    @property
    def changes(self) -> bool:
        """Whether it may change a project that is there."""
        own = getattr(self.known[0].load(), "changes", False)
        named = any(one.kind == "command" for one in self.known)
        return self.words not in BEGINS and (own or named)

    @cached_property
    def special(self) -> set[str]:
        """Parameters that stand for several options."""
        takes = inspect.signature(self.known[0].load()).parameters.keys()
        return takes & {*SPECIAL} if self.known[0].kind == "step" else set()

    def command(self) -> Command:
        """As click runs it."""
        doc = parsed(self.known[0].load().__doc__)
        params = list(self.params)
        if "source" in self.special:
            params += source_options()
        if self.view:
            params += [one for one in _output() if one.name not in {p.name for p in params}]
        params += acting_options(self.words in BEGINS, self.changes)
        made = Command(
            self.words.split()[-1],
            params=params,
            help=doc.text,
            callback=(lambda **typed: self.run(typed, {p.name: p for p in params})),
        )
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
        from ...resolution.acts import Act
        from ...resolution.disagreement import cases_named

        function, each = self.known[0].load(), [given]
        if any(one.mark.each for one in self.givens):
            named = cases_named(opened.state, given.pop("case"))
            each = [{"case": one.number, **given} for one in named]
        if opened.looks and len(each) > 1:
            opened.together(lambda _: [Act(function, opened.by, one) for one in each])
            return
        for one in each:
            opened.do(function, **one)


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
    made = (
        option("format", formats, None, by_name, OUTPUT),
        option("output", Path, None, "Write there instead of printing.", OUTPUT),
    )
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
            return spelled(action)

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


PARTS = {
    "Where it stands": "new status log verify",
    "Steps 0 to 2: research question, task and guidelines, concepts": (
        "person training purpose question task guidelines concepts acknowledge sign-off object"
    ),
    "Steps 3 and 4: individual annotation, comparison": (
        "items assign round annotate decline submit compare import accept"
    ),
    "Step 5: resolution": (
        "resolve cases case causes adjudicator suggest reannotate halt finding resume abandon"
    ),
    "From step to step, and what is given out": ("go release export report statement deviation"),
}
# Headings of the help; what is in none of them stands under the last.
ACTIONS = {
    "Look": "show",
    "Discuss": "reason remark cause accept refuse reopen",
    "Settle": "rescore outcome return postpone",
    "Where no agreement is reached": "leave decide",
}
HIDDEN = ("releases", "final", "new_project")  # views that commands show


class Project(Group):
    """Commands of one group, in parts; what a step or a view defines further comes last."""

    def __init__(self, name: str, parts: dict[str, str], doc: str | None) -> None:
        self.path = "" if name == "project" else f"{name} "
        known = {n for listed in parts.values() for n in listed.split()}
        words = [w.removeprefix(self.path) for w in definitions() if w.startswith(self.path)]
        more = [w for w in words if not {" ", "-"} & {*w} and w not in (*known, *HIDDEN)]
        last = list(parts)[-1]
        each = {title: listed.split() + more * (title == last) for title, listed in parts.items()}
        made = {title: {n: partial(self.make, n) for n in names} for title, names in each.items()}
        told = parsed(doc)
        super().__init__(name, parts=made, summary=self.summarised, help=told.text)
        self.examples = told.examples

    def make(self, name: str) -> click.Command:
        """The command, made now."""
        return GROUPS[name]() if name in GROUPS and not self.path else command(f"{self.path}{name}")

    def summarised(self, name: str) -> str:
        """What the help says of a command, without making it."""
        if name in GROUPS and not self.path:
            return str(GROUPS[name].__doc__).partition("\n")[0]
        return definitions()["case" if name == "show" else f"{self.path}{name}"][0].summary


class Cases(Project):
    """Actions that come after numbers of cases: `case 3 accept`; without an action: show."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take the numbers (or names of groups) before the action."""
        named, rest = list[str](), list(args)
        while rest and not rest[0].startswith("-") and rest[0] not in self.made:
            named.append(rest.pop(0))
        ctx.meta[CASES] = tuple(named)
        if named and (not rest or rest[0] not in (*self.made, "--help", "-h")):
            self._checked(ctx, named)
            rest.insert(0, "show")
        elif not named and rest and rest[0] in self.made and not {"-h", "--help"} & set(rest):
            ctx.fail(f"Which case? accordant project case NUMBER {rest[0]}")
        return super().parse_args(ctx, rest)

    def _checked(self, ctx: click.Context, named: list[str]) -> None:
        """Complain about a word behind numbers that is nearly an action."""
        from difflib import get_close_matches

        last = named[-1]
        near = get_close_matches(last, self.made, 1)
        if len(named) > 1 and not last[0].isdecimal():
            hint = f"Did you mean {near[0]!r}?" if near else f"Actions: {', '.join(self.made)}."
            ctx.fail(f"There is no action {last!r}. {hint}")

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        """Let every usage say that numbers come before the action."""
        self.options_metavar, self.subcommand_metavar = "[ACTION] [OPTIONS]", ""
        return super().make_context(f"{info_name} CASE...", args, parent, **extra)


def _case() -> click.Command:
    """Show a case, or do something about it.

    CASE is a number, a range such as 3-7, or the name of a group. A case is agreed when all who
    annotated the item accept one answer that cites the toolbox.

    Examples
    --------
    Show it:
    $ accordant project case 3
    Say why you said so:
    $ accordant project case 3 reason 'only a report' --cites 'rule R2'
    Accept the cause, or the outcome, that is proposed:
    $ accordant project case 3 accept
    """
    return Cases("case", ACTIONS, _case.__doc__)


def _round() -> click.Command:
    """Open or close a blind round of annotation.

    Examples
    --------
    Begin to annotate, blind:
    $ accordant project round open
    Compare:
    $ accordant project round close
    """
    return Project("round", {"": "open close"}, _round.__doc__)


GROUPS = {"case": _case, "round": _round}


def project() -> click.Command:
    """Resolve disagreement, to a documented ground truth.

    A project follows the six steps of Oortwijn, Ossenkoppele and Betti (2021): research question,
    task and guidelines, conceptual alignment, blind individual annotation, comparison, resolution.
    Nothing is overruled: coders agree, and the record says why. `accordant project status` shows
    what is possible next. The project is one file, or a URL of PostgreSQL for a team.

    Examples
    --------
    Begin a project in letters.accordant:
    $ accordant project new 'Letters' --as ana
    Where it stands, what is missing, who is awaited:
    $ accordant project status
    Write the task of a file:
    $ accordant project task toolbox.toml
    Annotate item by item:
    $ accordant project annotate --as bob
    Discuss a case:
    $ accordant project case 3 reason 'it is a report' --cites 'rule R2'
    """
    return Project("project", PARTS, project.__doc__)
