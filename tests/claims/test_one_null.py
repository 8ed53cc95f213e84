"""Diagnosis and decomposition read the same null: they must not contradict each other.

Where diagnosis says that disagreements show no pattern, no question of the scheme may be headlined;
and where a question is headlined, diagnosis must have found a cause in the same annotations.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import accordant as ac
from accordant.data import examples
from accordant.errors import AccordantError
from conftest import DATA

MOST_VALUES = 12
NO_DATA = (".gold.", ".text.", "disagreements", "questions", "cases")
NO_PATTERN = "no pattern, yet a question stands out"
NO_CAUSE = "a question stands out, yet no cause is found"


def contradictions(data: ac.Annotations) -> Iterator[str]:
    """What the two say against each other, of each question with few values."""
    for question in data.questions:
        own = data.of_question(question)
        try:
            (part,) = ac.decompose(own, most=1).parts
        except AccordantError:  # nothing to take apart
            continue
        if len(part.basis.values) > MOST_VALUES:
            continue
        (found,) = ac.diagnose(own).each
        no_pattern = any(finding.code == "no_pattern" for finding in found.findings)
        if part.headline is not None and no_pattern:
            yield f"{question}: {NO_PATTERN}"
        if part.headline is not None and not found.causes.found:
            yield f"{question}: {NO_CAUSE}"


@pytest.mark.parametrize("name", examples.names())
def test_bundled_examples(name: str) -> None:
    assert not [*contradictions(examples.load(name))]


@pytest.mark.needs("real_data")
@pytest.mark.filterwarnings("ignore")  # doubts about reading, which are not of interest here
def test_real_data() -> None:
    files = sorted([*DATA.glob("*/*.csv"), *DATA.glob("alt_test/*_human.json")])
    told = {}
    for file in files:
        if any(part in file.name for part in NO_DATA):
            continue
        try:
            data = ac.read(file)
        except AccordantError:  # asks for an option
            continue
        if said := [*contradictions(data)]:
            told[file.name] = said
    assert not told
