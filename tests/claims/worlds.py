"""Simulated annotations whose causes of disagreement are known: what `diagnose` says can be wrong.

A null (`nulls`) has no cause beyond slips, guesses, hard items, differences in ability and how the
work was shared out. A plant (`plants`) adds one cause to such data, and says which explanation of
it would be right. There are three grids of circumstances. On ``dev`` thresholds may be tuned;
``held`` has other numbers, other laws of difficulty and strengths between, and is what the suite
looks at; ``fresh`` differs from both, and its figures are the ones that are published.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.integer[Any]]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Cause:
    """What a right explanation names: one of the kinds, and who, what and where if not empty.

    ``place`` is a stretch of the file (first, after the last) or the name of a group of items.
    """

    kinds: tuple[str, ...]
    coders: tuple[int, ...] = ()
    values: tuple[int, ...] = ()
    place: tuple[Any, ...] = ()


@dataclass(frozen=True, eq=False)
class World:
    """One data set and what is true of it. I items, C coders, K values, L labels.

    ``grid`` (I, C) positions of values, -1 is missing; ``members`` (K, L) the labels of a value;
    ``groups`` (I,) names of groups of items, or None. ``causes`` are planted; ``rates`` (C,) how
    often coders deviate without them; ``odd`` coders of whom anything may be said.
    """

    name: str
    grid: Ints
    members: Bools
    ordinal: bool
    groups: NDArray[Any] | None
    causes: tuple[Cause, ...]
    rates: Floats
    odd: frozenset[int]


@dataclass(frozen=True)
class Grid:
    """Circumstances to draw from: those of plants, then those of nulls."""

    coders: tuple[int, ...]
    values: tuple[int, ...]
    zipf: tuple[float, ...]  # exponents of the shares of values
    laws: tuple[str, ...]  # how the difficulty of items is distributed
    error: tuple[float, float]
    missing: tuple[float, ...]
    vary: float  # strengths differ from the nominal one by as much as this part of it
    together: tuple[tuple[str, str], ...]
    items: tuple[int, ...]
    crowds: tuple[tuple[int, int], ...]  # coders, annotations per item
    many_values: tuple[int, ...]
    top: tuple[float, float]  # share of the prevalent value
    spammers: tuple[int, int, float]  # coders, annotations per item, share of spammers


GRIDS = {
    "dev": Grid(
        coders=(3, 4, 5, 6),
        values=(3, 4, 5, 6, 7, 8),
        zipf=(0, 1),
        laws=("beta",),
        error=(0.12, 0.12),
        missing=(0, 0, 0.1),
        vary=0,
        together=(
            ("confused_pair", "biased_coder"),
            ("confused_pair", "hard_group"),
            ("random_coder", "one_direction"),
            ("coder_cell", "confused_pair"),
            ("biased_coder", "sloppy_coder"),
            ("family", "drift_of_coder"),
        ),
        items=(40, 100, 300, 300, 1000, 2000),
        crowds=((2, 2), (3, 3), (4, 4), (6, 3), (10, 4), (10, 10), (30, 5), (60, 3)),
        many_values=(2, 3, 4, 5, 8, 12, 15),
        top=(0.8, 0.95),
        spammers=(40, 10, 0.15),
    ),
    "held": Grid(
        coders=(3, 4, 7, 9),
        values=(4, 5, 6, 9),
        zipf=(0, 0.4, 0.8, 1.2),
        laws=("two", "skewed"),
        error=(0.09, 0.14),
        missing=(0, 0.05, 0.15),
        vary=0.15,
        together=(
            ("frequent_pair", "hard_group"),
            ("confused_pair", "random_coder"),
            ("biased_coder", "one_direction"),
            ("swapped_keys", "confused_pair"),
            ("coder_cell", "sloppy_coder"),
            ("confused_pair", "bad_batch"),
        ),
        items=(60, 150, 400, 700, 1500),
        crowds=((2, 2), (3, 3), (5, 5), (7, 4), (12, 3), (8, 8), (25, 6), (50, 2), (45, 10)),
        many_values=(2, 3, 4, 6, 7, 10, 14),
        top=(0.75, 0.93),
        spammers=(36, 8, 0.17),
    ),
    "fresh": Grid(
        coders=(3, 5, 6, 8),
        values=(3, 4, 5, 7, 10),
        zipf=(0, 0.3, 0.6, 1),
        laws=("beta", "even", "skewed"),
        error=(0.08, 0.16),
        missing=(0, 0.08, 0.2),
        vary=0.1,
        together=(
            ("frequent_pair", "biased_coder"),
            ("swapped_keys", "hard_group"),
            ("drift_of_coder", "confused_pair"),
            ("bad_batch", "coder_cell"),
            ("groups_of_coders", "hard_group"),
            ("family", "sloppy_coder"),
        ),
        items=(40, 80, 200, 500, 1200, 2000),
        crowds=((2, 2), (4, 3), (5, 4), (9, 6), (15, 4), (20, 10), (40, 5), (60, 2)),
        many_values=(2, 3, 5, 6, 9, 11, 15),
        top=(0.7, 0.95),
        spammers=(30, 7, 0.15),
    ),
}


@dataclass(eq=False)
class Draft:
    """Annotations in the making: I items, C coders; values are codes, those of sets are bits."""

    rng: np.random.Generator
    truth: Ints  # (I,)
    x: Ints  # (I, C)
    k: int  # values, or labels of sets
    rate: Floats  # (C,) of deviating from the truth
    ordinal: bool = False
    sets: bool = False
    present: Bools | None = None  # (I, C)
    groups: NDArray[Any] | None = None
    odd: tuple[int, ...] = ()
    taken: set[tuple[str, int]] = field(default_factory=set)

    def coder(self) -> int:
        """A coder of whom nothing is planted yet."""
        return self._drawn("coder", range(self.x.shape[1]), 1)[0]

    def values(self, n: int = 2) -> tuple[int, ...]:
        """So many values of which nothing is planted yet, not the rarest."""
        share = np.bincount(self.truth, minlength=self.k) / len(self.truth)
        usual = np.flatnonzero(share >= np.sort(share)[-max(n, (self.k + 1) // 2 + 1) :][0])
        return self._drawn("value", usual.tolist(), n)

    def labels(self, n: int) -> tuple[int, ...]:
        """So many labels of sets of which nothing is planted yet."""
        return self._drawn("value", range(self.k), n)

    def _drawn(self, kind: str, among: Iterable[int], n: int) -> tuple[int, ...]:
        free = [k for k in among if (kind, k) not in self.taken]
        free = free if len(free) >= n else list(among)
        drawn = tuple(int(k) for k in self.rng.choice(free, n, replace=False))
        self.taken |= {(kind, k) for k in drawn}
        return drawn

    def some(self, where: Any, rate: Any) -> Bools:
        """(I, C) which of the annotations of ``where`` are hit."""
        return np.asarray(where & (self.rng.random(self.x.shape) < rate))

    def only(self, *coders: int) -> Bools:
        """(1, C) True for these coders."""
        return np.isin(np.arange(self.x.shape[1]), coders)[None]

    def give(self, where: Any, value: Any) -> None:
        """Put other values in place of some annotations."""
        self.x = np.where(where, value, self.x)

    def anything(self) -> Ints:
        """(I, C) values at random; sets are those of any item, so that labels are as frequent."""
        return self.rng.choice(self.truth if self.sets else self.k, self.x.shape)

    def shift(self, where: Bools, by: Any) -> None:
        """Move some annotations along the scale."""
        self.x = np.where(where, np.clip(self.x + by, 0, self.k - 1), self.x)

    def stretch(self, low: float, high: float, least: float) -> tuple[int, int]:
        """A stretch of the file that begins between two parts of it."""
        n = len(self.truth)
        first = int(n * self.rng.uniform(low, high))
        return first, min(n, first + int(n * least))

    def world(self, name: str, causes: tuple[Cause, ...]) -> World:
        """The data set as it is given to an explainer."""
        grid, members = self.x, np.eye(self.k, dtype=bool)
        if self.sets:
            codes, grid = np.unique(self.x, return_inverse=True)
            grid = grid.reshape(self.x.shape)
            members = (codes[:, None] >> np.arange(self.k) & 1).astype(bool)
        if self.present is not None:
            grid = np.where(self.present, grid, -1)
        odd = frozenset(self.odd)
        return World(name, grid, members, self.ordinal, self.groups, causes, self.rate, odd)


# ------------------------------------------------------------------ what every data set is made of


def shares_of(k: int, exponent: float) -> Floats:
    """(K,) shares of values by Zipf's law; 0 makes them even."""
    share = np.arange(1, k + 1.0) ** -exponent
    return np.asarray(share / share.sum())


