"""What to compute about uncertainty, checked before any work is done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from ..errors import RequestError

Method: TypeAlias = Literal["auto", "analytic", "bootstrap", "none"]
Alternative: TypeAlias = Literal["two-sided", "greater", "less"]


@dataclass(frozen=True)
class Settings:
    """How uncertainty is computed.

    Parameters
    ----------
    method : {'auto', 'analytic', 'bootstrap', 'none'}
        'auto' takes the score interval where few items decide, else the delta method, and says
        which. 'analytic' is Gwet's linearisation with a t interval. The delta method is the same
        where every item has two annotations; where some have one, it treats their number as
        sampled too, and agrees with the bootstrap while Gwet's formulas give wider intervals.
        'bootstrap' draws items. A coefficient without a formula is always bootstrapped.
    level : float
        Confidence level, between 0 and 1.
    null : float
        Value that the p-value tests against.
    alternative : {'two-sided', 'greater', 'less'}
    population : float
        Number of items that the sample comes from; infinite if there is no end to them.
    sampled_coders : bool
        Whether the coders are a sample too: adds the variance between coders.
    n_resamples : int
    rng : int, Generator or None
        Seed of resamples and simulations. Without one a seed is drawn for the bootstrap, and
        stands here from then on, so that the call can be repeated.
    n_simulations : int or None
        How often the chance of label draw and soft-match is simulated; None if it is computed.
    progress : callable, optional
        Called with (done, total) during long work.
    """

    method: Method = "analytic"
    level: float = 0.95
    null: float = 0.0
    alternative: Alternative = "two-sided"
    population: float = np.inf
    sampled_coders: bool = False
    n_resamples: int = 2000
    rng: Any = None
    n_simulations: int | None = None
    progress: Callable[[int, int], None] | None = None

    def __post_init__(self) -> None:
        chosen = (("interval", self.method, Method), ("alternative", self.alternative, Alternative))
        for what, given, kind in chosen:
            if given not in get_args(kind):
                allowed = ", ".join(get_args(kind))
                raise RequestError(f"choose one of {allowed}, not {given!r}", parameter=what)
        if self.method == "bootstrap" and (self.sampled_coders or np.isfinite(self.population)):
            raise RequestError(
                "the bootstrap draws from an endless population of items and keeps the coders: "
                "choose 'analytic' for a finite population or for sampled coders"
            )
        if self.rng is None and (self.method == "bootstrap" or self.n_simulations):
            object.__setattr__(self, "rng", int(np.random.SeedSequence().generate_state(1)[0]))
        try:
            np.random.default_rng(self.rng)
        except (TypeError, ValueError):
            raise RequestError(
                f"a whole number from 0 up or a numpy Generator, not {self.rng!r}", parameter="seed"
            ) from None

    @property
    def seed(self) -> int | None:
        """The number that repeats the resamples; None if a generator was given, or none is used."""
        return int(self.rng) if isinstance(self.rng, Integral) else None


def number_of(what: str, given: Any) -> float:
    """A number that was asked for, which is a number."""
    if isinstance(given, bool) or not isinstance(given, Real) or np.isnan(float(given)):
        raise RequestError(f"{what} must be a number, not {given!r}")
    return float(given)
