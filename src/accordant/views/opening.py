"""What stands at the top: the number, how sure it is, what it rests on."""

from __future__ import annotations

import math

from ..measure.coefficients import COEFFICIENTS
from ..measure.results import Agreement
from ..numbers import NOTHING, count_of, decimal, interval, joined, level_text, percent
from .document import Figure
from .names import begun, key_of_row, name_of
from .study import Part, Study
from .why import first_reason, is_pattern, top_pattern

__all__ = ["figures", "name_for_all", "verdict"]

MOST_QUESTIONS = 4  # each with its own number; of more, the lowest and the highest


def verdict(study: Study) -> tuple[str, ...]:
    """In plain words: the number, how sure it is, what it rests on, what to quote and why.

    Where questions have different schemes, each comes before all of them together.
    """
    main = (_main(study), *_range(study)) if study.pooled_first else _each(study)
    return (*main, *_advice(study), *_reason(study), *_warnings(study))


def name_for_all(parts: tuple[Part, ...], key: str) -> str:
    """The name of a coefficient in all parts; the general one where they differ."""
    names = {part.name(part[key]) for part in parts}
    return names.pop() if len(names) == 1 else COEFFICIENTS[parts[0][key].coefficient].name


# ------------------------------------------------------------------ one figure


def _main(study: Study) -> str:
    row, n = study.whole.main, study.whole.found.coverage.n_pairable
    if not n:
        return f"{begun(study.whole.name(row))} is undefined: {row.undefined}."
    return " ".join([_observed(study), *_corrected(study.whole, row), _rests(study)])


def _rests(study: Study) -> str:
    n = study.whole.found.coverage.n_pairable
    pair = "item–question pair" if study.questions else "item"
    return f"This rests on {count_of(n, pair)} with annotations by two coders or more."


def _observed(study: Study) -> str:
    whole = study.whole
    row = whole.get("percent") or whole.main
    same = (
        "answers to the same question about an item"
        if study.questions
        else "annotations of the same item"
    )
    if study.of_sets:
        return _observed_sets(whole, same)
    if row.weights == "identity":
        return f"Two {same} agree in {percent(row.observed)} of cases."
    how = "near misses counting in part"
    return f"Observed agreement of two {same}, {how}, is {percent(row.observed)}."


def _observed_sets(part: Part, same: str) -> str:
    """How often sets have a label in common, and how often they are equal."""
    common, equal = _common(part), part.get("percent")
    shares = f"{part.sharing} in {percent(common.observed)} of cases" if common else ""
    if shares and part.both_empty:
        shares += f" (both none in {percent(part.both_empty)})"
    whole = "" if equal is None or equal.weights != "identity" else percent(equal.observed)
    if shares and whole:
        return f"Two {same} {shares} and hold exactly the same labels in {whole}."
    if whole:
        return f"Two {same} hold exactly the same labels in {whole} of cases."
    row = part.main
    return f"Two {same} {shares or f'agree by {decimal(row.observed)} before correction'}."


def _common(part: Part) -> Agreement | None:
    """A measure whose observed agreement is the share of pairs with a label in common."""
    return next((row for row in part.agreements if row.weights == "overlap"), None)


def _corrected(part: Part, row: Agreement) -> tuple[str, ...]:
    """The coefficient in words; nothing more to say if it is the percentage itself."""
    name = part.name(row)
    if row.undefined:
        return (f"{begun(name)} is undefined all the same: {row.undefined}.",)
    if row.coefficient == "percent":
        return ()
    near = "" if row.weights == "identity" or part.of_sets else ", near misses counting in part"
    value = f"Corrected for chance{near}, {name} is {decimal(row.value)}"
    if math.isnan(row.low):
        why = "" if row.method == "" else ", and too little is known for an interval"
        return (f"{value}{why}.",)
    if row.high - row.low < 1e-9:
        return (f"{value}; all items show the same, so there is no spread to make an interval of.",)
    return (
        f"{value}, and the {level_text(row.level)} interval runs from {decimal(row.low)} to "
        f"{decimal(row.high)}.",
    )


def _range(study: Study) -> tuple[str, ...]:
    """How far the questions lie apart that the figure pools."""
    if not study.questions:
        return ()
    key = key_of_row(study.whole.main)
    defined = _defined(study, key)
    if not defined:
        return ("For no single question is it defined.",)
    text = (
        f"This figure pools {count_of(len(study.questions), 'question')}. By question it "
        f"{_from_to(defined, key)}"
    )
    undefined = len(study.questions) - len(defined)
    if undefined:
        text += f" and is undefined for {undefined}"
    return (text + ". Quote it only together with these.",)


# ------------------------------------------------------------------ a figure for each question


def _each(study: Study) -> tuple[str, ...]:
    """Each question, and then what all together would give."""
    key = key_of_row(study.whole.main)
    name, defined = name_for_all(study.questions, key), _defined(study, key)
    undefined = [p for p in study.questions if p[key].undefined]
    first = "" if key == "percent" else "Corrected for chance, "
    if not defined:
        sentence = f"{name} is undefined for every question."
    elif len(defined) > MOST_QUESTIONS:
        sentence = f"{first}{name} {_from_to(defined, key)}."
    else:
        sentence = f"{first}{name} is {joined(_value(p, key) for p in defined)}."
    if undefined and defined:
        names = joined(str(p.question) for p in undefined)
        which = "question" if len(undefined) == 1 else "questions"
        sentence += f" It is undefined for {which} {names}: {undefined[0][key].undefined}."
    return (f"{sentence} {_rests(study)}", _together(study, key))


