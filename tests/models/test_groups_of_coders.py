"""Agreement of humans with humans and with models, and the paired tests between them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import accordant as ac
from accordant.errors import RequestError

Rows = list[tuple[str, str, Any]]


def made(seed: int, n_items: int = 80, gaps: float = 0.0, n_humans: int = 3) -> Rows:
    rng = np.random.default_rng(seed)
    right = rng.integers(1, 4, n_items)
    chance = [0.85, 0.7, 0.6, 0.8, 0.75][:n_humans]
    coders = [*((f"h{j}", p) for j, p in enumerate(chance)), ("m1", 0.8), ("m2", 0.5)]
    return [
        (f"i{i}", name, int(right[i] if rng.random() < p else rng.integers(1, 4)))
        for i in range(n_items)
        for name, p in coders
        if name[0] == "m" or rng.random() >= gaps
    ]


def only(rows: Rows, *names: str) -> Rows:
    return [r for r in rows if r[1] in names]


@pytest.mark.parametrize("scale", ["nominal", "ordinal", "interval"])
@pytest.mark.parametrize("coefficient", ["alpha", "kappa", "percent", "ac", "pi", "s"])
def test_pairs_are_those_of_agreement(coefficient: str, scale: str) -> None:
    """Two coders: the same value and analytic interval as `agreement` gives, same weights."""
    rows = made(1, gaps=0.3)
    seen = {i for i, c, _ in rows if c[0] == "h"}
    rows = [r for r in rows if r[0] in seen]
    weights = None if scale == "nominal" else "quadratic"
    how = {"scale": scale, "categories": [1, 2, 3]}
    found = ac.model_as_coder(rows, ["m1", "m2"], coefficient=coefficient, weights=weights, **how)
    assert len(found.pairs) == 10
    for pair in found.pairs:
        data = ac.read(only(rows, pair.first, pair.second), items="shared", **how)
        expected = ac.agreement(data, coefficient, weights=weights, interval="analytic")[
            coefficient
        ]
        assert pair.n_items == expected.n_pairable
        assert pair.value == pytest.approx(expected.value)
        assert (pair.low, pair.high) == pytest.approx((expected.low, expected.high))
    kinds = [p.kind for p in found.pairs]
    assert kinds == ["human–human"] * 3 + ["human–model"] * 6 + ["model–model"]


@pytest.mark.parametrize("measure", ["alpha_masi", "boot_match", "augmented"])
def test_pairs_of_label_sets(measure: str) -> None:
    rng = np.random.default_rng(7)
    sets = [";".join(x) for x in (["a"], ["b"], ["a", "b"], ["b", "c"])]
    rows = [(str(i), c, sets[rng.integers(4)]) for i in range(40) for c in ("A", "B", "m")]
    how = {"separator": ";"}
    found = ac.model_as_coder(rows, "m", coefficient=measure, **how)
    for pair in found.pairs:
        own = only(rows, pair.first, pair.second)
        expected = ac.agreement(own, measure, interval="analytic", **how)[measure]
        assert pair.value == pytest.approx(expected.value)
        assert (pair.low, pair.high) == pytest.approx((expected.low, expected.high))


def test_groups_of_one() -> None:
    """With one human and one model the groups are the two coders."""
    rows = only(made(2), "h0", "m1")
    found = ac.model_as_coder(rows, "m1", coefficient="kappa")
    expected = ac.agreement(rows, "kappa", interval="analytic")["kappa"]
    group = found.groups[1]
    assert (group.kind, group.first, group.second) == ("human–model", None, "m1")
    assert (group.value, group.se, group.low, group.high) == pytest.approx(
        (expected.value, expected.se, expected.low, expected.high)
    )


def test_percent_of_groups_by_hand() -> None:
    rows = made(3, gaps=0.3)
    found = ac.model_as_coder(rows, ["m1"], humans=["h0", "h1", "h2"], coefficient="percent")
    said = {(i, c): x for i, c, x in rows}
    items = sorted({i for i, _, _ in rows})
    human, model = [], []
    for i in items:
        own = [said[i, h] for h in ("h0", "h1", "h2") if (i, h) in said]
        if len(own) > 1:
            pairs = [a == b for j, a in enumerate(own) for k, b in enumerate(own) if j != k]
            human.append(np.mean(pairs))
            model.append(np.mean([x == said[i, "m1"] for x in own]))
    (beside,) = found.beside
    assert found.groups[0].value == pytest.approx(np.mean(human))
    assert (beside.of_human, beside.of_model) == pytest.approx((np.mean(human), np.mean(model)))
    d = np.array(model) - np.array(human)
    assert beside.se == pytest.approx(d.std(ddof=1) / np.sqrt(len(d)))
    assert beside.n_items == len(d)


@pytest.mark.parametrize("coefficient", ["alpha", "kappa", "percent"])
def test_beside_one_human_is_a_paired_comparison(coefficient: str) -> None:
    """Two humans: model and human with the other one is `compare` of two rounds (Gwet 2016)."""
    rows = only(made(4), "h0", "h1", "m1")
    found = ac.model_as_coder(rows, "m1", coefficient=coefficient)
    for beside, other in zip(found.beside_each, ("h1", "h0"), strict=True):
        before = ac.read(only(rows, beside.human or "", other))
        after = ac.read(only(rows, "m1", other))
        expected = ac.compare(before, after, coefficient, interval="analytic")[coefficient]
        assert (beside.of_human, beside.of_model, beside.difference, beside.se) == pytest.approx(
            (expected.before, expected.after, expected.difference, expected.se)
        )
        assert (beside.low, beside.high, beside.p_value) == pytest.approx(
            (expected.low, expected.high, expected.p_value)
        )


@pytest.mark.parametrize("coefficient", ["alpha", "kappa", "ac"])
def test_standard_errors_are_those_of_a_bootstrap(coefficient: str) -> None:
    rows = made(5, n_items=100, gaps=0.25, n_humans=5)
    base = ac.model_as_coder(rows, ["m1", "m2"], coefficient=coefficient)
    items = sorted({i for i, _, _ in rows})
    of = {i: [(c, x) for j, c, x in rows if j == i] for i in items}
    rng = np.random.default_rng(6)
    drawn = []
    for _ in range(150):
        chosen = [items[k] for k in rng.integers(0, len(items), len(items))]
        again = [(str(k), c, x) for k, i in enumerate(chosen) for c, x in of[i]]
        found = ac.model_as_coder(again, ["m1", "m2"], coefficient=coefficient)
        drawn.append(
            [
                found.groups[0].value,
                found.groups[1].value,
                found.beside[0].difference,
                found.beside_each[1].difference,
            ]
        )
    expected = [base.groups[0].se, base.groups[1].se, base.beside[0].se, base.beside_each[1].se]
    assert np.std(drawn, axis=0) == pytest.approx(expected, rel=0.22)


def test_undefined_agreement_has_a_reason() -> None:
    rows = [(str(i), c, "x") for i in range(40) for c in ("A", "B", "m")]
    rows += [("99", "C", "y"), ("99", "m", "y")]
    found = ac.model_as_coder(rows, "m", coefficient="kappa")
    (human, *_) = found.groups
    assert np.isnan(human.value)
    assert human.undefined
    c = next(b for b in found.beside_each if b.human == "C")
    assert (c.n_items, c.undefined) == (0, "no item was annotated by both")
    pair = next(p for p in found.pairs if (p.first, p.second) == ("A", "C"))
    assert (pair.n_items, pair.undefined) == (0, "no item was annotated by both")


def test_only_the_busiest_humans_are_paired() -> None:
    rows = [(str(i), f"h{j:02}", "xy"[(i + j) % 2]) for j in range(35) for i in range(20 + j)]
    rows += [(str(i), "m", "xy"[i % 2]) for i in range(60)]
    found = ac.model_as_coder(rows, "m")
    assert found.n_humans_left_out == 5
    assert len(found.pairs) == 31 * 30 // 2
    assert "h04" not in {p.first for p in found.pairs}


def test_coefficients_without_a_version_for_groups() -> None:
    with pytest.raises(RequestError, match="cannot compare a model with a group of humans"):
        ac.model_as_coder(made(1), "m1", coefficient="label_kappa")
