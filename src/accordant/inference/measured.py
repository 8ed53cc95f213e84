"""One coefficient of counts with its uncertainty: an answer with all its ingredients."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..counts.counts import Counts
from ..errors import RequestError
from ..measure.distances import WeightsLike, default_weights, weights_for
from ..measure.registry import Coefficient, chance_corrected
from ..measure.results import Agreement
from ..measure.undefined import why_undefined
from ..measure.weights import Weights
from ..scheme import Scheme
from .intervals import uncertainty
from .settings import Settings

__all__ = ["Simulation", "fitting_weights", "measure", "weights_of"]


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

    def __post_init__(self) -> None:
        if isinstance(self.n, bool) or not isinstance(self.n, int | np.integer) or self.n < 2:
            raise RequestError(f"the number of simulations must be 2 or more, not {self.n!r}")


def fitting_weights(
    counts: Counts, scheme: Scheme, weights: WeightsLike | None = None, *, metric: bool = False
) -> Weights:
    """The weights asked for, by default those that fit the scale (``metric`` for alpha)."""
    if weights is None and counts.of_sets:
        return weights_for("masi" if metric else "identity", counts)
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

    With a ``simulation`` the expected agreement of label draw and of soft-match comes from it;
    the standard error is that of the exact value, since it is about items.
    """
    w = weights_of(coefficient, counts, scheme, weights)
    found = coefficient.parts(counts, w)
    observed, expected, value = (float(x) for x in (found.observed, found.expected, found.value))
    sure = uncertainty(coefficient, counts, w, value, settings)
    made = Agreement(
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
    if simulation is None or coefficient.simulated_by is None or np.isnan(value):
        return made
    return _simulated(made, coefficient, counts, w, simulation)


def _simulated(
    exact: Agreement, coefficient: Coefficient, counts: Counts, w: Weights, s: Simulation
) -> Agreement:
    """The answer with simulated chance; the interval moves with the value."""
    if coefficient.simulated_by is None:
        return exact
    rng = np.random.default_rng(s.rng)
    draws = coefficient.simulated_by(*coefficient.view(counts, w), s.n, rng, s.progress)
    expected, error = float(draws.mean()), float(draws.std(ddof=1) / np.sqrt(s.n))
    value = float(chance_corrected(np.asarray(exact.observed), np.asarray(expected)))
    moved = value - exact.value
    slope = (1 - exact.observed) / (1 - expected) ** 2 if expected < 1 else np.nan
    note = (
        f"expected agreement from {s.n:,} simulations, with a standard error of {error:.2g}, "
        f"which moves the value by {abs(slope) * error:.2g}"
    )
    return replace(
        exact,
        expected=expected,
        value=value,
        low=exact.low + moved,
        high=min(exact.high + moved, 1.0),
        expected_error=error,
        note="; ".join(x for x in (exact.note, note) if x),
    )
