"""Intervals and p-values: from a standard error to what a reader sees."""

from __future__ import annotations

import numpy as np
import pytest

from accordant import COEFFICIENTS, RequestError, agreement
from accordant.inference.distributions import (
    chi2_noncentrality,
    chi2_quantile,
    chi2_tail,
    normal_quantile,
    normal_tail,
    t_quantile,
    t_tail,
)
from accordant.inference.influence import coder_variance, linearise, without_each_coder
from accordant.inference.intervals import satterthwaite, uncertainty
from accordant.inference.settings import METHODS, Settings
from accordant.measure.distances import weights_for
from inference.test_linearised import random_rows
from laws.drawing import counts_of

ROWS = random_rows(50, 3, 0.1)
SEARCHED = 1e-7  # the ends of a score interval are searched, not computed
FORMULAS = [m for m in METHODS if m not in ("bootstrap", "bca", "none")]


def sure(key: str, **settings: object) -> tuple[float, object]:
    counts = counts_of(ROWS)
    w = weights_for("identity", counts)
    value = float(COEFFICIENTS[key].parts(counts, w).value)
    return value, uncertainty(COEFFICIENTS[key], counts, w, value, Settings(**settings))  # type: ignore[arg-type]


def test_distributions_are_those_of_scipy() -> None:
    from scipy import stats

    for x, df in [(-2.3, 4), (0.1, 4.5), (1.7, 30), (6.0, 200)]:
        assert t_tail(x, df) == pytest.approx(stats.t.sf(x, df), rel=1e-9)
        assert normal_tail(x) == pytest.approx(stats.norm.sf(x), rel=1e-9)
        assert chi2_tail(abs(x), df) == pytest.approx(stats.chi2.sf(abs(x), df), rel=1e-9)
    for p in (0.001, 0.3, 0.975):
        assert t_quantile(p, 7) == pytest.approx(stats.t.ppf(p, 7), rel=1e-9)
        assert normal_quantile(p) == pytest.approx(stats.norm.ppf(p), rel=1e-9)
        assert chi2_quantile(p, 3) == pytest.approx(stats.chi2.ppf(p, 3), rel=1e-9)
    shift = chi2_noncentrality(3.84, 1, 0.2)
    assert stats.ncx2.cdf(3.84, 1, shift) == pytest.approx(0.2, rel=1e-6)
    assert np.isnan(t_quantile(0.975, 0))


@pytest.mark.parametrize("method", FORMULAS)
def test_p_and_interval_say_the_same(method: str) -> None:
    """The 95 % interval touches the null exactly where p is .05."""
    value, found = sure("kappa", method=method)
    for end in (found.low, found.high):  # type: ignore[attr-defined]
        _, at_end = sure("kappa", method=method, null=end)
        assert at_end.p_value == pytest.approx(0.05, abs=SEARCHED)  # type: ignore[attr-defined]
    _, above = sure("kappa", method=method, null=value - 0.1, alternative="greater")
    _, below = sure("kappa", method=method, null=value - 0.1, alternative="less")
    assert above.p_value + below.p_value == pytest.approx(1)  # type: ignore[attr-defined]


@pytest.mark.parametrize("method", ["bootstrap", "bca"])
def test_resamples_never_give_a_p_of_zero(method: str) -> None:
    _, found = sure("percent", method=method, n_resamples=200, rng=1)
    assert found.p_value == pytest.approx(2 / 201)  # type: ignore[attr-defined]


def test_ends_are_cut_where_no_coefficient_goes() -> None:
    rows = [[0, 0]] * 4 + [[1, 1]] * 4 + [[0, 1]]
    table = agreement(rows, ["percent", "kappa"], layout="wide", interval="analytic")
    assert table["percent"].high == table["kappa"].high == 1
    tiny = agreement([[0, 1]] * 3 + [[1, 1]], "percent", layout="wide", interval="analytic")[
        "percent"
    ]
    assert tiny.low == 0


