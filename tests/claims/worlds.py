"""Simulated annotations whose causes of disagreement are known: what `diagnose` says can be wrong.

A *null* has no cause beyond slips, guesses, hard items, differences in ability and how the work was
shared out. A *plant* adds one cause to such data, and says which explanation of it would be right.
There are two grids of circumstances. On ``dev`` thresholds may be tuned; ``held`` has other
numbers, other laws of difficulty and strengths between, and is for the last word only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

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
        coders=(3, 4, 5, 6), values=(3, 4, 5, 6, 7, 8), zipf=(0, 1), laws=("beta",),
        error=(0.12, 0.12), missing=(0, 0, 0.1), vary=0,
        together=(
            ("confused_pair", "biased_coder"), ("confused_pair", "hard_group"),
            ("random_coder", "one_direction"), ("coder_cell", "confused_pair"),
            ("biased_coder", "sloppy_coder"), ("family", "drift_of_coder"),
        ),
        items=(40, 100, 300, 300, 1000, 2000),
        crowds=((2, 2), (3, 3), (4, 4), (6, 3), (10, 4), (10, 10), (30, 5), (60, 3)),
        many_values=(2, 3, 4, 5, 8, 12, 15), top=(0.8, 0.95), spammers=(40, 10, 0.15),
    ),
    "held": Grid(
        coders=(3, 4, 7, 9), values=(4, 5, 6, 9), zipf=(0, 0.4, 0.8, 1.2), laws=("two", "skewed"),
        error=(0.09, 0.14), missing=(0, 0.05, 0.15), vary=0.15,
        together=(
            ("frequent_pair", "hard_group"), ("confused_pair", "random_coder"),
            ("biased_coder", "one_direction"), ("swapped_keys", "confused_pair"),
            ("coder_cell", "sloppy_coder"), ("confused_pair", "bad_batch"),
        ),
        items=(60, 150, 400, 700, 1500),
        crowds=((2, 2), (3, 3), (5, 5), (7, 4), (12, 3), (8, 8), (25, 6), (50, 2), (45, 10)),
        many_values=(2, 3, 4, 6, 7, 10, 14), top=(0.75, 0.93), spammers=(36, 8, 0.17),
    ),
}  # fmt: skip


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
    rng: np.random.Generator, n: int, c: int, k: int, *, zipf: float = 0,
    law: str = "none", error: float = 0.12, ability: float = 0, slip: str = "slips",
    order: str = "none", ordinal: bool = False, top: float = 0,
) -> Draft:  # fmt: skip
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
    rng: np.random.Generator, n: int, c: int, k: int, *, law: str = "none", error: float = 0.06,
) -> Draft:  # fmt: skip
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


# ------------------------------------------------------------------ nulls

Null = Callable[[np.random.Generator, Grid], Draft]
NULLS: dict[str, Null] = {}


def null(function: Null) -> Null:
    """Register data sets of which nothing is to be said."""
    NULLS[getattr(function, "__name__", "")] = function
    return function


def pick(rng: np.random.Generator, among: tuple[Any, ...]) -> Any:
    """One of several."""
    return among[rng.integers(len(among))]


def broad(rng: np.random.Generator, grid: Grid, least: int = 2, **more: Any) -> Draft:
    """A null of any size, with any number of coders and values and any design."""
    n, k = pick(rng, grid.items), max(least, pick(rng, grid.many_values))
    more.setdefault("zipf", pick(rng, grid.zipf))
    c, each = pick(rng, grid.crowds)
    draft = drafted(rng, n, c, k, **more)
    draft.present = assigned(rng, n, c, each, pick(rng, ("random", "blocks", "sparse")))
    return draft


def broad_sets(rng: np.random.Generator, grid: Grid, **more: Any) -> Draft:
    """A null of sets of up to six labels."""
    n, k, (c, each) = pick(rng, grid.items), rng.integers(3, 7), pick(rng, grid.crowds)
    draft = drafted_sets(rng, n, c, int(k), error=rng.uniform(0.02, 0.08), **more)
    draft.present = assigned(rng, n, c, each, pick(rng, ("random", "blocks", "sparse")))
    return draft


@null
def guesses(rng: np.random.Generator, grid: Grid) -> Draft:
    """A quarter of the annotations are guesses by the shares of the values."""
    return broad(rng, grid, slip="guesses", error=0.25)


@null
def slips(rng: np.random.Generator, grid: Grid) -> Draft:
    """Every other value is as likely."""
    return broad(rng, grid, error=rng.uniform(0.05, 0.25))


@null
def neighbour_slips(rng: np.random.Generator, grid: Grid) -> Draft:
    """Values of a scale, and slips to the next."""
    return broad(rng, grid, 3, slip="neighbours", ordinal=True)


@null
def two_levels(rng: np.random.Generator, grid: Grid) -> Draft:
    """A fifth of the items is hard."""
    return broad(rng, grid, law="two")


@null
def beta_items(rng: np.random.Generator, grid: Grid) -> Draft:
    """Most items are easy, few are hopeless."""
    return broad(rng, grid, law="beta")


@null
def abilities(rng: np.random.Generator, grid: Grid) -> Draft:
    """Coders differ in accuracy as usual."""
    return broad(rng, grid, ability=rng.uniform(0, 0.15), error=0.2)


@null
def spammers(rng: np.random.Generator, grid: Grid) -> Draft:
    """Some of many coders answer at random, by the shares, or always alike."""
    c, each, share = grid.spammers
    draft = drafted(rng, 300, c, pick(rng, grid.values), zipf=pick(rng, grid.zipf), law="beta")
    draft.odd = tuple(int(s) for s in rng.choice(c, round(c * share), replace=False))
    for j, s in enumerate(draft.odd):
        alike = np.full(300, rng.integers(draft.k))
        ways = rng.integers(draft.k, size=300), rng.permutation(draft.truth), alike
        draft.x[:, s] = ways[j % 3]
    draft.present = assigned(rng, 300, c, each, "random")
    return draft


@null
def thresholds(rng: np.random.Generator, grid: Grid) -> Draft:
    """A latent quantity, read with noise and cut into the values of a scale."""
    draft = broad(rng, grid, 3, ordinal=True)
    cuts = ndtri(np.cumsum(shares_of(draft.k, pick(rng, grid.zipf)))[:-1])
    latent = rng.normal(size=(len(draft.truth), 1))
    noise = rng.uniform(0.15, 0.5) * rng.normal(size=draft.x.shape)
    draft.x, draft.truth = np.digitize(latent + noise, cuts), np.digitize(latent[:, 0], cuts)
    return draft


@null
def second_readings(rng: np.random.Generator, grid: Grid) -> Draft:
    """One coder sees the annotations of another, copies most and corrects some."""
    draft = broad(rng, grid, law="beta")
    first, second = rng.choice(draft.x.shape[1], 2, replace=False)
    mended = np.where(rng.random(len(draft.x)) < 0.5, draft.truth, draft.x[:, first])
    seen = rng.random(len(draft.x)) < 0.6
    draft.x[:, second] = np.where(seen, mended, draft.x[:, second])
    return draft


@null
def sorted_by_class(rng: np.random.Generator, grid: Grid) -> Draft:
    """The file is sorted by what is right."""
    return broad(rng, grid, order="sorted", law=pick(rng, ("none", "beta")))


@null
def runs_of_a_class(rng: np.random.Generator, grid: Grid) -> Draft:
    """Neighbouring items are alike."""
    return broad(rng, grid, order="runs", law=pick(rng, ("none", "beta")))


@null
def prevalent_value(rng: np.random.Generator, grid: Grid) -> Draft:
    """Most items have the same value."""
    slip = pick(rng, ("slips", "guesses"))
    return broad(rng, grid, top=rng.uniform(*grid.top), slip=slip, error=0.1)


@null
def label_flips(rng: np.random.Generator, grid: Grid) -> Draft:
    """Sets: each label is forgotten or added independently."""
    return broad_sets(rng, grid)


@null
def hard_sets(rng: np.random.Generator, grid: Grid) -> Draft:
    """Sets: some items are harder than others."""
    return broad_sets(rng, grid, law=pick(rng, ("beta", "two")))


# ------------------------------------------------------------------ plants


@dataclass(frozen=True)
class Plant:
    """A cause that is added to a draft at a rate; ``most`` is the rate at full strength."""

    add: Callable[[Draft, float], Cause]
    most: float
    base: dict[str, Any]


PLANTS: dict[str, Plant] = {}


def plant(most: float, **base: Any) -> Callable[[Callable[[Draft, float], Cause]], Any]:
    """Register a cause; ``base`` says what is special about the data it is planted in."""

    def register(function: Callable[[Draft, float], Cause]) -> Any:
        PLANTS[function.__name__] = Plant(function, most, base)
        return function

    return register


def mixed(d: Draft, k: int, m: int, rate: float) -> Cause:
    """Each annotation of two values is the other at the rate."""
    hit = d.some(np.isin(d.x, (k, m)), rate)
    d.give(hit, k + m - d.x)
    return Cause(("pair",), values=(k, m))


@plant(0.35)
def confused_pair(d: Draft, rate: float) -> Cause:
    """Two values are taken for each other."""
    k, m = d.values()
    return mixed(d, k, m, rate)


@plant(0.2, zipf=1)
def frequent_pair(d: Draft, rate: float) -> Cause:
    """The two most frequent values of many are taken for each other."""
    d.taken |= {("value", 0), ("value", 1)}
    return mixed(d, 0, 1, rate)


@plant(0.2, least=4, least_values=5)
def one_direction(d: Draft, rate: float) -> Cause:
    """One value is taken for another, but not the other way round."""
    k, m = d.values()
    d.give(d.some(d.x == k, rate), m)
    return Cause(("one_way",), values=(k, m))


@plant(0.3)
def biased_coder(d: Draft, rate: float) -> Cause:
    """A coder gives one value in place of any other."""
    c, (m,) = d.coder(), d.values(1)
    d.give(d.some(d.only(c), rate), m)
    return Cause(("coder_gives",), (c,), (m,))


@plant(0.6, least_values=4)
def coder_cell(d: Draft, rate: float) -> Cause:
    """A coder takes one value for another."""
    c, (k, m) = d.coder(), d.values()
    d.give(d.some(d.only(c) & (d.x == k), rate), m)
    return Cause(("coder_cell",), (c,), (k, m))


@plant(1.0)
def random_coder(d: Draft, rate: float) -> Cause:
    """A coder guesses."""
    c = d.coder()
    d.give(d.some(d.only(c), rate), d.anything())
    return Cause(("coder",), (c,))


@plant(0.5)
def sloppy_coder(d: Draft, rate: float) -> Cause:
    """A coder slips more often than others."""
    c = d.coder()
    share = np.full(d.k, 1 / d.k)
    d.give(d.some(d.only(c), rate), wrong(d.rng, d.truth, "slips", share, d.x.shape))
    return Cause(("coder",), (c,))


@plant(0.8)
def drift_of_coder(d: Draft, rate: float) -> Cause:
    """A coder guesses more and more."""
    c, n = d.coder(), len(d.truth)
    pace = np.linspace(0, rate, n)[:, None]
    d.give(d.some(d.only(c), pace), d.anything())
    return Cause(("coder_trend", "coder_stretch"), (c,), place=(n // 2, n))


@plant(0.6)
def drift_of_all(d: Draft, rate: float) -> Cause:
    """All coders guess more and more."""
    n = len(d.truth)
    d.give(d.some(True, np.linspace(0, rate, n)[:, None]), d.anything())
    return Cause(("trend", "stretch"), place=(n // 2, n))


@plant(0.9)
def rule_change(d: Draft, rate: float) -> Cause:
    """From some point on, a coder gives one value for another."""
    c, (k, m) = d.coder(), d.values()
    first, _ = d.stretch(0.35, 0.65, 0)
    later = np.arange(len(d.truth))[:, None] >= first
    d.give(d.some(d.only(c) & later & (d.x == k), rate), m)
    return Cause(("coder_change",), (c,), (k, m), (first, len(d.truth)))


@plant(0.45)
def bad_batch(d: Draft, rate: float) -> Cause:
    """A stretch of the file was annotated badly by all."""
    first, last = d.stretch(0.1, 0.6, 0.25)
    place = np.arange(len(d.truth))[:, None]
    d.give(d.some((place >= first) & (place < last), rate), d.anything())
    return Cause(("stretch",), place=(first, last))


@plant(0.45)
def hard_group(d: Draft, rate: float) -> Cause:
    """The items of one group are hard."""
    names = np.array(["essay", "news", "poem", "speech"])
    d.groups = names[d.rng.choice(4, len(d.truth), p=(0.2, 0.4, 0.1, 0.3))]
    d.give(d.some(d.groups[:, None] == "essay", rate), d.anything())
    return Cause(("item_group",), place=("essay",))


@plant(0.6, least=4)
def groups_of_coders(d: Draft, rate: float) -> Cause:
    """Some coders take one value for another, the others the reverse."""
    (k, m), c = d.values(), d.x.shape[1]
    one = d.rng.permutation(c)[: d.rng.integers(2, c - 1)].tolist()
    mine = d.only(*one)
    hit = d.some((d.x == k) & mine | (d.x == m) & ~mine, rate)
    d.give(hit, k + m - d.x)
    return Cause(("coder_groups",), tuple(one), (k, m))


@plant(0.9)
def swapped_keys(d: Draft, rate: float) -> Cause:
    """A coder takes each of two values for the other."""
    c, (k, m) = d.coder(), d.values()
    hit = d.some(d.only(c) & np.isin(d.x, (k, m)), rate)
    d.give(hit, k + m - d.x)
    return Cause(("swapped",), (c,), (k, m))


@plant(0.8, ordinal=True, least_values=4)
def narrow_scale(d: Draft, rate: float) -> Cause:
    """A coder avoids both ends of the scale."""
    c, top = d.coder(), d.k - 1
    hit = d.some(d.only(c) & np.isin(d.x, (0, top)), rate)
    d.shift(hit, np.where(d.x == 0, 1, -1))
    return Cause(("narrow",), (c,))


@plant(0.6, ordinal=True, least_values=4)
def compressed_scale(d: Draft, rate: float) -> Cause:
    """A coder moves everything a step to the middle."""
    c = d.coder()
    middle = (d.k - 1) / 2
    d.shift(d.some(d.only(c) & (abs(d.x - middle) >= 1), rate), np.sign(middle - d.x).astype(int))
    return Cause(("narrow",), (c,))


@plant(0.5, ordinal=True)
def shifted_threshold(d: Draft, rate: float) -> Cause:
    """A coder is a step higher, or lower, than others."""
    c = d.coder()
    d.shift(d.some(d.only(c), rate), pick(d.rng, (-1, 1)))
    return Cause(("shifted",), (c,))


@plant(0.4, least_values=6)
def family(d: Draft, rate: float) -> Cause:
    """Three values are taken for each other."""
    three = np.array(d.values(3))
    hit = d.some(np.isin(d.x, three), rate)
    at = (d.x[:, :, None] == three).argmax(-1)
    d.give(hit, three[(at + d.rng.integers(1, 3, d.x.shape)) % 3])
    return Cause(("family",), values=tuple(sorted(three.tolist())))


@plant(0.4, least_values=6)
def chain(d: Draft, rate: float) -> Cause:
    """Four values in a row, without an order that is known, are taken for the next ones."""
    row = np.array(d.values(4))
    at = (d.x[:, :, None] == row).argmax(-1)
    to = at + d.rng.choice([-1, 1], d.x.shape)
    inside = (to >= 0) & (to < len(row))
    d.give(d.some(inside & np.isin(d.x, row), rate), row[to.clip(0, len(row) - 1)])
    return Cause(("chain",), values=tuple(row.tolist()))


@plant(0.2)
def default_category(d: Draft, rate: float) -> Cause:
    """Whoever is in doubt gives one and the same value."""
    (m,) = d.values(1)
    d.give(d.some(True, rate), m)
    return Cause(("default",), values=(m,))


@plant(0.7, sets=True)
def coder_omits(d: Draft, rate: float) -> Cause:
    """A coder leaves a label out."""
    c, (m,) = d.coder(), d.labels(1)
    d.give(d.some(d.only(c), rate), d.x & ~(1 << m))
    return Cause(("coder_omits",), (c,), (m,))


@plant(0.3, sets=True)
def coder_adds(d: Draft, rate: float) -> Cause:
    """A coder adds a label."""
    c, (m,) = d.coder(), d.labels(1)
    d.give(d.some(d.only(c), rate), d.x | 1 << m)
    return Cause(("coder_adds", "coder_gives"), (c,), (m,))


@plant(0.4, sets=True)
def label_omitted(d: Draft, rate: float) -> Cause:
    """All coders leave a label out, each on other items."""
    (m,) = d.labels(1)
    d.give(d.some(True, rate), d.x & ~(1 << m))
    return Cause(("omitted",), values=(m,))


@plant(0.35, sets=True)
def pair_in_sets(d: Draft, rate: float) -> Cause:
    """Where one of two labels is given, the other is given in its place."""
    k, m = d.labels(2)
    one = (d.x >> k & 1) != (d.x >> m & 1)
    d.give(d.some(one, rate), d.x ^ (1 << k | 1 << m))
    return Cause(("pair",), values=(k, m))


@plant(1.0, sets=True)
def random_coder_of_sets(d: Draft, rate: float) -> Cause:
    """A coder of sets guesses."""
    return random_coder(d, rate)


# ------------------------------------------------------------------ data sets by name


def seeded(grid: str, name: str, seed: int) -> np.random.Generator:
    """The same data set whenever it is asked for."""
    return np.random.default_rng([crc32(f"{grid} {name}".encode()), seed])


def planted_draft(
    rng: np.random.Generator, grid: Grid, n: int, coders: int = 0, **base: Any
) -> Draft:
    """Ordinary data, to plant something in."""
    c = coders or max(base.get("least", 3), pick(rng, grid.coders))
    k, law = max(base.get("least_values", 3), pick(rng, grid.values)), pick(rng, grid.laws)
    if base.get("sets"):
        return drafted_sets(rng, n, c, min(k, 6), law=law, error=0.04)
    ordinal = base.get("ordinal", False)
    draft = drafted(
        rng, n, c, k, zipf=base.get("zipf", pick(rng, grid.zipf)), law=law,
        error=rng.uniform(*grid.error), ordinal=ordinal, slip="neighbours" if ordinal else "slips",
    )  # fmt: skip
    draft.present = rng.random(draft.x.shape) >= pick(rng, grid.missing)
    return draft


def null_world(grid: str, name: str, seed: int) -> World:
    """Data of which nothing is to be said."""
    return NULLS[name](seeded(grid, name, seed), GRIDS[grid]).world(name, ())


def planted_world(
    grid: str, name: str, seed: int, strength: float = 1, n: int = 300, coders: int = 0
) -> World:
    """Data with one planted cause, or with two: ``confused_pair + biased_coder``."""
    rng, names = seeded(grid, name, seed), name.split(" + ")
    base = {key: value for each in names for key, value in PLANTS[each].base.items()}
    if len(names) > 1:  # of two coders who are to blame, most others must be none
        base["least"] = 5
    draft = planted_draft(rng, GRIDS[grid], n, coders, **base)
    strength *= 1 + rng.uniform(-1, 1) * GRIDS[grid].vary
    causes = tuple(PLANTS[x].add(draft, min(1, PLANTS[x].most * strength)) for x in names)
    return draft.world(name, causes)
