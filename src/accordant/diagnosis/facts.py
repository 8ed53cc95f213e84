"""The facts of the data that decide which coefficient to report and which traps apply."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..counts.counts import Counts
from ..counts.tables import n_meetings
from ..errors import RequestError
from ..inference.intervals import Settings
from ..inference.margins import Indices, indices
from ..inference.measurement import fitting_weights, measure, weights_of
from ..measure.coefficients import COEFFICIENTS
from ..measure.confusion import Confusion, contingency, pooled_confusion, tabular
from ..measure.coverage import Coverage
from ..measure.distances import WeightsLike
from ..measure.measures import NAMED, Measure, default_measures, key_of, shown
from ..measure.results import Agreement, Undefined
from ..measure.sets import unranked
from ..numbers import decimal
from ..scheme import Scheme, Value, number
from .label_sets import Structure
from .pairs import Direction, directions

__all__ = ["SIGNIFICANT", "SKEWED", "Facts", "facts"]

SIGNIFICANT = 0.05  # level of the tests behind findings
SKEWED = 0.1  # π this far below S is low because one value prevails; our convention
FEW_VALUES = 2000  # the dropped-category figures need a second count of the annotations


@dataclass(frozen=True)
class Facts:
    """What is known about the annotations of one question, or of all questions pooled.

    Parameters
    ----------
    question : str or None
    n_items, n_annotated, n_pairable : int
        Items of the data; with an annotation; with two or more.
    coders : tuple of str
    known_coders : bool
        Whether the data tell which coder gave which label.
    n_annotations : int
    missing_share : float
        Share of annotated items x coders without an annotation.
    scale : str
    declared : bool
        Whether the scheme declared the categories.
    numeric : bool
        Whether there are three or more categories and all are numbers.
    label_sets : bool
        Whether values are sets of labels. Then "values" below are the labels in them.
    n_values : int
    used : tuple of (Value, int)
        Used values and how often each was given, the most frequent first.
    unused : tuple
    coefficients : mapping of str to Agreement
        Every coefficient with the weights that fit the scale; of label sets what is measured by
        default, by the names of `measure.measures`.
    n_disputed : int
        Items on which coders differ.
    never_agreed : tuple
        Values given to items with two annotations, but never by two coders to the same item.
    without_unused : mapping of str to float
        S and AC if the scheme held only the used categories; empty if all are used.
    n_pairs, n_pairs_apart, n_groups : int
        Pairs of coders; those without a common item; groups that share no item.
    two : Indices or None
        What the margins do to kappa; two known coders only.
    directions : tuple of Direction
        Which way the coders of each pair differ, where one value is higher than another.
    structure : Structure or None
        Sizes of label sets, asymmetry and final labels.
    """

    question: str | None
    n_items: int
    n_annotated: int
    n_pairable: int
    coders: tuple[str, ...]
    known_coders: bool
    n_annotations: int
    missing_share: float
    scale: str
    declared: bool
    numeric: bool
    label_sets: bool
    n_values: int
    used: tuple[tuple[Value, int], ...]
    unused: tuple[Value, ...]
    coefficients: Mapping[str, Agreement]
    n_disputed: int
    never_agreed: tuple[Value, ...] = ()
    without_unused: Mapping[str, float] = field(default_factory=dict)
    n_pairs: int = 0
    n_pairs_apart: int = 0
    n_groups: int = 1
    two: Indices | None = None
    directions: tuple[Direction, ...] = ()
    structure: Structure | None = None

    @property
    def n_coders(self) -> int:
        """Coders with an annotation."""
        return len(self.coders)

    @property
    def n_single(self) -> int:
        """Items with one annotation."""
        return self.n_annotated - self.n_pairable

    @property
    def complete(self) -> bool:
        """Whether every coder annotated every annotated item."""
        return self.n_annotations == self.n_annotated * self.n_coders

    @property
    def top_share(self) -> float:
        """Share of the value given most often."""
        return self.used[0][1] / self.n_annotations if self.used else math.nan

    def value(self, key: str) -> float:
        """The coefficient of a key; NaN where undefined or not measured."""
        return self.coefficients[key].value if key in self.coefficients else math.nan

    def shown(self, key: str) -> str:
        """The coefficient of a key as a reader sees it."""
        return decimal(self.value(key))

    def name(self, key: str) -> str:
        """What a reader calls the coefficient of a key: 'α', 'boot-match'."""
        row = self.coefficients[key]
        if self.label_sets and key == "kappa":
            return NAMED["kappa_sets"][2]
        return shown(row.coefficient, row.weights if self.label_sets else None)

    @property
    def alpha_key(self) -> str:
        """The key of α: by MASI where annotations are label sets."""
        return "alpha_masi" if self.label_sets else "alpha"

    @property
    def alpha(self) -> Agreement:
        """α with the weights that fit."""
        return self.coefficients[self.alpha_key]

    @property
    def judged_key(self) -> str:
        """The key of what is compared with thresholds: α, of label sets boot-match if it exists."""
        boot = self.label_sets and not math.isnan(self.value("boot_match"))
        return "boot_match" if boot else self.alpha_key

    @property
    def judged(self) -> Agreement:
        """The coefficient that is compared with thresholds."""
        return self.coefficients[self.judged_key]

    @property
    def skewed(self) -> bool:
        """Whether one value prevails so far that it lowers π, κ and α."""
        equal = self.without_unused.get("s", self.value("s"))
        several = len(self.used) > 1 and not self.weighted
        return several and self.top_share >= 0.5 and equal - self.value("pi") >= SKEWED

    @property
    def observed(self) -> float:
        """Percent agreement."""
        return self.value("percent")

    @property
    def undefined(self) -> Undefined | None:
        """Why alpha has no value, if it has none."""
        return self.alpha.undefined

    @property
    def weighted(self) -> bool:
        """Whether some disagreements count as smaller than others."""
        return self.label_sets or self.coefficients["pi"].weights != "identity"


def facts(
    coverage: Coverage,
    scheme: Scheme,
    *,
    weights: WeightsLike | None = None,
    level: float = 0.95,
    confusion: Confusion | None = None,
    structure: Structure | None = None,
    measured: Iterable[Agreement] = (),
) -> Facts:
    """Gather the facts of one question, or of all pooled.

    Parameters
    ----------
    coverage : Coverage
    scheme : Scheme
    weights : WeightsLike, optional
    level : float
    confusion, structure
        What is known already of all annotations together, and label sets.
    measured : iterable of Agreement
        Coefficients of the same annotations and weights that are known already.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.measure.coverage import coverage
    >>> data = read([["a", "b", "a", "a"], ["a", "b", "b", "a"]])
    >>> found = facts(coverage(data), data.scheme)
    >>> found.complete, found.used, found.n_disputed, round(found.value("kappa"), 3)
    (True, (('a', 5), ('b', 3)), 1, 0.5)
    """
    counts, labels = coverage.counts, coverage.distribution
    order = np.argsort(-labels.n, kind="stable")
    used = tuple((labels.values[k], int(labels.n[k])) for k in order if labels.n[k] > 0)
    bare = unranked(counts.anonymous)
    covered = ("question", "n_items", "n_annotated", "n_pairable", "n_annotations", "missing_share")
    return Facts(
        **{key: getattr(coverage, key) for key in covered},
        coders=counts.coders,
        known_coders=counts.coder is not None,
        scale=scheme.scale,
        declared=scheme.declared,
        numeric=_numeric(used) and not counts.of_sets,
        label_sets=counts.of_sets,
        n_values=len(labels.values),
        used=used,
        unused=labels.unused,
        coefficients=_measured(coverage, scheme, weights, Settings("auto", level), measured),
        n_disputed=int(bare.times @ (np.diff(bare.start) > 1)),
        without_unused=_without_unused(counts, scheme, weights, labels.unused),
        n_groups=coverage.n_groups,
        directions=directions(counts, scheme, coverage.question),
        structure=structure,
        **_confusions(counts, scheme, confusion),
        **_of_pairs(counts),
    )


def _measured(
    coverage: Coverage,
    scheme: Scheme,
    weights: WeightsLike | None,
    settings: Settings,
    measured: Iterable[Agreement],
) -> dict[str, Agreement]:
    """What is measured by default, by its key; what is known already is not measured again."""
    known = {(row.coefficient, row.weights): row for row in measured}
    counts, question, found = coverage.counts, coverage.question, {}
    for each in default_measures(of_sets=counts.of_sets):
        what, wanted = each.coefficient, _weighed(each, weights)
        row = known.get((what.key, weights_of(what, counts, scheme, wanted).name))
        row = row or measure(what, counts, scheme, wanted, settings, question)
        found[key_of(what.key, each.weights)] = row
    return found


def _weighed(each: Measure, weights: WeightsLike | None) -> WeightsLike | None:
    """The weights of the call, or those of the name of the measure where these say otherwise."""
    try:
        return each.weighed(weights)
    except RequestError:
        return each.weights


def _numeric(used: tuple[tuple[Value, int], ...]) -> bool:
    return len(used) > 2 and all(
        not isinstance(v, tuple | bool) and number(v) is not None for v, _ in used
    )


def _without_unused(
    counts: Counts, scheme: Scheme, weights: WeightsLike | None, unused: tuple[Value, ...]
) -> dict[str, float]:
    """S and AC over the used categories, for the weights of the scale."""
    fixed = weights is not None and not isinstance(weights, str)
    none = not unused or counts.of_sets or counts.n_annotations == 0
    if none or fixed or counts.n_values > FEW_VALUES:
        return {}
    keep = np.array([v not in unused for v in counts.values])
    groups = np.where(keep, np.cumsum(keep) - 1, 0)
    values = tuple(v for v, kept in zip(counts.values, keep, strict=True) if kept)
    bare = counts.anonymous.merged(groups, values)
    w = fitting_weights(bare, scheme, weights)
    return {key: float(COEFFICIENTS[key].parts(bare, w).value) for key in ("s", "ac")}


def _confusions(counts: Counts, scheme: Scheme, pooled: Confusion | None) -> dict[str, Any]:
    """What the tables of pairs show."""
    if not tabular(counts) or counts.n_pairable == 0:
        return {}
    labels = scheme.categories
    pooled = pooled or pooled_confusion(counts, labels=labels)
    two = counts.coder is not None and counts.n_coders == 2 and not counts.of_sets
    return {
        "never_agreed": pooled.never_agreed,
        "two": indices(contingency(counts, labels=labels)) if two else None,
    }


def _of_pairs(counts: Counts) -> dict[str, Any]:
    """Which pairs of coders share an item."""
    if counts.coder is None:
        return {}
    n = math.comb(counts.n_coders, 2)
    return {"n_pairs": n, "n_pairs_apart": n - n_meetings(counts)}
