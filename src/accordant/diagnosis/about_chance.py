"""Findings about what chance correction does to these data: the paradoxes and the limits."""

from __future__ import annotations

import math

from ..numbers import count_of, decimal, joined, level_text, p_text, percent
from .facts import SIGNIFICANT, Facts
from .finding import Finding, rule
from .words import quoted

__all__ = [
    "alpha_small_sample", "below_chance", "coder_bias", "kappa_above_pi",
    "little_room", "never_agreed", "no_variation", "no_variation_in_pairs",
    "perfect_agreement", "prevalence", "threshold_open",
]  # fmt: skip

BIASED = 0.05  # share of annotations that would have to move; our convention
APART = 0.02  # differences that show in the second digit of a report; our convention
OPPOSED = 0.1  # this much less agreement than by chance is no accident; our convention
CERTAIN = 0.9  # chance agreement that leaves a tenth of the scale; our convention
TINY = 10  # with fewer items nobody compares coefficients; our convention
THRESHOLDS = (0.667, 0.8)


@rule
def no_variation(f: Facts) -> Finding | None:
    """No variation."""
    if f.undefined is None or f.undefined.reason != "no_variation":
        return None
    only = tuple(label for label, _ in f.used) if f.label_sets else f.used[0][0]
    none = "boot-match, κ and α" if f.label_sets else "π, κ and α"
    return Finding(
        "no_variation", "problem",
        f"All {f.n_annotations:,} annotations are {quoted(only)}, so {none} are undefined. "
        "Observed and expected agreement are both 1.",
        "Report percent agreement and this sentence. To learn whether coders can distinguish the "
        "categories, include items for which another label is right.",
        {"value": only, "n_annotations": f.n_annotations},
        ("krippendorff2011", "artstein2008"), f.question,
    )  # fmt: skip


@rule
def no_variation_in_pairs(f: Facts) -> Finding | None:
    """No variation on shared items."""
    if f.undefined is None or f.undefined.reason != "no_variation_in_pairs":
        return None
    return Finding(
        "no_variation_in_pairs", "problem",
        f"On all {count_of(f.n_pairable, 'item')} with two annotations or more everybody gave the "
        f"same label, so α is undefined. Other labels occur only on the "
        f"{count_of(f.n_single, 'item')} of one coder, from which "
        f"{'label draw' if f.label_sets else 'π'} and κ estimate expected agreement.",
        "Report percent agreement and this sentence. Have a second coder annotate items for which "
        "other labels are right.",
        {"n_pairable": f.n_pairable, "n_single": f.n_single},
        ("krippendorff2011", "artstein2008"), f.question,
    )  # fmt: skip


@rule
def perfect_agreement(f: Facts) -> Finding | None:
    """Perfect agreement."""
    if f.n_disputed or not f.n_pairable or f.undefined is not None:
        return None
    least = f.coefficients["percent"].low
    alpha, name = f.alpha, f.name(f.alpha_key)
    return Finding(
        "perfect_agreement", "note",
        f"Coders agree on all {count_of(f.n_pairable, 'item')}; that does not show that they "
        "always do.",
        "Report the interval. There is no standard error; the lower end is the exact bound for no "
        f"disagreement in {count_of(f.n_pairable, 'item')} "
        f"({level_text(alpha.level)}, two-sided). On items like these percent agreement could be "
        f"as low as {percent(least)}, and {name} as low as {decimal(alpha.low)}.",
        {"n_pairable": f.n_pairable, "at_least": least, "alpha_at_least": alpha.low},
        ("clopper1934", "hanley1983"), f.question,
    )  # fmt: skip


