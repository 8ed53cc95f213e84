"""Could the model have made these annotations? Fits where it did, bites where it did not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import accordant as ac
from accordant.errors import RequestError
from accordant.models.trust.replicates import Replicator
from claims.simulated_crowd import simulate_crowd
from models.planted import (
    binary,
    camps,
    difficult,
    mixed,
    permuted_coders,
    reversed_categories,
    shuffled,
    unbalanced,
)


def fitted(data: Any, model: str = "dawid_skene", **more: Any) -> Any:
    return ac.fit(data, model, restarts=0, **more)


@pytest.mark.parametrize("crowd", [binary, mixed])
def test_data_that_the_model_made_fit(crowd: Any) -> None:
    found = fitted(crowd().data).checks(100)
    assert found.fits
    assert not found.findings
    assert {c.name for c in found.each} == {"unanimous", "votes", "pairs", "coders", "together"}


def test_false_alarms_are_rare() -> None:
    wrong = 0
    for seed in range(12):
        crowd = simulate_crowd(200, {"good": 5, "sloppy": 2}, 2, per_item=5, seed=seed)
        wrong += not fitted(crowd.data).checks(100).fits
    assert wrong <= 1


def test_p_values_are_those_of_chance() -> None:
    """Without refits their mean under the true model was .87 (votes) to .94 (pairs)."""
    found = [
        fitted(simulate_crowd(150, 6, 2, per_item=4, seed=seed).data, "pooled").checks(60)
        for seed in range(10)
    ]
    for name in ("votes", "pairs", "together"):
        p = np.array([checks[name].p_value for checks in found])
        assert 0.25 < p.mean() < 0.75, name
        assert (p < 0.01).sum() <= 1


def test_misleading_items_are_seen() -> None:
    """Before, in none of twelve such crowds."""
    seen = 0
    for seed in range(5):
        crowd = simulate_crowd(400, 20, 3, per_item=5, misleading=0.15, seed=seed)
        checks = fitted(crowd.data, "pooled").checks(60)
        seen += checks["together"].p_value < 0.05
        seen += checks["votes"].p_value < 0.05
    assert seen >= 5


def test_without_refits_it_is_said() -> None:
    found = fitted(binary().data).checks(30, refits=0)
    assert found.refits == 0
    assert "p is too large" in str(found)
    assert "together" not in {c.name for c in found.each}


def test_progress_and_many_annotations(monkeypatch: Any) -> None:
    """Of many annotations a part is fitted anew, and replicates of that part."""
    monkeypatch.setattr("accordant.models.trust.checks.MOST", 600)
    seen: list[tuple[int, int]] = []
    found = fitted(binary().data).checks(
        20, refits=10, progress=lambda done, n: seen.append((done, n))
    )
    assert found.n_items < len(binary().labels)
    assert seen[-1] == (130, 130)
    assert found.fits


def test_gold_for_all_items_is_no_crash() -> None:
    crowd = mixed()
    truth = dict(zip(list(crowd.data.items), crowd.labels, strict=True))
    assert fitted(crowd.data, gold=truth).checks(20, refits=10).each


def test_difficulty_is_seen() -> None:
    found = fitted(difficult().data).checks(100)
    assert not found["votes"].fits
    (told,) = found.findings
    assert told.code == "does_not_fit"
    assert "difficulty" in told.advice


def test_camps_are_seen_in_pairs() -> None:
    found = fitted(camps().data, "one_coin").checks(100)
    assert not found["pairs"].fits
    (told,) = found.findings
    assert "coders" in {step.call for step in told.do}
    pairs = found["pairs"]
    excess = pairs.observed - pairs.replicated
    most = pairs.cells[int(np.argmax(excess))]
    assert most.count("school") == 2  # two of the minority, by the names of the kinds


def test_margins_always_fit() -> None:
    for crowd in (difficult, camps, mixed):
        assert fitted(crowd().data).checks(50)["coders"].p_value > 0.1


def test_caries_as_published(real_data: Any) -> None:
    """Items by number of positive votes: Dawid-Skene makes too few with five of five."""
    found = fitted(ac.read(real_data("crowd/caries.csv"))).checks(400)
    votes = found["votes"]
    assert votes.observed.tolist() == [1880, 1065, 404, 247, 173, 100]
    expected = [1835.4, 1155.7, 313.2, 289.8, 216.6, 58.2]
    sd = np.sqrt(np.array(expected))
    assert np.abs(votes.replicated - expected).max() < 4 * sd.max() / np.sqrt(400)
    assert (votes.p_cells[1:] < 0.03).all()
    assert votes.p_cells[0] > 0.05
    assert not votes.fits
    (told,) = found.findings
    assert told.severity == "warning"


# ------------------------------------------------------------------ replicates


def test_replicates_follow_the_model() -> None:
    found = fitted(mixed().data)
    replicator = Replicator(found.votes, found.estimate)
    rng = np.random.default_rng(0)
    drawn = np.stack([replicator.labels(rng) for _ in range(300)])
    e, v = found.estimate, found.votes
    p = np.einsum("s,cso->co", e.probabilities.mean(0), e.confusion)
    got = np.stack([(drawn == k).mean(0) for k in range(3)], 1)
    assert np.abs(got - p[v.coder]).max() < 5 * 0.5 / np.sqrt(300)
    assert got.mean(0) == pytest.approx(p[v.coder].mean(0), abs=0.01)


def test_control_items_stay_what_they_are() -> None:
    crowd = unbalanced()
    found = fitted(crowd.data, gold=crowd.gold)
    replicator = Replicator(found.votes, found.estimate)
    state = replicator.truth(np.random.default_rng(0))
    known = replicator.known
    assert (state[known >= 0] == known[known >= 0]).all()
    assert found.checks(30).each


@pytest.mark.parametrize("change", [shuffled, reversed_categories])
def test_no_order_matters(change: Any) -> None:
    one, other = (fitted(d).checks(30) for d in (mixed().data, change(mixed().data)))
    for a, b in zip(one.each, other.each, strict=True):
        assert b.p_value == pytest.approx(a.p_value), a.name
        assert sorted(b.replicated) == pytest.approx(sorted(a.replicated))


def test_names_of_coders_change_draws_only() -> None:
    other, _ = permuted_coders(mixed().data)
    assert fitted(other).checks(50).fits


def test_repeatable() -> None:
    found = fitted(binary().data)
    assert found.checks(30).to_rows() == found.checks(30).to_rows()
    assert found.checks(30, seed=1).to_rows() != found.checks(30).to_rows()


@pytest.mark.parametrize("model", ["majority", "one_coin", "pooled", "variational"])
def test_every_model_can_be_checked(model: str) -> None:
    found = fitted(binary().data, model).checks(30)
    assert len({tuple(r) for r in found.to_rows()}) == 1
    assert "replicates" in str(found)


def test_bad_requests_and_little_data() -> None:
    found = fitted([["a", "b"], ["a", "b"]])
    with pytest.raises(RequestError, match="n: a whole number"):
        found.checks(3)
    with pytest.raises(RequestError, match="^seed: "):
        found.checks(seed=-1)
    with pytest.raises(RequestError, match="^refits: "):
        found.checks(refits=-2)
    with pytest.raises(RequestError, match="^refits: "):
        found.checks(refits=3)
    few = found.checks(20)
    assert "pairs" not in {c.name for c in few.each}  # too few common items
    with pytest.raises(RequestError, match="no check"):
        few["pairs"]
