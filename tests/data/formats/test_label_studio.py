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


def test_ground_truth_drafts_and_earlier_answers_are_no_annotations(tmp_path: Path) -> None:
    data = project(
        tmp_path,
        [
            answer(1, choice("tone", "neg"), updated_at="2026-01-02"),
            answer(1, choice("tone", "pos"), updated_at="2026-01-01"),
            answer(2, choice("tone", "pos")),
            answer(3, choice("tone", "neg"), ground_truth=True),
        ],
    )
    assert rows(data) == {("1", "1", "tone", "neg"), ("1", "2", "tone", "pos")}
    assert dict(data.reading.left_out) == {
        "earlier annotations of a task by the same coder": 1,
        "ground truth annotations, kept as known labels": 1,
    }


def test_what_a_coder_submitted_counts_not_what_a_reviewer_made_of_it(tmp_path: Path) -> None:
    history = [
        {"action": "submitted", "result": [choice("tone", "neg")]},
        {"action": "fixed_and_accepted", "result": [choice("tone", "pos")]},
    ]
    data = project(
        tmp_path,
        [answer(1, choice("tone", "pos"), history=history), answer(2, choice("tone", "pos"))],
    )
    assert rows(data) == {("1", "1", "tone", "neg"), ("1", "2", "tone", "pos")}


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
