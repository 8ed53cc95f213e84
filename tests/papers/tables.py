"""Published tables as calls."""

from __future__ import annotations

from typing import Any

from accordant import AgreementTable, agreement
from golden.cases import contingency


def measured(table: list[list[int]], categories: Any = None, **options: Any) -> AgreementTable:
    """All coefficients of a two-coder table, rows are the first coder."""
    return agreement(contingency(table, categories), **options)
