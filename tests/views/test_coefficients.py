"""The coefficients as every reader sees them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import accordant as ac
from accordant.render.show import sections_of
from accordant.views.view import named

RATINGS = [
    ["a", "b", "a", "a", "c", "b"],
    ["a", "b", "b", "a", "c", "b"],
    ["a", "b", "a", "c", "c", None],
]


def test_golden_page(golden: Callable[..., None]) -> None:
    golden("coefficients", sections_of(ac.agreement(RATINGS)))


def test_programs_get_the_unrounded_rows() -> None:
    table = ac.agreement(RATINGS)
    rows = named("agreement", "coefficients").rows(table.told_parts)
    assert [row["value"] for row in rows] == [row.value for row in table]


@pytest.mark.parametrize("form", ["markdown", "latex", "html", "text"])
def test_every_format_has_the_same_cells(form: str) -> None:
    table: Any = ac.agreement(RATINGS)
    page = {
        "markdown": table.to_markdown(),
        "latex": table.to_latex(),
        "html": table._repr_html_(),
        "text": str(table),
    }[form]
    places = [page.index(f"{row.value:.3f}") for row in table if row.coefficient in ("s", "alpha")]
    assert places == sorted(places)
