"""Precision, recall and F1 of each coder on each category (Hoek & Scholman 2017, section 4)."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ..diagnosis.scores import Scores
from ..diagnosis.words import isolated, label_text, quoted
from ..numbers import NOTHING, count_of, decimal
from .document import Block, Cell, Column, Matrix, Table
from .names import begun
from .study import Part

__all__ = ["score_blocks"]

MOST_CODERS = 24  # rows of the matrix
MOST_CATEGORIES = 24
MOST_ROWS = 120
FEW = 5  # a category that is right less often is not named


def score_blocks(part: Part) -> Iterator[Block]:
    """A matrix of F1, where more than two coders are compared, and a list of everything."""
    if part.continuous or part.found.counts.n_values < 2:
        return
    found = part.found.scores
    if found is None or not found.coders or not (found.tp + found.fp + found.fn).any():
        return
    if len(found.coders) > 2:
        yield _matrix(found)
    yield _list(found)


def _right(found: Scores) -> str:
    """What counts as right, in words."""
    if found.gold is not None:
        return f"what {isolated(found.gold)} gave counts as right"
    return "what another coder of the item gave counts as right, coder by coder"


def _matrix(found: Scores) -> Matrix:
    rows = range(min(len(found.coders), MOST_CODERS))
    used = np.argsort(-(found.tp + found.fn).sum(0), kind="stable")[:MOST_CATEGORIES]
    shown = sorted(used.tolist())
    cells = tuple(tuple(_cell(found, c, k) for k in shown) for c in rows)
    notes = [
        f"F1 of each coder on each category; {_right(found)}. Below it, in small print, precision "
        "(how much of what the coder gave was right) and recall (how much of what was right the "
        "coder gave). Precision below recall: given too readily; above: too rarely."
    ]
    hidden = len(found.coders) + found.left_out - len(rows)
    if hidden:
        notes.append(f"The {len(rows)} busiest coders are shown; {hidden:,} more are not.")
    if len(shown) < len(found.categories):
        notes.append(f"The {len(shown)} most frequent of {len(found.categories):,} categories.")
    return Matrix(
        _title(found), "coder", "category",
        tuple(found.coders[c] for c in rows),
        tuple(label_text(found.categories[k]) for k in shown),
        cells, notes=tuple(notes),
    )  # fmt: skip


def _cell(found: Scores, c: int, k: int) -> Cell:
    f1, precision, recall = (float(x[c, k]) for x in (found.f1, found.precision, found.recall))
    who, what = found.coders[c], label_text(found.categories[k])
    if math.isnan(f1):
        return Cell(NOTHING, f1, spoken=f"{who}, {what}: given by nobody")
    both = f"{decimal(precision, 2)} / {decimal(recall, 2)}"
    spoken = (
        f"{who}, {what}: F1 {decimal(f1)}, precision {decimal(precision)}, recall {decimal(recall)}"
    )
    return Cell(decimal(f1, 2), f1, max(0, min(10, round(10 * f1))), "agree", None, spoken, both)


def _title(found: Scores) -> str:
    """The coder and category with the lowest F1 among those that are not too rare."""
    often = np.where(found.tp + found.fn >= FEW, found.f1, np.nan)
    if np.isnan(often).all():
        return "Each coder on each category"
    c, k = divmod(int(np.nanargmin(often)), len(found.categories))
    return (
        f"{isolated(found.coders[c])} is farthest from the others on "
        f"{quoted(found.categories[k])}: F1 {decimal(float(found.f1[c, k]))}"
        if found.gold is None
        else f"{isolated(found.coders[c])} is farthest from {isolated(found.gold)} on "
        f"{quoted(found.categories[k])}: F1 {decimal(float(found.f1[c, k]))}"
    )


def _list(found: Scores) -> Table:
    one = len(found.coders) == 2 and found.gold is None  # of the other precision is recall
    scored = [s for s in found if s.tp + s.fp + s.fn and (not one or s.coder == found.coders[0])]
    columns = (
        *(() if one else (Column("coder", "coder"),)),
        Column("category", "category"),
        Column("given", "given", "count", "how often the coder gave it"),
        Column("right", "right", "count", "how often it was right"),
        Column("precision", "precision", "value", "how much of what the coder gave was right"),
        Column("recall", "recall", "value", "how much of what was right the coder gave"),
        Column("f1", "F1", "value", "2 × precision × recall / (precision + recall)"),
    )
    rows = tuple(
        {
            **s.to_rows()[0], "category": label_text(s.category),
            "given": s.tp + s.fp, "right": s.tp + s.fn,
        }
        for s in scored[:MOST_ROWS]
    )  # fmt: skip
    notes = [] if len(found.coders) > 2 else [f"{begun(_right(found))}."]  # else it stands above
    title = "Precision, recall and F1 by coder and category"
    if one:
        first, second = map(isolated, found.coders)
        notes = [f"What {second} gave counts as right; the other way round precision is recall."]
        title = f"Precision, recall and F1 of {first} against {second}"
    if len(scored) > MOST_ROWS:
        notes.append(f"The first {MOST_ROWS} of {count_of(len(scored), 'row')} are shown.")
    return Table(title, columns, rows, tuple(notes), depth="detail")
