"""Could the model have made these annotations? Replicates of them, compared where misfits show.

Every model fits how often each coder uses each label. What it may miss is how labels come together:
items that are harder than others, and coders who agree with each other but not with the rest.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from ...actions import Action
from ...arrays import Floats
from ...diagnosis.finding import Finding, Told, found_by, rule
from ...errors import RequestError
from ...inference.distributions import chi2_tail, t_tail
from ...numbers import decimal, joined, p_text, percent, tied
from ...results import Result
from ..dependence import dependence
from ..em import How
from ..estimate import Estimate
from ..fitted_model import FittedModel
from ..model import MODELS, whole
from ..votes import Votes
from .independence import copied
from .replicates import Replicator, of_items, some_items
from .statistics import Statistic, statistics_of

__all__ = ["Check", "Checks", "checks_of"]


MOST = 50_000  # annotations that are replicated; more show nothing else
REFITS, FEWER, LARGE = 20, 10, 25_000  # fits to replicates, and with more annotations than so many
LEAST = 10  # refits: fewer do not show how far chance reaches
WITHIN = 10  # replicates of each fit to a replicate
LOOSE, LONG = 1e-6, 300  # tolerance and most iterations of these fits
STRICT = 0.01  # p-value at which a check fails
VISIBLE = 0.02  # share of items (or of pairs of annotations) a misfit must move to be a warning


@dataclass(frozen=True, eq=False)
class Check:
    """One aspect of the annotations, beside what the model makes of it. B cells.

    Parameters
    ----------
    name : str
        ``'votes'``, ``'unanimous'``, ``'pairs'``, ``'coders'`` or ``'together'``.
    title : str
        What is compared, in words.
    cells : tuple of str
        (B,) what each number is of.
    observed : ndarray
        (B,)
    replicated, low, high : ndarray
        (B,) mean of the replicates, and the interval that holds 95 % of them.
    p_value : float
        How probable it is that the data lie as far from what the model has as they do, over all
        cells, if the model made them.
    p_cells : ndarray
        (B,) two-sided share of replicates that lie as far out, for each cell; rather too large,
        since the model was fitted to the data and not to them.
    moved : float
        How large the misfit is: the share of all that stands in another cell than expected; of
        ``'together'`` the correlation beyond chance.
    """

    name: str
    title: str
    cells: tuple[str, ...]
    observed: Floats
    replicated: Floats
    low: Floats
    high: Floats
    p_value: float
    p_cells: Floats
    moved: float

    @property
    def fits(self) -> bool:
        """Whether the model could have made this."""
        return not self.p_value <= STRICT


@dataclass(frozen=True, eq=False, repr=False)
class Checks(Result):
    """Posterior predictive checks of a model (Gelman et al. 2013, chapter 6).

    Parameters
    ----------
    question : str or None
    model : str
        Its name.
    each : tuple of Check
    n : int
        Replicates.
    n_items : int
        Items that were replicated.
    refits : int
        Replicates that the model was fitted to; if 0, p-values are too large.
    seed : int
    findings : tuple of Finding
        ``does_not_fit``, with what it means and what to do.
    """

    question: str | None
    model: str
    each: tuple[Check, ...]
    n: int
    n_items: int
    refits: int
    seed: int
    findings: tuple[Finding, ...]
    told_as: ClassVar[str] = "checks"

    def __getitem__(self, name: str) -> Check:
        for check in self.each:
            if check.name == name:
                return check
        raise RequestError(
            f"there is no check {name!r}: choose {', '.join(c.name for c in self.each)}"
        )

    @property
    def fits(self) -> bool:
        """Whether nothing speaks against the model."""
        return all(check.fits for check in self.each)

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each number that was compared."""
        return [
            {
                "question": self.question,
                "check": c.name,
                "cell": name,
                "in_data": o,
                "in_replicates": r,
                "low": low,
                "high": high,
                "p_value": p,
                "p_check": c.p_value,
            }
            for c in self.each
            for name, o, r, low, high, p in zip(
                c.cells,
                *(x.tolist() for x in (c.observed, c.replicated, c.low, c.high)),
                c.p_cells.tolist(),
                strict=True,
            )
        ]


