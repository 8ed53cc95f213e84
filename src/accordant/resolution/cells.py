"""How annotations of one item compare on one question: the state of each cell, and of whole rounds.

Rows of a question are counted as patterns first and judged once for each distinct pattern, so that
a comparison of 100,000 items costs as much as reading them.
"""

from __future__ import annotations

from bisect import insort
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from .round_result import asks, in_order, labels_that_ask, merged
from .state import NONE, Columns, Epoch, Round, State
from .terms import NOT_APPLICABLE, Answer, CellState

OUT = -2  # the coder was never asked about this item
DEPENDS = -3  # not asked, because of the coder's own answer to the parent
Row = tuple[int, ...]


LISTED = (CellState.CONFLICTING, CellState.INCOMPLETE)


@dataclass(frozen=True)
class CellComparison:
    """One question compared.

    Parameters
    ----------
    question : str
    counts : dict of str to int
        Cell state → number of items.
    conflicting, incomplete : list of int
        Positions of these items, in increasing order.
    states : list of CellState
        Of the cells, one by one.
    """

    question: str
    counts: dict[str, int] = field(default_factory=dict)
    conflicting: list[int] = field(default_factory=list)
    incomplete: list[int] = field(default_factory=list)
    states: list[CellState] = field(default_factory=list, repr=False)

    def after(self, epoch: Epoch, items: Iterable[int]) -> CellComparison:
        """As it is once the answers about some items may be others; of a whole question."""
        counts = Counter(self.counts)
        for item in (i for i in items if i < len(self.states)):
            old, new = self.states[item], cell_state(epoch, item, self.question)
            for state, found in zip(LISTED, (self.conflicting, self.incomplete), strict=True):
                if state is old:
                    found.remove(item)
                if state is new:
                    insort(found, item)
            counts[old.value] -= 1
            counts[new.value] += 1
            self.states[item] = new
        told = {state.value: counts[state.value] for state in CellState if counts[state.value]}
        return replace(self, counts=told)

    @property
    def n_compared(self) -> int:
        """How many items two coders or more have answered."""
        return self.counts.get(CellState.AGREED, 0) + self.counts.get(CellState.CONFLICTING, 0)


def dependents(epoch: Epoch, questions: Iterable[str]) -> list[str]:
    """Questions with all that depend on them, in the order of the task.

    Examples
    --------
    >>> from accordant.resolution.terms import AskedIf, Question, Task
    >>> asked = Question("2", "Why?", asked_if=AskedIf("1", ("yes",)))
    >>> dependents(Epoch(1, Task((Question("1", "Is it?"), asked))), ["1"])
    ['1', '2']
    """
    found = set(questions)
    for question in in_order(list(epoch.questions.values())):
        if question.asked_if and question.asked_if.question in found:
            found.add(question.id)
    return [id for id in epoch.questions if id in found]


def _column(epoch: Epoch, current: Columns, made: Columns, question: str, coder: str) -> list[int]:
    """A coder's codes for a question, `OUT` and `DEPENDS` where they were not asked."""
    codes, ordinals = current[question][coder], made[question][coder]
    if ordinals and min(ordinals) == NONE:
        codes = [OUT if o == NONE else c for c, o in zip(codes, ordinals, strict=True)]
    parent = epoch.questions[question].asked_if
    if parent is None:
        return codes
    asking = labels_that_ask(epoch, epoch.questions[question])
    above = (current.get(parent.question) or epoch.current.get(parent.question, {})).get(coder, [])
    above = above + [NONE] * (len(codes) - len(above))
    return [c if c == OUT or a in asking else DEPENDS for c, a in zip(codes, above, strict=False)]


def _rows(
    epoch: Epoch, question: str, current: Columns | None = None, made: Columns | None = None
) -> Iterator[Row]:
    """What the coders of a question hold, item by item: one row of codes for each."""
    now = epoch.current if current is None else current
    under = epoch.made if made is None else made
    columns = [_column(epoch, now, under, question, coder) for coder in now.get(question, {})]
    longest = max(map(len, columns), default=0)
    return zip(*(c + [OUT] * (longest - len(c)) for c in columns), strict=True)


def _judged(row: Row, not_applicable: int) -> CellState:
    """The state of a cell, from what its coders hold."""
    asked = [code for code in row if code != OUT]
    if not asked:
        return CellState.OUT_OF_SCOPE
    given = {code for code in asked if code >= 0}
    if len(given) > 1:
        return CellState.CONFLICTING
    if NONE in asked or len(asked) == 1:
        return CellState.INCOMPLETE
    if given <= {not_applicable}:
        return CellState.NOT_APPLICABLE
    return CellState.ONE_NOT_APPLICABLE if DEPENDS in asked else CellState.AGREED


def _judgements(epoch: Epoch, rows: Iterable[Row]) -> dict[Row, CellState]:
    code = epoch.codes.get(NOT_APPLICABLE, NONE)
    return {row: _judged(row, code) for row in rows}


def states_of(epoch: Epoch, question: str) -> list[CellState]:
    """The state of each item's cell now, in the order of the items.

    Items that came after the last round may be absent at the end.
    """
    found = comparisons(epoch).get(question)
    return found.states if found else []


def n_agreed(epoch: Epoch, question: str) -> int:
    """How many cells of a question are agreed now: found sooner than which."""
    found = comparisons(epoch).get(question)
    return found.counts.get(CellState.AGREED, 0) if found else 0


