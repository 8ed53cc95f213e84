"""Variational Bayes: confusion matrices that are uncertain, of coders or of subtypes of items."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...actions import Action
from ...arrays import Bools, Floats
from ...diagnosis.finding import Told, found_by, rule
from ..em import How, Step, climb
from ..emission import (
    IMPOSSIBLE,
    Uncertain,
    answers_by_truth,
    competence_of,
    divergence,
    expected_logs,
    items_by_truth,
    rows_of,
)
from ..estimate import Estimate, believed
from ..model import model, positive, whole
from ..priors import history_of, outvoted
from ..solutions import Starts, anchor, best_of, starts
from ..votes import UNKNOWN, Votes
from .canonical import fitted_in_order

__all__ = ["subtypes", "variational"]


@model(
    "Dawid–Skene, variational",
    "kim2012",
    "simpson2013",
    aliases=("ibcc", "vb"),
    averages=True,
    only_named="the model of pooled with a fixed prior",
    right_of_certain=(0.957, 0.811),
)
def variational(
    votes: Votes,
    how: How,
    *,
    diagonal: float = 2.0,
    off: float = 1.0,
    prevalence: float = 1.0,
    history: Mapping[str, Any] | None = None,
) -> Estimate:
    """Each coder has a confusion matrix that is itself uncertain, the more the less was seen.

    Parameters
    ----------
    votes : Votes
    how : How
    diagonal, off : float
        Parameters of the Dirichlet prior of each row: right answers, each of the others.
    prevalence : float
        Parameter of the Dirichlet prior of the categories.
    history : mapping of str to array, optional
        What coders did before, as in `dawid_skene`.

    Returns
    -------
    Estimate
        Confusion matrices and prevalence are means of their Dirichlet distributions, the
        intervals their quantiles.

    Notes
    -----
    IBCC (Kim & Ghahramani 2012) with the mean-field updates of Simpson et al. (2013):
    posterior, confusion matrices and prevalence are taken as independent. The lower bound of the
    evidence never falls. Independence makes the intervals somewhat too narrow.
    """
    positive(diagonal=diagonal, off=off, prevalence=prevalence)
    items = np.full(votes.n_categories, float(prevalence))
    rows = _rows(votes, diagonal, off) + history_of(votes, history)
    best = _fitted(votes, how, _Prior(1, items, 1.0, rows), starts)
    drowned = found_by(prior_outvotes(votes, diagonal, off))
    return replace(best, findings=(*best.findings, *drowned))


@rule("warning", "kim2012")
def prior_outvotes(votes: Votes, diagonal: float, off: float) -> Told | None:
    """A prior that outweighs the annotations.

    The prior ({diagonal:.6g} on the diagonal, {off:.6g} off it) adds {row:.6g} annotations to each
    of {k} rows, {made_up:.6g} annotations in all, to every coder. {n:coder} of {coders:,}
    ({share:%}) gave no more than twice as many, so the prior dominates their estimates.

    Do not use the accuracies or their intervals: the pooled model learns its prior, which has a few
    annotations in a row; or use a weaker prior.
    """
    k, row = votes.n_categories, float(diagonal + (votes.n_answers - 1) * off)
    facts = outvoted(votes, k * row)
    words = {"diagonal": diagonal, "off": off, "row": row, "k": k, "coders": votes.n_coders}
    weaker = Action("", {"diagonal": ..., "off": ...})
    do = Action("fit", {"model": "pooled"}), weaker
    return Told(facts, words, do=do) if facts else None


MOST = 100  # subtypes of a category
UNSEEN = 1e-3  # items of a category that nobody gave: a Dirichlet parameter is above 0


@model(
    "Dawid–Skene with subtypes of items (EBCC)",
    "li2019",
    aliases=("ebcc",),
    varied=True,
    only_named="ten kinds of items in each category, which takes long",
    right_of_certain=(0.923, 0.742),
)
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
    whole(1, MOST, subtypes=subtypes)
    positive(sharing=sharing, diagonal=diagonal, off=off)
    if prevalence != "votes":
        positive("'votes' or a number", prevalence=prevalence)

    def fitting(ordered: Votes, how: How) -> Estimate:
        share = (
            np.maximum(anchor(ordered).sum(0), UNSEEN)
            if prevalence == "votes"
            else np.full(ordered.n_categories, float(prevalence))
        )
        rows = _rows(ordered, diagonal, off)
        prior = _Prior(int(subtypes), share, sharing / subtypes, rows)
        return _fitted(ordered, how, prior, further)

    def further(votes: Votes, how: How) -> Iterator[Floats]:
        for again in range(how.restarts):
            yield _spread(anchor(votes), int(subtypes), how.generator(2, again))

    return fitted_in_order(votes, how, fitting)


@dataclass(frozen=True, eq=False)
class _Prior:
    """Dirichlet parameters: (K,) of categories, one of subtypes, (1 or C, K, O) of rows."""

    m: int
    categories: Floats
    subtype: float
    rows: Floats


def _rows(votes: Votes, diagonal: float, off: float) -> Floats:
    """(1, K, O) Dirichlet parameters of right answers, and of each of the others."""
    rows = np.full((votes.n_categories, votes.n_answers), float(off))
    np.fill_diagonal(rows, diagonal)
    return rows[None]


def _fitted(votes: Votes, how: How, prior: _Prior, further: Starts) -> Estimate:
    """Mean-field updates of labels, subtypes, rows and shares; without subtypes (1) IBCC."""
    k, m = len(prior.categories), prior.m
    other = _excluded(votes, k, m)
    free = votes.with_known(np.full_like(votes.known, UNKNOWN))
    cells = np.repeat(prior.rows, m, axis=1)
    wide = np.broadcast_to(cells, (votes.n_coders, *cells.shape[1:]))

    def learned(q: Floats) -> tuple[Floats, Floats, Floats]:
        states = items_by_truth(q).reshape(k, m)
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
        new, value = believed(free, np.exp(log_prior), evidence, overwrite=True)
        value -= divergence(rows, wide, log_rows)
        value -= divergence(shares, prior.categories, log_shares)
        value -= divergence(within, np.full_like(within, prior.subtype), log_within)
        return Step(new, value)

    def run(start: Floats, how: How) -> Estimate:
        if start.shape[1] < k * m:
            start = _spread(start, m, how.generator(2))
        q, found = climb(step, start, how, "lower bound", strides=True)
        return _estimate(q, found, learned(q))

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
    several = {
        "state_prior": (share[:, None] * part).reshape(-1),
        "state_category": np.repeat(np.arange(k), m),
    }
    return Estimate(
        q.reshape(len(q), k, m).sum(2),
        share,
        Uncertain(table, expected_logs(rows)),
        competence_of(confusion, share),
        found,
        confusion,
        **(several if m > 1 else {}),
    )
