"""What an act would bring about, before anybody does it: the same command, on a state that is lent.

Nothing is written, and nothing is counted twice. What is asked for again is counted from the orders
that would be made: whatever their scope holds was annotated under an earlier toolbox.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from msgspec import structs

from ..errors import RequestError
from .acts import Act, Acts, tried
from .case_state import Case, Rescoring, StatePart
from .causes import CAUSES
from .cells import cell_state, n_agreed
from .command import Events, unmet_by
from .disagreement import the_case
from .event import Event
from .orders import ordered
from .procedure import carried_out, decided
from .release import status_now
from .rounds import RoundClosed
from .sight import seeing
from .staleness import stale_items
from .state import NONE, Epoch, ItemTable, Order, State
from .terms import Cause, CellState, Change, Concept, ReleaseStatus, Step
from .toolbox import ToolboxWritten, next_version, using

NEVER = "9999-12-31T23:59:59Z"  # the moment of what does not happen


@dataclass(frozen=True)
class Preview:
    """What would differ after an act.

    Parameters
    ----------
    events : tuple of Event
        What would happen, necessary consequences included.
    again : dict of str to int
        Question → annotations that would be asked for again.
    agreed : dict of str to int
        Question → cells among them on which the coders agree.
    cases : dict of int to (str, str)
        Case → its state before and after, where it differs; a new case has none before.
    to_read : tuple of str
        Who would then have to read the guidelines or sign a concept, and has done so now.
    release : tuple of ReleaseStatus
        What a release is now, and what it would be.
    withheld : str
        Why part of it is left out; empty if nothing is.
    """

    events: tuple[Event, ...] = ()
    again: dict[str, int] = field(default_factory=dict)
    agreed: dict[str, int] = field(default_factory=dict)
    cases: dict[int, tuple[str, str]] = field(default_factory=dict)
    to_read: tuple[str, ...] = ()
    release: tuple[ReleaseStatus, ReleaseStatus] = (ReleaseStatus.UNRELEASED,) * 2
    withheld: str = ""


def preview_of_acts(state: State, by: str, acts: Acts) -> Preview:
    """What acts would bring about, as `Project.together` would carry them out.

    Parameters
    ----------
    state : State
        Nothing of it changes.
    by : str
        Who looks.
    acts : callable
        As of `Project.together`.

    Raises
    ------
    ActsRefused
        As by the acts themselves.
    """
    after, own = lent(state), list[Event]()

    def do(act: Act) -> Events:
        decision = decided(after, act.by, act.function, *act.args, **act.given)
        own.extend(decision)
        return carried_out(after, act.by, NEVER, decision)

    events = [event for _, each in tried(acts, after, do) for event in each]
    return _differing(state, by, own, after, events)


def preview_of_cause(state: State, case: int, cause: Cause | str, *, concept: str = "") -> Preview:
    """What the change that a cause asks for would bring about, at its default scope.

    Under a1-task and a2 these are new guidelines that bear on the question of the case, under
    a1-concept and b a new version of the concept. Other causes ask for no change.

    Parameters
    ----------
    state : State
    case : int
    cause : Cause or str
    concept : str
        Which one must be defined anew; by default the first that bears on the question, so that
        nothing is told of a cause that was proposed. One that is not written yet bears on the
        question alone.

    Raises
    ------
    RequestError
        If there is no such case, or the toolbox has nothing to change.

    Examples
    --------
    >>> case = Case(1, item=0, question="Q", round=1, epoch=1, because="comparison", opened="")
    >>> preview_of_cause(State(epochs=[Epoch(1, cases={1: case})]), 1, "d").events
    ()
    """
    of, back = the_case(state, case), CAUSES[Cause(cause)].returns_to
    if back is None:
        return _compared(state, "", [])
    return _compared(state, "", _change(state, of, back, concept))


def _change(state: State, case: Case, back: Step, concept: str) -> Events:
    """The change of the toolbox that a cause asks for, its words left as they are."""
    epoch = state.epoch
    scope: tuple[str, ...] = (case.question,)
    if back is Step.ALIGNMENT:
        bears = (n for n, v in epoch.concepts.items() if case.question in using(epoch, v[-1]))
        named = concept or next(bears, "")
        unwritten = [Concept(named, 0, "", questions=scope)]
        old = epoch.concepts.get(named, unwritten)[-1]
        scope = using(epoch, old)
        version = old.version + 1
        changed = structs.replace(old, version=version, cases=(case.number,))
        new = ToolboxWritten(concept=changed)
    else:
        if not epoch.guidelines:
            raise RequestError("there are no guidelines to change")
        change, last = Change.LOCAL, epoch.guidelines[-1]
        number = next_version(last.version, change)
        cases = (case.number,)
        rules = structs.replace(last, version=number, change=change, cases=cases)
        new = ToolboxWritten(guidelines=rules)
    box = len(state.toolboxes) + 1
    return [new, ordered(state, "", scope, None, "", (case.number,), box)]


def _compared(state: State, by: str, own: Events) -> Preview:
    """What differs once some events, with what follows from them, have happened to a loan."""
    after = lent(state)
    return _differing(state, by, own, after, carried_out(after, by, NEVER, own))


def _differing(state: State, by: str, own: Events, after: State, events: Events) -> Preview:
    """What differs after ``events``; in a round only what somebody does, ``own``, is told."""
    sight = seeing(state, by if by in state.people else "")
    if sight.round is not None:
        told = (structs.replace(e, counts={}) if isinstance(e, RoundClosed) else e for e in own)
        return Preview(tuple(told), withheld=sight.until)
    new = tuple(islice(after.epoch.orders, len(state.epoch.orders), None))
    same = len(state.epochs) == len(after.epochs)
    again, agreed = _asked_again(state.epoch, new if same else ())
    return Preview(
        tuple(events),
        again,
        agreed,
        _moved(state, after),
        tuple(name for name in _awaited(after) if name not in _awaited(state)),
        (status_now(state).status, status_now(after).status),
    )


def _moved(state: State, after: State) -> dict[int, tuple[str, str]]:
    """Cases whose state differs: only those that the loan has taken can."""
    found = {}
    for before, epoch in zip(state.epochs, after.epochs, strict=False):
        taken = epoch.cases.taken if isinstance(epoch.cases, Loan) else epoch.cases.keys()
        for number in sorted(taken):
            old = before.cases.get(number)
            was, now = old.state.value if old is not None else "", epoch.cases[number].state.value
            if was != now:
                found[number] = was, now
    return found


def _awaited(state: State) -> tuple[str, ...]:
    """Who has to read guidelines or sign a concept, in the order in which they joined."""
    guards = ("all_acknowledged", "all_signed_off")
    unmet = [one for name in guards for one in unmet_by(name, state, {})]
    awaited = {name for one in unmet if one.guard in guards for name in one.awaited}
    return tuple(name for name in state.people if name in awaited)


# ------------------------------------------------------------------ counted from the orders


def _asked_again(epoch: Epoch, new: Sequence[Order]) -> tuple[dict[str, int], dict[str, int]]:
    """Annotations that new orders ask for, and agreed cells among them, by question.

    What an open order asks for already is not asked for again by these.
    """
    again, agreed = dict[str, int](), dict[str, int]()
    for question in dict.fromkeys(q for order in new for q in order.questions):
        scopes = [order.items for order in new if question in order.questions]
        wide = any(items is None for items in scopes)
        scope = None if wide else {i for items in scopes for i in items or ()}
        columns = epoch.current.get(question, {})
        due = {coder: stale_items(epoch, question, coder) for coder in columns}
        already = set[int]().union(*due.values())
        n = sum(_held(codes, scope, due[coder]) for coder, codes in columns.items())
        if n:
            again[question] = n
        if cells := _agreed(epoch, question, scope, already):
            agreed[question] = cells
    return again, agreed


def _held(codes: list[int], scope: set[int] | None, due: set[int]) -> int:
    """How many annotations a coder has in a scope, without those that are due."""
    if scope is None:
        return len(codes) - codes.count(NONE) - len(due)
    return sum(i < len(codes) and codes[i] != NONE for i in scope - due)


def _agreed(epoch: Epoch, question: str, scope: set[int] | None, due: set[int]) -> int:
    """How many cells of a scope are agreed and not due."""
    if scope is None and not due:
        return n_agreed(epoch, question)
    n = max(map(len, epoch.current.get(question, {}).values()), default=0)
    cells = ({*range(n)} if scope is None else scope) - due
    return sum(cell_state(epoch, item, question) is CellState.AGREED for item in cells)


# ------------------------------------------------------------------ a state lent for a trial


class Loan(dict[Any, Any]):
    """A dictionary that shares its values until one is asked for by its key.

    Examples
    --------
    >>> columns = {"ana": [0, 1], "bob": [1, 1]}
    >>> loan = Loan(columns)
    >>> loan["ana"][0] = 1
    >>> columns["ana"], loan.taken
    ([0, 1], {'ana'})
    """

    def __init__(self, values: Mapping[Any, Any]) -> None:
        super().__init__(values)
        self.taken: set[Any] = set()
        """Keys whose values are copies, or new."""

    def __getitem__(self, key: Any) -> Any:
        value = super().__getitem__(key)
        if key not in self.taken:
            value = _own(value)
            self[key] = value
        return value

    def __setitem__(self, key: Any, value: Any) -> None:
        self.taken.add(key)
        super().__setitem__(key, value)

    def get(self, key: Any, default: Any = None) -> Any:
        """The value of a key, a copy from now on."""
        if key not in self:
            return default
        return self[key]

    def setdefault(self, key: Any, default: Any = None) -> Any:
        """The value of a key, which is set where there is none."""
        if key not in self:
            self[key] = default
        return self[key]


def lent(state: State) -> State:
    """A state of the same content: whatever happens to it, the first one stays as it is.

    Examples
    --------
    >>> first = State(title="Letters")
    >>> trial = lent(first)
    >>> trial.epoch.accepted["ana"] = 7
    >>> first.epoch.accepted
    {}
    """
    found: State = _own(state)
    return found


def _own(value: Any) -> Any:
    """A copy in which nested dictionaries are lent; what is never changed is shared."""
    if isinstance(value, StatePart):
        return _part(value)
    if isinstance(value, list):
        nested = (
            value and isinstance(value[0], StatePart | list) and not isinstance(value[0], Rescoring)
        )
        return [_own(one) for one in value] if nested else list(value)
    if isinstance(value, dict):
        inside = next(iter(value.values()), None)
        return Loan(value) if isinstance(inside, StatePart | dict | list) else dict(value)
    return value


def _part(value: StatePart) -> StatePart:
    found = copy(value)
    for name in value.__struct_fields__:
        setattr(found, name, _own(getattr(value, name)))
    if isinstance(found, Epoch | ItemTable):  # what is derived is found again, or its own
        kept = {k: dict(v) for k, v in vars(value).items() if k in ("_codes", "_positions")}
        found.__dict__.clear()
        found.__dict__.update(kept)
    return found
