"""Two-coder coefficients of a confusion matrix against pycm."""

from __future__ import annotations

from typing import Any

import numpy as np
from pycm import ConfusionMatrix

from oracle.random_data import Differences, Sample, ours, pairs

N = 120  # 20 ms a matrix


def matrix(pair: Sample) -> Any:
    table = {k: {c: int(n) for c, n in enumerate(row)} for k, row in enumerate(pair.table)}
    return ConfusionMatrix(matrix=table)


# pycm's name, our key; "None" is its word for undefined.
STATISTICS = {
    "Overall_ACC": "percent",
    "Kappa": "kappa",
    "KappaUnbiased": "pi",
    "S": "s",
    "AC1": "ac",
    "Alpha": "alpha",
}


def number(x: Any) -> float:
    return np.nan if x == "None" else float(x)


def test_statistics() -> None:
    differences = Differences()
    for pair in pairs()[:N]:
        found = matrix(pair)
        for name, key in STATISTICS.items():
            row = ours(pair, key)
            theirs = number(getattr(found, name))
            differences.compare(pair, name, row.value, theirs)
        differences.compare(
            pair, "2 A_o - 1", 2 * ours(pair, "percent").value - 1, number(found.KappaNoPrevalence)
        )
    differences.none_left(of_at_least=7 * N)


def test_weighted_kappa() -> None:
    """pycm takes disagreement weights as nested dicts."""
    differences = Differences()
    for pair in pairs()[:N]:
        k = range(pair.n_values)
        weight = {a: {b: (a - b) ** 2 for b in k} for a in k}
        theirs = number(matrix(pair).weighted_kappa(weight=weight))
        differences.compare(pair, "weighted kappa", ours(pair, "kappa", "quadratic").value, theirs)
    differences.none_left(of_at_least=N)


def test_weighted_alpha_of_pycm_is_wrong_between_all_and_nothing() -> None:
    """Its chance term squares (row i + column j) / 2n where the shares of i and j multiply.

    That is right on the diagonal only: with weights between 0 and 1 it is wrong. With its term
    in place of ours we get its number.
    """
    differences, wrong = Differences(), 0
    for pair in [p for p in pairs() if p.n_values > 2][:60]:
        k = range(pair.n_values)
        weight = {a: {b: (a - b) ** 2 for b in k} for a in k}
        theirs = number(matrix(pair).weighted_alpha(weight=weight))
        row = ours(pair, "alpha", "quadratic")
        if row.undefined:
            continue
        table, n = pair.table, pair.table.sum()
        agree = 1 - np.subtract.outer(k, k) ** 2 / (pair.n_values - 1) ** 2
        chance = (np.add.outer(table.sum(1), table.sum(0)) / (2 * n)) ** 2
        their_chance = float((chance * agree).sum())
        observed = (1 - 1 / (2 * n)) * row.observed + 1 / (2 * n)
        variant = (observed - their_chance) / (1 - their_chance)
        differences.compare(pair, "weighted alpha", variant, theirs)
        wrong += abs(row.value - theirs) > 0.01
    differences.none_left(of_at_least=50)
    assert wrong > 40


def test_standard_error_of_pycm_takes_chance_as_known() -> None:
    """Cohen's (1960) formula, not the one of Fleiss, Cohen & Everitt (1969)."""
    differences = Differences()
    for pair in pairs()[:40]:
        row = ours(pair, "kappa")
        if row.undefined:
            continue
        naive = np.sqrt(row.observed * (1 - row.observed) / row.n_items) / (1 - row.expected)
        differences.compare(pair, "Kappa_SE", float(naive), number(matrix(pair).Kappa_SE))
    differences.none_left(of_at_least=30)
