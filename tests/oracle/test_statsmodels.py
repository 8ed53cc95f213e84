"""Kappa with its standard errors, Fleiss' and Randolph's kappa against statsmodels."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from statsmodels.stats.inter_rater import cohens_kappa, fleiss_kappa

from accordant.counts.count import count
from accordant.inference.chance_test import null_test
from accordant.measure.coefficients import find
from accordant.measure.distances import weights_for
from oracle.random_data import Differences, complete, ours, pairs

N = 500  # 3 ms a table

WEIGHTS = {None: "identity", "linear": "linear", "quadratic": "quadratic"}


@pytest.mark.parametrize("weights", WEIGHTS)
def test_cohen_with_both_standard_errors(weights: str | None) -> None:
    """Fleiss, Cohen & Everitt (1969) divide by n: our large-sample error; z interval."""
    differences = Differences()
    for pair in pairs()[:N]:
        row = ours(pair, "kappa", WEIGHTS[weights], interval="large-sample")
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
        differences.compare(pair, "variance", row.se**2, float(wanted.var_kappa), within=1e-12)
        if wanted.var_kappa > 1e-12:
            low, high = wanted.kappa_low, min(1.0, wanted.kappa_upp)
            differences.compare(pair, "low", row.low, max(-1.0, float(low)))
            differences.compare(pair, "high", row.high, float(high))
        counts = count(pair.annotations)
        null = null_test(find("kappa"), counts, weights_for(WEIGHTS[weights], counts))
        differences.compare(pair, "null variance", null.se**2, float(wanted.var_kappa0))
    differences.none_left(of_at_least=4 * N)


@pytest.mark.parametrize("method, key", [("fleiss", "pi"), ("randolph", "s")])
def test_fleiss_and_randolph(method: str, key: str) -> None:
    differences = Differences()
    for sample in complete():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            wanted = float(fleiss_kappa(sample.counts, method=method))
        differences.compare(sample, method, ours(sample, key).value, wanted)
    differences.none_left(of_at_least=600)
