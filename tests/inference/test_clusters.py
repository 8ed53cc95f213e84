"""Answers to several questions about one item are not independent: items are, and are drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from accordant import Annotations, RequestError, Scheme, agreement, compare, read
from accordant.counts.count import count
from accordant.counts.counts import Counts
from accordant.inference.comparison import comparisons
from accordant.inference.influence import jackknife, left_out, linearise
from accordant.inference.intervals import uncertainty
from accordant.inference.resampling import bootstrap
from accordant.inference.sample_size import plan_from_pilot
from accordant.inference.settings import Settings
from accordant.measure.coefficients import COEFFICIENTS, find
from accordant.measure.distances import weights_for
from accordant.measure.measures import Measure, measures
from accordant.measure.registry import Coefficient
from laws.drawing import every

SAME = 1e-12  # two floats that were computed in different ways

Grid = Any  # (items, questions, coders) codes, -1 for missing


def hard_and_easy(
    n: int, questions: int, seed: int, *, coders: int = 2, missing: float = 0.0, gain: float = 0.0
) -> Grid:
    """40 % of the items are hard in all questions: coders guess there, and rarely elsewhere."""
    rng = np.random.default_rng(seed)
    known = np.where(rng.random(n) < 0.4, 0.2 + gain, 0.95)[:, None, None]
    truth = rng.integers(2, size=(n, questions, 1))
    shape = (n, questions, coders)
    grid = np.where(rng.random(shape) < known, truth, rng.integers(2, size=shape))
    return np.where(rng.random(shape) < missing, -1, grid)


def annotations(grid: Grid) -> Annotations:
    """The grid read as a table with a row for each annotation."""
    item, question, coder = (x[grid >= 0].tolist() for x in np.indices(grid.shape))
    table = {
        "item": [f"{i:05d}" for i in item],
        "question": [f"q{q}" for q in question],
        "coder": [f"c{c}" for c in coder],
        "label": ["ab"[v] for v in grid[grid >= 0]],
    }
    return read(
        table,
        item="item",
        question="question",
        coder="coder",
        label="label",
        categories=["a", "b"],
    )


def pooled(grid: Grid) -> Counts:
    """The same without the detour."""
    _, questions, coders = grid.shape
    patterns, of = np.unique(grid.reshape(-1, coders), axis=0, return_inverse=True)
    empty = (patterns < 0).all(1)
    number = np.append(np.where(empty, -1, np.cumsum(~empty) - 1), -1)[of.ravel()]
    rows = patterns[~empty]
    row, coder = np.nonzero(rows >= 0)
    return Counts(
        np.searchsorted(row, np.arange(len(rows) + 1)),
        coder,
        rows[row, coder],
        np.ones(len(row), int),
        np.bincount(number[number >= 0]).astype(float),
        tuple("ABCDEFG"[:coders]),
        ("a", "b"),
        number,
        True,
        questions,
    )


def alone(grid: Grid) -> Counts:
    """Every answer as an item of its own."""
    return pooled(grid.reshape(-1, 1, grid.shape[2]))


def value(coefficient: Coefficient, grid: Grid) -> float:
    counts = alone(grid)
    return float(coefficient.parts(counts, weights_for("identity", counts)).value)


def test_counting_knows_which_answers_are_about_one_item() -> None:
    grid = hard_and_easy(30, 3, 1, missing=0.3)
    grid = grid[(grid >= 0).any((1, 2))]
    data = annotations(grid)
    counts = count(data)
    assert counts.n_questions == 3
    assert count(data, "q1").n_questions == 1
    assert len(counts.pattern_of) == 3 * len(grid)
    for i, q in np.ndindex(grid.shape[:2]):
        p = counts.pattern_of[3 * i + q]
        assert (p < 0) == (grid[i, q] < 0).all()
        if p >= 0:
            at = slice(counts.start[p], counts.start[p + 1])
            assert counts.value[at].tolist() == grid[i, q][grid[i, q] >= 0].tolist()
    for other in (
        counts.anonymous,
        counts.pairable,
        counts.of_coders(np.array([1, 0])),
        counts.merged(np.array([0, 0]), ("a",)),
        counts.anonymous.merged(np.array([1, 0]), ("x", "y")),
    ):
        assert other.n_questions == 3
        assert other.kinds.patterns(other.kinds.times) == pytest.approx(other.times)


def test_kinds_are_items_that_look_alike() -> None:
    grid = hard_and_easy(300, 2, 2)
    kinds = pooled(grid).kinds
    assert kinds.n == 300
    assert len(kinds.times) == 10  # unordered pairs of 4 patterns
    assert np.bincount(kinds.of).tolist() == kinds.times.tolist()
    x = np.arange(4.0)
    each = x[pooled(grid).pattern_of.reshape(-1, 2)].sum(1)
    assert kinds.total(x)[kinds.of] == pytest.approx(each)


def test_resamples_of_several_questions_are_drawn_as_items_only() -> None:
    counts = pooled(hard_and_easy(30, 3, 1))
    with pytest.raises(ValueError, match="which items"):
        _ = counts.drawn(counts.times[::-1]).kinds


@every
def test_the_standard_error_is_the_spread_of_studies(coefficient: Coefficient) -> None:
    """60 items, 6 questions; kappa: .066, and .044 if answers were independent."""
    studies = [hard_and_easy(60, 6, seed) for seed in range(600)]
    spread = np.std([value(coefficient, s) for s in studies])
    if coefficient.key not in ("percent", "pi", "alpha"):
        studies = studies[:150]
    for method in ("analytic", "jackknife"):
        errors = [
            uncertainty(coefficient, c, weights_for("identity", c), 0.5, Settings(method)).se  # type: ignore[arg-type]
            for c in map(pooled, studies)
        ]
        # 1 / sqrt(2 x 600) = 3 % of simulation error in the spread, three times
        assert np.mean(errors) == pytest.approx(spread, rel=0.09)
    naive = [
        linearise(coefficient, c, weights_for("identity", c)).variance() ** 0.5
        for c in map(alone, studies)
    ]
    assert np.mean(naive) < 0.75 * spread


@every
@pytest.mark.parametrize("missing", [0, 0.3])
def test_jackknife_leaves_out_items(coefficient: Coefficient, missing: float) -> None:
    grid = hard_and_easy(20, 3, 4, coders=3, missing=missing)
    counts = pooled(grid)
    w = weights_for("identity", counts)
    if coefficient.pairs_only:
        grid = grid[((grid >= 0).sum(2) >= 2).any(1)]
    n = len(grid)
    each = np.array([value(coefficient, np.delete(grid, i, 0)) for i in range(n)])
    wanted = (n - 1) / n * ((each - each.mean()) ** 2).sum()
    assert jackknife(coefficient, counts, w) == pytest.approx(wanted, rel=1e-9)


@every
@pytest.mark.parametrize("missing", [0, 0.3])
def test_bootstrap_draws_items(coefficient: Coefficient, missing: float) -> None:
    """Against a loop that draws items with all their answers."""
    grid = hard_and_easy(50, 4, 5, missing=missing)
    counts = pooled(grid)
    drawn = bootstrap(coefficient, counts, weights_for("identity", counts), n_resamples=4000, rng=1)
    rng = np.random.default_rng(2)
    rests = grid[((grid >= 0).sum(2) >= 1 + coefficient.pairs_only).any(1)]
    plain = [
        value(coefficient, rests[rng.integers(len(rests), size=len(rests))]) for _ in range(400)
    ]
    # five standard errors of a mean and of a standard deviation of 400
    assert np.mean(plain) == pytest.approx(drawn.mean(), abs=5 * drawn.std() / 20)
    assert np.std(plain) == pytest.approx(drawn.std(), rel=5 / 800**0.5)


@every
def test_every_method_agrees_in_large_samples(coefficient: Coefficient) -> None:
    counts = pooled(hard_and_easy(2000, 3, 6, coders=3, missing=0.2))
    w = weights_for("identity", counts)
    v = float(coefficient.parts(counts, w).value)
    usual = uncertainty(coefficient, counts, w, v, Settings("delta"))
    assert "clustered by item" in usual.method
    for method in ("jackknife", "bootstrap", "bca"):
        found = uncertainty(coefficient, counts, w, v, Settings(method, rng=1))  # type: ignore[arg-type]
        assert "clustered by item" in found.method
        assert found.se == pytest.approx(usual.se, rel=0.08)
        assert found.low == pytest.approx(usual.low, abs=0.3 * usual.se)


@every
def test_one_question_is_as_ever(coefficient: Coefficient) -> None:
    grid = hard_and_easy(80, 1, 7, missing=0.1)
    counts = pooled(grid)
    w = weights_for("identity", counts)
    found = linearise(coefficient, counts, w)
    assert found.pull == pytest.approx(found.deviation)
    assert len(left_out(coefficient, counts, w)) == coefficient.view(counts, w)[0].n_patterns


@every
def test_answers_that_repeat_are_worth_no_more(coefficient: Coefficient) -> None:
    """The same question three times tells what it tells once."""
    once = hard_and_easy(60, 1, 8)
    thrice = np.repeat(once, 3, axis=1)
    if coefficient.key == "alpha":  # its chance depends a little on the number of annotations
        room = 0.02
    else:
        room = 1e-9
    for method in ("analytic", "large-sample", "jackknife"):
        one, three = (
            uncertainty(coefficient, c, weights_for("identity", c), 0.5, Settings(method))  # type: ignore[arg-type]
            for c in map(pooled, (once, thrice))
        )
        assert three.se == pytest.approx(one.se, rel=room)
        assert three.low == pytest.approx(one.low, rel=room)
        assert f"t({59})" in three.method or method == "large-sample"


def test_a_population_is_one_of_items() -> None:
    """120 items with two questions each out of 200 items."""
    data = annotations(hard_and_easy(120, 2, 9))
    free, bound = (agreement(data, "alpha", population=n, seed=1)["alpha"] for n in (None, 200))
    assert bound.se == pytest.approx(free.se * (1 - 120 / 200) ** 0.5)
    assert bound.method == "score, clustered by item, t(119)"
    with pytest.raises(RequestError, match="100 items is smaller than the sample of 120"):
        agreement(data, "alpha", population=100)


def test_perfect_agreement_is_as_sure_as_its_items() -> None:
    grid = np.repeat(np.arange(40 * 3).reshape(40, 3, 1) % 2, 2, axis=2)
    found = agreement(annotations(grid), "percent")["percent"]
    assert found.low == pytest.approx(0.025 ** (1 / 40))
    assert found.method == "exact bound, clustered by item"


@pytest.mark.parametrize("paired", [True, False])
def test_a_pooled_difference_is_one_of_items(paired: bool) -> None:
    """Its standard error against the spread over 300 pairs of rounds."""
    wanted = [Measure(COEFFICIENTS[key]) for key in ("percent", "kappa", "alpha")]
    differences, errors = [], []
    for seed in range(300):
        first = hard_and_easy(50, 4, seed)
        second = hard_and_easy(50, 4, seed if paired else seed + 1000, gain=0.3)
        one, two = annotations(first), annotations(second)
        rows = comparisons(one, two, wanted, Settings(), paired=paired)
        found = [row for row in rows if row.question is None]
        differences.append([row.difference for row in found])
        errors.append([row.se for row in found])
    assert len(found) == len(wanted)
    for row in found:
        assert "clustered by item" in row.method
        assert row.df == pytest.approx(49 if paired else 98, abs=0 if paired else 12)
    # 1 / sqrt(2 x 300) = 4 % of simulation error in the spread, three times
    assert np.mean(errors, 0) == pytest.approx(np.std(differences, 0), rel=0.12)


@pytest.mark.parametrize("paired", [True, False])
@pytest.mark.parametrize("key", [k for k, c in COEFFICIENTS.items() if not c.only_sets])
def test_methods_for_a_pooled_difference_agree(paired: bool, key: str) -> None:
    one = annotations(hard_and_easy(600, 3, 1, missing=0.1))
    two = annotations(hard_and_easy(600, 3, 2, missing=0.1, gain=0.3))
    usual = comparisons(one, two, measures(key), Settings("delta"), paired=paired)[-1]
    for method in ("jackknife", "bootstrap"):
        settings = Settings(method, rng=1)  # type: ignore[arg-type]
        found = comparisons(one, two, measures(key), settings, paired=paired)[-1]
        assert found.difference == pytest.approx(usual.difference, abs=SAME)
        assert found.se == pytest.approx(usual.se, rel=0.08)


def test_the_paired_jackknife_leaves_an_item_out_of_both_rounds() -> None:
    rounds = hard_and_easy(15, 3, 1), hard_and_easy(15, 3, 2, gain=0.3)
    kappa = find("kappa")
    each = np.array(
        [
            value(kappa, np.delete(rounds[1], i, 0)) - value(kappa, np.delete(rounds[0], i, 0))
            for i in range(15)
        ]
    )
    one, two = map(annotations, rounds)
    found = comparisons(one, two, [Measure(kappa)], Settings("jackknife"), paired=True)[-1]
    assert found.se == pytest.approx((14 / 15 * ((each - each.mean()) ** 2).sum()) ** 0.5)


def test_a_question_that_one_round_lacks_is_left_out_of_both() -> None:
    first, second = hard_and_easy(40, 2, 1), hard_and_easy(40, 2, 2)
    first[:10, 0] = -1
    found = compare(annotations(first), annotations(second), "percent")["percent"]
    second[:10, 0] = -1
    again = compare(annotations(first), annotations(second), "percent")["percent"]
    assert (found.before, found.after) == (again.before, again.after)
    assert found.se == pytest.approx(again.se)
    assert found.df == 39


def test_a_pilot_of_several_questions_is_one_of_items() -> None:
    counts = pooled(hard_and_easy(100, 4, 3))
    plan = plan_from_pilot(find("pi"), counts, weights_for("identity", counts), 0.2)
    assert "pilot of 100 items" in plan.basis


def test_the_questions_need_not_have_one_scheme() -> None:
    item, coder = ["1", "1", "2", "2", "3", "3"], ["A", "B"] * 3
    rows = {
        "item": item * 2,
        "coder": coder * 2,
        "question": ["x"] * 6 + ["y"] * 6,
        "label": ["a", "a", "b", "a", "b", "b", "u", "v", "v", "v", "u", "u"],
    }
    data = read(rows, item="item", coder="coder", question="question", label="label")
    assert isinstance(data.schemes[0], Scheme)
    found = agreement(data, "percent", interval="jackknife")["percent"]
    assert found.method == "jackknife, clustered by item, t(2)"
