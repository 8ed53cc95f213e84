"""Agreement that changes in the course of the annotation: of one coder, or of all."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...counts.tables import evenly
from ...numbers import p_text, percent
from ..apart import beside_the_others
from ..drift import Drift
from ..finding import Contrast, Evidence, Finding
from ..standing import CLEAR_CHANGE, WhoDrifts
from ..view import View
from ..words import quoted
from .asides import SHOWS, also_seen, more_text, order_text, part_text
from .pattern import LEVEL, pattern, stake_of
from .telling import MOST_ITEMS, MOST_LINES, severity_of

__all__ = ["common_drift", "drift"]

MOST_TOLD = 3


@pattern
def drift(view: View) -> Iterator[Finding]:
    """Drift of a coder.

    The coder's disagreement with the others, less that of the others among themselves, rises or
    falls with the order of annotation; or the use of a category does; or one batch stands out
    (tests over all orders of items that the others label alike, corrected for the number of
    coders).
    """
    for who in view.standing.drifts[:MOST_TOLD]:
        yield _finding(view, who)


def _finding(view: View, who: WhoDrifts) -> Finding:
    seen, c = who.seen, who.at
    first, last = _ends(seen, c)
    stake, use = stake_of(view, who.share), seen.use[c]
    parts, among = seen.stretches.names, seen.stretches.among[c]
    own = seen.stretches.own[c]
    rises = bool(seen.change[c] < 0)
    early, late_part = part_text(parts[first], seen), part_text(parts[last], seen)
    if who.what == "batch":
        last = seen.odd[c][0]
        told = (
            f"{quoted(who.coder)} agrees with the others in {percent(own[last])} of "
            f"{part_text(parts[last], seen)} and {percent(_beside(seen, c, last))} of all other "
            f"items; the others with each other in {percent(among[last])} there"
        )
    elif who.what == "use" and use is not None:
        told = (
            f"The use of {quoted(use.value)} by {quoted(who.coder)} changes: compared with the "
            f"others, it is given to {more_text(use.first)} of {early} and to "
            f"{more_text(use.last)} of {late_part}"
        )
    else:
        told = (
            f"Agreement of {quoted(who.coder)} with the others {'rises' if rises else 'falls'} "
            f"from {percent(own[first])} of {early} to {percent(own[last])} of {late_part}; "
            f"theirs with each other goes from {percent(among[first])} to {percent(among[last])}"
        )
        if use is not None and use.p_value < LEVEL and abs(use.last - use.first) >= SHOWS:
            told += (
                f". It shows in {quoted(use.value)}: compared with the others, it is given to "
                f"{more_text(use.first)} of the items at first and to {more_text(use.last)} at the "
                "end"
            )
    late = rises and who.what == "agreement"
    advice = (
        "Have the coder annotate the first items again: this looks like learning."
        if late
        else "Find out what changed: an edit of the guideline, a discussion, haste or tiredness. "
        "Retrain the coder on items that all have labelled, and have the items since then "
        "annotated again."
    )
    return Finding(
        "drift", severity_of(stake),
        f"{told} ({order_text(seen)}; {p_text(who.p_value)}).{also_seen(view, who.coder)}",
        advice,
        {
            "coder": who.coder, "what": who.what, "from": float(own[first]),
            "to": float(own[last]), "others_from": float(among[first]),
            "others_to": float(among[last]), "change": float(seen.change[c]),
            "value": None if use is None else use.value, "order": seen.order.name,
            "share": who.share, "p_value": who.p_value,
        },
        ("hoeffding1951",), view.question, stake, "coder",
        Evidence(
            _lines(seen, c), "part of the items", "items",
            f"agreement of {who.coder} with the others", "of the others among themselves",
            _items(view, who, first if late else last),
        ),
        title=_title(who, parts[last], rises=rises),
    )  # fmt: skip


def _title(who: WhoDrifts, last: str, *, rises: bool) -> str:
    use = who.seen.use[who.at]
    if who.what == "batch":
        return f"{quoted(who.coder)} agrees less with the others on {quoted(last)} items"
    if who.what == "use" and use is not None:
        return f"{quoted(who.coder)} changes the use of {quoted(use.value)}"
    return f"{quoted(who.coder)} agrees {'more' if rises else 'less'} with the others over time"


def _ends(seen: Drift, c: int) -> tuple[int, int]:
    """The first and the last part of the items that the coder has."""
    known = np.flatnonzero(seen.stretches.n[c])
    return (int(known[0]), int(known[-1])) if len(known) else (0, 0)


def _beside(seen: Drift, c: int, batch: int) -> float:
    """Agreement of the coder in all other batches."""
    n = seen.stretches.n[c].copy()
    n[batch] = 0
    return float(np.nansum(n * np.nan_to_num(seen.stretches.own[c])) / max(n.sum(), 1))


def _lines(seen: Drift, c: int) -> tuple[Contrast, ...]:
    parts = seen.stretches
    at = [s for s in range(len(parts.names)) if parts.n[c, s]]
    return tuple(
        Contrast(
            parts.names[s], int(parts.n[c, s]), float(parts.own[c, s]), float(parts.among[c, s])
        )
        for s in at[:MOST_LINES]
    )


def _items(view: View, who: WhoDrifts, stretch: int) -> tuple[int, ...]:
    """Items of a stretch on which the coder differs most clearly from the others."""
    counts = view.counts
    if counts.coder is None:
        return ()
    own, among = beside_the_others(counts, view.w)
    c = counts.coders.index(who.coder)
    mine = np.flatnonzero(counts.coder == c)
    more = np.zeros(counts.n_patterns + 1)
    more[counts.row[mine]] = np.nan_to_num(own - among)[mine]
    items, order = evenly(len(view.data.items)), who.seen.order
    x = more[counts.pattern_of[items]]
    place = order.at(np.arange(len(items)), np.full(len(items), c))
    found = np.flatnonzero((x > 1e-12) & ~np.isnan(place))
    if order.batches:
        found = found[place[found] == stretch]
        return tuple(items[found[np.argsort(-x[found], kind="stable")][:MOST_ITEMS]].tolist())
    late = found[np.argsort(place[found], kind="stable")]
    late = late if stretch == 0 else late[::-1]
    return tuple(items[late[:MOST_ITEMS]].tolist())


@pattern
def common_drift(view: View) -> Iterator[Finding]:
    """Drift of all coders.

    Told only where the order of annotation is known, since items that stand in the data by source
    or category would look the same (test over all orders of items that were labelled alike).
    """
    seen = view.standing.rest
    if seen is None or not seen.order.known or not seen.common_p < LEVEL:
        return
    change = seen.common_change
    if abs(change) < CLEAR_CHANGE:
        return
    n = np.array(seen.common_n, float)
    agreed = np.nan_to_num(np.array(seen.common))
    mean = 1 - float(agreed @ n / n.sum())
    stake = stake_of(view, min(1.0, abs(change) / 2 / mean) if mean else 0.0)
    known = np.flatnonzero(n)
    first, last = int(known[0]), int(known[-1])
    names = seen.stretches.names
    what, advice = (
        (
            "less",
            "Plan shorter sessions, and items that all discuss in between: if the items did not "
            "become harder, coders tire or forget the guideline.",
        )
        if change > 0
        else (
            "more",
            "Have the first items annotated again if they are to be as good as the last ones, "
            "since coders learned; report agreement on the later items beside that on all.",
        )
    )
    yield Finding(
        "common_drift", severity_of(stake),
        f"Agreement {'falls' if change > 0 else 'rises'} over time from {percent(agreed[first])} "
        f"of {part_text(names[first], seen)} to {percent(agreed[last])} of "
        f"{part_text(names[last], seen)} ({order_text(seen)}; {p_text(seen.common_p)}).",
        advice,
        {"from": float(agreed[first]), "to": float(agreed[last]), "change": change,
         "order": seen.order.name, "p_value": seen.common_p},
        ("hoeffding1951",), view.question, stake, "task",
        Evidence(
            tuple(
                Contrast(names[s], int(n[s]), float(agreed[s]), 1 - mean)
                for s in known[:MOST_LINES].tolist()
            ),
            "part of the items", "items", "agreement", "on all items",
        ),
        title=f"All coders agree {what} over time",
    )  # fmt: skip
