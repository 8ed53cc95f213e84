"""``python -m benchmarks.coverage.worlds``: every method with two to five coders and 100 items.

Coders who know the truth and sometimes guess annotate items, again and again. Every pattern of
annotation has an exact probability, so the true value of each coefficient is computed and not
simulated, and a data set is one multinomial draw. Prints how often each method holds it; with
``--write`` the part about sampled coders of docs/reference/coverage.md is written.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accordant.counts.counts import Counts
from accordant.inference.intervals import ROUNDING, TIE, bootstrap_together, percentile, uncertainty
from accordant.inference.settings import Method, Settings
from accordant.measure.coefficients import COEFFICIENTS
from accordant.measure.distances import weights_for
from accordant.measure.registry import Coefficient
from accordant.measure.weights import Weights

from ..pages import COVERAGE, put

OF_VALUES = [c for c in COEFFICIENTS.values() if not c.only_sets]
N_ITEMS = 100
LEVEL = 0.95
FORMULAS: tuple[Method, ...] = ("auto", "analytic")
RESAMPLED = ("bootstrap",)
ENDLESS = 1e12  # so many items that nothing is left to chance


@dataclass(frozen=True)
class World:
    """How annotations come about.

    ``shares`` (K,) of the true categories; ``known`` (C,) how often each coder gives the true
    one; otherwise a guess from ``guesses`` (C, K). ``missing``: share of missing annotations.
    """

    name: str
    shares: tuple[float, ...]
    known: tuple[float, ...]
    guesses: tuple[tuple[float, ...], ...] | None = None
    missing: float = 0.0
    weights: str = "identity"

    def counts(self) -> Counts:
        """Every pattern with its probability (times ``ENDLESS``)."""
        k, c = len(self.shares), len(self.known)
        shift = 1 if self.missing else 0
        grid = np.indices((k + shift,) * c).reshape(c, -1).T - shift
        grid = grid[(grid >= 0).any(1)]
        p = self._probabilities(grid)
        row, coder = np.nonzero(grid >= 0)
        return Counts(
            np.searchsorted(row, np.arange(len(grid) + 1)),
            coder,
            grid[row, coder],
            np.ones(len(row), int),
            ENDLESS * p / p.sum(),
            tuple("ABCDEFG"[:c]),
            tuple(range(1, k + 1)),
            np.arange(len(grid)),
            True,
        )

    def _probabilities(self, grid: NDArray[np.int64]) -> NDArray[np.float64]:
        k, c = len(self.shares), len(self.known)
        known = np.array(self.known)[:, None, None]
        guesses = np.array(self.guesses or ((1 / k,) * k,) * c)[:, None, :]
        label = known * np.eye(k) + (1 - known) * guesses  # (C, true, label)
        label = np.concatenate([(1 - self.missing) * label, np.full((c, k, 1), self.missing)], 2)
        of_coder = np.stack([label[j][:, grid[:, j]] for j in range(c)])  # -1 is the last: missing
        return np.asarray(np.array(self.shares) @ of_coder.prod(0))


def alike(share: float, n: int) -> tuple[float, ...]:
    return (share,) * n


WORLDS = (
    World("2 coders, 2 categories 50:50", (0.5, 0.5), alike(0.8, 2)),
    World("2 coders, 2 categories 80:20", (0.8, 0.2), alike(0.75, 2)),
    World("2 coders, 2 categories 95:5", (0.95, 0.05), alike(0.9, 2), ((0.9, 0.1),) * 2),
    World("2 coders, 5 categories even", alike(0.2, 5), alike(0.7, 2)),
    World("2 coders, 5 categories 60:20:10:5:5", (0.6, 0.2, 0.1, 0.05, 0.05), alike(0.8, 2)),
    World("2 coders, 3 categories, 20 % missing", (0.5, 0.3, 0.2), alike(0.8, 2), missing=0.2),
    World("2 coders, 2 categories 50:50, near-perfect", (0.5, 0.5), alike(0.98, 2)),
    World(
        "2 coders with opposed biases, 2 categories",
        (0.6, 0.4),
        alike(0.7, 2),
        ((0.9, 0.1), (0.1, 0.9)),
    ),
    World("3 coders, 2 categories 80:20", (0.8, 0.2), alike(0.85, 3)),
    World(
        "3 coders, 3 categories 70:20:10, 30 % missing", (0.7, 0.2, 0.1), alike(0.8, 3), missing=0.3
    ),
    World(
        "3 coders, 5 ordered categories, quadratic weights",
        (0.3, 0.3, 0.2, 0.1, 0.1),
        alike(0.7, 3),
        weights="quadratic",
    ),
    World("5 coders, 2 categories 90:10", (0.9, 0.1), (0.9, 0.9, 0.85, 0.8, 0.75)),
    World("5 coders, 4 categories even, 30 % missing", alike(0.25, 4), alike(0.75, 5), missing=0.3),
)


@dataclass(frozen=True)
class Covered:
    """One coefficient in one world: share of intervals with the true value, per method.

    ``errors``: the mean standard error per method, over the data sets that were resampled if some
    were. ``spread``: what they estimate, the standard deviation of the coefficient over data sets.
    """

    world: Any
    coefficient: str
    true: float
    share: dict[str, float]
    undefined: int  # data sets without a value
    perfect: int  # data sets without a disagreement: all methods give the exact bound
    errors: dict[str, float] = field(default_factory=dict)
    spread: float = np.nan


def coverage(
    world: World,
    coefficients: Iterable[Coefficient],
    *,
    n_datasets: int,
    n_resamples: int = 0,
    n_items: int = N_ITEMS,
    seed: int = 1,
) -> list[Covered]:
    """Simulate; without resamples only the methods that have a formula."""
    endless = world.counts()
    w = weights_for(world.weights, endless)
    wanted = {c.key: (c, w) for c in coefficients}
    return studied(
        world,
        endless,
        wanted,
        FORMULAS,
        n_datasets=n_datasets,
        n_resamples=n_resamples,
        n_items=n_items,
        seed=seed,
    )


def studied(
    world: Any,
    endless: Counts,
    named: dict[str, tuple[Coefficient, Weights]],
    formulas: Sequence[Method],
    *,
    n_datasets: int,
    n_resamples: int,
    n_items: int,
    seed: int,
    n_resampled: int | None = None,
) -> list[Covered]:
    """Draw data sets from the patterns of a world, and see which intervals hold the true value.

    ``n_resampled``: of so many data sets resamples are drawn, of all by default.
    """
    wanted = list(named.values())
    true = [float(c.parts(endless, w).value) for c, w in wanted]
    methods = (*formulas, *(RESAMPLED if n_resamples else ()))
    some = n_datasets if n_resampled is None else n_resampled
    held, errors = (np.full((n_datasets, len(wanted), len(methods)), np.nan) for _ in range(2))
    value = np.full((n_datasets, len(wanted)), np.nan)
    generator = np.random.default_rng(seed)
    drawn = generator.multinomial(n_items, endless.times / endless.n_items, size=n_datasets)
    for d, times in enumerate(drawn):
        counts = shown(endless, times)
        resampled = _resampled(wanted, counts, n_resamples if d < some else 0, generator)
        for i, (c, w) in enumerate(wanted):
            value[d, i] = c.parts(counts, w).value
            if np.isnan(value[d, i]):
                continue
            known = resampled[i][~np.isnan(resampled[i])]
            found = _intervals(c, counts, w, value[d, i], formulas, known)
            n = len(found)
            held[d, i, :n] = [low - TIE <= true[i] <= high + TIE for low, high, _ in found]
            errors[d, i, :n] = [se for _, _, se in found]
    undefined, perfect = np.isnan(value).sum(0), (value > 1 - ROUNDING).sum(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # without a value in any data set
        share, mean = np.nanmean(held, 0), np.nanmean(errors[:some], 0)
    return [
        Covered(
            world,
            name,
            true[i],
            dict(zip(methods, share[i].tolist(), strict=True)),
            int(undefined[i]),
            int(perfect[i]),
            dict(zip(methods, mean[i].tolist(), strict=True)),
        )
        for i, name in enumerate(named)
    ]


def _intervals(
    c: Coefficient,
    counts: Counts,
    w: Weights,
    value: float,
    formulas: Sequence[Method],
    resampled: NDArray[np.float64],
) -> list[tuple[float, float, float]]:
    """Both ends and the standard error by each method."""
    n = len(formulas) + (len(RESAMPLED) if len(resampled) else 0)
    if value > 1 - ROUNDING:
        return [_ends(c, counts, w, value, formulas[0])] * n
    found = [_ends(c, counts, w, value, m) for m in formulas]
    if len(resampled):
        se = float(resampled.std(ddof=1))
        found.append((*percentile(resampled, LEVEL), se))
    return found


def _ends(
    c: Coefficient, counts: Counts, w: Weights, value: float, method: Method
) -> tuple[float, float, float]:
    found = uncertainty(c, counts, w, value, Settings(method, LEVEL))
    return found.low, found.high, found.se


def _resampled(
    wanted: Sequence[tuple[Coefficient, Weights]],
    counts: Counts,
    n_resamples: int,
    generator: np.random.Generator,
) -> NDArray[np.float64]:
    if not n_resamples:
        return np.zeros((len(wanted), 0))
    drawn = np.empty((len(wanted), n_resamples))
    for pairs_only in (False, True):  # who rests on the same items shares their resamples
        chosen = [i for i, (c, _) in enumerate(wanted) if c.pairs_only == pairs_only]
        if chosen:
            drawn[chosen] = bootstrap_together(
                [wanted[i] for i in chosen],
                wanted[chosen[0]][0].sample(counts),
                n_resamples=n_resamples,
                rng=generator,
            )
    return drawn


def shown(counts: Counts, times: NDArray[np.int64]) -> Counts:
    """Only the patterns that occur, as real data have them."""
    there = times > 0
    keep = there[counts.row]
    coder = counts.coder
    return Counts(
        np.concatenate([[0], np.cumsum(counts.size[there])]),
        None if coder is None else coder[keep],
        counts.value[keep],
        counts.n[keep],
        times[there].astype(float),
        counts.coders,
        counts.values,
        np.arange(int(there.sum())),
        True,
    )


# ------------------------------------------------------------------ coders as a sample


@dataclass(frozen=True)
class Panel:
    """Coders drawn for each study from a population in which every share of ``known`` is equal."""

    name: str
    shares: tuple[float, ...]
    known: tuple[float, ...]
    n_coders: int

    @property
    def alike(self) -> bool:
        """Whether all coders of the population are equally good."""
        return len(set(self.known)) == 1

    def world(self, known: Sequence[float]) -> World:
        """The world of these coders."""
        return World(self.name, self.shares, tuple(known))

    def true(self, coefficient: Coefficient) -> float:
        """The coefficient of two coders who were drawn apart, over all such pairs."""
        mean = (float(np.mean(self.known)),) * 2
        pairs = list(product(self.known, repeat=2)) if coefficient.is_mean else [mean]
        made = [self.world(pair).counts() for pair in pairs]
        values = [coefficient.parts(c, weights_for("identity", c)).value for c in made]
        return float(np.mean(values))


SHARES = (0.5, 0.3, 0.2)
PANELS = tuple(
    Panel(f"{n} coders, {name}", SHARES, known, n)
    for name, known in (
        ("all alike (80 % known)", (0.8,)),
        ("60 or 95 % known", (0.6, 0.95)),
        ("50, 70, 80, 90 or 95 % known", (0.5, 0.7, 0.8, 0.9, 0.95)),
    )
    for n in (3, 5, 7)
)


def coverage_of_coders(
    panel: Panel, coefficients: Iterable[Coefficient], *, n_datasets: int, seed: int = 1
) -> list[Covered]:
    """Simulate studies with new coders each: the coders as given, and as a sample."""
    generator, wanted = np.random.default_rng(seed), list(coefficients)
    both = {"given": Settings(), "sampled": Settings(sampled_coders=True)}
    true = [panel.true(c) for c in wanted]
    held = np.zeros((len(wanted), len(both)), int)
    made: dict[tuple[float, ...], Counts] = {}
    for _ in range(n_datasets):
        known = tuple(sorted(generator.choice(panel.known, panel.n_coders).tolist()))
        if known not in made:
            made[known] = panel.world(known).counts()
        endless = made[known]
        counts = shown(endless, generator.multinomial(N_ITEMS, endless.times / ENDLESS))
        w = weights_for("identity", counts)
        for i, c in enumerate(wanted):
            value = float(c.parts(counts, w).value)
            found = [uncertainty(c, counts, w, value, settings) for settings in both.values()]
            held[i] += [f.low <= true[i] <= f.high for f in found]
    shares = held / n_datasets
    world = panel.world(panel.known)
    return [
        Covered(world, c.key, true[i], dict(zip(both, shares[i].tolist(), strict=True)), 0, 0)
        for i, c in enumerate(wanted)
    ]


CODERS = """## Coders as a sample

