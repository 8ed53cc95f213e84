"""CSV, TSV and JSON-MIN of Label Studio."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from accordant import InputError, read

ONE = "samples/label_studio/one_project_per_annotator"
ROWS: list[dict[str, Any]] = [
    {
        "text": "a b",
        "id": 1,
        "tone": "good",
        "topic": {"choices": ["art", "war"]},
        "spans": [{"start": 0, "end": 1, "text": "a", "labels": ["PER"]}],
        "annotator": "ann@x.org",
        "annotation_id": 1,
        "updated_at": "2024-01-01",
        "lead_time": 3.0,
    },
    {
        "text": "a b",
        "id": 1,
        "tone": "bad",
        "topic": "art",
        "spans": None,
        "annotator": "bob@x.org",
        "annotation_id": 2,
        "updated_at": "2024-01-01",
        "lead_time": 3.0,
    },
    {
        "text": "a b",
        "id": 1,
        "tone": "good",
        "topic": "war",
        "spans": None,
        "annotator": "bob@x.org",
        "annotation_id": 3,
        "updated_at": "2024-01-02",
        "lead_time": 3.0,
    },
    {
        "text": "c d",
        "id": 2,
        "tone": "good",
        "topic": "art",
        "spans": None,
        "annotator": "ann@x.org",
        "annotation_id": 4,
        "updated_at": "2024-01-01",
        "lead_time": 3.0,
    },
]


def test_one_project_per_annotator_is_joined_by_what_was_shown(real_data: Any) -> None:
    """The annotator is "1" in both files, ids and upload folders differ."""
    paths = [real_data(f"{ONE}/{who}_cv_excerpt.csv") for who in ("mine", "teammate")]
    data = read(paths)
    assert (len(data.items), len(data.coders), len(data)) == (7, 2, 14)
    assert data.coders == ("mine_cv_excerpt", "teammate_cv_excerpt")
    for path, coder in zip(paths, data.coders):
        with path.open() as f:
            given = {r["image"].split("-", 1)[1]: r["choice"] for r in csv.DictReader(f)}
        own = {r["item"]: r["label"] for r in data.to_rows() if r["coder"] == coder}
        assert own == given
    assert read(paths[0].parent).fingerprint == data.fingerprint


@pytest.mark.parametrize(
    "name", ["csv_export_result.csv", "one_project_per_annotator/mine_cv_excerpt.csv"]
)
def test_a_file_of_one_annotator_is_refused(name: str, real_data: Any) -> None:
    with pytest.raises(InputError, match=r"only one coder|no answer in it is finished"):
        read(real_data(f"samples/label_studio/{name}"))


def as_min(path: Path) -> Path:
    path.write_text(json.dumps(ROWS))
    return path


def as_csv(path: Path) -> Path:
    with path.open("w", newline="") as f:
        out = csv.DictWriter(f, ROWS[0], delimiter="\t", quoting=csv.QUOTE_ALL)  # though .csv
        out.writeheader()
        for row in ROWS:
            out.writerow(
                {k: json.dumps(v) if isinstance(v, dict | list) else v for k, v in row.items()}
            )
    return path


@pytest.mark.parametrize("write", [as_min, as_csv])
def test_json_min_and_csv_say_the_same(write: Any, tmp_path: Path) -> None:
    data = read(write(tmp_path / ("a.json" if write is as_min else "a.csv")))
    found = {(r["item"], r["coder"][:3], r["question"]): r["label"] for r in data.to_rows()}
    assert found == {
        ("1", "ann", "tone"): "good",
        ("1", "bob", "tone"): "good",
        ("2", "ann", "tone"): "good",
        ("1", "ann", "topic"): ("art", "war"),
        ("1", "bob", "topic"): ("war",),
        ("2", "ann", "topic"): ("art",),
        ("1", "ann", "spans"): ("PER",),
        ("1", "bob", "spans"): (),
        ("2", "ann", "spans"): (),
    }
    assert data.reading.left_out == (("earlier annotations of a task by the same coder", 1),)
    assert data.texts == ("a b", "c d")


def test_free_text_and_colliding_names(tmp_path: Path) -> None:
    rows = [
        {
            "id": k,
            "annotation_id": k,
            "annotator": who,
            "lead_time": 1,
            "tone": tone,
            "_data_tone": "asked",
            "why": [{"text": ["it is", "so"]}],
            "stars": [{"rating": stars}],
        }
        for k, who, tone, stars in ((1, "a", "x", 3), (1, "b", "y", 4), (2, "a", "x", 3))
    ]
    path = tmp_path / "min.json"
    path.write_text(json.dumps(rows))
    data = read(path)
    assert set(data.questions) == {"tone", "stars"}
    assert ("answers in free text", 3) in data.reading.left_out
    assert data.metadata["_data_tone"] == ("asked", "asked")


def test_fields_of_the_task_and_tasks_without_annotations_are_no_answers(tmp_path: Path) -> None:
    """What differs within a task is an answer; of a pair of texts neither is."""
    path = tmp_path / "export.csv"
    path.write_text(
        "a,annotation_id,annotator,b,id,lead_time,pw,tags\n"
        + "".join(
            f'Same one,{k}{c},{c},Other {k % 2},{k},1,"[{{""selected"": ""{side}""}}]",{tags}\n'
            for k in range(3)
            for c, side, tags in (
                (1, "left", "x"),
                (2, "right", '"{""choices"": [""x"", ""y""]}"'),
                (3, "left", ""),
            )
        )
        + "Same one,,,Other 1,9,,,\n"
    )
    data = read(path)
    assert set(data.questions) == {"pw", "tags"}
    assert data.coders == ("1", "2", "3")
    assert {r["status"] for r in data.to_rows() if r["coder"] == "3"} == {
        "answered",
        "answered_empty",
    }
    assert ("tasks without annotations", 1) in data.reading.left_out
