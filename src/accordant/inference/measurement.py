"""One coefficient of counts with its uncertainty: an answer with all its ingredients."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from ..actions import Action
from ..arrays import Floats
from ..counts.counts import Counts
from ..errors import RequestError
from ..measure.coefficient_value import Agreement
from ..measure.distances import WeightsLike, default_weights, weights_for
from ..measure.ratings import RatingCoefficient
from ..measure.registry import Coefficient, chance_corrected
from ..measure.sets import unranked
from ..measure.undefined import why_undefined
from ..measure.weights import Weights
from ..scheme import Scheme
from .intervals import Uncertainty, uncertainty
from .settings import Settings

SIMULATIONS = 1000  # where expected agreement cannot be computed, if nobody says how many


def fitting_weights(
    counts: Counts, scheme: Scheme, weights: WeightsLike | None = None, *, metric: bool = False
) -> Weights:
    """The weights asked for, by default those that fit the scale (``metric`` for alpha)."""
    if weights is None and counts.of_sets:
        return weights_for("masi" if metric else "identity", counts)
    if isinstance(weights, str) and ":" in weights and counts.of_sets and not scheme.ranked:
        raise RequestError(
            f"{weights!r} need labels in the order of their rank, and these are not ranked",
            parameter="weights",
            do=[Action("", {"layout": "ranked"}, "if the first label is the primary one")],
        )
    wanted = default_weights(scheme.scale, metric=metric) if weights is None else weights
    return weights_for(wanted, counts, ordered=scheme.declared or scheme.scale != "nominal")


def weights_of(
    coefficient: Coefficient, counts: Counts, scheme: Scheme, weights: WeightsLike | None
) -> Weights:
    """The weights that a coefficient takes where ``weights`` are asked for of all."""
    wanted = weights
    if coefficient.fixed_weights:
        wanted = coefficient.of_sets
    elif weights is None and not coefficient.corrected:
        wanted = "identity"  # the percentage that everybody can check, whatever the scale
    elif weights is None and (counts.of_sets or coefficient.only_sets):
        wanted = coefficient.of_sets
    return fitting_weights(counts, scheme, wanted, metric=coefficient.per_value)


def compared(
    coefficient: Coefficient, counts: Counts, scheme: Scheme, weights: WeightsLike | None
) -> tuple[Counts, Weights]:
    """The counts and the weights: ranked labels are one set unless the weights use the ranks."""
    ranked = callable(weights) or (isinstance(weights, str) and ":" in weights)
    if not ranked or coefficient.fixed_weights:
        counts = unranked(counts)
    return counts, weights_of(coefficient, counts, scheme, weights)


def measure(
    coefficient: Coefficient,
    counts: Counts,
    scheme: Scheme,
    weights: WeightsLike | None,
    settings: Settings,
    question: str | None = None,
) -> Agreement:
    """One coefficient of counts, with its uncertainty.

    Where the expected agreement of label draw and of soft-match is simulated, the error of that
    adds to the standard error.
    """
    counts, w = compared(coefficient, counts, scheme, weights)
    found = coefficient.parts(counts, w)
    observed, expected, value = (float(x) for x in (found.observed, found.expected, found.value))
    why = why_undefined(coefficient, counts, observed, expected)
    drawn = None if why else _simulated(coefficient, counts, w, settings)
    shift, more, error, note = 0.0, 0.0, math.nan, None
    if drawn is not None:
        exact, expected = value, float(drawn.mean())
        error = float(drawn.std(ddof=1) / np.sqrt(len(drawn)))
        value = float(chance_corrected(np.asarray(observed), np.asarray(expected)))
        moves = abs((1 - observed) / (1 - expected) ** 2) * error if expected < 1 else math.nan
        shift, more = value - exact, moves**2
        note = (
            f"expected agreement from {len(drawn):,} simulations, with a standard error of "
            f"{error:.2g}, which moves the value by {moves:.2g}"
        )
    if isinstance(coefficient, RatingCoefficient) and settings.method != "bootstrap":
        from .rating_intervals import rating_uncertainty  # for measurements only

        nothing = Uncertainty()
        sure = nothing if why else rating_uncertainty(coefficient, counts, value, settings)
    else:
        sure = uncertainty(coefficient, counts, w, value, settings, shift=shift, more=more)
    sure = replace(sure, note="; ".join(x for x in (sure.note, note) if x) or None)
    return Agreement(
        question=question,
        coefficient=coefficient.key,
        weights=w.name,
        value=value,
        observed=observed,
        expected=expected,
        level=settings.level,
        null=settings.null,
        n_items=int(counts.n_items),
        n_pairable=int(counts.n_pairable),
        n_coders=counts.n_coders,
        n_values=counts.n_values,
        n_annotations=int(counts.n_annotations),
        undefined=why,
        expected_error=error,
        **vars(sure),
    )


def _simulated(coefficient: Coefficient, counts: Counts, w: Weights, s: Settings) -> Floats | None:
    """Simulated expected agreement, where it is asked for or nothing else is known."""
    seen = coefficient.view(counts, w)
    if coefficient.simulated_by is None:
        return None
    too_many = coefficient.simulated_if is not None and coefficient.simulated_if(seen[0])
    n = s.n_simulations or (SIMULATIONS if too_many else None)
    if n is None:
        return None
    rng = np.random.default_rng(0 if s.rng is None else s.rng)
    return coefficient.simulated_by(*seen, n, rng, s.progress)
