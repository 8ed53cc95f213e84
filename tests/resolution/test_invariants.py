"""What must hold after every act, whatever people do: random sessions of four coders."""

from __future__ import annotations

import os
from collections import Counter

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accordant.resolution.cells import comparisons
from accordant.resolution.command import COMMANDS
from accordant.resolution.completion import Decided, Released
from accordant.resolution.concepts import ConceptWritten
from accordant.resolution.corrections import Rescored
from accordant.resolution.disagreement import agreed_by_others, live_cases, participants, unanimous
from accordant.resolution.event import Event, apply
from accordant.resolution.procedure import read_event, written
from accordant.resolution.release import status_now
from accordant.resolution.rounds import RoundOpened
from accordant.resolution.staleness import open_orders, stale_counts, stale_items
from accordant.resolution.state import NONE, State
from accordant.resolution.toolbox import using
from accordant.resolution.transitions import Moved
from accordant.resolution.words import CaseState, OrderState, ReleaseStatus, Step
from resolution import acts_early, acts_late  # noqa: F401  (fill `MAKERS`)
from resolution.sessions import LIKELY, MAKERS, Walker

SESSIONS = int(os.environ.get("ACCORDANT_SESSIONS", "40"))
COMMANDS_EACH = int(os.environ.get("ACCORDANT_COMMANDS", "700"))


class Watch:
    """What was seen so far, to notice what must never change."""

    def __init__(self, state: State) -> None:
        self.tasks: dict[int, str] = {}
        self.sheets: dict[tuple[int, int], bytes] = {}
        self.cells: dict[int, set[tuple[int, str]]] = {}
        self.sizes: dict[tuple[int, int], tuple[int, int, int]] = {}
        self.unresolved: set[int] = set()
        self.current = msgspec.msgpack.encode(state.epoch.current)
        self.log = 0

    def __call__(self, walk: Walker, events: list[Event], by: str) -> None:
        state = walk.state
        self.task_is_immutable(state)
        self.cases_are_the_conflicts(state)
        self.agreed_by_all_with_a_citation(state)
        self.nothing_is_deleted(walk)
        self.blind(state, events)
        self.stale_is_computed(state)
        for event in events:
            self.nobody_acts_for_another(state, event, by)
            self.signed_before_annotating(state, event)
            self.concepts_are_followed_by_orders(state, event)
            self.ground_truth_is_true(state, event)
        self.unresolved = {
            n for n, c in state.epoch.cases.items() if c.state == CaseState.UNRESOLVED
        }

    def task_is_immutable(self, state: State) -> None:
        for epoch in state.epochs:
            if epoch.begun:
                assert self.tasks.setdefault(epoch.number, epoch.task_hash) == epoch.task_hash

    def cases_are_the_conflicts(self, state: State) -> None:
        epoch = state.epoch
        if epoch.ended or not epoch.current:
            return
        cells = Counter((case.item, case.question) for case in epoch.cases.values())
        assert all(n == 1 for n in cells.values()), "two cases of one cell"
        if state.step not in (Step.RESOLUTION, Step.HALTED):
            return
        conflicting = {
            (item, question)
            for question, comparison in comparisons(epoch).items()
            for item in comparison.conflicting
        }
        waiting = {
            (case.item, case.question)
            for case in epoch.cases.values()
            if case.live or case.state == CaseState.UNRESOLVED
        }
        assert conflicting <= waiting, "a conflict without a live case"
        seen = self.cells.setdefault(epoch.number, set())
        seen |= conflicting
        # A case opens by a conflict only; one that is settled within the same act was never seen.
        assert seen <= set(cells)
        settled = dict.fromkeys(("agreed", "unresolved", "closed", "live"), 0)
        for case in epoch.cases.values():
            settled["live" if case.live else case.state.value] += 1
        assert sum(settled.values()) == len(epoch.cases)

    def agreed_by_all_with_a_citation(self, state: State) -> None:
        if state.epoch.round is not None:
            return
        for case in state.epoch.cases.values():
            if case.state != CaseState.AGREED:
                continue
            coders = participants(state.epoch, case)
            assert set(coders) <= set(case.consents), f"case {case.number} lacks a consent"
            assert case.cites, f"case {case.number} cites nothing"
            assert unanimous(state.epoch, case.item, case.question) == case.answer

    def nothing_is_deleted(self, walk: Walker) -> None:
        state = walk.state
        assert len(walk.here.log) >= self.log
        self.log = len(walk.here.log)
        for epoch in state.epochs:
            for case in epoch.cases.values():
                now = (len(case.thread), len(case.assessments), len(case.reasons))
                before = self.sizes.get((epoch.number, case.number), (0, 0, 0))
                assert all(a >= b for a, b in zip(now, before, strict=True))
                self.sizes[epoch.number, case.number] = now
            for some in epoch.rounds:
                if some.closed:
                    key, sheet = (epoch.number, some.number), msgspec.msgpack.encode(some.sheet)
                    assert self.sheets.setdefault(key, sheet) == sheet

    def blind(self, state: State, events: list[Event]) -> None:
        """While a round is open, what counts does not change."""
        now = msgspec.msgpack.encode(state.epoch.current)
        opened = any(isinstance(event, RoundOpened) for event in events)
        if state.epoch.round is not None and not opened:
            assert now == self.current
        self.current = now

    def stale_is_computed(self, state: State) -> None:
        epoch = state.epoch
        counts = stale_counts(epoch)
        for question, columns in epoch.current.items():
            cells = {(c, i) for c in columns for i in stale_items(epoch, question, c)}
            slow = set()
            for coder, column in columns.items():
                for item, code in enumerate(column):
                    made = epoch.made[question][coder][item]
                    for order in epoch.orders:
                        if (
                            order.state == OrderState.OPEN
                            and question in order.questions
                            and (order.items is None or item in order.items)
                            and code != NONE
                            and made < order.toolbox
                        ):
                            slow.add((coder, item))
            assert cells == slow
            assert counts.get(question, 0) == len(slow)

    def nobody_acts_for_another(self, state: State, event: Event, by: str) -> None:
        if isinstance(event, Rescored) and event.coder != by:
            case = state.epoch.cases[event.case]
            assert event.because in ("d", "c", "e", "clarified", "deference")
            assert event.coder in case.proposals[-1].consents
        if isinstance(event, Decided):
            assert by == state.adjudicator
            assert event.case in self.unresolved, "decided before it was declared unresolved"

    def signed_before_annotating(self, state: State, event: Event) -> None:
        if isinstance(event, RoundOpened):
            epoch = state.epoch
            assert not epoch.objections
            for name, versions in epoch.concepts.items():
                for coder in event.coders:
                    assert epoch.signed[name][coder] == versions[-1].version

    def concepts_are_followed_by_orders(self, state: State, event: Event) -> None:
        if not isinstance(event, ConceptWritten) or not state.epoch.begun:
            return
        order = state.epoch.orders[-1]
        assert set(using(state.epoch, event.concept)) <= set(order.questions)
        assert order.items is None or order.narrowed
        assert state.toolbox is not None
        assert order.toolbox == state.toolbox.ordinal

    def ground_truth_is_true(self, state: State, event: Event) -> None:
        if not isinstance(event, Released):
            return
        assert event.status == state.releases[-1].status
        if event.status == ReleaseStatus.GROUND_TRUTH:
            assert not stale_counts(state.epoch)
            assert not open_orders(state)
            assert not live_cases(state.epoch)
            assert not any(c.state == CaseState.UNRESOLVED for c in state.epoch.cases.values())
            declined = agreed_by_others(state.epoch)
            for question, comparison in comparisons(state.epoch).items():
                assert not comparison.conflicting
                assert comparison.incomplete == declined.get(question, [])
        if event.status == ReleaseStatus.DEPRECATED:
            assert event.reason


