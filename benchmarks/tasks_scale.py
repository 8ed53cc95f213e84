"""What grows faster than the data: many coders, many different values, many different label sets.

Nobody else computes these, so a row is the time and the peak memory of ours alone; it is there
to be compared with the last measurement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from .data import MISSING, measurements
from .tasks import Task, coefficient


def tasks_of_scale() -> Iterator[Task]:
    """Every row, small before large."""
    for n in (2000, 8000):
        yield Task(
            f"alpha ratio, {n:,} x 2 real numbers",
            "alpha ratio",
            0,
            lambda n=n: np.abs(measurements(n, 2)),
            coefficient("alpha", scale="ratio"),
        )
    for labels, most in ((60, 5), (16, 10)):
        yield Task(
            f"alpha with MASI, 10,000 x 2, {labels} labels, up to {most} at once, nearly all sets "
            "different",
            "alpha masi",
            labels,
            lambda k=labels, m=most: sets_of(10**4, 2, k, m, 2),
            _measured("alpha_masi"),
        )
    for n_items, n_coders, labels, most in ((2000, 200, 30, 5), (600, 100, 60, 4)):
        yield Task(
            f"boot-match, {n_items:,} items x 4 of {n_coders} coders, {labels} labels, up to "
            f"{most} at once",
            "label draw of crowds",
            labels,
            lambda of=(n_items, n_coders, labels, most): sets_of(*of),
            _measured("boot_match"),
        )


def sparse(n_items: int, n_coders: int, n: int) -> Any:
    """(items, coders) four categories, each item given to n coders."""
    rng = np.random.default_rng(1)
    table = np.full((n_items, n_coders), MISSING)
    for row in table:
        row[rng.choice(n_coders, n, replace=False)] = rng.integers(1, 5, n)
    return table


def sets_of(n_items: int, n_coders: int, labels: int, most: int, per_item: int = 4) -> Any:
    """(items, coders) sets of labels, each item given to some coders."""
    rng = np.random.default_rng(1)
    table = np.full((n_items, n_coders), None)
    for row in table:
        for c in rng.choice(n_coders, per_item, replace=False):
            drawn = rng.choice(labels, rng.integers(1, most + 1), replace=False)
            row[c] = tuple(sorted(drawn.tolist()))
    return table


def _measured(key: str) -> Callable[[Any], float]:
    def run(table: Any) -> float:
        import accordant as ac

        (row,) = ac.agreement(table, key, layout="wide")
        return row.value

    return run
