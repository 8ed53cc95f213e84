"""`accordant project` and `accordant project case`: groups whose help lists their commands."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from ...docstrings import parsed
from ..help import Group
from .definitions import definitions
from .parameters import CASES
from .steps import command

__all__ = ["project"]

PARTS = {
    "Where it stands": "new status work log verify",
    "Steps 0 to 2: research question, task and guidelines, concepts":
        "person training purpose question hypothesis task guidelines concepts acknowledge sign-off "
        "object confirm",
    "Steps 3 and 4: individual annotation, comparison":
        "items assign round annotate decline submit compare import accept",
    "Step 5: resolution":
        "resolve cases case causes group meeting adjudicator suggest reannotate halt finding "
        "resume abandon",
    "From step to step, and what is given out":
        "go release export report statement deviation upgrade",
}  # fmt: skip
# Headings of the help; what is in none of them stands under the last.
ACTIONS = {
    "Look": "show",
    "Discuss": "reason remark cause accept refuse withdraw retract dispute reopen",
    "Settle": "slip rescore outcome return defer postpone",
    "Where no agreement is reached": "leave decide aggregate",
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
        self, info_name: str | None, args: list[str], parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:  # fmt: skip
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
