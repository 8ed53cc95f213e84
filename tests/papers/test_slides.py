"""Slides "Evaluating Annotation Reliability": the confusion matrices that can be read, and boost.

The slides print the agreement (ITA) of each matrix to two digits.

*boost*. Under "Prevalence problem": "Boost ITA .96, kappa -.18. Each annotator chose boost.02
once, but they disagreed on which one was boost.02." That fixes the whole table but for the
number of items n: n - 2 items on which both chose boost.01, and two items on which one of
them chose boost.02. So A_o = (n - 2) / n, both coders have the marginals (n - 1, 1), A_e =
((n - 1)^2 + 1) / n^2, and

    kappa = (A_o - A_e) / (1 - A_e) = -2 / (2n - 2) = -1 / (n - 1).

An agreement that prints as .96 needs n = 45 ... 57, and kappa is then between -.0227 and
-.0179. A kappa of -.18 would need n between 6.4 and 6.7, which is no number of items (n = 6
gives -.20, n = 7 gives -.17) and where the agreement would be near .7. The slide's two figures
cannot both be right. With 56 or 57 items the agreement prints as .96 and kappa is -.0182 or
-.0179, -.018 with three digits: most probably the slide lost a zero.
"""

from __future__ import annotations

import pytest

from papers.tables import measured

FORGE = [  # coders kelleya and crooksk, ITA .36: senses 3 and 6 are confused
    [1, 0, 0, 0, 0, 0, 0, 0],
    [0, 8, 0, 0, 0, 0, 0, 0],
    [0, 0, 4, 0, 0, 0, 0, 0],
    [0, 0, 0, 4, 0, 0, 0, 0],
    [0, 0, 0, 0, 0, 0, 0, 0],
    [0, 0, 32, 0, 0, 1, 0, 0],
    [0, 0, 0, 0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0, 0, 0, 0],
]
EXPLOIT = [  # coders crooksk and browneal, ITA .59: one of them hardly leaves sense 1
    [27, 14, 6, 0],
    [0, 2, 0, 0],
    [0, 0, 0, 0],
    [0, 0, 0, 0],
]
COMPANION = [  # coders greenlm and laesecke, ITA .76: no pattern
    [11, 2, 2, 2, 0],
    [1, 11, 1, 0, 0],
    [1, 0, 10, 1, 0],
    [0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0],
]


def test_forge() -> None:
    """18 of 50 agree; 32 of the 33 items that one coder gave sense 6 the other gave sense 3."""
    rows = measured(FORGE)
    assert rows["percent"].value == pytest.approx(0.36, abs=1e-12)
    # the senses of both coders: 1, 8, 4, 4, 33 and 1, 8, 36, 4, 1
    expected = (1 * 1 + 8 * 8 + 4 * 36 + 4 * 4 + 33 * 1) / 50**2
    assert rows["kappa"].expected == pytest.approx(expected, abs=1e-12)
    assert rows["kappa"].value == pytest.approx((0.36 - expected) / (1 - expected), abs=1e-12)
    assert rows["s"].value == pytest.approx((0.36 - 1 / 8) / (7 / 8), abs=1e-12)
    shared = (2**2 + 16**2 + 40**2 + 8**2 + 34**2) / 100**2
    assert rows["pi"].value == pytest.approx((0.36 - shared) / (1 - shared), abs=1e-12)


def test_exploit() -> None:
    """29 of 49 agree; one coder used sense 1 for all but two items, so kappa is near zero."""
    rows = measured(EXPLOIT)
    assert f"{rows['percent'].value:.2f}" == "0.59"
    expected = (47 * 27 + 2 * 16) / 49**2
    assert rows["kappa"].expected == pytest.approx(expected, abs=1e-12)
    assert rows["kappa"].value == pytest.approx((29 / 49 - expected) / (1 - expected), abs=1e-12)
    # coder bias: kappa forgives different distributions, pi does not
    assert rows["pi"].value < rows["kappa"].value < 0.13


def test_companion() -> None:
    """32 of 42 agree. The title of the slide is garbled, the matrix is not."""
    rows = measured(COMPANION)
    assert f"{rows['percent'].value:.2f}" == "0.76"


@pytest.mark.parametrize("table", [FORGE, EXPLOIT, COMPANION])
def test_what_the_slides_say_about_the_coefficients(table: list[list[int]]) -> None:
    """pi and kappa "give very similar results", and every coefficient is below the agreement."""
    rows = measured(table)
    assert rows["pi"].value <= rows["kappa"].value
    assert rows["pi"].value <= rows["s"].value
    assert all(r.value <= rows["percent"].value for r in rows)


# ------------------------------------------------------------------ boost


def boost(n: int) -> list[list[int]]:
    """n items; each coder chose boost.02 once, on different items."""
    return [[n - 2, 1], [1, 0]]


@pytest.mark.parametrize("n", [4, 7, 45, 50, 57, 1000])
def test_boost_kappa_is_minus_one_over_n_minus_one(n: int) -> None:
    rows = measured(boost(n))
    assert rows["percent"].value == pytest.approx((n - 2) / n, abs=1e-12)
    assert rows["kappa"].value == pytest.approx(-1 / (n - 1), abs=1e-12)
    assert rows["pi"].value == pytest.approx(rows["kappa"].value, abs=1e-12)  # the same marginals


def test_boost_ita_and_kappa_of_the_slide_exclude_each_other() -> None:
    found = {n: measured(boost(n)) for n in range(3, 200)}
    ita = [n for n, rows in found.items() if f"{rows['percent'].value:.2f}" == "0.96"]
    kappa = [n for n, rows in found.items() if f"{rows['kappa'].value:.2f}" == "-0.18"]
    assert (min(ita), max(ita)) == (45, 57)
    assert kappa == []
    assert [f"{found[n]['kappa'].value:.2f}" for n in (6, 7)] == ["-0.20", "-0.17"]
    assert [f"{found[n]['percent'].value:.2f}" for n in (6, 7)] == ["0.67", "0.71"]


def test_boost_a_lost_zero_explains_the_slide() -> None:
    """-.18 for -.018: so it is with 56 or 57 items, and with these the agreement is .96."""
    kappa = {n: f"{measured(boost(n))['kappa'].value:.3f}" for n in range(45, 58)}
    assert [n for n, printed in kappa.items() if printed == "-0.018"] == [56, 57]


def test_boost_2ao_minus_1() -> None:
    """The slide's remedy (Byrt, Bishop & Carlin 1993): with n = 50, 2 * .96 - 1 = .92."""
    assert measured(boost(50))["pabak"].value == pytest.approx(0.92, abs=1e-12)
