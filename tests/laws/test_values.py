"""What must hold for every coefficient, whatever the data."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accordant import Distance, agreement
from laws.drawing import KEYS, SCORES, Rows, annotations, same, tables, values, weights

some = settings(max_examples=40)  # each of all coefficients


def own_weights(seed: int) -> Any:
    table = np.random.default_rng(seed).random((3, 3))
    np.fill_diagonal(table, 1)
    return (table + table.T) / 2


@some
@given(rows=tables(), w=weights)
def test_the_one_formula_gives_at_most_one(rows: Rows, w: str) -> None:
    for row in agreement(annotations(rows), KEYS, weights=w, interval="none"):
        assert not row.value > 1 + 1e-12
        if np.isfinite(row.value) and row.coefficient != "light":  # of which it holds by pair
            assert row.value == same((row.observed - row.expected) / (1 - row.expected))


@some
@given(rows=tables(), w=weights, order=st.randoms(use_true_random=False))
def test_the_order_of_items_and_coders_does_not_matter(rows: Rows, w: str, order: Any) -> None:
    columns = list(zip(*rows, strict=True))
    order.shuffle(columns)
    turned = [list(r) for r in zip(*columns, strict=True)]
    order.shuffle(turned)
    assert values(turned, w) == same(values(rows, w))


@some
@given(rows=tables(), names=st.permutations(range(3)), seed=st.integers(0, 5))
def test_the_names_of_categories_do_not_matter(rows: Rows, names: list[int], seed: int) -> None:
    renamed = [[names[v] if v >= 0 else v for v in row] for row in rows]
    assert values(renamed) == same(values(rows))
    table, back = own_weights(seed), np.argsort(names)
    assert values(renamed, table[np.ix_(back, back)]) == same(values(rows, table))


@some
@given(rows=tables(), w=st.sampled_from(["linear", "quadratic", "radical", "ordinal", "bipolar"]))
def test_a_scale_may_be_turned_round(rows: Rows, w: str) -> None:
    turned = [[2 - v if v >= 0 else v for v in row] for row in rows]
    assert values(turned, w, [-s for s in SCORES[:3]][::-1]) == same(values(rows, w))


@some
@given(rows=tables(), w=weights)
def test_an_item_that_nobody_annotated_changes_nothing(rows: Rows, w: str) -> None:
    assert values([*rows, [-1] * len(rows[0])], w) == same(values(rows, w))


@pytest.mark.parametrize("w", ["identity", "linear", "quadratic", "ordinal", "radical"])
@pytest.mark.parametrize("coders", [2, 3, 5])
def test_perfect_agreement_is_one(w: str, coders: int) -> None:
    assert values([[v] * coders for v in (0, 1, 2, 0, 1)], w) == same([1.0] * len(KEYS))


@pytest.mark.parametrize("categories", [None, [1, 2]])
def test_one_used_category_is_undefined_and_says_why(categories: Any) -> None:
    table = agreement([[1, 1, 1], [1, 1, 1]], KEYS, categories=categories)
    for row in table:
        if row.coefficient == "percent" or (categories and row.coefficient in ("s", "ac")):
            continue
        assert np.isnan([row.value, row.se, row.p_value]).all()
        assert row.undefined
        assert row.undefined.reason in ("no_variation", "one_category")
        assert (row.observed, row.n_items, row.n_annotations) == (1.0, 3, 6)


@given(rows=tables(complete=True, coders=2))
def test_pi_is_at_most_kappa_and_s(rows: Rows) -> None:
    """Artstein & Poesio (2008, p. 562): the shared distribution makes chance likeliest."""
    pi, kappa, s = values(rows, keys=("pi", "kappa", "s"))
    assert pi <= min(kappa, s) + 1e-12


@given(rows=tables(complete=True), w=weights)
def test_alpha_is_pi_with_a_small_sample_correction(rows: Rows, w: str) -> None:
    """1 - alpha = (1 - pi)(n - 1) / n for n annotations without a gap (Krippendorff 2004)."""
    n = sum(map(len, rows))
    alpha, pi = values(rows, w, keys=("alpha", "pi"))
    assert 1 - alpha == same((1 - pi) * (n - 1) / n)


@some
@given(rows=tables(complete=True, coders=2))
def test_binary_quadratic_is_identity(rows: Rows) -> None:
    two = [[min(v, 1) for v in row] for row in rows]
    assert values(two, "quadratic", SCORES[:2]) == same(values(two, categories=SCORES[:2]))


@some
@given(
    rows=tables(),
    w=st.sampled_from(["linear", "quadratic", "radical"]),
    stretch=st.sampled_from([0.01, 3, 1e6]),
    shift=st.sampled_from([-50, 0, 7.25]),
)
def test_metric_weights_know_neither_unit_nor_zero(
    rows: Rows, w: str, stretch: float, shift: float
) -> None:
    moved = [stretch * s + shift for s in SCORES[:3]]
    assert values(rows, w, moved) == same(values(rows, w), abs=1e-9)


@some
@given(rows=tables(), stretch=st.sampled_from([0.5, 4, 1000]))
def test_ratios_know_no_unit_and_ranks_only_the_order(rows: Rows, stretch: float) -> None:
    scaled = [stretch * s for s in SCORES[:3]]
    assert values(rows, "ratio", scaled) == same(values(rows, "ratio"))
    for w in ("ordinal", "ordinal-metric"):
        assert values(rows, w, [1, 10, 11]) == same(values(rows, w))


@some
@given(rows=tables(), scale=st.sampled_from([0.25, 3.0, 1e4]), seed=st.integers(0, 5))
def test_a_distance_has_no_unit(rows: Rows, scale: float, seed: int) -> None:
    table = 1 - own_weights(seed)
    assert values(rows, Distance(scale * table)) == same(values(rows, Distance(table)))


@some
@given(rows=tables(), slope=st.sampled_from([0.2, 0.9]), seed=st.integers(0, 5))
def test_raising_all_weights_towards_one_changes_only_observed_and_expected(
    rows: Rows, slope: float, seed: int
) -> None:
    """w -> 1 - slope (1 - w) shrinks disagreement by the same factor everywhere."""
    table, keys = own_weights(seed), ("pi", "alpha", "percent", "kappa")
    plain, raised = (
        agreement(annotations(rows), keys, weights=t, interval="none")
        for t in (table, 1 - slope * (1 - table))
    )
    for one, other in zip(plain, raised, strict=True):
        assert 1 - other.observed == same(slope * (1 - one.observed))
        if one.coefficient != "percent":
            assert other.value == same(one.value, abs=1e-9)


@some
@given(rows=tables(), name=st.sampled_from(["linear", "quadratic", "radical", "circular"]))
def test_by_rank_is_by_value_of_the_ranks(rows: Rows, name: str) -> None:
    by_rank = values(rows, f"{name}-by-rank", [1, 10, 11])
    assert by_rank == same(values(rows, f"{name}-by-value", [1, 2, 3]))


def test_unused_categories_lift_s_and_ac_and_nothing_else() -> None:
    rows = [[0, 0], [1, 1], [0, 1], [1, 1], [0, 0]]
    found = np.array([values(rows, categories=range(k)) for k in (2, 3, 4, 10)])
    for key, each in zip(KEYS, found.T, strict=True):
        if key in ("s", "ac"):
            assert all(a < b for a, b in pairwise(each))
        else:
            assert each.tolist() == same([each[0]] * 4)
