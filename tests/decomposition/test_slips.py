"""What random errors alone would show, and what is beyond it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from accordant import decompose, read


def coded(seed: int, crossing: float, n: int = 500) -> Any:
    """Three coders who are wrong in 15 %, by ``crossing`` of that into another of two blocks."""
    rng = np.random.default_rng(seed)
    of = np.array((0, 0, 0, 1, 1, 1))
    apart = of[:, None] != of
    weight = np.where(apart, crossing / 3, (1 - crossing) / 2) * ~np.eye(6, dtype=bool)
    true = rng.integers(0, 6, n)
    rows = [
        [
            f"v{t if rng.random() > 0.15 else rng.choice(6, p=weight[t] / weight[t].sum())}"
            for t in true
        ]
        for _ in range(3)
    ]
    return read(rows, layout="transposed")


@pytest.mark.parametrize("crossing, more", [(0.95, True), (0.1, False)])
def test_both_tails_are_found(crossing: float, more: bool) -> None:
    found = decompose(coded(3, crossing))
    assert found.headline is found[0]
    assert found[0].rule == "v0, v1, v2"
    assert (found[0].explained.value > found[0].explained_by_slips) == more
    assert found[0].beyond.more == more


def test_more_candidates_cost_more() -> None:
    data = coded(3, 0.95)
    one, many = decompose(data, by="v0,v1,v2")[0].beyond, decompose(data)[0].beyond
    assert 0 < one.score - many.score <= np.log(31)
    assert (one.n_compared, many.n_compared) == (1, 31)


def test_the_shares_of_random_errors_sum_to_one() -> None:
    chain = decompose(coded(1, 0.5), by=("v0,v1,v2", "v0|v1,v2|v3,v4"))[0].steps
    assert sum(step.explained_by_slips for step in chain) == pytest.approx(1)


def test_neighbours_are_no_parity() -> None:
    """One step up or down crosses odd from even every time, whatever the categories are called."""
    rng = np.random.default_rng(5)
    true = rng.integers(0, 6, 800)
    rows = [
        [f"v{np.clip(t + rng.choice([-1, 0, 1], p=[0.1, 0.8, 0.1]), 0, 5)}" for t in true]
        for _ in range(3)
    ]
    found = decompose(read(rows, layout="transposed"))
    assert found.headline is None
    parity = found["v0,v2,v4"]
    assert parity.explained.value > parity.explained_by_slips + 0.2
    assert parity.beyond.score < 0


def test_labels_that_are_harder_than_others_are_no_pattern() -> None:
    rng = np.random.default_rng(2)
    true = rng.random((600, 3)) < 0.4
    rows: list[list[Any]] = []
    for _ in range(3):
        given = true ^ (rng.random((600, 3)) < [0.02, 0.05, 0.25])
        rows.append([tuple(x for x, h in zip("abc", row) if h) for row in given])
    found = decompose(read(rows, layout="transposed"))
    assert found.headline is None
    assert found["c"].explained_by_slips == pytest.approx(found["c"].explained.value, abs=0.05)


def test_whether_there_is_a_label_at_all() -> None:
    """Coders who overlook an item mark nothing: 'any label' is disputed more than slips make it."""
    rng = np.random.default_rng(2)
    true = rng.random((600, 3)) < 0.5
    rows: list[list[Any]] = []
    for _ in range(3):
        given = true ^ (rng.random((600, 3)) < 0.02)
        given &= (rng.random(600) > 0.12)[:, None]
        rows.append([tuple(x for x, h in zip("abc", row) if h) for row in given])
    found = decompose(read(rows, layout="transposed"))
    assert found.headline is not None
    assert found.headline.rule in ("any label", "no label")
    assert found.headline.beyond.more
    assert "by='any label'" in str(found)


def test_coders_need_not_be_known(tmp_path: Any) -> None:
    rng = np.random.default_rng(0)
    lines = ["item,a,b,c"]
    for i in range(200):
        t = rng.integers(3)
        given = [t if rng.random() < 0.8 else rng.integers(3) for _ in range(4)]
        lines.append(f"{i}," + ",".join(str(given.count(k)) for k in range(3)))
    file = tmp_path / "counts.csv"
    file.write_text("\n".join(lines))
    found = decompose(file, layout="counts")
    assert found.headline is None
    assert all(np.isfinite(row.beyond.score) for row in found)
