"""A view tells one table of one result; the registry of views feeds reports and the command line.

A view is a function from one part of a result (one question, or all pooled) to blocks. Its first
table holds the rows that programs get; its order, headings and digits are the same in every format.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from importlib.resources import files
from typing import Any, ClassVar, TypeVar

from ..errors import unknown
from ..fields import FIELDS
from .document import Block, Chart, Choice, Prose, Section, Table

__all__ = ["POOLED", "View", "named", "names", "view", "views_of"]

F = TypeVar("F", bound=Callable[..., Iterable[Block]])
LAST = 1000.0


POOLED = "All questions together"


@dataclass(frozen=True)
class View:
    """One thing that is told of a kind of result.

    Parameters
    ----------
    name : str
        What users ask for: ``--show NAME``, and the key of the section.
    of : str
        The kind of result: ``"agreement"``, ``"diagnose"`` …, the call that makes it.
    title : str
        Heading of the section.
    make : callable
        (part, **options) → blocks.
    chapter : str
        Key of the chapter of the report that holds it; empty if none does.
    place : float
        Where it stands among the views of its kind and in its chapter.
    help : str
        What it shows, for the help of the command line.
    """

    name: str
    of: str
    title: str
    make: Callable[..., Iterable[Block]]
    chapter: str = ""
    place: float = LAST
    help: str = ""
    DETAIL: ClassVar[float] = 100.0
    """Views from this place on are shown only to those who ask for them by name."""

    def section(self, parts: Iterable[Any], **options: Any) -> Section:
        """The section of a result: its blocks, for each of several questions."""
        each = [(_about(part), tuple(self.make(part, **options))) for part in parts]
        told = tuple((question or POOLED, blocks) for question, blocks in each if blocks)
        if len(each) == 1 or [question for question, _ in told] == [POOLED]:
            return Section(self.name, self.title, "", told[0][1] if told else ())
        return Section(self.name, self.title, "", tuple(_side_by_side(told)))

    def rows(self, parts: Iterable[Any], **options: Any) -> list[dict[str, Any]]:
        """What programs get: the rows of the first table of every part, with the same keys."""
        rows = [
            ({"question": part.question} if hasattr(part, "question") else {}) | row
            for part in parts
            for row in first_rows(self.make(part, **options))
        ]
        keys = dict.fromkeys(key for row in rows for key in row)
        return [{key: row.get(key) for key in keys} for row in rows]

    def table(self, parts: Iterable[Any], **options: Any) -> Table:
        """The first table of every part as one, for formats that hold one table."""
        found = [(p, t) for p in parts for t in _tables(self.make(p, **options))]
        columns = tuple(dict.fromkeys(c for _, t in found for c in t.columns))
        several = len({_about(part) for part, _ in found}) > 1
        first = (FIELDS["question"],) if several and FIELDS["question"] not in columns else ()
        rows = tuple(
            {"question": _about(p) or POOLED} | dict(row) for p, t in found for row in t.rows
        )
        notes = tuple(dict.fromkeys(note for _, t in found for note in t.notes))
        return Table(self.title, (*first, *columns), rows, notes)


def _about(part: Any) -> str | None:
    """The question of a part; None for all together, or what is about no question."""
    return getattr(part, "question", None)


def _side_by_side(told: tuple[tuple[str, tuple[Block, ...]], ...]) -> Iterator[Block]:
    """The blocks of each question, and once below them the notes that all tables share."""
    tables = [next(_tables(blocks), None) for _, blocks in told]
    notes = [set(table.notes) for table in tables if table is not None]
    shared = set.intersection(*notes) if len(notes) == len(told) and notes else set()
    if told:
        yield Choice("Question", tuple((t, tuple(_without(shared, b))) for t, b in told))
    first = next((table for table in tables if table is not None), None)
    if shared and first is not None:
        yield Prose(" ".join(note for note in first.notes if note in shared))


def _without(shared: set[str], blocks: Iterable[Block]) -> Iterator[Block]:
    for block in blocks:
        if isinstance(block, Chart):
            table = next(_without(shared, (block.table,)))
            yield replace(block, table=table) if isinstance(table, Table) else block
        elif isinstance(block, Table):
            yield replace(block, notes=tuple(n for n in block.notes if n not in shared))
        else:
            yield block


def first_rows(blocks: Iterable[Block]) -> list[dict[str, Any]]:
    """The rows of the first table or matrix among blocks."""
    found = Section("", "", "", tuple(blocks)).table
    return [] if found is None else found.to_rows()


def _tables(blocks: Iterable[Block]) -> Iterator[Table]:
    for block in blocks:
        if isinstance(block, Table):
            yield block
            return
        if isinstance(block, Chart):
            yield block.table
            return


VIEWS: dict[tuple[str, str], View] = {}


def view(
    name: str, *, of: str, title: str, chapter: str = "", place: float = LAST, help: str = ""
) -> Callable[[F], F]:
    """Register a function as a view; name, kind and help must be literals.

    They are read without importing the module, so that a help text costs no statistics.
    """

    def register(make: F) -> F:
        VIEWS[of, name] = View(name, of, title, make, chapter, place, help)
        return make

    return register


_DEFINED = re.compile(
    r'^@view\(\s*"(?P<name>[^"]+)",\s*of="(?P<of>[^"]+)"(?P<rest>.*?)\)(?:  #[^\n]*)?\ndef ',
    re.M | re.S,
)
_HELP = re.compile(r'help="([^"]*)"')
_PLACE = re.compile(r"place=([\d.]+)")


@cache
def _defined() -> tuple[tuple[str, str, str, float, str], ...]:
    """(kind, name, module, place, help) of every view, read from the sources."""
    found = []
    for path in files(__package__).iterdir():
        if not path.name.endswith(".py"):
            continue
        for at in _DEFINED.finditer(path.read_text(encoding="utf-8")):
            place, told = _PLACE.search(at["rest"]), _HELP.search(at["rest"])
            found.append((
                at["of"], at["name"], path.name[:-3], float(place[1]) if place else LAST,
                told[1] if told else "",
            ))  # fmt: skip
    return tuple(sorted(found, key=lambda x: (x[0], x[3], x[1])))


def names(of: str) -> dict[str, str]:
    """The names of the views of a kind of result, each with its help; nothing is imported."""
    return {name: told for kind, name, _, _, told in _defined() if kind == of}


def views_of(of: str) -> tuple[View, ...]:
    """The views of a kind of result, in their order."""
    for kind, _, module, _, _ in _defined():
        if kind == of:
            import_module(f"{__package__}.{module}")
    found = [v for (kind, _), v in VIEWS.items() if kind == of]
    return tuple(sorted(found, key=lambda v: (v.place, v.name)))


def named(of: str, name: str) -> View:
    """The view of a name.

    Raises
    ------
    RequestError
        If there is none.
    """
    for kind, known, module, _, _ in _defined():
        if (kind, known) == (of, name):
            import_module(f"{__package__}.{module}")
            return VIEWS[of, name]
    raise unknown("table", name, names(of), have="there are")
