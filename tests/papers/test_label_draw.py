"""Marchal, Scholman, Yung & Demberg (2022): expected agreement of coders who draw labels.

Three sources of numbers, none of them ours:

- The text and Figure 1 (section 5): expected boot-match rises from .20 to .70 with five categories
  and from about .10 to .38 with ten, while items with two labels rise from none to all.
- Exact fractions for uniform labels, from counting sets: with K labels two sets of two overlap
  with probability 1 - C(K - 2, 2) / C(K, 2).
- Four small cases whose every ordered draw was enumerated, with the variance of one item.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from accordant.measure.label_draw import expected_score
from accordant.measure.sets import SCORES

NAMES = ("overlap", "precision", "recall", "f1")

# K, share of items with two labels: expected overlap, precision (= recall) and F1.
UNIFORM = [
    (5, "0", "1/5", "1/5", "1/5"),
    (5, "1/4", "49/160", "1/4", "19/80"),
    (5, "1/2", "17/40", "3/10", "17/60"),
    (5, "3/4", "89/160", "7/20", "27/80"),
    (5, "1", "7/10", "2/5", "2/5"),
    (10, "0", "1/10", "1/10", "1/10"),
    (10, "1/4", "223/1440", "1/8", "19/160"),
    (10, "1/2", "79/360", "3/20", "17/120"),
    (10, "3/4", "47/160", "7/40", "27/160"),
    (10, "1", "17/45", "1/5", "1/5"),
]

# Shares and sizes of two coders; mean and variance of one item's score, in the order of NAMES.
ENUMERATED: list[tuple[Any, ...]] = [
    (
        ([0.5, 0.3, 0.2], [0, 0.6, 0.4]),
        ([0.2, 0.2, 0.6], [0, 0.3, 0.7]),
        (0.662114285714286, 0.524257142857143, 0.429714285714286, 0.449342857142857),
        (0.223718958367, 0.180483019592, 0.128859918367, 0.122619568163),
    ),
    (
        ([0.7, 0.1, 0.1, 0.06, 0.04], [0, 0.5, 0.3, 0.2]),
        ([0.3, 0.3, 0.2, 0.1, 0.1], [0.1, 0.4, 0.3, 0.2]),
        (0.545724653829029, 0.391946817882438, 0.369822020372957, 0.3452530655362),
        (0.247909256032, 0.16917058862, 0.154731727668, 0.118376054303),
    ),
    (
        ([0.4, 0.25, 0.15, 0.1, 0.06, 0.04], [0, 0.25, 0.25, 0.25, 0.25]),
        ([0.1, 0.1, 0.1, 0.1, 0.1, 0.5], [0, 0, 1, 0, 0]),
        (0.591739943588155, 0.273652711963788, 0.345860754765546, 0.288941082873858),
        (0.24158378275, 0.0844362026594, 0.103301498667, 0.0717143916344),
    ),
    (
        ([0.9, 0.05, 0.03, 0.02], [0, 0, 0, 1]),
        ([0.25, 0.25, 0.25, 0.25], [0, 0.5, 0, 0.5]),
        (0.875, 0.5, 0.75, 0.5625),
        (0.109375, 0.0833333333333, 0.104166666667, 0.0690104166667),
    ),
]


@pytest.mark.parametrize("n_labels, doubles, overlap, precision, f1", UNIFORM)
def test_uniform_labels(n_labels: int, doubles: str, overlap: str, precision: str, f1: str) -> None:
    share = float(Fraction(doubles))
    habits = np.ones((2, n_labels)), [[0, 1 - share, share]] * 2
    for name, exact in zip(NAMES, (overlap, precision, precision, f1), strict=True):
        found = float(expected_score(SCORES[name], *habits))
        assert found == pytest.approx(float(Fraction(exact)), abs=1e-12), name


@pytest.mark.parametrize(
    "n_labels, double, printed", [(5, 0, "0.20"), (5, 1, "0.70"), (10, 1, "0.38")]
)
def test_section_5_expected_boot_match(n_labels: int, double: int, printed: str) -> None:
    habits = np.ones((2, n_labels)), [[0, 1 - double, double]] * 2
    assert f"{float(expected_score(SCORES['overlap'], *habits)):.2f}" == printed


@pytest.mark.parametrize("one, other, means, variances", ENUMERATED)
def test_enumerated_cases(one: Any, other: Any, means: Any, variances: Any) -> None:
    shares, sizes = ([a, b] for a, b in zip(one, other, strict=True))
    if len(shares[0]) != len(sizes[0]):
        sizes = [q + [0] * (max(map(len, sizes)) - len(q)) for q in sizes]
    for name, mean, variance in zip(NAMES, means, variances, strict=True):
        score = SCORES[name]
        found = float(expected_score(score, shares, sizes))
        of_squares = float(expected_score(lambda a, b, r, f=score: f(a, b, r) ** 2, shares, sizes))
        assert found == pytest.approx(mean, abs=5e-13), name
        assert of_squares - found**2 == pytest.approx(variance, rel=1e-10), name
