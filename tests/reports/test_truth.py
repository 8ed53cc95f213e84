"""What is opinion rather than error."""

from __future__ import annotations

import math
from typing import Any

import pytest

import accordant as ac
from accordant.views.document import Chart, Table
from accordant.views.model_charts import parts, reliability
from accordant.views.report import Report, report


def tables(found: Report, key: str) -> list[Table]:
    return [b for b in found[key].every_block() if isinstance(b, Table)]


def table(found: Report, key: str, title: str) -> Table:
    return next(t for t in tables(found, key) if t.title.startswith(title))


# ---------------------------------------------------------------------- opinion or error


@pytest.fixture(scope="module")
def ambiguous() -> Any:
    return ac.simulate_crowd(150, 40, 3, per_item=30, ambiguous=0.15, seed=2).data


def test_ambiguous_items_are_those_of_ambiguity(ambiguous: Any) -> None:
    found = report(ambiguous)
    expected = ac.ambiguity(ambiguous)
    assert found["ambiguity"].lead == expected.sentence
    shown = table(found, "ambiguity", "Items that can be read in several ways").rows
    clear = [row["item"] for row in shown if row["what"] == "ambiguous"]
    rest = [row["item"] for row in shown if row["what"] != "ambiguous"]
    assert clear == [str(x) for x in expected.items][: len(clear)]
    assert set(rest) <= {str(x) for x in expected.unclear_items}
    assert len(clear) > 5
    where = table(found, "ambiguity", "Where disagreement comes from").rows[0]
    assert where["by_coders"] == expected.by_coders
    assert where["by_items"] == expected.by_items
    shares = ("by_coders", "between_schools", "by_items")
    assert sum(where[key] for key in shares) == pytest.approx(1)


def test_the_bar_is_a_whole(ambiguous: Any) -> None:
    chart = next(b for b in report(ambiguous)["ambiguity"].blocks if isinstance(b, Chart))
    drawn = chart.definition["data"]["values"]
    assert max(row["end"] for row in drawn) == pytest.approx(1)
    assert sum(row["share"] for row in drawn) == pytest.approx(1)
    assert {row["part"] for row in drawn} == {"usual errors of coders", "left with items"}


def test_charts_take_what_is_not_known() -> None:
    nothing = {"expected": math.nan, "observed": math.nan, "low": math.nan, "high": math.nan}
    drawn = reliability([nothing], x_title="x", y_title="y")
    assert drawn["data"]["values"] == [dict.fromkeys(nothing)]
    bar = parts([{"name": "a", "part": "p", "share": 1.0, "kind": "rest"}], title="x")
    assert bar["data"]["values"][0]["end"] == 1
