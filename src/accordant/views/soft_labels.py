"""Soft labels, and predictions scored against them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ..fields import FIELDS, Field, columns
from ..models.label_distributions import ENOUGH, KINDS, SoftLabels, opinion
from ..models.prediction_scores import MEASURES, SoftScores
from ..numbers import count_of, decimal, level_text, tied
from .blocks import Block, Prose, Table
from .findings import remarks
from .fit_part import FitPart
from .view import view

WIDEST = 8  # categories that have a column each
SCORES = "model? measure value? interval best? majority_label? frequencies? n_items n_missing?"


@view("soft-labels", of="soft", title="Soft labels", place=20)
def soft_labels(soft: SoftLabels) -> Iterator[Block]:
    """The distribution over categories of each item, the most spread first."""
    yield Prose(_spread(soft), "headline")
    yield _items(soft, [f"A soft label is {KINDS[soft.kind]}."])
    yield from remarks(("", f) for f in soft.findings)


@view("ambiguity", of="fit", title="Coder error or ambiguous items", chapter="ambiguity", place=188)
def ambiguity(fitted: FitPart) -> Iterator[Block]:
    """The spread of the labels of each item beside what errors of coders alone would give."""
    soft = opinion(fitted.found.data, "hierarchical", fitted.found)
    known = not soft.several and not np.isnan(soft.entropy_by_errors).all()
    if not known:
        yield Prose(
            f"No model of single labels says how often coders err, or no item has {ENOUGH} "
            "annotations: errors and several readings look the same."
        )
        return
    here = ~np.isnan(soft.entropy_by_errors)
    seen, by = soft.entropy[here].mean(), soft.entropy_by_errors[here].mean()
    yield Prose(
        f"The labels of an item have a mean entropy of {decimal(float(seen), 2)} bits; errors "
        f"alone would give {decimal(float(by), 2)}.",
        "headline",
    )
    note = (
        "By errors alone: one true label, and each coder errs as usual. An item far above is "
        "hard, or can be read in several ways."
    )
    yield _items(soft, [note])


def _items(soft: SoftLabels, notes: list[str]) -> Table:
    rows = soft.to_rows()
    own = {f"p_{c}": FIELDS["share"].called(str(c), key=f"p_{c}") for c in soft.categories}
    beyond = soft.entropy - np.nan_to_num(soft.entropy_by_errors)
    order = sorted(range(len(rows)), key=lambda i: -tied(float(beyond[i])))
    told = [
        {**rows[i], "n_annotations": rows[i]["n"], "most_probable": _first(rows[i], own)}
        for i in order
    ]
    shown = ["most_probable"] if len(own) > WIDEST else own
    keys = ["item", "n_annotations", "entropy", "entropy_by_errors?", *shown]
    used = columns(keys, told, **own)
    return Table.of(used, told, notes, keep="item entropy", most=10, every=tuple(rows))


def _first(row: Mapping[str, Any], own: Mapping[str, Field], most: int = 3) -> str:
    """The most probable categories in a line."""
    top = sorted(own, key=lambda key: -tied(row[key]))[:most]
    return ", ".join(f"{own[key].heading} {decimal(row[key])}" for key in top)


def _spread(soft: SoftLabels) -> str:
    n = len(soft)
    if not n:
        return "There are no items."
    told = [f"{count_of(n, 'item')}, {decimal(float(soft.n.mean()), 1)} annotations each."]
    if soft.counts is not None and not soft.several:
        alone = int((np.count_nonzero(soft.counts, axis=1) <= 1).sum())
        tied = count_of(int(soft.tied.sum()), "is", "are")
        told.append(f"For {count_of(alone, 'item')} all coders give the same label; {tied} tied.")
    return " ".join([*told, f"Mean entropy {decimal(float(soft.entropy.mean()), 2)} bits."])


@view("scores", of="soft-scores", title="Predictions scored against soft labels", place=20)
def predictions(found: SoftScores) -> Iterator[Block]:
    """Given predictions scored against soft labels."""
    every = found.to_rows()
    rows = [{**row, "measure": MEASURES[row["measure"]]} for row in every]
    notes = (
        f"{level_text(found.level)} intervals over items (bootstrap); logarithms in bits. Low is "
        "better, for accuracy and F1 high.",
        "Best: what the soft labels themselves get.",
    )
    keep = "model measure value"
    yield Table.of(columns(SCORES, rows), rows, notes, keep=keep, every=tuple(every))
    yield from remarks(("", f) for f in found.findings)
