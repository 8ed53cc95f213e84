"""What is kept from act to act says what a freshly opened project says; what an event reaches."""

from __future__ import annotations

from collections.abc import Container
from typing import Any

import msgspec
import pytest

from accordant.resolution.cases import CaseEvent, ReasonGiven
from accordant.resolution.cells import comparisons, unasked_cells
from accordant.resolution.chains import Chains
from accordant.resolution.corrections import Rescored
from accordant.resolution.disagreement import (
    agreed_by_others,
    case_at,
    cases_about,
    live_cases,
)
from accordant.resolution.event import FOLDS, Event, Stamp, apply
from accordant.resolution.items import ItemsAdded, ItemsFrozen
from accordant.resolution.procedure import KINDS
from accordant.resolution.proof import proof_of, proved
from accordant.resolution.records import Answer, AskedIf, Items, Question
from accordant.resolution.release import status_now
from accordant.resolution.requests import waiting
from accordant.resolution.rounds import close_round
from accordant.resolution.staleness import stale_counts
from accordant.resolution.standing import standing
from accordant.resolution.state import NONE, Columns, State
from accordant.resolution.views import cases
from accordant.resolution.words import Cause, Change, Role, Step
from resolution.build import Session, open_blindly, resolving, submit
from resolution.sessions import Walker
from resolution.talk import aligned, returned, with_rule


def anew(state: State) -> State:
    """A copy that keeps nothing of what was computed: as the project is opened."""
    return msgspec.msgpack.decode(msgspec.msgpack.encode(state), type=State)


def everything(state: State) -> list[object]:
    """All that is kept, and the pages that stand on it, as each person may see them."""
    epoch, found = state.epoch, proved(state)
    people = [name for name in ("", "R", "A1", "A4") if not name or name in state.people]
    return [
        *(standing(state, person) for person in people),
        *(cases(state, person, earlier=True) for person in people),
        *(waiting(state, person) for person in people),
        status_now(state),
        (found.kinds, found.lacking, found.n_lacking, found.cells),
        comparisons(epoch),
        unasked_cells(state),
        agreed_by_others(epoch),
        stale_counts(epoch),
        [[case.number for case in cases_about(epoch, i)] for i in range(len(state.items.ids))],
        [case.number for case in live_cases(epoch)],
    ]


@pytest.mark.parametrize("every", [1, 4])
@pytest.mark.parametrize("seed", range(4))
def test_after_any_act_it_is_as_freshly_opened(seed: int, every: int) -> None:
    walk, reached = Walker(seed + 30 * every), 0
    for number in range(700):
        if walk.step(walk.likely()) is None or number % every:
            continue
        assert everything(walk.state) == everything(anew(walk.state))
        reached += bool(walk.state.epoch.cases)
    assert reached > 5


@pytest.mark.parametrize("seed", range(3))
def test_every_proof_is_the_one_of_its_cell(seed: int) -> None:
    """Also of answers that need no second look: after rounds about some of the items, too."""
    walk = Walker(seed)
    for number in range(400):
        walk.step(walk.likely())
        if number % 8 == 0 and walk.state.epoch.round is None:
            fresh = anew(walk.state)
            of = Chains(fresh)
            for question, kinds in proved(fresh).cells.items():
                assert kinds == [proof_of(of, i, question).kind for i in range(of.n_items)]


def test_a_case_is_found_by_its_cell() -> None:
    walk = Walker(1)
    for _ in range(300):
        walk.step(walk.likely())
        for case in walk.state.epoch.cases.values():
            assert case_at(walk.state.epoch, case.item, case.question) is case


# ---------------------------------------------------------------- what random walks rarely do


def told_anew(here: Session, *events: Event) -> None:
    """Events of which all that is kept tells as a freshly opened project does, before and after."""
    before = everything(here.state)
    assert before == everything(anew(here.state))
    here.tell(*events)
    after = everything(here.state)
    assert after == everything(anew(here.state))
    assert after != before


def now_says(case: int, item: str, answer: str, question: str = "Q") -> Rescored:
    """A1 has another answer."""
    return Rescored(case, "A1", item, question, Answer((answer,)), "c")


def test_others_agreed_about_what_one_declined_and_do_no_longer() -> None:
    here = resolving({"Q": {"A1": "00", "A2": "01", "A3": [None, "0"]}})
    assert agreed_by_others(here.state.epoch) == {"Q": [0]}
    told_anew(here, now_says(1, "i1", "1"))
    assert agreed_by_others(here.state.epoch) == {}
    told_anew(here, now_says(1, "i1", "0"))
    assert agreed_by_others(here.state.epoch) == {"Q": [0]}