def _value(part: Part, key: str) -> str:
    row = part[key]
    sure = (
        ""
        if math.isnan(row.low)
        else f" ({level_text(row.level)} interval {decimal(row.low)} to {decimal(row.high)})"
    )
    return f"{decimal(row.value)}{sure} for question {part.question}"


def _together(study: Study, key: str) -> str:
    row, scales = study.whole[key], {p.found.scheme.scale for p in study.questions}
    why = "scales" if len(scales) > 1 else "labels"
    what = "undefined" if row.undefined else decimal(row.value)
    return (
        f"The {count_of(len(study.questions), 'question')} have different {why}, so each stands "
        f"for itself. All together, every label taken as a name, it would be {what}: not a "
        "figure to quote without the others."
    )


def _defined(study: Study, key: str) -> list[Part]:
    return [p for p in study.questions if not p[key].undefined]


def _from_to(parts: list[Part], key: str) -> str:
    low = min(parts, key=lambda p: p[key].value)
    high = max(parts, key=lambda p: p[key].value)
    return (
        f"runs from {decimal(low[key].value)} ({low.question}) to {decimal(high[key].value)} "
        f"({high.question})"
    )


# ------------------------------------------------------------------ what to do


def _advice(study: Study) -> tuple[str, ...]:
    best = study.whole.found.recommendation
    if best.primary is None or not best.reasons:
        return ()
    name = recommended_name(study)
    each = "" if study.pooled_first else " of each question"
    return (f"Quote {name}{each} with percent agreement. {best.reasons[0]}",)


def _reason(study: Study) -> tuple[str, ...]:
    """Why coders disagree, first of all."""
    top = top_pattern(study)
    if top is None:
        return ()
    return (f"Why coders disagree, first of all: {first_reason(top, study)}",)


def _warnings(study: Study) -> tuple[str, ...]:
    traps = (f for f in study.diagnosis.findings if not is_pattern(f, study))
    n = len({f.code for f in traps if f.severity != "note"})
    if not n:
        return ()
    before = "First read" if study.whole.main.undefined else "Before you quote it, read"
    findings = "finding" if n == 1 else f"{n:,} findings"
    return (f"{before} the {findings} below on what these numbers hide.",)


def recommended_name(study: Study) -> str:
    """What the coefficient to quote is called."""
    best = study.whole.found.recommendation
    if best.primary is None:
        return ""
    if not study.pooled_first and best.primary in study.whole:
        return name_for_all(study.questions, best.primary)
    return name_of(
        best.primary, n_coders=study.whole.found.counts.n_coders, weights=best.weights,
        of_sets=study.of_sets,
    )  # fmt: skip


# ------------------------------------------------------------------ large figures


def figures(study: Study) -> tuple[Figure, ...]:
    """The few numbers that stand large."""
    whole = study.whole
    first = (
        (_figure(whole), _uncorrected(whole))
        if study.pooled_first
        else tuple(_figure(p, of=str(p.question)) for p in _extremes(study))
    )
    return (
        *first,
        Figure(
            "Compared",
            f"{whole.found.coverage.n_pairable:,}",
            f"{'item–question pairs' if study.questions else 'items'} with two annotations or "
            f"more, of {whole.found.coverage.n_items:,}",
        ),
        Figure(
            "Coders",
            f"{whole.found.counts.n_coders:,}",
            f"{count_of(whole.found.coverage.n_annotations, 'annotation')}, {_labels(whole)}",
        ),
    )


def _labels(part: Part) -> str:
    """How many labels there are and, of sets, how often somebody gave several."""
    if part.found.structure is None:
        return count_of(part.found.counts.n_values, "label")
    several = percent(part.found.structure.everybody.share_several)
    return f"{several} with several of {count_of(len(part.found.scheme.categories), 'label')}"


def _uncorrected(part: Part) -> Figure:
    """The percentage that everybody can check."""
    row = part.get("percent") or part.main
    common = _common(part) if part.of_sets else None
    if common is not None:
        return _shared(part, common)
    near = "" if row.weights == "identity" else "near misses in part; "
    return Figure("Percent agreement", percent(row.observed), f"{near}not corrected for chance")


def _shared(part: Part, common: Agreement) -> Figure:
    """How often two annotations share a label; those that agree on none are told apart."""
    found, both = part.found.structure, part.both_empty
    shared = found.share_common if found is not None and both else common.observed
    none = f"and none from both in {percent(both)}; " if both else ""
    return Figure("A label in common", percent(shared), f"{none}not corrected for chance")


def _extremes(study: Study) -> tuple[Part, ...]:
    """The questions; of many the lowest and the highest."""
    key = key_of_row(study.whole.main)
    defined = _defined(study, key)
    if len(study.questions) <= MOST_QUESTIONS or not defined:
        return study.questions[:MOST_QUESTIONS]
    low = min(defined, key=lambda p: p[key].value)
    high = max(defined, key=lambda p: p[key].value)
    return (low, high) if low is not high else (low,)


def _figure(part: Part, of: str = "") -> Figure:
    row = part.main
    between = (
        str(row.undefined)
        if row.undefined
        else "no interval"
        if math.isnan(row.low)
        else f"{level_text(row.level)} interval {interval(row.low, row.high)}"
    )
    name = f"{begun(part.name(row))}{f' · {of}' if of else ''}"
    return Figure(name, NOTHING if row.undefined else decimal(row.value), between)
