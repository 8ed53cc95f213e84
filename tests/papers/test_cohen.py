"""Cohen (1960), A coefficient of agreement for nominal scales; Cohen (1968), weighted kappa."""

from __future__ import annotations

import pytest

from accordant import Distance
from papers.tables import measured

TWO_JUDGES = [[88, 14, 18], [10, 40, 10], [2, 6, 12]]  # proportions of p. 45 times 200
PRINTED = 0.5e-3 + 1e-9


def test_1960_page_45() -> None:
    row = measured(TWO_JUDGES)["kappa"]
    assert (row.observed, row.expected, row.value) == pytest.approx((0.7, 0.41, 0.492), abs=PRINTED)


@pytest.mark.parametrize(
    "disagreement, value",
    [
        ([[0, 1, 3], [1, 0, 6], [3, 6, 0]], 0.348),
        ([[0, 1, 4], [1, 0, 6], [2, 2, 0]], 0.353),  # not symmetric: rows are the first coder
    ],
    ids=["symmetric", "directed"],
)
def test_1968_weighted(disagreement: list[list[int]], value: float) -> None:
    row = measured(TWO_JUDGES, weights=Distance(disagreement))["kappa"]
    assert row.value == pytest.approx(value, abs=PRINTED)


def test_directed_weights_know_first_from_second() -> None:
    """The same weights turned round give another value: a mean of both would not."""
    turned = [list(c) for c in zip([0, 1, 4], [1, 0, 6], [2, 2, 0], strict=True)]
    row = measured(TWO_JUDGES, weights=Distance(turned))["kappa"]
    assert abs(row.value - 0.353) > 0.01
