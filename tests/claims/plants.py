"""Data sets with one cause of disagreement, or with two, and the explanation that is right."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from claims.worlds import (
    GRIDS,
    Cause,
    Draft,
    Grid,
    World,
    drafted,
    drafted_sets,
    pick,
    seeded,
    wrong,
)


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
    return Cause(("pair", "one_way"), values=(k, m))


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


@plant(0.3, least=4, least_values=5)
def one_direction(d: Draft, rate: float) -> Cause:
    """One value is taken for another, but not the other way round."""
    k, m = d.values()
    d.give(d.some(d.x == k, rate), m)
    return Cause(("pair", "one_way"), values=(k, m))


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
    return Cause(("coder_change", "coder_cell"), (c,), (k, m), (first, len(d.truth)))


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
    return Cause(("pair", "one_way"), values=(k, m))


@plant(1.0, sets=True)
def random_coder_of_sets(d: Draft, rate: float) -> Cause:
    """A coder of sets guesses."""
    return random_coder(d, rate)


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
        rng,
        n,
        c,
        k,
        zipf=base.get("zipf", pick(rng, grid.zipf)),
        law=law,
        error=rng.uniform(*grid.error),
        ordinal=ordinal,
        slip="neighbours" if ordinal else "slips",
    )
    draft.present = rng.random(draft.x.shape) >= pick(rng, grid.missing)
    return draft


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
