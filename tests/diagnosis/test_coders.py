"""Coders and pairs of coders, against definitions by hand."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import pytest

from accordant.counts.count import count
from accordant.counts.counts import Counts
from accordant.data.annotations import Annotations
from accordant.diagnosis.coders import coders
from accordant.diagnosis.pairs import coder_pairs
from accordant.measure.coefficients import COEFFICIENTS
from accordant.measure.distances import weights_for
from accordant.measure.weights import Weights
from diagnosis.made import FLEISS_1971, at_random, from_coders, from_counts, of_grid

EXACT = 1e-12
RANDOM = [
    at_random(seed, coders=c, values=k) for seed, (c, k) in enumerate([(2, 2), (3, 4), (5, 3)])
]

WARRENS_2010 = from_coders(
    [
        "N" * 16 + "A" * 14,
        "N" * 16 + "A" * 14,
        "N" * 16 + "A" * 10 + "N" * 4,
        "N" * 14 + "AN" + "A" * 14,
        "N" * 16 + "A" * 12 + "NN",
        "N" * 16 + "A" * 14,
        "N" * 16 + "A" * 13 + "N",
        "N" * 15 + "A" * 11 + "N" * 4,
    ]
)
"""Warrens (2010), p. 284: 8 coders, 30 items."""


def with_identity(data: Annotations) -> tuple[Counts, Weights]:
    counts = count(data)
    return counts, weights_for("identity", counts)


@pytest.mark.parametrize(
    "data, expected, tolerance",
    [
        (FLEISS_1971, 0.459412144, 1e-7),  # R irr 0.84.1 kappam.light, psych, nltk
        (WARRENS_2010, 0.8325, 1e-4),  # Warrens (2010), p. 284
    ],
)
def test_mean_pairwise_kappa_of_light(data, expected, tolerance) -> None:
    counts = count(data)
    found = coder_pairs(counts, weights_for("identity", counts))
    assert found.light == pytest.approx(expected, abs=tolerance)
    listed = COEFFICIENTS["light"].parts(counts, weights_for("identity", counts))
    assert found.light == pytest.approx(float(listed.value), abs=EXACT)


@pytest.mark.parametrize("weights", ["identity", "linear-by-rank"])
@pytest.mark.parametrize("data", RANDOM)
def test_each_pair_is_the_two_coders_alone(data: Annotations, weights: str) -> None:
    """Take the two coders and the items of both, and measure: the long way round."""
    counts = count(data)
    found = coder_pairs(counts, weights_for(weights, counts))
    for a, b in combinations(range(len(data.coders)), 2):
        both = data.grid[(data.grid[:, [a, b]] >= 0).all(1)][:, [a, b]]
        alone = count(of_grid(both, data.values))
        parts = COEFFICIENTS["kappa"].parts(alone, weights_for(weights, alone))
        assert found.n_common[a, b] == len(both)
        assert found.percent[a, b] == pytest.approx(float(parts.observed), abs=EXACT)
        assert found.kappa[a, b] == pytest.approx(float(parts.value), abs=EXACT)
        assert found.kappa[b, a] == found.kappa[a, b]
    assert found.n_common.diagonal().tolist() == (data.grid >= 0).sum(0).tolist()


def test_pairs_without_common_items_are_undefined() -> None:
    data = of_grid(np.array([[0, 1, -1], [1, 1, -1], [-1, 0, 0]]), "ab")
    counts = count(data)
    found = coder_pairs(counts, weights_for("identity", counts))
    assert found.n_without_overlap == 1
    assert found.n_without_kappa == 2  # one label on one item tells nothing
    assert np.isnan(found.percent[0, 2])
    assert found.mean_of_coder(found.percent).tolist() == [0.5, 0.75, 1.0]


def test_more_coders_than_a_table_can_show() -> None:
    data = at_random(1, items=60, coders=7)
    counts = count(data)
    found = coder_pairs(counts, weights_for("identity", counts), most=3)
    busiest = sorted(sorted(range(7), key=lambda c: -(data.grid[:, c] >= 0).sum())[:3])
    assert found.coders == tuple(data.coders[c] for c in busiest)
    assert found.left_out == 4
    assert found.n_pairs == 3


@pytest.mark.parametrize("weights", ["identity", "quadratic-by-rank"])
@pytest.mark.parametrize("data", RANDOM)
def test_agreement_with_the_others_pair_by_pair(data: Annotations, weights: str) -> None:
    counts = count(data)
    w = weights_for(weights, counts)
    found = coders(counts, w)
    agreed, pairs = np.zeros(len(data.coders)), np.zeros(len(data.coders))
    for row in data.grid:
        for a, b in permutations(np.flatnonzero(row >= 0), 2):
            agreed[a] += w.matrix[row[a], row[b]]
            pairs[a] += 1
    assert found.agreement == pytest.approx(agreed / pairs, abs=EXACT)
    shared = (data.grid >= 0) & ((data.grid >= 0).sum(1) > 1)[:, None]
    assert found.n_shared.tolist() == shared.sum(0).tolist()
    assert found.n_items.tolist() == (data.grid >= 0).sum(0).tolist()


@pytest.mark.parametrize("data", RANDOM)
def test_bias_is_the_distance_to_the_others_on_the_same_items(data: Annotations) -> None:
    counts, k = count(data), len(data.values)
    use = coders(counts, weights_for("identity", counts)).labels
    for c in range(len(data.coders)):
        mine, theirs = [], []
        for row in data.grid:
            others = np.delete(row, c)
            others = others[others >= 0]
            if row[c] >= 0 and len(others):
                mine.append(np.eye(k)[row[c]])
                theirs.append(np.eye(k)[others].mean(0))
        bias = np.mean(mine, 0) - np.mean(theirs, 0)
        assert use.bias[c] == pytest.approx(bias, abs=EXACT)
        value, most = use.strongest_bias()[c]
        assert abs(most) == pytest.approx(np.abs(bias).max(), abs=EXACT)
        assert bias[data.values.index(value)] == pytest.approx(most, abs=EXACT)
        assert (
            use.given[c].tolist()
            == np.bincount(data.grid[:, c][data.grid[:, c] >= 0], minlength=k).tolist()
        )


@pytest.mark.parametrize("n", range(1, 60))
def test_shares_of_the_others_stay_shares(n: int) -> None:
    """Six fifths of an item do not add up to exactly 1, and no root is taken of less than 0."""
    use = coders(*with_identity(of_grid(np.zeros((n, 6), int), "ab"))).labels
    assert ((use.others >= 0) & (use.others <= 1)).all()


@pytest.mark.parametrize("data", RANDOM[1:])
def test_alpha_without_a_coder(data: Annotations) -> None:
    counts = count(data)
    w = weights_for("identity", counts)
    found = coders(counts, w)
    for c in range(len(data.coders)):
        rest = count(of_grid(np.delete(data.grid, c, axis=1), data.values))
        value = float(COEFFICIENTS["alpha"].parts(rest, w).value)
        assert found.alpha_without[c] == pytest.approx(value, abs=EXACT)
    assert found.alpha_change == pytest.approx(found.alpha_without - found.alpha)


@pytest.mark.parametrize("data", RANDOM)
def test_entropy_of_each_coder(data: Annotations) -> None:
    counts = count(data)
    found = coders(counts, weights_for("identity", counts)).entropy
    for c, column in enumerate(data.grid.T):
        p = np.bincount(column[column >= 0]) / (column >= 0).sum()
        assert found[c] == pytest.approx(-(p[p > 0] * np.log2(p[p > 0])).sum(), abs=EXACT)


def test_two_coders_cannot_be_left_out_and_unknown_ones_not_named() -> None:
    two = count(at_random(2, coders=2))
    assert np.isnan(coders(two, weights_for("identity", two)).alpha_without).all()
    unknown = count(from_counts([[2, 1], [3, 0], [0, 3]]))
    w = weights_for("identity", unknown)
    assert coders(unknown, w).to_rows() == []
    assert coder_pairs(unknown, w).to_rows() == []
    assert not np.isnan(coders(unknown, w).alpha)
