"""What an act led to, in a sentence for each event; many of one kind are counted."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

import click

from ...diagnosis.words import quoted
from ...numbers import count_of, joined
from ..terminal import width

if TYPE_CHECKING:
    from ...resolution.events.event import Event
    from ...resolution.state import State

__all__ = ["MANY", "SAYS", "deviation_text", "print_happened", "questions", "sentences"]

MOST = 3  # events of a kind that are told one by one


def questions(ids: Sequence[str]) -> str:
    """The questions that something is about, by their ids.

    Examples
    --------
    >>> questions(["claim"]), questions(["claim", "scope"])
    ('question claim', 'questions claim and scope')
    """
    return f"question{'s' * (len(ids) > 1)} {joined(ids)}"


def _cells(counts: dict[str, int]) -> str:
    return joined(f"{n:,} {state}" for state, n in counts.items() if n)


def _round(event: Any) -> str:
    of = f"{count_of(len(event.items), 'item')}" if event.items else "all items"
    about = questions(event.questions)
    return f"round {event.number} is open and blind: {joined(event.coders)} annotate {about}, {of}"


def _order(event: Any) -> str:
    of = count_of(len(event.items), "item") if event.items else "all items"
    return (
        f"re-annotation {event.order} is owed, agreed items included: "
        f"{questions(event.questions)}, {of} ({event.trigger})"
    )


def _person(event: Any) -> str:
    return f"{event.name} takes part as {joined(role.value for role in event.roles)}"


def deviation_text(one: Any) -> str:
    """A deviation in a sentence: what kind it is, unless a person has stated it."""
    if one.code in ("stated", one.text) or not one.text:
        return str(one.text or one.code)
    return f"{one.code}: {one.text}"


def _numbers(events: list[Any]) -> str:
    return joined(str(event.case) for event in events)


def _aggregated(event: Any) -> str:
    told = f"{quoted(str(event.answer))}" if event.answer is not None else "a tie, left disagreed"
    return f"case {event.case}: {event.method} gives {told}"


SAYS: dict[str, Callable[[Any], str]] = {
    "project created": lambda e: f"project {quoted(e.title)} begins",
    "person added": _person,
    "training recorded": lambda e: f"training of {joined(e.coders)} is recorded",
    "purpose stated": lambda e: f"the purpose is {e.purpose.value}",
    "research question stated": lambda e: f"research question {e.id} is stated",
    "hypothesis stated": lambda e: f"hypothesis {e.id} is stated",
    "moved": lambda e: f"the project is at “{e.target.value}”",
    "finding recorded": lambda e: "what the research found is recorded",
    "deviation recorded": lambda e: f"deviation, printed on every export: {deviation_text(e)}",
    "adjudicator appointed": lambda e: (
        f"{e.person} is the adjudicator"
        + (" (appointed late: this is printed on every release)" if e.late else "")
    ),
    "imported": lambda e: f"annotations came in from {e.source}",
    "data statement written": lambda e: f"section {e.section} of the data statement is written",
    "released": lambda e: f"release {e.version}: {e.status.value}",
    "task written": lambda e: f"the task is written: {count_of(len(e.task.questions), 'question')}",
    "guidelines written": lambda e: f"guidelines {e.guidelines.version} are written",
    "concept written": lambda e: (
        f"concept {quoted(e.concept.name)}, version {e.concept.version}, is written"
    ),
    "acknowledged": lambda e: f"{e.coder} has read the task and guidelines {e.guidelines}",
    "signed off": lambda e: f"{e.coder} agrees to {quoted(e.concept)}, version {e.version}",
    "objected": lambda e: (
        f"{e.coder} objects to "
        + (f"{quoted(e.concept)}, version {e.version}" if e.concept else "the guidelines")
    ),
    "objection withdrawn": lambda e: f"{e.coder} no longer objects",
    "editorial change confirmed": lambda e: (
        f"{e.coder} confirms that guidelines {e.version} change no score"
    ),
    "items added": lambda e: f"{count_of(len(e.items.ids), 'item')} came in",
    "items frozen": lambda e: f"{count_of(e.n_items, 'item')} are settled",
    "assigned": lambda e: f"{e.coder} annotates {count_of(len(e.items), 'item')}",
    "round opened": _round,
    "annotated": lambda e: (
        f"{e.coder}: {count_of(len(e.items), 'annotation')} of question {e.question} kept"
    ),
    "declined": lambda e: (
        f"{e.coder} declines {count_of(len(e.items), 'item')} on question {e.question}"
    ),
    "round closed": lambda e: f"round {e.number} is closed",
    "compared": lambda e: "; ".join(
        f"question {q}: {_cells(n)}" for q, n in e.counts.items() if _cells(n)
    ),
    "reannotation ordered": _order,
    "order waived": lambda e: f"re-annotation {e.order} is waived",
    "case opened": lambda e: f"case {e.case}: item {e.item}, question {e.question}",
    "cases grouped": lambda e: f"group {quoted(e.group)}: {count_of(len(e.cases), 'case')}",
    "reason given": lambda e: f"case {e.case}: {e.coder} gave a reason",
    "cause proposed": lambda e: f"case {e.case}: {e.by} proposes cause {e.cause.value}",
    "cause accepted": lambda e: f"case {e.case}: {e.by} accepts the cause",
    "cause refused": lambda e: f"case {e.case}: {e.by} does not accept the cause",
    "cause withdrawn": lambda e: f"case {e.case}: {e.by} takes the cause back",
    "cause disputed": lambda e: f"case {e.case} goes on as {e.cause.value}, without consent",
    "rescored": lambda e: (
        f"case {e.case}: {e.coder} now says {quoted(str(e.answer))} about item "
        f"{e.item}, question {e.question}"
    ),
    "outcome proposed": lambda e: f"case {e.case}: {e.by} proposes {quoted(str(e.answer))}",
    "outcome accepted": lambda e: f"case {e.case}: {e.by} accepts the outcome",
    "outcome refused": lambda e: f"case {e.case}: {e.by} does not accept the outcome",
    "case agreed": lambda e: (
        f"case {e.case} is agreed: {quoted(str(e.answer))} ({e.outcome.value})"
    ),
    "case returned": lambda e: f"case {e.case} waits for the toolbox",
    "case postponed": lambda e: f"case {e.case} waits for research, until {e.review_date}",
    "case reopened": lambda e: f"case {e.case} is open again: {e.reason}",
    "case closed": lambda e: f"case {e.case} is closed: {e.reason}",
    "case left disagreed": lambda e: f"case {e.case} is left disagreed",
    "case decided": lambda e: f"case {e.case}: {e.by} decides {quoted(str(e.answer))}",
    "case aggregated": _aggregated,
}
"""A sentence for each kind of event."""

MANY: dict[str, Callable[[list[Any]], str]] = {
    "case opened": lambda es: (
        f"{count_of(len(es), 'case')} are open: {es[0].case} to {es[-1].case}"
    ),
    "case agreed": lambda es: f"{count_of(len(es), 'case')} are agreed: {_numbers(es)}",
    "assigned": lambda es: f"items are assigned to {joined([e.coder for e in es])}",
    "annotated": lambda es: (
        f"{es[0].coder}: {count_of(sum(len(e.items) for e in es), 'annotation')}"
        f" of {count_of(len({e.question for e in es}), 'question')} kept"
    ),
}
"""A sentence for many events of a kind, where it says more than their number."""


def sentences(events: Iterable[Event]) -> list[str]:
    """What happened, in the order in which it happened."""
    told = []
    for kind, group in groupby(events, key=lambda event: event.kind):
        each = list(group)
        if len(each) <= MOST:
            told += [SAYS[kind](event) for event in each]
        elif kind in MANY:
            told.append(MANY[kind](each))
        else:
            told += [SAYS[kind](event) for event in each[:MOST]]
            told.append(f"and {len(each) - MOST:,} more of this kind: {kind}")
    return [sentence for sentence in told if sentence]


def print_happened(events: Iterable[Event], state: State) -> None:
    """Print what happened, and which questions somebody is asked because of it."""
    each = list(events)
    for sentence in sentences(each):
        click.echo(textwrap.fill(f"✓ {sentence}", width(), subsequent_indent="  "))
    for sentence in _asked_now(each, state):
        click.echo(textwrap.fill(sentence, width(), subsequent_indent="  ",
                                 break_on_hyphens=False))  # fmt: skip


def _asked_now(events: Iterable[Event], state: State) -> Iterator[str]:
    """Dependent questions that coders are asked since they changed an answer."""
    from ...resolution.cells import asked_at
    from ...resolution.disagreement import held
    from ...resolution.events.cases import Rescored

    for event in events:
        if not isinstance(event, Rescored):
            continue
        where = state.items.positions[event.item]
        for question in state.epoch.questions.values():
            if question.asked_if is None or question.asked_if.question != event.question:
                continue
            if event.coder not in asked_at(state.epoch, where, question.id):
                continue
            if event.coder in held(state.epoch, where, question.id):
                continue
            of = "" if question.id == event.question else f" --question {question.id}"
            item = "" if _is_of(state, event.case, event.item) else f" --item {event.item}"
            yield (
                f"Next: {event.coder} is now asked question {question.id} about {event.item}: "
                f"accordant project case {event.case} rescore ANSWER{of}{item}"
            )


def _is_of(state: State, case: int, item: str) -> bool:
    one = state.epoch.cases.get(case)
    return one is not None and state.items.ids[one.item] == item
