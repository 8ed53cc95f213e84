"""JSON exports of Label Studio: choices and their statuses; spans are in `test_spans`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from accordant import Annotations, read
from data.formats.json_files import rows


def choice(name: str, *labels: str) -> dict[str, Any]:
    return {"from_name": name, "to_name": "t", "type": "choices", "value": {"choices": [*labels]}}


def answer(coder: int, *results: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"completed_by": coder, "was_cancelled": False, "result": [*results]} | more


def project(folder: Path, *tasks: list[dict[str, Any]], encoding: str = "utf-8") -> Annotations:
    path = folder / "export.json"
    made = [
        {"id": k, "data": {"text": f"Text {k}, ü."}, "annotations": a}
        for k, a in enumerate(tasks, 1)
    ]
    path.write_text(json.dumps(made, ensure_ascii=False), encoding=encoding)
    return read(path)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_questions_and_statuses(encoding: str, tmp_path: Path) -> None:
    data = project(
        tmp_path,
        [answer(1, choice("tone", "pos"), choice("role", "a")), answer(2, choice("tone", "neg"))],
        [answer(1), answer(2, choice("tone", "pos"), was_cancelled=True)],
        encoding=encoding,
    )
    assert {r for r in rows(data) if r[3] is not None} == {
        ("1", "1", "tone", "pos"),
        ("1", "2", "tone", "neg"),
        ("1", "1", "role", "a"),
    }
    found = data.statuses()
    assert (found["answered"], found["answered empty"], found["skipped"]) == (3, 2, 2)
    assert data.questions == ("tone", "role")
    assert data.texts == ("Text 1, ü.", "Text 2, ü.")
    assert ("labels marked skipped", 1) in data.reading.left_out


def test_a_starred_annotation_is_its_coders_answer_and_the_newest_counts(tmp_path: Path) -> None:
    data = project(
        tmp_path,
        [
            answer(1, choice("tone", "neg"), updated_at="2026-01-02"),
            answer(1, choice("tone", "pos"), updated_at="2026-01-01"),
            answer(2, choice("tone", "pos")),
            answer(3, choice("tone", "neg"), ground_truth=True),
        ],
    )
    assert rows(data) == {
        ("1", "1", "tone", "neg"),
        ("1", "2", "tone", "pos"),
        ("1", "3", "tone", "neg"),
    }
    assert data.metadata["gold: tone"] == ("neg",)
    assert dict(data.reading.left_out) == {"earlier annotations of a task by the same coder": 1}


def test_what_is_about_a_part_of_a_text_is_no_answer_about_the_text(tmp_path: Path) -> None:
    place = {"start": 0, "end": 4, "text": "Text"}

    def marked(sure: str) -> list[dict[str, Any]]:
        label = {"type": "labels", "from_name": "ner", "value": {**place, "labels": ["X"]}}
        said = {"type": "choices", "from_name": "sure", "value": {**place, "choices": [sure]}}
        return [{"id": "r1"} | label, {"id": "r1"} | said, choice("tone", sure)]

    data = project(tmp_path, [answer(c, *marked(x)) for c, x in ((1, "yes"), (2, "no"))])
    assert set(data.questions) == {"ner", "tone"}
    assert ("answers to 'sure' about a part of an item", 2) in data.reading.left_out
    assert len(data.spans) == 2


def test_nothing_ticked_of_several_is_an_answer_unless_it_was_not_asked(tmp_path: Path) -> None:
    def said(k: int, c: int) -> list[dict[str, Any]]:
        tone = "yes" if (k + c) % 3 else "no"
        why = [choice("why", *("ab" if k % 2 else "a"))] if tone == "yes" else []
        topics = [choice("topic", *("xy" if k % 2 else "x"))] if k % 5 else []
        return [choice("tone", tone), *why, *topics]

    data = project(tmp_path, *([answer(c, *said(k, c)) for c in (1, 2)] for k in range(1, 13)))
    status = {(r["item"], r["coder"], r["question"]): r["status"] for r in data.to_rows()}
    assert status["5", "1", "topic"] == "answered_empty"
    assert ("2", "1", "why") not in status  # asked where 'tone' is 'yes'
    assert any("'why'" in str(n) and "not asked" in str(n) for n in data.reading.notes)


def test_who_changed_an_annotation_and_who_only_began_one(tmp_path: Path) -> None:
    path = tmp_path / "export.json"
    begun = {"created_username": "eve@x.org, 3", "result": [choice("tone", "neg")]}
    tasks = [
        {
            "id": 1,
            "data": {"text": "Text."},
            "annotations": [
                answer(1, choice("tone", "pos"), updated_by=9),
                answer(2, choice("tone", "neg"), updated_by=2),
            ],
            "drafts": [begun],
            "predictions": [{"result": [choice("tone", "neg")], "score": 0.5}],
        }
    ]
    path.write_text(json.dumps(tasks))
    data = read(path)
    status = {(r["coder"], r["label"]): r["status"] for r in data.to_rows()}
    assert status == {("1", "pos"): "answered", ("2", "neg"): "answered", ("3", None): "draft"}
    assert any("than their coder changed last (1)" in str(w) for w in data.reading.warnings)
    assert dict(data.reading.left_out)["predictions"] == 1


def test_tasks_in_memory_are_read_as_their_file_is(tmp_path: Path) -> None:
    def task(k: int) -> dict[str, Any]:
        said = {"from_name": "tone", "type": "choices", "value": {"choices": ["glad"]}}
        each = [{"completed_by": c, "result": [said], "was_cancelled": False} for c in (1, 2)]
        return {"id": k, "annotations": each, "cancelled_annotations": 0, "total_predictions": 0}

    tasks = [task(1), task(2)]
    path = tmp_path / "export.json"
    path.write_text(json.dumps(tasks))
    assert read(tasks).to_rows() == read(path).to_rows()
    assert read(tasks).coders == ("1", "2")


def test_what_most_said_goes_back_to_the_tasks_under_their_controls(tmp_path: Path) -> None:
    from accordant.data.write import write

    stars = {"from_name": "stars", "to_name": "t", "type": "rating", "value": {"rating": 4}}
    data = project(
        tmp_path,
        [answer(c, choice("tone", x), stars) for c, x in ((1, "pos"), (2, "pos"), (3, "neg"))],
        [answer(c, choice("tone", x)) for c, x in ((1, "pos"), (2, "neg"))],
    )
    told = write(data, tmp_path / "back.json", "label_studio")
    one, two = json.loads((tmp_path / "back.json").read_text())
    assert (one["task"], two["task"]) == (1, 2)
    assert {r["from_name"]: r["value"] for r in one["result"]} == {
        "tone": {"choices": ["pos"]},
        "stars": {"rating": 4},
    }
    assert {r["to_name"] for r in one["result"]} == {"t"}
    assert one["score"] == pytest.approx((2 / 3 + 1) / 2, abs=1e-4)
    assert (two["result"], two["score"]) == ([], 0.5)  # tied
    assert any("on which coders are tied (1)" in t for t in told)


def test_what_most_said_becomes_new_tasks_or_examples(tmp_path: Path) -> None:
    from accordant.data.write import write

    given = {"item": ["i1", "i2"], "text": ["One.", "Two."], "A": ["x", "y"], "B": ["x", "x"]}
    data = read(given, layout="wide", item="item", coder=["A", "B"])
    write(data, tmp_path / "tasks.json", "label_studio")
    task = json.loads((tmp_path / "tasks.json").read_text())[0]
    assert task["data"] == {"text": "One.", "item": "i1"}
    assert task["predictions"][0]["result"][0]["value"] == {"choices": ["x"]}
    write(data, tmp_path / "examples.jsonl", "doccano")
    lines = [json.loads(x) for x in (tmp_path / "examples.jsonl").read_text().splitlines()]
    assert lines[0] == {"text": "One.", "item": "i1", "label": ["x"], "score": 1.0}
    assert lines[1]["label"] == []


def test_a_label_that_elsewhere_means_missing_is_an_answer(tmp_path: Path) -> None:
    data = project(tmp_path, [answer(1, choice("tone", "n/a")), answer(2, choice("tone", "1"))])
    assert rows(data) == {("1", "1", "tone", "n/a"), ("1", "2", "tone", "1")}
