"""Ambiguity against noise: by brute force, and planted."""

from __future__ import annotations

import math
import re
from functools import cache
from itertools import combinations, pairwise, product

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import roc_auc_score

import accordant as ac
from accordant.errors import RequestError
from accordant.models.emission import Confusions
from accordant.models.soft.distributions import disagreement
from accordant.models.soft.noise import (
    EASES,
    ambiguous_share,
    counts_of,
    hardness,
    one_reading,
    right_at,
)
from accordant.models.soft.readings import (
    adjusted,
    apart,
    concentration,
    discrete,
    likelihoods,
    rareness,
    reaches,
    read_as,
    same_size,
    surprises,
)
from accordant.models.votes import votes

RNG = np.random.default_rng(3)
TABLE = RNG.dirichlet([1, 1, 1], (5, 3)) * 0.4 + 0.6 * np.eye(3)  # (C, S, O)


@cache
def crowd(ambiguous=0.0, rng=1, per_item=10, n=250, k=3, difficulty=0.0):
    return ac.simulate_crowd(
        n, 20, k, per_item=per_item, ambiguous=ambiguous, difficulty=difficulty, seed=rng
    )


@cache
def found(ambiguous=0.0, rng=1, per_item=10, **more):
    return ac.ambiguity(crowd(ambiguous, rng, per_item, **more).data, schools=False)


# ---------------------------------------------------------------------- by brute force


def test_gain_against_a_grid():
    given = TABLE[np.arange(5), :, [0, 1, 0, 1, 2]].T  # (S, n)
    gain, shares = read_as(given[:, :, None])
    grid = [np.array([a, b, 100 - a - b]) / 100 for a in range(101) for b in range(101 - a)]
    several = max(np.log(np.maximum(theta @ given, 1e-300)).sum() for theta in grid)
    one = np.log(given).sum(1).max()
    assert gain[0] == pytest.approx(several - one, abs=0.05)
    assert shares.sum() == pytest.approx(1)
    agreed = read_as(TABLE[np.arange(5), :, [0] * 5].T[:, :, None])[0][0]
    assert agreed < 0.05 < gain[0]


def test_p_value_against_all_outcomes():
    table = np.broadcast_to(TABLE, (1, 5, 3, 3))
    label = [0, 1, 0, 1, 2]
    belief = np.array([[0.5, 0.4, 0.1]])
    gain, _ = read_as(TABLE[np.arange(5), :, label].T[:, :, None])
    expected = 0.0
    for x in product(range(3), repeat=5):
        given = TABLE[np.arange(5), :, x].T
        if read_as(given[:, :, None])[0][0] >= gain[0] - 1e-9:
            expected += float(belief[0] @ given.prod(1))
    exact = rareness(table, belief, gain, np.random.default_rng)
    assert exact[0] == pytest.approx(expected)


def test_drawn_p_values_agree_with_exact_ones(monkeypatch):
    from accordant.models.soft import readings as module

    table = np.broadcast_to(TABLE, (8, 5, 3, 3))
    label = RNG.integers(0, 3, (8, 5))
    belief = RNG.dirichlet([1, 1, 1], 8)
    gain, _ = read_as(np.stack([TABLE[np.arange(5), :, x] for x in label]).transpose(2, 1, 0))
    exact = rareness(table, belief, gain, np.random.default_rng)
    monkeypatch.setattr(module, "MOST_OUTCOMES", 1)
    drawn = rareness(table, belief, gain, np.random.default_rng)
    assert np.allclose(drawn, exact, atol=0.11)
    small = exact < 0.08
    assert np.allclose(drawn[small], exact[small], atol=0.03)


def test_whether_the_gain_is_reached_is_known_before_the_climb_ends():
    for _ in range(20):
        s, n, m = RNG.integers(2, 6), RNG.integers(2, 25), 200
        given = RNG.dirichlet(np.full(s, 0.5), (n, m)).transpose(2, 0, 1) + 1e-6
        gain = read_as(given)[0]
        asked = RNG.permutation(gain) - 1e-9
        assert (reaches(given, asked) == (gain >= asked)).all()


