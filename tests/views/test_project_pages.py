"""What is told of a project: one golden page for its commands, one for its report."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import accordant as ac
from cli.projects import Walk
from resolution.team import Team, begun, ready
from views.projects import at_work, deprecated, ground_truth

GOLDEN = Path(__file__).parent / "golden"
COMMANDS = (
    "status --all",
    "person",
    "items",
    "compare",
    "release --list",
    "release --check",
    "export",
    "cases",
    "case 1",
    "case 2",
    "case 3",
    "causes",
    "suggest",
    "task",
    "guidelines",
    "concepts",
    "reannotate",
    "statement",
    "log --last 12",
)


@pytest.fixture
def say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Walk:
    monkeypatch.setenv("COLUMNS", "100")
    return Walk.into(tmp_path, monkeypatch)


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """A page as it is kept, whatever the moment and the hashes."""

    def check(name: str, page: str) -> None:
        page = re.sub(r"\b[0-9a-f]{12,64}\b…?", "HASH", page)
        page = re.sub(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:[\d.]+Z?)?)?", "MOMENT", page)
        page = re.sub(r"Accordant [\d.a-z+]+|accordant [\d.a-z+]+(?= \|)", "Accordant", page)
        path = GOLDEN / f"{name}.txt"
        if request.config.getoption("--update-golden", default=False):
            path.write_text(page, encoding="utf-8")
        assert page == path.read_text(encoding="utf-8")

    return check


def test_golden_page_of_the_commands(
    say: Walk, tmp_path: Path, golden: Callable[[str, str], None]
) -> None:
    deprecated(tmp_path).project.close()
    pages = (f"$ accordant project {typed}\n\n{say(typed, 'A1')}" for typed in COMMANDS)
    golden("project_commands", "\n".join(pages))


def test_golden_page_of_the_report(
    say: Walk, tmp_path: Path, golden: Callable[[str, str], None]
) -> None:
    report = ac.project_report(deprecated(tmp_path).project)
    golden("project_report", report.save(tmp_path / "r.md").read_text(encoding="utf-8"))


@pytest.mark.parametrize("make", [begun, at_work, ground_truth])
def test_every_view_tells_a_project_at_any_step(
    say: Walk, tmp_path: Path, make: Callable[[Path], Team]
) -> None:
    make(tmp_path).project.close()
    shows = [typed for typed in COMMANDS if not typed.startswith(("case ", "compare", "export"))]
    for typed in shows:
        assert say(typed, "R")
        json.loads(say(f"{typed} -f json", "R")) if typed != "status --all" else None


def test_commands_and_the_report_tell_the_same_cases(say: Walk, tmp_path: Path) -> None:
    team = deprecated(tmp_path)
    told = json.loads(ac.project_report(team.project, person="A1").to_json())
    section = next(s for s in told["sections"] if s["key"] == "cases")
    reported = next(b for b in section["blocks"] if b.get("block") == "table")["rows"]
    listed = json.loads(say("cases -f json", "A1"))
    for key in ("case", "item", "question", "cause", "outcome"):
        assert [row[key] for row in reported] == [row[key] for row in listed]


# ---------------------------------------------------------------- what a report says


def sections(team: Team) -> dict[str, str]:
    """The report's chapters as plain text, in one line each."""
    told = ac.project_report(team.project)
    text = json.loads(told.to_json())
    return {one["key"]: json.dumps(one, ensure_ascii=False) for one in text["sections"]}


def test_the_status_stands_first(tmp_path: Path) -> None:
    report = ac.project_report(deprecated(tmp_path).project)
    assert report.status == "Release 1: deprecated."
    assert report.verdict[0].startswith(report.status)
    assert "Notice" in [section.title for section in report.sections]


def test_a_ground_truth_has_no_notice_and_an_agreement_by_construction(tmp_path: Path) -> None:
    report = ac.project_report(ground_truth(tmp_path).project)
    assert "notice" not in [section.key for section in report.sections]
    assert any("1 by construction" in sentence for sentence in report.verdict)


def test_agreement_of_the_small_project_by_hand(tmp_path: Path) -> None:
    """Round 1, Q: 24 pairs of coders, 6 differ; shares of label 1: 4/8, 5/8, 4/8."""
    rows = ac.project_report(at_work(tmp_path).project).to_rows()
    of_q = {r["coefficient"]: r for r in rows if r["round"] == 1 and r["question"] == "Q"}
    expected = (1 / 2 + 1 / 2 + 1 / 2) / 3
    assert of_q["kappa"]["observed"] == pytest.approx(18 / 24)
    assert of_q["kappa"]["value"] == pytest.approx((18 / 24 - expected) / (1 - expected))


def test_an_open_round_tells_nothing(tmp_path: Path) -> None:
    team = ready(tmp_path, {"Q": {"A1": "01", "A2": "00"}}, options={"Q": ["0", "SECRET"]})
    team.do("round open")
    team.do("annotate", "A2", answers={"Q": {"i1": "SECRET"}})
    told = sections(team)
    assert not told.keys() & {"cases", "causes"}
    assert all("SECRET" not in text for key, text in told.items() if key != "toolbox")


def test_markup_in_a_project_is_shown_not_obeyed(tmp_path: Path) -> None:
    team = at_work(tmp_path)
    team.do("case reason", "A1", cases=1, text="<b>bold</b> & [link](x)")
    report = ac.project_report(team.project, person="A1")
    page = report.save(tmp_path / "r.html").read_text(encoding="utf-8")
    assert "&lt;b&gt;bold&lt;/b&gt; &amp;" in page
