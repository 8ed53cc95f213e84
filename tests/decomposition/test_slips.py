"""What is explained beyond independent slips: against loops, its intervals, what it finds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from accordant import read
from accordant.counts.count import count
from accordant.data import examples
from accordant.data.annotations import Annotations
from accordant.decomposition.call import decompose
from accordant.decomposition.chains import chain
from accordant.decomposition.cuts import score
from accordant.decomposition.multiway import score_blocks
from accordant.decomposition.null import Slips, null_states
from accordant.decomposition.rules import partition_of
from accordant.decomposition.states import states
from accordant.decomposition.subsets import exhaustive
from accordant.decomposition.trees import tree
from decomposition import by_hand
from decomposition.neat import neat
from decomposition.test_null import by_loops
from decomposition.test_subsets import random_states

EXACT = 1e-9


def slipped(swap: float, seed: int, n: int = 1500, coders: int = 2) -> Annotations:
    """Coders slip in each label by themselves; some take Resolution for Success and back."""
    rng = np.random.default_rng(seed)
    rows: list[list[tuple[str, ...]]] = [[] for _ in range(coders)]
    for _ in range(n):
        true = rng.random(3) < [0.4, 0.3, 0.25]
        for row in rows:
            x = true ^ (rng.random(3) < 0.05)
            if x[1] != x[2] and rng.random() < swap:
                x[1], x[2] = x[2], x[1]
            row.append(tuple(label for label, held in zip("CRS", x) if held))
    return read(rows)


def share_apart(table: Any, side: Any) -> float:
    """The share of the disagreement in a table that lies between two sides, cell by cell."""
    inside = total = 0.0
    for s, row in enumerate(table):
        for t, n in enumerate(row):
            total += n * (s != t)
            inside += n * (side[s] != side[t])
    return inside / total


@pytest.mark.parametrize("seed", range(3))
def test_from_the_definition(seed: int) -> None:
    made = states(by_hand.counted(by_hand.rows_of_sets(seed, coders=3, items=200)), tuple("abc"))
    found = exhaustive(made)
    nulls = [by_loops(table, made.members) for table in made.tables]
    for side, own, beyond, explained in zip(
        found.sides, found.explained_by_slips, found.beyond_slips, found.explained
    ):
        each = [share_apart(null, side) for null in nulls]
        assert own == pytest.approx(np.mean(each), abs=EXACT)
        seen = [share_apart(table, side) for table in made.tables]
        assert explained == pytest.approx(np.mean(seen), abs=EXACT)
        assert beyond == pytest.approx(np.mean(np.subtract(seen, each)), abs=EXACT)


def test_it_is_the_explained_of_the_null() -> None:
    found = exhaustive(neat())
    assert found.null is not None
    assert found.explained_by_slips == pytest.approx(found.null.explained)
    blocks = found.sides.astype(int)
    assert score_blocks(neat(), blocks).beyond_slips == pytest.approx(found.beyond_slips)
    some = found.take([3, 90])
    assert some.beyond_slips == pytest.approx(found.beyond_slips[[3, 90]])


def test_categories_have_none() -> None:
    found = exhaustive(random_states(4, 0))
    assert np.isnan(found.explained_by_slips).all()
    assert np.isnan(found.beyond_slips).all()
    (row,) = decompose([list("aabbc"), list("abbcc")], by="a", n_resamples=0).to_rows()
    assert np.isnan([row["explained_by_slips"], row["beyond_slips"], row["beyond_slips_low"]]).all()


# ------------------------------------------------------------------ how sure it is


def test_slopes_are_differences() -> None:
    """Of the share on some cells, by an item more or less in each."""
    table, members = neat().tables[:1], neat().members
    side = np.array([0, 1, 1, 0, 1, 0, 0, 1], bool)
    apart = side[:, None] != side
    first, second = np.nonzero(table[0])
    slopes = Slips(table, members).slopes(apart, np.zeros(len(first), int), first, second)
    for a, b, slope in zip(first, second, slopes):
        step = np.zeros_like(table)
        step[0, a, b] = 1e-3
        up, down = (Slips(table + x, members).shares(apart)[0] for x in (step, -step))
        assert slope == pytest.approx((up - down) / 2e-3, abs=1e-9)


@pytest.mark.parametrize("rule", ["odd number of labels", "Resolution or Success"])
def test_the_interval_covers(rule: str) -> None:
    """In samples from tables whose figure is known."""
    data = slipped(0.2, 1, n=4000)
    names = {"Resolution or Success": "R or S"}
    whole = decompose(data, by=names.get(rule, rule), n_resamples=0)[0].beyond_slips.value
    rng, covered = np.random.default_rng(0), 0
    table = states(count(data), data.scheme.categories)
    share = (table.tables[0] / table.tables[0].sum()).ravel()
    for _ in range(100):
        cell = rng.choice(64, 500, p=share)
        pairs = [[table.values[k] for k in side] for side in np.divmod(cell, 8)]
        own = decompose(read(pairs), by=names.get(rule, rule), n_resamples=0)[0].beyond_slips
        covered += own.low <= whole <= own.high
    assert 88 <= covered <= 100


# ------------------------------------------------------------------ what it finds


def test_parity_does_not_win_by_its_shape() -> None:
    """Slips in single labels only: the best explains hardly more, and parity is not first."""
    for seed in range(6):
        found = decompose(slipped(0.0, seed), n_resamples=0)
        by_excess = decompose(slipped(0.0, seed), n_resamples=0, rank="excess", most=1)
        assert by_excess[0].rule == "odd number of labels"
        assert found[0].rule != "odd number of labels"
        assert found[0].beyond_slips.value < 0.075
        assert abs(found["odd number of labels"].beyond_slips.value) < 0.04


def test_labels_that_are_mixed_up_are_separated() -> None:
    for seed in range(6):
        first = decompose(slipped(0.15, seed), n_resamples=0, most=1)[0]
        block = dict(zip(first.basis.values, first.block))
        assert first.beyond_slips.value > 0.1
        assert block[("R",)] != block[("S",)]
        assert block[("C", "R")] != block[("C", "S")]


def test_levels_of_a_chain_have_their_share() -> None:
    """Of NEAT: how many labels beyond any, and which beyond how many."""
    found = decompose(examples.load("levi2022_neat"), by=("any label", "number of labels"))
    rows = found[0].steps.to_rows()
    assert [round(row["explained"], 3) for row in rows] == [0.515, 0.412, 0.072]
    assert [round(row["explained_by_slips"], 3) for row in rows] == [0.520, 0.433, 0.047]
    assert sum(row["explained_by_slips"] for row in rows) == pytest.approx(1)
    null = null_states(neat())
    any_label = partition_of("any label", null.values, null.labels)
    levels = chain(neat(), [any_label]).levels
    side = any_label.of(null.values) == 0
    assert levels[0].explained_by_slips == pytest.approx(score(null, side[None]).explained[0])
    plain = chain(random_states(4, 0), [partition_of("v0", random_states(4, 0).values)]).levels
    assert np.isnan(plain[0].explained_by_slips)


def test_splits_of_a_tree_have_theirs() -> None:
    splits = tree(neat(), [[0, 1, 2, 3], [4, 5, 6, 7]]).splits
    assert sum(split.explained_by_slips for split in splits) == pytest.approx(1)
    first = score(neat(), [[True] * 4 + [False] * 4])
    assert splits[0].explained_by_slips == pytest.approx(first.explained_by_slips[0])
    assert splits[0].beyond_slips == pytest.approx(first.beyond_slips[0])
