"""`round open`, `round close`, `compare`: steps 3 and 4."""

from __future__ import annotations

from typing import Any

import click

from ...numbers import percent
from ..group import GIVEN, Command, command
from ..options import option, output
from ..output import Output
from .acting import Acting, acting
from .shown import show_rows
from .steps import Steps

__all__ = ["close", "compare", "open_", "round_"]


@command(
    examples=(
        ("accordant project round open", "every question and item"),
        ("accordant project round open --order 1", "the re-annotation that is owed"),
        ("accordant project round open --only-question scope", "one question"),
    ),
    name="open",
)
@option(
    GIVEN, "--only-question", "questions", multiple=True, metavar="QUESTION",
    help="Ask only this question (repeat it).",
)  # fmt: skip
@option(
    GIVEN, "--only-item", "items", multiple=True, metavar="ITEM", help="Only this item (repeat it)."
)
@option(
    GIVEN, "--order", "orders", multiple=True, type=int, metavar="N",
    help="Carry out this re-annotation (repeat it). Default: the oldest, and what is within it.",
)  # fmt: skip
@option(
    GIVEN, "--coder", "coders", multiple=True, metavar="NAME",
    help="Who annotates (repeat it). Default: all coders.",
)  # fmt: skip
@acting
def open_(
    acting: Acting,
    questions: tuple[str, ...],
    items: tuple[str, ...],
    orders: tuple[int, ...],
    coders: tuple[str, ...],
) -> None:
    """Open a blind round of individual annotation (step 3).

    It opens when every coder has signed every concept, nobody objects, the items are settled and
    each has two coders or more. Until it closes nobody sees an annotation of somebody else.
    """
    from ...resolution.commands.rounds import open_round

    with acting.opened() as opened:
        opened.do(open_round, questions=questions or None, items=items or None,
                  orders=orders or None, coders=coders or None)  # fmt: skip


@command(
    examples=(
        ("accordant project round close", "when everything is submitted or declined"),
        ("accordant project status", "who is awaited"),
    )
)
@acting
def close(acting: Acting) -> None:
    """Close the round and compare its annotations (step 4)."""
    from ...resolution.commands.rounds import close_round

    with acting.opened() as opened:
        opened.do(close_round)


class Two(Steps):
    """The two subcommands of `round`, which stand in this module."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> Command | None:
        """The subcommand."""
        return {"open": open_, "close": close}.get(cmd_name)


@click.command(
    "round",
    cls=Two,
    parts_in="",
    parts=(("Commands", {"open": "", "close": ""}),),
    examples=(
        ("accordant project round open", "begin to annotate, blind"),
        ("accordant project round close", "compare"),
    ),
)
def round_() -> None:
    """Open or close a blind round of annotation."""


@command(
    examples=(
        ("accordant project compare", "how the last round compared, question by question"),
        ("accordant project compare --round 1 -f csv", "an earlier round, for a spreadsheet"),
        ("accordant project resolve", "then: open a case for each conflict"),
    )
)
@option(GIVEN, "--round", "number", type=int, metavar="N", help="Default: the last that closed.")
@output
@acting
def compare(acting: Acting, number: int | None, output: Output) -> None:
    """Show how the annotations of a round compared.

    Question by question: agreed, conflicting, incomplete. For coefficients and intervals:
    accordant project report.
    """
    from ...resolution.views import comparison_view

    with acting.opened(reads=True) as opened:
        view = comparison_view(opened.state, opened.viewer, number)
    states = list(dict.fromkeys(name for counts in view.counts.values() for name in counts))
    rows: list[dict[str, Any]] = []
    for question, counts in view.counts.items():
        compared = counts.get("agreed", 0) + counts.get("conflicting", 0)
        share = counts.get("agreed", 0) / compared if compared else float("nan")
        rows.append({"question": question, **{s: counts.get(s, 0) for s in states}, "share": share})
    heads = [("question", "question"), *((s, s, "count") for s in states),
             ("share", "share agreed", "share")]  # fmt: skip
    notes = [f"round {view.round}; share agreed: of the cells that two coders or more annotated"]
    total = [sum(n.get(s, 0) for n in view.counts.values()) for s in ("agreed", "conflicting")]
    n = total[0] + total[1]
    if len(rows) > 1 and n:
        notes.append(f"all questions together: {percent(total[0] / n)} of {n:,} cells")
    notes += [f"question {question}: {why}" for question, why in view.withheld.items()]
    hidden = next(iter(view.withheld.values()), "")
    show_rows(output, "Comparison", heads, rows, notes, empty=hidden or "nothing was compared")
