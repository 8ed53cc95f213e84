"""Marchal et al. (2022), section 5: every printed figure, and every statement about the figure.

The paper's means rest on 100 data sets each, ours on 400, so both have a Monte Carlo error; its
figures are printed with two decimals.
"""

from __future__ import annotations

import json
import math
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from scipy.optimize import linprog

import accordant as ac

PAPER = ("soft_match", "augmented", "boot_match", "boot_f1", "boot_precision", "boot_recall")
LOW, MEDIUM, HIGH = 0.6, 0.75, 0.9
DOUBLE = (0, 0.25, 0.5, 0.75, 1)
ROUNDED = 0.005
THEIRS = 100  # data sets of the paper
FAR = 4.0  # standard errors
RATIO = 0.27516146
SKEWED = [RATIO**k / sum(RATIO**j for j in range(5)) for k in range(5)]
"""Shares with an entropy of 1.154 bits, about half of log2 5: .73, .20, .05, .02, .00"""


@cache
def study(categories: int = 5, skewed: bool = False) -> Any:
    shares = SKEWED if skewed else None
    return ac.multilabel_study(categories=categories, shares=shares, datasets=400, seed=20)


def error(sd: float, *n: int) -> float:
    return sd * math.sqrt(sum(1 / k for k in n))


def is_printed(cell: Any, part: str, printed: float) -> bool:
    """Whether a mean can be the printed one: rounding, and the errors of both simulations."""
    sd = getattr(cell, f"{part}_sd")
    return abs(getattr(cell, part) - printed) <= ROUNDED + FAR * error(sd, THEIRS, cell.n_datasets)


# ------------------------------------------------------------------ figures in the text

PRINTED = [
    *(
        ("value", 5, m, a, 0, x)
        for m in PAPER
        for a, x in ((LOW, 0.50), (MEDIUM, 0.69), (HIGH, 0.87))
    ),
    *(("expected", 5, "boot_match", a, 0, 0.20) for a in (LOW, MEDIUM, HIGH)),
    *(("expected", 5, "boot_match", a, 1, 0.70) for a in (LOW, MEDIUM, HIGH)),
    *(("expected", 10, "boot_match", a, 0, 0.11) for a in (LOW, MEDIUM, HIGH)),
    *(("expected", 10, "boot_match", a, 1, 0.38) for a in (LOW, MEDIUM, HIGH)),
    ("value", 5, "boot_match", HIGH, 1, 0.67),
    ("value", 5, "boot_match", MEDIUM, 1, 0.17),
    ("value", 10, "boot_match", MEDIUM, 1, 0.60),
]


@pytest.mark.parametrize("part, categories, measure, agreement, double, printed", PRINTED)
def test_printed_figures(
    part: str, categories: int, measure: str, agreement: float, double: float, printed: float
) -> None:
    assert is_printed(study(categories)[measure, agreement, double], part, printed)


def test_expected_soft_match_over_all_data_sets_is_printed_as_21() -> None:
    cells = study().of_measure("soft_match")
    mean = sum(c.expected for c in cells) / len(cells)
    se = math.sqrt(sum(error(c.expected_sd, THEIRS, 400) ** 2 for c in cells)) / len(cells)
    assert abs(mean - 0.21) <= ROUNDED + FAR * se


def test_boot_match_is_negative_where_all_labels_are_double_and_agreement_low() -> None:
    cell = study()["boot_match", LOW, 1]
    assert cell.value < -10 * cell.value_se


def test_five_points_more_with_ten_categories() -> None:
    """Section 5.1, without double labels; true of the low scenario, less of the others."""
    few, many = (study(k)["boot_match", LOW, 0] for k in (5, 10))
    se = math.hypot(error(few.value_sd, THEIRS, 400), error(many.value_sd, THEIRS, 400))
    assert abs(many.value - few.value - 0.05) <= ROUNDED + FAR * se
    for agreement in (MEDIUM, HIGH):
        few, many = (study(k)["boot_match", agreement, 0] for k in (5, 10))
        assert 0 < many.value - few.value < 0.05


def test_a_perfect_tie_of_doubles_and_singles() -> None:
    """90 % agreement with double labels only is like 75 % without any."""
    one, other = study()["boot_match", HIGH, 1], study()["boot_match", MEDIUM, 0]
    assert abs(one.value - other.value) < 0.03


# ------------------------------------------------------------------ the figure that cannot be


def least_observed(intersection: float, double: float) -> float:
    """The smallest augmented observed agreement, whatever items get the double labels.

    Variables: shares of items by (shared or not) x (labels of coder 1) x (labels of coder 2). A
    shared item counts 1 / (labels of coder 1 x labels of coder 2) at least.
    """
    kinds = [(shared, s, t) for shared in (0, 1) for s in (1, 2) for t in (1, 2)]
    found = linprog(
        [shared / (s * t) for shared, s, t in kinds],
        A_ub=[[float(s == 2) for _, s, _ in kinds], [float(t == 2) for _, _, t in kinds]],
        b_ub=[double, double],
        A_eq=[[float(shared) for shared, _, _ in kinds], [1.0] * len(kinds)],
        b_eq=[intersection, 1.0],
    )
    return float(found.fun)


def test_the_printed_augmented_kappa_of_49_is_impossible() -> None:
    """Section 5 prints .49 for 90 % agreement and 25 % double labels; at least .56 is possible."""
    least = least_observed(HIGH, 0.25)
    assert least == pytest.approx(0.65)
    assert (least - 0.2) / (1 - 0.2) == pytest.approx(0.5625)
    cell = study()["augmented", HIGH, 0.25]
    assert cell.observed > least
    assert (least - cell.expected) / (1 - cell.expected) > 0.555
    assert (cell.value - 0.49) / error(cell.value_sd, THEIRS, 400) > 20
    # the doubles that it would take: three in ten, and all on different items
    needed = 0.49 * 0.79 + 0.21
    assert least_observed(HIGH, 0.30) > needed > least_observed(HIGH, 0.31)


