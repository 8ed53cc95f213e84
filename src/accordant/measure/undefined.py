"""Why a coefficient has no value: the one list of reasons."""

from __future__ import annotations

import math

import numpy as np

from ..counts.counts import Counts
from ..scheme import Value
from .coefficient_value import Undefined
from .ratings import MOST_CODERS, RatingCoefficient, impossible
from .registry import Coefficient, certain

OF_RATINGS = {
    "unknown_coders": "the data do not say which coder gave which rating",
    "few_pairs": "fewer than two items were rated by two coders",
    "gaps": "it needs a rating of every item by every coder",
    "many_coders": (
        f"{{:,}} coders are more than {MOST_CODERS}, whose levels can be told; ICC(1) does without"
    ),
    "no_variation": "all ratings are the same number",
}
"""Why a coefficient of ratings has no value, by reason."""


def why_undefined(
    coefficient: Coefficient, counts: Counts, observed: float, expected: float
) -> Undefined | None:
    """The reason why there is no value, or None if there is one."""
    if counts.n_items == 0:
        return Undefined("empty", "there is no annotation")
    if counts.n_coders < 2:
        return Undefined("one_coder", f"only one coder ({counts.coders[0]}) annotated anything")
    if isinstance(coefficient, RatingCoefficient):
        why = impossible(coefficient, counts)
        return Undefined(why, OF_RATINGS[why].format(counts.n_coders)) if why else None
    if math.isnan(observed):
        return Undefined("no_pairs", "no item was annotated by two coders")
    if coefficient.needs_coders and counts.coder is None:
        return Undefined(
            "unknown_coders",
            "the data do not say which coder gave which label",
        )
    alone = counts.n_values < 2 and math.isnan(expected)
    if alone and not counts.of_sets:
        return Undefined("one_category", f"the scheme has one category only ({counts.values[0]!r})")
    always = alone or certain(np.asarray(expected)).item()
    return _certain(coefficient, counts) if always else None


def _certain(coefficient: Coefficient, counts: Counts) -> Undefined:
    """Why agreement is certain by chance."""
    judged = "so agreement is certain by chance and shows no reliability"
    every = np.unique(counts.value)
    if len(every) == 1:
        only = _quoted(counts.values[every[0]])
        return Undefined("no_variation", f"every annotation is {only}, {judged}")
    shared = np.unique(counts.value[counts.size[counts.row] >= 2])
    if len(shared) == 1 and coefficient.per_value:
        only = _quoted(counts.values[shared[0]])
        return Undefined(
            "no_variation_in_pairs",
            f"where two coders annotated an item, every annotation is {only}, {judged}",
        )
    if coefficient.each_of is not None:
        where = " among the items that two coders annotated" if coefficient.pairs_only else ""
        return Undefined(
            "no_variation_in_labels",
            f"every label was given by everybody or by nobody{where}, {judged}",
        )
    if coefficient.is_mean:
        return Undefined(
            "no_variation_in_pairs",
            f"no two coders vary on the items that both annotated, {judged}",
        )
    if coefficient.key == "soft_match":
        return Undefined(
            "no_variation_in_final",
            f"reduced to what both coders gave, every annotation is the same label, {judged}",
        )
    if counts.of_sets:
        return Undefined(
            "sets_always_agree",
            "any two sets that the coders could give by chance agree in full",
        )
    return Undefined(
        "no_disagreement", "the weights count every two labels that occur as full agreement"
    )


def _quoted(value: Value) -> str:
    """A value in a sentence."""
    if not isinstance(value, tuple):
        return repr(value)
    return " and ".join(map(repr, value)) if value else "the empty set"
