"""``--weights FILE``: the same answer as the matrix in Python, and one message for a bad file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

import accordant as ac

Run = Callable[..., Result]
RATINGS = "item,A,B\n1,low,low\n2,low,mid\n3,mid,high\n4,high,high\n5,high,low\n"
WEIGHTS = "of,low,mid,high\nlow,1,0.5,0\nmid,0.5,1,0.5\nhigh,0,0.5,1\n"
MATRIX = [[1, 0.5, 0], [0.5, 1, 0.5], [0, 0.5, 1]]


@pytest.fixture
def files(folder: Path) -> Path:
    (folder / "three.csv").write_text(RATINGS)
    (folder / "w.csv").write_text(WEIGHTS)
    return folder


def test_same_as_the_matrix(run: Run, files: Path) -> None:
    result = run("agreement", "three.csv", "-c", "kappa", "--weights", "w.csv", "-f", "json")
    order = ["low", "mid", "high"]
    expected = ac.agreement(files / "three.csv", "kappa", weights=MATRIX, categories=order)
    (row,) = json.loads(result.stdout)
    assert row["value"] == pytest.approx(expected["kappa"].value)
    assert row["se"] == pytest.approx(expected["kappa"].se)


@pytest.mark.parametrize(
    "text, message",
    [
        ("of,low,mid\nlow,1,0\nmid,0,1\n", "category 'high' has no weights"),
        ("of,low,mid\nlow,1,x\nmid,0,1\n", "row 2, column 'mid': 'x' is not a number"),
        ("of,low,mid\nlow,1\nmid,0,1\n", "1 weights for 2 categories"),
        ("of,low,mid\nmid,1,0\nlow,0,1\n", "the same categories in the same order"),
        ("", "needs a row for each category"),
    ],
)
def test_bad_files(run: Run, files: Path, text: str, message: str) -> None:
    (files / "w.csv").write_text(text)
    result = run("agreement", "three.csv", "-c", "kappa", "--weights", "w.csv")
    assert result.exit_code == (2 if "has no weights" in message else 1)
    assert message in " ".join(result.stderr.split())


def test_a_missing_file(run: Run, files: Path) -> None:
    result = run("agreement", "three.csv", "--weights", "nowhere.csv")
    assert result.exit_code == 1
    assert "the weights cannot be read" in " ".join(result.stderr.split())
