"""Levels of a chain: derived figures, laws, what is refused."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accordant.decomposition.chains import Steps, steps
from accordant.decomposition.figures import CLOSED_FORMS, closed_form
from accordant.decomposition.partition import Partition
from accordant.decomposition.rules import partition_of
from accordant.decomposition.scores import score
from accordant.decomposition.tables import cells_of
from accordant.errors import RequestError
from decomposition import by_hand
from decomposition.neat import LABELS, cells_of_tables, neat

NEAT = neat()
KEYS = st.lists(st.lists(st.integers(0, 2), min_size=8, max_size=8), min_size=1, max_size=3)


def of(*rules: str, name: str = "kappa") -> Steps:
    found = [partition_of(rule, NEAT.values, LABELS) for rule in rules]
    return chained(found, name)


def chained(partitions: Sequence[Partition], name: str = "kappa") -> Steps:
    even = np.ones((8, 8)) - np.eye(8)
    return steps(cells_of_tables(NEAT), closed_form(name), partitions, even, 0.95)


def test_plot_then_how_many_then_which() -> None:
    found = of("any label", "number of labels")
    assert [step.rule for step in found] == ["any label", "number of labels", "which value"]
    assert [round(step.explained, 3) for step in found] == [0.515, 0.412, 0.072]
    assert [round(step.chance, 3) for step in found] == [0.600, 0.235, 0.165]


def test_the_first_level_and_what_is_kept_are_those_of_two_levels() -> None:
    found = of("number of labels")
    two = score(NEAT, [[len(v) for v in NEAT.values]])  # type: ignore[arg-type]
    assert found[0].given.values[0] == pytest.approx(two.first_by_pair[:, 0])
    assert found[1].given.n.tolist() == two.n_kept[:, 0].tolist()


@pytest.mark.parametrize("name", [x for x in CLOSED_FORMS if x != "percent"])
@given(KEYS)
def test_any_chain_makes_up_the_whole(name: str, keys: list[list[int]]) -> None:
    """Each level adds a digit to the key of a value, so it refines the one before."""
    levels, blocks = [], [""] * 8
    for key in keys:
        blocks = [f"{b}{k}" for b, k in zip(blocks, key)]
        parts = {b: [v for v, own in zip(NEAT.values, blocks) if own == b] for b in blocks}
        levels.append(Partition("key", tuple(map(tuple, parts.values())), tuple(parts)))
    found = chained(levels, name)
    assert sum(step.explained for step in found) == pytest.approx(1)
    if name in ("pi", "kappa", "alpha"):  # whose expected disagreement is a sum over pairs
        assert sum(step.chance for step in found) == pytest.approx(1)
        one = score(NEAT, [[0] * 8], name)
        assert np.isfinite(one.second).all()
    assert sum(step.explained_by_slips for step in found) == pytest.approx(1)


def test_slips_spread_over_the_levels() -> None:
    """Of all pairs of different sets, 7 of 28 are of no label and another one."""
    found = of("any label")
    assert [step.explained_by_slips for step in found] == pytest.approx([7 / 28, 21 / 28])


def test_conditional_levels_by_hand() -> None:
    rows = by_hand.rows_of_sets(4, coders=3, items=120)
    cells = cells_of(by_hand.counted(rows), ("a", "b", "c"))
    levels = [
        partition_of(r, cells.states.values, "abc") for r in ("any label", "number of labels")
    ]
    nothing = np.ones((cells.states.n_states,) * 2)
    found = steps(cells, closed_form("kappa"), levels, nothing, 0.95)
    for g, two in enumerate(by_hand.pairs_of(rows)):
        kept = [(len(a), len(b)) for a, b in two if bool(a) == bool(b)]
        wanted = by_hand.coefficient(kept, [0, 1, 2, 3], "kappa")
        assert found[1].given.values[0, g] == pytest.approx(wanted)
        assert found[1].given.n[g] == len(kept)


def test_a_level_has_to_refine_the_one_before() -> None:
    with pytest.raises(RequestError, match="each level of a chain has to divide the blocks"):
        of("number of labels", "any label")


def test_the_finest_level_is_added_once() -> None:
    single = Partition("each", tuple((v,) for v in NEAT.values), tuple(map(str, NEAT.values)))
    assert [step.rule for step in chained([single])] == ["each"]


def test_percent_has_no_chance_to_share() -> None:
    found = of("any label", name="percent")
    assert [step.chance for step in found] == [1, 0]
    assert np.isnan(found[1].coefficient)
