"""How many items are needed: for an interval, and for the alternative annotator test."""

from __future__ import annotations

from collections.abc import Iterator

from ..inference.sample_size import ItemPlan
from ..models.alternative_test.noninferiority import AlternativePlan
from .blocks import Block, Prose, Table
from .view import view

__all__ = ["items_for_a_test", "items_for_an_interval"]


@view("plan", of="items_needed", title="Items needed", place=10)
def items_for_an_interval(part: ItemPlan) -> Iterator[Block]:
    """The number of items, and what it rests on."""
    yield Prose(str(part))
    keys = "coefficient value width n_items n_items_cautious n_coders basis"
    yield Table.of(keys, part.to_rows(), depth="detail")


@view(
    "plan", of="alternative_test_items", title="Items for the alternative annotator test", place=10
)
def items_for_a_test(part: AlternativePlan) -> Iterator[Block]:
    """The number of items, and what it rests on."""
    yield Prose(str(part))
    keys = "n_humans advantage human_advantage epsilon n_items chance"
    yield Table.of(keys, part.to_rows(), depth="detail")
