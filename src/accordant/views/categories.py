"""Categories: agreement on each, how coders use them, and what their frequencies do to κ."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from ..diagnosis.diagnose import Part
from ..diagnosis.words import label_text, quoted
from ..measure.results import Agreement
from ..numbers import count_of, decimal, joined, tied
from .blocks import Block, Prose, Table, renamed
from .names import UNKNOWN, measurements, name_of, undefined_notes
from .view import view

__all__ = ["categories", "label_use", "margins", "prevalence"]

MOST_DRAWN = 25
SURE = 0.05  # p-value of a direction that a title names
RAISES = 0.0005  # points of α; less is 0.000
TESTS = ("stuart_maxwell", "bhapkar", "bowker")


# ------------------------------------------------------------------ each against the rest


@view("categories", of="diagnose", title="Agreement by category", chapter="categories", place=210)
def categories(part: Part) -> Iterator[Block]:
    """Each category against all others."""
    found = part.categories
    if part.continuous or not found.rows:
        yield Prose(measurements(part) if part.continuous else "No category was given.")
        return
    yield Table.of(
        "category* n_annotations* n_items n_disputed* specific* specific_interval* negative "
        "alpha* kappa ac",
        (*found.to_rows(), *_mean_over_labels(part)),
        _category_notes(part),
        title=_least(part),
    )


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
    low = min(known, key=lambda r: tied(r.specific.value))
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
    yield from undefined_notes((f"α of {label_text(r.category)}", r.alpha) for r in found.rows)
    if found.unused:
        yield f"Never given: {joined(map(label_text, found.unused))}."
    if found.left_out:
        yield f"{count_of(found.left_out, 'rarer category', 'rarer categories')} not shown."


# ------------------------------------------------------------------ use by two coders


@view(
    "label-use",
    of="diagnose",
    title="Use of labels by pairs of coders",
    chapter="categories",
    place=250,
)
def label_use(part: Part) -> Iterator[Block]:
    """How often two coders give each label to the items of both."""
    rows = [
        {"first": m.first, "second": m.second, "n_items": m.n_items}
        | renamed(c.to_rows()[0], first="n_first", second="n_second")
        for m in part.margins
        for c in m.categories
    ]
    if not rows:
        yield Prose(
            UNKNOWN
            if part.counts.coder is None
            else "No two coders annotated the same item, or there are too many values."
        )
        return
    yield Table.of(
        "first* second* category* n_first* n_second* only_first only_second p_value*",
        rows,
        ("p: exact test of McNemar, not corrected for the number of labels.",),
        by="p_value",
    )


# ------------------------------------------------------------------ what distributions do to κ


@view(
    "margins",
    of="diagnose",
    title="Distributions of two coders and κ",
    chapter="categories",
    place=260,
)
def margins(part: Part) -> Iterator[Block]:
    """Largest possible κ, PABAK, prevalence and bias; tests of equal distributions."""
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
    two = any(not math.isnan(row["bias"]) for row in rows)
    notes = (
        "κ max: the largest κ that coders with these distributions could reach (Cohen 1960). "
        "PABAK: κ if all labels were equally frequent, (K A_o − 1) / (K − 1) (Byrt et al. 1993). "
        "Difference: share of one coder's labels that would have to change for equal "
        "distributions, tested by Stuart (1955) and Maxwell (1970).",
        "Prevalence and bias index: from −1 to 1, 0 if balanced (Byrt et al. 1993)." if two else "",
    )
    yield Table.of(
        "first* second* n_items kappa* kappa_max* kappa_ratio pabak* marginal_difference* "
        f"stuart_maxwell_p {'prevalence bias' if two else 'bowker_p'}",
        rows,
        notes,
        by="-marginal_difference",
    )


@view("prevalence", of="diagnose", title="Prevalence and bias", chapter="categories", place=270)
def prevalence(part: Part) -> Iterator[Block]:
    """How far prevalence and bias move each coefficient."""
    found = None if part.continuous else part.movements
    if found is None or found.n_categories < 2:
        yield Prose("Only defined for single labels of two categories or more.")
        return
    n = part.counts.n_coders
    rows = [
        {
            "name": name_of(r.coefficient, n_coders=n, weights=part.w.name),
            "s": found["s"].value,
            **r.to_rows()[0],
        }
        for r in found.rows
    ]
    notes = (
        found.sentence,
        "S: all categories are equally frequent by chance. π adds how frequent they are, κ also "
        "how coders differ in it (Feinstein & Cicchetti 1990). AC1 differs from S by prevalence "
        "too, in the other direction.",
    )
    keys = "name* s* by_prevalence* by_bias by_sample value* expected"
    yield Table.of(keys, rows, notes)
