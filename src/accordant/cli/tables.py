"""Tables on a terminal: calm, aligned, three decimals, every undefined number explained below."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from ..fields import cell
from ..views.document import Table
from .terminal import MARGIN

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

__all__ = ["print_list", "print_sentences", "print_signature", "print_table"]

GAPS = (3, 2)  # between columns: the second where the first does not fit
HEADINGS = (20, 9)  # characters in a line of a heading: the second where the first does not fit
NARROW = 12  # a column of words is never made narrower than this


def print_table(console: Console, table: Table, *, group: str = "", unnamed: str = "") -> None:
    """Print a table; with ``group`` its rows stand under headings, one for each value of it.

    Parameters
    ----------
    group : str
        Key of the column whose values become headings.
    unnamed : str
        The value whose heading is itself, e.g. that of pooled rows.
    """
    columns = [c for c in table.columns if c.key != group]
    grouped = len(columns) < len(table.columns)
    right = [c.kind != "text" for c in columns]
    cells = [[cell(c, row) for c in columns] for row in table.rows]
    if not grouped and columns[0].key == "question":
        cells = _said_once(cells)
    room = console.width - MARGIN
    for longest in HEADINGS:
        head = [_in_lines(c.heading, longest) for c in columns]
        widths, gap = _fitted(_widest([head, *cells]), right, room)
        if sum(widths) + gap * (len(widths) - 1) <= room:
            break
    line = sum(widths) + gap * (len(widths) - 1)

    _print(console, _grid([head], widths, gap, right, style="dim"))
    _print(console, "─" * line, style="dim")
    heads = [row.get(group) if grouped else None for row in table.rows]
    for name, block in groupby(zip(heads, cells, strict=True), lambda pair: pair[0]):
        if grouped:
            _print(console, name if name == unnamed else f"{group} {name}", style="bold")
        _print(console, _grid([row for _, row in block], widths, gap, right))
        if grouped:
            console.print()
    if not grouped:
        console.print()
    print_sentences(console, table.notes)


def print_sentences(console: Console, lines: Iterable[str], style: str = "") -> None:
    """Sentences with the margin of a table, wrapped."""
    for line in lines:
        _print(console, line, style=style)


def print_signature(console: Console, signature: str) -> None:
    """What others need to repeat the numbers, on one line so that it can be copied."""
    from rich.text import Text

    console.print(Text(f"{'':{MARGIN}}{signature}", style="dim"), soft_wrap=True)


def print_list(console: Console, lines: Iterable[str]) -> None:
    """Sentences, each with a mark where it begins."""
    for line in lines:
        _print(console, _marked(line))


def _marked(line: str) -> RenderableType:
    from rich.table import Table as Grid

    grid = Grid.grid(padding=(0, 1, 0, 0))
    grid.add_row("·", line)
    return grid


def _in_lines(heading: str, longest: int) -> str:
    """A long heading in several lines."""
    return textwrap.fill(heading, longest, break_long_words=False)


def _said_once(cells: list[list[str]]) -> list[list[str]]:
    """Without the first cell where it only repeats the one above."""
    above = ["", *(row[0] for row in cells)]
    return [
        ["" if row[0] == before else row[0], *row[1:]]
        for row, before in zip(cells, above, strict=False)
    ]


def _grid(
    rows: Sequence[Sequence[str]],
    widths: Sequence[int],
    gap: int,
    right: Sequence[bool],
    style: str = "",
) -> RenderableType:
    from rich.table import Table as Grid

    grid = Grid.grid(padding=(0, gap, 0, 0))
    for size, numbers in zip(widths, right, strict=True):
        grid.add_column(
            justify="right" if numbers else "left", width=size, overflow="fold", style=style
        )
    for row in rows:
        grid.add_row(*row)
    return grid


def _print(console: Console, what: RenderableType, style: str = "") -> None:
    from rich.padding import Padding

    console.print(Padding(what, (0, 0, 0, MARGIN)), style=style or None)


def _widest(rows: Sequence[Sequence[str]]) -> list[int]:
    """The width of each column: of the longest line of a cell."""
    from rich.cells import cell_len

    def width(cell: str) -> int:
        return max(map(cell_len, cell.split("\n")))

    return [max(map(width, column)) for column in zip(*rows, strict=True)]


def _fitted(widths: list[int], right: Sequence[bool], room: int) -> tuple[list[int], int]:
    """Columns of words give way until the line fits; numbers are never broken."""

    def too_much(gap: int) -> int:
        return sum(widths) + gap * (len(widths) - 1) - room

    gap = next((gap for gap in GAPS if too_much(gap) <= 0), GAPS[-1])
    words = sorted((w, k) for k, w in enumerate(widths) if not right[k])
    for width, k in reversed(words):
        widths[k] -= max(0, min(too_much(gap), width - NARROW))
    return widths, gap
