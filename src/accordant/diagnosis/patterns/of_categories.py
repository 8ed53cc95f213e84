"""All patterns of categories in one order, so that the same disagreements are told once."""

from __future__ import annotations

from ..finding import Finding
from ..view import View
from .confusions import confused_pair
from .dominating import dominating_category
from .one_way import one_way
from .shifted import shifted
from .use import unused_by_coder
from .weak import weak_category, weak_hubs

__all__ = ["OF_CATEGORIES", "category_patterns"]

OF_CATEGORIES = frozenset({
    "confused_pair", "dominating_category", "one_way", "shifted", "unused_by_coder",
    "weak_category",
})  # fmt: skip
"""The codes of the patterns that `category_patterns` tells."""


def category_patterns(view: View) -> tuple[Finding, ...]:
    """What is taken for what, the broadest first; what it explains is not told again.

    A category that swallows the others comes before the pairs it is part of; what one coder does
    before what coders do to each other; a category that is hard with all others before the single
    pairs, and one on which coders merely agree less last, among those that nothing explains.

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
    for find in (dominating_category, unused_by_coder):
        for finding in find(view, left):
            left = disputes.without(left, finding.evidence["pairs"])
            found.append(finding)
    moved = list(shifted(view))
    found += moved
    habits = {f.evidence["coder"] for f in moved}  # of two coders, both
    for finding in [] if habits and view.counts.n_coders == 2 else one_way(view, left):
        if finding.evidence["coder"] not in habits:
            left = disputes.without(left, finding.evidence["pairs"])
            found.append(finding)
    for later in (weak_hubs, confused_pair, weak_category):
        for finding in later(view, left):
            left = disputes.without(left, finding.evidence["pairs"])
            found.append(finding)
    return tuple(found)
