"""A coder who agrees less with the others than these among themselves, and how."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ...measure.numbers import count_of, decimal, p_text, percent
from ..apart import all_disagreement, apart, beside_the_others
from ..finding import Contrast, Evidence, Finding
from ..label_use import Leaning
from ..manner import How, Manner, manner
from ..one_by_one import positions_of
from ..standing import WhoIsApart
from ..view import View
from ..words import listed, quoted
from .one_way import ONE_SIDED, one_ways
from .pattern import LEVEL, pattern, stake_of
from .telling import MOST_ITEMS, MOST_LINES, severity_of

__all__ = ["also_seen", "beyond", "coder_apart", "coder_leans", "coders_apart"]

MOST_TOLD = 3  # findings about single coders; more of them are told together
LEANS = 0.1  # a difference in the use of a category worth a look; our convention
ORDERED = frozenset({"ordinal", "interval", "ratio", "bipolar"})
DROP = "Never drop a coder for the figure."
ADVICE: dict[How, str] = {
    "leans": "Read some of the items below with the coder and one of the others. Where the "
    "guideline is open, both may be right; where it is not, this is the place to train. ",
    "random": "Check first that files, item ids and labels were not mixed up. If they were not, "
    "go through the guideline with the coder and have the items annotated again. ",
    "constant": "Ask whether the coder knew the other categories, and whether a default was left "
    "standing. Then have the items annotated again. ",
    "shifted": "The coder may see the same order of the items and use the scale in another way. "
    "Fix its points by examples, and let all annotate these before they go on. ",
    "apart": "See where this coder differs before anything else: a misread guideline can be "
    "repaired, a considered view should not be removed. ",
}


def coders_apart(view: View) -> tuple[str, ...]:
    """Coders who are told by themselves: they drift, or agree less with the others.

    Patterns of categories are then looked for without them.
    """
    return view.standing.names


@pattern
def coder_apart(view: View) -> Iterator[Finding]:
    """A coder who agrees less with the others.

    Less than the others among themselves on the same items: a test of coders who are alike, whose
    annotations of an item could as well have been dealt the other way round, corrected for the
    number of coders.
    """
    found = view.standing.apart
    if len(found) > MOST_TOLD:
        yield _together(view, found)
        return
    for who in found:
        yield _finding(view, who)


def _finding(view: View, who: WhoIsApart) -> Finding:
    ordered = view.scheme.scale in ORDERED
    how = manner(
        view.counts, who.coder, view.w, ordered=ordered, labels=view.scheme.categories
    )  # fmt: skip
    stake = stake_of(view, who.share)
    told = (
        f"The agreement of {quoted(who.coder)} with {_others(who)} is {percent(who.agreement)}, "
        f"theirs with each other {percent(who.others)} on the same "
        f"{count_of(who.n_items, 'item')} (test of coders who are alike, "
        f"{p_text(_corrected(view, who))}).{_how(how)}"
        f"{_without(view, who.coder)}{also_seen(view, who.coder)}"
    )
    return Finding(
        "coder_apart", severity_of(stake), told, ADVICE[how.how] + DROP,
        {
            "coder": who.coder, "how": how.how, "value": how.value, "instead": how.instead,
            "n": how.n, "back": how.back, "corrected": how.corrected,
            "agreement": who.agreement, "others": who.others, "n_items": who.n_items,
            "share": who.share, "p_value": _corrected(view, who),
        },
        ("artstein2008",), view.question, stake, "coder",
        Evidence(
            _lines(view, [who]), "coder", "items with two others", "agreement with the others",
            "of the others among themselves", beyond(view, who.coder),
        ),
    )  # fmt: skip


def _others(who: WhoIsApart) -> str:
    """Whom the coder is compared with: all others, or those of the nearest camp."""
    return f"the camp of {quoted(who.camp[0])}" if who.camp else "the others"


def _corrected(view: View, who: WhoIsApart) -> float:
    return min(1.0, who.p_value * view.counts.n_coders)


def _how(how: Manner) -> str:
    """The sentence about the way in which the coder differs."""
    n, back = f"{count_of(how.n, 'time')}", f"{how.back:,.0f}"
    if how.how == "constant":
        return f" The coder gives {quoted(how.value)} to nearly everything."
    if how.how == "random":
        return (
            " The labels have next to nothing to do with theirs: corrected for chance, the "
            f"agreement is {decimal(how.corrected, 2)}."
        )
    if how.how == "shifted":
        more, most = ("higher", how.n) if how.n > how.back else ("lower", how.back)
        return (
            f" The coder's values are {more} in {most:,.0f} of "
            f"{count_of(how.n + how.back, 'difference')}."
        )
    if how.how == "leans" and how.seldom:
        instead = "" if how.instead is None else f", most often {quoted(how.instead)}"
        return (
            f" Where others give {quoted(how.value)} the coder gives something else"
            f"{instead}: {count_of(how.back, 'time')}, and {how.n:,.0f} the other way round."
        )
    if how.how == "leans":
        instead = "something else" if how.instead is None else f"mostly {quoted(how.instead)}"
        return (
            f" The coder gives {quoted(how.value)} where others give {instead}: {n}, and {back} "
            "the other way round."
        )
    return ""


def _without(view: View, coder: str) -> str:
    """What alpha would be without the coder."""
    names, found = view.coders.coders, view.coders.alpha_without
    value = float(found[names.index(coder)]) if coder in names else math.nan
    if not value > view.alpha:
        return ""
    return (
        f" Without {quoted(coder)}, α would be {decimal(value)} instead of {decimal(view.alpha)}."
    )


def also_seen(view: View, coder: str) -> str:
    """What else is known of a coder who is told already: contradictions, labels carried over."""
    found, told = view.consistency, ""
    if found is not None:
        c = found.coders.index(coder)
        if found.p_value[c] < LEVEL:
            told += (
                f" The coder contradicts itself on {found.n_contradicted[c]:,.0f} of "
                f"{count_of(found.n_texts[c], 'text')} that stand there twice."
            )
    steps = view.sequence
    if steps is not None and steps.mixed:
        c = steps.coders.index(coder)
        if steps.p_value[c] < LEVEL / len(steps.coders):
            kind = "more" if steps.effect[c] > 0 else "less"
            told += (
                f" The label of the item before is given again in "
                f"{percent(float(steps.repeats[c]))} of {count_of(steps.n_steps[c], 'step')}, "
                f"{100 * abs(float(steps.effect[c])):.1f} points {kind} than the items and the "
                "coder's habits explain."
            )
    return told


def _lines(view: View, told: list[WhoIsApart]) -> tuple[Contrast, ...]:
    """The coders who are apart, then the others as they stand to the rest."""
    lines = [Contrast(quoted(x.coder), x.n_items, x.agreement, x.others) for x in told]
    names = {x.coder for x in told}
    seen = apart(view.counts, view.w)
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


def beyond(view: View, coder: str) -> tuple[int, ...]:
    """Items on which a coder differs from others who agree, the clearest ones first."""
    counts = view.counts
    if counts.coder is None:
        return ()
    own, among = beside_the_others(counts, view.w)
    entry = np.flatnonzero(counts.coder == counts.coders.index(coder))
    more = np.nan_to_num(own - among)[entry]
    order = np.argsort(-more, kind="stable")
    patterns = counts.row[entry[order[more[order] > 1e-12]]]
    return tuple(positions_of(counts, patterns, MOST_ITEMS).tolist())


def _together(view: View, found: tuple[WhoIsApart, ...]) -> Finding:
    """One finding for many coders, as in annotation by a crowd."""
    share = min(1.0, sum(x.share for x in found))
    stake, worst = stake_of(view, share), found[0]
    told = (
        f"{len(found)} of {count_of(view.counts.n_coders, 'coder')} agree less with the others "
        f"than these among themselves (test of coders who are alike, each p below {LEVEL}): "
        f"{listed([x.coder for x in found])}. Most is at stake with {quoted(worst.coder)}, whose "
        f"agreement with the others is {percent(worst.agreement)}, and theirs "
        f"{percent(worst.others)}."
    )
    return Finding(
        "coder_apart", severity_of(stake), told,
        "Look at their items in the order of the table. Who answers at random or always the same "
        "was not paid attention to; who differs in a pattern may read the guideline in another "
        f"way. {DROP}",
        {
            "coder": worst.coder, "coders": tuple(x.coder for x in found), "share": share,
            "agreement": worst.agreement, "others": worst.others,
            "p_value": _corrected(view, worst),
        },
        ("artstein2008",), view.question, stake, "coder",
        Evidence(
            _lines(view, list(found)), "coder", "items with two others",
            "agreement with the others", "of the others among themselves",
            beyond(view, worst.coder),
        ),
    )  # fmt: skip


@pattern
def coder_leans(view: View) -> Iterator[Finding]:
    """A coder who prefers a category.

    One of several coders gives a category more or less often than the others on the same items,
    though agreement is not clearly lower for it. Told only where no single confusion, no shift
    of the scale and no finding about the coder says it more precisely.
    """
    counts = view.counts
    if counts.coder is None or counts.n_coders < 3 or counts.n_questions > 1:
        return
    if view.scheme.scale in ORDERED:
        return
    rest = _rest(view)
    use = rest.coders.labels if rest.counts.n_coders >= 3 else None
    if use is None or view.standing.camps is not None:
        return
    told = {
        x.coder for x in one_ways(rest) if x.p_value < LEVEL and x.n >= ONE_SIDED * x.back
    }  # fmt: skip
    strong = [
        x for x in use.leanings(1 - LEVEL) if abs(x.own - x.others) >= LEANS and x.coder not in told
    ]
    n = dict(zip(use.coders, use.n_shared.tolist(), strict=True))
    strong.sort(key=lambda x: -abs(x.own - x.others) * n[x.coder])
    if strong:
        yield _leans(rest, strong, n)


def _rest(view: View) -> View:
    names = set(coders_apart(view))
    return view.of_coders([c for c in view.counts.coders if c not in names]) if names else view


def _leans(view: View, strong: list[Leaning], n: dict[str, float]) -> Finding:
    shown = "; ".join(
        f"{quoted(x.coder)} gives {quoted(x.value)} to {percent(x.own)} of the items, the others "
        f"to {percent(x.others)}"
        for x in strong[:MOST_TOLD]
    )
    more = len(strong) - MOST_TOLD
    rest = f"; and {count_of(more, 'more coder')}" if more > 0 else ""
    first = strong[0]
    whole = all_disagreement(view.counts, view.w)
    excess = sum(2 * abs(x.own - x.others) * n[x.coder] for x in strong)
    stake = stake_of(view, min(1.0, excess / whole) if whole else 0.0)
    return Finding(
        "coder_leans", severity_of(stake),
        f"On the same items, {shown}{rest}.",
        "Read a few of these items with the coder. Where the guideline is open, both may be "
        "right; where it is not, this is the place to train.",
        {
            "coder": first.coder, "value": first.value, "how": "leans",
            "leanings": [(x.coder, x.value, x.own, x.others) for x in strong],
        },
        ("artstein2008",), view.question, stake, "coder",
        Evidence(
            tuple(
                Contrast(
                    f"{quoted(x.coder)}: {quoted(x.value)}", int(n[x.coder]), x.own, x.others
                )
                for x in strong[:MOST_LINES]
            ),
            "coder and category", "items with others", "given by the coder", "given by the others",
            beyond(view, first.coder),
        ),
    )  # fmt: skip
