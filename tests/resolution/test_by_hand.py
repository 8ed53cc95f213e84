"""State and status against what the log says by hand, in random sessions."""

from __future__ import annotations

import os

from accordant.resolution.cells import answers_at
from accordant.resolution.completion import Released
from accordant.resolution.staleness import stale_counts
from accordant.resolution.words import ReleaseStatus
from resolution.by_hand import ByHand
from resolution.sessions import Walker

SESSIONS = int(os.environ.get("ACCORDANT_SESSIONS", "20"))
COMMANDS_EACH = int(os.environ.get("ACCORDANT_COMMANDS", "700"))


def same(walk: Walker, hand: ByHand) -> None:
    epoch, where = walk.state.epoch, walk.state.items.positions
    if epoch.round is not None:
        return
    for item in hand.items:
        for question in epoch.questions:
            held = {c: a for c, a in hand.cell(item, question).items() if a is not None}
            assert answers_at(epoch, where[item], question) == held
    assert sum(stale_counts(epoch).values()) == len(hand.stale())


def true(hand: ByHand) -> None:
    """A ground truth: nothing stale or in conflict, nobody missing who ever said something."""
    assert not hand.stale()
    for item in hand.items:
        for question in ("Q", "P"):
            cell = hand.cell(item, question)
            given = [answer for answer in cell.values() if answer is not None]
            silent = [coder for coder, answer in cell.items() if answer is None]
            assert len(set(given)) < 2
            assert not silent or len(given) > 1
            assert not any((question, coder, item) in hand.annotated for coder in silent)


def test_the_state_is_what_the_log_says():
    released = 0
    for seed in range(9000, 9000 + SESSIONS):
        walk, hand = Walker(seed), ByHand()
        for event, (_, by) in walk.here.log:
            hand.told(event, by)
        for _ in range(COMMANDS_EACH):
            happened = walk.step(walk.likely())
            if happened is None:
                continue
            events, by = happened
            for event in events:
                hand.told(event, by)
            same(walk, hand)
            for event in events:
                if isinstance(event, Released) and event.status == ReleaseStatus.GROUND_TRUTH:
                    true(hand)
                    released += 1
    assert released > SESSIONS / 4
