"""How cases and projects end: left or decided, finished with a computed status, or abandoned."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from msgspec import field

from ..actions import Action
from .answer_form import OneAnswer, checked_answer
from .case_state import Case
from .case_table import given, unmet_in
from .cases import CaseEvent, drop_proposals, in_case, turn
from .cells import comparisons, missing_cells, unasked_cells
from .command import GUARDS, Asked, Events, Lack, Unmet, command, guard, require, step, unmet_of
from .disagreement import (
    Cases,
    agreed_by_others,
    cases_named,
    item_name,
    labels_of_cases,
    live_cases,
    said,
)
from .ending import ACCEPTANCE, endings
from .event import Event, Stamp, on
from .proof import seals
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
    seals: dict[str, str] = field(default_factory=dict)  # see `proof.seals`


@on(Released)
def _given_out(state: State, event: Released, stamp: Stamp) -> None:
    state.releases.append(Release.of(event, at=stamp[0]))


class CaseUnresolved(CaseEvent, frozen=True, tag="case unresolved"):
    """A case is left disagreed, with all answers kept, or decided after that by the adjudicator."""

    reason: str
    by: str
    answer: Answer | None = None  # None: it is left as it is
    method: str = ""  # "majority" of its coders

    def sentence(self) -> str:
        """What becomes of it."""
        told = "leaves it disagreed" if self.answer is None else f"decides “{self.answer}”"
        return f"case {self.case}: {self.by} {told}"


@in_case(CaseUnresolved)
def _unresolved(state: State, case: Case, event: CaseUnresolved, stamp: Stamp) -> None:
    decided = Settled.DICTATOR_AGGREGATION if event.method else Settled.DICTATOR_DECISION
    case.settled = settled = Settled.LEFT_DISAGREED if event.answer is None else decided
    case.answer, case.text, case.toolbox = event.answer, event.reason, state.ordinal
    case.decided_by = event.by if event.method or event.answer is not None else ""
    case.method = event.method
    drop_proposals(case)
    turn(case, CaseState.UNRESOLVED, f"{settled.value}: {event.reason}")


@guard("no_conflict", step("cases", live=True))
def _no_conflict(state: State, asked: Asked) -> Iterator[Lack]:
    cells = {id: len(result.conflicting) for id, result in comparisons(state.epoch).items()}
    if any(cells.values()):
        here = state.step is Step.COMPARISON
        do = (step("go", to="resolution"),) if here else ()
        yield Unmet("no_conflict", f"annotations conflict on {_cells(cells)}", do=do)


def _cells(counts: dict[str, int]) -> str:
    """How many cells, and of which questions."""
    where = listing(f"{question}: {n:,}" for question, n in counts.items() if n)
    return f"{counted(sum(counts.values()), 'item and question', 'items and questions')} ({where})"


@guard("no_incomplete", step("round open"))
def _no_incomplete(state: State, asked: Asked) -> Iterator[Lack]:
    missing = {id: len(items) for id, items in missing_cells(state.epoch).items()}
    if state.step is Step.RESOLUTION:  # where it was talked about, those who annotated suffice
        for id, items in agreed_by_others(state.epoch).items():
            missing[id] -= len(items)
        missing = {id: n for id, n in missing.items() if n}
    if missing:
        yield f"an annotation is missing on {_cells(missing)}"
    if new := {id: len(items) for id, items in unasked_cells(state).items()}:
        yield f"no round has asked about {_cells(new)}"


@guard("purpose_ground_truth")
def _purpose_ground_truth(state: State, asked: Asked) -> Iterator[Lack]:
    if state.purpose is Purpose.ELICIT_VARIATION:
        yield "the purpose is to elicit variation: annotations are only compared"


@guard("a1_task_not_agreed")
def _a1_task_not_agreed(state: State, asked: Asked) -> Iterator[Lack]:
    """A case whose accepted cause was a1-task came back from step 1 and is still not agreed."""
    for case in live_cases(state.epoch):
        if case.assessments and case.state != CaseState.RETURNED and _tried(case):
            return
    yield "no case with the accepted cause a1-task has come back from step 1 without agreement"


def _tried(case: Case) -> bool:
    """Whether a case was returned for what a1-task asks: to agree on the task in step 1."""
    cause = ""
    for one in case.thread:
        if one.state == CaseState.CAUSE_ACCEPTED and one.why:
            cause = one.why
        elif one.state == CaseState.RETURNED and cause == f"cause {Cause.A1_TASK.value}":
            return True
    return False


@guard("no_open_order", step("reannotate"))
def _no_open_order(state: State, asked: Asked) -> Iterator[Lack]:
    if orders := open_orders(state):
        which = listing(f"{order.number}: {order.trigger}" for order in orders)
        n = counted(sum(stale_counts(state.epoch).values()), "annotation")
        yield f"{counted(len(orders), 'order')} to annotate again ({which}; {n})"


@guard("all_cases_agreed", step("cases", live=True))
def _all_cases_agreed(state: State, asked: Asked) -> Iterator[Lack]:
    cases, done = state.epoch.cases.values(), (CaseState.AGREED, CaseState.CLOSED)
    open_: list[Case] = state.epoch.kept(
        "not agreed", lambda: [case for case in cases if case.state not in done]
    )
    if open_:
        says = f"{counted(len(open_), 'case')} of {len(cases)} not agreed"
        yield f"{says}: {labels_of_cases(state, open_)}"


@guard("proved")
def _proved(state: State, asked: Asked) -> list[Unmet]:
    """Every answer has a proof; what other guards say of one is not said again."""
    found, unmet, ids = endings(state), list[Unmet](), state.items.ids
    for code, cells in found.by_code().items():
        told = code in GUARDS and GUARDS[code](state, asked)
        if told or (code == ACCEPTANCE and len(found.by_code()) > 1):
            continue  # what is accepted is what all else has led to
        lacks = [found.missing[question, item] for item, question in cells]
        of = zip(cells, lacks, strict=True)
        each = [f"{ids[item]}, {question}: {lack.says}" for (item, question), lack in of]
        says = f"{counted(len(each), 'answer')} without a proof ({listing(each, 3, join='; ')})"
        who = tuple(dict.fromkeys(person for lack in lacks for person in lack.who))
        unmet.append(Unmet(code, says, who, do=_helps(code)))
    return unmet


def _helps(code: str) -> tuple[Action, ...]:
    """The command that brings what is missing."""
    named = {ACCEPTANCE: "accept", "settle": "sign-off", "change": "guidelines"}
    return (step(named[code]),) if code in named else ()


@guard("each_open_case_left_or_dictator", step("case leave"))
def _each_open_case_left(state: State, asked: Asked) -> Iterator[Lack]:
    if live := live_cases(state.epoch):
        which = labels_of_cases(state, live)
        yield f"{counted(len(live), 'case')} neither agreed nor declared unresolved: {which}"


@command(
    "case leave",
    "leave cases disagreed",
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
    require(unmet)
    return [CaseUnresolved(case.number, reason.strip(), by) for case in named]


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
    $ accordant project person dora --role adjudicator
    """
    named, note = cases_named(state, cases), Note(source=source, reason=reason)
    require(given(reason) + unmet_in("case decide", state, by, named))
    found = Events()
    for case in named:
        new = _majority(state, case)
        if answer is not None:
            new = checked_answer(state, case.question, answer, note, item_name(state, case))
        method = "majority" if answer is None else ""
        found.append(CaseUnresolved(case.number, reason.strip(), by, new, method))
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
        {kind.value: n for kind, n in endings(state).kinds.items()},
        seals(state, now.status, now.flags),
    )
    return [Moved(number, state.step, to, reason.strip()), released]


