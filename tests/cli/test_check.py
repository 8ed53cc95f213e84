"""The gate: a verdict for each condition, exit codes, formats of pipelines, settings in files."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import Result

import accordant as ac

Run = Callable[..., Result]
GOOD = [["a", "b", "c", "a", "b"] * 8, ["a", "b", "c", "a", "c"] * 8]
PAGE = Path(__file__).parents[2] / "docs" / "tutorials" / "continuous.md"


def outcomes(check: ac.Check) -> list[tuple[str, str]]:
    return [(one.outcome, one.certainty) for one in check.records]


def test_a_verdict_is_certain_if_the_whole_interval_lies_on_its_side() -> None:
    row = ac.agreement(GOOD, "alpha")["alpha"]
    for least, told in [
        (row.low - 0.01, ("holds", "certain")),
        (row.value - 0.01, ("holds", "undecided")),
        (row.value + 0.01, ("falls short", "undecided")),
        (row.high + 0.01, ("falls short", "certain")),
    ]:
        assert outcomes(ac.check(GOOD, min={"alpha": least})) == [told]


def test_the_lower_end_must_reach_its_own_threshold() -> None:
    row = ac.agreement(GOOD, "alpha")["alpha"]
    held = ac.check(GOOD, min_lower={"alpha": row.low - 0.01})
    short = ac.check(GOOD, min_lower={"alpha": row.low + 0.01})
    assert outcomes(held) == [("holds", "certain")]
    assert outcomes(short) == [("falls short", "undecided")]


def test_every_question_must_hold() -> None:
    good, bad = ["yes", "no"] * 20, ["yes", "yes", "no", "no"] * 10
    rows = [
        {"item": i, "coder": c, "topic": g, "tone": t}
        for c, tones in (("ann", good), ("bob", bad))
        for i, (g, t) in enumerate(zip(good, tones, strict=True))
    ]
    found = ac.check(rows, min={"percent": 0.9}, label=["topic", "tone"])
    assert {one.question: one.outcome for one in found.records} == {
        "topic": "holds",
        "tone": "falls short",
    }
    assert not found.holds


def test_what_is_undefined_does_not_hold() -> None:
    found = ac.check([["a"] * 10, ["a"] * 10], min={"kappa": 0.5})
    (one,) = found.records
    assert (one.outcome, one.certainty, found.holds) == ("undefined", "", False)
    assert one.reason


def test_gaps_are_counted() -> None:
    labels = [["a", "b", None, None], ["a", "b", "a", "b"], ["a", None, "a", "b"]]
    found = ac.check(labels, max_missing=0.2, min_annotations=3, layout="transposed")
    missing, least = found.records
    assert (missing.value, missing.outcome) == (0.25, "falls short")
    assert (least.value, least.outcome) == (2, "falls short")
    assert ac.check(labels, max_missing=0.25, min_annotations=2, layout="transposed").holds


def test_doubts_about_the_file_may_count() -> None:
    with pytest.warns(UserWarning, match="separator"):
        found = ac.check(GOOD, separator=";", no_warning=True)
    assert [one.outcome for one in found.records] == ["falls short"]


@pytest.mark.parametrize("given", [{}, {"min": {"nothing": 0.5}}, {"min": 0.5}, {"max_missing": 2}])
def test_a_wrong_request_is_refused(given: dict[str, object]) -> None:
    with pytest.raises(ac.RequestError):
        ac.check(GOOD, **given)  # type: ignore[arg-type]


def test_exit_codes(folder: Path, run: Run) -> None:
    assert run("check", "ratings.csv", "--min", "alpha=0.1").exit_code == 0
    assert run("check", "ratings.csv", "--min", "alpha=0.99").exit_code == 3
    assert run("check", "ratings.csv").exit_code == 2
    assert run("check", "--min", "alpha=0.1").exit_code == 2
    assert run("check", "missing.csv", "--min", "alpha=0.1").exit_code == 1


def test_formats_of_pipelines(folder: Path, run: Run) -> None:
    typed = ("check", "ratings.csv", "--min", "alpha=0.1,kappa=0.99", "-q")
    rows = json.loads(run(*typed, "-f", "json").stdout)
    assert [row["outcome"] for row in rows] == ["holds", "falls short"]
    suite = ElementTree.fromstring(run(*typed, "-f", "junit").stdout)
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    assert [len(case.findall("failure")) for case in suite] == [0, 1]
    lines = run(*typed, "-f", "github").stdout.splitlines()
    assert [re.match(r"::(\w+) file=ratings.csv,title=", x)[1] for x in lines] == [  # type: ignore[index]
        "notice",
        "error",
    ]
    written = run(*typed, "-f", "junit", "-o", "check.xml")
    assert written.exit_code == 3
    assert ElementTree.parse("check.xml").getroot().tag == "testsuite"


def test_settings_stand_in_a_file_and_what_is_typed_goes_before(folder: Path, run: Run) -> None:
    Path("pyproject.toml").write_text(
        '[tool.accordant]\nfiles = ["r*gs.csv"]\nmin = {alpha = 0.99}\n'
    )
    assert run("check").exit_code == 3
    assert run("check", "--min", "alpha=0.1").exit_code == 0
    Path("accordant.toml").write_text('files = ["ratings.csv"]\nmin-lower = {alpha = -0.9}\n')
    assert run("check").exit_code == 0


@pytest.mark.parametrize("text", ["min = [", "mini = {}", "files = 3", 'min = {alpha = "x"}'])
def test_wrong_settings_are_one_clear_error(folder: Path, run: Run, text: str) -> None:
    Path("accordant.toml").write_text(text)
    found = run("check", "ratings.csv")
    assert found.exit_code in (1, 2)
    assert "Traceback" not in found.stderr
    assert found.stderr.strip()


def test_the_workflow_of_the_docs_runs(tmp_path: Path) -> None:
    page = PAGE.read_text(encoding="utf-8")
    files = re.findall(r"^<!-- file: (\S+) -->\n+```\w*\n(.*?)^```$", page, re.M | re.S)
    for name, content in files:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    typed = re.findall(r"- run: accordant (.*)", dict(files)[".github/workflows/labels.yml"])
    codes = [
        subprocess.run([sys.executable, "-m", "accordant", *line.split()], cwd=tmp_path).returncode
        for line in typed
    ]
    assert codes == [0, 3]
