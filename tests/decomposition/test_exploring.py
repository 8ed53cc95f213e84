"""What is searched: all bipartitions, or some of them, and how that is told."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from accordant import RequestError, read
from accordant.counts.count import count
from accordant.data import examples
from accordant.decomposition import exploring
from accordant.decomposition.bipartitions import smaller_side
from accordant.decomposition.comparable import Comparables
from accordant.decomposition.criteria import CRITERIA, OF_SETS
from accordant.decomposition.cuts import score
from accordant.decomposition.exploring import Found, explore, ranking
from accordant.decomposition.hierarchy import hierarchy_of
from accordant.decomposition.states import States, states
from accordant.decomposition.subsets import every_side


def of(name: str) -> States:
    data = examples.load(name)
    return states(count(data), data.scheme.categories)


def many(n_values: int, n: int = 600, coders: int = 2, seed: int = 1) -> States:
    rng = np.random.default_rng(seed)
    true = rng.integers(0, n_values, n)
    rows = [
        [f"v{t if rng.random() < 0.6 else rng.integers(n_values):02}" for t in true]
        for _ in range(coders)
    ]
    return states(count(read(rows, coders_in="rows")))


def asked(found_in: States, **options: Any) -> Found:
    given: dict[str, Any] = {"coefficient": "kappa", "rank": "excess", "most": 5}
    return explore(found_in, **(given | options))


@pytest.mark.parametrize("rank", CRITERIA)
def test_all_are_scored_and_ranked(rank: str) -> None:
    neat = of("levi2022_neat")
    found = asked(neat, rank=rank, most=127)
    every = getattr(score(neat, every_side(8)), rank)
    own = getattr(score(neat, found.which.sides), rank)
    assert found.exhaustive
    assert found.n_scored == len(found.which) == 127
    assert found.how == "all 127 bipartitions of 8 values were scored"
    assert own == pytest.approx(np.sort(every)[:: -CRITERIA[rank]])
    assert (smaller_side(found.which.sides) == found.which.sides).all()


def test_ties_stand_in_the_order_of_the_appendix() -> None:
    rows = [["a", "b", "c", "d"] * 10, ["a", "c", "d", "b"] * 10]
    symmetric = states(count(read(rows, coders_in="rows")))
    found = asked(symmetric, rank="explained", most=7)
    sides = [np.flatnonzero(side).tolist() for side in found.which.sides]
    assert sides == [[1], [2], [3], [0, 1], [0, 2], [0, 3], [0]]


def test_small_sides_first() -> None:
    found = asked(of("levi2022_neat"), rank="sides", most=127)
    assert found.which.sides.sum(1).tolist() == [1] * 8 + [2] * 28 + [3] * 56 + [4] * 35


def test_simple_rules_first() -> None:
    found = asked(of("levi2022_neat"), rank="rule", most=29)
    assert (found.n_scored, len(found.which), found.exhaustive) == (29, 29, False)
    assert found.which.sides[0].tolist() == [True] * 4 + [False] * 4  # Complication


def test_a_least_share_is_kept_and_told() -> None:
    neat = of("levi2022_neat")
    found = asked(neat, rank="first", minimum_share=0.1, most=127)
    assert score(neat, found.which.sides).smaller.min() >= 0.1
    assert found.space is not None
    assert len(found.space) == len(found.which) < 127
    assert f"{127 - len(found.which)} with less than 0.1" in found.how


# ------------------------------------------------------------------ many values


@pytest.mark.parametrize("rank", ["excess", "first", "second"])
def test_streamed_is_the_same_as_listed(rank: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found_in = many(11)
    listed = asked(found_in, rank=rank, minimum_share=0.01)
    monkeypatch.setattr(exploring, "LISTED", 100)
    streamed = asked(found_in, rank=rank, search="exhaustive")
    assert streamed.exhaustive
    assert "all 1,023 bipartitions of 11 values were gone through" in streamed.how
    assert streamed.space is not None
    assert streamed.space.which is None
    assert "less than 0.01" in streamed.how
    assert (streamed.which.sides == listed.which.sides).all()


def test_twenty_categories_are_gone_through() -> None:
    found = asked(many(20), search="exhaustive")
    assert (found.exhaustive, found.n_scored) == (True, 524_287)


def test_many_categories_are_listed_by_rule_with_the_best_of_all_beside() -> None:
    found_in = many(20)
    found, every = asked(found_in), asked(found_in, search="exhaustive")
    assert (found.exhaustive, found.n_scored) == (False, 210 + 524_287)
    assert found.which.sides.sum(1).max() <= 2
    assert found.best_of_all is not None
    assert (found.best_of_all.sides == every.which.sides[:1]).all()
    assert "The best of all 524,287 bipartitions has no short rule and excess 0." in found.how
    assert found.space is not None
    assert found.space.which is not None  # what competes does not depend on what is best


def test_copies_that_differ_by_a_rare_value_are_left_out() -> None:
    rng = np.random.default_rng(3)
    true = rng.choice(13, 900, p=[0.083] * 12 + [0.004])
    rows = [
        [f"v{t if rng.random() < 0.7 else rng.integers(12):02}" for t in true] for _ in range(2)
    ]
    found_in = states(count(read(rows, coders_in="rows")))
    share = Comparables(found_in, own=True).share
    assert share[12] < 0.01
    for search in ("auto", "exhaustive"):
        sides = asked(found_in, search=search, most=20).which.sides
        assert len(sides) == 20
        apart = (sides[:, None] ^ sides) @ share
        apart = np.minimum(apart, 1 - apart)
        assert apart[~np.eye(20, dtype=bool)].min() >= 0.01
    copies = asked(found_in, search="exhaustive", most=20, minimum_share=0.0).which.sides
    assert ((copies[:, None] ^ copies) @ share).max() > 0
    assert len(np.unique(copies[:, :12], axis=0)) < 20


def test_three_hundred_categories_leave_something() -> None:
    found = asked(many(300, n=1500))
    assert len(found.which) == 5
    assert "of the 44,850 pairs of categories only the " in found.how
    assert "that are confused most were looked at" in found.how
    assert found.best_of_all is not None
    nothing = asked(many(300, n=1500), minimum_share=0.2, search="families")
    assert len(nothing.which) == 0
    assert "None of these is left" in nothing.how


# ------------------------------------------------------------------ an order


def steps(n_values: int = 5, n: int = 400, seed: int = 0) -> States:
    """Two coders who are one step apart at times, never more."""
    rng = np.random.default_rng(seed)
    true = rng.integers(0, n_values, n)
    rows = [
        [
            str(np.clip(t + rng.choice([-1, 0, 1], p=[0.15, 0.7, 0.15]), 0, n_values - 1))
            for t in true
        ]
        for _ in range(2)
    ]
    return states(count(read(rows, coders_in="rows")), ordered=True)


def test_an_order_is_cut_between_low_and_high() -> None:
    found_in = steps()
    found = asked(found_in, most=20)
    assert found.n_scored == len(found.which) == 4
    ordered = [np.flatnonzero(np.diff(side.astype(int))).size for side in found.which.sides]
    assert ordered == [1] * 4
    assert found.how.startswith("the 4 cut points of an ordered scale. The 15 bipartitions")
    assert "odd from even" in found.how
    every = asked(found_in, search="exhaustive", rank="explained", most=20)
    assert (every.n_scored, every.exhaustive) == (15, True)
    assert every.which.sides[0].tolist() in ([False, True, False, True, False],)  # of the artefact


def test_flips_of_an_order_are_steps() -> None:
    found_in = steps()
    found = score(found_in, every_side(5))
    share = Comparables(found_in, own=True).share
    total = sum(share[k] + share[k + 1] for k in range(4))
    for side, flip in zip(found.sides, found.flip):
        wanted = sum(share[k] + share[k + 1] for k in range(4) if side[k] != side[k + 1])
        assert flip == pytest.approx(wanted / total)
    assert found.flip.max() == pytest.approx(1)
    assert np.isnan(score(many(5), every_side(5)).flip).all()


def test_progress_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exploring, "LISTED", 100)
    told: list[tuple[int, int]] = []
    asked(many(11), progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (1023, 1023)


def test_a_search_can_be_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exploring, "LISTED", 100)

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        asked(many(11), progress=stop)


def test_too_many_are_not_gone_through_and_that_is_told() -> None:
    found = asked(of("marchal2022_case"))
    assert not found.exhaustive
    assert "2,077 bipartitions with a short rule" in found.how
    assert (
        "The best that a search among all 2^86 bipartitions found has no short rule and excess"
        in found.how
    )
    families = asked(of("marchal2022_case"), search="families")
    assert "2^86 bipartitions of all 87 values were not enumerated" in families.how


def test_rare_values_are_left_out_of_many() -> None:
    case = of("marchal2022_case")
    rare, common = (
        score(case, asked(case, rank="rule", minimum_share=x, most=5000).which.sides).smaller
        for x in (0.0, None)
    )
    assert rare.min() < 0.01 <= common.min()


def test_a_local_search_lists_what_it_found() -> None:
    case = of("marchal2022_case")
    families, local = asked(case, search="families"), asked(case, search="local")
    best = [score(case, x.which.sides).excess[0] for x in (families, local)]
    assert best[1] > best[0]
    assert "Best found, not the best of all" in local.how
    assert "search" not in families.how
    assert families.best_of_all is None
    assert local.space is None  # some were chosen by these very items
    assert local.n_scored > families.n_scored
    again = asked(case, search="local")
    assert (again.which.sides == local.which.sides).all()


def test_a_local_search_finds_the_best_of_few() -> None:
    neat = of("levi2022_neat")
    every, local = asked(neat), asked(neat, search="local")
    assert (local.which.sides[0] == every.which.sides[0]).all()


def test_groups_of_a_hierarchy_are_looked_at() -> None:
    names = [f"{group}.{k}" for group in "ABCDEF" for k in range(7)]
    rng = np.random.default_rng(0)
    true = rng.integers(0, 42, 900)

    def coder() -> list[str]:  # confuses groups, not what is in them
        return [names[(t + 7 * rng.integers(6)) % 42 if rng.random() < 0.4 else t] for t in true]

    found_in = states(count(read([coder(), coder()], coders_in="rows")))
    groups = hierarchy_of(found_in.values, ".")  # type: ignore[arg-type]
    with_groups = asked(found_in, search="families", hierarchy=groups)
    without = asked(found_in, search="families")
    assert with_groups.n_scored == without.n_scored + 6
    assert with_groups.which.sides[0].sum() == 7


# ------------------------------------------------------------------ wrong requests


@pytest.mark.parametrize(
    "options, said",
    [
        ({"rank": "kappa"}, "unknown rank 'kappa': choose from auto, beyond_slips, excess"),
        ({"search": "greedy"}, "unknown search 'greedy': choose from auto, exhaustive"),
        ({"most": 0}, "most is a whole number from 1 up, not 0"),
        ({"most": True}, "most is a whole number"),
        ({"minimum_share": 0.6}, "minimum_share must lie between 0 and 0.5, not 0.6"),
        ({"search": "exhaustive"}, "87 values have 2\\^86 bipartitions, too many .*at most 40"),
        ({"search": "exhaustive", "rank": "information"}, "too many to rank all .*'information'"),
        ({"search": "local", "rank": "information"}, "cannot be searched by 'information'"),
        ({"search": "local", "rank": "sides"}, "cannot be searched by 'sides'"),
    ],
)
def test_wrong_requests(options: dict[str, Any], said: str) -> None:
    with pytest.raises(RequestError, match=said):
        asked(of("marchal2022_case"), **options)


@pytest.mark.parametrize("rank", OF_SETS)
def test_slips_need_labels(rank: str) -> None:
    with pytest.raises(RequestError, match=f"'{rank}' needs sets of labels, but values are cat"):
        asked(many(5), rank=rank)


def test_the_ranking_fits_the_values() -> None:
    assert ranking(of("levi2022_neat"), None) == ranking(of("levi2022_neat"), "auto")
    assert ranking(of("levi2022_neat"), "auto") == "beyond_slips"
    assert ranking(many(5), "auto") == "excess"
    assert ranking(many(5), "second") == "second"
