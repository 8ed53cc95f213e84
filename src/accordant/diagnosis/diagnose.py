"""Where and why coders differ, and what to report: per question and pooled.

Everything is computed when it is first used, and modules are loaded with it: a caveat needs few.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from ..counts.count import count
from ..counts.counts import Counts
from ..data.annotations import Annotations
from ..errors import unknown
from ..inference.measurement import fitting_weights
from ..measure.coefficient_value import Agreement
from ..measure.coverage import Coverage, coverage
from ..measure.distances import WeightsLike
from ..measure.sets import DividedVote, unranked
from ..measure.weights import Weights
from ..results import Result
from ..scheme import Label, Scheme
from .finding import Finding, named, ranked

if TYPE_CHECKING:
    from ..inference.categories import Categories
    from ..inference.margins import Indices
    from ..measure.confusion import Confusion
    from .coder_groups import CoderGroup
    from .coder_pairs import CoderPairs, CoderTable
    from .consistency import Consistency
    from .explanations import Causes
    from .facts import DataFacts
    from .groups import ItemGroups
    from .item_agreement import ItemAgreement
    from .label_sets import Structure
    from .recommendation import Recommendation
    from .scores import Scores
    from .what_if import WhatIf


NAMING = frozenset({"asymmetric_sets", "below_chance", "kappa_above_pi", "one_coder_decides"})
"""Codes of caveats that name coders or categories that stand out."""
MOST_STEPS = 20  # of a numeric scale whose values are still categories


@dataclass(frozen=True, eq=False)
class Part:
    """The diagnosis of one question, or of all questions pooled.

    Parameters
    ----------
    question : str or None
        None for the pooled part, or if there is a single question without a name.
    data : Annotations
        The annotations of these questions.
    weights : WeightsLike or None
        None for those that fit the scale.
    level : float
        Confidence level of all intervals.
    gold : str or None
        The coder whose labels count as right.
    beside : Annotations or None
        The annotations with that coder, where it is none of them.
    measured : tuple of Agreement
        Coefficients that are known already.
    primary : callable
        Gives the coefficient for all questions if there are several, else None.
    about_all : callable
        Gives the findings on several questions together.
    elsewhere : tuple of str
        What other analyses of the same annotations name as standing out, in a report.
    """

    question: str | None
    data: Annotations
    weights: WeightsLike | None = None
    level: float = 0.95
    gold: str | None = None
    beside: Annotations | None = None
    measured: tuple[Agreement, ...] = ()
    primary: Callable[[], str | None] = lambda: None
    about_all: Callable[[], tuple[Finding, ...]] = tuple
    elsewhere: tuple[str, ...] = ()

    # -------------------------------------------------------------- what is looked at

    @cached_property
    def scheme(self) -> Scheme:
        """The scheme of the question, or the union of all."""
        return self.data.scheme

    @property
    def continuous(self) -> bool:
        """Whether values are measurements, of which single ones are not looked at."""
        scales = ("interval", "ratio", "circular")
        return self.scheme.scale in scales and self.counts.n_values > MOST_STEPS

    @cached_property
    def counts(self) -> Counts:
        """The counted annotations; ranked labels are one set unless the weights use the ranks."""
        return self._counted(self.data)

    def _counted(self, data: Annotations) -> Counts:
        counts = count(data)
        return counts if self._by_rank else unranked(counts)

    @property
    def _by_rank(self) -> bool:
        """Whether the weights may look at the ranks of labels."""
        return callable(self.weights) or (isinstance(self.weights, str) and ":" in self.weights)

    @property
    def _labels(self) -> tuple[Label, ...]:
        return self.scheme.categories

    @cached_property
    def w(self) -> Weights:
        """What counts as agreement of two annotations; of two label sets MASI."""
        if self.counts.of_sets:  # by identity most sets are as far apart as they can be
            return self.metric
        return fitting_weights(self.counts, self.scheme, self.weights)

    @cached_property
    def metric(self) -> Weights:
        """What counts as agreement for alpha."""
        return fitting_weights(self.counts, self.scheme, self.weights, metric=True)

    @cached_property
    def coverage(self) -> Coverage:
        """Who annotated what."""
        return coverage(self.data, self.counts)

    @cached_property
    def facts(self) -> DataFacts:
        """The facts that caveats and the recommendation rest on."""
        from .facts import DataFacts

        return DataFacts(
            self.coverage, self.scheme, self.weights, self.level, self.measured, self.structure
        )

    # -------------------------------------------------------------- what is said

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Caveats, and why coders disagree: problems first."""
        return ranked([*self.caveats, *self.patterns])

    @cached_property
    def caveats(self) -> tuple[Finding, ...]:
        """What a reader of the figures must know: problems first."""
        from .caveats import caveats

        return named(caveats(self.facts), self.data)

    @cached_property
    def patterns(self) -> tuple[Finding, ...]:
        """Why coders disagree, as far as their disagreements show: what is most at stake first.

        Empty where nothing is compared, or nothing is disputed, and for questions that are pooled
        though their schemes differ: labels that never compete are not confused.
        """
        from .consistency import contradictions
        from .explanations import no_pattern

        compared = self.counts.n_pairable and not math.isnan(self.alpha)
        if not compared or len(set(self.data.schemes)) > 1 or self.continuous:
            return ()
        again = contradictions(self.consistency, self.question, self.level)
        found = (*self.causes.found, *again)
        if not found:
            found = tuple(
                no_pattern(self.causes, self.alpha, self.items.n_disputed, self.named_elsewhere)
            )
        return named(ranked(found), self.data)

    @property
    def named_elsewhere(self) -> tuple[str, ...]:
        """What caveats, and other chapters of a report, name as standing out."""
        return (*(f.title for f in self.caveats if f.code in NAMING), *self.elsewhere)

    @cached_property
    def recommendation(self) -> Recommendation:
        """Which coefficient to report; the same one for all questions."""
        from .recommendation import recommend

        return recommend(self.facts, self.primary())

    # -------------------------------------------------------------- coders

    @property
    def alpha(self) -> float:
        """Alpha with the weights that fit; of label sets by MASI."""
        return self.coders.alpha

    @cached_property
    def coders(self) -> CoderTable:
        """Each coder."""
        from .coder_pairs import coders

        return coders(self.counts, self.w, self.metric, self._labels)

    @cached_property
    def pairs(self) -> CoderPairs:
        """Each pair of coders."""
        from .coder_pairs import coder_pairs

        return coder_pairs(self.counts, self.w)

    @cached_property
    def coder_groups(self) -> tuple[CoderGroup, ...]:
        """Groups of coders who read two labels differently."""
        from .coder_groups import coder_groups

        return tuple(coder_groups(self.patterns, self.pairs, self.counts.coders, self.level))

    @cached_property
    def scores(self) -> Scores | None:
        """Precision, recall and F1 of each coder against the gold coder, or else the others."""
        from .scores import scores

        counts = self.counts if self.beside is None else self._counted(self.beside)
        gold = self.gold if self.gold in counts.coders else None
        return scores(counts, gold=gold, labels=self._labels)

    @cached_property
    def consistency(self) -> Consistency | None:
        """Contradictory answers to identical texts; None if no coder saw a text twice."""
        from .consistency import consistency

        return consistency(self.data, self.counts, self.level)

    @cached_property
    def structure(self) -> Structure | None:
        """Sizes of label sets, asymmetry and final labels; None for single labels."""
        if not self.counts.of_sets:
            return None
        from .label_sets import structure

        vote = fitting_weights(self.counts, self.scheme, self.weights) if self._by_rank else None
        return structure(self.data, self.counts, vote if isinstance(vote, DividedVote) else None)

    # -------------------------------------------------------------- categories

    @cached_property
    def confusion(self) -> Confusion | None:
        """All pairs of annotations; None if there are too many values for a table."""
        from ..measure.confusion import pooled_confusion, tabular

        return pooled_confusion(self.counts, labels=self._labels) if tabular(self.counts) else None

    @cached_property
    def confusions(self) -> tuple[Confusion, ...]:
        """The contingency table of each pair of coders, as far as they can be shown."""
        from ..measure.confusion import contingencies, tabular

        return contingencies(self.counts, labels=self._labels) if tabular(self.counts) else ()

    def contingency(self, first: str | None = None, second: str | None = None) -> Confusion:
        """The contingency table of two coders, of labels in the order of the scheme."""
        from ..measure.confusion import contingency

        return contingency(self.counts, first, second, labels=self._labels)

    @cached_property
    def indices(self) -> tuple[Indices, ...]:
        """What the margins do to kappa, for each pair of coders; of no use for label sets."""
        from ..inference.margins import indices

        if self.counts.of_sets:
            return ()
        return tuple(indices(c, level=self.level) for c in self.confusions)

    @cached_property
    def categories(self) -> Categories:
        """Each category against the rest."""
        from ..inference.categories import categories

        return categories(self.counts, level=self.level, labels=self._labels)

    # -------------------------------------------------------------- items, causes

    @cached_property
    def items(self) -> ItemAgreement:
        """Each item."""
        from .item_agreement import items

        return items(self.data, self.counts, self.w)

    @cached_property
    def groups(self) -> ItemGroups | None:
        """Groups of items by what is known about them; None if nothing is."""
        from .groups import groups

        return groups(self.data, self.counts, self.w, self.metric)

    @cached_property
    def causes(self) -> Causes:
        """Why coders disagree."""
        from .explanations import Causes

        return Causes(self.data, self.counts, self.metric)

    @cached_property
    def what_if(self) -> WhatIf:
        """What alpha would be if one thing were resolved."""
        from .what_if import what_if

        return what_if(self.causes, self.alpha)


