"""Label draw: the exact expectation is what drawing labels one after another leads to.

The truth of these tests is the definition itself: every order in which labels can be drawn, with
fractions, and a simulation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations, permutations, product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from accordant.errors import RequestError
from accordant.measure import label_draw, sets
from accordant.measure.label_draw import (
    expected_score,
    expected_score_slope,
    few_sets,
    simulated_score,
)
from accordant.measure.sets import SCORES, OfSets, Score

Floats = NDArray[np.float64]

ROUNDING = 1e-13  # sums of positive terms
INTEGRAL = 1e-12  # what the step of the integration leaves
DIFFERENCE = 1e-6  # central differences with steps of 1e-5

scores = pytest.mark.parametrize("score", SCORES.values(), ids=SCORES)


@pytest.fixture(params=["sets kept", "sets found again"])
def way(request: Any, monkeypatch: Any) -> str:
    """Whether what all coders can draw is kept, or found again."""
    if request.param == "sets found again":
        monkeypatch.setattr(label_draw, "MOST_KEPT", 1)
    return str(request.param)


# ------------------------------------------------------------------ the definition


def law_of_sets(p: list[Fraction], q: list[Fraction]) -> dict[frozenset[int], Fraction]:
    """The probability of every set, over every order in which its labels can be drawn."""
    law: dict[frozenset[int], Fraction] = {}
    labels = [k for k, share in enumerate(p) if share]
    for size, chance in enumerate(q):
        for order in permutations(labels, size) if chance else ():
            probability, left = chance, sum(p)
            for k in order:
                probability *= p[k] / left
                left -= p[k]
            found = frozenset(order)
            law[found] = law.get(found, Fraction(0)) + probability
    return law


def by_definition(score: Score, shares: list[list[int]], sizes: list[list[int]]) -> float:
    """The mean over pairs of coders, from the law of each coder's sets."""
    laws = [
        law_of_sets([Fraction(x) for x in p], [Fraction(x, sum(q)) for x in q])
        for p, q in zip(shares, sizes, strict=True)
    ]
    expected = []
    for one, other in combinations(laws, 2):
        sets = list(product(one, other))
        chance = np.array([float(one[a] * other[b]) for a, b in sets])
        s1, s2, r = np.array([(len(a), len(b), len(a & b)) for a, b in sets]).T
        expected.append(chance @ score(s1, s2, r))
    return float(np.mean(expected))


SMALL = {
    "sizes 0 to 4": ([[5, 3, 2, 1, 1], [1, 1, 1, 6, 2]], [[1, 2, 3, 2, 1], [2, 1, 1, 1, 3]]),
    "skewed": ([[9000, 90, 9, 1], [1, 9, 90, 9000]], [[0, 1, 1, 1], [0, 2, 0, 1]]),
    "a label each that the other lacks": ([[4, 2, 1, 0], [0, 3, 3, 2]], [[0, 3, 1, 2], [1, 1, 1]]),
    "every label drawn": ([[3, 2, 1], [1, 1, 4]], [[0, 0, 0, 1], [0, 1, 0, 1]]),
    "single labels": ([[3, 2, 1], [1, 1, 4]], [[0, 1], [0, 7]]),
    "only empty sets": ([[0, 0, 0], [1, 1, 4]], [[3, 0, 0], [1, 1, 1]]),
    "three coders": ([[3, 2, 1], [1, 1, 4], [2, 0, 5]], [[1, 2, 1], [0, 1, 3], [1, 1, 1]]),
}


def square(sizes: list[list[int]]) -> list[list[int]]:
    most = max(map(len, sizes))
    return [q + [0] * (most - len(q)) for q in sizes]


@scores
@pytest.mark.parametrize("case", SMALL.values(), ids=SMALL)
def test_equals_the_definition(way: str, score: Score, case: Any) -> None:
    shares, sizes = case[0], square(case[1])
    expected = by_definition(score, shares, sizes)
    assert float(expected_score(score, shares, sizes)) == pytest.approx(expected, abs=INTEGRAL)


# ------------------------------------------------------------------ one way and the other


