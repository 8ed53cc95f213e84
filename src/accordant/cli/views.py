"""What a reader sees of the coefficients: a headline, a table, and what to know about it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..measure.results import Agreement
from ..numbers import BELOW, LEAST, count_of, joined, level_text
from ..views.document import Column, Table
from ..views.measures import ADJUSTED, set_notes
from ..views.names import (
    POOLED,
    begun,
    coefficient_name,
    compares_sets,
    continued,
    key_of_row,
    symbol_of,
    weights_text,
)
from ..views.rows import coefficient_row, interval_notes
from .advice import print_advice
from .tables import print_sentences, print_signature, print_table

if TYPE_CHECKING:
    from rich.console import Console

    from ..data.annotations import Annotations
    from ..diagnosis.diagnose import Diagnosis
    from ..public import AgreementTable
    from ..scheme import Scheme

__all__ = ["agreement_table", "headline", "print_agreement", "schemes_text"]

NAME = Column("name", "coefficient")
MEASURE = Column("name", "measure")
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
        each.setdefault(_scheme_text(scheme, data), []).append(name)
    if len(each) == 1:
        return next(iter(each)).split(", ")
    return [f"{joined(names)}: {scheme}" for scheme, names in each.items()]


def _scheme_text(scheme: Scheme, data: Annotations) -> str:
    if scheme.max_labels == 1:
        n = count_of(len(scheme.categories), "category", "categories")
        return f"{n}, {scheme.scale}"
    largest = max((len(v) for v in data.values if isinstance(v, tuple)), default=0)
    most = scheme.max_labels or largest
    ranked = ", ranked" if scheme.ranked else ""
    return f"up to {most} of {count_of(len(scheme.categories), 'label')}{ranked}"


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
    grouped = any(column.key == "name" for column in shown.columns)
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
    rows, of_sets = table.rows, compares_sets(table.data)
    several = len({row.question for row in rows}) > 1
    single = several and len({key_of_row(row) for row in rows}) == 1
    question = [Column("question", "question")] if several else []
    columns = (
        *question,
        *([] if single else [MEASURE if of_sets else NAME]),
        *(ADJUSTED if of_sets else MEASURED),
        *([P_VALUE] if tested else []),
        ITEMS,
    )
    return Table(
        title=begun(coefficient_name(rows[0], of_sets=of_sets)) if single else "Agreement",
        columns=columns,
        rows=tuple(
            coefficient_row(row, of_sets=of_sets) | {"question": row.question or POOLED}
            for row in rows
        ),
        notes=tuple(_notes(table, tested)),
    )


def _notes(table: AgreementTable, tested: bool) -> list[str]:
    """Why cells are undefined, which weights, how sure, tested against what."""
    found, of_sets = list(table.rows), compares_sets(table.data)
    pair = table.data.coders if len(table.data.coders) == 2 and not table.data.anonymous else ()
    named = [(symbol_of(row, of_sets=of_sets), row) for row in found]
    return [
        *_undefined(named),
        *_alone(found),
        *(_of_sets(found, pair) if of_sets else _weights(named)),
        *interval_notes(named),
        *_intervals(found),
        *([f"p: the test of {_null(found[0])}"] if tested else []),
        *_lost(found),
    ]


def _of_sets(rows: list[Agreement], pair: tuple[str, ...]) -> list[str]:
    """What the measures of label sets mean, in the words of the report."""
    last = [row for row in rows if row.question == rows[-1].question]
    return [continued(note) for note in set_notes(last, pair)]


def _undefined(rows: list[tuple[str, Agreement]]) -> list[str]:
    """One sentence for each reason, with the coefficients and questions that it concerns."""
    of_question: dict[tuple[str, str | None], list[str]] = {}
    for name, row in rows:
        if row.undefined is not None:
            of_question.setdefault((str(row.undefined), row.question), []).append(name)
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


def _weights(rows: list[tuple[str, Agreement]]) -> list[str]:
    """What counts as agreement, unless it is only equality; by question where they differ."""
    questions: dict[str, list[str]] = {}
    for question in dict.fromkeys(row.question for _, row in rows):
        own = [(name, row) for name, row in rows if row.question == question]
        questions.setdefault(_weights_of(own), []).append(question or "all together")
    if list(questions) == [weights_text("identity")]:
        return []
    if len(questions) == 1:
        return [f"weights: {how}" for how in questions]
    return [f"weights for {joined(of)}: {how}" for how, of in questions.items()]


def _weights_of(rows: list[tuple[str, Agreement]]) -> str:
    by_name: dict[str, list[str]] = {}
    for symbol, row in rows:
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
