"""``python -m benchmarks.coverage.label_sets``: the same for sets of labels.

Coders who share a label of an item as often as a world says annotate a population of items; a
study is a sample of it. So the true value of each measure is that of the population, exactly.
Writes a part of docs/reference/coverage.md.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import accordant as ac
from accordant.counts.count import count
from accordant.counts.counts import Counts
from accordant.data.annotations import NO_VALUE
from accordant.data.examples import load
from accordant.inference.settings import Method
from accordant.measure.distances import weights_for
from accordant.measure.measures import measures
from accordant.measure.registry import Coefficient
from accordant.measure.weights import Weights
from benchmarks.label_set_worlds import annotations_of, design_of, drawn

from ..pages import COVERAGE, put
from .worlds import ENDLESS, Covered, studied

POPULATION = 5_000  # items
N_SPREAD = 5_000  # studies for the spread of a measure
TOGETHER = 500  # of them at a time
CASE_RESAMPLES = 20_000
FORMULAS: tuple[Method, ...] = ("analytic",)
MEASURES = (
    "boot_match",
    "boot_precision",
    "boot_recall",
    "boot_f1",
    "augmented",
    "soft_match",
    "alpha_masi",
    "label_kappa",
)


@dataclass(frozen=True, eq=False)
class World:
    """How sets of labels come about, and how many items a study has.

    ``double``: share of the annotations with two labels, of all coders or of each; or ``sizes``,
    the share of each number of labels. ``ratio``: how much less likely each label is than the one
    before; 1 makes them even. ``empty``: share of the items for which coders give no label, nine of
    ten times and each alone.
    """

    name: str
    n_items: int = 100
    agreement: float = 0.75
    double: float | tuple[float, ...] | None = None
    sizes: dict[int, float] | None = None
    categories: int = 5
    ratio: float = 1.0
    n_coders: int = 2
    missing: float = 0.0
    empty: float = 0.0

    def counts(self, seed: int = 1) -> Counts:
        """The patterns of the population with their shares (times ``ENDLESS``)."""
        share = self.ratio ** np.arange(self.categories)
        design = design_of(
            self.agreement,
            double=self.double,
            sizes=self.sizes,
            n_coders=self.n_coders,
            distribution=(share / share.sum()).tolist(),
        )
        rng = np.random.default_rng(seed)
        members, _ = drawn(design, POPULATION, rng)
        annotations = members.shape[:2]
        none = rng.random((POPULATION, 1)) < self.empty
        members[none & (rng.random(annotations) < 0.9)] = False
        data = annotations_of(design, members)
        lost = rng.random(annotations) < self.missing
        counts = count(replace(data, layout=np.where(lost, NO_VALUE, data.layout)))
        return counts.drawn(ENDLESS * counts.times / counts.n_items)


SKEWED = {"categories": 19, "ratio": 0.75, "double": (0.11, 0.65)}  # as in the case study
WORLDS = (
    World("no doubles"),
    World("25 % doubles", double=0.25),
    World("50 % doubles", double=0.5),
    World("all double", double=1.0),
    World("25 % doubles, 60 % share a label", double=0.25, agreement=0.6),
    World("all double, 60 % share a label", double=1.0, agreement=0.6),
    World("25 % doubles, 90 % share a label", double=0.25, agreement=0.9),
    World("all double, 90 % share a label", double=1.0, agreement=0.9),
    World("50 % doubles, 40 items", 40, double=0.5),
    World("50 % doubles, 300 items", 300, double=0.5),
    World("all double, 60 % share a label, 40 items", 40, double=1.0, agreement=0.6),
    World("all double, 60 % share a label, 300 items", 300, double=1.0, agreement=0.6),
    World("10 labels, 25 % doubles", double=0.25, categories=10),
    World("10 labels, all double", double=1.0, categories=10),
    World("10 skewed labels, 25 % doubles", double=0.25, categories=10, ratio=0.6),
    World(
        "very skewed labels, 10 and 60 % doubles, 60 % share a label",
        double=(0.1, 0.6),
        ratio=0.2,
        agreement=0.6,
    ),
    World("10 labels, up to three at once", sizes={1: 0.5, 2: 0.3, 3: 0.2}, categories=10),
    World("19 skewed labels, 11 and 65 % doubles", **SKEWED),  # type: ignore[arg-type]
    World("19 skewed labels, 11 and 65 % doubles, 40 items", 40, **SKEWED),  # type: ignore[arg-type]
    World("19 skewed labels, 11 and 65 % doubles, 300 items", 300, **SKEWED),  # type: ignore[arg-type]
    World("3 coders, 10 labels, 25 % doubles", double=0.25, categories=10, n_coders=3),
    World(
        "3 coders, 10 labels, 25 % doubles, 20 % missing",
        double=0.25,
        categories=10,
        n_coders=3,
        missing=0.2,
    ),
    World("25 % doubles, 20 % missing", double=0.25, missing=0.2),
    World("25 % doubles, 10 % without a label", double=0.25, empty=0.1),
)


def measures_of(endless: Counts) -> dict[str, tuple[Coefficient, Weights]]:
    """Every measure with its weights for the values of a world."""
    found = zip(MEASURES, measures(MEASURES), strict=True)
    return {
        name: (
            m.coefficient,
            weights_for(m.weights or m.coefficient.of_sets or "identity", endless),
        )
        for name, m in found
    }


def coverage(
    world: World,
    *,
    n_datasets: int,
    n_resamples: int = 0,
    n_resampled: int | None = None,
    wanted: Sequence[str] = MEASURES,
    seed: int = 2,
) -> list[Covered]:
    """Simulate; without resamples only the methods that have a formula."""
    endless = world.counts()
    every = measures_of(endless)
    named = {name: every[name] for name in wanted}
    found = studied(
        world,
        endless,
        named,
        FORMULAS,
        n_datasets=n_datasets,
        n_resamples=n_resamples,
        n_items=world.n_items,
        seed=seed,
        n_resampled=n_resampled,
    )
    spreads = spread(endless, list(named.values()), world.n_items)
    return [replace(f, spread=x) for f, x in zip(found, spreads, strict=True)]


def spread(
    endless: Counts, wanted: Sequence[tuple[Coefficient, Weights]], n_items: int, seed: int = 3
) -> list[float]:
    """Standard deviation of each measure over many studies, which are measured together."""
    rng, share = np.random.default_rng(seed), endless.times / endless.n_items
    values: list[list[NDArray[np.float64]]] = [[] for _ in wanted]
    for _ in range(0, N_SPREAD, TOGETHER):
        studies = endless.drawn(rng.multinomial(n_items, share, size=TOGETHER))
        for own, (c, w) in zip(values, wanted, strict=True):
            own.append(c.parts(studies, w).value)
    return [float(np.nanstd(np.concatenate(own))) for own in values]


# ------------------------------------------------------------------ the page

PAGE = """\
## Sets of labels

