"""The ordinal model: the likelihood by brute force, better than confusion matrices where few."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import accordant as ac
from accordant.errors import RequestError
from accordant.models.em import How
from accordant.models.estimators.ordinal import (
    AT_FIRST,
    PRECISE,
    Reading,
    at_first,
    improved,
    penalty,
    table,
)
from accordant.models.model_list import MODELS
from accordant.scheme import Scheme
from claims.simulated_crowd import simulate_crowd
from models import planted
from models.published import accuracy, crowd


def sigma(x: float) -> float:
    return 1 / (1 + math.exp(-x))


def by_hand(r: Reading) -> np.ndarray:
    """(C, K, K) probabilities, one by one, as a difference of two sigmoids."""
    c, k = len(r.coders), len(r.positions)
    out = np.zeros((c, k, k))
    for j in range(c):
        precision, stretch, shift = r.coders[j]
        for true in range(k):
            up_to = [
                sigma(precision * (cut - r.positions[true]) + stretch * cut - shift)
                for cut in r.cuts
            ]
            out[j, true] = np.diff([0.0, *up_to, 1.0])
    return out


def some_reading(seed: int, c: int = 3, k: int = 4) -> Reading:
    rng = np.random.default_rng(seed)
    coders = np.column_stack([rng.uniform(0.5, 3, c), rng.uniform(-0.3, 1, c), rng.normal(size=c)])
    cuts = np.sort(np.arange(k - 1) + 1 - k / 2 + rng.uniform(-0.3, 0.3, k - 1))
    positions = np.arange(float(k)) - (k - 1) / 2
    positions[1:-1] += rng.uniform(-0.3, 0.3, k - 2)
    return Reading(coders, cuts, positions, 1.5, np.array(AT_FIRST))


@pytest.mark.parametrize("k", [2, 3, 6])
def test_probabilities_are_those_of_the_definition(k: int) -> None:
    r = some_reading(1, k=k)
    assert np.exp(table(r)) == pytest.approx(by_hand(r))
    assert np.allclose(np.exp(table(r)).sum(-1), 1)


def value(r: Reading, counts: np.ndarray) -> float:
    return float((counts * table(r)).sum()) + penalty(r)


@given(st.integers(0, 10_000), st.integers(2, 6))
@example(498, 5)  # the coders are precise below 0 on average
@settings(max_examples=40)
def test_no_step_lowers_the_density(seed: int, k: int) -> None:
    rng = np.random.default_rng(seed)
    counts = rng.gamma(0.5, 4, (3, k, k)) * (rng.random((3, k, k)) < 0.7)
    r = some_reading(seed, k=k)
    before = value(r, counts)
    for _ in range(3):
        r = improved(r, counts)
        after = value(r, counts)
        assert after >= before - 1e-9 * abs(before)
        before = after


def test_steps_end_where_every_slope_is_zero() -> None:
    """Finite differences in every parameter: the maximum of what is claimed to be raised."""
    counts = np.random.default_rng(3).gamma(2, 3, (3, 4, 4)) + 10 * np.eye(4)
    r = at_first(3, 4)
    for _ in range(400):
        r = improved(r, counts)

    def moved(part: str, at: tuple[int, ...], by: float) -> float:
        changed = {
            "coders": r.coders.copy(),
            "cuts": r.cuts.copy(),
            "positions": r.positions.copy(),
        }
        changed[part][at] += by
        return value(Reading(**changed, mean=r.mean, spreads=r.spreads), counts)

    means = [value(replace(r, mean=r.mean + by), counts) for by in (1e-4, -1e-4)]
    assert abs(means[0] - means[1]) / 2e-4 < 1e-3
    where = [("coders", (j, p)) for j in range(3) for p in range(3)]
    where += [("cuts", (t,)) for t in range(3)] + [("positions", (t,)) for t in (1, 2)]
    for part, at in where:
        slope = (moved(part, at, 1e-4) - moved(part, at, -1e-4)) / 2e-4
        assert abs(slope) < 1e-3, (part, at)


def test_the_objective_is_likelihood_and_prior() -> None:
    """Item by item, without any sparse product."""
    made = simulate_crowd(30, 5, 3, per_item=3, scale="ordinal", seed=2)
    votes = planted.table(made.data)
    found = MODELS["ordinal"].fit(votes, How(tolerance=1e-13))
    p = found.confusion
    total = 0.0
    for i in range(votes.n_items):
        joint = np.log(found.prevalence)
        for n in np.flatnonzero(votes.item == i):
            joint = joint + np.log(p[votes.coder[n], :, votes.label[n]])
        total += np.log(np.exp(joint).sum())
        assert np.exp(joint) / np.exp(joint).sum() == pytest.approx(
            found.probabilities[i], abs=1e-4
        )
    prior = found.climb.value - total
    assert -60 < prior < 10  # three numbers for each of five coders, and the cut points


def test_the_objective_never_falls() -> None:
    for made in (planted.ordered(), planted.mixed()):
        data = made.data.of_scale("ordinal")
        found = ac.fit(data, "ordinal")
        history = np.array(found.history)
        assert found.converged
        assert not found.estimate.climb.fell
        assert (np.diff(history) >= -1e-9 * np.abs(history[1:])).all()
        assert found.estimate.climb.objective == "log posterior"


# ------------------------------------------------------------------ what it is for


def test_coders_who_hardly_ever_err_are_soon_known() -> None:
    """Each is held by the mean and the mean by all, so that 2,000 iterations were not enough."""
    rows = [(1, f"c{c}", "x" if c % 3 else "y") for c in range(1000)]
    rows += [(2, f"c{c}", "y") for c in range(0, 1000, 5)]
    crowded = ac.read(rows, scale="ordinal", categories=["x", "y"])
    few = simulate_crowd(30, 8, 3, per_item=4, accuracy=0.99, scale="ordinal", seed=1).data
    for data in (crowded, few):
        found = ac.fit(data, "ordinal")
        assert found.converged
        assert len(found.history) < 100
        assert not found.estimate.climb.fell
    assert ac.fit(crowded, "ordinal").labels == ["x", "y"]


def distance(made, estimate) -> float:
    return float(np.abs(estimate.probabilities.argmax(1) - made.truth).mean())


@pytest.mark.parametrize("per_item", [3, 5])
def test_better_than_confusion_matrices_with_few_annotations(per_item: int) -> None:
    kinds = {"good": 50, "sloppy": 20, "biased": 20}
    right, far = {}, {}
    for name in ("majority", "dawid_skene", "pooled", "ordinal"):
        right[name] = far[name] = 0.0
        for seed in range(3):
            made = simulate_crowd(200, kinds, 5, per_item=per_item, scale="ordinal", seed=seed)
            found = planted.estimate(made.data, name)
            right[name] += np.mean(found.probabilities.argmax(1) == made.truth) / 3
            far[name] += distance(made, found) / 3
    others = [name for name in right if name != "ordinal"]
    assert right["ordinal"] > max(right[name] for name in others) + 0.02
    assert far["ordinal"] < min(far[name] for name in others) - 0.02


def test_bias_and_precision_are_found() -> None:
    kinds = {"good": 12, "sloppy": 6, "biased": 6}
    made = simulate_crowd(600, kinds, 5, per_item=6, scale="ordinal", seed=3)
    found = planted.estimate(made.data, "ordinal")
    step = np.arange(5) - np.arange(5)[:, None]
    bias = np.einsum("k,cko,ko->c", made.prevalence, made.confusion, step)
    assert np.abs(found.coder_parameters["bias"] - bias).max() < 0.15
    assert np.abs(found.confusion - made.confusion).mean() < 0.03
    precision = found.coder_parameters["precision"]
    kind = np.array(made.kinds)
    assert precision[kind == "good"].mean() > 1.5 * precision[kind == "sloppy"].mean()
    inside = found.intervals["precision"]
    assert ((inside.low < precision) & (precision < inside.high)).all()


def test_who_does_not_look_has_no_precision() -> None:
    made = simulate_crowd(
        400, {"good": 8, "spammer": 2, "adversary": 1}, 4, per_item=6, scale="ordinal", seed=2
    )
    found = planted.estimate(made.data, "ordinal")
    precision = dict(zip(made.data.coders, found.coder_parameters["precision"]))
    assert abs(precision["spammer 1"]) < 0.5
    assert abs(precision["spammer 2"]) < 0.5
    assert precision["adversary 1"] < -1
    assert min(x for name, x in precision.items() if name.startswith("good")) > 2


# ------------------------------------------------------------------ laws


def test_nothing_hangs_on_names_or_order() -> None:
    data = planted.ordered().data
    found = planted.estimate(data, "ordinal")
    assert np.allclose(
        found.probabilities, planted.estimate(planted.relabelled(data), "ordinal").probabilities
    )
    renamed, _place = planted.permuted_coders(data)
    again = planted.estimate(renamed, "ordinal")
    assert np.allclose(found.probabilities, again.probabilities, atol=1e-5)
    moved = planted.shuffled(data)
    at = {item: k for k, item in enumerate(planted.table(data).items)}
    order = [at[item] for item in planted.table(moved).items]
    other = planted.estimate(moved, "ordinal")
    assert np.allclose(found.probabilities[order], other.probabilities, atol=1e-5)


def test_upside_down_is_the_same_scale() -> None:
    data = planted.ordered().data
    found = planted.estimate(data, "ordinal")
    turned = planted.estimate(planted.reversed_categories(data), "ordinal")
    assert np.allclose(found.probabilities[:, ::-1], turned.probabilities, atol=1e-5)
    assert np.allclose(found.coder_parameters["bias"], -turned.coder_parameters["bias"], atol=1e-4)


def test_an_order_may_be_given() -> None:
    made = planted.ordered()
    data = made.data
    names = list(made.categories)
    mixed_up = [names[k] for k in (2, 0, 4, 1, 3)]
    nominal = replace(data, schemes=(Scheme(tuple(mixed_up), declared=True),))
    found = ac.fit(nominal, "ordinal", order=names)
    same = ac.fit(data, "ordinal")
    label = dict(zip(list(found.items), found.labels))
    assert [label[item] for item in list(same.items)] == same.labels
    assert found.categories == tuple(mixed_up)
    assert np.allclose(found.confusion.sum(-1), 1)


# ------------------------------------------------------------------ bad input, odd data


def test_categories_without_an_order_are_refused() -> None:
    with pytest.raises(RequestError, match="not ordered.*scale='ordinal'"):
        ac.fit([["a", "b"], ["a", "b"]], "ordinal")
    with pytest.raises(RequestError, match="^order: each category once"):
        ac.fit([["a", "b"], ["a", "b"]], "ordinal", order=["a", "c"])


@pytest.mark.parametrize(
    "rows",
    [
        [[1, 1, 1], [1, 1, 1]],
        [[1], [2]],
        [[1, 2, 3]],
        [[1, 2, 3, 5], [5, None, None, None]],
        [[1, 5] * 20, [5, 1] * 20, [1, 5] * 20],
    ],
)
def test_little_data_does_no_harm(rows) -> None:
    found = ac.fit(rows, "ordinal", scale="ordinal")
    assert np.isfinite(found.estimate.probabilities).all()
    assert np.allclose(found.estimate.probabilities.sum(1), 1)
    assert not found.estimate.climb.fell


def test_control_items_and_abstentions() -> None:
    made = simulate_crowd(
        200, 8, 4, per_item=4, scale="ordinal", gold=0.2, abstentions=[0.0, 0.0, 0.1, 0.5], seed=4
    )
    found = ac.fit(made.data, "ordinal", gold=made.gold, abstentions="informative")
    label = dict(zip(list(found.items), found.labels))
    assert all(label[item] == x for item, x in made.gold.items())
    assert found.confusion.shape == (8, 4, 5)
    skipped = found.confusion[0, :, 4]
    assert abs(skipped[3] - 0.5) < 0.1
    assert skipped[0] < 0.03
    assert not found.estimate.climb.fell
    assert found.converged


def test_far_fewer_parameters_than_confusion_matrices() -> None:
    assert at_first(10, 5).coders.size == 30 < 10 * 5 * 4
    assert (at_first(1, 5).coders == [[PRECISE, 0, 0]]).all()


# ------------------------------------------------------------------ real data


def test_real_ordered_labels(real_data) -> None:
    """Better than votes, and no worse than a confusion matrix for each of 825 coders.

    What is claimed is a comparison on the same 333 gold labels, so it is counted in labels: the
    model of the order has at least one more right than the votes. The share itself moves by a
    label or two with the number of iterations, and is nobody's claim.
    """
    votes, how = crowd(real_data, "adult"), How(max_iterations=60)
    order = sorted(str(c) for c in votes.categories)
    of_votes, of_matrices, of_order = (
        333 * accuracy(real_data, "adult", votes, found.probabilities)
        for found in (
            MODELS["majority"].fit(votes, how),
            MODELS["dawid_skene"].fit(votes, how),
            MODELS["ordinal"].fit(votes, how, order=order),
        )
    )
    assert of_order > of_votes + 0.99  # ties of votes share a label: .99 is one, but for rounding
    assert of_order > of_matrices - 0.01
