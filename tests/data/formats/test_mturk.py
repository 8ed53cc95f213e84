"""Batch results of Amazon Mechanical Turk."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from accordant import read
from data.formats.test_appen import labels


@pytest.mark.parametrize(
    ("name", "items", "coders", "n"),
    [
        ("amt1", 9, 18, 27),
        ("amt2", 7, 17, 63),
        ("amt3", 5, 18, 30),
        ("amt4", 2, 11, 16),
        ("amt5", 6, 10, 12),
    ],
)
def test_samples(name: str, items: int, coders: int, n: int, real_data: Any) -> None:
    path = real_data(f"samples/mturk/platform_{name}.csv")
    data = read(path)
    assert (len(data.items), len(data.coders), len(data)) == (items, coders, n)
    found = {(r["item"], r["coder"]): r["label"] for r in data.to_rows()}
    assert found == labels(path, "HITId", "WorkerId", "Answer.output")


@pytest.mark.parametrize(
    ("name", "items", "asked"),
    [
        ("commongen_evals_batch", 33, {"coherence", "commonsense"}),
        ("generics_list_in_cell_head40", 13, {"def1", "def2"}),
        ("opinion_mining_spanish_batch", 34, {"POLARITY"}),
    ],
)
def test_without_workers_the_inputs_are_the_item_and_coders_are_anonymous(
    name: str, items: int, asked: set[str], real_data: Any
) -> None:
    path = real_data(f"samples/mturk/{name}.csv")
    data = read(path)
    assert data.anonymous
    with path.open(encoding="utf-8-sig", newline="") as f:
        rows = list(csv.DictReader(f))
    inputs = {tuple(v for k, v in r.items() if not k.startswith("Answer.")) for r in rows}
    assert len(data.items) == items == len(inputs)
    assert set(data.questions) == (asked if len(asked) > 1 else {""})
    for question in asked:
        given = Counter(r[f"Answer.{question}"] for r in rows)
        own = [r for r in data.to_rows() if r.get("question", question) == question]
        assert Counter(str(r["label"]) for r in own) == given
    # Answer.SENTENCEID only repeats the number of the sentence: no question.


def test_rejected_assignments_are_skipped_and_empty_rows_are_none(
    tmp_path: Path, real_data: Any
) -> None:
    path = tmp_path / "batch.csv"
    path.write_text(
        "HITId,WorkerId,AssignmentStatus,Input.text,Answer.tone,Approve,Reject\n"
        "h1,w1,Approved,Caf\\u00e9 is open,good,x,\nh1,w2,Rejected,Caf\\u00e9 is open,bad,,\n"
        "h1,w3,Submitted,Caf\\u00e9 is open,good,,no effort\n,,,,,,\nh1,w4,Approved,Caf\\u00e9 is open,{},,\n"
    )
    data = read(path)
    assert [(r["coder"], r["status"]) for r in data.to_rows()] == [
        ("w1", "answered"),
        ("w2", "skipped"),
        ("w3", "skipped"),
    ]
    assert data.reading.left_out == (("labels marked skipped", 2),)
    assert data.texts == ("Café is open",)
    empty = read(real_data("samples/appen_crowdflower/empty_rows.csv"))  # MTurk, in spite of it
    assert (len(empty.items), len(empty.coders), len(empty)) == (9, 18, 24)


def test_check_boxes_are_a_set_and_radio_buttons_one_label(tmp_path: Path) -> None:
    path = tmp_path / "batch.csv"
    path.write_text(
        "HITId,WorkerId,Answer.topic.art,Answer.topic.war,Answer.sure.no,Answer.sure.yes\n"
        "h1,w1,true,true,false,true\nh1,w2,false,false,true,false\nh2,w1,true,false,true,false\n"
    )
    data = read(path)
    found = {(r["item"], r["coder"], r["question"]): r["label"] for r in data.to_rows()}
    assert found == {
        ("h1", "w1", "topic"): ("art", "war"),
        ("h1", "w2", "topic"): (),
        ("h2", "w1", "topic"): ("art",),
        ("h1", "w1", "sure"): "yes",
        ("h1", "w2", "sure"): "no",
        ("h2", "w1", "sure"): "no",
    }


def test_forms_in_json(tmp_path: Path) -> None:
    path = tmp_path / "batch.csv"
    forms = [
        [{"tone": {"label": "good"}, "topic": {"art": True, "war": False}}],
        [{"tone": {"label": "bad"}, "topic": {"art": True, "war": True}}],
        "no form",
    ]
    with path.open("w", newline="") as f:
        out = csv.writer(f)
        out.writerow(["HITId", "WorkerId", "Answer.taskAnswers"])
        out.writerows(["h1", f"w{k}", json.dumps(x)] for k, x in enumerate(forms))
    data = read(path)
    found = {(r["coder"], r["question"]): r["label"] for r in data.to_rows()}
    assert found["w0", "tone"] == "good"
    assert found["w1", "topic"] == ("art", "war")
    assert ("cells of Answer.taskAnswers that hold no answers", 1) in data.reading.left_out
