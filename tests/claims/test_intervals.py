"""What the default intervals promise, in small simulated studies: 95 of 100 hold the true value.

`benchmarks.coverage` has the whole grid. Limits are loose enough that chance does not break them
(four standard errors of a share), and sharp enough that the formulas of value ± t standard errors
do: the tests show that too.
"""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from benchmarks.coverage.grid import CHECKED, MANY, RESULTS, Regime, covered
from benchmarks.coverage.worlds import ENDLESS, World, alike

from accordant import agreement, compare, diagnose
from accordant.counts.counts import Counts
from accordant.inference.categories import specific_agreement
from accordant.inference.intervals import uncertainty
from accordant.inference.score import least_possible
from accordant.inference.settings import Method, Settings
from accordant.measure.coefficients import COEFFICIENTS
from accordant.measure.distances import weights_for

N = 300
ROOM = 4 * (0.95 * 0.05 / N) ** 0.5  # about .05


def holding(regime: Regime, key: str, method: Method, name: str = "", seed: int = 1) -> float:
    """Share of the intervals of n studies that hold the true value."""
    rng = np.random.default_rng(seed)
    large = regime.counts(*regime.annotations(MANY, rng))
    coefficient = COEFFICIENTS[key]
    w = weights_for(name, large) if name else regime.weights(key, large)
    true = float(coefficient.parts(large, w).value)
    held = []
    for _ in range(N):
        counts = regime.counts(*regime.annotations(regime.n_items, rng))
        value = float(coefficient.parts(counts, w).value)
        found = uncertainty(coefficient, counts, w, value, Settings(method))
        if not np.isnan(value):
            held.append(found.low - 1e-9 <= true <= found.high + 1e-9)
    return float(np.mean(held))


HARD = {
    "few items": (Regime(30, 3, 3, 0.9, "nominal"), "alpha"),
    "a rare category": (Regime(100, 3, 3, 0.95, "nominal"), "kappa"),
    "little disagreement": (Regime(50, 2, 2, 0.9, "nominal"), "percent"),
    "many coders, few annotations": (Regime(50, 40, 4, 0.9, "ordinal"), "pi"),
    "a skewed scale": (Regime(50, 2, 2, 0.9, "ordinal"), "alpha"),
}


@pytest.mark.parametrize("name", HARD)
def test_where_few_items_decide(name: str) -> None:
    regime, key = HARD[name]
    assert holding(regime, key, "auto") > 0.95 - ROOM
    assert holding(regime, key, "analytic") < 0.95 - ROOM / 2  # which is why it is not the default


@pytest.mark.parametrize("kind", ["nominal", "ordinal", "sets"])
@pytest.mark.parametrize("varied", [False, True])
def test_the_grid_measures_what_the_package_returns(kind: str, varied: bool) -> None:
    """Its own way to the answer, all studies at once, says of each study what ours says."""
    for row in covered(Regime(30, 6, 4, 0.8, kind, varied), CHECKED):
        assert row.checked > CHECKED / 2
        assert row.alike == row.checked


def test_the_published_grid_has_no_bad_cell() -> None:
    """Nine of ten in every cell; value ± t standard errors goes down to four."""
    found = json.loads(RESULTS.read_text(encoding="utf-8"))
    held = [row["held"] for grid in ("tuned", "tested") for row in found[grid]]
    assert len(held) > 1000
    assert min(h["auto"] for h in held) > 0.9
    assert np.mean([h["auto"] < 0.93 for h in held]) < 0.02
    assert min(h["analytic"] for h in held) < 0.6


def test_guessing_coders_are_not_called_better_than_chance() -> None:
    """At 5 %: a score test says so of hardly any, value ± t standard errors of a third."""
    rng, rows = np.random.default_rng(9), {"auto": [], "analytic": []}
    for _ in range(N):
        guesses = np.where(rng.random((2, 50)) < 0.9, "a", "b").tolist()
        for method, found in rows.items():
            row = agreement(guesses, "alpha", interval=method)["alpha"]
            if not np.isnan(row.value):
                found.append(row.p_value < 0.05)
    assert np.mean(rows["auto"]) < 0.05 + ROOM
    assert np.mean(rows["analytic"]) > 0.2


