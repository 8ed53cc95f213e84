"""Scores of bipartitions: against published figures, plain Python, our own coefficients, laws."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accordant.data import examples
from accordant.decomposition.figures import CLOSED_FORMS, closed_form, shares
from accordant.decomposition.scores import crossed, every_crossed, score, sides_of
from accordant.decomposition.search import appendix_order, smaller_side
from accordant.decomposition.tables import Cells, States, cells_of
from accordant.errors import RequestError
from accordant.measure.coefficients import COEFFICIENTS
from accordant.measure.distances import weights_for
from decomposition import by_hand
from decomposition.by_hand import states
from decomposition.neat import BITS, LABELS, neat, side

EXACT = 1e-12
STORED = 1e-12  # twelve digits are stored
PRINTED_3, PRINTED_2 = 5.001e-4, 5.001e-3

GOLDEN = json.loads(
    (Path(__file__).parents[1] / "golden" / "levi2022.json").read_text(encoding="utf-8")
)["reconstruction_unrounded"]


def random_rows(seed: int, kind: str, coders: int = 2) -> tuple[list[Any], tuple[str, ...]]:
    if kind == "sets":
        return by_hand.rows_of_sets(seed, coders=coders), ("a", "b", "c")
    return by_hand.rows_of_categories(seed, coders=coders), ()


def share(cells: Cells, block: Any, name: str, coefficient: str = "kappa") -> float:
    """What a partition explains, and what chance puts there: the measures beside the scores."""
    block = np.asarray(block, np.int64)
    return shares(cells, closed_form(coefficient), block, 0.95)[name].value


NEAT_CELLS = cells_of(by_hand.count(examples.load("levi2022_neat")), LABELS)

# ------------------------------------------------------------------ NEAT


def test_every_unrounded_kappa_of_neat() -> None:
    """127 decompositions x 4 kappas x 2 pairs of Levi & Shenhav (2022)."""
    rows = GOLDEN["rows"]
    found = score(neat(), [side(*row["side0"]) for row in rows])
    wanted = np.array([[row["pair12"], row["pair13"]] for row in rows])  # (127, 2, 4)
    assert wanted.shape == (127, 2, 4)
    np.testing.assert_allclose(found.first_by_pair.T, wanted[:, :, 0], atol=STORED)
    by_label = found.by_label_by_pair.transpose(1, 0, 2)
    np.testing.assert_allclose(by_label, wanted[:, :, 1:], atol=STORED)
    np.testing.assert_allclose(found.second, wanted[:, :, 1:].mean((1, 2)), atol=STORED)


COMPARED = {
    # decomposition: first, second, explained, chance, lift, flip baseline
    "plot": (("000",), 0.696, 0.827, 0.515, 0.600, 0.86, 0.50),
    "exactly one": (("001", "010", "100"), 0.565, 0.898, 0.835, 0.677, 1.23, 0.93),
    "parity": (("000", "011", "101", "110"), 0.548, 0.904, 0.866, 0.676, 1.28, 1.00),
    "resolution": (("010", "011", "110", "111"), 0.646, 0.840, 0.482, 0.479, 1.01, 0.33),
    "not resolution, or success": (("010", "110"), 0.559, 0.835, 0.470, 0.376, 1.25, 0.36),
    "one of resolution, success": (
        ("010", "110", "001", "101"),
        0.535,
        0.892,
        0.658,
        0.499,
        1.32,
        0.67,
    ),
    "only resolution": (("010",), 0.446, 0.767, 0.278, 0.178, 1.56, 0.23),
}


@pytest.mark.parametrize("name", COMPARED)
def test_comparable_measures_of_neat(name: str) -> None:
    """The lift is that of the two means; its digits tell it from a mean of lifts."""
    bits, *wanted = COMPARED[name]
    found = score(neat(), [side(*bits)])
    fields = ("first", "second", "explained", "chance", "lift", "flip")
    for field, value in zip(fields, wanted):
        tolerance = PRINTED_2 if field in ("lift", "flip") else PRINTED_3
        scored = field in ("first", "second", "flip")
        own = getattr(found, field).item() if scored else share(NEAT_CELLS, side(*bits), field)
        assert own == pytest.approx(value, abs=tolerance), field
    excess = share(NEAT_CELLS, side(*bits), "excess")
    assert excess == pytest.approx(wanted[2] - wanted[3], abs=1.1e-3)


def test_rare_combinations_have_lift_and_no_excess() -> None:
    """101 on its own: 1.91 times the disagreement of chance, in 4 % of the cases."""
    assert share(NEAT_CELLS, side("101"), "lift") == pytest.approx(1.91, abs=PRINTED_2)
    assert share(NEAT_CELLS, side("101"), "explained") == pytest.approx(0.04, abs=PRINTED_2)
    assert share(NEAT_CELLS, side("101"), "excess") < 0.025


# ------------------------------------------------------------------ plain Python


@pytest.mark.parametrize("kind", ["sets", "categories"])
@pytest.mark.parametrize("coders", [2, 3, 4])
@pytest.mark.parametrize("coefficient", by_hand.COEFFICIENTS)
def test_against_plain_python(kind: str, coders: int, coefficient: str) -> None:
    rows, labels = random_rows(coders, kind, coders)
    cells = cells_of(by_hand.counted(rows), labels)
    found = cells.states
    sides = every_side(found.n_states)
    sides = sides[:: max(1, len(sides) // 40)]
    scores = score(found, ~sides, coefficient)
    pairs = by_hand.pairs_of(rows)
    assert len(pairs) == len(found.pairs) == coders * (coders - 1) // 2
    own = coefficient == "kappa"
    for number, cut in enumerate(sides):
        where = by_hand.side_of(found.values, cut.tolist())
        each = [by_hand.levels(p, where, labels, found.values, coefficient) for p in pairs]
        first, second = [x[0] for x in each], [x[1] for x in each]
        same(scores.first_by_pair[:, number], first)
        same(scores.second_by_pair[:, number], [by_hand.mean(x) for x in second])
        same(scores.n_kept[:, number], [x[2] for x in each])
        same(scores.first[number], by_hand.mean(first))
        same(scores.second[number], by_hand.mean(by_hand.mean(x) for x in second))
        if labels:
            same(scores.by_label_by_pair[:, number], second)
            same(scores.flip[number], by_hand.flip(pairs, found.values, where, labels))
        else:
            assert np.isnan(scores.flip[number])
        explained = by_hand.mean(by_hand.explained(p, where) for p in pairs)
        chance = by_hand.mean(by_hand.chance(p, where, own=own) for p in pairs)
        same(share(cells, ~cut, "explained", coefficient), explained)
        same(share(cells, ~cut, "chance", coefficient), chance)
        same(share(cells, ~cut, "excess", coefficient), explained - chance)
        on_side = by_hand.mean(sum(where(a) + where(b) for a, b in p) / (2 * len(p)) for p in pairs)
        same(scores.smaller[number], min(on_side, 1 - on_side))


def same(found: Any, wanted: Any) -> None:
    np.testing.assert_allclose(found, wanted, atol=1e-11)


# ------------------------------------------------------------------ our own coefficients


@pytest.mark.parametrize("coefficient", by_hand.COEFFICIENTS)
def test_first_level_is_the_coefficient_of_merged_values(coefficient: str) -> None:
    """Of every pair of coders, on the items that both annotated."""
    rows = by_hand.rows_of_categories(7, coders=3)
    counts = by_hand.counted(rows)
    found = states(counts)
    sides = every_side(found.n_states)
    scores = score(found, ~sides, coefficient)
    merged_values = ("no", "yes")
    for g, pair in enumerate(found.pairs):
        both = counts.of_coders(np.array([counts.coders.index(c) for c in pair])).pairable
        for number, cut in enumerate(sides):
            on_side = dict(zip(found.values, cut))
            groups = np.array([int(on_side.get(v, False)) for v in counts.values])
            merged = both.merged(groups, merged_values)
            parts = COEFFICIENTS[coefficient].parts(merged, weights_for("identity", merged))
            same(scores.first_by_pair[g, number], parts.value)


@pytest.mark.parametrize("coefficient", by_hand.COEFFICIENTS)
def test_second_level_of_one_side_alone_is_the_coefficient_of_the_scheme(coefficient: str) -> None:
    """Where coders never cross sides nothing is left out."""
    rows = [[f"{g}{a}", f"{g}{b}"] for g in "xy" for a, b in ("11", "12", "22", "31", "13", "11")]
    counts = by_hand.counted(rows)
    found = states(counts)
    cut = score(found, [[str(v).startswith("x") for v in found.values]], coefficient)
    whole = COEFFICIENTS[coefficient].parts(counts, weights_for("identity", counts))
    same(cut.second, whole.value)
    assert cut.first == 1


def test_every_closed_form_is_a_coefficient_of_the_package() -> None:
    assert set(CLOSED_FORMS) == set(by_hand.COEFFICIENTS) <= set(COEFFICIENTS)
    assert closed_form("Fleiss").key == "pi"
    with pytest.raises(RequestError, match="choose from percent, s, pi, kappa, alpha, ac"):
        score(neat(), [side("000")], "label_draw")
    with pytest.raises(RequestError, match="did you mean 'kappa'"):
        score(neat(), [side("000")], "kapa")


# ------------------------------------------------------------------ laws


@st.composite
def anything(draw: Any) -> tuple[States, Any, str]:
    """Random states of sets or categories, some sides, a coefficient."""
    kind = draw(st.sampled_from(["sets", "categories"]))
    rows, labels = random_rows(draw(st.integers(0, 10**6)), kind, draw(st.integers(2, 4)))
    rows = rows[: draw(st.integers(1, 60))]
    found = states(by_hand.counted(rows), labels)
    seed = draw(st.integers(0, 10**6))
    sides = np.random.default_rng(seed).random((5, found.n_states)) < 0.5
    return found, sides, draw(st.sampled_from(by_hand.COEFFICIENTS))


FIELDS = ("first", "second", "flip", "smaller", "n_kept", "first_by_pair")


@given(anything())
def test_which_side_is_which_does_not_matter(made: tuple[States, Any, str]) -> None:
    found, sides, coefficient = made
    one, other = score(found, ~sides, coefficient), score(found, sides, coefficient)
    for field in FIELDS:
        np.testing.assert_allclose(
            getattr(one, field), getattr(other, field), atol=1e-9, err_msg=field
        )


@given(anything())
def test_shares_are_shares(made: tuple[States, Any, str]) -> None:
    found, sides, coefficient = made
    scores = score(found, ~sides, coefficient)
    for field in ("flip", "smaller"):
        share = getattr(scores, field)
        share = share[~np.isnan(share)]
        assert ((share >= -EXACT) & (share <= 1 + EXACT)).all(), field
    for field in ("first", "second", "by_label_by_pair"):
        value = getattr(scores, field)
        assert (value[~np.isnan(value)] <= 1 + EXACT).all(), field


@given(st.integers(0, 10**6), st.permutations(range(3)))
def test_the_order_of_labels_and_states_does_not_matter(seed: int, order: list[int]) -> None:
    rows, labels = random_rows(seed, "sets", 3)
    counts = by_hand.counted(rows)
    other_labels = tuple(labels[x] for x in order)
    one, other = states(counts, labels), states(counts, other_labels)
    assert set(one.values) == set(other.values)
    place = [one.values.index(v) for v in other.values]
    sides = np.random.default_rng(seed).random((5, one.n_states)) < 0.5
    a, b = score(one, sides), score(other, sides[:, place])
    for field in FIELDS:
        np.testing.assert_allclose(getattr(a, field), getattr(b, field), atol=1e-9, err_msg=field)
    turned = a.by_label_by_pair[:, :, order]
    np.testing.assert_allclose(turned, b.by_label_by_pair, atol=1e-9)


def test_a_trivial_cut_explains_nothing() -> None:
    found = score(neat(), [[False] * 8, [True] * 8])
    for name in ("explained", "chance"):
        assert share(NEAT_CELLS, [0] * 8, name) == 0
    assert np.isnan(share(NEAT_CELLS, [0] * 8, "lift"))
    assert (found.flip.tolist(), found.smaller.tolist()) == ([0, 0], [1, 1])
    assert np.isnan(found.first).all()
    overall = [GOLDEN["overall"]["pair12"], GOLDEN["overall"]["pair13"]]
    np.testing.assert_allclose(found.by_label_by_pair[:, 0], overall, atol=STORED)


# ------------------------------------------------------------------ undefined


def test_undefined_is_nan_and_counted() -> None:
    """Nobody gives b or c on one side: kappa of these labels is undefined."""
    rows = [[("a",), ("a",)], [(), ()], [("a",), ()], [("a", "b"), ("b",)]]
    found = states(by_hand.counted(rows), ("a", "b"))
    assert found.values == ((), ("b",), ("a",), ("a", "b"))
    scores = score(found, [[True, False, True, False], [False, True, False, False]])
    assert np.isnan(scores.by_label_by_pair[0, 1]).tolist() == [False, True]
    assert scores.second[1] == scores.by_label_by_pair[0, 1, 0]


def test_pairs_without_a_value_are_left_out_of_means() -> None:
    table = np.array([[[5.0, 1], [1, 5]], [[7, 0], [0, 0]], [[0, 0], [0, 0]]])
    pairs = (("a", "b"), ("a", "c"), ("b", "c"))
    found = States(("x", "y"), (), np.zeros((2, 0), bool), pairs, table)
    scores = score(found, [[True, False]])
    assert np.isnan(scores.first_by_pair[1:]).all()
    assert scores.first == scores.first_by_pair[0] == pytest.approx(2 / 3)
    assert np.isnan(scores.by_label_by_pair).all()  # every value is a block: nothing left to ask


@pytest.mark.parametrize("coefficient", by_hand.COEFFICIENTS)
def test_nobody_shares_an_item(coefficient: str) -> None:
    found = states(by_hand.counted([["a", None], [None, "b"]]))
    scores = score(found, np.zeros((2, 0), bool), coefficient)
    assert len(scores) == 2
    for field in FIELDS[:4]:
        assert np.isnan(getattr(scores, field)).all(), field
    assert scores.first_by_pair.shape == (0, 2)


@pytest.mark.parametrize("coefficient", by_hand.COEFFICIENTS)
def test_one_value_only(coefficient: str) -> None:
    counts = by_hand.counted([["a", "a"]])
    assert np.isnan(score(states(counts), [[True]], coefficient).first).all()
    assert np.isnan(share(cells_of(counts), [0], "explained", coefficient))


# ------------------------------------------------------------------ handling


def test_blocks_must_fit() -> None:
    with pytest.raises(RequestError, match=r"shape \(1, 2\) do not fit 8 values"):
        score(neat(), [[True, False]])
    with pytest.raises(RequestError, match=r"shape \(8,\)"):
        score(neat(), side("000"))


@pytest.mark.parametrize("n", range(1, 9))
def test_all_bipartitions_at_once(n: int) -> None:
    """The product of thin matrices is the sum over the cells that each separates."""
    table = np.random.default_rng(n).random((n, n))
    sides = sides_of(np.arange(2 ** (n - 1)), n)
    wanted = [table[side[:, None] != side].sum() for side in sides]
    same(every_crossed(table), wanted)
    same(crossed(table, (~sides).astype(int)), wanted)


def test_the_order_of_the_appendix() -> None:
    """All 127 rows, as printed: the smaller side first, of equal sides the one with 000."""
    sides = smaller_side(every_side(8))
    found = [[BITS[i] for i in np.flatnonzero(row)] for row in sides[appendix_order(sides)]]
    assert found == [row["side0"] for row in GOLDEN["rows"]]


def test_many_states() -> None:
    """More states than a code has bits, more than a block of sides."""
    rows = by_hand.rows_of_categories(3, n=80, items=900)
    found = states(by_hand.counted(rows))
    assert found.n_states == 80
    sides = np.random.default_rng(0).random((3, 80)) < 0.5
    scores = score(found, sides)
    for number, cut in enumerate(sides):
        where = by_hand.side_of(found.values, cut.tolist())
        first, second, kept = by_hand.levels(
            by_hand.pairs_of(rows)[0], where, (), found.values, "kappa"
        )
        same(scores.first[number], first)
        same(scores.second[number], second[0])
        assert scores.n_kept[0, number] == kept


# ------------------------------------------------------------------ more blocks


def test_narrative_cardinality() -> None:
    """The open question of Levi & Shenhav (2022, section 5): 0, 1, 2 or 3 elements."""
    found = score(neat(), [[bits.count("1") for bits in BITS]])
    figures = {
        "first": 0.608,
        "second": 0.947,
        "flip": 1.0,
    }
    for name, value in figures.items():
        assert getattr(found, name)[0] == pytest.approx(value, abs=PRINTED_3)
    block = [bits.count("1") for bits in BITS]
    assert share(NEAT_CELLS, block, "explained") == pytest.approx(0.928, abs=PRINTED_3)
    assert share(NEAT_CELLS, block, "chance") == pytest.approx(0.835, abs=PRINTED_3)
    assert share(NEAT_CELLS, block, "lift") == pytest.approx(1.11, abs=PRINTED_2)
    assert found.n_kept.tolist() == [[854.0], [822.0]]


@given(st.integers(0, 10_000), st.sampled_from(by_hand.COEFFICIENTS), st.booleans())
def test_any_blocks_by_hand(seed: int, name: str, of_sets: bool) -> None:
    """Random partitions of the states of some rows, every figure from its definition."""
    rows = by_hand.rows_of_sets(seed) if of_sets else by_hand.rows_of_categories(seed, coders=3)
    cells = cells_of(by_hand.counted(rows))
    s = cells.states
    rng = np.random.default_rng(seed)
    blocks = rng.integers(0, rng.integers(2, 5), (4, s.n_states))
    found = score(s, blocks, name)
    pairs, labels = by_hand.pairs_of(rows), list(s.labels)
    for i, block in enumerate(blocks):
        place = {by_key(v): int(b) for v, b in zip(s.values, block)}
        where: Any = lambda v, place=place: place[by_key(v)]  # noqa: E731
        used = sorted(set(block.tolist()))
        for g, two in enumerate(pairs):
            first = by_hand.coefficient([(where(a), where(b)) for a, b in two], used, name)
            same(found.first_by_pair[g, i], first if len(used) > 1 else np.nan)
            kept = [(a, b) for a, b in two if where(a) == where(b)]
            each = [
                by_hand.coefficient([(x in a, x in b) for a, b in kept], [False, True], name)
                for x in labels
            ] or [by_hand.coefficient(kept, list(s.values), name)]
            each = each if len(used) < s.n_states else [np.nan] * len(each)
            assert found.n_kept[g, i] == len(kept)
            same(found.second_by_pair[g, i], by_hand.mean(each))
        explained = by_hand.mean(by_hand.explained(two, where) for two in pairs)
        same(share(cells, block, "explained", name), explained)
        chance = by_hand.mean(by_hand.chance(two, where, own=name == "kappa") for two in pairs)
        same(share(cells, block, "chance", name), chance)
        if labels:
            same(found.flip[i], by_hand.flip(pairs, s.values, where, labels))


@given(st.integers(0, 10_000), st.permutations(range(4)))
def test_numbers_of_blocks_mean_nothing(seed: int, names: list[int]) -> None:
    blocks = np.random.default_rng(seed).integers(0, 4, (3, 8))
    one, other = score(neat(), blocks), score(neat(), np.array(names)[blocks])
    for field in FIELDS:
        np.testing.assert_allclose(getattr(one, field), getattr(other, field), atol=EXACT)


def by_key(value: Any) -> Any:
    return frozenset(value) if isinstance(value, tuple) else value


def every_side(n_states: int) -> Any:
    return sides_of(np.arange(1, 2 ** max(n_states - 1, 0)), n_states)
