"""The bootstrap: exactly the item bootstrap, repeatable, honest about what is undefined."""

from __future__ import annotations

import numpy as np
import pytest

from accordant import COEFFICIENTS, RequestError
from accordant.counts.counts import Counts
from accordant.inference import resampling
from accordant.inference.intervals import share_beyond, uncertainty
from accordant.inference.resampling import (
    bca,
    beside,
    bootstrap,
    bootstrap_together,
    draws,
    percentile,
)
from accordant.inference.settings import Settings
from accordant.measure.distances import weights_for
from accordant.measure.registry import Coefficient
from accordant.measure.weights import Weights
from inference.test_linearised import random_rows
from laws.drawing import Rows, counts_of, every


def identity(counts: Counts) -> Weights:
    return weights_for("identity", counts)


@every
def test_one_resample_is_the_coefficient_of_the_drawn_items(coefficient: Coefficient) -> None:
    """Each draw of patterns, spelled out as items and counted again."""
    counts = counts_of(random_rows(40, 3, 0.2))
    counts, w = coefficient.view(coefficient.sample(counts), weights_for("linear", counts))
    (times,) = list(draws(counts.times, 20, rng=3))
    found = bootstrap(coefficient, counts, w, n_resamples=20, rng=3)
    for drawn, value in zip(times, found, strict=True):
        assert drawn.sum() == counts.n_items
        again = coefficient.parts(counts.drawn(drawn), w).value
        assert value == pytest.approx(float(again), abs=1e-12, nan_ok=True)


@every
def test_drawing_patterns_is_drawing_items(coefficient: Coefficient) -> None:
    """The spread and mean against a plain loop that draws items and counts them."""
    rows = random_rows(60, 3, 0.2)
    counts = counts_of(rows)
    w = weights_for("identity", counts)
    rng = np.random.default_rng(1)
    plain = []
    for _ in range(300):
        drawn: Rows = [rows[i] for i in rng.integers(len(rows), size=len(rows))]
        plain.append(float(coefficient.parts(counts_of(drawn), w).value))
    found = bootstrap(coefficient, counts, w, n_resamples=20_000, rng=2)
    # five standard errors: of a mean of 300, and 1 / sqrt(2 * 300) of a standard deviation
    assert np.mean(plain) == pytest.approx(found.mean(), abs=5 * found.std() / 300**0.5)
    assert np.std(plain) == pytest.approx(found.std(), rel=5 / (2 * 300) ** 0.5)


@pytest.mark.parametrize("n", [50, 5000], ids=["by item", "by pattern"])
def test_both_ways_to_draw_are_multinomial(n: int) -> None:
    """Means and covariances of the counts: n p and n (diag p - p p')."""
    times = np.random.default_rng(0).multinomial(n, [0.1, 0.2, 0.3, 0.4]) * 1.0
    if n == 50:
        times = np.concatenate([times, np.ones(30)])  # few items per pattern
    p = times / times.sum()
    (found,) = list(draws(times, 20_000, rng=1))
    assert (found.sum(1) == times.sum()).all()
    spread = np.sqrt(times * (1 - p))
    assert np.abs(found.mean(0) - times).max() < 5 * spread.max() / 20_000**0.5
    wanted = times.sum() * (np.diag(p) - np.outer(p, p))
    assert np.abs(np.cov(found.T) - wanted).max() < 0.05 * spread.max() ** 2


