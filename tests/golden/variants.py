"""Estimators of other programs that accordant does not follow, written out from their definition.

Each gives the number that the program prints, and so shows that we know why ours differs.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
from scipy import stats

from golden.cases import DATASETS, Case, annotations_of, result, weights_of
from golden.dialects import weights_as_matrix

Numbers = dict[str, float]


def _with_interval(value: float, se: float, df: float) -> Numbers:
    law = stats.t(df) if np.isfinite(df) else stats.norm
    reach, tail = law.ppf(0.975) * se, law.sf(abs(value / se))
    return {
        "value": value,
        "se": se,
        "ci_low": value - reach,
        "ci_high": min(1.0, value + reach),
        "z": value / se,
        "p_one_sided": tail,
        "p_two_sided": 2 * tail,
    }


def _counts_and_weights(case: Case) -> tuple[Any, Any]:
    """(I, K) how many coders gave each item each value; (K, K) weights."""
    names, data = annotations_of(case).scheme.categories, DATASETS[str(case.data)]
    w = weights_as_matrix(weights_of(case), names)
    if "counts" in data:
        return np.array(data["counts"], float), w
    if "table" in data:
        table = np.array(data["table"])
        both = [np.eye(len(names))[a] + np.eye(len(names))[b] for a, b in np.ndindex(table.shape)]
        return np.repeat(np.array(both), table.ravel(), axis=0), w
    rows = data["coders"]
    return np.array([[sum(r[i] == k for r in rows) for k in names] for i in range(len(rows[0]))]), w


def alpha_linearised(
    r: Any, w: Any, *, slope: float = 2.0, corrected_centre: bool = False
) -> tuple[float, float, int]:
    """Alpha, its linearised standard error and the number of pairable items.

    ``slope=1`` forgets that A_e moves with both draws. ``corrected_centre`` centres each item's
    agreement on A_o with the small-sample term, although the items' own agreement lacks it.
    """
    r = r[r.sum(1) >= 2]
    size, n = r.sum(1), len(r)
    mean, total = size.mean(), r.sum()
    own = (r * (r @ w.T - 1)).sum(1) / (mean * (size - 1))
    plain = own.mean()
    corrected = (1 - 1 / total) * plain + 1 / total
    p = r.sum(0) / total
    chance = p @ w @ p
    value = (plain - chance) / (1 - chance)
    centre = corrected if corrected_centre else plain
    x = (own - centre * (size - mean) / mean - chance) / (1 - chance)
    drawn = r @ ((w + w.T) @ p / 2) / mean - chance * (size - mean) / mean
    x = x - slope * (1 - value) * (drawn - chance) / (1 - chance)
    se = float(np.sqrt(((x - value) ** 2).sum() / (n * (n - 1))))
    return float((corrected - chance) / (1 - chance)), se, n


def cran_half_slope(case: Case) -> Numbers:
    """irrCAC 1.0 for counts: half the slope of A_e, and the small-sample factor on the error."""
    r, w = _counts_and_weights(case)
    value, se, n = alpha_linearised(r, w, slope=1.0)
    return _with_interval(value, se * (1 - 1 / r[r.sum(1) >= 2].sum()), n - 1)


def corrected_centre(case: Case) -> Numbers:
    """irrCAC 1.0 and its Python port for labels: two versions of A_o in one deviation."""
    value, se, n = alpha_linearised(*_counts_and_weights(case), corrected_centre=True)
    return _with_interval(value, se, n - 1)


def all_items_as_df(case: Case) -> Numbers:
    """irrCAC 1.4: t with all items - 1, though only pairable items enter alpha."""
    r, w = _counts_and_weights(case)
    value, se, _ = alpha_linearised(r, w)
    return _with_interval(value, se, len(r) - 1)


def weights_turned(case: Case) -> Numbers:
    """The Python port for tables: the slope of A_e with rows and columns of the weights swapped."""
    table = np.array(DATASETS[str(case.data)]["table"], dtype=float)
    n, w = table.sum(), np.array(case.params["weights"], dtype=float)
    p = table / n
    first, second = p.sum(1), p.sum(0)
    if case.measure != "cohen_kappa":
        first = second = (first + second) / 2
    observed, chance = (p * w).sum(), first @ w @ second
    value = (observed - chance) / (1 - chance)
    pull = (w.T @ second)[:, None] + (w.T @ first)[None, :]
    squares = (p * (w - (1 - value) * pull) ** 2).sum() - (observed - 2 * (1 - value) * chance) ** 2
    se = float(np.sqrt(squares / n) / (1 - chance))
    if case.measure == "krippendorff_alpha":
        value += (1 - value) / (2 * n)
    return _with_interval(float(value), se, n - 1)


def fixed_chance(case: Case) -> Numbers:
    """Cohen (1960): A_e taken as known, so only A_o varies."""
    row = result(case)
    se = np.sqrt(row.observed * (1 - row.observed) / row.n_items) / (1 - row.expected)
    return _with_interval(row.value, float(se), np.inf)


def mean_over_pairs(case: Case) -> Numbers:
    """misskappa's inverse probability weighting: every pair of coders on the items they share."""
    rows = DATASETS[str(case.data)]["coders"]
    values = sorted({v for row in rows for v in row if v is not None})
    codes = np.array([[values.index(v) if v is not None else -1 for v in row] for row in rows])
    pairs = list(combinations(range(len(codes)), 2))
    agreed = []
    for a, b in pairs:
        both = (codes[a] >= 0) & (codes[b] >= 0)
        agreed.append((codes[a] == codes[b])[both].mean())
    p = np.array([np.bincount(c[c >= 0], minlength=len(values)) / (c >= 0).sum() for c in codes])
    chance = {
        "conger_kappa": float(np.mean([p[a] @ p[b] for a, b in pairs])),
        "fleiss_kappa": float(p.mean(0) @ p.mean(0)),
        "brennan_prediger": 1 / len(values),
    }[case.measure]
    return {"value": float((np.mean(agreed) - chance) / (1 - chance))}
