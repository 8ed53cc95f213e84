"""From annotations to a report: built once, rendered in any format."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .._version import __version__
from ..errors import RequestError
from ..measure.results import Rows, plain
from ..public import AgreementTable, agreement
from .chapters.advice import advice_section, findings_section, scales_section
from .chapters.agreement import agreement_section, questions_section
from .chapters.breakdown import categories_section, coders_section
from .chapters.confusion import confusion_section
from .chapters.items import items_section
from .chapters.opening import figures, verdict
from .chapters.reading import coverage_section, labels_section, reading_section
from .document import Figure, Section
from .evidence import Evidence
from .study import Study, study

__all__ = ["Report", "report"]


@dataclass(frozen=True, eq=False)
class Report(Rows):
    """Everything that is said about the annotations, as sections; see `report`."""

    title: str
    overline: str
    verdict: tuple[str, ...]
    figures: tuple[Figure, ...]
    sections: tuple[Section, ...]
    evidence: Evidence
    table: AgreementTable
    version: str = __version__

    def to_rows(self) -> list[dict[str, Any]]:
        """The rows of the table of coefficients."""
        return self.table.to_rows()


def report(data: Any, *, title: str | None = None, **options: Any) -> Report:
    table = agreement(data, **options)
    found = study(table, weights=options.get("weights"), level=options.get("level", 0.95))
    return build(found, title)


_SECTIONS: tuple[Callable[[Study], Section | None], ...] = (
    reading_section,
    coverage_section,
    labels_section,
    agreement_section,
    scales_section,
    questions_section,
    categories_section,
    coders_section,
    confusion_section,
    items_section,
    findings_section,
    advice_section,
)


def build(found: Study, title: str | None = None) -> Report:
    sections = tuple(s for make in _SECTIONS if (s := make(found)) is not None)
    name = Path(found.data.reading.source).name
    return Report(
        title=title or f"How reliable are the annotations of {name}?",
        overline=f"Agreement between coders · Accordant {__version__}",
        verdict=verdict(found),
        figures=figures(found),
        sections=sections,
        evidence=found.collector.evidence(),
        table=found.table,
    )
