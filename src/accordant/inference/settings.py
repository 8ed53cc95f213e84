"""What to compute about uncertainty, checked before any work is done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from ..actions import Action
from ..errors import RequestError

__all__ = ["METHODS", "Alternative", "Method", "Settings", "number_of", "size_of"]

Method: TypeAlias = Literal[
    "auto", "analytic", "delta", "large-sample", "bootstrap", "bca", "jackknife", "none"
]
Alternative: TypeAlias = Literal["two-sided", "greater", "less"]
METHODS: tuple[Method, ...] = get_args(Method)
RESAMPLED = ("bootstrap", "bca")


@dataclass(frozen=True)
class Settings:
    """How uncertainty is computed.

    Parameters
    ----------
    method : {'auto', 'analytic', 'delta', 'large-sample', 'bootstrap', 'bca', 'jackknife', 'none'}
        'auto' takes the score interval where few items decide, else 'delta', and says which.
        'analytic' is Gwet's linearisation with a t interval. 'delta' is the same where every
        item has two annotations; where some have one, it treats their number as sampled too,
        and agrees with bootstrap and jackknife while Gwet's formulas give wider intervals.
        'large-sample' is Gwet's variance with divisor n and a normal interval (for two coders
        and kappa: Fleiss, Cohen & Everitt 1969). 'bootstrap' and 'bca' draw items; 'jackknife'
        leaves each item out.
    level : float
        Confidence level, between 0 and 1.
    null : float
        Value that the p-value tests against.
    alternative : {'two-sided', 'greater', 'less'}
    population : float
        Number of items that the sample comes from; None or infinite if there is no end to them.
    sampled_coders : bool
        Whether the coders are a sample too: adds the variance between coders.
    coder_population : float
        Number of coders that the sample comes from.
    n_resamples : int
    rng : int, Generator or None
        Seed of the resamples. Without one a seed is drawn, and stands here from then on, so
        that the call can be repeated.
    progress : callable, optional
        Called with (done, total) while resamples are drawn.
    """

    method: Method = "analytic"
    level: float = 0.95
    null: float = 0.0
    alternative: Alternative = "two-sided"
    population: float = np.inf
    sampled_coders: bool = False
    coder_population: float = np.inf
    n_resamples: int = 2000
    rng: Any = None
    progress: Callable[[int, int], None] | None = None

    def __post_init__(self) -> None:
        _one_of("interval", self.method, METHODS)
        _one_of("alternative", self.alternative, get_args(Alternative))
        if not 0 < number_of("level", self.level) < 1:
            raise RequestError(f"the level must lie between 0 and 1, not {self.level}")
        if not np.isfinite(number_of("null", self.null)):
            raise RequestError(f"null must be a finite number, not {self.null}")
        for name in ("population", "coder_population"):
            object.__setattr__(self, name, size_of(name, getattr(self, name)))
        self._check_sources()
        self._check_resamples()

    @property
    def seed(self) -> int | None:
        """The number that repeats the resamples; None if a generator was given, or none is used."""
        return int(self.rng) if isinstance(self.rng, Integral) else None

    def _check_sources(self) -> None:
        if np.isfinite(self.coder_population) and not self.sampled_coders:
            raise RequestError(
                "a population of coders matters only if they are a sample",
                do=[Action("", {"sampled_coders": True})],
            )
        if self.method in RESAMPLED and (self.sampled_coders or np.isfinite(self.population)):
            raise RequestError(
                f"the {self.method} draws from an endless population of items and keeps the "
                "coders: choose 'analytic', 'delta' or 'jackknife' for a finite population or "
                "for sampled coders"
            )

    def _check_resamples(self) -> None:
        n = self.n_resamples
        if isinstance(n, bool) or not isinstance(n, Integral):
            raise RequestError(f"the number of resamples must be a whole number, not {n!r}")
        if n < 2:
            raise RequestError(f"at least 2 resamples are needed, not {n}")
        if self.rng is None and self.method in RESAMPLED:
            seed = int(np.random.SeedSequence().generate_state(1)[0])
            object.__setattr__(self, "rng", seed)
        if self.rng is None:
            return
        try:
            np.random.default_rng(self.rng)
        except (TypeError, ValueError):
            raise RequestError(
                f"seed must be a whole number from 0 up or a numpy Generator, not {self.rng!r}"
            ) from None


def _one_of(what: str, given: str, allowed: tuple[str, ...]) -> None:
    if not isinstance(given, str) or given not in allowed:
        raise RequestError(f"unknown {what} {given!r}: choose one of {', '.join(allowed)}")


def number_of(what: str, given: Any) -> float:
    """A number that was asked for, which is a number."""
    if isinstance(given, bool) or not isinstance(given, Real) or np.isnan(float(given)):
        raise RequestError(f"{what} must be a number, not {given!r}")
    return float(given)


def size_of(name: str, given: float | None) -> float:
    """A number of items or coders; None means that there is no end to them."""
    if given is None:
        return np.inf
    if not number_of(name, given) > 0:
        raise RequestError(f"{name} must be above 0, not {given!r}; None if there is no end to it")
    return float(given)
