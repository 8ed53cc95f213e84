"""The default averages over accounts of coders, and over how far their errors are shared."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import accordant as ac
from models.planted import crowd, kinds, mixed


def correlated(seed: int = 0, share: float = 0.3, coders: int = 9) -> tuple[Any, dict[int, str]]:
    """Coders who are independent but for some items, on which most of them err together."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, 400)
    right = np.where(rng.random(400) < share, rng.beta(2, 2, 400), 0.9)
    given = np.where(rng.random((coders, 400)) < right, truth, 1 - truth)
    names = np.array(["no", "yes"])
    rows = [[str(x) for x in names[row]] for row in given]
    return ac.read(rows), {k + 1: str(names[t]) for k, t in enumerate(truth)}


def loss(found: Any, truth: dict[Any, str], p: Any = None) -> float:
    """Mean surprise at the truth."""
    p = found.probabilities if p is None else p
    at = [found.categories.index(truth[name]) for name in found.votes.names]
    return float(-np.log(np.maximum(p[np.arange(len(at)), at], 1e-6)).mean())


def test_independent_coders_lose_little() -> None:
    """Beside what the same accounts say if errors are taken as independent."""
    harm = []
    for k, each, seed in itertools.product((2, 4, 8), (2, 3, 6), (0, 1)):
        made = crowd(kinds(k, good=10, sloppy=10), 300, each, seed=700 + seed)
        found: Any = ac.fit(made.rows)
        harm.append(loss(found, made.truth) - loss(found, made.truth, found.average.alone))
    assert np.mean(harm) <= 0.01
    assert max(harm) <= 0.03


def test_shared_errors_are_seen_and_priced_in() -> None:
    data, truth = correlated()
    found: Any = ac.fit(data)
    seen = found.average.dependence
    assert seen.correlation > seen.expected + 0.02
    assert found.average.independent < 0.1
    assert found.worth < 0.6
    assert loss(found, truth) < 0.7 * loss(found, truth, found.average.alone)
    assert loss(found, truth) < 0.5 * loss(ac.fit(data, "dawid_skene", restarts=0), truth)
    assert f"worth {found.worth:.4g}" in found.signature
    assert found.coverage().expected[-1] == pytest.approx(found.confidence.mean())


def test_accounts_are_in_the_result() -> None:
    found: Any = ac.fit(mixed().rows)
    own = found.estimate.average
    assert own.names == ("blend", "confusions", "coin")
    assert own.weights.shape[0] == 3
    assert own.weights.sum() == pytest.approx(1)
    mean = np.einsum("a,aik->ik", own.weights.sum(1), own.by_account)
    assert found.probabilities == pytest.approx(mean)
    assert (own.labels == own.by_account.argmax(2)).all()
    assert (own.differ == (own.disagreement > 1e-9)).all()
    for i in np.flatnonzero(own.differ)[:5].tolist():
        same = sum(own.of_accounts[own.labels[:, i] == k].sum() ** 2 for k in range(3))
        assert own.disagreement[i] == pytest.approx(1 - same)


def test_known_labels_weigh_what_held_them_before_they_were_told() -> None:
    data, truth = correlated(1, coders=4)
    before: Any = ac.fit(data)
    told = dict(list(truth.items())[:80])
    found: Any = ac.fit(data, gold=told)
    control = np.isin(found.votes.names, list(told))
    assert (found.probabilities[control].max(1) == 1).all()
    assert (found.probabilities[~control].max(1) < 1).all()
    assert found.average.n_known == 80
    assert not found.average.untold
    at = np.flatnonzero(~control)
    both = [
        -np.log(
            [f.probabilities[i, f.categories.index(truth[f.votes.names[i]])] for i in at]
        ).mean()
        for f in (before, found)
    ]
    assert both[1] < both[0] + 0.01
    # labels that no account held: errors are shared much further than the annotations show
    wrong = {name: "yes" if x == "no" else "no" for name, x in before.labelled().items()}
    wrong = {name: wrong[name] for name in list(truth)[:40]}
    assert ac.fit(data, gold=wrong).worth < before.worth


def test_two_labels_an_item_leave_the_prior() -> None:
    made = crowd(kinds(3, good=60), 400, 2, seed=100, hard=0.1)
    found: Any = ac.fit(made.rows)
    (told,) = (f for f in found.findings if f.code == "dependence_unseen")
    assert 0.5 < told.facts["independent"] < 0.9
    assert not [f for f in ac.fit(correlated()[0]).findings if f.code == "dependence_unseen"]


def test_published_models_are_as_published() -> None:
    data, _ = correlated()
    found: Any = ac.fit(data, "dawid_skene", restarts=0)
    assert found.estimate.average is None
    assert found.shared_errors == ""
    assert found.worth == 1
    assert (found.probabilities == found.estimate.probabilities).all()
    ends, own = found.interval("competence"), ac.fit(data).interval("competence")
    assert ((ends.low <= own.high) & (own.low <= ends.high)).all()


def repeated() -> list[tuple[str, str, Any]]:
    """Rows of a crowd some of whose coders annotate an item twice, and some skip."""
    rng = np.random.default_rng(5)
    rows: list[tuple[str, str, Any]] = []
    for i, c, x in crowd(kinds(3, good=5, sloppy=4), 80, 4, seed=2).rows:
        again = "abc"[rng.integers(3)] if rng.random() < 0.3 else x
        rows += [(i, c, x), (i, c, again)] if rng.random() < 0.2 else [(i, c, x)]
        rows += [(i, f"z{c}", None)]
    return rows


def test_repeated_and_skipped_annotations() -> None:
    rows = repeated()
    data = ac.read(rows, duplicates="keep")
    found: Any = ac.fit(data)
    assert found.votes.per_item.max() > 4
    assert found.probabilities.sum(1) == pytest.approx(1)
    assert found.average.worth[found.votes.per_item > 4].max() < found.average.worth.max()
    order = np.random.default_rng(3).permutation(len(rows))
    other: Any = ac.fit(
        ac.read([rows[k] for k in order], duplicates="keep", categories=["c", "b", "a"])
    )
    one, two = ({row["item"]: row for row in f.to_rows()} for f in (found, other))
    for item, row in one.items():
        for key in ("p_a", "p_b", "p_c"):
            assert two[item][key] == pytest.approx(row[key], abs=1e-9)
    assert other.worth == pytest.approx(found.worth, abs=1e-9)


def test_the_same_seed_gives_the_same() -> None:
    rows = mixed().rows
    one, two, three = (ac.fit(rows, seed=seed) for seed in (4, 4, 5))
    assert (one.probabilities == two.probabilities).all()
    assert one.worth != three.worth


def test_sets_are_averaged_too() -> None:
    made = crowd(kinds(3, good=9), 120, 5, seed=4, hard=0.2)
    rows = [(i, c, f"{x};z" if i < "i0060" else x) for i, c, x in made.rows]
    found: Any = ac.fit(ac.read(rows, separator=";"))
    assert found.shared_errors
    assert all(one.estimate.average is not None for one in found)
