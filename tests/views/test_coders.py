"""Coders: the others, scores, pairs, groups, consistency."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

import accordant as ac
from accordant.diagnosis.diagnose import Diagnosis, diagnose
from accordant.views.view import named

from .conftest import CODERS

NAMES = ("coders", "pairs", "scores", "coder-groups", "consistency")


def rows(found: Diagnosis, name: str) -> list[dict[str, Any]]:
    return named("diagnose", name).rows(found.told_parts)


def test_golden_page(golden: Callable[..., None], known: Diagnosis) -> None:
    golden("coders", [named("diagnose", name).section(known.told_parts) for name in NAMES])


def test_coders_stand_by_agreement(known: Diagnosis) -> None:
    found = rows(known, "coders")
    assert [row["agreement"] for row in found] == sorted(
        (r["agreement"] for r in found), reverse=True
    )
    each = dict(zip(known.pooled.coders.coders, known.pooled.coders.alpha_without, strict=True))
    assert all(row["alpha_without"] == each[row["coder"]] for row in found)


def test_two_coders_have_no_alpha_without_one() -> None:
    found = ac.diagnose([["a", "b", "a", "a"], ["a", "b", "b", "a"]])
    (block, *_) = named("diagnose", "coders").make(found.pooled)
    assert not {"alpha_without", "alpha_change"} & {c.key for c in block.columns}  # type: ignore[union-attr]


def test_scores_are_those_of_the_diagnosis(known: Diagnosis) -> None:
    scores = known.pooled.scores
    assert scores is not None
    found = rows(known, "scores")
    assert len(found) == 16
    for row in found:
        assert row["f1"] == pytest.approx(scores.of(row["coder"], row["category"]).f1)


def test_gold_is_not_scored(known: Diagnosis) -> None:
    found = diagnose(known.data, gold="Ann")
    assert {row["coder"] for row in rows(found, "scores")} == set(CODERS) - {"Ann"}


def test_pairs_stand_by_kappa_undefined_last() -> None:
    data = {
        "item": [1, 2, 3, 4],
        "x": list("abab"),
        "y": list("abba"),
        "z": ["a", None, None, None],
    }
    found = rows(ac.diagnose(data), "pairs")
    kappas = [row["kappa"] for row in found if not math.isnan(row["kappa"])]
    assert kappas == sorted(kappas)
    assert math.isnan(found[-1]["kappa"])


def test_pairs_of_sets_have_their_measures(sets: Diagnosis) -> None:
    (row,) = rows(sets, "pairs")
    assert row["boot_match"] == pytest.approx(0.681, abs=5e-4)


def test_planted_groups_are_found(known: Diagnosis) -> None:
    assert [row["coders"] for row in rows(known, "coder-groups")] == [
        ("Ann", "Bob"),
        ("Cleo", "Dan"),
    ]


def test_repeated_texts_are_counted(known: Diagnosis) -> None:
    found = rows(known, "consistency")
    assert all(row["n_texts"] == 40 for row in found)
    assert all(row["low"] <= row["share"] <= row["high"] for row in found)


@pytest.mark.parametrize("name", NAMES)
def test_unknown_coders_are_told(name: str) -> None:
    data = ac.read({"item": list("wxyz"), "a": [2, 0, 1, 3], "b": [1, 3, 2, 0]}, layout="counts")
    assert rows(ac.diagnose(data), name) == []
