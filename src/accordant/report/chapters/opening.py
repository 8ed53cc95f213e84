"""What stands at the top: the number, how sure it is, what it rests on."""

from __future__ import annotations

from ..document import Figure
from ..names import coefficient_name
from ..numbers import NOTHING, count_of, decimal, interval, percent
from ..study import Study

__all__ = ["figures", "verdict"]


def verdict(study: Study) -> tuple[str, ...]:
    """One paragraph in plain words, and one for several questions."""
    return (_main(study), *_questions(study))


def _main(study: Study) -> str:
    whole, row = study.whole, study.whole.main
    name = coefficient_name(row)
    coders = count_of(whole.found.counts.n_coders, "coder")
    answers = "answers" if study.questions else "items"
    rests = f"{whole.found.coverage.n_pairable:,} {answers} that two coders or more annotated"
    if row.undefined:
        return f"{name} is undefined: {row.undefined}."
    return (
        f"{coders} agreed in {percent(row.observed)} of the pairs of annotations of the same item. "
        f"Corrected for chance this is {name} = {decimal(row.value)}, with a {row.level:.0%} "
        f"interval from {decimal(row.low)} to {decimal(row.high)}. It rests on {rests}."
    )


def _questions(study: Study) -> tuple[str, ...]:
    if not study.questions:
        return ()
    key = study.whole.main.coefficient
    each = [(p[key], p.question) for p in study.questions if not p[key].undefined]
    if not each:
        return ("For no single question is it defined.",)
    low, high = min(each, key=lambda x: x[0].value), max(each, key=lambda x: x[0].value)
    text = (
        f"This figure pools {count_of(len(study.questions), 'question')}. By question it runs from "
        f"{decimal(low[0].value)} ({low[1]}) to {decimal(high[0].value)} ({high[1]})"
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
        f"{row.level:.0%} interval {interval(row.low, row.high)}"
        if not row.undefined
        else str(row.undefined)
    )
    observed = whole["percent"].value if "percent" in whole else row.observed
    return (
        Figure(name, NOTHING if row.undefined else decimal(row.value), between),
        Figure("Percent agreement", percent(observed), "not corrected for chance"),
        Figure(
            "Compared answers" if study.questions else "Compared items",
            f"{whole.found.coverage.n_pairable:,}",
            f"with two annotations or more, of {whole.found.coverage.n_items:,}",
        ),
        Figure(
            "Coders",
            f"{whole.found.counts.n_coders:,}",
            f"{count_of(whole.found.coverage.n_annotations, 'annotation')}, "
            f"{count_of(whole.found.counts.n_values, 'label')}",
        ),
    )