def hard_item(label, truth=0):
    """The p-value of `concentration` from all labels that the coders who differ may give."""
    table = RNG.dirichlet([4, 2, 1, 1], (len(label), 4))  # (n, S, O)
    differs = [c for c, x in enumerate(label) if x != truth]
    others = [k for k in range(4) if k != truth]
    pattern = table[differs][:, truth][:, others]
    pattern = pattern / pattern.sum(1, keepdims=True)
    outcomes = list(product(range(3), repeat=len(differs)))
    weight = np.array([np.prod([p[o] for p, o in zip(pattern, x)]) for x in outcomes])
    count = np.array([[x.count(o) for o in range(3)] for x in outcomes])
    tail = np.array(
        [[weight[count[:, o] >= m].sum() for m in range(len(differs) + 1)] for o in range(3)]
    )
    tail[:, :2] = 1
    smallest = tail[np.arange(3), count].min(1)  # (R,) of each outcome
    own = [others.index(label[c]) for c in differs]
    t = smallest[outcomes.index(tuple(own))]
    bound = sum(max((x for x in row if x <= t + 1e-12), default=0) for row in tail)
    belief = np.eye(4)[[truth]]
    p, least = concentration(table[None], np.array([label]), belief, np.arange(4), 4)
    return p[0], least[0], min(bound, 1), weight[smallest <= t + 1e-12].sum(), tail[:, -1].min()


def test_concentration_against_all_labels():
    for label in ([0, 0, 1, 1, 1, 2, 0], [0, 3, 3, 1, 2, 2, 3], [1, 0, 0, 0], [3, 3, 3, 3, 3]):
        p, least, bound, exact, all_alike = hard_item(label)
        assert p == pytest.approx(bound)
        assert exact <= p + 1e-12  # never too small
        assert p <= 3 * exact + 1e-12
        assert all_alike - 1e-12 <= least <= p + 1e-12


def test_concentration_holds_whatever_the_ease_is():
    """Labels of hard items from known confusion matrices, a random ease for each coder and item."""
    n, b = 16, 4000
    rows = RNG.dirichlet([3, 2, 1, 1], n)  # where the first category is true
    table = np.broadcast_to(rows[None, :, None], (b, n, 4, 4))
    right = RNG.random((b, n)) ** RNG.choice([0.2, 1, 3], (b, 1))
    wrong = rows[:, 1:] / rows[:, 1:].sum(1, keepdims=True)
    error = 1 + (RNG.random((b, n, 1)) > wrong.cumsum(1)[None, :, :2]).sum(-1)
    label = np.where(RNG.random((b, n)) < right, 0, error)
    belief = np.tile([1.0, 0, 0, 0], (b, 1))
    p, least = concentration(table, label, belief, np.arange(4), 4)
    for level in (0.005, 0.02, 0.05, 0.2):
        assert (p <= level).mean() <= level + 3 * np.sqrt(level / b)
    assert (p <= 0.2).mean() > 0.04
    assert (least <= p + 1e-12).all()
    unsure = np.tile([0.6, 0.4, 0, 0], (b, 1))  # the truth that explains it best counts
    assert (concentration(table, label, unsure, np.arange(4), 4)[0] >= p - 1e-12).all()


def test_with_two_categories_errors_cannot_concentrate():
    table = np.full((1, 6, 2, 2), 0.5)
    p, least = concentration(
        table, np.array([[0, 0, 1, 1, 1, 0]]), np.array([[0.5, 0.5]]), np.arange(2), 2
    )
    assert p.tolist() == least.tolist() == [1.0]


def test_abstentions_are_no_reading():
    table = np.broadcast_to([0.4, 0.2, 0.2, 0.2], (1, 8, 3, 4))
    label = np.array([[0, 0, 0, 3, 3, 3, 3, 3]])
    assert concentration(table, label, np.eye(3)[[0]], np.arange(3), 3)[0].tolist() == [1.0]


