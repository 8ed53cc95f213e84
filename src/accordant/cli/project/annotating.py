"""`annotate`, `decline`: step 3, each coder alone."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...errors import RequestError, unknown
from ...numbers import count_of
from ..group import GIVEN, OUTPUT, READING, command
from ..options import option
from .acting import Acting, Opened, acting
from .typed import text_of

if TYPE_CHECKING:
    from ...resolution.work import AskedQuestion, Work

__all__ = ["annotate", "decline", "the_question", "work_of"]

QUESTION = option(
    GIVEN, "-q", "--question", metavar="QUESTION",
    help="Which question. Default: the only one of the round.",
)  # fmt: skip


def work_of(opened: Opened, *, todo: bool = False) -> Work:
    """What the person has to annotate.

    Raises
    ------
    RequestError
        If no round is open, or it asks nothing of this person.
    """
    from ...resolution.work import my_work

    work = my_work(opened.state, opened.viewer, todo=todo)
    if not work.round:
        epoch = opened.state.epoch
        why = (
            f"round {epoch.round.number} does not ask {opened.by}: it asks "
            f"{', '.join(epoch.round.coders)}"
            if epoch.round
            else "no round is open: a researcher opens one with `accordant project round open`"
        )
        raise RequestError(why)
    return work


def the_question(work: Work, name: str | None) -> AskedQuestion:
    """The question that is meant."""
    by_id = {question.id: question for question in work.questions}
    if name is None and len(by_id) == 1:
        return work.questions[0]
    if name is None:
        raise RequestError(f"which question? say -q with one of {', '.join(by_id)}")
    if name not in by_id:
        raise unknown("question", name, by_id, f"round {work.round} asks")
    return by_id[name]


@command(
    examples=(
        ("accordant project annotate --as bob", "item by item, at a terminal"),
        ("accordant project annotate --as bob --sheet bob.csv", "write a sheet to fill in"),
        ("accordant project annotate bob.csv --as bob", "read the sheet back; blanks are not yet"),
        ("accordant project annotate --item p7 --label yes --as bob", "one annotation"),
        (
            "accordant project annotate --item p8 --ambiguous 'missing context' --as bob",
            "the item is ambiguous, and why",
        ),
    )
)
@click.argument("file", metavar="[FILE]", required=False, type=click.Path(path_type=Path))
@option(GIVEN, "--item", metavar="ITEM", help="Annotate one item.")
@QUESTION
@option(
    GIVEN, "--label", "labels", multiple=True, metavar="LABEL",
    help="What you answer (repeat it where several labels may be given).",
)  # fmt: skip
@option(GIVEN, "--none", "nothing", is_flag=True, help="Answer that no label applies.")
@option(
    GIVEN, "--ambiguous", metavar="SOURCE",
    help="Answer that the item is ambiguous, and why: a source that the guidelines name.",
)  # fmt: skip
@option(
    GIVEN, "--not-applicable", metavar="REASON",
    help="Answer that the question does not apply, and why.",
)  # fmt: skip
@option(GIVEN, "--comment", metavar="TEXT", help="Something that goes with the annotation.")
@option(GIVEN, "--confidence", type=click.FloatRange(0, 1), metavar="P", help="From 0 to 1.")
@option(
    OUTPUT, "--sheet", metavar="FILE", type=click.Path(path_type=Path),
    help="Write an empty sheet to fill in, with what you have answered so far.",
)  # fmt: skip
@option(OUTPUT, "--force", is_flag=True, help="Replace the sheet if it exists.")
@option(
    GIVEN, "--ask", "by_asking", is_flag=True,
    help="Ask item by item; the default at a terminal.",
)  # fmt: skip
@option(READING, "--sheet-name", metavar="NAME", help="Sheet of a workbook to read.")
@acting
def annotate(
    acting: Acting,
    file: Path | None,
    item: str | None,
    question: str | None,
    labels: tuple[str, ...],
    nothing: bool,
    ambiguous: str | None,
    not_applicable: str | None,
    comment: str | None,
    confidence: float | None,
    sheet: Path | None,
    force: bool,
    by_asking: bool,
    sheet_name: str | None,
) -> None:
    """Annotate: item by item, from a sheet, or a single item.

    At a terminal the items that are left are shown one after another. Each answer is kept as soon
    as it is given, so you can stop at any time. In a file, the columns are item, question (if
    there are several), label, and perhaps comment, source (where the label is "ambiguous") and
    reason (where it is "not applicable"). Nobody sees your annotations before the round closes.
    """
    answers = [bool(labels), nothing, ambiguous is not None, not_applicable is not None]
    if sum(answers) > 1 or (any(answers) and item is None):
        raise click.UsageError(
            "give --item and one of --label, --none, --ambiguous, --not-applicable"
        )
    if item is not None and not any(answers):
        raise click.UsageError("say what you answer: --label, --ambiguous or --not-applicable")
    if sum(map(bool, (file, item, sheet))) > 1:
        raise click.UsageError("give a FILE, --item or --sheet, not several of them")
    if sheet is not None:
        with acting.opened(reads=True) as opened:
            from .sheets import write_sheet

            write_sheet(opened.state, work_of(opened), sheet, force=force)
        return
    with acting.opened() as opened:
        if file is not None:
            from .sheets import read_sheet

            read_sheet(opened, work_of(opened), file, sheet_name)
        elif item is not None:
            _one(opened, item, question, labels, ambiguous, not_applicable, comment, confidence)
        elif by_asking or sys.stdin.isatty():
            from .asking import ask

            ask(opened, question)
        else:
            raise click.UsageError("name a FILE or an --item: there is no terminal to ask at")
        _left(opened)


def _one(
    opened: Opened,
    item: str,
    name: str | None,
    labels: tuple[str, ...],
    ambiguous: str | None,
    not_applicable: str | None,
    comment: str | None,
    confidence: float | None,
) -> None:
    """Keep one annotation."""
    from ...resolution.commands.annotating import annotate as annotated
    from ...resolution.records import AMBIGUOUS, NOT_APPLICABLE, Answer, Note
    from .answers import answer_of

    question = the_question(work_of(opened), name)
    if ambiguous is not None:
        answer = AMBIGUOUS
    elif not_applicable is not None:
        answer = NOT_APPLICABLE
    elif labels:
        answer = answer_of("; ".join(labels), question, question.options)
    else:
        answer = Answer()
    note = Note(
        comment=comment or "",
        source=ambiguous or "",
        reason=not_applicable or "",
        confidence=confidence,
    )
    notes = {} if note == Note() else {item: note}
    opened.do(annotated, question=question.id, answers={item: answer}, notes=notes)


def _left(opened: Opened) -> None:
    """Say what is left to do."""
    work = work_of(opened)
    if work.n_left:
        click.echo(f"{count_of(work.n_left, 'annotation')} of {work.n_asked:,} left")
    else:
        click.echo(f"nothing is left: all {count_of(work.n_asked, 'annotation')} are given")


@command(
    examples=(
        ("accordant project decline p7 'I am its author' --as bob", "one item"),
        ("accordant project decline p7 p8 --reason 'not my language' --as bob", "several"),
    )
)
@click.argument("words", metavar="ITEM... [REASON]", nargs=-1, required=True)
@option(GIVEN, "--reason", metavar="TEXT", help="Why. Default: the last word.")
@QUESTION
@option(
    GIVEN, "--of", "coder", metavar="CODER",
    help="For a coder who has left, as a researcher. Default: yourself.",
)  # fmt: skip
@acting
def decline(
    acting: Acting,
    words: tuple[str, ...],
    reason: str | None,
    question: str | None,
    coder: str | None,
) -> None:
    """Say that you will not annotate an item, and why."""
    from ...resolution.commands.annotating import decline as declined

    items = words
    if reason is None and len(words) > 1:
        items, reason = words[:-1], words[-1]
    with acting.opened() as opened:
        some = opened.state.epoch.round
        asked = question or (some.questions[0] if some and len(some.questions) == 1 else None)
        if asked is None:
            raise RequestError("which question? say -q QUESTION")
        why = text_of(reason, "why")
        opened.do(declined, question=asked, items=items, reason=why, coder=coder)
