"""What is looked at, in which order, and what is left out: with the reason."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from accordant import RequestError, read
from accordant.counts.count import count
from accordant.data import examples
from accordant.decomposition.partition import ground_of, hierarchy_of
from accordant.decomposition.scores import score, sides_of
from accordant.decomposition.search import (
    Found,
    explore,
    families,
    smaller_side,
)
from accordant.decomposition.slips import slips_of
from accordant.decomposition.tables import Cells, cells_of


def of(name: str) -> Cells:
    data = examples.load(name)
    return cells_of(count(data), data.scheme.categories)


def many(n_values: int, n: int = 600, coders: int = 2, seed: int = 1) -> Cells:
    rng = np.random.default_rng(seed)
    true = rng.integers(0, n_values, n)
    rows = [
        [f"v{t if rng.random() < 0.6 else rng.integers(n_values):03}" for t in true]
        for _ in range(coders)
    ]
    return cells_of(count(read(rows, layout="transposed")))


def asked(cells: Cells, **options: Any) -> Found:
    given: dict[str, Any] = {"coefficient": "kappa", "rank": "first", "most": 5} | options
    slips = slips_of(cells) if given["rank"] == "beyond" else None
    groups = given.pop("groups", None)
    ground = ground_of(cells.states.values, cells.states.labels, groups)
    return explore(cells.states, ground, slips, **given)


@pytest.mark.parametrize("rank, sign", [("first", 1), ("second", -1)])
def test_all_are_scored_and_ranked(rank: str, sign: int) -> None:
    neat = of("levi2022_neat")
    found = asked(neat, rank=rank, most=127)
    every = getattr(score(neat.states, sides_of(np.arange(1, 128), 8)), rank)
    own = getattr(score(neat.states, found.sides), rank)
    assert (found.exhaustive, found.n_scored, len(found.sides)) == (True, 127, 127)
    assert own == pytest.approx(sign * np.sort(sign * every))
    assert (smaller_side(found.sides) == found.sides).all()


def test_ties_stand_in_the_order_of_the_appendix() -> None:
    rows = [["a", "b", "c", "d"] * 10, ["a", "c", "d", "b"] * 10]
    found = asked(cells_of(count(read(rows, layout="transposed"))), rank="first", most=3)
    assert [np.flatnonzero(side).tolist() for side in found.sides] == [[1], [2], [3]]


def test_small_sides_first() -> None:
    found = asked(of("levi2022_neat"), rank="sides", most=127)
    assert found.sides.sum(1).tolist() == [1] * 8 + [2] * 28 + [3] * 56 + [4] * 35


def test_a_least_share_is_kept_and_told() -> None:
    neat = of("levi2022_neat")
    found = asked(neat, minimum_share=0.1, most=127)
    assert score(neat.states, found.sides).smaller.min() >= 0.1
    assert found.competing is not None
    assert len(found.sides) < 127
    assert "with less than 0.1" in found.how


def test_copies_that_differ_by_a_rare_value_are_left_out() -> None:
    rng = np.random.default_rng(3)
    true = rng.choice(9, 900, p=[0.124] * 8 + [0.008])
    rows = [[f"v{t if rng.random() < 0.7 else rng.integers(8):02}" for t in true] for _ in range(2)]
    cells = cells_of(count(read(rows, layout="transposed")))
    share = cells.states.share
    assert share[8] < 0.01
    sides = asked(cells, rank="beyond", most=20).sides
    apart = (sides[:, None] ^ sides) @ share
    assert np.minimum(apart, 1 - apart)[~np.eye(20, dtype=bool)].min() >= 0.01
    copies = asked(cells, rank="beyond", most=20, minimum_share=0.0).sides
    assert len(np.unique(copies[:, :8], axis=0)) < 20


def test_the_best_of_half_a_million_are_the_best_of_all() -> None:
    """What is not promising by the normal approximation is not among the best."""
    cells = many(15, n=1500)
    slips = slips_of(cells)
    assert slips is not None
    every = sides_of(np.arange(1, 2**14), 15)
    scores = slips.scores((~every).astype(np.int64), len(every))
    found = slips.scores(
        (~asked(cells, rank="beyond", most=5, minimum_share=0).sides).astype(np.int64), len(every)
    )
    assert found == pytest.approx(np.sort(scores)[::-1][:5])


def test_more_values_are_searched_by_rule() -> None:
    found = asked(many(300, n=1500))
    assert not found.exhaustive
    assert "pairs of the 300 categories were left out" in found.how
    assert len(found.sides) == 5
    assert len(asked(many(30), search="families", minimum_share=0.2).sides) == 0


# ------------------------------------------------------------------ an order


def test_an_order_is_cut_between_low_and_high() -> None:
    rng = np.random.default_rng(0)
    true = rng.integers(0, 5, 400)
    rows = [[str(np.clip(t + rng.integers(-1, 2), 0, 4)) for t in true] for _ in range(2)]
    cells = cells_of(count(read(rows, layout="transposed")), ordered=True)
    for rank in ("beyond", "first"):
        found = asked(cells, rank=rank, most=20)
        assert found.how.startswith("the 4 cut points of an ordered scale")
        cuts = [np.flatnonzero(np.diff(side.astype(int))).size for side in found.sides]
        assert cuts == [1] * 4
    every = asked(cells, search="exhaustive", most=20)
    assert (every.n_scored, every.exhaustive) == (15, True)
    flips = score(cells.states, sides_of(np.arange(1, 16), 5)).flip
    assert flips.max() == pytest.approx(1)


# ------------------------------------------------------------------ short rules


def test_families_of_sets_and_categories() -> None:
    from itertools import product

    sets = [tuple(x for x, held in zip("abc", bits) if held) for bits in product((0, 1), repeat=3)]
    assert len(families(ground_of(sets, "abc"))[0]) == 29
    found = families(ground_of("abcde"))[0]
    assert found.sum(1).tolist() == [1] * 5 + [2] * 10
    assert len({row.tobytes() for row in found}) == len(found)


def test_groups_of_a_hierarchy_are_looked_at() -> None:
    names = [f"{group}.{k}" for group in "ABCDEF" for k in range(7)]
    rng = np.random.default_rng(0)
    true = rng.integers(0, 42, 900)

    def coder() -> list[str]:  # confuses groups, not what is in them
        return [names[(t + 7 * rng.integers(6)) % 42 if rng.random() < 0.4 else t] for t in true]

    cells = cells_of(count(read([coder(), coder()], layout="transposed")))
    groups = hierarchy_of(cells.states.values, ".")  # type: ignore[arg-type]
    with_groups = asked(cells, search="families", groups=groups)
    assert with_groups.n_scored == asked(cells, search="families").n_scored + 6


# ------------------------------------------------------------------ wrong requests


@pytest.mark.parametrize(
    "options, said",
    [
        ({"search": "greedy"}, "unknown search 'greedy': choose from auto, exhaustive"),
        ({"search": "exhaustive"}, "87 values have 2\\^86 bipartitions, too many .*at most 21"),
    ],
)
def test_wrong_requests(options: dict[str, Any], said: str) -> None:
    with pytest.raises(RequestError, match=said):
        asked(of("marchal2022_case"), **options)
