"""The life of a case as one table: what is done in it, where, what must hold, and what follows.

From the table come the refusals of the commands, what a person may do in a case and why not the
rest, and the reference. Who may, at which steps and with what stands with each command.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter

from ..actions import Action
from ..errors import RequestError
from .answer_form import answer_of
from .case_state import Case
from .command import COMMANDS, Unmet, step, unmet_by_anybody
from .disagreement import (
    awaited_assessment,
    awaited_proposal,
    awaiting,
    consenters,
    label_of_case,
    participants,
    the_case,
)
from .ending import Missing, ending, reasons_given, trail_of
from .sentences import listing
from .staleness import orders_over
from .state import State
from .terms import LEADS, Cause, Settled
from .terms import CaseState as S
from .toolbox import elements

EVERYWHERE = tuple(S)
TALKED = (S.OPEN, S.REASONS)
DISCUSSED = (*TALKED, S.CAUSE_PROPOSED, S.CAUSE_ACCEPTED, S.RESCORING, S.ARGUED)
LIVE = (*DISCUSSED, S.RETURNED, S.POSTPONED)
AGAIN = tuple(s for s in S if s not in (*TALKED, S.CAUSE_PROPOSED))


# ------------------------------------------------------------------ what must hold


class Names(tuple[str, ...]):
    """Names that a template can tell."""

    def __str__(self) -> str:
        return listing(self)


class Here:
    """A case, who would do something in it, and what stands there: what a `Need` may name."""

    def __init__(self, state: State, case: Case, by: str) -> None:
        self.state, self.case, self.by = state, case, by
        self.label = label_of_case(state, case)
        self.coders = Names(participants(state.epoch, case))
        self.cause, self.outcome = awaited_assessment(case), awaited_proposal(case)
        standing = awaiting(case)  # a cause or an outcome: never both
        self.asked, self.proposer = self.coders, standing.by if standing is not None else ""
        if self.cause is not None:
            self.asked = Names(consenters(state.epoch, case, self.cause))
        given = standing.consents if standing is not None else ()
        self.waiting = Names(name for name in self.asked if name not in given)
        self.named = case.assessments[-1].evidence.coder if case.assessments else ""

    @property
    def lacks(self) -> str:
        """What a returned case still asks for before an outcome is proposed; empty: nothing."""
        found = ending(trail_of(self.state), self.case.item, self.case.question)
        wanted = isinstance(found, Missing) and found.code in ("change", "settle")
        return found.says if isinstance(found, Missing) and wanted else ""


@dataclass(frozen=True, eq=False)
class Need:
    """Something that must hold before something is done in a case.

    Parameters
    ----------
    guard : str
        Its name, for programs.
    holds : callable
    says : str
        What is missing, as a template that is given a `Here`.
    who : str
        Whose turn it is: an attribute of `Here`.
    do : str
        A command that helps.
    """

    guard: str
    holds: Callable[[Here], object]
    says: str
    who: str = ""
    do: str = ""

    def __call__(self, at: Here) -> list[Unmet]:
        """What is missing; nothing if it holds."""
        if self.holds(at):
            return []
        who = attrgetter(self.who)(at) if self.who else ()
        awaited = (who,) if isinstance(who, str) else tuple(who)
        do = helping(self.do, at.case) if self.do else ()
        return [Unmet(self.guard, self.says.format(at), awaited, do=do)]


def helping(command: str, case: Case) -> tuple[Action, ...]:
    """A command that helps, about the case if it is one of cases."""
    named = {"cases": case.number} if command.startswith("case ") else {}
    return (step(command, **named),)


def given(text: str, guard: str = "reason", what: str = "reason") -> list[Unmet]:
    """Something to be said with a command."""
    if text.strip():
        return []
    return [Unmet(guard, f"no {what} is given", argument=True)]


def in_state(state: State, case: Case, wanted: Iterable[S]) -> list[Unmet]:
    """The case must stand somewhere."""
    states = tuple(wanted)
    if case.state in states:
        return []
    says = f"{label_of_case(state, case)} is at “{case.state}”, not {_either(states)}"
    return [Unmet("case_state", says)]


def not_suspended(at: Here) -> list[Unmet]:
    """A case whose annotations are stale waits until they are made again."""
    return not_owed(at.state, at.case.item, at.case.question, at.label)


def not_owed(state: State, item: int, question: str, label: str) -> list[Unmet]:
    """Nobody changes an annotation openly that is owed again blindly."""
    orders = orders_over(state.epoch, item, question)
    if not orders:
        return []
    numbers = listing(order.number for order in orders)
    says = f"{label} waits for re-annotation ({numbers})"
    return [Unmet("suspended", says, do=(step("round open"), step("reannotate")))]


def reasons_of_all(state: State, case: Case) -> list[Unmet]:
    """Under d every coder of the item gives a reason that cites the toolbox (Oortwijn, 5d)."""
    coders = participants(state.epoch, case)
    given = reasons_given(state, case)
    silent = tuple(c for c in coders if c not in given)
    bare = tuple(c for c in coders if c in given and not given[c].cites)
    label, found, do = label_of_case(state, case), [], helping("case reason", case)
    if silent:
        says = f"{label} has no reason of {listing(silent)}"
        found.append(Unmet("reason_per_annotator", says, silent, do=do))
    if bare:
        says = f"the reason of {listing(bare)} in {label} cites nothing of the toolbox"
        found.append(Unmet("reason_per_annotator", says, bare, do=do))
    return found


def reasons_argued(at: Here) -> list[Unmet]:
    """Under d an outcome rests on the reasons of all."""
    return reasons_of_all(at.state, at.case) if at.case.cause == Cause.D else []


def citing(cites: Sequence[str]) -> list[Unmet]:
    """An outcome cites the toolbox; where nothing can be cited, the toolbox is incomplete."""
    if cites:
        return []
    says = "nothing is cited; if nothing fits, the toolbox is incomplete: a2, b, or research"
    return [Unmet("citation", says, argument=True)]


def in_force(at: Here) -> list[Unmet]:
    """The toolbox may have changed since: what is cited and answered must still be in it."""
    epoch, proposal, found = at.state.epoch, at.outcome, list[Unmet]()
    if proposal is None:
        return found
    known = elements(at.state)
    if gone := [cite for cite in proposal.cites if cite not in known]:
        says = f"the outcome of {at.label} cites what is no longer in force ({listing(gone)})"
        found.append(Unmet("citation", says))
    try:
        answer_of(epoch.guidelines[-1], epoch.questions[at.case.question], proposal.answer)
    except RequestError:
        says = f"“{proposal.answer}”, proposed for {at.label}, is no longer an option"
        found.append(Unmet("scoring_options", says))
    return found


def _either(states: Iterable[S]) -> str:
    return " or ".join(f"“{one}”" for one in states)


def _has_said_why(at: Here) -> bool:
    return at.by not in at.coders or at.by in at.case.reasons


takes_part = Need(
    "participant", lambda at: at.by in at.coders, "{0.by} has no annotation in {0.label}", "coders"
)
may_speak = Need(
    "participant",
    lambda at: at.state.has_role(at.by, *LEADS) or at.by in at.coders,
    "{0.by} neither annotated {0.label} nor leads its discussion",
    "coders",
)
WHY = "{0.by} has given no reason in {0.label}"
own_reason = Need("own_reason", _has_said_why, WHY, "by", "case reason")
# Whoever consents with why all disagree has said why; of a slip only its coder knows.
reason_for_consent = Need(
    "own_reason",
    lambda at: at.cause is None or at.asked == (at.by,) or _has_said_why(at),
    WHY,
    "by",
    "case reason",
)
NOT_ASKED = "what is proposed for {0.label} asks {0.asked}, not {0.by}"
cause_asks = Need("consent", lambda at: at.cause is None or at.by in at.asked, NOT_ASKED, "asked")
asked_or_proposed = Need(
    "consent",
    lambda at: not at.proposer or at.by in (at.proposer, *at.asked),
    NOT_ASKED,
    "asked",
)
not_accepted = Need(
    "consent",
    lambda at: at.by in at.waiting or at.by not in at.asked,
    "{0.by} has accepted what is proposed for {0.label}",
    "waiting",
)
named_by_cause = Need(
    "own_annotation",
    lambda at: at.by == at.named,
    "{0.label} is about an annotation of {0.named}",
    "named",
)
# A case that was returned has come back with the change that its cause asks for.
toolbox_mended = Need(
    "case_state",
    lambda at: at.case.state != S.RETURNED or not at.lacks,
    "{0.label} was returned: {0.lacks}",
)
nothing_proposed = Need(
    "proposal",
    lambda at: at.outcome is None,
    "“{0.outcome.answer}” is proposed for {0.label}",
    "waiting",
)
several_coders = Need(
    "two_annotators",
    lambda at: len(at.coders) > 1,
    "only {0.coders} holds an answer in {0.label}",
    do="case leave",
)
outcome_proposed = Need(
    "proposal",
    lambda at: at.outcome is not None,
    "no outcome is proposed for {0.label}",
    do="case outcome",
)
# One that was closed may be asked of two coders again, and have nothing that settled it.
asked_of_several = Need(
    "case_state",
    lambda at: at.case.state != S.CLOSED or len(at.coders) > 1,
    "{0.label} is closed, and not asked of two coders",
)
appointed = Need(
    "adjudicator", lambda at: at.state.adjudicator, "no adjudicator is appointed", do="person"
)
adjudicates = Need(
    "adjudicator",
    lambda at: at.state.adjudicator in ("", at.by),
    "only the adjudicator may decide",
    "state.adjudicator",
)
left_disagreed = Need(
    "declared_unresolved",
    lambda at: at.case.state == S.UNRESOLVED,
    "{0.label} is at “{0.case.state}” and was not declared unresolved",
    do="case leave",
)
undecided = Need(
    "declared_unresolved",
    lambda at: at.case.state != S.UNRESOLVED or at.case.settled == Settled.LEFT_DISAGREED,
    "{0.label} has a {0.case.settled} already",
    do="case reopen",
)
ANYWHERE = (
    takes_part,
    may_speak,
    not_suspended,
    own_reason,
    reason_for_consent,
    appointed,
    adjudicates,
    left_disagreed,
    undecided,
)
"""Where one does not hold, nothing else is told."""


# ------------------------------------------------------------------ the table


@dataclass(frozen=True)
class CaseMove:
    """What one command does in a case.

    Parameters
    ----------
    at : tuple of CaseState
        Where the case may stand.
    needs : tuple of callable
        Each gives what is missing. Those that hold in any state come
        first (`ANYWHERE`): the others are asked only where these hold.
    to : str
        Where the case goes; "stays" if nowhere.
    then : str
        What follows, for other cases and answers.
    """

    at: tuple[S, ...]
    needs: tuple[Callable[[Here], list[Unmet]], ...]
    to: str
    then: str = ""


CASE_TABLE: dict[str, CaseMove] = {
    "case reason": CaseMove(
        DISCUSSED,
        (takes_part, not_suspended),
        "reasons, if it was open",
        "the others' reasons can be read by who gave one",
    ),
    "case remark": CaseMove(EVERYWHERE, (may_speak, not_suspended, own_reason), "stays"),
    "case cause": CaseMove(TALKED, (may_speak, not_suspended, own_reason), "cause proposed"),
    "cause accept": CaseMove(
        (S.CAUSE_PROPOSED,),
        (not_suspended, reason_for_consent, cause_asks, not_accepted),
        "as the cause says, with the last consent",
    ),
    "cause refuse": CaseMove(
        (S.CAUSE_PROPOSED,), (not_suspended, reason_for_consent, asked_or_proposed), "reasons"
    ),
    "case rescore": CaseMove(
        (S.RESCORING,),
        (takes_part, not_suspended, named_by_cause),
        "argued; agreed if all answers are equal then and something is cited",
        "cases about the same item, and dependent questions, are looked at again",
    ),
    "case outcome": CaseMove(
        (S.ARGUED, S.RETURNED),
        (
            may_speak,
            not_suspended,
            toolbox_mended,
            nothing_proposed,
            several_coders,
            reasons_argued,
        ),
        "stays",
        "who proposes and holds an answer consents",
    ),
    "outcome accept": CaseMove(
        EVERYWHERE,
        (takes_part, not_suspended, outcome_proposed, not_accepted, in_force),
        "agreed, with the last consent",
        "who held another answer is rescored",
    ),
    "outcome refuse": CaseMove(
        EVERYWHERE, (not_suspended, outcome_proposed, asked_or_proposed), "stays"
    ),
    "case return": CaseMove(
        (S.CAUSE_ACCEPTED, S.RETURNED),
        (not_suspended,),
        "returned",
        "the project goes to step 1 or 2; a change orders re-annotation, agreed items included",
    ),
    "case postpone": CaseMove(
        DISCUSSED, (may_speak, not_suspended), "postponed", "no ground truth while one waits"
    ),
    "case reopen": CaseMove(
        AGAIN,
        (may_speak, not_suspended, asked_of_several),
        "reasons",
        "everything said before is kept",
    ),
    "case leave": CaseMove(LIVE, (not_suspended,), "unresolved", "the release is deprecated"),
    "case decide": CaseMove(
        EVERYWHERE,
        (appointed, adjudicates, left_disagreed, undecided, not_suspended),
        "unresolved",
        "the coders' answers stay beside it; the release is deprecated",
    ),
}
VARIANTS = {
    "cause accept": "case accept",
    "cause refuse": "case refuse",
    "outcome accept": "case accept",
    "outcome refuse": "case refuse",
}


def unmet_in(name: str, state: State, by: str, cases: Iterable[Case]) -> list[Unmet]:
    """What keeps a person from doing something in cases, by the table; nothing if they may.

    What comes with the command (a reason, a citation, an answer) the command itself looks at.
    """
    row, found = CASE_TABLE[name], list[Unmet]()
    for case in cases:
        at = Here(state, case, by)
        new = [u for need in row.needs if need in ANYWHERE for u in need(at)]
        new += in_state(state, case, row.at)
        found += new or [u for need in row.needs if need not in ANYWHERE for u in need(at)]
    return found


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
