"""Where programs raise, divide by zero or invent a number: our answer is defined, with a reason.

What others do with the same data (nominal): krippendorff raises ValueError for one category, one
coder or no pairs; nltk and evalica call one category 1; irrCAC and simpledorff divide by zero;
statsmodels counts NaN as a category without a word; scikit-learn raises for None.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from accordant import COEFFICIENTS, InputError, UndefinedError, agreement, read

EVERY = [k for k, c in COEFFICIENTS.items() if not c.only_sets]
KEYS = [k for k in EVERY if k != "percent"]
Labels = list[list[Any]]


def rows_of(labels: Labels, **options: Any) -> Any:
    return agreement(labels, EVERY, **options)


def reasons(rows: Any) -> dict[str, str | None]:
    return {r.coefficient: r.undefined.reason if r.undefined else None for r in rows}


def all_undefined(rows: Any, *allowed: str) -> None:
    for key in KEYS:
        row = rows[key]
        assert np.isnan(row.value), key
        assert np.isnan([row.se, row.low, row.high, row.p_value]).all(), key
        assert row.undefined is not None, key
        assert row.undefined.reason in allowed, key
        assert len(str(row.undefined)) > 20, "a sentence, not a code"


def test_one_category_all_agree() -> None:
    rows = rows_of([[1, 1, 1, 1], [1, 1, 1, 1]])
    all_undefined(rows, "no_variation", "one_category")
    assert rows["percent"].value == 1


def test_one_item_agree() -> None:
    rows = rows_of([[1], [1]])
    all_undefined(rows, "no_variation", "one_category")
    assert (rows["percent"].value, rows["percent"].n_items) == (1.0, 1)


def test_one_item_disagree() -> None:
    """Krippendorff, nltk, evalica: alpha 0; scikit-learn: kappa 0; statsmodels: Fleiss -1."""
    rows = rows_of([[1], [2]])
    found = {k: rows[k].value for k in ("percent", "alpha", "kappa", "pi", "s", "ac")}
    assert found == pytest.approx(
        {"percent": 0, "alpha": 0, "kappa": 0, "pi": -1, "s": -1, "ac": -1}
    )
    assert all(np.isnan(r.se) for r in rows)  # one item says nothing about other items


def test_one_coder() -> None:
    rows = rows_of([[1, 2, 1, 1]])
    all_undefined(rows, "one_coder")
    assert rows["percent"].undefined is not None
    assert rows["percent"].undefined.reason == "one_coder"


def test_no_item_has_two_annotations() -> None:
    rows = rows_of([[1, None, 2, None], [None, 2, None, 1]])
    all_undefined(rows, "no_pairs")
    assert np.isnan(rows["percent"].value)
    assert (rows["alpha"].n_items, rows["alpha"].n_pairable) == (4, 0)


TWO: Labels = [[1, 1, 2, 2, 1], [1, 2, 2, 1, 1]]


def values(rows: Any) -> dict[str, list[float]]:
    return {r.coefficient: [r.value, r.observed, r.expected, r.se, r.low, r.high] for r in rows}


def test_a_coder_who_annotated_nothing_changes_nothing() -> None:
    with_third = rows_of([*TWO, [None] * 5])
    assert values(with_third) == values(rows_of(TWO))
    assert with_third["alpha"].n_coders == 2


def test_an_item_that_nobody_annotated_changes_nothing() -> None:
    """R's irrCAC 1.0 and 1.4 give NaN for AC1 and pi, statsmodels .619 for .333."""
    with_empty = rows_of([[*row, None] for row in TWO])
    assert values(with_empty) == values(rows_of(TWO))
    assert with_empty["alpha"].n_items == 5


def test_text_labels_with_none() -> None:
    words = {1: "no", 2: "yes", None: None}
    labels: Labels = [[1, 1, 2, None, 1], [1, 2, None, 1, 1]]
    assert values(rows_of([[words[v] for v in row] for row in labels])) == values(rows_of(labels))


def test_total_disagreement() -> None:
    """Krippendorff, nltk, evalica: alpha -.75; irrCAC, scikit-learn, statsmodels: -1."""
    rows = rows_of([[1, 1, 2, 2], [2, 2, 1, 1]])
    found = {k: rows[k].value for k in ("alpha", "kappa", "pi", "s", "ac")}
    assert found == pytest.approx({"alpha": -0.75, "kappa": -1, "pi": -1, "s": -1, "ac": -1})


@pytest.mark.parametrize("empty", [[], [[], []], np.empty((0, 0)), np.empty((2, 0)), {}])
def test_nothing_at_all_is_one_clear_error(empty: Any) -> None:
    with pytest.raises(InputError):
        read(empty)


@pytest.mark.parametrize("hole", [[[None, None], [None, None]], np.full((2, 3), np.nan)])
def test_only_missing_annotations(hole: Any) -> None:
    """Read or refused, but never a number."""
    try:
        rows = agreement(hole)
    except InputError:
        return
    assert all(np.isnan(r.value) and r.undefined for r in rows)


def test_perfect_agreement_has_no_error_but_an_exact_bound() -> None:
    """irrCAC prints p = 0 from a standard error of 1e-15; ours claims neither."""
    rows = rows_of([[1, 2, 1, 2], [1, 2, 1, 2]])
    for key in KEYS:
        assert rows[key].value == pytest.approx(1)
        assert np.isnan(rows[key].se)
        by_chance = rows[key].expected ** 4  # that coders who guess agree on all four
        assert rows[key].p_value == pytest.approx(min(1, 2 * by_chance))
        assert rows[key].high == 1
    # four items, none with a disagreement: agreement of at least .025^(1/4) (Clopper & Pearson)
    assert rows["percent"].low == pytest.approx(0.025**0.25)


@pytest.mark.parametrize("given", [1.0, 0.0, -9.0])
def test_the_user_may_choose_what_undefined_becomes(given: float) -> None:
    rows = rows_of([[1, 1], [1, 1]], undefined=given)
    assert {rows[k].value for k in KEYS} == {given}
    assert all(rows[k].undefined for k in KEYS), "the reason stays"


def test_the_user_may_ask_for_an_error() -> None:
    with pytest.raises(UndefinedError, match="undefined"):
        rows_of([[1, 1], [1, 1]], undefined="error")


def test_labels_that_differ_in_case_are_two_categories_where_that_is_said() -> None:
    """irrCAC (R) upper-cases labels, so "a" and "A" agree there."""
    rows = rows_of([["a", "A", "b", "b"], ["A", "A", "b", "b"]], categories=["a", "A", "b"])
    assert rows["percent"].value == pytest.approx(0.75)
    assert rows["percent"].n_values == 3


def test_undefined_resamples_are_counted() -> None:
    """With one disagreement in six items many resamples have a single category."""
    row = agreement(
        [[1, 1, 1, 1, 1, 1], [1, 1, 1, 1, 1, 2]], "alpha", interval="bootstrap", seed=1
    )["alpha"]
    # an item is missed by a resample of six with probability (5 / 6)^6 = .335
    assert row.n_undefined_resamples == pytest.approx(2000 * (5 / 6) ** 6, abs=100)
