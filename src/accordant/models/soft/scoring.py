"""The public call that scores a model's predictions against soft labels."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ..._version import __version__
from ...errors import RequestError
from ...inference.distributions import t_quantile
from ...validation import checked
from ..each import Each
from ..posterior import TIE
from .call import soft_labels
from .distances import DISTANCES
from .measuring import Sums, errors, influences, mass_of, resampled, sums_of, values
from .model_scores import ModelScores, models_in, of_models
from .ordered import places
from .predictions import Predicted, predicted
from .reachable import one_coder, perfect, references, votes_of
from .remarks import remarks
from .soft_labels import SoftLabels
from .soft_scores import Score, SoftScores

__all__ = ["score_predictions"]

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]

NAMES = {
    "wasserstein": "Wasserstein distance",
    "entropy_gap": "entropy, predicted − coders",
    "entropy_correlation": "correlation of entropies",
    "entropy_similarity": "cosine of entropies",
    "accuracy": "accuracy (majority label)",
    "micro_f1": "micro F1 (majority label)",
    "macro_f1": "macro F1 (majority label)",
}
BETTER = {"wasserstein": "lower", "entropy_gap": "zero"}
RANGE = {
    "cross_entropy": (0.0, math.inf),
    "kl": (0.0, math.inf),
    "brier": (0.0, 2.0),
    "wasserstein": (0.0, math.inf),
    "entropy_gap": (-math.inf, math.inf),
    "entropy_correlation": (-1.0, 1.0),
}
"""Between what values a measure lies, in bits; others from 0 to 1."""
IN_BITS = ("cross_entropy", "kl", "js", "entropy_gap")


@checked
def score_predictions(
    predictions: Any,
    soft: Any,
    *,
    ties: Literal["left_out", "shared"] = "left_out",
    floor: float = 1e-12,
    unit: Literal["bits", "nats"] = "bits",
    clusters: Mapping[Hashable, Hashable] | None = None,
    interval: Literal["delta", "bootstrap"] = "delta",
    level: float = 0.95,
    n_resamples: int = 2000,
    rng: int = 0,
    **more: Any,
) -> SoftScores | ModelScores:
    """How well predictions fit what coders say, and how well that could be done at all."""
    _check(ties, floor, unit, interval, level, n_resamples)
    soft = _soft(soft, more)
    if (models := models_in(predictions, soft)) is not None:
        return of_models(
            models,
            lambda one: _scores(
                one, soft, ties, floor, unit, clusters, interval, level, n_resamples, rng
            ),
        )
    return _scores(
        predictions, soft, ties, floor, unit, clusters, interval, level, n_resamples, rng
    )


def _scores(
    predictions: Any,
    soft: SoftLabels,
    ties: Literal["left_out", "shared"],
    floor: float,
    unit: Literal["bits", "nats"],
    clusters: Mapping[Hashable, Hashable] | None,
    interval: Literal["delta", "bootstrap"],
    level: float,
    n_resamples: int,
    rng: int,
) -> SoftScores:
    """The scores of one model."""
    given = predicted(predictions, soft)
    scoring = _Scoring.of(soft, given, ties, floor, clusters)
    own = scoring.sums(scoring.distributions)
    g = len(scoring.order)
    moved = influences(own, scoring.cluster, g)
    value = _values(own)
    factor = _factors(own, unit)
    ends = np.array([RANGE.get(name, (0.0, 1.0)) for name in own.measures]).T * factor
    if interval == "bootstrap":
        drawn = resampled(own, scoring.cluster, scoring.order, n_resamples, rng)
        with np.errstate(invalid="ignore"):
            se = drawn.std(0, ddof=1) * factor
            low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2], axis=0) * factor
    else:
        se = errors(moved) * factor
        reach = t_quantile((1 + level) / 2, g - 1) * se
        low, high = value * factor - reach, value * factor + reach
        low, high = np.maximum(low, ends[0]), np.minimum(high, ends[1])
    beside = scoring.references()
    coder = scoring.one_coder(factor, level)
    scores = tuple(
        Score(
            name, _name(name), float(value[k] * factor[k]), float(se[k]), float(low[k]),
            float(high[k]), _better(name),
            {who: float(x[name] * factor[k]) for who, x in beside.items() if name in x},
            **{key: float(x[k]) for key, x in coder.items()},
        )
        for k, name in enumerate(own.measures)
    )  # fmt: skip
    names = soft.names
    items = [names[i] for i in given.at.tolist()]
    of_items = {n: own.x[:, 1 + k] * factor[k] for k, n in enumerate(own.names)}
    bits = 1 if unit == "bits" else math.log(2)
    of_items["entropy_soft"] = own.x[:, 1 + len(own.names)] * bits
    of_items["entropy_predicted"] = own.x[:, 2 + len(own.names)] * bits
    n_tied = int((scoring.decided == 0).sum()) if ties == "left_out" else 0
    told = f"ties {ties}, floor {floor:g}, {unit}, interval {interval} {level:g}"
    if interval == "bootstrap":
        told += f" ({n_resamples} resamples, seed {rng})"
    result = SoftScores(
        soft.question, soft.kind, scores, items, of_items, given.n_missing, given.n_extra, n_tied,
        unit, ties, level, interval,
        f"accordant {__version__} | score_predictions: {told} | against {soft.signature}",
    )  # fmt: skip
    return remarks(result, soft, given, floor)


@dataclass(frozen=True, eq=False)
class _Scoring:
    """What is scored against what: J items, with their clusters."""

    soft: SoftLabels
    given: Predicted
    target: Floats
    majority: Floats
    decided: Floats
    floor: float
    at: Floats | None
    cluster: Ints
    order: Ints
    ties: str

    @classmethod
    def of(
        cls, soft: SoftLabels, given: Predicted, ties: str, floor: float, clusters: Any
    ) -> _Scoring:
        votes = votes_of(soft)[given.at]
        majority, decided = _majority(votes, ties)
        names = [str(soft.items[i]) for i in given.at.tolist()]
        cluster, order = _clusters(names, clusters)
        at = None if soft.several else places(soft.scheme)
        target = soft.distributions[given.at]
        return cls(soft, given, target, majority, decided, floor, at, cluster, order, ties)

    @property
    def distributions(self) -> Floats:
        """(J, K) predictions; of labels of sets (J, L, 2)."""
        p = self.given.probabilities
        return np.stack([p, 1 - p], -1) if self.soft.several else p

    def sums(self, p: Floats) -> Sums:
        return sums_of(self.target, self.majority, self.decided, p, floor=self.floor, at=self.at)

    def references(self) -> dict[str, dict[str, float]]:
        """What others get, by name and measure."""
        found = {}
        for who, p in references(self.soft, self.given.at).items():
            sums = self.sums(p)
            found[who] = dict(zip(sums.measures, _values(sums).tolist(), strict=True))
        best = perfect(self.soft, self.floor)
        if best:
            found["perfect"] = {n: float(x[self.given.at].mean()) for n, x in best.items()}
        return found

    def one_coder(self, factor: Floats, level: float) -> dict[str, Floats]:
        """A coder against the others, and the predictions against the same."""
        found = one_coder(self.soft, self.given.at)
        if found is None:
            return {}
        row, target, others, label, weight = found
        majority, decided = _majority(others, self.ties)
        a, b = (
            sums_of(
                target, majority, decided, p, floor=self.floor, at=self.at, weight=weight
            )
            for p in (self.distributions[row], label)
        )  # fmt: skip
        g = len(self.order)
        apart = influences(a, self.cluster[row], g) - influences(b, self.cluster[row], g)
        with np.errstate(invalid="ignore"):  # both may be infinite
            difference = (_values(a) - _values(b)) * factor
        reach = t_quantile((1 + level) / 2, g - 1) * errors(apart) * factor
        return {
            "one_coder": _values(b) * factor,
            "against_others": _values(a) * factor,
            "difference": difference,
            "difference_low": difference - reach,
            "difference_high": difference + reach,
        }


def _values(sums: Sums) -> Floats:
    return np.asarray(values(sums.x.sum(0), len(sums.names)))


def _majority(votes: Floats, ties: str) -> tuple[Floats, Floats]:
    """The coders' label, and where it counts; of sets of labels for each label."""
    if votes.ndim == 3:
        yes, no = votes[..., 0], votes[..., 1]
        said = np.where(yes > no + TIE, 1.0, np.where(yes < no - TIE, 0.0, 0.5))
        return said, np.ones(said.shape) if ties == "shared" else (said != 0.5).astype(float)
    majority = mass_of(votes)
    alone = majority.max(1) == 1
    return majority, np.ones(len(votes)) if ties == "shared" else alone.astype(float)


