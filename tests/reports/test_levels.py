"""The chapter on the scheme taken apart: the figures are those of `decompose`, and say enough."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from accordant.data import examples
from accordant.decomposition.call import decompose
from accordant.numbers import percent
from accordant.render.markdown import markdown
from accordant.views.document import Chart, Choice, Document, Table
from accordant.views.report import Report, report


@pytest.fixture(scope="module")
def visitors() -> Report:
    """Two questions, four coders, texts; one scale has an order."""
    return report(examples.load("visitors"))


@pytest.fixture(scope="module")
def neat() -> Report:
    """Three coders, sets of three labels."""
    return report(examples.load("levi2022_neat"))


def blocks(found: Document, kind: type[Any]) -> list[Any]:
    """The blocks of a kind in the chapter."""
    return [b for b in found["levels"].every_block() if isinstance(b, kind)]


def sets(n: int, swap: float, seed: int = 0) -> list[list[tuple[str, ...]]]:
    """Two coders who slip in each of three labels by themselves, and may mix up two of them."""
    rng = np.random.default_rng(seed)
    rows: list[list[tuple[str, ...]]] = [[], []]
    for _ in range(n):
        true = rng.random(3) < [0.4, 0.3, 0.25]
        for row in rows:
            x = true ^ (rng.random(3) < 0.05)
            if x[1] != x[2] and rng.random() < swap:
                x[1], x[2] = x[2], x[1]
            row.append(tuple(label for label, held in zip("CRS", x, strict=True) if held))
    return rows


def test_partitions_are_those_of_decompose(neat: Report) -> None:
    found = decompose(
        examples.load("levi2022_neat"), most=8, n_resamples=50, minimum_share=0.01
    ).to_rows()
    (chart,) = blocks(neat, Chart)
    rows = chart.table.rows
    assert [row["rule"] for row in rows] == [row["rule"] for row in found]
    keys = ("first", "second", "explained", "chance", "explained_by_slips", "beyond_slips", "gain")
    for shown, row in zip(rows, found, strict=True):
        for key in (*keys, "first_share", "top_ten"):
            assert shown[key] == pytest.approx(row[key], abs=1e-12)
    drawn = chart.definition["data"]["values"]
    assert [row["share"] for row in drawn] == [row["explained"] for row in rows]
    assert [row["other"] for row in drawn] == [row["explained_by_slips"] for row in rows]
    assert percent(rows[0]["explained"]) in neat["levels"].lead
    assert percent(rows[0]["explained_by_slips"]) in neat["levels"].lead


def test_what_it_would_explain_anyway_stands_beside(neat: Report) -> None:
    (table,) = blocks(neat, Table)
    shown = {c.key for c in table.columns}
    assert {"explained", "explained_by_slips", "beyond_slips", "flip_baseline"} <= shown
    assert "chance" not in shown  # it leaves the shape of slips in
    assert any("nothing but shape" in note for note in table.notes)
    assert any("picked for being the first" in note for note in table.notes)
    assert "Ranked by beyond slips" in table.notes[0]
    assert "mostly structure" in markdown(neat)


def test_slips_alone_are_not_sold_as_a_finding() -> None:
    assert report(sets(600, 0.0))["levels"].lead.startswith(
        "No question of the scheme carries clearly more disagreement than independent slips"
    )


def test_labels_that_are_mixed_up_are_found() -> None:
    lead = report(sets(600, 0.2))["levels"].lead
    assert lead.startswith("One question carries more disagreement than others")
    assert "independent slips in the labels would separate" in lead


def test_categories_are_compared_with_chance(visitors: Report) -> None:
    (table,) = blocks(visitors, Table)
    shown = {c.key for c in table.columns}
    assert {"chance", "excess", "first_share"} <= shown
    assert not {"beyond_slips", "gain", "top_ten"} & shown  # of 31 ten are no distinction
    assert "Ranked by excess" in table.notes[0]


def test_items_that_differ_on_level_1_can_be_read(neat: Report) -> None:
    (table,) = blocks(neat, Table)
    for row in table.rows:
        total, entries = neat.evidence.cells[row["opens"]["n_level_1"]]
        assert total == row["n_level_1"] >= len(entries) > 0
        assert row["spoken"]["n_level_1"].endswith(f": {total:,} items")


@pytest.mark.parametrize(
    "data",
    [
        [["a", "b", "a", "c"], ["a", "c", "b", "c"]],
        [["a", "b", "c", "d"], ["a", "b", "c", "d"]],
        [["a", "b", "c", "d"]],
    ],
    ids=["three categories", "no dispute", "one coder"],
)
def test_nothing_to_take_apart(data: list[list[str]]) -> None:
    assert all(section.key != "levels" for section in report(data).sections)


def test_a_scale_is_not_taken_apart(visitors: Report) -> None:
    (choice,) = visitors["levels"].blocks
    assert isinstance(choice, Choice)
    assert [name for name, _ in choice.options] == ["Question topic"]


def test_groups_in_the_names_are_a_level() -> None:
    rng = np.random.default_rng(2)
    names = [f"{group}.{k}" for group in ("Cause", "Time", "Contrast") for k in range(8)]
    right = rng.integers(0, 24, 300)
    said = [np.where(rng.random(300) < 0.7, right, rng.integers(0, 24, 300)) for _ in range(2)]
    found = report([[names[k] for k in row] for row in said], coders_in="rows")
    (table,) = [t for t in blocks(found, Table) if "rule" in t.rows[0]]
    assert [row["rule"] for row in table.rows] == ["top of the hierarchy"]
    assert table.rows[0]["first"] > 0.4
