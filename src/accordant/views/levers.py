"""What to settle first: what alpha would be if one thing were settled, and what it takes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from ..diagnosis.levers import CEILING, WORDS
from ..diagnosis.settling import KINDS
from ..diagnosis.trials import Step
from ..diagnosis.words import label_text
from ..numbers import count_of, decimal
from .charts import gains
from .document import Block, Chart, Column, Section, Table
from .names import short_weights
from .study import Part, Study

__all__ = ["levers_section"]

MOST_STEPS = 3  # of the plan
MOST_DRAWN = 4  # of a kind
MOST_ROWS = 10  # of a kind

NOW = Column("before", "α now", "value")
THEN = Column("after", "α then", "value")
ITEMS = Column("n_items", "items", "count", "items to discuss: an annotation changes there")


def levers_section(study: Study) -> Section | None:
    """The plan, every lever by itself, and what merging would cost; None if nothing differs."""
    parts = [p for p in study.each if any(step.kind != "items" for step in _steps(p))]
    if not parts:
        return None
    lead = f"{study.told_of(parts, _lead)} Each figure is {CEILING}."
    return Section("levers", "What to settle first", lead, study.per_question(parts, _blocks))


def _steps(part: Part) -> list[Step]:
    """Levers that settle something but not everything: of two categories the pair is everything."""
    if part.continuous:
        return []
    n = part.found.items.n_disputed
    return [s for s in part.found.levers if s.n_items < n and s.gain > 0]


def _plan(part: Part) -> tuple[Step, ...]:
    """A choice among the pairs of categories; nothing where it holds all there are."""
    found = part.found.levers
    plan = found.plan(MOST_STEPS)
    return plan if found.chooses(plan) else ()


def _lead(part: Part) -> str:
    told = part.found.levers.in_words(_plan(part) or None)
    if told:
        return told
    best = _best(_steps(part))
    why = (
        "With two categories there is no pair to settle first."
        if len(part.found.levers.categories) == 2
        else "No pair of categories is to be settled first."
    )
    return f"{why} {_change(best)}, with {count_of(best.n_items, 'item')} to discuss."


def _best(steps: list[Step]) -> Step:
    """What brings most of its kind; so many of the hardest items are only a yardstick."""
    return next((s for s in steps if s.kind != "items"), steps[0])


def _change(step: Step) -> str:
    return (
        f"Of {WORDS[step.kind][1]}, {_doing(step)} brings most: "
        f"α {decimal(step.before)} → {decimal(step.after)}"
    )


def _of_each_kind(steps: Sequence[Step], most: int) -> list[Step]:
    """The first of each kind."""
    return [s for kind in KINDS for s in [x for x in steps if x.kind == kind][:most]]


def _blocks(part: Part) -> Iterator[Block]:
    plan = _plan(part)
    if len(plan) > 1:
        yield _one_after_the_other(plan)
    yield _each_by_itself(part)


def _one_after_the_other(plan: tuple[Step, ...]) -> Chart:
    rows = tuple(
        {"name": f"{k}. {_name(step)}", **_row(step)} for k, step in enumerate(plan, start=1)
    )
    table = Table(
        "The plan", (Column("name", "settle"), ITEMS, NOW, THEN), rows,
        ("Each step is computed from what the steps before it have left.",), depth="detail",
    )  # fmt: skip
    n = sum(step.n_items for step in plan)
    title = (
        f"One after the other, {count_of(len(plan), 'pair')} of categories "
        f"{'takes' if len(plan) == 1 else 'take'} α from {decimal(plan[0].before)} to "
        f"{decimal(plan[-1].after)}, with {count_of(n, 'item')} to discuss"
    )
    return Chart(title, gains(_drawn(rows), title="α before (tick) and after (dot)"), table)


def _each_by_itself(part: Part) -> Chart:
    found, every = part.found.levers, _steps(part)
    steps = _of_each_kind(every, MOST_ROWS)
    rows = tuple({"name": _name(step), **_row(step)} for step in steps)
    columns = (
        Column("what", "settle"),
        Column("kind", "kind"),
        ITEMS,
        NOW,
        THEN,
        Column("gain", "gain", "value"),
        Column("gain_per_ten_items", "per ten items", "value", "gain for every ten items"),
    )
    whole = sum(s.n_items >= part.found.items.n_disputed for s in found)
    hidden, less = len(every) - len(steps), len(found) - len(every) - whole
    notes = (
        found.rule,
        "A coder is settled by following the majority of the others. What is broad (all of a "
        "category, a coder, a group of items) brings more, since it settles more at once: it says "
        "where disagreement is. So each kind stands by itself, and “per ten items” compares "
        "fairly.",
        *([f"{hidden:,} more of these kinds {'brings' if hidden == 1 else 'bring'} less."]
          if hidden else []),
        *([f"{less:,} more would bring nothing."] if less else []),
        *([f"{whole:,} more would settle every disputed item, which tells nothing."]
          if whole else []),
        *([f"α compares sets by {short_weights(part.found.metric.name)}."] if part.of_sets else []),
        *([found.note] if found.note else []),
    )  # fmt: skip
    table = Table("Each by itself", columns, rows, notes, depth="detail")
    single = [s for s in every if s.kind != "items"] or every
    drawn = _drawn([{"name": _name(s), **_row(s)} for s in _of_each_kind(single, MOST_DRAWN)])
    title = "α now (tick) and if it were settled (dot)"
    return Chart(_change(_best(every)), gains(drawn, title=title), table)


def _name(step: Step) -> str:
    """The lever in a chart: as short as can be."""
    if step.kind == "pair":
        return " ↔ ".join(map(label_text, step.lever.of))
    return f"{step.kind} {step.name}" if step.kind in ("category", "coder") else step.name


def _doing(step: Step) -> str:
    """The lever in a sentence."""
    if step.kind == "coder":
        return f"{step.name} following the majority of the others"
    if step.kind == "category":
        return f"settling which items are {step.name}"
    if step.kind == "group":
        return f"settling all items of {step.name}"
    return f"settling {step.name}"


def _row(step: Step) -> dict[str, Any]:
    row = step.to_rows()[0]
    return {**row, "kind": WORDS[step.kind][0], "what": step.name}


def _drawn(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        {"name": row["name"], "now": row["before"], "then": row["after"]}
        for row in rows
        if not math.isnan(row["after"])
    ]
