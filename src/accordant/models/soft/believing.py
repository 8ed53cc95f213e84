"""What a model believes to be true of each item, as soft labels."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...actions import FILE, Action
from ...errors import RequestError
from ..posterior import Posterior
from ..posteriors import Posteriors
from ..sets.set_posterior import SetPosterior
from .opinion import membership
from .soft_labels import SoftLabels

__all__ = ["beliefs", "each_of"]

Floats = NDArray[np.float64]


def each_of(
    found: Posterior | SetPosterior | Posteriors,
) -> tuple[Posterior | SetPosterior, ...]:
    """What was fitted, question by question."""
    return found.each if isinstance(found, Posteriors) else (found,)


def beliefs(posterior: Posterior | SetPosterior, *, tempered: bool = True) -> SoftLabels:
    """Soft labels from what a model believes.

    Parameters
    ----------
    posterior : Posterior or SetPosterior
    tempered : bool
        Whether to take them as tempered, or as the model itself has them.

    Raises
    ------
    RequestError
        If the model is a vote, whose shares are opinions, whatever they are called; or if nothing
        shows how sure its labels are.
    """
    parts = posterior.each if isinstance(posterior, SetPosterior) else (posterior,)
    model = parts[0].model
    if not model.probabilistic:
        raise RequestError(
            f"{model.name} counts votes, and shares of votes are no probabilities of a true label",
            do=[Action("", {"of": "opinion"}), Action("", {"model": "pooled"})],
        )
    if posterior.withheld:
        raise RequestError(
            f"there are no probabilities of a true label, since {posterior.withheld}",
            do=[
                Action("", {"of": "opinion"}, "the distribution of coders' labels"),
                Action("", {"gold": FILE}, "known labels"),
            ],
        )
    if not tempered:
        parts = tuple(one.untempered for one in parts)
    p, scheme = _probabilities(posterior, parts), posterior.data.schemes[0]
    taus = sorted({one.tau for one in parts})
    shown = f"{taus[0]:.3g}" if len(taus) == 1 else f"{taus[0]:.3g} to {taus[-1]:.3g}"
    how = "not recalibrated" if taus == [1] else f"recalibrated (temperature {shown})"
    # of labels, each coder who annotated an item said yes or no to every label
    n = parts[0].votes.per_item
    return SoftLabels(
        posterior.question, parts[0].votes.items, scheme, "belief", p, n,
        f"label probabilities of {model.name}, {how}",
        signature=f"{posterior.signature}; soft labels: belief, tau {shown}",
        findings=posterior.findings if isinstance(posterior, SetPosterior) else parts[0].findings,
    )  # fmt: skip


def _probabilities(posterior: Any, parts: tuple[Posterior, ...]) -> Floats:
    """(I, K) by the categories of the scheme; a label that nobody gave has 0."""
    scheme = posterior.data.schemes[0]
    if not isinstance(posterior, SetPosterior):
        (one,) = parts
        p = one.probabilities
        return p if scheme.max_labels == 1 else p @ membership(one.votes)
    place = {label: k for k, label in enumerate(scheme.categories)}
    p = np.zeros((len(parts[0].votes.items), len(place)))
    for label, one in zip(posterior.categories, parts, strict=True):
        p[:, place[label]] = one.probabilities[:, 1]
    return p
