"""Opinion or error: which disagreement the errors of coders explain, and what stays with items."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..diagnosis.words import isolated, label_text
from ..models.soft.ambiguous import Ambiguity
from ..numbers import NOTHING, count_of, percent, shares_of_all
from .document import Block, Chart, Column, Prose, Section, Table
from .fitted import Fits, Fitted
from .model_charts import parts
from .names import cut
from .remarks import remarks

__all__ = ["ambiguity_section"]

MOST_ITEMS = 20
MOST_CODERS = 6
ERRORS = "usual errors of coders"
PARTS = (ERRORS, "between schools", "left with items")
AMBIGUOUS = "ambiguous"
ELSEWHERE = ("schools_differ",)  # the schools stand at the head of who can be trusted


def ambiguity_section(fits: Fits) -> Section | None:
    """What each question's disagreement comes from; None where no model says so."""
    if not any(_disagrees(fits, one) for one in fits.there):
        return None
    return Section(
        "ambiguity", "Opinion or error", fits.told(_lead),
        fits.per_question(lambda one: _blocks(fits, one)),
    )  # fmt: skip


def _disagrees(fits: Fits, fitted: Fitted) -> bool:
    return bool(fitted.part.found.items.n_disputed) and fitted.believes


def _lead(fitted: Fitted) -> str:
    if not fitted.believes:
        return f"{fitted.model.name} has no error rates, so it cannot tell opinion from error."
    if not fitted.ambiguities:
        return (
            "Whether disagreement is error or ambiguity was not estimated, since it takes long "
            "with so many annotations."
        )
    each = [one for one in fitted.ambiguities if one.total > 0]
    if not each:
        return "Coders do not disagree, so there is nothing to explain."
    n = int(np.any([one.ambiguous | one.unclear for one in each], axis=0).sum())
    if len(each) == 1:
        return each[0].sentence
    shares = [one.by_coders for one in each]
    what = (
        f"{count_of(n, 'item is', 'items are')} ambiguous or hard for at least one label."
        if n
        else "no item can be called ambiguous or hard for any of them."
    )
    low, high = percent(min(shares), 0), percent(max(shares), 0)
    span = low if low == high else f"from {low} to {high}"
    return f"Label by label, {ERRORS} explain {span} of the disagreement; {what}"


def _blocks(fits: Fits, fitted: Fitted) -> Iterator[Block]:
    each = [
        (isolated(label_text(one.question)) if fitted.of_sets else "all disagreement", one)
        for one in fitted.ambiguities
        if one.total > 0
    ]
    if not each:
        yield Prose(_lead(fitted))
        return
    yield from _explained(each)
    yield from remarks(
        ((name if fitted.of_sets else "", f) for name, one in each for f in one.findings
         if f.code not in ELSEWHERE and f.severity != "problem"),
    )  # fmt: skip
    if (table := _ambiguous(fits, fitted, each)) is not None:
        yield table
    yield Prose(
        "The probability of a true label and the distribution of coders' labels are different "
        "quantities. For ambiguous items keep the distribution of labels (soft labels)."
    )


def _explained(each: list[tuple[str, Ambiguity]]) -> Iterator[Block]:
    drawn: list[dict[str, Any]] = []
    rows = []
    for name, one in each:
        drawn += [
            {"name": name, "part": part, "share": share, "kind": kind}
            for part, kind, share in zip(PARTS, ("good", "bad", "rest"), one.parts, strict=True)
            if share > 0
        ]
        rows.append({
            "name": name, "total": one.total, "by_coders": one.by_coders,
            "between_schools": one.between_schools, "by_items": one.by_items,
            "by_ambiguous": one.by_ambiguous, "share": one.share,
            "interval": (one.share_low, one.share_high), "p_value": one.any_p_value,
            "n": int(one.ambiguous.sum()),
            "n_unclear": int((one.unclear & ~one.ambiguous).sum()),
        })  # fmt: skip
    schools = any(row["between_schools"] for row in rows)
    what, apart = each[0][1].what, each[0][1].told_apart
    columns = (
        Column("name", "of"),
        Column("total", "pairs that differ", "share", "two annotations of an item"),
        Column("by_coders", "errors", "share", "what error rates of coders produce alone"),
        *((Column("between_schools", "schools", "share",
                  "pairs of coders of different schools, where these differ"),)
          if schools else ()),
        Column("by_items", "items", "share", "what is left with the items"),
        Column("by_ambiguous", what, "share", f"the part of it with {what} items"),
    )  # fmt: skip
    how_many = (
        Column("name", "of"),
        *((Column("n", "ambiguous", "count", "items that can be called so by themselves"),)
          if apart else ()),
        Column("n_unclear", "ambiguous or hard", "count", "items of which no more can be said"),
        Column("share", "of all items", "share", f"how many are {what}, most probably"),
        Column("interval", "its interval", "interval"),
        Column("p_value", "p", "p", "that none is"),
    )  # fmt: skip
    notes = (
        "Errors: the disagreement that coders with these error rates produce though all read an "
        "item the same. Items: what is left with the items, which have several readings, or are "
        "hard, or it is chance.",
        *(("Schools: a model with one truth counts these pairs among errors of the smaller one.",)
          if schools else ()),
    )  # fmt: skip
    doubts = (
        "With few annotations of an item, several readings and a few errors look the same. "
        + ("On a hard item all coders err more often." if apart else
           "With two categories a hard item cannot be told from an ambiguous one."),
    )  # fmt: skip
    table = Table("Where disagreement comes from", columns, tuple(rows), notes, depth="detail")
    counted = Table("How many items are ambiguous", how_many, tuple(rows), doubts, depth="detail")
    title = (
        _title(each[0][1]) if len(each) == 1 else "What explains the disagreement about each label"
    )
    yield Chart(title, parts(drawn, title="share of the pairs that differ"), table)
    yield counted


