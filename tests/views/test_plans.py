"""How many items an interval needs."""

from __future__ import annotations

from collections.abc import Callable

import accordant as ac
from accordant.render.show import sections_of
from accordant.views.view import named

PILOT = [["a", "b", "a", "a", "c", "b"] * 4, ["a", "b", "b", "a", "c", "b"] * 4]


def test_golden_page(golden: Callable[..., None]) -> None:
    plans = (
        ac.items_needed(0.2, PILOT),
        ac.items_needed(0.2, coefficient="kappa", agreement=0.6, shares=[0.7, 0.3]),
    )
    golden("plans", [section for plan in plans for section in sections_of(plan)])


def test_programs_get_the_row_of_the_plan() -> None:
    plan = ac.items_needed(0.2, PILOT)
    view = named(plan.told_as, "plan")
    (row,) = view.rows([plan])
    assert row == {"question": None} | plan.to_rows()[0]
    table = view.table([plan])
    assert all(key in row for column in table.columns for key in column.keys)
