"""Items: those on which coders disagree most, those behind a cell, groups of items."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from ..diagnosis.diagnose import Part
from ..diagnosis.groups import Group
from ..diagnosis.items import NamedItem
from ..diagnosis.words import quoted
from ..errors import unknown
from ..fields import FIELDS, columns
from ..numbers import count_of, joined, percent
from .blocks import Block, Chart, Prose, Table
from .charts import beside, levels
from .confusion import compared, name_of_cell, names_of
from .names import cut, in_part, measured_by
from .view import view

__all__ = ["item_agreement", "item_groups", "items"]

MOST_CODERS = 12  # of an item
MOST_CHARACTERS = 400  # of a text
MOST_LEVELS = 9
MOST_DRAWN = 14
MOST_NAMED = 5
STRETCH = " to below "  # in the name of a group of numbers
SURE = 0.05  # p-value of the hardest group, corrected for the number of groups
GROUPS = (
    "metadata metadata_value n_items agreement elsewhere alpha share_of_disagreement "
    "excess_disagreement p_value"
)


# ------------------------------------------------------------------ items


@view(
    "items", of="diagnose", title="Items with the most disagreement", chapter="items", place=310,
    help="items with the most disagreement, or those behind a cell of the confusion matrix",
)  # fmt: skip
def items(
    part: Part, *, cell: tuple[str, str] | None = None, of: str | None = None,
    against: str | None = None, most: int | None = None,
) -> Iterator[Block]:  # fmt: skip
    """Items by agreement, the lowest first, with their annotations and texts.

    Parameters
    ----------
    cell : tuple of str, optional
        Two labels: the items where one coder gave the first and another the second.
    of, against : str, optional
        The coders who gave these; the second may be any other coder.
    most : int, optional
        How many items; by default all with disagreement.
    """
    found = part.items
    if cell is None:
        at, title = found.hardest(most or max(1, found.n_disputed)), _spread(part)
    else:
        at, title = _behind(part, cell, of, against)
    named = found.named(at[:most])
    if not named:
        yield Prose(title)
        return
    keys = ["item", "agreement", "annotations"]
    if len({item.question for item in named}) > 1:
        keys.insert(1, "question")
    if any(item.text for item in named):
        keys.append("text")
    rows = tuple(map(_row, named))
    keep = ("item", "annotations", "agreement", "text")
    yield Table(title, columns(tuple(keys)), rows, in_part(part), keep=keep)
    if cell is None:
        yield from _all_differ(part)


def _row(item: NamedItem) -> dict[str, Any]:
    row = item.to_rows()[0]
    text = {"text": cut(item.text, MOST_CHARACTERS)} if item.text else {}
    return {"item": item.item, "annotations": item.said(MOST_CODERS)} | row | text


def _spread(part: Part) -> str:
    found, n = part.items, part.coverage.n_pairable
    if not n:
        return "No item has two annotations."
    if not found.n_disputed:
        return "Coders agree on every item."
    answers = "item" if part.counts.n_questions == 1 else "item–question pair"
    return (
        f"Coders disagree on {found.n_disputed:,} of {count_of(n, answers)} with several "
        f"annotations ({percent(found.n_disputed / n)})"
    )


def _behind(
    part: Part, cell: tuple[str, str], of: str | None, against: str | None
) -> tuple[Any, str]:
    """Positions of the items behind a cell, and what the cell is called."""
    table = compared(part, of, against)
    if table is None:
        return part.items.hardest(0), "There are too many different values for a confusion matrix."
    names = names_of(table)
    for label in cell:
        if label not in names:
            raise unknown("label", label, names, "the labels are")
    k, other = (names.index(label) for label in cell)
    at = table.items(table.values[k], table.values[other])
    return at, f"{name_of_cell(table, k, other)} ({count_of(len(at), 'item')})"


def _all_differ(part: Part) -> Iterator[Block]:
    """How many items no two coders agree on, and the first of them."""
    n = part.items.n_all_differ
    if not n:
        return
    first = part.items.named(part.items.all_differ(MOST_NAMED))
    names = joined(str(item.item) for item in first)
    more = f": {names}" if n <= len(first) else f", among them {names}"
    yield Prose(
        f"On {count_of(n, 'item')} of three coders or more no two gave the same label{more}."
    )


@view(
    "item-agreement", of="diagnose", title="Agreement by item", chapter="items", place=305,
    help="how many items reach each level of agreement",
)  # fmt: skip
def item_agreement(part: Part) -> Iterator[Block]:
    """How many items reach each level of agreement, the lowest first."""
    reached = _binned(part.items.levels)
    if not reached:
        yield Prose("No item has two annotations.")
        return
    of_items = measured_by(part, "agreement of the item")
    heading = FIELDS["level"].called(measured_by(part, "agreement"))
    table = Table("", (heading, *columns("n_items")), tuple(reached))
    if len(reached) < 3:
        yield replace(table, title=_full(part))
        return
    sign = percent(0, 0).lstrip("0")
    drawn = [{"name": str(r["level"]).removesuffix(sign), "n": r["n_items"]} for r in reached]
    yield Chart(_full(part), levels(drawn, title=f"{of_items}, in percent"), table)


def _full(part: Part) -> str:
    full = sum(n for level, n in part.items.levels if level > 1 - 1e-9)
    total = sum(n for _, n in part.items.levels)
    return f"All coders agree on {full:,} of {count_of(total, 'item')} ({percent(full / total)})"


def _binned(each: Sequence[tuple[float, int]]) -> list[dict[str, Any]]:
    """Levels as they are if they are few, else in steps of a tenth."""
    known = [(level, n) for level, n in each if not math.isnan(level)]
    if len(known) <= MOST_LEVELS:
        return [{"level": percent(level, 0), "n_items": n} for level, n in known]
    steps: dict[int, int] = {}
    for level, n in known:
        step = 10 if level > 1 - 1e-9 else int(10 * level + 1e-9)
        steps[step] = steps.get(step, 0) + n
    return [
        {"level": f"{10 * k}–" * (k < 10) + percent(min(1, k / 10 + 0.09), 0),
         "n_items": steps.get(k, 0)}
        for k in range(min(steps), 11)
    ]  # fmt: skip


# ------------------------------------------------------------------ groups


@view(
    "item-groups", of="diagnose", title="Agreement by item metadata", chapter="items", place=320,
    help="groups of items by their metadata",
)  # fmt: skip
def item_groups(part: Part) -> Iterator[Block]:
    """Agreement in each group of items beside that on all others, the largest excess first."""
    each = sorted(part.groups or (), key=lambda g: (g.p_value, -g.excess))
    if not each:
        yield Prose("No metadata of the items form groups.")
        return
    notes = (
        "Excess: share of all disagreement that would be gone if coders agreed here as elsewhere. "
        "p: upper bound of the probability of so much disagreement in as many items drawn at "
        "random; not corrected for the number of groups. α depends on how varied the labels of a "
        "group are: compare agreement first.",
    )
    keep = ("metadata_value", "metadata", "agreement", "elsewhere", "n_items", "p_value")
    rows = tuple(map(_group, each))
    table = Table("", columns(GROUPS), rows, notes, keep=keep)
    hardest = min(each, key=lambda g: g.p_value)
    if hardest.p_value * len(each) >= SURE:
        names = joined(dict.fromkeys(g.column for g in each), most=3)
        yield replace(table, title=f"Agreement does not depend clearly on {names}")
        return
    drawn = [
        {"name": f"{g.value} · {g.column}", "share": g.agreement, "other": g.elsewhere}
        for g in _ordered(each)[:MOST_DRAWN]
    ]
    what = ("mean agreement of an item (dot)", "of all other items (tick)")
    title = (
        f"Coders agree less on items with {hardest.column} {quoted(hardest.value)}: "
        f"{percent(hardest.agreement)}, elsewhere {percent(hardest.elsewhere)}"
    )
    yield Chart(title, beside(drawn, title=what), table)


def _group(g: Group) -> dict[str, Any]:
    return {
        "metadata": g.column, "metadata_value": g.value, "n_items": g.n_items,
        "agreement": g.agreement, "elsewhere": g.elsewhere, "alpha": g.alpha,
        "share_of_disagreement": g.share, "excess_disagreement": g.excess, "p_value": g.p_value,
    }  # fmt: skip


def _weight(g: Group) -> float:
    """How far a group is from the other items, beside how far it would be by chance."""
    return abs(g.agreement - g.elsewhere) * math.sqrt(g.n_items)


def _ordered(each: Sequence[Group]) -> list[Group]:
    """The groups of a column together, the column that tells most first; stretches in order."""
    known = [g for g in each if not math.isnan(g.agreement) and not math.isnan(g.elsewhere)]
    found = []
    for column in dict.fromkeys(g.column for g in sorted(known, key=_weight, reverse=True)):
        own = [g for g in known if g.column == column]
        stretches = any(STRETCH in g.value for g in own)
        found += own if stretches else sorted(own, key=lambda g: g.agreement)
    return found
