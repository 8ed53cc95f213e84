"""A consent is to what was read, from whatever thread, process or old log it comes."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import pytest

from accordant.errors import Conflict, RequestError
from accordant.resolution.annotation import annotate
from accordant.resolution.assessment import (
    CauseAccepted,
    CauseRefused,
    accept_cause,
    propose_cause,
    refuse_cause,
)
from accordant.resolution.cases import give_reason
from accordant.resolution.command import Refused
from accordant.resolution.concepts import ConceptWritten
from accordant.resolution.disagreement import awaited_proposal
from accordant.resolution.event import apply
from accordant.resolution.outcomes import (
    OutcomeAccepted,
    OutcomeRefused,
    accept_outcome,
    propose_outcome,
    refuse_outcome,
)
from accordant.resolution.procedure import read_event, written
from accordant.resolution.project import Project
from accordant.resolution.records import Concept, Evidence
from accordant.resolution.returns import FindingRecorded, halt, resume
from accordant.resolution.state import State
from accordant.resolution.views import case_view
from accordant.resolution.words import CaseState, Cause, Step
from accordant.views.case_course import course
from accordant.views.project_subject import Subject
from resolution.build import (
    Session,
    is_its_log,
    open_blindly,
    ready_to_annotate,
    refusal,
    resolving,
    written_to,
)
from resolution.sessions import Walker
from resolution.talk import accepted, agreed, case

THREE = {"Q": {"A1": "010101", "A2": "011100", "A3": "000100"}}
ARGUED = {"cites": ["rule R1"], "text": "this reading"}


def argued() -> Session:
    """Case 1 under d: A1 proposes “1”, A3 refuses, and A1 proposes “0”; A2 has read “1”."""
    here = accepted(resolving(THREE), Cause.D)
    here.do(propose_outcome, "A1", cases=1, answer="1", **ARGUED)
    here.do(refuse_outcome, "A3", case=1, reason="no")
    here.do(propose_outcome, "A1", cases=1, answer="0", **ARGUED)
    return here


def numbers(here: Session) -> list[int]:
    return [one.seq for one in case(here).proposals]


# ------------------------------------------------------------------ by content


@pytest.mark.parametrize(
    "answer, given",
    [(accept_outcome, {"cases": 1}), (refuse_outcome, {"case": 1, "reason": "not so"})],
)
def test_who_read_yes_never_consents_to_no(answer: Callable[..., Any], given: Any) -> None:
    here = argued()
    yes, no = numbers(here)
    assert refusal(here, answer, "A2", **given) == {"proposal_named"}
    assert refusal(here, answer, "A2", **given, proposals=[yes]) == {"proposal_named"}
    with pytest.raises(RequestError, match="there is no proposal 3"):
        here.do(answer, "A2", **given, proposals=[3])
    assert here.do(answer, "A2", **given, proposals=[no])[0].proposal == no


def test_a_cause_is_named_too() -> None:
    here = resolving(THREE)
    for coder in ("A1", "A2", "A3"):
        here.do(give_reason, coder, case=1, text="so", cites=["rule R1"])
    unclear = Evidence(rule="R1", wording="Read the title too")
    here.do(propose_cause, "R", cases=1, cause="a2", evidence=unclear)
    here.do(refuse_cause, "A1", case=1, reason="R1 is clear")
    here.do(propose_cause, "R", cases=1, cause="d")
    first, second = (one.seq for one in case(here).assessments)
    here.do(accept_cause, "A1", cases=1)  # who has answered the first can only mean the second
    assert refusal(here, accept_cause, "A2", cases=1) == {"proposal_named"}
    assert refusal(here, accept_cause, "A2", cases=1, proposals=[first]) == {"proposal_named"}
    here.do(accept_cause, "A2", cases=1, proposals=[second])
    here.do(accept_cause, "A3", cases=1, proposals=[second])
    assert case(here).cause is Cause.D


def test_what_is_proposed_again_word_for_word_is_the_same() -> None:
    here = accepted(resolving(THREE), Cause.D)
    for _ in range(2):
        here.do(propose_outcome, "A1", cases=1, answer="1", **ARGUED)
        here.do(refuse_outcome, "A3", case=1, reason="no") if len(numbers(here)) < 2 else None
    first, second = numbers(here)
    assert here.do(accept_outcome, "A2", cases=1, proposals=[first])[0].proposal == second


def test_the_number_of_a_proposal_is_that_of_its_event(tmp_path: Path) -> None:
    """In memory, in the log, and in what a person is shown."""
    where = written_to(tmp_path / "p.accordant", accepted(resolving(THREE), Cause.D))
    with Project.open(where) as project:
        project.do(propose_outcome, "A1", cases=1, answer="1", **ARGUED)
        [seq] = [r.seq for r in project.records() if r.kind == "outcome proposed"]
        assert case_view(project.state, 1, "A2").proposals[-1].seq == seq
        assert project.do(accept_outcome, "A2", cases=1)[0].proposal == seq
        is_its_log(project)


def test_logs_of_before_consents_named_anything_still_fold() -> None:
    here, old = argued(), State()
    agreed(resolving(THREE), 1, "1")
    for coder in ("A2", "A3"):
        here.do(accept_outcome, coder, cases=1, proposals=numbers(here)[-1:])
    for event, stamp in here.log:
        before = event
        if isinstance(event, CauseAccepted | CauseRefused | OutcomeAccepted | OutcomeRefused):
            before = msgspec.structs.replace(event, proposal=0)
            assert "proposal" not in written(before).partition("type")[2][20:]
        apply(old, [(read_event(before.kind, written(before)), stamp)])
    rivals = [one.rivals for one in old.epoch.cases[1].proposed]
    assert any(rivals), "which proposal was meant, an older log does not tell"
    for one in rivals:
        one.clear()
    assert old == here.state
    assert case(here).state == CaseState.AGREED


def test_every_consent_is_to_what_stood() -> None:
    """In random sessions each consent names a proposal, and that is the one it counts for."""
    consents = 0
    for seed in range(6):
        walk = Walker(seed)
        for _ in range(700):
            told = walk.step(walk.likely())
            for event in told[0] if told else ():
                if isinstance(event, CauseAccepted | OutcomeAccepted):
                    of = walk.state.epoch.cases[event.case]
                    made = of.proposals if isinstance(event, OutcomeAccepted) else of.assessments
                    assert made[-1].seq == event.proposal
                    assert event.by in made[-1].consents
                    consents += 1
    assert consents > 50


# ------------------------------------------------------------------ what one expects


def test_an_act_may_say_what_it_expects(where: str) -> None:
    with Project.open(written_to(where, argued())) as project:
        version = case_view(project.state, 1, "A2").version
        assert version == sum(r.stream == "case 1" for r in project.records())
        here = {"case 1": version}
        named = {"cases": 1, "proposals": [project.state.epoch.cases[1].proposals[-1].seq]}
        project.do(give_reason, "A3", case=1, text="another", cites=["rule R1"])
        with pytest.raises(Conflict):
            project.do(accept_outcome, "A2", expect=here, **named)
        with pytest.raises(Conflict):
            project.done(accept_outcome, "A2", expect=here, given=named)
        project.do(accept_outcome, "A2", expect={"case 1": version + 1}, **named)
        is_its_log(project)


def test_a_proposal_that_was_replaced_meanwhile(where: str) -> None:
    here = accepted(resolving(THREE), Cause.D)
    here.do(propose_outcome, "A1", cases=1, answer="1", **ARGUED)
    with (
        Project.open(written_to(where, here)) as ana,
        Project.open(ana.store._place.path or where) as bob,
    ):
        ana.do(refuse_outcome, "A3", case=1, reason="no")
        ana.do(propose_outcome, "A1", cases=1, answer="0", **ARGUED)
        with pytest.raises(Refused) as told:
            bob.do(accept_outcome, "A2", cases=1)
        assert {one.guard for one in told.value.unmet} == {"proposal_named"}
        standing = awaited_proposal(bob.state.epoch.cases[1])
        assert standing is not None
        assert standing.consents == ["A1"]


# ------------------------------------------------------------------ threads


def test_eight_threads_share_one_project(where: str) -> None:
    """What is in memory is what the log adds up to, each event once; so is what is kept."""
    values = {"Q": {f"A{k}": ("01" * 8)[k:] + "0" * k for k in range(1, 9)}}
    here = written_to(where, resolving(values))
    with Project.open(here) as project:
        live = list(project.state.epoch.cases)

        def act(k: int) -> int:
            done = 0
            for number in live:
                with project.reading() as state:
                    assert f"A{k}" not in state.epoch.cases[number].reasons
                project.do(give_reason, f"A{k}", case=number, text=f"{k} says", cites=["rule R1"])
                project.refresh()
                done += 1
            return done

        with ThreadPoolExecutor(8) as threads:
            done = sum(threads.map(act, range(1, 9)))
        reasons = [r for r in project.records() if r.kind == "reason given"]
        assert len(reasons) == done == 8 * len(live)
        assert all(len(one.reasons) == 8 for one in project.state.epoch.cases.values())
        is_its_log(project)
        assert project.verify() == []


def test_threads_answer_in_one_round(where: str) -> None:
    """Answers of threads that do not touch each other are all there, and in the order of the log."""
    round_ = open_blindly(ready_to_annotate(12, [f"A{k}" for k in range(1, 9)]))
    with Project.open(written_to(where, round_)) as project:

        def act(k: int) -> None:
            for number, item in enumerate(project.state.items.ids):
                project.do(annotate, f"A{k}", question="Q", answers={item: "01"[(number + k) % 2]})

        with ThreadPoolExecutor(8) as threads:
            list(threads.map(act, range(1, 9)))
        sheet = project.state.epoch.rounds[0].sheet["Q"]
        assert {coder: len(own) for coder, own in sheet.items()} == {
            f"A{k}": 12 for k in range(1, 9)
        }
        is_its_log(project)


# ------------------------------------------------------------------ clocks


def halted() -> Session:
    """A case waits for research, by a clock that is four seconds ahead."""
    here = resolving(THREE)
    told = here.do(halt, "R", cases=1, review_date="2027-03-01", reason="check the edition")
    here.state.moves[-1] = ("2030-01-01T00:00:04Z", *here.state.moves[-1][1:])
    assert told
    return here


def test_a_finding_counts_whatever_the_clock_says() -> None:
    here = halted()
    assert refusal(here, resume, "R") == {"finding_recorded"}
    here.tell(FindingRecorded("the edition is right"))
    assert here.state.findings[-1][0] < here.state.moves[-1][0]
    here.do(resume, "R")
    assert here.state.step is Step.RESOLUTION


def test_a_change_after_the_halt_counts_whatever_the_clock_says() -> None:
    here = halted()
    here.tell(FindingRecorded("the edition is wrong"))
    here.tell(ConceptWritten(Concept("claim", 2, "what a text argues")))
    assert refusal(here, resume, "R") == {"toolbox_unchanged"}


def test_the_course_of_a_case_is_in_the_order_of_its_events() -> None:
    """Times of people whose clocks differ say nothing about what came first."""
    here = argued()
    one = case(here)
    one.assessments[-1].at = "2030-01-01T00:00:00Z"
    for proposal in one.proposals:
        proposal.at = "2020-01-01T00:00:00Z"
    told = " ".join(course(Subject(here.state, [], "R"), one, case_view(here.state, 1, "R")))
    assert told.index("Cause d") < told.index("“1”", told.index("Cause d"))
    assert told.index("“1” (") < told.index("“0” (")
