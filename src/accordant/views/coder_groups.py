"""Groups of coders who read the items differently, and what each group says to the same items."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ..diagnosis.words import label_text
from ..fields import FIELDS, columns, shown
from ..models.coders.schools import Schools
from .blocks import Block, Chart, Table
from .fit_part import FitPart, One, part_of
from .model_charts import dots
from .remarks import remark
from .view import view

KAPPAS = ("kappa_within", "kappa_between")


@view(
    "groups", of="fit", title="Coder groups", chapter="annotator_reliability", place=150,
    help="groups of coders who read the items differently",
)  # fmt: skip
def groups(part: One | FitPart, *, level: float = 0.95) -> Iterator[Block]:
    """Who belongs to each group, and how a model with one truth treats them."""
    fitted = part_of(part)
    found = [own.schools for own in fitted.coders(level)]
    yield from _group_blocks(list(zip(fitted.label_names, found, strict=True)), fitted.question)


@view("groups", of="groups", title="Coder groups", place=10)
def groups_alone(part: Schools) -> Iterator[Block]:
    """The same for the groups of one question by themselves."""
    yield from _group_blocks([("", part)], part.question)


def _group_blocks(each: list[tuple[str, Schools]], question: str | None) -> Iterator[Block]:
    rows = tuple(
        {**({"label": label} if label else {}), **row, "question": question}
        for label, found in each
        for row in found.to_rows()
    )
    about = "label " if each[0][0] else ""
    used = (
        *columns(f"{about}school n_coders kappa_within kappa_between competence against"),
        FIELDS["coders"].called("who"),
    )
    why = dict.fromkeys(found.reason for _, found in each if found.reason)
    notes = tuple(f"No groups: {reason}." for reason in why)
    keep = ("label", "school", "coders", "kappa_within", "kappa_between")
    table = Table("", used, rows, notes, keep=keep)
    yield Chart(_apart(rows), _drawn(rows), table) if rows else table
    yield from (remark(found.finding) for _, found in each if found.finding is not None)


def _apart(rows: Sequence[Mapping[str, Any]]) -> str:
    within, between = (_range([row[key] for row in rows]) for key in KAPPAS)
    return f"κ is {within} within coder groups and {between} between them"


def _range(x: Sequence[float]) -> str:
    known = [v for v in x if v == v] or [float("nan")]
    return " to ".join(dict.fromkeys(shown("skill", end(known)) for end in (min, max)))


def _drawn(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    made = [
        {"name": f"{row.get('label', '')} group {row['school']}".strip(), "low": None,
         "high": None, "value": row[KAPPAS[0]], "other": row[KAPPAS[1]], "kind": "good"}
        for row in rows
    ]  # fmt: skip
    axis = "κ of two coders of the group (dot), of one of them with another coder (tick)"
    least = min(0.0, *(row["other"] for row in made if row["other"] == row["other"]))
    return dots(made, title=axis, least=least)


@view(
    "readings", of="fit", title="Items that coder groups label differently",
    chapter="annotator_reliability", place=155, help="items that coder groups label differently",
)  # fmt: skip
def readings(part: One | FitPart, *, level: float = 0.95) -> Iterator[Block]:
    """The items that groups label differently, with the label of each group."""
    fitted = part_of(part)
    rows: list[dict[str, Any]] = []
    n_groups = 0
    for label, own in zip(fitted.label_names, fitted.coders(level), strict=True):
        found = own.schools
        n_groups = max(n_groups, len(found.names))
        at = _differing(found)
        said = found.side_by_side() if len(at) else []
        for i, item in zip(at.tolist(), fitted.named(at), strict=True):
            rows.append({
                "item": str(item.item), **({"about": label} if label else {}),
                **{k: _label(x) for k, x in said[i].items() if k != "item"}, "text": item.text,
            })  # fmt: skip
    of_group = [
        FIELDS["label"].called(f"group {g + 1}", key=f"school_{g + 1}") for g in range(n_groups)
    ]
    about = [FIELDS["label"].called("label", key="about")] if fitted.of_sets else []
    used = (
        FIELDS["item"], *about, *of_group, FIELDS["label"].called("estimated label"),
        *([FIELDS["text"]] if any(row["text"] for row in rows) else []),
    )  # fmt: skip
    notes = () if rows else ("No coder groups label items differently.",)
    yield Table("", used, tuple(rows), notes)


def _differing(found: Schools) -> np.ndarray:
    """Items to which most of one group give another label than most of another one."""
    if not found:
        return np.zeros(0, np.int64)
    said = found.majorities
    there = said >= 0
    top = np.where(there, said, -1).max(0)
    low = np.where(there, said, said.max() + 1).min(0)
    return np.flatnonzero((there.sum(0) > 1) & (top != low))


def _label(x: object) -> str | None:
    return None if x is None else label_text(x)
