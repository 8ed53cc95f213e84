"""How often coders who all see the same give annotations that look as ambiguous as these."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .readings import reaches

__all__ = ["adjusted", "rareness"]

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]

MOST_OUTCOMES = 1 << 12  # ways to annotate an item up to which all are looked at
DRAWS = ((100, 0.2), (1_000, 0.02), (10_000, 0.0))
"""Draws of annotations in each round, and the p-value up to which an item enters the next."""
MOST_NUMBERS = 1_000_000  # drawn of an item with many annotations: 1,000 draws in any case
CELLS = 200_000  # numbers that are looked at together: as many as the cache holds
NEVER = 1e-4  # belief in a state below which it is not looked at
TIE = 1e-9


def rareness(
    table: Floats,
    belief: Floats,
    gain: Floats,
    generator: Callable[[int], np.random.Generator],
    done: Callable[[int], None] = lambda _: None,
) -> Floats:
    """(B,) posterior predictive p-values: that one reading for all gives as large a gain.

    Where there are few ways to annotate an item, all are looked at and the value is exact; else
    annotations are drawn, the more the smaller the value.

    Parameters
    ----------
    table : ndarray
        (B, n, S, O) probability of each answer of each coder in each state.
    belief : ndarray
        (B, S) what the state of each item is.
    gain : ndarray
        (B,) see `read_as`.
    generator : callable
        From the number of a round to random numbers.
    done : callable
        Called with how many items were finished.
    """
    b, n, s, o = table.shape
    exact = o**n <= MOST_OUTCOMES
    found = np.empty(b)
    step = max(1, CELLS // (o**n * n * s)) if exact else b
    outcomes = np.array(list(product(range(o), repeat=n))) if exact else np.empty((0, n), int)
    for start in range(0, b if exact else 0, step):
        part = slice(start, start + step)
        found[part] = _exact(table[part], belief[part], gain[part], outcomes)
        done(len(found[part]))
    if exact:
        return found
    left = np.arange(b)
    for stage, (n_draws, enough) in enumerate(DRAWS):
        rng = generator(stage)
        n_draws = min(n_draws, max(DRAWS[1][0], MOST_NUMBERS // (n * s)))
        size = max(1, CELLS // (n_draws * n * s))
        for start in range(0, len(left), size):
            some = left[start : start + size]
            found[some] = _drawn(table[some], belief[some], gain[some], n_draws, rng)
        done(int((found[left] > enough).sum()) if enough else len(left))
        left = left[found[left] <= enough]
        if not len(left):
            break
    return found


def _exact(table: Floats, belief: Floats, gain: Floats, outcomes: Ints) -> Floats:
    """(B,) from all outcomes (R, n)."""
    n = table.shape[1]
    given = table[:, np.arange(n), :, outcomes]  # (R, n, B, S)
    given = np.ascontiguousarray(given.transpose(3, 1, 2, 0))  # (S, n, B, R)
    weight = np.exp(np.log(given).sum(1))  # (S, B, R)
    far = _far(given, gain)
    return np.asarray(np.einsum("br,sbr,bs->b", far, weight, belief).clip(0, 1))


def _drawn(
    table: Floats, belief: Floats, gain: Floats, n_draws: int, rng: np.random.Generator
) -> Floats:
    """(B,) from draws given each state that may be the item's."""
    b, n, s, n_answers = table.shape
    uniform = rng.random((b, n_draws, n), dtype=np.float32)
    found = np.zeros(b)
    logs = np.log(table)
    for state in range(s):
        at = np.flatnonzero(belief[:, state] > NEVER)
        if not len(at):
            continue
        steps = table[at, :, state].cumsum(-1)[:, None].astype(np.float32)  # (b', 1, n, O)
        answer = np.zeros((len(at), n_draws, n), np.intp)
        for o in range(n_answers - 1):
            answer += uniform[at] > steps[..., o]
        # no readings explain an answer better than the best state, nor one less than this state
        most = logs[at].max(2) - logs[at, :, state]  # (b', n, O)
        item, who = np.arange(len(at))[:, None, None], np.arange(n)
        open_ = most[item, who, answer].sum(-1) >= gain[at][:, None] - TIE
        where, draw = np.nonzero(open_)
        given = table[at[where][:, None], who, :, answer[where, draw]]  # (M, n, S)
        given = np.ascontiguousarray(given.transpose(2, 1, 0))
        far = reaches(given, gain[at[where]] - TIE)
        n_far = np.bincount(where[far], minlength=len(at))
        found[at] += belief[at, state] * (1 + n_far) / (1 + n_draws)
    return found


def _far(given: Floats, gain: Floats) -> NDArray[np.bool_]:
    """(B, R) whether annotations (S, n, B, R) look as ambiguous as the item (B,)."""
    s, n, b, r = given.shape
    each = np.repeat(gain - TIE, r)
    return reaches(given.reshape(s, n, b * r), each).reshape(b, r)


def adjusted(p: Floats) -> Floats:
    """q-values of Benjamini & Hochberg (1995); NaN stays NaN and counts for nothing.

    Examples
    --------
    >>> adjusted(np.array([0.01, 0.04, 0.03, 0.5])).round(4).tolist()
    [0.04, 0.0533, 0.0533, 0.5]
    """
    found = np.full(len(p), np.nan)
    at = np.flatnonzero(~np.isnan(p))
    order = at[np.argsort(p[at], kind="stable")]
    raised = p[order] * len(order) / np.arange(1, len(order) + 1)
    found[order] = np.minimum.accumulate(raised[::-1])[::-1].clip(0, 1)
    return found
