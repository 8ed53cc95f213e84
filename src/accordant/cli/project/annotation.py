"""`annotate`, `decline`: step 3, each coder alone: from a sheet, one item, or item by item."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click

from ...errors import RequestError, unknown
from ...kinds import Typed
from ...numbers import count_of
from ..output import check_new
from .actor import Acting, Opened, lines_of
from .definitions import step
from .keyboard import Back, Stop, at_terminal, hint_of, key, keys_of, line, one_of, say, text_of

if TYPE_CHECKING:
    from ...resolution.records import Answer, Note
    from ...resolution.work import AskedQuestion, Work, WorkItem

__all__ = ["annotate", "ask_items", "decline", "kept", "round_of"]


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
    if acting.looks and (submit or not (file or item)):
        raise click.UsageError("--preview is of a FILE or an --item, without --submit")
    given = [bool(labels), none, bool(ambiguous), bool(not_applicable)]
    if sum(given) > 1 or any(given) is not bool(item):
        raise click.UsageError(
            "give --item and one of --label, --none, --ambiguous, --not-applicable"
        )
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
        if opened.looks:
            return
        work = work_of(opened)
        all_of = (
            f"all {work.n_asked:,} annotations are" if work.n_asked > 1 else "the annotation is"
        )
        done = f"nothing is left: {all_of} given"
        left = f"{count_of(work.n_left, 'annotation')} of {work.n_asked:,} left"
        click.echo(left if work.n_left else done)
        if submit or (asked and not work.n_left and not work.done and _wants_to_submit()):
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
        raise RequestError(
            f"round {some.number} does not ask {opened.by}: it asks {', '.join(some.coders)}"
        )
    if not work.round:
        raise RequestError(
            "no round is open: a researcher opens one with accordant project round open"
        )
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
    then = opened.again(f"annotate {shlex.quote(str(path))}")
    click.echo(f"written to {path}: fill in {what}, then: {then}", err=True)


def _read_sheet(opened: Opened, path: Path, sheet: str | None) -> None:
    """Keep what a sheet holds; everything in it is checked before anything is kept."""
    from ...resolution.annotation import annotate_sheet
    from ...resolution.answer_sheets import read_answers

    answers, notes, blank = read_answers(path, work_of(opened), sheet)
    opened.do(annotate_sheet, answers=answers, notes=notes)
    if blank and work_of(opened).n_left:
        click.echo(f"{count_of(blank, 'row')} of {path.name} without a label: not yet")


def _ask(opened: Opened, only: str) -> None:
    """Item by item, until nothing is left or the coder stops."""
    work = work_of(opened)
    if only:
        _question(work, only)
    try:
        ask_items(opened, opened.by, only)
    except (Stop, click.Abort, EOFError, KeyboardInterrupt):
        click.echo()


def _wants_to_submit() -> bool:
    """Asked of who was led through the items; whoever has stopped says nothing."""
    try:
        return click.confirm("  Submit the round?", default=True)
    except click.Abort:
        click.echo()
        return False


# ------------------------------------------------------------------ item by item

HELP = """\
a   the item is ambiguous · n   the question does not apply · c   add a comment to the next \
answer · r   the rules and concepts · d   decline to annotate this · s   not now, the next item · \
b   back to the item before · q   stop; what was given is kept · \
:s  and so on, where a label is one of these letters""".replace(" · ", "\n")


def round_of(opened: Opened, person: str) -> Work:
    """The open round as a person meets it: its questions, and how much is left."""
    from ...resolution.work import my_work

    return my_work(opened.state, person, todo=True, most=0)


def kept(opened: Opened, person: str, function: Any, *, tell: bool = False, **given: Any) -> bool:
    """Keep it, and say what follows if that is wanted; or say why it cannot be kept."""
    from ...errors import AccordantError, Conflict, StoreError
    from ...resolution.command import Refused

    try:
        events = opened.project.do(function, person, **given)
    except Refused as refused:
        click.echo("\n".join(lines_of(refused.unmet)))
        return False
    except AccordantError as error:
        if isinstance(error, StoreError) and not isinstance(error, Conflict):
            raise
        say(str(error))
        return False
    if tell:
        opened.tell(events, following=False)
    return True


def ask_items(opened: Opened, person: str, only: str = "") -> None:
    """Show what is left, one item after another, and keep each answer.

    Raises
    ------
    Stop
        If the person wants to stop.
    """
    work = round_of(opened, person)
    if not work.n_left:
        return
    say(f"round {work.round}: {count_of(work.n_left, 'annotation')} left. ? shows the keys.")
    if len(work.questions) == 1:
        say(work.questions[0].text)
    seen = dict[str, None]()
    while (item := _next(opened, person, seen, only)) is not None:
        seen[item.id] = None
        try:
            _about(opened, person, work, item, only)
        except Back:
            del seen[item.id]
            _before(opened, person, work, seen)


def _next(opened: Opened, person: str, seen: dict[str, None], only: str) -> WorkItem | None:
    """The next item that is left and was not met yet."""
    from ...resolution.work import next_item

    first = item = next_item(opened.state, person, next(reversed(seen), ""))
    while item is not None and (item.id in seen or (only and only not in item.todo)):
        item = next_item(opened.state, person, item.id)
        if first is None or item is None or item.id == first.id:
            return None
    return item


def _before(opened: Opened, person: str, work: Work, seen: dict[str, None]) -> None:
    """The item before, asked anew; a new answer takes the place of the old one."""
    from ...resolution.work import work_item

    while seen:
        last = next(reversed(seen))
        try:
            _about(opened, person, work, work_item(opened.state, person, last), again=True)
            return
        except Back:
            del seen[last]


def _about(
    opened: Opened, person: str, work: Work, item: WorkItem, only: str = "", *, again: bool = False
) -> None:
    """Ask what is left about one item; with ``again`` everything."""
    answers = {} if again else dict(item.answers)
    click.echo()
    say(f"{item.id}  {round_of(opened, person).n_left:,} left", bold=True)
    for text in filter(None, (item.context, item.text)):
        say(text)
    for question in work.questions:
        declined = question.id in item.declined and not again
        if question.id in answers or declined or only not in ("", question.id):
            continue
        if (when := question.asked_if) is not None:
            parent = answers.get(when.question)
            if parent is None or set(parent.labels).isdisjoint(when.labels):
                continue
        answer = _answered(opened, person, work, item, question)
        if answer is not None:
            answers[question.id] = answer


def _answered(
    opened: Opened, person: str, work: Work, item: WorkItem, question: AskedQuestion
) -> Answer | None:
    """Ask until there is an answer that can be kept; None where it is declined or put off."""
    from ...resolution import steps
    from ...resolution.records import AMBIGUOUS, NOT_APPLICABLE, Note

    if len(work.questions) > 1:
        say(question.text, f"{question.id}: ")
    keys = keys_of(question.options) if question.answering == "one" else {}
    comment, shown = "", hint_of(question.options) if keys else " | ".join(question.options)
    while True:
        labels = question.options
        typed = key(f"[{shown}]", labels=labels) if keys else _typed(f"[{shown}]")
        given: Any = keys.get(typed, typed)
        note = Note(comment)
        match given if given in labels else f"key {typed.removeprefix(':')}":
            case "key s":
                return None
            case "key c":
                comment = line("comment")
                continue
            case "key r":
                _rules(opened, question)
                continue
            case "key d":
                if kept(
                    opened,
                    person,
                    steps.decline,
                    question=question.id,
                    items=(item.id,),
                    reason=line("why"),
                ):
                    return None
                continue
            case "key a":
                given, note = AMBIGUOUS, Note(comment, source=_source(work))
            case "key n":
                given, note = NOT_APPLICABLE, Note(comment, reason=line("why"))
            case "key ?":
                say(HELP, dim=True)
                continue
        notes = {} if note == Note() else {item.id: note}
        answers = {item.id: given}
        if kept(opened, person, steps.annotate, question=question.id, answers=answers, notes=notes):
            epoch = opened.state.epoch
            sheet = epoch.rounds[-1].sheet[question.id][person]
            return epoch.answers[sheet[opened.state.items.positions[item.id]]]


def _typed(what: str) -> str:
    """A whole line, or a key after a colon: what is answered may have any length."""
    typed = line(what)
    if typed in (":q", ":b"):
        raise {":q": Stop, ":b": Back}[typed]
    return typed


def _source(work: Work) -> str:
    """Why the item is ambiguous, by number or by name."""
    return one_of("why", work.ambiguity.sources if work.ambiguity else ())


def _rules(opened: Opened, question: AskedQuestion) -> None:
    """The rules and concepts that bear on a question."""
    for rule in question.rules:
        say(rule.text, f"rule {rule.id}  ", dim=True)
    for versions in opened.state.epoch.concepts.values():
        if question.id in versions[-1].questions:
            say(versions[-1].definition, f"{versions[-1].name}: ", dim=True)
    if not question.rules:
        say(f"no rule is about question {question.id}", dim=True)
