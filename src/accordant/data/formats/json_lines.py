"""JSON lines, and a JSON array of records."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ...errors import InputError
from ..options import Options
from ..table import Table, encode
from .encodings import decode
from .header import unique_names
from .nested import columns_by_key, flat

__all__ = ["read_json"]


def read_json(path: Path, options: Options) -> Table:
    """A file of JSON objects, one a line or in one array, as a table."""
    name = path.name
    text = decode(path.read_bytes(), name, options.encoding)
    records, lines = _array(text, name) if text.lstrip()[:1] == "[" else _lines(text, name)
    if not records:
        raise InputError("the file holds no records: nothing to read", file=name)
    if len(records) == 1 and (columns := _by_column(records[0])):
        records = [
            dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)
        ]
        lines = [1] * len(records)
    for record, line in zip(records, lines, strict=True):
        if not isinstance(record, dict):
            raise InputError(
                f"a JSON object with item, coder and label is needed, this is {record!r}",
                file=name,
                row=line,
            )
    records = flat(records)
    keys = dict.fromkeys(k for r in records for k in r)
    if not keys:
        raise InputError("the file holds no records: nothing to read", file=name)
    names, notes = unique_names(list(keys), True)
    encoded = [encode(n, [r.get(k) for r in records]) for n, k in zip(names, keys, strict=True)]
    return Table(name, tuple(encoded), lines.__getitem__, notes=notes)


def _by_column(record: Any) -> dict[str, list[Any]]:
    """The columns of a table that is written column by column, as lists or by key; else none."""
    if not isinstance(record, dict) or len(record) < 2:
        return {}
    columns = columns_by_key(record) or record
    lists = all(isinstance(c, list) and len(c) > 1 for c in columns.values())
    flat_cells = lists and not any(isinstance(x, list | dict) for c in columns.values() for x in c)
    return columns if flat_cells and len({len(c) for c in columns.values()}) == 1 else {}


def _lines(text: str, name: str) -> tuple[list[Any], list[int]]:
    records, lines = [], []
    for k, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                records.append(json.loads(line))
            except RecursionError:
                raise _too_deep(name, k) from None
            except ValueError as e:
                whole = _whole(text)
                if whole is not None:
                    return whole, [1] * len(whole)
                raise InputError(
                    f"the line is not JSON ({e}): {line.strip()[:60]!r}", file=name, row=k
                ) from None
            lines.append(k)
    return records, lines


def _whole(text: str) -> list[Any] | None:
    """One object over several lines."""
    try:
        return [json.loads(text)]
    except (ValueError, RecursionError):
        return None


def _too_deep(name: str, row: int | None = None) -> InputError:
    return InputError("there are too many brackets inside one another", file=name, row=row)


def _array(text: str, name: str) -> tuple[list[Any], list[int]]:
    try:
        records = json.loads(text)
    except RecursionError:
        raise _too_deep(name) from None
    except json.JSONDecodeError as e:
        raise InputError(
            f"the file is not JSON ({e.msg}, at character {e.colno} of the line)",
            file=name,
            row=e.lineno,
        ) from None
    except ValueError as e:  # a number of too many digits
        raise InputError(f"the file is not JSON ({e})", file=name) from None
    return records, list(range(1, len(records) + 1))
