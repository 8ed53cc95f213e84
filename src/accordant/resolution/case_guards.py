"""What must hold before something is done about a case: each gives what is missing, in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..errors import unknown
from .causes import missing_evidence
from .disagreement import consenters, item_name, label_of_case, participants
from .records import Evidence
from .refusal import Unmet
from .sentences import listing
from .staleness import orders_over
from .state import NONE, Assessment, Case, Epoch, Proposal, State
from .words import CaseState, Cause

__all__ = [
    "citing", "complete", "given", "in_state", "not_owed", "not_suspended", "own_reason",
    "proposal_meant", "reasons_of_all", "scored_differently", "takes_part",
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


def not_suspended(state: State, case: Case) -> list[Unmet]:
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


def own_reason(state: State, case: Case, by: str) -> list[Unmet]:
    """Who annotated the item says why, before arguing about it."""
    if by not in participants(state.epoch, case) or by in case.reasons:
        return []
    says = f"{by} has not said why they annotated {label_of_case(state, case)} as they did"
    return [Unmet("own_reason", says, "give your own reason first", (by,))]


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


def complete(state: State, case: Case, cause: Cause, evidence: Evidence) -> list[Unmet]:
    """What a cause requires must be written down with it."""
    lacking = missing_evidence(cause, evidence, participants(state.epoch, case))
    if not lacking:
        return []
    says = f"cause {cause} of {label_of_case(state, case)} lacks {listing(lacking, most=9)}"
    return [Unmet("evidence", says, "record it with the cause", argument=True)]


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
