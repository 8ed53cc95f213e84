"""The same answer through every door, and how much of it is shown."""

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
from accordant.results import plain
from pages import bundled

Run = Callable[..., Result]
NEAT = str(bundled("levi2022_neat"))
VISITORS = str(bundled("visitors"))
EXAMPLE = Path(VISITORS).parent


def rows(run: Run, *words: str) -> list[dict[str, Any]]:
    result = run(*words, "-q", "-f", "json")
    assert result.exit_code == 0, result.stderr
    found: list[dict[str, Any]] = json.loads(result.stdout)
    return found


@pytest.fixture
def files(folder: Path) -> Path:
    """Predictions of a model for ratings.csv, own weights, and people beside models."""
    said = ("yes", "no", "yes", "unsure", "no", "yes")
    lines = [f"{k},{label}" for k, label in enumerate(said, 1)]
    (folder / "predictions.csv").write_text("\n".join(["item,label", *lines]))
    (folder / "weights.csv").write_text(",yes,no,unsure\nyes,1,0,.5\nno,0,1,.5\nunsure,.5,.5,1\n")
    right = [k % 3 for k in range(60)]
    head = "item,coder,label"
    people = [
        f"{k},{c},{'abc'[(x + (k % j == 0)) % 3]}"
        for c, j in (("ada", 5), ("bea", 7), ("cem", 9))
        for k, x in enumerate(right)
    ]
    models = [f"{k},gpt,{'abc'[x]}" for k, x in enumerate(right)]
    models += [f"{k},dull,a" for k in range(60)]
    (folder / "people.csv").write_text("\n".join([head, *people]))
    (folder / "models.csv").write_text("\n".join([head, *models]))
    (folder / "both.csv").write_text("\n".join([head, *people, *models]))
    return folder


DOORS: list[tuple[list[str], Callable[[], Any]]] = [
    (["agreement", "ratings.csv"], lambda: ac.agreement("ratings.csv")),
    (
        [
            "agreement",
            "ratings.csv",
            "-c",
            "alpha,kappa",
            "--interval",
            "bootstrap",
            "--seed",
            "1",
            "--resamples",
            "50",
            "--level",
            "0.9",
            "--null",
            "0.5",
            "--alternative",
            "greater",
        ],
        lambda: ac.agreement(
            "ratings.csv",
            ["alpha", "kappa"],
            interval="bootstrap",
            seed=1,
            resamples=50,
            level=0.9,
            null=0.5,
            alternative="greater",
        ),
    ),
    (
        ["agreement", "wide.csv", "--scale", "ordinal", "--categories", "low,mid,high"],
        lambda: ac.agreement("wide.csv", scale="ordinal", categories=["low", "mid", "high"]),
    ),
    (
        ["agreement", "questions.csv", "--label", "tone"],
        lambda: ac.agreement("questions.csv", label="tone"),
    ),
    (
        ["agreement", "ratings.csv", "--coder", "anna", "--coder", "bob"],
        lambda: ac.agreement("ratings.csv", coder=["anna", "bob"]),
    ),
    (
        ["agreement", "anna.csv", "bob.csv", "--items", "complete"],
        lambda: ac.agreement(["anna.csv", "bob.csv"], items="complete"),
    ),
    (
        ["compare", "ratings.csv", "round2.csv", "-c", "alpha"],
        lambda: ac.compare("ratings.csv", "round2.csv", "alpha"),
    ),
    (
        ["compare", "ratings.csv", "round2.csv", "--no-paired"],
        lambda: ac.compare("ratings.csv", "round2.csv", paired=False),
    ),
    (
        ["alt-test", "both.csv", "--models", "gpt", "--epsilon", "skilled"],
        lambda: ac.model_as_coder("both.csv", ["gpt"], epsilon="skilled"),
    ),
    (
        ["alt-test", "people.csv", "--models-file", "models.csv", "--humans", "ada,bea"],
        lambda: ac.model_as_coder("people.csv", "models.csv", humans=["ada", "bea"]),
    ),
    (
        ["decompose", NEAT, "--by", "any label"],
        lambda: ac.decompose(NEAT, ["any label"]),
    ),
    (
        ["decompose", NEAT, "--by", "any label", "--then", "number of labels"],
        lambda: ac.decompose(NEAT, "any label", then="number of labels"),
    ),
    (
        ["soft", "ratings.csv", "--smoothing", "none"],
        lambda: ac.soft_labels("ratings.csv", smoothing="none"),
    ),
    (
        ["score", "ratings.csv", "--predictions", "predictions.csv"],
        lambda: ac.score_predictions("predictions.csv", ac.read("ratings.csv")),
    ),
    (
        ["plan", "--width", "0.2", "--agreement", "0.6", "--shares", "0.7,0.3"],
        lambda: ac.items_needed(0.2, agreement=0.6, shares=[0.7, 0.3]),
    ),
    (
        ["plan", "ratings.csv", "--width", "0.2", "--coefficient", "kappa"],
        lambda: ac.items_needed(0.2, "ratings.csv", coefficient="kappa"),
    ),
    (
        [
            "study",
            "--datasets",
            "2",
            "--items",
            "9",
            "--seed",
            "1",
            "--double",
            "0.5",
            "--measures",
            "boot_match,alpha_masi",
        ],
        lambda: ac.multilabel_study(
            ["boot_match", "alpha_masi"], datasets=2, items=9, seed=1, double=[0.5]
        ),
    ),
    (["describe", "questions.csv"], lambda: ac.describe("questions.csv")),
    (["diagnose", VISITORS], lambda: ac.diagnose(VISITORS)),
    (["fit", "ratings.csv"], lambda: ac.fit("ratings.csv")),
    (
        [
            "fit",
            "ratings.csv",
            "-m",
            "mace",
            "--set",
            "method=em",
            "--seed",
            "2",
            "--set",
            "restarts=1",
        ],
        lambda: ac.fit("ratings.csv", "mace", method="em", seed=2, restarts=1),
    ),
    (["models", "mace"], lambda: ac.list_models("mace")),
]


