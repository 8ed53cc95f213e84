"""What a case comes to: proposed with a citation, accepted by every coder of the item."""

from __future__ import annotations

from typing import Annotated

from ..errors import RequestError, unknown
from .answers import answer_of, checked_answer
from .case_guards import (
    citing,
    given,
    in_state,
    not_suspended,
    proposal_meant,
    reasons_of_all,
    takes_part,
)
from .cases import (
    SPEAKERS,
    CaseEvent,
    case_of,
    consented,
    drop_proposals,
    may_speak,
    proposal_named,
)
from .causes import CAUSES
from .command import Events, command
from .disagreement import (
    Cases,
    awaited_proposal,
    cases_named,
    item_name,
    label_of_case,
    participants,
    said,
    the_case,
)
from .fold import Stamp, on
from .guard import require
from .parameters import Cites, OneAnswer, Proposals, Typed
from .records import Answer, Note
from .refusal import Unmet
from .sentences import listing
from .state import Case, Ending, Proposal, State
from .toolbox import change_for, cited, elements
from .words import CaseState, Cause, Outcome, Role, Step

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
    case = case_of(state, event.case)
    case.version += 1
    drop_proposals(case)
    case.proposals.append(
        Proposal(
            event.answer,
            event.outcome,
            event.cites,
            event.text,
            event.by,
            source=event.source,
            at=stamp[0],
            seq=state.seq,
        )
    )


@on(OutcomeAccepted)
def _outcome_accepted(state: State, event: OutcomeAccepted, stamp: Stamp) -> None:
    case = case_of(state, event.case)
    case.version += 1
    consented(state, case.proposals, event.proposal, event.by)
    state.epoch.ending = Ending(state.seq, "outcome", case.number)


@on(OutcomeRefused)
def _outcome_refused(state: State, event: OutcomeRefused, stamp: Stamp) -> None:
    case = case_of(state, event.case)
    case.version += 1
    proposal = proposal_named(case.proposals, event.proposal)
    proposal.refusals[event.by] = event.reason
    proposal.ended = True


S = CaseState


def _ready(state: State, case: Case) -> list[Unmet]:
    """The case must have come to the point where an outcome can be proposed."""
    label = label_of_case(state, case)
    if case.state == S.CAUSE_ACCEPTED:
        says = f"{label} has cause {case.cause}: the toolbox must change first"
        return [Unmet("case_state", says, "return it to step 1 or 2")]
    if case.state == S.RETURNED:
        change = change_for(state, case, case.assessments[-1])
        if isinstance(change, Unmet):
            todo = "return it again and change that, or open the case again"
            return [Unmet("case_state", f"{label} was returned: {change.says}", todo)]
        return []
    return in_state(state, case, (S.ARGUED, S.RETURNED), "let a cause be accepted first")


def _proposed(state: State, case: Case) -> list[Unmet]:
    waiting = awaited_proposal(case)
    if waiting is None:
        return []
    coders = tuple(c for c in participants(state.epoch, case) if c not in waiting.consents)
    says = f"“{waiting.answer}” is proposed for {label_of_case(state, case)}"
    return [Unmet("proposal", says, f"{listing(coders)} must accept or refuse it first", coders)]


def _several(state: State, case: Case) -> list[Unmet]:
    coders = participants(state.epoch, case)
    if len(coders) > 1:
        return []
    says = f"only {listing(coders)} holds an answer in {label_of_case(state, case)}"
    return [Unmet("two_annotators", says, "one coder cannot agree alone: leave it disagreed")]


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

    Examples
    --------
    Propose an answer:
    $ accordant project case 3 outcome no --cites 'rule R2' --text 'it is only a report'
    For a group:
    $ accordant project case wording outcome no --cites 'rule R2' --text T
    """
    named, elements = cases_named(state, cases), cited(state, cites)
    note = Note(source=source, reason=text)
    answers = {
        c.number: checked_answer(state, c.question, answer, note, item_name(state, c))
        for c in named
    }
    unmet = citing(elements) + given(text, "reading", "reading that was settled on, or the reason")
    for case in named:
        unmet += may_speak(state, case, by) + not_suspended(state, case) + _ready(state, case)
        unmet += _proposed(state, case) + _several(state, case)
        if case.cause == Cause.D:
            unmet += reasons_of_all(state, case)
    require("proposing an outcome", unmet)
    events = Events()
    for case in named:
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
    if to not in answers:
        raise unknown("coder", to, answers, "the item was annotated by")
    unmet = may_speak(state, one, by) + not_suspended(state, one) + citing(elements) + given(text)
    if one.state != S.CAUSE_ACCEPTED or one.cause != Cause.B:
        says = f"{label_of_case(state, one)} has not the accepted cause b"
        unmet.append(Unmet("case_state", says, "deference exists under b only"))
    require("deferring", unmet + _proposed(state, one) + _several(state, one))
    return _propose(
        state, one, by,
        OutcomeProposed(case, answers[to], Outcome.DEFERENCE, elements, text.strip(), by),
        state.seq + 1,
    )  # fmt: skip


def _in_force(state: State, case: Case, proposal: Proposal) -> list[Unmet]:
    """The toolbox may have changed since: what is cited and answered must still be in it."""
    label, todo = (
        label_of_case(state, case),
        "refuse it, and propose one under the toolbox as it is",
    )
    known, found = elements(state), []
    if gone := [cite for cite in proposal.cites if cite not in known]:
        says = (
            f"the outcome proposed for {label} cites what is no longer in force ({listing(gone)})"
        )
        found.append(Unmet("citation", says, todo))
    question = state.epoch.questions[case.question]
    try:
        answer_of(state.epoch.guidelines[-1], question, proposal.answer)
    except RequestError:
        says = f"“{proposal.answer}”, proposed for {label}, is no longer among the options"
        found.append(Unmet("scoring_options", says, todo))
    return found


def _awaits(state: State, case: Case, by: str) -> list[Unmet]:
    unmet = takes_part(state, case, by) + not_suspended(state, case)
    proposal = awaited_proposal(case)
    if proposal is None:
        says = f"no outcome is proposed for {label_of_case(state, case)}"
        return [*unmet, Unmet("proposal", says, "propose one")]
    if by in proposal.consents:
        waiting = tuple(c for c in participants(state.epoch, case) if c not in proposal.consents)
        says = f"{by} has accepted “{proposal.answer}” for {label_of_case(state, case)}"
        unmet.append(Unmet("consent", says, f"{listing(waiting)} must say", waiting))
    return unmet


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
    unmet = [u for case in named for u in _awaits(state, case, by)]
    events = Events()
    for case in named:
        if (proposal := awaited_proposal(case)) is not None:
            unmet += _in_force(state, case, proposal)
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
    unmet = given(reason) + takes_part(state, one, by) + not_suspended(state, one)
    proposal = awaited_proposal(one)
    if proposal is None:
        says = f"no outcome is proposed for {label_of_case(state, one)}"
        unmet.append(Unmet("proposal", says, "propose one"))
    else:
        unmet += proposal_meant(state, one, by, proposal, proposals)
    require("refusing the outcome", unmet)
    return [OutcomeRefused(case, by, reason.strip(), proposal.seq if proposal else 0)]
