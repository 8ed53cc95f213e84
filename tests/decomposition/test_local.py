"""The search: as good as going through all where that is possible, honest about the rest."""

from __future__ import annotations

import numpy as np
import pytest

from accordant.decomposition.criteria import CRITERIA
from accordant.decomposition.cuts import score
from accordant.decomposition.local import SEARCHED, local_search
from accordant.decomposition.states import States
from accordant.decomposition.streaming import best
from accordant.errors import RequestError
from decomposition.neat import neat

NEAT = neat()


def simulated(n_states: int, seed: int, n_labels: int = 0) -> States:
    """Two tables with many confusions, some values rare; with labels all that so many bits give."""
    rng = np.random.default_rng(seed)
    share = rng.dirichlet(np.full(n_states, 0.7))
    noise = rng.dirichlet(np.full(n_states, 0.3), n_states)
    likely = 0.6 * np.diag(share) + 0.4 * share[:, None] * noise
    tables = rng.multinomial(3000, likely.ravel() / likely.sum(), 2).reshape(2, n_states, n_states)
    labels = tuple("abcdefgh"[:n_labels])
    members = (np.arange(n_states)[:, None] >> np.arange(n_labels) & 1).astype(bool)
    sets = tuple(tuple(x for x, held in zip(labels, row) if held) for row in members)
    values = sets if n_labels else tuple(f"v{c}" for c in range(n_states))
    return States(values, labels, members, (("A", "B"), ("A", "C")), tables.astype(float))


@pytest.mark.parametrize("criterion", SEARCHED)
def test_neat_as_by_going_through_all(criterion: str) -> None:
    found, every = local_search(NEAT, criterion, most=1), best(NEAT, criterion, most=1)
    assert getattr(found.scores, criterion)[0] == pytest.approx(getattr(every, criterion)[0])
    assert found.n_best > found.n_starts / 10


@pytest.mark.parametrize("n_labels", [0, 5])
@pytest.mark.parametrize("n_states", [16, 20])
@pytest.mark.parametrize("criterion", ["excess", "first", "second"])
def test_the_best_of_many(criterion: str, n_states: int, n_labels: int) -> None:
    s = simulated(n_states, n_states, n_labels)
    found, every = local_search(s, criterion, most=1), best(s, criterion, most=1)
    assert getattr(found.scores, criterion)[0] == pytest.approx(getattr(every, criterion)[0])


@pytest.mark.parametrize("criterion", SEARCHED)
def test_no_single_change_makes_the_first_better(criterion: str) -> None:
    s = simulated(30, 1, 5)
    found = local_search(s, criterion, restarts=20)
    sign = CRITERIA[criterion]
    near = found.scores.sides[0] ^ np.eye(30, dtype=bool)
    others = score(s, near)
    allowed = others.smaller >= found.minimum_share
    value = sign * getattr(found.scores, criterion)[0]
    assert (sign * getattr(others, criterion)[allowed] <= value + 1e-9).all()
    assert (found.scores.smaller >= found.minimum_share - 1e-9).all()
    ranked = sign * getattr(found.scores, criterion)
    assert (np.diff(ranked) <= 1e-9).all()
    assert len(np.unique(found.scores.sides, axis=0)) == len(found.scores)


def test_more_values_than_a_code_has_bits() -> None:
    s = simulated(90, 2)
    found = local_search(s, "excess", restarts=30)
    again = local_search(s, "excess", restarts=30)
    other = local_search(s, "excess", restarts=30, rng=np.random.default_rng(5))
    np.testing.assert_array_equal(found.scores.sides, again.scores.sides)
    assert other.scores.excess[0] == pytest.approx(found.scores.excess[0], rel=0.05)
    assert len(found.scores) == 20
    assert found.told == (
        "Best found, not the best of all 10^26 bipartitions of 90 values: from 30 random "
        "bipartitions single values changed sides as long as that helped (excess), with at least "
        f"1.0\N{NO-BREAK SPACE}% of the annotations on either side; {found.n_best} of them ended at "
        "the best one."
    )


def test_the_smaller_side_is_not_too_small() -> None:
    s = simulated(12, 4)
    free = local_search(s, "first", minimum_share=0.0, most=1)
    bound = local_search(s, "first", minimum_share=0.2, most=1)
    assert free.scores.smaller[0] < 0.2 <= bound.scores.smaller[0]
    assert free.scores.first[0] < bound.scores.first[0]


def test_nothing_to_find() -> None:
    """One value has nearly all annotations, there is one value, or coders never differ."""
    few = np.array([[[999.0, 1], [0, 0]]])
    s = States(("a", "b"), (), np.zeros((2, 0), bool), (("x", "y"),), few)
    found = local_search(s, "excess", minimum_share=0.1)
    assert len(found.scores) == 0
    assert found.told.startswith("Found none: no bipartition that was tried has 10.0")
    one = States(("a",), (), np.zeros((1, 0), bool), (("x", "y"),), np.array([[[9.0]]]))
    assert len(local_search(one, "first").scores) == 0
    same = States(("a", "b"), (), np.zeros((2, 0), bool), (("x", "y"),), np.diag([5.0, 5])[None])
    assert len(local_search(same, "excess").scores) == 0


def test_wrong_requests() -> None:
    with pytest.raises(RequestError, match="cannot be searched by 'information'"):
        local_search(NEAT, "information")
    with pytest.raises(RequestError, match="unknown criterion 'beauty'"):
        local_search(NEAT, "beauty")
    with pytest.raises(RequestError, match="'gain' needs sets of labels"):
        local_search(simulated(6, 0), "gain")
    with pytest.raises(RequestError, match="restarts: a whole number from 1 up"):
        local_search(NEAT, restarts=0)
    with pytest.raises(RequestError, match="minimum_share: .*0.7"):
        local_search(NEAT, minimum_share=0.7)
