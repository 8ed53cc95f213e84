"""`accordant compare`: the tests of `inference.compare`, found from two files."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

import accordant as ac
from accordant.counts.count import count
from accordant.inference.compare import Side, difference
from accordant.inference.intervals import Settings
from accordant.measure.coefficients import find
from accordant.measure.distances import weights_for

Run = Callable[..., Result]


def rows(result: Result) -> list[dict[str, float]]:
    assert result.exit_code == 0, result.stderr
    found: list[dict[str, float]] = json.loads(result.stdout)
    return found


@pytest.mark.parametrize("paired", [True, False])
@pytest.mark.parametrize("key", ["alpha", "kappa"])
def test_the_difference_is_that_of_the_library(
    run: Run, folder: Path, key: str, paired: bool
) -> None:
    counts = [count(ac.read(folder / name)) for name in ("ratings.csv", "round2.csv")]
    one, two = (Side(find(key), c, weights_for("identity", c)) for c in counts)
    expected = difference(one, two, Settings("auto"), paired=paired)
    words = ["-c", key, "-f", "json", "--paired" if paired else "--unpaired"]
    (row,) = rows(run("compare", "ratings.csv", "round2.csv", *words))
    assert row["difference"] == pytest.approx(expected.value)
    assert row["se"] == pytest.approx(expected.se)
    assert row["p_value"] == pytest.approx(expected.p_value)
    assert row["before"] == pytest.approx(one.value)
    assert row["after"] == pytest.approx(two.value)


def test_common_items_make_it_paired(run: Run, folder: Path) -> None:
    (folder / "apart.csv").write_text(
        "\n".join(f"x{line}" if line[0].isdigit() else line for line in
                  (folder / "round2.csv").read_text().splitlines())
    )  # fmt: skip
    common = run("compare", "ratings.csv", "round2.csv")
    apart = run("compare", "ratings.csv", "apart.csv")
    assert "6 items are in both: the test is paired" in " ".join(common.stdout.split())
    assert "the test is unpaired" in apart.stdout
    refused = run("compare", "ratings.csv", "apart.csv", "--paired")
    assert refused.exit_code == 1
    assert "--unpaired" in refused.stderr


def test_the_order_of_items_does_not_matter(run: Run, folder: Path) -> None:
    head, *lines = (folder / "round2.csv").read_text().splitlines()
    (folder / "turned.csv").write_text("\n".join([head, *reversed(lines)]))
    words = ["-c", "pi", "-f", "json"]
    one = rows(run("compare", "ratings.csv", "round2.csv", *words))
    two = rows(run("compare", "ratings.csv", "turned.csv", *words))
    assert one[0]["se"] == pytest.approx(two[0]["se"])


def test_undefined_is_explained(run: Run) -> None:
    result = run("compare", "questions.csv", "questions.csv", "-c", "kappa", "-f", "json")
    row = next(r for r in rows(result) if str(r["question"]) == "topic")
    assert row["difference"] is None
    assert str(row["undefined"]).startswith("before: ")
    shown = run("compare", "questions.csv", "questions.csv", "-c", "kappa").stdout
    assert "— Cohen's κ of topic: before: " in " ".join(shown.split())
    assert not math.isnan(rows(result)[0]["before"])
