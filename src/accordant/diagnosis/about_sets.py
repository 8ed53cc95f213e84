"""Findings about sets of labels: sizes, asymmetry, final labels, and what each measure hides."""

from __future__ import annotations

import math

from ..measure.numbers import count_of, decimal, joined, p_text, percent
from .facts import SIGNIFICANT, Facts
from .finding import Finding, rule
from .label_sets import SetPair
from .words import quoted

__all__ = [
    "FEW_SEVERAL", "asymmetric_sets", "augmented_penalises", "few_doubles", "frequent_final",
    "one_coder_decides", "set_sizes", "soft_match_too_high", "whole_sets_harsh",
]  # fmt: skip

FEW_SEVERAL = 0.05  # below, sets are single labels for all that measures can tell; our convention
DECIDED = 0.1  # share of the final labels that one coder decides; our convention
MOSTLY = 2 / 3  # of what a single coder decides, one of them decides so much; our convention
UNEQUAL = 0.1  # share of items to which one gives more labels, less the others; our convention
APART = 0.02  # differences that show in the second digit of a report; our convention
HARSH = 0.05  # a difference that changes what a reader thinks; our convention
MORE_FREQUENT = 0.05  # share gained by a label on its way to the final labels; our convention


@rule
def one_coder_decides(f: Facts) -> Finding | None:
    """One coder decides the final label."""
    s = f.structure
    who = None if s is None else s.decider
    if s is None or who is None or not s.p_decides < SIGNIFICANT:
        return None
    every, n, n_final = sum(c.n_decides_alone for c in s.coders), who.n_decides_alone, who.n_final
    if n < MOSTLY * every or n < DECIDED * n_final:
        return None
    two = f.n_coders == 2
    more = "the other gave more" if two else "everybody else gave more"
    other = (
        f"{quoted(next(c.coder for c in s.coders if c is not who))} does" if two else "Others do"
    )
    return Finding(
        "one_coder_decides", "warning",
        f"On {n:,} of {count_of(n_final, 'item')} with a common label ({percent(n / n_final)}) "
        f"{quoted(who.coder)} decides what is final: it gave nothing else, and {more}. {other} so "
        f"on {every - n:,} (exact sign test, {p_text(s.p_decides)}).",
        "Do not take the final labels for the view of all coders. Ask for second labels under "
        "the same rule, so that all give about as many, or settle the final label by discussion.",
        {"coder": who.coder, "n": n, "n_others": every - n, "n_final": n_final,
         "p_value": s.p_decides},
        ("marchal2022",), f.question,
    )  # fmt: skip


@rule
def asymmetric_sets(f: Facts) -> Finding | None:
    """Coders give very different numbers of labels."""
    pair = _most_unequal(f)
    if f.structure is None or pair is None:
        return None
    each = {c.coder: c for c in f.structure.coders}
    more, fewer = each[pair.first], each[pair.second]
    n, m, kept, found = pair.n_more, pair.n_fewer, pair.precision, pair.recall
    if n < m:
        more, fewer, n, m, kept, found = fewer, more, m, n, found, kept
    return Finding(
        "asymmetric_sets", "warning",
        f"{quoted(more.coder)} gives {decimal(more.mean_labels, 2)} labels to an item, several to "
        f"{percent(more.share_several)}; {quoted(fewer.coder)} gives "
        f"{decimal(fewer.mean_labels, 2)}, several to {percent(fewer.share_several)}. Of "
        f"{count_of(pair.n_common, 'common item')} {quoted(more.coder)} gives more on {n:,} and "
        f"fewer on {m:,} (exact sign test, {p_text(pair.p_value)}). Of the labels of "
        f"{quoted(fewer.coder)} on an item {quoted(more.coder)} gave {percent(found)} too, the "
        f"other way round {percent(kept)}.",
        "Report precision and recall: they show who gives more, which symmetric measures hide. "
        "Then settle in the guideline when a second label may be given, and train for it: only "
        "if a coder is certain that both hold.",
        {"more": more.coder, "fewer": fewer.coder, "n_more": n, "n_fewer": m,
         "share_several": {c.coder: c.share_several for c in (more, fewer)},
         "precision": pair.precision, "recall": pair.recall, "p_value": pair.p_value},
        ("marchal2022",), f.question,
    )  # fmt: skip


def _most_unequal(f: Facts) -> SetPair | None:
    """The pair of coders that differs most in how many labels they give, beyond chance."""
    pairs = () if f.structure is None else f.structure.pairs
    clear = [
        p
        for p in pairs
        if p.p_value * len(pairs) < SIGNIFICANT
        and abs(p.n_more - p.n_fewer) >= UNEQUAL * p.n_common
    ]
    return max(clear, key=lambda p: abs(p.n_more - p.n_fewer) / p.n_common, default=None)


@rule
def soft_match_too_high(f: Facts) -> Finding | None:
    """Soft-match forgets the labels that it drops."""
    gap = f.value("soft_match") - f.value("boot_match")
    if not f.label_sets or math.isnan(gap) or gap < APART:
        return None
    soft, boot = f.coefficients["soft_match"], f.coefficients["boot_match"]
    return Finding(
        "soft_match_too_high", "warning",
        f"Soft-match = {decimal(soft.value)} is {decimal(gap)} above boot-match = "
        f"{decimal(boot.value)}. Both see a common label in {percent(boot.observed)} of the "
        f"cases; soft-match expects {percent(soft.expected)} by chance, as if nobody had given a "
        f"second label, boot-match {percent(boot.expected)}.",
        "Report boot-match. Soft-match is an upper bound: what κ would be if coders had known "
        "which of their labels the other gives, and given no other.",
        {"soft_match": soft.value, "boot_match": boot.value,
         "expected": {"soft_match": soft.expected, "boot_match": boot.expected}},
        ("marchal2022",), f.question,
    )  # fmt: skip


