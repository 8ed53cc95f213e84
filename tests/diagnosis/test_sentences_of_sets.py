"""Whether the sentences about label sets say what is the case."""

from __future__ import annotations

from dataclasses import replace
from math import comb

import pytest

from accordant.diagnosis.advice import (
    pooled_above_all,
    pooled_hides_undefined,
    pooled_range,
)
from accordant.diagnosis.diagnose import diagnose
from accordant.diagnosis.facts import Facts
from diagnosis.made import GOOD_SETS, from_coders, of_sets
from diagnosis.test_set_traps import SCENARIOS, codes, facts, one, rows


def test_agreed_empty_sets_are_not_common_labels() -> None:
    """10 of 90 items share a label, to 60 nobody gave one."""
    data = rows(("", "", 60), ("a", "ab", 6), ("ab", "c", 10), ("bc", "cd", 4), ("a", "bc", 10))
    assert facts(data).coefficients["boot_match"].observed == pytest.approx(70 / 90)
    told = [one(data, "soft_match_too_high").sentence, diagnose(data).recommendation.reasons[0]]
    for sentence in told:
        assert "common label in 11.1\xa0% of the cases" in sentence
        assert "two empty sets in 66.7\xa0%" in sentence
    assert "one or the other in" in told[1]
    assert "two empty sets" not in str(diagnose(SCENARIOS["a frequent label"][0]).recommendation)


def test_an_empty_pair_of_three_coders_is_told_apart() -> None:
    """Not all coders give none, but two of them do: a third of the pairs on half of the items."""
    s = diagnose(of_sets((["", "a"], ["", "a"], ["a", "a"]), "ab")).pooled.structure
    assert s is not None
    assert s.final.n_empty == 0
    assert (s.share_common, s.share_empty) == pytest.approx((1 / 2, 1 / 6))


def test_three_coders_are_told_of_pairs_not_of_precision_and_recall() -> None:
    two = SCENARIOS["the second coder gives more"][0]
    three = of_sets(
        [["a", "b"] * 30 + ["c"] * 30, ["a", "b"] * 30 + ["c"] * 30, ["ab", "bc"] * 30 + ["c"] * 30]
    )
    assert "Report precision and recall" in one(two, "asymmetric_sets").advice
    assert facts(three).value("boot_precision") == facts(three).value("boot_recall")
    assert "Report precision" not in one(three, "asymmetric_sets").advice
    assert "each pair" in one(three, "asymmetric_sets").advice
    assert "which show who gives more" in str(diagnose(two).recommendation)
    told = str(diagnose(three).recommendation)
    assert "which show who gives more" not in told
    assert "table of pairs" in told


def test_soft_match_below_boot_match_is_no_upper_bound() -> None:
    data = rows(("a", "a", 1), ("ac", "ad", 1), ("a", "d", 1), ("ad", "ab", 1))
    assert (facts(data).value("soft_match"), facts(data).shown("boot_match")) == (0, "0.268")
    assert "soft_match_too_high" not in codes(data)
    higher = one(SCENARIOS["a frequent label"][0], "soft_match_too_high")
    assert "upper bound" not in str(higher)
    assert "usually" in str(higher)


def test_who_decides_is_told_of_the_items_of_this_coder() -> None:
    """The second decides against the third only where the first is absent."""
    data = of_sets(
        [["a"] * 30 + [None] * 20, ["ab"] * 30 + ["a"] * 20, ["ac"] * 30 + ["ab"] * 20], "abc"
    )
    found = one(data, "one_coder_decides")
    assert "On 30 of 30 items of “coder 1” with a common label" in found.sentence
    assert "Others do so on 0 (exact sign test" in found.sentence
    assert found.evidence["p_value"] == pytest.approx(2 / 2**30)


