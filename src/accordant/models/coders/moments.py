"""Intervals of coders by moments: where confusion matrices are too large to be drawn."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..intervals import moments_interval
from .drawing import Expected

__all__ = ["METHOD", "MOST_DRAWN", "by_moments", "too_large"]

Floats = NDArray[np.float64]

METHOD = "expected counts, by moments: there are too many categories to draw confusion matrices"
MOST_DRAWN = 500_000  # cells of all confusion matrices; a hundred draws of so many take two seconds


def too_large(found: Expected) -> bool:
    """Whether confusion matrices have too many cells to be drawn in seconds."""
    return found.draws is None and found.counts.size > MOST_DRAWN


def by_moments(found: Expected, prevalence: Floats, level: float) -> list[tuple[Floats, Floats]]:
    """Lower and upper ends of the share of right labels (C,), skill (C,) and use of labels (C, K).

    Parameters
    ----------
    found : Expected
    prevalence : ndarray
        (K,)
    level : float

    Notes
    -----
    The rows of a confusion matrix are independent Dirichlet distributions, so the mean and the
    variance of a weighted sum of cells are known exactly: a row with parameters a, whose sum is A,
    and weights w has Σ w a / A and (Σ w² a / A - (Σ w a / A)²) / (A + 1). Shares are taken to
    follow the Beta distributions with these moments; skill is linearised (delta method), and half
    of one more than it is taken to follow one. One coder after the other, so that no more than a
    matrix is held.
    """
    ends = [_of_coder(found, c, prevalence) for c in range(len(found.counts))]
    means, spreads = (
        [np.array(x) for x in zip(*part, strict=True)] for part in zip(*ends, strict=True)
    )
    scale = np.maximum(found.met, 1 / np.maximum(found.counts.sum((1, 2)), 1)[:, None])
    right, use = (moments_interval(means[k], spreads[k], level) for k in (0, 2))
    skill = moments_interval((means[1] + 1) / 2, spreads[1] / 4, level)
    return [
        (right.low, right.high),
        (2 * skill.low - 1, 2 * skill.high - 1),
        (use.low / scale, use.high / scale),
    ]


def _of_coder(
    found: Expected, c: int, prevalence: Floats
) -> tuple[tuple[float, float, Floats], tuple[float, float, Floats]]:
    """Means and variances of right, skill and the shares (K,) of labels given by one coder."""
    shape = found.shape_of(c)
    total = shape.sum(1)
    mean = shape / total[:, None]
    more = total + 1
    k = np.arange(len(prevalence))
    diagonal = mean[k, k]
    right = float(prevalence @ diagonal)
    right_spread = float((prevalence**2 * diagonal * (1 - diagonal) / more).sum())
    # chance is a sum of cells too, each weighted by how frequent both of its categories are
    by_answer = np.append(prevalence, np.zeros(mean.shape[1] - len(k)))
    of_chance, of_chance_2 = mean @ by_answer, mean @ by_answer**2
    chance = float(prevalence @ of_chance)
    if chance >= 1 - 1e-12:
        skill, skill_spread = np.nan, np.nan
    else:
        skill = (right - chance) / (1 - chance)
        up, down = 1 / (1 - chance), (1 - right) / (1 - chance) ** 2  # slopes by right, chance
        own = up - down * prevalence
        first = up * diagonal - down * of_chance
        second = down**2 * (of_chance_2 - prevalence**2 * diagonal) + own**2 * diagonal
        skill_spread = float((prevalence**2 * (second - first**2) / more).sum())
    met = found.met[c]
    use = (met @ mean)[: len(k)]
    use_spread = ((met**2 / more) @ (mean * (1 - mean)))[: len(k)]
    return (right, skill, use), (right_spread, skill_spread, use_spread)
