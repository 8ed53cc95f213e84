"""How sources state the same estimate: divisor, quantile, tail, where a small-sample term stands.

Nothing here computes agreement: it restates numbers of accordant as the source prints them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from accordant import Agreement
from accordant.counts.count import count
from accordant.inference.chance_test import null_test
from accordant.inference.distributions import normal_quantile, t_quantile
from accordant.measure.coefficients import find
from accordant.measure.distances import weights_for
from golden.cases import COEFFICIENT, Case, annotations_of, result, weights_of

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
    """What to ask of accordant so that uncertainty is stated as the source does.

    ``t_interval``: the interval takes Student's t although the variance has divisor n, as the
    functions of irrCAC for contingency tables do.
    """

    interval: str = "analytic"
    alternative: str = "two-sided"
    t_interval: bool = False


def dialect_of(case: Case) -> Dialect:
    """The dialect of a source."""
    if case.kind == "table" and "irrCAC" in case.source:
        return Dialect("large-sample", t_interval=True)
    if case.source.startswith(LARGE_SAMPLE):
        return Dialect("large-sample")
    one_tail = "p_one_sided" in case.expected or (
        # the port prints one tail for Brennan-Prediger and two for every other coefficient
        "/raw/test_bp.py" in case.source and "p_two_sided" in case.expected
    )
    return Dialect(alternative="greater" if one_tail else "two-sided")


def stated(case: Case) -> dict[str, float]:
    """Every number of accordant that the case may ask for, as the source states it."""
    d = dialect_of(case)
    return restated(case, result(case, interval=d.interval, alternative=d.alternative))


def restated(case: Case, row: Agreement) -> dict[str, float]:
    """The numbers of a row, as the source of the case states them."""
    d = dialect_of(case)
    low, high = row.low, row.high
    if d.t_interval and row.se > 0:
        reach = t_quantile(0.975, row.n_items - 1) * row.se
        low, high = row.value - reach, min(1.0, row.value + reach)
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
        "se": row.se,
        "var": row.se**2,
        "ci_low": low,
        "ci_high": high,
        "p_one_sided": row.p_value,
        "p_two_sided": row.p_value,
    }
    return numbers | (_under_the_null(case, row) if "z" in case.expected else {})


def _under_the_null(case: Case, row: Agreement) -> dict[str, float]:
    """Sources that print z test against chance with the standard error that holds then."""
    counts = count(annotations_of(case))
    w = weights_for(weights_of(case), counts, ordered=True)
    coefficient = find(COEFFICIENT[case.measure])
    two, one = (null_test(coefficient, counts, w, alternative=a) for a in ("two-sided", "greater"))
    numbers = {"se0": two.se, "z": two.z, "p_two_sided": two.p_value, "p_one_sided": one.p_value}
    if "null" in case.params.get("se", ""):  # R's epiR builds even the interval on it
        reach = normal_quantile(0.975) * two.se
        numbers |= {"se": two.se, "ci_low": row.value - reach, "ci_high": row.value + reach}
    return numbers


def _agreement(case: Case, row: Agreement) -> tuple[float, float]:
    """A_o and A_e; irrCAC puts alpha's small-sample term into A_o instead of A_e."""
    if row.coefficient != "alpha" or "pa" not in case.expected:
        return row.observed, row.expected
    counts = count(annotations_of(case))
    n = counts.pool.sum()
    p = counts.pool / n
    w = weights_for(weights_of(case), counts, ordered=True)
    return float((1 - 1 / n) * row.observed + 1 / n), float(p @ w.matrix @ p)


def _largest_distance(case: Case) -> float:
    """Weights are distances divided by the largest; these sources print distances as they are."""
    if case.params.get("level") != "interval":
        return 1.0
    values: Any = count(annotations_of(case)).values
    return float(np.ptp(np.array(values, dtype=float)) ** 2)
