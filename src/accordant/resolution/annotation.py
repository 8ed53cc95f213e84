"""Step 3: each coder annotates alone; sheets of many items at once."""

from __future__ import annotations

import typing
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import field

from ..errors import InputError, RequestError
from ..kinds import Typed
from .answer_form import Given, answer_of, note_missing, within_texts
from .case_table import given as is_given
from .command import Asked, Events, Lack, Unmet, command, guard, lacks_role, require, step
from .event import Event, Stamp, on
from .items import item_places, positions_of
from .progress import dependent_within, left_of, left_to_do, progress
from .round_result import asks, in_order, in_scope, labels_that_ask
from .rounds import round_numbered
from .sentences import counted, listing
from .setup import the_coder
from .state import NONE, Round, State
from .terms import Answer, Guidelines, Note, Question, Role, Step
from .wording import all_known, written_text


class Annotated(Event, frozen=True, tag="annotated"):
    """One coder's answers to one question: of one item, or of many at once.

    ``codes`` has one position in ``answers`` for each of ``items``. Submitting again before the
    round closes supersedes; the log keeps both.
    """

    says = "{coder}: {items:annotation} of question {question} kept"
    within = "round {0.round} {0.coder}"

    round: int
    coder: str
    question: str
    items: tuple[str, ...]
    answers: tuple[Answer, ...]
    codes: tuple[int, ...]
    notes: dict[str, Note] = field(default_factory=dict)  # by item


class Declined(Event, frozen=True, tag="declined"):
    """A coder will not annotate an item on a question, for a reason."""

    says = "{coder} declines {items:item} on question {question}"
    within = "round {0.round} {0.coder}"

    round: int
    coder: str
    question: str
    items: tuple[str, ...]
    reason: str
    by: str = ""  # who did it for them

    @property
    def facts(self) -> dict[str, Any]:
        """With who did it, and for whom."""
        return super().facts | {"coder": _by_whom(self)}


class Submitted(Event, frozen=True, tag="submitted"):
    """A coder says that they are done, where being done would otherwise tell what they answered."""

    says = "{coder} has submitted round {round}"
    within = "round {0.round} {0.coder}"

    round: int
    coder: str
    by: str = ""  # who did it for them

    @property
    def facts(self) -> dict[str, Any]:
        """With who did it, and for whom."""
        return super().facts | {"coder": _by_whom(self)}


def _by_whom(event: Declined | Submitted) -> str:
    return f"{event.by}, for {event.coder}," if event.by else event.coder


@on(Annotated)
def _annotated(state: State, event: Annotated, stamp: Stamp) -> None:
    epoch, some = state.epoch, round_numbered(state, event.round)
    codes = [epoch.code(answer) for answer in event.answers]
    positions = positions_of(state, event.items)
    _not_done(some, event.coder)
    sheet = some.sheet.setdefault(event.question, {}).setdefault(event.coder, {})
    refused = some.declined.get(event.question, {}).get(event.coder)
    sheet.update(zip(positions, map(codes.__getitem__, event.codes), strict=True))
    if refused:
        for position in positions:
            refused.pop(position, None)
    numbers = some.events.setdefault(event.question, {}).setdefault(event.coder, {})
    if numbers:
        numbers.update(dict.fromkeys(positions, state.seq))
    else:  # most annotations come all at once: one number says it
        numbers[NONE] = state.seq
    notes = epoch.notes.get(event.question, {}).get(event.coder)
    if notes:  # a new answer has a new note, or none
        for position in positions:
            notes.pop(position, None)
    if event.notes:
        notes = epoch.notes.setdefault(event.question, {}).setdefault(event.coder, {})
        where = state.items.positions
        notes.update((where[item], note) for item, note in event.notes.items())


@on(Declined)
def _declined(state: State, event: Declined, stamp: Stamp) -> None:
    some = round_numbered(state, event.round)
    refused = some.declined.setdefault(event.question, {}).setdefault(event.coder, {})
    sheet = some.sheet.get(event.question, {}).get(event.coder, {})
    positions = positions_of(state, event.items)
    if stamp[1] != event.coder and not some.imported:  # a researcher changes nobody's answer
        left = set(left_of(state, some, event.coder, event.question))
        positions = [position for position in positions if position in left]
    for position in positions:
        refused[position] = event.reason
        sheet.pop(position, None)
    _not_done(some, event.coder)


def _not_done(some: Round, coder: str) -> None:
    """Who answers again has to submit again: another question may be asked because of it."""
    if coder in some.submitted:
        some.submitted.remove(coder)


@on(Submitted)
def _done(state: State, event: Submitted, stamp: Stamp) -> None:
    round_numbered(state, event.round).submitted.append(event.coder)


