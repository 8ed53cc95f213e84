"""What holds for sets of labels, whatever the data."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations, pairwise, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from accordant import (
    COEFFICIENTS,
    Distance,
    RequestError,
    UndefinedError,
    agreement,
    compare,
    diagnose,
    items_needed,
)
from laws.drawing import Rows, tables
from laws.drawing import annotations as single
from laws.sets import LABELS, Sets, annotations, label_sets

SCORES = [
    "overlap",
    "precision",
    "recall",
    "f1",
    "jaccard",
    "masi",
    "passonneau",
    "divided-vote",
    "identity",
]
OF_LABEL_SETS = [
    "soft_match",
    "augmented",
    "boot_match",
    "boot_recall",
    "boot_precision",
    "boot_f1",
    "alpha_masi",
    "alpha_jaccard",
    "label_kappa",
    "label_alpha",
    "kappa_sets",
    "percent",
]

CLOSE = 1e-12
some = settings(max_examples=25)  # of each measure
BOOT = ("boot_match", "boot_precision", "boot_recall", "boot_f1", "boot_masi", "boot_jaccard")
SET_MEASURES = (*OF_LABEL_SETS, "boot_masi", "alpha_passonneau", "kappa_masi", "pi_jaccard")


def value(name: str, rows: Sets, **more: Any) -> float:
    return agreement(annotations(rows), name, interval="none", **more)[name].value


# ------------------------------------------------------------------ weights


def by_hand(name: str, a: set[str], b: set[str]) -> float:
    """The definitions of the literature, on Python's own sets."""
    if not a and not b:
        return 1
    both, either = len(a & b), len(a | b)
    level = 3 if a == b else 2 if a <= b or b <= a else 1
    level = level if both else 0
    return {
        "overlap": float(bool(both)),
        "precision": both / len(a) if a else 0,
        "recall": both / len(b) if b else 0,
        "f1": 2 * both / (len(a) + len(b)),
        "jaccard": both / either,
        "masi": both / either * level / 3,
        "passonneau": level / 3,
        "divided-vote": both / (len(a) * len(b)) if both else 0,
        "identity": float(a == b),
    }[name]


EVERY = [tuple(s) for n in range(4) for s in combinations(LABELS, n)]
PAIRS = [[a, b] for a in EVERY for b in EVERY]


def weight(name: str) -> np.ndarray:
    """How much every two sets agree: the agreement on an item of two coders."""
    return diagnose(annotations(PAIRS), weights=name).pooled.items.agreement


@pytest.mark.parametrize("name", SCORES)
def test_weights_follow_their_definition(name: str) -> None:
    wanted = [by_hand(name, set(a), set(b)) for a, b in PAIRS]
    (row,) = agreement(annotations(PAIRS), "percent", weights=name, interval="none")
    assert row.observed == pytest.approx(np.mean(wanted), abs=CLOSE)
    assert weight(name) == pytest.approx(wanted, abs=CLOSE)


def test_the_order_of_the_usual_weights() -> None:
    """identity <= MASI <= Jaccard <= F1 <= overlap, and a divided vote is below F1."""
    m = {name: weight(name) for name in SCORES}
    order = ("identity", "masi", "jaccard", "f1", "overlap")
    for low, high in [*pairwise(order), ("divided-vote", "f1")]:
        assert (m[low] <= m[high] + CLOSE).all(), (low, high)


def test_a_ranked_vote() -> None:
    """Rosenberg & Binkowski (2004): the primary label counts p, the secondary 1 - p."""
    data = annotations([[("b", "a"), ("a",)], [("a", "b"), ("a", "b")]], ranked=True)
    (row,) = agreement(data, "kappa", weights="divided-vote:0.75,0.25", interval="none")
    assert row.observed == pytest.approx((0.25 + 0.75**2 + 0.25**2) / 2)
    p, q = np.array([1 / 2, 1 / 2]), np.array([1.75, 0.25]) / 2
    assert row.expected == pytest.approx(p @ q)
    (first,) = agreement(data, "kappa", weights="divided-vote:1", interval="none")
    assert first.observed == pytest.approx(1 / 2)


def test_ranks_do_not_make_another_set() -> None:
    data = annotations([[("b", "a"), ("a", "b")], [("a",), ("b",)]], ranked=True)
    (row,) = agreement(data, "percent", interval="none")
    assert row.observed == 0.5


