"""Sizes of label sets, who gives more, final labels and who decides them."""

from __future__ import annotations

import csv
from collections import Counter
from dataclasses import replace
from itertools import combinations
from math import log2
from typing import Any

import numpy as np
import pytest

from accordant.counts.count import count
from accordant.data import examples
from accordant.data.annotations import NO_VALUE, Annotations
from accordant.diagnosis.diagnose import diagnose
from accordant.diagnosis.label_sets import MOST_PAIRED, Structure, structure
from accordant.inference.exact_tests import sign_test
from accordant.measure.final_labels import KINDS
from diagnosis.made import FLEISS_1971, of_questions, of_sets, sets_at_random

EXACT = 1e-12

RANDOM = [
    sets_at_random(seed, coders=c, labels=k, anonymous=a)
    for seed, (c, k, a) in enumerate(
        [(2, 4, False), (3, 5, False), (5, 3, False), (4, 9, False), (4, 5, True)]
    )
]


def of(data: Annotations) -> Structure:
    return structure(data, count(data))


def given(data: Annotations) -> list[list[tuple[str, set[Any]]]]:
    """For each item coder and set: the slow and plain version."""
    return [
        [(data.coders[c], set(data.values[v])) for c, v in enumerate(row) if v != NO_VALUE]
        for row in data.grid
    ]


# ------------------------------------------------------------------ by hand

#            1     2     3     4    5    6    7
SMALL = ["ab", "a", "ab", "b", "", "", "c"], ["a", "a", "bc", "ac", "", "a", None]
"""Two coders. In common: a; a; b; none; empty by agreement; none; not compared."""


def test_sizes_by_hand() -> None:
    one, other = of(of_sets(SMALL, "abcd")).coders
    assert (one.n_by_size, other.n_by_size) == ((2, 3, 2), (1, 3, 2))
    assert (one.n_by_label, other.n_by_label) == ((3, 3, 1, 0), (4, 1, 2, 0))
    assert (one.n_annotations, one.n_labels, one.mean_labels) == (7, 7, 1)
    assert other.share_several == pytest.approx(2 / 6)
    assert other.entropy == pytest.approx(-sum(p * log2(p) for p in (4 / 7, 1 / 7, 2 / 7)))
    assert other.entropy_share == pytest.approx(other.entropy / 2)
    both = of(of_sets(SMALL, "abcd")).everybody
    assert both.n_by_size == (3, 6, 4)
    assert both.n_by_label == (7, 4, 3, 0)


def test_final_labels_by_hand() -> None:
    final = of(of_sets(SMALL, "abcd")).final
    assert [final.items.of(i) for i in range(7)] == [("a",), ("a",), ("b",), (), (), (), None]
    assert (final.n_one, final.n_several, final.n_none, final.n_empty) == (3, 0, 2, 1)
    assert [row["kind"] for row in final.items.to_rows()] == [
        "one common label",
        "one common label",
        "one common label",
        "no common label",
        "empty by agreement",
        "no common label",
    ]
    assert final.items.to_rows()[2] == {
        "item": "i2",
        "question": None,
        "n_annotations": 2,
        "final": ("b",),
        "n_labels": 1,
        "kind": "one common label",
    }
    assert final.n_given.tolist() == [7, 4, 2, 0]  # "c" of the item of one coder is not compared
    assert final.n_final.tolist() == [2, 1, 0, 0]
    assert final.ratio[:3] == pytest.approx([(2 / 3) / (7 / 13), (1 / 3) / (4 / 13), 0])
    assert np.isnan(final.ratio[3])
    assert final.n_categories == 2
    assert final.entropy == pytest.approx(-(2 / 3 * log2(2 / 3) + 1 / 3 * log2(1 / 3)))


def test_who_decides_by_hand() -> None:
    """Item 1: {a, b} and {a}, so the second decides. Item 3: both gave more than they share."""
    found = of(of_sets(SMALL, "abcd"))
    assert [c.n_final for c in found.coders] == [3, 3]
    assert [c.n_decides for c in found.coders] == [0, 1]
    assert found.decider is not None
    assert found.decider.coder == "coder 2"
    (pair,) = found.pairs
    assert (pair.n_common, pair.n_more, pair.n_same, pair.n_fewer) == (6, 1, 3, 2)
    assert (pair.n_first_decides, pair.n_second_decides) == (0, 1)
    assert pair.precision == pytest.approx((1 / 2 + 1 + 1 / 2 + 0 + 1 + 0) / 6)
    assert pair.recall == pytest.approx((1 + 1 + 1 / 2 + 0 + 1 + 0) / 6)
    assert pair.p_value == 1


