"""A coder who agrees less with the others than these among themselves, and how."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from ...counts.counts import Counts
from ...counts.tables import positions_of
from ...measure.weights import Weights
from ...numbers import count_of, decimal, p_text, percent
from ...scheme import Value
from ..apart import apart, beside_the_others, rest_of
from ..categories import labels_of
from ..finding import Contrast, Evidence, Finding
from ..manner import Manner, manner
from ..order import order_like
from ..standing import WhoIsApart
from ..view import View
from ..words import listed, quoted
from .asides import also_seen, trend_seen
from .pattern import LEVEL, pattern, stake_of
from .telling import MOST_ITEMS, MOST_LINES, severity_of
from .ways import ADVICE, told_way, way_title

__all__ = ["ORDERED", "beyond", "coder_apart", "coders_apart", "order_hint", "with_label"]

MOST_TOLD = 3  # findings about single coders; more of them are told together
FEW = 3  # coders who are named where some others are left out
ORDERED = frozenset({"ordinal", "interval", "ratio", "bipolar"})
DROP = "Do not drop a coder to raise the coefficient."
TEST = "within-item permutation test"


def coders_apart(view: View) -> tuple[str, ...]:
    """Coders who have a finding of their own: they drift, or agree less with the others.

    Patterns of categories are then looked for without them.
    """
    return view.standing.names


@pattern
def coder_apart(view: View) -> Iterator[Finding]:
    """Coder who agrees less with the others.

    Less than the others among themselves on the same items, or on the items of one group: tested
    by permuting the annotations of each item among its coders, as if these differed in nothing
    but their names, and corrected for the number of coders.
    """
    found = view.standing.apart
    if len(found) > MOST_TOLD:
        yield _together(view, found)
        return
    for who in found:
        yield _finding(view, who)


def _finding(view: View, who: WhoIsApart) -> Finding:
    every = set(view.counts.coders)
    counts = rest_of(view.counts, every - {who.coder, *who.compared})
    how = manner(
        counts, who.coder, view.w, ordered=view.scheme.scale in ORDERED,
        labels=view.scheme.categories,
    )  # fmt: skip
    stake, spot = stake_of(view, who.share), who.spot
    if who.only:  # what is said of all items does not hold
        how = Manner("apart", corrected=how.corrected)
    about = {how.value, how.instead} - {None}
    told = (
        f"{_agreement(view, who)}{_spot(who)}{told_way(how)}{_without(view, who.coder)}"
        f"{trend_seen(view, who.coder, about)}{also_seen(view, who.coder)}{_left_out(view, who)}"
    )
    hint = order_hint(view, None if spot is None else spot.column)
    title = way_title(who.coder, how)
    if spot is not None and how.how == "apart":
        title += f" where {spot.column} = {quoted(spot.value)}"
    return Finding(
        "coder_apart", severity_of(stake), told,
        f"{ADVICE[how.how] if spot is None else SPOT}{hint}{DROP}",
        {
            "coder": who.coder, "how": how.how, "value": how.value, "instead": how.instead,
            "n": how.n, "back": how.back, "corrected": how.corrected, "own": how.own,
            "theirs": how.others, "agreement": who.agreement, "others": who.others,
            "n_items": who.n_items, "share": who.share, "p_value": _corrected(view, who),
            "compared": who.compared, "column": None if spot is None else spot.column,
            "group": None if spot is None else spot.value,
        },
        ("artstein2008",), view.question, stake, "coder",
        Evidence(
            _lines(counts, view.w, [who]), "coder", "items with two others",
            "agreement with the others", "of the others among themselves",
            _shown(counts, view.w, who, how),
        ),
        title=title,
    )  # fmt: skip


SPOT = (
    "Have these items annotated again. Find out what was different there: another day, another "
    "version of the guideline, haste, a file that was mixed up. "
)


def _agreement(view: View, who: WhoIsApart) -> str:
    """How far the coder agrees with those with whom it is compared, and these among themselves."""
    where, spot = f"on the same {count_of(who.n_items, 'item')}", who.spot
    if who.only and spot is not None:
        where = f"on the {count_of(who.n_items, 'item')} with {spot.column} = {quoted(spot.value)}"
    return (
        f"{quoted(who.coder)} agrees with {_others(view, who)} in {percent(who.agreement)} of the "
        f"comparisons, they with each other in {percent(who.others)} ({where}; {TEST}, "
        f"{p_text(_corrected(view, who))})."
    )


def _others(view: View, who: WhoIsApart) -> str:
    """Whom the coder is compared with: all others, those who are left, or those of a camp."""
    if who.camp:
        return f"the group of {quoted(who.compared[0])}"
    if len(who.compared) < view.counts.n_coders - 1 and len(who.compared) <= FEW:
        return listed(who.compared)
    return "the others"


def _left_out(view: View, who: WhoIsApart) -> str:
    """Who is not among those compared, because it has a finding of its own."""
    if who.camp:
        return ""
    known = {who.coder, *who.compared}
    out = [name for name in view.counts.coders if name not in known]
    if not out:
        return ""
    was = "is" if len(out) == 1 else "are"
    return f" {listed(out)} {was} excluded here (see the finding on {listed(out)})."


def _spot(who: WhoIsApart) -> str:
    """On which items it is so, and how it is elsewhere."""
    spot = who.spot
    if spot is None:
        return ""
    elsewhere = (
        f"on all other items it is {percent(spot.elsewhere)}, that of the others "
        f"{percent(spot.others_elsewhere)}."
    )
    if who.only:
        return f" This is limited to these items: {elsewhere}"
    return (
        f" The difference comes from the {count_of(spot.n_items, 'item')} with {spot.column} = "
        f"{quoted(spot.value)}: there the coder's agreement is {percent(spot.agreement)}, that of "
        f"the others {percent(spot.others)}; {elsewhere}"
    )


def order_hint(view: View, column: str | None) -> str:
    """That a column looks like the order of annotation, if none is known."""
    seen = view.drift
    if view.order is not None or (seen is not None and seen.order.known):
        return ""
    name = column if column is not None and order_like(column) else None
    if column is None:
        of_coders = tuple(f"{c}: " for c in view.data.coders)
        names = (n for n in view.data.metadata if not n.startswith(of_coders))
        name = next((n for n in names if order_like(n)), None)
    if name is None:
        return ""
    return (
        f"If {quoted(name)} is the time of annotation, give it as the order, so that drift can be "
        "tested. "
    )


def _corrected(view: View, who: WhoIsApart) -> float:
    return min(1.0, who.p_value * view.counts.n_coders)


def _without(view: View, coder: str) -> str:
    """What alpha would be without the coder."""
    names, found = view.coders.coders, view.coders.alpha_without
    value = float(found[names.index(coder)]) if coder in names else math.nan
    if not value > view.alpha:
        return ""
    return (
        f" Without {quoted(coder)}, α would be {decimal(value)} instead of {decimal(view.alpha)}."
    )


def _lines(counts: Counts, w: Weights, told: list[WhoIsApart]) -> tuple[Contrast, ...]:
    """The coders who are apart, then the others as they stand to the rest."""
    lines = [Contrast(quoted(x.coder), x.n_items, x.agreement, x.others) for x in told]
    names = {x.coder for x in told}
    seen = apart(counts, w)
    if seen is not None:
        rest = [c for c in np.argsort(-seen.excess, kind="stable").tolist() if seen.n_items[c]]
        lines += [
            Contrast(
                quoted(seen.coders[c]), int(seen.n_items[c]), float(1 - seen.own[c]),
                float(1 - seen.among[c]),
            )
            for c in rest
            if seen.coders[c] not in names
        ]  # fmt: skip
    return tuple(lines[:MOST_LINES])


def _shown(counts: Counts, w: Weights, who: WhoIsApart, how: Manner) -> tuple[int, ...]:
    """Items that show it: with the label that it is about, or of the group."""
    if how.how == "leans" and how.value is not None:
        found = with_label(counts, who.coder, how.value, seldom=how.seldom)
        if found:
            return found
    if who.spot is None:
        return beyond(counts, w, who.coder)
    its = np.zeros(len(counts.pattern_of), bool)
    its[who.spot.items] = True
    return beyond(counts, w, who.coder, its)


def beyond(
    counts: Counts, w: Weights, coder: str, of: np.ndarray[Any, Any] | None = None
) -> tuple[int, ...]:
    """Items on which a coder differs from others who agree, the clearest ones first."""
    if counts.coder is None:
        return ()
    own, among = beside_the_others(counts, w)
    entry = np.flatnonzero(counts.coder == counts.coders.index(coder))
    return _first(counts, entry, np.nan_to_num(own - among)[entry], of)


def with_label(counts: Counts, coder: str, label: Value, *, seldom: bool) -> tuple[int, ...]:
    """Items to which a coder gives a label and the others do not, or the other way round."""
    if counts.coder is None:
        return ()
    holds = np.array([v == label or label in labels_of(v) for v in counts.values], float)
    given = holds[counts.value] * counts.n
    others = (counts.sum_entries(given)[counts.row] - given) / np.maximum(
        counts.size[counts.row] - 1, 1
    )
    entry = np.flatnonzero(counts.coder == counts.coders.index(coder))
    more = (given - others)[entry]
    return _first(counts, entry, -more if seldom else more, None)


def _first(
    counts: Counts, entry: np.ndarray[Any, Any], x: np.ndarray[Any, Any],
    of: np.ndarray[Any, Any] | None,
) -> tuple[int, ...]:  # fmt: skip
    """Positions of the items of some entries, those with the largest x in front."""
    order = np.argsort(-x, kind="stable")
    patterns = counts.row[entry[order[x[order] > 1e-12]]]
    if of is None:
        return tuple(positions_of(counts, patterns, MOST_ITEMS).tolist())
    found = positions_of(counts, patterns, len(counts.pattern_of))
    return tuple(found[of[found]][:MOST_ITEMS].tolist())


def _together(view: View, found: tuple[WhoIsApart, ...]) -> Finding:
    """One finding for many coders, as in annotation by a crowd."""
    share = min(1.0, sum(x.share for x in found))
    stake, worst = stake_of(view, share), found[0]
    told = (
        f"{len(found)} of {count_of(view.counts.n_coders, 'coder')} agree less with the others "
        f"than these among themselves ({TEST}, each p below {LEVEL}): "
        f"{listed([x.coder for x in found])}. {quoted(worst.coder)} lowers α most: agreement with "
        f"the others is {percent(worst.agreement)}, theirs with each other "
        f"{percent(worst.others)}."
    )
    return Finding(
        "coder_apart", severity_of(stake), told,
        "Read their items in the order of the table. Random or constant labels show a lack of "
        "attention; labels that differ in a pattern may show another reading of the guideline. "
        f"{DROP}",
        {
            "coder": worst.coder, "coders": tuple(x.coder for x in found), "share": share,
            "agreement": worst.agreement, "others": worst.others,
            "p_value": _corrected(view, worst),
        },
        ("artstein2008",), view.question, stake, "coder",
        Evidence(
            _lines(view.counts, view.w, list(found)), "coder", "items with two others",
            "agreement with the others", "of the others among themselves",
            beyond(view.counts, view.w, worst.coder),
        ),
        title=f"{len(found)} coders agree less with the others",
    )  # fmt: skip
