"""How many items: closed forms, printed tables, and studies of the planned size."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from accordant import COEFFICIENTS, RequestError
from accordant.counts.counts import Counts
from accordant.inference.influence import linearise
from accordant.inference.intervals import uncertainty
from accordant.inference.power import (
    expected_lower_limit,
    items_for_limits,
    items_for_power,
    items_for_test,
)
from accordant.inference.sample_size import (
    World,
    expected_counts,
    expected_width,
    plan_from_assumptions,
    plan_from_pilot,
)
from accordant.inference.settings import Settings
from accordant.measure.distances import weights_for
from accordant.measure.registry import Coefficient
from golden.cases import Case, of_measures
from inference.test_linearised import random_rows
from laws.drawing import Rows, counts_of, every

WORLDS: list[World] = ["certain or guess", "difficulty"]


# ------------------------------------------------------------------ assumed worlds


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("n_coders", [2, 3, 5])
@pytest.mark.parametrize("agreement", [0.0, 0.4, 1.0])
def test_a_world_is_what_it_says(world: World, n_coders: int, agreement: float) -> None:
    """Probabilities sum to 1; shares and kappa are those asked for."""
    shares = [0.5, 0.3, 0.2]
    counts = expected_counts(agreement, shares, n_coders, world=world)
    assert counts.times.sum() == pytest.approx(1e12)
    assert counts.share == pytest.approx(shares)
    w = weights_for("identity", counts)
    for key in ("pi", "alpha"):
        value = float(COEFFICIENTS[key].parts(counts, w).value)
        assert value == pytest.approx(agreement, abs=1e-9)


def test_two_coders_have_one_world() -> None:
    one, two = (expected_counts(0.3, [0.7, 0.2, 0.1], 2, world=w) for w in WORLDS)
    assert one.times == pytest.approx(two.times)


def test_worlds_by_simulation() -> None:
    """Items of three coders drawn as the two stories tell, against the exact probabilities."""
    rng = np.random.default_rng(1)
    p, kappa, n = np.array([0.6, 0.4]), 0.5, 200_000
    clear = rng.random(n) < kappa
    told = rng.choice(2, (n, 3), p=p)
    told[clear] = told[clear, :1]
    own = rng.beta(p[1] * (1 - kappa) / kappa, p[0] * (1 - kappa) / kappa, n)
    graded = (rng.random((n, 3)) < own[:, None]).astype(int)
    for world, drawn in zip(WORLDS, (told, graded), strict=True):
        counts = expected_counts(kappa, p.tolist(), 3, world=world)
        table = np.zeros((counts.n_patterns, 2))
        table[counts.row, counts.value] = counts.n
        seconds = table[:, 1].astype(int)  # how many coders of a pattern give the second label
        seen = np.bincount(drawn.sum(1), minlength=4) / n
        assert counts.times / 1e12 == pytest.approx(seen[seconds], abs=5 * 0.5 / n**0.5)


@pytest.mark.parametrize("n_coders, world", list(product((2, 3), WORLDS)))
def test_kappa_varies_as_pi_where_coders_are_alike(n_coders: int, world: World) -> None:
    """The patterns with the coders named, for which kappa and Light's kappa are defined."""
    bare = expected_counts(0.5, [0.5, 0.3, 0.2], n_coders, world=world)
    named = _with_coders(bare, n_coders)
    w = weights_for("identity", named)
    pi, kappa, light = (
        linearise(COEFFICIENTS[k], named, w).variance() for k in ("pi", "kappa", "light")
    )
    assert kappa == pytest.approx(pi, rel=1e-6)
    assert light == pytest.approx(pi, rel=1e-6)


