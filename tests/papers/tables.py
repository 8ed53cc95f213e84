"""Published tables as calls."""

from __future__ import annotations

from typing import Any

from accordant import AgreementTable, agreement
from golden.cases import contingency


def measured(table: list[list[int]], categories: Any = None, **options: Any) -> AgreementTable:
    """All coefficients of a two-coder table, rows are the first coder."""
    return agreement(contingency(table, categories), **options)


MARCHAL_2 = {
    "soft_match": ("soft-match", 0.79, 0.23, 0.73),
    "augmented": ("augmented κ", 0.51, 0.21, 0.38),
    "boot_match": ("boot-match", 0.79, 0.34, 0.68),
    "boot_recall": ("boot-recall", 0.55, 0.21, 0.43),
    "boot_precision": ("boot-precision", 0.76, 0.31, 0.65),
    "boot_f1": ("boot-F1", 0.62, 0.24, 0.50),
}
"""Marchal et al. (2022), Table 2: key, name in tables; observed, expected, adjusted as printed."""
