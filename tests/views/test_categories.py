"""Categories, their use by coders, directions, margins, prevalence and merging."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import accordant as ac
from accordant.data import examples
from accordant.diagnosis.diagnose import Diagnosis, Part
from accordant.numbers import tied
from accordant.views.view import named

NAMES = ("categories", "directions", "label-use", "margins", "prevalence", "merging")


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


def test_use_says_who_gave_what(known: Diagnosis) -> None:
    found = rows(known, "label-use")
    p_values = [tied(row["p_value"]) for row in found]
    assert p_values == sorted(p_values)  # type: ignore[type-var]
    margins = {
        (m.first, m.second, c.category): c for m in known.pooled.margins for c in m.categories
    }
    for row in found:
        c = margins[row["first"], row["second"], row["category"]]  # type: ignore[index]
        assert (row["n_first"], row["n_second"]) == (c.first, c.second)


def test_directions_count_each_difference_once() -> None:
    found = ac.diagnose(examples.load("visitors"), weights=None)
    assert all(
        row["n_first_higher"] + row["n_second_higher"] == row["n_differences"]  # type: ignore[operator]
        for row in rows(found, "directions")
    )


def test_a_clear_direction_is_told() -> None:
    data = ac.read([["n"] * 12, ["n"] * 3 + ["y"] * 9], layout="transposed")
    (row,) = rows(ac.diagnose(data), "directions")
    assert (row["n_second_higher"], row["n_first_higher"]) == (9, 0)
    assert (row["lower_category"], row["higher_category"]) == ("n", "y")


def test_margins_have_the_tests_of_both_coders(known: Diagnosis) -> None:
    found = rows(known, "margins")
    assert len(found) == 6
    tests = {(m.first, m.second): m for m in known.pooled.margins}
    for row in found:
        m = tests[row["first"], row["second"]]  # type: ignore[index]
        assert (row["stuart_maxwell_p"], row["bowker_p"]) == (
            m.stuart_maxwell.p_value,
            m.bowker.p_value,
        )


def test_prevalence_and_bias_add_up(known: Diagnosis) -> None:
    for row in rows(known, "prevalence"):
        parts = [row[key] for key in ("s", "by_prevalence", "by_bias", "by_sample")]
        assert sum(parts) == pytest.approx(row["value"])  # type: ignore[arg-type]


def test_merging_says_what_it_costs(known: Diagnosis) -> None:
    found = rows(known, "merging")
    assert {found[0]["first_category"], found[0]["second_category"]} == {"a", "b"}
    changes = [row["alpha_change"] for row in found]
    assert changes == sorted(changes, reverse=True)  # type: ignore[type-var]
    assert all(
        row["alpha_after"] - row["alpha_before"] == pytest.approx(row["alpha_change"])  # type: ignore[operator]
        and row["share_lost"] > 0
        for row in found
    )


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("data", [[["a", "b", "a", "c"]], [["a", "a"], ["a", "a"]]])
def test_thin_data_have_no_rows_or_some_but_never_fail(name: str, data: list[list[str]]) -> None:
    part: Part = ac.diagnose(data).pooled
    assert list(named("diagnose", name).make(part))
