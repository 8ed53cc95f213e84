"""Guards of step 5 and of the end: what a return, a halt or a release needs.

What comes with the command (`asked`): ``cases`` (to be returned or postponed), ``concept``,
``by``, ``reason``, ``review_date``.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import partial

from ..disagreement import label_of_case, live_cases
from ..proof import Kind, Proof, proved
from ..refusal import Unmet, step
from ..sentences import counted, listing
from ..staleness import open_orders, stale_counts, stale_items
from ..state import Case, State
from ..words import CaseState, Cause, Role
from .guard import GUARDS, Asked, guard

__all__ = ["ACCEPTANCE", "OF_SOURCES"]

ACCEPTANCE = "imports_accepted"
OF_SOURCES = ("source.cause", "source.text", "source.again")
"""What `proof` misses in an import that does not say how the coders came to agree."""


def _accepted(state: State, asked: Asked, causes: Sequence[Cause]) -> list[Case]:
    cases: Sequence[Case] = asked.get("cases") or live_cases(state.epoch)
    asking = (CaseState.CAUSE_ACCEPTED, CaseState.RETURNED)
    waiting = (case for case in cases if case.state in asking)
    return [case for case in waiting if case.cause in causes]


def _lacks_cause(state: State, asked: Asked, guard_name: str, *causes: Cause) -> list[Unmet]:
    if _accepted(state, asked, causes):
        return []
    says = f"no case has the accepted cause {' or '.join(causes)}"
    return [Unmet(guard_name, says, "let the coders accept it first")]


@guard("accepted_cause:a2|a1_task")
def _accepted_a(state: State, asked: Asked) -> list[Unmet]:
    return _lacks_cause(state, asked, "accepted_cause:a2|a1_task", Cause.A2, Cause.A1_TASK)


@guard("accepted_cause:b|a1_concept")
def _accepted_b(state: State, asked: Asked) -> list[Unmet]:
    return _lacks_cause(state, asked, "accepted_cause:b|a1_concept", Cause.B, Cause.A1_CONCEPT)


@guard("concept_named")
def _concept_named(state: State, asked: Asked) -> list[Unmet]:
    if str(asked.get("concept") or "").strip():
        return []
    cases = _accepted(state, asked, (Cause.B, Cause.A1_CONCEPT))
    without = [case for case in cases if not case.assessments[-1].evidence.concept.strip()]
    if not without:
        return []
    says = f"{listing(without, named=partial(label_of_case, state))} names no concept"
    todo = "say which concept must be looked at again"
    return [Unmet("concept_named", says, todo, argument=True)]


@guard("a1_task_not_agreed")
def _a1_task_not_agreed(state: State, asked: Asked) -> list[Unmet]:
    """A case whose accepted cause was a1-task came back from step 1 and is still not agreed."""
    for case in live_cases(state.epoch):
        if case.state != CaseState.RETURNED and _tried(case):
            return []
    says = "no case with the accepted cause a1-task has come back from step 1 without agreement"
    todo = "return such a case to step 1 once, and try to agree on what the task is"
    return [Unmet("a1_task_not_agreed", says, todo)]


def _tried(case: Case) -> bool:
    """Whether a case was returned for what a1-task asks: to agree on the task in step 1."""
    cause = ""
    for _, to, why, _ in case.history:
        if to == CaseState.CAUSE_ACCEPTED:
            cause = why
        elif to == CaseState.RETURNED and cause == f"cause {Cause.A1_TASK.value}":
            return True
    return False


@guard("research_needed")
def _research_needed(state: State, asked: Asked) -> list[Unmet]:
    postponed = any(c.state == CaseState.POSTPONED for c in state.epoch.cases.values())
    if asked.get("cases") or postponed:
        return []
    says = "no case waits for research"
    return [Unmet("research_needed", says, "name the cases that need it", argument=True)]


@guard("review_date")
def _review_date(state: State, asked: Asked) -> list[Unmet]:
    text = str(asked.get("review_date") or "").strip()
    try:
        date.fromisoformat(text)
    except ValueError:
        says = f"{text!r} is no date" if text else "no review date is given"
        todo = "give the day on which to look again, like 2027-03-01"
        return [Unmet("review_date", says, todo, argument=True)]
    return []


@guard("finding_recorded", step("finding"))
def _finding_recorded(state: State, asked: Asked) -> list[Unmet]:
    if state.halted and state.found > state.halted:
        return []
    researchers = tuple(p.name for p in state.people.values() if Role.RESEARCHER in p.roles)
    says = "it is not recorded what the research found"
    return [Unmet("finding_recorded", says, "record the finding", researchers)]


@guard("toolbox_unchanged")
def _toolbox_unchanged(state: State, asked: Asked) -> list[Unmet]:
    if not state.halted or state.toolbox is None or state.toolbox.seq <= state.halted:
        return []
    says = "the toolbox has changed since the project was halted"
    return [Unmet("toolbox_unchanged", says, "go on from step 0, 1 or 2 instead")]


# ------------------------------------------------------------------ orders and staleness


@guard("no_open_order", step("reannotate"))
def _no_open_order(state: State, asked: Asked) -> list[Unmet]:
    orders = open_orders(state)
    if not orders:
        return []
    which = listing(f"{order.number}: {order.trigger}" for order in orders)
    says = f"{counted(len(orders), 'order')} to annotate again ({which})"
    return [Unmet("no_open_order", says, "carry out in a new round, or waive with a reason")]


@guard("no_stale", step("round open"))
def _no_stale(state: State, asked: Asked) -> list[Unmet]:
    counts = stale_counts(state.epoch)
    if not counts:
        return []
    where = listing(f"{question}: {n:,}" for question, n in counts.items())
    says = f"{counted(sum(counts.values()), 'annotation')} made under an earlier toolbox ({where})"
    todo = "annotate again, or waive the order with a reason"
    if gone := _stale_and_gone(state):
        todo += f"; {listing(gone)} is no coder any more: add the role again, and decline for them"
    return [Unmet("no_stale", says, todo)]


def _stale_and_gone(state: State) -> list[str]:
    """Who has stale annotations and cannot make them again."""
    found = {
        coder: None
        for question, columns in state.epoch.current.items()
        for coder in columns
        if coder not in state.coders and stale_items(state.epoch, question, coder)
    }
    return list(found)


# ------------------------------------------------------------------ the end


@guard("all_cases_agreed", step("cases", live=True))
def _all_cases_agreed(state: State, asked: Asked) -> list[Unmet]:
    cases = state.epoch.cases.values()
    done = (CaseState.AGREED, CaseState.CLOSED)
    open_ = [case for case in cases if case.state not in done]
    if not open_:
        return []
    says = f"{counted(len(open_), 'case')} of {len(cases)} not agreed"
    which = listing(open_, named=partial(label_of_case, state))
    return [Unmet("all_cases_agreed", f"{says}: {which}", "settle them")]


def _lacks(one: tuple[Proof, Unmet]) -> str:
    return f"{one[0].item}, {one[0].question}: {one[1].says}"


@guard("proved")
def _proved(state: State, asked: Asked) -> list[Unmet]:
    """Every answer has a proof; what other guards say of one is not said again."""
    found = proved(state)
    unmet = [
        Unmet(
            code,
            f"{counted(len(each), 'answer')} without a proof "
            f"({listing(each, 3, named=_lacks, join='; ')})",
            each[-1][1].todo,
        )
        for code, each in found.by_guard.items()
        if code not in GUARDS or not GUARDS[code](state, asked)
    ]
    n = found.kinds.get(Kind.DOCUMENTED, 0)
    if n and not found.lacking:  # what is accepted is what all else has led to
        came = {c: None for some in state.epoch.rounds if some.imported for c in some.coders}
        says = f"{counted(n, 'answer')} imported as documented, and not accepted by the coders"
        todo_ = "let each accept what was imported in their name"
        silent = tuple(coder for coder in came if coder not in state.epoch.accepted)
        unmet.append(Unmet(ACCEPTANCE, says, todo_, silent, do=(step("accept"),)))
    return unmet


@guard("researcher_signs")
def _researcher_signs(state: State, asked: Asked) -> list[Unmet]:
    if state.has_role(str(asked.get("by") or ""), Role.RESEARCHER):
        return []
    researchers = tuple(p.name for p in state.people.values() if Role.RESEARCHER in p.roles)
    says = "a researcher must sign for finishing with unresolved cases"
    return [Unmet("researcher_signs", says, "let a researcher finish", researchers)]


@guard("each_open_case_left_or_dictator")
def _each_open_case_left(state: State, asked: Asked) -> list[Unmet]:
    live = live_cases(state.epoch)
    if not live:
        return []
    which = listing(live, named=partial(label_of_case, state))
    says = f"{counted(len(live), 'case')} neither agreed nor declared unresolved: {which}"
    todo = "leave each as it is with a reason, or let the adjudicator decide it after that"
    return [Unmet("each_open_case_left_or_dictator", says, todo)]
