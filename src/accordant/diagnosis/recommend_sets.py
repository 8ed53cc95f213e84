"""Which measure of label sets to report: the advice of Marchal et al. (2022, sec. 8)."""

from __future__ import annotations

import math

from ..numbers import decimal, joined, percent
from .facts import Facts
from .set_traps import coincide, has_few_doubles, in_common
from .words import quoted

__all__ = ["by_goal", "of_set", "show_sets"]

MANY = 5  # coders with gaps: pairs of them share few items to estimate chance from; our convention
MOST_NAMED = 4  # coders in a sentence


def by_goal(f: Facts) -> tuple[str, tuple[str, ...], list[str], list[str]]:
    """The measure for the most common goal, what stands beside it, and when to take another."""
    percent_too = (
        "Report percent agreement in any case, and say that it asks for the same set: everybody "
        "can check it."
    )
    sources = ["marchal2022", "rosenberg2004", "passonneau2006"]
    if not f.known_coders or (f.n_coders > MANY and not f.complete):
        other = "boot_match" if f.known_coders else "label_alpha"
        reasons = [_why_alpha(f), *_if_final(f), *_care(f), percent_too]
        return "alpha_masi", (other,), reasons, sources
    both = ("boot_precision", "boot_recall") if f.n_coders == 2 else ()  # of more they are equal
    beside = ("boot_f1", *both)
    reasons = [_why_boot(f), _if_sets(f), *_if_doubt(f), *_care(f), percent_too]
    return "boot_match", beside, reasons, sources


def _why_boot(f: Facts) -> str:
    row = f.coefficients["boot_match"]
    numbers = (
        ""
        if math.isnan(row.value)
        else f" (here {decimal(row.value)}: {in_common(f, 'or')}, {_by_chance(f)})"
    )
    return (
        "Several labels can be right. If one final label for an item is wanted, boot-match says "
        f"how reliable it is{numbers}; expected agreement accounts for the number of labels per "
        "coder."
    )


def _by_chance(f: Facts) -> str:
    either = f.structure is not None and f.structure.share_empty > 0
    expected = percent(f.coefficients["boot_match"].expected)
    return f"one or the other in {expected} by chance" if either else f"{expected} by chance"


def _why_alpha(f: Facts) -> str:
    why = (
        f"There are {f.n_coders:,} coders, and {percent(f.missing_share)} of the annotations are "
        "missing."
        if f.known_coders
        else "The data do not say which coder gave which labels, and label draw needs to know."
    )
    return (
        f"{why} α (MASI) takes any number of coders and missing annotations, and counts sets "
        f"that share labels as partly the same{_here(f, 'alpha_masi')}."
    )


def _if_final(f: Facts) -> list[str]:
    if not f.known_coders:
        return []
    shown = _here(f, "boot_match")
    return [f"If one final label for an item is wanted, add boot-match{shown}."]


def _if_sets(f: Facts) -> str:
    many = f"with many coders or gaps α (MASI){_here(f, 'alpha_masi')}"
    quote = f"If all labels are used, quote boot-F1{_here(f, 'boot_f1')}"
    if f.n_coders != 2:
        return (
            f"{quote}; {many}. Who gives more labels is shown by the precision and recall of each "
            "pair of coders, in the table of pairs."
        )
    each = joined(
        f"{what}{_here(f, key)}"
        for key, what in (("boot_precision", "precision"), ("boot_recall", "recall"))
    )
    return f"{quote} with {each} beside it, which show who gives more; {many}."


def _if_doubt(f: Facts) -> list[str]:
    if has_few_doubles(f) and coincide(f):
        return [
            "Hardly any annotation holds several labels, so these measures nearly coincide: "
            f"Cohen's κ of whole sets{_here(f, 'kappa')} is as good and better known."
        ]
    return [
        "If only one label can be right and a second one means doubt, quote augmented κ"
        f"{_here(f, 'augmented')} instead."
    ]


def _care(f: Facts) -> list[str]:
    """What coders should be told, with what they did."""
    if f.structure is None:
        return []
    shares = [c.share_several for c in f.structure.coders]
    if not shares:
        did = f"{percent(f.structure.everybody.share_several)} of the annotations hold"
    elif len(shares) <= MOST_NAMED:
        each = (f"{percent(c.share_several)} ({quoted(c.coder)})" for c in f.structure.coders)
        did = f"{joined(each)} of the annotations hold"
    else:
        low, high = percent(min(shares)), percent(max(shares))
        did = f"between {low} and {high} of a coder's annotations hold"
    return [
        "Coders should give a second label only if they are certain that both hold, and about "
        f"equally often: here {did} several."
    ]


def _here(f: Facts, key: str) -> str:
    return "" if math.isnan(f.value(key)) else f" ({f.shown(key)})"


def of_set(f: Facts, primary: str) -> str:
    """The key of a coefficient that fits several questions, for one of label sets."""
    return f.alpha_key if primary == "alpha" else primary


def show_sets(f: Facts, primary: str) -> tuple[str, ...]:
    """What makes the figures checkable."""
    s = f.structure
    entropy = s.everybody.entropy if s else math.nan
    most = math.log2(f.n_values) if f.n_values else math.nan
    return (
        f"the numbers of items ({f.n_pairable:,}), coders ({f.n_coders:,}) and categories "
        f"({f.n_values:,}, of which {len(f.used):,} used)",
        "the share of annotations with several labels"
        + (", for each coder" if f.known_coders else ""),
        f"the entropy of the labels ({decimal(entropy, 2)} bits of at most log2 K = "
        f"{decimal(most, 2)})",
        f"{f.name(primary)} with its interval, A_o and A_e",
        "how often each label is final, beside how often it was given",
    )
