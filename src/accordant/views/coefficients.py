"""Coefficients with intervals, observed and expected agreement, and what to know about them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from ..diagnosis.agreement import AgreementPart
from ..fields import FIELDS, columns
from ..inference.intervals import FROM_SCORE
from ..measure.coefficients import COEFFICIENTS
from ..measure.names import SOURCES_OF_WEIGHTS, sources_of
from ..measure.results import Agreement
from ..numbers import count_of, decimal, joined, level_text, percent
from .blocks import Block, Chart, Prose, Table
from .charts import corrected, intervals
from .names import coefficient_name, key_of_row, symbol_of, weights_text
from .view import view

__all__ = [
    "coefficients", "methods_text", "name_for_all", "questions", "sources_of", "undefined_notes",
]  # fmt: skip

KEYS = "name value interval observed expected se p_value n_pairable"
OF_SETS = "name observed expected value interval n_pairable counts_as"
KEEP = ("name", "value", "interval", "observed", "expected", "n_pairable", "p_value")
MEANS = ("label_kappa", "label_alpha")
_DF = re.compile(r"\(\d+\)")


@view("coefficients", of="agreement", title="Agreement", chapter="agreement", place=20)
def coefficients(part: AgreementPart) -> Iterator[Block]:
    """Every coefficient of a question with its ingredients, drawn where it can be."""
    rows = part.rows
    first, *others = columns(_keys(part))
    named = first.called("measure" if part.of_sets else "coefficient")
    told = tuple(map(_row, rows))
    table = Table("", (named, *others), told, tuple(_notes(part)), keep=KEEP)
    if all(row.n_pairable == 0 or row.undefined for row in rows):
        yield table
    elif part.of_sets:
        names_of_marks = (
            f"dot: adjusted, with its {level_text(part.level)} interval",
            "line below it: from chance (tick) to what was observed (ring)",
        )
        yield Chart(_finding_of_sets(part), corrected(table.rows, title=names_of_marks), table)
    else:
        axis = f"coefficient with its {level_text(part.level)} interval"
        chart = intervals(table.rows, title=axis)
        yield Chart(_finding(part), chart, table, drawn_only=True)


@view("basis", of="agreement", title="", place=10, whole=True)
def basis(part: AgreementPart) -> Iterator[Block]:
    """What the figures rest on, in one line."""
    row, data = part.rows[0], part.data
    several = len(data.questions) > 1
    yield Prose(" · ".join([
        count_of(len(data.items) if several else row.n_items, "item"),
        "unknown coders" if data.anonymous else count_of(row.n_coders, "coder"),
        *([count_of(len(data.questions), "question")] if several else []),
        count_of(row.n_annotations, "annotation"),
    ]))  # fmt: skip


@view(
    "questions", of="agreement", title="Agreement by question", chapter="agreement", place=120,
    whole=True,
    help="every question beside the pooled coefficient",
)  # fmt: skip
def questions(part: AgreementPart) -> Iterator[Block]:
    """Every question beside the pooled figure; nothing where there is only one."""
    parts = part.table.told_parts
    if len(parts) == 1:
        return
    key = key_of_row(part.main)
    name = name_for_all(parts, key)
    found = [(one.question or "pooled", one.get(key) or one.main) for one in parts]
    drawn = [
        {"name": question, "value": row.value, "low": row.low, "high": row.high}
        for question, row in found
    ]
    chart = intervals(drawn, title=f"{name} with its interval")
    yield Chart(_range(name, found[:-1]), chart, _by_question(parts, key, name))


def _range(name: str, found: Iterable[tuple[str, Agreement]]) -> str:
    each = [(question, row.value) for question, row in found if not row.undefined]
    if not each:
        return f"{name} is undefined for every question"
    (one, low), (other, high) = (pick(each, key=lambda x: x[1]) for pick in (min, max))
    return f"{name} ranges from {decimal(low)} ({one}) to {decimal(high)} ({other})"


def _by_question(parts: Sequence[AgreementPart], key: str, name: str) -> Table:
    """One row for each question, the coefficient that is reported first."""
    rows = tuple(_of_question(part, key) for part in parts)
    others = [(k, part) for k in map(key_of_row, parts[-1].rows) if k != key for part in parts[-1:]]
    value = FIELDS["value"]
    keys = (
        *columns("question n_pairable"),
        value.called(name, key=key), replace(FIELDS["interval"], of=key),
        *(value.called(_heading(k, part), key=k, help=name_for_all(parts, k))
          for k, part in others),
    )  # fmt: skip
    undefined = [(one.question or "pooled", one.get(key) or one.main) for one in parts]
    notes = (
        *undefined_notes(undefined),
        "The pooled row takes every answer to a question as an item of its own. Questions with "
        "different labels raise or lower it, so it may lie outside the range of the questions.",
    )
    return Table("", keys, rows, notes, keep=("question", key))


def _of_question(part: AgreementPart, key: str) -> dict[str, Any]:
    main = part.get(key) or part.main
    return {
        "question": part.question or "pooled", "n_pairable": main.n_pairable,
        "n_values": main.n_values, "apart": part.question is None,
        **{key_of_row(row): row.value for row in part.rows},
        "low": main.low, "high": main.high,
    }  # fmt: skip


def _heading(key: str, part: AgreementPart) -> str:
    """A short heading where many coefficients stand side by side."""
    row = part.get(key) or part.main
    known = {"percent": "percent", "light": "Light", "ac": coefficient_name(row).split()[-1]}
    return known.get(key) or symbol_of(row, of_sets=part.of_sets)


def name_for_all(parts: Sequence[AgreementPart], key: str) -> str:
    """The name of a coefficient in all parts; the general one where they differ."""
    rows = [(part, row) for part in parts if (row := part.get(key)) is not None]
    names = {coefficient_name(row, of_sets=part.of_sets) for part, row in rows}
    return names.pop() if len(names) == 1 else COEFFICIENTS[rows[0][1].coefficient].name


# ------------------------------------------------------------------ rows


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
    return COEFFICIENTS[row.coefficient].only_sets or row.weights in SOURCES_OF_WEIGHTS


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
        told = [x for x in (row.note or "").split("; ") if x != FROM_SCORE]  # its method says so
        if any(told) and not row.undefined:
            names.setdefault("; ".join(told).rstrip("."), []).append(name)
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
            "expected agreement only; α leaves "
            f"{'it' if n == 1 else 'them'} out."
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
