"""Coders beside the others: numbers by hand, bounds against exact distributions."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations, product

import numpy as np
import pytest
from accordant.diagnosis.spots import spots
from accordant.diagnosis.standing import standing
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from accordant.counts.count import count
from accordant.data.annotations import Annotations
from accordant.diagnosis.apart import (
    all_disagreement,
    apart,
    beside_the_others,
    others_say,
    rest_of,
)
from accordant.diagnosis.camps import camps
from accordant.diagnosis.drift import drift
from accordant.diagnosis.exact_tests import dealt, exact_interval, tail_bound
from accordant.diagnosis.manner import beside, manner
from accordant.measure.coefficients import COEFFICIENTS
from accordant.measure.distances import weights_for
from diagnosis.made import at_random, from_coders, from_counts, of_grid, of_sets

EXACT = 1e-12
RANDOM = [at_random(seed, items=30, coders=4 + seed % 2, missing=0.2) for seed in range(4)]


def with_weights(data: Annotations, name: str = "identity"):
    counts = count(data)
    return counts, weights_for(name, counts)


# ------------------------------------------------------------------ bounds and exact tests


@given(st.integers(1, 60), st.floats(0.02, 0.9), st.floats(0, 1))
def test_the_bound_is_never_below_the_binomial_tail(n: int, p: float, at: float) -> None:
    k = round(at * n)
    x, share, kind = np.array([0.0, 1.0]), np.array([1 - p, p]), np.zeros(2, int)
    bound = tail_bound(x, share, kind, np.array([float(n)]), float(k))
    exact = stats.binom.sf(k - 1, n, p)
    assert bound >= exact * (1 - 1e-9)
    if k > n * p:  # Chernoff's bound loses no more than a factor of order sqrt(n)
        assert bound <= exact * 4 * np.sqrt(n + 1)


@given(st.data())
def test_the_bound_holds_for_draws_of_several_kinds(data: st.DataObject) -> None:
    """All outcomes counted, of up to three kinds with up to three values each."""
    kinds = data.draw(
        st.lists(st.lists(st.integers(-3, 3), min_size=1, max_size=3), min_size=1, max_size=3)
    )
    times = [data.draw(st.integers(1, 2)) for _ in kinds]
    each = [kind for kind, n in zip(kinds, times, strict=True) for _ in range(n)]
    sums = [sum(draw) for draw in product(*each)]
    x = np.array([v for kind in kinds for v in kind], float)
    share = np.array([1 / len(kind) for kind in kinds for _ in kind])
    number = np.array([i for i, kind in enumerate(kinds) for _ in kind])
    for total in set(sums):
        exact = np.mean([s >= total for s in sums])
        assert tail_bound(x, share, number, np.array(times, float), total) >= exact - 1e-9


def test_the_bound_of_nothing() -> None:
    zero = np.zeros(1)
    assert tail_bound(zero, np.ones(1), np.zeros(1, int), np.array([5.0]), 0.0) == 1
    assert tail_bound(zero, np.ones(1), np.zeros(1, int), np.array([5.0]), 1.0) == 0


@given(st.integers(1, 30), st.integers(0, 30), st.integers(1, 30), st.integers(0, 30))
def test_dealt_is_the_hypergeometric_tail(n: int, marked: int, more: int, k: int) -> None:
    total = max(n, marked) + more
    k = min(k, n, marked)
    assert dealt(k, n, marked, total) == pytest.approx(stats.hypergeom.sf(k - 1, total, marked, n))


def test_exact_interval_is_that_of_scipy() -> None:
    k = np.array([0, 3, 7, 10])
    low, high = exact_interval(k, np.full(4, 10), 0.95)
    each = [stats.binomtest(int(x), 10).proportion_ci(0.95) for x in k]
    assert low == pytest.approx([x.low for x in each])
    assert high == pytest.approx([x.high for x in each])
    assert np.isnan(exact_interval(0, 0, 0.95)).all()


# ------------------------------------------------------------------ coders beside the others


def pairwise(row: np.ndarray, w: np.ndarray, c: int) -> tuple[float, float]:
    """Mean disagreement of coder c with the others of an item, and of these others."""
    rest = [x for i, x in enumerate(row) if i != c and x >= 0]
    own = [1 - w[row[c], x] for x in rest]
    among = [1 - w[x, y] for x, y in permutations(rest, 2)]
    return float(np.mean(own)) if own else np.nan, float(np.mean(among)) if among else np.nan


@pytest.mark.parametrize("weights", ["identity", "linear-by-rank"])
@pytest.mark.parametrize("data", RANDOM)
def test_each_coder_by_hand(data: Annotations, weights: str) -> None:
    counts, w = with_weights(data, weights)
    found, matrix = apart(counts, w), w.matrix
    whole = 0.0
    for row in data.grid:
        m = (row >= 0).sum()
        if m > 1:
            x = row[row >= 0]
            whole += m * np.mean([1 - matrix[a, b] for a, b in permutations(x, 2)])
    assert all_disagreement(counts, w) == pytest.approx(whole)
    for c in range(len(data.coders)):
        rows = [r for r in data.grid if r[c] >= 0 and (r >= 0).sum() >= 3]
        each = np.array([pairwise(r, matrix, c) for r in rows])
        assert found.n_items[c] == len(rows)
        assert found.own[c] == pytest.approx(each[:, 0].mean())
        assert found.among[c] == pytest.approx(each[:, 1].mean())
        assert found.share[c] == pytest.approx(2 * (each[:, 0] - each[:, 1]).sum() / whole)


@pytest.mark.parametrize("data", RANDOM)
def test_what_the_others_say(data: Annotations) -> None:
    counts, _ = with_weights(data)
    found = others_say(counts)
    for e in range(len(counts.value)):
        p = counts.row[e]
        rest = [v for i, v in enumerate(counts.value) if counts.row[i] == p and i != e]
        if rest:
            n = np.bincount(rest)
            assert n[found[e]] == n.max()
        else:
            assert found[e] == counts.value[e]


def test_entries_without_others() -> None:
    counts, w = with_weights(of_grid(np.array([[0, -1, -1], [0, 1, -1], [0, 1, 1]]), "ab"))
    own, among = beside_the_others(counts, w)
    size = counts.size[counts.row]
    assert (np.isnan(own) == (size < 2)).all()
    assert (np.isnan(among) == (size < 3)).all()


def test_the_p_value_bounds_that_of_all_deals() -> None:
    """Every deal of the annotations of each item to its three coders, counted out."""
    grid = np.array([[0, 0, 1]] * 3 + [[1, 1, 0]] * 2 + [[0, 1, 1]])
    counts, w = with_weights(of_grid(grid, "ab"))
    found = apart(counts, w)
    each = []
    for row in grid:
        deals = [pairwise(np.array(p), np.eye(2), 2) for p in permutations(row)]
        each.append([own - among for own, among in deals])
    sums = np.array([sum(deal) for deal in product(*each)])
    seen = sum(np.subtract(*pairwise(row, np.eye(2), 2)) for row in grid)
    exact = (sums >= seen - 1e-9).mean()
    assert exact <= found.p_value[2] <= 6 * exact


def test_coders_who_are_alike_are_rarely_apart() -> None:
    """The test is of one coder at .05; its bound makes it rarer than that."""
    rng, hits = np.random.default_rng(1), 0
    for _ in range(200):
        truth = rng.integers(3, size=(40, 1))
        grid = np.where(rng.random((40, 4)) < 0.8, truth, rng.integers(3, size=(40, 4)))
        hits += apart(*with_weights(of_grid(grid, "abc"))).p_value[0] < 0.05
    assert hits <= 10


def test_the_excess_is_what_alpha_loses() -> None:
    """If the excess of a coder were not there, alpha would be as high as the stake says.

    The others agree always, so without its excess the coder would too.
    """
    grid = np.repeat([[0, 0, 0], [1, 1, 1], [0, 0, 1], [1, 1, 0]], [40, 40, 10, 10], axis=0)
    counts, w = with_weights(of_grid(grid, "ab"))
    found = apart(counts, w)
    parts = COEFFICIENTS["alpha"].parts(counts, w)
    assert found.share[2] == pytest.approx(1)
    assert (1 - parts.value) * found.share[2] + parts.value == pytest.approx(1)


def test_none_for_two_coders_and_for_unknown_ones() -> None:
    assert apart(*with_weights(at_random(1, coders=2))) is None
    assert apart(*with_weights(from_counts([[2, 1], [3, 0]]))) is None
    assert apart(*with_weights(of_grid(np.array([[0, 1, -1], [-1, 1, 0]]), "ab"))) is None


def test_rest_of() -> None:
    counts, _ = with_weights(RANDOM[0])
    assert rest_of(counts, ["coder 2"]).coders == ("coder 1", "coder 3", "coder 4")


# ------------------------------------------------------------------ in which way


def test_in_which_way_a_coder_differs() -> None:
    right = [0, 1, 2, 3] * 30
    rng = np.random.default_rng(1)
    ways = {
        "leans": [1 if x == 0 else x for x in right],
        "constant": [0] * 120,
        "random": rng.permutation(right).tolist(),
        "apart": [(x + 1 + i // 4 % 3) % 4 if i % 10 < 3 else x for i, x in enumerate(right)],
    }
    for how, row in ways.items():
        counts, w = with_weights(from_coders([right, right, row]))
        assert manner(counts, "coder 3", w).how == how


def test_a_leaning_names_both_values_and_both_directions() -> None:
    right = ["a", "b", "c", "c"] * 20
    counts, w = with_weights(from_coders([right, right, ["b" if x == "a" else x for x in right]]))
    found = manner(counts, "coder 3", w)
    assert (found.value, found.instead, found.n, found.back) == ("b", "a", 20, 0)
    assert not found.seldom
    never = [x if x != "c" else ("a", "b")[i % 2] for i, x in enumerate(right)]
    counts, w = with_weights(from_coders([right, right, never]))
    found = manner(counts, "coder 3", w)
    assert (found.value, found.n, found.back, found.seldom) == ("c", 0, 40, True)


def test_the_counts_of_a_manner_are_items() -> None:
    """By hand: what the coder and most of the others give; of an even division nobody speaks."""
    data = at_random(5, items=60, coders=5, values=3, missing=0.2)
    counts = count(data)
    for coder in data.coders:
        pairs = beside(counts, coder)
        c = data.coders.index(coder)
        for k in range(3):
            n = back = 0
            table = np.zeros((3, 3))
            high = low = 0
            for row in data.grid:
                rest = np.delete(row, c)
                rest = rest[rest >= 0]
                if row[c] < 0 or not len(rest):
                    continue
                share = (rest == k).mean()
                n += row[c] == k and share < 0.5
                back += row[c] != k and share > 0.5
                up = np.sign(row[c] - rest).sum()
                high, low = high + (up > 0), low + (up < 0)
                for v in range(3):
                    table[v, row[c]] += (rest == v).mean() > 0.5
            names = np.array([counts.values[v] == data.values[k] for v in range(3)])
            assert pairs.sides(names) == (n, back)
        assert pairs.heights() == (high, low)
        assert pairs.of_majority(3).tolist() == table.tolist()


def test_two_values_that_are_swapped() -> None:
    right = ["a", "b", "c", "d"] * 20
    other = [{"a": "b", "b": "a"}.get(x, x) for x in right]
    counts, w = with_weights(from_coders([right, right, right, other]))
    found = manner(counts, "coder 4", w)
    assert (found.how, {found.value, found.instead}) == ("swapped", {"a", "b"})
    assert (found.n, found.back) == (40, 0)
    two, w = with_weights(from_coders([["a", "b"] * 20] * 2 + [["b", "a"] * 20]))
    assert manner(two, "coder 3", w).how == "swapped"  # and not at random
    one = ["b" if x == "a" else x for x in right]
    counts, w = with_weights(from_coders([right, right, one]))
    assert manner(counts, "coder 3", w).how == "leans"


def test_a_coder_who_uses_the_middle_of_the_scale_only() -> None:
    right = [1, 2, 3, 4, 5, 6, 7] * 20
    middle = [min(5, max(3, x)) for x in right]
    counts, w = with_weights(from_coders([right, right, middle]))
    found = manner(counts, "coder 3", w, ordered=True)
    assert (found.how, found.used, found.never) == ("narrow", (3, 4, 5), (1, 2, 6, 7))
    assert (found.own, found.others) == (0, pytest.approx(4 / 7))
    assert manner(counts, "coder 3", w).how != "narrow"  # without an order there is no middle
    low = [min(3, x) for x in right]  # one end only: lower values
    counts, w = with_weights(from_coders([right, right, low]))
    assert manner(counts, "coder 3", w, ordered=True).how == "shifted"


def test_a_coder_who_gives_more_labels_or_fewer() -> None:
    rng = np.random.default_rng(1)
    base = ["a", "b", "c", "d"] * 25
    more = ["".join(sorted({x, "abcd"[rng.integers(4)]})) for x in base]
    labels = tuple("abcd")
    for rows, coder, how in (
        ((base, base, more), "coder 3", "more_labels"),
        ((more, more, base), "coder 3", "fewer_labels"),
    ):
        counts = count(of_sets(rows, "abcd"))
        found = manner(counts, coder, weights_for("masi", counts), labels=labels)
        assert found.how == how
        sizes = np.mean([len(x) for x in more]), 1.0
        own, others = sizes if how == "more_labels" else sizes[::-1]
        assert (found.own, found.others) == pytest.approx((own, others))
        assert max(found.n, found.back) == sum(len(x) > 1 for x in more)


def test_a_shift_is_told_on_ordered_scales_only() -> None:
    right = [1, 2, 3, 4] * 20
    higher = [min(4, x + (i % 3 == 0)) for i, x in enumerate(right)]
    counts, w = with_weights(from_coders([right, right, higher]))
    assert manner(counts, "coder 3", w, ordered=True).how == "shifted"
    assert manner(counts, "coder 3", w).how != "shifted"


def test_a_leaning_of_label_sets() -> None:
    base = ["a", "b", "c", "ab"] * 20
    data = of_sets((base, base, [x + "c" if "c" not in x else x for x in base]), "abc")
    counts = count(data)
    found = manner(counts, "coder 3", weights_for("masi", counts), labels=("a", "b", "c"))
    assert (found.how, found.value, found.instead) == ("leans", "c", None)


def test_a_coder_who_met_nobody() -> None:
    counts, w = with_weights(of_grid(np.array([[0, 1, -1], [-1, -1, 0]]), "ab"))
    assert manner(counts, "coder 3", w).how == "apart"


# ------------------------------------------------------------------ standing


def stand(data: Annotations):
    counts, w = with_weights(data)
    return standing(data, counts, w, camps(counts, w), drift(data, counts, w))


def test_one_coder_who_is_apart_does_not_make_others_apart() -> None:
    rng = np.random.default_rng(2)
    truth = rng.integers(3, size=(200, 1))
    grid = np.where(
        rng.random((200, 4)) < [0.95, 0.95, 0.6, 0.1], truth, rng.integers(3, size=(200, 4))
    )
    found = stand(of_grid(grid, "abc"))
    assert [x.coder for x in found.apart] == ["coder 4", "coder 3"]
    assert found.apart[1].others > 0.85  # among coders 1 and 2 only


def test_the_clearest_coder_is_taken_out_first() -> None:
    """Beside a coder at random, the others of the second one look as bad as it."""
    rng = np.random.default_rng(4)
    truth = rng.integers(3, size=(400, 1))
    right = [0.95, 0.95, 0.95, 0.5, 0.05]
    grid = np.where(rng.random((400, 5)) < right, truth, rng.integers(3, size=(400, 5)))
    counts, w = with_weights(of_grid(grid, "abc"))
    assert (apart(counts, w).p_value[3:] < 1e-4).all()
    found = stand(of_grid(grid, "abc")).apart
    assert [x.coder for x in found] == ["coder 5", "coder 4"]
    rest, w = with_weights(of_grid(grid[:, :4], "abc"))
    assert found[1].others == pytest.approx(1 - apart(rest, w).among[3])


def test_items_that_get_harder_by_themselves_are_no_drift_of_a_weak_coder() -> None:
    """In the order of the data; where the order is known to be that of time, it is told."""
    rng = np.random.default_rng(5)
    truth = rng.integers(3, size=(500, 1))
    hard = np.linspace(0, 1, 500)[:, None]
    right = 1 - hard * [0.4, 0.4, 0.4, 0.8]
    grid = np.where(rng.random((500, 4)) < right, truth, rng.integers(3, size=(500, 4)))
    data = replace(of_grid(grid, "abc"), metadata={"minute": tuple(range(500))})
    counts, w = with_weights(data)
    none = camps(counts, w)
    assert not standing(data, counts, w, none, drift(data, counts, w)).drifts
    timed = drift(data, counts, w, "minute")
    found = standing(data, counts, w, none, timed, order="minute").drifts
    assert [x.coder for x in found] == ["coder 4"]


def test_a_smaller_camp_is_not_apart_but_a_careless_coder_beside_camps_is() -> None:
    rng = np.random.default_rng(3)
    truth = rng.integers(3, size=200)
    other = np.where(truth == 0, 1, truth)
    rows = [truth] * 4 + [other] * 2 + [rng.integers(3, size=200)]
    grid = np.stack(
        [np.where(rng.random(200) < 0.95, r, rng.integers(3, size=200)) for r in rows], axis=1
    )
    found = stand(of_grid(grid, "abc"))
    assert set(found.camps.names) == {
        tuple(f"coder {i}" for i in (1, 2, 3, 4)),
        ("coder 5", "coder 6"),
    }
    assert [x.coder for x in found.apart] == ["coder 7"]
    assert found.apart[0].camp


def test_who_was_compared_is_told() -> None:
    """Coder 4 is taken out first, so coder 3 is compared with coders 1 and 2 only."""
    rng = np.random.default_rng(2)
    truth = rng.integers(3, size=(200, 1))
    grid = np.where(
        rng.random((200, 4)) < [0.95, 0.95, 0.6, 0.1], truth, rng.integers(3, size=(200, 4))
    )
    first, second = stand(of_grid(grid, "abc")).apart
    assert first.compared == ("coder 1", "coder 2", "coder 3")
    assert second.compared == ("coder 1", "coder 2")


# ------------------------------------------------------------------ on some items only


def batches(seed: int, bad: float = 0.9, coders: int = 4) -> Annotations:
    """The third coder guesses in the fourth of six batches."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(4, size=(300, 1))
    right = np.full((300, coders), 0.95)
    right[150:200, 2] = 1 - bad
    grid = np.where(rng.random((300, coders)) < right, truth, rng.integers(4, size=(300, coders)))
    batch = tuple(f"b{i // 50}" for i in range(300))
    return replace(of_grid(grid, "abcd"), metadata={"genre": tuple("xy" * 150), "batch": batch})


