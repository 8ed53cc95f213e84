"""Why each value is ground truth, for every item and question: proofs, and their number by kind."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from .case_state import Case
from .cells import states_of
from .chains import Chain, Chains, Kind, Lacking, Link, unsettled
from .command import Unmet
from .disagreement import of_each_case
from .records import digest
from .state import NONE, State
from .words import CellState

__all__ = [
    "ACCEPTANCE", "FACTS", "OF_SOURCES", "Proof", "Proved", "chains_of", "proof_of", "proofs",
    "proved", "seal", "unproved",
]  # fmt: skip


@dataclass(frozen=True)
class Proof:
    """Why the answer to one question about one item is ground truth, or what is missing.

    Parameters
    ----------
    item, question : str
    answer : str
        Empty where there is no proof, and where the question is not asked.
    kind : Kind
    chain : tuple of Link
    missing : Unmet or None
        What the chain lacks; None: the value is proved, or imported as documented.
    """

    item: str
    question: str
    answer: str
    kind: Kind
    chain: tuple[Link, ...] = ()
    missing: Unmet | None = None

    def row(self) -> dict[str, Any]:
        """The proof as plain values, for JSON."""
        links = ({"what": x.what, "events": list(x.events), "note": x.note} for x in self.chain)
        return {
            "item": self.item,
            "question": self.question,
            "answer": self.answer,
            "kind": self.kind.value,
            "chain": list(links),
            "missing": self.missing.says if self.missing is not None else "",
            "code": self.missing.guard if self.missing is not None else "",
        }


@dataclass(frozen=True)
class Proved:
    """The proofs of a project in short.

    Parameters
    ----------
    kinds : dict of Kind to int
        How many cells have a proof of which kind; only what there is.
    lacking : tuple of Proof
        Those that lack something.
    cells : dict of str to list of Kind
        Question → the kind of each item, in their order.
    """

    kinds: dict[Kind, int]
    lacking: tuple[Proof, ...]
    cells: dict[str, list[Kind]]

    @cached_property
    def by_guard(self) -> dict[str, list[tuple[Proof, Unmet]]]:
        """Those that lack something, by the guard that misses it."""
        found: dict[str, list[tuple[Proof, Unmet]]] = {}
        for proof in self.lacking:
            if proof.missing is not None:
                found.setdefault(proof.missing.guard, []).append((proof, proof.missing))
        return found


def proofs(state: State) -> list[Proof]:
    """For every item and question of the current task: its chain, or what is missing.

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
    of = chains_of(state)
    return [proof_of(of, item, q) for q in state.epoch.questions for item in range(of.n_items)]


FACTS = "facts "
"""Stands before a seal of facts; a seal without it covers the words of its time as well."""


def seal(state: State) -> str:
    """SHA-256 of all proofs that hold, as a release keeps it: answers, kinds and events.

    Words are left out, so that a later version may tell a proof better.

    Examples
    --------
    >>> seal(State())[:18]
    'facts 4f53cda18c2b'
    """
    found = [
        [p.item, p.question, p.answer, p.kind.value, [list(link.events) for link in p.chain]]
        for p in proofs(state)
        if p.missing is None
    ]
    return FACTS + digest(found)


def unproved(state: State) -> int:
    """How many answers are no ground truth: without a proof, or imported and not accepted.

    Examples
    --------
    >>> unproved(State())
    0
    """
    found = proved(state)
    return len(found.lacking) + found.kinds.get(Kind.DOCUMENTED, 0)


def proved(state: State) -> Proved:
    """How many values have a proof of which kind, and what the others lack.

    Parameters
    ----------
    state : State

    Examples
    --------
    >>> proved(State()).kinds
    {}
    """
    kept: Proved | None = state.epoch.derived.get("proved")
    if kept is None:
        of, cells, lacking = chains_of(state), dict[str, list[Kind]](), list[Proof]()
        waiting = of_each_case(state, "unsettled", lambda case: _unsettled(state, case))
        for question in state.epoch.questions:
            kind, plain = _kept_plain(of, question)
            cells[question] = [kind] * of.n_items
            for item in [item for item in range(of.n_items) if item not in plain]:
                case = of.case_at.get((item, question))
                proof = (waiting[case.number] if case else None) or proof_of(of, item, question)
                cells[question][item] = proof.kind
                lacking += [proof] if proof.missing else []
        counts = Counter(one for each in cells.values() for one in each)
        found = {kind: counts[kind] for kind in Kind if counts[kind]}
        kept = state.epoch.derived["proved"] = Proved(found, tuple(lacking), cells)
    return kept


