"""What a project says about itself: the data statement, and departures from the procedure."""

from __future__ import annotations

from ...errors import unknown
from ..events.project import DeviationRecorded, StatementWritten
from ..guards.guard import require
from ..refusal import Unmet
from ..state import State
from ..words import Role
from .command import Events, command
from .wording import written_text

__all__ = ["SECTIONS", "record_deviation", "write_statement"]

SECTIONS = {
    "A": "Curation rationale", "B": "Language variety", "C": "Speaker demographic",
    "D": "Annotator demographic", "E": "Speech situation", "F": "Text characteristics",
    "G": "Recording quality", "H": "Other", "I": "Provenance appendix", "J": "Ethical approval",
}  # fmt: skip
"""The sections of a data statement (Bender & Friedman 2018); J is an addition of the authors of
the procedure."""


@command("statement", "write a section of the data statement", roles=(Role.RESEARCHER,))
def write_statement(state: State, by: str, *, section: str, text: str) -> Events:
    """Write a section of the data statement, or show it.

    After Bender and Friedman (2018). What the project knows, such as numbers, roles and the
    procedure, is filled in by the report.

    Parameters
    ----------
    state : State
    by : str
    section : str
        A letter from A to J.
    text : str
        What it says.

    Examples
    --------
    What it says so far:
    $ accordant project statement
    Write a section:
    $ accordant project statement A 'letters of clerks, since …'
    A longer text:
    $ accordant project statement C - < speakers.txt
    """
    letter = section.strip().upper()
    if letter not in SECTIONS:
        raise unknown("section of the data statement", section, SECTIONS, "there are")
    return [StatementWritten(letter, written_text("the section", text))]


@command("deviation", "record a deviation", roles=(Role.RESEARCHER, Role.MODERATOR))
def record_deviation(state: State, by: str, *, text: str) -> Events:
    """Say where the project departed from the procedure, or show it.

    Deviations are printed on every export.

    Parameters
    ----------
    state : State
    by : str
    text : str
        What was done otherwise, and why.

    Examples
    --------
    Record one:
    $ accordant project deviation 'two coders shared an office'
    The deviations so far:
    $ accordant project deviation
    """
    told = written_text("the deviation", text)
    if any(one.text == told for one in state.deviations):
        says = "this deviation is recorded already"
        require("recording a deviation", [Unmet("deviation", says)])
    return [DeviationRecorded("stated", told)]
