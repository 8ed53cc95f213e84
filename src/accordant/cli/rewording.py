"""The sentences of a report with options of the command line in place of Python's keywords."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..views.document import Chart, Choice, Finding, Fold, Pairs, Prose, Table
from ..views.report import Report
from .terminal import spoken

__all__ = ["reworded"]


def reworded(made: Report) -> Report:
    """The report for somebody who typed a command; what is quoted stays."""
    return replace(
        made,
        verdict=tuple(map(spoken, made.verdict)),
        sections=tuple(
            replace(section, lead=spoken(section.lead), blocks=_each(section.blocks))
            for section in made.sections
        ),
    )


def _each(blocks: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(map(_block, blocks))


def _block(block: Any) -> Any:
    """A block with the same rows and figures."""
    match block:
        case Prose(text=text):
            return Prose(spoken(text))
        case Finding(about=about, advice=advice, blocks=inside):
            told = tuple((name, spoken(sentence)) for name, sentence in about)
            return replace(block, about=told, advice=spoken(advice), blocks=_each(inside))
        case Pairs(pairs=pairs):
            return Pairs(tuple((name, spoken(told)) for name, told in pairs))
        case Table(notes=notes):
            return replace(block, notes=tuple(map(spoken, notes)))
        case Chart(table=table):
            return replace(block, table=_block(table))
        case Fold(blocks=inside):
            return replace(block, blocks=_each(inside))
        case Choice(options=options):
            return replace(block, options=tuple((name, _each(of)) for name, of in options))
    return block