@pytest.mark.parametrize("name", ["s", "ac", "pi", "kappa", "s_jaccard", "ac_masi", "boot_f1"])
def test_ranks_change_only_what_uses_them(name: str) -> None:
    """Two orders of the same labels are one set, so that K does not grow with them."""
    rows: Sets = [[("b", "a"), ("a", "b")], [("a", "b"), ("c",)], [("c",), ("c", "a")]] * 2
    plain = [[tuple(sorted(map(str, x or ()))) for x in row] for row in rows]
    (one,) = agreement(annotations(rows, ranked=True), name)
    (other,) = agreement(annotations(plain), name)
    for field in ("value", "observed", "expected", "se", "n_values"):
        assert getattr(one, field) == pytest.approx(getattr(other, field)), field


@pytest.mark.parametrize("given", [np.eye(3), Distance(1 - np.eye(3))])
def test_a_matrix_has_no_order_of_sets(given: Any) -> None:
    with pytest.raises(RequestError, match="no fixed order"):
        agreement([[("a", "b"), ("a",), ("c",)], [("a",), ("b",), ("c",)]], "kappa", weights=given)


def test_a_function_of_sets_is_weights() -> None:
    rows: Sets = [[("a", "b"), ("a",)], [("a",), ("a",)], [("c",), ("a", "c")]]

    def jaccard(a: tuple[str, ...], b: tuple[str, ...]) -> float:
        return len({*a} & {*b}) / len({*a} | {*b})

    (one,) = agreement(annotations(rows), "kappa", weights=jaccard)
    (other,) = agreement(annotations(rows), "kappa_jaccard")
    assert (one.value, one.se) == pytest.approx((other.value, other.se))


@pytest.mark.parametrize(
    "name, weights",
    [
        ("boot_match", "jaccard"),
        ("alpha_masi", "jaccard"),
        ("soft_match", "linear"),
        ("label_kappa", "masi"),
        ("augmented", "identity"),
    ],
)
def test_weights_are_never_left_aside_in_silence(name: str, weights: str) -> None:
    data = annotations([[("a", "b"), ("a",)], [("a",), ("b",)]])
    with pytest.raises(RequestError, match="has weights of its own"):
        agreement(data, name, weights=weights)
    with pytest.raises(RequestError, match="has weights of its own"):
        compare(data, data, name, weights=weights)


def test_weights_for_all_measure_what_takes_them() -> None:
    data = annotations([[("a", "b"), ("a",)], [("a",), ("b",)], [("c",), ("c",)]])
    assert {r.weights for r in agreement(data, weights="jaccard")} == {"jaccard"}
    with pytest.raises(RequestError, match="these are not ranked"):
        agreement(data, weights="divided-vote:0.6,0.4")
    first = annotations([[("b", "a"), ("a",)], [("a",), ("b",)], [("c",), ("c",)]], ranked=True)
    ranked = agreement(first, weights="divided-vote:0.6,0.4")
    assert {r.weights for r in ranked} == {"divided-vote:0.6,0.4"}
    assert ranked["augmented"].coefficient == "kappa"


@pytest.mark.parametrize(
    "weights",
    [
        "divided-vote:nan",
        "divided-vote:inf,1",
        "divided-vote:",
        "divided-vote:0,1",
        "jaccard:3",
        "overlap-by-rank",
        "masi-by-value",
    ],
)
def test_weights_that_cannot_be_meant(weights: str) -> None:
    with pytest.raises(RequestError):
        agreement(annotations([[("a", "b"), ("a",)], [("a",), ("b",)]]), "kappa", weights=weights)


@pytest.mark.parametrize("name", ["boot_match", "augmented", "alpha_masi", "label_kappa"])
def test_items_are_planned_from_a_pilot_only(name: str) -> None:
    with pytest.raises(RequestError, match="planned from a pilot"):
        items_needed(0.1, coefficient=name, agreement=0.5, shares=[0.5, 0.5])


@pytest.mark.parametrize("name", ["linear", "ordinal", "ordinal-metric"])
def test_scales_do_not_compare_sets(name: str) -> None:
    with pytest.raises(RequestError, match="sets of labels"):
        agreement([[("a", "b"), ("a",)], [("a",), ("b",)]], "kappa", weights=name)


