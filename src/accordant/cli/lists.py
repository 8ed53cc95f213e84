"""Lists in one word of the command line: comma-separated, quoted where a value has a comma."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

__all__ = ["as_listed", "listed"]


def listed(text: str) -> list[str]:
    """'a, b,c' as a list; a value in double quotes may hold a comma.

    Examples
    --------
    >>> listed("low, mid,high")
    ['low', 'mid', 'high']
    >>> listed('"yes, partly",no')
    ['yes, partly', 'no']
    """
    words = next(csv.reader([text], skipinitialspace=True), [])
    return [word.strip() for word in words if word.strip()]


def as_listed(words: Iterable[str]) -> str:
    """The words as `listed` reads them.

    Examples
    --------
    >>> print(as_listed(["yes, partly", "no"]))
    "yes, partly",no
    """
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(words)
    return line.getvalue()
