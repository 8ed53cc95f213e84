"""What the methods section must say where coders may give several labels."""

from __future__ import annotations

import math

from ..diagnosis.label_sets import CoderSets, Structure
from ..diagnosis.words import isolated, quoted
from ..measure.results import Agreement
from ..numbers import count_of, decimal, joined, percent
from .data import telling
from .final_labels import clear_decider
from .names import key_of_row, weights_text
from .study import Part

__all__ = ["design_of_sets", "final_of_sets", "labels_of_sets", "sizes_of_sets", "why_of_sets"]

MOST_LABELS = 6  # with their shares
FEW = 4  # coders, each with a share of its own

_LABEL_DRAW = (
    "expected agreement is that of coders who give as many labels as they gave, drawn without "
    "replacement from their own distribution of labels"
)
_WHY = {
    "boot_match": "Several labels can be right for an item, so two annotations were taken to "
    f"agree if they {{sharing}} (boot-match); {_LABEL_DRAW}",
    "augmented": "Several labels of an annotation were taken as doubt about the one right label, "
    "so each is one vote divided over its labels (augmented κ)",
    "alpha_masi": "Annotations were compared as sets of labels with MASI, which weighs the common "
    "labels and whether one set holds the other; α takes any number of coders and missing "
    "annotations",
    "alpha_jaccard": "Annotations were compared as sets of labels by the share of common labels "
    "among all of them (Jaccard)",
}


def design_of_sets(part: Part) -> str:
    """How many labels an annotation may hold, of how many."""
    scheme, found = part.found.scheme, part.found.structure
    n = count_of(len(scheme.categories), "label")
    most = scheme.max_labels or (found.largest if found else None)
    ranked = ", the first being the primary one" if scheme.ranked else ""
    return f", giving each up to {most} of {n}{ranked}" if most else f", giving each any of {n}"


def sizes_of_sets(part: Part) -> list[str]:
    """The share of annotations with several labels, by coder."""
    found = part.found.structure
    if found is None or not found.everybody.n_annotations:
        return []
    empty = found.everybody.n_by_size[0]
    answer = (
        f" {count_of(empty, 'annotation holds', 'annotations hold')} no label, which is an answer."
        if empty
        else ""
    )
    return [f"{_several(found)}.{answer}"]


def _several(found: Structure) -> str:
    known = telling(found)
    if not known:
        return f"{percent(found.everybody.share_several)} of the annotations hold several labels"
    if len(known) <= FEW:
        (first, *others) = known
        return (
            f"{isolated(str(first.coder))} gave several labels to {percent(first.share_several)} "
            f"of the items{', ' * (len(others) > 1) or ' and ' * bool(others)}{_others(others)}"
        )
    low, high = (f(known, key=lambda c: c.share_several) for f in (min, max))
    return (
        f"{percent(found.everybody.share_several)} of the annotations hold several labels, from "
        f"{percent(low.share_several)} ({isolated(str(low.coder))}) to "
        f"{percent(high.share_several)} ({isolated(str(high.coder))}) by coder"
    )


def _others(coders: list[CoderSets]) -> str:
    return joined(f"{isolated(str(c.coder))} to {percent(c.share_several)}" for c in coders)


def why_of_sets(part: Part) -> list[str]:
    """What counts as agreement and as chance, and that chance is exact."""
    row = part.main
    if row.undefined:
        return []
    key = key_of_row(row)
    if row.coefficient == "boot" and key != "boot_match":
        text = (
            f"Several labels can be right for an item; agreement of two annotations is "
            f"{weights_text(row.weights)} ({part.name(row)}), and {_LABEL_DRAW}"
        )
    else:
        text = _WHY.get(key, f"Agreement of two annotations is {weights_text(row.weights)}")
        text = text.replace("{sharing}", part.sharing)
    return [f"{text}{_exact(row)}."]


def _exact(row: Agreement) -> str:
    if row.coefficient != "boot":
        return ""
    pairs = ", averaged over pairs of coders" if row.n_coders > 2 else ""
    if math.isnan(row.expected_error):
        return f"{pairs}; it was computed exactly, not simulated"
    return f"{pairs}; it was simulated, with a standard error of {row.expected_error:.2g}"


def final_of_sets(part: Part) -> list[str]:
    """How many items have a final label, and who decides it."""
    found = part.found.structure
    if found is None or not found.final.n_items:
        return []
    final = found.final
    several = f" and several on {final.n_several:,}" if final.n_several else ""
    text = (
        f"The coders of an item share exactly one label on {final.n_one:,}{several} of "
        f"{count_of(final.n_items, 'item')}"
    )
    decider = clear_decider(found)
    if decider is None:
        return [f"{text}."]
    return [
        f"{text}; on {percent(decider.n_decides_alone / final.n_with_label)} of the items with a "
        f"common label {isolated(str(decider.coder))} alone decided it by giving fewer labels."
    ]


def labels_of_sets(part: Part) -> list[str]:
    """The distribution of the labels and its entropy."""
    found = part.found.structure
    if found is None or not found.everybody.n_labels:
        return []
    each = found.everybody
    order = sorted(range(len(found.categories)), key=lambda k: -each.n_by_label[k])
    used = [k for k in order if each.n_by_label[k]]
    texts = [
        f"{quoted(found.categories[k])} {percent(each.share_by_label[k])}"
        for k in used[:MOST_LABELS]
    ]
    rest = len(used) - len(texts)
    more = f" ({rest} more)" if rest > 0 else ""
    spread = (
        ""
        if math.isnan(each.entropy_share)
        else f"; their entropy is {decimal(each.entropy, 2)} bits, {percent(each.entropy_share)} "
        "of the largest possible"
    )
    return [f"Labels were distributed as {joined(texts)}{more}{spread}."]
