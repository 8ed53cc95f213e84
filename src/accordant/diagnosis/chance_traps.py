"""Findings about what chance correction does to these data: the paradoxes and the limits."""

from __future__ import annotations

import math

from ..numbers import decimal, joined, level_text
from .facts import SIGNIFICANT, Facts
from .finding import Catalogue, Told
from .words import quoted

__all__ = ["CHANCE"]

CHANCE = Catalogue()

BIASED = 0.05  # share of annotations that would have to move; our convention
APART = 0.02  # differences that show in the second digit of a report; our convention
OPPOSED = 0.1  # this much less agreement than by chance is no accident; our convention
CERTAIN = 0.9  # chance agreement that leaves a tenth of the scale; our convention
TINY = 10  # with fewer items nobody compares coefficients; our convention
THRESHOLDS = (0.667, 0.8)
MOST = 5  # categories in a sentence


@CHANCE.rule("problem", "krippendorff2011", "artstein2008")
def no_variation(f: Facts) -> Told | None:
    """No variation.

    All {f.n_annotations:,} annotations are {value:quoted}, so {none} are undefined. Observed and
    expected agreement are both 1.

    Report percent agreement and this sentence. To learn whether coders can distinguish the
    categories, include items for which another label is right.
    """
    if f.undefined is None or f.undefined.reason != "no_variation":
        return None
    only = tuple(label for label, _ in f.used) if f.label_sets else f.used[0][0]
    none = "boot-match, κ and α" if f.label_sets else "π, κ and α"
    return Told({"value": only, "n_annotations": f.n_annotations}, {"none": none})


@CHANCE.rule("problem", "krippendorff2011", "artstein2008")
def no_variation_in_pairs(f: Facts) -> Told | None:
    """No variation on shared items.

    On all {n_pairable:item} with two annotations or more everybody gave the same label, so α is
    undefined. Other labels occur only on the {n_single:item} of one coder, from which {draw} and κ
    estimate expected agreement.

    Report percent agreement and this sentence. Have a second coder annotate items for which other
    labels are right.
    """
    if f.undefined is None or f.undefined.reason != "no_variation_in_pairs":
        return None
    draw = "label draw" if f.label_sets else "π"
    return Told({"n_pairable": f.n_pairable, "n_single": f.n_single}, {"draw": draw})


@CHANCE.rule("note", "clopper1934", "hanley1983")
def perfect_agreement(f: Facts) -> Told | None:
    """Perfect agreement.

    Coders agree on all {n_pairable:item}; that does not show that they always do.

    Report the interval. There is no standard error; the lower end is the exact bound for no
    disagreement in {n_pairable:item} ({level}, two-sided). On items like these percent agreement
    could be as low as {at_least:%}, and {name} as low as {alpha_at_least:.3}.
    """
    if f.n_disputed or not f.n_pairable or f.undefined is not None:
        return None
    least = f.coefficients["percent"].low
    facts = {"n_pairable": f.n_pairable, "at_least": least, "alpha_at_least": f.alpha.low}
    return Told(facts, {"level": level_text(f.alpha.level), "name": f.name(f.alpha_key)})


@CHANCE.rule("warning", "feinstein1990", "byrt1993", "artstein2008", "hoek2017")
def prevalence(f: Facts) -> Told | None:
    """Prevalence: the first kappa paradox.

    {n:,} of {f.n_annotations:,} annotations ({top_share:%}) are {top:quoted}, so expected
    agreement is high. Observed agreement is {f.observed:%}, expected agreement {expected:%} (π):
    {corrected}. With equally frequent categories the same observed agreement would give {s:.3}
    (S{pabak}).{index}

    Report AC or S beside κ, π or α, not instead of them, and show the contingency table. The low
    value is not an error of the coefficient: these data are little evidence that coders recognise
    the rare categories.
    """
    if not f.skewed:
        return None
    top, n = f.used[0]
    index = ""
    if f.two is not None and not math.isnan(f.two.prevalence.value):
        prevails, biased = (decimal(x.value) for x in (f.two.prevalence, f.two.bias))
        index = f" Prevalence index {prevails}, bias index {biased}."
    corrected = ", ".join(
        f"{symbol} = {f.shown(key)}"
        for key, symbol in (("pi", "π"), ("kappa", "κ"), ("alpha", "α"), ("ac", "AC"))
        if not math.isnan(f.value(key))
    )
    pabak = ", here 2A_o − 1 or PABAK" if f.n_values == 2 else ""
    values = {k: f.value(k) for k in ("percent", "s", "pi", "kappa", "alpha", "ac")}
    return Told(
        {"top": top, "top_share": f.top_share, **values},
        {
            "n": n,
            "expected": f.coefficients["pi"].expected,
            "corrected": corrected,
            "pabak": pabak,
            "index": index,
        },
    )


@CHANCE.rule("warning", "hoek2017", "zhao2013")
def never_agreed(f: Facts) -> Told | None:
    """Category never agreed on.

    Coders never agreed on {shown}{more}: the diagonal of the {table} is 0 there.{rises}

    Read the items of these annotations. Until coders agree on some, there is no evidence that the
    category can be coded reliably.
    """
    given = dict(f.used)
    empty = [v for v in f.never_agreed if given[v] > 1]
    if not empty or len(f.used) < 2 or f.n_values > f.n_annotated:
        return None
    rises = "does not show this: it rises as such categories get rarer."
    return Told(
        {"categories": empty, "ac": f.value("ac"), "pi": f.value("pi")},
        {
            "shown": ", ".join(f"{quoted(v)} (given {given[v]:,} times)" for v in empty[:MOST]),
            "more": f" and {len(empty) - MOST:,} more" if len(empty) > MOST else "",
            "table": "table of labels" if f.label_sets else "contingency table",
            "rises": f" AC = {f.shown('ac')} {rises}" if f.skewed else "",
        },
    )


