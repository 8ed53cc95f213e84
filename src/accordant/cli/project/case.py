"""`case`: one disagreement, shown and acted on."""

from __future__ import annotations

from typing import Any

import click

from ..group import Examples
from .cases import numbered
from .steps import Steps

__all__ = ["ACTIONS", "CASES", "case", "named_cases"]

CASES = "accordant.cases"
"""Where a context keeps the cases that were named before the action."""

PARTS = (
    ("Look", {"show": "case_shown"}),
    (
        "Discuss",
        {"reason": "case_causes", "cause": "case_causes", "accept": "case_consent",
         "refuse": "case_consent", "withdraw": "case_consent", "dispute": "case_causes",
         "reopen": "case_causes"},
    ),
    (
        "Settle",
        {"rescore": "case_outcomes", "outcome": "case_outcomes", "return": "case_outcomes",
         "defer": "case_outcomes", "postpone": "case_outcomes"},
    ),
    (
        "Where no agreement is reached",
        {"leave": "case_unresolved", "decide": "case_unresolved",
         "aggregate": "case_unresolved"},
    ),
)  # fmt: skip
ACTIONS = tuple(name for _, inside in PARTS for name in inside)


class Cases(Steps):
    """Actions that come after numbers of cases: `case 3 accept`; without an action: show."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take the numbers (or names of groups) before the action."""
        named: list[str] = []
        rest = list(args)
        while rest and not rest[0].startswith("-") and rest[0] not in self.modules:
            named.append(rest.pop(0))
        ctx.meta[CASES] = tuple(named)
        if named and (not rest or rest[0] not in (*self.modules, "--help", "-h")):
            rest.insert(0, "show")
        elif not named and rest and rest[0] in self.modules and not {"-h", "--help"} & set(rest):
            ctx.fail(f"Which case? accordant project case NUMBER {rest[0]}")
        return super().parse_args(ctx, rest)

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


def named_cases(*, one: bool = False) -> list[int | str]:
    """The cases that were named before the action.

    Raises
    ------
    UsageError
        If several were named where each needs a word of its own.
    """
    ctx = click.get_current_context()
    found = numbered(ctx.meta.get(CASES, ()))
    if one and (len(found) != 1 or not isinstance(found[0], int)):
        raise click.UsageError(f"{ctx.info_name} takes the number of one case at a time")
    return found


EXAMPLES: Examples = (
    ("accordant project case 3", "show it"),
    ("accordant project case 3 reason 'he only reports it' --cites 'rule R2'", "why you said so"),
    (
        "accordant project case 3 4 cause a2 --rule missing --wording 'reported views: no'",
        "why not",
    ),
    ("accordant project case 3 accept", "accept the cause, or the outcome, that was proposed"),
    (
        "accordant project case 3 outcome no --cites 'rule R2' --text 'a report'",
        "propose an answer",
    ),
)


@click.command("case", cls=Cases, parts_in="accordant.cli.project", parts=PARTS, examples=EXAMPLES)
def case() -> None:
    """Show a case, or do something about it.

    CASE is a number, a range such as 3-7, or the name of a group. A case is agreed when all who
    annotated the item accept one answer that cites the toolbox.
    """