@pytest.mark.parametrize("seed", range(6))
def test_a_coder_who_is_apart_in_one_batch(seed: int) -> None:
    data = batches(seed)
    counts, w = with_weights(data)
    whole = all_disagreement(counts, w)
    (found,) = spots(data, counts, w, whole, level=0.01)
    assert (found.coder, found.column, found.value) == ("coder 3", "batch", "b3")
    grid = data.grid
    pairs = [(2, o) for o in (0, 1, 3)], [(0, 1), (0, 3), (1, 3)]
    here = np.arange(300) // 50 == 3
    figures = [
        np.mean([(grid[part][:, a] == grid[part][:, b]).mean() for a, b in each])
        for part in (here, ~here)
        for each in pairs
    ]
    assert (found.agreement, found.others) == pytest.approx(tuple(figures[:2]))
    assert (found.elsewhere, found.others_elsewhere) == pytest.approx(tuple(figures[2:]))
    lost = 2 * 50 * (figures[1] - figures[0]) / whole
    assert found.share == pytest.approx(lost)
    (who,) = stand(data).apart
    assert (who.coder, who.spot.value) == ("coder 3", "b3")


def test_a_group_of_hard_items_makes_nobody_apart() -> None:
    hits = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        truth = rng.integers(4, size=(200, 1))
        right = np.where(np.arange(200) % 4 == 0, 0.5, 0.95)[:, None]
        grid = np.where(rng.random((200, 4)) < right, truth, rng.integers(4, size=(200, 4)))
        data = replace(of_grid(grid, "abcd"), metadata={"genre": tuple("wxyz" * 50)})
        counts, w = with_weights(data)
        hits += bool(spots(data, counts, w, all_disagreement(counts, w), level=0.05))
    assert hits <= 4


