"""The page of a simulation study: its figure and its numbers."""

from __future__ import annotations

import re
from typing import Any

import pytest

import accordant as ac


@pytest.fixture(scope="module")
def study() -> Any:
    return ac.multilabel_study(datasets=20, seed=5)


def test_every_number_is_on_the_page(study: Any) -> None:
    page, text = study._repr_html_(), str(study)
    assert "<svg" in page
    assert not re.search(r'(?:src|href)="(?!#|data:)', page)  # needs nothing else
    for cell in study:
        assert f"{cell.expected:.3f}" in page
        assert f"{cell.expected:.3f}" in text


def test_the_title_states_what_was_found(study: Any) -> None:
    first, last = (study["boot_match", 0.6, d].expected for d in (0, 1))
    assert f"boot-match goes from {first:.3f} to {last:.3f} by chance" in str(study)


def test_undefined_values() -> None:
    some = ac.multilabel_study(
        "augmented", categories=4, shares=[1, 0, 0, 0], double=[0], agreement=[1], datasets=2
    )
    assert "certain by chance" in str(some)
    assert "nan" not in str(some)