@guard("all_submitted_or_declined", step("annotate"))
def _all_submitted_or_declined(state: State, asked: Asked) -> Iterator[Lack]:
    some = state.epoch.round
    if some is None:
        yield "no round is open"
    for one in progress(state, some) if some else ():
        if one.left:
            n = counted(one.expected, "annotation")
            says = f"{one.coder} has {one.left:,} of {n} to submit or decline"
            yield Unmet("all_submitted_or_declined", says, (one.coder,))
        elif not one.done:
            says, do = f"{one.coder} has not submitted the round", (step("submit"),)
            yield Unmet("all_submitted_or_declined", says, (one.coder,), do=do)


@command("annotate", "submit annotations", roles=(Role.CODER,), steps=(Step.ANNOTATION,))
def annotate(
    state: State,
    by: str,
    answers: Mapping[str, Mapping[str, Given]],
    *,
    notes: Mapping[str, Mapping[str, Note]] | None = None,
) -> Events:
    """Submit one's own answers; all of them or, if anything is wrong, none.

    Submitting again while the round is open replaces an answer; the log keeps both.

    Parameters
    ----------
    state : State
    by : str
        The coder: nobody annotates for somebody else.
    answers : mapping
        Question → item id → a label, several, an `Answer`, "ambiguous" or "not applicable".
    notes : mapping, optional
        Question → item id → comment, confidence, the source of an ambiguity (needed with
        "ambiguous"), the reason why the question does not apply (needed with "not applicable").
    """
    given = {question: _asked(state, question) for question in answers}
    fresh: dict[str, dict[int, Answer]] = {}  # of this submission
    unmet: list[Unmet] = []
    events: Events = []
    for record in in_order([record for _, record, _ in given.values()]):
        some, _, guidelines = given[record.id]
        said, remarks = answers[record.id], (notes or {}).get(record.id) or {}
        if not said:
            raise RequestError("no answer is given")
        positions = item_places(state, said)
        if stray := [item for item in remarks if item not in said]:
            raise InputError(f"notes about items without an answer: {listing(stray)}")
        found = _coded(guidelines, record, said)
        fresh[record.id] = dict(zip(positions, found, strict=True))
        unmet += _not_in_round(state, some, by, record.id, positions)
        unmet += _not_asked(state, some, by, record, positions, fresh)
        unmet += note_missing(guidelines, found, said, remarks)
        within_texts(state, record, found, positions)
        distinct = {answer: code for code, answer in enumerate(dict.fromkeys(found))}
        codes = tuple(distinct[answer] for answer in found)
        kept = {item: note for item, note in remarks.items() if note != Note()}
        events.append(
            Annotated(some.number, by, record.id, tuple(said), tuple(distinct), codes, kept)
        )
    require(unmet)
    return events


def _asked(state: State, question: str) -> tuple[Round, Question, Guidelines]:
    """The open round, the question, and the guidelines under which it is answered."""
    epoch = state.epoch
    all_known("question", [question], epoch.questions)
    some = epoch.round
    if some is None or not epoch.guidelines:
        require([Unmet("round_open", "no round is open")])
    return epoch.rounds[-1], epoch.questions[question], epoch.guidelines[-1]


def _coded(
    guidelines: Guidelines, question: Question, answers: Mapping[str, Given]
) -> list[Answer]:
    """Every answer checked; equal ones once."""
    seen: dict[object, Answer] = {}
    found = []
    for item, given in answers.items():
        key = given if isinstance(given, (str, Answer)) else tuple(given)
        if key not in seen:
            try:
                seen[key] = answer_of(guidelines, question, given)
            except RequestError as error:
                raise InputError(f"item {item!r}: {error}") from error
        found.append(seen[key])
    return found


def _not_in_round(
    state: State, some: Round, coder: str, question: str, positions: Sequence[int]
) -> list[Unmet]:
    unmet = []
    if coder not in some.coders:
        says = f"{coder} is not among the coders of round {some.number} ({listing(some.coders)})"
        unmet.append(Unmet("coder_of_round", says))
    if question not in some.questions:
        says = f"round {some.number} asks {listing(some.questions)}, not {question}"
        unmet.append(Unmet("scope", says))
    scope = in_scope(state, some, coder)
    outside = [p for p in positions if not _holds(scope, p)]
    if outside:
        ids = [state.items.ids[p] for p in outside]
        says = f"not assigned to {coder} in round {some.number}: {listing(ids)}"
        unmet.append(Unmet("assigned", says))
    return unmet


def _holds(scope: Sequence[int], position: int) -> bool:
    if isinstance(scope, range):
        return position in scope
    k = bisect_left(scope, position)
    return k < len(scope) and scope[k] == position


