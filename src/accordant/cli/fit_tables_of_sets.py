"""Coders who give sets of labels, at a glance: means over the labels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ..models.sets.set_posterior import SetPosterior
from ..numbers import count_of
from ..views.document import Column, Table
from .tables import print_table

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["print_coders_of_sets"]

COLUMNS = (
    Column("coder", "coder"), Column("n", "annotations", "count"),
    Column("sensitivity", "finds", "share"), Column("specificity", "leaves out", "share"),
    Column("competence", "right", "share"),
)  # fmt: skip
MEANT = (
    "means over the labels: finds a label that is true, leaves out one that is not; --show coders "
    "has a table and verdicts for each label"
)


def print_coders_of_sets(console: Console, one: SetPosterior, most: int) -> None:
    """Print how well each coder finds labels, those who find most first."""
    rows = one.coder_rows()
    made = sorted(
        (_of([r for r in rows if r["coder"] == name]) for name in one.coders),
        key=lambda row: (-_known(row["sensitivity"]), -_known(row["competence"]), row["coder"]),
    )
    left = len(made) - most
    notes = (*((f"and {count_of(left, 'more coder')}",) if left > 0 else ()), MEANT)
    figures = COLUMNS if rows and rows[0]["sensitivity"] is not None else (*COLUMNS[:2], COLUMNS[4])
    print_table(console, Table("", figures, tuple(made[:most]), notes))


def _of(rows: list[dict[str, Any]]) -> Mapping[str, Any]:
    """One coder over all labels."""

    def mean(key: str) -> float:
        known = [float(row[key]) for row in rows if row[key] is not None]
        return float(np.mean(known)) if known else float("nan")

    return {
        "coder": rows[0]["coder"],
        "n": max(row["n_annotations"] for row in rows),
        **{key: mean(key) for key in ("sensitivity", "specificity", "competence")},
    }


def _known(x: float) -> float:
    return x if x == x else -1.0
