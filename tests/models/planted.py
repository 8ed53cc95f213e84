"""Crowds with known truth, small enough for tests, and what was published of real ones."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import accordant as ac

__all__ = ["Crowd", "RealData", "accuracy", "crowd", "kinds", "mixed", "published", "rare", "real"]

Floats = NDArray[np.float64]
RealData = Callable[[str], Path]


class Crowd(NamedTuple):
    """Rows of item, coder and label; what is true; (C, K, K) how coders answer, by name."""

    rows: list[tuple[str, str, str]]
    truth: dict[str, str]
    confusion: dict[str, Floats]
    prevalence: Floats

    @property
    def competence(self) -> dict[str, float]:
        """How often each coder is right, by the categories of these items."""
        share = np.bincount([ord(x) - 97 for x in self.truth.values()]) / len(self.truth)
        n = len(share)
        return {c: float((share * m.diagonal()[:n]).sum()) for c, m in self.confusion.items()}

    def gold(self, n: int) -> dict[str, str]:
        """The truth of the first items."""
        return dict(list(self.truth.items())[:n])

    def right(self, labels: dict[str, Any]) -> float:
        """Share of the labels that are true."""
        return float(np.mean([labels[item] == label for item, label in self.truth.items()]))


def kinds(k: int, **n: Any) -> list[Floats]:
    """Confusion matrices: ``good=3`` of .85, ``sloppy`` .6, ``spammer``, ``adversary``, ``constant``."""
    made = {
        "good": 0.85 * np.eye(k) + 0.15 / k,
        "sloppy": 0.5 * np.eye(k) + 0.5 / k,
        "spammer": np.tile(np.full(k, 1 / k), (k, 1)),
        "adversary": 0.9 * np.roll(np.eye(k), 1, 1) + 0.1 / k,
        "constant": np.tile(np.eye(k)[0], (k, 1)),
    }
    return [made[name] for name, times in n.items() for _ in range(times)]


def crowd(
    confusion: Sequence[Floats],
    items: int = 300,
    per_item: int = 5,
    prevalence: Sequence[float] | None = None,
    seed: int = 0,
    hard: float = 0.0,
) -> Crowd:
    """Labels a, b, … of coders c00, c01, …; on ``hard`` items all of them guess alike."""
    rng = np.random.default_rng(seed)
    k = len(confusion[0])
    share = np.full(k, 1 / k) if prevalence is None else np.asarray(prevalence)
    truth = rng.choice(k, items, p=share)
    names = [f"c{c:02}" for c in range(len(confusion))]
    rows = []
    for i, true in enumerate(truth.tolist()):
        seen = (true + 1) % k if rng.random() < hard else true
        for c in rng.choice(len(confusion), min(per_item, len(confusion)), replace=False).tolist():
            label = int(rng.choice(k, p=confusion[c][seen]))
            rows.append((f"i{i:04}", names[c], "abcdefgh"[label]))
    known = {f"i{i:04}": "abcdefgh"[t] for i, t in enumerate(truth.tolist())}
    return Crowd(rows, known, dict(zip(names, confusion, strict=True)), share)


@cache
def mixed() -> Crowd:
    """Good and sloppy coders (c00 to c08), two spammers, an adversary (c11): what DS is made for."""
    made = kinds(3, good=6, sloppy=3, spammer=2, adversary=1)
    return crowd(made, 400, 6, [0.5, 0.3, 0.2], seed=1)


@cache
def rare() -> Crowd:
    """One category in ten items."""
    return crowd(kinds(2, good=8, sloppy=2), 500, 5, [0.9, 0.1], seed=7)


# ------------------------------------------------------------------ real crowds


def published(real_data: RealData, measure: str) -> list[dict[str, Any]]:
    """Golden entries whose measure starts like this, of all data sets."""
    path = real_data("crowd").parents[1] / "golden" / "models.json"
    entries: list[dict[str, Any]] = json.loads(path.read_text())["golden"]
    found = [x for x in entries if x["measure"].startswith(measure)]
    assert found, measure
    return found


def real(real_data: RealData, name: str) -> ac.Annotations:
    """A real crowd, repeated annotations kept."""
    return ac.read(real_data(f"crowd/{name}.csv"), duplicates="keep")


def accuracy(real_data: RealData, name: str, found: Any) -> float:
    """Share of gold labels that the model itself finds; an exact tie shares the credit."""
    with real_data(f"crowd/{name}.gold.csv").open(newline="") as lines:
        gold = {row["item"]: row["gold"] for row in csv.DictReader(lines)}
    at = {str(c): k for k, c in enumerate(found.categories)}
    p = found.estimate.probabilities
    top = p >= p.max(1, keepdims=True) - 1e-9
    credit = (top / top.sum(1, keepdims=True)).tolist()
    of = {str(item): credit[i] for i, item in enumerate(found.items) if str(item) in gold}
    return float(np.mean([row[at[gold[i]]] if gold[i] in at else 0.0 for i, row in of.items()]))
