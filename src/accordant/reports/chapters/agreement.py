"""The coefficients: observed, expected, value and how sure it is; per question and pooled."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any

from ...measure.coefficients import COEFFICIENTS
from ...measure.numbers import (
    BELOW,
    LEAST,
    count_of,
    decimal,
    interval,
    joined,
    level_text,
)  # fmt: skip
from ...measure.results import Agreement
from ..charts import intervals
from ..document import Block, Chart, Column, Section, Table
from ..names import coefficient_name, weights_text
from ..study import Part, Study
from .opening import name_for_all

__all__ = [
    "agreement_section", "coefficient_row", "interval_notes", "questions_section",
    "undefined_notes",
]  # fmt: skip

COLUMNS = (
    Column("name", "coefficient"),
    Column("value", "value", "value"),
    Column("interval", "interval", "interval", "where the value of all such items plausibly lies"),
    Column("observed", "observed", "value", "A_o: how far coders agree"),
    Column("expected", "expected", "value", "A_e: how far they would agree by chance"),
    Column("se", "std. error", "value"),
    Column("p_value", "p", "p", "probability of such a value if coders agreed only by chance"),
    Column("n_pairable", "items", "count", "items with at least two annotations"),
)
WEIGHTS = Column("weights", "weights", help="what counts as agreement")


def coefficient_row(row: Agreement) -> dict[str, Any]:
    """A coefficient with its name, as a row."""
    return {
        **row.to_rows()[0],
        "name": coefficient_name(row),
        "interval": (row.low, row.high),
        "weights": weights_text(row.weights),
        # that two coders agree at all is no hypothesis
        "p_value": row.p_value if row.coefficient != "percent" else float("nan"),
    }


def undefined_notes(rows: Iterable[tuple[str, Agreement]]) -> tuple[str, ...]:
    """Why numbers are missing: one sentence for each reason, with the names it holds for."""
    names: dict[str, list[str]] = {}
    for name, row in rows:
        if row.undefined:
            names.setdefault(str(row.undefined), []).append(name)
    return tuple(
        f"— {joined(found)} {'is' if len(found) == 1 else 'are'} undefined: {why}."
        for why, found in names.items()
    )


def agreement_section(study: Study) -> Section:
    """All coefficients, with a plot of their intervals."""
    return Section(
        "agreement", "How far coders agree", study.told(_lead), study.per_part(_coefficients)
    )


def _lead(part: Part) -> str:
    row = part.main
    name = coefficient_name(row)
    if row.undefined:
        return f"{name} is undefined: {row.undefined}."
    sure = (
        ""
        if math.isnan(row.low)
        else f" ({level_text(row.level)} interval {interval(row.low, row.high)})"
    )
    return (
        f"Observed agreement is {decimal(row.observed)}; by chance it would be "
        f"{decimal(row.expected)} for {name}, which leaves {name} = {decimal(row.value)}{sure}."
    )


def interval_notes(rows: Iterable[tuple[str, Agreement]]) -> tuple[str, ...]:
    """What to know about standard errors and intervals, with the coefficients it concerns."""
    names: dict[str, list[str]] = {}
    for name, row in rows:
        if row.note and not row.undefined:
            names.setdefault(row.note, []).append(name)
    return tuple(f"{joined(dict.fromkeys(found))}: {note}." for note, found in names.items())


def _coefficients(part: Part) -> Iterator[Block]:
    rows = [coefficient_row(r) for r in part.agreements]
    how = "; ".join(dict.fromkeys(r.method for r in part.agreements if r.method))
    notes = [
        *undefined_notes((coefficient_name(r), r) for r in part.agreements),
        "value = (observed − expected) / (1 − expected). The coefficients differ only in what they "
        "call chance; percent agreement is not corrected for it.",
    ]
    notes += interval_notes((coefficient_name(r), r) for r in part.agreements)
    if how:
        notes.append(f"Intervals at {level_text(part.level)} and p-values (against 0): {how}.")
    if any(r.low < LEAST for r in part.agreements):
        notes.append(BELOW)
    notes += _pairs_left_out(part)
    single = part.found.coverage.n_single
    if single:
        notes.append(
            f"{count_of(single, 'further item')} with one annotation "
            f"{'tells' if single == 1 else 'tell'} about chance only, and nothing to α."
        )
    weights = dict.fromkeys(row["weights"] for row in rows)
    if len(weights) == 1:
        notes.append(f"What counts as agreement: {next(iter(weights))}.")
    columns = COLUMNS if len(weights) == 1 else (*COLUMNS, WEIGHTS)
    table = Table("Coefficients", columns, tuple(rows), tuple(notes))
    if not part.found.coverage.n_pairable:
        yield table
        return
    yield Chart(
        _finding(part),
        intervals(_drawn(rows), title=f"coefficient with its {level_text(part.level)} interval"),
        table,
    )


def _pairs_left_out(part: Part) -> list[str]:
    """How many pairs of coders Light's kappa could not take in."""
    n, of = part.found.facts.n_pairs_without_kappa, part.found.facts.n_pairs
    if "light" not in part or part["light"].undefined or not n:
        return []
    return [
        f"{coefficient_name(part['light'])} is the mean over {of - n:,} of "
        f"{count_of(of, 'pair')} of coders; {n:,} have no κ of their own."
    ]


