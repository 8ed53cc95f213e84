"""Coefficients with intervals, observed and expected agreement, and what to know about them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from math import isnan
from typing import TYPE_CHECKING, Any

from ..actions import Action
from ..diagnosis.agreement_table import AgreementPart, AgreementTable
from ..fields import FIELDS, columns
from ..inference.benchmarks import BENCHMARKS, Benchmark, benchmark
from ..inference.coefficient_table import ComparisonPart
from ..inference.intervals import FROM_SCORE
from ..literature import cite
from ..measure.coefficient_value import Agreement
from ..measure.measures import SOURCES_OF_WEIGHTS, definition, name_of, weights_text
from ..messages import isolated
from ..numbers import count_of, decimal, joined, level_text, p_value, percent
from .blocks import Block, Chart, Keys, Prose, Table, told
from .coefficient_names import (
    begun,
    by_reason,
    coefficient_name,
    key_of_row,
    ranging,
    symbol_of,
    undefined_notes,
)
from .document import Section
from .view import view

if TYPE_CHECKING:
    from ..diagnosis.gate import Check
    from ..diagnosis.measurements import Measurements
    from ..inference.comparison import Comparison
    from ..inference.sample_size import ItemPlan
    from ..measure.span_f1 import SpanF1


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
        "Pooled: every answer to a question as an item of its own. It may lie outside the range "
        "of the questions, whose labels differ.",
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
    return names.pop() if len(names) == 1 else definition(rows[0][1].coefficient).name


# ------------------------------------------------------------------ ratings in their own units


@view("units", of="agreement", title="In the units of the scale", chapter="agreement", place=25)
def units(part: AgreementPart) -> Iterator[Block]:
    """What a typical error is, who rates higher, and how far two ratings of an item lie apart."""
    found = part.measurements
    if found is None:
        return
    yield Prose(" ".join(_units(found)))
    rows = found.coder_rows()
    yield Table.of(
        "coder* n_items mean rated_higher* interval*",
        rows,
        (
            "Higher: than the mean of all coders would rate the same items; "
            f"{level_text(found.level)} intervals are for these items.",
        ),
        by="-rated_higher",
        title="Coders' levels",
    )
    if not found.pairs:
        return
    yield Table.of(
        "first second n_common* rated_higher* bias_interval limits* slope slope_p share_within",
        ({"rated_higher": x.bias, **asdict(x)} for x in found.pairs),
        (
            "Higher: second − first. Limits of agreement: bias ± 1.96 s.d. (Bland & Altman 1986); "
            "they hold 95 % of normal differences. Trend: of the difference with the mean of both.",
        ),
        title="Limits of agreement",
    )


def _units(m: Measurements) -> Iterator[str]:
    """The error, the usual difference, and whoever rates higher or lower for sure."""
    yield (
        f"The standard error of one rating is {decimal(m.error)}, of a coder whose level is known "
        f"{decimal(m.error_of_coder)}."
    )
    if m.usual == m.usual:
        apart = f"differ by {decimal(m.usual)} or less"
        yield f"Two coders' ratings of an item {apart} in 95 % of pairs."
    row = m.sure
    if row is not None:
        yield shifted(row)


def shifted(row: Mapping[str, Any]) -> str:
    """Who rates higher or lower than the others, and by how much."""
    high = row["rated_higher"]
    way, than = "higher" if high > 0 else "lower", "the mean of the coders for the same items"
    return f"{isolated(row['coder'])} rates {decimal(abs(high))} {way} than {than}."


# ------------------------------------------------------------------ rows


def _row(row: Agreement) -> dict[str, Any]:
    of_sets = definition(row.coefficient).only_sets or row.weights in SOURCES_OF_WEIGHTS
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
            f"expected agreement only; α leaves {'it' if n == 1 else 'them'} out."
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
        if r.coefficient != "percent" and not r.undefined and not math.isnan(r.expected)
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


# ------------------------------------------------------------------ which coefficient to report


MOST = 3  # caveats in short; the report has all


@view(
    "recommendation",
    of="agreement",
    title="What to report",
    chapter="coefficient_choice",
    place=40,
    whole=True,
)
def recommendation(part: AgreementPart) -> Iterator[Block]:
    """Which coefficient to report, and why."""
    best = part.diagnosed.recommendation
    yield Prose(what_to_report(part))
    rows = ({**row, "name": begun(_name(row["coefficient"], part))} for row in best.to_rows())
    yield Table.of("role name", rows, depth="detail")
    more = " ".join([*best.reasons[1:], *best.reading])
    if more:
        yield Prose(more, "detail")
    if best.show:
        yield Prose(depth="detail", facts=(("Print too", "; ".join(best.show)),))
    if best.sources:
        yield Prose(f"See {joined((cite(key) for key in best.sources), most=12)}.", "detail")


def what_to_report(part: AgreementPart) -> str:
    """The recommendation with its reason."""
    best = part.diagnosed.recommendation
    if best.primary is None:
        return " ".join(best.reasons)
    beside = joined(_name(key, part) for key in best.beside)
    always = joined(_name(key, part).lower() for key in best.always)
    each = "" if part.question or part.table.diagnosis.same_scheme else " of each question"
    with_it = f", with {beside} beside it," if beside else ""
    report = f"Report {_name(best.primary, part)}{each}{with_it} and always {always}."
    return " ".join([report, *best.reasons[:1]])


def caveats_in_short(table: AgreementTable) -> Section:
    """The worst caveats, one of each kind, and what to ask next."""
    grave = {f.code: f for f in reversed(table.caveats) if f.severity != "note"}
    several = len(table.data.questions) > 1
    worst = tuple(
        Prose(f"{f.question}: {f}" if several and f.question else str(f))
        for f in [*grave.values()][::-1][:MOST]
    )
    steps = (Action("diagnose", {}, "causes of disagreement"), Action("report", {}, "everything"))
    title = "What to know" if worst else ""
    return Section("caveats", title, "", (*worst, Prose(title="Next", do=steps)))


def _name(key: str, part: AgreementPart) -> str:
    row = part.get(key)
    if row is not None:
        return coefficient_name(row, of_sets=part.of_sets)
    return name_of(key, n_coders=part.rows[0].n_coders, of_sets=part.of_sets)


# ------------------------------------------------------------------ published scales


@view(
    "benchmarks", of="agreement", title="Published scales", chapter="coefficient_choice", place=110
)
def benchmarks(part: AgreementPart) -> Iterator[Block]:
    """How likely the coefficient lies in each band of published scales."""
    row = part.main
    name = coefficient_name(row, of_sets=part.of_sets)
    if row.undefined or isnan(row.se):
        why = f"is undefined: {row.undefined}" if row.undefined else "has no standard error"
        yield Prose(f"{begun(name)} {why}, so no band has a probability.")
        return
    found = [benchmark(row.value, row.se, key, level=part.level) for key in BENCHMARKS]
    rows = tuple(band for each in found for band in _bands(each))
    notes = (
        "Probabilities after Gwet (2014), from the value and its standard error. Each scale was "
        "made for its own field.",
        *(f"{each.scale.name}: {each.scale.caveat}" for each in found),
    )
    keys, title = "name band from probability cumulative source", _reached(name, found)
    yield Table.of(keys, rows, notes, title=title, called={"name": "scale"}, most=len(rows))


def _reached(name: str, found: list[Benchmark]) -> str:
    first = next(b for b in found if b.scale.key == "krippendorff")
    return (
        f"The probability that {name} is {decimal(first.scale.bands[0].low)} or more, as "
        f"{first.scale.place} asks, is {p_value(first.cumulative[0])}"
    )


def _bands(each: Benchmark) -> Iterator[dict[str, Any]]:
    """The bands of a scale, the lowest first; ``height`` runs from 0 to 1."""
    for order, band in enumerate(reversed(each.to_rows())):
        yield {
            **band,
            "name": each.scale.name,
            "height": order / max(1, len(each.scale.bands) - 1),
            "from": band["low"] if band["low"] > -1 else None,
            "where": "estimate" if band["holds_estimate"] else "",
        }


# ------------------------------------------------------------------ spans


MEANT = {
    "exact": "Spans match if they begin and end at the same characters",
    "overlap": "Spans match if they share a character, each with one other at most",
}


@view(
    "spans",
    of="agreement",
    title="Agreement of spans (F1)",
    place=165,
    help="F1 of each pair of coders",
)
def of_agreement(part: AgreementPart) -> Iterator[Block]:
    """The spans of one question, matched exactly and by overlap."""
    data = part.data
    if part.question is not None and part.question in data.questions:
        data = data.of_question(part.question)
    if data.spans is None or not len(data.spans):
        yield Prose("No spans of texts were marked.")
        return
    from ..measure.span_f1 import span_f1

    yield from spans(span_f1(data))


@view(
    "spans",
    of="span_f1",
    title="Agreement of spans (F1)",
    place=10,
    help="F1 of each pair of coders, and the mean",
)
def spans(part: SpanF1) -> Iterator[Block]:
    """Each pair of coders, the mean below them."""
    same = " and have the same label" if part.labels else ""
    notes = (
        f"{MEANT[part.match]}{same}. F1 is what kappa approaches as true negatives grow: "
        f"{cite('hripcsak2005')}.",
    )
    mean = next(r.f1 for r in part.records if not r.second)
    rows = tuple(part.to_rows())
    title = f"Mean F1 of the pairs of coders: {decimal(mean)}"
    yield Table(
        title,
        columns("first second n_items n_first n_second n_matched f1"),
        rows,
        notes,
        keep=("first", "second", "f1"),
    )


# ------------------------------------------------------------------ a gate


@view("conditions", of="check", title="Conditions", place=10)
def conditions(part: Check) -> Iterator[Block]:
    """Each condition with its figure, and whether it holds."""
    held = sum(one.outcome == "holds" for one in part.records)
    verdict = "The labels pass" if part.holds else "The labels fall short"
    yield Prose(f"{verdict}: {held} of {count_of(len(part.records), 'condition')} held.")
    sure = any(not math.isnan(one.low) for one in part.records)
    meant = (
        f"Certain: the whole {level_text(part.level)} interval is on that side of the threshold."
    )
    notes = (meant * sure, *(f"{one.name}: {one.reason}." for one in part.records if one.reason))
    rows = [row | {"value": _figure(row), "outcome": _outcome(row)} for row in part.to_rows()]
    keys = "question? condition* value interval outcome*"
    yield Table.of(keys, rows, notes, called={"outcome": "outcome"})


def _outcome(row: dict[str, Any]) -> str:
    return ", ".join(filter(None, (row["outcome"], row["certainty"])))


def _figure(row: dict[str, Any]) -> Any:
    """A figure; without decimals what is counted."""
    counted = math.isnan(row["low"]) and float(row["value"]).is_integer()
    return f"{row['value']:,.0f}" if counted else row["value"]
