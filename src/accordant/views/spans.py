"""Spans: how far each pair of coders marks the same ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..diagnosis.agreement import AgreementPart
from ..fields import columns
from ..literature import cite
from ..numbers import decimal
from .blocks import Block, Prose, Table
from .view import view

if TYPE_CHECKING:
    from ..measure.span_f1 import SpanF1

__all__ = ["of_agreement", "spans"]

MEANT = {
    "exact": "Spans match if they begin and end at the same characters",
    "overlap": "Spans match if they share a character, each with one other at most",
}
KEYS = "first second n_items n_first n_second n_matched f1"


@view(
    "spans",
    of="agreement",
    title="Agreement of spans (F1)",
    place=165,
    help="F1 of each pair of coders",
)
def of_agreement(part: AgreementPart) -> Iterator[Block]:
    """The spans of one question, matched exactly and by overlap."""
    data = part.data
    if part.question is not None and part.question in data.questions:
        data = data.of_question(part.question)
    if data.spans is None or not len(data.spans):
        yield Prose("No spans of texts were marked.")
        return
    from ..measure.span_f1 import span_f1

    yield from spans(span_f1(data))


@view(
    "spans",
    of="span_f1",
    title="Agreement of spans (F1)",
    place=10,
    help="F1 of each pair of coders, and the mean",
)
def spans(part: SpanF1) -> Iterator[Block]:
    """Each pair of coders, the mean below them."""
    same = " and have the same label" if part.labels else ""
    notes = (
        f"{MEANT[part.match]}{same}. F1 is what kappa approaches as true negatives grow: "
        f"{cite('hripcsak2005')}.",
    )
    mean = next(r.f1 for r in part.records if not r.second)
    rows = tuple(part.to_rows())
    title = f"Mean F1 of the pairs of coders: {decimal(mean)}"
    yield Table(title, columns(KEYS), rows, notes, keep=("first", "second", "f1"))
