"""Draws from the posterior of confusion matrices that have a population behind them.

The model, for item i, coder c, categories k and answers o::

    z_i ~ π                           what is true of the item
    y_ci ~ θ_c,z_i                    what the coder answers
    θ_ck ~ Dirichlet(a_k)             row k of a coder: a_k / Σ a_k is the row of the population,
                                      Σ a_k how many annotations it is worth to a coder
    a_ko ~ Gamma(shape_ko, RATE)      so the mean row and its worth are learned, each row its own
    π ~ Dirichlet(1, …, 1)

and a_kk is the largest of its row, unless control items tell what k is: a category is what most
coders call so. Without that a rare category can turn into one of items that all find hard.

Confusion matrices, prevalence and labels are drawn from their full conditional distributions. That
of a_ko becomes a Gamma distribution with two auxiliary variables for each coder and row, the number
of tables of a Chinese restaurant that its count fills and a Beta variable (Escobar & West 1995; Teh
et al. 2006, appendix A). Metropolis steps along whole rows and single a_ko, with the matrices
integrated out, make it move faster. All chains go together, as one more axis.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...arrays import Bools, Floats, Ints
from ..emission import IMPOSSIBLE
from ..votes import UNKNOWN, Votes

__all__ = ["RATE", "Draw", "draws_of", "effective_size", "r_hat", "shape_of"]

RIGHT, WRONG = 2.0, 1.0
"""Shape of a_kk, and of all other a_ko together: being right is twice as likely beforehand."""
RATE = 0.15  # so that a row of the population is worth 20 annotations beforehand, give or take 12
STEPS = (0.1, 0.4, 1.2)  # how far a Metropolis step goes on the logarithm: one will suit
LEAST = 1e-8  # smallest a_ko: an answer that nobody ever gave there


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


@dataclass(frozen=True, eq=False)
class Draw:
    """One draw of each of H chains.

    Parameters
    ----------
    beliefs : ndarray
        (I, H, K) probability of each category given everything else: z without its chance.
    prevalence : ndarray
        (H, K)
    confusion : ndarray
        (H, C, K, O)
    log_likelihood : ndarray
        (H,) of all annotations, what is true summed out.
    """

    beliefs: Floats
    prevalence: Floats
    confusion: Floats
    log_likelihood: Floats


def shape_of(n_categories: int, n_answers: int) -> Floats:
    """(K, O) shapes of the prior of a_ko."""
    wrong = np.full((n_categories, n_answers), WRONG / max(n_answers - 1, 1))
    np.fill_diagonal(wrong, RIGHT)
    return wrong


def draws_of(votes: Votes, start: Floats, rng: np.random.Generator) -> Iterator[Draw]:
    """Draw after draw, without end.

    Parameters
    ----------
    votes : Votes
        I items, C coders, K categories, O answers.
    start : ndarray
        (H, I, K) beliefs that each chain starts from.
    rng : Generator

    Yields
    ------
    Draw
    """
    n_chains = len(start)
    shape = shape_of(votes.n_categories, votes.n_answers)
    population = np.broadcast_to(shape / RATE, (n_chains, *shape.shape))
    told = np.isin(np.arange(votes.n_categories), votes.known)
    truth = _categories(np.ascontiguousarray(start.transpose(1, 0, 2)), rng)
    while True:
        counts = _counts(votes, truth)
        population = _population(population, counts, shape, told, rng)
        logs = _log_dirichlet(population[:, None] + counts, rng)
        of_category = _held(truth, votes.n_categories)
        log_prevalence = _log_dirichlet(1.0 + of_category, rng)
        beliefs, log_likelihood = _beliefs(votes, logs, log_prevalence)
        truth = _categories(beliefs, rng)
        yield Draw(beliefs, np.exp(log_prevalence), np.exp(logs), log_likelihood)


def _counts(votes: Votes, truth: Ints) -> Floats:
    """(H, C, K, O) how often each coder gave each answer where k is true."""
    k, o = votes.n_categories, votes.n_answers
    place = votes.coder.astype(np.int64) * (k * o) + votes.label
    size = votes.n_coders * k * o
    by_chain = np.ascontiguousarray(truth.T)
    counted = [np.bincount(place + o * z[votes.item], votes.times, size) for z in by_chain]
    return np.array(counted, np.float64).reshape(-1, votes.n_coders, k, o)


def _held(truth: Ints, k: int) -> Floats:
    """(H, K) items of each category."""
    return np.array([np.bincount(z, minlength=k) for z in truth.T], float)


def _beliefs(votes: Votes, logs: Floats, log_prevalence: Floats) -> tuple[Floats, Floats]:
    """(I, H, K) beliefs and (H,) log-likelihoods."""
    n_chains, c, k, o = logs.shape
    table = np.ascontiguousarray(logs.transpose(1, 3, 0, 2)).reshape(c * o, n_chains * k)
    joint = np.asarray(votes.by_item @ table).reshape(-1, n_chains, k)
    joint += log_prevalence
    control = votes.known != UNKNOWN
    if control.any():
        other = np.arange(k) != votes.known[control][:, None]
        joint[control] = np.where(other[:, None, :], IMPOSSIBLE, joint[control])
    top = joint.max(2, keepdims=True)
    joint -= top
    np.exp(joint, out=joint)
    total = joint.sum(2, keepdims=True)
    joint /= total
    return joint, (top + np.log(total)).sum((0, 2))


def _categories(beliefs: Floats, rng: np.random.Generator) -> Ints:
    """(I, H) one category each, by its probability (I, H, K)."""
    u = rng.random(beliefs.shape[:2])
    found = np.zeros(u.shape, np.int64)
    up_to = np.zeros(u.shape)
    for k in range(beliefs.shape[2] - 1):
        up_to += beliefs[:, :, k]
        found += u >= up_to
    return found


def _log_dirichlet(a: Floats, rng: np.random.Generator) -> Floats:
    """Logarithms of shares, rows (..., O) of Dirichlet(a); small a do not underflow.

    A Gamma variable with a below 1 is one with a + 1, times a uniform one to the power 1 / a.
    """
    logs = np.log(rng.standard_gamma(a + 1)) + np.log1p(-rng.random(a.shape)) / a
    logs -= logs.max(-1, keepdims=True)
    logs -= np.log(np.exp(logs).sum(-1, keepdims=True))
    return np.asarray(logs)


def _population(
    a: Floats, counts: Floats, shape: Floats, told: Bools, rng: np.random.Generator
) -> Floats:
    """(H, K, O) a_ko, given how often each coder gave each answer (H, C, K, O)."""
    worth = a.sum(-1)[:, None]  # (H, 1, K)
    n = counts.sum(-1)  # (H, C, K)
    some = n > 0
    drawn = rng.beta(np.broadcast_to(worth, n.shape)[some], n[some])
    log_u = np.zeros(n.shape)
    log_u[some] = np.log(np.maximum(drawn, 1e-300))
    tables = _tables(counts, a, rng)
    rate = RATE - log_u.sum(1)[..., None]
    new = np.maximum(rng.standard_gamma(shape + tables) / rate, LEAST)
    a = np.where(_allowed(new, told)[..., None], new, a)
    return _moved(a, counts, shape, told, rng)


def _allowed(a: Floats, told: Bools) -> Bools:
    """(H, K) whether most of the population call a category by its name."""
    k = np.arange(a.shape[1])
    return np.asarray((a[:, k, k] >= a.max(-1)) | told)


def _moved(
    a: Floats, counts: Floats, shape: Floats, told: Bools, rng: np.random.Generator
) -> Floats:
    """(H, K, O) after Metropolis steps on the logarithm, of a row as a whole and of one a_ko."""
    cells, rows = _cells(counts), _cells(counts.sum(-1, keepdims=True))
    old = _log_density(a, cells, rows, shape)
    for whole in (True, False):
        step = rng.choice(STEPS, a.shape[:2])[..., None] * rng.standard_normal((*a.shape[:2], 1))
        if not whole:
            one = rng.integers(a.shape[2], size=a.shape[:2])
            step = step * (np.arange(a.shape[2]) == one[..., None])
        new = np.clip(a * np.exp(step), LEAST, 1 / LEAST)
        value = _log_density(new, cells, rows, shape)
        accept = np.log1p(-rng.random(a.shape[:2])) < value - old
        accept &= _allowed(new, told)
        a, old = np.where(accept[..., None], new, a), np.where(accept, value, old)
    return a


def _cells(counts: Floats) -> tuple[Floats, Ints]:
    """Counts that are not 0 of (H, C, K, O), and where in (H, K, O) each belongs."""
    h, _, k, o = counts.shape
    of = np.broadcast_to(np.arange(h * k * o).reshape(h, 1, k, o), counts.shape)
    filled = counts > 0
    return counts[filled], of[filled]


def _log_density(
    a: Floats, cells: tuple[Floats, Ints], rows: tuple[Floats, Ints], shape: Floats
) -> Floats:
    """(H, K) log density of log a, confusion matrices integrated out, but for a constant."""
    from scipy.special import gammaln

    def rising(x: Floats, counted: tuple[Floats, Ints]) -> Floats:
        n, of = counted
        flat = x.reshape(-1)[of]
        found = np.bincount(of, gammaln(flat + n) - gammaln(flat), x.size)
        return np.asarray(found.reshape(x.shape).sum(-1))

    prior = (shape * np.log(a) - RATE * a).sum(-1)
    worth = a.sum(-1, keepdims=True)
    return np.asarray(prior + rising(a, cells) - rising(worth, rows))


def _tables(counts: Floats, a: Floats, rng: np.random.Generator) -> Floats:
    """(H, K, O) Σ_c number of tables that counts (H, C, K, O) fill in Chinese restaurants.

    The m-th customer opens a table with probability a / (a + m - 1).
    """
    of = np.broadcast_to(np.arange(a.size).reshape(a.shape)[:, None], counts.shape)
    filled = counts > 0
    n, cell = counts[filled].astype(np.int64), of[filled]
    first = np.bincount(cell, minlength=a.size)  # the first customer always opens one
    more = n - 1
    cell = np.repeat(cell, more)
    before = np.arange(len(cell)) - np.repeat(np.cumsum(more) - more, more) + 1
    flat = a.reshape(-1)[cell]
    opened = rng.random(len(cell)) * (flat + before) < flat
    return np.asarray(first + np.bincount(cell, opened, a.size), np.float64).reshape(a.shape)