def test_a_coder_who_is_weak_everywhere_has_no_spot() -> None:
    rng = np.random.default_rng(3)
    truth = rng.integers(4, size=(400, 1))
    grid = np.where(
        rng.random((400, 4)) < [0.95, 0.95, 0.6, 0.95], truth, rng.integers(4, size=(400, 4))
    )
    data = replace(of_grid(grid, "abcd"), metadata={"genre": tuple("wxyz" * 100)})
    counts, w = with_weights(data)
    assert not spots(data, counts, w, all_disagreement(counts, w), level=0.01)
    assert not spots(data, *with_weights(at_random(1, coders=2)), 1.0, level=0.01)


# ------------------------------------------------------------------ whose curve moves


def test_who_drifts_among_three_is_not_taken_for_another() -> None:
    """Beside one who comes to err, the others seem to come to agree."""
    blamed = []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        truth = rng.integers(4, size=400)
        grid = np.where(rng.random((400, 3)) < 0.95, truth[:, None], rng.integers(4, size=(400, 3)))
        late = (rng.random(400) < np.arange(400) / 400 * 0.5) & (grid[:, 1] == 0)
        grid[late, 1] = 1
        blamed += [x.coder for x in stand(of_grid(grid, "abcd")).drifts]
    assert len(blamed) >= 10
    assert blamed.count("coder 2") >= len(blamed) - 1


def test_the_own_curve_must_move() -> None:
    """Coders 1 and 2 come to differ from each other; the third agrees hardly more than before."""
    rng = np.random.default_rng(1)
    truth, draw = rng.integers(4, size=1000), rng.random(1000)
    grid = np.repeat(truth[:, None], 3, axis=1)
    late = np.arange(1000) >= 500
    for c, off in ((0, late & (draw < 0.1)), (1, late & (draw > 0.9)), (2, ~late & (draw < 0.14))):
        grid[off, c] = (truth[off] + 1) % 4
    data = replace(of_grid(grid, "abcd"), metadata={"minute": tuple(range(1000))})
    counts, w = with_weights(data)
    seen = drift(data, counts, w, "minute")
    assert seen.change[2] < -0.2
    assert seen.p_value[2] < 1e-4
    assert -0.1 < seen.own_change[2] < 0
    found = standing(data, counts, w, camps(counts, w), seen, order="minute").drifts
    assert "coder 3" not in [x.coder for x in found]
