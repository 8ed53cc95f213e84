"""The change of coefficients between two rounds or data sets, as a table for readers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ..diagnosis.words import listed
from ..inference.comparison import INDEPENDENT, Comparison
from ..numbers import count_of, joined, level_text
from ..views.document import Column, Table
from ..views.names import name_of

if TYPE_CHECKING:
    from ..data.annotations import Annotations
    from ..scheme import Scheme

__all__ = ["changes_table", "how_paired", "mismatches"]

COLUMNS = (
    Column("question", "question"),
    Column("name", "coefficient"),
    Column("before", "before", "value"),
    Column("after", "after", "value"),
    Column("difference", "change", "value"),
    Column("interval", "interval", "interval"),
    Column("p_value", "p", "p"),
    Column("n", "items", "count"),
)

MEASURED = ("interval", "ratio", "circular")
"""Scales of measurements."""


def how_paired(rows: Sequence[Comparison]) -> str:
    """How the difference was tested, in a sentence."""
    row = rows[-1]
    same = count_of(row.n_common, "item is", "items are")
    if not row.paired and row.pairing == "few shared items":
        return f"only {same} in both: the test is unpaired (--paired compares these alone)"
    if not row.paired:
        also = " (--paired if their order is the same)" if row.pairing == "generated ids" else ""
        return f"{INDEPENDENT[row.pairing]}: the test is unpaired{also}"
    others = row.n_before + row.n_after - 2 * row.n_common
    gone = f", {count_of(others, 'other')} left out" if others else ""
    return (
        f"{same} in both{gone}: the test is paired (--unpaired if equal names do not mean "
        "equal items)"
    )


def mismatches(before: Annotations, after: Annotations, names: tuple[str, str]) -> list[str]:
    """What makes two sets of annotations hard to compare, in sentences; ``names`` of the two."""
    others = dict(zip(after.questions, after.schemes, strict=True))
    if len(before.questions) == len(after.questions) == 1:
        others = {before.questions[0]: after.schemes[0]}  # it may go by two names
    return [
        f"question {question}: {told}" if len(before.questions) > 1 else told
        for question, scheme in zip(before.questions, before.schemes, strict=True)
        if question in others
        for told in _mismatches((scheme, others[question]), names)
    ]


def _mismatches(schemes: tuple[Scheme, Scheme], names: tuple[str, str]) -> Iterator[str]:
    sets = [scheme.max_labels != 1 for scheme in schemes]
    if sets[0] != sets[1]:
        several, single = names if sets[0] else names[::-1]
        yield (
            f"warning: {several} holds sets of labels and {single} single labels, which are "
            f"compared as sets of one; if a cell of {single} holds several labels, say with "
            "--separator what stands between them"
        )
    if any(scheme.scale in MEASURED for scheme in schemes):
        return  # numbers that happen to differ are no categories
    one, two = (dict.fromkeys(map(str, scheme.categories)) for scheme in schemes)
    only = [[c for c in own if c not in other] for own, other in ((one, two), (two, one))]
    told = [f"{listed(c)} only in {name}" for c, name in zip(only, names, strict=True) if c]
    if told:
        which = "categories differ" if len(only[0] + only[1]) > 1 else "a category differs"
        yield f"{which}: {joined(told)}"


def changes_table(rows: Sequence[Comparison], *, of_sets: bool = False) -> Table:
    """The columns that a reader should see, with what to know beneath."""
    several = any(row.question for row in rows)
    shown = [
        {
            **row.to_rows()[0],
            "question": row.question or ("pooled" if several else None),
            "name": name_of(
                row.coefficient, n_coders=row.n_coders, weights=row.weights, of_sets=of_sets
            ),
            "interval": (row.low, row.high),
            "n": row.n_common if row.paired else row.n_before + row.n_after,
        }
        for row in rows
    ]
    methods = dict.fromkeys(row.method for row in rows if row.method)
    notes = [f"{level_text(rows[0].level)} intervals: {'; '.join(methods)}"] if methods else []
    reasons: dict[str, list[str]] = {}
    for row, cells in zip(rows, shown, strict=True):
        if row.undefined:
            of = f" of {row.question}" if row.question else ""
            reasons.setdefault(row.undefined, []).append(f"{cells['name']}{of}")
    said = [f"— {joined(names)}: {why}." for why, names in reasons.items()]
    return Table("Change", COLUMNS if several else COLUMNS[1:], tuple(shown), (*said, *notes))
