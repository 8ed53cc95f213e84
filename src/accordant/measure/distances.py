"""Weights by name: from the distance of two categories to how much they agree.

A distance d becomes the weight 1 - d / max d (Gwet 2014, ch. 4). ``linear`` and the other
metric weights measure by the value of numeric categories and by the rank of others;
``-by-value`` and ``-by-rank`` fix one of the two.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from ..actions import Action
from ..arrays import Floats, Ints
from ..counts.counts import Counts
from ..errors import RequestError, meant
from ..scheme import Scale, Value, number
from .sets import SCORES, DividedVote, OfSets, label_sets
from .weights import Blend, Elementwise, Identity, Linear, Ratio, Squared, WeightMatrix, Weights

Metric: TypeAlias = Callable[[Floats, Floats, Floats], Floats]

MOST = 50_000  # more values than this cannot be compared with all others in reasonable time
KEEP = 2048  # up to this many values the matrix is kept: 32 MB


@dataclass(frozen=True)
class Distance:
    """Disagreement instead of agreement: a (K, K) matrix or a function of two values, 0 if equal.

    Examples
    --------
    >>> import accordant as ac
    >>> far = ac.Distance(lambda a, b: abs(a - b) > 1)
    >>> ac.agreement([[1, 2, 3, 3], [1, 3, 3, 1]], ["percent"], weights=far)["percent"].value
    0.75
    """

    of: ArrayLike | Callable[[Any, Any], float]


WeightsLike: TypeAlias = str | Distance | ArrayLike | Callable[[Any, Any], float]


def _ratio(x: Floats, y: Floats, every: Floats) -> Floats:
    total = x + y
    return np.asarray(((x - y) / np.where(total == 0, 1, total)) ** 2)


def _circular(x: Floats, y: Floats, every: Floats) -> Floats:
    return np.asarray(np.sin(np.pi * (x - y) / (np.ptp(every) + _step(every))) ** 2)


def _step(every: Floats) -> float:
    """From one category to the next: a circle closes one step after its last category."""
    gaps = np.diff(np.unique(every))
    step = float(gaps.min(initial=np.inf))
    if (np.abs(gaps / step - np.round(gaps / step)) > 1e-6).any():
        raise RequestError(
            "circular weights need categories at equal steps, such as 0, 90, 180, 270",
            do=[
                Action("", {"categories": [...]}, "all of them"),
                Action("", {"weights": "circular-by-rank"}),
            ],
        )
    return step


def _bipolar(x: Floats, y: Floats, every: Floats) -> Floats:
    low, high = every.min(), every.max()
    room = (x + y - 2 * low) * (2 * high - x - y)
    return np.asarray(np.where(x == y, 0, (x - y) ** 2 / np.where(room == 0, 1, room)))


METRICS: dict[str, Metric] = {
    "linear": lambda x, y, every: np.abs(x - y),
    "quadratic": lambda x, y, every: (x - y) ** 2,
    "radical": lambda x, y, every: np.sqrt(np.abs(x - y)),
    "ratio": _ratio,
    "circular": _circular,
    "bipolar": _bipolar,
    "ordinal": lambda x, y, every: np.abs(x - y) * (np.abs(x - y) + 1) / 2,
}
"""Distance of two scores, given all scores of the scheme; of ranks for Gwet's ordinal weights."""

NAMES = ("identity", *METRICS, "ordinal-metric")
ALIASES = {
    "nominal": "identity",
    "unweighted": "identity",
    "equal": "linear",
    "squared": "quadratic",
    "interval": "quadratic",
    "gwet-ordinal": "ordinal",
    "krippendorff-ordinal": "ordinal-metric",
    "match": "overlap",
    "dice": "f1",
    "divided": "divided-vote",
    "augmented": "divided-vote",
    "set": "identity",
    "exact": "identity",
}
OF_SETS = tuple(name for name in SCORES if name != "identity")


def default_weights(scale: Scale, *, metric: bool) -> str:
    """The weights that fit a scale.

    On an ordinal scale Krippendorff's alpha (``metric=True``) has a metric of its own; the other
    coefficients use Gwet's ordinal weights.
    """
    if scale == "ordinal":
        return "ordinal-metric" if metric else "ordinal"
    return {"nominal": "identity", "interval": "quadratic"}.get(scale, scale)


