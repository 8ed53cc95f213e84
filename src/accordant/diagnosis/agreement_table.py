"""Coefficients of annotations, with where and why coders disagree."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from .._version import __version__
from ..counts.count import count
from ..counts.counts import Counts
from ..data.annotations import Annotations
from ..errors import RequestError, UndefinedError
from ..inference.coefficient_table import CoefficientTable, row_of
from ..inference.measurement import measure
from ..inference.settings import Settings
from ..measure.coefficient_value import Agreement
from ..measure.distances import WeightsLike
from ..measure.measures import Measure, default_measures, key_of, rating_measures
from ..numbers import count_of
from ..scheme import Scheme, union
from .diagnose import Diagnosis, Part
from .diagnose import diagnose as diagnosed
from .finding import Finding
from .recommendation import Recommendation

if TYPE_CHECKING:
    from .measurements import Measurements

MEASURED = ("interval", "ratio")
DIRECTED = ("precision", "recall")
"""Weights that speak of a first and a second coder, as a matrix or a function may."""


@dataclass(frozen=True, eq=False)
class AgreementPart:
    """The coefficients of one question, or of all pooled."""

    question: str | None
    rows: tuple[Agreement, ...]
    data: Annotations
    table: AgreementTable

    @property
    def diagnosed(self) -> Part:
        """Where and why the coders disagree on it."""
        return self.table.diagnosis[self.question]

    @cached_property
    def measurements(self) -> Measurements | None:
        """Ratings in their own units, where labels are measurements."""
        if self.question is None and len(self.data.questions) > 1:
            return None  # each question has units of its own
        name = self.question or self.data.questions[0]
        if not measured(self.data.of_question(name)):
            return None
        from .measurements import measurements  # for measurements only

        return measurements(count(self.data, name, who=True), self.level)

    @property
    def main(self) -> Agreement:
        """The coefficient that is reported first: the recommended one, if it was computed."""
        wanted = (self.diagnosed.recommendation.primary, "alpha", "alpha_masi", "pi", "kappa")
        found = (row for key in wanted if (row := self.get(key)) is not None)
        return next(found, self.rows[-1])

    def get(self, key: str | None) -> Agreement | None:
        """A measure, if it was computed: by its own key, else by that of its coefficient."""
        by_coefficient = {row.coefficient: row for row in reversed(self.rows)}
        by_key = {key_of(r.coefficient, r.weights): r for r in reversed(self.rows)}
        return (by_coefficient | by_key).get(str(key))

    @property
    def of_sets(self) -> bool:
        """Whether sets of labels are compared."""
        return self.data.scheme.max_labels != 1

    @property
    def level(self) -> float:
        """Confidence level of the intervals."""
        return self.rows[0].level


@dataclass(frozen=True, eq=False, repr=False)
class AgreementTable(CoefficientTable[Agreement]):
    """Coefficients of the same annotations, per question and pooled.

    Examples
    --------
    >>> import accordant as ac
    >>> table = ac.agreement([["a", "b", "a", "a"], ["a", "b", "b", "a"]], ["percent", "kappa"])
    >>> table["kappa"].value
    0.5
    >>> [row.coefficient for row in table]
    ['percent', 'kappa']
    """

    told_as: ClassVar[str] = "agreement"

    data: Annotations
    rows: tuple[Agreement, ...]
    call: str
    weights: WeightsLike | None = None
    chosen: bool = False
    """Whether the user chose the coefficients."""
    intra: AgreementTable | None = None
    """How far coders agree with themselves, where they annotated items again."""

    @property
    def unprinted(self) -> tuple[str, ...]:
        """Who chose the coefficients is not told which to report, unless asked."""
        return ("recommendation",) if self.chosen else ()

    @property
    def told_parts(self) -> tuple[AgreementPart, ...]:
        """Each question, then all pooled if there are several."""
        return tuple(
            AgreementPart(name, self.of_question(name), self.data, self) for name in self.questions
        )

    def __contains__(self, key: object) -> bool:
        """Whether there is such a row: ``"alpha" in table``."""
        try:
            return key in self.rows if isinstance(key, Agreement) else bool(self[key])  # type: ignore[index]
        except RequestError:
            return False

    def __getitem__(self, key: int | str | tuple[str | None, str]) -> Agreement:
        """``table["alpha"]`` (pooled if there are several), ``table["q1", "alpha"]``, ``table[0]``.

        Raises
        ------
        RequestError
            If there is no such row.
        """
        return row_of(self.rows, key)

    @cached_property
    def diagnosis(self) -> Diagnosis:
        """Where and why the coders disagree."""
        level = self.rows[0].level if self.rows else 0.95
        return diagnosed(self.data, weights=self.weights, level=level, measured=self.rows)

    @property
    def recommendation(self) -> Recommendation:
        """Which coefficient to report, and why."""
        return self.diagnosis.recommendation

    @property
    def caveats(self) -> tuple[Finding, ...]:
        """What a reader of these figures must know, with the numbers."""
        return self.diagnosis.caveats

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Caveats, and why coders disagree: problems first."""
        return self.diagnosis.findings

    @cached_property
    def signature(self) -> str:
        """The call, the data and the version, for others to repeat the numbers."""
        return f"accordant {__version__} | {self.call} | data {self.data.fingerprint[:12]}"