def test_an_item_that_no_round_has_asked_about_is_answered() -> None:
    here = resolving({"Q": {"A1": "00", "A2": "01"}})
    here.tell(ItemsAdded(Items(("i3", "i4"))), ItemsFrozen(4))
    assert unasked_cells(here.state) == {"Q": [2, 3]}
    told_anew(here, now_says(1, "i3", "1"))
    assert unasked_cells(here.state) == {"Q": [3]}


def test_what_is_stale_elsewhere_bears_on_the_proof_of_an_answer_that_is_not() -> None:
    questions = [Question("Q", "Is it?"), Question("P", "How?", asked_if=AskedIf("Q", ("1",)))]
    values = {"Q": dict.fromkeys(("A1", "A2"), "111"), "P": {"A1": "xyx", "A2": "xxy"}}
    here = resolving(values, questions=questions)
    returned(here, Cause.A2)
    with_rule(here, Change.LOCAL, questions=["P"], narrowed="it is about P")
    open_blindly(aligned(here), ["P"], ["i2"])
    for coder in ("A1", "A2"):
        submit(here, coder, "P", ["x"], ["i2"])
    here.do(close_round, "R")
    here.move(10, Step.RESOLUTION)
    assert stale_counts(here.state.epoch) == {"P": 4}
    (lacks,) = [p.missing.says for p in proved(here.state).lacking if p.item == "i2" and p.missing]
    assert "4 more" in lacks
    told_anew(here, now_says(2, "i3", "0"))  # it is no longer asked of A1 how
    assert stale_counts(here.state.epoch) == {"P": 3}


def test_a_fold_that_looks_at_what_is_kept_before_it_is_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    here, fold = resolving({"Q": {"A1": "00", "A2": "01"}}), FOLDS[ReasonGiven]

    def looks_first(state: State, event: ReasonGiven, stamp: Stamp) -> None:
        everything(state)
        fold(state, event, stamp)

    monkeypatch.setitem(FOLDS, ReasonGiven, looks_first)
    told_anew(here, ReasonGiven(1, "A1", "so", ("rule R1",)))


# ---------------------------------------------------------------- what an event reaches

BESIDE = (
    "step",
    "moves",
    "deviations",
    "statement",
    "releases",
    "findings",
    "halted",
    "found",
    "review_date",
    "adjudicator",
    "late_adjudicator",
)
"""Parts of a state on which nothing hangs that is kept …"""
OF_EPOCH = ("acknowledged", "signed", "objections", "abandoned", "ending")
"""… and of an epoch."""


def held(columns: Columns, items: Container[int]) -> object:
    """What stands in columns about all but some items."""
    return {
        (question, coder, item): code
        for question, by_coder in columns.items()
        for coder, column in by_coder.items()
        for item, code in enumerate(column)
        if code != NONE and item not in items
    }


def outside(state: State, items: Container[int], answers: int) -> Any:
    """All of a state but what is about some items, and what nothing hangs on that is kept."""
    copy, fields = anew(state), State.__struct_fields__
    told: dict[str, Any] = {name: getattr(copy, name) for name in fields if name not in BESIDE}
    for name in ("epochs", "seq", "last", "versions", "for_others"):
        del told[name]
    for person in copy.people.values():
        person.training = ""
        person.roles = tuple(role for role in person.roles if role is not Role.ADJUDICATOR)
    for epoch in copy.epochs:
        parts = {n: getattr(epoch, n) for n in epoch.__struct_fields__ if n not in OF_EPOCH}
        parts["current"], parts["made"] = held(epoch.current, items), held(epoch.made, items)
        parts["answers"] = epoch.answers[:answers]
        parts["cases"] = [case for case in epoch.cases.values() if case.item not in items]
        parts["rescorings"] = [one for one in epoch.rescorings if one.item not in items]
        parts["conflicts"] = _apart(epoch.conflicts, items)
        parts["notes"] = [(q, _apart(notes, items)) for q, notes in epoch.notes.items()]
        parts["notes"] = [(question, some) for question, some in parts["notes"] if some]
        told[f"epoch {epoch.number}"] = parts
    return told


def _apart(by_key: dict[str, dict[int, Any]], items: Container[int]) -> object:
    return [
        (key, item, what)
        for key, found in by_key.items()
        for item, what in found.items()
        if item not in items
    ]


def test_an_event_changes_nothing_beyond_its_reach() -> None:
    within, kinds = set[str](), set[str]()
    for seed in range(6):
        walk, state = Walker(seed), State()
        for _ in range(900):
            walk.step(walk.likely())
        for event, stamp in walk.here.log:
            items, n = event.reach(state), len(state.epoch.answers)
            before = None if items is None else outside(state, items, n)
            apply(state, [(event, stamp)])
            if items is not None:
                assert outside(state, items, n) == before, event
                within.add(event.kind)
            kinds.add(event.kind)
        assert state == walk.state
    of_cases = {kind for kind, what in KINDS.items() if issubclass(what, CaseEvent)}
    assert kinds & of_cases <= within
    assert len(within) > 25
