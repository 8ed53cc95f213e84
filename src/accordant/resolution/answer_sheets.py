"""Sheets of items, and those that coders fill in: a row for each item and question."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..data.worksheet import Filled, Line, SheetColumn, read_filled
from ..errors import AccordantError, InputError, RequestError
from .acts import ActsRefused, Wrong
from .answers import written_answer
from .records import AMBIGUOUS, Answer, Items, Note
from .state import State
from .wording import all_known
from .work import Work, round_sheet

__all__ = ["read_answers", "read_ids", "read_items", "sheet_columns"]

ITEM, TEXT = ("item", "id", "item_id"), ("text", "content", "item_text")
CONTEXT, BATCH = ("context",), ("batch",)
LABEL = ("label", "answer", "value", "score")
NOTES = ("comment", "source", "reason", "confidence")
Answers = dict[str, dict[str, Answer]]
Notes = dict[str, dict[str, Note]]


def _column(sheet: Filled, names: Sequence[str], needed: str = "") -> str:
    """The name of the first column that has one of the names; an error if it is needed."""
    known = {name.casefold(): name for name in sheet.names}
    found = next((known[name] for name in names if name in known), "")
    if needed and not found:
        raise sheet.missing(names[0], needed)
    return found


def read_items(path: Path, sheet: str | None = None) -> Items:
    """Items of a file: a column "item", perhaps "text", "context" and "batch"; others are metadata.

    Raises
    ------
    InputError
        If the file cannot be read, or an id is missing or comes twice.
    """
    table = read_filled(path, sheet)
    item = _column(table, ITEM, "the id of each item")
    seen: set[str] = set()
    for line in table.lines:
        name = line.cells.get(item, "")
        if not name or name in seen:
            raise line.wrong(f"item {name!r} stands there twice" if name else "there is no id")
        seen.add(name)
    named = [_column(table, names) for names in (ITEM, TEXT, CONTEXT, BATCH)]
    columns = {n: tuple(line.cells.get(n, "") for line in table.lines) for n in table.names}
    more = {n.casefold(): cells for n, cells in columns.items() if n and n not in named}
    ids, texts, contexts, batches = (columns.get(name, ()) for name in named)
    return Items(ids, texts, contexts, batches, more)


def read_ids(path: Path, sheet: str | None = None) -> list[str]:
    """The ids in the column "item" of a file."""
    table = read_filled(path, sheet)
    item = _column(table, ITEM, "which items")
    return [line.cells[item] for line in table.lines if item in line.cells]


def sheet_columns(state: State, work: Work) -> list[SheetColumn]:
    """The columns of a sheet to fill in, with the answers there are.

    A question that depends on another one stands there for every item, and says where it is
    asked: it is left blank elsewhere.
    """
    special = (str(AMBIGUOUS),) if work.ambiguity and work.ambiguity.allowed else ()
    own = {(r.item, r.question): r.row() for r in round_sheet(state, work.round, work.person)}
    rows = []
    for item in work.items:
        for q in work.questions:
            done = own.get((item.id, q.id), {})
            when = q.asked_if
            where = f" Only where {when.question} is {' or '.join(when.labels)}." if when else ""
            rows.append(
                {
                    "item": item.id,
                    "question": q.id,
                    "text": item.text,
                    "asked": q.text + where,
                    "options": "; ".join((*q.options, *special)),
                    "label": str(done.get("answer", "")),
                    **{key: str(done.get(key, "")) for key in NOTES[:3]},
                }
            )
    fill = ("label", *NOTES)
    return [SheetColumn(name, [row[name] for row in rows], name in fill) for name in rows[0]]


def read_answers(path: Path, work: Work, sheet: str | None = None) -> tuple[Answers, Notes, int]:
    """Answers and notes of a sheet by question and item, and how many rows are still empty.

    Parameters
    ----------
    path : Path
    work : Work
        What the coder has to do, as `work.my_work` gives it.
    sheet : str, optional
        Of a workbook.

    Raises
    ------
    InputError
        If a cell cannot be understood.
    ActsRefused
        If several cannot.
    RequestError
        If nothing is answered.
    """
    table = read_filled(path, sheet)
    by_id = {question.id: question for question in work.questions}
    item = _column(table, ITEM, "the item")
    label = _column(table, LABEL, "what you answer")
    asked = _column(table, ("question",), "" if len(by_id) == 1 else "which question")
    items, answers, notes = {one.id for one in work.items}, Answers(), Notes()

    def keep(line: Line) -> None:
        name, id = line.cells.get(asked, next(iter(by_id))), line.cells.get(item, "")
        all_known("question", [name], by_id, f"round {work.round} asks")
        all_known("item", [id], items, f"round {work.round} asks {work.person} about")
        mine = answers.setdefault(name, {})
        if id in mine:
            raise RequestError(f"item {id!r} is answered twice on question {name!r}")
        mine[id] = written_answer(line.cells[label], by_id[name], by_id[name].options)
        comment, source, reason = (line.cells.get(n, "") for n in NOTES[:3])
        sure = float(line.cells["confidence"]) if "confidence" in line.cells else None
        if any(n in line.cells for n in NOTES):
            notes.setdefault(name, {})[id] = Note(comment, source, reason, sure)

    wrong, filled = list[Wrong](), [line for line in table.lines if label in line.cells]
    for line in filled:
        try:
            keep(line)
        except (AccordantError, ValueError) as error:
            wrong.append(Wrong("", line.wrong(str(error), label)))
    if wrong:
        raise ActsRefused(wrong, len(filled)) if len(wrong) > 1 else wrong[0].error
    if not filled:
        raise InputError("no row has a label yet", file=table.file)
    return answers, notes, len(table.lines) - len(filled)
