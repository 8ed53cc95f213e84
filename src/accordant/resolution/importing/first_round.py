"""Finished annotations, and what is known of them, as the events of a closed first round."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec
import numpy as np
from msgspec import structs
from msgspec.structs import replace
from numpy.typing import NDArray

from ...data.annotations import NO_VALUE, Annotations, Status
from ...data.table import plain
from ...errors import InputError
from ...scheme import Scheme, Value
from ..annotation import Annotated, Declined
from ..case_state import Case
from ..cases import CaseAgreed
from ..cells import asked_at, compared_round
from ..concepts import STEP_2_SKIPPED
from ..consequences import cases_to_open
from ..corrections import Rescored
from ..disagreement import held
from ..event import Event, apply
from ..items import Assigned, ItemsAdded, ItemsFrozen
from ..orders import ordered
from ..proposals import CauseProposed
from ..round_result import in_order
from ..rounds import RoundClosed, RoundOpened
from ..setup import PersonAdded, ResearchStated
from ..state import State
from ..statement import DeviationRecorded
from ..terms import (
    NOT_APPLICABLE,
    AmbiguityPolicy,
    Answer,
    Answering,
    Cause,
    Change,
    Concept,
    Evidence,
    Guidelines,
    Items,
    Outcome,
    Purpose,
    Question,
    Role,
    Step,
    Task,
)
from ..toolbox import ToolboxWritten, affected, elements, next_version, using
from ..transitions import Moved
from ..wording import all_known

Cell = tuple[str, str]
"""Item, question."""


@dataclass(frozen=True)
class KnownCase:
    """What a source says about one disagreement. Everything but the cell may be unknown.

    Parameters
    ----------
    item, question : str
    cause : str
        As the source has it: 'a', 'a1-concept', 'a1-task', 'a2', 'b', 'c', 'd', 'e', or nothing.
    coder : str
        Who was inconsistent or mistaken, for c and e.
    others : tuple of str
        For c, the items with which this one is inconsistent.
    concept : str
        For a1 and b, the concept.
    element : str
        The element of the toolbox that the source names.
    text : str
        The discussion.
    """

    item: str
    question: str
    cause: str = ""
    coder: str = ""
    others: tuple[str, ...] = ()
    concept: str = ""
    element: str = ""
    text: str = ""

    @property
    def cell(self) -> Cell:
        """Item and question."""
        return self.item, self.question


@dataclass(frozen=True)
class Finished:
    """Finished annotations, and what is known of how they were made and settled.

    Parameters
    ----------
    data : Annotations
    consensus : mapping of (item, question) to Answer
        What the coders agreed on, or what stands as gold.
    cases : tuple of KnownCase
    task : Task, optional
        By default bare questions of the data.
    guidelines : Guidelines, optional
        By default what the data hold could be answered.
    concepts : tuple of Concept
        Key concepts as they were before the round.
    changes : tuple of Guidelines or Concept
        What the toolbox became when cases were discussed, in order: each is owed a re-annotation.
        Versions are counted anew.
    digests : mapping of str to str
        File → SHA-256.
    document : str
        The file among them that says how the annotations were made.
    """

    data: Annotations
    consensus: Mapping[Cell, Answer] = field(default_factory=dict)
    cases: tuple[KnownCase, ...] = ()
    task: Task | None = None
    guidelines: Guidelines | None = None
    concepts: tuple[Concept, ...] = ()
    changes: tuple[Guidelines | Concept, ...] = ()
    digests: Mapping[str, str] = field(default_factory=dict)
    document: str = ""


UNDOCUMENTED = "not documented in the source"
_DECLINED = {
    Status.SKIPPED: "skipped in the source",
    Status.DRAFT: "a draft in the source",
    Status.NOT_ASSIGNED: "no annotation in the source",
}


def answer_of(value: Value) -> Answer:
    """A value of the data as an answer.

    Examples
    --------
    >>> answer_of(1), answer_of(("b", "a")).labels, str(answer_of("ambiguous"))
    (Answer(labels=('1',), special=''), ('a', 'b'), 'ambiguous')
    """
    if isinstance(value, tuple):
        return Answer(tuple(sorted(map(plain, value))))
    label = plain(value)
    special = label.strip().casefold()
    if special in ("ambiguous", "not applicable"):
        return Answer(special=special)
    return Answer((label,))


def name_of(question: str) -> str:
    """The id of a question of the data: a single one may have no name."""
    return question or "question"


def questions_of(finished: Finished) -> tuple[Question, ...]:
    """The questions of the data, with what is known of them.

    Raises
    ------
    RequestError
        If a question is described that the data do not have, or depends on one.
    """
    data = finished.data
    names = [name_of(question) for question in data.questions]
    known = {q.id: q for q in finished.task.questions} if finished.task else {}
    for question in known.values():
        parent = question.asked_if.question if question.asked_if else question.id
        all_known("question", (question.id, parent), names)
    bare = {
        name: Question(
            name, "", answering=Answering.ONE if one.max_labels == 1 else Answering.SEVERAL
        )
        for name, one in zip(names, data.schemes, strict=True)
    }
    return tuple((known | {k: q for k, q in bare.items() if k not in known}).values())


def tell_setting(draft: Draft, finished: Finished) -> None:
    """Steps 0 to 2, as far as the source documents them; what it does not is a deviation."""
    draft.tell(ResearchStated("", purpose=Purpose.GROUND_TRUTH))
    for coder in finished.data.coders:
        person = draft.state.people.get(coder)
        before = person.roles if person else ()
        draft.tell(PersonAdded(coder, (*before, *({Role.CODER} - set(before)))))
    draft.tell(Moved(1, Step.SETUP, Step.TASK, "imported"))
    questions = questions_of(finished)
    task = structs.replace(finished.task or Task(()), questions=questions)
    draft.tell(ToolboxWritten(task=task))
    draft.tell(ToolboxWritten(guidelines=_guidelines(finished, questions)))
    first = (structs.replace(concept, version=1) for concept in finished.concepts)
    draft.tell(*(ToolboxWritten(concept=concept) for concept in first))
    draft.tell(Moved(3, Step.TASK, Step.ALIGNMENT, "imported"))
    how = "the source does not say how the annotations began"
    left = "0" if finished.guidelines is not None else "0 and 1"
    draft.tell(DeviationRecorded(f"step{'s' * (len(left) > 1)} {left} not documented", how))
    if finished.concepts:
        how = "no sign-offs of concepts came with the annotations"
        draft.tell(DeviationRecorded("step 2 not documented", how))
    else:
        how = "no key concepts came with the annotations"
        draft.tell(DeviationRecorded(STEP_2_SKIPPED, how))


def _guidelines(finished: Finished, questions: tuple[Question, ...]) -> Guidelines:
    data, known = finished.data, finished.guidelines or Guidelines("", {})
    schemes = dict(zip(map(name_of, data.questions), data.schemes, strict=True))
    options = {q.id: known.options.get(q.id) or _options(schemes[q.id]) for q in questions}
    used = {answer_of(value).special for value in data.values}
    policy = known.ambiguity or AmbiguityPolicy("ambiguous" in used, reason=UNDOCUMENTED)
    return structs.replace(known, version="1.0.0", options=options, ambiguity=policy)


def _options(scheme: Scheme) -> tuple[str, ...]:
    labels = (answer_of(category) for category in scheme.categories)
    return tuple(label for answer in labels for label in answer.labels)


# ------------------------------------------------------------------ items and annotations


def tell_round(draft: Draft, finished: Finished) -> None:
    """Items, assignments, all annotations as round 1, and its comparison."""
    data = finished.data
    ids = tuple(plain(item) for item in _listed(data.items))
    if len(set(ids)) < len(ids):
        raise InputError("two items have the same id, as text")
    texts = tuple("" if t is None else str(t) for t in data.texts) if data.texts is not None else ()
    metadata = {
        name: tuple("" if v is None else plain(v) for v in _listed(values))
        for name, values in data.metadata.items()
        if name not in data.reading.derived
    }
    draft.tell(ItemsAdded(Items(ids, texts, metadata=metadata)), ItemsFrozen(len(ids)))
    touched = _touched(data)
    for k, coder in enumerate(data.coders):
        if not touched[k].all():
            draft.tell(Assigned(coder, tuple(ids[i] for i in np.flatnonzero(touched[k]).tolist())))
    state = draft.state
    toolbox = state.toolbox.hash if state.toolbox else ""
    asked = tuple(state.epoch.questions)
    draft.tell(RoundOpened(1, toolbox, data.coders, asked, imported=True))
    draft.tell(Moved(6, Step.ALIGNMENT, Step.ANNOTATION, "imported"))
    draft.tell(*_annotations(draft, data, ids, touched))
    counts = {q: c.counts for q, c in compared_round(state, state.epoch.rounds[-1]).items()}
    draft.tell(RoundClosed(1, counts))
    draft.tell(Moved(7, Step.ANNOTATION, Step.COMPARISON, "imported"))


def _listed(values: Iterable[Any]) -> list[Any]:
    return values.tolist() if isinstance(values, np.ndarray) else list(values)


def _touched(data: Annotations) -> NDArray[np.bool_]:
    """(C, I) which items a coder has any row of."""
    columns = data.columns
    there = np.zeros((len(data.coders), len(data.items)), bool)
    there[columns.coder, columns.item] = True
    return there


def _annotations(
    draft: Draft, data: Annotations, ids: tuple[str, ...], touched: NDArray[np.bool_]
) -> Iterator[Annotated | Declined]:
    """One event for each question and coder, parents first; a blank that was not asked is none.

    Every item that a coder has seen, and was asked the question of, is answered or declined.
    """
    answers = [answer_of(value) for value in data.values]
    place = {name_of(question): k for k, question in enumerate(data.questions)}
    columns = data.columns
    values: dict[tuple[str, int], NDArray[np.int64]] = {}
    for question in in_order(list(draft.state.epoch.questions.values())):
        here = np.flatnonzero(columns.question == place[question.id])
        for k, coder in enumerate(data.coders):
            mine = here[columns.coder[here] == k]
            codes = np.full(len(ids), NO_VALUE, np.int64)
            status = np.full(len(ids), int(Status.NOT_ASSIGNED))
            codes[columns.item[mine]] = columns.value[mine]
            status[columns.item[mine]] = columns.status[mine]
            values[question.id, k] = codes
            asked = touched[k]
            if question.asked_if is not None:
                wanted = set(question.asked_if.labels)
                asks = np.array([*(not wanted.isdisjoint(a.labels) for a in answers), False])
                asked = asked & asks[values[question.asked_if.question, k]]  # NO_VALUE: the last
            yield from _of_coder(question.id, coder, ids, codes, status, asked, answers)


def _of_coder(
    question: str,
    coder: str,
    ids: tuple[str, ...],
    codes: NDArray[np.int64],
    status: NDArray[np.int64],
    asked: NDArray[np.bool_],
    answers: list[Answer],
) -> Iterator[Annotated | Declined]:
    given = codes != NO_VALUE
    distinct, where = np.unique(codes[given], return_inverse=True)
    known = [answers[code] for code in distinct.tolist()]
    items = np.flatnonzero(given).tolist()
    numbers = where.tolist()
    explicit = np.flatnonzero(asked & ~given & (status == Status.NOT_APPLICABLE)).tolist()
    if explicit:
        items, numbers = items + explicit, numbers + [len(known)] * len(explicit)
        known.append(NOT_APPLICABLE)
    if items:
        names = tuple(ids[i] for i in items)
        yield Annotated(1, coder, question, names, tuple(known), tuple(numbers))
    for code, reason in _DECLINED.items():
        left = np.flatnonzero(asked & ~given & (status == code)).tolist()
        if left:
            yield Declined(1, coder, question, tuple(ids[i] for i in left), reason)


_LATER = "later"  # the moment is known when the command is carried out; a round without one is open


class Draft:
    """Events that will happen together.

    Attributes
    ----------
    state : State
        What they lead to; a copy of the one before.
    events : list of Event
    by : str
        Who acts.
    """

    def __init__(self, state: State, by: str) -> None:
        self.state = msgspec.msgpack.decode(msgspec.msgpack.encode(state), type=State)
        self.events: list[Event] = []
        self.by = by

    def tell(self, *events: Event) -> None:
        """Write events, and fold them."""
        self.events += events
        apply(self.state, [(event, (_LATER, self.by)) for event in events])


# ------------------------------------------------------------------ cases, causes, consensus

_UNRECORDED = "not recorded in the source"
BY_DEFERENCE = "b settled by deference"
_RETURNING = (Cause.A1_CONCEPT, Cause.A1_TASK, Cause.A2, Cause.B)


def cause_of(letter: str) -> Cause | None:
    """A cause as sources write it; a bare 'a' counts as a2, unclear guidelines.

    Examples
    --------
    >>> cause_of("A"), cause_of("a1-task"), cause_of("c "), cause_of("")
    (<Cause.A2: 'a2'>, <Cause.A1_TASK: 'a1-task'>, <Cause.C: 'c'>, None)
    """
    plain = letter.strip().casefold()
    if not plain:
        return None
    return Cause("a2" if plain == "a" else plain)


def tell_outcomes(draft: Draft, finished: Finished) -> None:
    """A case for each conflict, with the cause and consensus that the source has.

    Nothing is told if it knows neither: then the project stands at the comparison.
    """
    opened = cases_to_open(draft.state)
    if not opened or not (finished.cases or finished.consensus):
        return
    draft.tell(Moved(10, Step.COMPARISON, Step.RESOLUTION, "imported"), *opened)
    known = {case.cell: case for case in finished.cases}
    consensus = _kept(draft, finished)
    for case in list(draft.state.epoch.cases.values()):
        cell = draft.state.items.ids[case.item], case.question
        about = known.get(cell, KnownCase(*cell))
        _cause(draft, case, about, consensus.get(cell))
        if cell in consensus:
            _agreed(draft, case, about, consensus[cell])
    _dependents(draft, consensus)
    _changes(draft, finished)


def _kept(draft: Draft, finished: Finished) -> dict[Cell, Answer]:
    """The consensus, without what it says about questions that it does not ask."""
    found = dict(finished.consensus)
    for question in in_order(list(draft.state.epoch.questions.values())):
        if question.asked_if is None:
            continue
        for cell in [cell for cell in found if cell[1] == question.id]:
            above = found.get((cell[0], question.asked_if.question))
            if above is not None and set(above.labels).isdisjoint(question.asked_if.labels):
                del found[cell]
    return found


def _cause(draft: Draft, case: Case, about: KnownCase, consensus: Answer | None) -> None:
    cause = cause_of(about.cause)
    if cause is None:
        return
    coder = _named_coder(draft, case, about, consensus)
    evidence = Evidence(
        concept=about.concept if cause in (Cause.A1_CONCEPT, Cause.B) else "",
        rule=_UNRECORDED if cause == Cause.A2 else "",
        wording=about.element if cause == Cause.A2 else "",
        knowledge=about.element if cause == Cause.B else "",
        coder=coder if cause in (Cause.C, Cause.E) else "",
        others=about.others,
    )
    draft.tell(CauseProposed(case.number, cause, evidence, draft.by, told=True))
    if cause == Cause.B and consensus is not None and not about.concept:
        item = draft.state.items.ids[case.item]
        text = (
            f"case {case.number} ({item}, {case.question}) was settled without aligning a concept"
        )
        draft.tell(DeviationRecorded(BY_DEFERENCE, text, case.number))


def _named_coder(draft: Draft, case: Case, about: KnownCase, consensus: Answer | None) -> str:
    """Who was inconsistent or mistaken: who is named, else who alone gave their answer up."""
    if about.coder:
        return about.coder
    epoch = draft.state.epoch
    codes = held(epoch, case.item, case.question)
    gave_up = [c for c, code in codes.items() if epoch.answers[code] != consensus]
    return gave_up[0] if consensus is not None and len(gave_up) == 1 else ""


def _agreed(draft: Draft, case: Case, about: KnownCase, answer: Answer) -> None:
    epoch, item = draft.state.epoch, draft.state.items.ids[case.item]
    for coder, code in held(epoch, case.item, case.question).items():
        if epoch.answers[code] != answer:
            draft.tell(Rescored(case.number, coder, item, case.question, answer, "imported"))
    cites = _cites(draft, about)
    # The source tells it: consent is what each coder says here.
    draft.tell(CaseAgreed(case.number, answer, Outcome.IMPORTED, cites, (), about.text))


def _cites(draft: Draft, about: KnownCase) -> tuple[str, ...]:
    """What the source cites, where it names an element that the toolbox has."""
    known = elements(draft.state)
    if about.element in known:
        return (about.element,)
    fits = [
        id
        for id, element in known.items()
        if about.concept and (element.kind, element.name) == ("concept", about.concept)
    ]
    return tuple(fits)


def _dependents(draft: Draft, consensus: dict[Cell, Answer]) -> None:
    """Answers of the consensus to dependent questions that it asks of more coders."""
    state, epoch = draft.state, draft.state.epoch
    by_cell = {(c.item, c.question): c for c in epoch.cases.values()}
    for question in in_order(list(epoch.questions.values())):
        if question.asked_if is None:
            continue
        for case in [c for c in by_cell.values() if c.question == question.asked_if.question]:
            cell = state.items.ids[case.item], question.id
            if cell not in consensus or (case.item, question.id) in by_cell:
                continue
            codes = held(epoch, case.item, question.id)
            for coder in asked_at(epoch, case.item, question.id):
                if coder not in codes or epoch.answers[codes[coder]] != consensus[cell]:
                    draft.tell(Rescored(case.number, coder, *cell, consensus[cell], "imported"))


# ------------------------------------------------------------------ what the toolbox became


def _changes(draft: Draft, finished: Finished) -> None:
    """New versions of the toolbox, each with the re-annotation that is owed because of it."""
    for change in finished.changes:
        epoch = draft.state.epoch
        if isinstance(change, Concept):
            version = len(epoch.concepts.get(change.name, [])) + 1
            behind = change.cases or _behind(draft, finished, change.name)
            concept = replace(change, version=version, cases=behind)
            draft.tell(ToolboxWritten(concept=concept))
            questions = using(draft.state.epoch, concept)
            _order(draft, f"concept {concept.name}, version {version}", questions, behind)
            continue
        reach = change.change or Change.LOCAL
        old = epoch.guidelines[-1]
        new = _amended(old, change, reach)
        bears = affected(old, new, epoch.task) if epoch.task else ()
        behind = change.cases or _behind(draft, finished, "", bears)
        draft.tell(ToolboxWritten(guidelines=replace(new, cases=behind)))
        questions = tuple(epoch.questions) if reach == Change.DRASTIC else bears
        _order(draft, f"guidelines {new.version}", questions, behind)
    if draft.state.epoch.orders:  # what must be annotated again begins with step 1 or 2
        concepts = any(isinstance(change, Concept) for change in finished.changes)
        number, to = (12, Step.ALIGNMENT) if concepts else (11, Step.TASK)
        draft.tell(Moved(number, Step.RESOLUTION, to, "imported: a re-annotation is owed"))


def _behind(
    draft: Draft, finished: Finished, concept: str, questions: tuple[str, ...] = ()
) -> tuple[int, ...]:
    """Cases behind a change: those that name the concept, or a and b about the questions."""
    ids = draft.state.items.ids
    known = {about.cell: about for about in finished.cases}
    found = []
    for case in draft.state.epoch.cases.values():
        about = known.get((ids[case.item], case.question))
        names_it = about is not None and about.concept == concept
        if names_it and case.cause in _RETURNING and (concept or case.question in questions):
            found.append(case.number)
    return tuple(found)


def _amended(old: Guidelines, change: Guidelines, reach: Change) -> Guidelines:
    """The old guidelines with what the change says; rules with the same id are replaced."""
    rules = {rule.id: rule for rule in (*old.rules, *change.rules)}
    return replace(
        change,
        version=next_version(old.version, reach),
        options={**old.options, **change.options},
        ambiguity=change.ambiguity or old.ambiguity,
        rules=tuple(rules.values()),
        text=change.text or old.text,
        change=reach,
    )


def _order(draft: Draft, trigger: str, questions: tuple[str, ...], cases: tuple[int, ...]) -> None:
    state = draft.state
    draft.tell(ordered(state, trigger, questions, None, "", cases, state.ordinal))
