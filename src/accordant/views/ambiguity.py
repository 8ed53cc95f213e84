"""Opinion or error: which disagreement the errors of coders explain, and what stays with items."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..diagnosis.words import isolated, label_text
from ..numbers import count_of, percent
from .document import Block, Fold, Prose, Section
from .fitted import Fits, Fitted
from .soft_labels import ambiguous_items, counted_table, sources_table

__all__ = ["ambiguity_section"]

ERRORS = "errors of coders"


def ambiguity_section(fits: Fits) -> Section | None:
    """What each question's disagreement comes from; None where no model says so."""
    if not any(_disagrees(fits, one) for one in fits.there):
        return None
    return Section(
        "ambiguity", "Error or opinion", fits.told(_lead),
        fits.per_question(lambda one: _blocks(fits, one)),
    )  # fmt: skip


def _disagrees(fits: Fits, fitted: Fitted) -> bool:
    return bool(fitted.part.found.items.n_disputed) and fitted.believes


def _lead(fitted: Fitted) -> str:
    if not fitted.believes:
        return f"{fitted.model.name} has no error rates, so it cannot tell opinion from error."
    if not fitted.ambiguities:
        return (
            "Whether disagreement is error or ambiguity was not estimated, since it takes long "
            "with so many annotations."
        )
    each = [one for one in fitted.ambiguities if one.total > 0]
    if not each:
        return "Coders do not disagree, so there is nothing to explain."
    n = int(np.any([one.ambiguous | one.unclear for one in each], axis=0).sum())
    if len(each) == 1:
        return each[0].sentence
    shares = [one.by_coders for one in each]
    what = (
        f"{count_of(n, 'item is', 'items are')} ambiguous or hard for at least one label."
        if n
        else "no item can be called ambiguous or hard for any of them."
    )
    low, high = percent(min(shares), 0), percent(max(shares), 0)
    span = low if low == high else f"from {low} to {high}"
    return f"Label by label, {ERRORS} explain {span} of the disagreement; {what}"


def _blocks(fits: Fits, fitted: Fitted) -> Iterator[Block]:
    each = [
        (isolated(label_text(one.question)) if fitted.of_sets else "all disagreement", one)
        for one in fitted.ambiguities
        if one.total > 0
    ]
    if not each:
        yield Prose(_lead(fitted))
        return
    yield sources_table(each)
    yield counted_table(each)
    if len(each) == 1:
        yield from ambiguous_items(each[0][1])
        return
    for name, one in each:
        yield Fold(name, tuple(ambiguous_items(one)))
