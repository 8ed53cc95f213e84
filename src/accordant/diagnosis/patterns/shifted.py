"""On an ordered scale one coder's values are higher: the whole scale is shifted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...numbers import count_of, p_text, percent
from ..exact_tests import binomial_test
from ..finding import Contrast, Evidence, Finding
from ..view import View
from ..words import quoted
from .pattern import LEVEL, pattern, stake_of
from .telling import MOST_LINES, items_of, severity_of

__all__ = ["shifted"]

FEWEST = 6  # items; with fewer a sign test cannot reach .05
ONE_SIDED = 2  # times as often higher as lower; our convention
MOST_TOLD = 3  # coders
ORDERED = frozenset({"ordinal", "interval", "ratio", "bipolar"})


@pattern
def shifted(view: View) -> Iterator[Finding]:
    """Shifted scale.

    An item counts once for each coder: as higher or lower than the others, or between them by
    the share of those above and below. If coders were alike, both would be equally likely: the
    exact sign test, corrected for the number of coders. The clearest is taken out before the next
    is looked for: beside one who is high all the others are low. With two categories `one_way`
    says the same.
    """
    for _ in range(MOST_TOLD):
        found = _clearest(view)
        if found is None:
            return
        yield found
        rest = [coder for coder in view.counts.coders if coder != found.evidence["coder"]]
        if len(rest) < 2:
            return
        view = view.of_coders(rest)


def _clearest(view: View) -> Finding | None:
    """The coder whose values lie most clearly to one side of the others."""
    counts, met = view.counts, view.met
    scale = view.scheme.scale
    if counts.coder is None or met is None or counts.of_sets or scale not in ORDERED:
        return None
    if len(np.unique(counts.value)) < 3:
        return None
    row, times = counts.row[met.entry], counts.times[counts.row[met.entry]]
    up = np.sign(counts.value[met.entry] - met.other)
    size = (counts.size[row] - 1).astype(float)
    score = np.bincount(met.entry, weights=up * met.other_n / size, minlength=len(counts.value))
    coder, moved = counts.coder, np.abs(score) > 1e-12
    of = _by(coder, counts.times[counts.row] * moved, counts.n_coders)
    net = _by(coder, counts.times[counts.row] * score, counts.n_coders)
    pairs = times * met.other_n
    higher = _by(coder[met.entry], pairs * (up > 0), counts.n_coders)
    lower = _by(coder[met.entry], pairs * (up < 0), counts.n_coders)
    distance = 1 - np.asarray(view.metric.at(counts.value[met.entry], met.other), float)
    signed = _by(coder[met.entry], pairs * up * distance, counts.n_coders)
    whole = float((pairs * distance).sum()) / 2  # every pair stands there from both sides
    two = counts.n_coders == 2
    told: list[tuple[float, int, float]] = []
    for c in [0] if two else range(counts.n_coders):
        side = np.floor((of[c] + abs(net[c])) / 2 + 1e-9)
        p = binomial_test(side, np.ceil(of[c]), 0.5) * (1 if two else counts.n_coders)
        n, back = max(higher[c], lower[c]), min(higher[c], lower[c])
        if of[c] >= FEWEST and p < LEVEL and n >= ONE_SIDED * back:
            told.append((-abs(signed[c]) / whole if whole else 0.0, c, p))
    if not told:
        return None
    share, c, p = min(told)
    lines = [_line(view, c, higher, lower) for c in range(counts.n_coders)]
    mine = coder[met.entry] == c
    mine &= up == np.sign(higher[c] - lower[c])
    shown = np.zeros(counts.n_patterns, bool)
    shown[row[mine]] = True
    seen = [lines[c], *(x for i, x in enumerate(lines) if i != c)][:MOST_LINES]
    evidence = Evidence(
        tuple(seen), "coder", "differences from others", "share that is higher",
        "if coders were interchangeable", items_of(counts, shown),
    )  # fmt: skip
    return _finding(view, c, (higher[c], lower[c]), p, stake_of(view, -share), evidence)


def _by(coder: NDArray[np.integer[Any]], x: NDArray[Any], n: int) -> NDArray[np.float64]:
    return np.bincount(coder, weights=x, minlength=n).astype(float)


def _line(
    view: View, c: int, higher: NDArray[np.float64], lower: NDArray[np.float64]
) -> Contrast:  # fmt: skip
    n = float(higher[c] + lower[c])
    return Contrast(
        quoted(view.counts.coders[c]), int(n), float(higher[c] / n) if n else np.nan, 0.5
    )


def _finding(
    view: View, c: int, sides: tuple[float, float], p: float, stake: float, seen: Evidence
) -> Finding:
    coders, (higher, lower) = view.counts.coders, sides
    two, of = len(coders) == 2, higher + lower
    others = f"those of {quoted(coders[1 - c])}" if two else "those of the others"
    more, n = ("higher", higher) if higher >= lower else ("lower", lower)
    told = (
        f"The values of {quoted(coders[c])} are {more} than {others} in {n:,.0f} of "
        f"{count_of(of, 'difference')} ({percent(n / of)}; exact sign test, {p_text(min(1, p))})."
    )
    return Finding(
        "shifted", severity_of(stake), told,
        "Define what each value means by examples, above all in the middle of the scale: the "
        "coders may order the items alike and differ only in their use of the scale.",
        {"coder": coders[c], "higher": float(higher), "lower": float(lower),
         "p_value": float(min(1, p))},
        ("mcnemar1947",), view.question, stake, "guideline" if two else "coder", seen,
        f"The values of {quoted(coders[c])} are {more} than {others}",
    )  # fmt: skip
