"""What a release would be now: its status is computed from proofs, never chosen; what goes with it.

Statuses and what must be printed with them follow Oortwijn et al. (2021, sections 3 and 4.2).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter

from .case_state import Case
from .cells import comparisons, unasked_cells
from .command import Unmet, unmet_of
from .ending import ACCEPTANCE, OF_SOURCES
from .sentences import counted, listing
from .staleness import stale_counts
from .state import NONE, State
from .terms import CaseState, Cause, CellState, OrderState, ReleaseStatus, Role, Settled, Step
from .transitions import NEW_EPOCH

BEGUN, RESOLVED = 10, 20  # transitions
_STANDS = attrgetter("state", "settled")


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
    cases: Counter[str] = Counter()
    for (where, settled), n in Counter(map(_STANDS, epoch.cases.values())).items():
        cases[_became(where, settled)] += n
    found |= {"cases": len(epoch.cases)} | {f"cases {what}": n for what, n in cases.items()}
    if stale := sum(stale_counts(epoch).values()):
        found["stale annotations"] = stale
    return found


def _became(state: CaseState, settled: Settled | None) -> str:
    if state == CaseState.UNRESOLVED and settled is not None:
        return settled.value
    return state.value if state in (CaseState.AGREED, CaseState.CLOSED) else "open"


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
    epoch = state.epoch
    if epoch.abandoned:
        return _at(state, ReleaseStatus.ABANDONED)
    if epoch.round is not None:
        says = f"round {epoch.round.number} is open"
        return ReleaseNow(ReleaseStatus.UNRELEASED, {}, (), (Unmet("round_closed", says),))
    if not epoch.rounds:
        says = "nothing has been annotated and compared yet"
        return ReleaseNow(ReleaseStatus.UNRELEASED, {}, (), (Unmet("compared", says),))
    missing = unmet_of(state, RESOLVED, {})
    if state.step == Step.FINISHED and state.releases:
        return _at(state, state.releases[-1].status, missing)
    return _at(state, _status(state, missing), missing)


def _status(state: State, missing: list[Unmet]) -> ReleaseStatus:
    """By what is missing; where only the tool's own record is, by the weakest kind of proof."""
    guards = {unmet.guard for unmet in missing}
    if not guards:
        return ReleaseStatus.GROUND_TRUTH
    if guards == {ACCEPTANCE}:
        return ReleaseStatus.DOCUMENTED
    if guards <= {ACCEPTANCE, *OF_SOURCES}:
        return ReleaseStatus.IMPORTED
    return ReleaseStatus.DEPRECATED if resolution_begun(state) else ReleaseStatus.COMPARISON_ONLY


def _at(state: State, status: ReleaseStatus, missing: Sequence[Unmet] = ()) -> ReleaseNow:
    counts = counts_of(state)
    return ReleaseNow(status, counts, flags_of(state, status, counts), tuple(missing))


# ------------------------------------------------------------------ what every export says


def flags_of(state: State, status: ReleaseStatus, counts: Mapping[str, int]) -> tuple[str, ...]:
    """Sentences that every export states.

    Parameters
    ----------
    state : State
    status : ReleaseStatus
    counts : mapping of str to int
        As `counts_of` gives them.

    Returns
    -------
    tuple of str
        Without a full stop.
    """
    return (
        *_of_status(state, status),
        *_unsettled(state, counts),
        *_departures(state),
        *_people(state),
    )


def _of_status(state: State, status: ReleaseStatus) -> list[str]:
    told = {
        ReleaseStatus.COMPARISON_ONLY: "no attempt at resolution; no check of inconsistent scoring",
        ReleaseStatus.DOCUMENTED: (
            "imported as the source documents it; not accepted by the coders here"
        ),
        ReleaseStatus.IMPORTED: "agreed answers came with the data; the procedure is unknown",
        ReleaseStatus.ABANDONED: ("abandoned: no agreement on the task; not to be used as labels"),
    }.get(status)
    if status == ReleaseStatus.GROUND_TRUTH:
        told = "all annotations agreed when compared; inconsistent scoring was not looked for"
        if resolution_begun(state):
            told = "all annotations agree by construction: every disagreement was resolved"
    return [told] if told else []


