"""Which annotations are stale: made under an earlier toolbox than an open order asks for.

Stale is computed, never typed in: an annotation is stale if and only if an open order covers its
item and question and it was made before the toolbox of that order.
"""

from __future__ import annotations

from collections.abc import Iterable

from .state import NONE, Epoch, Order, State
from .terms import Change, Guidelines, OrderState
from .toolbox import written_with

Stale = dict[tuple[str, str], set[int]]
"""Question and coder → positions of the items."""


def _stale(epoch: Epoch, order: Order) -> Stale:
    """Annotations in the scope of an order that were made under an earlier toolbox."""
    columns = [(q, c) for q in order.questions for c in epoch.current.get(q, {})]

    def early(question: str, coder: str, items: Iterable[int]) -> set[int]:
        codes, made = epoch.current[question][coder], epoch.made[question][coder]
        n = len(codes)
        return {i for i in items if i < n and codes[i] != NONE and made[i] < order.toolbox}

    def anew() -> Stale:
        everything = range(max((len(epoch.current[q][c]) for q, c in columns), default=0))
        return {
            at: early(*at, everything if order.items is None else order.items) for at in columns
        }

    def renewed(found: Stale, items: Iterable[int]) -> Stale:
        for question, coder in columns:
            known = found.setdefault((question, coder), set())
            known.difference_update(items)
            some = (item for item in items if order.covers(item, question))
            known.update(early(question, coder, some))
        return found

    kept: Stale = epoch.kept(f"stale under order {order.number}", anew, renewed)
    return kept


def order_state(epoch: Epoch, order: Order) -> OrderState:
    """Where an order stands: done as soon as nothing in its scope is stale.

    Parameters
    ----------
    epoch : Epoch
        To which the order belongs.
    order : Order
    """
    if order.state != OrderState.OPEN:
        return order.state
    return OrderState.OPEN if stale_under(epoch, order) else OrderState.DONE


def stale_under(epoch: Epoch, order: Order) -> int:
    """How many annotations in the scope of an order were made under an earlier toolbox."""
    return sum(map(len, _stale(epoch, order).values()))


def open_orders(state: State) -> list[Order]:
    """Orders that are still to be carried out, or waived."""
    epoch = state.epoch
    return [o for o in epoch.orders if order_state(epoch, o) == OrderState.OPEN]


def settle_orders(epoch: Epoch) -> None:
    """Remember which orders are done, so that nobody looks again. Only folds call this.

    What an order covers never becomes stale under it again, since toolboxes only grow newer.
    """
    for order in epoch.orders:
        order.state = order_state(epoch, order)


def stale_items(epoch: Epoch, question: str, coder: str) -> set[int]:
    """Positions of the items whose annotation by a coder is stale; not to be changed."""
    orders = [o for o in epoch.orders if o.state == OrderState.OPEN and question in o.questions]
    each = [_stale(epoch, order).get((question, coder), set()) for order in orders]
    return each[0] if len(each) == 1 else set[int]().union(*each)


def stale_counts(epoch: Epoch) -> dict[str, int]:
    """Number of stale annotations of each question that has any.

    Returns
    -------
    dict of str to int

    Examples
    --------
    >>> stale_counts(Epoch(1))
    {}
    """
    counts = {
        question: sum(len(stale_items(epoch, question, coder)) for coder in columns)
        for question, columns in epoch.current.items()
    }
    return {question: n for question, n in counts.items() if n}


def orders_over(epoch: Epoch, item: int, question: str) -> list[Order]:
    """Open orders for which an annotation of this cell is still stale: its case has to wait."""
    covering = _covering(epoch, item, question)
    if not covering:
        return []
    codes, made = epoch.current.get(question, {}), epoch.made.get(question, {})
    oldest = min(
        (made[c][item] for c in codes if item < len(codes[c]) and codes[c][item] != NONE),
        default=covering[-1].toolbox,
    )
    return [order for order in covering if oldest < order.toolbox]


def _covering(epoch: Epoch, item: int, question: str) -> list[Order]:
    return [
        order
        for order in epoch.orders
        if order.state == OrderState.OPEN and order.covers(item, question)
    ]


def is_drastic(state: State, order: Order) -> bool:
    """Whether an order stands because the guidelines changed drastically: it cannot be waived."""
    made = written_with(state.epoch, state.toolboxes[order.toolbox - 1])
    return isinstance(made, Guidelines) and made.change is Change.DRASTIC
