"""Not annotating again what an order covers, for a written reason that the report prints."""

from __future__ import annotations

from ...errors import unknown
from ..events.rounds import OrderWaived
from ..guards.cases import given
from ..guards.guard import require
from ..refusal import Unmet
from ..staleness import is_drastic, order_state
from ..state import State
from ..words import OrderState, Role, Step
from .command import Events, command

__all__ = ["waive_order"]


@command(
    "order waive", "do without a re-annotation that is ordered", typed="reannotate",
    roles=(Role.RESEARCHER,),
    steps=(Step.TASK, Step.ALIGNMENT, Step.COMPARISON, Step.RESOLUTION),
)  # fmt: skip
def waive_order(state: State, by: str, *, order: int, reason: str) -> Events:
    """Do without a re-annotation; what the order covers counts as it is.

    Parameters
    ----------
    state : State
    by : str
        A researcher.
    order : int
    reason : str
        Why nothing has to be annotated again: printed with every release.
    """
    orders = {one.number: one for one in state.epoch.orders}
    if order not in orders:
        raise unknown("order", order, orders, "the project has")
    unmet = given(reason)
    now = order_state(state.epoch, orders[order])
    if now != OrderState.OPEN:
        unmet.append(Unmet("order_open", f"order {order} is {now} already"))
    if is_drastic(state, orders[order]):
        says = f"order {order} follows from a drastic change: everything is to be annotated again"
        unmet.append(Unmet("order_waivable", says, "open a round"))
    require(f"waiving order {order}", unmet)
    return [OrderWaived(order, reason.strip())]
