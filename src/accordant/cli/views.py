"""What a reader sees of the coefficients: a headline, a table, and what to know about it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..measure.numbers import BELOW, LEAST, count_of, joined, level_text
from ..measure.registry import COEFFICIENTS
from ..measure.results import Agreement
from ..reports.chapters.agreement import coefficient_row, interval_notes
from ..reports.document import Column, Table
from ..reports.names import POOLED, coefficient_name, weights_text
from .advice import print_advice
from .tables import print_sentences, print_signature, print_table

if TYPE_CHECKING:
    from rich.console import Console

    from ..data.annotations import Annotations
    from ..diagnosis.diagnose import Diagnosis
    from ..public import AgreementTable

__all__ = ["agreement_table", "headline", "print_agreement", "schemes_text"]

NAME = Column("name", "coefficient")
MEASURED = (
    Column("value", "value", "value"),
    Column("interval", "interval", "interval"),
    Column("observed", "A_o", "value"),
    Column("expected", "A_e", "value"),
)
P_VALUE = Column("p_value", "p", "p")
ITEMS = Column("n_pairable", "items", "count", "items with at least two annotations")


def headline(table: AgreementTable) -> str:
    """What the figures rest on, in one line."""
    data, rows = table.data, table.of_question(None) or table.rows
    facts = [
        count_of(len(data.items), "item"),
        "unknown coders" if data.anonymous else count_of(len(data.coders), "coder"),
        *([count_of(len(data.questions), "question")] if len(data.questions) > 1 else []),
        count_of(rows[0].n_annotations, "annotation"),
        *schemes_text(data),
    ]
    return " · ".join(facts)


def schemes_text(data: Annotations) -> list[str]:
    """Categories and scale: of all questions, or of each where they differ."""
    each: dict[str, list[str]] = {}
    for name, scheme in zip(data.questions, data.schemes, strict=True):
        n = count_of(len(scheme.categories), "category", "categories")
        each.setdefault(f"{n}, {scheme.scale}", []).append(name)
    if len(each) == 1:
        return next(iter(each)).split(", ")
    return [f"{joined(names)}: {scheme}" for scheme, names in each.items()]


def print_agreement(
    console: Console,
    table: AgreementTable,
    *,
    tested: bool,
    signature: bool,
    advice: Diagnosis | None = None,
    name: str = "",
) -> None:
    """Print coefficients for people; ``name`` is what they called the file."""
    shown = agreement_table(table, tested=tested)
    grouped = NAME in shown.columns
    console.print()
    print_sentences(console, [headline(table) if grouped else f"{shown.title} · {headline(table)}"])
    console.print()
    print_table(console, shown, group="question" if grouped else "", unnamed=POOLED)
    if advice is not None:
        print_advice(console, advice, name)
    if signature:
        console.print()
        print_signature(console, table.signature)


def agreement_table(table: AgreementTable, *, tested: bool) -> Table:
    """The columns that a reader should see of coefficients, and the sentences below them."""
    rows = table.rows
    several = len({row.question for row in rows}) > 1
    single = several and len({row.coefficient for row in rows}) == 1
    question = [Column("question", "question")] if several else []
    columns = (
        *question,
        *([] if single else [NAME]),
        *MEASURED,
        *([P_VALUE] if tested else []),
        ITEMS,
    )
    return Table(
        title=coefficient_name(rows[0]) if single else "Agreement",
        columns=columns,
        rows=tuple(coefficient_row(row) | {"question": row.question or POOLED} for row in rows),
        notes=tuple(_notes(rows, tested)),
    )


def _notes(rows: Iterable[Agreement], tested: bool) -> list[str]:
    """Why cells are undefined, which weights, how sure, tested against what."""
    found = list(rows)
    return [
        *_undefined(found),
        *_alone(found),
        *_weights(found),
        *interval_notes((COEFFICIENTS[r.coefficient].symbol, r) for r in found),
        *_intervals(found),
        *([f"p: the test of {_null(found[0])}"] if tested else []),
        *_lost(found),
    ]


def _undefined(rows: list[Agreement]) -> list[str]:
    """One sentence for each reason, with the coefficients and questions that it concerns."""
    of_question: dict[tuple[str, str | None], list[str]] = {}
    for row in rows:
        if row.undefined is not None:
            key = (str(row.undefined), row.question)
            of_question.setdefault(key, []).append(COEFFICIENTS[row.coefficient].symbol)
    questions: dict[tuple[str, tuple[str, ...]], list[str | None]] = {}
    for (sentence, question), names in of_question.items():
        questions.setdefault((sentence, tuple(names)), []).append(question)
    return [
        f"— {joined(names)} {'is' if len(names) == 1 else 'are'} undefined"
        f"{_in(of)}: {sentence.rstrip('.')}."
        for (sentence, names), of in questions.items()
    ]


def _in(questions: list[str | None]) -> str:
    named = [name for name in questions if name]
    return f" for {joined(named)}" if named else ""


def _alone(rows: list[Agreement]) -> list[str]:
    """Items that one coder annotated: the last row is pooled, or of the only question."""
    n = rows[-1].n_items - rows[-1].n_pairable
    has = "has" if n == 1 else "have"
    counts = any(r.coefficient in ("s", "pi", "kappa", "ac") for r in rows)
    chance = "; it counts for chance only, except in α (--items shared leaves it out)"
    more = chance if n == 1 else chance.replace("it counts", "they count").replace(" it ", " them ")
    said = f"{count_of(n, 'further item')} {has} one annotation, so nothing is compared"
    return [said + (more if counts else "")] if n else []


def _weights(rows: list[Agreement]) -> list[str]:
    """What counts as agreement, unless it is only equality; by question where they differ."""
    questions: dict[str, list[str]] = {}
    for question in dict.fromkeys(row.question for row in rows):
        own = [row for row in rows if row.question == question]
        questions.setdefault(_weights_of(own), []).append(question or "all together")
    if list(questions) == [weights_text("identity")]:
        return []
    if len(questions) == 1:
        return [f"weights: {how}" for how in questions]
    return [f"weights for {joined(of)}: {how}" for how, of in questions.items()]


def _weights_of(rows: list[Agreement]) -> str:
    by_name: dict[str, list[str]] = {}
    for row in rows:
        symbol = COEFFICIENTS[row.coefficient].symbol
        by_name.setdefault(weights_text(row.weights), []).append(symbol)
    if len(by_name) == 1:
        return next(iter(by_name))
    return ", ".join(f"{name} for {joined(of)}" for name, of in by_name.items())


def _intervals(rows: list[Agreement]) -> list[str]:
    methods = list(dict.fromkeys(re.sub(r"\(.*?\)", "", row.method) for row in rows if row.method))
    how = [f"{level_text(rows[0].level)} intervals: {'; '.join(methods)}"] if methods else []
    return [*how, *([BELOW] if any(row.low < LEAST for row in rows) else [])]


def _null(row: Agreement) -> str:
    return f"a true value of {row.null:g}"


def _lost(rows: list[Agreement]) -> list[str]:
    lost = max(row.n_undefined_resamples for row in rows)
    return [f"up to {lost:,} resamples were undefined and left out"] if lost else []
