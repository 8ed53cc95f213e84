"""What is to be annotated again after a change, unless that is waived for a written reason."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .case_state import Case
from .case_table import given
from .causes import CAUSES
from .cells import dependents
from .command import Asked, Events, Lack, Unmet, command, guard, require
from .event import Event, Stamp, on
from .items import positions_of
from .sentences import counted, listing
from .staleness import is_drastic, order_state
from .state import Order, State
from .terms import CaseState, Change, OrderState, Role, Step
from .toolbox import since_last_round
from .wording import all_known


class ReannotationOrdered(Event, frozen=True, tag="reannotation ordered"):
    """What must be annotated again because the toolbox changed, agreed cells included."""

    says = (
        "re-annotation {order} is owed, agreed items included: {scope} on {questions:question} "
        "({questions:listed}), for {trigger}"
    )
    within = "order {0.order}"

    order: int
    trigger: str  # e.g. "concept wide-scope claim, version 2"
    toolbox: int  # annotations made under an earlier toolbox (by ordinal) are stale
    questions: tuple[str, ...]
    items: tuple[str, ...] = ()  # empty: all
    narrowed: str = ""  # why the scope is narrower than the default
    cases: tuple[int, ...] = ()


class OrderWaived(Event, frozen=True, tag="order waived"):
    """An order is not carried out, for a written reason that the report prints."""

    says = "re-annotation {order} is waived"
    within = "order {0.order}"

    order: int
    reason: str


@on(ReannotationOrdered)
def _reannotation_ordered(state: State, event: ReannotationOrdered, stamp: Stamp) -> None:
    items = sorted(positions_of(state, event.items)) if event.items else None
    order = Order.of(event, number=event.order, items=items, at=stamp[0], seq=state.seq)
    state.epoch.orders.append(order)


@on(OrderWaived)
def _order_waived(state: State, event: OrderWaived, stamp: Stamp) -> None:
    for order in state.epoch.orders:
        if order.number == event.order:
            order.state, order.waived = OrderState.WAIVED, event.reason
            order.waived_seq = state.seq


@guard("scope_stated")
def _scope_stated(state: State, asked: Asked) -> Iterator[Lack]:
    """With a change: its questions are named, and why they are fewer. Else: it has an order."""
    if asked.get("narrower") and not str(asked.get("narrowed") or "").strip():
        left = asked.get("left_out") or ()
        which = f" ({listing(left)} too)" if left else ""
        says = f"no reason why less is annotated again than the change bears on{which}"
        yield Unmet("scope_stated", says, argument=True)
    if asked.keys() & {"change", "narrower"}:
        if asked.get("change") is Change.LOCAL and not asked.get("questions"):
            says = "the questions on which the local change bears are not named"
            yield Unmet("scope_stated", says, argument=True)
        return
    since = since_last_round(state)
    if since.changes or since.concepts:
        last = state.epoch.rounds[-1].toolbox
        if not any(order.toolbox > last for order in state.epoch.orders):
            yield "no order says what must be annotated again after the change"


@command(
    "order waive",
    "waive a re-annotation",
    typed="reannotate",
    roles=(Role.RESEARCHER,),
    steps=(Step.TASK, Step.ALIGNMENT, Step.COMPARISON, Step.RESOLUTION),
)
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
    all_known("order", [order], orders)
    unmet = given(reason)
    now = order_state(state.epoch, orders[order])
    if now != OrderState.OPEN:
        unmet.append(Unmet("order_open", f"order {order} is {now}"))
    if is_drastic(state, orders[order]):
        unmet.append(Unmet("order_waivable", f"order {order} follows from a drastic change"))
    require(unmet)
    return [OrderWaived(order, reason.strip())]


Wanted = Sequence[str] | None
"""None: all that the change bears on."""


def cases_mended(
    state: State,
    to: Step,
    questions: Sequence[str],
    items: Sequence[int] | None,
    concept: str = "",
) -> tuple[int, ...]:
    """Cases with an accepted cause that a change mends: a change must name them to settle them.

    Those that were returned, and others with the same kind of cause as far as their cell is in the
    scope of the change.

    Parameters
    ----------
    state : State
    to : Step
        Where the change is made: task and guidelines (a1-task, a2), or alignment (a1-concept, b).
    questions, items
        The scope; no items: all.
    concept : str
        That changes.
    """
    found = []
    for case in state.epoch.cases.values():
        if case.cause is None or CAUSES[case.cause].returns_to is not to:
            continue
        named = case.assessments[-1].evidence.concept or case.returned_for
        within = case.question in questions and (items is None or case.item in items)
        returned = case.state is CaseState.RETURNED
        waits = returned or (case.state is CaseState.CAUSE_ACCEPTED and within)
        if waits and (to is not Step.ALIGNMENT or named in ("", concept)):
            found.append(case.number)
    return tuple(found)


def uncovered(
    state: State, cases: Sequence[int], questions: Sequence[str], items: Sequence[int] | None
) -> list[Unmet]:
    """Cases behind a change whose own cell would not be annotated again."""
    within = None if items is None else set(items)

    def outside(case: Case) -> bool:
        return case.question not in questions or (within is not None and case.item not in within)

    found = [number for number in cases if outside(state.epoch.cases[number])]
    if not found:
        return []
    says = f"{counted(len(found), 'case')} behind the change outside its scope ({listing(found)})"
    return [Unmet("scope_covers_cases", says)]


def ordered(
    state: State,
    trigger: str,
    questions: Sequence[str],
    items: Wanted,
    narrowed: str,
    cases: Sequence[int],
    toolbox: int,
) -> ReannotationOrdered:
    """The order for a change; questions that depend on others come with them."""
    return ReannotationOrdered(
        len(state.epoch.orders) + 1,
        trigger,
        toolbox,
        tuple(dependents(state.epoch, questions)),
        tuple(items or ()),
        narrowed.strip(),
        tuple(cases),
    )
