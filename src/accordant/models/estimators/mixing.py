"""Whether chains of draws have found the same thing: R-hat and effective sample size."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["effective_size", "r_hat"]

Floats = NDArray[np.float64]


def r_hat(draws: Floats) -> Floats:
    """How much wider all chains together are than each alone: 1 if they agree.

    The larger of two figures, of ranks and of ranks of the distance to the median, each with the
    chains split in halves (Vehtari et al. 2021, section 3).

    Parameters
    ----------
    draws : ndarray
        (H, D, ...) draws of H chains.

    Returns
    -------
    ndarray
        (...,) from about 1 up; NaN for what never varies.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> same = rng.normal(size=(4, 500))
    >>> apart = same + np.array([[0], [0], [0], [3]])
    >>> r_hat(same).round(2).item(), r_hat(apart).round(1).item()
    (1.0, 1.5)
    """
    x = _halves(draws)
    folded = np.abs(x - np.median(x, axis=(0, 1)))
    return np.asarray(np.fmax(_ratio(_ranked(x)), _ratio(_ranked(folded))))


def effective_size(draws: Floats) -> Floats:
    """How many independent draws would tell the mean as well as these.

    Of ranks, by the initial monotone sequence of sums of pairs of autocorrelations (Vehtari et al.
    2021, equation 10; Geyer 1992).

    Parameters
    ----------
    draws : ndarray
        (H, D, ...) draws of H chains.

    Returns
    -------
    ndarray
        (...,) NaN for what never varies.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> bool(1500 < effective_size(rng.normal(size=(4, 500))) < 2500)
    True
    """
    x = _ranked(_halves(draws))
    n_chains, n = x.shape[:2]
    centred = x - x.mean(1, keepdims=True)
    spectrum = np.fft.rfft(centred, 2 * n, axis=1)
    auto = np.fft.irfft(spectrum * spectrum.conj(), 2 * n, axis=1)[:, :n].mean(0) / n
    within = auto[0] * n / (n - 1)
    between = x.mean(1).var(0, ddof=1) if n_chains > 1 else np.zeros(x.shape[2:])
    with np.errstate(invalid="ignore", divide="ignore"):
        correlation = 1 - (within - auto * n / (n - 1)) / (within * (n - 1) / n + between)
    correlation[0] = 1.0
    pairs = correlation[: n // 2 * 2].reshape(n // 2, 2, *x.shape[2:]).sum(1)
    positive = np.minimum.accumulate(np.where(pairs > 0, 1.0, 0.0), axis=0)
    falling = np.minimum.accumulate(pairs, axis=0) * positive
    length = np.maximum(2 * falling.sum(0) - 1, 1 / np.log10(n_chains * n))
    varies = np.ptp(draws, axis=(0, 1)) > 0
    return np.where(varies, n_chains * n / length, np.nan)


def _halves(draws: Floats) -> Floats:
    """(2 H, D // 2, ...) each chain as two."""
    half = draws.shape[1] // 2
    return np.concatenate([draws[:, :half], draws[:, draws.shape[1] - half :]])


def _ranked(x: Floats) -> Floats:
    """Normal scores of the ranks over all chains (Vehtari et al. 2021, equation 14)."""
    from scipy.special import ndtri
    from scipy.stats import rankdata

    flat = x.reshape(x.shape[0] * x.shape[1], -1)
    ranks = rankdata(flat, axis=0)
    return np.asarray(ndtri((ranks - 3 / 8) / (len(flat) + 1 / 4)).reshape(x.shape))


def _ratio(x: Floats) -> Any:
    n = x.shape[1]
    within = x.var(1, ddof=1).mean(0)
    between = x.mean(1).var(0, ddof=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = np.sqrt((n - 1) / n + between / within)
    return np.where(within > 0, ratio, np.where(between > 0, np.inf, np.nan))
