"""One coefficient of counts with its uncertainty: an answer with all its ingredients."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..actions import Action
from ..counts.counts import Counts
from ..errors import RequestError
from ..measure.distances import WeightsLike, default_weights, weights_for
from ..measure.measures import Measure
from ..measure.registry import Coefficient, chance_corrected
from ..measure.results import Agreement
from ..measure.sets import unranked
from ..measure.undefined import why_undefined
from ..measure.weights import Weights
from ..scheme import Scheme
from .intervals import uncertainty
from .settings import Settings

__all__ = ["Simulation", "compared", "fitting_weights", "measure", "undoubted", "weights_of"]


@dataclass(frozen=True)
class Simulation:
    """Expected agreement from simulated coders, where a coefficient knows how they behave.

    Parameters
    ----------
    n : int
        How often the data set is simulated.
    rng : int or Generator, optional
        Seed.
    progress : callable, optional
        Called with (done, total).
    """

    n: int = 1000
    rng: Any = None
    progress: Callable[[int, int], None] | None = None


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


def undoubted(
    wanted: Iterable[Measure],
    parts: Iterable[tuple[str | None, Scheme, Counts]],
    weights: WeightsLike | None,
) -> list[Measure]:
    """The measures that can be reported of every part: a question, its scheme and its counts."""
    parts = list(parts)
    return [
        m
        for m in wanted
        if m.coefficient.doubt_of is None
        or not any(
            m.coefficient.doubt(*compared(m.coefficient, counts, scheme, m.weighed(weights)))
            for _, scheme, counts in parts
        )
    ]


def measure(
    coefficient: Coefficient,
    counts: Counts,
    scheme: Scheme,
    weights: WeightsLike | None,
    settings: Settings,
    question: str | None = None,
    simulation: Simulation | None = None,
) -> Agreement:
    """One coefficient of counts, with its uncertainty.

    With a ``simulation`` the expected agreement of label draw and of soft-match comes from it,
    and its error adds to the standard error.
    """
    counts, w = compared(coefficient, counts, scheme, weights)
    found = coefficient.parts(counts, w)
    observed, expected, value = (float(x) for x in (found.observed, found.expected, found.value))
    why = why_undefined(coefficient, counts, observed, expected)
    drawn = None if why else _simulated(coefficient, counts, w, simulation)
    shift, more, error, note = 0.0, 0.0, math.nan, None
    if drawn is not None:
        exact, (expected, error) = value, drawn
        value = float(chance_corrected(np.asarray(observed), np.asarray(expected)))
        moves = abs((1 - observed) / (1 - expected) ** 2) * error if expected < 1 else math.nan
        shift, more = value - exact, moves**2
        note = (
            f"expected agreement from {simulation.n if simulation else 0:,} simulations, with a "
            f"standard error of {error:.2g}, which moves the value by {moves:.2g}"
        )
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


def _simulated(
    coefficient: Coefficient, counts: Counts, w: Weights, s: Simulation | None
) -> tuple[float, float] | None:
    """Expected agreement by simulation, and its standard error."""
    if s is None or coefficient.simulated_by is None:
        return None
    rng = np.random.default_rng(s.rng)
    draws = coefficient.simulated_by(*coefficient.view(counts, w), s.n, rng, s.progress)
    return float(draws.mean()), float(draws.std(ddof=1) / np.sqrt(s.n))
