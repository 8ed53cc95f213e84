"""The picture of the procedure: every arrow of the state machine has its line, whatever its colour."""

from __future__ import annotations

import re
from itertools import chain
from pathlib import Path
from xml.etree import ElementTree

import pytest

from accordant.resolution.statement import DeviationRecorded
from accordant.resolution.transitions import TRANSITIONS
from accordant.resolution.words import Step
from accordant.views.project_picture import (
    BOXES,
    WAYS,
    not_performed,
    procedure_picture,
    procedure_svg,
)
from resolution.build import Session, begun, resolving
from views.projects import deprecated


def texts(svg: str) -> list[str]:
    return [
        element.text or ""
        for element in ElementTree.fromstring(svg).iter()
        if "text" in element.tag
    ]


def test_every_arrow_has_a_line() -> None:
    drawn = set(chain.from_iterable(way.transitions for way in WAYS.values()))
    arrows = {(t.number, target) for t in TRANSITIONS.values() for target in t.targets}
    assert drawn == arrows


def test_every_step_has_a_box() -> None:
    assert set(BOXES) == set(Step)
    shown = texts(procedure_svg())
    assert {box.title for box in BOXES.values()} <= set(shown)


@pytest.mark.parametrize("here", [None, *Step])
def test_it_is_well_formed_wherever_a_project_stands(here: Step | None) -> None:
    shown = texts(procedure_svg(here, standalone=True))
    assert shown.count("here now") == (here is not None)


def test_nothing_leaves_the_picture() -> None:
    svg = procedure_svg()
    width, height = map(float, re.search(r'viewBox="0 0 (\d+) (\d+)"', svg).groups())  # type: ignore[union-attr]
    for path in re.findall(r'd="M([^"]+)"', svg):
        for x, y in re.findall(r"(-?[\d.]+),(-?[\d.]+)", path):
            assert 0 <= float(x) <= width
            assert 0 <= float(y) <= height


def test_a_way_that_was_taken_says_how_often() -> None:
    found = procedure_picture(deprecated().state, "The way")
    assert "conflicts (2 ×)" in texts(found.svg)
    assert "cases need another look at a concept, to “conceptual alignment” (once)" in found.words


def test_a_step_that_was_left_out_says_so() -> None:
    here: Session = resolving({"Q": {"A1": "01", "A2": "00"}})
    assert not_performed(here.state) == ()
    here.tell(DeviationRecorded("step 2 not performed", "no concept was settled"))
    assert not_performed(here.state) == (Step.ALIGNMENT,)
    found = procedure_picture(here.state, "The way")
    assert texts(found.svg).count("not performed") == 1
    assert "Not performed: step 2 (conceptual alignment)." in found.words


def test_in_a_page_it_needs_no_style_of_its_own() -> None:
    """The page's policy forbids style elements; a file of its own changes colours by itself."""
    assert "<style" not in procedure_svg()
    assert "prefers-color-scheme: dark" in procedure_svg(standalone=True)


def test_a_project_that_has_only_begun() -> None:
    found = procedure_picture(begun().state, "The way")
    assert found.words == ("Where the project stands: setup.",)


def test_the_picture_of_the_pages_is_the_drawing(root: Path) -> None:
    """`python docs/procedure.py` draws it anew."""
    kept = (root / "docs" / "_static" / "procedure.svg").read_text("utf-8")
    assert kept == procedure_svg(standalone=True) + "\n"
