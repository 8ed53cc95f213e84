"""What the best of many reaches where there is no pattern, and what is said of it."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from accordant import read
from accordant.actions import Notice
from accordant.counts.count import count
from accordant.data import examples
from accordant.decomposition.bipartitions import Bipartitions
from accordant.decomposition.call import decompose
from accordant.decomposition.places import Cells, cells_of
from accordant.decomposition.space import Space
from accordant.decomposition.states import states
from accordant.decomposition.unpatterned import ByChance, _Disputes, best_by_chance
from decomposition.test_slips import slipped


def uniform(seed: int, k: int = 5, n: int = 200, coders: int = 4, right: float = 0.9) -> Any:
    """Errors that know nothing of the categories."""
    rng = np.random.default_rng(seed)
    true = rng.integers(0, k, n)
    wrong = [(true + rng.integers(1, k, n)) % k for _ in range(coders)]
    said = [np.where(rng.random(n) < right, true, x) for x in wrong]
    return read([[f"v{x}" for x in row] for row in said])


def cells(data: Any) -> Cells:
    counts = count(data)
    return cells_of(counts, states(counts))


def test_errors_without_a_pattern_stay_below_it() -> None:
    """The best of 15 is beyond it in about one case of twenty, though its interval is not."""
    above = excludes = 0
    for seed in range(40):
        found = decompose(uniform(seed), n_resamples=60, most=1)
        assert found.best_by_chance is not None
        above += found[0].excess.value > found.best_by_chance.rarely
        excludes += found[0].excess.low > 0
    assert above <= 6
    assert excludes > 12  # picked for being extreme


def test_a_pattern_is_beyond_it() -> None:
    rng = np.random.default_rng(0)
    true = rng.integers(0, 5, 300)
    rows = [[f"v{(1 - t if t < 2 and rng.random() < 0.2 else t)}" for t in true] for _ in range(3)]
    found = decompose(rows, n_resamples=100)
    assert found.best_by_chance is not None
    assert found[0].excess.value > 2 * found.best_by_chance.rarely
    side = dict(zip(found[0].basis.values, found[0].block))
    assert side["v0"] != side["v1"]


def test_who_agrees_with_whom_is_kept() -> None:
    own = cells(uniform(1, coders=3, right=0.6))
    redraw = _Disputes(own)
    drawn = redraw.states(np.random.default_rng(0))
    before, after = own.states.tables, drawn.tables
    np.testing.assert_allclose(after.sum((1, 2)), before.sum((1, 2)))
    agreed = np.trace(before, axis1=1, axis2=2)
    np.testing.assert_allclose(np.trace(after, axis1=1, axis2=2), agreed)
    assert (after != before).any()
    value = redraw.values(np.random.default_rng(1))
    for start, width in zip(redraw.start, redraw.width):
        assert len(set(value[start : start + width].tolist())) == width
    same = redraw.states(np.random.default_rng(0)).tables
    assert (same == after).all()


def test_two_values_are_drawn_as_chance_takes_them() -> None:
    """p_a p_b of two different values, so that excess is 0 in the mean."""
    rng = np.random.default_rng(0)
    said = rng.choice(list("abcd"), (2, 4000), p=[0.5, 0.3, 0.15, 0.05])
    own = cells(read(said.tolist()))
    redraw = _Disputes(own)
    pairs = redraw.values(np.random.default_rng(0)).reshape(-1, 2)
    seen = Counter(map(tuple, pairs.tolist()))
    p = redraw.share
    total = 1 - p @ p
    for a in range(4):
        for b in range(4):
            wanted = p[a] * p[b] / total * (a != b)
            assert seen[a, b] / len(pairs) == pytest.approx(wanted, abs=0.02)


def test_slips_of_sets() -> None:
    found = decompose(slipped(0.0, 0), n_resamples=100)
    assert found.best_by_chance is not None
    assert found.best_by_chance.criterion == "beyond_slips"
    assert 0.02 < found.best_by_chance.usual < found.best_by_chance.rarely < 0.1
    mixed = decompose(slipped(0.15, 0), n_resamples=100)
    assert mixed.best_by_chance is not None
    assert mixed[0].beyond_slips.value > mixed.best_by_chance.rarely


def test_where_nobody_knows() -> None:
    three = decompose(slipped(0.0, 0, n=200, coders=3), n_resamples=20)
    assert three.best_by_chance is None  # their slips depend on each other
    assert decompose(uniform(0), n_resamples=0).best_by_chance is None
    assert decompose(uniform(0), by="v0", n_resamples=20).best_by_chance is None
    assert decompose(uniform(0), rank="first", n_resamples=20).best_by_chance is None
    own = cells(uniform(0))
    long = Space(40, None)
    assert best_by_chance(own, long, "kappa", "excess") is None
    assert best_by_chance(own, Space(2, Bipartitions.every(2)), "kappa", "excess") is None


def test_large_data_are_not_drawn_anew() -> None:
    assert _Disputes(cells(uniform(0, n=20_000, coders=2, right=0.5))).seconds < 0.05
    many = uniform(0, n=20_000, coders=8, right=0.3)
    assert best_by_chance(cells(many), Space(5, Bipartitions.every(5)), "kappa", "excess") is None


# ------------------------------------------------------------------ what is said


def test_it_is_told() -> None:
    found = decompose(uniform(3), n_resamples=100)
    assert found.remarks[0].startswith("ranked by the share of the disagreement")
    assert "not corrected for having been picked" in found.remarks[1]
    assert found.remarks[2] == str(found.best_by_chance)
    assert "the best of 15 would still reach excess 0." in found.remarks[2]
    assert "of 15, in 100 resamples" in found.remarks[3]
    assert str(ByChance("beyond_slips", 0.04, 0.061, 100, 127)) == (
        "if coders slipped in each label independently of the others, the best of 127 would still "
        "reach beyond slips 0.040, and more than 0.061 in one case of twenty (100 draws)"
    )


def test_gain_has_an_interval() -> None:
    found = decompose(examples.load("levi2022_neat"), rank="gain", n_resamples=100, most=5)
    for row in found.to_rows():
        assert row["gain_low"] < row["gain"] < row["gain_high"]
        assert 0.005 < row["gain_high"] - row["gain_low"] < 0.06
    assert "gain moves by 0.0" in found.remarks[-1]
    without = decompose(examples.load("levi2022_neat"), rank="gain", n_resamples=0, most=5)
    assert np.isnan([row["gain_low"] for row in without.to_rows()]).all()


def test_an_unknown_firmness_is_told() -> None:
    local = decompose(uniform(0, k=13), search="local", n_resamples=50)
    assert any("found in these very data" in told for told in local.remarks)
    assert np.isnan([row["first_share"] for row in local.to_rows()]).all()


def test_few_bipartitions_have_no_top_ten() -> None:
    rows = decompose(uniform(0), n_resamples=60, most=15).to_rows()
    assert np.isnan([row["top_ten"] for row in rows]).all()
    assert sum(row["first_share"] for row in rows) == pytest.approx(1)
    many = decompose(uniform(0, k=7), n_resamples=60, most=63).to_rows()
    assert sum(row["top_ten"] for row in many) == pytest.approx(10)


def test_pairs_with_few_items_are_told() -> None:
    rng = np.random.default_rng(0)
    rows: list[list[Any]] = []
    for _ in range(60):
        row: list[Any] = [None] * 8
        for coder in rng.choice(8, 2, replace=False):
            row[coder] = str(rng.choice(list("abc")))
        rows.append(row)
    found = decompose([list(coder) for coder in zip(*rows)], n_resamples=0)
    (told,) = [x for x in found.notes if "share few items" in x]
    assert "pairs of coders share few items each (from" in told
    assert isinstance(told, Notice)
    assert told.do[0].options["over"] == "all"
    assert not [x for x in decompose(uniform(0), n_resamples=0).notes if "few items" in x]
