"""Comparing two coefficients: printed paired tests, brute force, simulated error rates."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from accordant import COEFFICIENTS, Annotations, RequestError, compare, read
from accordant.counts.count import count
from accordant.counts.counts import Counts
from accordant.inference.compare import Side, difference, homogeneity, in_common
from accordant.inference.comparison import LEAST_SHARED, Comparison, comparisons, overlap
from accordant.inference.intervals import Settings
from accordant.measure.distances import weights_for
from accordant.measure.measures import measures
from golden.cases import COEFFICIENT, DATASETS, Case, annotations, of_measures
from inference.test_linearised import random_rows
from laws.drawing import counts_of, every

SAME = 1e-12  # two floats that were computed in different ways

FORMULAS = ("analytic", "delta", "large-sample", "jackknife")
CASES = of_measures("compare_correlated")
NAMES = {
    "value_1": "before",
    "value_2": "after",
    "difference": "difference",
    "se": "se",
    "t": "statistic",
    "p_two_sided": "p_value",
    "df": "df",
}


def groups(name: str) -> tuple[Annotations, Annotations]:
    data = DATASETS[name]
    one, two = (
        read(data[k], layout="transposed", categories=[1, 2, 3]) for k in ("coders_1", "coders_2")
    )
    return one, two


def compared(case: Case) -> Comparison:
    key = COEFFICIENT[case.params["coefficient"]]
    (found,) = comparisons(
        *groups(str(case.data)),
        measures(key),
        Settings(),
        weights=case.params["weights"],
        paired=True,
    )
    return found


@pytest.mark.parametrize(
    "case", [c for c in CASES if "krippendorff" not in c.params["coefficient"]], ids=str
)
def test_printed_values(case: Case) -> None:
    """R pairedCAC, which its README prints (Gwet 2016)."""
    found = compared(case)
    for theirs, ours in NAMES.items():
        assert getattr(found, ours) == pytest.approx(case.expected[theirs], abs=case.tolerance)


@pytest.mark.parametrize(
    "case", [c for c in CASES if "krippendorff" in c.params["coefficient"]], ids=str
)
def test_printed_values_of_alpha(case: Case) -> None:
    """pairedCAC multiplies the pull of an item by 1 - 1 / n, and that is nearly all.

    The small-sample term is not in Gwet's own single standard error (irrCAC), which ours is.
    With unequal numbers of coders pairedCAC also centres the pull on chance with 1 where A_e
    belongs; both are repeated here, and then its numbers follow.
    """
    found = compared(case)
    for name in ("before", "after", "difference"):
        theirs = {v: k for k, v in NAMES.items()}[name]
        assert getattr(found, name) == pytest.approx(case.expected[theirs], abs=case.tolerance)
    pulls = [_as_paired_cac(data, case.params["weights"]) for data in groups(str(case.data))]
    apart = pulls[1] - pulls[0]
    se = apart.std(ddof=1) / len(apart) ** 0.5
    assert se == pytest.approx(case.expected["se"], abs=case.tolerance)
    if "missing" not in str(case.data):
        small = [1 - 1 / count(data).pool.sum() for data in groups(str(case.data))]
        if small[0] == small[1]:
            assert found.se * small[0] == pytest.approx(case.expected["se"], abs=case.tolerance)
    assert found.se == pytest.approx(case.expected["se"], rel=0.025)


def _as_paired_cac(data: Annotations, weights: str) -> Any:
    counts = count(data)
    w = weights_for(weights, counts).matrix
    n = np.zeros((len(data.items), 3))
    for i, p in enumerate(counts.pattern_of):
        for e in range(counts.start[p], counts.start[p + 1]):
            n[i, counts.value[e]] += 1
    size = n.sum(1)
    mean, small = size.mean(), 1 / size.sum()
    agreed = (n * (n @ w - 1)).sum(1) / (mean * (size - 1))
    share = n.sum(0) / size.sum()
    chance = share @ w @ share
    observed = (1 - small) * agreed.mean() + small
    alpha = (observed - chance) / (1 - chance)
    own = (1 - small) * (agreed - agreed.mean() * (size - mean) / mean) + small
    drawn = n @ w @ share / mean - 1 * (size - mean) / mean  # the 1 should be `chance`
    return (own - chance) / (1 - chance) - 2 * (1 - alpha) * (drawn - chance) / (1 - chance)


# ------------------------------------------------------------------ independent ways


def two_rounds(n: int, seed: int, better: float = 0.0, missing: float = 0.1) -> tuple[Any, Any]:
    """The same items twice: the second round has the first's difficulty and other coders' luck."""
    rng = np.random.default_rng(seed)
    truth, hard = rng.integers(3, size=n), rng.random(n) < 0.5
    tables = []
    for gain in (0.0, better):
        known = rng.random((n, 3)) < np.where(hard, 0.3 + gain, 0.95)[:, None]
        table = np.where(known, truth[:, None], rng.integers(3, size=(n, 3)))
        table[rng.random((n, 3)) < missing] = -1
        table[(table < 0).all(1), 0] = 0
        tables.append(table)
    return tables[0], tables[1]


def sides(key: str, tables: tuple[Any, Any], weights: str = "identity") -> tuple[Side, Side]:
    made = [counts_of(t.tolist()) for t in tables]
    one, two = (Side(COEFFICIENTS[key], c, weights_for(weights, c)) for c in made)
    return one, two


@every
def test_all_methods_agree_in_large_samples(coefficient: Any) -> None:
    one, two = sides(coefficient.key, two_rounds(3000, 1, 0.1, missing=0.05))
    usual = difference(one, two, Settings("delta"), paired=True)
    for method in (*FORMULAS, "bootstrap"):
        found = difference(one, two, Settings(method, rng=1), paired=True)  # type: ignore[arg-type]
        assert found.value == pytest.approx(usual.value, abs=SAME)
        assert found.se == pytest.approx(usual.se, rel=0.08)  # five errors of 2,000 resamples
        assert found.n == 3000


@pytest.mark.parametrize("method", [*FORMULAS, "bootstrap"])
@pytest.mark.parametrize("paired", [True, False])
def test_better_is_positive(method: Any, paired: bool) -> None:
    one, two = sides("kappa", two_rounds(500, 3, 0.5))
    found = difference(one, two, Settings(method, rng=1), paired=paired)
    assert 0 < found.low < found.value < found.high
    assert found.p_value < 0.05
    back = difference(two, one, Settings(method, rng=1), paired=paired)
    assert back.high < 0


@every
def test_jackknife_leaves_an_item_out_of_both(coefficient: Any) -> None:
    tables = two_rounds(25, 2)
    one, two = sides(coefficient.key, tables)
    each = []
    for i in range(25):
        rest = tuple(np.delete(t, i, 0) for t in tables)
        a, b = sides(coefficient.key, rest)  # type: ignore[arg-type]
        each.append(b.value - a.value)
    found = difference(one, two, Settings("jackknife"), paired=True)
    if coefficient.key == "alpha":  # items without a pair in both rounds are no items to alpha
        assert found.se == pytest.approx((24 / 25) ** 0.5 * np.std(each) * 25**0.5, rel=0.05)
    else:
        assert found.se == pytest.approx(((24 / 25) * np.var(each) * 25) ** 0.5, rel=1e-9)


def test_the_paired_bootstrap_draws_items() -> None:
    """Against a loop that draws items and takes both rounds of each."""
    tables = two_rounds(80, 3)
    one, two = sides("kappa", tables)
    drawn = difference(one, two, Settings("bootstrap", rng=1, n_resamples=5000), paired=True)
    rng, plain = np.random.default_rng(2), []
    for _ in range(400):
        chosen = rng.integers(80, size=80)
        a, b = sides("kappa", (tables[0][chosen], tables[1][chosen]))
        plain.append(b.value - a.value)
    assert drawn.se == pytest.approx(np.std(plain), rel=5 / 800**0.5)
    again = difference(one, two, Settings("bootstrap", rng=1, n_resamples=5000), paired=True)
    assert again == drawn


def test_pairing_pays_where_items_are_alike_in_both() -> None:
    one, two = sides("pi", two_rounds(400, 5))
    together = difference(one, two, Settings(), paired=True)
    apart = difference(one, two, Settings(), paired=False)
    assert together.se < 0.95 * apart.se
    assert together.value == pytest.approx(apart.value, abs=SAME)


@pytest.mark.parametrize("key", ["kappa", "alpha", "ac"])
@pytest.mark.parametrize("paired", [True, False])
def test_error_rate_is_five_in_a_hundred(key: str, paired: bool) -> None:
    """600 pairs of rounds without a difference; five standard errors of a share of .05."""
    rejected = 0
    for seed in range(600):
        first, second = two_rounds(80, seed)
        if not paired:
            second = two_rounds(60, 10_000 + seed)[1]
        one, two = sides(key, (first, second))
        rejected += difference(one, two, Settings("delta"), paired=paired).p_value < 0.05
    assert rejected / 600 == pytest.approx(0.05, abs=5 * (0.05 * 0.95 / 600) ** 0.5)


def test_two_coefficients_of_the_same_data() -> None:
    """Alpha and pi are (1 - 1 / n) apart on complete data, so the difference hardly varies."""
    counts = counts_of(random_rows(60, 3, 0))
    w = weights_for("identity", counts)
    one, two = Side(COEFFICIENTS["pi"], counts, w), Side(COEFFICIENTS["alpha"], counts, w)
    found = difference(one, two, Settings(), paired=True)
    assert found.value == pytest.approx((1 - one.value) / (3 * 60), rel=1e-9)
    assert found.se < 1e-9


def test_the_same_twice() -> None:
    counts = counts_of(random_rows(60, 3, 0.1))
    one = Side(COEFFICIENTS["ac"], counts, weights_for("identity", counts))
    found = difference(one, one, Settings(), paired=True)
    assert (found.value, found.se) == (0, 0)
    assert np.isnan(found.p_value)
    assert found.note is not None


# ------------------------------------------------------------------ several groups


def test_homogeneity_of_two_is_the_unpaired_z() -> None:
    one, two = sides("kappa", two_rounds(100, 1, 0.2))
    z = difference(one, two, Settings("large-sample"), paired=False)
    found = homogeneity([one, two], Settings("large-sample"))
    assert found.statistic == pytest.approx(z.statistic**2, rel=1e-9)
    assert found.p_value == pytest.approx(z.p_value, rel=1e-9)
    assert found.df == 1


def test_homogeneity_keeps_its_level() -> None:
    rejected = 0
    for seed in range(400):
        made = [counts_of(two_rounds(120, seed + 1000 * g)[0].tolist()) for g in range(4)]
        group = [Side(COEFFICIENTS["pi"], c, weights_for("identity", c)) for c in made]
        rejected += homogeneity(group, Settings("delta")).p_value < 0.05
    assert rejected / 400 == pytest.approx(0.05, abs=5 * (0.05 * 0.95 / 400) ** 0.5)


def test_another_estimator_gives_another_test() -> None:
    """misskappa prints chi-squared .0020 for Conger's kappa of two data sets.

    It weighs items by the inverse probability that they are complete, so its kappas are others.
    """
    (case,) = of_measures("kappa_equality_test")
    made = [count(annotations(name)) for name in (str(case.data), case.params["other"])]
    found = homogeneity(
        [Side(COEFFICIENTS["kappa"], c, weights_for("identity", c)) for c in made], Settings()
    )
    assert found.df == case.expected["df"]
    assert found.p_value > 0.05  # as there, nothing to see
    assert case.params["estimator"] == "misskappa ipw"


# ------------------------------------------------------------------ items by their ids


def frame(rows: dict[Any, list[str | None]]) -> Annotations:
    table = {"item": list(rows)} | {f"coder {c}": [r[c] for r in rows.values()] for c in range(2)}
    return read(table, item="item", layout="wide", categories=["a", "b"])


FIRST = {1: ["a", "a"], 2: ["a", "b"], 3: ["b", "b"], 4: ["b", "b"], 9: ["a", "b"]}
SECOND = {4: ["b", "a"], 3: ["b", "b"], 2: ["a", "a"], 1: ["a", "a"], 7: ["b", "a"]}


def test_items_are_matched_by_id_in_any_order() -> None:
    one, two = frame(FIRST), frame(SECOND)  # type: ignore[arg-type]
    assert len(overlap(one, two)) == 4
    (found,) = comparisons(one, two, measures("percent"), Settings())
    assert (found.n_before, found.n_after, found.n_common) == (5, 5, 4)
    assert (found.before, found.after) == (0.75, 0.75)
    assert found.paired
    turned = {k: SECOND[k] for k in reversed(SECOND)}
    (again,) = comparisons(one, frame(turned), measures("percent"), Settings())  # type: ignore[arg-type]
    assert again.se == pytest.approx(found.se)


def test_numbers_and_text_are_one_id() -> None:
    text = {str(k): v for k, v in SECOND.items()}
    assert len(overlap(frame(FIRST), frame(text))) == 4  # type: ignore[arg-type]


def test_items_of_one_side_only_are_left_out() -> None:
    one, two = (counts_of(r) for r in ([[0, 0], [0, 1], [1, 1]], [[0, 1], [1, 1], [1, 1]]))
    a, b = in_common(one, two, np.array([0, 2]), np.array([2, 1]))
    assert (a.n_items, b.n_items) == (2, 2)
    assert isinstance(a, Counts)
    assert a.pattern_of.shape == (2,)


def test_independent_data_are_recognised() -> None:
    other = {f"x{k}": v for k, v in SECOND.items()}
    one, two = frame(FIRST), frame(other)  # type: ignore[arg-type]
    (found,) = comparisons(one, two, measures("percent"), Settings())
    assert not found.paired
    assert found.n_common == 0
    assert found.before == pytest.approx(0.6)
    with pytest.raises(RequestError, match="no item is in both"):
        comparisons(one, two, measures("percent"), Settings(), paired=True)


# ------------------------------------------------------------------ which items are the same


def random_labels(n: int, seed: int) -> list[list[str]]:
    rng = np.random.default_rng(seed)
    return rng.choice(["a", "b"], (2, n)).tolist()  # type: ignore[no-any-return]


def named(ids: range, seed: int) -> Annotations:
    one, other = random_labels(len(ids), seed)
    return read({"item": list(ids), "anna": one, "bob": other}, item="item", layout="wide")


def test_positions_in_an_array_are_no_ids() -> None:
    one, two = random_labels(50, 1), random_labels(80, 2)
    (row,) = compare(one, two, "alpha")
    assert (row.paired, row.pairing) == (False, "generated ids")
    assert (row.n_before, row.n_after) == (50, 80)
    (same,) = compare(one, two, "alpha", paired=False)
    assert (same.low, same.high, same.pairing) == (row.low, row.high, "asked")


def test_who_pairs_arrays_of_different_length_is_asked_for_ids() -> None:
    with pytest.raises(RequestError, match="50 before and 80 after"):
        compare(random_labels(50, 1), random_labels(80, 2), "alpha", paired=True)
    (row,) = compare(random_labels(50, 1), random_labels(50, 2), "alpha", paired=True)
    assert (row.paired, row.n_common) == (True, 50)


@pytest.mark.parametrize("which", ["both", "first", "second"])
def test_a_table_without_item_ids_is_not_paired(which: str, tmp_path: Path) -> None:
    with_ids, without = named(range(1, 31), 1), tmp_path / "rows.csv"
    without.write_text("anna,bob\n" + "x,y\ny,x\nx,x\n" * 10)
    numbered = read(without)
    assert numbered.reading.generated_ids
    assert not with_ids.reading.generated_ids
    one = with_ids if which == "second" else numbered
    two = with_ids if which == "first" else numbered
    (row,) = comparisons(one, two, measures("percent"), Settings())
    assert (row.paired, row.pairing) == (False, "generated ids")


def test_a_sliver_of_shared_items_is_not_paired() -> None:
    """Paired on 2 of 100 items the interval of alpha was [-9, 9]."""
    (row,) = comparisons(
        named(range(100), 1), named(range(98, 198), 2), measures("alpha"), Settings()
    )
    assert (row.paired, row.pairing, row.n_common) == (False, "few shared items", 2)
    assert row.high - row.low < 1
    (forced,) = comparisons(
        named(range(100), 1), named(range(98, 198), 2), measures("alpha"), Settings(), paired=True
    )
    assert (forced.paired, forced.pairing) == (True, "asked")


@pytest.mark.parametrize(("shared", "paired"), [(19, False), (20, True), (40, True)])
def test_half_of_the_smaller_data_set_is_enough(shared: int, paired: bool) -> None:
    """A second round about a part of the items is paired: it is about them."""
    small, large = named(range(100 - shared, 140 - shared), 1), named(range(100), 2)
    for one, two in ((small, large), (large, small)):
        (row,) = comparisons(one, two, measures("percent"), Settings())
        assert (row.paired, row.n_common) == (paired, shared)
        assert row.pairing == ("shared items" if paired else "few shared items")


def test_half_is_where_pairing_pays() -> None:
    """At a correlation of .5 both tests have one error when half of the items are in both."""
    n, r = 200, 0.5
    paired, unpaired = 2 * (1 - r) / (LEAST_SHARED * n), 1 / n + 1 / n
    assert paired == pytest.approx(unpaired)


def test_a_p_value_of_hardly_anything_is_below_a_thousandth() -> None:
    """However small, in a sentence, in the tables of a notebook and of a terminal."""
    rng = np.random.default_rng(1)
    truth = rng.choice(["a", "b"], 400)
    guess = rng.choice(["a", "b"], (2, 400))
    table = compare(guess, [truth, truth.copy()], "percent", paired=True)
    assert table["percent"].p_value < 1e-20
    cells = re.sub("<[^>]*>", " ", table._repr_html_()).replace("&lt;", "<")
    for text in (str(table["percent"]), str(table), cells):
        assert "< 0.001" in text
        assert "e-" not in text


def test_undefined_sides_are_named() -> None:
    flat = {k: ["a", "a"] for k in FIRST}
    (found,) = comparisons(frame(FIRST), frame(flat), measures("kappa"), Settings())  # type: ignore[arg-type]
    assert np.isnan(found.difference)
    assert found.undefined is not None
    assert str(found.undefined).startswith("after: every annotation is 'a'")
    assert "no difference" in str(found)
    assert found.to_rows()[0]["n_common"] == 5


def test_categories_read_off_the_data_are_shared() -> None:
    """S depends on the number of categories: both rounds must have the same."""
    one = read({"item": ["1", "2"], "A": ["a", "b"], "B": ["a", "b"]}, item="item", layout="wide")
    two = read({"item": ["1", "2"], "A": ["a", "c"], "B": ["a", "a"]}, item="item", layout="wide")
    (found,) = comparisons(one, two, measures("s"), Settings("none"))
    assert found.after == pytest.approx((0.5 - 1 / 3) / (2 / 3))


@pytest.mark.parametrize("settings", [Settings("bca"), Settings(sampled_coders=True)])
def test_what_is_not_known_is_refused(settings: Settings) -> None:
    one, two = sides("pi", two_rounds(20, 1))
    with pytest.raises(RequestError, match="not available"):
        difference(one, two, settings, paired=True)


def test_each_question_and_pooled() -> None:
    def long(shift: int) -> Annotations:
        rows = [
            (str(i), q, c, "ab"[(i + (c == "B") * (i < 3 + shift) + (q == "q2")) % 2])
            for i in range(12)
            for q in ("q1", "q2")
            for c in "AB"
        ]
        names = ("item", "question", "coder", "label")
        columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
        return read(columns, item="item", question="question", coder="coder", label="label")

    one, two = long(0), long(2)
    found = comparisons(one, two, measures("percent"), Settings())
    assert [f.question for f in found] == ["q1", "q2", None]
    assert [f.n_common for f in found] == [12, 12, 24]
    assert [f.difference for f in found] == pytest.approx([-1 / 6] * 3)
    only = two.of_question("q2")
    (alone,) = comparisons(one.of_question("q2"), only, measures("percent"), Settings())
    assert alone.se == pytest.approx(found[1].se)
