"""Light's kappa: the mean over pairs of coders, each judged on the items that both annotated."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

import accordant as ac
from golden.cases import Case, annotations_of, of_measures
from inference.samples import annotations, codes


@pytest.mark.parametrize("case", of_measures("light_kappa"), ids=str)
def test_published(case: Case) -> None:
    """Warrens (2010, p. 284); R irr, R psych and nltk on the data of Fleiss (1971)."""
    found = ac.agreement(annotations_of(case), "light")["light"]
    assert found.value == pytest.approx(case.expected["value"], abs=case.tolerance)
    assert found.se > 0
    assert found.method.startswith("bootstrap")


@pytest.mark.parametrize("weights", ["identity", "quadratic"])
@pytest.mark.parametrize("seed", range(8))
def test_it_is_the_mean_of_the_pairs(weights: str, seed: int) -> None:
    """Against kappa of each pair, counted for itself on the items that both annotated."""
    table = codes(6 + 10 * seed, 4, 0.5, seed)
    each = []
    for pair in combinations(range(4), 2):
        both = table[:, pair][(table[:, pair] >= 0).all(1)]
        if len(both):
            each.append(ac.agreement(annotations(both), "kappa", weights=weights)[0].value)
    known = [k for k in each if not np.isnan(k)]
    found = ac.agreement(annotations(table), "light", weights=weights)[0]
    assert found.value == pytest.approx(np.mean(known), abs=1e-9)
    assert (found.note is None) or len(known) < 6 or "share" in found.note


def test_two_coders_have_cohens_kappa() -> None:
    data = annotations(codes(80, 2, 0))
    own = [[1, 0.5, 0], [0.1, 1, 0.5], [0, 0.2, 1]]  # not symmetric
    found = ac.agreement(data, ["kappa", "light"], weights=own, interval="bootstrap", seed=1)
    assert found["kappa"].value == pytest.approx(found["light"].value, abs=1e-12)
    assert found["kappa"].se == pytest.approx(found["light"].se, rel=1e-9)


def test_its_error_is_the_spread_of_studies() -> None:
    values = [ac.agreement(annotations(codes(60, 4, 0.2, s)), "light")[0] for s in range(60)]
    spread = np.std([v.value for v in values])
    assert np.mean([v.se for v in values]) == pytest.approx(spread, rel=0.3)  # 9 %, three times


def test_pairs_without_a_kappa_are_counted() -> None:
    """A and C never meet; B and C both give nothing but a."""
    met = [["a", "b", "a", "b", None, None], ["a", "b", "b", "b", "a", "a"]]
    late = [None, None, None, None, "a", "b"]
    same = [None, None, None, None, "a", "a"]
    one, two = (ac.agreement([*met, x], "light", interval="none")[0].note for x in (same, late))
    assert one
    assert one.startswith("mean of 1 of 3 pairs")
    assert two
    assert two.startswith("mean of 2 of 3 pairs")
    assert ac.agreement(met, "light", interval="none")[0].note is None


def test_it_has_no_interval_where_pairs_share_few_items_and_is_no_default() -> None:
    rng = np.random.default_rng(6)
    table = np.full((400, 40), -1)
    for row in table:
        row[rng.choice(40, 3, replace=False)] = rng.integers(2, size=3)
    data = annotations(table, (1, 2))
    assert "light" not in {row.coefficient for row in ac.agreement(data)}
    (row,) = ac.agreement(data, "light")
    assert not np.isnan(row.value)
    assert np.isnan(row.low)
    assert row.note
    (difference,) = ac.compare(data, data, "light")
    assert np.isnan(difference.low)


def test_undefined_says_why() -> None:
    found = ac.agreement([["a", "a", "a"]] * 2, "light", categories=["a", "b"])["light"]
    assert found.undefined
    assert found.undefined.reason == "no_variation"
