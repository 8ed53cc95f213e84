"""One call that gathers everything: per question and pooled."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..counts.count import count
from ..counts.counts import Counts
from ..data.annotations import Annotations
from ..errors import RequestError
from ..inference.measured import fitting_weights
from ..measure.distances import WeightsLike
from ..measure.results import Agreement, Rows
from ..measure.sets import DividedVote, unranked
from ..measure.weights import Weights
from ..scheme import Label, Scheme
from .advice import advise, advise_pooled
from .categories import Categories, categories
from .coders import Coders, coders
from .confusion import Confusion, contingencies, contingency, pooled_confusion, tabular
from .coverage import Coverage, coverage
from .facts import Facts, facts
from .finding import SEVERITIES, Finding
from .indices import Indices, full_agreement, indices
from .items import Items, items
from .label_sets import Structure, structure
from .pairs import CoderPairs, coder_pairs
from .recommend import Recommendation, common, recommend
from .set_pairs import SetPairs, set_pairs

__all__ = ["Diagnosis", "Part", "diagnose"]


@dataclass(frozen=True, eq=False)
class Part:
    """The diagnosis of one question, or of all questions pooled. Parts are computed when used.

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
    measured : tuple of Agreement
        Coefficients that are known already.
    primary : callable
        Gives the coefficient for all questions if there are several, else None.
    """

    question: str | None
    data: Annotations
    weights: WeightsLike | None = None
    level: float = 0.95
    measured: tuple[Agreement, ...] = ()
    primary: Callable[[], str | None] = lambda: None

    @cached_property
    def scheme(self) -> Scheme:
        """The scheme of the question, or the union of all."""
        return self.data.scheme

    @cached_property
    def counts(self) -> Counts:
        """The counted annotations; ranked labels are one set unless the weights use the ranks."""
        counts = count(self.data)
        return counts if self._by_rank else unranked(counts)

    @property
    def _by_rank(self) -> bool:
        """Whether the weights may look at the ranks of labels."""
        return callable(self.weights) or (isinstance(self.weights, str) and ":" in self.weights)

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
    def confusion(self) -> Confusion | None:
        """All pairs of annotations; None if there are too many values for a table."""
        return pooled_confusion(self.counts, labels=self._labels) if tabular(self.counts) else None

    @cached_property
    def confusions(self) -> tuple[Confusion, ...]:
        """The contingency table of each pair of coders, as far as they can be shown."""
        return contingencies(self.counts, labels=self._labels) if tabular(self.counts) else ()

    def contingency(self, first: str | None = None, second: str | None = None) -> Confusion:
        """The contingency table of two coders, of labels in the order of the scheme."""
        return contingency(self.counts, first, second, labels=self._labels)

    @property
    def _labels(self) -> tuple[Label, ...]:
        return self.scheme.categories

    @cached_property
    def indices(self) -> tuple[Indices, ...]:
        """What the margins do to kappa, for each pair of coders; of no use for label sets."""
        if self.counts.of_sets:
            return ()
        return tuple(indices(c, level=self.level) for c in self.confusions)

    @cached_property
    def full_agreement(self) -> float:
        """Share of items on which all coders agree."""
        return full_agreement(self.counts)

    @cached_property
    def categories(self) -> Categories:
        """Each category against the rest."""
        return categories(self.counts, level=self.level, labels=self._labels)

    @cached_property
    def coders(self) -> Coders:
        """Each coder."""
        return coders(self.counts, self.w, self.metric, self._labels)

    @cached_property
    def pairs(self) -> CoderPairs:
        """Each pair of coders."""
        return coder_pairs(self.counts, self.w)

    @cached_property
    def items(self) -> Items:
        """Each item."""
        return items(self.data, self.counts, self.w)

    @cached_property
    def structure(self) -> Structure | None:
        """Sizes of label sets, asymmetry and final labels; None for single labels."""
        if not self.counts.of_sets:
            return None
        vote = fitting_weights(self.counts, self.scheme, self.weights) if self._by_rank else None
        return structure(
            self.data, self.counts, vote if isinstance(vote, DividedVote) else None
        )  # fmt: skip

    @cached_property
    def set_pairs(self) -> SetPairs | None:
        """Boot-match, precision and recall of each pair of coders; None for single labels."""
        return set_pairs(self.counts, self.pairs) if self.counts.of_sets else None

    @cached_property
    def facts(self) -> Facts:
        """The facts that advice rests on."""
        return facts(
            self.coverage, self.scheme, weights=self.weights, level=self.level,
            coders=self.coders, pairs=self.pairs, confusion=self.confusion,
            structure=self.structure, measured=self.measured,
        )  # fmt: skip

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """What a reader of the figures must know, problems first."""
        return advise(self.facts)

    @cached_property
    def recommendation(self) -> Recommendation:
        """Which coefficient to report; the same one for all questions."""
        return recommend(self.facts, self.primary())


@dataclass(frozen=True, eq=False)
class Diagnosis(Rows):
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

    data: Annotations
    each: tuple[Part, ...]
    pooled: Part

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
        names = ", ".join(repr(p.question) for p in self.parts)
        raise RequestError(f"there is no question {question!r}: the diagnosis has {names}")

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """All findings, problems first: about the pooled figures, then about each question.

        Where several questions are pooled, only what pooling does is told of the whole.
        """
        if len(self.each) == 1:
            return self.pooled.findings
        about = advise_pooled(self.pooled.facts, [p.facts for p in self.each])
        found = [*about, *(f for p in self.each for f in p.findings)]
        return tuple(sorted(found, key=lambda f: SEVERITIES.index(f.severity)))

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


def _identity(scheme: Scheme) -> tuple[Any, ...]:
    """What makes a scheme the same as another; names have no order."""
    listed = scheme.categories
    return (
        frozenset(listed) if scheme.scale == "nominal" else listed, scheme.scale,
        scheme.max_labels,
    )  # fmt: skip


def diagnose(
    data: Annotations,
    *,
    weights: WeightsLike | None = None,
    level: float = 0.95,
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
    measured : iterable of Agreement
        Coefficients of these annotations with these weights that are known already.

    Returns
    -------
    Diagnosis
    """
    known: dict[str | None, list[Agreement]] = {}
    for row in measured:
        if row.method or (row.undefined and math.isnan(row.value)):  # else its interval is unknown
            known.setdefault(row.question, []).append(row)

    def part(name: str | None, own: Annotations, **more: Any) -> Part:
        return Part(name, own, weights, level, tuple(known.get(name, ())), **more)

    def primary() -> str | None:
        return common(p.facts for p in each)

    if len(data.questions) == 1:
        only = part(data.questions[0] or None, data)
        return Diagnosis(data, (only,), only)
    each = tuple(part(q, data.of_question(q), primary=primary) for q in data.questions)
    return Diagnosis(data, each, part(None, data, primary=primary))
