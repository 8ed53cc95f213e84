"""What `accordant` says of a simulated data set, in the terms of the judge."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

import accordant as ac
from accordant.diagnosis.deviations import Timeline
from accordant.diagnosis.explain import explain as explanations
from accordant.diagnosis.explain import span
from accordant.diagnosis.explanation import Explanation
from accordant.diagnosis.finding import Finding
from accordant.inference.item_patterns import Patterns
from claims.judging import Said, is_true
from claims.worlds import World

__all__ = ["Chapters", "annotations", "causes", "chapters", "explain"]


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


# ------------------------------------------------------------------ through the public calls


def annotations(world: World) -> ac.Annotations:
    """A data set as `read` gives it: coders c0, c1, …; labels v0, v1, …, or numbers of a scale."""
    names = [k if world.ordinal else f"v{k}" for k in range(world.members.shape[1])]
    sets = bool((world.members.sum(1) != 1).any())
    held_by = [[n for n, m in zip(names, row) if m] for row in world.members]
    rows = [
        {"item": i, "coder": f"c{c}", "label": held_by[k] if sets else held_by[k][0]}
        for i, row in enumerate(world.grid)
        for c, k in enumerate(row)
        if k >= 0
    ]
    return ac.read(pd.DataFrame(rows), scale="ordinal" if world.ordinal else None)


def causes(data: ac.Annotations) -> list[Finding]:
    """Findings that name a cause and warn of it: the first page of a report begins with these."""
    found = ac.diagnose(data).pooled.findings
    return [f for f in found if f.severity == "warning" and f.code != "no_pattern" and f.stake > 0]


@dataclass(frozen=True)
class Chapters:
    """What the chapters of a report say of data of which nothing is to be said.

    ``report``: its first page names a cause that is none. ``levels``: `decompose` has a headline.
    ``contradict``: it has, while the chapter before says that there is no pattern.
    """

    report: bool
    levels: bool
    contradict: bool


def chapters(world: World) -> Chapters:
    """Of one data set."""
    data = annotations(world)
    codes = {f.code for f in ac.diagnose(data).pooled.patterns}
    headline = ac.decompose(data, resamples=0).headline is not None
    told = [_said(found) for found in causes(data)]
    return Chapters(
        any(not is_true(world, x) for x in told), headline, headline and "no_pattern" in codes
    )


def _said(found: Finding) -> Said:
    coder = found.evidence.get("coder")
    return Said(found.code, () if coder is None else (int(str(coder)[1:]),))
