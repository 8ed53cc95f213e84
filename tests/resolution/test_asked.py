"""What everybody is asked for: nothing that they may not do, nothing forgotten, in which order."""

from __future__ import annotations

import msgspec
import pytest

from accordant.resolution import steps
from accordant.resolution.case_asks import What
from accordant.resolution.command import COMMANDS, step, unmet_by_anybody
from accordant.resolution.records import AskedIf, Concept, Evidence, Question
from accordant.resolution.requests import Asked, asked_of, waiting
from accordant.resolution.words import Cause, Step
from resolution.build import (
    Session,
    begun,
    compared,
    everybody_agrees,
    open_blindly,
    ready_to_annotate,
    resolving,
    set_up,
    submit,
    with_toolbox,
)
from resolution.sessions import Walker
from resolution.talk import accepted

DISAGREE = {"Q": {"A1": "0101", "A2": "0110"}}
ENDED = (Step.FINISHED, Step.ABANDONED)


def asks(here: Session, person: str) -> list[tuple[What, tuple[int, ...]]]:
    return [(one.what, one.cases) for one in asked_of(here.state, person)]


# ---------------------------------------------------------------- along random sessions


@pytest.mark.parametrize("seed", range(6))
def test_nobody_is_asked_for_what_they_may_not_do_and_somebody_is_asked(seed: int) -> None:
    walk = Walker(seed)
    by_words = {}
    for command in COMMANDS.values():
        by_words.setdefault(command.words, []).append(command)
    for _ in range(220):
        walk.step(walk.likely())
        found = waiting(walk.state)
        assert bool(found) is (walk.state.step not in ENDED), walk.state.step
        for person, each in found.items():
            for one in each:
                ways = by_words.get(one.do.call.removeprefix("project "), ())
                may = [w for w in ways if not unmet_by_anybody(walk.state, person, w)]
                assert may or one.what in (What.PREPARE, What.CHANGE), (person, one)


# ---------------------------------------------------------------- steps 0 to 4


def test_before_the_first_round() -> None:
    here = begun()
    assert asks(here, "R") == [(What.PREPARE, ()), (What.PREPARE, ())]
    here = set_up(2)
    assert {one.do.call for one in asked_of(here.state, "R")} >= {"project task"}
    here = with_toolbox(here)
    assert asks(here, "A1") == [(What.ACKNOWLEDGE, ()), (What.SIGN, ())]
    assert asked_of(here.state, "A1")[0].others == ("A2",)
    everybody_agrees(here)
    assert asks(here, "A1") == []
    assert asks(here, "R") == [(What.GO, ())]
    here = ready_to_annotate()
    assert asks(here, "R") == [(What.OPEN, ())]


def test_who_objects_is_not_asked_to_sign() -> None:
    here = ready_to_annotate(concepts=[Concept("claim", 1, "what is asserted", ("Q",))])
    here.do(steps.object_to, "A1", concept="claim", text="too wide")
    assert asks(here, "A1") == [(What.OBJECTION, ())]
    assert asked_of(here.state, "A1")[0].about == ("concept claim",)


def test_a_round_is_told_in_counts_and_ones_own_dependent_questions_to_oneself() -> None:
    questions = (Question("P", "Is it?"), Question("C", "How?", asked_if=AskedIf("P", ("1",))))
    here = open_blindly(ready_to_annotate(3, 2, questions))
    submit(here, "A1", "P", "110")
    (mine,) = asked_of(here.state, "A1")
    assert (mine.what, mine.n) == (What.ANNOTATE, 2)
    (public,) = waiting(here.state)["A1"]
    assert public.what is What.SUBMIT
    submit(here, "A1", "C", ["1", "1", ""])
    assert [one.what for one in asked_of(here.state, "A1")] == [What.SUBMIT]
    here.do(steps.submit, "A1")
    submit(here, "A2", "P", "000")
    here.do(steps.submit, "A2")
    assert asks(here, "A1") == []
    assert asks(here, "R") == [(What.CLOSE, ())]


def test_after_the_comparison() -> None:
    assert asks(compared(DISAGREE), "R") == [(What.RESOLVE, ())]
    assert asks(compared({"Q": {"A1": "01", "A2": "01"}}), "R") == [(What.RELEASE, ())]


# ---------------------------------------------------------------- step 5


def test_the_way_of_a_case() -> None:
    here = resolving(DISAGREE)
    both = (1, 2)
    assert asks(here, "A1") == [(What.REASON, both)]
    here.do(steps.give_reason, "A1", case=1, text="so", cites=["R1"])
    assert asks(here, "A1") == [(What.REASON, (2,))]
    here.do(steps.give_reason, "A2", case=1, text="so", cites=["R1"])
    assert asks(here, "A1") == [(What.REASON, (2,)), (What.PROPOSE_CAUSE, (1,))]
    here.do(steps.propose_cause, "A1", cases=1, cause="d")
    assert asks(here, "A1") == [(What.REASON, (2,))]
    assert asks(here, "A2") == [(What.CAUSE, (1,)), (What.REASON, (2,))]
    here.do(steps.accept_cause, "A2", cases=1)
    assert asks(here, "A2")[-1] == (What.PROPOSE_OUTCOME, (1,))
    here.do(steps.propose_outcome, "A2", cases=1, answer="1", cites=["R1"], text="as it stands")
    assert asks(here, "A1")[0] == (What.OUTCOME, (1,))


