"""Step 0 and who takes part: projects, people, research questions, items."""

from __future__ import annotations

import pytest

from accordant.errors import InputError, RequestError
from accordant.resolution.items import add_items, assign, freeze_items
from accordant.resolution.records import Items
from accordant.resolution.setup import (
    add_person,
    appoint_adjudicator,
    new_project,
    record_training,
    state_hypothesis,
    state_purpose,
    state_question,
)
from accordant.resolution.words import Purpose, Role, Step
from resolution.build import (
    Session,
    annotated,
    begun,
    compared,
    ready_to_annotate,
    refusal,
    resolving,
    set_up,
)

VALUES = {"Q": {"A1": "01", "A2": "00"}}


def test_who_begins_a_project_is_its_first_researcher() -> None:
    here = Session()
    here.do(new_project, "R", "Letters")
    assert here.state.title == "Letters"
    assert here.state.has_role("R", Role.RESEARCHER)
    assert len(here.state.project) == 32
    assert refusal(here, new_project, "R", "Again") == {"new"}


@pytest.mark.parametrize("title, by", [("", "R"), ("T", " "), ("T", "A\nB")])
def test_names_and_titles_are_one_line(title: str, by: str) -> None:
    with pytest.raises(RequestError):
        Session().do(new_project, by, title)


def test_only_researchers_add_people() -> None:
    here = begun()
    assert refusal(here, add_person, "A1", "B", [Role.CODER]) == {"role"}
    assert refusal(here, add_person, "nobody", "B", [Role.CODER]) == {"person"}
    here.do(add_person, "R", "B", ["coder", "researcher"], about="historian")
    assert here.state.people["B"].roles == (Role.RESEARCHER, Role.CODER)
    here.do(add_person, "R", "B", ["coder"])
    assert here.state.people["B"].about == "historian"


def test_roles_that_are_wrong() -> None:
    here = begun()
    with pytest.raises(RequestError, match="did you mean 'coder'"):
        here.do(add_person, "R", "B", ["codr"])
    with pytest.raises(RequestError, match="no role"):
        here.do(add_person, "R", "B", [])
    assert refusal(here, add_person, "R", "B", [Role.ADJUDICATOR]) == {"appointment"}
    assert refusal(here, add_person, "R", "R", [Role.CODER]) == {"last_researcher"}


def test_a_coder_of_the_open_round_stays_one() -> None:
    here = annotated(VALUES)
    assert refusal(here, add_person, "R", "A1", [Role.OBSERVER]) == {"round_open"}


def test_an_adjudicator_is_late_once_step_5_has_begun() -> None:
    here = compared(VALUES)
    here.do(appoint_adjudicator, "R", "O")
    assert (here.state.adjudicator, here.state.late_adjudicator) == ("O", False)
    assert here.state.has_role("O", Role.ADJUDICATOR, Role.OBSERVER)
    assert refusal(here, appoint_adjudicator, "R", "O") == {"appointment"}
    assert refusal(here, add_person, "R", "O", [Role.OBSERVER]) == {"appointment"}
    late = resolving(VALUES)
    late.do(appoint_adjudicator, "R", "O")
    late.do(appoint_adjudicator, "R", "M")
    assert (late.state.adjudicator, late.state.late_adjudicator) == ("M", True)
    assert not late.state.has_role("O", Role.ADJUDICATOR)
    with pytest.raises(RequestError, match="no person 'X'"):
        late.do(appoint_adjudicator, "R", "X")
    late.move(16, Step.TASK).do(appoint_adjudicator, "R", "O")
    assert not late.state.late_adjudicator  # step 5 of the new epoch has not begun


def test_training_is_of_coders() -> None:
    here = begun()
    here.do(record_training, "R", "an afternoon", coders=["A1"])
    assert [p.name for p in here.state.people.values() if p.training] == ["A1"]
    with pytest.raises(RequestError, match="no coder 'M'"):
        here.do(record_training, "R", "an afternoon", coders=["M"])
    assert refusal(begun(0), record_training, "R", "an afternoon") == {"coders"}


