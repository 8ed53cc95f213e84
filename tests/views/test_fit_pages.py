"""The pages of a fit: their wording, and the same order of coders everywhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import accordant as ac
from accordant.data import examples
from accordant.views.blocks import Chart
from accordant.views.view import named

SHOWN = {
    "estimated_labels": ("answer", "certainty", "items", "majority", "prevalence", "coverage"),
    "annotator_reliability": ("coders", "confusion"),
    "model_fit": ("model", "findings", "convergence"),
}


@pytest.fixture(scope="module")
def fitted() -> Any:
    return ac.fit(examples.load("crowd"))


@pytest.mark.parametrize("page", SHOWN)
def test_golden_page(golden: Callable[..., None], fitted: Any, page: str) -> None:
    sections = [named("fit", name).section(fitted.told_parts) for name in SHOWN[page]]
    if page == "estimated_labels":
        known = {"truth": "truth"}
        sections += [
            named("fit", name).section(fitted.told_parts, **known)
            for name in ("scores", "calibration")
        ]
    golden(page, sections)


def test_golden_page_of_crowdtruth(golden: Callable[..., None], fitted: Any) -> None:
    shown = ("crowdtruth", "crowdtruth-original")
    golden("crowdtruth", [named("fit", name).section(fitted.told_parts) for name in shown])


def test_the_chart_draws_the_table(fitted: Any) -> None:
    blocks = named("fit", "coders").section(fitted.told_parts).blocks
    (chart,) = (b for b in blocks if isinstance(b, Chart))
    drawn = {row["name"]: row for row in chart.definition["data"]["values"]}
    for row in chart.table.rows:
        own = drawn[row["coder"]]
        ends = tuple(row[key] for key in ("competence", "low", "high"))
        assert (own["value"], own["low"], own["high"]) == ends
        # skill = (accuracy - chance) / (1 - chance)
        again = (row["competence"] - own["other"]) / (1 - own["other"])
        assert again == pytest.approx(row["skill"], abs=1e-9)
    assert drawn["c03"]["colour"] != drawn["c09"]["colour"]
