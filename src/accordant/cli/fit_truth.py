"""What `accordant fit` says of the labels: how many, how sure, what else speaks for them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ..models.posterior import Posterior
from ..models.sets.set_posterior import SetPosterior
from ..models.trust.accuracy import scores
from ..models.votes import UNKNOWN
from ..numbers import count_of, decimal, joined, percent
from .fit_tables import kept_of
from .fitted import Fitted, One

__all__ = ["truth"]

SURE = 0.95
INDEPENDENT = 0.995  # tau above which an annotation counts in full


def truth(one: One, found: Fitted) -> Iterator[str]:
    """The labels in sentences: how many, how sure, what else speaks for or against them."""
    yield from _of_sets(one) if isinstance(one, SetPosterior) else _of_labels(one)
    if found.asked.kept:
        yield f"{kept_of(one, found.asked.kept)}."
    if found.asked.truth is not None:
        yield from _against_truth(one, found)


def _against_truth(one: One, found: Fitted) -> Iterator[str]:
    """How right the labels are; of those that are kept beside all."""
    known, level = found.asked.truth, found.asked.level
    chosen = kept_of(one, found.asked.kept).chosen if found.asked.kept else None
    if isinstance(one, Posterior):
        whole = str(one.scores(known, level=level))
        kept = "" if chosen is None else str(scores(one, known, level=level, chosen=chosen))
    else:
        whole = str(one.score(known))
        kept = "" if chosen is None else str(one.score(known, chosen=chosen))
    if kept:
        yield f"Against the known labels, of the items that are kept: {kept}."
    yield f"Against the known labels{', of all items' if kept else ''}: {whole}."


def _of_labels(one: Posterior) -> Iterator[str]:
    free = one.votes.known == UNKNOWN
    n, tied = int(free.sum()), int((one.tied & free).sum())
    told = len(free) - n
    if not n:
        yield "Every label was known."
    elif not one.model.probabilistic:
        ties = _ties(tied, "two categories having as many")
        yield f"{_of(n - tied, n, told)} a label that got most votes{ties}."
        yield "Shares of votes are opinions and promise no accuracy: a model of coders says more."
    elif one.withheld:
        yield f"How sure the labels are cannot be said, since {one.withheld}."
    else:
        sure = int((free & (one.confidence >= SURE) & ~one.tied).sum())
        yield (
            f"{_of(sure, n, told)} a label that is right with {percent(SURE, 0)} or more; of "
            f"{count_of(n - tied - sure, 'item')} it is less sure{_ties(tied)}."
        )
        yield _promised(one, f"these {n:,} items" if told else "the items")
    if told:
        yield f"{count_of(told, 'control item')} kept the known label."
    yield from _unlike_votes(one)


def _of(n: int, whole: int, told: int = 0) -> str:
    without = " without a known label" if told else ""
    return f"{n:,} of {count_of(whole, 'item')}{without} {'has' if n == 1 else 'have'}"


def _ties(tied: int, why: str = "two categories being equally probable") -> str:
    return f", and {count_of(tied, 'item has', 'items have')} none, {why}" if tied else ""


def _promised(one: Posterior, items: str) -> str:
    """What share of the labels can be expected to be right, and what that rests on."""
    free = one.votes.known == UNKNOWN
    tau = one.tau
    first = (
        f"For {percent(float(one.confidence[free].mean()))} of {items} the label can be expected "
        "to be right"
    )
    if not one.tempering:
        return f"{first} if coders err independently, as the model assumes."
    if one.weighing is not None or len(free) > free.sum():  # by known labels, or as asked
        return f"{first}. {one.tempering}"
    if one.design_effect.blind:
        return f"{first} if coders err independently, which so few annotations cannot show."
    if tau > INDEPENDENT:
        return f"{first}; the coders look independent of each other."
    own = float(one.untempered.confidence[free].mean())
    return (
        f"{first}, since coders err together (an annotation counts as {decimal(tau, 2)}); the "
        f"model itself says {percent(own)}."
    )


def _unlike_votes(one: Posterior) -> Iterator[str]:
    """Labels that are not those of most votes."""
    if one.model.key == "majority":
        return
    most = _majority(one.votes.counts)
    other = int(((most >= 0) & (one.codes >= 0) & (most != one.codes)).sum())
    broken = int(((most < 0) & (one.codes >= 0)).sum())
    vote = "that vote" if other else "the majority vote"
    parts = [
        *([f"differs from the majority vote for {count_of(other, 'item')}"] if other else []),
        *([f"settles {count_of(broken, 'tie')} of {vote}"] if broken else []),
    ]
    yield (f"The label {joined(parts)}." if parts else "The labels are those of the majority vote.")


def _majority(counts: NDArray[np.float64]) -> NDArray[np.intp]:
    """(I,) the category with most votes; -1 for a tie."""
    top = counts >= counts.max(1, keepdims=True) - 1e-9
    return np.where(top.sum(1) > 1, -1, counts.argmax(1))


def _of_sets(one: SetPosterior) -> Iterator[str]:
    n, tied = len(one.labels), int(one.tied.sum())
    empty = sum(label == () for label in one.labels)
    size = float(np.mean([float(len(x)) for x in one.labels if x is not None] or [float("nan")]))
    if not one.each[0].model.probabilistic:
        yield "Shares of votes are opinions and promise no accuracy: a model of coders says more."
    elif one.withheld:
        yield f"How sure the sets are cannot be said, since {one.withheld}."
    else:
        sure = int(((one.confidence >= SURE) & ~one.tied).sum())
        yield (
            f"{_of(sure, n)} a set of labels that is right as a whole with {percent(SURE, 0)} or "
            f"more, if labels are independent{_ties(tied)}."
        )
        yield _promised_of_sets(one)
    none = f", {count_of(empty, 'item has', 'items have')} none" if empty else ""
    yield f"A set has {decimal(size, 2)} labels on average{none}."


def _promised_of_sets(one: SetPosterior) -> str:
    honest = float(one.confidence.mean())
    first = f"For {percent(honest)} of the items the whole set can be expected to be right"
    if not one.tempering:
        return f"{first} if coders err independently, as the model assumes."
    own = float(one.untempered.confidence.mean())
    return f"{first}; the models themselves say {percent(own)}. {one.tempering}"
