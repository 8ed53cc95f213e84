"""Data sets of Hugging Face: arrow and Parquet, names of labels, lists of coders."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from accordant import InputError, read
from data.formats.json_files import Loaded, rows

NAMES = {"names": ["no", "yes"], "_type": "ClassLabel"}
TEXT = {"dtype": "string", "_type": "Value"}
LISTS = {
    "id": ["a", "b"],
    "text": ["one", "two"],
    "annotators": [["u1", "u2"], ["u1", "u3"]],
    "annotations": [[0, 1], [1, -1]],
}
FEATURES = {
    "id": TEXT,
    "text": TEXT,
    "annotators": {"feature": TEXT, "_type": "Sequence"},
    "annotations": {"feature": NAMES, "_type": "List"},
}
SAID = {("a", "u1", "", "no"), ("a", "u2", "", "yes"), ("b", "u1", "", "yes")}


def table(columns: dict[str, Any], features: Any = None) -> Any:
    made = pa.table(columns)
    if features is None:
        return made
    return made.replace_schema_metadata(
        {"huggingface": json.dumps({"info": {"features": features}})}
    )


def parquet(path: Path, columns: dict[str, Any], features: Any = None) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(table(columns, features), path)
    return path


def folder(path: Path, columns: dict[str, Any], features: Any) -> Path:
    """What `save_to_disk` writes."""
    path.mkdir(parents=True)
    made = pa.table(columns)
    with pa.ipc.new_stream(path / "data-00000-of-00001.arrow", made.schema) as out:
        out.write_table(made)
    (path / "dataset_info.json").write_text(json.dumps({"features": features}))
    (path / "state.json").write_text(json.dumps({"_data_files": [{"filename": "data-0"}]}))
    return path


def test_a_folder_with_lists_of_coders(tmp_path: Path) -> None:
    data = read(folder(tmp_path / "set", LISTS, FEATURES))
    assert rows(data) == SAID
    assert data.texts == ("one", "two")
    assert data.reading.blanks == 1


def test_a_parquet_file_with_lists_of_coders(tmp_path: Path) -> None:
    assert rows(read(parquet(tmp_path / "x.parquet", LISTS, FEATURES))) == SAID


def test_lists_without_names_of_labels(tmp_path: Path) -> None:
    data = read(parquet(tmp_path / "x.parquet", LISTS))
    assert ("b", "u3", "", -1) in rows(data)


def test_parts_of_a_data_set_with_their_own_ids(tmp_path: Path) -> None:
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "dataset_dict.json").write_text('{"splits": ["train", "test"]}')
    for part in ("train", "test"):
        folder(tmp_path / "set" / part, LISTS, FEATURES)
    assert read(tmp_path / "set").items == ("test:a", "test:b", "train:a", "train:b")


def test_a_long_table_gets_the_names_of_its_labels(tmp_path: Path) -> None:
    columns = {"item": ["a", "a", "b"], "annotator": ["u1", "u2", "u1"], "label": [0, 1, 1]}
    data = read(parquet(tmp_path / "x.parquet", columns, {"item": TEXT, "label": NAMES}))
    assert rows(data) == {("a", "u1", "", "no"), ("a", "u2", "", "yes"), ("b", "u1", "", "yes")}


def test_lists_of_unnamed_coders(tmp_path: Path) -> None:
    columns = {"id": ["a", "b"], "annotations": [[0, 1, 1], [1, 1]]}
    features = {"id": TEXT, "annotations": {"feature": NAMES, "_type": "List"}}
    data = read(parquet(tmp_path / "x.parquet", columns, features))
    assert data.anonymous
    assert (len(data), data.values) == (5, ("no", "yes"))


@pytest.mark.parametrize("shape", ["parquet", "jsonl"])
def test_distributions_without_coders_are_refused(shape: str, tmp_path: Path) -> None:
    columns = {
        "uid": ["a", "b"],
        "label_count": [[1, 2], [0, 3]],
        "label_dist": [[0.3, 0.7], [0.0, 1.0]],
    }
    path = tmp_path / f"x.{shape}"
    if shape == "parquet":
        parquet(path, columns)
    else:
        made = pa.table(columns).to_pylist()
        path.write_text("\n".join(map(json.dumps, made)))
    with pytest.raises(InputError, match=r"x\.\w+: .*how often each label was given, not by whom"):
        read(path)


def test_a_folder_without_data_is_refused(tmp_path: Path) -> None:
    path = folder(tmp_path / "set", LISTS, FEATURES)
    (path / "data-00000-of-00001.arrow").unlink()
    with pytest.raises(InputError, match="no file of data is in it"):
        read(path)


def test_the_cache_is_not_read(tmp_path: Path) -> None:
    path = folder(tmp_path / "set", LISTS, FEATURES)
    (path / "cache-1.arrow").write_bytes((path / "data-00000-of-00001.arrow").read_bytes())
    data = read(path)
    assert rows(data) == SAID
    assert ("files of the cache", 1) in data.reading.left_out


def test_without_pyarrow_the_user_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = folder(tmp_path / "set", LISTS, FEATURES)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(InputError, match="install pyarrow, or save the data set with to_parquet"):
        read(path)


def test_other_parquet_files_are_tables(tmp_path: Path) -> None:
    columns = {"item": ["a", "a", "b"], "coder": ["u1", "u2", "u1"], "label": [0, 1, 1]}
    data = read(parquet(tmp_path / "x.parquet", columns))
    assert data.reading.layout == "long"


# ------------------------------------------------------------------ lists of records, tokens, splits

RECORDS = {
    "id": ["a", "b", "c"],
    "text": ["one", "two", "three"],
    "hard_label": ["no", "yes", "no"],
    "annotations": [
        [{"annotator": "u1", "label": 0}, {"annotator": "u2", "label": 1}],
        [{"annotator": "u1", "label": 1}],
        [],
    ],
}
STRUCT = {"annotator": TEXT, "label": NAMES}
SEQUENCE = {
    **RECORDS,
    "annotations": [
        {"annotator": [r["annotator"] for r in cell], "label": [r["label"] for r in cell]}
        for cell in RECORDS["annotations"]
    ],
}
NESTED = {
    "list": (RECORDS, {"feature": STRUCT, "_type": "List"}),
    "sequence": (
        SEQUENCE,
        {k: {"feature": f, "_type": "List"} for k, f in STRUCT.items()},
    ),
}
TOKENS = {
    "id": ["s1", "s1", "s2", "s2"],
    "tokens": [["Ann", "met", "Bob"]] * 2 + [["Oslo", "!"]] * 2,
    "ner_tags": [[1, 0, 1], [1, 0, 2], [3, 0], [1, 0]],
    "annotator": ["u1", "u2", "u1", "u2"],
}
TAGS = {"names": ["O", "B-PER", "I-PER", "B-LOC"], "_type": "ClassLabel"}
TAGGED = {"ner_tags": {"feature": TAGS, "_type": "List"}}


def doors(columns: dict[str, Any], features: dict[str, Any], path: Path) -> list[Any]:
    made = table(columns, features)
    return [
        parquet(path / "x.parquet", columns, features),
        folder(path / "set", columns, features),
        made,
        Loaded(pa.table(columns), features),
    ]


@pytest.mark.parametrize("shape", NESTED)
def test_records_of_coders_are_a_row_for_each_through_every_door(
    shape: str, tmp_path: Path
) -> None:
    columns, feature = NESTED[shape]
    for source in doors(columns, {"annotations": feature}, tmp_path):
        data = read(source)
        assert rows(data) == SAID
        assert set(data.metadata) == {"hard_label"}
        assert read(source, layout="long").fingerprint == data.fingerprint
    named = json.loads(json.dumps(columns).replace(": 0", ': "no"').replace(": 1", ': "yes"'))
    if shape == "list":
        records = pa.table(named).to_pylist()
        for source in (named, records, pa.table(named), pa.table(named).to_pandas()):
            assert rows(read(source)) == SAID


def test_tags_of_tokens_by_several_annotators(tmp_path: Path) -> None:
    for source in doors(TOKENS, TAGGED, tmp_path):
        data = read(source)
        assert ("s1:3", "u2", "", "PER") in rows(data)
        assert ("s2:1", "u1", "", "LOC") in rows(data)
        assert (len(data), list(data.items)[:3]) == (10, ["s1:1", "s1:2", "s1:3"])
        assert read(source, layout="tokens").fingerprint == data.fingerprint


def test_splits_that_begin_their_ids_anew_are_kept_apart(tmp_path: Path) -> None:
    path = tmp_path / "repo" / "data"
    for split in ("train", "test"):
        parquet(
            path / f"{split}-00000-of-00001.parquet", RECORDS, {"annotations": NESTED["list"][1]}
        )
    data = read(tmp_path / "repo")
    loaded = Loaded(pa.table(RECORDS), {"annotations": NESTED["list"][1]})
    assert sorted(data.items) == ["test:a", "test:b", "train:a", "train:b"]
    assert read({"train": loaded, "test": loaded}).fingerprint == data.fingerprint


def test_shards_of_a_split_are_one(tmp_path: Path) -> None:
    path, half = tmp_path / "repo" / "data", {n: c[:2] for n, c in TOKENS.items()}
    rest = {n: c[2:] for n, c in TOKENS.items()}
    for k, part in enumerate((half, rest)):
        parquet(path / f"train-0000{k}-of-00002.parquet", part, TAGGED)
    whole = parquet(tmp_path / "x.parquet", TOKENS, TAGGED)
    assert read(tmp_path / "repo").fingerprint == read(whole).fingerprint
