"""What a user asked to measure, as keywords of the Python call."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..measure.distances import WeightsLike

__all__ = ["ALTERNATIVES", "METHODS", "Measuring"]

# Spelled out, so that the help does not load the statistics; a test compares them.
METHODS = ("auto", "analytic", "delta", "large-sample", "bootstrap", "bca", "jackknife", "none")
ALTERNATIVES = ("two-sided", "greater", "less")


@dataclass(frozen=True)
class Measuring:
    """The options of `accordant.agreement` as the command line gives them."""

    coefficients: tuple[str, ...] = ()
    weights: str | None = None
    interval: str = "auto"
    level: float = 0.95
    null: float | None = None
    alternative: str = "two-sided"
    population: float | None = None
    sampled_coders: bool = False
    coder_population: float | None = None
    resamples: int = 2000
    seed: int | None = None
    method: str = "exact"
    simulations: int = 1000

    @property
    def tested(self) -> bool:
        """Whether the user asked for a test, so that p-values are shown."""
        return self.null is not None or self.alternative != "two-sided"

    @property
    def names(self) -> list[str] | None:
        """The coefficients, or None for all."""
        names = [name.strip() for given in self.coefficients for name in given.split(",")]
        return [name for name in names if name] or None

    @property
    def doing(self) -> str:
        """What takes long, for who waits."""
        return "simulating" if self.method == "simulation" else "resampling"

    @cached_property
    def weighting(self) -> WeightsLike | None:
        """The weights: a name, or a function if they are in a file."""
        from ..measure.weights_file import weights_of

        found: WeightsLike | None = weights_of(self.weights)
        return found

    def check(self) -> None:
        """Refuse an unknown coefficient before a large file is read for it."""
        from ..measure.measures import measures

        measures(self.names or ())

    def keywords(self) -> dict[str, Any]:
        """The keywords of `accordant.agreement`."""
        return {
            "coefficients": self.names,
            "weights": self.weighting,
            "interval": self.interval,
            "level": self.level,
            "null": self.null or 0.0,
            "alternative": self.alternative,
            "population": self.population,
            "sampled_coders": self.sampled_coders,
            "coder_population": self.coder_population,
            "resamples": self.resamples,
            "seed": self.seed,
            "method": self.method,
            "simulations": self.simulations,
        }
