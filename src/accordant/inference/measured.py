"""One coefficient of counts with its uncertainty: an answer with all its ingredients."""

from __future__ import annotations

from ..counts.counts import Counts
from ..measure.distances import WeightsLike, default_weights, weights_for
from ..measure.registry import Coefficient
from ..measure.results import Agreement
from ..measure.undefined import why_undefined
from ..measure.weights import Weights
from ..scheme import Scheme
from .intervals import uncertainty
from .settings import Settings

__all__ = ["fitting_weights", "measure"]


def fitting_weights(
    counts: Counts, scheme: Scheme, weights: WeightsLike | None = None, *, metric: bool = False
) -> Weights:
    """The weights asked for, by default those that fit the scale (``metric`` for alpha)."""
    wanted = default_weights(scheme.scale, metric=metric) if weights is None else weights
    return weights_for(wanted, counts, ordered=scheme.declared or scheme.scale != "nominal")


def measure(
    coefficient: Coefficient,
    counts: Counts,
    scheme: Scheme,
    weights: WeightsLike | None,
    settings: Settings,
    question: str | None = None,
) -> Agreement:
    """One coefficient of counts, with its uncertainty."""
    if weights is None and not coefficient.corrected:
        weights = "identity"  # the percentage that everybody can check, whatever the scale
    w = fitting_weights(counts, scheme, weights, metric=coefficient.per_value)
    found = coefficient.parts(counts, w)
    observed, expected, value = (float(x) for x in (found.observed, found.expected, found.value))
    sure = uncertainty(coefficient, counts, w, value, settings)
    return Agreement(
        question=question,
        coefficient=coefficient.key,
        weights=w.name,
        value=value,
        observed=observed,
        expected=expected,
        se=sure.se,
        low=sure.low,
        high=sure.high,
        level=settings.level,
        method=sure.method,
        null=settings.null,
        p_value=sure.p_value,
        n_items=int(counts.n_items),
        n_pairable=int(counts.n_pairable),
        n_coders=counts.n_coders,
        n_values=counts.n_values,
        n_annotations=int(counts.n_annotations),
        undefined=why_undefined(coefficient, counts, observed, expected),
        n_undefined_resamples=sure.n_undefined_resamples,
        note=sure.note,
    )
