"""`accordant compare --model`: the numbers of `accordant.model_as_coder`, and `plan --advantage`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from accordant.cli.standing_in_tables import TABLES
from click.testing import Result

import accordant as ac
from accordant.cli import standing_in
from accordant.models.standing_in.aligning import ALIGNMENTS
from accordant.models.standing_in.alternative import FEW

Run = Callable[..., Result]


@pytest.fixture
def humans(folder: Path) -> str:
    """60 items: three humans and a model that is always right, in long.csv; apart in two files."""
    right = [k % 3 for k in range(60)]
    said = {
        name: [(x + (k % j == 0)) % 3 for k, x in enumerate(right)]
        for name, j in (("ada", 5), ("bea", 7), ("cem", 9))
    }
    rows = [f"{k},{name},{'abc'[x]}" for name, own in said.items() for k, x in enumerate(own)]
    models = [f"{k},gpt,{'abc'[x]}" for k, x in enumerate(right)]
    models += [f"{k},dull,a" for k in range(60)]
    head = ["item,coder,label"]
    (folder / "people.csv").write_text("\n".join(head + rows))
    (folder / "models.csv").write_text("\n".join(head + models))
    (folder / "long.csv").write_text("\n".join(head + rows + models))
    return "long.csv"


def test_choices_are_those_of_the_library() -> None:
    assert tuple(TABLES) == standing_in.SHOWN
    assert standing_in.FEW == FEW
    assert ALIGNMENTS == standing_in.ALIGNMENTS


def test_the_test_is_that_of_the_library(run: Run, folder: Path, humans: str) -> None:
    words = ["--model", "gpt,dull", "--epsilon", "skilled", "-c", "kappa", "-f", "json"]
    found = json.loads(run("compare", humans, *words).stdout)
    expected = ac.model_as_coder(
        folder / humans, ["gpt", "dull"], epsilon="skilled", coefficient="kappa"
    )
    assert {r["model"]: r["advantage"] for r in found} == {
        r["model"]: pytest.approx(r["advantage"]) for r in expected.to_rows()
    }
    assert [r["passed"] for r in found] == [True, False]  # the nearest first


def test_models_may_come_from_another_file(run: Run, humans: str) -> None:
    one = run("compare", humans, "--model", "gpt", "--model", "dull", "-f", "json")
    two = run("compare", "people.csv", "--models", "models.csv", "-f", "json")
    assert json.loads(one.stdout) == json.loads(two.stdout)


@pytest.mark.parametrize("show", standing_in.SHOWN)
@pytest.mark.parametrize("kind", ["json", "csv", "md", "table"])
def test_every_table_in_every_format(run: Run, humans: str, show: str, kind: str) -> None:
    words = ["--model", "gpt,dull", "--show", show, "-f", kind, "-q"]
    result = run("compare", humans, *words)
    assert result.exit_code == 0, result.stderr
    assert "gpt" in result.stdout


def test_the_answer_fits_a_terminal(run: Run, humans: str) -> None:
    for names in ("gpt", "gpt,dull"):
        result = run("compare", humans, "--model", names)
        assert result.exit_code == 0
        assert max(map(len, result.stdout.splitlines())) <= 80
        text = " ".join(result.stdout.split())
        assert "human – human" in text
        assert "human – gpt" in text
        assert "passed" in text
    assert "“dull” may not stand in" in text
    assert "dull – gpt" in text or "gpt – dull" in text


REFUSED = [
    (["long.csv"], "name two", 2),
    (["long.csv", "--model", "gtp"], "did you mean 'gpt'", 1),
    (["long.csv", "--model", "gpt", "--interval", "bca"], "--interval is for two rounds", 2),
    (["people.csv", "models.csv", "--epsilon", "0.2"], "--epsilon is for models", 2),
    (["long.csv", "--model", "gpt", "--models", "models.csv"], "give one", 2),
    (["long.csv", "--model", "gpt", "-c", "kappa,pi"], "one coefficient", 2),
    (["long.csv", "--model", "gpt", "--epsilon", "guru"], "unknown epsilon 'guru'", 1),
    (["long.csv", "--model", "gpt", "--epsilon", "ada=0.1"], "--epsilon has no number", 1),
    (["long.csv", "--model", "gpt", "--human", "zoe"], "no coder 'zoe'", 1),
    (["questions.csv", "--model", "anna"], "--only-question", 1),
]


@pytest.mark.parametrize("words, told, code", REFUSED, ids=[t for _, t, _ in REFUSED])
def test_what_cannot_be_asked_is_told_in_one_message(
    run: Run, humans: str, words: list[str], told: str, code: int
) -> None:
    result = run("compare", *words)
    assert result.exit_code == code
    assert told in " ".join(result.stderr.split())
    assert "defect" not in result.stderr


def test_one_human_is_no_test_but_an_answer(run: Run, folder: Path, humans: str) -> None:
    result = run("compare", humans, "--model", "gpt", "--human", "ada")
    assert result.exit_code == 0
    assert "not tested" in result.stdout
    assert "one human" in " ".join(result.stdout.split())


def test_the_plan_of_such_a_test(run: Run) -> None:
    words = ["--advantage", "0.8", "--human-advantage", "0.85", "--coders", "5"]
    (row,) = json.loads(run("plan", *words, "--epsilon", "expert", "-f", "json").stdout)
    expected = ac.alternative_test_items(0.8, 0.85, humans=5, epsilon="expert")
    assert row["n_items"] == expected.n_items
    assert run("plan", "--advantage", "0.8").exit_code == 2
    assert run("plan", *words, "--width", "0.1").exit_code == 2
    assert run("plan").exit_code == 2


def test_the_first_sentence_says_whom_a_model_may_not_stand_in_for(run: Run, folder: Path) -> None:
    from accordant.data import examples

    for name in ("crowd", "crowd_models"):
        source = Path(examples.__file__).parent / f"{name}.csv"
        (folder / f"{name}.csv").write_text(source.read_text("utf-8"), "utf-8")
    shown = " ".join(
        run("compare", "crowd.csv", "--models", "crowd_models.csv", "-q").stdout.split()
    )
    assert "may not stand in for “c01”, “c05”, “c07”, “c09” and “c10”." in shown