def test_label_draw_needs_weights_of_sets() -> None:
    with pytest.raises(RequestError, match="label draw needs weights"):
        agreement([[1, 2, 3, 3], [1, 3, 3, 1]], "boot", weights="linear")


# ------------------------------------------------------------------ single labels


@given(rows=tables())
def test_single_labels_make_label_draw_cohens_kappa(rows: Rows) -> None:
    data = single(rows)
    kappa = agreement(data, "kappa", interval="none")["kappa"]
    for name in (*BOOT, "soft_match", "augmented"):
        (row,) = agreement(data, name, interval="none")
        assert row.expected == pytest.approx(kappa.expected, abs=CLOSE), name
        assert row.value == pytest.approx(kappa.value, abs=CLOSE, nan_ok=True), name


@given(rows=tables())
def test_single_labels_as_sets_of_one_change_nothing(rows: Rows) -> None:
    plain = single(rows, LABELS[:3])
    boxed = annotations([[None if v < 0 else (LABELS[v],) for v in row] for row in rows])
    for name, asked in (
        ("kappa", "kappa_masi"),
        ("alpha", "alpha_jaccard"),
        ("kappa", "augmented"),
    ):
        # sets always take the number of items with two annotations as it varies
        (one,), (other,) = (
            agreement(x, y, interval="auto") for x, y in ((plain, name), (boxed, asked))
        )
        for field in ("value", "observed", "expected", "se"):
            same = pytest.approx(getattr(one, field), abs=1e-9, nan_ok=True)
            assert getattr(other, field) == same, (asked, field)


# ------------------------------------------------------------------ chance


def draws(shares: list[Fraction], size: int) -> dict[frozenset[int], Fraction]:
    """The law of a set of labels drawn one after another without replacement."""
    law: dict[frozenset[int], Fraction] = {}

    def go(chosen: tuple[int, ...], p: Fraction) -> None:
        if len(chosen) == size:
            law[frozenset(chosen)] = law.get(frozenset(chosen), Fraction(0)) + p
            return
        rest = [k for k, x in enumerate(shares) if k not in chosen and x]
        total = sum(shares[k] for k in rest)
        for k in rest:
            go((*chosen, k), p * shares[k] / total)

    go((), Fraction(1))
    return law


def chance_by_enumeration(rows: Sets, name: str) -> float:
    """Mean over the pairs of coders, every possible pair of sets listed."""
    laws = []
    for c in range(len(rows[0])):
        own = [r[c] for r in rows if r[c] is not None]
        n = [sum(label in s for s in own if s is not None) for label in LABELS]
        shares = [Fraction(x, max(sum(n), 1)) for x in n]
        law: dict[frozenset[int], Fraction] = {}
        for s in own:
            for found, p in draws(shares, len(s or ())).items():
                law[found] = law.get(found, Fraction(0)) + p / len(own)
        laws.append(law)
    each = [
        sum(
            float(p * q) * by_hand(name, {*map(str, a)}, {*map(str, b)})
            for (a, p), (b, q) in product(one.items(), other.items())
        )
        for one, other in combinations(laws, 2)
    ]
    return float(np.mean(each))


@some
@pytest.mark.parametrize("name", ["overlap", "f1", "masi", "divided-vote"])
@given(rows=label_sets())
def test_label_draw_is_what_coders_reach_who_draw_labels(name: str, rows: Sets) -> None:
    if any(all(r[c] is None for r in rows) for c in range(len(rows[0]))):
        return
    (row,) = agreement(annotations(rows), "boot", weights=name, interval="none")
    assert row.expected == pytest.approx(chance_by_enumeration(rows, name), abs=1e-10)


@pytest.mark.parametrize("name", ["precision", "recall"])
@given(rows=label_sets(coders=2))
def test_precision_and_recall_have_a_direction(name: str, rows: Sets) -> None:
    (row,) = agreement(annotations(rows), "boot", weights=name, interval="none")
    assert row.expected == pytest.approx(chance_by_enumeration(rows, name), abs=1e-10)
    turned = [r[::-1] for r in rows]
    other = {"precision": "recall", "recall": "precision"}[name]
    (back,) = agreement(annotations(turned), "boot", weights=other, interval="none")
    assert back.value == pytest.approx(row.value, abs=CLOSE, nan_ok=True)


