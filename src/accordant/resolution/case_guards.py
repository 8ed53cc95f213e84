"""What must hold before something is done about a case: each gives what is missing, in words.

Those that take state, case and person stand in the table of the case (`case_table`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..errors import RequestError, unknown
from .answers import answer_of
from .causes import missing_evidence
from .command import Unmet, step
from .disagreement import (
    awaited_assessment,
    awaited_proposal,
    consenters,
    item_name,
    label_of_case,
    participants,
)
from .records import Evidence
from .sentences import listing
from .staleness import orders_over
from .state import NONE, Assessment, Case, Epoch, Proposal, State
from .toolbox import change_for, elements
from .words import LEADS, CaseState, Cause, Settled

__all__ = [
    "ANYWHERE",
    "adjudicates", "asked_of_several", "cause_asks", "cause_awaits", "citing", "complete",
    "consents_now", "given", "in_force", "in_state", "left_disagreed", "may_speak",
    "named_by_cause", "not_owed", "not_suspended", "nothing_proposed", "outcome_awaits",
    "outcome_proposed", "own_reason", "proposal_meant", "proposer", "reason_for_consent",
    "reasons_argued", "reasons_of_all", "refused_before", "scored_differently", "several_coders",
    "takes_part", "toolbox_mended", "under_b",
]  # fmt: skip


def given(text: str, guard: str = "reason", what: str = "reason") -> list[Unmet]:
    """Something to be said with a command."""
    if text.strip():
        return []
    return [Unmet(guard, f"no {what} is given", f"give the {what}", argument=True)]


def in_state(state: State, case: Case, wanted: Iterable[CaseState], todo: str = "") -> list[Unmet]:
    """The case must stand somewhere."""
    states = tuple(wanted)
    if case.state in states:
        return []
    allowed = " or ".join(f"“{one}”" for one in states)
    says = f"{label_of_case(state, case)} is at “{case.state}”; this needs {allowed}"
    return [Unmet("case_state", says, todo)]


def not_suspended(state: State, case: Case, by: str = "") -> list[Unmet]:
    """A case whose annotations are stale waits until they are made again."""
    return not_owed(state, case.item, case.question, label_of_case(state, case))


def not_owed(state: State, item: int, question: str, label: str) -> list[Unmet]:
    """Nobody changes an annotation openly that is owed again blindly."""
    orders = orders_over(state.epoch, item, question)
    if not orders:
        return []
    numbers = listing(order.number for order in orders)
    word = "order" if len(orders) == 1 else "orders"
    return [
        Unmet(
            "suspended",
            f"{label} waits for re-annotation ({word} {numbers})",
            f"carry out the {word} in a new round, or waive with a reason",
        )
    ]


def takes_part(state: State, case: Case, by: str) -> list[Unmet]:
    """Only who annotated the item may do this."""
    coders = participants(state.epoch, case)
    if by in coders:
        return []
    says = f"{by} has no annotation in {label_of_case(state, case)}"
    return [Unmet("participant", says, f"this is for {listing(coders)}", coders)]


def may_speak(state: State, case: Case, by: str) -> list[Unmet]:
    """Coders of the item may, and who leads the discussion."""
    if state.has_role(by, *LEADS) or by in participants(state.epoch, case):
        return []
    coders = participants(state.epoch, case)
    says = f"{by} neither annotated {label_of_case(state, case)} nor leads its discussion"
    return [Unmet("participant", says, "let a coder of the item or a researcher do it", coders)]


def own_reason(state: State, case: Case, by: str) -> list[Unmet]:
    """Who annotated the item says why, before arguing about it."""
    if by not in participants(state.epoch, case) or by in case.reasons:
        return []
    says = f"{by} has not said why they annotated {label_of_case(state, case)} as they did"
    return [Unmet("own_reason", says, "give your own reason first", (by,))]


def reason_for_consent(state: State, case: Case, by: str) -> list[Unmet]:
    """Whoever consents with why all disagree has said why; of a slip only its coder knows."""
    assessment = awaited_assessment(case)
    if assessment is None or consenters(state.epoch, case, assessment) == (by,):
        return []
    return own_reason(state, case, by)


def reasons_of_all(state: State, case: Case) -> list[Unmet]:
    """Under d every coder of the item gives a reason that cites the toolbox (Oortwijn, 5d)."""
    coders = participants(state.epoch, case)
    silent = tuple(c for c in coders if c not in case.reasons)
    bare = tuple(c for c in coders if c in case.reasons and not case.reasons[c].cites)
    label, found = label_of_case(state, case), []
    if silent:
        says = f"{label} has no reason of {listing(silent)}"
        found.append(Unmet("reason_per_annotator", says, "each gives a reason", silent))
    if bare:
        says = f"in {label} the reason of {listing(bare)} cites nothing of the toolbox"
        todo = "give the reason again with a question, rule or concept; if none fits, it is a2 or b"
        found.append(Unmet("reason_per_annotator", says, todo, bare))
    return found


def reasons_argued(state: State, case: Case, by: str) -> list[Unmet]:
    """Under d an outcome rests on the reasons of all."""
    return reasons_of_all(state, case) if case.cause == Cause.D else []


def complete(state: State, case: Case, cause: Cause, evidence: Evidence) -> list[Unmet]:
    """What a cause requires must be written down with it."""
    lacking = missing_evidence(cause, evidence, participants(state.epoch, case))
    if not lacking:
        return []
    says = f"cause {cause} of {label_of_case(state, case)} lacks {listing(lacking, most=9)}"
    todo, do = "record it with the cause", (step("causes"),)
    return [Unmet("evidence", says, todo, argument=True, do=do)]


def scored_differently(state: State, case: Case, evidence: Evidence) -> list[Unmet]:
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


def citing(cites: Sequence[str]) -> list[Unmet]:
    """An outcome cites the toolbox; where nothing can be cited, the toolbox is incomplete."""
    if cites:
        return []
    return [
        Unmet(
            "citation",
            "nothing of the toolbox is cited",
            "cite a question, a rule or a concept; if none fits, the toolbox is incomplete: go on "
            "under a2 or b, or postpone the case until research has supplemented it",
            argument=True,
        )
    ]


# ------------------------------------------------------------------ of a proposed cause


def cause_asks(state: State, case: Case, by: str) -> list[Unmet]:
    """The cause that is proposed needs the consent of this person."""
    assessment = awaited_assessment(case)
    needed = consenters(state.epoch, case, assessment) if assessment is not None else ()
    if assessment is None or by in needed:
        return []
    says = f"cause {assessment.cause} of {label_of_case(state, case)} does not ask {by}"
    return [Unmet("consent", says, f"it asks {listing(needed)}", needed)]


def cause_awaits(state: State, case: Case, by: str) -> list[Unmet]:
    """Nobody consents twice."""
    assessment = awaited_assessment(case)
    if assessment is None or by not in assessment.consents:
        return []
    needed = consenters(state.epoch, case, assessment)
    waiting = tuple(coder for coder in needed if coder not in assessment.consents)
    says = f"{by} has accepted cause {assessment.cause} of {label_of_case(state, case)}"
    return [Unmet("consent", says, f"{listing(waiting)} must say", waiting)]


def proposer(state: State, case: Case, by: str) -> list[Unmet]:
    """Who proposed a cause takes it back, and nobody else."""
    assessment = awaited_assessment(case)
    if assessment is None or assessment.by == by:
        return []
    says = f"{assessment.by} proposed the cause of {label_of_case(state, case)}"
    return [Unmet("proposer", says, "refuse it, if you are asked", (assessment.by,))]


def refused_before(state: State, case: Case, by: str) -> list[Unmet]:
    """A dispute is recorded only after somebody has refused a cause."""
    last = case.assessments[-1] if case.assessments else None
    if last is not None and last.refusals:
        return []
    says = f"nobody has refused a cause of {label_of_case(state, case)}"
    todo = "propose a cause and let those concerned answer"
    return [Unmet("refusal", says, todo, participants(state.epoch, case))]


def named_by_cause(state: State, case: Case, by: str) -> list[Unmet]:
    """Under c and e the coder whom the cause names corrects, and nobody else."""
    coder = case.assessments[-1].evidence.coder if case.assessments else ""
    if by == coder:
        return []
    says = f"{label_of_case(state, case)} is about an annotation of {coder}"
    return [Unmet("own_annotation", says, "nobody rescores for somebody else", (coder,))]


# ------------------------------------------------------------------ of an outcome


def toolbox_mended(state: State, case: Case, by: str) -> list[Unmet]:
    """A case that was returned has come back with the change that its cause asks for."""
    if case.state != CaseState.RETURNED:
        return []
    change = change_for(state, case, case.assessments[-1])
    if not isinstance(change, Unmet):
        return []
    todo = "return it again and change that, or open the case again"
    says = f"{label_of_case(state, case)} was returned: {change.says}"
    return [Unmet("case_state", says, todo)]


def nothing_proposed(state: State, case: Case, by: str) -> list[Unmet]:
    """One outcome stands at a time."""
    waiting = awaited_proposal(case)
    if waiting is None:
        return []
    coders = tuple(c for c in participants(state.epoch, case) if c not in waiting.consents)
    says = f"“{waiting.answer}” is proposed for {label_of_case(state, case)}"
    todo = f"{listing(coders)} must accept or refuse it first, or propose another instead of it"
    return [Unmet("proposal", says, todo, coders)]


def several_coders(state: State, case: Case, by: str) -> list[Unmet]:
    """One coder cannot agree alone."""
    coders = participants(state.epoch, case)
    if len(coders) > 1:
        return []
    says = f"only {listing(coders)} holds an answer in {label_of_case(state, case)}"
    return [Unmet("two_annotators", says, "one coder cannot agree alone: leave it disagreed")]


def outcome_proposed(state: State, case: Case, by: str) -> list[Unmet]:
    """There is an outcome to say something about."""
    if awaited_proposal(case) is not None:
        return []
    says = f"no outcome is proposed for {label_of_case(state, case)}"
    return [Unmet("proposal", says, "propose one")]


def outcome_awaits(state: State, case: Case, by: str) -> list[Unmet]:
    """Nobody consents twice."""
    proposal = awaited_proposal(case)
    if proposal is None or by not in proposal.consents:
        return []
    waiting = tuple(c for c in participants(state.epoch, case) if c not in proposal.consents)
    says = f"{by} has accepted “{proposal.answer}” for {label_of_case(state, case)}"
    return [Unmet("consent", says, f"{listing(waiting)} must say", waiting)]


def in_force(state: State, case: Case, by: str) -> list[Unmet]:
    """The toolbox may have changed since: what is cited and answered must still be in it."""
    proposal = awaited_proposal(case)
    if proposal is None:
        return []
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
    try:
        answer_of(state.epoch.guidelines[-1], state.epoch.questions[case.question], proposal.answer)
    except RequestError:
        says = f"“{proposal.answer}”, proposed for {label}, is no longer among the options"
        found.append(Unmet("scoring_options", says, todo))
    return found


def under_b(state: State, case: Case, by: str) -> list[Unmet]:
    """Deference to one coder exists under b only."""
    if case.cause == Cause.B:
        return []
    says = f"{label_of_case(state, case)} has not the accepted cause b"
    return [Unmet("case_state", says, "deference exists under b only")]


def consents_now(state: State, case: Case, by: str) -> list[Unmet]:
    """A consent is taken back only while what it was given to waits for others."""
    if (standing := awaited_assessment(case) or awaited_proposal(case)) and by in standing.consents:
        return []
    says = f"no consent of {by} waits for others in {label_of_case(state, case)}"
    return [Unmet("consent", says, "what all have accepted is opened again instead")]


# ------------------------------------------------------------------ where no agreement is reached


def asked_of_several(state: State, case: Case, by: str) -> list[Unmet]:
    """One that was closed may be asked of two coders again, and have nothing that settled it."""
    if case.state != CaseState.CLOSED or len(participants(state.epoch, case)) > 1:
        return []
    return in_state(state, case, [s for s in CaseState if s != CaseState.CLOSED])


def adjudicates(state: State, case: Case, by: str) -> list[Unmet]:
    """Only the adjudicator may decide."""
    if not state.adjudicator:
        says, todo = "no adjudicator is appointed", "let a researcher appoint one, if need be"
        return [Unmet("adjudicator", says, todo, do=(step("adjudicator"),))]
    if by == state.adjudicator:
        return []
    says = f"only {state.adjudicator}, the adjudicator, may decide"
    return [Unmet("adjudicator", says, "", (state.adjudicator,))]


def left_disagreed(state: State, case: Case, by: str) -> list[Unmet]:
    """Only what was declared unresolved, and is not yet decided, can be decided."""
    label = label_of_case(state, case)
    if case.state != CaseState.UNRESOLVED:
        says = f"{label} is at “{case.state}” and was not declared unresolved"
        todo = "let a researcher declare it, when the coders cannot agree"
        return [Unmet("declared_unresolved", says, todo)]
    if case.settled == Settled.LEFT_DISAGREED:
        return []
    says = f"{label} has a {case.settled} already"
    return [Unmet("declared_unresolved", says, "open it again first")]


ANYWHERE = (
    takes_part, may_speak, not_suspended, own_reason, reason_for_consent, adjudicates,
    left_disagreed,
)  # fmt: skip
"""What is asked wherever a case stands; where it does not hold, nothing else is told."""


# ------------------------------------------------------------------ which proposal is meant


def proposal_meant(
    state: State, case: Case, by: str, stands: Assessment | Proposal, named: Sequence[int]
) -> list[Unmet]:
    """Who answers a proposal means its content: who has read “yes” never consents to “no”.

    It need not be named unless they have left another one unanswered: that may be what they mean.

    Raises
    ------
    RequestError
        If a number is named that no proposal of any case has.
    """
    if reason_for_consent(state, case, by):
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
    return [Unmet("proposal_named", says, "name the proposal that you mean", argument=True)]


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
