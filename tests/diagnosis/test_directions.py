"""Which way coders differ: by hand, over several questions, and as a finding."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from accordant.data.annotations import Annotations
from accordant.diagnosis.diagnose import diagnose
from accordant.diagnosis.finding import Finding
from accordant.diagnosis.pairs import directions
from diagnosis.made import at_random, from_counts, from_table, of_grid, of_questions, of_sets

ONE_WAY = np.repeat([[0, 0], [1, 1], [0, 1]], [40, 40, 8], axis=0)
OTHER_WAY = np.repeat([[0, 0], [1, 1], [1, 0]], [40, 40, 8], axis=0)


def told(data: Annotations) -> Finding | None:
    return next((f for f in diagnose(data).findings if f.code == "one_direction"), None)


def test_two_categories() -> None:
    (found,) = diagnose(from_table([[40, 12], [3, 40]], "ny")).directions.each
    assert (found.low, found.high, found.up, found.down, found.n_items) == ("n", "y", 12, 3, 95)
    assert found.p_value == found.by_item == pytest.approx(2 * (1 + 15 + 105 + 455) / 2**15)
    assert (found.n, found.most, found.share) == (15, 12, 0.8)


def test_an_ordered_scale() -> None:
    table = [[20, 4, 3], [1, 20, 2], [0, 1, 20]]
    (found,) = diagnose(from_table(table, (1, 2, 3), scale="ordinal")).directions.each
    assert (found.low, found.high, found.up, found.down) == (None, None, 9, 2)


@pytest.mark.parametrize("scale", ["nominal", "circular"])
def test_no_value_is_higher_than_another(scale: str) -> None:
    data = from_table([[20, 4, 3], [1, 20, 2], [0, 1, 20]], (1, 2, 3), scale=scale)
    assert diagnose(data).directions.each == ()


def test_no_direction_without_coders_or_of_sets() -> None:
    assert diagnose(from_counts([[2, 0], [1, 1]] * 5)).directions.each == ()
    assert diagnose(of_sets([["a", "ab"], ["a", "b"]], "ab")).directions.each == ()


def test_nothing_differs() -> None:
    (found,) = diagnose(from_table([[9, 0], [0, 9]], "ab")).directions.each
    assert np.isnan(found.p_value)
    assert np.isnan(found.share)


def test_each_pair_of_coders() -> None:
    data = at_random(3, coders=4, values=5)
    data = replace(data, schemes=(replace(data.scheme, scale="ordinal"),))
    found = diagnose(data).directions.each
    assert len(found) == 6
    for d in found:
        a, b = (data.grid[:, data.coders.index(c)] for c in (d.first, d.second))
        both = (a >= 0) & (b >= 0)
        assert (d.up, d.down) == ((both & (b > a)).sum(), (both & (b < a)).sum())


def test_together_counts_all_questions_and_tests_by_item() -> None:
    """Eight items on which both questions differ: 16 differences, but 8 items."""
    found = diagnose(of_questions({"q1": ONE_WAY, "q2": ONE_WAY})).directions
    assert [(d.question, d.up, d.down) for d in found.each] == [("q1", 8, 0), ("q2", 8, 0)]
    (together,) = found.together
    assert (together.up, together.down) == (16, 0)
    assert together.p_value == pytest.approx(2 / 2**16)
    assert together.by_item == pytest.approx(2 / 2**8)
    assert len(found.to_rows()) == 3


def test_unlike_questions_are_not_put_together() -> None:
    data = of_questions({"q1": ONE_WAY, "q2": ONE_WAY}, {"q1": "ab", "q2": "xy"})
    assert diagnose(data).directions.together == ()
    assert told(data) is None


def test_one_direction_over_all_questions() -> None:
    found = told(of_questions({"q1": ONE_WAY, "q2": ONE_WAY}))
    assert "16 of 16 differences over all questions" in found.sentence
    assert "“coder 1” gave “a” where “coder 2” gave “b”" in found.sentence
    assert "p = 0.008" in found.sentence  # of the 8 items
    assert (
        "on every question with a difference: 8 of 8 in “q1” and 8 of 8 in “q2”" in found.sentence
    )
    assert told(of_questions({"q1": ONE_WAY, "q2": OTHER_WAY})) is None


def test_a_question_on_which_nobody_said_yes_is_like_the_others() -> None:
    """Read off the data, it does not know of the second category."""
    data = of_questions({"q1": ONE_WAY, "q2": np.zeros((60, 2), int), "q3": ONE_WAY})
    found = (s if q else replace(s, categories=("a",)) for q, s in zip((1, 0, 1), data.schemes))
    data = replace(data, schemes=tuple(replace(s, declared=False) for s in found))
    assert told(data) is not None
    assert len(diagnose(data).directions.together) == 1


def test_one_question_has_no_finding_about_all() -> None:
    assert told(of_grid(ONE_WAY, "ab")) is None


def test_coders_who_are_alike_rarely_raise_an_alarm() -> None:
    rng, alarms = np.random.default_rng(3), 0
    for _ in range(60):
        truth = rng.integers(0, 2, size=(3, 60, 1))
        grids = np.where(rng.random((3, 60, 2)) < 0.15, 1 - truth, truth)
        alarms += told(of_questions(dict(zip(("q1", "q2", "q3"), grids, strict=True)))) is not None
    assert alarms <= 5  # 3 expected at the level .05, the test being exact


def test_too_many_pairs_are_left_alone() -> None:
    rng = np.random.default_rng(1)
    data = of_grid(rng.integers(0, 2, size=(20, 12)), "ab")
    part = diagnose(data).pooled
    assert directions(part.counts, part.scheme) == ()
