"""May a model stand in for a human coder? The public call, and what it returns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, get_args

import numpy as np

from ...diagnosis.finding import Finding, ranked
from ...diagnosis.words import label_text
from ...errors import unknown
from ...measure.distances import WeightsLike
from ...measure.measures import measures
from .humans_and_models import sides
from .model_comparison import ModelComparison
from .noninferiority import Epsilon, epsilons
from .replacement_findings import FINDINGS
from .winning_rate import Alignment, Few, ModelTest, Signs, constant_answers, model_test, nearer

__all__ = ["ModelAsCoder", "model_as_coder"]


@dataclass(frozen=True, eq=False, repr=False)
class ModelAsCoder(ModelComparison):
    """Models beside humans; made by `model_as_coder`. M models, H humans.

    Parameters
    ----------
    question : str or None
    sides : Sides
        Who annotated what.
    tests : tuple of ModelTest
        (M,) the alternative annotator test of each model.
    unmoved : tuple of ModelTest
        The same test of answers that never change: always the label that is nearest to the
        humans. A yardstick for how easy the test is on these data.
    alignment : str
    epsilon : float, str or mapping
    q, min_items, few, level
        As given to `model_as_coder`.
    signs : ndarray of int8
        (N, M) for each annotation of a human who was nearer to the others: 1 the human, −1 the
        model, 0 neither, 9 nothing to compare.

    Examples
    --------
    >>> import accordant as ac
    >>> right = [k % 3 for k in range(60)]
    >>> human = [[(x + (k % j == 0)) % 3 for k, x in enumerate(right)] for j in (5, 7, 9)]
    >>> names = ["Ada", "Bea", "Cem", "model"]
    >>> found = ac.model_as_coder([*human, right], ["model"], coder=names, epsilon="crowd")
    >>> found["model"].passed, found["model"].n_beaten
    (True, 3)
    """

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """Whether the models may stand in for the humans, and what must be said with it."""
        return ranked(f for told in FINDINGS for f in told(self))


def model_as_coder(
    data: Any,
    models: Any,
    *,
    humans: Sequence[str] | None = None,
    epsilon: Epsilon = 0.1,
    alignment: Alignment = "accuracy",
    q: float = 0.05,
    min_items: int = 30,
    few: Few = "exact",
    coefficient: str = "alpha",
    weights: WeightsLike | None = None,
    level: float = 0.95,
    **reading: Any,
) -> ModelAsCoder:
    """May a model stand in for a human coder? The alternative annotator test, and agreement."""
    if few not in get_args(Few):
        known = map(repr, get_args(Few))
        raise unknown("test of few items", few, known, "choose one of", parameter="few")
    found = sides(data, models, humans, measures(coefficient)[0], weights, reading)
    loss = epsilons(epsilon, found.humans)

    def tests(names: Sequence[str], signs: Signs) -> tuple[ModelTest, ...]:
        how: dict[str, Any] = {"q": q, "min_items": min_items, "few": few, "level": level}
        return tuple(
            model_test(found, name, signs[:, m], loss, **how) for m, name in enumerate(names)
        )

    signs = nearer(found, found.said, alignment)
    labels = constant_answers(found, alignment)
    always = nearer(found, np.broadcast_to(labels, (found.n_items, len(labels))), alignment)
    named = alignment if isinstance(alignment, str) else getattr(alignment, "__name__", "function")
    constant = [f"always {label_text(found.counts.values[k])}" for k in labels.tolist()]
    return ModelAsCoder(
        found.data.questions[0] or None,
        found,
        tests(found.models, signs),
        tests(constant, always),
        named,
        epsilon,
        q,
        min_items,
        few,
        level,
        signs,
    )
