"""What a release would be now: its status is computed from proofs, never chosen; what goes with it.

Statuses and what must be printed with them follow Oortwijn et al. (2021, sections 3 and 4.2).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter

from .case_state import Case
from .cells import comparisons
from .chains import Kind
from .command import Unmet, unmet_by, unmet_of
from .disagreement import agreed_by_others, label_of_case
from .editorial import rewording
from .meeting import Spoken, spoken_in_meetings
from .proof import ACCEPTANCE, OF_SOURCES, proved
from .sentences import counted, listing
from .staleness import stale_counts
from .state import NONE, Deviation, State
from .transitions import NEW_EPOCH
from .words import (
    CaseState,
    Cause,
    CellState,
    Change,
    OrderState,
    ReleaseStatus,
    Role,
    Settled,
    Step,
)

__all__ = [
    "ReleaseNow",
    "counts_of",
    "departures",
    "flags_of",
    "resolution_begun",
    "status_now",
    "status_of",
]

BEGUN, RESOLVED = 10, 20  # transitions
_STANDS = attrgetter("state", "settled")
SOON = ("all_cases_agreed", "no_open_order")  # guards that are asked before every proof is sought


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


def status_of(state: State) -> ReleaseStatus:
    """The status alone, as `status_now` has it; by what is soon seen to be missing, if anything is.

    Examples
    --------
    >>> status_of(State()).value
    'not released'
    """
    epoch = state.epoch
    if epoch.abandoned or epoch.round is not None or not epoch.rounds:
        return status_now(state).status
    if state.step == Step.FINISHED and state.releases:
        return state.releases[-1].status
    for guard in SOON:
        if unmet := unmet_by(guard, state, {}):
            return _status(state, unmet)
    return _status(state, unmet_of(state, RESOLVED, {}))


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


def departures(state: State) -> list[Deviation]:
    """Where the project departed from the procedure: recorded, or seen in a chain of proof.

    Parameters
    ----------
    state : State

    Returns
    -------
    list of Deviation
        Deviations of the record, then causes of the current task that found no consent.

    Examples
    --------
    >>> departures(State())
    []
    """
    found = list(state.deviations)
    for case in state.epoch.cases.values():
        last = case.assessments[-1] if case.assessments else None
        if last is not None and last.disputed and case.state is CaseState.AGREED:
            text = f"{label_of_case(state, case)} went on as {last.cause}: {last.disputed}"
            found.append(Deviation("cause without consent", text, case.number, last.at))
    return found


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
        *_unresolved(state),
        *_unfinished(state, counts),
        *_departures(state),
        *_reworded(state),
        *_earlier_tasks(state),
        *_people(state),
        *_meetings(state),
        *_mixtures(state),
    )


def _of_status(state: State, status: ReleaseStatus) -> list[str]:
    if status == ReleaseStatus.COMPARISON_ONLY:
        return ["no attempt at resolution; no check of inconsistent scoring"]
    if status == ReleaseStatus.DOCUMENTED:
        return ["imported as the source documents it; the coders have not accepted it here"]
    if status == ReleaseStatus.IMPORTED:
        n = proved(state).kinds.get(Kind.IMPORTED, 0)
        return [f"{counted(n, 'agreed answer')} came with the data; the procedure is unknown"]
    if status == ReleaseStatus.ABANDONED:
        return ["abandoned: the coders could not agree on the task; not to be used as labels"]
    if status != ReleaseStatus.GROUND_TRUTH:
        return []
    found = departures(state)
    told = [f"ground truth with {counted(len(found), 'departure')}"] if found else []
    if resolution_begun(state):
        return [*told, "all annotations agree by construction: every disagreement was resolved"]
    what = "all annotations agreed when compared; inconsistent scoring was not looked for"
    return [*told, what]


def _names(state: State, cases: list[Case]) -> str:
    ids = state.items.ids
    return listing(f"{ids[case.item]} {case.question}" for case in cases)


SETTLED_AS = {
    Settled.LEFT_DISAGREED: "left disagreed, with all values kept",
    Settled.DICTATOR_DECISION: (
        "decided by {0.decided_by} alone (dictator): a single-annotator portion"
    ),
    Settled.DICTATOR_AGGREGATION: "settled by aggregation: {0.method}",
}


def _unresolved(state: State) -> list[str]:
    cases = list(state.epoch.cases.values())
    unresolved = [case for case in cases if case.state == CaseState.UNRESOLVED]
    told: dict[str, list[Case]] = {}
    for settled, says in SETTLED_AS.items():
        for case in unresolved:
            if case.settled == settled:
                told.setdefault(says.format(case), []).append(case)
    found = [f"{_cases_are(len(own))} {how} ({_names(state, own)})" for how, own in told.items()]
    if not unresolved:
        return found
    if interpretive := [c for c in cases if c.cause == Cause.D and c.state != CaseState.CLOSED]:
        n = _cases_are(len(interpretive))
        found.append(f"{n} interpretive (cause d): {_names(state, interpretive)}")
    return found


def _cases_are(n: int) -> str:
    return counted(n, "case is", "cases are")


def _unfinished(state: State, counts: Mapping[str, int]) -> list[str]:
    found = []
    if n := counts.get("cases open", 0):
        found.append(f"{_cases_are(n)} not settled")
    if n := counts.get("stale annotations", 0):
        what = counted(n, "annotation was", "annotations were")
        found.append(f"{what} made under an earlier toolbox and not made again")
    if n := counts.get("cells incomplete", 0):
        what = counted(n, "item and question", "items and questions")
        found.append(f"an annotation is missing on {what}")
        if declined := sum(map(len, agreed_by_others(state.epoch).values())):
            found[-1] += f"; {declined:,} declined by a coder, and all others agree"
    return found


def _departures(state: State) -> list[str]:
    codes = Counter(deviation.code for deviation in departures(state))
    found = [f"deviation: {code}" + (f" ({n} times)" if n > 1 else "") for code, n in codes.items()]
    for order in state.epoch.orders:
        if order.state == OrderState.WAIVED:
            found.append(
                f"re-annotation {order.number} ({order.trigger}) was waived: {order.waived}"
            )
        elif order.narrowed:
            found.append(
                f"re-annotation {order.number} ({order.trigger}) was narrowed: {order.narrowed}"
            )
    return found


def _reworded(state: State) -> list[str]:
    """Changes that were called editorial and touch words on which the meaning of a rule hangs."""
    found = []
    for one in state.epoch.guidelines:
        if one.change is Change.EDITORIAL and (new := rewording(state.epoch, one.version)).terms:
            by = listing(state.epoch.confirmed.get(one.version, ()))
            touched = listing(f"“{term}”" for term in new.terms)
            found.append(
                f"guidelines {one.version} were called editorial and touch {touched}; that no "
                f"answer changes was confirmed by {by}"
            )
    return found


def _earlier_tasks(state: State) -> list[str]:
    """Whoever begins anew says what they leave: another task is no way to forget disagreement."""
    begun = [epoch for epoch in state.epochs[:-1] if epoch.begun]
    differed = [sum(map(len, epoch.conflicts.values())) for epoch in begun]
    return [
        f"task {epoch.number} was given up for another; what was annotated under it counts no "
        f"more, and coders had differed on {counted(n, 'item and question', 'items and questions')}"
        for epoch, n in zip(begun, differed, strict=True)
    ]


def _people(state: State) -> list[str]:
    found = []
    both = [p.name for p in state.people.values() if {Role.RESEARCHER, Role.CODER} <= set(p.roles)]
    if both:
        is_ = (
            "is both researcher and coder" if len(both) == 1 else "are both researchers and coders"
        )
        found.append(f"{listing(both)} {is_}")
    if state.adjudicator and state.has_role(state.adjudicator, Role.CODER):
        found.append(f"{state.adjudicator}, the adjudicator, is a coder too")
    if state.adjudicator and state.late_adjudicator:
        found.append(f"{state.adjudicator} was appointed adjudicator after step 5 had begun")
    epoch = state.epoch
    held = epoch.current.values()
    said = {c for some in held for c in some if any(code != NONE for code in some[c])}
    silent = [coder for coder in state.coders if held and coder not in said]
    closed = (sheet for some in epoch.rounds if some.closed for sheet in some.sheet.values())
    before = {coder for sheet in closed for coder, given in sheet.items() if given}
    for who, what in (
        ([c for c in silent if c not in before], "annotated nothing"),
        ([c for c in silent if c in before], "annotated, but none of their annotations counts now"),
    ):
        if who:
            told = f"{listing(who)} {'has' if len(who) == 1 else 'have'} {what}"
            found.append(f"{told}: what is agreed was agreed without them")
    first = state.epoch.rounds[0].coders if state.epoch.rounds else ()
    late = {c for columns in held for c in columns if c not in first} - set(silent)
    if late:
        found.append(
            f"{listing(sorted(late))} joined after round 1: what was not annotated again was "
            "agreed without them"
        )
    return found


def _meetings(state: State) -> list[str]:
    """Consents that were given at the keyboard of who led a meeting."""
    led: dict[str, list[Spoken]] = {}
    for one in spoken_in_meetings(state):
        led.setdefault(one.meeting.led_by, []).append(one)
    found = []
    for leader, spoken in led.items():
        n = counted(len(spoken), "consent was", "consents were")
        meetings = counted(len({one.meeting.begun for one in spoken}), "meeting")
        who = listing(dict.fromkeys(one.person for one in spoken))
        cases = counted(len({one.case for one in spoken}), "case")
        found.append(f"{n} given in {meetings} at the keyboard of {leader}, by {who}, in {cases}")
    return found


def _mixtures(state: State) -> list[str]:
    found = []
    epoch, n = state.epoch, len(state.items.ids)
    first = epoch.rounds[0] if epoch.rounds else None
    covered = max((len(c) for columns in epoch.made.values() for c in columns.values()), default=0)
    if first is not None and n > covered:
        came = counted(n - covered, "item")
        found.append(
            f"{came} came after the last round and {'is' if n - covered == 1 else 'are'} "
            "not annotated"
        )
    if first is None or state.toolbox is None or state.toolbox.ordinal == first.toolbox:
        return found
    under = {
        o for columns in epoch.made.values() for column in columns.values() for o in set(column)
    }
    boxes = {box.ordinal: box.hash for box in state.toolboxes if box.ordinal in under}
    if len(set(boxes.values())) > 1:
        found.append(
            f"annotations were made under {len(set(boxes.values()))} versions of the toolbox"
        )
    return found
