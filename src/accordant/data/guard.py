"""Text that a spreadsheet would take for a formula: guarded in delimited files by an apostrophe.

OWASP, *CSV Injection*: cells that begin with ``= + - @``, a tab or a carriage return.
"""

from __future__ import annotations

import re
from dataclasses import replace

from .labels import is_number
from .table import Column, Table, as_words

__all__ = ["guarded", "unguarded"]

_FORMULA = re.compile(r"'*[=+\-@\t\r]")
_GUARDED = re.compile(r"''*[=+\-@\t\r]")


def guarded(text: str) -> str:
    """A text as a spreadsheet shows it and never computes it; numbers are as they were.

    Examples
    --------
    >>> guarded("=1+1"), guarded("-5"), guarded("'=a"), guarded("a-b")
    ("'=1+1", '-5', "''=a", 'a-b')
    """
    return f"'{text}" if _FORMULA.match(text) and not is_number(text) else text


def _plain(text: str) -> str:
    return text[1:] if _GUARDED.match(text) else text


def unguarded(table: Table) -> Table:
    """A table of a delimited file with its cells as they were before they were guarded.

    Examples
    --------
    >>> from accordant.data.table import encode
    >>> unguarded(Table("a.csv", (encode("'=x", ["'=1", "it's", "'quoted'"]),))).columns[0].text
    ['=1', "it's", "'quoted'"]
    """
    if not any(_GUARDED.match(w) for c in table.columns for w in (c.name, *c.text)):
        return table
    return replace(table, columns=tuple(map(_column, table.columns)))


def _column(column: Column) -> Column:
    cells = as_words(column.words)
    words = column.words if column.numeric else tuple(
        _plain(w) if isinstance(w, str) else w for w in cells
    )  # fmt: skip
    return replace(column, name=_plain(column.name), words=words)
