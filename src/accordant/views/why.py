"""Why coders disagree: the patterns in their disagreements, what is most at stake first."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from ..diagnosis import finding as diagnosis
from ..diagnosis.titles import title_of
from ..literature.bibliography import cite
from ..numbers import count_of, percent
from .charts import beside
from .document import Block, Chart, Column, Finding, Fold, Items, Section, Table
from .names import begun
from .study import Part, Study

__all__ = ["first_reason", "is_pattern", "top_pattern", "why_section"]

_FIRST_SENTENCE = re.compile(r"(?<=[.])\s+(?=[A-Z“])")
NONE = "no_pattern"  # the code of what says that there is none
MOST_OPEN = 6  # patterns that are told at length; the others are folded
MOST = 20  # patterns of all questions together


def is_pattern(found: diagnosis.Finding, study: Study) -> bool:
    """Whether a finding is told in this section, and so not among the traps."""
    return any(found is own for part in study.diagnosis.each for own in part.patterns)


def top_pattern(study: Study) -> diagnosis.Finding | None:
    """What is most at stake of all that needs to be mended; None where nothing is alarming."""
    serious = [f for f in _ranked(study) if f.severity != "note"]
    return serious[0] if serious else None


def why_section(study: Study) -> Section | None:
    """The patterns of every question; None if there is nothing to compare."""
    found = _ranked(study)
    if not study.comparable or not (found or _disputed(study)):
        return None
    real = [f for f in found if f.code != NONE]
    serious = [f for f in real if f.severity != "note"]
    notes = [f for f in real if f.severity == "note"]
    none = [f for f in found if f.code == NONE]
    first, more = serious[:MOST_OPEN], (*serious[MOST_OPEN:], *notes)
    shown: tuple[Block, ...] = tuple(_finding(f, study) for f in (*first, *none[:MOST]))
    further = tuple(_finding(f, study) for f in more[: MOST - len(first)])
    if further:
        title = count_of(len(further), "further pattern" if shown else "pattern")
        little = "" if serious[MOST_OPEN:] else " with little at stake"
        shown = (*shown, Fold(f"{title}{little}", further))
    return Section("why", "Why coders disagree", _lead(serious, notes, none, study), shown)


def _disputed(study: Study) -> bool:
    return any(part.found.items.n_disputed for part in study.parts)


def _ranked(study: Study) -> tuple[diagnosis.Finding, ...]:
    """The patterns of all questions in one order; of one question in their own."""
    return diagnosis.ranked(f for part in study.diagnosis.each for f in part.patterns)


def _lead(
    serious: list[diagnosis.Finding], notes: list[diagnosis.Finding],
    none: list[diagnosis.Finding], study: Study,
) -> str:  # fmt: skip
    if serious:
        first, stake = serious[0], _finding_without_evidence(serious[0], study).at_stake
        told = f"{_where(first, study)}{first.title}{f', {stake}' if stake else ''}"
        return f"{told}.{_others(len(serious) - 1)}"
    if notes:
        return (
            "Disagreement follows no pattern that is worth mending first: "
            f"{'what there is of patterns is' if len(notes) > 1 else 'the one there is is'} "
            "uncertain, or moves α little."
        )
    if none:
        return "Disagreement follows no pattern: no category, coder or group of items stands out."
    return "Too little is disputed, or too few items were annotated, to look for patterns."


def _others(n: int) -> str:
    if not n:
        return ""
    return f" {count_of(n, 'further pattern')} {'follows' if n == 1 else 'follow'}."


def first_reason(found: diagnosis.Finding, study: Study) -> str:
    """A pattern in a sentence or two: what shows it, and how much is at stake."""
    told = _FIRST_SENTENCE.split(found.sentence)[0]
    stake = _finding_without_evidence(found, study).at_stake
    return f"{_where(found, study)}{told}{f' {begun(stake)}.' if stake else ''}"


def _where(found: diagnosis.Finding, study: Study) -> str:
    return f"Question {found.question}: " if found.question and study.questions else ""


# ------------------------------------------------------------------ one pattern


def _title(found: diagnosis.Finding, study: Study) -> str:
    title = found.title or title_of(found.code)
    named = found.question is not None and bool(study.questions)
    return f"{title} · question {found.question}" if named else title


def _finding_without_evidence(found: diagnosis.Finding, study: Study) -> Finding:
    return Finding(
        _title(found, study),
        (("", found.sentence),),
        found.advice,
        found.severity,
        tuple(cite(key) for key in found.sources),
        found.stake,
        found.to_do,
    )


def _finding(found: diagnosis.Finding, study: Study) -> Finding:
    bare = _finding_without_evidence(found, study)
    if found.seen is None:
        return bare
    part = next(p for p in study.parts if p.question == found.question)
    return replace(
        bare,
        items=_items(bare.title, found.seen.items, part, study),
        blocks=tuple(_evidence(found.seen)),
    )


def _items(title: str, positions: tuple[int, ...], part: Part, study: Study) -> Items | None:
    if not positions:
        return None
    found, where = part.found.items, np.array(positions)
    key = study.collector.add(found, len(positions), where)
    names = tuple(
        str(item.item) if item.question is None or part.question is not None
        else f"{item.item} ({item.question})"
        for item in found.named(where)
    )  # fmt: skip
    return Items(key, f"{title}: {count_of(len(positions), 'item')}", names)


def _evidence(seen: diagnosis.Evidence) -> Iterator[Block]:
    """What was seen beside what would be there without the pattern: a chart and its table."""
    rows = tuple(
        {"name": line.name, "n": line.n, "share": line.share, "other": line.other}
        for line in seen.lines
    )
    if not rows:
        return
    compared = any(not math.isnan(line.other) for line in seen.lines)
    columns = (
        Column("name", seen.about),
        Column("n", seen.of, "count"),
        Column("share", seen.share, "share"),
        *((Column("other", seen.other, "share"),) if compared else ()),
    )
    table = Table("In numbers", columns, rows, depth="detail")
    drawn = [f"{seen.share} (dot)", f"{seen.other} (tick)"] if compared else [seen.share]
    yield Chart(_says(_telling(rows), seen), beside(rows, title=drawn, near=True), table)


def _telling(rows: tuple[dict[str, Any], ...]) -> dict[str, Any]:
    """The first line, which is what the finding is about; the widest if that one shows little."""

    def gap(row: dict[str, Any]) -> float:
        return 0.0 if math.isnan(row["other"]) else abs(row["share"] - row["other"])

    widest = max(rows, key=gap)
    return rows[0] if gap(rows[0]) >= gap(widest) / 2 else widest


def _says(row: dict[str, Any], seen: diagnosis.Evidence) -> str:
    """The first line in words."""
    text = f"{begun(row['name'])}: {seen.share} {percent(row['share'])}"
    if math.isnan(row["other"]):
        return text
    return f"{text}, {seen.other} {percent(row['other'])}"
