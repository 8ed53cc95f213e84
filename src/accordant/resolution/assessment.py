"""Why the coders disagree: proposed, accepted by those concerned, refused, or disputed."""

from __future__ import annotations

from typing import Annotated

from ..errors import RequestError, unknown
from .case_guards import complete, given, proposal_meant, reasons_of_all, scored_differently
from .case_table import unmet_in
from .cases import CaseEvent, consented, discuss_again, proposal_named, told_in, turn
from .command import Events, Unmet, command, require
from .disagreement import (
    Cases,
    awaited_assessment,
    cases_named,
    consenters,
    label_of_case,
    participants,
    the_case,
)
from .event import Stamp, on
from .records import Evidence
from .state import Assessment, Case, State
from .taken import Proposals, Typed
from .wording import all_known
from .words import LEADS, SPEAKERS, CaseState, Cause, Role, Step

__all__ = [
    "CauseAccepted", "CauseDisputed", "CauseProposed", "CauseRefused", "CauseTold",
    "CauseWithdrawn", "accept_cause", "dispute_cause", "propose_cause", "refuse_cause",
    "withdraw_cause",
]  # fmt: skip


class CauseProposed(CaseEvent, frozen=True, tag="cause proposed"):
    """Somebody says why the coders disagree, with the evidence which that cause requires."""

    says = "case {case}: {by} proposes cause {cause}"

    cause: Cause
    evidence: Evidence
    by: str


class CauseTold(CaseEvent, frozen=True, tag="cause told"):
    """The source of imported annotations says why coders disagreed: nobody consents with that."""

    says = "case {case}: the source says cause {cause}"

    cause: Cause
    evidence: Evidence


class CauseAccepted(CaseEvent, frozen=True, tag="cause accepted"):
    """One who must consent does; with the last of them the cause is accepted."""

    says = "case {case}: {by} accepts the cause"
    commutes = True

    by: str
    proposal: int = 0


class CauseRefused(CaseEvent, frozen=True, tag="cause refused"):
    """One who must consent does not; the case is open again, the proposal stays in its history."""

    says = "case {case}: {by} does not accept the cause"

    by: str
    reason: str
    proposal: int = 0


class CauseWithdrawn(CaseEvent, frozen=True, tag="cause withdrawn"):
    """Who proposed a cause takes it back."""

    says = "case {case}: {by} withdraws the cause"

    by: str


class CauseDisputed(CaseEvent, frozen=True, tag="cause disputed"):
    """No cause finds consent: the case goes on as d, or as a2 if somebody cites a gap."""

    says = "case {case} goes on as {cause}, without consent"

    cause: Cause  # d or a2
    evidence: Evidence
    reason: str


ACCEPTED = {
    Cause.C: CaseState.RESCORING,
    Cause.E: CaseState.RESCORING,
    Cause.D: CaseState.ARGUED,
}
"""Where a case goes when its cause is accepted; under a and b it waits to be returned."""


def _accept(state: State, case: Case, assessment: Assessment, stamp: Stamp) -> None:
    assessment.accepted, assessment.accepted_seq = True, state.seq
    to = ACCEPTED.get(assessment.cause, CaseState.CAUSE_ACCEPTED)
    turn(case, to, assessment.disputed or f"cause {assessment.cause.value}")


@on(CauseProposed)
def _cause_proposed(state: State, event: CauseProposed, stamp: Stamp) -> None:
    case = told_in(state, event, stamp)
    case.assessments.append(Assessment.of(event, at=stamp[0], seq=state.seq))
    turn(case, CaseState.CAUSE_PROPOSED, event.cause.value)


@on(CauseTold)
def _cause_told(state: State, event: CauseTold, stamp: Stamp) -> None:
    case = told_in(state, event, stamp)
    assessment = Assessment.of(event, by=stamp[1], at=stamp[0], told=True, seq=state.seq)
    case.assessments.append(assessment)
    epoch = state.epochs[case.epoch - 1]
    named = tuple(filter(None, consenters(epoch, case, assessment)))
    assessment.asked = named or participants(epoch, case)
    _accept(state, case, assessment, stamp)


@on(CauseAccepted)
def _cause_accepted(state: State, event: CauseAccepted, stamp: Stamp) -> None:
    case = told_in(state, event, stamp)
    assessment = consented(state, case.assessments, event.proposal, event.by)
    case.thread[-1].about = assessment.seq
    asked = consenters(state.epochs[case.epoch - 1], case, assessment)
    if assessment is case.assessments[-1] and set(asked) <= set(assessment.consents):
        assessment.asked = asked
        _accept(state, case, assessment, stamp)


