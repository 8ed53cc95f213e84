"""A question is headlined where it costs more than slips would, and nowhere else.

At most one data set of twenty without a pattern has a headline; two blocks of categories that are
mixed up, or within which coders err, are found in nineteen of twenty. `benchmarks.decompositions`
has the whole grid.
"""

from __future__ import annotations

import pytest
from benchmarks.decompositions import World, headlined

N = 20

NULLS = [
    World("uniform", zipf=True),
    World("uniform", hard="two", ability=0.1),
    World("guess", hard="beta"),
    World("near"),
    World("near", zipf=True, n_items=1000),
    World("scale"),
    World("pair", zipf=True),
    World("uniform", zipf=True, n_coders=2, n_items=1000),
    World("uniform", n_coders=8, n_items=200, n_values=9),
    World("flips", n_values=3, n_coders=2, hard="two", rate=0.1),
    World("flips", n_values=3, unequal=True, hard="beta", rate=0.1),
]
PLANTED = [
    World("crossed"),
    World("within"),
    World("crossed", n_values=8),
    World("overlooked", n_values=3, rate=0.02),
]


@pytest.mark.parametrize("world", NULLS, ids=str)
def test_slips_alone_have_no_headline(world: World) -> None:
    assert sum(headlined(world, seed)[0] for seed in range(N)) <= 1


@pytest.mark.parametrize("world", PLANTED, ids=str)
def test_what_is_planted_is_headlined(world: World) -> None:
    assert sum(headlined(world, seed)[1] for seed in range(N)) >= N - 1
