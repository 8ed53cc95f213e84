"""What follows from the facts: all findings, most severe first."""

from __future__ import annotations

from collections.abc import Sequence

from . import about_chance, about_data, about_sets  # noqa: F401  (they register rules)
from .about_questions import POOLED_RULES
from .facts import Facts
from .finding import RULES, Finding, ranked

__all__ = ["advise", "advise_pooled"]


def advise(facts: Facts) -> tuple[Finding, ...]:
    """The findings about one question, problems first.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.diagnosis.coverage import coverage
    >>> from accordant.diagnosis.facts import facts
    >>> data = read([["yes"] * 9 + ["no"], ["yes"] * 8 + ["no", "yes"]])
    >>> [f.code for f in advise(facts(coverage(data), data.scheme))][:2]
    ['prevalence', 'never_agreed']
    """
    # what only label sets show is told before what all data may show
    codes = sorted(RULES, key=lambda code: code not in about_sets.__all__)
    found = [RULES[code](facts) for code in codes]
    return ranked([f for f in found if f is not None])


def advise_pooled(pooled: Facts, each: Sequence[Facts]) -> tuple[Finding, ...]:
    """The findings about a pooled figure and the questions behind it."""
    found = [rule(pooled, each) for rule in POOLED_RULES.values()]
    return ranked([f for f in found if f is not None])
