"""REDCap, Qualtrics and Google Forms: what the programs say of a row, and who the coders are."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from accordant import InputError, read

EVENT, INSTRUMENT, INSTANCE = (
    f"redcap_{n}" for n in ("event_name", "repeat_instrument", "repeat_instance")
)


def written(path: Path, rows: Sequence[Sequence[Any]]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as f:
        csv.writer(f).writerows(rows)
    return path


def found(data: Any, question: str = "") -> dict[tuple[str, str], tuple[str, Any]]:
    """The status and label of each item and coder, of one question."""
    return {
        (str(r["item"]), r["coder"]): (r["status"], r["label"])
        for r in data.to_rows()
        if r.get("question", "") == question
    }


# ------------------------------------------------------------------ REDCap


def ratings(*states: int) -> list[list[Any]]:
    """Six records of two raters, with the states of the first forms."""
    labels = [
        "low",
        "high",
        "high",
        "low",
        "low",
        "low",
        "high",
        "high",
        "low",
        "high",
        "low",
        "low",
    ]
    rows = [[k // 2 + 1, "ab"[k % 2], label] for k, label in enumerate(labels)]
    return [[*row, state] for row, state in zip(rows, [*states, *[2] * 12], strict=False)]


def test_the_state_of_a_form_is_a_status(tmp_path: Path) -> None:
    head = ["record_id", "rater", "mood", INSTRUMENT, "rating_complete"]
    rows = [[i, c, m, "", s] for i, c, m, s in ratings(2, 0, 1)]
    data = read(written(tmp_path / "r.csv", [head, *rows]))
    assert data.questions == ("",)
    assert data.statuses() == {"answered": 10, "draft": 2}
    assert found(data)["1", "b"] == ("draft", None)


def test_instances_of_a_form_keep_what_is_said_of_their_record(tmp_path: Path) -> None:
    head = [
        "record_id",
        INSTRUMENT,
        INSTANCE,
        "site",
        "enrol_complete",
        "rater",
        "mood",
        "rate_complete",
    ]
    rows: list[list[Any]] = [[k, "", "", f"site {k % 2}", 2, "", "", ""] for k in range(1, 7)]
    rows += [[i, "rating", "ab".index(c) + 1, "", "", c, m, s] for i, c, m, s in ratings()]
    data = read(written(tmp_path / "r.csv", [head, *rows]))
    assert (data.coders, len(data), len(data.items)) == (("a", "b"), 12, 6)
    assert data.metadata["site"] == tuple(f"site {k % 2}" for k in range(1, 7))


@pytest.mark.parametrize("said", [None, "coder", "rater"])
def test_events_are_coders_only_if_they_are_called_so(said: str | None, tmp_path: Path) -> None:
    names = {"a": "rater_1_arm_1", "b": "rater_2_arm_1"}
    if said != "rater":
        names = {"a": "baseline_arm_1", "b": "month_6_arm_1"}
    rows = [[i, names[c], m, s] for i, c, m, s in ratings()]
    path = written(tmp_path / "r.csv", [["record_id", EVENT, "mood", "rating_complete"], *rows])
    if said:
        data = read(path, **({"coder": EVENT} if said == "coder" else {}))
        assert (set(data.coders), len(data.items)) == (set(names.values()), 6)
    else:
        with pytest.raises(InputError) as caught:
            read(path)
        assert caught.value.do[0].options == {"coder": EVENT}


def test_what_tells_the_items_apart_beside_the_record(tmp_path: Path) -> None:
    head = ["record_id", EVENT, "rater", "mood", "rating_complete"]
    rows = [[i, e, c, m, s] for e in ("first", "last") for i, c, m, s in ratings()]
    data = read(written(tmp_path / "r.csv", [head, *rows]))
    assert len(data.items) == 12
    assert "1 last" in data.items


def test_double_entry(tmp_path: Path) -> None:
    head = ["record_id", "redcap_data_access_group", "mood", "rating_complete"]
    rows = [[f"{i}--{'ab'.index(c) + 1}", "x", m, s] for i, c, m, s in ratings()]
    rows += [[k, "x", "low", 2] for k in range(1, 7)]
    data = read(written(tmp_path / "r.csv", [head, *rows]))
    assert data.coders == ("entry 1", "entry 2")
    assert {str(i) for i in data.items} == {"1", "2", "3", "4", "5", "6"}
    assert data.metadata["final"] == ("low",) * 6
    plain = read(written(tmp_path / "p.csv", [[row[0], *row[2:]] for row in [head, *rows]]))
    assert plain.to_rows() == data.to_rows()


# ------------------------------------------------------------------ Qualtrics


def test_responses_that_are_previews_or_not_finished(tmp_path: Path) -> None:
    head = [
        "StartDate",
        "Status",
        "Finished",
        "ResponseId",
        "UserLanguage",
        "Q1_1",
        "Q1_2",
        "Q1_2_TEXT",
    ]
    rows = [head, [f"{n} in full" for n in head], [json.dumps({"ImportId": n}) for n in head]]
    for k in range(10):
        status = "Survey Preview" if k == 9 else "IP Address"
        answers = ["yn"[k % 2], "yn"[k % 3 == 0], "other words"]
        rows.append(["2026-01-01", status, str(k != 3), f"R_{k}", "EN", *answers])
    path = written(tmp_path / "survey.csv", rows)
    data = read(path)
    assert (data.items, len(data.coders)) == (("Q1_1", "Q1_2"), 9)
    assert data.statuses() == {"answered": 16, "draft": 2}
    pd = pytest.importorskip("pandas")
    assert read(pd.read_csv(path), layout="transposed").to_rows() == data.to_rows()
    assert "layout='wide'" in str(data.reading)


def qualtrics(path: Path, asked: Sequence[tuple[str, str]], answers: Any) -> Path:
    """Answers of five persons to columns with a name and a text each."""
    head = [("ResponseId", "Response ID"), ("Finished", "Finished"), *asked]
    rows = [
        [n for n, _ in head],
        [t for _, t in head],
        [json.dumps({"ImportId": n}) for n, _ in head],
    ]
    rows += [[f"R_{k}", "1", *(answers(n, k) for n, _ in asked)] for k in range(5)]
    return written(path, rows)


def graded(name: str, k: int) -> str:
    """An answer of the first question or of the other."""
    first, j = name.startswith("Q1_") or name.endswith("_Q5"), sum(map(ord, name)) + (k == 1)
    return ("good", "bad", "fair")[j % 3] if first else ("yes", "no")[j % 2]


@pytest.mark.parametrize("same", [True, False])
def test_each_matrix_is_a_question(same: bool, tmp_path: Path) -> None:
    asked = [
        (
            f"Q{q}_{i}",
            f"{'Tone - or mood?' if q == 1 else 'Clear?'} - text {i + (not same) * 9 * q}",
        )
        for q in (1, 2)
        for i in range(1, 7)
    ]
    data = read(qualtrics(tmp_path / "q.csv", asked, graded))
    assert (data.questions, len(data), data.reading.warnings) == (("Q1", "Q2"), 60, ())
    names = {t: {n: t.rpartition(" - ")[2] if same else n for n, t in asked} for _, t in asked}
    for question in data.questions:
        for (item, coder), (_, label) in found(data, question).items():
            name = next(
                n for n, x in next(iter(names.values())).items() if x == item and question in n
            )
            assert label == graded(name, int(coder[2:]))


def test_one_question_of_two_matrices_is_one(tmp_path: Path) -> None:
    asked = [(f"Q{q}_{i}", f"Tone? - text {i + 9 * q}") for q in (1, 2) for i in range(1, 7)]
    data = read(qualtrics(tmp_path / "q.csv", asked, lambda n, k: graded("Q1_" + n, k)))
    assert (data.questions, len(data.items)) == (("",), 12)


def test_the_passes_of_a_loop_are_items(tmp_path: Path) -> None:
    asked = [(f"{i}_Q{q}", f"text {i} - {q}?") for i in range(1, 4) for q in (5, 6, 7, 8)]
    asked += [("Q9", "Age?"), *((f"Q10_{j}", f"Which? - {j}") for j in (1, 2))]
    boxes = {f"Q10_{j}": ("", f"box {j}") for j in (1, 2)}
    data = read(
        qualtrics(
            tmp_path / "q.csv", asked, lambda n, k: boxes[n][k % 2] if n in boxes else graded(n, k)
        )
    )
    assert (data.items, data.questions) == (("1", "2", "3"), ("Q5", "Q6", "Q7", "Q8"))
    assert found(data, "Q5")["2", "R_1"] == ("answered", graded("2_Q5", 1))
    assert "those of the 3 items ('Q9')" in str(data.reading)
    assert "about the coders" in {role for _, role, _ in data.reading.preview}


# ------------------------------------------------------------------ Google Forms

OPTIONS = {"tone": ("good", "bad"), "length": ("short", "long", "fine")}
TEXTS = [f"text {c}" for c in "ABCDE"]


def form(path: Path, names: Sequence[str], answers: Any, **more: str) -> Path:
    """Answers of four persons to grids, and what they wrote of themselves."""
    rows = [["Timestamp", "Email Address", *names, *more]]
    for k in range(4):
        cells = [answers(n, j, k) for j, n in enumerate(names)]
        rows.append([f"1/{k + 1}/2026 10:00:00", f"p{k}@x.org", *cells, *more.values()])
    return written(path, rows)


def test_grids_are_questions_and_their_rows_items(tmp_path: Path) -> None:
    names = [f"{q} [{t}]" for q in OPTIONS for t in TEXTS]

    def answer(name: str, j: int, k: int) -> str:
        given = OPTIONS[name.split(" ")[0]]
        return given[(3 * j + k * (j % 3 > 0)) % len(given)]

    path = form(tmp_path / "f.csv", names, answer, Age="33")
    data = read(path)
    assert data.to_rows() == read(path, layout="transposed").to_rows()
    assert (set(data.items), data.questions) == (set(TEXTS), ("tone", "length"))
    assert data.coders == ("p0", "p1", "p2", "p3")
    for (item, coder), cell in found(data, "length").items():
        at = names.index(f"length [{item}]")
        assert cell == ("answered", answer("length", at, int(coder[1:])))
    assert "'Age'" in str(data.reading)


def test_items_that_are_called_as_remarks_are(tmp_path: Path) -> None:
    names = ['Comment 1: "too long"', "Comment 2", "Comment 3", "Comment 4"]
    path = form(tmp_path / "f.csv", names, lambda _, j, k: "yn"[(j + k) % 3 == 0])
    assert read(path).items == tuple(names)


def test_check_boxes_of_a_grid_are_sets(tmp_path: Path) -> None:
    names = [f"moods [{t}]" for t in TEXTS]
    given = ("joy", "awe", "joy, awe", "rage", "rage, joy")
    path = form(tmp_path / "f.csv", names, lambda _, j, k: given[(j + k * (j % 2)) % 5])
    data = read(path)
    assert found(data)["text C", "p0"] == ("answered", ("awe", "joy"))


def test_a_submission_for_each_item_is_a_row_for_each_annotation(tmp_path: Path) -> None:
    rows = [["Timestamp", "Email Address", "Which text did you read?", "Tone"]]
    for k in range(30):
        cells = [f"Text {k // 3}", ["Positive", "Negative"][(k // 3 + (k % 7 == 0)) % 2]]
        rows.append([f"1/{k % 28 + 1}/2026 10:00:{k}", f"p{k % 3}@x.org", *cells])
    data = read(written(tmp_path / "f.csv", rows))
    assert (len(data.items), data.coders, len(data)) == (10, ("p0", "p1", "p2"), 30)


@pytest.mark.parametrize("who", ["Your initials", "Wer sind Sie?", "Team"])
@pytest.mark.parametrize("n", [12, 30, 60])
def test_who_answered_is_not_what_was_read(who: str, n: int, tmp_path: Path) -> None:
    rows: list[list[Any]] = [["Timestamp", who, "Which text did you read?", "Tone"]]
    for k in range(3 * n):
        tone = ("good", "bad", "fair")[(k // 3 + (k % 5 == 0)) % 3]
        rows.append(
            [f"3/{k % 28 + 1}/2026 9:00:{k % 60:02d}", "ABC"[k % 3], f"Text {k // 3}", tone]
        )
    data = read(written(tmp_path / "f.csv", rows))
    assert (len(data.items), data.coders) == (n, ("A", "B", "C"))
