"""Marchal et al. (2022), Establishing annotation quality in multi-label annotations.

Tables 1 and 2. The annotations behind Table 2 are not published; the bundled case study was
constructed so that all its figures print as in the paper. Section 5 is in tests/simulate.

Table 1 prints recall and precision swapped: by section 3.3 and by Table 2 precision is the share
of the first coder's labels that the second gave too, which for item 1 is 1, not .50.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from accordant import Annotations, agreement, diagnose, example, read
from papers.tables import MARCHAL_2

# (soft-match, augmented, precision, recall, F1) of each item, with the two columns put right
TABLE_1 = [
    (("A",), ("A", "B"), (1, 0.5, 1, 0.5, 0.67)),
    (("A", "B"), ("B", "C"), (1, 0.25, 0.5, 0.5, 0.5)),
    (("A", "B"), ("A", "B"), (1, 0.5, 1, 1, 1)),
]
WEIGHTS = ("overlap", "divided-vote", "precision", "recall", "f1")

# Derived by hand from the paper's formulas in an independent program: expected, adjusted,
# standard error by the delta method with numerical derivatives
CASE = {
    "boot_match": (0.341124688281, 0.680656967902, 0.020329626),
    "boot_precision": (0.313262719531, 0.651608554727, 0.019649296),
    "boot_recall": (0.211531814202, 0.428986162722, 0.01461388),
    "boot_f1": (0.242975971825, 0.497416782713, 0.015533252),
    "augmented": (0.208327788129, 0.382000042027, None),
    "soft_match": (0.226538346369, 0.727966811501, None),
}
PRINTED = 0.005 + 1e-9


def table_1() -> Annotations:
    """The three items."""
    return read([[row[0] for row in TABLE_1], [row[1] for row in TABLE_1]], categories=list("ABC"))


@pytest.fixture(scope="module")
def case_study() -> Annotations:
    """884 items that print as Table 2."""
    return example("marchal2022_case")


@pytest.mark.parametrize("column, name", list(enumerate(WEIGHTS)))
def test_table_1(column: int, name: str) -> None:
    each = diagnose(table_1(), weights=name).pooled.items.agreement
    assert each == pytest.approx([row[2][column] for row in TABLE_1], abs=PRINTED)


def test_expected_agreement_of_augmented_kappa_is_seven_eighteenths() -> None:
    row = agreement(table_1(), "augmented")["augmented"]
    assert row.expected == pytest.approx(float(Fraction(7, 18)), abs=1e-15)
    assert row.expected == pytest.approx(0.39, abs=PRINTED)
    assert row.observed == pytest.approx(1.25 / 3)


def test_soft_match_of_table_1() -> None:
    """Two shared labels: half of the vote each by expectation, one of them for both by sampling.

    The product of expectations is 1/2. A draw for both coders leaves labels A, B and A, or A, B
    and B, which both give 5/9: it makes the coders alike.
    """
    exact = agreement(table_1(), "soft_match")["soft_match"]
    assert (exact.observed, exact.expected) == (1, pytest.approx(0.5))
    drawn = agreement(table_1(), "soft_match", simulations=50, seed=1, interval="none")[
        "soft_match"
    ]
    assert drawn.expected == pytest.approx(5 / 9)


def test_soft_match_sampled_and_exact_agree_on_many_items(case_study: Annotations) -> None:
    """They differ by sum Cov / n^2, which vanishes with the number of items."""
    asked = {"simulations": 200, "seed": 1, "interval": "none"}
    (drawn,) = agreement(case_study, "soft_match", **asked)  # type: ignore[arg-type]
    (exact,) = agreement(case_study, "soft_match", interval="none")
    assert drawn.expected == pytest.approx(exact.expected, abs=4 * drawn.expected_error + 1e-3)
    assert 0 < drawn.expected_error < 1e-3


@pytest.mark.parametrize("key", MARCHAL_2)
def test_table_2(key: str, case_study: Annotations) -> None:
    row = agreement(case_study, key)[key]
    found = [float(f"{x:.2f}") for x in (row.observed, row.expected, row.value)]
    assert found == list(MARCHAL_2[key][1:])
    assert row.low < row.value < row.high
    assert (row.n_items, row.n_coders) == (884, 2)


@pytest.mark.parametrize("key", CASE)
def test_the_case_study_to_all_digits(key: str, case_study: Annotations) -> None:
    expected, value, se = CASE[key]
    row = agreement(case_study, key)[key]
    assert (row.expected, row.value) == pytest.approx((expected, value), abs=1e-11)
    if se is not None:
        assert row.se == pytest.approx(se, abs=5e-9)


def test_the_simulation_of_the_paper_confirms_the_exact_chance(case_study: Annotations) -> None:
    keys = ["boot_match", "boot_precision", "boot_recall", "boot_f1"]
    drawn = agreement(case_study, keys, simulations=300, seed=7, interval="none")
    for row in drawn:
        exact = agreement(case_study, row.coefficient, weights=row.weights, interval="none")
        (sure,) = exact
        assert row.expected == pytest.approx(sure.expected, abs=4 * row.expected_error)
        assert 0 < row.expected_error < 0.002
        assert row.note is not None
        assert "300 simulations" in row.note


def test_analytic_and_bootstrap_standard_errors_agree(case_study: Annotations) -> None:
    analytic = agreement(case_study)
    drawn = agreement(case_study, interval="bootstrap", resamples=4000, seed=3)
    for a, b in zip(analytic, drawn, strict=True):
        if a.coefficient.startswith("label"):
            continue  # a resample may lose a rare label, and then is a mean over fewer
        assert a.se == pytest.approx(b.se, rel=0.05), (a.coefficient, a.weights)
