"""What merging two categories does, and what it costs."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import accordant as ac
from accordant.counts.count import count
from accordant.diagnosis.category_merges import merged, merging
from accordant.measure.registry import observed_agreement
from accordant.scheme import Scheme
from diagnosis.made import at_random, from_table, of_grid, of_sets, sets_at_random

EXACT = 1e-9


def with_merged(data: ac.Annotations, a, b) -> ac.Annotations:
    """The annotations with one label for two, written by hand."""
    name = f"{a} / {b}"

    def new(value):
        if isinstance(value, tuple):
            return tuple(dict.fromkeys(name if x in (a, b) else x for x in value))
        return name if value in (a, b) else value

    categories = tuple(dict.fromkeys(new(c) for c in data.scheme.categories))
    values = [new(v) for v in data.values]
    every = list(dict.fromkeys(values))
    code = np.array([*(every.index(v) for v in values), -1])
    scheme = replace(data.scheme, categories=categories)
    return replace(data, schemes=(scheme,), values=tuple(every), layout=code[data.grid])


@settings(max_examples=40)
@given(st.integers(0, 10_000), st.booleans(), st.sampled_from(["alpha", "kappa", "s", "ac", "pi"]))
def test_as_if_the_data_had_one_category(seed: int, of_sets_: bool, key: str) -> None:
    data = sets_at_random(seed, 30, 3, 4, empty=0) if of_sets_ else at_random(seed, 30, 3, 4)
    found = merging(count(data), data.scheme, coefficient=key)
    for merge in found:
        other = with_merged(data, merge.first, merge.second)
        asked = {"alpha": "alpha_masi"} if of_sets_ else {}
        value = ac.agreement(other, asked.get(key, key), interval="none").rows[0].value
        assert value == pytest.approx(merge.after, abs=EXACT, nan_ok=True)
        n = [Counter(_labels(x)) for x in (data, other)]
        bits = [_bits(list(x.values())) for x in n]
        assert (merge.bits_before, merge.bits_after) == pytest.approx(bits, abs=EXACT)
        assert merge.n_categories == len(n[1])
        assert merge.n_given_up == _agreed_on(data, (merge.first, merge.second))
        percents = [
            ac.agreement(x, ["percent"], interval="none").rows[0].value for x in (data, other)
        ]
        assert (merge.percent_before, merge.percent_after) == pytest.approx(percents, abs=EXACT)


def _labels(data):
    for v in data.answered.value:
        value = data.values[v]
        yield from value if isinstance(value, tuple) else (value,)


def _bits(n: list[int]) -> float:
    p = np.array(n) / sum(n)
    return float(-(p * np.log2(p)).sum())


def _agreed_on(data, two) -> int:
    n = 0
    for row in data.grid:
        values = [data.values[v] for v in row if v >= 0]
        for one, other in combinations(values, 2):
            both = set(one) & set(other) if isinstance(one, tuple) else {one} & {other}
            n += len(both & set(two))
    return n


def test_alpha_rises_only_where_two_are_confused_more_than_their_prevalence_explains() -> None:
    data = at_random(5, items=80, coders=3, values=5, missing=0)
    for merge in merging(count(data), data.scheme):
        more = merge.percent_after - merge.percent_expected
        assert np.sign(round(more, 12)) == np.sign(round(merge.gain, 12))
    even = from_table([[10, 2, 2], [2, 10, 2], [2, 2, 10]], "abc")  # as prevalence has it
    for merge in merging(count(even), even.scheme):
        assert merge.gain == pytest.approx(0, abs=EXACT)
        assert merge.percent_after > merge.percent_before
        assert merge.percent_after == pytest.approx(merge.percent_expected, abs=EXACT)


def test_a_merge_is_never_told_as_a_free_win() -> None:
    data = from_table([[10, 8, 0], [7, 15, 1], [0, 0, 20]], "abc")
    merge = merging(count(data), data.scheme).merges[0]
    assert merge.n_given_up == 25
    assert "raises α from 0.607 to 0.964" in merge.sentence
    assert "+24.6 points; two of their size bring +8.6 anyway" in merge.sentence
    assert "25 pairs of annotations that agree on one of the two" in merge.sentence
    assert "2 categories are left" in merge.sentence
    assert merge.share_lost == pytest.approx(merge.bits_lost / merge.bits_before)


def test_only_names_are_merged() -> None:
    data = at_random(1)
    for scheme, weights, words in [
        (Scheme(data.scheme.categories, "ordinal", True), None, "On the ordinal scale"),
        (data.scheme, np.eye(4), "The weights say"),
        (data.scheme, lambda a, b: float(a == b), "The weights say"),
    ]:
        found = merging(count(data), scheme, weights)
        assert not found.merges
        assert found.reason.startswith(words)
    assert merging(count(data), data.scheme, "nominal").merges
    same = of_grid(np.zeros((5, 3), int), "ab")
    found = merging(count(same), same.scheme)
    assert found.reason.startswith("Krippendorff's α is undefined: every annotation is 'a'")


def test_two_categories_leave_one_and_no_coefficient() -> None:
    data = from_table([[5, 2], [3, 9]], ("yes", "no"))
    merge = merging(count(data), data.scheme).merges[0]
    assert math.isnan(merge.after)
    assert merge.undefined is not None
    assert merge.sentence == "Merging “yes” and “no” is no way out: merging leaves one category."
    assert merge.n_categories == 1
    found = merging(count(data), data.scheme)
    assert found.no_ways_out == ("“yes” with “no”: no way out: merging leaves one category.",)


def test_what_has_a_coefficient_needs_no_excuse() -> None:
    data = at_random(1, values=4)
    found = merging(count(data), data.scheme)
    assert found.expects
    assert found.no_ways_out == ()
    assert all(merge.no_way_out == "" for merge in found)


def test_sets_have_no_share_by_prevalence() -> None:
    data = sets_at_random(1, 40, 3, 4)
    found = merging(count(data), data.scheme)
    assert found.merges
    assert not found.expects
    assert all("anyway" not in merge.sentence for merge in found)


def test_two_are_named_in_the_order_of_the_scheme() -> None:
    for data in (
        ac.read(
            [["z a", "a z", "m"], ["z", "m z", "a"]], separator=" ", categories=["z", "m", "a"]
        ),
        ac.read(
            [["z", "a", "m"], ["a", "m", "z"]], categories=["z", "m", "a"], layout="transposed"
        ),
    ):
        for merge in merging(count(data), data.scheme):
            assert "zma".index(merge.first) < "zma".index(merge.second)
        for step in ac.diagnose(data).pooled.levers.of_kind("pair"):
            a, b = step.lever.of
            assert "zma".index(a) < "zma".index(b)


def test_a_merged_category_has_a_name_of_its_own() -> None:
    counts = count(of_grid(np.array([[0, 1], [2, 0]]), ("a", "b", "a / b")))
    assert merged(counts, "a", "b").values == ("(a / b)", "a / b")


def test_sets_lose_a_label_and_may_become_equal() -> None:
    counts = count(of_sets([["ab", "b", "c"], ["a", "ba", "bc"]]))
    after = merged(counts, "a", "b")
    assert len(after.values) == len(set(after.values)) == 3
    assert float(observed_agreement(after, _identity(after))) == pytest.approx(2 / 3)


def _identity(counts):
    from accordant.measure.distances import weights_for

    return weights_for("identity", counts)


def test_a_diagnosis_has_it() -> None:
    found = ac.diagnose(at_random(1, values=5)).pooled.merging
    gains = [m.gain for m in found]
    assert gains == sorted(gains, reverse=True)
    assert len(found.to_rows()) == len(found)
