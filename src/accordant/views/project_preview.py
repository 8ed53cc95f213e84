"""What an act would bring about, in sentences: shown before it is done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ..numbers import count_of, joined
from ..resolution.preview import Preview
from .project_log import sentences

__all__ = ["preview_lines"]


def preview_lines(found: Preview) -> Iterator[str]:
    """One line for each thing that would differ, what would happen first.

    Examples
    --------
    >>> print(*preview_lines(Preview(again={"5a": 108, "5c": 63}, agreed={"5a": 59})), sep="; ")
    171 annotations asked for again (5a: 108 and 5c: 63); 59 agreed answers among them (5a: 59)
    """
    yield from sentences(found.events)
    if found.again:
        n, where = _counted(found.again, "annotation")
        yield f"{n} asked for again{where}"
    if found.agreed:
        n, where = _counted(found.agreed, "agreed answer")
        yield f"{n} among them{where}"
    for (before, after), k in Counter(found.cases.values()).items():
        yield f"{count_of(k, 'case')}: {f'{before} → {after}' if before else f'new, {after}'}"
    if found.to_read:
        yield f"to read or sign: {joined(found.to_read)}"
    now, then = found.release
    if now is not then:
        yield f"a release, now {now}, would be: {then}"
    if found.withheld:
        yield f"what follows from it is {found.withheld}"


def _counted(by_question: dict[str, int], noun: str) -> tuple[str, str]:
    """How many there are in all, and of each question."""
    each = joined(f"{question}: {n:,}" for question, n in by_question.items())
    return count_of(sum(by_question.values()), noun), f" ({each})"
