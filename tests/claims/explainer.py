"""What `accordant.diagnosis` says of a simulated data set, in the terms of the judge."""

from __future__ import annotations

from typing import Any

import numpy as np

from accordant.diagnosis.deviations import Timeline
from accordant.diagnosis.explain import explain as explanations
from accordant.diagnosis.explain import span
from accordant.diagnosis.explanation import Explanation
from accordant.inference.item_patterns import Patterns
from claims.judging import Said


def explain(grid: Any, members: Any, ordinal: bool = False, groups: Any = None) -> list[Said]:
    """Explanations of one grid (I, C) of values; -1 is missing, ``groups`` (I,) are names."""
    names, codes = np.unique([] if groups is None else groups, return_inverse=True)
    found = explanations(
        Patterns.of_grid(grid, len(members)),
        members,
        ordinal=ordinal,
        groups={"group": codes} if len(names) else None,
    )
    timeline = Timeline.of(np.arange(len(grid)))
    none = members.shape[1]
    return [Said(*_about(x, none), _place(x, timeline, names), float(x.score)) for x in found.found]


def _about(one: Explanation, none: int) -> tuple[str, tuple[int, ...], tuple[int, ...]]:
    """Kind, coders and labels; what becomes of "none" in sets is a label that is left out or added."""
    labels = tuple(x for x in one.labels if x != none)
    if len(labels) == len(one.labels):
        return one.kind, one.coders, labels
    way = "adds" if one.labels[:1] == (none,) else "omits"
    return {"coder_cell": f"coder_{way}"}.get(one.kind, "omitted"), one.coders, labels


def _place(one: Explanation, timeline: Timeline, names: Any) -> tuple[Any, ...]:
    """The name of a group, or the first item and the one after the last; else what it says."""
    if one.kind == "item_group":
        return (str(names[one.place[1]]),)
    if one.kind in ("stretch", "coder_stretch", "coder_change"):
        at = np.flatnonzero(span(timeline, one))
        return (int(at[0]), int(at[-1]) + 1) if len(at) else ()
    return one.place
