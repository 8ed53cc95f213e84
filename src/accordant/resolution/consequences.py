"""What necessarily follows from what people do, and is recorded as events of its own.

Acceptance by the last coder settles a case; rescoring settles, opens or closes cases wherever it
changes whether annotations conflict; a round of re-annotation settles what was returned.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, pairwise

from .case_state import Case, Proposal
from .cases import CaseAgreed, CaseClosed, CaseReopened, CasesOpened
from .causes import CAUSES
from .cells import cell_state, comparisons, dependents
from .corrections import Rescored
from .disagreement import (
    awaited_proposal,
    case_at,
    held,
    participants,
    said,
    unanimous,
)
from .ending import Ending, Missing, ending, endings, trail_of
from .event import Event
from .proposals import Accepted
from .rounds import RoundClosed
from .state import Round, State
from .terms import (
    AMBIGUOUS,
    NOT_APPLICABLE,
    Answer,
    CaseState,
    Cause,
    CellState,
    Note,
    Outcome,
    Step,
)
from .transitions import Moved

BECAUSE = {
    Outcome.RESCORED_C: "c",
    Outcome.RESCORED_E: "e",
    Outcome.ARGUED_D: "d",
}
"""Otherwise "clarified"."""
BEGUN = (CaseState.OPEN, CaseState.REASONS)
NOT_ASKED = "the question is no longer asked of two coders of this item"
AGAIN = "annotations conflict again"


def consequences(state: State, events: Sequence[Event]) -> list[Event]:
    """Events that follow from events just folded into the state; none if nothing follows.

    Parameters
    ----------
    state : State
        As the events left it. Not changed.
    events : sequence of Event
    """
    found: list[Event] = []
    for event in events:
        new: list[Event] = []
        if isinstance(event, Accepted):
            new = _accepted(state, event)
        elif isinstance(event, Rescored):
            new = _rescored(state, event, found)
        elif isinstance(event, RoundClosed):
            new = _matched(state, event.number)
        elif isinstance(event, Moved) and event.target == Step.RESOLUTION:
            new = list(cases_to_open(state))
        found += [event for event in new if event not in found]  # several may have one consequence
    return found


# ------------------------------------------------------------------ outcomes


def _accepted(state: State, event: Accepted) -> list[Event]:
    case = state.epoch.cases[event.case]
    proposal = awaited_proposal(case)
    coders = participants(state.epoch, case)
    if proposal is None or not set(coders) <= set(proposal.consents):
        return []
    one, number = proposal, case.number
    agreed = CaseAgreed(number, one.answer, one.outcome, one.cites, coders, one.text)
    return [*_changed_minds(state, case, proposal), agreed]


def _changed_minds(state: State, case: Case, proposal: Proposal) -> list[Rescored]:
    """Coders who accept another answer than the one they hold rescore; the old one is kept."""
    note = None
    if proposal.answer == AMBIGUOUS and proposal.source:
        note = Note(source=proposal.source)
    elif proposal.answer == NOT_APPLICABLE:
        note = Note(reason=proposal.text)
    because = BECAUSE.get(proposal.outcome, "clarified")
    item = state.items.ids[case.item]
    return [
        Rescored(case.number, coder, item, case.question, proposal.answer, because, note)
        for coder, answer in said(state.epoch, case).items()
        if answer != proposal.answer
    ]


# ------------------------------------------------------------------ rescoring


def _rescored(state: State, event: Rescored, before: Sequence[Event]) -> list[Event]:
    epoch, item = state.epoch, state.items.positions[event.item]
    found: list[Event] = []
    own = epoch.cases[event.case]
    on_it = item == own.item and event.question == own.question
    if on_it and own.state == CaseState.ARGUED and event.because in ("c", "e"):
        found += _corrected(state, own, event)
    elif not on_it and event.because == "c":
        found += _consistent_now(state, own)
    handled = {own.number} if on_it and found else set()
    for question in dependents(epoch, (event.question,)):
        case = case_at(epoch, item, question)
        if case is None:
            found += _new(state, item, question, event, [*before, *found])
        elif case.number not in handled:
            found += _look(state, case, AGAIN)
    return found


def _corrected(state: State, case: Case, event: Rescored) -> list[Event]:
    """After the coder named has rescored the item of the case: agreed, or open again."""
    answer = unanimous(state.epoch, case.item, case.question)
    if answer is None:
        return [CaseReopened(case.number, f"{event.coder} rescored, and the answers still differ")]
    found = ending(trail_of(state), case.item, case.question)
    if isinstance(found, Missing) and found.code != "no_incomplete":
        return [CaseReopened(case.number, found.says)]
    outcome = Outcome.RESCORED_E if event.because == "e" else Outcome.RESCORED_C
    evidence, coders = case.assessments[-1].evidence, participants(state.epoch, case)
    text = evidence.same or evidence.meant
    return [CaseAgreed(case.number, answer, outcome, event.cites, coders, text)]


def _consistent_now(state: State, case: Case) -> list[Event]:
    """The other items were corrected instead: the inconsistency is gone, the disagreement not."""
    if case.state != CaseState.RESCORING or case.cause != Cause.C:
        return []
    evidence, where = case.assessments[-1].evidence, state.items.positions
    cells = [case.item, *(where[other] for other in evidence.others)]
    codes = {held(state.epoch, i, case.question).get(evidence.coder) for i in cells}
    if len(codes) > 1:
        return []
    reason = f"{evidence.coder} is consistent now, and the disagreement stays"
    return [CaseReopened(case.number, reason)]


def _new(
    state: State, item: int, question: str, event: Rescored, before: Sequence[Event]
) -> list[Event]:
    epoch = state.epoch
    if state.step != Step.RESOLUTION:
        return []
    if cell_state(epoch, item, question) != CellState.CONFLICTING:
        return []
    opened = [e for e in before if isinstance(e, CasesOpened)]
    if any((e.items, e.questions) == ((event.item,), (question,)) for e in opened):
        return []
    child = question != event.question or event.because == "dependency"
    number = next_case(state) + len(opened)
    last = [r.number for r in epoch.rounds if r.closed]
    why = "dependency" if child else "rescoring"
    return [CasesOpened(number, (event.item,), (question,), last[-1] if last else 0, why)]


def _joined(state: State, case: Case, answer: Answer, outcome: Outcome) -> list[Event]:
    """What was agreed stands; whoever has not consented to it joins those who have."""
    coders = participants(state.epoch, case)
    if set(coders) <= set(case.consents) or outcome is Outcome.IMPORTED:
        return []
    return [CaseAgreed(case.number, answer, outcome, case.cites, coders, case.text)]


# ------------------------------------------------------------------ cases to open


def next_case(state: State) -> int:
    """The number of the next case: cases are numbered through all epochs of a project.

    Examples
    --------
    >>> next_case(State())
    1
    """
    return 1 + sum(len(epoch.cases) for epoch in state.epochs)


def cases_to_open(state: State, because: str = "comparison") -> list[CasesOpened]:
    """A case for each item and question on which coders disagree or disagreed, and that has none.

    Cases that were settled before and conflict again are opened again by `consequences`.

    Parameters
    ----------
    state : State
    because : str
        Where the conflicts came to light.

    Returns
    -------
    list of CasesOpened
        By item, and by question in the order of the task: one event for all of the same round.
    """
    epoch = state.epoch
    known = {(case.item, case.question) for case in epoch.cases.values()}
    order = {question: k for k, question in enumerate(epoch.questions)}
    ids, closed = state.items.ids, [some for some in epoch.rounds if some.closed]
    last = closed[-1].number if closed else 0
    found = {
        (item, question): (last, because)
        for question, comparison in comparisons(epoch).items()
        for item in comparison.conflicting
    }
    for (question, item), missing in endings(state).missing.items():
        if missing.code == "cause.none" and held(epoch, item, question):  # else its parent lacks it
            since = epoch.conflicts.get(question, {}).get(item, 0)
            then = next((some.number for some in closed if some.closed_seq == since), last)
            found.setdefault((item, question), (then, "missing proof"))
    cells = sorted((item, order[question], question) for item, question in found.keys() - known)
    opened, first = list[CasesOpened](), next_case(state)
    for origin, group in groupby(cells, key=lambda cell: found[cell[0], cell[2]]):
        each = list(group)
        items, questions = tuple(ids[i] for i, _, _ in each), tuple(q for _, _, q in each)
        opened.append(CasesOpened(first, items, questions, *origin))
        first += len(each)
    return opened


# ------------------------------------------------------------------ after a round


def _matched(state: State, number: int) -> list[Event]:
    """What the comparison of a round means for the cases that there were before.

    Equal annotations: agreed by re-annotation, the new annotations being the consents. Unequal:
    open again, with its history. Conflicts without a case get one when resolution begins.

    Parameters
    ----------
    state : State
        After the round has closed.
    number : int
        Of the round.
    """
    some = next((r for r in state.epoch.rounds if r.number == number), None)
    if some is None:
        return []
    items = None if some.items is None else set(some.items)
    return [
        event
        for case in state.epoch.cases.values()
        if case.round < number  # others are opened by this very round, imported with its cases
        and case.question in some.questions
        and (items is None or case.item in items)
        for event in _look(state, case, f"{AGAIN} in round {number}", some)
    ]


def _look(state: State, case: Case, why: str, some: Round | None = None) -> list[Event]:
    """What the answers of now mean for a case, after a round or a rescoring elsewhere."""
    epoch, number = state.epoch, case.number
    now = cell_state(epoch, case.item, case.question)
    if now == CellState.CONFLICTING:
        return [] if case.state in BEGUN else [CaseReopened(number, why)]
    if case.state == CaseState.CLOSED:
        return []
    answer = unanimous(epoch, case.item, case.question)
    if answer is not None:
        return _equal(state, case, answer, some)
    if now != CellState.INCOMPLETE:
        return [CaseClosed(number, NOT_ASKED)]
    if some is None or case.state in BEGUN:
        return []
    return [CaseReopened(number, f"not annotated by all coders again in round {some.number}")]


def _equal(state: State, case: Case, answer: Answer, some: Round | None) -> list[Event]:
    """Equal answers alone settle nothing: it counts how they came about."""
    coders = participants(state.epoch, case)
    again = case.state == CaseState.AGREED and answer == case.answer
    if again and case.outcome is Outcome.IMPORTED:
        return []
    found = ending(trail_of(state), case.item, case.question)
    if isinstance(found, Missing):
        return (
            [] if case.live or (again and some is None) else [CaseReopened(case.number, found.says)]
        )
    if again and case.outcome is not None:
        return _joined(state, case, answer, case.outcome)
    text = f"annotated again in round {some.number}" if some is not None else AGAIN
    outcome, cites = _mended(state, case, found)
    agreed = CaseAgreed(case.number, answer, outcome, cites, coders, text)
    return [agreed] if case.live else [CaseReopened(case.number, text), agreed]


def _mended(state: State, case: Case, found: Ending) -> tuple[Outcome, tuple[str, ...]]:
    """By what it is agreed, and the elements of the toolbox that were mended, else the question."""
    epoch, what = state.epoch, "".join(found.bears_on).removeprefix("concept ")
    back = case.cause is not None and CAUSES[case.cause].returns_to is not None
    outcome = CAUSES[case.cause].outcome if back and case.cause else Outcome.REANNOTATED_A
    if versions := epoch.concepts.get(what):
        return outcome, (f"concept {what} v{versions[-1].version}",)
    rules = list[str]()
    for before, after in pairwise(epoch.guidelines):
        if case.number in after.cases:  # that were written because of it
            rules += [f"rule {r.id}" for r in after.rules if r not in before.rules]
    cites = tuple(rule for rule in dict.fromkeys(rules) if rule[5:] in epoch.rules)
    return outcome, cites or (f"question {case.question}",)
