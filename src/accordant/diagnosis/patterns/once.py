"""The same disagreements are told once, and with the items on which they are found."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...numbers import percent
from ..finding import Finding
from ..groups import TEXT_LENGTH
from ..view import View
from ..words import quoted

__all__ = ["told_once", "where_it_is"]

SAME: dict[str, frozenset[str]] = {
    "shifted": frozenset({"shifted", "narrow", "apart"}),
    "one_way": frozenset({"leans", "swapped", "apart"}),
    "more_labels": frozenset({"more_labels", "fewer_labels", "apart"}),
}
"""Patterns of a coder, and the ways of being apart that they say more precisely."""

PAIRS = ("confused_pair", "one_way")
MOST = 0.5  # of the items of a pair are in the group: then the group is named
TIMES = 1.5  # as many as of all items; our convention


def told_once(found: Iterable[Finding]) -> list[Finding]:
    """Findings without those that another one says more precisely, or more broadly.

    The pair of categories that tells camps apart is theirs. A coder who is apart by little is not
    told beside a warning about the way in which it differs.
    """
    every = list(found)
    loud = [f for f in every if f.severity == "warning"]
    of_camps = [
        {f.evidence.get("first"), f.evidence.get("second")} for f in loud if f.code == "camps"
    ]

    def again(f: Finding) -> bool:
        if f.code in PAIRS:
            return {f.evidence["first"], f.evidence["second"]} in of_camps
        return (
            f.code == "coder_apart"
            and f.severity == "note"
            and any(
                f.evidence["coder"] == x.evidence.get("coder")
                and f.evidence.get("how") in SAME.get(x.code, ())
                for x in loud
            )
        )

    return [f for f in every if not again(f)]


def where_it_is(view: View, found: Iterable[Finding]) -> list[Finding]:
    """Findings about a pair say so if most of its items are in a group that is told too."""
    every = list(found)
    named = [(f, _items(view, f)) for f in every if f.code == "item_group"]
    return [_in_group(view, f, named) if f.code in PAIRS else f for f in every]


def _in_group(
    view: View, finding: Finding, named: list[tuple[Finding, NDArray[np.bool_]]]
) -> Finding:
    table = view.confusion
    if table is None or not named:
        return finding
    items = table.items(finding.evidence["first"], finding.evidence["second"])
    for group, its in named:
        share, of_all = its[items].mean() if len(items) else 0.0, its.mean()
        if its.shape == view.counts.pattern_of.shape and share >= max(MOST, TIMES * of_all):
            column, value = str(group.evidence["column"]), group.evidence["value"]
            name = (
                f"have a text of {value} characters" if column == TEXT_LENGTH
                else f"have {column} = {quoted(value)}"
            )  # fmt: skip
            told = (
                f"{finding.sentence} {percent(float(share))} of these items {name}; of all items "
                f"{percent(float(of_all))} do."
            )
            return replace(finding, sentence=told)
    return finding


def _items(view: View, group: Finding) -> NDArray[np.bool_]:
    """(I,) the items of a group, by its column and value."""
    its = np.zeros(len(view.counts.pattern_of), bool)
    for known in view.groups or ():
        if (known.column, known.value) == (group.evidence["column"], group.evidence["value"]):
            its[known.items] = True
    return its
