"""The summary for a terminal: the verdict, the coefficients, what to watch out for."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from ..fields import cell
from ..views.document import Chart, Choice, Column, Document, Finding, Section, Table

__all__ = ["text"]

_WIDTH = 88
_LONG = 40  # characters
_TABLES = ("agreement", "questions")


def text(report: Document, width: int = _WIDTH) -> str:
    """The essentials of a report as plain text."""
    lines: list[str] = [report.title, "=" * min(width, len(report.title)), ""]
    for sentence in report.verdict:
        lines += [*_wrapped(sentence, width), ""]
    for section in report.sections:
        lines += _section(section, width)
    return "\n".join(lines).rstrip() + "\n"


def _section(section: Section, width: int) -> list[str]:
    if section.key in _TABLES:
        if any(isinstance(block, Choice) for block in section.blocks):
            return []  # the table of all questions says it
        table = next(_tables(section), None)
        return [section.title, *_grid(table), *_notes(table, width), ""] if table else []
    if section.key in ("why", "findings"):
        found = [b for b in section.blocks if isinstance(b, Finding) and b.severity != "note"]
        return _findings(section.title, found, width)
    return []


def _tables(section: Section) -> Iterator[Table]:
    """The tables, with charts or without."""
    for block in section.blocks:
        if isinstance(block, Table):
            yield block
        elif isinstance(block, Chart):
            yield block.table


def _grid(table: Table) -> list[str]:
    columns = [c for c in table.columns if c.kind != "text" or not _long(c, table)]
    cells = [[c.heading for c in columns]]
    cells += [[cell(c, row) for c in columns] for row in table.rows]
    widths = [max(len(line[k]) for line in cells) for k in range(len(columns))]
    lines = [_line(line, columns, widths) for line in cells]
    return [lines[0], "-" * len(lines[0]), *lines[1:]]


def _long(column: Column, table: Table) -> bool:
    """Whether a column explains in words, for which a terminal has no room."""
    others = column is not table.columns[0]
    return others and any(len(str(row.get(column.key) or "")) > _LONG for row in table.rows)


def _line(cells: Sequence[str], columns: Sequence[Column], widths: Sequence[int]) -> str:
    return "  ".join(
        cell.ljust(w) if column.kind == "text" else cell.rjust(w)
        for cell, column, w in zip(cells, columns, widths, strict=True)
    ).rstrip()


def _notes(table: Table, width: int) -> list[str]:
    undefined = [note for note in table.notes if note.startswith("—")]
    return [line for note in undefined for line in _wrapped(note, width)]


def _findings(title: str, found: list[Finding], width: int) -> list[str]:
    lines = [title] if found else []
    for finding in found:
        stake = f" ({finding.at_stake})" if finding.at_stake else ""
        lines += _wrapped(f"{finding.severity.upper()}  {finding.title}{stake}", width)
        for name, sentence in finding.about:
            body = f"{name}: {sentence}" if len(finding.about) > 1 else sentence
            lines += _wrapped(body, width, "    ")
        if finding.advice:
            lines += _wrapped(f"→ {finding.advice}", width, "    ")
        lines += [f"    {action.python()}" for action in finding.do]
    return [*lines, ""] if lines else []


def _wrapped(sentence: str, width: int, indent: str = "") -> list[str]:
    return textwrap.wrap(
        sentence, width, initial_indent=indent, subsequent_indent=indent,
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip
