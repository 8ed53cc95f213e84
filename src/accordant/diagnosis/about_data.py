"""Findings about the data themselves: gaps, coders, categories, size."""

from __future__ import annotations

import math

from ..actions import Action
from ..numbers import count_of, decimal, level_text, percent
from .facts import Facts
from .finding import Finding, rule
from .words import listed, quoted

__all__ = [
    "FEW_ITEMS", "RARE", "WIDE", "few_items", "few_shared_items",
    "items_without_annotations", "missing", "no_overlap", "nothing_to_compare",
    "numbers_as_names", "one_coder", "pairs_without_kappa", "rare_category", "single_annotations",
    "undeclared_categories", "unknown_coders", "unused_categories", "wide_interval",
]  # fmt: skip

FEW_ITEMS = 30  # below, a t interval leans heavily on normality; our convention
RARE = 5  # fewer annotations of a category say next to nothing about it; our convention
WIDE = 0.2  # the width of an interval that reaches from .667 beyond .800


@rule
def one_coder(f: Facts) -> Finding | None:
    """One coder."""
    if f.n_coders >= 2:
        return None
    who = (
        f"only {quoted(f.coders[0])} annotated anything"
        if f.coders
        else "nobody annotated anything"
    )
    return Finding(
        "one_coder", "problem",
        f"There is nothing to compare: {who}.",
        "Have at least some of the items annotated by a second coder, independently.",
        {"n_coders": f.n_coders, "n_annotations": f.n_annotations},
        ("artstein2008",), f.question,
    )  # fmt: skip


@rule
def nothing_to_compare(f: Facts) -> Finding | None:
    """No shared items."""
    if f.n_coders < 2 or f.n_pairable:
        return None
    return Finding(
        "nothing_to_compare", "problem",
        f"{count_of(f.n_coders, 'coder')} annotated {count_of(f.n_annotated, 'item')}, "
        "but no item was annotated by two of them.",
        "Check that the same item has the same id for all coders. If it has, have coders annotate "
        "a common sample.",
        {"n_coders": f.n_coders, "n_annotated": f.n_annotated},
        ("artstein2008",), f.question,
    )  # fmt: skip


@rule
def no_overlap(f: Facts) -> Finding | None:
    """Pairs of coders without shared items."""
    if not f.n_pairs_apart or not f.n_pairable:
        return None
    groups = (
        f" Coders fall into {f.n_groups} groups that share no item, so groups cannot be compared."
        if f.n_groups > 1
        else ""
    )
    return Finding(
        "no_overlap", "warning" if f.n_groups > 1 else "note",
        f"{f.n_pairs_apart:,} of {count_of(f.n_pairs, 'pair')} of coders have no item in common."
        f"{groups}",
        "Give some items to all coders: agreement is measured on the other pairs only."
        if f.n_groups > 1
        else "Agreement is measured on the other pairs only; the table of pairs shows which.",
        {"n_pairs": f.n_pairs, "n_pairs_apart": f.n_pairs_apart, "n_groups": f.n_groups},
        (), f.question,
    )  # fmt: skip


@rule
def pairs_without_kappa(f: Facts) -> Finding | None:
    """Light's κ on some pairs only."""
    n, apart = f.n_pairs_without_kappa, f.n_pairs_apart
    if not n or math.isnan(f.value("light")):
        return None
    still = n - apart
    why = [
        *([f"{apart:,} {'has' if apart == 1 else 'have'} no item in common"] if apart else []),
        *([f"{still:,} {'shows' if still == 1 else 'show'} no variation on the items in common"]
          if still else []),
    ]  # fmt: skip
    return Finding(
        "pairs_without_kappa", "note",
        f"Light's κ is the mean over {f.n_pairs - n:,} of {count_of(f.n_pairs, 'pair')} of coders, "
        f"because {n:,} have no κ: {' and '.join(why)}.",
        "Report on how many pairs it is computed. π, κ and α use the annotations of every pair.",
        {"n_pairs": f.n_pairs, "n_pairs_without_kappa": n, "n_pairs_apart": apart},
        ("light1971", "conger1980"), f.question,
    )  # fmt: skip


