"""Sections on a terminal: calm, aligned tables, every undefined number explained below.

A narrow terminal shows fewer columns: those that a view keeps go first, and the line below names
the columns that are hidden.
"""

from __future__ import annotations

import io
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ..actions import Action
from ..fields import Field, cell, telling
from ..numbers import count_of
from ..views.blocks import (
    Block,
    Chart,
    Choice,
    Depth,
    Finding,
    Fold,
    Matrix,
    Prose,
    Quotation,
    References,
    Steps,
    Table,
    Verdicts,
    effect_of,
)
from ..views.document import Section, visible

if TYPE_CHECKING:
    from rich.console import Console, RenderableType


WIDTH = 88  # characters in a line where nobody looks
MARGIN = 2  # characters before a line
GAPS = (3, 2)  # between columns: the second where the first does not fit
HEADINGS = (20, 9)  # characters in a line of a heading: the second where the first does not fit
NARROW = 12  # a column of words is never made narrower than this
WORDS = 24  # characters of a column of words beside which more columns may stand
MOST = 20  # rows of a table


@dataclass(frozen=True)
class Terminal:
    """How actions are spelled (for a ``shell``, or as it fits), how deep to go, how many rows."""

    shell: bool = False
    depth: Depth = "main"
    most: int | None = MOST

    def spelled(self, action: Action) -> str:
        """A next step as it is typed."""
        return action.shell() if self.shell else action.typed()


def text(sections: Iterable[Section], *, width: int = WIDTH, how: Terminal | None = None) -> str:
    """Sections as plain text, without white space at the ends of lines."""
    from rich.console import Console

    page = io.StringIO()
    console = Console(file=page, width=width, highlight=False, markup=False, emoji=False)
    print_sections(console, sections, how or Terminal())
    return "\n".join(line.rstrip() for line in page.getvalue().splitlines()).strip("\n")


def print_sections(console: Console, sections: Iterable[Section], how: Terminal) -> None:
    """Print sections, each under its title."""
    for section in sections:
        if not section.lead and not _tells(section.blocks, how.depth):
            continue
        if section.title or section.lead:  # else the first block leaves a line
            console.print()
        if section.title:
            _print(console, section.title, style="bold")
        if section.lead:
            _print(console, section.lead)
        _print_blocks(console, section.blocks, how)


def _tells(blocks: Sequence[Block], depth: Depth) -> bool:
    """Whether any block lies within reach."""
    return any(
        not isinstance(block, Choice) or any(_tells(inside, depth) for _, inside in block.options)
        for block in visible(blocks, depth)
    )


def _print_blocks(console: Console, blocks: Sequence[Block], how: Terminal) -> None:
    for block in visible(blocks, how.depth):
        _print_block(console, block, how)


def _print_block(console: Console, block: Block, how: Terminal) -> None:
    match block:
        case Table():
            console.print()
            _print_table(console, block, how)
        case Chart():
            console.print()
            if not block.drawn_only:
                _print(console, block.title)
            _print_table(console, block.table, how)
        case Matrix():
            console.print()
            _print_matrix(console, block)
        case Choice():
            for name, inside in block.options:
                if told := tuple(visible(inside, how.depth)):
                    console.print()
                    _print(console, name, style="bold")
                    _print_blocks(console, told, how)
        case Fold():
            console.print()
            _print(console, block.title, style="bold")
            _print_blocks(console, block.blocks, how)
        case Finding():
            console.print()
            _print_finding(console, block, how)
        case Verdicts():
            console.print()
            _print(console, block.title)
            _print_table(console, block.table, how)
        case Steps():
            _print_steps(console, block, how)
        case _:
            console.print()
            for line, style in _lines(block):
                _print(console, line, style=style)
            if isinstance(block, Prose):
                _print_actions(console, block.do, how)


