"""Damage to JSON exports: whatever a file holds, `read` gives annotations or one of our errors."""

from __future__ import annotations

import contextlib
import copy
import json
import random
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from accordant import read
from accordant.errors import AccordantError, ReadingWarning

ODD: list[Any] = [
    None, 0, -1, 2**70, 1e308, float("nan"), True, "", "x", "\ud800", [], [[]], [None], {}, {"a": 1},
    [{"a": [1]}], [[0, 1, "x"]], [1, "x", None], {"value": {"value": 1}}, ["a", "b"],
]  # fmt: skip


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every member of objects and lists: what holds it, and its key."""
    if isinstance(value, dict | list):
        for key in list(value) if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from places(value[key])


def mutated(records: Sequence[Any], rng: random.Random) -> list[Any]:
    """Records in which members are deleted, exchanged for others or put into one another."""
    out = copy.deepcopy(list(records))
    for _ in range(rng.randint(1, 4)):
        found = list(places(out))
        if not found:
            break
        holder, key = rng.choice(found)
        match rng.randrange(6):
            case 0:
                del holder[key]
            case 1:
                holder[key] = [holder[key]]
            case 2:
                holder[key] = {"a": holder[key]}
            case 3:
                other, at = rng.choice(found)
                holder[key] = copy.deepcopy(other[at]) if at in _keys(other) else None
            case _:
                holder[key] = copy.deepcopy(rng.choice(ODD))
    return out


def _keys(holder: Any) -> Any:
    return holder if isinstance(holder, dict) else range(len(holder))


def only_our_errors(
    records: Sequence[Any], path: Path, *, whole: bool = False, times: int = 200, **options: Any
) -> int:
    """How many of the damaged files are still read; whatever else is raised fails the test.

    ``whole`` writes the one record as the file, else each as a line.
    """
    rng, n = random.Random(7), 0
    for k in range(times):
        out = mutated(records, rng)
        text = json.dumps(out[0]) if whole and out else "\n".join(map(json.dumps, out))
        content = text.encode()
        if k % 4 == 0:
            content = content[: rng.randrange(len(content) + 1)]
        if k % 20 == 1:
            at = rng.randrange(len(content) + 1)
            content = content[:at] + rng.choice((b"\x00", b"\xff", b"[" * 5000)) + content[at:]
        path.write_bytes(content)
        with warnings.catch_warnings(), contextlib.suppress(AccordantError):
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", ReadingWarning)
            read(path, **options)
            n += 1
    return n


def written(path: Path, records: Sequence[Any]) -> Path:
    """A file of JSON lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(r) + "\n" for r in records), encoding="utf-8")
    return path


def rows(data: Any) -> set[tuple[Any, ...]]:
    """(item, coder, label) of all annotations that count, sets of labels as tuples."""
    return {(r["item"], r["coder"], r.get("question", ""), r["label"]) for r in data.to_rows()}
