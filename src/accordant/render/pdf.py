"""A report as PDF, set by Typst from the template `templates/report.typ`."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Sequence
from importlib.resources import files
from itertools import groupby
from typing import Any

from ..fields import cell
from ..numbers import decimal, interval
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
from ..views.document import Document, visible
from .vega import svg

_LONG = 34  # characters of a cell from which on a column takes the room that is left
_HALF = 52  # characters in a line of a matrix that fits half a page
_CELL = 7  # of one of its cells
_FONT = re.compile(r'font-family="[^"]*"')


def pdf(report: Document, *, full: bool = False) -> bytes:
    """The PDF file; ``full`` adds the details."""
    import typst

    source = files(__package__).joinpath("templates", "report.typ").read_bytes()
    return bytes(
        typst.compile(
            source,
            sys_inputs={"report": json.dumps(_content(report, full=full))},
        )
    )


def _content(report: Document, *, full: bool) -> dict[str, Any]:
    """What the template reads."""
    depth: Depth = "detail" if full else "main"
    return {
        "title": report.title,
        "overline": report.overline,
        "basis": list(report.basis),
        "footer": report.signature,
        "verdict": list(report.verdict),
        "contents": report.contents,
        "figures": [vars(figure) for figure in report.figures],
        "sections": [
            {"title": s.title, "lead": s.lead, "blocks": list(_blocks(s.shown(depth), depth))}
            for s in (*report.opening, *report.printed(full=full))
        ],
    }


def _blocks(blocks: Sequence[Block], depth: Depth = "evidence") -> Iterator[dict[str, Any]]:
    for block in visible(blocks, depth):
        match block:
            case Choice():
                alike = _gallery(block)
                if len(alike) > 1:
                    yield from _side_by_side(alike)
                    continue
                pair = _beside(block, depth)
                if pair:
                    yield {"block": "beside", "tables": pair}
                    continue
                for name, inside in block.options:
                    if said := list(_blocks(inside, depth)):
                        yield {"block": "title", "text": name}
                        yield from said
            case Fold():
                yield {"block": "title", "text": block.title}
                yield from _blocks(block.blocks, depth)
            case Steps():
                yield {"block": "steps", **_steps(block)}
            case Verdicts():
                yield {"block": "lanes", **_lanes(block)}
            case _:
                yield {"block": type(block).__name__.lower(), **_plain(block)}


def _gallery(choice: Choice) -> list[Matrix]:
    """The matrices of a choice if it holds nothing else, and all are small."""
    found = [b for _, inside in choice.options for b in inside]
    small = [b for b in found if isinstance(b, Matrix) and _width(b) <= _HALF]
    return small if len(small) == len(found) == len(choice.options) else []


def _beside(choice: Choice, depth: Depth) -> list[dict[str, Any]]:
    """The tables of two questions if these have nothing else, and both fit half a page."""
    each = [(name, list(visible(inside, depth))) for name, inside in choice.options]
    tables = [(name, b[0]) for name, b in each if len(b) == 1 and isinstance(b[0], Table)]
    narrow = all(_width_of(table) <= _HALF for _, table in tables if isinstance(table, Table))
    if not len(each) == len(tables) == 2 or not narrow:
        return []
    return [{"name": name, **_plain(table)} for name, table in tables]


def _width_of(table: Table) -> int:
    """Characters in a line of a table, roughly."""
    cells = ([cell(c, row) for row in table.rows] for c in table.columns)
    return sum(
        max(map(len, [c.heading, *own])) + 2 for c, own in zip(table.columns, cells, strict=True)
    )


def _width(matrix: Matrix) -> int:
    """Characters in a line of a matrix, roughly."""
    cells = [max(len(name), _CELL) for name in matrix.column_names]
    head = max(len(matrix.rows_are) + len(matrix.columns_are) + 5, *map(len, matrix.row_names))
    return head + sum(cells) + (_CELL if matrix.totals else 0)


def _side_by_side(matrices: Sequence[Matrix]) -> Iterator[dict[str, Any]]:
    """Matrices in two columns, those with the same notes together."""
    for notes, some in groupby(matrices, lambda m: m.told):
        drawn = [_matrix(matrix) for matrix in some]
        yield {"block": "gallery", "matrices": drawn, "notes": list(notes)}


def _plain(block: Block) -> dict[str, Any]:
    match block:
        case Chart():
            return {
                "title": block.title,
                **_drawing(svg(block)),
                "table": _plain(block.table),
            }
        case Table():
            return _table(block)
        case Matrix():
            return _matrix(block)
        case References():
            return {"entries": [[text, link] for _, text, link in block.entries]}
        case Finding():
            return _finding(block)
        case Prose():
            return {
                "title": block.title,
                "label": block.label,
                "paragraphs": list(block.paragraphs),
                "facts": _listed(block.facts),
                "do": [action.typed() for action in block.do],
            }
        case Quotation():
            return {name: _listed(x) for name, x in vars(block).items()}
    raise TypeError(f"unknown block {type(block).__name__}")


def _drawing(svg: str) -> dict[str, Any]:
    """A picture in the font of the page, and its width in pixels."""
    width = re.search(r' width="([\d.]+)"', svg)
    return {
        "svg": _FONT.sub('font-family="Libertinus Serif"', svg),
        "width": float(width[1]) if width else 500.0,
    }


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "title": finding.title,
        "about": _listed(finding.about),
        "advice": finding.advice,
        "do": [action.typed() for action in finding.do],
        "severity": finding.severity,
        "sources": list(finding.sources),
        "stake": finding.at_stake,
        "to_do": finding.to_do,
        "items": "" if finding.items is None else finding.items.listed,
        "blocks": list(_blocks(finding.blocks)),
    }


def _lanes(block: Verdicts) -> dict[str, Any]:
    """Marks as shares of the axis, which ends at 1."""

    def place(x: float) -> float:
        return (min(max(x, block.lowest), 1) - block.lowest) / (1 - block.lowest)

    lanes = [
        {
            "name": lane.name,
            "word": lane.word,
            "reason": lane.reason,
            "state": lane.state,
            "value": decimal(lane.value),
            "interval": interval(lane.low, lane.high),
            "alternative": lane.alternative,
            "dot": None if math.isnan(lane.value) else place(lane.value),
            "bar": None if math.isnan(lane.low) else [place(lane.low), place(lane.high)],
        }
        for lane in block.lanes
    ]
    limits = [[place(x), decimal(x).removeprefix("0"), word] for x, word in block.thresholds]
    return {
        "title": block.title,
        "lanes": lanes,
        "limits": limits,
        "lowest": decimal(block.lowest, 1),
    }


def _steps(block: Steps) -> dict[str, Any]:
    steps = [
        {"title": s.title, "effect": effect_of(s), "reason": s.reason, "call": s.action.typed()}
        for s in block.steps
    ]
    return {"steps": steps, "note": block.note}


def _table(table: Table) -> dict[str, Any]:
    kinds = [
        "long" if c.kind == "text" and _longest(table, c.key) > _LONG else c.kind
        for c in table.columns
    ]
    return {
        "title": table.title,
        "head": [c.heading for c in table.columns],
        "kinds": kinds,
        "rows": [[cell(c, row) for c in table.columns] for row in table.rows],
        "notes": list(table.notes),
        "folded": False,
    }


def _longest(table: Table, key: str) -> int:
    return max((len(str(row.get(key) or "")) for row in table.rows), default=0)


def _matrix(matrix: Matrix) -> dict[str, Any]:
    return {
        "title": matrix.title,
        "corner": f"{matrix.rows_are} ↓ {matrix.columns_are} →",
        "names": list(matrix.column_names),
        "rows": [
            {
                "name": name,
                "cells": [
                    {
                        "shown": c.shown,
                        "small": "" if matrix.wide else c.small,
                        "kind": c.kind,
                        "level": c.level,
                    }
                    for c in cells
                ],
            }
            for name, cells in zip(matrix.row_names, matrix.cells, strict=True)
        ],
        "totals": None if matrix.totals is None else _listed(matrix.totals),
        "notes": list(matrix.told),
    }


def _listed(x: Any) -> Any:
    """Tuples as lists, so that JSON and Typst see arrays."""
    return [_listed(y) for y in x] if isinstance(x, tuple) else x
