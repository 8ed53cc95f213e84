"""The estimated labels: how certain they are, which ones are least, how frequent each is."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

import numpy as np

from ..diagnosis.words import isolated, label_text, quoted
from ..fields import FIELDS, Field, columns, shown
from ..messages import FILE, Action
from ..models.gold import Gold
from ..models.posterior import Posterior
from ..models.sets.scores import SetScores
from ..models.sets.set_posterior import SetPosterior
from ..models.trust.accuracy import Scores, scores
from ..models.trust.coverage import Kept, kept
from ..numbers import count_of, joined, level_text, percent
from .blocks import Actions, Block, Chart, Prose, Table
from .fit_part import CERTAIN, FitPart, One, part_of
from .label_accuracy import accuracy_text
from .model_charts import dots
from .names import cut
from .view import view

__all__ = ["BY_CHANCE", "by_chance", "certainty_text", "majority_text"]

BANDS = (
    (0.99, "0.990 or more"), (CERTAIN, "0.950 to 0.990"), (0.8, "0.800 to 0.950"),
    (0.0, "less than 0.800"),
)  # fmt: skip
"""From which probability, and its name."""
TIE = "no label: a tie"
LEAST_CERTAIN = 200  # items in the list
MOST_CODERS = 12
MOST_DRAWN = 20
BY_CHANCE = "agreement beyond chance is not shown, so the labels may come from noise"


# ------------------------------------------------------------------ the answer in words


@view("answer", of="fit", title="Estimated labels", place=10, help="how certain the labels are")
def answer(
    part: One | FitPart, *, truth: Gold | None = None, keep: float | None = None,
    keep_share: float | None = None, level: float = 0.95,
) -> Iterator[Block]:  # fmt: skip
    """What was fitted, how many labels are certain, and whether they equal the majority vote."""
    fitted = part_of(part)
    votes = fitted.singles[0].votes
    yield Prose(" · ".join([
        fitted.model.name + (", label by label" if fitted.of_sets else ""),
        count_of(votes.n_items, "item"), count_of(votes.n_coders, "coder"),
        count_of(len(votes), "annotation"),
    ]), depth="headline")  # fmt: skip
    if fitted.nothing:
        return
    if by_chance(fitted, level):
        said = [f"Undetermined: {BY_CHANCE}."]
    else:
        said = [certainty_text(fitted), *_expected(fitted), majority_text(fitted)]
    chosen = _chosen(fitted, keep, keep_share)
    if truth is not None:
        said.append(accuracy_text(_scored(fitted, truth, level)))
    if chosen is not None:
        said.append(_of_kept(chosen))
    if truth is not None and chosen is not None:
        own = accuracy_text(_scored(fitted, truth, level, chosen.chosen))
        said.append(f"Of the items that are kept: {own}")
    yield Prose(" ".join(filter(None, said)), depth="headline")


@view("next", of="fit", title="", place=90, help="what can be done next")
def next_steps(part: One | FitPart) -> Iterator[Block]:
    """Further calls that answer what is left open."""
    fitted = part_of(part)
    if any(f.code == "not_categories" for f in fitted.found.findings):
        steps = [Action("agreement", {"scale": "interval"}, "agreement as measurements")]
    elif fitted.nothing:
        steps = [Action("fit", {"gold": FILE}, "learn from items whose label is known")]
    else:
        steps = [
            Action("which_model", {}, "does another model predict the annotations better?"),
            *([Action("fit", {"gold": FILE}, "learn from items whose label is known")]
              if fitted.free.all() else []),
            Action("soft_labels", {}, "keep the distribution of labels where readings differ"),
        ]  # fmt: skip
    yield Actions("Next", tuple(steps))


def _scored(
    fitted: FitPart, truth: Gold, level: float, chosen: Any = None
) -> Scores | SetScores:  # fmt: skip
    """Against known labels, of all items or of some."""
    if isinstance(fitted.found, SetPosterior):
        return fitted.found.score(truth, chosen=chosen)
    return scores(fitted.found, truth, level=level, chosen=chosen)


def _chosen(fitted: FitPart, keep: float | None, keep_share: float | None) -> Kept | None:
    """The items whose labels are certain enough, if somebody asks for them."""
    given = {"confidence": keep, "share": keep_share}
    asked = {name: x for name, x in given.items() if x is not None}
    return kept(cast(Posterior, fitted.found), **asked) if asked else None


def by_chance(fitted: FitPart, level: float) -> bool:
    """Whether agreement beyond chance is not shown, so that labels may come from noise."""
    return not fitted.of_sets and fitted.coders(level)[0].beyond_chance.none


def certainty_text(fitted: FitPart) -> str:
    """How many labels are certain, uncertain and undecided."""
    found, free = fitted.found, fitted.free
    n, tied = int(free.sum()), int((found.tied & free).sum())
    what = "sets of labels" if fitted.of_sets else "labels"
    if not n:
        return "Every label was known."
    n_told = len(free) - n
    told = f" {count_of(n_told, 'control item')} kept the known label." if n_told else ""
    ties = f"; {count_of(tied, 'item is a tie', 'items are ties')} without a label" if tied else ""
    if not fitted.believes:
        return f"{n - tied:,} of {count_of(n, 'item')} have a label by vote{ties}.{told}"
    if found.withheld:
        return f"Undetermined: how certain the {what} are, since {found.withheld}.{told}"
    sure = int((fitted.certain & free).sum())
    some = f"{sure:,} of {n:,} {what} ({percent(sure / n)})" if sure else f"None of {n:,} {what}"
    return (
        f"{some} {'is' if sure < 2 else 'are'} certain (probability of at least "
        f"{shown('confidence', CERTAIN)}){ties}.{told}"
    )


def _expected(fitted: FitPart) -> Iterator[str]:
    """The share of labels that can be expected to be correct."""
    found = fitted.found
    if not fitted.believes:
        yield "Shares of votes are no probabilities that a label is correct."
    elif not found.withheld and fitted.free.any():
        p = found.confidence[fitted.free]
        yield f"An expected {percent(float(p.mean()))} of all labels are correct."


def majority_text(fitted: FitPart) -> str:
    """Whether the labels equal the majority vote; empty for the vote itself."""
    if fitted.model.key == "majority":
        return ""
    other, settled = (int((fitted.changes == x).sum()) for x in ("other", "settled"))
    if not other and not settled:
        return "The labels equal the majority vote."
    parts = [
        *([f"differ from the majority vote for {count_of(other, 'item')}"] if other else []),
        *([f"break {count_of(settled, 'tie')} of it" if other else
           f"break {count_of(settled, 'tie')} of the majority vote"] if settled else []),
    ]  # fmt: skip
    return f"The labels {joined(parts)}."


# ------------------------------------------------------------------ labels and items


@view("labels", of="fit", title="Estimated label of each item", place=110,
      help="the label of each item with its probability")  # fmt: skip
def labels(
    part: One | FitPart, *, keep: float | None = None, keep_share: float | None = None
) -> Iterator[Block]:
    """Every item with its label, or those that are certain enough."""
    fitted = part_of(part)
    rows, notes = fitted.found.to_rows(), list(_about_labels(fitted))
    if (chosen := _chosen(fitted, keep, keep_share)) is not None:
        rows = chosen.to_rows()
        notes.insert(0, _of_kept(chosen))
    every = tuple({**row, "label": _text(row["label"])} for row in rows)
    used = (*columns("item label"), _probability(fitted), *columns("n_annotations"))
    yield Table("", used, every, tuple(notes))


def _text(label: Any) -> Any:
    return label_text(label) if isinstance(label, tuple) else label


def _probability(fitted: FitPart) -> Field:
    field = FIELDS["confidence"]
    if fitted.believes:
        return field.called(field.heading, help="of just this set") if fitted.of_sets else field
    return field.called(fitted.words.confidence, help="")


def _about_labels(fitted: FitPart) -> Iterator[str]:
    if fitted.found.tied.any():
        why = "two are equally probable" if fitted.believes else "two have as many votes"
        yield f"Without a label: ties, where {why}."
    if not fitted.believes:
        yield "Shares of votes are no probabilities that a label is correct."
    elif fitted.found.withheld:
        yield f"Probabilities are undefined, since {fitted.found.withheld}."
    elif fitted.of_sets:
        yield (
            "Each label has a model of its own; a set holds the labels that are more probable than "
            "not. “The final label” is something else: what all coders of an item share."
        )


@view("kept", of="kept", title="Labels that are kept", place=10)
def kept_labels(part: Kept) -> Iterator[Block]:
    """The items whose labels are certain enough."""
    yield Prose(_of_kept(part))
    if part.n_tied:
        yield Prose(f"{count_of(part.n_tied, 'tied item')} left out, having no label.")
    rows = tuple({**row, "label": _text(row["label"])} for row in part.to_rows())
    yield Table("", (*columns("item label"), _probability(part_of(part.posterior))), rows)


def _of_kept(found: Kept) -> str:
    return (
        f"{count_of(len(found), 'item')} of {len(found.chosen):,} kept ({percent(found.share)}): "
        f"{found.rule}."
    )


@view(
    "items", of="fit", title="Least certain items", chapter="estimated_labels", place=115,
    help="the least certain items, with who said what",
)  # fmt: skip
def items(part: One | FitPart) -> Iterator[Block]:
    """The items whose labels are least certain, with all annotations."""
    fitted = part_of(part)
    at = fitted.order[:LEAST_CERTAIN]
    rows = tuple(_item_row(fitted, i, item) for i, item in
                 zip(at.tolist(), fitted.named(at), strict=True))  # fmt: skip
    second = FIELDS["alternative"]
    if fitted.of_sets:
        second = second.called("label most in doubt")
    used = (
        *columns("item label"), _probability(fitted),
        *([second] if any(row["alternative"] for row in rows) else []), FIELDS["labels"],
        *([FIELDS["text"]] if any(row["text"] for row in rows) else []),
    )  # fmt: skip
    notes = (
        "A further annotation would be most informative for these items.", *_about_labels(fitted),
    )  # fmt: skip
    yield Table("", used, rows, notes, keep=("item", "label", "confidence", "labels"))


def _item_row(fitted: FitPart, i: int, item: Any) -> dict[str, Any]:
    return {
        "item": fitted.names[i], "label": _text(fitted.found.labels[i]),
        "confidence": float(fitted.found.confidence[i]), "tied": bool(fitted.found.tied[i]),
        "alternative": fitted.alternative(i), "labels": item.said(MOST_CODERS),
        "text": cut(item.text, 300) if item.text else None,
    }  # fmt: skip


# ------------------------------------------------------------------ how certain, how frequent


@view(
    "certainty", of="fit", title="Certainty of the labels", chapter="estimated_labels", place=105,
    help="how many labels are how certain",
)  # fmt: skip
def certainty(
    part: One | FitPart, *, truth: Gold | None = None, level: float = 0.95
) -> Iterator[Block]:
    """The number of labels in bands of probability."""
    fitted = part_of(part)
    nothing = fitted.nothing or by_chance(fitted, level)
    said = f"Undetermined: {BY_CHANCE}." if nothing else certainty_text(fitted)
    if truth is not None:
        said = f"{said.rstrip('.')}; {accuracy_text(_scored(fitted, truth, level))}"
    yield Prose(said, "headline")
    found, upper, rows = fitted.found, math.inf, []
    for low, name in BANDS:
        inside = (found.confidence >= low) & (found.confidence < upper) & ~found.tied
        errors = {"expected_errors": float((1 - found.confidence[inside]).sum())}
        rows.append(_share(fitted, name, inside) | (errors if fitted.believes else {}))
        upper = low
    if found.tied.any():
        rows.append(_share(fitted, TIE, np.asarray(found.tied)))
    used = (
        FIELDS["name"].called(_probability(fitted).heading), *columns("n_items"),
        FIELDS["share"], *(columns("expected_errors") if fitted.believes else ()),
    )  # fmt: skip
    yield Table("", used, tuple(rows), tuple(_about_labels(fitted)))


def _share(fitted: FitPart, name: str, inside: Any) -> dict[str, Any]:
    n = int(inside.sum())
    row = {"name": name, "n_items": n, "share": n / len(inside) if len(inside) else math.nan}
    return row | dict(fitted.opened(inside, name, len(BANDS) + 1))


CHANGES = {
    "same": "the same", "other": "another label", "settled": "a label where the vote is a tie",
    "tied": TIE,
}  # fmt: skip
"""What the model gives beside the majority vote, see `FitPart.changes`."""


@view(
    "majority", of="fit", title="Comparison with the majority vote", chapter="estimated_labels",
    place=118, help="how many labels differ from the majority vote",
)  # fmt: skip
def majority(part: One | FitPart) -> Iterator[Block]:
    """How many labels equal the majority vote; of sets label by label."""
    fitted = part_of(part)
    rows = tuple(
        _share(fitted, name, fitted.changes == key)
        for key, name in CHANGES.items()
        if key in ("same", "other") or (fitted.changes == key).any()
    )
    used = (FIELDS["name"].called("the model gives"), *columns("n_items share"))
    note = "The majority vote of sets is taken label by label." if fitted.of_sets else (
        "A vote counts every coder alike; a model weighs coders by their errors.")  # fmt: skip
    yield Table("", used, rows, (note,))


@view(
    "prevalence", of="fit", title="Estimated prevalence", chapter="estimated_labels", place=120,
    help="how frequent each category is among items, labels and annotations",
)  # fmt: skip
def prevalence(part: One | FitPart) -> Iterator[Block]:
    """How frequent each category is: as estimated, and among the annotations."""
    fitted = part_of(part)
    rows = tuple(_frequencies(fitted))
    ends = fitted.singles[0].estimate.intervals.get("prevalence")
    share = FIELDS["estimated_share"]
    if not fitted.believes:
        share = share.called("of the items", help="as voted, ties divided")
    used = (
        *columns("category n_labels"), share, *(columns("interval") if ends is not None else ()),
        *columns("share_of_annotations"),
    )  # fmt: skip
    notes = [] if ends is None else [f"{level_text(ends.level)} intervals: {ends.method}."]
    if ends is not None and ends.labels_known:
        notes.append("Since they treat the labels as known, they are too narrow.")
    drawn = sorted(rows, key=lambda row: -row["estimated_share"])[:MOST_DRAWN]
    axis = ["share of the items, as estimated (dot),", "share of the annotations (tick)"]
    definition = dots([_drawn(row) for row in drawn], title=axis, percent=True)
    yield Chart(_most_moved(rows), definition, Table("", used, rows, tuple(notes)))


def _drawn(row: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "name": row["category"], "value": row["estimated_share"], "low": row["low"],
        "high": row["high"], "other": row["mean_share"], "kind": "good",
    }  # fmt: skip


def _frequencies(fitted: FitPart) -> Iterator[dict[str, Any]]:
    """One row for each category, or for each label of sets."""
    for one, label in zip(fitted.singles, fitted.label_names, strict=True):
        ends, total = one.estimate.intervals.get("prevalence"), max(one.votes.counts.sum(), 1)
        for k, category in enumerate(one.categories):
            if fitted.of_sets and k != len(one.categories) - 1:
                continue
            n = (one.codes == k).sum() if not isinstance(fitted.found, SetPosterior) else (
                fitted.found.decided.members[:, fitted.label_names.index(label)].sum())  # fmt: skip
            yield {
                "category": label or isolated(label_text(category)), "n_labels": int(n),
                "estimated_share": float(one.prevalence[k]),
                "low": math.nan if ends is None else float(ends.low[k]),
                "high": math.nan if ends is None else float(ends.high[k]),
                "share_of_annotations": float(one.votes.counts[:, k].sum() / total),
                "mean_share": float(one.votes.shares[:, k].mean()),
            }  # fmt: skip


def _most_moved(rows: Sequence[Mapping[str, Any]]) -> str:
    most = max(rows, key=lambda row: abs(row["estimated_share"] - row["mean_share"]))
    if abs(most["estimated_share"] - most["mean_share"]) < 0.005:
        return "Labels are estimated to be as frequent as they are given"
    return (
        f"{quoted(most['category'])} is {percent(most['mean_share'])} of the annotations and an "
        f"estimated {percent(most['estimated_share'])} of the items"
    )
