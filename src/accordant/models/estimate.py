"""What a model found, before anybody has asked what to make of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from ..actions import Action
from ..arrays import Floats, Ints
from ..diagnosis.finding import Finding
from ..diagnosis.words import quoted
from ..errors import InputError
from .em import Climb
from .emission import IMPOSSIBLE, Emission, logs
from .votes import UNKNOWN, Votes

__all__ = [
    "AS_FIXED",
    "AS_KNOWN",
    "BLOCK",
    "TIE",
    "Estimate",
    "Interval",
    "Intervals",
    "believed",
]


TIE = 1e-9
"""Probabilities that differ by less are equal: no label is chosen by rounding."""
BLOCK = 8192  # items at a time: their probabilities stay in the processor's cache
AS_KNOWN = "treated as known"  # what methods say of labels that they take for certain
AS_FIXED = "treated as fixed"  # and of coders


@dataclass(frozen=True, eq=False)
class Interval:
    """Both ends of the intervals of an array of parameters, and how they were made."""

    low: Floats
    high: Floats
    level: float
    method: str

    @property
    def labels_known(self) -> bool:
        """Whether the labels were taken for certain, so that the intervals are too narrow."""
        return AS_KNOWN in self.method

    @property
    def whole(self) -> bool:
        """Whether there is one that takes neither labels nor coders for certain."""
        fixed = self.labels_known or AS_FIXED in self.method
        return not fixed and not np.isnan(self.low).all()


class Intervals(Mapping[str, Interval]):
    """Intervals by the name of their parameter, each computed when somebody asks for it.

    Examples
    --------
    >>> found = Intervals(prevalence=lambda: Interval(np.zeros(2), np.ones(2), 0.95, "none"))
    >>> list(found), found["prevalence"].high.tolist()
    (['prevalence'], [1.0, 1.0])
    """

    def __init__(self, **made_by: Callable[[], Interval]) -> None:
        self._made_by = made_by
        self._made: dict[str, Interval] = {}

    def __getitem__(self, name: str) -> Interval:
        if name not in self._made:
            self._made[name] = self._made_by[name]()
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._made_by)

    def __len__(self) -> int:
        return len(self._made_by)


@dataclass(frozen=True, eq=False)
class Estimate:
    """Labels, coders and items as a model sees them. I items, C coders, K categories, O answers.

    Parameters
    ----------
    probabilities : ndarray
        (I, K) belief that category k is true of item i; rows sum to 1.
    prevalence : ndarray
        (K,) how frequent each category is among the items.
    emission : Emission
        How coders answer, given what is true.
    competence : ndarray
        (C,) probability that the coder is right about an item of these, Σ_k prevalence_k
        confusion_kk; what a model calls competence itself stands in ``coder_parameters``.
    confusion : ndarray or None
        (C, K, O) probability that the coder answers o where k is true, if the model has it.
    climb : Climb
        What the loop did.
    restarts : tuple of Climb
        What it did from other starts.
    coder_parameters, item_parameters : mapping of str to ndarray
        What the model says of coders (C, ...) and items (I, ...), by names.
    intervals : mapping of str to Interval
        Of ``'competence'``, ``'confusion'``, ``'prevalence'`` or a parameter, where known.
    findings : tuple of Finding
        What the model itself has to say.
    state_prior, state_category : ndarray
        (S,) probability of each state of an item, and the category it belongs to, for models
        with more states than categories; empty otherwise.
    log_joint : ndarray or None
        (I, K) log P(category k and the annotations of item i) as the model came to its beliefs,
        where this does not follow from the parameters.
    """

    probabilities: Floats
    prevalence: Floats
    emission: Emission
    competence: Floats
    climb: Climb
    confusion: Floats | None = None
    restarts: tuple[Climb, ...] = ()
    coder_parameters: Mapping[str, Floats] = field(default_factory=dict)
    item_parameters: Mapping[str, Floats] = field(default_factory=dict)
    intervals: Mapping[str, Interval] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    state_prior: Floats = field(default_factory=lambda: np.empty(0))
    state_category: Ints = field(default_factory=lambda: np.empty(0, int))
    log_joint: Floats | None = None


def believed(
    votes: Votes, prior: Floats, log_likelihood: Floats, *, overwrite: bool = False
) -> tuple[Floats, float]:
    """What is probably true of each item, and the log-likelihood of all annotations.

    Parameters
    ----------
    votes : Votes
        Control items (``known``) keep their category.
    prior : ndarray
        (K,) or (I, K) probabilities.
    log_likelihood : ndarray
        (I, K) of the annotations of each item, given each category.
    overwrite : bool
        Whether the probabilities may take the place of ``log_likelihood``, which saves memory.

    Returns
    -------
    probabilities : ndarray
        (I, K)
    log_likelihood : float
        Σ_i log Σ_k prior_k P(annotations of i | k); of a control item only its category counts.

    Raises
    ------
    InputError
        If the annotations of an item are impossible whatever is true of it.
    """
    out = log_likelihood if overwrite else np.empty_like(log_likelihood, dtype=np.float64)
    log_prior = np.atleast_2d(logs(prior)).T  # (K, 1) or (K, I)
    control = np.flatnonzero(votes.known != UNKNOWN)
    value = 0.0
    for start in range(0, len(out), BLOCK):
        part = slice(start, start + BLOCK)
        mine = log_prior if log_prior.shape[1] == 1 else log_prior[:, part]
        # a row for each category: sums run along the items, ten times as fast as across them
        joint = np.add(log_likelihood[part].T, mine, order="C")
        if len(control):
            _keep_known(joint, votes.known[part])
        top = joint.max(0)
        if top.min() <= IMPOSSIBLE:
            raise _impossible(votes, start + int(np.argmax(top <= IMPOSSIBLE)))
        joint -= top
        np.exp(joint, out=joint)
        total = joint.sum(0)
        joint /= total
        out[part] = joint.T
        value += float(top.sum() + np.log(total).sum())
    return out, value


def _keep_known(joint: Floats, known: Ints) -> None:
    """Leave control items no other category than theirs; (K, n) of a block."""
    control = np.flatnonzero(known != UNKNOWN)
    if len(control):
        kept = joint[known[control], control]
        joint[:, control] = IMPOSSIBLE
        joint[known[control], control] = kept


def _impossible(votes: Votes, item: int) -> InputError:
    """The error for an item that no category explains."""
    name = quoted(votes.items[item])
    known = int(votes.known[item])
    if known != UNKNOWN:
        return InputError(
            f"the annotations of the control item {name} are impossible under the model if "
            f"{votes.categories[known]!r} is true of it: look at its gold label, or use a prior",
            do=[Action("", {"prior": "pooled"})],
        )
    return InputError(
        f"the annotations of item {name} are impossible under the model: a coder gave a label "
        "that the coder never gives, whatever is true; a prior makes it possible",
        do=[Action("", {"prior": "pooled"})],
    )
