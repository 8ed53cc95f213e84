"""Standard errors, intervals and p-values: against leaving items out, drawing them, and formulas."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

import accordant as ac
from inference.samples import KEYS, annotations, codes, values

SEARCHED = 1e-7  # the ends of a score interval are searched, not computed
METHODS = ("auto", "analytic", "bootstrap")
ON_PAIRS = ("alpha", "light")
FORMULAS = [key for key in KEYS if key != "light"]
TABLE = codes(50, 3, 0.1)


def row(table: Any, key: str, **options: Any) -> ac.Agreement:
    return ac.agreement(annotations(table), key, **options)[key]


# ------------------------------------------------------------------ standard errors


@pytest.mark.parametrize("weights", ["identity", "quadratic"])
@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_errors_are_those_of_leaving_items_out(weights: str, missing: float) -> None:
    """The jackknife differs by terms of 1 / n; Gwet's own formulas take other items as fixed."""
    table = codes(120, 3, missing)
    found = ac.agreement(annotations(table), FORMULAS, weights=weights)
    each = np.array(
        [values(np.delete(table, i, 0), FORMULAS, weights=weights) for i in range(len(table))]
    )
    n = len(table)
    wanted = np.sqrt((n - 1) / n * ((each - each.mean(0)) ** 2).sum(0))
    for one, error in zip(found, wanted, strict=True):
        room = 0.12 if one.coefficient == "alpha" and missing else 0.05
        assert one.se == pytest.approx(error, rel=room), one.coefficient


def test_errors_are_those_of_drawing_items() -> None:
    """Against a plain loop that draws items and measures them again."""
    table, rng = codes(60, 3, 0.2), np.random.default_rng(1)
    plain = np.array([values(table[rng.integers(len(table), size=60)]) for _ in range(300)])
    drawn = ac.agreement(annotations(table), KEYS, interval="bootstrap", resamples=4000, seed=2)
    for one, error in zip(drawn, plain.std(0), strict=True):
        # five standard errors of a standard deviation of 300; items without a pair are not drawn
        assert one.se == pytest.approx(error, rel=0.25), one.coefficient


def test_formula_and_bootstrap_agree() -> None:
    data = annotations(codes(400, 3, 0.0))
    formula, drawn = (
        ac.agreement(data, FORMULAS, interval=how, resamples=4000, seed=1)  # type: ignore[arg-type]
        for how in ("analytic", "bootstrap")
    )
    for one, other in zip(formula, drawn, strict=True):
        assert other.se == pytest.approx(one.se, rel=0.05)  # 4,000 resamples leave 1.1 % of noise


def test_the_best_known_large_sample_error() -> None:
    """The table of Fleiss, Cohen & Everitt (1969), who divide by n, by equation 13.15 of Fleiss."""
    table = np.array([[53, 5, 2], [11, 14, 5], [1, 6, 3]])
    rows = [[a, b] for (a, b), n in np.ndenumerate(table) for _ in range(n)]
    found = row(rows, "kappa", weights="identity", interval="analytic")
    p = table / table.sum()
    rows_, columns = p.sum(1), p.sum(0)
    chance = rows_ @ columns
    kappa = (np.trace(p) - chance) / (1 - chance)
    a = sum(p[i, i] * (1 - (rows_[i] + columns[i]) * (1 - kappa)) ** 2 for i in range(3))
    b = (1 - kappa) ** 2 * sum(
        p[i, j] * (columns[i] + rows_[j]) ** 2 for i in range(3) for j in range(3) if i != j
    )
    variance = (a + b - (kappa - chance * (1 - kappa)) ** 2) / ((1 - chance) ** 2 * 100)
    assert found.value == pytest.approx(0.429, abs=5e-4)
    assert found.se**2 * 99 / 100 == pytest.approx(variance, rel=1e-9)


@pytest.mark.parametrize("population", [200, 1000])
@pytest.mark.parametrize("interval", ["auto", "analytic"])
def test_a_finite_population_shrinks_the_error(population: int, interval: Any) -> None:
    """1 - n / N (Cochran 1977, ch. 2)."""
    data = annotations(codes(100, 3, 0))
    free, bound = (
        ac.agreement(data, FORMULAS, population=n, interval=interval) for n in (None, population)
    )
    for one, other in zip(free, bound, strict=True):
        assert other.se == pytest.approx(one.se * (1 - 100 / population) ** 0.5, rel=1e-9)


