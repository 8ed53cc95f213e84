"""Six coefficients against nltk's AnnotationTask, which works in Python loops: fewer samples."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from nltk.metrics.agreement import AnnotationTask

from oracle.random_data import Differences, Sample, complete, ours, samples

N = 200  # 30 ms a task


@cache
def task(sample: Sample, distance: Any = None) -> Any:
    triples = [
        (f"c{c}", f"i{i}", int(v) + 1)
        for i, row in enumerate(sample.codes)
        for c, v in enumerate(row)
        if v >= 0
    ]
    return AnnotationTask(triples, distance) if distance else AnnotationTask(triples)


def used(sample: Sample) -> Sample:
    """nltk counts the categories that occur, not those of a scheme."""
    found, codes = np.unique(sample.codes, return_inverse=True)
    return Sample(sample.number, codes.reshape(sample.codes.shape), len(found))


# nltk's names: kappa is the mean over pairs of coders, pi is Fleiss'.
METHODS = {"avg_Ao": "percent", "S": "s", "pi": "pi", "multi_kappa": "kappa", "alpha": "alpha"}


@pytest.mark.parametrize("method", METHODS)
def test_complete_data(method: str) -> None:
    differences = Differences()
    for sample in complete()[:N]:
        sample = used(sample)
        row = ours(sample, METHODS[method])
        if row.undefined:  # nltk: 1 for alpha, a division by zero for the others
            assert row.undefined.reason in ("no_variation", "one_category")
            continue
        differences.compare(sample, method, row.value, float(getattr(task(sample), method)()))
    differences.none_left(of_at_least=N - 10)


def test_mean_pairwise_kappa() -> None:
    differences = Differences()
    for sample in complete()[:N]:
        row = ours(sample, "light")
        if row.undefined:
            continue
        try:
            wanted = float(task(sample).kappa())
        except ZeroDivisionError:  # a pair of coders without variation: undefined for us too
            wanted = np.nan
        differences.compare(sample, "kappa", row.value, wanted)
    differences.none_left(of_at_least=N - 60)


def test_alpha_with_missing_annotations() -> None:
    """The only coefficient of nltk that survives them."""
    differences = Differences()
    for sample in [s for s in samples() if not s.complete][:N]:
        row = ours(sample, "alpha")
        if row.undefined:
            continue
        differences.compare(sample, "alpha", row.value, float(task(sample).alpha()))
    differences.none_left(of_at_least=N - 10)


def squared(a: int, b: int) -> float:
    return float((a - b) ** 2)


def test_weighted() -> None:
    """Alpha and the mean pairwise weighted kappa with a squared distance."""
    differences = Differences()
    for sample in complete()[:N]:
        own = task(sample, squared)
        row = ours(sample, "alpha", "quadratic")
        if not row.undefined:
            differences.compare(sample, "alpha", row.value, float(own.alpha()))
        if sample.n_coders == 2:
            kappa = ours(sample, "kappa", "quadratic")
            if not kappa.undefined:
                differences.compare(
                    sample, "weighted kappa", kappa.value, float(own.weighted_kappa())
                )
    differences.none_left(of_at_least=N - 10)


def test_max_distance_of_nltk_divides_chance_only() -> None:
    """``weighted_kappa(max_distance=d)`` divides expected disagreement by d, observed by 1: so
    1 - kappa is d times too large. Without the argument it is right."""
    differences = Differences()
    for sample in [s for s in complete()[:N] if s.n_coders == 2]:
        kappa = ours(sample, "kappa", "quadratic")
        if not kappa.undefined:
            wrong = float(task(sample, squared).weighted_kappa(max_distance=16.0))
            differences.compare(sample, "max_distance", 1 - 16 * (1 - kappa.value), wrong)
    differences.none_left(of_at_least=20)
