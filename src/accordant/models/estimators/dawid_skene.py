"""Dawid & Skene (1979): a confusion matrix for each coder, found by EM."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ...actions import Action
from ...arrays import Floats
from ...diagnosis.finding import Finding
from ...errors import RequestError
from ..em import STILL, How, Step, climb, moved
from ..emission import Confusions, logs
from ..estimate import Estimate, believed
from ..meaning import Repurposed, held_to_its_label, repurposed
from ..model import model, preset
from ..priors import (
    AT_FIRST,
    HEAVY,
    Prior,
    diagonal,
    history_of,
    learned,
    outvoting,
    strength_of,
)  # fmt: skip
from ..starts import anchor, best_of, part_of
from ..votes import Votes
from .pooling import answers_by_truth, competence_of, items_by_truth

__all__ = ["dawid_skene"]


ROW = 3.0  # annotations in a row of prior='row'
ENOUGH = 1e-5  # annotations of a cell that a round of learning the prior still moves
MEANING = ("row", "pooled")  # priors that know what a category is called


@model("Dawid–Skene", "dawid1979")
def dawid_skene(
    votes: Votes,
    how: How,
    *,
    prior: str | float = "none",
    strength: float | None = None,
    history: Mapping[str, Any] | None = None,
) -> Estimate:
    """Each coder has a confusion matrix, the same for every item; errors are independent.

    Parameters
    ----------
    votes : Votes
    how : How
    prior : 'none', 'row', 'pooled' or float
        What is added to the counts of each coder. 'none': nothing (maximum likelihood; exact
        zeros stay). A number: as many annotations in each cell, and items in each category, such
        as 0.01 (Passonneau & Carpenter 2014). 'row': ``strength`` annotations in each row, 7 of
        10 on the diagonal. 'pooled': ``strength`` annotations in each row that fall as those of
        all coders together, learned from the data.
    strength : float, optional
        Annotations in a row of the prior: 3 for 'row'; for 'pooled' learned from how alike the
        coders are, if not given.
    history : mapping of str to array, optional
        What coders did before: for each a (K, K) table of counts, rows what was true, columns
        what they said. It counts as so many annotations more.

    Returns
    -------
    Estimate
        The objective is the log-likelihood, with a prior the log posterior up to a constant.

    Notes
    -----
    EM as in Dawid & Skene (1979, eq. 2.3–2.5). A prior of 1 in each cell adds K annotations to
    each row and outvotes coders who gave few, so that a finding tells of it. The prior 'pooled'
    is learned first and then stays as it is, so that the objective never falls. A strength that
    is learned stays between 0.5 and 5: more makes coders alike who are not.

    With a prior, a category that the solution from the votes uses for something else than coders
    do (see `meaning.repurposed`) is held to its label: its rows are assumed, 7 of 10 right, and a
    finding says so. Not so by maximum likelihood, nor with a number as prior and no restarts:
    that is the procedure of the papers, and a finding tells where it has led.
    """
    own = history_of(votes, history)
    given = _given(votes, prior, strength)
    how = _never_back(how)

    def holding(held: tuple[int, ...]) -> Prior:
        chosen = _learned(votes, how, strength, own, held) if given is None else given
        return replace(chosen, cells=chosen.cells + own).holding(held)

    free = prior not in MEANING and (how.restarts == 0 or (given is not None and given.empty))
    made, first, lost = _from_votes(votes, how, holding, free=free)
    best = best_of(votes, how, lambda start, how: _climbed(votes, start, how, made), first=first)
    told = (held_to_its_label(votes, lost, best.probabilities, HEAVY),) if lost else ()
    drowned = _outvoting(votes, float(prior)) if isinstance(prior, float | int) else ()
    return replace(best, findings=(*best.findings, *told, *drowned))


POOLED_PRIOR = Action("", {"prior": "pooled"})


def _outvoting(votes: Votes, number: float) -> tuple[Finding, ...]:
    """The warning that a number in each cell is much in all."""
    k, o = votes.n_categories, votes.n_answers
    return outvoting(
        votes, number * k * o, f"The prior adds {number:g} to each of {k} x {o} cells",
        "Use the pooled prior, which adds a few annotations to each row, or a small number such "
        "as 0.01.",
        "passonneau2014", POOLED_PRIOR,
    )  # fmt: skip


def _from_votes(
    votes: Votes, how: How, holding: Callable[[tuple[int, ...]], Prior], *, free: bool
) -> tuple[Prior, Estimate, list[Repurposed]]:
    """The prior, the solution from the votes, and the categories that are held to their labels.

    These are the ones that the model uses for something else if it is left to itself. A ``free``
    model is: it was asked for what others published, and a verdict tells of it.
    """
    lost: list[Repurposed] = []
    while True:
        held = tuple(sorted(one.category for one in lost))
        prior = holding(held)
        first = _climbed(votes, anchor(votes), part_of(how, 0), prior)
        found = [] if free else repurposed(votes, first.probabilities)
        more = [one for one in found if one.category not in held]
        if not more:
            return prior, first, lost
        lost += more


def _never_back(how: How) -> How:
    """Progress that stands still where something is done once more."""
    report, most = how.progress, 0
    if report is None:
        return how

    def told(done: int, total: int) -> None:
        nonlocal most
        most = max(most, done)
        report(most, total)

    return replace(how, progress=told)


def _given(votes: Votes, prior: str | float, strength: float | None) -> Prior | None:
    """The prior that was asked for; None if it is to be learned."""
    if strength is not None and (
        isinstance(strength, bool) or not isinstance(strength, int | float) or not strength > 0
    ):
        raise RequestError(
            f"a number above 0 (annotations in a row), not {strength!r}", parameter="strength"
        )
    if prior == "pooled":
        return None
    if prior == "row":
        return Prior(diagonal(votes, ROW if strength is None else float(strength)), _one(votes))
    if strength is not None:
        raise RequestError(
            f"only the priors 'row' and 'pooled' have a strength, not {prior!r}",
            parameter="strength",
        )
    shape = (1, votes.n_categories, votes.n_answers)
    if prior == "none":
        return Prior(np.zeros(shape), np.zeros(votes.n_categories))
    if isinstance(prior, bool) or not isinstance(prior, int | float) or not 0 <= prior < np.inf:
        raise RequestError(
            f"'none', 'row', 'pooled', or a number of annotations from 0 up, not {prior!r}",
            parameter="prior",
        )
    return Prior(np.full(shape, float(prior)), np.full(votes.n_categories, float(prior)))


def _one(votes: Votes) -> Floats:
    """(K,) one item, a part of it in each category: none is impossible."""
    return np.full(votes.n_categories, 1 / votes.n_categories)


def _maximised(counts: Floats, q: Floats, prior: Prior) -> tuple[Confusions, Floats]:
    """The M step: confusion matrices and prevalence (K,)."""
    prevalence = items_by_truth(q) + prior.items
    return Confusions(prior.rows(counts)), prevalence / prevalence.sum()


def _learned(
    votes: Votes, how: How, strength: float | None, own: Floats, held: tuple[int, ...]
) -> Prior:
    """The prior of all coders together: it and the labels are learned from each other.

    Rounds go on until both stand still, or the prior alone: a few items in doubt, which the climb
    settles, do not move it. All starts then share it, so that they can be compared.
    """
    q, old, items = anchor(votes), np.zeros(1), _one(votes)
    free = np.setdiff1d(np.arange(votes.n_categories), held)
    cells = learned(answers_by_truth(votes, q), strength or AT_FIRST)
    for _ in range(how.max_iterations):
        counts = answers_by_truth(votes, q)
        if strength is None:
            cells = learned(counts, strength_of(counts[:, free], cells[:, free]))
        else:
            cells = learned(counts, strength)
        emission, prevalence = _maximised(counts, q, Prior(cells + own, items).holding(held))
        new, _ = believed(votes, prevalence, emission.log_likelihood(votes), overwrite=True)
        change = moved(cells, old)
        still = change < ENOUGH or (change < STILL and moved(new, q) < STILL)
        q, old = new, cells
        if how.progress is not None:
            how.progress(0, how.max_iterations * (how.restarts + 1))
        if still:
            break
    return Prior(cells, items)


def _climbed(votes: Votes, start: Floats, how: How, prior: Prior) -> Estimate:
    """EM under a prior that stays."""

    def step(q: Floats) -> Step:
        emission, prevalence = _maximised(answers_by_truth(votes, q), q, prior)
        new, value = believed(votes, prevalence, emission.log_likelihood(votes), overwrite=True)
        if not prior.empty:
            value += prior.log_density(emission.logs, logs(prevalence))
        return Step(new, value)

    kind: Any = "log-likelihood" if prior.empty else "log posterior"
    q, run = climb(step, start, how, kind, strides=True)
    emission, prevalence = _maximised(answers_by_truth(votes, q), q, prior)
    confusion = emission.probabilities
    competence = competence_of(confusion, prevalence)
    return Estimate(q, prevalence, emission, competence, run, confusion)


preset(
    "pooled", "Dawid–Skene, pooled", "dawid_skene",
    "Each coder has a confusion matrix, shrunk towards that of all coders by a few annotations.",
    "dawid1979", "paun2018",
    prior="pooled",
)  # fmt: skip
preset(
    "map", "Dawid–Skene, smoothed", "dawid_skene",
    "Each coder has a confusion matrix, with a hundredth of an annotation added to each cell.",
    "dawid1979", "passonneau2014",
    prior=0.01,
)  # fmt: skip
