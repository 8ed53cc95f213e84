"""Dawid & Skene (1979): a confusion matrix for each coder, or one number, found by EM."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ...actions import Action
from ...arrays import Floats
from ...diagnosis.finding import Told, found_by, rule
from ...errors import RequestError
from ..em import STILL, How, Step, climb, moved
from ..emission import (
    Confusions,
    OneCoin,
    answers_by_truth,
    competence_of,
    items_by_truth,
    logs,
    rows_of,
)
from ..estimate import Estimate, believed
from ..model import model, positive, preset
from ..priors import AT_FIRST, HEAVY, Prior, heavy, history_of, learned, outvoted, strength_of
from ..solutions import Repurposed, anchor, best_of, part_of, repurposed, repurposed_category
from ..votes import Votes

__all__ = ["dawid_skene", "one_coin"]


ROW = 3.0  # annotations in a row of prior='row'
ENOUGH = 1e-5  # annotations of a cell that a round of learning the prior still moves
MEANING = ("row", "pooled")  # priors that know what a category is called


@model(
    "Dawid–Skene",
    "dawid1979",
    aliases=("ds",),
    rank=9,
    why="Coders make different errors, and have enough annotations to estimate them.",
    right_of_certain=(0.952, 0.819),
)
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
    do (see `solutions.repurposed`) is held to its label: its rows are assumed, 7 of 10 right, and a
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
    told = found_by(repurposed_category(votes, lost, best.probabilities, HEAVY))
    drowned = prior_outvotes(votes, prior) if isinstance(prior, float | int) else None
    return replace(best, findings=(*best.findings, *told, *found_by(drowned)))


@rule("warning", "passonneau2014")
def prior_outvotes(votes: Votes, number: float) -> Told | None:
    """A prior that outweighs the annotations.

    The prior adds {number:.6g} to each of {k} x {o} cells, {made_up:.6g} annotations in all, to
    every coder. {n:coder} of {coders:,} ({share:%}) gave no more than twice as many, so the prior
    dominates their estimates.

    Use the pooled prior, which adds a few annotations to each row, or a small number such as 0.01.
    """
    k, o = votes.n_categories, votes.n_answers
    facts = outvoted(votes, float(number) * k * o)
    words = {"number": number, "k": k, "o": o, "coders": votes.n_coders}
    return Told(facts, words, do=(Action("", {"prior": "pooled"}),)) if facts else None


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
    if strength is not None:
        positive("a number of annotations in a row", strength=strength)
    if prior == "pooled":
        return None
    shape = (1, votes.n_categories, votes.n_answers)
    if prior == "row":
        return Prior((strength or ROW) * heavy(*shape[1:])[None], _one(votes))
    if strength is not None:
        raise RequestError(
            f"only the priors 'row' and 'pooled' have a strength, not {prior!r}",
            parameter="strength",
        )
    number = _added(prior, "'none', 'row', 'pooled',")
    return Prior(np.full(shape, number), np.full(votes.n_categories, number))


def _added(prior: str | float, others: str) -> float:
    """The number of annotations that a prior adds to each cell; 0 for 'none'."""
    if prior == "none":
        return 0.0
    if isinstance(prior, bool) or not isinstance(prior, int | float) or not 0 <= prior < np.inf:
        raise RequestError(
            f"{others} or a number of annotations from 0 up, not {prior!r}", parameter="prior"
        )
    return float(prior)


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
    "pooled",
    "Dawid–Skene, pooled",
    dawid_skene,
    "dawid1979",
    "paun2018",
    rank=6,
    options={"prior": "pooled"},
    says="Each coder has a confusion matrix, shrunk towards that of all coders by a few "
    "annotations.",
    why="Coders make different errors; where a coder has few annotations, the estimates are shrunk "
    "towards those of all coders.",
    right_of_certain=(0.959, 0.825),
)
preset(
    "map",
    "Dawid–Skene, smoothed",
    dawid_skene,
    "dawid1979",
    "passonneau2014",
    options={"prior": 0.01},
    says="Each coder has a confusion matrix, with a hundredth of an annotation added to each cell.",
    only_named="the model of pooled with a fixed prior",
    right_of_certain=(0.941, 0.803),
)


MATRICES = 30  # categories; up to here products with whole matrices are the fastest


@model(
    "One coin",
    "dawid1979",
    "demartini2012",
    aliases=("zencrowd",),
    rank=3,
    matrix=False,
    why="Coders differ in accuracy, and their errors follow no pattern.",
    right_of_certain=(0.932, 0.25),
)
def one_coin(votes: Votes, how: How, *, prior: str | float = "none") -> Estimate:
    """Each coder is right with one probability, whatever is true; errors fall on any category.

    Parameters
    ----------
    votes : Votes
    how : How
    prior : 'none' or float
        'none' is maximum likelihood; a number is added to the right and to the wrong
        annotations of each coder, and to the items of each category.

    Returns
    -------
    Estimate
        Its confusion matrices have equal diagonals, and equal cells beside them.

    Notes
    -----
    Dawid & Skene's model with K (K − 1) parameters of a coder made 1. It fits where coders give
    few annotations, or where no category is easier to miss than another; ZenCrowd (Demartini et
    al. 2012) is its relative. EM; the M step is a count of expected right annotations.
    """
    votes.refuse_abstentions("the one-coin model")
    extra = _added(prior, "'none'")
    k = votes.n_categories
    n = votes.per_coder

    def maximised(q: Floats) -> tuple[Floats, Floats]:
        right = _right(votes, q)
        accuracy = rows_of(np.stack([right + extra, n - right + extra], -1))[:, 0]
        prevalence = items_by_truth(q) + extra
        return accuracy, prevalence / prevalence.sum()

    def step(q: Floats) -> Step:
        accuracy, prevalence = maximised(q)
        one = _matrices(accuracy, k) if k <= MATRICES else _emission(accuracy, k)
        new, value = believed(votes, prevalence, one.log_likelihood(votes), overwrite=True)
        if extra:
            value += extra * float(
                logs(accuracy).sum() + logs(1 - accuracy).sum() + logs(prevalence).sum()
            )
        return Step(new, value)

    kind: Any = "log posterior" if extra else "log-likelihood"

    def run(start: Floats, how: How) -> Estimate:
        q, found = climb(step, start, how, kind, strides=True)
        accuracy, prevalence = maximised(q)
        one = _emission(accuracy, k)
        table = _matrices(accuracy, k).probabilities
        return Estimate(q, prevalence, one, accuracy, found, table)

    return best_of(votes, how, run)


def _emission(accuracy: Floats, n_categories: int) -> OneCoin:
    return OneCoin(lambda item, coder: accuracy[coder], n_categories)


def _matrices(accuracy: Floats, n_categories: int) -> Confusions:
    """The same as confusion matrices."""
    coders = np.arange(len(accuracy))
    return Confusions(_emission(accuracy, n_categories).table(coders, coders))


def _right(votes: Votes, q: Floats) -> Floats:
    """(C,) expected number of right annotations."""
    if votes.n_categories > MATRICES:
        right = votes.times * q[votes.item, votes.label]
        return np.asarray(np.bincount(votes.coder, right, votes.n_coders))
    return np.asarray(np.einsum("ckk->c", answers_by_truth(votes, q)))
