"""Answers as people write them in a cell or on a line, and back."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

from ...errors import RequestError
from ...resolution.records import AMBIGUOUS, NOT_APPLICABLE, Answer
from ...resolution.words import Answering

__all__ = ["answer_of", "answer_text"]

WORDS = {
    "ambiguous": AMBIGUOUS, "not applicable": NOT_APPLICABLE, "n/a": NOT_APPLICABLE,
}  # fmt: skip
NONE = "none"
SPAN = re.compile(r"\s*(\d+)\s*[-–:]\s*(\d+)\s*:\s*(.+)")


class Asked(Protocol):
    """What matters of a question here: how it is answered."""

    @property
    def answering(self) -> Answering:
        """One label, several, or spans."""


def answer_of(text: str, question: Asked, options: Sequence[str]) -> Answer:
    """What a coder wrote; what may be answered goes before words with a meaning of their own.

    Parameters
    ----------
    text : str
        A label; labels with ";" between them; "ambiguous", "n/a", "none" (an empty set).
    question : Question or AskedQuestion
    options : sequence of str
        The labels of the guidelines.

    Raises
    ------
    RequestError
        If it is no label, with those that come near.

    Examples
    --------
    >>> from accordant.resolution.records import Question
    >>> q = Question("q", "?")
    >>> answer_of(" yes ", q, ["yes", "no"]), answer_of("n/a", q, ["yes", "no"]).special
    (Answer(labels=('yes',), special=''), 'not applicable')
    >>> answer_of("b; a", Question("q", "?", answering=Answering.SEVERAL), ["a", "b"]).labels
    ('a', 'b')
    """
    word = text.strip()
    if question.answering is Answering.SPANS:
        return WORDS.get(word.casefold()) or _spans(word, options)
    if word in options:
        return Answer((word,))
    if word.casefold() in WORDS and word.casefold() not in map(str.casefold, options):
        return WORDS[word.casefold()]
    if question.answering is Answering.ONE:
        several = [part.strip() for part in word.split(";")]
        if len(several) > 1 and all(part in options for part in several):
            raise RequestError(f"{word!r} are {len(several)} labels: this question takes one")
        return Answer((_label(word, options),))
    if word.casefold() == NONE and NONE not in map(str.casefold, options):
        return Answer()
    parts = [part for part in re.split(r"\s*;\s*", word) if part]
    return Answer(tuple(sorted({_label(part, options) for part in parts})))


def answer_text(answer: Answer) -> str:
    """An answer as `answer_of` reads it."""
    return str(answer)


def _spans(word: str, options: Sequence[str]) -> Answer:
    if word.casefold() == NONE:
        return Answer()
    found = []
    for part in filter(None, re.split(r"\s*;\s*", word)):
        match = SPAN.fullmatch(part)
        if match is None:
            raise RequestError(
                f"{part!r} is no span: write start-end:label, such as 0-12:{options[0]}"
            )
        found.append((int(match[1]), int(match[2]), _label(match[3].strip(), options)))
    return Answer(tuple(f"{a}-{b}:{label}" for a, b, label in sorted(set(found))))


def _label(word: str, options: Sequence[str]) -> str:
    """The label; its case does not matter where only one fits."""
    if word in options:
        return word
    same = [label for label in options if label.casefold() == word.casefold()]
    minus = word.replace("−", "-")  # a real minus sign, as in print
    if minus in options:
        return minus
    if len(same) == 1:
        return same[0]
    from difflib import get_close_matches

    near = get_close_matches(word, options, 1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    raise RequestError(f"{word!r} may not be answered: the options are {', '.join(options)}{hint}")
