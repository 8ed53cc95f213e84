"""Records within records, and a mapping for each column: as the columns of one table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..names import role_of

__all__ = ["ONE_EACH", "columns_by_key", "flat", "signed"]

DEEPEST = 4
ONE_EACH = "the records listed in {!r} are read: a row for each"


def flat(records: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Records whose fields are no records: `output.score` for `score` within `output`.

    Examples
    --------
    >>> flat([{"id": 1, "output": {"score": 3, "usage": {"tokens": 90}}}])
    [{'id': 1, 'output.score': 3, 'output.usage.tokens': 90}]
    """
    nested = {str(k) for r in records for k, x in r.items() if isinstance(x, Mapping) and x} - {
        str(k)
        for r in records
        for k, x in r.items()
        if x is not None and not (isinstance(x, Mapping) and x)
    }
    return [_flat(r, nested) for r in records] if nested else [dict(r) for r in records]


def signed(
    records: Sequence[Mapping[str, Any]],
) -> tuple[str, list[int], list[dict[str, Any]]] | None:
    """A row for each member of a list of records that name their coder, and of which record it is.

    With the name of the field. None if no field is such a list, or several are.

    Examples
    --------
    >>> signed([{"id": 1, "annotators": [{"annotator_id": "w1", "label": "x"}]}])
    ('annotators', [0], [{'id': 1, 'annotator_id': 'w1', 'label': 'x'}])
    """
    fields = dict.fromkeys(name for r in records for name in r)
    found = [name for name in fields if _signed([r.get(name) for r in records])]
    if len(found) != 1:
        return None
    (name,), of, rows = found, list[int](), list[dict[str, Any]]()
    for k, record in enumerate(records):
        rest = {key: value for key, value in record.items() if key != name}
        for member in record.get(name) or ():
            said = {f"{name}.{key}" if key in fields else key: x for key, x in member.items()}
            rows.append({**rest, **said})
            of.append(k)
    return name, of, rows


def _signed(cells: Sequence[Any]) -> bool:
    """Whether all cells that are filled are lists of records with a coder."""
    filled = [c for c in cells if c is not None]
    members = [m for c in filled if isinstance(c, list) for m in c]
    return (
        all(isinstance(c, list) for c in filled)
        and bool(members)
        and all(isinstance(m, Mapping) for m in members)
        and any(role_of(str(key)) == "coder" for key in members[0])
    )


def _flat(record: Mapping[str, Any], nested: set[str]) -> dict[str, Any]:
    out = dict[str, Any]()
    for key, value in record.items():
        if str(key) in nested:
            out |= dict(_leaves(str(key), value or {}, 1))
        else:
            out[key] = value
    return out


def _leaves(name: str, value: Mapping[str, Any], depth: int) -> list[tuple[str, Any]]:
    found = list[tuple[str, Any]]()
    for key, inner in value.items():
        path = f"{name}.{key}"
        deeper = isinstance(inner, Mapping) and inner and depth < DEEPEST
        found += _leaves(path, inner, depth + 1) if deeper else [(path, inner)]
    return found


def columns_by_key(source: Mapping[Any, Any]) -> dict[str, Any] | None:
    """Columns of a mapping of mappings, by the keys of their cells; None if it is no such.

    The keys are a column of their own unless they only number the rows.

    Examples
    --------
    >>> columns_by_key({"Ann": {"t1": "x", "t2": "y"}, "Bob": {"t2": "y"}})
    {'key': ['t1', 't2'], 'Ann': ['x', 'y'], 'Bob': [None, 'y']}
    """
    if not source or not all(isinstance(column, Mapping) for column in source.values()):
        return None
    if any(isinstance(x, Mapping | list) for column in source.values() for x in column.values()):
        return None
    rows = list(dict.fromkeys(row for column in source.values() for row in column))
    columns = {str(name): [column.get(r) for r in rows] for name, column in source.items()}
    numbers = {str(r) for r in rows} == {str(k) for k in range(len(rows))}
    if numbers and any(role_of(str(name)) for name in source):
        return columns
    key = next(n for n in ("key", "keys", "key of the cells") if n not in columns)
    return {key: rows, **columns}
