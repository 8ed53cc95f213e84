"""Tables for people: calm, aligned, three decimals, every undefined number explained below."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from ..report.document import Column, Table
from ..report.numbers import shown

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["print_table", "sentences"]

TEXT = ("text",)


def print_table(console: Console, table: Table, *, group: str = "", total: str = "") -> None:
    """Print a table; with ``group`` its rows stand under headings, one for each value of it.

    Parameters
    ----------
    group : str
        Key of the column whose values become headings.
    total : str
        Heading of the rows that have no value there.
    """
    from rich import box
    from rich.table import Table as Grid

    columns = [c for c in table.columns if c.key != group]
    grid = Grid(box=box.SIMPLE_HEAD, pad_edge=False, header_style="dim", border_style="dim")
    for column in columns:
        left = column.kind in TEXT
        grid.add_column(
            column.heading, justify="left" if left else "right", no_wrap=not left, overflow="fold"
        )
    for name, rows in groupby(table.rows, lambda row: row.get(group) if group else None):
        if group:
            grid.add_row(str(name or total), style="bold")
        for row in rows:
            grid.add_row(*_cells(columns, row, indent="  " if group else ""))
        if group:
            grid.add_section()
    console.print(grid)
    sentences(console, table.notes)


def _cells(columns: Sequence[Column], row: Mapping[str, Any], indent: str) -> list[str]:
    first, *rest = (shown(column, row) for column in columns)
    return [indent + first, *rest]


def sentences(console: Console, lines: Iterable[str], style: str = "") -> None:
    """Sentences below a table, one paragraph each."""
    from rich.padding import Padding
    from rich.text import Text

    for line in lines:
        console.print(Padding(Text(line, style=style), (0, 0, 0, 2)))