@on(CauseRefused)
def _cause_refused(state: State, event: CauseRefused, stamp: Stamp) -> None:
    case = told_in(state, event, stamp)
    refused = proposal_named(case.assessments, event.proposal)
    refused.refusals[event.by], case.thread[-1].about = event.reason, refused.seq
    discuss_again(case, f"{event.by} refused: {event.reason}")


@on(CauseWithdrawn)
def _cause_withdrawn(state: State, event: CauseWithdrawn, stamp: Stamp) -> None:
    case = told_in(state, event, stamp)
    case.assessments[-1].withdrawn = True
    discuss_again(case, f"{event.by} withdrew")


@on(CauseDisputed)
def _cause_disputed(state: State, event: CauseDisputed, stamp: Stamp) -> None:
    case = told_in(state, event, stamp)
    facts = {"by": stamp[1], "at": stamp[0], "disputed": event.reason, "seq": state.seq}
    assessment = Assessment.of(event, **facts)
    case.assessments.append(assessment)
    _accept(state, case, assessment, stamp)


MISSING = "missing"  # of a rule that should be there


def _known(state: State, evidence: Evidence) -> Evidence:
    """The evidence, if what it names exists.

    A concept may be new, since its absence may be the cause, but not nearly one that exists.
    """
    concepts = state.epoch.concepts
    if evidence.concept and evidence.concept not in concepts and concepts:
        error = unknown("concept", evidence.concept, concepts, "there are")
        if "did you mean" in str(error):
            raise error
    all_known("item", evidence.others, state.items.positions, "the project has")
    rules = [*state.epoch.rules]
    if evidence.rule and evidence.rule not in (MISSING, *rules):
        hint = f"Say {MISSING!r} if the guidelines are silent."
        raise unknown("rule", evidence.rule, rules, "the guidelines have", hint)
    if evidence.coder and evidence.coder not in state.people:
        raise unknown("person", evidence.coder, state.people, "the project has")
    return evidence


@command(
    "cause propose",
    "propose why coders disagree",
    typed="case cause",
    roles=SPEAKERS,
    steps=(Step.RESOLUTION,),
)
def propose_cause(
    state: State,
    by: str,
    *,
    cases: Cases,
    cause: Cause | str,
    evidence: Evidence | None = None,
    instead: Annotated[str, Typed("WHY")] = "",
) -> Events:
    """Propose why the coders disagree, with the evidence it needs.

    Those who must consent are all coders of the item, or the one coder whom c or e names. Who
    proposes and has to consent, consents with that.

    Parameters
    ----------
    state : State
    by : str
        A coder of the item (who has given a reason), a moderator or a researcher.
    cases : numbers or names of groups
    cause : Cause
        One of a1-concept, a1-task, a2, b, c, d, e.
    evidence : Evidence, optional
        What `causes.CAUSES` asks for; under d it is the coders' reasons.
    instead : str
        Instead of the cause that is proposed and asks for your consent, and why: it is refused with
        that.

    Examples
    --------
    The guidelines are silent:
    $ accordant project case 3 cause a2 --rule missing --wording 'reports are no'
    A concept:
    $ accordant project case 4 cause b --concept claim --width 'too narrow'
    One coder was inconsistent:
    $ accordant project case 5 cause c --coder bob --other p9 --same 'the same words'
    The item is read differently:
    $ accordant project case 6 cause d
    A slip:
    $ accordant project case 7 cause e --coder cleo --meant yes
    Another cause than the one that is proposed:
    $ accordant project case 3 cause d --instead 'R2 is clear'
    What each cause means and asks for:
    $ accordant project causes
    """
    try:
        why = Cause(cause)
    except ValueError:
        raise unknown("cause", cause, [c.value for c in Cause], "there are") from None
    proof = _known(state, evidence or Evidence())
    named, unmet = cases_named(state, cases), list[Unmet]()
    for case in named:
        counter = instead.strip() and awaited_assessment(case) is not None
        act = "cause counter" if counter else "cause propose"
        unmet += unmet_in(act, state, by, [case])
        unmet += complete(state, case, why, proof)
        if why == Cause.C:
            unmet += scored_differently(state, case, proof)
        if why == Cause.D:
            unmet += reasons_of_all(state, case)
    require(f"proposing cause {why}", unmet)
    events = Events()
    for case in named:
        if instead.strip() and (standing := awaited_assessment(case)) is not None:
            events.append(CauseRefused(case.number, by, instead.strip(), standing.seq))
        events += proposed(state, case, why, proof, by, state.seq + len(events))
    return events


