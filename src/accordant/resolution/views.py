"""What a person may see of cases, comparisons and people's answers, whoever asks and wherever.

The command line, reports and exports read answers, reasons and figures through these functions, so
that blindness is kept in one place (`sight`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from ..errors import RequestError, unknown
from .case_state import Assessment, Case, Proposal, Reason, Turn
from .disagreement import cases_about, said
from .ending import Missing, ending, trail_of
from .requests import awaited
from .sight import Sight, first_answers, seeing
from .state import Epoch, State
from .terms import Answer, CaseState, Cause, Note, Outcome, Settled


@dataclass(frozen=True)
class CaseRow:
    """One line of a list of cases.

    ``answers`` has coder → answer; it is empty, and ``withheld`` says why, while the cell of the
    case is being annotated.
    """

    number: int
    item: str
    question: str
    state: CaseState
    cause: Cause | None
    answers: Mapping[str, Answer]
    answer: Answer | None
    outcome: Outcome | None
    settled: Settled | None
    waits_for: tuple[str, ...]
    epoch: int = 1
    withheld: str = ""

    def row(self) -> dict[str, object]:
        """The line as plain values, for tables and files."""
        return {
            "case": self.number,
            "item": self.item,
            "question": self.question,
            "state": self.state.value,
            "cause": self.cause.value if self.cause else "",
            "answers": "; ".join(f"{c}: {a}" for c, a in self.answers.items()) or self.withheld,
            "outcome": str(self.answer) if self.answer is not None else "",
            "how": str(self.settled or self.outcome or ""),
            "waits_for": ", ".join(self.waits_for),
        }


@dataclass(frozen=True)
class CaseView:
    """All that a person may see of one case.

    Parameters
    ----------
    summary : CaseRow
    text, context : str
        What coders read.
    question_text : str
    first : mapping of str to Answer
        What each coder answered in the round that opened the case, where it differs from now.
    reasons : mapping of str to Reason
        Those that may be read.
    unread : tuple of str
        Coders whose reason may be read after one's own is stated.
    assessments, proposals : tuple
        Causes and outcomes proposed so far, the current one last.
    thread : tuple of Turn
        What was said and done, in the order of events; what may not be read has no content.
    notes : mapping of str to Note
        What coders wrote with their annotation, where it may be read.
    withheld : tuple of str
        Kinds of what may be read after one's own reason is stated.
    same_item : tuple of int
        Other cases about the item.
    version : int
        How many events the case has: what `Project.do` is told to expect.
    lacks : str
        What its answer lacks for a proof; empty if nothing, or while a round is open.
    ends : str
        How its answer came about, and who said that this settles it.
    """

    summary: CaseRow
    text: str
    context: str
    question_text: str
    round: int
    because: str
    opened: str
    first: Mapping[str, Answer] = field(default_factory=dict)
    reasons: Mapping[str, Reason] = field(default_factory=dict)
    unread: tuple[str, ...] = ()
    assessments: tuple[Assessment, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    thread: tuple[Turn, ...] = ()
    notes: Mapping[str, Note] = field(default_factory=dict)
    withheld: tuple[str, ...] = ()
    decided_by: str = ""
    method: str = ""
    cites: tuple[str, ...] = ()
    consents: tuple[str, ...] = ()
    says: str = ""
    review_date: str = ""
    same_item: tuple[int, ...] = ()
    version: int = 0
    lacks: str = ""
    ends: str = ""


def cases(
    state: State,
    person: str,
    *,
    in_state: CaseState | Sequence[CaseState] = (),
    question: str = "",
    cause: Cause | None = None,
    waits_for: str = "",
    live: bool = False,
    earlier: bool = False,
) -> list[CaseRow]:
    """The cases, one row each, in the order of their numbers.

    Parameters
    ----------
    state : State
    person : str
        Who asks.
    in_state : CaseState or sequence, optional
        Only cases that stand there.
    question, waits_for : str, optional
        Only cases of a question, or in which somebody must act.
    cause : Cause, optional
        Only cases with this cause, accepted or not.
    live : bool
        Only cases about which something is still to be done.
    earlier : bool
        Cases of earlier tasks as well.

    Raises
    ------
    RequestError
        If there is no such person or question.

    Examples
    --------
    >>> cases(State(), "")
    []
    """
    sight = seeing(state, person)
    if question and question not in state.epoch.questions:
        raise unknown("question", question, state.epoch.questions, "the task has")
    if waits_for and waits_for not in state.people:
        raise unknown("person", waits_for, state.people, "the project has")
    wanted = (in_state,) if isinstance(in_state, CaseState) else tuple(in_state)
    found: list[CaseRow] = []
    for epoch in state.epochs if earlier else [state.epoch]:
        for case in epoch.cases.values():
            elsewhere = wanted and case.state not in wanted
            if elsewhere or question not in ("", case.question) or (live and not case.live):
                continue
            row = _row(sight, epoch, case)
            if (cause is None or row.cause == cause) and (
                not waits_for or waits_for in row.waits_for
            ):
                found.append(row)
    return found


def _row(sight: Sight, epoch: Epoch, case: Case) -> CaseRow:
    row = partial(
        CaseRow,
        case.number,
        sight.state.items.ids[case.item],
        case.question,
        case.state,
        sight.cause(case),
        epoch=case.epoch,
    )
    if sight.hides_case(case):
        return row({}, None, None, None, (), withheld=sight.until)
    waits = awaited(sight, case)
    return row(said(epoch, case), case.answer, case.outcome, case.settled, waits)


def case_view(state: State, number: int, person: str) -> CaseView:
    """One case as a person may see it.

    Raises
    ------
    RequestError
        If there is no such case or person.
    """
    sight = seeing(state, person)
    for epoch in state.epochs:
        if number in epoch.cases:
            return _view(sight, epoch, epoch.cases[number])
    raise unknown("case", number, [n for e in state.epochs for n in e.cases], "there are")


def _view(sight: Sight, epoch: Epoch, case: Case) -> CaseView:
    table = sight.state.items
    row = _row(sight, epoch, case)
    view = partial(
        CaseView,
        row,
        table.texts[case.item] if table.texts else "",
        table.contexts[case.item] if table.contexts else "",
        epoch.questions[case.question].text if case.question in epoch.questions else "",
        case.round,
        case.because,
        case.opened,
        same_item=tuple(
            other.number for other in cases_about(epoch, case.item) if other is not case
        ),
    )
    if row.withheld:
        return view()
    thread, written = sight.thread(case), epoch.notes.get(case.question, {})
    both = zip(thread, case.thread, strict=True)
    notes = {
        coder: written[coder][case.item]
        for coder in row.answers
        if case.item in written.get(coder, {}) and sight.sees_reason(case, coder)
    }
    readable = {c: r for c, r in case.reasons.items() if sight.sees_reason(case, c)}
    lacks, ends = _ended(sight, epoch, case)
    return view(
        first={c: a for c, a in first_answers(epoch, case).items() if row.answers.get(c) != a},
        reasons=readable,
        unread=tuple(c for c in case.reasons if c not in readable),
        assessments=tuple(one for one in case.assessments if sight.sees_cause(case, one)),
        proposals=tuple(case.proposals) if sight.sees_discussion(case) else (),
        thread=thread,
        notes=notes,
        withheld=tuple(dict.fromkeys(t.kind for t, own in both if t != own)),
        decided_by=case.decided_by,
        method=case.method,
        cites=case.cites,
        consents=case.consents,
        says=case.text,
        review_date=case.review_date,
        version=sight.state.versions.get(f"case {case.number}", 0),
        lacks=lacks,
        ends=ends,
    )


def _ended(sight: Sight, epoch: Epoch, case: Case) -> tuple[str, str]:
    """What the answer of an agreed case lacks, or how it came about; others are not agreed."""
    if sight.round or epoch is not sight.state.epoch or case.state is not CaseState.AGREED:
        return "", ""
    found = ending(trail_of(sight.state), case.item, case.question)
    return (found.says, "") if isinstance(found, Missing) else ("", found.says)


@dataclass(frozen=True)
class ComparisonView:
    """How the annotations of a round compared.

    Parameters
    ----------
    round : int
    counts : mapping of str to mapping of str to int
        Question → state of a cell → how many; questions that are withheld are absent.
    withheld : mapping of str to str
        Question → why its counts may not be seen now.
    """

    round: int
    counts: Mapping[str, Mapping[str, int]]
    withheld: Mapping[str, str] = field(default_factory=dict)


def comparison_view(state: State, person: str, round: int | None = None) -> ComparisonView:
    """The comparison of a round of the current epoch, the last one that has closed by default.

    While a round is open they are withheld from everybody, of other questions too: a figure that
    leaves some out would be read as that of all.

    Raises
    ------
    RequestError
        If no such round has closed, or there is no such person.
    """
    sight = seeing(state, person)
    closed = {r.number: r for r in state.epoch.rounds if r.closed}
    number = max(closed, default=0) if round is None else round
    if number not in closed:
        if not closed:
            raise RequestError("no round has closed")
        raise unknown("comparison of round", number, closed, "closed are")
    of = closed[number]
    hidden = dict.fromkeys(of.comparison, sight.until) if sight.round is not None else {}
    told = [q for q in state.epoch.questions if q in of.comparison and q not in hidden]
    counts = {q: dict(of.comparison[q]) for q in told}  # the log has them in another order
    return ComparisonView(number, counts, hidden)
