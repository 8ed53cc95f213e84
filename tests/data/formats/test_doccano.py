"""doccano: a file for each user, lists that may be empty, spans, older exports, CSV."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from accordant import InputError, read
from data.formats.json_files import rows, written

USERS = "samples/constructed/doccano_individual_export"
SHARED = [
    "intent_detection.jsonl",
    "relation_extraction_pretty.jsonl",
    "seq2seq.jsonl",
    "sequence_labeling.jsonl",
    "text_classification.json",
    "text_classification.jsonl",
]


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def expected(folder: Path) -> set[tuple[Any, ...]]:
    return {
        (str(r["id"]), user, "", tuple(sorted(r["label"])))
        for user in ("ann", "bob")
        for r in lines(folder / f"{user}.jsonl")
        if r["label"]
    }


def test_the_folder_and_the_files_of_users(real_data: Any) -> None:
    folder = real_data(USERS)
    for source in (folder, [folder / "ann.jsonl", folder / "bob.jsonl"]):
        data = read(source)
        assert rows(data) == expected(folder)
        assert data.coders == ("ann", "bob")
        assert data.texts == ("Great price.", "Terrible... not!", "no idea")
        why = "examples with an empty list, which were perhaps never opened"
        assert dict(data.reading.left_out) == {why: 1}
        assert any("never opened" in w for w in data.reading.warnings)


def test_the_archive_that_doccano_makes(real_data: Any, tmp_path: Path) -> None:
    folder, path = real_data(USERS), tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for user in ("ann", "bob"):
            archive.write(folder / f"{user}.jsonl", f"{user}.jsonl")
        archive.writestr("all.jsonl", (folder / "ann.jsonl").read_text())
    data = read(path)
    assert rows(data) == expected(folder)
    left = dict(data.reading.left_out)
    assert left["examples of all.jsonl, where the labels of all users are merged"] == 3


def test_an_empty_list_is_an_answer_if_the_user_says_so(real_data: Any) -> None:
    data = read(real_data(USERS), blank="empty")
    assert ("102", "ann", "", ()) in rows(data)
    assert not data.reading.warnings


@pytest.mark.parametrize("name", SHARED)
def test_a_file_that_names_nobody_is_refused(name: str, real_data: Any) -> None:
    with pytest.raises(InputError, match=f"{name}: .*does not say in the file who annotated"):
        read(real_data(f"samples/doccano/{name}"))


def test_fasttext_is_refused(real_data: Any) -> None:
    with pytest.raises(InputError, match="fastText"):
        read(real_data("samples/doccano/text_classification_fasttext.txt"))


def test_the_merged_file_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "all.jsonl", [{"id": 1, "text": "a", "label": ["x", "y"]}])
    with pytest.raises(InputError, match="merged into one list"):
        read(path)


@pytest.mark.parametrize(
    "name",
    ["sequence_labeling.jsonl", "intent_detection.jsonl", "relation_extraction_pretty.jsonl"],
)
def test_spans_of_the_examples_given_by_two(name: str, real_data: Any, tmp_path: Path) -> None:
    """The examples that doccano ships, as if two users had made them."""
    content = real_data(f"samples/doccano/{name}").read_text(encoding="utf-8")
    for user in ("anna", "ben"):
        (tmp_path / f"{user}.jsonl").write_text(content, encoding="utf-8")
    data = read(tmp_path)
    assert data.coders == ("anna", "ben")
    found = {(r[0], r[2]): r[3] for r in rows(data)}
    if name.startswith("sequence"):
        text = "EU rejects German call to boycott British lamb."
        assert found[text, ""] == ("MISC", "ORG")
    elif name.startswith("intent"):
        text = "Find a flight from Memphis to Tacoma"
        assert found[text, "entities"] == ("City",)
        assert found[text, "cats"] == "flight"
    else:
        assert list(found.values()) == [("DATE", "ORG", "PERSON")]
        assert ("relations", 6) in data.reading.left_out


def test_tokens(tmp_path: Path) -> None:
    for user, spans in (("anna", [[0, 5, "PER"]]), ("ben", [])):
        records = [{"id": 1, "text": "Peter sings.", "label": spans, "is_confirmed": True}]
        written(tmp_path / f"{user}.jsonl", records)
    data = read(tmp_path, layout="tokens")
    assert data.metadata["token"] == ("Peter", "sings", ".")
    assert rows(data) == {
        *((f"1:{k}", "anna", "", w) for k, w in ((1, "PER"), (2, "O"), (3, "O"))),
        *((f"1:{k}", "ben", "", "O") for k in (1, 2, 3)),
    }


def test_where_spans_begin_and_end_is_kept(tmp_path: Path) -> None:
    """Spans as lists, as objects, and of older exports; a user may have marked nothing."""
    given = {"anna": [[0, 5, "PER"], [6, 11, "ACT"]], "ben": [[0, 5, "PER"]], "cem": []}
    for user, spans in given.items():
        as_list = {"id": 1, "text": "Peter sings.", "label": spans, "is_confirmed": True}
        objects = [{"start_offset": a, "end_offset": b, "label": x} for a, b, x in spans]
        as_objects = {"id": 2, "text": "Peter sings.", "entities": objects, "is_confirmed": True}
        written(tmp_path / f"{user}.jsonl", [as_list, as_objects])
    spans = read(tmp_path).spans
    assert {(r["item"], r["coder"], r["start"], r["end"], r["label"]) for r in spans.to_rows()} == {
        (item, coder, *span) for item in "12" for coder, own in given.items() for span in own
    }
    assert len(spans.looked) == 5  # in a list, which may be one of labels, there is none by 'cem'


def test_confirmed_and_not(tmp_path: Path) -> None:
    for user in ("anna", "ben"):
        written(
            tmp_path / f"{user}.jsonl",
            [
                {"id": 1, "text": "a", "label": ["x"], "is_confirmed": True},
                {"id": 2, "text": "b", "label": [], "is_confirmed": True},
                {"id": 3, "text": "c", "label": ["x"], "is_confirmed": user == "ben"},
            ],
        )
    status = {(r["item"], r["coder"]): r["status"] for r in read(tmp_path).to_rows()}
    assert status["2", "anna"] == "answered_empty"
    assert (status["3", "anna"], status["3", "ben"]) == ("draft", "answered")


def test_single_labels_of_two_users_are_no_sets(tmp_path: Path) -> None:
    for user in ("anna", "ben"):
        written(
            tmp_path / f"{user}.jsonl", [{"id": k, "text": "a", "label": ["x"]} for k in (1, 2)]
        )
    assert read(tmp_path).values == ("x",)


def test_a_consensus_is_no_coder(tmp_path: Path) -> None:
    for user in ("anna", "ben", "gold"):
        written(tmp_path / f"{user}.jsonl", [{"id": 1, "text": "a", "label": ["x"]}])
    data = read(tmp_path)
    assert data.coders == ("anna", "ben")
    assert data.metadata["gold"] == ("x",)


def test_texts_of_coders_are_no_labels(tmp_path: Path) -> None:
    for user in ("anna", "ben"):
        written(
            tmp_path / f"{user}.jsonl",
            [
                {"id": k, "text": "a", "label": [f"{user} says {k} this in many words of her own"]}
                for k in range(5)
            ],
        )
    with pytest.raises(InputError, match="own words"):
        read(tmp_path)


def test_what_is_odd_is_counted(tmp_path: Path) -> None:
    records = [{"id": 1, "text": "a", "label": ["x", {"y": 1}]}, {"id": 2, "text": "b"}, 3]
    for user in ("anna", "ben"):
        written(tmp_path / f"{user}.jsonl", records)
    left = dict(read(tmp_path).reading.left_out)
    assert left["entries that are no labels"] == 2
    assert left["entries that are no examples"] == 2
    assert left["examples without a list of labels"] == 2


def test_a_table_with_a_coder_is_none_of_doccano(tmp_path: Path) -> None:
    records = [{"text": "a", "label": ["x"], "annotator": c} for c in "ab"]
    assert read(written(tmp_path / "x.jsonl", records)).coders == ("a", "b")
