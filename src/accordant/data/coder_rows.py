"""A row for each coder and a column for each item: a wide table on its side, answers to a form."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from math import log2
from statistics import fmean

import numpy as np

from .column_pairs import agreement
from .evidence import MOST_WORDS, Evidence, Facts, Grid
from .hypotheses import ASKED, ORIENT, OVERLAP, Flip, Hypothesis, name_of
from .names import tidy
from .options import Options
from .plan import Cell

__all__ = ["of_items"]

FEWEST = 4  # items that make a row of them
RESPONDENTS = {"responseid", "responsesid", "submissionid"}  # as surveys number them
STEM = re.compile(r"(.*?)\s*\[([^\[\]]+)\]")


def of_items(grid: Grid, options: Options) -> Iterator[Hypothesis]:
    """A row for each coder: labels agree down the columns rather than along the rows."""
    told = options.coders_in == "rows"
    if not told and (options.item or len(options.coder) > 1 or options.layout):
        return
    who = _coder(grid, options)
    block = _items(grid, who, options)
    n = grid.n
    if not told and (len(block) < FEWEST or n < 2 or not (grid.headed or who is None)):
        return
    evidence = tuple(_evidence(grid, who, block))
    cells = tuple(Cell(c.name) for c in block)
    shape = sorted((n, len(block)))
    flips = tuple[Flip, ...]()
    if not grid.headed and shape[1] <= 2 * shape[0]:
        says = f"the {len(block)} columns are coders and the {n} rows items"
        flips = (Flip(ASKED + 1, says, {"coders_in": "columns"}),)
    yield Hypothesis(
        "turned",
        cells,
        None,
        name_of(who),
        None,
        2 + sum(e.bits for e in evidence),
        evidence,
        flips,
    )


def _coder(grid: Grid, options: Options) -> Facts | None:
    """The column of names; an address counts less than a name, and a time is none."""
    if options.coder:
        return grid[options.coder[0]]
    if options.label or not grid.headed:
        return None

    def likely(c: Facts) -> int:
        named = "name" in c.header.words
        first = c is grid.columns[0] and not c.measure
        return (
            4 * (c.header.role == "coder" and c.kind != "mail")
            + 3 * (named or tidy(c.name) in RESPONDENTS)
            + 2 * (c.kind == "mail" or c.header.role == "coder")
            + first
        )

    found = [c for c in grid.columns if c.unique and c.kind in ("word", "mail", "number")]
    best = max(found, key=likely, default=None)
    return best if best is not None and likely(best) else None


def _items(grid: Grid, who: Facts | None, options: Options) -> list[Facts]:
    """The columns that hold the labels of an item each."""
    if options.label:
        return [grid[name] for name in options.label]
    block = [
        c
        for c in grid.columns
        if c is not who
        and c.kind in ("word", "number")
        and c.header.role is None
        and not (c.header.fact or c.header.remark or "name" in c.header.words)
        and (not c.header.coder or not grid.headed or STEM.fullmatch(c.name))
    ]
    shapes = Counter(re.sub(r"\d+", "#", c.name) for c in block)
    shape, times = shapes.most_common(1)[0] if shapes and grid.headed else ("", 0)
    if "#" in shape and 2 * times > len(block):
        return [c for c in block if re.sub(r"\d+", "#", c.name) == shape]
    stems = Counter(m[1] for c in block if (m := STEM.fullmatch(c.name)))
    if stems and max(stems.values()) > 0.5 * len(block):
        stem = max(stems, key=lambda s: stems[s])
        return [c for c in block if (m := STEM.fullmatch(c.name)) and m[1] == stem]
    if not grid.headed:
        return block
    texts = [c for c in block if len(c.header.words) > MOST_WORDS - 1]
    if 2 * len(texts) > len(block):
        return texts
    pooled = Counter(k for c in block for k in c.values.tolist())
    return [c for c in block if any(pooled[k] > 1 for k in c.values.tolist())]


def _evidence(grid: Grid, who: Facts | None, block: Sequence[Facts]) -> Iterator[Evidence]:
    n, m = grid.n, len(block)
    pooled = Counter(k for c in block for k in c.values.tolist())
    again = [times > 1 for times in pooled.values() for _ in range(times)]
    yield Evidence(
        "overlap", OVERLAP * (fmean(again or [0]) - 0.5), "", "the columns hold the same labels"
    )
    matrix = np.stack([c.keys for c in block]) if block else np.zeros((0, 0), np.int64)
    seen = matrix.shape[1]
    across = agreement(matrix.ravel(), np.repeat(np.arange(m), seen))
    along = agreement(matrix.ravel(), np.tile(np.arange(seen), m))
    yield Evidence(
        "orientation",
        ORIENT * (across - along),
        "",
        f"cells agree more down the {m} columns than along the {n} rows",
    )
    yield Evidence(
        "shape",
        max(-4.0, min(3.0, 1.5 * log2(max(m, 1) / n))),
        "",
        f"there are {m} columns and {n} rows",
    )
    if not grid.headed:
        return
    named = who is not None and (
        who.header.role == "coder" or who.header.coder or tidy(who.name) in RESPONDENTS
    )
    person = who is not None and (who.kind == "mail" or "name" in who.header.words)
    yield Evidence(
        "name",
        3.0 * named + 2.0 * (person and not named),
        name_of(who) or "",
        "the rows name persons",
    )
    shapes = {re.sub(r"\d+", "#", c.name) for c in block}
    asked = all(STEM.fullmatch(c.name) for c in block)
    sentences = fmean(len(c.header.words) > 4 for c in block) > 0.8 if block else False
    yield Evidence(
        "series",
        1.0 * (len(shapes) == 1) + 2.0 * (asked or sentences),
        "",
        "the columns are numbered, or called by one question or text",
    )
    times = any(c.kind == "time" and c.header.fact for c in grid.columns)
    if times and (asked or sentences or person):
        yield Evidence("form", 2.0, "", "each row is an answer to a form, with its time")
    if any(c.header.role == "item" and c is not who and c.unique for c in grid.columns):
        yield Evidence("item", -4.0, "", "a column names an item in each row")
