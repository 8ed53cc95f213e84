"""Findings about the data themselves: gaps, coders, categories, size."""

from __future__ import annotations

import math

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
    """Nobody to compare with."""
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
    """Several coders, but each on items of their own."""
    if f.n_coders < 2 or f.n_pairable:
        return None
    return Finding(
        "nothing_to_compare", "problem",
        f"{count_of(f.n_coders, 'coder')} annotated {count_of(f.n_annotated, 'item')}, "
        "but no item was annotated by two of them.",
        "Check that the same item has the same id for all coders. If it has, let coders "
        "annotate a common sample.",
        {"n_coders": f.n_coders, "n_annotated": f.n_annotated},
        ("artstein2008",), f.question,
    )  # fmt: skip


@rule
def no_overlap(f: Facts) -> Finding | None:
    """Pairs of coders that were never compared."""
    if not f.n_pairs_apart or not f.n_pairable:
        return None
    groups = (
        f" They fall into {f.n_groups} groups that share no item, so nothing tells how one group "
        "compares with another."
        if f.n_groups > 1
        else ""
    )
    return Finding(
        "no_overlap", "warning" if f.n_groups > 1 else "note",
        f"{f.n_pairs_apart:,} of {count_of(f.n_pairs, 'pair')} of coders have no item in common."
        f"{groups}",
        "The figures speak of the pairs that met. Give some items to all coders."
        if f.n_groups > 1
        else "The figures speak of the pairs that met; the table of pairs shows which.",
        {"n_pairs": f.n_pairs, "n_pairs_apart": f.n_pairs_apart, "n_groups": f.n_groups},
        (), f.question,
    )  # fmt: skip


@rule
def pairs_without_kappa(f: Facts) -> Finding | None:
    """Light's κ rests on some pairs of coders only."""
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
        "Say how many pairs it rests on. π, κ and α use the annotations of every pair.",
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
    """Items nobody annotated."""
    n = f.n_items - f.n_annotated
    if not n:
        return None
    return Finding(
        "items_without_annotations", "note",
        f"{n:,} of {count_of(f.n_items, 'item')} have no annotation and are left out.",
        "Check that this was intended.",
        {"n_items": f.n_items, "n_annotated": f.n_annotated}, (), f.question,
    )  # fmt: skip


@rule
def single_annotations(f: Facts) -> Finding | None:
    """Items with one annotation: no evidence about agreement."""
    if not f.n_single or not f.n_pairable:
        return None
    share = f.n_single / f.n_annotated
    use = "label draw and κ" if f.label_sets else "S, π, κ and AC"
    return Finding(
        "single_annotations", "warning" if share > 0.5 else "note",
        f"{f.n_single:,} of {count_of(f.n_annotated, 'item')} ({percent(share)}) "
        f"{'was' if f.n_single == 1 else 'were'} annotated by one coder only. Such items say "
        f"nothing about agreement; {use} use them to estimate what chance does, α leaves them out.",
        "Report how many items the agreement rests on: "
        f"{f.n_pairable:,}. It holds for the others only if these were chosen at random.",
        {"n_single": f.n_single, "n_pairable": f.n_pairable},
        ("gwet2014", "krippendorff2011"), f.question,
    )  # fmt: skip


@rule
def missing(f: Facts) -> Finding | None:
    """Not every coder annotated every item."""
    if f.complete or not f.n_pairable:
        return None
    return Finding(
        "missing", "note",
        f"{percent(f.missing_share)} of the {f.n_annotated:,} × {f.n_coders:,} possible "
        "annotations are missing.",
        "Nothing was filled in, and no item was dropped because a coder missed it. α was made "
        "for such data. If coders skipped the hard items, agreement looks better than it is.",
        {"missing_share": f.missing_share, "n_annotations": f.n_annotations},
        ("krippendorff2011", "gwet2014"), f.question,
    )  # fmt: skip


@rule
def unknown_coders(f: Facts) -> Finding | None:
    """Counts only."""
    if f.known_coders or f.n_coders < 2:
        return None
    needs, use = ("Label draw, κ", "α (MASI)") if f.label_sets else ("κ", "π or α")
    return Finding(
        "unknown_coders", "note",
        "The data tell how many coders gave which label, not which coders.",
        f"{needs} and everything about single coders need to know that. Use {use}.",
        {"n_coders": f.n_coders}, ("fleiss1971",), f.question,
    )  # fmt: skip


