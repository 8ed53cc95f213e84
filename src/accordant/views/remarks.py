"""Findings of models of coders as blocks: what is serious is open, what is good to know folded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ..diagnosis import finding as models
from ..numbers import count_of
from .blocks import Block, Finding, Fold
from .findings import finding_block

__all__ = ["remark", "remarks"]


def remark(found: models.Finding) -> Finding:
    """A finding without what was seen, which the tables beside it show."""
    return finding_block(replace(found, seen=None))


def remarks(each: Iterable[tuple[str, models.Finding]]) -> Iterator[Block]:
    """Findings, each with the label it is about; the same thing about several labels is told once.

    What is serious stands open, notes are folded together under a title that counts them.
    """
    same: dict[tuple[str, str], list[tuple[str, models.Finding]]] = {}
    for name, found in each:
        same.setdefault((found.code, found.severity), []).append((name, found))
    told = [_together(group) for group in same.values()]
    serious = [block for block in told if block.severity != "note"]
    notes = [block for block in told if block.severity == "note"]
    yield from sorted(serious, key=lambda block: models.SEVERITIES.index(block.severity))
    if notes:
        yield Fold(count_of(len(notes), "note"), tuple(notes))


def _together(group: list[tuple[str, models.Finding]]) -> Finding:
    names, found = zip(*group, strict=True)
    first = remark(found[0])
    if len(found) == 1:
        known = not names[0] or names[0] in first.title
        return first if known else replace(first, title=f"{first.title} · {names[0]}")
    same = len({f.sentence for f in found}) == 1
    advised = len({f.advice for f in found}) == 1  # else each says what to do about it
    about = tuple((name, f.sentence if advised else str(f)) for name, f in group)
    return replace(
        first,
        title=first.title if len({f.title for f in found}) == 1 else models.title_of(found[0].code),
        about=first.about if same else about,
        advice=first.advice if advised else "",
        do=first.do if all(f.do == found[0].do for f in found) else (),
    )
