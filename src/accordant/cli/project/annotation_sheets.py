"""`annotate`, `cases` and what is read from sheets; `decline`, `reannotate`, `release`."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click

from ...errors import RequestError, unknown
from ...kinds import Typed
from ...numbers import count_of
from ..output import Output, check_new
from .actor import Acting, Opened
from .click_commands import show
from .definitions import step

if TYPE_CHECKING:
    from ...resolution.work import Work


@step("annotate")
def annotate(
    acting: Acting,
    file: Annotated[Path | None, Typed("FILE", argument=True)] = None,
    *,
    item: str = "",
    question: str = "",
    labels: Sequence[str] = (),
    ambiguous: Annotated[str, Typed("SOURCE")] = "",
    not_applicable: Annotated[str, Typed("REASON", "--not-applicable")] = "",
    comment: str = "",
    sheet: Annotated[Path | None, Typed("FILE")] = None,
    force: bool = False,
    submit: bool = False,
) -> None:
    """Annotate: from a sheet, or a single item.

    In a file, the columns are item, question (if there are several), label, and perhaps comment,
    source (where the label is "ambiguous") and reason (where it is "not applicable"). Nobody sees
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
        What you answer; several where they may be given; none where no label applies.
    ambiguous : str
        Answer that the item is ambiguous, and why: a source that the guidelines name.
    not_applicable : str
        Answer that the question does not apply, and why.
    comment : str
        Something that goes with the annotation.
    sheet : path
        Write an empty sheet to fill in, with what you have answered so far.
    force : bool
        Replace the sheet if it exists.
    submit : bool
        Say as well that you are done, where nothing is left (see accordant project submit).

    Examples
    --------
    Write a sheet to fill in:
    $ accordant project annotate --as bob --sheet bob.csv
    Read the sheet back; blanks are not yet:
    $ accordant project annotate bob.csv --as bob
    The same, and you are done:
    $ accordant project annotate bob.csv --submit --as bob
    One annotation:
    $ accordant project annotate --item p7 --label yes --as bob
    The item is ambiguous, and why:
    $ accordant project annotate --item p8 --ambiguous 'missing context' --as bob
    """
    from ...resolution.steps import submit as submitted

    if [file, item, sheet].count(None) + [file, item, sheet].count("") != 2:
        raise click.UsageError("give a FILE, --item or --sheet FILE")
    with acting.opened(reads=sheet is not None) as opened:
        if sheet is not None:
            _write_sheet(opened, sheet, force)
            return
        if file is not None:
            _read_sheet(opened, file)
        else:
            _one(opened, item, question, labels, comment, ambiguous, not_applicable)
        if opened.looks:
            return
        work = _work_of(opened)
        click.echo(f"{count_of(work.n_left, 'annotation')} of {work.n_asked:,} left")
        if submit:
            opened.do(submitted)
        elif not work.n_left and not work.done:
            click.echo(f"Next: {opened.again('submit')}")


@step("decline")
def decline(
    acting: Acting,
    words: Annotated[Sequence[str], Typed("ITEM... [REASON]", argument=True)],
    *,
    reason: str = "",
    question: str = "",
    coder: Annotated[str | None, Typed("CODER", "--of")] = None,
) -> None:
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
        For a coder who has left or does not answer, as a researcher, which the log tells; yourself
        by default.

    Examples
    --------
    One item:
    $ accordant project decline p7 'I am its author' --as bob
    Several:
    $ accordant project decline p7 p8 --reason 'not my language' --as bob
    """
    from ...resolution.steps import decline as declined

    items = list(words)
    why = reason or (items.pop() if len(items) > 1 else None)
    with acting.opened() as opened:
        some = opened.state.epoch.round
        asked = question or (some.questions[0] if some and len(some.questions) == 1 else "")
        if not asked:
            raise RequestError("which question? say -q QUESTION")
        if not why:
            raise RequestError("why? say it as the last word, or with --reason")
        opened.do(declined, question=asked, items=items, reason=why, coder=coder)


def _work_of(opened: Opened) -> Work:
    from ...resolution.work import my_work

    work, some = my_work(opened.state, opened.viewer), opened.state.epoch.round
    if not work.round and some:
        asks = ", ".join(some.coders)
        raise RequestError(f"round {some.number} does not ask {opened.by}: it asks {asks}")
    if not work.round:
        raise RequestError("no round is open: a researcher opens one with project round open")
    return work


def _one(
    opened: Opened,
    item: str,
    question: str,
    labels: Sequence[str],
    comment: str,
    ambiguous: str,
    not_applicable: str,
) -> None:
    """Keep one annotation."""
    from ...resolution.steps import annotate as annotated
    from ...resolution.terms import AMBIGUOUS, NOT_APPLICABLE, Note

    work = _work_of(opened)
    ids = [one.id for one in work.questions]
    if not question and len(ids) > 1:
        raise RequestError(f"which question? say -q with one of {', '.join(ids)}")
    if question and question not in ids:
        raise unknown("question", question, ids, f"round {work.round} asks")
    if sum(map(bool, (labels, ambiguous, not_applicable))) > 1:
        raise click.UsageError("give one of --label, --ambiguous, --not-applicable")
    said: Any = AMBIGUOUS if ambiguous else NOT_APPLICABLE if not_applicable else ()
    note = Note(comment, ambiguous, not_applicable)
    opened.do(
        annotated,
        answers={question or ids[0]: {item: "; ".join(labels) or said}},
        notes={question or ids[0]: {item: note}} if note != Note() else {},
    )


