"""From wherever people have come to, cooperation leads to a release, and to a ground truth."""

from __future__ import annotations

import os

import pytest

from resolution.cooperation import Cooperation
from resolution.sessions import Walker

SESSIONS = int(os.environ.get("ACCORDANT_SESSIONS", "20"))
COMMANDS_EACH = int(os.environ.get("ACCORDANT_COMMANDS", "700"))
EVERY = 37  # commands


@pytest.fixture(scope="module")
def sessions() -> list[tuple[int, list[Cooperation]]]:
    """Copies of the states that random sessions come through, by seed."""
    found = []
    for seed in range(5000, 5000 + SESSIONS):
        walk, met, seen = Walker(seed), [], set()
        for k in range(COMMANDS_EACH):
            walk.step(walk.likely())
            if k % EVERY == 0 or walk.state.step not in seen:
                seen.add(walk.state.step)
                met += [Cooperation(walk.state, truth=truth) for truth in (False, True)]
        found.append((seed, met))
    return found


def test_every_state_leads_to_an_end(sessions):
    starts = set()
    for seed, met in sessions:
        for place in met:
            starts.add(place.state.step)
            where = place.state.step
            assert place.comes_to_an_end(), f"session {seed}, from “{where}”: {place.said[-3:]}"
    assert len(starts) > 6, "sessions should come almost everywhere"
