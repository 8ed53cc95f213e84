"""What may have caused a disagreement, with the evidence. Nobody but the coders decides it.

The signs are those that the procedure names (Oortwijn et al. 2021, section 3, step 5):

- c: one coder answered items with the same or nearly the same text differently;
- e: one coder alone differs about an item on which everything else is agreed;
- a2: the question is agreed on much less often than the others, coders wrote that the guidelines
  do not say, or a statistic that is handed in points to the question;
- b: the question uses a key concept that coders found unclear, or they differ in one direction.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..cells import cell_state
from ..disagreement import cases_about, the_case
from ..records import Answer
from ..sentences import counted, listing, percentage
from ..sight import Sight, first_answers, seeing, shown
from ..state import Case, Epoch, State
from ..store.record import Record
from ..words import Cause, CellState, Source
from .direction import Direction, directions
from .similar import NEARLY_IDENTICAL, Progress, similar_to

__all__ = ["LikelyCause", "likely_causes"]

_GAP = 0.1  # how much less often a question must be agreed on than the others
_P = 0.01  # how improbable that must be by chance
_FEWEST_CELLS = 10
_SAID = 2  # coders' remarks of one kind that make a sign


@dataclass(frozen=True)
class LikelyCause:
    """A cause that the data suggest for a case.

    Parameters
    ----------
    case : int
    cause : Cause
        c, e, a2 or b. Whether a reading differs (d) or the task is understood differently (a1), no
        figure shows.
    because : str
        The evidence, as a sentence with numbers.
    coder : str
        The coder concerned, for c and e.
    items : tuple of str
        For c, the other items.
    concept : str
        For b, the concept.
    """

    case: int
    cause: Cause
    because: str
    coder: str = ""
    items: tuple[str, ...] = ()
    concept: str = ""


def likely_causes(
    state: State,
    person: str,
    cases: Sequence[int] | None = None,
    *,
    levers: Mapping[str, str] | None = None,
    threshold: float = NEARLY_IDENTICAL,
    progress: Progress | None = None,
) -> list[LikelyCause]:
    """What may have caused disagreements, with the evidence: several suggestions or none per case.

    Parameters
    ----------
    state : State
    person : str
        Who asks; what this person may not see is not used.
    cases : sequence of int, optional
        Numbers of cases; all about which something is still to be done by default.
    levers : mapping of str to str, optional
        Question → a sentence on what an analysis found about it (`accordant.diagnosis`), which
        makes unclear guidelines likely.
    threshold : float
        Similarity of texts, in percent, from which they count as nearly identical.
    progress : callable, optional
        Called with (done, total) while texts are compared.

    Returns
    -------
    list of LikelyCause
        In the order of the cases; within one c, e, a2, b.

    Raises
    ------
    RequestError
        If there is no such person or case.

    Examples
    --------
    >>> likely_causes(State(), "")
    []
    """
    sight = seeing(state, person)
    epoch = state.epoch
    wanted = (
        [case for case in epoch.cases.values() if case.live]
        if cases is None
        else [the_case(state, number) for number in cases]
    )
    wanted = [case for case in wanted if not sight.hides_case(case)]
    texts = state.items.texts
    asked = sorted({case.item for case in wanted})
    alike = similar_to(texts, asked, threshold, progress) if any(texts) else {}
    one_way = {d.about: d for d in directions(state, person) if d.one_sided}
    unclear = _unclear(sight, epoch, levers or {})
    found: list[LikelyCause] = []
    for case in wanted:
        found += _inconsistent(sight, epoch, case, alike.get(case.item, []))
        found += _mistake(sight, epoch, case)
        found += [
            LikelyCause(case.number, Cause.A2, because)
            for because in unclear.get(case.question, [])
        ]
        found += _concept(sight, epoch, case, one_way.get(f"question '{case.question}'"))
    return found


def _inconsistent(
    sight: Sight, epoch: Epoch, case: Case, alike: list[tuple[int, float]]
) -> list[LikelyCause]:
    """Coders who answered nearly the same text otherwise."""
    found = []
    ids = sight.state.items.ids
    for coder, answer in first_answers(epoch, case).items():
        others: list[tuple[int, float, Answer]] = []
        for item, similar in alike:
            said = sight.answer(epoch, item, case.question, coder)
            if said is not None and said != answer and not said.special and not answer.special:
                others.append((item, similar, said))
        if others:
            item, similar, said = others[0]
            same = "the same" if similar >= 100 else f"{similar:.0f}\N{NO-BREAK SPACE}% the same"
            more = f", and otherwise about {len(others) - 1} more" if len(others) > 1 else ""
            found.append(
                LikelyCause(
                    case.number,
                    Cause.C,
                    f"{coder} answered “{answer}” here and “{said}” about “{ids[item]}”, whose "
                    f"text is {same}{more}",
                    coder,
                    tuple(ids[i] for i, _, _ in others),
                )
            )
    return found


def _mistake(sight: Sight, epoch: Epoch, case: Case) -> list[LikelyCause]:
    """One coder alone against all others, about an item on which all else is agreed."""
    answers = first_answers(epoch, case)
    times = Counter(answers.values())
    if len(answers) < 3 or len(times) != 2 or min(times.values()) != 1:
        return []
    (most, n), (alone, _) = times.most_common()
    if any(sight.hides(case.item, question) for question in epoch.questions):
        return []  # what is agreed about the item otherwise cannot be told now
    states = [
        cell_state(epoch, case.item, question)
        for question in epoch.questions
        if question != case.question and epoch.current.get(question)
    ]
    agreed = states.count(CellState.AGREED)
    if CellState.CONFLICTING in states or (agreed == 0 and n < 3):
        return []
    coder = next(c for c, answer in answers.items() if answer == alone)
    rest = f", and {counted(agreed, 'other question')} about it agreed" if agreed else ""
    return [
        LikelyCause(
            case.number,
            Cause.E,
            f"only {coder} answered “{alone}”; {n} others answered “{most}”{rest}",
            coder,
        )
    ]


# ------------------------------------------------------------------ what bears on a question


def _unclear(sight: Sight, epoch: Epoch, levers: Mapping[str, str]) -> dict[str, list[str]]:
    """Question → signs that the guidelines about it are unclear."""
    found: dict[str, list[str]] = {}
    for question, sentence in _often_disputed(sight, epoch).items():
        found.setdefault(question, []).append(sentence)
    for question in epoch.questions:
        said = _remarks(sight, epoch, question, Source.GUIDELINES)
        if said >= _SAID:
            found.setdefault(question, []).append(
                f"{counted(said, 'answer')} to “{question}” were “ambiguous: {Source.GUIDELINES}”"
            )
        if question in levers and not sight.hides_some(question):
            found.setdefault(question, []).append(levers[question])
    return found


def _often_disputed(sight: Sight, epoch: Epoch) -> dict[str, str]:
    """Questions on which coders agreed much less often than on the others together."""
    counts: dict[str, tuple[int, int]] = {}  # question → compared, agreed; of its first round
    for some in epoch.rounds:
        for question, states in some.comparison.items():
            if not sight.hides_some(question):
                agreed = states.get(CellState.AGREED, 0)
                n = agreed + states.get(CellState.CONFLICTING, 0)
                counts.setdefault(question, (n, agreed))
    found = {}
    for question, (n, agreed) in counts.items():
        rest = [pair for other, pair in counts.items() if other != question]
        n_rest, agreed_rest = sum(p[0] for p in rest), sum(p[1] for p in rest)
        if min(n, n_rest) < _FEWEST_CELLS:
            continue
        share, share_rest = agreed / n, agreed_rest / n_rest
        if share_rest - share >= _GAP and _p_lower(n, agreed, n_rest, agreed_rest) < _P:
            found[question] = (
                f"coders agreed on “{question}” in {percentage(share)} of {n} items, on the other "
                f"questions in {percentage(share_rest)}"
            )
    return found


def _p_lower(n: int, agreed: int, n_rest: int, agreed_rest: int) -> float:
    """One-sided p-value of two shares being equal (normal approximation, pooled)."""
    pooled = (agreed + agreed_rest) / (n + n_rest)
    error = math.sqrt(pooled * (1 - pooled) * (1 / n + 1 / n_rest))
    if error == 0:
        return 1.0
    return 0.5 * math.erfc((agreed_rest / n_rest - agreed / n) / error / math.sqrt(2))


def _remarks(sight: Sight, epoch: Epoch, question: str, source: Source) -> int:
    """How many answers name a source of ambiguity."""
    return sum(
        note.source == source.value and not sight.hides(item, question)
        for notes in epoch.notes.get(question, {}).values()
        for item, note in notes.items()
    )


def _concept(
    sight: Sight, epoch: Epoch, case: Case, one_way: Direction | None
) -> list[LikelyCause]:
    """Concepts of the question that are unclear, or that one coder takes more widely."""
    found = []
    for name, versions in epoch.concepts.items():
        uses = [q for q in versions[-1].questions if not sight.hides_some(q)]
        if case.question not in uses:
            continue
        signs = []
        said = sum(_remarks(sight, epoch, question, Source.CONCEPT) for question in uses)
        if said >= _SAID:
            signs.append(f"{counted(said, 'answer')} were “ambiguous: {Source.CONCEPT}”")
        if one_way is not None:
            signs.append(f"coders may draw its limits differently: {one_way}")
        also = [
            other.number
            for other in cases_about(epoch, case.item)
            if other.question in uses and other is not case
        ]
        if also:
            those = listing(also)
            use = (
                f"cases {those} about the same item use"
                if len(also) > 1
                else f"case {those} about the same item uses"
            )
            signs.append(f"{use} it as well")
        if signs:
            because = f"the concept “{name}”: {'; '.join(signs)}"
            found.append(LikelyCause(case.number, Cause.B, because, concept=name))
    return found


# ------------------------------------------------------------------ for tests of blindness


@shown("likely_causes")
def _all_causes(state: State, person: str, records: list[Record]) -> list[LikelyCause]:
    return likely_causes(state, person, list(state.epoch.cases))
