"""The real crowds with gold labels, and what the literature and other programs found on them."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accordant.data.read import read
from accordant.models.votes import Votes, votes

__all__ = ["accuracy", "crowd", "published"]

Floats = NDArray[np.float64]
RealData = Callable[[str], Path]


def published(real_data: RealData, measure: str) -> list[dict[str, Any]]:
    """Golden entries whose measure starts like this, of all data sets."""
    path = real_data("crowd").parents[1] / "golden" / "models.json"
    entries: list[dict[str, Any]] = json.loads(path.read_text())["golden"]
    found = [x for x in entries if x["measure"].startswith(measure)]
    assert found, measure
    return found


def crowd(real_data: RealData, name: str) -> Votes:
    """The votes of a real crowd, repeated annotations kept."""
    return votes(read(real_data(f"crowd/{name}.csv"), duplicates="keep"))


def accuracy(real_data: RealData, name: str, table: Votes, probabilities: Floats) -> float:
    """Share of gold labels found; an exact tie shares the credit."""
    with real_data(f"crowd/{name}.gold.csv").open(newline="") as lines:
        gold = {row["item"]: row["gold"] for row in csv.DictReader(lines)}
    at = {str(c): k for k, c in enumerate(table.categories)}
    wanted = np.array([at.get(gold.get(str(item), ""), -1) for item in table.items])
    top = probabilities >= probabilities.max(1, keepdims=True) - 1e-9
    credit = top / top.sum(1, keepdims=True)
    known = np.flatnonzero([str(item) in gold for item in table.items])
    return float(np.mean([credit[i, wanted[i]] if wanted[i] >= 0 else 0.0 for i in known]))
