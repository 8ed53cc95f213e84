"""How many items: closed forms, printed numbers, and studies of the planned size."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import accordant as ac
from inference.samples import KEYS, annotations, codes

EXPECTED: dict[str, Any] = {"agreement": 0.6, "shares": [0.7, 0.3]}


def world(n: int, kappa: float, shares: Any, coders: int, rng: Any) -> ac.Annotations:
    """Items that are clear to all, or to none."""
    k, clear = len(shares), rng.random((n, 1)) < kappa
    truth, guess = rng.choice(k, p=shares, size=(n, 1)), rng.choice(k, p=shares, size=(n, coders))
    return annotations(np.where(clear, truth, guess), list("abcde")[:k])


@pytest.mark.parametrize("agreement", [0.2, 0.6, 0.8])
@pytest.mark.parametrize("share", [0.5, 0.2])
def test_spread_is_the_closed_form_of_two_categories(agreement: float, share: float) -> None:
    """Bloch & Kraemer (1989): the variance of the intraclass kappa, times n."""
    shares = [share, 1 - share]
    plan = ac.items_needed(0.2, coefficient="pi", agreement=agreement, shares=shares)
    k, pq = agreement, share * (1 - share)
    wanted = (1 - k) * ((1 - k) * (1 - 2 * k) + k * (2 - k) / (2 * pq))
    assert plan.spread**2 == pytest.approx(wanted, rel=1e-6)
    assert plan.value == pytest.approx(agreement, abs=1e-9)


@pytest.mark.parametrize("key", KEYS)
def test_a_study_of_the_planned_size_has_the_width(key: str) -> None:
    """Mean width of the intervals of studies drawn from the world."""
    shares, rng = [0.5, 0.3, 0.2], np.random.default_rng(2)
    plan = ac.items_needed(0.2, coefficient=key, agreement=0.6, shares=shares, coders=3)
    assert plan.n_items
    widths = []
    for _ in range(30):
        (row,) = ac.agreement(world(plan.n_items, 0.6, shares, 3, rng), key, interval="auto")
        widths.append(row.high - row.low)
    assert np.mean(widths) == pytest.approx(0.2, rel=0.05)


def test_one_item_less_is_too_few_and_more_coders_need_fewer() -> None:
    """The width is 2 t spread / sqrt(n)."""
    from scipy.stats import t

    plan = ac.items_needed(0.15, coefficient="ac", level=0.9, coders=4, **EXPECTED)
    assert plan.n_items

    def width(n: int) -> float:
        return float(2 * t.ppf(0.95, n - 1) * plan.spread / n**0.5)

    assert width(plan.n_items) <= 0.15 < width(plan.n_items - 1)
    needed = [ac.items_needed(0.2, coders=c, **EXPECTED).n_items or 0 for c in (2, 3, 5)]
    assert needed == sorted(needed, reverse=True)


def test_a_pilot_foretells_the_study() -> None:
    """From 400 items to the number for half the width: four times as many."""
    data = annotations(codes(800, 3, 0.1))
    (now,) = ac.agreement(data, "kappa")
    assert now.method.startswith("delta")
    width, n = now.high - now.low, now.n_items
    same, half = (ac.items_needed(x, data, coefficient="kappa") for x in (width, width / 2))
    assert same.n_items == pytest.approx(n, abs=1)
    assert half.n_items == pytest.approx(4 * n, rel=0.01)
    assert half.n_items_cautious
    assert half.n_items_cautious > (half.n_items or 0)
    assert f"pilot of {n} items" in half.basis


def test_a_finite_population_needs_fewer() -> None:
    data = annotations(codes(100, 3, 0))
    endless, finite = (
        ac.items_needed(0.02, data, coefficient="s", population=n).n_items or 0
        for n in (None, 5000)
    )
    assert finite == pytest.approx(endless / (1 + endless / 5000), rel=0.01)  # Cochran (1977)


@pytest.mark.parametrize(
    "table", [[[0, 1, 1]], [[0, 0], [0, 0]], [[0, -1], [-1, 1]], [[0, 0], [1, 1], [2, 2]]]
)
def test_a_pilot_that_cannot_tell_says_why(table: Any) -> None:
    for key in KEYS:
        plan = ac.items_needed(0.1, annotations(table), coefficient=key, weights="identity")
        assert plan.n_items is None
        assert plan.note


def test_a_pilot_that_does_not_name_its_coders_has_no_kappa() -> None:
    data = ac.read({"a": [2, 1, 0], "b": [0, 1, 2]}, layout="counts")
    assert "which coder" in (ac.items_needed(0.1, data, coefficient="kappa").note or "")
    assert ac.items_needed(0.1, agreement=1, shares=[0.5, 0.5]).n_items is None


@pytest.mark.parametrize(
    "wrong",
    [
        {"width": 0},
        {"level": 95},
        {"shares": [0.5, 0.6]},
        {"shares": [1.0]},
        {"agreement": 1.2},
        {"agreement": None},
        {"coders": 1},
        {"coders": 60, "shares": [0.1] * 10},
        {"width": 1e-9},
        {"pilot": [["a", "b"], ["a", "a"]]},
    ],
    ids=str,
)
def test_bad_plans_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ac.RequestError):
        ac.items_needed(**({"width": 0.2, **EXPECTED} | wrong))
