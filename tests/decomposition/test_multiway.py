"""Partitions into any number of blocks: published and derived figures, plain Python, laws."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accordant.decomposition.closed_forms import CLOSED_FORMS
from accordant.decomposition.cuts import score
from accordant.decomposition.multiway import every_partition, score_blocks, score_partition
from accordant.decomposition.rules import partition_of
from accordant.decomposition.set_partitions import n_partitions, set_partitions
from accordant.decomposition.states import states
from accordant.errors import RequestError
from decomposition import by_hand
from decomposition.neat import LABELS, neat

NEAT = neat()
CLOSE = 1e-9


# ------------------------------------------------------------------ all partitions


def test_numbers_of_partitions() -> None:
    """Bell numbers 1, 2, 5, 15, 52, 203, 877, 4140, 21147, 115975 (OEIS A000110), less two."""
    for n, bell in enumerate((1, 2, 5, 15, 52, 203, 877, 4140, 21147, 115975, 678570), 1):
        assert n_partitions(n) == max(bell - 2, 0)
    assert [n_partitions(8, b) for b in range(1, 9)] == [1, 127, 966, 1701, 1050, 266, 28, 1]


@pytest.mark.parametrize("n", range(1, 7))
def test_every_partition_once(n: int) -> None:
    wanted = {
        tuple(tuple(c for c in range(n) if blocks[c] == b) for b in dict.fromkeys(blocks))
        for blocks in product(range(n), repeat=n)
    }
    wanted = {x for x in wanted if 2 <= len(x) < n}
    rows = set_partitions(n)
    found = [tuple(tuple(np.flatnonzero(r == b)) for b in range(r.max() + 1)) for r in rows]
    assert len(found) == len(set(found)) == len(wanted)
    assert set(found) == wanted
    assert rows.tolist() == sorted(rows.tolist())
    for b in range(2, n + 1):
        some = set_partitions(n, b)
        assert len(some) == n_partitions(n, b)
        assert all(len(set(row)) == b for row in some.tolist())


def test_too_many_partitions() -> None:
    with pytest.raises(RequestError, match=r"4,213,595 partitions of 12 values, more than the 1,0"):
        set_partitions(12)
    assert len(set_partitions(12, 3)) == 86_526
    with pytest.raises(RequestError, match="3 values cannot be put into 4 blocks"):
        set_partitions(3, 4)
    with pytest.raises(RequestError, match="give a number from 2 to 3"):
        set_partitions(3, 1)


# ------------------------------------------------------------------ figures


def test_narrative_cardinality() -> None:
    """The open question of Levi & Shenhav (2022, section 5): 0, 1, 2 or 3 elements."""
    how_many = partition_of("number of labels", NEAT.values, LABELS)
    found = score_partition(NEAT, how_many.of(NEAT.values))
    figures = {
        "first": 0.608, "second": 0.947, "explained": 0.928, "chance": 0.835, "lift": 1.11,
        "flip": 1.0,
    }  # fmt: skip
    for name, value in figures.items():
        assert getattr(found, name)[0] == pytest.approx(
            value, abs=0.0051 if name == "lift" else 5e-4
        )
    assert found.excess[0] == pytest.approx(found.explained[0] - found.chance[0])
    assert found.n_blocks.tolist() == [4]
    assert found.n_kept.tolist() == [[854.0], [822.0]]
    assert found.gain[0] < 0  # no more than independent slips would settle


# ------------------------------------------------------------------ by hand


def check(rows: list[by_hand.Row], seed: int, name: str) -> None:
    """Random partitions of the states of some rows, every figure from its definition."""
    s = states(by_hand.counted(rows))
    rng = np.random.default_rng(seed)
    blocks = rng.integers(0, rng.integers(2, 5), (4, s.n_states))
    found = score_blocks(s, blocks, name)
    pairs, labels = by_hand.pairs_of(rows), list(s.labels)
    own = CLOSED_FORMS[name].own
    for i, block in enumerate(blocks):
        place = {by_key(v): int(b) for v, b in zip(s.values, block)}
        side: Any = lambda v, place=place: place[by_key(v)]  # noqa: E731
        used = sorted(set(block.tolist()))
        firsts, seconds, of_label = [], [], []
        for g, two in enumerate(pairs):
            first = by_hand.coefficient([(side(a), side(b)) for a, b in two], used, name)
            first = first if len(used) > 1 else np.nan
            kept = [(a, b) for a, b in two if side(a) == side(b)]
            assert found.n_kept[g, i] == len(kept)
            if labels:
                each = [
                    by_hand.coefficient([(x in a, x in b) for a, b in kept], [False, True], name)
                    for x in labels
                ]
            else:
                each = [by_hand.coefficient(kept, list(s.values), name)]
            each = each if len(used) < s.n_states else [np.nan] * len(each)
            np.testing.assert_allclose(found.first_by_pair[g, i], first, atol=CLOSE)
            np.testing.assert_allclose(found.second_by_pair[g, i], by_hand.mean(each), atol=CLOSE)
            firsts.append(first)
            seconds.append(by_hand.mean(each))
            of_label.append(each)
        wanted = {
            "first": by_hand.mean(firsts),
            "second": by_hand.mean(seconds),
            "explained": by_hand.mean(by_hand.explained(two, side) for two in pairs),
            "chance": by_hand.mean(by_hand.chance(two, side, own=own) for two in pairs),
            "information": by_hand.mean(by_hand.information(two, side) for two in pairs),
        }
        if labels:
            wanted["flip"] = by_hand.flip(pairs, s.values, side, labels)
            per_label = [by_hand.mean(x) for x in zip(*of_label)]
            np.testing.assert_allclose(found.by_label[i], per_label, atol=CLOSE)
        for key, value in wanted.items():
            np.testing.assert_allclose(getattr(found, key)[i], value, atol=CLOSE, err_msg=key)
        undefined = sum(x != x for x in firsts) + sum(x != x for each in of_label for x in each)
        assert found.n_undefined[i] == undefined


def by_key(value: Any) -> Any:
    return frozenset(value) if isinstance(value, tuple) else value


@pytest.mark.parametrize("name", CLOSED_FORMS)
@pytest.mark.parametrize("seed", range(4))
def test_sets_by_hand(seed: int, name: str) -> None:
    check(by_hand.rows_of_sets(seed, coders=2 + seed % 2), seed, name)


@pytest.mark.parametrize("name", CLOSED_FORMS)
@pytest.mark.parametrize("seed", range(4))
def test_categories_by_hand(seed: int, name: str) -> None:
    check(by_hand.rows_of_categories(seed, coders=2 + seed % 2), seed, name)


@pytest.mark.parametrize("seed", range(3))
def test_few_items_by_hand(seed: int) -> None:
    """Coefficients without a value: a block or a label that does not vary."""
    check(by_hand.rows_of_sets(seed, items=4), seed, "kappa")
    check(by_hand.rows_of_categories(seed, items=5, n=3), seed, "alpha")


# ------------------------------------------------------------------ laws


@pytest.mark.parametrize("name", CLOSED_FORMS)
def test_two_blocks_are_a_bipartition(name: str) -> None:
    for s in (NEAT, states(by_hand.counted(by_hand.rows_of_categories(1, coders=3, n=6)))):
        two = every_partition(s, 2, name)
        cut = score(s, two.blocks == 0, name)
        for figure in (
            "first", "second", "by_label", "explained", "chance", "flip", "n_undefined", "excess",
            "lift", "information", "null_first", "null_second", "gain", "first_by_pair",
            "second_by_pair", "by_label_by_pair", "n_kept",
        ):  # fmt: skip
            np.testing.assert_allclose(
                getattr(two, figure), getattr(cut, figure), atol=CLOSE, err_msg=figure
            )
        np.testing.assert_allclose(two.smallest, cut.smaller)
        for criterion in ("excess", "explained", "first"):
            assert two.ranked(criterion).tolist() == cut.ranked(criterion).tolist()


@given(st.lists(st.integers(0, 7), min_size=8, max_size=8), st.permutations(range(8)))
def test_how_blocks_are_numbered_changes_nothing(block: list[int], other: list[int]) -> None:
    found = score_blocks(NEAT, [block, [other[b] for b in block]])
    for figure in ("first", "second", "explained", "chance", "flip", "smallest", "information"):
        first, two = getattr(found, figure)
        np.testing.assert_allclose(first, two, atol=CLOSE)


@given(st.lists(st.integers(0, 3), min_size=8, max_size=8), st.integers(0, 7))
def test_a_finer_partition_explains_more(block: list[int], alone: int) -> None:
    finer = list(block)
    finer[alone] = 9
    found = score_blocks(NEAT, [block, finer])
    for figure in ("explained", "chance", "flip", "information"):
        coarse, fine = getattr(found, figure)
        assert fine >= coarse - CLOSE
    assert (found.n_kept[:, 1] <= found.n_kept[:, 0]).all()


def test_one_block_and_single_values() -> None:
    found = score_blocks(NEAT, [[0] * 8, list(range(8))])
    assert found.explained.round(9).tolist() == [0, 1]
    assert found.chance.round(9).tolist() == [0, 1]
    assert np.isnan(found.first).tolist() == [True, False]
    assert np.isnan(found.second).tolist() == [False, True]
    assert np.isnan(found.lift).tolist() == [True, False]


def test_some_of_them() -> None:
    found = every_partition(NEAT)
    assert len(found) == 4138
    assert found.null is not None
    some = found.take(found.ranked("gain")[:3])
    assert len(some) == 3
    best = np.sort(found.gain)[::-1][:3]
    np.testing.assert_allclose(some.gain, best, rtol=0, atol=CLOSE)
    again = score_blocks(NEAT, some.blocks).gain
    np.testing.assert_allclose(some.gain, again, rtol=0, atol=CLOSE)
    with pytest.raises(RequestError, match="unknown criterion"):
        found.ranked("beauty")


def test_wrong_requests() -> None:
    with pytest.raises(RequestError, match=r"blocks of shape \(1, 2\) do not fit 8 states"):
        score_blocks(NEAT, [[0, 1]])
    with pytest.raises(RequestError, match="unknown coefficient|choose from"):
        score_blocks(NEAT, [[0] * 8], "beauty")
