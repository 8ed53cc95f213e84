"""What one coder has to annotate in the open round, and what of a round may be read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from .progress import asked_items, done_by, is_asked, left_of
from .round_result import in_scope
from .sight import Sight, number_of_answers, seeing
from .state import Round, State
from .terms import AmbiguityPolicy, Answer, Answering, AskedIf, Note, Question, Rule
from .wording import all_known


@dataclass(frozen=True)
class AskedQuestion:
    """A question as a coder needs it: its text, what may be answered, the rules that bear on it."""

    id: str
    text: str
    group: str
    answering: Answering
    asked_if: AskedIf | None
    options: tuple[str, ...]
    rules: tuple[Rule, ...]


@dataclass(frozen=True)
class WorkItem:
    """An item to annotate, with one's own answers of this round.

    ``asks`` are the questions that are asked about it, given one's own answers so far; ``todo``
    those without an answer; ``declined`` has question → reason.
    """

    id: str
    text: str
    context: str
    asks: tuple[str, ...]
    answers: Mapping[str, Answer]
    declined: Mapping[str, str]
    todo: tuple[str, ...]


@dataclass(frozen=True)
class Work:
    """What somebody has to do in the open round.

    Parameters
    ----------
    person : str
    round : int
        0 if no round is open, or it does not ask this person.
    questions : tuple of AskedQuestion
    ambiguity : AmbiguityPolicy or None
        Whether "ambiguous" may be answered, and which source must be named.
    items : tuple of WorkItem
    n_asked, n_answered : int
        Answers that are asked for, and those that were given or declined.
    submitted : mapping of str to int
        Coder → how many answers to the questions that are asked of everybody.
    done : bool
        Whether the person has said that they are done, where the round asks for that.
    """

    person: str
    round: int = 0
    questions: tuple[AskedQuestion, ...] = ()
    ambiguity: AmbiguityPolicy | None = None
    items: tuple[WorkItem, ...] = ()
    n_asked: int = 0
    n_answered: int = 0
    submitted: Mapping[str, int] = field(default_factory=dict)
    done: bool = False

    @property
    def n_left(self) -> int:
        """Answers that are still asked for. Further ones may depend on them."""
        return self.n_asked - self.n_answered


def my_work(state: State, person: str, *, todo: bool = False, most: int | None = None) -> Work:
    """What somebody has to annotate, with their own answers of the open round and nobody else's.

    Parameters
    ----------
    state : State
    person : str
    todo : bool
        Only items with a question that has no answer yet.
    most : int, optional
        At most so many items; the counts are of all.

    Examples
    --------
    >>> my_work(State(), "").n_left
    0
    """
    sight = seeing(state, person)
    open_round = sight.round
    if open_round is None or person not in open_round.coders:
        return Work(person)
    guidelines = state.epoch.guidelines[-1] if state.epoch.guidelines else None
    left = {q: left_of(state, open_round, person, q) for q in open_round.questions}
    n_asked = sum(len(asked_items(state, open_round, person, q)) for q in open_round.questions)
    n_left = sum(map(len, left.values()))
    wanted: Iterable[int] = in_scope(state, open_round, person)
    if todo:
        wanted = sorted({item for items in left.values() for item in items})
    return Work(
        person,
        open_round.number,
        tuple(_asked(state.epoch.questions[q], state) for q in open_round.questions),
        guidelines.ambiguity if guidelines else None,
        tuple(_item(sight, open_round, position) for position in islice(wanted, most)),
        n_asked,
        n_asked - n_left,
        number_of_answers(state, open_round.coders, open_round),
        done_by(state, open_round, person),
    )


def _asked(question: Question, state: State) -> AskedQuestion:
    guidelines = state.epoch.guidelines[-1] if state.epoch.guidelines else None
    rules = guidelines.rules if guidelines else ()
    return AskedQuestion(
        question.id,
        question.text,
        question.group,
        question.answering,
        question.asked_if,
        guidelines.options.get(question.id, ()) if guidelines else (),
        tuple(r for r in rules if not r.questions or question.id in r.questions),
    )


def _item(sight: Sight, some: Round, position: int) -> WorkItem:
    state, table, person = sight.state, sight.state.items, sight.person
    seen = {q: sight.answer(state.epoch, position, q, person) for q in some.questions}
    answers = {q: answer for q, answer in seen.items() if answer is not None}
    refused = {q: some.declined.get(q, {}).get(person, {}) for q in some.questions}
    declined = {q: why[position] for q, why in refused.items() if position in why}
    asks = tuple(q for q in some.questions if is_asked(state, some, person, position, q))
    return WorkItem(
        table.ids[position],
        table.texts[position] if table.texts else "",
        table.contexts[position] if table.contexts else "",
        asks,
        answers,
        declined,
        tuple(q for q in asks if q not in answers and q not in declined),
    )


@dataclass(frozen=True)
class SheetRow:
    """One annotation, or one that was declined, as it was submitted in a round."""

    item: str
    question: str
    coder: str
    answer: Answer | None  # None: declined
    declined: str = ""
    note: Note | None = None

    def row(self) -> dict[str, Any]:
        """The line as plain values, for tables and files."""
        note = self.note or Note()
        return {
            "item": self.item,
            "question": self.question,
            "coder": self.coder,
            "answer": "" if self.answer is None else str(self.answer),
            "comment": note.comment,
            "source": note.source,
            "reason": note.reason or self.declined,
        }


def round_sheet(state: State, round: int, person: str) -> Iterator[SheetRow]:
    """The annotations of a round of the current epoch, as submitted.

    Of an open round only one's own; and of any cell that is being annotated again, nothing of
    earlier rounds, one's own included.

    Raises
    ------
    RequestError
        If there is no such round or person.
    """
    sight = seeing(state, person)
    numbers = {r.number: r for r in state.epoch.rounds}
    all_known("round", [round], numbers)
    return _sheet(sight, numbers[round])


def _sheet(sight: Sight, of: Round) -> Iterator[SheetRow]:
    epoch, ids = sight.state.epoch, sight.state.items.ids
    own = of is sight.round
    later = [r for r in epoch.rounds if r.number > of.number]  # they have the notes of their cells
    for question in of.questions:
        given, declined = of.sheet.get(question, {}), of.declined.get(question, {})
        notes = epoch.notes.get(question, {})
        for coder in dict.fromkeys([*given, *declined]):
            if own and coder != sight.person:
                continue
            for item, code in sorted(given.get(coder, {}).items()):
                if own or not sight.hides(item, question):
                    again = any(item in r.sheet.get(question, {}).get(coder, {}) for r in later)
                    note = None if again else notes.get(coder, {}).get(item)
                    yield SheetRow(ids[item], question, coder, epoch.answers[code], note=note)
            for item, why in sorted(declined.get(coder, {}).items()):
                if own or not sight.hides(item, question):
                    yield SheetRow(ids[item], question, coder, None, why)
