"""Hierarchical agreement (Levi & Shenhav 2022): on which question of a scheme coders disagree."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from ..actions import Action, Notice
from ..decomposition.decomposition import Decomposition, label_column
from ..decomposition.decompositions import Explored
from ..decomposition.levels import pair_text
from ..decomposition.partition import abridged, typed
from ..fields import FIELDS
from ..measure.coefficients import COEFFICIENTS
from ..messages import quoted
from ..numbers import count_of, decimal, interval, joined
from ..scheme import Label
from .blocks import Block, Prose, Table
from .view import view

RULE = "rule* level_1* level_2* explained* explained_by_slips*"
MEASURES = (
    "rule* level_1 level_1_interval level_2 level_2_interval level_2_by_slips level_2_gain "
    "level_2_open? explained chance excess explained_by_slips beyond_slips beyond flip_baseline? "
    "lift n_level_1"
)
COLUMN_NOTES = {
    "flip_baseline": "Any error: share of all possible errors in one label that it separates.",
    "level_2_open": (
        "Level 1 determines some labels, on which level 2 is 1 by construction; "
        "“other labels”: the mean without them."
    ),
    "beyond": (
        "Beyond bound: above 0, the best of as many partitions is as far from random "
        "errors in fewer than one of twenty data sets of random errors."
    ),
}
MOST_PAIRS = 3  # pairs of coders beside each other
MOST_VALUES = 12  # of a block that are listed


@view("problem", of="decompose", title="", place=10)
def problem(part: Explored) -> Iterator[Block]:
    """What is decomposed."""
    b = part.basis
    several = "" if b.cells.states.is_pooled else f"{count_of(len(b.cells.states.pairs), 'pair')} "
    yield Prose(
        " · ".join(
            [
                f"{count_of(b.n_items, 'item')} with two annotations",
                *([f"{several}of coders"] if several else []),
                count_of(len(b.values), "value"),
                f"{COEFFICIENTS[b.form.key].symbol} {decimal(b.total.value)} overall",
            ]
        ),
        "headline",
    )


@view("partitions", of="decompose", title="Hierarchical agreement", chapter="levels", place=20)
def partitions(part: Explored) -> Iterator[Block]:
    """Questions that divide the values, by how far they are beyond random errors."""
    none = nothing(part)
    if none:
        yield Prose(none)
        return
    if part.basis.rounding is not None:
        yield _as_printed(part)
        return
    yield Prose(answer(part), "headline")
    yield Prose(title="Next", do=(_next(part),))
    yield Table.of(RULE, _rows(part), (_levels_note(part),))
    if part.named and len(part.rows) == 1:
        yield from _one(part.rows[0])
        return
    kind = "" if part.exhaustive or part.named else "Not exhaustive: "
    told = (f"{kind}{part.how}", *part.remarks)
    yield from (Prose(_sentence(remark), "detail") for remark in told)


@view("measures", of="decompose", title="All measures", place=105)
def measures(part: Explored) -> Iterator[Block]:
    """Everything that is measured of each partition."""
    labels = tuple(FIELDS["level_2"].called(str(x), key=label_column(x)) for x in part.basis.labels)
    rows = _rows(part)
    for row, one in zip(rows, part.rows, strict=True):
        row["level_2_open"] = _open(one)
    yield Table.of((MEASURES, *labels), rows, _notes(part))


@view("notes", of="decompose", title="Notes", place=30, whole=True)
def notes(part: Explored) -> Iterator[Block]:
    """Questions left out, and what to know about the data."""
    yield from (Prose(_sentence(note)) for note in part.notes)
    steps = tuple(step for note in part.notes if isinstance(note, Notice) for step in note.do)
    if steps:
        yield Prose(title="Next", do=steps)


@view("levels", of="decompose", title="Levels", place=110)
def levels(part: Explored) -> Iterator[Block]:
    """Each level of a partition with deeper levels."""
    one = part.rows[0]
    symbol = COEFFICIENTS[one.basis.form.key].symbol
    rows = (
        _ends(row)
        | {
            "rule": abridged(row["rule"]),
            "coefficient_over_all": row["coefficient"],
            "agreement_given": row["agreement"],
        }
        for row in one.steps.to_rows()
    )
    notes = (
        f"A_o among agreed: {symbol} among the items on which two coders agree on the level "
        "before.",
        "Over all: 1 − observed / expected disagreement that the level adds; weighted by shares "
        f"of chance, {symbol} = {decimal(one.steps.total)}.",
    )
    yield Table.of(
        "rule* coefficient_over_all agreement_given* interval n_items explained* chance "
        "explained_by_slips?",
        rows,
        notes,
    )


@view("disputed", of="decompose", title="Disputed items", place=120)
def disputed(part: Explored, *, listed: int = 1, most: int | None = None) -> Iterator[Block]:
    """Items on which coders differ on a level of a partition."""
    one = part.rows[0]
    total = one.n_first if listed == 1 else one.n_second
    where = "level 1" if listed == 1 else "level 2 only"
    found = [row for item in one.items(listed, most) for row in item.to_rows()]
    left = total - len(found)
    differ = f"{count_of(total, 'item')} on which coders differ on {where}"
    title = f"{abridged(one.rule)}: {differ}"
    yield Table.of(
        "item labels text?", found, (f"{left:,} more items." if left else "",), title=title
    )


def nothing(part: Explored) -> str:
    """Why there is nothing to decompose, in a sentence; empty if there is something."""
    b = part.basis
    if b.rounding is not None:
        return ""
    if not b.cells.differ.any():
        return "The coders agree on every item."
    return "There are only two values." if len(b.values) == 2 else ""


# ------------------------------------------------------------------ the answer, and its table


def answer(part: Explored) -> str:
    """In one sentence: which question costs agreement, or that none does beyond random errors."""
    one = part.headline or part.rows[0]
    rule, explained = quoted(abridged(one.rule)), decimal(one.explained.value)
    if math.isnan(one.explained_by_slips):
        return f"Deciding {rule} accounts for {explained} of the disagreement."
    costs = f"{explained} of the disagreement, random errors alone for " + decimal(
        one.explained_by_slips
    )
    within = f"{decimal(one.second.mean.value)} (random errors alone: {decimal(one.null_second)})"
    given = f"; among items on which coders agree on it, agreement is {within}"
    given = "" if math.isnan(one.second.mean.value) else given
    if part.headline is None and part.named and len(part.rows) == 1:
        return f"This question does not stand out: it accounts for {costs}{given}."
    if part.headline is None:
        return f"No question stands out: the first, {rule}, accounts for {costs}."
    if one.beyond.more:
        return f"Coders disagree on whether it is {rule}: this accounts for {costs}{given}."
    on_it = f"{decimal(one.first.mean.value)} (random errors alone: {decimal(one.null_first)})"
    return (
        f"Coders agree better on whether it is {rule} than on the rest: it accounts for {costs}; "
        f"agreement on it is {on_it}."
    )


def _sentence(note: str) -> str:
    """A note with a capital and a full stop."""
    return f"{note[:1].upper()}{note[1:].rstrip('.')}."


def _next(part: Explored) -> Action:
    """What to look at."""
    if part.headline is None:
        return Action("diagnose", {}, "values and coders that are confused")
    rule = typed(part.headline.partition, part.basis.cells.states)
    return Action("", {"by": rule, "show": "disputed"}, "items on which coders differ")


def _rows(part: Explored) -> list[dict[str, Any]]:
    """The rows, long lists of values cut."""
    return [_ends(row) | {"rule": abridged(row["rule"])} for row in part.to_rows()]


def _as_printed(part: Explored) -> Table:
    labels = tuple(FIELDS["level_2"].called(str(x), key=label_column(x)) for x in part.basis.labels)
    note = "Rounded and averaged as by Levi & Shenhav (2022)."
    return Table.of(("side_0 side_1 level_1", *labels, "level_2"), _rows(part), (note,))


def _ends(row: dict[str, Any]) -> dict[str, Any]:
    """Both levels under keys of their own."""
    found = row | {"level_2_gain": row.get("gain"), "level_2_by_slips": row.get("null_second")}
    for level, name in (("level_1", "first"), ("level_2", "second")):
        ends = {f"{level}{end}": row.get(f"{name}{end}") for end in ("", "_low", "_high")}
        found |= ends if name in row else {}
    return found


def _open(one: Decomposition) -> float:
    """Level 2 without the labels that level 1 settles; NaN where it settles none."""
    these = settled_labels(one)
    left = [label for label in one.second.labels if label not in these]
    return one.second.over(left).value if these else math.nan


def settled_labels(one: Decomposition) -> list[Label]:
    """The labels that level 1 settles: all values of each block have them, or none has."""
    level = one.second
    return [label for label, settled in zip(level.labels, level.settled, strict=False) if settled]


def _levels_note(part: Explored) -> str:
    b = part.basis
    symbol = COEFFICIENTS[b.form.key].symbol
    what = "each label, the mean" if b.labels else "the value"
    return (
        f"Level 1: {symbol} on the block; level 2: {symbol} on {what}, among items on whose "
        "block two coders agree. Explained: share of the disagreeing pairs that level 1 "
        "separates, and that random errors would."
        + (f" Sets as bits: {', '.join(map(str, b.labels))}." if b.labels else "")
    )


def _notes(part: Explored) -> Iterator[str]:
    yield _levels_note(part)
    yield from COLUMN_NOTES.values()
    lost = sum(row.undefined is not None for row in part.rows)
    if lost:
        yield (
            f"Undefined coefficients are left out of the means of {count_of(lost, 'partition')}."
        )


# ------------------------------------------------------------------ one partition


def _one(one: Decomposition) -> Iterator[Block]:
    """Both levels of each pair of coders, level 2 on each label, and what it explains."""
    pairs = [_ends(row) | {"pair": row["pair"] or "mean"} for row in one.by_pair()]
    yield Table.of(
        "pair* level_1* level_1_interval level_2* level_2_interval n_items n_kept",
        pairs[:1] if len(pairs) == 2 else pairs,  # one pair is its own mean
        title="Pairs of coders",
    )
    if one.second.labels:
        yield _of_labels(one)
    yield Prose(" ".join(_about(one)))


def _of_labels(one: Decomposition) -> Table:
    """Level 2 on each label: the mean over the pairs of coders, and each pair."""
    level, settled = one.second, settled_labels(one)
    pairs = level.pairs if 1 < len(level.pairs) <= MOST_PAIRS else ()
    left = [label for label in level.labels if label not in settled]
    named = [(str(label), level.figure(label)) for label in level.labels]
    named += [("mean", level.figure(None))]
    named += [("mean of other labels", level.over(left))] if settled and left else []
    rows = tuple(
        {"label": name, "level_2": mean.value, "level_2_low": mean.low, "level_2_high": mean.high}
        | {pair_text(p): level.figure(label, p).value for p in pairs}
        for (name, mean), label in zip(named, (*level.labels, None, None), strict=False)
    )
    each = (FIELDS["level_2"].called(pair_text(p), key=pair_text(p)) for p in pairs)
    names = joined(map(str, settled))
    return Table.of(
        ("label", *each, "level_2 level_2_interval"),
        rows,
        (f"Determined by level 1, so 1 by construction: {names}." if settled else "",),
        title="Level 2 on each label",
    )


def _about(one: Decomposition) -> Iterator[str]:
    b = one.basis
    blocks = " | ".join(
        f"{abridged(name)}: {joined(map(b.cells.states.name, block), most=MOST_VALUES)}"
        for name, block in zip(one.partition.names, one.partition.blocks, strict=True)
    )
    yield (
        f"Level 1 asks “{abridged(one.rule)}” ({blocks}). Coders differ on it on {one.n_first:,} "
        f"of {count_of(b.n_items, 'item')}, and only on level 2 on {one.n_second:,}."
    )
    e, x = one.explained, one.excess
    if not math.isnan(e.value):
        yield (
            f"It explains {decimal(e.value)} {interval(e.low, e.high)} of the disagreement, "
            f"chance {decimal(one.chance.value)}; excess {decimal(x.value)} "
            f"{interval(x.low, x.high)}."
        )
    if one.undefined is not None:
        yield f"Left out of the means: {one.undefined}."