@given(rows=label_sets(coders=2, empty=False))
def test_mean_of_precision_and_recall_is_the_undirected_one(rows: Sets) -> None:
    """With three coders nobody is first, so both directions are averaged."""
    third = [[*r, None] for r in rows[:-1]] + [[*rows[-1], ("a", "c")]]
    one, other = (value(n, third) for n in ("boot_precision", "boot_recall"))
    assert one == pytest.approx(other, abs=CLOSE, nan_ok=True)


@given(rows=label_sets(coders=2, complete=True, empty=False))
def test_soft_match_expects_the_product_of_the_reduced_shares(rows: Sets) -> None:
    shares = np.zeros((2, 4))
    for row in rows:
        both = set(row[0] or ()) & set(row[1] or ())
        for c in (0, 1):
            kept = sorted(both or set(row[c] or ()))
            for label in kept:
                shares[c, LABELS.index(str(label))] += 1 / len(kept) / len(rows)
    (found,) = agreement(annotations(rows), "soft_match", interval="none")
    assert found.expected == pytest.approx(float(shares[0] @ shares[1]), abs=CLOSE)


# ------------------------------------------------------------------ means over labels


@pytest.mark.parametrize("mean, base", [("label_kappa", "kappa"), ("label_alpha", "alpha")])
@given(rows=label_sets())
def test_the_mean_over_labels_is_that_of_yes_and_no(mean: str, base: str, rows: Sets) -> None:
    each = []
    for label in LABELS:
        held = [[None if s is None else str(label in s) for s in row] for row in rows]
        columns = [list(c) for c in zip(*held, strict=True)]
        if any(x == "True" for c in columns for x in c):
            each.append(
                agreement(columns, base, interval="none", categories=["False", "True"])[base]
            )
    known = [r.value for r in each if not math.isnan(r.value)]
    wanted = float(np.mean(known)) if known else math.nan
    assert value(mean, rows) == pytest.approx(wanted, abs=CLOSE, nan_ok=True)


# ------------------------------------------------------------------ all of them


@some
@pytest.mark.parametrize("name", SET_MEASURES)
@given(rows=label_sets(complete=True))
def test_names_of_labels_do_not_matter(name: str, rows: Sets) -> None:
    new = dict(zip(LABELS, "dcba", strict=True))
    named = [[tuple(sorted(new[str(x)] for x in s or ())) for s in row] for row in rows]
    assert value(name, named) == pytest.approx(value(name, rows), abs=1e-11, nan_ok=True)


@some
@pytest.mark.parametrize("name", SET_MEASURES)
@given(rows=label_sets(complete=True))
def test_the_order_of_items_does_not_matter(name: str, rows: Sets) -> None:
    assert value(name, rows[::-1]) == pytest.approx(value(name, rows), abs=1e-11, nan_ok=True)


@some
@pytest.mark.parametrize("name", [n for n in SET_MEASURES if n != "augmented"])
@given(rows=label_sets(coders=2, complete=True))
def test_equal_sets_are_full_agreement(name: str, rows: Sets) -> None:
    same = [[row[0], row[0]] for row in rows]
    found = agreement(annotations(same), name, interval="none")[name]
    assert found.observed == pytest.approx(1)
    assert math.isnan(found.value) or found.value == pytest.approx(1)


def test_what_cannot_be_judged_says_why() -> None:
    every = [[("a", "b"), ("a", "b")]] * 5
    table = agreement(annotations(every), interval="none")
    for row in table:
        limited = row.weights == "divided-vote" or row.coefficient == "soft_match"
        if row.coefficient != "percent" and not limited:
            assert math.isnan(row.value), row
            assert row.undefined is not None
    wide = [[("a", "b", "c"), ("b", "c", "d")], [("a", "b", "d"), ("a", "c", "d")]] * 3
    (found,) = agreement(annotations(wide), "boot_match", interval="none")
    assert found.undefined is not None
    assert found.undefined.reason == "sets_always_agree"


