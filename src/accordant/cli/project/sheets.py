"""A sheet that a coder fills in: written with the items and options, read back as annotations."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...errors import AccordantError, RequestError
from ...numbers import count_of
from ...resolution.records import AMBIGUOUS, NOT_APPLICABLE
from ..output import check_new
from .acting import Opened
from .items import ID

if TYPE_CHECKING:
    from ...resolution.records import Answer, Note
    from ...resolution.state import State
    from ...resolution.work import AskedQuestion, Work
    from .rows_file import Rows

__all__ = ["read_sheet", "write_sheet"]

LABEL = ("label", "answer", "value", "score")
QUESTION, COMMENT, SOURCE, REASON = ("question",), ("comment",), ("source",), ("reason",)
CONFIDENCE = ("confidence",)


def write_sheet(state: State, work: Work, path: Path, *, force: bool) -> None:
    """Write a row for each item and question, with the answers there are so far.

    A question that depends on another one is written for every item: leave it blank where it is
    not asked.
    """
    from ...models.labels_file import write_rows
    from ...resolution.views import round_sheet

    check_new(path, force=force)
    special = (str(AMBIGUOUS),) if work.ambiguity and work.ambiguity.allowed else ()
    own = {(r.item, r.question): r for r in round_sheet(state, work.round, work.person)}
    rows = []
    for item in work.items:
        for question in work.questions:
            done = own.get((item.id, question.id))
            note = done.note if done else None
            rows.append(
                {
                    "item": item.id,
                    "question": question.id,
                    "text": item.text,
                    "asked": question.text,
                    "options": "; ".join((*question.options, *special)),
                    "label": str(done.answer) if done and done.answer else "",
                    "comment": note.comment if note else "",
                    "source": note.source if note else "",
                    "reason": note.reason if note else "",
                }
            )
    if not rows:
        raise RequestError("there is nothing to annotate: the sheet would be empty")
    write_rows(rows, path)
    click.echo(
        f"written to {path}: fill in the column label, then: accordant project annotate {path}",
        err=True,
    )


def read_sheet(opened: Opened, work: Work, path: Path, sheet: str | None) -> None:
    """Keep what a sheet holds; everything in it is checked before anything is kept."""
    from ...resolution.commands.annotating import annotate_sheet
    from .rows_file import read_rows

    rows = read_rows(path, sheet, named_by="--sheet-name")
    answers, notes = _read(rows, work)
    n_blank = len(rows) - sum(map(len, answers.values()))
    opened.do(annotate_sheet, answers=answers, notes=notes)
    if n_blank:
        click.echo(f"{count_of(n_blank, 'row')} of {path.name} without a label: not yet")


def _read(
    rows: Rows, work: Work
) -> tuple[dict[str, dict[str, Answer]], dict[str, dict[str, Note]]]:
    from ...resolution.records import Note
    from .answers import answer_of

    by_id = {question.id: question for question in work.questions}
    items = rows.column(ID, needed="the item")
    labels = rows.column(LABEL, needed="what you answer")
    needed = "" if len(by_id) == 1 else f"one of {', '.join(by_id)}"
    asked = rows.column(QUESTION, needed=needed) or list(by_id) * len(rows)
    comment, source, reason = (rows.column(names) for names in (COMMENT, SOURCE, REASON))
    sure = rows.column(CONFIDENCE)
    answers: dict[str, dict[str, Answer]] = {}
    notes: dict[str, dict[str, Note]] = {}
    read: dict[tuple[str, str], Answer] = {}  # the same text is the same answer
    for k, (item, name, label) in enumerate(zip(items, asked, labels, strict=True)):
        if not label:
            _said_without_label(rows, k, source, reason)
            continue
        if name not in by_id:
            raise rows.wrong(k, f"round {work.round} does not ask {name!r}", "question")
        key = (name, label)
        if key not in read:
            read[key] = _answer(rows, k, label, by_id[name], answer_of)
        mine = answers.setdefault(name, {})
        if item in mine:
            raise rows.wrong(k, f"item {item!r} is answered twice on question {name!r}", "item")
        mine[item] = read[key]
        said, why, whence = (c[k] if c else "" for c in (comment, reason, source))
        for column, text, of in (("source", whence, AMBIGUOUS), ("reason", why, NOT_APPLICABLE)):
            if text and read[key] != of:
                told = f"{label!r} has a {column}, which only {str(of)!r} has"
                raise rows.wrong(k, f"{told}: other remarks are a comment", column)
        confidence = _number(rows, k, sure[k]) if sure and sure[k] else None
        note = Note(comment=said, source=whence, reason=why, confidence=confidence)
        if note != Note():
            notes.setdefault(name, {})[item] = note
    if not answers:
        raise RequestError(f"{rows.file}: no row has a label yet")
    return answers, notes


def _said_without_label(rows: Rows, k: int, source: list[str], reason: list[str]) -> None:
    """Complain about a row that says why, and not what."""
    for column, texts, of in (("source", source, AMBIGUOUS), ("reason", reason, NOT_APPLICABLE)):
        if texts and texts[k]:
            why = f"there is a {column} and no label: write {str(of)!r} as the label"
            raise rows.wrong(k, why, column)


def _answer(rows: Rows, k: int, label: str, question: AskedQuestion, answer_of: Any) -> Answer:
    try:
        found: Answer = answer_of(label, question, question.options)
    except AccordantError as error:
        raise rows.wrong(k, str(error), "label") from None
    return found


def _number(rows: Rows, k: int, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise rows.wrong(k, f"{text!r} is no number from 0 to 1", "confidence") from None
