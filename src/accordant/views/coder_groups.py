"""Groups of coders who read the items differently, and what each group says to the same items."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ..fields import columns, shown
from ..models.coders.schools import Schools
from .blocks import Block, Chart, Table
from .fit_part import FitPart, as_text, by_label, labelled
from .model_charts import Dot, dots
from .remarks import remark
from .view import view

KAPPAS = ("kappa_within", "kappa_between")
KEYS = "label? school n_coders kappa_within kappa_between competence against coders"


@view(
    "groups",
    of="fit",
    alone="groups",
    title="Coder groups",
    chapter="annotator_reliability",
    place=150,
)
def groups(part: FitPart | Schools, *, level: float = 0.95) -> Iterator[Block]:
    """Groups of coders who read the items differently."""
    each = by_label(part, lambda fitted: [own.schools for own in fitted.coders(level)])
    rows = labelled(each, part.question, Schools.to_rows)
    why = dict.fromkeys(found.reason for _, found in each if found.reason)
    table = Table.of(
        columns(KEYS, rows, coders="who"),
        rows,
        [f"No groups: {reason}." for reason in why],
        keep="label school coders kappa_within kappa_between",
    )
    yield Chart(_apart(rows), _drawn(rows), table) if rows else table
    yield from (remark(found.finding) for _, found in each if found.finding is not None)


def _apart(rows: Sequence[Mapping[str, Any]]) -> str:
    within, between = (_range([row[key] for row in rows]) for key in KAPPAS)
    return f"κ is {within} within coder groups and {between} between them"


def _range(x: Sequence[float]) -> str:
    known = [v for v in x if v == v] or [float("nan")]
    return " to ".join(dict.fromkeys(shown("skill", end(known)) for end in (min, max)))


def _drawn(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    axis = "κ of two coders of the group (dot), of one of them with another coder (tick)"
    made = []
    for row in rows:
        within, between = (row[key] for key in KAPPAS)
        name = f"{row.get('label', '')} group {row['school']}".strip()
        made.append(Dot(name, within, other=between))
    return dots(made, title=axis, zero=True)


@view(
    "readings",
    of="fit",
    title="Items that coder groups label differently",
    chapter="annotator_reliability",
    place=155,
)
def readings(fitted: FitPart, *, level: float = 0.95) -> Iterator[Block]:
    """Items that coder groups label differently."""
    rows: list[dict[str, Any]] = []
    n_groups, why = 0, []
    for label, own in by_label(fitted, lambda fitted: fitted.coders(level)):
        found = own.schools
        n_groups = max(n_groups, len(found.names))
        why += [found.reason] if found.reason else []
        at = _differing(found)
        said = found.side_by_side() if len(at) else []
        for i, item in zip(at.tolist(), fitted.named(at), strict=True):
            about = {"about": label} if label else {}
            rows.append({**about, **said[i], "item": str(item.item), "text": item.text})
    of_groups = {f"school_{g}": f"group {g}" for g in range(1, n_groups + 1)}
    headings = {"about": "label", **of_groups, "label": "estimated label"}
    used = columns(["item", "about?", *of_groups, "label", "text?"], rows, **headings)
    rows = as_text(rows, "label", *of_groups)
    none = [f"No groups: {x}." for x in dict.fromkeys(why)] or ["No items that differ by group."]
    yield Table.of(used, rows, () if rows else none)


def _differing(found: Schools) -> np.ndarray:
    """Items to which most of one group give another label than most of another one."""
    if not found:
        return np.zeros(0, np.int64)
    said = found.majorities
    there = said >= 0
    top = np.where(there, said, -1).max(0)
    low = np.where(there, said, said.max() + 1).min(0)
    return np.flatnonzero((there.sum(0) > 1) & (top != low))
