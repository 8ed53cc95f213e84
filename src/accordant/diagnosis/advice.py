"""All findings, most severe first, with their titles and the names of the items they are about."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from ..data.annotations import Annotations
from .chance_traps import CHANCE
from .data_traps import DATA
from .explanation import KINDS
from .facts import Facts
from .finding import Finding, Rule, ranked
from .pooling_traps import POOLED
from .set_traps import SETS

__all__ = ["RULES", "advise", "advise_pooled", "named", "title_of"]

RULES: Mapping[str, Rule] = {**SETS, **CHANCE, **DATA}
"""Every rule by its code: what only label sets show is told before what all data may show."""

TITLES: Mapping[str, str] = {
    "against_all_coders": "Estimated labels that no coder gave",
    "converged": "Convergence",
    "coder_below_chance": "Coders below chance",
    "coder_with_few": "Coders with few annotations",
    "falls_short": "Models that do not pass the alternative-annotator test",
    "stands_in": "Models that pass the alternative-annotator test",
    "too_few_items": "Too few items for the alternative-annotator test",
    "copied_labels": "Coders with identical labels",
    "dependence_unseen": "Conditional independence cannot be checked",
    "does_not_fit": "Poor model fit (posterior predictive check)",
    "iteration_limit": "No convergence",
    "not_identified": "Parameters that are not identified",
    "nothing_to_learn": "Nothing to estimate",
    "objective_fell": "Numerical problem in the optimisation",
    "one_label": "Only one label was given",
    "overconfident": "Overconfident probabilities",
    "repurposed_category": "A class that stands for other items",
    "schools_differ": "Coder groups",
    "single_annotations": "Items with a single annotation",
    "solutions_refused": "Degenerate solutions excluded",
    "unclear_items": "Ambiguous or difficult items",
    "nothing_ambiguous": "No ambiguous items",
}
"""Of findings without a rule, where the code does not read as a title."""


def advise(facts: Facts) -> tuple[Finding, ...]:
    """The findings about one question, problems first.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.measure.coverage import coverage
    >>> from accordant.diagnosis.facts import facts
    >>> data = read([["yes"] * 9 + ["no"], ["yes"] * 8 + ["no", "yes"]])
    >>> [f.code for f in advise(facts(coverage(data), data.scheme))][:2]
    ['prevalence', 'never_agreed']
    """
    return ranked(found for rule in RULES.values() if (found := rule(facts)) is not None)


def advise_pooled(pooled: Facts, each: Sequence[Facts]) -> tuple[Finding, ...]:
    """The findings about a pooled figure and the questions behind it."""
    found = (rule(pooled, each) for rule in POOLED.values())
    return ranked(f for f in found if f is not None)


def title_of(code: str) -> str:
    """The title of findings of a code: the first line of what their pattern or rule says of itself.

    Examples
    --------
    >>> import accordant
    >>> title_of("pair"), title_of("schools_differ"), title_of("something_else")
    ('Two labels confused with each other', 'Coder groups', 'Something else')
    """
    known: Mapping[str, object] = {
        **RULES,
        **POOLED,
        **{name: kind.find for name, kind in KINDS.items()},
    }
    told = known[code].__doc__ if code in known else TITLES.get(code)
    return (told or code.replace("_", " ").capitalize()).split("\n")[0].rstrip(".")


def named(findings: Iterable[Finding], data: Annotations) -> tuple[Finding, ...]:
    """Findings with the title of their pattern or rule, and with the items of ``data`` by name."""
    return tuple(_named(finding, data) for finding in findings)


def _named(finding: Finding, data: Annotations) -> Finding:
    title = finding.title or title_of(finding.code)
    if finding.seen is None:
        return replace(finding, title=title)
    places = (position // len(data.questions) for position in finding.seen.items)
    names = tuple(_plain(data.items[place]) for place in places)
    return replace(finding, title=title, seen=replace(finding.seen, names=names))


def _plain(name: Hashable) -> Hashable:
    """An item that was numbered is an int, not an entry of an array."""
    return name.item() if isinstance(name, np.generic) else name
