"""What a report is made of: sections of blocks, the same for every output format.

A block knows what it says, never how it looks. Every renderer (`html`, `markdown`, `latex`,
`typeset`, `text`) handles the same few kinds of blocks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from ..measure.results import Rows

__all__ = [
    "Block", "Cell", "Chart", "Choice", "Column", "Figure", "Finding", "Kind", "Matrix", "Pairs",
    "Prose", "Quotation", "References", "Section", "Table",
]  # fmt: skip

Kind: TypeAlias = Literal["text", "value", "interval", "share", "bar", "count", "p", "bits"]
"""How a column is read: a number with three decimals, a share of a whole, a number of things …"""


@dataclass(frozen=True)
class Column:
    """One column of a table: the key in the rows, its heading, how its cells are read."""

    key: str
    heading: str
    kind: Kind = "text"
    help: str = ""


@dataclass(frozen=True)
class Table(Rows):
    """Rows with the columns that a reader should see.

    Parameters
    ----------
    title : str
    columns : tuple of Column
        What is shown, in order. Rows may hold more: JSON has everything.
    rows : tuple of dict
    notes : tuple of str
        Sentences below: why a cell is undefined, how many rows are not shown.
    folded : bool
        Whether it may start folded, because the same is said above in another way.
    """

    title: str
    columns: tuple[Column, ...]
    rows: tuple[Mapping[str, Any], ...]
    notes: tuple[str, ...] = ()
    folded: bool = False

    def to_rows(self) -> list[dict[str, Any]]:
        """The rows, unrounded."""
        return [dict(row) for row in self.rows]


@dataclass(frozen=True)
class Chart:
    """A Vega-Lite definition whose title states the finding, with the table that it draws."""

    title: str
    definition: Mapping[str, Any] = field(repr=False)
    table: Table


@dataclass(frozen=True)
class Cell:
    """One cell of a matrix.

    ``level`` 0–10 is how strongly it is shaded, ``kind`` whether it stands for agreement or
    for disagreement, ``items`` the key of the items behind it.
    """

    shown: str
    value: float
    level: int = 0
    kind: Literal["agree", "differ", "plain"] = "plain"
    items: str | None = None
    spoken: str = ""


@dataclass(frozen=True)
class Matrix(Rows):
    """A table with two sides: coder × coder, or the labels of one coder by those of another.

    ``totals`` are those of the rows, of the columns and of all, as text.
    """

    title: str
    rows_are: str
    columns_are: str
    row_names: tuple[str, ...]
    column_names: tuple[str, ...]
    cells: tuple[tuple[Cell, ...], ...]
    totals: tuple[tuple[str, ...], tuple[str, ...], str] | None = None
    notes: tuple[str, ...] = ()

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each cell."""
        return [
            {"row": name, "column": other, "value": cell.value}
            for name, line in zip(self.row_names, self.cells, strict=True)
            for other, cell in zip(self.column_names, line, strict=True)
        ]


@dataclass(frozen=True)
class Pairs:
    """Short facts, each with its name: (name, fact)."""

    pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Prose:
    """Plain sentences."""

    text: str


@dataclass(frozen=True)
class Finding:
    """Something a reader must know: what is so, on what evidence, and what to do about it."""

    title: str
    sentence: str
    advice: str = ""
    severity: Literal["problem", "warning", "note"] = "note"
    sources: tuple[str, ...] = ()


@dataclass(frozen=True)
class Quotation:
    """Text to copy: a paragraph for a paper, a bibliography, a call."""

    text: str
    verbatim: bool = False
    title: str = ""


@dataclass(frozen=True)
class References:
    """The literature: (key, reference as a reader writes it, link or '')."""

    entries: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True)
class Choice:
    """The same blocks for each of several things: on screen one at a time, in print all."""

    label: str
    options: tuple[tuple[str, tuple[Any, ...]], ...]


Block: TypeAlias = (
    Table | Chart | Matrix | Pairs | Prose | Finding | Quotation | References | Choice
)


@dataclass(frozen=True)
class Figure:
    """A number that stands large at the top, with what it is and what it rests on."""

    label: str
    large: str
    small: str


@dataclass(frozen=True)
class Section:
    """One part of the report: ``lead`` states what was found, ``blocks`` show it."""

    key: str
    title: str
    lead: str
    blocks: tuple[Block, ...] = ()

    def every_block(self) -> Iterator[Block]:
        """All blocks, those inside choices too."""
        yield from _flat(self.blocks)


def _flat(blocks: Sequence[Block]) -> Iterator[Block]:
    for block in blocks:
        yield block
        if isinstance(block, Choice):
            for _, inside in block.options:
                yield from _flat(inside)
