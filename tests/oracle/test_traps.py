"""What other programs do with data that ours handles: shown, so that the docs may say so."""

from __future__ import annotations

import krippendorff
import numpy as np
import pytest
from nltk.metrics.agreement import AnnotationTask
from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

from accordant import agreement

# Coder 1 left out the second item, coder 2 the fourth.
LABELS = [[1, None, 2, 1, 2, 2], [1, 1, 2, None, 2, 1], [1, 1, 2, 2, 2, 2]]


def test_statsmodels_counts_nan_as_a_category() -> None:
    """aggregate_raters makes NaN a label like any other: coders even agree on it."""
    labels = np.array([[np.nan if v is None else v for v in row] for row in LABELS])
    table, categories = aggregate_raters(labels.T)
    assert np.isnan(categories).any()
    theirs = fleiss_kappa(table)
    ours = agreement(LABELS, "fleiss")["fleiss"]
    assert ours.n_values == 2
    assert abs(ours.value - theirs) > 0.1


def test_krippendorff_takes_codes_of_categories_for_numbers() -> None:
    """Its default level is interval: the codes 1, 2, 7 are averaged without a word."""
    codes = [[1, 2, 7, 7, 1, 2], [1, 7, 7, 7, 1, 2]]
    by_default = krippendorff.alpha(reliability_data=np.array(codes, float))
    assert agreement(codes, "alpha", scale="interval")["alpha"].value == pytest.approx(by_default)
    nominal = agreement(codes, "alpha")["alpha"]
    assert nominal.weights == "identity"
    assert abs(nominal.value - by_default) > 0.01


@pytest.mark.parametrize("method", ["kappa", "pi", "S", "multi_kappa"])
def test_nltk_stops_at_a_missing_annotation(method: str) -> None:
    triples = [
        (f"c{c}", f"i{i}", v)
        for c, row in enumerate(LABELS)
        for i, v in enumerate(row)
        if v is not None
    ]
    with pytest.raises((RuntimeError, StopIteration, KeyError, ZeroDivisionError)):
        getattr(AnnotationTask(triples), method)()
    assert all(np.isfinite(r.value) for r in agreement(LABELS))
