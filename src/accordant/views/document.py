"""A document: sections of blocks, the same for every output format.

Blocks stand in `blocks`; the renderers in `render` show them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from .._version import __version__
from ..errors import RequestError
from ..results import Result
from .blocks import (
    DEPTHS,
    Block,
    Chart,
    Choice,
    Depth,
    Figure,
    Finding,
    Fold,
    Matrix,
    Prose,
    Table,
    Verdicts,
)

if TYPE_CHECKING:
    from ..diagnosis.agreement_table import AgreementTable


@dataclass(frozen=True)
class Section:
    """One part of what is told: ``lead`` states what was found, ``blocks`` show it.

    Of a section that lies deeper than a format goes, title and lead are shown.
    """

    key: str
    title: str
    lead: str
    blocks: tuple[Block, ...] = ()
    depth: Depth = "main"

    @property
    def table(self) -> Table | Matrix | None:
        """What programs get: its first table."""
        return next((b for b in self.every_block() if isinstance(b, Table | Matrix)), None)

    def shown(self, depth: Depth) -> tuple[Block, ...]:
        """The blocks that a format shows which goes so deep."""
        return tuple(visible(self.blocks, depth)) if _reaches(depth, self.depth) else ()

    def every_block(self) -> Iterator[Block]:
        """All blocks, those inside others too."""
        yield from _flat(self.blocks)

    @property
    def reach(self) -> Depth:
        """How deep a reader has to go, beyond what lies on top, to see more than words."""
        told = [b.depth for b in self.every_block() if not isinstance(b, Choice | Prose)]
        return max("main", min(told, key=DEPTHS.index, default="main"), key=DEPTHS.index)


def visible(blocks: Sequence[Block], depth: Depth) -> Iterator[Block]:
    """The blocks that do not lie deeper."""
    return (block for block in blocks if _reaches(depth, block.depth))


def _reaches(depth: Depth, lies: Depth) -> bool:
    return DEPTHS.index(lies) <= DEPTHS.index(depth)


def _flat(blocks: Sequence[Block]) -> Iterator[Block]:
    for block in blocks:
        yield block
        if isinstance(block, Chart | Verdicts):
            yield block.table
        elif isinstance(block, Fold | Finding):
            yield from _flat(block.blocks)
        elif isinstance(block, Choice):
            for _, inside in block.options:
                yield from _flat(inside)


@dataclass(frozen=True)
class CellItems:
    """Items, each once, and for each cell how many it has and which of them are here.

    ``entries`` holds (item, question or None, text or None, ((coder or None, value), …)), the
    last four as positions in the tuples of words; ``cells`` maps a key to (number of items,
    positions of entries).
    """

    coders: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    entries: tuple[tuple[Any, ...], ...] = ()
    cells: dict[str, tuple[int, tuple[int, ...]]] = field(default_factory=dict)

    def to_plain(self) -> dict[str, Any]:
        """In types that JSON knows."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


@dataclass(frozen=True, eq=False, repr=False)
class Document(Result):
    """Everything that a report says; the renderers turn it into a file.

    ``to_json()`` holds every section with its rows, unrounded; ``str()`` is the first page for a
    terminal.

    Parameters
    ----------
    title, overline : str
    verdict : tuple of str
        The answer in plain words.
    figures : tuple of Figure
        The few numbers that stand large.
    sections : tuple of Section
        Chapters; on a page of a report they start folded.
    evidence : CellItems
        The items behind the cells of the contingency tables.
    table : AgreementTable
        The coefficients.
    """

    title: str
    overline: str
    verdict: tuple[str, ...]
    figures: tuple[Figure, ...]
    sections: tuple[Section, ...]
    evidence: CellItems
    table: AgreementTable
    version: str = __version__
    basis: tuple[str, ...] = ()
    """The name of the data, numbers of items, coders, annotations."""
    opening: tuple[Section, ...] = ()
    endings: ClassVar[tuple[str, ...]] = (".html", ".pdf", ".md", ".tex", ".json")
    """By the ending of the file name."""
    contents: ClassVar[bool] = False  # whether a list of sections stands at the top on paper too

    @property
    def signature(self) -> str:
        """The call, the data and the version."""
        return self.table.signature

    def printed(self, *, full: bool) -> tuple[Section, ...]:
        """The chapters as paper shows them, all of them only where it is to be ``full``."""
        return self.sections

    @property
    def facts(self) -> dict[str, Any]:
        """What programs get besides."""
        return {"fingerprint": self.table.data.fingerprint}

    def to_rows(self) -> list[dict[str, Any]]:
        """The rows of the table of coefficients."""
        return self.table.to_rows()

    def summary(self) -> str:
        """The first page as text, for a terminal."""
        return str(self)

    def to_json(self, *, indent: int | None = 1) -> str:
        """Everything that it says, with unrounded rows; NaN becomes null."""
        return Result.shown_as(self, "json")

    def save(self, path: str | os.PathLike[str], *, full: bool = False) -> Path:
        """Write the document; the name says the format.

        Parameters
        ----------
        path : path
            Ends in ``.html``, ``.pdf``, ``.md``, ``.tex`` or ``.json``.
        full : bool
            Whether PDF, Markdown and LaTeX hold the details too, which a page folds.

        Returns
        -------
        Path
            Where it was written. An older file is replaced only when the new one is complete.

        Raises
        ------
        RequestError
            If the ending is unknown or the file cannot be written.
        """
        return Result.saved_as(self, Path(path), full)

    def __getitem__(self, key: str) -> Section:
        """A section by its key, such as ``"agreement"``."""
        for section in self.sections:
            if section.key == key:
                return section
        have = ", ".join(s.key for s in self.sections)
        raise RequestError(f"the report has no section {key!r}: it has {have}")
