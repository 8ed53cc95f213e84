"""What a case comes to: accepted by every coder of its item, or left, decided, aggregated."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

from msgspec import field

from ..errors import RequestError
from ..kinds import Typed
from .answers import OneAnswer, checked_answer
from .assessment import meant
from .case_state import Case, Ending, Proposal
from .case_table import citing, given, unmet_in
from .cases import CaseEvent, consented, drop_proposals, in_case, proposal_named, turn
from .causes import CAUSES
from .command import Asked, Cites, Events, Proposals, Unmet, command, guard, require
from .disagreement import (
    Cases,
    awaited_proposal,
    cases_named,
    item_name,
    label_of_case,
    labels_of_cases,
    live_cases,
    participants,
    said,
    the_case,
)
from .event import Stamp
from .records import Answer, Note
from .sentences import counted
from .state import State
from .toolbox import cited
from .wording import all_known
from .words import CODERS, RESOLVING, SPEAKERS, CaseState, Outcome, Role, Settled

__all__ = [
    "METHODS",
    "TIES",
    "Aggregated",
    "CaseLeft",
    "Decided",
    "OutcomeAccepted",
    "OutcomeProposed",
    "OutcomeRefused",
    "accept_outcome",
    "aggregate",
    "decide",
    "defer",
    "leave_disagreed",
    "propose_outcome",
    "refuse_outcome",
]


class OutcomeProposed(CaseEvent, frozen=True, tag="outcome proposed"):
    """What the answer should be and why: need not be any coder's own."""

    says = "case {case}: {by} proposes “{answer}”"

    answer: Answer
    outcome: Outcome
    cites: tuple[str, ...]
    text: str
    by: str
    source: str = ""  # of the ambiguity, where the answer is "ambiguous"


class OutcomeAccepted(CaseEvent, frozen=True, tag="outcome accepted"):
    """One of the coders of the item accepts."""

    says = "case {case}: {by} accepts the outcome"

    by: str
    proposal: int = 0


class OutcomeRefused(CaseEvent, frozen=True, tag="outcome refused"):
    """One of the coders of the item does not accept."""

    says = "case {case}: {by} does not accept the outcome"

    by: str
    reason: str
    proposal: int = 0


@in_case(OutcomeProposed)
def _outcome_proposed(state: State, case: Case, event: OutcomeProposed, stamp: Stamp) -> None:
    drop_proposals(case)
    case.proposals.append(Proposal.of(event, at=stamp[0], seq=state.seq))


@in_case(OutcomeAccepted)
def _outcome_accepted(state: State, case: Case, event: OutcomeAccepted, stamp: Stamp) -> None:
    case.thread[-1].about = consented(state, case.proposals, event.proposal, event.by).seq
    state.epoch.ending = Ending(state.seq, "outcome")


@in_case(OutcomeRefused)
def _outcome_refused(state: State, case: Case, event: OutcomeRefused, stamp: Stamp) -> None:
    proposal = proposal_named(case.proposals, event.proposal)
    proposal.refusals[event.by], case.thread[-1].about = event.reason, proposal.seq
    proposal.ended = True


def _propose(state: State, case: Case, by: str, proposal: OutcomeProposed, seq: int) -> Events:
    """A proposal that will be event `seq`; who proposes and takes part accepts it with that."""
    accepts = by in participants(state.epoch, case)
    return [proposal, *([OutcomeAccepted(case.number, by, seq)] if accepts else [])]


def _kind(case: Case) -> Outcome:
    if case.cause is None or CAUSES[case.cause].returns_to is not None:
        return Outcome.CLARIFIED
    return CAUSES[case.cause].outcome


