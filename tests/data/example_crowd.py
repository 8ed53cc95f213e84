"""Makes crowd.csv and crowd_models.csv of the examples: a crowd about which everything is known.

Ten coders, and two language models that are made up too. Among the coders are one who labels
without looking, one who mistakes each category for the next, and three who read a third of the
items in another way. Of a twelfth of the items most coders see the same wrong category. Seeds were
tried until all of this shows in so few annotations. Run
``python tests/data/example_crowd.py`` to write the files again.
"""

from __future__ import annotations

import csv

import numpy as np

from accordant.data.examples import path
from accordant.simulate.crowd import SimulatedCrowd, simulate_crowd

__all__ = ["KINDS", "crowd", "model_rows", "rows"]

KINDS = {"good": 5, "spammer": 1, "adversary": 1, "school": 3}
CATEGORIES = ("insult", "irony", "neutral")
SEED = 1
N_ITEMS = 150
N_CONTROL = 30
PLACE = (3, 10, 5, 1, 7, 9, 2, 8, 4, 6)  # the names of the coders do not tell their kinds
RIGHT = {"model A": 0.9, "model B": 0.7}  # share of the labels of each model


def crowd() -> SimulatedCrowd:
    """The crowd as it was drawn, with coders that are called by their kinds."""
    return simulate_crowd(
        N_ITEMS, KINDS, CATEGORIES, per_item=9, misleading=0.08, disputed=0.3, rng=SEED
    )


def names() -> dict[str, str]:
    """The name of each coder in the file: ``c01`` to ``c10``."""
    return {coder: f"c{k:02}" for coder, k in zip(crowd().data.coders, PLACE, strict=True)}


def rows() -> list[dict[str, str]]:
    """One row for each item: labels, what is true, and the same for control items only."""
    made, called = crowd(), names()
    out: list[dict[str, str]] = [
        {"item": _item(i)} | dict.fromkeys(sorted(called.values()), "") for i in range(N_ITEMS)
    ]
    for row in made.data.to_rows():
        out[row["item"] - 1][called[row["coder"]]] = str(row["label"])
    control = set(np.random.default_rng(SEED).permutation(N_ITEMS)[:N_CONTROL].tolist())
    for i, label in enumerate(made.labels):
        out[i] |= {"gold": str(label) if i in control else "", "truth": str(label)}
    return out


def model_rows() -> list[dict[str, str]]:
    """One row for each model and item; errors fall on either of the other categories."""
    made, random = crowd(), np.random.default_rng([SEED, 2])
    k = len(CATEGORIES)
    out: list[dict[str, str]] = []
    for model, right in RIGHT.items():
        wrong = (made.truth + 1 + random.integers(k - 1, size=N_ITEMS)) % k
        said = np.where(random.random(N_ITEMS) < right, made.truth, wrong).tolist()
        out += [
            {"item": _item(i), "coder": model, "label": CATEGORIES[x]} for i, x in enumerate(said)
        ]
    return out


def _item(i: int) -> str:
    return f"i{i + 1:03}"


def _write(name: str, table: list[dict[str, str]]) -> None:
    with path(name).open("w", encoding="utf-8", newline="") as f:
        writer = csv.DictWriter(f, list(table[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(table)


if __name__ == "__main__":
    _write("crowd", rows())
    _write("crowd_models", model_rows())
