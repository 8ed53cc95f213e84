"""What happens in a case: it opens, coders say why they answered so, it is agreed, opened again."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from .case_state import Case, Reason, Turn
from .case_table import given, unmet_in
from .command import Cites, Events, command, require
from .disagreement import Cases, cases_named
from .event import Event, Stamp, on
from .state import State
from .terms import CODERS, RESOLVING, SPEAKERS, Answer, CaseState, Outcome
from .toolbox import cited


class CaseEvent(Event, frozen=True):
    """Something that happened in a case."""

    within = "case {0.case}"

    case: int

    def reach(self, state: State) -> tuple[int, ...] | None:
        """The item of the case, and the one that the event names."""
        own = getattr(state.epoch.cases.get(self.case), "item", None)
        named = state.items.positions.get(getattr(self, "item", ""))
        return tuple(item for item in (own, named) if item is not None) or None


class CasesOpened(Event, frozen=True, tag="cases opened"):
    """Annotations of each item conflict on the question beside it; numbers follow the first."""

    within = "cases"

    first: int
    items: tuple[str, ...]
    questions: tuple[str, ...]
    round: int
    because: str = "comparison"  # or "rescoring", "dependency", "missing proof" …

    def reach(self, state: State) -> tuple[int, ...]:
        """The items of the cases."""
        positions = state.items.positions
        return tuple(positions[item] for item in self.items)

    @property
    def numbers(self) -> range:
        """The numbers of the cases."""
        return range(self.first, self.first + len(self.items))

    def sentence(self) -> str:
        """One case with what it is about, or how many there are."""
        if len(self.items) == 1:
            return f"case {self.first}: item {self.items[0]}, question {self.questions[0]}"
        return f"{len(self.items):,} cases are open: {self.first} to {self.numbers[-1]}"


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
    by: str = ""  # who opens it; empty: it follows from something else


class CaseClosed(CaseEvent, frozen=True, tag="case closed"):
    """Superseded: the cell no longer conflicts for another reason, or its epoch has ended."""

    says = "case {case} is closed: {reason}"

    reason: str


class Said(CaseEvent, frozen=True, tag="said"):
    """Something is said in a case: a coder's own reason, or an argument or an answer."""

    commutes = True

    by: str
    text: str
    cites: tuple[str, ...] = ()  # toolbox elements, see `toolbox.elements`
    reason: bool = False  # why they annotated as they did, said before seeing the others' reasons

    def sentence(self) -> str:
        """Who says something."""
        return f"case {self.case}: {self.by} {'gave a reason' if self.reason else 'says something'}"


C = TypeVar("C", bound=CaseEvent)
InCase = Callable[[State, Case, C, Stamp], None]


def in_case(kind: type[C]) -> Callable[[InCase[C]], InCase[C]]:
    """Register what a kind of event does to its case, whose thread ends with it then.

    The case may be one of an earlier epoch, which closes its cases as it ends.
    """

    def register(fold: InCase[C]) -> InCase[C]:
        def folded(state: State, event: C, stamp: Stamp) -> None:
            epoch = next(one for one in reversed(state.epochs) if event.case in one.cases)
            case = epoch.cases[event.case]
            case.thread.append(_turn(state, case, event, stamp))
            fold(state, case, event, stamp)

        on(kind)(folded)
        return fold

    return register


def _turn(state: State, case: Case, event: CaseEvent, stamp: Stamp) -> Turn:
    by = getattr(event, "by", "") or getattr(event, "coder", "") or stamp[1]
    text = getattr(event, "text", "") or getattr(event, "reason", "")
    cites, about = getattr(event, "cites", ()), getattr(event, "proposal", 0)
    return Turn(state.seq, stamp[0], by, event.kind, case.state, text, cites, about)


def turn(case: Case, to: CaseState, why: str = "") -> None:
    """A case goes to another state with what was last said in it."""
    case.state = case.thread[-1].state = to
    case.thread[-1].why = why


def drop_proposals(case: Case) -> None:
    """Whatever was proposed and is undecided has come to nothing."""
    for proposal in case.proposals:
        proposal.ended = True


def discuss_again(case: Case, why: str) -> None:
    """Back to discussion."""
    drop_proposals(case)
    turn(case, CaseState.REASONS if case.reasons else CaseState.OPEN, why)


