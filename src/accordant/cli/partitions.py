"""What a reader sees of a scheme taken apart: partitions with their levels, or the items behind."""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..decomposition.basis import label_column
from ..decomposition.decomposition import Decomposition
from ..decomposition.decompositions import Decompositions, Explored
from ..decomposition.one_level import pair_text
from ..measure.coefficients import COEFFICIENTS
from ..measure.numbers import count_of, decimal, interval, joined, percent
from ..reports.document import Column, Table
from ..reports.numbers import shown
from .dividing import Dividing
from .tables import print_list, print_sentences, print_table
from .terminal import MARGIN, spoken

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["Answer", "answer"]

RULE = Column("rule", "level 1 asks")
FIRST, SECOND = Column("first", "level 1", "value"), Column("second", "level 2", "value")
FIRST_INTERVAL = Column("first_interval", "interval", "interval")
SECOND_INTERVAL = Column("second_interval", "interval", "interval")
EXPLAINED, CHANCE = Column("explained", "explained", "value"), Column("chance", "chance", "value")
EXCESS = Column("excess", "excess", "value")
LIFT, INFORMATION = Column("lift", "lift", "value"), Column("information", "information", "value")
FLIP, GAIN = Column("flip_baseline", "flips", "value"), Column("gain", "gain", "value")
TOP = Column("top_ten", "top 10", "share")
SIDES = (Column("side_0", "side 0"), Column("side_1", "side 1"))
PAIR = Column("pair", "coders")
ITEMS = (Column("item", "item"), Column("labels", "labels"), Column("text", "text"))
STEPS = (
    Column("rule", "asks"),
    Column("agreement", "agreement", "value"),
    Column("interval", "interval", "interval"),
    Column("n_items", "items", "count"),
    Column("explained", "explained", "value"),
    Column("chance", "chance", "value"),
    Column("lift", "lift", "value"),
)
COUNTED = (Column("n_items", "items", "count"), Column("n_kept", "in level 2", "count"))
MOST_PAIRS = 3  # pairs of coders beside each other
LEAST_RULE = 18  # characters of a rule beside which more columns may stand


def answer(found: Decompositions, asked: Dividing, name: str) -> Answer:
    """What is shown of it; ``name`` is what the user called the file.

    Everything that takes long is worked out here.
    """
    return Answer(found, asked, name, found.to_rows())


@dataclass(frozen=True, eq=False)
class Answer:
    """A scheme taken apart, for a program (`rows`), a document (`table`) or a reader (`print`)."""

    found: Decompositions
    asked: Dividing
    name: str
    partitions: Sequence[dict[str, Any]]

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        """Items if they are listed, the levels of a chain, or partitions; unrounded."""
        level = self.asked.listed_level
        if level is not None:
            return [
                row for one in self.found for item in one.items(level) for row in item.to_rows()
            ]
        if self.asked.then:
            return [
                {"question": one.basis.question} | row
                for one in self.found
                for row in one.steps.to_rows()
            ]
        return list(self.partitions)

    def table(self) -> Table:
        """The columns that a reader should see."""
        if self.asked.listed_level is not None:
            return Table("Items", ITEMS, tuple(self.rows))
        if self.asked.then:
            return Table("Levels", STEPS, tuple(map(_with_intervals, self.rows)))
        parts = [_partitions(part, self.asked, None) for part in self.found.parts]
        several = len(parts) > 1
        columns = tuple(dict.fromkeys(c for part in parts for c in part.columns))
        head = (Column("question", "question"),) if several else ()
        rows = tuple(row for part in parts for row in part.rows)
        notes = tuple(dict.fromkeys(note for part in parts for note in part.notes))
        return Table("Partitions of the scheme", (*head, *columns), rows, notes)

    # ------------------------------------------------------------------ on a terminal

    def print(self, console: Console) -> None:
        """Print it for people."""
        for part in self.found.parts:
            console.print()
            print_sentences(console, [_headline(part)], style="bold")
            console.print()
            if self.asked.listed_level is not None:
                self._print_items(console, part.rows[0])
            elif len(part.rows) == 1 and part.named:
                self._print_one(console, part)
            else:
                table = _partitions(part, self.asked, console.width - MARGIN)
                print_table(console, table)
                print_list(console, [spoken(note) for note in _search(part)])
        left = [f"{q}: left out, {why}" for q, why in self.found.left_out.items()]
        print_list(console, [spoken(note) for note in (*left, *self.found.notes)])
        console.print()
        print_sentences(console, self._next(), style="dim")

    def _print_items(self, console: Console, one: Decomposition) -> None:
        level = self.asked.listed_level or 1
        total = one.n_first if level == 1 else one.n_second
        where = "level 1" if level == 1 else "level 2 only"
        told = f"{count_of(total, 'item')} on which coders differ on {where}"
        print_sentences(console, [f"{one.rule}: {told}"])
        rows = [row for item in one.items(level, self.asked.most) for row in item.to_rows()]
        if rows:
            console.print()
            texts = any(row["text"] for row in rows)
            left = total - len(rows)
            note = [f"{left:,} more: --most {total}"] if left else []
            print_table(console, Table("", ITEMS if texts else ITEMS[:2], tuple(rows), tuple(note)))

    def _print_one(self, console: Console, part: Explored) -> None:
        (one,) = part.rows
        if self.asked.then:
            rows = tuple(_with_intervals(row) for row in one.steps.to_rows())
            print_table(console, Table("", STEPS, rows, (_STEPS,)))
            return
        print_table(console, _of_pairs(one))
        if one.second.labels and one.basis.rounding is None:
            print_table(console, _of_labels(one))
        print_list(console, _about(part, one))

    def _next(self) -> list[str]:
        """What to type next."""
        if self.asked.listed_level is not None or not self.found.rows:
            return []
        first = self.found.rows[0].basis.question
        only = f" --only-question {shlex.quote(str(first))}" if len(self.found.parts) > 1 else ""
        if not self.asked.by:
            rule = shlex.quote(self.found.rows[0].rule)
            return [f"more about one: accordant decompose {self.name}{only} --by {rule}"]
        rule = shlex.quote(self.asked.by[0])
        return [f"the items behind it: accordant decompose {self.name}{only} --by {rule} --list 2"]


