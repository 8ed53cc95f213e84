"""Whom a case waits for: whoever must do the next thing about it."""

from __future__ import annotations

from .disagreement import awaited_assessment, awaited_proposal, consenters, participants
from .state import Case, State
from .words import CaseState, Cause, Role

__all__ = ["awaited"]

_NAMED = (Cause.C, Cause.E)


def awaited(state: State, case: Case) -> tuple[str, ...]:
    """Who must act for a case to go on; nobody if it is settled.

    Parameters
    ----------
    state : State
    case : Case

    Returns
    -------
    tuple of str
        Names. For a case that is open, the coders of the item whose reason is missing, and all of
        them once every reason is there; for a proposed cause or outcome, who has not consented;
        for a case that was returned or postponed, the researchers.

    Examples
    --------
    >>> from accordant.resolution.state import Epoch
    >>> case = Case(1, 0, "q", 1, 1, "comparison", "", state=CaseState.AGREED)
    >>> awaited(State(epochs=[Epoch(1)]), case)
    ()
    """
    if not case.live:
        return ()
    epoch = state.epochs[case.epoch - 1]
    coders = participants(epoch, case)
    if (proposal := awaited_proposal(case)) is not None:
        return tuple(c for c in coders if c not in proposal.consents)
    if (assessment := awaited_assessment(case)) is not None:
        needed = consenters(epoch, case, assessment)
        return tuple(c for c in needed if c not in assessment.consents)
    if case.state in (CaseState.OPEN, CaseState.REASONS):
        return tuple(c for c in coders if c not in case.reasons) or coders
    if case.state in (CaseState.RETURNED, CaseState.POSTPONED):
        return tuple(p.name for p in state.people.values() if Role.RESEARCHER in p.roles)
    if case.state == CaseState.RESCORING and case.assessments and case.cause in _NAMED:
        return (case.assessments[-1].evidence.coder,)
    return coders
