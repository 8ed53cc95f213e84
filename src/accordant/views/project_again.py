"""What was annotated again: ordered, done, waived with what reason, and what it changed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..numbers import count_of, joined, percent
from ..resolution.staleness import order_state, stale_counts
from ..resolution.state import Order
from ..resolution.words import OrderState
from .document import Block, Column, Prose, Section, Table
from .project_history import Again
from .project_subject import Subject

__all__ = ["again_section"]


def again_section(subject: Subject) -> Section | None:
    """Orders to annotate again, and the rounds that carried them out; None if there were none."""
    orders = subject.epoch.orders
    if not orders:
        return None
    return Section("again", "Re-annotation", _lead(subject), tuple(_blocks(subject)))


def _lead(subject: Subject) -> str:
    orders = subject.epoch.orders
    states = [order_state(subject.epoch, order) for order in orders]
    told = joined(
        f"{states.count(state):,} {what}"
        for state, what in (
            (OrderState.DONE, "done"), (OrderState.OPEN, "open"), (OrderState.WAIVED, "waived"),
        )
        if states.count(state)
    )  # fmt: skip
    text = f"{count_of(len(orders), 'order')} to annotate again: {told}."
    shown = _shown(subject)
    agreed = sum(a.agreed for a in shown)
    if agreed:
        changed = sum(a.changed for a in shown)
        text += (
            f" Of {count_of(agreed, 'answer')} on which coders had agreed before, {changed:,} "
            f"({percent(changed / agreed)}) changed."
        )
    return text


def _shown(subject: Subject) -> list[Again]:
    """What rounds changed, without questions that are being annotated once more."""
    number = subject.epoch.number
    return [
        a
        for a in subject.history.again
        if a.epoch == number and not subject.sight.hides_some(a.question)
    ]


def _blocks(subject: Subject) -> Iterator[Block]:
    yield _orders(subject)
    if not subject.history.known:
        yield Prose("Without the log it cannot be told what a round changed.")
    elif _shown(subject):
        yield _changed(subject)
    stale = 0 if subject.sight.round else sum(stale_counts(subject.epoch).values())
    if stale:
        yield Prose(
            f"{count_of(stale, 'annotation')} {'was' if stale == 1 else 'were'} made under an "
            "earlier toolbox and must be made again before these are a ground truth."
        )


def _orders(subject: Subject) -> Table:
    rows = tuple(_order(subject, order) for order in subject.epoch.orders)
    columns = [
        Column("number", "order", "count"),
        Column("trigger", "because of"),
        Column("questions", "questions"),
        Column("items", "items", "count"),
        Column("state", "state"),
        Column("rounds", "carried out in"),
        Column("cases", "cases behind it"),
        Column("note", "narrowed or waived, because"),
    ]
    shown = [c for c in columns if c.key != "note" or any(row["note"] for row in rows)]
    notes = ("The scope includes answers on which coders agreed: under the old toolbox they may "
             "have agreed for different reasons.",)  # fmt: skip
    return Table("Orders", tuple(shown), rows, notes)


def _order(subject: Subject, order: Order) -> dict[str, Any]:
    rounds = [r.number for r in subject.epoch.rounds if order.number in r.orders]
    notes = [f"narrowed: {order.narrowed}"] if order.narrowed else []
    notes += [f"waived: {order.waived}"] if order.waived else []
    items = len(subject.state.items.ids) if order.items is None else len(order.items)
    return {
        "number": order.number,
        "trigger": order.trigger,
        "questions": joined(order.questions, most=30),
        "items": items,
        "state": order_state(subject.epoch, order).value,
        "rounds": joined(f"round {n}" for n in rounds),
        "cases": joined(map(str, order.cases), most=20),
        "note": "; ".join(notes),
    }


def _changed(subject: Subject) -> Table:
    rows = tuple(
        {
            "what": f"round {a.round}, question {a.question}",
            "agreed": a.agreed, "kept": a.kept, "other": a.other, "torn": a.torn, "lost": a.lost,
            "share": a.changed / a.agreed if a.agreed else float("nan"),
            "conflicting": a.conflicting, "settled": a.settled,
        }
        for a in _shown(subject)
    )  # fmt: skip
    columns = [
        Column("what", "round and question"),
        Column("agreed", "agreed before", "count"),
        Column("kept", "same answer", "count"),
        Column("other", "another answer", "count", "agreed again, on another answer"),
        Column("torn", "conflict now", "count"),
        Column("lost", "not compared now", "count", "declined, or no longer asked"),
        Column("share", "changed", "share", "of those that agreed before"),
        Column("conflicting", "in conflict before", "count"),
        Column("settled", "agreed now", "count", "of those in conflict before"),
    ]
    shown = [c for c in columns if c.key != "lost" or any(row["lost"] for row in rows)]
    return Table("What annotating again changed, by item and question", tuple(shown), rows)
