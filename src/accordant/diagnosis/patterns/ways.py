"""The way in which a coder differs from the others, in words."""

from __future__ import annotations

from ...numbers import count_of, decimal, percent
from ..manner import How, Manner
from ..words import listed, quoted

__all__ = ["ADVICE", "told_way", "way_title"]

ADVICE: dict[How, str] = {
    "leans": "Read some of these items with the coder and one of the others. Where the "
    "guideline is open, both may be right; where it is not, this is the place to train. ",
    "random": "Check first that files, item ids and labels were not mixed up. If they were not, "
    "go through the guideline with the coder and have the items annotated again. ",
    "constant": "Ask whether the coder knew the other categories, and whether a default was left "
    "standing. Then have the items annotated again. ",
    "shifted": "The coder may see the same order of the items and use the scale in another way. "
    "Fix its points by examples, and let all annotate these before they go on. ",
    "swapped": "Ask the coder what the two names, or keys, stand for. If they were mixed up, put "
    "it right in the data, and say so where you report them; if not, the guideline is read the "
    "other way round. ",
    "narrow": "Give examples of the ends of the scale, so that the coder knows what they are for, "
    "and let all annotate these before they go on. ",
    "more_labels": "Say in the guideline when a further label is to be given: only for what the "
    "text is mainly about, or for all that it mentions. Discuss some of these items with all "
    "coders. ",
    "fewer_labels": "Say in the guideline when a further label is to be given: only for what the "
    "text is mainly about, or for all that it mentions. Discuss some of these items with all "
    "coders. ",
    "apart": "Read these items with the coder: a misread guideline can be corrected, a "
    "considered view should be kept. ",
}


def way_title(coder: str, how: Manner) -> str:
    """What the coder does, in a few words.

    Examples
    --------
    >>> way_title("ann", Manner("swapped", "a", 30, 2, "b")), way_title("ann", Manner("apart"))
    ('“ann” swaps “a” and “b”', '“ann” agrees less with the others')
    """
    name, value, instead = quoted(coder), quoted(how.value), quoted(how.instead)
    if how.how == "leans" and how.seldom:
        return f"{name} avoids {value}"
    if how.how == "leans":
        return f"{name} gives {value}" + (
            " too often" if how.instead is None else f" where others give {instead}"
        )
    return {
        "random": f"{name} agrees with the others hardly more than by chance",
        "constant": f"{name} nearly always gives {value}",
        "shifted": f"The values of {name} are {'higher' if how.n > how.back else 'lower'}",
        "swapped": f"{name} swaps {value} and {instead}",
        "narrow": f"{name} uses only the middle of the scale",
        "more_labels": f"{name} gives more labels than the others",
        "fewer_labels": f"{name} gives fewer labels than the others",
    }.get(how.how, f"{name} agrees less with the others")


def told_way(how: Manner) -> str:
    """The sentence about the way in which the coder differs; empty if there is none."""
    n, of = f"{how.n:,.0f}", how.n + how.back
    if how.how == "constant":
        return f" The coder gives {quoted(how.value)} to nearly everything."
    if how.how == "random":
        return f" Chance-corrected agreement with the others is only {decimal(how.corrected, 2)}."
    if how.how == "shifted":
        more, most = ("higher", how.n) if how.n > how.back else ("lower", how.back)
        return (
            f" The coder's values are {more} on {most:,.0f} of the {count_of(of, 'item')} on "
            "which they lie above or below most of the others'."
        )
    if how.how == "swapped":
        return (
            f" The coder swaps {quoted(how.value)} and {quoted(how.instead)}: it gives the other "
            f"one on {n} of the {count_of(of, 'item')} on which it and most of the others give one "
            "of the two."
        )
    if how.how == "narrow":
        return (
            f" The coder uses {'only ' if not how.own else 'hardly anything but '}"
            f"{listed(how.used)}: {'never' if not how.own else 'hardly ever'} "
            f"{listed(how.never)}, which make up {percent(how.others)} of what the others give to "
            "the same items."
        )
    if how.how in ("more_labels", "fewer_labels"):
        return (
            f" The coder gives {how.own:.1f} labels per item, the others {how.others:.1f} to the "
            f"same items: more than they do on {n}, fewer on {how.back:,.0f}."
        )
    return _leaning(how) if how.how == "leans" else ""


def _leaning(how: Manner) -> str:
    value, of = quoted(how.value), f"{count_of(how.n + how.back, 'item')}"
    where = f"of the {of} on which this coder and most of the others differ about {value}."
    if how.seldom:
        instead = "" if how.instead is None else f", most often {quoted(how.instead)}"
        return (
            f" Where others give {value} the coder gives something else{instead}: on "
            f"{how.back:,.0f} {where}"
        )
    instead = "something else" if how.instead is None else f"mostly {quoted(how.instead)}"
    return f" The coder gives {value} where others give {instead}: on {how.n:,.0f} {where}"
