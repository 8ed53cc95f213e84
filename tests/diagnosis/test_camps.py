"""Groups of coders who agree among themselves."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, pairwise

import numpy as np
import pytest

from accordant import diagnose
from accordant.counts.count import count
from accordant.data.annotations import Annotations
from accordant.data.read import read
from accordant.diagnosis.camps import MOST_CODERS, Camps, camps
from accordant.measure.distances import weights_for
from accordant.simulate.cause import simulate_cause
from diagnosis.made import at_random, from_counts, of_grid, of_sets


def of(data: Annotations, weights: str = "identity") -> Camps:
    counts = count(data)
    return camps(counts, weights_for(weights, counts))


def schools(seed: int, sizes: tuple[int, ...] = (3, 3), items: int = 150, **more) -> Annotations:
    """Each school reads the first category in its own way."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(4, size=items)
    rows = []
    for school, n in enumerate(sizes):
        own = np.where(truth == 0, school, truth)
        rows += [
            np.where(rng.random(items) < 0.9, own, rng.integers(4, size=items)) for _ in range(n)
        ]
    grid = np.stack(rows, axis=1)
    grid[rng.random(grid.shape) < more.get("missing", 0)] = -1
    return of_grid(grid, "abcd")


@pytest.mark.parametrize("sizes", [(2, 2), (3, 3), (4, 2), (6, 3), (3, 3, 3)])
@pytest.mark.parametrize("missing", [0, 0.3])
def test_planted_camps_are_recovered(sizes: tuple[int, ...], missing: float) -> None:
    names = [f"coder {i + 1}" for i in range(sum(sizes))]
    start = np.cumsum([0, *sizes])
    expected = {tuple(names[a:b]) for a, b in pairwise(start)}
    right = sum(
        set(found.names) == expected and found.p_value < 0.01
        for seed in range(8)
        for found in [of(schools(seed, sizes, items=300, missing=missing))]
    )
    assert right >= 7


def test_the_figures_by_hand() -> None:
    data = schools(1, (3, 2), missing=0.2)
    found, grid = of(data), data.grid
    groups = [[data.coders.index(n) for n in names] for names in found.names]
    assert [len(g) for g in groups] == [3, 2]

    def agreement(pairs) -> float:
        """Each item counts for a pair by 1 / (its annotations - 1), as in alpha."""
        total = weight = 0.0
        for i, j in pairs:
            both = grid[(grid[:, i] >= 0) & (grid[:, j] >= 0)]
            w = 1 / ((both >= 0).sum(1) - 1)
            total, weight = total + w @ (both[:, i] == both[:, j]), weight + w.sum()
        return total / weight

    between = [(i, j) for i in groups[0] for j in groups[1]]
    for g in range(2):
        assert found.within[g] == pytest.approx(agreement(combinations(groups[g], 2)))
        assert found.between[g] == pytest.approx(agreement(between))
    met = grid[(grid[:, groups[0]] >= 0).any(1) & (grid[:, groups[1]] >= 0).any(1)]
    for g in range(2):
        own = met[:, groups[g]]
        share = [np.mean([(r[r >= 0] == k).mean() for r in own]) for k in range(4)]
        assert found.use[g] == pytest.approx(share)
    assert found.values[found.telling] in ("a", "b")
    far = np.append(found.distance, 0)[count(data).pattern_of]
    for i, row in enumerate(grid):
        sides = [row[g][row[g] >= 0] for g in groups]
        if all(len(s) for s in sides):
            p, q = (np.bincount(s, minlength=4) / len(s) for s in sides)
            assert far[i] == pytest.approx(np.abs(p - q).sum() / 2)
        else:
            assert far[i] == 0


def test_the_gap_by_hand() -> None:
    """Agreement .9 and .8 within, .6 between: half of the disagreement is gone in the second."""
    found = replace(
        of(schools(1)), within=np.array([0.9, 0.8]), between=np.array([0.6, 0.6]), p_value=0.001
    )
    assert found.gap == pytest.approx(0.5)
    assert found.clear(0.01)
    assert not found.clear(0.001)
    weak = replace(found, within=np.array([0.9, 0.67]))
    assert weak.gap == pytest.approx(0.175)
    assert not weak.clear(0.01)
    none = of(of_grid(np.zeros((30, 5), int), "ab"))
    assert np.isnan(none.gap)
    assert not none.clear(1)


def test_a_confused_pair_makes_no_camps() -> None:
    """Coins fall alike for some coders; of 200 data sets none had camps that were clear."""
    for seed in (3, 7, 55, 122, 155):  # those of the 200 in which the test finds camps
        found = of(simulate_cause("confused_pair", rng=seed))
        assert found.p_value < 0.01
        assert not found.clear(0.01)
        told = diagnose(simulate_cause("confused_pair", rng=seed)).pooled.patterns
        assert all(f.severity == "note" for f in told if f.code == "camps")