def test_the_worst_disagreement_is_rare() -> None:
    """With quadratic weights few items show how far two coders can be apart."""
    regime = Regime(20, 2, 2, 0.5, "ordinal")
    assert holding(regime, "percent", "auto", "quadratic") > 0.95 - ROOM / 2
    assert holding(regime, "percent", "analytic", "quadratic") < 0.95 - ROOM


LONG = {
    "noise": lambda rng, shape: rng.normal(scale=12, size=shape),
    "heavy tails": lambda rng, shape: 8 * rng.standard_t(3, size=shape),
    "a few outliers": lambda rng, shape: np.where(
        rng.random(shape) < 0.02, rng.normal(scale=45, size=shape), rng.normal(scale=12, size=shape)
    ),
}


def rated(noise: str, n_items: int, rng: np.random.Generator) -> Counts:
    """Four coders on a scale from 0 to 100."""
    true = rng.normal(50, 17, (n_items, 1)) + LONG[noise](rng, (n_items, 4))
    values, codes = np.unique(np.clip(true.round(), 0, 100), return_inverse=True)
    regime = Regime(n_items, 4, 4, 0.5, "ordinal")
    counts = regime.counts(np.tile(np.arange(4), (n_items, 1)), codes.reshape(n_items, 4))
    return replace(counts, values=tuple(values.tolist()))


@pytest.mark.parametrize("noise", LONG)
def test_a_long_scale(noise: str) -> None:
    """Where no two coders use both ends for one item, its ends do not make intervals wide."""
    rng, alpha = np.random.default_rng(8), COEFFICIENTS["alpha"]
    many = rated(noise, 50_000, rng)
    true = float(alpha.parts(many, weights_for("interval", many)).value)
    held, wide = [], []
    for _ in range(N):
        counts = rated(noise, 60, rng)
        w = weights_for("interval", counts)
        value = float(alpha.parts(counts, w).value)
        auto, plain = (
            uncertainty(alpha, counts, w, value, Settings(m)) for m in ("auto", "analytic")
        )
        held.append(auto.low <= true <= auto.high)
        wide.append((auto.high - auto.low) / (plain.high - plain.low))
    assert np.mean(held) > 0.95 - ROOM
    assert np.mean(wide) < 2


def test_sets_of_labels() -> None:
    assert holding(Regime(30, 3, 3, 0.9, "sets"), "alpha", "auto") > 0.95 - ROOM


def test_single_annotations_do_not_make_intervals_wide() -> None:
    """Gwet's formulas do: 99 of 100 hold, with errors that are half as large again."""
    world = World("", (0.5, 0.3, 0.2), alike(0.8, 2), missing=0.2)
    endless, rng = world.counts(), np.random.default_rng(2)
    percent = COEFFICIENTS["percent"]
    width: dict[str, list[float]] = {"auto": [], "analytic": []}
    for times in rng.multinomial(400, endless.times / ENDLESS, size=50):
        counts = endless.drawn(times.astype(float))
        w = HARD["few items"][0].weights("percent", counts)
        for method, found in width.items():
            sure = uncertainty(
                percent, counts, w, float(percent.parts(counts, w).value), Settings(method)
            )
            found.append(sure.high - sure.low)
    assert np.mean(width["analytic"]) > 1.3 * np.mean(width["auto"])


@pytest.mark.parametrize("key", ["alpha", "kappa", "percent", "ac"])
def test_many_items_make_both_the_same(key: str) -> None:
    """Where many items decide, value ± t standard errors is taken, and a score says the same."""
    regime = Regime(2000, 3, 3, 0.5, "nominal")
    counts = regime.counts(*regime.annotations(2000, np.random.default_rng(3)))
    w, c = regime.weights(key, counts), COEFFICIENTS[key]
    value = float(c.parts(counts, w).value)
    auto, plain = (uncertainty(c, counts, w, value, Settings(m)) for m in ("auto", "analytic"))
    assert auto.method.startswith("delta method")
    assert (auto.low, auto.high) == pytest.approx((plain.low, plain.high))


