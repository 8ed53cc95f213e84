"""How sources state the same estimate: divisor, quantile, tail, where a small-sample term stands.

Nothing here computes agreement: it restates numbers of accordant as the source prints them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

import accordant as ac
from golden.cases import Case, annotations_of, result, weights_of

LARGE_SAMPLE = (
    "R psych",
    "R vcd",
    "SAS",
    "Fleiss, Cohen & Everitt",
    "misskappa",
    "Agresti",
)
"""Sources that divide the variance by n and take normal quantiles."""


@dataclass(frozen=True)
class Dialect:
    """How a source states uncertainty.

    ``large``: variance with divisor n and normal quantiles. ``t_interval``: the interval takes
    Student's t although the variance has divisor n, as the functions of irrCAC for contingency
    tables do.
    """

    large: bool = False
    alternative: str = "two-sided"
    t_interval: bool = False


def dialect_of(case: Case) -> Dialect:
    """The dialect of a source."""
    if case.kind == "table" and "irrCAC" in case.source:
        return Dialect(True, t_interval=True)
    if case.source.startswith(LARGE_SAMPLE):
        return Dialect(True)
    one_tail = "p_one_sided" in case.expected or (
        # the port prints one tail for Brennan-Prediger and two for every other coefficient
        "/raw/test_bp.py" in case.source and "p_two_sided" in case.expected
    )
    return Dialect(alternative="greater" if one_tail else "two-sided")


def stated(case: Case) -> dict[str, float]:
    """Every number of accordant that the case may ask for, as the source states it."""
    asked: Any = dialect_of(case).alternative
    return restated(case, result(case, interval="analytic", alternative=asked))


def restated(case: Case, row: ac.Agreement) -> dict[str, float]:
    """The numbers of a row, as the source of the case states them."""
    d = dialect_of(case)
    se, low, high = row.se, row.low, row.high
    one = two = row.p_value
    if d.large and se > 0:
        n = row.n_pairable if row.coefficient == "alpha" else row.n_items
        se *= math.sqrt((n - 1) / n)
        normal, t = stats.norm.ppf(0.975), stats.t.ppf(0.975, row.n_items - 1)
        reach = (t if d.t_interval else normal) * se
        low, high = max(row.value - reach, -1.0), min(row.value + reach, 1.0)
        one = float(stats.norm.sf(row.value / se))
        two = 2 * min(one, 1 - one)
    observed, expected = _agreement(case, row)
    scale = _largest_distance(case)
    numbers = {
        "value": row.value,
        "pa": observed,
        "pe": expected,
        "do": scale * (1 - row.observed),
        "de": scale * (1 - row.expected),
        "do_norm": 1 - row.observed,
        "de_norm": 1 - row.expected,
        "se": se,
        "var": se**2,
        "ci_low": low,
        "ci_high": high,
        "p_one_sided": one,
        "p_two_sided": two,
    }
    return numbers | (_under_the_null(case, row) if "z" in case.expected else {})


def _under_the_null(case: Case, row: ac.Agreement) -> dict[str, float]:
    """Sources that print z test against chance with the standard error that holds then.

    Of two coders Fleiss, Cohen & Everitt (1969), of more Fleiss, Nee & Landis (1979): the variance
    of what is left of the weights of two drawn labels after what each label does alone.
    """
    data = annotations_of(case)
    names = data.scheme.categories
    n, w = len(data.items), weights_as_matrix(weights_of(case), names)
    if row.coefficient == "kappa":
        p, q = (_shares(data, [coder]) for coder in data.coders)
        pairs = n
    else:
        p = q = _shares(data, data.coders)
        pairs = n * math.comb(len(data.coders), 2)
    ahead, behind = w @ q, p @ w
    spread = p @ w**2 @ q - p @ ahead**2 - behind**2 @ q + (p @ ahead) ** 2
    se = float(np.sqrt(spread / pairs) / (1 - row.expected))
    one = float(stats.norm.sf(row.value / se))
    numbers = {
        "se0": se,
        "z": row.value / se,
        "p_one_sided": one,
        "p_two_sided": 2 * min(one, 1 - one),
    }
    if "null" in case.params.get("se", ""):  # R's epiR builds even the interval on it
        reach = float(stats.norm.ppf(0.975)) * se
        numbers |= {"se": se, "ci_low": row.value - reach, "ci_high": row.value + reach}
    return numbers


def weights_as_matrix(weights: Any, names: tuple[Any, ...]) -> Any:
    """(K, K) each weight is the weighted agreement of two coders on one item."""
    pairs = [[a for a in names for _ in names], [b for _ in names for b in names]]
    found = ac.diagnose(ac.read(pairs, categories=list(names)), weights=weights).pooled
    return found.items.agreement.reshape(len(names), -1)


def _shares(data: ac.Annotations, coders: Any) -> Any:
    found = ac.diagnose(data.of_coders(coders)).pooled.coverage.distribution
    return found.n / found.n.sum()


def _agreement(case: Case, row: ac.Agreement) -> tuple[float, float]:
    """A_o and A_e; irrCAC puts alpha's small-sample term into A_o instead of A_e."""
    if row.coefficient != "alpha" or "pa" not in case.expected:
        return row.observed, row.expected
    per_item = ac.diagnose(annotations_of(case)).pooled.coverage.per_item
    n = sum(m * times for m, times in per_item if m > 1)
    return (1 - 1 / n) * row.observed + 1 / n, ((n - 1) * row.expected + 1) / n


def _largest_distance(case: Case) -> float:
    """Weights are distances divided by the largest; these sources print distances as they are."""
    if case.params.get("level") != "interval":
        return 1.0
    values = [float(v) for v in annotations_of(case).scheme.categories]
    return float(np.ptp(values) ** 2)
