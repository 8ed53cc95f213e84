"""Items whose texts are the same, or nearly so; cases that look alike, to be discussed together.

Similarity of two texts is twice the length of their longest common subsequence, divided by the sum
of their lengths, in percent (the normalised indel similarity of rapidfuzz), after case and white
space are made the same. A text can only be that similar to texts of similar length, so items are
sorted by length and compared in blocks.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import RequestError
from .case_state import Case
from .disagreement import of_each_case
from .records import Answer
from .sentences import counted, listing
from .sight import first_answers, seeing
from .state import Epoch, State

__all__ = [
    "NEARLY_IDENTICAL",
    "SIMILAR",
    "AlikeCases",
    "Progress",
    "SimilarItems",
    "alike",
    "alike_cases",
    "hanging_together",
    "similar_items",
    "similar_to",
]

NEARLY_IDENTICAL = 90.0
"""Percent from which two texts count as nearly identical: one changed word in ten."""
SIMILAR = 70.0
"""Percent from which cases may be put into one group to be looked at together."""
_BLOCK = 256  # texts that are compared with all of similar length at a time
_LETTERS = 32

Progress = Callable[[int, int], object]


@dataclass(frozen=True)
class SimilarItems:
    """Two items with similar texts.

    Parameters
    ----------
    first, second : str
    percent : float
        Similarity, 100 if the texts differ in case and white space at most.
    """

    first: str
    second: str
    percent: float

    def __str__(self) -> str:
        return f"the texts of “{self.first}” and “{self.second}” are {alike(self.percent)}"


def alike(percent: float) -> str:
    """How similar two texts are, in words.

    Examples
    --------
    >>> alike(100)
    'the same'
    """
    return "the same" if percent >= 100 else f"{percent:.0f}\N{NO-BREAK SPACE}% the same"


def similar_items(
    state: State,
    person: str,
    *,
    threshold: float = NEARLY_IDENTICAL,
    progress: Progress | None = None,
) -> list[SimilarItems]:
    r"""Pairs of items whose texts are similar, the most similar first.

    Parameters
    ----------
    state : State
    person : str
        Who asks.
    threshold : float
        Least similarity, in percent, above 0.
    progress : callable, optional
        Called with (done, total) items.

    Raises
    ------
    RequestError
        If the items have no texts, or the threshold is no percentage.

    Examples
    --------
    >>> from accordant.resolution.state import ItemTable
    >>> table = ItemTable(["a", "b", "c"], ["A red fox.", "a  red fox!", "Something else"])
    >>> [str(pair) for pair in similar_items(State(items=table), "")]
    ['the texts of “a” and “b” are 90\xa0% the same']
    """
    seeing(state, person)
    table = state.items
    if not any(table.texts):
        raise RequestError("the items have no texts: similarity is told from texts")
    found = _pairs(table.texts, range(len(table.texts)), _checked(threshold), progress)
    pairs = [SimilarItems(table.ids[i], table.ids[j], percent) for i, j, percent in found if i < j]
    return sorted(pairs, key=lambda pair: -pair.percent)


def similar_to(
    texts: Sequence[str],
    wanted: Sequence[int],
    threshold: float = NEARLY_IDENTICAL,
    progress: Progress | None = None,
) -> dict[int, list[tuple[int, float]]]:
    """For some texts, all others that are similar.

    Parameters
    ----------
    texts : sequence of str
        (I,) texts; empty ones are similar to nothing.
    wanted : sequence of int
        Positions of those to find similar ones of.
    threshold : float
        Least similarity, in percent.
    progress : callable, optional
        Called with (done, total) of the texts asked about.

    Returns
    -------
    dict of int to list of (int, float)
        Position → (position, percent), the most similar first.

    Examples
    --------
    >>> similar_to(["one two", "One  two", "three"], [0])
    {0: [(1, 100.0)]}
    """
    found: dict[int, list[tuple[int, float]]] = {}
    for i, j, percent in _pairs(texts, wanted, _checked(threshold), progress):
        found.setdefault(i, []).append((j, percent))
    return {i: sorted(pairs, key=lambda p: (-p[1], p[0])) for i, pairs in sorted(found.items())}


def hanging_together(texts: Sequence[str], threshold: float) -> list[list[int]]:
    """Texts in parts, each of which hangs together by pairs that are similar enough.

    Part by part: the first text of a part is compared with all that are in none, each further one
    with those that can be near. The distance between two texts is a metric, so what is far from
    the first of a part is far from what is near to it; and their letters, counted, differ by no
    more than the texts do.

    Parameters
    ----------
    texts : sequence of str
        (I,) texts; empty ones are similar to nothing.
    threshold : float
        Least similarity, in percent.

    Returns
    -------
    list of list of int
        Positions, increasing; every text is in one part.

    Examples
    --------
    >>> hanging_together(["one two", "three", "One  two", ""], 70)
    [[0, 2], [1], [3]]
    """
    same = _same(texts)
    distinct, places = [*same], [*same.values()]
    letters = _letters(distinct)
    lengths = np.array([len(text) for text in distinct], float)
    most, left = 1 - _checked(threshold) / 100, np.arange(len(distinct))
    their_letters, their_lengths = letters, lengths  # of those that are left
    parts = [[place] for place, text in enumerate(texts) if not _plain(text)]
    while len(left):
        first, left = left[0], left[1:]
        their_letters, their_lengths = their_letters[1:], their_lengths[1:]
        found, from_first = [(first, 0.0)], np.zeros(len(left))
        for k, own in found:  # grows while it is read
            size = lengths[k] + their_lengths
            room = most * size + 1e-6
            if k == first:
                from_first = _apart(letters[k], their_letters)
                where = np.flatnonzero(from_first <= room)
            else:
                where = np.flatnonzero(from_first - own <= room)
                where = where[_apart(letters[k], their_letters[where]) <= room[where]]
            apart = _distances(distinct, k, left[where])
            if k == first:
                from_first[where] = apart
            where = where[1 - apart / size[where] >= threshold / 100]
            if len(where):
                found += zip(left[where].tolist(), from_first[where].tolist(), strict=True)
                left, from_first = np.delete(left, where), np.delete(from_first, where)
                their_letters = np.delete(their_letters, where, 0)
                their_lengths = np.delete(their_lengths, where)
        parts.append(sorted(place for k, _ in found for place in places[k]))
    return sorted(parts)


def _apart(letters: NDArray[np.float64], of_others: NDArray[np.float64]) -> NDArray[np.float64]:
    """(others,) by how many letters, counted (32,), a text differs from others (others, 32)."""
    from scipy.spatial.distance import cdist

    found: NDArray[np.float64] = cdist(letters[None], of_others, "cityblock")[0]
    return found


def _distances(texts: Sequence[str], k: int, others: NDArray[np.intp]) -> NDArray[np.float64]:
    """How many characters must be put in or left out to come from one text to others."""
    from rapidfuzz import process
    from rapidfuzz.distance import Indel

    if not len(others):
        return np.zeros(0)
    wanted = [texts[other] for other in others]
    apart: NDArray[np.int32] = process.cdist(
        [texts[k]], wanted, scorer=Indel.distance, dtype=np.int32
    )[0]
    return apart.astype(np.float64)


def _same(texts: Sequence[str]) -> dict[str, list[int]]:
    """Where each distinct text stands; empty ones are left out."""
    same: dict[str, list[int]] = {}
    for position, text in enumerate(texts):
        if plain := _plain(text):
            same.setdefault(plain, []).append(position)
    return same


def _checked(threshold: float) -> float:
    if not 0 < threshold <= 100:
        raise RequestError(f"threshold={threshold!r}: a percentage above 0, at most 100")
    return threshold


def _plain(text: str) -> str:
    """Text without what does not count: case, white space, ways to write one character."""
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())


def _pairs(
    texts: Sequence[str], wanted: Sequence[int], threshold: float, progress: Progress | None
) -> list[tuple[int, int, float]]:
    """(i of wanted, j, percent) for all pairs that reach the threshold."""
    same = _same(texts)
    distinct = sorted(same, key=len)
    needed = set(wanted)
    asked = [k for k, text in enumerate(distinct) if not needed.isdisjoint(same[text])]
    places = [same[text] for text in distinct]
    found = [(i, j, 100.0) for k in asked for i in places[k] for j in places[k] if i != j]
    for k, other, percent in _alike(distinct, asked, threshold, progress):
        found += [(i, j, percent) for i in places[k] for j in places[other]]
        found += [(j, i, percent) for i in places[k] for j in places[other]]
    return [pair for pair in found if pair[0] in needed]


def _alike(
    texts: list[str], asked: list[int], threshold: float, progress: Progress | None
) -> Iterator[tuple[int, int, float]]:
    """(k of asked, other, percent) for distinct texts sorted by length, each pair once.

    The letters of two texts, counted, differ by no more than the texts do, and counting is much
    faster than comparing: so only texts that have about the same letters are compared.
    """
    from rapidfuzz import fuzz, process
    from scipy.spatial.distance import cdist

    letters, lengths = _letters(texts), np.array([len(text) for text in texts])
    is_asked = np.zeros(len(texts), bool)
    is_asked[asked] = True
    reach, room = (200 - threshold) / threshold, 1 - threshold / 100
    for start in range(0, len(asked), _BLOCK):
        block = np.array(asked[start : start + _BLOCK])
        low = int(np.searchsorted(lengths, lengths[block[0]] / reach - 1e-9))
        high = int(np.searchsorted(lengths, lengths[block[-1]] * reach + 1e-9, "right"))
        low = max(low, int(block[0])) if len(asked) == len(texts) else low
        apart = cdist(letters[block], letters[low:high], "cityblock")
        most = room * (lengths[block][:, None] + lengths[None, low:high]) + 1e-6
        row, column = np.nonzero(apart <= most)
        k, other = block[row], low + column
        once = (k != other) & ~(is_asked[other] & (other < k))
        k, other = k[once], other[once]
        if len(k):
            scores = process.cpdist(
                [texts[i] for i in k],
                [texts[i] for i in other],
                scorer=fuzz.ratio,
                score_cutoff=threshold,
                dtype=np.float32,
            )
            alike = np.flatnonzero(scores)
            percents = np.round(scores[alike].astype(float), 1).tolist()
            yield from zip(k[alike].tolist(), other[alike].tolist(), percents, strict=True)
        if progress is not None:
            progress(min(start + _BLOCK, len(asked)), len(asked))


def _letters(texts: list[str]) -> NDArray[np.float64]:
    """(texts, 32) how often each of the most frequent characters occurs, the others together."""
    often = [letter for letter, _ in Counter("".join(texts)).most_common(_LETTERS - 1)]
    counts = np.zeros((len(texts), _LETTERS))
    for place, letter in enumerate(often):
        counts[:, place] = [text.count(letter) for text in texts]
    counts[:, -1] = [len(text) for text in texts] - counts.sum(1)
    return counts


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
    patterns = of_each_case(state, "first answers", lambda case: _pattern(epoch, case)).said
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
