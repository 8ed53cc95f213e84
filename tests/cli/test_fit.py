"""The command fit: what it prints and writes is what the call returns."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import accordant as ac
from models.planted import crowd, kinds, mixed

Run = Callable[..., Any]


@pytest.fixture
def file(folder: Path) -> str:
    rows = "".join(f"{i},{c},{x}\n" for i, c, x in mixed().rows)
    (folder / "crowd.csv").write_text("item,coder,label\n" + rows)
    truth = "".join(f"{i},{x}\n" for i, x in mixed().truth.items())
    (folder / "truth.csv").write_text("item,gold\n" + truth)
    return "crowd.csv"


def shown(run: Run, *words: str) -> list[dict[str, Any]]:
    done = run("fit", *words, "--format", "json")
    assert done.exit_code == 0, done.output
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def test_labels_are_those_of_the_call(run: Run, file: str) -> None:
    found = ac.fit(file)
    assert shown(run, file, "--show", "labels") == json.loads(found.to_json())
    assert run("fit", file, "-o", "labels.csv").exit_code == 0
    with open("labels.csv", encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    assert {row["item"]: row["label"] for row in rows} == found.labelled()
    kept = shown(run, file, "--show", "labels", "--keep", "0.95")
    assert [row["item"] for row in kept] == found.keep(confidence=0.95).items


def test_coders_are_those_of_the_call_the_most_accurate_first(run: Run, file: str) -> None:
    found = ac.coders(file)
    rows = shown(run, file, "--show", "coders")
    accuracy = [row["competence"] for row in rows]
    assert accuracy == sorted(accuracy, reverse=True)
    assert {row["coder"] for row in rows} == {*mixed().confusion}
    for row in rows:
        one = found[row["coder"]]
        assert (row["verdict"], row["skill_low"]) == (one.verdict, one.skill_low)
    order = [row["coder"] for row in rows]
    cells = shown(run, file, "--show", "confusion")
    assert list(dict.fromkeys(row["coder"] for row in cells)) == order
    page = run("fit", file).stdout
    places = [page.index(f"{found[c].low:.3f}, {found[c].high:.3f}") for c in order]
    assert places == sorted(places)
    alone = shown(run, file, "--show", "coders", "--of", "c03")
    assert [row["coder"] for row in alone] == ["c03"]
    assert run("fit", file, "--show", "coders", "--of", "nobody").exit_code == 2


def test_known_labels_score_labels_and_coders(run: Run, file: str) -> None:
    scores = ac.fit(file).scores("truth.csv")
    rows = shown(run, file, "--truth", "truth.csv", "--show", "scores")
    assert [row["f1"] for row in rows] == [row["f1"] for row in scores.to_rows()]
    assert f"{scores.accuracy:.3f}" in run("fit", file, "--truth", "truth.csv").stdout
    given: dict[str, list[bool]] = {}
    for item, coder, label in mixed().rows:
        given.setdefault(coder, []).append(label == mixed().truth[item])
    for row in shown(run, file, "--truth", "truth.csv", "--show", "coders"):
        assert row["n_known"] == len(given[row["coder"]])
        assert row["accuracy"] == pytest.approx(np.mean(given[row["coder"]]))
    assert shown(run, file, "--truth", "truth.csv", "--show", "calibration")
    assert run("fit", file, "--show", "scores").exit_code == 2
    own = run("fit", file, "--truth", "c00", "--show", "coders", "--format", "json")
    assert "c00" not in {row["coder"] for row in json.loads(own.stdout)}


def test_options_of_models(run: Run, file: str) -> None:
    em = ac.fit(file, "mace", method="em")
    rows = shown(run, file, "-m", "mace", "--set", "method=em", "--show", "labels")
    assert [row["confidence"] for row in rows] == pytest.approx(em.confidence.tolist())
    gone = run("fit", file, "-m", "hierarchical")
    assert gone.exit_code == 2
    assert "use blend, the default" in " ".join(gone.stderr.split())
    assert run("fit", file, "--set", "worth=0.5").exit_code == 2
    assert run("models", "mace").exit_code == 0


@pytest.mark.parametrize(
    "name",
    ["answer", "items", "certainty", "prevalence", "coverage", "model"],
)
def test_every_page_has_words_and_rows(run: Run, file: str, name: str) -> None:
    assert run("fit", file, "--show", name).stdout.strip()
    vote = run("fit", file, "-m", "majority", "--show", name)
    assert vote.exit_code == 0
    if name not in ("answer", "model"):
        assert shown(run, file, "--show", name)


def test_prevalence_stands_beside_what_was_given(run: Run, file: str) -> None:
    found = ac.fit(file)
    prevalence = {row["category"]: row for row in shown(run, file, "--show", "prevalence")}
    counts = found.votes.counts.sum(0)
    for k, name in enumerate(found.categories):
        assert prevalence[name]["estimated_share"] == pytest.approx(found.prevalence[k])
        assert prevalence[name]["share_of_annotations"] == pytest.approx(counts[k] / counts.sum())


def test_sets_of_labels(run: Run, folder: Path) -> None:
    rows = [
        ("a;b" if i % 3 else "a") if c < 3 or i % 4 else "b" for i in range(40) for c in range(4)
    ]
    lines = [f"{k // 4},c{k % 4},{x}\n" for k, x in enumerate(rows)]
    (folder / "sets.csv").write_text("item,coder,label\n" + "".join(lines))
    found = ac.coders(ac.read("sets.csv", separator=";"))
    made = shown(run, "sets.csv", "--separator", ";", "--show", "coders")
    assert len(made) == 4 * 2
    for row in made:
        assert row["skill"] == found[row["label"]][row["coder"]].skill
    assert "label by label" in run("fit", "sets.csv", "--separator", ";").stdout


def test_many_coders_are_cut_for_readers(run: Run, folder: Path) -> None:
    made = crowd(kinds(3, good=60, constant=2), 300, 6, seed=5)
    lines = "".join(f"{i},{c},{x}\n" for i, c, x in made.rows)
    (folder / "many.csv").write_text("item,coder,label\n" + lines)
    assert len(shown(run, "many.csv", "--show", "coders")) == 62
    page = run("fit", "many.csv", "--show", "coders").stdout
    assert "and 22 more rows" in " ".join(page.split())
    assert "c60" in page
    assert "c61" in page


def test_where_nothing_is_known_nothing_is_promised(run: Run, folder: Path) -> None:
    lines = "".join(f"{i},c{i % 3},{'xy'[i % 2]}\n" for i in range(20))
    (folder / "alone.csv").write_text("item,coder,label\n" + lines)
    page = run("fit", "alone.csv").stdout
    assert "Nothing to estimate" in page
    assert "certain" not in page
