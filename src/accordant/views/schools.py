"""Schools of coders: a reading that a model with one truth takes for error, shown beside it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..diagnosis.words import isolated, label_text, listed
from ..models.coders.schools import Schools
from ..numbers import count_of, decimal, percent
from .document import Block, Chart, Column, Finding, Items, Table
from .evidence import allowance
from .fitted import Fitted
from .model_charts import dots
from .remarks import remark
from .study import Study

__all__ = ["school_block"]

MOST_ITEMS = 10
MOST_NAMES = 6


def school_block(study: Study, fitted: Fitted, found: Schools) -> Finding:
    """The finding, with who belongs to each school and what they say to the same items."""
    finding = found.finding
    if finding is None:
        raise ValueError(found.reason)
    at = _differing(found)
    keep = allowance(1)
    items = None
    if len(at):
        positions = fitted.positions[at]
        key = study.collector.add(fitted.part.found.items, len(at), positions[:keep])
        names = tuple(str(fitted.names[i]) for i in at[:keep].tolist())
        spoken = f"Schools give different labels: {count_of(len(at), 'item')}"
        items = Items(key, spoken, names)
    return remark(finding, items=items, blocks=(_who(found), *_side_by_side(fitted, found, at)))


def _differing(found: Schools) -> np.ndarray:
    """Items to which most of one school give another label than most of another one."""
    said = found.majorities
    there = said >= 0
    top = np.where(there, said, -1).max(0)
    low = np.where(there, said, said.max() + 1).min(0)
    return np.flatnonzero((there.sum(0) > 1) & (top != low))


def _who(found: Schools) -> Chart:
    rows = tuple(
        {**row, "name": f"school {row['school']}", "who": _names(names)}
        for row, names in zip(found.to_rows(), found.names, strict=True)
    )
    columns = (
        Column("name", "school"),
        Column("n_coders", "coders", "count"),
        Column("kappa_within", "κ within", "value", "mean kappa of two of its coders"),
        Column("kappa_between", "κ with others", "value", "with a coder of another school"),
        Column("competence", "right", "value", "as the model with one truth has it"),
        Column("against", "outvoted", "share",
               "items whose label is not the one that most of the school gave"),
        Column("who", "who"),
    )  # fmt: skip
    table = Table(
        "Who belongs to each school", columns, rows,
        ("Right and outvoted: by a model with one true label per item.",),
    )  # fmt: skip
    drawn = [
        {"name": row["name"], "value": row["kappa_within"], "low": None, "high": None,
         "other": row["kappa_between"], "kind": "good"}
        for row in rows
    ]  # fmt: skip
    axis = "κ of two coders of the school (dot), of one of them with another coder (tick)"
    title = (
        f"Two coders of the same school agree by κ {_each(found.within)}, coders of different "
        f"schools by {_each(found.between)}"
    )
    return Chart(title, dots(drawn, title=axis, least=min(0.0, *_floats(found.between))), table)


def _floats(x: np.ndarray) -> list[float]:
    return [float(v) for v in x if v == v] or [0.0]


def _each(x: np.ndarray) -> str:
    low, high = min(_floats(x)), max(_floats(x))
    ends = decimal(low, 2), decimal(high, 2)
    return ends[0] if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}"


def _names(names: Sequence[str]) -> str:
    return listed(names, most=MOST_NAMES).replace("“", "").replace("”", "")


def _side_by_side(fitted: Fitted, found: Schools, at: np.ndarray) -> list[Block]:
    if not len(at):
        return []
    of_item = found.side_by_side()
    named = fitted.part.found.items.named(fitted.positions[at[:MOST_ITEMS]])
    rows = tuple(
        {
            "item": str(item.item),
            **{key: _label(x) for key, x in of_item[i].items() if key != "item"},
            **({"text": item.text} if item.text else {}),
        }
        for i, item in zip(at[:MOST_ITEMS].tolist(), named, strict=True)
    )
    columns = (
        Column("item", "item"),
        *(Column(f"school_{g + 1}", f"most of school {g + 1}") for g in range(len(found.names))),
        Column("label", "the model"),
        *((Column("text", "text"),) if any("text" in row for row in rows) else ()),
    )
    n, whole = len(at), len(of_item)
    title = f"Schools give different labels to {n:,} of {whole:,} items ({percent(n / whole)})"
    note = (f"The first {MOST_ITEMS} of {n:,} items.",) if n > MOST_ITEMS else ()
    return [Table(title, columns, rows, note)]


def _label(x: object) -> str:
    return "tie" if x is None else isolated(label_text(x))
