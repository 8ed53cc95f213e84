"""Argilla 2: the same responses in all shapes of its client, types of questions, settings."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from accordant import InputError, read
from data.formats.json_files import rows, written

FLAT = "samples/argilla/v2_records_flattened_CONSTRUCTED.json"
PARQUET = "samples/argilla/v2_to_datasets_CONSTRUCTED.parquet"
NESTED = "samples/argilla/v2_records_to_json_CONSTRUCTED.json"
U = "00000000-0000-0000-0000-00000000000"


def users(*values: Any) -> list[dict[str, Any]]:
    return [{"value": v, "user_id": f"u{k + 1}"} for k, v in enumerate(values)]


SPANS = [{"start": 0, "end": 3, "label": "P"}]
RECORDS = [
    {
        "id": "a",
        "fields": {"text": "one two"},
        "metadata": {"annotator": 3},
        "suggestions": {"q": {"value": "x", "score": 0.9, "agent": "m"}},
        "responses": {"q": users("x", "y"), "s": users(SPANS, []), "w": users("fine", "fine")},
        "vectors": {"v": [0.1, 0.2]},
        "status": "pending",
    },
    {
        "id": "b",
        "fields": {"text": "three"},
        "metadata": {},
        "suggestions": {},
        "responses": {},
        "vectors": {},
        "status": "pending",
    },
]
SAID = {
    ("a", "u1", "q", "x"),
    ("a", "u2", "q", "y"),
    ("a", "u1", "s", ("P",)),
    ("a", "u2", "s", ()),
}
TYPES = {"q": "label_selection", "s": "span", "w": "text"}


def flattened(record: dict[str, Any]) -> dict[str, Any]:
    """As the client's ``flatten=True``."""
    flat = {"id": record["id"], **record["fields"], **record["metadata"]}
    for question, found in record["responses"].items():
        flat[f"{question}.responses"] = [r["value"] for r in found]
        flat[f"{question}.responses.users"] = [r["user_id"] for r in found]
        flat[f"{question}.responses.status"] = ["submitted"] * len(found)
    return flat | {f"{q}.suggestion": s["value"] for q, s in record["suggestions"].items()}


def by_name(records: list[dict[str, Any]]) -> dict[str, Any]:
    names = dict.fromkeys(n for r in records for n in r)
    return {n: [r.get(n) for r in records] for n in names}


FLATTENED = [flattened(r) for r in RECORDS]
SHAPES = {
    "list": RECORDS,
    "list, flattened": FLATTENED,
    "dict by name": by_name(RECORDS),
    "dict by name, flattened": by_name(FLATTENED),
    "dict by id": {r["id"]: r for r in RECORDS},
    "dict by id, flattened": {r["id"]: r for r in FLATTENED},
}


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


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_of_the_client_is_read_alike(shape: str, tmp_path: Path) -> None:
    path = tmp_path / "records.json"
    path.write_text(json.dumps(SHAPES[shape]))
    found = [read(SHAPES[shape]), read(path)]
    if shape == "list, flattened":
        frame = pd.DataFrame(FLATTENED)
        table = pa.Table.from_pylist(FLATTENED)
        found += [read(frame), read(table), read(pl.from_arrow(table))]
    for data in found:
        assert {r for r in rows(data) if r[2] != "w"} == SAID
        assert data.fingerprint == found[0].fingerprint
        assert ("suggestions of a model", 1) in data.reading.left_out
        lost = any("drafts or were discarded" in w for w in data.reading.warnings)
        assert lost == ("flattened" not in shape)


def test_a_folder_with_settings_knows_the_types_of_its_questions(tmp_path: Path) -> None:
    (tmp_path / "set" / ".argilla").mkdir(parents=True)
    questions = [{"name": q, "settings": {"type": t}} for q, t in TYPES.items()]
    (tmp_path / "set" / ".argilla" / "settings.json").write_text(
        json.dumps({"questions": questions})
    )
    (tmp_path / "set" / ".argilla" / "dataset.json").write_text("{}")
    (tmp_path / "set" / "records.json").write_text(json.dumps(RECORDS))
    data = read(tmp_path / "set")
    assert rows(data) == SAID
    left = dict(data.reading.left_out)
    assert left == {"suggestions of a model": 1, "answers in the coders' own words": 2}


@pytest.mark.parametrize(
    ("texts", "read_as"),
    [
        (["yes", "no", "no", "yes"] * 3, None),
        ([f"w{k % 4}" for k in range(12)], "labels"),
        ([f"word {k % 9}" for k in range(12)], "own words"),
    ],
)
def test_texts_of_a_question_without_a_type(
    texts: list[str], read_as: str | None, tmp_path: Path
) -> None:
    flat = [
        {
            "id": str(k),
            "text": "t",
            "q.responses": texts[2 * k : 2 * k + 2],
            "q.responses.users": ["u1", "u2"],
            "q.responses.status": ["submitted", "submitted"],
            "r.responses": [1, 2],
            "r.responses.users": ["u1", "u2"],
            "r.responses.status": ["submitted", "submitted"],
        }
        for k in range(6)
    ]
    data = read(flat)
    assert ("q" in data.questions) == (read_as != "own words")
    doubts = [w for w in data.reading.warnings if "which type the question 'q' has" in w]
    assert [f"are read as {read_as}" in w for w in doubts] == [True] * (read_as is not None)


def test_lists_as_text_of_a_csv_are_refused_with_the_way_out(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_text("id,q.responses,q.responses.users\na,\"['x' 'y']\",\"['u1' 'u2']\"\n")
    with pytest.raises(InputError, match="Parquet"):
        read(path)


def test_tokens() -> None:
    found = {r for r in rows(read(RECORDS, layout="tokens")) if r[2] == "s"}
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
