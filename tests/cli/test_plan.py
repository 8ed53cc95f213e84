"""`accordant plan`: the numbers of `accordant.items_needed`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from click.testing import Result

import accordant as ac

Run = Callable[..., Result]


def test_from_a_pilot(run: Run, folder: Path) -> None:
    result = run("plan", "ratings.csv", "--width", "0.2", "-f", "json")
    (row,) = json.loads(result.stdout)
    expected = ac.items_needed(0.2, folder / "ratings.csv")
    assert row["n_items"] == expected.n_items
    assert row["n_items_cautious"] == expected.n_items_cautious


def test_from_an_expectation(run: Run) -> None:
    words = ["--width", "0.2", "-c", "kappa", "--agreement", "0.6", "--shares", "0.7,0.3"]
    assert "298 items" in run("plan", *words).stdout


def test_what_is_missing_is_told(run: Run) -> None:
    result = run("plan", "--width", "0.2")
    assert result.exit_code == 1
    assert "--agreement" in result.stderr


def test_shares_are_numbers(run: Run) -> None:
    assert run("plan", "--width", "0.2", "--shares", "most,few").exit_code == 2
