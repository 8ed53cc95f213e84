"""Do coders use the categories equally often? Against statsmodels, and by hand."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
from statsmodels.stats.contingency_tables import SquareTable, cochrans_q, mcnemar

from accordant.counts.count import count
from accordant.data.annotations import NO_VALUE
from accordant.diagnosis.diagnose import diagnose
from accordant.inference.margin_tests import (
    bhapkar,
    bowker,
    mcnemar_mid_p,
    stuart_maxwell,
)
from accordant.inference.margins import cochran, margins
from diagnosis.made import at_random, from_table, of_grid, of_sets, sets_at_random

VISION = np.array(
    [
        [1520, 266, 124, 66],
        [234, 1512, 432, 78],
        [117, 362, 1772, 205],
        [36, 82, 179, 492],
    ],
    float,
)
"""Unaided distance vision of 7,477 women, right and left eye (Stuart 1953, 1955)."""


def tables() -> list[np.ndarray]:
    rng = np.random.default_rng(3)
    return [rng.integers(1, 30, size=(k, k)).astype(float) for k in (2, 3, 4, 6) for _ in range(5)]


def test_vision() -> None:
    """Stuart (1955) prints 11.96 with 3 degrees of freedom; Bhapkar's is a little larger."""
    found = stuart_maxwell(VISION)
    assert (round(found.chi2, 2), found.df) == (11.96, 3)
    assert round(bhapkar(VISION).chi2, 2) == 11.98
    assert round(bowker(VISION).chi2, 2) == 19.11
    assert bowker(VISION).df == 6


@pytest.mark.parametrize("table", [VISION, *tables()])
def test_tests_of_a_table_as_statsmodels_has_them(table: np.ndarray) -> None:
    theirs = SquareTable(table, shift_zeros=False)
    for ours, result in (
        (stuart_maxwell(table), theirs.homogeneity(method="stuart_maxwell")),
        (bhapkar(table), theirs.homogeneity(method="bhapkar")),
        (bowker(table), theirs.symmetry(method="bowker")),
    ):
        assert ours.chi2 == pytest.approx(result.statistic, rel=1e-9)
        assert ours.df == result.df
        assert ours.p_value == pytest.approx(result.pvalue, abs=1e-12)


@pytest.mark.parametrize("n, m", [(7, 0), (12, 3), (5, 5), (1, 0), (30, 45), (0, 9)])
def test_mcnemar(n: int, m: int) -> None:
    data = from_table([[40, n], [m, 40]], "ab")
    row = margins(count(data))[0].categories[0]
    assert (row.only_first, row.only_second) == (n, m)
    theirs = mcnemar([[40, n], [m, 40]], exact=True).pvalue
    assert row.p_value == pytest.approx(min(1.0, theirs))
    tail = sum(comb(n + m, i) for i in range(min(n, m) + 1)) / 2 ** (n + m)
    seen = comb(n + m, n) / 2 ** (n + m)
    wanted = 2 * (tail - seen / 2) if n != m else 1 - seen  # Fagerland et al. (2013)
    assert row.mid_p == pytest.approx(wanted)
    assert row.mid_p <= row.p_value


def test_mid_p_without_a_difference() -> None:
    assert np.isnan(mcnemar_mid_p(0, 0))


def test_nothing_differs() -> None:
    found = margins(count(from_table([[10, 0], [0, 5]], "ab")))[0]
    assert np.isnan(found.stuart_maxwell.chi2)
    assert np.isnan(found.bhapkar.p_value)
    assert np.isnan(found.bowker.chi2)
    assert np.isnan(found.categories[0].p_value)


def test_everything_differs_one_way() -> None:
    """Every annotation moved: Stuart-Maxwell is n, and the variance Bhapkar divides by is 0."""
    found = bhapkar(np.array([[0.0, 12], [0, 0]]))
    assert stuart_maxwell(np.array([[0.0, 12], [0, 0]])).chi2 == pytest.approx(12)
    assert found.chi2 == np.inf
    assert found.p_value == 0


def test_each_pair_of_coders_and_each_category() -> None:
    data = at_random(2, coders=4)
    found = margins(count(data))
    assert [(m.first, m.second) for m in found][:2] == [
        ("coder 1", "coder 2"),
        ("coder 1", "coder 3"),
    ]
    for pair in found:
        a, b = (data.grid[:, data.coders.index(c)] for c in (pair.first, pair.second))
        both = (a != NO_VALUE) & (b != NO_VALUE)
        assert pair.n_items == both.sum()
        for row in pair.categories:
            k = data.values.index(row.category)
            assert row.first == (both & (a == k)).sum()
            assert row.only_second == (both & (a != k) & (b == k)).sum()


def test_sets_have_categories_but_no_table() -> None:
    data = of_sets([["ab", "a", "b", "c"], ["a", "ab", "bc", ""]], "abc")
    found = margins(count(data))[0]
    assert [
        (r.category, r.first, r.second, r.only_first, r.only_second) for r in found.categories
    ] == [("a", 2, 2, 0, 0), ("b", 2, 2, 1, 1), ("c", 1, 1, 1, 1)]
    assert np.isnan(found.stuart_maxwell.chi2)


def test_unknown_coders_have_no_margins() -> None:
    counts = count(sets_at_random(1, anonymous=True))
    assert margins(counts) == ()
    assert cochran(counts) == ()


def test_cochran_as_statsmodels_has_it() -> None:
    rng = np.random.default_rng(4)
    grid = np.where(rng.random((80, 4)) < [0.3, 0.3, 0.3, 0.5], 0, rng.integers(1, 3, size=(80, 4)))
    grid[:9, 1] = NO_VALUE  # only complete items count
    found = cochran(count(of_grid(grid, "abc")))
    whole = grid[9:]
    for k, row in enumerate(found):
        theirs = cochrans_q(whole == k)
        assert row.test.chi2 == pytest.approx(theirs.statistic)
        assert (row.test.df, row.n_items) == (3, 71)
        assert row.test.p_value == pytest.approx(theirs.pvalue)
        assert row.by_coder == tuple((whole == k).sum(0))


def test_cochran_of_two_coders_is_mcnemar_without_correction() -> None:
    found = cochran(count(from_table([[40, 12], [3, 40]], "ab")))[0]
    assert found.test.chi2 == pytest.approx((12 - 3) ** 2 / 15)


def test_rows_have_every_number() -> None:
    part = diagnose(from_table([[40, 12, 1], [3, 40, 2], [2, 9, 20]], "abc")).pooled
    row = part.margins[0].to_rows()[0]
    assert {"stuart_maxwell", "bhapkar_p", "bowker_df", "category", "mid_p"} <= set(row)
    assert part.margins[0].stuart_maxwell.p_value == pytest.approx(part.indices[0].marginal_p)
    assert len(part.homogeneity) == 3
    assert set(part.homogeneity[0].to_rows()[0]) >= {"category", "chi2", "p_value"}
