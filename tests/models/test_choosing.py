"""Which model: the one that made the data is found, ties are called ties, advice is plain."""

from __future__ import annotations

import csv
import re
from typing import Any

import numpy as np
import pytest

import accordant as ac
from accordant.errors import RequestError
from accordant.models.model_list import MODELS
from models.planted import binary, mixed, shuffled, sparse

QUICK = ["majority", "one_coin", "pooled", "dawid_skene"]


def alike(n_items: int = 200) -> Any:
    """Coders with one and the same probability of being right."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, n_items)
    given = np.where(rng.random((5, n_items)) < 0.8, truth, 1 - truth)
    return ac.read([[str(x) for x in row] for row in given])


def test_confusions_are_preferred_where_they_differ() -> None:
    found = ac.which_model(mixed().data, QUICK)
    assert found.advised in ("pooled", "dawid_skene")
    assert found["majority"].clearly_behind
    assert not found[found.best].behind
    assert found.n_annotations == len(mixed().data)
    assert [c.score for c in found.each] == sorted((c.score for c in found.each), reverse=True)


def test_coders_who_are_alike_need_no_model() -> None:
    found = ac.which_model(alike(), QUICK)
    simple = found["one_coin"]
    assert not simple.clearly_behind
    assert found.advised in ("majority", "one_coin")
    assert any("Not clearly worse" in s for s in found.advice)


def test_no_more_is_said_than_the_table_shows() -> None:
    """Majority is advised within a standard error of the best: others may predict better."""
    found = ac.which_model(alike(), ["majority", "one_coin"])
    if found.best != found.advised:
        assert "within a standard error of the best" in found.advice[0]
    assert "predicts clearly better" in MODELS["majority"].why


def test_sparse_coders_are_pooled_or_simple() -> None:
    found = ac.which_model(sparse().data, QUICK)
    assert found.advised != "dawid_skene"
    assert found["dawid_skene"].clearly_behind


def test_accuracy_stands_beside() -> None:
    crowd = mixed()
    truth = dict(zip(list(crowd.data.items), crowd.labels, strict=True))
    found = ac.which_model(crowd.data, QUICK, gold=truth)
    own = ac.fit(crowd.data, "majority").accuracy(truth)
    assert found["majority"].accuracy == pytest.approx(own)
    assert found.n_gold == len(truth)
    assert "accuracy" in str(found)
    assert all(np.isnan(c.accuracy) for c in ac.which_model(binary().data, QUICK[:2]).each)


def test_the_default_leaves_out_what_does_not_fit() -> None:
    found = ac.which_model(alike(60))
    keys = {c.model.key for c in found.each}
    compared = {c.model.key for c in found.each if not c.skipped}
    assert keys == set(MODELS)  # what was left out is told too
    assert compared == {one.key for one in MODELS.values() if one.rank and not one.ordered}
    for key in keys - compared:
        assert re.search(rf"\b{key}\b", found.not_compared)
        assert found[key].skipped in found.not_compared
    assert set(found.to_name) == {"map", "variational", "hierarchical", "subtypes"}
    assert "'hierarchical'" in str(found)
    named = ac.which_model(alike(60), ["majority", "map"])
    assert named.not_compared == ""
    assert named.to_name == ()
    rows = found.to_rows()
    assert len({tuple(r) for r in rows}) == 1
    assert sum(r["advised"] for r in rows) == 1


def test_repeatable_and_free_of_order() -> None:
    one, again = (ac.which_model(mixed().data, QUICK[:3]) for _ in range(2))
    moved = ac.which_model(shuffled(mixed().data), QUICK[:3])
    for other in (again, moved):
        assert [c.model.key for c in other.each] == [c.model.key for c in one.each]
        for a, b in zip(other.each, one.each, strict=True):
            assert a.score == pytest.approx(b.score, abs=1e-9)


def test_progress_is_reported() -> None:
    seen: list[tuple[int, int]] = []
    ac.which_model(
        alike(40), ["majority", "one_coin"], progress=lambda done, n: seen.append((done, n))
    )
    assert seen[-1] == (12, 12)
    assert [d for d, _ in seen] == list(range(1, 13))


def test_an_option_of_a_model_belongs_to_the_model() -> None:
    with pytest.raises(RequestError, match="'chains' belongs to the model hierarchical") as raised:
        ac.which_model([list("abab"), list("abaa")], chains=2)
    assert raised.value.do[0].options == {"model": "hierarchical", "chains": 2}


def test_bad_requests() -> None:
    with pytest.raises(RequestError, match="one coder"):
        ac.which_model({"item": ["x", "y"], "A": ["a", None], "B": [None, "b"]}, ["majority"])
    with pytest.raises(RequestError, match="no model 'mayority'"):
        ac.which_model(alike(10), ["mayority"])
    with pytest.raises(RequestError, match="^folds: "):
        ac.which_model(alike(10), folds=1)
    with pytest.raises(RequestError, match="^models: name one model"):
        ac.which_model(alike(10), [])
    with pytest.raises(RequestError, match="^seed: "):
        ac.which_model(alike(10), seed=-1)
    found = ac.which_model(alike(20), "majority")
    with pytest.raises(RequestError, match="was not compared"):
        found["pooled"]


def test_rte_prefers_confusions_drawn_together(real_data: Any) -> None:
    with open(real_data("crowd/snow_rte.gold.csv"), encoding="utf-8") as f:
        gold = {row["item"]: row["gold"] for row in csv.DictReader(f)}
    found = ac.which_model(real_data("crowd/snow_rte.csv"), QUICK, gold=gold)
    assert found.advised == "pooled"
    assert found["majority"].clearly_behind
    assert found["pooled"].accuracy > found["majority"].accuracy + 0.02


def test_what_predicts_coders_need_not_find_the_truth(real_data: Any) -> None:
    """ZenCrowd: confusions predict best and label worst; known labels are said to weigh more."""
    with open(real_data("crowd/zencrowd_us.gold.csv"), encoding="utf-8") as f:
        gold = {row["item"]: row["gold"] for row in csv.DictReader(f)}
    data = ac.read(real_data("crowd/zencrowd_us.csv"), duplicates="keep")
    found = ac.which_model(data, QUICK, gold=gold)
    assert found.best != "one_coin"
    assert found.advised == "one_coin"
    assert found["one_coin"].accuracy > found[found.best].accuracy + 0.05
    assert any("known labels weigh more" in s for s in found.advice)
    blind = ac.which_model(data, QUICK)
    assert any("cannot be decided" in s for s in blind.advice)