def test_tests_that_cannot_reject_do_not_count():
    p = np.array([0.004, 0.03, 0.2, *[1.0] * 300])
    least = np.array([0.0001, 0.0005, 0.0001, *[0.3] * 300])
    q = discrete(p, least, 0.1)
    assert q[:3] == pytest.approx(adjusted(p[:3]))
    assert (q[3:] == 1).all()
    assert adjusted(p)[0] > 0.1
    assert discrete(p, np.zeros(303), 0.1) == pytest.approx(adjusted(p))
    assert discrete(np.array([np.nan, 1.0]), np.array([np.nan, 1.0]), 0.1)[1] == 1


def test_one_reading_of_any_ease_by_loops():
    hard = hardness(0.7, 3)
    label, right = [0, 1, 1, 2], TABLE[:4, [0, 1, 2], [0, 1, 2]]
    given = TABLE[np.arange(4), :, label]
    hit = np.array(label)[:, None] == np.arange(3)
    found = one_reading(given[None], right[None], hit[None], hard, 3)[0]
    for s, d in product(range(3), range(len(hard.spreads))):
        total = 0.0
        for e, w in zip(EASES, hard.weights[d]):
            each = 1.0
            for a, x in enumerate(label):
                p = TABLE[a, s, s]
                odds = (p / (1 - p) / 0.5) ** e * 0.5  # against guessing one in three
                own = odds / (1 + odds)
                each *= own if x == s else (1 - own) * TABLE[a, s, x] / (1 - p)
            total += w * each
        assert found[s, d] == pytest.approx(math.log(total))
    assert found[:, 0] == pytest.approx(np.log(given).sum(0))
    assert np.allclose(hard.weights @ right_at(np.array(0.7), 3), 0.7, atol=0.005)


def test_expected_disagreement_by_pairs():
    data = ac.read([("i", f"c{c}", "abc"[c % 3]) for c in range(5)] + [("j", "c0", "a")])
    table = votes(data)
    emission = Confusions(TABLE)
    belief = np.array([[0.2, 0.5, 0.3], [1, 0, 0]])
    pairs = list(combinations(range(5), 2))
    each = [np.mean([1 - TABLE[a, s] @ TABLE[b, s] for a, b in pairs]) for s in range(3)]
    ((items, at),) = same_size(table)
    assert items.tolist() == [0]
    expected = apart(likelihoods(emission, table, at), belief[items])
    assert expected[0] == pytest.approx(belief[0] @ each)
    seen = disagreement(counts_of(table))
    labels = [c % 3 for c in range(5)]
    assert seen[0] == pytest.approx(np.mean([labels[a] != labels[b] for a, b in pairs]))
    assert np.isnan(seen[1])


def test_surprise_given_the_others():
    data = ac.read([("i", f"c{c}", "abc"[c % 3]) for c in range(5)])
    prior = np.array([0.5, 0.3, 0.2])
    labels = [c % 3 for c in range(5)]
    table, emission = votes(data), Confusions(TABLE)
    joint = emission.log_likelihood(table) + np.log(prior)
    for c in range(5):
        others = [d for d in range(5) if d != c]
        b = prior * np.prod([TABLE[d, :, labels[d]] for d in others], axis=0)
        expected = -math.log2(b / b.sum() @ TABLE[c, :, labels[c]])
        assert surprises(table, emission, joint)[c] == pytest.approx(expected)


def test_adjusted_against_scipy():
    p = RNG.random(40) ** 3
    assert np.allclose(adjusted(p), stats.false_discovery_control(p))
    assert np.isnan(adjusted(np.array([0.1, np.nan]))[1])


def test_share_of_ambiguous_items_maximises_the_likelihood():
    factor = RNG.normal(-1, 3, 200)
    share, ratio = ambiguous_share(factor)
    grid = np.linspace(0, 0.999, 1000)
    value = [np.log1p(x * (np.exp(factor) - 1)).sum() for x in grid]
    assert share == pytest.approx(grid[int(np.argmax(value))], abs=0.002)
    assert ratio == pytest.approx(2 * max(value), abs=0.01)
    assert ambiguous_share(np.full(10, -1.0)) == (0.0, 0.0)


