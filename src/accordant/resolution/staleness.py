"""Which annotations are stale: made under an earlier toolbox than an open order asks for.

Stale is computed, never typed in: an annotation is stale if and only if an open order covers its
item and question and it was made before the toolbox of that order.
"""

from __future__ import annotations

from .records import Guidelines
from .state import NONE, Epoch, Order, State
from .toolbox import written_with
from .words import Change, OrderState

__all__ = [
    "is_drastic", "needed", "open_orders", "order_state", "orders_over", "sent_back",
    "settle_orders", "stale_counts", "stale_items", "stale_under",
]  # fmt: skip

Needed = tuple[int, dict[int, int]]
"""Ordinal of the toolbox that annotations of a question need; for some items, another one."""


def _stale_in(epoch: Epoch, question: str, coder: str, need: Needed) -> list[int]:
    everywhere, there = need
    codes = epoch.current.get(question, {}).get(coder, [])
    made = epoch.made.get(question, {}).get(coder, [])
    found: list[int] = []
    if everywhere:
        pairs = enumerate(zip(codes, made, strict=True))
        found = [i for i, (code, when) in pairs if code != NONE and when < everywhere]
    if there:
        seen = set(found)
        found += [
            i
            for i, ordinal in there.items()
            if i < len(codes) and codes[i] != NONE and made[i] < ordinal and i not in seen
        ]
    return found


def _scope(order: Order) -> Needed:
    if order.items is None:
        return order.toolbox, {}
    return 0, dict.fromkeys(order.items, order.toolbox)


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
    need = _scope(order)
    return sum(
        len(_stale_in(epoch, question, coder, need))
        for question in order.questions
        for coder in epoch.current.get(question, {})
    )


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


def needed(epoch: Epoch, question: str) -> Needed:
    """Which toolbox the annotations of a question need under the orders that are open.

    Returns
    -------
    tuple of int and dict
        The ordinal for all items (0: none is needed), and by item position where it is higher.
    """
    everywhere, there = 0, dict[int, int]()
    for order in epoch.orders:
        if order.state != OrderState.OPEN or question not in order.questions:
            continue
        if order.items is None:
            everywhere = max(everywhere, order.toolbox)
        else:
            for item in order.items:
                there[item] = max(there.get(item, 0), order.toolbox)
    return everywhere, {i: n for i, n in there.items() if n > everywhere}


def stale_items(epoch: Epoch, question: str, coder: str) -> list[int]:
    """Positions of the items whose annotation by a coder is stale.

    Parameters
    ----------
    epoch : Epoch
    question, coder : str

    Returns
    -------
    list of int
    """
    return _stale_in(epoch, question, coder, needed(epoch, question))


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
    counts = {}
    for question, columns in epoch.current.items():
        need = needed(epoch, question)
        if need[0] or need[1]:
            n = sum(len(_stale_in(epoch, question, coder, need)) for coder in columns)
            if n:
                counts[question] = n
    return counts


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


def sent_back(epoch: Epoch, order: Order, question: str, since: int) -> int:
    """Number of the event after which an order has a question annotated again; 0: there is none.

    The comparison sent it back, after event ``since``, for the toolbox to be made clear.
    """
    events = epoch.sent_back.get(question, ())
    return next((seq for seq in reversed(events) if since < seq < order.seq), 0)
