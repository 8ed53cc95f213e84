"""What a release would be now: its status is computed from what happened, never chosen.

Statuses and what must be printed with them follow Oortwijn et al. (2021, sections 3 and 4.2).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from .cells import comparisons
from .deviations import flags_of
from .guards.guard import GUARDS
from .refusal import Unmet
from .staleness import stale_counts
from .state import State
from .words import CaseState, CellState, Outcome, Purpose, ReleaseStatus, Settled, Step

__all__ = ["ReleaseNow", "counts_of", "resolution_begun", "status_now"]

NEW_EPOCH, BEGUN = 16, 10  # transitions
NEEDED = ("no_conflict", "no_incomplete", "no_stale", "no_open_order", "all_cases_agreed")
"""Guards that a ground truth needs, whichever way it is reached."""


@dataclass(frozen=True)
class ReleaseNow:
    """What a release would be now.

    Parameters
    ----------
    status : ReleaseStatus
    counts : dict of str to int
        Cells by state and cases by what became of them; empty while a round is open.
    flags : tuple of str
        Sentences that must be printed on every export.
    missing : tuple of Unmet
        What stands between this and a ground truth.
    """

    status: ReleaseStatus
    counts: dict[str, int]
    flags: tuple[str, ...]
    missing: tuple[Unmet, ...] = ()


def resolution_begun(state: State) -> bool:
    """Whether the current task has come to step 5 at least once."""
    moves = [number for _, number, _, _ in state.moves]
    since = len(moves) - moves[::-1].index(NEW_EPOCH) if NEW_EPOCH in moves else 0
    return bool(state.epoch.cases) or BEGUN in moves[since:]


def _procedure_unknown(state: State) -> bool:
    """A consensus came with the data, and nothing says how it was reached."""
    cases = state.epoch.cases.values()
    imported = [case for case in cases if case.outcome == Outcome.IMPORTED]
    return state.imported and bool(imported) and not any(case.cause for case in imported)


def counts_of(state: State) -> dict[str, int]:
    """How many cells are in which state, and how many cases came to what.

    Parameters
    ----------
    state : State

    Returns
    -------
    dict of str to int
        Only what there is.
    """
    epoch = state.epoch
    cells: Counter[str] = Counter()
    for comparison in comparisons(epoch).values():
        cells.update(comparison.counts)
    found = {"items": len(state.items.ids), "questions": len(epoch.questions)}
    found |= {f"cells {one}": cells[one] for one in CellState if cells[one]}
    cases = Counter(_became(case.state, case.settled) for case in epoch.cases.values())
    found |= {"cases": len(epoch.cases)} | {f"cases {what}": n for what, n in cases.items()}
    if stale := sum(stale_counts(epoch).values()):
        found["stale annotations"] = stale
    return found


def _became(state: CaseState, settled: Settled | None) -> str:
    if state == CaseState.UNRESOLVED and settled is not None:
        return settled.value
    return state.value if state in (CaseState.AGREED, CaseState.CLOSED) else "open"


def missing_for_ground_truth(state: State) -> list[Unmet]:
    """Everything that stands between the annotations as they are and a ground truth."""
    found = [u for name in NEEDED for u in GUARDS[name](state, {})]
    if state.purpose == Purpose.ELICIT_VARIATION:
        says = "the annotations are to elicit variation, which is not resolved"
        found.append(Unmet("purpose_ground_truth", says))
    return found


def status_now(state: State) -> ReleaseNow:
    """What a release would be if it were made now.

    Parameters
    ----------
    state : State

    Returns
    -------
    ReleaseNow
        After `finish`, the status of the last release. While a round is open nothing about the
        annotations is told.

    Examples
    --------
    >>> now = status_now(State())
    >>> now.status.value, now.missing[0].says
    ('not released', 'nothing has been annotated and compared yet')
    """
    from .guards import all as _all  # noqa: F401  (registers the guards)

    epoch = state.epoch
    if epoch.abandoned:
        return _at(state, ReleaseStatus.ABANDONED)
    if epoch.round is not None:
        says = f"round {epoch.round.number} is open"
        return ReleaseNow(ReleaseStatus.UNRELEASED, {}, (), (Unmet("round_closed", says),))
    if not epoch.rounds:
        says = "nothing has been annotated and compared yet"
        return ReleaseNow(ReleaseStatus.UNRELEASED, {}, (), (Unmet("compared", says),))
    missing = missing_for_ground_truth(state)
    if state.step == Step.FINISHED and state.releases:
        return _at(state, state.releases[-1].status, missing)
    if _procedure_unknown(state):
        return _at(state, ReleaseStatus.IMPORTED_GOLD, missing)
    if not missing:
        return _at(state, ReleaseStatus.GROUND_TRUTH)
    if resolution_begun(state):
        return _at(state, ReleaseStatus.DEPRECATED, missing)
    return _at(state, ReleaseStatus.COMPARISON_ONLY, missing)


def _at(state: State, status: ReleaseStatus, missing: list[Unmet] | None = None) -> ReleaseNow:
    counts = counts_of(state)
    flags = flags_of(state, status, counts, resolution_begun(state))
    return ReleaseNow(status, counts, flags, tuple(missing or ()))
