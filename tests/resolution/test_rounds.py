"""Step 3: rounds open with a scope, coders annotate or decline, the round closes."""

from __future__ import annotations

from typing import Any

import pytest

from accordant.errors import InputError, RequestError
from accordant.resolution.annotation import annotate, decline
from accordant.resolution.annotation import submit as submit_round
from accordant.resolution.concepts import sign_off, write_concept
from accordant.resolution.items import add_items, assign, freeze_items
from accordant.resolution.progress import left_to_do, progress
from accordant.resolution.records import (
    AMBIGUOUS,
    NOT_APPLICABLE,
    AmbiguityPolicy,
    Answer,
    AskedIf,
    Concept,
    Guidelines,
    Items,
    Note,
    Question,
)
from accordant.resolution.round_result import merged
from accordant.resolution.rounds import RoundOpened, close_round, open_round
from accordant.resolution.setup import add_person
from accordant.resolution.step_change import begin_resolution
from accordant.resolution.words import Answering, Step
from resolution.build import (
    Session,
    annotated,
    compared,
    open_blindly,
    ready_to_annotate,
    refusal,
    submit,
)

DEPENDENT = (Question("Q", "Is there one?"), Question("P", "Which?", asked_if=AskedIf("Q", ("1",))))


def opened(**options: Any) -> Session:
    return open_blindly(ready_to_annotate(**options))


def scope_of(
    here: Session, **given: Any
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[int, ...]]:
    happened = here.do(open_round, "R", **given)
    (event,) = [e for e in happened if isinstance(e, RoundOpened)]
    return event.questions, event.items, event.orders


# ---------------------------------------------------------------- scope


def test_the_first_round_is_about_everything_unless_a_scope_is_given() -> None:
    assert scope_of(ready_to_annotate(questions=("Q", "P"))) == (("Q", "P"), (), ())
    here = ready_to_annotate(questions=("Q", "P"))
    assert scope_of(here, questions=["P"], items=["i2", "i1"]) == (("P",), ("i1", "i2"), ())
    assert here.state.epoch.round.items == [0, 1]
    with pytest.raises(RequestError, match="no question 'Z'"):
        ready_to_annotate().do(open_round, "R", questions=["Z"])
    with pytest.raises(RequestError, match="no item is given"):
        ready_to_annotate().do(open_round, "R", items=[])


def test_items_that_are_not_frozen_wait() -> None:
    here = ready_to_annotate()
    here.do(add_items, "R", Items(("late",)))
    with pytest.raises(RequestError, match="not frozen yet: late"):
        here.do(open_round, "R", items=["late"])
    here.do(open_round, "R")
    assert here.state.epoch.round.n_items == 4
    with pytest.raises(RequestError, match="no item 'never'"):
        here.do(annotate, "A1", "Q", {"never": "0"})
    assert refusal(here, annotate, "A1", "Q", {"late": "0"}) == {"assigned"}


def test_parents_bring_their_children() -> None:
    assert scope_of(ready_to_annotate(questions=DEPENDENT), questions=["Q"])[0] == ("Q", "P")


def again(values: Any) -> Session:
    """Step 2 once more after a round, nothing changed yet."""
    return compared(values).move(10, Step.RESOLUTION)


def agree(here: Session) -> Session:
    for coder in here.state.coders:
        here.do(sign_off, coder)
    return here


def test_a_later_round_is_about_what_is_owed() -> None:
    values = {"Q": {"A1": "01", "A2": "01"}, "P": {"A1": "00", "A2": "01"}}
    here = again(values).move(12, Step.ALIGNMENT)
    here.do(write_concept, "R", Concept("claim", 0, "argues", ("P",)), reason="y")  # Q used it
    here.do(
        write_concept,
        "R",
        Concept("scope", 0, "how much", ("P",)),
        reason="y",
        items=["i2"],
        narrowed="the first has no scope",
    )
    agree(here)
    assert scope_of(here) == (("Q", "P"), (), (1, 2))
    assert here.state.moves[-1][1] == 6


def test_orders_with_other_items_wait_for_a_round_of_their_own() -> None:
    values = {"Q": {"A1": "01", "A2": "01"}, "P": {"A1": "00", "A2": "01"}}
    here = again(values).move(12, Step.ALIGNMENT)
    narrow = {"reason": "y", "narrowed": "z"}
    here.do(write_concept, "R", Concept("a", 0, "x", ("Q",)), items=["i1"], **narrow)
    here.do(write_concept, "R", Concept("b", 0, "x", ("P",)), items=["i2"], **narrow)
    agree(here)
    with pytest.raises(RequestError, match="asks for more"):
        here.do(open_round, "R", questions=["Q"], orders=[2])
    with pytest.raises(RequestError, match="no open order 3"):
        here.do(open_round, "R", orders=[3])
    assert scope_of(here) == (("Q",), ("i1",), (1,))
    for coder in ("A1", "A2"):
        here.do(annotate, coder, "Q", {"i1": "0"})
    here.do(close_round, "R")
    here.do(begin_resolution, "R")
    assert scope_of(here) == (("P",), ("i2",), (2,))
    assert here.state.moves[-1][1] == 19


