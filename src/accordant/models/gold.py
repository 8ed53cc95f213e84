"""Labels that are known: control items for a model to learn from, or a truth to score it by."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from ..actions import Action
from ..arrays import Floats, Ints
from ..data.annotations import Annotations, Columns
from ..data.assemble import status_of
from ..data.names import consensus_like, role_of
from ..data.options import make
from ..data.read import read
from ..data.table import BLANK, Table, plain
from ..diagnosis.finding import Told, rule
from ..errors import InputError, RequestError, meant
from ..messages import listed, quoted
from ..numbers import count_of, joined
from ..scheme import Value
from .votes import UNKNOWN, Votes

Gold: TypeAlias = str | Path | Mapping[Hashable, Value] | Any
NAMED = 5  # items
MARKS = (";", "|", ",", "+")  # between the labels of a set
CHOSEN, AT_RANDOM = "chosen", "at random"  # a column of sheets to check, and what it says of some


class Unmatched(NamedTuple):
    """Items with a known label that are no items of the data: perhaps they are named otherwise."""

    names: tuple[str, ...] = ()
    n_told: int = 0  # items with a known label

    @property
    def sentence(self) -> str:
        """How many they are, and a few of their names."""
        return (
            f"{len(self.names):,} of {count_of(self.n_told, 'item')} with a known label not in the "
            f"data ({listed(self.names[:NAMED])})"
        )


ALL_MATCHED = Unmatched()


@rule("warning")
def gold_not_in_data(found: Unmatched) -> Told | None:
    """Known labels of items that the data do not have.

    {f.sentence}: these labels are not used.

    If they should be used, check how the items are named in both.
    """
    n = len(found.names)
    facts = {"n": n, "n_told": found.n_told, "items": found.names[:NAMED]}
    return Told(facts) if n else None


class GoldLabels(NamedTuple):
    """The known label of each item, who held them (no coder for the model), what is not here.

    ``at_random``: the items that were drawn at random to be checked, where the source says so.
    """

    labels: dict[Hashable, Value]
    coders: tuple[str, ...] = ()
    unmatched: Unmatched = ALL_MATCHED
    at_random: frozenset[Hashable] = frozenset()


def gold_labels(gold: Gold, data: Annotations) -> GoldLabels:
    """The known labels, by the items and categories of the data.

    Parameters
    ----------
    gold : str, path, mapping, frame or Annotations
        The name of a coder of the data, or of a column of facts about the items; a file or frame
        with a column of items and one of labels (``item``, ``gold``); a mapping from item to label.
        Items without a label, or with a word such as NA in its place, are no control items.
    data : Annotations
        Of one question.

    Raises
    ------
    InputError
        If a label is outside the scheme, an item has two labels, or no item is one of the data.
    RequestError
        If ``gold`` is neither a coder nor a file.

    Examples
    --------
    >>> data = read([["yes", "no", "yes"], ["yes", "no", "no"]], coder=["Ann", "Bob"])
    >>> found = gold_labels({1: "yes", 2: "no", 99: "no"}, data)
    >>> found.labels, found.unmatched.names
    ({1: 'yes', 2: 'no'}, ('99',))
    >>> gold_labels("Ann", data)[:2]
    ({1: 'yes', 2: 'no', 3: 'yes'}, ('Ann',))
    """
    coder = str(gold) if _is_coder(gold, data) else ""
    given, drawn = (_of_coder(data, coder), set()) if coder else _given(gold, data)
    labels, unmatched = _fitting(given, data)
    at_random = frozenset(item for item in labels if plain(item) in drawn)
    return GoldLabels(labels, (coder,) if coder else (), unmatched, at_random)


def coder_beside(gold: Gold, data: Annotations) -> tuple[str, Annotations]:
    """The coder whose labels count as right, and the data with it: perhaps one more coder.

    Examples
    --------
    >>> data = read([["yes", "no", "yes"], ["yes", "no", "no"]], coder=["Ann", "Bob"])
    >>> name, found = coder_beside({1: "yes", 2: "no"}, data)
    >>> name, found.coders, len(found)
    ('known labels', ('Ann', 'Bob', 'known labels'), 8)
    """
    data = data.of_persons()
    if isinstance(gold, str) and gold in data.coders:
        return gold, data
    name = gold if isinstance(gold, str) and gold in data.metadata else "known labels"
    items: dict[Hashable, int] = {plain(item): k for k, item in enumerate(data.items)}
    found: list[tuple[int, int, Value]] = []
    for k, question in enumerate(data.questions):
        own = gold_of_question(gold, question, data)
        labels = {} if own is None else gold_labels(own, data.of_question(question)).labels
        found += [(items[plain(item)], k, value) for item, value in labels.items()]
    values = tuple(dict.fromkeys((*data.values, *(value for *_, value in found))))
    place = {value: k for k, value in enumerate(values)}
    rows = np.array([(i, q, len(data.coders), place[v], 0) for i, q, v in found], np.int64)
    both = zip(vars(data.columns).values(), rows.reshape(-1, 5).T, strict=True)
    layout = Columns(*(np.concatenate(pair) for pair in both))
    return name, replace(data, coders=(*data.coders, name), values=values, layout=layout)


def gold_of_question(gold: Gold | None, question: str, data: Annotations) -> Gold | None:
    """The part of the gold labels that is about a question; None if there is none.

    For data of several questions: a coder, a table with a column for each question, annotations of
    several questions, or a mapping from question to gold labels.

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
    if _is_coder(gold, data):
        return gold if any(True for _ in _of_coder(data.of_question(question), str(gold))) else None
    if isinstance(gold, Annotations) and {*gold.questions} & {*several}:
        return gold.of_question(question) if question in gold.questions else None
    if isinstance(gold, Mapping) and gold and all(name in several for name in gold):
        return gold.get(question)
    if (table := _table(gold, data)) is not None and {*table.names} & {*several}:
        return gold if question in table.names else None
    raise RequestError(
        f"the data have {len(several):,} questions ({joined(map(quoted, several))}): give a "
        "mapping from question to gold labels, or a table with a column for each question",
        parameter="gold",
        do=[Action("of_question", {"question": several[0]})],
    )


