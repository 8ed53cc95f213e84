"""People who want to come to an end: from any state, whatever was done before.

They do what the project waits for, one thing after the other: sign, annotate all alike, argue until
they agree. If that does not lead to the end there is a state from which nothing leads on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from accordant.errors import AccordantError
from accordant.resolution import steps
from accordant.resolution.case_state import Case
from accordant.resolution.cells import asked_at, missing_cells, unasked_cells
from accordant.resolution.disagreement import consenters, held, live_cases, participants
from accordant.resolution.editorial import confirmations_awaited
from accordant.resolution.guidelines import acknowledgement_holds
from accordant.resolution.procedure import act
from accordant.resolution.progress import left_to_do, progress
from accordant.resolution.proof import proved
from accordant.resolution.records import AmbiguityPolicy, Concept, Guidelines, Task
from accordant.resolution.release import status_now
from accordant.resolution.staleness import open_orders
from accordant.resolution.state import State
from accordant.resolution.words import CaseState, Change, Purpose, ReleaseStatus, Role, Step
from resolution.sessions import QUESTIONS

ALIKE = {"Q": "1", "P": "x"}
TALKED = (CaseState.OPEN, CaseState.REASONS)
MOST = 80  # steps from one place to the next


class Cooperation:
    """Everybody works on a copy of a state towards a release, of any status or as ground truth."""

    def __init__(self, state: State, *, truth: bool) -> None:
        self.state = msgspec.msgpack.decode(msgspec.msgpack.encode(state), type=State)
        self.truth = truth
        self.said: list[str] = []  # what was refused
        self.n = 0

    def does(self, command: Callable[..., Any], by: str, *args: Any, **given: Any) -> bool:
        """Whether a command was accepted."""
        self.n += 1
        at = f"2027-01-01T{self.n // 3600:02}:{self.n // 60 % 60:02}:{self.n % 60:02}Z"
        try:
            act(self.state, by, at, command, *args, **given)
        except AccordantError as refusal:
            self.said.append(f"{self.state.step}, {by}: {refusal}")
            return False
        return True

    def comes_to_an_end(self) -> bool:
        """Whether the project can be released from here."""
        for _ in range(MOST):
            if self.state.step is Step.FINISHED and (
                not self.truth or self.state.releases[-1].status is ReleaseStatus.GROUND_TRUTH
            ):
                return True
            self._everybody_is_back()
            if not STEPS[self.state.step](self):
                return False
        return False

    def _everybody_is_back(self) -> None:
        """Who has annotated is a coder again: without their consent nothing is agreed."""
        if self.state.epoch.round is None:
            for columns in list(self.state.epoch.current.values()):
                for name in columns:
                    roles = self.state.people[name].roles
                    if Role.CODER not in roles:
                        self.does(steps.add_person, "R", name, [Role.CODER, *roles])

    def _aligned(self) -> None:
        epoch = self.state.epoch
        for one in list(epoch.objections):
            self.does(steps.withdraw_objection, one.coder, concept=one.concept)
        self.does(steps.record_training, "R", "with examples")
        for coder in self.state.coders:
            if epoch.guidelines and not acknowledgement_holds(epoch, coder):
                self.does(steps.acknowledge, coder)
            if any(
                epoch.signed.get(name, {}).get(coder) != versions[-1].version
                for name, versions in epoch.concepts.items()
            ):
                self.does(steps.sign_off, coder)
        for version in epoch.guidelines:
            if version.change is Change.EDITORIAL:
                for coder in confirmations_awaited(self.state, version.version):
                    self.does(steps.confirm_editorial, coder, version=version.version)
        if self.state.items.frozen < len(self.state.items.ids):
            self.does(steps.freeze_items, "R")

    # ------------------------------------------------------------------ steps

    def setup(self) -> bool:
        if self.truth and self.state.purpose is not Purpose.GROUND_TRUTH:
            self.does(steps.state_purpose, "R", Purpose.GROUND_TRUTH)
        return self.does(steps.go, "R", Step.TASK)

    def task(self) -> bool:
        epoch = self.state.epoch
        if epoch.task is None:
            self.does(steps.write_task, "R", Task(QUESTIONS))
        if not epoch.guidelines:
            options = {"Q": ("0", "1"), "P": ("x", "y", "z")}
            self.does(steps.write_guidelines, "R", Guidelines("", options, AmbiguityPolicy(True)))
        self._aligned()
        return self.does(steps.go, "R", Step.ALIGNMENT)

    def alignment(self) -> bool:
        if not self.state.epoch.concepts:
            self.does(steps.write_concept, "R", Concept("claim", 0, "what is asserted", ("Q",)))
        self._aligned()
        everything = {"questions": list(ALIKE)}
        return self.does(steps.open_round, "R") or self.does(steps.open_round, "R", **everything)

    def annotation(self) -> bool:
        some = self.state.epoch.round
        assert some is not None
        for coder in some.coders:
            while left := left_to_do(self.state, some, coder):
                question, items = next(iter(left.items()))
                answers = {self.state.items.ids[item]: ALIKE[question] for item in items}
                if not self.does(steps.annotate, coder, question, answers):
                    return False
            if not next(one for one in progress(self.state, some) if one.coder == coder).done:
                self.does(steps.submit, coder)
        return self.does(steps.close_round, "R")

    def comparison(self) -> bool:
        stays = self.truth and status_now(self.state).missing
        if not stays or self.state.purpose is Purpose.ELICIT_VARIATION:
            return self.does(steps.finish, "R", reason="enough")
        return self.does(steps.begin_resolution, "R")

    def resolution(self) -> bool:
        if not status_now(self.state).missing:
            return self.does(steps.finish, "R")
        epoch = self.state.epoch
        self._aligned()
        if open_orders(self.state) or missing_cells(epoch) or unasked_cells(self.state):
            return self.does(steps.open_round, "R")
        if self.truth:
            for case in list(epoch.cases.values()):
                self._agrees(case)
            return True
        if live_cases(epoch):
            self.does(steps.leave_disagreed, "R", reason="no time")
        return self.does(steps.finish, "R", reason="no time")

    def halted(self) -> bool:
        self.does(steps.record_finding, "R", text="now we know")
        return self.does(steps.resume, "R")

    def abandoned(self) -> bool:
        new = Task(QUESTIONS, f"after {len(self.state.epochs)} others")
        return self.does(steps.change_task, "R", new, reason="nobody could agree")

    def finished(self) -> bool:
        return self.does(steps.go, "R", Step.SETUP, reason="it is to become a ground truth")

    # ------------------------------------------------------------------ cases

    def _stands(self, number: int) -> list[int]:
        """The proposal of a case that was made last."""
        return [max(one.seq for one in self.state.epoch.cases[number].proposed)]

    def _agrees(self, case: Case) -> None:
        """All argue until they hold the same answer."""
        epoch, n, cites = self.state.epoch, case.number, [f"question {case.question}"]
        cell = self.state.items.ids[case.item], case.question
        unproved = any(cell == (p.item, p.question) for p in proved(self.state).lacking)
        if case.state in (CaseState.AGREED, CaseState.CLOSED) and not unproved:
            return
        if case.state is CaseState.CAUSE_PROPOSED:
            asked = consenters(epoch, case, case.assessments[-1])
            self.does(
                steps.refuse_cause, asked[0], case=n, reason="not so", proposals=self._stands(n)
            )
        if case.state not in TALKED:
            self.does(steps.reopen, "R", cases=n, reason="once more")
        coders = participants(epoch, case)
        for coder in coders:
            self.does(steps.give_reason, coder, case=n, text="so I read it", cites=cites)
        self.does(steps.propose_cause, "R", cases=n, cause="d")
        for coder in coders:
            self.does(steps.accept_cause, coder, cases=n, proposals=self._stands(n))
        given = {"answer": ALIKE[case.question], "cites": cites, "text": "this reading"}
        self.does(steps.propose_outcome, "R", cases=n, **given)
        for coder in coders:
            self.does(steps.accept_outcome, coder, cases=n, proposals=self._stands(n))
        for item, id in enumerate(self.state.items.ids):
            for coder in asked_at(epoch, item, "P"):
                if coder not in held(epoch, item, "P"):
                    told = {"item": id, "question": "P", "answer": "x"}
                    self.does(steps.annotate_dependent, coder, **told)


STEPS: dict[Step, Callable[[Cooperation], bool]] = {
    Step.SETUP: Cooperation.setup,
    Step.TASK: Cooperation.task,
    Step.ALIGNMENT: Cooperation.alignment,
    Step.ANNOTATION: Cooperation.annotation,
    Step.COMPARISON: Cooperation.comparison,
    Step.RESOLUTION: Cooperation.resolution,
    Step.HALTED: Cooperation.halted,
    Step.ABANDONED: Cooperation.abandoned,
    Step.FINISHED: Cooperation.finished,
}
