"""Full reports of Appen, which was CrowdFlower and Figure Eight."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

from accordant import read
from accordant.errors import InputError

HEAD = "_unit_id,_golden,_tainted,_worker_id,_ip,tone,tone_gold,why,text\n"


def labels(path: Path, item: str, coder: str, label: str) -> dict[tuple[str, str], str]:
    """The answers as the csv module of Python reads them."""
    with path.open(encoding="utf-8-sig", newline="") as f:
        return {(r[item], r[coder]): r[label] for r in csv.DictReader(f) if r[item]}


@pytest.mark.parametrize(
    ("name", "items", "coders", "n"),
    [("cf1", 9, 18, 27), ("cf2", 7, 17, 63), ("cf3", 5, 18, 30), ("cf4", 2, 11, 16)],
)
def test_samples(name: str, items: int, coders: int, n: int, real_data: Any) -> None:
    path = real_data(f"samples/appen_crowdflower/platform_{name}.csv")
    data = read(path)
    assert (len(data.items), len(data.coders), len(data)) == (items, coders, n)
    found = {(r["item"], r["coder"]): r["label"] for r in data.to_rows()}
    assert found == labels(path, "_unit_id", "_worker_id", "Answer.output")
    assert data.reading.layout == "Appen (full report)"


def test_several_answers_in_a_cell(real_data: Any) -> None:
    path = real_data("samples/appen_crowdflower/relex-multiple-choice.csv")
    data = read(path)
    assert (len(data.items), len(data.coders), len(data)) == (10, 67, 150)
    found = {(r["item"], r["coder"]): set(r["label"]) for r in data.to_rows()}
    given = labels(path, "_unit_id", "_worker_id", "relations")
    assert found == {k: set(v.split("\n")) for k, v in given.items()}
    assert sum(len(v) > 1 for v in found.values()) == 27
    assert max(map(len, found.values())) == 10
    assert data.texts is not None
    assert data.texts[0].startswith("On Wednesday , Lyon led")
    assert "_ip" not in data.metadata


def test_the_gold_of_test_questions_is_no_answer_and_tainted_judgments_are_skipped(
    tmp_path: Path,
) -> None:
    path = tmp_path / "f1.csv"
    path.write_text(
        HEAD
        + '1,false,false,w1,1.2.3.4,good,,"it is so, I think, and I am quite sure of it",A long text\n'
        + '1,false,false,w2,1.2.3.5,bad,,"because of the words that were used in it here",A long text\n'
        + "2,true,false,w1,1.2.3.4,good,good,,Another text\n"
        + "2,true,true,w2,1.2.3.5,bad,good,,Another text\n"
        + '3,false,false,w1,1.2.3.4,,,"no answer was possible since the text is not there",No text\n'
        + "3,false,false,w2\n3,,,,,,,,,,,x\n"
    )
    data = read(path)
    assert data.questions == ("",)
    assert data.metadata["gold"] == (None, "good", None)  # item 3 has no answer
    assert dict(data.reading.left_out) == {
        "labels marked skipped": 1,
        "rows with more or fewer cells than the header": 1,
    }
    assert [(r["item"], r["coder"], r["label"]) for r in data.to_rows()] == [
        ("1", "w1", "good"),
        ("1", "w2", "bad"),
        ("2", "w1", "good"),
        ("2", "w2", None),
    ]


def test_an_aggregated_report_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a1.csv"
    path.write_text("_unit_id,_trusted_judgments,tone,tone:confidence\n1,3,good,0.9\n")
    with pytest.raises(InputError, match="a1.csv.*aggregated report.*full report"):
        read(path)


def test_columns_that_the_user_names_make_it_a_table(real_data: Any) -> None:
    path = real_data("samples/appen_crowdflower/platform_cf2.csv")
    data = read(path, item="_unit_id", coder="_worker_id", label="Answer.output")
    assert (data.reading.layout, len(data)) == ("long", 63)


def test_several_files_are_one_import_and_lines_are_told(tmp_path: Path) -> None:
    for k in (1, 2):
        (tmp_path / f"f{k}.csv").write_text(f"_unit_id,_worker_id,tone\n{k},a,x\n{k},b,y\n")
    data = read(tmp_path)
    assert (len(data), data.items, data.reading.layout) == (4, ("1", "2"), "Appen (full report)")


def test_an_input_that_is_called_text_is_the_text(tmp_path: Path) -> None:
    rows = "1,false,false,w1,,x,,,Clear.\n1,false,false,w2,,y,,,Clear.\n"
    path = tmp_path / "a.csv"
    path.write_text(HEAD + rows)
    assert read(path).texts == ("Clear.",)
