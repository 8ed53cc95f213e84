"""Soft labels: by hand, against SciPy, round trips; the entropy that errors alone would give."""

from __future__ import annotations

import json
import math
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import accordant as ac
from models.readings import crowd

VOTES = [["a", "b", "a", "a"], ["a", "b", "b", "a"], ["a", "b", "a", "b"]]
SETS = {
    "item": [1, 1, 2, 2],
    "coder": ["x", "y", "x", "y"],
    "label": ["p;q", "p", "q", ""],
}


def read_sets() -> Any:
    return ac.read(SETS, separator=";", blank="empty")


# ------------------------------------------------------------------ by hand


def test_shares_and_entropy_by_hand() -> None:
    soft = ac.soft_labels(VOTES, smoothing="none")
    assert soft.kind == "opinion"
    assert soft.probabilities == pytest.approx(np.array([[3, 0], [0, 3], [2, 1], [2, 1]]) / 3)
    assert soft.labels == ["a", "b", "a", "a"]
    third = stats.entropy([2, 1], base=2)
    assert soft.entropy == pytest.approx([0, 0, third, third])
    assert np.isnan(soft.entropy_by_errors).all()


def test_a_tie_is_no_label() -> None:
    soft = ac.soft_labels([["a", "a"], ["b", "a"]])
    assert soft.labels == [None, "a"]  # even though smoothing prefers the frequent a
    assert soft.probabilities[0, 0] > 0.5


def test_sets_of_labels_have_a_share_for_each_label() -> None:
    soft = ac.soft_labels(read_sets(), smoothing="none")
    assert soft.categories == ("p", "q")
    assert soft.probabilities.tolist() == [[1.0, 0.5], [0.0, 0.5]]
    assert soft.entropy.tolist() == [0.5, 0.5]
    assert soft.labels == [("p",), ()]
    believed = ac.soft_labels(read_sets(), of="belief", gold={1: ("p", "q")})
    assert believed.probabilities.shape == (2, 2)


def test_one_annotation_each_and_one_category() -> None:
    soft = ac.soft_labels([("i1", "x", "a"), ("i2", "y", "b")])
    assert [f.code for f in soft.findings] == ["few_annotations"]
    assert soft.probabilities.tolist() == [[1, 0], [0, 1]]
    same = ac.soft_labels([["a", "a"], ["a", "a"]])
    assert same.probabilities.tolist() == [[1.0], [1.0]]
    assert same.entropy.tolist() == [0.0, 0.0]


# ------------------------------------------------------------------ smoothing


def test_smoothing_adds_the_mode_of_the_dirichlet_multinomial_law() -> None:
    """A grid over both parameters, with the flat prior on the correlation of two annotations."""
    ones, n = [2, 2, 2, 2, 3], 4
    rows = [(f"i{i}", f"c{c}", "ab"[c >= x]) for i, x in enumerate(ones) for c in range(n)]
    p = ac.soft_labels(rows).probabilities[:, 0]
    # (x + a) / (n + a + b) at two items
    total = 1 / (p[4] - p[0]) - n
    found = p[0] * (n + total) - 2
    grid = np.exp(np.linspace(-4, 6, 401))
    a, b = np.meshgrid(grid, grid, indexing="ij")
    value = np.log(a + b) - 2 * np.log1p(a + b)
    for x in ones:
        value += stats.betabinom.logpmf(x, n, a, b)
    best = np.unravel_index(value.argmax(), value.shape)
    assert [found, total - found] == pytest.approx([grid[best[0]], grid[best[1]]], rel=0.03)


def test_the_law_that_was_planted_is_found() -> None:
    rng = np.random.default_rng(2)
    alpha = np.array([1.2, 0.6, 0.3])
    p = rng.dirichlet(alpha, 3000)
    labels = [[int(rng.choice(3, p=q)) for q in p] for _ in range(5)]
    soft = ac.soft_labels(labels)
    plain = ac.soft_labels(labels, smoothing="none").probabilities
    expected = (5 * plain + alpha) / (5 + alpha.sum())
    assert np.abs(soft.probabilities - expected).max() < 0.02
    assert np.abs(soft.probabilities - p).mean() < np.abs(plain - p).mean()


