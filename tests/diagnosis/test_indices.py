"""Prevalence, bias, the largest kappa, PABAK, full agreement."""

from __future__ import annotations

from dataclasses import astuple

import numpy as np
import pytest

from accordant.counts.count import count
from accordant.errors import RequestError
from accordant.inference.margins import (
    bias_index,
    full_agreement,
    indices,
    kappa_max,
    marginal_difference,
    pabak,
    prevalence_index,
    stuart_maxwell,
)
from accordant.measure.confusion import contingency
from diagnosis.made import at_random, from_coders, from_table, of_grid

PEER = 1e-6

SALMON = np.array([[19.0, 10.0], [6.0, 256.0]])  # epiR, epi.kappa, example 1
WATSON_PETRIE = np.array([[596.0, 61.0], [29.0, 987.0]])  # Watson & Petrie (2010), p. 1170


@pytest.mark.parametrize(
    "table, expected, tolerance",
    [
        ([[25, 12, 3], [13, 2, 15], [12, 16, 2]], 0.85, 0.01),  # Cohen (1960), p. 37
        ([[88, 14, 18], [10, 40, 10], [2, 6, 12]], 0.831, 1e-3),  # Cohen (1960), p. 45
    ],
)
def test_largest_kappa_of_cohen(table, expected, tolerance) -> None:
    assert kappa_max(np.array(table, float)) == pytest.approx(expected, abs=tolerance)


def test_kappa_over_its_maximum_as_in_hoek_and_scholman() -> None:
    """Footnote 4: A_o max is (f1 + g2) / N if f1 is the smallest margin; table 3."""
    table = np.array([[20.0, 12.0], [8.0, 80.0]])
    f1, g2, n = 28, 88, 120
    chance = (28 * 32 + 92 * 88) / n**2
    expected = (100 / n - chance) / ((f1 + g2) / n - chance)
    assert indices(contingency(count(from_table(table.astype(int))))).kappa_ratio == pytest.approx(
        expected, abs=1e-12
    )


def test_pabak_and_its_exact_interval() -> None:
    found = pabak(SALMON)  # R epiR 2.0.57
    assert found.value == pytest.approx(0.89003436, abs=PEER)
    assert (found.low, found.high) == pytest.approx((0.82449062, 0.93649914), abs=PEER)
    assert pabak(WATSON_PETRIE).value == pytest.approx(0.89240885, abs=PEER)
    perfect = pabak(np.array([[5.0, 0.0], [0.0, 5.0]]))
    assert (perfect.value, perfect.high) == (1.0, 1.0)
    assert perfect.low == pytest.approx(2 * 0.025 ** (1 / 10) - 1)  # closed form for no failure


def test_prevalence_and_bias_index_values() -> None:
    assert prevalence_index(SALMON).value == pytest.approx(-0.81443299, abs=PEER)  # R epiR 2.0.57
    assert bias_index(SALMON).value == pytest.approx(0.013745704, abs=PEER)
    assert prevalence_index(WATSON_PETRIE).value == pytest.approx(-0.23371189, abs=PEER)
    assert bias_index(WATSON_PETRIE).value == pytest.approx(0.019127316, abs=PEER)


@pytest.mark.parametrize(
    "index, cells, peer",
    [(prevalence_index, (0, 3), 0.023944229), (bias_index, (1, 2), 0.024045703)],
)
def test_standard_errors_respect_that_both_coders_saw_the_same_items(index, cells, peer) -> None:
    """epiR 2.0.57 adds the variances of two shares of one sample as if of two samples.

    For the prevalence index it forgets -2 cov(a, d) > 0 and prints too small a value; for the
    bias index it takes the two margins for independent, although they come from the same items,
    and prints too large a one. We use the multinomial variance; the item bootstrap agrees.
    """
    n = SALMON.sum()
    shares = SALMON.ravel() / n
    if index is prevalence_index:  # what epiR does
        naive = sum(shares[c] * (1 - shares[c]) / n for c in cells)
    else:
        margins = (shares[0] + shares[1], shares[0] + shares[2])
        naive = sum(p * (1 - p) / n for p in margins)
    assert np.sqrt(naive) == pytest.approx(peer, abs=PEER)
    drawn = np.random.default_rng(7).multinomial(int(n), shares, size=40_000)
    spread = ((drawn[:, cells[0]] - drawn[:, cells[1]]) / n).std()
    assert index(SALMON).se == pytest.approx(spread, rel=0.02)  # 40,000 draws: 0.35 % error
    assert abs(index(SALMON).se - peer) > 0.005


