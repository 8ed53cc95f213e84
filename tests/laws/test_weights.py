"""Weights are one matrix, however they are held: closed form, running sums, blocks, table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from accordant import COEFFICIENTS, RequestError, agreement, read
from accordant.counts.count import count
from accordant.measure import distances
from accordant.measure import weights as held
from accordant.measure.distances import METRICS, weights_for
from accordant.measure.weights import (
    Blend,
    Elementwise,
    Identity,
    Linear,
    Ratio,
    Squared,
    WeightMatrix,
)
from laws.drawing import Rows, missing_out, same, tables
from laws.kernels import OF_VALUES, counts_of

CATEGORIES = [1, 2, 4, 7, 9, 11]


@pytest.fixture(params=[4_000_000, 7], ids=["one block", "small blocks"])
def without_tables(request: pytest.FixtureRequest) -> Iterator[None]:
    """Weights as for more values than a matrix is kept for."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(distances, "KEEP", 1)
        patch.setattr(held, "BLOCK", request.param)
        yield


def codes(seed: int, *, missing: float = 0.2, items: int = 60, coders: int = 4) -> Any:
    rng = np.random.default_rng(seed)
    return missing_out(rng, rng.integers(len(CATEGORIES), size=(items, coders)), missing)


@pytest.mark.usefixtures("without_tables")
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", METRICS)
def test_every_form_is_the_table(name: str, seed: int) -> None:
    counts = counts_of(codes(seed), CATEGORIES)
    w = weights_for(name, counts)
    forms = {"quadratic": Squared, "linear": Linear, "ratio": Ratio, "ordinal": Blend}
    assert isinstance(w, forms.get(name, Elementwise))
    assert not isinstance(w, WeightMatrix)
    table = WeightMatrix.of(name, by_definition(name))
    rng = np.random.default_rng(seed)
    k = len(CATEGORIES)
    p, q, batch = rng.random(k), rng.random(k), rng.random((2, 3, k))
    a, b = rng.integers(k, size=(2, 50))
    assert w.matrix == same(table.matrix)
    assert w.at(a, b) == same(table.at(a, b))
    assert w.apply(p) == same(table.apply(p))
    assert w.apply(batch) == same(table.apply(batch))
    assert w.expected(batch, q) == same(table.expected(batch, q))
    assert w.pairs(counts) == same(table.pairs(counts), abs=1e-11)
    assert w.total == same(table.total, abs=1e-11)
    assert w.diagonal == same(table.diagonal)


def by_definition(name: str) -> Any:
    """The matrix from the definition, cell by cell: Gwet (2014, ch. 4), Krippendorff (2004)."""
    ranks = range(1, len(CATEGORIES) + 1)
    every = np.array(ranks if name == "ordinal" else CATEGORIES, dtype=float)
    low, high = every.min(), every.max()

    def distance(x: float, y: float) -> float:
        if x == y:
            return 0.0
        match name:
            case "linear":
                return abs(x - y)
            case "ordinal":
                return abs(x - y) * (abs(x - y) + 1) / 2
            case "quadratic":
                return (x - y) ** 2
            case "radical":
                return abs(x - y) ** 0.5
            case "ratio":
                return ((x - y) / (x + y)) ** 2
            case "circular":
                return np.sin(np.pi * (x - y) / (high - low + 1)) ** 2
        return (x - y) ** 2 / ((x + y - 2 * low) * (2 * high - x - y))

    d = np.array([[distance(x, y) for y in every] for x in every])
    return 1 - d / d.max()


@pytest.mark.parametrize("name", ["identity", "quadratic", "linear", "ratio"])
@pytest.mark.parametrize("seed", range(3))
def test_pairs_are_the_sum_over_pairs_of_annotations(name: str, seed: int) -> None:
    rows = codes(seed, missing=0.3)
    counts = counts_of(rows, CATEGORIES)
    w = weights_for(name, counts)
    by_item = w.pairs(counts)[counts.anonymous.pattern_of]
    for row, found in zip(rows, by_item, strict=True):
        labels = row[row >= 0]
        pairs = [(a, b) for i, a in enumerate(labels) for j, b in enumerate(labels) if i != j]
        assert found == same(sum(float(w.matrix[a, b]) for a, b in pairs), abs=1e-11)


def test_identity_is_its_table() -> None:
    counts = counts_of(codes(0), CATEGORIES)
    w, table = Identity("identity", 6), WeightMatrix.of("identity", np.eye(6))
    assert w.matrix == same(table.matrix)
    assert w.pairs(counts) == same(table.pairs(counts))
    assert (w.total, w.diagonal.tolist()) == (6.0, [1.0] * 6)


