"""Items: those on which coders disagree most, those behind a cell, groups of items."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from ..diagnosis.diagnose import Part
from ..diagnosis.item_agreement import NamedItem
from ..errors import unknown
from ..numbers import count_of, percent
from .blocks import Block, Chart, Prose, Table, renamed
from .category_tables import compared, name_of_cell, names_of
from .charts import levels
from .coefficient_names import cut, in_part, measured_by
from .view import view

MOST_CODERS = 12  # of an item
MOST_CHARACTERS = 400  # of a text
MOST_LEVELS = 9


# ------------------------------------------------------------------ items


@view("items", of="diagnose", title="Items with the most disagreement", chapter="items", place=310)
def items(
    part: Part,
    *,
    cell: tuple[str, str] | None = None,
    of: str | None = None,
    against: str | None = None,
    most: int | None = None,
) -> Iterator[Block]:
    """Items with the most disagreement, or those behind a cell of the confusion matrix.

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
    at, title = found.hardest(most or max(1, found.n_disputed)), _spread(part)
    if cell is not None:
        at, title = _behind(part, cell, of, against)
    named = found.named(at[:most])
    if not named:
        yield Prose(title)
        return
    question = "question" if len({item.question for item in named}) > 1 else ""
    keys = f"item* {question} agreement* annotations* text?*"
    yield Table.of(keys, map(_row, named), in_part(part), title=title)


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
        return part.items.hardest(0), (
            "There are too many different values for a confusion matrix."
        )
    names = names_of(table)
    for label in cell:
        if label not in names:
            raise unknown("label", label, names, "the labels are")
    k, other = (names.index(label) for label in cell)
    at = table.items(table.values[k], table.values[other])
    return at, f"{name_of_cell(table, k, other)} ({count_of(len(at), 'item')})"


@view("item-agreement", of="diagnose", title="Agreement by item", chapter="items", place=305)
def item_agreement(part: Part) -> Iterator[Block]:
    """How many items reach each level of agreement."""
    reached = _binned(part.items.levels)
    if not reached:
        yield Prose("No item has two annotations.")
        return
    of_items = measured_by(part, "agreement of the item")
    table = Table.of("level n_items", reached, called={"level": measured_by(part, "agreement")})
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
        {
            "level": f"{10 * k}–" * (k < 10) + percent(min(1, k / 10 + 0.09), 0),
            "n_items": steps.get(k, 0),
        }
        for k in range(min(steps), 11)
    ]


# ------------------------------------------------------------------ groups


@view("item-groups", of="diagnose", title="Agreement by item metadata", chapter="items", place=320)
def item_groups(part: Part) -> Iterator[Block]:
    """Groups of items by their metadata."""
    groups = part.groups.to_rows() if part.groups else []
    if not groups:
        yield Prose("No metadata of the items form groups.")
        return
    note = (
        "Excess: share of all disagreement that would be gone if coders agreed here as "
        "elsewhere; findings tell what is beyond chance. Compare agreement, not α, which "
        "depends on how varied the labels are."
    )
    rows = [
        renamed(
            row,
            column="metadata",
            value="metadata_value",
            share="share_of_disagreement",
            excess="excess_disagreement",
        )
        for row in groups
    ]
    keys = (
        "metadata* metadata_value* n_items* agreement* elsewhere* alpha share_of_disagreement "
        "excess_disagreement"
    )
    yield Table.of(keys, rows, (note,), by="-excess_disagreement")
