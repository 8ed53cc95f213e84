"""One partition: both levels by hand, what it explains, the items, deeper levels."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accordant import RequestError, agreement, decompose, example, read
from decomposition import by_hand

NEAT = example("levi2022_neat")
TEXTS = [
    {"item": i, "coder": c, "label": label, "text": f"text {i}"}
    for i, labels in enumerate(["aa", "ab", "bc", "cc", "ac"], 1)
    for c, label in zip(("Ada", "Bob"), labels)
]


def of_rows(rows: list[by_hand.Row], by: Any, **options: Any) -> Any:
    data = read([list(coder) for coder in zip(*rows)])
    return decompose(data, by, **options)[0]


# ------------------------------------------------------------------ by hand


@given(st.integers(0, 10_000), st.sampled_from(by_hand.COEFFICIENTS), st.booleans())
def test_both_levels_by_hand(seed: int, name: str, of_sets: bool) -> None:
    make = by_hand.rows_of_sets if of_sets else by_hand.rows_of_categories
    rows = make(seed, coders=3, items=40)
    labels = "abc" if of_sets else ""
    by = "any label" if of_sets else "v0,v1"
    found = of_rows(rows, by, coefficient=name)

    def side(value: Any) -> bool:
        return bool(value) if of_sets else value in ("v0", "v1")

    pairs = by_hand.pairs_of(rows)
    every = found.basis.values
    each = [by_hand.levels(pair, side, labels, every, name) for pair in pairs]
    assert found.first.mean.value == pytest.approx(by_hand.mean(x[0] for x in each), nan_ok=True)
    second = by_hand.mean(by_hand.mean(x[1]) for x in each)
    assert found.second.mean.value == pytest.approx(second, nan_ok=True)
    for g, pair in enumerate(found.first.pairs):
        assert found.first.figure(pair=pair).value == pytest.approx(each[g][0], nan_ok=True)
        assert found.second.n[g] == each[g][2]
        for k, label in enumerate(labels):
            own = found.second.figure(label, pair).value
            assert own == pytest.approx(each[g][1][k], nan_ok=True)
    explained = by_hand.mean(by_hand.explained(pair, side) for pair in pairs)
    own = name == "kappa"
    chance = by_hand.mean(by_hand.chance(pair, side, own=own) for pair in pairs)
    assert found.explained.value == pytest.approx(explained, nan_ok=True)
    assert found.chance.value == pytest.approx(chance, nan_ok=True)
    assert found.excess.value == pytest.approx(explained - chance, nan_ok=True)


@given(st.integers(0, 10_000))
def test_items_by_hand(seed: int) -> None:
    rows = by_hand.rows_of_categories(seed, coders=3, items=30)
    found = of_rows(rows, "v0, v2")

    def apart(row: by_hand.Row, same: Any) -> bool:
        given = [same(x) for x in row if x is not None]
        return any(a != b for a, b in combinations(given, 2))

    first = [k for k, row in enumerate(rows) if apart(row, lambda x: x in ("v0", "v2"))]
    either = [k for k, row in enumerate(rows) if apart(row, lambda x: x)]
    second = [k for k in either if k not in first]
    assert [item.position for item in found.items(1)] == first
    assert [item.position for item in found.items(2)] == second
    assert (found.n_first, found.n_second) == (len(first), len(second))


# ------------------------------------------------------------------ items


def test_items_have_names_texts_and_labels() -> None:
    found = decompose(read(TEXTS), by="a")[0]
    (first, last) = found.items(1)
    assert (first.item, first.text, first.level) == (2, "text 2", 1)
    assert first.labels == (("Ada", "a"), ("Bob", "b"))
    assert first.blocks == ("a", "not a")
    assert last.item == 5
    (only,) = found.items(2)
    assert only.to_rows() == [
        {"question": None, "item": 3, "level": 2, "labels": "Ada: b, Bob: c", "text": "text 3"}
    ]
    assert len(found.items(1, most=1)) == 1
    with pytest.raises(RequestError, match="levels 1 and 2, not 3"):
        found.items(3)


def test_items_without_coders() -> None:
    data = read([["a", "b", "a"], ["b", "b", "a"], ["b", "c", "a"]])
    named = decompose(data, by="a")[0]
    rows = [
        {"item": k, "a": n[0], "b": n[1], "c": n[2]}
        for k, n in enumerate([(1, 2, 0), (0, 2, 1), (3, 0, 0)])
    ]
    pooled = decompose(rows, by="a", layout="counts")[0]
    assert pooled.first.pairs == (("", ""),)
    assert [item.item for item in pooled.items(1)] == [0]
    assert [item.position for item in pooled.items(2)] == [x.position for x in named.items(2)]
    assert [value for _, value in pooled.items(2)[0].labels] == ["b", "b", "c"]


# ------------------------------------------------------------------ figures and rows


def test_what_is_asked_wrongly() -> None:
    found = decompose(NEAT, by="any label")[0]
    with pytest.raises(
        RequestError, match="level 2 has no label 'Suspense': it has 'Complication'"
    ):
        found.second.figure("Suspense")
    with pytest.raises(RequestError, match="level 1 has no label 'Success': it has none"):
        found.first.figure("Success")
    with pytest.raises(RequestError, match="no pair of coders .*there is A1 × A2 and A1 × A3"):
        found.second.figure(pair=("A2", "A3"))
    turned = found.second.figure(pair=("A3", "A1"))
    assert turned.value == found.second.figure(pair=("A1", "A3")).value


def test_undefined_pairs_are_left_out_and_told() -> None:
    rows = [["a", "a", "a"], ["b", "b", "a"], ["a", "b", "a"], ["c", "c", "a"], ["c", "a", "a"]]
    found = decompose(read([list(x) for x in zip(*rows)]), by="a")[0]
    assert np.isnan(found.second.values).sum() == 2
    told = found.undefined
    assert told is not None
    assert "level 2" in told
    assert "certain by chance" in told
    assert found.second.mean.value == found.second.figure(pair=found.second.pairs[0]).value
    assert found.to_rows()[0]["undefined"] == told


def test_a_partition_into_single_values_leaves_nothing() -> None:
    found = decompose([["a", "b", "a", "b"], ["a", "b", "b", "b"]], by="a")[0]
    assert np.isnan(found.second.mean.value)
    assert found.second.mean.undefined is not None
    assert found.explained.value == 1
    assert "level 2" not in str(found)


def test_rows() -> None:
    (row,) = decompose(NEAT, by="any label").to_rows()
    assert list(row)[:9] == [
        "question",
        "rank",
        "rule",
        "n_blocks",
        "side_0",
        "side_1",
        "first",
        "first_low",
        "first_high",
    ]
    assert list(row)[9:13] == ["Complication", "Resolution", "Success", "second"]
    assert (row["side_0"].count(","), row["side_1"]) == (6, "000")
    assert (row["n_items"], row["n_kept"], row["n_level_1"], row["n_level_2"]) == (
        2209,
        1913,
        296,
        278,
    )
    assert row["first_low"] < row["first"] < row["first_high"]
    several = decompose(NEAT, by="number of labels").to_rows()[0]
    assert (several["side_0"], several["n_blocks"]) == ("000", 4)
    assert several["side_1"] == "001,010,100 | 011,101,110 | 111"


def test_by_pair_and_levels_say_the_same() -> None:
    found = decompose(NEAT, by="any label")[0]
    rows = found.by_pair()
    assert [row["pair"] for row in rows] == ["A1 × A2", "A1 × A3", None]
    level = {(r["pair"], r["label"]): r["value"] for r in found.second.to_rows()}
    for row in rows:
        assert row["second"] == level[row["pair"], None]
        assert row["Success"] == level[row["pair"], "Success"]
    assert (found.first.name, found.second.name) == ("level 1", "level 2")


def test_the_total_is_the_agreement_of_the_package() -> None:
    total = decompose(NEAT, by="any label").total
    pair = NEAT.of_coders(["A1", "A2"]).of_shared()
    for label in NEAT.scheme.categories:
        rows: list[list[str]] = [[], []]
        for row in pair.to_rows():
            rows[row["coder"] == "A2"].append("yes" if label in row["label"] else "no")
        (own,) = agreement(rows, "kappa")
        found = total.level.figure(label, ("A1", "A2"))
        assert found.value == pytest.approx(own.value)
        assert found.se == pytest.approx(own.se)


# ------------------------------------------------------------------ deeper levels


@given(st.integers(0, 10_000), st.sampled_from(["kappa", "pi", "percent"]))
def test_shares_of_a_chain_sum_to_one_and_make_up_the_whole(seed: int, name: str) -> None:
    rows = by_hand.rows_of_sets(seed, coders=2, items=60)
    chain = of_rows(rows, ("any label", "number of labels"), coefficient=name).steps
    assert sum(step.explained for step in chain) == pytest.approx(1)
    if name != "percent":  # whose expected disagreement is all on the first level
        assert sum(step.chance for step in chain) == pytest.approx(1)
        assert chain.weighted == pytest.approx(chain.total)


def test_a_chain_of_three_levels() -> None:
    chain = decompose(NEAT, by=("any label", "number of labels"))[0].steps
    assert [step.rule for step in chain] == ["any label", "number of labels", "which value"]
    two = decompose(NEAT, by="any label")[0]
    assert chain[0].mean.value == pytest.approx(two.first.mean.value)
    assert chain[0].mean.se == pytest.approx(two.first.mean.se)
    assert chain[0].explained == pytest.approx(two.explained.value)
    assert [row["n_items"] for row in chain.to_rows()] == [2209, 1913, 1676]
