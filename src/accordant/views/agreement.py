"""The coefficients: observed, expected, value and how sure it is; per question and pooled."""

from __future__ import annotations

import math
from typing import Any

from ..numbers import count_of, decimal, interval, level_text
from .charts import intervals
from .coefficients import undefined_notes
from .document import Chart, Column, Section, Table
from .names import begun, key_of_row, symbol_of
from .study import Part, Study, name_for_all
from .view import named

__all__ = ["agreement_section", "questions_section"]


def agreement_section(study: Study) -> Section:
    """All coefficients, with a plot of their intervals."""
    return Section(
        "agreement",
        "How far coders agree",
        study.told(_lead),
        named("agreement", "coefficients").section(study.table.told_parts).blocks,
    )


def _lead(part: Part) -> str:
    row = part.main
    name = part.name(row)
    if row.undefined:
        return f"{begun(name)} is undefined: {row.undefined}."
    sure = (
        ""
        if math.isnan(row.low)
        else f" ({level_text(row.level)} interval {interval(row.low, row.high)})"
    )
    return (
        f"Observed agreement is {decimal(row.observed)}; by chance it would be "
        f"{decimal(row.expected)} for {name}, which leaves {name} = {decimal(row.value)}{sure}."
    )


# ------------------------------------------------------------------ question by question


def questions_section(study: Study) -> Section | None:
    """Each question beside the pooled figure; None if there is one question only."""
    if not study.questions:
        return None
    key = key_of_row(study.whole.main)
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


def _heading(key: str, name: str, symbol: str) -> str:
    """A short heading where many coefficients stand side by side."""
    return {"percent": "percent", "light": "Light", "ac": name.split()[-1]}.get(key, symbol)


def _by_question(study: Study) -> Table:
    first = key_of_row(study.whole.main)
    symbols = {key_of_row(r): symbol_of(r, of_sets=study.of_sets) for r in study.whole.agreements}
    rows = []
    for part in study.parts:
        row: dict[str, Any] = {
            "question": part.question or "pooled",
            "n": part.found.coverage.n_pairable,
            "n_values": part.found.counts.n_values,
            "apart": part.question is None,
        }
        for key in symbols:
            row[key] = part[key].value
        main = part[first]
        rows.append(row | {"interval": (main.low, main.high)})
    names = {key: name_for_all(study.parts, key) for key in symbols}
    columns = (
        Column("question", "question"),
        Column("n", "items", "count", "answers that two coders gave"),
        Column(first, names[first], "value"),
        Column("interval", "its interval", "interval"),
        *(
            Column(key, _heading(key, names[key], symbol), "value", names[key])
            for key, symbol in symbols.items()
            if key != first
        ),
    )
    undefined = [(part.question or "pooled", part[first]) for part in study.parts]
    return Table(
        "Every question, and all together",
        columns,
        tuple(rows),
        (
            *undefined_notes(undefined),
            "The pooled row takes every answer to a question as an item of its own. Questions with "
            "different labels raise or lower it, so it may lie outside the range of the questions.",
        ),
    )