# ------------------------------------------------------------------ several partitions


def _headline(part: Explored) -> str:
    b = part.basis
    n, pairs = b.n_items, b.cells.states.pairs
    several = "" if b.cells.states.is_pooled else f" · {count_of(len(pairs), 'pair')} of coders"
    facts = [
        *([f"question {part.question}"] if part.question else []),
        f"{count_of(n, 'item')} with two annotations{several}",
        f"{count_of(len(b.values), 'value')}",
        f"{COEFFICIENTS[b.form.key].symbol} {decimal(b.total.value)} overall",
    ]
    return " · ".join(facts)


def _partitions(part: Explored, asked: Dividing, width: int | None) -> Table:
    """A row for each partition, with as many columns as fit into a width."""
    rows = [_with_intervals(row) for row in part.to_rows()]
    labels = tuple(Column(label_column(x), str(x), "value") for x in part.basis.labels)
    if asked.rounding:
        columns = [*SIDES, *(Column(c.key, c.heading) for c in (FIRST, *labels, SECOND))]
        notes = ("rounded and averaged as Levi & Shenhav (2022) do",)
        return Table("", tuple(columns), tuple(rows), notes)
    of_sets, firm = bool(labels), not all(math.isnan(row["top_ten"]) for row in rows)
    ranked = {"lift": [LIFT], "information": [INFORMATION]}.get(asked.rank, [])
    wanted = [RULE, FIRST, SECOND, *([FLIP, GAIN] if of_sets else []), *ranked, EXCESS]
    wanted += [TOP] if firm else []
    order = [
        RULE, FIRST, FIRST_INTERVAL, SECOND, SECOND_INTERVAL, *labels, FLIP, GAIN, EXPLAINED,
        CHANCE, LIFT, INFORMATION, EXCESS, TOP,
    ]  # fmt: skip
    more = [[EXPLAINED], [CHANCE], [FIRST_INTERVAL, SECOND_INTERVAL], list(labels)]
    for columns in more:
        if width is not None and _width([*wanted, *columns], rows) > width:
            break
        wanted += columns
    shown_columns = tuple(c for c in order if c in wanted)
    return Table("", shown_columns, tuple(rows), tuple(_meaning(part, shown_columns)))


def _width(columns: Iterable[Column], rows: Sequence[dict[str, Any]]) -> int:
    """Characters that numbers take, with the least room for rules."""
    total = 0
    for column in columns:
        cells = [column.heading, *(shown(column, row) for row in rows)]
        total += 2 + (LEAST_RULE if column.kind == "text" else max(map(len, cells)))
    return total


def _with_intervals(row: dict[str, Any]) -> dict[str, Any]:
    """The ends of intervals as one cell."""
    if "low" in row:
        return row | {"interval": (row["low"], row["high"])}
    if "first_low" not in row:
        return row
    return row | {
        "first_interval": (row["first_low"], row["first_high"]),
        "second_interval": (row["second_low"], row["second_high"]),
    }


def _meaning(part: Explored, columns: tuple[Column, ...]) -> list[str]:
    """What the columns say."""
    b = part.basis
    symbol = COEFFICIENTS[b.form.key].symbol
    pairs = "" if len(b.cells.states.pairs) == 1 else ", the mean over pairs of coders"
    what = "on each label, the mean" if b.labels else "on the value"
    notes = [
        f"level 1: {symbol} on what it asks{pairs}; level 2: {symbol} {what}, among items on which "
        "two coders agree on level 1",
        "explained: share of the items in dispute that level 1 separates; excess: beyond the share "
        "that chance would put there"
        if EXPLAINED in columns
        else "excess: share of the items in dispute that level 1 separates, beyond the share that "
        "chance would put there",
    ]
    if FLIP in columns:
        notes.append(
            "flips: share of all slips in one label that the rule separates whatever coders think, "
            "so a high level 2 is mostly that; gain: level 2 beyond what independent slips would "
            "give"
        )
    if TOP in columns and part.stability is not None:
        n = part.stability
        among = "" if len(part.rows) < n.n_compared else " shown"
        notes.append(
            f"top 10: share of {n.n_resamples:,} resamples of the items in which it is among the "
            f"best ten of the {n.n_compared:,}{among}, by {part.rank}"
        )
    return notes + _undefined(part.rows)


