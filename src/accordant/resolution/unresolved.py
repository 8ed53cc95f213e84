"""Cases on which the coders do not come to agree: left as they are, decided, or aggregated."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import Annotated

from msgspec import field

from ..errors import RequestError
from .answers import OneAnswer, checked_answer
from .case_guards import given
from .case_table import unmet_in
from .cases import CaseEvent, drop_proposals, told_in, turn
from .command import Asked, Events, Unmet, command, guard, require
from .disagreement import Cases, cases_named, item_name, label_of_case, live_cases, said, the_case
from .event import Stamp, on
from .records import Answer, Note
from .sentences import counted, listing
from .state import Case, State
from .taken import Typed
from .wording import all_known
from .words import CaseState, Role, Settled, Step

__all__ = [
    "METHODS", "TIES", "Aggregated", "CaseLeft", "Decided", "aggregate", "decide",
    "leave_disagreed",
]  # fmt: skip


class CaseLeft(CaseEvent, frozen=True, tag="case left disagreed"):
    """A researcher declares the case unresolved and leaves it so; all answers are kept."""

    says = "case {case} is left disagreed"

    reason: str


class Decided(CaseEvent, frozen=True, tag="case decided"):
    """The adjudicator decides an unresolved case: single-annotator portion of the data."""

    says = "case {case}: {by} decides “{answer}”"

    answer: Answer
    reason: str
    by: str


class Aggregated(CaseEvent, frozen=True, tag="case aggregated"):
    """The adjudicator applies an aggregation (e.g. majority) to an unresolved case."""

    answer: Answer | None  # None: tie, left disagreed
    method: str
    parameters: dict[str, str] = field(default_factory=dict)
    by: str = ""

    def sentence(self) -> str:
        """What the rule gives."""
        given = "a tie, left disagreed" if self.answer is None else f"“{self.answer}”"
        return f"case {self.case}: {self.method} gives {given}"


def _settled(state: State, case: Case, settled: Settled, stamp: Stamp, why: str) -> None:
    case.settled, case.text = settled, why
    case.toolbox = state.ordinal
    drop_proposals(case)
    turn(case, CaseState.UNRESOLVED, f"{settled.value}: {why}")


@on(CaseLeft)
def _left(state: State, event: CaseLeft, stamp: Stamp) -> None:
    case = told_in(state, event, stamp)
    case.answer, case.decided_by, case.method = None, "", ""
    _settled(state, case, Settled.LEFT_DISAGREED, stamp, event.reason)


@on(Decided)
def _decided(state: State, event: Decided, stamp: Stamp) -> None:
    case = told_in(state, event, stamp)
    case.answer, case.decided_by, case.method = event.answer, event.by, ""
    _settled(state, case, Settled.DICTATOR_DECISION, stamp, event.reason)


@on(Aggregated)
def _by_rule(state: State, event: Aggregated, stamp: Stamp) -> None:
    case = told_in(state, event, stamp)
    parameters = ", ".join(f"{name} {value}" for name, value in sorted(event.parameters.items()))
    case.answer, case.decided_by = event.answer, event.by
    case.method = f"{event.method} ({parameters})" if parameters else event.method
    tie = event.answer is None
    settled = Settled.LEFT_DISAGREED if tie else Settled.DICTATOR_AGGREGATION
    _settled(state, case, settled, stamp, f"{case.method}: tie" if tie else case.method)


@guard("each_open_case_left_or_dictator")
def _each_open_case_left(state: State, asked: Asked) -> list[Unmet]:
    live = live_cases(state.epoch)
    if not live:
        return []
    which = listing(live, named=partial(label_of_case, state))
    says = f"{counted(len(live), 'case')} neither agreed nor declared unresolved: {which}"
    todo = "leave each as it is with a reason, or let the adjudicator decide it after that"
    return [Unmet("each_open_case_left_or_dictator", says, todo)]


METHODS = {
    "majority": "the answer of more than half of the coders of the item",
    "plurality": "the answer that most coders of the item gave",
}
TIES = {
    "left disagreed": "the case stays as it is, with all values",
    "first option": "the label that stands first in the guidelines",
}


@command(
    "case leave", "declare cases unresolved, with all answers kept", roles=(Role.RESEARCHER,),
    steps=(Step.RESOLUTION,),
)  # fmt: skip
def leave_disagreed(state: State, by: str, *, cases: Cases | None = None, reason: str) -> Events:
    """Leave cases disagreed, as a researcher.

    All their answers are kept and exported. The data are then no ground truth.

    Parameters
    ----------
    state : State
    by : str
        A researcher.
    cases : numbers or names of groups, optional
        All that are not settled by default.
    reason : str
        Why.

    Notes
    -----
    The authors of the procedure argue against it (Oortwijn et al. 2021, section 4.2): the release
    is deprecated. An adjudicator who was appointed may decide afterwards.

    Examples
    --------
    All answers are kept:
    $ accordant project case 8 leave 'two readings stand'
    Then, if at all:
    $ accordant project case 8 decide no 'the editor says so' --as dora
    """
    named = live_cases(state.epoch) if cases is None else cases_named(state, cases)
    unmet = given(reason)
    if not named:
        unmet.append(Unmet("case_state", "no case waits to be settled"))
    unmet += unmet_in("case leave", state, by, named)
    require("leaving cases disagreed", unmet)
    return [CaseLeft(case.number, reason.strip()) for case in named]


@command(
    "case decide", "decide an unresolved case", roles=(Role.ADJUDICATOR,), steps=(Step.RESOLUTION,)
)
def decide(
    state: State,
    by: str,
    *,
    case: int,
    answer: OneAnswer,
    reason: str,
    source: str = "",
) -> Events:
    """Decide a case that was left disagreed, as the adjudicator.

    The coders' answers are kept beside it.

    Parameters
    ----------
    state : State
    by : str
        The adjudicator.
    case : int
    answer : Answer, str or sequence of str
        The answer.
    reason : str
        Why.
    source : str
        Of "ambiguous": why the item is so.

    Notes
    -----
    The paper calls this a dictator and advises strongly against it (section 4.2): this part of the
    data has the judgement of a single person, and the release is deprecated.

    Examples
    --------
    The adjudicator:
    $ accordant project case 8 decide no 'the editor says so' --as dora
    Appoints one; this is advised against:
    $ accordant project adjudicator dora
    """
    one = the_case(state, case)
    note = Note(source=source, reason=reason)
    new = checked_answer(state, one.question, answer, note, item_name(state, one))
    unmet = given(reason) + unmet_in("case decide", state, by, [one])
    require(f"deciding {label_of_case(state, one)}", unmet)
    return [Decided(case, new, reason.strip(), by)]


@command(
    "case aggregate", "settle unresolved cases by a rule", roles=(Role.ADJUDICATOR,),
    steps=(Step.RESOLUTION,),
)  # fmt: skip
def aggregate(
    state: State,
    by: str,
    *,
    cases: Cases,
    method: Annotated[str, Typed(among=tuple(METHODS))] = "majority",
    ties: Annotated[str, Typed(among=tuple(TIES))] = "left disagreed",
) -> Events:
    """Let a rule decide cases left disagreed, as the adjudicator.

    Parameters
    ----------
    state : State
    by : str
        The adjudicator.
    cases : numbers or names of groups
    method : str
        The answer of more than half of the coders (majority), or the one that most gave
        (plurality).
    ties : str
        What happens where that gives no answer: the case stays as it is, or the label that stands
        first in the guidelines is taken.

    Examples
    --------
    The majority; ties stay disagreed:
    $ accordant project case 8-12 aggregate --as dora
    The answer that most gave:
    $ accordant project case 8-12 aggregate --method plurality --as dora
    """
    all_known("method of aggregation", [method], METHODS, "there are")
    all_known("rule for ties", [ties], TIES, "there are")
    named = cases_named(state, cases)
    require("aggregating", unmet_in("case aggregate", state, by, named))
    return [
        Aggregated(case.number, _aggregated(state, case, method, ties), method, {"ties": ties}, by)
        for case in named
    ]


def _aggregated(state: State, case: Case, method: str, ties: str) -> Answer | None:
    votes = Counter(said(state.epoch, case).values())
    if not votes:
        raise RequestError(f"{label_of_case(state, case)} has no answers to aggregate")
    most = max(votes.values())
    first = [answer for answer, n in votes.items() if n == most]
    enough = method == "plurality" or 2 * most > votes.total()
    if len(first) == 1 and enough:
        return first[0]
    if ties == "left disagreed":
        return None
    options = state.epoch.guidelines[-1].options.get(case.question, ())
    return min(
        first if method == "plurality" else votes,
        key=lambda answer: [options.index(x) if x in options else len(options)
                            for x in answer.labels] or [len(options)],
    )  # fmt: skip
