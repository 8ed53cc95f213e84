"""Findings: causes of disagreement with their evidence, and caveats in reading the figures."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..diagnosis import finding as diagnosis
from ..diagnosis.diagnose import Part
from ..diagnosis.what_if import KINDS, Resolved
from ..literature import cite
from ..messages import label_text
from ..numbers import count_of, decimal, percent, tied
from .blocks import Block, Chart, Finding, Fold, Items, Prose, Table, renamed
from .cell_items import These
from .charts import beside, gains
from .coefficient_names import begun, cut
from .view import view

MOST_OPEN = 5  # findings that are told at length; the others are folded
MOST_NAMED = 3  # findings with little effect, in a sentence
MOST_LINES = 6  # of evidence
MOST_READ = 2  # items that are told with text and labels
MOST_CHARACTERS = 200  # of a text
FEW = 10  # disputed items: fewer spread like anything
RELIABLE = 0.8  # of α; below, conclusions are tentative (Krippendorff 2004)
NONE = "no_pattern"  # the code of what says that there is none


@view("overview", of="diagnose", title="", place=10)
def overview(part: Part) -> Iterator[Block]:
    """How much is disputed, and what to do first."""
    yield Prose(
        f"Krippendorff's α {decimal(part.alpha)}; {part.items.n_disputed:,} of "
        f"{count_of(float(part.counts.n_pairable), 'item')} disputed{_first(part)}",
        "headline",
    )


def _first(part: Part) -> str:
    """What to do first, by the strongest finding; empty where nothing is disputed."""
    serious = [f for f in part.patterns if f.severity != "note" and f.to_do]
    if serious:
        return f". First, {serious[0].to_do}: {serious[0].title}"
    return ". First, read the disputed items together" if part.items.n_disputed else ""


@view("findings", of="diagnose", title="Causes of disagreement", chapter="disagreement", place=20)
def causes(part: Part, *, most: int | None = None) -> Iterator[Block]:
    """Causes of disagreement and caveats, each with its numbers and what to do."""
    yield findings_table(part.findings[:most])
    problems = [f for f in part.caveats if f.severity == "problem"]
    serious = [f for f in part.patterns if f.severity != "note"]
    notes = [f for f in part.patterns if f.severity == "note" and f.code != NONE]
    shown = MOST_OPEN if most is None else most
    yield from (finding_block(f, part) for f in problems)
    yield from (finding_block(f, part) for f in serious[:shown])
    if not serious and not problems:
        yield Prose(_nothing(part, notes))
        yield from (finding_block(f, part) for f in part.patterns if f.code == NONE)
    yield from folded([finding_block(f, part) for f in (*serious[shown:], *notes)])


@view(
    "pooling",
    of="diagnose",
    title="Questions together",
    chapter="disagreement",
    place=25,
    whole=True,
)
def pooling(part: Part) -> Iterator[Block]:
    """What to know before figures of several questions are pooled."""
    if found := part.about_all():
        yield findings_table(found)
        yield from (finding_block(f, part) for f in found)


@view("caveats", of="diagnose", title="Caveats", chapter="coefficient_choice", place=610)
def caveats(part: Part) -> Iterator[Block]:
    """What to know before a figure is quoted."""
    found = part.caveats
    yield findings_table(found)
    yield from (finding_block(f, part) for f in found if f.severity != "note")
    yield from folded([finding_block(f, part) for f in found if f.severity == "note"])


def findings_table(found: Iterable[diagnosis.Finding]) -> Table:
    """Findings as rows, for programs and for formats of tables."""
    every = tuple(f.nested() for f in found)
    rows = ({**row, "gain": row["stake"]} for row in every)
    return Table.of("severity title gain sentence advice", rows, depth="evidence", every=every)


def folded(notes: list[Finding]) -> Iterator[Block]:
    """Further findings under a title that counts them."""
    if notes:
        yield Fold(count_of(len(notes), "further finding"), tuple(notes))


def _nothing(part: Part, notes: list[diagnosis.Finding]) -> str:
    """Why no finding stands first."""
    if not part.counts.n_pairable:
        return "No item has two annotations."
    if math.isnan(part.alpha):
        return "Every annotation is the same."
    if not part.items.n_disputed:
        return "The coders agree on every item."
    if part.items.n_disputed < FEW:
        return f"{count_of(part.items.n_disputed, 'disputed item')}: too few to show a cause."
    if not notes and part.named_elsewhere:
        return f"No cause stands out; see: {'; '.join(part.named_elsewhere)}."
    if not notes:
        return "No category, coder or group of items stands out."
    named = "; ".join(f.title for f in notes[:MOST_NAMED])
    more = f"; and {len(notes) - MOST_NAMED} more" if len(notes) > MOST_NAMED else ""
    told = f"Beyond random errors, but with little effect on α: {named}{more}."
    if part.alpha >= RELIABLE:
        return told
    return (
        f"No main cause was found. {told} Look whether coders see enough to do the task, and know "
        "the guideline."
    )


# ------------------------------------------------------------------ one finding


def finding_block(found: diagnosis.Finding, part: Part | None = None) -> Finding:
    """A finding as a block, with its evidence and the items that show it."""
    seen = found.seen
    items = _items(found, part, seen.items) if seen and seen.items and part else None
    return Finding(
        found.title or diagnosis.title_of(found.code),
        (("", found.sentence),),
        found.advice,
        found.severity,
        tuple(cite(key) for key in found.sources),
        found.stake,
        found.to_do,
        items,
        tuple(_evidence(seen)) if seen else (),
        found.do,
    )


def _items(found: diagnosis.Finding, part: Part, positions: Sequence[int]) -> Items:
    at = np.array(positions, np.int64)
    named = part.items.named(at)
    names = tuple(
        str(item.item)
        if item.question is None or part.question is not None
        else f"{item.item} ({item.question})"
        for item in named
    )
    first = tuple(
        (name, cut(" ".join((item.text or "").split()), MOST_CHARACTERS), item.said())
        for name, item in zip(names, named[:MOST_READ], strict=False)
    )
    return Items(These(part.items, at), found.title or diagnosis.title_of(found.code), names, first)


def _evidence(seen: diagnosis.FindingTable) -> Iterator[Block]:
    """What was seen beside what chance would give: a chart and its table."""
    rows: tuple[dict[str, Any], ...] = tuple(
        {"name": line.name, "n": line.n, "share": line.share, "other_share": line.other}
        for line in seen.lines[:MOST_LINES]
    )
    if not rows:
        return
    compared = any(not math.isnan(line.other) for line in seen.lines)
    table = Table.of(
        f"name n share {'other_share' * compared}",
        rows,
        depth="detail",
        called={"name": seen.about, "n": seen.of, "share": seen.share, "other_share": seen.other},
    )
    drawn = [{**row, "other": row["other_share"]} for row in rows]
    axis = [f"{seen.share} (dot)", f"{seen.other} (tick)"] if compared else [seen.share]
    yield Chart(_says(_widest(rows), seen), beside(drawn, title=axis, near=True), table)


def _widest(rows: tuple[dict[str, Any], ...]) -> dict[str, Any]:
    """The first line, which is what the finding is about; the widest if that one shows little."""

    def gap(row: dict[str, Any]) -> float:
        return (
            0.0 if math.isnan(row["other_share"]) else tied(abs(row["share"] - row["other_share"]))
        )

    widest = max(rows, key=gap)
    return rows[0] if gap(rows[0]) >= gap(widest) / 2 else widest


def _says(row: dict[str, Any], seen: diagnosis.FindingTable) -> str:
    """A line of evidence in words."""
    text = f"{begun(row['name'])}: {seen.share} {percent(row['share'])}"
    if math.isnan(row["other_share"]):
        return text
    return f"{text}, {seen.other} {percent(row['other_share'])}"


# ------------------------------------------------------------------ findings of models of coders


def remark(found: diagnosis.Finding) -> Finding:
    """A finding without what was seen, which the tables beside it show."""
    return finding_block(replace(found, seen=None))


def remarks(each: Iterable[tuple[str, diagnosis.Finding]]) -> Iterator[Block]:
    """Findings, each with the label it is about; the same thing about several labels is told once.

    What is serious stands open, notes are folded together under a title that counts them.
    """
    same: dict[tuple[str, str], list[tuple[str, diagnosis.Finding]]] = {}
    for name, found in each:
        same.setdefault((found.code, found.severity), []).append((name, found))
    told = [_together(group) for group in same.values()]
    serious = [block for block in told if block.severity != "note"]
    notes = [block for block in told if block.severity == "note"]
    yield from sorted(serious, key=lambda block: diagnosis.SEVERITIES.index(block.severity))
    if notes:
        yield Fold(count_of(len(notes), "note"), tuple(notes))


def _together(group: list[tuple[str, diagnosis.Finding]]) -> Finding:
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
        title=first.title
        if len({f.title for f in found}) == 1
        else diagnosis.title_of(found[0].code),
        about=first.about if same else about,
        advice=first.advice if advised else "",
        do=first.do if all(f.do == found[0].do for f in found) else (),
    )


# ------------------------------------------------------------------ what-if


MOST_DRAWN = 3  # of a kind
MOST_ROWS = 5
PROJECTION = (
    "Projection: what exceeds random errors is resolved, random errors stay. Do not report it as "
    "reliability."
)
KIND = {"pair": "pair of categories", "category": "category", "coder": "coder"}


@view("what-if", of="diagnose", title="What to resolve first", chapter="what_if", place=30)
def what_if(part: Part, *, most: int | None = None) -> Iterator[Block]:
    """By how much agreement would rise if one thing were resolved."""
    every = [_row(step) for step in part.what_if]
    # What resolves everything says nothing of where to begin: such rows stand last.
    rows = sorted(every, key=lambda row: bool(row["n_items"] == part.items.n_disputed))
    table = Table.of(
        "what* kind n_items alpha_before alpha_after* gain* gain_per_ten_items",
        rows[:most],
        (PROJECTION,),
        most=most or MOST_ROWS,
        every=tuple(every),
    )
    steps = [s for s in part.what_if if s.gain > 0 and s.n_items < part.items.n_disputed]
    if not steps:
        yield replace(table, depth="evidence")
        return
    best = steps[0]
    drawn = [
        {"name": _name(s), "now": s.before, "then": s.after}
        for kind in KINDS
        for s in [x for x in steps if x.kind == kind][:MOST_DRAWN]
        if not math.isnan(s.after)
    ]
    yield Chart(
        f"Resolving {_all(best)} would raise α: {decimal(best.before)} → "
        f"{decimal(best.after)}, {count_of(best.n_items, 'item')} to discuss",
        gains(drawn, title="α now (tick) and if resolved (dot)"),
        table,
    )
    plan = part.what_if.plan
    if len(plan) > 1:
        rows = [{**_row(s), "what": f"{k}. {_name(s)}"} for k, s in enumerate(plan, start=1)]
        n = sum(step.n_items for step in plan)
        note = (
            f"{count_of(len(plan), 'pair')} of categories, {count_of(n, 'item')} to discuss; "
            "each row starts from what the row above leaves."
        )
        keys = "what n_items alpha_before alpha_after"
        yield Table.of(keys, rows, (note,), title="One after the other", depth="detail")


def _name(step: Resolved) -> str:
    """As short as can be."""
    if step.kind == "pair":
        return " ↔ ".join(map(label_text, step.of))
    return f"{step.kind} {step.name}"


def _all(step: Resolved) -> str:
    """What is resolved, in a sentence."""
    return f"what sets {_name(step)} apart" if step.kind == "coder" else _name(step)


def _row(step: Resolved) -> dict[str, Any]:
    row = renamed(step.to_rows()[0], before="alpha_before", after="alpha_after")
    return {**row, "kind": KIND[step.kind], "what": _name(step)}
