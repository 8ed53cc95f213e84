"""The measures of the file that are no coefficient of the registry: diagnosis, tests, planning."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from accordant import COEFFICIENTS, agreement, read
from accordant.counts.count import count
from accordant.counts.counts import Counts
from accordant.inference.benchmarks import benchmark
from accordant.inference.categories import categories
from accordant.inference.chance_test import null_test
from accordant.inference.compare import Side, difference
from accordant.inference.intervals import Settings
from accordant.inference.margins import (
    bias_index,
    full_agreement,
    kappa_max,
    pabak,
    prevalence_index,
)
from accordant.inference.power import (
    expected_lower_limit,
    items_for_limits,
    items_for_power,
    items_for_test,
)
from accordant.measure.confusion import contingency
from accordant.measure.distances import weights_for
from accordant.measure.registry import item_agreement
from golden.cases import COEFFICIENT, DATASETS, Case, annotations, annotations_of

Numbers = Mapping[str, Any]


def counts_of(case: Case) -> Counts:
    return count(annotations_of(case))


# ------------------------------------------------------------------ categories, items, tables


def category_alpha(case: Case) -> Numbers:
    return {"category": {str(r.category): r.alpha.value for r in categories(counts_of(case)).rows}}


def category_percent_agreement(case: Case) -> Numbers:
    rows = categories(counts_of(case)).rows
    return {"category": {str(r.category): r.percent.value for r in rows}}


def category_kappa(case: Case) -> Numbers:
    """A category against the rest, with one shared distribution (Scott, Fleiss).

    For two coders too: the numbers that go back to Agresti (1992) are not those of Cohen's kappa
    (.247 for the second category, where Cohen's is .266).
    """
    return {"category": {str(r.category): r.pi.value for r in categories(counts_of(case)).rows}}


def specific_agreement(case: Case) -> Numbers:
    rows = categories(counts_of(case)).rows
    return {"category": {str(r.category): r.specific.value for r in rows}}


def items(case: Case) -> Numbers:
    counts = counts_of(case)
    agreed = item_agreement(counts, weights_for("identity", counts))
    return {"items": agreed[counts.pattern_of]}


def full_agreement_percent(case: Case) -> Numbers:
    return {"value": 100 * full_agreement(counts_of(case), tolerance=case.params["tolerance"])}


def table_of(case: Case) -> Any:
    return contingency(counts_of(case)).table


def largest_kappa(case: Case) -> Numbers:
    return {"value": kappa_max(table_of(case))}


def index(function: Callable[[Any], Any]) -> Callable[[Case], Numbers]:
    """An index of a 2 x 2 table, with its standard error and interval."""

    def numbers(case: Case) -> Numbers:
        e = function(table_of(case))
        return {"value": e.value, "se": e.se, "ci_low": e.low, "ci_high": e.high}

    return numbers


def light_kappa(case: Case) -> Numbers:
    row = agreement(annotations_of(case), "light")["light"]
    counts = counts_of(case)
    null = null_test(COEFFICIENTS["light"], counts, weights_for("identity", counts))
    return {"value": row.value, "z": null.z}


# ------------------------------------------------------------------ tests and planning


def cumulative_membership(case: Case) -> Numbers:
    p = case.params
    return {"vector": benchmark(p["coeff"], p["se"], p["scale"]).cumulative}


def compare_correlated(case: Case) -> Numbers:
    """Two groups of coders on the same items; weights by the values of both groups."""
    data, p = DATASETS[str(case.data)], case.params
    both = [data["coders_1"], data["coders_2"]]
    values = sorted({v for rows in both for row in rows for v in row if v is not None})
    coefficient = COEFFICIENTS[COEFFICIENT[p["coefficient"]]]
    sides = []
    for rows in both:
        counts = count(read(rows, layout="transposed", categories=values))
        sides.append(Side(coefficient, counts, weights_for(p["weights"], counts)))
    found = difference(*sides, Settings("analytic"), paired=True)
    return {
        "value_1": sides[0].value,
        "value_2": sides[1].value,
        "difference": found.value,
        "se": found.se,
        "t": found.statistic,
        "p_two_sided": found.p_value,
        "df": found.df,
    }


def unpaired(case: Case) -> Numbers:
    """Two independent data sets: the square of our z for the chi-squared of the source."""
    sides = []
    for name in (case.data, case.params["other"]):
        counts = count(annotations(str(name)))
        sides.append(Side(COEFFICIENTS["kappa"], counts, weights_for("identity", counts)))
    found = difference(*sides, Settings("large-sample"), paired=False)
    return {"chi2": found.statistic**2, "df": 1, "p": found.p_value}


def kappa_size(case: Case) -> Numbers:
    p = case.params
    shares = p["props"] if isinstance(p["props"], list) else [p["props"], 1 - p["props"]]
    level = 1 - p["alpha"]
    if p["fn"].startswith("CI"):
        n = items_for_limits(
            p["kappa0"], shares, p["raters"], p["kappaL"], p["kappaU"], level=level
        )
        return {"value": n}
    if p["fn"].startswith("FixedN"):
        low = expected_lower_limit(p["kappa0"], shares, p["raters"], p["n"], level=level)
        return {"value": math.floor(1000 * low) / 1000}  # the source goes down by .001 until there
    return {"value": items_for_power(p["kappa0"], p["kappa1"], shares, p["raters"], level=level)}


def sample_size(case: Case) -> Numbers:
    p = case.params
    if "rate1" in p:
        first, second = ([r, 1 - r] for r in (p["rate1"], p["rate2"]))
    else:
        first, second = p["marginals"], p["marginals"]
    n = items_for_test(
        p["k0"],
        p["k1"],
        first,
        second,
        power=p["power"],
        level=1 - p["alpha"],
        two_sided=p.get("twosided", False),
    )
    return {"n": n}


# ------------------------------------------------------------------ weights


def weight_matrix(case: Case) -> Numbers:
    names = case.params["categories"]
    counts = count(read([names, names[::-1]], categories=names))
    return {"matrix": weights_for(case.params["weights"], counts).matrix}


def ordinal_metric(case: Case) -> Numbers:
    """Square roots of distances; a weight is 1 - distance / largest distance.

    The pool of pairable annotations must hold each value as often as the example says: the
    first coder gives half of them, the second the other half.
    """
    n_values = case.params["n_values"]
    names = list(range(1, len(n_values) + 1))
    labels = np.repeat(names, n_values).tolist()
    half = len(labels) // 2
    counts = count(read([labels[:half], labels[half:]], categories=names))
    w = weights_for("ordinal-metric", counts)
    largest = np.max(case.expected["matrix_sqrt"])
    return {"matrix_sqrt": largest * np.sqrt(np.maximum(1 - w.matrix, 0))}


MEASURES: dict[str, Callable[[Case], Numbers]] = {
    "category_alpha": category_alpha,
    "category_kappa": category_kappa,
    "category_percent_agreement": category_percent_agreement,
    "specific_agreement": specific_agreement,
    "item_agreement": items,
    "full_agreement_percent": full_agreement_percent,
    "kappa_max": largest_kappa,
    "pabak": index(pabak),
    "prevalence_index": index(prevalence_index),
    "bias_index": index(bias_index),
    "light_kappa": light_kappa,
    "benchmark_cumprob": cumulative_membership,
    "compare_correlated": compare_correlated,
    "kappa_equality_test": unpaired,
    "kappa_size": kappa_size,
    "sample_size_kappa_test": sample_size,
    "weight_matrix": weight_matrix,
    "ordinal_metric": ordinal_metric,
}
