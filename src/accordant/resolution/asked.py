"""What everybody is asked for now, in the order in which it comes, and the step that does it.

Status, lists of cases, the report and the walk of `accordant project work` read this. Steps 0 to 4
are told from the guards of the way on; step 5 from where each case stands. While a round is open
nothing is told but how far each coder is, and to themselves what depends on their own answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from ..actions import Action
from .case_index import of_each_case
from .causes import CAUSES
from .cells import asked_at, dependents
from .disagreement import (
    awaited_assessment,
    awaited_proposal,
    consenters,
    held,
    live_cases,
    participants,
)
from .editorial import confirmations_awaited
from .guards.guard import unmet_of
from .guards.resolution import ACCEPTANCE
from .guards.setup import acknowledgement_holds
from .progressing import done_by, progress
from .refusal import Unmet, step
from .release import status_now
from .sentences import counted, listing
from .sight import seeing, shown
from .staleness import open_orders, orders_over
from .state import NONE, Assessment, Case, Epoch, Round, State
from .store.record import Record
from .tally import tally
from .toolbox import change_for, since_last_round, using
from .words import CaseState, Cause, Purpose, Role, Step

__all__ = ["Asked", "What", "asked_about", "asked_of", "awaited", "dependent_cells", "ranges",
           "step_about", "waiting"]  # fmt: skip

FORWARD, FIRST, CLOSES, ENDS = {Step.SETUP: 1, Step.TASK: 3, Step.ALIGNMENT: 6}, (3, 6), 7, 8
# Transitions.
BACK = (Cause.A1_CONCEPT, Cause.A1_TASK, Cause.A2, Cause.B)
NAMED = (Cause.C, Cause.E)
TYPED = {"all_acknowledged", "all_signed_off", "confirmed_no_score_change", "no_objection",
         ACCEPTANCE}  # fmt: skip
# Guards whose people are asked by a kind of their own.


class What(StrEnum):
    """What a person may be asked for; in this order, but for cases that others make undone."""

    ACKNOWLEDGE = "read and acknowledge the guidelines"
    SIGN = "sign or object to a concept"
    CONFIRM = "confirm an editorial change"
    OBJECTION = "withdraw an objection, once it is answered"
    ANNOTATE = "annotate"
    SUBMIT = "submit the round"
    DEPENDENT = "answer a dependent question"
    CORRECT = "correct an annotation"
    CAUSE = "answer a proposed cause"
    OUTCOME = "answer a proposed outcome"
    REASON = "give a reason"
    PROPOSE_CAUSE = "propose a cause"
    PROPOSE_OUTCOME = "propose an outcome"
    RETURN = "return cases for a change of the toolbox"
    CHANGE = "write the change that cases ask for"
    REVIEW = "review a postponed case"
    ACCEPT = "accept what was imported"
    PREPARE = "see to what is missing"
    GO = "go on to the next step"
    OPEN = "open a round"
    CLOSE = "close the round"
    RESOLVE = "begin to resolve disagreement"
    RESUME = "go on after the research"
    RELEASE = "release"


ORDER = {what: place for place, what in enumerate(What)}
OF_CASES = {
    What.DEPENDENT: "rescore", What.CORRECT: "rescore", What.CAUSE: "accept",
    What.OUTCOME: "accept", What.REASON: "reason", What.PROPOSE_CAUSE: "cause",
    What.PROPOSE_OUTCOME: "outcome", What.RETURN: "return", What.REVIEW: "reopen",
    What.CHANGE: "return",
}  # fmt: skip
"""What is asked about cases, and the action that does it."""


def step_about(what: What, case: int) -> Action:
    """The step that does something about a case."""
    return step(f"case {OF_CASES[what]}", cases=case)


@dataclass(frozen=True)
class Asked:
    """One thing that a person is asked for now.

    Parameters
    ----------
    what : What
    do : Action
        The step that does it; of several cases, about the first.
    n : int
        How many of it: cases, concepts, annotations.
    cases : tuple of int
    about : tuple of str
        Versions, concepts, questions, what is missing: whatever is meant besides cases.
    others : tuple of str
        Who else is asked for the same.
    after : tuple of int
        Cases to settle first: what this comes to would be annotated again because of them.
    why : str
        Why it comes after these.
    """

    what: What
    do: Action
    n: int = 1
    cases: tuple[int, ...] = ()
    about: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    after: tuple[int, ...] = ()
    why: str = ""

    @property
    def says(self) -> str:
        """It in a sentence, without a full stop.

        Examples
        --------
        >>> Asked(What.REASON, step("case reason"), 3, (1, 2, 5)).says
        'give a reason: 3 cases (1-2, 5)'
        """
        which = f"{counted(self.n, 'case')} ({ranges(self.cases)})" if self.cases else ""
        if self.what is What.ANNOTATE:
            which = f"{self.n:,} left"
        elif self.what is What.DEPENDENT:
            which = ""
        meant = ", ".join(filter(None, (listing(self.about) if self.about else "", which)))
        return f"{self.what}: {meant}" if meant else self.what.value


def ranges(numbers: Sequence[int], most: int = 6) -> str:
    """Numbers in order, with ranges for those that follow each other.

    Examples
    --------
    >>> ranges((1, 2, 3, 7, 9, 10))
    '1-3, 7, 9-10'
    """
    found: list[list[int]] = []
    for n in sorted(numbers):
        if found and n == found[-1][1] + 1:
            found[-1][1] = n
        else:
            found.append([n, n])
    shown = [f"{a}-{b}" if b > a else str(a) for a, b in found[:most]]
    return ", ".join([*shown, *(["…"] if len(found) > most else [])])


# ------------------------------------------------------------------ one case

Asks = tuple[tuple[What, tuple[str, ...]], ...]
S = CaseState


def asked_about(state: State, case: Case) -> Asks:
    """Who is asked for what before a case can go on; nobody if it is settled, or has to wait.

    Returns
    -------
    tuple of (What, names)
        For a case that is open, the coders of the item whose reason is missing, and all of them
        once every reason is there; for a proposed cause or outcome, who has not consented, after
        their own reason; for one that was returned or postponed, the researchers.

    Examples
    --------
    >>> case = Case(1, 0, "q", 1, 1, "comparison", "", state=CaseState.AGREED)
    >>> asked_about(State(epochs=[Epoch(1)]), case)
    ()
    """
    epoch = state.epochs[case.epoch - 1]
    if not case.live or orders_over(epoch, case.item, case.question):
        return ()
    return tuple((what, names) for what, names in _asks(state, epoch, case) if names)


def _asks(state: State, epoch: Epoch, case: Case) -> Asks:
    coders = participants(epoch, case)
    silent = tuple(c for c in coders if c not in case.reasons)
    if (proposal := awaited_proposal(case)) is not None:
        return ((What.OUTCOME, tuple(c for c in coders if c not in proposal.consents)),)
    if (assessment := awaited_assessment(case)) is not None:
        needed = consenters(epoch, case, assessment)
        left = [c for c in needed if c not in assessment.consents]
        ready = tuple(c for c in left if c not in silent)
        return (What.CAUSE, ready), (What.REASON, tuple(c for c in left if c in silent))
    if case.state in (S.OPEN, S.REASONS):
        return ((What.REASON, silent),) if silent else ((What.PROPOSE_CAUSE, coders),)
    if case.state == S.RESCORING and case.assessments and case.cause in NAMED:
        return ((What.CORRECT, (case.assessments[-1].evidence.coder,)),)
    if case.state == S.CAUSE_ACCEPTED:
        return ((What.RETURN, _of_role(state, Role.RESEARCHER, Role.MODERATOR)),)
    if case.state == S.POSTPONED:
        return ((What.REVIEW, _of_role(state, Role.RESEARCHER)),)
    if case.state == S.RETURNED:
        mended = change_for(state, case, case.assessments[-1])
        if isinstance(mended, Unmet):
            return ((What.CHANGE, _of_role(state, Role.RESEARCHER)),)
    bare = tuple(c for c in coders if c in silent or not case.reasons[c].cites)
    if case.cause == Cause.D and bare:
        return ((What.REASON, bare),)
    return ((What.PROPOSE_OUTCOME, coders),)


def _of_role(state: State, *roles: Role) -> tuple[str, ...]:
    return tuple(name for name in state.people if state.has_role(name, *roles))


def awaited(state: State, case: Case) -> tuple[str, ...]:
    """Who must act for a case to go on."""
    names = dict.fromkeys(name for _, each in asked_about(state, case) for name in each)
    return tuple(names)


# ------------------------------------------------------------------ all cases


def _cases(state: State) -> dict[int, Asks]:
    """What is asked about each live case of the epoch."""
    found = of_each_case(state, "asked", lambda case: asked_about(state, case))
    return {number: asks for number, asks in found.items() if asks}


def dependent_cells(state: State) -> Iterator[tuple[str, Case, int, str]]:
    """Questions that are asked since the answer to their parent changed, and are not answered.

    Yields
    ------
    tuple of (coder, case, item, question)
        The case in which the parent was changed; the position of the item.
    """
    epoch = state.epoch
    children: dict[str, list[str]] = {}
    for question in epoch.questions.values():
        if question.asked_if is not None:
            children.setdefault(question.asked_if.question, []).append(question.id)
    told = set()
    for one in epoch.rescorings if children else ():
        for child in children.get(one.question, ()):
            cell = one.coder, one.item, child
            if (
                cell not in told
                and one.coder in asked_at(epoch, one.item, child)
                and one.coder not in held(epoch, one.item, child)
            ):
                told.add(cell)
                yield one.coder, epoch.cases[one.case], one.item, child


# ------------------------------------------------------------------ what a change would redo


def _reopened(state: State, cause: Assessment) -> tuple[str, ...]:
    """Questions that would be annotated again, agreed items included, for an accepted cause."""
    epoch, evidence = state.epoch, cause.evidence
    if cause.cause in (Cause.B, Cause.A1_CONCEPT):
        versions = epoch.concepts.get(evidence.concept)
        return using(epoch, versions[-1]) if versions else ()
    rules = {rule.id: rule for g in epoch.guidelines[-1:] for rule in g.rules}
    if evidence.rule in rules:
        return tuple(dependents(epoch, rules[evidence.rule].questions or epoch.questions))
    return ()


class Redone(NamedTuple):
    """What would be annotated again because of cases with cause a or b."""

    questions: frozenset[str] = frozenset()
    cases: tuple[int, ...] = ()
    why: str = ""

    def comes_later(self, case: Case) -> bool:
        """Whether what a case comes to would be annotated again."""
        return case.question in self.questions and case.number not in self.cases


def _redone(state: State) -> Redone:
    epoch, cases, questions = state.epoch, list[int](), dict[str, None]()
    for case in live_cases(epoch):
        last = case.assessments[-1] if case.assessments else None
        if last is None or last.cause not in BACK:
            continue
        if case.state in (S.CAUSE_PROPOSED, S.CAUSE_ACCEPTED):
            cases.append(case.number)
            questions |= dict.fromkeys(dependents(epoch, [case.question]))
            questions |= dict.fromkeys(_reopened(state, last))
    if not cases:
        return Redone()
    columns = (c for q in questions for c in epoch.current.get(q, {}).values())
    n = sum(len(column) - column.count(NONE) for column in columns)
    settle = f"settle case{'s' * (len(cases) > 1)} {ranges(cases)} (a, b) first"
    why = f"{settle}: {counted(n, 'annotation')} would be made again because of them"
    return Redone(frozenset(questions), tuple(cases), why)


# ------------------------------------------------------------------ everybody

Given = tuple[str, Asked]  # person, what they are asked for


def waiting(state: State) -> dict[str, tuple[Asked, ...]]:
    """What everybody is asked for now, as anybody may know it.

    Parameters
    ----------
    state : State

    Returns
    -------
    dict of str to tuple of Asked
        Person → what comes first, first; who is asked for nothing is absent.

    Examples
    --------
    >>> waiting(State())
    {}
    """
    found: dict[str, list[Asked]] = {}
    for name, asked in _everything(state):
        found.setdefault(name, []).append(asked)
    return {name: _in_order(each) for name, each in found.items()}


def asked_of(state: State, person: str) -> tuple[Asked, ...]:
    """What one person is asked for now, what comes first first.

    As `waiting` says it; in an open round also what depends on their own answers.

    Parameters
    ----------
    state : State
    person : str
        Somebody who takes part; the public, an empty name, is asked for nothing.

    Raises
    ------
    RequestError
        If nobody of this name takes part.

    Examples
    --------
    >>> asked_of(State(), "")
    ()
    """
    seeing(state, person)
    some = state.epoch.round
    if some is None or person not in some.coders or state.step is not Step.ANNOTATION:
        return _in_order([asked for name, asked in _everything(state) if name == person])
    others = [asked for name, asked in _everything(state, but=person) if name == person]
    left, done = tally(state, some, person).n_left, done_by(state, some, person)
    return _in_order([*others, *(asked for _, asked in _annotating(person, some, left, done))])


def _in_order(each: Iterable[Asked]) -> tuple[Asked, ...]:
    """Cases that would be annotated again come behind everything else about cases."""
    return tuple(sorted(each, key=lambda one: (ORDER[one.what] > LAST, bool(one.after),
                                               ORDER[one.what])))  # fmt: skip


LAST = ORDER[What.REVIEW]


def _everything(state: State, but: str = "") -> Iterator[Given]:
    match state.step:
        case Step.ANNOTATION if (some := state.epoch.round) is not None:
            yield from _of_round(state, some, but)
        case Step.COMPARISON:
            ends = not unmet_of(state, ENDS, {}) or state.purpose is Purpose.ELICIT_VARIATION
            yield from _researchers(state, *((What.RELEASE, "release") if ends else
                                             (What.RESOLVE, "resolve")))  # fmt: skip
        case Step.RESOLUTION:
            yield from _of_resolution(state)
        case Step.HALTED:
            unmet = unmet_of(state, 24, {})
            lacks = any(one.guard == "finding_recorded" for one in unmet)
            yield from (
                _prepared(state, unmet) if lacks else _researchers(state, What.RESUME, "resume")
            )
        case Step.SETUP | Step.TASK | Step.ALIGNMENT:
            yield from _before_a_round(state)
        case _:
            pass  # finished or abandoned: nobody is awaited


def _researchers(
    state: State, what: What, words: str, about: tuple[str, ...] = (), **options: object
) -> Iterator[Given]:
    names = _of_role(state, Role.RESEARCHER)
    for name in names:
        asked = Asked(what, step(words, **options), about=about, others=_but(names, name))
        yield name, asked


def _but(names: Iterable[str], one: str) -> tuple[str, ...]:
    return tuple(name for name in names if name != one)


# ------------------------------------------------------------------ a round


def _of_round(state: State, some: Round, but: str) -> Iterator[Given]:
    """How far everybody is, as everybody may know it; the round can close when all are done."""
    coders = progress(state, some)
    for one in coders:
        if one.coder != but:
            yield from _annotating(one.coder, some, one.left, one.done)
    if all(one.done for one in coders):
        yield from _researchers(state, What.CLOSE, "round close", (f"round {some.number}",))


def _annotating(coder: str, some: Round, left: int, done: bool) -> Iterator[Given]:
    about = (f"round {some.number}",)
    if left:
        yield coder, Asked(What.ANNOTATE, step("annotate"), left, about=about)
    elif not done:
        yield coder, Asked(What.SUBMIT, step("submit"), about=about)


def _before_a_round(state: State) -> Iterator[Given]:
    """Steps 0 to 2: what the way on lacks; the way on where nothing is missing."""
    if state.epoch.begun and state.step is not Step.SETUP:
        yield from _changing(state)
        return
    unmet = unmet_of(state, FORWARD[state.step], {})
    if state.step is Step.ALIGNMENT:
        unmet += unmet_of(state, FIRST[0], {})
    if state.step is not Step.SETUP:
        yield from _agreeing(state)
    yield from _prepared(state, unmet)
    if unmet:
        return
    if state.step is Step.ALIGNMENT:
        yield from _researchers(state, What.OPEN, "round open")
    else:
        to = "task" if state.step is Step.SETUP else "alignment"
        yield from _researchers(state, What.GO, "go", to=to)


def _changing(state: State) -> Iterator[Given]:
    """Back in steps 1 and 2: the change that cases ask for, everybody's consent, and a round."""
    asked = _by_person(state, {n: a for n, a in _cases(state).items() if a[0][0] is What.CHANGE})
    yield from asked
    yield from _agreeing(state)
    unmet = [one for k in FIRST for one in unmet_of(state, k, {})]
    yield from _prepared(state, unmet)
    since = since_last_round(state)
    if asked or unmet or any(True for _ in _agreeing(state)):
        return
    if open_orders(state) or not (since.changes or since.concepts):
        yield from _researchers(state, What.OPEN, "round open")
    else:
        yield from _researchers(state, What.GO, "go", to="resolution")


