"""A simulated crowd has the properties asked for, and nothing that was not asked for."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import accordant as ac
from accordant.data.annotations import NO_VALUE
from accordant.errors import RequestError
from accordant.simulate.crowd import KINDS

FAR = 4.5  # standard errors


def near(share, expected, n) -> bool:
    share, expected, n = np.broadcast_arrays(share, expected, n)
    some = n > 0
    error = np.sqrt(np.maximum(expected * (1 - expected), 1e-3)[some] / n[some])
    return bool((np.abs(share - expected)[some] < FAR * error).all())


def test_the_truth_has_the_prevalence_asked_for() -> None:
    crowd = ac.simulate_crowd(40_000, 5, 3, per_item=1, prevalence=[0.6, 0.3, 0.1], seed=1)
    assert near(np.bincount(crowd.truth) / 40_000, crowd.prevalence, 40_000)
    assert np.allclose(crowd.prevalence, [0.6, 0.3, 0.1])


@pytest.mark.parametrize("scale", ["nominal", "ordinal"])
def test_every_kind_of_coder_labels_by_its_confusion_matrix(scale: str) -> None:
    kinds = dict.fromkeys(KINDS, 2)
    crowd = ac.simulate_crowd(20_000, kinds, 4, per_item=8, scale=scale, disputed=0.0, seed=2)
    n = crowd.counted.sum(-1, keepdims=True)
    assert near(crowd.counted / n, crowd.confusion, np.broadcast_to(n, crowd.confusion.shape))
    assert np.allclose(crowd.confusion.sum(-1), 1)


def test_kinds_are_what_they_are_called() -> None:
    crowd = ac.simulate_crowd(10, dict.fromkeys(KINDS, 3), 3, per_item=1, seed=3)
    of = {kind: crowd.confusion[np.array(crowd.kinds) == kind] for kind in KINDS}
    accuracy = {kind: np.einsum("ckk->c", m).mean() / 3 for kind, m in of.items()}
    assert accuracy["good"] > 0.75 > accuracy["sloppy"] > 0.45 > accuracy["adversary"]
    assert np.ptp(of["spammer"], axis=1).max() == 0  # the same whatever is true
    assert (of["constant"].max(-1) == 1).all()
    assert (of["biased"].sum(1).max(-1) > 1.5).all()  # a favourite: half of all labels and more


def test_equal_errors_make_all_coders_of_a_kind_alike() -> None:
    crowd = ac.simulate_crowd(10, 4, 3, per_item=1, errors="equal", accuracy=0.7, seed=1)
    assert np.allclose(crowd.confusion, 0.7 * np.eye(3) + 0.15 * (1 - np.eye(3)))


def test_difficulty_multiplies_the_log_odds_of_being_right() -> None:
    crowd = ac.simulate_crowd(
        60_000,
        {"good": 5, "spammer": 1},
        2,
        per_item=6,
        errors="equal",
        accuracy=0.8,
        difficulty=0.8,
        seed=4,
    )
    rows = crowd.data.columns
    right = rows.value == crowd.truth[rows.item]
    good = np.array(crowd.kinds)[rows.coder] == "good"
    expected = 1 / (1 + (0.2 / 0.8) ** crowd.ease[rows.item])
    for low, high in [(0, 0.5), (0.5, 1), (1, 2), (2, np.inf)]:
        part = good & (crowd.ease[rows.item] >= low) & (crowd.ease[rows.item] < high)
        assert near(right[part].mean(), expected[part].mean(), part.sum())
    spam = np.array([crowd.counted[-1, k] / crowd.counted[-1, k].sum() for k in range(2)])
    assert near(spam[0], spam[1], 30_000)  # who does not look does not find items hard


def test_opinions_are_what_coders_see() -> None:
    crowd = ac.simulate_crowd(
        20_000, {"good": 6}, 3, per_item=6, accuracy=0.9999, ambiguous=0.3, misleading=0.2, seed=5
    )
    assert np.allclose(crowd.opinion.sum(1), 1)
    rows = crowd.data.columns
    seen = np.zeros((20_000, 3))
    np.add.at(seen, (rows.item, rows.value), 1 / 6)
    assert abs((crowd.clear == 1).mean() - 0.5) < 0.02
    misled = crowd.clear < 0.5
    assert near(seen[misled, crowd.truth[misled]].mean(), 0.35, 6 * misled.sum())
    assert np.abs(seen - crowd.opinion).mean() < 0.1
    assert (crowd.opinion.argmax(1) == crowd.truth)[~misled].all()


def test_a_school_agrees_with_itself_about_disputed_items() -> None:
    crowd = ac.simulate_crowd(
        4000, {"good": 2, "school": 2}, 3, per_item=4, accuracy=0.9999, disputed=0.4, seed=6
    )
    grid = crowd.data.columns.value.reshape(-1, 4)
    good, school = grid[:, :2], grid[:, 2:]
    assert near(crowd.disputed.mean(), 0.4, 4000)
    assert (good[:, 0] == crowd.truth).mean() > 0.99
    assert (school[:, 0] == school[:, 1]).mean() > 0.99
    assert ((school[:, 0] != crowd.truth) == crowd.disputed).mean() > 0.99


@given(
    st.integers(1, 30),
    st.integers(1, 12),
    st.integers(1, 12),
    st.integers(0, 4),
    st.floats(0, 3),
    st.integers(0, 99),
)
@settings(max_examples=60)
def test_nobody_gets_an_item_twice(n_items, n_coders, low, more, uneven, seed) -> None:
    low = min(low, n_coders)
    high = min(low + more, n_coders)
    crowd = ac.simulate_crowd(n_items, n_coders, 2, per_item=(low, high), uneven=uneven, seed=seed)
    rows = crowd.data.columns
    pair = rows.item.astype(int) * n_coders + rows.coder
    assert len(np.unique(pair)) == len(pair) == len(crowd.data)
    assert (np.diff(pair) > 0).all()
    n = np.bincount(rows.item, minlength=n_items)
    assert low <= n.min()
    assert n.max() <= high


@pytest.mark.parametrize("n_coders", [30, 300])
def test_uneven_work_falls_on_coders_by_their_weight(n_coders: int) -> None:
    """Both ways of drawing give the heavier coder more."""
    even = ac.simulate_crowd(5000, n_coders, 2, per_item=2, seed=1)
    work = [r["n_annotations"] for r in even.to_rows()]
    assert near(np.array(work) / 5000, 2 / n_coders, 5000)
    uneven = ac.simulate_crowd(5000, n_coders, 2, per_item=2, uneven=1.0, seed=1)
    assert np.std([r["n_annotations"] for r in uneven.to_rows()]) > 4 * np.std(work)


def test_abstentions_and_control_items() -> None:
    crowd = ac.simulate_crowd(20_000, 5, 2, per_item=3, abstentions=[0.0, 0.3], gold=0.1, seed=7)
    rows = crowd.data.columns
    skipped = rows.value == NO_VALUE
    truth = crowd.truth[rows.item]
    assert not skipped[truth == 0].any()
    assert near(skipped[truth == 1].mean(), 0.3, (truth == 1).sum())
    assert near(len(crowd.gold) / 20_000, 0.1, 20_000)
    labels = crowd.labels
    assert all(labels[i - 1] == label for i, label in crowd.gold.items())
    assert crowd.data.statuses()["skipped"] == skipped.sum()


def test_given_confusion_matrices_are_used() -> None:
    exact = np.array([[[0.9, 0.1], [0.3, 0.7]], [[1.0, 0.0], [0.0, 1.0]]])
    crowd = ac.simulate_crowd(30_000, exact, per_item=2, seed=8)
    n = crowd.counted.sum(-1, keepdims=True)
    assert near(crowd.counted / n, exact, np.broadcast_to(n, exact.shape))
    assert crowd.data.coders == ("coder 1", "coder 2")
    assert np.allclose(crowd.accuracy, [0.8, 1.0])


def test_the_seed_decides_and_nothing_else() -> None:
    a, b, c = (ac.simulate_crowd(50, 5, 3, per_item=3, seed=s) for s in (1, 1, 2))
    assert a.data.fingerprint == b.data.fingerprint != c.data.fingerprint
    assert a.labels == b.labels


def test_coders_stand_in_the_order_of_their_names() -> None:
    crowd = ac.simulate_crowd(5, {"good": 12, "spammer": 3, "adversary": 1}, 2, per_item=2, seed=1)
    assert list(crowd.data.coders) == sorted(crowd.data.coders)
    assert [r["coder"] for r in crowd.to_rows()][:2] == ["adversary 1", "good 01"]
    assert str(crowd) == "5 items with known truth, 16 coders, 10 annotations, 2 categories"
    assert crowd.share_right(crowd.labels) == 1


def test_as_many_annotations_as_asked_for() -> None:
    crowd = ac.simulate_crowd(100_000, {"good": 180, "spammer": 20}, 5, difficulty=0.5, seed=1)
    assert len(crowd.data) == 500_000


@pytest.mark.parametrize(
    "wrong, says",
    [
        ({"coders": {"lazy": 3}}, "no coder 'lazy'"),
        ({"coders": {}}, "at least one"),
        ({"coders": 0}, "coders"),
        ({"coders": "many"}, "confusion matrices"),
        ({"coders": [[[0.5, 0.4], [0.5, 0.5]]]}, "sum to 1"),
        ({"coders": np.ones((1, 2, 2)) / 2, "categories": ["a", "b", "c"]}, "2 rows, not 3"),
        ({"per_item": 30}, "from 1 to 20"),
        ({"per_item": 0}, "per_item"),
        ({"per_item": (3, 2)}, "per_item"),
        ({"difficulty": -1.0}, "difficulty"),
        ({"uneven": "much"}, "uneven"),
        ({"ambiguous": 0.7, "misleading": 0.6}, "more than all"),
        ({"errors": "any"}, "errors"),
        ({"scale": "interval"}, "scale"),
        ({"abstentions": [0.1]}, "1 shares for 3"),
        ({"accuracy": 1.2}, "accuracy"),
        ({"gold": 2}, "gold"),
        ({"prevalence": [0.5, 0.6, 0.1]}, "sum to"),
    ],
)
def test_what_cannot_be_done_is_refused(wrong, says) -> None:
    with pytest.raises(RequestError, match=says):
        ac.simulate_crowd(**{"items": 10, **wrong})
