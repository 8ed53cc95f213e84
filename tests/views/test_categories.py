"""Categories, and what the distributions of two coders do to kappa."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import accordant as ac
from accordant.diagnosis.diagnose import Diagnosis, Part
from accordant.views.view import named

NAMES = ("categories", "margins")


def rows(found: Diagnosis, name: str) -> list[dict[str, object]]:
    return named("diagnose", name).rows(found.told_parts)


def test_golden_page(golden: Callable[..., None], known: Diagnosis) -> None:
    golden("categories", [named("diagnose", name).section(known.told_parts) for name in NAMES])


def test_each_category_has_its_estimates(known: Diagnosis) -> None:
    for row, found in zip(rows(known, "categories"), known.pooled.categories.rows, strict=True):
        assert row["category"] == found.category
        assert (row["specific"], row["specific_low"]) == (found.specific.value, found.specific.low)
        assert (row["alpha"], row["ac"]) == (found.alpha.value, found.ac.value)


def test_means_over_labels_stand_below_the_labels_of_sets(sets: Diagnosis) -> None:
    last = rows(sets, "categories")[-1]
    assert last["category"] == "mean over labels"
    assert last["alpha"] == sets.pooled.facts.coefficients["label_alpha"].value


def test_margins_have_the_tests_of_both_coders(known: Diagnosis) -> None:
    found = rows(known, "margins")
    assert len(found) == 6
    for row, own in zip(found, known.pooled.indices, strict=True):
        assert {row["kappa_max"] for row in found} == {x.kappa_max for x in known.pooled.indices}
        assert own.kappa_max >= own.kappa


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("data", [[["a", "b", "a", "c"]], [["a", "a"], ["a", "a"]]])
def test_thin_data_have_no_rows_or_some_but_never_fail(name: str, data: list[list[str]]) -> None:
    part: Part = ac.diagnose(data).pooled
    assert list(named("diagnose", name).make(part))
