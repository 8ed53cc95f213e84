"""Where one value comes from: the events behind it, as the proof of ground truth has them.

What has no proof is told as far as the log shows it: what each coder said last, and what lacks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from .cells import answers_at, codes_at
from .chains import Chains, Lacking, Link
from .disagreement import case_at
from .exporting import Provenance, final_answer
from .proof import Kind, chains_of, proof_of
from .sight import seeing
from .state import State
from .wording import all_known

__all__ = ["CellProvenance", "provenance"]


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
        proof.chain or tuple(_said(of, place, question)),
        proof.missing.says if proof.missing is not None else "",
    )


def _said(of: Chains, item: int, question: str) -> Iterator[Link]:
    """What each coder said last about a cell without a proof."""
    for coder in codes_at(of.epoch, item, question):
        word = of.word(item, question, coder)
        try:
            yield of.own(item, question, coder, word, {})
        except Lacking as lacks:
            yield Link(lacks.unmet.says, (word.seq,))
