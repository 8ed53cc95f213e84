"""Findings on coders who give identical texts different labels."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..inference.exact_tests import exact_interval
from ..numbers import count_of, interval, p_text, percent
from .cause_evidence import MOST_LINES
from .causes import MOST_ITEMS, WORTH
from .coders import Consistency
from .finding import Contrast, Evidence, Finding
from .view import View
from .words import quoted

__all__ = ["contradictions", "inconsistent_coder"]

LEVEL = 0.01  # of the tests of all coders together
FEWEST = 3  # contradictions; our convention
MATTERS = 0.1  # of the texts that a coder sees again get another label; our convention
MORE = 1.5  # times as often as coders differ from each other; our convention


def inconsistent_coder(view: View) -> Iterator[Finding]:
    """Inconsistent coder.

    On texts that stand under several item ids (Fisher's exact test of one coder against the
    others, corrected for the number of coders). Coders with another finding are left out.
    """
    found = view.consistency
    if found is None:
        return
    told, tests = view.causes.coders, int((found.n_texts > 0).sum())
    for c in np.argsort(-found.share, kind="stable").tolist():
        name, n, of = found.coders[c], found.n_contradicted[c], found.n_texts[c]
        p = found.p_value[c] * tests
        if not (p < LEVEL and n >= FEWEST) or name in told:
            continue
        wrong, texts = found.n_contradicted.sum() - n, found.n_texts.sum() - of
        others = float(wrong / texts)
        stake = view.stake_of(n - of * others)
        yield Finding(
            "inconsistent_coder", "warning" if stake >= WORTH else "note",
            f"{quoted(name)} gave different labels to {n:,.0f} of {count_of(of, 'text')} that "
            f"occur under several ids ({percent(n / of)}, exact interval "
            f"{interval(found.low[c], found.high[c])}); the others to {percent(others)} of theirs "
            f"({p_text(min(1.0, p))}).",
            "Show the coder these texts side by side, and ask what made the difference: haste, a "
            "guideline that leaves it open, or the context of the text. Agreement with others "
            "cannot exceed the coder's own consistency.",
            {"coder": name, "n": int(n), "of": int(of), "share": float(n / of),
             "others": others, "low": float(found.low[c]), "high": float(found.high[c]),
             "p_value": min(1.0, p)},
            ("gwet2014",), view.question, stake, "coder",
            _seen(found, [c, *(k for k in range(len(found.coders)) if k != c)], found.items[c]),
            title=f"{quoted(name)} is less consistent than the others",
        )  # fmt: skip


def contradictions(view: View) -> Iterator[Finding]:
    """Inconsistency on identical texts.

    How often coders give a text that stands under several item ids different labels: they cannot
    be expected to agree more with each other than with themselves. Whatever makes them do so is
    found by the other patterns, so resolving this would not raise alpha by itself. It is a warning
    where the exact interval of the share begins above a tenth, unless coders differ from each other
    much less than from themselves: then the label depends on more than the text.
    """
    found = view.consistency
    if found is None or not found.n_contradicted.any():
        return
    n, of = float(found.n_contradicted.sum()), float(found.n_texts.sum())
    order = np.argsort(-np.nan_to_num(found.share), kind="stable")
    items = np.concatenate([found.items[c] for c in order])
    low, high = (float(x[0]) for x in exact_interval([n], [of], view.level))
    part = (
        ""
        if found.n_used == found.n_all
        else f" The first {found.n_used:,} of {count_of(found.n_all, 'item')} were examined."
    )
    more = found.from_itself > MORE * found.from_others
    both = (
        ""
        if math.isnan(found.from_others)
        else f" Two labels of one coder for such a text differ in {percent(found.from_itself)} of "
        f"the cases, those of two coders for the same item in {percent(found.from_others)}"
        f"{', so the label depends on more than the text' if more else ''}."
    )
    yield Finding(
        "contradictions", "warning" if low >= MATTERS and not more else "note",
        f"In {n:,.0f} of {count_of(of, 'case')} ({percent(n / of)}, exact interval "
        f"{interval(low, high)}) a coder gave a text that occurs under several ids different "
        f"labels ({count_of(found.n_repeated, 'such text')}).{both}{part}",
        "Decide on one label for all ids of such a text, unless the label depends on its context. "
        "Coders cannot be expected to agree more with each other than with themselves.",
        {"n": int(n), "of": int(of), "share": n / of, "low": low, "high": high,
         "n_repeated": found.n_repeated, "from_itself": found.from_itself,
         "from_others": found.from_others},
        ("gwet2014",), view.question, math.nan, "guideline",
        _seen(found, order.tolist(), items[np.sort(np.unique(items, return_index=True)[1])]),
    )  # fmt: skip


def _seen(found: Consistency, order: list[int], items: NDArray[Any]) -> Evidence:
    share = found.share
    total, wrong = found.n_texts.sum(), found.n_contradicted.sum()
    lines = []
    for c in [c for c in order if found.n_texts[c]][:MOST_LINES]:
        rest = total - found.n_texts[c]
        others = float((wrong - found.n_contradicted[c]) / rest) if rest else float("nan")
        name = quoted(found.coders[c])
        lines.append(Contrast(name, int(found.n_texts[c]), float(share[c]), others))
    return Evidence(
        tuple(lines), "coder", "texts seen twice or more", "labelled differently", "by the others",
        tuple(int(i) for i in items[:MOST_ITEMS]),
    )  # fmt: skip