@rule
def prevalence(f: Facts) -> Finding | None:
    """Prevalence: the first kappa paradox."""
    if not f.skewed:
        return None
    top, n = f.used[0]
    index = ""
    if f.two is not None and not math.isnan(f.two.prevalence.value):
        prevails, biased = (decimal(x.value, 2) for x in (f.two.prevalence, f.two.bias))
        index = f" Prevalence index {prevails}, bias index {biased}."
    return Finding(
        "prevalence", "warning",
        f"{n:,} of {f.n_annotations:,} annotations ({percent(f.top_share)}) are {quoted(top)}, so "
        f"expected agreement is high. Observed agreement is {percent(f.observed)}, expected "
        f"agreement {percent(f.coefficients['pi'].expected)} (π): {_chance_corrected(f)}. With "
        f"equally frequent categories the same observed agreement would give {f.shown('s')} "
        f"(S{_pabak(f)}).{index}",
        "Report AC or S beside κ, π or α, not instead of them, and show the contingency table. "
        "The low value is not an error of the coefficient: these data are little evidence that "
        "coders recognise the rare categories.",
        {"top": top, "top_share": f.top_share,
         **{k: f.value(k) for k in ("percent", "s", "pi", "kappa", "alpha", "ac")}},
        ("feinstein1990", "byrt1993", "artstein2008", "hoek2017"), f.question,
    )  # fmt: skip


def _chance_corrected(f: Facts) -> str:
    shown = [
        f"{f_symbol} = {f.shown(key)}"
        for key, f_symbol in (("pi", "π"), ("kappa", "κ"), ("alpha", "α"), ("ac", "AC"))
        if not math.isnan(f.value(key))
    ]
    return ", ".join(shown)


def _pabak(f: Facts) -> str:
    return ", here 2A_o − 1 or PABAK" if f.n_values == 2 else ""


@rule
def never_agreed(f: Facts) -> Finding | None:
    """Category never agreed on."""
    given = dict(f.used)
    empty = [v for v in f.never_agreed if given[v] > 1]
    if not empty or len(f.used) < 2 or f.n_values > f.n_annotated:
        return None
    shown = ", ".join(f"{quoted(v)} (given {given[v]:,} times)" for v in empty[:5])
    more = f" and {len(empty) - 5:,} more" if len(empty) > 5 else ""
    ac = (
        f" AC = {f.shown('ac')} does not show this: it rises as such categories get rarer."
        if f.skewed
        else ""
    )
    table = "table of labels" if f.label_sets else "contingency table"
    return Finding(
        "never_agreed", "warning",
        f"Coders never agreed on {shown}{more}: the diagonal of the {table} is 0 there.{ac}",
        "Read the items of these annotations. Until coders agree on some, there is no evidence "
        "that the category can be coded reliably.",
        {"categories": empty, "ac": f.value("ac"), "pi": f.value("pi")},
        ("hoek2017", "zhao2013"), f.question,
    )  # fmt: skip


@rule
def coder_bias(f: Facts) -> Finding | None:
    """Different category frequencies of two coders."""
    two = f.two
    if two is None or not two.marginal_p < SIGNIFICANT or two.marginal_difference < BIASED:
        return None
    index = (
        "" if math.isnan(two.bias.value) else f" The bias index is {decimal(two.bias.value, 2)}."
    )
    most = (  # of unweighted kappa: beside a weighted one it would mislead
        "" if f.weighted else
        f" With these margins κ can be {decimal(two.kappa_max)} at most."
    )  # fmt: skip
    return Finding(
        "coder_bias", "warning",
        f"{quoted(two.first)} and {quoted(two.second)} use the categories differently: "
        f"their distributions differ by {percent(two.marginal_difference)} of the annotations "
        f"({p_text(two.marginal_p)}).{index}{most}",
        "Compare the label distributions of the two, then the guideline for the categories that "
        "differ. Correct for it by training, not by κ / κ max, which overcorrects when coders are "
        "biased.",
        {"marginal_difference": two.marginal_difference, "p_value": two.marginal_p,
         "bias_index": two.bias.value, "kappa_max": two.kappa_max},
        ("byrt1993", "feinstein1990", "stuart1955"), f.question,
    )  # fmt: skip


