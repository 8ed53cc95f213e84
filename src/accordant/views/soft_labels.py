"""Soft labels, predictions scored against them, and ambiguity of items."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

import numpy as np

from ..diagnosis.words import isolated, label_text
from ..fields import FIELDS, Field, columns
from ..models.soft.ambiguity import Ambiguity, ambiguity
from ..models.soft.scores import ModelScores, SoftScores
from ..models.soft.soft_labels import KINDS, SoftLabels
from ..numbers import count_of, decimal, level_text, percent, shares_of_all, tied
from .blocks import Block, Chart, Fold, Prose, Table
from .fit_part import FitPart, annotated, by_label, part_of
from .model_charts import parts as parts_chart
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


# ------------------------------------------------------------------ ambiguity


@view(
    "sources", of="ambiguity", title="Coder error or ambiguous items", chapter="ambiguity", place=10
)
def explained(one: Ambiguity) -> Iterator[Block]:
    """Disagreement from coder errors and from items, if asked for."""
    yield Prose(one.sentence, "headline")
    if one.total > 0:
        yield _sources([("all disagreement", one)])


@view("ambiguity", of="fit", title="Coder error or ambiguous items", chapter="ambiguity", place=188)
def error_or_opinion(fitted: FitPart, *, level: float = 0.95) -> Iterator[Block]:
    """How much disagreement the errors of coders explain, and ambiguous items."""
    if not fitted.believes:
        yield Prose(
            f"{fitted.model.name} has no error rates, so it cannot tell error from opinion."
        )
        return
    groups = any(own.schools for own in fitted.coders(level))
    made = ambiguity(fitted.found, schools=groups).told_parts
    each = [(name, one) for name, one in by_label(fitted, lambda _: made) if one.total > 0]
    if not each:
        yield Prose("Coders do not disagree, so there is nothing to explain.")
        return
    yield _sources([(name or "all disagreement", one) for name, one in each])
    if len(each) == 1:
        yield from ambiguous_items(each[0][1])
    else:
        yield from (Fold(name, tuple(ambiguous_items(one))) for name, one in each)


@view("ambiguous-items", of="ambiguity", title="Ambiguous items", chapter="ambiguity", place=20)
def ambiguous_items(one: Ambiguity) -> Iterator[Block]:
    """Items that are ambiguous, or hard, the clearest first."""
    rows = one.to_rows()
    order = sorted(range(len(rows)), key=lambda i: _clearest(rows[i]))
    unclear = [i for i in order if rows[i]["unclear"]]
    named = part_of(one.posterior).named(np.array(unclear[:MOST_ITEMS], int))
    told = [
        {
            **row,
            "readings": _readings(row),
            "n_annotations": row["n"],
            "expected_by_errors": row.get("expected", math.nan),
            "source": "ambiguous" if row["ambiguous"] else "ambiguous or hard",
            **(annotated(item) if item else {}),
        }
        for row, item in zip_longest([rows[i] for i in unclear], named)
    ]
    note = "Readings: labels, with the share of coders who may have read the item so."
    # programs get every item, a reader those that can be called ambiguous or hard
    yield Table.of(
        AMBIGUOUS,
        told,
        [note if told else "No item can be called ambiguous or hard."],
        keep="item source readings",
        every=tuple(rows[i] for i in order),
    )
    yield from remarks(("", f) for f in one.findings)


def _readings(row: Mapping[str, Any]) -> str:
    both = [(row[f"reading_{k}"], row[f"share_{k}"]) for k in (1, 2)]
    return " or ".join(f"{isolated(label_text(x))} {decimal(p)}" for x, p in both if x is not None)


def _clearest(row: Mapping[str, Any]) -> tuple[float, float]:
    p = row["p_value"]
    return (2.0 if math.isnan(p) else tied(p)), -tied(row["bits"])


def _sources(each: Sequence[tuple[str, Ambiguity]]) -> Chart:
    """What disagreement comes from and how many items are ambiguous, for all labels or for each."""
    kinds = (("errors", "good"), ("coder groups", "bad"), ("items", "rest"))
    drawn = [
        {"name": name, "part": part, "share": share, "kind": kind}
        for name, one in each
        for (part, kind), share in zip(kinds, one.parts, strict=True)
        if share > 0
    ]
    rows = [
        {
            "name": name,
            "total": one.total,
            "by_coders": one.by_coders,
            "between_schools": one.between_schools,
            "by_items": one.by_items,
            "by_ambiguous": one.by_ambiguous,
            "share": one.share,
            "low": one.share_low,
            "high": one.share_high,
            "p_value": one.any_p_value,
            "n_ambiguous": int(one.ambiguous.sum()),
            "n_unclear": int((one.unclear & ~one.ambiguous).sum()),
        }
        for name, one in each
    ]
    groups = any(row["between_schools"] for row in rows)
    keys = SOURCES if groups else SOURCES.replace("between_schools ", "")
    doubt = (
        "On a hard item all coders err more often."
        if each[0][1].told_apart
        else "With two categories a hard item cannot be told from an ambiguous one."
    )
    notes = (
        "Errors: what coders with these error rates produce though all read an item the same; "
        "habits of single coders, which the causes of disagreement name, are among them. "
        "Items: what remains with the items, which are ambiguous or hard, or it is chance.",
        "With few annotations of an item ambiguity and a few errors look the same, so that the "
        f"share and its interval are too low. {doubt}",
    )
    used = columns(keys, share=f"share {each[0][1].what}")
    table = Table.of(used, rows, notes, depth="detail")
    return Chart(_title(each), parts_chart(drawn, title="share of the differing pairs"), table)


def _title(each: Sequence[tuple[str, Ambiguity]]) -> str:
    if len(each) > 1:
        low, high = (pick(one.by_coders for _, one in each) for pick in (min, max))
        return (
            f"Usual errors of each coder explain {percent(low, 0)} to {percent(high, 0)} by label"
        )
    coders, groups, items = shares_of_all(each[0][1].parts)
    between = f", coder groups {groups}" if each[0][1].between_schools else ""
    return f"Usual errors of each coder explain {coders} of disagreement{between}, items {items}"
