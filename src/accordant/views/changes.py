"""The change of coefficients between two rounds or data sets, and what to know about it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..diagnosis.agreement import ComparisonPart
from ..diagnosis.words import listed
from ..fields import FIELDS, columns
from ..inference.comparison import INDEPENDENT, Comparison
from ..messages import Action
from ..numbers import count_of, joined, level_text
from ..scheme import Scheme
from .document import Actions, Block, Prose, Table
from .names import name_of
from .view import view

__all__ = ["changes", "pairing"]

MEASURED = ("interval", "ratio", "circular")
"""Scales of measurements: numbers that happen to differ are no categories."""


@view("pairing", of="compare", title="", place=10, help="whether items are matched, and why")
def pairing(part: ComparisonPart) -> Iterator[Block]:
    """How the difference is tested, and how to test it otherwise."""
    row = part.rows[0]
    yield Prose(_how_paired(row), "headline")
    step = _instead(row)
    if step is not None:
        yield Actions("", (step,), "detail")
    schemes = part.schemes
    if schemes is not None:
        yield from (Prose(told) for told in _mismatches(schemes, part.names))


@view("changes", of="compare", title="Change of agreement", place=20, help="every coefficient")
def changes(part: ComparisonPart) -> Iterator[Block]:
    """Each coefficient before and after, with the interval and test of the difference."""
    rows = tuple(_row(row, of_sets=part.of_sets) for row in part.rows)
    methods = dict.fromkeys(row.method for row in part.rows if row.method)
    level = level_text(part.rows[0].level)
    notes = [f"{level} intervals of the difference: {'; '.join(methods)}."] if methods else []
    undefined: dict[str, list[str]] = {}
    for row, cells in zip(part.rows, rows, strict=True):
        if row.undefined:
            undefined.setdefault(str(row.undefined).rstrip("."), []).append(str(cells["name"]))
    notes += [f"{joined(names)}: undefined, {why}." for why, names in undefined.items()]
    shown = (
        FIELDS["name"], FIELDS["value"].called("before", key="before", help=""),
        FIELDS["value"].called("after", key="after", help=""),
        FIELDS["difference"].called("change", help=""),
        *columns("interval p_value"), FIELDS["n_items"].called("items", key="n_compared"),
    )  # fmt: skip
    keep = ("name", "difference", "interval", "p_value", "before", "after", "n_compared")
    yield Table("", shown, rows, tuple(notes), keep=keep)


def _row(row: Comparison, *, of_sets: bool) -> dict[str, Any]:
    name = name_of(row.coefficient, n_coders=row.n_coders, weights=row.weights, of_sets=of_sets)
    n = row.n_common if row.paired else row.n_before + row.n_after
    return {**row.to_rows()[0], "name": name, "n_compared": n}


def _how_paired(row: Comparison) -> str:
    same = count_of(row.n_common, "item is", "items are")
    if not row.paired and row.pairing == "few shared items":
        return f"Only {same} in both: the test is unpaired."
    if not row.paired:
        why = INDEPENDENT[row.pairing]
        return f"{why[0].upper()}{why[1:]}: the test is unpaired."
    others = row.n_before + row.n_after - 2 * row.n_common
    gone = f", {count_of(others, 'other')} left out" if others else ""
    return f"{same[0].upper()}{same[1:]} in both{gone}: the test is paired."


def _instead(row: Comparison) -> Action | None:
    """The other test, where it may be the right one."""
    if row.paired:
        return Action("", {"paired": False}, "if equal names do not mean equal items")
    if row.pairing == "few shared items":
        return Action("", {"paired": True}, "to compare the shared items alone")
    if row.pairing == "generated ids":
        return Action("", {"paired": True}, "if the order of the items is the same")
    return None


def _mismatches(schemes: tuple[Scheme, Scheme], names: tuple[str, str]) -> Iterator[str]:
    """What makes two sets of annotations hard to compare, in sentences."""
    sets = [scheme.max_labels != 1 for scheme in schemes]
    if sets[0] != sets[1]:
        several, single = names if sets[0] else names[::-1]
        yield f"{several} holds sets of labels and {single} single labels, compared as sets of one."
    if any(scheme.scale in MEASURED for scheme in schemes):
        return
    one, two = (dict.fromkeys(map(str, scheme.categories)) for scheme in schemes)
    only = [[c for c in own if c not in other] for own, other in ((one, two), (two, one))]
    told = [f"{listed(c)} only in {name}" for c, name in zip(only, names, strict=True) if c]
    if told:
        yield f"Categories differ: {joined(told)}."
