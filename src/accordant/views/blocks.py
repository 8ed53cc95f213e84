"""What a report is made of: blocks that know what they say, never how it looks."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias, get_args

from ..actions import Action
from ..fields import Field, columns, telling
from ..messages import Message
from ..numbers import decimal, joined, tied, tied_p
from ..results import Result

LITTLE = 0.01  # points of alpha: less is not told as a number
FEW_COLUMNS = 12  # of a matrix whose cells have room for two lines
MOST_NAMES = 10  # items that are listed by their names

Depth: TypeAlias = Literal["headline", "main", "detail", "evidence"]
"""Terminal and notebook show headline and main, pages fold what is deeper, print leaves it to
the appendix, JSON has everything."""
DEPTHS: tuple[Depth, ...] = get_args(Depth)

Column: TypeAlias = Field
Keys: TypeAlias = tuple[str | Field, ...]
"""Keys of columns between spaces, and columns whose headings come from the data."""


@dataclass(frozen=True)
class Table(Result):
    """Rows with the columns that a reader should see.

    Parameters
    ----------
    title : str
    columns : tuple of Column
        What is shown, in order. Rows may hold more: JSON has everything. Under ``opens`` a row
        maps columns to the keys of the items behind their cells, under ``spoken`` to what these
        are called.
    rows : tuple of dict
    notes : tuple of str
        Sentences below: why a cell is undefined, how many rows are not shown.
    depth : Depth
    keep : tuple of str
        Keys of the columns that stay where there is little room, the most important first; the
        others follow in their order.
    most : int
        How many rows a reader sees on a terminal; 0 for all.
    every : tuple of dict, optional
        What programs get, where that is more than a reader sees, or in another order.
    """

    title: str
    columns: tuple[Column, ...]
    rows: tuple[Mapping[str, Any], ...]
    notes: tuple[str, ...] = ()
    depth: Depth = "main"
    keep: tuple[str, ...] = ()
    most: int = 0
    every: tuple[Mapping[str, Any], ...] | None = None

    @classmethod
    def of(
        cls,
        keys: str | Iterable[str | Column],
        rows: Iterable[Mapping[str, Any]],
        notes: Iterable[str] = (),
        *,
        title: str = "",
        by: str = "",
        keep: str = "",
        called: Mapping[str, str] | None = None,
        **more: Any,
    ) -> Table:
        """A table by the keys of its `columns`; those with a star stay where there is little room.

        Parameters
        ----------
        keys : str or iterable of (str or Column)
        rows : iterable of mapping
        notes : iterable of str
            Those that are empty are left out.
        by : str
            Key by which the rows are ordered, undefined ones last; with a minus before it the
            highest comes first.
        keep : str
            Keys that stay where there is little room, instead of stars.
        called : mapping
            Headings of some keys that differ from those of their fields.
        """
        found = tuple(rows)
        if by:
            sign, key = (-1, by[1:]) if by.startswith("-") else (1, by)
            order = tied_p if key == "p_value" else tied
            found = tuple(sorted(found, key=lambda r: (math.isnan(r[key]), sign * order(r[key]))))
        parts = (keys,) if isinstance(keys, str) else keys
        each = [k for part in parts for k in (part.split() if isinstance(part, str) else (part,))]
        shown = telling(
            (
                column
                for k in each
                for column in (
                    columns(k.rstrip("*"), found, **(called or {})) if isinstance(k, str) else (k,)
                )
            ),
            found,
        )
        return cls(
            title,
            shown,
            found,
            tuple(filter(None, notes)),
            keep=tuple(keep.split())
            or tuple(k.rstrip("*?") for k in each if isinstance(k, str) and k.endswith("*")),
            **more,
        )

    def to_rows(self) -> list[dict[str, Any]]:
        """The rows, unrounded."""
        return [dict(row) for row in (self.rows if self.every is None else self.every)]


@dataclass(frozen=True)
class Chart:
    """A Vega-Lite definition whose title states the finding, with the table that it draws.

    A title that only reads what the table shows at a glance stands where the chart is drawn, and
    is ``drawn_only``: text shows the table alone.
    """

    title: str
    definition: Mapping[str, Any] = field(repr=False)
    table: Table
    drawn_only: bool = False

    @property
    def depth(self) -> Depth:
        """That of its table."""
        return self.table.depth

    @property
    def notes(self) -> tuple[str, ...]:
        """Those of its table."""
        return self.table.notes


@dataclass(frozen=True)
class Cell:
    """One cell of a matrix.

    ``level`` 0–10 is how strongly it is shaded, ``kind`` whether it stands for agreement or
    for disagreement, ``items`` the items behind it, or their key once a page keeps them, ``small``
    what is said below in small print, such as the share of the row.
    """

    shown: str
    value: float
    level: int = 0
    kind: Literal["agree", "differ", "plain"] = "plain"
    items: Any = None
    spoken: str = ""
    small: str = ""


@dataclass(frozen=True)
class Matrix(Result):
    """A table with two sides: coder × coder, or the labels of one coder by those of another.

    ``totals`` are those of the rows, of the columns and of all, as text. ``rows`` are what
    programs get where that is more than a row for each cell, ``fields`` their columns. ``second``
    says what stands in small print in the cells, where there is room for it.
    """

    title: str
    rows_are: str
    columns_are: str
    row_names: tuple[str, ...]
    column_names: tuple[str, ...]
    cells: tuple[tuple[Cell, ...], ...]
    totals: tuple[tuple[str, ...], tuple[str, ...], str] | None = None
    notes: tuple[str, ...] = ()
    depth: Depth = "main"
    rows: tuple[Mapping[str, Any], ...] = field(default=(), repr=False)
    fields: tuple[Field, ...] = ()
    second: str = ""

    @property
    def opens(self) -> bool:
        """Whether there are items behind a cell."""
        return any(isinstance(cell.items, str) for line in self.cells for cell in line)

    @property
    def wide(self) -> bool:
        """Whether cells have room for one number only."""
        return len(self.column_names) > FEW_COLUMNS

    @property
    def told(self) -> tuple[str, ...]:
        """What is said below, with what the second numbers are where there are any."""
        told = self.second and not self.wide
        return (*self.notes, *[f"Second number of a cell: {self.second}."] * bool(told))

    def text(self, cell: Cell) -> str:
        """A cell in plain text, with what stands in small print in brackets."""
        return f"{cell.shown} ({cell.small})" if cell.small and not self.wide else cell.shown

    def to_rows(self) -> list[dict[str, Any]]:
        """The rows, unrounded."""
        return [dict(row) for row in self.rows] if self.rows else self._cell_rows()

    def as_table(self) -> Table:
        """The rows as a table, for formats and lines that have no room for two sides."""
        return Table(self.title, self.fields, tuple(self.to_rows()), self.notes, self.depth)

    def _cell_rows(self) -> list[dict[str, Any]]:
        return [
            {"row": name, "column": other, "value": cell.value}
            for name, line in zip(self.row_names, self.cells, strict=True)
            for other, cell in zip(self.column_names, line, strict=True)
        ]


@dataclass(frozen=True)
class Prose:
    """Sentences, under a title where they have one, with facts and next steps.

    Parameters
    ----------
    text : str
        Paragraphs, with an empty line between two.
    title, label : str
        What stands above it, and below the title in small print.
    key : str
        Its anchor on a page.
    facts : tuple of (str, str)
        Short facts, each with its name.
    do : tuple of Action
        Next steps, as commands or calls.
    """

    text: str = ""
    depth: Depth = "main"
    title: str = ""
    label: str = ""
    key: str = ""
    facts: tuple[tuple[str, str], ...] = ()
    do: tuple[Action, ...] = ()

    @property
    def paragraphs(self) -> tuple[str, ...]:
        """Each paragraph of the text."""
        return tuple(filter(None, self.text.split("\n\n")))


@dataclass(frozen=True)
class Items:
    """Items to read: under which key they are kept, what they are called in words, their names.

    Before a page keeps them the key says how they are looked up, see `cell_items`. The ``first`` of
    them, as (name, text, who said what), are for formats in which nothing opens.
    """

    key: Any
    spoken: str
    names: tuple[str, ...]
    first: tuple[tuple[str, str, str], ...] = ()

    @property
    def listed(self) -> str:
        """The first few names, for those who cannot open them."""
        return joined(self.names, most=MOST_NAMES)


@dataclass(frozen=True)
class Finding:
    """Something a reader must know: what is so, on what evidence, and what to do about it.

    ``about`` holds (name, sentence), one for each question that shows it; the name is empty where
    there is only one. Why coders disagree says more: ``stake``, how many points of alpha are at
    stake; ``to_do``, what is done first; the ``items`` that show it; ``blocks``, what was seen.
    """

    title: str
    about: tuple[tuple[str, str], ...]
    advice: str = ""
    severity: Literal["problem", "warning", "note"] = "note"
    sources: tuple[str, ...] = ()
    stake: float = math.nan
    to_do: str = ""
    items: Items | None = None
    blocks: tuple[Any, ...] = ()
    do: tuple[Action, ...] = ()
    depth: Depth = "main"

    @property
    def at_stake(self) -> str:
        """What resolving it would bring, in words; empty for what is not about disagreements."""
        if not self.stake > 0:
            return ""
        amount = f"about {decimal(self.stake, 2)}" if self.stake >= LITTLE else "less than 0.01"
        return f"resolving what exceeds random errors would raise α by {amount}"


@dataclass(frozen=True)
class Quotation:
    """Text to copy: a paragraph for a paper, a bibliography, a call."""

    text: str
    verbatim: bool = False
    title: str = ""
    depth: Depth = "main"


@dataclass(frozen=True)
class References:
    """The literature: (key, reference as a reader writes it, link or '')."""

    entries: tuple[tuple[str, str, str], ...]
    depth: Depth = "main"


@dataclass(frozen=True)
class Fold:
    """Blocks under a title that start folded on a screen."""

    title: str
    blocks: tuple[Any, ...]
    depth: Depth = "detail"


@dataclass(frozen=True)
class Choice:
    """The same blocks for each of several things: on screen one at a time, in print all."""

    label: str
    options: tuple[tuple[str, tuple[Any, ...]], ...]
    depth: Depth = "main"


@dataclass(frozen=True)
class Figure:
    """A number that stands large at the top, with what it is and what it rests on."""

    label: str
    large: str
    small: str


State: TypeAlias = Literal["meets", "undecided", "misses", "undefined"]


@dataclass(frozen=True)
class Lane:
    """A coefficient on a scale: where it lies, with its interval, and what follows from that.

    ``word`` says the state, ``reason`` the rest in a few words; ``probability`` is that of the
    nearest threshold ``open_at``; ``alternative`` marks another reading of the same labels.
    """

    name: str
    value: float
    low: float
    high: float
    state: State
    word: str
    reason: str = ""
    open_at: float = math.nan
    probability: float = math.nan
    alternative: bool = False


@dataclass(frozen=True)
class Verdicts:
    """Coefficients against the thresholds of a published scale, a lane each.

    ``thresholds`` are (value, word of the scale), the lowest first; ``table`` holds the same for
    formats without drawings.
    """

    title: str
    symbol: str
    thresholds: tuple[tuple[float, str], ...]
    lanes: tuple[Lane, ...]
    table: Table
    depth: Depth = "headline"

    @property
    def lowest(self) -> float:
        """Where the axis begins: 0, or lower if an interval is."""
        ends = [x for lane in self.lanes for x in (lane.low, lane.value) if not math.isnan(x)]
        return min([0.0, *(math.floor(10 * x) / 10 for x in ends)])


@dataclass(frozen=True)
class Step:
    """Something to do next: what, what it changes, why, and how.

    ``now`` and ``then`` are values of a coefficient, ``effect`` says which and whether the second
    one is computed or a bound; both are NaN where no figure belongs to the step.
    """

    title: str
    reason: str
    action: Action
    now: float = math.nan
    then: float = math.nan
    effect: str = ""


def effect_of(step: Step) -> str:
    """What a step changes, in words; empty where no figure belongs to it."""
    if math.isnan(step.now) or math.isnan(step.then):
        return ""
    return f"{decimal(step.now)} → {decimal(step.then)} ({step.effect})"


@dataclass(frozen=True)
class Steps:
    """What to do next, the most useful first."""

    steps: tuple[Step, ...]
    note: str = ""
    depth: Depth = "headline"


def told(message: Message) -> Finding:
    """A message as a reader meets it."""
    return Finding(message.title, (("", message.text),), severity=message.severity, do=message.do)


def entry(
    key: str, title: str, label: str, paragraphs: Iterable[str], depth: Depth = "main"
) -> Prose:
    """One of many things of a kind, each with a paragraph or more: a case, a version, a person."""
    return Prose("\n\n".join(paragraphs), depth, title, label, key)


Block: TypeAlias = (
    Table
    | Chart
    | Matrix
    | Prose
    | Finding
    | Quotation
    | References
    | Fold
    | Choice
    | Verdicts
    | Steps
)


def renamed(row: Mapping[str, Any], **keys: str) -> dict[str, Any]:
    """A row with other keys, given by the keys that it has."""
    return {keys.get(key, key): x for key, x in row.items()}


def changed(block: Block, **own: Any) -> Block:
    """The block with other properties; of a chart those of its table."""
    if isinstance(block, Chart):
        return replace(block, table=replace(block.table, **own))
    return replace(block, **own)


def inside(block: Block, change: Callable[[tuple[Block, ...]], Iterable[Block]]) -> Block:
    """The block with what stands in it changed: in a fold, a finding, each of several choices."""
    if isinstance(block, Choice):
        options = tuple((name, tuple(change(blocks))) for name, blocks in block.options)
        return replace(block, options=options)
    if isinstance(block, Fold | Finding):
        return replace(block, blocks=tuple(change(block.blocks)))
    return block