def difficulty(rng: np.random.Generator, law: str, mean: float, n: int) -> Floats:
    """(I, 1) how often an item is annotated wrongly, so often in the mean."""
    if law == "beta":
        found = rng.beta(3 * mean, 3 * (1 - mean), n)
    elif law == "two":
        found = np.where(rng.random(n) < 0.2, 3.2 * mean, 0.45 * mean)
    elif law == "skewed":
        found = mean * rng.lognormal(-0.32, 0.8, n)
    elif law == "even":
        found = mean * rng.uniform(0, 2, n)
    else:
        found = np.full(n, mean)
    return np.asarray(found)[:, None].clip(0, 0.9)


def wrong(rng: np.random.Generator, truth: Ints, kind: str, share: Floats, shape: Any) -> Ints:
    """(I, C) what is given where an annotation is wrong."""
    k, right = len(share), truth[:, None]
    if kind == "guesses":
        return rng.choice(k, shape, p=share)
    if kind == "neighbours":
        step = rng.choice([-1, 1], shape)
        outside = (right + step < 0) | (right + step >= k)
        return np.asarray(right + np.where(outside, -step, step))
    return (right + rng.integers(1, k, shape)) % k


def drafted(
    rng: np.random.Generator,
    n: int,
    c: int,
    k: int,
    *,
    zipf: float = 0,
    law: str = "none",
    error: float = 0.12,
    ability: float = 0,
    slip: str = "slips",
    order: str = "none",
    ordinal: bool = False,
    top: float = 0,
) -> Draft:
    """Items of which nothing is wrong but slips; ``top`` is the share of a prevalent value."""
    share = np.append(top, (1 - top) * shares_of(k - 1, zipf)) if top else shares_of(k, zipf)
    truth = rng.choice(k, n, p=share)
    if order == "sorted":
        truth = np.sort(truth)
    elif order == "runs":
        keep = np.maximum.accumulate(np.where(rng.random(n) < 0.1, np.arange(n), 0))
        truth = truth[keep]
    rate = np.clip(error + rng.normal(0, ability, c), 0.01, 0.9) if ability else np.full(c, error)
    hit = rng.random((n, c)) < difficulty(rng, law, error, n) / error * rate
    x = np.where(hit, wrong(rng, truth, slip, share, (n, c)), truth[:, None])
    return Draft(rng, truth, x, k, rate, ordinal)