def test_repeated_annotations_count_each_time():
    data = ac.read([("i", "x", "a"), ("i", "x", "a"), ("i", "y", "b")], duplicates="keep")
    table = votes(data)
    ((items, at),) = same_size(table)
    assert (items.tolist(), at.shape) == ([0], (1, 3))
    assert likelihoods(Confusions(np.full((2, 2, 2), 0.5)), table, at).shape == (1, 3, 2, 2)


# ---------------------------------------------------------------------- planted


def test_without_ambiguity_nothing_is_called_ambiguous():
    small, flagged = [], 0
    for rng in range(4):
        result = found(0.0, rng)
        small.append((result.p_value <= 0.05).mean())
        flagged += int(result.ambiguous.sum())
    assert np.mean(small) <= 0.05
    assert flagged <= 1
    assert found(0.0, 1).share < 0.03


@pytest.mark.parametrize(("k", "per_item"), [(3, 10), (3, 20), (5, 10), (5, 20)])
def test_hard_items_are_not_called_ambiguous(k, per_item):
    called = [found(0.0, rng, per_item, n=200, k=k, difficulty=1.0) for rng in range(2)]
    assert sum(len(one.items) for one in called) <= 1
    for one in called:
        assert one.share < 0.03
        assert one.any_p_value > 0.01
        assert one.difficulty > 0.2


def test_hard_items_beside_ambiguous_ones():
    """Of those called ambiguous a tenth or less is not, and many are found."""
    caught, false, n, hard, errors = 0, 0, 0, 0, 0
    for rng in range(3):
        planted = crowd(0.2, rng, 20, n=200, k=5, difficulty=1.0)
        result = found(0.2, rng, 20, n=200, k=5, difficulty=1.0)
        really = planted.clear < 1
        caught += int((result.ambiguous & really).sum())
        false += int((result.ambiguous & ~really).sum())
        hard += int((result.unclear & ~really & (planted.ease < 0.6)).sum())
        errors += int((result.unclear & ~really & (planted.ease >= 0.9)).sum())
        n += int(really.sum())
    assert caught / n > 0.4
    assert false / (false + caught) < 0.1
    assert hard > errors


def test_with_two_categories_only_ambiguous_or_hard_is_said():
    result = found(0.0, 1, 20, n=200, k=2, difficulty=1.0)
    assert not result.told_apart
    assert not result.ambiguous.any()
    assert result.items == []
    assert len(result.unclear_items) > 20
    ease = crowd(0.0, 1, 20, n=200, k=2, difficulty=1.0).ease
    assert (ease[result.unclear] < 1).mean() > 0.9
    told = {f.code: f.sentence for f in result.findings}
    assert "ambiguous_items" not in told
    assert "two categories" in told["unclear_items"]
    assert "cannot be told apart" in result.sentence
    assert "with ambiguous or hard ones" in result.sentence
    assert set(result.sources) <= {"none", "coders", "unclear"}
    assert sum(row["unclear"] for row in result.to_rows()) == len(result.unclear_items)


def test_refits_are_bounded(monkeypatch):
    from accordant.models.soft import noise as module

    fits = []
    seen = module._seen
    monkeypatch.setattr(module, "_seen", lambda *x: fits.append(1) or seen(*x))
    found.__wrapped__(0.2, 2, 20)
    assert 1 < len(fits) <= 4