def test_orders_can_be_carried_out_together() -> None:
    values = {"Q": {"A1": "01", "A2": "01"}, "P": {"A1": "00", "A2": "01"}}
    here = again(values).move(12, Step.ALIGNMENT)
    narrow = {"reason": "y", "narrowed": "z"}
    here.do(write_concept, "R", Concept("a", 0, "x", ("Q",)), items=["i1"], **narrow)
    here.do(write_concept, "R", Concept("b", 0, "x", ("P",)), items=["i2"], **narrow)
    assert scope_of(agree(here), orders=[1, 2]) == (("Q", "P"), (), (1, 2))


def test_a_missing_annotation_and_new_items_can_be_asked_for() -> None:
    here = compared({"Q": {"A1": "011", "A2": ["0", None, "1"]}})
    here.do(add_items, "R", Items(("new",)))
    here.do(freeze_items, "R")
    here.do(begin_resolution, "R")
    assert scope_of(here) == (("Q",), ("i2", "new"), ())
    for coder in ("A1", "A2"):
        here.do(annotate, coder, "Q", {"i2": "1", "new": "0"})
    here.do(close_round, "R")
    assert here.state.epoch.rounds[-1].comparison == {"Q": {"agreed": 2}}
    assert here.state.epoch.current["Q"]["A1"] == [0, 1, 1, 0]


# ---------------------------------------------------------------- annotating


def test_answers_are_checked_at_the_door() -> None:
    here = opened()
    for given, says in [
        ({"i1": "2"}, "item 'i1': there is no label '2': question 'Q' has 0, 1"),
        ({"i1": ("0", "1")}, "exactly one label; 2"),
        ({"i1": Answer(special="odd")}, "no answer 'odd'"),
        ({"i1": Answer()}, "exactly one label; 0"),
    ]:
        with pytest.raises(InputError, match=says):
            here.do(annotate, "A1", "Q", given)
    with pytest.raises(RequestError, match="no item 'i9'"):
        here.do(annotate, "A1", "Q", {"i9": "0"})
    with pytest.raises(RequestError, match="no question 'Z'"):
        here.do(annotate, "A1", "Z", {"i1": "0"})
    with pytest.raises(RequestError, match="no answer is given"):
        here.do(annotate, "A1", "Q", {})
    with pytest.raises(InputError, match="without an answer: i2"):
        here.do(annotate, "A1", "Q", {"i1": "0"}, notes={"i2": Note("?")})


def test_only_coders_of_the_round_annotate_and_only_for_themselves() -> None:
    here = opened()
    assert refusal(here, annotate, "R", "Q", {"i1": "0"}) == {"role"}
    assert refusal(ready_to_annotate(), annotate, "A1", "Q", {"i1": "0"}) == {"step"}
    here.do(add_person, "R", "A9", ["coder"])
    assert refusal(here, annotate, "A9", "Q", {"i1": "0"}) == {"coder_of_round"}


def test_assignment_and_scope() -> None:
    here = ready_to_annotate(questions=("Q", "P"))
    here.do(assign, "R", "A1", ["i1", "i2"])
    here.do(open_round, "R", questions=["Q"])
    assert refusal(here, annotate, "A1", "Q", {"i1": "0", "i3": "0"}) == {"assigned"}
    assert refusal(here, annotate, "A2", "P", {"i1": "0"}) == {"scope"}
    here.do(annotate, "A1", "Q", {"i1": "0", "i2": "1"})
    assert {one.coder: one.expected for one in progress(here.state, here.state.epoch.round)} == {
        "A1": 2,
        "A2": 4,
        "A3": 4,
    }


def test_submitting_again_replaces_and_the_log_keeps_both() -> None:
    here = opened()
    here.do(annotate, "A1", "Q", {"i1": "0"}, notes={"i1": Note("hm")})
    here.do(annotate, "A1", "Q", {"i1": "1"})
    assert here.state.epoch.answers[here.state.epoch.round.sheet["Q"]["A1"][0]] == Answer(("1",))
    assert here.state.epoch.notes["Q"]["A1"] == {}
    assert sum(event.kind == "annotated" for event, _ in here.log) == 2
    assert not here.state.epoch.current  # nothing counts before the round closes


