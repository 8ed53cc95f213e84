"""Findings about sets of labels: sizes, asymmetry, final labels, and what each measure hides."""

from __future__ import annotations

import math

from ..inference.exact_tests import binomial_test
from ..numbers import count_of, joined, percent
from .facts import SIGNIFICANT, Facts
from .finding import Catalogue, Told
from .label_sets import SetPair
from .words import quoted

__all__ = ["NEAR", "SETS", "coincide", "has_few_doubles", "in_common"]

SETS = Catalogue()

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


@SETS.rule("warning", "marchal2022")
def one_coder_decides(f: Facts) -> Told | None:
    """Final labels decided by one coder.

    On {n:,} of {n_final:item} {own}with a common label ({share:%}) {decider} alone determines the
    final labels: it gave no other label, and {others} gave more labels. {other} so on
    {n_others:,} (exact sign test, {p_value:p}).

    Do not read the final labels as the view of all coders. Ask for second labels under the same
    rule, so that all give about as many, or decide on the final label by discussion.
    """
    s = f.structure
    who = None if s is None else s.decider
    if s is None or who is None or not s.p_decides < SIGNIFICANT:
        return None
    n, others, n_final = who.n_decides_alone, who.n_others_alone, who.n_final
    if n < MOSTLY * (n + others) or n < DECIDED * n_final:
        return None
    name, two = quoted(who.coder), f.n_coders == 2
    other = (
        f"{quoted(next(c.coder for c in s.coders if c is not who))} does" if two else "Others do"
    )
    return Told(
        {
            "coder": who.coder,
            "n": n,
            "n_others": others,
            "n_final": n_final,
            "p_value": s.p_decides,
        },
        {
            "own": "" if f.complete else f"of {name} ",
            "decider": name if f.complete else "this coder",
            "share": n / n_final,
            "others": "the other" if two else "all others",
            "other": other,
        },
    )


