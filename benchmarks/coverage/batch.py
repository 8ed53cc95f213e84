"""The default intervals of many studies at once: whether each holds the true value.

A second way to the same answers, all studies with a leading axis, because the grid asks for a
million intervals; `grid` compares some of them with those of the package. S studies of I items
with M annotations each, K values.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from accordant.inference.distributions import least_share
from accordant.inference.intervals import ROUNDING
from accordant.inference.score import AGREED, DISPUTED, DISPUTES, FEW

__all__ = ["Studies"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Items:
    """What each item adds to observed and expected disagreement: x and y (S, I), 0 if it does not
    count; ``there`` (S, I) whether it does. ``wide`` (S, I): what Gwet's formulas add to its pull.
    """

    x: Floats
    y: Floats
    there: NDArray[np.bool_]
    wide: Floats | float = 0.0
    plain: Items | None = None  # by derivatives, where these leave out items

    @property
    def n(self) -> Floats:
        return self.there.sum(1).astype(float)

    def mean(self, what: Floats) -> Floats:
        return np.asarray((what * self.there).sum(1) / self.n)

    def reach(self, level: float) -> Floats:
        return np.asarray(stdtrit(self.n - 1, (1 + level) / 2))

    def score_holds(self, ratio: float, worst: float, level: float) -> NDArray[np.bool_]:
        """Whether a score test does not reject the ratio."""
        own = np.maximum(self.x, 0) * self.there
        far = np.maximum((own * self.y).sum(1) / own.sum(1), 0)
        tilt = np.where(self.x > ROUNDING, self.x, 0)
        x, y, there = self.x, self.y, self.there

        def total(f: Floats) -> Floats:
            return np.asarray((f * there).sum(1))

        all_x, all_y = total(x) + DISPUTED * worst, total(y) + (DISPUTED + 2 * AGREED) * far
        tilted_x = total(tilt * x) + DISPUTED * worst**2
        tilted_y = total(tilt * y) + DISPUTED * worst * far
        share = self.n * self.mean(y) / (all_x * tilted_y - tilted_x * all_y)
        a, b = share * (ratio * tilted_y - tilted_x), share * (all_x - ratio * all_y)
        weight = np.maximum(a[:, None] + b[:, None] * tilt, 0)
        square = total(weight * (x - ratio * y) ** 2)
        square += AGREED * np.maximum(a, 0) * (2 * ratio * far) ** 2
        square += DISPUTED * np.maximum(a + b * worst, 0) * (worst - ratio * far) ** 2
        value = self.mean(x) / self.mean(y)
        larger = total((x - value[:, None] * y) ** 2) * (ratio / value) ** 2
        many = total(own) ** 2 >= DISPUTES * total(own**2)
        highest = np.where(there, x, -np.inf).max(1)
        possible = many & (ratio > value) & (ratio * highest <= worst * value)
        square = np.where(possible, np.fmin(square, larger), square)
        away = self.mean(x) - ratio * self.mean(y)
        return np.asarray(away**2 <= self.reach(level) ** 2 * square / (self.n * (self.n - 1)))

    def error_holds(self, ratio: float, level: float) -> NDArray[np.bool_]:
        """Whether value ± t analytic standard errors hold it."""
        value = (self.mean(self.x) / self.mean(self.y))[:, None]
        pull = -(self.x - value * self.y) / self.mean(self.y)[:, None] + self.wide
        error = np.sqrt((pull**2 * self.there).sum(1) / (self.n * (self.n - 1)))
        return np.asarray((np.abs(value[:, 0] - ratio) <= self.reach(level) * error) & (error > 0))


@dataclass(frozen=True, eq=False)
class Studies:
    """Codes of values (S, I, M), -1 for none, and their coders; C coders, (K, K) weights."""

    coder: Ints
    value: Ints
    n_coders: int
    w: Floats

    def __post_init__(self) -> None:
        given = (self.value[..., None] == np.arange(len(self.w))).astype(float)
        counted = given.sum(2)
        size = counted.sum(-1)
        pairs = np.where(size > 1, size * (size - 1), 1)
        agreed = np.einsum("sik,kl,sil->si", counted, self.w, counted) - counted @ np.diag(self.w)
        self.__dict__.update(
            counted=counted,
            size=size,
            two=size > 1,
            apart=np.where(size > 1, 1 - agreed / pairs, 0.0),
            share=counted / np.maximum(size, 1)[..., None],
        )

    def holds(self, key: str, true: float, level: float = 0.95) -> dict[str, NDArray[np.float64]]:
        """Whether the intervals hold the true value: (S,) by method, NaN without a value."""
        items = getattr(self, f"_{key}")()
        expected, observed = items.mean(items.y), items.mean(items.x)
        known = np.isfinite(expected) & (np.abs(expected) > ROUNDING)
        perfect = observed < ROUNDING
        bound = 1 - np.array([least_share(int(n), level) for n in self.two.sum(1)])
        exact = (1 - true) * expected <= bound + ROUNDING
        worst = np.maximum(1 - self.w.min(), observed)
        found = {
            "auto": items.score_holds(1 - true, float(worst.max()), level),
            "analytic": (items.plain or items).error_holds(1 - true, level),
        }
        return {
            name: np.where(known, np.where(perfect, exact, held), np.nan)
            for name, held in found.items()
        }

    def _paired(self) -> tuple[Floats, NDArray[np.bool_], Floats]:
        """Observed disagreement where items count once, with single annotations in the sample."""
        there = self.size > 0
        weight = self.two * (there.sum(1) / self.two.sum(1))[:, None]
        observed = ((self.apart * self.two).sum(1) / self.two.sum(1))[:, None]
        return weight * (self.apart - observed) + observed, there, weight

    def _from_slope(self, expected: Floats, slope: Floats) -> Items:
        x, there, weight = self._paired()
        y = (1 - expected)[:, None] - slope
        value = 1 - (x * there).sum(1) / there.sum(1) / (1 - expected)
        return Items(x, y, there, value[:, None] * (weight - 1))

    def _shares(self) -> Floats:
        return np.asarray(self.share.sum(1) / (self.size > 0).sum(1)[:, None])

    def _percent(self) -> Items:
        none = np.zeros(len(self.value))
        return self._from_slope(none, np.zeros(self.size.shape))

    def _pi(self) -> Items:
        p = self._shares()
        expected = (p @ self.w * p).sum(1)
        slope = 2 * (np.einsum("sik,sk->si", self.share, p @ self.w) - expected[:, None])
        return self._from_slope(expected, slope)

    def _ac(self) -> Items:
        p, k = self._shares(), len(self.w)
        hard = self.w.sum() / (k * (k - 1))
        slope = -2 * hard * (np.einsum("sik,sk->si", self.share, p) - (p * p).sum(1)[:, None])
        return self._from_slope(hard * (p * (1 - p)).sum(1), slope)

    def _alpha(self) -> Items:
        size = self.size * self.two
        pool = (self.counted * self.two[..., None]).sum(1)
        n, mean = pool.sum(1), size.sum(1) / self.two.sum(1)
        observed = ((self.apart * size).sum(1) / n)[:, None]
        x = size / mean[:, None] * (self.apart - observed) + observed
        p = pool / n[:, None]
        both = (p @ self.w * p).sum(1)
        drawn = np.einsum("sik,sk->si", self.counted, p @ self.w)
        slope = 2 * self.two * (drawn - both[:, None] * self.size) / mean[:, None]
        large = 1 - both  # as Gwet linearises it, with replacement
        small = 1 - ((pool @ self.w * pool).sum(1) - pool @ np.diag(self.w)) / (n * (n - 1))
        value, ours = observed[:, 0] / large, observed[:, 0] / small
        pull = -(x - value[:, None] * (large[:, None] - slope)) / large[:, None]
        y = (x + small[:, None] * pull) / ours[:, None]
        return Items(x, np.where(ours[:, None] > 0, y, small[:, None]), self.two)

    def _kappa(self) -> Items:
        """By leaving out each item where coders give few labels, else by derivatives."""
        s, k = len(self.value), len(self.w)
        code = self.coder + self.n_coders * np.arange(s)[:, None, None]
        there = self.value >= 0
        n = (
            np.bincount(code[there] * k + self.value[there], minlength=s * self.n_coders * k)
            .reshape(s, self.n_coders, k)
            .astype(float)
        )
        of = n.sum(-1)
        p = n / np.maximum(of, 1)[..., None]
        own, present = np.einsum("sck,kl,scl->sc", p, self.w, p), (of > 0).sum(1)
        total = p.sum(1)
        pairs = present * (present - 1.0)
        expected = ((total @ self.w * total).sum(1) - own.sum(1)) / pairs
        at = np.arange(s)[:, None, None], self.coder
        plain = self._plain_kappa(p, of, total, pairs, expected)
        few = np.where(of > 0, of, FEW).min(1) < FEW
        if not few.any():
            return plain
        given = (self.value[..., None] == np.arange(k)).astype(float)
        left = of[at] - there
        without = np.where(there[..., None], (n[at] - given) / np.maximum(left, 1)[..., None], 0)
        new_own = np.einsum("simk,kl,siml->sim", without, self.w, without)
        change = np.where(there[..., None], without - p[at], 0).sum(2)
        rest = total[:, None] + change
        gone = (there & (left == 0)).sum(2)
        new_pairs = (present[:, None] - gone) * (present[:, None] - gone - 1.0)
        selves = own.sum(1)[:, None] + np.where(there, new_own - own[at], 0).sum(2)
        chance = ((rest @ self.w * rest).sum(-1) - selves) / new_pairs
        apart = (self.apart * self.two).sum(1)[:, None] - self.apart * self.two
        values = 1 - apart / (self.two.sum(1)[:, None] - self.two) / (1 - chance)
        x, counts, _ = self._paired()
        items = Items(x, x, counts)
        pull = (items.n[:, None] - 1) * (items.mean(values)[:, None] - values)
        ratio = (items.mean(x) / (1 - expected))[:, None]
        y = (x + (1 - expected)[:, None] * pull) / ratio
        bad = ~np.isfinite(np.where(counts, values, 0)).all(1) | ~(ratio[:, 0] > 0) | ~few
        return Items(x, np.where(bad[:, None], plain.y, y), counts, plain=plain)

    def _plain_kappa(
        self, p: Floats, of: Floats, total: Floats, pairs: Floats, expected: Floats
    ) -> Items:
        at = np.arange(len(p))[:, None, None], self.coder
        others = 2 * ((total[:, None] - p) @ self.w) / pairs[:, None, None]
        level = (others * p).sum(-1)
        pull = (others[*at, np.maximum(self.value, 0)] - level[at]) / of[at].clip(1)
        pull = (pull * (self.value >= 0)).sum(2) * (self.size > 0).sum(1)[:, None]
        return self._from_slope(expected, pull)
