"""`annotate`, `decline`: step 3, each coder alone: from a sheet, one item, or item by item."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click

from ...errors import RequestError, unknown
from ...numbers import count_of
from ...resolution.parameters import Typed
from ..output import check_new
from .acting import Acting, Opened
from .definitions import step
from .keyboard import Stop, at_terminal, text_of

if TYPE_CHECKING:
    from ...resolution.records import Note
    from ...resolution.work import AskedQuestion, Work

__all__ = ["annotate", "decline"]


@step("annotate")
def annotate(
    acting: Acting,
    file: Annotated[Path | None, Typed("FILE", argument=True)] = None,
    *,
    item: str = "",
    question: str = "",
    labels: Sequence[str] = (),
    none: bool = False,
    ambiguous: Annotated[str, Typed("SOURCE")] = "",
    not_applicable: Annotated[str, Typed("REASON", "--not-applicable")] = "",
    comment: str = "",
    confidence: float | None = None,
    sheet: Annotated[Path | None, Typed("FILE")] = None,
    wide: bool = False,
    force: bool = False,
    ask: bool = False,
    submit: bool = False,
    sheet_name: Annotated[str | None, Typed("NAME", "--sheet-name")] = None,
) -> None:
    """Annotate: item by item, from a sheet, or a single item.

    At a terminal the items that are left are shown one after another. Each answer is kept as soon
    as it is given, so you can stop at any time. In a file, the columns are item, question (if
    there are several), label, and perhaps comment, source (where the label is "ambiguous") and
    reason (where it is "not applicable"); or a row is an item and a column a question. Nobody sees
    your annotations before the round closes.

    Parameters
    ----------
    file : path
        A sheet that is filled in; blanks are not yet.
    item : str
        Annotate one item.
    question : str
        Which question; the only one of the round by default.
    labels : sequence of str
        What you answer; several where they may be given.
    none : bool
        Answer that no label applies.
    ambiguous : str
        Answer that the item is ambiguous, and why: a source that the guidelines name.
    not_applicable : str
        Answer that the question does not apply, and why.
    comment : str
        Something that goes with the annotation.
    confidence : float
        From 0 to 1.
    sheet : path
        Write an empty sheet to fill in, with what you have answered so far.
    wide : bool
        With a row for each item and a column for each question.
    force : bool
        Replace the sheet if it exists.
    ask : bool
        Ask item by item; the default at a terminal.
    submit : bool
        Say as well that you are done, where nothing is left (see accordant project submit).
    sheet_name : str
        Sheet of a workbook to read.

    Examples
    --------
    Item by item, at a terminal:
    $ accordant project annotate --as bob
    Write a sheet to fill in:
    $ accordant project annotate --as bob --sheet bob.csv
    A workbook with a column for each question:
    $ accordant project annotate --as bob --sheet bob.xlsx --wide
    Read the sheet back; blanks are not yet:
    $ accordant project annotate bob.csv --as bob
    The same, and you are done:
    $ accordant project annotate bob.csv --submit --as bob
    One annotation:
    $ accordant project annotate --item p7 --label yes --as bob
    The item is ambiguous, and why:
    $ accordant project annotate --item p8 --ambiguous 'missing context' --as bob
    """
    from ...resolution.annotation import submit as submitted
    from ...resolution.records import AMBIGUOUS, NOT_APPLICABLE, Note

    asked = not (file or item) and (ask or at_terminal())
    if acting.looks and not (file or item):
        raise click.UsageError("--preview is of a FILE or an --item")
    given = [bool(labels), none, bool(ambiguous), bool(not_applicable)]
    if sum(given) > 1 or any(given) is not bool(item):
        raise click.UsageError("give --item and one of --label, --none, --ambiguous, "
                               "--not-applicable")  # fmt: skip
    if sum(map(bool, (file, item, sheet))) > 1:
        raise click.UsageError("give a FILE, --item or --sheet, not several of them")
    if wide and sheet is None:
        raise click.UsageError("--wide is about the sheet that is written: give --sheet FILE")
    with acting.opened(reads=sheet is not None) as opened:
        if sheet is not None:
            _write_sheet(opened, sheet, wide, force)
            return
        if file is not None:
            _read_sheet(opened, file, sheet_name)
        elif item:
            said = AMBIGUOUS if ambiguous else NOT_APPLICABLE if not_applicable else ()
            answer = "; ".join(labels) or said
            _one(
                opened, item, question, answer, Note(comment, ambiguous, not_applicable, confidence)
            )
        elif asked:
            _ask(opened, question)
        else:
            raise click.UsageError("name a FILE or an --item: there is no terminal to ask at")
        work = work_of(opened)
        done = f"nothing is left: all {count_of(work.n_asked, 'annotation')} are given"
        left = f"{count_of(work.n_left, 'annotation')} of {work.n_asked:,} left"
        click.echo(left if work.n_left else done)
        if submit or (asked and not work.n_left and not work.done and _wants_to_submit()):
            opened.do(submitted)
        elif not work.n_left and not work.done:
            click.echo("Next: accordant project submit")


@step("decline")
def decline(
    acting: Acting, words: Annotated[Sequence[str], Typed("ITEM... [REASON]", argument=True)], *,
    reason: str = "", question: str = "",
    coder: Annotated[str | None, Typed("CODER", "--of")] = None,
) -> None:  # fmt: skip
    """Say that you will not annotate items, and why.

    Parameters
    ----------
    words : sequence of str
        The items; the last word is the reason unless it is given by name.
    reason : str
        Why. Default: the last word.
    question : str
        Which question; the only one of the round by default.
    coder : str
        For a coder who has left, as a researcher; yourself by default.

    Examples
    --------
    One item:
    $ accordant project decline p7 'I am its author' --as bob
    Several:
    $ accordant project decline p7 p8 --reason 'not my language' --as bob
    """
    from ...resolution.annotation import decline as declined

    items = list(words)
    why = reason or (items.pop() if len(items) > 1 else None)
    with acting.opened() as opened:
        some = opened.state.epoch.round
        asked = question or (some.questions[0] if some and len(some.questions) == 1 else "")
        if not asked:
            raise RequestError("which question? say -q QUESTION")
        opened.do(declined, question=asked, items=items, reason=text_of(why, "why"), coder=coder)


def work_of(opened: Opened) -> Work:
    """What the person has to annotate."""
    from ...resolution.work import my_work

    work, some = my_work(opened.state, opened.viewer), opened.state.epoch.round
    if not work.round and some:
        raise RequestError(f"round {some.number} does not ask {opened.by}: it asks "
                           f"{', '.join(some.coders)}")  # fmt: skip
    if not work.round:
        raise RequestError("no round is open: a researcher opens one with accordant project round "
                           "open")  # fmt: skip
    return work


def _question(work: Work, name: str) -> AskedQuestion:
    """The question that is meant."""
    by_id = {question.id: question for question in work.questions}
    if not name and len(by_id) > 1:
        raise RequestError(f"which question? say -q with one of {', '.join(by_id)}")
    if name and name not in by_id:
        raise unknown("question", name, by_id, f"round {work.round} asks")
    return by_id[name or next(iter(by_id))]


def _one(opened: Opened, item: str, question: str, answer: Any, note: Note) -> None:
    """Keep one annotation."""
    from ...resolution.annotation import annotate as annotated
    from ...resolution.records import Note

    asked = _question(work_of(opened), question).id
    notes = {item: note} if note != Note() else {}
    opened.do(annotated, question=asked, answers={item: answer}, notes=notes)


def _write_sheet(opened: Opened, path: Path, wide: bool, force: bool) -> None:
    from ...data.worksheet import write_blank
    from ...resolution.answer_sheets import long_columns, wide_columns

    check_new(path, force=force)
    work = work_of(opened)
    if not work.items:
        raise RequestError("there is nothing to annotate: the sheet would be empty")
    columns = (wide_columns if wide else long_columns)(opened.state, work)
    write_blank(columns, path, frozen=1 if wide else 2)
    what = "the columns of the questions" if wide else "the column label"
    click.echo(f"written to {path}: fill in {what}, then: accordant project annotate {path}",
               err=True)  # fmt: skip


def _read_sheet(opened: Opened, path: Path, sheet: str | None) -> None:
    """Keep what a sheet holds; everything in it is checked before anything is kept."""
    from ...resolution.annotation import annotate_sheet
    from ...resolution.answer_sheets import read_answers

    answers, notes, blank = read_answers(path, work_of(opened), sheet)
    opened.do(annotate_sheet, answers=answers, notes=notes)
    if blank:
        click.echo(f"{count_of(blank, 'row')} of {path.name} without a label: not yet")


def _ask(opened: Opened, only: str) -> None:
    """Item by item, until nothing is left or the coder stops."""
    from .item_walk import ask_items

    work = work_of(opened)
    if only:
        _question(work, only)
    try:
        ask_items(opened, opened.by, only)
    except (Stop, click.Abort, EOFError):
        click.echo()


def _wants_to_submit() -> bool:
    """Asked of who was led through the items; whoever has stopped says nothing."""
    try:
        return click.confirm("  Submit the round?", default=True)
    except click.Abort:
        click.echo()
        return False
