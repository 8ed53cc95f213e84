"""Annotations as platforms write them: a task for each item, with the answers of each coder."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from ..annotations import NO_VALUE, Annotations, Status
from ..sheet import Field, persons_lost
from ..table import plain

__all__ = ["Answers", "Task", "number_or_text", "tasks_of", "unheld"]

Answers: TypeAlias = Mapping[str, tuple[Status, tuple[str, ...]]]  # question -> what was said


@dataclass
class Task:
    """An item: what was shown, what else is known of it, and what each coder answered."""

    item: str
    text: str | None
    facts: dict[str, Any]
    answers: dict[str, dict[str, tuple[Status, tuple[str, ...]]]] = field(
        default_factory=lambda: defaultdict(dict)
    )


def tasks_of(data: Annotations, statuses: Collection[Status]) -> Iterator[Task]:
    """Items with an answer of one of these statuses, in their order, with all such answers."""
    c = data.columns
    order = np.argsort(c.item, kind="stable")
    said = [(x if isinstance(x, tuple) else (x,)) for x in data.values]
    words = [tuple(map(plain, labels)) for labels in said]
    items = list(map(plain, Field("item", data.items).cells()))
    task: Task | None = None
    at = NO_VALUE
    for i, q, j, v, s in zip(
        *(x[order].tolist() for x in (c.item, c.question, c.coder, c.value, c.status)), strict=True
    ):
        if s not in statuses:
            continue
        if task is None or i != at:
            if task is not None:
                yield task
            text = None if data.texts is None else data.texts[i] or None
            cells = {name: column[i] for name, column in data.metadata.items()}
            facts = {n: _cell(x) for n, x in cells.items() if x is not None}
            task, at = Task(items[i], text, facts), i
        labels = () if v == NO_VALUE else words[v]
        task.answers[data.coders[j]][data.questions[q]] = (Status(s), labels)
    if task is not None:
        yield task


def _cell(cell: Any) -> Any:
    return cell if isinstance(cell, str | int | float | bool) else json.dumps(cell, default=str)


def unheld(data: Annotations, name: str, statuses: Collection[Status]) -> tuple[str, ...]:
    """What of annotations a format has no place for, a sentence each."""
    n = Counter(data.columns.status.tolist())
    lost = [
        f"left out: {n[s]:,} that {'is' if n[s] == 1 else 'are'} {s.name.lower().replace('_', ' ')}"
        f", which {name} cannot say"
        for s in Status
        if n[s] and s not in (*statuses, Status.NOT_ASSIGNED)
    ]
    kept = np.isin(data.columns.status, [int(s) for s in statuses])
    for what, names, codes in (
        ("item", data.items, data.columns.item),
        ("coder", data.coders, data.columns.coder),
    ):
        gone = len(names) - len(np.unique(codes[kept]))
        if gone:
            several = "" if gone == 1 else "s"
            lost.append(f"left out: {gone:,} {what}{several} without any annotation")
    if data.spans is not None:
        lost.append("where spans begin and end is not written, only what labels each item got")
    return (*lost, *persons_lost(data))


def number_or_text(text: str) -> str | int:
    """An id as platforms have it: a number where it is one.

    Examples
    --------
    >>> number_or_text("12"), number_or_text("012"), number_or_text("t1")
    (12, '012', 't1')
    """
    return int(text) if text.isascii() and text.isdigit() and str(int(text)) == text else text
