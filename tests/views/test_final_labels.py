"""Final labels beside labels given, and who decides them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

import accordant as ac
from accordant.data import examples
from accordant.diagnosis.diagnose import Diagnosis
from accordant.views.blocks import Table
from accordant.views.view import named

VIEW = named("describe", "final-labels")


def tables(found: Diagnosis) -> dict[str, Table]:
    section = VIEW.section(found.parts)
    return {b.title: b for b in section.every_block() if isinstance(b, Table)}


def given() -> list[tuple[frozenset[str], frozenset[str]]]:
    data = ac.read(examples.path("marchal2022_case"), separator=";")
    return [
        tuple(frozenset(v) for _, v in sorted(item.labels))
        for item in ac.diagnose(data).pooled.items.named(range(len(data.items)))  # type: ignore[misc]
    ]  # type: ignore[arg-type]


def test_golden_page(golden: Callable[..., None], sets: Diagnosis) -> None:
    golden("final_labels", [VIEW.section(sets.parts)])


def test_final_labels_are_what_both_gave(sets: Diagnosis) -> None:
    final: Counter[str] = Counter(x for a, b in given() for x in a & b)
    found: dict[Any, int] = {r["label"]: r["n_as_final"] for r in VIEW.rows(sets.parts)}
    assert {k: n for k, n in found.items() if n} == final


def test_kinds_count_every_item(sets: Diagnosis) -> None:
    rows = {r["shared_labels"]: r["n_items"] for r in tables(sets)["Items by shared labels"].rows}
    sizes = Counter(len(a & b) for a, b in given())
    assert (rows["none"], rows["exactly one"]) == (sizes[0], sizes[1])
    assert sum(rows.values()) == len(given())


def test_who_gives_less_decides(sets: Diagnosis) -> None:
    rows = {r["coder"]: r for r in tables(sets)["Who decides the final label"].rows}
    first = sum(1 for a, b in given() if a and a < b)
    assert rows["c1"]["n_decides_alone"] == first
    assert rows["c1"]["share_decides_alone"] == pytest.approx(first / rows["c1"]["n_final"])


def test_single_labels_need_no_final_ones() -> None:
    assert VIEW.rows(ac.diagnose([["a", "b"], ["a", "b"]]).parts) == []
