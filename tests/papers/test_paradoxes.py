"""High agreement, low kappa: Feinstein & Cicchetti (1990), Byrt et al. (1993), Gwet (2002)."""

from __future__ import annotations

import pytest

from papers.tables import measured

TWO_DIGITS = 0.5e-2 + 1e-9
FOUR_DIGITS = 0.5e-4 + 1e-9


@pytest.mark.parametrize(
    "table, observed, kappa",
    [
        ([[40, 9], [6, 45]], 0.85, 0.70),
        ([[80, 10], [5, 5]], 0.85, 0.32),
        ([[45, 15], [25, 15]], 0.60, 0.13),
        ([[25, 35], [5, 35]], 0.60, 0.26),
    ],
    ids=["balanced", "paradox 1: skewed", "symmetric imbalance", "paradox 2: asymmetric"],
)
def test_feinstein_cicchetti_1990(table: list[list[int]], observed: float, kappa: float) -> None:
    row = measured(table)["kappa"]
    assert (row.observed, row.value) == pytest.approx((observed, kappa), abs=TWO_DIGITS)


def test_gwet_2002() -> None:
    """125 subjects, 118 agreed positive: AC1 .9408, kappa -.0234, pi -.0288, 2 A_o - 1 = .888."""
    rows = measured([[118, 5], [2, 0]])
    found = [rows[k].value for k in ("ac1", "kappa", "pi", "pabak")]
    assert found == pytest.approx([0.9408, -0.0234, -0.0288, 0.888], abs=FOUR_DIGITS)


@pytest.mark.parametrize("table", [[[40, 9], [6, 45]], [[80, 10], [5, 5]], [[118, 5], [2, 0]]])
def test_byrt_bishop_carlin_1993(table: list[list[int]]) -> None:
    """kappa = (PABAK - PI^2 + BI^2) / (1 - PI^2 + BI^2), with their indices of prevalence and bias."""
    rows = measured(table)
    n = sum(map(sum, table))
    prevalence, bias = (table[0][0] - table[1][1]) / n, (table[0][1] - table[1][0]) / n
    pabak = rows["pabak"].value
    assert pabak == pytest.approx(2 * rows["percent"].value - 1, abs=1e-12)
    kappa = (pabak - prevalence**2 + bias**2) / (1 - prevalence**2 + bias**2)
    assert rows["kappa"].value == pytest.approx(kappa, abs=1e-12)
