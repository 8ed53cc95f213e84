"""How often a partition is among the best: counted as the definition says."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from accordant import read
from accordant.counts.count import count
from accordant.data import examples
from accordant.decomposition.bipartitions import Bipartitions
from accordant.decomposition.closed_forms import closed_form
from accordant.decomposition.criteria import CRITERIA
from accordant.decomposition.cuts import score_all
from accordant.decomposition.intervals import shares
from accordant.decomposition.places import Cells, cells_of
from accordant.decomposition.space import Best, Space, criterion_values, rounds
from accordant.decomposition.stability import TOP, spread, stability
from accordant.decomposition.states import states
from accordant.decomposition.streaming import best
from accordant.inference.resampling import draws

EVERY = Bipartitions.every(8)
ALL = Space(8, EVERY)


def neat() -> Cells:
    counts = count(examples.load("levi2022_neat"))
    return cells_of(counts, states(counts))


@pytest.mark.parametrize("criterion", CRITERIA)
def test_one_criterion_alone_is_the_same(criterion: str) -> None:
    of = neat().states
    scores = score_all(of, EVERY, "kappa")
    own = criterion_values(of, EVERY, "kappa", criterion)
    assert own == pytest.approx(getattr(scores, criterion))


@pytest.mark.parametrize("criterion", ["beyond_slips", "excess", "first", "second"])
def test_places_are_counted_as_the_definition_says(criterion: str) -> None:
    cells, n = neat(), 15
    assert cells.counts is not None
    found = stability(cells, ALL, "kappa", criterion, n_resamples=n, rng=7)
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
        stability(cells, ALL, "kappa", "excess", n_resamples=40, rng=seed) for seed in (3, 3, 4)
    )
    assert (one.top == same.top).all()
    assert (one.top != other.top).any()


def test_only_some_compete() -> None:
    cells = neat()
    found = stability(
        cells, Space(8, EVERY.take([4, 50, 100])), "kappa", "excess", n_resamples=10, rng=0
    )
    assert found.n_compared == 3
    assert found.top.tolist() == [1, 1, 1]
    assert found.first.sum() == pytest.approx(1)
    first, top = found.of(EVERY.sides[50])
    assert first == found.first[1]
    assert np.isnan(top)  # of three
    assert np.isnan(found.of(EVERY.sides[51])).all()
    assert found.of(~EVERY.sides[50])[0] == first


def test_what_is_undefined_is_not_among_the_best() -> None:
    """Where everybody gives one value, a cut has no agreement."""
    counts = count(examples.load("levi2022_neat"))
    cells = cells_of(counts, states(counts))
    assert cells.counts is not None
    alike = np.flatnonzero(~cells.anywhere(cells.differ))[0]
    one = np.where(np.arange(len(cells.counts.times)) == alike, cells.counts.times, 0)
    few = replace(cells, counts=cells.counts.drawn(one))
    found = stability(few, ALL, "kappa", "first", n_resamples=5, rng=0)
    assert (found.first.sum(), found.top.sum()) == (0, 0)


def test_progress() -> None:
    told: list[tuple[int, int]] = []
    stability(
        neat(), ALL, "kappa", "excess", n_resamples=5, rng=0,
        progress=lambda done, total: told.append((done, total)),
    )  # fmt: skip
    assert told == [(k, 5) for k in range(1, 6)]


def test_ties_share_their_places() -> None:
    """Two coders who confuse everything equally: nothing is first more often than another."""
    rows = [["a", "b", "c"] * 40, ["b", "c", "a"] * 40]
    counts = count(read(rows))
    cells = cells_of(counts, states(counts))
    three = Space(3, Bipartitions.every(3))
    values = three.best(cells.states, "kappa", "explained", 1)
    assert values.credit(1) == pytest.approx([1 / 3] * 3)
    assert Best(EVERY.take([0, 1, 2]), np.array([0.5, 0.5, 0.1]), None).credit(1).tolist() == [
        0.5, 0.5, 0,
    ]  # fmt: skip


def test_where_all_pass_by_the_whole_search_is_repeated() -> None:
    """Not only the best of the sample compete: so none is among the best more than it should."""
    cells, n = neat(), 12
    assert cells.counts is not None
    found = stability(cells, Space(8, None, 0.05), "kappa", "excess", n_resamples=n, rng=7)
    top: dict[int, float] = {}
    for batch in draws(cells.counts.times, n, rng=7):
        for times in batch:
            drawn = replace(cells.states, tables=cells.tables(times))
            for code in best(drawn, "excess", TOP, 0.05).codes.tolist():
                top[code] = top.get(code, 0) + 1 / n
    assert dict(zip(found.which.codes.tolist(), found.top)) == pytest.approx(top)
    assert found.n_compared == 127
    never = next(code for code in range(1, 128) if code not in top)
    assert found.of(Bipartitions.of_codes([never], 8).sides[0]) == (0, 0)


def test_what_takes_too_long_is_not_repeated() -> None:
    assert rounds(300, 1e-4) == 300
    assert 50 <= rounds(300, 0.015) < 100
    assert rounds(300, 0.1) == 0
    assert Space(32, None).seconds(neat().states, "excess") > 1
    assert Space(8, EVERY).seconds(neat().states, "second") < 0.01


def test_the_spread_of_a_figure() -> None:
    """That of the bootstrap is that of the linearised standard error."""
    cells = neat()
    found = spread(cells, EVERY.take([4, 50]), "kappa", "excess", n_resamples=300, rng=2)
    wanted = [
        shares(cells, closed_form("kappa"), side.astype(np.int64), 0.95)["excess"].se
        for side in EVERY.sides[[4, 50]]
    ]
    assert found == pytest.approx(wanted, rel=0.15)
