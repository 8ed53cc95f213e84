"""Where a value comes from: what the proof says, for each cell."""

from __future__ import annotations

import pytest

from accordant.errors import RequestError
from accordant.resolution.chains import Kind
from accordant.resolution.exports import Provenance, final_answers
from accordant.resolution.proof import proofs
from accordant.resolution.provenance import provenance
from resolution.build import compared, open_blindly, ready_to_annotate, resolving, submit
from resolution.sessions import Walker

VALUES = {"Q": {"A1": "0101", "A2": "0111", "A3": "0111"}}


def test_an_agreed_answer_stands_on_its_rounds() -> None:
    here = compared(VALUES)
    found = provenance(here.state, "i1", "Q", "A1")
    assert (found.answer, found.how, found.proof) == ("0", Provenance.ANNOTATION, Kind.BLIND)
    assert found.lacks == ""
    opened, closed = here.state.epoch.rounds[0].seq, here.state.epoch.rounds[0].closed_seq
    assert len(found.steps) == 3
    assert all(one.events[0] == opened and one.events[-1] == closed for one in found.steps)


def test_what_has_no_proof_says_what_each_said_and_what_lacks() -> None:
    found = provenance(resolving(VALUES).state, "i3", "Q")
    assert (found.answer, found.how, found.proof) == ("", Provenance.UNSETTLED, Kind.NONE)
    assert found.answers == {"A1": "0", "A2": "1", "A3": "1"}
    assert found.lacks
    assert (len(found.steps), found.case) == (3, 1)


def test_nothing_is_told_while_a_round_is_open() -> None:
    here = open_blindly(ready_to_annotate(2, 2))
    submit(here, "A1", "Q", "01")
    found = provenance(here.state, "i1", "Q", "A1")
    assert found.withheld
    assert found.answer == ""
    assert found.steps == ()
    assert found.answers == {}


@pytest.mark.parametrize(("item", "question"), [("i9", "Q"), ("i1", "X")])
def test_a_cell_that_there_is_not(item: str, question: str) -> None:
    with pytest.raises(RequestError):
        provenance(compared(VALUES).state, item, question)


@pytest.mark.parametrize("seed", range(4))
def test_it_is_what_proofs_and_final_answers_say(seed: int) -> None:
    walk, seen = Walker(seed), 0
    for number in range(500):
        walk.step(walk.likely())
        state = walk.state
        if number % 20 or state.epoch.round is not None or not state.epoch.rounds:
            continue
        final, seen = final_answers(state), seen + 1
        for proof in proofs(state):
            found = provenance(state, proof.item, proof.question)
            assert (found.proof, bool(found.lacks)) == (proof.kind, proof.missing is not None)
            if proof.missing is None:
                assert found.steps == proof.chain
            if proof.question in final:
                place = state.items.positions[proof.item]
                answer = final[proof.question].answers[place]
                assert found.how is final[proof.question].provenance[place]
                assert found.answer == ("" if answer is None else str(answer))
    assert seen > 2
