"""How many items are needed for an interval."""

from __future__ import annotations

from collections.abc import Iterator

from ..inference.sample_size import ItemPlan
from .blocks import Block, Prose, Table
from .view import view

__all__ = ["items_for_an_interval"]


@view("plan", of="items_needed", title="Items needed", place=10)
def items_for_an_interval(part: ItemPlan) -> Iterator[Block]:
    """The number of items, and what it rests on."""
    yield Prose(str(part))
    keys = "coefficient value width n_items n_items_cautious n_coders basis"
    yield Table.of(keys, part.to_rows(), depth="detail")
