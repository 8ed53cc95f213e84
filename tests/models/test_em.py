"""The loop, the strides, the starts and the choice among solutions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import accordant as ac
from accordant.errors import InputError, RequestError
from accordant.models import em
from accordant.models.em import Climb, How, Step, climb
from accordant.models.emission import IMPOSSIBLE, Confusions, OneCoin, logs
from accordant.models.estimate import Estimate, believed
from accordant.models.estimators.dawid_skene import dawid_skene
from accordant.models.solutions import anchor, best_of, starts, switched
from models.planted import binary, mixed, reversed_categories, shuffled, sparse, table

SAME = 1e-12  # two floats that were computed in different ways


def creeping(q: np.ndarray) -> Step:
    """Goes a thousandth of the rest of the way towards (.9, .1) in each round."""
    wanted = np.array([[0.9, 0.1]])
    return Step(q + (wanted - q) / 1000, -float(((q - wanted) ** 2).sum()))


def test_strides_save_iterations_and_end_at_the_same_place() -> None:
    start = np.array([[0.2, 0.8]])
    how = How(tolerance=1e-12, max_iterations=100_000)
    slow, plain = climb(creeping, start, how)
    fast, leaping = climb(creeping, start, how, strides=True)
    assert leaping.n_iterations < plain.n_iterations / 10
    assert plain.converged
    assert leaping.converged
    assert abs(fast - [0.9, 0.1]).max() <= abs(slow - [0.9, 0.1]).max() + 1e-6
    assert not leaping.fell


def test_a_fixed_number_of_iterations_is_of_plain_ones() -> None:
    start = np.array([[0.2, 0.8]])
    how = How(tolerance=0, max_iterations=em.PLAIN)
    one, _ = climb(creeping, start, how)
    two, run = climb(creeping, start, how, strides=True)
    assert (one == two).all()
    assert run.n_iterations == em.PLAIN
    assert not run.converged


def test_an_objective_that_falls_is_told() -> None:
    values = iter([-5.0, -4.0, -4.5, -4.5, -4.5])
    _, run = climb(lambda q: Step(q, next(values)), np.array([[1.0, 0.0]]), How(max_iterations=5))
    assert run.fell
    assert not climb(creeping, np.array([[0.2, 0.8]]), How(max_iterations=50))[1].fell


def test_a_still_objective_does_not_stop_labels_that_move() -> None:
    """A plateau is no summit: the loop goes on as long as a label moves."""
    walk = iter(range(100))

    def step(q: np.ndarray) -> Step:
        k = next(walk)
        return Step(np.array([[0.5 + 0.01 * min(k, 30), 0.5 - 0.01 * min(k, 30)]]), -1.0)

    _, run = climb(step, np.array([[0.5, 0.5]]), How(max_iterations=90))
    assert run.converged
    assert 30 < run.n_iterations < 35


def test_progress_is_told_and_an_interruption_goes_through() -> None:
    told: list[tuple[int, int]] = []
    found = table(binary().data)

    def report(done: int, total: int) -> None:
        told.append((done, total))

    dawid_skene(found, How(restarts=2, max_iterations=20, progress=report))
    assert [d for d, _ in told] == sorted(d for d, _ in told)
    assert {t for _, t in told} == {60}

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        dawid_skene(found, How(progress=stop))


def test_restarts_differ_and_are_the_same_with_the_same_seed() -> None:
    found = table(mixed().data)
    made = list(starts(found, How(restarts=4, seed=3)))
    again = list(starts(found, How(restarts=4, seed=3)))
    other = list(starts(found, How(restarts=4, seed=4)))
    for k, q in enumerate(made):
        assert q.sum(1) == pytest.approx(1)
        assert (q == again[k]).all()
        assert not np.allclose(q, other[k])
        assert all(not np.allclose(q, p) for p in made[:k])
        # near the votes: on average the category of the votes stays the most probable
        assert (q.argmax(1) == found.shares.argmax(1)).mean() > 0.6


def test_starts_know_neither_rows_nor_names_of_categories() -> None:
    data = mixed().data
    how = How(restarts=3)
    one, moved = table(data), table(shuffled(data, 5))
    here = {str(x): k for k, x in enumerate(one.items)}
    place = [here[str(x)] for x in moved.items]
    for a, b, c in zip(
        starts(one, how),
        starts(moved, how),
        starts(table(reversed_categories(data)), how),
        strict=True,
    ):
        assert b == pytest.approx(a[place], abs=1e-12)
        assert c[:, ::-1] == pytest.approx(a, abs=1e-12)


def test_starts_keep_control_items() -> None:
    data = binary().data
    known = {x: "A" if k % 2 else "B" for k, x in enumerate(data.items[:9])}
    found = ac.fit(data, "dawid_skene", gold=known, restarts=3)
    at = {x: k for k, x in enumerate(found.items)}
    for name, label in known.items():
        assert found.labels[at[name]] == label
        for q in [anchor(found.votes), *starts(found.votes, How(restarts=2))]:
            assert q[at[name]].max() == 1


def fake(q: np.ndarray, value: float) -> Estimate:
    """A fit that ends where it starts."""
    n = q.shape[1]
    one = np.full((1, n, n), 1 / n)
    run = Climb("log-likelihood", (value,), True)
    return Estimate(q, q.mean(0), Confusions(one), np.ones(1), run)


def test_a_better_solution_with_exchanged_labels_is_turned_back() -> None:
    """Dog and bluebird: what is best by likelihood may have its labels exchanged."""
    found = table(binary().data)
    seen: list[np.ndarray] = []

    def run(start: np.ndarray, how: How) -> Estimate:
        seen.append(start)
        # the first restart ends with exchanged labels and a better objective
        return fake(start[:, ::-1], -9.0) if len(seen) == 2 else fake(start, -10.0 - len(seen))

    best = best_of(found, How(restarts=1), run)
    assert len(seen) == 3
    assert switched(found, best.probabilities) is None
    assert seen[2] == pytest.approx(seen[1])  # turned back
    assert len(best.restarts) == 1

    def stubborn(start: np.ndarray, how: How) -> Estimate:
        return fake(anchor(found)[:, ::-1], -1.0) if start is not anchor_ else fake(start, -10.0)

    anchor_ = found.shares
    assert best_of(found, How(restarts=3), stubborn).climb.value == -10


def test_switched_finds_any_permutation() -> None:
    found = table(mixed().data)
    q = found.shares
    for order in ([1, 0, 2], [2, 0, 1], [1, 2, 0]):
        back = switched(found, q[:, order])
        assert (q[:, order][:, back] == q).all()
    assert switched(found, q) is None


def test_two_equally_good_solutions_are_told() -> None:
    found = table(binary().data)
    other = anchor(found).copy()
    other[:3] = 1 - other[:3].round()
    states = [(anchor(found), -10.0), (other, -9.5), (anchor(found), -30.0)]
    runs = iter(states)
    best = best_of(found, How(restarts=2), lambda start, how: fake(*next(runs)))
    assert best.climb.value == -9.5
    (told,) = best.findings
    assert told.code == "several_solutions"
    assert told.evidence["gap"] == pytest.approx(0.5)
    assert set(told.evidence["items"]) <= set(found.items[:3])
    assert "0.50 lower" in told.sentence
    runs = iter([(anchor(found), -10.0), (other, -30.0)])
    assert not best_of(found, How(restarts=1), lambda start, how: fake(*next(runs))).findings


def test_the_same_solution_twice_is_the_first_one() -> None:
    """Else rounding would decide which of two copies is shown."""
    found = table(binary().data)
    runs = iter([(anchor(found), -10.0), (found.shares * 0 + 0.5, -10.0 + 1e-7)])
    best = best_of(found, How(restarts=1), lambda start, how: fake(*next(runs)))
    assert best.probabilities is anchor(found)


@given(st.lists(st.floats(-800, 0), min_size=6, max_size=6), st.integers(-1, 1))
def test_believed_is_bayes_in_log_space(values: list[float], known: int) -> None:
    found = ac.fit([["a", "b"], ["b", "b"]], "majority").votes.with_known(np.array([-1, known]))
    table = np.array(values[:4]).reshape(2, 2)
    prior = np.exp(np.array(values[4:]) / 100)
    prior /= prior.sum()
    q, value = believed(found, prior, table.copy())
    joint = np.log(prior) + table
    if known >= 0:
        joint[1, 1 - known] = -np.inf
    total = np.logaddexp.reduce(joint, axis=1)
    assert q == pytest.approx(np.exp(joint - total[:, None]))
    assert value == pytest.approx(total.sum())
    rows, same = believed(found, np.tile(prior, (2, 1)), table.copy())
    assert rows == pytest.approx(q)
    assert same == pytest.approx(value)
    over = table.copy()
    assert believed(found, prior, over, overwrite=True)[0] is over


def test_blocks_do_not_show(monkeypatch) -> None:
    found = table(mixed().data)
    emission = Confusions(np.full((found.n_coders, 3, 3), 0.1) + 0.7 * np.eye(3))
    prior = np.array([0.5, 0.3, 0.2])
    whole = believed(found, prior, emission.log_likelihood(found))
    monkeypatch.setattr("accordant.models.estimate.BLOCK", 7)
    parts = believed(found, prior, emission.log_likelihood(found))
    assert whole[0] == pytest.approx(parts[0], abs=SAME)
    assert whole[1] == pytest.approx(parts[1], rel=1e-13)


def test_what_is_impossible_is_an_error_with_the_item() -> None:
    found = ac.fit([["a", "b"], ["b", "b"]], "majority").votes
    table = np.array([[IMPOSSIBLE, 2 * IMPOSSIBLE], [-1.0, -2.0]])
    with pytest.raises(InputError, match="item “1” are impossible"):
        believed(found, np.array([0.5, 0.5]), table)
    with pytest.raises(InputError, match="control item “2” .* impossible"):
        believed(found.with_known(np.array([-1, 0])), np.array([0.5, 0.5]), table[:, ::-1][::-1])


def test_one_coin_knows_certain_coders_beside_others() -> None:
    """A coder who is always right must not swallow what the others say (1e300 − 1e300)."""
    rows = [list("aabb"), list("abbb"), list("abba")]
    found = ac.fit(rows, "majority").votes
    accuracy = np.array([1.0, 0.7, 0.6])
    one = OneCoin(lambda item, coder: accuracy[coder], 2)
    wrong = logs(one.table(found.item, found.coder))
    wanted = np.zeros((4, 2))
    for n, (i, label) in enumerate(zip(found.item, found.label, strict=True)):
        wanted[i] += wrong[n, :, label]
    got = one.log_likelihood(found)
    fine = wanted > IMPOSSIBLE / 2
    assert got[fine] == pytest.approx(wanted[fine])
    assert (got[~fine] <= IMPOSSIBLE).all()


def test_ends_of_the_settings() -> None:
    rows = [list("abab"), list("abaa"), list("abbb")]
    assert ac.fit(rows, "dawid_skene", max_iterations=1).estimate.climb.n_iterations == 1
    for bad in ({"restarts": -1}, {"max_iterations": 0}, {"tolerance": 2}, {"seed": -1}):
        with pytest.raises(RequestError):
            ac.fit(rows, "dawid_skene", **bad)


def test_slow_data_take_strides() -> None:
    data = sparse().data
    strided = ac.fit(data, "dawid_skene", restarts=0)
    assert strided.converged
    assert not strided.estimate.climb.fell


@pytest.mark.parametrize(
    ("model", "option", "told"),
    [
        ("pooled", {"strenght": 3}, "did you mean 'strength'.*Its options: prior, strength"),
        ("pooled", {"restart": 3}, "did you mean 'restarts'"),
        ("pooled", {"rng": 3}, "rng: the parameter is called seed"),
        (
            "pooled",
            {"catgories": ["a"]},
            "did you mean 'categories'.*Reading takes: item, coder",
        ),
        ("majority", {"prior": "row"}, "'prior', which belongs to the models dawid_skene, pooled"),
    ],
)
def test_an_option_that_nobody_has(model: str, option: dict[str, Any], told: str) -> None:
    with pytest.raises(RequestError, match=told):
        ac.fit([list("abab"), list("abaa")], model, **option)
