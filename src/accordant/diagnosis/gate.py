"""A gate: conditions on annotations, and of each whether it holds and how sure that is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..data.annotations import Annotations
from ..inference.settings import Settings
from ..measure.coefficient_value import Agreement
from ..measure.coverage import coverage
from ..measure.distances import WeightsLike
from ..measure.measures import measures
from ..results import Result
from .agreement_table import agreement

MOST_ITEMS = 5  # that a reason names


@dataclass(frozen=True)
class Condition:
    """One condition on one question.

    Parameters
    ----------
    question : str or None
    condition : str
        What must hold, such as ``"alpha >= 0.667"``.
    limit, value : float
        What was asked for and what was found; NaN where it is undefined.
    low, high : float
        The interval of a coefficient; NaN for what is counted.
    outcome : str
        ``"holds"``, ``"falls short"`` or ``"undefined"``.
    certainty : str
        ``"certain"`` if the whole interval lies on that side of the threshold, else
        ``"undecided"``: with more items it could turn out otherwise. What is counted is certain.
    reason : str
        What falls short or why there is no figure, where the numbers do not say it.
    """

    question: str | None
    condition: str
    limit: float
    value: float
    low: float
    high: float
    outcome: str
    certainty: str
    reason: str = ""

    @property
    def name(self) -> str:
        """The condition, with its question where there are several."""
        return f"{self.question}: {self.condition}" if self.question else self.condition


@dataclass(frozen=True, eq=False, repr=False)
class Check(Result):
    """The conditions of a gate, made by `accordant.check`.

    Examples
    --------
    >>> import accordant as ac
    >>> labels = [["a", "b", "c", "a", "b"] * 8, ["a", "b", "c", "a", "c"] * 8]
    >>> found = ac.check(labels, min={"alpha": 0.667}, min_lower={"alpha": 0.6})
    >>> found.holds, [(c.condition, c.outcome, c.certainty) for c in found.records][1:]
    (False, [('lower end of alpha >= 0.6', 'falls short', 'undecided')])
    """

    told_as: ClassVar[str] = "check"
    row_fields: ClassVar[tuple[str, ...]] = (
        *("question", "condition", "limit", "value", "interval"),
        *("outcome", "certainty", "reason"),
    )

    records: tuple[Condition, ...]
    level: float

    @property
    def question(self) -> None:
        """All questions are told together."""

    @property
    def holds(self) -> bool:
        """Whether every condition holds."""
        return all(one.outcome == "holds" for one in self.records)


@dataclass(frozen=True)
class Limits:
    """What annotations must reach, see `accordant.check`."""

    min: Mapping[str, float]
    min_lower: Mapping[str, float]
    max_missing: float | None
    min_annotations: int | None
    no_warning: bool


def checked_against(
    data: Annotations, limits: Limits, settings: Settings, weights: WeightsLike | None
) -> Check:
    """Each condition on each question."""
    parts = [data.of_question(name) for name in data.questions]
    found = [one for part in parts for one in _of_question(part, limits, settings, weights)]
    if limits.no_warning:
        told = data.reading.warnings
        found.append(_counted(None, "no warning", 0, len(told), len(told) == 0, " ".join(told)))
    return Check(tuple(found), settings.level)


def _of_question(
    data: Annotations, limits: Limits, settings: Settings, weights: WeightsLike | None
) -> Iterator[Condition]:
    asked = dict.fromkeys([*limits.min, *limits.min_lower])
    if asked:
        table = agreement(data, measures(list(asked)), settings, weights=weights)
        rows = dict(zip(asked, table.rows, strict=True))
        yield from (_value(rows[name], name, x) for name, x in limits.min.items())
        yield from (_lower_end(rows[name], name, x) for name, x in limits.min_lower.items())
    who = data.questions[0] or None
    covered = coverage(data)
    if limits.max_missing is not None:
        share, most = covered.missing_share, limits.max_missing
        what = f"missing annotations <= {most:g}"
        yield _counted(who, what, most, share, share <= most, _empty(covered.n_annotations))
    if limits.min_annotations is not None:
        least, (fewest, few) = limits.min_annotations, _fewest(data, limits.min_annotations)
        what = f"annotations per item >= {least}"
        yield _counted(who, what, least, fewest, not few, _items(few))


def _value(row: Agreement, name: str, least: float) -> Condition:
    return _measured(row, f"{name} >= {least:g}", least, row.value, holds=row.value >= least)


def _lower_end(row: Agreement, name: str, least: float) -> Condition:
    what = f"lower end of {name} >= {least:g}"
    return _measured(row, what, least, row.low, holds=row.low >= least)


def _measured(row: Agreement, what: str, least: float, value: float, *, holds: bool) -> Condition:
    """A condition on a coefficient; certain if no value of the interval is on the other side."""
    if np.isnan(value):
        why = str(row.undefined) if row.undefined else "there is no interval"
        outcome, certainty = "undefined", ""
    else:
        why, outcome = "", "holds" if holds else "falls short"
        sure = row.low >= least if holds else row.high < least
        certainty = "certain" if sure else "undecided"
    return Condition(
        row.question, what, least, row.value, row.low, row.high, outcome, certainty, why
    )


def _counted(
    question: str | None, what: str, limit: float, value: float, holds: bool, reason: str
) -> Condition:
    outcome = "undefined" if np.isnan(value) else "holds" if holds else "falls short"
    certainty = "" if np.isnan(value) else "certain"
    why = "" if holds else reason
    nan = float("nan")
    return Condition(question, what, limit, float(value), nan, nan, outcome, certainty, why)


def _empty(n: int) -> str:
    return "" if n else "there are no annotations"


def _fewest(data: Annotations, least: int) -> tuple[int, list[str]]:
    """The smallest number of annotations of an item, and the items with fewer than ``least``."""
    n = np.bincount(data.answered.item, minlength=len(data.items))
    return int(min(n, default=0)), [str(data.items[int(k)]) for k in np.flatnonzero(n < least)]


def _items(names: Iterable[str]) -> str:
    found = list(names)
    more = f" and {len(found) - MOST_ITEMS:,} more" if len(found) > MOST_ITEMS else ""
    return f"fewer on {len(found):,}: {', '.join(found[:MOST_ITEMS])}{more}" if found else ""