@command(
    "outcome propose",
    "propose what the answer should be",
    typed="case outcome",
    roles=SPEAKERS,
    steps=RESOLVING,
)
def propose_outcome(
    state: State,
    by: str,
    *,
    cases: Cases,
    answer: OneAnswer,
    cites: Cites = (),
    text: Annotated[str, Typed("TEXT", "--text")] = "",
    source: str = "",
    instead: Annotated[str, Typed("WHY")] = "",
) -> Events:
    """Propose the answer on which all should settle.

    It need not be anybody's own. It must cite the toolbox. If nothing can be cited, the toolbox is
    incomplete: propose cause a2 or b, or postpone the case.

    Parameters
    ----------
    state : State
    by : str
        A coder of the item, a moderator or a researcher.
    cases : numbers or names of groups
        Cases of one question.
    answer : Answer, str or sequence of str
        What all should accept: labels, or "ambiguous".
    cites : sequence of str
        What in the toolbox it rests on: 'question ID', 'rule ID' or 'concept NAME'.
    text : str
        Why, or the reading that was settled on.
    source : str
        Of "ambiguous": why the item is so.
    instead : str
        Instead of the outcome that is proposed, and why: it is refused with that.

    Examples
    --------
    Propose an answer:
    $ accordant project case 3 outcome no --cites 'rule R2' --text 'it is only a report'
    For a group:
    $ accordant project case wording outcome no --cites 'rule R2' --text T
    Another one than the one that is proposed:
    $ accordant project case 3 outcome yes --cites 'rule R1' --text T --instead 'R1 says so'
    """
    named, elements = cases_named(state, cases), cited(state, cites)
    note = Note(source=source, reason=text)
    answers = {
        c.number: checked_answer(state, c.question, answer, note, item_name(state, c))
        for c in named
    }
    unmet = citing(elements) + given(text, "reading", "reading that was settled on, or the reason")
    for case in named:
        counter = instead.strip() and awaited_proposal(case) is not None
        act = "outcome counter" if counter else "outcome propose"
        unmet += unmet_in(act, state, by, [case])
    require("proposing an outcome", unmet)
    events = Events()
    for case in named:
        if (standing := awaited_proposal(case)) is not None:
            events.append(OutcomeRefused(case.number, by, instead.strip(), standing.seq))
        proposal = OutcomeProposed(
            case.number, answers[case.number], _kind(case), elements, text.strip(), by, source
        )
        events += _propose(state, case, by, proposal, state.seq + len(events) + 1)
    return events


@command(
    "case defer",
    "settle cause b by trusting one coder (a deviation)",
    roles=SPEAKERS,
    steps=RESOLVING,
)
def defer(
    state: State,
    by: str,
    *,
    case: int,
    to: Annotated[str, Typed("CODER", "--to")],
    cites: Cites = (),
    text: str,
) -> Events:
    """Settle cause b by trusting one coder, which is a deviation.

    It is printed on every export. The procedure asks to mend the concept instead.

    Parameters
    ----------
    state : State
    by : str
    case : int
    to : str
        The coder whose answer the others take over.
    cites : sequence of str
        What in the toolbox it rests on: 'question ID', 'rule ID' or 'concept NAME'.
    text : str
        Why.

    Examples
    --------
    Trust ana:
    $ accordant project case 4 defer --to ana 'she edited the letters' --cites 'rule R1'
    What the procedure asks for instead:
    $ accordant project case 4 return --concept claim
    """
    one = the_case(state, case)
    answers, elements = said(state.epoch, one), cited(state, cites)
    all_known("coder", [to], answers, "the item was annotated by")
    unmet = unmet_in("case defer", state, by, [one]) + citing(elements) + given(text)
    require("deferring", unmet)
    return _propose(
        state,
        one,
        by,
        OutcomeProposed(case, answers[to], Outcome.DEFERENCE, elements, text.strip(), by),
        state.seq + 1,
    )


@command(
    "outcome accept",
    "accept a cause or an outcome",
    typed="case accept",
    roles=CODERS,
    steps=RESOLVING,
)
def accept_outcome(state: State, by: str, *, cases: Cases, proposals: Proposals = ()) -> Events:
    """Accept the outcome that was proposed.

    With the last coder of the item the case is agreed.

    Parameters
    ----------
    state : State
    by : str
        A coder of the item.
    cases : numbers or names of groups
    proposals : sequence of int
        Which ones are meant, by their numbers; needed where a case has had several.
    """
    named = cases_named(state, cases)
    unmet, found = meant(state, by, "outcome accept", named, proposals, awaited_proposal)
    require("accepting the outcome", unmet)
    return [OutcomeAccepted(number, by, seq) for number, seq in found]


