"""Annotation item by item at a terminal: every answer is kept as soon as it is given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ...errors import RequestError
from ...numbers import count_of, joined
from ...resolution.records import Answer
from .acting import Opened
from .toolbox_shown import heading, paragraph

if TYPE_CHECKING:
    from ...resolution.records import Note
    from ...resolution.work import AskedQuestion, Work, WorkItem

__all__ = ["HELP", "ask"]

HELP = """\
:s       not now, the next item          :q   stop; what was given is kept
:a       the item is ambiguous           :n   the question does not apply
:d       decline to annotate this        :c   add a comment to the next answer
:r       the rules and concepts          :?   this help"""

DECLINED = Answer(special="declined")  # of this module: never kept


class Stop(Exception):  # noqa: N818 (no error: the coder wants to stop)
    """The coder wants to stop."""


def ask(opened: Opened, only: str | None) -> None:
    """Show what is left, one item after another, and keep each answer."""
    from .annotating import the_question, work_of

    work = work_of(opened, todo=True)
    if only is not None:
        the_question(work, only)
    if not work.n_left:
        return
    click.echo(
        f"round {work.round}: {count_of(work.n_left, 'annotation')} left. Type a label, or :? for "
        "what else can be typed."
    )
    left = work.n_left
    if len(work.questions) == 1:
        paragraph(work.questions[0].text)
    try:
        for item in work.items:
            left = _about(opened, work, item, only, left)
    except (Stop, click.Abort, EOFError):
        click.echo()


def _about(opened: Opened, work: Work, item: WorkItem, only: str | None, left: int) -> int:
    """Ask what is left about one item; how much is left then."""
    answers = dict(item.answers)
    shown = False
    for question in work.questions:
        wanted = only is None or question.id == only
        if question.id in answers or question.id in item.declined or not wanted:
            continue
        asked_if = question.asked_if
        if asked_if is not None:
            parent = answers.get(asked_if.question)
            if parent is None or set(parent.labels).isdisjoint(asked_if.labels):
                continue
            left += question.id not in item.asks  # an answer of just now asks for it
        if not shown:
            click.echo()
            heading(item.id, f"{left:,} left")
            for text in filter(None, (item.context, item.text)):
                paragraph(text)
            shown = True
        given = _answered(opened, work, item, question)
        if given is None:
            continue
        left -= 1
        if given is not DECLINED:
            answers[question.id] = given
    return left


def _answered(opened: Opened, work: Work, item: WorkItem, question: AskedQuestion) -> Answer | None:
    """Ask until there is an answer that can be kept; None if it is put off."""
    from ...resolution.commands.annotating import annotate, decline
    from ...resolution.records import Note

    if len(work.questions) > 1:
        paragraph(question.text, mark=f"{question.id}: ")
    comment = ""
    while True:
        typed = _line(f"[{' | '.join(question.options)}]")
        if typed == ":q":
            raise Stop
        if typed == ":s":
            return None
        if typed == ":c":
            comment = _line("comment")
            continue
        if typed == ":r":
            _rules(opened, question)
            continue
        if typed == ":d":
            why = _line("why")
            if _kept(opened, decline, question=question.id, items=(item.id,), reason=why):
                return DECLINED
            continue
        meant = _meant(typed, work, question, comment)
        if meant is None:
            continue
        answer, note = meant
        notes = {} if note == Note() else {item.id: note}
        if _kept(opened, annotate, question=question.id, answers={item.id: answer}, notes=notes):
            return answer


def _meant(
    typed: str, work: Work, question: AskedQuestion, comment: str
) -> tuple[Answer, Note] | None:
    """The answer and the note that were typed; None if they were not understood."""
    from ...resolution.records import AMBIGUOUS, NOT_APPLICABLE, Note
    from .answers import answer_of

    if typed == ":a":
        return AMBIGUOUS, Note(comment=comment, source=_source(work))
    if typed == ":n":
        return NOT_APPLICABLE, Note(comment=comment, reason=_line("why"))
    if typed.startswith(":"):
        paragraph(HELP, dim=True)
        return None
    try:
        return answer_of(typed, question, question.options), Note(comment=comment)
    except RequestError as error:
        click.echo(f"  {error}")
        return None


def _line(what: str) -> str:
    return str(click.prompt(f"  {what}", prompt_suffix=" > ")).strip()


def _kept(opened: Opened, function: Any, **given: Any) -> bool:
    """Keep it, or say why it cannot be kept."""
    from ...resolution.refusal import Refused
    from .refusing import lines_of

    try:
        opened.project.do(function, opened.by, **given)
    except Refused as refused:
        for line in lines_of(refused.unmet):
            click.echo(line)
        return False
    except RequestError as error:
        click.echo(f"  {error}")
        return False
    return True


def _source(work: Work) -> str:
    """Why the item is ambiguous, by number or by name."""
    sources = work.ambiguity.sources if work.ambiguity else ()
    for k, source in enumerate(sources, 1):
        click.echo(f"    {k}  {source}")
    typed = _line("why")
    if typed.isdecimal() and 0 < int(typed) <= len(sources):
        return sources[int(typed) - 1]
    return typed


def _rules(opened: Opened, question: AskedQuestion) -> None:
    """The rules and concepts that bear on a question."""
    for rule in question.rules:
        paragraph(rule.text, mark=f"rule {rule.id}  ", dim=True)
    for versions in opened.state.epoch.concepts.values():
        concept = versions[-1]
        if question.id in concept.questions:
            paragraph(concept.definition, mark=f"{concept.name}: ", dim=True)
    if not question.rules:
        paragraph(f"no rule is about question {joined([question.id])}", dim=True)
