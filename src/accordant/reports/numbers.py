"""How numbers are written for people: the one place where a report rounds."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from .document import Column

__all__ = ["NOTHING", "count_of", "decimal", "interval", "joined", "p_value", "percent", "shown"]

NOTHING = "—"
"""What stands where a number is undefined; a sentence below the table says why."""


def decimal(x: float | None, digits: int = 3) -> str:
    """A coefficient: three decimals, a real minus sign.

    Examples
    --------
    >>> decimal(0.68291), decimal(-0.0204), decimal(float("nan")), decimal(-0.00001)
    ('0.683', '−0.020', '—', '0.000')
    """
    if x is None or math.isnan(x):
        return NOTHING
    text = f"{x:.{digits}f}"
    if float(text) == 0:
        text = text.lstrip("-")
    return text.replace("-", "−")


def interval(low: float | None, high: float | None) -> str:
    """An interval: '[0.583, 0.783]'.

    Examples
    --------
    >>> interval(-0.0561, 1.0)
    '[−0.056, 1.000]'
    """
    if low is None or high is None or math.isnan(low) or math.isnan(high):
        return NOTHING
    return f"[{decimal(low)}, {decimal(high)}]"


def percent(x: float | None) -> str:
    r"""A share of a whole: '89.2 %', with a space that does not break.

    Examples
    --------
    >>> percent(0.8917)
    '89.2\xa0%'
    """
    if x is None or math.isnan(x):
        return NOTHING
    return f"{100 * x:.1f}\N{NO-BREAK SPACE}%"


def p_value(p: float | None) -> str:
    """A p-value: three decimals, small ones as '<0.001'."""
    if p is None or math.isnan(p):
        return NOTHING
    return "<0.001" if p < 0.0005 else decimal(p)


def count_of(n: float, one: str, many: str = "") -> str:
    """A number of things.

    Examples
    --------
    >>> count_of(1, "coder"), count_of(1200, "category", "categories")
    ('1 coder', '1,200 categories')
    """
    return f"{n:,.0f} {one if n == 1 else many or one + 's'}"


def joined(words: Iterable[str], last: str = "and", most: int = 8) -> str:
    """Words as a list in a sentence, cut after ``most``.

    Examples
    --------
    >>> joined(["a", "b", "c"]), joined("abcdefghijk", most=3)
    ('a, b and c', 'a, b, c and 8 more')
    """
    found = list(words)
    if len(found) > most:
        return f"{', '.join(found[:most])} and {len(found) - most:,} more"
    if len(found) < 2:
        return "".join(found)
    return f"{', '.join(found[:-1])} {last} {found[-1]}"


def shown(column: Column, row: Mapping[str, Any]) -> str:
    """The cell of a row as text, by the kind of its column."""
    x = row.get(column.key)
    if column.kind == "interval":
        low, high = x if x is not None else (None, None)
        return interval(low, high)
    if column.kind == "text":
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
