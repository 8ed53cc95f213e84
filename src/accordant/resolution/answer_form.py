"""Whether an answer is one that the guidelines allow, and in the form in which it is compared."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Protocol, TypeAlias

from ..errors import InputError, RequestError, unknown
from ..kinds import Typed
from .command import Unmet, require
from .sentences import counted, listing
from .state import State
from .terms import AMBIGUOUS, NOT_APPLICABLE, Answer, Answering, Guidelines, Note, Question
from .wording import all_known

Given = Answer | str | Sequence[str]
""""ambiguous" and "not applicable" unless they are labels."""
OneAnswer: TypeAlias = Annotated[Given, Typed("ANSWER", text=True)]
SPAN = re.compile(r"\s*(\d+)\s*[-–:]\s*(\d+)\s*:\s*(.+)", re.DOTALL)
SPECIAL = {"ambiguous": AMBIGUOUS, "not applicable": NOT_APPLICABLE, "n/a": NOT_APPLICABLE}
NONE = "none"


class AnswerForm(Protocol):
    """What matters of a question for how its answer is written."""

    @property
    def id(self) -> str:
        """Its id."""

    @property
    def answering(self) -> Answering:
        """One label, several, or spans."""


def written_answer(text: str, question: AnswerForm, options: Sequence[str]) -> Answer:
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
    >>> q = Question("q", "?")
    >>> written_answer(" yes ", q, ["yes", "no"]), written_answer("n/a", q, ["yes", "no"]).special
    (Answer(labels=('yes',), special=''), 'not applicable')
    >>> several = Question("q", "?", answering=Answering.SEVERAL)
    >>> written_answer("b; a", several, ["a", "b"]).labels
    ('a', 'b')
    """
    word = text.strip()
    if word in options and question.answering is not Answering.SPANS:
        return Answer((word,))
    if word.casefold() in SPECIAL and word.casefold() not in map(str.casefold, options):
        return SPECIAL[word.casefold()]
    parts = [part for part in re.split(r"\s*;\s*", word) if part]
    if question.answering is Answering.ONE:
        if len(parts) > 1 and all(part in options for part in parts):
            raise RequestError(f"{word!r} are {len(parts)} labels: this question takes one")
        return Answer((_label(word, question, options),))
    if word.casefold() == NONE and NONE not in map(str.casefold, options):
        return Answer()
    if question.answering is Answering.SPANS:
        return _spans(parts, options)
    return Answer(tuple(sorted({_label(part, question, options) for part in parts})))


def answer_and_note(text: str, question: AnswerForm, options: Sequence[str]) -> tuple[Answer, Note]:
    """An answer in one cell, with the source or the reason behind it: "ambiguous: unclear word".

    Raises
    ------
    RequestError
        If it is no label, with those that come near.

    Examples
    --------
    >>> answer, note = answer_and_note("ambiguous: missing context", Question("q", "?"), ["yes"])
    >>> str(answer), note.source
    ('ambiguous', 'missing context')
    """
    word, _, more = text.partition(":")
    if word.strip().casefold() not in SPECIAL or text.strip() in options:
        word, more = text, ""
    found, more = written_answer(word.strip(), question, options), more.strip()
    return found, Note(source=more) if found == AMBIGUOUS else Note(reason=more)


def _label(word: str, question: AnswerForm, options: Sequence[str]) -> str:
    """The label; its case does not matter where only one fits, nor how a minus sign looks."""
    same = [label for label in options if label.casefold() == word.casefold()]
    near = (word, word.replace("−", "-"), *(same if len(same) == 1 else ()))
    for found in near:
        if found in options:
            return str(found)
    raise unknown("label", word, options, f"question {question.id!r} has")


def answer_of(guidelines: Guidelines, question: Question, given: Given) -> Answer:
    """What a coder gives, as it is compared: labels of a set sorted, each once.

    Parameters
    ----------
    guidelines : Guidelines
    question : Question
    given : Answer, str or sequence of str

    Raises
    ------
    RequestError
        If it is not among the options, or of another form than the question asks for.

    Examples
    --------
    >>> rules = Guidelines("1.0.0", {"1": ("no", "yes")})
    >>> str(answer_of(rules, Question("1", "Is there a claim?"), "yes"))
    'yes'
    """
    options = guidelines.options.get(question.id, ())
    if isinstance(given, str):
        given = written_answer(given, question, options)
    if isinstance(given, Answer) and given.special:
        return _special(guidelines, question, given)
    labels = given.labels if isinstance(given, Answer) else tuple(given)
    if question.answering is Answering.SPANS:
        return _spans(labels, options)
    all_known("label", labels, options, f"question {question.id!r} has")
    if question.answering is Answering.ONE and len(labels) != 1:
        raise RequestError(f"question {question.id!r} takes one label, not {len(labels)}")
    return Answer(tuple(sorted(set(labels))))