# ------------------------------------------------------------------ another program

GRID = json.loads((Path(__file__).parent / "grid.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "row", GRID["cells"], ids=lambda r: f"{r['categories']}-{r['agreement']}-{r['double']}"
)
def test_every_cell_of_the_figure_is_that_of_another_program(row: dict[str, Any]) -> None:
    n = GRID["data_sets"]
    for measure, (observed, expected, value, sd) in row["measures"].items():
        cell = study(row["categories"])[measure, row["agreement"], row["double"]]
        assert abs(cell.observed - observed) <= 4.5 * error(cell.observed_sd, 400, n) + 1e-6
        assert abs(cell.expected - expected) <= 4.5 * error(cell.expected_sd, 400, n) + 1e-6
        assert abs(cell.value - value) <= 4.5 * error(sd, 400, n) + 1e-6
        assert cell.value_sd == pytest.approx(sd, rel=0.25)


@pytest.mark.parametrize("agreement", [LOW, MEDIUM, HIGH])
@pytest.mark.parametrize("d", DOUBLE)
@pytest.mark.parametrize("k", [5, 10])
def test_observed_agreement_by_hand(k: int, d: float, agreement: float) -> None:
    """Population values: the second labels of two coders coincide with probability 1 / (K - 1)."""
    both, one = d * d, 2 * d * (1 - d)
    more = 1 / (k - 1)
    wanted = {
        "boot_match": 1.0,
        "augmented": (1 - d) ** 2 + one / 2 + both * (1 + more) / 4,
        "boot_f1": (1 - d) ** 2 + one * 2 / 3 + both * (1 + more) / 2,
        "boot_precision": (1 - d) + d * ((1 - d) / 2 + d * (1 + more) / 2),
    }
    wanted["boot_recall"] = wanted["boot_precision"]
    for measure, share in wanted.items():
        cell = study(k)[measure, agreement, d]
        assert abs(cell.observed - agreement * share) <= 4.5 * cell.observed_se + 1e-12


# ------------------------------------------------------------------ statements about the figure


def steps(found: Any, measure: str, agreement: float, part: str) -> list[float]:
    return [getattr(found[measure, agreement, d], part) for d in DOUBLE]


def falls(x: list[float]) -> bool:
    return all(b < a for a, b in pairwise(x))


@pytest.mark.parametrize("agreement", [LOW, MEDIUM, HIGH])
def test_what_the_text_says_of_each_row(agreement: float) -> None:
    def of(measure: str, part: str) -> list[float]:
        return steps(study(), measure, agreement, part)

    for part in ("observed", "expected", "value"):
        soft = of("soft_match", part)
        assert max(soft) - min(soft) < 0.02  # does not see double labels
    assert falls(of("augmented", "observed"))
    assert max(of("augmented", "expected")) - min(of("augmented", "expected")) < 0.01
    assert of("boot_match", "observed") == of("soft_match", "observed")
    assert falls([-x for x in of("boot_match", "expected")])
    assert falls(of("boot_match", "value"))
    assert falls(of("boot_f1", "observed"))
    assert falls([-x for x in of("boot_f1", "expected")])
    assert all(a < f for a, f in zip(of("augmented", "value")[1:-1], of("boot_f1", "value")[1:-1]))
    for other in ("boot_precision", "boot_recall"):
        f1, own = of("boot_f1", "value"), of(other, "value")
        assert own[0] == pytest.approx(f1[0], abs=1e-12)
        assert own[-1] == pytest.approx(f1[-1], abs=1e-12)
        assert all(a > b for a, b in zip(own[1:-1], f1[1:-1]))  # footnote 4: often slightly higher


def test_more_agreement_gives_higher_values() -> None:
    for measure in PAPER:
        for d in DOUBLE:
            values = [study()[measure, a, d].value for a in (HIGH, MEDIUM, LOW)]
            assert falls(values)


@pytest.mark.parametrize("measure", ["boot_match", "boot_f1"])
def test_chance_rises_less_with_more_categories(measure: str) -> None:
    few, many = (steps(study(k), measure, MEDIUM, "expected") for k in (5, 10))
    assert many[-1] - many[0] < few[-1] - few[0]


# ------------------------------------------------------------------ section 5.2, entropy


@pytest.mark.parametrize("agreement", [LOW, MEDIUM, HIGH])
def test_lower_entropy(agreement: float) -> None:
    even, skewed = study(), study(skewed=True)
    for measure in PAPER:
        for d in DOUBLE:
            assert skewed[measure, agreement, d].expected > even[measure, agreement, d].expected
    for measure in ("augmented", "soft_match"):
        assert falls(steps(skewed, measure, agreement, "expected"))
    assert falls([-x for x in steps(skewed, "soft_match", agreement, "value")])
    for d in DOUBLE[1:]:
        soft, augmented = (skewed[m, agreement, d].expected for m in ("soft_match", "augmented"))
        assert soft - augmented > 0.04
    for measure in ("boot_f1", "boot_match"):
        fall = [
            x[0] - x[-1] for s in (even, skewed) for x in [steps(s, measure, agreement, "value")]
        ]
        assert fall[1] < fall[0]  # the decrease is reduced


def test_the_skewed_shares_have_the_entropy_of_the_page() -> None:
    assert -sum(p * math.log2(p) for p in SKEWED) == pytest.approx(1.154, abs=5e-4)
