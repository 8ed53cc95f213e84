"""Why coders disagree, as far as their disagreements show it: all findings on a view."""

from __future__ import annotations

import math

import numpy as np

from ..actions import Action
from ..numbers import count_of, decimal, percent
from .finding import Finding, ranked
from .power import Power, power
from .repeated_texts import contradictions, inconsistent_coder
from .sequence_effect import sequence_effect
from .view import View
from .words import quoted

__all__ = ["patterns"]

FEWEST = 10  # disputed items: fewer spread like anything
TWO = 2  # labels
TENTATIVE = 0.667  # below, the disagreement itself is a warning (Krippendorff 2004)


def patterns(view: View) -> tuple[Finding, ...]:
    """Findings on the causes of disagreement, what is most at stake first.

    Empty where nothing is compared, or nothing is disputed, and for questions that are pooled
    though their schemes differ: labels that never compete are not confused.
    """
    if not view.counts.n_pairable or math.isnan(view.alpha) or len(set(view.data.schemes)) > 1:
        return ()
    if view.continuous:
        return ()
    found = [*view.causes.found, *sequence_effect(view), *inconsistent_coder(view)]
    found += contradictions(view)
    return ranked(found or no_pattern(view))


def no_pattern(view: View) -> tuple[Finding, ...]:
    """No pattern.

    Disagreements spread as random errors spread. Told is also what would have been found: for the
    two most frequent labels and for a coder, how strong a cause must be to be found four times in
    five.
    """
    explained = view.causes.explained
    if explained is None or view.items.n_disputed < FEWEST:
        return ()
    least = power(explained.last)
    low = view.alpha < TENTATIVE
    one, other, share, widest = _pairs(view, least)
    coder = float(np.nanmedian(least.coders)) if np.isfinite(least.coders).any() else math.nan
    seen = ""
    if math.isnan(share) and math.isnan(coder):
        if len(view.causes.label_counts) <= TWO:
            return ()  # two labels that two coders confuse show nothing, however many items
        seen = " With so few items no cause could have been found four times in five."
    if not math.isnan(share):
        seen = (
            f" A confusion of {quoted(one)} and {quoted(other)} in {percent(share, 0)} or more of "
            "their annotations would have been found four times in five"
        )
        seen += f"; of the rarest labels, {percent(widest, 0)}." if widest > 2 * share else "."
    if not math.isnan(coder):
        seen += f" So would a coder who differs in {percent(coder, 0)} or more."
    disputed = count_of(view.items.n_disputed, "disputed item")
    text = (
        f"The {disputed} show no pattern: labels, coders and items differ no more than random "
        f"errors make them differ.{seen}"
    )
    advice = (
        f"Look for a general problem, since α is {decimal(view.alpha)}: "
        "whether the task can be done from what coders see, whether they know the guideline, "
        "whether they pay attention."
        if low
        else "Have the coders read the disputed items again: what is left looks like random errors."
    )
    return (
        Finding(
            "no_pattern", "warning" if low else "note", text, advice,
            {
                "n_items": view.items.n_disputed, "first": one, "second": other,
                "detectable": share, "detectable_rarest": widest, "detectable_coder": coder,
            },
            ("artstein2008", "krippendorff2004"), view.question, 0.0, "task" if low else None,
            title="No pattern", do=(Action("diagnose", {"show": "items"}, "the items to read"),),
        ),
    )  # fmt: skip


def _pairs(view: View, least: Power) -> tuple[object, object, float, float]:
    """The two most frequent labels, the share of theirs that would be found; that of the rarest."""
    labels = view.causes.values[0]
    n = len(labels)
    shares = np.array(view.causes.label_counts)
    order = np.argsort(-shares, kind="stable")
    a, b = sorted(order[:2].tolist())
    table = least.pairs[:n, :n]
    widest = float(np.nanmax(table)) if np.isfinite(table).any() else math.nan
    return labels[a], labels[b], float(table[a, b]), widest