def test_a_held_out_annotation_is_foretold_better_than_by_raw_shares() -> None:
    every = crowd(400, 9, 2, ambiguous=0.3, least=2, seed=3)
    last = {i: (c, x) for i, c, x in every}
    rest = [t for t in every if last[t[0]] != (t[1], t[2])]
    score = {}
    for name in ("hierarchical", "none"):
        soft = ac.soft_labels(rest, smoothing=name)
        place = {c: k for k, c in enumerate(soft.categories)}
        p = [soft.probabilities[k, place[last[i][1]]] for k, i in enumerate(soft.names)]
        score[name] = -np.log(np.maximum(p, 1e-9)).mean()
    assert score["hierarchical"] < score["none"]


@given(st.lists(st.lists(st.sampled_from("abc"), min_size=3, max_size=3), min_size=2, max_size=8))
def test_distributions_whatever_the_votes(items: list[list[str]]) -> None:
    for name in ("none", "hierarchical"):
        soft = ac.soft_labels(list(map(list, zip(*items, strict=True))), smoothing=name)
        assert np.allclose(soft.probabilities.sum(1), 1)
        assert (soft.probabilities >= 0).all()
        assert (soft.entropy <= math.log2(len(soft.categories)) + 1e-9).all()


def test_neither_rows_nor_names_matter() -> None:
    rows = crowd(60, 6, 3, ambiguous=0.3, least=3, seed=5)
    names = {"A": "z", "B": "y", "C": "x"}
    shuffled = [rows[k] for k in np.random.default_rng(0).permutation(len(rows))]
    one = ac.soft_labels(rows)
    other = ac.soft_labels([(f"{i}", f"coder{c}", names[x]) for i, c, x in shuffled])
    at = {str(x): k for k, x in enumerate(other.names)}
    same = other.probabilities[[at[str(x)] for x in one.names]]
    order = [other.categories.index(names[c]) for c in one.categories]
    assert np.allclose(one.probabilities, same[:, order], atol=1e-6)


# ------------------------------------------------------------------ errors or several readings


def test_the_entropy_by_errors_against_all_outcomes() -> None:
    """Every way in which eight coders of three categories may answer, weighted by its chance."""
    found = ac.fit(crowd(40, 8, 3, seed=4), "dawid_skene")
    soft = ac.soft_labels(found, of="opinion", smoothing="none")
    outcomes = np.array(list(product(range(3), repeat=8)))
    shares = np.stack([(outcomes == k).mean(1) for k in range(3)], 1)
    bits = stats.entropy(shares, base=2, axis=1)
    each = found.confusion  # (coders, truth, answer)
    chance = np.stack([np.prod(each[np.arange(8), t, outcomes], axis=1) for t in range(3)])
    expected = found.probabilities @ (chance @ bits)
    assert soft.entropy_by_errors == pytest.approx(expected, abs=1e-9)


def test_it_is_what_is_seen_where_all_items_are_clear() -> None:
    for k, seed in ((2, 1), (3, 2), (5, 3)):
        found = ac.fit(crowd(300, 15, k, seed=seed), "pooled")
        for smoothing in ("none", "hierarchical"):
            soft = ac.soft_labels(found, of="opinion", smoothing=smoothing)
            apart = soft.entropy - soft.entropy_by_errors
            assert abs(apart.mean()) < 0.02


def test_ambiguous_items_lie_above_it() -> None:
    soft = ac.soft_labels(ac.fit(crowd(300, 15, 5, ambiguous=0.2, seed=1)), of="opinion")
    apart, ambiguous = soft.entropy - soft.entropy_by_errors, np.array(soft.names) <= 60
    assert apart[ambiguous].mean() > 0.1  # of one in five the other category is the same
    assert apart[~ambiguous].mean() < 0


