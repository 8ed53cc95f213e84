"""Every worked example of coefficients.json, through the public call.

A case is reproduced if all its numbers are, within its own tolerance, stated as its source
states them (golden/dialects.py). The others follow another estimator: NOT_REPRODUCED names
each, why, and where we know it the formula that gives its number (golden/variants.py).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import pytest

from golden.cases import CASES, COEFFICIENT, Case, of_measures
from golden.dialects import stated
from golden.variants import (
    Numbers,
    all_items_as_df,
    corrected_centre,
    cran_half_slope,
    fixed_chance,
    mean_over_pairs,
    weights_turned,
)

BY_ID = {c.id: c for c in CASES}


class Reason(NamedTuple):
    """Why a number is not ours, and the formula that gives it."""

    words: str
    formula: Callable[[Case], Numbers] | None


HALF_SLOPE = Reason(
    "irrCAC 1.0 for counts takes half the slope of A_e in alpha's standard error", cran_half_slope
)
CENTRE = Reason(
    "irrCAC 1.0 and its Python port mix A_o with and without the small-sample term; 1.4 agrees "
    "with us",
    corrected_centre,
)
DF = Reason(
    "irrCAC 1.4 takes all items - 1 degrees of freedom, we the pairable items - 1", all_items_as_df
)
TURNED = Reason(
    "the Python port of irrCAC swaps rows and columns of weights that are not symmetric; R's "
    "irrCAC 1.4 agrees with us",
    weights_turned,
)
FIXED = Reason("Cohen's (1960) standard error takes A_e as known", fixed_chance)
PAIRS = Reason(
    "misskappa averages over pairs of coders, each on the items that both annotated",
    mean_over_pairs,
)
THREES = Reason("misskappa's agreement of three coders at a time", None)

NOT_REPRODUCED: dict[str, Reason] = {
    "distrib.6raters:krippendorff_alpha:weights=identity": HALF_SLOPE,
    "distrib.6raters:krippendorff_alpha:weights=quadratic": HALF_SLOPE,
    "distrib.6raters:krippendorff_alpha:ci": HALF_SLOPE,
    "distrib.6raters:krippendorff_alpha:p": HALF_SLOPE,
    "irrcacpy:test_krippendorff_kappa_raw4raters": CENTRE,
    "irrcacpy:test_krippendorff_kappa_raw4raters_bipolar_weights": CENTRE,
    "irrcacpy:test_krippendorff_kappa_raw4raters_quadratic_weights": CENTRE,
    "irrcacpy:test_krippendorff_kappa_raw4raters_ratio_weights": CENTRE,
    "irrcacpy:test_krippendorff_kappa_raw4raters_custom_weights": CENTRE,
    "irrcacpy:test_krippendorff_kappa_raw5observers:p": CENTRE,
    "irrcacpy:test_krippendorff_kappa_raw_g1g2:p": CENTRE,
    "kripp_4x12:alpha:irrCAC1.4:se": DF,
    "irrcacpy:test_cohen_cont4x4diagnosis_custom_weights": TURNED,
    "irrcacpy:test_scott_cont4x4diagnosis_custom_weights": TURNED,
    "irrcacpy:test_krippendorff_cont4x4diagnosis_custom_weights": TURNED,
    "watson_petrie_2010:cohen_kappa:digits": FIXED,
    "klein2018:conger_kappa:estimator=misskappa ipw:ci=normal": PAIRS,
    "klein2018:fleiss_kappa:estimator=misskappa ipw:ci=normal": PAIRS,
    "klein2018:brennan_prediger:estimator=misskappa ipw:ci=normal": PAIRS,
    "gwet2014_20x5:conger_kappa:estimator=misskappa ipw": PAIRS,
    "gwet2014_20x5:conger_kappa:estimator=misskappa ipw:g=3": THREES,
    "gwet2014_20x5:fleiss_kappa:estimator=misskappa ipw:g=3": THREES,
}

MEASURES = of_measures(*COEFFICIENT)


def close(name: str, ours: float, case: Case) -> bool:
    """Within the tolerance of the case, which covers the digits that its source prints."""
    room = case.ci_tolerance if name.startswith("ci_") else case.tolerance
    return math.isclose(ours, case.expected[name], rel_tol=1e-12, abs_tol=room)


def misses(case: Case, ours: Numbers) -> dict[str, tuple[float, float]]:
    """What the case expects and ``ours`` does not give: (expected, ours)."""
    return {
        name: (wanted, ours.get(name, math.nan))
        for name, wanted in case.expected.items()
        if not close(name, ours.get(name, math.nan), case)
    }


@pytest.mark.parametrize("case", [c for c in MEASURES if c.id not in NOT_REPRODUCED], ids=str)
def test_reproduced(case: Case) -> None:
    assert not misses(case, stated(case))


@pytest.mark.parametrize("name", NOT_REPRODUCED)
def test_not_reproduced_for_the_reason_given(name: str) -> None:
    case, reason = BY_ID[name], NOT_REPRODUCED[name]
    missed = misses(case, stated(case))
    assert missed, "this case is reproduced now: remove it from NOT_REPRODUCED"
    if reason.formula:
        theirs = reason.formula(case)
        assert not {k for k in missed if k in theirs and not close(k, theirs[k], case)}
        assert set(missed) & set(theirs)
