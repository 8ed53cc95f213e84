"""All patterns of a view, what is most at stake first."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace

from ..finding import Finding, ranked
from ..view import View
from ..words import listed
from .none import no_pattern
from .of_categories import category_patterns
from .of_coders import OF_CODERS, OF_ITEMS
from .once import told_once, where_it_is
from .pattern import PATTERNS

__all__ = ["patterns"]

APART = ("coder_apart", "drift")  # a coder whose annotations say little about the categories


def patterns(view: View) -> tuple[Finding, ...]:
    """Why coders disagree, as far as their disagreements show it.

    Patterns of coders and items come first. Where a coder is apart, patterns of categories are
    looked for among the others, so that what one coder does is not taken for the categories'
    fault; what is told of coders is not told of categories again. Empty where nothing is compared,
    or nothing is disputed, and for questions that are pooled though their schemes differ: labels
    that never compete are not confused.
    """
    if not view.counts.n_pairable or math.isnan(view.alpha) or len(set(view.data.schemes)) > 1:
        return ()
    of_others = OF_CODERS | OF_ITEMS
    found = [x for name, find in PATTERNS.items() if name in of_others for x in find(view)]
    found += _of_categories(view, found)
    told = where_it_is(view, told_once(found))
    return ranked([*told, *no_pattern(view, told)])


def _of_categories(view: View, found: Iterable[Finding]) -> Iterator[Finding]:
    """The patterns of categories, among the coders who are not apart."""
    apart = {str(f.evidence["coder"]) for f in found if f.code in APART and f.severity == "warning"}
    others = [coder for coder in view.counts.coders if coder not in apart]
    if not apart or len(others) < 2:
        yield from category_patterns(view)
        return
    rest = view.of_coders(others)
    if not rest.counts.n_pairable or math.isnan(rest.alpha):
        yield from category_patterns(view)
        return
    for finding in category_patterns(rest):
        told = f"{finding.sentence} This leaves out {listed(sorted(apart))}."
        yield replace(finding, sentence=told, evidence={**finding.evidence, "without": apart})
