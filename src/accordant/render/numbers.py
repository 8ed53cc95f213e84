"""The cells of a table as text, by the kind of their column."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from ..numbers import NOTHING, decimal, interval, p_value, percent
from ..views.document import Column

__all__ = ["shown"]


def shown(column: Column, row: Mapping[str, Any]) -> str:
    """The cell of a row; empty where the row has nothing of the kind, such as a row of means."""
    if column.key not in row:
        return ""
    x = row[column.key]
    if column.kind == "interval":
        low, high = x if x is not None else (None, None)
        return interval(low, high)
    if column.kind == "text" or isinstance(x, str):  # a number may come with a mark
        return "" if x is None else str(x)
    if x is None or (isinstance(x, float) and math.isnan(x)):
        return NOTHING
    if column.kind == "count":
        return f"{x:,.0f}"
    if column.kind in ("share", "bar"):
        return percent(x)
    if column.kind == "p":
        return p_value(x)
    return decimal(x, 2 if column.kind == "bits" else 3)
