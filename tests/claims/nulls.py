"""Data sets of which nothing is to be said, whatever their size, design and difficulty."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import ndtri

from claims.worlds import (
    GRIDS,
    Draft,
    Grid,
    World,
    assigned,
    drafted,
    drafted_sets,
    pick,
    seeded,
    shares_of,
)

Null = Callable[[np.random.Generator, Grid], Draft]
NULLS: dict[str, Null] = {}


def null(function: Null) -> Null:
    """Register data sets of which nothing is to be said."""
    NULLS[getattr(function, "__name__", "")] = function
    return function


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


def null_world(grid: str, name: str, seed: int) -> World:
    """Data of which nothing is to be said."""
    return NULLS[name](seeded(grid, name, seed), GRIDS[grid]).world(name, ())