@command(
    "outcome refuse",
    "refuse a proposed outcome",
    typed="case refuse",
    roles=CODERS,
    steps=RESOLVING,
)
def refuse_outcome(
    state: State, by: str, *, case: int, reason: str, proposals: Proposals = ()
) -> Events:
    """Refuse the outcome that was proposed; the discussion goes on.

    Parameters
    ----------
    state : State
    by : str
        A coder of the item.
    case : int
    reason : str
    proposals : sequence of int
        Which one is meant, by its number; needed where the case has had several.
    """
    named = [the_case(state, case)]
    unmet, found = meant(state, by, "outcome refuse", named, proposals, awaited_proposal)
    require("refusing the outcome", given(reason) + unmet)
    return [OutcomeRefused(number, by, reason.strip(), seq) for number, seq in found]


class CaseLeft(CaseEvent, frozen=True, tag="case left disagreed"):
    """A researcher declares the case unresolved and leaves it so; all answers are kept."""

    says = "case {case} is left disagreed"

    reason: str


class Decided(CaseEvent, frozen=True, tag="case decided"):
    """The adjudicator decides an unresolved case: single-annotator portion of the data."""

    says = "case {case}: {by} decides “{answer}”"

    answer: Answer
    reason: str
    by: str


class Aggregated(CaseEvent, frozen=True, tag="case aggregated"):
    """The adjudicator applies an aggregation (e.g. majority) to an unresolved case."""

    answer: Answer | None  # None: tie, left disagreed
    method: str
    parameters: dict[str, str] = field(default_factory=dict)
    by: str = ""

    def sentence(self) -> str:
        """What the rule gives."""
        given = "a tie, left disagreed" if self.answer is None else f"“{self.answer}”"
        return f"case {self.case}: {self.method} gives {given}"


def _settled(state: State, case: Case, settled: Settled, why: str) -> None:
    case.settled, case.text = settled, why
    case.toolbox = state.ordinal
    drop_proposals(case)
    turn(case, CaseState.UNRESOLVED, f"{settled.value}: {why}")


@in_case(CaseLeft)
def _left(state: State, case: Case, event: CaseLeft, stamp: Stamp) -> None:
    case.answer, case.decided_by, case.method = None, "", ""
    _settled(state, case, Settled.LEFT_DISAGREED, event.reason)


@in_case(Decided)
def _decided(state: State, case: Case, event: Decided, stamp: Stamp) -> None:
    case.answer, case.decided_by, case.method = event.answer, event.by, ""
    _settled(state, case, Settled.DICTATOR_DECISION, event.reason)


@in_case(Aggregated)
def _by_rule(state: State, case: Case, event: Aggregated, stamp: Stamp) -> None:
    parameters = ", ".join(f"{name} {value}" for name, value in sorted(event.parameters.items()))
    case.answer, case.decided_by = event.answer, event.by
    case.method = f"{event.method} ({parameters})" if parameters else event.method
    tie = event.answer is None
    settled = Settled.LEFT_DISAGREED if tie else Settled.DICTATOR_AGGREGATION
    _settled(state, case, settled, f"{case.method}: tie" if tie else case.method)


@guard("each_open_case_left_or_dictator")
def _each_open_case_left(state: State, asked: Asked) -> list[Unmet]:
    live = live_cases(state.epoch)
    if not live:
        return []
    which = labels_of_cases(state, live)
    says = f"{counted(len(live), 'case')} neither agreed nor declared unresolved: {which}"
    todo = "leave each as it is with a reason, or let the adjudicator decide it after that"
    return [Unmet("each_open_case_left_or_dictator", says, todo)]


METHODS = {
    "majority": "the answer of more than half of the coders of the item",
    "plurality": "the answer that most coders of the item gave",
}
TIES = {
    "left disagreed": "the case stays as it is, with all values",
    "first option": "the label that stands first in the guidelines",
}