def _lines(block: Block) -> Iterator[tuple[str, str]]:
    """What is only words: (line, style)."""
    match block:
        case Prose():
            yield from ([(block.title, "bold")] if block.title else [])
            yield from ([(block.label, "dim")] if block.label else [])
            yield from ((paragraph, "") for paragraph in block.paragraphs)
            yield from ((f"{name}: {fact}", "") for name, fact in block.facts)
        case Quotation():
            yield from ([(block.title, "bold")] if block.title else [])
            yield block.text, ""
        case References():
            yield from ((f"{told} {link}".rstrip(), "") for _, told, link in block.entries)


def _print_finding(console: Console, finding: Finding, how: Terminal) -> None:
    stake = f" ({finding.at_stake})" if finding.at_stake else ""
    _print(console, f"{finding.severity.capitalize()}: {finding.title}{stake}", style="bold")
    for name, sentence in finding.about:
        _print(console, f"{name}: {sentence}" if len(finding.about) > 1 else sentence)
    if finding.advice:
        _print(console, f"→ {finding.advice}")
    _print_actions(console, finding.do, how)
    _print_blocks(console, finding.blocks, how)
    if finding.items is not None:
        for name, read, said in finding.items.first:
            _print(console, f"· {name}: {read}" if read else f"· {name}")
            _print(console, f"  {said}", style="dim")
        _print(console, f"Items to read: {finding.items.listed}", style="dim")


def _print_steps(console: Console, block: Steps, how: Terminal) -> None:
    for number, step in enumerate(block.steps, start=1):
        console.print()
        effect = effect_of(step)
        _print(console, f"{number}. {step.title}{f': {effect}' if effect else ''}")
        _print(console, step.reason, style="dim")
        _print_actions(console, (step.action,), how)
    if block.note:
        console.print()
        _print(console, block.note, style="dim")


def _print_actions(console: Console, actions: Iterable[Action], how: Terminal) -> None:
    """Each on a line of its own that can be copied."""
    from rich.text import Text

    for action in actions:
        why = f"# {action.why}: " if action.why else ""
        line = f"{'':{MARGIN}}{why}{how.spelled(action)}"
        console.print(Text(line, style="cyan"), soft_wrap=True)


# ------------------------------------------------------------------ tables


def _print_table(console: Console, table: Table, how: Terminal) -> None:
    most = table.most or how.most
    rows = table.rows[:most]
    if table.title:
        _print(console, table.title, style="bold")
    if not rows:
        _print_notes(console, table.notes or ("Nothing to show.",))
        return
    room = console.width - MARGIN
    table = replace(table, columns=telling(table.columns, rows))
    kept = _fitting(table, rows, room)
    hidden = [
        f"interval of {before.heading}" if c.heading == "interval" else c.heading
        for before, c in zip(table.columns, table.columns[1:], strict=False)
        if c not in kept
    ]
    _print_grid(console, kept, _cells(kept, rows), room)
    left = len(table.rows) - len(rows)
    _print_notes(
        console,
        (
            *table.notes,
            *(
                [f"columns hidden at this width: {', '.join(dict.fromkeys(hidden))}"]
                if hidden
                else []
            ),
            *([f"and {count_of(left, 'more row')}"] if left else []),
        ),
    )


def _print_notes(console: Console, notes: Iterable[str]) -> None:
    for note in notes:
        _print(console, note, style="dim")