def chains_of(state: State) -> Chains:
    """The chains of a state, made once until the next event."""
    found: Chains | None = state.epoch.derived.get("chains")
    if found is None or found.state is not state:
        found = state.epoch.derived["chains"] = Chains(state)
    return found


def proof_of(of: Chains, item: int, question: str) -> Proof:
    """The proof of one value, by the position of its item."""
    name = of.state.items.ids[item]
    try:
        answer, kind, chain = Chain(of, item, question).followed()
    except Lacking as lacks:
        return Proof(name, question, "", lacks.kind, (), lacks.unmet)
    if kind is not Kind.NOT_ASKED and any(link.told for link in chain):
        kind = Kind.DOCUMENTED
    elif kind is not Kind.NOT_ASKED and any(link.imported for link in chain):
        kind = Kind.ACCEPTED
    return Proof(name, question, answer, kind, tuple(chain))


def _unsettled(state: State, case: Case) -> Proof | None:
    """What `_proof` says of the cell of a case that is not settled: only that, whatever else."""
    lacks = unsettled(case)
    name = state.items.ids[case.item]
    return Proof(name, case.question, "", lacks.kind, (), lacks.unmet) if lacks else None


def _kept_plain(of: Chains, question: str) -> tuple[Kind, set[int]]:
    """`_plain`, kept while what it looks at stays as it is."""
    state, epoch = of.state, of.epoch
    key = (
        epoch.answered, of.n_items, len(epoch.cases), bool(of.unconfirmed), len(epoch.orders),
        len(state.for_others), list(epoch.accepted.items()),
    )  # fmt: skip
    found: tuple[Kind, set[int]] = epoch.kept(
        f"plain {question}", key, lambda: _plain(of, question)
    )
    return found


def _plain(of: Chains, question: str) -> tuple[Kind, set[int]]:
    """Items whose answers need no second look: agreed in the last round, and never disputed.

    They are what most items are; `proof_of` says the same of each.
    """
    asking = [some for some in of.closed if question in some.questions]
    if not asking or asking[0].items is not None or of.unconfirmed:
        return Kind.NONE, set()
    last, sheets = asking[0], asking[0].sheet.get(question, {})
    if any(o.toolbox > last.toolbox for o in of.epoch.orders if question in o.questions):
        return Kind.NONE, set()
    accepted = [of.epoch.accepted.get(coder, 0) > last.closed_seq for coder in sheets]
    if last.imported and any(accepted) and not all(accepted):
        return Kind.NONE, set()
    numbers = {n for coder in sheets for n in last.events[question][coder].values()}
    if not last.imported and not numbers.isdisjoint(of.state.for_others):
        return Kind.NONE, set()
    of_import = Kind.ACCEPTED if all(accepted) else Kind.DOCUMENTED
    kind = of_import if last.imported else Kind.BLIND
    agreed = enumerate(states_of(of.epoch, question)[: of.n_items])
    found = {item for item, cell in agreed if cell is CellState.AGREED}
    found -= {item for item, q in of.case_at if q == question}
    found -= {item for item, q, _ in of.changes if q == question}
    found -= of.epoch.conflicts.get(question, {}).keys()
    for coder, codes in of.epoch.current.get(question, {}).items():
        sheet = sheets.get(coder, {})
        found -= {i for i in found if i < len(codes) and codes[i] != NONE and i not in sheet}
    return kind, found


ACCEPTANCE = "imports_accepted"
OF_SOURCES = ("source.cause", "source.text", "source.again")
"""What `proof` misses in an import that does not say how the coders came to agree."""