def test_planted_ambiguity_is_found_among_noise():
    caught, false, n = 0, 0, 0
    for rng in range(3):
        planted = crowd(0.2, rng, 20).clear < 1
        result = found(0.2, rng, 20)
        assert roc_auc_score(planted, result.bits) > 0.93
        assert roc_auc_score(planted, -result.p_value) > 0.93
        assert result.share == pytest.approx(planted.mean(), abs=0.06)
        assert result.share_low < result.share < result.share_high
        caught += np.array([(x & planted).sum() for x in (result.ambiguous, result.unclear)])
        false += np.array([(x & ~planted).sum() for x in (result.ambiguous, result.unclear)])
        n += int(planted.sum())
    assert (caught / n > [0.25, 0.6]).all()  # ambiguous, and ambiguous or hard
    assert (false / (caught + false) < [0.1, 0.15]).all()  # level 0.1
    assert found(0.2, 1, 20).any_p_value < 0.001


def test_noise_of_coders_is_put_down_to_coders():
    noisy = ac.simulate_crowd(250, {"good": 8, "sloppy": 6, "spammer": 6}, 3, per_item=10, seed=2)
    result = ac.ambiguity(noisy.data, schools=False)
    assert result.total > 0.4
    assert result.by_coders > 0.95
    assert abs(result.by_items) < 0.03
    assert result.ambiguous.sum() <= 1
    assert result.findings[0].code == "nothing_ambiguous"
    planted = found(0.2, 1, 20)
    assert planted.by_items > 0.1
    assert planted.by_coders + planted.by_items == pytest.approx(1)
    assert 0.1 < planted.by_ambiguous <= planted.by_items + 1e-9


def test_readings_are_those_that_were_planted():
    planted, result = crowd(0.2, 1, 20), found(0.2, 1, 20)
    rows = result.to_rows()
    names = planted.categories
    right = [
        {row["reading_1"], row["reading_2"]} == {names[a], names[b]}
        for row, a, b in zip(rows, planted.truth, planted.other)
        if row["unclear"]
    ]
    assert np.mean(right) > 0.8
    assert len({tuple(row) for row in rows}) == 1


def test_schools_are_no_noise():
    split = ac.simulate_crowd(200, {"good": 5, "school": 4}, 3, per_item=9, seed=2)
    result = ac.ambiguity(split.data)
    assert len(result.schools) == 2
    assert (result.schools_differ == split.disputed).mean() > 0.9
    finding = next(f for f in result.findings if f.code == "schools_differ")
    assert finding.severity == "warning"
    differing = [s for s, d in zip(result.sources, result.schools_differ) if d]
    assert set(differing) == {"schools"}
    put_down = {
        row["put_down_to"] for row in result.annotation_rows() if split.disputed[row["item"] - 1]
    }
    assert "schools" in put_down
    assert result.between_schools > 0.3
    school = {name: g for g, names in enumerate(result.schools) for name in names}
    differ = dict(zip(result.votes.items.tolist(), result.schools_differ.tolist()))
    labels = {}
    for row in split.data.to_rows():
        labels.setdefault(row["item"], []).append((row["coder"], row["label"]))
    pairs = [
        (differ[item] and school[c] != school[d])
        for item, given in labels.items()
        for (c, x), (d, y) in combinations(given, 2)
        if x != y
    ]
    assert result.between_schools == pytest.approx(np.mean(pairs))


@pytest.mark.parametrize("groups", [{"good": 5, "school": 4}, {"good": 6, "school": 4}])
def test_the_parts_are_a_whole_and_the_sentence_agrees(groups):
    """A model with one truth has the differences of schools among its errors: told once."""
    split = ac.simulate_crowd(200, groups, 3, per_item=9, seed=2)
    result = ac.ambiguity(split.data)
    assert result.between_schools > 0.3
    assert sum(result.parts) == pytest.approx(1)
    assert min(result.parts) >= 0
    shown = [int(x) for x in re.findall(r"(\d+)\s%", result.explained)]
    assert sum(shown[:3]) == 100
    assert f"between coder groups {round(100 * result.between_schools)}" in result.explained
    raw = result.expected.sum() / result.disagreement.sum()
    assert raw + result.between_schools > 1.05  # what was told side by side once


def test_errors_that_would_explain_more_than_all_there_is():
    for rng in range(3):
        result = ac.ambiguity(ac.simulate_crowd(60, 8, 3, per_item=5, seed=rng).data)
        assert max(result.parts) <= 1
        assert sum(result.parts) == pytest.approx(1)