def test_questions_have_versions_with_reasons() -> None:
    here = begun()
    here.do(state_question, "R", "Who wrote them?")
    here.do(state_question, "R", "When?")
    assert refusal(here, state_question, "R", "Who wrote which?", id="1") == {"reason"}
    here.do(state_question, "R", "Who wrote which?", id="1", reason="there are several")
    assert [(v.id, v.text) for v in here.state.research_questions] == [
        ("1", "Who wrote them?"),
        ("2", "When?"),
        ("1", "Who wrote which?"),
    ]
    with pytest.raises(RequestError, match="already"):
        here.do(state_question, "R", "When?", id="2", reason="why not")
    here.do(state_hypothesis, "R", "One hand")
    assert here.state.hypotheses[0].id == "1"
    assert refusal(set_up(), state_question, "R", "More?") == {"step"}


def test_purpose() -> None:
    here = begun()
    here.do(state_purpose, "R", "elicit variation")
    assert here.state.purpose is Purpose.ELICIT_VARIATION
    with pytest.raises(RequestError, match="ground truth"):
        here.do(state_purpose, "R", "fun")


def test_items() -> None:
    here = set_up()
    assert refusal(here, freeze_items, "R") == {"items"}
    here.do(add_items, "R", Items(("a", "b"), batches=("1", "1")))
    here.do(add_items, "R", Items(("c",), ("text",), metadata={"year": ("1952",)}))
    table = here.state.items
    assert (table.ids, table.texts, table.batches) == (
        ["a", "b", "c"],
        ["", "", "text"],
        ["1", "1", ""],
    )
    assert table.metadata == {"year": ["", "", "1952"]}
    here.do(add_items, "R", Items(("d",)))
    assert table.metadata["year"] == ["", "", "1952", ""]
    here.do(freeze_items, "R")
    assert table.frozen == 4
    assert refusal(here, freeze_items, "R") == {"frozen"}
    here.do(add_items, "R", Items(("e",)))
    assert table.frozen == 4
    here.do(freeze_items, "R")
    assert table.frozen == 5


@pytest.mark.parametrize(
    "items, says",
    [
        (Items(()), "no items"),
        (Items(("a", "a", "b")), "come twice: a"),
        (Items(("i1",)), "1 item of 1 in the project already"),
        (Items(("a", "b"), ("one",)), "2 items, but 1 texts"),
        (Items(("a",), metadata={"year": ("1", "2")}), "1 item, but 2 year"),
        (Items((" a",)), "blanks"),
    ],
)
def test_items_that_are_wrong(items: Items, says: str) -> None:
    with pytest.raises(InputError, match=says):
        ready_to_annotate().do(add_items, "R", items)


def test_assigning() -> None:
    here = ready_to_annotate()
    here.do(assign, "R", "A1", ["i3", "i1", "i3"])
    assert here.state.assigned == {"A1": [0, 2]}
    with pytest.raises(RequestError, match="no item 'i9'"):
        here.do(assign, "R", "A1", ["i9"])
    with pytest.raises(RequestError, match="no coder 'R'"):
        here.do(assign, "R", "R", ["i1"])
    with pytest.raises(RequestError, match="one or more"):
        here.do(assign, "R", "A1", [])
    assert refusal(annotated(VALUES), assign, "R", "A1", ["i1"]) == {"step"}


# ------------------------------------------------------------------ names that can be told apart


@pytest.mark.parametrize("name", ["an\u200ba", "\ufeffana", "a\u202ena", "an\u200da", "a\u2028b"])
def test_characters_that_cannot_be_seen_are_refused(name: str) -> None:
    with pytest.raises(RequestError, match="cannot be seen"):
        begun(2).do(add_person, "R", name)


@pytest.mark.parametrize(
    "known, name",
    [
        ("ana", "\u0430na"),  # Cyrillic
        ("ana", "\uff41na"),  # full width
        ("Olga", "\u039flga"),  # Greek
        ("Zo\u00eb", "Zoe\u0308"),  # composed and decomposed
        ("a-b", "a\u2013b"),
    ],
)
def test_names_that_look_like_others_are_refused(known: str, name: str) -> None:
    for first, second in ((known, name), (name, known)):
        here = begun((first, "B"))
        with pytest.raises(RequestError, match="looks like"):
            here.do(add_person, "R", second)
        here.do(add_person, "R", first, ["observer"])  # the same name is the same person


@pytest.mark.parametrize("name", ["P1", "PI", "Анна", "می\u200cخواهم", "Zo\u00eb", "李 明"])
def test_names_that_can_be_told_apart_are_taken(name: str) -> None:
    here = begun(("Pl", "Al"))
    here.do(add_person, "R", name)
    assert name in here.state.people
