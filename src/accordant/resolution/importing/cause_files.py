"""Causes and consensus from files, in any format that annotations are read from."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

from ...data.annotations import Annotations
from ...data.formats.files import tables_of
from ...data.names import CONSENSUS, consensus_like, role_of, tidy
from ...data.options import make
from ...data.table import Table
from ...errors import InputError, RequestError
from ..records import Answer
from .first_round import Cell, KnownCase, answer_of, name_of

__all__ = ["CASE_COLUMNS", "file_digest", "read_cases", "read_consensus"]

CASE_COLUMNS: dict[str, tuple[str, ...]] = {
    "item": ("item",),
    "question": ("question",),
    "cause": ("cause", "causeletter", "type", "reasonofdisagreement"),
    "coder": ("coder", "annotator", "inconsistentcoder"),
    "others": ("others", "otheritems", "otheritem"),
    "concept": ("concept", "keyconcept"),
    "element": ("element", "toolboxelement", "cites"),
    "text": ("text", "discussion", "resolution", "note"),
}
"""What is known of a case, and how columns that hold it are called (case does not matter)."""
_NOBODY = {"neither", "none", "nobody", "no one", "both", "-"}


def file_digest(path: str | Path) -> str:
    """SHA-256 of a file (64 hexadecimal digits)."""
    with Path(path).open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _table(path: str | Path) -> Table:
    """The only table of a file."""
    path = Path(path)
    if not path.exists():
        raise InputError("there is no such file", file=str(path))
    found = tables_of(path, make({}))
    if len(found) != 1:
        raise InputError("this is no single table with a header", file=path.name)
    return found[0]


def _rows(table: Table, names: list[str]) -> Iterator[tuple[str, ...]]:
    """The cells of some columns as text, blank ones empty."""
    columns = [table[name] for name in names]
    cells = []
    for column in columns:
        words = [*column.text, ""]  # −1, a blank, is the last one
        cells.append([words[code] for code in column.codes.tolist()])
    return zip(*cells, strict=True)


def _column(table: Table, role: str, fits: tuple[str, ...] = ()) -> str | None:
    """The column that plays a role, by its name."""
    if role in ("item", "question"):
        return next((name for name in table.names if role_of(name) == role), None)
    return next((name for name in table.names if tidy(name) in fits), None)


def _needed(table: Table, role: str) -> str:
    column = _column(table, role)
    if column is None:
        names = ", ".join(table.names)
        raise RequestError(f"{table.source}: no column is called {role!r}: there are {names}")
    return column


def read_cases(path: Path, data: Annotations) -> tuple[tuple[KnownCase, ...], str]:
    """What a file says about disagreements, a row for each; and which columns were read.

    Raises
    ------
    RequestError
        If no column says which item and question a row is about.
    InputError
        If the file cannot be read, or a cell has two rows.
    """
    table, only = _table(path), dict[str, str]()
    if len(data.questions) == 1:
        only = {"question": name_of(data.questions[0])}
    roles: dict[str, str] = {}
    for role, fits in CASE_COLUMNS.items():
        needed = role == "item" or (role == "question" and not only)
        if (name := _needed(table, role) if needed else _column(table, role, fits)) is not None:
            roles[role] = name
    cases: dict[Cell, KnownCase] = {}
    for number, row in enumerate(_rows(table, list(roles.values()))):
        cells = {**only, **dict(zip(roles, row, strict=True))}
        others = tuple(o.strip() for o in cells.pop("others", "").split(";") if o.strip())
        if cells.get("coder", "").strip().casefold() in _NOBODY:
            cells["coder"] = ""
        case = KnownCase(others=others, **cells)
        if case.cell in cases:
            said = f"item {case.item!r} has a second row for question {case.question!r}"
            raise InputError(said, file=table.source, row=table.row(number))
        cases[case.cell] = case
    each = ", ".join(f"{role} = {name}" for role, name in roles.items())
    return tuple(cases.values()), f"read {path.name} ({each})"


def read_consensus(path: Path, data: Annotations) -> dict[Cell, Answer]:
    """The consensus that a file has: what coders agreed on, or what stands as gold.

    A row for each item (and question); several labels in a cell are parted by semicolons where a
    question allows them; blank cells are absent.

    Raises
    ------
    RequestError
        If it cannot be told which column is the consensus.
    InputError
        If an item has two answers to a question.
    """
    table = _table(path)
    fits = [name for name in table.names if consensus_like(name)]
    exact = [name for name in fits if tidy(name) in CONSENSUS[:1]]
    if len(exact or fits) != 1:
        names = ", ".join(table.names)
        raise RequestError(f"{table.source}: which column is the consensus? One of {names}")
    by_answer = (exact or fits)[0]
    several = {
        name_of(q): s.max_labels != 1 for q, s in zip(data.questions, data.schemes, strict=True)
    }
    if len(several) == 1 and _column(table, "question") is None:
        rows = (
            (i, next(iter(several)), a)
            for i, a in _rows(table, [_needed(table, "item"), by_answer])
        )
    else:
        names_ = [_needed(table, "item"), _needed(table, "question"), by_answer]
        rows = ((i, q, a) for i, q, a in _rows(table, names_))
    found: dict[Cell, Answer] = {}
    for number, (i, q, a) in enumerate(rows):
        if not a.strip():
            continue
        parts = tuple(p.strip() for p in a.split(";") if p.strip())
        answer = answer_of(parts if several.get(q) else a.strip())
        if found.setdefault((i, q), answer) != answer:
            said = f"item {i!r} has two different answers to {q!r}"
            row = table.row(number)
            raise InputError(said, file=table.source, row=row, column=by_answer)
    return found
