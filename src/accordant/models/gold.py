"""Labels that are known: control items for a model to learn from, or a truth to score it by."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from ..actions import Action
from ..arrays import Bools, Floats, Ints
from ..data.annotations import Annotations
from ..data.assemble import status_of
from ..data.names import consensus_like, role_of
from ..data.options import make
from ..data.read import read
from ..data.table import BLANK, Table, plain
from ..diagnosis.finding import Finding, Told, rule
from ..diagnosis.words import listed, quoted
from ..errors import InputError, RequestError
from ..numbers import count_of, joined
from ..scheme import Value
from .votes import UNKNOWN, Votes

__all__ = [
    "ALL_MATCHED",
    "Gold",
    "GoldLabels",
    "Truth",
    "Unmatched",
    "believed_in",
    "gold_labels",
    "gold_of_question",
    "known_labels",
    "truth_of",
]


Gold: TypeAlias = str | Path | Mapping[Hashable, Value] | Any
NAMED = 5  # items
MARKS = (";", "|", ",", "+")  # between the labels of a set


class Unmatched(NamedTuple):
    """Items with a known label that are no items of the data: perhaps they are named otherwise."""

    names: tuple[str, ...] = ()
    n_told: int = 0  # items with a known label

    @property
    def sentence(self) -> str:
        """How many they are, and a few of their names."""
        n = len(self.names)
        more = ", …" if n > NAMED else ""
        return (
            f"{n:,} of {count_of(self.n_told, 'item')} with a known label "
            f"{'is no item' if n == 1 else 'are no items'} of the data "
            f"({listed(self.names[:NAMED])}{more})"
        )

    @property
    def finding(self) -> Finding | None:
        """The same as something to watch; None if all are items of the data."""
        return gold_not_in_data(self)

    def __str__(self) -> str:
        return f"; {self.sentence}" if self.names else ""


@rule("warning")
def gold_not_in_data(found: Unmatched) -> Told | None:
    """Known labels of items that the data do not have.

    {f.sentence}: these labels are not used.

    If they should be used, check how the items are named in both.
    """
    n = len(found.names)
    facts = {"n": n, "n_told": found.n_told, "items": found.names[:NAMED]}
    return Told(facts) if n else None


ALL_MATCHED = Unmatched()


class GoldLabels(NamedTuple):
    """The known label of each item, who held them, and what is no item of the data."""

    labels: dict[Hashable, Value]
    coders: tuple[str, ...]
    unmatched: Unmatched


@dataclass(frozen=True)
class GivenLabel:
    """A gold label as it stands: of which item, where."""

    item: Any
    label: Any
    file: str | None = None
    row: int | None = None
    column: str | None = None

    def error(self, message: str, *do: Action) -> InputError:
        """An error about this label."""
        return InputError(message, file=self.file, row=self.row, column=self.column, do=do)


def known_labels(gold: Gold, data: Annotations) -> tuple[dict[Hashable, Value], tuple[str, ...]]:
    """The known label of each item, and the coder who held them, if it was one.

    Parameters
    ----------
    gold : str, path, mapping, series, frame or Annotations
        The name of a coder of the data, or of a column of facts about the items (which a column
        called gold or truth beside the coders' is); a file or frame with a column of items and one
        of labels (``item``, ``gold``); a mapping or series from item to label. Items without a
        label, or with a word such as NA in its place, are no control items.
    data : Annotations
        Of one question.

    Returns
    -------
    labels : dict
        Item, as named in the data, to category. Items that the data do not have are left out.
    coders : tuple of str
        The coder whose annotations they were: no coder for the model.

    Raises
    ------
    InputError
        If a label is outside the scheme, an item has two labels, or no item is one of the data.
    RequestError
        If ``gold`` is neither a coder nor a file.

    Examples
    --------
    >>> data = read([["yes", "no", "yes"], ["yes", "no", "no"]], coder=["Ann", "Bob"])
    >>> known_labels({1: "yes", 2: "no", 99: "no"}, data)
    ({1: 'yes', 2: 'no'}, ())
    >>> known_labels("Ann", data)
    ({1: 'yes', 2: 'no', 3: 'yes'}, ('Ann',))
    """
    return gold_labels(gold, data)[:2]


def gold_labels(gold: Gold, data: Annotations) -> GoldLabels:
    """The same with the items that the data do not have.

    Parameters
    ----------
    gold, data
        As of `known_labels`.

    Examples
    --------
    >>> data = read([["yes", "no", "yes"], ["yes", "no", "no"]], coder=["Ann", "Bob"])
    >>> print(gold_labels({1: "yes", 99: "no"}, data).unmatched.sentence)
    1 of 2 items with a known label is no item of the data (“99”)
    """
    if isinstance(gold, str) and gold in (*data.coders, *(data.persons or ())):
        labels, unmatched = _fitting(_of_coder(data, gold), data)
        return GoldLabels(labels, (gold,), unmatched)
    if isinstance(gold, str) and gold in data.metadata:
        facts = zip(data.items, data.metadata[gold], strict=True)
        told: Iterator[GivenLabel] = (GivenLabel(*fact, column=gold) for fact in facts)
    else:
        told = _told(gold, data)
    labels, unmatched = _fitting(told, data)
    return GoldLabels(labels, (), unmatched)


def gold_of_question(gold: Gold | None, question: str, data: Annotations) -> Gold | None:
    """The part of the gold labels that is about a question.

    Parameters
    ----------
    gold : str, path, mapping, series, frame or Annotations, optional
        As in `known_labels`. For data of several questions: a coder, a table with a column for
        each question, annotations of several questions, or a mapping from question to gold labels.
    question : str
    data : Annotations
        With all questions.

    Returns
    -------
    Gold or None
        None if there are no gold labels for the question.

    Raises
    ------
    RequestError
        If the data have several questions and nothing says which of them the labels answer.

    Examples
    --------
    >>> told = {"item": [1, 2], "coder": ["A", "A"], "mood": ["x", "y"], "tone": ["p", "q"]}
    >>> data = read(told, label=["mood", "tone"])
    >>> gold_of_question({"mood": {1: "x"}}, "mood", data)
    {1: 'x'}
    >>> gold_of_question({"mood": {1: "x"}}, "tone", data)
    """
    several = data.questions
    if gold is None or len(several) == 1:
        return gold
    if isinstance(gold, str) and gold in (*data.coders, *(data.persons or ())):
        return gold if any(True for _ in _of_coder(data.of_question(question), gold)) else None
    if isinstance(gold, Mapping) and not gold:
        raise _no_label()
    if isinstance(gold, Mapping) and all(name in several for name in gold):
        return gold.get(question)
    if isinstance(gold, Annotations) and set(gold.questions) & set(several):
        return gold.of_question(question) if question in gold.questions else None
    if named := set(_columns(gold, data)) & set(several):
        return gold if question in named else None
    raise RequestError(
        f"one label is given for each item, but the data have {len(several):,} questions "
        f"({joined(map(quoted, several))}), and nothing says which of them these labels answer. "
        "Give a mapping from question to gold labels, a table with a column for each question, "
        "or data of one question",
        parameter="gold",
        do=[
            Action("", {"gold": {several[0]: ...}}),
            Action("of_question", {"question": several[0]}),
        ],
    )


def _columns(gold: Gold, data: Annotations) -> tuple[str, ...]:
    """The columns of a gold standard that is a table; none for another one."""
    if isinstance(gold, str) and gold in data.metadata:
        return ()
    columns = _has_columns(gold) if isinstance(gold, Mapping) else hasattr(gold, "columns")
    if not columns and not isinstance(gold, str | Path):
        return ()
    return tuple(name for table in _tables(gold, data) for name in table.names)


def _tables(gold: Gold, data: Annotations) -> Sequence[Table]:
    """The tables of a file or frame; none if it holds annotations.

    Raises
    ------
    RequestError
        If there is no such file.
    """
    from ..data.formats.files import tables_of
    from ..data.formats.frames import as_table

    if not isinstance(gold, str | Path):
        return [as_table(gold, make({}))]
    if isinstance(gold, str) and not Path(gold).exists():
        near = get_close_matches(gold, data.coders, 1)
        raise RequestError(
            f"{gold!r} is neither a coder of the data nor a file"
            f"{f' (did you mean {near[0]!r}?)' if near else ''}: name a coder, a column about the "
            "items, a file with the columns item and gold, or give a mapping from item to label",
            parameter="gold",
        )
    return tables_of(Path(gold), make({}))


def _told(gold: Gold, data: Annotations) -> Iterator[GivenLabel]:
    """Every label that a gold standard holds."""
    if isinstance(gold, Annotations):
        yield from _of_annotations(gold)
    elif isinstance(gold, Mapping) and not _has_columns(gold):
        yield from (GivenLabel(item, label) for item, label in gold.items())
    elif hasattr(gold, "to_dict") and not hasattr(gold, "columns"):  # a series
        yield from (GivenLabel(item, label) for item, label in gold.to_dict().items())
    else:
        tables = _tables(gold, data)
        found = _of_table(tables[0], data) if len(tables) == 1 else None
        yield from found or _of_annotations(read(gold))


def _has_columns(gold: Mapping[Any, Any]) -> bool:
    """Whether a mapping holds columns rather than a label for each item."""
    return any(role_of(str(name)) == "item" for name in gold) and all(
        not isinstance(x, str) and hasattr(x, "__len__") for x in gold.values()
    )


def _of_table(table: Table, data: Annotations) -> list[GivenLabel] | None:
    """The labels of a table with one label for each item; None if it has another shape."""
    roles = {role: [n for n in table.names if role_of(n) == role] for role in ("item", "coder")}
    rest = [n for n in table.names if n not in roles["item"] + roles["coder"]]
    label = _only(
        [n for n in rest if n == data.questions[0]],
        [n for n in rest if consensus_like(n)],
        [n for n in rest if role_of(n) == "label"],
        rest,
    )
    if roles["coder"] and len(table[roles["coder"][0]].words) > 1:
        return None
    if label is None:
        return None
    items = roles["item"] or [n for n in table.names if n != label][:1]
    if not items:
        return None
    item, named = table[items[0]], table[label]
    return [
        GivenLabel(item.words[i], named.words[k], table.source, table.row(row), label)
        for row, (i, k) in enumerate(zip(item.codes.tolist(), named.codes.tolist(), strict=True))
        if BLANK not in (i, k)
    ]


def _only(*choices: list[str]) -> str | None:
    """The first choice that names one column."""
    return next((names[0] for names in choices if len(names) == 1), None)


def _of_annotations(held: Annotations) -> Iterator[GivenLabel]:
    if len(held.coders) != 1:
        raise InputError(
            f"gold holds the labels of {len(held.coders):,} coders; one label for each item is "
            "needed: a table with the columns item and gold",
            file=held.reading.source if "." in held.reading.source else None,
        )
    yield from _of_coder(held, held.coders[0])


def _of_coder(data: Annotations, coder: str) -> Iterator[GivenLabel]:
    names = [
        name
        for name, person in zip(data.coders, data.persons or data.coders, strict=True)
        if coder in (name, person)
    ]
    rows = data.of_coders(names).answered
    for i, v in zip(rows.item.tolist(), rows.value.tolist(), strict=True):
        yield GivenLabel(data.items[i], data.values[v])


def _fitting(
    told: Iterator[GivenLabel], data: Annotations
) -> tuple[dict[Hashable, Value], Unmatched]:
    """The labels by the names and categories of the data, which may be numbers or text."""
    items = {plain(x): x.item() if hasattr(x, "item") else x for x in data.items}
    category = _categories(data)
    found: dict[Hashable, Value] = {}
    n_told = 0
    unmatched: dict[str, None] = {}
    for one in told:
        label = category(one.label)
        if label is None and _says_nothing(one.label):
            continue
        n_told += 1
        name = plain(one.item)
        if name not in items:
            unmatched[name] = None
            continue
        if label is None:
            raise _outside(one, data)
        if found.setdefault(items[name], label) != label:
            raise one.error(
                f"item {name!r} has two gold labels, {found[items[name]]!r} and {label!r}: give "
                "one label for each item"
            )
    if not n_told:
        raise _no_label()
    if not found:
        here = joined(map(quoted, data.items[:3]))
        raise InputError(
            f"none of the items with a gold label ({n_told:,}) is an item of the data, whose items "
            f"are called {here} and so on: look at how the items are named"
        )
    return found, Unmatched(tuple(unmatched), len(unmatched) + len(found))


def _says_nothing(label: Any) -> bool:
    missing = label is None or (isinstance(label, float) and label != label)
    return missing or status_of(str(label)) is not None


def _no_label() -> InputError:
    return InputError(
        "no item has a gold label: give a label for one item or more, or leave this out",
        parameter="gold",
    )


def _outside(one: GivenLabel, data: Annotations) -> InputError:
    names = [str(c) for c in data.schemes[0].categories]
    near = get_close_matches(plain(one.label), names, 1)
    return one.error(
        f"the gold label {one.label!r} of item {plain(one.item)!r} is outside the scheme, whose "
        f"categories are {joined(names, most=10)}"
        f"{f'; did you mean {near[0]!r}?' if near else '.'} Correct it, or, if the category was "
        "never given by a coder, name all categories",
        Action("", {"categories": [...]}),
    )


def _categories(data: Annotations) -> Callable[[Any], Value | None]:
    """From a label as it stands to the category or the set of categories; None if outside."""
    scheme = data.schemes[0]
    by_text = {plain(c): c for c in scheme.categories}
    if scheme.max_labels == 1:
        return lambda label: by_text.get(plain(label))
    order = {c: k for k, c in enumerate(scheme.categories)}
    whole = {plain(v): v for v in data.values}

    def of_set(label: Any) -> Value | None:
        if isinstance(label, str) and plain(label) in whole:
            return whole[plain(label)]
        if isinstance(label, str):
            mark = next((m for m in MARKS if m in label and label not in by_text), None)
            label = label.split(mark) if mark else [label]
        elif not isinstance(label, list | tuple | set | frozenset):
            label = [label]
        parts = {by_text.get(plain(x)) for x in label}
        if None in parts:
            return None
        return tuple(sorted((x for x in parts if x is not None), key=order.__getitem__))

    return of_set


@dataclass(frozen=True, eq=False)
class Truth:
    """The right category of items.

    Parameters
    ----------
    codes : ndarray of int
        (I,) position of the right category; -1 where it is unknown or the model was told it; K
        if it is a category that nobody gave.
    n_told : int
        Control items: their labels were given to the model, so it cannot be scored by them.
    unmatched : Unmatched
        Items with a known label that are no items of the data.
    """

    codes: Ints
    n_told: int
    unmatched: Unmatched = ALL_MATCHED

    @property
    def scored(self) -> Bools:
        """(I,) whether the item counts."""
        return self.codes >= 0


def truth_of(votes: Votes, data: Annotations, truth: Gold, *, told: bool = False) -> Truth:
    """The truth of the items that a model was fitted to.

    Parameters
    ----------
    votes, data : Votes, Annotations
        What the model was fitted to, and where it comes from.
    truth : str, path, mapping or frame
        As ``gold`` of `fit`.
    told : bool
        Whether control items count too.

    Returns
    -------
    Truth

    Raises
    ------
    RequestError
        If it is the labels of a coder that the model learned from.
    InputError
        If no item is left to score.
    """
    labels, holders, unmatched = gold_labels(truth, data)
    if learned := [name for name in holders if name in votes.coders]:
        raise RequestError(
            f"the model has learned from {learned[0]!r}, so it cannot be scored by that coder: "
            "leave the coder out of the data, or name the coder when fitting",
            do=[Action("fit", {"gold": learned[0]})],
        )
    position = {value: k for k, value in enumerate(votes.categories)}
    known = {item: position.get(label, len(position)) for item, label in labels.items()}
    codes = np.array([known.get(name, UNKNOWN) for name in votes.names], np.intp)
    control = (votes.known != UNKNOWN) & (codes >= 0)
    n_told = 0 if told else int(control.sum())
    if not told:
        codes[control] = UNKNOWN
    if not (codes >= 0).any():
        why = (
            "every item with a known label was a control item, which the model was told"
            if n_told
            else "no item with a known label was annotated"
        )
        raise InputError(f"nothing can be scored: {why}")
    return Truth(codes, n_told, unmatched)


def believed_in(probabilities: Floats, codes: Ints) -> Floats:
    """(n,) probability of the right category; 0 if nobody gave it."""
    inside = codes < probabilities.shape[1]
    at = np.where(inside, codes, 0)
    return np.where(inside, probabilities[np.arange(len(codes)), at], 0.0)
