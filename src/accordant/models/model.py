"""A model as users meet it: a name, what it assumes, and a function that fits it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, TypeAlias

from ..errors import RequestError
from .em import How
from .estimate import Estimate
from .votes import Votes

__all__ = ["MODELS", "Model", "model", "model_of"]

Fitting: TypeAlias = Callable[..., Estimate]  # (votes, how, **options)


@dataclass(frozen=True)
class Model:
    """A model of coders.

    Parameters
    ----------
    key : str
        For calls: ``'dawid_skene'``.
    name : str
        For people: ``'Dawid–Skene'``.
    fitting : callable
        ``(votes, how, **options) -> Estimate``; the first line of its docstring says what it
        assumes.
    sources : tuple of str
        Keys of the literature.
    options : mapping
        Options that this name stands for, such as a prior.
    probabilistic : bool
        Whether its probabilities are beliefs that can be recalibrated; those of a vote are shares.
    averages : bool
        Whether they are averaged over what is not known of coders, who are drawn to a prior.
    """

    key: str
    name: str
    fitting: Fitting
    sources: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    probabilistic: bool = True
    averages: bool = False
    says: str = ""

    @property
    def assumption(self) -> str:
        """What it assumes, in a sentence."""
        return self.says or (self.fitting.__doc__ or "").strip().splitlines()[0]

    @property
    def takes(self) -> tuple[str, ...]:
        """The options that it knows."""
        return tuple(inspect.signature(self.fitting).parameters)[2:]

    def fit(self, votes: Votes, how: How, **options: Any) -> Estimate:
        """Fit it."""
        if unknown := [name for name in options if name not in self.takes]:
            known = ", ".join(self.takes) or "none"
            raise RequestError(f"{self.name} has no option {unknown[0]!r}: its options are {known}")
        return self.fitting(votes, how, **{**self.options, **options})


MODELS: dict[str, Model] = {}
"""Every model by its key, in the order in which they are listed."""


def model(
    name: str, *sources: str, probabilistic: bool = True, averages: bool = False
) -> Callable[[Fitting], Fitting]:
    """Register a fitting function as a model under its own name."""

    def register(function: Fitting) -> Fitting:
        key = getattr(function, "__name__", "")
        MODELS[key] = Model(
            key, name, function, sources, probabilistic=probabilistic, averages=averages
        )
        return function

    return register


def preset(key: str, name: str, of: str, says: str, *sources: str, **options: Any) -> None:
    """Register a model with some of its options chosen under a name of its own."""
    base = MODELS[of]
    MODELS[key] = Model(key, name, base.fitting, sources or base.sources, options, says=says)


def model_of(name: str | Model) -> Model:
    """The model of a name.

    Raises
    ------
    RequestError
        If there is none.

    Examples
    --------
    >>> from accordant.models import all
    >>> model_of("dawid-skene").name
    'Dawid–Skene'
    """
    if isinstance(name, Model):
        return name
    key = str(name).lower().replace("-", "_").replace(" ", "_")
    key = ALIASES.get(key, key)
    if key in MODELS:
        return MODELS[key]
    near = get_close_matches(key, [*MODELS, *ALIASES], 1)
    hint = f"; did you mean {ALIASES.get(near[0], near[0])!r}?" if near else ""
    raise RequestError(f"there is no model {name!r}: choose from {', '.join(MODELS)}{hint}")


ALIASES: dict[str, str] = {
    "ds": "dawid_skene",
    "mv": "majority",
    "vote": "majority",
    "majority_vote": "majority",
    "ibcc": "variational",
    "vb": "variational",
    "bayes": "hierarchical",
    "ebcc": "subtypes",
    "wawa": "weighted",
    "zencrowd": "one_coin",
}
"""Other names that users know."""
