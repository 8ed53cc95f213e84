"""From step to step: every way is taken, and refused with each of its guards named."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import accordant as ac
from resolution.team import (
    Team,
    at_alignment,
    at_annotation,
    at_comparison,
    at_resolution,
    at_task,
    concept,
    rules,
    task,
)

SPECIFICATION = Path(__file__).with_name("specification.json")
"""The state machine, drawn up from Oortwijn et al. (2021) before the code was written."""
STEPS = {
    "S0_setup": "setup",
    "S1_task_guidelines": "task",
    "S2_alignment": "alignment",
    "S3_annotation": "annotation",
    "S4_comparison": "comparison",
    "S5_resolution": "resolution",
    "H_halted": "halted",
    "X_abandoned": "abandoned",
    "F_finished": "finished",
}
DISAGREE = {"Q": {"A1": "01", "A2": "00"}}
AGREE = {"Q": {"A1": "01", "A2": "01"}}
NEW = task(Q="Something else?")


def returned(cause: str = "a2") -> Team:
    """A case has gone back to step 1 or 2 for its cause."""
    team = at_resolution(DISAGREE)
    evidence = {"a2": {"rule": "missing", "wording": "Read the title too"}}
    evidence["b"] = {"knowledge": "what a claim is", "concept": "claim", "width": "too wide"}
    for name in team.coders:
        team.do("case reason", by=name, cases=[1], text="so it is", cites=["rule R1"])
    team.do("case cause", by="A1", cases=[1], cause=cause, evidence=evidence[cause])
    team.do("case accept", by="A2", cases=[1])
    team.do("case return", cases=[1])
    return team


def halted() -> Team:
    team = at_resolution(DISAGREE)
    for name in team.coders:
        team.do("case reason", by=name, cases=[1], text="so it is")
    team.do("halt", cases=[1], review_date="2999-01-01", reason="check the edition")
    return team


def finished() -> Team:
    team = at_comparison(AGREE)
    team.do("finish")
    return team


BEGINS: dict[str, Callable[[], Team]] = {
    "setup": lambda: Team.new(2),
    "task": lambda: at_task(2),
    "alignment": lambda: at_alignment(2, 2),
    "annotation": lambda: at_annotation(DISAGREE),
    "comparison": lambda: at_comparison(DISAGREE),
    "resolution": lambda: at_resolution(DISAGREE),
    "halted": halted,
    "finished": finished,
}


@pytest.mark.parametrize("step", BEGINS)
def test_the_ways_from_a_step_are_those_of_the_specification(step: str) -> None:
    rows = json.loads(SPECIFICATION.read_text(encoding="utf-8"))["transitions"]
    team = BEGINS[step]()
    assert team.step == step
    begun = step not in ("setup", "task", "alignment")
    wanted = {
        row["id"]: row["to"] if isinstance(row["to"], list) else [row["to"]]
        for row in rows
        if step in {STEPS.get(row["from"]), STEPS.get(row.get("via", ""))}
        or (row["from"] == "*" and begun)
        if begun or row["id"] not in (13, 14)
    }
    found = {one.number: [s.name.lower() for s in one.targets] for one in team.status().arrows}
    assert found == {number: [STEPS[to] for to in targets] for number, targets in wanted.items()}


# ------------------------------------------------------------------ steps 0 to 2


def test_a_project_from_its_beginning_to_a_ground_truth() -> None:
    """Ways 1, 3, 6, 7, 8: each is refused for what it lacks, and taken once nothing does."""
    team = Team.new(2)
    assert team.refused("go", to="task") == {"research_stated"}
    team.do("question", text="Who wrote them?", hypotheses="Most were written by clerks")
    assert team.refused("go", to="task") == {"research_stated"}
    team.do("question", purpose="ground truth")
    assert team.refused("go", by="A1", to="task") == {"role"}
    team.do("go", to="task")

    assert team.refused("go", to="alignment") == {"task_hash", "guidelines_complete"}
    team.do("task", by="A1", task=task(Q="What?", P="How?"))
    assert team.refused("go", to="alignment") == {"guidelines_complete"}
    part = {"options": {"Q": ["0", "1"]}, "ambiguity": None}
    team.do("guidelines", by="A2", guidelines=rules(**part))
    lacks = {"guidelines_complete", "all_acknowledged"}
    assert team.refused("go", to="alignment") == lacks
    both = {"Q": ["0", "1"], "P": ["0", "1"]}
    team.do("guidelines", guidelines=rules(options=both, ambiguity={"allowed": False}))
    assert team.refused("go", to="alignment") == {"guidelines_complete", "all_acknowledged"}
    policy = {"allowed": False, "reason": "every text says one or the other"}
    team.do("guidelines", guidelines=rules(options=both, ambiguity=policy))
    team.do("sign-off", by="A1", concept="guidelines")
    assert team.refused("go", to="alignment") == {"all_acknowledged"}
    team.do("sign-off", by="A2", concept="guidelines")
    assert team.refused("round open") >= {"step", "concepts_defined"}
    team.do("go", to="alignment")

    lacks = {"concepts_defined", "training_recorded", "units_frozen"}
    assert team.refused("round open") == lacks
    team.do("concept", concept=concept("", kind="complex"))
    assert team.refused("sign-off", by="A1") == {"concepts_defined"}
    team.do("concept", concept=concept("what a text asserts", kind="complex"))
    lacks = {"concepts_defined", "all_signed_off", "training_recorded", "units_frozen"}
    assert team.refused("round open") == lacks
    model = {"subconcepts": ["thesis"], "relations": [["thesis", "is part of", "claim"]]}
    relation = {"source": "thesis", "relation": "is part of", "target": "claim"}
    model = {"subconcepts": ["thesis"], "relations": [relation]}
    team.do("concept", concept=concept("what a text asserts", kind="complex", **model))
    team.do("object", by="A2", text="too wide", concept="claim")
    team.trained()
    team.do("items add", items={"ids": ["i1", "i2"]})
    team.do("sign-off", by="A1")
    assert team.refused("round open") == {"all_signed_off", "no_objection", "units_frozen"}
    team.do("sign-off", by="A2", concept="claim")  # which ends the objection
    team.do("items freeze")
    assert team.refused("go", to="individual annotation") == {"own_command"}
    team.do("round open")

    assert team.refused("round close") == {"all_submitted_or_declined"}
    for name in team.coders:
        for question in ("Q", "P"):
            team.answer(name, "01", question)
    assert team.do("round close") == ["round closed", "moved"]
    assert team.do("finish") == ["moved", "released"]
    assert team.step == "finished"
    assert team.project.release().status == "ground truth"


@pytest.mark.parametrize(
    ("number", "made", "to"),
    [
        (2, lambda: at_task(2), "setup"),
        (4, lambda: at_alignment(2, 2), "task"),
        (5, lambda: at_alignment(2, 2), "setup"),
        *((22, finished, to) for to in ("setup", "task", "alignment", "comparison")),
    ],
)
def test_back_with_a_reason(number: int, made: Callable[[], Team], to: str) -> None:
    team = made()
    assert team.refused("go", to=to) == {"reason"}
    assert team.refused("go", to=to, reason=" ") == {"reason"}
    assert number in team.arrows
    team.do("go", to=to, reason="a definition needs research")
    assert team.step == to


def test_3_wants_options_that_fit_the_task() -> None:
    team = at_task(2)
    asked = {"id": "P", "text": "Why?", "asked_if": {"question": "Q", "labels": ["yes"]}}
    team.do("task", task={"questions": [{"id": "Q", "text": "Is it?"}, asked]})
    team.do("guidelines", guidelines=rules(options={"Q": ["0", "1"], "P": ["0"]}))
    assert "guidelines_complete" in team.refused("go", to="alignment")  # “yes” is no option of Q


def test_who_changes_the_task_asks_everybody_to_read_it_again() -> None:
    team = at_alignment(2, 2)
    team.do("go", to="task", reason="the question is unclear")
    team.do("task", task=task(Q="What is it, really?"))
    assert team.refused("go", to="alignment") == {"all_acknowledged"}


def test_6_asks_two_coders_for_every_item_and_signatures_of_who_joins_late() -> None:
    team = at_alignment(4, 3)
    for coder, items in (("A1", ["i1", "i2", "i4"]), ("A2", ["i2", "i3", "i4"]), ("A3", ["i3"])):
        team.do("assign", coder=coder, items=items)
    assert team.refused("round open") == {"two_annotators"}
    team.do("person", name="A9")
    lacks = {"all_acknowledged", "all_signed_off", "training_recorded"}
    assert team.refused("round open", items=["i2"]) == lacks
    team.do("round open", items=["i2", "i3"], coders=["A1", "A2", "A3"])


def test_researchers_who_annotate_need_no_training() -> None:
    team = at_alignment(2, 2)
    team.do("person", name="dora", roles=["researcher", "coder"])
    team.do("sign-off", by="dora", concept="guidelines")
    team.do("sign-off", by="dora")
    team.do("round open")


# ------------------------------------------------------------------ steps 3 to 5, and back


def test_8_9_10() -> None:
    team = at_comparison(DISAGREE)
    assert team.arrows[8] >= {"no_conflict"}
    assert "reason" in team.refused("finish")
    team.do("finish", reason="only agreement was of interest")
    assert team.project.release().status == "comparison only"
    assert at_comparison(AGREE).refused("go", to="resolution") == {"conflicts"}
    varied = at_comparison(DISAGREE, purpose="elicit variation")
    assert varied.refused("go", to="resolution") == {"purpose_ground_truth"}
    assert at_comparison(DISAGREE).refused("go", by="A1", to="resolution") == {"role"}
    missing = at_comparison({"Q": {"A1": "01", "A2": ["0", None]}})
    assert missing.arrows[8] >= {"no_incomplete"}
    missing.do("go", to="resolution")
    assert missing.project.cases() == []
    team = at_comparison(DISAGREE)
    team.do("go", to="resolution")  # the same in other words
    assert [one.item for one in team.project.cases("A1")] == ["i2"]


def test_13() -> None:
    team = returned()
    assert team.refused("round open") == {"guideline_change", "open_order"}
    team.do("guidelines", guidelines=rules("R2"), change="drastic", reason="a gap")
    assert "guideline_change" in team.refused("go", to="resolution")
    assert team.refused("order waive", order=1, reason="no") == {"order_waivable"}
    assert team.refused("round open") == {"all_acknowledged", "settle"}
    team.all("sign-off", concept="guidelines", settles="all")
    team.do("round open")
    assert team.status().round.again


def test_14() -> None:
    team = returned()
    assert team.refused("go", to="resolution") == {"guideline_change"}
    new = {"guidelines": rules("R2"), "reason": "a gap", "change": "local"}
    assert team.refused("guidelines", **new) == {"scope_stated"}
    assert team.refused("guidelines", **new, questions=["Q"], items=["i2"]) == {"scope_stated"}
    team.do("guidelines", **new, questions=["Q"], items=["i2"], narrowed="i1 is in Latin")
    team.all("sign-off", concept="guidelines")
    assert team.refused("go", to="resolution") == {"order_waived"}
    team.do("go", to="alignment")
    team.do("order waive", order=1, reason="the rule says what everybody did")
    team.do("go", to="resolution")
    assert team.step == "resolution"


def test_14_by_a_round_and_what_changed_before_it_does_not_count() -> None:
    team = returned()
    new = {"guidelines": rules("R2"), "reason": "a gap", "questions": ["Q"]}
    team.do("guidelines", **new)
    team.aligned().do("round open")
    for name in team.coders:
        team.answer(name, "01")
    team.do("round close")
    assert [one.state for one in team.project.cases("A1")] == ["agreed"]
    assert team.do("finish") == ["moved", "released"]
    assert team.project.release().status == "ground truth"


def test_16_from_everywhere() -> None:
    for step in ("annotation", "comparison", "resolution", "halted", "finished"):
        team = BEGINS[step]()
        assert team.refused("task", task=task(Q="What about Q?"), reason="y") == {"task_changed"}
        assert team.refused("task", task=NEW) == {"reason"}
        assert team.refused("task", by="A1", task=NEW, reason="y") == {"role"}
        team.do("task", task=NEW, reason="it asked for the wrong thing")
        here = team.status()
        assert (here.step.name, here.epoch, here.n_items) == ("TASK", 2, 2)
        assert (here.guidelines, here.concepts, here.cases) == ("", {}, {})
        assert {one.state for one in team.project.cases(earlier=True)} <= {"closed", "agreed"}
    assert at_alignment(2, 2).refused("task", task=NEW, reason="y") == {"step"}


def test_a_new_epoch_is_walked_like_the_first() -> None:
    team = at_resolution(DISAGREE)
    team.do("task", task=NEW, reason="y")
    team.do("guidelines", guidelines=rules())
    team.all("sign-off", concept="guidelines")
    team.do("go", to="alignment")
    team.do("concept", concept=concept("what is asserted"))
    team.all("sign-off")
    team.do("round open")
    for name, labels in DISAGREE["Q"].items():
        team.answer(name, labels)
    team.do("round close")
    team.do("go", to="resolution")
    assert [one.number for one in team.project.cases("A1")] == [2]  # numbered through


def test_19_after_a_concept() -> None:
    assert at_resolution(DISAGREE).refused("round open") == {"open_order"}
    team = returned("b")
    assert team.step == "alignment"
    assert team.refused("go", to="resolution") == {"guideline_change"}
    team.do("concept", concept=concept("what a text argues for"), reason="too wide")
    assert team.refused("go", to="resolution") == {"order_waived"}
    assert team.refused("round open") == {"all_signed_off", "settle"}
    team.aligned().do("round open")
    assert team.step == "annotation"


def test_18_23_24() -> None:
    team = halted()
    assert team.refused("go", to="resolution") == {"finding_recorded"}
    assert team.refused("go", to="task", reason="r") == {"finding_recorded"}
    team.do("finding", text="the edition is right")
    team.do("go", to="resolution")
    assert team.step == "resolution"
    team = halted()
    team.do("finding", text="the edition is wrong")
    assert team.refused("go", to="task") == {"reason"}
    team.do("go", to="task", reason="the rule has to name the edition")
    assert team.step == "task"


@pytest.mark.parametrize("to", ["task", "alignment"])
def test_25_a_question_is_sent_back_before_cases_are_opened(to: str) -> None:
    team = at_comparison({**DISAGREE, "P": AGREE["Q"]})
    assert team.refused("go", to=to) == {"reason", "questions_named"}
    assert team.refused("go", by="A1", to=to, reason="r", questions=["Q"]) == {"role"}
    assert "X" in team.wrong("go", to=to, reason="r", questions=["X"])
    team.do("go", to=to, reason="R1 is read in two ways", questions=["Q"])
    if to == "task":
        options = {"Q": ["0", "1"], "P": ["0", "1"]}
        new = rules("R2", options=options)
        team.do("guidelines", guidelines=new, questions=["Q"], reason="a gap")
    else:
        team.do("concept", concept=concept("what a text argues for"), reason="y")
    team.aligned().do("round open")
    assert team.status().round.questions == ("Q",)
    for name in team.coders:
        team.answer(name, "01")
    team.do("round close")
    assert team.project.cases() == []
    assert team.project.release().status == "ground truth"


def test_ways_that_are_not_there() -> None:
    team = at_task(2)
    assert team.refused("go", to="finished") == {"no_such_arrow"}
    assert "already" in team.wrong("go", to="task")
    assert "dance" in team.wrong("go", to="dance")
    assert at_resolution(DISAGREE).refused("go", to="task") == {"own_command"}
    assert "sends it back" in returned().wrong("go", to="setup", reason="r", questions=["Q"])


def test_commands_by_name_are_checked_at_the_door() -> None:
    team = Team.new(2)
    assert "round opn" in team.wrong("round opn")
    assert "colour" in team.wrong("question", text="Why?", colour="red")
    assert "already" in team.wrong("question")
    assert "roles" in team.wrong("person", name="dora", roles=3)
    assert "task" in team.wrong("task", task={"questions": [{"id": "Q"}]})
    assert team.refused("person", by="nobody", name="x") == {"person"}
    with pytest.raises(ac.RequestError) as wrong:
        team.project.do("person", by="R", name=3)
    assert wrong.value.parameter == "name"
