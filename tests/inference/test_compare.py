"""Comparing two coefficients: printed paired tests, leaving items out, simulated error rates."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import accordant as ac
from golden.cases import COEFFICIENT, DATASETS, Case, of_measures
from golden.dialects import weights_as_matrix
from inference.samples import annotations

FORMULAS = ("percent", "s", "pi", "kappa", "alpha", "ac")
ALPHA = [c for c in of_measures("compare_correlated") if "kripp" in c.params["coefficient"]]


@pytest.mark.parametrize("case", ALPHA, ids=str)
def test_printed_values_of_alpha(case: Case) -> None:
    """R pairedCAC (Gwet 2016); the other coefficients are in tests/papers/test_golden_measures.

    pairedCAC multiplies the pull of an item by 1 - 1 / n, and that is nearly all: the small-sample
    term is not in Gwet's own single standard error (irrCAC), which ours is. With unequal numbers
    of coders pairedCAC also centres the pull on chance with 1 where A_e belongs; both are repeated
    here, and then its numbers follow.
    """
    data, weights = DATASETS[str(case.data)], case.params["weights"]
    both = [data[k] for k in ("coders_1", "coders_2")]
    key = COEFFICIENT[case.params["coefficient"]]
    options: Any = {"layout": "transposed", "categories": [1, 2, 3], "weights": weights}
    (found,) = ac.compare(*both, key, paired=True, interval="analytic", **options)
    for theirs, ours in (("value_1", found.before), ("value_2", found.after)):
        assert ours == pytest.approx(case.expected[theirs], abs=case.tolerance)
    apart = np.subtract(*(as_paired_cac(rows, weights) for rows in both[::-1]))
    se = apart.std(ddof=1) / len(apart) ** 0.5
    assert se == pytest.approx(case.expected["se"], abs=case.tolerance)
    assert found.se == pytest.approx(case.expected["se"], rel=0.025)


def as_paired_cac(rows: Any, weights: str) -> Any:
    w = weights_as_matrix(weights, (1, 2, 3))
    n = np.array([[sum(r[i] == k for r in rows) for k in (1, 2, 3)] for i in range(len(rows[0]))])
    size = n.sum(1)
    mean, small = size.mean(), 1 / size.sum()
    agreed = (n * (n @ w - 1)).sum(1) / (mean * (size - 1))
    share = n.sum(0) / size.sum()
    chance = share @ w @ share
    observed = (1 - small) * agreed.mean() + small
    alpha = (observed - chance) / (1 - chance)
    own = (1 - small) * (agreed - agreed.mean() * (size - mean) / mean) + small
    drawn = n @ w @ share / mean - 1 * (size - mean) / mean  # the 1 should be `chance`
    return (own - chance) / (1 - chance) - 2 * (1 - alpha) * (drawn - chance) / (1 - chance)


# ------------------------------------------------------------------ independent ways


def two_rounds(n: int, seed: int, better: float = 0.0, missing: float = 0.0) -> Any:
    """The same items twice: the second round has the first's difficulty and other coders' luck."""
    rng = np.random.default_rng(seed)
    truth, hard = rng.integers(3, size=n), rng.random(n) < 0.5
    tables = []
    for gain in (0.0, better):
        known = rng.random((n, 3)) < np.where(hard, 0.3 + gain, 0.95)[:, None]
        table = np.where(known, truth[:, None], rng.integers(3, size=(n, 3)))
        table[rng.random((n, 3)) < missing] = -1
        table[(table < 0).all(1), 0] = 0
        tables.append(table)
    return tables


def compared(tables: Any, keys: Any, **options: Any) -> Any:
    return ac.compare(*map(annotations, tables), keys, **options)


@pytest.mark.parametrize("interval", ["auto", "analytic"])
@pytest.mark.parametrize("paired", [True, False])
def test_better_is_positive(interval: Any, paired: bool) -> None:
    tables = two_rounds(500, 3, 0.5)
    (found,) = compared(tables, "kappa", interval=interval, paired=paired)
    assert 0 < found.low < found.difference < found.high
    assert found.p_value < 0.05
    (back,) = compared(tables[::-1], "kappa", interval=interval, paired=paired)
    assert back.high == pytest.approx(-found.low)


def test_the_error_is_that_of_leaving_an_item_out_of_both() -> None:
    tables = two_rounds(80, 2, 0.2, 0.1)
    found = compared(tables, list(FORMULAS), paired=True)
    each = []
    for i in range(80):
        rest = (np.delete(t, i, 0) for t in tables)
        each.append([r.difference for r in compared(rest, list(FORMULAS), interval="none")])
    wanted = np.std(each, 0) * 79**0.5
    for row, error in zip(found, wanted, strict=True):
        assert row.se == pytest.approx(error, rel=0.08)


def test_pairing_pays_where_items_are_alike_in_both() -> None:
    tables = two_rounds(400, 5)
    (together,), (apart,) = (compared(tables, "pi", paired=p) for p in (True, False))
    assert together.se < 0.95 * apart.se
    assert together.difference == pytest.approx(apart.difference, abs=1e-12)


@pytest.mark.parametrize("paired", [True, False])
def test_error_rate_is_five_in_a_hundred(paired: bool) -> None:
    """200 pairs of rounds without a difference; five standard errors of a share of .05."""
    rejected = np.zeros(3)
    for seed in range(200):
        first, second = two_rounds(80, seed)
        if not paired:
            second = two_rounds(60, 10_000 + seed)[1]
        found = compared((first, second), ["kappa", "alpha", "ac"], paired=paired)
        rejected += [row.p_value < 0.05 for row in found]
    assert rejected / 200 == pytest.approx(0.05, abs=5 * (0.05 * 0.95 / 200) ** 0.5)


def test_the_same_twice() -> None:
    table = two_rounds(60, 0)[0]
    (found,) = compared((table, table), "ac", paired=True, interval="analytic")
    assert (found.difference, found.se) == (0, 0)
    assert np.isnan(found.p_value)
    assert found.undefined


# ------------------------------------------------------------------ items by their ids


def frame(rows: dict[Any, list[str]]) -> ac.Annotations:
    table = {"item": list(rows)} | {f"coder {c}": [r[c] for r in rows.values()] for c in range(2)}
    return ac.read(table, item="item", layout="wide", categories=["a", "b"])


FIRST = {1: ["a", "a"], 2: ["a", "b"], 3: ["b", "b"], 4: ["b", "b"], 9: ["a", "b"]}
SECOND = {4: ["b", "a"], 3: ["b", "b"], 2: ["a", "a"], 1: ["a", "a"], 7: ["b", "a"]}


def test_items_are_matched_by_id_in_any_order() -> None:
    turned = {str(k): SECOND[k] for k in reversed(SECOND)}  # 7 and "7" are one id
    (found,), (again,) = (ac.compare(frame(FIRST), frame(x), "percent") for x in (SECOND, turned))
    assert (found.n_before, found.n_after, found.n_common) == (5, 5, 4)
    assert (found.before, found.after) == (0.75, 0.75)
    assert found.paired
    assert again.se == pytest.approx(found.se)


def test_independent_data_are_recognised() -> None:
    one, two = frame(FIRST), frame({f"x{k}": v for k, v in SECOND.items()})
    (found,) = ac.compare(one, two, "percent")
    assert (found.paired, found.n_common) == (False, 0)
    assert found.before == pytest.approx(0.6)
    with pytest.raises(ac.RequestError, match="no item is in both"):
        ac.compare(one, two, "percent", paired=True)


def random_labels(n: int, seed: int) -> Any:
    return np.random.default_rng(seed).choice(["a", "b"], (2, n)).tolist()


def named(ids: range, seed: int) -> ac.Annotations:
    one, other = random_labels(len(ids), seed)
    return ac.read({"item": list(ids), "anna": one, "bob": other}, item="item", layout="wide")


def test_positions_in_an_array_are_no_ids() -> None:
    one, two = random_labels(50, 1), random_labels(80, 2)
    table = ac.compare(one, two, "alpha")
    assert not table[0].paired
    assert (table[0].n_before, table[0].n_after) == (50, 80)
    assert [(m.code, dict(m.do[0].options)) for m in table.messages] == [
        ("unpaired", {"paired": True})
    ]
    with pytest.raises(ac.RequestError, match="50 before and 80 after"):
        ac.compare(one, two, "alpha", paired=True)
    (row,) = ac.compare(one, random_labels(50, 2), "alpha", paired=True)
    assert (row.paired, row.n_common) == (True, 50)


@pytest.mark.parametrize("which", ["both", "first", "second"])
def test_a_table_without_item_ids_is_not_paired(which: str, tmp_path: Path) -> None:
    with_ids, without = named(range(1, 31), 1), tmp_path / "rows.csv"
    without.write_text("anna,bob\n" + "x,y\ny,x\nx,x\n" * 10)
    one = with_ids if which == "second" else without
    two = with_ids if which == "first" else without
    assert not ac.compare(one, two, "percent")[0].paired


@pytest.mark.parametrize(("shared", "paired"), [(2, False), (19, False), (20, True), (40, True)])
def test_half_of_the_smaller_data_set_is_enough(shared: int, paired: bool) -> None:
    """Paired on 2 items an interval of alpha would be [-9, 9]."""
    small, large = named(range(100 - shared, 140 - shared), 1), named(range(100), 2)
    for one, two in ((small, large), (large, small)):
        (row,) = ac.compare(one, two, "percent")
        assert (row.paired, row.n_common) == (paired, shared)


def test_a_p_value_of_hardly_anything_is_below_a_thousandth() -> None:
    """However small, in a sentence, in the tables of a notebook and of a terminal."""
    rng = np.random.default_rng(1)
    truth, guess = rng.choice(["a", "b"], 400), rng.choice(["a", "b"], (2, 400))
    table = ac.compare(guess, [truth, truth.copy()], "percent", paired=True)
    assert table["percent"].p_value < 1e-20
    cells = re.sub("<[^>]*>", " ", table._repr_html_()).replace("&lt;", "<")
    for text in (str(table["percent"]), str(table), cells):
        assert "< 0.001" in text
        assert "e-" not in text


def test_undefined_sides_are_named() -> None:
    (found,) = ac.compare(frame(FIRST), frame({k: ["a", "a"] for k in FIRST}), "kappa")
    assert np.isnan(found.difference)
    assert str(found.undefined).startswith("after: every annotation is 'a'")
    assert found.to_rows()[0]["n_common"] == 5


def test_categories_read_off_the_data_are_shared() -> None:
    """S depends on the number of categories: both rounds must have the same."""
    one = ac.read({"item": ["1", "2"], "A": ["a", "b"], "B": ["a", "b"]}, item="item")
    two = ac.read({"item": ["1", "2"], "A": ["a", "c"], "B": ["a", "a"]}, item="item")
    (found,) = ac.compare(one, two, "s", interval="none")
    assert found.after == pytest.approx((0.5 - 1 / 3) / (2 / 3))


def test_each_question_and_pooled() -> None:
    def long(shift: int) -> ac.Annotations:
        rows = [
            (str(i), q, c, "ab"[(i + (c == "B") * (i < 3 + shift) + (q == "q2")) % 2])
            for i in range(12)
            for q in ("q1", "q2")
            for c in "AB"
        ]
        names = ("item", "question", "coder", "label")
        columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
        return ac.read(columns, item="item", question="question", coder="coder", label="label")

    found = list(ac.compare(long(0), long(2), "percent"))
    assert [f.question for f in found] == ["q1", "q2", None]
    assert [f.n_common for f in found] == [12, 12, 24]
    assert [f.difference for f in found] == pytest.approx([-1 / 6] * 3)
