"""Camps: coders who agree among themselves and not with the others."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...actions import Action
from ...counts.tables import positions_of
from ...numbers import count_of, joined, p_text, percent
from ..camp_search import LEAST_P
from ..camps import CLEAR, Camps
from ..finding import Contrast, Evidence, Finding
from ..view import View
from ..words import listed, quoted
from .pattern import LEVEL, pattern, stake_of
from .telling import MOST_ITEMS, severity_of

__all__ = ["camps"]


@pattern
def camps(view: View) -> Iterator[Finding]:
    """Coder groups.

    Groups of two coders or more agree within more than with each other, beyond what the items
    explain (Kairam & Heer 2016; the gap is compared with that of permuted annotations).
    Where disagreement within groups is less than a fifth lower than between (`CLEAR_GAP`), the gap
    is only noted, and not at all beside coders who have a finding of their own.
    """
    found, clear = view.camps, view.standing.camps is not None
    if not clear and (not found.names or found.p_value >= LEVEL or view.standing.names):
        return
    stake = stake_of(view, found.share)
    groups = "; ".join(
        f"{_named(names)} ({percent(within)} within, {percent(between)} with the others)"
        for names, within, between in zip(found.names, found.within, found.between, strict=True)
    )
    alone = int((found.of < 0).sum())
    rest = (
        f" {count_of(alone, 'coder')} belong{'s' if alone == 1 else ''} to no group."
        if alone
        else ""
    )
    apart = found.exchanged
    yield Finding(
        "camps", severity_of(stake) if clear else "note",
        f"Coders form {len(found.names)} groups that agree "
        f"{'' if clear else 'a little '}more within than between: "
        f"{groups} (within-item permutation test, {_p(found.p_value)}).{rest}{_telling(found)}",
        "Read these items with one coder of each group. If the guideline decides between them, "
        "train; if it does not, keep both labels instead of the majority: a text may have two "
        "readings. Coders who are only stricter than others form groups too; a model of the coders "
        "tests this.",
        {
            "camps": found.names, "within": tuple(found.within.tolist()),
            "between": tuple(found.between.tolist()), "p_value": found.p_value, "gap": found.gap,
            "value": found.values[found.telling] if found.values else None, "share": found.share,
            "first": apart[0], "second": apart[1],
        },
        ("kairam2016",), view.question, stake, "guideline",
        Evidence(
            tuple(
                Contrast(f"{_named(names)}", len(names), float(within), float(between))
                for names, within, between in zip(
                    found.names, found.within, found.between, strict=True
                )
            ),
            "group", "coders", "agreement within", "with the other groups", _items(view, found),
        ),
        title=_title(found),
        do=(Action("coders", why="whether each group has its own reading"),),
    )  # fmt: skip


def _p(p: float) -> str:
    """A p-value; the smallest that so many permutations can show is only a bound."""
    return p_text(p, least=LEAST_P)


def _named(names: tuple[str, ...]) -> str:
    return listed(names, most=6)


def _telling(found: Camps) -> str:
    """The label that tells the camps apart best."""
    if not found.values:
        return ""
    k = found.telling
    use = found.use[:, k]
    if use.max() - use.min() < CLEAR:
        return " No single category distinguishes them."
    each = joined(
        f"to {percent(x)} by that of {quoted(names[0])}"
        for x, names in zip(use[1:], found.names[1:], strict=True)
    )
    return (
        f" They differ most in {quoted(found.values[k])}: given to {percent(use[0])} of the items "
        f"by the group of {quoted(found.names[0][0])}, {each}."
    )


def _title(found: Camps) -> str:
    one, other = found.exchanged
    if one is None:
        return "Coder groups"
    about = quoted(one) if other is None else f"{quoted(one)} and {quoted(other)}"
    return f"Coder groups differ in {about}"


def _items(view: View, found: Camps) -> tuple[int, ...]:
    """Items that the camps label most differently."""
    order = np.argsort(-found.distance, kind="stable")
    order = order[found.distance[order] > 0]
    return tuple(positions_of(view.counts, order, MOST_ITEMS).tolist())
