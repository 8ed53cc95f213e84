"""Potato: states of users, and the exports as JSON lines and tables."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path
from typing import Any

import pytest

from accordant import InputError, read
from data.formats.json_files import rows, written

FOLDER = "samples/potato"
NEW = [
    {
        "instance_id": "r1",
        "user_id": u,
        "labels": {"tone": {t: "1"}, "score": {"slider": n}},
        "spans": {"who": [{"start": 0, "end": 5, "label": "PER", "text": "Peter"}]}
        if u == "anna"
        else {},
        "links": {},
    }
    for u, t, n in (("anna", "pos", "20"), ("ben", "neg", "35"))
] + [
    {
        "instance_id": "r2",
        "user_id": "ben",
        "labels": {},
        "spans": {"who": [{"start": 0, "end": 2, "label": "LOC"}]},
        "links": {},
    }
]


def states(folder: Path) -> set[tuple[Any, ...]]:
    """By hand: `sentiment` is one choice, `aspects` a check list."""
    found = set()
    for user in ("alice", "bob"):
        state = json.loads((folder / user / "user_state.json").read_text())
        for item, pairs in state["instance_id_to_label_to_value"].items():
            ticked = {"sentiment": [], "aspects": []}
            for key, _ in pairs:
                ticked[key["schema"]].append(key["name"])
            found.add((item, user, "sentiment", ticked["sentiment"][0]))
            found.add((item, user, "aspects", tuple(sorted(ticked["aspects"]))))
    return found


@pytest.fixture
def folder(real_data: Any, tmp_path: Path) -> Path:
    """The project of two coders, without the one that is of another project."""
    source, out = real_data(FOLDER), tmp_path / "project"
    for user in ("alice", "bob"):
        (out / user).mkdir(parents=True)
        shutil.copyfile(source / user / "user_state.json", out / user / "user_state.json")
    shutil.copyfile(source / "items.json", out / "items.json")
    return out


def test_states_of_two_users(folder: Path, real_data: Any) -> None:
    data = read(folder)
    assert rows(data) == states(real_data(FOLDER))
    assert data.coders == ("alice", "bob")
    assert data.texts is not None
    assert data.texts[4] == "Mediocre at best. Nothing memorable about it."
    status = {(r["item"], r["question"], r["coder"]): r["status"] for r in data.to_rows()}
    assert status["r4", "aspects", "alice"] == "answered_empty"
    assert any("none applies" in n for n in data.reading.notes)


def test_files_and_archives_say_the_same(folder: Path, tmp_path: Path) -> None:
    files = [folder / user / "user_state.json" for user in ("alice", "bob")]
    assert rows(read(files)) == rows(read(folder))
    path = tmp_path / "p.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for file in files:
            archive.write(file, f"out/{file.parent.name}/user_state.json")
    assert rows(read(path)) == rows(read(folder))


def test_another_project_in_the_folder_has_no_answers_to_its_questions(real_data: Any) -> None:
    data = read(real_data(FOLDER))
    assert (len(data.items), data.coders, len(data)) == (11, ("alice", "bob", "lina1"), 29)


def test_one_user_is_refused(real_data: Any) -> None:
    with pytest.raises(InputError, match="only one coder was found .'lina1'"):
        read(real_data(f"{FOLDER}/lina1_behaviour_user_state.json"))


def test_the_json_lines_of_newer_releases(tmp_path: Path) -> None:
    data = read(written(tmp_path / "annotations.jsonl", NEW))
    assert rows(data) == {
        ("r1", "anna", "tone", "pos"),
        ("r1", "ben", "tone", "neg"),
        ("r1", "anna", "score", 20),
        ("r1", "ben", "score", 35),
        ("r1", "anna", "who", ("PER",)),
        ("r1", "ben", "who", ()),
        ("r2", "ben", "who", ("LOC",)),
    }


def test_tokens_need_the_texts(tmp_path: Path) -> None:
    written(tmp_path / "x" / "annotations.jsonl", NEW)
    with pytest.raises(InputError, match="text of item 'r1' is not given"):
        read(tmp_path / "x", layout="tokens")
    texts = [{"id": "r1", "text": "Peter sings"}, {"id": "r2", "text": "In Rome"}]
    written(tmp_path / "x" / "items.jsonl", texts)
    found = {r for r in rows(read(tmp_path / "x", layout="tokens")) if r[2] == "who"}
    assert ("r1:1", "anna", "who", "PER") in found
    assert ("r1:1", "ben", "who", "O") in found


def test_tables_have_a_column_for_each_box_and_the_spans_of_a_question(tmp_path: Path) -> None:
    spans = '"[{""start"": 0, ""end"": 5, ""name"": ""PER""}]"'
    path = tmp_path / "annotations.csv"
    path.write_text(
        "instance_id,user_id,tone.pos,tone.neg,fit.easy,fit.true,who._spans\n"
        f"r1,anna,pos,,3,5,{spans}\nr1,ben,,on,1,5,\n"
    )
    data = read(path)
    assert rows(data) == {
        ("r1", "anna", "tone", "pos"),
        ("r1", "ben", "tone", "neg"),
        ("r1", "anna", "fit: easy", 3),
        ("r1", "ben", "fit: easy", 1),
        ("r1", "anna", "fit: true", 5),
        ("r1", "ben", "fit: true", 5),
        ("r1", "anna", "who", ("PER",)),
        ("r1", "ben", "who", ()),
    }
    assert [(r["coder"], r["start"], r["end"]) for r in data.spans.to_rows()] == [("anna", 0, 5)]


def test_an_export_of_an_earlier_day_beside_the_states_is_no_answer(folder: Path) -> None:
    told = rows(read(folder))
    old = {"instance_id": "r1", "user_id": "alice", "labels": {"sentiment": {"x": "x"}}}
    written(folder / "exports" / "annotations.jsonl", [old | {"spans": {}}])
    data = read(folder)
    assert rows(data) == told
    assert dict(data.reading.left_out)["exports beside the states of the users"] == 1


def test_training_is_no_annotation(folder: Path) -> None:
    path = folder / "alice" / "user_state.json"
    state = json.loads(path.read_text())
    state["training_state"]["training_instances"] = ["r6"]
    path.write_text(json.dumps(state))
    data = read(folder)
    assert dict(data.reading.left_out)["instances of the training"] == 1
    assert not [r for r in rows(data) if r[:2] == ("r6", "alice")]


def test_folders_of_older_versions(tmp_path: Path) -> None:
    """One choice, a scale, a slider, words of one's own and spans; and a table of the same."""
    for k, user in enumerate(("anna", "ben")):
        lines = [
            {
                "id": f"i{i}",
                "displayed_text": f"Text {i}",
                "label_annotations": {
                    "tone": {("pos", "neg")[(i + k) % 2]: "12"[(i + k) % 2]},
                    "clear": {f"scale_{3 + k}": f"{3 + k}"},
                    "sure": {"slider": str(40 + i)},
                    "why": {"text_box": "so"},
                },
                "span_annotations": [{"start": 0, "end": 4, "annotation": "NOUN"}] * (i == k),
                "behavioral_data": {"time_string": "Time spent: 0d 0h 0m 9s"},
            }
            for i in range(3)
        ]
        (tmp_path / user).mkdir()
        text = "\n".join(map(json.dumps, lines))
        (tmp_path / user / "annotated_instances.jsonl").write_text(text)
    table = "user,instance_id,displayed_text,tone:::pos,tone:::neg\n"
    table += "".join(f"{u},i{i},Text {i},{'x,' if i else ',x'}\n" for u in "ab" for i in range(3))
    (tmp_path / "annotated_instances.csv").write_text(table)
    data = read(tmp_path)
    assert data.coders == ("anna", "ben")
    said = {(r["item"], r["coder"], r["question"]): r["label"] for r in data.to_rows()}
    assert (said["i1", "anna", "tone"], said["i1", "ben", "tone"]) == ("neg", "pos")
    assert (said["i2", "ben", "clear"], said["i2", "ben", "sure"]) == (4, 42)
    assert (said["i1", "ben", "spans"], said["i1", "anna", "spans"]) == (("NOUN",), ())
    assert {n for _, n in data.reading.left_out} == {1, 6}
    own = read(tmp_path / "annotated_instances.csv")
    assert (own.coders, own.questions, len(own)) == (("a", "b"), ("tone",), 6)
