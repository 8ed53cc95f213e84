"""The scheme taken apart: which of its questions carries the disagreement."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..decomposition.call import decompose
from ..decomposition.decomposition import Decomposition
from ..decomposition.decompositions import Explored
from ..decomposition.hierarchy import find_hierarchy
from ..decomposition.intervals import Figure
from ..diagnosis.words import quoted
from ..errors import RequestError
from ..numbers import count_of, percent
from .charts import beside
from .document import Block, Chart, Column, Prose, Section, Table
from .names import cut
from .study import Part, Study

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
    best = found.rows[0] if not found.named else max(found.rows, key=_worth)
    explained, expected = percent(best.explained.value), percent(_expected(best).value)
    by = "independent slips in the labels" if _of_sets(found) else "chance"
    if not _clear(found, best):
        return (
            f"No question of the scheme carries clearly more disagreement than {by} would put "
            f"there: the first, {quoted(_rule(best))}, carries {explained}, by {_word(found)} "
            f"{expected}."
        )
    told = (
        f"One question carries more disagreement than others: {quoted(_rule(best))} separates "
        f"{explained} of the pairs of annotations that differ, {by} would separate {expected}."
    )
    if best.flip > 1 - 1e-9:
        told += (
            " But it separates every slip in a single label, whatever it means: most of that is "
            "its shape."
        )
    return told


def _clear(found: Explored, best: Decomposition) -> bool:
    """Whether the first is more than the first of as many would be without any pattern."""
    beyond, by_chance = _beyond(best), found.best_by_chance
    return beyond.low > 0 and (by_chance is None or beyond.value > by_chance.rarely)


def _of_sets(found: Explored) -> bool:
    return bool(found.basis.labels)


def _word(found: Explored) -> str:
    return "slips" if _of_sets(found) else "chance"


def _expected(row: Decomposition) -> Figure:
    """What it would explain anyway: by slips in single labels, or by chance."""
    return row.explained_by_slips if row.basis.labels else row.chance


def _beyond(row: Decomposition) -> Figure:
    return row.beyond_slips if row.basis.labels else row.excess


def _worth(row: Decomposition) -> float:
    return -math.inf if math.isnan(_beyond(row).value) else _beyond(row).value


def _blocks(study: Study, part: Part, taken: Explored) -> Iterator[Block]:
    told = (
        "Every question that divides the values in two is a first level: is it on this side or "
        "that? The second level asks for the value itself, where coders agree on the first (Levi & "
        "Shenhav 2022). A high second level is mostly structure: what the first level separates "
        "cannot differ on the second. So compare what a question explains with what it would "
        "explain anyway: if coders "
    )
    told += (
        "slipped in each label independently of the others."
        if _of_sets(taken)
        else "gave values by chance."
    )
    yield Prose(told)
    table = _table(study, part, taken)
    other = "explained_by_slips" if _of_sets(taken) else "chance"
    drawn = [
        {"name": row["rule"], "share": row["explained"], "other": row[other]} for row in table.rows
    ]
    tick = "by independent slips (tick)" if _of_sets(taken) else "by chance (tick)"
    title = ["share of disagreement that level 1 separates (dot)", tick]
    yield Chart(_title(taken), beside(drawn, title=title), table)


def _title(taken: Explored) -> str:
    best = taken.rows[0]
    return (
        f"{quoted(_rule(best))} explains {percent(best.explained.value)} of the disagreement, "
        f"{percent(_expected(best).value)} by {_word(taken)}"
    )


def _table(study: Study, part: Part, taken: Explored) -> Table:
    rows = tuple(_row(study, part, taken, row) for row in taken.rows)
    of_pairs = "of the pairs of annotations that differ, level 1 separates"
    columns = (
        Column("rule", "level 1 asks"),
        Column("first", "level 1", "value", "κ of the side, mean over pairs of coders"),
        Column("second", "level 2", "value", "κ of the value where coders agree on the side"),
        Column("explained", "explained", "share", of_pairs),
        *(_OF_SETS if _of_sets(taken) else _OF_CATEGORIES),
        *(column for column in _FIRM if any(not math.isnan(row[column.key]) for row in rows)),
        Column("n_level_1", "items", "count", "items on which coders differ on level 1"),
    )
    return Table("Questions of the scheme", columns, rows, _notes(taken))


_OF_CATEGORIES = (
    Column("chance", "by chance", "share", "what draws by chance would put there"),
    Column("excess", "excess", "share", "explained less chance"),
)
_OF_SETS = (
    Column("explained_by_slips", "by slips", "share", "what independent slips would put there"),
    Column("beyond_slips", "beyond slips", "share", "explained less by slips"),
    Column("flip_baseline", "any slip", "share", "slips in one label it separates"),
    Column("gain", "gain", "value", "level 2 less that of independent slips"),
)
_FIRM = (
    Column("first_share", "is first", "share", "of resamples of the items"),
    Column("top_ten", "in top ten", "share", "of resamples of the items"),
)


def _row(study: Study, part: Part, taken: Explored, row: Decomposition) -> dict[str, Any]:
    (known,) = row.to_rows()
    first, top = taken.firmness(row)
    shown = {**known, "rule": _rule(row), "first_share": first, "top_ten": top}
    behind = np.array([item.position for item in row.items(1, MOST_ITEMS)], int)
    if len(behind):
        key = study.collector.add(part.found.items, row.n_first, behind)
        spoken = f"Coders differ on {quoted(_rule(row))}: {count_of(row.n_first, 'item')}"
        shown |= {"opens": {"n_level_1": key}, "spoken": {"n_level_1": spoken}}
    return shown


def _notes(taken: Explored) -> tuple[str, ...]:
    if taken.named:
        return (f"How they were found: {taken.how}.", *_left_out(taken))
    ranked = taken.rank.replace("_", " ")
    notes = [f"How they were found: {taken.how.rstrip('.')}. Ranked by {ranked}."]
    if _of_sets(taken):
        notes.append(
            "“By slips”: what level 1 would explain if coders slipped in each label independently "
            "of the others; “beyond slips”: what it explains more than that. “Any slip”: the share "
            "of all slips in a single label that it separates whoever makes them. “Gain”: level 2 "
            "less what independent slips would make it; near or below 0, a high level 2 is nothing "
            "but shape."
        )
    if taken.best_by_chance is not None:
        by_chance = taken.best_by_chance
        without = "With slips alone" if _of_sets(taken) else "Without any pattern"
        notes.append(
            f"The first of {by_chance.n_compared:,} is picked for being the first. {without} it "
            f"would reach {percent(by_chance.usual)}, and more than {percent(by_chance.rarely)} in "
            "one case of twenty."
        )
    if taken.stability is not None:
        found = taken.stability
        notes.append(
            f"“Is first”: in how many of {found.n_resamples} resamples of the items a question is "
            f"the first of {found.n_compared:,}."
        )
    return (*notes, *_left_out(taken))


def _left_out(taken: Explored) -> list[str]:
    if any(row.undefined for row in taken.rows):
        return ["Coefficients that are undefined for a pair of coders are left out of the means."]
    return []
