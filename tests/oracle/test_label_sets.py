"""Measures of label sets against nltk, krippendorff and scikit-learn, on random sets."""

from __future__ import annotations

from functools import cache

import krippendorff
import numpy as np
import pytest
from nltk.metrics import jaccard_distance, masi_distance
from nltk.metrics.agreement import AnnotationTask
from sklearn.metrics import (
    cohen_kappa_score,
    f1_score,
    jaccard_score,
    precision_score,
    recall_score,
)

from accordant import agreement, diagnose
from golden.cases import DATASETS
from golden.cases import sets as dkpro_sets
from laws.sets import LABELS, Sets, annotations

SAME = pytest.approx
NLTK = {"masi": masi_distance, "jaccard": jaccard_distance}


@cache
def random_sets(seed: int, *, missing: float = 0.0, empty: bool = True) -> Sets:
    """40 items, two or three coders who agree on about half of their labels."""
    rng = np.random.default_rng(seed)
    n_coders = 2 + seed % 2
    rows = []
    for _ in range(40):
        core = rng.random(4) < 0.35
        row: list[tuple[str, ...] | None] = []
        for _ in range(n_coders):
            own = np.where(rng.random(4) < 0.25, rng.random(4) < 0.4, core)
            if not empty and not own.any():
                own[rng.integers(4)] = True
            found = tuple(x for x, held in zip(LABELS, own, strict=True) if held)
            row.append(None if rng.random() < missing else found)
        rows.append(row)
    return rows


@pytest.mark.parametrize("name", NLTK)
@pytest.mark.parametrize("seed", range(12))
def test_alpha_is_that_of_nltk(name: str, seed: int) -> None:
    """Without empty sets: nltk divides by zero for two of them."""
    rows = random_sets(seed, missing=0.15, empty=False)
    triples = [
        (f"c{c}", f"i{i}", frozenset(s))
        for i, row in enumerate(rows)
        for c, s in enumerate(row)
        if s is not None and sum(x is not None for x in row) > 1
    ]
    peer = AnnotationTask(triples, NLTK[name]).alpha()
    found = agreement(annotations(rows), f"alpha_{name}", interval="none")
    assert found[f"alpha_{name}"].value == SAME(peer, abs=1e-9)


@pytest.mark.parametrize("name", ["masi", "jaccard", "f1", "overlap", "passonneau"])
@pytest.mark.parametrize("seed", range(8))
def test_alpha_is_that_of_krippendorff(name: str, seed: int) -> None:
    """Empty sets and missing annotations included, with our weights as its metric."""
    data = annotations(random_sets(seed, missing=0.2))
    pairs = [[a, b] for a in data.values for b in data.values]
    agreed = diagnose(annotations(pairs), weights=name).pooled.items.agreement
    far = 1 - agreed.reshape(len(data.values), -1)
    grid = data.grid
    assert grid is not None
    codes = np.where(grid.T < 0, np.nan, grid.T.astype(float))

    def metric(a: np.ndarray, b: np.ndarray, **_: object) -> np.ndarray:
        return np.asarray(far[a.astype(int), b.astype(int)])

    peer = krippendorff.alpha(
        codes,
        value_domain=np.arange(len(far)),
        level_of_measurement=metric,  # type: ignore[arg-type]
    )
    (found,) = agreement(data, "alpha", weights=name, interval="none")
    assert found.value == SAME(peer, abs=1e-9)


@pytest.mark.parametrize("seed", range(0, 24, 2))
def test_the_mean_over_labels_is_that_of_scikit_learn(seed: int) -> None:
    rows = random_sets(seed)
    held = np.array([[[x in (s or ()) for x in LABELS] for s in row] for row in rows])
    peer = np.mean([cohen_kappa_score(held[:, 0, k], held[:, 1, k]) for k in range(len(LABELS))])
    found = agreement(annotations(rows), "label_kappa", interval="none")["label_kappa"]
    assert found.value == SAME(float(peer), abs=1e-9)


@pytest.mark.parametrize("seed", range(0, 12, 2))
def test_item_scores_are_those_of_scikit_learn(seed: int) -> None:
    """Observed precision, recall, F1 and Jaccard: means over items ("samples")."""
    rows = random_sets(seed)
    held = np.array([[[x in (s or ()) for x in LABELS] for s in row] for row in rows])
    scores = {
        "precision": precision_score,
        "recall": recall_score,
        "f1": f1_score,
        "jaccard": jaccard_score,
    }
    one_empty = held.any(2).sum(1) == 1
    for name, score in scores.items():
        peer = score(held[:, 1], held[:, 0], average="samples", zero_division=1.0)
        (found,) = agreement(annotations(rows), "percent", weights=name, interval="none")
        # scikit-learn calls the precision (or recall) of one empty set 1, we call it 0
        lost = {
            "precision": one_empty & ~held[:, 0].any(1),
            "recall": one_empty & ~held[:, 1].any(1),
        }.get(name, np.zeros(len(rows), bool))
        assert found.observed + lost.mean() == SAME(float(peer), abs=1e-12), name


def test_masi_of_dkpros_example() -> None:
    """DKPro multiplies distances (.252); MASI multiplies agreements, as nltk does."""

    def distance(a: frozenset[str], b: frozenset[str]) -> float:
        return masi_distance(a, b) if a or b else 0.0

    triples = [
        (f"c{c}", f"i{i}", frozenset(s))
        for c, row in enumerate(DATASETS["dkpro_sets"]["coders"])
        for i, s in enumerate(row)
    ]
    (found,) = agreement(dkpro_sets(), "alpha_masi", interval="none")
    assert found.value == SAME(AnnotationTask(triples, distance).alpha(), abs=1e-9)
