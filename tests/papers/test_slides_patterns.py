"""Slides "Evaluating Annotation Reliability": what a careful reader sees in each matrix.

The slides show matrices of verb senses, one "no pattern" and others with the question "What do you
see?". Each prints its agreement (ITA), by which a reading can be checked.

*COMMAND-V*, "no pattern", .76: the title is garbled, the cells are not. 32 of 42 agree.
*FORGE-V*, "pattern", .36: the cells are legible though the lines are printed twice. 18 of 50 agree,
and 32 items have sense 6 from the first coder and sense 3 from the second.
*EXPLOIT-V*, "What do you see?", .59: the title is garbled, the cells are not. 29 of 49 agree.
*SEAT-V*, "What do you see?", .41: garbled. Legible are the lines of sense 2 and 3, each with a 2 on
the diagonal and zeros, those of 4 and 5 with zeros, and a 10 somewhere in the first line. We take
3 for the diagonal of sense 1, because 7 of 17 is .41, and try every column for the 10.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import accordant as ac
from diagnosis.annotated import of_table
from papers.test_slides import COMPANION, EXPLOIT, FORGE


def found(table: list[list[int]]) -> tuple[Any, ...]:
    return ac.diagnose(of_table(table, range(1, 10))).pooled.patterns


def first(table: list[list[int]]) -> Any:
    """The first of all findings, not of the patterns alone."""
    return ac.diagnose(of_table(table, range(1, 10))).findings[0]


def seat(column: int) -> list[list[int]]:
    table = np.diag([3, 2, 2, 0, 0])
    table[0, column - 1] = 10
    return table.tolist()


def test_command_shows_no_pattern() -> None:
    (only,) = found(COMPANION)
    assert (only.code, only.severity, only.remedy) == ("no_pattern", "warning", "task")
    assert only.facts["n_items"] == 10


def test_forge_is_a_one_sided_confusion() -> None:
    (only,) = found(FORGE)
    assert first(FORGE).code == only.code == "one_sided"
    names = {"coder": "coder 1", "other": "coder 2", "first": 6, "second": 3, "n": 32, "of": 32}
    assert names.items() <= dict(only.facts).items()
    assert only.remedy == "guideline"


def test_exploit_is_one_coder_who_gives_one_category() -> None:
    one, *others = found(EXPLOIT)
    assert first(EXPLOIT).code == one.code == "one_sided"
    names = {"coder": "coder 1", "other": "coder 2", "first": 1, "second": 2, "n": 14, "of": 14}
    assert names.items() <= dict(one.facts).items()
    assert all(f.severity == "note" for f in others)


@pytest.mark.parametrize("column", [2, 3, 4, 5])
def test_seat_is_a_one_sided_confusion_wherever_the_ten_stands(column: int) -> None:
    (only,) = found(seat(column))
    assert first(seat(column)).code == only.code == "one_sided"
    assert (only.facts["first"], only.facts["second"], only.facts["n"]) == (1, column, 10)


@pytest.mark.parametrize("name", ["command", "forge", "exploit"])
def test_the_bundled_matrices_are_these(name: str) -> None:
    table = {"command": COMPANION, "forge": FORGE, "exploit": EXPLOIT}[name]
    data = ac.example(f"slides_{name}")
    bundled = ac.diagnose(data)
    used = np.flatnonzero(np.sum(table, 0) + np.sum(table, 1))
    shown = bundled.pooled.contingency().table
    at = [bundled.pooled.counts.values.index(int(k) + 1) for k in used]
    assert np.array_equal(shown[np.ix_(at, at)], np.array(table)[np.ix_(used, used)])
    assert bundled.pooled.patterns[0].code == found(table)[0].code
