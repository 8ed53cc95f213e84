"""What may have been read in another way than it was meant: sets of labels in 0 and 1."""

from __future__ import annotations

from ..actions import Action, Notice
from ..data.annotations import Annotations
from ..numbers import joined
from ..scheme import Label

__all__ = ["hints"]

ONE_HOT = Action("", {"layout": "onehot"})


def hints(data: Annotations) -> tuple[Notice, ...]:
    """Sentences about questions that look like the labels of a set, and values that look like bits.

    Examples
    --------
    >>> from accordant import read
    >>> hints(read([["011", "000", "101"], ["010", "000", "101"]]))[0][:56]
    "Values such as '000' may be sets of labels, a 0 or 1 for"
    >>> hints(read([["a", "b"], ["a", "a"]]))
    ()
    """
    found = []
    schemes = dict(zip(data.questions, data.schemes, strict=True))
    flags = [q for q, s in schemes.items() if {str(x) for x in s.categories} == {"0", "1"}]
    if len(flags) > 1:
        found.append(Notice(
            f"The questions {joined(map(repr, flags))} are answered by 0 and 1: if these say "
            "whether a label was given, read them as one set of labels.", ONE_HOT,
        ))  # fmt: skip
    for scheme in schemes.values():
        if _in_bits(scheme.categories):
            found.append(Notice(
                f"Values such as {str(scheme.categories[0])!r} may be sets of labels, a 0 or 1 for "
                "each label: to take these apart, give every label a column of its own with 0 and "
                "1, and read them as one-hot.", ONE_HOT,
            ))  # fmt: skip
            break
    return tuple(found)


def _in_bits(categories: tuple[Label, ...]) -> bool:
    """Whether all are as many 0 and 1, and some begin with 0, as no number does."""
    texts = [str(x) for x in categories]
    return (
        len(texts) > 1
        and len({len(text) for text in texts}) == 1
        and len(texts[0]) > 1
        and not set("".join(texts)) - {"0", "1"}
        and any(text.startswith("0") for text in texts)
    )
