"""Tables that platforms export: their columns by name, and which of them are answers."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

from ...actions import Action, Notice
from ...errors import InputError
from .. import evidence
from ..annotations import Status
from ..names import label_like, personal
from ..options import Options
from ..table import BLANK, Column, encode
from .answers import source_of
from .cells import cells_of
from .format import File
from .header import unique_names
from .import_report import Import
from .records import Label, Records

__all__ = ["Export", "answer", "items_by", "read_table", "told", "varying"]

_ESCAPED = re.compile(r"\\u([0-9a-fA-F]{4})")
_BROKEN = "rows with more or fewer cells than the header"


@dataclass(frozen=True)
class Export:
    """Columns of N cells of text, '' where blank; ``lines`` and ``files`` say where rows are from.

    Rows that hold nothing are not in it; ``broken`` counts those that do not fit the header.
    """

    columns: dict[str, list[str]]
    lines: list[int]
    files: list[File]
    broken: int = 0

    def __len__(self) -> int:
        return len(self.lines)

    def get(self, *names: str) -> list[str] | None:
        """The first of some columns that is there, whatever its case."""
        known = {n.casefold(): c for n, c in self.columns.items()}
        return next((known[n.casefold()] for n in names if n.casefold() in known), None)

    def column(self, name: str) -> Column:
        """A column as codes."""
        return encode(name, self.columns[name])

    def where(self, keep: Callable[[int], bool]) -> Export:
        """Some of the rows."""
        at = [k for k in range(len(self)) if keep(k)]
        columns = {n: [c[k] for k in at] for n, c in self.columns.items()}
        return replace(
            self,
            columns=columns,
            lines=[self.lines[k] for k in at],
            files=[self.files[k] for k in at],
        )

    def cells(self, *names: str) -> list[str]:
        """The first of some columns that is there, or blanks."""
        return self.get(*names) or [""] * len(self)

    def statuses(self, name: str, meant: Mapping[str, Status]) -> list[Status]:
        """What the cells of a column mean, whatever their case; answered where they say nothing."""
        return [meant.get(cell.casefold(), Status.ANSWERED) for cell in self.cells(name)]

    @classmethod
    def of(cls, files: Sequence[File], options: Options) -> Export:
        """The rows of delimited texts, workbooks and JSON, those of several files in one table."""
        columns: dict[str, list[str]] = {}
        lines: list[int] = []
        sources: list[File] = []
        broken = 0
        for file in files:
            names, rows = _rows(file, options)
            for name in names:
                columns.setdefault(name, [""] * len(lines))
            for line, record in rows:
                more = any(c.strip() for c in record[len(names) :])
                if more or (len(record) < len(names) and len(record) < 2):
                    broken += 1
                    continue
                cells = dict(zip_longest(names, record[: len(names)], fillvalue=""))
                for name, column in columns.items():
                    column.append(cells.get(name, "").strip())
                lines.append(line)
                sources.append(file)
        return cls(columns, lines, sources, broken)


def _rows(file: File, options: Options) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """The names of the columns, and the cells of each row; of JSON as texts."""
    if file.head[:1] in "[{":
        found = [(n, r) for n, r in file.records(options) if isinstance(r, dict)]
        keys = list(dict.fromkeys(k for _, r in found for k in r))
        return list(map(str, keys)), [(n, [_text(r.get(k)) for k in keys]) for n, r in found]
    records, lines = cells_of(file.load(), file.source, options)
    rows = [(n, r) for n, r in zip(lines, records, strict=True) if any(c.strip() for c in r)]
    return (unique_names(rows[0][1], True)[0], rows[1:]) if rows else ([], [])


def _text(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def read_table(
    layout: str,
    takes: Callable[[File], bool],
    told: Callable[[Export, Records], None],
    refused: Callable[[File], str | None] = lambda _: None,
) -> Callable[[Sequence[File], Options], Import]:
    """The reader of a format with a row for each answer, of which ``told`` gets all rows.

    ``refused`` says why a file of the format holds no answers of single coders, if it does not.
    """

    def read(files: Sequence[File], options: Options) -> Import:
        taken = [f for f in files if takes(f)]
        for file in taken:
            if (why := refused(file)) is not None:
                raise InputError(why, file=file.source)
        export = Export.of(taken, options)
        to = Records(layout, source_of(taken), {}, options.spans)
        to.leave_out(_BROKEN, export.broken)
        told(export, to)
        return to.done()

    return read


def answer(cell: str) -> Label:
    """What a cell says: a label, a list of them (JSON, or as Python writes it), None if blank.

    Examples
    --------
    >>> answer("cat"), answer('["a", "b"]'), answer("['a']"), answer("{}"), answer("[1, [2]]")
    ('cat', ['a', 'b'], ['a'], None, '[1, [2]]')
    """
    cell = _ESCAPED.sub(lambda m: chr(int(m[1], 16)), cell).strip()
    if not cell or cell == "{}":
        return None
    if cell[0] == "[" and cell[-1] == "]":
        found = _parsed(cell)
        if isinstance(found, list) and all(isinstance(x, str | int | float) for x in found):
            return [str(x) for x in found]
    return cell


def _parsed(cell: str) -> Any:
    for parse in (json.loads, ast.literal_eval):
        try:
            return parse(cell)
        except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
            continue
    return None


def items_by(export: Export, names: Sequence[str]) -> list[str]:
    """(N,) a name for each combination of cells: the cell of the one column that tells them apart.

    Examples
    --------
    >>> export = Export({"id": ["1", "2"], "set": ["a", "a"]}, [2, 3], [])
    >>> items_by(export, ["set", "id"])
    ['1', '2']
    """
    keys = list(zip(*(export.columns[n] for n in names), strict=True))
    n = len(set(keys))
    alone = [m for m in names if len(set(export.columns[m])) == n and all(export.columns[m])]
    if alone:
        shortest = min(alone, key=lambda m: sum(map(len, export.columns[m])))
        return export.columns[shortest]
    return [" | ".join(filter(None, key)) for key in keys]


def told(
    export: Export,
    to: Records,
    item: Sequence[str],
    coder: Sequence[str | None],
    status: Sequence[Status],
    asked: Sequence[str],
    about: Iterable[str],
    *,
    read: Callable[[str, str], Label] = lambda _, cell: answer(cell),
    prefix: str = "",
    gold: Mapping[str, str] | None = None,
    sure: Collection[str] = (),
) -> None:
    """Put rows into records: answers, what is known of the items, what cannot be used.

    Columns of answers that hold sentences are left out, but for those that are ``sure``; ``gold``
    are the columns of known labels of some, and questions are called without the ``prefix``.
    """
    to.columns = {**to.columns, "label": ", ".join(asked)}
    asked = [n for n in asked if n in sure or not _free(export, n, to)]
    if not asked:
        raise InputError(
            f"this is {to.layout}, but none of its columns holds labels: "
            f"{', '.join(map(repr, list(export.columns)[:12]))}",
            file=to.source,
            do=[Action("", {"label": ...}, "the column of the answers")],
        )
    questions = {n: n.removeprefix(prefix) if len(asked) > 1 else "" for n in asked}
    nameless = 0
    for k in range(len(export)):
        if not item[k] or coder[k] == "":
            nameless += 1
            continue
        for name, question in questions.items():
            label = read(name, export.columns[name][k])
            to.add(
                item[k], coder[k], label, status=status[k], row=export.lines[k], question=question
            )
    to.leave_out("rows that name no item or no coder", nameless)
    _known(export, to, item, [n for n in about if n not in asked])
    for name, known in (gold or {}).items():
        question = questions.get(name, name.removeprefix(prefix) if len(asked) > 1 else "")
        for of, cell in zip(item, export.columns[known], strict=True):
            if of and cell:
                to.gold(of, read(name, cell), question)


def _free(export: Export, name: str, to: Records) -> bool:
    """Whether a column of answers holds sentences or is not filled; sentences are counted."""
    column = export.column(name)
    if not column.blank and evidence.prose(column):
        to.leave_out(f"cells of free text in {name!r}", sum(map(bool, export.columns[name])))
        return True
    return column.blank


def _known(export: Export, to: Records, item: Sequence[str], names: Sequence[str]) -> None:
    persons = [n for n in export.columns if personal(n)]
    to.notes += [f"{n!r} is not kept: it is about persons" for n in persons]
    known = [n for n in names if n not in persons]
    words = [n for n in known if evidence.wordy(export.column(n))]
    text = max(words, key=lambda n: sum(c.count(" ") for c in export.columns[n]), default=None)
    seen = set[str]()
    for k, of in enumerate(item):
        if of and of not in seen:
            seen.add(of)
            facts = {n: answer(export.columns[n][k]) for n in known if n != text}
            said = None if text is None else answer(export.columns[text][k])
            to.about(of, said if isinstance(said, str) else None, facts)


def varying(
    export: Export, names: Iterable[str], item: Sequence[str], to: Records
) -> tuple[list[str], list[str]]:
    """Of columns, those that differ within items: the answers; and the others.

    Where all coders always agree, what is called a label; a warning names what may be an answer.
    """
    codes, n = encode("item", list(item)).codes, len(set(item))
    columns = [export.column(m) for m in names]
    columns = [c for c in columns if not c.blank]
    may = [
        c
        for c in columns
        if not evidence.looks_like_time(c)
        and not evidence.identifies_rows(c)
        and not personal(c.name)
    ]
    inside = codes != BLANK
    found = [c for c in may if not evidence.constant(c.codes[inside], codes[inside], n)]
    found = (
        found
        or [c for c in may if label_like(c.name)]
        or [c for c in may[-1:] if not evidence.prose(c) and 2 * len(c.words) <= len(c)]
    )
    asked = [c.name for c in found]
    known = {w for c in found for w in c.text}
    for c in may:
        if c.name not in asked and asked and set(c.text) <= known:
            doubt = Notice(
                f"column {c.name!r} says the same in all rows of an item: it is kept as item "
                "metadata",
                Action(
                    "",
                    {"label": [*asked, c.name]},
                    "if it is a question that all coders answered alike",
                ),
            )
            to.warnings.append(doubt)
    return asked, [c.name for c in columns if c.name not in asked]
