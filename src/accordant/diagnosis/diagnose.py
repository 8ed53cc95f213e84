"""One call that gathers everything: per question and pooled."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, ClassVar

from ..data.annotations import Annotations
from ..errors import unknown
from ..measure.distances import WeightsLike
from ..measure.results import Agreement
from ..results import Result
from ..scheme import Scheme
from ..validation import checked
from .advice import advise, advise_pooled, named
from .facts import Facts, facts
from .finding import Finding, ranked
from .pairs import Directions, comparable
from .patterns import patterns
from .recommendation import Recommendation, common, recommend
from .view import View, orders

__all__ = ["Description", "Diagnosis", "Part", "describe", "diagnose"]

GOLD = (
    "Right labels from elsewhere are read as those of one more coder: add rows of that coder, or a "
    "column and name it among those of the coders; where each coder has a file, a further file "
    "does if its name is not 'gold' or the like"
)


@dataclass(frozen=True, eq=False)
class Part(View):
    """The diagnosis of one question, or of all questions pooled. Parts are computed when used.

    Parameters
    ----------
    measured : tuple of Agreement
        Coefficients that are known already.
    primary : callable
        Gives the coefficient for all questions if there are several, else None.
    about_all : callable
        Gives the findings on several questions together.
    """

    measured: tuple[Agreement, ...] = ()
    primary: Callable[[], str | None] = lambda: None
    about_all: Callable[[], tuple[Finding, ...]] = tuple

    @cached_property
    def facts(self) -> Facts:
        """The facts that advice rests on."""
        return facts(
            self.coverage,
            self.scheme,
            weights=self.weights,
            level=self.level,
            confusion=self.confusion,
            structure=self.structure,
            measured=self.measured,
        )

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """What a reader of the figures must know, and why coders disagree: problems first."""
        return ranked([*named(advise(self.facts), self.data), *self.patterns])

    @cached_property
    def patterns(self) -> tuple[Finding, ...]:
        """Why coders disagree, as far as their disagreements show: what is most at stake first."""
        return named(patterns(self), self.data)

    @cached_property
    def recommendation(self) -> Recommendation:
        """Which coefficient to report; the same one for all questions."""
        return recommend(self.facts, self.primary())


@dataclass(frozen=True, eq=False, repr=False)
class Diagnosis(Result):
    """Where and why coders differ, and what to report: a `Part` per question and one pooled.

    Examples
    --------
    >>> from accordant import read
    >>> found = diagnose(read([["a", "b", "a", "a"], ["a", "b", "b", "a"]]))
    >>> found.pooled.recommendation.primary
    'alpha'
    >>> [f.code for f in found.findings][:2]
    ['few_items', 'wide_interval']
    """

    told_as: ClassVar[str] = "diagnose"

    data: Annotations
    each: tuple[Part, ...]
    pooled: Part

    @property
    def told_parts(self) -> tuple[Part, ...]:
        """Each question, and all pooled if they have the same categories."""
        return self.parts if self.same_scheme else self.each

    @property
    def parts(self) -> tuple[Part, ...]:
        """Each question, then all pooled; a single part if there is one question."""
        return self.each if self.each == (self.pooled,) else (*self.each, self.pooled)

    def __iter__(self) -> Iterator[Part]:
        return iter(self.parts)

    def __getitem__(self, question: str | None) -> Part:
        for part in self.parts:
            if part.question == question:
                return part
        raise unknown("question", question, (p.question for p in self.parts), "the diagnosis has")

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """All findings, problems first: about the pooled figures, then about each question.

        Where several questions are pooled, only what pooling does is told of the whole.
        """
        if len(self.each) == 1:
            return self.pooled.findings
        return ranked([*self.about_all, *(f for p in self.each for f in p.findings)])

    @cached_property
    def about_all(self) -> tuple[Finding, ...]:
        """What is so of several questions together, problems first; none of a single question."""
        return self.pooled.about_all()

    @property
    def recommendation(self) -> Recommendation:
        """One coefficient for all questions, so that their figures can be compared."""
        return self.pooled.recommendation

    @cached_property
    def directions(self) -> Directions:
        """Which way coders differ on each question, and on all together if they are alike."""
        each = tuple(d for p in self.each for d in p.directions)
        alike = comparable((p.scheme.categories, p.scheme.scale) for p in self.each)
        return Directions(each, self.pooled.directions if alike and len(self.each) > 1 else ())

    @property
    def same_scheme(self) -> bool:
        """Whether all questions have the same categories on the same scale.

        If not, a pooled figure mixes what cannot be compared, and the questions come first.
        """
        return len({_identity(p.scheme) for p in self.each}) == 1

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each finding."""
        return [row for f in self.findings for row in f.to_rows()]

    def nested(self) -> list[dict[str, Any]]:
        """The findings with everything behind them."""
        return [f.nested() for f in self.findings]