@dataclass(frozen=True, eq=False, repr=False)
class Diagnosis(Result):
    """Where and why coders differ, and what to report: a `Part` per question and one pooled.

    Examples
    --------
    >>> import accordant as ac
    >>> found = ac.diagnose([["a", "b", "a", "a"], ["a", "b", "b", "a"]])
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
    def caveats(self) -> tuple[Finding, ...]:
        """What a reader of the figures must know, about all questions and each, problems first."""
        if len(self.each) == 1:
            return self.pooled.caveats
        return ranked([*self.about_all, *(f for p in self.each for f in p.caveats)])

    @cached_property
    def about_all(self) -> tuple[Finding, ...]:
        """What is so of several questions together, problems first; none of a single question."""
        return self.pooled.about_all()

    @property
    def recommendation(self) -> Recommendation:
        """One coefficient for all questions, so that their figures can be compared."""
        return self.pooled.recommendation

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


def _identity(scheme: Scheme) -> tuple[Any, ...]:
    """What makes a scheme the same as another; names have no order."""
    listed = scheme.categories
    return (
        frozenset(listed) if scheme.scale == "nominal" else listed,
        scheme.scale,
        scheme.max_labels,
    )


def diagnose(
    data: Annotations,
    *,
    weights: WeightsLike | None = None,
    level: float = 0.95,
    gold: str | None = None,
    beside: Annotations | None = None,
    measured: Iterable[Agreement] = (),
) -> Diagnosis:
    """The diagnosis of annotations; coefficients that are ``measured`` are not computed again.

    The ``gold`` coder may be one more, who stands in the annotations ``beside``.
    """
    data = data.of_persons()
    known: dict[str | None, list[Agreement]] = {}
    for row in measured:
        if row.method or (row.undefined and math.isnan(row.value)):  # else its interval is unknown
            known.setdefault(row.question, []).append(row)

    def part(name: str | None, own: Annotations, **more: Any) -> Part:
        held = beside if beside is None or name is None else beside.of_question(name)
        return Part(name, own, weights, level, gold, held, tuple(known.get(name, ())), **more)

    def primary() -> str | None:
        from .recommendation import common

        return common(p.facts for p in each)

    @cache
    def about_all() -> tuple[Finding, ...]:
        from .caveats import caveats_pooled

        return named(caveats_pooled(pooled.facts, [p.facts for p in each]), data)

    if len(data.questions) == 1:
        only = part(data.questions[0] or None, data)
        return Diagnosis(data, (only,), only)
    shared: dict[str, Any] = {"primary": primary, "about_all": about_all}
    each = tuple(part(q, data.of_question(q), **shared) for q in data.questions)
    pooled = part(None, data, **shared)
    return Diagnosis(data, each, pooled)