def _with_coders(bare: Counts, n_coders: int) -> Counts:
    """Each pattern in all orders of the coders, equally likely."""
    k = bare.n_values
    table = np.zeros((bare.n_patterns, k))
    table[bare.row, bare.value] = bare.n
    of = {tuple(t): p for p, t in enumerate(table.astype(int).tolist())}
    labels = np.array(list(product(range(k), repeat=n_coders)))
    pattern = np.array([of[tuple(np.bincount(x, minlength=k))] for x in labels])
    orders = np.bincount(pattern, minlength=bare.n_patterns)
    n = len(labels)
    return Counts(
        np.arange(n + 1) * n_coders,
        np.tile(np.arange(n_coders), n),
        labels.ravel(),
        np.ones(n * n_coders, int),
        bare.times[pattern] / orders[pattern],
        bare.coders,
        bare.values,
        np.arange(n),
        True,
    )


# ------------------------------------------------------------------ wanted width


@pytest.mark.parametrize("agreement", [0.2, 0.6, 0.8])
@pytest.mark.parametrize("share", [0.5, 0.2])
def test_spread_is_the_closed_form_of_two_categories(agreement: float, share: float) -> None:
    """Bloch & Kraemer (1989): the variance of the intraclass kappa, times n."""
    plan = plan_from_assumptions(COEFFICIENTS["pi"], agreement, [share, 1 - share], 2, 0.2)
    k, pq = agreement, share * (1 - share)
    wanted = (1 - k) * ((1 - k) * (1 - 2 * k) + k * (2 - k) / (2 * pq))
    assert plan.spread**2 == pytest.approx(wanted, rel=1e-6)


@every
def test_a_study_of_the_planned_size_has_the_width(coefficient: object) -> None:
    """Mean width of the intervals of 200 studies drawn from the world."""
    plan = plan_from_assumptions(coefficient, 0.6, [0.5, 0.3, 0.2], 3, 0.2)  # type: ignore[arg-type]
    assert plan.n_items is not None
    world = _with_coders(expected_counts(0.6, [0.5, 0.3, 0.2], 3), 3)
    rng = np.random.default_rng(2)
    widths = []
    for times in rng.multinomial(plan.n_items, world.times / world.times.sum(), size=200):
        counts = world.drawn(times)
        w = weights_for("identity", counts)
        value = float(coefficient.parts(counts, w).value)  # type: ignore[attr-defined]
        found = uncertainty(coefficient, counts, w, value, Settings("delta"))  # type: ignore[arg-type]
        widths.append(found.high - found.low)
    assert np.mean(widths) == pytest.approx(0.2, rel=0.03)


def test_one_item_less_is_too_few() -> None:
    plan = plan_from_assumptions(COEFFICIENTS["ac"], 0.7, [0.6, 0.4], 4, 0.15, level=0.9)
    assert plan.n_items is not None
    assert expected_width(plan.spread, plan.n_items, level=0.9) <= 0.15
    assert expected_width(plan.spread, plan.n_items - 1, level=0.9) > 0.15


def test_more_coders_need_fewer_items() -> None:
    needed = [
        plan_from_assumptions(COEFFICIENTS["kappa"], 0.6, [0.7, 0.3], c, 0.2).n_items
        for c in (2, 3, 5)
    ]
    assert None not in needed
    assert needed == sorted(needed, reverse=True)  # type: ignore[type-var]


def test_a_pilot_foretells_the_study() -> None:
    """From 400 items to the number for half the width: four times as many."""
    counts = counts_of(random_rows(400, 3, 0.1))
    w = weights_for("identity", counts)
    kappa = COEFFICIENTS["kappa"]
    value = float(kappa.parts(counts, w).value)
    now = uncertainty(kappa, counts, w, value, Settings("delta"))
    width = now.high - now.low
    same = plan_from_pilot(kappa, counts, w, width)
    n = int(counts.n_items)
    assert same.n_items == pytest.approx(n, abs=1)
    half = plan_from_pilot(kappa, counts, w, width / 2)
    assert half.n_items == pytest.approx(4 * n, rel=0.01)
    assert half.n_items_cautious is not None
    assert half.n_items is not None
    assert half.n_items_cautious > half.n_items
    assert f"pilot of {n} items" in str(half)