def proposed(state: State, case: Case, why: Cause, proof: Evidence, by: str, before: int) -> Events:
    """A cause as event ``before`` + 1; who proposes and is asked consents with that."""
    events: Events = [CauseProposed(case.number, why, proof, by)]
    if by in consenters(state.epoch, case, Assessment(why, proof, by, "")):
        events.append(CauseAccepted(case.number, by, before + 1))
    return events


@command(
    "cause accept",
    "accept a cause or an outcome",
    typed="case accept",
    roles=(Role.CODER,),
    steps=(Step.RESOLUTION,),
)
def accept_cause(state: State, by: str, *, cases: Cases, proposals: Proposals = ()) -> Events:
    """Consent to the cause that was proposed.

    With the last consent the case goes its way.

    Parameters
    ----------
    state : State
    by : str
        Whose consent the cause needs: every coder of the item, or the coder named (c, e).
    cases : numbers or names of groups
    proposals : sequence of int
        Which ones are meant, by their numbers; needed where a case has had several.
    """
    named = cases_named(state, cases)
    unmet = unmet_in("cause accept", state, by, named)
    events = Events()
    for case in named:
        if (assessment := awaited_assessment(case)) is not None:
            unmet += proposal_meant(state, case, by, assessment, proposals)
            events.append(CauseAccepted(case.number, by, assessment.seq))
    require("accepting the cause", unmet)
    return events


@command(
    "cause refuse",
    "refuse a proposed cause",
    typed="case refuse",
    roles=(Role.CODER,),
    steps=(Step.RESOLUTION,),
)
def refuse_cause(
    state: State, by: str, *, case: int, reason: str, proposals: Proposals = ()
) -> Events:
    """Refuse the cause that was proposed.

    The case is open again, and the proposal stays in its history.

    Parameters
    ----------
    state : State
    by : str
        A coder of the item (under c and e the coder named).
    case : int
    reason : str
    proposals : sequence of int
        Which one is meant, by its number; needed where the case has had several.
    """
    one = the_case(state, case)
    unmet = given(reason) + unmet_in("cause refuse", state, by, [one])
    if (assessment := awaited_assessment(one)) is not None:
        unmet += proposal_meant(state, one, by, assessment, proposals)
    require("refusing the cause", unmet)
    return [CauseRefused(case, by, reason.strip(), assessment.seq if assessment else 0)]


@command(
    "cause withdraw",
    "take back a cause one proposed",
    typed="case withdraw",
    roles=SPEAKERS,
    steps=(Step.RESOLUTION,),
)
def withdraw_cause(state: State, by: str, *, case: int) -> Events:
    """Withdraw a cause that you proposed, before all consent.

    Parameters
    ----------
    state : State
    by : str
        Who proposed it.
    case : int

    Examples
    --------
    The cause that bob proposed:
    $ accordant project case 3 withdraw --as bob
    Once it is accepted:
    $ accordant project case 3 reopen 'another cause' --as bob
    """
    one = the_case(state, case)
    require("withdrawing the cause", unmet_in("cause withdraw", state, by, [one]))
    return [CauseWithdrawn(case, by)]


@command(
    "cause dispute",
    "go on although no cause finds consent",
    typed="case dispute",
    roles=LEADS,
    steps=(Step.RESOLUTION,),
)
def dispute_cause(
    state: State, by: str, *, case: int, reason: str, gap: str = "", rule: str = ""
) -> Events:
    """Record that no cause finds consent: the case goes on as d.

    A moderator or researcher may, after somebody has refused a cause. If somebody cites a gap in
    the guidelines, it goes on as a2.

    Parameters
    ----------
    state : State
    by : str
        A moderator or researcher.
    case : int
    reason : str
        Why no cause finds consent.
    gap : str
        What the guidelines should say and do not.
    rule : str
        The rule that is unclear; without it a rule is missing.

    Examples
    --------
    It goes on as d:
    $ accordant project case 3 dispute 'two causes, no consent'
    Somebody cites a gap in the guidelines: it goes on as a2:
    $ accordant project case 3 dispute 'no consent' --gap 'nothing is said about reports'
    """
    one = the_case(state, case)
    unmet = given(reason) + unmet_in("cause dispute", state, by, [one])
    if rule and not gap.strip():
        raise RequestError(f"rule {rule!r} is named, but not what it should say (gap)")
    proof = _known(state, Evidence(rule=rule or MISSING, wording=gap.strip()) if gap.strip()
                   else Evidence())  # fmt: skip
    require(f"recording a dispute about {label_of_case(state, one)}", unmet)
    why = Cause.A2 if gap.strip() else Cause.D
    return [CauseDisputed(case, why, proof, reason.strip())]
