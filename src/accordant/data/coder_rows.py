"""A row for each coder and a column for each item."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from math import log2
from statistics import fmean

import numpy as np

from .evidence import Evidence, Grid, agreement
from .hypotheses import ORIENT, OVERLAP, Hypothesis, name_of
from .options import Options
from .plan import Cell

__all__ = ["of_items"]


def of_items(grid: Grid, options: Options) -> Iterator[Hypothesis]:
    """A row for each coder and a column for each item: the wide table on its side."""
    if options.coders_in != "rows" and (options.item or options.label):
        return
    n, columns = grid.n, grid.columns
    who = next(
        (c for c in columns if c.name in options.coder
         or (not options.coder and c.unique and c.kind != "time"
         and (c.header.role == "coder" or c.kind == "mail" or c is columns[0]))), None,
    )  # fmt: skip
    block = [
        c for c in columns
        if c is not who and c.kind in ("word", "number") and c.header.role is None
        and not (c.header.fact or c.header.remark) and (not c.header.coder or not grid.headed)
    ]  # fmt: skip
    stems = Counter(re.split(r"[\[(:]", c.name)[0] for c in block if re.search(r"[\[(:]", c.name))
    if stems and max(stems.values()) > 0.5 * len(block):
        stem = max(stems, key=lambda s: stems[s])
        block = [c for c in block if c.name.startswith(stem)]
    if len(block) < 4 or len(block) < n or n < 2:
        return
    pooled = Counter(k for c in block for k in c.values.tolist())
    block = [c for c in block if fmean(pooled[k] > 1 for k in c.values.tolist()) >= 0.5]
    if len(block) < 4:
        return
    again = [m > 1 for m in pooled.values() for _ in range(m)]
    matrix = np.stack([c.keys for c in block])
    across = agreement(matrix.ravel(), np.repeat(np.arange(len(block)), n))
    along = agreement(matrix.ravel(), np.tile(np.arange(n), len(block)))
    shapes = {re.sub(r"\d+", "#", c.name) for c in block}
    series = len(shapes) == 1 or all("[" in c.name for c in block)
    named = who is not None and (who.header.role == "coder" or who.header.coder)
    evidence = (
        Evidence("overlap", OVERLAP * (fmean(again) - 0.5), "", "the columns hold the same labels"),
        Evidence("orientation", ORIENT * (across - along), "",
                 f"cells agree more down the {len(block)} columns than along the {n} rows"),
        Evidence("shape", min(3.0, 1.5 * log2(len(block) / n)), "",
                 "there are more columns than rows"),
        Evidence("name", (3.0 * named + 1.5 * (who is not None and who.kind == "mail") + series)
                 * grid.headed, "", "the rows name persons, the columns are numbered"),
    )  # fmt: skip
    bits = 2 + sum(e.bits for e in evidence)
    yield Hypothesis("turned", tuple(Cell(c.name) for c in block), None, name_of(who), None, bits,
                  evidence)  # fmt: skip
