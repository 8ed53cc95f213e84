"""Agreement on each item, and the hardest ones."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest

from accordant.counts.count import count
from accordant.data.annotations import Annotations, Columns
from accordant.diagnosis.items import Items, NamedItem, items
from accordant.errors import RequestError
from accordant.measure.distances import weights_for
from diagnosis.made import FLEISS_1971, at_random, from_counts, of_grid

PRINTED_3 = 6e-4
EXACT = 1e-12

WIKIPEDIA = [
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
]


def of(data: Annotations, weights: str = "identity") -> Items:
    counts = count(data)
    return items(data, counts, weights_for(weights, counts))


@pytest.mark.parametrize(
    "data, expected",
    [
        # Fleiss (1971), table 1, column P_i; DKPro Statistics
        (
            FLEISS_1971,
            [
                1,
                0.4,
                0.4,
                1,
                0.4,
                0.467,
                0.467,
                0.267,
                0.467,
                1,
                0.667,
                0.4,
                0.4,
                0.667,
                0.267,
                0.667,
                0.267,
                0.667,
                0.467,
                0.267,
                1,
                0.667,
                0.267,
                0.467,
                0.4,
                0.667,
                0.467,
                0.467,
                0.667,
                1,
            ],
        ),
        # the worked table of the encyclopedia article on Fleiss' kappa, column P_i
        (from_counts(WIKIPEDIA), [1, 0.253, 0.308, 0.44, 0.33, 0.462, 0.242, 0.176, 0.286, 0.286]),
    ],
)
def test_published_agreement_on_items(data, expected) -> None:
    assert of(data).agreement.tolist() == pytest.approx(expected, abs=PRINTED_3)


@pytest.mark.parametrize("weights", ["identity", "linear-by-rank"])
@pytest.mark.parametrize("seed", range(3))
def test_each_item_by_hand(seed: int, weights: str) -> None:
    data = at_random(seed, missing=0.5)
    w = weights_for(weights, count(data)).matrix
    found = of(data, weights)
    for i, row in enumerate(data.grid):
        labels = row[row >= 0]
        pairs = [w[x, y] for x, y in permutations(labels, 2)]
        agreement = np.mean(pairs) if pairs else np.nan
        p = np.bincount(labels) / max(1, len(labels))
        bits = -(p[p > 0] * np.log2(p[p > 0])).sum() if len(labels) else np.nan
        assert found.agreement[i] == pytest.approx(agreement, abs=EXACT, nan_ok=True)
        assert found.entropy[i] == pytest.approx(bits, abs=EXACT, nan_ok=True)
        assert found.n_annotations[i] == len(labels)


def test_hardest_first() -> None:
    grid = np.array([[0, 0, 0], [0, 1, 2], [0, 0, 1], [0, 1, -1], [-1, 1, -1], [0, 1, 2]])
    found = of(replace(of_grid(grid, "abc"), texts=tuple("uvwxyz")))
    assert [h.item for h in found.named(found.hardest())] == ["i1", "i5", "i3", "i2"]
    assert found.hardest(most=2).tolist() == [1, 5]
    assert [h.position for h in found.named(found.hardest(2))] == [1, 5]
    first = found.named(found.hardest(1))[0]
    assert first.labels == (("coder 1", "a"), ("coder 2", "b"), ("coder 3", "c"))
    assert (first.text, first.agreement, first.entropy) == ("v", 0.0, pytest.approx(np.log2(3)))
    assert found.n_disputed == 4
    assert found.levels == [(0.0, 3), (pytest.approx(1 / 3), 1), (1.0, 1)]


def test_items_of_several_questions_are_found_again() -> None:
    """Pooled, place i Q + q is item i of question q."""
    one = of_grid(np.array([[0, 0], [0, 1]]), "ab")
    rows = Columns(
        np.array([0, 0, 0, 0, 1, 1, 1, 1]),
        np.array([0, 0, 1, 1, 0, 0, 1, 1]),
        np.array([0, 1] * 4),
        np.array([0, 0, 0, 1, 1, 1, 0, 0]),
        np.zeros(8, int),
    )
    data = replace(one, questions=("q1", "q2"), schemes=one.schemes * 2, layout=rows)
    both = of(data)
    hard = both.named(both.hardest())
    assert [(h.item, h.question) for h in hard] == [("i0", "q2")]
    second = of(data.of_question("q2"))
    assert second.named(second.hardest())[0].item == "i0"


def test_unknown_coders_get_numbers() -> None:
    found = of(from_counts([[2, 1]]))
    assert found.named(found.hardest())[0].labels == (("1", 1), ("2", 1), ("3", 2))


def test_counts_of_other_data_are_refused() -> None:
    data = at_random(1)
    counts = count(at_random(1, items=7))
    with pytest.raises(RequestError, match="not those of the data"):
        items(data, counts, weights_for("identity", counts))


def test_a_million_items_without_a_loop() -> None:
    grid = np.random.default_rng(1).integers(-1, 4, size=(1_000_000, 3))
    found = of(of_grid(grid, "abcd"))
    assert all(len(set(grid[h])) == 3 and (grid[h] >= 0).all() for h in found.hardest(5))
    assert np.nanmin(found.agreement) == 0


def test_items_on_which_all_differ() -> None:
    grid = np.array([[0, 1, -1], [0, 1, 2], [0, 0, 1], [2, 0, 1], [0, 0, 0], [-1, -1, 1]])
    found = of(of_grid(grid, "abc"))
    assert sorted(found.all_differ().tolist()) == [1, 3]
    assert len(found.all_differ(most=1)) == 1
    assert found.n_all_differ == 2
    assert of(from_counts([[1, 1, 1], [2, 1, 0], [1, 1, 0]])).n_all_differ == 1


def test_a_crowd_is_told_in_a_few_words() -> None:
    def said(values: str, most: int = 8) -> str:
        each = tuple((f"w{i}", v) for i, v in enumerate(values))
        return NamedItem(0, 1, None, None, 0.5, 1.0, each).said(most)

    assert said("ab") == "w0: a; w1: b"
    assert said("a" * 24 + "b") == "24 gave a; w24 gave b"
    assert said("bb" + "a" * 9) == "9 gave a; w0 and w1 gave b"
    assert said("b" * 3 + "a" * 9) == "9 gave a; 3 gave b"
    assert said("aaab", most=3) == "3 gave a; w3 gave b"
    assert said("aaaabbbbcccc", most=2) == "4 gave a; 4 gave b; 4 gave something else"
    assert NamedItem(0, 1, None, None, 0.5, 1.0, ()).said() == ""
