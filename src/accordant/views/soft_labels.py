"""Soft labels, predictions scored against them, and ambiguity of items."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ..diagnosis.words import isolated, label_text
from ..fields import FIELDS, Field, columns
from ..models.soft.ambiguous import Ambiguity
from ..models.soft.model_scores import ModelScores
from ..models.soft.soft_labels import KINDS, SoftLabels
from ..models.soft.soft_scores import SoftScores
from ..numbers import TIED, count_of, decimal, level_text, percent, shares_of_all
from .blocks import Block, Chart, Prose, Table
from .model_charts import parts as parts_chart
from .names import cut
from .remarks import remarks
from .view import view

__all__ = ["ambiguous_items", "explained", "predictions", "soft_labels", "sources_table"]

SURE = 0.95
WIDEST = 8  # categories that have a column each
MOST_ITEMS = 25
MOST_CODERS = 12
SCORES = "measure value interval better perfect frequencies majority_label one_coder against_others"
OF_MODELS = (
    ("cross_entropy", "cross-entropy"), ("js", "Jensen–Shannon"), ("accuracy", "accuracy"),
    ("macro_f1", "macro F1"),
)  # fmt: skip
SOURCES = "name total by_coders between_schools by_items by_ambiguous"
COUNTED = "name n_ambiguous n_unclear share interval p_value"
AMBIGUOUS = (
    "item label source readings n_annotations disagreement expected_by_errors p_value probability "
    "labels text"
)


# ------------------------------------------------------------------ soft labels


@view(
    "soft-labels", of="soft", title="Soft labels", place=20,
    help="the distribution over categories of each item, the most spread first",
)  # fmt: skip
def soft_labels(soft: SoftLabels) -> Iterator[Block]:
    """The distribution of each item, the most spread first."""
    rows = soft.to_rows()
    order = sorted(range(len(rows)), key=lambda i: -round(rows[i]["entropy"], TIED))
    own = [f"p_{c}" for c in soft.categories]
    wide = len(own) > WIDEST
    told = tuple(
        {**rows[i], "n_annotations": rows[i]["n"], "most_probable": _first(rows[i], own)}
        for i in order
    )
    keys: list[Field] = [*columns("item n_annotations entropy")]
    keys += [FIELDS["most_probable"]] if wide else [
        FIELDS["share"].called(key.removeprefix("p_"), key=key) for key in own
    ]  # fmt: skip
    yield Prose(_spread(soft), "headline")
    made = (f"Made from {soft.made}.",) if soft.made else ()
    notes = (f"A soft label is {KINDS[soft.kind]}.", *made)
    yield Table("", tuple(keys), told, notes, keep=("item", "entropy"), most=10, every=tuple(rows))
    yield from remarks(("", f) for f in soft.findings)


def _first(row: Mapping[str, Any], keys: Sequence[str], most: int = 3) -> str:
    """The most probable categories in a line."""
    top = sorted(keys, key=lambda key: -row[key])[:most]
    return ", ".join(f"{key.removeprefix('p_')} {decimal(row[key])}" for key in top)


def _spread(soft: SoftLabels) -> str:
    n = len(soft)
    if not n:
        return "There are no items."
    told = [f"{count_of(n, 'item')}, {decimal(float(soft.n.mean()), 1)} annotations each."]
    if not soft.several and soft.counts is None:
        sure = int((soft.top >= SURE).sum())
        told.append(
            f"For {count_of(sure, 'item')} one category has a probability of "
            f"{decimal(SURE, 2)} or more."
        )
    elif soft.counts is not None and not soft.several:
        alone = int((np.count_nonzero(soft.counts, axis=1) <= 1).sum())
        tied = int(soft.tied.sum())
        verb = "is" if tied == 1 else "are"
        told.append(
            f"For {count_of(alone, 'item')} all coders give the same label; {tied:,} {verb} tied."
        )
    mean = f"Mean entropy {decimal(float(soft.entropy.mean()), 2)} bits"
    estimate = soft.entropy_estimate
    if estimate is not None:
        mean += f"; {decimal(float(estimate.mean()), 2)} bits corrected for few annotations"
    return " ".join([*told, f"{mean}."])


# ------------------------------------------------------------------ predictions


@view(
    "scores", of="soft-scores", title="Predictions scored against soft labels", place=20,
    help="given predictions scored against soft labels",
)  # fmt: skip
def predictions(found: SoftScores) -> Iterator[Block]:
    """Each measure with its interval, beside what others get."""
    rows = tuple({**s.row(), "measure": s.name} for s in found.scores)
    keys = [
        f for f in columns(SCORES)
        if f.kind in ("text", "interval") or any(row.get(f.key) == row.get(f.key) for row in rows)
    ]  # fmt: skip
    facts = [
        count_of(len(found.items), "item"),
        *([f"{found.n_missing:,} without a prediction"] if found.n_missing else []),
        *([f"{count_of(found.n_extra, 'prediction')} of no item"] if found.n_extra else []),
        *([f"{found.n_tied:,} tied, not in accuracy and F1"] if found.n_tied else []),
    ]
    yield Prose(" · ".join(facts), "headline")
    notes = (
        f"{level_text(found.level)} intervals over items ({found.method}); logarithms in "
        f"{found.unit}.",
    )
    yield Table(
        "", tuple(keys), rows, notes, keep=("measure", "value", "better"),
        every=tuple(found.to_rows()),
    )  # fmt: skip
    yield from remarks(("", f) for f in found.findings)


@view(
    "scores", of="model-scores", title="Models scored against soft labels", place=20,
    help="given predictions scored against soft labels",
)  # fmt: skip
def models(found: ModelScores) -> Iterator[Block]:
    """Each model with the measures that most papers report."""
    first = next(iter(found.each.values()))
    there = {score.measure for score in first.scores}
    keys: list[Field] = [*columns("model n_items")]
    for key, name in OF_MODELS:
        if key not in there:
            continue
        keys.append(FIELDS["value"].called(name, key=key, help=""))
        ends = (f"{key}_low", f"{key}_high")
        keys.append(Field(f"{key}_interval", "interval", "interval", ends=ends, of=key))
    notes = (
        f"{level_text(first.level)} intervals over items ({first.method}); logarithms in "
        f"{first.unit}. Low is better, for accuracy and F1 high.",
        "The items are the same, so intervals of two models may overlap where their difference is "
        "certain.",
    )
    first_of_all = ("model", *(key for key, _ in OF_MODELS if key in there))
    yield Table("", tuple(keys), tuple(found.to_rows()), notes, keep=first_of_all)
    yield from remarks(("", f) for f in found.findings)


# ------------------------------------------------------------------ ambiguity


@view(
    "sources", of="ambiguity", title="Coder error or ambiguous items", chapter="ambiguity",
    place=10, help="disagreement from coder errors and from items, if asked for",
)  # fmt: skip
def explained(one: Ambiguity) -> Iterator[Block]:
    """What errors of coders explain of the disagreement, and what remains with the items."""
    yield Prose(one.sentence, "headline")
    if one.total > 0:
        yield sources_table([("all disagreement", one)])
        yield counted_table([("all disagreement", one)])


@view(
    "ambiguous-items", of="ambiguity", title="Ambiguous items", chapter="ambiguity", place=20,
    help="items that are ambiguous, or hard, the clearest first",
)  # fmt: skip
def ambiguous_items(one: Ambiguity) -> Iterator[Block]:
    """The items that more than errors of coders speaks for, the clearest first."""
    rows = sorted(one.to_rows(), key=_clearest)
    shown = [row for row in rows if row["unclear"]]
    named = _named(one, shown[:MOST_ITEMS])
    told = tuple(
        {**row, "readings": _readings(row), "n_annotations": row["n"],
         "expected_by_errors": row.get("expected", math.nan),
         "source": "ambiguous" if row["ambiguous"] else "ambiguous or hard", **more}
        for row, more in zip(shown, [*named, *({} for _ in shown[MOST_ITEMS:])], strict=True)
    )  # fmt: skip
    keys = [
        f for f in columns(AMBIGUOUS)
        if f.key == "item" or any(row.get(f.key) not in (None, "") for row in told)
    ]  # fmt: skip
    notes = ("Readings: labels, with the share of coders who may have read the item so.",)
    # programs get every item, a reader those that can be called ambiguous or hard
    yield Table(
        "", tuple(keys), told, notes if told else ("No item can be called ambiguous or hard.",),
        keep=("item", "source", "readings"), every=tuple(rows),
    )  # fmt: skip
    yield from remarks(("", f) for f in one.findings)


def _named(one: Ambiguity, rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Who gave which label, and the text."""
    from ..diagnosis.view import View

    data = one.posterior.data
    place = {str(name): k for k, name in enumerate(data.items)}
    at = np.array([place[str(row["item"])] for row in rows], int)
    found = View(one.question, data).items.named(at)
    return [
        {"labels": item.said(MOST_CODERS), "text": cut(item.text, 300) if item.text else ""}
        for item in found
    ]


