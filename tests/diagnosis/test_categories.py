"""Each category against the rest: published and peer values, and the definitions by hand."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from accordant.counts.count import count
from accordant.data.annotations import Annotations
from accordant.inference.categories import AgainstRest, categories, specific_agreement
from accordant.measure.coefficients import COEFFICIENTS
from accordant.measure.weights import Identity
from accordant.scheme import Scheme
from diagnosis.made import (
    FLEISS_1971,
    KRIPPENDORFF_2011,
    at_random,
    from_coders,
    from_table,
    of_grid,
)

PRINTED_3 = 6e-4  # three printed digits, of which the last may be rounded
PEER = 1e-6  # printed by the peer with seven digits
EXACT = 1e-12

MIESKES_2009 = from_coders(
    [
        [
            "UH",
            "INP",
            "UH",
            "INP",
            "RB",
            "JJ",
            "INP",
            "PRP",
            "NN",
            "VB",
            "PRP",
            "INP",
            "RB",
            "INP",
            "MD",
            "PRP",
            "INP",
        ],
        [
            "VB",
            "INP",
            "UH",
            "INP",
            "RB",
            "JJ",
            "INP",
            "PRP",
            "NN",
            "VBP",
            "PRP",
            "INP",
            "UH",
            "INP",
            "MD",
            "PRP",
            "INP",
        ],
        [
            "UH",
            "INP",
            "UH",
            "INP",
            "RB",
            "JJ",
            "INP",
            "PRP",
            "RB",
            "VB",
            "PRP",
            "INP",
            "UH",
            "INP",
            "MD",
            "PRP",
            "INP",
        ],
    ]
)
KRIPPENDORFF_1980 = from_coders(
    [[1, 1, 2, 4, 1, 2, 1, 3, 2], [1, 2, 2, 4, 4, 2, 2, 3, 2], [1, 2, 2, 4, 4, 2, 3, 3, 2]]
)


def found(data: Annotations, name: str) -> dict:
    return {r.category: getattr(r, name).value for r in categories(count(data)).rows}


@pytest.mark.parametrize(
    "data, name, expected, tolerance",
    [
        # Artstein & Poesio (2008), table 1; R obs.agree 1.0
        (
            from_table([[20, 10], [20, 50]], ("STAT", "IReq")),
            "specific",
            {"STAT": 0.571, "IReq": 0.769},
            PRINTED_3,
        ),
        # R obs.agree 1.0, RAI: several coders (Uebersax), complete and with gaps
        (
            FLEISS_1971,
            "specific",
            {1: 0.3538462, 2: 0.3538462, 3: 0.6, 4: 0.6327273, 5: 0.6697674},
            PEER,
        ),
        (KRIPPENDORFF_2011, "specific", {1: 0.7, 2: 0.7692308, 3: 0.8, 4: 0.8, 5: 1.0}, PEER),
        # Fleiss (1971), p. 381: worked with rounded shares, hence the wide tolerance
        (FLEISS_1971, "pi", {1: 0.248, 2: 0.248, 3: 0.517, 4: 0.470, 5: 0.565}, 5e-3),
        # R irr 0.84.1, kappam.fleiss(detail=TRUE)
        (FLEISS_1971, "pi", {1: 0.245, 2: 0.245, 3: 0.520, 4: 0.471, 5: 0.566}, PRINTED_3),
        # Agresti (1992), p. 202, two pathologists of Landis & Koch; DKPro Statistics 2.3.1. These
        # are π of the category against the rest, not values conditional on the first coder.
        (
            from_table([[22, 2, 2, 0], [5, 7, 14, 0], [0, 2, 36, 0], [0, 1, 17, 10]]),
            "pi",
            {1: 0.781, 2: 0.247, 3: 0.402, 4: 0.435},
            PRINTED_3,
        ),
        # Mieskes (2009), p. 58
        (
            MIESKES_2009,
            "pi",
            {
                "INP": 1,
                "JJ": 1,
                "MD": 1,
                "NN": 0.48,
                "PRP": 1,
                "RB": 0.56,
                "UH": 0.67,
                "VB": 0.29,
                "VBP": -0.02,
            },
            0.01,
        ),
        # Krippendorff (1980), p. 139; DKPro Statistics 2.3.1. He prints .777 for .7778.
        (KRIPPENDORFF_1980, "alpha", {1: 0.381, 2: 0.711, 3: 0.717, 4: 0.764}, 1e-3),
        (KRIPPENDORFF_1980, "percent", {1: 0.777, 2: 0.852, 3: 0.926, 4: 0.926}, 1e-3),
    ],
)
def test_published_and_peer_values(data, name, expected, tolerance) -> None:
    assert found(data, name) == pytest.approx(expected, abs=tolerance)


RANDOM = [
    at_random(seed, coders=c, values=k) for seed, (c, k) in enumerate([(2, 2), (3, 4), (5, 3)])
]


@pytest.mark.parametrize("data", RANDOM)
def test_specific_agreement_pair_by_pair(data) -> None:
    """Of the ordered pairs with the value on the first side, those with it on both."""
    for row in categories(count(data)).rows:
        k, both, one, neither, no = data.values.index(row.category), 0, 0, 0, 0
        for labels in data.grid:
            for x, y in permutations(labels[labels >= 0], 2):
                both, one = both + (x == y == k), one + (x == k)
                neither, no = neither + (x != k and y != k), no + (x != k)
        assert row.specific.value == pytest.approx(both / one, abs=EXACT)
        assert row.negative.value == pytest.approx(neither / no, abs=EXACT)


@pytest.mark.parametrize("data", RANDOM)
def test_coefficients_are_those_of_the_recoded_annotations(data) -> None:
    """Recode the annotations first, then measure: the long way round."""
    for row in categories(count(data)).rows:
        k = data.values.index(row.category)
        recoded = np.where(data.grid < 0, -1, data.grid == k)
        counts = count(of_grid(recoded, ("other", "it")))
        for key in ("percent", "pi", "kappa", "alpha", "ac"):
            value = COEFFICIENTS[key].parts(counts, Identity("identity", 2)).value
            assert getattr(row, key).value == pytest.approx(float(value), abs=EXACT)
        assert row.by_coder == tuple((data.grid == k).sum(0))
        assert row.n_annotations == (data.grid == k).sum()
        assert row.n_items == (data.grid == k).any(1).sum()
        some_other = ((data.grid != k) & (data.grid >= 0)).any(1)
        assert row.n_disputed == ((data.grid == k).any(1) & some_other).sum()


@pytest.mark.parametrize("data", RANDOM)
def test_unknown_coders_change_nothing_but_kappa(data) -> None:
    known, unknown = categories(count(data)).rows, categories(count(data).anonymous).rows
    for a, b in zip(known, unknown, strict=True):
        for name in ("specific", "negative", "percent", "pi", "alpha", "ac"):
            x, y = getattr(a, name), getattr(b, name)
            assert (x.value, x.se) == pytest.approx((y.value, y.se), abs=EXACT)
        assert b.kappa.undefined.reason == "unknown_coders"
        assert b.by_coder == ()


@pytest.mark.parametrize("data", RANDOM)
def test_interval_of_specific_agreement_by_leaving_items_out(data) -> None:
    """The linearised variance of a ratio agrees with the jackknife for many items."""
    big = of_grid(np.tile(data.grid, (25, 1)), data.values)
    counts = AgainstRest(count(big)).of(data.values[0])
    estimate = specific_agreement(counts, 1)
    n = (big.grid == 0).sum(1)
    m = (big.grid >= 0).sum(1)
    part, whole = (n * (n - 1)).astype(float), (n * (m - 1)).astype(float)
    without = (part.sum() - part) / (whole.sum() - whole)
    items = len(n)
    jackknife = np.sqrt((items - 1) / items * ((without - without.mean()) ** 2).sum())
    assert estimate.se == pytest.approx(jackknife, rel=0.02)  # items without annotations, 1/n terms
    assert estimate.low < estimate.value < estimate.high


def test_label_sets_are_judged_label_by_label() -> None:
    """Sets of labels: agreement on whether the set holds the label."""
    values = (("a",), ("a", "b"), ("b",))
    grid = np.array([[0, 1], [1, 1], [2, 2], [0, 0], [1, 2]])
    made = of_grid(grid, "abc")
    data = Annotations(
        made.items,
        made.coders,
        ("",),
        (Scheme(("a", "b", "c"), declared=True, max_labels=None),),
        values,
        grid,
    )
    rows = {r.category: r for r in categories(count(data)).rows}
    assert rows["a"].n_annotations == 7
    assert rows["a"].percent.value == pytest.approx(4 / 5)  # item 5: ab against b
    assert rows["b"].specific.value == pytest.approx(6 / 7)


def test_unused_and_rare_categories() -> None:
    data = of_grid(np.array([[0, 0], [0, 1], [1, 1], [2, 1]]), "abcd")
    shown = categories(count(data))
    assert shown.unused == ("d",)
    fewer = categories(count(data), most=2)
    assert [r.category for r in fewer.rows] == ["a", "b"]
    assert fewer.left_out == 1


def test_undefined_has_its_reason() -> None:
    lonely = of_grid(np.array([[0, -1], [1, 1], [1, 1]]), "ab")
    row = categories(count(lonely)).rows[0]
    assert np.isnan(row.specific.value)
    assert row.specific.undefined.reason == "not_given"
    same = categories(count(of_grid(np.zeros((4, 2), int), "ab"))).rows[0]
    assert same.alpha.undefined.reason == "no_variation"
    assert same.to_rows()[0]["undefined"].startswith("every annotation is 'a'")
    assert same.specific.value == 1.0
    assert same.specific.low == pytest.approx(0.025 ** (1 / 4))  # Clopper & Pearson, 4 of 4
    assert np.isnan(same.specific.se)
