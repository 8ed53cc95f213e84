"""The test against chance: printed z, brute force, and what it must not be used for."""

from __future__ import annotations

import numpy as np
import pytest

from accordant import COEFFICIENTS, RequestError
from accordant.counts.count import count
from accordant.inference.chance_test import null_test
from accordant.inference.influence import linearise
from accordant.measure.distances import weights_for
from golden.cases import COEFFICIENT, Case, annotations_of, of_measures, weights_of
from inference.test_linearised import random_rows
from laws.drawing import counts_of

CASES = [
    c
    for c in of_measures("cohen_kappa", "fleiss_kappa", "scott_pi")
    if {"z", "se0"} & set(c.expected)
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_printed_values(case: Case) -> None:
    """SAS, Stata, R irr, R epiR: z and the standard error under the hypothesis of chance."""
    counts = count(annotations_of(case))
    found = null_test(
        COEFFICIENTS[COEFFICIENT[case.measure]], counts, weights_for(weights_of(case), counts)
    )
    for name, ours in (("z", found.z), ("se0", found.se), ("p_two_sided", found.p_value)):
        if name in case.expected:
            assert ours == pytest.approx(case.expected[name], abs=case.tolerance)


@pytest.mark.parametrize(
    "key, missing", [("pi", 0.0), ("pi", 0.3), ("kappa", 0.0), ("light", 0.0), ("light", 0.3)]
)
@pytest.mark.parametrize("wanted", ["identity", "quadratic"])
def test_it_is_the_spread_of_coders_who_guess(key: str, wanted: str, missing: float) -> None:
    """400 data sets of three coders who draw labels of their own accord."""
    rng = np.random.default_rng(4)
    shares = (
        [[0.5, 0.3, 0.2]] * 3
        if key == "pi"
        else [[0.5, 0.3, 0.2], [0.2, 0.5, 0.3], [0.3, 0.3, 0.4]]
    )
    coefficient, values = COEFFICIENTS[key], []
    errors = []
    for _ in range(400):
        table = np.stack([rng.choice(3, 120, p=p) for p in shares], 1)
        table[rng.random(table.shape) < missing] = -1
        counts = counts_of(table[(table >= 0).any(1)].tolist())
        w = weights_for(wanted, counts)
        found = null_test(coefficient, counts, w)
        values.append(found.value)
        errors.append(found.se)
    # five standard errors of a standard deviation from 400 numbers, and a mean over items
    assert np.mean(errors) == pytest.approx(np.std(values), rel=5 / 800**0.5)


def test_two_coders_have_one_pair() -> None:
    counts = counts_of(random_rows(80, 2, 0))
    w = weights_for("quadratic", counts)
    one, other = (null_test(COEFFICIENTS[k], counts, w) for k in ("kappa", "light"))
    assert one.se == pytest.approx(other.se, rel=1e-9)


def test_light_as_r_prints_it_is_another_formula() -> None:
    """irr's kappam.light multiplies the disagreement of all pairs of coders into one number.

    Its z of 2.3 for data whose Fleiss kappa has z = 17.7 has no derivation that we know of. It
    is reproduced here, and ours is the one that coders who guess obey (see above).
    """
    (case,) = (c for c in of_measures("light_kappa") if "z" in c.expected)
    counts = count(annotations_of(case))
    n, m = float(counts.n_items), counts.n_coders
    value = float(COEFFICIENTS["light"].parts(counts, weights_for("identity", counts)).value)
    pairs = [(c, d) for c in range(m) for d in range(c + 1, m)]
    apart = np.prod([n**2 - counts.by_coder[c] @ counts.by_coder[d] for c, d in pairs])
    chance = 1 - len(pairs) * apart / n ** (2 * len(pairs))
    z = value / (chance / (n * (1 - chance))) ** 0.5
    assert value == pytest.approx(case.expected["value"], abs=case.tolerance)
    assert z == pytest.approx(case.expected["z"], abs=case.tolerance)
    ours = null_test(COEFFICIENTS["light"], counts, weights_for("identity", counts))
    assert ours.z == pytest.approx(20.8, abs=0.05)


def test_an_interval_must_not_rest_on_it() -> None:
    """epiR does so for the salmon data: .559 to .788, where .524 to .823 is right."""
    (case,) = (c for c in CASES if c.id == "epir_salmon:cohen_kappa:digits")
    counts = count(annotations_of(case))
    w = weights_for("identity", counts)
    null = null_test(COEFFICIENTS["kappa"], counts, w)
    usual = linearise(COEFFICIENTS["kappa"], counts, w).variance(large_sample=True) ** 0.5
    assert null.value - 1.959964 * null.se == pytest.approx(0.559, abs=5e-4)
    assert null.value - 1.959964 * usual == pytest.approx(0.524, abs=5e-4)


def test_unknown_for_other_coefficients() -> None:
    counts = counts_of([[0, 1], [1, 1], [0, 0]])
    for key in ("alpha", "s", "ac", "percent"):
        with pytest.raises(RequestError, match="pi, kappa, light"):
            null_test(COEFFICIENTS[key], counts, weights_for("identity", counts))


def test_kappa_with_missing_annotations_is_refused() -> None:
    counts = counts_of([[0, 1, -1], [1, 1, 1], [0, 0, 1]])
    with pytest.raises(RequestError, match="every coder"):
        null_test(COEFFICIENTS["kappa"], counts, weights_for("identity", counts))


def test_undefined_stays_undefined() -> None:
    counts = counts_of([[0, 0], [0, 0]])
    found = null_test(COEFFICIENTS["pi"], counts, weights_for("identity", counts))
    assert np.isnan(found.se)
    assert np.isnan(found.p_value)