def test_three_coders_decide_together_or_alone() -> None:
    """Item 1: two gave {a} only, so neither alone decides; item 2: the first alone does."""
    found = of(of_sets((["a", "a", "a"], ["a", "ab", "a"], ["ab", "ac", "a"])))
    assert [c.n_decides for c in found.coders] == [2, 1, 0]
    assert [c.n_decides_alone for c in found.coders] == [1, 0, 0]
    assert (found.everybody.n_decides, found.everybody.n_decides_alone) == (2, 1)
    assert (found.everybody.n_final, found.p_decides) == (3, 1)


def test_the_one_who_decides_is_tested_against_all_others_together() -> None:
    """6 against 1 and 2: twice the probability of 6 or more heads of 9 coins, 130 / 512."""
    alone = [0] * 6 + [1] + [2] * 2
    rows = [["a" if who == c else "ab" for who in alone] for c in range(3)]
    found = of(of_sets(rows))
    assert [c.n_decides_alone for c in found.coders] == [6, 1, 2]
    assert found.p_decides == pytest.approx(2 * 130 / 512)


def test_most_that_augmented_agreement_can_reach() -> None:
    """Sizes (2, 1), (1, 1), (2, 2), (1, 2), (0, 0), (0, 1): 1/2, 1, 1/2, 1/2, 1, 0."""
    assert of(of_sets(SMALL, "abcd")).augmented_most == pytest.approx(3.5 / 6)


# ------------------------------------------------------------------ against the plain version


@pytest.mark.parametrize("data", RANDOM)
def test_final_labels_item_by_item(data: Annotations) -> None:
    final, each = of(data).final, given(data)
    n_given: Counter[str] = Counter()
    n_final: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    for i, sets in enumerate(each):
        if len(sets) < 2:
            assert final.items.of(i) is None
            continue
        common = set.intersection(*(s for _, s in sets))
        found = final.items.of(i)
        assert found == tuple(x for x in data.scheme.categories if x in common)
        nothing = all(not s for _, s in sets)
        kind = KINDS[3] if nothing else KINDS[min(len(common), 2)]
        assert KINDS[final.items.kind[i]] == kind
        kinds[kind] += 1
        n_final.update(common)
        for _, s in sets:
            n_given.update(s)
    categories = data.scheme.categories
    assert final.n_given.tolist() == [n_given[x] for x in categories]
    assert final.n_final.tolist() == [n_final[x] for x in categories]
    numbers = (final.n_none, final.n_one, final.n_several, final.n_empty)
    assert numbers == tuple(kinds[k] for k in KINDS)
    assert final.n_items == count(data).n_pairable


@pytest.mark.parametrize("data", RANDOM)
def test_coders_item_by_item(data: Annotations) -> None:
    found = of(data)
    sizes: Counter[tuple[str, int]] = Counter()
    labels: Counter[tuple[str, str]] = Counter()
    final: Counter[str] = Counter()
    decides: Counter[str] = Counter()
    alone: Counter[str] = Counter()
    for sets in given(data):
        for coder, s in sets:
            sizes[coder, len(s)] += 1
            labels.update((coder, x) for x in s)
        common = set.intersection(*(s for _, s in sets)) if len(sets) > 1 else set()
        if not common:
            continue
        equal = [coder for coder, s in sets if s == common]
        final.update(coder for coder, _ in sets)
        if len(equal) < len(sets):
            decides.update(equal)
            alone.update(equal if len(equal) == 1 else [])
            final["decided"] += bool(equal)
    whole = found.everybody
    every = range(found.largest + 1)
    n_by_size = tuple(sum(n for (_, k), n in sizes.items() if k == size) for size in every)
    assert whole.n_by_size == n_by_size
    assert whole.n_decides == final["decided"]
    assert whole.n_decides_alone == alone.total()
    for c in found.coders:
        assert c.coder is not None
        assert c.n_by_size == tuple(sizes[c.coder, size] for size in every)
        assert c.n_by_label == tuple(labels[c.coder, x] for x in data.scheme.categories)
        numbers = (final[c.coder], decides[c.coder], alone[c.coder])
        assert (c.n_final, c.n_decides, c.n_decides_alone) == numbers
    assert bool(found.coders) is not data.anonymous


