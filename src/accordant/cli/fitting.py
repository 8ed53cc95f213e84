"""As many columns of a table as fit beside each other: the least important ones go first."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..fields import cell
from ..views.document import Column, Table
from .tables import print_table
from .terminal import MARGIN

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["fitting", "left_out", "print_fitting"]

GAP = 2  # between columns where there are many
HEADING = 9  # characters in a line of a heading
LEAST_WORDS = 18  # characters of words beside which more columns may stand


def fitting(
    columns: Sequence[Column],
    rows: Sequence[Mapping[str, Any]],
    width: int | None,
    order: Sequence[Sequence[Column]],
    words: int = LEAST_WORDS,
) -> tuple[Column, ...]:
    """The columns for which there is room, in the order of the table.

    Parameters
    ----------
    columns : sequence of Column
        In the order of the table.
    rows : sequence of mapping
    width : int or None
        Characters of a line; None for any number.
    order : sequence of sequence of Column
        Columns that go, together, while the line is too long: the first ones first.
    words : int
        Characters of a column of words beside which more columns may stand.
    """
    kept = list(columns)
    for group in order:
        if width is None or _width(kept, rows, words) <= width - MARGIN:
            break
        kept = [column for column in kept if column not in group]
    return tuple(kept)


def left_out(
    wanted: Sequence[Column], shown_columns: Sequence[Column], where: str = "-f csv has all"
) -> list[str]:
    """A sentence about the columns for which there was no room."""
    lost = dict.fromkeys(c.heading for c in wanted if c not in shown_columns)
    return [f"no room for: {', '.join(lost)} ({where})"] if lost else []


def print_fitting(
    console: Console, table: Table, going: Sequence[Sequence[str]], words: int = LEAST_WORDS
) -> None:
    """Print a table without the columns for which there is no room, and say which these are.

    ``going`` are keys of columns that go together, the first ones first; ``words`` as in `fitting`.
    """
    order = [[c for c in table.columns if c.key in keys] for keys in going]
    columns = fitting(table.columns, table.rows, console.width, order, words)
    notes = (*table.notes, *left_out(table.columns, columns))
    print_table(console, replace(table, columns=columns, notes=notes))


def _width(columns: Sequence[Column], rows: Sequence[Mapping[str, Any]], words: int) -> int:
    """Characters that numbers take, with the least room for words."""
    from rich.cells import cell_len

    total = GAP * (len(columns) - 1)
    for column in columns:
        cells = [cell(column, row) for row in rows]
        if column.kind == "text":
            total += min(words, max(map(cell_len, [column.heading, *cells])))
        else:
            head = textwrap.wrap(column.heading, HEADING, break_long_words=False)
            total += max(map(cell_len, [*head, *cells]))
    return total
