"""Why each value is ground truth, for every item and question, as it is given out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .ending import NO_PROOF, Ending, EndingKind, Missing, ending, endings, trail_of
from .state import State
from .terms import digest


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


FACTS = "facts "
"""A seal without it covers the words of its time as well."""


def seal(state: State) -> str:
    """SHA-256 of all proofs that hold, as a release keeps it: answers, kinds and events.

    Words are left out, so that a later version may tell a proof better.

    Examples
    --------
    >>> seal(State())[:18]
    'facts 4f53cda18c2b'
    """
    found = [
        [p.item, p.question, p.found.answer, p.kind.value, list(p.found.events)]
        for p in _each(state)  # one after another: a hundred thousand are many objects
        if isinstance(p.found, Ending)
    ]
    return FACTS + digest(found)


def unproved(state: State) -> int:
    """How many answers are no ground truth.

    Examples
    --------
    >>> unproved(State())
    0
    """
    found = endings(state).kinds
    return sum(found.get(kind, 0) for kind in NO_PROOF)