def checks_of(
    posterior: FittedModel,
    n: int = 200,
    *,
    refits: int | None = None,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Checks:
    """Check a fit; see `Posterior.checks`.

    Notes
    -----
    How far the data lie from the model is the sum over cells of squared distances in standard
    deviations of the replicates. A model lies near the data that it was fitted to, so the same is
    computed for replicates, each beside the fit to itself (the bootstrap of Efron & Tibshirani
    1993, chapter 16, with parameters); a chi-square with the mean and the variance of these gives
    the p-value. Without refits, it is the share of replicates that lie as far out, which is too
    large.
    """
    whole(20, n=n)
    whole(0, seed=seed)
    if refits:
        whole(LEAST, refits=refits)
    own = _of_some(posterior)
    many = _affordable(own) if refits is None else refits
    total, done = n + many * (1 + WITHIN), 0

    def step(more: int) -> None:
        nonlocal done
        done += more
        if progress is not None:
            progress(done, total)

    replicator = Replicator(own.votes, own.estimate)
    statistics = statistics_of(own)
    drawn = _drawn(replicator, statistics, n, How(seed=seed).generator(7), step)
    observed = [s.of(own.votes.label) for s in statistics]
    refitted = [
        _refitted(own, replicator, statistics, How(seed=seed).generator(8, k), step)
        for k in range(many)
    ]
    each = [
        _check(s, observed[k], drawn[k], [(x[0][k], x[1][k]) for x in refitted])
        for k, s in enumerate(statistics)
    ]
    each += _together(own, [x[2] for x in refitted])
    findings = found_by(does_not_fit(posterior, tuple(each), statistics))
    return Checks(
        posterior.question,
        posterior.model.name,
        tuple(each),
        n,
        own.votes.n_items,
        many,
        seed,
        (*findings, *copied(posterior)),
    )


def _of_some(posterior: FittedModel) -> FittedModel:
    """The fit, or one to so many of the items that replicates of them can be fitted too."""
    votes = posterior.votes
    items = some_items(votes, MOST)
    if len(items) == votes.n_items:
        return posterior
    part = of_items(votes, items)
    return replace(posterior, votes=part, estimate=_fit(posterior, part))


def _fit(posterior: FittedModel, votes: Votes) -> Estimate:
    how = How(tolerance=LOOSE, max_iterations=LONG, seed=posterior.how.seed)
    return posterior.model.fit(votes, how, **posterior.options)


def _affordable(posterior: FittedModel) -> int:
    """How many refits are made: none of what was drawn from chains, which takes too long."""
    if posterior.model.drawn:
        return 0
    return REFITS if len(posterior.votes.item) <= LARGE else FEWER


def _drawn(
    replicator: Replicator,
    statistics: tuple[Statistic, ...],
    n: int,
    rng: np.random.Generator,
    step: Callable[[int], None],
) -> list[Floats]:
    """(R, B) numbers of the replicates, for each statistic."""
    rows: list[list[Floats]] = [[] for _ in statistics]
    for _ in range(n):
        label = replicator.labels(rng)
        for row, statistic in zip(rows, statistics, strict=True):
            row.append(statistic.of(label))
        step(1)
    return [np.array(row) for row in rows]


def _refitted(
    posterior: FittedModel,
    replicator: Replicator,
    statistics: tuple[Statistic, ...],
    rng: np.random.Generator,
    step: Callable[[int], None],
) -> tuple[list[Floats], list[Floats], float]:
    """Numbers of a replicate, those that the fit to it has (means), and its correlation."""
    label = replicator.labels(rng)
    votes = replace(posterior.votes, label=label.astype(posterior.votes.label.dtype))
    estimate = _fit(posterior, votes)
    step(1)
    again = Replicator(votes, estimate)
    within = _drawn(again, statistics, WITHIN, rng, step)
    correlation = dependence(votes).correlation
    return [s.of(label) for s in statistics], [x.mean(0) for x in within], correlation


def _check(
    statistic: Statistic, observed: Floats, drawn: Floats, refitted: list[tuple[Floats, Floats]]
) -> Check:
    """The data (B,) beside their replicates (R, B), and replicates beside the fits to them."""
    mean, sd = drawn.mean(0), drawn.std(0, ddof=1)
    sd = np.where(sd > 0, sd, statistic.least)
    n = len(drawn)

    def far(x: Floats) -> Floats:
        return np.asarray(((x / sd) ** 2).sum(-1))

    if refitted:
        # beside means of as few replicates as theirs, so that chance adds the same to both
        blocks = drawn[: n - n % WITHIN].reshape(-1, WITHIN, drawn.shape[1]).mean(1)
        own = float(far(observed - blocks).mean())
        p = _tail(own, np.array([float(far(x - m)) for x, m in refitted]))
    else:
        own = float(far(observed - mean))
        p = float((np.count_nonzero(far(drawn - mean) >= own - 1e-9) + 1) / (n + 1))
    above = ((drawn >= observed).sum(0) + 1) / (n + 1)
    below = ((drawn <= observed).sum(0) + 1) / (n + 1)
    low, high = np.quantile(drawn, [0.025, 0.975], axis=0)
    return Check(
        statistic.name,
        statistic.title,
        statistic.cells,
        observed,
        mean,
        low,
        high,
        p,
        np.minimum(1.0, 2 * np.minimum(above, below)),
        float(np.abs(observed - mean).sum() / 2 / max(statistic.total, 1)),
    )


def _tail(own: float, others: Floats) -> float:
    """Probability of so much or more under a chi-square that is scaled to what others have."""
    mean, variance = float(others.mean()), float(others.var(ddof=1)) if len(others) > 1 else 0.0
    if not variance > 0:
        return 1.0 if own <= mean + 1e-9 else 1 / (len(others) + 1)
    return float(chi2_tail(own * 2 * mean / variance, 2 * mean**2 / variance))


def _together(posterior: FittedModel, others: list[float]) -> list[Check]:
    """The correlation of coders beyond the estimated truth, beside that of refitted replicates."""
    own = posterior.dependence.correlation
    x = np.array([r for r in others if not math.isnan(r)])
    if math.isnan(own) or len(x) < 3 or not posterior.model.probabilistic:
        return []
    mean, sd = float(x.mean()), float(x.std(ddof=1)) * math.sqrt(1 + 1 / len(x))
    if not sd > 0:
        return []
    p = t_tail((own - mean) / sd, len(x) - 1)
    low, high = np.quantile(x, [0.025, 0.975])
    return [
        Check(
            "together",
            "answers of two coders beyond the truth",
            ("correlation",),
            np.array([own]),
            np.array([mean]),
            np.array([low]),
            np.array([high]),
            p,
            np.array([min(1.0, 2 * min(p, 1 - p))]),
            max(own - mean, 0.0),
        )
    ]


@rule("warning", "gelman2013")
def does_not_fit(
    posterior: FittedModel, each: tuple[Check, ...], statistics: tuple[Statistic, ...]
) -> Told | None:
    """Poor model fit.

    {model} does not fit these annotations, by posterior predictive checks: {told}.

    {advice}
    """
    checks = {c.name: c for c in each}
    wrong = {name: c for name, c in checks.items() if not c.fits and name != "unanimous"}
    if not wrong:
        return None
    p = {name: p_text(c.p_value) for name, c in checks.items()}  # each tells that of its own
    told, advice = [], []
    key = posterior.model.key
    if "votes" in wrong:
        told.append(f"items have other numbers of votes than the model expects ({p['votes']})")
        if not (same := checks["unanimous"]).fits:
            total = statistics[0].total
            told.append(
                f"{percent(same.observed[0] / total)} of the items are unanimous, where the model "
                f"expects {percent(same.replicated[0] / total)} ({p['unanimous']})"
            )
        others = [repr(x.key) for x in MODELS.values() if x.varied and x.key != key]
        advice.append(
            "Try a model in which items of a category differ, for example in difficulty: "
            f"{joined(others, 'or')}."
        )
    if pairs := wrong.get("pairs"):
        z = (pairs.observed - pairs.replicated) / np.maximum(pairs.high - pairs.low, 1e-9)
        most = [pairs.cells[k] for k in np.argsort(-tied(z), kind="stable")[:2] if z[k] > 0.5]
        who = f", most of all {joined(most)}" if most else ""
        told.append(
            "some pairs of coders agree more or less often than the model expects "
            f"({p['pairs']}){who}"
        )
        advice.append("Look for coder groups: a minority that labels differently is not noise.")
    if one := wrong.get("together"):
        told.append(
            "given the estimated truth, the labels of an item still correlate by "
            f"{decimal(float(one.observed[0]))}, where the model expects "
            f"{decimal(float(one.replicated[0]))} ({p['together']})"
        )
        if not advice:
            advice.append(
                "Coders err together on some items: probabilities of labels are recalibrated for "
                "this, the accuracies of coders are not."
            )
    if "coders" in wrong:
        told.append(
            f"the labels that coders use are not those that the model expects ({p['coders']})"
        )
        advice.append(
            "Fit a model with a confusion matrix for each coder, such as 'pooled'."
            if posterior.confusion is None
            else "The model pulls some coders too far towards the average: where they have many "
            "annotations, try 'dawid_skene'."
            if key != "dawid_skene"
            else "Look at the labels that each coder uses."
        )
    moved = {f"{name}_moved": c.moved for name, c in checks.items()}
    return Told(
        {name: c.p_value for name, c in checks.items()} | moved,
        {"model": posterior.model.name, "told": joined(told), "advice": " ".join(advice)},
        None if any(c.moved >= VISIBLE for c in wrong.values()) else "note",
        (Action("coders"),) if "pairs" in wrong else (),
    )
