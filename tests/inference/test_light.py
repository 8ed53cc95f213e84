"""Light's kappa: the mean over pairs of coders, each judged on the items that both annotated."""

from __future__ import annotations

import tracemalloc
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given

from accordant import COEFFICIENTS, agreement
from accordant.counts.count import count
from accordant.inference.influence import jackknife, linearise, refound
from accordant.inference.resampling import bootstrap
from accordant.measure import pairs
from accordant.measure.coefficients import find
from accordant.measure.distances import weights_for
from accordant.measure.pairs import n_undefined_pairs
from diagnosis.made import of_grid
from golden.cases import Case, annotations_of, of_measures
from inference.test_linearised import random_rows
from laws.drawing import Rows, counts_of, tables

LIGHT, KAPPA = COEFFICIENTS["light"], COEFFICIENTS["kappa"]


@pytest.mark.parametrize("case", of_measures("light_kappa"), ids=str)
def test_published(case: Case) -> None:
    """Warrens (2010, p. 284); R irr, R psych and nltk on the data of Fleiss (1971)."""
    found = agreement(annotations_of(case), "light")["light"]
    assert found.value == pytest.approx(case.expected["value"], abs=case.tolerance)
    assert found.se > 0


@pytest.mark.parametrize("wanted", ["identity", "quadratic"])
@given(rows=tables())
def test_it_is_the_mean_of_the_pairs(wanted: str, rows: Rows) -> None:
    """Against kappa of each pair, counted for itself on the items that both annotated."""
    counts = counts_of(rows)
    each = []
    for c, d in combinations(range(len(rows[0])), 2):
        both = [[r[c], r[d]] for r in rows if min(r[c], r[d]) >= 0]
        part = counts_of(both)
        each.append(float(KAPPA.parts(part, weights_for(wanted, part)).value) if both else np.nan)
    known = [k for k in each if not np.isnan(k)]
    w = weights_for(wanted, counts)
    found = float(LIGHT.parts(counts, w).value)
    assert found == pytest.approx(np.mean(known) if known else np.nan, abs=1e-9, nan_ok=True)
    assert n_undefined_pairs(counts, w) == len(each) - len(known)


def test_two_coders_have_cohens_kappa() -> None:
    counts = counts_of(random_rows(50, 2, 0))
    own = weights_for([[1, 0.5, 0], [0.1, 1, 0.5], [0, 0.2, 1]], counts)  # not symmetric
    one, other = (c.parts(counts, own) for c in (KAPPA, LIGHT))
    assert float(one.value) == pytest.approx(float(other.value), abs=1e-12)
    a, b = (linearise(c, counts, own).variance() for c in (KAPPA, LIGHT))
    assert a == pytest.approx(b, rel=1e-9)


def test_the_work_is_split_without_a_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    counts = counts_of(random_rows(200, 5, 0.3))
    w = weights_for("linear", counts)
    whole = LIGHT.parts(counts, w), linearise(LIGHT, counts, w).variance()
    monkeypatch.setattr(pairs, "CELLS", 7)
    parts = LIGHT.parts(counts, w), linearise(LIGHT, counts, w).variance()
    assert parts[0].value == pytest.approx(float(whole[0].value), abs=1e-12)
    assert parts[1] == pytest.approx(whole[1], rel=1e-9)


def test_three_ways_to_its_standard_error_agree() -> None:
    counts = counts_of(random_rows(2000, 4, 0.3))
    w = weights_for("identity", counts)
    formula = linearise(LIGHT, counts, w).variance() ** 0.5
    assert jackknife(LIGHT, counts, w) ** 0.5 == pytest.approx(formula, rel=0.01)
    drawn = bootstrap(LIGHT, counts, w, n_resamples=2000, rng=1)
    assert drawn.std() == pytest.approx(formula, rel=5 / 4000**0.5)