`sampled_coders=True` speaks about *coders like these*. In each of {n_datasets:,} studies of
{n_items} items and three categories new coders were drawn from a population, and intervals were
compared with the coefficient of that population: with the coders taken as given (`analytic`) and
as a sample. "Known" is how often a coder knows the category of an item and does not guess.

{reading}
{table}
"""

CODERS_READING = """\
- Taken as given, coders who differ hold 40 to 50 of 100: such an interval speaks of these coders
  only, and is right about them (tables above).
- As a sample, five coders or more hold 92 to 93. With **three coders** it is 90, and 80 where
  half of the coders are good and half are not: one study in four then meets three of the same
  kind, and nothing in its data shows that coders differ. Three coders are too few to speak of all
  others.
- Coders who are **all alike** make it cautious: 99 of 100. Leaving out coders shows the luck of
  the items too, so that part of it is counted twice.
"""


def coders_section(found: dict[Panel, list[Covered]], *, n_datasets: int) -> str:
    """The table of sampled coders as Markdown."""
    keys = [f.coefficient for f in next(iter(found.values()))]
    lines = [f"| coders | interval | {' | '.join(keys)} |", f"|---|---|{'--:|' * len(keys)}"]
    for panel, rows in found.items():
        for how, shown_as in (("given", panel.name), ("sampled", "")):
            cells = [shown_as, f"coders {how}", *(percent(f.share[how]) for f in rows)]
            lines.append(f"| {' | '.join(cells)} |")
    return CODERS.format(
        n_datasets=n_datasets, n_items=N_ITEMS, reading=CODERS_READING, table="\n".join(lines)
    )


def percent(share: float) -> str:
    text = f"{100 * share:.1f}"
    return text if 0.93 <= share <= 0.97 else f"**{text}**"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--datasets", type=int, default=2000)
    parser.add_argument("--resamples", type=int, default=999)
    parser.add_argument("--world", type=int, help="only one of them, from 0")
    parser.add_argument("--write", action="store_true", help="write docs/reference/coverage.md")
    given = parser.parse_args()
    worlds = WORLDS if given.world is None else WORLDS[given.world : given.world + 1]
    for world in worlds:
        print(world.name)
        for f in coverage(world, OF_VALUES, n_datasets=given.datasets, n_resamples=given.resamples):
            print("  ", f.coefficient, {m: percent(x) for m, x in f.share.items()}, flush=True)
    if given.write:
        panels = {p: coverage_of_coders(p, OF_VALUES, n_datasets=given.datasets) for p in PANELS}
        put(COVERAGE, "coders", coders_section(panels, n_datasets=given.datasets))


if __name__ == "__main__":
    main()
