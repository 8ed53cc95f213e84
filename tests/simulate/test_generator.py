"""Simulated annotations have the properties that were asked for."""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any

import numpy as np
import pytest

import accordant as ac
from accordant import RequestError
from accordant.simulate.design import (
    annotations_of,
    design_of,
    distribution_of_entropy,
    drawn,
    entropy_of,
    seed_of,
)

SAME = 1e-12  # two floats that were computed in different ways

MANY = 40_000
FAR = 4.5  # standard errors: about one chance in 150,000


def members(n: int = MANY, seed: int = 1, agreement: float = 0.75, **options: Any) -> Any:
    """(I, C, K) labels and (I,) the shared one."""
    return drawn(design_of(agreement, **options), n, np.random.default_rng(seed))


def near(found: float, wanted: float, n: int = MANY) -> bool:
    return abs(found - wanted) <= FAR * math.sqrt(wanted * (1 - wanted) / n) + 1e-12


# ------------------------------------------------------------------ agreement and sizes


@pytest.mark.parametrize("agreement", [0.0, 0.6, 0.9, 1.0])
@pytest.mark.parametrize("double", [0.0, 0.25, 1.0])
def test_coders_share_a_label_as_often_as_asked(agreement: float, double: float) -> None:
    given, truth = members(agreement=agreement, double=double)
    shared = (given[:, 0] & given[:, 1]).any(-1)
    assert (shared == (truth >= 0)).all()  # by design and by nothing else
    assert near(shared.mean(), agreement)
    both = given[shared, :, truth[shared]]
    assert both.all()


def test_numbers_of_labels_are_those_asked_for_and_independent() -> None:
    given, truth = members(double=[0.1, 0.6])
    two = given.sum(-1) == 2
    assert set(np.unique(given.sum(-1))) == {1, 2}
    assert near(two[:, 0].mean(), 0.1)
    assert near(two[:, 1].mean(), 0.6)
    for a, b in ((two[:, 0], two[:, 1]), (two[:, 0], truth >= 0), (two[:, 1], truth >= 0)):
        assert abs(np.corrcoef(a, b)[0, 1]) < FAR / math.sqrt(MANY)


def test_any_distribution_of_sizes() -> None:
    law = {1: 0.5, 2: 0.2, 4: 0.3}
    given, _ = members(sizes=law, categories=9)
    for size in range(1, 6):
        assert near((given[:, 1].sum(-1) == size).mean(), law.get(size, 0.0))
    each, _ = members(sizes=[{1: 1.0}, {3: 1.0}], categories=9)
    assert (each.sum(-1) == [1, 3]).all()


def test_more_coders() -> None:
    given, truth = members(double=0.5, n_coders=4, categories=6)
    alone = truth < 0
    for other in (1, 2, 3):
        assert not (given[alone, 0] & given[alone, other]).any()
    together = np.flatnonzero(~alone)
    assert given[together, :, truth[together]].all()
    assert (given[alone, 1] & given[alone, 2]).any()  # nobody asked them not to


# ------------------------------------------------------------------ which labels


SKEWED = (0.5, 0.25, 0.15, 0.1)


def test_the_shared_label_has_the_distribution_asked_for() -> None:
    _, truth = members(double=0.5, agreement=1.0, distribution=SKEWED)
    for k, p in enumerate(SKEWED):
        assert near((truth == k).mean(), p)


def test_further_labels_are_uniform_or_follow_the_distribution() -> None:
    for further, weight in (("uniform", (1, 1, 1, 1)), ("distribution", SKEWED)):
        given, truth = members(double=1.0, agreement=1.0, distribution=SKEWED, further=further)
        n = int((truth == 0).sum())
        rest = given[truth == 0, 0]
        assert rest[:, 0].all()
        for k in (1, 2, 3):
            assert near(rest[:, k].mean(), weight[k] / sum(weight[1:]), n)
        both = given[truth == 0][:, 0] & given[truth == 0][:, 1]
        chance = sum((weight[k] / sum(weight[1:])) ** 2 for k in (1, 2, 3))
        assert near((both.sum(-1) == 2).mean(), chance, n)  # each coder alone


def test_sets_are_drawn_one_label_after_another() -> None:
    """The probability of {i, j}: p_i p_j / (1 - p_i) + p_j p_i / (1 - p_j)."""
    given, _ = members(double=1.0, agreement=0.0, distribution=SKEWED, further="distribution")
    for i, j in combinations(range(4), 2):
        p, q = SKEWED[i], SKEWED[j]
        assert near((given[:, 0, i] & given[:, 0, j]).mean(), p * q * (1 / (1 - p) + 1 / (1 - q)))


def test_the_second_coder_draws_from_what_is_left() -> None:
    given, _ = members(double=0.0, agreement=0.0, distribution=SKEWED)
    for i in range(4):
        left = given[given[:, 0, i], 1]
        for j in range(4):
            wanted = 0.0 if i == j else SKEWED[j] / (1 - SKEWED[i])
            assert near(left[:, j].mean(), wanted, len(left))


@pytest.mark.parametrize("n", [2, 5, 19])
@pytest.mark.parametrize("share", [0.0, 0.01, 0.4, 0.9, 0.9999, 1.0])
def test_a_distribution_of_given_entropy(n: int, share: float) -> None:
    wanted = share * math.log2(n)
    p = distribution_of_entropy(wanted, n)
    assert p.sum() == pytest.approx(1, abs=1e-12)
    assert (np.diff(p) <= 1e-15).all()
    assert entropy_of(p) == pytest.approx(wanted, abs=1e-9)
    ratio = p[1:] / np.maximum(p[:-1], 1e-300)
    assert ratio[p[1:] > 1e-200] == pytest.approx(ratio[0])


