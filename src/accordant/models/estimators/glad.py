"""GLAD (Whitehill et al. 2009): how able a coder is, and how difficult an item."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ...diagnosis.finding import Finding
from ...errors import RequestError
from ...numbers import decimal
from ..em import Climb, How, climb
from ..estimate import AS_KNOWN, Estimate, Interval, Intervals
from ..model import model
from ..starts import best_of
from ..uncertainty import LEVEL
from ..votes import Votes
from .glad_climb import Abilities, Parameters, Search

__all__ = ["glad"]

Floats = NDArray[np.float64]

PREVALENCES = ("uniform", "learned")
MOST_ITEMS = 1000  # that a mean over items is taken of; of more, as many quantiles
PLAIN = 10  # iterations before strides: no published run counts them
FEW = 5  # annotations of an item, below which its difficulty is mostly that of the prior
METHOD = f"normal approximation; labels and difficulties {AS_KNOWN}"


@model("GLAD", "whitehill2009")
def glad(votes: Votes, how: How, *, prevalence: str = "uniform") -> Estimate:
    """Coders are more or less able and items more or less easy; errors fall on any other label.

    Parameters
    ----------
    votes : Votes
    how : How
    prevalence : {'uniform', 'learned'}
        All categories are equally frequent, or as frequent as the annotations make them.

    Returns
    -------
    Estimate
        The log-odds of being right are ability / difficulty: ``coder_parameters['ability']``
        (C,), negative for coders who are wrong more often than right, and
        ``item_parameters['difficulty']`` (I,), above 0. Someone of ability 1 has odds of e : 1 at
        difficulty 1, of e² : 1 at difficulty 1/2; the harder an item, the nearer everybody comes
        to 1 : 1. ``competence`` is the mean probability of being right, over all items.

    Raises
    ------
    RequestError
        If ``prevalence`` is neither, or abstentions are answers.

    Notes
    -----
    Ability and the logarithm of 1 / difficulty have normal priors with mean and variance 1. The
    objective is the log posterior of the parameters but for their normal constants; it never
    falls, see `glad_climb.Search.improved`. With more than two categories errors are uniform over
    the others, as Whitehill et al. (2009, section 2) propose.

    Examples
    --------
    >>> import accordant as ac
    >>> rows = [["a", "b", "a", "b", "a", "b"]] * 4 + [["b", "a", "b", "a", "b", "b"]]
    >>> found = ac.fit(rows, "glad")
    >>> found.labels
    ['a', 'b', 'a', 'b', 'a', 'b']
    >>> found.estimate.coder_parameters["ability"].round(1).tolist()
    [1.2, 1.2, 1.2, 1.2, -0.4]
    """
    if prevalence not in PREVALENCES:
        raise RequestError(
            f"choose from {', '.join(PREVALENCES)}, not {prevalence!r}", parameter="prevalence"
        )
    votes.refuse_abstentions("GLAD")
    search = Search(votes, prevalence == "learned")

    def run(start: Floats, how: How) -> Estimate:
        state, climbed = climb(
            search.step, search.start(start), how, "log posterior", strides=True,
            within=search.within, plain=PLAIN,
        )  # fmt: skip
        return _estimate(search, search.split(state), climbed)

    return best_of(votes, how, run)


def _estimate(search: Search, p: Parameters, run: Climb) -> Estimate:
    """What the parameters say of items and coders."""
    votes = search.votes
    q, _ = search.beliefs(p, search.log_odds(p))
    return Estimate(
        q,
        q.mean(0),
        Abilities(p.ability, p.log_easiness, votes.n_categories),
        _mean_right(p.ability, p.log_easiness),
        run,
        coder_parameters={"ability": p.ability},
        item_parameters={"difficulty": np.exp(-p.log_easiness)},
        intervals=_intervals(search, p),
        findings=_thin(votes),
        state_prior=p.prevalence,
        state_category=np.arange(votes.n_categories),
    )


def _mean_right(ability: Floats, log_easiness: Floats) -> Floats:
    """(C,) probability of being right, mean over the items."""
    from scipy.special import expit

    if len(log_easiness) > MOST_ITEMS:
        middle = (np.arange(MOST_ITEMS) + 0.5) / MOST_ITEMS
        log_easiness = np.quantile(log_easiness, middle)
    easiness = np.exp(np.sort(log_easiness))  # sorted: the same sum whatever the order of items
    return np.array([float(expit(a * easiness).mean()) for a in ability])


def _intervals(search: Search, p: Parameters) -> Intervals:
    """Of ability, from the curvature of its log posterior."""
    from scipy.special import expit, ndtri

    z = float(ndtri((1 + LEVEL) / 2))

    def ability() -> Interval:
        right = expit(search.log_odds(p))
        information = search.table(right * (1 - right)).T @ np.exp(2 * p.log_easiness)
        error = 1 / np.sqrt(1 + information)
        return Interval(p.ability - z * error, p.ability + z * error, LEVEL, METHOD)

    return Intervals(ability=ability)


def _thin(votes: Votes) -> tuple[Finding, ...]:
    """A note where difficulties cannot be told apart, since items have few annotations."""
    typical = float(np.median(votes.per_item))
    if math.isnan(typical) or typical >= FEW:
        return ()
    return (
        Finding(
            "difficulty_from_prior",
            "note",
            f"A typical item has {decimal(typical, 0)} annotations, and its difficulty is "
            "estimated from these alone: the prior dominates it.",
            f"Do not rank items by difficulty before they have {FEW} annotations or more.",
            {"median": typical, "least": FEW},
            ("whitehill2009",),
            title="Difficulty of items",
        ),
    )