def _drawn(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{k: row[k] for k in ("name", "value", "low", "high")} for row in rows]


def _finding(part: Part) -> str:
    corrected = [r for r in part.agreements if r.coefficient != "percent" and not r.undefined]
    if not corrected:
        return "No chance-corrected coefficient is defined"
    low = min(corrected, key=lambda r: r.value)
    high = max(corrected, key=lambda r: r.value)
    if high.value - low.value < 0.02:
        return (
            "All ideas of chance lead to about the same value "
            f"({decimal(low.value)} to {decimal(high.value)})"
        )
    return (
        f"By idea of chance the value runs from {decimal(low.value)} ({coefficient_name(low)}) "
        f"to {decimal(high.value)} ({coefficient_name(high)})"
    )


# ------------------------------------------------------------------ question by question


def questions_section(study: Study) -> Section | None:
    """Each question beside the pooled figure; None if there is one question only."""
    if not study.questions:
        return None
    key = study.whole.main.coefficient
    rows = [(part, part[key]) for part in study.parts]
    each = [(part, row) for part, row in rows[:-1] if not row.undefined]
    name = name_for_all(study.parts, key)
    if each:
        low, high = min(each, key=lambda x: x[1].value), max(each, key=lambda x: x[1].value)
        title = (
            f"{name} runs from {decimal(low[1].value)} (question {low[0].question}) "
            f"to {decimal(high[1].value)} (question {high[0].question})"
        )
    else:
        title = f"{name} is undefined for every question"
    undefined = len(study.questions) - len(each)
    schemes = "one scheme" if study.pooled_first else "different schemes: read each for itself"
    pooled = "" if rows[-1][1].undefined else f"; pooled, {name} is {decimal(rows[-1][1].value)}"
    lead = f"{count_of(len(study.questions), 'question')} with {schemes}{pooled}."
    if undefined:
        lead += f" For {count_of(undefined, 'question')} it is undefined."
    drawn = [
        {"name": p.question or "pooled", "value": r.value, "low": r.low, "high": r.high}
        for p, r in rows
    ]
    chart = Chart(title, intervals(drawn, title=f"{name} with its interval"), _by_question(study))
    return Section("questions", "Question by question", lead, (chart,))


def _heading(key: str, name: str) -> str:
    """A short heading where many coefficients stand side by side."""
    return {"percent": "percent", "light": "Light", "ac": name.split()[-1]}.get(
        key, COEFFICIENTS[key].symbol
    )


def _by_question(study: Study) -> Table:
    keys = [r.coefficient for r in study.whole.agreements]
    rows = []
    for part in study.parts:
        row: dict[str, Any] = {
            "question": part.question or "pooled",
            "n": part.found.coverage.n_pairable,
            "n_values": part.found.counts.n_values,
            "apart": part.question is None,
        }
        for key in keys:
            row[key] = part[key].value
        main = part[study.whole.main.coefficient]
        rows.append(row | {"interval": (main.low, main.high)})
    head = study.whole.main
    names = {key: name_for_all(study.parts, key) for key in keys}
    low = any(part[head.coefficient].low < LEAST for part in study.parts)
    columns = (
        Column("question", "question"),
        Column("n", "items", "count", "answers that two coders gave"),
        Column(head.coefficient, names[head.coefficient], "value"),
        Column("interval", "its interval", "interval"),
        *(
            Column(key, _heading(key, names[key]), "value", names[key])
            for key in keys
            if key != head.coefficient
        ),
    )
    undefined = [(part.question or "pooled", part[head.coefficient]) for part in study.parts]
    return Table(
        "Every question, and all together",
        columns,
        tuple(rows),
        (
            *(
                n.replace("— ", f"— {names[head.coefficient]} for question ", 1).replace(
                    " are undefined", " is undefined"
                )
                for n in undefined_notes(undefined)
            ),
            *([BELOW] if low else []),
            "The pooled row takes every answer to a question as an item of its own. Questions with "
            "different labels raise or lower it, so it may lie outside the range of the questions.",
        ),
    )