def walked(seed: int, n: int) -> Walker:
    """A random session, watched after each act."""
    walk = Walker(seed)
    watch = Watch(walk.state)
    for _ in range(n):
        happened = walk.step(walk.likely())
        if happened is not None:
            events, by = happened
            walk.transitions.update(e.transition for e in events if isinstance(e, Moved))
            watch(walk, events, by)
            status_now(walk.state)
    return walk


@pytest.fixture(scope="module")
def sessions() -> list[Walker]:
    return [walked(seed, COMMANDS_EACH) for seed in range(SESSIONS)]


def test_every_command_can_be_made_up():
    """A new command must be walked, too."""
    names = set(COMMANDS) - {"new", "import", "import accept"}  # these are of imports
    assert names == set(MAKERS)
    for step in LIKELY.values():
        assert set(step) <= names


def test_sessions_get_everywhere(sessions):
    """Otherwise the invariants would say little."""
    accepted = sum((walk.accepted for walk in sessions), Counter())
    transitions = sum((walk.transitions for walk in sessions), Counter())
    never = set(MAKERS) - set(accepted)
    assert never <= {"person", "purpose", "task"}, f"never accepted: {sorted(never)}"
    assert set(transitions) >= set(range(2, 26)), f"transitions taken: {sorted(transitions)}"


def test_the_log_gives_the_state(sessions):
    for walk in sessions:
        state = State()
        for event, stamp in walk.here.log:
            apply(state, [(read_event(event.kind, written(event)), stamp)])
        assert state == walk.state


def test_a_snapshot_gives_the_state(sessions):
    for walk in sessions:
        blob = msgspec.msgpack.encode(walk.state)
        assert msgspec.msgpack.decode(blob, type=State) == walk.state


@given(seed=st.integers(1000, 1_000_000))
@settings(max_examples=max(4, SESSIONS // 3))
def test_invariants_hold(seed):
    walked(seed, COMMANDS_EACH // 2)
