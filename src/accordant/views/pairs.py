"""Coder by coder: how far every pair agrees."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from ..diagnosis.pairs import CoderPairs
from ..diagnosis.set_pairs import SetPairs
from ..diagnosis.words import isolated
from ..numbers import count_of, decimal, percent
from .document import Block, Cell, Column, Matrix, Table
from .names import weights_text
from .study import Part

__all__ = ["pair_blocks"]

MOST_ROWS = 100
FEW_NAMES = 12  # coders whose cells have room for two numbers
MOST_NAMES = 24  # coders of a heat map that a page can show


def pair_blocks(part: Part) -> Iterator[Block]:
    """Coder x coder: kappa above the diagonal and below it, with the number of common items."""
    found = part.found.pairs
    if not len(found.coders):
        return
    order = sorted(range(len(found.coders)), key=lambda c: -_mean(found, c))[:MOST_NAMES]
    names = tuple(found.coders[c] for c in order)
    cells = tuple(
        tuple(_pair_cell(part, a, b, upper=order.index(a) < order.index(b)) for b in order)
        for a in order
    )
    agreement = "mean agreement" if part.of_sets else "percent agreement"
    below = (
        f"{agreement}; the list has the numbers of common items, and “·” means none"
        if len(order) > FEW_NAMES
        else f"{agreement} and, in brackets, the number of common items; “·” means none"
    )
    notes = [
        f"Above the diagonal: Cohen's κ of the two coders. Below: {below}.",
        f"{_mean_of(found)}; weights: {weights_text(found.weights)}.",
    ]
    if found.n_without_overlap:
        notes.append(f"{count_of(found.n_without_overlap, 'pair')} without a common item.")
    hidden = len(part.found.coders.coders) - len(order)
    if hidden:
        notes.append(
            f"The {len(order)} coders with the highest mean are shown; {hidden:,} more are not."
        )
    yield Matrix(_pair_title(part), "coder", "coder", names, names, cells, notes=tuple(notes))
    yield _pair_table(part)
    if part.found.set_pairs is not None and len(found.coders) > 2:
        yield from _sets_table(part.found.set_pairs)


def _mean_of(found: CoderPairs) -> str:
    """Light's kappa with the pairs that it rests on."""
    n = found.n_pairs - found.n_without_kappa
    if not n:
        return "No pair has a κ"
    of = f" over {n:,} of {count_of(found.n_pairs, 'pair')}" if found.n_without_kappa else ""
    shown = " of the coders compared" if found.left_out else ""
    return f"The mean of the pairwise κ{shown} (Light 1971) is {decimal(found.light)}{of}"


def _mean(found: CoderPairs, c: int) -> float:
    x = float(found.mean_of_coder(found.percent)[c])
    return -1.0 if math.isnan(x) else x


def _pair_title(part: Part) -> str:
    rows = [r for r in part.found.pairs.to_rows() if not math.isnan(r["kappa"])]
    if not rows:
        return "No pair of coders has a defined κ"
    low, high = min(rows, key=lambda r: r["kappa"]), max(rows, key=lambda r: r["kappa"])
    return (
        f"Pairwise κ runs from {decimal(low['kappa'])} ({_who(low)}) to {decimal(high['kappa'])} "
        f"({_who(high)})"
    )


def _who(row: dict[str, Any]) -> str:
    both = f"{isolated(row['first'])} and {isolated(row['second'])}"
    return f"{both}, {count_of(row['n_common'], 'item')}"


def _pair_cell(part: Part, a: int, b: int, *, upper: bool) -> Cell:
    found = part.found.pairs
    n = int(found.n_common[a, b])
    if a == b:
        return Cell("", math.nan)
    if n == 0:
        return Cell("·", math.nan, spoken=f"{found.coders[a]} and {found.coders[b]} share no item")
    value = float((found.kappa if upper else found.percent)[a, b])
    common = f" ({n:,})" if len(found.coders) <= FEW_NAMES else ""
    text = decimal(value) if upper else f"{percent(value, 0)}{common}"
    what = "κ" if upper else "agreement"
    who = f"{found.coders[a]} and {found.coders[b]}"
    spoken = f"{who}: {what} {decimal(value)}, {count_of(n, 'item')}"
    level = 0 if math.isnan(value) else max(0, min(10, round(10 * value)))
    return Cell(text, value, level, "agree", None, spoken)


def _pair_table(part: Part) -> Table:
    rows = sorted(part.found.pairs.to_rows(), key=lambda r: (-(r["n_common"]), r["first"]))
    rows = [
        {"pair": f"{isolated(r['first'])} – {isolated(r['second'])}", **r}
        for r in rows
        if r["n_common"]
    ]
    notes: tuple[str, ...] = ()
    if len(rows) > MOST_ROWS:
        notes = (f"The {MOST_ROWS} pairs with the most common items of {len(rows):,} are shown.",)
    columns = (
        Column("pair", "coders"),
        Column("n_common", "items", "count"),
        Column("percent", "agreement", "share"),
        Column("kappa", "Cohen's κ", "value"),
    )
    return Table("All pairs as a list", columns, tuple(rows[:MOST_ROWS]), notes, depth="detail")


def _sets_table(found: SetPairs) -> Iterator[Table]:
    """The measures of Marchal et al. (2022), which are about two coders, for every two."""
    if not found.pairs:
        return
    rows = sorted(found.to_rows(), key=lambda r: (math.isnan(r["boot_match"]), -r["boot_match"]))
    columns = (
        Column("pair", "coders"),
        Column("n_common", "items", "count", "that both annotated"),
        Column("observed", "observed", "value", "share a label, or both give none"),
        Column("expected", "expected", "value", "by label draw, from these items"),
        Column("boot_match", "boot-match", "value", "(observed − expected) / (1 − expected)"),
        Column("boot_precision", "precision", "value", "boot-precision"),
        Column("boot_recall", "recall", "value", "boot-recall"),
    )
    yield Table(
        "Boot-match of every pair of coders",
        columns,
        tuple({"pair": f"{isolated(r['first'])} – {isolated(r['second'])}", **r} for r in rows),
        _sets_notes(found),
        depth="detail" if len(rows) > 15 else "main",
    )


def _sets_notes(found: SetPairs) -> tuple[str, ...]:
    undefined = dict.fromkeys(str(p.undefined) for p in found.pairs if p.undefined)
    return (
        "Chance is label draw, each coder with the habits shown on the items of the pair. "
        "Precision: share of the labels of the first coder that the second gave too; recall: of "
        "those of the second that the first gave too; both corrected for chance. The observed "
        "shares stand in the table of who gives more labels.",
        *(f"“—” for boot-match: {why}." for why in undefined),
        *([found.reason] if found.reason else []),
    )
