"""All findings with their titles, and those about several questions at once."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from ..data.annotations import Annotations
from ..numbers import count_of, decimal, joined, tied
from .chance_traps import CHANCE
from .data_traps import DATA
from .explanation import KINDS
from .facts import SIGNIFICANT, Facts
from .finding import Catalogue, Finding, Rule, Told, ranked
from .pairs import Direction, comparable
from .set_traps import SETS
from .words import quoted

__all__ = ["POOLED", "RULES", "advise", "advise_pooled", "named", "title_of"]

POOLED = Catalogue()
"""Rules about the pooled facts and those of each question."""

ONE_SIDED = 2  # times as many differences one way as the other; our convention
RANGE = 0.2  # questions this far apart are not one thing; our convention


def _alpha(f: Facts) -> float:
    return tied(f.alpha.value)


def _name(*each: Facts) -> str:
    """What α is called in some questions: 'α', of label sets 'α (MASI)'."""
    return " or ".join(dict.fromkeys(f.name(f.alpha_key) for f in each))


def _kappa(f: Facts) -> float:
    """Cohen's kappa, which many papers report; NaN of label sets."""
    return math.nan if f.label_sets else tied(f.value("kappa"))


@POOLED.rule("problem", "artstein2008")
def pooled_hides_undefined(pooled: Facts, each: Sequence[Facts]) -> Told | None:
    """Undefined questions in the pooled coefficient.

    {names} {are} undefined for {n:question} of {of} ({hidden:listed}), with {n_annotations:,} of
    the {f.n_annotations:,} annotations in the pooled {name} = {alpha:.3}{kappa}.

    Do not report the pooled coefficient alone: a question with a single label adds agreement
    without evidence that it can be answered reliably.
    """
    hidden = [f for f in each if f.n_annotations and math.isnan(_alpha(f))]
    if not hidden or math.isnan(_alpha(pooled)):
        return None
    both = all(math.isnan(_kappa(f)) for f in hidden) and not math.isnan(_kappa(pooled))
    return Told(
        {
            "hidden": [f.question for f in hidden],
            "n_annotations": sum(f.n_annotations for f in hidden),
        },
        {
            "names": _name(*hidden),
            "are": "and κ are" if both else "is",
            "n": len(hidden),
            "of": len(each),
            "name": _name(pooled),
            "alpha": _alpha(pooled),
            "kappa": f" and κ = {decimal(_kappa(pooled))}" if both else "",
        },
    )


@POOLED.rule("problem", "artstein2008")
def pooled_above_all(pooled: Facts, each: Sequence[Facts]) -> Told | None:
    """Pooled coefficient above that of every question.

    The pooled {name} = {pooled:.3} is higher than {that} of every single question: the best is
    {best:quoted} with {its}{value:.3}.{kappa}

    Report the questions separately. Pooling questions with different label frequencies raises the
    coefficient, because distinguishing the questions counts as agreement.
    """
    known = [f for f in each if not math.isnan(_alpha(f))]
    best = max(known, key=_alpha, default=None)
    if len(known) < 2 or best is None or not _alpha(pooled) > _alpha(best):
        return None
    same = _name(pooled, *known) == _name(pooled)
    return Told(
        {"pooled": _alpha(pooled), "best": best.question, "value": _alpha(best)},
        {
            "name": _name(pooled),
            "that": "that" if same else _name(*known),
            "its": "" if same else f"{_name(best)} = ",
            "kappa": _kappa_above_all(pooled, each),
        },
    )


def _kappa_above_all(pooled: Facts, each: Sequence[Facts]) -> str:
    """The same for kappa, where it holds for kappa."""
    known = [f for f in each if not math.isnan(_kappa(f))]
    best = max(known, key=_kappa, default=None)
    if best is None or not _kappa(pooled) > _kappa(best):
        return ""
    return (
        f" The same holds for κ: {decimal(_kappa(pooled))} pooled, and at most "
        f"{decimal(_kappa(best))} for one question ({quoted(best.question)})."
    )


