"""CrowdTruth's measures, 2.0 and original: quality of items, coders and categories."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ..fields import shown
from ..models.quality_scores import CrowdTruth, quality_of
from ..numbers import count_of, tied
from .blocks import Block, Prose, Table
from .fit_part import FitPart
from .remarks import remarks
from .view import view

WORST = 5  # items with the least quality, for readers
ORDER = {  # by what items, coders and categories stand; with a minus the highest first
    "2.0": {"item": "quality", "coder": "-quality", "category": "-quality"},
    "1.0": {"item": "clarity", "coder": "disagreement_with_items", "category": "ambiguity"},
}
COLUMNS = {
    "2.0": "of name quality agreement_with_coders agreement_with_items n_annotations",
    "1.0": "of name clarity ambiguity disagreement_with_items disagreement_with_coders "
    "labels_per_item n_annotations",
}


@view("crowdtruth", of="fit", alone="crowdtruth", title="CrowdTruth", place=190)
def quality(part: FitPart | CrowdTruth) -> Iterator[Block]:
    """CrowdTruth 2.0: quality of items, coders and categories."""
    yield from _told(_of(part, "2.0") if isinstance(part, FitPart) else part)


@view("crowdtruth-original", of="fit", title="CrowdTruth 1.0", place=195)
def original(part: FitPart) -> Iterator[Block]:
    """CrowdTruth 1.0: clarity, ambiguity and disagreement."""
    yield from _told(_of(part, "1.0"))


def _of(part: FitPart, version: Any) -> CrowdTruth:
    return next(quality_of(part.found.data, version, "closed"))


def _told(found: CrowdTruth) -> Iterator[Block]:
    order, rows = ORDER[found.version], found.to_rows()
    what = order["item"]
    each = found[f"item_{what}"]
    mean = shown(what, float(each[~np.isnan(each)].mean()) if not np.isnan(each).all() else np.nan)
    rounds = f"; {found.task} task, {count_of(found.n_iterations, 'round')}"
    yield Prose(
        f"Version {found.version}: {count_of(len(each), 'item')} (mean {what} {mean}), "
        f"{count_of(len(found.coders), 'coder')}, "
        f"{count_of(len(found.categories), 'category', 'categories')}"
        f"{rounds if found.n_iterations else ''}.",
        "headline",
    )
    of = {kind: _sorted([r for r in rows if r["of"] == kind], by) for kind, by in order.items()}
    shown_rows = [*of["coder"], *of["category"], *of["item"][:WORST]]
    note = f"The {WORST} of {count_of(len(each), 'item')} with the lowest {what}."
    yield Table.of(
        COLUMNS[found.version],
        shown_rows,
        [note] if len(each) > WORST else (),
        most=len(shown_rows),
        every=tuple(rows),
        keep="of name quality clarity disagreement_with_items",
    )
    yield from remarks(("", f) for f in found.findings)


def _sorted(rows: Sequence[Mapping[str, Any]], by: str) -> list[Mapping[str, Any]]:
    """By a score, then by name; what is undefined last."""
    sign, key = (-1, by[1:]) if by.startswith("-") else (1, by)
    known = [row for row in rows if row[key] == row[key]]
    rest = [row for row in rows if row[key] != row[key]]
    return [*sorted(known, key=lambda row: (sign * tied(row[key]), str(row["name"]))), *rest]