# ---------------------------------------------------------------------- laws


def test_neither_rows_nor_names_matter():
    triples = [(r["item"], r["coder"], r["label"]) for r in crowd(0.2, 1).data.to_rows()]
    names = {"A": "zeta", "B": "beta", "C": "eta"}
    order = np.random.default_rng(0).permutation(len(triples))
    other = [(i, f"coder {c}", names[x]) for i, c, x in (triples[k] for k in order)]
    result = ac.ambiguity(other, schools=False)
    rows = {str(row["item"]): row for row in result.to_rows()}
    for row in found(0.2, 1).to_rows():
        again = rows[str(row["item"])]
        for key in ("p_value", "hard_p_value", "bits", "probability", "disagreement", "expected"):
            assert again[key] == pytest.approx(row[key], abs=1e-6, nan_ok=True), key
        assert again["ambiguous"] == row["ambiguous"]


def test_the_same_seed_gives_the_same():
    one = ac.ambiguity(crowd(0.2, 1).data, schools=False)
    assert one.to_rows() == found(0.2, 1).to_rows()
    assert "seed 0" in one.signature


def test_progress_reaches_the_end():
    seen = []
    ac.ambiguity(crowd(0.2, 1).data, schools=False, progress=lambda *x: seen.append(x))
    assert seen[-1] == (250, 250)
    assert all(a[0] <= b[0] for a, b in pairwise(seen))


# ---------------------------------------------------------------------- edges


@pytest.mark.parametrize(
    "model", ["majority", "dawid_skene", "one_coin", "mace", "glad", "variational", "weighted"]
)
def test_every_model_serves(model):
    data = ac.simulate_crowd(40, 8, 3, per_item=6, ambiguous=0.2, seed=1).data
    result = ac.ambiguity(data, model, schools=False)
    seen = result.p_value
    assert ((seen >= 0) & (seen <= 1)).all()
    assert np.allclose(result.beliefs.sum(1), 1)
    assert result.surprise.min() >= 0


def test_nothing_to_explain():
    for data in ([["a", "b"] * 5] * 3, [["a", "a"] * 3] * 3):
        result = ac.ambiguity(data)
        assert "nothing to explain" in result.sentence
        assert np.isnan(result.parts).all()
        assert result.items == []
    alone = ac.ambiguity([("i1", "x", "a"), ("i2", "y", "b"), ("i3", "x", "b")])
    assert alone.findings[0].code == "one_annotation_each"
    assert np.isnan(alone.p_value).all()
    assert set(alone.sources) == {"none"}


def test_two_coders():
    result = ac.ambiguity([["a", "b", "a", "a"], ["a", "b", "b", "a"]])
    assert not result.ambiguous.any()
    assert result.to_rows()[2]["disagreement"] == 1


def test_sets_of_labels_are_looked_at_label_by_label():
    data = ac.read(
        {"item": [1, 1, 2, 2], "coder": ["x", "y", "x", "y"], "label": ["p;q", "p", "q", ""]},
        separator=";",
        blank="empty",
    )
    each = ac.ambiguity(data)
    assert [one.question for one in each] == ["p", "q"]


def test_what_was_fitted_is_taken_as_it_is():
    fitted = ac.fit(crowd(0.2, 1).data, "pooled")
    result = ac.ambiguity(fitted, schools=False)
    assert np.allclose(result.p_value, found(0.2, 1).p_value)
    with pytest.raises(RequestError, match="has been read"):
        ac.ambiguity(fitted, categories=["A"])
    with pytest.raises(RequestError, match="^q: "):
        ac.ambiguity(fitted, q=0)


def test_hsbrexit_has_two_schools(real_data):
    result = ac.ambiguity(str(real_data("crowd/hsbrexit_hate.csv")))
    assert len(result.schools) == 2
    assert result.between_schools > 0.4
    assert {len(names) for names in result.schools} == {3}
