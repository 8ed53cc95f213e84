"""Coefficients with intervals, observed and expected agreement, and what to know about them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from ..diagnosis.agreement import AgreementPart, AgreementTable
from ..fields import FIELDS
from ..inference.coefficient_table import ComparisonPart
from ..inference.comparison import Comparison
from ..inference.intervals import FROM_SCORE
from ..inference.sample_size import ItemPlan
from ..measure.coefficients import COEFFICIENTS
from ..measure.measures import SOURCES_OF_WEIGHTS, sources_of
from ..measure.results import Agreement
from ..numbers import count_of, joined, level_text, percent
from .blocks import Block, Chart, Keys, Prose, Table, told
from .names import (
    by_reason,
    coefficient_name,
    key_of_row,
    name_of,
    ranging,
    symbol_of,
    undefined_notes,
    weights_text,
)
from .view import view

__all__ = [
    "basis_of",
    "coefficients",
    "methods_text",
    "name_for_all",
    "questions",
    "sources_of",
    "undefined_notes",
]

KEYS = "name* value* interval* observed* expected* se p_value* n_pairable*"
OF_SETS = "name* observed* expected* value* interval* n_pairable* counts_as"
MEANS = ("label_kappa", "label_alpha")
_DF = re.compile(r"\(\d+\)")


@view("coefficients", of="agreement", title="Agreement", chapter="agreement", place=20)
def coefficients(part: AgreementPart) -> Iterator[Block]:
    """Every coefficient with its interval, observed and expected agreement."""
    rows, of_sets = part.rows, part.of_sets
    weights = "weights" if len({row.weights for row in rows}) > 1 else ""
    table = Table.of(
        OF_SETS if of_sets else f"{KEYS} {weights}",
        map(_row, rows),
        _notes(part),
        called={"name": "measure" if of_sets else "coefficient"},
    )
    if all(row.n_pairable == 0 or row.undefined for row in rows):
        yield table
        return
    names_of_marks = (
        f"dot: adjusted, with its {level_text(part.level)} interval",
        "line below it: from chance (tick) to what was observed (ring)",
    )
    from .charts import corrected

    title = _finding_of_sets(part) if of_sets else _finding(part)
    chart = corrected(table.rows, title=names_of_marks)
    yield Chart(title, chart, table, drawn_only=not of_sets)


@view("basis", of="agreement", title="", place=10, whole=True)
def basis(part: AgreementPart) -> Iterator[Block]:
    """What the figures rest on, in one line."""
    yield Prose(" · ".join(basis_of(part.table)))


def basis_of(table: AgreementTable) -> tuple[str, ...]:
    """How much was annotated."""
    data = table.data
    return (
        count_of(len(data.items), "item"),
        "unknown coders" if data.anonymous else count_of(len(data.coders), "coder"),
        *([count_of(len(data.questions), "question")] if len(data.questions) > 1 else []),
        count_of(table.told_parts[-1].rows[0].n_annotations, "annotation"),
    )


@view(
    "intra",
    of="agreement",
    title="Intra-coder agreement",
    chapter="agreement",
    place=30,
)
def intra(part: AgreementPart) -> Iterator[Block]:
    """How far coders agree with themselves, where they annotated items again."""
    if part.table.intra is None:
        return
    same = next(p for p in part.table.intra.told_parts if p.question == part.question)
    yield Table.of(
        KEYS,
        map(_row, same.rows),
        ("An item is what a coder annotated again; the coefficients above take the first time.",),
        called={"name": "coefficient"},
    )


@view(
    "questions",
    of="agreement",
    title="Agreement by question",
    chapter="agreement",
    place=120,
    whole=True,
)
def questions(part: AgreementPart) -> Iterator[Block]:
    """Every question beside the pooled coefficient."""
    parts = part.table.told_parts
    if len(parts) == 1:
        return
    key = key_of_row(part.main)
    name = name_for_all(parts, key)
    found = [(one.question or "pooled", one.get(key) or one.main) for one in parts]
    value = FIELDS["value"]
    others = [k for k in map(key_of_row, part.rows) if k != key]
    shown: Keys = (
        "question* n_pairable",
        value.called(name, key=key),
        replace(FIELDS["interval"], of=key),
        *(value.called(_heading(k, part), key=k, help=name_for_all(parts, k)) for k in others),
    )
    notes = (
        *undefined_notes(found),
        "The pooled row takes every answer to a question as an item of its own. Questions with "
        "different labels raise or lower it, so it may lie outside the range of the questions.",
    )
    title = ranging(name, ((question, row.value) for question, row in found[:-1]))
    yield Table.of(
        shown,
        (_of_question(part, key) for part in parts),
        notes,
        title=title or f"{name} is undefined for every question",
    )


def _of_question(part: AgreementPart, key: str) -> dict[str, Any]:
    main = part.get(key) or part.main
    return {
        "question": part.question or "pooled",
        "n_pairable": main.n_pairable,
        "n_values": main.n_values,
        "apart": part.question is None,
        **{key_of_row(row): row.value for row in part.rows},
        "low": main.low,
        "high": main.high,
    }


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


def _row(row: Agreement) -> dict[str, Any]:
    of_sets = COEFFICIENTS[row.coefficient].only_sets or row.weights in SOURCES_OF_WEIGHTS
    return {
        **row.to_rows()[0],
        "name": coefficient_name(row, of_sets=of_sets),
        "weights": weights_text(row.weights),
        "counts_as": what_counts(row) if of_sets else "",
        # that two coders agree at all is no hypothesis
        "p_value": row.p_value if row.coefficient != "percent" else math.nan,
    }


# ------------------------------------------------------------------ what to know


def _notes(part: AgreementPart) -> Iterator[str]:
    named = [(coefficient_name(row, of_sets=part.of_sets), row) for row in part.rows]
    yield from undefined_notes(named)
    for note, names in by_reason((name, _note(row)) for name, row in named).items():
        yield f"{joined(dict.fromkeys(names))}: {note}."
    weights = dict.fromkeys(row.weights for row in part.rows)
    if len(weights) == 1 and "identity" not in weights and not part.of_sets:
        yield f"Weights: {weights_text(next(iter(weights)))}."
    yield from _alone(part)
    yield from _intervals(part)


def _note(row: Agreement) -> str:
    """What to know about a figure; its method says that it is from a score test."""
    told = (row.note or "").split("; ")
    return "" if row.undefined else "; ".join(x for x in told if x != FROM_SCORE)


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
    each = [
        (coefficient_name(r), r.value)
        for r in part.rows
        if r.coefficient != "percent" and not r.undefined
    ]
    return (
        ranging("Agreement corrected for chance", each)
        or "No chance-corrected coefficient is defined"
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


# ------------------------------------------------------------------ two data sets, and a plan


@view("pairing", of="compare", title="", place=10, whole=True)
def pairing(part: ComparisonPart) -> Iterator[Block]:
    """How the difference is tested, and what differs between the data sets."""
    yield from map(told, part.table.messages)


@view(
    "changes",
    of="compare",
    title="Change of agreement",
    place=20,
)
def changes(part: ComparisonPart) -> Iterator[Block]:
    """Every coefficient."""
    rows = [_change(row, of_sets=part.of_sets) for row in part.rows]
    methods = "; ".join(dict.fromkeys(row.method for row in part.rows if row.method))
    level = level_text(part.rows[0].level)
    notes = (
        f"{level} intervals of the difference: {methods}." if methods else "",
        *undefined_notes(
            (str(row["name"]), each)
            for each, row in zip(part.rows, rows, strict=True)
            if math.isnan(each.difference)
        ),
    )
    value = FIELDS["value"]
    keys: Keys = (
        "name*",
        *(value.called(key, key=key, help="") for key in ("before", "after")),
        "difference* interval* p_value*",
        FIELDS["n_items"].called("items", key="n_compared"),
    )
    called = {"name": "coefficient", "difference": "change"}
    yield Table.of(keys, rows, notes, called=called)


def _change(row: Comparison, *, of_sets: bool) -> dict[str, Any]:
    name = name_of(row.coefficient, n_coders=row.n_coders, weights=row.weights, of_sets=of_sets)
    n = row.n_common if row.paired else row.n_before + row.n_after
    return {**row.to_rows()[0], "name": name, "n_compared": n}


@view("plan", of="items_needed", title="Items needed", place=10)
def items_for_an_interval(part: ItemPlan) -> Iterator[Block]:
    """The number of items, and what it rests on."""
    yield Prose(str(part))
    keys = "coefficient value width n_items n_items_cautious n_coders basis"
    yield Table.of(keys, part.to_rows(), depth="detail")
