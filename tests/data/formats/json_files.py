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