@pytest.mark.parametrize("data", RANDOM)
def test_shares_of_pairs_item_by_item(data: Annotations) -> None:
    """A mean over items of the pairs of coders that share a label, and that both give none."""
    found, shared, empty = of(data), [], []
    for sets in given(data):
        pairs = list(combinations([s for _, s in sets], 2))
        if pairs:
            shared.append(np.mean([bool(a & b) for a, b in pairs]))
            empty.append(np.mean([not a | b for a, b in pairs]))
    assert (found.share_common, found.share_empty) == pytest.approx(
        (np.mean(shared), np.mean(empty)), abs=EXACT
    )


@pytest.mark.parametrize("data", [d for d in RANDOM if not d.anonymous])
def test_others_who_decide_item_by_item(data: Annotations) -> None:
    n: Counter[str] = Counter()
    for sets in given(data):
        common = set.intersection(*(s for _, s in sets)) if len(sets) > 1 else set()
        equal = [coder for coder, s in sets if s == common]
        if common and len(equal) == 1:
            n.update(coder for coder, _ in sets if coder not in equal)
    found = of(data)
    assert [c.n_others_alone for c in found.coders] == [n[c] for c in data.coders]
    who = found.decider
    assert who is not None
    assert found.p_decides == sign_test(who.n_decides_alone, who.n_others_alone)


@pytest.mark.parametrize("data", [d for d in RANDOM if not d.anonymous])
def test_pairs_item_by_item(data: Annotations) -> None:
    each = [dict(sets) for sets in given(data)]
    pairs = {(p.first, p.second): p for p in of(data).pairs}
    assert set(pairs) == set(combinations(data.coders, 2))
    for (one, other), p in pairs.items():
        both = [(sets[one], sets[other]) for sets in each if {one, other} <= set(sets)]
        more = sum(len(a) > len(b) for a, b in both)
        fewer = sum(len(a) < len(b) for a, b in both)
        assert (p.n_common, p.n_more, p.n_fewer) == (len(both), more, fewer)
        assert p.n_more + p.n_same + p.n_fewer == p.n_common
        precision = [1 if not a | b else len(a & b) / len(a) if a else 0 for a, b in both]
        recall = [1 if not a | b else len(a & b) / len(b) if b else 0 for a, b in both]
        assert p.precision == pytest.approx(np.mean(precision), abs=EXACT)
        assert p.recall == pytest.approx(np.mean(recall), abs=EXACT)
        assert p.n_final == sum(bool(a & b) for a, b in both)
        assert p.n_first_decides == sum(bool(a) and a < b for a, b in both)
        assert p.n_second_decides == sum(bool(b) and b < a for a, b in both)


# ------------------------------------------------------------------ the case study


@pytest.fixture(scope="module")
def case() -> Annotations:
    with examples.path("marchal2022_case").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    names = sorted({x for r in rows for c in ("c1", "c2") for x in r[c].split(";")})
    letters = {name: chr(ord("a") + k) for k, name in enumerate(names)}
    return of_sets(
        [["".join(letters[x] for x in r[c].split(";")) for r in rows] for c in ("c1", "c2")],
        "".join(letters.values()),
    )


def test_case_study_of_marchal(case: Annotations) -> None:
    """Marchal et al. (2022, sec. 6): 884 items, 19 categories, 11 of them in intersections."""
    found = of(case)
    first, second = found.coders
    assert (first.n_by_size, second.n_by_size) == ((0, 783, 101), (0, 305, 579))
    assert f"{first.share_several:.3f} {second.share_several:.3f}" == "0.114 0.655"
    common = [set.intersection(*(s for _, s in sets)) for sets in given(case)]
    assert len(common) == found.final.n_items == 884
    assert len(set().union(*common)) == found.final.n_categories == 11
    assert found.final.n_with_label == sum(map(bool, common))
    assert f"{found.final.n_with_label / 884:.2f}" == "0.79"  # Table 2, observed boot-match
    (pair,) = found.pairs
    assert f"{pair.precision:.2f} {pair.recall:.2f}" == "0.76 0.55"  # Table 2
    assert found.decider is first
    sets = given(case)
    assert first.n_decides == sum(bool(a) and a < b for (_, a), (_, b) in sets)
    assert second.n_decides == sum(bool(b) and b < a for (_, a), (_, b) in sets)


