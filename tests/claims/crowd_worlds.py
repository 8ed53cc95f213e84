"""Simulated crowds whose truth is known: labels, how good each coder is.

What a model says of its own certainty can be judged by them: of independent coders it must not take
away evidence, of dependent ones it must.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from zlib import crc32

import numpy as np
from benchmarks.crowds.gold import Crowd
from numpy.typing import NDArray

Ints = NDArray[np.integer[Any]]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class CrowdWorld:
    """One crowd and what is true of it. N annotations, I items, C coders, K categories.

    Parameters
    ----------
    name : str
    item, coder, label : ndarray
        (N,)
    truth : ndarray
        (I,)
    prevalence : ndarray
        (K,) probabilities that the truth was drawn with.
    right : ndarray
        (C,) probability that a coder is right.
    roles : tuple of str
        (C,) ``'good'``, ``'adversarial'``, ``'constant'`` or ``'random'``.
    independent : bool
        Whether coders err independently, as a model of confusion matrices assumes.
    """

    name: str
    item: Ints
    coder: Ints
    label: Ints
    truth: Ints
    prevalence: Floats
    right: Floats
    roles: tuple[str, ...]
    independent: bool = False

    @cached_property
    def crowd(self) -> Crowd:
        """The same as the benchmark has real crowds."""
        import pandas as pd

        items = np.array([f"item {i:05}" for i in range(len(self.truth))])
        labels = np.array(list("abcdefghijklmnop"))
        columns = {
            "item": items[self.item],
            "coder": np.array(self.coders)[self.coder],
            "label": labels[self.label],
        }
        gold = {i: (k,) for i, k in zip(items.tolist(), labels[self.truth].tolist())}
        return Crowd(self.name, pd.DataFrame(columns), gold, len(gold))

    @property
    def coders(self) -> tuple[str, ...]:
        """Names."""
        return tuple(f"coder {c:03}" for c in range(len(self.right)))

    def of_role(self, role: str) -> set[str]:
        """The names of the coders of a role."""
        return {name for name, own in zip(self.coders, self.roles) if own == role}


Make = Callable[[np.random.Generator], CrowdWorld]
CROWDS: dict[str, Make] = {}
"""Every kind of crowd by its name."""


def crowd(function: Make) -> Make:
    """Register a kind of crowd."""
    CROWDS[getattr(function, "__name__", "")] = function
    return function


def crowd_world(name: str, seed: int) -> CrowdWorld:
    """The same crowd whenever it is asked for."""
    return CROWDS[name](np.random.default_rng([crc32(name.encode()), seed]))


def teams(rng: np.random.Generator, n_items: int, n_coders: int, each: int) -> Ints:
    """(I, each) different coders of each item."""
    return rng.random((n_items, n_coders)).argsort(1)[:, :each]


def world(
    name: str,
    table: Ints,
    truth: Ints,
    prevalence: Floats,
    team: Ints,
    *,
    right: Floats | None = None,
    roles: tuple[str, ...] = (),
    independent: bool = False,
) -> CrowdWorld:
    """A crowd from what everybody would say (I, C) and who is asked (I, each)."""
    item = np.repeat(np.arange(len(truth)), team.shape[1])
    coder = team.ravel()
    if right is None:
        right = (table == truth[:, None]).mean(0)
    roles = roles or ("good",) * table.shape[1]
    label = table[item, coder]
    return CrowdWorld(name, item, coder, label, truth, prevalence, right, roles, independent)


def said(rng: np.random.Generator, confusion: Floats, seen: Ints) -> Ints:
    """(I, C) a label of each coder for what is seen, (I,) or (I, C); confusion is (C, K, K)."""
    seen = np.broadcast_to(seen if seen.ndim == 2 else seen[:, None], (len(seen), len(confusion)))
    cut = confusion.cumsum(2)[np.arange(len(confusion)), seen]
    return np.minimum((rng.random(seen.shape)[..., None] > cut).sum(2), confusion.shape[1] - 1)


def confusions(rng: np.random.Generator, n_coders: int, k: int, a: float, b: float) -> Floats:
    """(C, K, K) rows of one's own: the diagonal is Beta(a, b), the rest is shared out at random."""
    off = rng.dirichlet(np.ones(k - 1), (n_coders, k))
    right = rng.beta(a, b, (n_coders, k))
    out = np.empty((n_coders, k, k))
    for j in range(k):
        out[:, j, np.arange(k) != j] = (1 - right[:, j, None]) * off[:, j]
        out[:, j, j] = right[:, j]
    return out


# ------------------------------------------------------------------ independent coders


def independent(
    rng: np.random.Generator, name: str, n_items: int, k: int, n_coders: int, each: int
) -> CrowdWorld:
    """The model of Dawid and Skene itself."""
    prevalence = rng.dirichlet(np.full(k, 8.0))
    truth = rng.choice(k, n_items, p=prevalence)
    confusion = confusions(rng, n_coders, k, 6, 2.5)
    right = np.einsum("k,ckk->c", prevalence, confusion)
    return world(
        name,
        said(rng, confusion, truth),
        truth,
        prevalence,
        teams(rng, n_items, n_coders, each),
        right=right,
        independent=True,
    )


