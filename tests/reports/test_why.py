"""Why coders disagree: the same patterns with the same numbers in every format."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from accordant.data import examples
from accordant.diagnosis import diagnose
from accordant.diagnosis.finding import Contrast, Evidence, Finding
from accordant.render.html import html
from accordant.render.latex import latex
from accordant.render.markdown import markdown
from accordant.views import document
from accordant.views.charts import beside
from accordant.views.report import Report, report

from .conftest import rows

LINES = (
    Contrast("pro ↔ con", 41, 0.6123, 0.3345),
    Contrast("pro ↔ neutral", 17, 0.2512, 0.3345),
    Contrast("a name that nobody would give to two categories of a scheme", 9, 0.1365),
)


def told(view: Any) -> tuple[Finding, ...]:
    """Three made-up patterns: one with everything, one that is bare, one of little weight."""
    if view.question == "spam":
        return ()
    seen = Evidence(
        LINES, "categories", "pairs", "of all confusions", "by chance",
        tuple(view.items.hardest(9).tolist()),
    )  # fmt: skip
    return (
        Finding(
            "confused_pair", "warning", "“pro” and “con” are taken for each other.",
            "Draw the line.", {}, ("cohen1960",), view.question, 0.1234, "categories", seen,
        ),
        Finding("diffuse_noise", "warning", "All over.", "Train.", {}, (), view.question, 0.004),
        Finding("coder_drifts", "note", "Ann drifts.", "", {}, (), view.question, 0.001, "coder"),
    )  # fmt: skip


@pytest.fixture
def with_patterns(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Report]:
    """Reports on data in which these patterns are found, whatever the data."""
    monkeypatch.setattr(diagnose, "patterns", told)
    return report


@pytest.fixture
def made_up(with_patterns: Callable[..., Report]) -> Report:
    """A report on two questions, one of which has patterns."""
    return with_patterns(rows())


def findings(found: Report, key: str = "why") -> list[document.Finding]:
    return [b for b in found[key].every_block() if isinstance(b, document.Finding)]


def test_what_is_most_at_stake_comes_first(made_up: Report) -> None:
    first, second, third = findings(made_up)
    assert first.stake == pytest.approx(0.1234, abs=0)
    assert first.at_stake == "about 0.12 of α at stake"
    assert second.at_stake == "less than 0.01 of α at stake"
    assert first.title.endswith("· question stance")
    (fold,) = [b for b in made_up["why"].blocks if isinstance(b, document.Fold)]
    assert fold.blocks == (third,)
    assert made_up["why"].lead == (
        "Question stance: Two categories are taken for each other, about 0.12 of α at stake. "
        "1 further pattern follows."
    )
    reason = "Question stance: “pro” and “con” are taken for each other. About 0.12 of α at stake."
    assert f"Why coders disagree, first of all: {reason}" in made_up.verdict


def test_no_pattern_is_told_twice(made_up: Report) -> None:
    said = " ".join(sentence for f in findings(made_up, "findings") for _, sentence in f.about)
    assert "taken for each other" not in said
    assert {f.title for f in findings(made_up)}.isdisjoint(
        f.title for f in findings(made_up, "findings")
    )


def test_chart_and_table_hold_what_was_seen(made_up: Report) -> None:
    (chart,) = findings(made_up)[0].blocks
    assert isinstance(chart, document.Chart)
    shown = [(r["name"], r["n"], r["share"], r["other"]) for r in chart.table.rows]
    assert str(shown) == str([(c.name, c.n, c.share, c.other) for c in LINES])
    drawn = chart.definition["data"]["values"]
    assert [row["share"] for row in drawn] == [c.share for c in LINES]
    assert [row["other"] for row in drawn] == [0.3345, 0.3345, None]


def test_an_axis_of_near_shares_begins_below_them() -> None:
    def domain(rows: list[tuple[float, float]], near: bool) -> list[float]:
        named = [
            {"name": str(k), "share": a, "other": b} for k, (a, b) in enumerate(rows)
        ]  # fmt: skip
        drawn = beside(named, title="x", near=near)
        return list(drawn["layer"][0]["encoding"]["x"]["scale"]["domain"])

    near = [(0.93, 0.95), (0.94, math.nan)]
    assert domain(near, True)[0] == pytest.approx(0.9)
    assert domain(near, True)[1] <= 1
    assert domain(near, False)[0] == 0
    assert domain([(0.1, 0.9)], True)[0] == 0
    assert domain([(0.0, 0.0)], True) == pytest.approx([0, 0.054])
    assert domain([(1.0, 1.0)], True)[0] < 1


def test_items_behind_a_pattern_can_be_read(made_up: Report) -> None:
    items = findings(made_up)[0].items
    assert items is not None
    total, entries = made_up.evidence.cells[items.key]
    assert total == len(entries) == len(items.names) == 9
    assert tuple(made_up.evidence.entries[e][0] for e in entries) == items.names
    assert items.spoken.endswith(": 9 items")


def test_every_format_says_the_same(made_up: Report, tmp_path: Path) -> None:
    pdf = made_up.save(tmp_path / "r.pdf").read_bytes()
    assert pdf.startswith(b"%PDF-")
    page, plain = re.sub(r"<[^>]+>", " ", html(made_up)), made_up.summary()
    for text in (page, markdown(made_up).replace("\\", ""), " ".join(plain.split())):
        assert "“pro” and “con” are taken for each other." in text
        assert "Draw the line." in text
        assert "(about 0.12 of α at stake)" in text or "· about 0.12 of α at stake" in text
    for text in (page, markdown(made_up).replace("\\", ""), latex(made_up).replace("\\", "")):
        assert "61.2" in text
        assert "33.5" in text  # 33.45
    content = json.loads(made_up.to_json())
    (section,) = [s for s in content["sections"] if s["key"] == "why"]
    block = section["blocks"][0]
    assert block["stake"] == pytest.approx(0.1234, abs=0)
    assert block["blocks"][0]["table"]["rows"][0]["share"] == pytest.approx(0.6123, abs=0)
    assert block["blocks"][0]["table"]["rows"][2]["other"] is None


def test_the_terminal_says_it_too(with_patterns: Callable[..., Report], tmp_path: Path) -> None:
    from click.testing import CliRunner

    from accordant.cli.main import cli

    target = str(tmp_path / "r.json")
    done = CliRunner().invoke(cli, ["report", str(examples.path("krippendorff2011")), "-o", target])
    assert done.exit_code == 0, done.output
    assert "Why coders disagree" in done.output
    assert "(about 0.12 of α at stake)" in " ".join(done.output.split())
    assert "1 more pattern in the report" in done.output


def test_nothing_alarming_is_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diagnose, "patterns", lambda view: told(view)[2:])
    found = report([["a", "b", "a", "a", "c"], ["a", "b", "b", "a", "c"]])
    assert "no pattern that is worth mending first" in found["why"].lead
    assert not any("first reason" in sentence for sentence in found.verdict)
    (fold,) = found["why"].blocks
    assert isinstance(fold, document.Fold)


def test_no_pattern_is_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(view: Any) -> tuple[Finding, ...]:
        return (Finding("no_pattern", "note", "Nothing stands out.", "Train.", {}),)

    monkeypatch.setattr(diagnose, "patterns", none)
    found = report([["a", "b", "a", "a", "c"], ["a", "b", "b", "a", "c"]])
    assert found["why"].lead.startswith("Disagreement follows no pattern")
    (block,) = findings(found)
    assert block.about == (("", "Nothing stands out."),)
    assert math.isnan(block.stake)
    assert block.at_stake == ""


@pytest.mark.parametrize(
    "data", [[["a", "b", "a"]], [["a", "b", None], [None, None, "a"]]], ids=["one coder", "apart"]
)
def test_nothing_to_compare_has_no_reasons(data: list[list[str | None]]) -> None:
    assert all(section.key != "why" for section in report(data).sections)
