"""Camps: coders who agree among themselves and not with the others."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...numbers import count_of, joined, p_text, percent
from ..camp_search import LEAST_P
from ..camps import CLEAR, Camps
from ..finding import Contrast, Evidence, Finding
from ..one_by_one import positions_of
from ..view import View
from ..words import listed, quoted
from .pattern import LEVEL, pattern, stake_of
from .telling import MOST_ITEMS, severity_of

__all__ = ["camps"]


@pattern
def camps(view: View) -> Iterator[Finding]:
    """Coders fall into camps.

    Groups of two coders or more agree within more than with each other, beyond what the items
    explain (Kairam & Heer 2016; the gap is compared with that of annotations dealt at random).
    Where less than a fifth of the disagreement between camps is gone within (`CLEAR_GAP`), the gap
    is only noted, and not at all beside coders who are told by themselves.
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
        f" {count_of(alone, 'coder')} belong{'s' if alone == 1 else ''} to none." if alone else ""
    )
    apart = found.exchanged
    yield Finding(
        "camps", severity_of(stake) if clear else "note",
        f"Coders fall into {len(found.names)} camps, who agree within "
        f"{'' if clear else 'a little '}more than with each other: "
        f"{groups} ({_p(found.p_value)}).{rest}{_telling(found)}",
        "Each camp may be right: a text can have two readings, or the guideline two. Read the "
        "items below with one coder of each camp. If the guideline decides, say so and train; if "
        "it does not, keep both readings, and do not let the majority vote the smaller camp away. "
        "Coders who are only stricter than others make camps too; fit() says whether they are a "
        "school, with a reading of its own.",
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
            "camp", "coders", "agreement within", "with the other camps", _items(view, found),
        ),
        title=_title(found),
    )  # fmt: skip


def _p(p: float) -> str:
    """A p-value; the smallest that so many deals can show is only a bound."""
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
        return " No single category tells them apart."
    each = joined(
        f"to {percent(x)} by that of {quoted(names[0])}"
        for x, names in zip(use[1:], found.names[1:], strict=True)
    )
    return (
        f" What tells them apart most is {quoted(found.values[k])}: given to {percent(use[0])} of "
        f"the items by the camp of {quoted(found.names[0][0])}, {each}."
    )


def _title(found: Camps) -> str:
    n = f"Coders fall into {len(found.names)} camps"
    one, other = found.exchanged
    if one is None:
        return n
    return f"{n} over {quoted(one)}" + ("" if other is None else f" and {quoted(other)}")


def _items(view: View, found: Camps) -> tuple[int, ...]:
    """Items that the camps label most differently."""
    order = np.argsort(-found.distance, kind="stable")
    order = order[found.distance[order] > 0]
    return tuple(positions_of(view.counts, order, MOST_ITEMS).tolist())
