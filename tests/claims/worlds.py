"""Simulated annotations whose causes of disagreement are known: what `diagnose` says can be wrong.

A null has no cause beyond slips, guesses, hard items, differences in ability and how the work was
shared out. A plant adds one cause to such data and says which finding would be right. Nothing of
the mechanism that is judged is used here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any
from zlib import crc32

import numpy as np
from scipy.special import ndtri

import accordant as ac

CODERS, VALUES = (3, 5, 6, 8), (3, 4, 5, 7, 10)
ZIPF = (0, 0.3, 0.6, 1)  # exponents of the shares of values
LAWS = ("beta", "even", "skewed")  # how the difficulty of items is distributed
ERROR = (0.08, 0.16)
MISSING = (0, 0.08, 0.2)
ITEMS, MANY_VALUES = (40, 80, 200, 500, 1200), (2, 3, 5, 6, 9, 11, 15)
CROWDS = ((2, 2), (4, 3), (5, 4), (9, 6), (15, 4), (20, 10), (40, 5))  # coders, each item's


@dataclass(frozen=True)
class Cause:
    """What a right finding names: its code, and who, what and where if not empty."""

    code: str
    coders: tuple[int, ...] = ()
    values: tuple[int, ...] = ()
    place: tuple[str, ...] = ()
    instead: tuple[int, ...] = ()
    direction: str = "more"


@dataclass(frozen=True, eq=False)
class World:
    """One data set, what was planted in it, and how often each coder errs besides."""

    data: ac.Annotations
    causes: tuple[Cause, ...]
    rates: np.ndarray
    odd: frozenset[int]
    draft: Draft


@dataclass(eq=False)
class Draft:
    """Annotations in the making: I items, C coders; values are codes, those of sets are bits."""

    rng: np.random.Generator
    truth: np.ndarray  # (I,)
    x: np.ndarray  # (I, C)
    k: int  # values, or labels of sets
    rate: np.ndarray  # (C,) of deviating from the truth
    ordinal: bool = False
    sets: bool = False
    present: np.ndarray | None = None  # (I, C)
    groups: np.ndarray | None = None
    odd: tuple[int, ...] = ()
    clean: np.ndarray | None = None  # (I, C) before anything was planted
    taken: set[tuple[str, int]] = field(default_factory=set)

    def coder(self) -> int:
        """A coder of whom nothing is planted yet."""
        return self._drawn("coder", range(self.x.shape[1]), 1)[0]

    def values(self, n: int = 2) -> tuple[int, ...]:
        """So many values or labels of which nothing is planted yet, not the rarest."""
        if self.sets:
            return self._drawn("value", range(self.k), n)
        share = np.bincount(self.truth, minlength=self.k) / len(self.truth)
        usual = np.flatnonzero(share >= np.sort(share)[-max(n, (self.k + 1) // 2 + 1) :][0])
        return self._drawn("value", usual.tolist(), n)

    def _drawn(self, kind: str, among: Iterable[int], n: int) -> tuple[int, ...]:
        free = [k for k in among if (kind, k) not in self.taken]
        free = free if len(free) >= n else list(among)
        drawn = tuple(int(k) for k in self.rng.choice(free, n, replace=False))
        self.taken |= {(kind, k) for k in drawn}
        return drawn

    def some(self, where: Any, rate: Any) -> np.ndarray:
        """(I, C) which of the annotations of ``where`` are hit."""
        return np.asarray(where & (self.rng.random(self.x.shape) < rate))

    def only(self, *coders: int) -> np.ndarray:
        """(1, C) True for these coders."""
        return np.isin(np.arange(self.x.shape[1]), coders)[None]

    def give(self, where: Any, value: Any) -> None:
        """Put other values in place of some annotations."""
        self.x = np.where(where, value, self.x)

    def anything(self) -> np.ndarray:
        """(I, C) values at random; sets are those of any item, so that labels are as frequent."""
        return self.rng.choice(self.truth if self.sets else self.k, self.x.shape)

    def world(self, *causes: Cause) -> World:
        """The data set as it is read: coders c0, c1, …; labels v0, v1, …, or numbers of a scale."""
        return World(self.read(), causes, self.rate, frozenset(self.odd), self)

    def read(self, order: int = 0) -> ac.Annotations:
        """The annotations, their rows in an order of their own."""
        names: list[Any] = [k if self.ordinal else f"v{k}" for k in range(self.k)]

        def label(code: int) -> Any:
            if not self.sets:
                return names[code]
            return ",".join(n for k, n in enumerate([*names, "other"]) if code >> k & 1)

        x = self.x | 1 << self.k if self.sets else self.x  # no set is empty
        there = np.ones(x.shape, bool) if self.present is None else self.present
        rows = [
            {"item": int(i), "coder": f"c{c}", "label": label(int(x[i, c]))}
            | ({} if self.groups is None else {"genre": str(self.groups[i])})
            for c, i in zip(*np.nonzero(there.T), strict=True)
        ]
        if order:
            rows = [rows[k] for k in np.random.default_rng(order).permutation(len(rows))]
        more = {"separator": ","} if self.sets else {"scale": "ordinal"} if self.ordinal else {}
        return ac.read(rows, **more)


# ------------------------------------------------------------------ what every data set is made of


def difficulty(rng: np.random.Generator, law: str, mean: float, n: int) -> np.ndarray:
    """(I, 1) how often an item is annotated wrongly, so often in the mean."""
    found = {
        "beta": lambda: rng.beta(3 * mean, 3 * (1 - mean), n),
        "skewed": lambda: mean * rng.lognormal(-0.32, 0.8, n),
        "even": lambda: mean * rng.uniform(0, 2, n),
        "none": lambda: np.full(n, mean),
    }[law]()
    return np.asarray(found)[:, None].clip(0, 0.9)


def wrong(rng: np.random.Generator, truth: np.ndarray, kind: str, share: Any, shape: Any) -> Any:
    """(I, C) what is given where an annotation is wrong."""
    k, right = len(share), truth[:, None]
    if kind == "guesses":
        return rng.choice(k, shape, p=share)
    if kind == "neighbours":
        step = rng.choice([-1, 1], shape)
        outside = (right + step < 0) | (right + step >= k)
        return right + np.where(outside, -step, step)
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
    ordered: bool = False,
    ordinal: bool = False,
    top: float = 0,
) -> Draft:
    """Items of which nothing is wrong but slips; ``top`` is the share of a prevalent value."""
    share = np.arange(1, k + 1 - bool(top)) ** -float(zipf)
    share = np.append(top, (1 - top) * share / share.sum()) if top else share / share.sum()
    truth = rng.choice(k, n, p=share)
    truth = np.sort(truth) if ordered else truth
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
    unequal: str = "",
) -> Draft:
    """Sets of labels that are there independently of each other, and flip so.

    ``unequal`` labels are not equally hard, in both directions or in one of them.
    """
    share = rng.uniform(0.15, 0.5, k)
    truth = rng.random((n, k)) < share
    rate = difficulty(rng, law, error, n)[:, :, None] * np.ones(k)
    if unequal == "evenly":
        rate = rate / error * rng.uniform(0.01, 0.2, k)
    elif unequal:
        rate = rate / error * np.minimum(0.06 * rng.lognormal(-0.2, 0.7, k), 0.25)
    if unequal == "one way":
        rate = np.where(truth[:, None] == (rng.random(k) < 0.5), rate, 0.03)
    flips = rng.random((n, c, k)) < rate
    bits = 1 << np.arange(k)
    x = (truth[:, None] ^ flips) @ bits
    return Draft(rng, truth @ bits, x, k, np.full(c, error), sets=True)


def assigned(rng: np.random.Generator, n: int, c: int, each: int, design: str) -> np.ndarray:
    """(I, C) who annotates what."""
    if each >= c:
        return np.ones((n, c), bool)
    if design == "blocks":  # each part of the file has its own coders, some of whom go on
        first = (np.arange(n) * 8 // n) * max(1, each - 1)
        chosen = (first[:, None] + np.arange(each)) % c
    else:
        weight = 1 / np.arange(1, c + 1) if design == "sparse" else np.ones(c)
        chosen = np.argsort(-np.log(weight) - rng.gumbel(size=(n, c)), axis=1)[:, :each]
    return np.asarray((chosen[:, :, None] == np.arange(c)).any(1))


def seeded(name: str, seed: int) -> np.random.Generator:
    """The same data set whenever it is asked for."""
    return np.random.default_rng([crc32(name.encode()), seed])


# ------------------------------------------------------------------ no cause


def broad(rng: np.random.Generator, least: int = 2, **more: Any) -> Draft:
    """A null of any size, with any number of coders and values and any design."""
    n, k = rng.choice(ITEMS), max(least, rng.choice(MANY_VALUES))
    c, each = CROWDS[rng.integers(len(CROWDS))]
    draft = drafted(rng, int(n), c, int(k), **{"zipf": rng.choice(ZIPF), **more})
    draft.present = assigned(rng, int(n), c, each, rng.choice(["random", "blocks", "sparse"]))
    return draft


def thresholds(rng: np.random.Generator) -> Draft:
    """A latent quantity, read with noise and cut into the values of a scale."""
    draft = broad(rng, 3, ordinal=True)
    share = np.arange(1, draft.k + 1.0) ** -rng.choice(ZIPF)
    cuts = ndtri(np.cumsum(share / share.sum())[:-1])
    latent = rng.normal(size=(len(draft.truth), 1))
    draft.x = np.digitize(latent + rng.uniform(0.15, 0.5) * rng.normal(size=draft.x.shape), cuts)
    return draft


def spammers(rng: np.random.Generator) -> Draft:
    """Some of many coders answer at random, by the shares, or always alike."""
    draft = drafted(rng, 300, 30, int(rng.choice(VALUES)), zipf=rng.choice(ZIPF), law="beta")
    draft.odd = tuple(int(s) for s in rng.choice(30, 4, replace=False))
    for j, s in enumerate(draft.odd):
        alike = np.full(300, rng.integers(draft.k))
        draft.x[:, s] = (rng.integers(draft.k, size=300), rng.permutation(draft.truth), alike)[
            j % 3
        ]
    draft.present = assigned(rng, 300, 30, 7, "random")
    return draft


def sets(rng: np.random.Generator, law: str = "none", unequal: str = "") -> Draft:
    """Each label is forgotten or added independently."""
    c, each = CROWDS[rng.integers(len(CROWDS))]
    n, k = int(rng.choice(ITEMS)), int(rng.integers(3, 7))
    draft = drafted_sets(rng, n, c, k, law=law, error=rng.uniform(0.02, 0.08), unequal=unequal)
    draft.present = assigned(rng, n, c, each, "random")
    return draft


NULLS: dict[str, Callable[[np.random.Generator], Draft]] = {
    "guesses": lambda rng: broad(rng, slip="guesses", error=0.25),
    "slips": lambda rng: broad(rng, error=rng.uniform(0.05, 0.25)),
    "neighbour slips": lambda rng: broad(rng, 3, slip="neighbours", ordinal=True),
    "beta items": lambda rng: broad(rng, law="beta"),
    "abilities": lambda rng: broad(rng, ability=rng.uniform(0, 0.15), error=0.2),
    "spammers": spammers,
    "thresholds": thresholds,
    "sorted by class": lambda rng: broad(rng, ordered=True, law="beta"),
    "prevalent value": lambda rng: broad(rng, top=rng.uniform(0.7, 0.95), error=0.1),
    "label flips": sets,
    "hard sets": lambda rng: sets(rng, "beta"),
    "unequal labels": lambda rng: sets(rng, unequal="evenly"),
    "very unequal labels": lambda rng: sets(rng, "beta", unequal="widely"),
    "labels omitted or added": lambda rng: sets(rng, unequal="one way"),
}
"""Data of which nothing is to be said."""


def null_world(name: str, seed: int) -> World:
    """Data of which nothing is to be said, but of coders who answer at random."""
    return NULLS[name](seeded(name, seed)).world()


# ------------------------------------------------------------------ one cause


@dataclass(frozen=True)
class Plant:
    """A cause that hits annotations at a rate; ``most`` is the rate at full strength."""

    add: Callable[[Draft, float], Cause]
    most: float
    base: dict[str, Any]


PLANTS: dict[str, Plant] = {}


def plant(most: float, **base: Any) -> Callable[[Callable[[Draft, float], Cause]], Any]:
    """Register a cause; ``base`` says what is special about the data it is planted in."""

    def register(function: Callable[[Draft, float], Cause]) -> Any:
        PLANTS[function.__name__.replace("_", " ")] = Plant(function, most, base)
        return function

    return register


@plant(0.35)
def confused_pair(d: Draft, rate: float, two: tuple[int, ...] = ()) -> Cause:
    """Two values are taken for each other."""
    k, m = two or d.values()
    d.give(d.some(np.isin(d.x, (k, m)), rate), k + m - d.x)
    return Cause("pair", values=(k, m))


@plant(0.2, zipf=1)
def frequent_pair(d: Draft, rate: float) -> Cause:
    """The two most frequent values of many are taken for each other."""
    return confused_pair(d, rate, (0, 1))


@plant(0.35, sets=True)
def pair_in_sets(d: Draft, rate: float) -> Cause:
    """Where one of two labels is given, the other is given in its place."""
    k, m = d.values(2)
    one = (d.x >> k & 1) != (d.x >> m & 1)
    d.give(d.some(one, rate), d.x ^ (1 << k | 1 << m))
    return Cause("pair", values=(k, m))


@plant(0.4, least_values=6)
def chain(d: Draft, rate: float) -> Cause:
    """Four values in a row, without an order that is known, are taken for the next ones."""
    row = np.array(d.values(4))
    at = (d.x[:, :, None] == row).argmax(-1)
    to = at + d.rng.choice([-1, 1], d.x.shape)
    inside = (to >= 0) & (to < len(row))
    d.give(d.some(inside & np.isin(d.x, row), rate), row[to.clip(0, len(row) - 1)])
    return Cause("chain", values=tuple(row.tolist()))


@plant(0.3)
def biased_coder(d: Draft, rate: float) -> Cause:
    """A coder gives one value in place of any other."""
    c, (m,) = d.coder(), d.values(1)
    d.give(d.some(d.only(c), rate), m)
    return Cause("coder_gives", (c,), (m,))


@plant(0.6, least_values=4)
def coder_cell(d: Draft, rate: float) -> Cause:
    """A coder gives one value for another."""
    c, (k, m) = d.coder(), d.values()
    d.give(d.some(d.only(c) & (d.x == k), rate), m)
    return Cause("coder_gives", (c,), (m,), instead=(k,))


@plant(0.9, least_values=4)
def avoiding_coder(d: Draft, rate: float) -> Cause:
    """A coder gives anything else in place of one value."""
    c, (k,) = d.coder(), d.values(1)
    other = (k + d.rng.integers(1, d.k, d.x.shape)) % d.k
    d.give(d.some(d.only(c) & (d.x == k), rate), other)
    return Cause("coder_gives", (c,), (k,), direction="less")


@plant(0.3, sets=True)
def coder_adds(d: Draft, rate: float) -> Cause:
    """A coder adds a label."""
    c, (m,) = d.coder(), d.values(1)
    d.give(d.some(d.only(c), rate), d.x | 1 << m)
    return Cause("label_added", (c,), (m,))


@plant(0.6, sets=True)
def coder_omits(d: Draft, rate: float) -> Cause:
    """A coder leaves out a label."""
    c, (m,) = d.coder(), d.values(1)
    d.give(d.some(d.only(c), rate), d.x & ~(1 << m))
    return Cause("label_omitted", (c,), (m,))


@plant(0.4, sets=True)
def omitted_label(d: Draft, rate: float) -> Cause:
    """Every coder often leaves out a label, which is hard by itself."""
    (m,) = d.values(1)
    d.give(d.some(d.only(*range(d.x.shape[1])), rate), d.x & ~(1 << m))
    return Cause("label_omitted", (), (m,))


@plant(0.35, sets=True)
def added_label(d: Draft, rate: float) -> Cause:
    """Every coder often adds a label."""
    (m,) = d.values(1)
    d.give(d.some(d.only(*range(d.x.shape[1])), rate), d.x | 1 << m)
    return Cause("label_added", (), (m,))


@plant(0.4, sets=True)
def exchanged_label(d: Draft, rate: float) -> Cause:
    """Every coder often gives one label in place of another."""
    k, m = d.values(2)
    d.give(d.some((d.x >> k & 1) > (d.x >> m & 1), rate), d.x ^ (1 << k | 1 << m))
    return Cause("pair", values=(k, m))


@plant(1.0)
def random_coder(d: Draft, rate: float) -> Cause:
    """A coder guesses."""
    c = d.coder()
    d.give(d.some(d.only(c), rate), d.anything())
    return Cause("coder", (c,))


@plant(0.5)
def sloppy_coder(d: Draft, rate: float) -> Cause:
    """A coder slips more often than others."""
    c, share = d.coder(), np.full(d.k, 1 / d.k)
    d.give(d.some(d.only(c), rate), wrong(d.rng, d.truth, "slips", share, d.x.shape))
    return Cause("coder", (c,))


@plant(0.9)
def swapped_keys(d: Draft, rate: float) -> Cause:
    """A coder takes each of two values for the other."""
    c, (k, m) = d.coder(), d.values()
    d.give(d.some(d.only(c) & np.isin(d.x, (k, m)), rate), k + m - d.x)
    return Cause("swapped", (c,), (k, m))


@plant(0.5, ordinal=True)
def shifted_threshold(d: Draft, rate: float) -> Cause:
    """A coder is a step higher, or lower, than others."""
    c = d.coder()
    by = d.rng.choice([-1, 1])
    d.give(d.some(d.only(c), rate), np.clip(d.x + by, 0, d.k - 1))
    return Cause("shifted", (c,))


@plant(0.6, least=4)
def groups_of_coders(d: Draft, rate: float) -> Cause:
    """Some coders take one value for another, the others the reverse."""
    (k, m), c = d.values(), d.x.shape[1]
    one = d.rng.permutation(c)[: d.rng.integers(2, c - 1)].tolist()
    mine = d.only(*one)
    d.give(d.some((d.x == k) & mine | (d.x == m) & ~mine, rate), k + m - d.x)
    return Cause("coder_groups", tuple(one), (k, m))


@plant(0.45)
def hard_group(d: Draft, rate: float) -> Cause:
    """The items of one group are hard."""
    names = np.array(["essay", "news", "poem", "speech"])
    d.groups = names[d.rng.choice(4, len(d.truth), p=(0.2, 0.4, 0.1, 0.3))]
    d.give(d.some(d.groups[:, None] == "essay", rate), d.anything())
    return Cause("item_group", place=("genre", "essay"))


TOGETHER = ("frequent pair + biased coder", "swapped keys + hard group", "chain + sloppy coder")


def planted_world(
    name: str, seed: int, strength: float = 1, n: int = 300, coders: int = 0
) -> World:
    """Data with one planted cause, or with two: ``confused pair + biased coder``."""
    rng, plants = seeded(name, seed), [PLANTS[each] for each in name.split(" + ")]
    base = {key: value for each in plants for key, value in each.base.items()}
    least = 5 if len(plants) > 1 else base.get("least", 3)  # most others must not be to blame
    c = coders or max(least, int(rng.choice(CODERS)))
    k, law = max(base.get("least_values", 3), int(rng.choice(VALUES))), str(rng.choice(LAWS))
    if base.get("sets"):
        draft = drafted_sets(rng, n, c, min(k, 6), law=law, error=0.04)
    else:
        ordinal = base.get("ordinal", False)
        zipf, slip = base.get("zipf", rng.choice(ZIPF)), "neighbours" if ordinal else "slips"
        error = rng.uniform(*ERROR)
        draft = drafted(rng, n, c, k, zipf=zipf, law=law, error=error, ordinal=ordinal, slip=slip)
        draft.present = rng.random(draft.x.shape) >= rng.choice(MISSING)
    strength *= 1 + rng.uniform(-0.1, 0.1)
    draft.clean = draft.x
    return draft.world(*(x.add(draft, min(1, x.most * strength)) for x in plants))


# ------------------------------------------------------------------ what is said of it

POOR, ORDINARY = 0.05, 0.02
"""How much more often than the median a coder errs of whom that can be said."""


@dataclass(frozen=True)
class Verdict:
    """What is to be counted of one data set.

    ``warned``: something false was said. ``page``: with a warning, so that a report begins with
    it. ``headline``: it is the first finding. ``first``: that one is right. ``found``: all causes were found. ``spurious``:
    findings that are neither the right one of a cause nor true.
    """

    warned: bool
    page: bool
    headline: bool
    first: bool
    found: bool
    spurious: int


def judged(world: World) -> Verdict:
    """Compare what `diagnose` says with what is true; each cause is told once."""
    found = [f for f in ac.diagnose(world.data).pooled.patterns if "gain" in f.facts]
    left = [f for f in found if not _true(world, f)]
    false, hits = list(left), 0
    for cause in world.causes:
        told = next((f for f in left if right(f, cause)), None)
        hits += told is not None
        if told is not None:
            left.remove(told)
    return Verdict(
        warned=bool(false),
        page=any(f.severity == "warning" for f in false),
        headline=bool(false) and found[0] is false[0] and found[0].severity == "warning",
        first=bool(found) and any(right(found[0], c) for c in world.causes),
        found=hits == len(world.causes),
        spurious=len(left),
    )


def _true(world: World, f: Any) -> bool:
    """Whether it is true though it was not planted: a difference in ability."""
    who = {int(c[1:]) for c in f.facts["coders"]}
    if who & {c for cause in world.causes for c in cause.coders}:
        return False
    differs = ORDINARY if f.facts["place"] == ("ordinary",) else POOR
    poor = np.flatnonzero(world.rates > np.median(world.rates) + differs).tolist()
    return bool(who) and (who <= world.odd or (f.code == "coder" and who <= set(poor)))


def right(f: Any, cause: Cause) -> bool:
    """Whether a finding names the kind, the coders, the labels and the place of a cause."""
    who = {int(c[1:]) for c in f.facts["coders"]}
    what = [
        int(str(x).removeprefix("v")) for x in f.facts["labels"] if str(x) not in ("other", "()")
    ]
    values = list(cause.values)
    named = what in (values, values[::-1]) if f.code == "chain" else sorted(what) == sorted(values)
    other = f.code == "coder_groups" and not who & set(cause.coders)
    place = not cause.place or f.facts["place"] == cause.place
    if f.code == "coder_gives":
        second = f.facts["second"]
        place = f.facts["direction"] == cause.direction
        place &= second is None or str(second).removeprefix("v") in map(str, cause.instead)
    return f.code == cause.code and (who == set(cause.coders) or other) and named and place
