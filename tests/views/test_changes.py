"""Two rounds compared: the change, how it was tested, what makes them hard to compare."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import accordant as ac
from accordant.inference.coefficient_table import ComparisonTable
from accordant.render.show import sections_of
from accordant.views.view import named


def rows(slip: int, extra: str = "b", n: int = 40) -> list[dict[str, object]]:
    return [
        {"item": f"i{i:02}", "coder": coder, "label": extra if (i + k) % slip == 0 else "ac"[i % 2]}
        for i in range(n)
        for k, coder in enumerate(("Ada", "Bea", "Cem"))
    ]


@pytest.fixture(scope="module")
def found() -> ComparisonTable:
    return ac.compare(rows(4), rows(9, "d"))


def test_golden_page(found: ComparisonTable, golden: Callable[..., None]) -> None:
    golden(
        "changes",
        [*sections_of(found), *sections_of(ac.compare(rows(4), rows(9), "alpha", paired=False))],
    )


def test_programs_get_the_rows_of_the_result(found: ComparisonTable) -> None:
    shown = named("compare", "changes").rows(found.told_parts)
    for row, own in zip(shown, found, strict=True):
        assert row | own.to_rows()[0] == row
    assert [row["difference"] for row in shown] == [row.difference for row in found]


def test_what_differs_is_said_with_its_facts(found: ComparisonTable) -> None:
    facts = {(m.code, m.facts.get("source")): m.facts for m in found.messages}
    assert facts["paired", None] == {"n_common": 40, "n_apart": 0}
    assert facts["categories_differ", "the first data set"]["only"] == ("b",)
    assert facts["categories_differ", "the second data set"]["only"] == ("d",)
    assert all(m.text in str(found).replace("\n  ", " ") for m in found.messages)


def test_sets_against_single_labels_are_a_warning() -> None:
    sets = [
        row | {"label": ("a", "c") if row["item"] == "i01" else (row["label"],)} for row in rows(4)
    ]
    told = {m.code: m for m in ac.compare(sets, rows(4), "alpha").messages}
    assert told["sets_and_labels"].severity == "warning"
    assert told["sets_and_labels"].facts["sets_in"] == "the first data set"
