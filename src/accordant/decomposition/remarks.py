"""What to know about a scheme taken apart: the ranking and the data, in sentences.

And what may have been read in another way than it was meant: sets of labels in 0 and 1.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..actions import Action, Notice
from ..data.annotations import Annotations
from ..measure.coefficients import COEFFICIENTS
from ..numbers import count_of, joined
from ..scheme import Label
from .basis import Basis
from .search import Stability

__all__ = ["ORDERED", "about_data", "about_ranking", "hints"]

FEW = 30  # items of a pair of coders: fewer say little about two of them
ORDERED = ("ordinal", "interval", "ratio", "bipolar")

RANKED = {
    "beyond": "how far level 1 separates more, or less, disagreement than slips alone would",
    "first": "the lowest level 1",
    "second": "the highest level 2",
}


def about_ranking(rank: str, found: Stability | None, *, picked: bool) -> list[str]:
    """What a ranking compares, and how firm it is."""
    told = [f"ranked by {RANKED[rank]}"]
    if picked and rank != "beyond":
        told.append(
            "these are the best of many, and their intervals are not corrected for having been "
            "picked"
        )
    if found is not None:
        told.append(
            "“first” and “top ten”: how often a partition is the first, or among the ten best, "
            f"of {len(found.sides):,}, in {found.n_resamples:,} resamples of the items"
        )
    return told


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


# ------------------------------------------------------------------ sets of labels in 0 and 1

ONE_HOT = Action("", {"layout": "onehot"})


def hints(data: Annotations) -> tuple[Notice, ...]:
    """Sentences about questions that look like the labels of a set, and values that look like bits.

    Examples
    --------
    >>> from accordant import read
    >>> hints(read([["011", "000", "101"], ["010", "000", "101"]]))[0][:56]
    "Values such as '000' may be sets of labels, a 0 or 1 for"
    >>> hints(read([["a", "b"], ["a", "a"]]))
    ()
    """
    found = []
    schemes = dict(zip(data.questions, data.schemes, strict=True))
    flags = [q for q, s in schemes.items() if {str(x) for x in s.categories} == {"0", "1"}]
    if len(flags) > 1:
        found.append(Notice(
            f"The questions {joined(map(repr, flags))} are answered by 0 and 1: if these say "
            "whether a label was given, read them as one set of labels.", ONE_HOT,
        ))  # fmt: skip
    for scheme in schemes.values():
        if _in_bits(scheme.categories):
            found.append(Notice(
                f"Values such as {str(scheme.categories[0])!r} may be sets of labels, a 0 or 1 for "
                "each label: to take these apart, give every label a column of its own with 0 and "
                "1, and read them as one-hot.", ONE_HOT,
            ))  # fmt: skip
            break
    return tuple(found)


def _in_bits(categories: tuple[Label, ...]) -> bool:
    """Whether all are as many 0 and 1, and some begin with 0, as no number does."""
    texts = [str(x) for x in categories]
    return (
        len(texts) > 1
        and len({len(text) for text in texts}) == 1
        and len(texts[0]) > 1
        and not set("".join(texts)) - {"0", "1"}
        and any(text.startswith("0") for text in texts)
    )