def _readings(row: Mapping[str, Any]) -> str:
    both = [(row[f"reading_{k}"], row[f"share_{k}"]) for k in (1, 2)]
    return " or ".join(f"{isolated(label_text(x))} {decimal(p)}" for x, p in both if x is not None)


def _clearest(row: Mapping[str, Any]) -> tuple[float, float]:
    p = row["p_value"]
    return (2.0 if math.isnan(p) else round(p, TIED)), -round(row["bits"], TIED)


def sources_table(each: Iterable[tuple[str, Ambiguity]]) -> Chart:
    """What disagreement comes from, for all labels or for each."""
    found = list(each)
    rows = [{**_shares(one), "name": name} for name, one in found]
    drawn = [
        {"name": name, "part": part, "share": share, "kind": kind}
        for name, one in found
        for part, kind, share in zip(
            ("errors", "coder groups", "items"), ("good", "bad", "rest"), one.parts, strict=True
        )
        if share > 0
    ]
    keys = [f for f in columns(SOURCES) if f.key != "between_schools" or any(
        row["between_schools"] for row in rows)]  # fmt: skip
    notes = (
        "Errors: what coders with these error rates produce though all read an item the same. "
        "Items: what remains with the items, which are ambiguous or hard, or it is chance.",
    )
    table = Table("", tuple(keys), tuple(rows), notes, depth="detail")
    return Chart(_title(found), parts_chart(drawn, title="share of the differing pairs"), table)


