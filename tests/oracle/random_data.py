"""1,200 random data sets, the same on every machine: what all peers are compared on."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np

from accordant import Agreement, AgreementTable, Annotations, agreement, read

N_SAMPLES = 1200
SEED = 20_240_611

EXACT = 1e-9
"""Two programs that sum the same terms in another order."""


@dataclass(frozen=True, eq=False)
class Sample:
    """Codes (items, coders), -1 for missing, of ``n_values`` categories 1, 2, ..."""

    number: int
    codes: Any
    n_values: int

    @property
    def complete(self) -> bool:
        return bool((self.codes >= 0).all())

    @property
    def n_coders(self) -> int:
        return int(self.codes.shape[1])

    @property
    def categories(self) -> list[int]:
        return list(range(1, self.n_values + 1))

    @cached_property
    def labels(self) -> list[list[int | None]]:
        """(coders, items) categories, None for missing."""
        return [[None if v < 0 else int(v) + 1 for v in column] for column in self.codes.T]

    @cached_property
    def floats(self) -> Any:
        """(coders, items) categories, NaN for missing."""
        return np.where(self.codes < 0, np.nan, self.codes + 1.0).T

    @cached_property
    def counts(self) -> Any:
        """(items, categories) number of coders."""
        return np.array([np.bincount(row[row >= 0], minlength=self.n_values) for row in self.codes])

    @cached_property
    def annotations(self) -> Annotations:
        return read(self.labels, categories=self.categories)

    @cached_property
    def pair(self) -> Sample:
        """The first two coders on the items that both annotated."""
        two = self.codes[:, :2]
        return Sample(self.number, two[(two >= 0).all(1)], self.n_values)

    @property
    def table(self) -> Any:
        """(categories, categories) of two coders."""
        found = np.zeros((self.n_values, self.n_values), dtype=int)
        np.add.at(found, (self.codes[:, 0], self.codes[:, 1]), 1)
        return found

    def __str__(self) -> str:
        items, coders = self.codes.shape
        return f"sample {self.number}: {items} items, {coders} coders, {self.n_values} categories"


@cache
def samples() -> list[Sample]:
    """2-6 coders, 2-8 categories, 4-40 items; half of the sets with up to half missing."""
    rng = np.random.default_rng(SEED)
    return [_sample(rng, number) for number in range(N_SAMPLES)]


def complete() -> list[Sample]:
    """The samples without missing annotations."""
    return [s for s in samples() if s.complete]


def pairs() -> list[Sample]:
    """Two coders on at least three common items."""
    found = [s.pair for s in samples()]
    return [p for p in found if len(p.codes) >= 3]


def _sample(rng: np.random.Generator, number: int) -> Sample:
    items, coders, k = rng.integers(4, 41), rng.integers(2, 7), rng.integers(2, 9)
    prevalence = rng.dirichlet(np.full(k, rng.choice([0.3, 1.0, 5.0])))
    truth = rng.choice(k, p=prevalence, size=(items, 1))
    guess = rng.choice(k, p=rng.dirichlet(np.ones(k)), size=(items, coders))
    skill = rng.uniform(0, 1, size=coders)
    codes = np.where(rng.random((items, coders)) < skill, truth, guess)
    if number % 2:
        codes = np.where(rng.random((items, coders)) < rng.uniform(0, 0.5), -1, codes)
        empty = (codes < 0).all(1)
        codes[empty, rng.integers(coders)] = truth[empty, 0]
    return Sample(number, codes, int(k))


def ours(sample: Sample, key: str, weights: Any = "identity", **options: Any) -> Agreement:
    """One coefficient of a sample; the categories are declared."""
    return ours_of(sample, [key], weights, **options)[key]


def ours_of(
    sample: Sample, keys: list[str], weights: Any = "identity", **options: Any
) -> AgreementTable:
    """Several coefficients of a sample in one call."""
    return agreement(sample.annotations, keys, weights=weights, **{"interval": "none", **options})


class Differences:
    """What a comparison found; at the end nothing may be left that is not explained."""

    def __init__(self) -> None:
        self.compared = 0
        self.found: list[str] = []

    def compare(
        self, sample: Sample, what: str, mine: float, theirs: float, *, within: float = EXACT
    ) -> None:
        """Two numbers; undefined equals undefined only."""
        self.compared += 1
        equal = np.isclose(mine, theirs, rtol=within, atol=within, equal_nan=True)
        if not equal:
            self.found.append(f"{sample}, {what}: ours {mine!r}, theirs {theirs!r}")

    def none_left(self, *, of_at_least: int) -> None:
        """Fail with the first differences; also if too little was compared."""
        assert not self.found, f"{len(self.found)} of {self.compared}:\n" + "\n".join(
            self.found[:10]
        )
        assert self.compared >= of_at_least
