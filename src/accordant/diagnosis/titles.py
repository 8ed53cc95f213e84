"""What a finding is about, in the words of the pattern or the rule that found it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .about_questions import POOLED_RULES
from .explanation import KINDS
from .finding import RULES

__all__ = ["title_of"]

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


def title_of(code: str) -> str:
    """The title of findings of a code: the first line of what their pattern or rule says of itself.

    Examples
    --------
    >>> import accordant
    >>> title_of("pair"), title_of("schools_differ"), title_of("something_else")
    ('Two labels confused with each other', 'Coder groups', 'Something else')
    """
    known: dict[str, Any] = {
        **RULES,
        **POOLED_RULES,
        **{name: kind.find for name, kind in KINDS.items()},
    }
    told = known[code].__doc__ if code in known else TITLES.get(code)
    return (told or code.replace("_", " ").capitalize()).split("\n")[0].rstrip(".")