def drafted_sets(
    rng: np.random.Generator,
    n: int,
    c: int,
    k: int,
    *,
    law: str = "none",
    error: float = 0.06,
) -> Draft:
    """Sets of labels that are there independently of each other, and flip so."""
    share = rng.uniform(0.15, 0.5, k)
    truth = rng.random((n, k)) < share
    flips = rng.random((n, c, k)) < difficulty(rng, law, error, n)[:, :, None]
    bits = 1 << np.arange(k)
    x = (truth[:, None] ^ flips) @ bits
    return Draft(rng, truth @ bits, x, k, np.full(c, error), sets=True)


def assigned(rng: np.random.Generator, n: int, c: int, each: int, design: str) -> Bools:
    """(I, C) who annotates what."""
    if each >= c:
        return np.ones((n, c), bool)
    if design == "blocks":  # each part of the file has its own coders, some of whom go on
        first = (np.arange(n) * 8 // n) * max(1, each - 1)
        chosen = (first[:, None] + np.arange(each)) % c
    else:
        weight = 1 / np.arange(1, c + 1) if design == "sparse" else np.ones(c)
        order = np.log(weight) + rng.gumbel(size=(n, c))
        chosen = np.argsort(-order, axis=1)[:, :each]
    return np.asarray((chosen[:, :, None] == np.arange(c)).any(1))


def pick(rng: np.random.Generator, among: tuple[Any, ...]) -> Any:
    """One of several."""
    return among[rng.integers(len(among))]


def seeded(grid: str, name: str, seed: int) -> np.random.Generator:
    """The same data set whenever it is asked for."""
    return np.random.default_rng([crc32(f"{grid} {name}".encode()), seed])
