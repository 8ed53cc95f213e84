"""The public call that tells ambiguous items from erring coders."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..._version import __version__
from ...errors import RequestError
from ...inference.distributions import chi2_tail
from ...validation import checked
from ..call import fit
from ..each import Each
from ..emission import logs
from ..estimators.canonical import canonical
from ..model import Model
from ..posterior import Posterior
from ..posteriors import Posteriors
from ..sets.set_posterior import SetPosterior
from ..trust.states import merged, shares_of
from ..votes import Votes
from .ambiguous import Ambiguity
from .believing import each_of
from .concentrating import concentration, discrete
from .explaining import disagreements, expected_disagreement, surprises, told
from .noise import Noise, given_labels, noise, profile
from .parting import Parted, parted
from .rareness import adjusted, rareness
from .readings import likelihoods, read_as, same_size

__all__ = ["ambiguity"]

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]


@checked
def ambiguity(
    data: Any,
    model: str | Model = "blend",
    *,
    level: float = 0.1,
    schools: bool = True,
    rng: int = 0,
    progress: Callable[[int, int], None] | None = None,
    **more: Any,
) -> Ambiguity | Each[Ambiguity]:
    """Genuine ambiguity against noise: what coders explain, and what remains with the item."""
    if not 0 < level < 1:
        raise RequestError(f"the level must lie between 0 and 1, not {level!r}")
    fitted = isinstance(data, Posterior | SetPosterior | Posteriors)
    if fitted and more:
        raise RequestError(
            "an option for data; what was fitted has been read already",
            parameter=next(iter(more)),
        )
    each: list[Posterior] = []
    for one in each_of(data if fitted else fit(data, model, **more)):
        each += one.each if isinstance(one, SetPosterior) else [one]
    found = tuple(_found(one, level, schools, rng, progress) for one in each)
    return found[0] if len(found) == 1 else Each(found)


def _found(
    posterior: Posterior,
    level: float,
    schools: bool,
    rng: int,
    progress: Callable[[int, int], None] | None,
) -> Ambiguity:
    order = canonical(posterior.votes)  # so that draws hang on no names
    own = order.votes
    coders = noise(posterior, own)
    tested = _tested(own, coders, rng, progress)
    n_categories = own.n_categories
    apart = parted(posterior) if schools else Parted.none(posterior.votes.n_items)
    low, high = profile(coders)

    def back(x: Floats) -> Floats:
        return np.asarray(x[order.item])

    def by_category(x: Floats) -> Floats:
        return back(merged(x, coders.category, n_categories))[:, order.category]

    p_value, hard = back(tested.p_value), back(np.maximum(tested.hard, tested.p_value))
    result = Ambiguity(
        posterior, by_category(coders.beliefs), back(disagreements(own)),
        back(expected_disagreement(own, coders.emission, coders.beliefs)), back(tested.bits),
        by_category(tested.shares), back(coders.probability), p_value, adjusted(p_value),
        hard, discrete(hard, back(tested.least), level), level, coders.spread,
        coders.share, low, high,
        chi2_tail(coders.ratio, 1) / 2 if coders.ratio > 0 else 1.0,
        surprises(own, coders.emission, coders.prior)[_places(posterior.votes, own, order)],
        apart.schools, apart.differ, apart.between,
        f"accordant {__version__} | ambiguity: level {level:g}, seed {rng} | "
        f"{posterior.signature}",
    )  # fmt: skip
    return replace(result, findings=told(result, apart))


def _places(votes: Votes, own: Votes, order: Any) -> Ints:
    """(N,) where each annotation stands among those in canonical order."""
    width = own.n_coders * own.n_answers
    answer = order.answer[votes.label]
    cell = order.item[votes.item].astype(np.int64) * width
    cell += order.coder[votes.coder].astype(np.int64) * own.n_answers + answer
    there = own.item.astype(np.int64) * width + own.coder.astype(np.int64) * own.n_answers
    there += own.label
    sorted_at = np.argsort(there, kind="stable")
    return np.asarray(sorted_at[np.searchsorted(there[sorted_at], cell)])


@dataclass(frozen=True, eq=False)
class _Tested:
    """What was tested of each item; NaN for one annotation."""

    p_value: Floats  # (I,) that the usual errors look as ambiguous
    bits: Floats  # (I,)
    shares: Floats  # (I, S) readings
    hard: Floats  # (I,) that errors about a hard item concentrate as much
    least: Floats  # (I,) how small that could be


def _tested(
    votes: Votes, coders: Noise, rng: int, progress: Callable[[int, int], None] | None
) -> _Tested:
    usual = shares_of(coders.emission.log_likelihood(votes) + logs(coders.prior))
    nothing = np.full(votes.n_items, math.nan)
    p, bits, hard, least = nothing, nothing.copy(), nothing.copy(), nothing.copy()
    shares = coders.beliefs.copy()
    n_done = 0

    def done(n: int) -> None:
        nonlocal n_done
        n_done += n
        if progress is not None:
            progress(min(n_done, votes.n_items), votes.n_items)

    for items, given_at in same_size(votes):
        label = votes.label[given_at]
        table = likelihoods(coders.emission, votes, given_at)
        gain, theta = read_as(given_labels(table, label).transpose(2, 1, 0))
        bits[items], shares[items] = gain / math.log(2), theta.T
        split = (label != label[:, :1]).any(1)
        p[items] = hard[items] = least[items] = 1.0  # who say the same show no second reading
        done(int((~split).sum()))
        if split.any():
            seed, at = [rng, given_at.shape[1]], items[split]
            p[at] = rareness(
                table[split], usual[at], gain[split],
                lambda stage, seed=seed: np.random.default_rng([*seed, stage]), done,  # type: ignore[misc]
            )  # fmt: skip
            hard[at], least[at] = concentration(
                table[split], label[split], coders.beliefs[at], coders.category, votes.n_categories
            )
    return _Tested(p, bits, shares, hard, least)
