"""One coder declines: those who annotated the item settle it, and the release says so."""

from __future__ import annotations

import pytest

from accordant.resolution.annotation import annotate, decline
from accordant.resolution.command import Refused
from accordant.resolution.completion import finish
from accordant.resolution.disagreement import agreed_by_others
from accordant.resolution.exports import Provenance, final_answers
from accordant.resolution.release import status_now
from accordant.resolution.rounds import close_round
from accordant.resolution.step_change import begin_resolution
from accordant.resolution.words import CellState, ReleaseStatus, Step
from resolution.build import Session, open_blindly, ready_to_annotate


def declined_by_one(second: str) -> Session:
    """Three coders, two items; A3 declines the first."""
    here = open_blindly(ready_to_annotate(2, 3))
    for coder, labels in (("A1", "00"), ("A2", second)):
        here.do(annotate, coder, question="Q", answers=dict(zip(("i1", "i2"), labels, strict=True)))
    here.do(annotate, "A3", question="Q", answers={"i2": "0"})
    here.do(decline, "A3", question="Q", items=["i1"], reason="knows the author")
    here.do(close_round, "R")
    return here


def test_the_others_agree() -> None:
    here = declined_by_one("00")
    assert agreed_by_others(here.state.epoch) == {"Q": [0]}
    with pytest.raises(Refused, match="no reason is given"):
        here.do(finish, "R")  # as a comparison only: nobody has talked about it
    here.do(begin_resolution, "R")
    now = status_now(here.state)
    assert now.status is ReleaseStatus.GROUND_TRUTH
    assert any("1 declined by a coder, and all others agree" in flag for flag in now.flags)
    final = final_answers(here.state)["Q"]
    assert final.provenance == [Provenance.DECLINED, Provenance.ANNOTATION]
    assert str(final.answers[0]) == "0"
    here.do(finish, "R")
    assert here.state.step is Step.FINISHED
    assert here.state.releases[-1].status is ReleaseStatus.GROUND_TRUTH


def test_the_others_do_not_agree() -> None:
    here = declined_by_one("10")
    assert not agreed_by_others(here.state.epoch)
    here.do(begin_resolution, "R")
    assert status_now(here.state).status is not ReleaseStatus.GROUND_TRUTH
    assert here.state.epoch.cases[1].item == 0


def test_one_answer_is_no_agreement() -> None:
    here = open_blindly(ready_to_annotate(1, 2))
    here.do(annotate, "A1", question="Q", answers={"i1": "0"})
    here.do(decline, "A2", question="Q", items=["i1"], reason="knows the author")
    here.do(close_round, "R")
    assert not agreed_by_others(here.state.epoch)
    here.do(begin_resolution, "R")
    assert status_now(here.state).status is not ReleaseStatus.GROUND_TRUTH
    assert CellState.INCOMPLETE.value in here.state.epoch.rounds[0].comparison["Q"]