def test_ones_own_reason_comes_before_the_cause_that_somebody_proposed() -> None:
    here = resolving(DISAGREE)
    here.do(steps.give_reason, "A1", case=1, text="so", cites=["R1"])
    here.do(
        steps.propose_cause,
        "A1",
        cases=1,
        cause="a2",
        evidence=Evidence(rule="missing", wording="x"),
    )
    assert (What.CAUSE, (1,)) not in asks(here, "A2")
    assert any(what is What.REASON and 1 in numbers for what, numbers in asks(here, "A2"))
    here.do(steps.give_reason, "A2", case=1, text="so")
    assert asks(here, "A2")[0] == (What.CAUSE, (1,))


def test_a_correction_is_asked_of_who_is_named_and_asks_on() -> None:
    questions = (Question("P", "Is it?"), Question("C", "How?", asked_if=AskedIf("P", ("1",))))
    values = {
        "P": {"A1": "11", "A2": "01"},
        "C": {"A1": "00", "A2": ["", "0"]},
    }
    here = resolving(values, questions=questions)
    accepted(here, Cause.E, coder="A2", meant="1")
    assert asks(here, "A2") == [(What.CORRECT, (1,))]
    assert asks(here, "A1") == []
    here.do(steps.rescore, "A2", case=1, answer="1")
    (one, *_) = asked_of(here.state, "A2")
    assert (one.what, one.about, one.do.options["question"]) == (
        What.DEPENDENT,
        ("C about i1",),
        "C",
    )


def test_a_and_b_first_with_what_would_be_made_again() -> None:
    values = {"Q": {"A1": "0101", "A2": "0110"}, "P": {"A1": "0000", "A2": "1000"}}
    here = resolving(values)  # case 1: i1 on P; 2 and 3: i3 and i4 on Q
    numbers = {(c.item, c.question): c.number for c in here.state.epoch.cases.values()}
    first, second = numbers[2, "Q"], numbers[3, "Q"]
    here.do(steps.give_reason, "A1", case=first, text="so")
    here.do(
        steps.propose_cause,
        "A1",
        cases=first,
        cause="a2",
        evidence=Evidence(rule="R2", wording="x"),
    )
    assert not any(one.after for one in asked_of(here.state, "A2")), "it would tell a or b"
    here.do(steps.give_reason, "A2", case=first, text="so")
    found = {one.cases: one for one in asked_of(here.state, "A2")}
    assert list(found)[-1] == (second,)
    assert found[second,].after == (first,)
    assert "8 annotations" in found[second,].why
    assert not any(one.after for cases, one in found.items() if second not in cases)


def test_returned_for_a_concept_then_again_then_released() -> None:
    here = resolving({"Q": {"A1": "0", "A2": "1"}})
    for coder in ("A1", "A2"):
        here.do(steps.give_reason, coder, case=1, text="so", cites=["R1"])
    proof = Evidence(concept="claim", width="too narrow")
    here.do(steps.propose_cause, "A1", cases=1, cause="b", evidence=proof)
    here.do(steps.accept_cause, "A2", cases=1)
    assert asks(here, "R") == [(What.RETURN, (1,))]
    here.do(steps.return_cases, "R", cases=1)
    (change,) = asked_of(here.state, "R")
    assert (change.what, change.about, change.do.call) == (
        What.CHANGE,
        ("concept claim",),
        "project concepts",
    )
    here.do(steps.write_concept, "R", concept=Concept("claim", 2, "more", ("Q",)), reason="wider")
    assert asks(here, "A1") == [(What.SIGN, ())]
    for coder in ("A1", "A2"):
        here.do(steps.sign_off, coder)
    assert asks(here, "R") == [(What.OPEN, ())]
    here.do(steps.open_round, "R")
    submit(here, "A1", "Q", "1")
    submit(here, "A2", "Q", "1")
    assert asks(here, "R") == [(What.CLOSE, ())]
    here.do(steps.close_round, "R")
    assert asks(here, "R") == [(What.RELEASE, ())]


def test_a_change_is_asked_for_also_where_another_one_makes_all_annotate_again() -> None:
    here = resolving({"Q": {"A1": "00", "A2": "11"}})
    for case, cause, proof in (
        (1, "a2", Evidence(rule="missing", wording="more")),
        (2, "b", Evidence(concept="claim", width="too narrow")),
    ):
        for coder in ("A1", "A2"):
            here.do(steps.give_reason, coder, case=case, text="so", cites=["R1"])
        here.do(steps.propose_cause, "A1", cases=case, cause=cause, evidence=proof)
        here.do(steps.accept_cause, "A2", cases=case)
    here.do(steps.return_cases, "R", cases=[1, 2])
    new = msgspec.structs.replace(here.state.epoch.guidelines[-1], text="Read it twice.")
    here.do(
        steps.write_guidelines, "R", guidelines=new, change="local", reason="so", questions=["Q"]
    )
    (change,) = asked_of(here.state, "R")
    assert (change.what, change.cases, change.about) == (What.CHANGE, (2,), ("concept claim",))


def test_the_public_is_asked_for_nothing() -> None:
    assert asked_of(resolving(DISAGREE).state, "") == ()


def test_a_thing_says_how_many() -> None:
    one = Asked(What.SIGN, step("sign-off"), 2, about=("a", "b"))
    assert "a and b" in one.says


def test_what_was_imported_waits_for_its_coders() -> None:
    here = compared({"Q": {"A1": "01", "A2": "01"}}, imported=True)
    assert asks(here, "A1") == [(What.ACCEPT, ())]
    assert asks(here, "R") == []
    for coder in ("A1", "A2"):
        here.do(steps.accept_import, coder)
    assert asks(here, "R") == [(What.RELEASE, ())]