def _prepared(state: State, unmet: Iterable[Unmet]) -> Iterator[Given]:
    """What guards miss that no coder is asked for by a kind of its own."""
    for one in unmet:
        if one.guard in TYPED and one.awaited:
            continue
        do = one.do[0] if one.do else step("status")
        names = one.awaited or _of_role(state, Role.RESEARCHER)
        for name in names:
            yield name, Asked(What.PREPARE, do, about=(one.says,), others=_but(names, name))


def _agreeing(state: State) -> Iterator[Given]:
    """Who has still to read, sign or confirm something."""
    epoch, everybody = state.epoch, state.coders
    parts: list[tuple[What, str, str, tuple[str, ...]]] = []
    if epoch.guidelines and epoch.task_hash:
        silent = tuple(c for c in everybody if not acknowledgement_holds(epoch, c))
        version = f"guidelines {epoch.guidelines[-1].version}"
        parts.append((What.ACKNOWLEDGE, "acknowledge", version, silent))
    for name, versions in epoch.concepts.items():
        signed = epoch.signed.get(name, {})
        objects = {one.coder for one in epoch.objections if one.concept == name}
        silent = tuple(c for c in everybody if signed.get(c) != versions[-1].version)
        parts.append((What.SIGN, "sign-off", name, _without(silent, objects)))
    for version in since_last_round(state).editorial:
        parts.append((What.CONFIRM, "confirm", version, confirmations_awaited(state, version)))
    for one in epoch.objections:
        about = f"concept {one.concept}" if one.concept else "the guidelines"
        parts.append((What.OBJECTION, "object", about, (one.coder,)))
    found: dict[tuple[str, What, str], dict[str, tuple[str, ...]]] = {}
    for what, words, about, names in parts:
        for name in names:
            found.setdefault((name, what, words), {})[about] = _but(names, name)
    for (name, what, words), abouts in found.items():
        others = tuple(dict.fromkeys(o for each in abouts.values() for o in each))
        options = {"withdraw": True} if what is What.OBJECTION else {}
        yield name, Asked(what, step(words, **options), len(abouts), (), tuple(abouts), others)


