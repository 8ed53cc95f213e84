"""The best bipartitions, streamed: those that scoring every single one finds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from accordant.decomposition.criteria import OF_SETS
from accordant.decomposition.states import states
from accordant.decomposition.streaming import STREAMED, best
from accordant.decomposition.subsets import exhaustive
from accordant.errors import RequestError
from decomposition import by_hand
from decomposition.neat import neat
from decomposition.test_subsets import random_states

EXACT = 1e-12


def compare(found: Any, criterion: str, coefficient: str = "kappa", share: float = 0.01) -> None:
    """Equal to ranking all, of those whose smaller side is large enough."""
    every = exhaustive(found, coefficient)
    every = every.take(np.flatnonzero(every.smaller >= share - EXACT))
    value = getattr(every, criterion)
    every = every.take(np.flatnonzero(~np.isnan(value)))
    wanted = every.take(every.ranked(criterion)[:20])
    streamed = best(found, criterion, most=20, minimum_share=share, coefficient=coefficient)
    assert streamed.codes.tolist() == wanted.codes.tolist()
    for field in ("first", "second", "by_label", "excess", "flip", criterion):
        np.testing.assert_allclose(getattr(streamed, field), getattr(wanted, field), atol=EXACT)


@pytest.mark.parametrize("criterion", STREAMED)
@pytest.mark.parametrize("coefficient", by_hand.COEFFICIENTS)
def test_neat(criterion: str, coefficient: str) -> None:
    compare(neat(), criterion, coefficient)


@pytest.mark.parametrize("criterion", STREAMED)
def test_sixteen_sets(criterion: str) -> None:
    compare(random_states(16, 4, 2), criterion)


@pytest.mark.parametrize("criterion", [c for c in STREAMED if c not in OF_SETS])
def test_twenty_categories(criterion: str) -> None:
    compare(random_states(20, 0), criterion)


@pytest.mark.parametrize("share", [0.0, 0.2, 0.45])
def test_minimum_share(share: float) -> None:
    compare(random_states(12, 4, seed=3), "first", share=share)


def test_few_items_with_many_ties_and_undefined_labels() -> None:
    for seed in range(10):
        found = states(
            by_hand.counted(by_hand.rows_of_sets(seed, labels="abcd", coders=3, items=12))
        )
        for criterion in STREAMED:
            compare(found, criterion)


@pytest.mark.parametrize("criterion", OF_SETS)
def test_categories_have_no_slips(criterion: str) -> None:
    with pytest.raises(RequestError, match=f"'{criterion}' needs sets of labels, but values are"):
        best(random_states(6, 0), criterion)


def test_nothing_to_cut() -> None:
    for rows in ([["a", None], [None, "b"]], [["a", "a"], ["a", "a"]], [["a", "a"], ["b", "b"]]):
        found = states(by_hand.counted(rows))
        for criterion in STREAMED:
            if criterion not in OF_SETS or not found.values:
                compare(found, criterion)


def test_progress() -> None:
    told: list[tuple[int, int]] = []
    best(random_states(22, 0), "excess", progress=lambda done, every: told.append((done, every)))
    assert told[-1] == (2**21 - 1, 2**21 - 1)
    assert [x for x, _ in told] == sorted({x for x, _ in told})
    assert len(told) >= 2


def test_an_interruption_ends_the_search() -> None:
    def interrupt(done: int, every: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        best(random_states(22, 0), "excess", progress=interrupt)


@pytest.mark.parametrize(
    "options, message",
    [
        ({"criterion": "information"}, "cannot be streamed by 'information'"),
        ({"criterion": "best"}, "unknown criterion 'best'"),
        ({"most": 0}, "most: a whole number from 1 up"),
        ({"minimum_share": 0.7}, "between 0 and 0.5"),
        ({"coefficient": "cohn"}, "unknown coefficient"),
    ],
)
def test_bad_requests(options: dict[str, Any], message: str) -> None:
    with pytest.raises(RequestError, match=message):
        best(neat(), **options)


def test_too_many_states() -> None:
    with pytest.raises(RequestError, match="41 values have too many bipartitions"):
        best(random_states(41, 0))
