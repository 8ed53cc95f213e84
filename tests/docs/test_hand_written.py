"""What pages say by hand of what the code has: formulas, guards and findings."""

from __future__ import annotations

import re
import sys

import pytest

from accordant.measure.distances import NAMES, OF_SETS
from accordant.models.model_list import MODELS
from accordant.resolution.transitions import TRANSITIONS
from docs.blocks import ROOT

DOCS = ROOT / "docs"
sys.path.insert(0, str(DOCS / "_ext"))
models_page = pytest.importorskip("models_page", reason="needs Sphinx (the group docs)")
procedure_page = pytest.importorskip("procedure_page")


def test_every_weight_and_every_model_has_its_formula() -> None:
    text = (DOCS / "reference" / "weights.md").read_text(encoding="utf-8")
    told = re.findall(r"^\| `([\w-]+)` \| .* \| .* \|$", text, re.MULTILINE)
    assert set(told) >= {*NAMES, *OF_SETS}
    assert set(models_page.FORMULAS) == set(MODELS)


def test_every_guard_is_in_words() -> None:
    guards = {guard for row in TRANSITIONS.values() for guard in row.guards}
    assert set(procedure_page.GUARDS) == guards


def test_nothing_of_the_code_is_left_in_what_readers_see() -> None:
    for name, part in procedure_page.PARTS.items():
        said = part()
        assert "``" not in said, name
        assert not re.search(r"`\w+\.[a-zA-Z_.]+`", said), name
