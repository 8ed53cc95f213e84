"""Further data without a cause, of which no constant of the explainer knew when it was chosen.

They break what its null assumes: item difficulty of another shape, errors that go together, coders
who miss items for a reason, categories of unequal difficulty, very many or very few of anything.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import ndtri

from claims.worlds import Draft, World, assigned, drafted, drafted_sets, seeded, wrong

FURTHER: dict[str, Callable[[np.random.Generator], Draft]] = {}


def null(function: Callable[[np.random.Generator], Draft]) -> Any:
    """Register data under the name of its function."""
    FURTHER[function.__name__.replace("_", " ")] = function
    return function


def usual(rng: np.random.Generator, hard: Any = 1.0, **more: Any) -> Draft:
    """150 to 600 items, 3 to 9 coders, 3 to 8 values; ``hard`` is a factor (I, C) of the error."""
    n, c, k = (int(rng.integers(*ends)) for ends in ((150, 600), (3, 10), (3, 9)))
    n, c, k = more.pop("n", n), more.pop("c", c), more.pop("k", k)
    hard = hard(n) if callable(hard) else hard
    draft = drafted(rng, n, c, k, error=1e-9, zipf=float(rng.choice([0, 0.5, 1])), **more)
    return slipped(draft, rng.uniform(0.08, 0.2) * hard)


def slipped(d: Draft, error: Any, slip: str = "slips") -> Draft:
    """The same with errors at a rate (I, C)."""
    share = np.bincount(d.truth, minlength=d.k) / len(d.truth)
    hit = d.rng.random(d.x.shape) < np.clip(error, 0, 0.9)
    d.rate = np.broadcast_to(np.clip(error, 0, 0.9), d.x.shape).mean(0)
    d.give(hit, wrong(d.rng, d.truth, slip, share, d.x.shape))
    return d


@null
def a_few_very_hard_items(rng: np.random.Generator) -> Draft:
    return usual(rng, lambda n: np.where(rng.random((n, 1)) < 0.12, 5.0, 0.5))


@null
def difficulty_with_a_long_tail(rng: np.random.Generator) -> Draft:
    return usual(rng, lambda n: rng.lognormal(-0.7, 1.2, (n, 1)))


@null
def hard_categories(rng: np.random.Generator) -> Draft:
    d = usual(rng, 0.0)
    return slipped(d, rng.uniform(0.02, 0.35, d.k)[d.truth][:, None])


@null
def coders_of_any_ability(rng: np.random.Generator) -> Draft:
    d = usual(rng, 0.0, c=int(rng.integers(5, 10)))
    return slipped(d, rng.uniform(0.03, 0.3, d.x.shape[1])[None])


@null
def careful_and_careless_coders(rng: np.random.Generator) -> Draft:
    d = usual(rng, 0.0, c=8)
    return slipped(d, np.where(rng.permutation(8) < 4, 0.06, 0.22)[None])


@null
def errors_that_go_together(rng: np.random.Generator) -> Draft:
    """All who err on an item give the same wrong label."""
    d = usual(rng, 0.0)
    lure = (d.truth + rng.integers(1, d.k, len(d.truth))) % d.k
    hit = rng.random(d.x.shape) < rng.beta(0.4, 2.0, (len(d.truth), 1))
    d.give(hit, lure[:, None])
    return d


@null
def guesses_on_hard_items(rng: np.random.Generator) -> Draft:
    d = usual(rng, 0.3)
    return slipped(d, np.where(rng.random((len(d.truth), 1)) < 0.25, 0.6, 0.0), "guesses")


@null
def a_sparse_crowd(rng: np.random.Generator) -> Draft:
    d = usual(rng, n=400, c=60)
    d.present = assigned(rng, 400, 60, 3, "sparse")
    return d


@null
def a_hundred_coders(rng: np.random.Generator) -> Draft:
    d = usual(rng, 0.0, n=500, c=100)
    d.present = assigned(rng, 500, 100, 5, "random")
    return slipped(d, rng.uniform(0.05, 0.2, 100)[None])


@null
def a_file_in_blocks_by_class(rng: np.random.Generator) -> Draft:
    d = usual(rng, lambda n: rng.lognormal(-0.3, 0.7, (n, 1)), c=9, ordered=True)
    d.present = assigned(rng, len(d.truth), 9, 4, "blocks")
    return d


@null
def missing_by_coder(rng: np.random.Generator) -> Draft:
    d = usual(rng, c=6)
    d.present = rng.random(d.x.shape) < rng.uniform(0.15, 1, 6)
    return d


@null
def hard_items_skipped(rng: np.random.Generator) -> Draft:
    hard = rng.lognormal(-0.3, 0.8, (300, 1))
    d = usual(rng, hard, n=300)
    d.present = rng.random(d.x.shape) > np.clip(0.2 * hard, 0, 0.7)
    return d


@null
def rare_categories(rng: np.random.Generator) -> Draft:
    k = int(rng.integers(5, 12))
    share = np.arange(1, k + 1.0) ** -rng.uniform(1.5, 2.2)
    d = usual(rng, 0.0, k=k)
    d.truth = rng.choice(k, len(d.truth), p=share / share.sum())
    d.x = np.repeat(d.truth[:, None], d.x.shape[1], 1)
    return slipped(d, 0.12, str(rng.choice(["slips", "guesses"])))


@null
def fifty_categories(rng: np.random.Generator) -> Draft:
    return usual(rng, k=50)


@null
def two_categories(rng: np.random.Generator) -> Draft:
    return usual(rng, lambda n: rng.uniform(0, 2, (n, 1)), k=2)


@null
def two_coders(rng: np.random.Generator) -> Draft:
    return usual(rng, lambda n: rng.lognormal(-0.3, 0.7, (n, 1)), c=2)


@null
def few_items(rng: np.random.Generator) -> Draft:
    return usual(rng, n=int(rng.integers(12, 45)))


@null
def noise_on_a_scale(rng: np.random.Generator) -> Draft:
    """Noise of another size for each item and coder; cuts at unequal distances."""
    d = usual(rng, 0.0, ordinal=True)
    latent = rng.normal(size=(len(d.truth), 1))
    noise = rng.lognormal(-1.2, 0.5, (len(d.truth), 1)) * rng.uniform(0.7, 1.3, d.x.shape[1])
    cuts = ndtri(np.sort(rng.uniform(0.05, 0.95, d.k - 1)))
    d.x = np.digitize(latent + noise * rng.normal(size=d.x.shape), cuts)
    return d


@null
def any_errors_on_a_scale(rng: np.random.Generator) -> Draft:
    return usual(rng, ordinal=True)


@null
def columns_that_say_nothing(rng: np.random.Generator) -> Draft:
    """The share of the categories depends on the column, and these are not equally hard."""
    d = usual(rng, 0.0)
    slipped(d, rng.uniform(0.04, 0.3, d.k)[d.truth][:, None])
    d.groups = np.array(["p", "q", "r", "s", "t"])[(d.truth + (rng.random(len(d.truth)) < 0.4)) % 5]
    return d


@null
def labels_of_any_frequency(rng: np.random.Generator) -> Draft:
    """Sets of labels some of which are rare."""
    n, k = int(rng.integers(150, 500)), int(rng.integers(3, 7))
    truth = rng.random((n, k)) < rng.uniform(0.05, 0.7, k)
    flips = rng.random((n, int(rng.integers(3, 7)), k)) < rng.lognormal(-3.4, 0.6, (n, 1, 1))
    bits = 1 << np.arange(k)
    x = (truth[:, None] ^ flips) @ bits
    return Draft(rng, truth @ bits, x, k, np.zeros(x.shape[1]), sets=True)


@null
def sets_of_a_crowd(rng: np.random.Generator) -> Draft:
    d = drafted_sets(rng, 300, 20, 5, law="even", error=0.05)
    d.present = assigned(rng, 300, 20, 4, "random")
    return d


def further_world(name: str, seed: int) -> World:
    """Data of which nothing is to be said."""
    return FURTHER[name](seeded(name, seed)).world()
