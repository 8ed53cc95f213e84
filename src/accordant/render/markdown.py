"""A report as GitHub Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from ..fields import cell
from ..views.blocks import (
    Block,
    Chart,
    Choice,
    Depth,
    Finding,
    Fold,
    Matrix,
    Prose,
    Quotation,
    References,
    Steps,
    Table,
    Verdicts,
    effect_of,
)
from ..views.document import Document, Section, visible


def markdown(report: Document, *, full: bool = False) -> str:
    """The report; charts are given by their tables, details only where it is to be ``full``."""
    depth: Depth = "detail" if full else "main"
    sections = report.printed(full=full)
    basis = [_plain(" · ".join(report.basis))] if report.basis else []
    parts = [*basis, f"# {_plain(report.title)}", *map(_plain, report.verdict)]
    for section in report.opening:
        parts += _section(section, depth)
    if report.contents:
        titles = [section.title for section in sections]
        parts.append("\n".join(f"- [{_plain(title)}](#{_slug(title)})" for title in titles))
    for section in sections:
        parts += _section(section, depth)
    return "\n\n".join(parts) + "\n"


def markdown_table(table: Table) -> str:
    """One table with its notes."""
    return "\n\n".join(_table(table)) + "\n"


def sections_markdown(sections: Iterable[Section], depth: Depth = "main") -> str:
    """Some sections, each under its title."""
    return "\n\n".join(part for s in sections for part in _section(s, depth)) + "\n"


def _slug(title: str) -> str:
    """The anchor that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def _section(section: Section, depth: Depth = "evidence") -> Iterator[str]:
    if section.title:
        yield f"## {_plain(section.title)}"
    if section.lead:
        yield _plain(section.lead)
    yield from _blocks(section.shown(depth), 3, depth)


def _blocks(blocks: Sequence[Block], level: int, depth: Depth) -> Iterator[str]:
    for block in visible(blocks, depth):
        yield from _block(block, level, depth)


def _block(block: Block, level: int, depth: Depth) -> Iterator[str]:
    head = "#" * level
    match block:
        case Choice():
            for name, inside in block.options:
                if said := list(_blocks(inside, level + 1, depth)):
                    yield f"{head} {_plain(name)}"
                    yield from said
        case Fold():
            yield f"{head} {_plain(block.title)}"
            yield from _blocks(block.blocks, level + 1, depth)
        case Chart():
            yield f"**{_plain(block.title)}**"
            yield from _table(block.table)
        case Table():
            yield from _table(block)
        case Matrix():
            yield from _matrix(block)
        case Prose():
            yield from _prose(block, head)
        case Finding():
            yield from _finding(block)
            yield from _blocks(block.blocks, level, depth)
        case Quotation():
            if block.title:
                yield f"{head} {_plain(block.title)}"
            yield _fenced(block.text) if block.verbatim else f"> {_plain(block.text)}"
        case Verdicts():
            yield f"**{_plain(block.title)}**"
            yield from _table(block.table)
        case Steps():
            yield "\n".join(_steps(block))
            if block.note:
                yield f"*{_plain(block.note)}*"
        case References():
            yield "\n".join(f"- {_plain(text)} {link}".rstrip() for _, text, link in block.entries)


def _prose(block: Prose, head: str) -> Iterator[str]:
    if block.title:
        yield f"{head} {_plain(block.title)}" if block.text else f"**{_plain(block.title)}**"
    if block.label:
        yield f"*{_plain(block.label)}*"
    yield from map(_plain, block.paragraphs)
    if block.facts:
        yield "\n".join(f"- **{_plain(name)}:** {_plain(fact)}" for name, fact in block.facts)
    if block.do:
        yield "\n".join(f"- {f'{_plain(a.why)}: ' if a.why else ''}`{a.typed()}`" for a in block.do)


def _steps(block: Steps) -> Iterator[str]:
    for number, step in enumerate(block.steps, start=1):
        effect = f" {_plain(effect_of(step))}." if effect_of(step) else ""
        yield f"{number}. **{_plain(step.title)}.**{effect} {_plain(step.reason)}"
        yield f"   `{step.action.typed()}`"


def _finding(block: Finding) -> Iterator[str]:
    stake = f" ({_plain(block.at_stake)})" if block.at_stake else ""
    to_do = f" · {_plain(block.to_do)}" if block.to_do else ""
    yield f"**{block.severity.capitalize()}: {_plain(block.title)}**{stake}{to_do}"
    if len(block.about) == 1:
        yield _plain(block.about[0][1])
    else:
        yield "\n".join(f"- {_plain(name)}: {_plain(sentence)}" for name, sentence in block.about)
    if block.advice:
        yield f"*What to do:* {_plain(block.advice)}"
    yield from (f"    {action.typed()}" for action in block.do)
    if block.items is not None:
        yield f"*Items to read:* {_plain(block.items.listed)}"
    if block.sources:
        yield _plain(f"({'; '.join(block.sources)})")


def _table(table: Table) -> Iterator[str]:
    if table.title:
        yield f"**{_plain(table.title)}**"
    lines = [
        _row([c.heading for c in table.columns]),
        "|" + "|".join(" --- " if c.kind == "text" else " ---: " for c in table.columns) + "|",
        *(_row([cell(c, row) for c in table.columns]) for row in table.rows),
    ]
    yield "\n".join(lines)
    yield from map(_plain, table.notes)


def _matrix(matrix: Matrix) -> Iterator[str]:
    if matrix.title:
        yield f"**{_plain(matrix.title)}**"
    right, below, corner = matrix.totals or ((), (), "")
    head = [f"{matrix.rows_are} ↓ {matrix.columns_are} →", *matrix.column_names]
    lines = [_row([*head, *(["all"] if right else [])])]
    lines.append("|" + " --- |" + " ---: |" * (len(head) - 1 + bool(right)))
    for k, (name, cells) in enumerate(zip(matrix.row_names, matrix.cells, strict=True)):
        lines.append(_row([name, *map(matrix.text, cells), *right[k : k + 1]]))
    if below:
        lines.append(_row(["all", *below, corner]))
    yield "\n".join(lines)
    yield from map(_plain, matrix.told)


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(_plain(cell).replace("\n", " ") for cell in cells) + " |"


def _fenced(text: str) -> str:
    longest = max((len(run) for run in re.findall(r"`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}\n{text}\n{fence}"


def _plain(text: str) -> str:
    """Text that Markdown must not read as markup or HTML."""
    return re.sub(r"([\\`*_{}\[\]<>#|~])", r"\\\1", text)
