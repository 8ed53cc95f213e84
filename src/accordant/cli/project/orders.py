"""`reannotate`: what must be annotated again because the toolbox changed."""

from __future__ import annotations

import click

from ...errors import unknown
from ...numbers import count_of, joined
from ..group import GIVEN, command
from ..options import option, output
from ..output import Output
from .acting import Acting, acting
from .shown import show_rows
from .typed import text_of

__all__ = ["reannotate"]


@command(
    examples=(
        ("accordant project reannotate", "what is owed, done, waived"),
        ("accordant project reannotate 1", "open a blind round that carries it out"),
        ("accordant project reannotate 2 --waive 'no item has the word'", "do without it, and why"),
    )
)
@click.argument("order", metavar="[ORDER]", type=int, required=False)
@option(GIVEN, "--waive", metavar="REASON", help="Do without it: the reason is printed for ever.")
@output
@acting
def reannotate(acting: Acting, order: int | None, waive: str | None, output: Output) -> None:
    """Show what must be annotated again, carry it out, or waive it.

    When a concept or a rule changes, everything it bears on is annotated again, blind, also the
    items on which coders agreed. There is no ground truth while one is owed.
    """
    from ...resolution.commands.orders import waive_order
    from ...resolution.commands.rounds import open_round
    from ...resolution.staleness import order_state

    with acting.opened(reads=order is None) as opened:
        state = opened.state
        orders = {one.number: one for one in state.epoch.orders}
        if order is not None:
            if order not in orders:
                raise unknown("re-annotation", order, orders, "there are")
            if waive is not None:
                opened.do(waive_order, order=order, reason=text_of(waive, "why"))
            else:
                opened.do(open_round, orders=[order])
            return
        rows = [
            {
                "order": one.number,
                "because of": one.trigger,
                "questions": joined(one.questions),
                "items": "all" if one.items is None else count_of(len(one.items), "item"),
                "cases": ", ".join(map(str, one.cases)),
                "state": order_state(state.epoch, one).value,
                "reason": one.waived or one.narrowed,
            }
            for one in orders.values()
        ]
        heads = ("order", "because of", "questions", "items", "cases", "state", "reason")
        show_rows(output, "Re-annotation", heads, rows, going=("reason", "cases"),
                  empty="nothing has to be annotated again")  # fmt: skip
