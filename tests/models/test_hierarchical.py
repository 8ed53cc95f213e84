"""The hierarchical model: exact on tiny data, the same whatever things are called, honest."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.special import gammaln
from scipy.stats import norm, rankdata

import accordant as ac
from accordant.errors import RequestError
from accordant.models.em import How
from accordant.models.estimators.gibbs import (
    RATE,
    _population,
    draws_of,
    effective_size,
    r_hat,
    shape_of,
)
from accordant.models.model_list import MODELS
from accordant.models.votes import votes
from claims.simulated_crowd import simulate_crowd
from models import planted
from models.published import accuracy, crowd

QUICK = {"draws": 150, "warm_up": 80, "chains": 2}


# ------------------------------------------------------------------ exact answers on tiny data


def rising(a: np.ndarray, n: np.ndarray) -> np.ndarray:
    """log of Γ(a + n) / Γ(a)."""
    return gammaln(a + n) - gammaln(a)


def exact_beliefs(table, seed: int = 0) -> np.ndarray:
    """(I, K) by going through every possible truth; what the population is like is averaged over
    draws from its prior. No sampler: only the definition of the model."""
    k, o = table.n_categories, table.n_answers
    shape = shape_of(k, o)
    a = np.random.default_rng(seed).gamma(shape, 1 / RATE, (20_000, k, o))
    named = [a[a[:, row].argmax(1) == row, row] for row in range(k)]  # most call it by its name
    done: dict[tuple[int, bytes], float] = {}
    possible = list(product(range(k), repeat=table.n_items))
    total = np.zeros((table.n_items, k))
    for truth in possible:
        counts = np.zeros((table.n_coders, k, o))
        np.add.at(counts, (table.coder, np.array(truth)[table.item], table.label), table.times)
        p = 1.0
        for row in range(k):
            key = row, counts[:, row].tobytes()
            if key not in done:
                each = rising(named[row][:, None], counts[:, row]).sum(2)
                each -= rising(named[row].sum(1)[:, None], counts[:, row].sum(1))
                done[key] = float(np.exp(each.sum(1)).mean())
            p *= done[key]
        held = np.bincount(truth, minlength=k)
        p *= np.exp(
            rising(np.ones(k), held).sum() - rising(np.array(float(k)), np.array(len(truth)))
        )
        total[np.arange(table.n_items), truth] += p
    return total / total.sum(1, keepdims=True)


def sampled_beliefs(table, n: int = 3000) -> np.ndarray:
    """(I, K) as the sampler finds them."""
    start = np.repeat(table.shares[None], 4, axis=0)
    found = np.zeros(table.shares.shape)
    for at, draw in enumerate(draws_of(table, start, np.random.default_rng(1))):
        if at >= 200:
            found += draw.beliefs.mean(1)
        if at == n + 199:
            break
    return found / n


@pytest.mark.parametrize(
    "rows, scheme",
    [
        ([["a", "b", "a", "a", "b"], ["a", "b", "b", "a", "b"], ["a", "a", "b", None, "b"]], "ab"),
        ([["a", "b", "c"], ["a", "b", "a"], ["b", None, "a"]], "abc"),
    ],
)
def test_beliefs_are_those_of_the_definition(rows, scheme) -> None:
    table = votes(ac.read(rows, categories=list(scheme)))
    exact = exact_beliefs(table)
    assert np.abs(sampled_beliefs(table) - exact).max() < 0.02  # Monte Carlo error is about .005


@pytest.mark.parametrize("counted", [False, True])
def test_the_population_is_drawn_from_its_posterior(counted: bool) -> None:
    """Given what coders answered: against draws from the prior, weighted by the likelihood."""
    rng = np.random.default_rng(5)
    k = 3
    counts = rng.poisson([8, 2, 1], (6, k)) * np.ones((k, 1, 1)) * counted  # (K, C, O)
    counts = np.array([np.roll(x, row, axis=1) for row, x in enumerate(counts)])
    shape = shape_of(k, k)
    prior = rng.gamma(shape, 1 / RATE, (100_000, k, k))
    a = np.broadcast_to(shape / RATE, (50, k, k))
    found = []
    for sweep in range(260):
        a = _population(
            a,
            np.broadcast_to(counts.transpose(1, 0, 2), (50, 6, k, k)),
            shape,
            np.zeros(k, bool),
            rng,
        )
        if sweep >= 60:
            found.append(np.log(a.sum(-1)))
    for row in range(k):
        named = prior[prior[:, row].argmax(1) == row, row]
        each = rising(named[:, None], counts[row]).sum(2)
        each -= rising(named.sum(1)[:, None], counts[row].sum(1))
        weight = np.exp(each.sum(1) - each.sum(1).max())
        worth = np.log(named.sum(1))
        mean = np.average(worth, weights=weight)
        spread = np.sqrt(np.average((worth - mean) ** 2, weights=weight))
        drawn = np.array(found)[:, :, row]
        assert drawn.mean() == pytest.approx(mean, abs=0.08 * spread)
        assert drawn.std() == pytest.approx(spread, rel=0.08)


# ------------------------------------------------------------------ what it finds


def test_labels_and_coders_of_a_crowd_are_found() -> None:
    made = planted.mixed()
    found = ac.fit(made.data, "hierarchical", **QUICK)
    assert found.converged
    assert made.share_right(found.labels) > 0.88
    assert made.share_right(found.labels) > made.share_right(ac.fit(made.data, "majority").labels)
    assert np.abs(found.competence - made.accuracy).mean() < 0.04
    assert np.abs(found.confusion - made.confusion).mean() < 0.04


def test_few_annotations_are_drawn_towards_the_population() -> None:
    made = planted.sparse()
    found = ac.fit(made.data, "hierarchical", **QUICK)
    plain = ac.fit(made.data, "dawid_skene", restarts=0)
    assert made.share_right(found.labels) > made.share_right(plain.labels)
    there = [made.data.coders.index(name) for name in found.coders]
    by = (found.estimate, plain.estimate)
    error = [np.abs(x.competence - made.accuracy[there]).mean() for x in by]
    assert error[0] < 0.8 * error[1]


def test_intervals_hold_the_estimate_and_narrow_with_annotations() -> None:
    few, many = (
        ac.fit(simulate_crowd(n, 8, 2, per_item=5, seed=3).data, "hierarchical", **QUICK)
        for n in (60, 600)
    )
    width = []
    for found in (few, many):
        for name in ("competence", "confusion", "prevalence"):
            x = found.estimate.intervals[name]
            value = getattr(found.estimate, name)
            assert ((x.low < value) & (value < x.high)).all()
            assert (x.level, x.method) == (0.95, "posterior")
        width.append((x.high - x.low).mean())
    assert width[1] < 0.5 * width[0]


def test_a_wider_level_gives_wider_intervals() -> None:
    data = planted.binary().data
    half, most = (planted.estimate(data, "hierarchical", level=x, **QUICK) for x in (0.5, 0.99))
    inner, outer = half.intervals["competence"], most.intervals["competence"]
    assert ((outer.low < inner.low) & (inner.high < outer.high)).all()


def test_control_items_keep_their_category() -> None:
    made = planted.unbalanced()
    wrong = {item: {"no": "yes", "yes": "no"}[x] for item, x in list(made.gold.items())[:5]}
    found = ac.fit(made.data, "hierarchical", gold=wrong, **QUICK)
    label = dict(zip(list(found.items), found.labels))
    assert all(label[item] == x for item, x in wrong.items())
    assert found.confidence.max() <= 1


def test_abstentions_may_be_answers() -> None:
    made = simulate_crowd(200, 6, 2, per_item=5, abstentions=[0.0, 0.4], seed=1)
    found = ac.fit(made.data, "hierarchical", abstentions="informative", **QUICK)
    assert found.confusion.shape == (6, 2, 3)
    assert np.allclose(found.confusion.sum(-1), 1)
    assert found.confusion[:, 1, 2].mean() > 0.3 > 0.05 > found.confusion[:, 0, 2].mean()
    assert np.abs(found.competence - made.accuracy).mean() < 0.05


# ------------------------------------------------------------------ laws


def same(a, b, k=slice(None), c=slice(None), i=slice(None)) -> bool:
    """Whether two estimates are equal but for the order of categories, coders and items."""
    low = [x.intervals["competence"].low for x in (a, b)]
    return (
        np.array_equal(a.probabilities[i][:, k], b.probabilities)
        and np.array_equal(a.confusion[c][:, k][:, :, k], b.confusion)
        and np.array_equal(a.emission.probabilities[c][:, k][:, :, k], b.emission.probabilities)
        and np.array_equal(a.competence[c], b.competence)
        and np.array_equal(low[0][c], low[1])
        and np.array_equal(a.coder_parameters["r_hat"][c], b.coder_parameters["r_hat"])
    )


@pytest.mark.parametrize("planned", [planted.mixed, planted.unbalanced])
def test_nothing_hangs_on_names_or_order(planned) -> None:
    """Exactly the same draws, whatever the categories, coders and rows are called or ordered."""
    data = planned().data
    found = planted.estimate(data, "hierarchical", **QUICK)
    assert same(found, planted.estimate(planted.relabelled(data), "hierarchical", **QUICK))
    turned = planted.estimate(planted.reversed_categories(data), "hierarchical", **QUICK)
    assert same(found, turned, k=slice(None, None, -1))
    renamed, place = planted.permuted_coders(data)
    again = planted.estimate(renamed, "hierarchical", **QUICK)
    assert same(found, again, c=np.argsort(place))
    unnamed, _ = planted.permuted_items(data)
    assert same(found, planted.estimate(unnamed, "hierarchical", **QUICK))
    moved = planted.shuffled(data)
    at = {item: k for k, item in enumerate(planted.table(data).items)}
    order = [at[item] for item in planted.table(moved).items]
    assert same(found, planted.estimate(moved, "hierarchical", **QUICK), i=order)


def test_the_seed_decides() -> None:
    data = planted.binary().data
    a, b, c = (planted.estimate(data, "hierarchical", How(seed=s), **QUICK) for s in (1, 1, 2))
    assert same(a, b)
    assert not same(a, c)
    assert np.abs(a.probabilities - c.probabilities).max() < 0.1


# ------------------------------------------------------------------ verdicts, bad input


def test_chains_that_disagree_are_reported() -> None:
    """Two camps, each calling the other's labels the wrong way round: two accounts of the truth."""
    rng = np.random.default_rng(1)
    truth = rng.integers(2, size=40)
    rows = [np.where(rng.random(40) < 0.95, t, 1 - t).tolist() for t in [truth, truth] * 2]
    rows[2], rows[3] = (1 - np.array(rows[2])).tolist(), (1 - np.array(rows[3])).tolist()
    found = ac.fit(rows, "hierarchical", draws=40, warm_up=0, chains=4)
    assert not found.converged
    told = {f.code: f for f in found.findings}["not_mixed"]
    assert told.severity == "problem"
    assert told.evidence["r_hat"] > 1.05
    assert "R-hat is" in told.sentence


