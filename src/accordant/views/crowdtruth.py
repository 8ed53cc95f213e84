"""CrowdTruth's measures, 2.0 and original: quality of items, coders and categories."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..fields import shown
from ..models.crowdtruth.original_measures import CrowdTruthOriginal, crowdtruth_original
from ..models.crowdtruth.quality_scores import CrowdTruth
from ..models.crowdtruth.quality_scores import crowdtruth as scored
from ..numbers import count_of
from .blocks import Block, Prose, Table
from .fit_part import FitPart
from .remarks import remarks
from .view import view

WORST = 5  # items with the least quality, for readers
SCORES = "of name quality agreement_with_coders agreement_with_items n_annotations"
ORIGINAL = (
    "of name clarity ambiguity disagreement_with_items disagreement_with_coders labels_per_item "
    "n_annotations"
)


@view("crowdtruth", of="fit", alone="crowdtruth", title="CrowdTruth 2.0", place=190)
def quality(part: FitPart | CrowdTruth) -> Iterator[Block]:
    """CrowdTruth 2.0: quality of items, coders and categories."""
    (found,) = (scored(part.found.data) if isinstance(part, FitPart) else part).told_parts
    n_items, n_coders, n = found.vectors.shape
    yield Prose(
        f"{count_of(n_items, 'item')} (mean quality {shown('quality', _mean(found.item_quality))}),"
        f" {count_of(n_coders, 'coder')} ({shown('quality', _mean(found.coder_quality))}), "
        f"{count_of(n, 'category', 'categories')}; {found.task} task, "
        f"{'converged' if found.converged else 'not converged'} after "
        f"{count_of(found.n_iterations, 'round')}.",
        "headline",
    )
    yield _table(found.to_rows(), SCORES, "-quality", "-quality", "quality")
    yield from remarks(("", f) for f in found.findings)


@view(
    "crowdtruth-original", of="fit", alone="crowdtruth_original", title="CrowdTruth 1.0", place=195
)
def original(part: FitPart | CrowdTruthOriginal) -> Iterator[Block]:
    """CrowdTruth 1.0: clarity, ambiguity and disagreement."""
    made = crowdtruth_original(part.found.data) if isinstance(part, FitPart) else part
    (found,) = made.told_parts
    n_items, n_coders, n = found.vectors.shape
    clarity = float(found.item_clarity.mean())
    yield Prose(
        f"{count_of(n_items, 'item')} (mean clarity {shown('clarity', clarity)}), "
        f"{count_of(n_coders, 'coder')}, {count_of(n, 'category', 'categories')}.",
        "headline",
    )
    yield _table(found.to_rows(), ORIGINAL, "disagreement_with_items", "ambiguity", "clarity")


def _table(
    rows: Sequence[Mapping[str, Any]], keys: str, coders: str, categories: str, items: str
) -> Table:
    """For readers coders, categories and the worst items, each by a score; for programs all."""
    every = _sorted(rows, "item", items)
    ends = [
        *_sorted(rows, "coder", coders),
        *_sorted(rows, "category", categories),
        *every[:WORST],
    ]
    note = f"The {WORST} of {count_of(len(every), 'item')} with the lowest {items}."
    return Table.of(
        keys,
        ends,
        [note] if len(every) > WORST else (),
        most=len(ends),
        every=tuple(rows),
        keep="of name quality clarity disagreement_with_items",
    )


def _sorted(rows: Sequence[Mapping[str, Any]], of: str, by: str) -> list[Mapping[str, Any]]:
    """The rows of a kind by a score, with a minus the highest first, then by name."""
    sign, key = (-1, by[1:]) if by.startswith("-") else (1, by)

    def place(row: Mapping[str, Any]) -> tuple[bool, float, str]:
        x = row[key]
        undefined = x is None or x != x
        return undefined, 0.0 if undefined else sign * x, str(row["name"])

    return sorted((row for row in rows if row["of"] == of), key=place)


def _mean(x: NDArray[np.float64]) -> float:
    known = x[~np.isnan(x)]
    return float(known.mean()) if len(known) else float("nan")
