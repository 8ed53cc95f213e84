"""A long rule as it is shown: its list cut, with the number of what is left out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

__all__ = ["MOST_SHOWN", "abridged", "abridged_apart", "is_abridged"]

MOST_SHOWN = 12
"""Longer lists are cut where they are shown; the rule itself keeps everything."""

_JOINT = re.compile(r', or | or |, |"(?:[^"]|"")*"|[()]')
_CUT = re.compile(r"(?: or| and) [\d,]+ more\)?$")


def abridged(rule: str, most: int = MOST_SHOWN) -> str:
    """A rule whose list is cut after so many entries.

    Only for people: what it leaves out cannot be read back, and two rules may look alike.

    Examples
    --------
    >>> abridged("a, b, c or d", 2), abridged("none of a, b, c, d", 2), abridged("a or b", 2)
    ('a, b or 2 more', 'none of a, b and 2 more', 'a or b')
    >>> abridged('not (only a or only "b or c" or no label)', 2)
    'not (only a or only "b or c" or 1 more)'
    """
    whole = rule.startswith("not (") and rule.endswith(")")
    start = len("not (") if whole else 0
    ends, depth = [], 0
    for found in _JOINT.finditer(rule, start, len(rule) - whole):
        mark = found.group()
        depth += {"(": 1, ")": -1}.get(mark, 0)
        if depth == 0 and mark[0] in ", ":
            ends.append(found.start())
    n = len(ends) + 1
    if n <= most:
        return rule
    joint = "and" if rule.startswith("none of ") else "or"
    return f"{rule[: ends[most - 1]]} {joint} {n - most:,} more{')' if whole else ''}"


def is_abridged(rule: str) -> bool:
    """Whether a text may be a rule that was cut.

    Examples
    --------
    >>> is_abridged("a, b or 2 more"), is_abridged("not (a or b or 1,002 more)"), is_abridged("a")
    (True, True, False)
    """
    return _CUT.search(rule) is not None


def abridged_apart(rules: Sequence[str], most: int = MOST_SHOWN) -> list[str]:
    """Rules as they are shown beside each other: cut, but no two different ones alike.

    Examples
    --------
    >>> abridged_apart(["a, b, c or d", "a, c, e or f", "a, c, e or g"], 2)
    ['a, b or 2 more', 'a, c, e or f', 'a, c, e or g']
    """
    shown = {rule: abridged(rule, most) for rule in rules}
    while True:
        times = Counter(shown.values())
        alike = [rule for rule, text in shown.items() if times[text] > 1]
        if not alike:
            break
        most *= 2
        shown |= {rule: abridged(rule, most) for rule in alike}
    return [shown[rule] for rule in rules]