def test_the_share_is_what_would_be_gone() -> None:
    """Two camps that agree wholly within: all disagreement is between them."""
    one, other = ["a", "b", "b", "a"] * 10, ["a", "b", "a", "a"] * 10
    assert of(read([one, other, one, other])).share == pytest.approx(1)


def test_the_share_leaves_the_disagreement_within_camps() -> None:
    """Pairs of coders, each as often as the others: 5 of 9 differ less if camps were one."""
    data = schools(2, (3, 3), items=400)
    found, grid = of(data), data.grid
    differ = {p: (grid[:, p[0]] != grid[:, p[1]]).mean() for p in combinations(range(6), 2)}
    between = [p for p in differ if p[0] < 3 <= p[1]]
    within = np.mean([x for p, x in differ.items() if p not in between])
    gone = sum(differ[p] - within for p in between) / sum(differ.values())
    assert found.share == pytest.approx(gone)
    assert 0.1 < gone < 0.9


def test_coders_who_are_alike_have_no_camps() -> None:
    rng, hits, runs = np.random.default_rng(1), 0, 60
    for _ in range(runs):
        truth = rng.integers(3, size=(80, 1))
        grid = np.where(rng.random((80, 6)) < 0.8, truth, rng.integers(3, size=(80, 6)))
        hits += of(of_grid(grid, "abc")).p_value < 0.05
    assert hits <= 8  # 3 expected


@pytest.mark.parametrize("careless", [1, 2, 3])
def test_careless_coders_are_no_camp(careless: int) -> None:
    """They agree as little with each other as with the rest."""
    rng = np.random.default_rng(2)
    truth = rng.integers(3, size=(300, 1))
    right = np.array([0.95] * (6 - careless) + [0.2] * careless)
    hits = 0
    for _ in range(10):
        grid = np.where(rng.random((300, 6)) < right, truth, rng.integers(3, size=(300, 6)))
        hits += of(of_grid(grid, "abc")).p_value < 0.01
    assert hits <= 1


def test_easy_items_make_no_camps() -> None:
    """Coders who share easy items agree more, but not more than others would on these items."""
    rng, hits = np.random.default_rng(3), 0
    for _ in range(10):
        truth = rng.integers(3, size=(300, 1))
        right = np.where(np.arange(300) < 150, 0.95, 0.5)[:, None]
        grid = np.where(rng.random((300, 6)) < right, truth, rng.integers(3, size=(300, 6)))
        grid[:150, 3:][rng.random((150, 3)) < 0.8] = -1
        grid[150:, :3][rng.random((150, 3)) < 0.8] = -1
        hits += of(of_grid(grid, "abc")).p_value < 0.01
    assert hits <= 1


def test_the_same_data_give_the_same_answer() -> None:
    data = at_random(4, items=100, coders=6)
    assert of(data).p_value == pytest.approx(of(data).p_value, nan_ok=True)


def test_why_none_are_looked_for() -> None:
    assert "four coders" in of(at_random(1, coders=3)).reason
    assert "who gave which" in of(from_counts([[3, 1], [2, 2]])).reason
    many = np.zeros((5, MOST_CODERS + 1), int)
    assert "60 coders" in of(of_grid(many, "ab")).reason
    assert of(of_grid(np.zeros((30, 5), int), "ab")).reason
    assert of(at_random(1, coders=3)).to_rows() == []


def test_camps_that_never_met_are_none() -> None:
    grid = np.full((80, 4), -1)
    grid[:40, :2], grid[40:, 2:] = 0, 1
    grid[:5, 0] = 1
    assert not of(of_grid(grid, "ab")).names


def test_camps_of_label_sets() -> None:
    base = ["a", "b", "ab", "c"] * 30
    other = ["ac" if x == "a" else x for x in base]
    found = of(of_sets((base, other, base, other), "abc"), "masi")
    assert set(found.names) == {("coder 1", "coder 3"), ("coder 2", "coder 4")}
    assert found.values[found.telling] == "c"


def test_two_schools_in_a_crowd() -> None:
    data = schools(5, (25, 25), items=2000, missing=0.8)
    found = of(data)
    assert len(found.names) == 2


def test_declared_groups_of_a_real_study(real_data) -> None:
    """HS-Brexit: three coders of the group that is spoken of, and three others."""
    found = of(read(real_data("crowd/hsbrexit_hate.csv")))
    assert found.names == (("Ann1", "Ann2", "Ann3"), ("Ann4", "Ann5"))
    assert found.p_value < 0.01
    assert found.clear(0.01)
    assert found.values[found.telling] == 1 or found.values[found.telling] == "1"
