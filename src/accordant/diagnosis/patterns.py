"""Why coders disagree, as far as their disagreements show it: all findings on a view.

Causes come from the explainer. Beside them stand labels that are carried over from the item before,
identical texts with different labels, and, if there is nothing else, that there is no pattern.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..actions import Action
from ..inference.exact_tests import exact_interval
from ..numbers import count_of, decimal, interval, p_text, percent, tied
from .cause_evidence import MOST_LINES
from .causes import MOST_ITEMS, WORTH
from .coders import Consistency
from .finding import Contrast, Evidence, Finding, ranked
from .power import Power, power
from .sequence import Sequence
from .view import View
from .words import quoted

__all__ = ["contradictions", "inconsistent_coder", "patterns", "sequence_effect"]

TWO = 2  # labels
LEVEL = 0.01  # of the tests of all coders together
CLEAR = 0.03  # steps in which the label before decides; our convention
MOST_TOLD = 3
FEW_CODERS = 3  # coders; of two nobody can say who of them is swayed


def sequence_effect(view: View) -> Iterator[Finding]:
    """Sequence effect.

    The label of the item before is given again more, or less, often than the others give it to
    the same items, and than labels from further back (corrected for the number of coders). Only
    where the order of annotation is known, and neighbouring items are not alike by themselves.
    Coders who have a finding of their own are left out.
    """
    told = set(view.causes.coders)
    rest = [c for c in view.counts.coders if c not in told]
    part = view.of_coders(rest) if told and len(rest) >= FEW_CODERS else view
    for _ in range(MOST_TOLD):
        found = part.sequence if len(rest) >= FEW_CODERS else None
        if found is None or not found.mixed:
            return
        p = np.nan_to_num(found.p_value, nan=1.0) * view.counts.n_coders
        clear = (p < LEVEL) & (np.nan_to_num(np.abs(found.effect)) >= CLEAR)
        if not clear.any():
            return
        c = int(tied(np.where(clear, np.abs(found.effect), 0)).argmax())
        yield _finding(view, found, c, min(1.0, float(p[c])))
        rest.remove(found.coders[c])  # with it among the others, these seem to avoid labels
        part = view.of_coders(rest)


def _finding(view: View, found: Sequence, c: int, p: float) -> Finding:
    coder, n = found.coders[c], float(found.n_steps[c])
    swayed = abs(float(found.effect[c]))
    stake = view.stake_of(n * swayed)
    again = bool(found.effect[c] > 0)
    where = (
        f"in the order of {quoted(found.order.name)}"
        if found.order.known
        else "in the order of the item ids"
    )
    return Finding(
        "sequence_effect",
        "warning" if stake >= WORTH else "note",
        f"{quoted(coder)} repeats the label of the previous item in "
        f"{percent(float(found.repeats[c]))} of {count_of(n, 'step')}, {100 * swayed:.1f} "
        f"percentage points {'more' if again else 'less'} than expected ({where}; {p_text(p)}).",
        "Give each coder the items in a random order, and have labels chosen, not kept from the "
        "previous item. If these items were labelled in a row, check them one by one.",
        {
            "coder": coder,
            "repeats": float(found.repeats[c]),
            "others": float(found.others[c]),
            "effect": float(found.effect[c]),
            "n_steps": int(n),
            "order": found.order.name,
            "p_value": p,
        },
        ("artstein2008",),
        view.question,
        stake,
        "task",
        Evidence(
            tuple(
                Contrast(
                    quoted(found.coders[k]),
                    int(found.n_steps[k]),
                    float(found.repeats[k]),
                    float(found.repeats[k] - found.effect[k]),
                )
                for k in [c, *(k for k in range(len(found.coders)) if k != c)][:MOST_LINES]
                if found.n_steps[k]
            ),
            "coder",
            "steps",
            "label of the previous item repeated",
            "expected",
        ),
        title=f"{quoted(coder)} {'repeats' if again else 'avoids'} the previous label",
    )


FEW_CONTRADICTIONS = 3  # contradictions; our convention
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
        if not (p < LEVEL and n >= FEW_CONTRADICTIONS) or name in told:
            continue
        wrong, texts = found.n_contradicted.sum() - n, found.n_texts.sum() - of
        others = float(wrong / texts)
        stake = view.stake_of(n - of * others)
        yield Finding(
            "inconsistent_coder",
            "warning" if stake >= WORTH else "note",
            f"{quoted(name)} gave different labels to {n:,.0f} of {count_of(of, 'text')} that "
            f"occur under several ids ({percent(n / of)}, exact interval "
            f"{interval(found.low[c], found.high[c])}); the others to {percent(others)} of theirs "
            f"({p_text(min(1.0, p))}).",
            "Show the coder these texts side by side, and ask what made the difference: haste, a "
            "guideline that leaves it open, or the context of the text. Agreement with others "
            "cannot exceed the coder's own consistency.",
            {
                "coder": name,
                "n": int(n),
                "of": int(of),
                "share": float(n / of),
                "others": others,
                "low": float(found.low[c]),
                "high": float(found.high[c]),
                "p_value": min(1.0, p),
            },
            ("gwet2014",),
            view.question,
            stake,
            "coder",
            _seen(found, [c, *(k for k in range(len(found.coders)) if k != c)], found.items[c]),
            title=f"{quoted(name)} is less consistent than the others",
        )


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
        "contradictions",
        "warning" if low >= MATTERS and not more else "note",
        f"In {n:,.0f} of {count_of(of, 'case')} ({percent(n / of)}, exact interval "
        f"{interval(low, high)}) a coder gave a text that occurs under several ids different "
        f"labels ({count_of(found.n_repeated, 'such text')}).{both}{part}",
        "Decide on one label for all ids of such a text, unless the label depends on its context. "
        "Coders cannot be expected to agree more with each other than with themselves.",
        {
            "n": int(n),
            "of": int(of),
            "share": n / of,
            "low": low,
            "high": high,
            "n_repeated": found.n_repeated,
            "from_itself": found.from_itself,
            "from_others": found.from_others,
        },
        ("gwet2014",),
        view.question,
        math.nan,
        "guideline",
        _seen(found, order.tolist(), items[np.sort(np.unique(items, return_index=True)[1])]),
    )


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
        tuple(lines),
        "coder",
        "texts seen twice or more",
        "labelled differently",
        "by the others",
        tuple(int(i) for i in items[:MOST_ITEMS]),
    )


FEW_DISPUTED = 10  # disputed items: fewer spread like anything
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
    if explained is None or view.items.n_disputed < FEW_DISPUTED:
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
            "no_pattern",
            "warning" if low else "note",
            text,
            advice,
            {
                "n_items": view.items.n_disputed,
                "first": one,
                "second": other,
                "detectable": share,
                "detectable_rarest": widest,
                "detectable_coder": coder,
            },
            ("artstein2008", "krippendorff2004"),
            view.question,
            0.0,
            "task" if low else None,
            title="No pattern",
            do=(Action("diagnose", {"show": "items"}, "the items to read"),),
        ),
    )


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
