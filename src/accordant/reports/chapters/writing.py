"""A paragraph for the methods section of a paper."""

from __future__ import annotations

from ...literature import cite
from ...measure.coefficients import COEFFICIENTS
from ...measure.results import Agreement
from ..document import Prose, Quotation, Section
from ..names import coefficient_name, label_text, weights_text
from ..numbers import NOTHING, count_of, decimal, interval, joined, percent
from ..study import Part, Study

__all__ = ["writing_section"]

_NUMBERS = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten")


def writing_section(study: Study) -> Section:
    """What to write, with every number that a reader needs."""
    sentences = [
        *_design(study), *_agreement(study), *_beside(study.whole), *_questions(study),
        *_labels(study.whole), _software(study),
    ]  # fmt: skip
    return Section(
        "writing",
        "Write it up",
        "A paragraph for the methods section; change the words, keep the numbers together.",
        (
            Quotation(" ".join(sentences)),
            Prose("Add how the coders were chosen and trained, and whether they worked alone."),
        ),
    )


def _design(study: Study) -> list[str]:
    found = study.whole.found.coverage
    n = found.n_coders
    coders = f"{_NUMBERS[n]} coder{'s' * (n != 1)}" if n < len(_NUMBERS) else f"{n:,} coders"
    what = count_of(len(study.data.items), "item")
    asked = f" with {count_of(len(study.questions), 'question')} each" if study.questions else ""
    scheme = study.data.schemes[0]
    labels = (
        f" using {count_of(len(scheme.categories), 'category', 'categories')} "
        f"({scheme.scale} scale)"
        if not study.questions
        else ""
    )
    text = f"{coders} annotated {what}{asked}{labels}."
    if found.n_pairable < found.n_items:
        answers = "item–question combinations" if study.questions else "items"
        text += (
            f" Of {found.n_items:,} {answers}, {found.n_pairable:,} have two annotations or more."
        )
    return [text]


def _agreement(study: Study) -> list[str]:
    row = study.whole.main
    name = coefficient_name(row)
    if row.undefined:
        return [f"{name} is undefined: {row.undefined}."]
    weighted = "" if row.weights == "identity" else f", {weights_text(row.weights)} weights"
    source = cite(COEFFICIENTS[row.coefficient].sources[0]).replace(" (", ", ").rstrip(")")
    main = (
        f"Agreement was {name} = {decimal(row.value)} ({row.level:.0%} CI "
        f"{interval(row.low, row.high)}{weighted}; {source}), with observed agreement "
        f"A_o = {decimal(row.observed)} and expected agreement A_e = {decimal(row.expected)}."
    )
    return [main]


def _beside(part: Part) -> list[str]:
    shown = [
        part[key] for key in (*part.found.recommendation.beside, "percent")
        if key in part and key != part.main.coefficient
    ]  # fmt: skip
    texts = [_short(row) for row in shown if not row.undefined]
    return [f"For comparison: {joined(texts)}."] if texts else []


def _short(row: Agreement) -> str:
    if row.coefficient == "percent":
        return f"percent agreement {percent(row.value)}"
    return f"{coefficient_name(row)} = {decimal(row.value)}"


def _questions(study: Study) -> list[str]:
    if not study.questions:
        return []
    key = study.whole.main.coefficient
    texts = [f"{_value(part[key])} ({part.question})" for part in study.questions]
    return [f"By question, {coefficient_name(study.whole.main)} was {joined(texts, most=20)}."]


def _value(row: Agreement) -> str:
    if row.undefined:
        return "undefined"
    return f"{decimal(row.value)} {interval(row.low, row.high)}".removesuffix(NOTHING).strip()


def _labels(part: Part) -> list[str]:
    found = part.found.coverage.distribution
    order = sorted(range(len(found.values)), key=lambda k: -found.n[k])[:6]
    texts = [
        f"“{label_text(found.values[k])}” {percent(float(found.share[k]))}"
        for k in order
        if found.n[k]
    ]
    rest = sum(1 for n in found.n if n) - len(texts)
    more = f" ({rest} more)" if rest > 0 else ""
    return [f"Labels were distributed as {joined(texts)}{more}."] if texts else []


def _software(study: Study) -> str:
    from ..._version import __version__

    return f"Computed with Accordant {__version__} (data {study.data.fingerprint[:12]})."
