"""How numbers are written for people: the one place that rounds.

Findings, tables, reports and the command line use the same words for the same number, so that a
reader finds it again.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, TypeVar

NOTHING = "—"
"""What stands where a number is undefined; a sentence below the table says why."""

TIED, ESTIMATED = 12, 6
"""Decimals by which values are put in order: those that were computed, and those to which an
estimate has converged."""

X = TypeVar("X")


def tied(x: X, decimals: int = TIED) -> X:
    """A number, or an array of them, as it is put in order.

    Values that are equal but for the last digits of a processor's sums are equal: what is shown
    stays in the order of the data, or of what comes next in a key, on every machine.

    Examples
    --------
    >>> sorted([("b", 0.3), ("a", 0.1 + 0.2)], key=lambda pair: tied(pair[1]))
    [('b', 0.3), ('a', 0.30000000000000004)]
    """
    number: Any = x
    found: X = number.round(decimals) if hasattr(x, "round") else round(number, decimals)
    return found


def tied_p(p: float) -> float:
    """A p-value as it is put in order: the smallest ones differ by factors, not by decimals.

    Examples
    --------
    >>> tied_p(1e-20) < tied_p(1e-15) == tied_p(1e-15 * (1 + 1e-14))
    True
    """
    return -math.inf if p == 0 else tied(math.log(p))


def decimal(x: float | None, digits: int = 3) -> str:
    """A coefficient: three decimals, a real minus sign.

    Examples
    --------
    >>> decimal(0.68291), decimal(-0.0204), decimal(float("nan")), decimal(-0.00001)
    ('0.683', '−0.020', '—', '0.000')
    """
    if x is None or math.isnan(x):
        return NOTHING
    text = f"{x:,.{digits}f}"
    if float(text.replace(",", "")) == 0:
        text = text.lstrip("-")
    return text.replace("-", "−")


def interval(low: float | None, high: float | None) -> str:
    """An interval: '[0.583, 0.783]'.

    Examples
    --------
    >>> interval(-0.0561, 1.0), interval(float("nan"), 1.0)
    ('[−0.056, 1.000]', '—')
    """
    if low is None or high is None or math.isnan(low) or math.isnan(high):
        return NOTHING
    return f"[{decimal(low)}, {decimal(high)}]"


def percent(x: float | None, digits: int = 1) -> str:
    r"""A share of a whole: '89.2 %', with a space that does not break.

    Examples
    --------
    >>> percent(0.8917), percent(0.8917, 0)
    ('89.2\xa0%', '89\xa0%')
    """
    if x is None or math.isnan(x):
        return NOTHING
    return f"{decimal(100 * x, digits)}\N{NO-BREAK SPACE}%"


def level_text(level: float) -> str:
    r"""A confidence level, with as many digits as it has.

    Examples
    --------
    >>> level_text(0.95), level_text(0.999)
    ('95\xa0%', '99.9\xa0%')
    """
    return f"{100 * level:.4g}\N{NO-BREAK SPACE}%"


def points(x: float) -> str:
    """A difference of two shares, in percentage points with its sign.

    Examples
    --------
    >>> points(0.1234), points(-0.05)
    ('+12.3', '−5.0')
    """
    return f"{100 * x:+.1f}".replace("-", "−")


def p_value(p: float | None) -> str:
    """A p-value: three decimals, small ones as '< 0.001'.

    Examples
    --------
    >>> p_value(0.0123), p_value(1e-20)
    ('0.012', '< 0.001')
    """
    if p is None or math.isnan(p):
        return NOTHING
    return "< 0.001" if p < 0.001 else decimal(p)


def p_text(p: float, least: float = 0.0) -> str:
    """A p-value in a sentence; the ``least`` that so many draws can show is only a bound.

    Examples
    --------
    >>> p_text(0.0123), p_text(1e-20), p_text(0.005, least=0.005)
    ('p = 0.012', 'p < 0.001', 'p ≤ 0.005')
    """
    text = p_value(p)
    return f"p {text}" if text.startswith("<") else f"p {'≤' if p <= least else '='} {text}"


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