@pytest.mark.parametrize("listed", [False, True])
@pytest.mark.parametrize("wanted", ["identity", "quadratic", "directed"])
@given(rows=tables())
def test_without_an_item_only_the_kappas_of_its_coders_change(
    listed: bool, wanted: str, rows: Rows
) -> None:
    """Against finding all kappas again; some pairs lose their only common item, or variation."""
    counts = counts_of(rows).pairable
    weights = np.eye(counts.n_values) + 0.3 * np.tri(counts.n_values, k=-1)
    counts, w = LIGHT.view(counts, weights_for(weights if wanted == "directed" else wanted, counts))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pairs, "WORTH", 0 if listed else 1e9)
        found = pairs.mean_without_one(counts, w)
    assert found == pytest.approx(refound(LIGHT, counts, w), abs=1e-12, nan_ok=True)


def test_pairs_without_a_common_item_are_counted() -> None:
    rows = [[0, 0, -1], [1, 1, -1], [0, 1, -1], [-1, 0, 0], [-1, 1, 1], [-1, 0, 1]]
    counts = counts_of(rows)
    w = weights_for("identity", counts)
    assert n_undefined_pairs(counts, w) == 1
    assert not np.isnan(LIGHT.parts(counts, w).value)


def test_pairs_without_a_kappa_are_named() -> None:
    """A and C never meet; B and C both give nothing but a."""
    met = [["a", "b", "a", "b", None, None], ["a", "b", "b", "b", "a", "a"]]
    late = [None, None, None, None, "a", "b"]
    same = [None, None, None, None, "a", "a"]
    one = agreement([*met, same], "light", interval="none")["light"]
    assert one.note == "mean of 1 of 3 pairs of coders; 2 have no kappa"
    two = agreement([*met, late], "light", interval="analytic")["light"]
    assert two.note == "mean of 2 of 3 pairs of coders; 1 has no kappa"
    assert agreement(met, "light", interval="analytic")["light"].note is None
    assert agreement([*met, late], "kappa", interval="analytic")["kappa"].note is None


def test_names() -> None:
    assert find("light") is find("mean pairwise kappa") is LIGHT
    assert LIGHT.is_mean
    assert not KAPPA.is_mean


def test_all_undefined_says_why() -> None:
    found = agreement([["a", "a", "a"], ["a", "a", "a"]], "light", categories=["a", "b"])["light"]
    assert found.undefined is not None
    assert found.undefined.reason == "no_variation"


@pytest.mark.parametrize("wanted", ["identity", "linear", "directed"])
@given(rows=tables())
def test_tabulated_and_listed_pairs_are_the_same(wanted: str, rows: Rows) -> None:
    counts = counts_of(rows)
    weights = np.eye(counts.n_values) + 0.3 * np.tri(counts.n_values, k=-1)
    w = weights_for(weights if wanted == "directed" else wanted, counts)
    found = []
    for make in (pairs._tabulated, lambda c: pairs._listed(c, c.coder)):
        value, pull = {}, np.zeros(counts.n_patterns)
        for part in make(counts):
            parts = part.parts(w)
            pull += part.by_pattern(parts, pairs._pull(w, parts))
            each = zip(parts.one, parts.other, parts.n, parts.observed, parts.value, strict=True)
            value |= {(a, b): (n, o, v) for a, b, n, o, v in each}
        found.append((value, pull))
    (tabulated, pull), (listed, other) = found
    assert tabulated.keys() == listed.keys()
    for pair, numbers in tabulated.items():
        assert numbers == pytest.approx(listed[pair], abs=1e-12, nan_ok=True)
    assert pull == pytest.approx(other, abs=1e-12)


@pytest.mark.parametrize("n_coders, n_values", [(20, 5), (20, 400)])
def test_pairs_never_exist_at_once(n_coders: int, n_values: int) -> None:
    """38,000 items of 20 coders: 3.5 million pairs of annotations, 28 MB for each thing to know."""
    rng = np.random.default_rng(1)
    grid = np.where(
        rng.random((38_000, n_coders)) < 0.7, rng.integers(n_values, size=(38_000, n_coders)), -1
    )
    counts = count(of_grid(grid, range(n_values)))
    w = weights_for("identity", counts)
    _ = counts.row, counts.size
    tracemalloc.start()
    pairs.mean_of_pairs(counts, w)
    pairs.pull_on_pairs(counts, w)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 300e6 if n_values > 256 else peak < 50e6
