"""Subtypes of items: bound by the evidence, the variational model with one subtype, published."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.special import gammaln

import accordant as ac
from accordant.errors import RequestError
from accordant.models.em import How
from accordant.models.emission import Uncertain
from accordant.models.model_list import MODELS
from accordant.models.votes import votes
from claims.simulated_crowd import simulate_crowd
from models import planted
from models.published import accuracy, crowd, published


def log_dirichlet_multinomial(a: np.ndarray, n: np.ndarray) -> float:
    """Σ over the last axis' distributions of the log probability of counts in a given order."""
    whole = gammaln(a.sum(-1)) - gammaln((a + n).sum(-1))
    return float((whole + (gammaln(a + n) - gammaln(a)).sum(-1)).sum())


def exact(table, m: int, sharing: float, prevalence: float) -> tuple[float, np.ndarray]:
    """The log evidence and (I, K) beliefs, by going through every state of every item."""
    k, o, n = table.n_categories, table.n_answers, table.n_items
    rows = np.ones((k, o)) + 3 * np.eye(k, o)
    total, beliefs = [], []
    for states in product(range(k * m), repeat=n):
        state = np.array(states)
        counts = np.zeros((table.n_coders, k * m, o))
        np.add.at(counts, (table.coder, state[table.item], table.label), table.times)
        held = np.bincount(state, minlength=k * m).reshape(k, m).astype(float)
        value = log_dirichlet_multinomial(np.repeat(rows, m, axis=0), counts)
        value += log_dirichlet_multinomial(np.full(k, prevalence), held.sum(1))
        value += log_dirichlet_multinomial(np.full((k, m), sharing / m), held)
        total.append(value)
        beliefs.append(np.eye(k)[state // m])
    weight = np.exp(np.array(total) - max(total))
    return max(total) + float(np.log(weight.sum())), np.tensordot(
        weight / weight.sum(), np.array(beliefs), 1
    )


def test_the_objective_is_a_lower_bound_of_the_evidence() -> None:
    table = votes(ac.read([["a", "b", "a", "b"], ["a", "b", "b", "b"], ["a", "a", "b", "b"]]))
    evidence, beliefs = exact(table, 2, 0.5, 1.0)
    found = MODELS["subtypes"].fit(table, How(restarts=5), subtypes=2, sharing=0.5, prevalence=1.0)
    assert evidence - 3 < found.climb.value < evidence
    sure = np.abs(beliefs[:, 0] - 0.5) > 0.2
    assert (found.probabilities.argmax(1) == beliefs.argmax(1))[sure].all()


def test_one_subtype_is_the_variational_model() -> None:
    data = planted.mixed().data
    one = planted.estimate(data, "subtypes", How(tolerance=1e-12), subtypes=1, prevalence=1.0)
    same = planted.estimate(data, "variational", How(tolerance=1e-12), diagonal=4.0)
    assert np.allclose(one.probabilities, same.probabilities, atol=1e-5)
    assert np.allclose(one.confusion, same.confusion, atol=1e-5)
    assert one.climb.value == pytest.approx(same.climb.value, abs=1e-4)


def test_the_objective_never_falls() -> None:
    for made in (planted.mixed(), planted.camps()):
        for run in (found := ac.fit(made.data, "subtypes", restarts=2)).estimate.restarts:
            assert not run.fell
        assert found.converged
        assert not found.estimate.climb.fell
        assert found.estimate.climb.objective == "lower bound"


def test_states_make_up_the_categories() -> None:
    found = planted.estimate(planted.mixed().data, "subtypes", subtypes=4)
    k, s = 3, 12
    assert found.state_prior.shape == found.state_category.shape == (s,)
    assert isinstance(found.emission, Uncertain)
    assert found.emission.probabilities.shape == (12, s, 3)
    for category in range(k):
        of = found.state_category == category
        assert found.state_prior[of].sum() == pytest.approx(found.prevalence[category])
        share = found.state_prior[of] / found.state_prior[of].sum()
        mean = np.einsum("s,cso->co", share, found.emission.probabilities[:, of])
        assert np.allclose(mean, found.confusion[:, category])


def test_errors_that_go_together_are_not_independent_evidence() -> None:
    """On items that mislead most coders, Dawid–Skene is sure and wrong; subtypes are less so."""
    made = simulate_crowd(400, {"good": 12}, 2, per_item=12, accuracy=0.9, misleading=0.15, seed=2)

    def loss(name: str) -> float:
        p = planted.estimate(made.data, name, How(restarts=3)).probabilities
        return float(-np.log(np.maximum(p[np.arange(400), made.truth], 1e-12)).mean())

    assert loss("subtypes") < 0.8 * loss("variational")


def test_nothing_hangs_on_names_or_order() -> None:
    """Exactly: subtypes are drawn in an order that only the annotations decide."""
    for data in (planted.mixed().data, planted.unbalanced().data):
        how = How(restarts=1)
        found = planted.estimate(data, "subtypes", how)
        assert np.array_equal(
            planted.estimate(planted.relabelled(data), "subtypes", how).probabilities,
            found.probabilities,
        )
        turned = planted.estimate(planted.reversed_categories(data), "subtypes", how)
        assert np.array_equal(turned.probabilities[:, ::-1], found.probabilities)
        renamed, place = planted.permuted_coders(data)
        again = planted.estimate(renamed, "subtypes", how)
        assert np.array_equal(again.competence[place], found.competence)
        unnamed, _ = planted.permuted_items(data)
        other = planted.estimate(unnamed, "subtypes", how)
        assert np.array_equal(other.probabilities, found.probabilities)
        moved = planted.shuffled(data)
        at = {item: k for k, item in enumerate(planted.table(data).items)}
        order = [at[item] for item in planted.table(moved).items]
        other = planted.estimate(moved, "subtypes", how)
        assert np.array_equal(found.probabilities[order], other.probabilities)
        by_state = MODELS["subtypes"].fit(planted.table(data), how)
        assert np.array_equal(by_state.emission.probabilities, found.emission.probabilities)


def test_the_emission_gives_the_beliefs_back() -> None:
    """What is stored for predictions explains the probabilities, in any order of categories."""
    for data in (planted.mixed().data, planted.reversed_categories(planted.mixed().data)):
        table = planted.table(data)
        found = MODELS["subtypes"].fit(table, How(tolerance=1e-12))
        joint = np.log(found.state_prior) + found.emission.log_likelihood(table)
        p = np.exp(joint - joint.max(1, keepdims=True))
        p /= p.sum(1, keepdims=True)
        k = found.state_category == np.arange(3)[:, None]
        assert np.abs(p @ k.T - found.probabilities).max() < 0.05  # means for expected logarithms


def test_control_items_keep_their_category() -> None:
    made = planted.unbalanced()
    wrong = {item: {"no": "yes", "yes": "no"}[x] for item, x in list(made.gold.items())[:5]}
    found = ac.fit(made.data, "subtypes", gold=wrong)
    label = dict(zip(list(found.items), found.labels))
    assert all(label[item] == x for item, x in wrong.items())
    assert not found.estimate.climb.fell


@pytest.mark.parametrize(
    "rows",
    [
        [["a", "a", "a"], ["a", "a", "a"]],
        [["a"], ["b"]],
        [["a", "b", "a"]],
        [["a", "b", "c", "d"], ["d", None, None, None]],
    ],
)
def test_little_data_does_no_harm(rows) -> None:
    found = ac.fit(rows, "subtypes")
    assert np.isfinite(found.estimate.probabilities).all()
    assert np.allclose(found.estimate.probabilities.sum(1), 1)


@pytest.mark.parametrize(
    "wrong",
    [{"subtypes": 0}, {"subtypes": 2.5}, {"sharing": 0}, {"off": -1}, {"prevalence": "items"}],
)
def test_options_out_of_range_are_refused(wrong) -> None:
    with pytest.raises(RequestError, match=f"^{next(iter(wrong))}: "):
        ac.fit([["a", "b"], ["a", "b"]], "subtypes", **wrong)


@pytest.mark.parametrize("name", ["snow_rte", "bluebird", "sp_polarity", "tweet_sentiment"])
def test_published_accuracies(real_data, name: str) -> None:
    """Stored by the authors, best of 40 starts. Of the others that we have, product, weather_cf,
    zencrowd_us and (from one seed in eight) web are reached with 40 starts too; the .635 of
    face_sentiment is a local maximum whose bound is 8 nats below the best we find."""
    gold = {x["data"]: x for x in published(real_data, "EBCC accuracy")}[name]
    table = crowd(real_data, name)
    starts = 39 if name == "bluebird" else 3
    found = MODELS["subtypes"].fit(table, How(restarts=starts))
    reached = accuracy(real_data, name, table, found.probabilities)
    assert reached == pytest.approx(gold["value"], abs=gold["tol"] + 1e-6)
