"""Weighted coefficients for many coders against the package agreement (NumPy, no errors)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from agreement.metrics import (
    cohens_kappa,
    gwets_gamma,
    krippendorffs_alpha,
    observed_agreement,
    s_score,
    scotts_pi,
)
from agreement.utils import kernels

from oracle.random_data import Differences, Sample, ours, ours_of, samples

N = 130  # the package makes its weights in Python loops

WEIGHTS = {
    "identity": kernels.identity_kernel,
    "linear": kernels.linear_kernel,
    "quadratic": kernels.quadratic_kernel,
    "radical": kernels.radical_kernel,
    "ratio": kernels.radio_kernel,
    "ordinal": kernels.ordinal_kernel,
    "bipolar": kernels.bipolar_kernel,
}
METRICS = {
    "percent": observed_agreement,
    "s": s_score,
    "ac": gwets_gamma,
    "alpha": krippendorffs_alpha,
    "pi": scotts_pi,
}


def pairable(sample: Sample) -> Sample:
    """Only items with two or more annotations."""
    return Sample(sample.number, sample.codes[(sample.codes >= 0).sum(1) >= 2], sample.n_values)


def usable() -> list[Sample]:
    """The package divides by zero, with a warning, where nothing can be compared or nobody
    annotated; undefined cases have tests of their own."""
    return [
        s
        for s in samples()[:N]
        if (s.counts.sum(1) >= 2).any()
        and (s.codes >= 0).any(0).all()
        and np.count_nonzero(s.counts[s.counts.sum(1) >= 2].sum(0)) > 1
    ]


@pytest.mark.parametrize("weights", WEIGHTS)
def test_many_coders(weights: str) -> None:
    """Its pi leaves single annotations out of chance agreement; ours counts them (Gwet)."""
    differences = Differences()
    for sample in usable():
        rows = ours_of(sample, list(METRICS), weights)
        for key, metric in METRICS.items():
            wanted = float(metric(sample.counts.astype(float), weights_kernel=WEIGHTS[weights]))
            mine = ours(pairable(sample), key, weights) if key == "pi" else rows[key]
            differences.compare(sample, f"{key} {weights}", mine.value, wanted)
    differences.none_left(of_at_least=5 * (N - 20))


def by_coder(sample: Sample) -> Any:
    return np.array(
        [np.bincount(c[c >= 0], minlength=sample.n_values) for c in sample.codes.T], dtype=float
    )


@pytest.mark.parametrize("weights", WEIGHTS)
def test_kappa(weights: str) -> None:
    """Conger's kappa through the variance of shares between coders, as Gwet computes it."""
    differences = Differences()
    for sample in usable():
        wanted = cohens_kappa(
            sample.counts.astype(float), by_coder(sample), weights_kernel=WEIGHTS[weights]
        )
        differences.compare(sample, weights, ours(sample, "kappa", weights).value, float(wanted))
    differences.none_left(of_at_least=N - 20)


def test_its_pi_with_single_annotations_is_another_convention() -> None:
    """Shown, not assumed: with such items the two differ."""
    single = [s for s in usable() if (s.counts.sum(1) == 1).sum() > 2]
    far = [abs(ours(s, "pi").value - scotts_pi(s.counts.astype(float))) > 1e-6 for s in single]
    assert np.mean(far) > 0.9
