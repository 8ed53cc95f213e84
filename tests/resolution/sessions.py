"""Random sessions: people who do whatever they like, sensibly often enough to get everywhere.

Each command of the registry has a function here that makes up who does it and with what. Many of
these acts are refused: a refusal must leave everything as it was.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import msgspec

from accordant.errors import AccordantError
from accordant.resolution import steps as _steps  # noqa: F401  (registers the commands)
from accordant.resolution.case_state import Case
from accordant.resolution.command import COMMANDS, Refused
from accordant.resolution.disagreement import participants
from accordant.resolution.event import Event
from accordant.resolution.procedure import act
from accordant.resolution.records import Answer, AskedIf, Concept, Question
from accordant.resolution.state import State
from accordant.resolution.toolbox import elements
from accordant.resolution.words import CaseState, Cause, Step
from resolution.build import Session, ready_to_annotate

CODERS = ("A1", "A2", "A3", "A4")
QUESTIONS = (Question("Q", "Is it?"), Question("P", "How?", asked_if=AskedIf("Q", ("1",))))
Given = dict[str, Any]
Act = tuple[str, Given]
MAKERS: dict[str, Callable[[Walker], Act | None]] = {}
S = CaseState


def makes(name: str) -> Callable[[Callable[[Walker], Act | None]], Callable[[Walker], Act | None]]:
    """Register how an act of a command is made up: who, and what; None if there is nothing."""

    def register(function: Callable[[Walker], Act | None]) -> Callable[[Walker], Act | None]:
        MAKERS[name] = function
        return function

    return register


class Walker:
    """A session that walks by itself."""

    def __init__(self, seed: int, n_items: int = 6) -> None:
        from resolution import acts_early, acts_late  # noqa: F401  (fill `MAKERS`)

        self.random = Random(seed)
        disagree = (0.02, 0.1, 0.3)[seed % 3]
        self.here: Session = ready_to_annotate(
            n_items,
            CODERS,
            QUESTIONS,
            {"Q": ("0", "1"), "P": ("x", "y", "z")},
            concepts=[
                Concept("claim", 1, "what a text asserts", ("Q",), ("R1",)),
                Concept("scope", 1, "how far it reaches", ("P",)),
            ],
        )
        self.disagree = disagree
        self.accepted: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.guards: Counter[str] = Counter()
        self.transitions: Counter[int] = Counter()
        self.n = 0

    @property
    def state(self) -> State:
        return self.here.state

    # ------------------------------------------------------------------ what there is

    def one(self, things: Sequence[Any] | Any) -> Any:
        listed = list(things)
        return self.random.choice(listed) if listed else None

    def case(self, *states: CaseState, cause: Sequence[Cause] = ()) -> Case | None:
        found = [
            case
            for case in self.state.epoch.cases.values()
            if (not states or case.state in states) and (not cause or case.cause in cause)
        ]
        return self.one(found)

    def coder_of(self, case: Case) -> str:
        return self.one(participants(self.state.epoch, case)) or "A1"

    def meant(self, case: Case) -> Sequence[int]:
        """The proposal that somebody means: mostly the last one, which they name or not."""
        made = [one.seq for one in case.proposed]
        return self.one([[max(made)]] * 6 + [[self.one(made)], []]) if made else ()

    def anybody(self) -> str:
        return self.one(["R", "M", *CODERS])

    def text(self) -> str:
        self.n += 1
        return self.random.choice([f"because {self.n}", f"see note {self.n}"])

    def cites(self) -> list[str]:
        known = list(elements(self.state))
        return self.random.sample(known, min(len(known), self.random.choice([0, 1, 1, 1, 1, 2])))

    def label(self, question: str) -> str | Answer:
        return self.one({"Q": ("0", "1"), "P": ("x", "y", "z")}[question])

    # ------------------------------------------------------------------ walking

    def step(self, name: str) -> tuple[list[Event], str] | None:
        """One act; what happened and who did it, or None if it was refused or impossible."""
        made = MAKERS[name](self)
        return made and self.tried(name, *made)

    def tried(self, name: str, by: str, given: Given) -> tuple[list[Event], str] | None:
        """An act that was made up."""
        self.refusal: AccordantError | None = None
        before = msgspec.msgpack.encode(self.state)
        at = self.here.now
        try:
            events = act(self.state, by, at, COMMANDS[name].run, **given)
        except AccordantError as refusal:
            self.refused[name] += 1
            self.refusal = refusal
            if isinstance(refusal, Refused):
                self.guards.update({unmet.guard for unmet in refusal.unmet})
            assert msgspec.msgpack.encode(self.state) == before, f"{name} refused, and changed"
            return None
        self.here.log += [(event, (at, by)) for event in events]
        self.accepted[name] += 1
        return events, by

    def likely(self) -> str:
        """A command that makes sense at this step, mostly; sometimes any."""
        if self.random.random() < 0.06:
            return self.one(sorted(MAKERS))
        names, weights = zip(*LIKELY[self.state.step].items(), strict=True)
        return self.random.choices(names, weights)[0]


LIKELY: dict[Step, dict[str, float]] = {
    Step.SETUP: {"go": 5, "question": 1, "hypothesis": 1},
    Step.TASK: {
        "guidelines": 4,
        "acknowledge": 10,
        "go": 5,
        "confirm editorial": 6,
        "order waive": 1,
        "round open": 1,
        "task": 2,
        "sign-off": 1,
    },
    Step.ALIGNMENT: {
        "sign-off": 6,
        "round open": 4,
        "concept": 1,
        "object": 0.3,
        "withdraw objection": 1,
        "go": 1.5,
        "order waive": 0.7,
        "acknowledge": 3,
        "items freeze": 1,
        "training": 0.2,
    },
    Step.ANNOTATION: {
        "annotate": 6,
        "annotate sheet": 2,
        "submit": 5,
        "decline": 0.3,
        "round close": 3,
    },
    Step.COMPARISON: {"resolve": 4, "go": 0.2, "finish": 1, "items add": 0.3, "items freeze": 0.3},
    Step.RESOLUTION: {
        "case reason": 30,
        "case remark": 1,
        "case cause": 9,
        "case accept": 40,
        "case refuse": 2,
        "case rescore": 11,
        "case outcome": 9,
        "case reopen": 0.5,
        "case return": 1,
        "case postpone": 0.5,
        "halt": 0.3,
        "order waive": 0.5,
        "round open": 2,
        "case leave": 0.3,
        "case decide": 1,
        "adjudicator": 0.4,
        "finish": 3,
        "abandon": 1,
        "items add": 0.1,
        "items freeze": 0.5,
    },
    Step.HALTED: {"finding": 2, "resume": 1, "go": 3},
    Step.ABANDONED: {"task change": 1},
    Step.FINISHED: {"go": 1, "task change": 0.2},
}
