"""What prevalence and bias do to each coefficient, and which way differences go."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from ..diagnosis.directions import Direction
from ..diagnosis.words import isolated, label_text, quoted
from ..numbers import count_of, p_text, percent
from .charts import beside
from .document import Block, Chart, Column, Table
from .names import name_of
from .study import Part, Study

__all__ = ["direction_blocks", "movement_blocks"]

MOST_ROWS = 45
SURE = 0.05


def movement_blocks(part: Part) -> Iterator[Block]:
    """Every coefficient as S plus what prevalence, bias and a small sample add to it."""
    found = None if part.continuous else part.found.movements
    if found is None or found.n_categories < 2:
        return
    n = part.found.counts.n_coders
    rows = tuple(
        {
            **row, "from": found["s"].value,
            "name": name_of(row["coefficient"], n_coders=n, weights=part.found.w.name),
        }
        for row in found.to_rows() if not math.isnan(row["value"])
    )  # fmt: skip
    columns = (
        Column("name", "coefficient"),
        Column("from", "S", "value", "as if all categories were equally frequent"),
        Column("by_prevalence", "prevalence", "value", "what the frequency of categories adds"),
        Column("by_bias", "bias", "value", "what the difference of the coders adds"),
        Column("by_sample", "sample", "value", "what the correction for a small sample adds"),
        Column("value", "value", "value", "the sum of these"),
    )
    notes = (
        found.sentence,
        "S takes all categories for equally likely. π also knows how frequent they are, κ also "
        "that coders differ in it (Feinstein & Cicchetti 1990). What moves AC1 away from S, and "
        "the other way, is prevalence too.",
    )
    yield Table(
        "What prevalence and bias do to each coefficient",
        columns,
        rows,
        notes,
        depth="detail",
    )


def direction_blocks(study: Study) -> Iterator[Block]:
    """Which coder's values are the higher ones, question by question, by exact sign tests."""
    found = study.diagnosis.directions
    each = [d for d in found.each if d.n]
    if not each:
        return
    several = len({d.question for d in each}) > 1
    known = {(d.first, d.second) for d in each}
    together = [d for d in found.together if d.n] if several else []
    shown = [*each[:MOST_ROWS], *together]
    rows = tuple(
        {
            **d.to_rows()[0], "what": _what(d, several, len(known) > 1),
            "higher": d.up / d.n, "n": d.n, "apart": d in together,
        }
        for d in shown
    )  # fmt: skip
    columns = (
        Column("what", "question" if several else "coders"),
        Column("n_items", "answers" if several else "items", "count", "that both coders gave"),
        Column("n", "differences", "count"),
        Column("up", "up", "count", "the second coder gave the higher value"),
        Column("down", "down", "count", "the first coder gave the higher value"),
        Column("p_value", "p", "p", "exact sign test: both ways equally likely"),
        *((Column("by_item", "p by item", "p", "an item counting once"),) if several else ()),
    )
    notes = [_way(shown), "p: exact sign test, both ways being equally likely by accident."]
    if together:
        notes.append(
            "Answers to several questions about an item depend on each other: “p by item” counts "
            "each item once, by where most of its differences go."
        )
    if len(each) > MOST_ROWS:
        notes.append(f"The first {MOST_ROWS} of {count_of(len(each), 'row')} are shown.")
    table = Table(
        "Which way differences go",
        columns,
        rows,
        tuple(notes),
        depth="detail" if len(rows) > 12 else "main",
    )
    if len(known) > 1 or not several:
        yield replace(table, title=_title(together or each))
        return
    drawn = [{"name": r["what"], "share": r["higher"], "other": 0.5} for r in rows]
    what = (f"differences in which {shown[0].second} is higher (dot)", "half of them (tick)")
    yield Chart(_title(together or each), beside(drawn, title=what), table)


def _what(d: Direction, several: bool, pairs: bool) -> str:
    pair = f"{isolated(d.first)} – {isolated(d.second)}"
    if not several:
        return pair
    question = d.question or "all together"
    return f"{question} · {pair}" if pairs else question


def _way(shown: list[Direction]) -> str:
    """What is up."""
    two = {(d.low, d.high) for d in shown}
    first = shown[0]
    if len(two) == 1 and first.high is not None:
        up, down = quoted(label_text(first.high)), quoted(label_text(first.low))
        return f"Up: the second coder gave {up} where the first gave {down}; down: the other way."
    return "Up: the second coder's value is the higher one, in the order of the scale."


def _title(shown: list[Direction]) -> str:
    """The clearest direction; of all questions together where they are alike."""
    d = min(shown, key=lambda d: d.by_item)
    if not d.by_item * len(shown) < SURE:
        return "Differences go both ways about equally often"
    high, low = map(isolated, (d.second, d.first) if d.up >= d.down else (d.first, d.second))
    where = f" on {d.question}" if d.question else ""
    told = f"In {d.most:,} of {count_of(d.n, 'difference')} ({percent(d.share)}){where}"
    if d.high is not None:
        return (
            f"{told} {high} gave {quoted(d.high)} where {low} gave {quoted(d.low)}, "
            f"{p_text(d.by_item)}"
        )
    return f"{told} between {low} and {high} the value of {high} is higher, {p_text(d.by_item)}"
