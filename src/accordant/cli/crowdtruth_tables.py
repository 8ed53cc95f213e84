"""CrowdTruth's two sets of measures for `accordant fit --show`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..models.crowdtruth.call import crowdtruth as scored
from ..models.crowdtruth.original_call import CrowdTruthOriginal, crowdtruth_original
from ..models.crowdtruth.result import CrowdTruth
from ..views.document import Column
from .breakdown import Breakdown
from .fit_tables import Parts
from .fitted import Fitted
from .spoken import spoken

__all__ = ["crowdtruth", "original"]

WORST = 5  # items with the least quality, for readers


def crowdtruth(found: Fitted) -> Parts:
    """CrowdTruth 2.0: items, coders and categories judged by each other."""
    columns = (
        Column("of", "of"), Column("name", "name"), Column("quality", "quality", "value"),
        Column("agreement_with_coders", "with coders", "value"),
        Column("agreement_with_items", "with items", "value"),
        Column("n_annotations", "annotations", "count"),
    )  # fmt: skip
    made: Any = scored(found.data, progress=found.progress)
    for one in (made,) if isinstance(made, CrowdTruth) else made:
        rows = one.to_rows()
        worst = sorted((r for r in rows if r["of"] == "item"), key=_quality)[:WORST]
        rest = [r for r in rows if r["of"] != "item"]
        said = [*sorted(rest, key=lambda r: (r["of"] != "coder", _quality(r))), *worst]
        notes = (
            str(one), f"readers see the {WORST} items with the least quality",
            *(spoken(str(f)) for f in one.findings if f.severity != "note"),
        )  # fmt: skip
        yield one.question, Breakdown(rows, columns, notes, fewer=said)


def original(found: Fitted) -> Parts:
    """CrowdTruth 1.0: clarity of items, ambiguity of categories, disagreement of coders."""
    columns = (
        Column("of", "of"), Column("name", "name"), Column("clarity", "clarity", "value"),
        Column("ambiguity", "ambiguity", "value"),
        Column("disagreement_with_items", "with items", "value"),
        Column("disagreement_with_coders", "with coders", "value"),
        Column("labels_per_item", "labels", "value"),
        Column("n_annotations", "annotations", "count"),
    )  # fmt: skip
    made: Any = crowdtruth_original(found.data)
    for one in (made,) if isinstance(made, CrowdTruthOriginal) else made:
        rows = one.to_rows()
        worst = sorted((r for r in rows if r["of"] == "item"), key=_clarity)[:WORST]
        rest = [r for r in rows if r["of"] != "item"]
        said = [*sorted(rest, key=lambda r: (r["of"] != "coder", -_disagreement(r))), *worst]
        notes = (
            str(one), "with items, with coders: how far a coder disagrees with them; labels: how "
            "many the coder gives to an item",
            f"readers see the {WORST} items with the least clarity",
        )  # fmt: skip
        yield one.question, Breakdown(rows, columns, notes, fewer=said)


def _quality(row: Mapping[str, Any]) -> float:
    """Undefined last."""
    return 2.0 if row["quality"] != row["quality"] else float(row["quality"])


def _clarity(row: Mapping[str, Any]) -> float:
    """Undefined last."""
    return 2.0 if row["clarity"] != row["clarity"] else float(row["clarity"])


def _disagreement(row: Mapping[str, Any]) -> float:
    """Of a coder; of a category its ambiguity. Undefined last."""
    x = row["disagreement_with_items"] if row["of"] == "coder" else row["ambiguity"]
    return -1.0 if x is None or x != x else float(x)
