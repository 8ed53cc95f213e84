"""Soft labels: by hand, against SciPy, round trips through every format."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import accordant as ac
from accordant.errors import InputError, RequestError
from accordant.models.soft.distributions import (
    concentrated,
    dispersion,
    entropy,
    expected_entropy,
    miller_madow,
)
from accordant.models.soft.soft_labels import KINDS

VOTES = [["a", "b", "a", "a"], ["a", "b", "b", "a"], ["a", "b", "a", "b"]]
COUNTS = np.array([[3, 0], [0, 3], [2, 1], [2, 1]])


def rows(votes, order=None, rename=str):
    """(item, coder, label) of a table, in some order, under other names of labels."""
    found = [
        (f"i{i}", f"c{c}", rename(x)) for c, row in enumerate(votes) for i, x in enumerate(row)
    ]
    return [found[k] for k in (order if order is not None else range(len(found)))]


# ---------------------------------------------------------------------- by hand


@pytest.mark.parametrize("name, add", [("none", 0.0), ("cells", 0.5), ("jeffreys", 0.5)])
def test_shares_by_hand(name, add):
    soft = ac.soft_labels(VOTES, smoothing=name)
    expected = (COUNTS + add) / (COUNTS + add).sum(1, keepdims=True)
    assert np.allclose(soft.probabilities, expected)
    assert soft.kind == "opinion"
    assert soft.labels == ["a", "b", "a", "a"]


def test_cells_add_one_annotation_whatever_the_number_of_categories():
    soft = ac.soft_labels([["a", "b"], ["a", "c"]], smoothing="cells")
    assert np.allclose(soft.probabilities[0], [(2 + 1 / 3) / 3, 1 / 9, 1 / 9])
    assert soft.smoothing.concentration == pytest.approx(1)
    assert (
        ac.soft_labels([["a", "b"], ["a", "c"]], smoothing="jeffreys").smoothing.concentration
        == 1.5
    )


def test_entropy_and_disagreement_by_hand():
    soft = ac.soft_labels(VOTES, smoothing="none", entropy="miller-madow")
    third = stats.entropy([2, 1], base=2)
    assert np.allclose(soft.entropy, [0, 0, third, third])
    assert np.allclose(soft.entropy_estimate, [0, 0, min(1, third + 1 / (6 * math.log(2))), 1])
    assert np.allclose(soft.disagreement, [0, 0, 2 / 3, 2 / 3])


def test_a_tie_is_no_label():
    soft = ac.soft_labels([["a", "a"], ["b", "a"]])
    assert soft.labels == [None, "a"]  # even though smoothing prefers the frequent a
    assert soft.probabilities[0, 0] > 0.5


def test_interval_of_the_largest_share():
    soft = ac.soft_labels(VOTES, smoothing="none")
    low, high = soft.top_interval()
    assert (low[0], high[0]) == (pytest.approx(stats.beta.ppf(0.025, 3.5, 0.5)), 1.0)
    assert high[2] == pytest.approx(stats.beta.ppf(0.975, 2.5, 1.5))
    smooth = ac.soft_labels(VOTES)
    a, b = smooth.smoothing.pseudo
    assert smooth.top_interval()[0][2] == pytest.approx(stats.beta.ppf(0.025, 2 + a, 1 + b))


def test_sets_of_labels_have_a_share_for_each_label():
    data = ac.read(
        {"item": [1, 1, 2, 2], "coder": ["x", "y", "x", "y"], "label": ["p;q", "p", "q", ""]},
        separator=";",
        blank="empty",
    )
    soft = ac.soft_labels(data, smoothing="none")
    assert soft.several
    assert soft.categories == ("p", "q")
    assert soft.probabilities.tolist() == [[1.0, 0.5], [0.0, 0.5]]
    assert soft.label_entropy.tolist() == [[0.0, 1.0], [0.0, 1.0]]
    assert soft.labels == [("p",), ()]
    believed = ac.soft_labels(data, of="belief", gold={1: ("p", "q")})
    assert believed.probabilities.shape == (2, 2)


def test_numbers_on_a_scale():
    data = ac.read([[1, 2, 5], [1, 3, 5], [2, 3, 1]], layout="transposed", scale="interval")
    row = ac.soft_labels(data, smoothing="none").to_rows()[0]
    assert (row["mean"], row["median"]) == (pytest.approx(4 / 3), 1)
    assert row["sd"] == pytest.approx(np.std([1, 1, 2]))
    ordinal = ac.soft_labels(data.of_scale("ordinal"), smoothing="none").to_rows()
    assert ordinal[2]["median_low"] == ordinal[2]["median_high"] == 5
    # 5, 5, 1 of 1 2 3 5: F = 1/3 1/3 1/3, so D = 2 * 3 * (1/3) / 3
    assert ordinal[2]["dispersion"] == pytest.approx(2 / 3)


def test_weights_of_coders():
    soft = ac.soft_labels(
        VOTES, smoothing="none", weights={"coder 1": 2, "coder 2": 1, "coder 3": 1}
    )
    assert np.allclose(soft.probabilities[2], [3 / 4, 1 / 4])
    assert soft.n[2] == pytest.approx(16 / 6)  # Kish: (2 + 1 + 1)² / (4 + 1 + 1)
    equal = ac.soft_labels(VOTES, weights=dict.fromkeys(["coder 1", "coder 2", "coder 3"], 7.0))
    assert np.allclose(equal.probabilities, ac.soft_labels(VOTES).probabilities)
    crowd = ac.simulate_crowd(200, {"good": 5, "spammer": 3}, 2, per_item=8, seed=1)
    better = ac.soft_labels(crowd.data, smoothing="none", weights="competence")
    plain = ac.soft_labels(crowd.data, smoothing="none")
    truth = crowd.truth
    i = np.arange(200)
    assert better.probabilities[i, truth].mean() > plain.probabilities[i, truth].mean()


# ---------------------------------------------------------------------- against others


def test_entropies_against_scipy():
    rng = np.random.default_rng(0)
    p = rng.dirichlet(np.ones(4), 20)
    assert np.allclose(entropy(p), stats.entropy(p, base=2, axis=1))
    alpha = np.array([0.7, 2.0, 0.3])
    drawn = stats.entropy(rng.dirichlet(alpha, 200_000), base=2, axis=1)
    assert expected_entropy(alpha) == pytest.approx(drawn.mean(), abs=4 * drawn.std() / 447)


def test_miller_madow_is_nearer_the_truth():
    rng = np.random.default_rng(1)
    p = np.array([0.5, 0.3, 0.2])
    counts = rng.multinomial(8, p, 20_000).astype(float)
    true = stats.entropy(p, base=2)
    plain = entropy(counts / 8).mean()
    assert abs(miller_madow(counts).mean() - true) < abs(plain - true) / 2


def test_concentration_against_scipy_and_planted():
    rng = np.random.default_rng(2)
    alpha = np.array([1.2, 0.6, 0.3])
    n = rng.integers(2, 7, 4_000)
    counts = np.array(
        [rng.multinomial(m, p) for m, p in zip(n, rng.dirichlet(alpha, 4_000))], float
    )
    found = concentrated(counts)
    assert np.allclose(found, alpha, rtol=0.12)

    def objective(a):
        total = a.sum()
        return (
            stats.dirichlet_multinomial.logpmf(counts.astype(int), a, n).sum()
            + math.log(total)
            - 2 * math.log1p(total)
        )

    for k in range(3):
        for step in (0.99, 1.01):
            moved = found.copy()
            moved[k] *= step
            assert objective(moved) < objective(found)


def test_concentration_of_few_items_stays_finite():
    """A grid over both parameters, with the flat prior on the correlation of two annotations."""
    counts = np.array([[2.0, 2.0]] * 4 + [[3.0, 1.0]])
    grid = np.exp(np.linspace(-4, 6, 401))
    a, b = np.meshgrid(grid, grid, indexing="ij")
    value = np.log(a + b) - 2 * np.log1p(a + b)
    for x, y in counts:
        value += stats.betabinom.logpmf(x, x + y, a, b)
    at = np.unravel_index(value.argmax(), value.shape)
    assert np.allclose(concentrated(counts), [grid[at[0]], grid[at[1]]], rtol=0.03)


def test_hierarchical_shrinks_items_with_few_annotations_more():
    crowd = ac.simulate_crowd(400, 12, 2, per_item=(1, 9), ambiguous=0.3, seed=3)
    soft = ac.soft_labels(crowd.data)
    whole = soft.counts.max(1) == soft.n
    tops = [soft.top[whole & (soft.n == n) & (soft.counts[:, 0] > 0)] for n in (2, 5, 8)]
    assert tops[0].max() < tops[1].max() < tops[2].max() < 1
    # a held-out annotation is foretold better than by raw or Laplace-like shares
    drop = [(i, c, x) for i, c, x in _triples(crowd.data)]
    last = {i: (c, x) for i, c, x in drop}
    rest = [t for t in drop if last[t[0]] != (t[1], t[2])]
    score = {}
    for name in ("hierarchical", "jeffreys", "none"):
        fitted = ac.soft_labels(rest, smoothing=name)
        place = {c: k for k, c in enumerate(fitted.categories)}
        p = [fitted.probabilities[k, place[last[i][1]]] for k, i in enumerate(fitted.names)]
        score[name] = -np.log(np.maximum(p, 1e-9)).mean()
    assert score["hierarchical"] < score["jeffreys"] < score["none"]


def _triples(data):
    return [(r["item"], r["coder"], r["label"]) for r in data.to_rows()]


# ---------------------------------------------------------------------- laws


@given(st.lists(st.lists(st.sampled_from("abc"), min_size=3, max_size=3), min_size=2, max_size=8))
def test_distributions_whatever_the_votes(items):
    votes = list(map(list, zip(*items)))
    for name in ("none", "cells", "jeffreys", "hierarchical"):
        soft = ac.soft_labels(votes, smoothing=name)
        p = soft.probabilities
        assert np.allclose(p.sum(1), 1)
        assert (p >= 0).all()
        k = len(soft.categories)
        assert (soft.entropy <= math.log2(max(k, 1)) + 1e-9).all()
        assert (soft.entropy_estimate >= -1e-9).all()
        # a category that was given more often is never less probable, among equals a priori
        if name != "hierarchical":
            assert (p.argmax(1) == soft.counts.argmax(1)).all()


def test_neither_rows_nor_names_matter():
    crowd = ac.simulate_crowd(60, 6, 3, per_item=4, ambiguous=0.3, seed=5)
    triples = _triples(crowd.data)
    names = {"A": "z", "B": "y", "C": "x"}
    shuffled = [triples[k] for k in np.random.default_rng(0).permutation(len(triples))]
    one = ac.soft_labels(triples)
    other = ac.soft_labels([(f"{i}", f"coder{c}", names[x]) for i, c, x in shuffled])
    at = {str(x): k for k, x in enumerate(other.names)}
    same = other.probabilities[[at[str(x)] for x in one.names]]
    order = [other.categories.index(names[c]) for c in one.categories]
    assert np.allclose(one.probabilities, same[:, order], atol=1e-6)


@given(st.lists(st.floats(0.01, 1), min_size=2, max_size=6))
def test_leik_lies_between_0_and_1(weights):
    p = np.array([weights]) / sum(weights)
    assert 0 <= dispersion(p)[0] <= 1
    assert dispersion(p[:, ::-1])[0] == pytest.approx(dispersion(p)[0])


# ---------------------------------------------------------------------- kinds


def test_belief_and_opinion_are_two_things():
    crowd = ac.simulate_crowd(100, 8, 2, per_item=8, seed=1)
    found = ac.fit(crowd.data)
    belief = ac.soft_labels(found)
    opinion = ac.soft_labels(found, of="opinion")
    assert (belief.kind, opinion.kind) == ("belief", "opinion")
    assert {row["kind"] for row in belief.to_rows()} == {"belief"}
    assert "recalibrated" in belief.made
    raw = ac.soft_labels(found, recalibrated=False)
    assert np.allclose(raw.probabilities, found.not_recalibrated.probabilities)
    assert raw.top.mean() >= belief.top.mean()
    assert np.allclose(opinion.probabilities, ac.soft_labels(crowd.data).probabilities)
    assert belief.entropy_estimate is None
    for soft in (belief, opinion):
        assert KINDS[soft.kind] in " ".join(str(soft).split())


def test_several_questions():
    data = {"item": [1, 1, 2, 2], "coder": list("xyxy"), "p": list("aabb"), "q": list("cddd")}
    both = ac.soft_labels(ac.read(data, label=["p", "q"]), smoothing="none")
    assert [one.question for one in both] == ["p", "q"]
    assert both["q"].probabilities.tolist() == [[0.5, 0.5], [0.0, 1.0]]
    assert {row["question"] for row in both.to_rows()} == {"p", "q"}


def test_who_holds_the_gold_labels_of_a_question_has_no_vote_on_it():
    rows = {"item": [1, 1, 1, 2, 2, 2], "coder": list("xyzxyz"), "p": list("aababb")}
    both = ac.read(rows | {"q": list("ccdddd")}, label=["p", "q"])
    soft = ac.soft_labels(both, gold={"p": {1: "a"}}, smoothing="none")
    assert [one.n.tolist() for one in soft] == [[3, 3], [3, 3]]
    held = ac.soft_labels(both, gold="z", smoothing="none")
    assert [one.n.tolist() for one in held] == [[2, 2], [2, 2]]


def test_one_annotation_each_says_that_nothing_is_known():
    soft = ac.soft_labels([("i1", "x", "a"), ("i2", "y", "b")])
    assert soft.findings[0].code == "one_annotation_each"
    assert soft.smoothing.name == "none"
    assert np.isnan(soft.disagreement).all()


def test_one_category():
    soft = ac.soft_labels([["a", "a"], ["a", "a"]])
    assert soft.probabilities.tolist() == [[1.0], [1.0]]
    assert soft.entropy.tolist() == [0.0, 0.0]


@pytest.mark.parametrize(
    "options, says",
    [
        ({"of": "truth"}, "no kind of soft labels"),
        ({"smoothing": "laplace"}, "no smoothing"),
        ({"entropy": "chao"}, "no estimator"),
        ({"of": "belief", "smoothing": "none"}, "for opinions"),
        ({"of": "belief", "model": "majority"}, "no probabilities of a true label"),
        ({"weights": {"1": 1}}, "no weight"),
        ({"weights": {"coder 1": -1, "coder 2": 1, "coder 3": 1}}, "from 0 up"),
        ({"weights": "vote"}, "competence"),
    ],
)
def test_requests_that_make_no_sense(options, says):
    with pytest.raises(RequestError, match=says):
        ac.soft_labels(VOTES, **options)


def test_what_was_fitted_takes_no_options_of_data():
    with pytest.raises(RequestError, match="has been read"):
        ac.soft_labels(ac.fit(VOTES), categories=["a", "b"])


# ---------------------------------------------------------------------- files


@pytest.mark.parametrize("suffix", ["csv", "tsv", "xlsx", "parquet", "jsonl"])
@pytest.mark.parametrize("of", ["opinion", "belief"])
def test_round_trip(tmp_path, suffix, of):
    crowd = ac.simulate_crowd(30, 6, 3, per_item=4, seed=1)
    soft = ac.soft_labels(crowd.data, of=of)
    path = tmp_path / f"soft.{suffix}"
    soft.save(path)
    again = ac.read_soft(path)
    assert again.kind == of
    assert again.categories == soft.categories
    assert list(map(str, again.names)) == list(map(str, soft.names))
    assert np.allclose(again.probabilities, soft.probabilities, atol=1e-15)
    assert again.n.tolist() == soft.n.tolist()
    if of == "opinion":
        assert ac.score_predictions(again, soft)["total_variation"].value < 1e-12


def test_json_lines_are_what_training_code_takes(tmp_path):
    ac.soft_labels(VOTES, smoothing="none").save(tmp_path / "soft.jsonl")
    first = json.loads((tmp_path / "soft.jsonl").read_text().splitlines()[2])
    assert first == {"item": 3, "kind": "opinion", "n": 3.0, "soft": {"a": 2 / 3, "b": 1 / 3}}


def test_sets_round_trip(tmp_path):
    data = ac.read(
        {"item": [1, 1, 2, 2], "coder": ["x", "y", "x", "y"], "label": ["p;q", "p", "q", ""]},
        separator=";",
        blank="empty",
    )
    soft = ac.soft_labels(data)
    for suffix in ("csv", "jsonl"):
        soft.save(tmp_path / f"soft.{suffix}")
        again = ac.read_soft(tmp_path / f"soft.{suffix}")
        assert again.several
        assert np.allclose(again.probabilities, soft.probabilities)


def test_files_that_are_no_soft_labels(tmp_path):
    with pytest.raises(RequestError, match="format"):
        ac.soft_labels(VOTES).save(tmp_path / "soft.doc")
    with pytest.raises(InputError, match="no such file"):
        ac.read_soft(tmp_path / "none.csv")
    (tmp_path / "a.csv").write_text("item,p_a,p_b\n1,0.5,0.5\n")
    with pytest.raises(InputError, match="kind"):
        ac.read_soft(tmp_path / "a.csv")
    (tmp_path / "b.csv").write_text("item,label\n1,a\n")
    with pytest.raises(InputError, match="p_<category>"):
        ac.read_soft(tmp_path / "b.csv")
    (tmp_path / "c.jsonl").write_text('{"item": 1}\n')
    with pytest.raises(InputError, match="row 1"):
        ac.read_soft(tmp_path / "c.jsonl")
    (tmp_path / "d.jsonl").write_text("{")
    with pytest.raises(InputError, match="not JSON"):
        ac.read_soft(tmp_path / "d.jsonl")


def test_real_opinions(real_data):
    soft = ac.soft_labels(str(real_data("crowd/face_sentiment.csv")), duplicates="first")
    assert soft.smoothing.concentration == pytest.approx(1.1, abs=0.2)  # items differ a lot
    assert len(soft) == 584


def test_a_model_that_does_not_exist_is_refused_for_opinions_too() -> None:
    with pytest.raises(ac.RequestError, match="no model 'nope'"):
        ac.soft_labels([["a", "b"], ["a", "a"]], model="nope")
