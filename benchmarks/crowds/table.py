"""The measures of many methods on many crowds: kept as JSON, a line for each row."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

Row = dict[str, Any]
DIGITS = 5


def plain(value: Any) -> Any:
    """A number as it is kept; null where there is none."""
    if not isinstance(value, float):
        return value
    return None if math.isnan(value) else round(value, DIGITS)


def written(path: Path, rows: Iterable[Row], about: Mapping[str, str]) -> None:
    """Put rows in a file in place of earlier ones of the same method and crowd."""
    kept = {(row["method"], row["crowd"]): row for row in read(path)}
    kept |= {(row["method"], row["crowd"]): row for row in rows}
    lines = [json.dumps({k: plain(v) for k, v in row.items()}) for row in kept.values()]
    head = json.dumps(dict(about))
    body = ",\n  ".join(lines)
    path.write_text(f'{{"about": {head},\n "rows": [\n  {body}\n ]}}\n', encoding="utf-8")


def read(path: Path) -> list[Row]:
    """The rows of a file; none without it."""
    if not path.exists():
        return []
    rows: list[Row] = json.loads(path.read_text(encoding="utf-8"))["rows"]
    return rows


def about(path: Path) -> dict[str, str]:
    """What is said of all rows of a file."""
    if not path.exists():
        return {}
    said: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))["about"]
    return said
