"""Bayesian Dawid–Skene with a population of coders, by Gibbs sampling: with credible intervals."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np

from ...actions import FILE, Action
from ...arrays import Floats
from ...diagnosis.finding import Catalogue, Told, found_by, rule
from ...errors import RequestError
from ..em import Climb, How
from ..emission import Confusions, answers_by_truth, competence_of
from ..estimate import Estimate, Interval, believed
from ..model import model, whole
from ..solutions import anchor, switched
from ..votes import Votes
from .canonical import fitted_in_order
from .gibbs import draws_of, effective_size, r_hat, shape_of

__all__ = ["hierarchical"]


AGREED = 1.05  # R-hat: chains that differ by more have not found the same thing
ENOUGH = 100  # effective draws: with fewer the ends of an interval are vague
KEPT = 20_000_000  # cells of confusion matrices that are kept for their intervals
SPREAD = 0.3  # how far chains start from the fit that they are anchored at
ANCHORING = 20  # rounds of that fit

CHAINS = Catalogue()
"""Rules about the draws of several chains."""


@model(
    "Dawid–Skene, hierarchical Bayesian",
    "passonneau2014",
    "paun2018",
    aliases=("bayes",),
    averages=True,
    drawn=True,
    only_named="draws samples of all parameters, which takes long",
    right_of_certain=(0.964, 0.743),
)
def hierarchical(
    votes: Votes,
    how: How,
    *,
    draws: int = 500,
    warm_up: int = 300,
    chains: int = 4,
    level: float = 0.95,
) -> Estimate:
    """Each coder has a confusion matrix from a population of coders, and everything an interval.

    Each row of a coder's matrix is drawn from a Dirichlet distribution around the row of all
    coders; how far coders differ is learned for each row, so coders with few annotations borrow
    from the others as much as the data allow. The posterior is drawn by several chains.

    Parameters
    ----------
    votes : Votes
    how : How
        The seed is used; tolerance and iterations are not.
    draws, warm_up : int
        Kept and thrown away by each chain.
    chains : int
        Started from different values, so that chains that do not mix can be detected.
    level : float
        Of the credible intervals.

    Returns
    -------
    Estimate
        Posterior means; ``intervals`` of prevalence, confusion and competence;
        ``coder_parameters["r_hat"]`` and ``["effective_draws"]`` of each competence.

    Notes
    -----
    Carpenter (2008) and Passonneau & Carpenter (2014, section 4) with a population for each row as
    in Paun et al. (2018, section 3.4), who use normal distributions of log odds instead. The
    chains start near a fit that is anchored at the votes, so that categories keep their names.
    ``converged`` says that R-hat (Vehtari et al. 2021) of prevalence, competence and likelihood is
    below 1.05. The result is exactly the same for any order of rows, any names of items and coders
    and any order of categories; only coders who annotated alike to the last item share what is
    drawn for them by their names.
    """
    whole(20, draws=draws)
    whole(0, warm_up=warm_up)
    whole(2, chains=chains)
    if isinstance(level, bool) or not isinstance(level, int | float) or not 0 < level < 1:
        raise RequestError(f"a number between 0 and 1, not {level!r}", parameter="level")

    def fitting(ordered: Votes, how: How) -> Estimate:
        return _fitted(ordered, how, draws, warm_up, chains, level)

    return fitted_in_order(votes, how, fitting)


def _fitted(
    votes: Votes, how: How, draws: int, warm_up: int, chains: int, level: float
) -> Estimate:
    start = _anchored(votes)
    total, shape = warm_up + draws, (votes.n_coders, votes.n_categories, votes.n_answers)
    every = -(-draws // max(100, KEPT // (chains * int(np.prod(shape)))))
    beliefs, confusion = np.zeros((votes.n_items, chains, shape[1])), np.zeros(shape)
    prevalence, competence, log_likelihood, thinned = [], [], [], []
    drawing = draws_of(votes, _starts(start, chains, how), how.generator(1))
    for done, draw in zip(range(total), drawing):  # noqa: B905 - drawing has no end
        if done >= warm_up:
            beliefs += draw.beliefs
            confusion += draw.confusion.sum(0)
            prevalence.append(draw.prevalence)
            both = zip(draw.confusion, draw.prevalence, strict=True)
            competence.append([competence_of(c, p) for c, p in both])
            log_likelihood.append(draw.log_likelihood[:, None])
            if (done - warm_up) % every == 0:
                thinned.append(draw.confusion.astype(np.float32))
        if how.progress is not None:
            how.progress(done + 1, total)
    n = chains * draws
    confusion, probabilities = confusion / n, beliefs.sum(1) / n
    mixed: dict[str, Floats] = {  # (H, D, ...)
        "prevalence": np.stack(prevalence, 1),
        "competence": np.stack(competence, 1),
        "log-likelihood": np.stack(log_likelihood, 1),
    }
    apart = {name: r_hat(x) for name, x in mixed.items()}
    worst = max(float(np.nanmax(x, initial=1.0)) for x in apart.values())
    size = {name: effective_size(x) for name, x in mixed.items()}
    least = min(float(np.nanmin(x, initial=n)) for x in size.values())
    run = _Run(worst, least, chains, draws)
    told = [rule(run) for rule in CHAINS.values()]
    return Estimate(
        probabilities,
        mixed["prevalence"].mean((0, 1)),
        Confusions(confusion),
        mixed["competence"].mean((0, 1)),
        Climb("none", (), worst < AGREED),
        confusion,
        coder_parameters={"r_hat": apart["competence"], "effective_draws": size["competence"]},
        intervals={
            "prevalence": _interval(mixed["prevalence"], level),
            "competence": _interval(mixed["competence"], level),
            "confusion": _interval(np.stack(thinned), level),
        },
        findings=found_by(*told, labels_switched(votes, probabilities)),
    )


def _anchored(votes: Votes) -> Floats:
    """(I, K) beliefs after some rounds from the votes, with what coders have in common as prior."""
    k, q = votes.n_categories, anchor(votes)
    prior = shape_of(k, votes.n_answers)
    for _ in range(ANCHORING):
        counts = answers_by_truth(votes, q)
        pooled = counts.sum(0) + prior
        rows = counts + 4 * pooled / pooled.sum(-1, keepdims=True) + 0.1 * prior
        rows /= rows.sum(-1, keepdims=True)
        prevalence = (q.sum(0) + 1) / (len(q) + k)
        q, _ = believed(votes, prevalence, Confusions(rows).log_likelihood(votes))
    return q


def _starts(start: Floats, chains: int, how: How) -> Floats:
    """(H, I, K) near the anchor, each chain somewhere else."""
    noise = how.generator(0).dirichlet(np.ones(start.shape[1]), (chains, len(start)))
    return np.asarray((1 - SPREAD) * start + SPREAD * noise)


def _interval(x: Floats, level: float) -> Interval:
    low, high = np.quantile(x, [(1 - level) / 2, (1 + level) / 2], axis=(0, 1))
    return Interval(low.astype(float), high.astype(float), level, "posterior")


@dataclass(frozen=True)
class _Run:
    """How well the chains mixed: the worst R-hat, the fewest effective draws."""

    r_hat: float
    effective_draws: float
    chains: int
    draws: int


@CHAINS.rule("problem", "vehtari2021")
def not_mixed(run: _Run) -> Told | None:
    """Chains that disagree.

    The {chains:chain} did not converge to the same posterior: R-hat is {r_hat:.2}, above
    {agreed:.2}.

    Draw longer. If that does not help, the data fit two different solutions: compare with the
    pooled model, and get more annotations of the items in question.
    """
    longer = Action("", {"draws": 4 * run.draws, "warm_up": ...})
    do = (longer, Action("fit", {"model": "pooled"}))
    return Told(asdict(run), {"agreed": AGREED}, do=do) if run.r_hat >= AGREED else None


@CHAINS.rule("warning", "vehtari2021")
def few_draws(run: _Run) -> Told | None:
    """Too few draws.

    The effective sample size of one parameter is only {size:,}, so the ends of its interval are
    imprecise.

    Draw longer.
    """
    if run.r_hat >= AGREED or run.effective_draws >= ENOUGH:
        return None
    words, do = {"size": round(run.effective_draws)}, (Action("", {"draws": 4 * run.draws}),)
    return Told(asdict(run), words, do=do)


@CHAINS.rule("note", "vehtari2021")
def mixed(run: _Run) -> Told | None:
    """Chains that agree.

    {chains:chain} of {draws:draw} converged to the same posterior: R-hat is {r_hat:.2} at most, and
    the effective sample size at least {size:,}.

    This says that the draws are enough, not that the model fits.
    """
    if run.r_hat >= AGREED or run.effective_draws < ENOUGH:
        return None
    return Told(asdict(run), {"size": round(run.effective_draws)})


@rule("problem")
def labels_switched(votes: Votes, probabilities: Floats) -> Told | None:
    """Label switching.

    Label switching: what the model calls {own:quoted} is what most coders call {category:quoted}.

    Add control items, or use a model that does not draw.
    """
    order = switched(votes, probabilities)
    if order is None:
        return None
    k = int(np.flatnonzero(order != np.arange(len(order)))[0])
    do = (Action("", {"gold": FILE}, "control items"), Action("fit", {"model": "pooled"}))
    return Told({"category": votes.categories[k]}, {"own": votes.categories[order[k]]}, do=do)