# ------------------------------------------------------------------ edges


def test_single_labels_have_no_such_structure() -> None:
    assert diagnose(FLEISS_1971).pooled.structure is None


def test_ranked_sets_are_the_same_set_in_any_order() -> None:
    data = of_sets((["ab", "ba"], ["ba", "a"]), "ab", ranked=True)
    final = of(data).final
    assert [final.items.of(i) for i in range(2)] == [("a", "b"), ("a",)]
    assert of(data).coders[1].n_decides == 1
    assert diagnose(data).pooled.facts.n_disputed == 1


@pytest.mark.parametrize("anonymous", [False, True])
@pytest.mark.parametrize(
    "rows",
    [(["", ""], ["", ""]), (["", "a"],), (["a", None], [None, "a"]), (["", None], [None, ""])],
)
def test_almost_nothing_is_no_error(rows: Any, anonymous: bool) -> None:
    data = of_sets(rows, "ab", anonymous=anonymous)
    found = of(data)
    assert found.final.n_with_label == 0
    assert found.final.n_items == (2 if len(rows) == 2 and rows[1][0] is not None else 0)
    assert len(found.to_rows()) == 1 + len(found.coders)
    assert found.decider is None
    assert np.isnan(found.p_decides)
    assert diagnose(data).pooled.findings


def test_several_questions_are_places_of_their_own() -> None:
    """One question with sets and one without, pooled: a label is a set of one."""
    grid = np.array([[0, 0], [1, 1], [0, 1]])
    single = of_questions({"q1": grid, "q2": grid})
    sets = of_sets((["ab", "a", "b"], ["a", "a", "b"]), "ab")
    assert sets.grid is not None
    columns = single.columns
    values = (*single.values, ("a",), ("b",), ("a", "b"))
    code = {v: k for k, v in enumerate(values)}
    second = columns.question == 1
    label = np.array([code[v] for v in sets.values])
    value = columns.value.copy()
    value[second] = label[sets.grid[columns.item[second], columns.coder[second]]]
    data = replace(
        single,
        values=values,
        layout=replace(columns, value=value),
        schemes=(single.schemes[0], sets.schemes[0]),
    )
    found = diagnose(data)
    assert found["q1"].structure is None
    pooled = found.pooled.structure
    assert pooled is not None
    finals = [(row["item"], row["question"], row["final"]) for row in pooled.final.items.to_rows()]
    assert finals == [
        ("i0", "q1", ("a",)),
        ("i0", "q2", ("a",)),
        ("i1", "q1", ("b",)),
        ("i1", "q2", ("a",)),
        ("i2", "q1", ()),
        ("i2", "q2", ("b",)),
    ]
    assert found["q1"].recommendation.primary == "alpha"
    assert found["q2"].recommendation.primary == found.recommendation.primary == "alpha_masi"


def test_many_coders_are_compared_as_far_as_can_be_read() -> None:
    data = sets_at_random(3, items=20, coders=MOST_PAIRED + 2, missing=0.0)
    found = of(data)
    assert found.n_left_out == 2
    assert len(found.pairs) == MOST_PAIRED * (MOST_PAIRED - 1) // 2
    assert len(found.coders) == MOST_PAIRED + 2


def test_a_million_items_without_a_loop() -> None:
    """A loop over a million items takes seconds; all of it takes tenths of one."""
    rng = np.random.default_rng(1)
    small = of_sets((["a", "b", "ab", "", "c"], ["a", "b", "ab", "", "c"]))
    grid = rng.integers(len(small.values), size=(1_000_000, 2))
    data = replace(small, items=np.arange(len(grid)), layout=grid)
    final = of(data).final
    code = {v: k for k, v in enumerate(small.values)}
    assert final.n_empty == ((grid == code[()]).all(1)).sum()
    assert len(final.items.code) == 1_000_000
