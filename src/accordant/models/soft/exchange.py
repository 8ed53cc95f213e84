"""Distributions from files and from what models return, beside the soft labels they belong to."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import numpy as np

from ...arrays import Floats, Ints
from ...data.formats.archives import files_of
from ...data.formats.excel import read_excel
from ...data.formats.frames import as_table
from ...data.formats.parquet import records_of_parquet
from ...data.formats.text import read_text
from ...data.options import Options
from ...data.sheet import FORMATS
from ...data.table import BLANK, Table, as_words
from ...errors import InputError, unknown
from ...numbers import joined
from ...scheme import Label, Scheme
from ..posterior import Posterior
from ..sets.set_posterior import SetPosterior
from .soft_labels import DISTRIBUTION, KINDS, SoftLabels, parts_of

__all__ = ["Predicted", "labels_of", "predicted", "read_soft"]


EACH = ""  # name of the column of one value for each item
ROWS = (list, tuple, np.ndarray)
DICTS = (EACH, DISTRIBUTION, "probabilities", "probs", "distribution", "prediction", "predictions")
ITEMS = ("item", "item_id", "id", "index")
HARD = (EACH, "label", "predicted", "prediction", "predicted_label", "pred")
_JSON = (".jsonl", ".ndjson", ".json")
_TEXT = (".csv", ".tsv", ".txt")
SLACK = 0.01  # what rounding to a few decimals may take from the sum of a row


# ---------------------------------------------------------------------- soft labels of a file


def read_soft(path: str | Path) -> SoftLabels:
    """Soft labels from a file that `SoftLabels.save` wrote; see `accordant.read_soft`."""
    path = Path(path)
    columns, file = _columns_of_file(path), path.name
    if path.suffix.lower() in _JSON:
        lines = zip(columns.get("item", ()), columns.get(DISTRIBUTION, ()), strict=False)
        wrong = [r for r, (x, p) in enumerate(lines) if x is None or not isinstance(p, Mapping)]
        if wrong or not {"item", DISTRIBUTION} <= columns.keys():
            raise InputError(
                f"each line needs 'item' and {DISTRIBUTION!r} (category: probability)",
                file=file,
                row=wrong[0] + 1 if wrong else 1,
            )
        names, p = _of_dicts(columns["item"], columns[DISTRIBUTION])
    else:
        names, p = _of_columns_each(columns.get("item", ()), columns)
    if "item" not in columns or not names:
        raise InputError(
            "a column 'item' and a column 'p_<category>' for each category are needed; the columns "
            f"are {joined(map(repr, columns))}",
            file=file,
        )
    items = columns["item"]
    asked = {q for q in columns.get("question", ()) if q is not None}
    if len(asked) > 1:
        raise InputError("the file holds several questions: write a file for each", file=file)
    several = bool(columns.get("several_labels", [False])[0]) or (abs(p.sum(1) - 1) > 1e-6).any()
    scheme = Scheme(labels_of(names), declared=True, max_labels=None if several else 1)
    n = columns.get("n", [None] * len(items))
    made = f"read from {file}"
    return SoftLabels(
        next(iter(asked), None),
        items,
        scheme,
        _kind(columns.get("kind", ()), file),
        p,
        np.array([_number(x, item) for x, item in zip(n, items, strict=True)]),
        made,
        signature=made,
    )


def _kind(kinds: Sequence[Any], file: str) -> Any:
    found = sorted({str(k) for k in kinds})
    if len(found) != 1 or found[0] not in KINDS:
        shown = ", ".join(map(repr, found[:3])) or "nothing"
        raise InputError(
            f"the column kind must say 'opinion' (what coders say) or 'belief' (what is probably "
            f"true), the same in every row; found {shown}",
            file=file,
        )
    return found[0]


def labels_of(names: Sequence[str]) -> tuple[Label, ...]:
    """Categories by their names in a file: whole numbers if all are, as `read` takes them.

    Examples
    --------
    >>> labels_of(["0", "1"]), labels_of(["01", "1"])
    ((0, 1), ('01', '1'))
    """
    try:
        whole = [int(name) for name in names]
    except ValueError:
        return tuple(names)
    return tuple(whole) if [str(x) for x in whole] == list(names) else tuple(names)


# ---------------------------------------------------------------------- columns


def _columns_of_file(path: Path) -> dict[str, list[Any]]:
    """The columns of a table, or of records; an empty cell is None."""
    suffix = path.suffix.lower()
    if not path.is_file():
        raise InputError("there is no such file", file=str(path))
    if suffix in _TEXT:
        return _cells(read_text(path, Options(header_row=1)))
    if suffix in (".xlsx", ".xlsm"):
        return _cells(read_excel(path, Options())[0])
    if suffix not in (*_JSON, ".parquet"):
        raise unknown("format", suffix, (*FORMATS, *_JSON), "known are")
    (file,) = files_of([path])
    json = suffix in _JSON
    found = [x for _, x in file.records(Options())] if json else records_of_parquet(file)
    if not found or not all(isinstance(record, Mapping) for record in found):
        raise InputError("the file holds no records", file=path.name)
    return _by_column(found)


def _by_column(records: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    names = list(dict.fromkeys(str(name) for record in records for name in record))
    return {name: [record.get(name) for record in records] for name in names}


def _cells(table: Table) -> dict[str, list[Any]]:
    found = {}
    for column in table.columns:
        words = as_words(column.words)
        found[column.name] = [None if k == BLANK else words[k] for k in column.codes.tolist()]
    return found


def _of_dicts(items: Sequence[Any], cells: Sequence[Mapping[Any, Any]]) -> tuple[list[str], Floats]:
    """Categories in the order in which they come, and (J, K) their probabilities: 0 if not told."""
    by_text = [{str(name): p for name, p in cell.items()} for cell in cells]
    names = list(dict.fromkeys(name for cell in by_text for name in cell))
    return names, _rows(items, [[cell.get(name, 0.0) for name in names] for cell in by_text])


def _of_columns_each(
    items: Sequence[Any], columns: Mapping[str, list[Any]], known: Collection[str] = ()
) -> tuple[list[str], Floats]:
    """Categories that have a column each, by their name or ``p_`` and their name, and (J, K)."""
    own = {name: cells for name, cells in columns.items() if name in known}
    more = {n[2:]: x for n, x in columns.items() if n.startswith("p_") and n not in known}
    chosen = more or own
    return list(chosen), _rows(items, list(zip(*chosen.values(), strict=True)))


def _rows(items: Sequence[Any], cells: Sequence[Sequence[Any]]) -> Floats:
    """(J, K) numbers; an empty cell is NaN."""
    try:
        return np.array(cells, float)
    except (TypeError, ValueError):  # one by one, so that the item with the wrong one is named
        rows = zip(items, cells, strict=True)
        return np.array([[_number(x, item) for x in row] for item, row in rows])


def _number(x: Any, item: Any) -> float:
    try:
        return math.nan if x is None or x == "" else float(x)
    except (TypeError, ValueError):
        raise InputError(f"item {item!r}: {x!r} is no probability") from None


# ---------------------------------------------------------------------- predictions


@dataclass(frozen=True, eq=False)
class Predicted:
    """Predictions for J of the items of soft labels.

    Parameters
    ----------
    at : ndarray
        (J,) positions of the items in the soft labels.
    probabilities : ndarray
        (J, K) in the order of the soft labels' categories.
    hard : bool
        Whether they were labels, not distributions.
    n_missing, n_extra : int
        Items of the soft labels without a prediction; predictions for other items.
    kind : str
        'opinion' or 'belief' if known, else ''.
    """

    at: Ints
    probabilities: Floats
    hard: bool
    n_missing: int
    n_extra: int
    kind: str


def predicted(predictions: Any, soft: SoftLabels) -> Predicted:
    """Read predictions and align them with soft labels by the names of items and categories.

    Parameters
    ----------
    predictions : SoftLabels, Posterior, path, frame, series, mapping, list or array
        See `score_predictions`.
    soft : SoftLabels

    Raises
    ------
    InputError
        If a row is no distribution, an item has two, a category is unknown, or nothing fits.
    """
    kind, hard = "", False
    if isinstance(predictions, SoftLabels | Posterior | SetPosterior):
        found = _placed(predictions.categories, predictions.probabilities, soft)
        if isinstance(predictions, SoftLabels):
            items, kind = predictions.names, predictions.kind
        else:
            one = parts_of(predictions)[0]
            items, kind = one.votes.names, "belief" if one.model.probabilistic else "opinion"
    else:
        items, found, hard = _distributions(_columns_of(predictions, soft), soft)
    _check(items, found, soft)
    at, own = _aligned(items, soft)
    if not soft.several:
        found = found / found.sum(1, keepdims=True)
    return Predicted(at, found[own], hard, len(soft) - len(at), len(items) - len(at), kind)


def _columns_of(given: Any, soft: SoftLabels) -> dict[str, list[Any]]:
    """The columns of whatever holds predictions; those with one value for each item have `EACH`."""
    if isinstance(given, str | Path):
        return _columns_of_file(Path(given))
    if hasattr(given, "to_dict") and not hasattr(given, "columns"):  # a series
        given = given.to_dict()
    if isinstance(given, Mapping):
        if _is_columns(given):
            return {str(name): list(x) for name, x in given.items()}
        return {"item": list(given), EACH: list(given.values())}
    plain = isinstance(given, np.ndarray) and given.dtype.names is None
    if not plain and not isinstance(given, list | tuple):
        return _cells(as_table(given, Options()))
    if len(given) and all(isinstance(x, Mapping) for x in given):
        return _by_column(given)
    if len(given) != len(soft):
        raise InputError(
            f"there are {len(given):,} predictions for {len(soft):,} items; without the names of "
            "items there must be one for each, in their order. Give a mapping from item to "
            "prediction"
        )
    # without names of items a list is a row of probabilities, also where an item has several labels
    each = [np.array(x, object) if isinstance(x, list) else x for x in given]
    return {"item": soft.names, EACH: each}


def _is_columns(given: Mapping[Any, Any]) -> bool:
    """Whether a mapping is of columns, rather than from item to prediction."""
    name = next((k for k in given if isinstance(k, str) and k.lower() in ITEMS), None)
    return name is not None and isinstance(given[name], ROWS)


def _distributions(
    columns: Mapping[str, list[Any]], soft: SoftLabels
) -> tuple[list[Any], Floats, bool]:
    """Items, (J, K) probabilities, and whether labels were given instead."""
    name = next((n for n in columns if n.lower() in ITEMS), None)
    if name is None:
        raise InputError(
            "the predictions name no items: a column 'item' is needed, and a column for each "
            f"category; the columns are {joined(map(repr, columns))}"
        )
    sizes = {n: len(cells) for n, cells in columns.items()}
    if len(set(sizes.values())) > 1:
        raise InputError(f"the columns differ in length: {sizes}")
    if not sizes[name]:
        raise InputError("there are no predictions")
    items = [x.item() if hasattr(x, "item") else x for x in columns[name]]
    rest = {n: cells for n, cells in columns.items() if n != name}
    for cells in (x for n, x in rest.items() if n.lower() in DICTS):
        if isinstance(cells[0], (*ROWS, Mapping)):
            return items, *_of_values(items, cells, soft)
    names, p = _of_columns_each(items, rest, soft.position)
    if names:
        return items, _placed(names, p, soft), False
    label = next((n for n in rest if n.lower() in HARD), None)
    if label is None:
        raise InputError(
            f"the predictions have no column for a category ({joined(map(repr, soft.position))}) "
            f"and none called 'label'; the columns are {joined(map(repr, rest))}"
        )
    return items, *_of_values(items, rest[label], soft)


def _of_values(
    items: Sequence[Any], values: Sequence[Any], soft: SoftLabels
) -> tuple[Floats, bool]:
    """(J, K) from a value for each item: {category: p}, probabilities, a label, or a set."""
    if all(isinstance(x, Mapping) for x in values):
        return _placed(*_of_dicts(items, values), soft), False
    rows = np.ndarray if soft.several else ROWS
    if not all(isinstance(x, rows) for x in values):
        return _of_labels(items, values, soft), True
    k = len(soft.categories)
    for item, row in zip(items, values, strict=True):
        if len(row) != k:
            raise InputError(
                f"item {item!r} has {len(row)} probabilities; {k} are needed, in the order of the "
                f"categories ({joined(map(repr, soft.position))})"
            )
    return _rows(items, values), False


def _of_labels(items: Sequence[Any], labels: Sequence[Any], soft: SoftLabels) -> Floats:
    found = np.zeros((len(items), len(soft.categories)))
    for row, (item, label) in enumerate(zip(items, labels, strict=True)):
        if label is None or (isinstance(label, float) and math.isnan(label)):
            raise InputError(f"item {item!r} has no predicted label")
        for one in label if isinstance(label, (*ROWS, set, frozenset)) else (label,):
            found[row, _position(one, soft)] = 1
    return found


def _placed(names: Sequence[Any], p: Floats, soft: SoftLabels) -> Floats:
    """(J, K) in the order of the soft labels' categories."""
    found = np.zeros((len(p), len(soft.categories)))
    found[:, [_position(name, soft) for name in names]] = p
    return found


