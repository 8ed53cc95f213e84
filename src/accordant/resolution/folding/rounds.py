"""Folds of the events of `events.rounds`."""

from __future__ import annotations

from collections.abc import Sequence

from ..cells import compared
from ..events.rounds import (
    Annotated,
    Assigned,
    Compared,
    Declined,
    ItemsAdded,
    ItemsFrozen,
    OrderWaived,
    ReannotationOrdered,
    RoundClosed,
    RoundOpened,
    Submitted,
)
from ..merging import merged
from ..progressing import left_of
from ..staleness import settle_orders
from ..state import NONE, Conflict, Ending, Order, Round, State
from ..tally import recounted
from ..words import OrderState
from .fold import Stamp, on

__all__: list[str] = []


def _positions(state: State, items: Sequence[str]) -> list[int]:
    where = state.items.positions
    return [where[item] for item in items]


@on(ItemsAdded)
def _items_added(state: State, event: ItemsAdded, stamp: Stamp) -> None:
    table, before = state.items, len(state.items.ids)
    new, after = event.items, before + len(event.items.ids)
    table.ids += new.ids
    for column, more in (
        (table.texts, new.texts),
        (table.contexts, new.contexts),
        (table.batches, new.batches),
    ):
        _lengthen(column, more, before, after)
    for name, values in new.metadata.items():
        _lengthen(table.metadata.setdefault(name, []), values, before, after)
    for name in table.metadata.keys() - new.metadata.keys():
        _lengthen(table.metadata[name], (), before, after)


def _lengthen(column: list[str], more: Sequence[str], before: int, after: int) -> None:
    """Columns are empty, or as long as the table."""
    if column or more:
        column += [""] * (before - len(column))
        column += more
        column += [""] * (after - len(column))


@on(ItemsFrozen)
def _items_frozen(state: State, event: ItemsFrozen, stamp: Stamp) -> None:
    state.items.frozen = event.n_items


@on(Assigned)
def _assigned(state: State, event: Assigned, stamp: Stamp) -> None:
    state.assigned[event.coder] = sorted(_positions(state, event.items))


@on(RoundOpened)
def _round_opened(state: State, event: RoundOpened, stamp: Stamp) -> None:
    ordinal = next((t.ordinal for t in reversed(state.toolboxes) if t.hash == event.toolbox), 0)
    state.epoch.rounds.append(
        Round(
            event.number,
            ordinal,
            event.coders,
            event.questions,
            sorted(_positions(state, event.items)) if event.items else None,
            event.orders,
            event.imported,
            stamp[0],
            n_items=state.items.frozen or len(state.items.ids),
            seq=state.seq,
        )
    )


def _round(state: State, number: int) -> Round:
    return next(r for r in reversed(state.epoch.rounds) if r.number == number)


@on(Annotated)
def _annotated(state: State, event: Annotated, stamp: Stamp) -> None:
    epoch, some = state.epoch, _round(state, event.round)
    codes = [epoch.code(answer) for answer in event.answers]
    positions = _positions(state, event.items)
    _not_done(some, event.coder)
    sheet = some.sheet.setdefault(event.question, {}).setdefault(event.coder, {})
    refused = some.declined.get(event.question, {}).get(event.coder)
    with recounted(state, some, event.coder, positions):
        sheet.update(zip(positions, (codes[k] for k in event.codes), strict=True))
        if refused:
            for position in positions:
                refused.pop(position, None)
    numbers = some.events.setdefault(event.question, {}).setdefault(event.coder, {})
    if numbers:
        numbers.update(dict.fromkeys(positions, state.seq))
    else:  # most annotations come all at once: one number says it
        numbers[NONE] = state.seq
    notes = epoch.notes.get(event.question, {}).get(event.coder)
    if notes:  # a new answer has a new note, or none
        for position in positions:
            notes.pop(position, None)
    if event.notes:
        notes = epoch.notes.setdefault(event.question, {}).setdefault(event.coder, {})
        where = state.items.positions
        notes.update((where[item], note) for item, note in event.notes.items())


@on(Declined)
def _declined(state: State, event: Declined, stamp: Stamp) -> None:
    some = _round(state, event.round)
    refused = some.declined.setdefault(event.question, {}).setdefault(event.coder, {})
    sheet = some.sheet.get(event.question, {}).get(event.coder, {})
    positions = _positions(state, event.items)
    if stamp[1] != event.coder and not some.imported:  # a researcher changes nobody's answer
        left = set(left_of(state, some, event.coder, event.question))
        positions = [position for position in positions if position in left]
    with recounted(state, some, event.coder, positions):
        for position in positions:
            refused[position] = event.reason
            sheet.pop(position, None)
    _not_done(some, event.coder)


def _not_done(some: Round, coder: str) -> None:
    """Who answers again has to submit again: another question may be asked because of it."""
    if coder in some.submitted:
        some.submitted.remove(coder)


@on(Submitted)
def _submitted(state: State, event: Submitted, stamp: Stamp) -> None:
    _round(state, event.round).submitted.append(event.coder)


@on(RoundClosed)
def _round_closed(state: State, event: RoundClosed, stamp: Stamp) -> None:
    epoch, some = state.epoch, _round(state, event.number)
    current, made = merged(state, some)
    epoch.current.update(current)
    epoch.made.update(made)
    some.closed, some.closed_seq = stamp[0], state.seq
    settle_orders(epoch)
    epoch.ending = Ending(state.seq, "round")
    for question in some.questions:
        torn = compared(epoch, question, some.items).conflicting
        known = epoch.conflicts.setdefault(question, {})
        items = range(some.n_items) if some.items is None else some.items
        for item in known.keys() & set(items) if known else ():
            if known[item].ended is None:
                known[item].ended = epoch.ending
        known.update((item, Conflict(state.seq)) for item in torn)


@on(Compared)
def _compared(state: State, event: Compared, stamp: Stamp) -> None:
    _round(state, event.round).comparison = {q: dict(n) for q, n in event.counts.items()}


@on(ReannotationOrdered)
def _reannotation_ordered(state: State, event: ReannotationOrdered, stamp: Stamp) -> None:
    state.epoch.orders.append(
        Order(
            event.order,
            event.trigger,
            event.toolbox,
            event.questions,
            sorted(_positions(state, event.items)) if event.items else None,
            event.narrowed,
            event.cases,
            stamp[0],
            seq=state.seq,
        )
    )


@on(OrderWaived)
def _order_waived(state: State, event: OrderWaived, stamp: Stamp) -> None:
    for order in state.epoch.orders:
        if order.number == event.order:
            order.state, order.waived = OrderState.WAIVED, event.reason
            order.waived_seq = state.seq
