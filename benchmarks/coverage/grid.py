"""Coverage of the intervals that users get by default, in every regime that they meet.

``python -m benchmarks.coverage --write`` simulates both grids and writes grid.json and the tables
of docs/reference/coverage.md; ``--jobs 2`` takes two processes, ``--show`` writes the page from
grid.json alone. The rule was tuned on one grid and tested on another, with other numbers of
items, other prevalence and another way in which annotations come about.
"""

from __future__ import annotations

import argparse
import json
import time
import zlib
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accordant.counts.counts import Counts
from accordant.inference.intervals import uncertainty
from accordant.inference.settings import Settings
from accordant.measure.coefficients import COEFFICIENTS
from accordant.measure.distances import weights_for
from accordant.measure.weights import Weights

from ..pages import COVERAGE, put
from .batch import Studies

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

KEYS = ("alpha", "kappa", "pi", "ac", "percent")
METHODS = ("auto", "analytic")
TOGETHER, CHECKED = 250, 20  # studies measured at a time, and compared with the package
RESULTS = Path(__file__).with_name("grid.json")
KNOWN = 0.8  # how often a coder knows the value of an item and does not guess
MANY = 300_000  # items whose coefficient is taken for the true one
TIE = 1e-9
SCALES = {"nominal": 2, "ordinal": 5, "sets": 4}  # categories, or labels of sets


@dataclass(frozen=True)
class Regime:
    """A design and how annotations come about.

    Parameters
    ----------
    n_items, n_coders : int
    per_item : int
        Annotations of an item, by coders drawn from all.
    main : float
        Share of the most frequent category; the others share the rest equally.
    kind : str
        ``'nominal'`` (2 categories), ``'ordinal'`` (5) or ``'sets'`` (of 4 labels; a second label
        in 3 of 10 values).
    varied : bool
        Items of two difficulties, coders of different ability and, of more than three annotations
        an item, unequal numbers of them; else all items and coders are alike.
    """

    n_items: int
    n_coders: int
    per_item: int
    main: float
    kind: str
    varied: bool = False

    @property
    def values(self) -> tuple[Any, ...]:
        """What coders can give."""
        k = SCALES[self.kind]
        if self.kind != "sets":
            return tuple(range(1, k + 1))
        return tuple((a,) for a in "abcd"[:k]) + tuple(
            (a, b) for i, a in enumerate("abcd"[:k]) for b in "abcd"[i + 1 : k]
        )

    @property
    def shares(self) -> NDArray[np.float64]:
        """How often each value is the true one, and is guessed."""
        k = SCALES[self.kind]
        main = max(self.main, 1 / k) if self.main > 0.5 or k == 2 else 1 / k
        share = np.full(k, (1 - main) / (k - 1))
        share[0] = main
        if self.kind != "sets":
            return share
        both = np.array([share[i] * share[j] for i in range(k) for j in range(i + 1, k)])
        return np.concatenate([0.7 * share, 0.3 * both / both.sum()])

    def annotations(self, n_items: int, rng: np.random.Generator) -> tuple[Ints, Ints]:
        """Coders and codes of values: (n_items, per_item), the code -1 where there is none."""
        m, p = self.per_item, self.shares
        coder = self._coders(n_items, rng)
        known = np.full((n_items, m), KNOWN)
        if self.varied:
            known = np.linspace(0.7, 0.98, self.n_coders)[coder]
            known = np.where(rng.random((n_items, 1)) < 0.3, known / 2, known)
        true, guess = rng.choice(len(p), (n_items, 1), p=p), rng.choice(len(p), (n_items, m), p=p)
        value = np.where(rng.random((n_items, m)) < known, true, guess)
        if self.varied and m > 3:
            value = np.where(np.arange(m) < rng.integers(1, m + 1, (n_items, 1)), value, -1)
        return coder, value

    def _coders(self, n_items: int, rng: np.random.Generator) -> Ints:
        """(n_items, per_item) different coders of each item, in their order."""
        c, m = self.n_coders, self.per_item
        if c == m:
            return np.tile(np.arange(c), (n_items, 1))
        coder = rng.integers(c, size=(n_items, m))
        while (again := (np.diff(np.sort(coder, 1), axis=1) == 0).any(1)).any():
            coder[again] = rng.integers(c, size=(int(again.sum()), m))
        return np.sort(coder, 1)

    def counts(self, coder: Ints, value: Ints) -> Counts:
        """Annotations as counts."""
        keep = value >= 0
        return Counts(
            np.append(0, np.cumsum(keep.sum(1))),
            coder[keep],
            value[keep],
            np.ones(int(keep.sum()), int),
            np.ones(len(keep)),
            tuple(map(str, range(self.n_coders))),
            self.values,
            np.arange(len(keep)),
            True,
        )

    def weights(self, key: str, counts: Counts) -> Weights:
        """Ordinal weights or MASI; identity of categories and for percent agreement."""
        fits = {"nominal": "identity", "ordinal": "ordinal", "sets": "masi"}
        return weights_for("identity" if key == "percent" else fits[self.kind], counts)

    @property
    def seed(self) -> int:
        """The same on every machine, and another for each regime."""
        return zlib.crc32(repr(self).encode())