def _told(unmet: list[Unmet], now: ReleaseNow) -> list[Unmet]:
    """Who gives no reason may expect a ground truth: what it would be instead, and why."""
    lacks = f"no reason is given, and this is “{now.status}”: {now.missing[0].says}"
    do = (step("release", check=True), step("release", reason=...))
    return [replace(one, says=lacks, do=do) if one.guard == "reason" else one for one in unmet]


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
        require(_told(unmet_of(state, COMPARED, asked), now))
        return _unresolved_at_comparison(state, by, now, reason)
    unmet = unmet_of(state, UNRESOLVED, asked)
    unmet += GUARDS["no_open_order"](state, asked)
    require(_told(unmet, now))
    return _ended(state, UNRESOLVED, Step.FINISHED, now, reason)


def _unresolved_at_comparison(state: State, by: str, now: ReleaseNow, reason: str) -> Events:
    """Conflicts are not resolved: cases that are open from an earlier step 5 are left."""
    live = live_cases(state.epoch)
    left = [CaseUnresolved(case.number, reason.strip(), by) for case in live]
    counts = dict(now.counts)
    if live:
        counts["left disagreed"] = counts.get("left disagreed", 0) + len(live)
        counts.pop("cases open", None)
    flags = flags_of(state, now.status, counts)
    told = ReleaseNow(now.status, counts, flags)
    return [*left, *_ended(state, COMPARED, Step.FINISHED, told, reason)]


@command("abandon", "abandon the task", roles=(Role.RESEARCHER,), steps=RESOLVING)
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
    require(unmet_of(state, ABANDON, asked) + given(reason))
    status, counts = ReleaseStatus.ABANDONED, counts_of(state)
    now = ReleaseNow(status, counts, flags_of(state, status, counts))
    return _ended(state, ABANDON, Step.ABANDONED, now, reason)
