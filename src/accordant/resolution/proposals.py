"""Why coders disagree and what the answer should be: proposed, accepted by each, or refused."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from ..errors import unknown
from ..kinds import Typed
from .answer_form import OneAnswer, checked_answer
from .case_state import Assessment, Case, Proposal
from .case_table import (
    Here,
    citing,
    given,
    reason_for_consent,
    reasons_of_all,
    unmet_in,
)
from .cases import CaseEvent, discuss_again, drop_proposals, in_case, turn
from .causes import CAUSES, missing_evidence
from .command import Cites, Events, Proposals, Shown, Unmet, command, require, step
from .disagreement import (
    Cases,
    awaiting,
    cases_named,
    consenters,
    item_name,
    label_of_case,
    participants,
)
from .event import Stamp
from .sentences import listing
from .state import NONE, State
from .terms import (
    CODERS,
    RESOLVING,
    SPEAKERS,
    Answer,
    CaseState,
    Cause,
    Evidence,
    Note,
    Outcome,
    digest,
)
from .toolbox import cited
from .wording import all_known


class CauseProposed(CaseEvent, frozen=True, tag="cause proposed"):
    """Somebody says why the coders disagree, with the evidence which that cause requires."""

    cause: Cause
    evidence: Evidence
    by: str
    told: bool = False  # by the source of imported annotations: nobody consents with that

    def sentence(self) -> str:
        """Who says so."""
        who = "the source says" if self.told else f"{self.by} proposes"
        return f"case {self.case}: {who} cause {self.cause}"


class OutcomeProposed(CaseEvent, frozen=True, tag="outcome proposed"):
    """What the answer should be and why: need not be any coder's own."""

    says = "case {case}: {by} proposes “{answer}”"

    answer: Answer
    outcome: Outcome
    cites: tuple[str, ...]
    text: str
    by: str
    source: str = ""  # of the ambiguity, where the answer is "ambiguous"


class Accepted(CaseEvent, frozen=True, tag="accepted"):
    """One who must consent to a cause or an outcome does; the last one settles it."""

    says = "case {case}: {by} accepts what is proposed"
    commutes = True  # it names what is accepted

    by: str
    proposal: int  # number of the event that proposed it
    shown: str  # hash of what it says: of another content it is no consent


class RefusedBy(CaseEvent, frozen=True, tag="refused"):
    """One who must consent does not, or who proposed it withdraws it."""

    says = "case {case}: {by} refuses what is proposed"

    by: str
    reason: str
    proposal: int


ACCEPTED = {
    Cause.C: CaseState.RESCORING,
    Cause.E: CaseState.RESCORING,
    Cause.D: CaseState.ARGUED,
}
"""Under a and b it waits to be returned."""


def _accept(state: State, case: Case, assessment: Assessment) -> None:
    assessment.accepted, assessment.accepted_seq = True, state.seq
    to = ACCEPTED.get(assessment.cause, CaseState.CAUSE_ACCEPTED)
    turn(case, to, f"cause {assessment.cause.value}")


def _hash(state: State, case: Case, event: CauseProposed | OutcomeProposed) -> str:
    """SHA-256 of what is proposed, about which item and question, and by whom."""
    return digest([item_name(state, case), case.question, event])


def _proposed(state: State, case: Case, event: CauseProposed | OutcomeProposed, n: int) -> Events:
    """A proposal, after n other events, with the consent of who proposes it and is asked."""
    if isinstance(event, OutcomeProposed):
        asked = participants(state.epoch, case)
    else:
        known = Assessment(event.cause, event.evidence, event.by, "")
        asked = consenters(state.epoch, case, known)
    own = Accepted(case.number, event.by, state.seq + n + 1, _hash(state, case, event))
    return [event, own] if event.by in asked else [event]


