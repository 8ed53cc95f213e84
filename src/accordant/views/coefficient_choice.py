"""Which coefficient to report, with what beside it, and what published scales make of its value."""

from __future__ import annotations

from collections.abc import Iterator
from math import isnan
from typing import Any

from ..actions import Action
from ..diagnosis.agreement import AgreementPart, AgreementTable
from ..inference.benchmarks import BENCHMARKS, Benchmark, benchmark
from ..literature import cite
from ..numbers import decimal, joined, p_value
from .blocks import Block, Prose, Table
from .document import Section
from .names import begun, coefficient_name, name_of
from .view import view

__all__ = ["benchmarks", "caveats_in_short", "recommendation", "what_to_report"]

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
