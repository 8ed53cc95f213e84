"""`accordant diagnose`: the whole answer, every table in every format, and what goes wrong."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

import accordant as ac
from accordant.cli.asked import SHOWN
from accordant.cli.breakdowns import BREAKDOWNS
from accordant.cli.output import FORMATS
from accordant.data import examples

Run = Callable[..., Result]

VISITORS = str(examples.path("visitors"))
SETS = str(examples.path("marchal2022_table1"))


def rows(run: Run, *words: str) -> list[dict[str, Any]]:
    result = run("diagnose", *words, "-q", "-f", "json")
    assert result.exit_code == 0, result.stderr
    found: list[dict[str, Any]] = json.loads(result.stdout)
    return found


# ------------------------------------------------------------------ the whole answer


def test_the_whole_answer(run: Run) -> None:
    text = run("diagnose", VISITORS, "--scale", "mood=ordinal", "-q").stdout
    assert text.index("question topic") < text.index("question mood")
    found = ac.diagnose(VISITORS, scale={"mood": "ordinal"})
    told = [f for part in found.each for f in part.patterns if f.severity != "note"]
    assert told, "the example has patterns to tell"
    plain = " ".join(text.split())
    for finding in told:
        assert finding.title in plain
        assert finding.sentence.replace("\N{NO-BREAK SPACE}", " ") in plain.replace(
            "\N{NO-BREAK SPACE}", " "
        )
    assert "--show" in text


def test_the_same_findings_as_in_python(run: Run) -> None:
    found = ac.diagnose(VISITORS)
    assert [(r["question"], r["code"]) for r in rows(run, VISITORS)] == [
        (f.question, f.code) for f in found.findings
    ]


def test_nothing_to_explain(run: Run, folder: Path) -> None:
    (folder / "same.csv").write_text("item,a,b\n" + "".join(f"{i},{'xy'[i % 2]},{'xy'[i % 2]}\n"
                                                            for i in range(8)))  # fmt: skip
    assert "agree on every item" in run("diagnose", "same.csv", "-q").stdout
    (folder / "alone.csv").write_text("item,coder,label\n1,a,x\n2,a,y\n3,b,y\n")
    assert "each on items of their own" in run("diagnose", "alone.csv", "-q").stdout
    (folder / "one.csv").write_text("item,a,b\n1,x,x\n2,x,x\n")
    assert "same" in run("diagnose", "one.csv", "-q").stdout


# ------------------------------------------------------------------ every table


def test_the_tables_are_those_of_the_help() -> None:
    assert {"findings", *BREAKDOWNS} == set(SHOWN)


@pytest.mark.parametrize("kind", SHOWN)
@pytest.mark.parametrize("form", FORMATS)
def test_every_table_in_every_format(run: Run, kind: str, form: str) -> None:
    result = run("diagnose", VISITORS, "--scale", "mood=ordinal", "--show", kind, "-f", form)
    assert result.exit_code == 0, result.stderr
    assert "Error" not in result.stderr
    if form == "csv" and not result.stdout.strip():
        assert len(result.stderr.splitlines()) > 4, "no row, and nothing said why"
    else:
        assert result.stdout.strip()


@pytest.mark.parametrize("kind", SHOWN)
def test_every_table_of_sets_and_of_counts(run: Run, folder: Path, kind: str) -> None:
    (folder / "counts.csv").write_text("item,a,b\n1,2,0\n2,1,1\n3,0,2\n4,2,0\n5,1,1\n")
    for words in ([SETS, "--separator", ";"], ["counts.csv", "--layout", "counts"]):
        for form in ("table", "json"):
            result = run("diagnose", *words, "--show", kind, "-f", form, "-q")
            assert result.exit_code == 0, result.stderr
            assert "defect" not in result.stderr


@pytest.mark.parametrize("kind", SHOWN)
def test_rows_have_the_same_keys(run: Run, kind: str) -> None:
    for gold in ([], ["--gold", "Ada"]):
        found = rows(run, VISITORS, "--show", kind, *gold)
        assert len({tuple(row) for row in found}) <= 1
        table = run("diagnose", VISITORS, "--show", kind, *gold, "-q", "-f", "csv").stdout
        assert len(list(csv.DictReader(io.StringIO(table)))) == len(found)


def test_no_line_is_wider_than_the_terminal(run: Run) -> None:
    for kind in SHOWN:
        text = run("diagnose", VISITORS, "--show", kind, "-q", env={"COLUMNS": "80"}).stdout
        assert max(map(len, text.splitlines())) <= 80, kind


def test_most(run: Run) -> None:
    assert len(rows(run, VISITORS, "--show", "items", "-n", "3")) == 6
    every = rows(run, VISITORS, "--show", "items")
    found = ac.diagnose(VISITORS)
    assert len(every) == sum(part.items.n_disputed for part in found.each)
    text = run("diagnose", VISITORS, "--show", "pairs", "-n", "2", "-q").stdout
    assert text.count("and 4 more: --most 6") == 2


# ------------------------------------------------------------------ confusions and their items


def test_a_pair_of_coders(run: Run) -> None:
    found = rows(run, "ratings.csv", "--of", "anna", "--against", "bob")
    assert {(r["row"], r["column"]): r["n"] for r in found} == {
        ("yes", "yes"): 2, ("no", "no"): 2, ("unsure", "unsure"): 1,
    }  # fmt: skip
    cells = {(r["row"], r["column"]): r for r in rows(run, "ratings.csv", "--of", "cleo",
                                                       "--against", "anna")}  # fmt: skip
    assert cells["no", "yes"]["n"] == 2
    assert cells["no", "yes"]["row_share"] == pytest.approx(2 / 3)


def test_a_coder_against_all_others(run: Run) -> None:
    found = {(r["row"], r["column"]): r["n"] for r in rows(run, "ratings.csv", "--of", "cleo")}
    assert found["yes", "no"] == 2  # item 2: anna and bob
    assert found["no", "yes"] == 3  # item 3: anna; item 6: anna and bob
    assert sum(found.values()) == 11


def test_every_pair_of_coders(run: Run) -> None:
    found = rows(run, "ratings.csv", "--show", "confusion")
    assert {(r["first"], r["second"]) for r in found} == {
        ("anna", "bob"), ("anna", "cleo"), ("bob", "cleo"),
    }  # fmt: skip
    text = run("diagnose", "ratings.csv", "--show", "confusion", "-q").stdout
    assert "one ↓ other →" in text
    assert "16 pairs of annotations" in text


def test_many_labels_are_listed(run: Run, folder: Path) -> None:
    lines = "".join(f"{i},label {i},label {(i + i % 2) % 30}\n" for i in range(30))
    (folder / "many.csv").write_text("item,a,b\n" + lines)
    text = run("diagnose", "many.csv", "--show", "confusion", "-q").stdout
    assert "one gave" in text
    assert "↓" not in text


@pytest.mark.parametrize(
    "words, items",
    [
        (["--cell", "yes", "no"], {2, 3, 6}),
        (["--cell", "yes", "no", "--of", "cleo", "--against", "anna"], {2}),
        (["--cell", "no", "yes", "--of", "cleo"], {3, 6}),
        (["--cell", "unsure", "unsure"], {4}),
        (["--cell", "unsure", "yes"], set()),
    ],
)
def test_the_items_behind_a_cell(run: Run, words: list[str], items: set[int]) -> None:
    assert {int(r["item"]) for r in rows(run, "ratings.csv", *words)} == items


def test_items_are_shown_with_their_texts(run: Run) -> None:
    text = run("diagnose", VISITORS, "--cell", "staff", "children", "-q").stdout
    assert "One coder said staff, another children" in text
    assert "“They found a chair for my mother without being asked.”" in text


def test_a_cell_of_sets(run: Run) -> None:
    words = ("diagnose", SETS, "--separator", ";", "-q", "--cell", "A")
    assert "Only c1 gave A, only c2 C" in run(*words, "C").stdout
    assert run(*words, "(nothing more)").exit_code == 0


# ------------------------------------------------------------------ what goes wrong


@pytest.mark.parametrize(
    "words, code, said",
    [
        (["--against", "bob"], 2, "--of NAME"),
        (["--of", "anna", "--show", "items"], 2, "--show confusion"),
        (["--cell", "yes", "no", "--show", "coders"], 2, "--cell lists items"),
        (["--show", "nothing"], 2, "findings"),
        (["-n", "0"], 2, "x>=1"),
        (["--of", "dan"], 1, "there is no coder 'dan'"),
        (["--of", "anna", "--against", "dan"], 1, "there is no coder 'dan'"),
        (["--cell", "yes", "maybe"], 1, "there is no label 'maybe'"),
        (["--gold", "dan"], 1, "there is no coder 'dan'"),
        (["--order", "time"], 1, "'time'"),
        (["--weights", "lineer"], 1, "lineer"),
    ],
)
def test_errors(run: Run, words: list[str], code: int, said: str) -> None:
    result = run("diagnose", "ratings.csv", *words)
    assert result.exit_code == code
    assert result.stdout == ""
    assert said in result.stderr
    assert "defect" not in result.stderr
    assert result.stderr.count("Error: ") == 1


def test_labels_of_two_questions(run: Run) -> None:
    result = run("diagnose", VISITORS, "--cell", "staff", "5")
    assert result.exit_code == 1
    assert "no question has 'staff' and '5'" in result.stderr
