"""What to settle first and the scheme taken apart: the numbers of the calls behind them."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

from accordant.data import examples
from accordant.diagnosis.diagnose import diagnose
from accordant.diagnosis.levers import CEILING, WORDS
from accordant.numbers import decimal
from accordant.render.html import html
from accordant.render.latex import latex
from accordant.render.markdown import markdown
from accordant.views.charts import fitted, gains
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


def blocks(found: Document, key: str, kind: type[Any], of: str = "") -> list[Any]:
    """The blocks of a kind in a section, of one question if there are several."""
    section = found[key]
    if of:
        (choice,) = [b for b in section.blocks if isinstance(b, Choice)]
        section = type(section)(key, "", "", dict(choice.options)[of])
    return [b for b in section.every_block() if isinstance(b, kind)]


# ------------------------------------------------------------------ what to settle first


def test_the_plan_is_that_of_the_diagnosis(visitors: Report) -> None:
    found = diagnose(examples.load("visitors"))["topic"].levers
    plan = found.plan(3)
    assert f"Question topic: {found.in_words(plan)}" in visitors["levers"].lead
    assert visitors["levers"].lead.count(CEILING) == 1
    charts = blocks(visitors, "levers", Chart, "Question topic")
    assert [(r["before"], r["after"]) for r in charts[0].table.rows] == [
        (step.before, step.after) for step in plan
    ]
    drawn = charts[0].definition["data"]["values"]
    assert [row["then"] for row in drawn] == [step.after for step in plan]
    assert f"to {decimal(plan[-1].after)}" in charts[0].title


def test_every_lever_says_what_it_takes(visitors: Report) -> None:
    (table,) = [
        t for t in blocks(visitors, "levers", Table, "Question topic")
        if t.title == "Each by itself"
    ]  # fmt: skip
    known = {s.name: s for s in diagnose(examples.load("visitors"))["topic"].levers}
    kinds = [row["kind"] for row in table.rows]
    assert kinds == sorted(kinds, key=[words[0] for words in WORDS.values()].index)
    assert max(map(kinds.count, kinds)) <= 10
    for row in table.rows:
        step = known[row["what"]]
        assert (row["n_items"], row["after"], row["gain"]) == (step.n_items, step.after, step.gain)
    assert {"pair of categories", "category", "coder"} <= {row["kind"] for row in table.rows}


def test_merging_never_stands_without_its_cost(visitors: Report) -> None:
    tables = [t for t in blocks(visitors, "levers", Table) if t.title.startswith("Merging")]
    assert tables
    for table in tables:
        assert {"share_lost", "bits_lost", "n_given_up"} <= {c.key for c in table.columns}
        assert "agreements no longer told apart" in {c.heading for c in table.columns}
        assert all(row["share_lost"] > 0 for row in table.rows)
        assert "lose" in table.title
        assert "never free" in table.notes[0]


def test_what_settles_everything_is_no_lever() -> None:
    """Of two categories the only pair is every disagreement: α would be 1, which says nothing."""
    rng = np.random.default_rng(4)
    right = rng.integers(0, 2, 80)
    data = [np.where(rng.random(80) < 0.85, right, 1 - right).tolist() for _ in range(3)]
    found = report(data, coders_in="rows")
    assert found["levers"].lead.startswith("With two categories there is no pair to settle first.")
    (chart,) = blocks(found, "levers", Chart)
    assert all(row["after"] < 1 for row in chart.table.rows)


def test_all_pairs_there_are_are_no_plan() -> None:
    """Of three categories three pairs are everything: there is an order, but no choice."""
    rng = np.random.default_rng(4)
    right = rng.integers(0, 3, 80)
    data = [np.where(rng.random(80) < 0.8, right, rng.integers(0, 3, 80)).tolist() for _ in "abc"]
    found = report(data, coders_in="rows")["levers"]
    assert found.lead.startswith("All pairs there are, what brings most first: ")
    assert "1.000" not in found.lead
    assert not any("One after the other" in b.title for b in found.blocks if isinstance(b, Chart))


def test_two_coders_are_told_how_ties_are_broken() -> None:
    rng = np.random.default_rng(4)
    data = rng.integers(0, 4, (2, 60)).tolist()
    (table,) = [
        b.table for b in report(data, coders_in="rows")["levers"].blocks
        if isinstance(b, Chart) and b.table.title == "Each by itself"
    ]  # fmt: skip
    assert any("no majority" in note for note in table.notes)


def test_the_plan_does_not_settle_everything(single: Report) -> None:
    keys = [section.key for section in single.sections]
    if "levers" in keys:
        assert "→ 1.000" not in single["levers"].lead


# ------------------------------------------------------------------ everywhere the same


def test_every_format_says_the_same(neat: Report) -> None:
    content = json.loads(neat.to_json())
    texts = [html(neat), markdown(neat), latex(neat)]
    for key in ("levers", "levels"):
        (section,) = [s for s in content["sections"] if s["key"] == key]
        chart = next(b for b in section["blocks"] if b["block"] == "chart")
        first = chart["table"]["rows"][0]
        for name in ("after", "before") if key == "levers" else ("first", "second"):
            assert all(decimal(first[name]) in text for text in texts)


def test_a_chart_of_gains_begins_where_there_is_something_to_see() -> None:
    drawn = gains([{"name": "a", "now": 0.71, "then": 0.83}, {"name": "b", "now": 0.71,
                    "then": math.nan}], title="α")  # fmt: skip
    x = drawn["layer"][0]["encoding"]["x"]
    assert x["scale"]["domain"] == [0.7, 0.9]
    assert drawn["data"]["values"][1]["then"] is None
    assert gains([{"name": "a", "now": 0.5, "then": 1.0}], title="α")["layer"][0]["encoding"]["x"][
        "scale"]["domain"] == [0.5, 1.0]  # fmt: skip


def test_names_on_two_lines_stay_different() -> None:
    names = [f"one long beginning that all of them have in common, then {k}" for k in "ab"]
    found = fitted(names, 2)
    assert len(set(found)) == 2
    assert all(len(line) <= 25 for name in found for line in name.split("\n"))


@pytest.mark.parametrize("name", examples.names())
def test_all_examples_are_told(name: str) -> None:
    found = report(examples.load(name))
    text = found.summary()
    assert "nan" not in text.lower().replace("finan", "")
    for section in found.sections:
        assert section.lead
        for block in section.every_block():
            if isinstance(block, Table):
                assert block.rows, (section.key, block.title)
