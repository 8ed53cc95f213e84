"""Variational Dawid–Skene (IBCC): published bounds, the bound written out, intervals."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.special import digamma, gammaln

import accordant as ac
from accordant.data import examples
from accordant.errors import RequestError
from accordant.models.em import How
from accordant.models.estimators.variational import variational
from accordant.models.votes import Votes
from claims.simulated_crowd import simulate_crowd
from models.planted import certain, mixed, sparse, table
from models.published import accuracy, crowd, published

RealData = Callable[[str], Path]


def bound(found: Votes, q: np.ndarray, new: np.ndarray, diagonal: float, off: float) -> float:
    """E log p(data, z, θ, π) − E log of their distributions, written term by term.

    θ and π have their distributions after q; z has ``new``.
    """
    k = found.n_categories
    prior = np.full((k, k), off) + (diagonal - off) * np.eye(k)
    rows = np.tile(prior, (found.n_coders, 1, 1))
    for i, c, label, t in zip(found.item, found.coder, found.label, found.times, strict=True):
        rows[c, :, label] += t * q[i]
    share = 1 + q.sum(0)
    log_rows = digamma(rows) - digamma(rows.sum(2, keepdims=True))
    log_share = digamma(share) - digamma(share.sum())

    def density(a: np.ndarray, logs: np.ndarray) -> float:
        return float((gammaln(a.sum(-1)) - gammaln(a).sum(-1) + ((a - 1) * logs).sum(-1)).sum())

    value = float((new @ log_share).sum() - (new * np.log(np.where(new > 0, new, 1))).sum())
    for i, c, label, t in zip(found.item, found.coder, found.label, found.times, strict=True):
        value += t * float(new[i] @ log_rows[c, :, label])
    value += density(np.tile(prior, (found.n_coders, 1, 1)), log_rows) - density(rows, log_rows)
    return value + density(np.ones(k), log_share) - density(share, log_share)


def test_the_bound_is_the_bound() -> None:
    found = table(certain().data)
    one = variational(found, How(tolerance=0, max_iterations=1), diagonal=3)
    two = variational(found, How(tolerance=0, max_iterations=2), diagonal=3)
    wanted = bound(found, one.probabilities, two.probabilities, 3, 1)
    assert two.climb.history[1] == pytest.approx(wanted, rel=1e-10)


@pytest.mark.parametrize(
    "name",
    [
        "snow_rte",
        "snow_temporal",
        "snow_wsd",
        "bluebird",
        "web",
        "weather_cf",
        "face_sentiment",
        "tweet_sentiment",
        "sp_polarity",
        "product",
        "zencrowd_us",
    ],
)
def test_published(name: str, real_data: RealData) -> None:
    (entry,) = [x for x in published(real_data, "IBCC (var") if x["data"] == name]
    found = crowd(real_data, name)
    got = variational(found, How(), diagonal=4)
    assert got.climb.objective == "lower bound"
    assert got.climb.value == pytest.approx(entry["elbo"], abs=0.002)
    assert accuracy(real_data, name, found, got.probabilities) == pytest.approx(
        entry["value"], abs=entry["tol"]
    )


def test_anaesthesia() -> None:
    found = ac.fit(examples.load("dawid_skene1979"), "ibcc", restarts=0)
    assert found.prevalence == pytest.approx([0.3996, 0.4369, 0.1226, 0.0409], abs=1e-3)
    assert found.objective == pytest.approx(-267.843, abs=1e-3)


@pytest.mark.parametrize("prior", [{}, {"diagonal": 0.2, "off": 0.1}, {"diagonal": 10}])
def test_the_bound_never_falls(prior: dict[str, Any]) -> None:
    for data in (mixed().data, sparse().data):
        got = variational(table(data), How(restarts=2), **prior)
        for run in (got.climb, *got.restarts):
            assert (np.diff(run.history) >= -1e-9 * np.abs(run.history[1:])).all()


def test_intervals_cover_what_was_planted() -> None:
    crowd = mixed()
    found = ac.fit(crowd.data, "variational")
    place = [crowd.data.coders.index(c) for c in table(crowd.data).coders]
    truth = np.asarray(crowd.confusion)[place]
    cells = found.interval("confusion")
    assert ((cells.low <= truth) & (truth <= cells.high)).mean() > 0.85


def test_a_prior_needs_positive_parameters() -> None:
    for bad in ({"diagonal": 0}, {"off": -1}, {"prevalence": "x"}):
        with pytest.raises(RequestError, match="above 0"):
            ac.fit(mixed().data, "variational", **bad)


def test_a_prior_as_large_as_the_data_is_told() -> None:
    """Six made-up annotations in each of five rows, and 60 real ones: competence is the prior's."""
    made = simulate_crowd(240, 20, 5, per_item=5, seed=0)
    (told,) = [f for f in ac.fit(made.data, "ibcc").findings if f.code == "prior_outvotes"]
    assert "adds 6 annotations to each of 5 rows, 30 annotations in all" in told.sentence
    some = ac.fit(made.data, "ibcc", diagonal=0.5, off=0.1)
    assert "prior_outvotes" not in [f.code for f in some.findings]
