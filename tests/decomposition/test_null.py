"""Independent flips: what they keep, and what gain over them means."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from accordant.decomposition.cuts import score
from accordant.decomposition.null import independent_flips, null_states, why_no_null
from accordant.decomposition.states import States, states
from accordant.decomposition.subsets import exhaustive
from decomposition import by_hand
from decomposition.neat import BITS, neat, side
from decomposition.test_subsets import random_states

EXACT = 1e-12


def of_label(table: Any, holds: Any) -> Any:
    """The 2 x 2 table of a label."""
    return [[table[np.ix_(a, b)].sum() for b in (~holds, holds)] for a in (~holds, holds)]


def by_loops(table: Any, members: Any) -> Any:
    """M0(s, t) = (r_s prod P(t_l | s_l) + c_t prod P(s_l | t_l)) / 2, cell by cell."""
    found = np.zeros(table.shape)
    for s, t in product(range(len(table)), repeat=2):
        forth, back = table[s].sum(), table[:, t].sum()
        for holds in members.T:
            two = np.array(of_label(table, holds))
            a, b = int(holds[s]), int(holds[t])
            forth *= two[a, b] / two[a].sum()
            back *= two[a, b] / two[:, b].sum()
        found[s, t] = (forth + back) / 2
    return found


@pytest.mark.parametrize("pair", [0, 1])
def test_from_its_definition(pair: int) -> None:
    table, members = neat().tables[pair], neat().members
    np.testing.assert_allclose(
        independent_flips(table, members), by_loops(table, members), atol=1e-9
    )


@pytest.mark.parametrize("made", [neat(), random_states(16, 4, 3), random_states(32, 5)])
def test_the_table_of_every_label_is_kept(made: States) -> None:
    for table, null in zip(made.tables, null_states(made).tables):
        for holds in made.members.T:
            np.testing.assert_allclose(of_label(null, holds), of_label(table, holds), atol=1e-8)
        assert null.sum() == pytest.approx(table.sum())
        assert np.abs(null - table).max() > 1  # but it is another table


def test_independent_labels_are_their_own_null() -> None:
    """Two labels that have nothing to do with each other: the table is a product, and so is M0."""
    a, b = np.array([[40.0, 5], [3, 12]]), np.array([[0.5, 0.1], [0.1, 0.3]])
    members = np.array([[False, False], [False, True], [True, False], [True, True]])
    table = np.kron(a, b)
    np.testing.assert_allclose(independent_flips(table, members), table, atol=1e-10)
    made = States(((), ("b",), ("a",), ("a", "b")), ("a", "b"), members, (("x", "y"),), table[None])
    assert np.abs(exhaustive(made).gain).max() < 1e-9


def test_combinations_that_nobody_gave_are_left_out() -> None:
    """Every item is still there, and rows that agree always stay where they are."""
    rows = [[("a",), ("a",)], [("b",), ("b",)], [("a",), ("a", "b")], [("b",), ("a",)]] * 5
    found = states(by_hand.counted(rows), ("a", "b"))
    assert found.values == (("b",), ("a",), ("a", "b"))
    null = null_states(found).tables[0]
    assert null.sum() == pytest.approx(20)
    assert (null >= 0).all()


def test_the_ranking_of_neat_is_mostly_that_of_the_null() -> None:
    """The warning that gain stands for: over the 127, and the first two of them."""
    found = exhaustive(neat())
    assert np.corrcoef(found.second, found.null_second)[0, 1] > 0.9
    real, null = found.ranked("second")[:2], np.argsort(-found.null_second)[:2]
    assert real.tolist() == null.tolist()
    parity = score(neat(), [side("000", "011", "101", "110")])
    assert parity.second.item() == pytest.approx(found.second.max(), abs=EXACT)
    assert parity.gain.item() < 0 < found.gain.max()


def test_the_null_is_what_a_simulation_gives() -> None:
    """Drawn item by item: one coder's set, each label passed on by itself."""
    rng = np.random.default_rng(5)
    table, members = neat().tables[0], neat().members.astype(int)
    drawn = np.zeros((8, 8))
    for source, turned in ((table, False), (table.T, True)):
        n = 200_000
        truth = rng.choice(8, n, p=source.sum(1) / source.sum())
        code = np.zeros(n, int)
        for label, holds in enumerate(neat().members.T):
            two = np.array(of_label(source, holds))
            gives = rng.random(n) < (two[:, 1] / two.sum(1))[members[truth, label]]
            code += gives << (2 - label)
        cells = np.bincount(truth * 8 + code, minlength=64).reshape(8, 8) / n / 2
        drawn += cells.T if turned else cells
    null = independent_flips(table, neat().members) / table.sum()
    assert np.abs(drawn - null).max() < 5 * np.sqrt(null.max() / 400_000)
    assert len(BITS) == 8


def test_categories_have_none() -> None:
    found = random_states(4, 0)
    assert "categories" in str(why_no_null(found))
    scores = exhaustive(found)
    assert scores.null is None
    for field in ("null_first", "null_second", "gain"):
        assert np.isnan(getattr(scores, field)).all()
    assert why_no_null(neat()) is None
