"""Steps 0 to 2: people, research question, task, guidelines, concepts, items, and who agrees."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

import pytest

from resolution.team import (
    Team,
    at_alignment,
    at_comparison,
    at_resolution,
    at_task,
    concept,
    rules,
    task,
)

VALUES = {"Q": {"A1": "01", "A2": "00"}, "P": {"A1": "00", "A2": "00"}}
OPTIONS = {"Q": ["0", "1"], "P": ["0", "1"]}
Q = {"id": "Q", "text": "Is it?"}


def at_step_1(values: Any = VALUES) -> Team:
    """Back at step 1 after a round, since agreement on Q is low."""
    team = at_comparison(values)
    team.do("go", to="task", reason="R1 is read in two ways", questions=["Q"])
    return team


def owed(team: Team) -> list[str]:
    return list(team.status().orders)


# ------------------------------------------------------------------ step 0


def test_people_and_roles() -> None:
    team = Team.new(2)
    assert team.refused("person", by="A1", name="dora") == {"role"}
    assert "cook" in team.wrong("person", name="dora", roles=["cook"])
    assert "capital" in team.wrong("person", name="a1")
    assert team.refused("person", name="R", roles=["coder"]) == {"last_researcher"}
    team.do("person", name="A1", roles=["coder", "moderator"], about="a linguist")
    assert team.status().people["A1"] == ("coder", "moderator")
    team.do("person", name="A1", training="an afternoon")
    assert team.status().people["A1"] == ("coder", "moderator")
    round_ = at_alignment(2, 2)
    round_.do("round open")
    assert round_.refused("person", name="A1", roles=["observer"]) == {"round_open"}


def test_an_adjudicator_is_late_once_step_5_has_begun() -> None:
    team = at_alignment(2, 2)
    team.do("person", name="R", roles=["researcher", "adjudicator"])
    assert team.refused("person", name="R", roles=["researcher"]) == {"appointment"}
    late = at_resolution(VALUES)
    late.do("person", name="R", roles=["researcher", "adjudicator"])
    assert any("adjudicator" in flag for flag in late.project.release().flags)
    assert not any("adjudicator" in flag for flag in team.project.release().flags)


@pytest.mark.parametrize("name", ["", " ", "a\nb", "an\u200ba", "\ufeffana", "a\u202ena"])
def test_names_that_cannot_be_seen(name: str) -> None:
    Team.new(2).wrong("person", name=name)


@pytest.mark.parametrize(
    ("known", "name"),
    [("ana", "\u0430na"), ("ana", "\uff41na"), ("Zo\u00eb", "Zoe\u0308"), ("a-b", "a\u2013b")],
)
def test_names_that_look_like_others(known: str, name: str) -> None:
    assert "looks like" in Team.new([known, "B"]).wrong("person", name=name)


@pytest.mark.parametrize("name", ["P1", "Анна", "می\u200cخواهم", "李 明"])
def test_names_that_can_be_told_apart(name: str) -> None:
    team = Team.new(["Pl", "Al"])
    team.do("person", name=name)
    assert name in team.status().people


def test_question_and_purpose() -> None:
    team = Team.new(2)
    team.do("question", text="Who wrote them?", hypotheses="clerks")
    assert "already" in team.wrong("question", text="Who wrote them?")
    team.do("question", text="Who wrote the letters?")
    assert team.refused("question", by="A1", text="x") == {"role"}
    assert "already" in team.wrong("question", text=" ")
    assert "fun" in team.wrong("question", purpose="fun")
    assert "Who wrote the letters?" in team.status().steps[0].says


# ------------------------------------------------------------------ the task


def test_the_task_is_edited_until_its_first_round() -> None:
    team = at_task(2)
    team.do("task", by="A1", task=task(Q="Is it?"))
    assert "already" in team.wrong("task", task=task(Q="Is it?"))
    before = team.status().toolbox
    team.do("task", task=task(Q="Is it, really?"), reason="unclear")
    assert team.status().toolbox != before
    assert at_step_1().refused("task", task=task(Q="x")) == {"reason"}


def asked(question: str, labels: list[str], id: str = "P") -> dict[str, Any]:
    return {"id": id, "text": "Why?", "asked_if": {"question": question, "labels": labels}}


@pytest.mark.parametrize(
    ("questions", "says"),
    [
        ([], "no question"),
        ([Q, Q], "twice"),
        ([{"id": "Q", "text": " "}], "empty"),
        ([{"id": " Q", "text": "a"}], "blanks"),
        ([asked("Z", ["1"])], "'Z'"),
        ([asked("P", ["1"])], "itself"),
        ([asked("Q", ["1"]), asked("P", ["1"], "Q")], "itself"),
        ([Q, asked("Q", [])], "no label"),
    ],
)
def test_tasks_that_are_wrong(questions: list[Any], says: str) -> None:
    assert says in at_task(2).wrong("task", task={"questions": questions})


# ------------------------------------------------------------------ guidelines


def test_versions_are_counted_by_the_class_of_change() -> None:
    team = at_task(2)
    assert team.refused("guidelines", guidelines=rules()) == {"task_hash"}
    team.do("task", task=task(Q="Is it?"))
    for new, version in (
        (rules(), "1.0.0"),
        (rules("R2"), "1.1.0"),
        (rules("R2", options={"Q": ["0", "1", "2"]}), "2.0.0"),
    ):
        team.do("guidelines", by="A1", guidelines=new)
        assert team.status().guidelines == version
        assert "already" in team.wrong("guidelines", guidelines=new)


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"options": {"Z": ["0"]}}, "'Z'"),
        ({"options": {"Q": ["0", "0"]}}, "twice"),
        ({"options": {"Q": ["0 "]}}, "blanks"),
        ({"options": {"Q": [""]}}, "empty"),
        ({"rules": [{"id": "R", "text": "a"}, {"id": "R", "text": "b"}]}, "twice"),
        ({"rules": [{"id": "R", "text": "a", "questions": ["Z"]}]}, "'Z'"),
        ({"rules": [{"id": "R", "text": ""}]}, "empty"),
        ({"ambiguity": {"allowed": True, "sources": []}}, "no source"),
    ],
)
def test_guidelines_that_are_wrong(more: dict[str, Any], says: str) -> None:
    team = at_task(2)
    team.do("task", task=task(Q="Is it?"))
    assert says in team.wrong("guidelines", guidelines=rules(**more))


def test_a_drastic_change_asks_for_everything_again() -> None:
    team = at_step_1()
    new = {"guidelines": rules("R2", options=OPTIONS), "change": "drastic"}
    assert team.refused("guidelines", **new) == {"reason"}
    assert team.refused("guidelines", by="A1", **new, reason="y") == {"role"}
    assert "everything" in team.wrong("guidelines", **new, reason="y", questions=["Q"])
    team.do("guidelines", **new, reason="a gap")
    assert team.status().guidelines == "2.0.0"
    assert owed(team) == ["1: guidelines 2.0.0 (drastic change)"]
    assert team.refused("round open") == {"all_acknowledged", "settle"}
    team.aligned().do("round open")
    assert team.status().round.questions == ("Q", "P")


def test_a_local_change_asks_for_its_scope() -> None:
    team = at_step_1()
    new = {"guidelines": rules("R2", options=OPTIONS), "reason": "y"}
    assert team.refused("guidelines", **new) == {"scope_stated"}
    assert team.refused("guidelines", **new, questions=["P"]) == {"scope_stated"}
    assert team.refused("guidelines", **new, questions=["Q"], items=["i1"]) == {"scope_stated"}
    team.do("guidelines", **new, questions=["Q"], items=["i1"], narrowed="only i1 is ironic")
    team.all("sign-off", concept="guidelines")
    team.do("round open")
    assert (team.status().round.questions, team.status().round.n_items) == (("Q",), 1)


def test_other_labels_are_drastic_unless_it_is_said_why_not() -> None:
    team = at_step_1()
    new = {"guidelines": rules(options={**OPTIONS, "Q": ["0", "1", "2"]}), "reason": "y"}
    narrow = {"change": "local", "questions": ["Q"]}
    assert team.refused("guidelines", **new, **narrow) == {"scope_stated"}
    team.do("guidelines", **new)
    assert team.status().guidelines == "2.0.0"


def test_orders_are_waived_once_with_a_reason() -> None:
    team = at_step_1()
    new = {"guidelines": rules("R2", options=OPTIONS), "reason": "y", "questions": ["Q"]}
    team.do("guidelines", **new)
    assert team.refused("order waive", order=1, reason=" ") == {"reason"}
    assert "7" in team.wrong("order waive", order=7, reason="r")
    team.do("order waive", order=1, reason="the rule says what everybody did")
    assert owed(team) == []
    assert team.refused("order waive", order=1, reason="again") == {"order_open"}
    assert any("waived" in flag for flag in team.project.release().flags)


def test_acknowledging() -> None:
    team = at_task(2)
    assert team.refused("sign-off", by="A1", concept="guidelines") == {
        "task_hash",
        "guidelines_complete",
    }
    team.do("task", task=task(Q="Is it?"))
    team.do("guidelines", guidelines=rules())
    team.do("sign-off", by="A1", concept="guidelines")
    assert team.refused("sign-off", by="A1", concept="guidelines") == {"signed"}
    assert team.refused("sign-off", by="R", concept="guidelines") == {"role"}
    team.do("guidelines", guidelines=rules("R2"))
    team.do("sign-off", by="A1", concept="guidelines")


# ------------------------------------------------------------------ concepts


def test_signing_all_or_one() -> None:
    team = at_alignment(2, 2)
    team.do("concept", concept=concept("how much is claimed", "scope"))
    assert team.do("sign-off", by="A1") == ["signed off"]
    assert team.refused("sign-off", by="A1") == {"signed"}
    assert team.refused("sign-off", by="A1", concept="scope") == {"signed"}
    assert "irony" in team.wrong("sign-off", by="A1", concept="irony")
    team.do("concept", concept=concept("what a text says", "claim"))  # voids every signature
    assert team.do("sign-off", by="A2") == ["signed off"] * 2
    assert team.refused("round open") == {"all_signed_off"}


def test_objections() -> None:
    team = at_alignment(2, 2)
    team.do("object", by="A1", text="too wide", concept="claim")
    assert team.refused("round open") == {"no_objection", "all_signed_off"}
    assert team.refused("sign-off", by="A1") == {"signed"}
    team.do("sign-off", by="A1", concept="claim")  # all the same
    team.do("object", by="A2", text="R1 is unclear")
    assert team.refused("round open") == {"no_objection"}
    team.do("sign-off", by="A2", concept="guidelines")
    team.do("object", by="A2", text="R1 is still unclear")
    team.do("go", to="task", reason="R1 is unclear")
    team.do("guidelines", guidelines=rules("R2"))  # which ends the objection
    team.all("sign-off", concept="guidelines")
    team.do("go", to="alignment")
    team.do("round open")


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"name": " claim"}, "blanks"),
        ({"questions": ["Z"]}, "'Z'"),
        ({"rules": ["R9"]}, "'R9'"),
        ({"relations": [{"source": "a", "relation": "is", "target": "b"}]}, "'a'"),
    ],
)
def test_concepts_that_are_wrong(more: dict[str, Any], says: str) -> None:
    assert says in at_alignment(2, 2).wrong("concept", concept={**concept("x"), **more})


def test_a_concept_after_a_round_asks_for_its_questions_again() -> None:
    team = at_comparison(VALUES)
    team.do("go", to="alignment", reason="r", questions=["Q"])
    new = {"concept": concept("what a text argues")}
    assert team.refused("concept", **new) == {"reason"}
    assert team.refused("concept", **new, reason="y", items=["i1"]) == {"scope_stated"}
    narrow = {"items": ["i1"], "narrowed": "i2 has no claim"}
    assert team.refused("concept", by="A1", **new, reason="y", **narrow) == {"role"}
    team.do("concept", by="A1", **new, reason="y")
    assert "already" in team.wrong("concept", concept=concept("What a text argues."), reason="y")
    assert owed(team) == ["1: concept claim, version 2"]
    team.aligned().do("round open")
    assert team.status().round.questions == ("Q",)


# ------------------------------------------------------------------ items, and who annotates which


def test_items() -> None:
    team = at_alignment(2, 2)
    assert team.refused("items freeze") == {"frozen"}
    for wrong in (
        {"ids": []},
        {"ids": ["a", "a"]},
        {"ids": ["i1"]},
        {"ids": [" a"]},
        {"ids": ["a", "b"], "texts": ["one"]},
        {"ids": ["a"], "metadata": {"year": ["1", "2"]}},
    ):
        team.wrong("items add", items=wrong)
    team.do("items add", items={"ids": ["late"], "texts": ["Dear all"]})
    assert (team.status().n_items, team.status().n_frozen) == (3, 2)
    assert "late" in team.wrong("round open", items=["late"])
    team.do("round open")
    assert team.refused("annotate", by="A1", answers={"Q": {"late": "0"}}) == {"assigned"}
    assert team.refused("items freeze") == {"step"}


def test_assigning() -> None:
    team = at_alignment(4, 3)
    assert "i9" in team.wrong("assign", coder="A1", items=["i9"])
    assert "R" in team.wrong("assign", coder="R", items=["i1"])
    team.wrong("assign", coder="A1", items=[])
    team.wrong("assign", coder="A1", items=["i1"], overlap=2)
    team.do("assign", coder="A1", items=["i3", "i1", "i3"])
    team.do("round open")
    assert [one.id for one in team.project.work("A1").items] == ["i1", "i3"]
    assert team.refused("assign", coder="A1", items=["i1"]) == {"step"}


@pytest.mark.parametrize(("n", "c", "k"), [(100, 5, 2), (61, 4, 3), (40, 7, 1)])
def test_items_are_dealt_evenly(n: int, c: int, k: int) -> None:
    team = at_alignment(n, c)
    assert str(c) in team.wrong("assign", overlap=c + 1)
    team.do("assign", overlap=k)
    team.do("items add", items={"ids": ["later"]})
    if k > 1:
        team.do("round open")
        has = {name: {one.id for one in team.project.work(name).items} for name in team.coders}
    else:
        told = [one.body for one in team.project.log("R") if one.kind == "assigned"]
        has = {body["coder"]: {*body["items"]} for body in told}
    loads = [len(items) for items in has.values()]
    assert max(loads) - min(loads) <= 1
    assert set(Counter(i for items in has.values() for i in items).values()) == {k}
    shared = [len(has[a] & has[b]) for a, b in combinations(has, 2)]
    assert max(shared) - min(shared) <= 4
