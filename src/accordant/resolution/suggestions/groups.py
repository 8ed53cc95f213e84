"""Cases that look alike and may be discussed together: same question, answers and kind of text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..records import Answer
from ..sentences import counted, listing
from ..sight import first_answers, seeing, shown
from ..state import State
from ..store.record import Record
from .similar import SIMILAR, similar_to

__all__ = ["AlikeCases", "alike_cases"]


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
    same: dict[tuple[str, tuple[tuple[str, Answer], ...]], list[int]] = {}
    for case in epoch.cases.values():
        if case.live and not case.group and not sight.hides_case(case):
            answers = tuple(sorted(first_answers(epoch, case).items(), key=lambda pair: pair[0]))
            same.setdefault((case.question, answers), []).append(case.number)
    found = []
    for (question, answers), numbers in same.items():
        if told:
            parts = _together(numbers, [texts[epoch.cases[n].item] for n in numbers], threshold)
        else:
            parts = [numbers]
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
    return sorted(found, key=lambda group: (-len(group.cases), group.cases))


def _together(numbers: list[int], texts: list[str], threshold: float) -> list[list[int]]:
    """Cases in parts that hang together by similar texts."""
    alike = similar_to(texts, range(len(texts)), threshold)
    parts: list[list[int]] = []
    seen: set[int] = set()
    for first in range(len(numbers)):
        if first in seen:
            continue
        seen.add(first)
        part = [first]
        for k in part:  # grows while it is read
            for other, _ in alike.get(k, []):
                if other not in seen:
                    seen.add(other)
                    part.append(other)
        parts.append([numbers[k] for k in sorted(part)])
    return parts


# ------------------------------------------------------------------ for tests of blindness


@shown("alike_cases")
def _all_alike(state: State, person: str, records: list[Record]) -> list[AlikeCases]:
    return alike_cases(state, person)
