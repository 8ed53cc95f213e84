"""Several acts in one: everything that is wrong is told at once, and then nothing has happened."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from accordant.errors import AccordantError, Conflict, RequestError
from accordant.resolution import steps
from accordant.resolution.acts import Act, ActsRefused, Wrong
from accordant.resolution.command import Refused
from accordant.resolution.project import Project
from accordant.resolution.state import State
from accordant.resolution.store.store import Store
from accordant.resolution.terms import CaseState, Evidence
from resolution.build import is_its_log, resolving, written_to

THREE = {"Q": {"A1": "010101", "A2": "011100", "A3": "000100"}}


@pytest.fixture
def project(where: str) -> Iterator[Project]:
    """Step 5 with three cases, in each kind of store."""
    with Project.open(written_to(where, resolving(THREE))) as opened:
        yield opened


def reason(coder: str, case: int, place: str = "", text: str = "so", **given: Any) -> Act:
    return Act(steps.give_reason, coder, {"cases": case, "text": text, **given}, place)


def talked(case: int) -> list[Act]:
    """All give a reason; A1 proposes that the item is read differently, the others accept."""
    cites = {"cites": ["rule R1"]}
    return [
        *(reason(coder, case, **cites) for coder in ("A1", "A2", "A3")),
        Act(steps.propose_cause, "A1", {"cases": [case], "cause": "d"}),
        *(Act(steps.accept, coder, {"cases": [case]}) for coder in ("A2", "A3")),
    ]


def test_each_act_is_that_of_its_person(project: Project) -> None:
    before = project.state.seq
    happened = project.together(talked(1), id="one")
    records = list(project.records())[before:]
    assert [r.kind for r in records] == [e.kind for e in happened]
    assert [r.actor for r in records] == ["A1", "A2", "A3", "A1", "A1", "A2", "A3"]
    command = records[0].command
    assert [r.id for r in records] == [f"{command}/{k}" for k in range(7)], "one command, whole"
    assert not project.state.for_others
    assert project.state.epoch.cases[1].state is CaseState.ARGUED
    is_its_log(project)
    assert project.verify() == []
    assert project.together(talked(1), id="one") == happened, "repeated, it changes nothing"
    assert project.state.seq == before + 7


def test_all_that_is_wrong_is_told_and_nothing_happens(project: Project) -> None:
    before, head = project.refresh().seq, project.state.head
    acts = [
        reason("A1", 1, "row 2"),
        reason("A1", 99, "row 3"),
        reason("A1", 2, "row 4", cites=["rule R9"]),
        Act(steps.propose_cause, "A2", {"cases": [1], "cause": "e"}, "row 5"),
        Wrong("row 6", RequestError("'maybe' is neither yes nor no")),
        Act(
            steps.propose_cause,
            "A1",
            {"cases": [1], "cause": "a2", "evidence": Evidence(rule="missing", wording="w")},
            "row 7",
        ),
        reason("A1", 3, "row 8", text=" "),
    ]
    with pytest.raises(ActsRefused) as told:
        project.together(acts)
    assert [one.place for one in told.value.each] == ["row 3", "row 4", "row 5", "row 6", "row 8"]
    assert told.value.tried == 7
    guards = [
        {u.guard for u in w.error.unmet} for w in told.value.each if isinstance(w.error, Refused)
    ]
    assert guards == [{"own_reason", "evidence"}, {"reason"}], "row 7 follows from row 2"
    assert all(line.startswith("  - row") for line in str(told.value).splitlines()[1::2][:2])
    assert (project.state.seq, project.state.head) == (before, head)
    assert not project.state.epoch.cases[1].reasons
    is_its_log(project)


def test_an_error_that_is_none_of_an_act_leaves_nothing(project: Project) -> None:
    def acts(state: State) -> Iterator[Act]:
        yield reason("A1", 1)
        raise AccordantError("the file ends here")

    before = project.state.seq
    with pytest.raises(AccordantError, match="the file ends here"):
        project.together(acts)
    assert project.state.seq == before
    assert not project.state.epoch.cases[1].reasons
    is_its_log(project)
    assert project.together([]) == []


def test_what_others_did_meanwhile(project: Project) -> None:
    with Project(Store(project.store._place, read_only=False)) as other:
        other.do(steps.give_reason, "A2", cases=1, text="mine")
        other.do(
            steps.propose_cause,
            "A2",
            cases=[1],
            cause="a2",
            evidence=Evidence(rule="missing", wording="w"),
        )
    seen = {"case 3": 7}
    with pytest.raises(ActsRefused) as told:
        project.together(
            [
                reason("A1", 1, "row 2"),
                reason("A1", 2, "row 3"),
                Act(steps.give_reason, "A1", {"cases": 3, "text": "t"}, "row 4", seen),
            ]
        )
    assert [(w.place, type(w.error)) for w in told.value.each] == [
        ("row 2", Conflict),
        ("row 4", Conflict),
    ]
    is_its_log(project)
    assert len(project.together([reason("A1", 1), reason("A1", 2)])) == 2, "having looked again"