@in_case(CauseProposed)
def _cause_proposed(state: State, case: Case, event: CauseProposed, stamp: Stamp) -> None:
    assessment = Assessment.of(event, at=stamp[0], seq=state.seq, shown=_hash(state, case, event))
    case.assessments.append(assessment)
    if not event.told:
        turn(case, CaseState.CAUSE_PROPOSED, event.cause.value)
        return
    epoch = state.epochs[case.epoch - 1]
    named = tuple(filter(None, consenters(epoch, case, assessment)))
    assessment.asked = named or participants(epoch, case)
    _accept(state, case, assessment)


@in_case(OutcomeProposed)
def _outcome_proposed(state: State, case: Case, event: OutcomeProposed, stamp: Stamp) -> None:
    drop_proposals(case)
    shown = _hash(state, case, event)
    case.proposals.append(Proposal.of(event, at=stamp[0], seq=state.seq, shown=shown))


@in_case(Accepted)
def _accepted(state: State, case: Case, event: Accepted, stamp: Stamp) -> None:
    one = next(one for one in case.proposed if one.seq == event.proposal)
    if event.shown != one.shown:
        return
    one.consents.append(event.by)
    one.events[event.by] = state.seq
    if isinstance(one, Proposal):
        return
    asked = consenters(state.epochs[case.epoch - 1], case, one)
    if one is case.assessments[-1] and set(asked) <= set(one.consents):
        one.asked = asked
        _accept(state, case, one)


@in_case(RefusedBy)
def _refused(state: State, case: Case, event: RefusedBy, stamp: Stamp) -> None:
    one = next(one for one in case.proposed if one.seq == event.proposal)
    one.refusals[event.by] = event.reason
    if isinstance(one, Proposal):
        one.ended = True
    else:
        discuss_again(case, f"{event.by} refused: {event.reason}")


# ------------------------------------------------------------------ what is written down with it


def _complete(state: State, case: Case, cause: Cause, evidence: Evidence) -> Iterator[Unmet]:
    """What a cause requires must be written down with it."""
    lacking = missing_evidence(cause, evidence, participants(state.epoch, case))
    if lacking:
        says = f"cause {cause} of {label_of_case(state, case)} lacks {listing(lacking, most=9)}"
        do = (step("causes"),)
        yield Unmet("evidence", says, argument=True, do=do)
    if cause == Cause.C:
        yield from _scored_differently(state, case, evidence)
    if cause == Cause.D:
        yield from reasons_of_all(state, case)


def _scored_differently(state: State, case: Case, evidence: Evidence) -> Iterator[Unmet]:
    """Under c the coder must have answered differently about the other items."""
    epoch, coder, where = state.epoch, evidence.coder, state.items.positions
    column = epoch.current.get(case.question, {}).get(coder)
    if column is None:
        return
    here = column[case.item]
    for other in evidence.others:
        code = column[where[other]] if where[other] < len(column) else NONE
        says = ""
        if where[other] == case.item:
            says = f"{other} is the item of the case itself"
        elif code == NONE:
            says = f"{coder} has not annotated {other} on {case.question}"
        elif code == here:
            says = f"{coder} answered {other} as {item_name(state, case)}"
        if says:
            yield Unmet("other_items", says, argument=True)


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
    all_known("item", evidence.others, state.items.positions)
    rules = [*state.epoch.rules]
    if evidence.rule and evidence.rule not in (MISSING, *rules):
        hint = f"Say {MISSING!r} if the guidelines are silent."
        raise unknown("rule", evidence.rule, rules, "the guidelines have", hint)
    if evidence.coder and evidence.coder not in state.people:
        raise unknown("person", evidence.coder, state.people, "the project has")
    return evidence


# ------------------------------------------------------------------ which proposal is meant


