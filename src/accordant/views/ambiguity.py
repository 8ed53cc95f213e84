"""Coder error or ambiguous items: which disagreement the errors of coders explain."""

from __future__ import annotations

from collections.abc import Iterator

from ..diagnosis.words import isolated, label_text
from ..models.soft.ambiguity import ambiguity
from ..models.soft.ambiguous import Ambiguity
from .blocks import Block, Fold, Prose
from .fit_part import FitPart, One, part_of
from .soft_labels import ambiguous_items, counted_table, sources_table
from .view import view

__all__ = ["error_or_opinion"]


@view(
    "ambiguity", of="fit", title="Coder error or ambiguous items", chapter="ambiguity", place=188,
    help="how much disagreement the errors of coders explain, and ambiguous items",
)  # fmt: skip
def error_or_opinion(part: One | FitPart, *, level: float = 0.95) -> Iterator[Block]:
    """What disagreement comes from; of sets label by label."""
    fitted = part_of(part)
    if not fitted.believes:
        yield Prose(
            f"{fitted.model.name} has no error rates, so it cannot tell error from opinion."
        )
        return
    groups = any(one.schools for one in fitted.coders(level))
    made = ambiguity(fitted.found, schools=groups)
    every = (made,) if isinstance(made, Ambiguity) else made.each
    each = [(_name(fitted, one), one) for one in every if one.total > 0]
    if not each:
        yield Prose("Coders do not disagree, so there is nothing to explain.")
        return
    yield sources_table(each)
    yield counted_table(each)
    if len(each) == 1:
        yield from ambiguous_items(each[0][1])
        return
    for name, one in each:
        yield Fold(name, tuple(ambiguous_items(one)))


def _name(fitted: FitPart, one: Ambiguity) -> str:
    return isolated(label_text(one.question)) if fitted.of_sets else "all disagreement"