Coders may give several labels to an item. In each of {n_worlds} worlds simulated coders shared a
label of an item as often as the world says and gave further labels at random; {population:,} items
of theirs are the population, so that its coefficients are known exactly, and {n_datasets:,} studies
were drawn from it. Unless a world says otherwise there are two coders, five labels that are equally
likely, 100 items, and in 75 % of them the coders share a label. Resamples ({n_resamples} each) were
drawn for {n_resampled} of the studies. The simulation error is about {error:.1f} points with
formulas and {resampled_error:.1f} with resamples. Figures outside 92–97 are **bold**. Repeat it
with `python -m benchmarks.coverage.label_sets --write`.

{reading}
{tables}
### Standard errors

The analytic standard error over that of the bootstrap (means over the same studies), in percent:

{against_bootstrap}

The analytic standard error over the standard deviation of the measure in {n_spread:,} studies,
which is what it estimates:

{against_spread}

One data set, the case study of Marchal et al. (2022), as constructed: 884 items, 19 labels, 11 and
65 % doubles. Bootstrap with {case_resamples:,} resamples.

{case}
"""

READING = """\
### What to take from it

- The **formula** holds 91.8 to 96.5 of 100 for every measure in every world but one: with 40, 100
  or 300 items, from no doubles to nothing but doubles, with up to three labels, two or three
  coders, skewed labels, empty sets and missing annotations. That coders give two labels throughout
  and agree less than by chance (boot-match −.31) does it no harm.
- **α with MASI** is that one: 91.3 where coders give two of ten labels to every item. Equal sets
  are rare then, and a few of them decide. Percentiles of resamples hold 90 there.
- **Mean κ over labels** (`label_kappa`) gives a label that was given twice as much say as one that
  was given a hundred times, and leaves out a label that nobody gave. With 19 skewed labels the
  formula holds 92 in studies of 40 and of 100 items, and 93.5 with 300: it leaves items out, which
  shows what rare labels do. A bootstrap does not show it: its standard errors are too small, and
  its intervals hold 82 to 92. Do not use it for this measure unless every label is frequent.
- `soft_match` holds what it estimates. That it is usually too high is no matter of sampling: its
  interval is too high with it.
- Standard errors of the formula and of the bootstrap differ by 3 % at most; for `label_kappa` by
  less than 5 % with 100 items or more and frequent labels, by up to 33 % with rare ones.
