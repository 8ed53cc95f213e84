"""How many items an interval, or the test of a model, needs."""

from __future__ import annotations

from collections.abc import Iterator

from ..fields import FIELDS, Field, columns
from ..inference.planning import ItemPlan
from ..models.standing_in.planning import AlternativePlan
from .document import Block, Prose, Table
from .view import view

__all__ = ["items_needed"]


@view("items", of="plan", title="Items needed", place=20)
def items_needed(found: ItemPlan | AlternativePlan) -> Iterator[Block]:
    """The answer in a sentence, and what it rests on."""
    sentence = found.sentence
    yield Prose(f"{sentence[:1].upper()}{sentence[1:]}.", "headline")
    yield Table("", _keys(found), tuple(found.to_rows()), depth="detail", keep=("n_items",))


def _keys(found: ItemPlan | AlternativePlan) -> tuple[Field, ...]:
    if isinstance(found, ItemPlan):
        value = FIELDS["value"].called("expected value", help="")
        careful = columns("n_items_cautious") if found.n_items_cautious else ()
        return (*columns("coefficient"), value, *columns("width n_coders n_items"), *careful)
    passes = FIELDS["power"].called("probability of passing", key="chance")
    return (*columns("n_humans advantage human_advantage epsilon n_items"), passes)
