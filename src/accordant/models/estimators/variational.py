"""Variational Bayes for Dawid & Skene's model: independent Bayesian classifier combination."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ...actions import Action
from ...arrays import Floats
from ...errors import RequestError
from ..dirichlet import divergence, expected_logs
from ..em import How, Step, climb
from ..emission import Uncertain
from ..estimate import Estimate, believed
from ..model import model
from ..priors import history_of, outvoting
from ..starts import best_of
from ..votes import Votes
from .pooling import answers_by_truth, competence_of, items_by_truth, rows_of

__all__ = ["variational"]


@model("Dawid–Skene, variational", "kim2012", "simpson2013", averages=True)
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
    for name, x in {"diagonal": diagonal, "off": off, "prevalence": prevalence}.items():
        if isinstance(x, bool) or not isinstance(x, int | float) or not 0 < x < np.inf:
            raise RequestError(f"a number above 0, not {x!r}", parameter=name)
    k, o = votes.n_categories, votes.n_answers
    cells = np.full((1, k, o), float(off))
    cells[0, np.arange(k), np.arange(k)] = diagonal
    cells = cells + history_of(votes, history)
    items = np.full(k, float(prevalence))

    def step(q: Floats) -> Step:
        rows, share = answers_by_truth(votes, q) + cells, items_by_truth(q) + items
        log_rows, log_share = expected_logs(rows), expected_logs(share)
        emission = Uncertain(rows_of(rows), log_rows)
        new, value = believed(
            votes, np.exp(log_share), emission.log_likelihood(votes), overwrite=True
        )
        prior = np.broadcast_to(cells, rows.shape)
        value -= divergence(rows, prior, log_rows) + divergence(share, items, log_share)
        return Step(new, value)

    def run(start: Floats, how: How) -> Estimate:
        q, found = climb(step, start, how, "lower bound", strides=True)
        counts, seen = answers_by_truth(votes, q), q.sum(0)
        rows = counts + cells
        confusion, share = rows_of(rows), rows_of(seen + items)
        right = competence_of(confusion, share)
        emission = Uncertain(confusion, expected_logs(rows))
        return Estimate(q, share, emission, right, found, confusion)

    row = float(diagonal + (o - 1) * off)
    drowned = outvoting(
        votes, k * row,
        f"The prior ({diagonal:g} on the diagonal, {off:g} off it) adds {row:g} annotations to "
        f"each of {k} rows",
        "Do not use the accuracies or their intervals: the pooled model learns its prior, which "
        "has a few annotations in a row; or use a weaker prior.",
        "kim2012", Action("fit", {"model": "pooled"}), Action("", {"diagonal": ..., "off": ...}),
    )  # fmt: skip
    best = best_of(votes, how, run)
    return replace(best, findings=(*best.findings, *drowned))