def random_habits(
    seed: int, n_coders: int, n_labels: int, most: int, skew: float = 0.5
) -> tuple[Floats, Floats]:
    rng = np.random.default_rng(seed)
    p = rng.dirichlet(np.full(n_labels, skew), n_coders) + 1e-12
    return p / p.sum(-1, keepdims=True), rng.dirichlet(np.ones(most + 1), n_coders)


@pytest.mark.parametrize("skew", [0.02, 1.0])
def test_sums_that_are_known(skew: float) -> None:
    """s labels drawn are s labels included, and C(s, b) sets of b labels."""
    p, _ = random_habits(7, 3, 11, 4, skew)
    singles, doubles, *_ = label_draw.inclusion(p, 4, 4)
    assert singles.sum(-1) == pytest.approx(np.tile([1, 2, 3, 4], (3, 1)), abs=ROUNDING)
    assert doubles.sum(-1) == pytest.approx(np.tile([1, 3, 6], (3, 1)), abs=ROUNDING)


@pytest.mark.parametrize("name", ["overlap", "jaccard", "masi"])
def test_a_crowd_is_the_same_in_each_way(monkeypatch: Any, name: str) -> None:
    """Twelve coders who give 2 to 7 of 9 labels each, some of them never many at once."""
    rng = np.random.default_rng(8)
    shares = rng.integers(1, 9, (12, 9)) * (rng.random((12, 9)) < 0.5)
    shares[:, :2] += 1
    given = np.count_nonzero(shares, axis=1)
    sizes = rng.integers(0, 5, (12, 6)) * (np.arange(6) <= given[:, None])
    sizes[:, 1] += 1
    expected = expected_score(SCORES[name], shares, sizes)
    slopes = expected_score_slope(SCORES[name], shares, sizes)
    monkeypatch.setattr(label_draw, "MOST_KEPT", 1)
    assert expected_score(SCORES[name], shares, sizes) == pytest.approx(expected, rel=INTEGRAL)
    for ours, theirs in zip(expected_score_slope(SCORES[name], shares, sizes), slopes, strict=True):
        assert ours == pytest.approx(theirs, abs=INTEGRAL)


@pytest.mark.parametrize("name", ["overlap", "f1", "jaccard"])
def test_too_many_sets_are_simulated(monkeypatch: Any, name: str) -> None:
    """Value and slopes, within what 200,000 drawn sets leave."""
    p, q = random_habits(11, 3, 7, 4, 5.0)
    value, slopes = expected_score(SCORES[name], p, q), expected_score_slope(SCORES[name], p, q)
    monkeypatch.setattr(label_draw, "MOST_SETS", 10)
    assert not few_sets(p, q)
    assert expected_score(SCORES[name], p, q) == pytest.approx(value, abs=0.005)
    found = expected_score_slope(SCORES[name], p, q)
    for ours, theirs, share in zip(found, slopes, (p, q), strict=True):
        assert ours * share == pytest.approx(theirs * share, abs=0.005)
    assert np.isnan(expected_score(SCORES[name], p[None], q[None])).all()


# ------------------------------------------------------------------ slopes


def by_differences(f: Callable[[Floats], Floats], x: Floats) -> Floats:
    slope = np.zeros(x.shape)
    for at in zip(*np.nonzero(x), strict=True):
        step = np.zeros(x.shape)
        step[at] = 1e-5
        slope[at] = (float(f(x + step)) - float(f(x - step))) / 2e-5
    return slope


@scores
@pytest.mark.parametrize("n_coders, n_labels, most", [(2, 5, 3), (3, 4, 2), (2, 3, 3)])
def test_slope_is_the_difference_of_values(
    way: str, score: Score, n_coders: int, n_labels: int, most: int
) -> None:
    p, q = random_habits(n_labels + most, n_coders, n_labels, most, 3.0)
    of_p, of_q = expected_score_slope(score, p, q)
    assert of_p == pytest.approx(
        by_differences(lambda x: expected_score(score, x, q), p), abs=DIFFERENCE
    )
    assert of_q == pytest.approx(
        by_differences(lambda x: expected_score(score, p, x), q), abs=DIFFERENCE
    )


