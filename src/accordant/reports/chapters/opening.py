"""What stands at the top: the number, how sure it is, what it rests on."""

from __future__ import annotations

import math

from ...measure.results import Agreement
from ..document import Figure
from ..names import coefficient_name, name_of
from ..numbers import NOTHING, count_of, decimal, interval, percent
from ..study import Study

__all__ = ["figures", "verdict"]


def verdict(study: Study) -> tuple[str, ...]:
    """In plain words: the number, how sure it is, what it rests on, what to quote and why."""
    return (_main(study), *_questions(study), *_advice(study), *_warnings(study))


def _main(study: Study) -> str:
    row, n = study.whole.main, study.whole.found.coverage.n_pairable
    if not n:
        return f"{coefficient_name(row)} is undefined: {row.undefined}."
    pair = "item–question pair" if study.questions else "item"
    rests = f"This rests on {count_of(n, pair)} with annotations by two coders or more."
    return " ".join([_observed(study), *_corrected(row), rests])


def _observed(study: Study) -> str:
    whole = study.whole
    row = whole.get("percent") or whole.main
    same = (
        "answers to the same question about an item"
        if study.questions
        else "annotations of the same item"
    )
    if row.weights == "identity":
        return f"Two {same} agree in {percent(row.observed)} of cases."
    how = "near misses counting in part"
    return f"Observed agreement of two {same}, {how}, is {percent(row.observed)}."


def _corrected(row: Agreement) -> tuple[str, ...]:
    """The coefficient in words; nothing more to say if it is the percentage itself."""
    name = coefficient_name(row)
    if row.undefined:
        return (f"{name} is undefined all the same: {row.undefined}.",)
    if row.coefficient == "percent":
        return ()
    value = f"Corrected for chance, {name} is {decimal(row.value)}"
    if math.isnan(row.low):
        why = "" if row.method == "" else ", and too little is known for an interval"
        return (f"{value}{why}.",)
    if row.high - row.low < 1e-9:
        return (f"{value}; all items show the same, so there is no spread to make an interval of.",)
    return (
        f"{value}, and the {row.level:.0%} interval runs from {decimal(row.low)} to "
        f"{decimal(row.high)}.",
    )


def _advice(study: Study) -> tuple[str, ...]:
    best = study.whole.found.recommendation
    if best.primary is None or not best.reasons:
        return ()
    names = [name_of(best.primary, n_coders=study.whole.found.counts.n_coders,
                     weights=best.weights)]  # fmt: skip
    return (f"Quote {names[0]} with percent agreement. {best.reasons[0]}",)


def _warnings(study: Study) -> tuple[str, ...]:
    n = len({f.code for f in study.diagnosis.findings if f.severity != "note"})
    if not n:
        return ()
    before = "First read" if study.whole.main.undefined else "Before you quote it, read"
    findings = "finding" if n == 1 else f"{n:,} findings"
    return (f"{before} the {findings} below on what these numbers hide.",)


def _questions(study: Study) -> tuple[str, ...]:
    if not study.questions:
        return ()
    key = study.whole.main.coefficient
    each = [(p[key], p.question) for p in study.questions if not p[key].undefined]
    if not each:
        return ("For no single question is it defined.",)
    low, high = min(each, key=lambda x: x[0].value), max(each, key=lambda x: x[0].value)
    scales = {p.found.scheme.scale for p in study.questions}
    how = ", and takes the labels of all scales as names" if len(scales) > 1 else ""
    text = (
        f"This figure pools {count_of(len(study.questions), 'question')}{how}. By question it runs "
        f"from {decimal(low[0].value)} ({low[1]}) to {decimal(high[0].value)} ({high[1]})"
    )
    undefined = len(study.questions) - len(each)
    if undefined:
        text += f" and is undefined for {undefined}"
    return (text + ". Quote it only together with these.",)


def figures(study: Study) -> tuple[Figure, ...]:
    """The few numbers that stand large."""
    whole, row = study.whole, study.whole.main
    name = coefficient_name(row)
    between = (
        str(row.undefined)
        if row.undefined
        else "no interval"
        if math.isnan(row.low)
        else f"{row.level:.0%} interval {interval(row.low, row.high)}"
    )
    observed = (whole.get("percent") or row).observed
    return (
        Figure(name, NOTHING if row.undefined else decimal(row.value), between),
        Figure("Percent agreement", percent(observed), "not corrected for chance"),
        Figure(
            "Compared",
            f"{whole.found.coverage.n_pairable:,}",
            f"{'item–question pairs' if study.questions else 'items'} with two annotations or "
            f"more, of {whole.found.coverage.n_items:,}",
        ),
        Figure(
            "Coders",
            f"{whole.found.counts.n_coders:,}",
            f"{count_of(whole.found.coverage.n_annotations, 'annotation')}, "
            f"{count_of(whole.found.counts.n_values, 'label')}",
        ),
    )
