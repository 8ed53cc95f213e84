"""What `accordant soft` shows: distributions, scores of predictions, ambiguous items."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..diagnosis.view import View
from ..diagnosis.words import label_text, quoted
from ..models.soft.ambiguous import Ambiguity
from ..models.soft.soft_labels import KINDS, SoftLabels
from ..models.soft.soft_scores import SoftScores
from ..numbers import count_of, decimal, level_text, percent
from ..views.document import Column, Table
from .breakdown import MOST, Breakdown, Broken
from .findings import one_of_each, print_told
from .fitting import print_fitting
from .tables import print_list, print_sentences

if TYPE_CHECKING:
    from rich.console import Console

__all__ = [
    "ambiguity_table", "print_ambiguity", "print_scores", "print_soft", "scores_table",
    "soft_table",
]  # fmt: skip

TOLD = 5  # findings
SURE = 0.95
WIDEST = 8  # categories that have a column each
FIRST = 10  # items on the first page
GOING = (("majority_label",), ("against_others",), ("one_coder",), ("perfect",))
"""Columns that go where a line has no room, the first ones first."""


# ------------------------------------------------------------------ distributions


def soft_table(each: Sequence[SoftLabels], most: int | None = None) -> Broken:
    """The distribution of each item."""
    parts = []
    for soft in each:
        rows = soft.to_rows()
        own = [f"p_{c}" for c in soft.categories]
        shown = own if len(own) <= WIDEST else []
        columns = (
            Column("item", "item"), Column("n", "annotations", "count"),
            Column("entropy", "bits", "bits"),
            *(Column(key, key.removeprefix("p_"), "share") for key in shown),
            *(() if shown else (Column("said", "most probable"),)),
        )  # fmt: skip
        said = rows if shown else [row | {"said": _first(row, own)} for row in rows]
        notes = (f"bits: entropy of the distribution; {soft.made}",)
        parts.append((soft.question, Breakdown(rows, columns, notes, fewer=said)))
    return Broken("Soft labels", tuple(parts), most)


def _first(row: Mapping[str, Any], keys: Sequence[str], most: int = 3) -> str:
    """The most probable categories in a line."""
    top = sorted(keys, key=lambda key: -row[key])[:most]
    return ", ".join(f"{key.removeprefix('p_')} {percent(row[key], 0)}" for key in top)


def print_soft(console: Console, each: Sequence[SoftLabels], most: int | None = None) -> None:
    """Print what the distributions are like, and the items with the most spread ones."""
    for soft in each:
        about = f"question {soft.question} · " if soft.question else ""
        console.print()
        head = f"{about}{soft.kind}s: {KINDS[soft.kind]}"
        print_sentences(console, [head], style="bold")
        print_sentences(console, [_spread(soft)])
        console.print()
        own = soft_table([soft]).of(soft.question)
        if own is not None:
            made = own.parts[0][1]
            rows = sorted(made.shown, key=lambda row: -row["entropy"])[: most or FIRST]
            left = len(made.shown) - len(rows)
            more = (
                (f"those with most bits first; {left:,} more with -o soft.jsonl",) if left else ()
            )
            table = Table("", made.columns, tuple(rows), (*made.notes, *more))
            print_fitting(console, table, GOING)
        watch = [f for f in one_of_each(soft.findings) if f.severity != "note"]
        print_told(console, "What to watch", watch, TOLD)
    console.print()
    print_sentences(console, _next(each), style="dim")


def _spread(soft: SoftLabels) -> str:
    n = len(soft)
    if not n:
        return "There are no items."
    tied = int(soft.tied.sum())
    if soft.several:
        spread = ""
    elif soft.counts is None:
        spread = (
            f" Of {int((soft.top >= SURE).sum()):,} one category has {percent(SURE, 0)} or more."
        )
    else:
        alone = int((np.count_nonzero(soft.counts, axis=1) <= 1).sum())
        spread = f" On {alone:,} all coders say the same, on {tied:,} no category comes first."
    estimate = soft.entropy_estimate
    behind = "" if estimate is None else (
        f"; behind so few annotations are {decimal(float(estimate.mean()), 2)} bits"
    )  # fmt: skip
    return (
        f"{count_of(n, 'item')}, {decimal(float(soft.n.mean()), 1)} annotations each.{spread} Mean "
        f"entropy {decimal(float(soft.entropy.mean()), 2)} bits{behind}."
    )


def _next(each: Sequence[SoftLabels]) -> list[str]:
    other = "belief" if each[0].kind == "opinion" else "opinion"
    return [
        "-o soft.jsonl or soft.csv: the distributions for training, and for --predictions later",
        "--predictions FILE: how well a model fits them, and how well that could be done at all",
        "--ambiguity: which items are genuinely ambiguous, and what errors of coders explain",
        f"--of {other}: {KINDS[other]}",  # type: ignore[index]
    ]


# ------------------------------------------------------------------ scores


def scores_table(found: SoftScores) -> Table:
    """Each measure with its interval, beside what others get."""
    rows = tuple(
        {
            **score.row(),
            "name": score.name,
            "ends": (score.low, score.high),
            "better_is": {"lower": "low", "higher": "high", "zero": "0"}[score.better],
        }
        for score in found.scores
    )
    coder = any(not math.isnan(s.one_coder) for s in found.scores)
    best = any(not math.isnan(row["perfect"]) for row in rows)
    columns = (
        Column("name", "measure"), Column("value", "model", "value"),
        Column("ends", "interval", "interval"), Column("better_is", "better"),
        *((Column("perfect", "perfect", "value"),) if best else ()),
        Column("frequencies", "guess", "value"), Column("majority_label", "majority", "value"),
        *((Column("one_coder", "coder", "value"), Column("against_others", "vs. coder", "value"))
          if coder else ()),
    )  # fmt: skip
    notes = [
        f"{level_text(found.level)} intervals over items ({found.method}); logarithms in "
        f"{found.unit}",
        *(["perfect: a model that knows the true distribution of each item, of which votes are a "
           "sample"] if best else []),
        "guess: how frequent each category is, for every item; majority: the coders' most frequent "
        "label with certainty",
        *(["coder: one coder against the labels of the others; vs. coder: the model against the "
           "same"] if coder else []),
    ]  # fmt: skip
    return Table("Predictions against soft labels", columns, rows, tuple(notes))


def print_scores(console: Console, found: SoftScores) -> None:
    """Print the scores, and what to know beside them."""
    table = scores_table(found)
    about = f"question {found.question} · " if found.question else ""
    console.print()
    title = f"{about}{table.title} ({found.kind}s)"
    print_sentences(console, [title], style="bold")
    print_sentences(console, [_scored(found)], style="dim")
    console.print()
    print_fitting(console, table, GOING)
    print_told(console, "What to watch", found.findings, TOLD)


def _scored(found: SoftScores) -> str:
    parts = [
        count_of(len(found.items), "item"),
        *([f"{found.n_missing:,} without a prediction"] if found.n_missing else []),
        *([f"{count_of(found.n_extra, 'prediction')} of no item"] if found.n_extra else []),
        *([f"{found.n_tied:,} tied, not in accuracy and F1"] if found.n_tied else []),
    ]
    return " · ".join(parts)


# ------------------------------------------------------------------ ambiguity


def ambiguity_table(each: Sequence[Ambiguity], most: int | None = None) -> Broken:
    """Which items are ambiguous: the clearest first."""
    columns = (
        Column("item", "item"), Column("source", "put down to"),
        Column("readings", "readings"), Column("n", "annotations", "count"),
        Column("bits", "bits", "bits"), Column("p_value", "p", "p"),
        Column("probability", "ambiguous", "share"),
    )  # fmt: skip
    parts = []
    for one in each:
        rows = sorted(one.to_rows(), key=_clearest)
        said = [row | {"readings": _readings(row)} for row in rows if row["unclear"]]
        notes = (one.sentence,)
        parts.append((one.question, Breakdown(rows, columns, notes, fewer=said)))
    return Broken("Items that are ambiguous, or hard", tuple(parts), most)


def print_ambiguity(console: Console, each: Sequence[Ambiguity], most: int | None = None) -> None:
    """Print what coders explain and what remains with items, and the ambiguous items."""
    for one in each:
        about = f"question {one.question} · " if one.question else ""
        console.print()
        title = f"{about}Opinion or error: what explains the disagreement"
        print_sentences(console, [title], style="bold")
        print_sentences(console, [one.sentence])
        chosen = [row for row in sorted(one.to_rows(), key=_clearest) if row["unclear"]]
        if chosen:
            shown = chosen[: most or FIRST]
            console.print()
            print_sentences(console, ["Items that are ambiguous, or hard"], style="bold")
            print_list(console, _told(one, shown))
            if len(chosen) > len(shown):
                more = f"and {len(chosen) - len(shown):,} more: --most {min(len(chosen), MOST * 5)}"
                print_sentences(console, [more], style="dim")
        print_told(console, "What to make of it", one_of_each(one.findings), TOLD)


def _told(one: Ambiguity, rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Items with their readings, and who said what."""
    data = one.posterior.data
    place = {_plain(name): k for k, name in enumerate(data.items)}
    at = np.array([place[_plain(row["item"])] for row in rows], int)
    named = View(one.question, data).items.named(at)
    return [
        f"{row['item']}{f' {quoted(item.text)}' if item.text else ''}\n{_readings(row)} "
        f"({decimal(row['bits'], 1)} bits, {_source(row)}) — {item.said()}"
        for row, item in zip(rows, named, strict=True)
    ]


def _readings(row: Mapping[str, Any]) -> str:
    both = [(row[f"reading_{k}"], row[f"share_{k}"]) for k in (1, 2)]
    return " or ".join(f"{label_text(x)} {percent(p, 0)}" for x, p in both if x is not None)


def _source(row: Mapping[str, Any]) -> str:
    return "ambiguous" if row["ambiguous"] else "ambiguous or hard"


def _clearest(row: Mapping[str, Any]) -> tuple[float, float]:
    p = row["p_value"]
    return (2.0 if math.isnan(p) else p), -row["bits"]


def _plain(x: Any) -> Any:
    return x.item() if hasattr(x, "item") else x
