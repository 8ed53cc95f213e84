"""A model as users meet it: a name, what it assumes, a function that fits it, and its words."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from ..errors import RequestError, meant
from ..removed import instead
from .em import How
from .estimate import Estimate
from .votes import Votes

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
        Whether its probabilities are beliefs; those of a vote are shares.
    says : str
        What it assumes, where the docstring tells it of another name.
    aliases : tuple of str
        Other names that users know.
    """

    key: str
    name: str
    fitting: Fitting
    sources: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    probabilistic: bool = True
    says: str = ""
    aliases: tuple[str, ...] = ()

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


DEFAULT = "blend"
MODELS: dict[str, Model] = {}


def model(name: str, *sources: str, **facts: Any) -> Callable[[Fitting], Fitting]:
    """Register a fitting function as a model under its own name; the facts are those of `Model`."""

    def register(function: Fitting) -> Fitting:
        key = getattr(function, "__name__", "")
        MODELS[key] = Model(key, name, function, sources, **facts)
        return function

    return register


def preset(key: str, name: str, of: Fitting, *sources: str, **facts: Any) -> None:
    """Register a model with some of its options chosen under a name of its own."""
    MODELS[key] = Model(key, name, of, sources, **facts)


def one_of(allowed: Sequence[str], **options: Any) -> None:
    """Refuse options that are none of the words allowed.

    Examples
    --------
    >>> one_of(("vb", "em"), method="mcmc")
    Traceback (most recent call last):
    accordant.errors.RequestError: method: choose from vb, em, not 'mcmc'
    """
    for name, x in options.items():
        if x not in allowed:
            raise RequestError(f"choose from {', '.join(allowed)}, not {x!r}", parameter=name)


def model_of(name: str | Model) -> Model:
    """The model of a name.

    Raises
    ------
    RequestError
        If there is none.

    Examples
    --------
    >>> from accordant.models import model_list
    >>> model_of("dawid-skene").name
    'Dawid–Skene'
    """
    if isinstance(name, Model):
        return name
    key = str(name).lower().replace("-", "_").replace(" ", "_")
    named = {alias: one for one in MODELS.values() for alias in (one.key, *one.aliases)}
    if key in named:
        return named[key]
    if gone := instead("model", key):
        raise RequestError(f"there is no model {name!r} any more: use {gone}", parameter="model")
    raise RequestError(f"there is no model {name!r}: {', '.join(MODELS)}{meant(key, named)}")


@dataclass(frozen=True)
class Wording:
    """The words that readers see for what a model finds.

    Parameters
    ----------
    confidence : str
        What the largest probability of an item is.
    right : str
        Heading of the competence of coders, and ``meant`` what it is.
    truth, is_true : str
        What coders are compared with, after *with*, and the heading of its categories.
    """

    confidence: str
    right: str
    meant: str
    truth: str
    is_true: str


BELIEF = Wording(
    confidence="probability",
    right="accuracy",
    meant="probability of a correct label",
    truth="the estimated labels",
    is_true="estimated label",
)
VOTE = Wording(
    confidence="share of votes",
    right="agreement with vote",
    meant="share of the annotations with the label of the vote, the coder's own included",
    truth="the label of the vote",
    is_true="vote",
)


def wording(model: Model) -> Wording:
    """The words for what a model finds.

    Examples
    --------
    >>> from accordant.models.model_list import MODELS
    >>> wording(MODELS["majority"]).right, wording(MODELS["mace"]).right
    ('agreement with vote', 'accuracy')
    """
    return BELIEF if model.probabilistic else VOTE
