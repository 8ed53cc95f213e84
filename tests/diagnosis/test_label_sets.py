"""Sizes of label sets, who gives more, final labels and who decides them."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import log2
from typing import Any

import numpy as np
import pytest

import accordant as ac
from diagnosis.annotated import FLEISS_1971

Sets = list[list[set[str] | None]]  # a row for each coder


def read(rows: Sets) -> ac.Annotations:
    cells = [[None if x is None else ",".join(sorted(x)) for x in row] for row in rows]
    return ac.read(cells, separator=",", categories=list("abcd"))


def of(rows: Sets) -> Any:
    return ac.diagnose(read(rows)).pooled.structure


def plain(*rows: str) -> Sets:
    """Sets of letters with blanks between, a dot for a missing one."""
    return [[None if x == "." else set(x) for x in row.split()] for row in rows]


def drawn(seed: int, coders: int) -> Sets:
    """Coders who often share a label, with gaps and up to three labels."""
    rng, rows = np.random.default_rng(seed), [[] for _ in range(coders)]
    for _ in range(50):
        shared = rng.choice(list("abcd"))
        for row in rows:
            own = set(rng.choice(list("abcd"), size=rng.integers(0, 3), replace=False).tolist())
            given = own | {str(shared)} if rng.random() < 0.7 or not own else own
            row.append(None if rng.random() < 0.2 else given)
    return rows


SMALL = plain("ab a ab b c", "a a bc ac .")
"""Two coders. In common: a; a; b; none; not compared."""


def test_sizes_by_hand() -> None:
    found = of(SMALL)
    one, other = found.coders
    assert (one.n_by_size, other.n_by_size) == ((0, 3, 2), (0, 2, 2))
    assert (one.n_by_label, other.n_by_label) == ((3, 3, 1, 0), (3, 1, 2, 0))
    assert (one.n_annotations, one.n_labels, one.mean_labels) == (5, 7, 7 / 5)
    assert other.share_several == pytest.approx(1 / 2)
    assert other.entropy == pytest.approx(-sum(p * log2(p) for p in (3 / 6, 1 / 6, 2 / 6)))
    assert other.entropy_share == pytest.approx(other.entropy / 2)
    assert found.everybody.n_by_size == (0, 5, 4)


def test_who_decides_by_hand() -> None:
    """Item 1: {a, b} and {a}, so the second decides. Item 3: both gave more than they share."""
    found = of(SMALL)
    assert [c.n_final for c in found.coders] == [3, 3]
    assert [c.n_decides for c in found.coders] == [0, 1]
    assert found.decider.coder == "coder 2"
    (pair,) = found.pairs
    assert (pair.n_common, pair.n_more, pair.n_same, pair.n_fewer) == (4, 1, 2, 1)
    assert pair.precision == pytest.approx((1 / 2 + 1 + 1 / 2 + 0) / 4)
    assert pair.recall == pytest.approx((1 + 1 + 1 / 2 + 0) / 4)
    assert pair.p_value == 1


def test_three_coders_decide_together_or_alone() -> None:
    """Item 1: two gave {a} only, so neither alone decides; item 2: the first alone does."""
    found = of(plain("a a a", "a ab a", "ab ac a"))
    assert [c.n_decides for c in found.coders] == [2, 1, 0]
    assert [c.n_decides_alone for c in found.coders] == [1, 0, 0]
    assert (found.everybody.n_decides, found.everybody.n_decides_alone) == (2, 1)
    assert (found.everybody.n_final, found.p_decides) == (3, 1)


def test_the_one_who_decides_is_tested_against_all_others_together() -> None:
    """6 against 1 and 2: twice the probability of 6 or more heads of 9 coins, 130 / 512."""
    alone = [0] * 6 + [1] + [2] * 2
    found = of([[{"a"} if who == c else {"a", "b"} for who in alone] for c in range(3)])
    assert [c.n_decides_alone for c in found.coders] == [6, 1, 2]
    assert found.p_decides == pytest.approx(2 * 130 / 512)


def test_most_that_augmented_agreement_can_reach() -> None:
    """Sizes (2, 1), (1, 1), (2, 2), (1, 2): 1/2, 1, 1/2, 1/2."""
    assert of(SMALL).augmented_most == pytest.approx(2.5 / 4)


@pytest.mark.parametrize("coders", [2, 3, 5])
def test_everything_item_by_item(coders: int) -> None:
    rows = drawn(coders, coders)
    found, names = of(rows), [f"coder {c + 1}" for c in range(coders)]
    n: Counter[Any] = Counter()
    final, given = Counter(), Counter()
    for column in zip(*rows, strict=True):
        sets = {name: s for name, s in zip(names, column, strict=True) if s is not None}
        if len(sets) < 2:
            continue
        common = set.intersection(*sets.values())
        equal = [name for name, s in sets.items() if s == common]
        final.update(common)
        given.update(x for s in sets.values() for x in s)
        if common:
            n.update(("final", name) for name in sets)
        if common and len(equal) < len(sets):
            n.update(("decides", name) for name in equal)
            n.update(("alone", name) for name in equal[: len(equal) == 1])
            n.update(("others", name) for name in sets if len(equal) == 1 and name not in equal)
    for c in found.coders:
        numbers = (c.n_final, c.n_decides, c.n_decides_alone, c.n_others_alone)
        assert numbers == tuple(n[k, c.coder] for k in ("final", "decides", "alone", "others"))
    assert found.final.n_final.tolist() == [final[x] for x in "abcd"]
    assert found.final.n_given.tolist() == [given[x] for x in "abcd"]
    pairs = {(p.first, p.second): p for p in found.pairs}
    assert set(pairs) == set(combinations(names, 2))
    for (one, other), p in pairs.items():
        columns = zip(rows[names.index(one)], rows[names.index(other)], strict=True)
        both = [(a, b) for a, b in columns if a is not None and b is not None]
        assert p.n_common == len(both) == p.n_more + p.n_same + p.n_fewer
        assert p.n_more == sum(len(a) > len(b) for a, b in both)
        assert p.n_fewer == sum(len(a) < len(b) for a, b in both)
        assert p.precision == pytest.approx(np.mean([len(a & b) / len(a) for a, b in both]))
        assert p.recall == pytest.approx(np.mean([len(a & b) / len(b) for a, b in both]))


def test_case_study_of_marchal() -> None:
    """Marchal et al. (2022, sec. 6): 884 items, 19 categories, 11 of them in intersections."""
    found = ac.diagnose(ac.example("marchal2022_case")).pooled.structure
    first, second = found.coders
    assert (first.n_by_size, second.n_by_size) == ((0, 783, 101), (0, 305, 579))
    assert f"{first.share_several:.3f} {second.share_several:.3f}" == "0.114 0.655"
    assert (found.final.n_items, found.final.n_categories) == (884, 11)
    assert f"{found.final.n_with_label / 884:.2f}" == "0.79"  # Table 2, observed boot-match
    (pair,) = found.pairs
    assert f"{pair.precision:.2f} {pair.recall:.2f}" == "0.76 0.55"  # Table 2
    assert found.decider is first


def test_single_labels_have_no_such_structure() -> None:
    assert ac.diagnose(FLEISS_1971).pooled.structure is None


def test_almost_nothing_is_no_error() -> None:
    for rows in (plain("a .", ". a"), plain("ab a", "c b")):
        found = of(rows)
        assert found.final.n_with_label == 0
        assert found.decider is None
        assert np.isnan(found.p_decides)
        assert ac.diagnose(read(rows)).findings


def test_labels_one_by_one_and_their_mean() -> None:
    part = ac.diagnose(read(drawn(4, 3))).pooled
    for key in ("kappa", "alpha"):
        mean = np.nanmean([row[key] for row in part.categories.to_rows()])
        assert mean == pytest.approx(part.facts.value(f"label_{key}"), abs=1e-12)