def test_both_sources_of_variance_add_up() -> None:
    """Gwet (2014, ch. 5): (C - 1) / C times the squares of leaving each coder out."""
    data = annotations(TABLE)
    items = ac.agreement(data, FORMULAS, interval="analytic")
    both = ac.agreement(data, FORMULAS, interval="analytic", sampled_coders=True)
    rest = (np.delete(TABLE, c, 1) for c in range(3))
    without = np.array([values(t[(t >= 0).any(1)], FORMULAS) for t in rest])
    between = 2 / 3 * ((without - without.mean(0)) ** 2).sum(0)
    for one, other, more in zip(items, both, between, strict=True):
        assert other.se == pytest.approx((one.se**2 + more) ** 0.5, rel=1e-9)
        df = (one.se**2 + more) ** 2 / (one.se**4 / (one.n_items - 1) + more**2 / 2)
        assert f"coders, t({df:.1f})" in other.method


def test_coders_as_a_sample_need_three_known_ones() -> None:
    with pytest.raises(ac.RequestError, match="at least 3 coders"):
        row(TABLE[:, :2], "s", sampled_coders=True)
    counts = ac.read({"a": [2, 1, 3], "b": [1, 2, 0]}, layout="counts")
    with pytest.raises(ac.RequestError, match="only counts"):
        ac.agreement(counts, "s", sampled_coders=True)


def test_more_items_make_intervals_narrow() -> None:
    few, many = (codes(n, 3, 0.0) for n in (100, 800))
    for how in METHODS:
        options: Any = {"interval": how, "resamples": 400, "seed": 1}
        for small, large in zip(
            ac.agreement(annotations(few), **options),
            ac.agreement(annotations(many), **options),
            strict=True,
        ):
            for one in (small, large):
                assert one.low < one.value < one.high <= 1
            assert 0.25 < large.se / small.se < 0.5  # sqrt(1 / 8) = .354, give or take luck


# ------------------------------------------------------------------ single annotations


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("key", KEYS)
def test_single_annotations_are_no_items_to_alpha_and_light(method: Any, key: str) -> None:
    paired = np.array([r for r in codes(45, 3, 0.3) if (r >= 0).sum() >= 2])
    single = np.array([[0, -1, -1], [-1, 1, -1], [-1, 2, -1], [-1, -1, 0]] * 8)
    options: Any = {"weights": "quadratic", "interval": method, "resamples": 300, "seed": 1}
    one, other = (row(t, key, null=0.2, **options) for t in (paired, np.vstack([paired, single])))
    same = all(
        np.isclose(getattr(one, f), getattr(other, f), rtol=1e-9)
        for f in ("value", "se", "low", "high", "p_value")
    )
    assert same == (key in ON_PAIRS)


# ------------------------------------------------------------------ intervals and tests


@pytest.mark.parametrize("interval", ["auto", "analytic"])
def test_p_and_interval_say_the_same(interval: Any) -> None:
    """The 95 % interval touches the null exactly where p is .05."""
    found = row(TABLE, "kappa", interval=interval)
    for end in (found.low, found.high):
        assert row(TABLE, "kappa", interval=interval, null=end).p_value == pytest.approx(
            0.05, abs=SEARCHED
        )
    above, below = (
        row(TABLE, "kappa", interval=interval, null=0.1, alternative=side)
        for side in ("greater", "less")
    )
    assert above.p_value + below.p_value == pytest.approx(1)


def test_resamples_never_give_a_p_of_zero() -> None:
    found = row(TABLE, "percent", interval="bootstrap", resamples=200, seed=1)
    assert found.p_value == pytest.approx(2 / 201)


def test_a_seed_repeats_and_is_known() -> None:
    first, again, other = (
        row(TABLE, "kappa", interval="bootstrap", resamples=100, seed=s) for s in (7, 7, 8)
    )
    assert (first.low, first.high) == (again.low, again.high) != (other.low, other.high)
    drawn = ac.agreement(annotations(TABLE), "kappa", interval="bootstrap", resamples=50)
    seed = int(drawn.signature.split("seed ")[1].split(" ")[0].rstrip(";"))
    repeated = row(TABLE, "kappa", interval="bootstrap", resamples=50, seed=seed)
    assert repeated.low == drawn[0].low


