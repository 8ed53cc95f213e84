"""`accordant report` and `accordant demo`: a summary, and documents."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

import accordant as ac

Run = Callable[..., Result]


def test_a_summary_and_a_page(run: Run, folder: Path) -> None:
    result = run("report", "ratings.csv")
    assert result.exit_code == 0, result.stderr
    assert "written to ratings-report.html" in result.stderr
    assert "item = item" in result.stderr
    page = (folder / "ratings-report.html").read_text("utf-8")
    assert "<html" in page
    value = f"{ac.agreement(folder / 'ratings.csv')['alpha'].value:.3f}"
    assert value in result.stdout
    assert value in page


def test_formats_by_name(run: Run, folder: Path) -> None:
    names = ["a.html", "a.md", "a.tex", "a.json"]
    result = run("report", "questions.csv", *(w for name in names for w in ("-o", name)))
    assert result.exit_code == 0, result.stderr
    assert all((folder / name).stat().st_size for name in names)
    assert json.loads((folder / "a.json").read_text("utf-8"))


def test_a_summary_of_several_questions(run: Run) -> None:
    shown = run("report", "questions.csv", "-q").stdout
    assert "\n  tone " in shown
    assert "topic" in shown
    assert "What to do next" in shown


@pytest.mark.parametrize("words", [["-c", "kappa"], ["-c", "ac", "--level", "0.9"]])
def test_some_coefficients_only(run: Run, words: list[str]) -> None:
    for name in ("ratings.csv", "questions.csv"):
        result = run("report", name, "-o", "a.html", *words)
        assert result.exit_code == 0, result.stderr


def test_gold_is_that_of_the_report(run: Run, folder: Path) -> None:
    lines = "".join(
        f"{i},{coder},{'xyz'[(i + (i % 7 == k)) % 3]},{50 - i}\n"
        for i in range(40)
        for k, coder in enumerate(("anna", "bob", "cleo"))
    )
    (folder / "timed.csv").write_text("item,coder,label,time\n" + lines)
    result = run("report", "timed.csv", "-q", "--gold", "anna", "-o", "r.json")
    assert result.exit_code == 0, result.stderr
    own = ac.report("timed.csv", gold="anna")
    made, expected = (
        {section["key"]: section for section in json.loads(text)["sections"]}
        for text in ((folder / "r.json").read_text("utf-8"), own.to_json())
    )
    for key in set(expected) - {"methods"}:
        assert made[key] == expected[key]
    plain = ac.report(folder / "timed.csv")
    assert own["coders"].blocks != plain["coders"].blocks
    refused = run("report", "timed.csv", "-q", "--gold", "nobody")
    assert refused.exit_code == 2
    assert "nobody" in refused.stderr


def test_the_summary_fits_the_terminal(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines = run("report", "questions.csv", "-q").stdout.splitlines()
    assert max(len(line) for line in lines if not line.startswith("  accordant")) <= 80


def test_the_browser_is_opened_when_asked(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr("click.launch", opened.append)
    run("report", "ratings.csv")
    assert opened == []
    run("report", "ratings.csv", "--open")
    assert opened == ["ratings-report.html"]


def test_the_demo(run: Run, folder: Path) -> None:
    (folder / "here").mkdir()
    result = run("demo", "--output", "here")
    assert result.exit_code == 0, result.stderr
    path = folder / "here" / "accordant-report.html"
    assert path.stat().st_size
    assert str(path.resolve()) in result.stdout
    assert "report FILE" in result.stdout
    assert run("demo").exit_code == 0
    assert (folder / "accordant-report.html").exists()


def test_the_model_of_coders_and_a_coder_who_is_a_model(run: Run, folder: Path) -> None:
    result = run(
        "report", "ratings.csv", "-o", "a.json", "--fit", "dawid_skene", "--models", "cleo"
    )
    assert result.exit_code == 0, result.stderr
    found = json.loads((folder / "a.json").read_text("utf-8"))
    assert "gpt" not in str(found)
    assert "cleo" in str(found["sections"])
    result = run("report", "ratings.csv", "-o", "b.json", "--fit", "none")
    assert len(str(found)) > (folder / "b.json").stat().st_size / 2
    wrong = run("report", "ratings.csv", "-o", "c.json", "--fit", "magic")
    assert wrong.exit_code == 2
    assert "there is no model 'magic'" in wrong.stderr
    wrong = run("report", "ratings.csv", "-o", "c.json", "--models", "nobody")
    assert wrong.exit_code == 2
    assert "there is no coder 'nobody'" in wrong.stderr
    assert not (folder / "c.json").exists()
