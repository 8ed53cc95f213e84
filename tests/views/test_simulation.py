"""The figure and the page of a simulation study."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import accordant as ac
from accordant import RequestError
from accordant.render.html import html
from accordant.render.show import sections_of
from accordant.render.vega import svg
from accordant.simulate.study import MultilabelStudy
from accordant.views.charts import BLUE, INK, VERMILION
from accordant.views.simulation import PARTS, curves, study_report
from accordant.views.view import named


@pytest.fixture(scope="module")
def study() -> MultilabelStudy:
    return ac.multilabel_study(datasets=20, seed=5)


def test_every_number_is_in_the_figure(study: MultilabelStudy) -> None:
    values = curves(study)["data"]["values"]
    assert len(values) == len(study) * 3
    for cell in study:
        for key, words in PARTS:
            (found,) = [
                v["mean"]
                for v in values
                if v["name"] == cell.name
                and v["what"] == words
                and v["double"] == 100 * cell.double
                and v["agreement"] == f"agreement {100 * cell.agreement:.0f}\N{NO-BREAK SPACE}%"
            ]
            assert found == getattr(cell, key)


def test_lines_differ_in_more_than_colour(study: MultilabelStudy) -> None:
    line, point = curves(study)["spec"]["layer"]
    colours = line["encoding"]["color"]["scale"]["range"]
    assert colours == [INK, VERMILION, BLUE]
    assert len({tuple(d) for d in line["encoding"]["strokeDash"]["scale"]["range"]}) == 2
    assert len(set(point["encoding"]["shape"]["scale"]["range"])) == 3
    picture = svg(study_report(study).chart)
    for colour in colours:
        assert colour in picture
    for words in ("boot-match", "augmented κ", "expected by chance", "double labels (%)"):
        assert words in picture


def test_the_title_and_the_verdict_state_what_was_found(study: MultilabelStudy) -> None:
    report = study_report(study)
    assert report.chart.title == (
        "The more double labels, the more agreement boot-match, boot-F1, boot-precision and "
        "boot-recall expect by chance"
    )
    first, second = report.verdict
    mean = {d: sum(study["boot_match", a, d].expected for a in study.agreement) / 3 for d in (0, 1)}
    assert f"(boot-match from {mean[0]:.3f} to {mean[1]:.3f})" in first
    assert "soft-match and augmented κ expect as much as before" in first
    assert "augmented κ falls most" in second


def test_what_does_not_rise_is_not_said_to_rise() -> None:
    one = ac.multilabel_study(["soft_match"], datasets=20, seed=5)
    report = study_report(one)
    assert report.chart.title == "Observed, expected and adjusted agreement of simulated data sets"
    assert "more agreement by chance" not in report.verdict[0]
    skewed = study_report(ac.multilabel_study(["augmented"], datasets=20, entropy=0.8, seed=5))
    assert "augmented κ expects less agreement by chance" in skewed.verdict[0]


def test_one_share_of_doubles_has_nothing_to_compare() -> None:
    one = ac.multilabel_study(double=[0.25], agreement=[0.9], datasets=3, seed=1)
    report = study_report(one)
    assert report.verdict == (f"Simulated: {one.design}.",)
    assert "boot-match" in html(report)


def test_the_page(study: MultilabelStudy, tmp_path: Path) -> None:
    page = html(study_report(study))
    assert page.count("<svg") >= 1
    assert not re.search(r'(?:src|href)="(?!#|data:)', page)  # needs nothing else
    assert "ac.multilabel_study(n_datasets=20, rng=5)" in page
    assert "accordant simulate multilabel --datasets 20 --seed 5" in page
    assert "Marchal, M." in page
    for cell in study:
        assert f"{cell.expected:.3f}" in page
    path = study_report(study).save(tmp_path / "study.html")
    assert path.read_text("utf-8") == page


def test_the_table_has_every_row(study: MultilabelStudy) -> None:
    table = named("study", "means").table([study])
    assert len(table.rows) == len(study)
    assert sum(bool(row["apart"]) for row in table.rows) == len(study) / 5 - 1
    shown = {c.key for c in table.columns}
    assert {"measure", "observed", "expected", "value", "value_se"} <= shown


def test_undefined_and_extreme_values() -> None:
    some = ac.multilabel_study(
        "boot_match", categories=2, double=[0, 1], agreement=[1], datasets=4, seed=1
    )
    assert any("certain by chance" in note for note in named("study", "means").table([some]).notes)
    values = curves(some)["data"]["values"]
    assert None in [v["mean"] for v in values]
    assert "NaN" not in json.dumps(curves(some))
    svg(study_report(some).chart)
    low = ac.multilabel_study(
        "boot_match", entropy=0.8, further="distribution", agreement=[0.6], datasets=4, seed=1
    )
    assert any("lower edge" in note for note in named("study", "means").table([low]).notes)


def test_more_coders_are_explained(study: MultilabelStudy) -> None:
    more = ac.multilabel_study("percent", coders=3, double=[0, 1], agreement=[0.9], datasets=2)
    assert "Coders after the first" in html(study_report(more))
    assert "Coders after the first" not in html(study_report(study))


def test_an_unknown_ending(study: MultilabelStudy, tmp_path: Path) -> None:
    with pytest.raises(RequestError, match=r"must end in \.html"):
        study_report(study).save(tmp_path / "study.docx")


def test_golden_page(golden: Callable[..., None]) -> None:
    small = ac.multilabel_study(
        ["boot_match", "augmented"], double=[0, 0.5, 1], agreement=[0.6, 0.9], datasets=10, seed=5
    )
    golden("simulation", sections_of(small))


def test_programs_get_the_rows_of_the_study(study: MultilabelStudy) -> None:
    assert named("study", "means").rows([study]) == [
        {"question": None} | row for row in study.to_rows()
    ]
