"""The click commands of `accordant project`, their groups, and how views of a project are shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from functools import partial
from sys import stdout
from typing import TYPE_CHECKING, Any

import click

from ...inputs import parsed
from ..calls import FILES, Source
from ..help import Command, Group, Option, output_options
from ..output import Output
from ..parameters import argument, reading_options
from .actor import Acting, Opened, acting_options
from .definitions import Words, definitions, spelled

if TYPE_CHECKING:
    from ...actions import Action
    from ...views.blocks import Table

MOST = 200  # rows of a printed table: laying out thousands takes seconds, and who reads them?
BEGINS = ("new", "import")  # what makes a project
WRITTEN = output_options("format", "output")


def command(words: str) -> Command:
    """The click command of some words: where they have a view, it is shown if nothing is given."""
    meant = definitions()[words]
    reads, changes = "source" in meant.special, meant.changes and words not in BEGINS
    doc = parsed(meant.run.__doc__)
    made = Command(
        words.split()[-1],
        params=[*([argument(FILES)] if reads else ()), *meant.parameters],
        help=doc.text,
        callback=lambda **typed: _run(meant, [*made.shared, *made.params], typed),
    )
    made.shared = (
        *((*reading_options(), *output_options("quiet")) if reads else ()),
        *(WRITTEN if meant.view or "output" in meant.special else ()),
        *acting_options()[: 3 if changes else 2],
    )
    made.examples = doc.examples
    return made


def _run(meant: Words, params: list[click.Parameter], typed: dict[str, Any]) -> None:
    """Do it with what was typed, or show the view."""
    acting = Acting(*(typed.pop(str(one.name), False) for one in acting_options()))
    known = {one.name: one for one in params}
    given = {
        name: one.meant(x) if isinstance(one := known[name], Option) else x
        for name, x in typed.items()
    }
    output = Output(*(given.pop(str(one.name)) for one in WRITTEN if one in params))
    if meant.own is not None:
        special: dict[str, Any] = {"output": output, "source": Source.of(given)}
        meant.own(acting, **meant.values(given), **{one: special[one] for one in meant.special})
    elif meant.view is not None and (meant.command is None or meant.only_looks(given)):
        with acting.opened(reads=True) as opened:
            own = meant.values(given) if meant.command is None else {}
            show(opened, meant.view.name, output, **own)
    elif meant.command is not None:
        _do(acting, meant.command, meant.values(given))


def _do(acting: Acting, function: Callable[..., Any], given: dict[str, Any]) -> None:
    """Run a command of the procedure, or the same about each of several cases."""
    from ...resolution.acts import Act
    from ...resolution.disagreement import cases_named

    with acting.opened() as opened:
        each = [given]
        if "case" in given:
            named = cases_named(opened.state, given.pop("case"))
            each = [{"case": one.number, **given} for one in named]
        if opened.looks and len(each) > 1:
            opened.together(lambda _: [Act(function, opened.by, one) for one in each])
            return
        for one in each:
            opened.do(function, **one)


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
        "person question task guidelines concepts sign-off object"
    ),
    "Steps 3 and 4: individual annotation, comparison": (
        "items assign round annotate decline submit compare import accept"
    ),
    "Step 5: resolution": "cases case causes suggest reannotate halt finding abandon",
    "From step to step, and what is given out": (
        "go release export report statement deviation freeze"
    ),
}
"""Headings of the help, and the commands below each."""
ACTIONS = {
    "Look": "show",
    "Discuss": "reason remark cause accept refuse reopen",
    "Settle": "rescore outcome return postpone",
    "Where no agreement is reached": "leave decide",
}


class Project(Group):
    """Commands of one group, in parts."""

    def __init__(self, name: str, parts: Mapping[str, str], doc: str | None) -> None:
        self.path = "" if name == "project" else f"{name} "
        made = {t: {n: partial(self.make, n) for n in names.split()} for t, names in parts.items()}
        told = parsed(doc)
        own = [] if self.path else [*acting_options()]
        super().__init__(name, parts=made, summary=self.summarised, help=told.text, params=own)
        self.shared = (*WRITTEN, *(() if own else acting_options()))
        self.examples = told.examples

    def make(self, name: str) -> click.Command:
        """The command, made now."""
        return GROUPS[name]() if name in GROUPS and not self.path else command(f"{self.path}{name}")

    def summarised(self, name: str) -> str:
        """What the help says of a command."""
        if name in GROUPS and not self.path:
            return str(GROUPS[name].__doc__).partition("\n")[0].rstrip(".")
        return definitions()[f"{self.path}{name}"].summary

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """`case 3` shows a case, and `case 3 accept` is `case accept 3`."""
        if self.path == "case " and args[0] not in self.made and args[0][0] != "-":
            action = args[1] if args[1:] and args[1] in self.made else "show"
            if action == "show" and args[1:] and args[1][0] != "-":
                super().resolve_command(ctx, args[1:])  # says what is near
            args = [action, args[0], *args[1 + (action != "show") :]]
        return super().resolve_command(ctx, args)


def _case() -> click.Command:
    """Show a case, or do something about it.

    CASE is a number, a range such as 3-7, or several with commas. A case is agreed when all who
    annotated the item accept one answer that cites the toolbox.

    Examples
    --------
    Show it:
    $ accordant project case 3
    Say why you said so:
    $ accordant project case reason 3 'only a report' --cites 'rule R2'
    Accept the cause, or the outcome, that is proposed:
    $ accordant project case accept 3
    """
    return Project("case", ACTIONS, _case.__doc__)


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
