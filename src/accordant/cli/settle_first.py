"""What to settle first, on a terminal: pairs of categories one after another, and what is broad."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..diagnosis.diagnose import Part
from ..diagnosis.levers import CEILING, Levers
from ..diagnosis.trials import Step
from ..numbers import count_of, decimal
from ..views.document import Column, Table
from ..views.names import continued
from .tables import print_list, print_sentences, print_table

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["broad", "can_be_settled", "print_plan"]

STEPS = 3  # of the plan
ALL = 1 - 1e-9  # every dispute is settled
BROAD = {"category": "category", "coder": "coder", "group": "items of"}
"""Levers that are broad, and what comes before their names; the hardest items are no decision."""
CUMULATIVE = "with what stands above it settled too"


def print_plan(console: Console, part: Part) -> None:
    """What to settle first, step by step; where all pairs are few, each by itself.

    Below it the best of each other kind by itself. Nothing where there is nothing to choose.
    """
    found = part.levers
    steps, title, notes = found.plan(STEPS), "What to settle first", [CUMULATIVE]
    if not found.chooses(steps):
        steps, title, notes = found.of_kind("pair"), "All pairs there are", []
    rest = broad(found)
    if len(steps) > 1:
        _print_steps(console, found, steps, title, notes)
    elif told := found.in_words():
        print_sentences(console, [told, ""])
    if rest:
        print_sentences(console, ["By itself, and broader"])
        print_list(console, [_told(found, step) for step in rest])
        console.print()


def broad(found: Levers) -> tuple[Step, ...]:
    """The best lever of each kind but pairs, those that bring most first.

    A lever that settles all there is says nothing, such as each of two categories, or a coder who
    annotated every item with one other.
    """
    kinds = [kind for kind in found.kinds if kind in BROAD]
    parts = ([x for x in found.of_kind(kind) if x.after < ALL] for kind in kinds)
    best = (steps[0] for steps in parts if steps)
    return tuple(sorted((step for step in best if step.gain > 0), key=lambda step: -step.gain))


def can_be_settled(found: Levers) -> bool:
    """Whether there is anything to choose from."""
    return found.chooses(found.plan(STEPS)) or bool(broad(found))


def _print_steps(
    console: Console, found: Levers, steps: Sequence[Step], title: str, notes: Sequence[str]
) -> None:
    symbol = found.coefficient.symbol
    columns = (
        Column("settled", title),
        Column("n_items", "items", "count"),
        Column("after", f"{symbol} then", "value"),
        Column("gain", "gain", "value"),
    )
    rows = tuple(row for step in steps for row in step.to_rows())
    told = [
        f"{symbol} then: {'; '.join([*notes, continued(CEILING)])}",
        *([continued(found.rule)] if found.of_two else []),
    ]
    print_table(console, Table("", columns, rows, tuple(told)))
    console.print()


def _told(found: Levers, step: Step) -> str:
    value = f"{found.coefficient.symbol} {decimal(step.after)}"
    return f"{BROAD[step.kind]} {step.name}: {value} ({count_of(step.n_items, 'item')})"