def tuned() -> Iterator[Regime]:
    """The regimes on which the rule was chosen."""
    for n, main, (c, m), kind in product(
        (20, 30, 50, 100), (0.5, 0.9, 0.95), ((2, 2), (3, 3), (10, 3), (40, 4), (1000, 5)), SCALES
    ):
        yield Regime(n, c, m, main, kind)


def tested() -> Iterator[Regime]:
    """Others: numbers of items, prevalence and process that no choice was made on."""
    for n, main, (c, m), kind in product(
        (25, 40, 75), (0.5, 0.8), ((2, 2), (4, 4), (6, 3), (25, 4), (300, 5)), SCALES
    ):
        yield Regime(n, c, m, main, kind, varied=True)


@dataclass(frozen=True)
class Held:
    """One coefficient in one regime.

    ``held``: share of the intervals that hold the true value, by method, of ``n`` studies with a
    value; ``checked`` of them were compared with the intervals of the package, of which ``alike``
    say the same and which are ``wide`` on average.
    """

    coefficient: str
    true: float
    held: dict[str, float]
    n: int
    checked: int
    alike: int
    wide: float


def covered(regime: Regime, n_studies: int) -> list[Held]:
    """Simulate studies of a regime."""
    rng = np.random.default_rng(regime.seed)
    large = regime.counts(*regime.annotations(MANY, rng))
    weights = {key: regime.weights(key, large) for key in KEYS}
    true = {key: float(COEFFICIENTS[key].parts(large, w).value) for key, w in weights.items()}
    held: dict[str, dict[str, list[Floats]]] = {key: {m: [] for m in METHODS} for key in KEYS}
    kept = []
    for start in range(0, n_studies, TOGETHER):
        size = min(TOGETHER, n_studies - start)
        coder, value = regime.annotations(size * regime.n_items, rng)
        shape = (size, regime.n_items, regime.per_item)
        coder, value = coder.reshape(shape), value.reshape(shape)
        kept += [(coder[i], value[i]) for i in range(min(size, CHECKED - len(kept)))]
        for key, w in weights.items():
            with np.errstate(all="ignore"):
                found = Studies(coder, value, regime.n_coders, w.matrix).holds(key, true[key])
            for method in METHODS:
                held[key][method].append(found[method])
    return [
        _held(regime, key, true[key], {m: np.concatenate(x) for m, x in held[key].items()}, kept)
        for key in KEYS
    ]


def _held(
    regime: Regime, key: str, true: float, held: dict[str, Floats], kept: list[tuple[Ints, Ints]]
) -> Held:
    """How often intervals hold, and whether those of the package say the same."""
    alike, wide = [], []
    for (coder, value), ours in zip(kept, held["auto"], strict=False):
        counts = regime.counts(coder, value)
        w = regime.weights(key, counts)
        found = uncertainty(
            COEFFICIENTS[key],
            counts,
            w,
            float(COEFFICIENTS[key].parts(counts, w).value),
            Settings("auto"),
        )
        if not np.isnan(ours):
            alike.append(bool(found.low - TIE <= true <= found.high + TIE) == bool(ours))
            wide.append(found.high - found.low)
    known = held["auto"][~np.isnan(held["auto"])]
    shares = {m: float(np.nanmean(x)) for m, x in held.items()}
    return Held(key, true, shares, len(known), len(alike), sum(alike), float(np.mean(wide)))


def simulated(regimes: Sequence[Regime], n_studies: int, jobs: int) -> list[dict[str, Any]]:
    """Every regime with its coefficients, as rows of JSON."""
    rows: list[dict[str, Any]] = []
    begin = time.perf_counter()
    with ProcessPoolExecutor(jobs) as pool:
        done = pool.map(covered, regimes, [n_studies] * len(regimes))
        for regime, found in zip(regimes, done, strict=True):
            rows += [asdict(regime) | asdict(h) for h in found]
            shown = " ".join(f"{h.coefficient} {100 * h.held['auto']:.1f}" for h in found)
            print(f"{time.perf_counter() - begin:.0f} s", regime, shown, flush=True)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.coverage", description=__doc__)
    parser.add_argument("--studies", type=int, default=2000)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--grid", choices=("tuned", "tested"), nargs="*")
    parser.add_argument("--show", action="store_true", help="write the page from grid.json alone")
    parser.add_argument("--write", action="store_true", help=f"write {RESULTS.name} and {COVERAGE}")
    given = parser.parse_args()
    known = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    if not given.show:
        grids = {"tuned": tuned, "tested": tested}
        for name in given.grid or grids:
            known[name] = simulated(list(grids[name]()), given.studies, given.jobs)
            known["n_studies"] = given.studies
            if given.write:
                RESULTS.write_text(json.dumps(known), encoding="utf-8")
    if given.write or given.show:
        from .page import page

        put(COVERAGE, "regimes", page(known))


if __name__ == "__main__":
    main()
