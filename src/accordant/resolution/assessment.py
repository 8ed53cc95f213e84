"""Why the coders disagree: proposed, accepted by those concerned, refused, or disputed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated

from ..errors import RequestError, unknown
from ..kinds import Typed
from .case_state import Assessment, Case, Proposal
from .case_table import Here, given, reason_for_consent, reasons_of_all, unmet_in
from .cases import CaseEvent, consented, discuss_again, in_case, proposal_named, turn
from .causes import missing_evidence
from .command import Events, Proposals, Unmet, command, require, step
from .disagreement import (
    Cases,
    awaited_assessment,
    cases_named,
    consenters,
    item_name,
    label_of_case,
    participants,
    the_case,
)
from .event import Stamp
from .records import Evidence
from .sentences import listing
from .state import NONE, Epoch, State
from .wording import all_known
from .words import CODERS, LEADS, RESOLVING, SPEAKERS, CaseState, Cause

__all__ = [
    "CauseAccepted",
    "CauseDisputed",
    "CauseProposed",
    "CauseRefused",
    "CauseTold",
    "CauseWithdrawn",
    "accept_cause",
    "dispute_cause",
    "meant",
    "propose_cause",
    "refuse_cause",
    "withdraw_cause",
]


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


def _accept(state: State, case: Case, assessment: Assessment) -> None:
    assessment.accepted, assessment.accepted_seq = True, state.seq
    to = ACCEPTED.get(assessment.cause, CaseState.CAUSE_ACCEPTED)
    turn(case, to, assessment.disputed or f"cause {assessment.cause.value}")


@in_case(CauseProposed)
def _cause_proposed(state: State, case: Case, event: CauseProposed, stamp: Stamp) -> None:
    case.assessments.append(Assessment.of(event, at=stamp[0], seq=state.seq))
    turn(case, CaseState.CAUSE_PROPOSED, event.cause.value)


@in_case(CauseTold)
def _cause_told(state: State, case: Case, event: CauseTold, stamp: Stamp) -> None:
    assessment = Assessment.of(event, by=stamp[1], at=stamp[0], told=True, seq=state.seq)
    case.assessments.append(assessment)
    epoch = state.epochs[case.epoch - 1]
    named = tuple(filter(None, consenters(epoch, case, assessment)))
    assessment.asked = named or participants(epoch, case)
    _accept(state, case, assessment)


@in_case(CauseAccepted)
def _cause_accepted(state: State, case: Case, event: CauseAccepted, stamp: Stamp) -> None:
    assessment = consented(state, case.assessments, event.proposal, event.by)
    case.thread[-1].about = assessment.seq
    asked = consenters(state.epochs[case.epoch - 1], case, assessment)
    if assessment is case.assessments[-1] and set(asked) <= set(assessment.consents):
        assessment.asked = asked
        _accept(state, case, assessment)


@in_case(CauseRefused)
def _cause_refused(state: State, case: Case, event: CauseRefused, stamp: Stamp) -> None:
    refused = proposal_named(case.assessments, event.proposal)
    refused.refusals[event.by], case.thread[-1].about = event.reason, refused.seq
    discuss_again(case, f"{event.by} refused: {event.reason}")


@in_case(CauseWithdrawn)
def _cause_withdrawn(state: State, case: Case, event: CauseWithdrawn, stamp: Stamp) -> None:
    case.assessments[-1].withdrawn = True
    discuss_again(case, f"{event.by} withdrew")


@in_case(CauseDisputed)
def _cause_disputed(state: State, case: Case, event: CauseDisputed, stamp: Stamp) -> None:
    facts = {"by": stamp[1], "at": stamp[0], "disputed": event.reason, "seq": state.seq}
    assessment = Assessment.of(event, **facts)
    case.assessments.append(assessment)
    _accept(state, case, assessment)


# ------------------------------------------------------------------ what is written down with it


def _complete(state: State, case: Case, cause: Cause, evidence: Evidence) -> list[Unmet]:
    """What a cause requires must be written down with it."""
    lacking = missing_evidence(cause, evidence, participants(state.epoch, case))
    if not lacking:
        return []
    says = f"cause {cause} of {label_of_case(state, case)} lacks {listing(lacking, most=9)}"
    todo, do = "record it with the cause", (step("causes"),)
    return [Unmet("evidence", says, todo, argument=True, do=do)]


def _scored_differently(state: State, case: Case, evidence: Evidence) -> list[Unmet]:
    """Under c the coder must have answered differently about the other items."""
    epoch, coder = state.epoch, evidence.coder
    column = epoch.current.get(case.question, {}).get(coder)
    if column is None or not evidence.others:
        return []
    where = state.items.positions
    there = {o: column[where[o]] if where[o] < len(column) else NONE for o in evidence.others}
    here, found = column[case.item], []
    absent = [other for other, code in there.items() if code == NONE]
    alike = [other for other, code in there.items() if code == here]
    if item_name(state, case) in evidence.others:
        alike = [o for o in alike if o != item_name(state, case)]
        says = f"{item_name(state, case)} is the item of the case itself"
        found.append(Unmet("other_items", says, "name other items", argument=True))
    if absent:
        says = f"{coder} has not annotated {listing(absent)} on {case.question}"
        found.append(Unmet("other_items", says, "name items that they annotated", argument=True))
    if alike:
        says = f"{coder} answered {listing(alike)} as {item_name(state, case)}: that is consistent"
        found.append(Unmet("other_items", says, "name what differs", argument=True))
    return found


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


# ------------------------------------------------------------------ which proposal is meant


def meant(
    state: State,
    by: str,
    act: str,
    cases: Sequence[Case],
    proposals: Sequence[int],
    standing: Callable[[Case], Assessment | Proposal | None],
) -> tuple[list[Unmet], list[tuple[int, int]]]:
    """What keeps a person from answering what stands in cases; each case, and what stands there."""
    unmet, found = unmet_in(act, state, by, cases), list[tuple[int, int]]()
    does = "case refuse" if act.endswith("refuse") else "case accept"
    for case in cases:
        if (one := standing(case)) is not None:
            unmet += _proposal_meant(state, case, by, one, proposals, does)
            found.append((case.number, one.seq))
    return unmet, found


def _proposal_meant(
    state: State,
    case: Case,
    by: str,
    stands: Assessment | Proposal,
    named: Sequence[int],
    does: str,
) -> list[Unmet]:
    """Who answers a proposal means its content: who has read “yes” never consents to “no”.

    It need not be named unless they have left another one unanswered: that may be what they mean.

    Raises
    ------
    RequestError
        If a number is named that no proposal of any case has.
    """
    if reason_for_consent(Here(state, case, by)):
        return []  # it would tell them what is proposed
    epoch = state.epoch
    known = {p.seq for one in epoch.cases.values() for p in one.proposed} if named else set()
    for number in named:
        if number not in known:
            own = [p.seq for p in case.proposed]
            raise unknown("proposal", number, own, f"{label_of_case(state, case)} has")
    others = [one for one in case.proposed if one.content != stands.content]
    label, now = label_of_case(state, case), f"{stands.seq}: {_told(stands)}"
    if gone := [one for one in others if one.seq in named]:
        says = f"proposal {gone[-1].seq} ({_told(gone[-1])}) of {label} does not stand"
        return [Unmet("proposal_named", says, f"read {now}, and name that if you mean it")]
    if stands.seq in named or not any(_unanswered(epoch, case, by, one) for one in others):
        return []
    says = f"{label} has had other proposals than the one that stands, {now}"
    todo = "name the proposal that you mean"
    do = (step(does, cases=case.number, proposals=stands.seq),)
    return [Unmet("proposal_named", says, todo, argument=True, do=do)]


def _told(one: Assessment | Proposal) -> str:
    what = f"cause {one.cause}" if isinstance(one, Assessment) else f"“{one.answer}”"
    return f"{what}, by {one.by}"


def _unanswered(epoch: Epoch, case: Case, by: str, one: Assessment | Proposal) -> bool:
    """Whether a proposal asked for the consent of somebody who has neither given nor refused it."""
    if by in (one.by, *one.consents, *one.refusals):
        return False
    if isinstance(one, Assessment):
        return not one.disputed and by in consenters(epoch, case, one)
    return by in participants(epoch, case)


# ------------------------------------------------------------------ what people do


@command(
    "cause propose",
    "propose why coders disagree",
    typed="case cause",
    roles=SPEAKERS,
    steps=RESOLVING,
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
        unmet += _complete(state, case, why, proof)
        if why == Cause.C:
            unmet += _scored_differently(state, case, proof)
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
    roles=CODERS,
    steps=RESOLVING,
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
    unmet, found = meant(state, by, "cause accept", named, proposals, awaited_assessment)
    require("accepting the cause", unmet)
    return [CauseAccepted(number, by, seq) for number, seq in found]


@command(
    "cause refuse", "refuse a proposed cause", typed="case refuse", roles=CODERS, steps=RESOLVING
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
    named = [the_case(state, case)]
    unmet, found = meant(state, by, "cause refuse", named, proposals, awaited_assessment)
    require("refusing the cause", given(reason) + unmet)
    return [CauseRefused(number, by, reason.strip(), seq) for number, seq in found]


@command(
    "cause withdraw",
    "take back a cause one proposed",
    typed="case withdraw",
    roles=SPEAKERS,
    steps=RESOLVING,
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
    steps=RESOLVING,
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
    proof = _known(
        state, Evidence(rule=rule or MISSING, wording=gap.strip()) if gap.strip() else Evidence()
    )
    require(f"recording a dispute about {label_of_case(state, one)}", unmet)
    why = Cause.A2 if gap.strip() else Cause.D
    return [CauseDisputed(case, why, proof, reason.strip())]