def test_an_ambiguous_answer_names_its_source() -> None:
    here = opened()
    assert refusal(here, annotate, "A1", "Q", {"i1": "ambiguous"}) == {"ambiguity_source"}
    assert refusal(here, annotate, "A1", "Q", {"i1": NOT_APPLICABLE}) == {"not_applicable_reason"}
    with pytest.raises(RequestError, match="no source of ambiguity 'mood'"):
        here.do(annotate, "A1", "Q", {"i1": AMBIGUOUS}, notes={"i1": Note(source="mood")})
    here.do(
        annotate,
        "A1",
        "Q",
        {"i1": "ambiguous", "i2": "not applicable"},
        notes={"i1": Note(source="missing context"), "i2": Note(reason="no text")},
    )
    sheet = here.state.epoch.round.sheet["Q"]["A1"]
    assert [here.state.epoch.answers[code] for code in sheet.values()] == [
        AMBIGUOUS,
        NOT_APPLICABLE,
    ]
    assert here.state.epoch.notes["Q"]["A1"][0].source == "missing context"


def test_ambiguous_only_where_the_guidelines_allow_it() -> None:
    here = ready_to_annotate()
    last = here.state.epoch.guidelines[-1]
    here.state.epoch.guidelines[-1] = Guidelines(
        last.version, last.options, AmbiguityPolicy(False, reason="two values only"), last.rules
    )
    open_blindly(here)
    for given in ("ambiguous", AMBIGUOUS):
        with pytest.raises(InputError, match="two values only"):
            here.do(annotate, "A1", "Q", {"i1": given})


def test_a_label_may_be_called_ambiguous() -> None:
    here = opened(options=("ambiguous", "clear"))
    here.do(annotate, "A1", "Q", {"i1": "ambiguous"})
    assert here.state.epoch.answers == [Answer(("ambiguous",))]


def test_sets_are_sorted_and_may_be_empty() -> None:
    here = opened(questions=(Question("Q", "Which?", answering=Answering.SEVERAL),))
    here.do(annotate, "A1", "Q", {"i1": ["1", "0", "1"], "i2": (), "i3": "1"})
    assert here.state.epoch.answers == [Answer(("0", "1")), Answer(()), Answer(("1",))]


def test_spans_lie_within_the_text() -> None:
    here = opened(
        questions=(Question("Q", "Where?", answering=Answering.SPANS),),
        texts=("naïve 𝒳 text", "b", "c", "d"),
    )
    here.do(annotate, "A1", "Q", {"i1": ["6-7:1", "0-5:0", "10-12:1"]})
    assert here.state.epoch.answers == [Answer(("0-5:0", "6-7:1", "10-12:1"))]
    for span, says in [
        ("0-13:1", "outside its text, which has 12 characters"),
        ("3-3:1", "is empty"),
        ("3:1", "START-END:LABEL"),
        ("0-1:9", "no label '9'"),
    ]:
        with pytest.raises(InputError, match=says):
            here.do(annotate, "A1", "Q", {"i1": [span]})


# ---------------------------------------------------------------- dependence


def test_a_dependent_question_follows_ones_own_answer() -> None:
    here = opened(n_items=3, coders=2, questions=DEPENDENT)
    assert refusal(here, annotate, "A1", "P", {"i1": "0"}) == {"parent_answered"}
    here.do(annotate, "A1", "Q", {"i1": "1", "i2": "0"})
    here.do(annotate, "A2", "Q", {"i1": "0", "i2": "1", "i3": "0"})
    assert refusal(here, annotate, "A1", "P", {"i2": "0"}) == {"asked_if"}
    assert refusal(here, annotate, "A1", "P", {"i2": "0", "i3": "0"}) == {
        "asked_if",
        "parent_answered",
    }
    here.do(annotate, "A1", "P", {"i1": "0"})
    some = here.state.epoch.round
    found = [(one.submitted, one.expected, one.done) for one in progress(here.state, some)]
    assert found == [(2, 3, False), (3, 3, False)]  # how many children are asked tells answers
    assert left_to_do(here.state, some, "A1") == {"Q": [2]}
    assert left_to_do(here.state, some, "A2") == {"P": [1]}
    assert refusal(here, submit_round, "A2") == {"all_submitted_or_declined"}
    here.do(annotate, "A2", "P", {"i2": "0"})
    here.do(submit_round, "A2")
    assert [one.done for one in progress(here.state, some)] == [False, True]
    assert refusal(here, submit_round, "A2") == {"submitted"}
    here.do(annotate, "A2", "Q", {"i1": "1"})  # who answers again is not done any more
    assert not progress(here.state, some)[1].done


