"""Step 4: the state of every cell, against a direct definition; transition 7's counts."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accordant.resolution.annotation import Annotated, Declined
from accordant.resolution.cells import (
    answers_at,
    asked_at,
    cell_state,
    compared_round,
    comparisons,
    missing_cells,
    states_of,
    unasked_cells,
)
from accordant.resolution.items import Assigned
from accordant.resolution.records import AMBIGUOUS, NOT_APPLICABLE, Answer, AskedIf, Question
from accordant.resolution.words import CellState
from resolution.build import Session, annotated, close, compared, open_blindly, ready_to_annotate

S = CellState
DEPENDENT = (Question("Q", "Is there one?"), Question("P", "Which?", asked_if=AskedIf("Q", ("1",))))


@pytest.mark.parametrize(
    "answers, state",
    [
        (("0", "0", "0"), S.AGREED),
        (("0", "0", "1"), S.CONFLICTING),
        (("0", None, "0"), S.INCOMPLETE),
        (("0", None, "1"), S.CONFLICTING),  # whatever the third would say
        ((None, None, None), S.INCOMPLETE),
        ((AMBIGUOUS, AMBIGUOUS, AMBIGUOUS), S.AGREED),
        ((AMBIGUOUS, "0", "0"), S.CONFLICTING),
        ((NOT_APPLICABLE, NOT_APPLICABLE, NOT_APPLICABLE), S.NOT_APPLICABLE),
        ((NOT_APPLICABLE, "0", "0"), S.CONFLICTING),
        ((NOT_APPLICABLE, None, NOT_APPLICABLE), S.INCOMPLETE),
    ],
)
def test_one_cell(answers: tuple[Any, ...], state: CellState) -> None:
    here = compared({"Q": {f"A{k}": [answer] for k, answer in enumerate(answers)}})
    assert states_of(here.state.epoch, "Q") == [state]
    assert cell_state(here.state.epoch, 0, "Q") is state
    assert here.state.epoch.rounds[0].comparison == {"Q": {state.value: 1}}


@pytest.mark.parametrize(
    "parents, children, state",
    [
        ("111", "000", S.AGREED),
        ("111", "001", S.CONFLICTING),
        ("110", ["0", "0", ""], S.ONE_NOT_APPLICABLE),
        ("110", ["0", "1", ""], S.CONFLICTING),
        ("100", ["0", "", ""], S.ONE_NOT_APPLICABLE),
        ("000", ["", "", ""], S.NOT_APPLICABLE),
        ("110", ["0", None, ""], S.INCOMPLETE),
    ],
)
def test_one_cell_of_a_dependent_question(parents: str, children: Any, state: CellState) -> None:
    values = {
        "Q": {f"A{k}": [answer] for k, answer in enumerate(parents)},
        "P": {f"A{k}": [answer] for k, answer in enumerate(children)},
    }
    here = compared(values, questions=DEPENDENT)
    assert states_of(here.state.epoch, "P") == [state]
    assert cell_state(here.state.epoch, 0, "P") is state
    asked = tuple(f"A{k}" for k, answer in enumerate(parents) if answer == "1")
    assert asked_at(here.state.epoch, 0, "P") == asked


def test_answers_of_a_cell() -> None:
    here = compared({"Q": {"A1": "01", "A2": ["0", None]}})
    assert answers_at(here.state.epoch, 0, "Q") == {"A1": Answer(("0",)), "A2": Answer(("0",))}
    assert answers_at(here.state.epoch, 1, "Q") == {"A1": Answer(("1",))}
    assert asked_at(here.state.epoch, 1, "Q") == ("A1", "A2")
    assert missing_cells(here.state.epoch) == {"Q": [1]}


def test_cells_that_no_round_asked_about() -> None:
    here = ready_to_annotate(4, 2, ("Q", "P"))
    open_blindly(here, questions=["Q"], items=["i1", "i2"])
    assert unasked_cells(here.state) == {"Q": [0, 1, 2, 3], "P": [0, 1, 2, 3]}
    annotated({"Q": {}}, here)
    for coder in ("A1", "A2"):
        here.tell(Annotated(1, coder, "Q", ("i1", "i2"), (Answer(("0",)),), (0, 0)))
    close(here)
    assert unasked_cells(here.state) == {"Q": [2, 3], "P": [0, 1, 2, 3]}
    assert here.state.epoch.rounds[0].comparison == {"Q": {"agreed": 2}}
    assert states_of(here.state.epoch, "Q")[2:] == [S.OUT_OF_SCOPE] * 2


# ---------------------------------------------------------------- against a direct definition

N_ITEMS, CODERS = 4, ("A1", "A2", "A3", "A4")
value = st.sampled_from(["0", "1", None, AMBIGUOUS, NOT_APPLICABLE])
table = st.fixed_dictionaries(
    {coder: st.lists(value, min_size=N_ITEMS, max_size=N_ITEMS) for coder in CODERS}
)
who = st.fixed_dictionaries(
    {coder: st.none() | st.sets(st.integers(0, N_ITEMS - 1)) for coder in CODERS}
)


def directly(parent: Any, child: Any, assigned: Any, question: str, item: int) -> CellState:
    """The state of a cell from the definitions, one coder at a time."""
    taking = [c for c in CODERS if assigned[c] is None or item in assigned[c]]
    if not taking:
        return S.OUT_OF_SCOPE
    asked = [c for c in taking if question == "Q" or parent[c][item] == "1"]
    sheet = parent if question == "Q" else child
    given = [sheet[c][item] for c in asked if sheet[c][item] is not None]
    if any(one != other for one in given for other in given):
        return S.CONFLICTING
    if len(given) < len(asked) or len(taking) == 1:
        return S.INCOMPLETE
    if all(one == NOT_APPLICABLE for one in given):
        return S.NOT_APPLICABLE
    return S.AGREED if len(asked) == len(taking) else S.ONE_NOT_APPLICABLE


@given(parent=table, child=table, assigned=who)
def test_states_are_as_defined(parent: Any, child: Any, assigned: Any) -> None:
    here = ready_to_annotate(N_ITEMS, CODERS, DEPENDENT)
    ids = here.state.items.ids
    for coder, items in assigned.items():
        if items is not None:
            here.tell(Assigned(coder, tuple(ids[i] for i in items)))
    open_blindly(here)
    for question, sheet in (("Q", parent), ("P", child)):
        for coder in CODERS:
            for item in range(N_ITEMS):
                mine = assigned[coder] is None or item in assigned[coder]
                if not mine or (question == "P" and parent[coder][item] != "1"):
                    continue
                _one(here, coder, question, ids[item], sheet[coder][item])
    expected = {
        q: [directly(parent, child, assigned, q, item) for item in range(N_ITEMS)] for q in "QP"
    }
    before = compared_round(here.state, here.state.epoch.round)
    close(here)
    epoch = here.state.epoch
    for question, states in expected.items():
        found = states_of(epoch, question)
        assert found + [S.OUT_OF_SCOPE] * (N_ITEMS - len(found)) == states
        assert [cell_state(epoch, item, question) for item in range(N_ITEMS)] == states
        now = comparisons(epoch)[question]
        assert Counter(now.counts) == Counter(before[question].counts)
        assert now.counts == dict(
            Counter(state.value for state in sorted(states, key=list(S).index))
        )
        assert now.conflicting == [i for i, state in enumerate(states) if state is S.CONFLICTING]
        assert now.incomplete == [i for i, state in enumerate(states) if state is S.INCOMPLETE]
        assert sum(now.counts.values()) == N_ITEMS


def _one(here: Session, coder: str, question: str, item: str, answer: Any) -> None:
    if answer is None:
        here.tell(Declined(1, coder, question, (item,), "x"), by=coder)
        return
    record = answer if isinstance(answer, Answer) else Answer((answer,))
    here.tell(Annotated(1, coder, question, (item,), (record,), (0,)), by=coder)


def test_a_comparison_does_not_change_what_it_compares() -> None:
    here = annotated({"Q": {"A1": "0101", "A2": "0111"}})
    first = compared_round(here.state, here.state.epoch.round)
    assert first == compared_round(here.state, here.state.epoch.round)
    assert here.state.epoch.current == {}


def test_what_was_derived_is_dropped_with_the_next_event() -> None:
    here = compared({"Q": {"A1": "01", "A2": "00"}})
    assert comparisons(here.state.epoch)["Q"].conflicting == [1]
    assert comparisons(here.state.epoch) is comparisons(here.state.epoch)
    open_blindly(here)
    annotated({"Q": {"A1": "00", "A2": "10"}}, here)
    close(here)
    assert comparisons(here.state.epoch)["Q"].conflicting == [0]
