"""Precision, recall and F1 of each coder on each category."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import accordant as ac
from accordant.counts.count import count
from accordant.diagnosis.scores import scores
from accordant.errors import RequestError
from accordant.inference.categories import specific_agreement
from diagnosis.made import at_random, from_coders, from_counts, of_grid, sets_at_random

EXACT = 1e-12


@pytest.mark.parametrize("seed", range(5))
def test_of_two_coders_they_are_those_of_scikit_learn(seed: int) -> None:
    """scikit-learn has no gaps, so there are none; NaN is its zero_division here."""
    from sklearn import metrics

    data = at_random(seed, items=30, coders=2, values=6, missing=0)
    found = scores(count(data), gold="coder 2")
    right, given_ = data.grid[:, 1], data.grid[:, 0]
    expected = metrics.precision_recall_fscore_support(
        right, given_, labels=range(6), zero_division=np.nan
    )
    for own, other in zip((found.precision, found.recall, found.f1), expected):
        assert own[0] == pytest.approx(other, abs=EXACT, nan_ok=True)
    assert (found.tp + found.fn)[0].tolist() == expected[3].tolist()
    whole = metrics.precision_recall_fscore_support(
        right, given_, labels=range(6), zero_division=np.nan, average="macro"
    )
    if not np.isnan(found.f1).any():
        assert found.macro[2][0] == pytest.approx(whole[2], abs=EXACT)
    assert found.micro[0] == pytest.approx(np.mean(right == given_), abs=EXACT)


@pytest.mark.parametrize("seed", range(5))
def test_f1_of_two_coders_is_specific_agreement(seed: int) -> None:
    """It does not matter who is right: 2a / (2a + b + c)."""
    counts = count(at_random(seed, coders=2, values=3))
    found = scores(counts)
    for k, category in enumerate(found.categories):
        specific = specific_agreement(counts, k).value
        assert [found.of(c, category).f1 for c in found.coders] == pytest.approx([specific] * 2)
        one, other = (found.of(c, category) for c in found.coders)
        assert (one.precision, one.recall) == pytest.approx((other.recall, other.precision))


@pytest.mark.parametrize("seed", range(5))
def test_f1_of_all_coders_together_is_specific_agreement(seed: int) -> None:
    counts = count(at_random(seed, coders=5, values=3))
    found = scores(counts)
    for k, category in enumerate(found.categories):
        score = found.of(None, category)
        assert score.f1 == pytest.approx(specific_agreement(counts, k).value)
        assert score.fp == score.fn


@settings(max_examples=60)
@given(st.integers(0, 10_000), st.booleans(), st.sampled_from(["others", "majority", "gold"]))
def test_as_by_hand(seed: int, of_sets: bool, reference: str) -> None:
    coders = 2 + seed % 4
    data = sets_at_random(seed, 30, coders, 4) if of_sets else at_random(seed, 30, coders, 4)
    gold = "coder 2" if reference == "gold" else None
    found = scores(count(data), gold=gold, reference=reference, labels=data.scheme.categories)
    expected = _by_hand(data, reference, of_sets)
    assert found.coders == tuple(c for c in data.coders if c != gold)
    for score in found:
        n = expected[score.coder, score.category]
        assert (score.tp, score.fp, score.fn) == (n["tp"], n["fp"], n["fn"]), score
    for c, coder in enumerate(found.coders):
        assert (found.n[c], found.n_without[c]) == (expected[coder]["n"], expected[coder]["none"])


def _by_hand(data, reference: str, of_sets: bool) -> dict:
    labels = data.scheme.categories
    found: dict = {(c, k): Counter() for c in data.coders for k in labels}
    found |= {c: Counter() for c in data.coders}
    for row in data.grid:
        given_ = {
            c: set(data.values[v]) if of_sets else {data.values[v]}
            for c, v in zip(data.coders, row)
            if v >= 0
        }
        for coder, own in given_.items():
            others = [v for c, v in given_.items() if c != coder]
            for right, undecided in _right(given_, others, reference, of_sets, labels):
                found[coder]["n"] += 1
                for k in set(labels) - undecided:
                    if k in own or k in right:
                        what = "fp" if k not in right else "tp" if k in own else "fn"
                        found[coder, k][what] += 1
            if not _right(given_, others, reference, of_sets, labels):
                found[coder]["none"] += 1
    return found


def _right(given_, others, reference, of_sets, labels) -> list:
    """What is right, and the labels on which nothing is: one for each comparison."""
    if reference == "others":
        return [(v, set()) for v in others]
    if reference == "gold":
        return [(given_["coder 2"], set())] if "coder 2" in given_ else []
    if not others:
        return []
    n = Counter(x for v in others for x in v)
    if of_sets:
        tie = {k for k in labels if 2 * n[k] == len(others)}
        return [({k for k in labels if 2 * n[k] > len(others)}, tie)]
    (top, most), *rest = n.most_common()
    return [] if rest and rest[0][1] == most else [({top}, set())]


def test_what_is_undefined_says_why() -> None:
    data = from_coders([["a", "a", "b", "b"], ["a", "a", "a", "c"]], "abcd")
    found = scores(count(data), gold="coder 2")
    a, b, c, d = (found.of("coder 1", k) for k in "abcd")
    assert a.undefined is None
    assert (a.precision, a.recall, a.f1) == pytest.approx((1, 2 / 3, 0.8))
    assert (b.precision, math.isnan(b.recall), b.f1) == (0, True, 0)
    assert b.undefined.reason == "never_right"
    assert (math.isnan(c.precision), c.recall, c.f1) == (True, 0, 0)
    assert c.undefined.reason == "never_given"
    assert math.isnan(d.f1)
    assert d.undefined.reason == "not_given"
    precision, recall, f1 = (x[0] for x in found.macro)
    assert (precision, recall, f1) == pytest.approx((0.5, 1 / 3, 0.8 / 3))
    assert len(found.to_rows()) == 4


def test_where_there_is_nothing_to_score() -> None:
    assert scores(count(from_counts([[2, 1], [3, 0]]))) is None
    assert scores(count(of_grid(np.zeros((3, 1), int), "ab"))) is None
    counts = count(at_random(1))
    with pytest.raises(RequestError, match="no coder 'Ann'"):
        scores(counts, gold="Ann")
    with pytest.raises(RequestError, match="reference: .* does not fit"):
        scores(counts, gold="coder 1", reference="majority")
    with pytest.raises(RequestError, match="reference: .* does not fit"):
        scores(counts, reference="gold")
    with pytest.raises(RequestError, match="no category 'zz'"):
        scores(counts).of("coder 1", "zz")
    with pytest.raises(RequestError, match="no coder 'Ann'"):
        scores(counts).of("Ann", "a")


def test_dense_and_sparse_tables_are_the_same(monkeypatch) -> None:
    for data in (at_random(3), sets_at_random(3)):
        counts = count(data)
        dense = [scores(counts, reference=r).to_rows() for r in ("others", "majority")]
        with monkeypatch.context() as patch:
            patch.setattr("accordant.diagnosis.scores.CELLS", 0)
            patch.setattr("accordant.counts.tables.DENSE_CELLS", 0)
            sparse = [scores(counts, reference=r).to_rows() for r in ("others", "majority")]
        assert str(dense) == str(sparse)


def test_a_diagnosis_scores_against_its_gold_coder() -> None:
    data = at_random(1)
    assert ac.diagnose(data).pooled.scores.reference == "others"
    found = ac.diagnose(data, gold="coder 3").pooled.scores
    assert (found.reference, found.gold) == ("gold", "coder 3")
    assert "coder 3" not in found.coders
