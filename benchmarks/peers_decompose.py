"""How a scheme is taken apart, and levers are tried, in plain words with pandas and other packages.

What would take minutes is done for some bipartitions or levers, evenly spaced, and its time is
scaled: the name says so.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .peers import Run, peer

N_SAMPLED = 40

Ints = NDArray[np.int64]


def sampled(n: int, most: int) -> Ints:
    """Codes of bipartitions, evenly spaced: all of 1 … n where these are few."""
    return np.unique(np.linspace(1, n, min(n, most)).round().astype(np.int64))


def scaled(run: Run, times: float) -> Run:
    """The call, whose time stands for so many times the work (see `measure`)."""
    run.scale = times  # type: ignore[attr-defined]
    return run


@peer("decompose", "pandas and scikit-learn")
def _(table: Any, k: int) -> Run:
    return second_levels(table, 127)


@peer("decompose many", f"pandas and scikit-learn, {N_SAMPLED} of them, scaled")
def _(table: Any, k: int) -> Run:
    return second_levels(table, N_SAMPLED)


def second_levels(table: Any, most: int) -> Run:
    """Levi & Shenhav (2022, section 3.1) on the rows: a filter and a few kappas for each."""
    import pandas as pd
    from sklearn.metrics import cohen_kappa_score

    values = sorted({v for v in table.ravel() if v is not None})
    position = {v: i for i, v in enumerate(values)}
    frame = pd.DataFrame(table).map(lambda v: np.nan if v is None else position[v])
    n_labels = len(values[0]) if isinstance(values[0], tuple) else 0
    bits = np.array(values).reshape(len(values), -1)
    pairs = [
        both
        for a in frame
        for b in frame
        if a < b and len(both := frame[[a, b]].dropna().astype(int).set_axis([0, 1], axis=1))
    ]
    n = 2 ** (len(values) - 1) - 1
    codes = sampled(n, most)

    def level2(both: Any, side: NDArray[np.bool_]) -> float:
        first = both.apply(lambda column: side[column])
        cohen_kappa_score(first[0], first[1])
        kept = both[first[0] == first[1]]
        if not n_labels:
            return float(cohen_kappa_score(kept[0], kept[1]))
        each = [
            cohen_kappa_score(bits[kept[0], label], bits[kept[1], label])
            for label in range(n_labels)
        ]
        return float(np.nanmean(each))

    def run() -> float:
        found = []
        for code in codes:
            side = (code >> np.arange(len(values)) & 1).astype(bool)
            found.append(np.mean([level2(both, side) for both in pairs]))
        return float(np.nanmean(found))

    return scaled(run, n / len(codes))


@peer("levers", "NumPy and krippendorff (pairs only)")
def _(table: Any, k: int) -> Run:
    """Each pair settled in a copy of the table by majority, and alpha computed again."""
    import krippendorff

    labels = range(1, k + 1)
    n = np.array([(table == x).sum() for x in labels])

    def settled(a: int, b: int) -> Any:
        is_a, is_b = table == a, table == b
        n_a, n_b = is_a.sum(1), is_b.sum(1)
        first = (n_a > n_b) | ((n_a == n_b) & (n[a - 1] >= n[b - 1]))
        both = ((n_a > 0) & (n_b > 0))[:, None] & (is_a | is_b)
        return np.where(both, np.where(first, a, b)[:, None], table)

    def run() -> float:
        return max(
            float(krippendorff.alpha(settled(a, b).T.astype(float), level_of_measurement="nominal"))
            for a in labels
            for b in labels
            if a < b
        )

    return run
