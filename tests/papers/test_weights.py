"""Weight matrices as printed: Gwet's for three categories, Krippendorff's ordinal metric."""

from __future__ import annotations

import numpy as np
import pytest
from accordant import read
from accordant.counts.count import count
from accordant.measure.distances import weights_for
from golden.cases import Case, of_measures


@pytest.mark.parametrize("case", of_measures("weight_matrix"), ids=str)
def test_weight_matrix(case: Case) -> None:
    categories = case.params["categories"]
    counts = count(read([categories, categories[::-1]], categories=categories))
    w = weights_for(case.params["weights"], counts)
    assert w.matrix == pytest.approx(np.array(case.expected["matrix"]), abs=case.tolerance)


@pytest.mark.parametrize("case", of_measures("ordinal_metric"), ids=str)
def test_ordinal_metric(case: Case) -> None:
    """The source prints square roots of distances; a weight is 1 - distance / largest distance.

    The pool of pairable annotations holds each value as often as the example says: one item
    annotated by a coder for each.
    """
    n_values = case.params["n_values"]
    values = list(range(1, len(n_values) + 1))
    labels = np.repeat(values, n_values)
    counts = count(read([[int(v)] for v in labels], categories=values))
    roots = np.array(case.expected["matrix_sqrt"])
    w = weights_for("ordinal-metric", counts)
    distance = (1 - w.matrix) * roots.max() ** 2
    assert np.sqrt(np.abs(distance)) == pytest.approx(roots, abs=case.tolerance)
