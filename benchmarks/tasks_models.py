"""The work that is timed on models of coders and items.

Most rows have a fixed number of iterations and one start, so that the same work is compared. Rows
"as called" are what somebody waits for who gives no option: restarts included, to convergence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from .data import Crowd, crowd
from .peers_models import N_ITERATIONS
from .tasks import Task

N_CODERS, PER_ITEM, N_CATEGORIES = 200, 5, 5
COLUMNS = {"item": "task", "coder": "worker", "label": "label"}
SIZES = (50_000, 500_000, 5_000_000)

SLOW = {  # peers that take more than two minutes, or gigabytes
    "glad": {500_000: frozenset({"crowd-kit"})},
    "one_coin": {5_000_000: frozenset({"crowd-kit"})},
    "mace": {5_000_000: frozenset({"crowd-kit"})},
    "majority": {5_000_000: frozenset({"cleanlab"})},
}
AS_CALLED = ("blend", "pooled", "dawid_skene", "mace", "glad")
AS_CALLED_SLOW = {
    ("glad", 50_000): frozenset({"crowd-kit"}),
    ("glad", 500_000): frozenset({"crowd-kit"}),
    ("mace", 500_000): frozenset({"crowd-kit"}),
}
MANY = 1_000  # categories
MANY_MODELS = ("majority", "one_coin", "mace", "pooled", "dawid_skene")
NAMES = {
    "blend": "blend (the default)",
    "pooled": "pooled",
    "majority": "majority vote",
    "dawid_skene": "Dawid–Skene",
    "one_coin": "one coin",
    "mace": "MACE",
    "glad": "GLAD",
}


def tasks_of_models() -> Iterator[Task]:
    """Every row, small before large. The answer is the share of right labels."""
    us = "accordant (with reading)"
    for key in ("majority", "dawid_skene", "one_coin", "mace", "glad"):
        name = NAMES[key]
        rounds = "" if key == "majority" else f", {N_ITERATIONS} iterations"
        for n in SIZES[:2] if key == "glad" else SIZES:
            yield Task(
                f"models: {name}, {n:,} annotations{rounds}",
                key,
                N_CATEGORIES,
                lambda n=n: crowd(n // PER_ITEM, N_CODERS, PER_ITEM, N_CATEGORIES),
                labels(key),
                SLOW.get(key, {}).get(n, frozenset()),
                us=us,
            )
    for key in AS_CALLED:
        for n in SIZES[:2]:
            yield Task(
                f"models: {NAMES[key]}, {n:,} annotations, as called",
                f"{key} as called",
                N_CATEGORIES,
                lambda n=n: crowd(n // PER_ITEM, N_CODERS, PER_ITEM, N_CATEGORIES),
                as_called(key),
                AS_CALLED_SLOW.get((key, n), frozenset()),
                us=us,
            )
    for key in MANY_MODELS:
        yield Task(
            f"models: {NAMES[key]}, {MANY:,} categories, 2,000 items, as called",
            f"{key} of many categories",
            MANY,
            lambda: crowd(2_000, 50, PER_ITEM, MANY),
            as_called(key),
            frozenset({"crowd-kit"}),
            us=us,
        )
    for name, run in (("CrowdTruth 2.0", crowdtruth), ("soft labels", soft)):
        yield Task(
            f"models: {name}, 8,000 annotations by 164 coders",
            name,
            2,
            lambda: crowd(800, 164, 10, 2, batch=20),
            run,
            us=us,
        )
    yield Task(
        f"models: soft labels, {SIZES[1]:,} annotations",
        "soft labels",
        N_CATEGORIES,
        lambda: crowd(SIZES[1] // PER_ITEM, N_CODERS, PER_ITEM, N_CATEGORIES),
        soft,
        us=us,
    )


def labels(key: str) -> Callable[[Crowd], float]:
    """From a frame to labels, reading included; a tie counts for a part."""

    def run(given: Crowd) -> float:
        import accordant as ac
        from accordant.models.call import fitted
        from accordant.models.em import How

        how = How(max_iterations=N_ITERATIONS, tolerance=0)
        found: Any = fitted(ac.read(given.frame, **COLUMNS), key, restarts=0, how=how)
        return scored(given, found.items, found.estimate.probabilities)

    return run


def as_called(key: str) -> Callable[[Crowd], float]:
    """From a frame to labels, with no option."""

    def run(given: Crowd) -> float:
        import accordant as ac

        found: Any = ac.fit(given.frame, key, **COLUMNS)
        every = np.zeros((len(found.items), given.truth.max() + 1))  # nobody gave some categories
        every[:, np.asarray(found.categories, np.int64)] = found.probabilities
        return scored(given, found.items, every)

    return run


def scored(given: Crowd, items: Any, probabilities: Any) -> float:
    """Share of right labels; a tie of two counts one half."""
    top = probabilities >= probabilities.max(1, keepdims=True) - 1e-9
    right = top[np.arange(len(top)), given.truth[np.asarray(items, np.int64)]]
    return float((right / top.sum(1)).mean())


def crowdtruth(given: Crowd) -> float:
    """Every score of CrowdTruth 2.0; the share of items whose best label is right."""
    import accordant as ac

    found: Any = ac.crowdtruth(given.frame, **COLUMNS)
    return scored(given, found.items, np.asarray(found["item_category"]))


def soft(given: Crowd) -> float:
    """Distributions of opinions, smoothed; the share of items whose first label is right."""
    import accordant as ac

    found: Any = ac.soft_labels(given.frame, **COLUMNS)
    return scored(given, found.items, found.probabilities)
