"""Names and numbers in a sentence of the procedure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

MOST = 5  # names that a sentence lists
T = TypeVar("T")


def counted(n: int, one: str, many: str = "") -> str:
    """A number of things.

    Examples
    --------
    >>> counted(1, "item"), counted(100000, "item"), counted(2, "has", "have")
    ('1 item', '100,000 items', '2 have')
    """
    return f"{n:,} {one if n == 1 else many or one + 's'}"


def listing(
    names: Iterable[T],
    most: int = MOST,
    *,
    named: Callable[[T], object] = str,
    join: str = "",
) -> str:
    """Names in a sentence, the first few of many.

    Parameters
    ----------
    names : iterable
    most : int
    named : callable
        Gives the name of each; called for those that are shown only.
    join : str
        Between names that have commas themselves.

    Examples
    --------
    >>> listing(["A1", "A2", "A3"]), listing(["A1"]), listing(range(9), most=2), listing([])
    ('A1, A2 and A3', 'A1', '0, 1 and 7 more', 'none')
    """
    every = list(names)
    shown = [str(named(name)) for name in every[:most]]
    if join:
        return join.join([*shown, *([f"and {len(every) - most:,} more"] * (len(every) > most))])
    if len(every) > most:
        return f"{', '.join(shown)} and {len(every) - most:,} more"
    if len(shown) < 2:
        return shown[0] if shown else "none"
    return f"{', '.join(shown[:-1])} and {shown[-1]}"


def ranges(numbers: Sequence[int], most: int = 6) -> str:
    """Numbers in order, with ranges for those that follow each other.

    Examples
    --------
    >>> ranges((1, 2, 3, 7, 9, 10))
    '1-3, 7, 9-10'
    """
    found: list[list[int]] = []
    for n in sorted(numbers):
        if found and n == found[-1][1] + 1:
            found[-1][1] = n
        else:
            found.append([n, n])
    shown = [f"{a}-{b}" if b > a else str(a) for a, b in found[:most]]
    return ", ".join([*shown, *(["…"] if len(found) > most else [])])


def deviation_text(code: str, text: str) -> str:
    """A deviation in a sentence: what kind it is, unless a person has stated it.

    Examples
    --------
    >>> deviation_text("stated", "two coders shared an office")
    'two coders shared an office'
    """
    return text or code if code in ("stated", text) or not text else f"{code}: {text}"


def percentage(share: float) -> str:
    r"""A share as a percentage, with a space that does not break.

    Examples
    --------
    >>> percentage(0.891)
    '89.1\xa0%'
    """
    return f"{100 * share:.1f}\N{NO-BREAK SPACE}%"