@SETS.rule("warning", "marchal2022")
def asymmetric_sets(f: Facts) -> Told | None:
    """Unequal numbers of labels.

    {more:quoted} gives {most.mean_labels:.2} labels to an item, several to
    {most.share_several:%}; {fewer:quoted} gives {least.mean_labels:.2}, several to
    {least.share_several:%}. Of {n_common:common item} {more:quoted} gives more on {n_more:,} and
    fewer on {n_fewer:,} (exact sign test, {p_value:p}). {more:quoted} gave {found:%} of the labels
    of {fewer:quoted}, vice versa {kept:%}.

    {directions} Then define in the guideline when a second label may be given, and train for it:
    only if a coder is certain that both hold.
    """
    pair = _most_unequal(f)
    if f.structure is None or pair is None:
        return None
    each = {c.coder: c for c in f.structure.coders}
    more, fewer = each[pair.first], each[pair.second]
    n, m, kept, found = pair.n_more, pair.n_fewer, pair.precision, pair.recall
    if n < m:
        more, fewer, n, m, kept, found = fewer, more, m, n, found, kept
    directions = (
        "Report precision and recall: they show who gives more, which symmetric measures hide."
        if f.n_coders == 2
        else "Compare precision and recall of each pair of coders: they show who gives more. Over "
        "all coders both are averaged over both directions, so they are equal."
    )
    return Told(
        {
            "more": more.coder,
            "fewer": fewer.coder,
            "n_more": n,
            "n_fewer": m,
            "share_several": {c.coder: c.share_several for c in (more, fewer)},
            "precision": pair.precision,
            "recall": pair.recall,
            "p_value": pair.p_value,
        },
        {
            "most": more,
            "least": fewer,
            "n_common": pair.n_common,
            "kept": kept,
            "found": found,
            "directions": directions,
        },
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


@SETS.rule("warning", "marchal2022")
def soft_match_too_high(f: Facts) -> Told | None:
    """Soft-match above boot-match.

    Soft-match = {soft_match:.3} is {gap:.3} above boot-match = {boot_match:.3}. Both have
    {common}; expected agreement is {soft:%} for soft-match, as if nobody had given a second label,
    and {boot:%} for boot-match.

    Report boot-match. Soft-match is κ computed as if each coder had given only the label that the
    other gives too, which is usually too high.
    """
    gap = f.value("soft_match") - f.value("boot_match")
    if not f.label_sets or math.isnan(gap) or gap < APART:
        return None
    values = {key: f.value(key) for key in ("soft_match", "boot_match")}
    expected = {key: f.coefficients[key].expected for key in values}
    soft, boot = expected.values()
    words = {"gap": gap, "common": in_common(f), "soft": soft, "boot": boot}
    return Told({**values, "expected": expected}, words)


@SETS.rule("warning", "rosenberg2004", "marchal2022")
def augmented_penalises(f: Facts) -> Told | None:
    """Augmented κ cannot reach 1.

    {name} = {augmented:.3}, and with these set sizes it could be {ceiling:.3} at most. It treats
    several labels as doubt: coders who both give the same two labels agree {how}, so observed
    agreement could be {most:.3} at most.

    Report it only if one label can be right, and compare it with {ceiling:.3}, not with 1. If
    several labels can be right, report boot-match for a final label or boot-F1 for whole sets.
    """
    s = f.structure
    if s is None or math.isnan(f.value("augmented")) or not 1 - s.augmented_most >= HARSH:
        return None
    if has_few_doubles(f):  # then it is empty sets that cannot agree
        return None
    most, row, name = s.augmented_most, f.coefficients["augmented"], f.name("augmented")
    ceiling = (most - row.expected) / (1 - row.expected)
    how = "in part only" if ":" in row.weights else "by half"
    return Told(
        {"augmented": row.value, "observed": row.observed, "most": most, "ceiling": ceiling},
        {"name": name[0].upper() + name[1:], "how": how},
    )


@SETS.rule("note", "marchal2022")
def few_doubles(f: Facts) -> Told | None:
    """Few annotations with several labels.

    {doubles}{shown}.

    Report Cohen's κ or boot-match, whichever your readers know, and that several labels were
    allowed.
    """
    s = f.structure
    if s is None or not f.n_pairable or not has_few_doubles(f):
        return None
    keys = [k for k in SINGLE if not math.isnan(f.value(k))]
    if keys and not coincide(f):  # a few large sets are enough to set them apart
        return None
    n = sum(s.everybody.n_by_size[2:])
    doubles = "Several labels were allowed, but no annotation holds more than one"
    if n:
        hold = "holds" if n == 1 else "hold"
        share = percent(n / f.n_annotations)
        every = count_of(f.n_annotations, "annotation")
        doubles = f"{n:,} of {every} {hold} several labels ({share})"
    shown = joined(f"{f.name(k)} = {f.shown(k)}" for k in keys)
    shown = f", so the measures nearly coincide: {shown}" if shown else ""
    values = {k: f.value(k) for k in keys}
    return Told({"n": n, "values": values}, {"doubles": doubles, "shown": shown})


@SETS.rule("note", "passonneau2006", "marchal2022")
def whole_sets_harsh(f: Facts) -> Told | None:
    """κ of whole sets has no partial agreement.

    κ of whole sets = {kappa:.3} gives no credit for partial overlap; α (MASI) = {alpha_masi:.3}
    does.

    Report κ of whole sets only if nothing but the same set is useful.
    """
    gap = f.value("alpha_masi") - f.value("kappa")
    if not f.label_sets or math.isnan(gap) or gap < HARSH:
        return None
    return Told({key: f.value(key) for key in ("kappa", "alpha_masi")})


@SETS.rule("warning", "marchal2022")
def frequent_final(f: Facts) -> Told | None:
    """Frequent labels among final labels.

    {label:quoted} is {share_given:%} of the labels given, but {share_final:%} of the final ones
    (exact binomial test, {p_value:p}). {n_categories:,} of the {used:,} categories given are final
    on any item.

    Do not estimate frequencies from the final labels, since frequent labels are shared more
    easily. Count all labels that were given, or keep the share of each label on an item.
    """
    final = None if f.structure is None else f.structure.final
    if final is None or not final.n_with_label:
        return None
    top = int(final.n_given.argmax())
    given, kept = float(final.share_given[top]), float(final.share_final[top])
    p_value = binomial_test(int(final.n_final[top]), int(final.n_final.sum()), given)
    if kept - given < MORE_FREQUENT or not p_value < SIGNIFICANT:
        return None
    facts = {"label": final.categories[top], "share_given": given, "share_final": kept}
    return Told(
        facts | {"n_categories": final.n_categories, "p_value": p_value},
        {"used": int((final.n_given > 0).sum())},
    )


@SETS.rule("note", "marchal2022", "passonneau2006")
def set_sizes(f: Facts) -> Told | None:
    """Sizes of label sets.

    Annotations hold {sizes} of {f.n_values:category}. All coders of an item share a label on
    {n_with_label:,} of {n_items:item}, on {n_several:,} of them more than one.

    Read agreement by category too: percent agreement counts only sets that are the same.
    """
    s = f.structure
    if s is None or not f.n_pairable:
        return None
    sizes = joined(
        f"{count_of(size, 'label') if size else 'no label'} ({percent(share)})"
        for size, share in enumerate(s.everybody.share_by_size)
        if share > 0
    )
    final = s.final
    return Told(
        {
            "n_by_size": s.everybody.n_by_size,
            "n_with_label": final.n_with_label,
            "n_several": final.n_several,
            "n_empty": final.n_empty,
        },
        {"sizes": sizes, "n_items": final.n_items},
    )