def test_entropy_by_hand() -> None:
    assert entropy_of([0.5, 0.25, 0.25]) == pytest.approx(1.5)
    assert entropy_of([1.0, 0.0]) == 0


# ------------------------------------------------------------------ as annotations


def test_annotations_say_what_was_drawn() -> None:
    rng = np.random.default_rng(3)
    given = rng.random((50, 3, 70)) < 0.05  # more than one word of bits
    given[..., 0] |= ~given.any(-1)
    design = design_of(1.0, categories=70, n_coders=3)
    data = annotations_of(design, given)
    assert len(set(data.values)) == len(data.values)
    assert [len(v) for v in data.values] == sorted(len(v) for v in data.values)
    rows = data.to_rows()
    assert len(rows) == 150
    for row in rows:
        i, c = row["item"] - 1, data.coders.index(row["coder"])
        wanted = tuple(design.categories[k] for k in np.flatnonzero(given[i, c]))
        assert row["label"] == wanted


def test_the_public_call() -> None:
    data = ac.simulate_multilabel(
        300, agreement=0.9, double=0.25, categories=["joy", "anger", "fear", "none"], seed=5
    )
    assert len(data.items) == 300
    assert data.scheme.categories == ("joy", "anger", "fear", "none")
    assert data.scheme.max_labels == 2
    labels = {(r["item"], r["coder"]): set(r["label"]) for r in data.to_rows()}
    for item, truth in zip(data.items, data.metadata["truth"], strict=True):
        both = labels[item, "coder 1"] & labels[item, "coder 2"]
        assert bool(both) == (truth is not None)
        assert truth is None or truth in both
    table = ac.agreement(data, ["boot_match", "augmented"])
    shared = sum(t is not None for t in data.metadata["truth"]) / 300
    assert table["boot_match"].observed == pytest.approx(shared, abs=SAME)


def test_single_labels_are_sets_too() -> None:
    data = ac.simulate_multilabel(20, seed=1)
    assert all(isinstance(v, tuple) and len(v) == 1 for v in data.values)
    assert data.scheme.max_labels == 2


def test_seeds() -> None:
    one, same, other = (ac.simulate_multilabel(50, double=0.5, seed=s) for s in (1, 1, 2))
    assert one.fingerprint == same.fingerprint != other.fingerprint
    made = ac.simulate_multilabel(50, double=0.5, seed=np.random.default_rng(1))
    assert made.fingerprint == one.fingerprint
    assert seed_of(7) == 7
    assert seed_of(np.random.default_rng(1)) == seed_of(np.random.default_rng(1))
    assert seed_of(None) != seed_of(None)


def test_large_data_are_drawn_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("accordant.simulate.design.CELLS", 700)
    given, truth = members(2_000, double=0.25, agreement=0.9)
    assert given.shape == (2_000, 2, 5)
    assert near(((given[:, 0] & given[:, 1]).any(-1)).mean(), 0.9, 2_000)
    assert ((given[:, 0] & given[:, 1]).any(-1) == (truth >= 0)).all()


# ------------------------------------------------------------------ what cannot be


@pytest.mark.parametrize(
    "options, message",
    [
        ({"agreement": 1.2}, "agreement: between 0 and 1"),
        ({"agreement": float("nan")}, "agreement: between 0 and 1"),
        ({"agreement": "high"}, "agreement: a number"),
        ({"double": -0.1}, "double.* between 0 and 1"),
        ({"double": [0.1, 0.2, 0.3]}, "double has 3 entries, but there are 2 coders"),
        ({"double": 0.1, "sizes": {1: 1.0}}, "double or sizes, not both"),
        ({"sizes": {1: 0.5, 2: 0.4}}, "sum to 0.9"),
        ({"sizes": {0: 0.5, 1: 0.5}}, "a number of labels must be from 1"),
        ({"sizes": {1.5: 1.0}}, "whole number"),
        ({"sizes": 0.5}, "sizes"),
        ({"categories": 1}, "categories must be from 2"),
        ({"categories": ["a"]}, "at least 2 categories"),
        ({"categories": "abc"}, "categories: a whole number, a list"),
        ({"categories": ["a", "a", "b"]}, "lists categories twice"),
        ({"categories": 3, "double": 0.5}, "need 4 categories; there are 3"),
        ({"categories": 5, "sizes": {6: 1.0}}, "up to 6 labels need as many"),
        ({"distribution": [0.5, 0.6]}, "sum to 1.1"),
        ({"distribution": [0.5, 0.5], "categories": 3}, "2 shares for 3 categories"),
        ({"distribution": [1.5, -0.5]}, "must lie between 0 and 1"),
        ({"distribution": [0.5, 0.5], "entropy": 0.5}, "not both"),
        ({"distribution": [1.0, 0.0, 0.0]}, "have none left"),
        (
            {"distribution": [0.5, 0.3, 0.2, 0.0], "double": 0.5, "further": "distribution"},
            "need 4 categories; there are 3",
        ),
        ({"entropy": 2.5}, "log2 5 = 2.322"),
        ({"entropy": -1.0}, "entropy"),
        ({"entropy": 0.0}, "have none left"),
        ({"further": "random"}, "'random'"),
        ({"coders": 1}, "coders: 2 or more"),
        ({"items": 0}, "items: 1 or more"),
        ({"items": 2.5}, "items: a whole number"),
        ({"seed": "one"}, "seed must be"),
    ],
)
def test_one_clear_message(options: dict[str, Any], message: str) -> None:
    with pytest.raises(RequestError, match=message):
        ac.simulate_multilabel(**options)


def test_coders_who_always_agree_need_fewer_categories() -> None:
    data = ac.simulate_multilabel(50, agreement=1.0, double=1.0, categories=3, entropy=0.0, seed=1)
    assert set(data.metadata["truth"]) == {"A"}
