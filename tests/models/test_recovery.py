"""Parameters that were planted are found again, within errors that are stated here."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from accordant.models.model_list import MODELS
from claims.simulated_crowd import simulate_crowd
from models import planted

# Of the models that estimate confusion matrices: the mean absolute error of a cell.
WITH_CONFUSION = ("dawid_skene", "pooled", "variational", "hierarchical", "subtypes")
QUICK: dict[str, dict[str, Any]] = {"hierarchical": {"draws": 120, "warm_up": 80, "chains": 2}}


def fitted(data: Any, model: str) -> Any:
    return planted.estimate(data, model, **QUICK.get(model, {}))


def large(seed: int = 1) -> Any:
    """2000 items, 30 coders of all kinds that give a confusion matrix: 400 annotations each."""
    kinds = {"good": 18, "sloppy": 6, "spammer": 2, "adversary": 2, "biased": 2}
    return simulate_crowd(2000, kinds, 3, per_item=6, prevalence=[0.5, 0.3, 0.2], seed=seed)


@pytest.mark.parametrize("model", WITH_CONFUSION)
def test_confusion_prevalence_and_competence(model: str) -> None:
    """Each row of a matrix rests on 80 to 200 annotations: a cell's standard error is .03 at most."""
    made = large()
    found = fitted(made.data, model)
    assert np.abs(found.confusion - made.confusion).mean() < 0.025
    assert np.abs(found.confusion - made.confusion).max() < 0.16
    far = 0.04 if model == "subtypes" else 0.015  # its prior is the share of the votes
    assert np.abs(found.prevalence - np.bincount(made.truth) / 2000).max() < far
    assert np.abs(found.competence - made.accuracy).max() < 0.07
    assert (found.probabilities.argmax(1) == made.truth).mean() > 0.93


@pytest.mark.parametrize("model", ["dawid_skene", "hierarchical"])
def test_errors_shrink_with_the_number_of_annotations(model: str) -> None:
    """Four times as many items: half the error, give or take a third."""
    error = []
    for n in (400, 1600):
        each = [
            np.abs(fitted(made.data, model).competence - made.accuracy).mean()
            for made in (simulate_crowd(n, 8, 2, per_item=5, seed=s) for s in range(3))
        ]
        error.append(np.mean(each))
    assert 0.3 < error[1] / error[0] < 0.75


@pytest.mark.parametrize("model", sorted(MODELS))
def test_every_model_labels_an_easy_crowd(model: str) -> None:
    made = planted.certain()
    data = made.data.of_scale("ordinal") if model == "ordinal" else made.data
    found = fitted(data, model)
    assert (found.probabilities.argmax(1) == made.truth).mean() > 0.96
    assert np.abs(found.probabilities.sum(1) - 1).max() < 1e-9


@pytest.mark.parametrize("model", sorted(set(MODELS) - {"majority", "ordinal"}))
def test_models_do_better_than_votes_where_coders_differ(model: str) -> None:
    """A dozen coders, half of them of little use."""
    made = simulate_crowd(
        600, {"good": 5, "sloppy": 4, "spammer": 3}, 2, per_item=7, accuracy=0.9, seed=3
    )
    right = (fitted(made.data, model).probabilities.argmax(1) == made.truth).mean()
    votes = (fitted(made.data, "majority").probabilities.argmax(1) == made.truth).mean()
    assert right > votes


def test_difficulty_is_found() -> None:
    """With 60 coders for each item: the ranks of ease and of ability."""
    from scipy.stats import spearmanr

    made = simulate_crowd(
        150, {"good": 50, "sloppy": 30}, 2, per_item=60, errors="equal", difficulty=1.0, seed=4
    )
    found = fitted(made.data, "glad")
    ease = next(x for name, x in found.item_parameters.items() if "eas" in name or "diff" in name)
    assert abs(spearmanr(ease, made.ease).statistic) > 0.85
    assert spearmanr(found.competence, made.accuracy).statistic > 0.7


def test_a_rare_category_is_kept() -> None:
    made = planted.unbalanced()
    for model in set(WITH_CONFUSION) - {"subtypes"}:
        found = fitted(made.data, model)
        assert abs(found.prevalence[1] - np.mean(made.truth)) < 0.05, model


@pytest.mark.parametrize("model", WITH_CONFUSION)
def test_an_adversary_is_turned_round_and_a_spammer_is_ignored(model: str) -> None:
    made = planted.mixed()
    found = fitted(made.data, model)
    of = dict(zip(made.data.coders, found.competence))
    assert of["adversary 1"] < 0.15
    rows = dict(zip(made.data.coders, found.confusion))
    assert rows["adversary 1"][0].argmax() == 1  # gives the next category
    for name in ("spammer 1", "spammer 2"):
        assert np.abs(rows[name] - rows[name].mean(0)).mean() < 0.09  # the same whatever is true
