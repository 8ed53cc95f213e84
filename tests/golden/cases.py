"""The worked examples of coefficients.json, and how each becomes a call of accordant."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from accordant import Agreement, Annotations, Distance, agreement, read

FILE = json.loads((Path(__file__).parent / "coefficients.json").read_text(encoding="utf-8"))
DATASETS: dict[str, dict[str, Any]] = FILE["datasets"]

COEFFICIENT = {
    "percent_agreement": "percent",
    "bennett_s": "s",
    "brennan_prediger": "s",
    "randolph_kappa": "s",
    "scott_pi": "pi",
    "fleiss_kappa": "pi",
    "cohen_kappa": "kappa",
    "conger_kappa": "kappa",
    "hubert_kappa": "kappa",
    "krippendorff_alpha": "alpha",
    "gwet_ac": "ac",
}
"""Measures of the file that are a coefficient of the registry."""

LEVEL = {
    "nominal": "identity",
    "ordinal": "ordinal-metric",
    "interval": "quadratic",
    "ratio": "ratio",
}


@dataclass(frozen=True)
class Case:
    """One worked example: data, measure, what is known about it."""

    id: str
    data: str | None
    measure: str
    params: dict[str, Any]
    expected: dict[str, Any]
    tolerance: float
    ci_tolerance: float  # intervals are printed with fewer digits in one source
    source: str
    origin: str
    reproduced_by: list[str]
    differs: list[dict[str, Any]]
    note: str

    @property
    def kind(self) -> str:
        return DATASETS[self.data]["kind"] if self.data else ""

    def __str__(self) -> str:
        return self.id


CASES = [
    Case(**{"differs": [], "note": "", "ci_tolerance": c["tolerance"], **c}) for c in FILE["cases"]
]


def of_measures(*measures: str) -> list[Case]:
    """The cases of some measures."""
    return [c for c in CASES if c.measure in measures]


def weights_of(case: Case) -> Any:
    """The weights of a case as `agreement` takes them."""
    p = case.params
    if "level" in p:
        return LEVEL[p["level"]]
    if "disagreement_weights" in p:
        return Distance(p["disagreement_weights"])
    if "distance" in p:
        return Distance(SET_DISTANCE[p["distance"]])
    weights = p.get("agreement_weights", p.get("weights", "identity"))
    if "categories" in p and weights != "identity":
        return f"{weights}-by-rank"  # the source numbers the observed categories 1, 2, ...
    return weights


@cache
def annotations(name: str, coders: tuple[int, ...] | None = None) -> Annotations:
    """A data set of the file, read through the public door."""
    data = DATASETS[name]
    match data["kind"]:
        case "ratings":
            rows = data["coders"] if coders is None else [data["coders"][c] for c in coders]
            return read(rows, layout="transposed", categories=_order(rows))
        case "table":
            return contingency(data["table"], data.get("categories"))
        case "counts":
            columns = zip(*data["counts"], strict=True)
            names = data.get("categories") or range(1, len(data["counts"][0]) + 1)
            categories = tuple(names)
            counts = {str(k): list(c) for k, c in zip(categories, columns, strict=True)}
            return read(counts, layout="counts", categories=categories)
    raise ValueError(f"{name}: {data['kind']} is not made of single labels")


def annotations_of(case: Case) -> Annotations:
    """The data of a case, or of the coders that it chooses."""
    if case.kind == "sets":
        return sets()
    coders = case.params.get("coders")
    return annotations(str(case.data), coders and tuple(coders))


def contingency(table: list[list[int]], categories: Any = None) -> Annotations:
    """A two-coder table, rows are the first coder."""
    names = list(categories or range(1, len(table) + 1))
    columns = {str(k): [row[j] for row in table] for j, k in enumerate(names)}
    return read({"first coder": list(map(str, names)), **columns}, layout="table", categories=names)


def _order(rows: list[list[Any]]) -> list[Any] | None:
    """Text labels in alphabetic order, which the sources take as their order."""
    values = {v for row in rows for v in row if v is not None}
    return sorted(values) if any(isinstance(v, str) for v in values) else None


def result(case: Case, **options: Any) -> Agreement:
    """What accordant says about a case."""
    key = COEFFICIENT[case.measure]
    return agreement(annotations_of(case), key, weights=weights_of(case), **options)[key]


# ------------------------------------------------------------------ label sets


def _passonneau(a: tuple[str, ...], b: tuple[str, ...]) -> float:
    """Passonneau (2004): 0 equal, 1/3 one holds the other, 2/3 overlap, 1 disjoint."""
    x, y = set(a), set(b)
    if x == y:
        return 0.0
    if x <= y or y <= x:
        return 1 / 3
    return 2 / 3 if x & y else 1.0


def _masi_of_dkpro(a: tuple[str, ...], b: tuple[str, ...]) -> float:
    """What DKPro calls MASI: Passonneau's distance times Jaccard's distance."""
    x, y = set(a), set(b)
    return _passonneau(a, b) * (1 - len(x & y) / len(x | y)) if x | y else 0.0


def masi(a: tuple[str, ...], b: tuple[str, ...]) -> float:
    """Passonneau (2006): one less Passonneau's agreement times Jaccard's agreement."""
    x, y = set(a), set(b)
    return 1 - (1 - _passonneau(a, b)) * len(x & y) / len(x | y) if x | y else 0.0


SET_DISTANCE = {"passonneau_set": _passonneau, "masi": _masi_of_dkpro}


def sets() -> Annotations:
    """The data set of label sets: each set is a value."""
    import numpy as np

    from accordant import Scheme

    rows = [[tuple(v) for v in row] for row in DATASETS["dkpro_sets"]["coders"]]
    values = tuple(sorted({v for row in rows for v in row}))
    labels = tuple(sorted({x for v in values for x in v}))
    grid = np.array([[values.index(v) for v in row] for row in rows]).T
    items = tuple(range(len(grid)))
    return Annotations(items, ("A", "B"), ("",), (Scheme(labels, max_labels=None),), values, grid)
