"""`accordant soft`: the numbers of `accordant.soft_labels`, `score_predictions`, `ambiguity`."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

import accordant as ac
from accordant.cli import softly
from accordant.data.write import write
from accordant.models.soft import smoothing

Run = Callable[..., Result]


def rows(result: Result) -> list[dict[str, Any]]:
    assert result.exit_code == 0, result.stderr
    found: list[dict[str, Any]] = json.loads(result.stdout)
    return found


@pytest.fixture
def predictions(folder: Path) -> str:
    """A model that is rather sure of anna's labels."""
    said = {1: "yes", 2: "no", 3: "yes", 4: "unsure", 5: "no", 6: "yes"}
    names = ("yes", "no", "unsure")
    lines = [
        ",".join([str(k), *(("0.8" if name == x else "0.1") for name in names)])
        for k, x in said.items()
    ]
    (folder / "predictions.csv").write_text("\n".join(["item,yes,no,unsure", *lines]))
    return "predictions.csv"


def test_choices_are_those_of_the_library() -> None:
    assert set(softly.SMOOTHINGS) == set(smoothing.SMOOTHINGS)


@pytest.mark.parametrize("words, options", [
    ([], {}),
    (["--smoothing", "none"], {"smoothing": "none"}),
    (["--weights", "competence"], {"weights": "competence"}),
    (["--of", "belief"], {"of": "belief"}),
    (["--of", "belief", "--no-temper", "-m", "one_coin"], {"of": "belief", "tempered": False,
                                                           "model": "one_coin"}),
])  # fmt: skip
def test_distributions_are_those_of_the_library(
    run: Run, folder: Path, words: list[str], options: dict[str, object]
) -> None:
    found = rows(run("soft", "ratings.csv", *words, "-f", "json"))
    expected = ac.soft_labels(folder / "ratings.csv", **options)  # type: ignore[arg-type]
    for k, name in enumerate(("yes", "no", "unsure")):
        p = [row[f"p_{name}"] for row in found]
        own = [str(c) for c in expected.categories].index(name)
        assert p == pytest.approx(expected.probabilities[:, own].tolist()), k


@pytest.mark.parametrize("name", ["soft.jsonl", "soft.csv", "soft.tsv"])
def test_what_is_written_can_be_read_and_scored(run: Run, folder: Path, name: str) -> None:
    assert run("soft", "ratings.csv", "-o", name).exit_code == 0
    again = ac.read_soft(folder / name)
    assert again.probabilities.sum(1) == pytest.approx([1.0] * 6)
    scored = rows(run("soft", "ratings.csv", "--predictions", name, "-f", "json"))
    assert scored[0]["n_items"] == 6


def test_several_questions_in_one_table(run: Run, folder: Path) -> None:
    assert run("soft", "questions.csv", "-o", "soft.csv").exit_code == 0
    found = list(csv.DictReader((folder / "soft.csv").read_text().splitlines()))
    assert {row["question"] for row in found} == {"tone", "topic"}
    refused = run("soft", "questions.csv", "-o", "soft.jsonl")
    assert refused.exit_code == 1
    assert "--only-question" in refused.stderr
    assert not (folder / "soft.jsonl").exists()


def test_scores_are_those_of_the_library(run: Run, folder: Path, predictions: str) -> None:
    found = rows(run("soft", "ratings.csv", "--predictions", predictions, "-f", "json"))
    expected = ac.score_predictions(folder / predictions, folder / "ratings.csv")
    value = {s.measure: s.value for s in expected.scores}
    for row in found:
        known = None if math.isnan(value[row["measure"]]) else pytest.approx(value[row["measure"]])
        assert row["value"] == known
    nats = rows(
        run("soft", "ratings.csv", "--predictions", predictions, "--unit", "nats", "-f", "json")
    )
    assert nats[0]["value"] == pytest.approx(found[0]["value"] * 0.693147, rel=1e-4)
    result = run("soft", "ratings.csv", "--predictions", predictions)
    assert max(map(len, result.stdout.splitlines())) <= 80
    assert "cross-entropy" in result.stdout


def test_ambiguity(run: Run, folder: Path) -> None:
    crowd = ac.simulate_crowd(150, 15, 3, per_item=12, ambiguous=0.1, seed=1)
    write(crowd.data, folder / "crowd.csv", "long")
    found = rows(run("soft", "crowd.csv", "--ambiguity", "-f", "json"))
    expected = ac.ambiguity(folder / "crowd.csv")
    assert sorted(str(r["item"]) for r in found if r["ambiguous"]) == sorted(
        map(str, expected.items)
    )
    assert sorted(str(r["item"]) for r in found if r["unclear"]) == sorted(
        map(str, expected.unclear_items)
    )
    text = " ".join(run("soft", "crowd.csv", "--ambiguity").stdout.split())
    assert "Items that are ambiguous, or hard" in text
    assert " or " in text


def test_the_answer_fits_a_terminal(run: Run) -> None:
    result = run("soft", "ratings.csv")
    assert result.exit_code == 0
    assert max(map(len, result.stdout.splitlines())) <= 80
    assert "opinions: the distribution of the labels that coders give" in result.stdout
    belief = run("soft", "ratings.csv", "--of", "belief").stdout
    assert "beliefs: how probable it is" in belief


REFUSED = [
    (["--ambiguity", "--predictions", "predictions.csv"], "ask one", 2),
    (["--of", "belief", "--smoothing", "none"], "of opinions", 2),
    (["--ties", "shared"], "goes with --predictions", 2),
    (["--of", "belief", "-m", "majority"], "--of opinion", 1),
    (["-m", "foo"], "no model 'foo'", 1),
    (["--predictions", "absent.csv"], "absent.csv", 1),
    (["--predictions", "ratings.csv"], "ratings.csv", 1),
]


@pytest.mark.parametrize("words, message, code", REFUSED, ids=[" ".join(w) for w, _, _ in REFUSED])
def test_what_cannot_be_asked_is_told_in_one_message(
    run: Run, predictions: str, words: list[str], message: str, code: int
) -> None:
    result = run("soft", "ratings.csv", *words)
    assert result.exit_code == code, result.stderr
    assert message in " ".join(result.stderr.split())
    assert "defect" not in result.stderr
