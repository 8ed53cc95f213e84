"""The items behind the cells: who said what about which text, as far as a file can hold it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..diagnosis.item_agreement import ItemAgreement, NamedItem
from ..messages import label_text
from ..numbers import count_of
from .blocks import Block, Cell, Chart, Finding, Matrix, Table, changed, inside
from .blocks import Items as Reading
from .coefficient_names import cut
from .document import CellItems, Section

MOST_OF_CELL = 12  # items that one cell can open
MOST_OF_TABLE = 100  # items that all cells of one table open together, but at least 5 each
MOST_CHARACTERS = 1_500  # of a text
Ints = NDArray[np.integer[Any]]


@dataclass(frozen=True, eq=False)
class These:
    """Items of which only the first are kept; where they are may be looked up as late as then."""

    found: ItemAgreement
    at: Ints | Callable[[], Ints]

    def positions(self, most: int) -> tuple[int, Ints]:
        """How many items there are, and the first of them in the order of the data."""
        at = self.at() if callable(self.at) else self.at
        return len(at), at[:most]


class Collector:
    """Gathers evidence while the sections are built."""

    def __init__(self) -> None:
        self._words: dict[str, dict[str, int]] = {
            name: {} for name in ("coders", "questions", "values", "texts")
        }
        self._entries: dict[tuple[Any, str | None], int] = {}
        self._places: dict[tuple[int, int], int] = {}
        self._sources: dict[int, ItemAgreement] = {}  # kept, so that no other one gets their number
        self._rows: list[tuple[Any, ...]] = []
        self._cells: dict[str, tuple[int, tuple[int, ...]]] = {}

    def add(self, these: These, most: int) -> tuple[str, int]:
        """Keep the first of some items; returns the key of the cell and how many there are."""
        key, source = f"c{len(self._cells)}", id(these.found)
        total, positions = these.positions(most)
        self._sources[source] = these.found
        places = [(source, int(position)) for position in positions]
        new = [place for place in places if place not in self._places]
        named = these.found.named(np.array([position for _, position in new], np.int64))
        for place, item in zip(new, named, strict=True):
            self._places[place] = self._entry(item)
        self._cells[key] = (total, tuple(self._places[place] for place in places))
        return key, total

    def evidence(self) -> CellItems:
        """What was gathered."""
        words = {name: tuple(found) for name, found in self._words.items()}
        return CellItems(**words, entries=tuple(self._rows), cells=dict(self._cells))

    def _entry(self, item: NamedItem) -> int:
        name = (item.item, item.question)
        if name not in self._entries:
            self._entries[name] = len(self._rows)
            self._rows.append(
                (
                    str(item.item),
                    self._word("questions", item.question),
                    self._word("texts", item.text and cut(str(item.text), MOST_CHARACTERS)),
                    tuple(
                        (self._word("coders", coder), self._word("values", label_text(value)))
                        for coder, value in item.labels
                    ),
                )
            )
        return self._entries[name]

    def _word(self, kind: str, word: str | None) -> int | None:
        if word is None:
            return None
        return self._words[kind].setdefault(word, len(self._words[kind]))


def allowance(n_cells: int) -> int:
    """How many items each of a table's cells may keep."""
    return max(5, min(MOST_OF_CELL, MOST_OF_TABLE // max(n_cells, 1)))


def gathered(section: Section, kept: Collector) -> Section:
    """The section with the items behind its matrices kept, so that a reader can open them."""
    return replace(section, blocks=tuple(_block(block, kept) for block in section.blocks))


def _block(block: Block, kept: Collector) -> Block:
    match block:
        case Matrix():
            return _matrix(block, kept)
        case Table() | Chart():
            table = block.table if isinstance(block, Chart) else block
            return changed(block, rows=tuple(_row(row, table, kept) for row in table.rows))
        case Finding():
            block = replace(block, items=_read(block.items, kept))
    return inside(block, lambda blocks: (_block(one, kept) for one in blocks))


def _row(row: Mapping[str, Any], table: Table, kept: Collector) -> Mapping[str, Any]:
    """The items behind the numbers of a row; programs get the row without them."""
    if "opens" not in row:
        return row
    if table.depth == "evidence":
        return {key: x for key, x in row.items() if key not in ("opens", "spoken")}
    most = allowance(len(table.rows))
    return {**row, "opens": {key: kept.add(these, most)[0] for key, these in row["opens"].items()}}


def _read(items: Reading | None, kept: Collector) -> Reading | None:
    if items is None or not isinstance(items.key, These):
        return items
    key, total = kept.add(items.key, MOST_OF_CELL)
    return replace(items, key=key, spoken=f"{items.spoken}: {count_of(total, 'item')}")


def _matrix(matrix: Matrix, kept: Collector) -> Matrix:
    n_cells = sum(isinstance(cell.items, These) for line in matrix.cells for cell in line)
    most = allowance(n_cells)
    cells = tuple(tuple(_cell(cell, most, kept) for cell in line) for line in matrix.cells)
    return replace(matrix, cells=cells)


def _cell(cell: Cell, most: int, kept: Collector) -> Cell:
    if not isinstance(cell.items, These):
        return cell
    key, total = kept.add(cell.items, most)
    return replace(cell, items=key, spoken=f"{cell.spoken}: {count_of(total, 'item')}")
