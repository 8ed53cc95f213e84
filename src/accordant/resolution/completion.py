"""How cases and projects end: left or decided, finished with a computed status, or abandoned."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from msgspec import field

from .answer_form import OneAnswer, checked_answer
from .case_state import Case
from .case_table import given, unmet_in
from .cases import CaseEvent, drop_proposals, in_case, turn
from .cells import comparisons, missing_cells, unasked_cells
from .chains import ProofKind
from .command import GUARDS, Asked, Events, Unmet, command, guard, require, step, unmet_of
from .disagreement import (
    Cases,
    agreed_by_others,
    cases_named,
    item_name,
    labels_of_cases,
    live_cases,
    said,
)
from .event import Event, Stamp, on
from .proof import ACCEPTANCE, Proof, proved, seal
from .release import ReleaseNow, counts_of, flags_of, status_now
from .sentences import counted, listing
from .staleness import open_orders, stale_counts
from .state import Release, State
from .terms import (
    RESOLVING,
    Answer,
    CaseState,
    Cause,
    Note,
    Purpose,
    ReleaseStatus,
    Role,
    Settled,
    Step,
)
from .transitions import Moved


class Released(Event, frozen=True, tag="released"):
    """A version for others. Its status is computed, never chosen."""

    says = "release {version}: {status}"
    beside = True

    version: int
    status: ReleaseStatus
    toolbox: str  # hash
    head: str  # hash of the log before this event
    counts: dict[str, int] = field(default_factory=dict)
    flags: tuple[str, ...] = ()
    reason: str = ""
    proofs: dict[str, int] = field(default_factory=dict)  # kind of proof → answers
    proofs_digest: str = ""  # see `proof.seal`


@on(Released)
def _given_out(state: State, event: Released, stamp: Stamp) -> None:
    state.releases.append(Release.of(event, at=stamp[0]))


class CaseLeft(CaseEvent, frozen=True, tag="case left disagreed"):
    """A researcher declares the case unresolved and leaves it so; all answers are kept."""

    says = "case {case} is left disagreed"

    reason: str


class Decided(CaseEvent, frozen=True, tag="case decided"):
    """The adjudicator decides an unresolved case, alone or by the majority of its coders."""

    answer: Answer | None  # None: there is no majority, and it stays as it is
    reason: str
    by: str
    method: str = ""  # "majority"

    def sentence(self) -> str:
        """What is decided."""
        told = "leaves it disagreed" if self.answer is None else f"decides “{self.answer}”"
        return f"case {self.case}: {self.by} {told}"


def _settled(state: State, case: Case, settled: Settled, why: str) -> None:
    case.settled, case.text = settled, why
    case.toolbox = state.ordinal
    drop_proposals(case)
    turn(case, CaseState.UNRESOLVED, f"{settled.value}: {why}")


@in_case(CaseLeft)
def _left(state: State, case: Case, event: CaseLeft, stamp: Stamp) -> None:
    case.answer, case.decided_by, case.method = None, "", ""
    _settled(state, case, Settled.LEFT_DISAGREED, event.reason)


@in_case(Decided)
def _decided(state: State, case: Case, event: Decided, stamp: Stamp) -> None:
    case.answer, case.decided_by, case.method = event.answer, event.by, event.method
    settled = Settled.DICTATOR_AGGREGATION if event.method else Settled.DICTATOR_DECISION
    _settled(
        state, case, settled if event.answer is not None else Settled.LEFT_DISAGREED, event.reason
    )


@guard("no_conflict", step("cases", live=True))
def _no_conflict(state: State, asked: Asked) -> list[Unmet]:
    cells = {id: len(result.conflicting) for id, result in comparisons(state.epoch).items()}
    if not any(cells.values()):
        return []
    says = f"annotations conflict on {_cells(cells)}"
    do = (step("resolve"),) if state.step is Step.COMPARISON else ()
    return [Unmet("no_conflict", says, "resolve them (step 5)", do=do)]


def _cells(counts: dict[str, int]) -> str:
    """How many cells, and of which questions."""
    where = listing(f"{question}: {n:,}" for question, n in counts.items() if n)
    return f"{counted(sum(counts.values()), 'item and question', 'items and questions')} ({where})"


@guard("no_incomplete", step("round open"))
def _no_incomplete(state: State, asked: Asked) -> list[Unmet]:
    missing = {id: len(items) for id, items in missing_cells(state.epoch).items()}
    if state.step is Step.RESOLUTION:  # where it was talked about, those who annotated suffice
        for id, items in agreed_by_others(state.epoch).items():
            missing[id] -= len(items)
        missing = {id: n for id, n in missing.items() if n}
    new = {id: len(items) for id, items in unasked_cells(state).items()}
    todo = "open a round for them in step 5"
    again = f"{todo}; what is asked since its parent changed, answer in the parent's case"
    found = []
    if missing:
        says = f"somebody who was asked gave no annotation on {_cells(missing)}"
        asked_since = any(state.epoch.questions[id].asked_if for id, n in missing.items() if n)
        found.append(Unmet("no_incomplete", says, again if asked_since else todo))
    if new:
        says = f"no round has asked about {_cells(new)}"
        found.append(Unmet("no_incomplete", says, todo))
    return found


@guard("purpose_ground_truth")
def _purpose_ground_truth(state: State, asked: Asked) -> list[Unmet]:
    if state.purpose is not Purpose.ELICIT_VARIATION:
        return []
    says = "the purpose is to elicit variation: annotations are compared, and not resolved"
    return [Unmet("purpose_ground_truth", says, "finish with the comparison only")]


@guard("a1_task_not_agreed")
def _a1_task_not_agreed(state: State, asked: Asked) -> list[Unmet]:
    """A case whose accepted cause was a1-task came back from step 1 and is still not agreed."""
    for case in live_cases(state.epoch):
        if case.assessments and case.state != CaseState.RETURNED and _tried(case):
            return []
    says = "no case with the accepted cause a1-task has come back from step 1 without agreement"
    todo = "return such a case to step 1 once, and try to agree on what the task is"
    return [Unmet("a1_task_not_agreed", says, todo)]


def _tried(case: Case) -> bool:
    """Whether a case was returned for what a1-task asks: to agree on the task in step 1."""
    cause = ""
    for one in case.thread:
        if one.state == CaseState.CAUSE_ACCEPTED and one.why:
            cause = one.why
        elif one.kind == "case returned" and cause == f"cause {Cause.A1_TASK.value}":
            return True
    return False


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
    return [Unmet("no_stale", says, todo)]


@guard("all_cases_agreed", step("cases", live=True))
def _all_cases_agreed(state: State, asked: Asked) -> list[Unmet]:
    cases, done = state.epoch.cases.values(), (CaseState.AGREED, CaseState.CLOSED)
    open_: list[Case] = state.epoch.kept(
        "not agreed", lambda: [case for case in cases if case.state not in done]
    )
    if not open_:
        return []
    says = f"{counted(len(open_), 'case')} of {len(cases)} not agreed"
    return [Unmet("all_cases_agreed", f"{says}: {labels_of_cases(state, open_)}", "settle them")]


def _lacks(one: Proof) -> str:
    return f"{one.item}, {one.question}: {one.missing.says if one.missing else ''}"


@guard("proved")
def _proved(state: State, asked: Asked) -> list[Unmet]:
    """Every answer has a proof; what other guards say of one is not said again."""
    found, unmet = proved(state), list[Unmet]()
    for code, by_cell in sorted(found.by_guard.items(), key=lambda pair: min(pair[1], default=0)):
        if by_cell and (code not in GUARDS or not GUARDS[code](state, asked)):
            each = [by_cell[at] for at in sorted(by_cell)]
            says = f"({listing(each, 3, named=_lacks, join='; ')})"
            todo = each[-1].missing.todo if each[-1].missing else ""
            unmet.append(
                Unmet(code, f"{counted(len(each), 'answer')} without a proof {says}", todo)
            )
    n = found.kinds.get(ProofKind.DOCUMENTED, 0)
    if n and not found.n_lacking:  # what is accepted is what all else has led to
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
    researchers = state.with_role(Role.RESEARCHER)
    says = "a researcher must sign for finishing with unresolved cases"
    return [Unmet("researcher_signs", says, "let a researcher finish", researchers)]


@guard("each_open_case_left_or_dictator")
def _each_open_case_left(state: State, asked: Asked) -> list[Unmet]:
    live = live_cases(state.epoch)
    if not live:
        return []
    which = labels_of_cases(state, live)
    says = f"{counted(len(live), 'case')} neither agreed nor declared unresolved: {which}"
    todo = "leave each as it is with a reason, or let the adjudicator decide it after that"
    return [Unmet("each_open_case_left_or_dictator", says, todo)]


@command(
    "case leave",
    "declare cases unresolved, with all answers kept",
    roles=(Role.RESEARCHER,),
    steps=RESOLVING,
)
def leave_disagreed(state: State, by: str, *, cases: Cases | None = None, reason: str) -> Events:
    """Leave cases disagreed, as a researcher.

    All their answers are kept and exported. The data are then no ground truth.

    Parameters
    ----------
    state : State
    by : str
        A researcher.
    cases : numbers of cases, optional
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
    $ accordant project case leave 8 'two readings stand'
    Then, if at all:
    $ accordant project case decide 8 'the editor says so' --answer no --as dora
    """
    named = live_cases(state.epoch) if cases is None else cases_named(state, cases)
    unmet = given(reason)
    if not named:
        unmet.append(Unmet("case_state", "no case waits to be settled"))
    unmet += unmet_in("case leave", state, by, named)
    require("leaving cases disagreed", unmet)
    return [CaseLeft(case.number, reason.strip()) for case in named]


@command("case decide", "decide an unresolved case", roles=(Role.ADJUDICATOR,), steps=RESOLVING)
def decide(
    state: State,
    by: str,
    *,
    cases: Cases,
    reason: str,
    answer: OneAnswer | None = None,
    source: str = "",
) -> Events:
    """Decide cases that were left disagreed, as the adjudicator.

    The coders' answers are kept beside it. Without an answer, it is that of more than half of the
    coders of the item; where there is none, the case stays as it is.

    Parameters
    ----------
    state : State
    by : str
        The adjudicator.
    cases : numbers of cases
    reason : str
        Why.
    answer : Answer, str or sequence of str, optional
        The answer.
    source : str
        Of "ambiguous": why the item is so.

    Notes
    -----
    The paper calls this a dictator and advises strongly against it (section 4.2): this part of the
    data has the judgement of a single person, or of none, and the release is deprecated.

    Examples
    --------
    The adjudicator:
    $ accordant project case decide 8 'the editor says so' --answer no --as dora
    What most coders said:
    $ accordant project case decide 8-12 'no time is left' --as dora
    Appoint one; this is advised against:
    $ accordant project adjudicator dora
    """
    named, note = cases_named(state, cases), Note(source=source, reason=reason)
    require("deciding cases", given(reason) + unmet_in("case decide", state, by, named))
    found = Events()
    for case in named:
        new = _majority(state, case)
        if answer is not None:
            new = checked_answer(state, case.question, answer, note, item_name(state, case))
        method = "majority" if answer is None else ""
        found.append(Decided(case.number, new, reason.strip(), by, method))
    return found


def _majority(state: State, case: Case) -> Answer | None:
    votes = Counter(said(state.epoch, case).values())
    return next((answer for answer, n in votes.items() if 2 * n > votes.total()), None)


ALL_AGREE, COMPARED, RESOLVED, UNRESOLVED, ABANDON = 8, 9, 20, 21, 17  # transitions


def _ended(state: State, number: int, to: Step, now: ReleaseNow, reason: str) -> Events:
    """A transition that ends the project or its task, and the release that goes with it."""
    released = Released(
        len(state.releases) + 1,
        now.status,
        state.toolbox.hash if state.toolbox else "",
        state.head,
        now.counts,
        now.flags,
        reason.strip(),
        {kind.value: n for kind, n in proved(state).kinds.items()},
        seal(state),
    )
    return [Moved(number, state.step, to, reason.strip()), released]


def _told(unmet: list[Unmet], now: ReleaseNow) -> list[Unmet]:
    """Who gives no reason may expect a ground truth: what it would be instead, and why."""
    lacks = f"as it is this is no ground truth but “{now.status}”: {now.missing[0].says}"
    todo = "see what is missing, or say why"
    do = (step("release", check=True), step("release", reason=...))
    return [
        replace(one, says=f"{one.says}; {lacks}", todo=todo, do=do)
        if one.guard == "reason"
        else one
        for one in unmet
    ]


@command(
    "finish",
    "finish and release",
    typed="release",
    roles=(Role.RESEARCHER,),
    steps=(Step.COMPARISON, Step.RESOLUTION),
)
def finish(state: State, by: str, *, reason: str = "") -> Events:
    """Finish: as ground truth if everything is agreed, otherwise with a reason and as what it is.

    Parameters
    ----------
    state : State
    by : str
        A researcher.
    reason : str
        Why conflicts or cases remain; not needed for a ground truth.

    Notes
    -----
    From step 4: ground truth (transition 8), or conflicts are not resolved (9). From step 5: ground
    truth (20), or with cases left or decided (21). Which one is computed, and so is the status.
    """
    now = status_now(state)
    compared = state.step == Step.COMPARISON
    asked = {"by": by, "reason": reason}
    if not now.missing:
        number = ALL_AGREE if compared else RESOLVED
        return _ended(state, number, Step.FINISHED, now, reason)
    if compared:
        require("finishing with conflicts", _told(unmet_of(state, COMPARED, asked), now))
        return _unresolved_at_comparison(state, now, reason)
    unmet = unmet_of(state, UNRESOLVED, asked)
    unmet += GUARDS["no_stale"](state, asked) + GUARDS["no_open_order"](state, asked)
    require("finishing with unresolved cases", _told(unmet, now))
    return _ended(state, UNRESOLVED, Step.FINISHED, now, reason)


def _unresolved_at_comparison(state: State, now: ReleaseNow, reason: str) -> Events:
    """Conflicts are not resolved: cases that are open from an earlier step 5 are left."""
    live = live_cases(state.epoch)
    left = [CaseLeft(case.number, reason.strip()) for case in live]
    counts = dict(now.counts)
    if live:
        counts["left disagreed"] = counts.get("left disagreed", 0) + len(live)
        counts.pop("cases open", None)
    flags = flags_of(state, now.status, counts)
    told = ReleaseNow(now.status, counts, flags)
    return [*left, *_ended(state, COMPARED, Step.FINISHED, told, reason)]


@command(
    "abandon", "abandon a task that cannot be agreed on", roles=(Role.RESEARCHER,), steps=RESOLVING
)
def abandon(state: State, by: str, *, reason: str) -> Events:
    """Abandon a task that cannot be agreed on; another one follows.

    Parameters
    ----------
    state : State
    by : str
        A researcher.
    reason : str
        Why.

    Examples
    --------
    Then a new task follows:
    $ accordant project abandon 'two tasks, no agreement on which'
    Then:
    $ accordant project task new.toml --reason 'one of the two'
    """
    asked = {"by": by, "reason": reason}
    require("abandoning the task", unmet_of(state, ABANDON, asked) + given(reason))
    status, counts = ReleaseStatus.ABANDONED, counts_of(state)
    now = ReleaseNow(status, counts, flags_of(state, status, counts))
    return _ended(state, ABANDON, Step.ABANDONED, now, reason)
