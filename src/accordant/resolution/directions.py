"""Whether two coders differ in one direction more often than random errors would.

Two coders who only make random errors at the same rate differ in both directions about equally
often, whatever the prevalence of the labels. A one-sided pattern is what another threshold looks
like, which is a matter of guidelines (a2) or concepts (b), not of inconsistency (c). It is no
proof: annotations of one item hang together. The test is the sign test (McNemar 1947, exact).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

from ..numbers import p_text
from .case_state import Case
from .records import Answer
from .sentences import counted
from .sight import Sight, first_answers, seeing
from .state import Epoch, State
from .wording import all_known
from .words import Cause

__all__ = ["FEWEST", "Direction", "direction_question", "directions", "sign_test"]

FEWEST = 6
"""Differences from which a direction is told: with fewer, all in one direction is p > 0.05."""
_ASKED_FROM = 3  # the third inconsistency in one direction is asked about

Way = tuple[str, str, Answer, Answer]
"""(coder, other coder, what the first says, what the other says)."""


@dataclass(frozen=True)
class Direction:
    """In which direction two coders differ.

    Parameters
    ----------
    about : str
        'all cases', "question '5a'", "cause 'c'".
    coder, other : str
    label, other_label : Answer
        What they answer in the direction that is more frequent.
    n, n_reverse : int
        Cases in this direction, and in the reverse one.
    p : float
        Two-sided exact p-value of the sign test: how probable so one-sided a pattern is if both
        directions are equally probable and the cases independent.
    """

    about: str
    coder: str
    other: str
    label: Answer
    other_label: Answer
    n: int
    n_reverse: int
    p: float

    @property
    def one_sided(self) -> bool:
        """Whether the pattern is improbable (p < 0.05) if the coders only make random errors."""
        return self.p < 0.05

    def __str__(self) -> str:
        total = self.n + self.n_reverse
        return (
            f"{self.about}: {self.n} of {counted(total, 'case')} go the same way: "
            f"{self.coder} “{self.label}”, {self.other} “{self.other_label}” "
            f"(sign test, {p_text(self.p)})"
        )


def sign_test(n: int, n_reverse: int) -> float:
    """Exact two-sided p-value of the sign test.

    Parameters
    ----------
    n, n_reverse : int
        How often something goes one way and the other.

    Returns
    -------
    float
        In (0, 1]; 1 if there is nothing to compare.

    Examples
    --------
    >>> round(sign_test(17, 2), 4), round(sign_test(26, 6), 4), sign_test(0, 0)
    (0.0007, 0.0005, 1.0)
    """
    total, fewer = n + n_reverse, min(n, n_reverse)
    log_last = math.lgamma(total + 1) - math.lgamma(fewer + 1) - math.lgamma(total - fewer + 1)
    # The terms of the tail relative to its last one; with thousands of cases the binomial
    # coefficients themselves have thousands of digits.
    term = tail = 1.0
    for k in range(fewer, 0, -1):
        term *= k / (total - k + 1)
        tail += term
        if term < tail * 1e-17:
            break
    return min(1.0, 2 * tail * math.exp(log_last - total * math.log(2)))


def directions(state: State, person: str, *, fewest: int = FEWEST) -> list[Direction]:
    """The direction of differences: over all cases, for each question and each cause.

    What coders said first counts, not what they came to agree on.

    Parameters
    ----------
    state : State
    person : str
        Who asks; cases whose cell is being annotated are left out.
    fewest : int
        Pairs of coders and answers with fewer cases are left out.

    Returns
    -------
    list of Direction
        All cases first, then questions, then causes; the most cases first.
    """
    sight = seeing(state, person)
    counts: dict[str, Counter[Way]] = {}
    for case in _cases(sight):
        cause = sight.cause(case)
        abouts = ["all cases", f"question '{case.question}'"]
        abouts += [f"cause '{cause.value}'"] if cause else []
        for way in _ways(state.epoch, case):
            for about in abouts:
                counts.setdefault(about, Counter())[way] += 1
    order = {"a": 0, "q": 1, "c": 2}
    found = [d for about, ways in counts.items() for d in _told(about, ways, fewest)]
    return sorted(found, key=lambda d: (order[d.about[0]], d.about, -(d.n + d.n_reverse)))


def _cases(sight: Sight) -> Iterator[Case]:
    return (c for c in sight.state.epoch.cases.values() if not sight.hides_case(c))


def _ways(epoch: Epoch, case: Case) -> list[Way]:
    """The directions in which the coders of a case differ, coders in the order of their names."""
    answers: Mapping[str, Answer] = first_answers(epoch, case)
    return [
        (a, b, answers[a], answers[b])
        for a, b in combinations(sorted(answers), 2)
        if answers[a] != answers[b]
    ]


def _told(about: str, ways: Counter[Way], fewest: int) -> Iterator[Direction]:
    for (a, b, x, y), n in ways.items():
        reverse = ways.get((a, b, y, x), 0)
        if n + reverse >= fewest and (n > reverse or (n == reverse and str(x) < str(y))):
            yield Direction(about, a, b, x, y, n, reverse, sign_test(n, reverse))


def direction_question(state: State, person: str, number: int) -> str:
    """What to ask before a case is put down to inconsistency (c), if many such go the same way.

    Parameters
    ----------
    state : State
    person : str
    number : int
        The case.

    Returns
    -------
    str
        A question with numbers if this would be at least the third c in its direction, and more
        than half of them go that way; else nothing.
    """
    sight = seeing(state, person)
    epoch = state.epoch
    all_known("case", [number], epoch.cases, "there are")
    case = epoch.cases[number]
    if sight.hides_case(case):
        return ""
    others = [
        way
        for other in _cases(sight)
        if other.number != number and sight.cause(other) is Cause.C
        for way in _ways(epoch, other)
    ]
    for way in _ways(epoch, case):
        a, b, x, y = way
        n, reverse = 1 + others.count(way), others.count((a, b, y, x))
        if n >= _ASKED_FROM and n > reverse:
            return (
                f"{n} of {n + reverse} cases under c go the same way ({a} “{x}”, {b} “{y}”; sign "
                f"test, {p_text(sign_test(n, reverse))}): are these really inconsistencies, or do "
                "the coders draw a line in different places (a2, b)?"
            )
    return ""