@rule
def augmented_penalises(f: Facts) -> Finding | None:
    """Augmented κ cannot reach 1 where several labels are given."""
    s = f.structure
    if s is None or math.isnan(f.value("augmented")) or not 1 - s.augmented_most >= HARSH:
        return None
    if s.everybody.share_several < FEW_SEVERAL:  # then it is empty sets that cannot agree
        return None
    most = s.augmented_most
    row = f.coefficients["augmented"]
    ceiling = (most - row.expected) / (1 - row.expected)
    return Finding(
        "augmented_penalises", "warning",
        f"Augmented κ = {decimal(row.value)} takes several labels for doubt: coders who both give "
        "the same two labels agree by half. Even if all sets agreed as far as their sizes allow, "
        f"observed agreement would be {decimal(most)} and augmented κ {decimal(ceiling)}.",
        "Quote it only if one label can be right, and compare it with "
        f"{decimal(ceiling)}, not with 1. If several labels can be right, quote boot-match for a "
        "final label or boot-F1 for whole sets.",
        {"augmented": row.value, "observed": row.observed, "most": most, "ceiling": ceiling},
        ("rosenberg2004", "marchal2022"), f.question,
    )  # fmt: skip


@rule
def few_doubles(f: Facts) -> Finding | None:
    """Hardly any annotation has several labels."""
    s = f.structure
    if s is None or not f.n_pairable or not s.everybody.share_several < FEW_SEVERAL:
        return None
    n = sum(s.everybody.n_by_size[2:])
    close = ("boot_match", "boot_f1", "augmented", "kappa")
    keys = [k for k in close if not math.isnan(f.value(k))]
    shown = joined(f"{f.name(k)} = {f.shown(k)}" for k in keys)
    one = f"{'holds' if n == 1 else 'hold'} several labels ({percent(n / f.n_annotations)})"
    return Finding(
        "few_doubles", "note",
        (f"{n:,} of {count_of(f.n_annotations, 'annotation')} {one}" if n else
         "Several labels were allowed, but no annotation holds more than one")
        + (f", so the measures nearly coincide: {shown}." if shown else "."),
        "Quote Cohen's κ or boot-match, whichever your readers know, and say that several labels "
        "were allowed.",
        {"n": n, "values": {k: f.value(k) for k in keys}}, ("marchal2022",), f.question,
    )  # fmt: skip


@rule
def whole_sets_harsh(f: Facts) -> Finding | None:
    """κ of whole sets takes every difference for the whole."""
    gap = f.value("alpha_masi") - f.value("kappa")
    if not f.label_sets or math.isnan(gap) or gap < HARSH:
        return None
    return Finding(
        "whole_sets_harsh", "note",
        f"κ of whole sets = {f.shown('kappa')} takes every set for a category of its own, so a "
        "set and a part of it are as far apart as any two sets; α (MASI) = "
        f"{f.shown('alpha_masi')} counts them as partly the same.",
        "Quote κ of whole sets only if nothing but the same set is of use.",
        {"kappa": f.value("kappa"), "alpha_masi": f.value("alpha_masi")},
        ("passonneau2006", "marchal2022"), f.question,
    )  # fmt: skip


@rule
def frequent_final(f: Facts) -> Finding | None:
    """Frequent labels are more frequent among final labels."""
    final = None if f.structure is None else f.structure.final
    if final is None or not final.n_with_label:
        return None
    top = int(final.n_given.argmax())
    given, kept = float(final.share_given[top]), float(final.share_final[top])
    noise = 2 * math.sqrt(given * (1 - given) / int(final.n_final.sum()))
    if kept - given < max(MORE_FREQUENT, noise):
        return None
    label, used = final.categories[top], int((final.n_given > 0).sum())
    return Finding(
        "frequent_final", "warning",
        f"{quoted(label)} makes up {percent(given)} of the labels given, but {percent(kept)} of "
        f"the final ones: coders come to share a frequent label more easily. "
        f"{final.n_categories:,} of the {used:,} categories given are final on any item.",
        "Do not read frequencies off the final labels. Count all labels that were given, or keep "
        "the share of each label on an item.",
        {"label": label, "share_given": given, "share_final": kept,
         "n_categories": final.n_categories},
        ("marchal2022",), f.question,
    )  # fmt: skip


@rule
def set_sizes(f: Facts) -> Finding | None:
    """How many labels an annotation holds."""
    s = f.structure
    if s is None or not f.n_pairable:
        return None
    sizes = enumerate(s.everybody.share_by_size)
    shown = joined(
        f"{count_of(size, 'label') if size else 'no label'} ({percent(share)})"
        for size, share in sizes
        if share > 0
    )
    final = s.final
    return Finding(
        "set_sizes", "note",
        f"Annotations hold {shown} of {count_of(f.n_values, 'category', 'categories')}. All "
        f"coders of an item share a label on {final.n_with_label:,} of "
        f"{count_of(final.n_items, 'item')}, on {final.n_several:,} of them more than one.",
        "Percent agreement asks whether two sets are the same. Look at the table of categories "
        "too: it asks for each label whether coders agree on it.",
        {"n_by_size": s.everybody.n_by_size, "n_with_label": final.n_with_label,
         "n_several": final.n_several, "n_empty": final.n_empty},
        ("marchal2022", "passonneau2006"), f.question,
    )  # fmt: skip
