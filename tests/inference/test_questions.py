"""Answers to several questions about one item are not independent: items are, and are drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import accordant as ac
from inference.samples import KEYS

FORMULAS = [key for key in KEYS if key != "light"]


def hard_and_easy(
    n: int, questions: int, seed: int, *, coders: int = 2, missing: float = 0.0, gain: float = 0.0
) -> Any:
    """40 % of the items are hard in all questions: coders guess there, and rarely elsewhere."""
    rng = np.random.default_rng(seed)
    known = np.where(rng.random(n) < 0.4, 0.2 + gain, 0.95)[:, None, None]
    truth = rng.integers(2, size=(n, questions, 1))
    shape = (n, questions, coders)
    grid = np.where(rng.random(shape) < known, truth, rng.integers(2, size=shape))
    return np.where(rng.random(shape) < missing, -1, grid)


def annotations(grid: Any) -> ac.Annotations:
    """The (items, questions, coders) codes read as a table with a row for each annotation."""
    item, question, coder = (x[grid >= 0].tolist() for x in np.indices(grid.shape))
    table = {
        "item": [f"{i:05d}" for i in item],
        "question": [f"q{q}" for q in question],
        "coder": [f"c{c}" for c in coder],
        "label": ["ab"[v] for v in grid[grid >= 0]],
    }
    columns = {name: name for name in table}
    return ac.read(table, **columns, categories=["a", "b"])  # type: ignore[arg-type]


def pooled(grid: Any, keys: Any = FORMULAS, **options: Any) -> list[ac.Agreement]:
    return list(ac.agreement(annotations(grid), keys, **options).of_question(None))


@pytest.mark.parametrize("missing", [0, 0.3])
def test_errors_are_those_of_leaving_items_out(missing: float) -> None:
    grid = hard_and_easy(40, 3, 4, coders=3, missing=missing)
    grid = grid[((grid >= 0).sum(2) >= 2).all(1)]
    n = len(grid)
    each = np.array(
        [[r.value for r in pooled(np.delete(grid, i, 0), interval="none")] for i in range(n)]
    )
    wanted = np.sqrt((n - 1) / n * ((each - each.mean(0)) ** 2).sum(0))
    for row, error in zip(pooled(grid), wanted, strict=True):
        assert row.se == pytest.approx(error, rel=0.06), row.coefficient
        assert "clustered by item" in row.method


@pytest.mark.parametrize("key", KEYS)
def test_formula_and_bootstrap_agree(key: str) -> None:
    grid = hard_and_easy(1000, 3, 6, missing=0.1)
    (usual,) = pooled(grid, key)
    (drawn,) = pooled(grid, key, interval="bootstrap", seed=1)
    assert "clustered by item" in drawn.method
    assert drawn.se == pytest.approx(usual.se, rel=0.08)  # 2,000 resamples leave 1.6 %


def test_answers_that_repeat_are_worth_no_more() -> None:
    """The same question three times tells what it tells once."""
    once = hard_and_easy(60, 1, 8)
    thrice = pooled(np.repeat(once, 3, axis=1), interval="analytic")
    for one, three in zip(
        ac.agreement(annotations(once), FORMULAS, interval="analytic"), thrice, strict=True
    ):
        # the chance of alpha depends a little on the number of annotations
        room = 0.02 if one.coefficient == "alpha" else 1e-9
        assert three.se == pytest.approx(one.se, rel=room)
        assert three.method.endswith("t(59)")


def test_answers_taken_for_items_would_be_too_sure() -> None:
    grid = hard_and_easy(200, 6, 1)
    (together,) = pooled(grid, "kappa")
    (apart,) = ac.agreement(annotations(grid.reshape(-1, 1, 2)), "kappa")
    assert apart.value == pytest.approx(together.value)
    assert apart.se < 0.75 * together.se


def test_a_population_is_one_of_items() -> None:
    """120 items with two questions each out of 200 items."""
    grid = hard_and_easy(120, 2, 9)
    (free,), (bound,) = (pooled(grid, "alpha", population=n) for n in (None, 200))
    assert bound.se == pytest.approx(free.se * (1 - 120 / 200) ** 0.5)
    with pytest.raises(ac.RequestError, match="100 items is smaller than the sample of 120"):
        pooled(grid, "alpha", population=100)


def test_perfect_agreement_is_as_sure_as_its_items() -> None:
    grid = np.repeat(np.arange(40 * 3).reshape(40, 3, 1) % 2, 2, axis=2)
    (found,) = pooled(grid, "percent")
    assert found.low == pytest.approx(0.025 ** (1 / 40))


@pytest.mark.parametrize("paired", [True, False])
def test_a_pooled_difference_is_one_of_items(paired: bool) -> None:
    """Its standard error against the spread over 50 pairs of rounds."""
    keys = ["percent", "kappa", "alpha"]
    differences, errors = [], []
    for seed in range(50):
        first = hard_and_easy(50, 4, seed)
        second = hard_and_easy(50, 4, seed if paired else seed + 1000, gain=0.3)
        table = ac.compare(annotations(first), annotations(second), keys, paired=paired)
        found = table.of_question(None)
        differences.append([row.difference for row in found])
        errors.append([row.se for row in found])
    for row in found:
        assert "clustered by item" in row.method
        assert row.df == pytest.approx(49 if paired else 98, abs=0 if paired else 12)
    # 1 / sqrt(2 x 50) = 10 % of simulation error in the spread, three times
    assert np.mean(errors, 0) == pytest.approx(np.std(differences, 0), rel=0.3)


def test_a_question_that_one_round_lacks_is_left_out_of_both() -> None:
    first, second = hard_and_easy(40, 2, 1), hard_and_easy(40, 2, 2)
    first[:10, 0] = -1
    found = ac.compare(annotations(first), annotations(second), "percent")["percent"]
    second[:10, 0] = -1
    again = ac.compare(annotations(first), annotations(second), "percent")["percent"]
    assert (found.before, found.after) == (again.before, again.after)
    assert found.se == pytest.approx(again.se)
    assert found.df == 39


def test_the_questions_need_not_have_one_scheme() -> None:
    rows = {
        "item": ["1", "1", "2", "2", "3", "3"] * 2,
        "coder": ["A", "B"] * 6,
        "question": ["x"] * 6 + ["y"] * 6,
        "label": ["a", "a", "b", "a", "b", "b", "u", "v", "v", "v", "u", "u"],
    }
    data = ac.read(rows, item="item", coder="coder", question="question", label="label")
    found = ac.agreement(data, "percent", interval="analytic")["percent"]
    assert found.method == "linearised, clustered by item, t(2)"