def _meant(
    state: State, case: Case, by: str, stands: Assessment | Proposal, named: Sequence[int]
) -> list[Unmet]:
    """Who answers a proposal means its content: who has read “yes” never consents to “no”.

    It need not be named unless they have left another one unanswered: that may be what they mean.
    """
    if reason_for_consent(Here(state, case, by)):
        return []  # it would tell them what is proposed
    others = [one for one in case.proposed if one.content != stands.content]
    label, now = label_of_case(state, case), f"{stands.seq}: {_told(stands)}"
    if gone := [one for one in others if one.seq in named]:
        says = f"proposal {gone[-1].seq} ({_told(gone[-1])}) of {label} does not stand"
        return [Unmet("proposal_named", f"{says}, but {now}")]
    if stands.seq in named or not any(_unanswered(state, case, by, one) for one in others):
        return []
    says = f"{label} has had other proposals than the one that stands, {now}"
    do = (step("case accept", cases=case.number, proposals=stands.seq),)
    return [Unmet("proposal_named", says, argument=True, do=do)]


def _unanswered(state: State, case: Case, by: str, one: Assessment | Proposal) -> bool:
    """Whether a proposal asked for the consent of somebody who has neither given nor refused it."""
    asked = participants(state.epoch, case)
    if isinstance(one, Assessment):
        asked = consenters(state.epoch, case, one)
    return by in asked and by not in (one.by, *one.consents, *one.refusals)


def _told(one: Assessment | Proposal) -> str:
    what = f"cause {one.cause}" if isinstance(one, Assessment) else f"“{one.answer}”"
    return f"{what}, by {one.by}"


def _answered(
    state: State, by: str, act: str, cases: Cases, proposals: Sequence[int]
) -> tuple[list[Unmet], list[tuple[Case, Assessment | Proposal]]]:
    """What keeps a person from answering what stands in cases; each case, and what stands there."""
    unmet, found = list[Unmet](), list[tuple[Case, Assessment | Proposal]]()
    known = {one.seq for case in state.epoch.cases.values() for one in case.proposed}
    for number in proposals:
        if number not in known:
            raise unknown("proposal", number, known, "there are")
    for case in cases_named(state, cases):
        what = "cause" if case.state is CaseState.CAUSE_PROPOSED else "outcome"
        unmet += unmet_in(f"{what} {act}", state, by, [case])
        if (one := awaiting(case)) is not None:
            unmet += _meant(state, case, by, one, proposals)
            found.append((case, one))
    return unmet, found


# ------------------------------------------------------------------ what people do


@command("case cause", "propose why coders disagree", roles=SPEAKERS, steps=RESOLVING)
def propose_cause(
    state: State, by: str, *, cases: Cases, cause: Cause | str, evidence: Evidence | None = None
) -> Events:
    """Propose why the coders disagree, with the evidence it needs.

    Those who must consent are all coders of the item, or the one coder whom c or e names. Who
    proposes and has to consent, consents with that.

    Parameters
    ----------
    state : State
    by : str
        A coder of the item (who has given a reason), a moderator or a researcher.
    cases : numbers of cases
    cause : Cause
        One of a1-concept, a1-task, a2, b, c, d, e.
    evidence : Evidence, optional
        What `causes.CAUSES` asks for; under d it is the coders' reasons.

    Examples
    --------
    The guidelines are silent:
    $ accordant project case cause 3 a2 --rule missing --wording 'reports are no'
    A concept:
    $ accordant project case cause 4 b --concept claim --width 'too narrow'
    One coder was inconsistent:
    $ accordant project case cause 5 c --coder bob --other p9 --same 'the same words'
    The item is read differently:
    $ accordant project case cause 6 d
    A slip:
    $ accordant project case cause 7 e --coder cleo --meant yes
    What each cause means and asks for:
    $ accordant project causes
    """
    try:
        why = Cause(cause)
    except ValueError:
        raise unknown("cause", cause, [c.value for c in Cause], "there are") from None
    proof, named = _known(state, evidence or Evidence()), cases_named(state, cases)
    unmet = unmet_in("case cause", state, by, named)
    for case in named:
        unmet += _complete(state, case, why, proof)
    require(unmet)
    events = Events()
    for case in named:
        events += _proposed(state, case, CauseProposed(case.number, why, proof, by), len(events))
    return events