def weights_for(wanted: WeightsLike, counts: Counts, *, ordered: bool = True) -> Weights:
    """The weights of a name, a matrix, a function or a `Distance`.

    Parameters
    ----------
    wanted : str, array_like, callable or Distance
    counts : Counts
        Gives the values; Krippendorff's ordinal metric also depends on how often each occurs.
    ordered : bool
        Whether the order of the values means something.

    Raises
    ------
    RequestError
        If the name is unknown, or the weights do not fit the values.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> counts = count(read([[1, 2, 3], [1, 3, 3]], layout="transposed"))
    >>> weights_for("linear", counts).matrix.tolist()
    [[1.0, 0.5, 0.0], [0.5, 1.0, 0.5], [0.0, 0.5, 1.0]]
    """
    if isinstance(wanted, str):
        return _by_name(wanted, counts, ordered)
    distance = isinstance(wanted, Distance)
    given = wanted.of if isinstance(wanted, Distance) else wanted
    name = "own distance" if distance else "own weights"
    if counts.of_sets and not callable(given):
        raise RequestError(
            "sets of labels have no fixed order: give a function of two sets (tuples of "
            "labels), or a name such as 'jaccard'"
        )
    table = _of_function(given, counts.values) if callable(given) else _of_matrix(given, counts)
    if not np.isfinite(table).all():
        raise RequestError(f"{name}: some values are not finite numbers")
    if distance:
        largest = table.max(initial=0)
        table = 1 - table / largest if largest > 0 else np.ones_like(table)
    _check(table, counts.values, distance)
    return WeightMatrix.of(name, table)


def _of_function(given: Callable[[Any, Any], float], values: Sequence[Value]) -> Floats:
    def weight(a: Value, b: Value) -> float:
        try:
            return float(given(a, b))
        except (TypeError, ValueError, ArithmeticError) as error:
            raise RequestError(f"the weights of {a!r} and {b!r}: {error}") from None

    return np.array([[weight(a, b) for b in values] for a in values]).reshape(2 * (len(values),))


def _of_matrix(given: ArrayLike, counts: Counts) -> Floats:
    k = counts.n_values
    try:
        table = np.asarray(given, dtype=float)
    except (TypeError, ValueError):
        raise RequestError(
            f"weights are a name, a function of two categories or a {k} x {k} matrix of numbers, "
            f"not {str(given)[:60]!r}"
        ) from None
    if table.shape != (k, k):
        shape = " x ".join(map(str, table.shape)) or "a single number"
        raise RequestError(
            f"the weight matrix is {shape}, but there are {k} categories: "
            f"{', '.join(map(str, counts.values[:20]))}"
        )
    return table


def _check(table: Floats, values: Sequence[Value], distance: bool) -> None:
    """Full agreement is 1, none is 0: anything else is a slip."""
    own = table.diagonal()
    if (np.abs(own - 1) > 1e-9).any():
        k = int(np.argmax(np.abs(own - 1) > 1e-9))
        hint = "" if distance or own[k] else "; distances are given as Distance"
        what = "distance" if distance else "weight"
        raise RequestError(
            f"the {what} of {values[k]!r} and itself must be {0 if distance else 1}{hint}"
        )
    if table.min(initial=0) < 0 or table.max(initial=1) > 1 + 1e-9:
        raise RequestError(
            "distances must not be negative"
            if distance
            else f"weights must lie between 0 and 1; found {table.min():g} to {table.max():g}"
        )


def _by_name(wanted: str, counts: Counts, ordered: bool) -> Weights:
    name = wanted.strip().lower().replace("_", "-").replace(" ", "-")
    base, _, how = name.partition("-by-")
    base, colon, parts = base.partition(":")
    base = ALIASES.get(base, base)
    names = (*NAMES, *OF_SETS)
    misplaced = (colon and base != "divided-vote") or (how and base in SCORES)
    if base not in names or how not in ("", "value", "rank") or misplaced:
        hint = meant(base, [*names, *ALIASES])
        raise RequestError(f"unknown weights {wanted!r}: {', '.join(names)}{hint}")
    k = counts.n_values
    if base == "identity" and not (counts.of_sets and label_sets(counts.values).repeated):
        return Identity("identity", k)
    if base == "divided-vote":
        shares = _shares(parts) if colon else None
        return DividedVote.of(f"{base}{colon}{parts}", counts.values, shares)
    if base in SCORES:
        return OfSets.of(base, counts.values, SCORES[base])
    if counts.of_sets:
        raise RequestError(
            f"weights {wanted!r} compare categories, not sets of labels: identity, "
            f"{', '.join(OF_SETS)} do"
        )
    if base == "ordinal-metric":
        return _ordinal_metric(counts, ordered)
    if base == "ordinal":
        _require_order(base, counts.values, ordered)
        return _from_metric(base, METRICS[base], np.arange(1.0, k + 1))
    numbers = None if how == "rank" else _numbers(counts.values)
    if numbers is None:
        if how == "value":
            raise RequestError(
                f"weights {wanted!r} need numeric categories; "
                f"{_first_word(counts.values)!r} is not a number"
            )
        _require_order(base, counts.values, ordered)
        numbers = np.arange(1.0, k + 1)
        how = "rank"
    if base == "ratio" and numbers.min(initial=0) < 0:
        raise RequestError("ratio weights need categories of at least 0")
    return _from_metric(f"{base}-by-{how or 'value'}", METRICS[base], numbers)


