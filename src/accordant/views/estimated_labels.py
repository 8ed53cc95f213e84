"""The estimated labels: how certain they are, which ones are least, how frequent each is."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ..actions import FILE, Action
from ..errors import RequestError
from ..fields import FIELDS, Field, columns, shown
from ..messages import isolated, label_text, quoted
from ..models.gold import Gold
from ..models.model import VOTE
from ..models.posterior import OF_VOTES, Kept, Posterior
from ..models.set_posterior import SetPosterior
from ..models.votes import UNKNOWN
from ..numbers import ESTIMATED, count_of, joined, level_text, percent, tied
from .blocks import Block, Chart, Fold, Prose, Quotation, Table
from .charts import dots
from .findings import remarks
from .fit_part import CERTAIN, FitPart, annotated
from .label_accuracy import accuracy_text, scored
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
    learn = Action("fit", {"gold": FILE}, "learn from items whose label is known")
    steps = [learn] if fitted.free.all() else []
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
    unseen = sure and any(map(_unseen, fitted.singles))
    condition = "If coders err independently, which cannot be seen here: " if unseen else ""
    return (
        f"{condition}{sure:,} of {n:,} {what} ({percent(sure / n)}) have a probability of at "
        f"least {shown('confidence', CERTAIN)}{ties}."
    )


def _unseen(one: Posterior) -> bool:
    """Whether nothing shows that coders err together, and nothing that they do not."""
    by, known = one.weighed.dependence, (one.votes.known != UNKNOWN).any()
    return not (by is None or by.seen or known)


def _elsewhere(fitted: FitPart, truth: Gold | None) -> str:
    """What labels that the model calls certain were worth on public crowds."""
    one = fitted.singles[0]
    usual = one.weighing is None and one.options == one.model.options and not fitted.of_sets
    told = one.model.right_of_certain
    if not told or not usual or truth is not None or not (one.confidence >= CERTAIN).any():
        return ""
    right, worst = map(percent, told)
    return f"Of such labels {right} were right on fourteen public crowds, {worst} on the worst."


def _expected(fitted: FitPart) -> str:
    """The share of labels that can be expected to be correct."""
    if not fitted.believes:
        return OF_VOTES
    if fitted.found.withheld or not fitted.free.any():
        return ""
    p = fitted.found.confidence[fitted.free]
    what = "sets" if fitted.of_sets else "labels"
    return f"An expected {percent(float(p.mean()))} of all {what} are correct."


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
