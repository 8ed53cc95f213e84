"""The facts of the data that decide which coefficient to report and which caveats apply."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ..counts.counts import Counts
from ..errors import RequestError
from ..inference.measurement import fitting_weights, measure, weights_of
from ..inference.settings import Settings
from ..measure.coefficient_value import Agreement, Undefined
from ..measure.coefficients import COEFFICIENTS
from ..measure.coverage import Coverage
from ..measure.distances import WeightsLike
from ..measure.measures import NAMED, Measure, default_measures, key_of, shown
from ..measure.sets import unranked
from ..numbers import decimal
from ..scheme import Scheme, Value, number

if TYPE_CHECKING:
    from ..inference.margins import Indices
    from .label_sets import Structure


SKEWED = 0.1  # π this far below S is low because one value prevails; our convention
FEW_VALUES = 2000  # the dropped-category figures need a second count of the annotations


@dataclass(frozen=True, eq=False)
class DataFacts:
    """What is known about the annotations of one question, or of all questions pooled.

    Each fact is computed when it is first asked for.

    Parameters
    ----------
    coverage : Coverage
    scheme : Scheme
    weights : WeightsLike or None
    level : float
        Confidence level.
    measured : tuple of Agreement
        Coefficients of the same annotations and weights that are known already.
    structure : Structure or None
        Sizes of label sets, asymmetry and final labels; None of single labels.
    """

    coverage: Coverage
    scheme: Scheme
    weights: WeightsLike | None = None
    level: float = 0.95
    measured: tuple[Agreement, ...] = ()
    structure: Structure | None = None

    @property
    def question(self) -> str | None:
        """The question; None for all together, or a single one without a name."""
        return self.coverage.question

    @property
    def counts(self) -> Counts:
        """The annotations, counted."""
        return self.coverage.counts

    @property
    def label_sets(self) -> bool:
        """Whether values are sets of labels. Then "values" are the labels in them."""
        return self.counts.of_sets

    @property
    def n_pairable(self) -> int:
        """Items with two annotations or more."""
        return self.coverage.n_pairable

    @property
    def n_coders(self) -> int:
        """Coders with an annotation."""
        return self.counts.n_coders

    @property
    def known_coders(self) -> bool:
        """Whether the data tell which coder gave which label."""
        return self.counts.coder is not None

    @property
    def complete(self) -> bool:
        """Whether every coder annotated every annotated item."""
        return self.coverage.n_annotations == self.coverage.n_annotated * self.n_coders

    @property
    def n_values(self) -> int:
        """Categories of the scheme."""
        return len(self.coverage.distribution.values)

    @cached_property
    def used(self) -> tuple[tuple[Value, int], ...]:
        """Used values and how often each was given, the most frequent first."""
        labels = self.coverage.distribution
        order = np.argsort(-labels.n, kind="stable")
        return tuple((labels.values[k], int(labels.n[k])) for k in order if labels.n[k] > 0)

    @property
    def unused(self) -> tuple[Value, ...]:
        """Categories that were never given."""
        return self.coverage.distribution.unused

    @property
    def numeric(self) -> bool:
        """Whether there are three or more categories and all are numbers."""
        values = [v for v, _ in self.used]
        return (
            not self.label_sets
            and len(values) > 2
            and all(not isinstance(v, tuple | bool) and number(v) is not None for v in values)
        )

    @property
    def top_share(self) -> float:
        """Share of the value given most often."""
        return self.used[0][1] / self.coverage.n_annotations if self.used else math.nan

    @cached_property
    def n_disputed(self) -> int:
        """Items on which coders differ."""
        bare = unranked(self.counts.anonymous)
        return int(bare.times @ (np.diff(bare.start) > 1))

    @cached_property
    def never_agreed(self) -> tuple[Value, ...]:
        """Values given to items with two annotations, but never by two coders to the same item."""
        from ..measure.confusion import pooled_confusion, tabular

        if not tabular(self.counts) or not self.n_pairable:
            return ()
        return pooled_confusion(self.counts, labels=self.scheme.categories).never_agreed

    @cached_property
    def two(self) -> Indices | None:
        """What the margins do to kappa; two known coders only."""
        from ..inference.margins import indices
        from ..measure.confusion import contingency, tabular

        pair = self.known_coders and self.n_coders == 2 and self.n_pairable
        if self.label_sets or not pair or not tabular(self.counts):
            return None
        return indices(contingency(self.counts, labels=self.scheme.categories))

    @cached_property
    def without_unused(self) -> Mapping[str, float]:
        """S and AC if the scheme held only the used categories; empty if all are used."""
        counts, weights, unused = self.counts, self.weights, self.unused
        fixed = weights is not None and not isinstance(weights, str)
        none = not unused or counts.of_sets or counts.n_annotations == 0
        if none or fixed or counts.n_values > FEW_VALUES:
            return {}
        keep = np.array([v not in unused for v in counts.values])
        groups = np.where(keep, np.cumsum(keep) - 1, 0)
        values = tuple(v for v, kept in zip(counts.values, keep, strict=True) if kept)
        bare = counts.anonymous.merged(groups, values)
        w = fitting_weights(bare, self.scheme, weights)
        return {key: float(COEFFICIENTS[key].parts(bare, w).value) for key in ("s", "ac")}

    # -------------------------------------------------------------- coefficients

    @cached_property
    def coefficients(self) -> Mapping[str, Agreement]:
        """What is measured by default, by its key; what is known already is not measured again."""
        known = {(row.coefficient, row.weights): row for row in self.measured}
        counts, scheme, found = self.counts, self.scheme, {}
        settings = Settings("auto", self.level)
        for each in default_measures(of_sets=counts.of_sets):
            what, wanted = each.coefficient, self._weighed(each)
            row = known.get((what.key, weights_of(what, counts, scheme, wanted).name))
            row = row or measure(what, counts, scheme, wanted, settings, self.question)
            found[key_of(what.key, each.weights)] = row
        return found

    def _weighed(self, each: Measure) -> WeightsLike | None:
        """The weights of the call, or those of the name of the measure if these say otherwise."""
        try:
            return each.weighed(self.weights)
        except RequestError:
            return each.weights

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
    def ordinal_alpha(self) -> float:
        """α if the numbers were ordered categories."""
        scheme, settings = self.scheme.of_scale("ordinal"), Settings("none")
        return measure(COEFFICIENTS["alpha"], self.counts, scheme, None, settings).value

    @property
    def judged_key(self) -> str:
        """The key of what is compared with thresholds: α, of label sets boot-match if it exists."""
        boot = self.label_sets and not math.isnan(self.value("boot_match"))
        return "boot_match" if boot else self.alpha_key

    @property
    def skewed(self) -> bool:
        """Whether one value prevails so far that it lowers π, κ and α."""
        if len(self.used) < 2 or self.top_share < 0.5 or self.weighted:
            return False
        equal = self.without_unused.get("s", self.value("s"))
        return equal - self.value("pi") >= SKEWED

    @property
    def undefined(self) -> Undefined | None:
        """Why alpha has no value, if it has none."""
        return self.alpha.undefined

    @property
    def of_measurements(self) -> bool:
        """Whether labels are measurements by known coders."""
        return self.scheme.scale in ("interval", "ratio") and self.known_coders

    @property
    def weighted(self) -> bool:
        """Whether some disagreements count as smaller than others."""
        return self.label_sets or self.coefficients["pi"].weights != "identity"
