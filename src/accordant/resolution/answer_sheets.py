"""Sheets of items, and those that coders fill in: a row for each answer, or for each item.

In a wide sheet a column is a question. The second row says what each asks, what may be answered,
and where it is asked; a source or a reason stands behind the answer it belongs to: "ambiguous:
missing context".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from ..data.formats.files import tables_of
from ..data.options import Options
from ..data.worksheet import Filled, SheetColumn, read_filled
from ..errors import AccordantError, InputError, RequestError, unknown
from .acts import ActsRefused, Wrong
from .answers import SPECIAL, Asked, written_answer
from .records import AMBIGUOUS, NOT_APPLICABLE, Answer, Items, Note
from .state import State
from .work import AskedQuestion, SheetRow, Work, round_sheet

__all__ = [
    "answer_and_note",
    "long_columns",
    "read_answers",
    "read_ids",
    "read_items",
    "wide_columns",
]

ITEM, TEXT = ("item", "id", "item_id"), ("text", "content", "item_text")
CONTEXT, BATCH, QUESTION = ("context",), ("batch",), ("question",)
LABEL = ("label", "answer", "value", "score")
NOTES = ("comment", "source", "reason", "confidence")
SEPARATORS = b",;|\t"
MARK = "(what is asked)"  # in the column of the items: the row that says what the questions ask
Answers = dict[str, dict[str, Answer]]
Notes = dict[str, dict[str, Note]]


class Rows:
    """Columns of texts by their lower-case names; an empty cell is an empty text."""

    def __init__(self, file: str, columns: dict[str, list[str]], numbers: list[int]) -> None:
        self.file, self.columns, self.numbers = file, columns, numbers

    def column(self, names: Sequence[str], *, needed: str = "") -> list[str]:
        """The cells of the first column that has one of the names; an error if it is needed."""
        for name in names:
            if name in self.columns:
                return self.columns[name]
        if not needed:
            return []
        near = get_close_matches(names[0], self.columns, 1)
        hint = f"; is it {near[0]!r}?" if near else ""
        have = ", ".join(self.columns)
        told = f"no column is called {names[0]!r} ({needed}): the columns are {have}{hint}"
        raise InputError(told, file=self.file)

    def wrong(self, k: int, message: str, column: str | None = None) -> InputError:
        """An error in the row at position ``k``."""
        return InputError(message, file=self.file, row=self.numbers[k], column=column)


def _rows(path: Path, sheet: str | None) -> Rows:
    """The only table of a file, or one sheet of a workbook."""
    if (single := _one_column(path)) is not None:
        return single
    # a header and a column of labels are named, so that nothing is guessed
    found = tables_of(path, Options(label=("label",), sheet=sheet))
    if len(found) != 1:
        raise InputError(f"the file has {len(found)} sheets: name the one to read", file=str(path))
    columns: dict[str, list[str]] = {}
    for column in found[0].columns:
        name = column.name.strip().casefold()
        if name in columns:
            raise InputError(f"two columns are called {column.name!r}", file=str(path))
        words = [*column.text, ""]  # the code of a blank is −1
        columns[name] = [words[code] for code in column.codes.tolist()]
    return Rows(str(path), columns, [found[0].row(k) or k + 1 for k in range(len(found[0]))])


def _one_column(path: Path) -> Rows | None:
    """A text file with a single column, such as a list of items."""
    if path.suffix.lower() not in (".csv", ".txt", ".tsv") or not path.is_file():
        return None
    with path.open("rb") as stream:
        if any(sign in stream.readline() for sign in SEPARATORS):
            return None
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise InputError("the file is not written in UTF-8", file=str(path)) from None
    kept = [(k, line.strip().strip('"')) for k, line in enumerate(lines, 1) if line.strip()]
    if not kept:
        raise InputError("the file is empty: nothing to read", file=str(path))
    (_, name), *cells = kept
    return Rows(str(path), {name.casefold(): [c for _, c in cells]}, [k for k, _ in cells])


def read_items(path: Path, sheet: str | None = None) -> Items:
    """Items of a file: a column "item", perhaps "text", "context" and "batch"; others are metadata.

    Raises
    ------
    InputError
        If the file cannot be read, or an id is missing or comes twice.
    """
    rows = _rows(path, sheet)
    ids = rows.column(ITEM, needed="the id of each item")
    seen: set[str] = set()
    for k, name in enumerate(ids):
        if not name or name in seen:
            raise rows.wrong(k, f"item {name!r} stands there twice" if name else "there is no id")
        seen.add(name)
    known = (*ITEM, *TEXT, *CONTEXT, *BATCH)
    texts, contexts, batches = (tuple(rows.column(names)) for names in (TEXT, CONTEXT, BATCH))
    more = {name: tuple(cells) for name, cells in rows.columns.items() if name not in known}
    return Items(tuple(ids), texts, contexts, batches, more)


def read_ids(path: Path, sheet: str | None = None) -> list[str]:
    """The ids in the column "item" of a file."""
    return list(filter(None, _rows(path, sheet).column(ITEM, needed="which items")))


def long_columns(state: State, work: Work) -> list[SheetColumn]:
    """The columns of a sheet with a row for each item and question, with the answers there are.

    A question that depends on another one stands there for every item, and says where it is
    asked: it is left blank elsewhere.
    """
    special = (str(AMBIGUOUS),) if work.ambiguity and work.ambiguity.allowed else ()
    own = {(r.item, r.question): r.row() for r in round_sheet(state, work.round, work.person)}
    rows = []
    for item in work.items:
        for q in work.questions:
            done = own.get((item.id, q.id), {})
            rows.append(
                {
                    "item": item.id,
                    "question": q.id,
                    "text": item.text,
                    "asked": q.text + _where(q),
                    "options": "; ".join((*q.options, *special)),
                    "label": str(done.get("answer", "")),
                    **{key: str(done.get(key, "")) for key in NOTES[:3]},
                }
            )
    fill = ("label", *NOTES)
    return [SheetColumn(name, [row[name] for row in rows], name in fill) for name in rows[0]]


def _answers(rows: Rows, work: Work) -> tuple[Answers, Notes, int]:
    """Answers and notes by question and item, and how many rows have no label yet."""
    by_id = {question.id: question for question in work.questions}
    items = rows.column(ITEM, needed="the item")
    labels = rows.column(LABEL, needed="what you answer")
    needed = "" if len(by_id) == 1 else f"one of {', '.join(by_id)}"
    asked = rows.column(QUESTION, needed=needed) or list(by_id) * len(items)
    notes_in = {name: rows.column((name,)) for name in NOTES}
    answers, notes = Answers(), Notes()
    read: dict[tuple[str, str], Answer] = {}  # the same text is the same answer
    asks_of, wrong = {item.id: item for item in work.items}, list[Wrong]()

    def keep(k: int, item: str, name: str, label: str) -> None:
        said = {note: cells[k] for note, cells in notes_in.items() if cells and cells[k]}
        _fits(rows, k, label, None, said)
        if not label:
            return
        if name not in by_id:
            raise rows.wrong(k, f"round {work.round} does not ask {name!r}", "question")
        if item not in asks_of:
            told = unknown("item", item, asks_of, f"round {work.round} asks {work.person} about")
            raise rows.wrong(k, str(told), "item")
        if (name, label) not in read:
            try:
                read[name, label] = written_answer(label, by_id[name], by_id[name].options)
            except AccordantError as error:
                raise rows.wrong(k, str(error), "label") from None
        answer, mine = read[name, label], answers.setdefault(name, {})
        if item in mine:
            raise rows.wrong(k, f"item {item!r} is answered twice on question {name!r}", "item")
        _fits(rows, k, label, answer, said)
        sources = work.ambiguity.sources if work.ambiguity else ()
        if answer == AMBIGUOUS and said.get("source", "") not in sources:
            of = f"{label!r} needs one of its sources: {', '.join(sources)}"
            raise rows.wrong(k, of, "source")
        mine[item] = answer
        if said:
            notes.setdefault(name, {})[item] = _note(rows, k, said)

    for k, row in enumerate(zip(items, asked, labels, strict=True)):
        try:
            keep(k, *row)
        except InputError as error:
            wrong.append(Wrong("", error))
    if wrong:
        raise ActsRefused(wrong, len(items)) if len(wrong) > 1 else wrong[0].error
    if not answers:
        raise RequestError(f"{rows.file}: no row has a label yet")
    return answers, notes, len(items) - sum(map(len, answers.values()))


def _fits(rows: Rows, k: int, label: str, answer: Answer | None, said: Mapping[str, Any]) -> None:
    """Complain about a source or a reason without the label that it belongs to."""
    for column, of in (("source", AMBIGUOUS), ("reason", NOT_APPLICABLE)):
        if column in said and not label:
            why = f"there is a {column} and no label: write {str(of)!r} as the label"
            raise rows.wrong(k, why, column)
        if column in said and answer not in (None, of):
            told = f"{label!r} has a {column}, which only {str(of)!r} has"
            raise rows.wrong(k, f"{told}: other remarks are a comment", column)


def _note(rows: Rows, k: int, said: Mapping[str, str]) -> Note:
    comment, source, reason = (said.get(name, "") for name in NOTES[:3])
    try:
        sure = float(said["confidence"]) if "confidence" in said else None
    except ValueError:
        told = f"{said['confidence']!r} is no number from 0 to 1"
        raise rows.wrong(k, told, "confidence") from None
    return Note(comment, source, reason, sure)


# ------------------------------------------------------------------ a column for each question


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
    return found, Note(
        source=more if found == AMBIGUOUS else "", reason=more if found == NOT_APPLICABLE else ""
    )


def _parted(text: str, options: Sequence[str]) -> tuple[str, str]:
    """An answer, and the source or reason behind it."""
    answer, _, more = text.partition(":")
    special = answer.strip().casefold() in SPECIAL and text.strip() not in options
    return (answer.strip(), more.strip()) if special else (text, "")


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
            shown.append(SheetColumn(f"comment: {q.id}", ["", *comments], True))
    return shown


def _told(work: Work, question: AskedQuestion) -> str:
    """What a question asks, what may be answered, and where it is asked."""
    policy = work.ambiguity
    options = [*question.options]
    if policy is not None and policy.allowed:
        options.append(f"{AMBIGUOUS}: {' | '.join(policy.sources)}")
    return f"{question.text} [{'; '.join(options)}]{_where(question)}"


def _where(question: AskedQuestion) -> str:
    """Where a question that depends on another one is asked."""
    when = question.asked_if
    return f" Only where {when.question} is {' or '.join(when.labels)}." if when else ""


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
    return _answers(_rows(path, sheet) if wide is None else _Cells(wide, work), work)


def _wide(path: Path, sheet: str | None, questions: set[str]) -> Filled | None:
    """The sheet, if it has a column for a question and none for labels."""
    try:
        found = read_filled(path, sheet)
    except InputError:
        return None  # the reader of the other form says what is wrong
    heads = {name.casefold() for name in found.names}
    notes = [f"{note}: {q}" for note in NOTES for q in questions]
    ids = {*map(str.casefold, questions)}  # a question may be called “score”
    wide = not heads.isdisjoint(ids) and (heads - ids).isdisjoint((*LABEL, *QUESTION))
    return found.called([*questions, *notes, "text", "context"]) if wide else None


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
