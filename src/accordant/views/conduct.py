"""How coders work: camps among them, change over time, repeated labels, contradictions."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from ..diagnosis.words import isolated, label_text
from ..numbers import NOTHING, count_of, p_text, points
from .document import Block, Column, Table
from .study import Part

__all__ = ["conduct_blocks"]

MOST_ROWS = 50
MOST_STRETCHES = 8  # with a column of their own
CLEAR = 0.01  # p-value of camps that are told
P = Column("p_value", "p", "p", "not corrected for the number of coders")


def conduct_blocks(part: Part) -> Iterator[Block]:
    """What is known about how coders work, each in a table; nothing where nothing is known."""
    for make in (_camps, _drift, _sequence, _consistency):
        yield from make(part)


def _camps(part: Part) -> Iterator[Block]:
    found = part.found.camps
    if not found.names or not found.p_value < CLEAR:
        return
    k = found.telling
    label = label_text(found.values[k])
    rows = tuple(
        {**row, "coders": "; ".join(map(isolated, names)), "use": float(found.use[g, k])}
        for g, (row, names) in enumerate(zip(found.to_rows(), found.names, strict=True))
    )
    columns = (
        Column("camp", "camp", "count"),
        Column("coders", "who"),
        Column("within", "agree within", "share"),
        Column("between", "with the others", "share"),
        Column("use", f"give {label}", "share", "of the items that all camps annotated"),
    )
    yield Table(
        f"Coders fall into {count_of(len(rows), 'camp')} that agree "
        f"{'more' if found.clear(CLEAR) else 'a little more'} within than with each other",
        columns,
        rows,
        (
            f"By chance camps are as far apart with {p_text(found.p_value)}: the annotations of "
            "each item were dealt to its coders at random, again and again.",
            f"They differ most in how often they give “{label}”.",
        ),
    )


def _drift(part: Part) -> Iterator[Block]:
    found = part.found.drift
    if found is None or all(math.isnan(x) for x in found.change):
        return
    names = found.stretches.names
    shown = names if len(names) <= MOST_STRETCHES else (names[0], names[-1])
    rows = []
    for c, row in enumerate(found.to_rows()):
        if math.isnan(row["change"]):
            continue
        each = {f"part {n}": float(found.stretches.own[c, names.index(n)]) for n in shown}
        rows.append({**row, **each, "use": _use(row)})
    columns = (
        Column("coder", "coder"),
        Column("n_items", "items", "count", "that the coder and two others annotated"),
        *(Column(f"part {n}", str(n), "share", "agreement with the others") for n in shown),
        Column("change", "drift", "value", "rise of disagreement beyond that of the others"),
        P,
        Column("use", "use that changes most"),
    )
    by = f"by {found.order.name}" if found.order.known else (
        "as the items stand in the data, since nothing tells when they were annotated"
    )  # fmt: skip
    notes = (
        f"Order: {by}. The columns are agreement with the others in each part.",
        "Drift: how much more the coder disagrees with the others at the end than at the "
        "beginning, beyond what these disagree among themselves on the same items. The last "
        "column: the label whose use changes most beside that of the others, in percentage points.",
        *_left(rows, "coder"),
    )
    yield Table("Over time", columns, tuple(rows[:MOST_ROWS]), notes, depth="detail")


def _use(row: dict[str, Any]) -> str:
    if row["value"] is None or math.isnan(row["value_first"]) or math.isnan(row["value_last"]):
        return NOTHING
    first, last = points(row["value_first"]), points(row["value_last"])
    return f"{isolated(label_text(row['value']))} ({first} → {last})"


def _sequence(part: Part) -> Iterator[Block]:
    found = part.found.sequence
    if found is None:
        return
    rows = [row for row in found.to_rows() if not math.isnan(row["effect"])]
    if not rows:
        return
    columns = (
        Column("coder", "coder"),
        Column("n_steps", "steps", "count", "from an item to the next"),
        Column("repeats", "same label", "share", "as the coder gave to the item before"),
        Column("others", "by others", "share", "share of the others who give it this label"),
        Column("effect", "carried over", "value", "beyond items further back; below 0: avoided"),
        P,
    )
    notes = (
        "Carried over: how much more often a coder repeats the label of the item before than that "
        "of items five to eight places back, after what others say of the item is taken off.",
        *_left(rows, "coder"),
    )
    yield Table("The item before", columns, tuple(rows[:MOST_ROWS]), notes, depth="detail")


def _consistency(part: Part) -> Iterator[Block]:
    found = part.found.consistency
    if found is None:
        return
    rows = [{**row, "interval": (row["low"], row["high"])} for row in found.to_rows()]
    if not rows:
        return
    rows.sort(key=lambda row: -row["share"])
    columns = (
        Column("coder", "coder"),
        Column("n_texts", "texts seen again", "count"),
        Column("n_contradicted", "labelled otherwise", "count"),
        Column("share", "share", "share"),
        Column("interval", "its interval", "interval"),
        Column("p_value", "p", "p", "of more contradictions than the other coders"),
    )
    notes = (
        f"{count_of(found.n_repeated, 'text')} {'stands' if found.n_repeated == 1 else 'stand'} "
        "under several item ids. Who gives the same "
        "text different labels contradicts nobody but themselves.",
        *_left(rows, "coder"),
    )
    yield Table("The same text again", columns, tuple(rows[:MOST_ROWS]), notes, depth="detail")


def _left(rows: Sequence[Any], what: str) -> Iterator[str]:
    if len(rows) > MOST_ROWS:
        yield f"The first {MOST_ROWS} of {count_of(len(rows), what)} are shown."
