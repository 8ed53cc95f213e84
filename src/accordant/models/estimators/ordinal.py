"""Ordered categories: coders have a precision and a bias on a common scale."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...actions import Action
from ...diagnosis.words import listed
from ...errors import RequestError
from ...scheme import Value
from ..em import How, Step, climb
from ..emission import Confusions
from ..estimate import AS_KNOWN, Estimate, Interval, believed
from ..model import model
from ..starts import anchor
from ..votes import Votes
from .canonical import Canonical, moved
from .ordered import Reading, at_first, errors_of, improved, penalty, spreads_of, table
from .pooling import answers_by_truth, competence_of

__all__ = ["ordinal"]

Floats = NDArray[np.float64]

ORDERED = ("ordinal", "interval", "ratio", "bipolar")
LEARNING = 3  # times that the spread of the coders is learned before the run that counts
WARMING = 15  # iterations of each
REMEMBERED = 4  # steps: a stride takes three
NORMAL = 1.959963984540054  # of intervals of 95 %
METHOD = f"Laplace; labels {AS_KNOWN}"
MANY = 200  # categories: beyond, these are numbers and not labels


@model("Ordinal (latent-class signal detection)", "decarlo2011")
def ordinal(votes: Votes, how: How, *, order: Sequence[Value] | None = None) -> Estimate:
    """Coders see where an item stands on an ordered scale, with a precision and a bias each.

    Three numbers for each coder instead of a confusion matrix, so a few annotations of each coder
    are enough; but what is not a matter of more or less cannot be expressed.

    Parameters
    ----------
    votes : Votes
    how : How
        There is one start, the votes: an order leaves no categories to exchange.
    order : sequence, optional
        All categories from low to high. Default: that of the scheme, if its scale is ordered.

    Returns
    -------
    Estimate
        ``coder_parameters``: ``precision``, by how much the log odds of a higher label rise from
        one category to the next; ``bias``, by how many categories the coder's labels are too high
        in the mean.

    Raises
    ------
    RequestError
        If the categories are not ordered.

    Notes
    -----
    The latent-class signal detection model of DeCarlo, Kim & Johnson (2011), whose criteria here
    are those of all coders, stretched and shifted for each. Parameters of the coders are drawn
    towards those of all coders as much as coders are found to be alike; the objective is the log
    posterior density, and never falls.
    """
    place = _place(votes, order)
    same = np.arange(votes.n_items), np.arange(votes.n_coders)
    answers = np.concatenate([place, np.arange(votes.n_categories, votes.n_answers)])
    there = Canonical(moved(votes, *same, place, answers), *same, place)
    return there.restored(_fitted(there.votes, how))


class _Run:
    """The parameters between one step of the loop and the next.

    Those that belong to beliefs that were returned are kept for a while, since the loop goes back
    to these if a stride fails: a step improves the parameters that its beliefs came from.
    """

    def __init__(self, votes: Votes) -> None:
        self.votes = votes
        self.reading: Reading = at_first(votes.n_coders, votes.n_categories)
        self.skipping: Floats = np.zeros(votes.n_categories)
        self.returned: deque[tuple[Floats, Reading]] = deque(maxlen=REMEMBERED)

    def counted(self, q: Floats) -> Floats:
        """(C, K, O) expected annotations; what is learned from them stays here."""
        counts = answers_by_truth(self.votes, q)
        k = self.votes.n_categories
        given = np.ascontiguousarray(counts[:, :, :k])
        if self.votes.informative:
            skipped = counts[:, :, k].sum(0) + 0.5
            self.skipping = skipped / (skipped + given.sum((0, 2)) + 0.5)
        self.reading = improved(self.reading, given)
        return given

    @property
    def emission(self) -> Confusions:
        """(C, K, O) probabilities."""
        p = np.exp(table(self.reading))
        p /= p.sum(-1, keepdims=True)
        if not self.votes.informative:
            return Confusions(p)
        skip = np.broadcast_to(self.skipping[None, :, None], (*p.shape[:2], 1))
        return Confusions(np.concatenate([p * (1 - skip), skip], axis=2))

    def step(self, q: Floats) -> Step:
        """One round from beliefs (I, K)."""
        for beliefs, reading in self.returned:
            if beliefs is q:
                self.reading = reading
        self.counted(q)
        evidence = self.emission.log_likelihood(self.votes)
        new, value = believed(self.votes, q.mean(0), evidence)
        more = 0.5 * float(np.log(self.skipping * (1 - self.skipping)).sum()) if (
            self.votes.informative
        ) else 0.0  # fmt: skip
        self.returned.append((new, self.reading))
        return Step(new, value + penalty(self.reading) + more)


def _fitted(votes: Votes, how: How) -> Estimate:
    run = _Run(votes)
    q = anchor(votes)
    short = replace(how, max_iterations=WARMING, tolerance=1e-6, progress=None)
    for _ in range(LEARNING):
        q, _ = climb(run.step, q, short, "log posterior")
        given = answers_by_truth(votes, q)[:, :, : votes.n_categories]
        run.reading = replace(run.reading, spreads=spreads_of(run.reading, given))
        run.returned.clear()
    q, found = climb(run.step, q, how, "log posterior", strides=True)
    given = answers_by_truth(votes, q)[:, :, : votes.n_categories]
    emission, prevalence = run.emission, q.mean(0)
    confusion = emission.probabilities
    precision = run.reading.coders[:, 0]
    error = NORMAL * errors_of(run.reading, given)[:, 0]
    return Estimate(
        q, prevalence, emission, competence_of(confusion, prevalence), found, confusion,
        coder_parameters={
            "precision": precision, "bias": _bias(confusion[:, :, : len(prevalence)], prevalence)
        },
        intervals={"precision": Interval(precision - error, precision + error, 0.95, METHOD)},
    )  # fmt: skip


def _bias(confusion: Floats, prevalence: Floats) -> Floats:
    """(C,) expected label less what is true, in categories; where a label is given."""
    k = np.arange(len(prevalence))
    step = k[None, :] - k[:, None]
    given = np.einsum("k,cko->c", prevalence, confusion)
    return np.asarray(np.einsum("k,cko,ko->c", prevalence, confusion, step) / given)


def _place(votes: Votes, order: Sequence[Value] | None) -> Any:
    """(K,) where each category stands on the scale."""
    categories = votes.categories
    if len(categories) > MANY:
        raise RequestError(
            f"the ordinal model is for a few ordered categories, not for {len(categories):,}: "
            "group the values, or look at means"
        )
    if order is None:
        if votes.scheme.scale not in ORDERED:
            raise RequestError(
                f"the categories {listed(categories)} are not ordered",
                do=[
                    Action("", {"scale": "ordinal", "categories": [...]}, "from low to high"),
                    Action("", {"order": [...]}, "from low to high"),
                    Action("", {"model": "pooled"}, "for categories without an order"),
                ],
            )
        return np.arange(len(categories))
    texts = [str(c) for c in order] if not isinstance(order, str) else []
    if sorted(texts) != sorted(str(c) for c in categories):
        raise RequestError(
            f"each category once, from low to high: {listed(categories, 10)}; not {order!r:.100}",
            parameter="order",
        )
    return np.array([texts.index(str(c)) for c in categories])
