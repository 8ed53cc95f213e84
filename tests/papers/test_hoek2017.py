"""Hoek & Scholman (2017), Evaluating discourse annotation, Tables 2-6.

Table 6 and the text contradict each other about Table 5 (two coders who disagree on 110 of 120
items: 5, 110, 0, 5):

- Table 6 prints kappa .004, the text .0004 (section 3.3, after Table 6). **Table 6 is right.**
  A_e = (115 * 5 + 5 * 115) / 120^2 = 0.07986 and A_o = 10 / 120 = 0.08333, so kappa =
  0.003774. The text has one zero too many. (The agreement rounded to two digits, .08 and .08,
  would give 0; the value needs the full digits.)
- Table 6 prints AC1 -.83, the text "AC1's agreement score for the data in Table 5 (0.80)".
  **Table 6 is right**: A_e is exactly .5 and AC1 = (.08333 - .5) / .5 = -.83333. The .80 of the
  text is the AC1 of Table 4; a score of .80 could not "reflect the almost perfect
  disagreement" that the sentence speaks of.

One more figure cannot be right, and there table and text agree with each other: the chance
agreement of AC1 in Table 4. Both print .22; by the paper's equation 3 it is
2 * (10 / 120) * (110 / 120) = .15278. The AC1 of .80 that they print follows from .15
((.8333 - .1528) / .8472 = .8033), not from .22 ((.8333 - .22) / .78 = .786).
"""

from __future__ import annotations

import pytest

from papers.tables import measured

TABLES = {
    2: [[50, 12], [8, 50]],
    3: [[20, 12], [8, 80]],
    4: [[0, 12], [8, 100]],
    5: [[5, 110], [0, 5]],
}

# Table 6: A_o; A_e and value of kappa; A_e and value of AC1, with the digits that are printed.
TABLE_6 = {
    2: ("0.83", "0.50", "0.67", "0.50", "0.67"),
    3: ("0.83", "0.62", "0.56", "0.38", "0.73"),
    4: ("0.83", "0.85", "-0.09", "0.15", "0.80"),  # prints .22 for A_e of AC1, see above
    5: ("0.08", "0.08", "0.004", "0.50", "-0.83"),
}


def rounded(x: float, printed: str) -> str:
    """``x`` with as many digits as were printed."""
    return f"{x:.{len(printed.partition('.')[2])}f}"


@pytest.mark.parametrize("number", TABLES)
def test_table_6(number: int) -> None:
    rows = measured(TABLES[number])
    kappa, ac = rows["kappa"], rows["ac1"]
    ours = (kappa.observed, kappa.expected, kappa.value, ac.expected, ac.value)
    printed = TABLE_6[number]
    assert tuple(map(rounded, ours, printed)) == printed


def test_table_5_is_004_and_minus_83_as_table_6_says() -> None:
    rows = measured(TABLES[5])
    assert rows["kappa"].expected == pytest.approx(2 * 115 * 5 / 120**2, abs=1e-15)
    assert rows["kappa"].value == pytest.approx(1 / 265, abs=1e-12)
    assert rounded(rows["kappa"].value, ".0004") != "0.0004"
    assert rows["ac1"].expected == pytest.approx(0.5, abs=1e-15)
    assert rows["ac1"].value == pytest.approx(-5 / 6, abs=1e-12)


def test_chance_agreement_of_ac1_in_table_4_is_15_not_22() -> None:
    row = measured(TABLES[4])["ac1"]
    assert row.expected == pytest.approx(2 * (10 / 120) * (110 / 120), abs=1e-15)
    assert rounded((row.observed - 0.22) / (1 - 0.22), "0.80") == "0.79"  # but .80 is printed


def test_the_80_of_the_text_is_the_ac1_of_table_4() -> None:
    assert rounded(measured(TABLES[4])["ac1"].value, "0.80") == "0.80"


def test_an_unused_category_lifts_ac1_and_leaves_kappa() -> None:
    """Section 3.3: with an empty category in Table 2, AC1 rises from .67 to .78, kappa stays .67."""
    without = measured(TABLES[2])
    unused = measured([[50, 12, 0], [8, 50, 0], [0, 0, 0]])
    assert [rounded(t["ac1"].value, ".00") for t in (without, unused)] == ["0.67", "0.78"]
    assert unused["kappa"].value == pytest.approx(without["kappa"].value, abs=1e-15)
    assert rounded(unused["kappa"].value, ".00") == "0.67"
    for key in ("percent", "pi", "kappa", "alpha"):
        assert unused[key].value == pytest.approx(without[key].value, abs=1e-15)
    # S is lifted for the same reason: more categories, less agreement by chance
    assert without["s"].value == pytest.approx(2 / 3, abs=1e-12)
    assert unused["s"].value == pytest.approx(3 / 4, abs=1e-12)


def test_table_4_is_the_paradox() -> None:
    """High agreement, kappa below zero: no item on which both coders chose category 1."""
    rows = measured(TABLES[4])
    assert rows["percent"].value > 0.8 > 0 > rows["kappa"].value
