"""What the data suggest about causes: the same text answered otherwise, and one-sided differences.

Nobody but the coders decides. Nearly identical texts that one coder answered differently suggest c
(Oortwijn et al. 2021, section 3, step 5). Two coders who only make random errors differ in both
directions about equally often; a one-sided pattern is what another threshold looks like, which is a
matter of guidelines (a2) or concepts (b). The test is the sign test (McNemar 1947, exact).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from .case_state import Case
from .sight import Sight, first_answers, seeing
from .state import Epoch, State
from .terms import Answer

FEWEST = 6
"""With fewer, all in one direction is p > 0.05."""
NEARLY_IDENTICAL = 90.0
"""Percent: one changed word in ten."""
Way = tuple[str, str, Answer, Answer]
"""(coder, other coder, what the first says, what the other says)."""


@dataclass(frozen=True)
class Inconsistency:
    """A coder who answered items with nearly the same text differently: a sign of c.

    Parameters
    ----------
    case : int
    coder : str
    answer : Answer
        What they answered about the item of the case.
    other : str
        The item whose text is most similar.
    other_answer : Answer
    percent : float
        Similarity of the texts: twice the longest common subsequence over both lengths.
    """

    case: int
    coder: str
    answer: Answer
    other: str
    other_answer: Answer
    percent: float


def inconsistencies(
    state: State, person: str, cases: Sequence[Case] | None = None
) -> list[Inconsistency]:
    """Coders who answered nearly identical texts differently, for cases that are not settled.

    Parameters
    ----------
    state : State
    person : str
        Who asks; what this person may not see is not used.
    cases : sequence of Case, optional
        All about which something is still to be done by default.

    Examples
    --------
    >>> inconsistencies(State(), "")
    []
    """
    from rapidfuzz import fuzz, process, utils

    sight, epoch, items = seeing(state, person), state.epoch, state.items
    wanted = [case for case in epoch.cases.values() if case.live] if cases is None else cases
    found: list[Inconsistency] = []
    texts = [utils.default_process(text) for text in items.texts]
    for case in wanted if any(texts) else ():
        if sight.hides_case(case):
            continue
        near = process.extract(
            texts[case.item],
            {k: text for k, text in enumerate(texts) if text and k != case.item},
            scorer=fuzz.ratio,
            score_cutoff=NEARLY_IDENTICAL,
            limit=None,
        )
        for coder, answer in first_answers(epoch, case).items():
            for _, percent, item in near:
                other = sight.answer(epoch, item, case.question, coder)
                if other is not None and other != answer and not (other.special or answer.special):
                    name = items.ids[item]
                    found.append(Inconsistency(case.number, coder, answer, name, other, percent))
                    break
    return found


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


def sign_test(n: int, n_reverse: int) -> float:
    """Exact two-sided p-value of the sign test, in (0, 1]; 1 if there is nothing to compare.

    Examples
    --------
    >>> round(sign_test(17, 2), 4), round(sign_test(26, 6), 4), sign_test(0, 0)
    (0.0007, 0.0005, 1.0)
    """
    total, fewer = n + n_reverse, min(n, n_reverse)
    tail = sum(math.comb(total, k) for k in range(fewer + 1))
    return float(min(1, 2 * tail / 2**total))


def directions(state: State, person: str) -> list[Direction]:
    """The direction of differences: over all cases, for each question and each cause.

    What coders said first counts, not what they came to agree on.

    Parameters
    ----------
    state : State
    person : str
        Who asks; cases whose cell is being annotated are left out.

    Returns
    -------
    list of Direction
        All cases first, then questions, then causes; the most cases first.
    """
    sight = seeing(state, person)
    counts: dict[str, Counter[Way]] = {}
    for case in state.epoch.cases.values():
        for way in () if sight.hides_case(case) else _ways(state.epoch, case):
            for about in _abouts(sight, case):
                counts.setdefault(about, Counter())[way] += 1
    order = {"a": 0, "q": 1, "c": 2}
    found = [d for about, ways in counts.items() for d in _told(about, ways)]
    return sorted(found, key=lambda d: (order[d.about[0]], d.about, -(d.n + d.n_reverse)))


def _abouts(sight: Sight, case: Case) -> Iterator[str]:
    yield from ("all cases", f"question '{case.question}'")
    if (cause := sight.cause(case)) is not None:
        yield f"cause '{cause.value}'"


def _ways(epoch: Epoch, case: Case) -> list[Way]:
    answers = first_answers(epoch, case)
    pairs = combinations(sorted(answers), 2)
    return [(a, b, answers[a], answers[b]) for a, b in pairs if answers[a] != answers[b]]


def _told(about: str, ways: Counter[Way]) -> Iterator[Direction]:
    for (a, b, x, y), n in ways.items():
        reverse = ways.get((a, b, y, x), 0)
        if n + reverse >= FEWEST and (n > reverse or (n == reverse and str(x) < str(y))):
            yield Direction(about, a, b, x, y, n, reverse, sign_test(n, reverse))
