"""The change of coefficients between two rounds or data sets, question by question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..counts.count import count
from ..counts.counts import Counts
from ..data.annotations import Annotations
from ..errors import RequestError
from ..inference.compare import Side, difference, in_common
from ..inference.intervals import Settings
from ..inference.measured import fitting_weights
from ..measure.registry import Coefficient
from ..measure.undefined import why_undefined
from ..report.document import Column, Table
from ..report.names import name_of
from ..report.numbers import count_of, joined
from ..scheme import Scheme

__all__ = ["Comparison", "compare"]

COLUMNS = (
    Column("question", "question"),
    Column("name", "coefficient"),
    Column("first", "first", "value"),
    Column("second", "second", "value"),
    Column("difference", "change", "value"),
    Column("interval", "interval", "interval"),
    Column("p_value", "p", "p"),
    Column("n_items", "items", "count"),
)


@dataclass(frozen=True)
class Comparison:
    """Differences of coefficients, one row for each question and coefficient."""

    rows: tuple[dict[str, Any], ...]
    paired: bool
    n_common: int
    n_apart: int

    @property
    def sentences(self) -> list[str]:
        """How it was tested."""
        if not self.paired:
            return ["the items are taken as different ones, so the test is unpaired"]
        same = count_of(self.n_common, "item is", "items are")
        gone = f", {count_of(self.n_apart, 'other')} left out" if self.n_apart else ""
        return [
            f"{same} in both{gone}: the test is paired (--unpaired if equal names do not mean "
            "equal items)"
        ]

    def table(self) -> Table:
        """The columns that a reader should see."""
        several = any(row["question"] for row in self.rows)
        rows = ({**row, "interval": (row["low"], row["high"])} for row in self.rows)
        methods = dict.fromkeys(row["method"] for row in self.rows if row["method"])
        level = f"{100 * self.rows[0]['level']:.4g} % intervals" if self.rows else ""
        notes = [f"{level}: {'; '.join(methods)}"] if methods else []
        notes += dict.fromkeys(row["note"] for row in self.rows if row["note"])
        notes = [*self._undefined(), *notes]
        return Table("Change", COLUMNS if several else COLUMNS[1:], tuple(rows), tuple(notes))

    def _undefined(self) -> list[str]:
        """One sentence for each reason why there is no change to tell."""
        names: dict[str, list[str]] = {}
        for row in self.rows:
            if row["undefined"]:
                names.setdefault(row["undefined"], []).append(_named(row))
        return [f"— {joined(of)}: {why}." for why, of in names.items()]


def _named(row: dict[str, Any]) -> str:
    return f"{row['name']} of {row['question']}" if row["question"] else str(row["name"])


def compare(
    first: Annotations,
    second: Annotations,
    coefficients: Sequence[Coefficient],
    weights: str | None,
    settings: Settings,
    *,
    paired: bool | None,
) -> Comparison:
    """How much the second data set is above the first, for every question that both have."""
    here, there = _common_items(first, second)
    if paired is None:
        paired = len(here) > 1
    if paired and len(here) < 2:
        raise RequestError(
            f"a paired test needs items that are in both; {count_of(len(here), 'item')} "
            f"{'is' if len(here) == 1 else 'are'}. Say --unpaired if the items are different ones"
        )
    rows: list[dict[str, Any]] = []
    for question, schemes, sides in _questions(first, second):
        if paired:
            sides = in_common(*sides, here, there)
        for coefficient in coefficients:
            rows.append(_row(question, coefficient, schemes, sides, weights, settings, paired))
    return Comparison(
        tuple(rows), paired, len(here), len(first.items) + len(second.items) - 2 * len(here)
    )


def _common_items(first: Annotations, second: Annotations) -> tuple[Any, Any]:
    """Positions of the items that both have, in each of the two."""
    place = {str(item): k for k, item in enumerate(second.items)}
    pairs = [(k, place[str(i)]) for k, i in enumerate(first.items) if str(i) in place]
    found = np.array(pairs, np.int64).reshape(-1, 2)
    return found[:, 0], found[:, 1]


def _questions(
    first: Annotations, second: Annotations
) -> Iterator[tuple[str | None, tuple[Scheme, Scheme], tuple[Counts, Counts]]]:
    if len(first.questions) == len(second.questions) == 1:
        names = [(first.questions[0], second.questions[0])]
    else:
        names = [(q, q) for q in first.questions if q in second.questions]
    if not names:
        raise RequestError(
            "the two have no question in common: the first has "
            f"{', '.join(first.questions)}, the second {', '.join(second.questions)}"
        )
    for one, two in names:
        a, b = first.of_question(one), second.of_question(two)
        yield one or None, (a.scheme, b.scheme), (count(a), count(b))


def _row(
    question: str | None,
    coefficient: Coefficient,
    schemes: tuple[Scheme, Scheme],
    counts: tuple[Counts, Counts],
    weights: str | None,
    settings: Settings,
    paired: bool,
) -> dict[str, Any]:
    one, two = (
        Side(coefficient, c, fitting_weights(c, scheme, weights, metric=coefficient.per_value))
        for c, scheme in zip(counts, schemes, strict=True)
    )
    why = {name: _why(side) for name, side in (("first", one), ("second", two))}
    found = difference(one, two, settings, paired=paired)
    return {
        "question": question,
        "coefficient": coefficient.key,
        "name": name_of(coefficient.key, n_coders=two.counts.n_coders, weights=two.w.name),
        "weights": two.w.name,
        "first": one.value,
        "second": two.value,
        "difference": found.value,
        "se": found.se,
        "low": found.low,
        "high": found.high,
        "level": settings.level,
        "method": found.method,
        "null": settings.null,
        "p_value": found.p_value,
        "n_items": found.n if paired else int(one.n + two.n),
        "paired": paired,
        "n_undefined_resamples": found.n_undefined_resamples,
        "note": found.note,
        "undefined": "; ".join(f"{name}: {said}" for name, said in why.items() if said) or None,
    }


def _why(side: Side) -> str | None:
    """Why one side has no value."""
    parts = side.coefficient.parts(side.counts, side.w)
    found = why_undefined(
        side.coefficient, side.counts, float(parts.observed), float(parts.expected)
    )
    return None if found is None else str(found).rstrip(".")
