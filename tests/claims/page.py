"""The table of how often findings are right, as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from claims.explainer import Chapters
from claims.judging import Verdict
from claims.plants import PLANTS

__all__ = ["Cell", "page"]

SMALL = 0.05
MOST_WARNED, MOST_HEADLINED, LEAST_FOUND, LEAST_HALF = 0.02, 0.05, 0.95, 0.8
INTRO = """\
Data sets with a known cause of disagreement, or with none, are simulated, and what `diagnose` and `decompose` say of them
is compared with what is true. They have 2 to 60 coders with 2 to 10 annotations an item, 2 to 15 categories or sets of up to
six labels, and items, coders and categories that are not equally easy. Nothing was chosen on this grid. Repeat it with
`python -m claims.run --write` in tests/ (grid `{grid}`, data sets 0 to {last_null} of each kind without a cause,
0 to {last} of each with one, whose numbers are their seeds)."""
NULLS = """\
## No cause

In percent of {n} data sets of each kind, of 40 to 2,000 items. *Any statement*: some explanation is given that is not true,
though it may only be a note; a coder who does err more often is none. *First page*: the report begins with a cause.
*Levels*: `decompose` has a headline; it does not leave out coders who answer at random, so that a crowd with spammers may
have one. *Contradictions*: it has one, where `diagnose` says that there is no pattern.

| data | any statement | first page | levels | contradictions |
|---|--:|--:|--:|--:|
{rows}
"""
PLANTED = """\
## One cause

In percent of {n} data sets of each kind: the first finding is the right one, at the full strength, half of it and a third.
Right is who names the kind, the coders, the categories and the place. *Spurious*: further findings that are not true, for
each data set at full strength. In brackets: another kind, but the right coders or categories.

| cause | {heads} |
|---|{ends}|
{rows}
"""
TOGETHER = """\
## Two causes

In percent of {n} data sets of 300 items, both at full strength: both are found.

| causes | both found | spurious |
|---|--:|--:|
{rows}
"""
MISSES = """\
## What misses its mark

Marks: any statement in at most 2 % and a headline in at most 5 % of data sets without a cause; with 300 items the cause is
first in 95 % at full strength and, on average, in 80 % at half; two causes are both found in 95 %.

{rows}
"""


@dataclass(frozen=True)
class Cell:
    """What was found in data sets of one kind: by strength, and for planted causes by size."""

    name: str
    items: int
    found: Sequence[Sequence[Verdict]]
    chapters: Sequence[Chapters] = ()

    @property
    def n(self) -> int:
        """How many data sets of each strength there are."""
        return len(self.found[0])

    def share(self, fact: str, strength: int = 0) -> float:
        """Of the data sets of one strength."""
        return sum(getattr(verdict, fact) for verdict in self.found[strength]) / self.n

    def told(self, fact: str) -> float:
        """Of the chapters."""
        return sum(getattr(one, fact) for one in self.chapters) / max(len(self.chapters), 1)


def page(grid: str, cells: Sequence[Cell]) -> str:
    """All tables."""
    nulls = [cell for cell in cells if cell.chapters]
    planted = [cell for cell in cells if cell.name in PLANTS]
    together = [cell for cell in cells if " + " in cell.name]
    intro = INTRO.format(grid=grid, last_null=nulls[0].n - 1, last=planted[0].n - 1)
    sizes = sorted({cell.items for cell in planted})
    heads = [f"{n} items: full | half | third | spurious" for n in sizes]
    parts = [
        NULLS.format(n=nulls[0].n, rows="\n".join(_nulls(nulls))),
        PLANTED.format(
            n=planted[0].n,
            heads=" | ".join(heads),
            ends="|".join(["--:"] * 4 * len(sizes)),
            rows="\n".join(_planted(planted, sizes)),
        ),
        TOGETHER.format(n=together[0].n, rows="\n".join(_together(together))),
        MISSES.format(rows="\n".join(f"- {row}" for row in _misses(cells)) or "Nothing."),
    ]
    return "\n\n".join([intro, *parts])


def _nulls(cells: Sequence[Cell]) -> Iterator[str]:
    rows = [
        [cell.share("warned"), *map(cell.told, ("report", "levels", "contradict"))]
        for cell in cells
    ]
    for cell, row in zip(cells, rows, strict=True):
        yield _row(_named(cell.name), *map(_percent, row))
    yield _row("**mean**", *(_percent(sum(x) / len(x)) for x in zip(*rows, strict=True)))


def _planted(cells: Sequence[Cell], sizes: Sequence[int]) -> Iterator[str]:
    by_name: dict[str, dict[int, Cell]] = {}
    for cell in cells:
        by_name.setdefault(cell.name, {})[cell.items] = cell
    for name, of in by_name.items():
        yield _row(_named(name), *(x for n in sizes for x in _of_size(of[n])))
    means: list[str] = []
    for n in sizes:
        own = [cell for cell in cells if cell.items == n]
        shares = [sum(c.share("first", s) for c in own) / len(own) for s in range(3)]
        spurious = sum(c.share("spurious") for c in own) / len(own)
        means += [*(f"{100 * x:.1f}" for x in shares), f"{spurious:.2f}"]
    yield _row("**mean**", *means)


def _of_size(cell: Cell) -> Iterator[str]:
    for strength in range(len(cell.found)):
        first = cell.share("first", strength)
        nearly = sum(v.near and not v.first for v in cell.found[strength]) / cell.n
        yield f"{100 * first:.0f}" + (f" ({100 * nearly:.0f})" if nearly >= SMALL else "")
    yield f"{cell.share('spurious'):.2f}"


def _together(cells: Sequence[Cell]) -> Iterator[str]:
    for cell in cells:
        names = " and ".join(map(_named, cell.name.split(" + ")))
        yield _row(names, f"{100 * cell.share('found'):.0f}", f"{cell.share('spurious'):.2f}")
    mean = sum(cell.share("found") for cell in cells) / len(cells)
    yield _row("**mean**", f"{100 * mean:.1f}", "")


def _misses(cells: Sequence[Cell]) -> Iterator[str]:
    for cell in cells:
        name = " and ".join(map(_named, cell.name.split(" + ")))
        if cell.chapters:
            for what, share, most in (
                ("any statement", cell.share("warned"), MOST_WARNED),
                ("first page", cell.told("report"), MOST_HEADLINED),
                ("levels", cell.told("levels"), MOST_HEADLINED),
            ):
                if share > most:
                    yield f"{name}: {what} {_percent(share)}"
        elif cell.name not in PLANTS:
            if cell.share("found") < LEAST_FOUND:
                yield f"{name}: both found {100 * cell.share('found'):.0f}"
        elif cell.items == 300:
            full, half = (cell.share("first", strength) for strength in (0, 1))
            if full < LEAST_FOUND:
                yield f"{name}, full strength: {100 * full:.0f}"
            if half < LEAST_HALF:
                yield f"{name}, half strength: {100 * half:.0f}"


def _named(name: str) -> str:
    return name.replace("_", " ")


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"
