"""Who is asked for what now.

Lists of cases, the status and the report read this. Steps 0 to 4 are told from the guards of the
way on; step 5 from where each case stands. While a round is open nothing is told but how far each
coder is, and to themselves what depends on their own answers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from ..actions import Action
from .case_state import Case
from .causes import CAUSES
from .cells import asked_at
from .command import Unmet, step, unmet_of
from .disagreement import (
    awaited_assessment,
    awaited_proposal,
    consenters,
    held,
    live_cases,
    participants,
)
from .ending import ACCEPTANCE, Missing, ending, endings, reasons_given, trail_of
from .guidelines import acknowledgement_holds
from .progress import progress
from .release import status_now
from .sentences import counted, listing, ranges
from .sight import Sight, seeing
from .staleness import open_orders, orders_over
from .state import Epoch, Round, State
from .terms import CaseState, Cause, Purpose, Role, Step
from .toolbox import since_last_round


class What(StrEnum):
    """What a person may be asked for, in this order."""

    SIGN = "read, and sign or object"
    SETTLE = "say whether a change settles a case"
    OBJECTION = "agree, once an objection is answered"
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
    RELEASE = "release"


OF_CASES = {
    What.DEPENDENT: "rescore",
    What.CORRECT: "rescore",
    What.CAUSE: "accept",
    What.OUTCOME: "accept",
    What.REASON: "reason",
    What.PROPOSE_CAUSE: "cause",
    What.PROPOSE_OUTCOME: "outcome",
    What.RETURN: "return",
    What.REVIEW: "reopen",
    What.CHANGE: "return",
}
Asks = tuple[tuple[What, tuple[str, ...]], ...]
S = CaseState


def step_about(what: What, case: int) -> Action:
    """The step that does something about a case."""
    if what is What.SETTLE:
        return step("sign-off", settles=case)
    named = "case" if OF_CASES[what] == "rescore" else "cases"
    return step(f"case {OF_CASES[what]}", **{named: case})


# ------------------------------------------------------------------ about a case


def asked_about(state: State, case: Case, sight: Sight | None = None) -> Asks:
    """Who is asked for what before a case can go on; nobody if it is settled, or has to wait.

    Parameters
    ----------
    state : State
    case : Case
    sight : Sight, optional
        Of who reads it: who may not read a cause is not told whom it asks.

    Examples
    --------
    >>> case = Case(1, 0, "q", 1, 1, "comparison", "", state=CaseState.AGREED)
    >>> asked_about(State(epochs=[Epoch(1)]), case)
    ()
    """
    epoch = state.epochs[case.epoch - 1]
    hidden = sight is not None and sight.hides_cause(case)
    if not case.live:
        return ()
    if orders_over(epoch, case.item, case.question):
        # What is owed again because of another case need not be what this one asks for.
        return () if hidden else _unmended(state, case)
    if hidden:
        silent = tuple(c for c in participants(epoch, case) if c not in case.reasons)
        return ((What.REASON, silent),)
    return tuple((what, names) for what, names in _asks(state, epoch, case) if names)


def _asks(state: State, epoch: Epoch, case: Case) -> Asks:
    coders, given = participants(epoch, case), reasons_given(state, case)
    silent = tuple(coder for coder in coders if coder not in given)
    if (proposal := awaited_proposal(case)) is not None:
        return ((What.OUTCOME, tuple(c for c in coders if c not in proposal.consents)),)
    if (assessment := awaited_assessment(case)) is not None:
        needed = consenters(epoch, case, assessment)
        left = [c for c in needed if c not in assessment.consents]
        if not CAUSES[assessment.cause].everybody:  # a slip is asked of its coder alone
            return ((What.CAUSE, tuple(left)),)
        ready = tuple(c for c in left if c not in silent)
        return (What.CAUSE, ready), (What.REASON, tuple(c for c in left if c in silent))
    if case.state in (S.OPEN, S.REASONS):
        return ((What.REASON, silent),) if silent else ((What.PROPOSE_CAUSE, coders),)
    if case.state == S.RESCORING and case.assessments and case.cause in (Cause.C, Cause.E):
        return ((What.CORRECT, (case.assessments[-1].evidence.coder,)),)
    if case.state == S.CAUSE_ACCEPTED:
        return ((What.RETURN, state.with_role(Role.RESEARCHER, Role.MODERATOR)),)
    if case.state == S.POSTPONED:
        return ((What.REVIEW, state.with_role(Role.RESEARCHER)),)
    if unmended := _unmended(state, case):
        return unmended
    bare = tuple(c for c in coders if c in silent or not given[c].cites)
    if case.cause == Cause.D and bare:
        return ((What.REASON, bare),)
    return ((What.PROPOSE_OUTCOME, coders),)


def _unmended(state: State, case: Case) -> Asks:
    """The change that a returned case still asks for, or who has to say whether it settles it."""
    if case.state != S.RETURNED or case.epoch != state.epoch.number:
        return ()
    found = ending(trail_of(state), case.item, case.question)
    what = {"change": What.CHANGE, "settle": What.SETTLE}
    lacks = isinstance(found, Missing) and found.code in what
    return ((what[found.code], found.who),) if isinstance(found, Missing) and lacks else ()


def awaited(sight: Sight, case: Case) -> tuple[str, ...]:
    """Who must act for a case to go on, as somebody may know it."""
    asks = asked_about(sight.state, case, sight)
    names = dict.fromkeys(name for _, each in asks for name in each)
    return tuple(names)


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


# ------------------------------------------------------------------ about everything

FORWARD = {Step.SETUP: (1,), Step.TASK: (3,), Step.ALIGNMENT: (3, 6)}
ENDS, GOES_ON = 8, 24
# Transitions.
GUIDELINES = "the guidelines"
TYPED = {"all_acknowledged", "all_signed_off", "no_objection", ACCEPTANCE}
# Guards whose people are asked by a kind of their own.


ORDER = {what: place for place, what in enumerate(What)}
WAYS_ON: dict[Step, tuple[What, str, dict[str, str]]] = {
    Step.SETUP: (What.GO, "go", {"to": "task"}),
    Step.TASK: (What.GO, "go", {"to": "alignment"}),
    Step.ALIGNMENT: (What.OPEN, "round open", {}),
}


@dataclass(frozen=True)
class Request:
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
    """

    what: What
    do: Action
    n: int = 1
    cases: tuple[int, ...] = ()
    about: tuple[str, ...] = ()

    @property
    def says(self) -> str:
        """It in a sentence, without a full stop.

        Examples
        --------
        >>> Request(What.REASON, step("case reason"), 3, (1, 2, 5)).says
        'give a reason: 3 cases (1-2, 5)'
        """
        which = f"{counted(self.n, 'case')} ({ranges(self.cases)})" if self.cases else ""
        if self.what is What.ANNOTATE:
            which = f"{self.n:,} left"
        elif self.what is What.DEPENDENT:
            which = ""
        meant = ", ".join(filter(None, (listing(self.about) if self.about else "", which)))
        return f"{self.what}: {meant}" if meant else self.what.value


