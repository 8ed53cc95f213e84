"""What random errors alone would show, and what is beyond it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from accordant import decompose, read
from accordant.counts.count import count
from accordant.data import examples
from accordant.decomposition.scores import crossed, sides_of
from accordant.decomposition.slips import Slips, slips_of
from accordant.decomposition.tables import Cells, cells_of


def coded(seed: int, block: tuple[int, ...], crossing: float, n: int = 500) -> Cells:
    """Three coders who are wrong in 15 %, by ``crossing`` of that into another block."""
    rng = np.random.default_rng(seed)
    k, of = len(block), np.array(block)
    apart = of[:, None] != of
    weight = np.where(apart, crossing, 1 - crossing) * ~np.eye(k, dtype=bool)
    weight /= np.where(apart, apart.sum(1, keepdims=True), (~apart).sum(1, keepdims=True))
    true = rng.integers(0, k, n)
    rows = [
        [
            f"v{t if rng.random() > 0.15 else rng.choice(k, p=weight[t] / weight[t].sum())}"
            for t in true
        ]
        for _ in range(3)
    ]
    return cells_of(count(read(rows, layout="transposed")))


def slips(cells: Cells) -> Slips:
    found = slips_of(cells)
    assert found is not None
    return found


def test_the_spread_is_what_the_null_expects() -> None:
    found = slips(coded(1, (0, 0, 0, 1, 1, 1), 0.5))
    assert found.spread.sum() == pytest.approx(1)
    assert np.allclose(found.spread, found.spread.T)
    sides = sides_of(np.arange(1, 32), 6)
    blocks = (~sides).astype(int)
    wanted = crossed(found.expected, blocks) / found.expected.sum()
    assert found.explained(blocks) == pytest.approx(wanted)
    one = found.beyond(blocks[6:7], 31)[0]
    assert one.observed == pytest.approx(crossed(found.deviations, blocks[6:7])[0] / one.n)
    assert one.expected == pytest.approx(wanted[6])


def test_the_states_disagree_as_often_and_give_each_value_as_often() -> None:
    data = examples.load("levi2022_neat")
    cells = cells_of(count(data), data.scheme.categories)
    found = slips(cells)
    drawn = found.states(cells.states)
    for table, own in zip(drawn.tables, cells.states.tables):
        assert table.sum() == pytest.approx(own.sum())
        assert np.trace(table) == pytest.approx(np.trace(own))
        assert table.sum(0) + table.sum(1) == pytest.approx(own.sum(0) + own.sum(1), abs=6)
    blocks = np.array([[0, 1, 1, 1, 1, 1, 1, 1]])
    for table in drawn.tables:
        explained = crossed(table, blocks) / (table.sum() - np.trace(table))
        assert explained == pytest.approx(found.explained(blocks))


@pytest.mark.parametrize("crossing, more", [(0.95, True), (0.1, False)])
def test_both_tails_are_found(crossing: float, more: bool) -> None:
    cells = coded(3, (0, 0, 0, 1, 1, 1), crossing)
    blocks = (~sides_of(np.arange(1, 32), 6)).astype(int)
    found = slips(cells).beyond(blocks, 31)
    best = max(range(31), key=lambda k: found[k].score)
    assert found[best].score > 0
    assert found[best].more == more
    assert blocks[best].tolist() in ([0, 0, 0, 1, 1, 1], [1, 1, 1, 0, 0, 0])


def test_more_candidates_cost_more() -> None:
    found, blocks = slips(coded(3, (0, 0, 0, 1, 1, 1), 0.95)), np.array([[0, 0, 0, 1, 1, 1]])
    one, many = (found.scores(blocks, n)[0] for n in (1, 31))
    assert 0 < one - many <= np.log(31)


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
    parity = found["v0, v2 or v4"]
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


def test_too_many_values_have_no_null(monkeypatch: pytest.MonkeyPatch) -> None:
    from accordant.decomposition import slips as module

    monkeypatch.setattr(module, "MOST_CELLS", 20)
    rows = [list("abcdef" * 9), list("abcdfe" * 9)]
    found = decompose(read(rows, layout="transposed"))
    assert found.rank == "first"
    assert found.headline is None
    assert "too many to say what random errors alone would show" in found.how
    assert np.isnan(found[0].explained_by_slips)
    assert np.isnan(found[0].beyond.score)
    assert "random errors alone" not in str(found).split("Next")[0]


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
