"""`statement`, `deviation`, `export`, `report`: what is given out about a project."""

from __future__ import annotations

import click

from ..group import command
from .acting import Acting, acting
from .happened import deviation_text
from .toolbox_shown import heading, paragraph
from .typed import text_of

__all__ = ["deviation", "statement"]


@command(
    examples=(
        ("accordant project statement", "what it says so far"),
        ("accordant project statement A 'letters of clerks, since …'", "write a section"),
        ("accordant project statement C - < speakers.txt", "a longer text"),
    )
)
@click.argument("section", metavar="[SECTION]", required=False)
@click.argument("text", metavar="[TEXT]", required=False)
@acting
def statement(acting: Acting, section: str | None, text: str | None) -> None:
    """Write a section of the data statement, or show it.

    After Bender and Friedman (2018). Sections are letters, A to J. What the project knows, such as
    numbers, roles and the procedure, is filled in by the report.
    """
    from ...resolution.commands.statement import SECTIONS, write_statement

    with acting.opened(reads=section is None) as opened:
        if section is not None:
            name = SECTIONS.get(section.strip().upper(), "the section")
            opened.do(write_statement, section=section, text=text_of(text, name))
            return
        for letter, name in SECTIONS.items():
            heading(f"{letter}  {name}")
            said = opened.state.statement.get(letter, "")
            paragraph(said or "not written", indent=5, dim=not said)


@command(
    examples=(
        ("accordant project deviation 'two coders shared an office'", "record one"),
        ("accordant project deviation", "the deviations so far"),
    )
)
@click.argument("text", metavar="[TEXT]", required=False)
@acting
def deviation(acting: Acting, text: str | None) -> None:
    """Say where the project departed from the procedure.

    Deviations are printed on every export. Without TEXT they are shown.
    """
    from ...resolution.commands.statement import record_deviation

    with acting.opened(reads=text is None) as opened:
        if text is not None:
            opened.do(record_deviation, text=text_of(text, "the deviation"))
            return
        for one in opened.state.deviations:
            paragraph(deviation_text(one), mark=f"{one.at[:10]}  ")
        if not opened.state.deviations:
            click.echo("no deviation is recorded")
