"""Item by item: what is left to a coder is shown, asked and kept, one answer after another."""

from __future__ import annotations

from textwrap import indent
from typing import TYPE_CHECKING, Any

import click

from ...numbers import count_of
from ..terminal import COLOUR
from .acting import Opened, lines_of
from .keyboard import Back, Stop, hint_of, key, keys_of, line, one_of, say

if TYPE_CHECKING:
    from ...resolution.records import Answer
    from ...resolution.work import AskedQuestion, Work, WorkItem

__all__ = ["ask_items", "kept", "round_of"]

HELP = """\
s   not now, the next item          b   back to the item before
a   the item is ambiguous           n   the question does not apply
d   decline to annotate this        c   add a comment to the next answer
r   the rules and concepts          q   stop; what was given is kept
Where a label is one of these letters, the keys are :s, :q and so on."""


def round_of(opened: Opened, person: str) -> Work:
    """The open round as a person meets it: its questions, and how much is left."""
    from ...resolution.work import my_work

    return my_work(opened.state, person, todo=True, most=0)


def kept(opened: Opened, person: str, function: Any, *, tell: bool = False, **given: Any) -> bool:
    """Keep it, and say what follows if that is wanted; or say why it cannot be kept."""
    from ...errors import AccordantError, Conflict, StoreError
    from ...resolution.refusal import Refused

    try:
        events = opened.project.do(function, person, **given)
    except Refused as refused:
        click.echo("\n".join([*lines_of(refused.unmet), *(f"  {n}" for n in refused.notes)]))
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
                if kept(opened, person, steps.decline, question=question.id, items=(item.id,),
                        reason=line("why")):  # fmt: skip
                    return None
                continue
            case "key a":
                given, note = AMBIGUOUS, Note(comment, source=_source(work))
            case "key n":
                given, note = NOT_APPLICABLE, Note(comment, reason=line("why"))
            case "key ?":
                click.echo(click.style(indent(HELP, "  "), dim=True), color=COLOUR)
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
