"""The life of a case as one table: what is done in it, where, what must hold, and what follows.

From the table come the refusals of the commands, what a person may do in a case and why not the
rest, and the reference. Who may, at which steps and with what stands with each command.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from . import case_guards as g
from .command import COMMANDS, Unmet, unmet_by_anybody
from .disagreement import the_case
from .state import Case, State
from .words import CaseState as S

__all__ = ["CASE_TABLE", "DISCUSSED", "VARIANTS", "Row", "actions", "unmet_in"]

Guard = Callable[[State, Case, str], list[Unmet]]

EVERYWHERE = tuple(S)
TALKED = (S.OPEN, S.REASONS)
DISCUSSED = (*TALKED, S.CAUSE_PROPOSED, S.CAUSE_ACCEPTED, S.RESCORING, S.ARGUED)
LIVE = (*DISCUSSED, S.RETURNED, S.POSTPONED)
WITH_OUTCOME = (S.CAUSE_ACCEPTED, S.RETURNED, S.ARGUED)
AGAIN = tuple(s for s in S if s not in (*TALKED, S.CAUSE_PROPOSED))


@dataclass(frozen=True)
class Row:
    """What one command does in a case.

    Parameters
    ----------
    at : tuple of CaseState
        Where the case may stand.
    needs : tuple of callable
        Guards ``(state, case, by)``: each gives what is missing. Those that hold in any state come
        first, up to `case_guards.own_reason`: the others are asked only where these hold.
    to : str
        Where the case goes; "stays" if nowhere.
    then : str
        What follows, for other cases and answers.
    todo : str
        What to do where the case stands elsewhere.
    instead : mapping of CaseState to str
        The same for single states.
    """

    at: tuple[S, ...]
    needs: tuple[Guard, ...]
    to: str
    then: str = ""
    todo: str = ""
    instead: Mapping[S, str] = field(default_factory=dict)


CASE_TABLE: dict[str, Row] = {
    "case reason": Row(DISCUSSED, (g.takes_part, g.not_suspended), "reasons, if it was open",
        "the others' reasons can be read by who gave one"),
    "case remark": Row(EVERYWHERE, (g.may_speak, g.not_suspended, g.own_reason), "stays"),
    "case slip": Row(TALKED, (g.takes_part, g.not_suspended),
        "argued; agreed if all answers are equal then and something is cited",
        "cause e, with its consent, and the correction"),
    "cause propose": Row(TALKED, (g.may_speak, g.not_suspended, g.own_reason), "cause proposed",
        "who proposes and is asked consents", "open the case again first",
        {S.CAUSE_PROPOSED: "accept or refuse the cause that is proposed, propose another instead "
         "of it, or let who proposed it withdraw it",
         S.POSTPONED: "wait for the research, or open the case again"}),
    "cause counter": Row((S.CAUSE_PROPOSED,),
        (g.may_speak, g.not_suspended, g.own_reason, g.cause_asks), "cause proposed",
        "the cause that was proposed is refused with it"),
    "cause accept": Row((S.CAUSE_PROPOSED,),
        (g.not_suspended, g.reason_for_consent, g.cause_asks, g.cause_awaits),
        "as the cause says, with the last consent", "", "propose a cause first"),
    "cause refuse": Row((S.CAUSE_PROPOSED,),
        (g.not_suspended, g.reason_for_consent, g.cause_asks), "reasons"),
    "cause withdraw": Row((S.CAUSE_PROPOSED,), (g.proposer,), "reasons", "",
        "what all have accepted is opened again instead",
        dict.fromkeys(TALKED, "nothing is proposed: propose a cause first")),
    "cause dispute": Row(TALKED, (g.not_suspended, g.refused_before),
        "argued (d), or cause accepted (a2) where a gap is cited"),
    "case retract": Row((S.CAUSE_PROPOSED, *WITH_OUTCOME), (g.not_suspended, g.consents_now),
        "stays", "a cause or an outcome waits for this consent again",
        "what all have accepted is opened again instead",
        dict.fromkeys(TALKED, "nothing is proposed: propose a cause first")),
    "case rescore": Row((S.RESCORING,), (g.takes_part, g.not_suspended, g.named_by_cause),
        "argued; agreed if all answers are equal then and something is cited",
        "cases about the same item, and on questions that depend on it, are looked at again",
        "accept cause c or e first"),
    "outcome propose": Row((S.ARGUED, S.RETURNED),
        (g.may_speak, g.not_suspended, g.toolbox_mended, g.nothing_proposed, g.several_coders,
         g.reasons_argued),
        "stays", "who proposes and holds an answer consents", "let a cause be accepted first",
        {S.CAUSE_ACCEPTED: "the toolbox must change first: return it to step 1 or 2"}),
    "outcome counter": Row((S.ARGUED, S.RETURNED),
        (g.takes_part, g.not_suspended, g.toolbox_mended, g.several_coders, g.reasons_argued),
        "stays", "the outcome that was proposed is refused with it"),
    "outcome accept": Row(EVERYWHERE,
        (g.takes_part, g.not_suspended, g.outcome_proposed, g.outcome_awaits, g.in_force),
        "agreed, with the last consent", "who held another answer is rescored"),
    "outcome refuse": Row(EVERYWHERE, (g.takes_part, g.not_suspended, g.outcome_proposed),
        "stays", "the discussion goes on"),
    "case defer": Row((S.CAUSE_ACCEPTED,),
        (g.may_speak, g.not_suspended, g.under_b, g.nothing_proposed, g.several_coders),
        "stays", "with the last consent agreed, and a deviation on every export",
        "deference exists under b only"),
    "case return": Row((S.CAUSE_ACCEPTED, S.RETURNED), (g.not_suspended,), "returned",
        "the project goes to step 1 or 2; a change orders re-annotation, agreed items included",
        "let cause a or b be accepted first"),
    "case postpone": Row(DISCUSSED, (g.may_speak, g.not_suspended), "postponed",
        "no ground truth while one waits"),
    "case reopen": Row(AGAIN, (g.may_speak, g.not_suspended, g.asked_of_several), "reasons",
        "everything said before is kept", "",
        dict.fromkeys((*TALKED, S.CAUSE_PROPOSED), "it is open: go on with its discussion")),
    "case leave": Row(LIVE, (g.not_suspended,), "unresolved", "the release is deprecated",
        "open it again first"),
    "case decide": Row(EVERYWHERE, (g.adjudicates, g.left_disagreed, g.not_suspended), "unresolved",
        "the coders' answers stay beside it; the release is deprecated"),
    "case aggregate": Row(EVERYWHERE, (g.adjudicates, g.left_disagreed, g.not_suspended),
        "unresolved", "as one decided"),
}  # fmt: skip
"""Everything that is done in a case, by the name of its command (`command.COMMANDS`)."""
VARIANTS = {"cause counter": "cause propose", "outcome counter": "outcome propose"}
"""What is done with another command: proposing something instead of what stands."""


def unmet_in(name: str, state: State, by: str, cases: Iterable[Case]) -> list[Unmet]:
    """What keeps a person from doing something in cases, by the table; nothing if they may.

    What comes with the command (a reason, a citation, an answer) the command itself looks at.
    """
    row, found = CASE_TABLE[name], list[Unmet]()
    for case in cases:
        todo = row.instead.get(case.state, row.todo)
        found += (new := _first(row, state, case, by))
        found += (elsewhere := g.in_state(state, case, row.at, todo))
        if not new and not elsewhere:
            found += [u for need in row.needs if need not in g.ANYWHERE
                      for u in need(state, case, by)]  # fmt: skip
    return found


def _first(row: Row, state: State, case: Case, by: str) -> list[Unmet]:
    return [u for need in row.needs if need in g.ANYWHERE for u in need(state, case, by)]


def actions(state: State, case: int, person: str) -> dict[str, tuple[Unmet, ...]]:
    """What a person may do in a case, and why not the rest.

    Parameters
    ----------
    state : State
    case : int
    person : str

    Returns
    -------
    dict of str to tuple of Unmet
        By the name of the command: what is missing; nothing where it may be done, apart from what
        has to be given with it.

    Raises
    ------
    RequestError
        If there is no such case in the task in force.
    """
    one, found = the_case(state, case), {}
    for name in CASE_TABLE:
        unmet = unmet_by_anybody(state, person, COMMANDS[VARIANTS.get(name, name)])
        found[name] = tuple(unmet or unmet_in(name, state, person, [one]))
    return found