@pytest.mark.parametrize(("words", "call"), DOORS, ids=[" ".join(w)[:70] for w, _ in DOORS])
def test_the_same_rows_through_every_door(
    run: Run, files: Path, words: list[str], call: Callable[[], Any]
) -> None:
    found, expected = rows(run, *words), plain(call().nested())
    for row in (*found, *expected):
        row.pop("seconds", None)  # of a clock
    assert found == expected


def test_csv_holds_the_rows_of_json(run: Run, folder: Path) -> None:
    listed = rows(run, "agreement", "ratings.csv")
    read = list(csv.DictReader(io.StringIO(run("agreement", "ratings.csv", "-f", "csv").stdout)))
    assert [row["measure"] for row in read] == [row["measure"] for row in listed]
    assert [float(row["value"]) for row in read] == [row["value"] for row in listed]


def test_the_rows_of_a_report_are_those_of_agreement(run: Run, folder: Path) -> None:
    assert run("report", "ratings.csv", "-o", "r.json", "-q").exit_code == 0
    told = json.loads((folder / "r.json").read_text("utf-8"))
    values = {row["measure"]: row["value"] for row in rows(run, "agreement", "ratings.csv")}
    assert str(values["alpha"]) in json.dumps(told)


# ------------------------------------------------------------------ how much is shown


def test_a_table_by_its_name(run: Run, files: Path) -> None:
    every = rows(run, "alt-test", "both.csv", "--models", "gpt", "--show", "humans")
    assert {row["human"] for row in every} >= {"ada", "bea", "cem"}
    assert "humans" in run("alt-test", "--help").stdout


def test_an_option_of_a_table_chooses_it(run: Run) -> None:
    words = ["decompose", NEAT, "--by", "any label", "--listed", "1"]
    found = rows(run, *words, "-n", "4")
    assert len(found) == 4
    assert {"item", "labels"} <= found[0].keys()
    wrong = run(*words, "--show", "levels")
    assert wrong.exit_code == 2
    assert "--show disputed" in wrong.stderr


