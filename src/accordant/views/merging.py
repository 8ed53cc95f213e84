"""What merging categories would bring, and what it would cost: never a free win."""

from __future__ import annotations

from collections.abc import Iterator

from ..diagnosis.merging import Merge
from ..diagnosis.words import label_text, quoted
from ..numbers import count_of, decimal, percent
from .document import Block, Column, Table
from .study import Part

__all__ = ["merging_blocks"]

MOST_ROWS = 10

_COLUMNS = (
    Column("pair", "merge"),
    Column("gain", "gain", "value"),
    Column("share_lost", "information lost", "share", "of what the labels tell (their entropy)"),
    Column("after", "α then", "value"),
    Column("n_given_up", "agreements no longer told apart", "count",
           "pairs of annotations that agree on one of the two, and would no longer be told from "
           "those that agree on the other"),
    Column("before", "α now", "value"),
    Column("bits_lost", "bits lost", "bits", "the information lost, in bits"),
    Column("n_categories", "categories left", "count"),
)  # fmt: skip
"""The cost stands beside the gain, on a narrow screen too."""


def merging_blocks(part: Part) -> Iterator[Block]:
    """A table of the merges that raise alpha, each with its cost; nothing where none does."""
    found = part.found.merging
    raising = [merge for merge in found if merge.gain >= 0.0005 and merge.n_categories > 1]
    if not raising:
        return
    rows = tuple(
        {**merge.to_rows()[0], "pair": f"{label_text(merge.first)} + {label_text(merge.second)}"}
        for merge in raising[:MOST_ROWS]
    )
    notes = [
        "Merging is never free: information lost is the share of what the labels tell (their "
        "entropy); agreements no longer told apart are the pairs of annotations that agree on one "
        "of the two categories and could no longer be told from those that agree on the other. "
        "Merge what nobody needs apart, not what brings most.",
        raising[0].sentence,
        *found.no_ways_out,
    ]
    if len(raising) > MOST_ROWS:
        notes.append(f"The first {MOST_ROWS} of {count_of(len(raising), 'pair')} that raise α.")
    if found.reason:
        notes.append(found.reason)
    yield Table(_title(raising[0]), _COLUMNS, rows, tuple(notes))


def _title(best: Merge) -> str:
    return (
        f"Merging {quoted(best.first)} and {quoted(best.second)} would take α to "
        f"{decimal(best.after)}, and lose {percent(best.share_lost)} of what the labels tell"
    )
