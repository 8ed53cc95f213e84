"""What a reader sees of coverage: a table by question, by coder and by label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ..data.annotations import Annotations
from ..diagnosis.coverage import Coverage, coverage
from ..diagnosis.words import label_text
from ..measure.numbers import count_of, joined, percent
from ..reports.document import Column, Table
from ..reports.names import POOLED
from .tables import print_sentences, print_table
from .views import schemes_text

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["Covered", "covered", "print_coverage"]

MOST = 25  # rows of a table for reading
FEW = 4  # different numbers in one sentence

QUESTION = Column("question", "question")
COLUMNS = {
    "question": (
        QUESTION,
        Column("n_items", "items", "count"),
        Column("n_pairable", "by 2 coders", "count"),
        Column("n_empty", "by nobody", "count"),
        Column("n_annotations", "annotations", "count"),
        Column("n_values", "labels", "count"),
        Column("entropy", "entropy", "bits"),
    ),
    "coder": (
        QUESTION,
        Column("coder", "coder"),
        Column("n_items", "items", "count"),
        Column("share", "of all", "share"),
        Column("n_alone", "alone", "count"),
        Column("entropy", "entropy", "bits"),
        Column("top", "most often"),
        Column("top_share", "share", "share"),
    ),
    "label": (
        QUESTION,
        Column("label", "label"),
        Column("n", "annotations", "count"),
        Column("share", "share", "share"),
    ),
}


@dataclass(frozen=True)
class Covered:
    """The coverage of each question, and pooled last if there are several."""

    data: Annotations
    parts: tuple[Coverage, ...]

    @property
    def several(self) -> bool:
        """Whether there is more than one question."""
        return len(self.parts) > 1

    def rows(self, by: str) -> list[dict[str, Any]]:
        """Flat rows by 'question', 'coder' or 'label'."""
        return [row for part in self.parts for row in _ROWS[by](part)]

    def table(self, by: str) -> Table:
        """The columns that a reader should see."""
        columns = COLUMNS[by] if self.several else COLUMNS[by][1:]
        rows = tuple(
            {**row, "question": row["question"] or POOLED, **_shown(row)} for row in self.rows(by)
        )
        return Table(f"By {by}", columns, rows)


def covered(data: Annotations) -> Covered:
    """The coverage of annotations, question by question."""
    parts = tuple(coverage(data.of_question(name)) for name in data.questions)
    return Covered(data, (*parts, coverage(data)) if len(parts) > 1 else parts)


def print_coverage(console: Console, found: Covered, by: str | None) -> None:
    """Print one table, or all of them with what to know about them."""
    console.print()
    print_sentences(console, [_headline(found)])
    console.print()
    for kind in [by] if by else list(COLUMNS):
        table = found.table(kind)
        if table.rows:
            _print_start(console, table, kind)
    if by is None:
        print_sentences(console, _sentences(found))


def _print_start(console: Console, table: Table, by: str) -> None:
    """The table if it is short; else its first rows."""
    hidden = len(table.rows) - MOST
    if hidden > 0:
        note = f"and {hidden:,} more: --by {by} --format csv shows all"
        rows = table.rows
        if by == "coder":
            rows = tuple(sorted(rows, key=lambda row: -row["n_items"]))
        table = replace(table, rows=rows[:MOST], notes=(note,))
    print_table(console, table)
    if table.notes:
        console.print()


# ---------------------------------------------------------------------- rows


def _by_question(part: Coverage) -> list[dict[str, Any]]:
    return part.to_rows()


def _by_coder(part: Coverage) -> list[dict[str, Any]]:
    return [{"question": part.question} | row for c in part.coders for row in c.to_rows()]


def _by_label(part: Coverage) -> list[dict[str, Any]]:
    return [
        {"question": part.question, "label": row["value"], "n": row["n"], "share": row["share"]}
        for row in part.distribution.to_rows()
    ]


_ROWS = {"question": _by_question, "coder": _by_coder, "label": _by_label}


def _shown(row: dict[str, Any]) -> dict[str, str]:
    """Labels as a reader sees them."""
    return {key: label_text(row[key]) for key in ("top", "label") if key in row}


# ---------------------------------------------------------------------- sentences


def _headline(found: Covered) -> str:
    data, whole = found.data, found.parts[-1]
    return " · ".join(
        [
            count_of(len(data.items), "item"),
            "unknown coders" if data.anonymous else count_of(len(data.coders), "coder"),
            *([count_of(len(data.questions), "question")] if found.several else []),
            count_of(whole.n_annotations, "annotation"),
            *schemes_text(data),
        ]
    )


def _sentences(found: Covered) -> list[str]:
    whole = found.parts[-1]
    return [
        *_sizes(whole),
        *(_unused(part) for part in found.parts[: -1 if found.several else None]
          if part.distribution.unused),
        *([f"coders fall into {whole.n_groups} groups that share no item: agreement between "
           "groups is unknown"] if whole.n_groups > 1 else []),
    ]  # fmt: skip


def _sizes(whole: Coverage) -> list[str]:
    """How many annotations an item has."""
    sizes: Sequence[tuple[int, int]] = whole.per_item
    if len(sizes) == 1:
        return [f"every item has {count_of(sizes[0][0], 'annotation')}"]
    if len(sizes) > FEW:
        mean = whole.n_annotations / whole.n_items
        each = f"{sizes[0][0]:,} to {sizes[-1][0]:,}, {mean:.1f} on average"
    else:
        each = joined(f"{n:,} {'has' if n == 1 else 'have'} {m}" for m, n in sizes)
    gaps = f"{percent(whole.missing_share)} of items × coders are without one"
    return [f"annotations per item: {each}; {gaps}"]


def _unused(part: Coverage) -> str:
    where = f" of question {part.question}" if part.question else ""
    names = joined(label_text(v) for v in part.distribution.unused)
    return f"categories{where} that nobody gave: {names}"