def test_ends_are_cut_where_no_coefficient_goes() -> None:
    found = ac.agreement(annotations([[0, 0]] * 4 + [[1, 1]] * 4 + [[0, 1]]), interval="analytic")
    assert found["percent"].high == found["kappa"].high == 1
    assert row([[0, 1]] * 3 + [[1, 1]], "percent", interval="analytic").low == 0


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("key", KEYS)
def test_perfect_agreement_is_not_certain(method: Any, key: str) -> None:
    """40 items without a disagreement: Clopper & Pearson's bound, scipy's binomial test."""
    found = row([[0, 0], [1, 1], [2, 2], [1, 1]] * 10, key, weights="identity", interval=method)
    least = stats.binomtest(40, 40).proportion_ci(method="exact").low
    assert found.low == pytest.approx((least - found.expected) / (1 - found.expected), rel=1e-9)
    assert found.high == 1
    assert np.isnan(found.se)
    assert found.note


@pytest.mark.parametrize("method", METHODS)
def test_perfect_agreement_has_an_exact_p(method: Any) -> None:
    """100 items that all agree; kappa .8 and A_e .5 make .9 agreement: .9 ^ 100 = 2.66e-5."""

    def p(alternative: str, null: float = 0.8) -> float:
        options: Any = {"alternative": alternative, "null": null, "interval": method}
        return row([[0, 0], [1, 1]] * 50, "kappa", weights="identity", **options).p_value

    assert p("greater") == pytest.approx(0.9**100, rel=1e-9)
    assert p("two-sided") == pytest.approx(2 * 0.9**100, rel=1e-9)
    assert p("less") == p("two-sided", null=1.0) == 1


@pytest.mark.parametrize(("n", "population", "low"), [(50, 60, 58 / 60), (50, 100, 0.95)])
def test_perfect_agreement_in_a_finite_population(n: int, population: int, low: float) -> None:
    """The most items with a disagreement that a sample may well miss, by scipy's hypergeom."""
    table = [[0, 0], [1, 1]] * (n // 2)
    found = row(table, "percent", population=population)
    assert found.low == pytest.approx(low, abs=1e-12)
    wrong, law = round(population * (1 - low)), stats.hypergeom
    assert law.pmf(0, population, wrong, n) >= 0.025 > law.pmf(0, population, wrong + 1, n)
    tested = row(table, "percent", population=population, null=0.9, alternative="greater")
    missed = law.pmf(0, population, round(0.1 * population), n)
    assert tested.p_value == pytest.approx(missed, rel=1e-9, abs=1e-300)
    whole = row(table, "percent", population=n)
    assert (whole.low, whole.high) == (1, 1)
    endless, vast = (row(table, "percent", population=x) for x in (None, 1e9))
    assert vast.low == pytest.approx(endless.low, abs=1e-6)


def test_one_label_throughout_is_no_more_certain_than_several() -> None:
    alike, mixed = (ac.agreement([x] * 2, "percent")[0] for x in (["n"] * 10, ["n", "y"] * 5))
    assert alike.low == mixed.low == pytest.approx(0.025 ** (1 / 10), abs=1e-12)


def test_no_variation_is_said() -> None:
    """Every item shows the same disagreement."""
    found = row([[0, 1], [1, 0]] * 5, "s", weights="identity", interval="analytic")
    assert found.note
    assert np.isnan(found.p_value)


@pytest.mark.parametrize("interval", ["auto", "analytic"])
@pytest.mark.parametrize("seed", range(10))
def test_no_limit_lies_below_the_possible(interval: Any, seed: int) -> None:
    """Of values on 5 items: no limit below what disagreement on every item would give."""
    table = np.random.default_rng(seed).integers(3, size=(5, 3))
    for found in ac.agreement(annotations(table), interval=interval, weights="identity"):
        if not np.isnan(found.low):
            least = min(-found.expected / (1 - found.expected), -0.5) if found.expected else 0.0
            assert min(least, found.value) - 1e-9 <= found.low <= found.high <= 1


# ------------------------------------------------------------------ what may be asked for


@pytest.mark.parametrize(
    "wrong",
    [
        {"interval": "magic"},
        {"interval": "jackknife"},
        {"alternative": "more"},
        {"level": 95},
        {"level": 0},
        {"level": "95%"},
        {"level": float("nan")},
        {"null": "0.8"},
        {"resamples": 1},
        {"resamples": 99.5},
        {"simulations": 1},
        {"population": -5},
        {"population": "100"},
        {"population": 40},
        {"seed": -1},
        {"seed": "a seed"},
        {"interval": "bootstrap", "population": 500},
        {"interval": "bootstrap", "sampled_coders": True},
    ],
    ids=str,
)
def test_anything_else_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ac.RequestError):
        row(TABLE, "kappa", **wrong)
