"""Standard errors of both levels and of the shares: three independent ways to the same number."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from accordant import agreement, decompose, read
from accordant.counts.count import count
from accordant.counts.row_keys import sums
from accordant.data import examples
from accordant.decomposition.contingency import Cells, States, cells_of
from accordant.decomposition.figures import CLOSED_FORMS, LevelFigure, closed_form, graded, shares
from accordant.decomposition.levels import first_level, second_level
from accordant.inference.intervals import draws

BLOCK = np.array([0, 1, 1, 0])


def coded(n: int = 400, seed: int = 5, coders: int = 3) -> list[list[str | None]]:
    """Coders x items: four categories, some annotations missing, some items easier than others."""
    rng = np.random.default_rng(seed)
    true, hard = rng.choice(4, n, p=[0.5, 0.25, 0.15, 0.1]), rng.random(n) * 0.7
    return [
        [
            None if rng.random() < 0.2 else "abcd"[t if rng.random() > h else rng.integers(4)]
            for t, h in zip(true, hard)
        ]
        for _ in range(coders)
    ]


def cells(rows: list[list[str | None]]) -> Cells:
    counts = count(read(rows, layout="transposed"))
    return cells_of(counts)


# ------------------------------------------------------------------ one pair: the package's own


@pytest.mark.parametrize("key", CLOSED_FORMS)
def test_level_1_of_two_coders_has_the_standard_error_of_the_coefficient(key: str) -> None:
    rows = [list(row) for row in coded(coders=2)]
    both = [k for k in range(len(rows[0])) if rows[0][k] and rows[1][k]]
    rows = [[row[k] for k in both] for row in rows]
    found = first_level(cells(rows), closed_form(key), BLOCK, 0.95).mean
    merged = [["x" if v in "ad" else "y" for v in row if v] for row in rows]
    (own,) = agreement(read(merged, layout="transposed"), key, interval="analytic")
    assert found.value == pytest.approx(own.value, abs=1e-12)
    assert found.se == pytest.approx(own.se, rel=1e-9)
    assert (found.low, found.high) == pytest.approx((own.low, own.high), rel=1e-9)
    assert found.n == own.n_pairable


# ------------------------------------------------------------------ derivatives


TABLES = arrays(float, (2, 4, 4), elements=st.integers(0, 9).map(float)).filter(
    lambda t: bool((t.sum((1, 2)) > 3).all())
)


def figures(tables: np.ndarray, key: str) -> np.ndarray:
    """Both levels of each of two pairs, and the four shares."""
    made = made_of(tables)
    form = closed_form(key)
    first = graded(made, form, BLOCK)
    second = graded(made, form, np.arange(4), BLOCK[made.first] == BLOCK[made.second])
    return np.concatenate([first.value, second.value])


def made_of(tables: np.ndarray) -> Cells:
    """The cells of tables that no items stand behind."""
    pairs = tuple((f"a{g}", f"b{g}") for g in range(len(tables)))
    made = States(tuple("abcd"), (), np.zeros((4, 0), bool), pairs, tables)
    pair, first, second = np.nonzero(tables)
    none: Any = None
    n, nothing = tables[pair, first, second], np.zeros(0, np.int64)
    return Cells(made, pair, first, second, n, none, nothing, nothing, np.zeros(0))


@given(TABLES, st.sampled_from([k for k in CLOSED_FORMS if k != "alpha"]))
def test_pulls_are_slopes(tables: np.ndarray, key: str) -> None:
    """n times the derivative by each cell, found by moving it a little.

    Alpha's derivative leaves out its small-sample term, as Gwet (2014) does.
    """
    made, form, step = made_of(tables), closed_form(key), 1e-6
    kept = BLOCK[made.first] == BLOCK[made.second]
    parts = (graded(made, form, BLOCK), graded(made, form, np.arange(4), kept))
    value = figures(tables, key)
    for e in range(len(made.n)):
        more = tables.copy()
        more[made.pair[e], made.first[e], made.second[e]] += step
        moved = (figures(more, key) - value) / step
        for k, part in enumerate(parts):
            g = made.pair[e]
            slope = moved[2 * k + g]
            if np.isfinite(slope) and abs(slope) < 1e3:  # at the edge of what is defined
                own = part.cell_pull()[e] / max(part.n[g], 1e-300)
                assert own == pytest.approx(slope, abs=2e-4 * max(1, abs(slope)))


@given(TABLES, st.sampled_from(list(CLOSED_FORMS)))
def test_pulls_of_all_items_cancel(tables: np.ndarray, key: str) -> None:
    made = made_of(tables)
    part = graded(made, closed_form(key), BLOCK)
    assert made.by_pair(part.cell_pull()) == pytest.approx(np.zeros(2), abs=1e-6)


# ------------------------------------------------------------------ resamples


def resampled(made: Cells, figure: Callable[[Cells], float], n: int = 1500) -> float:
    """The standard deviation of a figure over resamples of the items."""
    assert made.counts is not None
    values = []
    for batch in draws(made.counts.times, n, rng=1):
        for times in batch:
            n = sums(made.cell, times[made.pattern] * made.weight, len(made.n))
            values.append(figure(replace(made, n=n)))
    return float(np.nanstd(values, ddof=1))


@pytest.mark.parametrize("key", ["kappa", "alpha", "ac"])
@pytest.mark.parametrize("name", ["first", "second", "explained", "chance", "excess", "lift"])
def test_as_the_bootstrap_says(key: str, name: str) -> None:
    """Three coders with gaps: an item enters several pairs, and is drawn with all of them."""
    made, form = cells(coded()), closed_form(key)

    def figure(of: Cells) -> LevelFigure:
        if name in ("first", "second"):
            level = first_level if name == "first" else second_level
            return level(of, form, BLOCK, 0.95).mean
        return shares(of, form, BLOCK, 0.95)[name]

    own = figure(made)
    assert own.se == pytest.approx(resampled(made, lambda of: figure(of).value), rel=0.05)
    assert own.low < own.value < own.high


def test_as_the_bootstrap_says_of_labels() -> None:
    counts = count(examples.load("levi2022_neat"))
    made, form = cells_of(counts), closed_form("kappa")
    block = np.array([0, 1, 1, 1, 1, 1, 1, 1])

    def figure(of: Cells, label: str | None, pair: tuple[str, str] | None) -> LevelFigure:
        return second_level(of, form, block, 0.95).figure(label, pair)

    for label, pair in (("Success", None), (None, ("A1", "A3")), (None, None)):
        own = figure(made, label, pair)
        drawn = resampled(made, lambda of: figure(of, label, pair).value)  # noqa: B023
        assert own.se == pytest.approx(drawn, rel=0.05)


def test_as_the_bootstrap_says_of_pooled_tables() -> None:
    """Without the coders an item fills several cells of one table."""
    counts = count(read(coded(), layout="transposed")).anonymous
    made, form = cells_of(counts), closed_form("pi")
    assert made.states.is_pooled
    own = first_level(made, form, BLOCK, 0.95).mean
    drawn = resampled(made, lambda of: first_level(of, form, BLOCK, 0.95).mean.value)
    assert own.se == pytest.approx(drawn, rel=0.05)


def test_an_item_in_several_pairs_counts_once() -> None:
    """Three coders who copy each other know no more than two: the interval must not shrink."""
    two = coded(coders=2)
    two = [[x or "a" for x in row] for row in two]
    pair = first_level(cells(two), closed_form("kappa"), BLOCK, 0.95).mean
    copied = first_level(cells([two[0], two[1], two[1]]), closed_form("kappa"), BLOCK, 0.95)
    copies = copied.figure(pair=copied.pairs[1])
    assert copied.n.tolist() == [400, 400, 400]
    assert copies.se == pytest.approx(pair.se)
    both = (copied.figure(pair=copied.pairs[0]).se, copied.figure(pair=copied.pairs[1]).se)
    assert both == pytest.approx((pair.se, pair.se))
    # two pairs that always say the same, and one that always agrees
    assert copied.mean.se == pytest.approx(2 / 3 * pair.se, rel=1e-9)


# ------------------------------------------------------------------ where nothing varies


def test_no_disagreement_has_the_exact_bound() -> None:
    rows = [list("aabbccddaabb"), list("aabbccddaabb")]
    found = first_level(cells(rows), closed_form("kappa"), BLOCK, 0.95).mean
    (own,) = agreement(read([["x" if v in "ad" else "y" for v in r] for r in rows]), "kappa")
    assert (found.value, found.high) == (1, 1)
    assert found.low == pytest.approx(own.low)
    assert np.isnan(found.se)


def test_what_level_1_settles_has_no_interval() -> None:
    level = decompose(examples.load("levi2022_neat"), by="Complication")[0].second
    found = level.figure("Complication")
    assert (found.value, found.low, found.high, found.se) == (1, 1, 1, 0)
    assert "by construction" in (found.note or "")
    assert level.mean.low < level.mean.value
