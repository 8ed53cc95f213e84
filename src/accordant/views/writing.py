"""A paragraph for the methods section of a paper."""

from __future__ import annotations

import math

from ..literature import cite
from ..measure.results import Agreement
from ..numbers import count_of, decimal, interval, joined, level_text, percent
from .coefficients import sources_of
from .names import key_of_row, weights_text
from .study import Part, Study
from .writing_sets import design_of_sets, final_of_sets, labels_of_sets, sizes_of_sets, why_of_sets

__all__ = ["paragraph"]

_NUMBERS = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten")
MOST_LABELS = 6  # with their shares
MOST_QUESTIONS = 20


def paragraph(study: Study) -> str:
    """A paragraph for the methods section, with every number that a reader needs."""
    figures = _pooled_first(study) if study.pooled_first else _questions_first(study)
    return " ".join([*_design(study), *figures, _software(study)])


def _design(study: Study) -> list[str]:
    found = study.whole.found.coverage
    n = found.n_coders
    coders = f"{_NUMBERS[n]} coder{'s' * (n != 1)}" if n < len(_NUMBERS) else f"{n:,} coders"
    what = count_of(len(study.data.items), "item")
    asked = f" with {count_of(len(study.questions), 'question')} each" if study.questions else ""
    labels = f", using {_scheme(study.whole)}" if study.pooled_first else ""
    if study.of_sets:
        labels = design_of_sets(study.whole)
    text = f"{coders} annotated {what}{asked}{labels}."
    if found.n_pairable < found.n_items:
        answers = "item–question combinations" if study.questions else "items"
        text += (
            f" Of {found.n_items:,} {answers}, {found.n_pairable:,} have two annotations or more."
        )
    return [text]


def _scheme(part: Part) -> str:
    scheme = part.found.scheme
    n = count_of(len(scheme.categories), "category", "categories")
    return f"{n} on {'an' if scheme.scale in ('ordinal', 'interval') else 'a'} {scheme.scale} scale"


# ------------------------------------------------------------------ the figures


def _pooled_first(study: Study) -> list[str]:
    whole = study.whole
    if not whole.of_sets:
        return [_agreement(whole), *_beside(whole), *_by_question(study)]
    return [
        *sizes_of_sets(whole), *why_of_sets(whole), _agreement(whole), *_beside(whole),
        *_by_question(study), *final_of_sets(whole), *labels_of_sets(whole),
    ]  # fmt: skip


def _of_question(part: Part) -> list[str]:
    if not part.of_sets:
        return [_agreement(part), *_beside(part)]
    return [
        _agreement(part), *sizes_of_sets(part), *_beside(part), *final_of_sets(part),
        *labels_of_sets(part),
    ]  # fmt: skip


def _questions_first(study: Study) -> list[str]:
    """Each question with its scheme, and all together last."""
    told = [text for part in study.questions[:MOST_QUESTIONS] for text in _of_question(part)]
    hidden = len(study.questions) - MOST_QUESTIONS
    more = [f"{count_of(hidden, 'further question')} in the appendix."] if hidden > 0 else []
    return [*told, *more]


def _agreement(part: Part) -> str:
    row = part.main
    name = part.name(row)
    where = f"For {part.question} ({_scheme(part)}), " if part.question else ""
    if row.undefined:
        return f"{where}{name} is undefined: {row.undefined}."
    first = "agreement was" if where else "Agreement was"
    return (
        f"{where}{first} {name} = {decimal(row.value)} ({_sure(part, row)}), with observed "
        f"agreement A_o = {decimal(row.observed)} and expected agreement "
        f"A_e = {decimal(row.expected)}."
    )


def _sure(part: Part, row: Agreement) -> str:
    """What stands in brackets: the interval, the weights, the source."""
    source = cite(sources_of(row.coefficient, row.weights)[0]).replace(" (", ", ").rstrip(")")
    weighted = (
        ""
        if row.weights == "identity" or part.of_sets  # where the measure is named by them
        else f", {weights_text(row.weights)} weights"
    )
    if math.isnan(row.low):
        return f"{weighted[2:]}; {source}" if weighted else source
    return f"{level_text(row.level)} CI {interval(row.low, row.high)}{weighted}; {source}"


def _beside(part: Part) -> list[str]:
    shown = [
        part[key] for key in (*part.found.recommendation.beside, "percent")
        if key in part and part[key] is not part.main
    ]  # fmt: skip
    texts = [_short(part, row) for row in shown if not row.undefined]
    return [f"For comparison: {joined(texts)}."] if texts else []


def _short(part: Part, row: Agreement) -> str:
    if row.coefficient != "percent":
        name, weighted, _ = part.name(row).partition(", weighted")
        return f"{'weighted ' if weighted else ''}{name} = {decimal(row.value)}"
    if part.of_sets and row.weights == "identity":
        return f"exactly the same labels in {percent(row.value)} of cases"
    weighted = "" if row.weights == "identity" else " (near misses in part)"
    return f"percent agreement {percent(row.value)}{weighted}"


def _by_question(study: Study) -> list[str]:
    if not study.questions:
        return []
    key = key_of_row(study.whole.main)
    texts = [f"{_value(part[key])} ({part.question})" for part in study.questions]
    name = study.whole.name(study.whole.main)
    return [f"By question, {name} was {joined(texts, most=MOST_QUESTIONS)}."]


def _value(row: Agreement) -> str:
    if row.undefined:
        return "undefined"
    sure = "" if math.isnan(row.low) else f" {interval(row.low, row.high)}"
    return f"{decimal(row.value)}{sure}"


def _software(study: Study) -> str:
    from .._version import __version__

    return f"Computed with Accordant {__version__} (data {study.data.fingerprint[:12]})."
