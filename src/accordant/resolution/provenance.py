"""Where things come from: the events behind one value, and what the log tells beyond the state.

What has no proof is told as far as the log shows it: what each coder said last, and what lacks.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from .cells import answers_at, cell_state, codes_at
from .chains import Chain, Kind, Lacking, Link
from .concepts import ConceptWritten, Objected, SignedOff
from .corrections import Rescored
from .disagreement import case_at, unanimous
from .event import Event, apply
from .exports import Provenance, final_answer
from .guidelines import Acknowledged, GuidelinesWritten
from .procedure import read_event
from .proof import chains_of, proof_of
from .records import Answer
from .rounds import RoundClosed
from .sight import seeing
from .state import Epoch, Round, State
from .store.record import Record
from .task import TaskWritten
from .wording import all_known
from .words import CellState

__all__ = ["Again", "CellProvenance", "History", "history", "provenance"]


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
    kept, other, torn, lost : int
        Of those that agreed: the same answer again, agreed on another one, conflicting now, without
        a common answer for another reason (no longer asked, declined).
    settled : int
        Of those that conflicted: agreed now.
    """

    epoch: int
    round: int
    question: str
    agreed: int = 0
    kept: int = 0
    other: int = 0
    torn: int = 0
    lost: int = 0
    conflicting: int = 0
    settled: int = 0

    @property
    def changed(self) -> int:
        """Cells that agreed before and changed."""
        return self.agreed - self.kept


@dataclass
class History:
    """What the log tells beyond the state.

    Parameters
    ----------
    signed : mapping of str to dict of str to str
        Part of the toolbox, 'concept NAME vN' or 'guidelines VERSION' → coder → the name of the
        coder who agreed, with what was said of it.
    objected : mapping of str to list of str
        Part → who objected, and why.
    again : list of Again
    changes : mapping of int to list of (Rescored, int)
        By number of the case: each change of an answer, and the number of its event.
    authors : dict of int to str
        Who wrote each toolbox, by its number.
    known : bool
        Whether there was a log to read.
    """

    signed: defaultdict[str, dict[str, str]] = field(default_factory=lambda: defaultdict(dict))
    objected: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    again: list[Again] = field(default_factory=list)
    changes: defaultdict[int, list[tuple[Rescored, int]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    authors: dict[int, str] = field(default_factory=dict)
    known: bool = False


def history(records: Iterable[Record]) -> History:
    """Read the log once, from the beginning; nothing is known if it is not at hand.

    Examples
    --------
    >>> history([]).known
    False
    """
    found, state = History(), State()
    for record in records:
        found.known = True
        event = read_event(record.kind, record.body)
        some = _closing(state, event)
        before = _cells(state.epoch, some) if some is not None else {}
        apply(state, [(event, (record.at, record.actor))])
        if some is not None:
            after = _cells(state.epoch, some)
            found.again += [_again(state, some, q, before[q], after[q]) for q in some.questions]
        _note(found, state, event, record)
    return found


def _note(found: History, state: State, event: Event, record: Record) -> None:
    match event:
        case SignedOff(coder=who, concept=name, version=version):
            found.signed[f"concept {name} v{version}"][who] = who
        case Acknowledged(coder=who, guidelines=version):
            found.signed[f"guidelines {version}"][who] = who
        case Objected(coder=who, concept=name, version=version, text=text):
            last = state.epoch.guidelines[-1].version if state.epoch.guidelines else ""
            part = f"concept {name} v{version}" if name else f"guidelines {last}"
            found.objected[part].append(f"{who}: {text}")
        case Rescored():
            found.changes[event.case].append((event, record.seq))
        case TaskWritten() | GuidelinesWritten() | ConceptWritten():
            found.authors[state.toolboxes[-1].ordinal] = record.actor


def _closing(state: State, event: Event) -> Round | None:
    """The round that an event closes, if it annotates again."""
    some = state.epoch.round if isinstance(event, RoundClosed) else None
    return some if some is not None and some.orders else None


_TORN = "in conflict"
_Cell = Answer | str | None
"""The answer that all coders of a cell share; `_TORN` if they conflict; None otherwise."""


def _cells(epoch: Epoch, some: Round) -> dict[str, list[_Cell]]:
    """What each cell of the scope of a round comes to, by question, in the order of the items."""
    items = range(some.n_items) if some.items is None else some.items
    return {q: [_cell(epoch, item, q) for item in items] for q in some.questions}


def _cell(epoch: Epoch, item: int, question: str) -> _Cell:
    match cell_state(epoch, item, question):
        case CellState.CONFLICTING:
            return _TORN
        case CellState.INCOMPLETE:
            return None
    return unanimous(epoch, item, question)


def _again(
    state: State, some: Round, question: str, before: list[_Cell], after: list[_Cell]
) -> Again:
    """Compare the cells of one question before and after a round."""
    n: Counter[str] = Counter()
    for old, new in zip(before, after, strict=True):
        now = "lost" if new is None else "torn" if new == _TORN else "settled"
        if old == _TORN:
            n.update(["conflicting", *(["settled"] if now == "settled" else [])])
        elif old is not None:
            same = "kept" if new == old else "other"
            n.update(["agreed", same if now == "settled" else now])
    return Again(state.epoch.number, some.number, question, **n)
