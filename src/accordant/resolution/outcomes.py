"""What a case comes to: proposed with a citation, accepted by every coder of the item."""

from __future__ import annotations

from typing import Annotated

from .answers import OneAnswer, checked_answer
from .case_guards import citing, given, proposal_meant
from .case_table import unmet_in
from .cases import CaseEvent, consented, drop_proposals, proposal_named, told_in
from .causes import CAUSES
from .command import Events, command, require
from .disagreement import (
    Cases,
    awaited_proposal,
    cases_named,
    item_name,
    participants,
    said,
    the_case,
)
from .event import Stamp, on
from .records import Answer, Note
from .state import Case, Ending, Proposal, State
from .taken import Cites, Proposals, Typed
from .toolbox import cited
from .wording import all_known
from .words import SPEAKERS, CaseState, Outcome, Role, Step

__all__ = [
    "OutcomeAccepted", "OutcomeProposed", "OutcomeRefused", "accept_outcome", "defer",
    "propose_outcome", "refuse_outcome",
]  # fmt: skip


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
    commutes = True

    by: str
    proposal: int = 0


class OutcomeRefused(CaseEvent, frozen=True, tag="outcome refused"):
    """One of the coders of the item does not accept."""

    says = "case {case}: {by} does not accept the outcome"

    by: str
    reason: str
    proposal: int = 0


@on(OutcomeProposed)
def _outcome_proposed(state: State, event: OutcomeProposed, stamp: Stamp) -> None:
    case = told_in(state, event, stamp)
    drop_proposals(case)
    case.proposals.append(Proposal.of(event, at=stamp[0], seq=state.seq))


@on(OutcomeAccepted)
def _outcome_accepted(state: State, event: OutcomeAccepted, stamp: Stamp) -> None:
    case = told_in(state, event, stamp)
    case.thread[-1].about = consented(state, case.proposals, event.proposal, event.by).seq
    state.epoch.ending = Ending(state.seq, "outcome", case.number)


@on(OutcomeRefused)
def _outcome_refused(state: State, event: OutcomeRefused, stamp: Stamp) -> None:
    case = told_in(state, event, stamp)
    proposal = proposal_named(case.proposals, event.proposal)
    proposal.refusals[event.by], case.thread[-1].about = event.reason, proposal.seq
    proposal.ended = True


S = CaseState


def _propose(state: State, case: Case, by: str, proposal: OutcomeProposed, seq: int) -> Events:
    """A proposal that will be event `seq`; who proposes and takes part accepts it with that."""
    accepts = by in participants(state.epoch, case)
    return [proposal, *([OutcomeAccepted(case.number, by, seq)] if accepts else [])]


def _kind(case: Case) -> Outcome:
    if case.state == S.RETURNED or case.cause is None:
        return Outcome.CLARIFIED
    outcome = CAUSES[case.cause].outcome
    again = (Outcome.REANNOTATED_A, Outcome.REANNOTATED_B)
    return Outcome.CLARIFIED if outcome in again else outcome


@command(
    "outcome propose",
    "propose what the answer should be",
    typed="case outcome",
    roles=SPEAKERS,
    steps=(Step.RESOLUTION,),
)
def propose_outcome(
    state: State,
    by: str,
    *,
    cases: Cases,
    answer: OneAnswer,
    cites: Cites = (),
    text: Annotated[str, Typed("TEXT", "--text", asked=True)] = "",
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
    "case defer", "settle cause b by trusting one coder (a deviation)",
    roles=SPEAKERS, steps=(Step.RESOLUTION,),
)  # fmt: skip
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
        state, one, by,
        OutcomeProposed(case, answers[to], Outcome.DEFERENCE, elements, text.strip(), by),
        state.seq + 1,
    )  # fmt: skip


@command(
    "outcome accept",
    "accept a cause or an outcome",
    typed="case accept",
    roles=(Role.CODER,),
    steps=(Step.RESOLUTION,),
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
    unmet = unmet_in("outcome accept", state, by, named)
    events = Events()
    for case in named:
        if (proposal := awaited_proposal(case)) is not None:
            unmet += proposal_meant(state, case, by, proposal, proposals)
            events.append(OutcomeAccepted(case.number, by, proposal.seq))
    require("accepting the outcome", unmet)
    return events


@command(
    "outcome refuse",
    "refuse a proposed outcome",
    typed="case refuse",
    roles=(Role.CODER,),
    steps=(Step.RESOLUTION,),
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
    one = the_case(state, case)
    unmet = given(reason) + unmet_in("outcome refuse", state, by, [one])
    proposal = awaited_proposal(one)
    if proposal is not None:
        unmet += proposal_meant(state, one, by, proposal, proposals)
    require("refusing the outcome", unmet)
    return [OutcomeRefused(case, by, reason.strip(), proposal.seq if proposal else 0)]
