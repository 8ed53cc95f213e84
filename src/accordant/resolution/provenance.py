"""Where things come from: the events behind one value, and what annotating again changed.

What has no proof is told as far as the log shows it: what each coder said last, and what lacks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from .cells import answers_at, cell_state, codes_at
from .chains import Chain, Kind, Lacking, Link
from .disagreement import case_at, unanimous
from .event import apply
from .exports import Provenance, final_answer
from .procedure import read_event
from .proof import chains_of, proof_of
from .records import Answer
from .rounds import RoundClosed
from .sight import seeing
from .state import Epoch, Round, State
from .store.record import Record
from .wording import all_known
from .words import CellState

__all__ = ["Again", "CellProvenance", "annotated_again", "provenance"]


@dataclass(frozen=True)
class CellProvenance:
    """Where the value of one item and question comes from.

    Parameters
    ----------
    item, question : str
    answer : str
        What the annotations come to; empty where there is not one answer.
    how : Provenance or None
        How it came about.
    proof : Kind
        How it is proved.
    answers : mapping of str to str
        Coder → what they hold now.
    case : int
        Number of its case; 0: there is none.
    steps : tuple of Link
        What happened, each with the numbers of its events and the reason that was given.
    lacks : str
        What is missing for a proof; empty if nothing is.
    withheld : str
        Why nothing is told; empty if nothing is withheld.
    """

    item: str
    question: str
    answer: str = ""
    how: Provenance | None = None
    proof: Kind = Kind.NONE
    answers: Mapping[str, str] = field(default_factory=dict)
    case: int = 0
    steps: tuple[Link, ...] = ()
    lacks: str = ""
    withheld: str = ""


def provenance(state: State, item: str, question: str, person: str = "") -> CellProvenance:
    """The events behind the value of one cell, as a person may see them.

    Parameters
    ----------
    state : State
    item, question : str
        Of the current task.
    person : str
        Who asks; by default the public.

    Returns
    -------
    CellProvenance
        While a round is open nothing but why: proofs tell answers.

    Raises
    ------
    RequestError
        If there is no such item, question or person.

    Examples
    --------
    >>> from accordant.resolution.records import Question, Task
    >>> from accordant.resolution.state import Epoch, ItemTable
    >>> asked = Epoch(1, Task((Question("Q", "Is it?"),)))
    >>> provenance(State(items=ItemTable(["i1"]), epochs=[asked]), "i1", "Q").lacks
    'no round has asked about it'
    """
    sight, epoch = seeing(state, person), state.epoch
    all_known("item", [item], state.items.positions, "the project has")
    all_known("question", [question], epoch.questions, "the task has")
    if sight.round is not None:
        return CellProvenance(item, question, withheld=sight.until)
    of, place = chains_of(state), state.items.positions[item]
    proof, case = proof_of(of, place, question), case_at(epoch, place, question)
    answer, how = final_answer(epoch, place, question)
    held = answers_at(epoch, place, question)
    return CellProvenance(
        item,
        question,
        "" if answer is None else str(answer),
        how,
        proof.kind,
        {coder: str(one) for coder, one in held.items()},
        case.number if case is not None else 0,
        proof.chain or tuple(_said(Chain(of, place, question))),
        proof.missing.says if proof.missing is not None else "",
    )


def _said(of: Chain) -> Iterator[Link]:
    """What each coder said last about a cell without a proof."""
    for coder in codes_at(of.epoch, of.item, of.question):
        word = of.word(coder)
        try:
            yield of.own(coder, word, {})
        except Lacking as lacks:
            yield Link(lacks.unmet.says, (word.seq,))


@dataclass(frozen=True)
class Again:
    """What a round of re-annotation changed on one question.

    Parameters
    ----------
    epoch, round : int
    question : str
    agreed, conflicting : int
        Cells of the scope that agreed, and that conflicted, before.
    changed : int
        Of those that agreed: another answer now, or none that all share.
    settled : int
        Of those that conflicted: agreed now.
    """

    epoch: int
    round: int
    question: str
    agreed: int = 0
    changed: int = 0
    conflicting: int = 0
    settled: int = 0


def annotated_again(records: Iterable[Record]) -> list[Again]:
    """What each round of re-annotation changed: the log is read once, from the beginning.

    Examples
    --------
    >>> annotated_again([])
    []
    """
    found, state = list[Again](), State()
    for record in records:
        event = read_event(record.kind, record.body)
        some = state.epoch.round if isinstance(event, RoundClosed) else None
        some = some if some is not None and some.orders else None
        before = _cells(state.epoch, some) if some is not None else {}
        apply(state, [(event, (record.at, record.actor))])
        if some is not None:
            after = _cells(state.epoch, some)
            found += [_again(state, some, q, before[q], after[q]) for q in some.questions]
    return found


_TORN = "in conflict"
_Cell = Answer | str | None
"""The answer that all coders of a cell share; `_TORN` if they conflict; None otherwise."""


def _cells(epoch: Epoch, some: Round) -> dict[str, list[_Cell]]:
    """What each cell of the scope of a round comes to, by question, in the order of the items."""
    items = range(some.n_items) if some.items is None else some.items
    torn = CellState.CONFLICTING
    return {
        q: [_TORN if cell_state(epoch, i, q) is torn else unanimous(epoch, i, q) for i in items]
        for q in some.questions
    }


def _again(
    state: State, some: Round, question: str, before: list[_Cell], after: list[_Cell]
) -> Again:
    both = [*zip(before, after, strict=True)]
    agreed = [(old, new) for old, new in both if old not in (None, _TORN)]
    torn = [new for old, new in both if old == _TORN]
    return Again(
        state.epoch.number,
        some.number,
        question,
        len(agreed),
        sum(old != new for old, new in agreed),
        len(torn),
        sum(new not in (None, _TORN) for new in torn),
    )
