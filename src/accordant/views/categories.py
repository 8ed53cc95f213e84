"""Categories: agreement on each, how coders use them, and what their frequencies do to κ."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import islice
from typing import Any

from ..diagnosis.categories import CategoryAgreement
from ..diagnosis.diagnose import Part
from ..diagnosis.directions import Direction
from ..diagnosis.estimate import Estimate
from ..diagnosis.merging import Merge
from ..diagnosis.words import isolated, label_text, quoted
from ..fields import columns
from ..measure.results import Agreement
from ..numbers import NOTHING, count_of, decimal, joined, p_text, percent
from .blocks import Block, Chart, Prose, Table
from .charts import beside, intervals
from .names import measurements, name_of
from .view import view

__all__ = [
    "categories", "directions", "label_use", "margins", "merging",
    "prevalence",
]  # fmt: skip

MOST_DRAWN = 25
SURE = 0.05  # p-value of a direction that a title names
RAISES = 0.0005  # points of α; less is 0.000
TESTS = ("stuart_maxwell", "bhapkar", "bowker")
BY_CATEGORY = (
    "category n_annotations n_items n_disputed specific specific_interval negative alpha kappa ac"
)
MARGINS = (
    "first second n_items kappa kappa_max kappa_ratio pabak marginal_difference stuart_maxwell_p"
)
MERGING = (
    "first_category second_category alpha_before alpha_after alpha_change share_lost n_given_up "
    "percent_after n_categories"
)


# ------------------------------------------------------------------ each against the rest


@view(
    "categories", of="diagnose", title="Agreement by category", chapter="categories", place=210,
    help="each category against all others",
)  # fmt: skip
def categories(part: Part) -> Iterator[Block]:
    """Specific agreement and coefficients of each category, in the order of the scheme."""
    found = part.categories
    if part.continuous or not found.rows:
        yield Prose(measurements(part) if part.continuous else "No category was given.")
        return
    rows = (*found.to_rows(), *_mean_over_labels(part))
    keep = ("category", "specific", "specific_interval", "n_annotations", "n_disputed", "alpha")
    table = Table("", columns(BY_CATEGORY), rows, tuple(_category_notes(part)), keep=keep)
    drawn = [
        {"name": label_text(r.category), "value": r.specific.value, "low": r.specific.low,
         "high": r.specific.high}
        for r in found.rows[:MOST_DRAWN]
    ]  # fmt: skip
    yield Chart(_least(part), intervals(drawn, title="specific agreement"), table)


def _mean_over_labels(part: Part) -> Iterator[dict[str, Any]]:
    """The last row of label sets: the means that are among the coefficients."""
    known = part.facts.coefficients if part.counts.of_sets else {}
    means = {key: known.get(f"label_{key}") for key in ("kappa", "alpha")}
    if any(means.values()):
        yield {"category": "mean over labels", "apart": True} | {
            key: row.value if isinstance(row, Agreement) else math.nan for key, row in means.items()
        }


def _least(part: Part) -> str:
    known = [r for r in part.categories.rows if not math.isnan(r.specific.value)]
    if not known:
        return "Specific agreement is undefined: no category was given to an item of two coders"
    low = min(known, key=lambda r: r.specific.value)
    return (
        f"Specific agreement is lowest for {quoted(low.category)}: {decimal(low.specific.value)}, "
        f"disputed on {low.n_disputed:,} of {low.n_items:,} items"
    )


def _category_notes(part: Part) -> Iterator[str]:
    found = part.categories
    what = "label, alone or with others" if part.counts.of_sets else "category"
    yield (
        f"Specific agreement: if one coder gives the {what}, the probability that another coder "
        "gives it too. α, κ and AC1: the category against all others."
    )
    yield from _undefined(found.rows)
    if found.unused:
        yield f"Never given: {joined(map(label_text, found.unused))}."
    if found.left_out:
        yield f"{count_of(found.left_out, 'rarer category', 'rarer categories')} not shown."


def _undefined(rows: tuple[CategoryAgreement, ...]) -> Iterator[str]:
    names: dict[str, list[str]] = {}
    for r in rows:
        estimate: Estimate = r.alpha
        if estimate.undefined:
            names.setdefault(str(estimate.undefined), []).append(label_text(r.category))
    yield from (f"{NOTHING} For {joined(found)}: {why}." for why, found in names.items())


# ------------------------------------------------------------------ use by two coders


@view(
    "label-use", of="diagnose", title="Use of labels by pairs of coders", chapter="categories",
    place=250, help="how often two coders give each label to the items of both",
)  # fmt: skip
def label_use(part: Part) -> Iterator[Block]:
    """Each label of each pair of coders, the clearest difference first."""
    rows: list[dict[str, Any]] = [
        {"first": m.first, "second": m.second, "n_items": m.n_items,
         "category": c.category, "n_first": c.first, "n_second": c.second,
         "only_first": c.only_first, "only_second": c.only_second, "p_value": c.p_value,
         "mid_p": c.mid_p}
        for m in part.margins
        for c in m.categories
    ]  # fmt: skip
    rows.sort(key=lambda row: _last_if_undefined(row["p_value"]))
    if not rows:
        yield Prose(_who(part))
        return
    keys = "first second category n_first n_second only_first only_second p_value"
    notes = ("p: exact test of McNemar, not corrected for the number of labels.",)
    keep = ("category", "first", "second", "n_first", "n_second", "p_value")
    yield Table("", columns(keys), tuple(rows), notes, keep=keep)


def _last_if_undefined(x: float) -> float:
    return math.inf if math.isnan(x) else x


def _who(part: Part) -> str:
    if part.counts.coder is None:
        return "The data do not say who gave which label."
    return "No two coders annotated the same item, or there are too many values."


# ------------------------------------------------------------------ directions


@view(
    "directions", of="diagnose", title="Direction of differences", chapter="confusion", place=220,
    help="which of two coders gives the higher value",
)  # fmt: skip
def directions(part: Part) -> Iterator[Block]:
    """Pairs of coders whose values have an order, the clearest direction first."""
    each = sorted((d for d in part.directions if d.n), key=lambda d: d.by_item)
    if not each:
        yield Prose(_undirected(part))
        return
    several = part.counts.n_questions > 1
    keys = "first second n_items n_differences n_first_higher n_second_higher share_one_way p_value"
    notes = [_higher(each[0]), "p: exact sign test; both ways are equally likely by chance."]
    if several:
        notes.append(
            "Answers to several questions about an item depend on each other. “p by item” counts "
            "each item once, by where most of its differences go."
        )
    rows = tuple(map(_direction, each))
    drawn = [{"name": f"{d.first} – {d.second}", "share": d.up / d.n, "other": 0.5} for d in each]
    table = Table(
        "", columns(f"{keys} p_by_item" if several else keys), rows, tuple(notes),
        keep=("first", "second", "n_differences", "n_second_higher", "n_first_higher", "p_value"),
    )  # fmt: skip
    what = "differences in which the second coder's value is higher (dot); half of them (tick)"
    yield Chart(_clearest(each), beside(drawn[:MOST_DRAWN], title=what), table)


def _undirected(part: Part) -> str:
    if part.directions:
        return "No two coders gave different values to the same item."
    return "No value is higher than another, or it is not known who gave which label."


def _direction(d: Direction) -> dict[str, Any]:
    return {
        "first": d.first, "second": d.second, "lower_category": d.low, "higher_category": d.high,
        "n_items": d.n_items, "n_differences": d.n, "n_first_higher": d.down,
        "n_second_higher": d.up, "share_one_way": d.share, "p_value": d.p_value,
        "p_by_item": d.by_item,
    }  # fmt: skip


def _higher(d: Direction) -> str:
    if d.high is None:
        return "Higher: in the order of the scale."
    return f"Higher: {quoted(d.high)} where the other coder gave {quoted(d.low)}."


def _clearest(each: list[Direction]) -> str:
    d = each[0]
    if not d.by_item * len(each) < SURE:
        return "Differences go both ways about equally often"
    high, low = map(isolated, (d.second, d.first) if d.up >= d.down else (d.first, d.second))
    told = f"In {d.most:,} of {count_of(d.n, 'difference')} ({percent(d.share)})"
    if d.high is not None:
        return (
            f"{told} {high} gave {quoted(d.high)} where {low} gave {quoted(d.low)}, "
            f"{p_text(d.by_item)}"
        )
    return f"{told} between {low} and {high} the value of {high} is higher, {p_text(d.by_item)}"


# ------------------------------------------------------------------ what distributions do to κ


@view(
    "margins", of="diagnose", title="Distributions of two coders and κ", chapter="categories",
    place=260, help="largest possible κ, PABAK, prevalence and bias; tests of equal distributions",
)  # fmt: skip
def margins(part: Part) -> Iterator[Block]:
    """Each pair of coders, the largest difference of their distributions first."""
    tests = {(m.first, m.second): m for m in part.margins}
    rows = [
        each.to_rows()[0]
        | {f"{name}_p": getattr(tests[each.first, each.second], name).p_value for name in TESTS}
        for each in part.indices
        if not math.isnan(each.marginal_difference)
    ]
    if part.continuous or not rows:
        yield Prose("Only defined for single labels of two known coders.")
        return
    rows.sort(key=lambda row: -row["marginal_difference"])
    two = any(not math.isnan(row["bias"]) for row in rows)
    keys = f"{MARGINS} prevalence bias" if two else f"{MARGINS} bowker_p"
    keep = ("first", "second", "kappa", "kappa_max", "pabak", "marginal_difference")
    notes = (
        "κ max: the largest κ that coders with these distributions could reach (Cohen 1960). "
        "PABAK: κ if all labels were equally frequent, (K A_o − 1) / (K − 1) (Byrt et al. 1993). "
        "Difference: share of one coder's labels that would have to change for equal "
        "distributions, tested by Stuart (1955) and Maxwell (1970).",
        *(["Prevalence and bias index: from −1 to 1, 0 if balanced (Byrt et al. 1993)."]
          if two else []),
    )  # fmt: skip
    yield Table("", columns(keys), tuple(rows), notes, keep=keep)


@view(
    "prevalence", of="diagnose", title="Prevalence and bias", chapter="categories", place=270,
    help="how far prevalence and bias move each coefficient",
)  # fmt: skip
def prevalence(part: Part) -> Iterator[Block]:
    """Every coefficient as S and what prevalence, bias and a small sample add to it."""
    found = None if part.continuous else part.movements
    if found is None or found.n_categories < 2:
        yield Prose("Only defined for single labels of two categories or more.")
        return
    n = part.counts.n_coders
    rows = tuple(
        {"name": name_of(r.coefficient, n_coders=n, weights=part.w.name), "s": found["s"].value,
         **r.to_rows()[0]}
        for r in found.rows
    )  # fmt: skip
    notes = (
        found.sentence,
        "S: all categories are equally frequent by chance. π adds how frequent they are, κ also "
        "how coders differ in it (Feinstein & Cicchetti 1990). AC1 differs from S by prevalence "
        "too, in the other direction.",
    )
    keys = "name s by_prevalence by_bias by_sample value expected"
    yield Table("", columns(keys), rows, notes, keep=("name", "value", "s", "by_prevalence"))


# ------------------------------------------------------------------ merging


@view(
    "merging", of="diagnose", title="Merging two categories", chapter="categories", place=280,
    help="projected α if two categories were one, and the information lost",
)  # fmt: skip
def merging(part: Part) -> Iterator[Block]:
    """Pairs of categories by the projected α, each with its cost."""
    found = part.merging
    if not found.merges:
        yield Prose(f"{(found.reason or 'No two categories are confused').rstrip('.')}.")
        return
    keys = f"{MERGING} percent_expected" if found.expects else MERGING
    keep = ("first_category", "second_category", "alpha_change", "share_lost", "alpha_after")
    table = Table(
        _worth(found.merges[0]), columns(keys), tuple(map(_merge, found.merges)),
        tuple(_costs(part)), keep=keep, most=10,
    )  # fmt: skip
    yield table


def _merge(m: Merge) -> dict[str, Any]:
    row = m.to_rows()[0]
    moved = {"first": "first_category", "second": "second_category", "before": "alpha_before",
             "after": "alpha_after", "gain": "alpha_change"}  # fmt: skip
    return {moved.get(key, key): x for key, x in row.items()}


def _worth(best: Merge) -> str:
    pair = f"{quoted(best.first)} and {quoted(best.second)}"
    if not best.gain >= RAISES:
        return "Merging no two categories would raise α"
    return (
        f"Merging {pair}: projected α {decimal(best.after)} instead of {decimal(best.before)}, "
        f"{percent(best.share_lost)} of the information lost"
    )


def _costs(part: Part) -> Iterator[str]:
    found = part.merging
    yield (
        "Information lost: share of the entropy of the labels. Agreements given up: pairs of "
        "annotations that agree on one of the two categories and could no longer be told from "
        "those that agree on the other. Merge only what nobody needs to tell apart."
    )
    if found.expects:
        yield (
            "A_o, random merging: observed agreement if the two were confused only as often "
            "as chance has it."
        )
    yield from islice(found.no_ways_out, 3)
    if found.reason:
        yield f"{found.reason.rstrip('.')}."