def _without(names: Iterable[str], some: set[str]) -> tuple[str, ...]:
    return tuple(name for name in names if name not in some)


# ------------------------------------------------------------------ step 5


def _of_resolution(state: State) -> Iterator[Given]:
    """Cases, what is owed again, and the end."""
    asks = _cases(state)
    yield from _by_person(state, asks)
    late = [*dependent_cells(state)]
    by_coder: dict[str, list[tuple[Case, int, str]]] = {}
    for coder, case, item, question in late:
        by_coder.setdefault(coder, []).append((case, item, question))
    for coder, cells in by_coder.items():
        first, item, question = cells[0]
        options = {} if first.item == item else {"item": state.items.ids[item]}
        do = step("case rescore", cases=first.number, question=question, **options)
        about = tuple(f"{q} about {state.items.ids[i]}" for _, i, q in cells)
        numbers = tuple(dict.fromkeys(case.number for case, *_ in cells))
        yield coder, Asked(What.DEPENDENT, do, len(cells), numbers, about)
    orders = open_orders(state)
    if orders:
        yield from _agreeing(state)
        unmet = [one for k in FIRST for one in unmet_of(state, k, {})]
        yield from _prepared(state, unmet)
        if not unmet:
            about = tuple(f"re-annotation {one.number}" for one in orders)
            yield from _researchers(state, What.OPEN, "round open", about)
    elif not live_cases(state.epoch) and not late:
        yield from _at_the_end(state)