def _cells(kept: Sequence[Field], rows: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    cells = [[cell(column, row) for column in kept] for row in rows]
    if kept[0].key == "question" and len(kept) > 1:
        above = ["", *(line[0] for line in cells)]
        cells = [
            ["" if line[0] == before else line[0], *line[1:]]
            for line, before in zip(cells, above, strict=False)
        ]
    return cells


def _fitting(table: Table, rows: Sequence[Mapping[str, Any]], room: int) -> list[Field]:
    """The columns for which there is room, the most important first, in the order of the table."""
    rank = {key: place for place, key in enumerate(table.keep)}
    order = sorted(table.columns, key=lambda c: rank.get(c.key, len(rank)))
    chosen: list[Field] = []
    used = 0
    for column in order:
        wide = _least(column, rows) + (GAPS[-1] if chosen else 0)
        beside = not column.of or any(c.key == column.of for c in chosen)
        if not chosen or (beside and used + wide <= room):
            chosen.append(column)
            used += wide
    return [column for column in table.columns if column in chosen]


def _least(column: Field, rows: Sequence[Mapping[str, Any]]) -> int:
    """The least room of a column: of numbers all, of words some."""
    from rich.cells import cell_len

    head = textwrap.wrap(column.heading, HEADINGS[-1], break_long_words=False)
    widest = max(map(cell_len, [*head, *(cell(column, row) for row in rows)]), default=0)
    return min(widest, WORDS) if column.kind in ("text", "list") else widest


def _print_grid(
    console: Console, kept: Sequence[Field], cells: Sequence[Sequence[str]], room: int
) -> None:
    right = [c.kind not in ("text", "list") for c in kept]
    for longest in HEADINGS:
        head = [textwrap.fill(c.heading, longest, break_long_words=False) for c in kept]
        natural = _widest([head, *cells])
        if sum(natural) + GAPS[-1] * (len(natural) - 1) <= room:
            break
    widths, gap = _fitted(natural, right, room)
    _print(console, _grid([head], widths, gap, right, style="dim"))
    _print(console, "─" * (sum(widths) + gap * (len(widths) - 1)), style="dim")
    _print(console, _grid(cells, widths, gap, right))


def _print_matrix(console: Console, matrix: Matrix) -> None:
    """As a grid where it fits, else a line for each cell, disagreements first."""
    right, below, corner = matrix.totals or ((), (), "")
    head = [f"{matrix.rows_are} ↓ {matrix.columns_are} →", *matrix.column_names]
    if right:
        head.append("all")
    if matrix.title:
        _print(console, matrix.title, style="bold")
    notes = matrix.told
    for written in (matrix.text, lambda inside: inside.shown):
        lines = [
            [name, *map(written, cells), *right[k : k + 1]]
            for k, (name, cells) in enumerate(zip(matrix.row_names, matrix.cells, strict=True))
        ]
        if right:
            lines.append(["all", *below, corner])
        widths = _widest([head, *lines])
        if sum(widths) + GAPS[-1] * (len(widths) - 1) <= console.width - MARGIN:
            break
        notes = matrix.notes  # there is no room for second numbers
    else:
        head = [matrix.rows_are, matrix.columns_are, ""]
        each = [
            (inside, [name, other, matrix.text(inside)])
            for name, cells in zip(matrix.row_names, matrix.cells, strict=True)
            for other, inside in zip(matrix.column_names, cells, strict=True)
            if inside.value > 0
        ]
        each.sort(key=lambda x: (x[0].kind == "agree", -x[0].value))
        lines = [line for _, line in each[:MOST]]
        widths, notes = _widest([head, *lines]), matrix.told
    numbers = [False, *[True] * (len(head) - 1)] if head[-1] else [False, False, True]
    _print(console, _grid([head], widths, GAPS[-1], numbers, style="dim"))
    _print(console, "─" * (sum(widths) + GAPS[-1] * (len(widths) - 1)), style="dim")
    _print(console, _grid(lines, widths, GAPS[-1], numbers))
    _print_notes(console, notes)


# ------------------------------------------------------------------ laying out


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

    def width(text: str) -> int:
        return max(map(cell_len, text.split("\n")))

    return [max(map(width, column)) for column in zip(*rows, strict=True)]


def _fitted(widths: list[int], right: Sequence[bool], room: int) -> tuple[list[int], int]:
    """Columns of words give way until the line fits; numbers are never broken."""

    def too_much(gap: int) -> int:
        return sum(widths) + gap * (len(widths) - 1) - room

    gap = next((gap for gap in GAPS if too_much(gap) <= 0), GAPS[-1])
    most = max((w for w, number in zip(widths, right, strict=True) if not number), default=0)
    while too_much(gap) > 0 and most > NARROW:
        most -= 1
        widths = [w if number else min(w, most) for w, number in zip(widths, right, strict=True)]
    return widths, gap