def measured(data: Annotations) -> bool:
    """Whether the labels of every question are measurements by known coders."""
    known = not data.anonymous and data.scheme.max_labels == 1
    return known and all(scheme.scale in MEASURED for scheme in data.schemes)


def agreement(
    data: Annotations,
    chosen: list[Measure] | None,
    settings: Settings,
    *,
    weights: WeightsLike | None = None,
    undefined: float | Literal["error"] = float("nan"),
) -> AgreementTable:
    """The measures of each question, and of all pooled; all that fit if none are chosen."""
    of_sets = data.scheme.max_labels != 1
    wanted = chosen or default_measures(of_sets=of_sets, weights=weights)
    if chosen is None and weights is None and measured(data):
        wanted = [*wanted, *rating_measures(len(data.coders))]
    asked = [m.weighed(weights) for m in wanted]
    who = settings.sampled_coders or any(m.coefficient.needs_coders for m in wanted)
    plain = (w is None or (isinstance(w, str) and w not in DIRECTED) for w in asked)
    who = who or not all(plain)
    rows = tuple(
        measure(m.coefficient, counts, scheme, w, settings, question)
        for question, scheme, counts in _parts(data.of_persons(), who=who)
        for m, w in zip(wanted, asked, strict=True)
    )
    again = data.of_occasions()
    return AgreementTable(
        data.of_persons(),
        tuple(_settled(r, undefined) for r in rows),
        _call(wanted, weights, settings),
        weights,
        chosen is not None,
        None
        if again is None
        else agreement(again, chosen, settings, weights=weights, undefined=undefined),
    )


def _parts(data: Annotations, *, who: bool) -> list[tuple[str | None, Scheme, Counts]]:
    """Each question with its scheme and counts, then all pooled if there are several."""
    if len(data.questions) == 1:
        return [(data.questions[0] or None, data.schemes[0], count(data, who=who))]
    each = [
        (name, scheme, count(data, name, who=who))
        for name, scheme in zip(data.questions, data.schemes, strict=True)
    ]
    return [*each, (None, union(data.schemes), count(data, who=who))]


def _settled(row: Agreement, undefined: float | Literal["error"]) -> Agreement:
    if row.undefined is None:
        return row
    if undefined == "error":
        name = key_of(row.coefficient, row.weights)
        raise UndefinedError(f"{name} is undefined: {row.undefined}")
    return replace(row, value=float(undefined))


def _call(wanted: list[Measure], weights: WeightsLike | None, s: Settings) -> str:
    """The call in words that can be repeated."""
    names = ", ".join(m.key for m in wanted)
    scale = "of each measure" if all(m.weights for m in wanted) else "by scale"
    shown = scale if weights is None else weights if isinstance(weights, str) else "own"
    seed = "of a generator, not repeatable" if s.seed is None else s.seed
    parts = [f"agreement: {names}", f"weights {shown}", f"{100 * s.level:g} % {s.method}"]
    if s.method == "bootstrap":
        parts.append(f"{s.n_resamples} resamples, seed {seed}")
    if s.n_simulations:
        parts.append(f"chance by {s.n_simulations} simulations, seed {seed}")
    if s.null or s.alternative != "two-sided":
        parts.append(f"null {s.null:g}, {s.alternative}")
    if np.isfinite(s.population):
        parts.append(f"of {count_of(s.population, 'item')}")
    if s.sampled_coders:
        parts.append("coders sampled")
    return "; ".join(parts)