def test_a_researcher_submits_for_who_has_left_and_is_told_nothing() -> None:
    here = opened(n_items=2, coders=3, questions=DEPENDENT)
    for coder in ("A1", "A2"):
        here.do(annotate, coder, "Q", {"i1": "1", "i2": "0"})
    assert refusal(here, submit_round, "R", coder="A1") == {"reason"}
    assert refusal(here, submit_round, "A3", coder="A1", reason="left") == {"own_name"}
    assert refusal(here, submit_round, "R", coder="A3", reason="left") == {
        "all_submitted_or_declined"
    }
    assert refusal(here, submit_round, "M", reason="left") == {"role"}
    told = [here.do(submit_round, "R", coder=c, reason="has left") for c in ("A1", "A2")]
    assert [[type(e).__name__ for e in each] for each in told] == [["Declined", "Submitted"]] * 2
    assert told[0][0].items == ("i1", "i2")
    assert told[0][1].sentence() == "R, for A1, has submitted round 1"
    assert here.state.epoch.round.declined["P"]["A1"] == {0: "has left"}
    here.do(decline, "A3", "Q", ["i1", "i2"], "ill")
    here.do(submit_round, "A3")
    here.do(close_round, "R")
    assert here.state.epoch.rounds[0].comparison["P"] == {"incomplete": 1, "not applicable": 1}


def test_a_child_that_is_no_longer_asked_does_not_count() -> None:
    here = opened(n_items=2, coders=2, questions=DEPENDENT)
    for coder in ("A1", "A2"):
        here.do(annotate, coder, "Q", {"i1": "1", "i2": "0"})
        here.do(annotate, coder, "P", {"i1": "0"})
    here.do(annotate, "A1", "Q", {"i1": "0"})
    current, made = merged(here.state, here.state.epoch.round)
    assert current["P"]["A1"] == [-1, -1]
    assert [here.state.epoch.answers[code] for code in current["P"]["A2"][:1]] == [Answer(("0",))]
    assert made["P"]["A1"] == [here.state.toolbox.ordinal] * 2
    for coder in ("A1", "A2"):
        here.do(submit_round, coder)
    here.do(close_round, "R")
    assert here.state.epoch.rounds[0].comparison["P"] == {
        "one not applicable": 1,
        "not applicable": 1,
    }


# ---------------------------------------------------------------- declining and closing


def test_a_round_closes_when_everything_is_submitted_or_declined() -> None:
    here = opened(n_items=2, coders=2)
    here.do(annotate, "A1", "Q", {"i1": "0", "i2": "1"})
    assert refusal(here, close_round, "R") == {"all_submitted_or_declined"}
    assert refusal(here, close_round, "A1") == {"role"}
    here.do(annotate, "A2", "Q", {"i1": "0"})
    with pytest.raises(RequestError, match="is empty"):
        here.do(decline, "A2", "Q", ["i2"], " ")
    assert refusal(here, decline, "A1", "Q", ["i2"], "x", coder="A2") == {"own_name"}
    [event] = here.do(decline, "R", "Q", ["i2"], "left the project", coder="A2")
    assert event.sentence() == "R, for A2, declines 1 item on question Q"
    here.do(close_round, "R")
    assert here.state.step is Step.COMPARISON
    assert here.state.epoch.rounds[0].comparison == {"Q": {"agreed": 1, "incomplete": 1}}


def test_declining_withdraws_and_submitting_takes_it_back() -> None:
    here = opened(n_items=2, coders=2)
    here.do(annotate, "A1", "Q", {"i1": "0", "i2": "1"})
    here.do(decline, "A1", "Q", ["i1"], "I know the author")
    some = here.state.epoch.round
    assert (some.sheet["Q"]["A1"], some.declined["Q"]["A1"]) == ({1: 1}, {0: "I know the author"})
    here.do(annotate, "A1", "Q", {"i1": "1"})
    assert some.declined["Q"]["A1"] == {}


def test_bulk_submission_is_one_event() -> None:
    here = opened(n_items=1000)
    happened = here.do(annotate, "A1", "Q", {f"i{k + 1}": str(k % 2) for k in range(1000)})
    assert len(happened) == 1
    assert happened[0].answers == (Answer(("0",)), Answer(("1",)))


def test_old_values_stand_until_the_next_round_closes() -> None:
    here = annotated({"Q": {"A1": "01", "A2": "00"}})
    here.do(close_round, "R")
    before = dict(here.state.epoch.current["Q"])
    here.move(10, Step.RESOLUTION)
    open_blindly(here, transition=19)
    submit(here, "A1", "Q", "11")
    assert here.state.epoch.current["Q"] == before
    submit(here, "A2", "Q", "11")
    here.do(close_round, "R")
    assert here.state.epoch.current["Q"] == {"A1": [1, 1], "A2": [1, 1]}