@rule
def few_shared_items(f: Facts) -> Finding | None:
    """Light's κ says nothing where pairs of coders share few items."""
    if f.shared is None or not f.shared.few:
        return None
    return Finding(
        "few_shared_items", "note",
        f"Two coders share {f.shared.per_pair:,.3g} of {f.shared.n_items:,.0f} items on average, "
        "too few for the mean of their κ (Light): it is biased, and its error is not known.",
        "Report π, κ or α, which use the annotations of all coders together.",
        {
            "shared_per_pair": f.shared.per_pair, "n_items": f.shared.n_items,
            "disputed_by_chance": f.shared.disputed_by_chance,
        },
        ("light1971", "conger1980"), f.question,
    )  # fmt: skip


@rule
def items_without_annotations(f: Facts) -> Finding | None:
    """Items without annotations."""
    n = f.n_items - f.n_annotated
    if not n:
        return None
    return Finding(
        "items_without_annotations", "note",
        f"{n:,} of {count_of(f.n_items, 'item')} have no annotation and are left out.",
        "Check whether this was intended.",
        {"n_items": f.n_items, "n_annotated": f.n_annotated}, (), f.question,
    )  # fmt: skip


@rule
def single_annotations(f: Facts) -> Finding | None:
    """Items with a single annotation."""
    if not f.n_single or not f.n_pairable:
        return None
    share = f.n_single / f.n_annotated
    use = "label draw and κ" if f.label_sets else "S, π, κ and AC"
    return Finding(
        "single_annotations", "warning" if share > 0.5 else "note",
        f"{f.n_single:,} of {count_of(f.n_annotated, 'item')} ({percent(share)}) "
        f"{'was' if f.n_single == 1 else 'were'} annotated by one coder only. Such items are no "
        f"evidence of agreement; {use} use them to estimate expected agreement, α excludes them.",
        f"Report on how many items agreement is measured: {f.n_pairable:,}. It holds for the "
        "others only if these were chosen at random.",
        {"n_single": f.n_single, "n_pairable": f.n_pairable},
        ("gwet2014", "krippendorff2011"), f.question,
    )  # fmt: skip


@rule
def missing(f: Facts) -> Finding | None:
    """Missing annotations."""
    if f.complete or not f.n_pairable:
        return None
    return Finding(
        "missing", "note",
        f"{percent(f.missing_share)} of the {f.n_annotated:,} × {f.n_coders:,} possible "
        "annotations are missing.",
        "Check whether coders skipped difficult items: agreement would then look better than it "
        "is. Nothing was imputed, and no item was dropped because a coder missed it.",
        {"missing_share": f.missing_share, "n_annotations": f.n_annotations},
        ("krippendorff2011", "gwet2014"), f.question,
    )  # fmt: skip


@rule
def unknown_coders(f: Facts) -> Finding | None:
    """Unknown coders."""
    if f.known_coders or f.n_coders < 2:
        return None
    needs, use = ("Label draw, κ", "α (MASI)") if f.label_sets else ("κ", "π or α")
    return Finding(
        "unknown_coders", "note",
        "The data show how many coders gave which label, not which coders.",
        f"Use {use}: {needs} and results about single coders need to know who annotated what.",
        {"n_coders": f.n_coders}, ("fleiss1971",), f.question,
    )  # fmt: skip


@rule
def few_items(f: Facts) -> Finding | None:
    """Few items."""
    if not 0 < f.n_pairable < FEW_ITEMS:
        return None
    return Finding(
        "few_items", "warning",
        f"Agreement is measured on only {count_of(f.n_pairable, 'item')}, so intervals are "
        "approximate.",
        "Annotate more items, or compare with a bootstrap interval.",
        {"n_pairable": f.n_pairable, "few": FEW_ITEMS}, ("gwet2014",), f.question,
    )  # fmt: skip


