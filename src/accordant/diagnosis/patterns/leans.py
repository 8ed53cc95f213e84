"""A coder who gives a category more or less often, though agreement is not clearly lower for it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ...numbers import count_of, percent
from ...scheme import Value
from ..apart import all_disagreement
from ..coders import LabelUse, Leaning
from ..finding import Contrast, Evidence, Finding
from ..view import View
from ..words import quoted
from .coders import ORDERED, coders_apart, with_label
from .one_way import ONE_SIDED, one_ways
from .pattern import LEVEL, pattern, stake_of
from .telling import MOST_LINES, severity_of

__all__ = ["coder_leans"]

MOST_TOLD = 3
LEANS = 0.1  # a difference in the use of a category worth a look; our convention
INSTEAD = 1 / 3  # of that difference is in another category: worth a word; our convention


@dataclass(frozen=True)
class _Instead:
    """What a coder gives instead, or instead of what, and how often the others do."""

    value: Value
    own: float
    others: float


@pattern
def coder_leans(view: View) -> Iterator[Finding]:
    """Coder who gives a category more often, or less often.

    One of several coders does so on the same items, though agreement is not clearly lower for it.
    Told only where no single confusion, no shift of the scale and no finding about the coder says
    it more precisely.
    """
    counts = view.counts
    if counts.coder is None or counts.n_coders < 3 or counts.n_questions > 1:
        return
    if view.scheme.scale in ORDERED:
        return
    rest = _rest(view)
    use = rest.coders.labels if rest.counts.n_coders >= 3 else None
    if use is None or view.standing.camps is not None:
        return
    told = {
        x.coder for x in one_ways(rest) if x.p_value < LEVEL and x.n >= ONE_SIDED * x.back
    }  # fmt: skip
    strong = [
        x for x in use.leanings(1 - LEVEL) if abs(x.own - x.others) >= LEANS and x.coder not in told
    ]
    n = dict(zip(use.coders, use.n_shared.tolist(), strict=True))
    strong.sort(key=lambda x: -abs(x.own - x.others) * n[x.coder])
    if strong:
        yield _finding(rest, use, strong, n)


def _rest(view: View) -> View:
    names = set(coders_apart(view))
    return view.of_coders([c for c in view.counts.coders if c not in names]) if names else view


def _instead(use: LabelUse, x: Leaning) -> _Instead | None:
    """The category that moves most in the other direction, if it makes up a good part of it."""
    c, bias = use.coders.index(x.coder), x.own - x.others
    each = -np.sign(bias) * np.nan_to_num(use.bias[c])
    k = int(each.argmax())
    if each[k] < INSTEAD * abs(bias):
        return None
    others = float(use.others[c, k])
    return _Instead(use.values[k], others + float(use.bias[c, k]), others)


def _told(use: LabelUse, x: Leaning) -> str:
    found = _instead(use, x)
    told = (
        f"{quoted(x.coder)} gives {quoted(x.value)} to {percent(x.own)}, the others to "
        f"{percent(x.others)}"
    )
    if found is None:
        return told
    word = "instead" if x.own < x.others else "in its place"
    return (
        f"{told} ({word}, {quoted(found.value)} to {percent(found.own)}, the others to "
        f"{percent(found.others)})"
    )


def _finding(view: View, use: LabelUse, strong: list[Leaning], n: dict[str, float]) -> Finding:
    shown = "; ".join(_told(use, x) for x in strong[:MOST_TOLD])
    more = len(strong) - MOST_TOLD
    rest = f"; and {count_of(more, 'more coder')}" if more > 0 else ""
    first, seldom = strong[0], strong[0].own < strong[0].others
    whole = all_disagreement(view.counts, view.w)
    excess = sum(2 * abs(x.own - x.others) * n[x.coder] for x in strong)
    stake = stake_of(view, min(1.0, excess / whole) if whole else 0.0)
    instead = _instead(use, first)
    return Finding(
        "coder_leans", severity_of(stake),
        f"On the same items, {shown}{rest}.",
        "Read a few of these items with the coder. Where the guideline leaves it open, both may be "
        "right; where it does not, train the coder.",
        {
            "coder": first.coder, "value": first.value, "how": "leans",
            "instead": None if instead is None else instead.value,
            "leanings": [(x.coder, x.value, x.own, x.others) for x in strong],
        },
        ("artstein2008",), view.question, stake, "coder",
        Evidence(
            tuple(
                Contrast(
                    f"{quoted(x.coder)}: {quoted(x.value)}", int(n[x.coder]), x.own, x.others
                )
                for x in strong[:MOST_LINES]
            ),
            "coder and category", "items with others", "given by the coder", "given by the others",
            with_label(view.counts, first.coder, first.value, seldom=seldom),
        ),
        title=f"{quoted(first.coder)} {'avoids' if seldom else 'prefers'} {quoted(first.value)}",
    )  # fmt: skip