@scores
def test_slopes_leave_sums_alone(monkeypatch: Any, score: Score) -> None:
    shares = np.array([[40, 30, 0, 12, 5, 1, 0], [9, 0, 60, 3, 3, 3, 0], [1, 2, 3, 4, 5, 6, 0]])
    sizes = np.array([[3, 20, 9, 0, 0], [0, 5, 20, 4, 0], [0, 1, 0, 1, 0]])
    expected = expected_score_slope(score, shares, sizes)
    monkeypatch.setattr(label_draw, "MOST_KEPT", 1)
    found = expected_score_slope(score, shares, sizes)
    for ours, theirs, x in zip(found, expected, (shares, sizes), strict=True):
        assert ours.shape == x.shape
        assert ours == pytest.approx(theirs, abs=1e-10)
        assert (ours * x).sum(-1) == pytest.approx(np.zeros(3), abs=1e-10)
        assert not ours[:, -1].any()  # a label and a size that nobody gave


# ------------------------------------------------------------------ what must not matter


@scores
def test_the_order_of_labels_and_labels_without_a_share_do_not_matter(
    way: str, score: Score
) -> None:
    p, q = random_habits(5, 3, 6, 3)
    expected = float(expected_score(score, p, q))
    order = np.random.default_rng(1).permutation(6)
    padded = np.insert(p[:, order], [0, 3, 6], 0, axis=1)
    more_sizes = np.concatenate([q, np.zeros((3, 9))], axis=1)
    assert float(expected_score(score, padded, more_sizes)) == pytest.approx(expected, abs=INTEGRAL)


def resampled(n: int) -> tuple[Floats, Floats]:
    """(n, 3, 5) and (n, 3, 4) counts; sometimes a coder is lost."""
    rng = np.random.default_rng(4)
    p, q = random_habits(9, 3, 5, 3, 5.0)
    shares = rng.poisson(40 * p, (n, 3, 5)).astype(float) + 1
    sizes = rng.poisson(10 * q, (n, 3, 4)).astype(float)
    sizes[::7, 1], shares[::7, 1] = 0, 0
    sizes[::14, 2], shares[::14, 2] = 0, 0
    return shares, sizes


@pytest.mark.parametrize("name", ["overlap", "precision", "jaccard"])
def test_resamples_are_a_loop(way: str, name: str, monkeypatch: Any) -> None:
    shares, sizes = resampled(60)
    one_by_one = [expected_score(SCORES[name], p, q) for p, q in zip(shares, sizes, strict=True)]
    monkeypatch.setattr(label_draw, "CELLS", 700)  # several portions
    found = expected_score(SCORES[name], shares, sizes)
    assert found == pytest.approx(np.array(one_by_one), abs=INTEGRAL, nan_ok=True)
    assert np.flatnonzero(np.isnan(found)).tolist() == list(range(0, len(found), 14))
    stacked = expected_score(SCORES[name], shares.reshape(2, -1, 3, 5), sizes.reshape(2, -1, 3, 4))
    assert stacked.ravel() == pytest.approx(found, abs=INTEGRAL, nan_ok=True)


def test_a_coder_without_annotations_does_not_count(way: str) -> None:
    p, q = random_habits(10, 3, 5, 2)
    lost_p, lost_q = p.copy(), q.copy()
    lost_p[1], lost_q[1] = 0, 0
    expected = float(expected_score(SCORES["jaccard"], p[[0, 2]], q[[0, 2]]))
    found = float(expected_score(SCORES["jaccard"], lost_p, lost_q))
    assert found == pytest.approx(expected, abs=ROUNDING)
    slopes = expected_score_slope(SCORES["jaccard"], lost_p, lost_q)
    assert not slopes[0][1].any()
    assert not slopes[1][1].any()
    assert np.isnan(expected_score(SCORES["jaccard"], p[:1], q[:1]))


def test_nobody_gave_a_label(way: str) -> None:
    assert float(expected_score(SCORES["overlap"], np.zeros((2, 3)), [[4, 0], [2, 0]])) == 1
    assert float(expected_score(SCORES["overlap"], np.zeros((2, 0)), [[4], [2]])) == 1


# ------------------------------------------------------------------ simulation