Given = tuple[str, Request]  # person, what they are asked for


def waiting(state: State, person: str = "") -> dict[str, tuple[Request, ...]]:
    """What everybody is asked for now, as somebody may know it.

    Parameters
    ----------
    state : State
    person : str
        Who reads; an empty name is the public.

    Returns
    -------
    dict of str to tuple of Request
        Person → what comes first, first; who is asked for nothing is absent.

    Examples
    --------
    >>> waiting(State())
    {}
    """
    found: dict[str, list[Request]] = {}
    for name, asked in _everything(seeing(state, person)):
        found.setdefault(name, []).append(asked)
    return {name: _in_order(each) for name, each in found.items()}


def _in_order(each: Iterable[Request]) -> tuple[Request, ...]:
    return tuple(sorted(each, key=lambda one: ORDER[one.what]))


def _everything(sight: Sight) -> Iterator[Given]:
    state = sight.state
    match state.step:
        case Step.ANNOTATION if (some := state.epoch.round) is not None:
            coders = progress(state, some)
            for one in coders:
                yield from _annotating(one.coder, some, one.left, one.done)
            if all(one.done for one in coders):
                yield from _researchers(state, What.CLOSE, "round close", _name(some))
        case Step.COMPARISON:
            unmet = unmet_of(state, ENDS, {})
            yield from _accepting(unmet)
            if state.purpose is Purpose.ELICIT_VARIATION or not unmet:
                yield from _researchers(state, What.RELEASE, "release")
            elif any(one.guard != ACCEPTANCE for one in unmet):
                yield from _researchers(state, What.GO, "go", to="resolution")
        case Step.RESOLUTION:
            yield from _of_resolution(sight)
        case Step.HALTED:
            missing = [u for u in unmet_of(state, GOES_ON, {}) if u.guard == "finding_recorded"]
            yield from _prepared(state, missing)
            if not missing:
                yield from _researchers(state, What.GO, "go", to="resolution")
        case Step.TASK | Step.ALIGNMENT if state.epoch.begun:
            yield from _changing(sight)
        case Step.SETUP | Step.TASK | Step.ALIGNMENT:
            yield from _before_a_round(state)
        case _:
            pass  # finished or abandoned: nobody is awaited


