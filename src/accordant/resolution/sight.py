"""Who may see which annotations: the one rule of blindness that every view goes through.

While a round is open, nobody sees anything about the cells of its scope (item × question) but their
own annotations of that round: not what others answer, not what anybody answered before, no
agreement. Coders who are told each other's answers, or reminded of their own, do not annotate
independently (Oortwijn et al. 2021, section 3, step 3).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..errors import unknown
from .case_state import Assessment, Case, Turn
from .causes import CAUSES
from .disagreement import held, participants
from .state import NONE, Epoch, Round, State
from .terms import Answer, CaseState, Cause

DISCUSSED = (CaseState.OPEN, CaseState.REASONS, CaseState.CAUSE_PROPOSED, CaseState.POSTPONED)


@dataclass(frozen=True)
class Sight:
    """What one person may see now.

    Parameters
    ----------
    state : State
    person : str
    round : Round or None
        The open round.
    items : frozenset of int or None
        Positions of the items in its scope; None: all.
    """

    state: State
    person: str
    round: Round | None
    items: frozenset[int] | None = None

    def hides(self, item: int, question: str) -> bool:
        """Whether a cell is being annotated now."""
        if self.round is None or question not in self.round.questions:
            return False
        return self.items is None or item in self.items

    def hides_some(self, question: str) -> bool:
        """Whether a question is being annotated now, about any item."""
        return self.round is not None and question in self.round.questions

    @property
    def until(self) -> str:
        """Why something is not shown, in a few words; empty if nothing is hidden."""
        return f"withheld until round {self.round.number} closes" if self.round else ""

    @property
    def until_reasons(self) -> str:
        """Why what is said in a case is not shown."""
        who = "you have given your reason" if self.person else "all its coders have given a reason"
        return f"withheld until {who}"

    def answer(self, epoch: Epoch, item: int, question: str, coder: str) -> Answer | None:
        """What a coder answers; of a cell that is being annotated only one's own, of this round."""
        if self.hides(item, question):
            if coder != self.person or self.round is None or epoch is not self.state.epoch:
                return None
            code = self.round.sheet.get(question, {}).get(coder, {}).get(item, NONE)
        else:
            column = epoch.current.get(question, {}).get(coder, [])
            code = column[item] if item < len(column) else NONE
        return None if code == NONE else epoch.answers[code]

    def column(self, epoch: Epoch, question: str, coder: str) -> list[int]:
        """One code for each item into ``epoch.answers``; `NONE` where there is none to be seen."""
        column = list(epoch.current.get(question, {}).get(coder, []))
        column += [NONE] * (len(self.state.items.ids) - len(column))
        if not self.hides_some(question):
            return column
        own = epoch is self.state.epoch and coder == self.person and self.round is not None
        sheet = self.round.sheet.get(question, {}).get(coder, {}) if own and self.round else {}
        for item in range(len(column)) if self.items is None else self.items:
            column[item] = sheet.get(item, NONE)
        return column

    def hides_case(self, case: Case) -> bool:
        """Whether what was said about a case is hidden, since its cell is being annotated."""
        return self.hides(case.item, case.question)

    def sees_reason(self, case: Case, coder: str) -> bool:
        """Whether a coder's reason may be read.

        Who annotated the item states their own reason first, so that nobody argues against a
        reason they have just read.
        """
        if self.hides_case(case):
            return False
        own = bool(self.person) and coder == self.person
        return own or not case.live or self._has_spoken(case)

    def sees_discussion(self, case: Case) -> bool:
        """Whether the causes and outcomes that are proposed for a case may be read.

        While it is discussed why the coders disagree, whoever annotated the item says so first.
        """
        if self.hides_case(case):
            return False
        return case.state not in DISCUSSED or self._has_spoken(case)

    def sees_cause(self, case: Case, assessment: Assessment) -> bool:
        """Whether a cause and its evidence may be read; whom it asks about a slip is asked that."""
        asked = not CAUSES[assessment.cause].everybody and (
            self.person in (assessment.evidence.coder, assessment.by)
        )
        return self.sees_discussion(case) or (asked and not self.hides_case(case))

    def cause(self, case: Case) -> Cause | None:
        """The accepted cause, or the one that is proposed, where it may be read."""
        last = case.assessments[-1] if case.assessments else None
        if last is None or not (last.accepted or self.sees_cause(case, last)):
            return None
        return last.cause

    def hides_cause(self, case: Case) -> bool:
        """Whether a cause is proposed that may not be read yet, nor what is asked because of it."""
        if case.state is not CaseState.CAUSE_PROPOSED:
            return False
        return not self.sees_cause(case, case.assessments[-1])

    def _has_spoken(self, case: Case) -> bool:
        coders = participants(self.state.epochs[case.epoch - 1], case)
        if not self.person:  # the public may be any of them
            return all(coder in case.reasons for coder in coders)
        return self.person in case.reasons or self.person not in coders

    def thread(self, case: Case) -> tuple[Turn, ...]:
        """The course of a case; of what may not be read only who, when and which kind."""
        if self.hides_case(case):
            return ()
        causes = {one.seq: one for one in case.assessments}
        found, open_to_all = [], self.sees_discussion(case)
        for turn in case.thread:
            if turn.kind == "said":
                seen = self.sees_reason(case, turn.by)
            elif (cause := causes.get(turn.seq) or causes.get(turn.about)) is not None:
                seen = self.sees_cause(case, cause)
            else:
                seen = open_to_all or turn.kind == "cases opened" or turn.by == self.person
            found.append(turn if seen else Turn(turn.seq, turn.at, turn.by, turn.kind, turn.state))
        return tuple(found)


def seeing(state: State, person: str) -> Sight:
    """What a person may see.

    Parameters
    ----------
    state : State
    person : str
        Somebody who takes part; an empty name is the public: whoever reads an export.

    Raises
    ------
    RequestError
        If nobody of this name takes part.

    Examples
    --------
    >>> seeing(State(), "").until
    ''
    """
    if person and person not in state.people:
        raise unknown("person", person, state.people, "the project has")
    open_round = state.epoch.round
    if open_round is None or open_round.items is None:
        return Sight(state, person, open_round)
    return Sight(state, person, open_round, frozenset(open_round.items))


def first_answers(epoch: Epoch, case: Case) -> dict[str, Answer]:
    """What coders answered in the round that opened a case, or now where it held nothing."""
    codes = held(epoch, case.item, case.question)
    for some in epoch.rounds:
        if some.number == case.round:
            sheet = some.sheet.get(case.question, {})
            codes |= {c: column[case.item] for c, column in sheet.items() if case.item in column}
    return {coder: epoch.answers[code] for coder, code in codes.items()}


def number_of_answers(state: State, coders: Iterable[str], of_round: Round) -> dict[str, int]:
    """How many answers each coder has submitted, to the questions that are asked of everybody.

    Whether a dependent question was answered tells what its parent was answered.
    """
    always = [q for q in of_round.questions if state.epoch.questions[q].asked_if is None]
    return {
        coder: sum(
            len(of_round.sheet.get(q, {}).get(coder, {}))
            + len(of_round.declined.get(q, {}).get(coder, {}))
            for q in always
        )
        for coder in coders
    }