@command("case outcome", "propose what the answer should be", roles=SPEAKERS, steps=RESOLVING)
def propose_outcome(
    state: State,
    by: str,
    *,
    cases: Cases,
    answer: OneAnswer,
    cites: Cites = (),
    text: Annotated[str, Typed("TEXT", "--text")] = "",
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
    cases : numbers of cases
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
    $ accordant project case outcome 3 no --cites 'rule R2' --text 'it is only a report'
    For several:
    $ accordant project case outcome 3-7 no --cites 'rule R2' --text 'they are only reports'
    """
    named, elements = cases_named(state, cases), cited(state, cites)
    note = Note(source=source, reason=text)
    answers = [checked_answer(state, c.question, answer, note, item_name(state, c)) for c in named]
    unmet = citing(elements) + given(text, "reading", "reading or reason")
    require(unmet + unmet_in("case outcome", state, by, named))
    events = Events()
    for case, new in zip(named, answers, strict=True):
        kind, why = _kind(case), text.strip()
        proposed = OutcomeProposed(case.number, new, kind, elements, why, by, source)
        events += _proposed(state, case, proposed, len(events))
    return events


def _kind(case: Case) -> Outcome:
    if case.cause is None or CAUSES[case.cause].returns_to is not None:
        return Outcome.CLARIFIED
    return CAUSES[case.cause].outcome


@command("case accept", "accept a cause or an outcome", roles=CODERS, steps=RESOLVING)
def accept(
    state: State, by: str, *, cases: Cases, proposals: Proposals = (), shown: Shown = ()
) -> Events:
    """Accept the cause or, once that is settled, the outcome.

    With the last consent the case goes its way.

    Parameters
    ----------
    state : State
    by : str
        A coder of the item; of a cause c or e, the coder whom it names.
    cases : numbers of cases
    proposals : sequence of int
        Which one is meant, by its number; needed where you have left another one unanswered.
    shown : sequence of str
        Hash of what was shown to you, or how it begins: refused if something else stands now.

    Examples
    --------
    What was proposed for one case:
    $ accordant project case accept 3 --as bob
    For several:
    $ accordant project case accept 3-7 --as bob
    One of several that were proposed:
    $ accordant project case accept 3 --proposal 48 --as bob
    """
    unmet, found = _answered(state, by, "accept", cases, proposals)
    for case, one in found:
        if shown and not one.shown.startswith(tuple(shown)):
            says = f"what is proposed for {label_of_case(state, case)} is not what was shown"
            unmet.append(Unmet("shown", f"{says}: {_told(one)}"))
    require(unmet)
    return [Accepted(case.number, by, one.seq, one.shown) for case, one in found]


@command("case refuse", "refuse a cause or an outcome", roles=SPEAKERS, steps=RESOLVING)
def refuse(
    state: State, by: str, *, cases: Cases, reason: str, proposals: Proposals = ()
) -> Events:
    """Refuse the cause or, once that is settled, the outcome.

    The discussion goes on, and what was proposed stays in the history of the case. Who proposed it
    withdraws it so.

    Parameters
    ----------
    state : State
    by : str
        Who is asked to accept it, or who proposed it.
    cases : numbers of cases
    reason : str
        Why.
    proposals : sequence of int
        Which one is meant, by its number; needed where you have left another one unanswered.

    Examples
    --------
    The cause or outcome:
    $ accordant project case refuse 3 'I meant what I said' --as bob
    With a longer reason:
    $ accordant project case refuse 3 - --as bob < why.txt
    """
    unmet, found = _answered(state, by, "refuse", cases, proposals)
    require(given(reason) + unmet)
    return [RefusedBy(case.number, by, reason.strip(), one.seq) for case, one in found]
