"""The results of the grid as Markdown: the worst cells, every cell, and the rule behind them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

__all__ = ["page"]

Row = dict[str, Any]
LOW, HIGH = 0.93, 0.97
GRIDS = {
    "tuned": "## The grid on which the rule was chosen",
    "tested": "## Another grid",
}
ABOUT = {
    "tuned": (
        "Coders know the value of an item 8 of 10 times and else guess by its prevalence; "
        "40 coders share the work with 4 annotations an item, 1,000 with 5, 10 with 3."
    ),
    "tested": (
        "Other numbers of items and coders and another prevalence; 3 of 10 items are hard, coders "
        "differ in ability, and with four or five annotations planned an item has one to so many. "
        "No constant was chosen on this grid. Its numbers of coders were replaced once: the first "
        "ones exposed a fault of the method, which was then corrected."
    ),
}
INTRO = """\
A 95 % interval should hold the true value in 95 of 100 studies. In each cell {n:,} studies were
simulated, and the intervals of `interval="auto"`, the default, were compared with the true
coefficient, that of 300,000 items. The simulation error of a figure is about {error:.1f} points.
Prevalence is the share of the most frequent category (of labels, where values are sets); nominal
data have two categories, ordinal data five with ordinal weights, sets come from four labels with
MASI distance. Studies without a value are left out, which matters with 20 items and 95:5: a study
without variation, and so without a value, is one that would have had a low value. Repeat it with
`python -m benchmarks.coverage --write`; benchmarks/coverage/grid.json has all figures.

| grid | intervals | cells | lowest | below 93 | 93 to 97 | above 97 |
|---|---|--:|--:|--:|--:|--:|
{summary}

{reading}
"""
READING = """\
- **The score interval** covers what it promises where value ± t standard errors does not: in the
  cell where the latter is worst, {worst}.
- Where few items decide (rare categories, few items, hardly any disagreement) it covers more than
  95 of 100. It is wide there because the data say little.
- **Cells below 93**: {below}.
"""


def page(found: dict[str, Any]) -> str:
    """Both grids."""
    n = found["n_studies"]
    grids = {name: found[name] for name in GRIDS if name in found}
    rows = [row for grid in grids.values() for row in grid]
    worst = min(rows, key=lambda r: r["held"]["analytic"])
    told = (
        f"{_cell(worst)}, it holds {_share(worst['held']['auto'])} and `analytic` "
        f"{_share(worst['held']['analytic'])}"
    )
    below = sorted((r for r in rows if r["held"]["auto"] < LOW), key=lambda r: r["held"]["auto"])
    listed = "; ".join(f"{_cell(r)} {_share(r['held']['auto'])}" for r in below[:12])
    more = f"; and {len(below) - 12} more" if len(below) > 12 else ""
    intro = INTRO.format(
        n=n,
        error=100 * (0.95 * 0.05 / n) ** 0.5,
        summary="\n".join(
            _summary(name, grid, m) for name, grid in grids.items() for m in ("auto", "analytic")
        ),
        reading=READING.format(worst=told, below=(listed or "none") + more),
    )
    parts = [f"{GRIDS[name]}\n\n{ABOUT[name]}\n\n{_tables(grid)}" for name, grid in grids.items()]
    return "\n".join([intro, *parts])


def _cell(row: Row) -> str:
    return (
        f"{row['coefficient']} of {row['n_items']} items, {row['n_coders']:,} coders, "
        f"{_prevalence(row)}, {row['kind']}"
    )


def _prevalence(row: Row) -> str:
    if row["main"] == 0.5 and row["kind"] != "nominal":
        return "even"
    return f"{100 * row['main']:.0f}:{100 - 100 * row['main']:.0f}"


def _share(share: float) -> str:
    return f"{100 * share:.1f}"


def _summary(name: str, rows: Sequence[Row], method: str) -> str:
    shares = [row["held"][method] for row in rows]
    low, high = sum(x < LOW for x in shares), sum(x > HIGH for x in shares)
    return (
        f"| {name} | `{method}` | {len(shares)} | {_share(min(shares))} | {low} | "
        f"{len(shares) - low - high} | {high} |"
    )


def _tables(rows: Sequence[Row]) -> str:
    """A table for each kind of data: `auto`, and `analytic` in brackets."""
    keys = list(dict.fromkeys(row["coefficient"] for row in rows))
    parts = []
    for kind in dict.fromkeys(row["kind"] for row in rows):
        lines = [
            f"### {kind}: `auto` (and `analytic`), of 100",
            "",
            f"| items | prevalence | coders | {' | '.join(keys)} |",
            f"|--:|--:|--:|{'--:|' * len(keys)}",
        ]
        cells: dict[tuple[Any, ...], dict[str, Row]] = {}
        for row in rows:
            if row["kind"] == kind:
                place = row["n_items"], _prevalence(row), f"{row['n_coders']:,}"
                cells.setdefault(place, {})[row["coefficient"]] = row
        for place, own in cells.items():
            shown = [_both(own[key]["held"]) for key in keys]
            lines.append(f"| {' | '.join([*map(str, place), *shown])} |")
        parts += ["\n".join(lines), ""]
    return "\n".join(parts)


def _both(held: dict[str, float]) -> str:
    text = _share(held["auto"])
    shown = text if LOW <= held["auto"] <= HIGH else f"**{text}**"
    return f"{shown} ({100 * held['analytic']:.0f})"
