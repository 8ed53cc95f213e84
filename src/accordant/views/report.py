"""The report of annotations: one page that answers, and chapters behind it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from .._version import __version__
from ..diagnosis.agreement import AgreementTable, agreement
from ..models.gold import Gold
from ..numbers import count_of, decimal, interval, percent
from ..validation import checked
from .ambiguity import ambiguity_section
from .answer import answer
from .categories import categories_section
from .coders import coders_section
from .coefficient_choice import what_to_report
from .confusion import confusion_section
from .data import data_section
from .document import Block, Chart, Document, Finding, Section
from .evidence import gathered
from .final_labels import final_section
from .fitted import Fit, Fits, coder_of, fits, reliability_section
from .fitted import labels_section as estimated_section
from .items import items_section
from .levels import levels_section
from .methods import references_section
from .methods_paragraph import intervals_text
from .names import begun, coefficient_name
from .stand_in import Standing, stand_in_section, standing
from .study import Study, study
from .view import named

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
    lambda study: _agreement(study.table), lambda study: _choice(study.table),
    lambda study: _told(study, "caveats", "findings"),
)  # fmt: skip
_DATA: tuple[Callable[[Study], Section | None], ...] = (
    data_section, final_section, levels_section, lambda study: _methods(study.table),
)  # fmt: skip


PRINTED = ("stand_in", "agreement", "confusion", "annotator_reliability", "methods")
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


def _of(table: AgreementTable, *names: str, **options: str) -> tuple[Block, ...]:
    """The blocks of some views of the coefficients."""
    made = (named("agreement", name).section(table.told_parts, **options) for name in names)
    return tuple(block for section in made for block in section.blocks)


def _agreement(table: AgreementTable) -> Section:
    """The coefficients; of several questions first how far these lie apart."""
    part = table.told_parts[-1]
    row = part.main
    blocks = _of(table, "questions", "coefficients")
    lead = blocks[0].title if isinstance(blocks[0], Chart) and part.question is None else ""
    if len(table.told_parts) == 1:
        name = begun(coefficient_name(row, of_sets=part.of_sets))
        lead = (
            f"{name} is undefined: {row.undefined}" if row.undefined
            else f"{name} is {decimal(row.value)} {interval(row.low, row.high)}, from observed "
            f"agreement {decimal(row.observed)} and expected agreement {decimal(row.expected)}"
        )  # fmt: skip
    return Section("agreement", "Agreement", f"{lead.rstrip('.')}.", blocks)


def _choice(table: AgreementTable) -> Section:
    """Which coefficient to report, and published scales."""
    part = table.told_parts[-1]
    blocks = _of(table, "recommendation", "benchmarks")
    return Section("coefficient_choice", "Choice of coefficient", what_to_report(part), blocks)


def _methods(table: AgreementTable) -> Section:
    """How it was measured, and the call that repeats it."""
    lead = intervals_text(table) or "No interval was computed."
    return Section("methods", "Methods", lead, _of(table, "methods"))


def _paragraph(table: AgreementTable, benchmark: str) -> Section:
    """The paragraph for a paper, with the call behind it."""
    blocks = _of(table, "methods-paragraph", benchmark=benchmark)
    return Section("paragraph", "Methods paragraph", "", blocks)


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
        opening=(*first, *told.sections(), _paragraph(table, benchmark)),
        file=table.data.reading.source,
    )


def _chapters(found: Study, made: Fits, beside: Standing) -> Iterator[Section | None]:
    """All chapters in the order of reading."""
    yield stand_in_section(found, beside)
    yield from (make(found) for make in _DISAGREEMENT)
    yield from (make(made) for make in _MODELS)
    yield from (make(found) for make in (*_AGREEMENT, *_DATA))
    of_models = [key for one in beside.values() for f in one.findings for key in f.sources]
    yield references_section(found.table, (*made.sources, *of_models))


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
