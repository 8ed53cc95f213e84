"""The chapters of models of coders in a report, or why there is no model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import accordant as ac
from models.planted import crowd, kinds

RELIABILITY, LABELS = "annotator_reliability", "estimated_labels"


def keys(found: ac.Report) -> list[str]:
    return [s.key for s in found.sections if s.key in (RELIABILITY, LABELS)]


@pytest.fixture(scope="module")
def made() -> Any:
    return crowd(kinds(3, good=6, spammer=1, adversary=1), 250, 5, seed=3)


@pytest.fixture(scope="module")
def of_crowd(made: Any) -> ac.Report:
    return ac.report(made.rows)


def test_figures_are_those_of_the_fit(made: Any, of_crowd: ac.Report, tmp_path: Path) -> None:
    assert keys(of_crowd) == [RELIABILITY, LABELS]
    of_crowd.save(tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    for c in ac.coders(made.rows):
        assert f"{c.low:.3f}, {c.high:.3f}" in page
    found = ac.fit(made.rows)
    assert f"{int((found.confidence >= 0.95).sum()):,} of 250" in of_crowd[LABELS].lead


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ([["a", "b", "a", "c"], ["a", "b", "b", "c"]], "Two coders"),
        ([["a", "a"]] * 3, "All annotations are the same"),
        (np.random.default_rng(1).normal(size=(3, 30)), "measurements, not categories"),
        (
            [{"item": i, "label": x} for i, y in enumerate(["aab", "abb", "aaa"]) for x in y],
            "do not say who annotated what",
        ),
        ([["a", "b", "a"]], ""),
        ([["a", "b", None], [None, None, "a"]], ""),
    ],
    ids=["two coders", "one label", "measurements", "nobody known", "one coder", "apart"],
)
def test_why_there_is_no_model(data: Any, said: str) -> None:
    options = {"scale": "interval"} if isinstance(data, np.ndarray) else {}
    found = ac.report(data, **options)
    assert keys(found) == [LABELS]
    assert said in found[LABELS].lead


def test_three_coders_who_always_differ_are_undetermined() -> None:
    found = ac.report([["a", "b", "c"], ["a", "c", "b"], ["b", "c", "a"]])
    assert found[LABELS].lead.startswith("Undetermined")


def test_a_model_is_wanted_or_not(made: Any) -> None:
    assert keys(ac.report(made.rows, fit=False)) == []
    assert keys(ac.report(made.rows, fit="pooled")) == [RELIABILITY, LABELS]
    with pytest.raises(ac.RequestError, match="there is no model 'dawid_skeen'"):
        ac.report(made.rows, fit="dawid_skeen")
    with pytest.raises(ac.RequestError, match="need a model"):
        ac.report(made.rows, gold=made.gold(50), fit=False)
    with pytest.raises(ac.RequestError, match="no coder, no column about the items and no file"):
        ac.report(made.rows, gold="nobody")


def test_hostile_names_stay_text(tmp_path: Path) -> None:
    evil = "<script>alert(1)</script>|`"
    rows = [(f"{evil}{i}", f"{evil}{c}", f"{evil}{i * c % 3}") for i in range(12) for c in range(4)]
    found = ac.report(rows)
    assert RELIABILITY in keys(found)
    for name in ("report.html", "report.md"):
        found.save(tmp_path / name)
    assert "<script>alert" not in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_a_gold_coder_is_not_seen_by_the_model(made: Any) -> None:
    known = [*made.rows, *((i, "expert", x) for i, x in made.truth.items())]
    found = ac.report(known, gold="expert")
    right = ac.fit(made.rows).scores(made.truth).accuracy
    assert f"{right:.3f}" in found[LABELS].lead
    rows = [["a", "b", "a", "b"], ["a", "b", "b", "b"], ["a", "b", "a", "a"]]
    alone = ac.report(rows, coder=["Ann", "Bob", "Cleo"], gold="Cleo")
    assert "Without Cleo" in alone[LABELS].lead


def test_known_labels_from_a_file(made: Any, tmp_path: Path) -> None:
    path = tmp_path / "known.csv"
    path.write_text("item,gold\n" + "".join(f"{i},{x}\n" for i, x in made.truth.items()))
    right = ac.fit(made.rows).scores(made.truth).accuracy
    for gold in (path, str(path), made.truth):
        assert f"{right:.3f}" in ac.report(made.rows, gold=gold)[LABELS].lead


def test_the_order_of_rows_does_not_matter(made: Any, of_crowd: ac.Report) -> None:
    order = np.random.default_rng(1).permutation(len(made.rows))
    again = ac.report([made.rows[k] for k in order])
    for key in (RELIABILITY, LABELS):
        assert again[key].lead == of_crowd[key].lead


def test_what_is_cited_is_listed(of_crowd: ac.Report, tmp_path: Path) -> None:
    of_crowd.save(tmp_path / "report.md")
    page = (tmp_path / "report.md").read_text(encoding="utf-8")
    references = page[page.rindex("References") :]
    assert "Dawid" in references
    assert "Hovy" in references
