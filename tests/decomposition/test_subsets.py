"""All bipartitions: by products of thin matrices and one by one, the same scores."""

from __future__ import annotations

import numpy as np
import pytest

from accordant.decomposition import bipartitions
from accordant.decomposition.cuts import score
from accordant.decomposition.forms import Blocks, Forms, apart, subsets_of
from accordant.decomposition.states import States, states
from accordant.decomposition.subsets import every_side, exhaustive
from accordant.errors import RequestError
from decomposition import by_hand
from decomposition.neat import neat

EXACT = 1e-12

FIELDS = (
    "first", "second", "by_label", "explained", "chance", "flip", "smaller", "n_undefined",
    "information", "null_first", "null_second", "gain", "excess", "first_by_pair",
    "second_by_pair", "by_label_by_pair", "n_kept", "codes", "sides",
)  # fmt: skip


def random_states(
    n_states: int, n_labels: int, n_pairs: int = 1, items: int = 3000, seed: int = 0
) -> States:
    """Tables of coders who agree on two thirds."""
    rng = np.random.default_rng(seed)
    letters = "abcdefgh"[:n_labels]
    members = np.zeros((n_states, 0), bool)
    values = tuple(f"v{k}" for k in range(n_states))
    if n_labels:
        members = (np.arange(n_states)[:, None] >> np.arange(n_labels)[::-1] & 1).astype(bool)
        values = tuple(tuple(x for x, holds in zip(letters, row) if holds) for row in members)
    mean = np.eye(n_states) * items / n_states * 0.67 + items * 0.33 / n_states**2
    tables = rng.poisson(mean, (n_pairs, n_states, n_states)).astype(float)
    pairs = tuple((f"{g}", "x") for g in range(n_pairs))
    return States(values, tuple(letters), members, pairs, tables)


def compare(found: States, coefficient: str = "kappa") -> None:
    every = exhaustive(found, coefficient)
    one_by_one = score(found, every_side(found.n_states), coefficient)
    assert len(every) == 2 ** (found.n_states - 1) - 1
    for field in FIELDS:
        np.testing.assert_allclose(
            getattr(every, field), getattr(one_by_one, field), rtol=0, atol=EXACT, err_msg=field
        )


def test_every_side() -> None:
    sides = every_side(5)
    assert sides.shape == (15, 5)
    assert not sides[:, -1].any()
    assert sides.any(1).all()
    assert len(np.unique(sides, axis=0)) == 15
    assert every_side(1).shape == (0, 1)
    assert every_side(0).shape == (0, 0)


@pytest.mark.parametrize("coefficient", by_hand.COEFFICIENTS)
def test_neat(coefficient: str) -> None:
    compare(neat(), coefficient)


@pytest.mark.parametrize("coefficient", by_hand.COEFFICIENTS)
@pytest.mark.parametrize(
    "n_states, n_labels, n_pairs", [(9, 4, 3), (9, 0, 3), (2, 0, 1), (2, 1, 2)]
)
def test_random_tables(coefficient: str, n_states: int, n_labels: int, n_pairs: int) -> None:
    compare(random_states(n_states, n_labels, n_pairs), coefficient)


@pytest.mark.parametrize("n_labels", [0, 4])
def test_several_blocks(n_labels: int) -> None:
    assert bipartitions.BITS < 15
    compare(random_states(16, n_labels, 2))


@pytest.mark.parametrize("kind", ["sets", "categories"])
def test_few_items_and_undefined_labels(kind: str) -> None:
    for seed in range(20):
        make = by_hand.rows_of_sets if kind == "sets" else by_hand.rows_of_categories
        compare(states(by_hand.counted(make(seed, coders=3, items=6))))


def test_pooled_tables() -> None:
    counts = by_hand.counted(by_hand.rows_of_sets(1, coders=4)).anonymous
    found = states(counts)
    assert found.is_pooled
    compare(found)
    # A symmetric table has equal margins, where kappa is pi.
    kappa, pi = exhaustive(found), exhaustive(found, "pi")
    np.testing.assert_allclose(kappa.second, pi.second, atol=EXACT)
    np.testing.assert_allclose(kappa.excess, pi.excess, atol=EXACT)


def test_nothing_to_cut() -> None:
    for rows in ([["a", None], [None, "b"]], [["a", "a"], ["a", "a"]]):
        found = exhaustive(states(by_hand.counted(rows)))
        assert len(found) == 0
        assert found.gain.shape == found.information.shape == (0,)
        assert found.ranked("excess").shape == (0,)


def test_too_many_states() -> None:
    with pytest.raises(RequestError, match="23 values have 4,194,303 bipartitions"):
        exhaustive(random_states(23, 0))


def test_blocks_are_the_forms_at_all_subsets() -> None:
    rng = np.random.default_rng(3)
    forms = Forms.of(rng.normal(size=2), rng.normal(size=(2, 7)), rng.normal(size=(2, 7, 7)))
    wanted = forms.at(subsets_of(7).astype(bool))
    for bits in (0, 1, 4, 7):
        blocks = Blocks(forms, bits)
        found = [blocks.at(start).copy() for start in range(0, 128, 2**bits)]
        np.testing.assert_allclose(np.concatenate(found, axis=1), wanted, atol=EXACT)


def test_a_diagonal_is_never_cut() -> None:
    assert not apart(np.diag([1.0, 2, 3])[None]).at(every_side(3)).any()