def counted_table(each: Iterable[tuple[str, Ambiguity]]) -> Table:
    """How many items are ambiguous."""
    found = list(each)
    rows = tuple({**_shares(one), "name": name} for name, one in found)
    doubt = (
        "On a hard item all coders err more often."
        if found[0][1].told_apart
        else "With two categories a hard item cannot be told from an ambiguous one."
    )
    note = f"With few annotations of an item ambiguity and a few errors look the same. {doubt}"
    return Table("How many items are ambiguous", columns(COUNTED), rows, (note,), depth="detail")


def _shares(one: Ambiguity) -> dict[str, Any]:
    return {
        "total": one.total, "by_coders": one.by_coders, "between_schools": one.between_schools,
        "by_items": one.by_items, "by_ambiguous": one.by_ambiguous, "share": one.share,
        "low": one.share_low, "high": one.share_high, "p_value": one.any_p_value,
        "n_ambiguous": int(one.ambiguous.sum()),
        "n_unclear": int((one.unclear & ~one.ambiguous).sum()),
    }  # fmt: skip


def _title(found: Sequence[tuple[str, Ambiguity]]) -> str:
    if len(found) > 1:
        low, high = (pick(one.by_coders for _, one in found) for pick in (min, max))
        return f"Errors of coders explain {percent(low, 0)} to {percent(high, 0)} by label"
    coders, groups, items = shares_of_all(found[0][1].parts)
    between = f", coder groups {groups}" if found[0][1].between_schools else ""
    return f"Errors of coders explain {coders} of the disagreement{between}, items {items}"
