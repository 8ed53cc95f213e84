"""How annotations of one item compare on one question: the state of each cell, and of whole rounds.

Rows of a question are counted as patterns first and judged once for each distinct pattern, so that
a comparison of 100,000 items costs as much as reading them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from .records import NOT_APPLICABLE, Answer
from .round_result import in_order, labels_that_ask, merged
from .state import NONE, Columns, Epoch, Round, State
from .words import CellState

__all__ = [
    "Comparison", "answers_at", "asked_at", "cell_state", "coders_at", "codes_at", "compared",
    "compared_round", "comparisons", "dependents", "look_at_many", "missing_cells", "n_agreed",
    "states_of", "unasked_cells",
]  # fmt: skip

OUT = -2  # the coder was never asked about this item
DEPENDS = -3  # not asked, because of the coder's own answer to the parent
Row = tuple[int, ...]
Prepared = dict[str, list[tuple[str, list[int]]]]
"""Question → each coder and their codes, see `_column`."""
NOT_PREPARED: tuple[object, Prepared] = None, {}


@dataclass(frozen=True)
class Comparison:
    """One question compared.

    Parameters
    ----------
    question : str
    counts : dict of str to int
        Cell state → number of items.
    conflicting, incomplete : list of int
        Positions of these items, in increasing order.
    """

    question: str
    counts: dict[str, int] = field(default_factory=dict)
    conflicting: list[int] = field(default_factory=list)
    incomplete: list[int] = field(default_factory=list)

    @property
    def n_compared(self) -> int:
        """How many items two coders or more have answered."""
        return self.counts.get(CellState.AGREED, 0) + self.counts.get(CellState.CONFLICTING, 0)


def dependents(epoch: Epoch, questions: Iterable[str]) -> list[str]:
    """Questions with all that depend on them, in the order of the task.

    Examples
    --------
    >>> from accordant.resolution.records import AskedIf, Question, Task
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


def _columns(epoch: Epoch, question: str) -> Iterator[tuple[str, list[int]]]:
    for coder in epoch.current.get(question, {}):
        yield coder, _column(epoch, epoch.current, epoch.made, question, coder)


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
    rows = list(_rows(epoch, question))
    judged = _judgements(epoch, set(rows))
    return [judged[row] for row in rows]


def n_agreed(epoch: Epoch, question: str) -> int:
    """How many cells of a question are agreed now: found sooner than which."""
    patterns = Counter(_rows(epoch, question))
    judged = _judgements(epoch, patterns)
    return sum(n for row, n in patterns.items() if judged[row] is CellState.AGREED)


def compared(
    epoch: Epoch,
    question: str,
    items: Sequence[int] | None = None,
    current: Columns | None = None,
    made: Columns | None = None,
) -> Comparison:
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
    Comparison

    Examples
    --------
    >>> from accordant.resolution.records import Question, Task
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
    patterns = Counter(rows)
    judged = _judgements(epoch, patterns)
    counts: Counter[str] = Counter()
    for row, n in patterns.items():
        counts[judged[row].value] += n
    conflicting = {row for row, state in judged.items() if state is CellState.CONFLICTING}
    incomplete = {row for row, state in judged.items() if state is CellState.INCOMPLETE}
    return Comparison(
        question,
        {state.value: counts[state.value] for state in CellState if counts[state.value]},
        [i for i, row in zip(where, rows, strict=True) if row in conflicting]
        if conflicting
        else [],
        [i for i, row in zip(where, rows, strict=True) if row in incomplete] if incomplete else [],
    )


def comparisons(epoch: Epoch) -> dict[str, Comparison]:
    """Every question that has annotations, compared as they are now."""
    found: dict[str, Comparison] = epoch.kept(
        "comparisons",
        epoch.answered,
        lambda: {id: compared(epoch, id) for id in epoch.questions if epoch.current.get(id)},
    )
    return found


def compared_round(state: State, some: Round) -> dict[str, Comparison]:
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
    found: dict[str, list[int]] = epoch.kept(
        "unasked", (epoch.answered, n), lambda: _unasked(epoch, n)
    )
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


def look_at_many(epoch: Epoch) -> None:
    """Prepare for looking at many cells, one by one, until an answer changes.

    What each coder was asked is then found once for all items, not anew for each cell.
    """
    epoch.kept("columns", epoch.answered, dict)


def _held(epoch: Epoch, item: int, question: str) -> dict[str, int]:
    """What each coder holds about one cell, as in a row; without those who were never asked."""
    key, prepared = epoch.lasting.get("columns", NOT_PREPARED)
    if key == epoch.answered:
        columns = prepared.get(question)
        if columns is None:
            columns = prepared[question] = list(_columns(epoch, question))
        return {
            coder: codes[item]
            for coder, codes in columns
            if item < len(codes) and codes[item] != OUT
        }
    parent = epoch.questions[question].asked_if
    asking = labels_that_ask(epoch, epoch.questions[question])
    found = {}
    for coder in epoch.current.get(question, {}):
        if _at(epoch.made.get(question, {}), coder, item) == NONE:
            continue
        code = _at(epoch.current[question], coder, item)
        if parent is not None:
            above = _at(epoch.current.get(parent.question, {}), coder, item)
            code = code if above in asking else DEPENDS
        found[coder] = code
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
    key, prepared = epoch.lasting.get("columns", NOT_PREPARED)
    columns = prepared.get(question) if key == epoch.answered else None
    if columns is None:
        return tuple(codes_at(epoch, item, question))
    return tuple(c for c, codes in columns if item < len(codes) and codes[item] >= 0)


def asked_at(epoch: Epoch, item: int, question: str) -> tuple[str, ...]:
    """Who was asked about a cell in a round that has closed, whether or not they answered."""
    held = _held(epoch, item, question)
    return tuple(coder for coder, code in held.items() if code != DEPENDS)


def answers_at(epoch: Epoch, item: int, question: str) -> dict[str, Answer]:
    """What each coder who was asked about a cell answers now."""
    return {coder: epoch.answers[k] for coder, k in codes_at(epoch, item, question).items()}
