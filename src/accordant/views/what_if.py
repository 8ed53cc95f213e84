"""What-if: by how much α would rise if one source of disagreement were resolved."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from ..diagnosis.diagnose import Part
from ..diagnosis.settling import KINDS
from ..diagnosis.trials import Step
from ..diagnosis.words import label_text
from ..fields import FIELDS, columns
from ..numbers import count_of, decimal
from .blocks import Block, Chart, Table
from .charts import gains
from .view import view

__all__ = ["plan_steps", "what_if"]

MOST_STEPS = 3  # of the plan
MOST_DRAWN = 3  # of a kind
MOST_ROWS = 5
KEYS = "what kind n_items alpha_before alpha_after gain gain_per_ten_items"
BOUND = (
    "Upper bounds: every such disagreement is taken as resolved on these same items. Do not report "
    "them as reliability."
)
KIND = {
    "pair": "pair of categories", "category": "category", "coder": "coder", "group": "item group",
    "items": "number of items",
}  # fmt: skip


@view(
    "what-if", of="diagnose", title="What to resolve first", chapter="what_if", place=30,
    help="by how much agreement would rise if one thing were resolved",
)  # fmt: skip
def what_if(part: Part, *, most: int | None = None) -> Iterator[Block]:
    """Each source of disagreement by itself, and pairs of categories one after the other."""
    found = part.levers
    every = tuple(_row(step) for step in found)
    table = Table(
        "", columns(KEYS), every[:most], tuple(_notes(part)), keep=("what", "alpha_after", "gain"),
        most=most or MOST_ROWS, depth="main" if plan_steps(part) or every else "evidence",
    )  # fmt: skip
    steps = [s for s in found if s.gain > 0 and s.n_items < part.items.n_disputed]
    if not steps:
        yield Table("", columns(KEYS), every, depth="evidence")
        return
    best = next((s for s in steps if s.kind != "items"), steps[0])
    drawn = _of_each_kind([s for s in steps if s.kind != "items"] or steps)
    yield Chart(
        f"Resolving {_name(best)} would raise α most: {decimal(best.before)} → "
        f"{decimal(best.after)}, {count_of(best.n_items, 'item')} to discuss",
        gains(_drawn(drawn), title="α now (tick) and if resolved (dot)"), table,
    )  # fmt: skip
    plan = plan_steps(part)
    if len(plan) > 1:
        yield _plan(plan)


def plan_steps(part: Part) -> tuple[Step, ...]:
    """A choice among the pairs of categories; nothing where it holds all there are."""
    plan = part.levers.plan(MOST_STEPS)
    return plan if part.levers.chooses(plan) else ()


def _plan(plan: Sequence[Step]) -> Block:
    rows = tuple({"name": f"{k}. {_name(s)}", **_row(s)} for k, s in enumerate(plan, start=1))
    n = sum(step.n_items for step in plan)
    return Table(
        "One after the other", (FIELDS["what"], *columns("n_items alpha_before alpha_after")), rows,
        (f"{count_of(len(plan), 'pair')} of categories, {count_of(n, 'item')} to discuss; each row "
         "starts from what the row above leaves.",), "detail",
    )  # fmt: skip


def _notes(part: Part) -> Iterator[str]:
    yield BOUND
    yield part.levers.rule
    if any(step.kind == "coder" for step in part.levers):
        yield "A coder's disputed annotations become the majority of the others."
    if part.levers.note:
        yield part.levers.note


def _of_each_kind(steps: Sequence[Step]) -> list[Step]:
    return [s for kind in KINDS for s in [x for x in steps if x.kind == kind][:MOST_DRAWN]]


def _name(step: Step) -> str:
    """As short as can be."""
    if step.kind == "pair":
        return " ↔ ".join(map(label_text, step.lever.of))
    return f"{step.kind} {step.name}" if step.kind in ("category", "coder") else step.name


def _row(step: Step) -> dict[str, Any]:
    row = step.to_rows()[0]
    ends = {"alpha_before": step.before, "alpha_after": step.after}
    return {**row, **ends, "kind": KIND[step.kind], "what": _name(step)}


def _drawn(steps: Sequence[Step]) -> list[dict[str, Any]]:
    return [
        {"name": _name(s), "now": s.before, "then": s.after} for s in steps
        if not math.isnan(s.after)
    ]  # fmt: skip
