"""Worlds for the claims of `decompose`, and how often it headlines a question in each.

``python -m benchmarks.decompositions 200`` prints every world; tests/claims has a small part.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Rows = list[list[Any]]


@dataclass(frozen=True)
class World:
    """How coders deviate from latent values, in which share of the annotations.

    ``kind`` of single labels: uniform, guess, near (neighbours on an unknown scale), scale (noise
    on it), pair, crossed, within; of sets of labels: flips, overlooked.
    """

    kind: str
    n_items: int = 500
    n_coders: int = 3
    n_values: int = 6
    zipf: bool = False
    hard: str = ""  # how difficult items are: two levels, or beta
    ability: float = 0.0
    rate: float = 0.15
    unequal: bool = False  # labels of sets

    @property
    def planted(self) -> bool:
        """Whether there is a question to find."""
        return self.kind in ("crossed", "within", "overlooked")

    @property
    def of_sets(self) -> bool:
        """Whether annotations are sets of labels."""
        return self.kind in ("flips", "overlooked")

    def rows(self, seed: int) -> tuple[Rows, set[Any]]:
        """One list for each coder; the values on one side of what was planted."""
        rng = np.random.default_rng(seed)
        return self._sets(rng) if self.of_sets else self._values(rng)

    def _chances(self, rng: np.random.Generator) -> NDArray[np.float64]:
        """(I, C) how likely each coder deviates on each item."""
        n = self.n_items
        hard = {
            "": np.ones(n),
            "two": np.where(rng.random(n) < 0.3, 2.5, 0.36),
            "beta": 3 * rng.beta(0.6, 1.2, n),
        }[self.hard]
        rate = self.rate + self.ability * rng.standard_normal(self.n_coders)
        return np.minimum(hard[:, None] * np.clip(rate, 0.02, 0.6), 0.9)

    def _values(self, rng: np.random.Generator) -> tuple[Rows, set[Any]]:
        k, shape = self.n_values, (self.n_items, self.n_coders)
        share = 1 / np.arange(1, k + 1) ** (1.2 * self.zipf)
        share /= share.sum()
        true = np.repeat(rng.choice(k, self.n_items, p=share)[:, None], self.n_coders, 1)
        deviates = rng.random(shape) < self._chances(rng)
        other = (true + rng.integers(1, k, shape)) % k
        block = np.arange(k) * 2 // k
        if self.kind == "guess":
            other = rng.choice(k, shape, p=share)
        elif self.kind == "near":
            other = true + rng.choice([-1, 1], shape)
            other = np.where(other < 0, 1, np.where(other >= k, k - 2, other))
        elif self.kind == "scale":
            other = np.clip(np.round(true + 0.9 * rng.standard_normal(shape)), 0, k - 1)
            deviates[:] = True
        elif self.kind == "pair":
            taken = (true < 2) & (rng.random(shape) < 0.35)
            deviates, other = deviates | taken, np.where(taken, 1 - true, other)
        elif self.planted:
            weight = np.where((block[:, None] != block) == (self.kind == "crossed"), 1.0, 0.1)
            np.fill_diagonal(weight, 0)
            weight = (weight / weight.sum(1, keepdims=True)).cumsum(1)
            other = (rng.random(shape)[..., None] > weight[true]).sum(2).clip(0, k - 1)
        name = rng.permutation(k)  # alphabetical order says nothing
        given = np.where(deviates, other, true).astype(int)
        return [[f"v{name[x]}" for x in coder] for coder in given.T], {
            f"v{name[x]}" for x in np.flatnonzero(block == 0)
        }

    def _sets(self, rng: np.random.Generator) -> tuple[Rows, set[Any]]:
        labels = "abcd"[: self.n_values]
        true = rng.random((self.n_items, len(labels))) < rng.uniform(0.2, 0.6, len(labels))
        of_label = rng.uniform(0.3, 2.5, len(labels)) if self.unequal else np.ones(len(labels))
        chances = np.minimum(self._chances(rng)[..., None] * of_label, 0.5)
        given = true[:, None] ^ (rng.random(chances.shape) < chances)
        if self.kind == "overlooked":  # an item, not a label
            given &= (rng.random(chances.shape[:2]) > 0.15)[..., None]
        return [
            [tuple(x for x, held in zip(labels, row, strict=True) if held) for row in coder]
            for coder in given.swapaxes(0, 1)
        ], {()}


def headlined(world: World, seed: int) -> tuple[bool, bool]:
    """Whether a question is headlined in a data set, and whether it is the planted one."""
    from accordant import decompose, read

    rows, side = world.rows(seed)
    found = decompose(read(rows, layout="transposed")).headline
    right = found is not None and side in map(set, found.partition.blocks)
    return found is not None, right


def grid() -> Iterator[World]:
    """Nulls, then what is planted."""
    hardness: tuple[dict[str, Any], ...] = (
        {},
        {"hard": "two"},
        {"hard": "beta"},
        {"ability": 0.05},
        {"ability": 0.1, "hard": "two"},
    )
    sizes: tuple[dict[str, Any], ...] = (
        {"n_items": 40, "n_values": 5},
        {"n_items": 2000, "n_coders": 2},
        {"n_items": 2000, "n_coders": 5, "n_values": 9},
        {"n_items": 2000, "n_values": 4},
        {"n_items": 300, "n_coders": 10, "n_values": 15},
        {"n_values": 3},
        {"n_values": 2},
    )
    for kind in ("uniform", "guess", "near"):
        for zipf in (False, True):
            yield from (World(kind, zipf=zipf, **more) for more in (*hardness, *sizes))
    for zipf in (False, True):
        yield from (World(kind, zipf=zipf) for kind in ("scale", "pair"))
    for unequal in (False, True):
        for hard in hardness:
            for coders, labels in ((2, 3), (3, 3), (4, 4)):
                yield World(
                    "flips",
                    n_coders=coders,
                    n_values=labels,
                    unequal=unequal,
                    **{"rate": 0.1} | hard,
                )
    for kind in ("crossed", "within"):
        yield from (World(kind, n_values=k, n_coders=c) for k, c in ((6, 3), (8, 3), (6, 5)))
        yield World(kind, n_coders=2)
    yield World("overlooked", n_values=3, rate=0.02)


def main(n: int) -> None:
    """Print every world."""
    for world in grid():
        found = [headlined(world, seed) for seed in range(n)]
        told, right = (sum(x[k] for x in found) for k in (0, 1))
        print(f"headline {told:4} right {right:4} of {n}  {world}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
