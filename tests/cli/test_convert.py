"""`accordant convert` and `accordant describe`: the same annotations in every shape."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

import accordant as ac

Run = Callable[..., Result]


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".xlsx", ".parquet", ".jsonl"])
@pytest.mark.parametrize("layout", ["long", "wide"])
def test_there_and_back(run: Run, folder: Path, suffix: str, layout: str) -> None:
    target = f"out{suffix}"
    result = run("convert", "ratings.csv", target, "--to", layout)
    assert result.exit_code == 0, result.stderr
    assert f"written to {target}" in result.stderr
    assert result.stdout == ""
    before, after = ac.read(folder / "ratings.csv"), ac.read(folder / target)
    assert after.fingerprint == before.fingerprint


def test_the_target_as_an_option(run: Run, folder: Path) -> None:
    assert run("convert", "ratings.csv", "-o", "one.csv").exit_code == 0
    assert run("convert", "ratings.csv", "two.csv").exit_code == 0
    assert (folder / "one.csv").read_text() == (folder / "two.csv").read_text()
    assert run("convert", "anna.csv", "bob.csv", "--output", "both.csv").exit_code == 0
    assert ac.read(folder / "both.csv").fingerprint == ac.read(folder / "wide.csv").fingerprint
    refused = run("convert", "ratings.csv", "-o", "one.csv")
    assert refused.exit_code == 2
    assert "--force" in refused.stderr


def test_no_target(run: Run) -> None:
    result = run("convert", "ratings.csv")
    assert result.exit_code == 2
    assert "name the file to write after 'ratings.csv', or with --output" in result.stderr


def test_several_files_into_one(run: Run, folder: Path) -> None:
    assert run("convert", "anna.csv", "bob.csv", "both.csv").exit_code == 0
    both = ac.read(folder / "both.csv")
    assert both.fingerprint == ac.read(folder / "wide.csv").fingerprint


def test_what_does_not_fit(run: Run, folder: Path) -> None:
    result = run("convert", "ratings.csv", "table.csv", "--to", "table")
    assert result.exit_code == 2
    assert "crosstab" in result.stderr
    assert not (folder / "table.csv").exists()
    assert ".parquet" in run("convert", "ratings.csv", "out.docx").stderr


@pytest.mark.parametrize("by, n", [("questions", 3), ("coders", 6), ("labels", 6)])
def test_coverage_for_programs(run: Run, by: str, n: int) -> None:
    rows = json.loads(run("describe", "questions.csv", "--show", by, "-f", "json").stdout)
    text = run("describe", "questions.csv", "--show", by, "-f", "csv").stdout
    assert len(rows) == len(list(csv.DictReader(io.StringIO(text))))
    assert {"tone", "topic"} <= {row["question"] for row in rows}
    if by == "coders":
        assert len(rows) == n


def test_coverage_for_people(run: Run) -> None:
    result = run("describe", "ratings.csv")
    assert "cleo" in result.stdout
    assert "1 blank counts as missing" in result.stderr


def test_long_tables_are_cut_for_people(run: Run, folder: Path) -> None:
    rows = [f"{i},{c},l{i % 40}" for i in range(80) for c in ("a", "b")]
    (folder / "many.csv").write_text("\n".join(["item,coder,label", *rows]))
    assert "and 20 more rows" in run("describe", "many.csv").stdout
    assert "more rows" not in run("describe", "many.csv", "-n", "100").stdout
