"""Coders, pairs of coders, their scores and consistency, and groups of items, by hand."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations, permutations, product
from typing import Any

import numpy as np
import pytest
from scipy import stats

import accordant as ac
from diagnosis.annotated import FLEISS_1971, NAMES, guessing, of_grid

EXACT = 1e-12


def gappy(seed: int, items: int = 40, coders: int = 4, k: int = 4) -> np.ndarray:
    grid, rng = guessing(seed, items, k, 0.6, coders), np.random.default_rng(seed)
    grid[rng.random(grid.shape) < 0.3] = -1
    return grid


def part(data: Any, **more: Any) -> Any:
    return ac.diagnose(data, **more).pooled


# ------------------------------------------------------------------ each coder


@pytest.mark.parametrize("seed", range(3))
def test_agreement_with_the_others_pair_by_pair(seed: int) -> None:
    grid = gappy(seed)
    rows = {row["coder"]: row for row in part(of_grid(grid)).coders.to_rows()}
    for c in range(4):
        others = [
            grid[i, c] == grid[i, d]
            for i, d in product(range(40), range(4))
            if d != c and grid[i, c] >= 0 and grid[i, d] >= 0
        ]
        row, own = rows[f"coder {c + 1}"], grid[:, c] >= 0
        assert row["agreement"] == pytest.approx(np.mean(others), abs=EXACT)
        assert row["n_items"] == own.sum()
        assert row["n_shared"] == (own & ((grid >= 0).sum(1) > 1)).sum()
        p = np.bincount(grid[own, c]) / own.sum()
        assert row["entropy"] == pytest.approx(-(p[p > 0] * np.log2(p[p > 0])).sum(), abs=EXACT)
        rest = of_grid(np.delete(grid, c, axis=1))
        without = ac.agreement(rest, "alpha")["alpha"].value
        assert row["alpha_without"] == pytest.approx(without, abs=EXACT)


def test_a_label_that_a_coder_gives_unlike_the_others() -> None:
    """The third adds b to every second item; the others give it to a quarter."""
    base = ["a", "b", "c", "a"] * 50
    third = [x if i % 2 or "b" in x else f"{x},b" for i, x in enumerate(base)]
    row = part(ac.read([base, base, third], separator=",")).coders.to_rows()[2]
    assert (row["bias_value"], row["bias"]) == ("b", pytest.approx(0.5))


def test_two_coders_cannot_be_left_out() -> None:
    rows = part(of_grid(gappy(2, coders=2))).coders.to_rows()
    assert all(math.isnan(row["alpha_without"]) for row in rows)


# ------------------------------------------------------------------ pairs of coders


def test_mean_pairwise_kappa_of_light() -> None:
    """R irr 0.84.1 kappam.light, psych and nltk on the data of Fleiss (1971)."""
    assert part(FLEISS_1971).pairs.light == pytest.approx(0.459412144, abs=1e-7)


@pytest.mark.parametrize("seed", range(3))
def test_each_pair_is_the_two_coders_alone(seed: int) -> None:
    grid = gappy(seed)
    rows = {(row["first"], row["second"]): row for row in part(of_grid(grid)).pairs.to_rows()}
    assert len(rows) == 6
    for a, b in combinations(range(4), 2):
        both = grid[(grid[:, [a, b]] >= 0).all(1)][:, [a, b]]
        table = ac.agreement(of_grid(both), ["percent", "kappa"])
        row = rows[f"coder {a + 1}", f"coder {b + 1}"]
        assert row["n_common"] == len(both)
        assert row["percent"] == pytest.approx(table["percent"].value, abs=EXACT)
        assert row["kappa"] == pytest.approx(table["kappa"].value, abs=EXACT)


def test_pairs_without_common_items_are_undefined() -> None:
    found = part(of_grid([[0, 1, -1], [1, 1, -1], [-1, 0, 0]])).pairs
    assert (found.n_without_overlap, found.n_without_kappa) == (1, 2)
    assert found.mean_of_coder(found.percent).tolist() == [0.5, 0.75, 1.0]


def test_a_pair_of_sets_is_measured_as_if_nobody_else_was_there() -> None:
    """Marchal et al. (2022), Table 2, with a third coder who annotated a few items."""
    case = ac.example("marchal2022_case")
    rows = list(case.to_rows())
    second = [row for row in rows if row["coder"] == case.coders[1]]
    third = [{**row, "coder": "z"} for row in second[::50]]
    found = part(ac.read([*rows, *third], categories=list(case.scheme.categories)))
    pairs = {(row["first"], row["second"]): row for row in found.pairs.to_rows()}
    row = pairs[tuple(case.coders)]
    assert row["n_common"] == 884
    shown = [f"{row[key]:.2f}" for key in ("observed", "expected", "boot_match")]
    assert shown == ["0.79", "0.34", "0.68"]
    assert f"{row['boot_precision']:.2f} {row['boot_recall']:.2f}" == "0.65 0.43"


def test_pairs_of_sets_without_a_value_say_why() -> None:
    rows = [["a", "b", None], ["a,b", "a,b", "b"], ["a", None, "b"]]
    first, *_ = part(ac.read(rows, separator=",")).pairs.to_rows()
    assert math.isnan(first["boot_match"])
    assert first["undefined"].reason == "sets_always_agree"


# ------------------------------------------------------------------ precision, recall, F1


@pytest.mark.parametrize("seed", range(3))
def test_of_two_coders_they_are_those_of_scikit_learn(seed: int) -> None:
    """scikit-learn has no gaps, so there are none; NaN is its zero_division here."""
    from sklearn import metrics

    grid = guessing(seed, 30, 6, 0.5, 2)
    found = part(of_grid(grid), gold="coder 2").scores
    expected = metrics.precision_recall_fscore_support(
        [NAMES[k] for k in grid[:, 1]],
        [NAMES[k] for k in grid[:, 0]],
        labels=list(found.categories),
        zero_division=np.nan,
    )
    for k, score in enumerate(found):
        own = (score.precision, score.recall, score.f1, score.tp + score.fn)
        assert own == pytest.approx([x[k] for x in expected], abs=EXACT, nan_ok=True)


@pytest.mark.parametrize("coders", [2, 5])
def test_f1_is_specific_agreement(coders: int) -> None:
    """It does not matter who is right: 2a / (2a + b + c) (Hoek & Scholman 2017, section 4)."""
    found = part(of_grid(gappy(1, coders=coders, k=3)))
    specific = {row["category"]: row["specific"] for row in found.categories.to_rows()}
    for category in found.scores.categories:
        whole = found.scores.of(None, category)
        assert whole.f1 == pytest.approx(specific[category])
        assert whole.fp == whole.fn


@pytest.mark.parametrize("of_sets", [False, True])
@pytest.mark.parametrize("gold", [None, "coder 2"])
@pytest.mark.parametrize("seed", range(3))
def test_scores_by_hand(seed: int, gold: str | None, of_sets: bool) -> None:
    grid = gappy(seed, 30, 3)
    names = ["a", "b", "a,b", "b,c"] if of_sets else NAMES
    data = of_grid(grid, names, separator="," if of_sets else None)
    expected: Counter[tuple[str, str, str]] = Counter()
    for row in grid:
        given = {f"coder {c + 1}": set(names[v].split(",")) for c, v in enumerate(row) if v >= 0}
        for (coder, own), (other, right) in permutations(given.items(), 2):
            if gold in (None, other):
                expected.update((coder, x, "tp") for x in own & right)
                expected.update((coder, x, "fp") for x in own - right)
                expected.update((coder, x, "fn") for x in right - own)
    found = part(data, gold=gold).scores
    assert (gold in found.coders, found.gold) == (False, gold)
    for score in found:
        for what in ("tp", "fp", "fn"):
            assert getattr(score, what) == expected[score.coder, score.category, what]


def test_scores_that_are_undefined_say_why() -> None:
    rows = [["a", "a", "b", "b"], ["a", "a", "a", "c"]]
    found = part(ac.read(rows, categories=list("abcd")), gold="coder 2").scores
    reasons = [found.of("coder 1", k).undefined for k in "abcd"]
    assert [why and why.reason for why in reasons] == [
        None,
        "never_right",
        "never_given",
        "not_given",
    ]
    with pytest.raises(ac.RequestError, match="no category 'zz'"):
        found.of("coder 1", "zz")
    with pytest.raises(ac.RequestError, match="'Ann' is no coder"):
        part(ac.read(rows), gold="Ann")


# ------------------------------------------------------------------ identical texts


@pytest.mark.parametrize("seed", range(4))
def test_consistency_by_hand(seed: int) -> None:
    grid, rng = gappy(seed, 25, 3), np.random.default_rng(seed)
    words = ["one two", "three", " one  two ", "four"]
    texts = [words[k] for k in rng.integers(4, size=25)]
    found = part(of_grid(grid, columns={"text": texts}))
    same = [" ".join(t.split()) for t in texts]
    n, wrong = Counter(), Counter()
    for c, text in product(range(3), set(same)):
        given = [grid[i, c] for i in range(25) if same[i] == text and grid[i, c] >= 0]
        n[c] += len(given) > 1
        wrong[c] += len(set(given)) > 1
    for c, row in enumerate(found.consistency.to_rows()):
        assert (row["n_texts"], row["n_contradicted"]) == (n[c], wrong[c])
        ends = stats.binomtest(wrong[c], n[c]).proportion_ci(0.95)
        assert (row["low"], row["high"]) == pytest.approx((ends.low, ends.high))
        rest = n.total() - n[c], wrong.total() - wrong[c]
        cells = [[wrong[c], n[c] - wrong[c]], [rest[1], rest[0] - rest[1]]]
        p = stats.fisher_exact(cells, alternative="greater").pvalue
        assert row["p_value"] == pytest.approx(p)
    told = next(f for f in found.patterns if f.code == "contradictions")
    assert (told.facts["n"], told.facts["of"]) == (wrong.total(), n.total())
    assert {same[i] for i in told.seen.items} <= {t for t in same if same.count(t) > 1}


def test_consistency_needs_texts() -> None:
    assert part(of_grid(gappy(1))).consistency is None


# ------------------------------------------------------------------ groups of items


def test_groups_of_items_by_hand() -> None:
    grid, rng = gappy(1, 120), np.random.default_rng(1)
    genre = np.array(list("wxyz"))[rng.integers(4, size=120)]
    found = part(of_grid(grid, columns={"genre": genre.tolist()})).groups
    pairs = [
        [
            grid[i, a] == grid[i, b]
            for a, b in combinations(range(4), 2)
            if min(grid[i, [a, b]]) >= 0
        ]
        for i in range(120)
    ]
    known = np.array([len(p) > 0 for p in pairs])
    agreed = np.array([np.mean(p) if p else np.nan for p in pairs])
    assert {g.value for g in found} == set(genre[(grid >= 0).any(1)])
    for g in found:
        own, rest = known & (genre == g.value), known & (genre != g.value)
        assert g.n_items == own.sum()
        assert g.agreement == pytest.approx(agreed[own].mean())
        assert g.elsewhere == pytest.approx(agreed[rest].mean())
        alone = ac.agreement(of_grid(grid[own]), "alpha")["alpha"].value
        assert g.alpha == pytest.approx(alone)
    assert sum(g.share for g in found) == pytest.approx(1)


def test_which_columns_form_groups() -> None:
    n = 100
    columns = {
        "genre": ["ab"[i % 2] for i in range(n)],
        "year": list(range(1900, 1900 + n)),
        "same": ["x"] * n,
        "name": [f"title {i}" for i in range(n)],
        "rare": ["a" if i < 3 else "b" for i in range(n)],
    }
    found = part(of_grid(guessing(2, n), columns=columns)).groups
    assert {g.column: g.n_items for g in found} == {"genre": 50, "year": 25}
    assert next(g.value for g in found if g.column == "year") == "1,900 to below 1,925"