def test_chains_that_agree_are_reported_too() -> None:
    found = ac.fit(planted.certain().data, "hierarchical", **QUICK)
    assert found.converged
    assert "mixed" in {f.code for f in found.findings}
    assert found.estimate.climb.objective == "none"


def test_one_annotation_for_each_item_tells_nothing_of_coders() -> None:
    made = simulate_crowd(60, 5, 2, per_item=1, seed=1)
    found = ac.fit(made.data, "hierarchical", **QUICK)
    x = found.model.fit(found.votes, found.how, **QUICK).intervals["competence"]
    assert (x.high - x.low).min() > 0.2  # nothing is known, and that is what they say
    shown = found.interval("competence")
    assert np.isnan(shown.low).all()
    assert "no item has annotations of two coders" in shown.method


@pytest.mark.parametrize(
    "rows",
    [
        [["a", "a", "a"], ["a", "a", "a"]],  # one category
        [["a"], ["b"]],  # one item
        [["a", "b", "a"]],  # one coder
        [["a", "b", "c", "d"], ["d", None, None, None]],  # a coder with one item
    ],
)
def test_little_data_does_no_harm(rows) -> None:
    found = ac.fit(rows, "hierarchical", **QUICK)
    assert np.isfinite(found.estimate.probabilities).all()
    assert np.allclose(found.estimate.probabilities.sum(1), 1)
    assert np.allclose(found.confusion.sum(-1), 1)


