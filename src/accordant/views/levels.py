"""Hierarchical agreement for a report: where there is use, and where it is quick."""

from __future__ import annotations

from ..decomposition.call import decompose
from ..decomposition.decompositions import Explored
from ..decomposition.hierarchy import find_hierarchy
from ..diagnosis.diagnose import Diagnosis, Part
from ..errors import RequestError

__all__ = ["hierarchies"]

CATEGORIES = range(4, 21)  # so many are taken apart; of fewer or more only named groups
MOST_STATES = 64  # different sets of labels
MOST_LISTED = 16  # values whose bipartitions are all gone through in no time
MOST_WORK = 1_500_000  # patterns of annotation x pairs of coders: a quarter of a second
MOST_ROWS = 8
N_RESAMPLES = 50


def hierarchies(found: Diagnosis) -> tuple[Explored, ...]:
    """The best partitions of the values of each question; none where there is no use."""
    wanted = {part: by for part in found.each if (by := _wanted(part)) is not None}
    quick = {part: by for part, by in wanted.items() if _work(part) <= MOST_WORK}
    made = (_taken_apart(part, by) for part, by in quick.items())
    return tuple(one for one in made if one is not None)


def _taken_apart(part: Part, by: list[str]) -> Explored | None:
    """The best partitions of the values of a question; None where there is nothing to say."""
    limited = part.counts.n_values > MOST_LISTED
    try:
        found = decompose(
            part.data, by or None, most=MOST_ROWS, n_resamples=N_RESAMPLES, rng=0,
            level=part.level, search="families" if limited else "auto", minimum_share=0.01,
        )  # fmt: skip
    except RequestError:  # all annotations alike, nobody compared
        return None
    return found.parts[0] if found.parts and found.rows else None


def _work(part: Part) -> int:
    """How much there is to count: a table for every two coders."""
    counts = part.counts
    return counts.n_patterns * max(1, counts.n_coders * (counts.n_coders - 1) // 2)


def _wanted(part: Part) -> list[str] | None:
    """The partitions to look at: none if there is no use, an empty list to search for them."""
    counts = part.counts
    if not part.items.n_disputed:
        return None
    if counts.of_sets:
        return [] if 4 <= counts.n_values <= MOST_STATES else None
    if part.scheme.scale != "nominal":
        return None
    if counts.n_values in CATEGORIES:
        return []
    groups = find_hierarchy([v for v in counts.values if not isinstance(v, tuple)])
    return None if groups is None else [f"level {k}" for k in range(1, len(groups.levels) + 1)]
