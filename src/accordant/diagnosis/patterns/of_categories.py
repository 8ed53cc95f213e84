"""All patterns of categories in one order, so that the same disagreements are told once."""

from __future__ import annotations

from collections.abc import Iterator

from ...measure.confusion import NO_FURTHER
from ..disputes import Disputes, Mask
from ..finding import Finding
from ..view import View
from .blocks import confused_block
from .confusions import confused_pair
from .dominating import dominating_category
from .more_labels import more_labels
from .neighbours import neighbours
from .one_way import one_way
from .shifted import shifted
from .use import unused_by_coder
from .weak import weak_category, weak_hubs

__all__ = ["OF_CATEGORIES", "category_patterns"]

OF_CATEGORIES = frozenset({
    "confused_block", "confused_pair", "dominating_category", "more_labels", "neighbours",
    "one_way", "shifted", "unused_by_coder", "weak_category",
})  # fmt: skip
"""The codes of the patterns that `category_patterns` tells."""


def category_patterns(view: View) -> tuple[Finding, ...]:
    """What is taken for what, the broadest first; what it explains is not told again.

    A category that swallows the others comes before the pairs it is part of; numbers that are a
    scale before the pairs of neighbours; what one coder does before what coders do to each other;
    families of categories and a category that is hard with all others before the single pairs,
    and one on which coders merely agree less last, among those that nothing explains.

    Examples
    --------
    >>> from accordant import diagnose, read
    >>> rows = [["a"] * 20 + ["b"] * 30 + ["c"] * 20, ["a"] * 20 + ["b"] * 15 + ["c"] * 35]
    >>> [f.code for f in category_patterns(diagnose(read(rows)).pooled)]
    ['one_way']
    """
    found: list[Finding] = []
    disputes = view.disputes
    if disputes is None:
        return tuple(shifted(view))
    left = disputes.every
    for find in (dominating_category, unused_by_coder, neighbours):
        for finding in find(view, left):
            left = disputes.without(left, finding.evidence["pairs"])
            found.append(finding)
    for finding in _habits(view, disputes, left):
        left = disputes.without(left, finding.evidence.get("pairs", ()))
        found.append(finding)
    if view.counts.n_coders == 2 and any(f.code == "more_labels" for f in found):
        left = _within_sets(disputes, left)
    for later in (confused_block, weak_hubs, confused_pair, weak_category):
        for finding in later(view, left):
            left = disputes.without(left, finding.evidence["pairs"])
            found.append(finding)
    return tuple(found)


def _habits(view: View, disputes: Disputes, left: Mask) -> Iterator[Finding]:
    """What one coder does: to the whole scale, to the number of labels, or to a pair."""
    two = view.counts.n_coders == 2
    moved = list(shifted(view))
    wide = list(more_labels(view))
    yield from (*moved, *wide)
    movers = {f.evidence["coder"] for f in moved}  # of two coders, both
    if two and movers:
        return
    sizes = {f.evidence["coder"]: f.evidence["own"] > f.evidence["others"] for f in wide}
    if two and wide:
        left = _within_sets(disputes, left)
    for finding in one_way(view, left):
        if finding.evidence["coder"] not in movers and not _by_size(finding, sizes):
            yield finding


def _by_size(finding: Finding, sizes: dict[str, bool]) -> bool:
    """Whether a label is given, or left out, by a coder who gives more labels, or fewer."""
    first, second = finding.evidence["first"], finding.evidence["second"]
    if NO_FURTHER not in (first, second):
        return False
    sides = finding.evidence["coder"], finding.evidence["other"]
    gives, lacks = sides if second == NO_FURTHER else sides[::-1]
    return sizes.get(gives) is True or sizes.get(lacks) is False


def _within_sets(disputes: Disputes, left: Mask) -> Mask:
    """The pairs without those of a label that one coder gives and the other leaves out."""
    left = left.copy()
    left[-1] = left[:, -1] = False
    return left