@command(
    "case leave",
    "declare cases unresolved, with all answers kept",
    roles=(Role.RESEARCHER,),
    steps=RESOLVING,
)
def leave_disagreed(state: State, by: str, *, cases: Cases | None = None, reason: str) -> Events:
    """Leave cases disagreed, as a researcher.

    All their answers are kept and exported. The data are then no ground truth.

    Parameters
    ----------
    state : State
    by : str
        A researcher.
    cases : numbers or names of groups, optional
        All that are not settled by default.
    reason : str
        Why.

    Notes
    -----
    The authors of the procedure argue against it (Oortwijn et al. 2021, section 4.2): the release
    is deprecated. An adjudicator who was appointed may decide afterwards.

    Examples
    --------
    All answers are kept:
    $ accordant project case 8 leave 'two readings stand'
    Then, if at all:
    $ accordant project case 8 decide no 'the editor says so' --as dora
    """
    named = live_cases(state.epoch) if cases is None else cases_named(state, cases)
    unmet = given(reason)
    if not named:
        unmet.append(Unmet("case_state", "no case waits to be settled"))
    unmet += unmet_in("case leave", state, by, named)
    require("leaving cases disagreed", unmet)
    return [CaseLeft(case.number, reason.strip()) for case in named]


@command("case decide", "decide an unresolved case", roles=(Role.ADJUDICATOR,), steps=RESOLVING)
def decide(
    state: State, by: str, *, case: int, answer: OneAnswer, reason: str, source: str = ""
) -> Events:
    """Decide a case that was left disagreed, as the adjudicator.

    The coders' answers are kept beside it.

    Parameters
    ----------
    state : State
    by : str
        The adjudicator.
    case : int
    answer : Answer, str or sequence of str
        The answer.
    reason : str
        Why.
    source : str
        Of "ambiguous": why the item is so.

    Notes
    -----
    The paper calls this a dictator and advises strongly against it (section 4.2): this part of the
    data has the judgement of a single person, and the release is deprecated.

    Examples
    --------
    The adjudicator:
    $ accordant project case 8 decide no 'the editor says so' --as dora
    Appoints one; this is advised against:
    $ accordant project adjudicator dora
    """
    one = the_case(state, case)
    note = Note(source=source, reason=reason)
    new = checked_answer(state, one.question, answer, note, item_name(state, one))
    unmet = given(reason) + unmet_in("case decide", state, by, [one])
    require(f"deciding {label_of_case(state, one)}", unmet)
    return [Decided(case, new, reason.strip(), by)]


@command(
    "case aggregate",
    "settle unresolved cases by a rule",
    roles=(Role.ADJUDICATOR,),
    steps=RESOLVING,
)
def aggregate(
    state: State,
    by: str,
    *,
    cases: Cases,
    method: Annotated[str, Typed(among=tuple(METHODS))] = "majority",
    ties: Annotated[str, Typed(among=tuple(TIES))] = "left disagreed",
) -> Events:
    """Let a rule decide cases left disagreed, as the adjudicator.

    Parameters
    ----------
    state : State
    by : str
        The adjudicator.
    cases : numbers or names of groups
    method : str
        The answer of more than half of the coders (majority), or the one that most gave
        (plurality).
    ties : str
        What happens where that gives no answer: the case stays as it is, or the label that stands
        first in the guidelines is taken.

    Examples
    --------
    The majority; ties stay disagreed:
    $ accordant project case 8-12 aggregate --as dora
    The answer that most gave:
    $ accordant project case 8-12 aggregate --method plurality --as dora
    """
    all_known("method of aggregation", [method], METHODS, "there are")
    all_known("rule for ties", [ties], TIES, "there are")
    named = cases_named(state, cases)
    require("aggregating", unmet_in("case aggregate", state, by, named))
    return [
        Aggregated(case.number, _aggregated(state, case, method, ties), method, {"ties": ties}, by)
        for case in named
    ]


def _aggregated(state: State, case: Case, method: str, ties: str) -> Answer | None:
    votes = Counter(said(state.epoch, case).values())
    if not votes:
        raise RequestError(f"{label_of_case(state, case)} has no answers to aggregate")
    most = max(votes.values())
    first = [answer for answer, n in votes.items() if n == most]
    enough = method == "plurality" or 2 * most > votes.total()
    if len(first) == 1 and enough:
        return first[0]
    if ties == "left disagreed":
        return None
    options = state.epoch.guidelines[-1].options.get(case.question, ())
    return min(
        first if method == "plurality" else votes,
        key=lambda answer: (
            [options.index(x) if x in options else len(options) for x in answer.labels]
            or [len(options)]
        ),
    )