def test_the_ceiling_of_ranked_votes() -> None:
    """Shares .6 and .4: two sets of two reach .36 + .16, one of one and one of two .6."""
    data = of_sets((["ab", "ba", "a", "c"] * 10, ["ab", "ab", "ab", "c"] * 10), "abc", ranked=True)
    for weights, most, how in (
        ("divided-vote:0.6,0.4", (0.52 + 0.52 + 0.6 + 1) / 4, "agree in part only"),
        (None, (0.5 + 0.5 + 0.5 + 1) / 4, "agree by half"),
    ):
        found = diagnose(data, weights=weights).pooled
        told = next(f for f in found.findings if f.code == "augmented_penalises")
        assert told.evidence["most"] == pytest.approx(most)
        assert how in told.sentence
        row = found.facts.coefficients["augmented"]
        assert told.evidence["ceiling"] == pytest.approx((most - row.expected) / (1 - row.expected))
    observed = (0.52 + 0.48 + 0.6 + 1) / 4
    ranked = diagnose(data, weights="divided-vote:0.6,0.4").pooled.facts.coefficients
    assert ranked["augmented"].observed == pytest.approx(observed)


@pytest.mark.parametrize("times, told", [(1, False), (6, True)])
def test_frequent_final_must_be_beyond_chance(times: int, told: bool) -> None:
    """a: a third of the labels, and 4 of 5 final ones (p = 2 * 11 / 243) or 24 of 30."""
    data = rows(
        ("ab", "ac", 4 * times), ("b", "b", times), ("c", "d", times), ("e", "d", 2 * times)
    )
    assert ("frequent_final" in codes(data)) is told
    if told:
        found = one(data, "frequent_final")
        assert found.evidence["share_given"] == pytest.approx(1 / 3)
        tail = sum(comb(30, k) * 2 ** (30 - k) for k in range(24, 31)) / 3**30
        assert found.evidence["p_value"] == pytest.approx(2 * tail)


@pytest.mark.parametrize("weights, n_values", [(None, 4), ("masi", 4), ("divided-vote:0.6,0.4", 6)])
def test_ranks_count_only_where_the_weights_use_them(weights: str | None, n_values: int) -> None:
    each = ["ab", "ba", "a", "bc", "c"] * 4, ["ba", "ab", "ab", "cb", "c"] * 4
    part = diagnose(of_sets(each, "abc", ranked=True), weights=weights).pooled
    plain = diagnose(of_sets(each, "abc"), weights=weights).pooled
    assert part.counts.n_values == n_values
    assert plain.counts.n_values == 4
    if n_values == 4:
        assert part.items.agreement == pytest.approx(plain.items.agreement)
        assert part.findings == plain.findings
    else:
        assert part.items.agreement[:2] == pytest.approx([0.48, 0.48])


# ------------------------------------------------------------------ several questions


def asked(sets: Facts, *others: Facts) -> tuple[Facts, list[Facts]]:
    """The pooled facts, and those of each question under a name."""
    return sets, [replace(f, question=f"q{k}") for k, f in enumerate((sets, *others))]


def test_pooled_findings_use_the_name_of_the_measure() -> None:
    good, poor = facts(GOOD_SETS), facts(rows(("a", "b", 30), ("b", "a", 30), ("ab", "c", 5)))
    nothing = facts(rows(("ab", "ab", 40)))
    single = facts(from_coders([["a", "b"] * 20, ["b", "b"] * 20]))
    told = pooled_range(*asked(good, poor))
    assert told is not None
    assert told.sentence.startswith("The questions differ: α (MASI) is −")
    assert told.sentence.endswith("and 1.000 for “q0”; pooled it is 1.000.")
    told = pooled_range(*asked(good, single))
    assert told is not None
    assert "differ: α is 0.000" not in told.sentence
    assert told.sentence.endswith("and α (MASI) 1.000 for “q0”; pooled α (MASI) is 1.000.")
    told = pooled_hides_undefined(*asked(good, nothing))
    assert told is not None
    assert told.sentence.startswith("α (MASI) is undefined for 1 question")
    assert "in the pooled α (MASI) = 1.000" in told.sentence
    told = pooled_above_all(good, [replace(f, question=q) for f, q in ((poor, "x"), (single, "y"))])
    assert told is not None
    assert told.sentence.startswith("The pooled α (MASI) = 1.000 is higher than α (MASI) or α of")
    assert "the best is “y” with α = " in told.sentence
