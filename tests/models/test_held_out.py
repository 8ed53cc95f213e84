"""Hidden annotations: what is hidden, how it is predicted, how sure a difference is."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import accordant as ac
from accordant.models.em import How
from accordant.models.model import model_of
from accordant.models.trust.model_choice import SURPRISE, HeldOut, folds_of, held_out, predicted
from accordant.models.votes import votes
from models.planted import binary, mixed, reversed_categories, shuffled


@settings(max_examples=40)
@given(st.integers(0, 1000), st.integers(2, 6))
def test_every_item_keeps_a_coder(seed: int, folds: int) -> None:
    rng = np.random.default_rng(seed)
    rows = rng.choice(["a", "b", None], (5, 12), p=[0.4, 0.3, 0.3])
    rows[0] = "a"
    table = votes(ac.read(rows.tolist()))
    fold = folds_of(table, folds, np.random.default_rng(seed))
    n = np.bincount(table.item)
    assert ((fold >= 0) == (n[table.item] > 1)).all()  # each annotation once, but single ones
    for k in range(folds):
        left = np.bincount(table.item[fold != k], minlength=table.n_items)
        assert (left >= 1).all()


def test_repeated_annotations_are_hidden_together() -> None:
    columns = {
        "item": ["x", "x", "x", "y", "y", "y"],
        "coder": ["A", "A", "B", "A", "B", "B"],
        "label": ["a", "b", "a", "b", "b", "a"],
    }
    table = votes(ac.read(columns, duplicates="keep"))
    for seed in range(5):
        fold = folds_of(table, 2, np.random.default_rng(seed))
        for item in (0, 1):
            for coder in (0, 1):
                own = (table.item == item) & (table.coder == coder)
                assert len(set(fold[own].tolist())) == 1


def test_prediction_by_definition() -> None:
    data = mixed().data
    table = votes(data)
    fold = folds_of(table, 4, np.random.default_rng(0))
    rest = table.without(fold == 1)
    found = model_of("pooled").fit(rest, How())
    got = predicted(found, rest, table, fold == 1)
    at = np.flatnonzero(fold == 1)[:50]
    for n, k in enumerate(at.tolist()):
        p = sum(
            found.probabilities[table.item[k], s]
            * found.confusion[table.coder[k], s, table.label[k]]
            for s in range(3)
        )
        assert got[n] == pytest.approx(math.log((1 - SURPRISE) * p + SURPRISE / 3))


def test_predictions_of_an_answer_sum_to_one() -> None:
    table = votes(binary().data)
    fold = folds_of(table, 3, np.random.default_rng(0))
    from dataclasses import replace

    rest = table.without(fold == 0)
    found = model_of("one_coin").fit(rest, How())
    total = sum(
        np.exp(
            predicted(found, rest, replace(table, label=np.full_like(table.label, k)), fold == 0)
        )
        for k in range(2)
    )
    assert total == pytest.approx(1)


def test_knowing_coders_predicts_better() -> None:
    table = votes(mixed().data)
    fold = folds_of(table, 5, np.random.default_rng(0))
    mv, ds = (held_out(table, model_of(m), How(), fold) for m in ("majority", "pooled"))
    behind, se = mv.less(ds)
    assert behind > 3 * se > 0
    assert ds.n == len(table)
    assert ds.mean > mv.mean
    assert ds.mean - mv.mean == pytest.approx(behind)
    assert ds.less(ds) == (0, 0)


def test_standard_error_is_clustered() -> None:
    rng = np.random.default_rng(0)
    item = np.repeat(np.arange(50), 4)
    shared = np.repeat(rng.normal(size=50), 4)  # the four annotations of an item move together
    one = HeldOut(np.zeros(200), np.ones(200), item)
    _, se = one.less(HeldOut(shared, np.ones(200), item))
    assert se == pytest.approx(shared[::4].std(ddof=1) / math.sqrt(50))
    assert math.isnan(HeldOut(np.full(3, np.nan), np.ones(3), np.zeros(3, int)).mean)


@pytest.mark.parametrize("change", [shuffled, reversed_categories])
def test_no_order_matters(change: Any) -> None:
    data = mixed().data
    scores = []
    for d in (data, change(data)):
        table = votes(d)
        fold = folds_of(table, 3, How().generator(11))
        scores.append(held_out(table, model_of("pooled"), How(), fold).mean)
    assert scores[1] == pytest.approx(scores[0], abs=1e-9)
