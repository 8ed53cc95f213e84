"""A model's predictions, whatever they come in, beside the soft labels they are about."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.formats.frames import as_table
from ...data.options import Options
from ...errors import InputError, RequestError
from ...numbers import joined
from ..posterior import Posterior
from .exchange import columns_of_file, records_of_file
from .soft_labels import SoftLabels

__all__ = ["Predicted", "predicted"]

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]

DICTS = ("soft", "probabilities", "probs", "distribution", "prediction", "predictions")
ITEMS = ("item", "item_id", "id", "index")
HARD = ("label", "predicted", "prediction", "predicted_label", "pred")
_JSON = (".jsonl", ".ndjson", ".json")
SLACK = 0.01  # what rounding to a few decimals may take from the sum of a row


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
    predictions : SoftLabels, Posterior, path, frame, mapping, list or array
        See `score_predictions`.
    soft : SoftLabels

    Returns
    -------
    Predicted

    Raises
    ------
    InputError
        If a row is no distribution, an item has two, a category is unknown, or nothing fits.
    """
    kind = ""
    if isinstance(predictions, SoftLabels):
        kind = predictions.kind
        items, names = predictions.names, predictions.categories
        found = _reordered(predictions.probabilities, names, soft)
        hard = False
    elif isinstance(predictions, Posterior):
        kind, hard = "belief" if predictions.model.probabilistic else "opinion", False
        own = predictions.items
        items = list(own.tolist() if hasattr(own, "tolist") else own)
        found = _reordered(predictions.probabilities, predictions.categories, soft)
    else:
        items, found, hard = _read(predictions, soft)
    _check(items, found, soft)
    at, own = _aligned(items, soft)
    if not soft.several:
        found = found / found.sum(1, keepdims=True)
    return Predicted(
        at, found[own], hard, len(soft) - len(at), len(items) - len(at), kind
    )  # fmt: skip


def _read(given: Any, soft: SoftLabels) -> tuple[list[Any], Floats, bool]:
    if isinstance(given, str | Path):
        path = Path(given)
        if path.suffix.lower() in _JSON:
            return _of_columns(_by_column(records_of_file(path)), soft)
        return _of_columns(columns_of_file(path), soft)
    if isinstance(given, Mapping) and not _is_columns(given):
        return _of_mapping(given, soft)
    if isinstance(given, np.ndarray) and given.dtype.names is None:
        return _of_array(given, soft)
    if isinstance(given, list | tuple):
        if given and all(isinstance(x, Mapping) for x in given):
            return _of_columns(_by_column(given), soft)
        return _of_array(given, soft)
    table = as_table(given, Options())
    columns: dict[str, list[Any]] = {}
    for column in table.columns:
        words = [*column.words, None]
        columns[column.name] = [words[k] for k in column.codes.tolist()]
    return _of_columns(columns, soft)


def _is_columns(given: Mapping[Any, Any]) -> bool:
    """Whether a mapping is of columns, rather than from item to prediction."""
    name = next((k for k in given if isinstance(k, str) and k.lower() in ITEMS), None)
    return name is not None and isinstance(given[name], list | tuple | np.ndarray)


