"""What else is known of a coder who is told already, so that one coder is told once."""

from __future__ import annotations

from collections.abc import Collection

from ...numbers import count_of, p_text, percent
from ...scheme import Value
from ..drift import Drift
from ..standing import sorted_items
from ..view import View
from ..words import quoted
from .pattern import LEVEL

__all__ = ["SHOWS", "also_seen", "more_text", "order_text", "part_text", "trend_seen"]

SHOWS = 0.1  # a change in the use of a category that is worth a word; our convention
OF_THE_SAME = 0.05  # level for a change in what the finding is about anyway


def also_seen(view: View, coder: str) -> str:
    """Contradictions of a coder, and labels that it carries over."""
    found, told = view.consistency, ""
    if found is not None:
        c = found.coders.index(coder)
        if found.p_value[c] < LEVEL:
            told += (
                f" The coder gave different labels to {found.n_contradicted[c]:,.0f} of "
                f"{count_of(found.n_texts[c], 'duplicate text')}."
            )
    steps = view.sequence
    if steps is not None and steps.mixed:
        c = steps.coders.index(coder)
        if steps.p_value[c] < LEVEL / len(steps.coders):
            kind = "more" if steps.effect[c] > 0 else "less"
            told += (
                f" The label of the previous item is repeated in "
                f"{percent(float(steps.repeats[c]))} of {count_of(steps.n_steps[c], 'step')}, "
                f"{100 * abs(float(steps.effect[c])):.1f} percentage points {kind} than expected."
            )
    return told


def trend_seen(view: View, coder: str, about: Collection[Value | None] = ()) -> str:
    """A change in the course of the annotation, of a coder who is not told for it.

    Where it is in one of the values that the finding is ``about``, it was not looked for in others.
    """
    seen = view.drift
    if seen is None or coder not in seen.coders:
        return ""
    c = seen.coders.index(coder)
    use, n = seen.use[c], seen.stretches.n[c]
    if use is None or not use.own or not n.any() or sorted_items(seen, c):
        return ""
    told = use.value in about
    p = use.p_value * (len(about) / view.counts.n_values if told else 1.0)
    if not p < (OF_THE_SAME if told else LEVEL):
        return ""
    if not abs(use.last - use.first) >= SHOWS:
        return ""
    first, last = (seen.stretches.names[int(k)] for k in n.nonzero()[0][[0, -1]])
    return (
        f" This changes over time: compared with the others, {quoted(use.value)} is given to "
        f"{more_text(use.first)} of {part_text(first, seen)} and to {more_text(use.last)} of "
        f"{part_text(last, seen)} ({order_text(seen)}; {p_text(p)})."
    )


def part_text(name: str, seen: Drift) -> str:
    """A batch, or a stretch of the annotation, in a sentence."""
    return f"{quoted(name)} items" if seen.order.batches else f"the {name} of the items"


def more_text(x: float) -> str:
    """A difference of two shares, in points."""
    points = f"{abs(x) * 100:.1f} percentage points"
    return f"{points} more" if x >= 0 else f"{points} fewer"


def order_text(seen: Drift) -> str:
    """In which order the items were looked at."""
    name = f"in the order of {quoted(seen.order.name)}" if seen.order.known else (
        "in the order of the data, if items were annotated in it"
    )  # fmt: skip
    n, of = seen.n_used, seen.n_all
    return name if n == of else f"{name}; {n:,} of {count_of(of, 'item')} were examined"