@pytest.mark.parametrize(
    "wrong", [{"draws": 3}, {"warm_up": -1}, {"chains": 1}, {"level": 95}, {"draws": True}]
)
def test_options_out_of_range_are_refused(wrong) -> None:
    with pytest.raises(RequestError, match=f"^{next(iter(wrong))}: "):
        ac.fit([["a", "b"], ["a", "b"]], "hierarchical", **wrong)


def test_progress_is_reported_and_may_interrupt() -> None:
    seen = []
    ac.fit(planted.certain().data, "hierarchical", progress=lambda *x: seen.append(x), **QUICK)
    assert seen[-1] == (230, 230)
    assert len(seen) == 230

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ac.fit(planted.certain().data, "hierarchical", progress=stop, **QUICK)


# ------------------------------------------------------------------ whether chains have mixed


@pytest.mark.parametrize("shift, wide", [((0.0, 0.5, 1.0), (1, 1, 1)), ((0, 0, 0), (1, 4, 9))])
def test_r_hat_is_that_of_the_definition(shift, wide) -> None:
    """Vehtari et al. (2021), step by step with loops: chains elsewhere, or of another width."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=(3, 40)) * np.array(wide)[:, None] + np.array(shift)[:, None]

    def ratio(parts):
        z = norm.ppf((rankdata(np.concatenate(parts)) - 0.375) / (sum(map(len, parts)) + 0.25))
        z = z.reshape(len(parts), -1)
        n = z.shape[1]
        within = np.mean([np.var(row, ddof=1) for row in z])
        between = n * np.var([row.mean() for row in z], ddof=1)
        return np.sqrt(((n - 1) / n * within + between / n) / within)

    halves = [row[:20] for row in x] + [row[20:] for row in x]
    folded = [np.abs(row - np.median(x)) for row in halves]
    assert r_hat(x) == pytest.approx(max(ratio(halves), ratio(folded)))


@pytest.mark.parametrize("rho", [0.0, 0.5, 0.9])
def test_effective_size_of_an_autoregression(rho: float) -> None:
    """n (1 − ρ) / (1 + ρ) for x_t = ρ x_{t−1} + noise."""
    rng = np.random.default_rng(2)
    x = np.zeros((4, 5000, 15))
    noise = rng.normal(size=x.shape)
    x[:, 0] = noise[:, 0] / np.sqrt(1 - rho**2)
    for t in range(1, 5000):
        x[:, t] = rho * x[:, t - 1] + noise[:, t]
    expected = 20_000 * (1 - rho) / (1 + rho)
    assert np.median(effective_size(x)) == pytest.approx(expected, rel=0.1)
    assert r_hat(x).max() < 1.01


def test_what_never_varies_has_no_r_hat() -> None:
    assert np.isnan(r_hat(np.ones((2, 20))))
    assert np.isnan(effective_size(np.ones((2, 20))))


# ------------------------------------------------------------------ real data


def test_rte_is_labelled_as_well_as_by_other_models(real_data) -> None:
    """Snow et al. (2008): Dawid–Skene .928, variational .9275 as stored by its authors."""
    table = crowd(real_data, "snow_rte")
    found = MODELS["hierarchical"].fit(table, How(), draws=200, warm_up=150)
    assert found.climb.converged
    assert accuracy(real_data, "snow_rte", table, found.probabilities) == pytest.approx(
        0.928, abs=0.004
    )