def _not_asked(
    state: State,
    some: Round,
    coder: str,
    question: Question,
    positions: Sequence[int],
    fresh: Mapping[str, Mapping[int, Answer]],
) -> list[Unmet]:
    """A dependent question is asked where this coder answers its parent so, and only there."""
    when = question.asked_if
    if when is None:
        return []
    asking = labels_that_ask(state.epoch, question)
    sheet = some.sheet.get(when.question, {}).get(coder, {})
    column = state.epoch.current.get(when.question, {}).get(coder, [])
    again = when.question in some.questions
    early, never = [], []
    now = fresh.get(when.question, {})
    for position in positions:
        if position in now:
            if not asks(now[position], question):
                never.append(state.items.ids[position])
            continue
        code = sheet.get(position, NONE)
        if not again and position < len(column):
            code = column[position]
        if code == NONE:
            early.append(state.items.ids[position])
        elif code not in asking:
            never.append(state.items.ids[position])
    found = []
    if early:
        says = f"question {when.question} comes first: no answer for {listing(early)}"
        found.append(Unmet("parent_answered", says))
    if never:
        labels = " or ".join(when.labels)
        says = f"{question.id} is asked only after {when.question} {labels}: not {listing(never)}"
        found.append(Unmet("asked_if", says))
    return found


@command("decline", "decline items", roles=(Role.CODER, Role.RESEARCHER), steps=(Step.ANNOTATION,))
def decline(
    state: State,
    by: str,
    question: str,
    items: Sequence[str],
    reason: str,
    *,
    coder: str | None = None,
) -> Events:
    """Say that one will not annotate items on a question; one's own submitted answer is withdrawn.

    Parameters
    ----------
    state : State
    by : str
    question : str
    items : sequence of str
    reason : str
        Why.
    coder : str, optional
        For whom: a researcher may decline for a coder who has left or does not answer, and the log
        says so. What they submitted stands, and where they are not asked nothing is declined;
        neither is told, since the round is blind. Oneself by default.
    """
    name = by if coder is None else the_coder(state, coder)
    why = written_text("the reason", reason)
    if not items:
        raise RequestError("no item is given")
    some, record, _ = _asked(state, question)
    positions = item_places(state, items)
    unmet = _not_in_round(state, some, name, question, positions)
    if name == by:
        unmet += _not_asked(state, some, name, record, positions, {})
    else:
        unmet += lacks_role(state, by, (Role.RESEARCHER,))
    require(unmet)
    who = "" if name == by else by
    return [Declined(some.number, name, question, tuple(dict.fromkeys(items)), why, who)]


@command("submit", "submit a round", roles=(Role.CODER, Role.RESEARCHER), steps=(Step.ANNOTATION,))
def submit(
    state: State,
    by: str,
    *,
    reason: typing.Annotated[str, Typed(argument=True)] = "",
    coder: typing.Annotated[str | None, Typed("CODER", "--of")] = None,
) -> Events:
    """Say that you are done with the round.

    It is needed where a question depends on another one of the round: whether it is still to be
    answered would tell others what the first answer was. Who answers again submits again.

    Parameters
    ----------
    state : State
    by : str
    reason : str
        Why, for somebody else.
    coder : str, optional
        For whom: a researcher may submit for a coder who has left. Dependent questions that they
        have left are declined; whether there are any is not told. Oneself by default.

    Examples
    --------
    Nothing is left to annotate:
    $ accordant project submit --as bob
    For a coder who has left:
    $ accordant project submit 'bob has left the team' --of bob --as ana
    """
    some = state.epoch.rounds[-1]
    name = by if coder is None else the_coder(state, coder)
    if name not in some.coders:
        require(_not_in_round(state, some, name, some.questions[0], ()))
    one = next(one for one in progress(state, some) if one.coder == name)
    unmet, events = list[Unmet](), Events()
    if name == by:
        left = {question: len(items) for question, items in left_to_do(state, some, name).items()}
        where = listing(f"{question}: {n:,}" for question, n in left.items())
        n_left = sum(left.values())
    else:
        n_left, where = one.left, "of the questions that everybody is asked"
        unmet += is_given(reason)
        unmet += lacks_role(state, by, (Role.RESEARCHER,))
        ids = tuple(state.items.ids[item] for item in in_scope(state, some, name))
        events += [
            Declined(some.number, name, question, ids, reason.strip(), by)
            for question in dependent_within(state, some)
        ]
    if n_left:
        says = f"{name} has {counted(n_left, 'annotation')} to submit or decline ({where})"
        unmet.append(Unmet("all_submitted_or_declined", says))
    elif name in some.submitted:
        unmet.append(Unmet("submitted", f"{name} has submitted round {some.number}"))
    require(unmet)
    return [*events, Submitted(some.number, name, "" if name == by else by)]
