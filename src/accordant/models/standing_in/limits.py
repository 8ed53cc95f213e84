"""Whom models that pass the test may still not stand in for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ...diagnosis.words import listed

if TYPE_CHECKING:
    from .result import ModelAsCoder

__all__ = ["not_for"]

MOST = 8  # names in a sentence


def not_for(found: ModelAsCoder, models: Iterable[str]) -> tuple[str, ...]:
    """A sentence for all models that lose beside the same humans; none where they lose nowhere.

    Parameters
    ----------
    found : ModelAsCoder
    models : iterable of str
        Models that passed.

    Returns
    -------
    tuple of str

    Examples
    --------
    >>> import accordant as ac
    >>> from accordant.data import examples
    >>> beside = ac.model_as_coder(
    ...     examples.load("crowd"), examples.path("crowd_models"), epsilon="crowd"
    ... )
    >>> print(not_for(beside, ["model B"])[0][:33])
    “model B” may not replace “c01”,
    """
    beside: dict[tuple[str, ...], list[str]] = {}
    for model in models:
        lost = tuple(t.human for t in found[model].tested if not t.beaten)
        if lost:
            beside.setdefault(lost, []).append(model)
    return tuple(
        f"{listed(alike, most=MOST)} may not replace {listed(humans, most=MOST)}."
        for humans, alike in beside.items()
    )
