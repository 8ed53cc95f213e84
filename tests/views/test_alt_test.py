"""Models compared with human coders as every reader sees it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import accordant as ac
from accordant.models.alternative_test import ModelAsCoder
from accordant.render.show import sections_of
from accordant.views.view import named, views_of

RIGHT = [k % 3 for k in range(60)]
HUMANS = [[(x + (k % j == 0)) % 3 for k, x in enumerate(RIGHT)] for j in (5, 7, 9)]
OTHER = [(x + (k % 3 == 0)) % 3 for k, x in enumerate(RIGHT)]


@pytest.fixture(scope="module")
def found() -> ModelAsCoder:
    coders = ["Ada", "Bea", "Cem", "good", "worse"]
    return ac.model_as_coder([*HUMANS, RIGHT, OTHER], ["good", "worse"], coder=coders)


def test_golden_page(found: ModelAsCoder, golden: Callable[..., None]) -> None:
    golden("alt_test", [*sections_of(found), named("compare-models", "humans").section([found])])


def test_the_best_model_stands_first(found: ModelAsCoder) -> None:
    rows = named("compare-models", "tests").rows([found])
    values = [row["advantage"] for row in rows]
    assert values == sorted(values, reverse=True)
    assert {row["model"]: row["passed"] for row in rows} == {t.model: t.passed for t in found.tests}


@pytest.mark.parametrize("name", [v.name for v in views_of("compare-models")])
def test_every_column_has_its_rows(found: ModelAsCoder, name: str) -> None:
    table = named("compare-models", name).table([found])
    for row in table.rows:
        assert all(key in row for column in table.columns for key in column.keys), name