@POOLED.rule("warning", "krippendorff2004")
def pooled_range(pooled: Facts, each: Sequence[Facts]) -> Told | None:
    """Questions differ in reliability.

    The questions differ: {first} is {low:.3} for {worst:quoted} and {second}{high:.3} for
    {best:quoted}; pooled {whole}is {all:.3}.

    Report the questions separately: a mean over unlike questions describes none of them.
    """
    known = [f for f in each if not math.isnan(_alpha(f))]
    if len(known) < 2:
        return None
    worst, best = min(known, key=_alpha), max(known, key=_alpha)
    if _alpha(best) - _alpha(worst) < RANGE:
        return None
    first = _name(worst)
    second, whole = (f"{_name(f)} " if _name(f) != first else "" for f in (best, pooled))
    values = {f.question: _alpha(f) for f in known}
    words = {"low": _alpha(worst), "high": _alpha(best), "all": _alpha(pooled)}
    return Told(
        {"worst": worst.question, "best": best.question, "values": values},
        words | {"first": first, "second": second, "whole": whole or "it "},
    )


@POOLED.rule("note", "gwet2014")
def pooled_not_independent(pooled: Facts, each: Sequence[Facts]) -> Told | None:
    """Pooled answers are not independent.

    The pooled coefficients treat {answers:,} answers to {n:question} about {items:item} as if each
    were about a different item.

    {advice}
    """
    places, items = pooled.n_annotated, pooled.n_items // max(1, len(each))
    if not pooled.n_pairable or places <= items:
        return None
    advice = (
        "Answers about the same item are correlated; the pooled intervals are clustered by item."
        if "clustered" in pooled.coefficients["percent"].method
        else "Read the pooled intervals with care: answers about the same item are correlated, so "
        "they may be too narrow."
    )
    return Told({"answers": places, "items": items}, {"n": len(each), "advice": advice})


@POOLED.rule("note", "artstein2008")
def schemes_differ(pooled: Facts, each: Sequence[Facts]) -> Told | None:
    """Different schemes pooled.

    The {n:question} have {how} {why}{none}; the pooled coefficients treat all labels as {names} of
    one scheme.

    Report each question, and the pooled coefficient after them if at all: its expected agreement
    mixes categories that never compete.
    """
    schemes = dict.fromkeys(frozenset(str(v) for v in (*dict(f.used), *f.unused)) for f in each)
    scales = sorted({f.scale for f in each})
    apart = any(a.isdisjoint(b) for a in schemes for b in schemes if a != b)
    if len(scales) == len(schemes) == 1:
        return None
    of_scales = len(scales) > 1
    sure = of_scales or all(f.declared for f in each)
    return Told(
        {"scales": scales, "categories": [sorted(x) for x in schemes]},
        {
            "n": len(each),
            "how": "different" if sure else "different, as far as the data show,",
            "why": f"scales ({', '.join(scales)})" if of_scales else "categories",
            "none": ", some without one in common" if apart and not of_scales else "",
            "names": "names" if of_scales else "labels",
        },
        "warning" if sure or apart else "note",
    )


@POOLED.rule("warning", "mcnemar1947")
def one_direction(pooled: Facts, each: Sequence[Facts]) -> Told | None:
    """Differences in one direction over all questions.

    {most:,} of {n:difference} over all questions go in the same direction: {way} (exact sign test
    clustered by item, {p_value:p}). This holds {every}: {parts}.

    Define in the guideline how much evidence an answer needs: the two coders use different
    thresholds. Until then a third coder, not an average, should decide.
    """
    alike = comparable(((*dict(f.used), *f.unused), f.scale) for f in each)
    if not alike or len(each) < 2 or not pooled.directions:
        return None
    x = min(pooled.directions, key=_p_value)
    p = min(1.0, _p_value(x) * len(pooled.directions))
    own = [d for f in each for d in f.directions if (d.first, d.second) == (x.first, x.second)]
    own = sorted((d for d in own if d.n), key=lambda d: -d.n)
    if len(own) < 2 or not p < SIGNIFICANT or x.most < ONE_SIDED * (x.n - x.most):
        return None
    same = [d for d in own if (d.up > d.down) == (x.up > x.down) and d.up != d.down]
    every = (
        "every question"
        if len(same) == len(own)
        else (f"{len(same)} of {count_of(len(own), 'question')}")
    )
    parts = joined(
        f"{d.up if x.up > x.down else d.down:,} of {d.n:,} in {quoted(d.question)}" for d in own
    )
    found = {"first": x.first, "second": x.second, "up": x.up, "down": x.down, "p_value": p}
    one_way = (2 * x.most - x.n) / sum(d.n for d in pooled.directions)
    return Told(
        found | {"questions": {d.question: (d.up, d.down) for d in own}},
        {
            "most": x.most,
            "n": x.n,
            "way": _way(x),
            "every": f"on {every} with a difference",
            "parts": parts,
        },
        stake=max(0.0, (1 - _alpha(pooled)) * one_way),
        remedy="guideline",
    )


