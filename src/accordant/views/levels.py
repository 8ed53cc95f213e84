"""Hierarchical agreement in a report: where there is use, and where it is quick."""

from __future__ import annotations

from dataclasses import replace

from ..decomposition.call import decompose
from ..decomposition.decompositions import Explored
from ..decomposition.hierarchy import find_hierarchy
from ..errors import RequestError
from .document import Section
from .hierarchical_agreement import chart_of
from .study import Part, Study
from .view import named

__all__ = ["levels_section"]

CATEGORIES = range(4, 21)  # so many are taken apart; of fewer or more only named groups
MOST_STATES = 64  # different sets of labels
MOST_LISTED = 16  # values whose bipartitions are all gone through in no time
MOST_WORK = 1_500_000  # patterns of annotation x pairs of coders: a quarter of a second
MOST_ROWS = 8
N_RESAMPLES = 50

KEY, TITLE = "levels", "Hierarchical agreement"
TOO_LONG = (
    "With so many coders and annotations this takes longer than a report should. It can be asked "
    "for by itself."
)


def levels_section(study: Study) -> Section | None:
    """Partitions of the values by what they explain; None where nothing can be taken apart."""
    wanted = {part: by for part in study.each if (by := _wanted(part)) is not None}
    quick = {part: by for part, by in wanted.items() if _work(part) <= MOST_WORK}
    found = {part: made for part, by in quick.items() if (made := _taken_apart(part, by))}
    if not found:
        return None if len(wanted) == len(quick) else Section(KEY, TITLE, TOO_LONG)
    section = named("decompose", "partitions").section(found.values())
    lead = study.told_of(list(found), lambda part: chart_of(found[part]).title)
    return replace(section, key=KEY, title=TITLE, lead=lead)


def _taken_apart(part: Part, by: list[str]) -> Explored | None:
    """The best partitions of the values of a question; None where there is nothing to say."""
    view = part.found
    limited = view.counts.n_values > MOST_LISTED
    try:
        found = decompose(
            view.data, by or None, most=MOST_ROWS, n_resamples=N_RESAMPLES, rng=0,
            level=part.level, search="families" if limited else "auto", minimum_share=0.01,
        )  # fmt: skip
    except RequestError:  # all annotations alike, nobody compared
        return None
    return found.parts[0] if found.parts and found.rows else None


def _work(part: Part) -> int:
    """How much there is to count: a table for every two coders."""
    counts = part.found.counts
    return counts.n_patterns * max(1, counts.n_coders * (counts.n_coders - 1) // 2)


def _wanted(part: Part) -> list[str] | None:
    """The partitions to look at: none if there is no use, an empty list to search for them."""
    view = part.found
    counts = view.counts
    if not view.items.n_disputed:
        return None
    if counts.of_sets:
        return [] if 4 <= counts.n_values <= MOST_STATES else None
    if view.scheme.scale != "nominal":
        return None
    if counts.n_values in CATEGORIES:
        return []
    groups = find_hierarchy([v for v in counts.values if not isinstance(v, tuple)])
    return None if groups is None else [f"level {k}" for k in range(1, len(groups.levels) + 1)]
