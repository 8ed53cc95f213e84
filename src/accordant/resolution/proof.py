"""Why each value is ground truth, for every item and question: proofs, and their number by kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from .cells import states_of
from .chains import Chain, Chains, Lacking, Link, ProofKind, unsettled
from .command import Unmet
from .disagreement import case_at
from .state import NONE, State
from .terms import CellState, digest


@dataclass(frozen=True)
class Proof:
    """Why the answer to one question about one item is ground truth, or what is missing.

    Parameters
    ----------
    item, question : str
    answer : str
        Empty where there is no proof, and where the question is not asked.
    kind : ProofKind
    chain : tuple of Link
    missing : Unmet or None
        What the chain lacks; None: the value is proved, or imported as documented.
    """

    item: str
    question: str
    answer: str
    kind: ProofKind
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


class Proved:
    """The proofs of a project in short, kept while it goes on.

    Attributes
    ----------
    cells : dict of str to list of ProofKind
        Question → the kind of each item, in their order.
    by_guard : dict of str to dict of int to Proof
        Those that lack something, by the guard that misses it and the place of their cell.
    """

    def __init__(self, of: Chains) -> None:
        self.cells: dict[str, list[ProofKind]] = {}
        self.by_guard: dict[str, dict[int, Proof]] = {}
        self._n: Counter[ProofKind] = Counter()
        self._owed = of.owed
        for question in of.epoch.questions:
            cells = self.cells[question] = [ProofKind.NONE] * of.n_items
            left = set(range(of.n_items))
            for kind, plain in _plain(of, question):
                left -= plain
                self._n[kind] += len(plain)
                for item in plain:
                    cells[item] = kind
            self._n[ProofKind.NONE] += len(left)
            self._look(of, question, sorted(left))

    def after(self, of: Chains, items: Iterable[int]) -> Proved:
        """As they are once something is new about some items."""
        if of.owed != self._owed:  # what is stale elsewhere bears on everything under an order
            return Proved(of)
        for question in self.cells:
            self._look(of, question, (item for item in items if item < of.n_items))
        return self

    def _look(self, of: Chains, question: str, items: Iterable[int]) -> None:
        cells, before = self.cells[question], [*self.cells].index(question) * of.n_items
        for item in items:
            proof = proof_of(of, item, question)
            self._n[cells[item]] -= 1
            self._n[proof.kind] += 1
            cells[item] = proof.kind
            for each in self.by_guard.values():
                each.pop(before + item, None)
            if proof.missing is not None:
                self.by_guard.setdefault(proof.missing.guard, {})[before + item] = proof

    @property
    def kinds(self) -> dict[ProofKind, int]:
        """How many cells have a proof of which kind; only what there is."""
        return {kind: self._n[kind] for kind in ProofKind if self._n[kind]}

    @property
    def n_lacking(self) -> int:
        """How many lack something."""
        return sum(map(len, self.by_guard.values()))

    @property
    def lacking(self) -> tuple[Proof, ...]:
        """Those that lack something, in the order of the cells."""
        found = {at: proof for each in self.by_guard.values() for at, proof in each.items()}
        return tuple(found[at] for at in sorted(found))


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
    return [*_each(state)]


def _each(state: State) -> Iterator[Proof]:
    of = chains_of(state)
    for question in state.epoch.questions:
        yield from (proof_of(of, item, question) for item in range(of.n_items))


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
        [p.item, p.question, p.answer, p.kind.value, [list(link.events) for link in p.chain]]
        for p in _each(state)  # one after another: a hundred thousand chains are many objects
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
    return found.n_lacking + found.kinds.get(ProofKind.DOCUMENTED, 0)


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
    kept: Proved = state.epoch.kept(
        "proved",
        lambda: Proved(chains_of(state)),
        lambda found, items: found.after(chains_of(state), items),
    )
    return kept


def chains_of(state: State) -> Chains:
    """The chains of a state."""
    found: Chains = state.epoch.kept("chains", lambda: Chains(state), Chains.after)
    return found


def proof_of(of: Chains, item: int, question: str) -> Proof:
    """The proof of one value, by the position of its item."""
    name, case = of.state.items.ids[item], case_at(of.epoch, item, question)
    if case is not None and (lacks := unsettled(case)):  # what most lack is soon told
        return Proof(name, question, "", lacks.kind, (), lacks.unmet)
    try:
        answer, kind, chain = Chain(of, item, question).followed()
    except Lacking as lacks:
        return Proof(name, question, "", lacks.kind, (), lacks.unmet)
    if kind is not ProofKind.NOT_ASKED and any(link.told for link in chain):
        kind = ProofKind.DOCUMENTED
    elif kind is not ProofKind.NOT_ASKED and any(link.imported for link in chain):
        kind = ProofKind.ACCEPTED
    return Proof(name, question, answer, kind, tuple(chain))


def _plain(of: Chains, question: str) -> Iterator[tuple[ProofKind, set[int]]]:
    """Items whose answers need no second look: agreed in one round, and never disputed or owed.

    They are what most items are; `proof_of` says the same of each.
    """
    epoch = of.epoch
    agreed = enumerate(states_of(epoch, question)[: of.n_items])
    left = {item for item, cell in agreed if cell is CellState.AGREED}
    left -= {case.item for case in epoch.cases.values() if case.question == question}
    left -= {item for item, q, _ in of.changes if q == question}
    left -= epoch.conflicts.get(question, {}).keys()
    for some in of.closed:  # the last one first
        sheets = some.sheet.get(question, {})
        found = left.intersection(set[int]().union(*sheets.values()))
        left -= found
        accepted = [epoch.accepted.get(coder, 0) > some.closed_seq for coder in sheets]
        numbers = {n for coder in sheets for n in some.events[question][coder].values()}
        if some.imported and any(accepted) and not all(accepted):
            continue
        if not some.imported and not numbers.isdisjoint(of.state.for_others):
            continue
        for coder, codes in epoch.current.get(question, {}).items():
            sheet = sheets.get(coder, {})
            found -= {i for i in found if i < len(codes) and codes[i] != NONE and i not in sheet}
        for order in epoch.orders:
            if order.toolbox > some.toolbox and question in order.questions:
                found.difference_update(found if order.items is None else order.items)
        of_import = ProofKind.ACCEPTED if all(accepted) else ProofKind.DOCUMENTED
        yield of_import if some.imported else ProofKind.BLIND, found


ACCEPTANCE = "imports_accepted"
OF_SOURCES = ("source.cause", "source.text", "source.again")
"""An import that does not say how the coders came to agree."""
