"""The alternative annotator test: published outcomes, a second way to compute it, and laws."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import accordant as ac
from accordant.errors import RequestError
from accordant.models.alternative_test.noninferiority import (
    adjusted,
    chance_to_pass,
    epsilons,
    exactly_below,
    mean_below,
    score,
    signed_ranks_below,
)

Rows = list[tuple[str, str, Any]]

PUBLISHED = ("wax", "mtbench", "cebab_aspects", "10k_prompts", "cebab_stars", "lesion")
FEW = settings(max_examples=25, deadline=None)


def rows_of(table: dict[str, dict[str, Any]]) -> Rows:
    return [(item, coder, label) for coder, own in table.items() for item, label in own.items()]


# ------------------------------------------------------------------ as published


@pytest.mark.parametrize("name", PUBLISHED)
def test_outcomes_published_by_calderon_et_al(name: str, real_data) -> None:
    """All 34 printed rows: outcome, winning rate and advantage probability, to two decimals."""
    read = lambda what: json.loads(real_data(f"alt_test/{what}.json").read_text())  # noqa: E731
    expected = [r for r in read("expected")["rows"] if r["dataset"] == name]
    how = {k: expected[0][k] for k in ("epsilon", "alignment")}
    scale = {"scale": "interval"} if how["alignment"] == "neg_rmse" else {}
    humans, models = (rows_of(read(f"{name}_{who}")) for who in ("human", "models"))
    found = ac.model_as_coder(humans, ac.read(models, **scale), **how, **scale)
    assert len(found.tests) == len(expected)
    for row in expected:
        test = found[row["model"]]
        assert ("passed" if test.passed else "failed") == row["outcome"]
        assert f"{test.winning_rate:.2f}" == f"{row['winning_rate']:.2f}"
        assert f"{test.advantage:.2f}" == f"{row['advantage_probability']:.2f}"


# ------------------------------------------------------------------ a second way


def made(seed: int, n_items: int = 60, n_humans: int = 4, n_values: int = 3) -> tuple[Rows, Rows]:
    """Humans with gaps, and two models; labels 1, 2, …"""
    rng = np.random.default_rng(seed)
    right = rng.integers(1, n_values + 1, n_items)

    def said(i: int, chance: float) -> int:
        return int(right[i] if rng.random() < chance else rng.integers(1, n_values + 1))

    humans = [
        (f"i{i}", f"h{j}", said(i, 0.8 - 0.1 * (j % 3)))
        for i in range(n_items)
        for j in range(n_humans)
        if rng.random() < 0.7
    ]
    models = [
        (f"i{i}", f"m{k}", said(i, 0.6 + 0.2 * k))
        for i in range(n_items)
        for k in range(2)
        if rng.random() < 0.9
    ]
    return humans, models


def near(alignment: str, label: int, others: list[int]) -> float:
    if alignment == "accuracy":
        return float(np.mean([label == x for x in others]))
    return -float(np.sqrt(np.mean([(label - x) ** 2 for x in others])))


def by_hand(
    humans: Rows, models: Rows, model: str, alignment: str, epsilon: float, least: int = 0
) -> dict[str, Any]:
    """The test as the paper tells it: item by item, human by human."""
    given_by: dict[str, dict[str, int]] = {}
    for item, coder, label in humans:
        given_by.setdefault(item, {})[coder] = label
    said = {item: label for item, coder, label in models if coder == model}
    names = sorted({coder for _, coder, _ in humans})
    p, rho, differences = {}, {}, {}
    for human in names:
        wins, losses = [], []
        for item, own in given_by.items():
            others = [x for h, x in own.items() if h != human]
            if human not in own or item not in said or not others:
                continue
            a, b = (near(alignment, x, others) for x in (said[item], own[human]))
            same = abs(a - b) < 1e-9
            wins.append(a > b or same)
            losses.append(b > a or same)
        if len(wins) <= least:
            continue
        d = np.array(losses, float) - np.array(wins, float)
        p[human] = float(stats.ttest_1samp(d, epsilon, alternative="less").pvalue)
        rho[human] = float(np.mean(wins))
        differences[human] = float(d.mean())
    order = sorted(p, key=lambda h: p[h])
    m = len(order)
    bound = [0.05 * (k + 1) / (m * sum(1 / (i + 1) for i in range(m))) for k in range(m)]
    last = max((k for k in range(m) if p[order[k]] <= bound[k]), default=-1)
    return {
        "rate": (last + 1) / m,
        "rho": float(np.mean(list(rho.values()))),
        "p": p,
        "each": rho,
        "beaten": set(order[: last + 1]),
        "difference": differences,
    }


@pytest.mark.parametrize("alignment", ["accuracy", "neg_rmse", "function"])
@pytest.mark.parametrize("seed", range(6))
def test_against_loops(alignment: str, seed: int) -> None:
    humans, models = made(seed, n_items=50 + 10 * seed, n_humans=3 + seed % 3)
    as_function = lambda label, others: near("neg_rmse", label, others)  # noqa: E731
    plain = "neg_rmse" if alignment == "function" else alignment
    found = ac.model_as_coder(
        humans,
        ac.read(models),
        epsilon=0.15,
        min_items=0,
        scale="interval",
        alignment=as_function if alignment == "function" else alignment,
    )
    for model in ("m0", "m1"):
        expected = by_hand(humans, models, model, plain, 0.15)
        test = found[model]
        assert test.winning_rate == pytest.approx(expected["rate"])
        assert test.advantage == pytest.approx(expected["rho"])
        assert {t.human for t in test.tests if t.beaten} == expected["beaten"]
        for t in test.tests:
            assert t.p_value == pytest.approx(expected["p"][t.human], abs=1e-12)
            assert t.advantage == pytest.approx(expected["each"][t.human])
            assert t.difference == pytest.approx(expected["difference"][t.human])


def test_similarity_of_sets() -> None:
    """The mean MASI weight of the other humans decides who is nearer."""
    humans = [("1", "A", {"x", "y"}), ("1", "B", {"x"}), ("1", "C", {"z"})]
    humans = [(i, c, ";".join(sorted(s))) for i, c, s in humans] * 1
    found = ac.model_as_coder(
        humans,
        ac.read([("1", "m", "x")], separator=";"),
        separator=";",
        alignment="similarity",
        coefficient="alpha_masi",
    )
    sign = dict(zip((found.humans[k] for k in found.sides.human), found.signs[:, 0], strict=True))
    # MASI of {x} and {x, y} is 1/2 * 2/3: beside B and C, A gets 1/3 and the model 1 in sum;
    # beside A and C, B and the model say the same; beside A and B, C gets 0 and the model 4/3
    assert sign == {"A": -1, "B": 0, "C": -1}


def test_nobody_wins_by_rounding() -> None:
    """0.2 and 0.3 are as near to 0.1 and 0.4, though floating-point squares say otherwise."""
    assert (0.2 - 0.1) ** 2 + (0.4 - 0.2) ** 2 != (0.3 - 0.1) ** 2 + (0.4 - 0.3) ** 2
    humans = [("1", "A", 0.1), ("1", "B", 0.4), ("1", "C", 0.2)]
    found = ac.model_as_coder(
        humans, ac.read([("1", "m", 0.3)]), alignment="neg_rmse", scale="interval"
    )
    assert {
        found.humans[k]: int(x) for k, x in zip(found.sides.human, found.signs[:, 0], strict=True)
    }["C"] == 0


# ------------------------------------------------------------------ tests of one human


def test_ranks_against_all_signs() -> None:
    rng = np.random.default_rng(1)
    for _ in range(30):
        x = rng.choice([-1.1, -0.1, 0.9, 0.0, 2.0], rng.integers(1, 10))
        y = x[x != 0]
        if not len(y):
            continue
        ranks = stats.rankdata(np.round(np.abs(y), 9))
        ways = [
            sum(r for r, s in zip(ranks, signs, strict=True) if s > 0)
            for signs in itertools.product((-1, 1), repeat=len(y))
        ]
        statistic, p = signed_ranks_below(x)
        assert statistic == pytest.approx(ranks[y > 0].sum())
        assert p == pytest.approx(np.mean(np.array(ways) <= ranks[y > 0].sum() + 1e-9))


def test_ranks_against_scipy() -> None:
    rng = np.random.default_rng(2)
    for n in (5, 12, 25):
        x = rng.normal(-0.2, 1, n)
        expected = stats.wilcoxon(x, alternative="less", method="exact")
        assert signed_ranks_below(x) == pytest.approx((expected.statistic, expected.pvalue))


def test_adjusted_against_scipy() -> None:
    rng = np.random.default_rng(3)
    for m in (1, 2, 7, 40):
        p = rng.random(m) ** 3
        assert adjusted(p) == pytest.approx(stats.false_discovery_control(p, method="by"))
    with_gaps = adjusted(np.array([np.nan, 0.01, 0.02]))
    assert np.isnan(with_gaps[0])
    assert with_gaps[1:] == pytest.approx(adjusted(np.array([0.01, 0.02])))


def test_values_without_spread() -> None:
    n = np.array([40.0, 40.0, 40.0, 1.0])
    mean, bound = np.array([0.0, 0.1, 0.0, 0.0]), np.array([0.1, 0.1, 0.0, 0.1])
    _, p = mean_below(n, mean, mean**2, bound)
    assert p[:3].tolist() == [0.0, 1.0, 1.0]
    assert np.isnan(p[3])


def likely(n: int, epsilon: float, share: float) -> dict[tuple[int, int], float]:
    """How likely each outcome (model nearer, human nearer) is if the model loses exactly ε."""
    at = np.array([(a, b) for a in range(n + 1) for b in range(n + 1 - a)]).T
    rest = min((share + epsilon) / (1 - share), 1.0)
    chance = stats.binom.pmf(at[0], n, share) * stats.binom.pmf(at[1], n - at[0], rest)
    return dict(zip(map(tuple, at.T.tolist()), chance.tolist(), strict=True))


@pytest.mark.parametrize(("n", "epsilon"), [(6, 0.2), (11, 0.1), (14, 0.0), (9, 0.5), (5, 1.0)])
def test_exact_p_values_against_all_outcomes(n: int, epsilon: float) -> None:
    shares = (1 - epsilon) / 2 * np.linspace(0, 1, 300) ** 2
    chance = [likely(n, epsilon, x) for x in shares]
    scores = {o: float(score(n, *o, epsilon)) for o in chance[0]}
    for outcome, t in list(scores.items())[::3]:
        as_low = [o for o, x in scores.items() if x <= t + 1e-9]
        worst = max(sum(c[o] for o in as_low) for c in chance)
        found, p = exactly_below(n, *outcome, epsilon)
        assert found == t
        assert p == pytest.approx(worst, abs=2e-3)
        assert p >= worst - 1e-9


def test_the_score_by_search() -> None:
    """The standard error where the loss is ε, with the share of ties that is most likely then."""
    n, a, b, epsilon = 20, 3, 4, 0.15
    shares = np.linspace(1e-6, (1 - epsilon) / 2 - 1e-6, 200_001)
    log = a * np.log(shares) + b * np.log(shares + epsilon)
    log += (n - a - b) * np.log(1 - 2 * shares - epsilon)
    best = shares[log.argmax()]
    error = np.sqrt((2 * best + epsilon - epsilon**2) / n)
    assert score(n, a, b, epsilon) == pytest.approx(((b - a) / n - epsilon) / error, abs=1e-4)


@pytest.mark.parametrize("n", [10, 15, 20, 29])
@pytest.mark.parametrize("epsilon", [0.1, 0.2])
def test_few_items_keep_the_error_rate(n: int, epsilon: float) -> None:
    """A model that loses exactly ε, or more, is let through in 5 % of the tests at most.

    Wilcoxon's test lets it through in up to half of them.
    """
    p = {o: exactly_below(n, *o, epsilon)[1] for o in likely(n, epsilon, 0.0)}
    for share in (0.0, 0.02, 0.1, 0.25, (1 - epsilon) / 2):
        for more in (0.0, 0.1):
            chance = likely(n, epsilon + more, min(share, (1 - epsilon - more) / 2))
            assert sum(x for o, x in chance.items() if p[o] <= 0.05) <= 0.05 + 1e-9
    better = likely(n, -0.1, 0.15)  # a model that is nearer more often is let through
    assert sum(x for o, x in better.items() if p[o] <= 0.05) > {10: 0.15, 15: 0.3}.get(n, 0.45)


def test_few_items() -> None:
    humans, models = made(4, n_items=20)
    found = ac.model_as_coder(humans, ac.read(models), epsilon=0.2)
    assert {t.test for t in found.human_tests} == {"exact"}
    for t in found.human_tests:
        assert 5 <= t.n_items < 30
        assert t.p_value == exactly_below(t.n_items, t.n_nearer, t.n_farther, 0.2)[1]
    told = next(f for f in found.findings if f.code == "few_items")
    assert "exact" in told.sentence
    named = ac.model_as_coder(humans, ac.read(models), epsilon=0.2, few="wilcoxon")
    assert {t.test for t in named.human_tests} == {"wilcoxon"}
    assert all(t.p_value == 1.0 for t in named.human_tests if t.difference >= t.epsilon)
    assert next(f for f in named.findings if f.code == "few_items").evidence["test"] == "wilcoxon"
    assert found.signature != named.signature
    left = ac.model_as_coder(humans, ac.read(models), epsilon=0.2, few="leave_out")
    assert all(t.passed is None and np.isnan(t.winning_rate) for t in left.tests)
    assert left.findings[0].code == "not_tested"


def test_how_often_other_tests_let_through_a_model_that_loses_exactly_epsilon() -> None:
    """The shares that the finding and the notes of the call name: a model that is never nearer."""

    def share(n: int, p_value: Any) -> float:
        farther = np.arange(n + 1)
        passed = [p_value(np.repeat([1.0, 0.0], [k, n - k])) <= 0.05 for k in farther]
        return float(stats.binom.pmf(farther, n, 0.1) @ passed)

    def ranks(d: np.ndarray) -> float:
        return signed_ranks_below(d - 0.1)[1] if d.mean() < 0.1 else 1.0

    def t(d: np.ndarray) -> float:
        one = [np.array([float(x)]) for x in (len(d), d.mean(), (d * d).mean(), 0.1)]
        return float(mean_below(*one)[1][0])

    assert share(11, ranks) == pytest.approx(0.70, abs=0.005)
    assert share(30, t) == pytest.approx(0.18, abs=0.005)
    assert share(100, t) == pytest.approx(0.12, abs=0.005)


def test_where_the_t_test_is_unsafe_is_told() -> None:
    """The model is never nearer, and farther on 1 of 36 items: likely enough if it loses ε."""
    humans = [(str(i), c, "x") for i in range(36) for c in "ABC"]
    models = ac.read([(str(i), "m", "y" if i == 0 else "x") for i in range(36)])
    found = ac.model_as_coder(humans, models, epsilon=0.1)
    assert found["m"].passed
    assert {t.test for t in found["m"].tests} == {"t"}
    exact = stats.binom.cdf(1, 36, 0.1)
    for t in found["m"].tests:
        assert (t.n_nearer, t.n_farther) == (0, 1)
        assert t.exact_p_value == pytest.approx(exact)
    told = next(f for f in found.findings if f.code == "t_test_unsafe")
    assert told.severity == "problem"
    assert told.evidence["winning_rate"] == 0
    strict = ac.model_as_coder(humans, models, epsilon=0.1, min_items=37)
    assert strict["m"].passed is False
    assert "t_test_unsafe" not in {f.code for f in strict.findings}
    many = [
        (str(i), c, x)
        for k in range(5)
        for i, c, x in ((int(i) + 36 * k, c, x) for i, c, x in humans)
    ]
    sure = ac.model_as_coder(
        many, ac.read([(str(i), "m", "y" if i == 0 else "x") for i in range(180)]), epsilon=0.1
    )
    assert "t_test_unsafe" not in {f.code for f in sure.findings}


def test_humans_whom_no_outcome_could_beat_are_left_out() -> None:
    humans = [(str(i), c, "x") for i in range(40) for c in "AB"]
    humans += [(str(i), "C", "x") for i in range(4)]
    found = ac.model_as_coder(humans, ac.read([(str(i), "m", "x") for i in range(40)]))
    by_human = {t.human: t for t in found["m"].tests}
    assert by_human["C"].test == "none"
    assert by_human["C"].beaten is None
    assert found["m"].n_humans == 2


# ------------------------------------------------------------------ laws


@given(st.integers(0, 10_000), st.randoms(use_true_random=False))
@FEW
def test_order_and_names_change_nothing(seed: int, shuffle: Any) -> None:
    humans, models = made(seed, n_items=40, n_humans=3)
    base = ac.model_as_coder(humans, ac.read(models))
    new = {"h0": "z", "h1": "b", "h2": "q"}
    words = {1: "good", 2: "bad", 3: "so-so"}
    moved = [(item[1:], new[c], words[x]) for item, c, x in humans]
    others = [(item[1:], c, words[x]) for item, c, x in models]
    shuffle.shuffle(moved)
    shuffle.shuffle(others)
    again = ac.model_as_coder(moved, ac.read(others))
    for one, two in zip(base.tests, again.tests, strict=True):
        assert one.winning_rate == two.winning_rate
        assert one.advantage == pytest.approx(two.advantage, abs=1e-12)
        assert (one.low, one.high) == pytest.approx((two.low, two.high), nan_ok=True)
        p = {t.human: t.p_value for t in two.tests}
        for t in one.tests:
            assert t.p_value == pytest.approx(p[new[t.human]], abs=1e-9, nan_ok=True)
    for one, two in zip(base.beside, again.beside, strict=True):
        assert one.difference == pytest.approx(two.difference, abs=1e-9, nan_ok=True)


@given(st.integers(0, 10_000), st.sampled_from(["accuracy", "neg_rmse"]))
@FEW
def test_more_loss_is_never_harder(seed: int, alignment: str) -> None:
    humans, models = made(seed, n_items=45)
    data = ac.read(models, scale="interval")
    before = None
    for epsilon in (0.0, 0.1, 0.2, 0.5, 1.0):
        found = ac.model_as_coder(
            humans, data, epsilon=epsilon, alignment=alignment, scale="interval"
        )
        beaten = [{t.human for t in test.tests if t.beaten} for test in found.tests]
        if before is not None:
            assert all(b <= a for b, a in zip(before, beaten, strict=True))
        before = beaten


@given(st.integers(0, 10_000))
@FEW
def test_a_model_that_repeats_a_human(seed: int) -> None:
    humans, _ = made(seed)
    copy = [(item, "copy", x) for item, c, x in humans if c == "h1"]
    found = ac.model_as_coder(humans, ac.read(copy), epsilon=0.1)
    test = next(t for t in found["copy"].tests if t.human == "h1")
    assert (test.advantage, test.human_advantage, test.difference) == (1, 1, 0)
    assert test.beaten
    (told,) = (f for f in found.findings if f.code == "copy")
    assert told.evidence["humans"] == ("h1",)
    assert f"as “h1” ({told.evidence['n']} items)" in told.sentence


@given(st.integers(0, 10_000))
@FEW
def test_who_says_what_most_others_say_cannot_lose(seed: int) -> None:
    """Beside each human the model says what most of the humans say: ρ = 1 where that is clear.

    The majority of the remaining humans is that of all humans if it leads by two.
    """
    humans, _ = made(seed, n_humans=6)
    votes: dict[str, Counter[int]] = {}
    for item, _, x in humans:
        votes.setdefault(item, Counter())[x] += 1
    clear = {
        item: top[0][0]
        for item, n in votes.items()
        if (top := n.most_common(2)) and (len(top) == 1 or top[0][1] >= top[1][1] + 2)
    }
    rows = [(i, c, x) for i, c, x in humans if i in clear]
    found = ac.model_as_coder(rows, ac.read([(i, "most", x) for i, x in clear.items()]))
    assert found["most"].advantage == 1


def test_the_error_rate_is_kept() -> None:
    """Models that are worse by exactly ε are let through in 5 % of the tests, or fewer."""
    rng = np.random.default_rng(5)
    drawn = rng.choice([1.0, 0.0, -1.0], (4000, 80), p=[0.25, 0.6, 0.15])
    _, p = mean_below(np.full(4000, 80.0), drawn.mean(1), (drawn**2).mean(1), np.full(4000, 0.1))
    assert 0.035 < (p <= 0.05).mean() < 0.065


def test_intervals_of_the_advantage_cover() -> None:
    """Of 300 data sets 95 % of the intervals hold the mean over all of them, roughly."""
    found = []
    for seed in range(300):
        humans, models = made(1000 + seed, n_items=80)
        found.append(ac.model_as_coder(humans, ac.read(models))["m0"])
    mean = np.mean([t.advantage for t in found])
    spread = np.std([t.advantage for t in found])
    assert 0.91 < np.mean([t.low <= mean <= t.high for t in found]) < 0.985
    assert np.mean([t.se for t in found]) == pytest.approx(spread, rel=0.15)


# ------------------------------------------------------------------ models against each other


def test_models_are_compared_on_items_of_both() -> None:
    humans, models = made(7, n_items=200)
    found = ac.model_as_coder(humans, ac.read(models))
    (d,) = found.rivals
    both = {i for i, c, _ in models if c == "m0"} & {i for i, c, _ in models if c == "m1"}
    own = [(i, c, x) for i, c, x in models if i in both]
    expected = [by_hand(humans, own, m, "accuracy", 0.1)["rho"] for m in ("m0", "m1")]
    assert (d.first_advantage, d.second_advantage) == pytest.approx(expected)
    assert d.difference == pytest.approx(expected[0] - expected[1])
    assert d.p_value < 0.1
    assert found.best == "m1"
    twin = [*own, *[(i, "m2", x) for i, c, x in own if c == "m0"]]
    same = ac.model_as_coder(humans, ac.read(twin))
    d = next(d for d in same.rivals if (d.first, d.second) == ("m0", "m2"))
    assert (d.difference, d.p_value) == (0, 1)


# ------------------------------------------------------------------ ε and the number of items


def test_epsilon() -> None:
    assert epsilons("skilled", ["a", "b"]).tolist() == [0.15, 0.15]
    assert epsilons({"a": "expert", "b": 0}, ["a", "b"]).tolist() == [0.2, 0]
    for bad, message in (
        ("cheap", "unknown epsilon 'cheap': choose one of 'expert'"),
        (1.5, "epsilon: a number between 0 and 1, not 1.5"),
        (-0.1, "epsilon: "),
        (True, "must be a number"),
        ({"a": 0.1}, "no number for 'b'"),
        ({"a": 0.1, "b": 0.1, "c": 0.1}, "there is no human 'c'"),
    ):
        with pytest.raises(RequestError, match=message):
            epsilons(bad, ["a", "b"])  # type: ignore[arg-type]


def test_planned_items_are_enough_and_no_more() -> None:
    plan = ac.alternative_test_items(0.8, 0.82, humans=4, epsilon=0.15)
    assert plan.n_items is not None
    assert plan.chance >= 0.8 > chance_to_pass(plan.n_items - 5, 0.8, 0.82, 0.15, 4, 0.05)
    # simulated another way: every human, item and test by themselves
    rng, passed = np.random.default_rng(8), 0
    for _ in range(400):
        d = rng.choice([1.0, -1.0, 0.0], (4, plan.n_items), p=[0.2, 0.18, 0.62])
        p = stats.ttest_1samp(d, 0.15, axis=1, alternative="less").pvalue
        passed += (stats.false_discovery_control(p, method="by") <= 0.05).mean() >= 0.5
    assert passed / 400 == pytest.approx(plan.chance, abs=0.07)
    # the formula is for one human at half of the corrected level: the right size
    assert plan.n_items / 2 < plan.formula < plan.n_items * 2


def test_plans_move_the_right_way() -> None:
    n = [ac.alternative_test_items(0.8, 0.8, epsilon=e, humans=3).n_items for e in (0.1, 0.15, 0.2)]
    assert None not in n
    assert n == sorted(n, reverse=True)  # type: ignore[type-var]
    assert ac.alternative_test_items(1, 1).n_items == 30
    never = ac.alternative_test_items(0.7, 0.9, epsilon=0.2)
    assert never.n_items is None
    assert "worse than the humans by 0.200" in str(never)
    assert ac.alternative_test_items(0.8, 0.8999999).n_items is None
    again = ac.alternative_test_items(0.8, 0.82, epsilon="skilled", seed=3)
    assert again == ac.alternative_test_items(0.8, 0.82, epsilon="skilled", seed=3)
    for bad in ({"humans": 1}, {"q": 0}, {"power": 1}, {"humans": 2.5}):
        with pytest.raises(RequestError):
            ac.alternative_test_items(0.8, 0.8, **bad)
    with pytest.raises(RequestError, match="add up to less than 1"):
        ac.alternative_test_items(0.3, 0.4)
