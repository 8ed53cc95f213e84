"""Partitions beside each other: as many of their figures as fit, with what they say."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ..decomposition.abridging import abridged, abridged_apart
from ..decomposition.basis import label_column
from ..decomposition.decomposition import Decomposition
from ..decomposition.decompositions import Explored
from ..decomposition.one_level import constant
from ..measure.coefficients import COEFFICIENTS
from ..numbers import count_of, decimal, joined
from ..scheme import Label
from ..views.document import Column, Table
from .fitting import fitting, left_out

__all__ = [
    "FIRST", "FIRST_INTERVAL", "LEGEND", "MARK", "MARKED", "SECOND", "SECOND_INTERVAL",
    "partitions_table", "settled_labels", "trivial", "with_intervals",
]  # fmt: skip

RULE = Column("rule", "level 1 asks")
FIRST, SECOND = Column("first", "level 1", "value"), Column("second", "level 2", "value")
FIRST_INTERVAL = Column("first_interval", "interval", "interval")
SECOND_INTERVAL = Column("second_interval", "interval", "interval")
OPEN = Column("second_open", "level 2 left open", "value")
EXPLAINED, CHANCE = Column("explained", "explained", "value"), Column("chance", "chance", "value")
SLIPS = Column("explained_by_slips", "by slips", "value")
BEYOND = Column("beyond_slips", "beyond slips", "value")
EXCESS = Column("excess", "excess", "value")
LIFT, INFORMATION = Column("lift", "lift", "value"), Column("information", "information", "value")
FLIP, GAIN = Column("flip_baseline", "flips", "value"), Column("gain", "gain", "value")
FIRST_SHARE, TOP = Column("first_share", "first", "share"), Column("top_ten", "top 10", "share")
SIDES = (Column("side_0", "side 0"), Column("side_1", "side 1"))
RANKED = {"lift": LIFT, "information": INFORMATION, "gain": GAIN, "excess": EXCESS}
LEGEND = ("ranked by", "first_share")  # remarks that the columns explain

MARK = " *"
MARKED = "* level 1 settles a label, so that level 2 on it is 1 by construction"


def partitions_table(part: Explored, rounded: bool, width: int | None) -> Table:
    """A row for each partition, with as many columns as fit into a width; None for all."""
    rows = [with_intervals(row) for row in part.to_rows()]
    rules = abridged_apart([row["rule"] for row in rows])
    rows = [row | {"rule": rule} for row, rule in zip(rows, rules, strict=True)]
    labels = tuple(Column(label_column(x), str(x), "value") for x in part.basis.labels)
    if rounded:
        columns = [*SIDES, *(Column(c.key, c.heading) for c in (FIRST, *labels, SECOND))]
        how = "rounded and averaged as Levi & Shenhav (2022) do"
        return Table("", tuple(columns), tuple(rows), (how,))
    rows, settles = _marked(part, rows)
    ranked = [RANKED[part.rank]] if part.rank in RANKED else []
    firm = [c for c in (FIRST_SHARE, TOP) if any(not math.isnan(row[c.key]) for row in rows)]
    against = [SLIPS, BEYOND] if part.basis.labels else [CHANCE, EXCESS]
    wanted = [RULE, FIRST, SECOND, *([OPEN] if settles else []), EXPLAINED, *against]
    wanted += [*(c for c in ranked if c not in wanted), *firm]
    more = [FIRST_INTERVAL, SECOND_INTERVAL, *labels, FLIP, GAIN, CHANCE, EXCESS]
    lost = {c for c in (FLIP, GAIN) if all(math.isnan(row[c.key]) for row in rows)}
    more = [c for c in more if c not in wanted and c not in lost]
    place = [
        RULE, FIRST, FIRST_INTERVAL, SECOND, SECOND_INTERVAL, *labels, OPEN, FLIP, GAIN, EXPLAINED,
        SLIPS, BEYOND, CHANCE, EXCESS, LIFT, INFORMATION, FIRST_SHARE, TOP,
    ]  # fmt: skip
    columns = [c for c in place if c in (*wanted, *more)]
    last = [[EXPLAINED], [SECOND], [FIRST]] if part.rank in RANKED else [[SECOND], [FIRST]]
    order = [
        [CHANCE, EXCESS] if part.basis.labels else [], [FLIP, GAIN], list(labels),
        [FIRST_INTERVAL, SECOND_INTERVAL], [FIRST_SHARE], [SLIPS, CHANCE], [TOP], [OPEN],
        [EXPLAINED], *last,
    ]  # fmt: skip
    order = [[c for c in group if c not in ranked] for group in order]
    fit = fitting(columns, rows, width, order)
    notes = (*_meaning(part, fit, settles), *left_out(wanted, fit), *_undefined(part.rows))
    return Table("", fit, tuple(rows), notes)


def with_intervals(row: dict[str, Any]) -> dict[str, Any]:
    """The ends of intervals as one cell."""
    if "low" in row:
        return row | {"interval": (row["low"], row["high"])}
    if "first_low" not in row:
        return row
    return row | {
        "first_interval": (row["first_low"], row["first_high"]),
        "second_interval": (row["second_low"], row["second_high"]),
    }


# ------------------------------------------------------------------ 1 by construction


def settled_labels(one: Decomposition) -> list[Label]:
    """The labels that level 1 settles: all values of each block have them, or none has."""
    states = one.basis.cells.states
    return [
        label
        for label, held in zip(states.labels, states.members.T, strict=True)
        if label in one.second.labels and constant(held, one.block)
    ]


def _marked(part: Explored, rows: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], bool]:
    """Level 2 with a mark where a label is settled, and beside it the mean without such labels."""
    settled = [settled_labels(one) for one in part.rows]
    if not any(settled):
        return rows, False
    found = []
    for row, one, these in zip(rows, part.rows, settled, strict=True):
        second = decimal(row["second"]) + (MARK if these else "\N{NO-BREAK SPACE}" * len(MARK))
        left = [label for label in one.second.labels if label not in these]
        found.append(row | {"second": second, "second_open": one.second.over(left).value})
    return found, True


# ------------------------------------------------------------------ what it says


def trivial(part: Explored) -> str:
    """Why there is nothing to take apart, in a sentence; empty if there is something."""
    b = part.basis
    symbol, n = COEFFICIENTS[b.form.key].symbol, count_of(b.n_items, "item")
    where = f"{part.question}: " if part.question else ""
    told = f"{where}{n}, {symbol} {decimal(b.total.value)}: "
    if not b.cells.differ.any():
        return f"{told}the coders agree on every item, so there is nothing to take apart"
    if len(b.values) == 2:
        return f"{told}there are two values, so there is nothing to take apart"
    return ""


def _meaning(part: Explored, columns: tuple[Column, ...], settles: bool) -> list[str]:
    """What the columns that are shown say."""
    b = part.basis
    symbol = COEFFICIENTS[b.form.key].symbol
    pairs = "" if len(b.cells.states.pairs) == 1 else ", the mean over pairs of coders"
    what = "on each label, the mean" if b.labels else "on the value"
    margins = "each coder's own distribution" if b.form.own else "the distribution of all coders"
    told = {
        FIRST: f"level 1: {symbol} on what it asks{pairs}",
        SECOND: f"level 2: {symbol} {what}, among items on which two coders agree on level 1",
        EXPLAINED: "explained: of the pairs of annotations that differ, the share that level 1 "
        "separates",
        SLIPS: "by slips: what it would separate if each label were mistaken independently of the "
        "others",
        BEYOND: "beyond slips: explained, less what independent slips in the labels would give",
        CHANCE: f"chance: what draws from {margins} would put there",
        EXCESS: "excess: explained, less what chance would put there",
        LIFT: "lift: explained over what chance would put there",
        INFORMATION: "information: share of the uncertainty between coders that lies between the "
        "sides",
        FLIP: f"flips: of all slips {'in one label' if b.labels else 'by one step'}, the share "
        "that the rule separates whatever coders think",
        GAIN: "gain: level 2, less what independent slips in the labels would give",
    }
    notes = [sentence for column, sentence in told.items() if column in columns]
    if FIRST in columns and SECOND in columns:
        notes[:2] = ["; ".join(notes[:2])]
    if settles and SECOND in columns:
        left = "; left open: the mean of the other labels" if OPEN in columns else ""
        notes.append(f"{MARKED}{left}")
    return notes + _firm(part, columns)


def _firm(part: Explored, columns: tuple[Column, ...]) -> list[str]:
    """How firm the places are."""
    places = {FIRST_SHARE: "first: in which it is the best", TOP: "top 10: among the best ten"}
    said = [words for column, words in places.items() if column in columns]
    found = part.stability
    if not said or found is None:
        return []
    if len(said) == 1 and TOP in columns:
        said = ["top 10: in which it is among the best ten"]
    return [
        f"{', '.join(said)} of {found.n_compared:,} by {part.rank.replace('_', ' ')}: share of "
        f"{found.n_resamples:,} resamples of the items"
    ]


def _undefined(rows: Sequence[Decomposition]) -> list[str]:
    """Which figures the means leave out, in one sentence for all partitions."""
    lost = [row for row in rows if row.undefined is not None]
    if not lost:
        return []
    if len(lost) == 1:
        return [f"left out of the means: {abridged(lost[0].rule)}: {lost[0].undefined}"]
    labels = dict.fromkeys(
        str(label) for row in lost for label, _, _ in row.second.undefined if label is not None
    )
    what = f" for {joined(labels, most=4)}" if labels else ""
    return [
        f"{count_of(len(lost), 'partition')} of these have figures without a value{what}, since "
        "the annotations that are left are all the same; their means leave them out"
    ]
