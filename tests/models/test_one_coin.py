"""The one-coin model: by loops, published values, priors."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import accordant as ac
from accordant.data.read import read
from accordant.errors import RequestError
from accordant.models.em import How
from accordant.models.estimators.dawid_skene import one_coin
from accordant.models.votes import Votes, votes
from models.planted import binary, difficult, sparse, table
from models.published import accuracy, crowd, published

RealData = Callable[[str], Path]


def by_loops(found: Votes, n: int) -> tuple[np.ndarray, list[float]]:
    """EM with probabilities multiplied one by one."""
    k = found.n_categories
    q, history = found.shares.copy(), []
    rows = list(zip(found.item, found.coder, found.label, found.times, strict=True))
    for _ in range(n):
        right = np.zeros(found.n_coders)
        for i, c, label, t in rows:
            right[c] += t * q[i, label]
        a = right / found.per_coder
        joint = np.tile(q.mean(0), (found.n_items, 1))
        for i, c, label, t in rows:
            p = np.full(k, (1 - a[c]) / (k - 1))
            p[label] = a[c]
            joint[i] *= p**t
        history.append(math.log(np.prod(joint.sum(1))))
        q = joint / joint.sum(1, keepdims=True)
    return q, history


@settings(max_examples=15)
@given(
    st.lists(
        st.tuples(st.integers(0, 7), st.sampled_from("ABC"), st.sampled_from("xyz")),
        min_size=6,
        max_size=30,
    )
)
def test_equals_an_em_written_with_loops(rows: list[tuple[int, str, str]]) -> None:
    found = votes(read([*rows, (0, "A", "x"), (0, "B", "y")], duplicates="keep"))
    wanted, history = by_loops(found, 5)
    got = one_coin(found, How(tolerance=0, max_iterations=5))
    assert got.probabilities == pytest.approx(wanted, abs=1e-8)
    assert got.climb.history == pytest.approx(history[: got.climb.n_iterations], abs=1e-8)


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
    (entry,) = [x for x in published(real_data, "one-coin") if x["data"] == name]
    found = crowd(real_data, name)
    got = one_coin(found, How())
    assert got.climb.converged
    assert got.climb.value == pytest.approx(entry["loglik"], abs=0.01)
    assert accuracy(real_data, name, found, got.probabilities) == pytest.approx(
        entry["value"], abs=entry["tol"]
    )


def test_finds_planted_accuracy() -> None:
    crowd = difficult()
    found = ac.fit(binary().data, "one_coin")
    assert (found.competence > 0.5).all()
    found = ac.fit(crowd.data, "one_coin")
    interval = found.interval("competence")
    assert (interval.low <= found.competence).all()
    assert (found.competence <= interval.high).all()
    truth = np.asarray(crowd.truth)
    assert (found.codes == truth).mean() > 0.9


def test_a_prior_keeps_single_annotations_from_certainty() -> None:
    none = one_coin(table(sparse().data), How(restarts=1))
    some = one_coin(table(sparse().data), How(restarts=1), prior=1)
    assert none.competence.max() == pytest.approx(1)
    assert some.competence.max() < 0.95
    for run in (none, some):
        assert not run.climb.fell
    assert some.climb.objective == "log posterior"
    with pytest.raises(RequestError, match="^prior: "):
        ac.fit(sparse().data, "one_coin", prior="pooled")


def test_many_categories_take_another_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sums over annotations rather than matrices of K x K: the same answer."""
    found = table(sparse().data)
    few = one_coin(found, How(max_iterations=30))
    monkeypatch.setattr("accordant.models.estimators.dawid_skene.MATRICES", 1)
    many = one_coin(found, How(max_iterations=30))
    assert many.probabilities == pytest.approx(few.probabilities, abs=1e-9)
    assert many.climb.history == pytest.approx(few.climb.history, rel=1e-12)
