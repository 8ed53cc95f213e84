"""`accordant fit`: the numbers of `accordant.fit`, and what is said of them on a terminal."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import Result

import accordant as ac
from accordant.cli import fit_options
from accordant.cli.fit_shown import TABLES
from accordant.data.write import write
from accordant.models.call import MODELS
from accordant.models.sets.deciding import RULES

Run = Callable[..., Result]
CROWD = ac.simulate_crowd(
    150, {"good": 6, "spammer": 2}, ["yes", "no", "unsure"], per_item=4, gold=0.1, seed=4
)


@pytest.fixture
def crowd(folder: Path) -> str:
    """A crowd with two spammers in crowd.csv, its truth in truth.csv."""
    gold = tuple(CROWD.gold.get(k + 1) for k in range(150))
    write(replace(CROWD.data, metadata={"gold": gold}), folder / "crowd.csv", "long")
    lines = [f"{k},{label}" for k, label in enumerate(CROWD.labels, 1)]
    (folder / "truth.csv").write_text("\n".join(["item,truth", *lines]))
    return "crowd.csv"


@pytest.fixture
def sets(folder: Path) -> str:
    """Sets of labels in sets.csv."""
    made = ac.simulate_multilabel(items=40, coders=3, double=0.2, categories=4, seed=1)
    write(made, folder / "sets.csv", "long")
    return "sets.csv"


def rows(result: Result) -> list[dict[str, object]]:
    assert result.exit_code == 0, result.stderr
    found: list[dict[str, object]] = json.loads(result.stdout)
    return found


def told(result: Result) -> str:
    assert result.exit_code == 0, result.stderr
    return " ".join(result.stdout.split())


def test_choices_are_those_of_the_library() -> None:
    assert tuple(TABLES) == fit_options.SHOWN
    assert tuple(MODELS) == fit_options.MODELS
    assert set(RULES) == {"marginal", "most probable", "jaccard"}


# ---------------------------------------------------------------------- the same numbers


@pytest.mark.parametrize("words, options", [
    ([], {}),
    (["-m", "ds"], {"model": "dawid_skene"}),
    (["-m", "mace", "--set", "method=em", "--seed", "3"], {"model": "mace", "method": "em",
                                                           "rng": 3}),
    (["-m", "majority"], {"model": "majority"}),
    (["--set", "strength=3", "--restarts", "0"], {"strength": 3, "restarts": 0}),
])  # fmt: skip
def test_labels_are_those_of_the_library(
    run: Run, folder: Path, crowd: str, words: list[str], options: dict[str, object]
) -> None:
    found = rows(run("fit", crowd, *words, "-f", "json"))
    expected = ac.fit(folder / crowd, **options).to_rows()  # type: ignore[arg-type]
    assert [r["label"] for r in found] == [r["label"] for r in expected]
    for key in ("confidence", "p_yes"):
        assert [r[key] for r in found] == pytest.approx([r[key] for r in expected])


def test_control_items_truth_and_tempering(run: Run, folder: Path, crowd: str) -> None:
    expected = ac.fit(folder / crowd, gold="gold")
    found = rows(run("fit", crowd, "--gold", "gold", "-f", "json"))
    assert [r["confidence"] for r in found] == pytest.approx(list(expected.confidence))
    own = list(expected.untempered.confidence)
    assert [r["untempered"] for r in found] == pytest.approx(own)
    raw = rows(run("fit", crowd, "--gold", "gold", "--tau", "1", "-f", "json"))
    assert [r["confidence"] for r in raw] == pytest.approx(own)
    tau = rows(run("fit", crowd, "--tau", "0.5", "-f", "json"))
    half = ac.fit(folder / crowd).tempered(0.5)
    assert [r["confidence"] for r in tau] == pytest.approx(list(half.confidence))
    scored = rows(run("fit", crowd, "--truth", "truth.csv", "--show", "scores", "-f", "json"))
    accuracy = ac.fit(folder / crowd).accuracy(folder / "truth.csv")
    assert scored[0]["accuracy"] == pytest.approx(accuracy)


def test_a_coder_who_is_the_truth_has_no_vote(run: Run, folder: Path) -> None:
    found = rows(run("fit", "ratings.csv", "--truth", "anna", "--show", "scores", "-f", "json"))
    data = ac.read(folder / "ratings.csv")
    rest = ac.fit(data.of_coders(["bob", "cleo"]))
    truth = {1: "yes", 2: "no", 3: "yes", 4: "unsure", 5: "no", 6: "yes"}
    assert found[0]["accuracy"] == pytest.approx(rest.accuracy(truth))


def test_keep_writes_fewer_labels(run: Run, folder: Path, crowd: str) -> None:
    kept = ac.fit(folder / crowd).keep(confidence=0.999)
    result = run("fit", crowd, "--keep", "0.999", "-o", "labels.csv")
    assert result.exit_code == 0
    assert f"{len(kept)} items of 150 kept" in " ".join(result.stderr.split())
    written = list(csv.DictReader((folder / "labels.csv").read_text().splitlines()))
    assert len(written) == len(kept)
    share = rows(run("fit", crowd, "--keep-share", "0.5", "-f", "json"))
    assert len(share) == len(ac.fit(folder / crowd).keep(share=0.5))


@pytest.mark.parametrize("name", ["labels.jsonl", "labels.xlsx", "labels.tsv", "labels.json"])
def test_labels_in_a_file_can_be_the_gold_of_others(
    run: Run, folder: Path, crowd: str, name: str
) -> None:
    result = run("fit", crowd, "-o", name)
    assert result.exit_code == 0, result.stderr
    assert (folder / name).stat().st_size > 1000
    assert not result.stdout
    if name.endswith("jsonl"):
        first = json.loads((folder / name).read_text().splitlines()[0])
        assert first["p_yes"] + first["p_no"] + first["p_unsure"] == pytest.approx(1)


def test_nothing_is_written_where_something_is_wrong(run: Run, folder: Path) -> None:
    result = run("fit", "ratings.csv", "--gold", "nobody", "-o", "labels.csv")
    assert result.exit_code == 1
    assert not (folder / "labels.csv").exists()


# ---------------------------------------------------------------------- what is said


def test_ties_are_counted(run: Run, folder: Path) -> None:
    (folder / "two.csv").write_text("item,a,b\n1,x,x\n2,x,y\n3,y,y\n4,y,x\n")
    text = told(run("fit", "two.csv", "-m", "majority"))
    assert "2 of 4 items have a label that got most votes, and 2 items have none" in text
    shown = told(run("fit", "two.csv", "-m", "majority", "--show", "items"))
    assert "2 (tied) (0.500) — a: x; b: y" in shown


def test_one_annotation_per_item_teaches_nothing(run: Run, folder: Path) -> None:
    lines = [f"{k},{'abc'[k % 3]},{'xy'[k % 2]}" for k in range(12)]
    (folder / "one.csv").write_text("\n".join(["item,coder,label", *lines]))
    text = told(run("fit", "one.csv"))
    assert "nothing shows who is right" in text
    assert "Who can be trusted" not in text
    refused = run("fit", "one.csv", "--which")
    assert refused.exit_code == 1
    assert "nothing to predict" in refused.stderr


def test_labels_of_single_coders_are_written_without_a_confidence(run: Run, folder: Path) -> None:
    given = {f"i{k}": "xy"[k % 2] for k in range(12)}
    lines = [f"i{k},{'abc'[k % 3]},{given[f'i{k}']}" for k in range(12)]
    (folder / "one.csv").write_text("\n".join(["item,coder,label", *lines]))
    assert run("fit", "one.csv", "-o", "labels.csv").exit_code == 0
    written = list(csv.DictReader((folder / "labels.csv").read_text().splitlines()))
    assert {r["item"]: r["label"] for r in written} == given
    assert {r["confidence"] for r in written} == {r["p_x"] for r in written} == {""}
    assert "nothing shows who is right" in written[0]["reason"]
    refused = run("fit", "one.csv", "--keep", "0.9", "-o", "kept.csv")
    assert refused.exit_code == 1
    assert "nothing shows who is right" in refused.stderr
    assert not (folder / "kept.csv").exists()


def test_two_coders_have_no_headline(run: Run, folder: Path) -> None:
    lines = [f"{k},{'xyz'[k % 3]},{'xyz'[k % 3 if k % 5 else 0]}" for k in range(30)]
    (folder / "two.csv").write_text("\n".join(["item,anna,bob", *lines]))
    text = told(run("fit", "two.csv"))
    assert "How sure the labels are cannot be said, since two coders alone cannot show" in text
    assert "95 % or more" not in text.replace("\N{NO-BREAK SPACE}", " ")
    assert "95 % intervals: none, since two coders alone" in text.replace("\N{NO-BREAK SPACE}", " ")


def test_measurements_are_no_categories(run: Run, folder: Path) -> None:
    lines = [f"{k},{k * 1.1:.2f},{k * 1.1 + 0.1:.2f},{k * 1.1 - 0.13:.2f}" for k in range(40)]
    (folder / "num.csv").write_text("\n".join(["item,a,b,c", *lines]))
    text = told(run("fit", "num.csv"))
    assert "Nearly every annotation is a category of its own" in text
    assert "take the mean or the median" in text
    assert "What is probably true" not in text
    assert "accordant agreement num.csv --scale interval" in text


def test_coders_stand_beside_known_labels(run: Run, folder: Path, crowd: str) -> None:
    found = rows(run("fit", crowd, "--truth", "truth.csv", "--show", "coders", "-f", "json"))
    expected = ac.fit(folder / crowd).coder_scores(folder / "truth.csv").to_rows()
    assert [r["known_right"] for r in found] == pytest.approx([r["accuracy"] for r in expected])
    assert [r["n_known"] for r in found] == [r["n_known"] for r in expected]
    meant = "by known labels: share of the annotations of items with a known label"
    assert meant in told(run("fit", crowd, "--truth", "truth.csv"))
    assert meant in told(run("fit", crowd, "--gold", "gold", "--show", "coders"))
    assert meant not in told(run("fit", crowd, "--show", "coders"))


def test_questions_stand_apart(run: Run) -> None:
    text = told(run("fit", "questions.csv"))
    assert "question tone ·" in text
    assert "question topic ·" in text
    assert {r["question"] for r in rows(run("fit", "questions.csv", "-f", "json"))} == {
        "tone", "topic",
    }  # fmt: skip


def test_sets_of_labels(run: Run, folder: Path, sets: str) -> None:
    text = told(run("fit", sets))
    assert "40 items · 3 coders · 120 annotations" in text
    assert "a set of labels that is right as a whole" in text
    assert "the whole set can be expected to be right" in text
    expected = ac.fit(folder / sets)
    assert [r["p_A"] for r in rows(run("fit", sets, "-f", "json"))] == pytest.approx(
        [r["p_A"] for r in expected.to_rows()]
    )
    whole = rows(run("fit", sets, "--sets", "whole", "-f", "json"))
    assert len(whole) == 40
    for show in ("items", "coders", "checks", "crowdtruth", "crowdtruth-original", "convergence"):
        assert run("fit", sets, "--show", show).exit_code == 0


def test_a_model_that_does_not_converge_is_told(run: Run, crowd: str) -> None:
    text = told(run("fit", crowd, "--max-iterations", "2", "--restarts", "0"))
    assert "did not converge" in text
    assert "--max-iterations" in text


def test_the_first_crowdtruth_measures(run: Run, crowd: str, folder: Path) -> None:
    found = rows(run("fit", crowd, "--show", "crowdtruth-original", "-f", "json"))
    expected = ac.crowdtruth_original(folder / crowd)
    clarity = [row["clarity"] for row in found if row["of"] == "item"]
    assert clarity == pytest.approx(expected.item_clarity.tolist())
    by_coder = {row["name"]: row["disagreement_with_items"] for row in found
                if row["of"] == "coder"}  # fmt: skip
    assert by_coder == pytest.approx(
        dict(zip(expected.vectors.coders, expected.disagreement_with_items.tolist(), strict=True))
    )


def test_models_that_were_not_compared_are_named(run: Run, crowd: str) -> None:
    text = told(run("fit", crowd, "--which"))
    assert "Not compared: ordinal (the categories have no order)" in text
    assert "hierarchical (draws samples" in text
    assert "map,variational,hierarchical,subtypes compares these too" in text
    named = told(run("fit", crowd, "--which", "-m", "majority,map"))
    assert "Not compared" not in named


def test_a_minority_school_is_shown(run: Run, folder: Path) -> None:
    made = ac.simulate_crowd(300, {"good": 4, "school": 3}, 3, per_item=7, seed=1)
    write(made.data, folder / "schools.csv", "long")
    text = told(run("fit", "schools.csv"))
    assert "Coders fall into 2 schools" in text
    assert "--show readings" in text
    assert "posterior_of" not in text
    found = rows(run("fit", "schools.csv", "--show", "schools", "-f", "json"))
    assert [r["n_coders"] for r in found] == [4, 3]
    assert rows(run("fit", "schools.csv", "--show", "readings", "-f", "json"))


# ---------------------------------------------------------------------- tables


@pytest.mark.parametrize("show", fit_options.SHOWN)
@pytest.mark.parametrize("kind", ["json", "md", "table"])
def test_every_table_in_every_format(run: Run, crowd: str, show: str, kind: str) -> None:
    result = run("fit", crowd, "--truth", "truth.csv", "--show", show, "-f", kind, "-q")
    assert result.exit_code == 0, result.stderr
    if show not in ("schools", "readings"):
        assert result.stdout.strip()
        assert kind != "table" or max(map(len, result.stdout.splitlines())) <= 80


def test_confusion_of_one_coder(run: Run, folder: Path, crowd: str) -> None:
    found = rows(run("fit", crowd, "--of", "good 1", "-f", "json"))
    expected = ac.coders(folder / crowd)["good 1"]
    assert len(found) == 9
    assert {r["coder"] for r in found} == {expected.coder}


def test_which_model(run: Run, folder: Path, crowd: str) -> None:
    found = rows(run("fit", crowd, "--which", "-m", "majority,pooled,mace", "-f", "json"))
    expected = ac.which_model(folder / crowd, ["majority", "pooled", "mace"])
    assert [r["model"] for r in found] == [r["model"] for r in expected.to_rows()]
    assert [r["score"] for r in found] == pytest.approx([c.score for c in expected.each])
    text = told(run("fit", crowd, "--which", "--truth", "truth.csv"))
    assert f"--model {ac.which_model(folder / crowd).advised}" in text
    assert "right" in text
    several = rows(run("fit", "questions.csv", "--which", "-m", "majority,pooled", "-f", "json"))
    assert {r["question"] for r in several} == {"tone", "topic"}


# ---------------------------------------------------------------------- refusals


REFUSED = [
    (["-m", "dawid"], "there is no model 'dawid'", 1),
    (["-m", "majority,mace"], "-m takes one model", 2),
    (["-m", "majority", "--tau", "0.5"], "nothing to temper", 1),
    (["--set", "prior"], "not NAME=VALUE", 2),
    (["--set", "colour=red"], "--set colour: the options of Dawid–Skene, pooled are prior", 2),
    (["--set", "prior=blue"], "prior", 1),
    (["--gold", "nobody"], "--gold nobody is neither", 1),
    (["--gold", "anna", "--truth", "anna"], "cannot score it", 2),
    (["--truth", "nobody", "--show", "scores"], "nobody", 1),
    (["--show", "scores"], "needs known labels", 2),
    (["--keep", "0.9", "--keep-share", "0.5"], "give one", 2),
    (["--keep", "0.9", "--show", "coders"], "leave --show coders out", 2),
    (["--of", "ann"], "did you mean 'anna'", 1),
    (["--of", "anna", "--show", "checks"], "goes with", 2),
    (["--which", "--show", "coders"], "leave", 2),
]


@pytest.mark.parametrize("words, message, code", REFUSED, ids=[" ".join(w) for w, _, _ in REFUSED])
def test_what_cannot_be_asked_is_told_in_one_message(
    run: Run, words: list[str], message: str, code: int
) -> None:
    result = run("fit", "ratings.csv", *words)
    assert message in " ".join(result.stderr.split())
    assert result.exit_code == code
    assert "defect" not in result.stderr


def test_a_gold_label_outside_the_scheme(run: Run, folder: Path) -> None:
    (folder / "gold.csv").write_text("item,gold\n1,yess\n")
    result = run("fit", "ratings.csv", "--gold", "gold.csv")
    assert result.exit_code == 1
    assert "gold.csv, row 2" in result.stderr
    assert "did you mean 'yes'" in result.stderr


def test_interrupted_it_ends_cleanly(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("accordant.models.call.fit", stop)
    result = run("fit", "ratings.csv")
    assert result.exit_code == 130
    assert "interrupted" in result.stderr
