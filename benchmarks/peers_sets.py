"""How the same is done on sets of labels with other packages, or with NumPy in plain words."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .peers import Run, peer

N_SIMULATIONS = 1000
N_RESAMPLES = 1000

Floats = NDArray[np.float64]


def members(table: Any) -> NDArray[np.bool_]:
    """(coders, items, labels) who gave what."""
    position = {x: k for k, x in enumerate(sorted({x for s in table.ravel() for x in s}))}
    found = np.zeros((*table.T.shape, len(position)), bool)
    for (i, j), given in np.ndenumerate(table):
        found[j, i, [position[x] for x in given]] = True
    return found


def habits(table: Any) -> tuple[Floats, Floats]:
    """(coders, labels) share of each label and (coders, sizes) of each number of labels."""
    given = members(table)
    labels = given.sum(1)
    size = given.sum(2)
    sizes = np.stack([np.bincount(own, minlength=int(size.max()) + 1) for own in size])
    return labels / labels.sum(1, keepdims=True), sizes / sizes.sum(1, keepdims=True)


# ------------------------------------------------------------------ label draw


@peer("label draw", f"NumPy, {N_SIMULATIONS:,} simulations")
def _(table: Any, k: int) -> Run:
    """Marchal et al. (2022): every simulated coder draws sizes, then labels, for all items."""
    (p, q), n_items = habits(table), len(table)

    def draw(p: Floats, q: Floats, rng: np.random.Generator) -> NDArray[np.bool_]:
        size = rng.choice(len(q), n_items, p=q)
        key = np.log(p) + rng.gumbel(size=(n_items, len(p)))  # the largest are drawn
        latest = np.take_along_axis(-np.sort(-key, axis=1), size[:, None] - 1, 1)
        return np.asarray(key >= latest)

    def run() -> float:
        rng = np.random.default_rng(1)
        found = [
            (draw(p[0], q[0], rng) & draw(p[1], q[1], rng)).any(1).mean()
            for _ in range(N_SIMULATIONS)
        ]
        return float(np.mean(found))

    return run


@peer("bootstrap label draw 2", "NumPy, closed form in a loop")
def _(table: Any, k: int) -> Run:
    """Item resamples with exact chance, which is short to write for two labels at most."""
    one, other = members(table)

    def inclusion(given: NDArray[np.bool_]) -> tuple[Floats, Floats, Floats]:
        p = given.sum(0) / given.sum()
        pair = np.outer(p, p) * (1 / (1 - p)[:, None] + 1 / (1 - p))
        np.fill_diagonal(pair, 0)
        share = np.bincount(given.sum(1), minlength=3)[1:] / len(given)
        return share, np.stack([p, pair.sum(1)]), pair

    def value(a: NDArray[np.bool_], b: NDArray[np.bool_]) -> float:
        (q1, p1, pair1), (q2, p2, pair2) = inclusion(a), inclusion(b)
        chance = (q1 @ p1) @ (q2 @ p2) - q1[1] * q2[1] * (pair1 * pair2).sum() / 2
        return float(((a & b).any(1).mean() - chance) / (1 - chance))

    def run() -> float:
        rng, n = np.random.default_rng(1), len(one)
        drawn = (rng.integers(n, size=n) for _ in range(N_RESAMPLES))
        return float(np.percentile([value(one[i], other[i]) for i in drawn], 2.5))

    return run


# ------------------------------------------------------------------ alpha with MASI


@peer("alpha masi", "nltk")
def _(table: Any, k: int) -> Run:
    """Its distance of two empty sets does not exist (0 / 0)."""
    from nltk.metrics import masi_distance
    from nltk.metrics.agreement import AnnotationTask

    triples = [(j, i, frozenset(v)) for (i, j), v in np.ndenumerate(table)]
    return lambda: AnnotationTask(triples, distance=masi_distance).alpha()


@peer("alpha masi", "krippendorff (counts), own metric")
def _(table: Any, k: int) -> Run:
    import krippendorff

    sets = list(dict.fromkeys(table.ravel().tolist()))
    position = {s: v for v, s in enumerate(sets)}
    code = np.array([position[s] for s in table.ravel().tolist()]).reshape(table.shape)
    counts = np.zeros((len(table), len(sets)))
    np.add.at(counts, (np.arange(len(table))[:, None], code), 1)
    given = [frozenset(s) for s in sets]

    def distance(a: frozenset[Any], b: frozenset[Any]) -> float:
        shared = len(a & b)
        level = 3 if a == b else 2 if a <= b or b <= a else 1 if shared else 0
        return 1 - level / 3 * shared / len(a | b)

    def metric(v1: Any, v2: Any, i1: Any, i2: Any, n_v: Any, dtype: Any) -> Any:
        return np.array([[distance(a, b) for b in given] for a in given], dtype)[i1, i2]

    return lambda: float(
        krippendorff.alpha(
            value_counts=counts, value_domain=np.arange(len(sets)), level_of_measurement=metric
        )
    )


# ------------------------------------------------------------------ reading


@peer("reading sets", "pandas, split and frozenset")
def _(table: Any, k: int) -> Run:
    import pandas as pd

    from .tasks_sets import Written

    file = Written(table)

    def run() -> float:
        frame = pd.read_csv(file.path, dtype=str, keep_default_na=False)
        sets = [frame[coder].str.split(";").map(frozenset) for coder in ("A", "B")]
        return float(len(set(sets[0]) | set(sets[1])))

    return run
