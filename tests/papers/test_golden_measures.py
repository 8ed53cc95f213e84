"""The worked examples of breakdowns, indices, tests, sample sizes and weights."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from golden.cases import CASES, COEFFICIENT, Case, of_measures
from golden.measures import MEASURES, NOT_OFFERED

PAIRED_CAC = (
    "pairedCAC keeps the small-sample term in alpha's pull and, with missing annotations, centres "
    "it on 1 where A_e belongs: its formula is in tests/inference/test_compare.py"
)
EPIR = (
    "epiR takes two shares of one sample for independent: its formula is in "
    "tests/diagnosis/test_indices.py"
)
NOT_REPRODUCED = {
    "klein2018:kappa_equality_test:other=gwet2014_20x5:measure=conger_kappa:paired=False:"
    "estimator=misskappa ipw": "misskappa averages over pairs of coders, each on the items that "
    "both annotated (see test_golden): other coefficients, another difference",
    "fleiss1971:light_kappa": "R irr's z of Light's kappa multiplies the disagreement of all pairs "
    "of coders into one number; we do not test against guessing",
    "epir_salmon:prevalence_index": EPIR,
    "epir_salmon:bias_index": EPIR,
    "gwet2016_pair_full:compare_correlated:krippendorff_alpha,unweighted": PAIRED_CAC,
    "gwet2016_pair_full:compare_correlated:krippendorff_alpha,quadratic": PAIRED_CAC,
    "gwet2016_pair_three:compare_correlated:krippendorff_alpha,unweighted": PAIRED_CAC,
    "gwet2016_pair_missing:compare_correlated:krippendorff_alpha,unweighted": PAIRED_CAC,
    "gwet2016_pair_missing:compare_correlated:krippendorff_alpha,quadratic": PAIRED_CAC,
}
# Where a source differs, it differs in these numbers only.
DIFFERENT = {
    "fleiss1971:light_kappa": {"z"},
    "epir_salmon:prevalence_index": {"se", "ci_low", "ci_high"},
    "epir_salmon:bias_index": {"se"},
} | {name: {"se", "t", "p_two_sided"} for name in NOT_REPRODUCED if "compare_corr" in name}


def same(theirs: Any, ours: Any, case: Case) -> bool:
    """Numbers, lists, matrices, or one number for each category."""
    if isinstance(theirs, dict):
        return set(theirs) == set(ours) and all(same(theirs[k], ours[k], case) for k in theirs)
    x, y = np.asarray(theirs, dtype=float), np.asarray(ours, dtype=float)
    return x.shape == y.shape and np.allclose(y, x, rtol=1e-12, atol=case.tolerance)


def misses(case: Case) -> dict[str, Any]:
    found = MEASURES[case.measure](case)
    return {
        name: (wanted, found[name])
        for name, wanted in case.expected.items()
        if not same(wanted, found[name], case)
    }


@pytest.mark.parametrize(
    "case", [c for c in of_measures(*MEASURES) if c.id not in NOT_REPRODUCED], ids=str
)
def test_reproduced(case: Case) -> None:
    assert not misses(case)


@pytest.mark.parametrize("name", NOT_REPRODUCED)
def test_not_reproduced(name: str) -> None:
    missed = misses(next(c for c in CASES if c.id == name))
    assert missed, "this case is reproduced now: remove it from NOT_REPRODUCED"
    assert set(missed) == DIFFERENT.get(name, set(missed))


def test_every_case_of_the_file_is_covered() -> None:
    """Each measure is a coefficient or one of the others; nothing is left aside in silence."""
    measures = {c.measure for c in CASES}
    assert measures == {*COEFFICIENT, *MEASURES, *NOT_OFFERED}
    assert not set(COEFFICIENT) & set(MEASURES)
    assert len(of_measures(*COEFFICIENT, *MEASURES, *NOT_OFFERED)) == len(CASES) == 553
    assert len({c.id for c in CASES}) == len(CASES)
