"""What accuracy labels promise if only the surest are kept, and whether the promise holds."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..diagnosis.words import quoted
from ..errors import AccordantError
from ..models.posterior import Posterior
from ..numbers import count_of, decimal, interval, percent
from .document import Block, Chart, Column, Prose, Table
from .fitted import Fitted
from .model_charts import curve, reliability

__all__ = ["promise_blocks"]

MOST_POINTS = 100
SHOWN = (0.25, 0.5, 0.75, 0.9, 1.0)  # of the items, in the table
SURE = 0.999  # what models of coders claim too often


def promise_blocks(fitted: Fitted) -> Iterator[Block]:
    """The curve of coverage, why the beliefs were tempered, and how they compare with a truth."""
    if not fitted.believes and not fitted.known:
        yield Prose(
            "Shares of votes are no estimates of accuracy. Known labels (a coder, a column or a "
            "file) show how right these labels are; the pooled model estimates a probability for "
            f"each label.{_unused(fitted)}"
        )
        return
    rows = _coverage(fitted)
    if rows:
        yield _chart(fitted, rows)
    if fitted.believes:
        yield Prose(_tempering(fitted))
    yield from _calibration(fitted)


def _coverage(fitted: Fitted) -> list[dict[str, Any]]:
    shown = fitted.found
    if isinstance(shown, Posterior):
        try:
            found = shown.coverage(dict(fitted.known) if fitted.known else None)
        except AccordantError:  # no item of the truth is among these
            found = shown.coverage()
        return found.to_rows()
    confidence = -np.sort(-shown.confidence[~shown.tied])
    n = len(confidence)
    if not n:
        return []
    last = np.flatnonzero(np.append(np.diff(confidence) < -1e-12, True))
    ends = last[np.unique(np.linspace(0, len(last) - 1, MOST_POINTS).astype(int))]
    expected = np.cumsum(confidence)[ends] / (ends + 1)
    return [
        {
            "question": shown.question, "threshold": float(confidence[k]), "n_kept": int(k) + 1,
            "share": (int(k) + 1) / n, "expected": float(x), "accuracy": math.nan,
            "low": math.nan, "high": math.nan, "n_scored": 0,
        }
        for k, x in zip(ends.tolist(), expected.tolist(), strict=True)
    ]  # fmt: skip


def _chart(fitted: Fitted, rows: list[dict[str, Any]]) -> Chart:
    measured = any(row["n_scored"] for row in rows)
    expects = fitted.believes
    shares = np.array([row["share"] for row in rows])
    at = np.unique(np.minimum(np.searchsorted(shares, SHOWN), len(rows) - 1))
    table = Table(
        "If only the surest labels are kept",
        (
            Column("share", "kept", "share"),
            Column("n_kept", "items", "count"),
            Column("threshold", "probability of", "value", "least probability of a label kept"),
            *((Column("expected", "expected right", "share"),) if expects else ()),
            *((
                Column("accuracy", "right", "share", "of the labels that are known"),
                Column("interval", "its interval", "interval"),
                Column("n_scored", "known", "count"),
            ) if measured else ()),
        ),
        tuple({**rows[k], "interval": (rows[k]["low"], rows[k]["high"])} for k in at.tolist()),
        (
            *(("Right: against the labels of "
               f"{quoted(fitted.gold)}, which the model has not seen.",) if measured else ()),
            "Items are kept from the most certain label down (Hovy et al. 2013).",
        ),
        depth="detail",
    )  # fmt: skip
    drawn = [r if expects else {**r, "expected": math.nan} for r in rows]
    y = "labels right"
    if measured and expects:
        y = "expected (dashed), right (line)"
    elif expects:
        y = "expected to be right"
    definition = curve(drawn, x_title="items kept, the surest first", y_title=y, measured=measured)
    return Chart(_says(rows, measured, expects), definition, table)


def _says(rows: list[dict[str, Any]], measured: bool, expects: bool) -> str:
    whole = rows[-1]
    half = min(rows, key=lambda row: abs(row["share"] - 0.5))
    key = "accuracy" if measured else "expected"
    verb = "are right" if measured else "are expected to be right"
    said = f"{percent(whole[key])} of all labels {verb}"
    if measured and expects:
        said += f", {percent(whole['expected'])} were expected"
    if half is whole or math.isnan(half[key]):
        return said
    return f"{said}; of the surest {percent(half['share'], 0)}, {percent(half[key])}"


def _tempering(fitted: Fitted) -> str:
    shown = fitted.found
    each = [shown] if isinstance(shown, Posterior) else list(shown.each)
    taus = [one.tau for one in each]
    about = (
        "Models of coders take the errors of coders as independent; where coders err together, "
        "their beliefs are too sure. A factor τ tempers them: labels stay, and the smaller it is, "
        "the less sure they are."
    )
    if len(each) == 1:
        raw = fitted.singles[0].untempered
        sure = int((raw.confidence > SURE).sum())
        left = int((each[0].confidence > SURE).sum())
        without = (
            f" Without it the model would be surer than {percent(SURE)} of "
            f"{count_of(sure, 'label')} instead of {left:,}."
            if each[0].tau < 1 and sure > left
            else ""
        )
        return f"{about} Here {each[0].tempering}{without}{_unchecked(fitted)}"
    low, high = min(taus), max(taus)
    span = decimal(low, 2) if high - low < 0.005 else f"{decimal(low, 2)} to {decimal(high, 2)}"
    return f"{about} By label, τ is {span}.{_unchecked(fitted)}"


def _unchecked(fitted: Fitted) -> str:
    if fitted.known:
        return ""
    return (
        " Whether the probabilities are calibrated cannot be tested without known labels."
        f"{_unused(fitted)}"
    )


def _unused(fitted: Fitted) -> str:
    """What stands in the data and was not asked for."""
    if not fitted.unused:
        return ""
    name = fitted.unused[0]
    return f" The column {quoted(name)} seems to hold known labels and was not used."


def _calibration(fitted: Fitted) -> Iterator[Block]:
    shown = fitted.found
    if not fitted.known or not isinstance(shown, Posterior):
        return
    try:
        found = shown.calibration(dict(fitted.known))
    except AccordantError as error:
        yield Prose(f"The labels of {quoted(fitted.gold)} could not be compared: {error}.")
        return
    rows = tuple(
        {
            **row, "name": f"{percent(row['low_edge'])} to {percent(row['high_edge'])}",
            "interval": (row["low"], row["high"]),
        }
        for row in found.to_rows() if row["n"]
    )  # fmt: skip
    columns = (
        Column("name", "probability of the label"),
        Column("n", "items", "count"),
        Column("expected", "expected right", "share"),
        Column("observed", "right", "share"),
        Column("interval", "its interval", "interval"),
    )
    table = Table(
        "How sure, how right", columns, rows,
        (
            f"Mean distance of expected and right: {decimal(found.error)} (expected calibration "
            f"error); log-loss {decimal(found.log_loss)} "
            f"{interval(found.log_loss_low, found.log_loss_high)}; Brier score "
            f"{decimal(found.brier)}. Known labels: those of {quoted(fitted.gold)}, "
            f"{count_of(found.n_items, 'item')}.",
            *(() if found.beliefs else ("Shares of votes were read as beliefs here.",)),
        ),
        depth="detail",
    )  # fmt: skip
    expected = sum(r["expected"] * r["n"] for r in rows) / found.n_items
    title = (
        f"Labels are expected to be right in {percent(expected)} of the cases, and are in "
        f"{percent(found.accuracy)}"
    )
    drawn = reliability(rows, x_title="probability of the label", y_title="labels that are right")
    yield Chart(title, drawn, table)