@on(CasesOpened)
def _opened(state: State, event: CasesOpened, stamp: Stamp) -> None:
    (at, by), why = stamp, event.because
    epoch, positions, kind = state.epoch, state.items.positions, event.kind
    about = zip(event.numbers, event.items, event.questions, strict=True)
    for number, item, question in about:
        case = Case(number, positions[item], question, event.round, epoch.number, why, at)
        case.thread.append(Turn(state.seq, at, by, kind, case.state, why=why))
        epoch.cases[number] = case


@in_case(Said)
def _said(state: State, case: Case, event: Said, stamp: Stamp) -> None:
    if not event.reason:
        return  # it stands in the thread
    case.reasons[event.by] = Reason.of(event, coder=event.by, at=stamp[0], seq=state.seq)
    if case.state == CaseState.OPEN:
        turn(case, CaseState.REASONS)


@in_case(CaseAgreed)
def _agreed(state: State, case: Case, event: CaseAgreed, stamp: Stamp) -> None:
    drop_proposals(case)
    case.agreed = state.seq
    case.answer, case.outcome, case.settled = event.answer, event.outcome, None
    case.cites, case.consents, case.text = event.cites, event.consents, event.text
    case.decided_by, case.method = "", ""
    case.toolbox = state.ordinal
    turn(case, CaseState.AGREED, event.outcome.value)


@in_case(CaseReopened)
def _reopened(state: State, case: Case, event: CaseReopened, stamp: Stamp) -> None:
    if event.by:
        case.reopenings.append(state.seq)
    case.answer = case.outcome = case.settled = None
    case.cites, case.consents, case.text = (), (), ""
    case.decided_by, case.method, case.review_date = "", "", ""
    discuss_again(case, event.reason)


@in_case(CaseClosed)
def _closed(state: State, case: Case, event: CaseClosed, stamp: Stamp) -> None:
    drop_proposals(case)
    turn(case, CaseState.CLOSED, event.reason)


# ------------------------------------------------------------------ what people say


@command("case reason", "say why one annotated so", roles=CODERS, steps=RESOLVING)
def give_reason(state: State, by: str, *, cases: Cases, text: str, cites: Cites = ()) -> Events:
    """Say why you annotated an item as you did.

    The others' reasons are shown after that. A reason that is given again stands beside the first,
    which stays as it was.

    Parameters
    ----------
    state : State
    by : str
        A coder of the item.
    cases : numbers of cases
    text : str
        Your reason.
    cites : sequence of str
        What in the toolbox it rests on: 'question ID', 'rule ID' or 'concept NAME'.

    Examples
    --------
    Why you said so:
    $ accordant project case reason 3 'it is a report' --cites 'rule R2'
    A longer text:
    $ accordant project case reason 3 - < why.txt
    """
    named, elements = cases_named(state, cases), cited(state, cites)
    require(unmet_in("case reason", state, by, named) + given(text))
    return [Said(case.number, by, text.strip(), elements, True) for case in named]


@command("case remark", "say something in a case", roles=SPEAKERS, steps=RESOLVING)
def remark(state: State, by: str, *, cases: Cases, text: str, cites: Cites = ()) -> Events:
    """Say something in the discussion of a case, after your own reason.

    It changes nothing but the thread, which is part of the report.

    Parameters
    ----------
    state : State
    by : str
        A coder of the item (who has given a reason), a moderator or a researcher.
    cases : numbers of cases
    text : str
        What you say.
    cites : sequence of str
        What in the toolbox it rests on: 'question ID', 'rule ID' or 'concept NAME'.

    Examples
    --------
    An argument:
    $ accordant project case remark 3 'it quotes a letter' --as bob
    With what it rests on:
    $ accordant project case remark 3 'so the rule says' --cites 'rule R2' --as bob
    """
    named, elements = cases_named(state, cases), cited(state, cites)
    unmet = unmet_in("case remark", state, by, named) + given(text, "text", "text")
    require(unmet)
    return [Said(case.number, by, text.strip(), elements) for case in named]


@command("case reopen", "open a case again", roles=SPEAKERS, steps=RESOLVING)
def reopen(state: State, by: str, *, cases: Cases, reason: str) -> Events:
    """Open cases again; everything said before is kept.

    Parameters
    ----------
    state : State
    by : str
        A coder of the item, a moderator or a researcher.
    cases : numbers of cases
    reason : str
        Why.

    Examples
    --------
    One case:
    $ accordant project case reopen 3 'the rule was read wrongly'
    Several:
    $ accordant project case reopen 3-5 'the rule was read wrongly'
    """
    named = cases_named(state, cases)
    require(given(reason) + unmet_in("case reopen", state, by, named))
    return [CaseReopened(case.number, reason.strip(), by) for case in named]
