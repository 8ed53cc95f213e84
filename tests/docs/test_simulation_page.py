"""The tables of the page about the simulation are those that the study gives."""

from __future__ import annotations

import re
import runpy
from typing import Any

import pytest

from docs.blocks import ROOT

PAGE = ROOT / "docs" / "reference" / "simulation.md"
FIGURE = ROOT / "docs" / "_static" / "figure1.svg"


@pytest.fixture(scope="module")
def maker() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "docs" / "figure.py"))


def test_the_tables_are_up_to_date(maker: dict[str, Any]) -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert len(maker["BLOCK"].findall(text)) == 2
    assert maker["page"](text) == text, "run: python docs/figure.py"


def test_the_figure_shows_every_measure_and_is_small(maker: dict[str, Any]) -> None:
    text = FIGURE.read_text(encoding="utf-8")
    for cell in maker["study"](5):
        assert f">{cell.name}<" in text
    assert len(text) < 80_000


def test_the_bound_of_the_page() -> None:
    """The inequality of the page, by trying all it can be used for."""
    for s in (1, 2):
        for t in (1, 2):
            assert 1 / (s * t) >= 1 - (s - 1) / 2 - (t - 1) / 2
    least = (0.9 - 0.25 - 0.2) / 0.8
    text = PAGE.read_text(encoding="utf-8")
    assert f"{least:.4f}" == "0.5625"
    assert "= 0.56 ." in text
    independent = 0.9 * (1 - 0.25 + 5 / 16 * 0.25**2)
    assert f"= {independent:.3f}$" in text
    assert re.search(
        rf"adjusted agreement of {(independent - 0.2) / 0.8:.2f}".replace("0.", r"\."), text
    )
    same_half = 0.9 * (0.5 + 0.5 * (1 + 1 / 4) / 4)
    assert f"{(same_half - 0.2) / 0.8:.2f}" == "0.49"
