"""What must be said about the annotations wherever they are given out: one sentence for each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from .declining import agreed_by_others
from .editorial import rewording
from .sentences import counted, listing
from .state import Case, State
from .words import CaseState, Cause, Change, OrderState, ReleaseStatus, Role, Settled

__all__ = ["flags_of"]


def flags_of(
    state: State, status: ReleaseStatus, counts: Mapping[str, int], resolved: bool
) -> tuple[str, ...]:
    """Sentences that every export states.

    Parameters
    ----------
    state : State
    status : ReleaseStatus
    counts : mapping of str to int
        As `release.counts_of` gives them.
    resolved : bool
        Whether step 5 has begun.

    Returns
    -------
    tuple of str
        Without a full stop.
    """
    return (
        *_of_status(status, resolved),
        *_unresolved(state),
        *_unfinished(state, counts),
        *_departures(state),
        *_reworded(state),
        *_people(state),
        *_mixtures(state),
    )


def _of_status(status: ReleaseStatus, resolved: bool) -> list[str]:
    if status == ReleaseStatus.COMPARISON_ONLY:
        return ["no attempt at resolution; no check of inconsistent scoring"]
    if status == ReleaseStatus.IMPORTED_GOLD:
        return ["the agreed answers came with the data; the procedure is unknown"]
    if status == ReleaseStatus.ABANDONED:
        return ["abandoned: the coders could not agree on the task; not to be used as labels"]
    if status == ReleaseStatus.GROUND_TRUTH and resolved:
        return ["all annotations agree by construction: every disagreement was resolved"]
    if status == ReleaseStatus.GROUND_TRUTH:
        return ["all annotations agreed when compared; inconsistent scoring was not looked for"]
    return []


def _names(state: State, cases: list[Case]) -> str:
    ids = state.items.ids
    return listing(f"{ids[case.item]} {case.question}" for case in cases)


def _unresolved(state: State) -> list[str]:
    cases = list(state.epoch.cases.values())
    unresolved = [case for case in cases if case.state == CaseState.UNRESOLVED]
    found = []
    left = [case for case in unresolved if case.settled == Settled.LEFT_DISAGREED]
    if left:
        n = counted(len(left), "case is", "cases are")
        found.append(f"{n} left disagreed, with all values kept ({_names(state, left)})")
    for person, own in _by(unresolved, Settled.DICTATOR_DECISION, "decided_by").items():
        what = f"{counted(len(own), 'case is', 'cases are')} decided by {person} alone (dictator)"
        found.append(f"{what}: a single-annotator portion ({_names(state, own)})")
    for method, own in _by(unresolved, Settled.DICTATOR_AGGREGATION, "method").items():
        what = counted(len(own), "case is", "cases are")
        found.append(f"{what} settled by aggregation: {method} ({_names(state, own)})")
    interpretive = [c for c in cases if c.cause == Cause.D and c.state != CaseState.CLOSED]
    if interpretive and unresolved:
        n = counted(len(interpretive), "case is", "cases are")
        found.append(f"{n} interpretive (cause d): {_names(state, interpretive)}")
    return found


def _by(cases: list[Case], settled: Settled, name: str) -> dict[str, list[Case]]:
    """Cases that were settled in a way, by who or what settled them."""
    found: dict[str, list[Case]] = {}
    for case in cases:
        if case.settled == settled:
            found.setdefault(getattr(case, name), []).append(case)
    return found


def _unfinished(state: State, counts: Mapping[str, int]) -> list[str]:
    found = []
    if n := counts.get("cases open", 0):
        found.append(f"{counted(n, 'case is', 'cases are')} not settled")
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
    codes = Counter(deviation.code for deviation in state.deviations)
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
    held = state.epoch.current.values()
    silent = [
        coder
        for coder in state.coders
        if held and not any(max(columns.get(coder, (-1,)), default=-1) >= 0 for columns in held)
    ]
    if silent:
        has = "has annotated nothing" if len(silent) == 1 else "have annotated nothing"
        found.append(f"{listing(silent)} {has}: what is agreed was agreed without them")
    first = state.epoch.rounds[0].coders if state.epoch.rounds else ()
    late = {c for columns in held for c in columns if c not in first} - set(silent)
    if late:
        found.append(
            f"{listing(sorted(late))} joined after round 1: what was not annotated again was "
            "agreed without them"
        )
    return found


def _mixtures(state: State) -> list[str]:
    found = []
    epoch, n = state.epoch, len(state.items.ids)
    first = epoch.rounds[0] if epoch.rounds else None
    covered = max((len(c) for columns in epoch.made.values() for c in columns.values()), default=0)
    if first is not None and n > covered:
        came = counted(n - covered, "item")
        found.append(f"{came} came after the last round and {'is' if n - covered == 1 else 'are'} "
                     "not annotated")  # fmt: skip
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
