"""Soft labels, predictions scored against them, and ambiguity of items."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ..fields import FIELDS, Field, columns
from ..models.soft.scores import ModelScores, SoftScores
from ..models.soft.soft_labels import KINDS, SoftLabels
from ..numbers import count_of, decimal, level_text, tied
from .blocks import Block, Prose, Table
from .remarks import remarks
from .view import view

SURE = 0.95
WIDEST = 8  # categories that have a column each
MOST_ITEMS = 25
SCORES = (
    "measure value? interval better perfect? frequencies? majority_label? one_coder? "
    "against_others?"
)
OF_MODELS = {
    "cross_entropy": "cross-entropy",
    "js": "Jensen–Shannon",
    "accuracy": "accuracy",
    "macro_f1": "macro F1",
}
SOURCES = (
    "name total by_coders between_schools by_items by_ambiguous n_ambiguous n_unclear share "
    "interval p_value"
)
AMBIGUOUS = (
    "item label? source? readings? n_annotations? disagreement? expected_by_errors? p_value? "
    "probability? labels? text?"
)


# ------------------------------------------------------------------ soft labels


@view("soft-labels", of="soft", title="Soft labels", place=20)
def soft_labels(soft: SoftLabels) -> Iterator[Block]:
    """The distribution over categories of each item, the most spread first."""
    rows = soft.to_rows()
    own = {f"p_{c}": FIELDS["share"].called(str(c), key=f"p_{c}") for c in soft.categories}
    told = [
        {**row, "n_annotations": row["n"], "most_probable": _first(row, own)}
        for row in sorted(rows, key=lambda row: -tied(row["entropy"]))
    ]
    shown = ["most_probable"] if len(own) > WIDEST else own
    used = columns(["item", "n_annotations", "entropy", *shown], told, **own)
    made = f"Made from {soft.made}." if soft.made else ""
    yield Prose(_spread(soft), "headline")
    yield Table.of(
        used,
        told,
        [f"A soft label is {KINDS[soft.kind]}.", made],
        keep="item entropy",
        most=10,
        every=tuple(rows),
    )
    yield from remarks(("", f) for f in soft.findings)


def _first(row: Mapping[str, Any], own: Mapping[str, Field], most: int = 3) -> str:
    """The most probable categories in a line."""
    top = sorted(own, key=lambda key: -tied(row[key]))[:most]
    return ", ".join(f"{own[key].heading} {decimal(row[key])}" for key in top)


def _spread(soft: SoftLabels) -> str:
    n = len(soft)
    if not n:
        return "There are no items."
    told = [f"{count_of(n, 'item')}, {decimal(float(soft.n.mean()), 1)} annotations each."]
    if not soft.several and soft.counts is None:
        sure = int((soft.top >= SURE).sum())
        told.append(
            f"For {count_of(sure, 'item')} one category has a probability of "
            f"{decimal(SURE)} or more."
        )
    elif soft.counts is not None and not soft.several:
        alone = int((np.count_nonzero(soft.counts, axis=1) <= 1).sum())
        tied = count_of(int(soft.tied.sum()), "is", "are")
        told.append(f"For {count_of(alone, 'item')} all coders give the same label; {tied} tied.")
    mean = f"Mean entropy {decimal(float(soft.entropy.mean()), 2)} bits"
    estimate = soft.entropy_estimate
    if estimate is not None:
        mean += f"; {decimal(float(estimate.mean()), 2)} bits corrected for few annotations"
    return " ".join([*told, f"{mean}."])


# ------------------------------------------------------------------ predictions


@view("scores", of="soft-scores", title="Predictions scored against soft labels", place=20)
def predictions(found: SoftScores) -> Iterator[Block]:
    """Given predictions scored against soft labels."""
    rows = [{**s.row(), "measure": s.name} for s in found.scores]
    facts = [
        count_of(len(found.items), "item"),
        f"{found.n_missing:,} without a prediction" if found.n_missing else "",
        f"{count_of(found.n_extra, 'prediction')} of no item" if found.n_extra else "",
        f"{found.n_tied:,} tied, not in accuracy and F1" if found.n_tied else "",
    ]
    yield Prose(" · ".join(filter(None, facts)), "headline")
    every = tuple(found.to_rows())
    yield Table.of(SCORES, rows, [_scale(found)], keep="measure value better", every=every)
    yield from remarks(("", f) for f in found.findings)


@view("scores", of="model-scores", title="Models scored against soft labels", place=20)
def models(found: ModelScores) -> Iterator[Block]:
    """Given predictions scored against soft labels."""
    first = next(iter(found.each.values()))
    there = {score.measure for score in first.scores}
    used = [*columns("model n_items")]
    for key, name in OF_MODELS.items():
        if key in there:
            used.append(Field(key, name, "value"))
            ends = (f"{key}_low", f"{key}_high")
            used.append(Field(f"{key}_interval", "interval", "interval", ends=ends, of=key))
    notes = (
        f"{_scale(first)} Low is better, for accuracy and F1 high.",
        "The items are the same, so intervals of two models may overlap where their difference is "
        "certain.",
    )
    yield Table.of(used, found.to_rows(), notes, keep=" ".join(["model", *OF_MODELS]))
    yield from remarks(("", f) for f in found.findings)


def _scale(found: SoftScores) -> str:
    how = f"{level_text(found.level)} intervals over items ({found.method})"
    return f"{how}; logarithms in {found.unit}."
