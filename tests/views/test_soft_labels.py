"""Soft labels and scores of predictions as every reader sees them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import accordant as ac
from accordant.render.show import sections_of
from accordant.views.view import named, views_of

RATINGS = [
    ["a", "b", "a", "a", "c", "b", "a", "c", "b", "a"],
    ["a", "b", "b", "a", "c", "b", "c", "c", "a", "a"],
    ["a", "b", "a", "c", "c", "a", "b", "c", "b", None],
]
PREDICTED = {
    "item": list(range(1, 11)),
    "a": [0.2, 0.6] * 5,
    "b": [0.5, 0.3] * 5,
    "c": [0.3, 0.1] * 5,
}


@pytest.fixture(scope="module")
def soft() -> Any:
    return ac.soft_labels(RATINGS)


@pytest.fixture(scope="module")
def told() -> dict[str, Any]:
    """One result of each kind."""
    soft = ac.soft_labels(RATINGS)
    return {
        "soft": soft,
        "soft-scores": ac.score_predictions({"one": PREDICTED, "two": PREDICTED}, soft),
    }


def test_golden_page(told: dict[str, Any], golden: Callable[..., None]) -> None:
    golden("soft_labels", [s for result in told.values() for s in sections_of(result)])


@pytest.mark.parametrize(
    ("of", "name"),
    [
        ("soft", "soft-labels"),
        ("soft-scores", "scores"),
    ],
)
def test_programs_get_the_rows_of_the_result(told: dict[str, Any], of: str, name: str) -> None:
    rows = named(of, name).rows([told[of]])
    assert rows == told[of].to_rows() != []


def test_readers_see_the_most_spread_item_first(soft: Any) -> None:
    rows = named("soft", "soft-labels").table([soft]).rows
    entropies = [row["entropy"] for row in rows]
    assert entropies == sorted(entropies, reverse=True)
    assert len(rows) == len(soft)


def test_ties_stay_in_the_order_of_the_data(soft: Any) -> None:
    rows = named("soft", "soft-labels").table([soft]).rows
    place = [row["item"] for row in soft.to_rows()].index
    alike: dict[float, list[int]] = {}
    for row in rows:
        alike.setdefault(round(row["entropy"], 9), []).append(place(row["item"]))
    assert all(found == sorted(found) for found in alike.values())
    assert any(len(found) > 1 for found in alike.values())


@pytest.mark.parametrize("of", ["soft", "soft-scores"])
def test_every_column_has_its_rows(told: dict[str, Any], of: str) -> None:
    for view in views_of(of):
        table = view.table([told[of]])
        for row in table.rows:
            assert all(key in row for column in table.columns for key in column.keys), view.name
