"""What to make of the numbers: findings, which coefficient to quote, published scales."""

from __future__ import annotations

from collections.abc import Iterator
from math import isnan
from typing import Any

from ..diagnosis.agreement import AgreementTable
from ..inference.benchmarks import BENCHMARKS, benchmark
from ..literature import cite
from ..messages import Action
from ..numbers import decimal, joined, p_value
from .charts import bands
from .document import Actions, Block, Chart, Column, Pairs, Prose, Section, Table
from .names import begun, coefficient_name, name_of
from .study import Part, Study, recommended_name

__all__ = ["advice_in_short", "advice_section", "scales_section"]


# ------------------------------------------------------------------ which coefficient


def advice_section(study: Study) -> Section:
    """Which coefficient to quote, with what beside it, and why."""
    best = study.whole.found.recommendation
    if best.primary is None:
        return Section("advice", "Which coefficient to quote", " ".join(best.reasons))
    each = " of each question" if not study.pooled_first and best.primary in study.whole else ""
    lead = f"Quote {recommended_name(study)}{each} together with percent agreement."
    return Section(
        "advice", "Which coefficient to quote", lead, study.per_part(lambda part: _advice(part))
    )


def _advice(part: Part) -> Iterator[Block]:
    best = part.found.recommendation
    if best.primary is None:
        yield Prose(" ".join(best.reasons))
        return
    beside = joined(_name(key, part) for key in best.beside)
    yield Pairs((
        ("Quote", _name(best.primary, part)),
        *((("Beside it", beside),) if beside else ()),
        ("Always", joined(_name(key, part) for key in best.always)),
        ("Print too", "; ".join(best.show)),
    ))  # fmt: skip
    yield Prose(" ".join(best.reasons))
    if best.reading:
        yield Prose(" ".join(best.reading))
    if best.sources:
        yield Prose(f"See {joined((cite(key) for key in best.sources), most=12)}.")


def _name(key: str, part: Part) -> str:
    row = part.get(key)
    if row is not None:
        return part.name(row)
    return name_of(key, n_coders=part.found.counts.n_coders, of_sets=part.of_sets)


# ------------------------------------------------------------------ published scales


def scales_section(study: Study) -> Section | None:
    """How likely the value lies in each band of published scales; None if it is undefined."""
    if all(part.main.coefficient == "percent" or isnan(part.main.se) for part in study.parts):
        return None
    return Section(
        "scales",
        "Is that good enough?",
        "No number says so by itself. Published scales attach words to values, each for its own "
        "field; the probability of each word takes the uncertainty of the value into account.",
        study.per_part(_scales),
    )


def _scales(part: Part) -> Iterator[Block]:
    row = part.main
    if row.undefined or isnan(row.se):
        why = f"is undefined: {row.undefined}" if row.undefined else "has no standard error"
        yield Prose(f"{begun(part.name(row))} {why}, so no word can be given a probability.")
        return
    found = [benchmark(row.value, row.se, key, level=part.level) for key in BENCHMARKS]
    rows: list[dict[str, Any]] = []
    for each in found:
        for order, band in enumerate(reversed(each.to_rows())):
            rows.append({
                **band, "name": each.scale.name,
                "height": order / max(1, len(each.scale.bands) - 1),
                "from": band["low"] if band["low"] > -1 else None,
                "where": "estimate" if band["holds_estimate"] else "",
            })  # fmt: skip
    table = Table(
        "The scales with their bands",
        (
            Column("name", "scale"),
            Column("band", "word of the scale"),
            Column("from", "from", "value", "lowest value of the band"),
            Column("probability", "probability", "bar", "that the true value lies in the band"),
            Column("cumulative", "at least", "share", "that it lies in this band or a higher one"),
            Column("source", "source"),
        ),
        tuple(rows),
        (
            "Probabilities of the bands after Gwet (2014), from the value and its standard error.",
            *(f"{each.scale.name}: {each.scale.caveat}" for each in found),
        ),
        depth="detail",
    )
    sure = next((b for b in found if b.scale.key == "krippendorff"), found[0])
    reached = sure.cumulative[0]
    title = (
        f"The probability that {part.name(row)} is {decimal(sure.scale.bands[0].low)} or "
        f"more, which {sure.scale.place} asks for, is {p_value(reached)}"
    )
    yield Chart(title, bands([r for r in rows if r["probability"] == r["probability"]]), table)


# ------------------------------------------------------------------ beside coefficients

MOST = 3  # caveats in short; the report has all


def advice_in_short(table: AgreementTable) -> Section:
    """Which coefficient to quote, the worst caveats, and what to ask next."""
    found = table.diagnosis
    best, facts = found.recommendation, found.pooled.facts
    blocks: list[Block] = []
    if best.primary is not None:
        names = {k: coefficient_name(r, of_sets=facts.label_sets)
                 for k, r in facts.coefficients.items()}  # fmt: skip
        beside = joined(names[key] for key in best.beside)
        always = joined(names[key].lower() for key in best.always)
        more = f", {beside} beside it," if beside else ""
        blocks.append(
            Prose(f"{begun(names[best.primary])}{more} and always {always}. {best.reasons[0]}")
        )
    grave = {f.code: f for f in reversed(found.findings) if f.severity != "note"}
    blocks += [Prose(str(f)) for f in [*grave.values()][::-1][:MOST]]
    steps = (Action("diagnose", {}, "causes of disagreement"), Action("report", {}, "everything"))
    return Section("advice", "What to report", "", (*blocks, Actions("Next", steps)))