def _researchers(
    state: State, what: What, words: str, *about: str, **options: object
) -> Iterator[Given]:
    for name in state.with_role(Role.RESEARCHER):
        yield name, _some(what, words, about, **options)


def _some(what: What, words: str, about: Iterable[str], **options: object) -> Request:
    parts = tuple(about)
    return Request(what, step(words, **options), len(parts) or 1, (), parts)


# ------------------------------------------------------------------ before and in a round


def _name(some: Round) -> str:
    return f"round {some.number}"


def _annotating(coder: str, some: Round, left: int, done: bool) -> Iterator[Given]:
    if left:
        yield coder, replace(_some(What.ANNOTATE, "annotate", [_name(some)]), n=left)
    elif not done:
        yield coder, _some(What.SUBMIT, "submit", [_name(some)])


def _before_a_round(state: State) -> Iterator[Given]:
    """Steps 0 to 2: what the way on lacks; the way on where nothing is missing."""
    unmet = [u for number in FORWARD[state.step] for u in unmet_of(state, number, {})]
    if state.step is not Step.SETUP:
        yield from _agreeing(state)
    yield from _prepared(state, unmet)
    if not unmet:
        what, words, options = WAYS_ON[state.step]
        yield from _researchers(state, what, words, **options)


def _changing(sight: Sight) -> Iterator[Given]:
    """Back in steps 1 and 2: the change that cases ask for, everybody's consent, and a round."""
    state = sight.state
    asks = [*_by_person(sight, (What.CHANGE,))]
    found = [*asks, *_settling(state), *_ready(state)]
    since = since_last_round(state)
    yield from found
    if not found and open_orders(state):
        yield from _researchers(state, What.OPEN, "round open")
    elif not found and (since.changes or since.concepts):
        yield from _researchers(state, What.GO, "go", to="resolution")
    elif not asks and not (since.changes or since.concepts):
        yield from _researchers(state, What.CHANGE, "guidelines", GUIDELINES)


def _ready(state: State) -> Iterator[Given]:
    """Whatever a round waits for."""
    yield from _agreeing(state)
    yield from _prepared(
        state, [u for n in FORWARD[Step.ALIGNMENT] for u in unmet_of(state, n, {})]
    )


def _prepared(state: State, unmet: Iterable[Unmet]) -> Iterator[Given]:
    """What guards miss that no coder is asked for by a kind of its own."""
    for one in unmet:
        if one.guard not in TYPED or not one.awaited:
            do = one.do[0] if one.do else step("status")
            for name in one.awaited or state.with_role(Role.RESEARCHER):
                yield name, Request(What.PREPARE, do, about=(one.says,))


