"""Items of a category come in subtypes on which coders err together (Li et al. 2019)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np

from ...arrays import Bools, Floats
from ...errors import RequestError
from ..dirichlet import divergence, expected_logs
from ..em import How, Step, climb
from ..emission import IMPOSSIBLE, Uncertain
from ..estimate import Estimate, believed
from ..model import model
from ..starts import anchor, best_of
from ..votes import UNKNOWN, Votes
from .canonical import fitted_in_order
from .pooling import answers_by_truth, competence_of, rows_of

__all__ = ["subtypes"]

MOST = 100  # subtypes of a category
UNSEEN = 1e-3  # items of a category that nobody gave: a Dirichlet parameter is above 0


@model("Dawid–Skene with subtypes of items (EBCC)", "li2019")
def subtypes(
    votes: Votes,
    how: How,
    *,
    subtypes: int = 10,
    sharing: float = 0.1,
    diagonal: float = 4.0,
    off: float = 1.0,
    prevalence: float | str = "votes",
) -> Estimate:
    """Items of a category come in subtypes, so coders may find the same items hard or misleading.

    Each coder has a confusion matrix for each subtype. As the subtype of an item is not known,
    errors of coders go together, which other models take for independent evidence.

    Parameters
    ----------
    votes : Votes
    how : How
        Starts differ in the subtypes that items are put into at first.
    subtypes : int
        M, the most that a category may have; those that are not needed stay empty.
    sharing : float
        Sum of the Dirichlet parameters of the subtypes of a category: the smaller, the fewer.
    diagonal, off : float
        Dirichlet parameters of a row of a confusion matrix: right answers, each of the others.
    prevalence : float or 'votes'
        Dirichlet parameter of the categories; 'votes' takes as many items for each as the votes
        say, as the authors did: a strong prior, which holds rare categories together, and half
        of the prevalence that comes out.

    Returns
    -------
    Estimate
        With K x M states: ``state_prior``, ``state_category`` and an emission for each state. The
        confusion of a category is the mean of those of its subtypes.

    Notes
    -----
    EBCC (Li, Rubinstein & Cohn 2019, sections 3 and 4), mean-field variational; the lower bound of
    the evidence never falls. The published runs took the best of 40 starts; ``restarts=39`` does.
    The result is exactly the same for any order of rows, any names of items and coders and any
    order of categories.
    """
    _check(subtypes, sharing, diagonal, off, prevalence)

    def fitting(ordered: Votes, how: How) -> Estimate:
        share = np.maximum(anchor(ordered).sum(0), UNSEEN) if prevalence == "votes" else np.full(
            ordered.n_categories, float(prevalence)
        )  # fmt: skip
        rows = np.full((ordered.n_categories, ordered.n_answers), float(off))
        np.fill_diagonal(rows, diagonal)
        prior = _Prior(int(subtypes), share, sharing / subtypes, rows)
        return _fitted(ordered, how, prior)

    return fitted_in_order(votes, how, fitting)


@dataclass(frozen=True, eq=False)
class _Prior:
    """Dirichlet parameters: (K,) of categories, one of subtypes, (K, O) of rows."""

    m: int
    categories: Floats
    subtype: float
    rows: Floats

    @property
    def states(self) -> Floats:
        """(S, O) of the rows of every state."""
        return np.repeat(self.rows, self.m, axis=0)


def _fitted(votes: Votes, how: How, prior: _Prior) -> Estimate:
    k, m = len(prior.categories), prior.m
    other = _excluded(votes, k, m)
    free = votes.with_known(np.full_like(votes.known, UNKNOWN))
    cells = prior.states[None]
    wide = np.broadcast_to(cells, (votes.n_coders, *cells.shape[1:]))

    def learned(q: Floats) -> tuple[Floats, Floats, Floats]:
        states = q.sum(0).reshape(k, m)
        return (
            answers_by_truth(votes, q) + cells,
            states.sum(1) + prior.categories,
            states + prior.subtype,
        )

    def step(q: Floats) -> Step:
        rows, shares, within = learned(q)
        log_rows, log_shares, log_within = map(expected_logs, (rows, shares, within))
        evidence = Uncertain(rows, log_rows).log_likelihood(votes)
        evidence[other] = IMPOSSIBLE
        log_prior = (log_shares[:, None] + log_within).reshape(-1)
        new, value = believed(free, np.exp(log_prior), evidence)
        value -= divergence(rows, wide, log_rows)
        value -= divergence(shares, prior.categories, log_shares)
        value -= divergence(within, np.full_like(within, prior.subtype), log_within)
        return Step(new, value)

    def run(start: Floats, how: How) -> Estimate:
        if start.shape[1] == k:
            start = _spread(start, m, how.generator(2))
        q, found = climb(step, start, how, "lower bound", strides=True)
        return _estimate(q, found, learned(q))

    def further(votes: Votes, how: How) -> Iterator[Floats]:
        for again in range(how.restarts):
            yield _spread(anchor(votes), m, how.generator(2, again))

    return best_of(votes, how, run, further)


def _spread(start: Floats, m: int, rng: np.random.Generator) -> Floats:
    """(I, K * M) beliefs in categories (I, K), divided among subtypes at random."""
    parts = rng.dirichlet(np.ones(m), start.shape) * start[:, :, None]
    return np.asarray(parts.reshape(len(start), -1))


def _excluded(votes: Votes, k: int, m: int) -> Bools:
    """(I, S) states that a control item cannot be in."""
    known = votes.known[:, None]
    return np.asarray((known != UNKNOWN) & (known != np.repeat(np.arange(k), m)))


def _estimate(q: Floats, found: Any, learned: tuple[Floats, Floats, Floats]) -> Estimate:
    rows, shares, within = learned
    k, m = within.shape
    table = rows_of(rows)  # (C, S, O)
    share, part = shares / shares.sum(), rows_of(within)
    states = table.reshape(len(table), k, m, -1)
    confusion = np.einsum("km,ckmo->cko", part, states)
    return Estimate(
        q.reshape(len(q), k, m).sum(2),
        share,
        Uncertain(table, expected_logs(rows)),
        competence_of(confusion, share),
        found,
        confusion,
        state_prior=(share[:, None] * part).reshape(-1),
        state_category=np.repeat(np.arange(k), m),
    )


def _check(n: Any, sharing: Any, diagonal: Any, off: Any, prevalence: Any) -> None:
    if isinstance(n, bool) or not isinstance(n, Integral) or not 1 <= int(n) <= MOST:
        raise RequestError(f"a whole number from 1 to {MOST}, not {n!r}", parameter="subtypes")
    told = {"sharing": sharing, "diagonal": diagonal, "off": off, "prevalence": prevalence}
    for name, x in told.items():
        if name == "prevalence" and isinstance(x, str) and x == "votes":
            continue
        if isinstance(x, bool) or not isinstance(x, int | float) or not 0 < x < np.inf:
            more = " or 'votes'" if name == "prevalence" else ""
            raise RequestError(f"a number above 0{more}, not {x!r}", parameter=name)
