"""Findings about sets of labels: sizes, asymmetry, final labels, and what each measure hides."""

from __future__ import annotations

import math

from ..numbers import count_of, decimal, joined, p_text, percent
from .facts import SIGNIFICANT, Facts
from .finding import Finding, rule
from .label_sets import SetPair
from .sign_test import binomial_test
from .words import quoted

__all__ = [
    "asymmetric_sets", "augmented_penalises", "coincide", "few_doubles", "frequent_final",
    "has_few_doubles", "in_common", "one_coder_decides", "set_sizes", "soft_match_too_high",
    "whole_sets_harsh",
]  # fmt: skip

FEW_SEVERAL = 0.05  # below, sets are single labels for all that measures can tell; our convention
DECIDED = 0.1  # share of the final labels that one coder decides; our convention
MOSTLY = 2 / 3  # of what a single coder decides, one of them decides so much; our convention
UNEQUAL = 0.1  # share of items to which one gives more labels, less the others; our convention
APART = 0.02  # differences that show in the second digit of a report; our convention
NEAR = 0.03  # measures that differ by less nearly coincide; our convention
SINGLE = ("boot_match", "boot_f1", "augmented", "kappa")  # all κ where labels are single
HARSH = 0.05  # a difference that changes what a reader thinks; our convention
MORE_FREQUENT = 0.05  # share gained by a label on its way to the final labels; our convention


def in_common(f: Facts, join: str = "and") -> str:
    """How often two annotations of an item share a label, agreed empty sets told apart."""
    s = f.structure
    if s is None or not s.share_empty > 0:
        return f"a common label in {percent(f.coefficients['boot_match'].observed)} of the cases"
    return (
        f"a common label in {percent(s.share_common)} of the cases {join} two empty sets in "
        f"{percent(s.share_empty)}"
    )


def has_few_doubles(f: Facts) -> bool:
    """Whether hardly any annotation holds several labels."""
    return f.structure is not None and f.structure.everybody.share_several < FEW_SEVERAL


def coincide(f: Facts) -> bool:
    """Whether the measures that are the same for single labels are about the same here."""
    known = [f.value(k) for k in SINGLE if not math.isnan(f.value(k))]
    return len(known) > 1 and max(known) - min(known) < NEAR


@rule
def one_coder_decides(f: Facts) -> Finding | None:
    """Final labels decided by one coder."""
    s = f.structure
    who = None if s is None else s.decider
    if s is None or who is None or not s.p_decides < SIGNIFICANT:
        return None
    n, others, n_final = who.n_decides_alone, who.n_others_alone, who.n_final
    if n < MOSTLY * (n + others) or n < DECIDED * n_final:
        return None
    two = f.n_coders == 2
    more = "the other gave more labels" if two else "all others gave more labels"
    other = (
        f"{quoted(next(c.coder for c in s.coders if c is not who))} does" if two else "Others do"
    )
    own = "" if f.complete else f"of {quoted(who.coder)} "
    who_decides = "this coder" if own else quoted(who.coder)
    return Finding(
        "one_coder_decides", "warning",
        f"On {n:,} of {count_of(n_final, 'item')} {own}with a common label "
        f"({percent(n / n_final)}) {who_decides} alone determines the final labels: it gave no "
        f"other label, and {more}. {other} so on {others:,} (exact sign test, "
        f"{p_text(s.p_decides)}).",
        "Do not read the final labels as the view of all coders. Ask for second labels under the "
        "same rule, so that all give about as many, or decide on the final label by discussion.",
        {"coder": who.coder, "n": n, "n_others": others, "n_final": n_final,
         "p_value": s.p_decides},
        ("marchal2022",), f.question,
    )  # fmt: skip


@rule
def asymmetric_sets(f: Facts) -> Finding | None:
    """Unequal numbers of labels."""
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
        f"fewer on {m:,} (exact sign test, {p_text(pair.p_value)}). {quoted(more.coder)} gave "
        f"{percent(found)} of the labels of {quoted(fewer.coder)}, vice versa {percent(kept)}.",
        f"{_directions(f)} Then define in the guideline when a second label may be given, and "
        "train for it: only if a coder is certain that both hold.",
        {"more": more.coder, "fewer": fewer.coder, "n_more": n, "n_fewer": m,
         "share_several": {c.coder: c.share_several for c in (more, fewer)},
         "precision": pair.precision, "recall": pair.recall, "p_value": pair.p_value},
        ("marchal2022",), f.question,
    )  # fmt: skip


def _directions(f: Facts) -> str:
    """What shows who gives more."""
    if f.n_coders == 2:
        return (
            "Report precision and recall: they show who gives more, which symmetric measures hide."
        )
    return (
        "Compare precision and recall of each pair of coders: they show who gives more. Over "
        "all coders both are averaged over both directions, so they are equal."
    )


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
    """Soft-match above boot-match."""
    gap = f.value("soft_match") - f.value("boot_match")
    if not f.label_sets or math.isnan(gap) or gap < APART:
        return None
    soft, boot = f.coefficients["soft_match"], f.coefficients["boot_match"]
    return Finding(
        "soft_match_too_high", "warning",
        f"Soft-match = {decimal(soft.value)} is {decimal(gap)} above boot-match = "
        f"{decimal(boot.value)}. Both have {in_common(f)}; expected agreement is "
        f"{percent(soft.expected)} for soft-match, as if nobody had given a second label, and "
        f"{percent(boot.expected)} for boot-match.",
        "Report boot-match. Soft-match is κ computed as if each coder had given only the label "
        "that the other gives too, which is usually too high.",
        {"soft_match": soft.value, "boot_match": boot.value,
         "expected": {"soft_match": soft.expected, "boot_match": boot.expected}},
        ("marchal2022",), f.question,
    )  # fmt: skip