def _p_value(x: Direction) -> float:
    """The larger one of the differences and of the items; 1 without a difference."""
    return tied(max(x.p_value, x.by_item)) if x.n else 1.0


def _way(x: Direction) -> str:
    first, second = (x.first, x.second) if x.up > x.down else (x.second, x.first)
    if x.low is None or x.high is None:
        return f"the value of {quoted(second)} is the higher one, that of {quoted(first)} the lower"
    return f"{quoted(first)} gave {quoted(x.low)} where {quoted(second)} gave {quoted(x.high)}"


RULES: Mapping[str, Rule] = {**SETS, **CHANCE, **DATA}
"""Every rule by its code: what only label sets show is told before what all data may show."""

TITLES: Mapping[str, str] = {
    "against_all_coders": "Estimated labels that no coder gave",
    "converged": "Convergence",
    "coder_below_chance": "Coders below chance",
    "coder_with_few": "Coders with few annotations",
    "falls_short": "Models that do not pass the alternative-annotator test",
    "stands_in": "Models that pass the alternative-annotator test",
    "too_few_items": "Too few items for the alternative-annotator test",
    "copied_labels": "Coders with identical labels",
    "dependence_unseen": "Conditional independence cannot be checked",
    "does_not_fit": "Poor model fit (posterior predictive check)",
    "iteration_limit": "No convergence",
    "not_identified": "Parameters that are not identified",
    "nothing_to_learn": "Nothing to estimate",
    "objective_fell": "Numerical problem in the optimisation",
    "one_label": "Only one label was given",
    "overconfident": "Overconfident probabilities",
    "repurposed_category": "A class that stands for other items",
    "single_annotations": "Items with a single annotation",
    "solutions_refused": "Degenerate solutions excluded",
}
"""Of findings without a rule, where the code does not read as a title."""


def advise(facts: Facts) -> tuple[Finding, ...]:
    """The findings about one question, problems first.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.measure.coverage import coverage
    >>> from accordant.diagnosis.facts import facts
    >>> data = read([["yes"] * 9 + ["no"], ["yes"] * 8 + ["no", "yes"]])
    >>> [f.code for f in advise(facts(coverage(data), data.scheme))][:2]
    ['prevalence', 'never_agreed']
    """
    return ranked(found for rule in RULES.values() if (found := rule(facts)) is not None)


def advise_pooled(pooled: Facts, each: Sequence[Facts]) -> tuple[Finding, ...]:
    """The findings about a pooled figure and the questions behind it."""
    found = (rule(pooled, each) for rule in POOLED.values())
    return ranked(f for f in found if f is not None)


def title_of(code: str) -> str:
    """The title of findings of a code: the first line of what their pattern or rule says of itself.

    Examples
    --------
    >>> import accordant
    >>> title_of("pair"), title_of("converged"), title_of("something_else")
    ('Two labels confused with each other', 'Convergence', 'Something else')
    """
    known: Mapping[str, object] = {
        **RULES,
        **POOLED,
        **{name: kind.find for name, kind in KINDS.items()},
    }
    told = known[code].__doc__ if code in known else TITLES.get(code)
    return (told or code.replace("_", " ").capitalize()).split("\n")[0].rstrip(".")


def named(findings: Iterable[Finding], data: Annotations) -> tuple[Finding, ...]:
    """Findings with the title of their pattern or rule, and with the items of ``data`` by name."""
    return tuple(_named(finding, data) for finding in findings)


def _named(finding: Finding, data: Annotations) -> Finding:
    title = finding.title or title_of(finding.code)
    if finding.seen is None:
        return replace(finding, title=title)
    places = (position // len(data.questions) for position in finding.seen.items)
    names = tuple(_plain(data.items[place]) for place in places)
    return replace(finding, title=title, seen=replace(finding.seen, names=names))


def _plain(name: Hashable) -> Hashable:
    """An item that was numbered is an int, not an entry of an array."""
    return name.item() if isinstance(name, np.generic) else name
