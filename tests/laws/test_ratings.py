"""Coefficients of ratings: brute force, invariance, and what the page says of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

import accordant as ac
from accordant.views.view import named

KEYS = ["icc_a", "icc_c", "icc_one", "icc_a_mean", "icc_c_mean", "icc_one_mean"]


def rated(seed: int, n: int = 14, c: int = 4, gaps: float = 0.0, skewed: bool = False) -> Any:
    """(n, c) items by coders: variances 4, 1 and 2."""
    rng = np.random.default_rng(seed)
    item = rng.exponential(2, (n, 1)) if skewed else rng.normal(0, 2, (n, 1))
    x = 10 + item + rng.normal(0, 1, (1, c)) + rng.normal(0, 2**0.5, (n, c))
    x[rng.random(x.shape) < gaps] = np.nan
    return x[(~np.isnan(x)).any(1)]


def agreement(x: Any, keys: Any, **options: Any) -> Any:
    return ac.agreement(x, keys, layout="wide", scale="interval", **options)


def by_brute_force(x: Any, coders: str) -> tuple[float, ...]:
    """Variances of items, coders and errors: the whole covariance matrix of the ratings."""
    item, coder = np.nonzero(~np.isnan(x))
    y = x[item, coder]
    same_item, same_coder = item[:, None] == item, coder[:, None] == coder
    fixed = np.eye(x.shape[1])[coder] if coders == "fixed" else np.ones((len(y), 1))

    def deviance(log: Any) -> float:
        s, r, e = np.exp(log)
        v = s * same_item + (r * same_coder if coders == "random" else 0) + e * np.eye(len(y))
        inner = np.linalg.inv(v)
        middle = fixed.T @ inner @ fixed
        rest = y - fixed @ np.linalg.solve(middle, fixed.T @ inner @ y)
        return float(np.linalg.slogdet(v)[1] + np.linalg.slogdet(middle)[1] + rest @ inner @ rest)

    options = {"xatol": 1e-9, "fatol": 1e-12, "maxiter": 4000, "maxfev": 4000}
    found = minimize(deviance, np.zeros(3), method="Nelder-Mead", options=options)
    return tuple(np.exp(found.x).tolist())


@pytest.mark.parametrize("seed", range(3))
def test_gaps_are_restricted_maximum_likelihood(seed: int) -> None:
    x = rated(seed, gaps=0.25)
    rows = agreement(x, ["icc_a", "icc_c", "icc_one"], interval="none")
    s, r, e = by_brute_force(x, "random")
    assert rows["icc_a"].value == pytest.approx(s / (s + r + e), abs=2e-5)
    for key, coders in (("icc_c", "fixed"), ("icc_one", "none")):
        s, _, e = by_brute_force(x, coders)
        assert rows[key].value == pytest.approx(s / (s + e), abs=2e-5)


def test_analysis_of_variance_by_hand() -> None:
    x = rated(5)
    n, k = x.shape
    mean, items, coders = x.mean(), x.mean(1), x.mean(0)
    b = k * ((items - mean) ** 2).sum() / (n - 1)
    j = n * ((coders - mean) ** 2).sum() / (k - 1)
    rest = ((x - items[:, None] - coders + mean) ** 2).sum()
    e, w = rest / ((n - 1) * (k - 1)), ((x - items[:, None]) ** 2).sum() / (n * (k - 1))
    rows = agreement(x, KEYS, interval="none")
    wanted = {
        "icc_a": (b - e) / (b + (k - 1) * e + k * (j - e) / n),
        "icc_c": (b - e) / (b + (k - 1) * e),
        "icc_one": (b - w) / (b + (k - 1) * w),
        "icc_a_mean": (b - e) / (b + (j - e) / n),
        "icc_c_mean": (b - e) / b,
        "icc_one_mean": (b - w) / b,
    }
    assert {r.coefficient: r.value for r in rows} == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("gaps", [0.0, 0.3])
def test_order_and_units_have_no_meaning(gaps: float) -> None:
    x, rng = rated(7, gaps=gaps), np.random.default_rng(7)
    other = 3 - 0.25 * x[rng.permutation(len(x))][:, rng.permutation(x.shape[1])]
    for a, b in zip(agreement(x, KEYS), agreement(other, KEYS), strict=True):
        assert a.value == pytest.approx(b.value, abs=1e-5)
        assert a.confidence_interval == pytest.approx(b.confidence_interval, abs=1e-4)


def test_ranks_with_ties() -> None:
    rows = [[1.0, 2.0, 2.0, 4.0, 7.0], [2.0, 1.0, 3.0, 4.0, 4.0], [1.0, 1.0, 1.0, 3.0, 9.0]]
    ranks = np.array([[1, 2.5, 2.5, 4, 5], [2, 1, 3, 4.5, 4.5], [2, 2, 2, 4, 5]])
    ties = sum(size**3 - size for size in (2, 2, 3))
    square = ((ranks.sum(0) - ranks.sum(0).mean()) ** 2).sum()
    wanted = 12 * square / (9 * (125 - 5) - 3 * ties)
    found = ac.agreement(rows, "kendall", scale="interval")["kendall"]
    assert found.value == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize(
    "rows, reason",
    [
        ([[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]], "no_variation"),
        ([[1.0, 2.0, None], [None, None, 3.0]], "few_pairs"),
        ([[1.0, 2.0, 3.0]], "one_coder"),
    ],
)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_undefined_with_a_reason(rows: Any, reason: str) -> None:
    row = ac.agreement(rows, "icc", scale="interval")["icc"]
    assert np.isnan(row.value)
    assert row.undefined.reason == reason


def test_words_are_no_ratings() -> None:
    with pytest.raises(ac.RequestError, match="'b' is none|'a' is none"):
        ac.agreement([["a", "b", "a"], ["a", "b", "b"]], "icc")


def test_names_of_the_literature() -> None:
    x = rated(3)
    rows = agreement(x, ["ccc", "kappa_quadratic", "cronbach", "icc3k", "icc", "icc2"])
    assert rows[0].value == rows[1].value
    assert rows[2].value == rows[3].value
    assert rows[4].value == rows[5].value


@pytest.mark.parametrize(
    "skewed, gaps, least", [(False, 0.0, 0.91), (True, 0.0, 0.84), (False, 0.3, 0.91)]
)
def test_intervals_hold(skewed: bool, gaps: float, least: float) -> None:
    """Of 150; with a probability of .95 at least 137 (.91) in 99 of 100 runs."""
    held, n = 0, 150 if not gaps else 60
    for seed in range(n):
        row = agreement(rated(seed, 30, 5, gaps, skewed), "icc_c")[0]
        held += row.low <= 4 / 6 <= row.high
    assert held / n >= least


def test_the_page_names_who_rates_higher_and_nobody_else() -> None:
    falsely = 0
    for seed in range(60):
        x = np.random.default_rng(seed).normal(0, 1, (60, 1)) + np.random.default_rng(
            seed + 1000
        ).normal(0, 1, (60, 4))
        falsely += " rates " in said(x)
        x[:, 2] += 1.5
        assert "coder 3 rates" in said(x)
        assert "higher" in said(x)
        gap = np.array([np.abs(x[:, a] - x[:, b]) for a in range(4) for b in range(a)])
        m = agreement(x, "icc").told_parts[0].measurements
        assert np.mean(gap <= m.usual) >= 0.95 > np.mean(gap < m.usual)
    assert falsely <= 3  # of 60, with a probability of .01 each: three or more in 2 of 100 runs


def said(x: Any) -> str:
    parts = agreement(x, "icc").told_parts
    return str(named("agreement", "units").section(parts).blocks[0].text)