def test_equal_distributions() -> None:
    chi2, _, p = astuple(stuart_maxwell(WATSON_PETRIE))  # R epiR 2.0.57, McNemar without correction
    assert (chi2, p) == pytest.approx((11.377778, 0.00074327987), abs=PEER)
    assert marginal_difference(WATSON_PETRIE) == pytest.approx(0.019127316, abs=PEER)


def test_equal_distributions_of_three_categories() -> None:
    """Stuart's statistic written out with two of the three differences."""
    table = np.array([[30.0, 8.0, 5.0], [2.0, 25.0, 9.0], [1.0, 3.0, 17.0]])
    d = (table.sum(1) - table.sum(0))[:2]
    v = np.array(
        [[43 + 33 - 60, -(8 + 2)], [-(8 + 2), 36 + 36 - 50]], dtype=float
    )  # n_k+ + n_+k - 2 n_kk, and -(n_kl + n_lk)
    chi2 = stuart_maxwell(table).chi2
    assert chi2 == pytest.approx(float(d @ np.linalg.solve(v, d)))
    bigger = np.zeros((4, 4))
    bigger[:3, :3] = table  # an unused category changes nothing
    assert astuple(stuart_maxwell(bigger)) == pytest.approx(astuple(stuart_maxwell(table)))
    assert np.isnan(stuart_maxwell(np.diag([4.0, 5.0])).chi2)  # nothing was confused


def test_indices_that_do_not_exist_say_why() -> None:
    three = np.eye(3) * 4
    assert prevalence_index(three).undefined.reason == "not_two_values"
    nothing = np.zeros((2, 2))
    assert bias_index(nothing).undefined.reason == "no_pairs"
    assert pabak(nothing).undefined.reason == "no_pairs"
    assert np.isnan(kappa_max(nothing))
    assert np.isnan(marginal_difference(nothing))


VIDEO = from_coders(
    [
        [4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4],
        [4, 4, 4, 4, 3, 4, 3, 4, 3, 3, 4, 3, 4, 4, 4, 4, 4, 4, 4, 5],
        [3, 4, 5, 4, 2, 3, 2, 3, 3, 3, 3, 3, 4, 4, 3, 4, 4, 4, 4, 5],
        [4, 5, 5, 4, 4, 4, 5, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4],
    ]
)


def test_full_agreement_with_tolerance() -> None:
    """R irr 0.84.1: agree(video) and agree(video, 1)."""
    assert full_agreement(count(VIDEO)) == pytest.approx(0.35)
    assert full_agreement(count(VIDEO), tolerance=1) == pytest.approx(0.90)
    assert full_agreement(count(VIDEO).anonymous, tolerance=1) == pytest.approx(0.90)


def test_full_agreement_by_hand_with_gaps() -> None:
    data = at_random(3)
    shared = [row[row >= 0] for row in data.grid if (row >= 0).sum() > 1]
    expected = np.mean([len(set(row)) == 1 for row in shared])
    assert full_agreement(count(data)) == pytest.approx(float(expected))
    with pytest.raises(RequestError, match="'a' is not a number"):
        full_agreement(count(data), tolerance=1)
    assert np.isnan(full_agreement(count(of_grid(np.array([[0, -1]]), "ab"))))
