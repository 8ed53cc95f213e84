"""What a report of a project is about: the project as its reader may see it, and its figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from ..data.annotations import Annotations
from ..diagnosis.agreement import AgreementTable, agreement
from ..resolution.exporting import to_annotations
from ..resolution.logbook import head
from ..resolution.release import ReleaseNow, status_now
from ..resolution.sight import Sight, first_answers, seeing
from ..resolution.state import Case, Epoch, Round, State
from ..resolution.store.record import Record
from ..resolution.words import ReleaseStatus, Step
from .evidence import Collector
from .project_history import History, history
from .study import Study, study

__all__ = ["RoundFigures", "Subject"]


@dataclass(frozen=True, eq=False)
class RoundFigures:
    """One round that has closed, measured.

    Parameters
    ----------
    round : Round
    study : Study or None
        Agreement, diagnosis and items of what two coders or more answered; None if there is no
        such answer.
    groups : dict of str to AgreementTable
        The same for each group of two questions or more.
    """

    round: Round
    study: Study | None
    groups: dict[str, AgreementTable]

    @property
    def questions(self) -> tuple[str, ...]:
        """What was asked."""
        return self.round.questions


@dataclass(frozen=True, eq=False)
class Subject:
    """A project, as one reader may see it.

    Parameters
    ----------
    state : State
    records : sequence of Record
        The whole log; empty if it is not at hand, and then some things are not told.
    person : str
        Who reads; an empty name is the public.
    options : dict
        Of `agreement`: level, interval, rng …
    """

    state: State
    records: Sequence[Record] = ()
    person: str = ""
    options: dict[str, object] = field(default_factory=dict)
    collector: Collector = field(default_factory=Collector)

    @property
    def epoch(self) -> Epoch:
        """The current epoch."""
        return self.state.epoch

    @cached_property
    def sight(self) -> Sight:
        """What the reader may see."""
        return seeing(self.state, self.person)

    @cached_property
    def now(self) -> ReleaseNow:
        """What a release would be now."""
        return status_now(self.state)

    @cached_property
    def history(self) -> History:
        """What the log tells beyond the state."""
        return history(self.records)

    @property
    def head(self) -> str:
        """Hash of the last event; empty while a round is open."""
        return head(self.state, self.person)

    @property
    def toolbox(self) -> str:
        """Hash of the toolbox in force; empty if there is none."""
        return self.state.toolbox.hash if self.state.toolbox else ""

    # ------------------------------------------------------------------ status

    @property
    def released(self) -> bool:
        """Whether the last release is of the project as it is."""
        return self.state.step is Step.FINISHED and bool(self.state.releases)

    @property
    def status(self) -> str:
        """The release status in one sentence: printed on the first line and on every export."""
        if self.released:
            last = self.state.releases[-1]
            return f"Release {last.version}: {last.status}."
        if self.now.status is ReleaseStatus.ABANDONED:
            return "Abandoned: not to be used as labels."
        if self.now.status is ReleaseStatus.UNRELEASED:
            return "Not released."
        return f"Not released. Released as it is, it would be: {self.now.status}."

    # ------------------------------------------------------------------ cases

    @cached_property
    def cases(self) -> tuple[Case, ...]:
        """The cases of the current epoch of which something may be told."""
        return tuple(c for c in self.epoch.cases.values() if not self.sight.hides_case(c))

    @property
    def n_withheld(self) -> int:
        """How many cases are being annotated again."""
        return len(self.epoch.cases) - len(self.cases)

    def item(self, case: Case) -> str:
        """Identifier of the item of a case."""
        return self.state.items.ids[case.item]

    def first(self, case: Case) -> dict[str, str]:
        """What each coder answered in the round that opened a case, as text."""
        then, found = self._asked_then(case), self._first(case)
        return {coder: answer for coder, answer in found.items() if coder in then} or found

    def later(self, case: Case) -> dict[str, str]:
        """What coders answered first who were asked after that round."""
        then, found = self._asked_then(case), self._first(case)
        known = [coder for coder in found if coder in then]
        return {coder: answer for coder, answer in found.items() if known and coder not in then}

    def _first(self, case: Case) -> dict[str, str]:
        return {c: str(a) for c, a in first_answers(self.epoch, case).items()}

    def _asked_then(self, case: Case) -> set[str]:
        """Coders whose answer stands in the round that opened a case."""
        return {
            coder
            for some in self.epoch.rounds
            if some.number == case.round
            for coder, column in some.sheet.get(case.question, {}).items()
            if case.item in column
        }

    # ------------------------------------------------------------------ rounds

    @cached_property
    def rounds(self) -> tuple[RoundFigures, ...]:
        """The rounds of the current epoch that have closed; none while another one is open.

        A figure that leaves out what is being annotated would be read as that of all.
        """
        if self.sight.round is not None:
            return ()
        return tuple(self._figures(some) for some in self.epoch.rounds if some.closed)

    def _figures(self, some: Round) -> RoundFigures:
        data = to_annotations(self.state, round=some.number, person=self.person)
        shared = data.of_questions([q for q in some.questions if q in data.questions]).of_shared()
        if not len(shared):
            return RoundFigures(some, None, {})
        found = replace(study(self._measured(shared)), collector=self.collector)
        groups = {
            name: self._measured(shared.of_questions(questions).of_shared())
            for name, questions in self._groups(shared).items()
        }
        return RoundFigures(some, found, groups)

    def _groups(self, data: Annotations) -> dict[str, list[str]]:
        """Groups of two questions or more, unless they are all questions."""
        found: dict[str, list[str]] = {}
        for question in self.epoch.questions.values():
            if question.group and question.id in data.questions:
                found.setdefault(question.group, []).append(question.id)
        return {g: q for g, q in found.items() if 1 < len(q) < len(data.questions)}

    def _measured(self, data: Annotations) -> AgreementTable:
        options: dict[str, object] = dict(self.options)
        return agreement(data, **options)  # type: ignore[arg-type]