@rule
def few_items(f: Facts) -> Finding | None:
    """Too few items for a large-sample interval."""
    if not 0 < f.n_pairable < FEW_ITEMS:
        return None
    return Finding(
        "few_items", "warning",
        f"Agreement rests on {count_of(f.n_pairable, 'item')}.",
        "Read the intervals as rough. A bootstrap interval is a useful second opinion; more "
        "items are better.",
        {"n_pairable": f.n_pairable, "few": FEW_ITEMS}, ("gwet2014",), f.question,
    )  # fmt: skip


@rule
def wide_interval(f: Facts) -> Finding | None:
    """The interval spans more than one verdict."""
    found = f.judged
    width = found.high - found.low
    if math.isnan(width) or width <= WIDE:
        return None
    return Finding(
        "wide_interval", "warning",
        f"{f.name(f.judged_key)} = {decimal(found.value)} could be anything from "
        f"{decimal(found.low)} to {decimal(found.high)} ({level_text(found.level)} interval).",
        "Do not compare the bare value with a threshold. The width shrinks with the square root "
        f"of the items: for half of it, about {4 * f.n_pairable:,} items are needed.",
        {"value": found.value, "low": found.low, "high": found.high},
        ("gwet2014", "hayes2007"), f.question,
    )  # fmt: skip


@rule
def rare_category(f: Facts) -> Finding | None:
    """Categories with a handful of annotations."""
    rare = [(v, n) for v, n in reversed(f.used) if n < RARE]
    if not rare or len(f.used) < 2 or not f.n_pairable or f.n_values > f.n_annotated:
        return None
    shown = ", ".join(f"{quoted(v)} ({n})" for v, n in rare[:5])
    moves = "its own κ and so the mean over labels" if f.label_sets else "κ, π and α"
    return Finding(
        "rare_category", "warning",
        f"{count_of(len(rare), 'category was', 'categories were')} given fewer than {RARE} times: "
        f"{shown}{' …' if len(rare) > 5 else ''}.",
        "These data cannot show whether coders recognise them, and a single disagreement on one "
        f"moves {moves}. Add items that are likely to show them, or report them apart.",
        {"rare": rare}, ("hoek2017", "hripcsak2002"), f.question,
    )  # fmt: skip


@rule
def unused_categories(f: Facts) -> Finding | None:
    """Declared, never given."""
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
        "Say how many categories the scheme has and how many were used."
        + ("" if f.label_sets else " AC and S rise with every category that nobody needs, so do "
           "not compare them between schemes."),
        {"unused": f.unused, "with": {k: f.value(k) for k in ("s", "ac")},
         "without": dict(f.without_unused)},
        ("hoek2017", "gwet2014"), f.question,
    )  # fmt: skip


@rule
def undeclared_categories(f: Facts) -> Finding | None:
    """The categories were read off the data."""
    if f.declared or not f.n_pairable or f.label_sets or f.n_values > f.n_annotated:
        return None
    return Finding(
        "undeclared_categories", "note",
        "The scheme was not given, so its categories are those that occur in the data: "
        f"{f.n_values:,}.",
        "If coders had more to choose from, give categories=[…]: S and AC depend on their number.",
        {"n_values": f.n_values}, ("gwet2014",), f.question,
    )  # fmt: skip


@rule
def numbers_as_names(f: Facts) -> Finding | None:
    """Numeric labels without a scale."""
    if not f.numeric or f.weighted or f.scale != "nominal":
        return None
    grades = sorted((v for v, _ in f.used), key=lambda v: float(str(v)))
    return Finding(
        "numbers_as_names", "warning",
        f"The labels are numbers ({listed(grades, most=6)}) and count as names: "
        f"{quoted(grades[0])} against {quoted(grades[1])} is as bad as {quoted(grades[0])} "
        f"against {quoted(grades[-1])}.",
        "If they are grades or measurements, give scale='ordinal', 'interval' or 'ratio'.",
        {"n_values": f.n_values}, ("krippendorff2011", "cohen1968"), f.question,
    )  # fmt: skip
