"""Cases that look alike and may be discussed together: same question, answers and kind of text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..case_index import of_each_case
from ..records import Answer
from ..sentences import counted, listing
from ..sight import first_answers, seeing
from ..state import Case, Epoch, State
from .similar import SIMILAR, hanging_together

__all__ = ["AlikeCases", "alike_cases"]

Pattern = tuple[str, tuple[tuple[str, Answer], ...]]
"""Question, and the answer of each coder."""


@dataclass(frozen=True)
class AlikeCases:
    """Cases that look alike.

    Parameters
    ----------
    question : str
    answers : mapping of str to Answer
        Coder → answer, the same in all of them.
    cases : tuple of int
    because : str
        What they have in common, as a sentence.
    """

    question: str
    answers: Mapping[str, Answer]
    cases: tuple[int, ...]
    because: str


def alike_cases(state: State, person: str, *, threshold: float = SIMILAR) -> list[AlikeCases]:
    """Groups of cases that are still to be settled and look alike, the largest first.

    Two cases are put together if every coder said the same in both and their texts are similar; a
    group is what hangs together by such pairs. Without texts the answers alone make a group.

    Parameters
    ----------
    state : State
    person : str
        Who asks.
    threshold : float
        Least similarity of texts, in percent (`similar.similar_items`).

    Examples
    --------
    >>> alike_cases(State(), "")
    []
    """
    sight = seeing(state, person)
    epoch, texts = state.epoch, state.items.texts
    told = any(texts)
    patterns = of_each_case(state, "first answers", lambda case: _pattern(epoch, case))
    same: dict[Pattern, list[int]] = {}
    for case in epoch.cases.values():
        if case.live and not case.group and not sight.hides_case(case):
            same.setdefault(patterns[case.number], []).append(case.number)
    known: dict[tuple[Pattern, float], list[list[int]]] = epoch.lasting.get("alike", {})
    found, kept = [], {}
    for (question, answers), numbers in same.items():
        parts = [numbers]
        if told:
            key = ((question, answers), threshold)
            parts = kept[key] = _parts(state, numbers, known.get(key, []), threshold)
        for part in parts:
            if len(part) > 1:
                says = listing(f"{coder} “{answer}”" for coder, answer in answers)
                how = (
                    f", and the texts are at least {threshold:.0f}\N{NO-BREAK SPACE}% the same"
                    if told
                    else ""
                )
                because = f"{counted(len(part), 'case')} on “{question}” with {says}{how}"
                found.append(AlikeCases(question, dict(answers), tuple(part), because))
    epoch.lasting["alike"] = known | kept
    return sorted(found, key=lambda group: (-len(group.cases), group.cases))


def _pattern(epoch: Epoch, case: Case) -> Pattern:
    answers = first_answers(epoch, case).items()
    return case.question, tuple(sorted(answers, key=lambda pair: pair[0]))


def _parts(
    state: State, numbers: list[int], before: list[list[int]], threshold: float
) -> list[list[int]]:
    """Cases in parts that hang together by similar texts; parts that stayed as they were are kept.

    Where cases have gone, what is left of their part may fall apart. Where any has come, it may
    join two parts, and all are looked at.
    """
    now, texts = set(numbers), state.items.texts
    if not now <= {number for part in before for number in part}:
        before = [numbers]
        whole = set[int]()
    else:
        whole = {k for k, part in enumerate(before) if now.issuperset(part)}
    found = []
    for k, part in enumerate(before):
        left = [number for number in part if number in now]
        if k in whole:
            found.append(left)
        elif left:
            wanted = [texts[state.epoch.cases[number].item] for number in left]
            found += [[left[i] for i in each] for each in hanging_together(wanted, threshold)]
    return found
