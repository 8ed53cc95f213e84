"""Why each value is ground truth, for every item and question, as it is given out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from .case_state import Case
from .cells import cell_state, codes_at
from .disagreement import agreed_by_others, case_at
from .ending import NO_PROOF, Ending, EndingKind, Missing, ending, endings, trail_of
from .state import Epoch, State
from .terms import Answer, CaseState, CellState, Settled, digest


@dataclass(frozen=True)
class Proof:
    """Why the answer to one question about one item is ground truth, or what is missing.

    Parameters
    ----------
    item, question : str
    found : Ending or Missing
    """

    item: str
    question: str
    found: Ending | Missing

    @property
    def kind(self) -> EndingKind:
        """How the answer came about."""
        return self.found.kind

    def row(self) -> dict[str, Any]:
        """The proof as plain values, for JSON."""
        found = self.found
        proved = found if isinstance(found, Ending) else Ending(found.kind, "", ())
        missing = found if isinstance(found, Missing) else Missing("", "")
        return {
            "item": self.item,
            "question": self.question,
            "answer": proved.answer,
            "kind": self.kind.value,
            "events": list(proved.events),
            "bears_on": list(proved.bears_on),
            "confirmed_by": list(proved.confirmed_by),
            "missing": missing.says,
            "code": missing.code,
            "asked": list(missing.who),
        }


def proofs(state: State) -> list[Proof]:
    """For each item and question of the task: how its answer came about, or what is missing.

    Parameters
    ----------
    state : State
        While a round is open proofs tell answers: whoever shows them must withhold them then
        (`exports.proof_rows` does).

    Returns
    -------
    list of Proof
        By question, in the order of the items.

    Examples
    --------
    >>> proofs(State())
    []
    """
    return [*_each(state)]


def _each(state: State) -> Iterator[Proof]:
    trail = trail_of(state)
    for question in state.epoch.questions:
        for item in range(trail.n_items):
            yield Proof(state.items.ids[item], question, ending(trail, item, question))


def sealed_parts(state: State, status: str, flags: Sequence[str]) -> dict[str, Any]:
    """What a release gives out and its event seals, each part by its hash, as plain values.

    Examples
    --------
    >>> sorted(sealed_parts(State(), "not released", ()))
    ['endings', 'final', 'flags', 'people', 'status', 'toolbox']
    """
    ends, final, positions = [], [], state.items.positions
    for one in _each(state):
        proved, row = isinstance(one.found, Ending), one.row()
        answer, _ = final_answer(state.epoch, positions[one.item], one.question)
        said = "" if answer is None else str(answer)
        at = {"item": one.item, "question": one.question}
        final.append({**at, "answer": said, "proof": one.kind.value * proved})
        if proved:
            ends.append({k: v for k, v in row.items() if k not in ("missing", "code", "asked")})
    box = state.toolbox
    return {
        "endings": ends,
        "final": final,
        "flags": list(flags),
        "people": [{"name": x.name, "roles": [*map(str, x.roles)]} for x in state.people.values()],
        "status": str(status),
        "toolbox": box.hash if box is not None else "",
    }


def seals(state: State, status: str, flags: Sequence[str]) -> dict[str, str]:
    """SHA-256 of each part."""
    return {name: digest(part) for name, part in sealed_parts(state, status, flags).items()}


def unproved(state: State) -> int:
    """How many answers are no ground truth.

    Examples
    --------
    >>> unproved(State())
    0
    """
    found = endings(state).kinds
    return sum(found.get(kind, 0) for kind in NO_PROOF)


# ------------------------------------------------------------------ what the annotations come to


class Provenance(StrEnum):
    """How an answer came about."""

    ANNOTATION = "agreed by annotation"
    RESOLUTION = "agreed by resolution"
    LEFT = "left disagreed"
    DECIDED = "decided by the adjudicator"
    AGGREGATED = "aggregated"
    DECLINED = "agreed by the others, declined by a coder"
    UNSETTLED = "not settled"
    INCOMPLETE = "incomplete"
    ONE_NOT_APPLICABLE = "one not applicable"
    NOT_APPLICABLE = "not applicable"
    OUT_OF_SCOPE = "out of scope"


_OF_CELL = {
    CellState.AGREED: Provenance.ANNOTATION,
    CellState.CONFLICTING: Provenance.UNSETTLED,
    CellState.INCOMPLETE: Provenance.INCOMPLETE,
    CellState.ONE_NOT_APPLICABLE: Provenance.ONE_NOT_APPLICABLE,
    CellState.NOT_APPLICABLE: Provenance.NOT_APPLICABLE,
    CellState.OUT_OF_SCOPE: Provenance.OUT_OF_SCOPE,
}
_OF_SETTLED = {
    Settled.LEFT_DISAGREED: Provenance.LEFT,
    Settled.DICTATOR_DECISION: Provenance.DECIDED,
    Settled.DICTATOR_AGGREGATION: Provenance.AGGREGATED,
}
WITH_ANSWER = (Provenance.ANNOTATION, Provenance.ONE_NOT_APPLICABLE, Provenance.NOT_APPLICABLE)


def _said_by(case: Case) -> tuple[Answer | None, Provenance] | None:
    """The answer of a cell as its case says it, and how; None: the case says nothing of it."""
    if case.state == CaseState.AGREED:
        return case.answer, Provenance.RESOLUTION
    if case.state == CaseState.UNRESOLVED and case.settled is not None:
        return case.answer, _OF_SETTLED[case.settled]
    return (None, Provenance.UNSETTLED) if case.live else None


def final_answer(epoch: Epoch, item: int, question: str) -> tuple[Answer | None, Provenance]:
    """The answer to a question about an item, by its position, as far as there is one, and how.

    What is blind must be withheld by the caller (`sight`).
    """
    case = case_at(epoch, item, question)
    if case is not None and (said := _said_by(case)) is not None:
        return said
    how = _OF_CELL[cell_state(epoch, item, question)]
    if how is Provenance.INCOMPLETE and item in agreed_by_others(epoch).get(question, ()):
        how = Provenance.DECLINED
    codes = list(codes_at(epoch, item, question).values())
    known = codes and how in (*WITH_ANSWER, Provenance.DECLINED)
    return epoch.answers[codes[0]] if known else None, how