@rule
def kappa_above_pi(f: Facts) -> Finding | None:
    """κ above π: the second kappa paradox."""
    gap = f.value("kappa") - f.value("pi")
    same_items = f.complete or f.n_coders == 2  # else coders differ because their items do
    if math.isnan(gap) or gap < APART or f.n_pairable < TINY or not same_items:
        return None
    return Finding(
        "kappa_above_pi", "warning",
        f"κ = {f.shown('kappa')} is {decimal(gap)} above π = {f.shown('pi')}, because the coders' "
        "distributions differ, which lowers the expected agreement of κ.",
        "Report π or α, and κ beside it, if single coders will annotate the rest: the difference "
        "between them will then be in the data.",
        {"kappa": f.value("kappa"), "pi": f.value("pi"), "alpha": f.value("alpha")},
        ("feinstein1990", "artstein2008", "krippendorff2004b"), f.question,
    )  # fmt: skip


@rule
def below_chance(f: Facts) -> Finding | None:
    """Agreement below chance."""
    alpha = f.alpha
    if not alpha.value < 0:
        return None
    far = alpha.expected - alpha.observed >= OPPOSED and alpha.high < 0
    agree = "observed agreement is" if f.label_sets else "coders agree on"
    return Finding(
        "below_chance", "problem" if far else "warning",
        f"{f.name(f.alpha_key)} = {decimal(alpha.value)} is below 0: {agree} "
        f"{percent(alpha.observed, 2)}, and {percent(alpha.expected, 2)} is expected by chance.",
        "Look for labels that were exchanged (0 for 1, a reversed scale), files in a different "
        "order, or two readings of the question: coders differ systematically."
        if far
        else "Read it as no agreement beyond chance: the two percentages are close.",
        {"alpha": alpha.value, "observed": alpha.observed, "expected": alpha.expected},
        ("krippendorff2011",), f.question,
    )  # fmt: skip


@rule
def little_room(f: Facts) -> Finding | None:
    """High expected agreement."""
    pi = f.coefficients.get("pi")
    if pi is None or math.isnan(pi.value) or pi.expected < CERTAIN or f.n_disputed == 0:
        return None
    cost = 1 / (f.n_pairable * (1 - pi.expected))
    return Finding(
        "little_room", "warning",
        f"Expected agreement is {percent(pi.expected)}, so every item on which coders differ "
        f"lowers π by about {decimal(cost)}.",
        f"Report the number of disputed items with the coefficient: {f.n_disputed:,}.",
        {"expected": pi.expected, "cost": cost, "n_disputed": f.n_disputed},
        ("feinstein1990", "artstein2008"), f.question,
    )  # fmt: skip


@rule
def alpha_small_sample(f: Facts) -> Finding | None:
    """Small-sample correction of α."""
    gap = f.value("alpha") - f.value("pi")
    if math.isnan(gap) or gap < 0.01 or f.n_pairable < TINY or not f.complete or f.weighted:
        return None
    return Finding(
        "alpha_small_sample", "note",
        f"α = {f.shown('alpha')} is {decimal(gap)} above π = {f.shown('pi')} because the sample "
        f"is small: {count_of(f.n_annotations, 'annotation')}.",
        "Name the coefficient you use: both estimate the same parameter, and α corrects the bias "
        "of a small sample.",
        {"alpha": f.value("alpha"), "pi": f.value("pi"), "n_annotations": f.n_annotations},
        ("krippendorff2004b", "artstein2008"), f.question,
    )  # fmt: skip


@rule
def threshold_open(f: Facts) -> Finding | None:
    """Undecided about a threshold."""
    found, name = f.judged, f.name(f.judged_key)
    crossed = [t for t in THRESHOLDS if found.low < t < found.high]
    if not crossed:
        return None
    return Finding(
        "threshold_open", "note",
        f"The interval of {name}, {decimal(found.low)} to {decimal(found.high)}, includes "
        f"{joined(map(decimal, crossed))}: the data do not show on which side {name} lies.",
        "Report this instead of a verdict on the estimate alone.",
        {"low": found.low, "high": found.high, "thresholds": crossed},
        ("krippendorff2004", "gwet2014"), f.question,
    )  # fmt: skip
