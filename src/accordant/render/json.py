"""A report as JSON: every section with its rows, unrounded, for other programs."""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from typing import Any

from ..results import plain
from ..views.blocks import Matrix
from ..views.document import Document, Section


def as_json(report: Document, *, indent: int | None = 1) -> str:
    """The sections, the coefficients and the items behind the cells; NaN becomes null."""
    content: dict[str, Any] = {
        "title": report.title,
        "version": report.version,
        "signature": report.signature,
        **report.facts,
        "basis": report.basis,
        "verdict": report.verdict,
        "opening": [plain_section(section) for section in report.opening],
        "coefficients": report.to_rows(),
        "sections": [plain_section(section) for section in report.sections],
        "evidence": report.evidence.to_plain(),
    }
    return json.dumps(plain(content), ensure_ascii=False, indent=indent)


def plain_section(section: Section) -> dict[str, Any]:
    """A section in types that JSON knows, but for NaN (see `results.plain`)."""
    return dict(_plain(section))


def _plain(x: Any) -> Any:
    """Dataclasses as dictionaries that say what they are."""
    if isinstance(x, Matrix):
        return _matrix(x)
    if is_dataclass(x) and not isinstance(x, type):
        kind = type(x).__name__.lower()
        own = {} if kind == "field" else {"block": kind}
        return own | {f.name: _plain(getattr(x, f.name)) for f in fields(x)}
    if isinstance(x, tuple | list):
        return [_plain(y) for y in x]
    if isinstance(x, dict):
        return {k: _plain(v) for k, v in x.items()}
    return x


def _matrix(matrix: Matrix) -> dict[str, Any]:
    return {
        "block": "matrix",
        "title": matrix.title,
        "rows_are": matrix.rows_are,
        "columns_are": matrix.columns_are,
        "row_names": matrix.row_names,
        "column_names": matrix.column_names,
        "values": [[cell.value for cell in line] for line in matrix.cells],
        "items": [
            [c.items if isinstance(c.items, str) else None for c in line] for line in matrix.cells
        ],
        "notes": matrix.told,
    }
