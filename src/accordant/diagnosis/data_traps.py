"""Findings about the data themselves: gaps, coders, categories, size."""

from __future__ import annotations

import math

from ..actions import Action
from ..numbers import decimal, level_text
from .facts import Facts
from .finding import Catalogue, Told
from .words import listed, quoted

__all__ = ["DATA", "FEW_ITEMS", "RARE", "WIDE"]

DATA = Catalogue()

FEW_ITEMS = 30  # below, a t interval leans heavily on normality; our convention
RARE = 5  # fewer annotations of a category say next to nothing about it; our convention
WIDE = 0.2  # the width of an interval that reaches from .667 beyond .800
MOST = 5  # categories in a sentence


@DATA.rule("problem", "artstein2008")
def one_coder(f: Facts) -> Told | None:
    """One coder.

    There is nothing to compare: {who} annotated anything.

    Have at least some of the items annotated by a second coder, independently.
    """
    if f.n_coders >= 2:
        return None
    who = f"only {quoted(f.coders[0])}" if f.coders else "nobody"
    return Told({"n_coders": f.n_coders, "n_annotations": f.n_annotations}, {"who": who})


@DATA.rule("problem", "artstein2008")
def nothing_to_compare(f: Facts) -> Told | None:
    """No shared items.

    {n_coders:coder} annotated {n_annotated:item}, but no item was annotated by two of them.

    Check that the same item has the same id for all coders. If it has, have coders annotate a
    common sample.
    """
    if f.n_coders < 2 or f.n_pairable:
        return None
    return Told({"n_coders": f.n_coders, "n_annotated": f.n_annotated})


@DATA.rule("note")
def no_overlap(f: Facts) -> Told | None:
    """Pairs of coders without shared items.

    {n_pairs_apart:,} of {n_pairs:pair} of coders have no item in common.{groups}

    {advice}
    """
    if not f.n_pairs_apart or not f.n_pairable:
        return None
    facts = {"n_pairs": f.n_pairs, "n_pairs_apart": f.n_pairs_apart, "n_groups": f.n_groups}
    if f.n_groups == 1:
        advice = "Agreement is measured on the other pairs only; the table of pairs shows which."
        return Told(facts, {"groups": "", "advice": advice})
    groups = (
        f" Coders fall into {f.n_groups} groups that share no item, so groups cannot be compared."
    )
    advice = "Give some items to all coders: agreement is measured on the other pairs only."
    return Told(facts, {"groups": groups, "advice": advice}, "warning")


@DATA.rule("note")
def items_without_annotations(f: Facts) -> Told | None:
    """Items without annotations.

    {n:,} of {n_items:item} have no annotation and are left out.

    Check whether this was intended.
    """
    n = f.n_items - f.n_annotated
    return Told({"n_items": f.n_items, "n_annotated": f.n_annotated}, {"n": n}) if n else None


@DATA.rule("note", "gwet2014", "krippendorff2011")
def single_annotations(f: Facts) -> Told | None:
    """Items with a single annotation.

    {n_single:,} of {f.n_annotated:item} ({share:%}) {n_single:was|were} annotated by one coder
    only. Such items are no evidence of agreement; {use} use them to estimate expected agreement, α
    excludes them.

    Report on how many items agreement is measured: {n_pairable:,}. It holds for the others only if
    these were chosen at random.
    """
    if not f.n_single or not f.n_pairable:
        return None
    share = f.n_single / f.n_annotated
    return Told(
        {"n_single": f.n_single, "n_pairable": f.n_pairable},
        {"share": share, "use": "label draw and κ" if f.label_sets else "S, π, κ and AC"},
        "warning" if share > 0.5 else "note",
    )


@DATA.rule("note", "krippendorff2011", "gwet2014")
def missing(f: Facts) -> Told | None:
    """Missing annotations.

    {missing_share:%} of the {f.n_annotated:,} × {f.n_coders:,} possible annotations are missing.

    Check whether coders skipped difficult items: agreement would then look better than it is.
    Nothing was imputed, and no item was dropped because a coder missed it.
    """
    if f.complete or not f.n_pairable:
        return None
    return Told({"missing_share": f.missing_share, "n_annotations": f.n_annotations})


@DATA.rule("note", "fleiss1971")
def unknown_coders(f: Facts) -> Told | None:
    """Unknown coders.

    The data show how many coders gave which label, not which coders.

    Use {use}: {needs} and results about single coders need to know who annotated what.
    """
    if f.known_coders or f.n_coders < 2:
        return None
    needs, use = ("Label draw, κ", "α (MASI)") if f.label_sets else ("κ", "π or α")
    return Told({"n_coders": f.n_coders}, {"needs": needs, "use": use})


