"""Task, guidelines, versions, what can be cited, what differs, what must be annotated again."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accordant.errors import RequestError
from accordant.resolution.concepts import write_concept
from accordant.resolution.guidelines import acknowledge, confirm_editorial, write_guidelines
from accordant.resolution.orders import ReannotationOrdered
from accordant.resolution.proposals import CauseProposed
from accordant.resolution.records import (
    AmbiguityPolicy,
    AskedIf,
    Concept,
    Evidence,
    Guidelines,
    Question,
    Relation,
    Rule,
    Task,
)
from accordant.resolution.returns import CaseReturned
from accordant.resolution.task import change_task, write_task
from accordant.resolution.toolbox import (
    cited,
    diff,
    elements,
    next_version,
    snapshot,
)
from accordant.resolution.words import Cause, Change, Step
from resolution.build import (
    Session,
    annotated,
    compared,
    refusal,
    resolving,
    set_up,
    with_toolbox,
)

VALUES = {
    "Q": {"A1": "0110", "A2": "0100", "A3": "0110"},
    "P": dict.fromkeys(("A1", "A2", "A3"), "0000"),
}
TASK = Task((Question("Q", "What is it?"), Question("P", "How much?")))


def guidelines(here: Session, **changed: Any) -> Guidelines:
    """The guidelines in force with something changed."""
    last = here.state.epoch.guidelines[-1]
    kept = {"options": last.options, "ambiguity": last.ambiguity, "rules": last.rules}
    return Guidelines("", **{**kept, "text": last.text, **changed})


def returned(values: Any = VALUES) -> Session:
    """Back at step 1 after a round."""
    return resolving(values).move(11, Step.TASK)


def orders(events: list[Any]) -> list[ReannotationOrdered]:
    return [event for event in events if isinstance(event, ReannotationOrdered)]


# ---------------------------------------------------------------- task


def test_the_task_is_edited_until_its_first_round() -> None:
    here = set_up()
    here.do(write_task, "A1", TASK)
    first = here.state.epoch.task_hash
    with pytest.raises(RequestError, match="nothing to change"):
        here.do(write_task, "R", TASK)
    here.do(write_task, "R", Task((Question("Q", "What?"),)), reason="one is enough")
    assert here.state.epoch.task_hash != first
    assert len(here.state.epoch.tasks) == 2
    assert refusal(returned(), write_task, "R", TASK) == {"task_immutable"}
    assert refusal(here, write_task, "O", TASK) == {"role"}


@pytest.mark.parametrize(
    "questions, says",
    [
        ((), "no question"),
        ((Question("Q", "a"), Question("Q", "b")), "two questions 'Q'"),
        ((Question("Q", " "),), "is empty"),
        ((Question(" Q", "a"),), "blanks"),
        ((Question("Q", "a", asked_if=AskedIf("Z", ("1",))),), "no question 'Z'"),
        ((Question("Q", "a", asked_if=AskedIf("Q", ("1",))),), "depends on itself"),
        (
            (
                Question("Q", "a", asked_if=AskedIf("P", ("1",))),
                Question("P", "b", asked_if=AskedIf("Q", ("1",))),
            ),
            "depends on itself",
        ),
        ((Question("Q", "a"), Question("P", "b", asked_if=AskedIf("Q", ()))), "not said how"),
    ],
)
def test_tasks_that_are_wrong(questions: tuple[Question, ...], says: str) -> None:
    with pytest.raises(RequestError, match=says):
        set_up().do(write_task, "R", Task(questions))


def test_the_hash_of_the_task_is_constant_within_an_epoch() -> None:
    here = returned()
    before = here.state.epoch.task_hash
    here.do(write_guidelines, "R", guidelines(here, text="x"), change="drastic", reason="y")
    assert {box.task for box in here.state.toolboxes if box.guidelines} == {before}
    here.do(change_task, "R", TASK, reason="the question was wrong")
    assert here.state.epoch.task_hash != before
    assert here.state.epochs[0].task_hash == before


# ---------------------------------------------------------------- guidelines


def test_versions_are_counted_by_the_class_of_change() -> None:
    here = with_toolbox(set_up(), ("Q", "P"))
    here.do(write_guidelines, "A1", guidelines(here, text="read twice"))
    assert here.state.epoch.guidelines[-1].version == "1.1.0"
    here.do(write_guidelines, "A1", guidelines(here, options={"Q": ("0", "1", "2"), "P": ("a",)}))
    assert here.state.epoch.guidelines[-1].version == "2.0.0"
    here.do(write_guidelines, "A1", guidelines(here, text="Read twice"), change=Change.EDITORIAL)
    assert here.state.epoch.guidelines[-1].version == "2.0.1"
    with pytest.raises(RequestError, match="say this already"):
        here.do(write_guidelines, "A1", guidelines(here))


@given(st.lists(st.sampled_from(list(Change)), max_size=20))
def test_versions_only_grow(changes: list[Change]) -> None:
    versions = ["1.0.0"]
    for change in changes:
        versions.append(next_version(versions[-1], change))
    numbers = [tuple(map(int, version.split("."))) for version in versions]
    assert numbers == sorted(set(numbers))


@pytest.mark.parametrize(
    "changed, says",
    [
        ({"options": {"Z": ("0",)}}, "no question 'Z'"),
        ({"options": {"Q": ("0", "0")}}, "'0' twice"),
        ({"options": {"Q": ("0 ",)}}, "blanks"),
        ({"options": {"Q": ("",)}}, "is empty"),
        ({"rules": (Rule("R", "a"), Rule("R", "b"))}, "two rules 'R'"),
        ({"rules": (Rule("R", "a", ("Z",)),)}, "no question 'Z'"),
        ({"rules": (Rule("R", ""),)}, "is empty"),
        ({"ambiguity": AmbiguityPolicy(True, ())}, "no source"),
    ],
)
def test_guidelines_that_are_wrong(changed: dict[str, Any], says: str) -> None:
    here = with_toolbox(set_up(), ("Q", "P"))
    with pytest.raises(RequestError, match=says):
        here.do(write_guidelines, "R", guidelines(here, **changed))


def test_guidelines_need_a_task_and_a_step() -> None:
    assert refusal(set_up(), write_guidelines, "R", Guidelines("", {})) == {"task_hash"}
    here = resolving(VALUES)
    assert refusal(here, write_guidelines, "R", guidelines(here, text="x")) == {"step"}


def test_after_a_round_a_change_needs_its_class_and_a_reason() -> None:
    here = returned()
    with pytest.raises(RequestError, match="how far"):
        here.do(write_guidelines, "R", guidelines(here, text="x"))
    new = guidelines(here, text="x")
    assert refusal(here, write_guidelines, "R", new, change="drastic") == {"reason"}
    assert refusal(here, write_guidelines, "A1", new, change="drastic", reason="y") == {"role"}


def test_a_drastic_change_orders_everything() -> None:
    here = returned()
    found = here.do(write_guidelines, "R", guidelines(here, text="x"), change="drastic", reason="y")
    (order,) = orders(found)
    assert (order.questions, order.items) == (("Q", "P"), ())
    assert order.toolbox == here.state.toolbox.ordinal
    assert order.trigger == "guidelines 2.0.0 (drastic change)"
    with pytest.raises(RequestError, match="everything"):
        here.do(
            write_guidelines,
            "R",
            guidelines(here, text="z"),
            change="drastic",
            reason="y",
            questions=["Q"],
        )


def test_an_editorial_change_orders_nothing() -> None:
    here = returned()
    old = here.state.epoch.guidelines[-1].rules
    new = guidelines(here, rules=(Rule("R1", "Read the entire item"), *old[1:]))
    assert not orders(here.do(write_guidelines, "R", new, change="editorial", reason="a typo"))
    assert here.state.epoch.guidelines[-1].version == "1.0.1"
    assert refusal(here, confirm_editorial, "R") == {"role"}
    here.do(confirm_editorial, "A2")
    assert here.state.epoch.confirmed == {"1.0.1": ["A2"]}
    assert refusal(here, confirm_editorial, "A1") == {"confirmed"}
    assert refusal(here, confirm_editorial, "A1", version="1.0.0") == {"guideline_patch"}


def test_a_local_change_states_its_scope() -> None:
    here = returned()
    rules = (*here.state.epoch.guidelines[-1].rules, Rule("R3", "No irony", ("P",)))
    new = guidelines(here, rules=rules)
    asked = {"change": "local", "reason": "y"}
    assert refusal(here, write_guidelines, "R", new, **asked) == {"scope_stated"}
    assert refusal(here, write_guidelines, "R", new, **asked, questions=["Q"]) == {
        "reason_if_narrower"
    }
    assert refusal(here, write_guidelines, "R", new, **asked, questions=["P"], items=["i1"]) == {
        "reason_if_narrower"
    }
    with pytest.raises(RequestError, match="no question 'Z'"):
        here.do(write_guidelines, "R", new, **asked, questions=["Z"])
    found = here.do(
        write_guidelines,
        "R",
        new,
        **asked,
        questions=["P"],
        items=["i1"],
        narrowed="irony is in the first only",
    )
    (order,) = orders(found)
    assert (order.questions, order.items) == (("P",), ("i1",))
    assert order.narrowed == "irony is in the first only"
    assert here.state.epoch.orders[0].items == [0]


def test_a_rule_for_all_questions_bears_on_all() -> None:
    here = returned()
    rules = (Rule("R1", "Read it twice"), here.state.epoch.guidelines[-1].rules[1])
    new = guidelines(here, rules=rules)
    asked = {"change": "local", "reason": "y", "questions": ["Q"]}
    assert refusal(here, write_guidelines, "R", new, **asked) == {"reason_if_narrower"}
    (order,) = orders(here.do(write_guidelines, "R", new, **asked, narrowed="P is a number"))
    assert order.questions == ("Q",)


def test_other_options_are_drastic_unless_it_is_said_why_not() -> None:
    here = returned()
    options = {**here.state.epoch.guidelines[-1].options, "Q": ("0", "1", "2")}
    new = guidelines(here, options=options)
    asked = {"change": "local", "reason": "y", "questions": ["Q"]}
    assert refusal(here, write_guidelines, "R", new, **asked) == {"options_are_drastic"}
    here.do(write_guidelines, "R", new, **asked, options_keep="2 was never possible before")
    assert here.state.epoch.guidelines[-1].reason == "y; 2 was never possible before"
    assert here.state.epoch.guidelines[-1].version == "1.1.0"


def with_returned_case(cause: Cause, concept: str = "") -> Session:
    here = resolving({"Q": {"A1": "01", "A2": "00"}, "P": {"A1": "00", "A2": "00"}})
    (number,) = here.state.epoch.cases
    here.tell(CauseProposed(number, cause, Evidence(concept=concept), "A1"))
    here.state.epoch.cases[number].assessments[-1].accepted = True
    return here.tell(CaseReturned(number)).move(11, Step.TASK)


def test_the_scope_holds_the_cases_behind_the_change() -> None:
    here = with_returned_case(Cause.A2)
    rules = (*here.state.epoch.guidelines[-1].rules, Rule("R3", "No irony", ("P",)))
    new = guidelines(here, rules=rules)
    asked = {"change": "local", "reason": "y"}
    assert refusal(here, write_guidelines, "R", new, **asked, questions=["P"]) == {
        "scope_covers_cases"
    }
    narrow = {"questions": ["P", "Q"], "items": ["i1"], "narrowed": "z"}
    assert refusal(here, write_guidelines, "R", new, **asked, **narrow) == {"scope_covers_cases"}
    said = asked | {"questions": ["P", "Q"]}  # which does not make a rule about P bear on Q
    assert refusal(here, write_guidelines, "R", new, **said) == {"scope_covers_cases"}
    both = guidelines(here, rules=(*rules[:-1], Rule("R3", "No irony", ("P", "Q"))))
    (order,) = orders(here.do(write_guidelines, "R", both, **said))
    assert order.cases == (1,)
    assert here.state.epoch.guidelines[-1].cases == (1,)
    with pytest.raises(RequestError, match="no case 7"):
        here.do(write_guidelines, "R", guidelines(here, text="b"), **asked, cases=[7])


def test_acknowledging() -> None:
    here = set_up()
    assert refusal(here, acknowledge, "A1") == {"task_hash", "guideline_ge_1"}
    with_toolbox(here)
    here.do(acknowledge, "A1")
    assert refusal(here, acknowledge, "A1") == {"acknowledged"}
    assert refusal(here, acknowledge, "R") == {"role"}
    here.do(write_guidelines, "R", guidelines(here, text="x"))
    here.do(acknowledge, "A1")


# ---------------------------------------------------------------- concepts


def test_a_concept_after_a_round_orders_its_questions_times_all_items() -> None:
    here = returned()
    new = Concept("claim", 0, "what a text argues for", ("Q",))
    assert refusal(here, write_concept, "R", new) == {"reason"}
    (order,) = orders(here.do(write_concept, "R", new, reason="too broad"))
    assert (order.questions, order.items) == (("Q",), ())
    assert here.state.epoch.concepts["claim"][-1].version == 2
    assert order.trigger == "concept claim, version 2"
    other = Concept("scope", 0, "how much it is about", rules=("R1",))
    assert refusal(here, write_concept, "R", other, reason="y", items=["i1"]) == {
        "reason_if_narrower"
    }
    (order,) = orders(here.do(write_concept, "R", other, reason="missing"))
    assert order.questions == ("Q", "P")  # R1 is a rule about all questions
    moved = Concept("claim", 0, "what a text argues for", ("P",))
    (order,) = orders(here.do(write_concept, "R", moved, reason="of P, in fact"))
    assert order.questions == ("Q", "P")  # Q was answered with it


def test_dependent_questions_come_with_their_parents() -> None:
    asked = (Question("Q", "Is there one?"), Question("P", "Which?", asked_if=AskedIf("Q", ("1",))))
    here = (
        compared(
            {"Q": {"A1": "01", "A2": "01"}, "P": {"A1": ["", "0"], "A2": ["", "1"]}},
            questions=asked,
        )
        .move(10, Step.RESOLUTION)
        .move(12, Step.ALIGNMENT)
    )
    new = Concept("claim", 0, "another definition", ("Q",))
    (order,) = orders(here.do(write_concept, "R", new, reason="y"))
    assert order.questions == ("Q", "P")
    here.move(4, Step.TASK)
    rules = (*here.state.epoch.guidelines[-1].rules, Rule("R3", "One is enough", ("Q",)))
    new_rules = guidelines(here, rules=rules)
    asked = {"change": "local", "reason": "y", "questions": ["Q"]}
    (order,) = orders(here.do(write_guidelines, "R", new_rules, **asked))
    assert order.questions == ("Q", "P")


@pytest.mark.parametrize(
    "concept, says",
    [
        (Concept("", 0, "d"), "is empty"),
        (Concept("c ", 0, "d"), "blanks"),
        (Concept("c", 0, "d", ("Z",)), "no question 'Z'"),
        (Concept("c", 0, "d", rules=("R9",)), "no rule 'R9'"),
        (Concept("c", 0, "d", subconcepts=("s",), relations=(Relation("s", "is", "t"),)), "'t'"),
        (Concept("claim", 0, "what a text asserts", ("Q",), ("R1",)), "say"),
    ],
)
def test_concepts_that_are_wrong(concept: Concept, says: str) -> None:
    with pytest.raises(RequestError, match=says):
        with_toolbox(set_up()).do(write_concept, "R", concept)


# ---------------------------------------------------------------- citing and comparing


def test_what_can_be_cited() -> None:
    here = with_toolbox(set_up())
    known = elements(here.state)
    assert list(known) == ["question Q", "rule R1", "rule R2", "concept claim v1"]
    assert known["rule R2"].text == "Prefer 1"
    assert cited(here.state, ["concept claim", "rule R1", "Rule R1"]) == (
        "concept claim v1",
        "rule R1",
    )
    for text in ("rule R9", "concept claim v2", "question P"):
        with pytest.raises(RequestError, match="no element"):
            cited(here.state, [text])
    assert cited(here.state, [" R2 ", "claim"]) == ("rule R2", "concept claim v1")
    for text in ("R9", "because", "rule "):
        with pytest.raises(RequestError, match="cites nothing"):
            cited(here.state, [text])


def test_every_change_makes_a_toolbox_of_its_own() -> None:
    here = with_toolbox(set_up())
    assert [box.ordinal for box in here.state.toolboxes] == [1, 2, 3]
    assert len({box.hash for box in here.state.toolboxes}) == 3
    same = with_toolbox(set_up())
    assert same.state.toolbox.hash == here.state.toolbox.hash


def test_what_differs_between_two_toolboxes() -> None:
    here = with_toolbox(set_up())
    here.do(write_guidelines, "R", guidelines(here, rules=(Rule("R1", "Read it twice"),)))
    here.do(write_concept, "R", Concept("claim", 0, "what a text argues for", ("Q",), ("R1",)))
    before, after = snapshot(here.state, 3), snapshot(here.state, 5)
    found = {one.what: (one.before, one.after) for one in diff(before, after)}
    assert found == {
        "rule R1": ("Read the whole item", "Read it twice"),
        "rule R2": ("Prefer 1", ""),
        "concept claim": ("what a text asserts", "what a text argues for"),
    }
    assert not diff(after, after)
    assert all(not one.before for one in diff(None, after))
    with pytest.raises(RequestError, match="no toolbox 9"):
        snapshot(here.state, 9)


def test_the_toolbox_of_an_old_epoch_stays_readable() -> None:
    here = annotated(VALUES)
    old = here.state.toolbox
    here.do(change_task, "R", TASK, reason="y")
    assert snapshot(here.state, old.ordinal).guidelines.version == "1.0.0"
    assert here.state.toolbox.epoch == 2
