"""How often findings are right: ``python -m benchmarks.findings`` in tests/ writes the page.

Data sets whose causes are known come from `claims.worlds`; what is said of them is judged there.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from benchmarks.pages import put
from claims.worlds import NULLS, PLANTS, TOGETHER, Verdict, judged, null_world, planted_world

PAGE = Path(__file__).parents[1] / "docs/reference/findings.md"
N_NULLS, N_PLANTED = 60, 30
STRENGTHS = (1, 1 / 2, 1 / 3)
INTRO = f"""\
Data sets with a known cause of disagreement, or with none, are simulated, and what `diagnose` says of them is compared
with what is true. They have 2 to 40 coders with 2 to 10 annotations an item, 2 to 15 categories or sets of up to six
labels, and items, coders and categories that are not equally easy. Repeat it with `python -m benchmarks.findings`
(data sets 0 to {N_NULLS - 1} of each kind without a cause, 0 to {N_PLANTED - 1} of each with one, whose numbers are
their seeds).

## No cause

In percent of {N_NULLS} data sets of each kind, of 40 to 1,200 items. *Any statement*: a finding that is not true, though
it may only be a note; a coder who does err more often is none. *Warning*: the report begins with it.

| data | any statement | warning |
|---|--:|--:|
"""
PLANTED = f"""
## One cause

In percent of {N_PLANTED} data sets of 300 items: the first finding is the right one, at the full strength, half of it and
a third. Right is who names the kind, the coders, the categories and the group of items. *Spurious*: further findings
that are not true, for each data set at full strength.

| cause | full | half | third | spurious |
|---|--:|--:|--:|--:|
"""
BOTH = f"""
## Two causes

In percent of {N_PLANTED} data sets of 300 items, both at full strength: both are found.

| causes | both found | spurious |
|---|--:|--:|
"""


def null(name: str) -> list[Verdict]:
    """Of data without a cause."""
    return [judged(null_world(name, seed)) for seed in range(N_NULLS)]


def planted(name: str, strength: float = 1) -> list[Verdict]:
    """Of data with one."""
    return [judged(planted_world(name, seed, strength)) for seed in range(N_PLANTED)]


def mean(each: list[Verdict], fact: str) -> float:
    """Of a fact of data sets."""
    return sum(getattr(v, fact) for v in each) / len(each)


def rows(found: dict[str, list[float]]) -> Iterator[str]:
    """Percents, the last number as it is; then the means."""
    means = [sum(x) / len(found) for x in zip(*found.values(), strict=True)]
    for name, numbers in {**found, "**mean**": means}.items():
        yield f"| {name} | " + " | ".join(f"{x:.4g}" for x in numbers) + " |"


def main() -> None:
    """Measure everything and write the page."""
    with ProcessPoolExecutor(2) as pool:
        nulls = dict(zip(NULLS, pool.map(null, NULLS), strict=True))
        by_strength = [
            list(pool.map(partial(planted, strength=strength), PLANTS)) for strength in STRENGTHS
        ]
        both = dict(zip(TOGETHER, pool.map(planted, TOGETHER), strict=True))
    of_nulls = {
        name: [round(100 * mean(v, fact), 1) for fact in ("warned", "page")]
        for name, v in nulls.items()
    }
    of_plants = {
        name: [*(round(100 * mean(each[k], "first")) for each in by_strength)]
        + [round(mean(by_strength[0][k], "spurious"), 2)]
        for k, name in enumerate(PLANTS)
    }
    of_both = {
        name.replace(" + ", " and "): [round(100 * mean(v, "found")), mean(v, "spurious")]
        for name, v in both.items()
    }
    parts = zip((INTRO, PLANTED, BOTH), map(rows, (of_nulls, of_plants, of_both)), strict=True)
    put(PAGE, "findings", "\n".join(head + "\n".join(lines) for head, lines in parts))


if __name__ == "__main__":
    main()
