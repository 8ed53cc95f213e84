"""What is shown beside an answer: progress for those who look."""

from __future__ import annotations

import io
import sys
import time
from types import SimpleNamespace

import pytest

from accordant import COEFFICIENTS
from accordant.cli import console
from accordant.cli.console import progress, waiting
from accordant.views.registries import formula_text


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Screen:
    """A terminal at stderr, and no patience."""
    shown = Screen()
    monkeypatch.setattr(console, "sys", SimpleNamespace(stderr=shown, stdout=sys.stdout))
    monkeypatch.setattr(console, "PATIENCE", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    return shown


def test_progress_of_long_work(screen: Screen) -> None:
    with progress("resampling", quiet=False) as report:
        assert report is not None
        report(50, 100)
    assert "resampling" in screen.getvalue()
    assert "50 %" in screen.getvalue()


def test_a_sign_of_life(screen: Screen) -> None:
    with waiting("reading big.csv", quiet=False):
        time.sleep(0.2)
    assert "reading big.csv" in screen.getvalue()


@pytest.mark.parametrize("quiet", [True, False])
def test_nobody_looks(quiet: bool, screen: Screen, monkeypatch: pytest.MonkeyPatch) -> None:
    if not quiet:
        monkeypatch.setattr(screen, "isatty", lambda: False)
    with progress("resampling", quiet=quiet) as report, waiting("reading", quiet=quiet):
        assert report is None
    assert screen.getvalue() == ""


@pytest.mark.parametrize("key", COEFFICIENTS)
def test_formulas_are_readable(key: str) -> None:
    text = formula_text(COEFFICIENTS[key].formula)
    assert not set(text) & set("\\{}"), text