def _at_the_end(state: State) -> Iterator[Given]:
    missing = status_now(state).missing
    accept = [one for one in missing if one.guard == ACCEPTANCE]
    for one in accept:
        for name in one.awaited:
            yield name, Asked(What.ACCEPT, step("accept"), others=_but(one.awaited, name))
    yield from _prepared(state, missing)
    if not missing:
        yield from _researchers(state, What.RELEASE, "release")


def _by_person(state: State, asks: Mapping[int, Asks]) -> list[Given]:
    """What is asked about cases, together for each person and kind."""
    redone, cases = _redone(state), state.epoch.cases
    grouped: dict[tuple[What, tuple[str, ...], bool], list[int]] = {}
    for number, each in asks.items():
        later = redone.comes_later(cases[number])
        for what, names in each:
            grouped.setdefault((what, names, later), []).append(number)
    found: dict[tuple[str, What, bool], tuple[list[int], dict[str, None]]] = {}
    for (what, names, later), numbers in grouped.items():
        for name in names:
            own, others = found.setdefault((name, what, later), ([], {}))
            own += numbers
            others |= dict.fromkeys(_but(names, name))
    return [
        (name, _about_cases(state, what, sorted(own), tuple(others), redone if later else Redone()))
        for (name, what, later), (own, others) in found.items()
    ]