def _clusters(names: list[str], clusters: Any) -> tuple[Ints, Ints]:
    """(J,) the cluster of each item, and (G,) the clusters by name."""
    if clusters is None:
        return np.arange(len(names)), np.argsort(np.array(names), kind="stable")
    of = {str(item): str(group) for item, group in clusters.items()}
    lost = [name for name in names if name not in of]
    if lost:
        raise RequestError(
            f"there is no group for item {lost[0]!r} and {len(lost) - 1:,} more",
            parameter="clusters",
        )
    groups, found = np.unique([of[name] for name in names], return_inverse=True)
    return found, np.arange(len(groups))


def _factors(sums: Sums, unit: str) -> Floats:
    """What bits are multiplied with."""
    nat = math.log(2) if unit == "nats" else 1.0
    how = {**dict.fromkeys(IN_BITS, nat), "js_distance": math.sqrt(nat)}
    return np.array([how.get(name, 1.0) for name in sums.measures])


def _name(measure: str) -> str:
    return DISTANCES[measure].name if measure in DISTANCES else NAMES[measure]


def _better(measure: str) -> str:
    return DISTANCES[measure].better if measure in DISTANCES else BETTER.get(measure, "higher")


def _soft(soft: Any, more: Mapping[str, Any]) -> SoftLabels:
    found: SoftLabels | Each[SoftLabels]
    if isinstance(soft, SoftLabels | Each):
        found = soft
        if more:
            name = next(iter(more))
            raise RequestError(
                "an option for annotations; these are soft labels already", parameter=name
            )
    else:
        found = soft_labels(soft, **_unsmoothed(more))
    if isinstance(found, Each):
        names = ", ".join(repr(one.question) for one in found)
        raise RequestError(f"predictions are of one question: choose one of {names}, soft[…]")
    return found


def _unsmoothed(more: Mapping[str, Any]) -> dict[str, Any]:
    """Options of soft labels: opinions as they were given, unless more is asked for."""
    opinions = more.get("of", "opinion") == "opinion"
    return {**({"smoothing": "none"} if opinions else {}), **more}


def _check(
    ties: str, floor: float, unit: str, interval: str, level: float, n_resamples: int
) -> None:
    for name, given, allowed in (
        ("ties", ties, ("left_out", "shared")), ("unit", unit, ("bits", "nats")),
        ("interval", interval, ("delta", "bootstrap")),
    ):  # fmt: skip
        if given not in allowed:
            known = ", ".join(map(repr, allowed))
            raise RequestError(f"choose from {known}, not {given!r}", parameter=name)
    if not 0 <= floor < 0.5:
        raise RequestError(f"a probability from 0 to 0.5, not {floor!r}", parameter="floor")
    if not 0 < level < 1:
        raise RequestError(f"the level must lie between 0 and 1, not {level!r}")
    if n_resamples < 2:
        raise RequestError(f"a whole number from 2 up, not {n_resamples!r}", parameter="resamples")