@dataclass(frozen=True, eq=False, repr=False)
class Description(Result):
    """Who annotated what, before anything is measured; made by `describe`."""

    told_as: ClassVar[str] = "describe"

    parts: tuple[Part, ...]

    @property
    def told_parts(self) -> tuple[Part, ...]:
        """Each question, then all together."""
        return self.parts

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each question, and for all together."""
        return [row for part in self.parts for row in part.coverage.to_rows()]


def describe(data: Annotations) -> Description:
    """Who annotated what: coverage, gaps, labels, sizes of label sets.

    Examples
    --------
    >>> from accordant import read
    >>> describe(read([["a", "b", None], ["a", "b", "b"]])).to_rows()[0]["n_single"]
    1
    """
    return Description(diagnose(data).parts)


def _identity(scheme: Scheme) -> tuple[Any, ...]:
    """What makes a scheme the same as another; names have no order."""
    listed = scheme.categories
    return (
        frozenset(listed) if scheme.scale == "nominal" else listed,
        scheme.scale,
        scheme.max_labels,
    )


@checked
def diagnose(
    data: Annotations,
    *,
    weights: WeightsLike | None = None,
    level: float = 0.95,
    order: str | None = None,
    gold: str | None = None,
    measured: Iterable[Agreement] = (),
) -> Diagnosis:
    """Break agreement down and say what to make of it.

    Parameters
    ----------
    data : Annotations
    weights : str, array_like, callable or Distance, optional
        What counts as agreement; by default what fits the scale of each question.
    level : float
        Confidence level of all intervals.
    order : str, optional
        The metadata column that says in which order items were annotated.
    gold : str, optional
        The coder whose labels count as right.
    measured : iterable of Agreement
        Coefficients of these annotations with these weights that are known already.

    Returns
    -------
    Diagnosis
    """
    _check(order, orders(data), "column to order items by")
    _check(gold, data.coders, "coder", GOLD)
    known: dict[str | None, list[Agreement]] = {}
    for row in measured:
        if row.method or (row.undefined and math.isnan(row.value)):  # else its interval is unknown
            known.setdefault(row.question, []).append(row)

    def part(name: str | None, own: Annotations, **more: Any) -> Part:
        more["measured"] = tuple(known.get(name, ()))
        return Part(name, own, weights, level, order, gold, **more)

    def primary() -> str | None:
        return common(p.facts for p in each)

    @cache
    def about_all() -> tuple[Finding, ...]:
        return ranked(named(advise_pooled(pooled.facts, [p.facts for p in each]), data))

    if len(data.questions) == 1:
        only = part(data.questions[0] or None, data)
        return Diagnosis(data, (only,), only)
    shared: dict[str, Any] = {"primary": primary, "about_all": about_all}
    each = tuple(part(q, data.of_question(q), **shared) for q in data.questions)
    pooled = part(None, data, **shared)
    return Diagnosis(data, each, pooled)


def _check(name: str | None, known: Iterable[str], what: str, hint: str = "") -> None:
    names = list(known)
    if name is not None and name not in names:
        raise unknown(what, name, names, hint=hint)
