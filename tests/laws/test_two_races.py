"""Label draw of a crowd: many coders, many labels, of which each coder gives a few.

The truth of these tests is the enumeration of all sets, which `test_drawing` holds to the
definition; sums that are known; and, for the coarser steps of many pairs, the finer ones.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import accordant
from accordant.counts.count import count
from accordant.measure import label_draw, multilabel, races, supports, two_races
from accordant.measure.label_draw import expected_score, expected_score_slope
from accordant.measure.multilabel import boot
from accordant.measure.sets import SCORES, OfSets
from accordant.measure.terms import Score

Floats = NDArray[np.float64]

INTEGRAL = 1e-12  # what the step of the integration leaves
COARSE = 1e-9  # the same where many pairs of coders are averaged
COARSE_SLOPE = 1e-7
DIFFERENCE = 1e-6  # central differences with steps of 1e-5

scores = pytest.mark.parametrize("score", SCORES.values(), ids=SCORES)


@pytest.mark.parametrize("n_labels, most", [(30, 8), (60, 20), (9, 9)])
def test_steps_are_fine_enough_for_large_sets(n_labels: int, most: int) -> None:
    """Labels of about equal shares: the last of many arrives at a sharply defined time."""
    p = np.random.default_rng(most).dirichlet(np.full(n_labels, 20.0), 2)
    drawn = np.arange(1, most + 1)
    assert races.one_race(p, most).sum(-1) == pytest.approx(np.tile(drawn, (2, 1)), abs=INTEGRAL)
    one, other = (two_races.Racer.of(x, np.ones(most + 1)) for x in p)
    for racer in (one, other):
        last = racer.number(range(n_labels))[1, 1:] @ racer.weight
        assert last == pytest.approx(np.ones(most), abs=INTEGRAL)
    if most < 10:
        law = two_races.two_races(one, other, most)
        assert law.sum(-1) == pytest.approx(np.ones((most + 1, most + 1)), abs=INTEGRAL)
        mean = law @ np.arange(most + 1)
        singles = [races.one_race(x[None], most)[0] for x in p]
        assert mean[1:, 1:] == pytest.approx(singles[0] @ singles[1].T, abs=INTEGRAL)


# ------------------------------------------------------------------ labels that not all give


def crowd(seed: int, n_coders: int, n_labels: int, most: int) -> tuple[Floats, Floats]:
    """Coders with few labels each: some pairs share none, some one, and some several."""
    rng = np.random.default_rng(seed)
    shares = rng.integers(1, 9, (n_coders, n_labels)) * (rng.random((n_coders, n_labels)) < 0.5)
    sizes = rng.integers(0, 3, (n_coders, most + 1))
    shares[0, : n_labels // 2], shares[1, n_labels // 2 :] = 0, 0  # nothing in common
    shares[2], shares[2, -1] = 0, 5  # one label
    for p, q in zip(shares, sizes, strict=True):
        p[-1] += not p.any()
        q[1] += 1
        q[np.count_nonzero(p) + 1 :] = 0
    return shares.astype(float), sizes.astype(float)


ACCURACY = pytest.mark.parametrize(
    "few_pairs, error, of_slope", [(10**9, INTEGRAL, 10 * INTEGRAL), (-1, COARSE, COARSE_SLOPE)]
)


@scores
@ACCURACY
def test_coders_of_few_labels_each(
    monkeypatch: Any, score: Score, few_pairs: int, error: float, of_slope: float
) -> None:
    monkeypatch.setattr(two_races, "STATES", 2_000)  # the times come in several parts
    for seed in range(4):
        shares, sizes = crowd(seed, 6, 9, 4)
        expected = float(expected_score(score, shares, sizes))
        slopes = expected_score_slope(score, shares, sizes)
        with monkeypatch.context() as races_only:
            races_only.setattr(label_draw, "MOST_SETS", -1)
            races_only.setattr(supports, "MOST_FOR_SINGLES", -1)
            races_only.setattr(label_draw, "FEW_PAIRS", few_pairs)
            assert float(expected_score(score, shares, sizes)) == pytest.approx(expected, abs=error)
            for ours, theirs, x in zip(
                expected_score_slope(score, shares, sizes), slopes, (shares, sizes), strict=True
            ):
                assert ours == pytest.approx(theirs, abs=of_slope)
                assert not ours[x == 0].any()


def by_differences(score: Score, habits: list[Floats], of: int) -> Floats:
    """The slope by the shares (0) or by the sizes (1), where they are positive."""
    slope = np.zeros(habits[of].shape)
    for at in zip(*np.nonzero(habits[of]), strict=True):
        sides = []
        for step in (1e-5, -1e-5):
            moved = [x.copy() for x in habits]
            moved[of][at] += step
            sides.append(float(expected_score(score, *moved)))
        slope[at] = (sides[0] - sides[1]) / 2e-5
    return slope


def test_slope_of_few_labels_each_is_the_difference_of_values(monkeypatch: Any) -> None:
    monkeypatch.setattr(label_draw, "MOST_SETS", -1)
    shares, sizes = crowd(2, 4, 7, 3)
    habits = [x / x.sum(-1, keepdims=True) for x in (shares, sizes)]
    for of, slope in enumerate(expected_score_slope(SCORES["jaccard"], *habits)):
        assert slope.any()
        expected = by_differences(SCORES["jaccard"], habits, of)
        assert slope == pytest.approx(expected, abs=DIFFERENCE)


def test_a_crowd_is_integrated_in_coarser_steps(monkeypatch: Any) -> None:
    """Larger sets than the ways above, with shares of a crowd: the finer steps are the truth."""
    monkeypatch.setattr(label_draw, "MOST_SETS", -1)
    shares, sizes = crowd(8, 6, 30, 7)
    found, expected = [], []
    for few_pairs, into in ((-1, found), (100, expected)):
        monkeypatch.setattr(label_draw, "FEW_PAIRS", few_pairs)
        into.append(expected_score(SCORES["overlap"], shares, sizes)[None])
        into.extend(expected_score_slope(SCORES["overlap"], shares, sizes))
    errors = COARSE, COARSE_SLOPE, COARSE_SLOPE
    for ours, theirs, error in zip(found, expected, errors, strict=True):
        assert ours == pytest.approx(theirs, abs=error)
        assert (ours != theirs).any()


def test_progress_over_pairs_and_over_resamples(monkeypatch: Any) -> None:
    monkeypatch.setattr(label_draw, "MOST_SETS", -1)
    shares, sizes = crowd(1, 4, 6, 3)
    shares[3], sizes[3] = 0, 0  # lost: three pairs are left
    for run in (expected_score, expected_score_slope):
        done: list[tuple[int, int]] = []
        run(SCORES["overlap"], shares, sizes, lambda *x, done=done: done.append(x))
        assert done == [(1, 3), (2, 3), (3, 3)]
    done = []
    twice = (np.stack([x, x]) for x in (shares, sizes))
    expected_score(SCORES["overlap"], *twice, lambda *x: done.append(x))
    assert done == [(1, 2), (2, 2)]


# ------------------------------------------------------------------ computed once


def test_an_interval_does_not_compute_chance_again(monkeypatch: Any) -> None:
    seen: list[Any] = []

    def counted(score: Score, shares: Any, sizes: Any) -> Any:
        seen.append(np.shape(shares))
        return expected_score(score, shares, sizes)

    monkeypatch.setattr(multilabel, "expected_score", counted)
    rows = [
        (i, c, ("a", "b", "c")[: 1 + (i + k) % 3]) for i in range(9) for k, c in enumerate("xy")
    ]
    data = accordant.read(
        [{"item": str(i), "coder": c, "label": "|".join(labels)} for i, c, labels in rows]
    )
    counts = count(data)
    values = {}
    for name in ("overlap", "f1"):
        w = OfSets.of(name, counts.values, SCORES[name])
        values[name] = [float(boot.parts(counts, w).expected) for _ in range(2)]
        again = OfSets.of(name, counts.values, SCORES[name])
        values[name].append(float(boot.parts(counts, again).expected))
    assert len(seen) == 2
    assert values["overlap"][0] > values["f1"][0] + 0.01
    assert all(len(set(x)) == 1 for x in values.values())
    times = np.stack([counts.times, counts.times])
    w = OfSets.of("f1", counts.values, SCORES["f1"])
    for _ in range(2):
        assert boot.parts(counts.drawn(times), w).expected.tolist() == [values["f1"][0]] * 2
    assert len(seen) == 4  # resamples are not kept
