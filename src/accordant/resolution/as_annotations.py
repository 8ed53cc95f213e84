"""The annotations of a project as data, for every statistic that takes annotations from a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..data.annotations import NO_VALUE, Annotations, Columns, Reading, Status
from ..errors import RequestError
from ..scheme import Label, Scheme, Value
from .command import Unmet, require
from .round_result import labels_that_ask
from .sight import Sight, seeing
from .state import NONE, Round, State
from .terms import AMBIGUOUS, NOT_APPLICABLE, Answer, Answering, Question
from .wording import all_known

Codes = NDArray[np.int64]


def to_annotations(
    state: State, *, round: int | None = None, person: str = "", notes: Sequence[str] = ()
) -> Annotations:
    """The annotations as data for `accordant.agreement` and everything else.

    Parameters
    ----------
    state : State
    round : int, optional
        As submitted in this round of the current epoch; by default the annotations that count now,
        with what coders rescored.
    person : str
        Who asks; by default the public. Cells of an open round are left out for everybody.
    notes : sequence of str
        Sentences for ``reading.notes``, such as `exports.status_lines`.

    Returns
    -------
    Annotations
        "Ambiguous" is a category of its own; what was declined has the status skipped, what does
        not apply the status not applicable. Categories that are whole numbers are numbers.

    Raises
    ------
    Refused
        If the round is open, or all that was asked for is being annotated again.
    RequestError
        If there is no such round, or nothing has been compared yet.
    """
    sight = seeing(state, person)
    some = None if round is None else _the_round(state, round)
    asked = state.epoch.current if some is None else some.questions
    if sight.round is not None and (some is sight.round or _hidden(sight, asked)):
        require([Unmet("blind", f"round {sight.round.number} is open")], "exporting annotations")
    questions = [q for q in state.epoch.questions.values() if q.id in asked]
    if not questions:
        raise RequestError("the project has no annotations: no round has closed")
    return _data(sight, some, questions, notes)


def _the_round(state: State, wanted: int) -> Round:
    numbers = {r.number: r for r in state.epoch.rounds}
    all_known("round", [wanted], numbers)
    return numbers[wanted]


def _hidden(sight: Sight, questions: Iterable[str]) -> bool:
    """Whether all cells of some questions are being annotated now."""
    return sight.items is None and all(sight.hides_some(question) for question in questions)


def _data(
    sight: Sight, some: Round | None, questions: list[Question], notes: Sequence[str]
) -> Annotations:
    state, epoch = sight.state, sight.state.epoch
    coders = tuple(
        dict.fromkeys(c for q in questions for c in epoch.current.get(q.id, {}))
        if some is None
        else some.coders
    )
    columns = {(q.id, c): _column(sight, some, q, c) for q in questions for c in coders}
    schemes, places = [], {}
    values: dict[Value, int] = {}
    for question in questions:
        mine = np.concatenate([columns[question.id, c] for c in coders] or [np.empty(0, np.int64)])
        used = [epoch.answers[code] for code in np.unique(mine[mine >= 0]).tolist()]
        scheme, valued = _scheme(state, question, used)
        schemes.append(scheme)
        here = sorted((v for v in map(valued, used) if v is not None), key=str)
        for value in [*(scheme.categories if scheme.max_labels == 1 else ()), *here]:
            values.setdefault(value, len(values))
        places[question.id] = _places(epoch.answers, used, valued, values)
    rows = [
        _rows(
            columns[question.id, coder],
            *places[question.id],
            _declined(sight, some, question, coder),
            q,
            c,
        )
        for q, question in enumerate(questions)
        for c, coder in enumerate(coders)
    ]
    layout = Columns(*(np.concatenate(parts) for parts in zip(*rows, strict=True)))
    table = state.items
    withheld = (sight.until,) if any(sight.hides_some(q.id) for q in questions) else ()
    return Annotations(
        tuple(table.ids),
        coders,
        tuple(q.id for q in questions),
        tuple(schemes),
        tuple(values),
        layout,
        texts=tuple(table.texts) if table.texts else None,
        metadata={name: tuple(column) for name, column in table.metadata.items()},
        reading=Reading(f"project {state.title}", "project", notes=(*notes, *withheld)),
    )


def _column(sight: Sight, some: Round | None, question: Question, coder: str) -> Codes:
    """(I,) one code for each item; `NONE` where there is none, or it may not be seen."""
    epoch = sight.state.epoch
    if some is None:
        codes = np.array(sight.column(epoch, question.id, coder), np.int64)
        if coder == sight.person and sight.round is not None:  # one's own of the open round too
            codes[_covered(sight, question.id)] = NONE
    else:
        codes = _of_sheet(sight, some, question.id, coder)
        codes[_covered(sight, question.id)] = NONE
    parent = question.asked_if
    if parent is not None and (some is None or parent.question in some.questions):
        above = (
            np.array(sight.column(epoch, parent.question, coder), np.int64)
            if some is None
            else _of_sheet(sight, some, parent.question, coder)
        )
        asking = np.array(sorted(labels_that_ask(epoch, question)), np.int64)
        codes[~np.isin(above, asking)] = NONE
    return codes


def _of_sheet(sight: Sight, some: Round, question: str, coder: str) -> Codes:
    sheet = some.sheet.get(question, {}).get(coder, {})
    codes = np.full(len(sight.state.items.ids), NONE, np.int64)
    codes[np.fromiter(sheet.keys(), np.int64, len(sheet))] = np.fromiter(
        sheet.values(), np.int64, len(sheet)
    )
    return codes


def _covered(sight: Sight, question: str) -> Any:
    """Where a question is being annotated now, as an index of items."""
    if not sight.hides_some(question):
        return slice(0, 0)
    return slice(None) if sight.items is None else sorted(sight.items)


def _declined(sight: Sight, some: Round | None, question: Question, coder: str) -> Codes:
    """Positions of the items that a coder declined in a round."""
    given = {} if some is None else some.declined.get(question.id, {}).get(coder, {})
    return np.array([i for i in sorted(given) if not sight.hides(i, question.id)], np.int64)


Valued = Callable[[Answer], Value | None]


def _scheme(state: State, question: Question, used: list[Answer]) -> tuple[Scheme, Valued]:
    """The scheme of a question, and what an answer is in it (None: no value)."""
    guidelines = state.epoch.guidelines[-1] if state.epoch.guidelines else None
    options = list(guidelines.options.get(question.id, ())) if guidelines else []
    more = sorted({label for answer in used for label in answer.labels} - set(options))
    policy = guidelines.ambiguity if guidelines else None
    labels = _labels([*options, *more])
    categories: list[Label] = list(labels.values())
    if AMBIGUOUS in used or (policy is not None and policy.allowed):
        categories.append(AMBIGUOUS.special)
    order = {label: k for k, label in enumerate(labels)}
    one = question.answering == Answering.ONE
    declared = bool(options) and not more
    scheme = Scheme(tuple(categories), declared=declared, max_labels=1 if one else None)

    def valued(answer: Answer) -> Value | None:
        if answer == NOT_APPLICABLE:
            return None
        if answer == AMBIGUOUS:
            return AMBIGUOUS.special if one else (AMBIGUOUS.special,)
        if one:
            return labels[answer.labels[0]] if answer.labels else None
        return tuple(labels[label] for label in sorted(answer.labels, key=order.__getitem__))

    return scheme, valued


def _labels(texts: list[str]) -> dict[str, Label]:
    """Labels as they were before they were text: whole numbers if all are."""
    whole = all(t.removeprefix("-").isdecimal() and str(int(t)) == t for t in texts)
    return {t: int(t) if whole else t for t in texts}


def _places(
    answers: list[Answer], used: list[Answer], valued: Valued, values: dict[Value, int]
) -> tuple[Codes, Codes]:
    """(answers,) the value of each code, and the status it gives an annotation."""
    value = np.full(len(answers), NO_VALUE, np.int64)
    status = np.full(len(answers), int(Status.ANSWERED))
    wanted = set(used)
    for code, answer in enumerate(answers):
        if answer in wanted:
            what = valued(answer)
            if what is None:
                status[code] = Status.NOT_APPLICABLE
            else:
                value[code] = values[what]
                status[code] = Status.ANSWERED_EMPTY if what == () else Status.ANSWERED
    return value, status


def _rows(
    codes: Codes, value: Codes, status: Codes, declined: Codes, question: int, coder: int
) -> tuple[Codes, Codes, Codes, Codes, Codes]:
    """Item, question, coder, value, status of a coder's annotations of a question."""
    items = np.flatnonzero(codes != NONE)
    given = codes[items]
    n = len(items) + len(declined)
    return (
        np.concatenate([items, declined]),
        np.full(n, question),
        np.full(n, coder),
        np.concatenate([value[given], np.full(len(declined), NO_VALUE)]),
        np.concatenate([status[given], np.full(len(declined), int(Status.SKIPPED))]),
    )
