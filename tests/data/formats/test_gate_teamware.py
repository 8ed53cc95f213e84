"""GATE Teamware: JSON lines as documented, the GATE shape, CSV, archives of parts."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from accordant import read
from accordant.errors import InputError
from data.formats.json_files import rows, written

SAMPLE = "samples/gate_teamware/documented_raw_export.jsonl"


def document(k: int, answers: dict[str, dict[str, Any]], **more: Any) -> dict[str, Any]:
    sets = {
        user: {
            "name": user,
            "annotations": [
                {"type": "Document", "start": 0, "end": 4, "id": 0, "features": features}
            ],
        }
        for user, features in answers.items()
    }
    return {"id": k, "text": f"text {k}", "annotation_sets": sets} | more


TWO = [
    document(
        1, {"ann.s@x.org": {"tone": "pos", "why": ["a", "b"]}, "ben": {"tone": "neg", "why": []}}
    ),
    document(
        2,
        {"ann.s@x.org": {"tone": "pos", "why": ["a"]}},
        teamware_status={"rejected_by": ["ben"], "timed_out": ["cem"], "aborted": ["cem"]},
    ),
]
SAID = {
    ("1", "ann.s", "tone", "pos"),
    ("1", "ann.s", "why", ("a", "b")),
    ("1", "ben", "tone", "neg"),
    ("1", "ben", "why", ()),
    ("2", "ann.s", "tone", "pos"),
    ("2", "ann.s", "why", ("a",)),
    ("2", "ben", "tone", None),
    ("2", "ben", "why", None),
}


def test_the_documented_example(real_data: Any) -> None:
    data = read(real_data(SAMPLE))
    assert rows(data) == {
        ("32", "user1", "text", "Annotation text"),
        ("32", "user1", "radio", "val3"),
        ("32", "user1", "checkbox", ("val2", "val4")),
        *(("32", "user2", q, None) for q in ("text", "radio", "checkbox")),
    }
    assert {r["status"] for r in data.to_rows() if r["coder"] == "user2"} == {"skipped"}
    assert data.texts == ("Document text",)
    assert data.metadata == {"text2": ("Document text 2",), "feature1": ("Feature text",)}
    assert dict(data.reading.left_out) == {"documents timed out": 1}


@pytest.mark.parametrize("shape", ["jsonl", "json", "zip"])
def test_two_coders(shape: str, tmp_path: Path) -> None:
    path = tmp_path / f"export.{shape}"
    if shape == "zip":  # a part for each 500 documents
        with zipfile.ZipFile(path, "w") as archive:
            for k, one in enumerate(TWO):
                archive.writestr(f"project-{k}.json", json.dumps([one]))
    elif shape == "json":
        path.write_text(json.dumps(TWO))
    else:
        written(path, TWO)
    data = read(path)
    assert rows(data) == SAID
    left = dict(data.reading.left_out)
    assert (left["documents timed out"], left["documents aborted"]) == (1, 1)


def test_the_gate_shape(tmp_path: Path) -> None:
    documents = [
        {
            "name": d["id"],
            "text": d["text"],
            "annotation_sets": d["annotation_sets"],
            "offset_type": "p",
            "features": {"teamware_status": d.get("teamware_status", {}), "src": "x"},
        }
        for d in TWO
    ]
    data = read(written(tmp_path / "x.jsonl", documents))
    assert rows(data) == SAID
    assert data.metadata["src"] == ("x", "x")


def test_csv_with_dots_in_the_names_of_users(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text(
        "id,text,annotations.ann.s@x.org.tone,annotations.ann.s@x.org.why,annotations.ben.tone,"
        "annotations.ben.why,teamware_status.rejected_by\n"
        '1,text 1,pos,"[""a"", ""b""]",neg,[],\n'
        '2,text 2,pos,"[""a""]",,,ben\n'
    )
    assert rows(read(path)) == SAID


def test_gold_of_training_documents_is_known(tmp_path: Path) -> None:
    gold = {"tone": {"value": "pos", "explanation": "because"}}
    answers = {u: {"tone": "neg"} for u in ("a", "b")}
    data = read(written(tmp_path / "x.jsonl", [document(1, answers, gold=gold)]))
    assert data.metadata["gold: tone"] == ("pos",)


def test_answers_in_own_words_are_left_out(tmp_path: Path) -> None:
    documents = [
        document(
            k,
            {
                u: {"tone": "pos", "note": f"{u} thinks that document {k} is like no other"}
                for u in ("ann", "ben")
            },
        )
        for k in range(4)
    ]
    data = read(written(tmp_path / "x.jsonl", documents))
    assert data.questions == ("tone",)
    assert ("answers in the coders' own words", 8) in data.reading.left_out


def test_what_is_odd_is_counted(tmp_path: Path) -> None:
    odd = document(3, {"ann": {"tone": {"x": 1}}})
    odd["annotation_sets"]["ben"] = {"annotations": [{"type": "Person", "features": {"x": "y"}}, 3]}
    left = dict(read(written(tmp_path / "x.jsonl", [*TWO, odd, 5])).reading.left_out)
    assert left["answers that are no labels"] == 1
    assert left["annotations of parts of a document"] == 1
    assert left["entries that are no annotations"] == 1
    assert left["entries that are no documents"] == 1


def test_nobody_annotated(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="GATE Teamware, but no coder's answer"):
        read(written(tmp_path / "x.jsonl", [document(1, {})]))