def _by_column(records: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    names = list(dict.fromkeys(str(name) for record in records for name in record))
    return {name: [record.get(name) for record in records] for name in names}


# ---------------------------------------------------------------------- shapes


def _of_columns(columns: Mapping[Any, Any], soft: SoftLabels) -> tuple[list[Any], Floats, bool]:
    by_name = {str(name): list(cells) for name, cells in columns.items()}
    name = next((n for n in by_name if n.lower() in ITEMS), None)
    if name is None:
        raise InputError(
            "the predictions name no items: a column 'item' is needed, and a column for each "
            f"category; the columns are {joined(map(repr, by_name))}"
        )
    items = by_name.pop(name)
    inner = next((n for n in by_name if n.lower() in DICTS and _dicts(by_name[n])), None)
    if inner is not None:
        return _of_mapping(dict(_pairs(items, by_name[inner])), soft)
    known = soft.position
    place = {n: known[n] for n in by_name if n in known}
    prefixed = {n: n[2:] for n in by_name if n.startswith("p_") and n not in known}
    if prefixed:
        place = {n: _position(c, soft) for n, c in prefixed.items()}
    if place:
        found = np.zeros((len(items), len(known)))
        for n, k in place.items():
            found[:, k] = [_number(x, items[row]) for row, x in enumerate(by_name[n])]
        return items, found, False
    label = next((n for n in by_name if n.lower() in HARD), None)
    if label is None:
        raise InputError(
            f"the predictions have no column for a category ({joined(map(repr, known))}) and none "
            f"called 'label'; the columns are {joined(map(repr, by_name))}"
        )
    return _hard(items, by_name[label], soft)


def _pairs(items: Sequence[Any], values: Sequence[Any]) -> list[tuple[Any, Any]]:
    if len(set(map(str, items))) < len(items):
        _twice(items)
    return list(zip(items, values, strict=True))


def _dicts(cells: Sequence[Any]) -> bool:
    return bool(cells) and isinstance(cells[0], Mapping | list)


def _of_mapping(given: Mapping[Hashable, Any], soft: SoftLabels) -> tuple[list[Any], Floats, bool]:
    items, values = list(given), list(given.values())
    if not items:
        raise InputError("there are no predictions")
    if all(isinstance(v, Mapping) for v in values):
        found = np.zeros((len(items), len(soft.categories)))
        for row, (item, cells) in enumerate(zip(items, values, strict=True)):
            for name, p in cells.items():
                found[row, _position(name, soft)] = _number(p, item)
        return items, found, False
    if all(isinstance(v, list | tuple | np.ndarray) for v in values) and not soft.several:
        for item, row in zip(items, values, strict=True):
            if len(row) != len(soft.categories):
                raise InputError(
                    f"item {item!r} has {len(row)} probabilities; the categories are "
                    f"{joined(map(repr, map(str, soft.categories)))}"
                )
        found = np.array([[_number(x, i) for x in row]
                          for i, row in zip(items, values, strict=True)])  # fmt: skip
        return items, found, False
    return _hard(items, values, soft)


def _of_array(given: Any, soft: SoftLabels) -> tuple[list[Any], Floats, bool]:
    """Rows in the order of the items of the soft labels."""
    n, k, items = len(soft), len(soft.categories), soft.names
    if len(given) != n:
        raise InputError(
            f"there are {len(given):,} predictions for {n:,} items; without the names of items "
            "there must be one for each, in their order. Give a mapping from item to prediction"
        )
    if isinstance(given, np.ndarray) and given.dtype.kind in "fiu" and given.shape == (n, k):
        return items, given.astype(np.float64), False
    sets = soft.several and all(isinstance(row, tuple | set | frozenset) for row in given)
    if sets or not all(isinstance(row, list | tuple | np.ndarray) for row in given):
        return _hard(items, list(given), soft)
    widths = {len(row) for row in given}
    if widths != {k}:
        raise InputError(
            f"each row needs {k} probabilities, in the order of the categories "
            f"({joined(map(repr, map(str, soft.categories)))}); found {sorted(widths)[0]}"
        )
    return items, np.array([[_number(x, i) for x in row]
                            for i, row in zip(items, given, strict=True)]), False  # fmt: skip


def _hard(
    items: list[Any], labels: Sequence[Any], soft: SoftLabels
) -> tuple[list[Any], Floats, bool]:
    found = np.zeros((len(items), len(soft.categories)))
    for row, (item, label) in enumerate(zip(items, labels, strict=True)):
        if label is None or label != label:
            raise InputError(f"item {item!r} has no predicted label")
        for one in label if isinstance(label, list | tuple | set) else (label,):
            found[row, _position(one, soft)] = 1
    return items, found, True


def _reordered(p: Floats, names: Sequence[Any], soft: SoftLabels) -> Floats:
    found = np.zeros((len(p), len(soft.categories)))
    for name, column in zip(names, p.T, strict=True):
        found[:, _position(name, soft)] = column
    return found


def _position(name: Any, soft: SoftLabels) -> int:
    known = soft.position
    text = str(name.item() if hasattr(name, "item") else name)
    if text not in known:
        near = get_close_matches(text, known, 1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise InputError(
            f"the predictions have a category {text!r} that the soft labels do not have: theirs "
            f"are {joined(map(repr, known))}{hint}"
        )
    return known[text]


def _number(x: Any, item: Any) -> float:
    try:
        return float("nan") if x is None or x == "" else float(x)
    except (TypeError, ValueError):
        raise InputError(f"item {item!r}: {x!r} is no probability") from None


# ---------------------------------------------------------------------- checks


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
    if soft.several:
        return
    off = np.abs(p.sum(1) - 1) > SLACK
    if off.any():
        row = int(np.argmax(off))
        raise InputError(
            f"item {items[row]!r}: the probabilities sum to {p[row].sum():.6g}, not to 1 (of "
            f"{joined(map(repr, names))}); so do {int(off.sum()):,} of {len(p):,} rows"
        )


def _aligned(items: Sequence[Any], soft: SoftLabels) -> tuple[Ints, Ints]:
    """(J,) positions in the soft labels, and (J,) in the predictions, in the former's order."""
    where = {str(x): k for k, x in enumerate(items)}
    if len(where) < len(items):
        _twice(items)
    pairs = [(i, where[str(x)]) for i, x in enumerate(soft.names) if str(x) in where]
    if not pairs:
        raise InputError(
            f"no predicted item is one of the soft labels: look at how the items are named, "
            f"{str(items[0])!r} there and {str(soft.names[0])!r} here"
        )
    at, own = np.array(pairs).T
    return at, own


def _twice(items: Sequence[Any]) -> None:
    seen: set[str] = set()
    for item in map(str, items):
        if item in seen:
            raise InputError(f"item {item!r} has two predictions; one for each is needed")
        seen.add(item)
    raise RequestError("the predictions name items twice")
