"""Whether coders disagree more on some items: by what is known about them."""

from __future__ import annotations

import math
from collections.abc import Iterator

from ..diagnosis.groups import Group
from ..diagnosis.words import quoted
from ..numbers import count_of, joined, percent
from .charts import beside
from .document import Block, Chart, Column, Prose, Table
from .study import Part

__all__ = ["all_differ_blocks", "group_blocks"]

MOST_ROWS = 60
MOST_DRAWN = 14
MOST_NAMED = 5
STRETCH = " to below "  # in the name of a group of numbers
SURE = 0.05  # p-value of the hardest group, corrected for the number of groups


def group_blocks(part: Part) -> Iterator[Block]:
    """Agreement in each group of items, beside that on all other items."""
    found = part.found.groups
    each = [g for g in found or () if not math.isnan(g.agreement) and not math.isnan(g.elsewhere)]
    if not each:
        return
    shown = _ordered(each)
    several = len({g.column for g in shown}) > 1
    rows = tuple(
        {
            "name": f"{g.value} · {g.column}" if several else g.value,
            "column": g.column, "value": g.value,
            "n_items": g.n_items, "agreement": g.agreement, "elsewhere": g.elsewhere,
            "alpha": g.alpha, "share": g.share, "excess": g.excess, "p_value": g.p_value,
        }
        for g in shown[:MOST_ROWS]
    )  # fmt: skip
    columns = (
        Column("name", "items" if several else shown[0].column),
        Column("n_items", "items", "count", "with two annotations or more"),
        Column("agreement", "agreement", "share", "mean over the items of the group"),
        Column("elsewhere", "elsewhere", "share", "mean over all other items"),
        Column("alpha", "α", "value", "of the group alone"),
        Column("share", "of all", "share", "share of all disagreement that is in the group"),
        Column("p_value", "p", "p", "of so much disagreement in as many items drawn at random"),
    )
    notes = [
        "p: at most the probability of so much disagreement in as many items drawn at random from "
        "all; it is not corrected for the number of groups. α depends on how varied the labels of "
        "a group are: compare agreement first."
    ]
    if len(shown) > MOST_ROWS:
        notes.append(f"The first {MOST_ROWS} of {count_of(len(shown), 'group')} are shown.")
    table = Table("Items by what is known about them", columns, rows, tuple(notes), depth="detail")
    drawn = [
        {"name": r["name"], "share": r["agreement"], "other": r["elsewhere"]}
        for r in rows[:MOST_DRAWN]
    ]
    what = ("mean agreement on an item (dot)", "on all other items (tick)")
    yield Chart(_title(each), beside(drawn, title=what), table)


def _weight(g: Group) -> float:
    """How far a group is from the other items, beside how far it would be by chance."""
    return abs(g.agreement - g.elsewhere) * math.sqrt(g.n_items)


def _ordered(each: list[Group]) -> list[Group]:
    """The groups of a column together, the column that tells most first.

    The hardest group of a column comes first, but stretches of numbers stay in their order.
    """
    columns = dict.fromkeys(g.column for g in sorted(each, key=_weight, reverse=True))
    found = []
    for column in columns:
        own = [g for g in each if g.column == column]
        stretches = any(STRETCH in g.value for g in own)
        found += own if stretches else sorted(own, key=lambda g: g.agreement)
    return found


def _title(each: list[Group]) -> str:
    """The group that differs most, if any does more than chance explains."""
    hardest = min(each, key=lambda g: g.p_value)
    columns = joined(dict.fromkeys(g.column for g in each), most=3)
    if hardest.p_value * len(each) >= SURE:
        return f"Coders agree about equally on all items, whatever their {columns}"
    return (
        f"Coders agree less on items with {hardest.column} {quoted(hardest.value)}: "
        f"{percent(hardest.agreement)}, elsewhere {percent(hardest.elsewhere)}"
    )


def all_differ_blocks(part: Part) -> Iterator[Block]:
    """How many items nobody agrees on with anybody, and the first of them."""
    found = part.found.items
    n = found.n_all_differ
    if not n:
        return
    first = found.named(found.all_differ(MOST_NAMED))
    names = joined(str(item.item) for item in first)
    more = f": {names}" if n <= len(first) else f", {names} among them"
    yield Prose(
        f"On {count_of(n, 'item')} of three coders or more no two gave the same label{more}."
    )
