"""A preview says what an act brings about, and changes nothing."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from accordant.errors import AccordantError
from accordant.resolution import steps
from accordant.resolution.cells import states_of
from accordant.resolution.command import COMMANDS, Refused
from accordant.resolution.loan import lent
from accordant.resolution.preview import NEVER, Preview, preview, preview_of_cause
from accordant.resolution.procedure import carried_out, decided
from accordant.resolution.records import Question
from accordant.resolution.release import status_now, status_of
from accordant.resolution.staleness import stale_counts, stale_items
from accordant.resolution.state import Epoch, State
from accordant.resolution.words import CellState, ReleaseStatus
from resolution.build import compared, open_blindly, ready_to_annotate, resolving, submit
from resolution.sessions import MAKERS, Walker


def stale(epoch: Epoch, question: str) -> set[int]:
    """Items with a stale annotation."""
    columns = epoch.current.get(question, {})
    return {item for coder in columns for item in stale_items(epoch, question, coder)}


def by_copy(
    state: State, by: str, run: Callable[..., Any], /, **given: object
) -> tuple[State, Preview]:
    """The same by a deep copy, everything counted anew."""
    after = copy.deepcopy(state)
    events = carried_out(after, by, NEVER, decided(after, by, run, **given))
    again, agreed = {}, {}
    was, becomes = stale_counts(state.epoch), stale_counts(after.epoch)
    for question in becomes if len(state.epochs) == len(after.epochs) else ():
        if (n := becomes[question] - was.get(question, 0)) > 0:
            again[question] = n
        cells = states_of(state.epoch, question)
        new = stale(after.epoch, question) - stale(state.epoch, question)
        if k := sum(cells[item] is CellState.AGREED for item in new):
            agreed[question] = k
    old = {n: case.state.value for epoch in state.epochs for n, case in epoch.cases.items()}
    moved = {
        n: (old.get(n, ""), case.state.value)
        for epoch in after.epochs
        for n, case in epoch.cases.items()
        if old.get(n) != case.state.value
    }
    release = (status_now(state).status, status_now(after).status)
    return after, Preview(tuple(events), again, agreed, moved, (), release)


def outcome(run: Callable[[], Any]) -> Any:
    """What a call gives, or how it is refused."""
    try:
        return run()
    except AccordantError as refusal:
        return str(refusal)


@pytest.mark.parametrize("seed", range(6))
def test_random_sessions_against_a_deep_copy(seed: int) -> None:
    walk, seen = Walker(seed), 0
    for _ in range(700):
        name = walk.likely()
        made = MAKERS[name](walk)
        if made is not None:
            seen += compare(walk.state, made[0], COMMANDS[name].run, made[1])
        walk.step(name)
        assert status_of(walk.state) == status_now(walk.state).status
    assert seen > 50


def compare(state: State, by: str, run: Callable[..., Any], given: dict[str, Any]) -> bool:
    """Whether an act could be previewed whole; it must be the same, and nothing must change."""
    before = msgspec.msgpack.encode(state)
    expected = outcome(lambda: by_copy(state, by, run, **given))
    told = outcome(lambda: preview(state, run, by, **given))
    assert msgspec.msgpack.encode(state) == before
    if isinstance(expected, str):
        assert told == expected
        return False
    if state.epoch.round is not None:
        assert told.withheld
        assert not told.cases
        return False
    after, rest = expected
    assert replace(told, to_read=(), rewording="") == rest
    trial = lent(state)
    carried_out(trial, by, NEVER, decided(state, by, run, **given))
    assert trial == after
    return True


def test_options_stand_in_the_order_of_the_task_however_they_were_kept() -> None:
    questions = Question("Q", "Is it?"), Question("B", "How?")
    options = {"B": ("x", "y"), "Q": ("0", "1")}  # as in the log, where keys are sorted
    here = ready_to_annotate(2, 2, questions, options)
    kept = msgspec.msgpack.decode(msgspec.msgpack.encode(here.state), type=State)
    for state in (here.state, kept):
        assert [*state.epoch.guidelines[-1].options] == ["Q", "B"]


def test_what_a_cause_asks_for() -> None:
    here = resolving({"Q": {"A1": "0101", "A2": "0111", "A3": "0111"}})
    found = preview_of_cause(here.state, 1, "a2")
    assert (found.again, found.agreed) == ({"Q": 12}, {"Q": 3})
    assert found.to_read == ("A1", "A2", "A3")
    assert preview_of_cause(here.state, 1, "b").again == {"Q": 12}
    assert preview_of_cause(here.state, 1, "a1-concept", concept="new").again == {"Q": 12}
    assert preview_of_cause(here.state, 1, "d").again == {}
    assert not here.state.epoch.orders


def test_an_editorial_change_is_shown_before_it_is_made() -> None:
    here = compared({"Q": {"A1": "0101", "A2": "0111"}})
    old = here.state.epoch.guidelines[-1]
    rule = msgspec.structs.replace(old.rules[0], text="Never read the whole item")
    new = msgspec.structs.replace(old, rules=(rule, *old.rules[1:]))
    here.do(steps.go, "R", to="task and guidelines", questions=["Q"], reason="so")
    given = {"guidelines": new, "change": "editorial", "reason": "so"}
    told = preview(here.state, steps.write_guidelines, "R", **given).rewording
    assert "“Read the whole item” is now “Never read the whole item”" in told
    assert "touches “never”" in told
    given |= {"change": "local", "questions": ["Q"]}
    assert not preview(here.state, steps.write_guidelines, "R", **given).rewording


def test_an_open_round_withholds_what_follows() -> None:
    def closing(*values: str) -> Preview:
        here = open_blindly(ready_to_annotate(2, 2))
        for coder, each in zip(("A1", "A2"), values, strict=True):
            submit(here, coder, "Q", each)
        return preview(here.state, steps.close_round, "R")

    found = closing("01", "11")
    assert found.withheld
    assert not found.cases
    assert "compared" not in {event.kind for event in found.events}
    assert found == closing("01", "01") == closing("11", "00")


def test_a_refusal_is_that_of_the_command() -> None:
    here = compared({"Q": {"A1": "0101", "A2": "0111"}})
    with pytest.raises(Refused) as by_act:
        decided(here.state, "A1", steps.begin_resolution)
    with pytest.raises(Refused) as found:
        preview(here.state, steps.begin_resolution, "A1")
    assert found.value.unmet == by_act.value.unmet
    told = preview(here.state, steps.begin_resolution, "R")
    assert told.cases == {1: ("", "open")}
    assert told.release[1] is ReleaseStatus.DEPRECATED
