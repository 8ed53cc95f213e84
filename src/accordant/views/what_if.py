"""What-if: by how much α would rise if one source of disagreement were resolved."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ..diagnosis.diagnose import Part
from ..diagnosis.levers import Step
from ..diagnosis.projection import KINDS
from ..diagnosis.words import label_text
from ..numbers import count_of, decimal
from .blocks import Block, Chart, Table
from .charts import gains
from .view import view

__all__ = ["what_if"]

MOST_STEPS = 3  # of the plan
MOST_DRAWN = 3  # of a kind
MOST_ROWS = 5
BOUND = (
    "Upper bounds: every such disagreement is taken as resolved on these same items, random "
    "errors included; the gain of a finding counts only what exceeds these. Do not report either "
    "as reliability."
)
KIND = {
    "pair": "pair of categories",
    "category": "category",
    "coder": "coder",
    "group": "item group",
    "items": "number of items",
}


@view("what-if", of="diagnose", title="What to resolve first", chapter="what_if", place=30)
def what_if(part: Part, *, most: int | None = None) -> Iterator[Block]:
    """By how much agreement would rise if one thing were resolved."""
    every = [_row(step) for step in part.levers]
    # What resolves everything says nothing of where to begin: such rows stand last.
    rows = sorted(every, key=lambda row: bool(row["n_items"] == part.items.n_disputed))
    table = Table.of(
        "what* kind n_items alpha_before alpha_after* gain* gain_per_ten_items",
        rows[:most],
        _notes(part),
        most=most or MOST_ROWS,
        every=tuple(every),
    )
    steps = [s for s in part.levers if s.gain > 0 and s.n_items < part.items.n_disputed]
    if not steps:
        yield replace(table, depth="evidence")
        return
    single = [s for s in steps if s.kind != "items"] or steps
    best = single[0]
    drawn = [
        {"name": _name(s), "now": s.before, "then": s.after}
        for kind in KINDS
        for s in [x for x in single if x.kind == kind][:MOST_DRAWN]
        if not math.isnan(s.after)
    ]
    yield Chart(
        f"Resolving {_all(best)} would raise α most: {decimal(best.before)} → "
        f"{decimal(best.after)}, {count_of(best.n_items, 'item')} to discuss",
        gains(drawn, title="α now (tick) and if resolved (dot)"),
        table,
    )
    plan = part.levers.plan(MOST_STEPS)
    if len(plan) > 1 and part.levers.chooses(plan):
        rows = [{**_row(s), "what": f"{k}. {_name(s)}"} for k, s in enumerate(plan, start=1)]
        n = sum(step.n_items for step in plan)
        note = (
            f"{count_of(len(plan), 'pair')} of categories, {count_of(n, 'item')} to discuss; each "
            "row starts from what the row above leaves."
        )
        keys = "what n_items alpha_before alpha_after"
        yield Table.of(keys, rows, (note,), title="One after the other", depth="detail")


def _notes(part: Part) -> Iterator[str]:
    yield BOUND
    yield part.levers.rule
    if any(step.kind == "coder" for step in part.levers):
        yield "A coder's disputed annotations become the majority of the others."
    if part.levers.note:
        yield part.levers.note


def _name(step: Step) -> str:
    """As short as can be."""
    if step.kind == "pair":
        return " ↔ ".join(map(label_text, step.lever.of))
    return f"{step.kind} {step.name}" if step.kind in ("category", "coder") else step.name


def _all(step: Step) -> str:
    """What is resolved, in a sentence: of a coder all disputed annotations, right or wrong."""
    return f"all disputed annotations of {_name(step)}" if step.kind == "coder" else _name(step)


def _row(step: Step) -> dict[str, Any]:
    row = step.to_rows()[0]
    ends = {"alpha_before": step.before, "alpha_after": step.after}
    return {**row, **ends, "kind": KIND[step.kind], "what": _name(step)}