def _write_sheet(opened: Opened, path: Path, force: bool) -> None:
    from ...data.worksheet import write_blank
    from ...resolution.sheets import sheet_columns

    check_new(path, force=force)
    work = _work_of(opened)
    if not work.items:
        raise RequestError("there is nothing to annotate: the sheet would be empty")
    write_blank(sheet_columns(opened.state, work), path, frozen=2)
    then = opened.again(f"annotate {shlex.quote(str(path))}")
    click.echo(f"written to {path}: fill it in, then: {then}", err=True)


def _read_sheet(opened: Opened, path: Path) -> None:
    """Keep what a sheet holds; everything in it is checked before anything is kept."""
    from ...resolution.annotation import annotate as annotated
    from ...resolution.sheets import read_answers

    answers, notes, blank = read_answers(path, _work_of(opened), None)
    opened.do(annotated, answers=answers, notes=notes)
    if blank and _work_of(opened).n_left:
        click.echo(f"{count_of(blank, 'row')} of {path.name} without a label: not yet")


@step("cases", takes="cases", changes=True)
def cases(
    acting: Acting,
    file: Annotated[Path | None, Typed("FILE", argument=True)] = None,
    *,
    sheet: Annotated[Path | None, Typed("FILE")] = None,
    force: bool = False,
    output: Output,
    **filters: Any,
) -> None:
    """List the cases, write a sheet of them, or read one.

    There is a case for each disagreement. A sheet has a row for each case, and empty columns for a
    reason, a cause with its evidence, an answer, and a consent of each coder. Read again, each row
    is one act of yours: all are done or, if something is not possible, none.

    Parameters
    ----------
    file : path
        A sheet that is filled in.
    sheet : path
        Write a sheet to fill in: .xlsx or .csv.
    force : bool
        Replace the sheet if it exists.

    Examples
    --------
    Every case of the task:
    $ accordant project cases
    Those in which bob must act:
    $ accordant project cases --waiting-for bob
    A sheet to fill in:
    $ accordant project cases --live --sheet cases.xlsx --as bob
    What reading it back would do:
    $ accordant project cases cases.xlsx --as bob --preview
    Read it back:
    $ accordant project cases cases.xlsx --as bob
    """
    from ...data.worksheet import read_filled, write_blank
    from ...resolution.sheets import case_columns, sheet_acts
    from ...resolution.views import cases as case_rows

    if file and (sheet or filters):
        raise click.UsageError("a sheet is read as it is: give no --sheet and no filter with FILE")
    if acting.looks and not file:
        raise click.UsageError("--preview is of a FILE")
    with acting.opened(reads=file is None) as opened:
        if file is not None:
            events = opened.together(sheet_acts(read_filled(file), opened.by))
            if not opened.looks:
                opened.tell(events)
        elif sheet is None:
            show(opened, "cases", output, **filters)
        else:
            check_new(sheet, force=force)
            named = {"states": "in_state", "waiting_for": "waits_for"}
            given = {named.get(key, key): value for key, value in filters.items()}
            columns = case_columns(
                opened.state, opened.by, case_rows(opened.state, opened.by, **given)
            )
            if not (n := len(columns[0].cells)):
                raise RequestError("no case is like that: the sheet would be empty")
            write_blank(columns, sheet, frozen=1)
            then = opened.again(f"cases {shlex.quote(str(sheet))}")
            click.echo(f"{count_of(n, 'case')} written to {sheet}; then: {then}", err=True)


@step("reannotate")
def reannotate(
    acting: Acting,
    order: Annotated[int, Typed("ORDER", argument=True)] = 0,
    *,
    waive: Annotated[str, Typed("REASON")] = "",
    output: Output,
) -> None:
    """Show what must be annotated again, carry it out, or waive it.

    When a concept or a rule changes, everything it bears on is annotated again, blind, also the
    items on which coders agreed. There is no ground truth while one is owed.

    Parameters
    ----------
    order : int
        Which one: a blind round opens that carries it out.
    waive : str
        Why it need not be carried out: the reason is printed with every release.

    Examples
    --------
    What is owed, done, waived:
    $ accordant project reannotate
    Open a blind round that carries it out:
    $ accordant project reannotate 1
    Waive it, and say why:
    $ accordant project reannotate 2 --waive 'no item has the word'
    """
    from ...resolution.steps import open_round, waive_order

    with acting.opened(reads=not order) as opened:
        known = [one.number for one in opened.state.epoch.orders]
        if not order:
            show(opened, "reannotate", output)
        elif order not in known:
            raise unknown("re-annotation", order, known, "there are")
        elif waive:
            opened.do(waive_order, order=order, reason=waive)
        else:
            opened.do(open_round, orders=[order])


@step("release")
def release(
    acting: Acting,
    *,
    check: bool = False,
    reason: str = "",
    listed: Annotated[bool, Typed(option="--list")] = False,
    output: Output,
) -> None:
    """Finish and release, as ground truth or as what it is.

    The status is computed, never chosen. Ground truth: everything is agreed, nothing is owed.
    Comparison only: nothing was resolved. Deprecated: something was left disagreed or decided by
    one person.

    Parameters
    ----------
    check : bool
        Only say what a release would be now.
    reason : str
        Why cases or conflicts remain, if any do.
    listed : bool
        Show the releases.

    Examples
    --------
    What a release would be now, and what is missing:
    $ accordant project release --check
    Finish as ground truth, if everything is agreed:
    $ accordant project release
    Finish with what is unresolved:
    $ accordant project release --reason 'two readings stand'
    The releases there are:
    $ accordant project release --list
    """
    from ...resolution.steps import finish

    with acting.opened(reads=check or listed) as opened:
        if check or listed:
            show(opened, "releases" if listed else "release", output)
        elif opened.do(finish, reason=reason):
            for flag in opened.state.releases[-1].flags:
                click.echo(f"  · {flag}")
            click.echo("Next: accordant project export labels.csv, accordant project report")