def _shares(text: str) -> tuple[float, ...]:
    """How a vote is divided over the first label, the second and so on: '0.6,0.4'."""
    try:
        shares = tuple(float(x) for x in text.split(","))
    except ValueError:
        shares = ()
    if not np.isfinite(shares).all() or not shares or min(shares) < 0 or shares[0] <= 0:
        raise RequestError(
            f"divided-vote:{text}: give the shares of the labels in order, such as "
            "divided-vote:0.6,0.4"
        )
    return shares


def _from_metric(name: str, metric: Metric, scores: Floats) -> Weights:
    k = len(scores)
    if k < 2:
        return WeightMatrix.of(name, np.ones((k, k)))
    kind = name.partition("-by-")[0]
    if kind == "quadratic":
        return Squared(name, k, scores, float(np.ptp(scores)) ** 2)
    low, high = np.array([scores.min()]), np.array([scores.max()])
    if k <= KEEP:
        distance = metric(scores[:, None], scores[None, :], scores)
        return WeightMatrix.of(name, 1 - distance / distance.max())
    largest = metric(low, high, scores)[0]
    if kind in ("circular", "bipolar"):  # the extremes are not the farthest pair
        step = max(1, 4_000_000 // k)
        largest = max(
            metric(scores[i : i + step, None], scores[None, :], scores).max()
            for i in range(0, k, step)
        )

    def weight(a: Ints, b: Ints) -> Floats:
        return np.asarray(1 - metric(scores[a], scores[b], scores) / largest)

    if kind == "linear":
        return Linear(name, k, weight, scores, float(largest))
    if kind == "ordinal":  # (d^2 + d) / 2 of ranks
        squared = Squared(name, k, scores, (k - 1.0) ** 2)
        line = Linear(name, k, lambda a, b: np.asarray(1 - np.abs(a - b) / (k - 1)), scores, k - 1)
        return Blend(name, k, squared, line, 1 / k)
    if kind == "ratio":
        return Ratio(name, k, weight, scores, float(largest))
    if k > MOST:
        raise RequestError(
            f"weights {name!r} on {k:,} different values would take hours: round the values, or "
            "use quadratic or linear"
        )
    return Elementwise(name, k, weight)


def _ordinal_metric(counts: Counts, ordered: bool) -> Weights:
    """Krippendorff's ordinal metric (2011, p. 8): squared distance of mid-ranks in the pool."""
    _require_order("ordinal-metric", counts.values, ordered)
    pool = counts.pool
    midrank = np.cumsum(pool) - pool / 2
    spread = float(np.ptp(midrank)) ** 2 if len(midrank) else 0.0
    if spread == 0:
        return WeightMatrix.of("ordinal-metric", np.ones((counts.n_values, counts.n_values)))
    return Squared("ordinal-metric", counts.n_values, midrank, spread)


def _numbers(values: Sequence[Value]) -> Floats | None:
    if len(values) > KEEP and not isinstance(values[0], tuple):
        try:  # a million real numbers: seconds otherwise
            return np.frombuffer(array("d", values))  # type: ignore[type-var]
        except TypeError:
            pass
    found = [None if isinstance(v, tuple) else number(v) for v in values]
    return None if None in found else np.array(found, dtype=float)


def _first_word(values: Sequence[Value]) -> Value:
    return next(v for v in values if isinstance(v, tuple) or number(v) is None)


def _require_order(name: str, values: Sequence[Value], ordered: bool) -> None:
    if not ordered and _numbers(values) is None:
        raise RequestError(
            f"{name!r} need the order of the categories, which the data do not tell "
            f"({', '.join(map(str, values[:12]))})",
            parameter="weights",
            do=[Action("", {"categories": [...]}, "in order")],
        )
