"""Talking about cases: reasons, argument, groups, and opening again what seemed settled."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, TypeVar

from ..errors import RequestError, unknown
from ..kinds import Typed
from .case_state import Agreement, Assessment, Case, Proposal, Reason, Turn
from .case_table import Here, given, may_speak, unmet_in
from .command import Cites, Events, Unmet, command, require
from .disagreement import (
    Cases,
    awaited_assessment,
    awaited_proposal,
    cases_named,
    label_of_case,
    the_case,
)
from .event import Event, Stamp, on
from .records import Answer, Highlight
from .state import State
from .toolbox import cited
from .wording import identifier
from .words import CODERS, RESOLVING, SPEAKERS, CaseState, Outcome

__all__ = [
    "CaseAgreed",
    "CaseClosed",
    "CaseEvent",
    "CaseOpened",
    "CaseReopened",
    "CasesGrouped",
    "ConsentTakenBack",
    "ReasonGiven",
    "Remarked",
    "case_of",
    "consented",
    "discuss_again",
    "drop_proposals",
    "give_reason",
    "group_cases",
    "in_case",
    "proposal_named",
    "remark",
    "reopen",
    "take_back_consent",
    "told_in",
    "turn",
]


class CaseEvent(Event, frozen=True):
    """Something that happened in a case.

    A consent or refusal names the event that proposed what it is about; 0, in older logs, is
    whatever stood then.
    """

    within = "case {0.case}"

    case: int

    def reach(self, state: State) -> tuple[int, ...] | None:
        """The item of the case, and the one that the event names."""
        own = getattr(state.epoch.cases.get(self.case), "item", None)
        named = state.items.positions.get(getattr(self, "item", ""))
        return tuple(item for item in (own, named) if item is not None) or None


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
    beside = True
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


C = TypeVar("C", bound=CaseEvent)
InCase = Callable[[State, Case, C, Stamp], None]


def in_case(kind: type[C]) -> Callable[[InCase[C]], InCase[C]]:
    """Register what a kind of event does to its case, whose thread ends with it then."""

    def register(fold: InCase[C]) -> InCase[C]:
        on(kind)(
            lambda state, event, stamp: fold(state, told_in(state, event, stamp), event, stamp)
        )
        return fold

    return register


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


@in_case(CaseAgreed)
def _agreed(state: State, case: Case, event: CaseAgreed, stamp: Stamp) -> None:
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


@in_case(CaseReopened)
def _reopened(state: State, case: Case, event: CaseReopened, stamp: Stamp) -> None:
    case.reopenings.append(state.seq)
    case.answer = case.outcome = case.settled = None
    case.cites, case.consents, case.text = (), (), ""
    case.decided_by, case.method, case.review_date = "", "", ""
    discuss_again(case, event.reason)


@in_case(CaseClosed)
def _closed(state: State, case: Case, event: CaseClosed, stamp: Stamp) -> None:
    drop_proposals(case)
    turn(case, CaseState.CLOSED, event.reason)


@command(
    "case group",
    "handle cases together that look alike",
    typed="group",
    roles=SPEAKERS,
    steps=RESOLVING,
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
    $ accordant project group wording 3,5,8 --reason 'the same phrase'
    Then use the name:
    $ accordant project case wording accept
    The groups there are:
    $ accordant project group
    """
    title = identifier("the name of a group", name, state.groups) if name.strip() else ""
    if not title or title.isdecimal():
        raise RequestError(f"a group of cases needs a name that is not a number, found {name!r}")
    members = cases_named(state, cases)
    unmet = [u for case in members for u in may_speak(Here(state, case, by))]
    if len(members) < 2:
        unmet.append(Unmet("group", "one case is no group", "name several cases", argument=True))
    require(f"grouping cases as {title!r}", unmet)
    return [CasesGrouped(title, tuple(case.number for case in members), reason.strip())]


@command("case reopen", "open a case again", roles=SPEAKERS, steps=RESOLVING)
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


Stretch = Highlight | tuple[int, int]
Stretches = Annotated[Sequence[Stretch] | Stretch | None, Typed("FROM-TO", "--highlight")]
"""Stretches of the text of an item."""
Marks = tuple[Highlight, ...]


class ReasonGiven(CaseEvent, frozen=True, tag="reason given"):
    """A coder says why they annotated as they did, before seeing the others' reasons."""

    says = "case {case}: {coder} gave a reason"

    coder: str
    text: str
    cites: tuple[str, ...] = ()  # toolbox elements, see `toolbox.elements`
    highlight: Highlight | None = None  # in older logs: there was one
    highlights: tuple[Highlight, ...] = ()


class Remarked(CaseEvent, frozen=True, tag="remark made"):
    """An argument or an answer in the discussion of a case."""

    says = "case {case}: {by} says something"

    by: str
    text: str
    cites: tuple[str, ...] = ()
    highlights: tuple[Highlight, ...] = ()
    reply_to: int = 0  # number of the event that it answers


class ConsentTakenBack(CaseEvent, frozen=True, tag="consent taken back"):
    """Somebody no longer accepts what still waits for others."""

    says = "case {case}: {by} takes a consent back"

    by: str
    proposal: int


@in_case(ReasonGiven)
def _reason_given(state: State, case: Case, event: ReasonGiven, stamp: Stamp) -> None:
    case.thread[-1].highlights = marks = (*filter(None, (event.highlight,)), *event.highlights)
    case.reasons[event.coder] = Reason.of(event, highlights=marks, at=stamp[0], seq=state.seq)
    if case.state == CaseState.OPEN:
        turn(case, CaseState.REASONS)


