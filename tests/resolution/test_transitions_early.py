"""Every transition before step 5 taken, and refused with each of its guards named (1–10, 13–16, 19, 22)."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import accordant.resolution.procedure  # noqa: F401 (registers the guards)
from accordant.errors import RequestError
from accordant.resolution.command import GUARDS
from accordant.resolution.completion import finish
from accordant.resolution.concepts import STEP_2_SKIPPED, sign_off, write_concept
from accordant.resolution.guidelines import (
    GuidelinesWritten,
    acknowledge,
    confirm_editorial,
    write_guidelines,
)
from accordant.resolution.items import assign
from accordant.resolution.orders import waive_order
from accordant.resolution.records import (
    AmbiguityPolicy,
    AskedIf,
    Concept,
    Guidelines,
    Question,
    Rule,
    Task,
)
from accordant.resolution.rounds import close_round, open_round
from accordant.resolution.setup import add_person, state_purpose, state_question
from accordant.resolution.statement import DeviationRecorded
from accordant.resolution.step_change import begin_resolution, go
from accordant.resolution.task import TaskWritten, change_task
from accordant.resolution.transitions import TRANSITIONS
from accordant.resolution.words import Purpose, Step
from resolution.build import (
    Session,
    annotated,
    begun,
    close,
    compared,
    everybody_agrees,
    open_blindly,
    ready_to_annotate,
    refusal,
    resolving,
    set_up,
    submit,
    with_items,
    with_toolbox,
)

SPECIFICATION = Path(__file__).with_name("specification.json")
"""The state machine, drawn up from Oortwijn et al. (2021) before the code was written."""
DISAGREE = {"Q": {"A1": "01", "A2": "00"}}
AGREE = {"Q": {"A1": "01", "A2": "01"}}


def last(here: Session) -> tuple[int, str]:
    """Number and target of the last transition."""
    _, number, target, _ = here.state.moves[-1]
    return number, target


# ---------------------------------------------------------------- the table


def test_every_guard_of_the_table_is_there_once() -> None:
    wanted = {
        g for row in TRANSITIONS.values() for g in row.guards if not g.startswith("guards_of")
    }
    assert wanted <= set(GUARDS)
    source = Path(next(iter(GUARDS.values())).__code__.co_filename).parent
    text = "".join(path.read_text(encoding="utf-8") for path in source.glob("*.py"))
    assert [
        name for name in GUARDS if len(re.findall(rf'@guard\(\s*"{re.escape(name)}"', text)) != 1
    ] == []


def test_the_table_is_that_of_the_specification() -> None:
    names = {
        "S0_setup": Step.SETUP,
        "S1_task_guidelines": Step.TASK,
        "S2_alignment": Step.ALIGNMENT,
        "S3_annotation": Step.ANNOTATION,
        "S4_comparison": Step.COMPARISON,
        "S5_resolution": Step.RESOLUTION,
        "H_halted": Step.HALTED,
        "X_abandoned": Step.ABANDONED,
        "F_finished": Step.FINISHED,
        "*": None,
    }
    rows = json.loads(SPECIFICATION.read_text(encoding="utf-8"))["transitions"]
    assert [row["id"] for row in rows] == list(TRANSITIONS)
    for row in rows:
        ours = TRANSITIONS[row["id"]]
        targets = row["to"] if isinstance(row["to"], list) else [row["to"]]
        assert ours.source is names[row["from"]]
        assert ours.targets == tuple(names[to] for to in targets)
        assert list(ours.guards) == row["guards"]
        assert ours.via is names.get(row.get("via", "*"))
        status = ours.release.name.lower() if ours.release else None
        assert status == row.get("release", "abandoned" if row["id"] == 17 else None)
    assert len(TRANSITIONS) == 25


# ---------------------------------------------------------------- 1 to 5


def test_1() -> None:
    here = begun()
    assert refusal(here, go, "R", "task") == {"research_question", "purpose"}
    here.do(state_question, "R", "Who?")
    assert refusal(here, go, "R", "task") == {"purpose"}
    here.do(state_purpose, "R", Purpose.GROUND_TRUTH)
    assert refusal(here, go, "A1", "task") == {"role"}
    here.do(go, "R", Step.TASK)
    assert last(here) == (1, Step.TASK)


@pytest.mark.parametrize(
    "number, made, target",
    [
        (2, set_up, Step.SETUP),
        (4, ready_to_annotate, Step.TASK),
        (5, ready_to_annotate, Step.SETUP),
    ],
)
def test_2_4_5_go_back_with_a_reason(number: int, made: Any, target: Step) -> None:
    here = made()
    assert refusal(here, go, "R", target) == {"reason"}
    assert refusal(here, go, "R", target, reason="  ") == {"reason"}
    here.do(go, "R", target, reason="a definition needs research")
    assert last(here) == (number, target)
    assert here.state.moves[-1][3] == "a definition needs research"


def test_3() -> None:
    here = set_up(2)
    assert refusal(here, go, "R", "conceptual") == {"task_hash", "guideline_ge_1"}
    here.tell(TaskWritten(Task((Question("Q", "What?"), Question("P", "How?")))))
    assert refusal(here, go, "R", "conceptual") == {"guideline_ge_1"}
    here.do(write_guidelines, "R", Guidelines("", {"Q": ("0", "1")}))
    assert refusal(here, go, "R", "conceptual") == {
        "scoring_options",
        "ambiguity_policy",
        "all_acknowledged",
    }
    both = {"Q": ("0", "1"), "P": ("0", "1")}
    here.do(write_guidelines, "R", Guidelines("", both, AmbiguityPolicy(False)))
    assert refusal(here, go, "R", "conceptual") == {"ambiguity_policy", "all_acknowledged"}
    policy = AmbiguityPolicy(False, reason="every text says one or the other")
    here.do(write_guidelines, "R", Guidelines("", both, policy))
    here.do(acknowledge, "A1")
    assert refusal(here, go, "R", "conceptual") == {"all_acknowledged"}
    here.do(acknowledge, "A2")
    here.do(go, "R", "conceptual")
    assert last(here) == (3, Step.ALIGNMENT)


def test_3_needs_two_coders() -> None:
    here = with_toolbox(set_up(1))
    here.do(acknowledge, "A1")
    assert refusal(here, go, "R", Step.ALIGNMENT) == {"all_acknowledged"}


def test_3_wants_options_that_fit_the_task() -> None:
    asked = (Question("Q", "a"), Question("P", "b", asked_if=AskedIf("Q", ("yes",))))
    here = everybody_agrees(with_toolbox(set_up(), asked))
    assert refusal(here, go, "R", Step.ALIGNMENT) == {"scoring_options"}  # "yes" is no option of Q
    stray = everybody_agrees(with_toolbox(set_up(), ("Q",)))
    stray.tell(
        GuidelinesWritten(Guidelines("1.1.0", {"Q": ("0",), "Z": ("0",)}, AmbiguityPolicy(True)))
    )
    assert refusal(stray, go, "R", Step.ALIGNMENT) == {"scoring_options", "all_acknowledged"}


def test_an_edited_task_must_be_acknowledged_again_an_editorial_change_not() -> None:
    here = everybody_agrees(with_toolbox(set_up()))
    old = here.state.epoch.guidelines[-1]
    here.do(
        write_guidelines,
        "R",
        Guidelines("", old.options, old.ambiguity, old.rules, "x"),
        change="editorial",
    )
    here.tell(TaskWritten(Task((Question("Q", "What is it, really?"),))))
    assert refusal(here, go, "R", Step.ALIGNMENT) == {"all_acknowledged"}
    everybody_agrees(here).do(go, "R", Step.ALIGNMENT)


# ---------------------------------------------------------------- 6 and 7


def test_6() -> None:
    here = with_toolbox(set_up(2)).move(3, Step.ALIGNMENT)
    assert refusal(here, open_round, "R") == {
        "all_signed_off",
        "training_recorded",
        "units_frozen",
        "all_acknowledged",
    }
    everybody_agrees(here)
    assert refusal(here, open_round, "R") == {"units_frozen"}
    with_items(here)
    here.do(open_round, "R")
    assert last(here) == (6, Step.ANNOTATION)
    assert here.state.epoch.round.coders == ("A1", "A2")


def test_6_needs_a_concept() -> None:
    here = ready_to_annotate(concepts=[])
    assert refusal(here, open_round, "R") == {"all_concepts_defined"}


def test_6_needs_two_coders_for_every_item_of_the_scope() -> None:
    here = ready_to_annotate(coders=3)
    for coder, items in (("A1", ["i1", "i2", "i4"]), ("A2", ["i2", "i3", "i4"]), ("A3", ["i3"])):
        here.do(assign, "R", coder, items)
    assert refusal(here, open_round, "R") == {"two_annotators"}
    here.do(open_round, "R", items=["i2", "i3"])


def test_6_needs_the_signature_of_a_coder_who_joins_late() -> None:
    here = ready_to_annotate()
    here.do(add_person, "R", "A9", ["coder"])
    assert refusal(here, open_round, "R") == {
        "all_acknowledged",
        "all_signed_off",
        "training_recorded",
    }
    here.do(open_round, "R", coders=["A1", "A2"])


def test_researchers_who_annotate_need_no_training() -> None:
    here = ready_to_annotate(coders=2)
    for name in ("A1", "A2"):
        here.state.people[name].training = ""
    assert refusal(here, open_round, "R") == {"training_recorded"}
    for name in ("A1", "A2"):
        here.do(add_person, "R", name, ["researcher", "coder"])
    here.do(open_round, "R")


def test_6_is_waived_for_imported_projects_only_and_says_so() -> None:
    native = ready_to_annotate(concepts=[])
    native.tell(DeviationRecorded(STEP_2_SKIPPED, "step 2 was not performed"))
    assert refusal(native, open_round, "R") == {"all_concepts_defined"}
    imported = ready_to_annotate(concepts=[], imported=True)
    assert refusal(imported, open_round, "R") == {"all_concepts_defined"}
    imported.tell(DeviationRecorded(STEP_2_SKIPPED, "step 2 was not performed"))
    imported.do(open_round, "R")


def test_no_other_way_leads_to_a_round() -> None:
    here = everybody_agrees(with_items(with_toolbox(set_up())))
    assert "step" in refusal(here, open_round, "R")
    assert refusal(here, go, "R", Step.ANNOTATION) == {"own_command"}


def test_7() -> None:
    here = open_blindly(ready_to_annotate(2, 2))
    assert refusal(here, go, "R", Step.COMPARISON) == {"own_command"}
    assert refusal(here, close_round, "R") == {"all_submitted_or_declined"}
    submit(here, "A1", "Q", "01")
    assert refusal(here, close_round, "R") == {"all_submitted_or_declined"}
    submit(here, "A2", "Q", ["0", None])
    happened = here.do(close_round, "R")
    assert [event.kind for event in happened] == ["round closed", "compared", "moved"]
    assert last(here) == (7, Step.COMPARISON)


# ---------------------------------------------------------------- 8 to 10


def test_8() -> None:
    assert "reason" in refusal(compared(DISAGREE), finish, "R")  # then it is 9
    here = compared(AGREE)
    here.do(finish, "R")
    assert last(here) == (8, Step.FINISHED)
    assert here.state.releases[-1].status == "ground truth"
    for guard, made in (
        ("no_conflict", compared(DISAGREE)),
        ("no_incomplete", compared({"Q": {"A1": "01", "A2": ["0", None]}})),
    ):
        assert [one.guard for one in GUARDS[guard](made.state, {})] == [guard]


def test_9_leaves_conflicts_and_says_comparison_only() -> None:
    here = compared(DISAGREE)
    assert "reason" in refusal(here, finish, "R")
    here.do(finish, "R", reason="only agreement was of interest")
    assert last(here) == (9, Step.FINISHED)
    assert here.state.releases[-1].status == "comparison only"


def test_10() -> None:
    assert refusal(compared(AGREE), begin_resolution, "R") == {"conflicts"}
    varied = compared(DISAGREE, purpose=Purpose.ELICIT_VARIATION)
    assert refusal(varied, begin_resolution, "R") == {"purpose_ground_truth"}
    here = compared(DISAGREE)
    assert refusal(here, begin_resolution, "A1") == {"role"}
    here.do(begin_resolution, "R")
    assert last(here) == (10, Step.RESOLUTION)
    assert [case.item for case in here.state.epoch.cases.values()] == [1]


def test_10_is_open_where_an_annotation_is_missing() -> None:
    here = compared({"Q": {"A1": "01", "A2": ["0", None]}})
    here.do(begin_resolution, "R")
    assert not here.state.epoch.cases


# ---------------------------------------------------------------- 13 to 15


def changed(here: Session, change: str, **more: Any) -> Session:
    """New guidelines of some class; everybody acknowledges them."""
    old = here.state.epoch.guidelines[-1]
    rules = (*old.rules, Rule(f"R{len(old.rules) + 1}", "One more", ("Q",)))
    if change == "editorial":
        rules = (Rule("R1", f"{old.rules[0].text} carefully"), *old.rules[1:])
    new = Guidelines("", old.options, old.ambiguity, rules, old.text)
    here.do(write_guidelines, "R", new, change=change, reason="a gap", **more)
    for coder in here.state.coders:
        here.do(acknowledge, coder)
    return here


def back_at_step_1(values: Any = DISAGREE) -> Session:
    return resolving(values).move(11, Step.TASK)


def test_13() -> None:
    here = back_at_step_1()
    assert refusal(here, open_round, "R") == {"guideline_minor", "open_order"}
    assert refusal(here, go, "R", Step.ANNOTATION) == {"own_command"}
    changed(here, "drastic")
    assert refusal(here, go, "R", Step.RESOLUTION) >= {"guideline_minor"}
    here.do(open_round, "R")
    assert last(here) == (13, Step.ANNOTATION)
    assert here.state.epoch.round.orders == (1,)


def test_13_asks_the_guards_of_steps_1_and_2_again() -> None:
    here = back_at_step_1()
    old = here.state.epoch.guidelines[-1]
    new = Guidelines("", old.options, None, old.rules)
    here.do(write_guidelines, "R", new, change="drastic", reason="y")
    here.do(write_concept, "R", Concept("claim", 0, "argues", ("Q",)), reason="y")
    assert refusal(here, open_round, "R") == {
        "ambiguity_policy",
        "all_acknowledged",
        "all_signed_off",
    }


def test_13_without_a_drastic_change() -> None:
    here = changed(back_at_step_1(), "local", questions=["Q"])
    assert [u.guard for u in GUARDS["guideline_major"](here.state, {})] == ["guideline_major"]


def test_14_by_a_round() -> None:
    here = changed(back_at_step_1(), "local", questions=["Q"])
    here.do(open_round, "R")
    assert last(here) == (14, Step.ANNOTATION)


def test_14_through_step_2() -> None:
    here = changed(back_at_step_1(), "local", questions=["Q"])
    here.do(go, "R", Step.ALIGNMENT)
    here.do(open_round, "R")
    assert last(here) == (14, Step.ANNOTATION)


def test_14_waived() -> None:
    here = back_at_step_1()
    assert refusal(here, go, "R", Step.RESOLUTION) == {"guideline_minor"}
    changed(here, "local", questions=["Q"])
    assert refusal(here, go, "R", Step.RESOLUTION) == {"order_waived"}
    here.do(waive_order, "R", order=1, reason="the rule says what everybody did")
    here.do(go, "R", Step.RESOLUTION)
    assert last(here) == (14, Step.RESOLUTION)


def test_14_after_a_concept_whose_order_is_waived() -> None:
    here = resolving(DISAGREE).move(12, Step.ALIGNMENT)
    assert refusal(here, go, "R", Step.RESOLUTION) == {"guideline_minor"}
    here.do(write_concept, "R", Concept("claim", 0, "argues", ("Q",)), reason="y")
    assert refusal(here, go, "R", Step.RESOLUTION) == {"order_waived"}
    here.do(waive_order, "R", order=1, reason="the definition says what everybody meant")
    here.do(go, "R", Step.RESOLUTION)
    assert last(here) == (14, Step.RESOLUTION)


def test_14_needs_a_scope_and_a_reason_for_a_narrower_one() -> None:
    here = back_at_step_1()
    with pytest.raises(Exception, match="on which questions"):
        changed(here, "local")
    with pytest.raises(Exception, match="it is not said why"):
        changed(here, "local", questions=["Q"], items=["i2"])
    changed(here, "local", questions=["Q"], items=["i2"], narrowed="the first is in Latin")
    here.state.epoch.orders.clear()
    assert [u.guard for u in GUARDS["scope_stated"](here.state, {})] == ["scope_stated"]


def test_15() -> None:
    here = changed(back_at_step_1(), "editorial")
    assert refusal(here, go, "R", Step.RESOLUTION) == {"confirmed_no_score_change"}
    here.do(confirm_editorial, "A1")
    here.do(go, "R", Step.RESOLUTION)
    assert last(here) == (15, Step.RESOLUTION)


def test_what_changed_before_the_last_round_does_not_count() -> None:
    here = changed(back_at_step_1(), "local", questions=["Q"])
    here.do(open_round, "R")
    annotated(DISAGREE, here)
    close(here).do(begin_resolution, "R")
    here.move(11, Step.TASK)
    assert refusal(here, go, "R", Step.RESOLUTION) == {"guideline_minor"}


def test_15_is_for_wording_only() -> None:
    here = changed(changed(back_at_step_1(), "drastic"), "editorial")
    assert refusal(here, go, "R", Step.RESOLUTION) >= {"guideline_minor", "order_waived"}
    here = changed(back_at_step_1(), "editorial")
    here.do(write_concept, "R", Concept("claim", 0, "argues", ("Q",)), reason="y")
    assert [u.guard for u in GUARDS["guideline_patch"](here.state, {})] == ["guideline_patch"]
    fresh = back_at_step_1()
    assert [u.guard for u in GUARDS["guideline_patch"](fresh.state, {})] == ["guideline_patch"]


# ---------------------------------------------------------------- 16, 19, 22

NEW = Task((Question("Q", "Something else?"),))


@pytest.mark.parametrize(
    "made",
    [
        lambda: annotated(DISAGREE),
        lambda: compared(DISAGREE),
        lambda: resolving(DISAGREE),
        back_at_step_1,
        lambda: resolving(DISAGREE).move(12, Step.ALIGNMENT),
        lambda: resolving(DISAGREE).move(18, Step.HALTED),
        lambda: resolving(DISAGREE).move(17, Step.ABANDONED),
        lambda: compared(DISAGREE).move(9, Step.FINISHED),
    ],
)
def test_16_from_everywhere(made: Any) -> None:
    here = made()
    old = here.state.epoch
    assert refusal(here, change_task, "R", old.task, reason="y") == {"task_changed"}
    assert refusal(here, change_task, "R", NEW) == {"reason"}
    assert refusal(here, change_task, "A1", NEW, reason="y") == {"role"}
    here.do(change_task, "R", NEW, reason="it asked for the wrong thing")
    assert last(here) == (16, Step.TASK)
    assert (here.state.epoch.number, here.state.epoch.task) == (2, NEW)
    assert not here.state.epoch.guidelines
    assert not here.state.epoch.signed
    assert old.ended
    assert old.round is None
    assert all(not case.live for case in old.cases.values())
    assert len(here.state.items.ids) == 2


def test_16_needs_a_round() -> None:
    assert refusal(ready_to_annotate(), change_task, "R", NEW, reason="y") == {
        "epoch_round_started"
    }


def test_a_new_epoch_is_walked_like_the_first() -> None:
    here = resolving(DISAGREE)
    here.do(change_task, "R", NEW, reason="y")
    with_toolbox(here, NEW.questions)
    everybody_agrees(here).do(go, "R", Step.ALIGNMENT)
    here.do(open_round, "R")
    assert last(here) == (6, Step.ANNOTATION)
    assert (here.state.epoch.round.number, here.state.epoch.round.questions) == (1, ("Q",))
    annotated(DISAGREE, here)
    close(here).do(begin_resolution, "R")
    assert list(here.state.epoch.cases) == [2]  # cases are numbered through


def test_19() -> None:
    here = resolving(DISAGREE)
    assert refusal(here, open_round, "R") == {"open_order"}
    here.move(12, Step.ALIGNMENT)
    here.do(write_concept, "R", Concept("claim", 0, "argues", ("Q",)), reason="y")
    here.move(14, Step.RESOLUTION)
    assert refusal(here, open_round, "R") == {"all_signed_off"}
    for coder in here.state.coders:
        here.do(sign_off, coder)
    here.do(open_round, "R")
    assert last(here) == (19, Step.ANNOTATION)
    assert here.state.epoch.round.orders == (1,)


@pytest.mark.parametrize("target", [Step.SETUP, Step.TASK, Step.ALIGNMENT, Step.COMPARISON])
def test_22(target: Step) -> None:
    here = compared(AGREE)
    here.do(finish, "R")
    assert refusal(here, go, "R", target) == {"reason"}
    here.do(go, "R", target, reason="somebody found an error")
    assert last(here) == (22, target)
    assert len(here.state.releases) == 1


@pytest.mark.parametrize("target", [Step.TASK, Step.ALIGNMENT])
def test_25_a_question_is_sent_back_before_cases_are_opened(target: Step) -> None:
    two = {"Q": DISAGREE["Q"], "P": AGREE["Q"]}
    here = compared(two, concepts=[Concept("claim", 1, "asserts", ("Q",))])
    assert refusal(here, go, "R", target) == {"reason", "questions_named"}
    assert refusal(here, go, "A1", target, reason="r", questions=["Q"]) == {"role"}
    with pytest.raises(RequestError, match="no question 'X'"):
        here.do(go, "R", target, reason="r", questions=["X"])
    here.do(go, "R", target, reason="R2 is read in two ways", questions=["Q"])
    assert last(here) == (25, target)
    assert here.state.moves[-1][3] == "question Q: R2 is read in two ways"
    if target is Step.TASK:
        changed(here, "local", questions=["Q"])
    else:
        here.do(write_concept, "R", Concept("claim", 0, "argues", ("Q",)), reason="y")
        for coder in here.state.coders:
            here.do(sign_off, coder)
    here.do(open_round, "R")
    assert here.state.epoch.round.questions == ("Q",)
    annotated({"Q": AGREE["Q"]}, here)
    here.do(close_round, "R")
    assert not here.state.epoch.cases
    assert here.state.epoch.rounds[-1].comparison == {"Q": {"agreed": 2}}
    with pytest.raises(RequestError, match="sends it back"):
        resolving(DISAGREE).move(11, Step.TASK).do(go, "R", Step.SETUP, reason="r", questions=["Q"])


# ---------------------------------------------------------------- arrows that are not there


def test_arrows_that_are_not_there() -> None:
    here = set_up()
    assert refusal(here, go, "R", Step.FINISHED) == {"no_such_arrow"}
    with pytest.raises(RequestError, match="already"):
        here.do(go, "R", Step.TASK)
    with pytest.raises(RequestError, match="no step 'dance'"):
        here.do(go, "R", "dance")
    assert refusal(resolving(DISAGREE), go, "R", Step.TASK) == {"own_command"}
    here = compared(DISAGREE)
    here.do(go, "R", Step.RESOLUTION)  # as if by `begin_resolution`
    assert last(here) == (10, Step.RESOLUTION)
    assert here.state.epoch.cases
