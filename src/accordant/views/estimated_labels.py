"""The estimated labels: how certain, how frequent and how accurate they are, which are least so."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ..actions import FILE, Action
from ..errors import RequestError
from ..fields import FIELDS, Field, columns, shown
from ..messages import isolated, label_text, quoted
from ..models.gold import Gold, gold_labels
from ..models.label_checks import DIFFER, MANY, ToCheck, certain_labels, to_check_next
from ..models.model import VOTE
from ..models.posterior import OF_VOTES, Kept, Posterior
from ..models.set_posterior import SetPosterior, SetScores, label_truth
from ..models.trust.accuracy import Calibration, CoverageCurve, LabelScores
from ..numbers import ESTIMATED, count_of, joined, level_text, percent, tied
from .blocks import Block, Chart, Fold, Prose, Quotation, Table
from .charts import curve, dots, reliability
from .findings import remarks
from .fit_part import CERTAIN, FitPart, annotated, as_text, by_label, labelled, part_of
from .view import view

BANDS = (
    (0.99, math.inf, "0.990 or more"),
    (CERTAIN, 0.99, "0.950 to 0.990"),
    (0.8, CERTAIN, "0.800 to 0.950"),
    (0.0, 0.8, "less than 0.800"),
)
TIE = "no label: a tie"
LEAST_CERTAIN = 200  # items in the list
MOST_DRAWN = 20
BY_CHANCE = "Undetermined: agreement beyond chance is not shown; labels may come from noise."


# ------------------------------------------------------------------ the answer in words


@view("answer", of="fit", title="Estimated labels", place=10)
def answer(
    fitted: FitPart,
    *,
    truth: Gold | None = None,
    keep: float | None = None,
    keep_share: float | None = None,
    level: float = 0.95,
) -> Iterator[Block]:
    """How certain the labels are."""
    model = fitted.model.name + (", label by label" if fitted.of_sets else "")
    yield Prose(" · ".join([model, *fitted.size]), depth="headline")
    if fitted.nothing:
        return
    said = [_certainty(fitted, level)]
    if said != [BY_CHANCE]:
        said += [_elsewhere(fitted, truth), _expected(fitted), _compared_with_vote(fitted)]
    chosen = _chosen(fitted, keep, keep_share)
    if truth is not None:
        said.append(accuracy_text(scored(fitted, truth, level)))
    if chosen is not None:
        said.append(chosen.sentence)
    yield Prose(" ".join(filter(None, said)), depth="headline")


@view("next", of="fit", title="", place=90)
def next_steps(fitted: FitPart) -> Iterator[Block]:
    """What can be done next."""
    known = next(iter(fitted.found.data.gold), None)
    learn = Action("fit", {"gold": known}, "learn from items whose label is known")
    check = Action("to_check", {}, "check labels, a part of them drawn at random")
    steps = [learn if known else check] if fitted.free.all() else []
    if not fitted.nothing:
        why = "keep the distribution of labels"
        steps.append(Action("soft_labels", {}, why))
    yield Prose(title="Next", do=tuple(steps))


def _chosen(fitted: FitPart, keep: float | None, keep_share: float | None) -> Kept | None:
    """The items whose labels are certain enough, if somebody asks for them."""
    if keep is None and keep_share is None:
        return None
    if not isinstance(fitted.found, Posterior):
        raise RequestError("a label of a set is kept by its own probability")
    return fitted.found.keep(confidence=keep, share=keep_share)


def _certainty(fitted: FitPart, level: float) -> str:
    """How many labels are certain, uncertain and undecided."""
    if fitted.nothing or (not fitted.of_sets and fitted.coders(level)[0].beyond_chance.none):
        return BY_CHANCE
    found, free = fitted.found, fitted.free
    n, tied = int(free.sum()), int((found.tied & free).sum())
    what = "sets of labels" if fitted.of_sets else "labels"
    if not n:
        return "Every label was known."
    ties = f"; {count_of(tied, 'tie')} without a label" if tied else ""
    if not fitted.believes:
        return f"{n - tied:,} of {count_of(n, 'item')} have a label by vote{ties}."
    if found.withheld:
        return f"Undetermined: how certain the {what} are, since {found.withheld}."
    sure = int((free & ~found.tied & (found.confidence >= CERTAIN)).sum())
    by = "" if found.shared_errors else "By the model, which takes coders as independent: "
    return (
        f"{by}{sure:,} of {n:,} {what} ({percent(sure / n)}) have a probability of at "
        f"least {shown('confidence', CERTAIN)}{ties}."
    )


def _elsewhere(fitted: FitPart, truth: Gold | None) -> str:
    """What labels that the model calls certain were worth on public crowds."""
    if fitted.of_sets or truth is not None or not fitted.free.all():
        return ""
    one = fitted.singles[0]
    held = certain_labels(one.model.key, float(one.votes.per_item.mean()))
    if held is None or not (one.confidence >= CERTAIN).any():
        return ""
    n = f"{held.least} to {held.most}" if held.most < MANY else f"{held.least} or more"
    return (
        f"In public crowds with {n} labels an item, {100 * held.low:.0f} to "
        f"{100 * held.high:.0f} % of labels this sure were right; check fifteen drawn at random."
    )


def _expected(fitted: FitPart) -> str:
    """The share of labels that can be expected to be correct."""
    if not fitted.believes:
        return OF_VOTES
    if fitted.found.withheld or not fitted.free.any():
        return ""
    p = fitted.found.confidence[fitted.free]
    what = "sets" if fitted.of_sets else "labels"
    share = percent(float(p.mean()))
    if not fitted.found.shared_errors:
        return f"It expects {share} of all {what} to be correct: too many where coders err alike."
    return f"An expected {share} of all {what} are correct."


def _compared_with_vote(fitted: FitPart) -> str:
    """How many labels differ from the majority vote; empty for the vote itself."""
    if fitted.model.key == "majority":
        return ""
    other, settled = fitted.beside_vote
    return (
        f"{count_of(other, 'label differs', 'labels differ')} from the majority vote; "
        f"{count_of(settled, 'tie')} of it {'is' if settled == 1 else 'are'} broken."
    )


# ------------------------------------------------------------------ labels and items


@view("labels", of="fit", title="Estimated label of each item", place=110)
def labels(
    fitted: FitPart, *, keep: float | None = None, keep_share: float | None = None
) -> Iterator[Block]:
    """The label of each item with its probability."""
    chosen = _chosen(fitted, keep, keep_share)
    rows = (fitted.found if chosen is None else chosen).to_rows()
    used = columns(
        "item label confidence n_annotations",
        confidence=_probability(fitted.believes, fitted.of_sets),
    )
    yield Table.of(used, rows, ["" if chosen is None else chosen.sentence, *_notes(fitted)])


def _probability(believes: bool, of_sets: bool = False) -> Field:
    field = FIELDS["confidence"]
    if believes:
        return field.called(field.heading, help="of just this set") if of_sets else field
    return field.called(VOTE.confidence, help="")


def _notes(fitted: FitPart) -> Iterator[str]:
    if fitted.found.tied.any():
        why = "two are equally probable" if fitted.believes else "two have as many votes"
        yield f"Without a label: ties, where {why}."
    if not fitted.believes:
        yield OF_VOTES
    elif fitted.found.withheld:
        yield f"Probabilities are undefined, since {fitted.found.withheld}."
    elif fitted.of_sets:
        yield (
            "Each label has a model of its own; a set holds the labels that are more probable "
            "than not. A final label, which all coders of an item share, is something else."
        )


@view("kept", of="kept", title="Labels that are kept", place=10)
def kept_labels(part: Kept) -> Iterator[Block]:
    """The items whose labels are certain enough."""
    yield Prose(part.sentence)
    field = _probability(part.posterior.model.probabilistic)
    used = columns("item label confidence", confidence=field)
    yield Table.of(used, part.to_rows())


@view("items", of="fit", title="Least certain items", chapter="estimated_labels", place=115)
def items(fitted: FitPart) -> Iterator[Block]:
    """The least certain items, with who said what."""
    at = fitted.order[:LEAST_CERTAIN]
    named = zip(at.tolist(), fitted.named(at), strict=True)
    rows = [_item_row(fitted, i, item) for i, item in named]
    keys = "item label confidence alternative? labels text?"
    used = columns(keys, rows, confidence=_probability(fitted.believes, fitted.of_sets))
    first = "A further annotation is most informative here."
    yield Table.of(used, rows, [first, *_notes(fitted)], keep="item label confidence labels")


def _item_row(fitted: FitPart, i: int, item: Any) -> dict[str, Any]:
    found = fitted.found
    label = found.labels[i]
    return {
        "item": fitted.names[i],
        "label": label_text(label) if isinstance(label, tuple) else label,
        "confidence": float(found.confidence[i]),
        "tied": bool(found.tied[i]),
        "alternative": fitted.alternative(i),
        **annotated(item),
    }


@view(
    "to-check",
    of="fit",
    alone="to_check",
    title="What to check next",
    chapter="estimated_labels",
    place=116,
)
def checks(part: FitPart | ToCheck) -> Iterator[Block]:
    """Items to label with care, a part of them drawn at random."""
    asked = part if isinstance(part, ToCheck) else to_check_next(part.found)
    fitted = part_of(part.fitted) if isinstance(part, ToCheck) else part
    if isinstance(part, ToCheck):
        yield Prose(_of_unchecked(part), "headline")
        yield from (Prose(remark.sentence) for remark in asked.fitted.remarks)
    if not asked.items:
        return
    pairs = zip(as_text(asked.to_rows(), "label"), fitted.named(asked.at), strict=True)
    rows = [row | annotated(item) for row, item in pairs]
    drawn = count_of(int(asked.drawn.sum()), "item")
    notes = [f"{drawn} drawn at random: they show how right the labels are that nobody checks."]
    if DIFFER in asked.chosen:
        notes.append(f"{DIFFER.capitalize()}: the label depends on how coders are taken to err.")
    sure = _probability(fitted.believes, fitted.of_sets)
    notes += _notes(fitted)
    used = columns("item chosen label confidence text?", rows, confidence=sure)
    yield Table.of(used, rows, notes, keep="item chosen label confidence")
    if not isinstance(part, ToCheck) and part.question is None:  # a sheet is of one question
        yield Prose(do=(Action("to_check", {"output": "check.csv"}, "as a sheet to fill in"),))


def _of_unchecked(asked: ToCheck) -> str:
    """How right the labels are that nobody checked, and what checking more would mend."""
    found, n, what = asked.unchecked, len(asked.items), "labels that nobody checked"
    if not n:
        return "Every label was checked."
    more, of = "", f"Checking {n:,}{' more' * bool(asked.known)} would correct about"
    if not math.isnan(asked.wrong):
        more = f"{of} {count_of(round(asked.wrong), 'label')}."
    if not asked.known:
        return more
    if not found.n_drawn:
        why = "no checked item is known to have been drawn at random"
        return f"Undetermined: how many of {found.n:,} {what} are right, since {why}. {more}"
    return (
        f"Of {found.n:,} {what} an estimated {percent(found.accuracy)} are right "
        f"({level_text(asked.level)} interval {percent(found.low)} to {percent(found.high)}), by "
        f"{count_of(found.n_drawn, 'item')} that were drawn at random, of which {found.n_right:,} "
        f"had been labelled right. {more}"
    )


# ------------------------------------------------------------------ how certain, how frequent


@view("certainty", of="fit", title="Certainty of the labels", chapter="estimated_labels", place=105)
def certainty(
    fitted: FitPart, *, truth: Gold | None = None, level: float = 0.95
) -> Iterator[Block]:
    """How many labels are how certain."""
    said = f"{_certainty(fitted, level)} {_elsewhere(fitted, truth)}".rstrip()
    if truth is not None:
        said = f"{accuracy_text(scored(fitted, truth, level))} {said}"
    yield Prose(said, "headline")
    found, rows = fitted.found, []
    for low, high, name in BANDS:
        inside = (found.confidence >= low) & (found.confidence < high) & ~found.tied
        errors = {"expected_errors": float((1 - found.confidence[inside]).sum())}
        rows.append(_share(name, inside) | (errors if fitted.believes else {}))
    if found.tied.any():
        rows.append(_share(TIE, found.tied))
    keys = f"name n_items share{' expected_errors' if fitted.believes else ''}"
    used = columns(keys, name=_probability(fitted.believes, fitted.of_sets).heading)
    yield Table.of(used, rows, _notes(fitted))


def _share(name: str, inside: Any) -> dict[str, Any]:
    n = int(inside.sum())
    return {"name": name, "n_items": n, "share": n / len(inside) if len(inside) else math.nan}


@view("prevalence", of="fit", title="Estimated prevalence", chapter="estimated_labels", place=120)
def prevalence(fitted: FitPart) -> Iterator[Block]:
    """How frequent each category is among items, labels and annotations."""
    rows = list(_frequencies(fitted))
    ends = fitted.singles[0].interval("prevalence") if fitted.believes else None
    share = FIELDS["estimated_share"]
    if not fitted.believes:
        share = share.called("of the items", help="as voted, ties divided")
    keys = "category n_labels estimated_share interval? share_of_annotations"
    used = columns(keys, rows, estimated_share=share)
    notes = [] if ends is None else [f"{level_text(ends.level)} intervals: {ends.method}."]
    drawn = [
        {
            **row,
            "name": row["category"],
            "value": row["estimated_share"],
            "other": row["mean_share"],
        }
        for row in sorted(rows, key=lambda row: -tied(row["estimated_share"], ESTIMATED))
    ][:MOST_DRAWN]
    axis = ["share of the items, as estimated (dot),", "share of the annotations (tick)"]
    definition = dots(drawn, title=axis, percent=True)
    yield Chart(_most_moved(rows), definition, Table.of(used, rows, notes))


def _frequencies(fitted: FitPart) -> Iterator[dict[str, Any]]:
    """One row for each category, or for each label of sets."""
    found = fitted.found
    if isinstance(found, SetPosterior):
        each = [(one, 1) for one in found.each]  # of the categories False and True
        given = found.members.sum(0)
    else:
        each = [(found, k) for k in range(len(found.categories))]
        given = np.bincount(found.codes[found.codes >= 0], minlength=len(each))
    for category, (one, k), n in zip(found.categories, each, given.tolist(), strict=True):
        ends, counts = one.interval("prevalence"), one.votes.counts
        yield {
            "category": isolated(label_text(category)),
            "n_labels": int(n),
            "estimated_share": float(one.prevalence[k]),
            "low": float(ends.low[k]),
            "high": float(ends.high[k]),
            "share_of_annotations": float(counts[:, k].sum() / max(counts.sum(), 1)),
            "mean_share": float(one.votes.shares[:, k].mean()),
        }


def _most_moved(rows: Sequence[Mapping[str, Any]]) -> str:
    def moved(row: Mapping[str, Any]) -> float:
        return tied(abs(float(row["estimated_share"] - row["mean_share"])), ESTIMATED)

    most = max(rows, key=moved)
    if moved(most) < 0.005:
        return "Labels are estimated to be as frequent as they are given"
    return (
        f"{quoted(most['category'])} is {percent(most['mean_share'])} of the annotations, an "
        f"estimated {percent(most['estimated_share'])} of the items"
    )


# ------------------------------------------------------------------ findings and model


@view("findings", of="fit", title="What to know", chapter="annotator_reliability", place=30)
def findings(fitted: FitPart, *, level: float = 0.95) -> Iterator[Block]:
    """What must be known of the labels and the coders."""
    told = fitted.findings(level)
    for block in remarks(told):
        if isinstance(block, Fold):
            notes = dict.fromkeys(note.title for note in block.blocks)
            yield Prose(f"{count_of(len(notes), 'further note')}: {joined(notes, most=6)}.")
        yield block
    rows = [({"label": label} if label else {}) | f.nested() for label, f in told]
    keys = "severity code title coder sentence advice"
    yield Table.of(keys, rows, title="All findings", depth="evidence")


@view("model", of="fit", title="Model", chapter="estimated_labels", place=187)
def model_facts(fitted: FitPart) -> Iterator[Block]:
    """The model, what it assumes and what it rests on."""
    model, votes, singles = fitted.model, fitted.singles[0].votes, fitted.singles
    assumes = f"{model.assumption.rstrip('.')}."
    facts = {
        "Model": f"{model.name} ({model.key})",
        "Assumption": assumes,
        "Data": ", ".join(fitted.size),
    }
    if not all(one.estimate.climb.objective == "none" for one in singles):
        most = max(one.estimate.climb.n_iterations for one in singles)
        facts["Converged"] = (
            f"{sum(one.converged for one in singles):,} of {len(singles):,}, after at most "
            f"{count_of(most, 'iteration')}"
        )
    yield Prose(facts=tuple(facts.items()))
    row = {
        "model": model.name,
        "key": model.key,
        "assumption": assumes,
        "n_annotations": len(votes),
        "n_items": votes.n_items,
        "n_coders": votes.n_coders,
        "signature": fitted.found.signature,
    }
    yield Table.of("model n_annotations n_items n_coders", [row], depth="evidence")
    yield Quotation(fitted.found.signature, verbatim=True, title="Signature")


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
        alone = "Where coders err together, these probabilities are too high."
        yield Prose(part.found.shared_errors or alone)
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
