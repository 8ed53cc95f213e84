"""What is known of a case: answers that differ, and all that was said, proposed and agreed."""

from __future__ import annotations

from functools import cache
from typing import Any, Self

import msgspec
from msgspec import field

from .terms import Answer, CaseState, Cause, Evidence, Outcome, Settled

OWN = ("c", "e", "dependency")  # why a coder rescores by themselves, not following an outcome
SETTLED = (CaseState.AGREED, CaseState.UNRESOLVED, CaseState.CLOSED)  # nothing is left to be done


@cache
def _shared(part: type[msgspec.Struct], event: type[msgspec.Struct]) -> tuple[str, ...]:
    """Names of facts that both have."""
    return tuple(name for name in part.__struct_fields__ if name in event.__struct_fields__)


class StatePart(msgspec.Struct):
    """Base of the parts of a state. Only folds change them."""

    @classmethod
    def of(cls, event: msgspec.Struct, **more: Any) -> Self:
        """A part with those facts of an event that bear the same names, and more."""
        same = {name: getattr(event, name) for name in _shared(cls, type(event))}
        return cls(**(same | more))


class Reason(StatePart):
    """Why a coder annotated as they did, as they last said; the thread has how they first did."""

    coder: str
    text: str
    cites: tuple[str, ...]
    at: str
    seq: int = 0  # its number in the log


class Turn(StatePart):
    """One thing that was said or done in a case: the thread of these is its course."""

    seq: int  # number of the event
    at: str
    by: str
    kind: str  # of the event
    state: CaseState  # where the case stood after it
    text: str = ""
    cites: tuple[str, ...] = ()
    about: int = 0  # number of the event that it answers; 0: none in particular
    why: str = ""  # the case went to another state: a few words


class Assessment(StatePart):
    """A cause that was proposed for a case, and what became of it."""

    cause: Cause
    evidence: Evidence
    by: str
    at: str
    consents: list[str] = field(default_factory=list)
    refusals: dict[str, str] = field(default_factory=dict)
    accepted: bool = False
    told: bool = False  # by the source of imported annotations: nobody has consented
    seq: int = 0  # its number in the log, by which consents name it
    shown: str = ""  # hash of what it says, which consents name too
    accepted_seq: int = 0
    asked: tuple[str, ...] = ()  # whose consent was needed when it was accepted
    events: dict[str, int] = field(default_factory=dict)  # who consented → number of the event

    @property
    def content(self) -> tuple[Cause, Evidence]:
        """What one consents to."""
        return self.cause, self.evidence


class Proposal(StatePart):
    """An outcome that was proposed for a case."""

    answer: Answer
    outcome: Outcome
    cites: tuple[str, ...]
    text: str
    by: str
    consents: list[str] = field(default_factory=list)
    refusals: dict[str, str] = field(default_factory=dict)
    source: str = ""  # of the ambiguity, where the answer is "ambiguous"
    ended: bool = False  # agreed, or the discussion has gone on without it
    at: str = ""
    seq: int = 0  # its number in the log, by which consents name it
    shown: str = ""  # as of an `Assessment`
    events: dict[str, int] = field(default_factory=dict)  # as of an `Assessment`

    @property
    def content(self) -> tuple[Answer, Outcome, tuple[str, ...], str, str]:
        """What one consents to."""
        return self.answer, self.outcome, self.cites, self.text, self.source


class Judgement(StatePart):
    """What a coder says of a change of the toolbox: whether it settles a disagreement of theirs."""

    coder: str
    change: int  # number of the event that wrote it
    shown: str  # hash of what they saw, before and after
    because: str  # why it does not; empty: it does
    seq: int


class Rescoring(StatePart):
    """One change of an answer in step 5."""

    seq: int
    case: int
    coder: str
    item: int
    question: str
    because: str
    cites: tuple[str, ...]
    toolbox: int  # ordinal
    code: int  # of the new answer


class Case(StatePart):
    """One disagreement: one item × one question."""

    number: int
    item: int
    question: str
    round: int
    epoch: int
    because: str
    opened: str
    state: CaseState = CaseState.OPEN
    reasons: dict[str, Reason] = field(default_factory=dict)
    assessments: list[Assessment] = field(default_factory=list)  # the last one is current
    proposals: list[Proposal] = field(default_factory=list)
    answer: Answer | None = None
    outcome: Outcome | None = None
    settled: Settled | None = None
    decided_by: str = ""
    method: str = ""  # by which an adjudicator had it decided
    cites: tuple[str, ...] = ()
    consents: tuple[str, ...] = ()
    text: str = ""
    review_date: str = ""
    toolbox: int = 0  # ordinal when it was settled, or returned
    thread: list[Turn] = field(default_factory=list)
    agreed: int = 0  # number of the event by which it was last agreed
    reopenings: list[int] = field(default_factory=list)  # by a person: numbers of the events
    returned_for: str = ""  # the concept that was named when it was last returned

    @property
    def proposed(self) -> list[Assessment | Proposal]:
        """Every cause and outcome that was ever proposed."""
        return [*self.assessments, *self.proposals]

    @property
    def cause(self) -> Cause | None:
        """The accepted cause, if there is one."""
        last = self.assessments[-1] if self.assessments else None
        return last.cause if last is not None and last.accepted else None

    @property
    def live(self) -> bool:
        """Whether something is still to be done about it."""
        return self.state not in SETTLED