@pytest.mark.parametrize("method", [m for m in METHODS if m != "none"])
@pytest.mark.parametrize("key", COEFFICIENTS)
def test_perfect_agreement_is_not_certain(method: str, key: str) -> None:
    """40 items without a disagreement: Clopper & Pearson's bound, scipy's binomial test."""
    from scipy.stats import binomtest

    counts = counts_of([[0, 0], [1, 1], [2, 2], [1, 1]] * 10)
    w = weights_for("identity", counts)
    found = uncertainty(COEFFICIENTS[key], counts, w, 1.0, Settings(method, rng=1))  # type: ignore[arg-type]
    least = binomtest(40, 40).proportion_ci(method="exact").low
    chance = float(COEFFICIENTS[key].parts(counts, w).expected)
    assert found.low == pytest.approx((least - chance) / (1 - chance), rel=1e-9)
    assert found.high == 1
    assert np.isnan(found.se)
    assert found.note is not None


def test_one_label_throughout_is_no_more_certain_than_several() -> None:
    alike, mixed = (
        agreement([labels] * 2, "percent")[0] for labels in (["no"] * 10, ["no", "yes"] * 5)
    )
    assert alike.low == mixed.low == pytest.approx(0.025 ** (1 / 10), abs=1e-12)


def test_a_whole_population_in_perfect_agreement_is_certain() -> None:
    counts = counts_of([[0, 0], [1, 1]] * 10)
    found = uncertainty(
        COEFFICIENTS["pi"], counts, weights_for("identity", counts), 1.0, Settings(population=20)
    )
    assert (found.low, found.high) == (1, 1)


