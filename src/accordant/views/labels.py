"""Which labels the coders gave, and how they differ in it."""

from __future__ import annotations

from collections.abc import Iterator
from math import log2
from typing import Any

import numpy as np

from ..diagnosis.label_use import LabelUse
from ..diagnosis.words import label_text, quoted
from ..numbers import count_of, decimal, joined, percent
from .charts import spread
from .document import Block, Chart, Column, Section, Table
from .labels_of_sets import labels_of_sets, lead_of_sets
from .study import Part, Study

__all__ = ["labels_section"]

MOST_ROWS = 200
MOST_DOTS = 12  # labels of the chart
MOST_DRAWN = 100  # coders of the chart
MOST_COLUMNS = 8  # coders with a column of their own
FEW = 5  # items of a coder whose shares say little


def labels_section(study: Study) -> Section:
    """How often each label was given, by whom; of measurements where they lie."""
    return Section("labels", "Which labels they gave", study.told(_lead), study.per_part(_labels))


def _lead(part: Part) -> str:
    if part.found.structure is not None:
        return lead_of_sets(part.found.structure)
    shares = part.found.coverage.distribution
    if not shares.total:
        return "No label was given."
    if part.continuous:
        return f"{count_of(len(shares.n), 'different number')} were given."
    top = int(shares.n.argmax())
    lead = (
        f"{quoted(shares.values[top])} makes up {percent(float(shares.share[top]))} of all "
        f"labels; the entropy of the labels is {decimal(shares.entropy, 2)} of at most "
        f"{decimal(log2(len(shares.n)), 2)} bits."
    )
    if shares.unused:
        lead += f" Never used: {joined(quoted(v) for v in shares.unused)}."
    return lead


def _labels(part: Part) -> Iterator[Block]:
    if part.continuous:
        yield _measurements(part)
        return
    if part.found.structure is not None:
        yield from labels_of_sets(part)
        return
    order, use = _order(part), part.found.coders.labels
    table = _table(part, order, use)
    if use is None or len(use.values) < 2:
        yield table
    else:
        yield Chart(_title(part, use), _dots(part, use, order[:MOST_DOTS]), table)


def _order(part: Part) -> list[int]:
    """The most frequent labels; in the order of the scheme where it has one."""
    n = part.found.coverage.distribution.n
    most = np.argsort(-n, kind="stable")[:MOST_ROWS].tolist()
    ordered = part.found.scheme.scale != "nominal" or part.found.scheme.declared
    return sorted(most) if ordered else most


def _table(part: Part, order: list[int], use: LabelUse | None) -> Table:
    found = part.found.coverage.distribution
    own = use if use is not None and len(use.coders) <= MOST_COLUMNS else None
    rows: list[dict[str, Any]] = [
        {
            "label": label_text(found.values[k]),
            "n": int(found.n[k]),
            "share": float(found.share[k]),
            **({f"coder {c}": float(x) for c, x in enumerate(own.share[:, k])} if own else {}),
        }
        for k in order
    ]
    columns = (
        Column("label", "label"),
        Column("n", "times", "count"),
        Column("share", "share", "bar"),
        *(Column(f"coder {c}", name, "share") for c, name in enumerate(own.coders if own else ())),
    )
    notes = [
        *(["The columns of the coders are shares of their own labels."] if own else []),
        *([f"The {len(order)} most frequent of {len(found.n):,} labels are shown."]
          if len(order) < len(found.n) else []),
    ]  # fmt: skip
    return Table(
        "Labels", columns, tuple(rows), tuple(notes), depth="detail" if len(rows) > 30 else "main"
    )


def _measurements(part: Part) -> Table:
    """Where the numbers of each coder lie."""
    given = part.found.data.answered
    numbers = np.array([float(v) for v in part.found.data.values if not isinstance(v, tuple)])
    values = numbers[given.value]
    rows = []
    for c, name in enumerate(part.found.data.coders[:MOST_ROWS]):
        own = values[given.coder == c]
        if len(own):
            low, middle, high = np.quantile(own, [0, 0.5, 1])
            rows.append({
                "coder": name, "n": len(own), "mean": float(own.mean()),
                "sd": float(own.std(ddof=1)) if len(own) > 1 else float("nan"),
                "low": float(low), "middle": float(middle), "high": float(high),
            })  # fmt: skip
    columns = (
        Column("coder", "coder"),
        Column("n", "numbers", "count"),
        Column("mean", "mean", "value"),
        Column("sd", "std. deviation", "value"),
        Column("low", "lowest", "value"),
        Column("middle", "median", "value"),
        Column("high", "highest", "value"),
    )
    return Table("Where the numbers of each coder lie", columns, tuple(rows))


def _title(part: Part, use: LabelUse) -> str:
    """Where coders differ most in how often they give a label."""
    share = use.share[part.found.coders.n_items >= FEW]
    if len(share) < 2:
        return "How often each label was given"
    k = int((share.max(0) - share.min(0)).argmax())
    low, high = float(share[:, k].min()), float(share[:, k].max())
    return (
        f"Coders differ most in {quoted(use.values[k])}, which they give to "
        f"{percent(low)} to {percent(high)} of their items"
    )


def _dots(part: Part, use: LabelUse, order: list[int]) -> dict[str, Any]:
    found = part.found.coverage.distribution
    values = [label_text(found.values[k]) for k in order]
    busiest = part.found.coders.n_items.argsort()[::-1][:MOST_DRAWN].tolist()
    rows = [
        {"name": name, "coder": coder, "share": float(share[k])}
        for name, k in zip(values, order, strict=True)
        for coder, share in [(None, found.share), *((use.coders[c], use.share[c]) for c in busiest)]
    ]
    return spread(rows, values, title="share of a coder's labels (tick: of all labels)")
