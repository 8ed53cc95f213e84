"""Prodigy: sessions, files of one coder each, review, binary, choice and span interfaces."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from accordant import InputError, read
from data.formats.json_files import rows, written

CHOICE = "samples/constructed/prodigy_choice_three_sessions.jsonl"
REVIEW = "samples/constructed/prodigy_review_versions.jsonl"
NER = "samples/prodigy/annotated_news_headlines_ner_head200.jsonl"
TEXTCAT = "samples/prodigy/annotated_github_issues_textcat_head150.jsonl"


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def task(k: int, answer: str = "accept", **more: Any) -> dict[str, Any]:
    return {
        "text": f"text {k} of it",
        "_input_hash": k,
        "_task_hash": 100 + k,
        "answer": answer,
    } | more


def test_the_choices_of_three_sessions(real_data: Any) -> None:
    path = real_data(CHOICE)
    data = read(path)
    said = {
        (
            str(t["_input_hash"]),
            t["_session_id"].removeprefix("reviews-"),
            "",
            tuple(sorted(t["accept"])) if t["answer"] == "accept" else None,
        )
        for t in lines(path)
    }
    assert rows(data) == said
    assert data.coders == ("ann", "bob", "eve")
    assert data.texts is not None
    assert data.texts[0] == "The film was a waste of time."
    status = {(r["item"], r["coder"]): r["status"] for r in data.to_rows()}
    assert status["-1001", "eve"] == "answered_empty"
    assert status["-1002", "ann"] == "skipped"


def test_the_output_of_review_says_what_to_give_instead(real_data: Any) -> None:
    with pytest.raises(InputError, match="what the coders answered is in their datasets"):
        read(real_data(REVIEW))


@pytest.mark.parametrize("name", [NER, TEXTCAT])
def test_one_coder_is_refused(name: str, real_data: Any) -> None:
    with pytest.raises(InputError, match="only one coder was found .*give all the files"):
        read(real_data(name))


def test_a_file_for_each_coder(real_data: Any, tmp_path: Path) -> None:
    """The real single-annotator file, given by two: sessions are null, `spans` often missing."""
    found = lines(real_data(NER))
    written(tmp_path / "anna.jsonl", found)
    written(tmp_path / "ben.jsonl", found[:100])
    data = read([tmp_path / "anna.jsonl", tmp_path / "ben.jsonl"])
    kept = {str(t["_input_hash"]): t for t in found}
    expected = {
        (item, "anna", "", tuple(sorted({s["label"] for s in t.get("spans", [])})))
        for item, t in kept.items()
        if t["answer"] == "accept"
    }
    assert {r for r in rows(data) if r[1] == "anna" and r[3] is not None} == expected
    assert sum(
        r["status"] == "answered_empty" for r in data.to_rows() if r["coder"] == "anna"
    ) == sum(t["answer"] == "accept" and not t.get("spans") for t in kept.values())
    assert data.coders == ("anna", "ben")


def test_tokens(real_data: Any, tmp_path: Path) -> None:
    found = lines(real_data(NER))[:20]
    for name in ("anna", "ben"):
        written(tmp_path / f"{name}.jsonl", found)
    data = read(tmp_path, layout="tokens")
    first = found[0]
    labels = {r[0]: r[3] for r in rows(data) if r[1] == "anna"}
    for k, token in enumerate(first["tokens"], 1):
        over = [
            s["label"] for s in first["spans"] if s["token_start"] <= token["id"] <= s["token_end"]
        ]
        assert labels[f"{first['_input_hash']}:{k}"] == (over or ["O"])[0]
    assert len(data.items) == sum(
        len(t["tokens"]) for t in {t["_input_hash"]: t for t in found}.values()
    )


def test_tokens_without_a_text_are_refused(tmp_path: Path) -> None:
    for name in "ab":
        tasks = [
            {"_input_hash": 1, "_task_hash": 2, "answer": "accept", "_view_id": "spans_manual"}
        ]
        written(tmp_path / f"{name}.jsonl", tasks)
    with pytest.raises(InputError, match=r"text of item '1' is not given"):
        read(tmp_path, layout="tokens")


def test_binary_answers_are_labels(tmp_path: Path) -> None:
    """Items are tasks: the same text may be asked about under several labels."""
    answers = {"a": ("accept", "reject", "ignore"), "b": ("reject", "reject", "accept")}
    tasks = [
        task(k, answer, label="DOCS", _session_id=f"d-{coder}")
        for coder, own in answers.items()
        for k, answer in enumerate(own)
    ]
    data = read(written(tmp_path / "x.jsonl", tasks))
    assert data.values == ("accept", "reject")
    assert data.questions == ("DOCS",)
    assert ("102", "a", "DOCS", None) in rows(data)
    assert ("100", "a", "DOCS", "accept") in rows(data)


def test_reject_in_a_choice_is_no_answer(tmp_path: Path) -> None:
    tasks = [
        task(1, "reject", accept=["x"], _session_id="d-a"),
        task(1, accept=["x"], _session_id="d-b"),
        task(2, accept=["y"], _session_id="d-a"),
        task(2, accept=["x"], _session_id="d-b"),
    ]
    data = read(written(tmp_path / "x.jsonl", tasks))
    assert data.values == ("x", "y")  # lists of one label, a single choice
    assert ("1", "a", "", None) in rows(data)
    assert ("labels marked skipped", 1) in data.reading.left_out


def test_choice_style_multiple_makes_sets(tmp_path: Path) -> None:
    tasks = [
        task(k, accept=["x"], config={"choice_style": "multiple"}, _session_id=f"d-{c}")
        for k in (1, 2)
        for c in "ab"
    ]
    assert read(written(tmp_path / "x.jsonl", tasks)).values == (("x",),)


def test_the_newest_of_repeated_answers(tmp_path: Path) -> None:
    tasks = [
        task(1, accept=["new"], _session_id="d-a", _timestamp=9),
        task(1, accept=["old"], _session_id="d-a", _timestamp=5),
        task(1, accept=["new"], _session_id="d-b"),
    ]
    path = written(tmp_path / "x.jsonl", tasks)
    data = read(path)
    assert rows(data) == {("1", "a", "", "new"), ("1", "b", "", "new")}
    assert ("earlier annotations of an item by the same coder", 1) in data.reading.left_out


def test_ambiguous_sessions_are_shown_as_they_are(tmp_path: Path) -> None:
    tasks = [task(1, accept=["x"], _session_id=s) for s in ("my-set-anna", "my-set-eva-maria")]
    data = read(written(tmp_path / "x.jsonl", tasks))
    assert data.coders == ("my-set-anna", "my-set-eva-maria")


def test_the_default_session_is_doubted(tmp_path: Path) -> None:
    tasks = [task(1, accept=["x"], _session_id=s) for s in ("d-default", "d-anna")]
    data = read(written(tmp_path / "x.jsonl", tasks))
    assert any("several persons" in w for w in data.reading.warnings)


def test_what_is_not_read_is_counted(tmp_path: Path) -> None:
    tasks = [
        task(1, accept=["x"], _session_id="d-a", relations=[{"head": 1}]),
        task(1, accept=["x"], _session_id="d-b"),
        task(2, "", accept=["x"], _session_id="d-b"),
        7,
        task(3, _view_id="text_input", user_input="own words", _session_id="d-a"),
    ]
    left = dict(read(written(tmp_path / "x.jsonl", tasks)).reading.left_out)
    assert left["relations"] == 1
    assert left["tasks without an answer"] == 1
    assert left["entries that are no tasks"] == 1
    assert left["answers in the coders' own words"] == 1


def test_an_archive(real_data: Any, tmp_path: Path) -> None:
    path = tmp_path / "prodigy.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.write(real_data(CHOICE), "out/a.jsonl")
        archive.writestr("out/notes.txt", "hello")
    data = read(path)
    assert len(data) == 7
    assert ("files beside the export", 1) in data.reading.left_out


def test_a_user_who_says_columns_is_believed(real_data: Any) -> None:
    data = read(real_data(CHOICE), item="text", coder="_session_id", label="accept")
    assert data.coders == ("reviews-ann", "reviews-bob", "reviews-eve")
