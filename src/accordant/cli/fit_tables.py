"""Tables of labels and of fits for `accordant fit --show`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ..diagnosis.view import View
from ..diagnosis.words import label_text
from ..models.model import Model
from ..models.posterior import Posterior
from ..models.trust.coverage import Kept, kept
from ..models.wording import wording
from ..numbers import NOTHING, count_of, level_text
from ..views.document import Column
from .breakdown import Breakdown
from .findings import finding_columns
from .fitted import Fitted, One
from .spoken import spoken

__all__ = [
    "Parts", "calibration", "checks", "convergence", "coverage", "findings", "items",
    "kept_of", "labels", "prevalence", "scores",
]  # fmt: skip

Parts = Iterable[tuple[str | None, Breakdown]]

ITEM, LABEL = Column("item", "item"), Column("label", "label")
LEAST_SURE = 200  # items, unless more are asked for
QUARTERS = (0.25, 0.5, 0.75, 0.9, 1.0)  # of the items, in a table for readers
TIED = "(tied)"


def kept_of(one: One, chosen: Mapping[str, float]) -> Kept:
    """The items whose labels are sure enough; sets of labels have what it takes too."""
    return kept(cast(Posterior, one), **chosen)


# ------------------------------------------------------------------ labels


def labels(found: Fitted) -> Parts:
    """What is probably true of each item."""
    for one in found.each:
        rows = one.to_rows() if not found.asked.kept else kept_of(one, found.asked.kept).to_rows()
        said = [row | {"label": _said(row)} for row in rows]
        columns = (ITEM, LABEL, _confidence(one), Column("n_annotations", "annotations", "count"))
        yield one.question, Breakdown(rows, columns, _about(one), fewer=said)


def items(found: Fitted) -> Parts:
    """The least sure items, with who said what."""
    for one in found.each:
        order = np.lexsort((np.arange(len(one.confidence)), _sureness(one)))
        order = order[: found.asked.most or LEAST_SURE]
        rows = one.to_rows()
        view = View(one.question, one.data)
        names = list(one.data.items)
        place = {_plain(name): k for k, name in enumerate(names)}
        chosen = [rows[i] for i in order.tolist()]
        named = view.items.named(np.array([place[_plain(r["item"])] for r in chosen], int))
        shown = [
            {
                "item": row["item"],
                "label": _said(row),
                "confidence": row["confidence"],
                "tied": row["tied"],
                "said": item.said(),
                "text": item.text,
            }
            for row, item in zip(chosen, named, strict=True)
        ]
        columns = (ITEM, LABEL, _confidence(one), Column("said", "who said what"))
        text = (Column("text", "text"),) if any(row["text"] for row in shown) else ()
        yield one.question, Breakdown(shown, (*columns, *text), _about(one))


def prevalence(found: Fitted) -> Parts:
    """How frequent each category is: among labels, in the model, among annotations."""
    for one in found.each:
        yield one.question, _of_sets(one) if not isinstance(one, Posterior) else _of_labels(one)


def _of_labels(one: Posterior) -> Breakdown:
    given = one.votes.counts.sum(0)
    labelled = np.bincount(one.codes[one.codes >= 0], minlength=len(one.categories))
    ends = one.estimate.intervals.get("prevalence")
    rows = [
        {
            "category": label_text(category),
            "n_labels": int(labelled[k]),
            "prevalence": float(one.prevalence[k]),
            "low": float("nan") if ends is None else float(ends.low[k]),
            "high": float("nan") if ends is None else float(ends.high[k]),
            "share_of_annotations": float(given[k] / max(given.sum(), 1)),
        }
        for k, category in enumerate(one.categories)
    ]
    columns: tuple[Column, ...] = (
        Column("category", "category"), Column("n_labels", "labels", "count"),
        _prevalence(one), Column("interval", "interval", "interval"),
        Column("share_of_annotations", "of annotations", "share"),
    )  # fmt: skip
    if ends is None:
        columns = (*columns[:3], *columns[4:])
    notes = () if ends is None else (f"{level_text(ends.level)} intervals: {ends.method}",)
    said = [row | {"interval": (row["low"], row["high"])} for row in rows]
    return Breakdown(rows, columns, notes, fewer=said)


def _of_sets(one: Any) -> Breakdown:
    rows = [
        {
            "category": label_text(label),
            "n_labels": int(one.decided.members[:, k].sum()),
            "prevalence": float(one.prevalence[k]),
            "share_of_annotations": float(
                p.votes.counts[:, 1].sum() / max(p.votes.counts.sum(), 1)
            ),
        }
        for k, (label, p) in enumerate(zip(one.categories, one, strict=True))
    ]
    columns = (
        Column("category", "label"), Column("n_labels", "items", "count"),
        Column("prevalence", "prevalence", "share"),
        Column("share_of_annotations", "of annotations", "share"),
    )  # fmt: skip
    return Breakdown(rows, columns)


# ------------------------------------------------------------------ what can be relied on


def scores(found: Fitted) -> Parts:
    """The labels beside known ones, category by category."""
    truth = found.asked.truth
    figures = (
        Column("n_true", "true", "count"), Column("precision", "precision", "share"),
        Column("recall", "recall", "share"), Column("f1", "F1", "share"),
    )  # fmt: skip
    for one in found.each:
        if isinstance(one, Posterior):
            made = one.scores(truth, level=found.asked.level)
            rows, name = made.to_rows(), Column("category", "category")
            yield one.question, Breakdown(rows, (name, *figures), (str(made),))
        else:
            sets = one.score(truth)
            rows = sets.to_rows()
            yield one.question, Breakdown(rows, (LABEL, *figures), (str(sets),))


def calibration(found: Fitted) -> Parts:
    """Whether probabilities hold: of labels believed with .9, nine in ten should be right."""
    columns = (
        Column("edges", "confidence"), Column("n", "items", "count"),
        Column("expected", "expected", "value"), Column("observed", "right", "value"),
        Column("interval", "interval", "interval"),
    )  # fmt: skip
    for one in found.singles:
        made = one.calibration(found.asked.truth, level=found.asked.level)
        rows = made.to_rows()
        said = [
            row
            | {
                "edges": f"{row['low_edge']:g} to {row['high_edge']:g}",
                "interval": (row["low"], row["high"]),
            }
            for row in rows
            if row["n"]
        ]
        head = str(made).partition("\n")[0]
        notes = (head, *((made.tempering,) if made.tempering else ()))
        yield one.question, Breakdown(rows, columns, notes, fewer=said)


def coverage(found: Fitted) -> Parts:
    """What accuracy the labels have if only the surest are kept."""
    for one in found.singles:
        made = one.coverage(found.asked.truth)
        rows = made.to_rows()
        at = np.minimum(np.searchsorted(made.share, QUARTERS), len(rows) - 1)
        said = [rows[k] | {"interval": (rows[k]["low"], rows[k]["high"])} for k in np.unique(at)]
        measured = (
            Column("accuracy", "right", "value"), Column("interval", "interval", "interval"),
        )  # fmt: skip
        columns = (
            Column("share", "kept", "share"), Column("n_kept", "items", "count"),
            Column("threshold", wording(one.model).confidence, "value"),
            Column("expected", "expected", "value"),
            *(measured if found.asked.truth else ()),
        )  # fmt: skip
        yield one.question, Breakdown(rows, columns, (made.promise,), fewer=said)


def checks(found: Fitted) -> Parts:
    """Could the model have made these annotations? Replicates beside them."""
    for one in found.singles:
        made = one.checks(rng=found.asked.seed)
        rows = made.to_rows()
        said = [
            {
                "title": c.title, "p": c.p_value, "moved": c.moved,
                "fits": "fits" if c.fits else "does not fit",
            }
            for c in made.each
        ]  # fmt: skip
        columns = (
            Column("title", "what is compared"), Column("fits", "result"), Column("p", "p", "p"),
            Column("moved", "moved", "share"),
        )  # fmt: skip
        notes = (
            f"{count_of(made.n, 'replicate')} of {count_of(made.n_items, 'item')}; moved: the "
            "share that stands elsewhere than the model has it",
            *(spoken(str(f)) for f in made.findings),
        )
        yield one.question, Breakdown(rows, columns, notes, fewer=said)


def convergence(found: Fitted) -> Parts:
    """How the search ended, from each start."""
    columns = (
        Column("start", "start"), Column("objective", "objective"),
        Column("value", "in the end", "value"), Column("n_iterations", "iterations", "count"),
        Column("ended", "ended"),
    )  # fmt: skip
    for one in found.singles:
        runs = (one.estimate.climb, *one.estimate.restarts)
        rows = [
            {
                "start": "the votes" if not k else f"restart {k}",
                "objective": run.objective,
                "value": run.value,
                "n_iterations": run.n_iterations,
                "converged": run.converged,
                "fell": run.fell,
            }
            for k, run in enumerate(runs)
        ]
        if len(rows) > 1:
            rows[0]["start"] = "the best"
        said = [row | {"ended": _ended(row)} for row in rows]
        yield one.question, Breakdown(rows, columns, (one.signature,), fewer=said)


def findings(found: Fitted) -> Parts:
    """What must be known of the labels and the coders."""
    rows = [row for f in found.findings for row in f.to_rows()]
    yield None, Breakdown(rows, finding_columns(several=found.several))


# ------------------------------------------------------------------ words


def _model(one: One) -> Model:
    return (one if isinstance(one, Posterior) else one.each[0]).model


def _sureness(one: One) -> NDArray[np.float64]:
    """(I,) by which items stand; how sure the model is, where its confidence is withheld."""
    if isinstance(one, Posterior):
        return np.asarray(one.standing.max(1))
    return -one.entropy if one.withheld else one.confidence


def _confidence(one: One) -> Column:
    return Column("confidence", wording(_model(one)).confidence, "value")


def _prevalence(one: One) -> Column:
    """A vote knows no more than its labels, with a tie divided."""
    heading = "prevalence" if _model(one).probabilistic else "of the items"
    return Column("prevalence", heading, "share")


def _said(row: Mapping[str, Any]) -> str:
    """The label of a row; of a set what is sure, if a tie leaves something open."""
    if row["label"] is not None:
        return label_text(row["label"])
    return f"{row['sure']} ± {row['open']}" if row.get("open") else TIED


def _about(one: One) -> tuple[str, ...]:
    """What the confidence is."""
    if not _model(one).probabilistic:
        return ("share of votes: an opinion that promises no accuracy",)
    if one.withheld:
        return (f"how sure labels are is not known, since {one.withheld}",)
    of = "confidence: " if isinstance(one, Posterior) else "confidence: of just this set; "
    if one.tempering:
        return (f"{of}tempered. {one.tempering}",)
    return (f"{of}that of the model, which takes coders as independent",)


def _ended(row: Mapping[str, Any]) -> str:
    if row["objective"] == "none":
        return NOTHING
    fell = ", the objective fell" if row["fell"] else ""
    return ("converged" if row["converged"] else "at the limit") + fell


def _plain(x: Any) -> Any:
    return x.item() if hasattr(x, "item") else x
