"""What a change of the toolbox would have annotated again: cases to settle before others."""

from __future__ import annotations

from typing import NamedTuple

from .cells import dependents
from .disagreement import live_cases
from .sentences import counted, ranges
from .sight import Sight
from .state import NONE, Assessment, Case, State
from .toolbox import using
from .words import CaseState, Cause

__all__ = ["Rework", "rework"]

BACK = (Cause.A1_CONCEPT, Cause.A1_TASK, Cause.A2, Cause.B)
WAITS = (CaseState.CAUSE_PROPOSED, CaseState.CAUSE_ACCEPTED)


def _reopened(state: State, cause: Assessment) -> tuple[str, ...]:
    """Questions that would be annotated again, agreed items included, for an accepted cause."""
    epoch, evidence = state.epoch, cause.evidence
    if cause.cause in (Cause.B, Cause.A1_CONCEPT):
        versions = epoch.concepts.get(evidence.concept)
        return using(epoch, versions[-1]) if versions else ()
    rules = {rule.id: rule for g in epoch.guidelines[-1:] for rule in g.rules}
    if evidence.rule in rules:
        return tuple(dependents(epoch, rules[evidence.rule].questions or epoch.questions))
    return ()


class Rework(NamedTuple):
    """What would be annotated again because of cases with cause a or b."""

    questions: frozenset[str] = frozenset()
    cases: tuple[int, ...] = ()
    why: str = ""

    def makes_undone(self, case: Case) -> bool:
        """Whether what a case comes to would be annotated again."""
        return case.question in self.questions and case.number not in self.cases


def rework(sight: Sight) -> Rework:
    """What would be annotated again if the causes a and b that are proposed or accepted hold.

    All items on the questions of the cases, with those of the rule or concept that is named.

    Parameters
    ----------
    sight : Sight
        Of who reads it: causes that they may not read yet do not count.

    Examples
    --------
    >>> from accordant.resolution.sight import seeing
    >>> rework(seeing(State(), ""))
    Rework(questions=frozenset(), cases=(), why='')
    """
    epoch, cases, questions = sight.state.epoch, list[int](), dict[str, None]()
    for case in live_cases(epoch):
        last = case.assessments[-1] if case.assessments else None
        if last is None or last.cause not in BACK or case.state not in WAITS:
            continue
        if not sight.hides_cause(case):
            cases.append(case.number)
            questions |= dict.fromkeys(dependents(epoch, [case.question]))
            questions |= dict.fromkeys(_reopened(sight.state, last))
    if not cases:
        return Rework()
    columns = (c for q in questions for c in epoch.current.get(q, {}).values())
    n = sum(len(column) - column.count(NONE) for column in columns)
    settle = f"settle case{'s' * (len(cases) > 1)} {ranges(cases)} (a, b) first"
    why = f"{settle}: {counted(n, 'annotation')} would be made again because of them"
    return Rework(frozenset(questions), tuple(cases), why)