@pytest.mark.parametrize("n", [60, 2000])
def test_seed_repeats_whatever_the_batches(n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    counts = counts_of(random_rows(n, 3, 0.2))
    w = weights_for("identity", counts)
    whole = bootstrap(COEFFICIENTS["kappa"], counts, w, n_resamples=100, rng=7)
    again = bootstrap(COEFFICIENTS["kappa"], counts, w, n_resamples=100, rng=7)
    assert np.array_equal(whole, again)
    monkeypatch.setattr(resampling, "BATCH_CELLS", 500)
    steps: list[tuple[int, int]] = []
    parts = bootstrap(
        COEFFICIENTS["kappa"],
        counts,
        w,
        n_resamples=100,
        rng=7,
        progress=lambda done, total: steps.append((done, total)),
    )
    assert parts == pytest.approx(whole, abs=1e-13)  # sums of other shapes round differently
    assert len(steps) > 5
    assert steps[-1] == (100, 100)
    assert not np.array_equal(
        whole, bootstrap(COEFFICIENTS["kappa"], counts, w, n_resamples=100, rng=8)
    )


def test_together_are_the_same_resamples() -> None:
    counts = counts_of(random_rows(200, 3, 0.2))
    w = weights_for("identity", counts)
    wanted = [(c, w) for c in COEFFICIENTS.values()]
    found = bootstrap_together(wanted, counts, n_resamples=50, rng=1)
    (times,) = list(draws(counts.times, 50, rng=1))
    for (c, _), values in zip(wanted, found, strict=True):
        alone = c.parts(counts.drawn(times), w).value
        assert values == pytest.approx(alone, abs=1e-12)
    percent, s = found[0], found[1]
    assert s == pytest.approx((percent - 1 / 3) / (2 / 3))


def test_undefined_resamples_are_counted() -> None:
    """Nine items that all agree on one label and one that varies: many resamples lack it."""
    counts = counts_of([[0, 0]] * 9 + [[0, 1]])
    kappa = COEFFICIENTS["pi"]
    w = weights_for("identity", counts)
    value = float(kappa.parts(counts, w).value)
    found = uncertainty(kappa, counts, w, value, Settings("bootstrap", n_resamples=4000, rng=1))
    share = found.n_undefined_resamples / 4000
    assert share == pytest.approx(0.9**10, abs=5 * (0.35 * 0.65 / 4000) ** 0.5)
    assert found.note is not None
    assert "left out" in found.note


def test_interrupt_stops_at_once() -> None:
    counts = counts_of(random_rows(50, 2, 0))

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bootstrap(COEFFICIENTS["pi"], counts, identity(counts), progress=stop)


def test_percentile_is_the_central_part() -> None:
    assert percentile(np.arange(1001) / 1000, 0.9) == pytest.approx((0.05, 0.95))


def test_bca_is_scipys() -> None:
    """scipy.stats.bootstrap on the same items (its own resamples, hence the tolerance)."""
    from scipy.stats import bootstrap as peer

    rng = np.random.default_rng(5)
    agreed = (rng.random(80) < 0.9).astype(int)
    counts = counts_of([[0, 0] if a else [0, 1] for a in agreed])
    percent, w = COEFFICIENTS["percent"], identity(counts)
    values = bootstrap(percent, counts, w, n_resamples=40_000, rng=1)
    ours = bca(percent, counts, w, agreed.mean(), values, 0.95)
    theirs = peer(
        (agreed,), np.mean, n_resamples=40_000, method="BCa", rng=np.random.default_rng(2)
    ).confidence_interval
    one_item = 1 / 80  # the resamples lie on a lattice of this width
    assert ours == pytest.approx((theirs.low, theirs.high), abs=1.01 * one_item)


def test_bca_is_the_textbook_formula() -> None:
    """Efron & Tibshirani (1993, ch. 14) with the acceleration of the jackknife, item by item."""
    from statistics import NormalDist

    rows = [[0, 0]] * 30 + [[1, 1]] * 4 + [[0, 1]] * 3
    counts = counts_of(rows, (1, 2))
    kappa, w = COEFFICIENTS["kappa"], identity(counts)
    value = float(kappa.parts(counts, w).value)
    values = bootstrap(kappa, counts, w, n_resamples=50_000, rng=1)
    values = values[~np.isnan(values)]
    without = [
        float(kappa.parts(counts_of(rows[:i] + rows[i + 1 :], (1, 2)), w).value)
        for i in range(len(rows))
    ]
    far = np.mean(without) - np.array(without)
    a = (far**3).sum() / (6 * (far**2).sum() ** 1.5)
    normal = NormalDist()
    z = normal.inv_cdf((np.mean(values < value) + np.mean(values <= value)) / 2)
    ends = [
        normal.cdf(z + (z + q) / (1 - a * (z + q))) for q in map(normal.inv_cdf, (0.025, 0.975))
    ]
    plain = [normal.cdf(2 * z + q) for q in map(normal.inv_cdf, (0.025, 0.975))]
    wanted, simple = np.quantile(values, ends), np.quantile(values, plain)
    found = bca(kappa, counts, w, value, values, 0.95)
    assert found == pytest.approx(wanted, abs=0.015)  # influence and jackknife differ by 1 / n
    assert abs(simple - wanted).max() > 0.03  # so the acceleration matters here


@pytest.mark.parametrize("n", range(6, 15))
@pytest.mark.parametrize("shift", [3e-16, -3e-16, 1e-12])
def test_ties_are_ties_but_for_rounding(n: int, shift: float) -> None:
    """Three coders agree in 0, 1 or 3 of 3 pairs: resamples lie on a lattice, as the value does."""
    rng = np.random.default_rng(n)
    counts = counts_of(rng.choice(2, p=[0.8, 0.2], size=(n, 3)).tolist(), (1, 2))
    percent, w = COEFFICIENTS["percent"], identity(counts)
    value = float(percent.parts(counts, w).value)
    values = bootstrap(percent, counts, w, n_resamples=2000, rng=1)
    on_lattice = np.rint(values * 3 * n) / (3 * n)
    tied = np.count_nonzero(np.rint(values * 3 * n) == round(value * 3 * n))
    assert beside(values, value)[1] == beside(on_lattice, value + shift)[1] == tied > 50
    wanted = bca(percent, counts, w, value, on_lattice, 0.95)
    assert bca(percent, counts, w, value + shift, values, 0.95) == pytest.approx(wanted)
    for alternative in ("two-sided", "greater", "less"):
        here, moved = (
            share_beyond(x, value + d, alternative)  # type: ignore[arg-type]
            for x, d in ((on_lattice, 0.0), (values, shift))
        )
        assert here == moved


@pytest.mark.parametrize("n", range(6, 15))
def test_p_counts_ties_on_both_sides(n: int) -> None:
    values = np.arange(3 * n) / 3 / n
    exact = values[n]
    assert beside(values, exact) == beside(values + 2e-16, exact) == (n, 1, 2 * n - 1)
    assert share_beyond(values - 1e-15, exact, "greater") == (n + 2) / (3 * n + 1)
    assert share_beyond(values + 1e-15, exact, "less") == (2 * n + 1) / (3 * n + 1)


def test_bca_says_when_there_is_none() -> None:
    counts = counts_of([[0, 0]] * 9 + [[0, 1]])
    values = np.full(100, 0.95)
    low, high = bca(COEFFICIENTS["percent"], counts, identity(counts), 0.9, values, 0.95)
    assert np.isnan(low)
    assert np.isnan(high)


@pytest.mark.parametrize("method", ["bootstrap", "bca"])
@pytest.mark.parametrize("option", [{"population": 500}, {"sampled_coders": True}])
def test_the_bootstrap_ignores_no_option(method: str, option: dict[str, float]) -> None:
    with pytest.raises(RequestError, match="endless population"):
        Settings(method, **option)  # type: ignore[arg-type]