def test_every_measure_of_sets_is_measured_by_default() -> None:
    table = agreement(annotations([[("a",), ("a", "b")], [("b",), ("c",)]]), interval="none")
    asked = agreement(table.data, OF_LABEL_SETS, interval="none")
    assert [row.coefficient for row in table] == [row.coefficient for row in asked]
    plain = agreement([[1, 2, 1], [1, 2, 2]], interval="none")
    wanted = {k for k, c in COEFFICIENTS.items() if not c.only_sets}
    assert {r.coefficient for r in plain} == wanted - {"light"}


# ------------------------------------------------------------------ uncertainty


def study(n: int, missing: float, seed: int = 5) -> Sets:
    """Two coders who agree on most labels, some annotations missing."""
    rng = np.random.default_rng(seed)
    rows = []
    for _ in range(n):
        core = rng.choice(4, size=1 + (rng.random() < 0.4), replace=False)
        row: list[tuple[str, ...] | None] = []
        for _ in range(2):
            own = {LABELS[k] for k in core} if rng.random() < 0.7 else {LABELS[rng.integers(4)]}
            row.append(None if rng.random() < missing else tuple(sorted(own)))
        rows.append(row)
    return [r for r in rows if any(x is not None for x in r)]


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_analytic_standard_errors_are_those_of_the_bootstrap(missing: float) -> None:
    """Missing annotations included: within 5 %, and 2 % for the error of 4,000 resamples."""
    data = annotations(study(300, missing))
    analytic = agreement(data)
    drawn = agreement(data, interval="bootstrap", resamples=4000, seed=3)
    for a, b in zip(analytic, drawn, strict=True):
        assert a.se == pytest.approx(b.se, rel=0.07), (a.coefficient, a.weights)


def test_a_rare_label_is_named_and_widens_the_interval_of_the_mean() -> None:
    common = [
        [("a",), ("a",)],
        [("b",), ("b",)],
        [("a",), ("b",)],
        [("b",), ("b", "c")],
        [("c",), ("c",)],
    ] * 20
    (plain,) = agreement(annotations(common), "label_kappa")
    (rare,) = agreement(annotations([*common, [("a", "d"), ("a",)]]), "label_kappa")
    assert plain.note is None
    assert rare.note is not None
    assert "fewer than 5 times (d)" in rare.note
    assert rare.se > 2 * plain.se


def test_simulated_chance_has_an_interval_of_its_own() -> None:
    data = annotations(study(60, 0.1))
    asked: dict[str, Any] = {"interval": "analytic", "null": 0.3}
    exact = agreement(data, "boot_match", **asked)["boot_match"]
    drawn = agreement(data, "boot_match", simulations=20, seed=2, **asked)["boot_match"]
    slope = (1 - drawn.observed) / (1 - drawn.expected) ** 2
    assert drawn.value != exact.value
    assert drawn.se == pytest.approx(math.hypot(exact.se, slope * drawn.expected_error))
    reach = (exact.value - exact.low) / exact.se
    assert drawn.low == pytest.approx(drawn.value - reach * drawn.se)
    assert drawn.high == pytest.approx(min(drawn.value + reach * drawn.se, 1))
    assert drawn.p_value != exact.p_value


def test_soft_match_comes_with_its_warning() -> None:
    (row,) = agreement(annotations(study(30, 0)), "soft_match")
    assert row.note is not None
    assert row.note.startswith("usually too high")
    (single,) = agreement([["a", "b", "a"], ["a", "b", "b"]], "soft_match", interval="analytic")
    assert single.note is None


@pytest.mark.parametrize(
    "rows, name, reason",
    [
        ([[("a",), ("a",)]] * 4, "ac_masi", "no_variation"),
        (
            [[("a", "b"), ("a",)], [("a",), ("a", "c")], [("a", "d"), ("a",)]],
            "soft_match",
            "no_variation_in_final",
        ),
        ([[("a",), ("a", "b")]] * 3, "kappa_precision", "sets_always_agree"),
        (
            [[("a",), ("a",)], [("a",), None], [("b",), None]],
            "label_alpha",
            "no_variation_in_labels",
        ),
    ],
)
def test_reasons(rows: Sets, name: str, reason: str) -> None:
    (row,) = agreement(annotations(rows), name)
    assert math.isnan(row.value)
    assert row.undefined is not None
    assert row.undefined.reason == reason
    with pytest.raises(UndefinedError, match=f"{name} is undefined"):
        agreement(annotations(rows), name, undefined="error")