@CHANCE.rule("warning", "byrt1993", "feinstein1990", "stuart1955")
def coder_bias(f: Facts) -> Told | None:
    """Different category frequencies of two coders.

    {f.two.first:quoted} and {f.two.second:quoted} use the categories differently: their
    distributions differ by {marginal_difference:%} of the annotations ({p_value:p}).{index}{most}

    Compare the label distributions of the two, then the guideline for the categories that differ.
    Correct for it by training, not by κ / κ max, which overcorrects when coders are biased.
    """
    two = f.two
    if two is None or not two.marginal_p < SIGNIFICANT or two.marginal_difference < BIASED:
        return None
    bias = two.bias.value
    index = "" if math.isnan(bias) else f" The bias index is {decimal(bias)}."
    # of unweighted kappa: beside a weighted one it would mislead
    most = "" if f.weighted else f" With these margins κ can be {decimal(two.kappa_max)} at most."
    facts = {"marginal_difference": two.marginal_difference, "p_value": two.marginal_p}
    return Told(
        facts | {"bias_index": bias, "kappa_max": two.kappa_max}, {"index": index, "most": most}
    )


@CHANCE.rule("warning", "feinstein1990", "artstein2008", "krippendorff2004b")
def kappa_above_pi(f: Facts) -> Told | None:
    """κ above π: the second kappa paradox.

    κ = {kappa:.3} is {gap:.3} above π = {pi:.3}, because the coders' distributions differ, which
    lowers the expected agreement of κ.

    Report π or α, and κ beside it, if single coders will annotate the rest: the difference between
    them will then be in the data.
    """
    gap = f.value("kappa") - f.value("pi")
    same_items = f.complete or f.n_coders == 2  # else coders differ because their items do
    if math.isnan(gap) or gap < APART or f.n_pairable < TINY or not same_items:
        return None
    return Told({key: f.value(key) for key in ("kappa", "pi", "alpha")}, {"gap": gap})


@CHANCE.rule("warning", "krippendorff2011")
def below_chance(f: Facts) -> Told | None:
    """Agreement below chance.

    {name} = {alpha:.3} is below 0: {agree} {observed:%2}, and {expected:%2} is expected by chance.

    {advice}
    """
    alpha = f.alpha
    if not alpha.value < 0:
        return None
    far = alpha.expected - alpha.observed >= OPPOSED and alpha.high < 0
    advice = (
        "Look for labels that were exchanged (0 for 1, a reversed scale), files in a different "
        "order, or two readings of the question: coders differ systematically."
        if far
        else "Read it as no agreement beyond chance: the two percentages are close."
    )
    agree = "observed agreement is" if f.label_sets else "coders agree on"
    return Told(
        {"alpha": alpha.value, "observed": alpha.observed, "expected": alpha.expected},
        {"name": f.name(f.alpha_key), "agree": agree, "advice": advice},
        "problem" if far else "warning",
    )


@CHANCE.rule("warning", "feinstein1990", "artstein2008")
def little_room(f: Facts) -> Told | None:
    """High expected agreement.

    Expected agreement is {expected:%}, so every item on which coders differ lowers π by about
    {cost:.3}.

    Report the number of disputed items with the coefficient: {n_disputed:,}.
    """
    pi = f.coefficients.get("pi")
    if pi is None or math.isnan(pi.value) or pi.expected < CERTAIN or f.n_disputed == 0:
        return None
    cost = 1 / (f.n_pairable * (1 - pi.expected))
    return Told({"expected": pi.expected, "cost": cost, "n_disputed": f.n_disputed})


@CHANCE.rule("note", "krippendorff2004b", "artstein2008")
def alpha_small_sample(f: Facts) -> Told | None:
    """Small-sample correction of α.

    α = {alpha:.3} is {gap:.3} above π = {pi:.3} because the sample is small:
    {n_annotations:annotation}.

    Name the coefficient you use: both estimate the same parameter, and α corrects the bias of a
    small sample.
    """
    alpha, pi = f.value("alpha"), f.value("pi")
    gap = alpha - pi
    if math.isnan(gap) or gap < 0.01 or f.n_pairable < TINY or not f.complete or f.weighted:
        return None
    return Told({"alpha": alpha, "pi": pi, "n_annotations": f.n_annotations}, {"gap": gap})


@CHANCE.rule("note", "krippendorff2004", "gwet2014")
def threshold_open(f: Facts) -> Told | None:
    """Undecided about a threshold.

    The interval of {name}, {low:.3} to {high:.3}, includes {crossed}: the data do not show on
    which side {name} lies.

    Report this instead of a verdict on the estimate alone.
    """
    found = f.judged
    crossed = [t for t in THRESHOLDS if found.low < t < found.high]
    if not crossed:
        return None
    words = {"name": f.name(f.judged_key), "crossed": joined(map(decimal, crossed))}
    return Told({"low": found.low, "high": found.high, "thresholds": crossed}, words)
