"""What-if: by how much α would rise if one source of disagreement were resolved."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ..diagnosis.diagnose import Part
from ..diagnosis.what_if import KINDS, Step
from ..messages import label_text
from ..numbers import count_of, decimal
from .blocks import Block, Chart, Table, renamed
from .charts import gains
from .view import view

__all__ = ["what_if"]

MOST_DRAWN = 3  # of a kind
MOST_ROWS = 5
BOUND = (
    "Upper bounds: every such disagreement is resolved on these items, random errors included. "
    "Do not report either as reliability."
)
RULE = (
    "Disputed annotations become the majority category of the item, in a tie the one more "
    "frequent over all items; a category that half of the coders gave is given by all. A "
    "coder's disputed annotations become the majority of the others."
)
KIND = {"pair": "pair of categories", "category": "category", "coder": "coder"}


@view("what-if", of="diagnose", title="What to resolve first", chapter="what_if", place=30)
def what_if(part: Part, *, most: int | None = None) -> Iterator[Block]:
    """By how much agreement would rise if one thing were resolved."""
    every = [_row(step) for step in part.what_if]
    # What resolves everything says nothing of where to begin: such rows stand last.
    rows = sorted(every, key=lambda row: bool(row["n_items"] == part.items.n_disputed))
    table = Table.of(
        "what* kind n_items alpha_before alpha_after* gain* gain_per_ten_items",
        rows[:most],
        tuple(filter(None, (BOUND, RULE, part.what_if.note))),
        most=most or MOST_ROWS,
        every=tuple(every),
    )
    steps = [s for s in part.what_if if s.gain > 0 and s.n_items < part.items.n_disputed]
    if not steps:
        yield replace(table, depth="evidence")
        return
    best = steps[0]
    drawn = [
        {"name": _name(s), "now": s.before, "then": s.after}
        for kind in KINDS
        for s in [x for x in steps if x.kind == kind][:MOST_DRAWN]
        if not math.isnan(s.after)
    ]
    yield Chart(
        f"Resolving {_all(best)} would raise α most: {decimal(best.before)} → "
        f"{decimal(best.after)}, {count_of(best.n_items, 'item')} to discuss",
        gains(drawn, title="α now (tick) and if resolved (dot)"),
        table,
    )
    plan = part.what_if.plan
    if len(plan) > 1:
        rows = [{**_row(s), "what": f"{k}. {_name(s)}"} for k, s in enumerate(plan, start=1)]
        n = sum(step.n_items for step in plan)
        note = (
            f"{count_of(len(plan), 'pair')} of categories, {count_of(n, 'item')} to discuss; "
            "each row starts from what the row above leaves."
        )
        keys = "what n_items alpha_before alpha_after"
        yield Table.of(keys, rows, (note,), title="One after the other", depth="detail")


def _name(step: Step) -> str:
    """As short as can be."""
    if step.kind == "pair":
        return " ↔ ".join(map(label_text, step.of))
    return f"{step.kind} {step.name}"


def _all(step: Step) -> str:
    """What is resolved, in a sentence: of a coder all disputed annotations, right or wrong."""
    return f"all disputed annotations of {_name(step)}" if step.kind == "coder" else _name(step)


def _row(step: Step) -> dict[str, Any]:
    row = renamed(step.to_rows()[0], before="alpha_before", after="alpha_after")
    return {**row, "kind": KIND[step.kind], "what": _name(step)}
