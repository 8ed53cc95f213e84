"""What a reader sees of coverage: a table by question, by coder and by label."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..data.annotations import Annotations
from ..diagnosis.coverage import Coverage, coverage
from ..diagnosis.label_sets import CoderSets, structure
from ..diagnosis.words import label_text
from ..numbers import count_of, joined, percent
from ..views.document import Column, Table
from ..views.names import POOLED, compares_sets
from .tables import print_sentences, print_table
from .views import schemes_text

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["Covered", "covered", "print_coverage"]

MOST = 25  # rows of a table for reading
FEW = 4  # different numbers in one sentence
MOST_SIZES = 6  # numbers of labels with a column of their own

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
    "size": (
        QUESTION,
        Column("coder", "coder"),
        Column("n_annotations", "annotations", "count"),
        Column("mean_labels", "labels each", "bits"),
    ),
}
"""What is shown of each table; that of sizes goes on with a column for each size."""

OF_SETS = {
    "coder": (*COLUMNS["coder"][:-1], Column("top_share", "of annotations", "share")),
    "label": (
        QUESTION,
        Column("label", "label"),
        Column("n", "times", "count"),
        Column("share", "of all labels", "share"),
        Column("share_of_annotations", "of annotations", "share"),
    ),
}
"""Where annotations hold several labels, a share says of what."""


@dataclass(frozen=True)
class Covered:
    """The coverage of each question, and pooled last if there are several."""

    data: Annotations
    parts: tuple[Coverage, ...]

    @property
    def several(self) -> bool:
        """Whether there is more than one question."""
        return len(self.parts) > 1

    @property
    def of_sets(self) -> bool:
        """Whether an annotation may hold several labels."""
        return compares_sets(self.data)

    @property
    def kinds(self) -> list[str]:
        """The tables that say something: sizes only where there may be several labels."""
        return [kind for kind in COLUMNS if kind != "size" or self.of_sets]

    def rows(self, by: str) -> list[dict[str, Any]]:
        """Flat rows by 'question', 'coder', 'label' or 'size' (how many labels, by coder)."""
        if by == "size":
            return self._sizes
        rows = [(part, row) for part in self.parts for row in _ROWS[by](part)]
        return [{**row, **self._of_sets(part, by, row)} for part, row in rows]

    def _of_sets(self, part: Coverage, by: str, row: dict[str, Any]) -> dict[str, Any]:
        """What else there is to know of a row where an annotation may hold several labels."""
        if not self.of_sets:
            return {}
        if by == "label":
            n = part.n_annotations
            return {"share_of_annotations": row["n"] / n if n else math.nan}
        if by == "coder":
            return self._size_of[part.question, row["coder"]]
        n_labels, n = float(part.distribution.n.sum()), part.n_annotations
        return {"mean_labels": n_labels / n if n else math.nan}

    @cached_property
    def _size_of(self) -> dict[tuple[str | None, str | None], dict[str, Any]]:
        """Mean number of labels and shares of sizes, by question and coder."""
        return {
            (row["question"], row["coder"]): {
                key: x for key, x in row.items() if key.startswith(("mean_", "share_"))
            }
            for row in self._sizes
        }

    @cached_property
    def _sizes(self) -> list[dict[str, Any]]:
        """Shares of annotations with 0, 1, 2, … labels, with the same keys in every row."""
        found = [(part, each) for part in self.parts for each in _sets_of(self.data, part)]
        largest = max((len(each.n_by_size) for _, each in found), default=1)
        return [
            {
                "question": part.question,
                "coder": each.coder,
                "n_annotations": each.n_annotations,
                "mean_labels": each.mean_labels,
                **{f"share_{n}": dict(enumerate(each.share_by_size)).get(n, 0.0)
                   for n in range(largest)},
            }
            for part, each in found
        ]  # fmt: skip

    def table(self, by: str) -> Table:
        """The columns that a reader should see."""
        whole = (COLUMNS | OF_SETS if self.of_sets else COLUMNS)[by]
        columns = whole if self.several else whole[1:]
        if by == "size":
            columns = (*columns, *_size_columns(self._sizes))
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
    for kind in [by] if by else found.kinds:
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


def _sets_of(data: Annotations, part: Coverage) -> tuple[CoderSets, ...]:
    """The sizes of each coder and, where there are several, of all together."""
    own = data if part.question is None else data.of_question(part.question)
    found = structure(own, part.counts)
    return found.coders if len(found.coders) == 1 else (*found.coders, found.everybody)


def _size_columns(rows: Sequence[dict[str, Any]]) -> list[Column]:
    """A column for each number of labels that occurs, up to the first few."""
    keys = [key for key in rows[0] if key.startswith("share_")] if rows else []
    used = [key for key in keys if any(row[key] for row in rows)][:MOST_SIZES]
    names = {"share_0": "none", "share_1": "1 label"}
    return [
        Column(key, names.get(key, f"{key.removeprefix('share_')} labels"), "share") for key in used
    ]


_ROWS = {"question": _by_question, "coder": _by_coder, "label": _by_label}


def _shown(row: dict[str, Any]) -> dict[str, str]:
    """Labels as a reader sees them; all coders together have no name."""
    labels = {key: label_text(row[key]) for key in ("top", "label") if key in row}
    return labels | ({"coder": "all"} if "coder" in row and row["coder"] is None else {})


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