def _undefined(rows: Sequence[Decomposition]) -> list[str]:
    """Which figures the means leave out, in one sentence for all partitions."""
    lost = [row for row in rows if row.undefined is not None]
    if not lost:
        return []
    if len(lost) == 1:
        return [f"left out of the means: {lost[0].rule}: {lost[0].undefined}"]
    labels = dict.fromkeys(
        str(label) for row in lost for label, _, _ in row.second.undefined if label is not None
    )
    what = f" for {joined(labels, most=4)}" if labels else ""
    return [
        f"{count_of(len(lost), 'partition')} of these have figures without a value{what}, since "
        "the annotations that are left are all the same; their means leave them out"
    ]


def _search(part: Explored) -> list[str]:
    kind = "" if part.exhaustive or part.named else "not exhaustive: "
    return [f"{kind}{part.how}"]


# ------------------------------------------------------------------ one partition


def _of_pairs(one: Decomposition) -> Table:
    """Both levels for each pair of coders and their mean (Levi & Shenhav 2022, Table 3)."""
    rows = [row | {"pair": row["pair"] or "mean"} for row in one.by_pair()]
    rows = rows[:-1] if len(rows) == 2 else rows  # one pair is its own mean
    if one.basis.rounding is not None:
        labels = [Column(label_column(x), str(x)) for x in one.second.labels]
        texts = [Column(c.key, c.heading) for c in (FIRST, *labels, SECOND)]
        return Table("", (PAIR, *texts), tuple(rows))
    columns = (PAIR, FIRST, FIRST_INTERVAL, SECOND, SECOND_INTERVAL, *COUNTED)
    return Table("", columns, tuple(map(_with_intervals, rows)))


def _of_labels(one: Decomposition) -> Table:
    """Level 2 on each label: the mean over the pairs of coders, and each pair."""
    level = one.second
    pairs = level.pairs if 1 < len(level.pairs) <= MOST_PAIRS else ()
    rows = []
    for label in (*level.labels, None):
        mean = level.figure(label)
        row = {"label": "mean" if label is None else str(label), "value": mean.value}
        row |= {"interval": (mean.low, mean.high)}
        rows.append(row | {pair_text(pair): level.figure(label, pair).value for pair in pairs})
    columns = (
        Column("label", "level 2"),
        *(Column(pair_text(pair), pair_text(pair), "value") for pair in pairs),
        Column("value", "mean" if pairs else "value", "value"),
        Column("interval", "interval", "interval"),
    )
    return Table("", columns, tuple(rows))


def _about(part: Explored, one: Decomposition) -> list[str]:
    """What one partition says of the disagreement, in sentences."""
    n = one.basis.n_items
    blocks = " | ".join(
        f"{name}: {one.basis.text(block)}"
        for name, block in zip(one.partition.names, one.partition.blocks, strict=True)
    )
    e, c, x = one.explained, one.chance, one.excess
    told = [
        f"level 1 asks: {one.rule} ({blocks})",
        f"coders differ on level 1 on {one.n_first:,} of {count_of(n, 'item')}, and on level 2 "
        f"only on {one.n_second:,}",
    ]
    if not math.isnan(e.value):
        told.append(
            f"level 1 explains {percent(e.value)} of the disagreement {interval(e.low, e.high)}; "
            f"chance would put {percent(c.value)} there: excess {decimal(x.value)} "
            f"{interval(x.low, x.high)}, lift {decimal(one.lift.value, 2)}"
        )
    if one.basis.labels and not math.isnan(one.flip):
        told.append(
            f"{percent(one.flip)} of all slips in one label are separated by this rule whatever "
            f"coders think; independent slips would give level 2 {decimal(one.null_second)}, so "
            f"the gain is {decimal(one.gain)}"
        )
    if part.rank and one.rank is not None and part.compared is not None:
        _first, top = part.firmness(one)
        often = (
            "" if math.isnan(top) else f"; among the best ten in {percent(top, 0)} of the resamples"
        )
        told.append(
            f"place {one.rank:,} of all {len(part.compared):,} bipartitions by {part.rank}{often}"
        )
    if one.undefined is not None:
        told.append(f"left out of the means: {one.undefined}")
    return told


_STEPS = (
    "agreement: on what the level asks, among the items on which two coders agree on the level "
    "before; explained and chance: its shares of observed and expected disagreement"
)