@pytest.mark.parametrize(("n", "population", "low"), [(50, 60, 58 / 60), (50, 100, 0.95)])
def test_perfect_agreement_in_a_finite_population(n: int, population: int, low: float) -> None:
    """The most items with a disagreement that a sample may well miss, by scipy's hypergeom."""
    from scipy.stats import hypergeom

    counts = counts_of([[0, 0], [1, 1]] * (n // 2))
    percent, w = COEFFICIENTS["percent"], weights_for("identity", counts)
    found = uncertainty(percent, counts, w, 1.0, Settings(population=population))
    assert found.low == pytest.approx(low, abs=1e-12)
    wrong = round(population * (1 - low))
    assert (
        hypergeom.pmf(0, population, wrong, n) >= 0.025 > hypergeom.pmf(0, population, wrong + 1, n)
    )
    tested = uncertainty(
        percent, counts, w, 1.0, Settings(population=population, null=0.9, alternative="greater")
    )
    missed = hypergeom.pmf(0, population, round(0.1 * population), n)
    assert tested.p_value == pytest.approx(missed, rel=1e-9, abs=1e-300)


def test_a_large_population_is_an_endless_one() -> None:
    counts = counts_of([[0, 0], [1, 1]] * 50)
    kappa, w = COEFFICIENTS["kappa"], weights_for("identity", counts)
    one, other = (
        uncertainty(kappa, counts, w, 1.0, Settings(population=n, null=0.9)) for n in (np.inf, 1e9)
    )
    assert other.low == pytest.approx(one.low, abs=1e-6)
    assert other.p_value == pytest.approx(one.p_value, rel=1e-5)


@pytest.mark.parametrize("method", [m for m in METHODS if m != "none"])
def test_perfect_agreement_has_an_exact_p(method: str) -> None:
    """100 items that all agree; kappa .8 and A_e .5 make .9 agreement: .9 ^ 100 = 2.66e-5."""
    counts = counts_of([[0, 0], [1, 1]] * 50)
    kappa, w = COEFFICIENTS["kappa"], weights_for("identity", counts)

    def p(alternative: str, null: float = 0.8) -> float:
        settings = Settings(method, null=null, alternative=alternative, rng=1)  # type: ignore[arg-type]
        return uncertainty(kappa, counts, w, 1.0, settings).p_value

    assert p("greater") == pytest.approx(0.9**100, rel=1e-9)
    assert p("two-sided") == pytest.approx(2 * 0.9**100, rel=1e-9)
    assert p("less") == p("two-sided", null=1.0) == 1
    low = uncertainty(kappa, counts, w, 1.0, Settings()).low
    assert p("two-sided", null=low) == pytest.approx(0.05, rel=1e-9)


def test_no_variation_is_said() -> None:
    """Every item shows the same disagreement."""
    counts = counts_of([[0, 1], [1, 0]] * 5)
    w = weights_for("identity", counts)
    for method in set(FORMULAS) - {"auto"}:
        found = uncertainty(COEFFICIENTS["s"], counts, w, -0.5, Settings(method))  # type: ignore[arg-type]
        assert found.note is not None
        assert np.isnan(found.p_value)


def test_a_sample_is_not_larger_than_its_population() -> None:
    with pytest.raises(RequestError, match="smaller than the sample"):
        sure("kappa", population=40)


# ------------------------------------------------------------------ coders as a sample


def test_coder_variance_is_the_jackknife_over_coders() -> None:
    """Gwet (2014, ch. 5): (1 - f) (C - 1) / C times the squares of leaving each coder out."""
    counts = counts_of(ROWS)
    w = weights_for("identity", counts)
    without = []
    for c in range(3):
        rest = [[v for d, v in enumerate(row) if d != c] for row in ROWS]
        rest = [r for r in rest if max(r) >= 0]
        without.append(float(COEFFICIENTS["ac"].parts(counts_of(rest), w).value))
    wanted = 2 / 3 * np.sum((np.array(without) - np.mean(without)) ** 2)
    found = coder_variance(COEFFICIENTS["ac"], counts, w)
    assert found == pytest.approx(wanted, rel=1e-9)
    half = coder_variance(COEFFICIENTS["ac"], counts, w, coder_population=6)
    assert half == pytest.approx(wanted / 2, rel=1e-9)


def test_both_sources_add_up() -> None:
    counts = counts_of(ROWS)
    w = weights_for("identity", counts)
    items = linearise(COEFFICIENTS["pi"], counts, w).variance()
    coders = coder_variance(COEFFICIENTS["pi"], counts, w)
    _, found = sure("pi", sampled_coders=True)
    assert found.se == pytest.approx((items + coders) ** 0.5, rel=1e-9)  # type: ignore[attr-defined]
    assert "coders" in found.method  # type: ignore[attr-defined]


def test_degrees_of_freedom_lie_between_those_of_the_sources() -> None:
    assert satterthwaite((1.0, 99), (0.0, 2)) == pytest.approx(99)
    assert satterthwaite((0.0, 99), (1.0, 2)) == pytest.approx(2)
    assert satterthwaite((1.0, 8), (1.0, 8)) == pytest.approx(16)  # equal variances: they add up


def test_weights_that_depend_on_the_labels_are_those_of_the_coders_that_stay() -> None:
    """Krippendorff's ordinal metric counts what lies between two categories in the pool."""
    rng = np.random.default_rng(3)
    rows = rng.choice(4, p=[0.6, 0.2, 0.1, 0.1], size=(40, 3))
    rows[:, 2] = rng.choice(4, p=[0.1, 0.1, 0.2, 0.6], size=40)
    counts = counts_of(rows.tolist(), (1, 2, 4, 7))
    alpha = COEFFICIENTS["alpha"]
    found = without_each_coder(alpha, counts, weights_for("ordinal-metric", counts))
    for c in range(3):
        rest = counts_of(np.delete(rows, c, 1).tolist(), (1, 2, 4, 7))
        again = alpha.parts(rest, weights_for("ordinal-metric", rest))
        assert found[c] == pytest.approx(float(again.value), abs=1e-12)


def test_two_coders_cannot_tell_about_coders() -> None:
    counts = counts_of([[0, 0], [1, 0], [1, 1]])
    w = weights_for("identity", counts)
    with pytest.raises(RequestError, match="at least 3 coders"):
        coder_variance(COEFFICIENTS["s"], counts, w)
    with pytest.raises(RequestError, match="only counts"):
        coder_variance(COEFFICIENTS["s"], counts.anonymous, w)
    with pytest.raises(RequestError, match="2 coders is smaller"):
        coder_variance(COEFFICIENTS["s"], counts_of(ROWS), w, coder_population=2)
