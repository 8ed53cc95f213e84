"""Coefficients with intervals, observed and expected agreement, and what to know about them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from typing import Any

from ..diagnosis.agreement import AgreementPart
from ..fields import columns
from ..measure.coefficients import COEFFICIENTS
from ..measure.results import Agreement
from ..numbers import count_of, decimal, joined, level_text, percent
from .charts import corrected, intervals
from .document import Block, Chart, Prose, Table
from .names import coefficient_name, weights_text
from .view import view

__all__ = ["coefficients", "methods_text", "sources_of", "undefined_notes"]

KEYS = "name value interval observed expected se p_value n_pairable"
OF_SETS = "name observed expected value interval n_pairable counts_as"
KEEP = ("name", "value", "interval", "observed", "expected", "n_pairable", "p_value")
MEANS = ("label_kappa", "label_alpha")
_DF = re.compile(r"\(\d+\)")
_OF_WEIGHTS = {"divided-vote": ("rosenberg2004",), "masi": ("passonneau2006",)}


@view("coefficients", of="agreement", title="Agreement", chapter="agreement", place=20)
def coefficients(part: AgreementPart) -> Iterator[Block]:
    """Every coefficient of a question with its ingredients, drawn where it can be."""
    rows = part.rows
    table = Table("", columns(_keys(part)), tuple(map(_row, rows)), tuple(_notes(part)), keep=KEEP)
    if all(row.n_pairable == 0 or row.undefined for row in rows):
        yield table
    elif part.of_sets:
        names = (
            f"dot: adjusted, with its {level_text(part.level)} interval",
            "line below it: from chance (tick) to what was observed (ring)",
        )
        yield Chart(_finding_of_sets(part), corrected(table.rows, title=names), table)
    else:
        axis = f"coefficient with its {level_text(part.level)} interval"
        yield Chart(_finding(part), intervals(table.rows, title=axis), table)


@view("basis", of="agreement", title="", place=10)
def basis(part: AgreementPart) -> Iterator[Block]:
    """What the figures rest on, in one line."""
    row, data = part.rows[0], part.data
    yield Prose(" · ".join([
        count_of(row.n_items, "item"),
        "unknown coders" if data.anonymous else count_of(row.n_coders, "coder"),
        count_of(row.n_annotations, "annotation"),
    ]))  # fmt: skip


def _keys(part: AgreementPart) -> str:
    if part.of_sets:
        return OF_SETS
    return KEYS if len({row.weights for row in part.rows}) == 1 else f"{KEYS} weights"


def _row(row: Agreement) -> dict[str, Any]:
    of_sets = _sets(row)
    return {
        **row.to_rows()[0],
        "name": coefficient_name(row, of_sets=of_sets),
        "weights": weights_text(row.weights),
        "counts_as": what_counts(row) if of_sets else "",
        # that two coders agree at all is no hypothesis
        "p_value": row.p_value if row.coefficient != "percent" else math.nan,
    }


def _sets(row: Agreement) -> bool:
    return COEFFICIENTS[row.coefficient].only_sets or row.weights in _OF_WEIGHTS


def sources_of(coefficient: str, weights: str) -> tuple[str, ...]:
    """Keys of the literature on a coefficient with its weights, the origin first."""
    own = _OF_WEIGHTS.get(weights.partition(":")[0], ())
    return tuple(dict.fromkeys([*own, *COEFFICIENTS[coefficient].sources]))


# ------------------------------------------------------------------ what to know


def _notes(part: AgreementPart) -> Iterator[str]:
    named = [(coefficient_name(row, of_sets=part.of_sets), row) for row in part.rows]
    yield from undefined_notes(named)
    yield from _notes_of_rows(named)
    weights = dict.fromkeys(row.weights for row in part.rows)
    if len(weights) == 1 and "identity" not in weights and not part.of_sets:
        yield f"Weights: {weights_text(next(iter(weights)))}."
    yield from _alone(part)
    yield from _intervals(part)


def undefined_notes(rows: Iterable[tuple[str, Agreement]]) -> Iterator[str]:
    """Why numbers are missing: one sentence for each reason, with the names it holds for."""
    names: dict[str, list[str]] = {}
    for name, row in rows:
        if row.undefined:
            names.setdefault(str(row.undefined).rstrip("."), []).append(name)
    for why, found in names.items():
        yield f"{joined(found)} {'is' if len(found) == 1 else 'are'} undefined: {why}."


def _notes_of_rows(rows: Iterable[tuple[str, Agreement]]) -> Iterator[str]:
    """What to know about single figures, with the names it concerns."""
    names: dict[str, list[str]] = {}
    for name, row in rows:
        if row.note and not row.undefined:
            names.setdefault(row.note.rstrip("."), []).append(name)
    yield from (f"{joined(dict.fromkeys(found))}: {note}." for note, found in names.items())


def methods_text(rows: Iterable[Agreement]) -> str:
    """How the intervals were found; degrees of freedom only if they are those of all."""
    found = list(dict.fromkeys(row.method for row in rows if row.method))
    bare = list(dict.fromkeys(_DF.sub("", method) for method in found))
    return "; ".join(found if len(bare) == len(found) else bare)


def _alone(part: AgreementPart) -> Iterator[str]:
    n = part.rows[0].n_items - part.rows[0].n_pairable
    if n:
        yield (
            f"{count_of(n, 'item')} with a single annotation {'enters' if n == 1 else 'enter'} "
            "expected agreement only, and α not at all."
        )


def _intervals(part: AgreementPart) -> Iterator[str]:
    how = methods_text(part.rows)
    tested = dict.fromkeys(f"{row.null:g}" for row in part.rows if not math.isnan(row.p_value))
    if how:
        p = f"; p tests against {joined(tested)}" if tested else ""
        yield f"{level_text(part.level)} intervals: {how}{p}."
    lost = max(row.n_undefined_resamples for row in part.rows)
    if lost:
        yield f"Up to {lost:,} resamples were undefined and left out."


# ------------------------------------------------------------------ what a chart states


def _finding(part: AgreementPart) -> str:
    corrected = [r for r in part.rows if r.coefficient != "percent" and not r.undefined]
    if not corrected:
        return "No chance-corrected coefficient is defined"
    low, high = (pick(corrected, key=lambda r: r.value) for pick in (min, max))
    if len(corrected) == 1:
        return f"{coefficient_name(low)} is {decimal(low.value)}"
    return (
        f"Coefficients range from {decimal(low.value)} ({coefficient_name(low)}) to "
        f"{decimal(high.value)} ({coefficient_name(high)})"
    )


def _finding_of_sets(part: AgreementPart) -> str:
    each = {row.measure: row for row in part.rows}
    boot, soft = each.get("boot_match"), each.get("soft_match")
    if boot is None or boot.undefined:
        return _finding(part)
    told = (
        f"Two coders share a label in {percent(boot.observed)} of cases; "
        f"{percent(boot.expected)} are expected by chance"
    )
    if soft is None or soft.expected >= boot.expected - 0.005:
        return told
    return f"{told}, {percent(soft.expected)} if each coder gave one label"


def what_counts(row: Agreement) -> str:
    """What two sets of labels must share to agree."""
    if row.coefficient in MEANS:
        return "each label given or not"
    return "equal sets" if row.weights == "identity" else weights_text(row.weights)
