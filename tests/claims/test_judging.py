"""The judge: what counts as right, as nearly right, as spurious and as true."""

from __future__ import annotations

import numpy as np

from claims.judging import Said, judged
from claims.nulls import NULLS, null_world
from claims.plants import PLANTS, planted_world
from claims.worlds import Cause, World

PAIR = Cause(("pair",), values=(2, 1))
CODER = Cause(("coder_gives",), (3,), (0,))


def world(*causes: Cause, rates: tuple[float, ...] = (0.1,) * 4) -> World:
    grid = np.zeros((40, 4), int)
    return World("", grid, np.eye(4, dtype=bool), False, None, causes, np.array(rates), frozenset())


def test_a_right_explanation_names_kind_coders_and_values() -> None:
    assert judged(world(PAIR), [Said("pair", values=(1, 2))]).first
    assert not judged(world(PAIR), [Said("pair", values=(1, 3))]).first
    assert not judged(world(CODER), [Said("coder_gives", (2,), (0,))]).first
    other = judged(world(CODER), [Said("coder", (3,))])
    assert other.near
    assert not other.first


def test_a_culprit_is_told_once() -> None:
    said = [Said("coder_gives", (3,), (0,)), Said("coder_cell", (3,), (1, 0))]
    assert judged(world(CODER), said[:1]).spurious == 0
    assert judged(world(CODER), said).spurious == 1
    assert not judged(world(CODER, PAIR), said).found


def test_a_true_difference_in_ability_is_no_alarm() -> None:
    said = [Said("coder", (3,))]
    assert judged(world(), said).warned
    assert not judged(world(rates=(0.1, 0.1, 0.1, 0.3)), said).warned


def test_a_stretch_may_be_told_roughly() -> None:
    batch = Cause(("stretch",), place=(10, 20))
    assert judged(world(batch), [Said("stretch", place=(8, 20))]).first
    assert not judged(world(batch), [Said("stretch", place=(0, 40))]).first
    assert not judged(world(batch), [Said("stretch", place=(20, 30))]).first


def test_data_sets_are_the_same_whenever_they_are_asked_for() -> None:
    for make, names in ((null_world, NULLS), (planted_world, PLANTS)):
        for name in names:
            one, two = make("dev", name, 1), make("dev", name, 1)
            assert np.array_equal(one.grid, two.grid)
            assert one.grid.max() < len(one.members)
