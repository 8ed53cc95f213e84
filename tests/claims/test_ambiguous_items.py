"""What is said of ambiguous items, on crowds whose ambiguous and hard items are known."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import accordant as ac

CROWDS = 6
LEVEL = 0.1
HARD = 0.9  # ease below which an item makes coders err more than usual

PLANTED = [(3, 20, 0.0), (3, 20, 1.0), (5, 20, 0.0), (5, 20, 1.0), (3, 10, 0.0), (5, 10, 1.0)]
"""Categories, annotations of an item, and how much items differ in ease."""


@cache
def judged(k: int, per_item: int, difficulty: float, ambiguous: float = 0.2) -> dict[str, float]:
    """Means over crowds of 200 items and 20 coders."""
    rows = []
    for seed in range(100, 100 + CROWDS):
        crowd = ac.simulate_crowd(
            200, 20, k, per_item=per_item, ambiguous=ambiguous, difficulty=difficulty, seed=seed
        )
        found = ac.ambiguity(crowd.data, schools=False, q=LEVEL)
        planted = np.asarray(crowd.clear < 1)
        ease = np.ones(200) if crowd.ease is None else np.asarray(crowd.ease)
        other = planted | (ease < HARD)
        named, unclear = found.ambiguous, found.unclear
        rows.append(
            {
                "false": (named & ~planted).sum() / max(named.sum(), 1),
                "unclear_false": (unclear & ~other).sum() / max(unclear.sum(), 1),
                "named": named.sum(),
                "caught": (named & planted).sum() / max(planted.sum(), 1),
                "share": found.share,
                "low": found.share_low <= planted.mean(),
                "holds": found.share_low <= planted.mean() <= found.share_high,
            }
        )
    return {name: float(np.mean([row[name] for row in rows])) for name in rows[0]}


@pytest.mark.parametrize("world", PLANTED)
def test_no_more_are_false_than_is_said(world: tuple[int, int, float]) -> None:
    found = judged(*world)
    assert found["false"] <= LEVEL
    assert found["unclear_false"] <= LEVEL


@pytest.mark.parametrize(("k", "per_item"), [(3, 10), (3, 20), (5, 20)])
def test_hard_items_alone_are_not_named(k: int, per_item: int) -> None:
    assert judged(k, per_item, 1.0, 0.0)["named"] == 0


def test_how_many_are_named_as_the_page_says() -> None:
    """31 %, 27 %, 62 % and 47 % with twenty annotations, next to none with ten."""
    caught = [judged(*world)["caught"] for world in PLANTED]
    assert caught == pytest.approx([0.31, 0.27, 0.62, 0.47, 0.0, 0.0], abs=0.1)


def test_the_share_is_a_lower_bound() -> None:
    """Its interval holds with twenty annotations of items that are alike, and else lies below."""
    assert judged(3, 20, 0.0)["holds"] >= 0.8
    assert judged(5, 10, 1.0)["holds"] < 0.5
    assert all(judged(*world)["low"] == 1 for world in PLANTED)
    assert all(judged(*world)["share"] < 0.23 for world in PLANTED)
