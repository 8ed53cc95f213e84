"""What the margins of two coders do to kappa: a test of statsmodels, indices by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from statsmodels.stats.contingency_tables import SquareTable

import accordant as ac
from golden.cases import contingency

VISION = [[1520, 266, 124, 66], [234, 1512, 432, 78], [117, 362, 1772, 205], [36, 82, 179, 492]]
"""Unaided distance vision of 7,477 women, right and left eye (Stuart 1953, 1955)."""


def tables() -> list[Any]:
    rng = np.random.default_rng(3)
    return [rng.integers(1, 30, size=(k, k)).tolist() for k in (2, 3, 4, 6) for _ in range(2)]


def indices_of(table: Any) -> Any:
    return ac.diagnose(contingency(table)).pooled.indices[0]


def test_vision() -> None:
    """Stuart (1955) prints chi-squared 11.96 with 3 degrees of freedom."""
    from scipy.stats import chi2

    assert indices_of(VISION).marginal_p == pytest.approx(chi2.sf(11.957, 3), abs=1e-5)


@pytest.mark.parametrize("table", [VISION, *tables()])
def test_equal_margins_as_statsmodels_tests_them(table: Any) -> None:
    theirs = SquareTable(np.array(table, float), shift_zeros=False).homogeneity()
    assert indices_of(table).marginal_p == pytest.approx(theirs.pvalue, abs=1e-12)


def test_nothing_differs() -> None:
    found = indices_of([[10, 0], [0, 5]])
    assert np.isnan(found.marginal_p)
    assert (found.kappa, found.kappa_max, found.marginal_difference) == (1, 1, 0)


def test_kappa_from_three_numbers() -> None:
    """Byrt, Bishop & Carlin (1993): (PABAK - PI² + BI²) / (1 - PI² + BI²)."""
    found = indices_of([[80, 10], [5, 5]])
    pabak, prevalence, bias = found.pabak.value, found.prevalence.value, found.bias.value
    room = 1 - prevalence**2 + bias**2
    assert found.kappa == pytest.approx((pabak - prevalence**2 + bias**2) / room)
    assert found.marginal_difference == pytest.approx(abs(bias))
    assert pabak == pytest.approx(2 * 0.85 - 1)


def test_more_than_two_categories_have_no_prevalence() -> None:
    found = indices_of(VISION)
    assert found.prevalence.undefined.reason == "not_two_values"


PEER = 1e-6
SALMON = [[19, 10], [6, 256]]  # epiR, epi.kappa, example 1
WATSON_PETRIE = [[596, 61], [29, 987]]  # Watson & Petrie (2010), p. 1170


@pytest.mark.parametrize(
    "table, expected, tolerance",
    [
        ([[25, 12, 3], [13, 2, 15], [12, 16, 2]], 0.85, 0.01),  # Cohen (1960), p. 37
        ([[88, 14, 18], [10, 40, 10], [2, 6, 12]], 0.831, 1e-3),  # Cohen (1960), p. 45
    ],
)
def test_largest_kappa_of_cohen(table: Any, expected: float, tolerance: float) -> None:
    assert indices_of(table).kappa_max == pytest.approx(expected, abs=tolerance)


def test_kappa_over_its_maximum_as_in_hoek_and_scholman() -> None:
    """Footnote 4: A_o max is (f1 + g2) / N if f1 is the smallest margin; table 3."""
    f1, g2, n = 28, 88, 120
    chance = (28 * 32 + 92 * 88) / n**2
    expected = (100 / n - chance) / ((f1 + g2) / n - chance)
    found = indices_of([[20, 12], [8, 80]])
    assert found.kappa_ratio == pytest.approx(expected, abs=1e-12)


def test_indices_of_r_epir() -> None:
    """R epiR 2.0.57; its test is McNemar's without correction."""
    salmon, watson = indices_of(SALMON), indices_of(WATSON_PETRIE)
    for found, pabak, prevalence, bias in (
        (salmon, 0.89003436, -0.81443299, 0.013745704),
        (watson, 0.89240885, -0.23371189, 0.019127316),
    ):
        ours = (found.pabak.value, found.prevalence.value, found.bias.value)
        assert ours == pytest.approx((pabak, prevalence, bias), abs=PEER)
    ends = salmon.pabak.low, salmon.pabak.high
    assert ends == pytest.approx((0.82449062, 0.93649914), abs=PEER)
    assert watson.marginal_p == pytest.approx(0.00074327987, abs=PEER)
    perfect = indices_of([[5, 0], [0, 5]]).pabak
    assert perfect.low == pytest.approx(2 * 0.025 ** (1 / 10) - 1)  # closed form for no failure


@pytest.mark.parametrize(
    "index, cells, peer",
    [("prevalence", (0, 3), 0.023944229), ("bias", (1, 2), 0.024045703)],
)
def test_errors_respect_that_both_coders_saw_the_same_items(
    index: str, cells: tuple[int, int], peer: float
) -> None:
    """epiR 2.0.57 adds the variances of two shares of one sample as if of two samples.

    For the prevalence index it forgets -2 cov(a, d) > 0 and prints too small a value; for the
    bias index it takes the two margins for independent, although they come from the same items,
    and prints too large a one. We use the multinomial variance.
    """
    n = np.sum(SALMON)
    shares = np.ravel(SALMON) / n
    margins = (shares[0] + shares[1], shares[0] + shares[2])
    apart = [shares[c] for c in cells] if index == "prevalence" else margins
    assert sum(p * (1 - p) / n for p in apart) ** 0.5 == pytest.approx(peer, abs=PEER)
    drawn = np.random.default_rng(7).multinomial(int(n), shares, size=40_000)
    spread = ((drawn[:, cells[0]] - drawn[:, cells[1]]) / n).std()
    found = getattr(indices_of(SALMON), index).se
    assert found == pytest.approx(spread, rel=0.02)  # 40,000 draws: 0.35 % error
    assert abs(found - peer) > 0.005
