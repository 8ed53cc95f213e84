"""Artstein & Poesio (2008), Inter-coder agreement for computational linguistics, Tables 1 and 5.

Two coders label 100 utterances. The paper prints A_o, A_e and each coefficient to three digits,
for alpha disagreement instead of agreement.
"""

from __future__ import annotations

import numpy as np
import pytest

from accordant import Distance
from papers.tables import measured

PRINTED = 0.5e-3 + 1e-9
CUT = 1e-3  # the paper cuts some digits off instead of rounding (D_e .6016 as .601)

DIALOGUE_ACTS = [[20, 10], [20, 50]]  # STAT, IReq
THREE_ACTS = [[46, 0, 0], [6, 32, 6], [0, 0, 10]]  # STAT, IReq, Chck
HALF_FOR_CHECK = [[0, 1, 0.5], [1, 0, 0.5], [0.5, 0.5, 0]]


@pytest.mark.parametrize(
    "key, expected, value", [("s", 0.5, 0.4), ("pi", 0.545, 0.341), ("kappa", 0.54, 0.348)]
)
def test_three_ideas_of_chance(key: str, expected: float, value: float) -> None:
    row = measured(DIALOGUE_ACTS, ["STAT", "IReq"])[key]
    assert (row.observed, row.expected, row.value) == pytest.approx(
        (0.7, expected, value), abs=PRINTED
    )


@pytest.mark.parametrize(
    "key, expected, value",
    [("s", 0.333, 0.82), ("pi", 0.4014, 0.7995), ("kappa", 0.396, 0.8013), ("alpha", 0.399, 0.8)],
)
def test_three_categories(key: str, expected: float, value: float) -> None:
    row = measured(THREE_ACTS, ["STAT", "IReq", "Chck"])[key]
    assert (row.observed, row.expected) == pytest.approx((0.88, expected), abs=CUT)
    assert row.value == pytest.approx(value, abs=CUT)


@pytest.mark.parametrize("key, de, value", [("alpha", 0.4879, 0.8156), ("kappa", 0.49, 0.8163)])
def test_a_weighted_disagreement(key: str, de: float, value: float) -> None:
    row = measured(THREE_ACTS, ["STAT", "IReq", "Chck"], weights=Distance(HALF_FOR_CHECK))[key]
    assert 1 - np.array([row.observed, row.expected]) == pytest.approx([0.09, de], abs=PRINTED)
    assert row.value == pytest.approx(value, abs=PRINTED)
