"""`accordant simulate crowd`: the data of `accordant.simulate_crowd`, with the truth in a column."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from accordant.cli.simulate import crowd
from click.testing import Result

import accordant as ac
from accordant.simulate import kinds

Run = Callable[..., Result]


def test_kinds_are_those_of_the_library() -> None:
    assert kinds.KINDS == crowd.KINDS


def test_the_data_are_those_of_the_library(run: Run, folder: Path) -> None:
    words = ["--items", "40", "--coders", "good=3,spammer=1", "--per-item", "2-3", "--gold", "0.2",
             "--accuracy", "good=0.9", "--categories", "yes,no", "--seed", "5"]  # fmt: skip
    result = run("simulate", "crowd", "-o", "made.csv", *words)
    assert result.exit_code == 0, result.stderr
    expected = ac.simulate_crowd(
        40, {"good": 3, "spammer": 1}, ["yes", "no"], per_item=(2, 3), gold=0.2,
        accuracy={"good": 0.9}, seed=5,
    )  # fmt: skip
    found = ac.read(folder / "made.csv")
    assert len(found) == len(expected.data)
    lines = list(csv.DictReader((folder / "made.csv").read_text().splitlines()))
    truth = {line["item"]: line["truth"] for line in lines}
    assert truth == {str(k): label for k, label in enumerate(expected.labels, 1)}
    gold = {line["item"]: line["gold"] for line in lines if line["gold"]}
    assert gold == {str(k): label for k, label in expected.gold.items()}


def test_fit_finds_truth_and_control_items_in_the_file(run: Run) -> None:
    run("simulate", "crowd", "-o", "made.csv", "--gold", "0.2", "--seed", "1", "--items", "60")
    words = ["--gold", "gold", "--truth", "truth", "--show", "scores", "-f", "json"]
    result = run("fit", "made.csv", *words)
    assert result.exit_code == 0, result.stderr
    (first, *_) = json.loads(result.stdout)
    assert first["n_items"] < 60  # control items do not count
    assert first["accuracy"] > 0.8


@pytest.mark.parametrize("words, message, code", [
    (["--coders", "hero=3"], "no coder 'hero'", 1),
    (["--coders", "2.5"], "whole", 2),
    (["--coders", "good=x"], "neither a number", 2),
    (["--per-item", "x"], "neither a number", 2),
    (["--per-item", "9", "--coders", "3"], "--per-item", 1),
    (["--ambiguous", "0.7", "--misleading", "0.7"], "more than all items", 1),
])  # fmt: skip
def test_refusals(run: Run, folder: Path, words: list[str], message: str, code: int) -> None:
    result = run("simulate", "crowd", "-o", "made.csv", *words)
    assert result.exit_code == code, result.stderr
    assert message in " ".join(result.stderr.split())
    assert not (folder / "made.csv").exists()
