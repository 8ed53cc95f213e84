"""One partition on a terminal: both levels, each label, what it says, deeper levels."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ..decomposition.abridging import abridged
from ..decomposition.basis import label_column
from ..decomposition.decomposition import Decomposition
from ..decomposition.decompositions import Explored
from ..decomposition.one_level import pair_text
from ..measure.coefficients import COEFFICIENTS
from ..numbers import count_of, decimal, interval, joined, percent
from ..views.document import Column, Table
from .fitting import fitting, left_out
from .partitions import (
    FIRST,
    FIRST_INTERVAL,
    MARK,
    MARKED,
    SECOND,
    SECOND_INTERVAL,
    settled_labels,
    with_intervals,
)  # fmt: skip
from .tables import print_list, print_table

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["print_partition", "print_steps", "steps_table"]

PAIR = Column("pair", "coders")
COUNTED = (Column("n_items", "items", "count"), Column("n_kept", "in level 2", "count"))
MOST_PAIRS = 3  # pairs of coders beside each other
MOST_VALUES = 12  # of a block that are listed


def print_partition(console: Console, part: Explored) -> None:
    """Both levels of the only partition of a question, and what it explains."""
    (one,) = part.rows
    print_table(console, _of_pairs(one, console.width))
    if one.second.labels and one.basis.rounding is None:
        print_table(console, _of_labels(one, console.width))
    print_list(console, _about(part, one))


def print_steps(console: Console, part: Explored) -> None:
    """The levels of a chain."""
    (one,) = part.rows
    symbol = COEFFICIENTS[one.basis.form.key].symbol
    print_table(console, steps_table(one.steps.to_rows(), symbol, one.steps.total, console.width))


def steps_table(
    rows: list[dict[str, Any]], symbol: str, total: float | None, width: int | None
) -> Table:
    """A row for each level, with agreement over all items and among those agreed before."""
    rule, over_all = Column("rule", "asks"), Column("coefficient", f"{symbol} over all", "value")
    agreed = Column("agreement", f"{symbol} among agreed", "value")
    ends, n = Column("interval", "interval", "interval"), Column("n_items", "agreed items", "count")
    explained, chance = (
        Column("explained", "explained", "value"),
        Column("chance", "chance", "value"),
    )
    slips = Column("explained_by_slips", "by slips", "value")
    shown_rows = [with_intervals(row) | {"rule": abridged(row["rule"])} for row in rows]
    of_sets = not all(math.isnan(row["explained_by_slips"]) for row in rows)
    columns = [rule, over_all, agreed, ends, n, explained, chance, *([slips] if of_sets else [])]
    order = [[ends], [n], [slips], [explained, chance], [over_all]]
    fit = fitting(columns, shown_rows, width, order)
    sums = "" if total is None else f" of {decimal(total)}"
    sums += " on whole sets, not label by label" if of_sets else " overall"
    told = {
        over_all: f"{symbol} over all: 1 − observed over expected disagreement that the level "
        f"adds, over all items; weighted by the chance shares these make up the {symbol}{sums}",
        agreed: f"{symbol} among agreed: on what the level asks, among the items on which two "
        "coders agree on the level before",
        explained: "explained: its share of the disagreement, that is of the pairs of annotations "
        "that differ",
        chance: "chance: its share of the disagreement that chance would give",
        slips: "by slips: its share if each label were mistaken independently of the others",
    }
    notes = [sentence for column, sentence in told.items() if column in fit]
    return Table("Levels", fit, tuple(shown_rows), (*notes, *left_out(columns, fit)))


# ------------------------------------------------------------------ tables


def _of_pairs(one: Decomposition, width: int) -> Table:
    """Both levels for each pair of coders and their mean (Levi & Shenhav 2022, Table 3)."""
    rows = [row | {"pair": row["pair"] or "mean"} for row in one.by_pair()]
    rows = rows[:-1] if len(rows) == 2 else rows  # one pair is its own mean
    if one.basis.rounding is not None:
        labels = [Column(label_column(x), str(x)) for x in one.second.labels]
        texts = [Column(c.key, c.heading) for c in (FIRST, *labels, SECOND)]
        return Table("", (PAIR, *texts), tuple(rows))
    rows = [with_intervals(row) for row in rows]
    columns = (PAIR, FIRST, FIRST_INTERVAL, SECOND, SECOND_INTERVAL, *COUNTED)
    order = [[COUNTED[1]], [COUNTED[0]], [FIRST_INTERVAL, SECOND_INTERVAL]]
    fit = fitting(columns, rows, width, order)
    notes = left_out(columns, fit)
    if settled_labels(one) and not math.isnan(one.second.mean.value):
        rows = [row | {"second": decimal(row["second"]) + MARK} for row in rows]
        notes.insert(0, f"{MARKED}: see below")
    return Table("", fit, tuple(rows), tuple(notes))


def _of_labels(one: Decomposition, width: int) -> Table:
    """Level 2 on each label: the mean over the pairs of coders, and each pair."""
    level, settled = one.second, settled_labels(one)
    pairs = level.pairs if 1 < len(level.pairs) <= MOST_PAIRS else ()
    rows = []
    for label in (*level.labels, None):
        mean = level.figure(label)
        row: dict[str, Any] = {"label": "mean" if label is None else str(label)}
        row |= {"value": mean.value, "interval": (mean.low, mean.high)}
        row |= {pair_text(pair): level.figure(label, pair).value for pair in pairs}
        if settled:
            row["value"] = _with_mark(mean.value, label is None or label in settled)
        rows.append(row)
    left = [label for label in level.labels if label not in settled]
    if settled and left:
        mean = level.over(left)
        rows.append(
            {"label": "left open", "value": _with_mark(mean.value, False)}
            | {"interval": (mean.low, mean.high)}
        )
    each = [Column(pair_text(pair), pair_text(pair), "value") for pair in pairs]
    ends = Column("interval", "interval", "interval")
    columns = (
        Column("label", "level 2"), *each, Column("value", "mean" if pairs else "value", "value"),
        ends,
    )  # fmt: skip
    fit = fitting(columns, rows, width, [[ends], each])
    notes = left_out(columns, fit)
    if settled:
        others = "; left open: the mean of the other labels" if left else ""
        notes.insert(0, f"{MARKED}{others}")
    return Table("", fit, tuple(rows), tuple(notes))


def _with_mark(x: float, marked: bool) -> str:
    return decimal(x) + (MARK if marked else "\N{NO-BREAK SPACE}" * len(MARK))


# ------------------------------------------------------------------ sentences


def _about(part: Explored, one: Decomposition) -> list[str]:
    """What one partition says of the disagreement, in sentences."""
    n, b = one.basis.n_items, one.basis
    blocks = " | ".join(
        f"{abridged(name)}: {joined(map(b.cells.states.name, block), most=MOST_VALUES)}"
        for name, block in zip(one.partition.names, one.partition.blocks, strict=True)
    )
    told = [
        f"level 1 asks: {abridged(one.rule)} ({blocks})",
        f"coders differ on level 1 on {one.n_first:,} of {count_of(n, 'item')}, and on level 2 "
        f"only on {one.n_second:,}",
        *_explains(one),
    ]
    if one.rank is not None and part.space is not None:
        _first, top = part.firmness(one)
        often = (
            "" if math.isnan(top) else f"; among the best ten in {percent(top, 0)} of the resamples"
        )
        by = part.rank.replace("_", " ")
        told.append(f"place {one.rank:,} of all {len(part.space):,} bipartitions by {by}{often}")
    if one.undefined is not None:
        told.append(f"left out of the means: {one.undefined}")
    return told


def _explains(one: Decomposition) -> list[str]:
    """Its share of the disagreement, beside that of slips and of chance."""
    e, x, beyond = one.explained, one.excess, one.beyond_slips
    if math.isnan(e.value):
        return []
    told = [
        f"level 1 explains {decimal(e.value)} {interval(e.low, e.high)} of the disagreement: it "
        "separates that share of the pairs of annotations that differ"
    ]
    if not math.isnan(beyond.value):
        told.append(
            f"independent slips in the labels would give {decimal(one.explained_by_slips.value)}: "
            f"beyond slips {decimal(beyond.value)} {interval(beyond.low, beyond.high)}"
        )
    told.append(
        f"chance would give {decimal(one.chance.value)}: excess {decimal(x.value)} "
        f"{interval(x.low, x.high)}, lift {decimal(one.lift.value, 2)}"
    )
    if one.basis.labels and not math.isnan(one.flip):
        told.append(
            f"{decimal(one.flip)} of all slips in one label are separated by this rule whatever "
            f"coders think; independent slips would give level 2 {decimal(one.null_second)}, so "
            f"the gain is {decimal(one.gain)}"
        )
    return told
