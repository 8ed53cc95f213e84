"""Items with disagreement, their spread, groups of items."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import accordant as ac
from accordant.diagnosis.diagnose import Diagnosis
from accordant.views.blocks import Table
from accordant.views.view import named

NAMES = ("item-agreement", "items", "item-groups")


def rows(found: Diagnosis, name: str, **options: Any) -> list[dict[str, Any]]:
    return named("diagnose", name).rows(found.told_parts, **options)


def test_golden_page(golden: Callable[..., None], known: Diagnosis) -> None:
    options = {"items": {"most": 5}}
    golden(
        "items",
        [
            named("diagnose", name).section(known.told_parts, **options.get(name, {}))
            for name in NAMES
        ],
    )


def test_every_disputed_item_is_there_the_hardest_first(known: Diagnosis) -> None:
    found = rows(known, "items")
    assert len(found) == known.pooled.items.n_disputed
    assert [row["agreement"] for row in found] == sorted(row["agreement"] for row in found)
    assert all(row["text"].startswith("text ") for row in found)


def test_items_behind_a_cell(known: Diagnosis) -> None:
    found = rows(known, "items", cell=("b", "a"), of="Ann", against="Cleo")
    table = known.pooled.contingency("Ann", "Cleo")
    assert len(found) == table.table[1, 0] > 0
    assert all("Ann: b" in row["annotations"] and "Cleo: a" in row["annotations"] for row in found)


def test_most_limits_the_items(known: Diagnosis) -> None:
    assert rows(known, "items", most=3) == rows(known, "items")[:3]


def test_levels_count_every_item(known: Diagnosis) -> None:
    found = rows(known, "item-agreement")
    assert sum(row["n_items"] for row in found) == known.pooled.coverage.n_pairable


def test_hard_items_have_a_group(known: Diagnosis) -> None:
    (block,) = named("diagnose", "item-groups").make(known.pooled)
    assert isinstance(block, Table)
    first = block.rows[0]
    assert (first["metadata"], first["metadata_value"]) == ("genre", "poem")
    assert first["agreement"] < first["elsewhere"]


def test_agreement_on_all_items_has_no_items() -> None:
    assert rows(ac.diagnose([["a", "b"], ["a", "b"]]), "items") == []