"""

TITLES = {
    "analytic": "### Formula (`analytic`), in percent",
    "bootstrap": "### Percentiles of resamples (`bootstrap`), in percent",
}


def by_world(found: Sequence[Covered], cell: Callable[[Covered], str], head: str = "world") -> str:
    """A line for each world, a column for each measure."""
    names = list(dict.fromkeys(f.coefficient for f in found))
    lines = [f"| {head} | {' | '.join(names)} |", f"|---|{'--:|' * len(names)}"]
    for world in dict.fromkeys(f.world for f in found):
        cells = [cell(f) for f in found if f.world is world]
        lines.append(f"| {world.name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def tables(found: Sequence[Covered]) -> str:
    """Coverage by each method, and the true values."""
    parts = ["### True values", "", by_world(found, lambda f: f"{f.true:.3f}"), ""]
    for method, title in TITLES.items():
        some = [f for f in found if method in f.share]
        if some:
            parts += [title, "", by_world(some, lambda f, m=method: shown_share(f.share[m])), ""]  # type: ignore[misc]
    return "\n".join(parts)


def shown_share(share: float) -> str:
    text = f"{100 * share:.1f}"
    return text if 0.92 <= share <= 0.97 else f"**{text}**"


def shown_ratio(ratio: float) -> str:
    text = f"{100 * ratio:.0f}"
    return text if 0.95 <= ratio <= 1.05 else f"**{text}**"


def case_study() -> str:
    """Both standard errors of every measure, for one data set."""
    data = load("marchal2022_case")
    formula = ac.agreement(data, MEASURES)
    drawn_again = ac.agreement(
        data, MEASURES, interval="bootstrap", resamples=CASE_RESAMPLES, seed=1
    )
    lines = [
        "| measure | value | analytic se | bootstrap se | ratio | analytic interval | bootstrap |",
        "|---|--:|--:|--:|--:|---|---|",
    ]
    for name, one, other in zip(MEASURES, formula, drawn_again, strict=True):
        cells = [
            name,
            f"{one.value:.3f}",
            f"{one.se:.4f}",
            f"{other.se:.4f}",
            shown_ratio(one.se / other.se),
            f"{one.low:.3f} to {one.high:.3f}",
            f"{other.low:.3f} to {other.high:.3f}",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def page(found: Sequence[Covered], *, n_datasets: int, n_resamples: int, n_resampled: int) -> str:
    """The part of the page as Markdown."""

    def error(n: int) -> float:
        return 100 * (0.95 * 0.05 / n) ** 0.5

    def over(other: Callable[[Covered], float]) -> str:
        return by_world(found, lambda f: shown_ratio(f.errors["analytic"] / other(f)))

    return PAGE.format(
        n_worlds=len({id(f.world) for f in found}),
        population=POPULATION,
        n_datasets=n_datasets,
        n_resamples=n_resamples,
        n_resampled=n_resampled,
        error=error(n_datasets),
        resampled_error=error(n_resampled),
        reading=READING,
        tables=tables(found),
        against_bootstrap=over(lambda f: f.errors["bootstrap"]),
        n_spread=N_SPREAD,
        against_spread=over(lambda f: f.spread),
        case_resamples=CASE_RESAMPLES,
        case=case_study(),
    )


def done(world: World, folder: Path | None, numbers: dict[str, int]) -> list[Covered]:
    """What a world gave, from a folder if it was kept there."""
    kept = folder / f"{world.name}.json" if folder else None
    if kept and kept.exists():
        return [Covered(world, **row) for row in json.loads(kept.read_text(encoding="utf-8"))]
    begin = time.perf_counter()
    found = coverage(world, **numbers)  # type: ignore[arg-type]
    print(tables(found), f"{time.perf_counter() - begin:.0f} s\n", flush=True)
    if kept:
        rows = [{k: v for k, v in vars(f).items() if k != "world"} for f in found]
        kept.write_text(json.dumps(rows), encoding="utf-8")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.coverage.label_sets", description=__doc__
    )
    parser.add_argument("--datasets", type=int, default=1000)
    parser.add_argument("--resampled", type=int, default=400, help="data sets with resamples")
    parser.add_argument("--resamples", type=int, default=499)
    parser.add_argument("--world", type=int, nargs="*", help="only some of them, from 0")
    parser.add_argument("--keep", type=Path, help="folder that keeps the worlds that are done")
    parser.add_argument("--write", action="store_true", help=f"write a part of {COVERAGE}")
    given = parser.parse_args()
    numbers = {
        "n_datasets": given.datasets,
        "n_resamples": given.resamples,
        "n_resampled": given.resampled,
    }
    worlds = WORLDS if given.world is None else [WORLDS[i] for i in given.world]
    found = [row for world in worlds for row in done(world, given.keep, numbers)]
    if given.write:
        put(COVERAGE, "sets", page(found, **numbers))


if __name__ == "__main__":
    main()
