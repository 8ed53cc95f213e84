"""Models beside a second way to compute them: loops, enumeration, drawing; MACE.jar's figures."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import minimize

import accordant as ac
from accordant.models.call import fitted
from accordant.models.em import How
from accordant.models.votes import Votes
from models.planted import RealData, accuracy, mixed, published, real

Floats = NDArray[np.float64]
ROWS = st.lists(
    st.tuples(st.integers(0, 7), st.sampled_from("ABC"), st.sampled_from("xyz")),
    min_size=6,
    max_size=30,
)


def run(data: Any, model: str, rounds: int = 2000, restarts: int = 0, **options: Any) -> Any:
    """So many rounds of a model, whether they have converged or not."""
    how = How(max_iterations=rounds, tolerance=0 if rounds < 50 else 1e-9)
    return fitted(data, model, how=how, restarts=restarts, options=options)


# ------------------------------------------------------------------ Dawid & Skene, one coin


def by_loops(found: Votes, n: int, coins: bool, add: float = 0.0) -> tuple[Floats, list[float]]:
    """EM with a dense table and probabilities multiplied one by one, for small data."""
    size, k = found.n_coders, found.n_categories
    rows = list(zip(found.item, found.coder, found.label, found.times, strict=True))
    q, history = found.shares.copy(), []
    for _ in range(n):
        theta = np.full((size, k, k), add)
        for i, c, label, t in rows:
            theta[c, :, label] += t * q[i]
        if coins:
            right = theta.trace(axis1=1, axis2=2) / theta.sum((1, 2))
            theta[:] = ((1 - right) / (k - 1))[:, None, None]
            theta[:, range(k), range(k)] = right[:, None]
        total = theta.sum(2, keepdims=True)
        theta = np.where(total > 0, theta / np.where(total > 0, total, 1), 1 / k)
        pi = (q.sum(0) + add) / (q.sum(0) + add).sum()
        joint = np.tile(pi, (found.n_items, 1))
        for i, c, label, t in rows:
            joint[i] *= theta[c, :, label] ** t
        value = math.log(np.prod(joint.sum(1)))
        history.append(value + (add * (np.log(theta).sum() + np.log(pi).sum()) if add else 0))
        q = joint / joint.sum(1, keepdims=True)
    return q, history


@settings(max_examples=20)
@given(ROWS, st.sampled_from([0.0, 0.01, 1.0, "coin"]))
def test_equals_an_em_written_with_loops(rows: list[tuple[int, str, str]], add: Any) -> None:
    data = ac.read([*rows, (0, "A", "x"), (0, "B", "y")], duplicates="keep")
    coins = add == "coin"
    options = {} if coins else {"prior": add}
    found = run(data, "one_coin" if coins else "dawid_skene", 6, **options)
    wanted, history = by_loops(found.votes, 6, coins, 0.0 if coins else add)
    assert found.estimate.probabilities == pytest.approx(wanted, abs=1e-8)
    assert found.history == pytest.approx(history[: len(found.history)], abs=1e-8)


# ------------------------------------------------------------------ GLAD

TINY = [["a", "b", "a", "b"], ["a", "b", "b", "b"], ["b", "b", "a", None]]


def posterior(t: Votes, ability: Floats, log_easiness: Floats) -> float:
    """log P(annotations, parameters) by enumeration of truths, normal constants left out."""
    k, total = t.n_categories, 0.0
    for truth in itertools.product(range(k), repeat=t.n_items):
        p = k ** -float(t.n_items)
        for i, c, label in zip(t.item, t.coder, t.label, strict=True):
            right = 1 / (1 + np.exp(-ability[c] * np.exp(log_easiness[i])))
            p *= right if label == truth[i] else (1 - right) / (k - 1)
        total += p
    squares = ((ability - 1) ** 2).sum() + ((log_easiness - 1) ** 2).sum()
    return float(np.log(total) - squares / 2)


@pytest.mark.parametrize("categories", [["a", "b"], ["a", "b", "c"]])
def test_the_optimum_of_glad_is_that_of_the_enumerated_posterior(categories: list[str]) -> None:
    data = ac.read(TINY, categories=categories)
    found: Any = fitted(data, "glad", how=How(tolerance=1e-13), restarts=0)
    t, ability = found.votes, found.estimate.coder_parameters["ability"]
    log_easiness = -np.log(found.estimate.item_parameters["difficulty"])
    assert found.history[-1] == pytest.approx(posterior(t, ability, log_easiness), abs=1e-9)

    def cost(x: Floats) -> float:
        return -posterior(t, x[: t.n_coders], x[t.n_coders :])

    best = minimize(cost, np.concatenate([ability, log_easiness]) + 0.1)
    assert found.history[-1] == pytest.approx(-best.fun, abs=1e-6)
    assert ability == pytest.approx(best.x[: t.n_coders], abs=1e-3)


# ------------------------------------------------------------------ MACE


def enumerated(t: Votes, knows: Floats, strategy: Floats, prior: Floats) -> float:
    """log P(annotations) by summing over all truths and over who spammed in which annotation."""
    total = 0.0
    for truth in itertools.product(range(t.n_categories), repeat=t.n_items):
        for spammed in itertools.product((False, True), repeat=len(t.label)):
            p = float(np.prod(prior[list(truth)]))
            for i, c, label, spam in zip(t.item, t.coder, t.label, spammed, strict=True):
                known = knows[c] * (label == truth[i])
                p *= (1 - knows[c]) * strategy[c, label] if spam else known
            total += p
    return float(np.log(total))


def test_the_likelihood_of_mace_is_that_of_the_model() -> None:
    data = ac.read([["a", "b", "a"], ["b", "b", "a"], ["a", "a", None]])
    for rounds in (1, 7):
        found = run(data, "mace", rounds, method="em", prevalence="learned")
        p = found.estimate.coder_parameters
        knows, strategy = p["competence"], p["strategy"]
        wanted = enumerated(found.votes, knows, strategy, found.estimate.prior)
        assert found.log_likelihood == pytest.approx(wanted, abs=1e-10)
        again = run(data, "mace", rounds + 1, method="em", prevalence="learned")
        logs = np.log(knows).sum() + np.log(1 - knows).sum() + np.log(strategy).sum()
        assert again.history[-1] == pytest.approx(wanted + 0.005 * logs, abs=1e-9)


def test_the_lower_bound_of_mace_is_below_the_evidence() -> None:
    """log ∫ P(annotations | parameters) by drawing parameters from their prior."""
    found = run(ac.read([["a", "b", "a"], ["b", "b", "a"]]), "mace")
    t, rng, n = found.votes, np.random.default_rng(0), 400_000
    knows = rng.beta(0.5, 0.5, (n, 2))
    strategy = rng.dirichlet([10, 10], (n, 2))
    p = np.ones(n)
    for i in range(t.n_items):
        given = [(c, k) for at, c, k in zip(t.item, t.coder, t.label, strict=True) if at == i]
        each = np.zeros(n)
        for true in range(2):
            q = np.full(n, 0.5)
            for c, k in given:
                q *= (1 - knows[:, c]) * strategy[:, c, k] + knows[:, c] * (k == true)
            each += q
        p *= each
    evidence = np.log(p.mean())
    assert evidence - 2 < found.history[-1] < evidence


@pytest.mark.parametrize("model", ["mace", "glad", "map", "blend"])
def test_emission_is_a_distribution_and_gives_the_beliefs_back(model: str) -> None:
    found = run(ac.read(mixed().rows), model)
    t, e = found.votes, found.estimate
    assert e.emission.table(t.item[:50], t.coder[:50]).sum(2) == pytest.approx(1)
    if model != "blend":
        joint = e.emission.log_likelihood(t) + np.log(e.prevalence if e.prior is None else e.prior)
        q = np.exp(joint - joint.max(1, keepdims=True))
        assert q / q.sum(1, keepdims=True) == pytest.approx(e.probabilities, abs=1e-3)


SNOW = ("snow_rte", "snow_temporal", "snow_wsd")
# "50 iterations, best of 10 restarts" is not the optimum of these: ours is higher by more than
# a nat, so labels differ too.
STOPPED_EARLY = {("product", "VB"), ("product", "EM"), ("weather_cf", "EM")}
RARELY_FOUND = {("weather_cf", "VB"): 20}  # starts: one of ten or twenty leads to the optimum


@pytest.mark.parametrize("method", ["VB", "EM"])
def test_log_marginals_and_accuracies_of_mace_jar(real_data: RealData, method: str) -> None:
    right = {entry["data"]: entry for entry in published(real_data, f"MACE {method} accuracy")}
    for entry in published(real_data, f"MACE {method} (50 iterations"):
        name = entry["data"]
        n = RARELY_FOUND.get((name, method), 10)
        found = run(real(real_data, name), "mace", 50, n, method=method.lower())
        assert found.log_likelihood > entry["value"] - entry["tol"], name
        if (name, method) in STOPPED_EARLY:
            continue
        assert found.log_likelihood < entry["value"] + 0.25, name  # at most a little better
        share, near = accuracy(real_data, name, found), right[name]["tol"] + 1e-6
        assert share == pytest.approx(right[name]["value"], abs=near), name


def test_competences_of_mace_jar(real_data: RealData) -> None:
    entries = published(real_data, "MACE-VB competence per annotator")
    assert {entry["data"] for entry in entries} == {*SNOW}
    entries += published(real_data, "what one-truth models do to two camps")
    for entry in entries:
        snow = entry["data"] in SNOW
        # after 50 iterations none has arrived: with 20 starts one is as near as the best of theirs
        found = run(real(real_data, entry["data"]), "mace", *((50, 20) if snow else (2000, 5)))
        competence = found.estimate.coder_parameters["competence"].tolist()
        got = dict(zip(found.coders, competence, strict=True))
        wanted = entry["value"] if snow else entry["value"]["mace"]
        for coder, value in wanted.items():
            assert got[coder] == pytest.approx(value, abs=entry["tol"] + 0.001), coder


# ------------------------------------------------------------------ how dependence is found


def test_the_correlation_of_errors_by_its_definition() -> None:
    """Pair by pair, the item itself left out."""
    from accordant.models.estimators.blend import ACCOUNTS, Sums, judged

    rows = np.random.default_rng(0).choice(["a", "b", "c"], (4, 25)).tolist()
    for row, gap in zip(rows, (3, 8, 15, 20), strict=True):
        row[gap] = None
    fit: Any = ac.fit(rows)
    table = fit.votes
    found = judged(Sums(table), ACCOUNTS["blend"])
    made = found.memory["rows"]
    pairs = np.unique(table.coder * table.n_categories + table.label, return_inverse=True)[1]
    p_all = np.tile(made.weight * made.pooled, (table.n_coders, 1, 1))
    for n in np.unique(pairs, return_index=True)[1].tolist():
        p_all[table.coder[n], :, table.label[n]] += made.counts[pairs[n]]
    up = down = 0.0
    for i, k in itertools.product(range(table.n_items), range(table.n_categories)):
        e, sd = [], []
        for n in np.flatnonzero(table.item == i).tolist():
            p = p_all[table.coder[n], k].copy()
            p[table.label[n]] -= found.before[i, k]
            p = np.maximum(p, 0) / np.maximum(p, 0).sum()
            e.append(np.eye(table.n_categories)[table.label[n]] - p)
            sd.append(np.sqrt(p * (1 - p)))
        for a, b in itertools.permutations(range(len(e)), 2):
            up += found.beliefs[i, k] * float(e[a] @ e[b])
            down += found.beliefs[i, k] * float(sd[a] @ sd[b])
    assert fit.average.dependence.correlation == pytest.approx(up / down, rel=1e-3)
    assert fit.average.weights.sum() == pytest.approx(1)


def test_ends_of_beta_distributions_and_of_wilson() -> None:
    from scipy.stats import beta

    from accordant.models.uncertainty import beta_ends, widened, wilson

    a, b = np.array([3.5, 20.5]), np.array([1.5, 0.5])
    low, high = beta_ends(a, b, 0.9)
    assert low == pytest.approx(beta.ppf(0.05, a, b))
    assert high == pytest.approx(beta.ppf(0.95, a, b))
    x, ends = np.array([0.9, 0.5]), (np.array([0.8, 0.4]), np.array([0.95, 0.6]))
    for deviation in (0.0, 0.3, 1.0):
        low, high = widened(x, ends, deviation, 0.95)
        assert (low <= ends[0] + 1e-9).all()
        assert (high >= ends[1] - 1e-5).all()
    for n, share in ((60, 0.9), (7, 0.3), (400, 0.99)):
        for end in wilson(share, n):
            error = 1.959964 * math.sqrt(end * (1 - end) / n)
            assert abs(share - end) == pytest.approx(error, abs=1e-6)
