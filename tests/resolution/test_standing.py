"""What anybody may know about where a project stands."""

from __future__ import annotations

from accordant.resolution.case_asks import What
from accordant.resolution.standing import standing
from accordant.resolution.words import Purpose, ReleaseStatus, Step
from resolution.build import (
    annotated,
    begun,
    compared,
    open_blindly,
    ready_to_annotate,
    resolving,
    set_up,
    submit,
    with_toolbox,
)

DISAGREE = {"Q": {"A1": "01", "A2": "00"}}


def test_at_the_beginning() -> None:
    here = standing(begun().state)
    assert (here.step, here.status) == (Step.SETUP, ReleaseStatus.UNRELEASED)
    assert [(arrow.number, arrow.allowed) for arrow in here.arrows] == [(1, False)]
    assert [one.guard for one in here.arrows[0].unmet] == ["research_question", "purpose"]
    assert [step.state for step in here.steps] == ["here", *["to come"] * 5]


def test_who_is_awaited_for_what() -> None:
    here = standing(with_toolbox(set_up(2)).move(3, Step.ALIGNMENT).state)
    assert set(here.awaited) == {"R", "A1", "A2"}
    assert [(one.what, one.about) for one in here.awaited["A1"]] == [
        (What.ACKNOWLEDGE, ("guidelines 1.0.0",)),
        (What.SIGN, ("claim",)),
    ]
    assert {one.what for one in here.awaited["R"]} == {What.PREPARE}
    assert any("training" in one.about[0] for one in here.awaited["R"])


def test_an_open_round_shows_counts_and_nothing_else() -> None:
    made = open_blindly(ready_to_annotate(3, 2))
    submit(made, "A1", "Q", "010")
    submit(made, "A2", "Q", ["1", None], ["i1", "i2"])
    here = standing(made.state)
    assert [(c.coder, c.submitted, c.declined, c.expected) for c in here.round.coders] == [
        ("A1", 3, 0, 3),
        ("A2", 1, 1, 3),
    ]
    assert set(here.awaited) == {"A2"}
    (close, _) = here.arrows
    assert (close.number, close.allowed) == (7, False)


def test_another_coders_answers_change_nothing_while_a_round_is_open() -> None:
    one = annotated({"Q": {"A1": "01", "A2": "01"}})
    other = annotated({"Q": {"A1": "01", "A2": "10"}})
    for person in ("A1", "R", "O", None):
        assert standing(one.state, person) == standing(other.state, person)
    assert standing(one.state).status is ReleaseStatus.UNRELEASED


def test_nor_while_a_round_of_reannotation_is_open() -> None:
    for person in ("A1", "R", None):
        one, other = (open_blindly(resolving(DISAGREE), transition=19) for _ in range(2))
        submit(one, "A2", "Q", "00")
        submit(other, "A2", "Q", "10")
        assert standing(one.state, person) == standing(other.state, person)
        assert standing(one.state).steps[4].says == ""


def test_commands_of_a_person() -> None:
    made = open_blindly(ready_to_annotate())
    assert {"annotate", "decline"} <= set(standing(made.state, "A1").commands)
    assert "annotate" not in standing(made.state, "R").commands
    assert "round close" in standing(made.state, "R").commands
    assert not {"annotate", "round close"} & set(standing(made.state, "O").commands)
    assert set(standing(made.state).commands) >= {"annotate", "round close"}


def test_commands_are_in_the_order_of_the_procedure() -> None:
    found = standing(resolving(DISAGREE).state, "A1").commands
    wanted = [
        "case reason",
        "cause propose",
        "cause accept",
        "case rescore",
        "outcome propose",
        "outcome accept",
        "case postpone",
        "case reopen",
        "case group",
    ]
    assert [name for name in found if name in wanted] == wanted


def test_step_5() -> None:
    here = standing(resolving(DISAGREE).state)
    assert here.cases == {"open": 1}
    assert {
        name: [(one.what, one.cases, one.others) for one in each]
        for name, each in here.awaited.items()
    } == {"A1": [(What.REASON, (1,), ("A2",))], "A2": [(What.REASON, (1,), ("A1",))]}
    assert here.steps[4].says == "round 1: 1 agreed, 1 conflicting and 0 incomplete"
    assert here.steps[5].state == "here"
    assert here.because


def test_variation_is_not_resolved() -> None:
    here = standing(compared(DISAGREE, purpose=Purpose.ELICIT_VARIATION).state)
    assert here.steps[5].state == "not for this purpose"
    assert next(arrow for arrow in here.arrows if arrow.number == 10).allowed is False


def test_a_new_epoch_begins_at_step_1() -> None:
    made = resolving(DISAGREE).move(16, Step.TASK)
    here = standing(made.state)
    assert here.epoch == 2
    assert [step.state for step in here.steps][:3] == ["done", "here", "to come"]
    assert here.cases == {}


def test_who_asks_is_who_would_act() -> None:
    state = resolving(DISAGREE).state

    def lacks(person: str | None) -> set[str]:
        (finish,) = [a for a in standing(state, person).arrows if a.number == 21]
        return {one.guard for one in finish.unmet}

    assert "researcher_signs" not in lacks("R")
    assert "researcher_signs" not in lacks(None)  # some researcher can
    assert "researcher_signs" in lacks("A1")