def _title(one: Ambiguity) -> str:
    """The same figures as in the sentence above."""
    coders, schools, items = shares_of_all(one.parts)
    between = f", schools {schools}" if one.between_schools else ""
    return f"Usual errors of coders explain {coders} of the disagreement{between}, items {items}"


def _ambiguous(
    fits: Fits, fitted: Fitted, each: list[tuple[str, Ambiguity]]
) -> Table | None:  # fmt: skip
    """The items that can be called ambiguous, or ambiguous or hard, the clearest first."""
    found = [
        (name, one, i)
        for name, one in each
        for i in _clearest(one)
    ]  # fmt: skip
    if not found:
        return None
    if len(each) > 1:
        found.sort(key=lambda x: (not x[1].ambiguous[x[2]], x[1].p_value[x[2]], -x[1].bits[x[2]]))
    shown = found[:MOST_ITEMS]
    positions = fitted.positions[[i for _, _, i in shown]]
    items = fitted.part.found.items.named(positions)
    rows = [_row(name, one, i, item) for (name, one, i), item in zip(shown, items, strict=True)]
    source = fitted.part.found.items
    rows = [
        {**row, "opens": {"n": fits.study.collector.add(source, 1, at)},
         "spoken": {"n": f"Item {row['item']}"}}
        for row, at in zip(rows, positions.reshape(-1, 1), strict=True)
    ]  # fmt: skip
    columns = (
        Column("item", "item"),
        *((Column("label", "label"),) if fitted.of_sets else ()),
        *(
            (Column("what", "the item is"),)
            if any(row["what"] != AMBIGUOUS for row in rows)
            else ()
        ),
        Column("readings", "readings"),
        Column("n", "annotations", "count"),
        Column("disagreement", "pairs that differ", "share"),
        Column("expected", "of errors alone", "share", "what errors of these coders produce"),
        Column("p_value", "p", "p", "that usual errors alone look as ambiguous"),
        *((Column("schools", "schools"),) if any(row["schools"] for row in rows) else ()),
        Column("labels", "who said what"),
        *((Column("text", "text"),) if any(row["text"] for row in rows) else ()),
    )
    notes = []
    if len(found) > len(shown):
        notes.append(f"The clearest {len(shown)} of {len(found):,} are shown.")
    notes.append("Readings: the labels, with the share of coders who may have read the item so.")
    title = (
        "Items that can be read in several ways"
        if any(row["what"] == AMBIGUOUS for row in rows)
        else "Items that are ambiguous or hard"
    )
    return Table(title, columns, tuple(rows), tuple(notes))


def _clearest(one: Ambiguity) -> list[int]:
    at = np.flatnonzero(one.ambiguous | one.unclear)
    order = np.lexsort((-one.bits[at], one.p_value[at], ~one.ambiguous[at]))
    return [int(i) for i in at[order]]


def _row(name: str, one: Ambiguity, i: int, item: Any) -> dict[str, Any]:
    shares = one.shares[i]
    order = [k for k in np.argsort(-shares, kind="stable")[:3].tolist() if shares[k] > 0.05]
    readings = "; ".join(
        f"{isolated(_reading(one, k))}\N{NO-BREAK SPACE}{percent(float(shares[k]), 0)}"
        for k in order
    )
    return {
        "item": str(item.item), "label": name,
        "what": AMBIGUOUS if one.ambiguous[i] else "ambiguous or hard",
        "readings": readings or NOTHING,
        "n": int(one.votes.per_item[i]), "disagreement": float(one.disagreement[i]),
        "expected": float(one.expected[i]), "p_value": float(one.p_value[i]),
        "q_value": float(one.q_value[i]), "bits": float(one.bits[i]),
        "schools": "differ" if one.schools_differ[i] else "",
        "labels": item.said(MOST_CODERS), "text": cut(item.text, 300) if item.text else "",
    }  # fmt: skip


def _reading(one: Ambiguity, k: int) -> str:
    category = one.votes.categories[k]
    if category is True or category is False:
        return "given" if category else "not given"
    return label_text(category)
