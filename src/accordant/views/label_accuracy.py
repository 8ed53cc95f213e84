"""How accurate the labels are: if only the most certain are kept, and against known labels."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ..diagnosis.words import label_text
from ..errors import RequestError
from ..fields import FIELDS, columns, shown
from ..messages import FILE, Action
from ..models.gold import Gold, gold_labels
from ..models.posterior import Posterior
from ..models.sets.label_data import label_truth
from ..models.sets.scores import SetScores
from ..models.sets.set_posterior import SetPosterior
from ..models.trust.accuracy import Scores
from ..models.trust.calibration import Calibration
from ..models.trust.coverage import Coverage
from ..numbers import count_of, percent
from ..scheme import Value
from .blocks import Block, Chart, Prose, Table
from .fit_part import FitPart, One, part_of
from .model_charts import curve, reliability
from .view import view

__all__ = ["accuracy_text", "recalibration_text"]

MOST_POINTS = 100
SHOWN = (0.25, 0.5, 0.75, 0.9, 1.0)  # of the items, in the table of the trade-off
OF_VOTES = (
    "Shares of votes are no probabilities that a label is correct, so there is no expected "
    "accuracy without known labels."
)
BINS = "edges n_items expected_accuracy accuracy interval"
Rows = Sequence[Mapping[str, Any]]


# ------------------------------------------------------------------ coverage and accuracy


@view(
    "coverage", of="fit", title="Coverage and accuracy", chapter="estimated_labels", place=170,
    help="the accuracy of the labels if only the most certain are kept",
)  # fmt: skip
def coverage(part: One | FitPart, *, truth: Gold | None = None) -> Iterator[Block]:
    """The accuracy of the labels that are kept, from the most certain to all."""
    fitted = part_of(part)
    if isinstance(fitted.found, SetPosterior):
        each = zip(fitted.found.each, _by_label(fitted.found, truth), strict=True)
        of_label = [
            {"label": name, **row, "question": fitted.question}
            for name, (one, known) in zip(fitted.label_names, each, strict=True)
            for row in _thresholds(one.coverage(known))
        ]
        yield Table("Label by label", columns(f"label {_keys(of_label)}"), tuple(of_label),
                    depth="evidence")  # fmt: skip
        rows: list[dict[str, Any]] = _of_whole_sets(fitted.found)
    else:
        rows = _thresholds(fitted.found.coverage(truth))
        yield Table("All thresholds", columns(_keys(rows)), tuple(rows), depth="evidence")
    yield from _kept(rows)
    if fitted.believes:
        yield Prose(recalibration_text(fitted))


@view("coverage", of="coverage", title="Coverage and accuracy", place=10)
def coverage_alone(part: Coverage) -> Iterator[Block]:
    """The same for a curve by itself."""
    if not len(part.n_kept):
        yield Prose("Nothing can be kept: every item is a control item, whose label was known.")
        return
    yield from _kept(_thresholds(part))
    yield Prose(part.promise)


def _thresholds(found: Coverage) -> list[dict[str, Any]]:
    names = {"expected": "expected_accuracy", "n_kept": "n_items"}
    return [{names.get(key, key): x for key, x in row.items()} for row in found.to_rows()]


def _keys(rows: Rows) -> str:
    expects = any(not math.isnan(row["expected_accuracy"]) for row in rows)
    return (
        f"share n_items threshold{' expected_accuracy' if expects else ''}"
        f"{' accuracy interval n_scored' if _measured(rows) else ''}"
    )


def _measured(rows: Rows) -> bool:
    return any(row["n_scored"] for row in rows)


def _kept(rows: Rows) -> Iterator[Block]:
    """The curve, with a table of a few of its points."""
    keys, measured = _keys(rows), _measured(rows)
    expects = "expected_accuracy" in keys
    if not rows or not (expects or measured):
        yield Prose(OF_VOTES)
        return
    shares = np.array([row["share"] for row in rows])
    at = np.unique(np.minimum(np.searchsorted(shares, SHOWN), len(rows) - 1))
    used = [c.called("kept") if c.key == "share" else c for c in columns(keys)]
    keep = ("share", "n_items", "accuracy", "expected_accuracy")
    table = Table("", tuple(used), tuple(rows[k] for k in at.tolist()), keep=keep)
    y = "accuracy on known labels" if measured else "expected accuracy"
    definition = curve(
        [{**row, "expected": row["expected_accuracy"]} for row in rows],
        x_title="items kept, the most certain first", measured=measured,
        y_title="expected (dashed), on known labels (line)" if measured and expects else y,
    )  # fmt: skip
    yield Chart(_trade_off(rows, y, expects=expects), definition, table)


def _of_whole_sets(found: SetPosterior) -> list[dict[str, Any]]:
    """The same of whole sets, of which there is no accuracy by thresholds yet."""
    confidence = -np.sort(-found.confidence[~found.tied])
    n = len(confidence)
    if not n or found.withheld:
        return []
    last = np.flatnonzero(np.append(np.diff(confidence) < -1e-12, True))
    ends = last[np.unique(np.linspace(0, len(last) - 1, MOST_POINTS).astype(int))]
    expected = np.cumsum(confidence)[ends] / (ends + 1)
    if not found.each[0].model.probabilistic:
        expected = np.full(len(ends), math.nan)
    return [
        {
            "threshold": float(confidence[k]), "n_items": k + 1, "share": (k + 1) / n,
            "expected_accuracy": x, "accuracy": math.nan, "low": math.nan, "high": math.nan,
            "n_scored": 0,
        }
        for k, x in zip(ends.tolist(), expected.tolist(), strict=True)
    ]  # fmt: skip


def _trade_off(rows: Rows, what: str, *, expects: bool) -> str:
    whole, half = rows[-1], min(rows, key=lambda row: abs(row["share"] - 0.5))
    key = "accuracy" if _measured(rows) else "expected_accuracy"
    said = f"{what.capitalize()}: {shown(key, whole[key])} for all items"
    if _measured(rows) and expects:
        said += f" (expected: {shown('accuracy', whole['expected_accuracy'])})"
    if half is whole or math.isnan(half[key]):
        return said
    return f"{said}, {shown(key, half[key])} for the most certain {percent(half['share'], 0)}"


def recalibration_text(fitted: FitPart) -> str:
    """How probabilities were recalibrated, and what they would be without."""
    found, about = fitted.found, "Models of coders take errors as independent"
    if not found.tempering:
        return f"{about}: where coders err together, these probabilities are too high."
    if all(one.tau == 1 for one in fitted.singles):
        why = "" if fitted.of_sets else f" {found.tempering}"
        return f"{about}; the probabilities are not recalibrated (temperature τ = 1).{why}"
    own = float(found.untempered.confidence.mean())
    return (
        f"{about}; where coders err together, probabilities are too high, so they are recalibrated "
        f"(temperature τ). {found.tempering} The mean probability of a label is "
        f"{shown('confidence', float(found.confidence.mean()))}, without recalibration "
        f"{shown('confidence', own)}."
    )


# ------------------------------------------------------------------ known labels


@view(
    "scores", of="fit", title="Scores against known labels", chapter="estimated_labels", place=160,
    help="precision and recall of each category against known labels",
)  # fmt: skip
def scores(
    part: One | FitPart, *, truth: Gold | None = None, level: float = 0.95
) -> Iterator[Block]:
    """Precision, recall and F1 of each category against known labels."""
    found = part_of(part).found
    known = _needed(truth)
    yield from scores_alone(
        found.scores(known, level=level) if isinstance(found, Posterior) else found.score(known)
    )


@view("scores", of="scores", title="Scores against known labels", place=10)
def scores_alone(part: Scores | SetScores) -> Iterator[Block]:
    """The same for scores by themselves."""
    yield Prose(" ".join([accuracy_text(part), *_not_counted(part)]))
    first = FIELDS["category" if isinstance(part, Scores) else "label"]
    rows = tuple({**row, first.key: label_text(row[first.key])} for row in part.to_rows())
    yield Table("", (first, *columns("n_true precision recall f1")), rows)


def accuracy_text(found: Scores | SetScores) -> str:
    """The accuracy against known labels; of sets how many are correct, and how nearly."""
    unmatched = f" {found.unmatched.sentence}." if found.unmatched.names else ""
    if isinstance(found, SetScores):
        return (
            f"Against known labels, {shown('share', found.exact)} of "
            f"{count_of(found.n_items, 'set')} are correct; Jaccard {shown('f1', found.jaccard)}, "
            f"F1 {shown('f1', found.f1)} (mean over labels {shown('f1', found.mean_f1)}), Hamming "
            f"loss {shown('f1', found.wrong)}.{unmatched}"
        )
    return (
        f"Accuracy against known labels: {shown('accuracy', found.accuracy)} "
        f"{shown('interval', (found.low, found.high))} ({count_of(found.n_items, 'item')})."
        f"{unmatched}"
    )


def _not_counted(found: Scores | SetScores) -> Iterator[str]:
    worth = {"share": "share credit", "wrong": "count as wrong", "left out": "are left out"}
    if isinstance(found, Scores):
        if found.n_tied:
            yield f"{count_of(found.n_tied, 'tie')}: ties {worth[found.ties]}."
        if found.n_told:
            yield f"{count_of(found.n_told, 'control item')} not counted: the model was told them."


def _needed(truth: Gold | None) -> Gold:
    if truth is None:
        raise RequestError("known labels are needed to score by", do=(Action("", {"truth": FILE}),))
    return truth


@view(
    "calibration", of="fit", title="Calibration", chapter="estimated_labels", place=165,
    help="whether probabilities hold against known labels",
)  # fmt: skip
def calibration(
    part: One | FitPart, *, truth: Gold | None = None, level: float = 0.95
) -> Iterator[Block]:
    """How often labels of a probability are correct; of sets label by label."""
    fitted, known = part_of(part), _needed(truth)
    if isinstance(fitted.found, Posterior):
        yield _calibration(fitted.found.calibration(known, level=level))
        return
    rows = tuple(
        {"label": name, **_bin(row), "question": fitted.question}
        for name, one, own in zip(
            fitted.label_names, fitted.singles, _by_label(fitted.found, known), strict=True
        )
        for row in one.calibration(own, level=level).to_rows()
        if row["n"]
    )
    yield Table("", columns(f"label {BINS}"), rows)


@view("calibration", of="calibration", title="Calibration", place=10)
def calibration_alone(part: Calibration) -> Iterator[Block]:
    """The same for one comparison by itself, with how probabilities were recalibrated."""
    yield _calibration(part)
    if part.tempering:
        yield Prose(part.tempering)


def _calibration(part: Calibration) -> Chart:
    rows = tuple(_bin(row) for row in part.to_rows() if row["n"])
    notes = [
        f"Expected calibration error {shown('accuracy', part.error)}; log-loss "
        f"{shown('accuracy', part.log_loss)} "
        f"{shown('interval', (part.log_loss_low, part.log_loss_high))}; Brier score "
        f"{shown('accuracy', part.brier)} ({count_of(part.n_items, 'item')}).",
        *([] if part.beliefs else ["Shares of votes were read as probabilities."]),
    ]  # fmt: skip
    expected = sum(r["expected_accuracy"] * r["n_items"] for r in rows) / part.n_items
    title = (
        f"Expected accuracy {shown('accuracy', expected)}, accuracy on known labels "
        f"{shown('accuracy', part.accuracy)}"
    )
    drawn = [{**r, "expected": r["expected_accuracy"], "observed": r["accuracy"]} for r in rows]
    definition = reliability(drawn, x_title="probability of the label", y_title="accuracy")
    return Chart(title, definition, Table("", columns(BINS), rows, tuple(notes)))


def _bin(row: Mapping[str, Any]) -> dict[str, Any]:
    keys = ("low_edge", "high_edge", "low", "high", "error", "brier", "log_loss")
    return {
        "n_items": row["n"], "expected_accuracy": row["expected"], "accuracy": row["observed"],
        **{key: row[key] for key in keys},
    }  # fmt: skip


def _by_label(
    found: SetPosterior, truth: Gold | None
) -> Iterator[Mapping[Hashable, Value] | None]:  # fmt: skip
    """Of each label, which items are known to have it."""
    known = None if truth is None else gold_labels(truth, found.data).labels
    for label in found.categories:
        yield None if known is None else label_truth(known, label)