def rare(n_items: int, n_coders: int, share: float, rng: np.random.Generator) -> Counts:
    """Two categories, the second as rare as said."""
    regime = Regime(n_items, n_coders, n_coders, 1 - share, "nominal")
    return regime.counts(*regime.annotations(n_items, rng))


def test_specific_agreement_on_a_rare_category() -> None:
    """5 % of 60 items: value ± t standard errors holds 81 of 100."""
    rng = np.random.default_rng(4)
    true = specific_agreement(rare(200_000, 3, 0.05, rng), 1).value
    found = [specific_agreement(rare(60, 3, 0.05, rng), 1) for _ in range(N)]
    known = [e for e in found if not np.isnan(e.value)]
    assert np.mean([e.low <= true <= e.high for e in known]) > 0.95 - ROOM


def test_one_disputed_item_is_not_certain() -> None:
    """Value ± t standard errors gave [.5, .5] and such intervals."""
    rows = [["a", "a"]] * 30 + [["b", "b", "a"]]
    found = diagnose([list(x) for x in zip(*[[*r, "a"][:3] for r in rows], strict=True)])
    (category,) = (c for c in found.pooled.categories.rows if c.category == "b")
    assert category.specific.high - category.specific.low > 0.5


def test_differences_of_small_rounds() -> None:
    """No difference between rounds of 40 items with a rare category: 95 of 100 hold 0."""
    rng, held, plain = np.random.default_rng(5), [], []
    regime = Regime(40, 2, 2, 0.9, "nominal")
    for _ in range(150):
        one, two = (labels(regime, rng) for _ in range(2))
        for method, found in (("auto", held), ("analytic", plain)):
            (row,) = compare(one, two, "alpha", paired=False, interval=method)
            if not np.isnan(row.difference):
                found.append(row.low <= 0 <= row.high)
    assert np.mean(held) > 0.95 - 0.07


def labels(regime: Regime, rng: np.random.Generator) -> list[list[str]]:
    return [["ab"[k] for k in column] for column in regime.annotations(regime.n_items, rng)[1].T]


# ------------------------------------------------------------------ Light's kappa


def light_of(counts: Counts):
    w, c = HARD["few items"][0].weights("light", counts), COEFFICIENTS["light"]
    value = float(c.parts(counts, w).value)
    return value, uncertainty(c, counts, w, value, Settings("auto", n_resamples=400))


def test_light_has_no_interval_where_pairs_share_few_items() -> None:
    regime = Regime(400, 40, 3, 0.5, "nominal")
    counts = regime.counts(*regime.annotations(400, np.random.default_rng(6)))
    value, sure = light_of(counts)
    assert value < 0.64 - 0.1  # biased: the true value is .64
    assert np.isnan(sure.low)


@pytest.mark.parametrize("n_items, n_coders, main", [(60, 3, 0.9), (160, 4, 0.5), (400, 6, 0.5)])
def test_light_holds_what_it_promises_where_they_share_enough(
    n_items: int, n_coders: int, main: float
) -> None:
    regime, held = Regime(n_items, n_coders, 3, main, "nominal"), []
    rng = np.random.default_rng(7)
    for _ in range(100):
        value, sure = light_of(regime.counts(*regime.annotations(n_items, rng)))
        if not np.isnan(value):
            held.append(sure.low <= 0.64 <= sure.high)
    assert np.mean(held) > 0.95 - 0.09


# ------------------------------------------------------------------ limits


def test_the_least_possible_is_reached() -> None:
    """Two coders who never agree: -1, by S, π and κ, and by AC of two categories."""
    regime = Regime(2, 2, 2, 0.5, "nominal")
    counts = regime.counts(np.array([[0, 1]] * 2), np.array([[0, 1], [1, 0]]))
    for key in ("s", "pi", "kappa", "ac", "light"):
        c, w = COEFFICIENTS[key], regime.weights("alpha", counts)
        assert least_possible(c, counts, w) == pytest.approx(-1)
        assert float(c.parts(counts, w).value) == pytest.approx(-1)