def _is_coder(gold: Gold, data: Annotations) -> bool:
    return isinstance(gold, str) and gold in (*data.coders, *(data.persons or ()))


def _of_coder(data: Annotations, coder: str) -> Iterator[tuple[Any, Any]]:
    each = zip(data.coders, data.persons or data.coders, strict=True)
    rows = data.of_coders([name for name, person in each if coder in (name, person)]).answered
    for i, v in zip(rows.item.tolist(), rows.value.tolist(), strict=True):
        yield data.items[i], data.values[v]


def _given(gold: Gold, data: Annotations) -> tuple[Iterator[tuple[Any, Any]], set[str]]:
    """Items and labels as a gold standard that is no coder holds them; which were drawn."""
    if isinstance(gold, str) and gold in data.metadata:
        return zip(data.items, data.metadata[gold], strict=True), set()
    if hasattr(gold, "to_dict") and not hasattr(gold, "columns"):  # a series
        gold = gold.to_dict()
    table = _table(gold, data)
    if table is None and isinstance(gold, Mapping):
        return iter(gold.items()), set()
    if table is not None and (found := _of_table(table, data)) is not None:
        return iter(found), _drawn(table)
    held = gold if isinstance(gold, Annotations) else read(gold)
    if len(held.coders) != 1:
        raise InputError(
            f"gold holds the labels of {len(held.coders):,} coders: give a table with the columns "
            "item and gold"
        )
    return _of_coder(held, held.coders[0]), set()


def _drawn(table: Table) -> set[str]:
    """The items of a sheet that were drawn at random, by its column that says so."""
    if CHOSEN not in table.names:
        return set()
    item, why = table[_item_column(table)], table[CHOSEN]
    pairs = zip(item.codes.tolist(), why.codes.tolist(), strict=True)
    return {plain(item.words[i]) for i, k in pairs if why.words[k] == AT_RANDOM}


def _item_column(table: Table) -> str:
    return next((n for n in table.names if role_of(n) == "item"), table.names[0])


def _table(gold: Gold, data: Annotations) -> Table | None:
    """The table of a file, a frame or a mapping of columns; None if it is something else."""
    from ..data.formats.files import tables_of
    from ..data.formats.frames import as_table

    if isinstance(gold, Annotations) or (isinstance(gold, str) and gold in data.metadata):
        return None
    if not isinstance(gold, str | Path):
        columns = hasattr(gold, "columns") or (
            isinstance(gold, Mapping)
            and any(role_of(str(name)) == "item" for name in gold)
            and all(not isinstance(x, str) and hasattr(x, "__len__") for x in gold.values())
        )
        return as_table(gold) if columns else None
    if isinstance(gold, str) and not Path(gold).exists():
        raise RequestError(
            f"{gold!r} is no coder, no column about the items and no file"
            f"{meant(gold, data.coders)}",
            parameter="gold",
        )
    found = tables_of(Path(gold), make({}))
    return None if len(found) != 1 else found[0]


def _of_table(table: Table, data: Annotations) -> list[tuple[Any, Any]] | None:
    """The labels of a table with one label for each item; None if it has another shape."""
    items, coders = ([n for n in table.names if role_of(n) == r] for r in ("item", "coder"))
    rest = [n for n in table.names if n not in (*items, *coders, CHOSEN)]
    items = items or rest[:1]
    choices = (
        [n for n in rest if n == data.questions[0]],
        [n for n in rest if consensus_like(n)],
        [n for n in rest if role_of(n) == "label"],
        [n for n in rest if n not in items],
    )
    label = next((names[0] for names in choices if len(names) == 1), None)
    if label is None or (coders and len(table[coders[0]].words) > 1):
        return None
    item, named = table[items[0]], table[label]
    return [
        (item.words[i], named.words[k])
        for i, k in zip(item.codes.tolist(), named.codes.tolist(), strict=True)
        if BLANK not in (i, k)
    ]


