"""Kappa with its standard errors, Fleiss' and Randolph's kappa against statsmodels."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.inter_rater import cohens_kappa, fleiss_kappa

from oracle.random_data import Differences, complete, ours, pairs

N = 500  # 3 ms a table

WEIGHTS = {None: "identity", "linear": "linear", "quadratic": "quadratic"}


@pytest.mark.parametrize("weights", WEIGHTS)
def test_cohen_with_its_standard_error(weights: str | None) -> None:
    """Fleiss, Cohen & Everitt (1969) divide by n, we by n - 1; a normal interval, we take t."""
    differences = Differences()
    for pair in pairs()[:N]:
        row = ours(pair, "kappa", WEIGHTS[weights], interval="analytic")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # divisions by zero where kappa is undefined
            wanted = cohens_kappa(pair.table, wt=weights)
        differences.compare(pair, "kappa", row.value, float(wanted.kappa))
        if np.isnan(row.value):
            continue
        if row.value > 1 - 1e-12:  # ours: no disagreement, no standard error, an exact bound
            assert abs(wanted.var_kappa) < 1e-12
            assert np.isnan(row.se)
            continue
        # a variance that is 0 but for rounding has a square root of 1e-8, or none
        n = row.n_items
        variance = row.se**2 * (n - 1) / n
        differences.compare(pair, "variance", variance, float(wanted.var_kappa), within=1e-12)
        if wanted.var_kappa > 1e-12:
            wider = row.se * stats.t.ppf(0.975, n - 1) / (variance**0.5 * stats.norm.ppf(0.975))
            high = row.value + wider * (float(wanted.kappa_upp) - row.value)
            differences.compare(pair, "high", row.high, min(1.0, high))
    differences.none_left(of_at_least=2 * N)


@pytest.mark.parametrize("method, key", [("fleiss", "pi"), ("randolph", "s")])
def test_fleiss_and_randolph(method: str, key: str) -> None:
    differences = Differences()
    for sample in complete():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            wanted = float(fleiss_kappa(sample.counts, method=method))
        differences.compare(sample, method, ours(sample, key).value, wanted)
    differences.none_left(of_at_least=600)
