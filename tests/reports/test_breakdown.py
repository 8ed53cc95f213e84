"""Coders, items and confusions in more detail; data that lack something; the time it takes."""

from __future__ import annotations

from typing import Any

import pytest

from accordant.data import examples
from accordant.diagnosis.diagnose import diagnose
from accordant.views.document import Chart, Choice, Matrix, Prose, Table
from accordant.views.report import FORMATS, Report, report

from .conftest import N


def titles(found: Report, key: str, kind: type[Any] = Table) -> dict[str, Any]:
    return {b.title: b for b in found[key].every_block() if isinstance(b, kind)}


def test_coders_are_scored_on_every_category(known: Report) -> None:
    (matrix,) = [m for t, m in titles(known, "coders", Matrix).items() if "farthest" in t]
    scores = diagnose(known.table.data).pooled.scores
    assert scores is not None
    for c, coder in enumerate(matrix.row_names):
        for k, category in enumerate(matrix.column_names):
            cell, score = matrix.cells[c][k], scores.of(coder, category)
            assert cell.value == pytest.approx(score.f1)
            assert cell.small == f"{score.precision:.2f} / {score.recall:.2f}"
    table = titles(known, "coders")["Precision, recall and F1 by coder and category"]
    assert len(table.rows) == 16


def test_two_coders_are_scored_once(single: Report) -> None:
    (title,) = [t for t in titles(single, "coders") if t.startswith("Precision")]
    assert " against " in title
    assert len(titles(single, "coders")[title].rows) == 3


def test_camps_drift_and_contradictions_have_tables(known: Report) -> None:
    found = titles(known, "coders")
    (camps,) = [t for title, t in found.items() if title.startswith("Coders fall into 2 camps")]
    assert [row["coders"] for row in camps.rows] == ["Ann; Bob", "Cleo; Dan"]
    assert found["Over time"].detail
    assert {row["coder"] for row in found["Over time"].rows} == {"Ann", "Bob", "Cleo", "Dan"}
    again = found["The same text again"]
    assert all(row["n_texts"] == 40 for row in again.rows)


def test_items_are_grouped_by_what_is_known(known: Report) -> None:
    (chart,) = [c for c in titles(known, "items", Chart).values() if "elsewhere" in c.title]
    assert "“poem”" in chart.title
    names = [row["name"] for row in chart.table.rows]
    assert names.index("poem · genre") < 2
    assert all(0 <= row["share"] <= 1 for row in chart.definition["data"]["values"])


def test_items_on_which_all_differ_are_counted(known: Report) -> None:
    n = diagnose(known.table.data).pooled.items.n_all_differ
    told = [b.text for b in known["items"].every_block() if isinstance(b, Prose)]
    assert any(text.startswith(f"On {n} item") for text in told) == bool(n)


def test_every_coder_stands_against_all_others(known: Report) -> None:
    (choice,) = [b for b in known["confusion"].blocks if isinstance(b, Choice)]
    names = [name for name, _ in choice.options]
    assert [n for n in names if n.endswith(" and all others")] == [
        f"{coder} and all others" for coder in ("Ann", "Bob", "Cleo", "Dan")
    ]
    matrix = dict(choice.options)["Cleo and all others"][0]
    assert isinstance(matrix, Matrix)
    assert sum(cell.value for line in matrix.cells for cell in line) == 3 * N
    assert {cell.small for line in matrix.cells for cell in line if cell.value} != {""}
    for line in matrix.cells:
        shares = [cell.value for cell in line]
        for cell in line:
            if cell.value:
                assert cell.small == f"{100 * cell.value / sum(shares):.0f}\xa0%"


def test_prevalence_and_bias_add_up(known: Report) -> None:
    table = titles(known, "confusion")["What prevalence and bias do to each coefficient"]
    for row in table.rows:
        parts = row["from"] + row["by_prevalence"] + row["by_bias"] + row["by_sample"]
        assert parts == pytest.approx(row["value"])


def test_directions_are_told_where_there_are_any() -> None:
    found = report(examples.load("visitors"))
    (table,) = [
        t for t in found["confusion"].every_block() if isinstance(t, Table) and "up" in t.rows[0]
    ]
    assert all(row["up"] + row["down"] == row["n"] for row in table.rows)
    assert "is higher, p < 0.001" in table.title


def test_directions_of_real_data(real_data: Any) -> None:
    found = report(real_data("bjhp/bjhp_annotations_long.csv"))
    (chart,) = [
        b for b in found["confusion"].blocks if isinstance(b, Chart) and "differences" in b.title
    ]
    assert chart.title.startswith("In 26 of 32 differences (81.2\xa0%) A2 gave “1” where A1 gave")
    assert chart.table.rows[-1]["apart"]


# ------------------------------------------------------------------ data that lack something


@pytest.mark.parametrize(
    "data, options",
    [
        ([["a", "b", "a", "c"]], {}),
        ([["a", "a", "a"], ["a", "a", "a"]], {}),
        ({"item": list("wxyz"), "a": [2, 0, 1, 3], "b": [1, 3, 2, 0]}, {"layout": "counts"}),
        ([["a", "b", None, None], [None, None, "a", "b"]], {}),
        ([["a,b", "", "a", "c"], ["b", "", "a,c", "c"]], {"separator": ","}),
        ([[1.5, 2.5, 9.0, 3.5], [1.0, 2.5, 7.5, 3.0]], {"scale": "interval"}),
    ],
    ids=["one coder", "undefined", "anonymous counts", "apart", "sets", "measurements"],
)
def test_what_is_lacking_is_no_failure(data: Any, options: Any, tmp_path: Any) -> None:
    found = report(data, **options)
    for suffix in FORMATS:
        assert found.save(tmp_path / f"r{suffix}").stat().st_size > 500
    for section in found.sections:
        for block in section.every_block():
            if isinstance(block, Table):
                assert block.rows, (section.key, block.title)


def test_order_and_gold_reach_the_diagnosis(known: Report) -> None:
    found = report(known.table.data, order="day", gold="Ann")
    table = titles(found, "coders")["Over time"]
    assert table.notes[0].startswith("Order: by day.")
    (matrix,) = [m for t, m in titles(found, "coders", Matrix).items() if "farthest" in t]
    assert "Ann" not in matrix.row_names
    assert "from Ann on" in matrix.title