def _special(guidelines: Guidelines, question: Question, given: Answer) -> Answer:
    if given not in (AMBIGUOUS, NOT_APPLICABLE):
        raise RequestError(
            f"there is no answer {given.special!r}: labels, “ambiguous” or “not applicable”"
        )
    policy = guidelines.ambiguity
    if given == AMBIGUOUS and (policy is None or not policy.allowed):
        why = f" ({policy.reason})" if policy is not None and policy.reason else ""
        raise RequestError(
            f"the guidelines have no answer “ambiguous”{why}: "
            f"question {question.id!r} has {', '.join(guidelines.options.get(question.id, ()))}"
        )
    return given


def _spans(texts: Iterable[str], options: Sequence[str]) -> Answer:
    """Stretches of text in their order, each once."""
    spans = sorted({span_of(text, options) for text in texts})
    return Answer(tuple(f"{start}-{end}:{label}" for start, end, label in spans))


def span_of(text: str, options: Sequence[str]) -> tuple[int, int, str]:
    """Start, end and label of a stretch of text.

    Examples
    --------
    >>> span_of("3-9:claim", ["claim"])
    (3, 9, 'claim')
    """
    found = SPAN.fullmatch(text)
    if found is None:
        raise RequestError(
            f"{text!r} is no stretch of text: START-END:LABEL, such as 0-12:{options[0]}"
        )
    start, end, label = int(found[1]), int(found[2]), found[3].strip()
    all_known("label", [label], options)
    if start >= end:
        raise RequestError(f"{text!r} is empty")
    return start, end, label


def note_missing(
    guidelines: Guidelines,
    found: Sequence[Answer],
    items: Iterable[str],
    notes: Mapping[str, Note],
) -> list[Unmet]:
    """Answers whose note lacks what it must say: the source of an ambiguity, why not applicable.

    Raises
    ------
    RequestError
        If a source is named that the guidelines do not have.
    """
    if not any(answer.special for answer in set(found)):
        return []
    sources = guidelines.ambiguity.sources if guidelines.ambiguity else ()
    no_source, no_reason = [], []
    for item, answer in zip(items, found, strict=True):
        note = notes.get(item, Note())
        if answer == AMBIGUOUS and not note.source.strip():
            no_source.append(item)
        elif answer == AMBIGUOUS and note.source not in sources:
            raise unknown("source of ambiguity", note.source, sources, "the guidelines have")
        elif answer == NOT_APPLICABLE and not note.reason.strip():
            no_reason.append(item)
    unmet = []
    if no_source:
        says = f"{listing(no_source)} ambiguous without a source: {listing(sources)}"
        unmet.append(Unmet("ambiguity_source", says, argument=True))
    if no_reason:
        says = f"{listing(no_reason)} not applicable without a reason"
        unmet.append(Unmet("not_applicable_reason", says, argument=True))
    return unmet


def within_texts(
    state: State, question: Question, found: Sequence[Answer], positions: Sequence[int]
) -> None:
    """Complain about stretches that lie outside the text of their item."""
    if question.answering is not Answering.SPANS or not state.items.texts:
        return
    for answer, position in zip(found, positions, strict=True):
        length = len(state.items.texts[position])
        for label in answer.labels:
            start, end, _ = span_of(label, (label.partition(":")[2],))
            if end > length:
                raise InputError(
                    f"item {state.items.ids[position]!r}: {start}-{end} lies outside its text, "
                    f"which has {counted(length, 'character')}"
                )


def checked_answer(
    state: State, question: str, given: Given, note: Note | None, item: str
) -> Answer:
    """One answer about one item under the guidelines in force, with what its note must say.

    Raises
    ------
    RequestError
        If the question or the label is unknown.
    InputError
        If a stretch lies outside the text of the item.
    Refused
        If an ambiguity lacks its source, or "not applicable" its reason.
    """
    epoch = state.epoch
    all_known("question", [question], epoch.questions)
    guidelines = epoch.guidelines[-1]
    found = answer_of(guidelines, epoch.questions[question], given)
    within_texts(state, epoch.questions[question], [found], [state.items.positions[item]])
    require(note_missing(guidelines, [found], [item], {item: note or Note()}))
    return found
