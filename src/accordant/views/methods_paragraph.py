"""A paragraph for the methods section of a paper: design, figures, intervals, thresholds."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from .._version import __version__
from ..diagnosis.agreement_table import AgreementPart, AgreementTable
from ..errors import unknown
from ..inference.benchmarks import BENCHMARKS
from ..literature import cite
from ..measure.coefficient_value import Agreement
from ..measure.measures import sources_of, weights_text
from ..messages import isolated
from ..numbers import count_of, decimal, joined, level_text, percent
from ..scheme import Scheme
from .blocks import Block, Quotation
from .coefficient_names import key_of_row
from .coefficient_tables import name_for_all
from .view import POOLED, view

if TYPE_CHECKING:
    from ..diagnosis.label_sets import CoderSets, Structure


NUMBERS = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten")
MOST = 6  # questions that are named
FEW = 4  # coders, each with a share of their own
INTERVALS = {
    "score": "from score tests",
    "linearised": "analytic (linearisation, t)",
    "delta": "analytic (delta method, t)",
    "exact bound": "exact where no item shows a disagreement",
    "bootstrap": "from the percentile bootstrap over items",
}
LABEL_DRAW = (
    "expected agreement assumes that each coder draws as many different labels as they gave, "
    "from their own distribution"
)
SETS = {
    "boot_match": f"Two annotations were taken to agree if they shared a label; {LABEL_DRAW}",
    "augmented": (
        "Several labels of an annotation were taken as doubt about the right one: one "
        "vote divided over them"
    ),
    "alpha_masi": (
        "Annotations were compared as sets of labels with MASI, by the common labels "
        "and whether one set holds the other"
    ),
    "alpha_jaccard": (
        "Annotations were compared as sets of labels by the share of common labels "
        "among all of them (Jaccard)"
    ),
}


@view("methods-paragraph", of="agreement", title="Methods paragraph", place=125, whole=True)
def paragraph_view(part: AgreementPart, benchmark: str = "krippendorff") -> Iterator[Block]:
    """A paragraph for a paper, with its citations, and the signature."""
    yield Quotation(paragraph(part.table, benchmark), depth="headline")
    yield Quotation(part.table.signature, verbatim=True, depth="headline")


def paragraph(table: AgreementTable, scale: str = "krippendorff") -> str:
    """A paragraph for the methods section, with every number that a reader needs.

    Raises
    ------
    RequestError
        If there is no such published scale.
    """
    if scale not in BENCHMARKS:
        raise unknown("scale", scale, BENCHMARKS, have="there are")
    *questions, whole = table.told_parts
    compared = whole.rows[0].n_pairable > 0
    return " ".join(
        [
            _design(table, questions, whole),
            *(
                _measured(questions, whole)
                if compared
                else ["Agreement could not be measured: no item has two annotations."]
            ),
            *(_of_sets(whole) if whole.of_sets and compared else ()),
            *(_compared(table, scale) if compared else ()),
            f"Computed with Accordant {__version__} (data {table.data.fingerprint[:12]}).",
        ]
    )


# ------------------------------------------------------------------ design


def _design(table: AgreementTable, questions: list[AgreementPart], whole: AgreementPart) -> str:
    data, facts = table.data, whole.diagnosed.coverage
    n, missing = facts.n_coders, ""
    coders = f"{NUMBERS[n] if n < len(NUMBERS) else f'{n:,}'} coder{'s' * (n != 1)}"
    who = "Coders whose names are not known" if data.anonymous else coders
    items = count_of(len(data.items) if questions else facts.n_items, "item")
    annotations = count_of(facts.n_annotations, "annotation")
    if facts.missing_share > 0 and not data.anonymous:
        missing = f"; {percent(facts.missing_share)} of the annotations are missing"
    return f"{who} annotated {items}{_asked(questions, whole)}, {annotations} in all{missing}."


def _asked(questions: list[AgreementPart], whole: AgreementPart) -> str:
    """What was asked: how many labels of how many, or categories on what scale."""
    scheme, found = whole.diagnosed.scheme, whole.diagnosed.structure
    if whole.of_sets:
        most = scheme.max_labels or (found.largest if found else None)
        ranked = ", the first being the primary one" if scheme.ranked and most else ""
        any_ = f"up to {most}" if most else "any"
        return f", giving each {any_} of {count_of(len(scheme.categories), 'label')}{ranked}"
    if not questions:
        article = "an" if scheme.scale in ("ordinal", "interval") else "a"
        return f" with {_categories(scheme)} on {article} {scheme.scale} scale"
    if len(questions) > MOST:
        return f" for {len(questions)} questions"
    each = ((part.question, part.diagnosed.scheme) for part in questions)
    return " for " + joined(f"{name} ({_categories(own)}, {own.scale})" for name, own in each)


def _categories(scheme: Scheme) -> str:
    if scheme.scale in ("interval", "ratio") and not scheme.declared:
        return count_of(len(scheme.categories), "different number")
    return count_of(len(scheme.categories), "category", "categories")


# ------------------------------------------------------------------ figures


def _measured(questions: list[AgreementPart], whole: AgreementPart) -> Iterator[str]:
    """The coefficient that is reported, and what is printed beside it."""
    key = key_of_row(whole.main)
    pool = whole.table.diagnosis.same_scheme
    parts = [*questions, *([whole] if pool or not questions else [])]
    name = name_for_all((*questions, whole), key)
    source = cited(sources_of(whole.main.coefficient, whole.main.weights)[0])
    rows = [(part, part.get(key) or part.main) for part in parts]
    yield f"Agreement was measured with {name}{_data(rows)} ({source}): {_values(rows)}."
    wanted = dict.fromkeys((*whole.diagnosed.recommendation.beside, "percent"))
    told = [_beside(k, parts) for k in wanted if k != key and whole.get(k) is not None]
    if any(told):
        yield f"For comparison, {joined(filter(None, told))}."


def _data(rows: list[tuple[AgreementPart, Agreement]]) -> str:
    """For which data, where it is the same of all."""
    if rows[0][0].of_sets:
        return ""
    if rows[0][0].table.weights is not None:
        return f" with {weights_text(rows[0][1].weights)} weights"
    scales = {part.diagnosed.scheme.scale for part, _ in rows}
    return f" for {scales.pop()} data" if len(scales) == 1 else ", by the scale of each question"


def _values(rows: list[tuple[AgreementPart, Agreement]]) -> str:
    known = [(part, row) for part, row in rows if not row.undefined]
    least, most = (pick(row.n_pairable for _, row in rows) for pick in (min, max))
    n = f"{least:,} to {most:,}" if least < most else f"{least:,}"
    on = f"on {n} item{'s' * (most != 1)} with two annotations or more"
    if len(rows) > MOST and len(known) > 1:
        low, high = (pick(known, key=lambda x: x[1].value) for pick in (min, max))
        each = f"from {_value(low[1], True)} for {_name(low[0])} to {_value(high[1])} for "
        return f"{each}{_name(high[0])}, {on}"
    if len(rows) == 1:
        row = rows[0][1]
        agreed = f"observed agreement {decimal(row.observed)}, expected {decimal(row.expected)}"
        return f"{_value(row, True)}, {on}{f' ({agreed})' if known else ''}"
    told = (
        f"{_value(row, place == 0)} for {_name(part)}" for place, (part, row) in enumerate(rows)
    )
    return f"{joined(told, most=MOST + 1)}, {on}"


def _name(part: AgreementPart) -> str:
    return part.question or POOLED.lower()


def _value(row: Agreement, first: bool = False) -> str:
    """With its interval; the level is named once."""
    if row.undefined:
        return f"undefined ({row.undefined})"
    level = f"{level_text(row.level)} interval " if first else ""
    ends = f" ({level}{decimal(row.low)} to {decimal(row.high)})"
    return f"{decimal(row.value)}{'' if math.isnan(row.low) else ends}"


def _beside(key: str, parts: list[AgreementPart]) -> str:
    rows = [row for part in parts if (row := part.get(key)) is not None]
    if len(rows) > MOST or any(row.undefined for row in rows):
        return ""
    name = name_for_all(parts, key)
    plain = name.lower() if key == "percent" else name
    return f"{plain} was {joined(decimal(row.value) for row in rows)}"


def cited(key: str) -> str:
    """A publication as it is cited in brackets: 'Artstein & Poesio, 2008'."""
    return cite(key).replace(" (", ", ").rstrip(")")


def intervals_text(table: AgreementTable) -> str:
    """How the intervals were found, as one reads it in a paper; empty where there is none."""
    used = [row.method for row in table.rows]
    how = [text for word, text in INTERVALS.items() if any(m.startswith(word) for m in used)]
    return f"Intervals are {joined(how)}." if how else ""


def _compared(table: AgreementTable, scale: str) -> Iterator[str]:
    if text := intervals_text(table):
        yield text
    known = BENCHMARKS[scale]
    limits = joined(f"{band.low:.3f}".removeprefix("0") for band in reversed(known.bands[:-1]))
    several = "s" * (len(known.bands) > 2)
    yield f"Values were compared with the threshold{several} {limits} ({cited(known.source)})."


# ------------------------------------------------------------------ sets of labels


def _of_sets(part: AgreementPart) -> Iterator[str]:
    """What counts as agreement of two sets, and how many labels coders gave."""
    row = part.main
    if not row.undefined:
        other = f"Agreement of two annotations is {weights_text(row.weights)}"
        if row.coefficient == "boot":
            other += f", and {LABEL_DRAW}"
        yield f"{SETS.get(key_of_row(row), other)}{_exact(row)}."
    found = part.diagnosed.structure
    if found is not None and found.everybody.n_annotations:
        yield f"{_several(found)}."


def _exact(row: Agreement) -> str:
    if row.coefficient != "boot":
        return ""
    pairs = ", averaged over pairs of coders" if row.n_coders > 2 else ""
    if math.isnan(row.expected_error):
        return f"{pairs}; it was computed exactly, not simulated"
    return f"{pairs}; it was simulated, with a standard error of {row.expected_error:.2g}"


def _several(found: Structure) -> str:
    """The share of annotations with several labels, by coder where they are few."""
    from .data import telling

    known = telling(found)
    if known and len(known) <= FEW:
        return f"Several labels were given {joined(map(_share, known))}"
    return f"{percent(found.everybody.share_several)} of the annotations hold several labels"


def _share(coder: CoderSets) -> str:
    return f"to {percent(coder.share_several)} of the items by {isolated(str(coder.coder))}"