def test_a_finite_population_needs_fewer() -> None:
    counts = counts_of(random_rows(100, 3, 0))
    w = weights_for("identity", counts)
    endless = plan_from_pilot(COEFFICIENTS["s"], counts, w, 0.02).n_items
    finite = plan_from_pilot(COEFFICIENTS["s"], counts, w, 0.02, population=5000).n_items
    assert endless is not None
    assert finite is not None
    assert finite == pytest.approx(
        endless / (1 + endless / 5000), rel=0.01
    )  # Cochran (1977, ch. 4)
    assert finite < 5000


@every
def test_a_pilot_of_one_item_cannot_tell(coefficient: Coefficient) -> None:
    counts = counts_of([[0, 1, 1]])
    plan = plan_from_pilot(coefficient, counts, weights_for("identity", counts), 0.1)
    assert plan.n_items is None
    assert "the pilot has one item only" in str(plan) or "undefined: " in str(plan)
    if coefficient.key in ("percent", "s", "pi", "alpha", "ac"):
        assert "one item" in str(plan)


@every
@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([[0, 0], [0, 0], [0, 0]], "every annotation is 1"),
        ([[0, -1], [-1, 1], [2, -1]], "no item was annotated by two coders"),
    ],
)
def test_an_undefined_pilot_says_why(coefficient: Coefficient, rows: Rows, reason: str) -> None:
    counts = counts_of(rows)
    plan = plan_from_pilot(coefficient, counts, weights_for("identity", counts), 0.1)
    assert plan.n_items is None
    assert np.isnan(plan.spread) or plan.spread == 0
    if np.isnan(plan.value):
        assert f"{coefficient.key} of the pilot is undefined" in str(plan)
        assert reason in str(plan)
    else:  # percent, S and AC of coders who always say the same
        assert "no variation" in str(plan)


def test_a_pilot_that_does_not_name_its_coders_has_no_kappa() -> None:
    counts = counts_of([[0, 1], [1, 1], [0, 0]]).anonymous
    plan = plan_from_pilot(COEFFICIENTS["kappa"], counts, weights_for("identity", counts), 0.1)
    assert "needs to know which coder" in str(plan)


@pytest.mark.parametrize("wrong", [{"population": 0}, {"level": "95"}, {"level": 2}])
def test_impossible_plans_are_refused(wrong: dict[str, Any]) -> None:
    counts = counts_of([[0, 1], [1, 1], [0, 0]])
    with pytest.raises(RequestError):
        plan_from_pilot(COEFFICIENTS["pi"], counts, weights_for("identity", counts), 0.1, **wrong)


def test_a_pilot_without_variation_cannot_tell() -> None:
    counts = counts_of([[0, 0], [1, 1], [2, 2]])
    plan = plan_from_pilot(COEFFICIENTS["pi"], counts, weights_for("identity", counts), 0.1)
    assert plan.n_items is None
    assert "no variation" in str(plan)
    perfect = plan_from_assumptions(COEFFICIENTS["pi"], 1, [0.5, 0.5], 2, 0.1)
    assert perfect.n_items is None


@pytest.mark.parametrize(
    "wrong",
    [
        {"width": 0},
        {"level": 95},
        {"shares": [0.5, 0.6]},
        {"shares": [1.0]},
        {"agreement": 1.2},
        {"n_coders": 1},
        {"world": "flat"},
        {"n_coders": 60, "shares": [0.1] * 10},
        {"width": 1e-9},
    ],
)
def test_bad_plans_are_refused(wrong: dict[str, object]) -> None:
    asked = {"agreement": 0.5, "shares": [0.5, 0.5], "n_coders": 2, "width": 0.2} | wrong
    with pytest.raises(RequestError):
        plan_from_assumptions(COEFFICIENTS["pi"], **asked)  # type: ignore[arg-type]


# ------------------------------------------------------------------ tests of kappa


