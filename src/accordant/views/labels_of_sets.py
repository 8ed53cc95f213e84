"""Which labels the coders gave, where an annotation may hold several."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..diagnosis.label_sets import CoderSets, Structure
from ..diagnosis.words import label_text, quoted
from ..numbers import joined, percent
from .charts import spread
from .document import Block, Chart, Column, Table
from .sizes import telling
from .study import Part

__all__ = ["labels_of_sets", "lead_of_sets"]

MOST_ROWS = 200
MOST_DOTS = 12  # labels of the chart
MOST_DRAWN = 100  # coders of the chart
MOST_COLUMNS = 8  # coders with a column of their own


def lead_of_sets(found: Structure) -> str:
    """The most frequent label, and those that nobody gave."""
    every = found.everybody
    if not every.n_labels:
        return "No label was given."
    top = max(range(len(found.categories)), key=lambda k: every.n_by_label[k])
    held = every.n_by_label[top] / every.n_annotations
    lead = (
        f"{quoted(found.categories[top])} makes up {percent(every.share_by_label[top])} of all "
        f"labels and stands in {percent(held)} of the annotations."
    )
    unused = [c for c, n in zip(found.categories, every.n_by_label, strict=True) if not n]
    return lead + (f" Never used: {joined(map(quoted, unused))}." if unused else "")


def labels_of_sets(part: Part) -> Iterator[Block]:
    """How often each label was given, by whom."""
    found = part.found.structure
    if found is None:
        return
    n = np.array(found.everybody.n_by_label)
    order = np.argsort(-n, kind="stable")[:MOST_ROWS].tolist()
    if part.found.scheme.declared:
        order = sorted(order)
    table = _table(found, order)
    known = [c for c in found.coders if c.n_labels]
    if len(known) < 2 or len(n) < 2:
        yield table
    else:
        yield Chart(_title(found, telling(found)), _dots(found, known, order[:MOST_DOTS]), table)


def _table(found: Structure, order: list[int]) -> Table:
    every = found.everybody
    own = found.coders if 1 < len(found.coders) <= MOST_COLUMNS else ()
    rows: tuple[dict[str, Any], ...] = tuple(
        {
            "label": label_text(found.categories[k]),
            "n": every.n_by_label[k],
            "share": every.share_by_label[k],
            "held": _held(every, k),
            **{f"coder {c}": _held(coder, k) for c, coder in enumerate(own)},
        }
        for k in order
    )
    columns = (
        Column("label", "label"),
        Column("n", "times", "count"),
        Column("share", "of all labels", "bar"),
        Column("held", "of annotations", "share", "annotations that hold the label"),
        *(Column(f"coder {c}", str(coder.coder), "share") for c, coder in enumerate(own)),
    )
    notes = [
        *(["The columns of the coders are shares of their annotations that hold the label; since "
           "an annotation may hold several, they add up to more than 100 %."] if own else []),
        *([f"The {len(order)} most frequent of {len(found.categories):,} labels are shown."]
          if len(order) < len(found.categories) else []),
    ]  # fmt: skip
    return Table(
        "Labels", columns, rows, tuple(notes), depth="detail" if len(rows) > 30 else "main"
    )


def _held(c: CoderSets, k: int) -> float:
    """Share of the annotations that hold a label."""
    return c.n_by_label[k] / c.n_annotations if c.n_annotations else math.nan


def _title(found: Structure, known: list[CoderSets]) -> str:
    """Where coders differ most in how often they give a label."""
    share = np.array([[_held(c, k) for k in range(len(found.categories))] for c in known])
    if len(share) < 2:
        return "How often each label was given"
    k = int((share.max(0) - share.min(0)).argmax())
    return (
        f"Coders differ most in {quoted(found.categories[k])}, which they give to "
        f"{percent(float(share[:, k].min()))} to {percent(float(share[:, k].max()))} of their items"
    )


def _dots(found: Structure, known: list[CoderSets], order: list[int]) -> dict[str, Any]:
    names = [label_text(found.categories[k]) for k in order]
    busiest = sorted(known, key=lambda c: -c.n_annotations)[:MOST_DRAWN]
    rows = [
        {"name": name, "coder": c.coder, "share": _held(c, k)}
        for name, k in zip(names, order, strict=True)
        for c in (found.everybody, *busiest)
    ]
    return spread(rows, names, title="share of a coder's annotations (tick: of all annotations)")
