"""Worked examples of ratings: intraclass correlations, concordance, consistency."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import accordant as ac

FILE = json.loads((Path(__file__).parents[1] / "golden/ratings.json").read_text("utf-8"))

KEYS = {
    "icc": {
        "ICC1": "icc1",
        "ICC2": "icc2",
        "ICC3": "icc3",
        "ICC1k": "icc1k",
        "ICC2k": "icc2k",
        "ICC3k": "icc3k",
    },
    "cronbach_alpha": "cronbach",
    "kendall_w": "kendall_w",
    "lin_ccc": "ccc",
    "finn": "finn",
}
LISTWISE = "the source leaves out items with gaps, or takes covariances of pairs; here REML"
ELSEWHERE = {
    "siegel_castellan_1988:kendall_w:correct_ties=False": "ties are corrected",
    "anxiety:kendall_w:correct_ties=False": "ties are corrected",
    "video:finn:levels=6:model=twoway": "S with quadratic weights is the one-way form",
    "pingouin_cronbach_wide_missing:cronbach_alpha:missing=pairwise": LISTWISE,
    "pingouin_cronbach_alpha:cronbach_alpha:missing=pairwise": LISTWISE,
}
OTHER_INTERVAL = {
    "anxiety:icc:form=ICC2k": "irr has degrees of freedom of its own for ICC(A,k)",
    "pingouin_cronbach_wide_missing:cronbach_alpha:missing=listwise": (
        "the source counts the items that it left out"
    ),
    "bland_altman_pefr:lin_ccc:ci=z-transform": "of κ: a score interval",
    "bland_altman_pefr:lin_ccc:ci=asymptotic": "of κ: a score interval",
}


def rows_of(case: dict[str, Any]) -> list[list[Any]]:
    rows: list[list[Any]] = FILE["datasets"][case["data"]]["coders"]
    if case["params"].get("missing") != "listwise":
        return rows
    kept = [all(x is not None for x in item) for item in zip(*rows, strict=True)]
    return [[x for x, k in zip(row, kept, strict=True) if k] for row in rows]


@pytest.mark.parametrize(
    "case",
    [c for c in FILE["cases"] if c["measure"] in KEYS and c["id"] not in ELSEWHERE],
    ids=lambda case: case["id"],
)
def test_published(case: dict[str, Any]) -> None:
    key, params, expected = KEYS[case["measure"]], case["params"], case["expected"]
    name = key[params["form"]] if isinstance(key, dict) else key
    more: dict[str, Any] = {"scale": "interval", "layout": "transposed"}
    if "levels" in params:
        more["categories"] = list(range(1, params["levels"] + 1))
    (row,) = ac.agreement(rows_of(case), name, interval="analytic", **more)
    assert row.value == pytest.approx(expected["value"], abs=case["tolerance"])
    if "ci_low" in expected and case["id"] not in OTHER_INTERVAL:
        ends = expected["ci_low"], expected["ci_high"]
        assert row.confidence_interval == pytest.approx(ends, abs=case["tolerance"])