@pytest.mark.parametrize("key", OF_VALUES)
@pytest.mark.parametrize("name", ["linear", "quadratic", "ratio"])
@given(rows=tables())
def test_a_name_its_matrix_and_its_function_give_the_same(key: str, name: str, rows: Rows) -> None:
    counts = counts_of(rows)
    coefficient = COEFFICIENTS[key]
    named = weights_for(name, counts)
    matrix = weights_for(named.matrix, counts)
    function = weights_for(
        lambda a, b: named.matrix[counts.values.index(a), counts.values.index(b)], counts
    )
    wanted = float(coefficient.parts(counts, named).value)
    assert float(coefficient.parts(counts, matrix).value) == same(wanted, abs=1e-11)
    assert float(coefficient.parts(counts, function).value) == same(wanted, abs=1e-11)


@pytest.mark.parametrize("key", OF_VALUES)
def test_a_million_distinct_scores_need_no_matrix(key: str) -> None:
    """Closed forms against a table of 300 distinct real numbers."""
    rng = np.random.default_rng(0)
    truth = rng.normal(size=100)
    scores = np.sort(np.unique((truth + rng.normal(scale=0.3, size=(3, 100))).ravel()))
    rows = np.arange(300).reshape(3, 100).T
    counts = counts_of(rows, scores.tolist())
    for name in ("quadratic", "linear"):
        closed = weights_for(name, counts)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(distances, "KEEP", 1)
            running = weights_for(name, counts)
        table = WeightMatrix.of(name, closed.matrix)
        wanted = float(COEFFICIENTS[key].parts(counts, table).value)
        for w in (closed, running):
            assert float(COEFFICIENTS[key].parts(counts, w).value) == same(wanted, abs=1e-11)


SPREADS = {
    "twelve decades": 10 ** np.linspace(-6, 6, 400),
    "with zero": np.linspace(0, 30, 400),
    "close together": np.linspace(1e6, 1e6 + 1, 400),
    "up to twice": np.linspace(1, 1.999, 400),
    "more than twice": np.linspace(1, 2.001, 400),
}


@pytest.mark.parametrize("spread", SPREADS)
@pytest.mark.parametrize("block", [4_000_000, 5_000])
def test_ratios_as_sums_of_exponentials(spread: str, block: int) -> None:
    """Against all pairs of scores, in relative terms: of agreement and of disagreement."""
    counts = counts_of([[0, 1]], SPREADS[spread].tolist())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(distances, "KEEP", 1)
        patch.setattr(held, "BLOCK", block)
        w = weights_for("ratio", counts)
        p = np.random.default_rng(1).dirichlet(np.ones(400), (2, 3))
        found, pairs = w.apply(p), Elementwise.apply(w, p)  # type: ignore[arg-type]
    assert isinstance(w, Ratio)
    assert 1 - found == pytest.approx(1 - pairs, rel=1e-12)
    assert (p * found).sum(-1) == pytest.approx((p * pairs).sum(-1), rel=1e-12)


def test_a_circle_closes_one_step_after_its_last_category() -> None:
    """Degrees or steps: the same circle. The step is the smallest gap; others are multiples."""
    quarters = [[0, 1, 2, 3, 0], [3, 1, 2, 3, 1]]
    degrees = [[90 * x for x in row] for row in quarters]
    turned = weights_for("circular", count(read(degrees)))
    assert turned.matrix == same(weights_for("circular", count(read(quarters))).matrix)
    assert turned.at(np.array([0]), np.array([3])) == same(turned.at(np.array([0]), np.array([1])))
    with pytest.raises(RequestError, match="equal steps"):
        weights_for("circular", count(read([[0.0, 1.0, 2.5], [1.0, 1.0, 2.5]])))


@pytest.mark.parametrize(
    "weights, message",
    [
        ([[0, 1], [1, 0]], "given as Distance"),
        ([[1, -5], [7, 1]], "between 0 and 1"),
        ([[1, 0, 0], [0, 1, 0]], "2 x 3, but there are 2 categories"),
        ([[1, 2], [3]], "a 2 x 2 matrix of numbers"),
        (3, "a single number"),
        (lambda a, b: a - b, "the weights of 'a' and 'a'"),
        (lambda a, b: float("nan"), "not finite"),
        (distances.Distance([[1, 0], [0, 1]]), "itself must be"),
    ],
)
def test_weights_that_are_no_weights(weights: Any, message: str) -> None:
    counts = count(read([["a", "b", "a"], ["a", "b", "b"]]))
    with pytest.raises(RequestError, match=message):
        weights_for(weights, counts)


def test_percent_counts_equal_labels_unless_weights_are_asked_for() -> None:
    ratings = [[1, 2, 3, 3], [1, 3, 3, 1]]
    by_scale = agreement(ratings, ["percent", "s"], scale="ordinal")
    assert by_scale["percent"].weights == "identity"
    assert by_scale["percent"].value == same(0.5)
    assert by_scale["s"].observed > 0.5
    asked = agreement(ratings, "percent", scale="ordinal", weights="ordinal")["percent"]
    assert asked.value == same(by_scale["s"].observed)
