"""What must hold for every coefficient, whatever the data."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accordant import COEFFICIENTS, Distance, agreement
from accordant.measure.registry import Coefficient
from laws.drawing import (
    OF_VALUES,
    SCORES,
    Rows,
    counts_of,
    every,
    parts,
    same,
    tables,
    value,
    weights,
)

# Light's kappa is a mean of coefficients of pairs: the formula holds for each, not for the mean.
ONE_FORMULA = [c for c in OF_VALUES.values() if c.key != "light"]
CHANCE_CORRECTED = [c for c in OF_VALUES.values() if c.key != "percent"]


@every
@given(rows=tables(), w=weights)
def test_at_most_one(coefficient: Coefficient, rows: Rows, w: str) -> None:
    assert not value(coefficient, rows, w) > 1 + 1e-12


@pytest.mark.parametrize("coefficient", ONE_FORMULA, ids=lambda c: c.key)
@given(rows=tables(), w=weights)
def test_it_is_the_one_formula(coefficient: Coefficient, rows: Rows, w: str) -> None:
    found = parts(coefficient, counts_of(rows), w)
    if np.isfinite(found.value):
        by_hand = (found.observed - found.expected) / (1 - found.expected)
        assert float(found.value) == same(float(by_hand))


@every
@given(rows=tables(), w=weights, order=st.randoms(use_true_random=False))
def test_the_order_of_items_does_not_matter(
    coefficient: Coefficient, rows: Rows, w: str, order: Any
) -> None:
    shuffled = list(rows)
    order.shuffle(shuffled)
    assert value(coefficient, shuffled, w) == same(value(coefficient, rows, w))


@every
@given(rows=tables(), w=weights, order=st.randoms(use_true_random=False))
def test_the_order_of_coders_does_not_matter(
    coefficient: Coefficient, rows: Rows, w: str, order: Any
) -> None:
    columns = list(zip(*rows, strict=True))
    order.shuffle(columns)
    turned = [list(r) for r in zip(*columns, strict=True)]
    assert value(coefficient, turned, w) == same(value(coefficient, rows, w))


@every
@given(rows=tables(), names=st.permutations(range(3)))
def test_the_names_of_categories_do_not_matter(
    coefficient: Coefficient, rows: Rows, names: list[int]
) -> None:
    renamed = [[names[v] if v >= 0 else v for v in row] for row in rows]
    assert value(coefficient, renamed) == same(value(coefficient, rows))


@every
@given(rows=tables(), names=st.permutations(range(3)), seed=st.integers(0, 5))
def test_renaming_categories_and_their_own_weights_changes_nothing(
    coefficient: Coefficient, rows: Rows, names: list[int], seed: int
) -> None:
    table = np.random.default_rng(seed).random((3, 3))
    np.fill_diagonal(table, 1)
    table = (table + table.T) / 2
    back = np.argsort(names)
    renamed = [[names[v] if v >= 0 else v for v in row] for row in rows]
    turned = table[np.ix_(back, back)]
    assert value(coefficient, renamed, turned) == same(value(coefficient, rows, table))


@every
@given(rows=tables(), w=st.sampled_from(["linear", "quadratic", "radical", "ordinal", "bipolar"]))
def test_a_scale_may_be_turned_round(coefficient: Coefficient, rows: Rows, w: str) -> None:
    turned = [[2 - v if v >= 0 else v for v in row] for row in rows]
    same_scale = [-s for s in SCORES[:3]][::-1]
    assert value(coefficient, turned, w, same_scale) == same(value(coefficient, rows, w))


@every
@given(rows=tables(), w=weights, times=st.lists(st.integers(1, 3), min_size=11, max_size=11))
def test_a_multiplicity_is_a_repetition(
    coefficient: Coefficient, rows: Rows, w: str, times: list[int]
) -> None:
    counts = counts_of(rows)
    repeated = counts_of([row for row, t in zip(rows, times, strict=False) for _ in range(t)])
    times_of_patterns = np.bincount(counts.pattern_of, weights=times[: len(rows)])
    multiplied = counts.drawn(times_of_patterns)
    # weights that depend on the pool follow the counts in both cases
    assert float(parts(coefficient, multiplied, w).value) == same(
        float(parts(coefficient, repeated, w).value)
    )


@every
@given(rows=tables(), w=weights)
def test_an_item_that_nobody_annotated_changes_nothing(
    coefficient: Coefficient, rows: Rows, w: str
) -> None:
    more = [*rows, [-1] * len(rows[0])]
    assert value(coefficient, more, w) == same(value(coefficient, rows, w))


@every
@pytest.mark.parametrize("w", ["identity", "linear", "quadratic", "ordinal", "radical"])
@pytest.mark.parametrize("coders", [2, 3, 5])
def test_perfect_agreement_is_one(coefficient: Coefficient, w: str, coders: int) -> None:
    rows = [[v] * coders for v in (0, 1, 2, 0, 1)]
    assert value(coefficient, rows, w) == same(1.0)


@pytest.mark.parametrize("coefficient", CHANCE_CORRECTED, ids=lambda c: c.key)
def test_one_category_only_is_undefined_and_says_why(coefficient: Coefficient) -> None:
    row = agreement([[1, 1, 1], [1, 1, 1]], coefficient.key)[coefficient.key]
    assert np.isnan(row.value)
    assert row.undefined is not None
    assert row.undefined.reason in ("no_variation", "one_category")
    assert (row.observed, row.n_items, row.n_annotations) == (1.0, 3, 6)
    assert np.isnan(row.se)
    assert np.isnan(row.p_value)


@pytest.mark.parametrize("key", ["pi", "kappa", "alpha"])
def test_one_used_category_of_several_is_undefined(key: str) -> None:
    row = agreement([[1, 1, 1], [1, 1, 1]], key, categories=[1, 2])[key]
    assert np.isnan(row.value)
    assert row.undefined is not None
    assert row.undefined.reason == "no_variation"


@given(rows=tables(complete=True, coders=2))
def test_pi_is_at_most_kappa_and_s(rows: Rows) -> None:
    """Artstein & Poesio (2008, p. 562): the shared distribution makes chance likeliest."""
    pi, kappa, s = (value(COEFFICIENTS[k], rows) for k in ("pi", "kappa", "s"))
    assert pi <= kappa + 1e-12
    assert pi <= s + 1e-12


@given(rows=tables(complete=True), w=weights)
def test_alpha_is_pi_with_a_small_sample_correction(rows: Rows, w: str) -> None:
    """1 - alpha = (1 - pi)(n - 1) / n for n annotations without a gap (Krippendorff 2004)."""
    n = sum(map(len, rows))
    alpha, pi = (value(COEFFICIENTS[k], rows, w) for k in ("alpha", "pi"))
    assert 1 - alpha == same((1 - pi) * (n - 1) / n)


@given(rows=tables(complete=True, coders=2))
def test_binary_quadratic_is_identity(rows: Rows) -> None:
    two = [[min(v, 1) for v in row] for row in rows]
    for c in OF_VALUES.values():
        assert value(c, two, "quadratic", SCORES[:2]) == same(value(c, two, categories=SCORES[:2]))


@every
@given(
    rows=tables(),
    w=st.sampled_from(["linear", "quadratic", "radical"]),
    stretch=st.sampled_from([0.01, 3, 1e6]),
    shift=st.sampled_from([-50, 0, 7.25]),
)
def test_metric_weights_know_neither_unit_nor_zero(
    coefficient: Coefficient, rows: Rows, w: str, stretch: float, shift: float
) -> None:
    moved = [stretch * s + shift for s in SCORES[:3]]
    assert value(coefficient, rows, w, moved) == same(value(coefficient, rows, w), abs=1e-9)


@given(rows=tables(), stretch=st.sampled_from([0.5, 4, 1000]))
def test_ratio_alpha_knows_no_unit_but_a_zero(rows: Rows, stretch: float) -> None:
    alpha = COEFFICIENTS["alpha"]
    assert value(alpha, rows, "ratio", [stretch * s for s in SCORES[:3]]) == same(
        value(alpha, rows, "ratio")
    )


@given(rows=tables())
def test_ordinal_alpha_sees_only_the_order(rows: Rows) -> None:
    alpha = COEFFICIENTS["alpha"]
    assert value(alpha, rows, "ordinal-metric", [1, 10, 11]) == same(
        value(alpha, rows, "ordinal-metric")
    )


@every
@given(rows=tables(), scale=st.sampled_from([0.25, 3.0, 1e4]), seed=st.integers(0, 5))
def test_a_distance_has_no_unit(
    coefficient: Coefficient, rows: Rows, scale: float, seed: int
) -> None:
    table = np.random.default_rng(seed).random((3, 3))
    np.fill_diagonal(table, 0)
    assert value(coefficient, rows, Distance(scale * table)) == same(
        value(coefficient, rows, Distance(table))
    )


@pytest.mark.parametrize("key", ["pi", "alpha", "percent", "kappa"])
@given(rows=tables(), slope=st.sampled_from([0.2, 0.9]), seed=st.integers(0, 5))
def test_raising_all_weights_towards_one_changes_only_observed_and_expected(
    key: str, rows: Rows, slope: float, seed: int
) -> None:
    """w -> 1 - slope (1 - w) shrinks disagreement by the same factor everywhere."""
    table = np.random.default_rng(seed).random((3, 3))
    np.fill_diagonal(table, 1)
    coefficient, counts = COEFFICIENTS[key], counts_of(rows)
    plain, raised = (parts(coefficient, counts, t) for t in (table, 1 - slope * (1 - table)))
    assert 1 - float(raised.observed) == same(slope * (1 - float(plain.observed)))
    if key != "percent":
        assert float(raised.value) == same(float(plain.value), abs=1e-9)


def test_unused_categories_lift_s_and_ac_and_nothing_else() -> None:
    rows = [[0, 0], [1, 1], [0, 1], [1, 1], [0, 0]]
    found = {
        c.key: [value(c, rows, categories=range(k)) for k in (2, 3, 4, 10)]
        for c in OF_VALUES.values()
    }
    for key, values in found.items():
        if key in ("s", "ac"):
            assert all(a < b for a, b in pairwise(values))
        else:
            assert values == same([values[0]] * 4)
