"""What may have caused a disagreement, with the evidence. Nobody but the coders decides it.

The signs are those that the procedure names (Oortwijn et al. 2021, section 3, step 5):

- c: one coder answered items with the same or nearly the same text differently;
- e: a coder answered otherwise than about items with nearly the same text, or about several with
  similar ones, on which all agree, or far more quickly than usual. Who stands alone is not mistaken
  for that: the majority is no evidence;
- a2: the question is agreed on much less often than the others, coders wrote that the guidelines
  do not say, or a statistic that is handed in points to the question;
- b: the question uses a key concept that coders found unclear, or they differ in one direction.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from .case_state import Case
from .directions import Direction, directions
from .disagreement import cases_about, held, the_case, unanimous
from .editorial import meaning_terms
from .records import Answer, Note
from .sentences import counted, listing, percentage
from .sight import Sight, first_answers, seeing
from .similar_texts import NEARLY_IDENTICAL, Progress, alike, similar_to
from .state import Epoch, State
from .words import Cause, CellState, Source

__all__ = ["LikelyCause", "likely_causes"]

_GAP = 0.1  # how much less often a question must be agreed on than the others
_P = 0.01  # how improbable that must be by chance
_FEWEST_CELLS = 10
_SAID = 2  # coders' remarks of one kind that make a sign
_NEIGHBOUR = 85.0  # percent from which texts are neighbours: three changed words in twenty
_NEIGHBOURS = 3  # on which all agree, that make an item an easy one
_TIMED = 20  # answers of a coder whose time is known, from which there is a usual one
_QUICK = 4  # how many times as quick as the median …
_RARELY = 0.05  # … and how rarely
_NOTHING = "nothing that the data show"


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
    against : str
        What the data show that speaks against it.
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
    against: str = _NOTHING


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
    near_to = similar_to(texts, asked, min(threshold, _NEIGHBOUR), progress) if any(texts) else {}
    ways = directions(state, person)
    unclear = _unclear(sight, epoch, levers or {})
    alone = {question: _one_alone(sight, epoch, question) for question in unclear}
    times = _Times(sight, epoch)
    found: list[LikelyCause] = []
    for case in wanted:
        around = near_to.get(case.item, [])
        near = [pair for pair in around if pair[1] >= threshold]
        of_question = [d for d in ways if d.about == f"question '{case.question}'"]
        here = _Here(sight, case, around, near, of_question)
        found += here.inconsistent()
        found += here.mistaken(times)
        found += [
            LikelyCause(case.number, Cause.A2, because, against=alone[case.question])
            for because in unclear.get(case.question, [])
        ]
        found += here.concepts()
    return found


Pairs = list[tuple[int, float]]
"""Items with similar texts: position, and how similar in percent; the most similar first."""
Said = list[tuple[int, float, Answer]]
"""The same, with an answer about each."""


@dataclass(frozen=True)
class _Here:
    """A case, and what bears on it as far as it may be seen."""

    sight: Sight
    case: Case
    around: Pairs
    near: Pairs  # of these, texts that are nearly the same
    ways: Sequence[Direction]  # in which coders differ on the question

    @property
    def epoch(self) -> Epoch:
        return self.sight.state.epoch

    @property
    def ids(self) -> list[str]:
        return self.sight.state.items.ids

    def _likely(
        self, cause: Cause, because: str, coder: str, *against: str, items: Sequence[int] = ()
    ) -> LikelyCause:
        told, named = "; ".join(filter(None, against)), tuple(self.ids[i] for i in items)
        return LikelyCause(self.case.number, cause, because, coder, named, against=told or _NOTHING)

    def inconsistent(self) -> Iterator[LikelyCause]:
        """Coders who gave nearly the same text another answer."""
        for coder, answer in first_answers(self.epoch, self.case).items():
            said = self._said(coder, self.near)
            labels = [(i, p, a) for i, p, a in said if not (a.special or answer.special)]
            others = [(i, p, a) for i, p, a in labels if a != answer]
            if others:
                item, similar, other = others[0]
                rest = len(others) - 1
                more = f", and not “{answer}” about {rest} more" if rest else ""
                because = (
                    f"{coder} answered “{answer}” here and “{other}” about “{self.ids[item]}”, "
                    f"whose text is {alike(similar)}{more}"
                )
                yield self._likely(
                    Cause.C,
                    because,
                    coder,
                    _as_here(coder, answer, said),
                    self._words_between(item),
                    self._one_way(coder, answer),
                    items=[i for i, _, _ in others],
                )

    def mistaken(self, times: _Times) -> Iterator[LikelyCause]:
        """Coders whose answer is not what they say elsewhere, or who were far quicker."""
        answers = first_answers(self.epoch, self.case)
        for coder, answer in answers.items():
            others = {a for c, a in answers.items() if c != coder and a != answer}
            signs = []
            for pairs, fewest in ((self.near, 1), (self.around, _NEIGHBOURS)):
                agreed = self._all_agree(coder, pairs)
                said = {a for _, _, a in agreed}
                if len(agreed) == len(pairs) >= fewest and len(said) == 1 and said <= others:
                    item, percent, other = agreed[0]
                    texts = (
                        f"“{self.ids[item]}”, whose text is {alike(percent)}"
                        if len(agreed) == 1
                        else f"{counted(len(agreed), 'item')} with similar texts"
                    )
                    signs.append(
                        f"{coder} answered “{answer}”; all agree on “{other}” about {texts}"
                    )
                    break
            if quick := times.quick(coder, self.case):
                signs.append(f"{coder} answered “{answer}” {quick}")
            if signs:
                yield self._likely(
                    Cause.E,
                    "; ".join(signs),
                    coder,
                    self._own_words(coder),
                    _not_alone(coder, answer, answers),
                    _as_here(coder, answer, self._said(coder, self.around)),
                    self._words_between(self.near[0][0]) if self.near else "",
                    self._one_way(coder, answer),
                )

    def concepts(self) -> Iterator[LikelyCause]:
        """Concepts of the question that are unclear, or that one coder takes more widely."""
        one_way = next((d for d in reversed(self.ways) if d.one_sided), None)
        both = next((d for d in self.ways if not d.one_sided), None) if one_way is None else None
        for name, versions in self.epoch.concepts.items():
            uses = [q for q in versions[-1].questions if not self.sight.hides_some(q)]
            if self.case.question not in uses:
                continue
            signs = []
            said = sum(_remarks(self.sight, self.epoch, q, Source.CONCEPT) for q in uses)
            if said >= _SAID:
                signs.append(f"{counted(said, 'answer')} were “ambiguous: {Source.CONCEPT}”")
            if one_way is not None:
                signs.append(f"coders may draw its limits differently: {one_way}")
            same_item = cases_about(self.epoch, self.case.item)
            also = [c.number for c in same_item if c.question in uses and c is not self.case]
            if also:
                about = f"{listing(also)} about the same item"
                use = f"cases {about} use" if len(also) > 1 else f"case {about} uses"
                signs.append(f"{use} it as well")
            if signs:
                because = f"the concept “{name}”: {'; '.join(signs)}"
                against = f"differences go both ways: {both}" if both else _NOTHING
                number = self.case.number
                yield LikelyCause(number, Cause.B, because, concept=name, against=against)

    def _said(self, coder: str, pairs: Pairs) -> Said:
        """What a coder answers about items with similar texts."""
        epoch, question = self.epoch, self.case.question
        said = ((i, p, self.sight.answer(epoch, i, question, coder)) for i, p in pairs)
        return [(i, p, answer) for i, p, answer in said if answer is not None]

    def _all_agree(self, coder: str, pairs: Pairs) -> Said:
        """Of items with similar texts those on which all coders agree, this one among them."""
        found, question = [], self.case.question
        for item, percent in pairs:
            if not self.sight.hides(item, question) and coder in held(self.epoch, item, question):
                answer = unanimous(self.epoch, item, question)
                if answer is not None and not answer.special:
                    found.append((item, percent, answer))
        return found

    # -------------------------------------------------------------- what speaks against it

    def _own_words(self, coder: str) -> str:
        """A reason, comment or certainty of the coder: who slips has none."""
        found, case = [], self.case
        reason = case.reasons.get(coder)
        if reason is not None and self.sight.sees_reason(case, coder):
            cites = f" that cites {listing(reason.cites)}" if reason.cites else ""
            found.append(f"{coder} gave a reason{cites}")
        note = self.epoch.notes.get(case.question, {}).get(coder, {}).get(case.item, Note())
        if note.comment:
            found.append(f"{coder} commented on the answer")
        if note.confidence is not None:
            found.append(f"{coder} was {percentage(note.confidence)} sure")
        return "; ".join(found)

    def _words_between(self, item: int) -> str:
        """Words on which meaning hangs and that only one of two texts has."""
        texts = self.sight.state.items.texts
        terms = meaning_terms(texts[self.case.item], texts[item])
        return f"“{self.ids[item]}” differs in {listing(f'“{t}”' for t in terms)}" if terms else ""

    def _one_way(self, coder: str, answer: Answer) -> str:
        """Differences that all go the same way are what another threshold looks like, not slips."""
        for way in self.ways:
            own = way.label if coder == way.coder else way.other_label
            if way.one_sided and coder in (way.coder, way.other) and answer == own:
                return f"it may be a line drawn elsewhere: {way}"
        return ""


def _not_alone(coder: str, answer: Answer, answers: Mapping[str, Answer]) -> str:
    same = [other for other, said in answers.items() if other != coder and said == answer]
    return f"{listing(same)} answered “{answer}” too" if same else ""


def _as_here(coder: str, answer: Answer, said: Said) -> str:
    same = sum(other == answer for _, _, other in said)
    items = counted(same, "item with a similar text", "items with similar texts")
    return f"{coder} answered “{answer}” about {items} too" if same else ""


class _Times:
    """How long coders took for their answers, as far as that is known and may be seen."""

    def __init__(self, sight: Sight, epoch: Epoch) -> None:
        self.sight, self.epoch = sight, epoch
        self.kept: dict[tuple[str, str], list[float]] = {}

    def of(self, coder: str, question: str) -> list[float]:
        """Seconds of each timed answer of a coder to a question, sorted."""
        if (coder, question) not in self.kept:
            notes = self.epoch.notes.get(question, {}).get(coder, {})
            self.kept[coder, question] = sorted(
                note.seconds
                for item, note in notes.items()
                if note.seconds is not None and not self.sight.hides(item, question)
            )
        return self.kept[coder, question]

    def quick(self, coder: str, case: Case) -> str:
        """That an answer was given far more quickly than usual, in words; empty if it was not."""
        note = self.epoch.notes.get(case.question, {}).get(coder, {}).get(case.item)
        every = self.of(coder, case.question)
        if note is None or note.seconds is None or len(every) < _TIMED:
            return ""
        usual = median(every)
        as_quick = bisect_right(every, note.seconds)
        if note.seconds * _QUICK > usual or as_quick > _RARELY * len(every):
            return ""
        return f"in {note.seconds:.1f} s, their median being {usual:.1f} s ({len(every):,} answers)"


def _one_alone(sight: Sight, epoch: Epoch, question: str) -> str:
    """That one coder stands alone in most cases on a question: then not only its guidelines."""
    alone: Counter[str] = Counter()
    n = 0
    for case in epoch.cases.values():
        answers = first_answers(epoch, case)
        if case.question != question or sight.hides_case(case) or len(answers) < 3:
            continue
        n += 1
        times = Counter(answers.values())
        lone = [coder for coder, answer in answers.items() if times[answer] == 1]
        alone.update(lone if len(lone) == 1 else [])
    [(coder, most)] = alone.most_common(1) or [("", 0)]
    if 2 * most <= n:
        return _NOTHING
    return f"in {most} of {counted(n, 'case')} on “{question}” {coder} differs alone"


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
