"""From annotations to a report: built once, rendered in any format."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .._version import __version__
from ..models.gold import Gold
from ..public import agreement
from ..render.html import html
from ..render.json import as_json
from ..render.latex import latex
from ..render.markdown import markdown
from ..render.pdf import pdf
from ..render.saving import write
from ..render.text import text
from .advice import advice_section, findings_section, scales_section
from .agreement import agreement_section, questions_section
from .ambiguity import ambiguity_section
from .breakdown import categories_section, coders_section
from .closing import method_section, references_section
from .confusion import confusion_section
from .document import Document, Section
from .final import final_section
from .fitted import (
    Fit,
    Fits,
    coder_of,
    fits,
    reliability_section,
    reliability_verdict,
)
from .fitted import labels_section as estimated_section
from .items import items_section
from .labels import labels_section
from .levels import levels_section
from .levers import levers_section
from .opening import figures, verdict
from .reading import coverage_section, reading_section
from .sizes import sizes_section
from .stand_in import Standing, stand_in_section, standing
from .study import Study, study
from .why import why_section
from .writing import writing_section

__all__ = ["FORMATS", "Report", "report"]

_AGREEMENT: tuple[Callable[[Study], Section | None], ...] = (
    reading_section,
    coverage_section,
    labels_section,
    sizes_section,
    questions_section,
    agreement_section,
    scales_section,
    why_section,
    levers_section,
    final_section,
)
_MODELS: tuple[Callable[[Fits], Section | None], ...] = (
    reliability_section,
    estimated_section,
    ambiguity_section,
)
_DETAILS: tuple[Callable[[Study], Section | None], ...] = (
    categories_section,
    coders_section,
    confusion_section,
    items_section,
    levels_section,
    findings_section,
    advice_section,
    writing_section,
    method_section,
)


@dataclass(frozen=True, eq=False, repr=False)
class Report(Document):
    """What is known about the reliability of annotations, as a document; made by `report`."""

    def summary(self) -> str:
        """The essentials as text, for a terminal."""
        return text(self)

    def to_json(self, *, indent: int | None = None) -> str:
        """Every section with its rows, unrounded; NaN becomes null."""
        return as_json(self, indent=indent)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the report; the name says the format.

        Parameters
        ----------
        path : path
            Ends in ``.html``, ``.pdf``, ``.md``, ``.tex`` or ``.json``.

        Returns
        -------
        Path
            Where it was written. An older file is replaced only when the new one is complete.

        Raises
        ------
        RequestError
            If the ending is unknown or the file cannot be written.
        """
        return write(self, path, FORMATS, "report")

    def __str__(self) -> str:
        return self.summary()

    def __repr__(self) -> str:
        return f"<Report: {self.title} {len(self.sections)} sections>"

    def _repr_html_(self) -> str:
        return self.table._repr_html_()


FORMATS: dict[str, Callable[[Document], str | bytes]] = {
    ".html": html,
    ".pdf": pdf,
    ".md": markdown,
    ".tex": latex,
    ".json": as_json,
}
"""How a report is rendered, by the ending of the file name."""


def report(
    data: Any, *, title: str | None = None, order: str | None = None, gold: Gold | None = None,
    fit: Fit = None, models: Any = None, **options: Any,
) -> Report:  # fmt: skip
    """A reliability report: what was read, how far coders agree, where not, what to make of it.

    Parameters
    ----------
    data : Annotations, path, data frame or array
        Anything that `read` takes.
    title : str, optional
        The heading.
    order : str, optional
        The metadata column that says in which order items were annotated.
    gold : str, path, mapping or frame, optional
        The coder whose labels count as right, or labels that are known of some items, as in `fit`:
        a column about the items, a file, or item → label. A model of coders does not see them:
        they show how right its labels are.
    fit : str or bool, optional
        The model of coders behind who can be trusted and what is probably true, see `fit`; False
        for none. By default the usual one, with what goes quickly; True for that one with all
        that takes longer.
    models : str, sequence of str, or a source, optional
        Coders that are models, as in `model_as_coder`: may they stand in for the others?
    **options
        Options of `agreement` (``weights``, ``interval``, ``level``, ``rng`` …) and of `read`
        (``scale``, ``categories`` …).

    Returns
    -------
    Report
        With ``save("report.html")``, also ``.pdf``, ``.md``, ``.tex`` and ``.json``, and
        ``summary()`` for a terminal.

    Raises
    ------
    InputError
        If the data cannot be read.
    RequestError
        If an option does not exist or does not fit.

    Examples
    --------
    >>> import accordant as ac
    >>> found = ac.report([["a", "b", "a", "a"], ["a", "b", "b", "a"]])
    >>> print(found["items"].lead[:38])
    Coders differ on 1 of 4 items with sev
    >>> [section.key for section in found.sections][:4]
    ['data', 'coverage', 'labels', 'agreement']
    """
    table = agreement(data, **options)
    found = study(table, order=order, gold=coder_of(gold, table.data))
    made = fits(found, fit, gold)
    sections = tuple(s for s in _sections(found, made, standing(found, models)) if s is not None)
    return Report(
        title=title or _title(found),
        overline=f"Agreement between coders · Accordant {__version__}",
        verdict=(*verdict(found), *reliability_verdict(made)),
        figures=figures(found),
        sections=sections,
        evidence=found.collector.evidence(),
        table=table,
    )


def _sections(found: Study, made: Fits, beside: Standing) -> Iterator[Section | None]:
    """All sections in the order of reading."""
    yield from (make(found) for make in _AGREEMENT)
    yield from (make(made) for make in _MODELS)
    yield stand_in_section(found, beside)
    yield from (make(found) for make in _DETAILS)
    of_models = [key for one in beside.values() for f in one.findings for key in f.sources]
    yield references_section(found, (*made.sources, *of_models))


def _title(found: Study) -> str:
    name = Path(found.data.reading.source).name
    return (
        f"How reliable are {f'the annotations of {name}' if '.' in name else 'these annotations'}?"
    )
