"""What a user says about the columns of a platform's file chooses among those that it has."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from accordant import InputError, agreement, read


@pytest.fixture
def studio(tmp_path: Path) -> Path:
    """JSON-MIN: one choice and several choices, the second not always answered."""
    rows = [
        {
            "id": item,
            "annotation_id": 10 * item + k,
            "annotator": who,
            "lead_time": 1.0,
            "text": f"text {item}",
            "stance": "pro" if (item + k) % 3 else "con",
            **({"target": {"choices": ["a", "b"][: 1 + item % 2]}} if (item + k) % 4 else {}),
        }
        for item in range(8)
        for k, who in enumerate(("ann@x.org", "bob@x.org"))
    ]
    path = tmp_path / "min.json"
    path.write_text(json.dumps(rows))
    return path


@pytest.fixture
def lists(tmp_path: Path) -> Path:
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    info = {
        "info": {
            "features": {
                "labels": {
                    "feature": {"names": ["no", "yes"], "_type": "ClassLabel"},
                    "_type": "Sequence",
                },
            }
        }
    }
    table = pa.table(
        {
            "uid": ["t1", "t2"],
            "annotator_ids": [["a", "b"]] * 2,
            "labels": [[0, 1], [1, -1]],
            "seconds": [[0.25, 1.5], [2.5, 0.75]],
        }
    )
    path = tmp_path / "train.parquet"
    pq.write_table(table.replace_schema_metadata({b"huggingface": json.dumps(info)}), path)
    return path


def test_a_label_chooses_a_question(studio: Path) -> None:
    whole, one = read(studio), read(studio, label="target")
    assert whole.questions == ("stance", "target")
    assert one.questions == ("target",)
    assert one.schemes[0].categories == ("a", "b")
    assert one.to_rows() == whole.of_questions(["target"]).to_rows()


def test_the_platforms_own_names_are_heeded(studio: Path) -> None:
    assert read(studio, item="id", coder="annotator").fingerprint == read(studio).fingerprint


@pytest.mark.parametrize("said", [{"label": "nothing"}, {"item": "text"}, {"coder": "text"}])
def test_other_names_are_refused(studio: Path, said: dict[str, str]) -> None:
    with pytest.raises(InputError) as caught:
        read(studio, **said)
    assert {"layout": "long"} in [dict(action.options) for action in caught.value.do]


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_blanks_of_a_platform_are_what_the_user_says(studio: Path) -> None:
    """A question that was left out counts as answered without a label, as in a table."""
    rows = [
        r | {"target": ";".join(r.get("target", {"choices": []})["choices"])}
        for r in json.loads(studio.read_text())
    ]
    table = {name: [r[name] for r in rows] for name in ("id", "annotator", "target")}
    plain = read(table, item="id", coder="annotator", label="target", blank="empty", separator=";")
    found = read(studio, label="target", blank="empty")
    assert len(found.answered) == len(plain.answered) == 16
    assert agreement(found, "alpha")["alpha"].value == pytest.approx(
        agreement(plain, "alpha")["alpha"].value
    )


def test_a_control_with_several_labels_and_none_ticked_is_an_answer_unless_said_otherwise(
    tmp_path: Path,
) -> None:
    def task(item: int, *answers: list[str]) -> dict[str, object]:
        names = ("stance", "topics")
        return {
            "id": item,
            "data": {"text": f"text {item}"},
            "annotations": [
                {
                    "completed_by": k,
                    "result": [
                        {"from_name": n, "type": "choices", "value": {"choices": x.split()}}
                        for n, x in zip(names, said, strict=False)
                    ],
                }
                for k, said in enumerate(answers)
            ],
        }

    path = tmp_path / "export.json"
    path.write_text(json.dumps([task(1, ["pro", "a b"], ["pro"]), task(2, ["con"], ["pro", "b"])]))
    assert len(read(path).answered) == len(read(path, blank="empty").answered) == 8
    assert len(read(path, blank="missing").answered) == 6


def test_columns_of_a_data_set_keep_its_names_of_labels(lists: Path) -> None:
    data = read(lists, item="uid", coder="annotator_ids", label="labels")
    assert data.schemes[0].categories == ("no", "yes")
    assert len(data.answered) == 3
    assert data.fingerprint == read(lists).fingerprint
    assert read(lists, label="seconds").schemes[0].categories == (0.25, 0.75, 1.5, 2.5)


def test_a_question_that_is_not_read_stops_nothing(studio: Path) -> None:
    """Words have no distance, but only the other question is measured."""
    rows = [r | {"urgency": r["id"] % 5} for r in json.loads(studio.read_text())]
    table = {n: [r[n] for r in rows] for n in ("id", "annotator", "stance", "urgency")}
    said = {"item": "id", "coder": "annotator", "label": ["stance", "urgency"]}
    with pytest.raises(InputError):
        read(table, **said, scale="interval")
    data = read(table, **(said | {"label": "urgency"}), scale="interval")
    assert (len(data.questions), data.schemes[0].scale) == (1, "interval")


def exported(*who: object) -> str:
    """Three tasks of Label Studio, with an annotation of each."""
    return json.dumps(
        [
            {
                "id": k,
                "data": {"text": f"text {k}"},
                "annotations": [
                    {
                        **({} if name is ... else {"completed_by": name}),
                        "result": [
                            {
                                "from_name": "tone",
                                "type": "choices",
                                "value": {"choices": ["ab"[(k + n) % 2]]},
                            }
                        ],
                    }
                    for n, name in enumerate(who)
                ],
            }
            for k in range(3)
        ]
    )


@pytest.mark.parametrize("name", [None, ...])
def test_annotations_that_nobody_signed_are_of_several_coders(tmp_path: Path, name: object) -> None:
    path = tmp_path / "export.json"
    path.write_text(exported(name, name))
    data = read(path)
    assert (len(data), len(data.coders), data.anonymous) == (6, 2, True)
    assert data.reading.left_out == ()


def test_files_of_one_name_are_called_after_their_folders(tmp_path: Path) -> None:
    paths = [tmp_path / who / "project-3.json" for who in ("ann", "bob")]
    for path in paths:
        path.parent.mkdir()
        path.write_text(exported(1))
    assert read(paths).coders == ("ann", "bob")
