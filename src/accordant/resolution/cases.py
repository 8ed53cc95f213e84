"""Talking about cases: reasons, groups, and opening again what seemed settled."""

from __future__ import annotations

from typing import TypeVar

from ..errors import RequestError
from .case_guards import given, may_speak
from .case_table import unmet_in
from .command import Events, Unmet, command, require
from .disagreement import Cases, cases_named
from .event import Event, Stamp, on
from .records import Answer
from .state import Agreement, Assessment, Case, Proposal, State, Turn
from .wording import identifier
from .words import SPEAKERS, CaseState, Outcome, Step

__all__ = [
    "CaseAgreed", "CaseClosed", "CaseEvent", "CaseOpened", "CaseReopened", "CasesGrouped",
    "case_of", "consented", "discuss_again", "drop_proposals", "group_cases",
    "proposal_named", "reopen", "told_in", "turn",
]  # fmt: skip


class CaseEvent(Event, frozen=True):
    """Something that happened in a case.

    A consent or refusal names the event that proposed what it is about; 0, in older logs, is
    whatever stood then.
    """

    within = "case {0.case}"

    case: int


class CaseOpened(CaseEvent, frozen=True, tag="case opened"):
    """Annotations of one item conflict on one question."""

    says = "case {case}: item {item}, question {question}"

    item: str
    question: str
    round: int
    because: str = "comparison"  # or "rescoring", "dependency", "missing proof" …


class CasesGrouped(Event, frozen=True, tag="cases grouped"):
    """Cases that look alike are handled together; each still has a record of its own."""

    says = "group “{group}”: {cases:case}"
    within = "group {0.group}"

    group: str
    cases: tuple[int, ...]
    reason: str = ""


class CaseAgreed(CaseEvent, frozen=True, tag="case agreed"):
    """All coders of the item accept one answer, justified by an element of the toolbox."""

    says = "case {case} is agreed: “{answer}” ({outcome})"

    answer: Answer
    outcome: Outcome
    cites: tuple[str, ...]
    consents: tuple[str, ...]
    text: str = ""


class CaseReopened(CaseEvent, frozen=True, tag="case reopened"):
    """Back to discussion; everything said before is kept."""

    says = "case {case} is open again: {reason}"

    reason: str


class CaseClosed(CaseEvent, frozen=True, tag="case closed"):
    """Superseded: the cell no longer conflicts for another reason, or its epoch has ended."""

    says = "case {case} is closed: {reason}"

    reason: str


def case_of(state: State, number: int) -> Case:
    """The case an event is about; of an earlier epoch too, which closes its cases as it ends."""
    for epoch in reversed(state.epochs):
        if number in epoch.cases:
            return epoch.cases[number]
    raise KeyError(f"the log names case {number} before it was opened")


def told_in(state: State, event: CaseEvent, stamp: Stamp) -> Case:
    """The case an event is about, with what happened at the end of its thread."""
    case = case_of(state, event.case)
    case.thread.append(
        Turn(
            state.seq,
            stamp[0],
            getattr(event, "by", "") or getattr(event, "coder", "") or stamp[1],
            event.kind,
            case.state,
            getattr(event, "text", "") or getattr(event, "reason", ""),
            getattr(event, "cites", ()),
            getattr(event, "highlights", ()),
            getattr(event, "proposal", 0) or getattr(event, "reply_to", 0),
        )
    )
    return case


def turn(case: Case, to: CaseState, why: str = "") -> None:
    """A case goes to another state with what was last said in it."""
    case.state = case.thread[-1].state = to
    case.thread[-1].why = why


P = TypeVar("P", Assessment, Proposal)


def proposal_named(proposals: list[P], number: int) -> P:
    """The proposal that a consent names; in older logs it names none, and means the last one."""
    return next(one for one in reversed(proposals) if not number or one.seq == number)


def drop_proposals(case: Case) -> None:
    """Whatever was proposed and is undecided has come to nothing."""
    for proposal in case.proposals:
        proposal.ended = True


def discuss_again(case: Case, why: str) -> None:
    """Back to discussion."""
    drop_proposals(case)
    turn(case, CaseState.REASONS if case.reasons else CaseState.OPEN, why)


@on(CaseOpened)
def _opened(state: State, event: CaseOpened, stamp: Stamp) -> None:
    epoch = state.epoch
    item = state.items.positions[event.item]
    case = Case.of(event, number=event.case, item=item, epoch=epoch.number, opened=stamp[0])
    epoch.cases[event.case] = case
    turn(told_in(state, event, stamp), case.state, event.because)