def _position(name: Any, soft: SoftLabels) -> int:
    text = str(name.item() if hasattr(name, "item") else name)
    if text not in soft.position:
        near = get_close_matches(text, soft.position, 1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise InputError(
            f"the predictions have a category {text!r} that the soft labels do not have: theirs "
            f"are {joined(map(repr, soft.position))}{hint}"
        )
    return soft.position[text]


def _check(items: Sequence[Any], p: Floats, soft: SoftLabels) -> None:
    """Every row a distribution (of sets: every cell a probability), or an error that says which."""
    names = [str(c) for c in soft.categories]
    if np.isnan(p).any():
        row, k = np.argwhere(np.isnan(p))[0].tolist()
        n = int(np.isnan(p).any(1).sum())
        raise InputError(
            f"item {items[row]!r} has no probability for {names[k]!r} (empty or NaN); so have "
            f"{n:,} of {len(p):,} rows. Leave such items out, or predict them"
        )
    wrong = (p < 0) | (p > 1 + SLACK)
    if wrong.any():
        row, k = np.argwhere(wrong)[0].tolist()
        raise InputError(
            f"item {items[row]!r}: the probability of {names[k]!r} is {p[row, k]:.6g}, which is "
            "not between 0 and 1; if these are scores before a softmax, apply it first"
        )
    off = (np.abs(p.sum(1) - 1) > SLACK) & (not soft.several)
    if off.any():
        row = int(np.argmax(off))
        raise InputError(
            f"item {items[row]!r}: the probabilities sum to {p[row].sum():.6g}, not to 1 (of "
            f"{joined(map(repr, names))}); so do {int(off.sum()):,} of {len(p):,} rows"
        )


def _aligned(items: Sequence[Any], soft: SoftLabels) -> tuple[Ints, Ints]:
    """(J,) positions in the soft labels, and (J,) in the predictions, in the former's order."""
    twice = next((item for item, n in Counter(map(str, items)).items() if n > 1), None)
    if twice is not None:
        raise InputError(f"item {twice!r} has two predictions; one for each is needed")
    where = {str(x): k for k, x in enumerate(items)}
    at = [i for i, x in enumerate(soft.names) if str(x) in where]
    if not at:
        raise InputError(
            "no predicted item is one of the soft labels: look at how the items are named, "
            f"{str(items[0])!r} there and {str(soft.names[0])!r} here"
        )
    return np.array(at), np.array([where[str(soft.names[i])] for i in at])
