"""JSON with an entry for each item, as Learning With Disagreements publishes it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from accordant import read
from accordant.errors import InputError
from data.formats.json_files import rows

OLD = "samples/hf_label_distribution/HS-Brexit_dev.json"
NEW = "samples/hf_label_distribution/VariErrNLI_dev.json"
HATE = "hate speech detection"


def test_2023_has_parallel_lists(real_data: Any) -> None:
    """6 coders, 168 items, three questions; the file is larger than what recognises it."""
    path = real_data(OLD)
    data, found = read(path), json.loads(path.read_text(encoding="utf-8"))
    expected = set()
    for item, entry in found.items():
        who = entry["annotators"].split(",")
        said = {HATE: entry["annotations"]} | entry["other_info"]["other annotations"]
        for question, labels in said.items():
            expected |= {
                (item, c, question, int(v)) for c, v in zip(who, labels.split(","), strict=True)
            }
    assert rows(data) == expected
    assert (len(data.items), len(data.coders), len(data.questions)) == (168, 6, 3)
    assert data.metadata["hard_label"][:3] == ("0", "0", "0")
    assert "gold" not in data.metadata
    assert any("drawn at random" in n for n in data.reading.notes)
    assert data.texts is not None
    assert data.texts[0].startswith("Cheap £ means foreigners")


def test_2025_has_an_object_with_several_labels(real_data: Any) -> None:
    path = real_data(NEW)
    data, found = read(path), json.loads(path.read_text(encoding="utf-8"))
    expected = {
        (item, coder, "", tuple(sorted(labels.split(","))))
        for item, entry in found.items()
        for coder, labels in entry["annotations"].items()
    }
    assert rows(data) == expected
    assert (len(data.items), data.coders) == (50, ("Ann1", "Ann2", "Ann3", "Ann4"))
    assert data.texts is not None
    assert data.texts[0].endswith("Honolulu.\nstatement: Lolani was built in only 1 year.")


def put(path: Path, value: Any) -> Path:
    path.write_text(json.dumps(value))
    return path


def test_numbers_stay_what_they_are(tmp_path: Path) -> None:
    """ConvAbuse: a scale from -3 to 1, and a text that is JSON."""
    entry = {
        "text": '{"agent": "Hi", "user": "Ho"}',
        "annotators": "Ann1,Ann2,Ann7",
        "annotations": "-1,-1,1",
        "hard_label": "0",
    }
    data = read(put(tmp_path / "x.json", {"1": entry}))
    assert rows(data) == {("1", "Ann1", "", -1), ("1", "Ann2", "", -1), ("1", "Ann7", "", 1)}
    assert data.texts == ("agent: Hi\nuser: Ho",)


@pytest.mark.parametrize(
    "entry",
    [
        {"text": "t", "annotations": {"a": "x", "b": "y"}},
        {"text": "t", "annotators": ["a", "b"], "annotations": ["x", "y"]},
        {
            "text": "t",
            "annotations": [{"annotator": "a", "label": "x"}, {"annotator": "b", "label": "y"}],
        },
    ],
)
def test_other_entries_for_each_item(entry: Any, tmp_path: Path) -> None:
    path = put(tmp_path / "x.json", {"i1": entry, "i2": entry})
    assert rows(read(path)) == {
        (i, c, "", x) for i in ("i1", "i2") for c, x in (("a", "x"), ("b", "y"))
    }


def test_parts_given_together(tmp_path: Path) -> None:
    for part in ("train", "dev"):
        entry = {"text": "t", "split": part, "annotators": "a,b", "annotations": "0,1"}
        put(tmp_path / f"{part}.json", {"1": entry})
    assert read(tmp_path).items == ("dev:1", "train:1")


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"text": "a"}, "an entry for each item that holds no annotations"),
        ({"text": "a", "soft_label": {"0": 0.3}, "hard_label": "0"}, "not who gave which"),
    ],
)
def test_entries_without_coders_are_refused(entry: Any, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=rf"x\.json: .*{message}"):
        read(put(tmp_path / "x.json", {"1": entry, "2": entry}))


def test_lists_that_do_not_match_are_counted(tmp_path: Path) -> None:
    entries = {
        "1": {"text": "t", "annotators": "a,b", "annotations": "0,1"},
        "2": {"text": "t", "annotators": "a,b", "annotations": "0"},
        "3": 7,
    }
    left = dict(read(put(tmp_path / "x.json", entries)).reading.left_out)
    assert left == {
        "entries whose annotations and annotators do not match": 1,
        "entries that are no items": 1,
    }
