"""Answer sheets with a row for each item and a column for each question, and back.

The second row says what each question asks, what may be answered, and where it is asked; a source
or a reason stands behind the answer it belongs to: "ambiguous: missing context".
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..data.worksheet import Filled, SheetColumn, read_filled
from ..errors import InputError
from .answers import SPECIAL, Asked, written_answer
from .importing.sheet import (
    ITEM,
    LABEL,
    NOTES,
    Answers,
    Notes,
    Rows,
    answers_of,
    read_sheet,
    sheet_rows,
)
from .records import AMBIGUOUS, NOT_APPLICABLE, Answer, Note
from .state import State
from .work import AskedQuestion, SheetRow, Work, round_sheet

__all__ = ["answer_and_note", "long_columns", "read_answers", "wide_columns"]

MARK = "(what is asked)"  # in the column of the items: the row that says what the questions ask
COMMENT = "comment"


def answer_and_note(text: str, question: Asked, options: Sequence[str]) -> tuple[Answer, Note]:
    """An answer as it is written in one cell, with what its note must say.

    Raises
    ------
    RequestError
        If it is no label, with those that come near.

    Examples
    --------
    >>> from accordant.resolution.records import Question
    >>> answer, note = answer_and_note("ambiguous: missing context", Question("q", "?"), ["yes"])
    >>> str(answer), note.source
    ('ambiguous', 'missing context')
    """
    answer, more = _parted(text, options)
    found = written_answer(answer, question, options)
    return found, Note(source=more if found == AMBIGUOUS else "",
                       reason=more if found == NOT_APPLICABLE else "")  # fmt: skip


def _parted(text: str, options: Sequence[str]) -> tuple[str, str]:
    """An answer, and the source or reason behind it."""
    answer, _, more = text.partition(":")
    special = answer.strip().casefold() in SPECIAL and text.strip() not in options
    return (answer.strip(), more.strip()) if special else (text, "")


def long_columns(state: State, work: Work) -> list[SheetColumn]:
    """The columns of a sheet with a row for each item and question, as `sheet_rows` gives them."""
    rows = sheet_rows(state, work)
    fill = ("label", *NOTES)
    return [SheetColumn(name, [row[name] for row in rows], name in fill) for name in rows[0]]


def wide_columns(state: State, work: Work) -> list[SheetColumn]:
    """The columns of a sheet to fill in, with one's own answers so far.

    Parameters
    ----------
    state : State
    work : Work
        What the coder has to do, as `work.my_work` gives it.
    """
    own = {(r.item, r.question): r for r in round_sheet(state, work.round, work.person)}
    items = work.items
    shown = [SheetColumn("item", [MARK, *(item.id for item in items)])]
    for name in ("text", "context"):
        cells = [getattr(item, name) for item in items]
        shown += [SheetColumn(name, ["", *cells])] if any(cells) else []
    ambiguous = (f"{AMBIGUOUS}: ",) if work.ambiguity and work.ambiguity.allowed else ()
    for q in work.questions:
        rows = [own.get((item.id, q.id)) for item in items]
        told, choices = _told(work, q), (*q.options, *ambiguous)
        answers = [told, *map(_written, rows)]
        shown.append(SheetColumn(q.id, answers, True, choices, told))
        comments = [row.note.comment if row and row.note else "" for row in rows]
        if any(comments):
            shown.append(SheetColumn(f"{COMMENT}: {q.id}", ["", *comments], True))
    return shown


def _told(work: Work, question: AskedQuestion) -> str:
    """What a question asks, what may be answered, and where it is asked."""
    policy = work.ambiguity
    options = [*question.options]
    if policy is not None and policy.allowed:
        options.append(f"{AMBIGUOUS}: {' | '.join(policy.sources)}")
    when = question.asked_if
    where = f" Only where {when.question} is {' or '.join(when.labels)}." if when else ""
    return f"{question.text} [{'; '.join(options)}]{where}"


def _written(row: SheetRow | None) -> str:
    """An answer as it is written in one cell."""
    if row is None or row.answer is None:
        return ""
    note = row.note or Note()
    more = note.source if row.answer == AMBIGUOUS else note.reason
    return f"{row.answer}: {more}" if row.answer.special and more else str(row.answer)


def read_answers(path: Path, work: Work, sheet: str | None = None) -> tuple[Answers, Notes, int]:
    """Answers and notes of a sheet in either form, and how many rows or cells are still empty.

    Parameters
    ----------
    path : Path
    work : Work
    sheet : str, optional
        Of a workbook.

    Raises
    ------
    InputError
        If a cell cannot be understood, or says two things.
    RequestError
        If nothing is answered.
    """
    names = {question.id for question in work.questions}
    wide = _wide(path, sheet, names)
    return read_sheet(path, work, sheet) if wide is None else answers_of(_Cells(wide, work), work)


def _wide(path: Path, sheet: str | None, questions: set[str]) -> Filled | None:
    """The sheet, if it has a column for a question and none for labels."""
    try:
        found = read_filled(path, sheet)
    except InputError:
        return None  # the reader of the other form says what is wrong
    heads = {name.casefold() for name in found.names}
    return found if questions & {*found.names} and heads.isdisjoint(LABEL) else None


class _Cells(Rows):
    """The cells of a wide sheet as rows of a long one; what is wrong is told of the cell."""

    def __init__(self, sheet: Filled, work: Work) -> None:
        by_id = {question.id: question for question in work.questions}
        item = next((name for name in sheet.names if name.casefold() in ITEM), None)
        if item is None:
            raise sheet.missing(ITEM[0], "the item")
        known = {*by_id, *(f"{note}: {q}" for note in NOTES for q in by_id), item}
        found = dict[str, list[str]](item=[], question=[], label=[], **{n: [] for n in NOTES})
        self.asked: list[str] = []
        numbers = []
        for line in sheet.lines:
            if line.cells.get(item) == MARK:
                continue
            for name in line.cells.keys() - known - {"text", "context"}:
                if name.partition(": ")[0] in NOTES:
                    raise line.wrong(f"round {work.round} asks nothing of that name", name)
            for id, question in by_id.items():
                cell = line.cells.get(id, "")
                label, more = _parted(cell, question.options)
                said = {n: line.cells.get(f"{n}: {id}", "") for n in NOTES}
                special = SPECIAL.get(label.casefold())
                said["source"] = said["source"] or (more if special == AMBIGUOUS else "")
                said["reason"] = said["reason"] or (more if special == NOT_APPLICABLE else "")
                row = {"item": line.cells.get(item, ""), "question": id, "label": label, **said}
                for column, text in row.items():
                    found[column].append(text)
                numbers.append(line.number)
                self.asked.append(id)
        super().__init__(sheet.file, found, numbers)

    def wrong(self, k: int, message: str, column: str | None = None) -> InputError:
        """An error in a cell."""
        where = self.asked[k] if column in ("label", "question", "source", "reason") else column
        return super().wrong(k, message, where)
