"""`accordant agreement`: the numbers of the library, through every format."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

import accordant as ac

Run = Callable[..., Result]


def as_json(result: Result) -> list[dict[str, object]]:
    assert result.exit_code == 0, result.stderr
    rows: list[dict[str, object]] = json.loads(result.stdout)
    return rows


@pytest.mark.parametrize(
    "words, keywords",
    [
        ([], {}),
        (["-c", "alpha"], {"coefficients": "alpha"}),
        (["-c", "alpha,kappa", "-c", "ac1"], {"coefficients": ["alpha", "kappa", "ac1"]}),
        (["--interval", "large-sample", "--level", "0.9"],
         {"interval": "large-sample", "level": 0.9}),
        (["--interval", "bootstrap", "--resamples", "200", "--seed", "4"],
         {"interval": "bootstrap", "n_resamples": 200, "rng": 4}),
        (["--interval", "jackknife"], {"interval": "jackknife"}),
        (["--null", "0.2", "--alternative", "greater"], {"null": 0.2, "alternative": "greater"}),
        (["--population", "60"], {"population": 60}),
        (["-c", "pi", "--sampled-coders"], {"coefficients": ["pi"], "sampled_coders": True}),
        (["--categories", "yes,unsure,no", "--scale", "ordinal"],
         {"categories": ["yes", "unsure", "no"], "scale": "ordinal"}),
        (["--categories", "yes,unsure,no", "--weights", "linear"],
         {"categories": ["yes", "unsure", "no"], "weights": "linear"}),
        (["--missing", "unsure"], {"missing": "unsure"}),
        (["--blank", "not_applicable"], {"blank": "not_applicable"}),
        (["--item", "item", "--coder", "coder", "--label", "label", "--layout", "long"],
         {"item": "item", "coder": "coder", "label": "label", "layout": "long"}),
    ],
)  # fmt: skip
def test_numbers_are_those_of_python(
    run: Run, folder: Path, words: list[str], keywords: dict[str, object]
) -> None:
    expected = ac.agreement(folder / "ratings.csv", **keywords)  # type: ignore[arg-type]
    found = as_json(run("agreement", "ratings.csv", "-f", "json", *words))
    assert found == json.loads(expected.to_json())


def test_several_files_are_several_coders(run: Run) -> None:
    files = as_json(run("agreement", "anna.csv", "bob.csv", "-f", "json"))
    wide = as_json(run("agreement", "wide.csv", "-f", "json"))
    assert [row["value"] for row in files] == [row["value"] for row in wide]


def test_csv_holds_the_same_numbers_as_json(run: Run) -> None:
    expected = as_json(run("agreement", "questions.csv", "-f", "json"))
    text = run("agreement", "questions.csv", "-f", "csv").stdout
    found = list(csv.DictReader(io.StringIO(text)))
    assert len(found) == len(expected) > 0
    for row, other in zip(found, expected, strict=True):
        assert row.keys() == other.keys()
        for key, value in other.items():
            assert row[key] == ("" if value is None else str(value))


def test_undefined_is_null_with_a_sentence(run: Run) -> None:
    rows = as_json(run("agreement", "questions.csv", "-f", "json", "-c", "kappa"))
    row = next(r for r in rows if r["question"] == "topic")
    assert row["value"] is None
    assert row["observed"] == 1
    assert row["reason"]
    table = run("agreement", "questions.csv", "-c", "kappa").stdout
    assert "—" in table
    assert str(row["undefined"])[:40] in " ".join(table.split())


def test_every_question_and_all_of_them(run: Run) -> None:
    shown = run("agreement", "questions.csv", "-c", "pi,s").stdout
    assert [w for w in ("question tone", "question topic", "All questions") if w in shown] == [
        "question tone", "question topic", "All questions",
    ]  # fmt: skip


def test_a_part_of_the_data(run: Run) -> None:
    rows = as_json(run("agreement", "questions.csv", "-f", "json", "--only-question", "tone"))
    assert {row["question"] for row in rows} == {"tone"}
    words = ("agreement", "ratings.csv", "-f", "json", "--only-coder", "bob", "--only-coder")
    rows = as_json(run(*words, "anna"))
    assert {row["n_coders"] for row in rows} == {2}


def test_a_scheme_for_each_question(run: Run) -> None:
    words = ["--categories", "tone=+,-,0", "--categories", "topic=a,b", "--scale", "tone=ordinal"]
    rows = as_json(run("agreement", "questions.csv", "-f", "json", "-c", "s", *words))
    by_question = {row["question"]: row for row in rows}
    assert by_question["tone"]["n_values"] == 3
    assert by_question["tone"]["weights"] == "ordinal"
    assert by_question["topic"]["weights"] == "identity"


def test_three_decimals_and_n_for_people(run: Run, folder: Path) -> None:
    shown = run("agreement", "ratings.csv", "-c", "alpha").stdout
    row = ac.agreement(folder / "ratings.csv", "alpha")["alpha"]
    line = next(line for line in shown.splitlines() if "Krippendorff" in line)
    assert f"{row.value:.3f}" in line
    assert f"[−{abs(row.low):.3f}, {row.high:.3f}]" in line
    assert line.endswith(f" {row.n_pairable}")


def test_p_values_only_when_asked_for(run: Run) -> None:
    assert " p " not in run("agreement", "ratings.csv").stdout
    shown = run("agreement", "ratings.csv", "--null", "0.8").stdout
    assert " p " in shown
    assert "0.8" in shown


def test_the_signature(run: Run, folder: Path) -> None:
    signature = ac.agreement(folder / "ratings.csv").signature
    assert signature not in run("agreement", "ratings.csv").stdout
    assert signature in run("agreement", "ratings.csv", "--signature").stdout


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_lines_fit(run: Run, columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    for words in (["agreement", "questions.csv"], ["describe", "questions.csv"]):
        lines = run(*words, "-q").stdout.splitlines()
        assert max(map(len, lines)) <= columns
        assert [line for line in lines if line != line.rstrip()] == []


def test_a_matrix_of_numbers_is_in_the_order_of_the_call(run: Run) -> None:
    rows = as_json(run("agreement", "ratings.csv", "-f", "json", "-c", "s,percent"))
    assert [row["coefficient"] for row in rows] == ["s", "percent"]
    assert all(math.isfinite(float(str(row["value"]))) for row in rows)
