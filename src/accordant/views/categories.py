"""Categories: agreement on each, and what the distributions of two coders do to κ."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from ..diagnosis.diagnose import Part
from ..diagnosis.words import label_text, quoted
from ..measure.results import Agreement
from ..numbers import count_of, decimal, joined, tied
from .blocks import Block, Prose, Table
from .names import measurements, undefined_notes
from .view import view

__all__ = ["categories", "margins"]


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
    yield (
        "Specific agreement: probability that another coder gives a category that one gave. α, "
        "κ and AC1: the category against all others."
    )
    yield from undefined_notes((f"α of {label_text(r.category)}", r.alpha) for r in found.rows)
    if found.unused:
        yield f"Never given: {joined(map(label_text, found.unused))}."
    if found.left_out:
        yield f"{count_of(found.left_out, 'rarer category', 'rarer categories')} not shown."


@view(
    "margins",
    of="diagnose",
    title="Distributions of two coders and κ",
    chapter="categories",
    place=260,
)
def margins(part: Part) -> Iterator[Block]:
    """Largest possible κ, PABAK, prevalence and bias; a test of equal distributions."""
    rows = [
        row | {"stuart_maxwell_p": row["marginal_p"]}
        for each in part.indices
        for row in each.to_rows()
        if not math.isnan(each.marginal_difference)
    ]
    if part.continuous or not rows:
        yield Prose("Only for single labels of two known coders.")
        return
    yield Table.of(
        "first* second* n_items kappa* kappa_max* kappa_ratio pabak* marginal_difference* "
        "stuart_maxwell_p prevalence bias",
        rows,
        (
            "κ max: the largest κ with these distributions (Cohen 1960). PABAK: κ if all labels "
            "were equally frequent, (K A_o − 1) / (K − 1); prevalence and bias index of two "
            "categories: −1 to 1, 0 if balanced (Byrt et al. 1993).",
            "Difference: share of one coder's labels that would have to change for equal "
            "distributions, tested by Stuart (1955) and Maxwell (1970).",
        ),
        by="-marginal_difference",
    )