def test_it_is_told_from_eight_annotations_on() -> None:
    rows = crowd(100, 12, 3, least=5, seed=1)
    soft = ac.soft_labels(ac.fit(rows), of="opinion")
    assert (np.isnan(soft.entropy_by_errors) == (soft.n < 8)).all()
    assert "entropy_by_errors" in soft.to_rows()[0]
    assert "entropy_by_errors" not in ac.soft_labels(rows).to_rows()[0]
    votes = ac.soft_labels(ac.fit(rows, "majority"), of="opinion")
    assert np.isnan(votes.entropy_by_errors).all()


# ------------------------------------------------------------------ kinds, questions, requests


def test_belief_and_opinion_are_two_things() -> None:
    data = ac.simulate(100, 8, 2, seed=1)
    found = ac.fit(data)
    belief, opinion = ac.soft_labels(found), ac.soft_labels(found, of="opinion")
    assert (belief.kind, opinion.kind) == ("belief", "opinion")
    assert belief.probabilities == pytest.approx(found.probabilities)
    assert opinion.probabilities == pytest.approx(ac.soft_labels(data).probabilities)


def test_several_questions() -> None:
    data = {"item": [1, 1, 2, 2], "coder": list("xyxy"), "p": list("aabb"), "q": list("cddd")}
    both = ac.soft_labels(ac.read(data, label=["p", "q"]), smoothing="none")
    assert [one.question for one in both] == ["p", "q"]
    assert both["q"].probabilities.tolist() == [[0.5, 0.5], [0.0, 1.0]]
    with pytest.raises(ac.RequestError, match="one question"):
        ac.score_predictions({"item": [1], "label": ["a"]}, both)


@pytest.mark.parametrize(
    "options",
    [
        {"of": "truth"},
        {"smoothing": "laplace"},
        {"of": "belief", "smoothing": "none"},
        {"of": "belief", "model": "majority"},
    ],
)
def test_requests_that_make_no_sense(options: dict[str, Any]) -> None:
    with pytest.raises(ac.RequestError):
        ac.soft_labels(VOTES, **options)
    with pytest.raises(ac.RequestError, match="has been read"):
        ac.soft_labels(ac.fit(VOTES), categories=["a", "b"])


# ------------------------------------------------------------------ files


@pytest.mark.parametrize("suffix", ["csv", "tsv", "parquet", "jsonl"])
def test_what_was_written_is_scored_as_itself(tmp_path: Path, suffix: str) -> None:
    data = ac.simulate(30, 6, 3, per_item=4, seed=1)
    for soft in (ac.soft_labels(data), ac.soft_labels(read_sets())):
        soft.save(tmp_path / f"soft.{suffix}")
        score = ac.score_predictions(tmp_path / f"soft.{suffix}", soft)
        assert score["js"].value == pytest.approx(0, abs=1e-12)
        assert score["js"].n_items == len(soft)


def test_json_lines_are_what_training_code_takes(tmp_path: Path) -> None:
    soft = ac.soft_labels(VOTES, smoothing="none")
    soft.save(tmp_path / "soft.jsonl")
    first = json.loads((tmp_path / "soft.jsonl").read_text().splitlines()[2])
    assert first == {"item": 3, "kind": "opinion", "n": 3.0, "soft": {"a": 2 / 3, "b": 1 / 3}}
    with pytest.raises(ac.RequestError, match="format"):
        soft.save(tmp_path / "soft.doc")


def test_real_opinions(real_data: Any) -> None:
    soft = ac.soft_labels(str(real_data("crowd/face_sentiment.csv")), duplicates="first")
    assert len(soft) == 584
    plain = ac.soft_labels(str(real_data("crowd/face_sentiment.csv")), duplicates="first",
                           smoothing="none")  # fmt: skip
    assert soft.entropy.mean() > plain.entropy.mean()
