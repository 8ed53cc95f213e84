"""The items on which coders disagree most."""

from __future__ import annotations

from collections.abc import Iterator
from math import isnan

from ..numbers import count_of, percent
from .charts import levels
from .document import Block, Chart, Column, Prose, Section, Table
from .item_groups import all_differ_blocks, group_blocks
from .names import cut
from .study import Part, Study

__all__ = ["items_section"]

MOST_ITEMS = 25
MOST_CODERS = 12  # of an item
MOST_LEVELS = 9


def items_section(study: Study) -> Section | None:
    """How agreement is spread over the items; None if there is nothing to compare."""
    if not study.comparable:
        return None
    return Section("items", "The hardest items", study.told(_lead), study.per_part(_items))


def _lead(part: Part) -> str:
    found, n = part.found.items, part.found.coverage.n_pairable
    if not n:
        return "No item has two annotations."
    answers = "item" if len(part.found.data.questions) == 1 else "item–question pair"
    return (
        f"Coders differ on {found.n_disputed:,} of {count_of(n, answers)} with several "
        f"annotations ({percent(found.n_disputed / n)})."
    )


def _items(part: Part) -> Iterator[Block]:
    found = part.found.items
    if not found.levels:
        yield Prose("No item has two annotations.")
        return
    agreement = part.measured_by("agreement")
    reached = tuple(_binned(found.levels))
    table = Table(
        "Items by level of agreement",
        (
            Column("name", agreement, help="of two coders of the item, on average"),
            Column("n", "items", "count"),
        ),
        reached,
        depth="detail",
    )
    if len(reached) > 2:
        sign = percent(0, 0).lstrip("0")
        drawn = [{**row, "name": str(row["name"]).removesuffix(sign)} for row in reached]
        bars = levels(drawn, title=f"{part.measured_by('agreement on an item')}, in percent")
        yield Chart(_title(part), bars, table)
    yield from group_blocks(part)
    yield from all_differ_blocks(part)
    hardest = found.named(found.hardest(MOST_ITEMS))
    if not hardest:
        return
    rows = tuple(
        {
            "item": str(item.item),
            "question": item.question or "",
            "agreement": item.agreement,
            "labels": item.said(MOST_CODERS),
            "text": cut(item.text, 400) if item.text else "",
        }
        for item in hardest
    )  # fmt: skip
    of_pairs = "mean over pairs of coders" if part.of_sets else "share of pairs of coders who agree"
    columns = (
        Column("item", "item"),
        *((Column("question", "question"),) if len(part.found.data.questions) > 1 else ()),
        Column("agreement", agreement, "share", of_pairs),
        Column("labels", "who said what"),
        *((Column("text", "text"),) if any(row["text"] for row in rows) else ()),
    )
    notes = []
    if found.n_disputed > len(rows):
        notes.append(f"The hardest {len(rows)} of {found.n_disputed:,} disputed items.")
    if part.found.w.name != "identity":
        notes.append(part.in_part)
    yield Table("Where coders differ most", columns, rows, tuple(notes))


def _title(part: Part) -> str:
    full = sum(n for level, n in part.found.items.levels if level > 1 - 1e-9)
    total = sum(n for _, n in part.found.items.levels)
    return f"All coders agree on {full:,} of {count_of(total, 'item')} ({percent(full / total)})"


def _binned(each: list[tuple[float, int]]) -> list[dict[str, object]]:
    """Levels as they are if they are few, else in steps of a tenth."""
    known = [(level, n) for level, n in each if not isnan(level)]
    if len(known) <= MOST_LEVELS:
        return [{"name": percent(level, 0), "n": n} for level, n in known]
    steps: dict[int, int] = {}
    for level, n in known:
        step = 10 if level > 1 - 1e-9 else int(10 * level + 1e-9)
        steps[step] = steps.get(step, 0) + n
    return [
        {"name": f"{10 * k}–" * (k < 10) + percent(min(1, k / 10 + 0.09), 0), "n": steps.get(k, 0)}
        for k in range(min(steps), 11)
    ]
