"""Events of cases: one disagreement, on one question about one item, and what becomes of it."""

from __future__ import annotations

from msgspec import field

from ..records import Answer, Evidence, Highlight, Note
from ..words import Cause, Outcome
from .event import Event

__all__ = [
    "Aggregated", "CaseAgreed", "CaseClosed", "CaseLeft", "CaseOpened", "CasePostponed",
    "CaseReopened", "CaseReturned", "CasesGrouped", "CauseAccepted", "CauseDisputed",
    "CauseProposed", "CauseRefused", "CauseTold", "CauseWithdrawn", "Decided", "OutcomeAccepted",
    "OutcomeProposed", "OutcomeRefused", "ReasonGiven", "Rescored",
]  # fmt: skip


class _CaseEvent(Event, frozen=True):
    """Something that happened in a case.

    A consent or refusal names the event that proposed what it is about; 0, in older logs, is
    whatever stood then.
    """

    case: int

    @property
    def stream(self) -> str:
        return f"case {self.case}"


class CaseOpened(_CaseEvent, frozen=True, tag="case opened"):
    """Annotations of one item conflict on one question."""

    says = "case {case}: item {item}, question {question}"

    item: str
    question: str
    round: int
    because: str = "comparison"  # or "rescoring", "dependency", "missing proof" …


class CasesGrouped(Event, frozen=True, tag="cases grouped"):
    """Cases that look alike are handled together; each still has a record of its own."""

    says = "group “{group}”: {cases:case}"

    group: str
    cases: tuple[int, ...]
    reason: str = ""

    @property
    def stream(self) -> str:
        return f"group {self.group}"


class ReasonGiven(_CaseEvent, frozen=True, tag="reason given"):
    """A coder says why they annotated as they did, before seeing the others' reasons."""

    says = "case {case}: {coder} gave a reason"
    commutes = True

    coder: str
    text: str
    cites: tuple[str, ...] = ()  # toolbox elements, see `toolbox.elements`
    highlight: Highlight | None = None


class CauseProposed(_CaseEvent, frozen=True, tag="cause proposed"):
    """Somebody says why the coders disagree, with the evidence which that cause requires."""

    says = "case {case}: {by} proposes cause {cause}"

    cause: Cause
    evidence: Evidence
    by: str


class CauseTold(_CaseEvent, frozen=True, tag="cause told"):
    """The source of imported annotations says why coders disagreed: nobody consents with that."""

    says = "case {case}: the source says cause {cause}"

    cause: Cause
    evidence: Evidence


class CauseAccepted(_CaseEvent, frozen=True, tag="cause accepted"):
    """One who must consent does; with the last of them the cause is accepted."""

    says = "case {case}: {by} accepts the cause"
    commutes = True

    by: str
    proposal: int = 0


class CauseRefused(_CaseEvent, frozen=True, tag="cause refused"):
    """One who must consent does not; the case is open again, the proposal stays in its history."""

    says = "case {case}: {by} does not accept the cause"

    by: str
    reason: str
    proposal: int = 0


class CauseWithdrawn(_CaseEvent, frozen=True, tag="cause withdrawn"):
    """Who proposed a cause takes it back."""

    says = "case {case}: {by} withdraws the cause"

    by: str


class CauseDisputed(_CaseEvent, frozen=True, tag="cause disputed"):
    """No cause finds consent: the case goes on as d, or as a2 if somebody cites a gap."""

    says = "case {case} goes on as {cause}, without consent"

    cause: Cause  # d or a2
    evidence: Evidence
    reason: str


class Rescored(_CaseEvent, frozen=True, tag="rescored"):
    """A coder changes an annotation of their own; the old one is kept.

    Under c the item may be another one than the case's; under dependency the question may be.
    """

    says = "case {case}: {coder} now says “{answer}” about item {item}, question {question}"

    coder: str
    item: str
    question: str
    answer: Answer
    because: str  # "c", "d", "e", "dependency", "clarified", "deference", "imported"
    note: Note | None = None
    cites: tuple[str, ...] = ()  # toolbox elements that justify the new answer


class OutcomeProposed(_CaseEvent, frozen=True, tag="outcome proposed"):
    """What the answer should be and why: need not be any coder's own."""

    says = "case {case}: {by} proposes “{answer}”"

    answer: Answer
    outcome: Outcome
    cites: tuple[str, ...]
    text: str
    by: str
    source: str = ""  # of the ambiguity, where the answer is "ambiguous"


class OutcomeAccepted(_CaseEvent, frozen=True, tag="outcome accepted"):
    """One of the coders of the item accepts."""

    says = "case {case}: {by} accepts the outcome"
    commutes = True

    by: str
    proposal: int = 0


class OutcomeRefused(_CaseEvent, frozen=True, tag="outcome refused"):
    """One of the coders of the item does not accept."""

    says = "case {case}: {by} does not accept the outcome"

    by: str
    reason: str
    proposal: int = 0


class CaseAgreed(_CaseEvent, frozen=True, tag="case agreed"):
    """All coders of the item accept one answer, justified by an element of the toolbox."""

    says = "case {case} is agreed: “{answer}” ({outcome})"

    answer: Answer
    outcome: Outcome
    cites: tuple[str, ...]
    consents: tuple[str, ...]
    text: str = ""


class CaseReturned(_CaseEvent, frozen=True, tag="case returned"):
    """The case waits for a change of the toolbox and for re-annotation."""

    says = "case {case} waits for the toolbox"

    concept: str = ""  # that must be looked at again, under a1-concept and b


class CasePostponed(_CaseEvent, frozen=True, tag="case postponed"):
    """The case waits for research."""

    says = "case {case} waits for research, until {review_date}"

    reason: str
    review_date: str


class CaseReopened(_CaseEvent, frozen=True, tag="case reopened"):
    """Back to discussion; everything said before is kept."""

    says = "case {case} is open again: {reason}"

    reason: str


class CaseClosed(_CaseEvent, frozen=True, tag="case closed"):
    """Superseded: the cell no longer conflicts for another reason, or its epoch has ended."""

    says = "case {case} is closed: {reason}"

    reason: str


class CaseLeft(_CaseEvent, frozen=True, tag="case left disagreed"):
    """A researcher declares the case unresolved and leaves it so; all answers are kept."""

    says = "case {case} is left disagreed"

    reason: str


class Decided(_CaseEvent, frozen=True, tag="case decided"):
    """The adjudicator decides an unresolved case: single-annotator portion of the data."""

    says = "case {case}: {by} decides “{answer}”"

    answer: Answer
    reason: str
    by: str


class Aggregated(_CaseEvent, frozen=True, tag="case aggregated"):
    """The adjudicator applies an aggregation (e.g. majority) to an unresolved case."""

    answer: Answer | None  # None: tie, left disagreed
    method: str
    parameters: dict[str, str] = field(default_factory=dict)
    by: str = ""

    def sentence(self) -> str:
        """What the rule gives."""
        given = "a tie, left disagreed" if self.answer is None else f"“{self.answer}”"
        return f"case {self.case}: {self.method} gives {given}"
