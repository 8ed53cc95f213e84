"""Findings as they leave a diagnosis: with a title, and with the names of the items."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import replace

import numpy as np

from ..data.annotations import Annotations
from .finding import Finding
from .titles import title_of

__all__ = ["named"]


def named(findings: Iterable[Finding], data: Annotations) -> tuple[Finding, ...]:
    """Findings with the title of their pattern or rule, and with the items of ``data`` by name."""
    return tuple(_named(finding, data) for finding in findings)


def _named(finding: Finding, data: Annotations) -> Finding:
    title = finding.title or title_of(finding.code)
    if finding.seen is None:
        return replace(finding, title=title)
    places = (position // len(data.questions) for position in finding.seen.items)
    names = tuple(_plain(data.items[place]) for place in places)
    return replace(finding, title=title, seen=replace(finding.seen, names=names))


def _plain(name: Hashable) -> Hashable:
    """An item that was numbered is an int, not an entry of an array."""
    return name.item() if isinstance(name, np.generic) else name