SETTLED_AS = {
    Settled.LEFT_DISAGREED: "left disagreed, with all values kept",
    Settled.DICTATOR_DECISION: "decided by one person (dictator): a single-annotator portion",
    Settled.DICTATOR_AGGREGATION: "settled by majority",
}


def _unsettled(state: State, counts: Mapping[str, int]) -> list[str]:
    """What was not agreed, with its items; what is not finished."""
    cases, found = list(state.epoch.cases.values()), []
    unresolved = [case for case in cases if case.state == CaseState.UNRESOLVED]
    for settled, how in SETTLED_AS.items():
        if own := [case for case in unresolved if case.settled == settled]:
            found.append(f"{_cases_are(own)} {how} ({_names(state, own)})")
    readings = [c for c in cases if c.cause == Cause.D and c.state != CaseState.CLOSED]
    if unresolved and readings:
        found.append(f"{_cases_are(readings)} interpretive (cause d): {_names(state, readings)}")
    if n := counts.get("cases open", 0):
        found.append(f"{counted(n, 'case is', 'cases are')} not settled")
    if n := counts.get("stale annotations", 0):
        what = counted(n, "annotation was", "annotations were")
        found.append(f"{what} made under an earlier toolbox")
    if n := counts.get("cells incomplete", 0):
        what = counted(n, "item and question", "items and questions")
        found.append(f"an annotation is missing on {what}")
    if n := sum(map(len, unasked_cells(state).values())):
        found.append(
            f"no round asked about {counted(n, 'item and question', 'items and questions')}"
        )
    return found


def _cases_are(cases: list[Case]) -> str:
    return counted(len(cases), "case is", "cases are")


def _names(state: State, cases: list[Case]) -> str:
    ids = state.items.ids
    return listing(f"{ids[case.item]} {case.question}" for case in cases)


def _departures(state: State) -> list[str]:
    """Deviations, re-annotation that was waived or narrowed, earlier tasks that were given up."""
    codes = Counter(deviation.code for deviation in state.deviations)
    found = [f"deviation: {code}" + (f" ({n} times)" if n > 1 else "") for code, n in codes.items()]
    for order in state.epoch.orders:
        name = f"re-annotation {order.number} ({order.trigger})"
        if order.state == OrderState.WAIVED:
            found.append(f"{name} was waived: {order.waived}")
        elif order.narrowed:
            found.append(f"{name} was narrowed: {order.narrowed}")
    for epoch in state.epochs[:-1]:
        if epoch.begun:
            n = sum(map(len, epoch.conflicts.values()))
            found.append(
                f"task {epoch.number} was given up for another; coders had differed on "
                f"{counted(n, 'item and question', 'items and questions')}"
            )
    return found


def _people(state: State) -> list[str]:
    """Roles that one person holds together, and coders whose annotations do not count."""
    both = [p.name for p in state.people.values() if {Role.RESEARCHER, Role.CODER} <= set(p.roles)]
    found = [f"both researcher and coder: {listing(both)}"] if both else []
    if state.adjudicator and state.has_role(state.adjudicator, Role.CODER):
        found.append(f"{state.adjudicator}, the adjudicator, is a coder too")
    if state.adjudicator and state.late_adjudicator:
        found.append(f"{state.adjudicator} was appointed adjudicator after step 5 had begun")
    epoch = state.epoch
    held = epoch.current.values()
    said = {c for some in held for c in some if any(code != NONE for code in some[c])}
    silent = [coder for coder in state.coders if held and coder not in said]
    if silent:
        found.append(f"no annotation counts of {listing(silent)}: agreed without them")
    first = epoch.rounds[0].coders if epoch.rounds else ()
    if late := {c for columns in held for c in columns if c not in first} - set(silent):
        found.append(
            f"{listing(sorted(late))} joined after round 1: what was not annotated again was "
            "agreed without them"
        )
    return found
