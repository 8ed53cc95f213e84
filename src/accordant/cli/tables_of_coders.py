"""Tables of coders for `accordant diagnose --show`: who differs from whom, when, and how."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..diagnosis.diagnose import Part
from ..diagnosis.words import label_text
from ..numbers import percent
from ..views.document import Column
from .asked import Asked
from .breakdown import Breakdown

__all__ = [
    "camps", "coders", "consistency", "directions", "drift", "pairs", "scores", "sequence",
]  # fmt: skip

CODER = Column("coder", "coder")
P_VALUE = Column("p_value", "p", "p")


def coders(part: Part, asked: Asked) -> Breakdown:
    """Each coder: agreement with the others, and alpha without the coder."""
    return Breakdown(
        part.coders.to_rows(),
        (
            CODER,
            Column("n_shared", "items", "count"),
            Column("agreement", "with others", "share"),
            Column("alpha_without", "α without", "value"),
            Column("alpha_change", "change", "value"),
            Column("bias_value", "unlike others"),
            Column("bias", "more often by", "share"),
        ),
        (
            "with others: mean agreement with each other annotation of the same item",
            "change: how much α rises without the coder; no reason to drop anybody",
        ),
    )


def pairs(part: Part, asked: Asked) -> Breakdown:
    """Each pair of coders, those who agree least first."""
    return Breakdown(
        sorted(part.pairs.to_rows(), key=_kappa),
        (
            Column("first", "coder"),
            Column("second", "and"),
            Column("n_common", "items", "count"),
            Column("percent", "A_o", "share"),
            Column("kappa", "κ", "value"),
        ),
        () if part.pairs.coders else ("the data do not say who gave which label",),
    )


def _kappa(row: Mapping[str, Any]) -> float:
    """Undefined last."""
    return float(row["kappa"]) if row["kappa"] == row["kappa"] else 2.0


def scores(part: Part, asked: Asked) -> Breakdown:
    """Precision, recall and F1 of each coder on each category."""
    found = part.scores
    if found is None:
        return Breakdown([], (), ("it is not known who gave what, or there are too many values",))
    right = f"what {found.gold} gave" if found.gold else "what each other coder of the item gave"
    return Breakdown(
        found.to_rows(),
        (
            CODER,
            Column("category", "category"),
            Column("tp", "right", "count"),
            Column("fp", "wrong", "count"),
            Column("fn", "missed", "count"),
            Column("precision", "precision", "share"),
            Column("recall", "recall", "share"),
            Column("f1", "F1", "share"),
        ),
        (f"right is {right}{'' if found.gold else ' (--gold CODER for one of them)'}",),
    )


def directions(part: Part, asked: Asked) -> Breakdown:
    """Which way the differences of two coders go."""
    rows = [row for found in part.directions for row in found.to_rows()]
    for row in rows:
        del row["question"]
    high = rows[0]["high"] if rows else None
    order = "" if high is None else f"{label_text(high)} is the higher one; "
    why = "no value is higher than another, or it is not known who gave which"
    return Breakdown(
        rows,
        (
            Column("first", "coder"),
            Column("second", "and"),
            Column("n_items", "items", "count"),
            Column("down", "first higher", "count"),
            Column("up", "second higher", "count"),
            Column("share", "one way", "share"),
            Column("p_value", "p", "p"),
        ),
        (f"{order}p: exact sign test",) if rows else (why,),
    )


def camps(part: Part, asked: Asked) -> Breakdown:
    """Camps of coders who agree among themselves more than with the others."""
    found = part.camps
    return Breakdown(
        found.to_rows(),
        (
            Column("camp", "camp", "count"),
            Column("coders", "coders"),
            Column("within", "A_o within", "share"),
            Column("between", "with others", "share"),
            P_VALUE,
        ),
        (found.reason,) if found.reason else (),
    )


def drift(part: Part, asked: Asked) -> Breakdown:
    """Each coder's agreement with the others from the first items to the last."""
    found = part.drift
    if found is None:
        return Breakdown([], (), ("too few items, or too few coders, to see a drift",))
    return Breakdown(
        found.to_rows(),
        (
            CODER,
            Column("n_items", "items", "count"),
            Column("first", found.stretches.names[0], "share"),
            Column("last", found.stretches.names[-1], "share"),
            Column("others_first", "others first", "share"),
            Column("others_last", "others last", "share"),
            P_VALUE,
        ),
        ("others: how far the other coders agree on the same items",),
    )


def sequence(part: Part, asked: Asked) -> Breakdown:
    """Whether a coder repeats or avoids the label of the item before."""
    found = part.sequence
    if found is None:
        why = "the order of annotation is not known (--order COLUMN), or the data do not allow it"
        return Breakdown([], (), (why,))
    return Breakdown(
        found.to_rows(),
        (
            CODER,
            Column("n_steps", "steps", "count"),
            Column("repeats", "same label", "share"),
            Column("others", "others give it", "share"),
            Column("effect", "effect", "share"),
            P_VALUE,
        ),
        ("effect: above 0 the coder carries labels on to the next item, below 0 it avoids them",),
    )


def consistency(part: Part, asked: Asked) -> Breakdown:
    """Whether a coder answers the same text in the same way."""
    found = part.consistency
    columns = (
        CODER,
        Column("n_texts", "repeated texts", "count"),
        Column("n_contradicted", "contradicted", "count"),
        Column("share", "share", "share"),
        Column("low", "from", "share"),
        Column("high", "to", "share"),
    )
    if found is None:
        return Breakdown([], columns, ("no text stands under two items",))
    return Breakdown(found.to_rows(), columns, (f"{percent(part.level, 0)} intervals: exact",))
