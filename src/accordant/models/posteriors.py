"""A posterior for each of several questions."""

from __future__ import annotations

from dataclasses import dataclass

from .each import Each
from .posterior import Posterior
from .sets.set_posterior import SetPosterior

__all__ = ["Posteriors"]


@dataclass(frozen=True, eq=False, repr=False)
class Posteriors(Each[Posterior | SetPosterior]):
    """What a model found for each question; there is nothing to pool, truths being different."""
