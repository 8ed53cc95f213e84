"""What a project says about itself: the data statement, and departures from the procedure."""

from __future__ import annotations

from ..errors import unknown
from .command import Events, Unmet, command, require
from .event import Event, Stamp, on
from .sentences import deviation_text
from .state import Deviation, State
from .terms import Role
from .wording import written_text


class DeviationRecorded(Event, frozen=True, tag="deviation recorded"):
    """The project departs from the procedure; printed on every export, for ever."""

    beside = True

    code: str  # e.g. "step 2 not performed"
    text: str
    case: int | None = None

    def sentence(self) -> str:
        """What kind it is, unless a person has stated it."""
        return f"deviation, printed on every export: {deviation_text(self.code, self.text)}"


class StatementWritten(Event, frozen=True, tag="data statement written"):
    """A section of the data statement (Bender & Friedman 2018) in the user's words."""

    says = "section {section} of the data statement is written"
    beside = True

    section: str  # letter A to J
    text: str


@on(DeviationRecorded)
def _deviation_recorded(state: State, event: DeviationRecorded, stamp: Stamp) -> None:
    state.deviations.append(Deviation(event.code, event.text, event.case, stamp[0]))


@on(StatementWritten)
def _statement_written(state: State, event: StatementWritten, stamp: Stamp) -> None:
    state.statement[event.section] = event.text


SECTIONS = {
    "A": "Curation rationale",
    "B": "Language variety",
    "C": "Speaker demographic",
    "D": "Annotator demographic",
    "E": "Speech situation",
    "F": "Text characteristics",
    "G": "Recording quality",
    "H": "Other",
    "I": "Provenance appendix",
    "J": "Ethical approval",
}
"""After Bender & Friedman (2018); J is of the authors of the procedure."""


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
        require([Unmet("deviation", says)])
    return [DeviationRecorded("stated", told)]
