"""Measure how often findings are right: ``python -m claims.run --grid dev --n 40`` in tests/.

``--write`` measures everything on the grid that is published and writes docs/reference/findings.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path

from benchmarks.pages import put

from claims.explainer import Chapters, chapters
from claims.judging import Explain, Verdict, judged, said_of
from claims.nulls import NULLS, null_world
from claims.page import Cell, page
from claims.plants import PLANTS, planted_world
from claims.worlds import GRIDS

STRENGTHS = (1, 1 / 2, 1 / 3)
SIZES = (100, 300, 1000)
PUBLISHED, N_NULLS, N_PLANTED = "fresh", 200, 40
EXPLAINER = "claims.explainer:explain"
PAGE = Path(__file__).parents[2] / "docs/reference/findings.md"


@dataclass(frozen=True)
class Job:
    """A row of the table."""

    grid: str
    name: str
    n: int
    items: int
    explainer: str = EXPLAINER

    @property
    def is_null(self) -> bool:
        return self.name in NULLS


def loaded(name: str) -> Explain:
    """A function by ``module:name``."""
    module, function = name.split(":")
    found: Explain = getattr(import_module(module), function)
    return found


def verdicts(job: Job, strength: float = 1) -> list[Verdict]:
    """Of so many data sets."""
    explain = loaded(job.explainer)
    made = (
        partial(null_world, job.grid, job.name)
        if job.is_null
        else partial(planted_world, job.grid, job.name, strength=strength, n=job.items)
    )
    return [judged(world, said_of(world, explain)) for world in map(made, range(job.n))]


def measured(job: Job) -> Cell:
    """Of all strengths; a null has one, and two causes are planted at full strength."""
    strengths = STRENGTHS if job.name in PLANTS else (1,)
    return Cell(job.name, job.items, [verdicts(job, strength) for strength in strengths])


def published(job: Job) -> Cell:
    """The same, and of a null what the chapters of a report say."""
    told: list[Chapters] = []
    if job.is_null:
        told = [chapters(null_world(job.grid, job.name, seed)) for seed in range(job.n)]
    cell = measured(job)
    return Cell(cell.name, cell.items, cell.found, told)


def rows(grid: str, only: str = "") -> Iterator[str]:
    """The names of all kinds of data sets, or those that contain a word."""
    together = (" + ".join(pair) for pair in GRIDS[grid].together)
    for name in (*NULLS, *PLANTS, *together):
        if only in name:
            yield name


def main() -> None:
    """Read the options, and print the table or write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--grid", choices=GRIDS, default="dev")
    parser.add_argument("--n", type=int, default=40)
    parser.add_argument("--items", type=int, default=300)
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--explainer", default=EXPLAINER)
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.name}")
    o = parser.parse_args()
    with ProcessPoolExecutor(o.jobs) as pool:
        if o.write:
            put(PAGE, "findings", page(PUBLISHED, list(pool.map(published, all_jobs()))))
            return
        jobs = [Job(o.grid, name, o.n, o.items, o.explainer) for name in rows(o.grid, o.only)]
        print(f"{o.grid}, {o.n} data sets a cell, {o.items} items where something is planted")
        report(map(measured, jobs) if o.jobs == 1 else pool.map(measured, jobs))


def all_jobs() -> Iterator[Job]:
    """Everything that is published."""
    for name in rows(PUBLISHED):
        if name in NULLS:
            yield Job(PUBLISHED, name, N_NULLS, 0)
        else:
            sizes = SIZES if name in PLANTS else SIZES[1:2]
            yield from (Job(PUBLISHED, name, N_PLANTED, items) for items in sizes)


def report(cells: Iterable[Cell]) -> None:
    """One line for each kind of data sets, then the means."""
    false, shares, spurious = [], [], []
    for cell in cells:
        found, n = cell.found, cell.n
        if cell.name in NULLS:
            false.append(cell.share("warned"))
            print(f"{cell.name:34} false alarms {false[-1] * n:4.0f} of {n}", flush=True)
            continue
        extra = " / ".join(f"{sum(v.spurious for v in each) / n:.2f}" for each in found)
        if cell.name in PLANTS:
            shares.append([sum(v.first for v in each) / n for each in found])
            spurious.append(cell.share("spurious"))
            first = " / ".join(f"{x * n:3.0f}" for x in shares[-1])
            near = " / ".join(f"{sum(v.near and not v.first for v in e):3}" for e in found)
            print(
                f"{cell.name:34} first right {first}   nearly {near}   spurious {extra}", flush=True
            )
        else:
            both = sum(v.found for v in found[0])
            print(f"{cell.name:34} both found {both:3}   spurious {extra}", flush=True)
    if false:
        print(f"{'mean':34} false alarms {sum(false) / len(false):.3f}")
    if shares:
        means = " / ".join(f"{sum(x) / len(x):.2f}" for x in zip(*shares, strict=True))
        print(f"{'mean':34} first right {means}   spurious {sum(spurious) / len(spurious):.2f}")


if __name__ == "__main__":
    main()
