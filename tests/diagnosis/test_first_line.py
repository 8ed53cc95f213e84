"""The first line of the evidence is what the finding is about: a chart shows it on top."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from accordant.diagnosis.diagnose import diagnose
from accordant.diagnosis.finding import Finding
from accordant.diagnosis.words import quoted
from accordant.simulate.cause import simulate_cause
from diagnosis.made import from_table
from diagnosis.test_patterns_of_categories import CAUSES, view
from diagnosis.test_patterns_of_coders import CASES, of

NAMED = {
    "confused_pair": ("first", "second"), "one_way": ("first", "second"),
    "dominating_category": ("category",), "unused_by_coder": ("category",),
    "weak_category": ("category",), "coder_apart": ("coder",), "shifted": ("coder",),
    "inconsistent_coder": ("coder",), "sequence_effect": ("coder",), "item_group": ("value",),
}  # fmt: skip


def every() -> Iterator[Finding]:
    """Findings on all kinds of planted causes."""
    for cause in ("confused_pair", "biased_coder", "rare_category", "ambiguous_group", "drift"):
        for seed in range(3):
            yield from diagnose(simulate_cause(cause, rng=seed)).pooled.patterns
    for make, k, *_ in CAUSES.values():
        for seed in range(3):
            yield from diagnose(view(make(np.random.default_rng(seed)), k).data).pooled.patterns
    for code, data in CASES.items():
        yield from of(data, code)


def test_what_is_named_stands_first() -> None:
    seen = set()
    for finding in every():
        if finding.code not in NAMED or finding.seen is None:
            continue
        seen.add(finding.code)
        first = finding.seen.lines[0].name
        for key in NAMED[finding.code]:
            what = finding.evidence[key]
            assert quoted(what) in first or first == str(what), (finding.code, first, what)
    assert {"confused_pair", "one_way", "dominating_category", "coder_apart", "item_group"} <= seen


def test_a_pair_that_is_named_stands_before_one_that_is_larger() -> None:
    """d and e are confused beyond chance; a and b, who are frequent, differ more often."""
    table = np.full((5, 5), 2.0)
    table[np.diag_indices(5)] = [200, 200, 40, 12, 12]
    table[0, 1] = table[1, 0] = 14
    table[3, 4] = table[4, 3] = 12
    found = [
        f for f in diagnose(from_table(table.astype(int), "abcde")).pooled.patterns
        if f.code == "confused_pair" and {f.evidence["first"], f.evidence["second"]} == {"d", "e"}
    ]  # fmt: skip
    assert found
    assert found[0].seen is not None
    assert found[0].seen.lines[0].name == "“d” or “e”"
    assert max(line.n for line in found[0].seen.lines) > found[0].seen.lines[0].n


@pytest.mark.parametrize("times", [0, 1, 2])
def test_once_is_not_1_times(times: int) -> None:
    table = np.diag([30, 30, 30]) + 14 * np.outer([0, 1, 0], [1, 0, 0])
    table[0, 1] = times
    told = " ".join(f.sentence for f in diagnose(from_table(table, "abc")).pooled.patterns)
    assert "14 times" in told
    assert "1 times" not in told
