"""How often a partition is among the best: counted as the definition says."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from accordant.counts.count import count
from accordant.data import examples
from accordant.decomposition.bipartitions import Bipartitions
from accordant.decomposition.cuts import CRITERIA, score_all
from accordant.decomposition.places import Cells, cells_of
from accordant.decomposition.stability import TOP, criterion_values, stability
from accordant.decomposition.states import states
from accordant.inference.resampling import draws

EVERY = Bipartitions.every(8)


def neat() -> Cells:
    counts = count(examples.load("levi2022_neat"))
    return cells_of(counts, states(counts))


@pytest.mark.parametrize("criterion", CRITERIA)
def test_one_criterion_alone_is_the_same(criterion: str) -> None:
    of = neat().states
    scores = score_all(of, EVERY, "kappa")
    own = criterion_values(of, EVERY, "kappa", criterion)
    assert own == pytest.approx(getattr(scores, criterion))


@pytest.mark.parametrize("criterion", ["excess", "first", "second"])
def test_places_are_counted_as_the_definition_says(criterion: str) -> None:
    cells, n = neat(), 15
    assert cells.counts is not None
    found = stability(cells, EVERY, "kappa", criterion, n_resamples=n, rng=7)
    first, top = np.zeros(127), np.zeros(127)
    for batch in draws(cells.counts.times, n, rng=7):
        for times in batch:
            drawn = replace(cells.states, tables=cells.tables(times))
            order = score_all(drawn, EVERY, "kappa").ranked(criterion)
            first[order[0]] += 1 / n
            top[order[:TOP]] += 1 / n
    assert found.first == pytest.approx(first)
    assert found.top == pytest.approx(top)
    assert found.top.sum() == pytest.approx(TOP)


def test_a_seed_gives_the_same() -> None:
    cells = neat()
    one, same, other = (
        stability(cells, EVERY, "kappa", "excess", n_resamples=40, rng=seed) for seed in (3, 3, 4)
    )
    assert (one.top == same.top).all()
    assert (one.top != other.top).any()


def test_only_some_compete() -> None:
    cells = neat()
    found = stability(cells, EVERY.take([4, 50, 100]), "kappa", "excess", n_resamples=10, rng=0)
    assert found.n_compared == 3
    assert found.top.tolist() == [1, 1, 1]
    assert found.first.sum() == pytest.approx(1)


def test_what_is_undefined_is_not_among_the_best() -> None:
    """Where everybody gives one value, a cut has no agreement."""
    counts = count(examples.load("levi2022_neat"))
    cells = cells_of(counts, states(counts))
    assert cells.counts is not None
    alike = np.flatnonzero(~cells.anywhere(cells.differ))[0]
    one = np.where(np.arange(len(cells.counts.times)) == alike, cells.counts.times, 0)
    few = replace(cells, counts=cells.counts.drawn(one))
    found = stability(few, EVERY, "kappa", "first", n_resamples=5, rng=0)
    assert (found.first.sum(), found.top.sum()) == (0, 0)


def test_progress() -> None:
    told: list[tuple[int, int]] = []
    stability(
        neat(), EVERY, "kappa", "excess", n_resamples=5, rng=0,
        progress=lambda done, total: told.append((done, total)),
    )  # fmt: skip
    assert told == [(k, 5) for k in range(1, 6)]
