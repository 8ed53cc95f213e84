"""Two-coder kappa against scikit-learn: plain, linear and quadratic weights."""

from __future__ import annotations

import warnings

import pytest
from sklearn.metrics import cohen_kappa_score

from oracle.random_data import Differences, ours, pairs

WEIGHTS = {None: "identity", "linear": "linear-by-rank", "quadratic": "quadratic-by-rank"}


@pytest.mark.parametrize("weights", WEIGHTS)
def test_cohen(weights: str | None) -> None:
    """scikit-learn weighs by the position in ``labels``: our ``-by-rank``."""
    differences = Differences()
    for pair in pairs():
        first, second = pair.codes.T
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it divides by zero where kappa is undefined
            wanted = cohen_kappa_score(
                first, second, labels=list(range(pair.n_values)), weights=weights
            )
        mine = ours(pair, "kappa", WEIGHTS[weights]).value
        differences.compare(pair, str(weights), mine, float(wanted))
    differences.none_left(of_at_least=1000)