def data_sets() -> Iterator[tuple[str, Floats, Floats]]:
    """200 habits: 2 to 19 labels, sets of 0 to 4 of them, 2 to 4 coders."""
    rng = np.random.default_rng(2022)
    for k in range(200):
        n_labels, n_coders = rng.integers(2, 20), rng.integers(2, 5)
        most = int(rng.integers(1, min(4, n_labels) + 1))
        p = rng.dirichlet(np.full(n_labels, rng.choice([0.3, 1.0, 5.0])), n_coders)
        yield list(SCORES)[k % len(SCORES)], p + 1e-6, rng.dirichlet(np.ones(most + 1), n_coders)


def test_simulation_confirms_the_expectation() -> None:
    """Within four standard errors of 100 data sets of 1,000 items, each of 200 times."""
    rng = np.random.default_rng(884)
    z = []
    for name, p, q in data_sets():
        drawn = simulated_score(SCORES[name], p, q, 1_000, 100, rng)
        error = drawn.std(ddof=1) / np.sqrt(len(drawn))
        z.append((drawn.mean() - float(expected_score(SCORES[name], p, q))) / error)
    assert np.abs(z).max() < 4
    assert 0.85 < np.std(z) < 1.15  # neither off nor too good to be true


def test_simulation_is_repeatable_and_reports_progress(monkeypatch: Any) -> None:
    p, q = random_habits(13, 3, 6, 2)
    monkeypatch.setattr(label_draw, "DRAWN", 500)  # data sets that begin and end within a portion
    done: list[tuple[int, int]] = []
    first, again = (
        simulated_score(
            SCORES["masi"], p, q, 7, 30, np.random.default_rng(1), lambda *x: done.append(x)
        )
        for _ in range(2)
    )
    assert first.tolist() == again.tolist()
    assert done[-1] == (30, 30)
    assert first.mean() == pytest.approx(float(expected_score(SCORES["masi"], p, q)), abs=0.1)


@pytest.mark.parametrize("largest", [8, 0], ids=["by subsets", "in blocks"])
@pytest.mark.parametrize("name", SCORES)
def test_many_sets_need_no_matrix(name: str, largest: int) -> None:
    """Sums over subsets, and blocks of overlaps, against the matrix; both directions of weights."""
    rng = np.random.default_rng(2)
    each = {tuple(sorted(rng.choice(7, rng.integers(5), replace=False).tolist())) for _ in "x" * 60}
    values = tuple(sorted(each | {()}))
    p = rng.dirichlet(np.ones(len(values)), (2, 3))
    wanted = p @ OfSets.of(name, values, SCORES[name]).matrix.T
    with pytest.MonkeyPatch.context() as patch:
        for key, number in {"KEEP": 0, "MOST_LABELS": largest, "CACHED": 30}.items():
            patch.setattr(sets, key, number)
        w = OfSets.of(name, values, SCORES[name])
        assert w.apply(p) == pytest.approx(wanted, rel=1e-12)
        assert (w._subsets is None) == (largest == 0)


# ------------------------------------------------------------------ what cannot be


@pytest.mark.parametrize(
    "shares, sizes, message",
    [
        ([[1, 1, 0], [1, 1, 1]], [[0, 1, 0, 1], [0, 1, 0, 0]], "coder 1 cannot draw 3 different"),
        ([[1, 1], [0, 0]], [[0, 1], [0, 1]], "coder 2 cannot draw 1 .* only 0 have"),
        ([[1, 1], [1, -1]], [[0, 1], [0, 1]], "shares must be numbers that are not negative"),
        ([[1, 1], [1, 1]], [[0, 1], [0, np.nan]], "sizes must be numbers"),
        ([[1, 1], [1, 1]], [[0, 1]], "do not fit"),
        ([1, 1], [0, 1], "do not fit"),
    ],
)
def test_what_cannot_be_drawn(shares: Any, sizes: Any, message: str) -> None:
    with pytest.raises(RequestError, match=message):
        expected_score(SCORES["overlap"], shares, sizes)
    if np.ndim(shares) == 2:
        with pytest.raises(RequestError, match=message):
            simulated_score(SCORES["overlap"], shares, sizes, 5, 5, np.random.default_rng(1))
