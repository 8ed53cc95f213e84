"""The scheme taken apart: which of its questions carries the disagreement."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from ...decomposition.call import decompose
from ...decomposition.decomposition import Decomposition
from ...decomposition.decompositions import Explored
from ...decomposition.hierarchy import find_hierarchy
from ...diagnosis.words import quoted
from ...errors import RequestError
from ...measure.numbers import count_of, decimal, percent
from ..charts import beside
from ..document import Block, Chart, Column, Prose, Section, Table
from ..names import cut
from ..study import Part, Study

__all__ = ["levels_section"]

CATEGORIES = range(4, 21)  # so many are taken apart; of fewer or more only named groups
MOST_STATES = 64  # different sets of labels
MOST_LISTED = 16  # values whose bipartitions are all gone through in no time
MOST_WORK = 1_500_000  # patterns of annotation x pairs of coders: a quarter of a second
MOST_ROWS = 8
MOST_ITEMS = 25  # behind a number
N_RESAMPLES = 50
LONG = 60  # letters of a rule

KEY, TITLE = "levels", "The scheme taken apart"
TOO_LONG = (
    "With so many coders and annotations this takes longer than a report should: `decompose` does "
    "it, in Python and on the command line."
)


def levels_section(study: Study) -> Section | None:
    """Partitions of the values by what they explain; None where nothing can be taken apart."""
    wanted = {part: by for part in study.each if (by := _wanted(part)) is not None}
    quick = {part: by for part, by in wanted.items() if _work(part) <= MOST_WORK}
    found = {part: made for part, by in quick.items() if (made := _taken_apart(part, by))}
    if not found:
        return None if len(wanted) == len(quick) else Section(KEY, TITLE, TOO_LONG)
    parts = list(found)
    lead = study.told_of(parts, lambda part: _lead(found[part]))
    blocks = study.per_question(parts, lambda part: _blocks(study, part, found[part]))
    return Section(KEY, TITLE, lead, blocks)


def _taken_apart(part: Part, by: list[str]) -> Explored | None:
    """The best partitions of the values of a question; None where there is nothing to say."""
    view = part.found
    limited = view.counts.n_values > MOST_LISTED
    try:
        found = decompose(
            view.data, by or None, most=MOST_ROWS, n_resamples=N_RESAMPLES, rng=0,
            level=part.level, search="families" if limited else "auto", minimum_share=0.01,
        )  # fmt: skip
    except RequestError:  # all annotations alike, nobody compared
        return None
    return found.parts[0] if found.parts and found.rows else None


def _work(part: Part) -> int:
    """How much there is to count: a table for every two coders."""
    counts = part.found.counts
    return counts.n_patterns * max(1, counts.n_coders * (counts.n_coders - 1) // 2)


def _wanted(part: Part) -> list[str] | None:
    """The partitions to look at: none if there is no use, an empty list to search for them."""
    view = part.found
    counts = view.counts
    if not view.items.n_disputed:
        return None
    if counts.of_sets:
        return [] if 4 <= counts.n_values <= MOST_STATES else None
    if view.scheme.scale != "nominal":
        return None
    if counts.n_values in CATEGORIES:
        return []
    groups = find_hierarchy([v for v in counts.values if not isinstance(v, tuple)])
    return None if groups is None else [f"level {k}" for k in range(1, len(groups.levels) + 1)]


def _rule(row: Decomposition) -> str:
    return cut(row.rule, LONG)


def _lead(found: Explored) -> str:
    best = max(found.rows, key=lambda row: _known(row.excess.value))
    explained, chance = percent(best.explained.value), percent(best.chance.value)
    if not best.excess.low > 0:
        return (
            "No question of the scheme carries clearly more disagreement than chance would put "
            f"there: the first, {quoted(_rule(best))}, carries {explained}, by chance {chance}."
        )
    told = (
        f"One question carries more disagreement than others: {quoted(_rule(best))} separates "
        f"{explained} of the pairs of annotations that differ, chance would separate {chance}."
    )
    if best.flip >= best.explained.value:
        told += (
            f" But it separates {percent(best.flip)} of all slips in a single label, whatever they "
            "mean: that is its shape."
        )
    return told


def _known(x: float) -> float:
    return -math.inf if math.isnan(x) else x


def _blocks(study: Study, part: Part, taken: Explored) -> Iterator[Block]:
    yield Prose(
        "Every question that divides the values in two is a first level: is it on this side or "
        "that? The second level asks for the value itself, where coders agree on the first (Levi & "
        "Shenhav 2022). A high second level is mostly structure: what the first level separates "
        "cannot differ on the second. So compare what a question explains with what chance would "
        "put there."
    )
    table = _table(study, part, taken)
    drawn = [
        {"name": row["rule"], "share": row["explained"], "other": row["chance"]}
        for row in table.rows
    ]
    title = ["share of disagreement that level 1 separates (dot)", "by chance (tick)"]
    yield Chart(_title(taken), beside(drawn, title=title), table)


def _title(taken: Explored) -> str:
    best = taken.rows[0]
    return (
        f"{quoted(_rule(best))} explains {percent(best.explained.value)} of the disagreement, "
        f"{percent(best.chance.value)} by chance"
    )


def _table(study: Study, part: Part, taken: Explored) -> Table:
    of_sets = part.found.counts.of_sets
    rows = tuple(_row(study, part, taken, row) for row in taken.rows)
    firm = any(not math.isnan(row["top_ten"]) for row in rows)
    columns = (
        Column("rule", "level 1 asks"),
        Column("first", "level 1", "value", "κ of the side, mean over pairs of coders"),
        Column("second", "level 2", "value", "κ of the value where coders agree on the side"),
        Column("explained", "explained", "share", "of the pairs that differ, level 1 separates"),
        Column("chance", "by chance", "share", "what draws by chance would put there"),
        Column("excess", "excess", "share", "explained less chance"),
        *(
            (
                Column("flip_baseline", "any slip", "share", "slips in one label it separates"),
                Column("gain", "gain", "value", "level 2 less that of independent slips"),
            )
            if of_sets
            else ()
        ),
        *((Column("top_ten", "in top ten", "share", "of resamples of the items"),) if firm else ()),
        Column("n_level_1", "items", "count", "items on which coders differ on level 1"),
    )
    return Table("Questions of the scheme", columns, rows, _notes(taken, of_sets, firm))


def _row(study: Study, part: Part, taken: Explored, row: Decomposition) -> dict[str, Any]:
    (known,) = row.to_rows()
    first, top = taken.firmness(row)
    shown = {**known, "rule": _rule(row), "top_one": first, "top_ten": top}
    behind = np.array([item.position for item in row.items(1, MOST_ITEMS)], int)
    if len(behind):
        key = study.collector.add(part.found.items, row.n_first, behind)
        spoken = f"Coders differ on {quoted(_rule(row))}: {count_of(row.n_first, 'item')}"
        shown |= {"opens": {"n_level_1": key}, "spoken": {"n_level_1": spoken}}
    return shown


def _notes(taken: Explored, of_sets: bool, firm: bool) -> tuple[str, ...]:
    best = taken.rows[0]
    notes = [f"How they were found: {taken.how}. Ranked by excess."]
    if of_sets:
        notes.append(
            "“Any slip”: the share of all slips in a single label that level 1 separates whoever "
            "makes them. “Gain”: level 2 less what it would be if coders slipped in each label "
            "independently of the others; near or below 0, a high level 2 is nothing but shape."
        )
        if best.gain <= 0:
            notes.append(
                f"So it is for the first: level 2 is {decimal(best.second.mean.value)}, and "
                f"independent slips would make it {decimal(best.null_second)}."
            )
    if firm:
        notes.append(
            f"“In top ten”: in how many of {N_RESAMPLES} resamples of the items a question is "
            "among the ten with the largest excess."
        )
    if any(row.undefined for row in taken.rows):
        notes.append(
            "Coefficients that are undefined for a pair of coders are left out of the means."
        )
    return tuple(notes)
