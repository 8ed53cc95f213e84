"""CrowdTruth's measures, 2.0 and original: quality of items, coders and categories."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..fields import columns, shown
from ..models.crowdtruth.call import crowdtruth as scored
from ..models.crowdtruth.original_call import CrowdTruthOriginal, crowdtruth_original
from ..models.crowdtruth.result import CrowdTruth
from ..numbers import count_of
from .blocks import Block, Prose, Table
from .fit_part import FitPart, One, part_of
from .remarks import remarks
from .view import view

__all__ = ["crowdtruth_blocks", "original_blocks"]

WORST = 5  # items with the least quality, for readers
SCORES = "of name quality agreement_with_coders agreement_with_items n_annotations"
ORIGINAL = (
    "of name clarity ambiguity disagreement_with_items disagreement_with_coders labels_per_item "
    "n_annotations"
)
KEEP = ("of", "name", "quality", "clarity", "disagreement_with_items")


@view("crowdtruth", of="fit", title="CrowdTruth 2.0", place=190,
      help="CrowdTruth 2.0: quality of items, coders and categories")  # fmt: skip
def of_fit(part: One | FitPart) -> Iterator[Block]:
    """The scores of CrowdTruth 2.0 of the same annotations."""
    found = scored(part_of(part).found.data)
    if isinstance(found, CrowdTruth):
        yield from crowdtruth_blocks(found)


@view("crowdtruth-original", of="fit", title="CrowdTruth 1.0", place=195,
      help="CrowdTruth 1.0: clarity, ambiguity and disagreement")  # fmt: skip
def original_of_fit(part: One | FitPart) -> Iterator[Block]:
    """The measures of CrowdTruth 1.0 of the same annotations."""
    found = crowdtruth_original(part_of(part).found.data)
    if isinstance(found, CrowdTruthOriginal):
        yield from original_blocks(found)


@view("scores", of="crowdtruth", title="CrowdTruth 2.0", place=10,
      help="quality of items, coders and categories")  # fmt: skip
def crowdtruth_blocks(part: CrowdTruth) -> Iterator[Block]:
    """Quality of coders and categories, the highest first, and the items with the lowest."""
    n_items, n_coders, n = part.vectors.shape
    yield Prose(
        f"{count_of(n_items, 'item')} (mean quality {shown('quality', _mean(part.item_quality))}), "
        f"{count_of(n_coders, 'coder')} ({shown('quality', _mean(part.coder_quality))}), "
        f"{count_of(n, 'category', 'categories')}; {part.task} task, "
        f"{'converged' if part.converged else 'not converged'} after "
        f"{count_of(part.n_iterations, 'round')}.", depth="headline",
    )  # fmt: skip
    yield from _tables(part.to_rows(), SCORES, "quality", "quality")
    yield from remarks(("", f) for f in part.findings)


@view("measures", of="crowdtruth_original", title="CrowdTruth 1.0", place=10,
      help="clarity, ambiguity and disagreement")  # fmt: skip
def original_blocks(part: CrowdTruthOriginal) -> Iterator[Block]:
    """Disagreement of coders, ambiguity of categories and the items that are least clear."""
    n_items, n_coders, n = part.vectors.shape
    clarity = float(part.item_clarity.mean())
    yield Prose(
        f"{count_of(n_items, 'item')} (mean clarity {shown('clarity', clarity)}), "
        f"{count_of(n_coders, 'coder')}, {count_of(n, 'category', 'categories')}.",
        depth="headline",
    )  # fmt: skip
    yield from _tables(part.to_rows(), ORIGINAL, "clarity", "disagreement_with_items")


def _tables(
    rows: Sequence[Mapping[str, Any]], keys: str, of_items: str, of_coders: str
) -> Iterator[Block]:
    """All rows for programs; for readers coders, categories and the worst items."""
    yield Table("All scores", columns(keys), tuple(rows), depth="evidence")
    sign = -1 if of_items == of_coders else 1  # the best first: most quality, least disagreement
    ends = [
        *_sorted(rows, "coder", of_coders, sign),
        *_sorted(rows, "category", "ambiguity" if sign > 0 else of_coders, sign),
        *_sorted(rows, "item", of_items, 1)[:WORST],
    ]
    n_items = sum(row["of"] == "item" for row in rows)
    note = f"The {WORST} of {count_of(n_items, 'item')} with the lowest {of_items}."
    notes = (note,) if n_items > WORST else ()
    yield Table("", columns(keys), tuple(ends), notes, keep=KEEP, most=len(ends))


def _sorted(
    rows: Sequence[Mapping[str, Any]], of: str, key: str, sign: int
) -> list[Mapping[str, Any]]:
    """The rows of a kind by a score, then by name; undefined last."""

    def place(row: Mapping[str, Any]) -> tuple[bool, float, str]:
        x = row.get(key)
        undefined = x is None or x != x
        return undefined, 0.0 if undefined or x is None else sign * float(x), str(row["name"])

    return sorted((row for row in rows if row["of"] == of), key=place)


def _mean(x: NDArray[np.float64]) -> float:
    known = x[~np.isnan(x)]
    return float(known.mean()) if len(known) else float("nan")