def test_the_most_rows_of_a_question(run: Run) -> None:
    found = rows(run, "agreement", VISITORS, "-n", "2")
    assert len(found) == 6  # of two questions and all together


def test_details_are_asked_for(run: Run, folder: Path) -> None:
    short, full = (
        run("plan", "--width", "0.2", "--agreement", "0.6", "--shares", "0.7,0.3", *more)
        for more in ([], ["--full"])
    )
    assert len(full.stdout) > len(short.stdout)


def test_soft_labels_are_written_to_train_on(run: Run, folder: Path) -> None:
    assert run("soft", "ratings.csv", "-o", "soft.jsonl").exit_code == 0
    found = ac.score_predictions(folder / "soft.jsonl", ac.soft_labels("ratings.csv"))
    assert found["js"].value == pytest.approx(0, abs=1e-12)


def test_a_coder_who_is_the_truth_has_no_vote(run: Run) -> None:
    (row, *_) = rows(run, "fit", "ratings.csv", "--truth", "cleo", "--show", "scores")
    assert row["accuracy"] is not None
    labels = rows(run, "fit", "ratings.csv", "--truth", "cleo", "--show", "labels")
    assert max(row["n_annotations"] for row in labels) == 2


def test_labels_that_are_certain_enough(run: Run) -> None:
    every, kept = (
        rows(run, "fit", "ratings.csv", "--show", "labels", *more)
        for more in ([], ["--keep", "0.9"])
    )
    assert [r["item"] for r in kept] == [r["item"] for r in every if r["confidence"] >= 0.9]


@pytest.mark.parametrize("kind", ["agreement", "describe", "diagnose", "fit"])
def test_every_table_has_a_name_and_a_help(run: Run, kind: str) -> None:
    from accordant.views.view import views_of

    told = "".join(run(kind, "--help").stdout.split())  # names may break after a hyphen
    for view in views_of(kind):
        assert view.name in told
        result = run(kind, "ratings.csv", "-q", "--show", view.name, "-f", "csv")
        assert result.exit_code in (0, 2), result.stderr
        assert "defect" not in result.stderr


def test_findings_come_with_everything_behind_them(run: Run, folder: Path) -> None:
    found = rows(run, "diagnose", VISITORS, "--label", "mood", "--show", "findings")
    apart = next(row for row in found if row["coder"] is not None)
    assert isinstance(apart["items"], list)
    assert len(apart["items"]) > 10
    assert apart["evidence"]["coder"] == apart["coder"]
    flat = run("diagnose", VISITORS, "--show", "findings", "-f", "csv").stdout
    assert "evidence" not in next(csv.reader(io.StringIO(flat)))


def test_a_scores_row_without_annotations_is_a_row(run: Run, folder: Path) -> None:
    found = rows(run, "diagnose", str(EXAMPLE / "krippendorff2011.csv"), "--show", "scores")
    assert any(row["tp"] + row["fp"] + row["fn"] == 0 and row["f1"] is None for row in found)


def test_coders_of_counts_are_positions_with_rows(run: Run, folder: Path) -> None:
    (folder / "counts.csv").write_text(
        "item,a,b\n" + "".join(f"{k},{k % 4},{3 - k % 4}\n" for k in range(20))
    )
    asked = ("fit", "counts.csv", "--layout", "counts", "--show")
    assert len(rows(run, *asked, "coders")) == 3


def test_the_population_narrows_the_interval_of_a_difference() -> None:
    def width(population: int | None) -> float:
        files = (EXAMPLE / "crowd.csv", EXAMPLE / "crowd_models.csv")
        (row,) = ac.compare(
            *files, "alpha", paired=False, interval="analytic", population=population
        ).to_rows()
        return float(row["high"] - row["low"])

    assert width(200) < width(None)
