"""The data: coverage, labels, sizes of label sets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import accordant as ac
from accordant.data import examples
from accordant.diagnosis.diagnose import Description
from accordant.render.show import sections_of
from accordant.views.view import named


@pytest.fixture(scope="module")
def visitors() -> Description:
    return ac.describe(examples.load("visitors"))


def rows(found: Description, name: str) -> list[dict[str, Any]]:
    return named("describe", name).rows(found.told_parts)


def test_golden_page(golden: Callable[..., None], visitors: Description) -> None:
    golden("data", sections_of(visitors))


def test_each_question_and_all_together_are_rows(visitors: Description) -> None:
    found = rows(visitors, "questions")
    assert [row["question"] for row in found][:2] == ["topic", "mood"]
    assert [row["n_annotations"] for row in found] == [444, 444, 888]


def test_coders_stand_by_their_items(visitors: Description) -> None:
    found = [row for row in rows(visitors, "coders") if row["question"] == "topic"]
    assert [row["coder"] for row in found] == ["Ada", "Bruno", "Deniz", "Chiara"]


def test_labels_have_the_share_of_each_coder(visitors: Description) -> None:
    found = [row for row in rows(visitors, "labels") if row["question"] == "topic"]
    for name in ("Ada", "Bruno", "Chiara", "Deniz"):
        assert sum(row[f"share_by_{name}"] for row in found) == pytest.approx(1)
    assert sum(row["n"] for row in found) == 444


def test_single_labels_have_no_sizes(visitors: Description) -> None:
    assert rows(visitors, "labels-per-annotation") == []
    assert "labels-per-annotation" not in {section.key for section in sections_of(visitors)}


def test_sizes_are_those_of_the_paper() -> None:
    found = ac.describe(ac.read(examples.path("marchal2022_case"), separator=";"))
    shares = {
        r["coder"]: round(100 * r["share_2"], 1) for r in rows(found, "labels-per-annotation")
    }
    assert (shares["c1"], shares["c2"]) == (11.4, 65.5)


def test_measurements_are_summarised() -> None:
    data = ac.read([[k / 7 for k in range(60)], [k / 7 + 0.1 for k in range(60)]], scale="interval")
    found = rows(ac.describe(data), "labels")
    assert [row["lowest"] for row in found] == pytest.approx([0, 0.1])


def test_what_was_left_out_and_the_scheme_are_told(visitors: Description) -> None:
    assert [row["question"] for row in rows(visitors, "data")] == ["topic", "mood"]