def compared(
    epoch: Epoch,
    question: str,
    items: Sequence[int] | None = None,
    current: Columns | None = None,
    made: Columns | None = None,
) -> CellComparison:
    """Compare one question.

    Parameters
    ----------
    epoch : Epoch
    question : str
    items : sequence of int, optional
        Positions, in increasing order; all by default.
    current, made : Columns, optional
        Other annotations than those that count now (`round_result.merged`).

    Returns
    -------
    CellComparison

    Examples
    --------
    >>> from accordant.resolution.terms import Question, Task
    >>> epoch = Epoch(1, Task((Question("1", "Is there a claim?"),)))
    >>> epoch.current = {"1": {"A1": [0, 1, 1], "A2": [0, 0, NONE]}}
    >>> epoch.made = {"1": {"A1": [1, 1, 1], "A2": [1, 1, 1]}}
    >>> compared(epoch, "1").counts, compared(epoch, "1").conflicting
    ({'agreed': 1, 'conflicting': 1, 'incomplete': 1}, [1])
    """
    rows = list(_rows(epoch, question, current, made))
    where: Sequence[int] = range(len(rows))
    if items is not None:
        where = [item for item in items if item < len(rows)]
        rows = [rows[item] for item in where]
    judged = _judgements(epoch, {*rows})
    states = [judged[row] for row in rows]
    counts = {state.value: n for state in CellState if (n := states.count(state))}
    conflicting, incomplete = (
        [i for i, one in zip(where, states, strict=True) if one is state] if state in counts else []
        for state in LISTED
    )
    return CellComparison(question, counts, conflicting, incomplete, states)


def comparisons(epoch: Epoch) -> dict[str, CellComparison]:
    """Every question that has annotations, compared as they are now."""

    def renewed(
        before: dict[str, CellComparison], items: Iterable[int]
    ) -> dict[str, CellComparison]:
        found = {}
        for id in epoch.questions:
            if columns := epoch.current.get(id):
                n, old = max(map(len, columns.values())), before.get(id)
                same = old is not None and len(old.states) == n
                found[id] = old.after(epoch, items) if old and same else compared(epoch, id)
        return found

    found: dict[str, CellComparison] = epoch.kept("comparisons", lambda: renewed({}, ()), renewed)
    return found


def compared_round(state: State, some: Round) -> dict[str, CellComparison]:
    """Compare a round as if it closed now, for its scope."""
    current, made = merged(state, some)
    items = some.items if some.items is not None else range(some.n_items)
    return {id: compared(state.epoch, id, items, current, made) for id in current}


def missing_cells(epoch: Epoch) -> dict[str, list[int]]:
    """Positions of incomplete cells by question: somebody who was asked has not answered."""
    found = {id: result.incomplete for id, result in comparisons(epoch).items()}
    return {id: items for id, items in found.items() if items}


def unasked_cells(state: State) -> dict[str, list[int]]:
    """Positions of frozen items by question, where no round has asked anybody yet."""
    epoch, n = state.epoch, state.items.frozen

    def renewed(before: dict[str, list[int]], items: Collection[int]) -> dict[str, list[int]]:
        left = {
            question: [i for i in each if i not in items or not _held(epoch, i, question)]
            for question, each in before.items()
        }
        return {question: each for question, each in left.items() if each}

    found: dict[str, list[int]] = epoch.kept("unasked", lambda: _unasked(epoch, n), renewed)
    return found


def _unasked(epoch: Epoch, n: int) -> dict[str, list[int]]:
    found = {}
    for id in epoch.questions:
        columns = [column for column in epoch.made.get(id, {}).values() if column]
        if any(len(column) >= n and min(column[:n]) != NONE for column in columns):
            continue
        asked = {i for column in columns for i, ordinal in enumerate(column) if ordinal != NONE}
        if left := [item for item in range(n) if item not in asked]:
            found[id] = left
    return found


def _at(columns: dict[str, list[int]], coder: str, item: int) -> int:
    column = columns.get(coder, [])
    return column[item] if item < len(column) else NONE


def _held(epoch: Epoch, item: int, question: str) -> dict[str, int]:
    """What each coder holds about one cell, as in a row; without those who were never asked."""
    made, current = epoch.made.get(question, {}), epoch.current.get(question, {})
    found = {
        coder: codes[item]
        for coder, codes in current.items()
        if item < len(codes) and made[coder][item] != NONE
    }
    asked = (
        next((q for q in epoch.task.questions if q.id == question), None) if epoch.task else None
    )
    if asked is not None and asked.asked_if is not None:
        parent = epoch.current.get(asked.asked_if.question, {})
        for coder in found:
            above = _at(parent, coder, item)
            if above == NONE or not asks(epoch.answers[above], asked):
                found[coder] = DEPENDS
    return found


def cell_state(epoch: Epoch, item: int, question: str) -> CellState:
    """The state of one cell now."""
    code = epoch.codes.get(NOT_APPLICABLE, NONE)
    return _judged(tuple(_held(epoch, item, question).values()), code)


def codes_at(epoch: Epoch, item: int, question: str) -> dict[str, int]:
    """Code of the answer of each coder who was asked about a cell and has answered."""
    return {coder: code for coder, code in _held(epoch, item, question).items() if code >= 0}


def coders_at(epoch: Epoch, item: int, question: str) -> tuple[str, ...]:
    """Who was asked about a cell and has answered."""
    return tuple(codes_at(epoch, item, question))


def asked_at(epoch: Epoch, item: int, question: str) -> tuple[str, ...]:
    """Who was asked about a cell in a round that has closed, whether or not they answered."""
    held = _held(epoch, item, question)
    return tuple(coder for coder, code in held.items() if code != DEPENDS)


def answers_at(epoch: Epoch, item: int, question: str) -> dict[str, Answer]:
    """What each coder who was asked about a cell answers now."""
    return {coder: epoch.answers[k] for coder, k in codes_at(epoch, item, question).items()}
