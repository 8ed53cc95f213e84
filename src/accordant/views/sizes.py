"""How many labels coders give to an item, and who gives more."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from ..diagnosis.label_sets import CoderSets, SetPair, Structure
from ..diagnosis.words import isolated
from ..numbers import count_of, decimal, joined, p_text, percent
from .charts import sizes
from .document import Block, Chart, Column, Prose, Section, Table
from .study import Part, Study

__all__ = ["sizes_section", "telling"]

MOST_ROWS = 200
MOST_PAIRS = 100
MOST_DRAWN = 25  # coders of the chart
MOST_SIZES = 5  # from here on sizes are told together
FEW = 4  # coders with a share of their own in a sentence
LITTLE = 5  # annotations: the shares of a coder with fewer say little


def sizes_section(study: Study) -> Section | None:
    """The sizes of the label sets of each coder; None if everybody gives one label."""
    if all(part.found.structure is None for part in study.parts):
        return None
    return Section("sizes", "How many labels they gave", study.told(_lead), study.per_part(_sizes))


def telling(found: Structure) -> list[CoderSets]:
    """The coders with enough annotations for their shares to say something."""
    known = [c for c in found.coders if c.n_annotations]
    return [c for c in known if c.n_annotations >= LITTLE] or known


def _lead(part: Part) -> str:
    found = part.found.structure
    if found is None:
        return "Every annotation holds one label."
    every = found.everybody
    if not every.n_annotations:
        return "There is no annotation."
    lead = f"{percent(every.share_several)} of the annotations hold several labels"
    known = telling(found) if every.share_several else []
    if not every.share_several:
        lead = "No annotation holds several labels"
    if 1 < len(known) <= FEW:
        each = joined(f"{percent(c.share_several)} of those of {_name(c)}" for c in known)
        lead += f": {each}"
    elif len(known) > FEW:
        low, high = (f(known, key=lambda c: c.share_several) for f in (min, max))
        lead += (
            f", from {percent(low.share_several)} ({_name(low)}) to "
            f"{percent(high.share_several)} ({_name(high)}) of a coder's"
        )
    empty = every.n_by_size[0]
    none = f" {count_of(empty, 'annotation says', 'annotations say')} that no label applies."
    return f"{lead}.{none if empty else ''}{_two(found)}"


def _two(found: Structure) -> str:
    """Who of two coders gives more."""
    if len(found.pairs) != 1 or len(found.coders) != 2:
        return ""
    pair = found.pairs[0]
    if pair.n_more == pair.n_fewer:
        return ""
    first, second = isolated(pair.first), isolated(pair.second)
    more, fewer = (first, second) if pair.n_more > pair.n_fewer else (second, first)
    return (
        f" {more} gives more labels than {fewer} on {max(pair.n_more, pair.n_fewer):,} of "
        f"{count_of(pair.n_common, 'common item')} and fewer on "
        f"{min(pair.n_more, pair.n_fewer):,} (exact sign test, {p_text(pair.p_value)})."
    )


def _sizes(part: Part) -> Iterator[Block]:
    found = part.found.structure
    if found is None:
        yield Prose("Every annotation holds one label.")
        return
    order = sorted(found.coders, key=lambda c: -c.n_annotations)
    drawn = order[:MOST_DRAWN] or [found.everybody]
    if len(drawn) > FEW:
        drawn = sorted(drawn, key=lambda c: -c.mean_labels)
    yield Chart(_title(found), _drawn(found, drawn), _table(found, order))
    if found.pairs:
        yield _pairs(found)


def _title(found: Structure) -> str:
    known = telling(found)
    if len(known) < 2:
        return f"An annotation holds {decimal(found.everybody.mean_labels, 2)} labels on average"
    low, high = (f(known, key=lambda c: c.mean_labels) for f in (min, max))
    if high.mean_labels - low.mean_labels < 0.05:
        return (
            f"Coders give about as many labels as each other: {decimal(low.mean_labels, 2)} to "
            f"{decimal(high.mean_labels, 2)} on average"
        )
    return (
        f"{_name(high)} gives {decimal(high.mean_labels, 2)} labels to an item on average, "
        f"{_name(low)} {decimal(low.mean_labels, 2)}"
    )


def _drawn(found: Structure, coders: list[CoderSets]) -> dict[str, Any]:
    most = min(max(found.largest, 1), MOST_SIZES)
    rows = [
        {"name": _name(c), "size": f"{size}+" * (size == most < found.largest) or size,
         "share": sum(c.share_by_size[size:]) if size == most else c.share_by_size[size],
         "height": size / most}
        for c in coders
        for size in range(min(len(c.share_by_size), most + 1))
    ]  # fmt: skip
    return sizes(rows, title="share of annotations, by the number of labels that they hold")


def _table(found: Structure, order: list[CoderSets]) -> Table:
    rows = tuple(
        {
            "coder": _name(c), "n": c.n_annotations, **_shares(c), "mean": c.mean_labels,
            "entropy": c.entropy, "entropy_share": c.entropy_share, "apart": c.coder is None,
        }
        for c in (*order[:MOST_ROWS], *([found.everybody] if len(order) != 1 else []))
    )  # fmt: skip
    named = {"size 0": "none", "size 1": "one", "size 2": "two", "size 3": "three",
             "size 4": "four", "more": "five or more"}  # fmt: skip
    present = [key for key in named if any(row.get(key) for row in rows)]
    columns = (
        Column("coder", "coder"),
        Column("n", "annotations", "count"),
        *(Column(key, named[key], "share", "annotations with so many labels") for key in present),
        Column("mean", "mean", "bits", "labels of an annotation"),
        Column("entropy", "entropy", "bits", "of the coder's labels, in bits"),
        Column("entropy_share", "of the largest possible", "share", "entropy as a share of log2 K"),
    )
    k = len(found.categories)
    notes = [
        "Entropy: −Σ p log2 p of the labels that a coder gave (Marchal et al. 2022, eq. 5); 0 if "
        f"always the same one, log2 K = {decimal(math.log2(max(k, 1)), 2)} if all {k} are equally "
        "common."
    ]
    if len(order) > MOST_ROWS:
        notes.append(f"The {MOST_ROWS} with the most annotations of {len(order):,} are shown.")
    return Table(
        "Labels of an annotation",
        columns,
        rows,
        tuple(notes),
        depth="detail" if len(rows) > 30 else "main",
    )


def _shares(c: CoderSets) -> dict[str, float]:
    found = {f"size {size}": share for size, share in enumerate(c.share_by_size[:MOST_SIZES])}
    return found | {"more": sum(c.share_by_size[MOST_SIZES:])}


def _pairs(found: Structure) -> Table:
    each = sorted(found.pairs, key=lambda p: (-p.n_common, p.first, p.second))
    notes = [
        "Precision: mean share of the labels of the first coder that the second gave too; recall: "
        "of those of the second that the first gave too. Who gives more labels has the smaller "
        "share. p: exact sign test of more against fewer."
    ]
    if len(each) > MOST_PAIRS or found.n_left_out:
        shown = min(MOST_PAIRS, len(each))
        notes.append(f"The {shown} pairs of busy coders with the most common items are shown.")
    columns = (
        Column("pair", "coders"),
        Column("n_common", "items", "count", "that both annotated"),
        Column("n_more", "first more", "count", "items to which the first gave more labels"),
        Column("n_same", "as many", "count"),
        Column("n_fewer", "first fewer", "count"),
        Column("p_value", "p", "p"),
        Column("precision", "precision", "value"),
        Column("recall", "recall", "value"),
    )
    rows = tuple({"pair": pair_name(p), **p.to_rows()[0]} for p in each[:MOST_PAIRS])
    return Table(
        "Who gives more labels",
        columns,
        rows,
        tuple(notes),
        depth="detail" if len(rows) > 15 else "main",
    )


def pair_name(pair: SetPair) -> str:
    """The two coders, the first first."""
    return f"{isolated(pair.first)} – {isolated(pair.second)}"


def _name(c: CoderSets) -> str:
    return "all" if c.coder is None else isolated(c.coder)