@on(CasesGrouped)
def _grouped(state: State, event: CasesGrouped, stamp: Stamp) -> None:
    for number in state.groups.get(event.group, ()):  # the name may have stood for others
        if case_of(state, number).group == event.group:
            case_of(state, number).group = ""
    state.groups[event.group] = event.cases
    for number in event.cases:
        case_of(state, number).group = event.group


def consented(state: State, to: list[P], number: int, person: str) -> P:
    """A consent to what was proposed in a case, as its number says.

    In older logs it names no proposal: it may be meant for any other that stood since the person
    last acted.
    """
    wanted, last = proposal_named(to, number), state.last.get(person, 0)
    wanted.consents.append(person)
    wanted.events[person] = state.seq
    for other in to[:-1] if not number else ():
        if other.seq > last and other.content != wanted.content:
            wanted.rivals[person] = other.seq
    return wanted


@on(CaseAgreed)
def _agreed(state: State, event: CaseAgreed, stamp: Stamp) -> None:
    case = told_in(state, event, stamp)
    drop_proposals(case)
    if case.reopened == state.seq - 1:  # annotated again: not by a person
        case.reopenings.pop()
    old, content = case.agreement, (event.answer, event.outcome, event.cites)
    same = old is not None and content == (old.answer, old.outcome, old.cites)
    if old is None or not same or case.reopened > old.seq:
        # otherwise somebody has joined those who agreed
        case.agreement = Agreement.of(event, seq=state.seq, ending=state.epoch.ending)
    case.answer, case.outcome, case.settled = event.answer, event.outcome, None
    case.cites, case.consents, case.text = event.cites, event.consents, event.text
    case.decided_by, case.method = "", ""
    case.toolbox = state.ordinal
    turn(case, CaseState.AGREED, event.outcome.value)


@on(CaseReopened)
def _reopened(state: State, event: CaseReopened, stamp: Stamp) -> None:
    case = told_in(state, event, stamp)
    case.reopenings.append(state.seq)
    case.answer = case.outcome = case.settled = None
    case.cites, case.consents, case.text = (), (), ""
    case.decided_by, case.method, case.review_date = "", "", ""
    discuss_again(case, event.reason)


@on(CaseClosed)
def _closed(state: State, event: CaseClosed, stamp: Stamp) -> None:
    case = told_in(state, event, stamp)
    drop_proposals(case)
    turn(case, CaseState.CLOSED, event.reason)


@command(
    "case group",
    "handle cases together that look alike",
    typed="group",
    roles=SPEAKERS,
    steps=(Step.RESOLUTION,),
)
def group_cases(state: State, by: str, *, name: str, cases: Cases, reason: str = "") -> Events:
    """Give several cases one name, or list the names.

    Parameters
    ----------
    state : State
    by : str
    name : str
        Of the group: not a number. It then stands for all of its cases.
    cases : numbers or names of groups
        The cases that look alike.
    reason : str
        What they have in common.

    Examples
    --------
    Name three cases:
    $ accordant project group wording 3 5 8 --reason 'the same phrase'
    Then use the name:
    $ accordant project case wording accept
    The groups there are:
    $ accordant project group
    """
    title = identifier("the name of a group", name, state.groups) if name.strip() else ""
    if not title or title.isdecimal():
        raise RequestError(f"a group of cases needs a name that is not a number, found {name!r}")
    members = cases_named(state, cases)
    unmet = [u for case in members for u in may_speak(state, case, by)]
    if len(members) < 2:
        unmet.append(Unmet("group", "one case is no group", "name several cases", argument=True))
    require(f"grouping cases as {title!r}", unmet)
    return [CasesGrouped(title, tuple(case.number for case in members), reason.strip())]


@command("case reopen", "open a case again", roles=SPEAKERS, steps=(Step.RESOLUTION,))
def reopen(state: State, by: str, *, cases: Cases, reason: str) -> Events:
    """Open cases again; everything said before is kept.

    Parameters
    ----------
    state : State
    by : str
        A coder of the item, a moderator or a researcher.
    cases : numbers or names of groups
    reason : str
        Why.

    Examples
    --------
    One case:
    $ accordant project case 3 reopen 'the rule was read wrongly'
    Several:
    $ accordant project case 3-5 reopen 'the rule was read wrongly'
    """
    named = cases_named(state, cases)
    require("opening cases again", given(reason) + unmet_in("case reopen", state, by, named))
    return [CaseReopened(case.number, reason.strip()) for case in named]
