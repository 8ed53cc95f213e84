"""Argilla: flattened columns, nested JSON, version 1 in both shapes, classic data sets."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from accordant import InputError, read
from data.formats.json_files import rows, written

FLAT = "samples/argilla/v2_records_flattened_CONSTRUCTED.json"
PARQUET = "samples/argilla/v2_to_datasets_CONSTRUCTED.parquet"
NESTED = "samples/argilla/v2_records_to_json_CONSTRUCTED.json"
U = "00000000-0000-0000-0000-00000000000"

FIRST = [
    {
        "id": "a",
        "fields": {"text": "one two"},
        "suggestions": [{"value": "x"}],
        "responses": [
            {
                "user_id": "u1",
                "status": "submitted",
                "values": {
                    "q": {"value": "x"},
                    "s": {"value": [{"start": 0, "end": 3, "label": "P"}]},
                },
            },
            {
                "user_id": "u2",
                "status": "submitted",
                "values": {"q": {"value": "y"}, "s": {"value": []}},
            },
            {"user_id": "u3", "status": "discarded", "values": {"q": {"value": "y"}}},
        ],
    },
]
HUB = [
    {
        "id": "a",
        "text": "one",
        "q-suggestion": "x",
        "q": [
            {"user_id": "u1", "value": "x", "status": "submitted"},
            {"user_id": "u2", "value": "y", "status": "draft"},
            {"user_id": "u3", "value": "y", "status": "submitted"},
        ],
    },
    {"id": "b", "text": "two", "q-suggestion": None, "q": []},
]


def answers(path: Path) -> set[tuple[Any, ...]]:
    """Of the flattened file, by hand."""
    found = set()
    for record in json.loads(path.read_text()):
        for question in ("label", "topics", "spans"):
            triples = zip(
                record.get(f"{question}.responses") or (),
                record.get(f"{question}.responses.users") or (),
                record.get(f"{question}.responses.status") or (),
                strict=True,
            )
            for value, user, status in triples:
                if question == "spans":
                    value = [s["label"] for s in value]
                label = tuple(sorted(value)) if isinstance(value, list) else value
                found.add((record["id"], user, question, label if status == "submitted" else None))
    return found


@pytest.mark.parametrize("name", [FLAT, PARQUET])
def test_flattened(name: str, real_data: Any) -> None:
    data = read(real_data(name))
    assert rows(data) == answers(real_data(FLAT))
    assert data.texts == ("I love it", "EU rejects German call")
    assert data.metadata == {"src": ("x", None)}
    status = {(r["item"], r["question"], r["coder"]): r["status"] for r in data.to_rows()}
    assert status["r1", "label", f"{U}3"] == "draft"
    assert status["r2", "label", f"{U}3"] == "skipped"
    assert status["r2", "spans", f"{U}2"] == "answered_empty"
    assert ("suggestions of a model", 1) in data.reading.left_out


def test_nested_json_has_lost_the_status_and_says_so(real_data: Any) -> None:
    data = read(real_data(NESTED))
    assert len(data) == 8
    assert ("r1", f"{U}3", "label", "pos") in rows(data)
    assert ("r2", f"{U}3", "label", "neg") in rows(data)
    assert sum("drafts or were discarded" in w for w in data.reading.warnings) == 1


def test_an_archive_with_parquet(real_data: Any, tmp_path: Path) -> None:
    path = tmp_path / "set.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.write(real_data(PARQUET), "data/train.parquet")
    assert rows(read(path)) == answers(real_data(FLAT))


def test_version_1(tmp_path: Path) -> None:
    data = read(written(tmp_path / "x.jsonl", FIRST))
    assert rows(data) == {
        ("a", "u1", "q", "x"),
        ("a", "u2", "q", "y"),
        ("a", "u3", "q", None),
        ("a", "u1", "s", ("P",)),
        ("a", "u2", "s", ()),
    }


def test_version_1_from_the_hub(tmp_path: Path) -> None:
    data = read(written(tmp_path / "x.jsonl", HUB))
    assert rows(data) == {("a", "u1", "q", "x"), ("a", "u2", "q", None), ("a", "u3", "q", "y")}
    assert ("labels marked draft", 1) in data.reading.left_out
    assert "entries that are no records" not in dict(data.reading.left_out)


def test_tokens(tmp_path: Path) -> None:
    data = read(written(tmp_path / "x.jsonl", FIRST), layout="tokens")
    found = {r for r in rows(data) if r[2] == "s"}
    assert found == {
        ("a:1", "u1", "s", "P"),
        ("a:2", "u1", "s", "O"),
        ("a:1", "u2", "s", "O"),
        ("a:2", "u2", "s", "O"),
    }


def test_lists_that_do_not_fit_and_rankings_are_counted(tmp_path: Path) -> None:
    record = {
        "id": "a",
        "text": "t",
        "q.responses": ["x", "y"],
        "q.responses.users": ["u1", "u2"],
        "q.responses.status": ["submitted", "submitted"],
        "r.responses": [[{"value": "x", "rank": 1}]],
        "r.responses.users": ["u1"],
        "r.responses.status": ["submitted"],
        "z.responses": ["x", "y"],
        "z.responses.users": ["u1"],
        "z.responses.status": ["submitted"],
    }
    left = dict(read(written(tmp_path / "x.jsonl", [record])).reading.left_out)
    assert left["rankings"] == 1
    assert left["lists of responses that do not fit their lists of users"] == 1


def test_numbers_are_ratings(tmp_path: Path) -> None:
    record = {
        "id": "a",
        "text": "t",
        "q.responses": [3, 5],
        "q.responses.users": ["u1", "u2"],
        "q.responses.status": ["submitted"] * 2,
    }
    assert read(written(tmp_path / "x.jsonl", [record])).values == (3, 5)


def test_nobody_answered(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="this is Argilla, but no coder's answer is in it"):
        read(written(tmp_path / "x.jsonl", [{"id": 1, "fields": {}, "responses": {}}]))
