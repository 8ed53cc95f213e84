"""The coefficients: observed, expected, value and how sure it is; per question and pooled."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from ..numbers import BELOW, LEAST, count_of, decimal, interval, level_text
from .charts import intervals
from .document import Block, Chart, Column, Section, Table
from .measures import measures_blocks
from .names import begun, key_of_row, symbol_of
from .opening import name_for_all
from .rows import coefficient_row, interval_notes, undefined_notes
from .study import Part, Study

__all__ = ["agreement_section", "questions_section"]

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


def agreement_section(study: Study) -> Section:
    """All coefficients, with a plot of their intervals."""
    return Section(
        "agreement",
        "How far coders agree",
        study.told(_lead),
        study.per_part(lambda part: _measured(study, part)),
    )


def _measured(study: Study, part: Part) -> Iterator[Block]:
    """The table of coefficients; of sets of labels the one that their literature uses."""
    if part.of_sets:
        coders = () if study.data.anonymous else part.found.counts.coders
        return measures_blocks(part, coders)
    return _coefficients(part)


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


def _coefficients(part: Part) -> Iterator[Block]:
    rows = [coefficient_row(r) for r in part.agreements]
    how = "; ".join(dict.fromkeys(r.method for r in part.agreements if r.method))
    notes = [
        *undefined_notes((part.name(r), r) for r in part.agreements),
        "value = (observed − expected) / (1 − expected). The coefficients differ only in what they "
        "call chance; percent agreement is not corrected for it.",
    ]
    notes += interval_notes((part.name(r), r) for r in part.agreements)
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
        f"{part.name(part['light'])} is the mean over {of - n:,} of "
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
        f"By idea of chance the value runs from {decimal(low.value)} ({part.name(low)}) "
        f"to {decimal(high.value)} ({part.name(high)})"
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
    low = any(part[first].low < LEAST for part in study.parts)
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
            *(
                n.replace("— ", f"— {names[first]} for question ", 1).replace(
                    " are undefined", " is undefined"
                )
                for n in undefined_notes(undefined)
            ),
            *([BELOW] if low else []),
            "The pooled row takes every answer to a question as an item of its own. Questions with "
            "different labels raise or lower it, so it may lie outside the range of the questions.",
        ),
    )
