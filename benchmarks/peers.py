"""How each peer is called: its own input shape is built before the clock starts.

An adapter takes the (items, coders) table and the number of categories and gives a function
without arguments that returns the coefficient. A peer that is not installed is skipped.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from .data import MISSING, as_counts, as_float

Run: TypeAlias = Callable[[], Any]
Adapter: TypeAlias = Callable[[Any, int], Run]

PEERS: dict[str, dict[str, Adapter]] = {}
"""Kind of work -> peer -> adapter."""


def peer(kind: str, name: str) -> Callable[[Adapter], Adapter]:
    """Register an adapter for one kind of work."""

    def register(adapter: Adapter) -> Adapter:
        PEERS.setdefault(kind, {})[name] = adapter
        return adapter

    return register


def _triples(table: Any) -> list[tuple[int, int, int]]:
    return [(j, i, int(v)) for (i, j), v in np.ndenumerate(table) if v != MISSING]


# ------------------------------------------------------------------ Cohen


@peer("cohen", "scikit-learn")
def _(table: Any, k: int) -> Run:
    from sklearn.metrics import cohen_kappa_score

    first, second = table[:, 0].copy(), table[:, 1].copy()
    return lambda: cohen_kappa_score(first, second)


@peer("cohen", "statsmodels (with SE)")
def _(table: Any, k: int) -> Run:
    from statsmodels.stats.inter_rater import cohens_kappa, to_table

    codes = table.astype(int) - 1
    return lambda: float(cohens_kappa(to_table(codes, k)[0]).kappa)


@peer("cohen", "pycm")
def _(table: Any, k: int) -> Run:
    from pycm import ConfusionMatrix

    first, second = table[:, 0].tolist(), table[:, 1].tolist()
    return lambda: float(ConfusionMatrix(first, second).Kappa)


@peer("cohen", "nltk")
def _(table: Any, k: int) -> Run:
    from nltk.metrics.agreement import AnnotationTask

    triples = _triples(table)
    return lambda: AnnotationTask(triples).kappa()


@peer("cohen", "irrCAC (with SE)")
def _(table: Any, k: int) -> Run:
    import pandas as pd
    from irrCAC.table import CAC

    frame = pd.DataFrame(table, columns=["a", "b"])
    return lambda: CAC(pd.crosstab(frame.a, frame.b), digits=10).cohen()["est"]["coefficient_value"]


# ------------------------------------------------------------------ alpha


@peer("alpha", "krippendorff")
def _(table: Any, k: int) -> Run:
    import krippendorff

    coders_by_items = as_float(table).T
    return lambda: float(krippendorff.alpha(coders_by_items, level_of_measurement="nominal"))


@peer("alpha", "krippendorff (counts)")
def _(table: Any, k: int) -> Run:
    import krippendorff

    counts = as_counts(table, k)
    return lambda: float(krippendorff.alpha(value_counts=counts, level_of_measurement="nominal"))


@peer("alpha", "evalica")
def _(table: Any, k: int) -> Run:
    import evalica
    import pandas as pd

    frame = pd.DataFrame(as_float(table).T)
    return lambda: evalica.alpha(frame, "nominal").alpha


@peer("alpha", "agreement (counts)")
def _(table: Any, k: int) -> Run:
    from agreement.metrics import krippendorffs_alpha

    counts = as_counts(table, k)
    return lambda: float(krippendorffs_alpha(counts))


@peer("alpha", "nltk")
def _(table: Any, k: int) -> Run:
    from nltk.metrics.agreement import AnnotationTask

    triples = _triples(table)
    return lambda: AnnotationTask(triples).alpha()


@peer("alpha", "irrCAC (with SE)")
def _(table: Any, k: int) -> Run:
    import pandas as pd
    from irrCAC.raw import CAC

    frame = pd.DataFrame(as_float(table))
    return lambda: CAC(frame, digits=10).krippendorff()["est"]["coefficient_value"]


# ------------------------------------------------------------------ alpha on real numbers


@peer("alpha interval", "krippendorff")
def _(table: Any, k: int) -> Run:
    import krippendorff

    coders_by_items = table.T.copy()
    return lambda: float(krippendorff.alpha(coders_by_items, level_of_measurement="interval"))


@peer("alpha interval", "evalica")
def _(table: Any, k: int) -> Run:
    import evalica
    import pandas as pd

    frame = pd.DataFrame(table.T)
    return lambda: evalica.alpha(frame, "interval").alpha


@peer("alpha interval", "nltk")
def _(table: Any, k: int) -> Run:
    from nltk.metrics.agreement import AnnotationTask

    triples = [(j, i, float(v)) for (i, j), v in np.ndenumerate(table)]
    return lambda: AnnotationTask(triples, distance=lambda a, b: (a - b) ** 2).alpha()


@peer("alpha interval", "irrCAC (with SE)")
def _(table: Any, k: int) -> Run:
    import pandas as pd
    from irrCAC.raw import CAC

    frame = pd.DataFrame(table)
    return lambda: CAC(frame, weights="quadratic", digits=10).krippendorff()["est"][
        "coefficient_value"
    ]


# ------------------------------------------------------------------ Fleiss


@peer("fleiss", "statsmodels")
def _(table: Any, k: int) -> Run:
    from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

    if (table == MISSING).any():
        counts = as_counts(table, k)
        return lambda: float(fleiss_kappa(counts))
    return lambda: float(fleiss_kappa(aggregate_raters(table)[0]))


@peer("fleiss", "agreement (counts)")
def _(table: Any, k: int) -> Run:
    from agreement.metrics import scotts_pi

    counts = as_counts(table, k)
    return lambda: float(scotts_pi(counts))


@peer("fleiss", "irrCAC (with SE)")
def _(table: Any, k: int) -> Run:
    import pandas as pd
    from irrCAC.raw import CAC

    frame = pd.DataFrame(as_float(table))
    return lambda: CAC(frame, digits=10).fleiss()["est"]["coefficient_value"]


# ------------------------------------------------------------------ AC1


@peer("ac1", "agreement (counts)")
def _(table: Any, k: int) -> Run:
    from agreement.metrics import gwets_gamma

    counts = as_counts(table, k)
    counts = counts[counts.sum(1) > 0]
    return lambda: float(gwets_gamma(counts))


@peer("ac1", "irrCAC (with SE)")
def _(table: Any, k: int) -> Run:
    import pandas as pd
    from irrCAC.raw import CAC

    frame = pd.DataFrame(as_float(table))
    return lambda: CAC(frame, digits=10).gwet()["est"]["coefficient_value"]


# ------------------------------------------------------------------ bootstrap

N_RESAMPLES = 1000


@peer("bootstrap alpha", "evalica (not items)")
def _(table: Any, k: int) -> Run:
    import evalica
    import pandas as pd

    frame = pd.DataFrame(as_float(table).T)
    return lambda: (
        evalica.alpha_bootstrap(frame, "nominal", n_resamples=N_RESAMPLES, random_state=1).low
    )


@peer("bootstrap alpha", "krippendorff (counts), in a loop")
def _(table: Any, k: int) -> Run:
    import krippendorff

    counts, rng = as_counts(table, k), np.random.default_rng(1)

    def run() -> float:
        n = len(counts)
        values = [
            krippendorff.alpha(
                value_counts=counts[rng.integers(0, n, n)], level_of_measurement="nominal"
            )
            for _ in range(N_RESAMPLES)
        ]
        return float(np.percentile(values, 2.5))

    return run
