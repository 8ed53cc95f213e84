"""What to know about a scheme taken apart: the ranking, the search, and the data, in sentences."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ..actions import Action, Notice
from ..data.annotations import Annotations
from ..measure.coefficients import COEFFICIENTS
from ..numbers import count_of, decimal, joined
from .basis import Basis
from .stability import Stability
from .unpatterned import ByChance

__all__ = [
    "ABOUT_ORDER", "ORDERED", "about_data", "about_firmness", "about_gain", "about_picked",
    "about_rank",
]  # fmt: skip

FEW = 30  # items of a pair of coders: fewer say little about two of them
ORDERED = ("ordinal", "interval", "ratio", "bipolar")

RANKED = {
    "beyond_slips": "the share of the disagreement that level 1 explains, less the share that it "
    "would if coders slipped in each label independently of the others",
    "excess": "the share of the disagreement that level 1 explains, less the share that draws by "
    "chance would put there",
    "gain": "level 2, less what it would be if coders slipped in each label independently of the "
    "others",
    "explained": "the share of the disagreement that level 1 explains",
    "first": "the lowest level 1",
    "second": "the highest level 2",
    "lift": "the share of the disagreement that level 1 explains, over the share by chance",
    "information": "the share of the uncertainty between coders that is about level 1",
}


def about_rank(rank: str) -> str:
    """What a ranking compares."""
    return f"ranked by {RANKED[rank]}"


def about_picked(by_chance: ByChance | None) -> list[str]:
    """Intervals do not know that the rows were chosen."""
    told = [
        "these are the best of many, and their intervals are not corrected for having been picked"
    ]
    return told if by_chance is None else [*told, str(by_chance)]


def about_firmness(found: Stability | None, *, searched_here: bool) -> str:
    """How often a partition is first, or why nobody says so.

    ``searched_here`` says whether some of what competes was found in these very data.
    """
    if found is not None:
        return (
            "“first” and “top ten”: how often a partition is the first, or among the ten best, "
            f"of {found.n_compared:,}, in {found.n_resamples:,} resamples of the items"
        )
    why = "the search takes too long to be repeated on resamples"
    if searched_here:
        why = "some of these were found in these very data, where no others were looked for"
    return f"how firm the ranking is, is not known: {why}"


def about_gain(low: float, high: float) -> str:
    """How far gain moves by chance: by the ends of an interval."""
    if math.isnan(low):
        return "how far gain moves by chance is not known here"
    half = decimal((high - low) / 2)
    return f"gain moves by {half} either way when the items are drawn anew"


ABOUT_ORDER = (
    "the values have an order: flip_baseline is the share of all slips by one step, weighted by "
    "how often values are given, that a partition separates; excess compares with draws by chance, "
    "which know no order"
)


# ------------------------------------------------------------------ the data


def about_data(data: Annotations, bases: Sequence[Basis], asked: str) -> tuple[str, ...]:
    """What to know about the data, before anything is taken apart.

    Parameters
    ----------
    asked : str
        The key of the coefficient that was asked for.
    """
    told = []
    if any(basis.cells.states.is_pooled for basis in bases):
        told.append(_pooled(data, asked))
    several = len(bases) > 1
    for basis in bases:
        of = f"{basis.question}: " if several else ""
        told += [Notice.behind(of, x) for x in _pairs(basis)]
    told += _scales(bases)
    return tuple(told)


def _pooled(data: Annotations, asked: str) -> str:
    why = "coders are not known" if data.anonymous else "there are many pairs of coders"
    told = (
        f"{why}, so all pairs of annotations of an item are counted in one table, where an item "
        "with m annotations has the weight of m: shares are shares of pairs of annotations"
    )
    if asked in ("kappa", "light"):
        told += (
            "; chance is drawn from the distribution that all share, so the coefficient is π, not κ"
        )
    return told


def _pairs(basis: Basis) -> list[str]:
    """That many pairs of coders share few items."""
    states = basis.cells.states
    if states.is_pooled or len(states.pairs) < 2 or basis.together is not None:
        return []
    middle = float(np.median(states.n))
    if middle >= FEW:
        return []
    values = basis.total.level.values
    n_lost = int(np.isnan(values).sum())
    symbol = COEFFICIENTS[basis.form.key].symbol
    sizes = f"from {states.n.min():.0f} to {states.n.max():.0f}, median {middle:g}"
    of = f"{values.size:,} cases of a label and a pair" if basis.labels else "them"
    lost = f"; {symbol} is undefined in {n_lost:,} of {of}" if n_lost else ""
    return [
        Notice(
            f"The {count_of(len(states.pairs), 'pair')} of coders share few items each ({sizes})"
            f"{lost}. A mean gives each pair the same weight; one coefficient can cover all.",
            Action("", {"over": "all", "by": ...}),
        )
    ]


def _scales(bases: Sequence[Basis]) -> list[str]:
    schemes = [basis.data.schemes[0] for basis in bases]
    ordered = [s.scale for s in schemes if s.scale != "nominal"]
    told = []
    if ordered:
        scale = joined(dict.fromkeys(ordered))
        told.append(
            f"The scale is {scale}, but values are compared unweighted (identity): a partition has "
            "no distances."
        )
    numbers = [
        basis.question
        for basis, s in zip(bases, schemes, strict=True)
        if s.scale == "nominal" and not basis.labels and len(basis.values) > 2 and s.numbers
    ]
    if numbers:
        of = "" if len(bases) == 1 else f" of {joined(map(str, numbers))}"
        ordinal = Action("", {"scale": "ordinal"}, "if they have an order")
        told.append(
            Notice(
                f"The values{of} are numbers treated as nominal: neighbouring values differ as "
                "much as any two. For values with an order the cut points 1|2–5, 1–2|3–5 and so "
                "on are compared.",
                ordinal,
            )
        )
    return told