def _agreeing(state: State) -> Iterator[Given]:
    """Who has still to read, sign or confirm something."""
    epoch = state.epoch
    for coder in state.coders:
        unsigned = list[str]()
        if epoch.guidelines and epoch.task_hash and not acknowledgement_holds(epoch, coder):
            version = f"guidelines {epoch.guidelines[-1].version}"
            unsigned.append(version)
        against = [one.concept for one in epoch.objections if one.coder == coder]
        unsigned += [
            name
            for name, versions in epoch.concepts.items()
            if epoch.signed.get(name, {}).get(coder) != versions[-1].version and name not in against
        ]
        if unsigned:
            yield coder, _some(What.SIGN, "sign-off", unsigned)
        if against:
            told = [f"concept {name}" if name else GUIDELINES for name in against]
            yield coder, _some(What.OBJECTION, "sign-off", told)


# ------------------------------------------------------------------ step 5


def _of_resolution(sight: Sight) -> Iterator[Given]:
    """Cases, what is owed again, and the end."""
    state = sight.state
    yield from _by_person(sight)
    yield from _settling(state)
    late = [*dependent_cells(state)]
    for coder in dict.fromkeys(cell[0] for cell in late):
        cells = [(case, item, question) for who, case, item, question in late if who == coder]
        first, item, question = cells[0]
        options = {} if first.item == item else {"item": state.items.ids[item]}
        do = step("case rescore", case=first.number, question=question, **options)
        about = tuple(f"{q} about {state.items.ids[i]}" for _, i, q in cells)
        numbers = tuple(dict.fromkeys(case.number for case, *_ in cells))
        yield coder, Request(What.DEPENDENT, do, len(cells), numbers, about)
    if orders := open_orders(state):
        waits = [*_ready(state)]
        yield from waits
        if not waits:
            told = (f"re-annotation {one.number}" for one in orders)
            yield from _researchers(state, What.OPEN, "round open", *told)
    elif not live_cases(state.epoch) and not late:
        missing = status_now(state).missing
        yield from _accepting(missing)
        yield from _prepared(state, missing)
        if not missing:
            yield from _researchers(state, What.RELEASE, "release")


def _settling(state: State) -> Iterator[Given]:
    """Who has still to say whether a change settles a disagreement of theirs."""
    found = dict[str, list[str]]()
    for (question, item), missing in endings(state).missing.items():
        own = missing.code == "settle" and asked_at(state.epoch, item, question)
        for name in missing.who if own else ():
            found.setdefault(name, []).append(f"{state.items.ids[item]} {question}")
    for name, each in found.items():
        yield name, _some(What.SETTLE, "sign-off", each, settles="all")


def _accepting(unmet: Iterable[Unmet]) -> Iterator[Given]:
    """Who has still to accept what was imported in their name."""
    for one in unmet:
        for name in one.awaited if one.guard == ACCEPTANCE else ():
            yield name, _some(What.ACCEPT, "accept", ())


def _by_person(sight: Sight, only: Collection[What] = OF_CASES) -> Iterator[Given]:
    """What is asked about cases, together for each person and kind."""
    state, found = sight.state, dict[tuple[str, What], list[Case]]()
    for case in live_cases(state.epoch):
        for what, names in asked_about(state, case, sight):
            for name in names if what in only else ():
                found.setdefault((name, what), []).append(case)
    for (name, what), cases in found.items():
        numbers = tuple(case.number for case in cases)
        asked = Request(what, step_about(what, numbers[0]), len(numbers), numbers)
        if what is What.CHANGE:
            about = tuple(dict.fromkeys(map(_wanted, cases)))
            do = step("guidelines" if GUIDELINES in about else "concepts")
            asked = replace(asked, about=about, do=do)
        yield name, asked


def _wanted(case: Case) -> str:
    """What must change for a case that was returned."""
    last = case.assessments[-1]
    if CAUSES[last.cause].returns_to is Step.TASK:
        return GUIDELINES
    return f"concept {last.evidence.concept or case.returned_for}"
