"""What everybody is asked for now, in the order in which it comes, and the step that does it.

Status, lists of cases, the report and the walk of `accordant project work` read this. Steps 0 to 4
are told from the guards of the way on; step 5 from where each case stands. While a round is open
nothing is told but how far each coder is, and to themselves what depends on their own answers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter

from ..actions import Action
from .case_asks import OF_CASES, What, asking, dependent_cells, rework, step_about
from .case_state import Case
from .causes import CAUSES
from .command import Unmet, step, unmet_of
from .disagreement import live_cases
from .editorial import confirmations_awaited
from .guidelines import acknowledgement_holds
from .progress import done_by, progress, tally
from .proof import ACCEPTANCE
from .release import status_now
from .sentences import counted, listing, ranges
from .sight import Sight, seeing, shown
from .staleness import open_orders
from .state import Round, State
from .toolbox import since_last_round
from .words import Purpose, Role, Step

__all__ = ["Asked", "asked_of", "waiting"]


FORWARD = {Step.SETUP: (1,), Step.TASK: (3,), Step.ALIGNMENT: (3, 6)}
ENDS, GOES_ON = 8, 24
# Transitions.
GUIDELINES = "the guidelines"
TYPED = {
    "all_acknowledged",
    "all_signed_off",
    "confirmed_no_score_change",
    "no_objection",
    ACCEPTANCE,
}
# Guards whose people are asked by a kind of their own.


ORDER = {what: place for place, what in enumerate(What)}
LAST = ORDER[What.REVIEW]  # of what is asked about cases
ALONE = (What.ANNOTATE, What.SUBMIT)
WAYS_ON: dict[Step, tuple[What, str, dict[str, str]]] = {
    Step.SETUP: (What.GO, "go", {"to": "task"}),
    Step.TASK: (What.GO, "go", {"to": "alignment"}),
    Step.ALIGNMENT: (What.OPEN, "round open", {}),
}
"""How the project goes on before the first round, where nothing is missing."""


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


# ------------------------------------------------------------------ everybody

Given = tuple[str, Asked]  # person, what they are asked for


def waiting(state: State, person: str = "") -> dict[str, tuple[Asked, ...]]:
    """What everybody is asked for now, as somebody may know it.

    Parameters
    ----------
    state : State
    person : str
        Who reads; an empty name is the public.

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
    for name, asked in _with_others([*_everything(seeing(state, person))]):
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
    every, some = [*_everything(seeing(state, person))], state.epoch.round
    if some is not None and person in some.coders:
        left, done = tally(state, some, person).n_left, done_by(state, some, person)
        every = [one for one in every if one[0] != person or one[1].what not in ALONE]
        every += _annotating(person, some, left, done)
    return _in_order([asked for name, asked in _with_others(every) if name == person])


def _with_others(every: Sequence[Given]) -> list[Given]:
    """Each with who else is asked for the same."""
    alike: dict[What, list[tuple[str, frozenset[object]]]] = {}
    for name, asked in every:
        parts = frozenset(asked.cases or asked.about)
        alike.setdefault(asked.what, []).append((name, parts))
    return [
        (name, replace(asked, others=_others(name, asked, alike[asked.what])))
        for name, asked in every
    ]


def _others(
    own: str, asked: Asked, each: Iterable[tuple[str, frozenset[object]]]
) -> tuple[str, ...]:
    parts = asked.cases or asked.about
    found = (name for name, some in each if not parts or not some.isdisjoint(parts))
    return tuple(dict.fromkeys(name for name in found if name != own))


def _in_order(each: Iterable[Asked]) -> tuple[Asked, ...]:
    """Cases that would be annotated again come behind everything else about cases."""
    return tuple(
        sorted(each, key=lambda one: (ORDER[one.what] > LAST, bool(one.after), ORDER[one.what]))
    )


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
                yield from _researchers(state, What.RESOLVE, "resolve")
        case Step.RESOLUTION:
            yield from _of_resolution(sight)
        case Step.HALTED:
            missing = [u for u in unmet_of(state, GOES_ON, {}) if u.guard == "finding_recorded"]
            yield from _prepared(state, missing)
            if not missing:
                yield from _researchers(state, What.RESUME, "resume")
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


