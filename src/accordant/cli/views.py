"""What a reader sees of the coefficients: a headline, a table, and what to know about it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ..measure.registry import COEFFICIENTS
from ..measure.results import Agreement
from ..report.document import Column, Table
from ..report.numbers import count_of, joined

if TYPE_CHECKING:
    from ..public import AgreementTable

__all__ = ["agreement_table", "headline"]

NAME = Column("name", "coefficient")
MEASURED = (
    Column("value", "value", "value"),
    Column("interval", "interval", "interval"),
    Column("observed", "A_o", "value"),
    Column("expected", "A_e", "value"),
)
P_VALUE = Column("p_value", "p", "p")
ITEMS = Column("n_items", "items", "count")


def headline(table: AgreementTable) -> str:
    """What the figures rest on, in one line."""
    data, rows = table.data, table.of_question(None) or table.rows
    facts = [
        count_of(len(data.items), "item"),
        "unknown coders" if data.anonymous else count_of(len(data.coders), "coder"),
        *([count_of(len(data.questions), "question")] if len(data.questions) > 1 else []),
        count_of(rows[0].n_annotations, "annotation"),
        count_of(rows[0].n_values, "category", "categories"),
        f"{data.scheme.scale} scale",
    ]
    return " · ".join(facts)


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
        title=COEFFICIENTS[rows[0].coefficient].name if single else "Agreement",
        columns=columns,
        rows=tuple(_row(row, single) for row in rows),
        notes=tuple(_notes(rows, tested)),
    )


def _row(row: Agreement, single: bool) -> dict[str, Any]:
    return {
        **row.to_rows()[0],
        "name": COEFFICIENTS[row.coefficient].name,
        "interval": (row.low, row.high),
        "question": row.question or ("pooled" if single else None),
    }


def _notes(rows: Iterable[Agreement], tested: bool) -> list[str]:
    """Why cells are undefined, which weights, how sure, tested against what."""
    found = list(rows)
    return [
        *_undefined(found),
        *_weights(found),
        *_intervals(found),
        *([f"p: the test of {_null(found[0])}"] if tested else []),
        *_lost(found),
    ]


def _undefined(rows: list[Agreement]) -> list[str]:
    """One sentence for each reason, with all the coefficients that it concerns."""
    why: dict[tuple[str | None, str], list[str]] = {}
    for row in rows:
        if row.undefined is not None:
            key = (row.question, str(row.undefined))
            why.setdefault(key, []).append(COEFFICIENTS[row.coefficient].symbol)
    return [
        f"— {f'{question}: ' if question else ''}{joined(names)} "
        f"{'is' if len(names) == 1 else 'are'} undefined: {sentence}."
        for (question, sentence), names in why.items()
    ]


def _weights(rows: list[Agreement]) -> list[str]:
    by_name: dict[str, list[str]] = {}
    for row in rows:
        symbol = COEFFICIENTS[row.coefficient].symbol
        names = by_name.setdefault(row.weights, [])
        if symbol not in names:
            names.append(symbol)
    if len(by_name) == 1:
        return [f"weights: {name}" for name in by_name if name != "identity"]
    return ["weights: " + "; ".join(f"{name} ({', '.join(of)})" for name, of in by_name.items())]


def _intervals(rows: list[Agreement]) -> list[str]:
    methods = list(dict.fromkeys(re.sub(r"\(.*?\)", "", row.method) for row in rows if row.method))
    return [f"{rows[0].level:.4g} intervals: {'; '.join(methods)}"] if methods else []


def _null(row: Agreement) -> str:
    return f"a true value of {row.null:g}"


def _lost(rows: list[Agreement]) -> list[str]:
    lost = max(row.n_undefined_resamples for row in rows)
    return [f"up to {lost:,} resamples were undefined and left out"] if lost else []
