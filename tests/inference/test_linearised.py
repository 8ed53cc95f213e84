"""Standard errors: the pull of each item against leaving it out, and against brute force."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given

from accordant import COEFFICIENTS
from accordant.counts.counts import Counts
from accordant.inference.influence import jackknife, left_out, linearise
from accordant.measure.distances import weights_for
from accordant.measure.registry import Coefficient
from laws.drawing import SCORES, Rows, counts_of, every, tables

ROUNDING = 1e-9
WEIGHTS = ("identity", "quadratic", [[1, 0.2, 0], [0.6, 1, 0.5], [0.1, 0, 1]])


def random_rows(n: int, coders: int, missing: float, seed: int = 5) -> Rows:
    rng = np.random.default_rng(seed)
    truth = rng.integers(3, size=n)
    table = np.where(
        rng.random((n, coders)) < 0.6, truth[:, None], rng.integers(3, size=(n, coders))
    )
    table[rng.random((n, coders)) < missing] = -1
    return table[(table >= 0).any(1)].tolist()


def with_item_weight(counts: Counts, pattern: int, more: float) -> Counts:
    times = counts.times.copy()
    times[pattern] += more
    return counts.drawn(times)


@every
@pytest.mark.parametrize("wanted", WEIGHTS, ids=["identity", "quadratic", "own"])
@pytest.mark.parametrize("coders", [2, 4])
def test_pull_is_the_derivative(coefficient: Coefficient, wanted: Any, coders: int) -> None:
    """n times the derivative of the coefficient by the weight of one item, numerically."""
    counts = counts_of(random_rows(60, coders, 0.25))
    w = weights_for(wanted, counts)
    pull = linearise(coefficient, counts, w, ratio=True)
    n, step = float(pull.counts.n_items), 1e-5
    for p in range(0, pull.counts.n_patterns, 3):
        up, down = (
            float(coefficient.parts(with_item_weight(pull.counts, p, d), w).value)
            for d in (step, -step)
        )
        slope = n * (up - down) / (2 * step)
        if coefficient.key == "alpha":  # Gwet leaves out the small-sample term, of order 1 / n
            assert pull.deviation[p] * n / pull.n == pytest.approx(slope, abs=0.1)
        else:
            assert pull.deviation[p] == pytest.approx(slope, abs=1e-5)


@every
def test_gwet_and_ratio_are_one_without_single_annotations(coefficient: Coefficient) -> None:
    counts = counts_of(random_rows(80, 3, 0))
    w = weights_for("quadratic", counts)
    one, other = (linearise(coefficient, counts, w, ratio=r).variance() for r in (False, True))
    assert one == pytest.approx(other, rel=ROUNDING)


@every
def test_gwet_is_wider_where_half_of_the_items_have_one_annotation(
    coefficient: Coefficient,
) -> None:
    """Its formulas let the other items pull by their missing agreement; jackknife does not."""
    counts = counts_of(random_rows(400, 2, 0.3))
    w = weights_for("identity", counts)
    gwet, ratio = (linearise(coefficient, counts, w, ratio=r).variance() for r in (False, True))
    assert ratio == pytest.approx(jackknife(coefficient, counts, w), rel=0.03)
    if coefficient.key not in ("alpha", "light"):
        assert gwet > 1.1 * ratio


@every
@given(rows=tables())
def test_mean_pull_is_zero(coefficient: Coefficient, rows: Rows) -> None:
    counts = counts_of(rows)
    w = weights_for("linear", counts)
    if np.isnan(coefficient.parts(counts, w).value):
        return
    for ratio in (False, True):
        pull = linearise(coefficient, counts, w, ratio=ratio)
        assert pull.counts.times @ pull.deviation == pytest.approx(0, abs=1e-8)


@every
@given(rows=tables())
def test_left_out_is_what_the_rest_gives(coefficient: Coefficient, rows: Rows) -> None:
    """Against counting the annotations again without the item."""
    counts = counts_of(rows)
    w = weights_for("identity", counts)
    view = coefficient.view(counts, w)[0]
    found = left_out(coefficient, counts, w)[view.pattern_of]
    for i in range(len(rows)):
        rest = counts_of([r for j, r in enumerate(rows) if j != i])
        again = float(coefficient.parts(rest, weights_for("identity", rest)).value)
        assert found[i] == pytest.approx(again, abs=ROUNDING, nan_ok=True)


@every
def test_jackknife_is_the_textbook_formula(coefficient: Coefficient) -> None:
    rows = random_rows(30, 3, 0.2)
    counts = counts_of(rows)
    w = weights_for("identity", counts)
    if coefficient.pairs_only:
        rows = [row for row in rows if sum(v >= 0 for v in row) >= 2]
    n = len(rows)
    each = [
        float(coefficient.parts(counts_of(rows[:i] + rows[i + 1 :]), w).value) for i in range(n)
    ]
    wanted = (n - 1) / n * np.sum((np.array(each) - np.mean(each)) ** 2)
    assert jackknife(coefficient, counts, w) == pytest.approx(wanted, rel=1e-8)


def test_items_of_a_pattern_share_their_pull() -> None:
    counts = counts_of(random_rows(200, 3, 0.2))
    pull = linearise(COEFFICIENTS["ac"], counts, weights_for("identity", counts))
    each = pull.of_items()
    assert each.shape == counts.pattern_of.shape
    assert each @ each / (pull.n * (pull.n - 1)) == pytest.approx(pull.variance(), rel=ROUNDING)


@pytest.mark.parametrize("population", [200, 1000])
def test_finite_population(population: int) -> None:
    """1 - n / N (Cochran 1977, ch. 2)."""
    counts = counts_of(random_rows(100, 3, 0))
    pull = linearise(COEFFICIENTS["kappa"], counts, weights_for("identity", counts))
    assert pull.variance(population=population) == pytest.approx(
        (1 - 100 / population) * pull.variance(), rel=ROUNDING
    )


def test_one_item_has_no_variance() -> None:
    counts = counts_of([[0, 1]], SCORES[:2])
    w = weights_for("identity", counts)
    assert np.isnan(linearise(COEFFICIENTS["s"], counts, w).variance())
    assert np.isnan(jackknife(COEFFICIENTS["s"], counts, w))


def test_the_best_known_large_sample_error() -> None:
    """The table of Fleiss, Cohen & Everitt (1969), against the formula written out."""
    table = np.array([[53, 5, 2], [11, 14, 5], [1, 6, 3]])
    rows = [[a, b] for (a, b), n in np.ndenumerate(table) for _ in range(n)]
    counts = counts_of(rows)
    pull = linearise(COEFFICIENTS["kappa"], counts, weights_for("identity", counts))
    value = float(COEFFICIENTS["kappa"].parts(counts, weights_for("identity", counts)).value)
    assert value == pytest.approx(0.429, abs=5e-4)
    assert pull.variance(large_sample=True) == pytest.approx(_by_hand(table), rel=ROUNDING)


def _by_hand(table: np.ndarray[Any, Any]) -> float:
    """Equation 13.15 of Fleiss (1981), written out cell by cell."""
    p = table / table.sum()
    rows, columns = p.sum(1), p.sum(0)
    chance = rows @ columns
    kappa = (np.trace(p) - chance) / (1 - chance)
    a = sum(p[i, i] * (1 - (rows[i] + columns[i]) * (1 - kappa)) ** 2 for i in range(3))
    b = (1 - kappa) ** 2 * sum(
        p[i, j] * (columns[i] + rows[j]) ** 2 for i in range(3) for j in range(3) if i != j
    )
    c = (kappa - chance * (1 - kappa)) ** 2
    return float((a + b - c) / ((1 - chance) ** 2 * table.sum()))