@rule
def augmented_penalises(f: Facts) -> Finding | None:
    """Augmented κ cannot reach 1."""
    s = f.structure
    if s is None or math.isnan(f.value("augmented")) or not 1 - s.augmented_most >= HARSH:
        return None
    if has_few_doubles(f):  # then it is empty sets that cannot agree
        return None
    most = s.augmented_most
    row = f.coefficients["augmented"]
    ceiling = (most - row.expected) / (1 - row.expected)
    name = f.name("augmented")
    how = "in part only" if ":" in row.weights else "by half"
    return Finding(
        "augmented_penalises", "warning",
        f"{name[0].upper()}{name[1:]} = {decimal(row.value)}, and with these set sizes it could be "
        f"{decimal(ceiling)} at most. It treats several labels as doubt: coders who both give the "
        f"same two labels agree {how}, so observed agreement could be {decimal(most)} at most.",
        "Report it only if one label can be right, and compare it with "
        f"{decimal(ceiling)}, not with 1. If several labels can be right, report boot-match for a "
        "final label or boot-F1 for whole sets.",
        {"augmented": row.value, "observed": row.observed, "most": most, "ceiling": ceiling},
        ("rosenberg2004", "marchal2022"), f.question,
    )  # fmt: skip


@rule
def few_doubles(f: Facts) -> Finding | None:
    """Few annotations with several labels."""
    s = f.structure
    if s is None or not f.n_pairable or not has_few_doubles(f):
        return None
    keys = [k for k in SINGLE if not math.isnan(f.value(k))]
    if keys and not coincide(f):  # a few large sets are enough to set them apart
        return None
    n = sum(s.everybody.n_by_size[2:])
    shown = joined(f"{f.name(k)} = {f.shown(k)}" for k in keys)
    one = f"{'holds' if n == 1 else 'hold'} several labels ({percent(n / f.n_annotations)})"
    return Finding(
        "few_doubles", "note",
        (f"{n:,} of {count_of(f.n_annotations, 'annotation')} {one}" if n else
         "Several labels were allowed, but no annotation holds more than one")
        + (f", so the measures nearly coincide: {shown}." if shown else "."),
        "Report Cohen's κ or boot-match, whichever your readers know, and that several labels were "
        "allowed.",
        {"n": n, "values": {k: f.value(k) for k in keys}}, ("marchal2022",), f.question,
    )  # fmt: skip


@rule
def whole_sets_harsh(f: Facts) -> Finding | None:
    """κ of whole sets has no partial agreement."""
    gap = f.value("alpha_masi") - f.value("kappa")
    if not f.label_sets or math.isnan(gap) or gap < HARSH:
        return None
    return Finding(
        "whole_sets_harsh", "note",
        f"κ of whole sets = {f.shown('kappa')} gives no credit for partial overlap; α (MASI) = "
        f"{f.shown('alpha_masi')} does.",
        "Report κ of whole sets only if nothing but the same set is useful.",
        {"kappa": f.value("kappa"), "alpha_masi": f.value("alpha_masi")},
        ("passonneau2006", "marchal2022"), f.question,
    )  # fmt: skip


@rule
def frequent_final(f: Facts) -> Finding | None:
    """Frequent labels among final labels."""
    final = None if f.structure is None else f.structure.final
    if final is None or not final.n_with_label:
        return None
    top = int(final.n_given.argmax())
    given, kept = float(final.share_given[top]), float(final.share_final[top])
    p_value = binomial_test(int(final.n_final[top]), int(final.n_final.sum()), given)
    if kept - given < MORE_FREQUENT or not p_value < SIGNIFICANT:
        return None
    label, used = final.categories[top], int((final.n_given > 0).sum())
    return Finding(
        "frequent_final", "warning",
        f"{quoted(label)} is {percent(given)} of the labels given, but {percent(kept)} of the "
        f"final ones (exact binomial test, {p_text(p_value)}). {final.n_categories:,} of the "
        f"{used:,} categories given are final on any item.",
        "Do not estimate frequencies from the final labels, since frequent labels are shared more "
        "easily. Count all labels that were given, or keep the share of each label on an item.",
        {"label": label, "share_given": given, "share_final": kept,
         "n_categories": final.n_categories, "p_value": p_value},
        ("marchal2022",), f.question,
    )  # fmt: skip


@rule
def set_sizes(f: Facts) -> Finding | None:
    """Sizes of label sets."""
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
        "Read agreement by category too: percent agreement counts only sets that are the same.",
        {"n_by_size": s.everybody.n_by_size, "n_with_label": final.n_with_label,
         "n_several": final.n_several, "n_empty": final.n_empty},
        ("marchal2022", "passonneau2006"), f.question,
    )  # fmt: skip
