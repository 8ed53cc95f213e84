"""The report of annotations: one page that answers, and chapters behind it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from .._version import __version__
from ..diagnosis.agreement import AgreementTable, agreement
from ..models.gold import Gold
from ..numbers import count_of, percent
from ..validation import checked
from .advice import advice_section, scales_section
from .agreement import agreement_section, questions_section
from .ambiguity import ambiguity_section
from .answer import answer, methods
from .categories import categories_section
from .closing import method_section, references_section
from .coders import coders_section
from .confusion import confusion_section
from .data import data_section
from .document import Chart, Document, Finding, Section
from .evidence import gathered
from .final_labels import final_section
from .fitted import Fit, Fits, coder_of, fits, reliability_section
from .fitted import labels_section as estimated_section
from .items import items_section
from .levels import levels_section
from .stand_in import Standing, stand_in_section, standing
from .study import Study, study
from .view import named
from .writing import paragraph

__all__ = ["Report", "report"]

_DISAGREEMENT: tuple[Callable[[Study], Section | None], ...] = (
    lambda study: _told(study, "findings", "why"), lambda study: _told(study, "what-if", "levers"),
    confusion_section, categories_section, coders_section,
    items_section,
)  # fmt: skip
_MODELS: tuple[Callable[[Fits], Section | None], ...] = (
    reliability_section, estimated_section, ambiguity_section,
)  # fmt: skip
_AGREEMENT: tuple[Callable[[Study], Section | None], ...] = (
    questions_section, agreement_section, scales_section, advice_section,
    lambda study: _told(study, "caveats", "findings"),
)  # fmt: skip
_DATA: tuple[Callable[[Study], Section | None], ...] = (
    data_section, final_section, levels_section, method_section,
)  # fmt: skip


PRINTED = ("stand_in", "agreement", "questions", "confusion", "annotator_reliability", "method")
"""Chapters that are printed in full unless all are asked for; of the others title and lead."""


def _told(study: Study, name: str, key: str) -> Section | None:
    """A chapter that is a view of the diagnosis; none where nothing can be compared."""
    if not study.comparable:
        return None
    section = named("diagnose", name).section(study.diagnosis.each)
    found = [b.title for b in section.every_block() if isinstance(b, Finding)]
    lead = found[0] if found else next(
        (b.title for b in section.every_block() if isinstance(b, Chart)), ""
    )  # fmt: skip
    return replace(section, key=key, lead=lead)


@dataclass(frozen=True, eq=False, repr=False)
class Report(Document):
    """What is known about the reliability of annotations, as a document; made by `report`."""

    def summary(self) -> str:
        """The first page as text, for a terminal."""
        return str(self)


@checked
def report(
    data: Any, *, title: str | None = None, order: str | None = None, gold: Gold | None = None,
    fit: Fit = None, models: Any = None, benchmark: str = "krippendorff", **options: Any,
) -> Report:  # fmt: skip
    """A reliability report: is agreement good enough, what costs most, what to do next."""
    table = agreement(data, **options)
    told = answer(table, benchmark)
    found = study(table, order=order, gold=coder_of(gold, table.data))
    made = fits(found, {"none": False, "all": True}.get(str(fit), fit), gold)
    chapters = tuple(s for s in _chapters(found, made, standing(found, models)) if s is not None)
    first, rest = _first(tuple(
        s if s.key in PRINTED else replace(s, depth="detail") for s in chapters
    ))  # fmt: skip
    return Report(
        title=title or told.headline,
        overline=f"Agreement between coders · Accordant {__version__}",
        verdict=(told.headline,) if title else (),
        figures=(),
        sections=tuple(gathered(section, found.collector) for section in rest),
        evidence=found.collector.evidence(),
        table=table,
        basis=_basis(table),
        opening=(*first, *told.sections(), methods(paragraph(found), table.signature)),
        file=table.data.reading.source,
    )


def _chapters(found: Study, made: Fits, beside: Standing) -> Iterator[Section | None]:
    """All chapters in the order of reading."""
    yield stand_in_section(found, beside)
    yield from (make(found) for make in _DISAGREEMENT)
    yield from (make(made) for make in _MODELS)
    yield from (make(found) for make in (*_AGREEMENT, *_DATA))
    of_models = [key for one in beside.values() for f in one.findings for key in f.sources]
    yield references_section(found, (*made.sources, *of_models))


def _first(chapters: tuple[Section, ...]) -> tuple[tuple[Section, ...], tuple[Section, ...]]:
    """Humans against models come first, with their lead; the chapter follows in full."""
    beside = tuple(
        replace(s, blocks=(), key="models-first") for s in chapters if s.key == "stand_in"
    )
    return beside, chapters


def _basis(table: AgreementTable) -> tuple[str, ...]:
    data, row = table.data, (table.of_question(None) or table.rows)[0]
    name = Path(data.reading.source).name
    cells = len(data.items) * len(data.coders) * len(data.questions)
    missing = "" if data.anonymous or not cells else percent(1 - row.n_annotations / cells)
    some = missing and row.n_annotations < cells
    return (
        *((name,) if "." in name else ()),
        count_of(len(data.items), "item"),
        "unknown coders" if data.anonymous else count_of(len(data.coders), "coder"),
        *((count_of(len(data.questions), "question"),) if len(data.questions) > 1 else ()),
        f"{count_of(row.n_annotations, 'annotation')}{f', {missing} missing' if some else ''}",
    )
