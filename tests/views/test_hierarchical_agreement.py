"""Hierarchical agreement as every reader sees it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import accordant as ac
from accordant.data import examples
from accordant.decomposition.decompositions import Decompositions
from accordant.render.show import sections_of
from accordant.views.view import named


@pytest.fixture(scope="module")
def neat() -> Decompositions:
    return ac.decompose(examples.load("levi2022_neat"), most=4, resamples=20)


def test_golden_page(neat: Decompositions, golden: Callable[..., None]) -> None:
    one = ac.decompose(examples.load("levi2022_neat"), by=[("any label", "number of labels")])
    golden(
        "hierarchical_agreement",
        [
            *sections_of(neat),
            *sections_of(one),
            named("decompose", "levels").section(one.parts),
            named("decompose", "disputed").section(one.parts, most=3),
        ],
    )


def test_rows_are_those_of_the_result(neat: Decompositions) -> None:
    rows = named("decompose", "partitions").rows(neat.parts)
    assert [row["level_1"] for row in rows] == [row.first.mean.value for row in neat]
    assert [row["level_2_gain"] for row in rows] == [row.gain for row in neat]


def test_disputed_items_are_all_counted(neat: Decompositions) -> None:
    one = ac.decompose(examples.load("levi2022_neat"), by="any label")
    for level, n in ((1, one[0].n_first), (2, one[0].n_second)):
        assert len(named("decompose", "disputed").rows(one.parts, listed=level)) == n


def test_where_there_is_nothing_to_decompose() -> None:
    same = ac.decompose([["a", "b", "c"], ["a", "b", "c"]])
    assert named("decompose", "partitions").rows(same.parts) == []