@rule
def wide_interval(f: Facts) -> Finding | None:
    """Wide interval."""
    found = f.judged
    width = found.high - found.low
    if math.isnan(width) or width <= WIDE:
        return None
    return Finding(
        "wide_interval", "warning",
        f"{f.name(f.judged_key)} = {decimal(found.value)}, but its {level_text(found.level)} "
        f"interval goes from {decimal(found.low)} to {decimal(found.high)}.",
        "Do not compare the estimate alone with a threshold. For an interval half as wide, about "
        f"{4 * f.n_pairable:,} items are needed.",
        {"value": found.value, "low": found.low, "high": found.high},
        ("gwet2014", "hayes2007"), f.question,
    )  # fmt: skip


@rule
def rare_category(f: Facts) -> Finding | None:
    """Rare categories."""
    rare = [(v, n) for v, n in reversed(f.used) if n < RARE]
    if not rare or len(f.used) < 2 or not f.n_pairable or f.n_values > f.n_annotated:
        return None
    shown = ", ".join(f"{quoted(v)} ({n})" for v, n in rare[:5])
    moves = "its own κ and so the mean over labels" if f.label_sets else "κ, π and α"
    return Finding(
        "rare_category", "warning",
        f"{count_of(len(rare), 'category was', 'categories were')} given fewer than {RARE} times: "
        f"{shown}{' …' if len(rare) > 5 else ''}.",
        "Add items that are likely to belong to them, or report them separately. So few "
        "annotations do not show whether coders recognise them, and a single disagreement changes "
        f"{moves}.",
        {"rare": rare}, ("hoek2017", "hripcsak2002"), f.question,
    )  # fmt: skip


@rule
def unused_categories(f: Facts) -> Finding | None:
    """Unused categories."""
    if not f.unused or not f.declared or not f.n_annotations:
        return None
    change = ""
    if f.without_unused and not math.isnan(f.without_unused["ac"]):
        fewer = f.without_unused
        change = (
            f" AC is {f.shown('ac')} with them in the scheme and {decimal(fewer['ac'])} without, "
            f"S {f.shown('s')} and {decimal(fewer['s'])}."
        ) + ("" if f.weighted else " π, κ and α do not change.")
    return Finding(
        "unused_categories", "warning" if change else "note",
        f"{len(f.unused)} of {count_of(f.n_values, 'category', 'categories')} "
        f"{'was' if len(f.unused) == 1 else 'were'} never used: "
        f"{listed(f.unused)}.{change}",
        "Report how many categories the scheme has and how many were used."
        + ("" if f.label_sets else " AC and S rise with every unused category, so do not compare "
           "them between schemes."),
        {"unused": f.unused, "with": {k: f.value(k) for k in ("s", "ac")},
         "without": dict(f.without_unused)},
        ("hoek2017", "gwet2014"), f.question,
    )  # fmt: skip


@rule
def undeclared_categories(f: Facts) -> Finding | None:
    """Categories from the data."""
    if f.declared or not f.n_pairable or f.label_sets or f.n_values > f.n_annotated:
        return None
    return Finding(
        "undeclared_categories", "note",
        "The scheme was not given, so its categories are those that occur in the data: "
        f"{f.n_values:,}.",
        "Give all categories if coders had more to choose from: S and AC depend on their number.",
        {"n_values": f.n_values}, ("gwet2014",), f.question,
        do=(Action("", {"categories": [...] if f.question is None else {f.question: [...]}}),),
    )  # fmt: skip


@rule
def numbers_as_names(f: Facts) -> Finding | None:
    """Numbers treated as nominal."""
    if not f.numeric or f.weighted or f.scale != "nominal":
        return None
    grades = sorted((v for v, _ in f.used), key=lambda v: float(str(v)))
    return Finding(
        "numbers_as_names", "warning",
        f"The labels are numbers ({listed(grades, most=6)}) and treated as nominal: "
        f"{quoted(grades[0])} against {quoted(grades[1])} counts as much as {quoted(grades[0])} "
        f"against {quoted(grades[-1])}.",
        "Give the scale if they are ordered categories or measurements.",
        {"n_values": f.n_values}, ("krippendorff2011", "cohen1968"), f.question,
        do=tuple(
            Action("", {"scale": scale if f.question is None else {f.question: scale}}, why)
            for scale, why in (("ordinal", "ordered categories"), ("interval", "measurements"))
        ),
    )  # fmt: skip