def _fitting(
    given: Iterator[tuple[Any, Any]], data: Annotations
) -> tuple[dict[Hashable, Value], Unmatched]:
    """The labels by the names and categories of the data, which may be numbers or text."""
    items = {plain(x): x.item() if hasattr(x, "item") else x for x in data.items}
    category = _categories(data)
    found: dict[Hashable, Value] = {}
    unmatched: dict[str, None] = {}
    for item, told in given:
        label, name = category(told), plain(item)
        missing = told is None or (isinstance(told, float) and told != told)
        if label is None and (missing or status_of(str(told)) is not None):
            continue
        if name not in items:
            unmatched[name] = None
        elif label is None:
            raise _outside(item, told, data)
        elif found.setdefault(items[name], label) != label:
            raise InputError(
                f"item {name!r} has two gold labels, {found[items[name]]!r} and {label!r}"
            )
    if not found and not unmatched:
        raise InputError("no item has a gold label", parameter="gold")
    if not found:
        here = joined(map(quoted, data.items[:3]))
        raise InputError(
            f"none of the items with a gold label ({len(unmatched):,}) is an item of the data: "
            f"these are called {here} and so on"
        )
    return found, Unmatched(tuple(unmatched), len(unmatched) + len(found))


def _outside(item: Any, label: Any, data: Annotations) -> InputError:
    names = [str(c) for c in data.schemes[0].categories]
    return InputError(
        f"the gold label {label!r} of item {plain(item)!r} is not in the scheme "
        f"({joined(names, most=10)}){meant(plain(label), names)}",
        do=[Action("", {"categories": [...]}, "if no coder gave it")],
    )


def _categories(data: Annotations) -> Callable[[Any], Value | None]:
    """From a label as it stands to the category or the set of categories; None if outside."""
    scheme = data.schemes[0]
    by_text = {plain(c): c for c in scheme.categories}
    if scheme.max_labels == 1:
        return lambda label: by_text.get(plain(label))
    whole = {plain(v): v for v in data.values}

    def of_set(label: Any) -> Value | None:
        if isinstance(label, str):
            if plain(label) in whole:
                return whole[plain(label)]
            mark = next((m for m in MARKS if m in label and label not in by_text), None)
            label = label.split(mark) if mark else [label]
        elif not isinstance(label, list | tuple | set | frozenset):
            label = [label]
        parts = {by_text.get(plain(x)) for x in label}
        return None if None in parts else tuple(c for c in scheme.categories if c in parts)

    return of_set


def members_of(value: Value) -> tuple[Any, ...]:
    """The labels of a set, or the label."""
    return value if isinstance(value, tuple) else (value,)


class Truth(NamedTuple):
    """The right category of items.

    ``codes`` (I,) are positions of categories; -1 where it is unknown or the model was told it
    (``n_told`` control items), K for a category that nobody gave.
    """

    codes: Ints
    n_told: int
    unmatched: Unmatched = ALL_MATCHED


def truth_of(votes: Votes, data: Annotations, truth: Gold, *, told: bool = False) -> Truth:
    """The truth of the items that a model was fitted to; with ``told`` control items count too.

    Raises
    ------
    RequestError
        If it is the labels of a coder that the model learned from.
    InputError
        If no item is left to score.
    """
    labels, holders, unmatched, _ = gold_labels(truth, data)
    if learned := [name for name in holders if name in votes.coders]:
        raise RequestError(
            f"the model has learned from {learned[0]!r}: leave that coder out of the data",
            do=[Action("fit", {"gold": learned[0]})],
        )
    position = {value: k for k, value in enumerate(votes.categories)}
    known = {item: position.get(label, len(position)) for item, label in labels.items()}
    codes = np.array([known.get(name, UNKNOWN) for name in votes.names], np.intp)
    control = (votes.known != UNKNOWN) & (codes >= 0) & (not told)
    codes[control] = UNKNOWN
    if not (codes >= 0).any():
        raise InputError("no item with a known label was annotated, but for control items")
    return Truth(codes, int(control.sum()), unmatched)


def believed_in(probabilities: Floats, codes: Ints) -> Floats:
    """(n,) probability of the right category; 0 if nobody gave it."""
    inside = codes < probabilities.shape[1]
    at = np.where(inside, codes, 0)
    return np.where(inside, probabilities[np.arange(len(codes)), at], 0.0)
