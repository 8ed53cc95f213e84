"""Assignments of Toloka."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from accordant import read
from accordant.errors import InputError


def test_sample(real_data: Any) -> None:
    data = read(real_data("samples/constructed/toloka_assignments.tsv"))
    # Items are called by what was shown (1.jpg), which is the same in all suites of a task; as a
    # plain table they were called by the id of the task.
    assert [tuple(r.values()) for r in data.to_rows()] == [
        ("1.jpg", "w01", "cat", "answered"),
        ("gold7.jpg", "w01", "dog", "answered"),
        ("1.jpg", "w02", "cat", "answered"),
        ("gold7.jpg", "w02", "cat", "answered"),
        ("1.jpg", "w03", None, "skipped"),
        ("gold7.jpg", "w03", None, "skipped"),
    ]
    assert data.metadata["gold"] == (None, "dog")
    assert data.reading.left_out == (("labels marked skipped", 2),)


def test_several_outputs_and_statuses(tmp_path: Path) -> None:
    path = tmp_path / "pool.tsv"
    path.write_text(
        "INPUT:a\tINPUT:b\tOUTPUT:tone\tOUTPUT:topics\tGOLDEN:tone\tASSIGNMENT:worker_id\tASSIGNMENT:status\n"
        'x\t1\tgood\t["art","war"]\t\tw1\tAPPROVED\n'
        "x\t1\tgood\t[]\t\tw2\tSUBMITTED\n"
        'x\t2\tbad\t["art"]\tbad\tw1\tACTIVE\n'
        "x\t2\t\t\tbad\tw2\tSKIPPED\n"
        "x\t2\t\t\tbad\t\tSKIPPED\n"
    )
    data = read(path)
    found = {
        (r["item"], r["coder"], r["question"]): (r["label"], r["status"]) for r in data.to_rows()
    }
    assert found["1", "w1", "topics"] == (("art", "war"), "answered")
    assert found["1", "w2", "topics"] == ((), "answered_empty")
    assert found["2", "w1", "tone"] == (None, "draft")
    assert found["2", "w2", "tone"] == (None, "skipped")
    assert data.metadata["gold: tone"] == (None, "bad")
    assert ("rows that name no item or no coder", 1) in data.reading.left_out


@pytest.mark.parametrize(
    "head", ["INPUT:a\tOUTPUT:b\tCONFIDENCE:b\n", "INPUT:a\tOUTPUT:b\tASSIGNMENT:status\n"]
)
def test_without_workers_it_is_refused(head: str, tmp_path: Path) -> None:
    path = tmp_path / "pool.tsv"
    path.write_text(head + "x\tgood\t0.9\n")
    with pytest.raises(InputError, match=r"pool\.tsv.*who answered what"):
        read(path)