def _about_cases(
    state: State, what: What, numbers: Sequence[int], others: tuple[str, ...], redone: Redone
) -> Asked:
    about: dict[str, None] = {}
    if what is What.CHANGE:
        for number in numbers:
            about[_wanted(state.epoch, state.epoch.cases[number])] = None
        concept = next((a.removeprefix("concept ") for a in about if a != GUIDELINES), "")
        do = step("concepts" if concept and GUIDELINES not in about else "guidelines")
    else:
        do = step_about(what, numbers[0])
    return Asked(what, do, len(numbers), tuple(numbers), tuple(about), others, redone.cases,
                 redone.why)  # fmt: skip


GUIDELINES = "the guidelines"


def _wanted(epoch: Epoch, case: Case) -> str:
    """What must change for a case that was returned."""
    last = case.assessments[-1]
    if CAUSES[last.cause].returns_to is Step.TASK:
        return GUIDELINES
    return f"concept {last.evidence.concept or case.returned_for}"


# ------------------------------------------------------------------ for tests of blindness


@shown("asked_of")
def _all_asked(state: State, person: str, records: list[Record]) -> tuple[Asked, ...]:
    return asked_of(state, person)


@shown("waiting")
def _all_waiting(state: State, person: str, records: list[Record]) -> dict[str, tuple[Asked, ...]]:
    return waiting(state)
