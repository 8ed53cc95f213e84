"""A coefficient as a row of a table, and the sentences below the table."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from ..measure.coefficients import COEFFICIENTS
from ..measure.results import Agreement
from ..numbers import joined
from .names import coefficient_name, weights_text

__all__ = [
    "coefficient_row", "interval_notes", "methods_text", "sources_of", "sources_of_measure",
    "undefined_notes",
]  # fmt: skip

_DF = re.compile(r"\(\d+\)")
_OF_WEIGHTS = {"divided-vote": ("rosenberg2004",), "masi": ("passonneau2006",)}


def coefficient_row(row: Agreement, *, of_sets: bool = False) -> dict[str, Any]:
    """A coefficient with its name, as a row."""
    return {
        **row.to_rows()[0],
        "name": coefficient_name(row, of_sets=of_sets),
        "interval": (row.low, row.high),
        "weights": weights_text(row.weights),
        # that two coders agree at all is no hypothesis
        "p_value": row.p_value if row.coefficient != "percent" else float("nan"),
    }


def sources_of(row: Agreement) -> tuple[str, ...]:
    """Keys of the literature on a coefficient with its weights, the origin first."""
    return sources_of_measure(row.coefficient, row.weights)


def sources_of_measure(coefficient: str, weights: str) -> tuple[str, ...]:
    """The same for the key of a coefficient and the name of weights."""
    own = _OF_WEIGHTS.get(weights.partition(":")[0], ())
    return tuple(dict.fromkeys([*own, *COEFFICIENTS[coefficient].sources]))


def undefined_notes(rows: Iterable[tuple[str, Agreement]]) -> tuple[str, ...]:
    """Why numbers are missing: one sentence for each reason, with the names it holds for."""
    names: dict[str, list[str]] = {}
    for name, row in rows:
        if row.undefined:
            names.setdefault(str(row.undefined), []).append(name)
    return tuple(
        f"— {joined(found)} {'is' if len(found) == 1 else 'are'} undefined: {why}."
        for why, found in names.items()
    )


def methods_text(rows: Iterable[Agreement]) -> str:
    """How the intervals were found; degrees of freedom only if they are those of all."""
    found = list(dict.fromkeys(row.method for row in rows if row.method))
    bare = list(dict.fromkeys(_DF.sub("", method) for method in found))
    return "; ".join(found if len(bare) == len(found) else bare)


def interval_notes(rows: Iterable[tuple[str, Agreement]]) -> tuple[str, ...]:
    """What to know about standard errors and intervals, with the coefficients it concerns."""
    names: dict[str, list[str]] = {}
    for name, row in rows:
        if row.note and not row.undefined:
            names.setdefault(row.note, []).append(name)
    return tuple(f"{joined(dict.fromkeys(found))}: {note}." for note, found in names.items())
