"""What was read, and who annotated what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import log2
from typing import Any

from ..diagnosis.words import isolated, label_text
from ..numbers import count_of, decimal, percent
from ..scheme import Scheme
from .document import Block, Column, Pairs, Section, Table
from .study import Part, Study

__all__ = ["coverage_section", "reading_section"]

MOST_ROWS = 200


def reading_section(study: Study) -> Section:
    """The file, its layout and columns, blanks, what was left out, the scheme."""
    data, reading = study.data, study.data.reading
    roles = "; ".join(f"{role}: {name}" for role, name in reading.columns.items())
    pairs = [
        ("Source", reading.source),
        ("Layout", reading.layout),
        *([("Columns", roles)] if roles else []),
        ("Items", f"{len(data.items):,}"),
        ("Coders", _names(data.coders)),
        *([("Questions", _names(data.questions))] if study.questions else []),
        ("Annotations", _statuses(study)),
        *([("Blanks", f"{count_of(reading.blanks, 'cell')}, counted as {reading.blanks_as}")]
          if reading.blanks else []),
        *[("Left out", f"{n:,} {what}") for what, n in reading.left_out],
    ]  # fmt: skip
    lead = (
        f"{count_of(len(data), 'annotation')} of {count_of(len(data.items), 'item')} by "
        f"{count_of(len(data.coders), 'coder')} enter the numbers below. Check here that the "
        "file was understood as you meant it."
    )
    said = [*(f"warning: {w}" for w in reading.warnings), *reading.notes]
    notes = tuple(n[:1].upper() + n[1:] + ("" if n.endswith(".") else ".") for n in said)
    schemes = _schemes(study)
    return Section(
        "data", "What was read", lead, (Pairs(tuple(pairs)), replace(schemes, notes=notes))
    )


def _statuses(study: Study) -> str:
    return ", ".join(f"{n:,} {status}" for status, n in study.data.statuses().items())


def _schemes(study: Study) -> Table:
    rows = tuple(
        {
            "question": name or "(only one)",
            "scale": scheme.scale,
            "n": len(scheme.categories),
            **({"labels": _labels_each(scheme, part)} if study.of_sets else {}),
            "categories": _listed(scheme.categories),
            "known": "given" if scheme.declared else "found in the data",
        }
        for name, scheme, part in zip(
            study.data.questions, study.data.schemes, study.questions or study.parts, strict=True
        )
    )
    columns = (
        *((Column("question", "question"),) if study.questions else ()),
        Column("scale", "scale", help="what the order and the size of the labels mean"),
        Column("n", "categories", "count"),
        *((Column("labels", "labels each", help="of an annotation"),) if study.of_sets else ()),
        Column("categories", "which"),
        Column("known", "where from"),
    )
    title = "The annotation scheme" if not study.questions else "The annotation scheme by question"
    return Table(title, columns, rows)


def _labels_each(scheme: Scheme, part: Part) -> str:
    """How many labels an annotation may hold, and where there is no limit how many it does."""
    if scheme.max_labels == 1:
        return "one"
    found = part.found.structure
    here = f" (here up to {found.largest})" if found is not None and found.largest else ""
    most = f"up to {scheme.max_labels}" if scheme.max_labels else f"any number{here}"
    return f"{most}, the first is the primary one" if scheme.ranked else most


def _listed(words: Sequence[Any], most: int = 30) -> str:
    found = [isolated(label_text(word)) for word in words[:most]]
    hidden = len(words) - len(found)
    return ", ".join(found) + (f" and {hidden:,} more" if hidden else "")


def _names(names: tuple[str, ...]) -> str:
    return f"{len(names):,}: {_listed(names)}"


# ------------------------------------------------------------------ who annotated what


def coverage_section(study: Study) -> Section:
    """How many coders annotated each item, and how many items each coder."""
    whole = study.whole.found.coverage
    several = whole.n_pairable / whole.n_annotated if whole.n_annotated else float("nan")
    what = "answers (items × questions)" if study.questions else "items"
    lead = (
        f"{whole.n_pairable:,} of {whole.n_items:,} {what} were annotated by two coders or more "
        f"({percent(several)} of those annotated at all); only these show agreement."
    )
    if whole.n_groups > 1:
        lead += (
            f" The coders fall into {whole.n_groups} groups that share no item, so nothing is "
            "known about agreement between the groups."
        )
    return Section("coverage", "Who annotated what", lead, study.per_part(_coverage))


def _coverage(part: Part) -> Iterator[Block]:
    found = part.found.coverage
    per_item = tuple({"coders": m, "n": n, "share": n / found.n_items} for m, n in found.per_item)
    yield Table(
        "Annotations per item",
        (
            Column("coders", "annotations", "count", "how many coders annotated the item"),
            Column("n", "items", "count"),
            Column("share", "share", "bar"),
        ),
        per_item,
        (f"{percent(found.missing_share)} of all item × coder cells have no annotation.",)
        if found.missing_share > 0
        else (),
    )
    if not found.coders:
        return
    rows = [
        {
            "coder": c.coder, "n": c.n_items, "share": c.share, "alone": c.n_alone,
            "values": c.n_values, "top": label_text(c.top), "top_share": c.top_share,
            "entropy": c.entropy,
        }
        for c in sorted(found.coders, key=lambda c: -c.n_items)
    ]  # fmt: skip
    n_labels = len(part.found.scheme.categories) if part.of_sets else part.found.counts.n_values
    most = log2(n_labels) if n_labels > 0 else 0.0
    yield Table(
        "Coders",
        (
            Column("coder", "coder"),
            Column("n", "items", "count"),
            Column("share", "of all items", "bar"),
            Column("alone", "alone", "count", "items that nobody else annotated"),
            Column("values", "labels used", "count"),
            Column("top", "most frequent"),
            Column("top_share", "its share", "share", "of the coder's annotations"),
            Column("entropy", "entropy", "bits", "in bits; 0 if a coder always gives one label"),
        ),
        tuple(rows[:MOST_ROWS]),
        (
            f"Entropy says how evenly a coder spreads the labels: 0 bits if always the same, "
            f"{decimal(most, 2)} bits if all {n_labels} equally often.",
            *_more(len(rows)),
        ),
        depth="detail" if len(rows) > 30 else "main",
    )


def _more(n: int) -> tuple[str, ...]:
    if n <= MOST_ROWS:
        return ()
    return (f"The {MOST_ROWS} with the most items of {n:,} are shown.",)