@DATA.rule("warning", "gwet2014")
def few_items(f: Facts) -> Told | None:
    """Few items.

    Agreement is measured on only {n_pairable:item}, so intervals are approximate.

    Annotate more items, or compare with a bootstrap interval.
    """
    if not 0 < f.n_pairable < FEW_ITEMS:
        return None
    return Told({"n_pairable": f.n_pairable, "few": FEW_ITEMS})


@DATA.rule("warning", "gwet2014", "hayes2007")
def wide_interval(f: Facts) -> Told | None:
    """Wide interval.

    {name} = {value:.3}, but its {level} interval goes from {low:.3} to {high:.3}.

    Do not compare the estimate alone with a threshold. For an interval half as wide, about
    {needed:,} items are needed.
    """
    found = f.judged
    width = found.high - found.low
    if math.isnan(width) or width <= WIDE:
        return None
    words = {"name": f.name(f.judged_key), "level": level_text(found.level)}
    return Told(
        {"value": found.value, "low": found.low, "high": found.high},
        words | {"needed": 4 * f.n_pairable},
    )


@DATA.rule("warning", "hoek2017", "hripcsak2002")
def rare_category(f: Facts) -> Told | None:
    """Rare categories.

    {n:category} {n:was|were} given fewer than {least} times: {shown}{more}.

    Add items that are likely to belong to them, or report them separately. So few annotations do
    not show whether coders recognise them, and a single disagreement changes {moves}.
    """
    rare = [(v, n) for v, n in reversed(f.used) if n < RARE]
    if not rare or len(f.used) < 2 or not f.n_pairable or f.n_values > f.n_annotated:
        return None
    return Told(
        {"rare": rare},
        {
            "n": len(rare),
            "least": RARE,
            "shown": ", ".join(f"{quoted(v)} ({n})" for v, n in rare[:MOST]),
            "more": " …" if len(rare) > MOST else "",
            "moves": "its own κ and so the mean over labels" if f.label_sets else "κ, π and α",
        },
    )


@DATA.rule("note", "hoek2017", "gwet2014")
def unused_categories(f: Facts) -> Told | None:
    """Unused categories.

    {n} of {f.n_values:category} {n:was|were} never used: {unused:listed}.{change}

    Report how many categories the scheme has and how many were used.{rise}
    """
    if not f.unused or not f.declared or not f.n_annotations:
        return None
    change, fewer = "", f.without_unused
    if fewer and not math.isnan(fewer["ac"]):
        change = (
            f" AC is {f.shown('ac')} with them in the scheme and {decimal(fewer['ac'])} without, "
            f"S {f.shown('s')} and {decimal(fewer['s'])}."
        ) + ("" if f.weighted else " π, κ and α do not change.")
    rise = (
        " AC and S rise with every unused category, so do not compare them between schemes."
        if not f.label_sets
        else ""
    )
    known = {k: f.value(k) for k in ("s", "ac")}
    return Told(
        {"unused": f.unused, "with": known, "without": dict(fewer)},
        {"n": len(f.unused), "change": change, "rise": rise},
        "warning" if change else "note",
    )


@DATA.rule("note", "gwet2014")
def undeclared_categories(f: Facts) -> Told | None:
    """Categories from the data.

    The scheme was not given, so its categories are those that occur in the data: {n_values:,}.

    Give all categories if coders had more to choose from: S and AC depend on their number.
    """
    if f.declared or not f.n_pairable or f.label_sets or f.n_values > f.n_annotated:
        return None
    given = {"categories": [...] if f.question is None else {f.question: [...]}}
    return Told({"n_values": f.n_values}, do=(Action("", given),))


@DATA.rule("warning", "krippendorff2011", "cohen1968")
def numbers_as_names(f: Facts) -> Told | None:
    """Numbers treated as nominal.

    The labels are numbers ({grades}) and treated as nominal: {first:quoted} against
    {second:quoted} counts as much as {first:quoted} against {last:quoted}.

    Give the scale if they are ordered categories or measurements.
    """
    if not f.numeric or f.weighted or f.scale != "nominal":
        return None
    grades = sorted((v for v, _ in f.used), key=lambda v: float(str(v)))
    scales = {"ordinal": "ordered categories", "interval": "measurements"}
    first, second, *_, last = grades
    words = {"grades": listed(grades, most=6), "first": first, "second": second, "last": last}
    actions = (
        Action("", {"scale": scale if f.question is None else {f.question: scale}}, why)
        for scale, why in scales.items()
    )
    return Told({"n_values": f.n_values}, words, do=tuple(actions))
