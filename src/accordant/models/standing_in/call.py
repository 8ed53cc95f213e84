"""The public call: models beside the humans whose place they might take."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral
from typing import Any

import numpy as np

from ...errors import RequestError
from ...measure.distances import WeightsLike
from ...measure.measures import measures
from ...measure.weights_file import weights_of
from ...validation import checked
from .aligning import Alignment, nearer, unmoved
from .alternative import FEW, Epsilon, ModelTest, epsilons, model_test
from .rejecting import share_of
from .result import ModelAsCoder
from .sides import Sides, sides
from .tables import tables

__all__ = ["model_as_coder"]


@checked
def model_as_coder(
    data: Any,
    models: Any,
    *,
    humans: Sequence[str] | None = None,
    epsilon: Epsilon = 0.1,
    alignment: Alignment = "accuracy",
    q: float = 0.05,
    min_items: int = 30,
    few: str = "exact",
    coefficient: str = "alpha",
    weights: WeightsLike | None = None,
    level: float = 0.95,
    **reading: Any,
) -> ModelAsCoder:
    """May a model stand in for a human coder? The alternative annotator test, and agreement."""
    q, level = share_of("q", q), share_of("level", level)
    if isinstance(min_items, bool) or not isinstance(min_items, Integral) or min_items < 0:
        raise RequestError(f"a whole number from 0 up, not {min_items!r}", parameter="min_items")
    if few not in FEW:
        known = ", ".join(map(repr, FEW))
        raise RequestError(f"choose one of {known}, not {few!r}", parameter="few")
    if not isinstance(coefficient, str):
        raise RequestError(
            f"the name of one coefficient, not {coefficient!r}", parameter="coefficient"
        )
    measure, weights = measures(coefficient)[0], weights_of(weights)
    found = sides(data, models, humans, measure, weights, reading)
    made = tables(found, level)
    loss = epsilons(epsilon, found.humans)
    how = {"q": q, "min_items": int(min_items), "few": few, "level": level}
    signs = nearer(found, found.said, alignment)
    named = alignment if isinstance(alignment, str) else getattr(alignment, "__name__", "function")
    return ModelAsCoder(
        found.data.questions[0] or None,
        found,
        _tests(found, found.models, signs, loss, how),
        _yardstick(found, alignment, loss, how),
        made,
        named,
        epsilon,
        signs=signs,
        **how,
    )


def _tests(
    found: Sides, names: Sequence[str], signs: Any, loss: Any, how: dict[str, Any]
) -> tuple[ModelTest, ...]:
    return tuple(
        model_test(name, signs[:, m], found.item, found.human, found.humans, loss, **how)
        for m, name in enumerate(names)
    )


def _yardstick(
    found: Sides, alignment: Alignment, loss: Any, how: dict[str, Any]
) -> tuple[ModelTest, ...]:
    """The test of models that always give the same label."""
    if callable(alignment):  # a function may be dear, and is asked for the models only
        return ()
    labels = unmoved(found, alignment)
    said = np.broadcast_to(labels, (found.n_items, len(labels)))
    names = [f"always {found.counts.values[k]}" for k in labels.tolist()]
    return _tests(found, names, nearer(found, said, alignment), loss, how)
