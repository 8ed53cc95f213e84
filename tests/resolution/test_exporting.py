"""Exports: annotations as data, final answers with their provenance, everything as a bundle."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accordant import agreement, read
from accordant.errors import RequestError
from accordant.resolution.as_annotations import to_annotations
from accordant.resolution.command import Refused
from accordant.resolution.completion import finish
from accordant.resolution.exports import bundle, final_rows, status_lines
from accordant.resolution.outcomes import decide, leave_disagreed
from accordant.resolution.records import (
    AMBIGUOUS,
    NOT_APPLICABLE,
    Answer,
    AskedIf,
    Question,
    canonical,
    digest,
)
from accordant.resolution.setup import appoint_adjudicator
from accordant.resolution.views import cases
from accordant.resolution.words import Answering, Step
from accordant.results import csv_of
from resolution.build import (
    RESEARCHER,
    Session,
    annotated,
    close,
    compared,
    ready_to_annotate,
    resolving,
)
from resolution.test_blindness import records_of


def labels(here: Session, **options: Any) -> dict[tuple[str, str], Any]:
    rows = to_annotations(here.state, **options).to_rows()
    return {(row["coder"], row["item"]): row["label"] or row["status"] for row in rows}


CELLS = st.lists(st.sampled_from(["a", "b", "c", None]), min_size=6, max_size=6)


@settings(max_examples=30)
@given(CELLS, CELLS, CELLS)
def test_same_agreement_as_from_a_file(one: list[Any], two: list[Any], three: list[Any]) -> None:
    """What went into a round and comes out gives the same coefficients as when read directly."""
    values = {"A1": one, "A2": two, "A3": three}
    here = compared({"Q": values}, options=("a", "b", "c"))
    direct = (
        read(
            {"item": [f"i{k}" for k in range(1, 7)], **values},
            categories=["a", "b", "c"],
            coder=["A1", "A2", "A3"],
        )
        if any(map(any, values.values()))
        else None
    )
    if direct is None:
        return
    expected = {
        (r["coder"], r["item"]): r["label"] for r in direct.to_rows() if r["status"] == "answered"
    }
    data = to_annotations(here.state, round=1)
    got = {(r["coder"], r["item"]): r["label"] for r in data.to_rows() if r["status"] == "answered"}
    assert got == expected
    if len(expected) > 6:
        mine, theirs = (agreement(d, ["alpha", "kappa"]) for d in (data, direct))
        for a, b in zip(mine.rows, theirs.rows, strict=True):
            assert a.value == pytest.approx(b.value, nan_ok=True)


def test_statuses_and_special_answers() -> None:
    here = compared({"Q": {"A1": ["1", None, AMBIGUOUS, NOT_APPLICABLE], "A2": "1010"}})
    data = to_annotations(here.state, round=1)
    assert data.schemes[0].categories == (0, 1, "ambiguous")
    found = {(r["coder"], r["item"]): (r["label"], r["status"]) for r in data.to_rows()}
    assert found["A1", "i2"] == (None, "skipped")
    assert found["A1", "i3"] == ("ambiguous", "answered")
    assert found["A1", "i4"] == (None, "not_applicable")
    assert ("A1", "i2") not in labels(here)


def test_whole_numbers_are_numbers_again() -> None:
    here = compared({"Q": {"A1": "0110", "A2": "0010"}})
    from accordant.resolution.as_annotations import _labels

    assert _labels(["1", "0", "-1"]) == {"1": 1, "0": 0, "-1": -1}
    assert _labels(["1", "01"]) == {"1": "1", "01": "01"}
    assert {r["label"] for r in to_annotations(here.state).to_rows()} == {0, 1}


def test_sets_of_labels() -> None:
    question = Question("Q", "Which?", answering=Answering.SEVERAL)
    values = {"Q": {"A1": [Answer(("a", "b")), Answer()], "A2": [Answer(("b",)), Answer()]}}
    here = ready_to_annotate(2, 2, (question,), ("b", "a"))
    data = to_annotations(close(annotated(values, here)).state, round=1)
    assert data.schemes[0].max_labels is None
    found = {(r["coder"], r["item"]): (r["label"], r["status"]) for r in data.to_rows()}
    assert found["A1", "i1"] == (("b", "a"), "answered")  # in the order of the scheme
    assert found["A2", "i2"] == ((), "answered_empty")
    assert np.isfinite(agreement(data, "alpha").rows[0].value)


def test_dependent_answers_only_where_asked() -> None:
    asked = (Question("P", "?"), Question("C", "?", asked_if=AskedIf("P", ("1",))))
    here = ready_to_annotate(3, 2, asked)
    values = {"P": {"A1": "110", "A2": "100"}, "C": {"A1": ["0", "1", ""], "A2": ["1", "", ""]}}
    data = to_annotations(close(annotated(values, here)).state)
    rows = [r for r in data.to_rows() if r["question"] == "C"]
    assert {(r["coder"], r["item"]): r["label"] for r in rows} == {
        ("A1", "i1"): 0,
        ("A1", "i2"): 1,
        ("A2", "i1"): 1,
    }


def test_rounds_and_now_are_told_apart() -> None:
    here = compared({"Q": {"A1": "01", "A2": "00"}})
    epoch = here.state.epoch
    epoch.current["Q"]["A1"][1] = epoch.code(Answer(("0",)))
    assert [r["label"] for r in to_annotations(here.state, round=1).to_rows()] == [0, 1, 0, 0]
    assert [r["label"] for r in to_annotations(here.state).to_rows()] == [0, 0, 0, 0]
    with pytest.raises(RequestError, match="no round 7"):
        to_annotations(here.state, round=7)
    with pytest.raises(RequestError, match="no annotations yet"):
        to_annotations(ready_to_annotate().state)


def unresolved() -> Session:
    here = resolving({"Q": {"A1": "0101", "A2": "0000", "A3": "0001"}})
    here.do(appoint_adjudicator, RESEARCHER, "M")
    here.do(leave_disagreed, RESEARCHER, cases=[1], reason="two readings")
    here.do(leave_disagreed, RESEARCHER, cases=[2], reason="two readings")
    here.do(decide, "M", case=2, answer="1", reason="majority of experts")
    here.do(finish, RESEARCHER, reason="time is up")
    return here


def test_final_rows_say_how_each_answer_came_about() -> None:
    rows = {row["item"]: row for row in final_rows(unresolved().state)}
    assert rows["i1"]["provenance"] == "agreed by annotation"
    assert (rows["i1"]["answer"], rows["i1"]["answers"]) == ("0", "")
    left = rows["i2"]
    assert (left["answer"], left["provenance"], left["case"]) == ("", "left disagreed", "1")
    assert left["answers"] == "A1: 1; A2: 0; A3: 0"  # nothing is dropped
    decided = rows["i4"]
    assert (decided["answer"], decided["provenance"]) == ("1", "decided by the adjudicator")
    assert decided["decided_by"] == "M"
    assert {row["status"] for row in rows.values()} == {"deprecated (release 1)"}


def test_status_lines() -> None:
    lines = status_lines(unresolved().state)
    assert lines[:2] == ["project: A project", "status: deprecated (release 1)"]
    assert any("1 case is left disagreed" in line for line in lines)
    assert any("decided by M alone" in line for line in lines)


def test_abandoned_is_no_label() -> None:
    here = compared({"Q": {"A1": "01", "A2": "00"}})
    here.state.epoch.abandoned = True
    with pytest.raises(Refused, match="abandoned"):
        final_rows(here.state)
    assert bundle(here.state, [])["final"] == []


def test_bundle_is_json_with_hashes() -> None:
    here = unresolved()
    found = bundle(here.state, records_of(here), RESEARCHER)
    again = json.loads(canonical(found))
    assert again["status"] == "deprecated (release 1)"
    assert set(again["hashes"]) >= {"log", "cases", "final", "items", "rounds"}
    for name, value in again["hashes"].items():
        assert digest(again[name]) == value, name
    assert len(again["log"]) == len(here.log)
    assert len(again["rounds"][0]["annotations"]) == 12
    assert again["head"] == again["log"][-1]["hash"]
    assert bundle(here.state, records_of(here), with_log=False)["log"] == []


def test_finished_projects_say_so() -> None:
    here = compared({"Q": {"A1": "00", "A2": "00"}})
    here.do(finish, RESEARCHER)
    assert here.state.step == Step.FINISHED
    assert {row["status"] for row in final_rows(here.state)} == {"ground truth (release 1)"}


def test_formulas_are_neutralised_in_files_for_spreadsheets() -> None:
    """What somebody called an item, or wrote, is shown and never computed."""
    here = resolving({"Q": {"A1": "01", "A2": "00"}})
    here.state.items.ids[0], here.state.items.ids[1] = "=1+1", "@sum(A1)"
    here.do(leave_disagreed, "R", reason="=HYPERLINK(A1)")
    told = csv_of([*final_rows(here.state), *(row.row() for row in cases(here.state, "R"))])
    assert "'=1+1" in told
    assert "'@sum(A1)" in told
    assert not re.search(r"(^|,)\"?[=@]", told, re.M)