@pytest.mark.parametrize("case", of_measures("kappa_size"), ids=str)
def test_printed_sizes_of_goodness_of_fit(case: Case) -> None:
    """R kappaSize, whose lower limits go down in steps of .001 to the first that is too far."""
    p, level = case.params, 1 - case.params["alpha"]
    shares = p["props"] if isinstance(p["props"], list) else [p["props"], 1 - p["props"]]
    if p["fn"].startswith("CI"):
        found: float = items_for_limits(
            p["kappa0"], shares, p["raters"], p["kappaL"], p["kappaU"], level=level
        )
    elif p["fn"].startswith("Power"):
        found = items_for_power(p["kappa0"], p["kappa1"], shares, p["raters"], level=level)
    else:
        limit = expected_lower_limit(p["kappa0"], shares, p["raters"], p["n"], level=level)
        found = np.floor(1000 * limit) / 1000
    assert found == pytest.approx(case.expected["value"], abs=case.tolerance)


@pytest.mark.parametrize("case", of_measures("sample_size_kappa_test"), ids=str)
def test_printed_sizes_of_a_test(case: Case) -> None:
    """R irr: Cantor (1996) and Flack and others (1988)."""
    p = case.params
    if "rate1" in p:
        first, second = ([p[r], 1 - p[r]] for r in ("rate1", "rate2"))
    else:
        first = second = p["marginals"]
    found = items_for_test(
        p["k0"],
        p["k1"],
        first,
        second,
        power=p["power"],
        level=1 - p["alpha"],
        two_sided=p.get("twosided", False),
    )
    assert found == case.expected["n"]


def test_two_categories_leave_one_table() -> None:
    """Then the worst table is the only one, and its spread that of the linearisation."""
    from accordant.inference.power import _largest_spread

    p, q, kappa = np.array([0.6, 0.4]), np.array([0.7, 0.3]), 0.5
    chance = p @ q
    both = (kappa * (1 - chance) + chance - 1 + p[0] + q[0]) / 2
    table = np.array([[both, p[0] - both], [q[0] - both, 1 - p[0] - q[0] + both]])
    counts = Counts(
        np.arange(5) * 2,
        np.tile([0, 1], 4),
        np.array([0, 0, 0, 1, 1, 0, 1, 1]),
        np.ones(8, int),
        table.ravel(),
        ("A", "B"),
        (1, 2),
        np.arange(4),
        True,
    )
    pull = linearise(COEFFICIENTS["kappa"], counts, weights_for("identity", counts))
    assert _largest_spread(kappa, p, q) ** 2 == pytest.approx(counts.times @ pull.deviation**2)


def test_the_power_is_reached() -> None:
    """Studies of the planned size reject kappa .4 in about 80 of 100 cases if it is .6."""
    n = items_for_test(0.4, 0.6, [0.5, 0.5], two_sided=True)
    world = _with_coders(expected_counts(0.6, [0.5, 0.5], 2), 2)
    rng = np.random.default_rng(3)
    rejected = 0
    for times in rng.multinomial(n, world.times / world.times.sum(), size=500):
        counts = world.drawn(times)
        w = weights_for("identity", counts)
        value = float(COEFFICIENTS["kappa"].parts(counts, w).value)
        found = uncertainty(
            COEFFICIENTS["kappa"], counts, w, value, Settings("large-sample", null=0.4)
        )
        rejected += found.p_value < 0.05
    # the plan takes the spread under the null, the test the one it sees: some points apart
    assert rejected / 500 == pytest.approx(0.8, abs=0.08)


def test_bad_tests_are_refused() -> None:
    for call in (
        lambda: items_for_power(0.4, 0.4, [0.5, 0.5], 2),
        lambda: items_for_power(0.4, 0.6, [0.5, 0.5], 2, power=80),
        lambda: items_for_limits(0.4, [0.5, 0.5], 2, 0.5),
        lambda: items_for_limits(0.4, [0.5, 0.5], 2, 0.3, 0.35),
        lambda: items_for_limits(0.4, [0.5, 0.5], 2, 0.3, level=0.4),
        lambda: items_for_test(0.4, 0.4, [0.5, 0.5]),
        lambda: items_for_test(0.4, 0.6, [0.5, 0.5], [1.0]),
        lambda: items_for_test(0.4, 0.9, [0.9, 0.1], [0.1, 0.9]),
    ):
        with pytest.raises(RequestError):
            call()
