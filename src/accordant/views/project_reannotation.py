"""What must be annotated again because the toolbox changed: owed, done, waived, and its effect."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..numbers import count_of, joined, percent
from ..resolution.staleness import order_state, stale_counts
from ..resolution.state import Order
from ..resolution.words import OrderState
from .blocks import Block, Prose, Table
from .document import Section
from .project_subject import Again, Subject, table
from .view import view

__all__ = ["again_section"]

AGREED_TOO = ("The scope includes answers on which coders agreed: under the old toolbox they may "
              "have agreed for different reasons.")  # fmt: skip


@view("reannotate", of="project", title="Re-annotation", place=123)
def orders(subject: Subject) -> Iterator[Block]:
    """Show what must be annotated again: owed, done or waived."""
    yield _orders(subject, "")


def _orders(subject: Subject, title: str) -> Table:
    found = subject.epoch.orders
    rows = [_order(subject, order) for order in found]
    keys = "order trigger questions items state rounds cases note"
    notes = (AGREED_TOO,) if found else ("Nothing has to be annotated again.",)
    return table(title, keys, rows, *notes, keep=("order", "trigger", "state", "questions"))


def _order(subject: Subject, order: Order) -> dict[str, Any]:
    rounds = [r.number for r in subject.epoch.rounds if order.number in r.orders]
    notes = {"narrowed": order.narrowed, "waived": order.waived}
    return {
        "order": order.number,
        "trigger": order.trigger,
        "questions": joined(order.questions, most=30),
        "items": len(subject.state.items.ids if order.items is None else order.items),
        "state": order_state(subject.epoch, order).value,
        "rounds": joined(f"round {n}" for n in rounds),
        "cases": joined(map(str, order.cases), most=20),
        "note": "; ".join(f"{what}: {why}" for what, why in notes.items() if why),
    }


def again_section(subject: Subject) -> Section | None:
    """Orders to annotate again, and the rounds that carried them out; None if there were none."""
    if not subject.epoch.orders:
        return None
    return Section("again", "Re-annotation", _lead(subject), tuple(_blocks(subject)))


def _lead(subject: Subject) -> str:
    found = subject.epoch.orders
    states = [order_state(subject.epoch, order) for order in found]
    each = (OrderState.DONE, OrderState.OPEN, OrderState.WAIVED)
    told = joined(f"{states.count(s):,} {s}" for s in each if s in states)
    text = f"{count_of(len(found), 'order')} to annotate again: {told}."
    agreed, changed = (sum(getattr(a, k) for a in _shown(subject)) for k in ("agreed", "changed"))
    if agreed:
        text += (f" Of {count_of(agreed, 'answer')} on which coders had agreed before, {changed:,} "
                 f"({percent(changed / agreed)}) changed.")  # fmt: skip
    return text


def _shown(subject: Subject) -> list[Again]:
    """What rounds changed, without questions that are being annotated once more."""
    now, hides = subject.epoch.number, subject.sight.hides_some
    return [a for a in subject.history.again if a.epoch == now and not hides(a.question)]


def _blocks(subject: Subject) -> Iterator[Block]:
    yield _orders(subject, "Orders")
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


def _changed(subject: Subject) -> Table:
    rows = [
        {
            "what": f"round {a.round}, question {a.question}",
            "agreed": a.agreed, "kept": a.kept, "other": a.other, "torn": a.torn,
            "lost": a.lost or None, "share": a.changed / a.agreed if a.agreed else float("nan"),
            "conflicting": a.conflicting, "settled": a.settled,
        }
        for a in _shown(subject)
    ]  # fmt: skip
    keys = "what agreed kept other torn lost share conflicting settled"
    return table("What annotating again changed, by item and question", keys, rows)