@on(Remarked)
def _remarked(state: State, event: Remarked, stamp: Stamp) -> None:
    told_in(state, event, stamp)


@in_case(ConsentTakenBack)
def _taken_back(state: State, case: Case, event: ConsentTakenBack, stamp: Stamp) -> None:
    wanted = next(one for one in case.proposed if one.seq == event.proposal)
    wanted.consents.remove(event.by)
    wanted.events.pop(event.by, None)
    wanted.rivals.pop(event.by, None)


def _marks(state: State, case: Case, given: Sequence[Stretch] | Stretch | None) -> Marks:
    """Stretches that lie within the text of the item."""
    text = state.items.texts[case.item] if state.items.texts else ""
    found = []
    for start, end in _pairs(given):
        if not 0 <= start < end <= len(text):
            says = f"characters {start} to {end} are not a stretch of the item's text"
            raise RequestError(f"{says}, which has {len(text):,} characters")
        found.append(Highlight(start, end))
    return tuple(found)


def _pairs(given: Sequence[Stretch] | Stretch | None) -> Iterator[tuple[int, int]]:
    if isinstance(given, Highlight):
        yield given.start, given.end
    elif given and isinstance(given[0], int):
        yield int(given[0]), int(given[1])  # type: ignore[arg-type]
    else:
        for one in given or ():
            yield from _pairs(one)  # type: ignore[arg-type]


@command("case reason", "say why one annotated so", roles=CODERS, steps=RESOLVING)
def give_reason(
    state: State,
    by: str,
    *,
    case: int,
    text: str,
    cites: Cites = (),
    highlight: Stretches = None,
) -> Events:
    """Say why you annotated an item as you did.

    The others' reasons are shown after that. A reason that is given again stands beside the first,
    which stays as it was.

    Parameters
    ----------
    state : State
    by : str
        A coder of the item.
    case : int
    text : str
        Your reason.
    cites : sequence of str
        What in the toolbox it rests on: 'question ID', 'rule ID' or 'concept NAME'.
    highlight : Highlight, pair of int, or several
        The characters of the item's text that are meant, such as 10-42.

    Examples
    --------
    Why you said so:
    $ accordant project case 3 reason 'it is a report' --cites 'rule R2'
    A longer text:
    $ accordant project case 3 reason - < why.txt
    With the words that are meant:
    $ accordant project case 3 reason 'this part' --highlight 10-42
    """
    one = the_case(state, case)
    elements, marks = cited(state, cites), _marks(state, one, highlight)
    unmet = unmet_in("case reason", state, by, [one]) + given(text)
    require(f"giving a reason in {label_of_case(state, one)}", unmet)
    return [ReasonGiven(case, by, text.strip(), elements, highlights=marks)]


@command("case remark", "say something in a case", roles=SPEAKERS, steps=RESOLVING)
def remark(
    state: State,
    by: str,
    *,
    case: int,
    text: str,
    cites: Cites = (),
    highlight: Stretches = None,
    reply_to: Annotated[int, Typed("NUMBER", "--reply-to")] = 0,
) -> Events:
    """Say something in the discussion of a case, after your own reason.

    An argument or an answer to one: it changes nothing but the thread, which is part of the report.

    Parameters
    ----------
    state : State
    by : str
        A coder of the item (who has given a reason), a moderator or a researcher.
    case : int
    text : str
        What you say.
    cites : sequence of str
        What in the toolbox it rests on: 'question ID', 'rule ID' or 'concept NAME'.
    highlight : Highlight, pair of int, or several
        The characters of the item's text that are meant, such as 10-42.
    reply_to : int
        The number of what it answers, as the thread shows it.

    Examples
    --------
    An argument:
    $ accordant project case 3 remark 'it quotes a letter' --as bob
    An answer to number 48 of the thread:
    $ accordant project case 3 remark 'which does not decide it' --reply-to 48
    """
    one = the_case(state, case)
    elements, marks = cited(state, cites), _marks(state, one, highlight)
    if reply_to and reply_to not in (known := [turn.seq for turn in one.thread]):
        raise unknown("entry of the thread", reply_to, known, f"{label_of_case(state, one)} has")
    unmet = unmet_in("case remark", state, by, [one]) + given(text, "text", "text")
    require(f"saying something in {label_of_case(state, one)}", unmet)
    return [Remarked(case, by, text.strip(), elements, marks, reply_to)]


@command("case retract", "take back one's own consent", roles=CODERS, steps=RESOLVING)
def take_back_consent(state: State, by: str, *, cases: Cases) -> Events:
    """Take back your consent while others are still asked.

    To a cause or an outcome, which then waits for you again.

    Parameters
    ----------
    state : State
    by : str
        Who has consented.
    cases : numbers or names of groups

    Examples
    --------
    Before the others have said:
    $ accordant project case 3 retract --as bob
    Once all have accepted:
    $ accordant project case 3 reopen 'I had read R2 wrongly' --as bob
    """
    named = cases_named(state, cases)
    require("taking back a consent", unmet_in("case retract", state, by, named))
    standing = ((case, awaited_assessment(case) or awaited_proposal(case)) for case in named)
    return [ConsentTakenBack(case.number, by, one.seq) for case, one in standing if one is not None]
