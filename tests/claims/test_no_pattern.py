"""A report says that there is no pattern only where none of its pages names one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import accordant as ac
from claims.worlds import Draft, drafted


def weakly_crossed(seed: int, cross: float) -> Draft:
    """Errors that go to the other one of two blocks of categories, too few for a finding."""
    draft = drafted(np.random.default_rng([seed, 30]), 120, 3, 6, error=0.15)
    other = (draft.truth // 3 * 3 + 3)[:, None] + draft.rng.integers(0, 3, draft.x.shape)
    draft.give(draft.some(draft.x != draft.truth[:, None], cross), other % 6)
    return draft


def titles(report: Any) -> set[str]:
    blocks = (block for section in report.sections for block in section.every_block())
    return {getattr(block, "title", "") for block in blocks}


def test_no_pattern_never_stands_beside_one_that_is_named() -> None:
    """40 reports: those with a level beyond random errors, and those with a finding, say no more."""
    said, named = [], []
    for seed in range(40):
        data = weakly_crossed(seed, 1.0 if seed % 2 else 0).world().data
        levels = ac.decompose(data).headline is not None
        found = [f for f in ac.diagnose(data).pooled.patterns if "gain" in f.facts]
        said.append("No pattern" in titles(ac.report(data, fit=False)))
        named.append(levels or bool(found))
    assert not [k for k in range(40) if said[k] and named[k]]
    assert 1 <= sum(named) <= 30
    assert sum(said) >= 10


@pytest.mark.parametrize("kind", ["coder", "pair"])
def test_what_would_have_been_seen_is_seen(kind: str) -> None:
    """A cause as strong as is told, planted into data of which nothing is told: 9 of 10 found."""
    hits = []
    for seed in range(12):
        draft = drafted(np.random.default_rng([seed, 31]), 200, 5, 4, error=0.1)
        (none,) = ac.diagnose(draft.world().data).pooled.patterns
        seen = none.facts["would_be_seen"][kind]
        errs = draft.x != draft.truth[:, None]
        if kind == "coder":
            more = (seen - errs[:, 2].mean()) / (1 - errs[:, 2].mean())
            wrong = (draft.truth[:, None] + draft.rng.integers(1, 4, draft.x.shape)) % 4
            draft.give(draft.some(draft.only(2) & ~errs, more), wrong)
        else:  # so many more deviations that they are this share of all
            two = ~errs & np.isin(draft.x, (0, 1))
            draft.give(draft.some(two, seen / (1 - seen) * errs.sum() / two.sum()), 1 - draft.x)
        found = ac.diagnose(draft.world().data).pooled.patterns
        codes = {"coder", "coder_gives"} if kind == "coder" else {"pair"}
        hits.append(any(f.code in codes for f in found))
    assert np.mean(hits) >= 0.75