def _some(what: What, words: str, about: Iterable[str], **options: object) -> Asked:
    parts = tuple(about)
    return Asked(what, step(words, **options), len(parts) or 1, (), parts)


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
    found = [*asks, *_ready(state)]
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
                yield name, Asked(What.PREPARE, do, about=(one.says,))


def _agreeing(state: State) -> Iterator[Given]:
    """Who has still to read, sign or confirm something."""
    epoch, editorial = state.epoch, since_last_round(state).editorial
    for coder in state.coders:
        if epoch.guidelines and epoch.task_hash and not acknowledgement_holds(epoch, coder):
            version = f"guidelines {epoch.guidelines[-1].version}"
            yield coder, _some(What.ACKNOWLEDGE, "acknowledge", [version])
        against = [one.concept for one in epoch.objections if one.coder == coder]
        unsigned = [
            name
            for name, versions in epoch.concepts.items()
            if epoch.signed.get(name, {}).get(coder) != versions[-1].version
        ]
        if left := [name for name in unsigned if name not in against]:
            yield coder, _some(What.SIGN, "sign-off", left)
        if new := [v for v in editorial if coder in confirmations_awaited(state, v)]:
            yield coder, _some(What.CONFIRM, "confirm", new)
        if against:
            told = [f"concept {name}" if name else GUIDELINES for name in against]
            yield coder, _some(What.OBJECTION, "withdraw-objection", told)


# ------------------------------------------------------------------ step 5


def _of_resolution(sight: Sight) -> Iterator[Given]:
    """Cases, what is owed again, and the end."""
    state = sight.state
    yield from _by_person(sight)
    late = [*dependent_cells(state)]
    for coder in dict.fromkeys(cell[0] for cell in late):
        cells = [(case, item, question) for who, case, item, question in late if who == coder]
        first, item, question = cells[0]
        options = {} if first.item == item else {"item": state.items.ids[item]}
        do = step("case rescore", cases=first.number, question=question, **options)
        about = tuple(f"{q} about {state.items.ids[i]}" for _, i, q in cells)
        numbers = tuple(dict.fromkeys(case.number for case, *_ in cells))
        yield coder, Asked(What.DEPENDENT, do, len(cells), numbers, about)
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


def _accepting(unmet: Iterable[Unmet]) -> Iterator[Given]:
    """Who has still to accept what was imported in their name."""
    for one in unmet:
        for name in one.awaited if one.guard == ACCEPTANCE else ():
            yield name, _some(What.ACCEPT, "accept", ())


def _by_person(sight: Sight, only: Collection[What] = OF_CASES) -> Iterator[Given]:
    """What is asked about cases, together for each person and kind."""
    again, cases = rework(sight), sight.state.epoch.cases
    found: dict[tuple[str, What, bool], list[int]] = {}
    each = ((min(numbers), one, numbers) for one, numbers in asking(sight).items() if numbers)
    for _, one, alike in sorted(each, key=itemgetter(0)):
        theirs = one.again and sight.person not in one.unseen
        later = one.question in again.questions and not theirs
        for what, names in one.to(sight.person):
            for name in names if what in only else ():
                found.setdefault((name, what, later), []).extend(alike)
    for (name, what, later), numbers in found.items():
        asked = Asked(what, step_about(what, min(numbers)), len(numbers), tuple(sorted(numbers)))
        if what is What.CHANGE:
            about = tuple(dict.fromkeys(_wanted(cases[number]) for number in asked.cases))
            asked = replace(
                asked, about=about, do=step("guidelines" if GUIDELINES in about else "concepts")
            )
        yield name, replace(asked, after=again.cases, why=again.why) if later else asked


def _wanted(case: Case) -> str:
    """What must change for a case that was returned."""
    last = case.assessments[-1]
    if CAUSES[last.cause].returns_to is Step.TASK:
        return GUIDELINES
    return f"concept {last.evidence.concept or case.returned_for}"


# ------------------------------------------------------------------ for tests of blindness


shown("asked_of")(lambda state, person, records: asked_of(state, person))
shown("waiting")(lambda state, person, records: waiting(state, person))
