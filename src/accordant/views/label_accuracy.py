"""How accurate the labels are: if only the most certain are kept, and against known labels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ..actions import FILE, Action
from ..errors import RequestError
from ..fields import columns, shown
from ..models.gold import Gold, gold_labels
from ..models.posterior import Posterior
from ..models.set_posterior import SetPosterior, SetScores, label_truth
from ..models.trust.accuracy import Calibration, CoverageCurve, LabelScores
from ..numbers import count_of
from .blocks import Block, Chart, Prose, Table
from .charts import curve, reliability
from .fit_part import FitPart, as_text, by_label, labelled
from .view import view

SHOWN = (0.25, 0.5, 0.75, 0.9, 1.0)  # of the items, in the table of the trade-off
THRESHOLDS = "label? share n_items threshold expected_accuracy? accuracy? interval? n_scored?"
BINS = "label? edges n_items expected_accuracy accuracy interval"
Rows = Sequence[Mapping[str, Any]]


# ------------------------------------------------------------------ coverage and accuracy


@view(
    "coverage",
    of="fit",
    alone="coverage",
    title="Coverage and accuracy",
    chapter="estimated_labels",
    place=170,
)
def coverage(part: FitPart | CoverageCurve, *, truth: Gold | None = None) -> Iterator[Block]:
    """The accuracy of the labels if only the most certain are kept."""
    each = by_label(part, lambda fitted: [x.coverage(own) for x, own in _known(fitted, truth)])
    every = labelled(each, part.question, _thresholds)
    yield Table.of(THRESHOLDS, every, title="All thresholds", depth="evidence")
    found = part.found if isinstance(part, FitPart) else None
    whole = found.coverage() if isinstance(found, SetPosterior) else each[0][1]
    rows = _thresholds(whole)
    if not rows:
        yield Prose("Nothing can be kept: every item is tied, or its label was known.")
    elif whole.n_scored.any() or not np.isnan(whole.expected).all():
        yield _curve(rows)
    if isinstance(part, FitPart) and part.believes and not part.found.withheld:
        yield Prose(_recalibration(part))
    else:
        yield Prose(whole.promise)


def _thresholds(found: CoverageCurve) -> list[dict[str, Any]]:
    names = {"expected": "expected_accuracy", "n_kept": "n_items"}
    return [{names.get(key, key): x for key, x in row.items()} for row in found.to_rows()]


def _curve(rows: Rows) -> Chart:
    """The trade-off, with a table of a few of its points."""
    shares = np.array([row["share"] for row in rows])
    at = np.unique(np.minimum(np.searchsorted(shares, SHOWN), len(rows) - 1))
    few = [rows[k] for k in at.tolist()]
    used = columns(THRESHOLDS, few, share="kept")
    table = Table.of(used, few, keep="share n_items accuracy expected_accuracy")
    keys = {field.key for field in used}
    key = "accuracy" if "accuracy" in keys else "expected_accuracy"
    what = "accuracy on known labels" if key == "accuracy" else "expected accuracy"
    whole = rows[-1]
    said, axis = f"{what.capitalize()}: {shown(key, whole[key])} for all items", what
    if keys >= {"accuracy", "expected_accuracy"}:
        said += f" (expected: {shown('accuracy', whole['expected_accuracy'])})"
        axis = "expected (dashed), on known labels (line)"
    x_title = "items kept, the most certain first"
    drawn = curve(rows, x_title=x_title, y_title=axis, measured=key == "accuracy")
    return Chart(said, drawn, table)


def _recalibration(fitted: FitPart) -> str:
    """How probabilities were recalibrated, and what they would be without."""
    found = fitted.found
    if not found.recalibration:
        return "Where coders err together, these probabilities are too high."
    before = float(found.not_recalibrated.confidence.mean())
    return (
        f"Where coders err together, probabilities are too high. {found.recalibration} The mean "
        f"probability of a label is {shown('confidence', float(found.confidence.mean()))}, "
        f"{shown('confidence', before)} without recalibration."
    )


# ------------------------------------------------------------------ known labels


@view(
    "scores",
    of="fit",
    alone="scores",
    title="Scores against known labels",
    chapter="estimated_labels",
    place=160,
)
def scores(
    part: FitPart | LabelScores | SetScores, *, truth: Gold | None = None, level: float = 0.95
) -> Iterator[Block]:
    """Precision and recall of each category against known labels."""
    found = scored(part, _needed(truth), level) if isinstance(part, FitPart) else part
    yield Prose(accuracy_text(found))
    first = "category" if isinstance(found, LabelScores) else "label"
    rows = as_text(found.to_rows(), first)
    yield Table.of(f"{first} n_true precision recall f1", rows)


def scored(
    fitted: FitPart, truth: Gold, level: float, chosen: Any = None
) -> LabelScores | SetScores:
    """Labels against known ones: of all items, or of those that are chosen."""
    if isinstance(fitted.found, SetPosterior):
        return fitted.found.scores(truth, chosen=chosen)
    return fitted.found.scores(truth, level=level, chosen=chosen)


def accuracy_text(found: LabelScores | SetScores) -> str:
    """The accuracy against known labels; of sets how many are correct, and how nearly."""
    unmatched = f" {found.unmatched.sentence}." if found.unmatched.names else ""
    if isinstance(found, SetScores):
        return (
            f"Of {count_of(found.n_items, 'set')} with known labels "
            f"{shown('share', found.exact)} are correct; Jaccard "
            f"{shown('f1', found.jaccard)}, F1 {shown('f1', found.f1)} (mean over labels "
            f"{shown('f1', found.mean_f1)}).{unmatched}"
        )
    return (
        f"Accuracy against known labels: {shown('accuracy', found.accuracy)} "
        f"{shown('interval', (found.low, found.high))} ({count_of(found.n_items, 'item')})."
        f"{unmatched}"
    )


@view(
    "calibration",
    of="fit",
    alone="calibration",
    title="Calibration",
    chapter="estimated_labels",
    place=165,
)
def calibration(
    part: FitPart | Calibration, *, truth: Gold | None = None, level: float = 0.95
) -> Iterator[Block]:
    """Whether probabilities hold against known labels."""

    def made(fitted: FitPart) -> list[Calibration]:
        known = _known(fitted, _needed(truth))
        return [one.calibration(own, level=level) for one, own in known]

    each = by_label(part, made)
    rows = labelled(each, part.question, _bins)
    if each[0][0]:
        yield Table.of(BINS, rows)
        return
    found = each[0][1]
    notes = [
        f"Expected calibration error {shown('accuracy', found.error)}; log-loss "
        f"{shown('accuracy', found.log_loss)}; Brier score {shown('accuracy', found.brier)} "
        f"({count_of(found.n_items, 'item')}).",
    ]
    title = f"Accuracy on known labels {shown('accuracy', found.accuracy)}"
    drawn = reliability(rows, x_title="probability of the label", y_title="accuracy")
    yield Chart(title, drawn, Table.of(BINS, rows, notes))


def _bins(found: Calibration) -> Iterator[dict[str, Any]]:
    """The rows of the bins that hold items."""
    keys = ("low_edge", "high_edge", "low", "high", "error", "brier", "log_loss")
    for row in found.to_rows():
        if row["n"]:
            yield {
                "n_items": row["n"],
                "expected_accuracy": row["expected"],
                "accuracy": row["observed"],
                **{key: row[key] for key in keys},
            }


def _needed(truth: Gold | None) -> Gold:
    if truth is None:
        raise RequestError("known labels are needed", do=(Action("", {"truth": FILE}),))
    return truth


def _known(fitted: FitPart, truth: Gold | None) -> list[tuple[Posterior, Any]]:
    """Each posterior with its known labels; of sets which items are known to have each label."""
    found = fitted.found
    if isinstance(found, Posterior) or truth is None:
        return [(one, truth) for one in fitted.singles]
    known = gold_labels(truth, found.data).labels
    pairs = zip(found.each, found.categories, strict=True)
    return [(one, label_truth(known, label)) for one, label in pairs]
