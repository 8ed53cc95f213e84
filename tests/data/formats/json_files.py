"""Files of JSON lines, and what was read of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any


def written(path: Path, records: Sequence[Any]) -> Path:
    """A file of JSON lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(r) + "\n" for r in records), encoding="utf-8")
    return path


def rows(data: Any) -> set[tuple[Any, ...]]:
    """(item, coder, label) of all annotations that count, sets of labels as tuples."""
    return {(r["item"], r["coder"], r.get("question", ""), r["label"]) for r in data.to_rows()}


class Loaded:
    """What `read` looks at in a data set of the library: its features, and arrow by batches."""

    def __init__(self, table: Any, features: dict[str, Any] | None) -> None:
        self.table, self.features = table, self if features is not None else None
        self._features = features

    def to_dict(self) -> dict[str, Any] | None:
        return self._features

    def with_format(self, kind: str) -> Loaded:
        assert kind == "arrow"
        return self

    def iter(self, size: int) -> Any:
        yield from (self.table.slice(k, 5) for k in range(0, self.table.num_rows, 5))
