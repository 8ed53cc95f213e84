"""What is shown beside an answer: the words of options, progress for those who look."""

from __future__ import annotations

import io
import sys
import time
from types import SimpleNamespace

import pytest
from accordant.cli.commands.coefficients import spelled

from accordant.cli import terminal
from accordant.cli.terminal import progress, spoken, waiting
from accordant.measure.coefficients import COEFFICIENTS


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Screen:
    """A terminal at stderr, and no patience."""
    shown = Screen()
    monkeypatch.setattr(terminal, "sys", SimpleNamespace(stderr=shown, stdout=sys.stdout))
    monkeypatch.setattr(terminal, "PATIENCE", 0.0)
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


@pytest.mark.parametrize(
    "message, expected",
    [
        ("say coder= or layout=", "say --coder or --layout"),
        ("say scale='ordinal', 'interval' or 'ratio'", "say --scale ordinal, interval or ratio"),
        ("give categories=[…]", "give --categories a,b,c"),
        ("say coders_in='rows'", "say --coders-in rows"),
        ("the label 'x=1' is not in the scheme", "the label 'x=1' is not in the scheme"),
    ],
)
def test_messages_speak_the_language_of_the_command_line(message: str, expected: str) -> None:
    assert spoken(message) == expected


@pytest.mark.parametrize("key", COEFFICIENTS)
def test_formulas_are_readable(key: str) -> None:
    text = spelled(COEFFICIENTS[key].formula)
    assert not set(text) & set("\\{}"), text
