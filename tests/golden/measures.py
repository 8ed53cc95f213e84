"""The measures of the file that are no coefficient of the registry: breakdowns, indices, weights.

Sample sizes for tests of kappa (R kappaSize and irr) are not offered, so `NOT_OFFERED` is left out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

import accordant as ac
from golden.cases import COEFFICIENT, DATASETS, Case, annotations, annotations_of

Numbers = Mapping[str, Any]

NOT_OFFERED = ("kappa_size", "sample_size_kappa_test", "ordinal_metric")
"""The last one is about distances, in tests/laws/test_weights.py."""


def of_categories(name: str) -> Callable[[Case], Numbers]:
    """A coefficient of each category against the rest.

    Kappa of a category has one shared distribution (Scott, Fleiss), for two coders too: the
    numbers that go back to Agresti (1992) are not those of Cohen's kappa (.247 for the second
    category, where Cohen's is .266).
    """

    def numbers(case: Case) -> Numbers:
        rows = ac.diagnose(annotations_of(case)).pooled.categories.rows
        return {"category": {str(r.category): getattr(r, name).value for r in rows}}

    return numbers


def items(case: Case) -> Numbers:
    return {"items": ac.diagnose(annotations_of(case), weights="identity").pooled.items.agreement}


def full_agreement_percent(case: Case) -> Numbers:
    far = ac.Distance(lambda a, b: abs(a - b) > case.params["tolerance"])
    agreed = ac.diagnose(annotations_of(case), weights=far).pooled.items.agreement
    return {"value": 100 * float(np.mean(agreed == 1))}


def index(name: str) -> Callable[[Case], Numbers]:
    """An index of a 2 x 2 table, with its standard error and interval."""

    def numbers(case: Case) -> Numbers:
        found = getattr(ac.diagnose(annotations_of(case)).pooled.indices[0], name)
        if isinstance(found, float):
            return {"value": found}
        return {"value": found.value, "se": found.se, "ci_low": found.low, "ci_high": found.high}

    return numbers


def light_kappa(case: Case) -> Numbers:
    row = ac.agreement(annotations_of(case), "light")["light"]
    return {"value": row.value, "z": math.nan}


def cumulative_membership(case: Case) -> Numbers:
    p = case.params
    return {"vector": ac.benchmark(p["coeff"], p["se"], p["scale"]).cumulative}


def compare_correlated(case: Case) -> Numbers:
    """Two groups of coders on the same items; weights by the values of both groups."""
    data, p = DATASETS[str(case.data)], case.params
    both = [data["coders_1"], data["coders_2"]]
    values = sorted({v for rows in both for row in rows for v in row if v is not None})
    found = ac.compare(
        *both,
        COEFFICIENT[p["coefficient"]],
        weights=p["weights"],
        paired=True,
        interval="analytic",
        layout="transposed",
        categories=values,
    )[0]
    return {
        "value_1": found.before,
        "value_2": found.after,
        "difference": found.difference,
        "se": found.se,
        "t": found.statistic,
        "p_two_sided": found.p_value,
        "df": found.df,
    }


def unpaired(case: Case) -> Numbers:
    """Two independent data sets: the square of our statistic for the chi-squared of the source."""
    both = (annotations(str(name)) for name in (case.data, case.params["other"]))
    found = ac.compare(*both, "kappa", paired=False, interval="analytic")[0]
    return {"chi2": found.statistic**2, "df": 1, "p": found.p_value}


def weight_matrix(case: Case) -> Numbers:
    """Each weight is the weighted agreement of two coders on one item."""
    names = case.params["categories"]
    asked: dict[str, Any] = {"weights": case.params["weights"], "categories": names}
    return {
        "matrix": [
            [ac.agreement([[a], [b]], "percent", interval="none", **asked)[0].value for b in names]
            for a in names
        ]
    }


MEASURES: dict[str, Callable[[Case], Numbers]] = {
    "category_alpha": of_categories("alpha"),
    "category_kappa": of_categories("pi"),
    "category_percent_agreement": of_categories("percent"),
    "specific_agreement": of_categories("specific"),
    "item_agreement": items,
    "full_agreement_percent": full_agreement_percent,
    "kappa_max": index("kappa_max"),
    "pabak": index("pabak"),
    "prevalence_index": index("prevalence"),
    "bias_index": index("bias"),
    "light_kappa": light_kappa,
    "benchmark_cumprob": cumulative_membership,
    "compare_correlated": compare_correlated,
    "kappa_equality_test": unpaired,
    "weight_matrix": weight_matrix,
}