@crowd
def four_categories(rng: np.random.Generator) -> CrowdWorld:
    """Few annotations: 15 of each coder."""
    return independent(rng, "four_categories", 200, 4, 40, 3)


@crowd
def ten_categories(rng: np.random.Generator) -> CrowdWorld:
    """Confusion matrices of a hundred cells, from 53 annotations."""
    return independent(rng, "ten_categories", 400, 10, 30, 4)


@crowd
def ten_coders(rng: np.random.Generator) -> CrowdWorld:
    """Everybody annotates everything."""
    return independent(rng, "ten_coders", 200, 2, 10, 10)


@crowd
def three_of_sixty(rng: np.random.Generator) -> CrowdWorld:
    """Two categories, hardly known coders."""
    return independent(rng, "three_of_sixty", 400, 2, 60, 3)


def coins(
    rng: np.random.Generator, name: str, n_items: int, k: int, n_coders: int, each: int
) -> CrowdWorld:
    """Every wrong category is as probable, and no category is easier: one coin for each coder."""
    prevalence = rng.dirichlet(np.full(k, 8.0))
    truth = rng.choice(k, n_items, p=prevalence)
    right = rng.beta(6, 2.5, n_coders)
    confusion = np.repeat(((1 - right) / (k - 1))[:, None], k * k, axis=1).reshape(-1, k, k)
    confusion[:, np.arange(k), np.arange(k)] = right[:, None]
    return world(
        name,
        said(rng, confusion, truth),
        truth,
        prevalence,
        teams(rng, n_items, n_coders, each),
        right=right,
        independent=True,
    )


@crowd
def equal_errors(rng: np.random.Generator) -> CrowdWorld:
    """Four categories, forty annotations of each coder."""
    return coins(rng, "equal_errors", 300, 4, 30, 4)


@crowd
def ten_coins(rng: np.random.Generator) -> CrowdWorld:
    """Two categories, and everybody annotates everything."""
    return coins(rng, "ten_coins", 200, 2, 10, 10)


@crowd
def well_known(rng: np.random.Generator) -> CrowdWorld:
    """A hundred annotations of each coder: what intervals of coders should be right about."""
    return independent(rng, "well_known", 400, 3, 20, 5)


# ------------------------------------------------------------------ dependent coders

K, MORE = 3, 300


def ordinary(
    rng: np.random.Generator, n_items: int, n_coders: int, k: int = K
) -> tuple[Floats, Ints, Floats]:
    """Prevalence, truth and good coders."""
    prevalence = rng.dirichlet(np.full(k, 8.0))
    truth = rng.choice(k, n_items, p=prevalence)
    return prevalence, truth, confusions(rng, n_coders, k, 12, 2.5)


@crowd
def shared_difficulty(rng: np.random.Generator) -> CrowdWorld:
    """Most items are easy, few are hopeless, and most errors on an item are the same."""
    n, c = 400, 40
    prevalence, truth, _ = ordinary(rng, n, c)
    error, lure = rng.beta(0.6, 2.0, (n, 1)), (truth + rng.integers(1, K, n)) % K
    other = (truth[:, None] + rng.integers(1, K, (n, c))) % K
    wrong = np.where(rng.random((n, c)) < 0.7, lure[:, None], other)
    table = np.where(rng.random((n, c)) < error, wrong, truth[:, None])
    return world("shared_difficulty", table, truth, prevalence, teams(rng, n, c, 5))


@crowd
def bad_coders(rng: np.random.Generator) -> CrowdWorld:
    """One who gives the next category, one always the same label, one at random; nine good ones."""
    n, c = MORE, 12
    prevalence, truth, confusion = ordinary(rng, n, c)
    table = said(rng, confusion, truth)
    table[:, 0] = (table[:, 0] + 1) % K
    table[:, 1] = prevalence.argmax()
    table[:, 2] = rng.choice(K, n, p=prevalence)
    roles = ("adversarial", "constant", "random") + ("good",) * (c - 3)
    return world("bad_coders", table, truth, prevalence, teams(rng, n, c, 6), roles=roles)


# ------------------------------------------------------------------ where nothing can be known


@crowd
def one_label_each(rng: np.random.Generator) -> CrowdWorld:
    """No item has two annotations."""
    prevalence, truth, confusion = ordinary(rng, MORE, 15)
    table = said(rng, confusion, truth)
    return world("one_label_each", table, truth, prevalence, teams(rng, MORE, 15, 1))


@crowd
def disjoint_coders(rng: np.random.Generator) -> CrowdWorld:
    """Ten pairs of coders, each with items of its own."""
    prevalence, truth, confusion = ordinary(rng, MORE, 20)
    table = said(rng, confusion, truth)
    team = 2 * (np.arange(MORE) % 10)[:, None] + np.arange(2)
    return world("disjoint_coders", table, truth, prevalence, team)
