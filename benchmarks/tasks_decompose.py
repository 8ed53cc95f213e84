"""The work that is timed on disagreement: bipartitions of schemes, levers, the whole diagnosis."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .data import ratings
from .peers_decompose import N_SAMPLED, sampled
from .tasks import Task

N_ITEMS = 2_000
AT_ONCE = 1 << 13  # bipartitions


def tasks_of_disagreement() -> Iterator[Task]:
    """Every row, small before large."""
    us = "accordant (both levels)"
    yield Task(
        "127 bipartitions of NEAT (2,209 sentences, 3 labels)",
        "decompose",
        8,
        neat,
        second_level(127),
        before=annotated,
        us=us,
    )
    for name, k, make in (
        ("32,767 bipartitions, 4 labels", 16, lambda: label_sets(4, 16)),
        ("524,287 bipartitions, 20 categories", 20, lambda: ratings(N_ITEMS, 2, 20)),
    ):
        yield Task(
            f"{name}, {N_ITEMS:,} x 2",
            "decompose many",
            k,
            make,
            second_level(N_SAMPLED),
            before=annotated,
            us=us,
        )
    yield Task(
        f"the best 8 of 524,287 bipartitions beyond slips, 20 categories, {N_ITEMS:,} x 2",
        "decompose best",
        20,
        lambda: ratings(N_ITEMS, 2, 20),
        beyond,
        before=annotated,
        us="accordant",
    )
    for n in (N_ITEMS, 50 * N_ITEMS):
        yield Task(
            f"what-if: resolving each of 28 pairs of categories, {n:,} x 4, 8 categories",
            "levers",
            8,
            lambda n=n: ratings(n, 4, 8),
            best_lever,
            before=annotated,
            us="accordant (categories and coders too)",
        )
    for n in (N_ITEMS, 25_000):
        yield Task(
            f"diagnosis: every finding, {n:,} x 4, 8 categories",
            "diagnosis",
            8,
            lambda n=n: ratings(n, 4, 8),
            findings,
            before=annotated,
            us="accordant",
        )


# ------------------------------------------------------------------ data


def neat() -> NDArray[np.object_]:
    """(items, coders) bits of the labels of NEAT, None where a coder did not read the sentence."""
    from accordant.data import examples

    data = examples.load("levi2022_neat")
    labels = data.scheme.categories
    bits = [tuple(int(x in value) for x in labels) for value in data.values]
    table = np.full((len(data.items), len(data.coders)), None, object)
    given = data.answered
    for item, coder, value in zip(given.item, given.coder, given.value, strict=True):
        table[item, coder] = bits[value]
    return table


def label_sets(
    n_labels: int, most: int, n_items: int = N_ITEMS, seed: int = 11
) -> NDArray[np.object_]:
    """(items, 2) bits of labels: two coders who each miss a label of ten, ``most`` sets of them."""
    rng = np.random.default_rng(seed)
    truth = rng.random((n_items, 1, n_labels)) < 0.4
    given = truth ^ (rng.random((n_items, 2, n_labels)) < 0.1)
    code = given @ (1 << np.arange(n_labels)[::-1])
    kept = np.sort(np.argsort(-np.bincount(code.ravel(), minlength=2**n_labels))[:most])
    code[~np.isin(code, kept)] = kept[0]
    table = np.empty(code.shape, object)
    for cell, x in np.ndenumerate(code):
        table[cell] = tuple(int(x) >> i & 1 for i in reversed(range(n_labels)))
    return table


def annotated(table: Any) -> Any:
    """The table as annotations; bits become sets of labels."""
    import accordant as ac

    if table.dtype != object:
        return ac.read(table, layout="wide")
    n = len(next(v for v in table.ravel() if v is not None))
    names = [f"L{i}" for i in range(n)]
    return ac.read(
        [
            [v if v is None else [x for x, bit in zip(names, v, strict=True) if bit] for v in line]
            for line in table.tolist()
        ],
        layout="wide",
        categories=names,
    )


# ------------------------------------------------------------------ our calls


def second_level(most: int) -> Callable[[Any], float]:
    """Both levels of every bipartition; the mean of level 2 over those that the peer does."""

    def run(data: Any) -> float:
        from accordant.counts.count import count
        from accordant.decomposition.contingency import cells_of
        from accordant.decomposition.level_scores import score, sides_of

        made = cells_of(count(data), data.scheme.categories).states
        second = []
        for low in range(1, 2 ** (made.n_states - 1), AT_ONCE):
            codes = np.arange(low, min(low + AT_ONCE, 2 ** (made.n_states - 1)))
            second.append(score(made, sides_of(codes, made.n_states)).second)
        found = np.concatenate(second)
        return float(np.nanmean(found[sampled(len(found), most) - 1]))

    return run


def beyond(data: Any) -> float:
    """The search by what slips alone would show; how far the first is beyond the bound."""
    import accordant as ac

    return float(ac.decompose(data)[0].beyond.score)


def best_lever(data: Any) -> float:
    """All levers; alpha after the best pair of categories."""
    import accordant as ac

    return float(ac.diagnose(data).pooled.what_if.of_kind("pair")[0].after)


def findings(data: Any) -> float:
    """The whole diagnosis; how many findings there are."""
    import accordant as ac

    return float(len(ac.diagnose(data).findings))
