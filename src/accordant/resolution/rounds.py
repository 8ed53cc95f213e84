"""Step 3 begins and ends: a blind round opens, for everything or for what is owed again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

from msgspec import field

from ..errors import RequestError
from ..kinds import Typed
from .cells import compared, compared_round, comparisons, dependents, missing_cells, unasked_cells
from .command import Asked, Events, Lack, Unmet, command, guard, require, step, unmet_of
from .ending import Missing, ending, trail_of
from .event import Event, Stamp, on
from .items import item_positions, positions_of
from .round_result import merged
from .sentences import listing
from .setup import the_coder
from .staleness import open_orders, settle_orders
from .state import Order, Round, State
from .terms import CaseState, Change, Role, Step
from .toolbox import since_last_round
from .transitions import Moved
from .wording import all_known


class RoundOpened(Event, frozen=True, tag="round opened"):
    """A blind round of individual annotation begins."""

    says = (
        "round {number} is open and blind: {coders:listed} annotate {scope} on "
        "{questions:question} ({questions:listed})"
    )
    within = "round {0.number}"

    number: int
    toolbox: str  # hash of the toolbox in force
    coders: tuple[str, ...]
    questions: tuple[str, ...]  # scope …
    items: tuple[str, ...] = ()  # … empty: all
    orders: tuple[int, ...] = ()  # that it carries out
    imported: bool = False


class RoundClosed(Event, frozen=True, tag="round closed"):
    """Blindness ends for this round, and its annotations are compared."""

    within = "round {0.number}"

    number: int
    counts: dict[str, dict[str, int]] = field(default_factory=dict)  # question → cell state → n

    def sentence(self) -> str:
        """How many cells are in which state."""
        each = (
            (q, listing(f"{n:,} {state}" for state, n in counts.items() if n))
            for q, counts in self.counts.items()
        )
        told = (f"question {q}: {cells}" for q, cells in each if cells != "none")
        return "; ".join([f"round {self.number} is closed", *told])


@on(RoundOpened)
def _round_opened(state: State, event: RoundOpened, stamp: Stamp) -> None:
    ordinal = next((t.ordinal for t in reversed(state.toolboxes) if t.hash == event.toolbox), 0)
    items = sorted(positions_of(state, event.items)) if event.items else None
    n_items = state.items.frozen or len(state.items.ids)
    facts = {"toolbox": ordinal, "items": items, "n_items": n_items, "seq": state.seq}
    state.epoch.rounds.append(Round.of(event, opened=stamp[0], **facts))


def round_numbered(state: State, number: int) -> Round:
    """A round of the current epoch."""
    return next(r for r in reversed(state.epoch.rounds) if r.number == number)


@on(RoundClosed)
def _round_closed(state: State, event: RoundClosed, stamp: Stamp) -> None:
    epoch, some = state.epoch, round_numbered(state, event.number)
    current, made = merged(state, some)
    epoch.current.update(current)
    epoch.made.update(made)
    some.closed, some.closed_seq = stamp[0], state.seq
    some.comparison = {q: dict(n) for q, n in event.counts.items()}
    settle_orders(epoch)
    for question in some.questions:
        torn = compared(epoch, question, some.items).conflicting
        epoch.conflicts.setdefault(question, {}).update(dict.fromkeys(torn, state.seq))


@guard("open_order", step("reannotate"))
def _open_order(state: State, asked: Asked) -> Iterator[Lack]:
    """An order is open, or a cell lacks an annotation: otherwise nothing need be done again."""
    if open_orders(state) or unasked_cells(state):
        return
    if not any(result.incomplete for result in comparisons(state.epoch).values()):
        yield "no re-annotation is ordered, and no annotation is missing"


FIRST, CLOSES, DRASTIC, LOCAL, AGAIN = 6, 7, 13, 14, 19  # transitions


@dataclass(frozen=True)
class _Scope:
    """Questions by id, items by position (None: all), orders that are carried out."""

    questions: tuple[str, ...]
    items: list[int] | None
    orders: tuple[Order, ...]


def opening_transition(state: State) -> int:
    """Number of the transition by which a round would open from here."""
    if state.step is Step.RESOLUTION:
        return AGAIN
    changes = since_last_round(state).changes
    if Change.DRASTIC in changes:
        return DRASTIC
    if Change.LOCAL in changes or (state.step is Step.TASK and state.epoch.begun):
        return LOCAL
    return FIRST


@command(
    "round open",
    "open a blind round",
    roles=(Role.RESEARCHER,),
    steps=(Step.TASK, Step.ALIGNMENT, Step.RESOLUTION),
)
def open_round(
    state: State,
    by: str,
    *,
    questions: Annotated[Sequence[str] | None, Typed("QUESTION", "--only-question")] = None,
    items: Annotated[Sequence[str] | None, Typed("ITEM", "--only-item")] = None,
    orders: Annotated[Sequence[int] | None, Typed("N")] = None,
    coders: Annotated[Sequence[str] | None, Typed("NAME")] = None,
) -> Events:
    """Open a blind round of individual annotation (step 3).

    It opens when every coder has signed every concept, nobody objects, the items are settled and
    each has two coders or more. Until it closes nobody sees an annotation of somebody else. The
    first round is about everything; a later one about what is owed: the oldest re-annotation and
    what is within it, else what lacks an annotation. Dependent questions come with their parents.

    Parameters
    ----------
    state : State
    by : str
    questions : sequence of str, optional
        Ask only this question.
    items : sequence of str, optional
        Only this item.
    orders : sequence of int, optional
        Carry out this re-annotation; several together: all their questions × all their items.
    coders : sequence of str, optional
        Who annotates; all coders by default.

    Examples
    --------
    Every question and item:
    $ accordant project round open
    The re-annotation that is owed:
    $ accordant project round open --order 1
    One question:
    $ accordant project round open --only-question scope
    """
    names = tuple(the_coder(state, name) for name in (state.coders if coders is None else coders))
    scope = _scope(state, questions, items, orders)
    number = opening_transition(state)
    asked: Asked = {
        "by": by,
        "coders": names,
        "questions": scope.questions,
        "items": scope.items,
        "orders": scope.orders,
    }
    unmet = list(unmet_of(state, number, asked))
    if number != AGAIN:  # that one asks the guards of 3 and 6 by itself
        for other in (3, FIRST):
            unmet += [u for u in unmet_of(state, other, asked) if u not in unmet]
    if state.step is Step.TASK and not state.epoch.begun:
        unmet.append(Unmet("step", "concepts have not been aligned (step 2)"))
    if state.epoch.begun and not scope.questions and number != AGAIN:
        says = "no re-annotation is ordered, and no annotation is missing"
        unmet.append(Unmet("open_order", says, argument=True))
    require(unmet + _unjudged(state, scope))
    toolbox = state.toolbox.hash if state.toolbox else ""
    ids = state.items.ids
    return [
        RoundOpened(
            len(state.epoch.rounds) + 1,
            toolbox,
            names,
            scope.questions,
            () if scope.items is None else tuple(ids[item] for item in scope.items),
            tuple(order.number for order in scope.orders),
        ),
        Moved(number, state.step, Step.ANNOTATION),
    ]


def _unjudged(state: State, scope: _Scope) -> list[Unmet]:
    """Who disagreed says first whether the change settles it: no vote is repeated before that."""
    epoch, found = state.epoch, dict[tuple[str, tuple[str, ...]], list[str]]()
    waits = {(c.item, c.question) for c in epoch.cases.values() if c.state is CaseState.RETURNED}
    torn = {(i, q) for q, result in comparisons(epoch).items() for i in result.conflicting}
    items = None if scope.items is None else {*scope.items}
    for item, question in sorted(waits | torn):
        if question not in scope.questions or (items is not None and item not in items):
            continue
        lacks = ending(trail_of(state), item, question)
        codes = ("settle", "change") if (item, question) in waits else ("settle",)
        if isinstance(lacks, Missing) and lacks.code in codes:
            told = f"{state.items.ids[item]}, {question}: {lacks.says}"
            found.setdefault((lacks.code, lacks.who), []).append(told)
    do = {"settle": step("sign-off", settles="all"), "change": step("guidelines")}
    return [
        Unmet(code, listing(each, 3, join="; "), who, do=(do[code],))
        for (code, who), each in found.items()
    ]


def _scope(
    state: State,
    questions: Sequence[str] | None,
    items: Sequence[str] | None,
    orders: Sequence[int] | None,
) -> _Scope:
    epoch = state.epoch
    all_known("question", questions or (), epoch.questions)
    positions = _given_items(state, items)
    waiting = open_orders(state)
    by_number = {order.number: order for order in waiting}
    all_known("open order", orders or (), by_number)
    if questions is None and items is None:
        if orders:
            return _of_orders(state, [by_number[n] for n in orders], waiting)
        if waiting:
            return _of_orders(state, _with_oldest(waiting), waiting)
        if epoch.begun:
            return _of_missing(state)
    if orders:
        raise RequestError("name orders, or questions and items", parameter="orders")
    wanted = tuple(dependents(epoch, questions if questions is not None else epoch.questions))
    return _Scope(wanted, positions, tuple(o for o in waiting if _within(o, wanted, positions)))


def _given_items(state: State, items: Sequence[str] | None) -> list[int] | None:
    if items is None:
        return None
    positions = item_positions(state, items)
    if not positions:
        raise RequestError("no item is given")
    late = [state.items.ids[p] for p in positions if p >= state.items.frozen]
    if late and state.items.frozen:
        raise RequestError(f"items that are not frozen: {listing(late)}")
    return _all_or(state, set(positions))


def _all_or(state: State, items: set[int]) -> list[int] | None:
    return None if len(items) == len(state.items.ids) else sorted(items)


def _within(order: Order, questions: Sequence[str], items: list[int] | None) -> bool:
    if not set(order.questions) <= set(questions):
        return False
    return items is None or (order.items is not None and set(order.items) <= set(items))


def _with_oldest(waiting: list[Order]) -> list[Order]:
    """The oldest order, and those whose items are among its items."""
    first = waiting[0]
    return [o for o in waiting if _within(o, o.questions, first.items)]


def _of_orders(state: State, wanted: list[Order], waiting: list[Order]) -> _Scope:
    questions = tuple(dependents(state.epoch, {q for order in wanted for q in order.questions}))
    items: list[int] | None = None
    if all(order.items is not None for order in wanted):
        items = _all_or(state, {item for order in wanted for item in order.items or ()})
    return _Scope(questions, items, tuple(o for o in waiting if _within(o, questions, items)))


def _of_missing(state: State) -> _Scope:
    """Cells that lack an annotation, and those that no round has asked about."""
    missing, new = missing_cells(state.epoch), unasked_cells(state)
    ids = missing.keys() | new.keys()
    if not ids:
        return _Scope((), [], ())
    items = {i for cells in (missing, new) for some in cells.values() for i in some}
    return _Scope(tuple(dependents(state.epoch, ids)), _all_or(state, items), ())


@command(
    "round close",
    "close the round and compare it",
    roles=(Role.RESEARCHER,),
    steps=(Step.ANNOTATION,),
)
def close_round(state: State, by: str) -> Events:
    """Close the round and compare its annotations (step 4).

    Everything must be submitted or declined.

    Parameters
    ----------
    state : State
    by : str

    Returns
    -------
    list of Event
        `RoundClosed`, which ends blindness, and `Moved`.

    Examples
    --------
    When everything is submitted or declined:
    $ accordant project round close
    Who is awaited:
    $ accordant project status
    """
    require(unmet_of(state, CLOSES, {"by": by}))
    some = state.epoch.rounds[-1]
    counts = {id: result.counts for id, result in compared_round(state, some).items()}
    return [RoundClosed(some.number, counts), Moved(CLOSES, state.step, Step.COMPARISON)]
